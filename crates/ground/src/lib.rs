//! Instantiation: rules over variables to a ground program, component by component, semi-naively.
//!
//! A component's rules run once over what is complete; then, round by round, each rule with a literal of the component
//! runs once for each such literal: that literal ranges over the new atoms of the last round, those before it over
//! older atoms, and those after it over both, so that no instance is made twice. Rules whose aggregates, conditional
//! literals or head conditions read the component itself (*late* rules) only derive atoms during the rounds and write
//! their instances at the end.
//!
//! The files build on each other: `domain` holds the atoms, `state` everything that is known; `compile` orders the literals of
//! a rule by the plans of `join`, whose machine runs them; `instance` handles the instances of a rule, and a `sink` says whether
//! they are written or only derive atoms; `instantiate` runs one rule, `improve` in a better form, `component` all rules in
//! rounds.
//!
//! Invariant: when a component ends, the domains of its predicates are complete: no later rule adds to them within the
//! same call. Source: Kaminski and Schaub, *On the foundations of grounding in answer set programming*, TPLP 2023;
//! Ullman, *Principles of database and knowledge-base systems*, 1988, for semi-naive evaluation.

mod beside;
mod compile;
mod component;
pub mod domain;
pub mod function;
mod improve;
mod instance;
mod instantiate;
pub mod join;
mod options;
mod output;
mod readers;
mod record;
mod review;
mod sink;
mod state;
mod values;

pub use function::Caller;
pub use options::{GroundError, GroundOptions};

use asp_base::diagnostic::{Diagnostic, Severity};
use asp_base::index_vec::{Idx as _, IndexVec};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_program::AtomId;
use asp_program::defined::{drop_dead_tuples, keep_released};
use asp_program::integers::functions::Functions;
use asp_program::journal::Journal;
use asp_program::{Program, RuleSource};
use asp_rewrite::constants::{self, Constants};
use asp_rewrite::expand::Expander;
use asp_rewrite::improve::Rewriting;
use asp_rewrite::improve::demand::Hidden;
use asp_rewrite::improve::sharing::Shared;
use asp_rewrite::lint::{columns, termination};
use asp_rewrite::meet::{self, HeadPatterns};
use asp_rewrite::predicate::{PredId, Predicates};
use asp_rewrite::rule::{Head, Rule};
use asp_rewrite::theory::Theories;
use asp_rewrite::translate::translator::{Projections, Translator};
use asp_rewrite::{dependency, lint, safety};
use asp_syntax::ast::{self, Statement, StatementKind};
use domain::Domain;
use improve::functional::Functional;
use instance::theory::TheoryTable;
use instantiate::Instantiator;
use join::machine::Machine;
use readers::Readers;
use record::Recorder;
use state::{Halt, State};

/// A program part: what follows `#program name(params).`
#[derive(Clone, Debug)]
struct Part {
    name: StrId,
    params: Vec<StrId>,
    statements: Vec<Statement>,
    facts: Vec<Sym>,
    /// Signatures of `#project p/n.`, which project on the atoms that are known when the part is grounded.
    projects: Vec<Signature>,
    /// How many statements have been searched for theory atoms without a definition.
    checked: usize,
    /// Whether it was reviewed without being grounded.
    reviewed: bool,
}

/// Grounds program parts, one call at a time, and keeps the domains between calls.
pub struct Grounder {
    options: GroundOptions,
    predicates: Predicates,
    projections: Projections,
    domains: IndexVec<PredId, Domain>,
    parts: Vec<Part>,
    constants: Constants,
    theories: Theories,
    theory: TheoryTable,
    reported: Set<Span>,
    /// Lints that were reported, by name and place.
    linted: Set<(&'static str, Span)>,
    /// Places of the first facts.
    fact_places: Vec<(Sym, Span)>,
    show_signatures: Option<Vec<Signature>>,
    /// Whether the first of them came when there were shown atoms.
    hides_late: bool,
    show_places: Vec<(Signature, Span)>,
    /// How many rows of each domain have been shown, and projected on.
    shown: IndexVec<PredId, u32>,
    projected: IndexVec<PredId, u32>,
    /// Rows of pairs `p`, `-p` that have been checked for consistency.
    consistent: Map<PredId, (u32, u32)>,
    /// The query of ASP-Core-2, if there is one.
    query: Option<(ast::Atom, Span)>,
    /// What may be defined in what could not be read.
    unread: ast::Unread,
    expander: Expander,
    kept: Functions,
    instances: u64,
    recorder: Recorder,
}

impl Grounder {
    /// A grounder without a program.
    pub fn new(options: GroundOptions) -> Self {
        Self {
            options,
            predicates: Predicates::default(),
            projections: Projections::default(),
            domains: IndexVec::new(),
            parts: Vec::new(),
            constants: Constants::default(),
            theories: Theories::default(),
            theory: TheoryTable::default(),
            reported: Set::default(),
            linted: Set::default(),
            fact_places: Vec::new(),
            show_signatures: None,
            hides_late: false,
            show_places: Vec::new(),
            shown: IndexVec::new(),
            projected: IndexVec::new(),
            consistent: Map::default(),
            query: None,
            unread: ast::Unread::default(),
            expander: Expander::hidden(),
            kept: Functions::default(),
            instances: 0,
            recorder: Recorder::default(),
        }
    }

