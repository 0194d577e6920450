//! The library's interface: program text in, answer sets out, in one shot or in steps.
//!
//! Invariant: the stages run in their order: what is added is parsed and grounded before it is solved, and only what is
//! new since the last call passes through each stage.

mod answer;
mod atoms;
mod backend;
mod call;
mod error;
mod functions;
mod ground_input;
mod handle;
mod journal;
mod known;
mod terms;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::Path;

use crate::base::diagnostic::{Diagnostic, Severity, WarningKind};
use crate::base::index_vec::Idx as _;
use crate::base::interrupt::Interrupt;
use crate::base::span::{Sources, Span};
use crate::base::symbol::{Sym, Symbols};
use crate::control::handle::Search;
use crate::ground::{Caller, GroundError, GroundOptions, Grounder};
use crate::program::aspif::AspifWriter;
use crate::program::aspif_read::Paused;
use crate::program::lower::{LowerError, lower};
use crate::program::reify::{ReifyOptions, ReifyWriter};
use crate::program::text::TextWriter;
use crate::program::{Literal, Program, smodels};
use crate::report::answer_set::{AnswerTable, Rendering};
use crate::rewrite::improve::{Rewriting, Rewritings};
use crate::rewrite::symmetry::symmetric_inequality;
use crate::solve::engine::propagator::Propagator;
use crate::solve::parallel::worker::Worker;
use crate::solve::session::Session;
use crate::solve::{
    Control as Flow, EnumMode, Event, OptMode, Projection, SolveOptions, SolveResult, Statistics,
};
use crate::syntax::loader::{FileLoader, Loader};
use crate::syntax::{self, ast};

use known::{Known, known};

pub use answer::Answer;
pub use atoms::{Atom, AtomLits};
pub use backend::Backend;
pub use call::{Assumption, Call};
pub use error::{Error, Report};
pub use functions::{FunctionCall, Functions};
pub use handle::SolveHandle;
pub use known::{Ground, KnownAtom, Place};

/// A text to be read.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages name it.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
}

impl Source {
    /// A text from a name and a text or bytes.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// How a ground program is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroundFormat {
    /// As text.
    Text,
    /// As aspif.
    Aspif,
    /// As smodels format.
    Smodels,
    /// As facts.
    Reify {
        /// With components of the positive dependency graph.
        sccs: bool,
        /// With the number of the step.
        steps: bool,
    },
}

/// Options of a [`Control`].
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Keep facts in the ground program, for printing it.
    pub keep_facts: bool,
    /// Atoms whose rules hold for certain are no facts: they stay open and keep their rules.
    pub open_rules: bool,
    /// The most instances that are made; 0 for no limit.
    pub instance_limit: u64,
    /// Which rewritings the grounder does.
    pub rewritings: Rewritings,
    /// Write down what each statement costs in grounding.
    pub profile: bool,
    /// Write down what the grounder rewrites.
    pub explain_rewrites: bool,
    /// In a ground program: the number of an atom that must be true, or the negated one of one that must be false.
    pub forced: i64,
    /// Clauses in DIMACS format need not hold: each that does not costs 1.
    pub max_sat: bool,
    /// Keep the numbers of atoms in a ground program.
    pub keep_numbers: bool,
    /// Options of solve calls.
    pub solve: SolveOptions,
}

/// Changes a parsed program before it is grounded.
pub(crate) type Edit = Box<dyn FnMut(&mut ast::Program, &mut Symbols, &Sources) + Send>;

