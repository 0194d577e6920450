//! The library's interface: program text in, answer sets out, in one shot or in steps.
//!
//! Invariant: the stages run in order: what is added is parsed and grounded before it is solved, and each stage
//! processes only what is new since the last call.

#![warn(missing_docs)]

mod answer;
mod atoms;
mod backend;
mod call;
mod callbacks;
mod earlier;
mod error;
mod expanded;
mod facts;
mod functions;
mod ground_input;
mod handle;
mod journal;
mod known;
mod parse;
mod proof;
mod propagators;
mod scripts;
mod solve;
mod steps;
mod terms;
#[cfg(test)]
mod tests;
mod theories;
mod write;

use std::io;
use std::num::NonZeroI64;
use std::path::Path;
use std::sync::Arc;

use asp_base::diagnostic::Diagnostic;
use asp_base::index_vec::Idx as _;
use asp_base::interrupt::Interrupt;
use asp_base::span::{Original, Sources, Span};
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_ground::{Caller, Callers, GroundError, Grounder};
use asp_integers as integers;
use asp_program::Program;
use asp_program::lower::{LowerError, lower};
use asp_solve::session::Session;
use asp_solve::{EnumMode, SolveOptions, Statistics};
use asp_syntax as syntax;
use asp_syntax::loader::Loader;

use callbacks::Callbacks;
use ground_input::GroundInput;
use known::{Known, known};
use parse::{Edit, Phase, Texts};
use steps::Steps;

pub use answer::Answer;
pub use asp_ground::GroundOptions;
pub use atoms::{Atom, AtomLits};
pub use backend::Backend;
pub use call::{Assumption, Call};
pub use error::{Error, Report};
pub use functions::{FunctionCall, Functions};
pub use ground_input::notation_of;
pub use handle::SolveHandle;
pub use known::{Ground, KnownAtom, Place};
pub use proof::{Claim, Proof, options_for_proof};
pub use scripts::Script;
pub use theories::{Init, Theory};
pub use write::{GroundFormat, GroundWriter};

/// A text to be read.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages name it.
    pub name: String,
    /// Bytes, which need not be UTF-8.
    pub text: Vec<u8>,
    /// The text that these facts were made from.
    pub(crate) original: Option<Arc<Original>>,
}

impl Source {
    /// A named text, given as text or bytes.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), text: text.into(), original: None }
    }

    /// Facts made from a text that is not a program.
    pub fn facts(original: Original, facts: String) -> Self {
        Self { name: original.name.clone(), text: facts.into(), original: Some(Arc::new(original)) }
    }

    /// The text for the parser.
    pub fn into_input(self) -> syntax::Input {
        syntax::Input { name: self.name, text: self.text, original: self.original }
    }
}

/// Options of a [`Control`].
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How texts are grounded.
    pub ground: GroundOptions,
    /// In a ground program: the number of an atom that must be true, negated for one that must be false.
    pub forced: Option<NonZeroI64>,
    /// In the smodels format: names of atoms may stand for edges and heuristics.
    pub directives_by_name: bool,
    /// Clauses in DIMACS format are soft: each one that does not hold costs 1.
    pub max_sat: bool,
    /// Keep the atoms' numbers of a ground program.
    pub keep_numbers: bool,
    /// The values that integer variables may have.
    pub integers: integers::Limits,
    /// Options of solve calls.
    pub solve: SolveOptions,
}

/// A logic program on its way from text to answer sets.
///
/// ```
/// let mut control = asp::Control::new();
/// control.add("1 { colour(r); colour(g); colour(b) } 1. :- colour(b).");
/// let mut found = Vec::new();
/// control.solve(0, |answer| {
///     found.push(answer.to_string());
///     true
/// })?;
/// found.sort();
/// assert_eq!(found, ["colour(g)", "colour(r)"]);
/// # Ok::<(), asp::Error>(())
/// ```
pub struct Control {
    /// Options; those of solving may change between calls.
    pub settings: Settings,
    symbols: Symbols,
    diagnostics: Vec<Diagnostic>,
    interrupt: Interrupt,
    texts: Texts,
    grounded_parts: Vec<(StrId, Vec<Sym>)>,
    callbacks: Callbacks,
    input: GroundInput,
    /// `None` until a text is parsed, and for a ground program.
    grounder: Option<Grounder>,
    program: Program,
    integers: integers::Compiler,
    steps: Steps,
    session: Session,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl Control {
    /// A control without a program.
    pub fn new() -> Self {
        Self::with_interrupt(Interrupt::new())
    }

    /// A control without a program; `interrupt` can stop it.
    pub fn with_interrupt(interrupt: Interrupt) -> Self {
        Self {
            settings: Settings::default(),
            symbols: Symbols::new(),
            diagnostics: Vec::new(),
            interrupt,
            texts: Texts::default(),
            grounded_parts: Vec::new(),
            callbacks: Callbacks::default(),
            input: GroundInput::default(),
            grounder: None,
            program: Program::new(),
            integers: integers::Compiler::default(),
            steps: Steps::default(),
            session: Session::new(),
        }
    }

    /// The loader of included texts.
    pub fn loader(&mut self) -> &mut dyn Loader {
        &mut *self.texts.loader
    }

    /// Lets `loader` find included texts instead of looking for files.
    pub fn set_loader(&mut self, loader: impl Loader + Send + 'static) {
        self.texts.loader = Box::new(loader);
    }

    /// Applies `edit` to programs parsed from now on, before they are grounded.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn set_edit(&mut self, edit: Edit) {
        self.texts.edit = Some(edit);
    }

