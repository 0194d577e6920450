//! The one table of command-line options: names, value patterns, groups, help texts, and whether an option works or
//! is merely accepted. The parser, the help, the completions, the man page and the tests all read it.
//!
//! Invariant: every option of clingo 5.8's `--help=3` has a row with [`Standing::Works`] or [`Standing::Noted`];
//! value patterns are those of [`super::pattern`].

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Nothing.
    Flag,
    /// A value that matches the pattern.
    Required(&'static str),
    /// Perhaps a value (only after `=`, or joined to the short name) that matches the pattern.
    Optional(&'static str),
}

/// Whether an option does something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It does what its help says.
    Works,
    /// It tunes something that has no counterpart here; it is accepted with one note.
    Noted,
}

/// A group of options, in the order of the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Input, output format, limits, help.
    Basic,
    /// What goes to the output, and how.
    Output,
    /// Which answer sets are wanted.
    Solving,
    /// The grounder.
    Grounding,
    /// How to search.
    Search,
    /// Learning, restarts, deletion.
    Lookback,
    /// Configurations and preprocessing.
    Preprocessing,
}

impl Group {
    /// Heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Group::Basic => "Basic options",
            Group::Output => "Output options",
            Group::Solving => "Solving options",
            Group::Grounding => "Grounding options",
            Group::Search => "Search options",
            Group::Lookback => "Lookback options",
            Group::Preprocessing => "Configuration and preprocessing options",
        }
    }
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name after `--`.
    pub long: &'static str,
    /// The letter after `-`.
    pub short: Option<char>,
    /// What it takes.
    pub value: Value,
    /// How the help names the value.
    pub metavar: &'static str,
    /// Whether `--no-NAME` is understood too.
    pub negatable: bool,
    /// Whether it may be given more than once.
    pub many: bool,
    /// Where the help lists it.
    pub group: Group,
    /// The least help level that lists it.
    pub level: u8,
    /// Whether it does something.
    pub standing: Standing,
    /// What it does.
    pub help: &'static str,
}

pub(super) const fn row(
    group: Group,
    level: u8,
    standing: Standing,
    long: &'static str,
    value: Value,
    metavar: &'static str,
    help: &'static str,
) -> OptionSpec {
    OptionSpec {
        long,
        short: None,
        value,
        metavar,
        negatable: false,
        many: false,
        group,
        level,
        standing,
        help,
    }
}

impl OptionSpec {
    pub(super) const fn short(mut self, letter: char) -> Self {
        self.short = Some(letter);
        self
    }
    pub(super) const fn negatable(mut self) -> Self {
        self.negatable = true;
        self
    }
    pub(super) const fn many(mut self) -> Self {
        self.many = true;
        self
    }
}

use super::search_table::SEARCH;
use Group::{Basic, Grounding, Output, Preprocessing, Solving};
use Standing::{Noted, Works};
use Value::{Flag, Optional, Required};

/// All options.
pub static OPTIONS: &[OptionSpec] = &ALL;

const ALL: [OptionSpec; MOST.len() + SEARCH.len()] = {
    let mut all = [MOST[0]; MOST.len() + SEARCH.len()];
    let mut i = 1;
    while i < all.len() {
        all[i] = if i < MOST.len() { MOST[i] } else { SEARCH[i - MOST.len()] };
        i += 1;
    }
    all
};

