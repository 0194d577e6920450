//! Options as set by their readers, and the checked options made from them.
//!
//! Invariant: the defaults are the behaviour of a run without options.

use std::num::NonZeroI64;
use std::time::Duration;

use super::inputs::Inputs;
use super::lemmas::{LemmaOptions, LemmaWish};
use super::pictures::PictureOptions;
use super::warnings::Warnings;
use crate::cube::Cube;
use asp_control::GroundFormat;
use asp_integers::Limits;
pub use asp_report::{Quiet, Style};
use asp_rewrite::improve::Rewritings;
use asp_solve::{Projection, SolveOptions, SolverParameters};

/// The action of the binary.
#[derive(Clone, Debug)]
pub enum Action {
    /// Print help of a level.
    Help(u8),
    /// Print the version.
    Version,
    /// List the embedded programs and instances.
    List,
    /// List the warnings.
    ListWarnings,
    /// List the rewritings.
    ListRewritings,
    /// Print completions or the man page.
    Generate(String),
    /// Print the portfolio.
    Portfolio,
    /// Ground and perhaps solve.
    Run(Box<Options>),
}

/// Which stages run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Ground and solve.
    #[default]
    Clingo,
    /// Solve a ground program.
    Clasp,
    /// Ground and print.
    Gringo,
}

/// When the status line is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum When {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The requested projection; `auto` depends on the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Project {
    /// No projection.
    #[default]
    No,
    /// On what is shown.
    Show,
    /// On `#project` atoms.
    Project,
    /// On `#project` atoms if there is such a directive, else on what is shown.
    Auto,
}

impl Project {
    /// The solver's option, given whether the program has a `#project` directive. As in clingo, consequences are those
    /// of `#project` atoms even if models are not projected.
    pub(crate) fn resolve(self, has_directive: bool, consequences: bool) -> Projection {
        match self {
            Project::No if consequences && has_directive => Projection::Project,
            Project::No => Projection::None,
            Project::Show => Projection::Show,
            Project::Project => Projection::Project,
            Project::Auto if has_directive => Projection::Project,
            Project::Auto => Projection::Show,
        }
    }
}

/// When constraints are instantiated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Instantiation {
    /// All while grounding.
    Eager,
    /// As many as can be during the search.
    Lazy,
    /// During the search where very many instances are expected.
    #[default]
    Auto,
}

/// Everything a run needs to know.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files in order; `-` is standard input.
    pub files: Vec<String>,
    /// Which stages run.
    pub mode: Mode,
    /// How to print the ground program, if requested.
    pub ground_format: Option<GroundFormat>,
    /// Whether to print the program with its values written out.
    pub expand: bool,
    /// The values that integer variables may have.
    pub integers: Limits,
    /// Options of the solver.
    pub solve: SolveOptions,
    /// Which projection.
    pub project: Project,
    /// Definitions `name=term`.
    pub consts: Vec<String>,
    /// Signatures to show: name and arity.
    pub show_preds: Vec<(String, u32)>,
    /// Which warnings are printed.
    pub warnings: Warnings,
    /// How results are printed.
    pub style: Style,
    /// Learned nogoods that are read and written.
    pub lemmas: LemmaOptions,
    /// The cube to keep to.
    pub cube: Option<Cube>,
    /// A file with costs of answer sets that others found.
    pub bound_file: Option<String>,
    /// A file with the answer at which the search begins.
    pub start: Option<String>,
    /// A file with an answer from which others are to differ least, and the level of that objective.
    pub near: Option<(String, Option<i64>)>,
    /// The directory for a proof of what the search finds.
    pub proof: Option<String>,
    /// The most cubes to write instead of searching.
    pub cubes: Option<u32>,
    /// Puzzles and tables to read as facts.
    pub inputs: Inputs,
    /// Which pictures are drawn.
    pub pictures: PictureOptions,
    /// When the status line is shown.
    pub progress: When,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// Stop above this many bytes.
    pub memory_limit: Option<u64>,
    /// Stop above this many ground instances.
    pub ground_limit: Option<u64>,
    /// In a ground program: the number of an atom that must be true, negated for one that must be false.
    pub forced: Option<NonZeroI64>,
    /// In the smodels format: names of atoms may stand for edges and heuristics.
    pub directives_by_name: bool,
    /// Clauses in DIMACS format are soft: each one that does not hold costs 1.
    pub max_sat: bool,
    /// When constraints are instantiated.
    pub instantiation: Instantiation,
    /// The number of expected instances from which on constraints wait for the search, if not the default.
    pub lazy_from: Option<u64>,
    /// Which rewritings the grounder applies.
    pub rewritings: Rewritings,
    /// Print what each statement costs in grounding.
    pub profile: bool,
    /// Print what the grounder rewrites.
    pub explain_rewrites: bool,
    /// Names of options that were accepted without effect.
    pub noted: Vec<&'static str>,
}

impl Options {
    /// Whether files name atoms by their numbers in aspif.
    pub(crate) fn names_atoms_by_number(&self) -> bool {
        self.lemmas.are_wanted() || self.cube.is_some() || self.cubes.is_some()
    }
}

/// Options as set by their readers.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    /// Options that need no further processing.
    pub options: Options,
    /// Something to do instead of a run.
    pub action: Option<Action>,
    /// Print the ground program as text.
    pub text: bool,
    /// The format in which to print it.
    pub output: Option<GroundFormat>,
    /// The format in which to print it when it is simplified.
    pub pre: Option<GroundFormat>,
    /// Whether reified output has components.
    pub reify_sccs: bool,
    /// Whether reified output has step numbers.
    pub reify_steps: bool,
    /// The requested levels of output.
    pub quiet: Option<Quiet>,
    /// Puzzles to read.
    pub grids: Vec<String>,
    /// Tables with separators to read.
    pub csv: Vec<String>,
    /// Whether tables have a heading: `--csv-header`.
    pub csv_header: Option<String>,
    /// The separator of their fields: `--csv-delimiter`.
    pub csv_delimiter: Option<String>,
    /// JSON tables to read.
    pub json: Vec<String>,
    /// Learned nogoods.
    pub lemmas: LemmaWish,
    /// The options of the search in stability tests.
    pub tester: Option<String>,
    /// Whether nothing is to be learned.
    pub no_lookback: bool,
}

impl Raw {
    /// The parameters of the search.
    pub(crate) fn solver(&mut self) -> &mut SolverParameters {
        &mut self.options.solve.solver
    }
    /// Records something to do instead of a run, unless there is something more urgent.
    pub fn ask(&mut self, action: Action) {
        let rank = |action: &Action| match action {
            Action::Help(_) => 0,
            Action::Version => 1,
            Action::List => 2,
            Action::Portfolio => 3,
            Action::Generate(_) => 4,
            Action::ListWarnings => 5,
            Action::ListRewritings => 6,
            Action::Run(_) => 7,
        };
        if self.action.as_ref().is_none_or(|known| rank(&action) < rank(known)) {
            self.action = Some(action);
        }
    }
    /// Records an option without effect.
    pub fn note(&mut self, option: &'static str) {
        if !self.options.noted.contains(&option) {
            self.options.noted.push(option);
        }
    }
}