    /// The texts that were added and have not been parsed.
    pub fn texts(&self) -> &[Source] {
        &self.texts.pending
    }

    /// A handle that stops whatever is running, from any thread.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Adds program text.
    pub fn add(&mut self, text: &str) {
        self.add_source(Source::new("<text>", text));
    }

    /// Adds a named text.
    pub fn add_source(&mut self, source: Source) {
        self.texts.pending.push(source);
    }

    /// Adds a file. An error if it cannot be read.
    pub fn load(&mut self, path: &Path) -> io::Result<()> {
        let text = std::fs::read(path)?;
        self.add_source(Source::new(path.display().to_string(), text));
        Ok(())
    }

    /// Replaces the constant `name` by a term, overriding the program.
    pub fn set_const(&mut self, name: &str, term: &str) {
        let text = format!("#const {name}={term}. [override]");
        self.add_source(Source::new(format!("<{name}={term}>"), text));
    }

    /// Whether the program includes the incremental mode.
    pub fn is_incremental(&self) -> bool {
        self.texts.incremental
    }

    /// The text of the ASP-Core-2 query `q(1)?`, if the program has one. Then only its instances are shown, so that its
    /// answers are the brave or cautious consequences.
    pub fn query(&self) -> Option<&str> {
        self.texts.query.as_deref()
    }

    /// Grounds the base program.
    pub fn ground(&mut self) -> Result<(), Error> {
        self.ground_parts(&[("base", Vec::new())])
    }

    /// Grounds program parts with arguments for their parameters.
    pub fn ground_parts(&mut self, parts: &[(&str, Vec<Sym>)]) -> Result<(), Error> {
        self.parse()?;
        let before = self.diagnostics.len();
        let result = self.ground_parsed(parts);
        if matches!(result, Err(Error::Stopped(_))) {
            return result;
        }
        let Some(parsed) = self.texts.with_values.take() else { return result };
        if result.is_ok() && self.lower_integers().is_ok() {
            return Ok(());
        }
        // With integers it failed: start again with atoms.
        self.diagnostics.truncate(before);
        self.ground_with_atoms(*parsed)?;
        self.ground_parsed(parts)
    }

    /// The names and arguments of the program parts that have been grounded.
    pub fn grounded_parts(&self) -> &[(StrId, Vec<Sym>)] {
        &self.grounded_parts
    }

    /// Grounds program parts that have been parsed.
    fn ground_parsed(&mut self, parts: &[(&str, Vec<Sym>)]) -> Result<(), Error> {
        let Some(grounder) = self.grounder.as_mut() else { return Ok(()) };
        let parts: Vec<_> =
            parts.iter().map(|(name, args)| (self.symbols.intern(name), args.clone())).collect();
        if self.texts.phase == Phase::Texts {
            self.texts.phase = Phase::Grounded;
        }
        let (symbols, program) = (&mut self.symbols, &mut self.program);
        let functions = self.callbacks.functions.as_deref_mut();
        let sources = &self.texts.sources;
        let caller = functions.map(|functions| Caller { functions, sources });
        let mut hear =
            self.callbacks.listener.as_mut().map(|hear| |message: &Diagnostic| hear(message, sources));
        let listener = hear.as_mut().map(|hear| hear as &mut dyn FnMut(&Diagnostic));
        let callers = Callers { caller, listener, sources: Some(sources) };
        match grounder.ground(&parts, symbols, program, &self.interrupt, &mut self.diagnostics, callers) {
            Ok(()) => {
                self.grounded_parts.extend(parts);
                Ok(())
            }
            Err(GroundError::Invalid) => {
                Err(Error::Ground(self.report("grounding stopped because of errors")))
            }
            Err(GroundError::Stopped(reason)) => Err(Error::Stopped(reason)),
        }
    }

    /// Lowers what is new in the ground program: aggregates, conditional literals and objectives become plain rules and
    /// sums. Solve calls would do it themselves; doing it here allows measuring it separately.
    pub fn lower(&mut self) -> Result<(), Error> {
        self.lower_integers()?;
        self.lower_structured()
    }