/// All but those of the search.
const MOST: &[OptionSpec] = &[
    // Basic
    row(
        Basic,
        1,
        Works,
        "help",
        Optional("N1-3"),
        "LEVEL",
        "Print help (1: basic, 2: more, 3: all) and exit",
    )
    .short('h'),
    row(Basic, 1, Works, "version", Flag, "", "Print version and build features and exit").short('v'),
    row(Basic, 1, Works, "verbose", Optional("N"), "LEVEL", "How much to print: 0 (answers only) to 3 [1]")
        .short('V'),
    row(
        Basic,
        1,
        Works,
        "mode",
        Required("clingo|clasp|gringo"),
        "MODE",
        "Ground and solve, only solve, or only ground",
    ),
    row(
        Basic,
        1,
        Works,
        "time-limit",
        Required("I"),
        "SECONDS",
        "Stop after this many seconds (0: no limit)",
    ),
    row(
        Basic,
        1,
        Works,
        "memory-limit",
        Required("N"),
        "MB",
        "Stop with exit code 33 past this much memory (0: no limit)",
    ),
    row(
        Basic,
        1,
        Works,
        "grid",
        Required("S"),
        "[PREDICATE=]FILE",
        "Read a puzzle as it is typed: rows of digits and dots, signs, clues",
    )
    .many(),
    row(Basic, 1, Works, "csv", Required("S"), "PREDICATE=FILE", "Read a table with separators as facts")
        .many(),
    row(Basic, 1, Works, "json", Required("S"), "PREDICATE=FILE", "Read a JSON table as facts").many(),
    row(Basic, 1, Works, "list", Flag, "", "List the programs and instances embedded in the binary and exit"),
    row(Basic, 2, Works, "fast-exit", Flag, "", "Exit at once after the summary"),
    row(
        Basic,
        2,
        Works,
        "generate",
        Required("bash|zsh|fish|man"),
        "WHAT",
        "Print shell completions or the man page and exit",
    ),
    row(Basic, 3, Works, "print-portfolio", Flag, "", "Print the default portfolio and exit"),
    // Output
    row(
        Output,
        1,
        Works,
        "quiet",
        Optional("N,N?,N?"),
        "LEVELS",
        "Print 0: all, 1: the last, 2: no models[,costs[,calls]]",
    )
    .short('q'),
    row(
        Output,
        1,
        Works,
        "outf",
        Required("I jsonl"),
        "FORMAT",
        "0: text, 1: competition, 2: JSON, 3: nothing, jsonl: one line a model",
    ),
    row(Output, 1, Works, "stats", Optional("N0-3,N0-3?"), "LEVEL", "Print statistics (1: basic, 2: full)")
        .short('s'),
    row(
        Output,
        1,
        Works,
        "progress",
        Required("auto|always|never"),
        "WHEN",
        "Show a status line on a terminal's stderr [auto]",
    ),
    row(Output, 2, Works, "out-atomf", Required("S"), "FORMAT", "How to print an atom: text around %0"),
    row(
        Output,
        2,
        Works,
        "out-ifs",
        Required("S"),
        "SEPARATOR",
        "What to print between atoms: one character, or \\n, \\t",
    ),
    row(Output, 2, Works, "out-hide-aux", Flag, "", "Hide atoms whose names start with an underscore"),
    row(Output, 1, Works, "text", Flag, "", "Print the ground program as text and exit"),
    row(
        Output,
        2,
        Works,
        "output",
        Required("intermediate|text|reify|smodels"),
        "FORMAT",
        "Print the ground program in this format and exit",
    )
    .short('o'),
    row(
        Output,
        2,
        Works,
        "pre",
        Optional("aspif|smodels"),
        "FORMAT",
        "Print the simplified ground program and exit",
    ),
    row(Output, 2, Works, "reify-sccs", Flag, "", "Add components to reified output"),
    row(Output, 2, Works, "reify-steps", Flag, "", "Add step numbers to reified output"),
    row(
        Output,
        3,
        Noted,
        "output-debug",
        Required("none|text|translate|all"),
        "WHAT",
        "Print rules as text beside the output",
    ),
    row(
        Output,
        1,
        Works,
        "show-grid",
        Optional("S"),
        "PREDICATE",
        "Print answer sets as grids or graphs instead of atoms",
    ),
    row(Output, 1, Works, "svg", Required("S"), "FILE", "Write pictures of the answer sets as SVG"),
    row(Output, 1, Works, "html", Required("S"), "FILE", "Write pictures of the answer sets as a page"),
    // Solving
    row(
        Solving,
        1,
        Works,
        "models",
        Required("I"),
        "N",
        "Find at most N answer sets (0: all); a bare N means the same",
    )
    .short('n'),
    row(
        Solving,
        1,
        Works,
        "enum-mode",
        Required("bt|record|domrec|brave|cautious|query|auto|user"),
        "MODE",
        "How to enumerate; brave: union of answer sets, cautious: intersection",
    )
    .short('e'),
    row(
        Solving,
        1,
        Works,
        "project",
        Optional("show|project|auto,N0-3? no|0"),
        "WHAT",
        "Tell answer sets apart only by shown or by #project atoms",
    )
    .negatable(),
    row(
        Solving,
        1,
        Works,
        "opt-mode",
        Required("opt|enum|optn|ignore,I*"),
        "MODE[,BOUND...]",
        "opt: one optimum, optN: all, enum: within bounds, ignore",
    ),
    row(
        Solving,
        2,
        Works,
        "opt-stop",
        Required("I,I*"),
        "BOUND,...",
        "Stop at the first answer set whose costs are within the bounds",
    ),
    row(
        Solving,
        2,
        Works,
        "opt-strategy",
        Required("bb,lin|hier|inc|dec|N0-3? usc,oll|one|k|pmres|disjoint|succinct|stratify|N*"),
        "STRATEGY",
        "bb: branch and bound, usc: core-guided",
    ),
    row(
        Solving,
        1,
        Works,
        "parallel-mode",
        Required("N1-64,compete|split?"),
        "THREADS",
        "Search with this many threads",
    )
    .short('t'),
    row(
        Solving,
        2,
        Works,
        "solve-limit",
        Required("N,N? no"),
        "CONFLICTS[,RESTARTS]",
        "Stop the search after this many conflicts or restarts",
    ),
    row(
        Solving,
        3,
        Noted,
        "global-restarts",
        Required("no|0 N,S*"),
        "POLICY",
        "Restart all threads together",
    ),
    row(
        Solving,
        3,
        Works,
        "distribute",
        Required("all|short|conflict|loop,global|local?,N0-127?,N? no|0"),
        "POLICY",
        "Which nogoods threads share: types, glue, length",
    )
    .negatable(),
    row(
        Solving,
        3,
        Works,
        "integrate",
        Required("all|unsat|gp|active,N?,all|ring|cube|cubex?"),
        "POLICY",
        "Which shared nogoods a thread takes, and from whom",
    ),
    // Grounding
    row(Grounding, 1, Works, "const", Required("S"), "NAME=TERM", "Replace the constant NAME by TERM")
        .short('c')
        .many(),
    row(
        Grounding,
        1,
        Works,
        "warn",
        Required("S"),
        "WARNING",
        "Switch a warning: none, all, [no-]NAME, error, help",
    )
    .short('W')
    .many(),
    row(
        Grounding,
        2,
        Works,
        "ground-limit",
        Required("N"),
        "N",
        "Stop with exit code 33 past this many ground instances",
    ),
    row(
        Grounding,
        2,
        Works,
        "rewrite",
        Required("S"),
        "REWRITING",
        "Switch a rewriting that keeps the answer sets: none, all, [no-]NAME, help",
    )
    .many(),
    row(
        Grounding,
        2,
        Works,
        "explain-rewrites",
        Flag,
        "",
        "Print what is rewritten, with instances before and after, to standard error",
    ),
    row(
        Grounding,
        2,
        Works,
        "profile",
        Flag,
        "",
        "Print time, instances and join order of each statement to standard error",
    ),
    row(
        Grounding,
        2,
        Works,
        "show-preds",
        Required("S"),
        "SIGNATURES",
        "Show the given signatures: name/arity,...",
    ),
    row(
        Grounding,
        2,
        Noted,
        "preserve-facts",
        Required("none|body|symtab|all"),
        "WHICH",
        "Which facts the ground output keeps",
    ),
    row(Grounding, 2, Noted, "rewrite-minimize", Flag, "", "Rewrite minimize statements into rules"),
    row(Grounding, 3, Noted, "keep-facts", Flag, "", "Keep facts in rule bodies"),
    row(Grounding, 3, Noted, "single-shot", Flag, "", "Promise that there is one solve call only"),
    // Configuration, preprocessing
    row(
        Preprocessing,
        2,
        Works,
        "configuration",
        Required("S"),
        "NAME",
        "Options by name: auto, frumpy, jumpy, tweety, handy, crafty, trendy, many, or a file",
    ),
    row(
        Preprocessing,
        3,
        Works,
        "tester",
        Required("S"),
        "OPTIONS",
        "Options for the search in stability tests of disjunctive programs",
    ),
    row(Preprocessing, 3, Noted, "parse-ext", Flag, "", "Extensions in DIMACS and OPB input").negatable(),
    row(Preprocessing, 3, Works, "parse-maxsat", Flag, "", "Treat DIMACS input as a MaxSAT problem")
        .negatable(),
    row(
        Preprocessing,
        3,
        Noted,
        "share",
        Required("auto|problem|learnt|all|no"),
        "WHAT",
        "Sharing of constraints between threads",
    )
    .negatable(),
    row(Preprocessing, 3, Noted, "learn-explicit", Flag, "", "Keep short learned nogoods as clauses"),
    row(
        Preprocessing,
        3,
        Works,
        "inprocess",
        Required("probe|substitute|subsume|vivify,probe|substitute|subsume|vivify* no"),
        "LIST",
        "What makes clauses simpler between restarts (probe,substitute,vivify)",
    ),
    row(
        Preprocessing,
        2,
        Works,
        "sat-prepro",
        Optional("N0-3,K* no"),
        "LEVEL",
        "Variable elimination; keys iter, occ, frozen, size limit it",
    )
    .negatable(),
    row(
        Preprocessing,
        3,
        Works,
        "trans-ext",
        Required("all|choice|card|weight|scc|integ|dynamic|no"),
        "MODE",
        "Which sums become clauses: all or weight, card, integ (of constraints), scc, dynamic (small)",
    )
    .negatable(),
    row(Preprocessing, 3, Works, "eq", Required("I"), "N", "Equivalence preprocessing: 0 for none"),
    row(Preprocessing, 3, Noted, "backprop", Flag, "", "Backpropagation in preprocessing").negatable(),
    row(Preprocessing, 3, Works, "supp-models", Flag, "", "Compute supported models"),
    row(Preprocessing, 3, Works, "no-ufs-check", Flag, "", "No unfounded-set check"),
    row(Preprocessing, 3, Noted, "no-gamma", Flag, "", "No gamma rules"),
    row(Preprocessing, 3, Noted, "eq-dfs", Flag, "", "Depth-first order in equivalence preprocessing"),
    row(Preprocessing, 3, Works, "lemma-in", Required("S"), "FILE", "Read lemmas"),
    row(Preprocessing, 3, Works, "lemma-out", Required("S"), "FILE", "Write lemmas"),
    row(Preprocessing, 3, Works, "lemma-out-lbd", Required("N"), "N", "Write only lemmas of this LBD"),
    row(Preprocessing, 3, Works, "lemma-out-max", Required("N"), "N", "Write at most this many lemmas"),
    row(Preprocessing, 3, Works, "lemma-out-dom", Required("input|output"), "WHICH", "Variables of lemmas"),
    row(Preprocessing, 3, Works, "lemma-out-txt", Flag, "", "Write lemmas as integrity constraints"),
    row(Preprocessing, 3, Noted, "hcc-out", Required("S"), "FILE", "Write head-cycle components"),
    row(
        Preprocessing,
        3,
        Works,
        "compute",
        Required("I"),
        "LITERAL",
        "Force a literal of ground input to be true",
    ),
];

/// The option of a long name.
pub fn find(long: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|o| o.long == long)
}