    /// The journal so far.
    pub fn journal(&self) -> &Journal {
        &self.recorder.journal
    }

    /// Whether an atom is a fact, and its ground atom; `None` if nothing derives it so far.
    pub fn find(&self, signature: Signature, args: &[Sym]) -> Option<(bool, Option<AtomId>)> {
        let (number, row) = self.find_row(signature, args)?;
        let domain = &self.domains[PredId::from_usize(number as usize)];
        Some((domain.is_fact(row), domain.atom(row)))
    }

    /// Number of predicates.
    pub fn predicates(&self) -> u32 {
        self.domains.len() as u32
    }

    /// A predicate of the user's program, and how many of its atoms may hold; `None` for an auxiliary one.
    pub fn predicate(&self, number: u32) -> Option<(Signature, u32)> {
        let id = PredId::from_usize(number as usize);
        let predicate = (number < self.predicates()).then(|| &self.predicates[id])?;
        (!predicate.auxiliary).then(|| (predicate.signature, self.domains[id].len()))
    }

    /// An atom of a predicate: arguments, whether it is a fact, and its ground atom.
    pub fn row(&self, number: u32, row: u32) -> Option<(Signature, &[Sym], bool, Option<AtomId>)> {
        let (signature, rows) = self.predicate(number)?;
        let domain = &self.domains[PredId::from_usize(number as usize)];
        (row < rows).then(|| (signature, domain.table().args(row), domain.is_fact(row), domain.atom(row)))
    }

    /// The number of a predicate, and the row of the atom with some arguments.
    pub fn find_row(&self, signature: Signature, args: &[Sym]) -> Option<(u32, u32)> {
        let id = self.predicates.find(signature).filter(|id| id.index() < self.domains.len())?;
        Some((id.index() as u32, self.domains[id].find(args)?))
    }

    /// Makes a domain for each predicate.
    fn make_domains(&mut self) {
        while self.domains.len() < self.predicates.len() {
            let arity = self.predicates[self.domains.next_index()].signature.arity;
            self.domains.push(Domain::new(arity as usize));
        }
        while self.shown.len() < self.predicates.len() {
            self.shown.push(0);
            self.projected.push(0);
        }
    }

    /// The atoms that may hold, of all predicates with a fitting signature: arguments, and whether it is a fact.
    pub fn rows(&self, fits: impl Fn(Signature) -> bool) -> impl Iterator<Item = (Signature, &[Sym], bool)> {
        let known = self.predicates.iter().filter(move |(_, p)| !p.auxiliary && fits(p.signature));
        known.flat_map(|(id, p)| {
            let domain = &self.domains[id];
            (0..domain.len()).map(|row| (p.signature, domain.table().args(row), domain.is_fact(row)))
        })
    }

    /// Number of instances made so far.
    pub fn instances(&self) -> u64 {
        self.instances
    }

    /// The value of a constant of the program.
    pub fn constant(&self, name: StrId) -> Option<Sym> {
        self.constants.get(&name).copied()
    }

    /// The constants of the program and their values.
    pub fn constants(&self) -> impl Iterator<Item = (StrId, Sym)> {
        self.constants.iter().map(|(&name, &value)| (name, value))
    }

