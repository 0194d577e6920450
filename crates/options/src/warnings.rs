//! Warnings by name: which are printed, and which count as errors.
//!
//! Invariant: clingo's own names, `termination` and lints about what is hardly ever meant are on by default; other lints, which
//! clingo does not have, are off unless asked for.

use super::usage::UsageError;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::nearest::nearest;

/// Names and descriptions of our own lints about what is hardly ever meant; they are on.
const LOUD_LINTS: &[(&str, &str)] = &[
    ("missing-period", "a line that begins a statement but continues the one above"),
    ("head-condition", "a head `p(X) : q(X)` where a rule is meant"),
    ("head-conjunction", "a head `p, q`, which holds by one of its atoms"),
    ("term-compared", "a term `p(X)` in a comparison where a value of p/2 is meant"),
    ("empty-interval", "an interval `5..1`, which has no members"),
    ("bounds-unmet", "bounds that no set of the elements meets"),
    ("unsupported", "atoms that support only each other and never hold"),
    ("never-holds", "a comparison or a body that never holds, as `X = X+1`"),
    ("redundant-literal", "a literal that adds nothing, as in `:- in(X,Y), in(X,Z)`"),
    ("never-meets", "a variable that would have to be a number for one atom and a name for another"),
    ("swapped-arguments", "arguments that would meet what they are joined with if they were swapped"),
    ("head-in-body", "a rule whose body needs its own head, as `p(X) :- q(X), p(X)`"),
    ("constant-objective", "an objective over facts, which is the same in each answer set"),
    ("idle-objective", "an objective that is least where nothing is chosen, as nothing asks for it"),
    ("unequal-chain", "`X != Y != Z`, which does not compare `X` with `Z`"),
    ("leaves-none", "a statement that is violated whatever is chosen: there is no answer set"),
    ("interval-dash", "a difference `1-4` where an interval `1..4` is meant"),
    ("capital-name", "a variable that occurs once and is a constant in small letters, as `Ann` beside `ann`"),
    ("quoted-name", "a name in single quotes, as `'ann'`, which belong to it"),
    ("choice-of-one", "a choice of one atom whose bounds say nothing, as `{ q(X) } = 1 :- p(X)`"),
    ("always-holds", "a comparison that always holds, as `X != (1;2)`"),
    ("hyphenated-name", "a difference of names, as `anna-maria`"),
    ("no-function", "a function that there is not, as `abs(X)`"),
    ("weight-once", "equal weights of several things, which count once"),
    ("constant-in-data", "a name in a table or grid that a constant replaces"),
    ("odd-cell", "a text in a column of numbers, of a table or of facts"),
    ("own-theory", "`&diff` and the like under a #theory of the program's own"),
    ("replaced-parameter", "a parameter of a part whose name is a constant, which replaces it"),
    ("misspelt-constant", "a constant that no atom has there, beside one that differs by a letter"),
    ("misspelt-head", "a head that nothing reads, beside a similar name"),
];

/// Names and descriptions of our own lints that are off unless asked for.
pub const LINTS: &[(&str, &str)] = &[
    ("singleton-variable", "a variable that occurs only once in a statement"),
    ("show-unmatched", "a #show directive that matches no predicate"),
    ("arity-mismatch", "a predicate that is defined with several arities"),
    ("unused-head", "a head that nothing reads or shows"),
    ("symmetric-inequality", "a rule whose `X != Y` finds each pair twice"),
    ("self-denial", "a rule that denies its own head, as `p :- q, not p`"),
    ("choice-in-body", "braces in a body without bounds, which always hold"),
    ("mixed-column", "constants and strings in one column of facts"),
    ("tuple-collapse", "sum elements with equal tuples, which count once"),
];

/// Whether a kind of messages is one of our own lints that are off unless asked for.
pub fn is_quiet_lint(kind: WarningKind) -> bool {
    LINTS.iter().any(|(name, _)| *name == kind.name())
}

const ON_BY_DEFAULT: &[WarningKind] = &[
    WarningKind::AtomUndefined,
    WarningKind::FileIncluded,
    WarningKind::OperationUndefined,
    WarningKind::GlobalVariable,
    WarningKind::Termination,
    WarningKind::Other,
];

/// Which warnings are printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warnings {
    on: Vec<&'static str>,
    /// Whether a warning counts as an error.
    pub error: bool,
}

impl Default for Warnings {
    fn default() -> Self {
        let on = ON_BY_DEFAULT.iter().map(|w| w.name()).chain(LOUD_LINTS.iter().map(|l| l.0));
        Self { on: on.collect(), error: false }
    }
}

impl Warnings {
    /// Whether messages of a kind are printed.
    pub fn shows(&self, kind: WarningKind) -> bool {
        self.on.contains(&kind.name())
    }
    /// Whether clingo has messages of a kind.
    pub fn is_clingos(kind: WarningKind) -> bool {
        !matches!(kind, WarningKind::Lint(_))
    }
    /// Turns all off.
    pub fn silence(&mut self) {
        self.on.clear();
    }
    /// Whether a message rejects the program: with `--warn=error` a warning does, unless it may be a false alarm.
    pub fn rejects(&self, message: &Diagnostic) -> bool {
        self.error && message.severity == Severity::Warning && message.kind != Some(WarningKind::Termination)
    }
    /// An error message if one of these messages rejects the program.
    pub fn refuse(&self, messages: &[Diagnostic]) -> Result<(), &'static str> {
        let rejected = messages.iter().any(|message| self.rejects(message));
        if rejected { Err("a warning counts as an error") } else { Ok(()) }
    }
    /// All names with their descriptions and whether they are on by default.
    pub fn list() -> Vec<(&'static str, &'static str, bool)> {
        let about = |w: WarningKind| match w {
            WarningKind::AtomUndefined => "an atom in a body that no rule can derive",
            WarningKind::FileIncluded => "a file that is included more than once",
            WarningKind::OperationUndefined => "an arithmetic operation without a value",
            WarningKind::GlobalVariable => "a tuple of an aggregate element with global variables only",
            WarningKind::Termination => "recursion that may not end (never an error)",
            _ => "everything else",
        };
        let known = ON_BY_DEFAULT.iter().map(|&w| (w.name(), about(w), true));
        let loud = LOUD_LINTS.iter().map(|&(name, about)| (name, about, true));
        known.chain(loud).chain(LINTS.iter().map(|&(name, about)| (name, about, false))).collect()
    }
    /// Applies one `--warn` value.
    pub(crate) fn obey(&mut self, value: &str) -> Result<(), UsageError> {
        let all = || Self::list().into_iter();
        match value {
            "none" => self.silence(),
            // As in clingo, "all" is what is on by default; lints are enabled by name.
            "all" => *self = Self { error: self.error, ..Self::default() },
            "error" => self.error = true,
            "no-error" => self.error = false,
            _ => {
                let (name, on) = match value.strip_prefix("no-") {
                    Some(name) => (name, false),
                    None => (value, true),
                };
                let Some((name, ..)) = all().find(|(n, ..)| *n == name) else {
                    let names = all().map(|(n, ..)| n).chain(["none", "all", "error", "help"]);
                    return Err(UsageError::bad_value("warn", value, nearest(name, names)));
                };
                self.on.retain(|n| *n != name);
                if on {
                    self.on.push(name);
                }
            }
        }
        Ok(())
    }
}