/// What `#include <incmode>.` adds to a program.
const INCMODE: &str = "#program check(t). #external query(t).";

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
    /// By atom: its number in ground input, 0 for none.
    numbers: Vec<i64>,
    symbols: Symbols,
    sources: Sources,
    /// Texts that are not parsed yet.
    pending: Vec<Source>,
    diagnostics: Vec<Diagnostic>,
    grounder: Option<Grounder>,
    incremental: bool,
    query: Option<String>,
    /// Whether `base` has been grounded, or a ground program read.
    grounded: bool,
    /// What `@f(...)` calls.
    functions: Option<Box<Functions>>,
    /// Whether atoms have been named that are not shown yet.
    has_named: bool,
    /// Whether the program came ground.
    ground_input: bool,
    program: Program,
    /// An incremental ground program that has been read up to some step.
    steps: Option<(Source, Paused)>,
    /// Whether a ground program came in steps.
    has_steps: bool,
    /// The caller's propagators, and the session's generation that they were made for.
    propagators: Vec<Maker>,
    installed: Option<u64>,
    session: Session,
    interrupt: Interrupt,
    loader: Box<dyn Loader + Send>,
    edit: Option<Edit>,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl Control {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::with_interrupt(Interrupt::new())
    }

    /// Nothing yet; whoever holds `interrupt` may stop it.
    pub fn with_interrupt(interrupt: Interrupt) -> Self {
        Self {
            numbers: Vec::new(),
            settings: Settings::default(),
            symbols: Symbols::new(),
            sources: Sources::new(),
            pending: Vec::new(),
            diagnostics: Vec::new(),
            grounder: None,
            incremental: false,
            query: None,
            grounded: false,
            functions: None,
            has_named: false,
            ground_input: false,
            program: Program::new(),
            steps: None,
            has_steps: false,
            propagators: Vec::new(),
            installed: None,
            session: Session::new(),
            interrupt,
            loader: Box::new(FileLoader),
            edit: None,
        }
    }

    /// Finds included texts in another way than in files.
    pub fn set_loader(&mut self, loader: impl Loader + Send + 'static) {
        self.loader = Box::new(loader);
    }

    /// Changes what is parsed from now on before it is grounded.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn set_edit(&mut self, edit: Edit) {
        self.edit = Some(edit);
    }

    /// The texts that were added and are not parsed yet.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn texts(&self) -> &[Source] {
        &self.pending
    }

    /// A handle that stops whatever is running, from any thread.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Adds program text.
    pub fn add(&mut self, text: &str) {
        self.add_source(Source::new("<text>", text));
    }

    /// Adds a text with a name and a place.
    pub fn add_source(&mut self, source: Source) {
        self.pending.push(source);
    }

    /// Adds a file.
    pub fn load(&mut self, path: &Path) -> io::Result<()> {
        let text = std::fs::read(path)?;
        self.add_source(Source::new(path.display().to_string(), text));
        Ok(())
    }

    /// Replaces the constant `name` by a term, whatever the program says.
    pub fn set_const(&mut self, name: &str, term: &str) {
        let text = format!("#const {name}={term}. [override]");
        self.add_source(Source::new(format!("<{name}={term}>"), text));
    }

    /// Parses what was added since the last time. A text that is a ground program by its first lines is read as one.
    pub fn parse(&mut self) -> Result<(), Error> {
        if self.has_ground_text() {
            return self.read_ground_alone();
        }
        if self.pending.is_empty() && self.grounder.is_some() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let parsed = self.parse_texts(pending);
        self.take_in(parsed)
    }

    /// Adds text to a program part with some parameters, which texts begin in instead of `base`.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// control.add_part("step", &["t"], "at(t).")?;
    /// let three = control.number(3);
    /// control.ground_parts(&[("step", vec![three])])?;
    /// assert_eq!(control.atoms("at", 1)[0].term().to_string(), "at(3)");
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn add_part(&mut self, name: &str, params: &[&str], text: &str) -> Result<(), Error> {
        self.parse()?;
        let part =
            (self.symbols.intern(name), params.iter().map(|p| self.symbols.intern(p)).collect::<Vec<_>>());
        let input = syntax::Input::new("<block>", text);
        let (symbols, sources) = (&mut self.symbols, &mut self.sources);
        let parsed = syntax::parse_part(vec![input], (part.0, &part.1), symbols, sources, &mut *self.loader);
        self.diagnostics.extend(parsed.diagnostics);
        self.take_in(parsed.program)
    }

    /// Adds a parsed program.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn take_in(&mut self, mut parsed: ast::Program) -> Result<(), Error> {
        let is_builtin = |s: &ast::Statement| matches!(s.kind, ast::StatementKind::IncludeBuiltin { .. });
        if parsed.statements.iter().any(is_builtin) && !self.incremental {
            self.incremental = true;
            parsed.statements.extend(self.parse_texts(vec![Source::new("<incmode>", INCMODE)]).statements);
        }
        let is_query = |s: &ast::Statement| matches!(s.kind, ast::StatementKind::Query(_));
        if let Some(query) = parsed.statements.iter().find(|s| is_query(s)).map(|s| s.span) {
            let text = self.sources.text(query).trim_end_matches(['?', ' ', '\t', '\r', '\n']).to_string();
            let source = Source::new("<query>", format!("#show. #show {text} : {text}."));
            parsed.statements.extend(self.parse_texts(vec![source]).statements);
            self.query = Some(text);
        }
        if self.diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return Err(Error::Parse(self.report("parsing failed")));
        }
        for statement in &parsed.statements {
            if let Some(span) = symmetric_inequality(statement, &self.symbols) {
                self.diagnostics.push(symmetry_note(span));
            }
        }
        if let Some(edit) = self.edit.as_mut() {
            edit(&mut parsed, &mut self.symbols, &self.sources);
        }
        let settings = &self.settings;
        let grounder = self.grounder.get_or_insert_with(|| {
            Grounder::new(GroundOptions {
                keep_facts: settings.keep_facts,
                open_rules: settings.open_rules,
                instance_limit: settings.instance_limit,
                rewritings: settings.rewritings,
                profile: settings.profile,
                explain: settings.explain_rewrites,
            })
        });
        if grounder.add(&parsed, &[], &mut self.symbols, &mut self.diagnostics) {
            Ok(())
        } else {
            Err(Error::Parse(self.report("parsing failed")))
        }
    }

    fn parse_texts(&mut self, texts: Vec<Source>) -> ast::Program {
        let inputs = texts.into_iter().map(|s| syntax::Input { name: s.name, text: s.text }).collect();
        let parsed = syntax::parse(inputs, &mut self.symbols, &mut self.sources, &mut *self.loader);
        self.diagnostics.extend(parsed.diagnostics);
        parsed.program
    }

    /// Whether the program includes the incremental mode.
    pub fn is_incremental(&self) -> bool {
        self.incremental
    }

    /// The text of the query `q(1)?` of ASP-Core-2, if the program has one. Then its instances are all that is shown, so
    /// brave or cautious consequences are its answers.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// Grounds the base program.
    pub fn ground(&mut self) -> Result<(), Error> {
        self.ground_parts(&[("base", Vec::new())])
    }

    /// Grounds program parts with arguments for their parameters.
    pub fn ground_parts(&mut self, parts: &[(&str, Vec<Sym>)]) -> Result<(), Error> {
        self.parse()?;
        let Some(grounder) = self.grounder.as_mut() else { return Ok(()) };
        let parts: Vec<_> =
            parts.iter().map(|(name, args)| (self.symbols.intern(name), args.clone())).collect();
        self.grounded = true;
        let (symbols, program) = (&mut self.symbols, &mut self.program);
        let functions = self.functions.as_deref_mut();
        let caller = functions.map(|functions| Caller { functions, sources: &self.sources });
        match grounder.ground_with(&parts, symbols, program, &self.interrupt, &mut self.diagnostics, caller) {
            Ok(()) => Ok(()),
            Err(GroundError::Invalid) => {
                Err(Error::Ground(self.report("grounding stopped because of errors")))
            }
            Err(GroundError::Stopped(reason)) => Err(Error::Stopped(reason)),
        }
    }

    /// Lowers what is new in the ground program: aggregates in heads, recursive ones, and objectives become plain rules and
    /// sums. Solve calls would do it themselves; this way it can be told apart.
    pub fn lower(&mut self) -> Result<(), Error> {
        if self.program.is_lowered() {
            return Ok(());
        }
        lower(&mut self.program, &self.symbols).map_err(|error| {
            if let LowerError::SumOverflow { source } = error {
                let span = self.program.sources.get(source.index()).copied().unwrap_or(Span::NONE);
                self.diagnostics
                    .push(Diagnostic::error(span, "a sum in this statement does not fit 64 bits"));
            }
            Error::Overflow(Report::of(error.to_string(), &self.diagnostics, &self.sources))
        })
    }

    /// The errors so far.
    fn report(&self, summary: &str) -> Report {
        Report::of(summary, &self.diagnostics, &self.sources)
    }

    /// Translates what is new in the lowered program, for solve calls with these options. They would do it themselves; this
    /// way it can be told apart.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn translate(&mut self, options: &SolveOptions) {
        let options = self.call_options(options);
        self.session.translate(&self.program, &options);
        if self.installed != Some(self.session.generation()) {
            self.installed = Some(self.session.generation());
            for (number, make) in self.propagators.iter_mut().enumerate() {
                let (program, symbols, session) = (&self.program, &self.symbols, &self.session);
                let propagator = make(&AtomLits { program, symbols, session });
                self.session.set_propagator(number, propagator);
            }
        }
    }

    /// The options of a solve call, with what other settings say of it.
    fn call_options(&self, options: &SolveOptions) -> SolveOptions {
        let mut options = options.clone();
        options.translate.value_sets = self.settings.rewritings.has(Rewriting::ValueSets);
        options
    }

    /// A writer for the ground program, which writes what is new each time.
    pub fn ground_writer(&self, format: GroundFormat) -> GroundWriter {
        match format {
            GroundFormat::Text => GroundWriter::Text(TextWriter::default()),
            GroundFormat::Aspif => GroundWriter::Aspif(AspifWriter::new(self.incremental || self.has_steps)),
            GroundFormat::Smodels => GroundWriter::Smodels,
            GroundFormat::Reify { sccs, steps } => GroundWriter::Reify(ReifyWriter::new(ReifyOptions {
                incremental: self.incremental || self.has_steps,
                sccs,
                steps,
            })),
        }
    }

    /// Writes what is new in the ground program.
    pub fn write_ground(&mut self, writer: &mut GroundWriter, out: &mut dyn io::Write) -> Result<(), Error> {
        if !matches!(writer, GroundWriter::Text(_)) {
            self.lower()?;
        }
        let (program, symbols) = (&self.program, &self.symbols);
        let failed = |error: &dyn fmt::Display| Error::Format(error.to_string());
        match writer {
            GroundWriter::Text(writer) => writer.write(program, symbols, out).map_err(|e| failed(&e)),
            GroundWriter::Aspif(writer) => writer.write(program, symbols, out).map_err(|e| failed(&e)),
            GroundWriter::Smodels => smodels::write(program, symbols, out).map_err(|e| failed(&e)),
            GroundWriter::Reify(writer) => writer.write(program, symbols, out).map_err(|e| failed(&e)),
        }
    }

    /// Finds at most `models` answer sets (0: all) of the base program and whatever else has been grounded. The
    /// receiver says whether to go on.
    pub fn solve(
        &mut self,
        models: u64,
        mut receive: impl FnMut(&Answer<'_>) -> bool,
    ) -> Result<SolveResult, Error> {
        let mut handle = self.answers().limit(models).start()?;
        loop {
            match handle.next() {
                Ok(Some(answer)) if receive(&answer) => {}
                // The result says that it was stopped.
                Ok(_) | Err(Error::Stopped(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(handle.finish())
    }

    /// Begins a call with some options, under assumptions about atoms that the search decides on.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn start_with(
        &mut self,
        options: &SolveOptions,
        assumptions: &[Literal],
    ) -> Result<SolveHandle<'_>, Error> {
        self.take_in_named()?;
        self.lower()?;
        self.translate(options);
        let options = self.call_options(options);
        let assumptions = [assumptions, &self.program.assumptions].concat();
        let table = self.plain_table();
        let Self { session, program, interrupt, symbols, grounder, .. } = self;
        let search = if session.wants_threads(program, &options) {
            Search::Threads(Worker::start(session, program, &options, &assumptions, interrupt))
        } else {
            let solving = session.start(program, &options, &assumptions, interrupt);
            Search::Alone { program, solving: Box::new(solving) }
        };
        let mut handle = SolveHandle::new(search, symbols, grounder.as_ref(), table);
        handle.takes_clauses = options.takes_clauses;
        Ok(handle)
    }

    /// Grounds the base program, if that has not been done since something was added.
    fn ground_pending(&mut self) -> Result<(), Error> {
        if self.grounded && self.pending.is_empty() { Ok(()) } else { self.ground() }
    }

    /// What is known of the atom that a term names.
    fn known(&self, term: Sym) -> Known {
        known(term, self.as_ground())
    }

    /// What grounding has found.
    pub fn as_ground(&self) -> Ground<'_> {
        Ground { program: &self.program, symbols: &self.symbols, grounder: self.grounder.as_ref() }
    }

    /// How answer sets are written as one line each.
    fn plain_table(&self) -> AnswerTable {
        let plain = Rendering::Text { prefix: String::new(), suffix: String::new() };
        AnswerTable::new(&self.program, &self.symbols, &plain, " ", false)
    }

    /// Adds a constraint of the caller's own. `make` is called with the ground program's atoms before the first solve call
    /// and again whenever the program has grown since, and makes a propagator that replaces the one before.
    ///
    /// ```
    /// use asp::propagator::{AtomLits, Conflict, Context, Keep, Lit, Propagator, View};
    ///
    /// /// No two neighbours are chosen together.
    /// struct Apart(Vec<(Lit, Lit)>);
    ///
    /// impl Propagator for Apart {
    ///     fn attach(&mut self, context: &mut Context<'_>) {
    ///         self.0.iter().for_each(|p| [p.0, p.1].into_iter().for_each(|lit| context.watch(lit)));
    ///     }
    ///     fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
    ///         for pair in self.0.iter().filter(|p| changed.contains(&p.0) || changed.contains(&p.1)) {
    ///             context.add_nogood(&[pair.0, pair.1], Keep::Always)?;
    ///         }
    ///         Ok(())
    ///     }
    ///     fn explain(&mut self, _: View<'_>, _: Lit, _: u32, _: &mut Vec<Lit>) {}
    /// }
    ///
    /// let mut control = asp::Control::new();
    /// control.add("{ at(1..4) }.");
    /// control.add_propagator(|atoms: &AtomLits<'_>| {
    ///     let at = atoms.of("at", 1);
    ///     Box::new(Apart(at.windows(2).map(|p| (p[0].1, p[1].1)).collect()))
    /// });
    /// let found = control.solve(0, |_| true)?;
    /// assert_eq!(found.models, 8);
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn add_propagator(
        &mut self,
        make: impl FnMut(&AtomLits<'_>) -> Box<dyn Propagator> + Send + 'static,
    ) {
        self.propagators.push(Box::new(make));
        self.installed = None;
    }

    /// Of some assumptions a part that cannot hold together although every smaller part can; `None` if all of them can.
    /// The program must have been grounded.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn minimal_core(&mut self, assumptions: &[Literal]) -> Result<Option<Vec<Literal>>, Error> {
        let mut core = match self.core_of(assumptions)? {
            None => return Ok(None),
            Some(core) => core,
        };
        let mut needed = 0;
        while needed < core.len() {
            // Without the first that is not known to be needed.
            let mut rest = core.clone();
            let candidate = rest.remove(needed);
            match self.core_of(&rest)? {
                None => {
                    core.remove(needed);
                    core.insert(0, candidate);
                    needed += 1;
                }
                Some(mut smaller) => {
                    // Those known to be needed are in every core of what is left.
                    smaller.sort_by_key(|l| rest.iter().position(|r| r == l));
                    core = smaller;
                }
            }
        }
        Ok(Some(core))
    }

    /// A core of some assumptions, as the search finds it.
    fn core_of(&mut self, assumptions: &[Literal]) -> Result<Option<Vec<Literal>>, Error> {
        let options = SolveOptions {
            models: Some(1),
            opt_mode: OptMode::Ignore,
            enum_mode: EnumMode::Auto,
            projection: Projection::None,
            ..self.settings.solve.clone()
        };
        let result = self.solve_events(&options, assumptions, &mut |_, _, _| Flow::Continue)?;
        match result.stopped {
            Some(reason) if !result.satisfiable => Err(Error::Stopped(reason)),
            _ => Ok((!result.satisfiable).then_some(result.core)),
        }
    }

    /// Solves with all events and under assumptions.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn solve_events(
        &mut self,
        options: &SolveOptions,
        assumptions: &[Literal],
        receive: &mut dyn FnMut(Event<'_>, &Program, &Symbols) -> Flow,
    ) -> Result<SolveResult, Error> {
        self.lower()?;
        self.translate(options);
        let options = self.call_options(options);
        let (program, symbols) = (&self.program, &self.symbols);
        let assumptions = [assumptions, &program.assumptions].concat();
        Ok(self.session.solve(program, &options, &assumptions, &self.interrupt, &mut |event| {
            receive(event, program, symbols)
        }))
    }

    /// Whether there can be no answer set any more, as far as translation and calls have found.
    pub fn is_conflicting(&self) -> bool {
        self.session.is_conflicting()
    }

    /// Counters of the search so far.
    pub fn statistics(&mut self) -> Statistics {
        self.session.statistics()
    }

    /// The value of a constant of the program.
    pub fn constant(&mut self, name: &str) -> Option<Sym> {
        let name = self.symbols.intern(name);
        self.grounder.as_ref()?.constant(name)
    }

    /// The terms.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The terms, to make more of them.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn symbols_mut(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// The terms and the texts, to make syntax trees.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn tables_mut(&mut self) -> (&mut Symbols, &mut Sources) {
        (&mut self.symbols, &mut self.sources)
    }

    /// The texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The texts, to add one that messages point into but that is no program.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn sources_mut(&mut self) -> &mut Sources {
        &mut self.sources
    }

    /// The texts that were added and not parsed yet.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn pending(&self) -> &[Source] {
        &self.pending
    }

    /// The ground program.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The messages since the last call of this.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics)
    }

    /// Adds a message to the others.
    #[doc(hidden)] // Of the stages: see `unstable`.
    pub fn push_diagnostic(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

fn symmetry_note(span: Span) -> Diagnostic {
    let kind = WarningKind::Lint("symmetric-inequality");
    Diagnostic::info(kind, span, "this rule says the same of each pair twice")
        .caption("`<` is enough, with half of the instances")
}

/// A writer of ground programs and what it has written so far.
pub enum GroundWriter {
    /// Text.
    Text(TextWriter),
    /// aspif.
    Aspif(AspifWriter),
    /// smodels format.
    Smodels,
    /// Facts.
    Reify(ReifyWriter),
}

/// Makes a propagator for a program's atoms.
type Maker = Box<dyn FnMut(&AtomLits<'_>) -> Box<dyn Propagator> + Send>;
