//! The interface of all formats: the style of the output, and the events of a run.
//!
//! Invariant: every format is well-formed whenever [`Reporter::finish`] is called.

use super::answer_set::AnswerTable;
use super::output::Output;
use super::summary::Summary;
use asp_program::ground_program::Notation;
use asp_solve::{Model, Statistics};

/// The line that names the program.
pub const PROGRAM: &str = concat!("asp version ", env!("CARGO_PKG_VERSION"));

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// clingo's text.
    #[default]
    Text,
    /// The format of the ASP competition.
    Competition,
    /// The format of SAT solvers.
    Sat,
    /// The format of pseudo-Boolean solvers.
    PseudoBoolean,
    /// One JSON object.
    Json,
    /// One JSON object per line.
    JsonLines,
    /// A table: a record per atom.
    Csv,
    /// Nothing.
    Nothing,
}

/// How much of one kind is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// All.
    #[default]
    All,
    /// The last one.
    Last,
    /// None.
    Nothing,
}

/// The three parts of `--quiet`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quiet {
    /// Which models.
    pub models: Level,
    /// Which costs and consequences.
    pub costs: Level,
    /// Which calls' summaries.
    pub calls: Level,
}

impl Quiet {
    /// Whether a model's atoms, and its costs or consequences, are printed as soon as it is found, and whether the
    /// model is kept because it may be the last one.
    pub fn of(self, model: &Model<'_>) -> (bool, bool, bool) {
        let has_costs = !model.costs.is_empty() || model.consequences.is_some();
        let now = |level| level == Level::All || (level == Level::Last && model.optimal);
        let later = |level| level == Level::Last && !model.optimal;
        let kept = later(self.models) || (later(self.costs) && has_costs);
        (now(self.models), now(self.costs) && has_costs, kept)
    }
}

/// Writes models as they are found, or only the last one of a call, at its end.
pub(crate) struct ModelWriter {
    models: Level,
    kept: Option<Vec<u8>>,
}

impl ModelWriter {
    pub(crate) fn new(style: &Style) -> Self {
        Self { models: style.quiet.models, kept: None }
    }
    /// A model was found, which `push` writes.
    pub(crate) fn found(&mut self, out: &mut Output, model: &Model<'_>, push: impl FnOnce(&mut Vec<u8>)) {
        if self.models == Level::All || (self.models == Level::Last && model.optimal) {
            self.kept = None;
            push(out.buffer());
        } else if self.models == Level::Last {
            let kept = self.kept.get_or_insert_default();
            kept.clear();
            push(kept);
        }
    }
    pub(crate) fn call_end(&mut self, out: &mut Output) {
        if let Some(kept) = self.kept.take() {
            out.buffer().extend_from_slice(&kept);
        }
    }
}

/// A model that may have to be printed as the last one.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) number: u64,
    pub(crate) seconds: f64,
    pub(crate) atoms: Vec<u8>,
    pub(crate) costs: Vec<i64>,
    pub(crate) estimate: Option<(u64, u64)>,
}

impl Kept {
    /// Keeps a model in place of the one before.
    pub(crate) fn replace(&mut self, found: &FoundModel<'_>) {
        (self.number, self.seconds, self.estimate) = (found.number, found.seconds, found.model.consequences);
        self.atoms.clear();
        found.table.write(&found.model, &mut self.atoms);
        self.costs.clear();
        self.costs.extend_from_slice(found.model.costs);
    }
}

impl Default for Quiet {
    fn default() -> Self {
        Self { models: Level::All, costs: Level::All, calls: Level::Nothing }
    }
}

/// Everything that shapes the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Style {
    /// The line that names the program.
    pub program: String,
    /// Which format.
    pub format: Format,
    /// 0: answers only, 1: as usual, 2 or more: also times of phases.
    pub verbosity: u8,
    /// Omitted output.
    pub quiet: Quiet,
    /// Whether the user chose `quiet`, so that the format does not.
    pub quiet_is_given: bool,
    /// 0: no statistics, 1: basic, 2: full.
    pub stats: u8,
    /// Printed before each atom.
    pub atom_prefix: String,
    /// Printed after each atom.
    pub atom_suffix: String,
    /// Printed between atoms.
    pub separator: char,
    /// Whether atoms with names that start with an underscore are left out.
    pub hide_aux: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            program: PROGRAM.into(),
            format: Format::Text,
            verbosity: 1,
            quiet: Quiet::default(),
            quiet_is_given: false,
            stats: 0,
            atom_prefix: String::new(),
            atom_suffix: String::new(),
            separator: ' ',
            hide_aux: false,
        }
    }
}

impl Style {
    /// The style for the input: like clasp, text output follows the format of the input.
    pub fn for_input(&self, notation: Notation) -> Self {
        let mut style = self.clone();
        if !matches!(self.format, Format::Text | Format::Competition) || notation == Notation::Terms {
            return style;
        }
        style.format = if notation == Notation::Cnf { Format::Sat } else { Format::PseudoBoolean };
        style.separator = ' ';
        if !style.quiet_is_given {
            let models = if notation == Notation::Cnf { Level::All } else { Level::Last };
            style.quiet = Quiet { models, ..Quiet::default() };
        }
        style
    }
}

/// A model at the moment it is found.
#[derive(Clone, Copy)]
pub struct FoundModel<'a> {
    /// The number to print.
    pub number: u64,
    /// Seconds since the start of the run.
    pub seconds: f64,
    /// The model itself.
    pub model: Model<'a>,
    /// The rendered shown symbols.
    pub table: &'a AnswerTable,
}

/// Prints the last model of a call in the place of the text that is handed in.
pub(crate) type Printer = Box<dyn FnMut(&[u8]) + Send>;

/// A format's writer. Calls come in this order: `start`, then for each call `prepared`, `solving`, `found` and
/// `bounds`, `call_end`, then `finish`; `finish` may come at any time.
pub trait Reporter: Send {
    /// Gives what prints models as text from now on; for text formats.
    fn set_printer(&mut self, _printer: Printer) {}
    /// The run starts; `inputs` are the files as given.
    fn start(&mut self, out: &mut Output, inputs: &[String]);
    /// A call's program is ready: seconds spent on reading (including grounding) and preprocessing.
    fn prepared(&mut self, _out: &mut Output, _reading: f64, _preprocessing: f64) {}
    /// The search of a call starts, `seconds` after the start of the run.
    fn solving(&mut self, out: &mut Output, seconds: f64);
    /// A model was found.
    fn found(&mut self, out: &mut Output, found: &FoundModel<'_>);
    /// Bounds changed: proven lower bounds by level so far, and the costs of the best model.
    fn bounds(&mut self, _out: &mut Output, _lower: &[i64], _best: Option<&[i64]>, _seconds: f64) {}
    /// A call failed before its search started, `seconds` after the start of the run.
    fn failed(&mut self, out: &mut Output, summary: &Summary, _seconds: f64) {
        self.call_end(out, summary);
    }
    /// A call ended.
    fn call_end(&mut self, out: &mut Output, summary: &Summary);
    /// The run ended.
    fn finish(&mut self, out: &mut Output, summary: &Summary, statistics: Option<&Statistics>);
}