    /// Adds a program; nothing is grounded yet. `given` are the constants that the command line sets, as `#const`
    /// statements of the program. Errors are pushed as diagnostics; `false` if there are any.
    pub fn add(
        &mut self,
        program: &ast::Program,
        given: &[StrId],
        symbols: &mut Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let before = diagnostics.len();
        let kept = self.keep_values(program, symbols);
        let program = kept.as_ref().unwrap_or(program);
        let expanded = self.expander.program(program, symbols, diagnostics);
        let program = expanded.as_ref().unwrap_or(program);
        // Constants of earlier texts remain defined.
        let mut known: Vec<(StrId, Sym)> =
            self.constants.iter().map(|(&name, &value)| (name, value)).collect();
        known.sort_unstable();
        self.constants = constants::evaluate(program, &known, symbols, diagnostics);
        if self.parts.is_empty() && diagnostics.len() == before {
            Self::report_unknown_constants(program, given, symbols, diagnostics);
        }
        let base = symbols.intern("base");
        let mut current = self.part(base, Vec::new());
        for s in &program.statements {
            match &s.kind {
                StatementKind::Part { name, params } => {
                    for (i, (param, span)) in params.iter().enumerate() {
                        if let Some((_, first)) = params[..i].iter().find(|p| p.0 == *param) {
                            let text = format!("the parameter `{}` occurs twice", symbols.str(*param));
                            diagnostics.push(Diagnostic::error(*span, text).label(*first, "first here"));
                        }
                    }
                    current = self.part(*name, params.iter().map(|p| p.0).collect());
                }
                StatementKind::Const { .. } => {}
                StatementKind::ShowNothing => {
                    self.shown_signatures();
                }
                StatementKind::ShowSignature(r) => {
                    self.shown_signatures().push(signature(r));
                    self.show_places.push((signature(r), s.span));
                }
                StatementKind::ProjectSignature(r) => {
                    self.parts[current].projects.push(signature(r));
                }
                StatementKind::Defined(r) => {
                    let pred = self.predicates.get(signature(r));
                    self.predicates[pred].defined = true;
                }
                StatementKind::Script { language } => {
                    let language = symbols.str(*language);
                    diagnostics.push(
                        Diagnostic::error(s.span, format!("`#script ({language})` does not run here"))
                            .help("the command line runs it: `asp FILE`; for the library see `Control::set_scripts`"),
                    );
                }
                StatementKind::Theory(t) => self.theories.add(t, s.span, symbols, diagnostics),
                StatementKind::Query(atom) => self.query = Some((atom.clone(), s.span)),
                StatementKind::Include { .. } | StatementKind::IncludeBuiltin { .. } => {}
                StatementKind::Rule { .. }
                | StatementKind::Minimize { .. }
                | StatementKind::ShowTerm { .. }
                | StatementKind::ProjectAtom { .. }
                | StatementKind::External { .. }
                | StatementKind::Heuristic { .. }
                | StatementKind::Edge { .. } => self.parts[current].statements.push(s.clone()),
            }
        }
        self.unread.names.extend(&program.unread.names);
        self.unread.texts |= program.unread.texts;
        for f in &program.facts {
            let i = self.part(f.part, Vec::new());
            self.parts[i].facts.push(f.atom);
            if self.fact_places.len() < columns::MAX_FACTS {
                self.fact_places.push((f.atom, f.span));
            }
        }
        !diagnostics[before..].iter().any(|d| d.severity == Severity::Error)
    }

    /// The signatures of `#show p/n.`, of which there is one now.
    fn shown_signatures(&mut self) -> &mut Vec<Signature> {
        self.hides_late |= self.show_signatures.is_none() && self.shown.iter().any(|&rows| rows > 0);
        self.show_signatures.get_or_insert_default()
    }

    /// Whether the first `#show p/n` came when there were shown atoms, which it may hide.
    pub fn hides_late(&self) -> bool {
        self.hides_late
    }

    /// Whether atoms of a predicate are shown.
    pub fn shows(&self, signature: Signature) -> bool {
        self.show_signatures.as_ref().is_none_or(|shown| shown.contains(&signature))
    }

    /// The predicates whose atoms are left out unless a rule of this call reads them.
    fn hidden(&self, rules: &[Rule], facts: &[(PredId, Sym)]) -> Hidden {
        let (options, shown) = (&self.options, &self.show_signatures);
        let (true, Some(shown)) = (
            options.answers_only && options.rewritings.has(Rewriting::Demand) && self.query.is_none(),
            shown,
        ) else {
            return Hidden::default();
        };
        let projected = |signature| self.parts.iter().any(|part| part.projects.contains(&signature));
        let facts: Set<PredId> = facts.iter().map(|f| f.0).collect();
        Hidden::of(rules, self.predicates.len(), |p| {
            let signature = self.predicates[p].signature;
            let opposite = Signature { negative: !signature.negative, ..signature };
            self.predicates[p].auxiliary
                || self.domains[p].len() > 0
                || self.predicates.find(opposite).is_some()
                || shown.contains(&signature)
                || projected(signature)
                || facts.contains(&p)
        })
    }