    /// Lowers the constraints over integers that are new.
    pub fn lower_integers(&mut self) -> Result<(), Error> {
        let mut limits = self.settings.integers;
        if matches!(self.settings.solve.enum_mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query) {
            limits.tell_values();
        }
        match self.integers.lower(&mut self.program, &mut self.symbols, limits) {
            Ok(warning) => {
                self.diagnostics.extend(warning);
                self.warn_of_look_alikes();
                Ok(())
            }
            Err(refused) => {
                self.diagnostics.push(*refused);
                Err(Error::Ground(self.report("constraints over integers cannot be solved")))
            }
        }
    }

    /// Lowers what is new, except for constraints over integers.
    fn lower_structured(&mut self) -> Result<(), Error> {
        if self.program.is_lowered() {
            self.program.end_step();
            return Ok(());
        }
        lower(&mut self.program, &self.symbols).map_err(|error| {
            if let LowerError::SumOverflow { source } = error {
                let span = self.program.sources.get(source.index()).copied().unwrap_or(Span::NONE);
                self.diagnostics
                    .push(Diagnostic::error(span, "a sum in this statement does not fit 64 bits"));
            }
            Error::Overflow(Report::of(error.to_string(), &self.diagnostics, &self.texts.sources))
        })?;
        self.program.end_step();
        Ok(())
    }

    fn report(&self, summary: &str) -> Report {
        Report::of(summary, &self.diagnostics, &self.texts.sources)
    }

    /// Grounds the base program, if that has not been done since something was added.
    fn ground_pending(&mut self) -> Result<(), Error> {
        if self.texts.phase != Phase::Texts && self.texts.pending.is_empty() { Ok(()) } else { self.ground() }
    }

    /// What is known about the atom that a term names.
    fn known(&self, term: Sym) -> Known {
        known(term, self.as_ground())
    }

    /// The result of grounding.
    pub fn as_ground(&self) -> Ground<'_> {
        Ground { program: &self.program, symbols: &self.symbols, grounder: self.grounder.as_ref() }
    }

    /// Whether translation or a call found that there are no more answer sets.
    pub fn is_conflicting(&self) -> bool {
        self.session.is_conflicting()
    }

    /// Whether part of a program has been read already.
    pub fn has_begun(&self) -> bool {
        self.is_ground_input() || !self.program.rules.is_empty() || !self.program.shows.is_empty()
    }

    /// Translates what is new, then returns [`is_conflicting`](Self::is_conflicting).
    pub fn check_conflicting(&mut self) -> Result<bool, Error> {
        if !self.session.is_conflicting() {
            self.take_in_named()?;
            self.lower()?;
            let options = self.settings.solve.clone();
            self.translate(&options);
        }
        Ok(self.session.is_conflicting())
    }

    /// The truth value of an atom in all answer sets, if earlier calls found one. Pre: nothing has been added since the
    /// last call.
    pub fn fixed(&self, atom: asp_program::AtomId) -> Option<bool> {
        self.session.fixed(asp_program::Literal::pos(atom))
    }

    /// Counters of the search so far.
    pub fn statistics(&mut self) -> Statistics {
        self.session.statistics()
    }

    /// Whether the program reads values of a predicate, as `$p(X)`.
    pub fn is_function(&self, name: StrId, arity: usize) -> bool {
        self.grounder.as_ref().is_some_and(|grounder| grounder.is_function(name, arity))
    }

    /// The value of a constant of the program.
    pub fn constant(&mut self, name: &str) -> Option<Sym> {
        let name = self.symbols.intern(name);
        self.grounder.as_ref()?.constant(name)
    }

    /// The constants of the program and their values, by name.
    pub fn constants(&self) -> Vec<(String, String)> {
        let known = self.grounder.iter().flat_map(|g| g.constants());
        let text = |(name, value)| (self.symbols.str(name).to_string(), self.symbols.display(value));
        let mut all: Vec<(String, String)> = known.map(text).collect();
        all.sort_unstable();
        all
    }

    /// The symbol table of the program.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The symbol table, to add terms.
    pub fn symbols_mut(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// The terms and the texts, to build syntax trees.
    pub fn tables_mut(&mut self) -> (&mut Symbols, &mut Sources) {
        (&mut self.symbols, &mut self.texts.sources)
    }

    /// The texts that have been added, which spans point into.
    pub fn sources(&self) -> &Sources {
        &self.texts.sources
    }

    /// The texts, to add one that is not a program but that messages point into.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn sources_mut(&mut self) -> &mut Sources {
        &mut self.texts.sources
    }

    /// The ground program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Takes the messages since the last call.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics)
    }

    /// Adds a message.
    pub fn push_diagnostic(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}