    /// The query of ASP-Core-2, if the program has one.
    pub fn query(&self) -> Option<&ast::Atom> {
        self.query.as_ref().map(|q| &q.0)
    }

    fn part(&mut self, name: StrId, params: Vec<StrId>) -> usize {
        let found = self.parts.iter().position(|p| p.name == name && p.params.len() == params.len());
        if let Some(i) = found {
            if self.parts[i].params == params {
                return i;
            }
        }
        self.parts.push(Part {
            name,
            params,
            statements: Vec::new(),
            facts: Vec::new(),
            projects: Vec::new(),
            checked: 0,
            reviewed: false,
        });
        self.parts.len() - 1
    }

    /// Grounds parts with their arguments into `program`, after what it already contains.
    pub fn ground(
        &mut self,
        parts: &[(StrId, Vec<Sym>)],
        symbols: &mut Symbols,
        program: &mut Program,
        interrupt: &Interrupt,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(), GroundError> {
        self.ground_with(parts, symbols, program, interrupt, diagnostics, None)
    }

    /// [`ground`](Self::ground) with user-defined functions.
    pub fn ground_with(
        &mut self,
        parts: &[(StrId, Vec<Sym>)],
        symbols: &mut Symbols,
        program: &mut Program,
        interrupt: &Interrupt,
        diagnostics: &mut Vec<Diagnostic>,
        caller: Option<Caller<'_>>,
    ) -> Result<(), GroundError> {
        let before = diagnostics.len();
        let statements = self.parts.iter().flat_map(|p| &p.statements[p.checked..]);
        self.theories.add_integers(statements.flat_map(Statement::theory_atoms), symbols);
        program.theory.integers = self.theories.integers;
        program.integers.functions = self.kept.clone();
        if !self.options.review {
            self.check_theory_atoms(parts, symbols, diagnostics);
        }
        self.projections.begin();
        let mut rules = Vec::new();
        let mut facts: Vec<Sym> = Vec::new();
        let mut projects: Vec<Signature> = Vec::new();
        for (name, args) in parts {
            for part in self.parts.iter().filter(|p| p.name == *name && p.params.len() == args.len()) {
                let mut values = self.constants.clone();
                values.extend(part.params.iter().copied().zip(args.iter().copied()));
                let (predicates, projections) = (&mut self.predicates, &mut self.projections);
                let mut translator =
                    Translator::new(symbols, predicates, &values, &self.theories, projections, diagnostics);
                for s in &part.statements {
                    let source = RuleSource(program.sources.len() as u32);
                    program.sources.push(s.span);
                    translator.statement(s, source);
                }
                rules.append(&mut translator.rules);
                projects.extend_from_slice(&part.projects);
                if values.is_empty() {
                    facts.extend_from_slice(&part.facts);
                } else {
                    for &f in &part.facts {
                        facts.extend(replace_in_atom(f, &values, symbols));
                    }
                }
            }
        }
        if self.options.review {
            self.review_other_parts(parts, symbols, diagnostics);
        }
        rules.retain_mut(|r| safety::check(r, symbols, diagnostics));
        let fatal = |ds: &[Diagnostic]| ds.iter().any(|d| d.severity == Severity::Error);
        // Under review, the errors of parsing count, too: what was read of the program is not all of it.
        let invalid = fatal(if self.options.review { diagnostics } else { &diagnostics[before..] });
        if invalid && !self.options.review {
            return Err(GroundError::Invalid);
        }
        let fact_rows: Vec<(PredId, Sym)> = facts
            .iter()
            .filter_map(|&f| match symbols.view(f) {
                SymView::Fun { name, args, negative } => {
                    let signature = Signature { name, arity: args.len() as u32, negative };
                    let pred = self.predicates.get(signature);
                    self.predicates[pred].defined = true;
                    Some((pred, f))
                }
                _ => None,
            })
            .collect();
        self.report_undefined(symbols, diagnostics);
        self.make_domains();
        if self.options.rewritings.has(Rewriting::Denial) {
            let domains = &self.domains;
            let has_atoms = |p: PredId| domains[p].len() > 0 || fact_rows.iter().any(|f| f.0 == p);
            let journal = self.options.explain.then_some(&mut self.recorder.journal);
            improve::deny(&mut rules, has_atoms, &self.predicates, symbols, journal);
        }
        let components = dependency::order(&rules, self.predicates.len());
        lint::check(&rules, &self.predicates, symbols, &mut self.linted, diagnostics);
        let (facts, places) = (&fact_rows, &self.fact_places);
        columns::check(&rules, facts, places, &self.predicates, symbols, &mut self.linted, diagnostics);
        termination::endless(&rules, &components, symbols, &mut self.linted, diagnostics);
        self.report_unmatched_shows(symbols, diagnostics);
        self.report_shown_constants(symbols, diagnostics);
        if invalid {
            return Err(GroundError::Invalid);
        }
        let start = std::time::Instant::now();
        let first_atom = program.atoms.len() as u32;
        let first_external = program.externals.len();
        let first_tuple = program.minimize.len();
        let external: Set<PredId> = rules
            .iter()
            .filter_map(|r| if let Head::External(a, _) = &r.head { Some(a.pred) } else { None })
            .collect();
        let minimizes = rules.iter().any(|r| matches!(r.head, Head::Minimize { .. }));
        let watches = minimizes || !external.is_empty();
        let sharpens = minimizes && external.is_empty() && dependency::sharpens(&rules, &components);
        let (components, heads) = if !external.is_empty() {
            let components = dependency::order_statements(&rules, self.predicates.len());
            let numbered = components.rules.iter().zip(0..);
            let heads = numbered.flat_map(|(own, c)| own.iter().map(move |&r| (r, c)));
            let heads = HeadPatterns::of(heads.map(|(r, c)| (&rules[r as usize], c)));
            (components, heads)
        } else {
            (components, HeadPatterns::of(rules.iter().map(|r| (r, meet::ANY))))
        };
        let readers = Readers::new(&rules, self.hidden(&rules, &fact_rows));
        let mut state = State {
            heads: &heads,
            external,
            weakly: false,
            component: 0,
            cycle: Set::default(),
            minimizes: watches,
            complete: IndexVec::from_elem(false, self.domains.len()),
            symbols,
            program,
            domains: &mut self.domains,
            predicates: &mut self.predicates,
            options: &self.options,
            interrupt,
            diagnostics,
            reported: &mut self.reported,
            failed: false,
            undefined: 0,
            instances: self.instances,
            current: Span::NONE,
            first_atom: AtomId(first_atom),
            caller,
        };
        state.add_facts(&fact_rows);
        let mut run = Instantiator {
            machine: Machine::new(state),
            theory: &mut self.theory,
            recorder: &mut self.recorder,
            shared: Shared::default(),
            functional: Functional::default(),
            readers,
        };
        let result = component::run_all(&mut run, &rules, &components);
        let result = result.and_then(|()| {
            let state = &mut run.machine.state;
            run.theory.drop_unused(state.program);
            state.write_consistency(&mut self.consistent);
            state.write_shows(self.show_signatures.as_deref(), &mut self.shown);
            state.write_projection(&projects, &mut self.projected);
            keep_released(state.program, first_external);
            if sharpens {
                drop_dead_tuples(state.program, first_tuple);
            }
            state.poll()
        });
        self.instances = run.machine.state.instances;
        let current = run.machine.state.current;
        self.recorder.journal.nanoseconds += start.elapsed().as_nanos() as u64;
        match result {
            Ok(()) if fatal(&diagnostics[before..]) => Err(GroundError::Invalid),
            Ok(()) => Ok(()),
            Err(Halt::Failed) => Err(GroundError::Invalid),
            Err(Halt::Stopped(reason)) => {
                if reason == StopReason::MemoryLimit && !current.is_none() {
                    let message = format!("grounding was stopped after {} instances", self.instances);
                    diagnostics
                        .push(Diagnostic::remark(message).label(current, "this was being instantiated"));
                }
                Err(GroundError::Stopped(reason))
            }
        }
    }
}

fn signature(r: &ast::SignatureRef) -> Signature {
    Signature { name: r.name, arity: r.arity, negative: r.negative }
}

/// Replaces constants in the arguments of a fact; `None` if one of them has no value. A predicate's own name is never
/// replaced.
fn replace_in_atom(f: Sym, values: &Constants, symbols: &mut Symbols) -> Option<Sym> {
    let SymView::Fun { name, args, negative } = symbols.view(f) else { return Some(f) };
    let args: Vec<Sym> = args.to_vec();
    let replaced: Vec<Sym> =
        args.iter().map(|&a| constants::replace(a, values, symbols)).collect::<Option<_>>()?;
    Some(if args == replaced { f } else { symbols.fun(name, &replaced, negative) })
}

#[cfg(test)]
mod tests;
