//! A program opened for questions: grounded with its facts relaxed, and each ground rule traced to its statement. Beside it: what
//! else may be given up (`relax`), the program as formulas (`items`), and minimal sets of assumptions (`cores`).
//!
//! Invariant: under the assumptions for all given atoms, its answer sets are those of the program.

pub(crate) mod cores;
pub(crate) mod formula;
pub(crate) mod items;
pub(crate) mod relax;
pub mod relaxed_facts;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{atom, optimal};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::{Map, Set};
use asp_base::span::{Sources, Span};
use asp_base::symbol::{StrId, Symbols};
use asp_control::{Control, Error, Report, Source};
use asp_picture::Saying;
use asp_program::rule::Head;
use asp_program::{AtomId, Literal, Program, RuleSource, lower::lower};
use asp_solve::session::Session;
use asp_solve::{Event, Flow, OptMode, SolveOptions};
use asp_syntax::ast::{HeadKind, LiteralKind, Statement, StatementKind};
use items::Items;
use relaxed_facts::{Caution, Shown, Which};

/// The number of instances above which fewer facts are relaxed.
const INSTANCE_LIMIT: u64 = 1_000_000;
/// The number of instances above which facts in assigned sums are not relaxed.
const SUMS_LIMIT: u64 = 100_000;

/// The name of the text that asks for a value.
const QUESTION: &str = "<question>";

/// The kind of a statement, as explanations name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Fact,
    /// `a :- B.`
    Rule,
    /// `:- B.`
    Constraint,
    /// `{ ... } = 1 :- B.`, or an aggregate with bounds.
    Choice,
    /// `X < Y :- B.`
    Comparison,
    /// `a ; b :- B.`
    Disjunction,
    /// `#edge (a,b) : B.`
    Edge,
    /// Anything else.
    Other,
}

/// A program opened for questions.
pub struct Inquiry {
    /// The grounded program, not lowered.
    pub control: Control,
    /// Relaxed facts: the atom and the place of the fact.
    pub facts: Vec<(AtomId, Span)>,
    /// Which facts could not be relaxed.
    pub caution: Caution,
    /// The shown terms that rules now derive.
    pub shown: Shown,
    /// Atoms in a reader's words, where they have such.
    pub sayings: Map<AtomId, Saying>,
    /// Where the tuples stand that atoms of objectives stand for.
    pub(crate) tuples: Map<AtomId, Span>,
    /// Priority and cost of each level if only the optimal answer sets are left.
    pub optimum: Vec<(i64, i64)>,
    /// The number of rules before those that leave the optimal answer sets.
    pub(crate) written: usize,
    /// The predicates, in order of their names' numbers, whose facts could not be relaxed since they decide which rules
    /// external atoms have.
    held: Vec<StrId>,
    /// Whether constraints over integers can be given up.
    opens_integers: bool,
    statements: Map<Span, Statement>,
    items: OnceCell<Items>,
}

/// What opening a program finds in its texts.
#[derive(Default)]
struct Seen {
    freed: Vec<Span>,
    statements: Map<Span, Statement>,
    /// The predicates that decide about external atoms, and those of them with facts.
    deciding: Set<StrId>,
    held: BTreeSet<StrId>,
}

impl Inquiry {
    /// Opens a program. `make` returns an empty control with the right loader and interrupt, `ground` grounds what the
    /// questions are about.
    pub fn open(
        texts: &[Source],
        make: &dyn Fn() -> Control,
        ground: &dyn Fn(&mut Control) -> Result<(), Error>,
        which: &Which,
    ) -> Result<Inquiry, Box<(Error, Control)>> {
        match Self::open_as(texts, make, ground, which, &Set::default()) {
            // Without constraints that cannot be given up, variables may have too many values.
            Err(failure) if which.integers && !matches!(failure.0, Error::Stopped(_)) => Self::open_as(
                texts,
                make,
                ground,
                &Which { integers: false, ..which.clone() },
                &Set::default(),
            ),
            opened => opened,
        }
    }

    /// `deciding` are the predicates that decide about external atoms: their facts stay as they are.
    fn open_as(
        texts: &[Source],
        make: &dyn Fn() -> Control,
        ground: &dyn Fn(&mut Control) -> Result<(), Error>,
        which: &Which,
        deciding: &Set<StrId>,
    ) -> Result<Inquiry, Box<(Error, Control)>> {
        for caution in [Caution::Bounds, Caution::Sums, Caution::Negation, Caution::All] {
            if caution == Caution::Bounds && !which.sums {
                continue;
            }
            let mut control = make();
            control.settings.ground.keep_facts = true;
            control.settings.integers.tell_values();
            control.settings.integers.open = which.integers;
            control.settings.ground.open_rules = which.rules;
            control.settings.ground.open_bounds = true;
            // Rewritings with predicates of their own would lead to instances that nobody wrote; these names are known.
            let foreign = "no-denial,no-sharing,no-projection,no-decomposition";
            let _ = control.settings.ground.rewritings.obey(foreign);
            control.settings.ground.instance_limit = match caution {
                Caution::Bounds => Some(SUMS_LIMIT),
                Caution::Sums | Caution::Negation => Some(INSTANCE_LIMIT),
                // With rules open, too, recursion that facts end may not.
                Caution::All => which.rules.then_some(INSTANCE_LIMIT),
            };
            texts.iter().for_each(|t| control.add_source(t.clone()));
            if let Some((name, relation, value)) = which.value.as_deref().and_then(atom::claim) {
                let rule = format!("{} :- &sum {{ {name} }} {relation} {value}.", relaxed_facts::ASKED);
                control.add_source(Source::new(QUESTION, rule));
            }
            let (asked, seen) = (which.clone(), Arc::new(Mutex::new(Seen::default())));
            let (kept, held) = (seen.clone(), deciding.clone());
            control.set_edit(Box::new(move |program, symbols, sources| {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let statements = program.statements.iter().map(|s| (s.span, s.clone()));
                kept.statements.extend(statements.collect::<Vec<_>>());
                kept.deciding.extend(relaxed_facts::deciding(program));
                relaxed_facts::derive_shown(program, symbols, &asked.shown);
                let relaxed = relaxed_facts::relax(program, symbols, sources, (&asked, caution), &held);
                kept.freed.extend(relaxed.freed);
                kept.held.extend(relaxed.deciding);
            }));
            let grounded = ground(&mut control).and_then(|()| control.lower_integers());
            let seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
            if deciding.is_empty() && !seen.deciding.is_empty() {
                return Self::open_as(texts, make, ground, which, &seen.deciding);
            }
            match grounded {
                Ok(()) => {}
                Err(Error::Stopped(StopReason::StepLimit)) => continue,
                Err(error) => return Err(Box::new((error, control))),
            }
            let mut inquiry = Inquiry {
                control,
                facts: Vec::new(),
                caution,
                shown: which.shown.clone(),
                sayings: Map::default(),
                tuples: Map::default(),
                optimum: which.optimum.clone(),
                written: 0,
                opens_integers: which.integers,
                held: seen.held.into_iter().collect(),
                statements: seen.statements,
                items: OnceCell::new(),
            };
            inquiry.facts = inquiry.find_facts(&seen.freed.into_iter().collect());
            return match optimal::keep(&mut inquiry) {
                Ok(()) => Ok(inquiry),
                Err(error) => Err(Box::new((error, inquiry.control))),
            };
        }
        Err(Box::new((Error::Stopped(StopReason::StepLimit), make())))
    }

    fn find_facts(&self, freed: &Set<Span>) -> Vec<(AtomId, Span)> {
        let program = self.program();
        let is_free = |source: RuleSource| Some(self.span(source)).filter(|s| freed.contains(s));
        let mut facts: Vec<(AtomId, Span)> = Vec::new();
        for rule in program.rules.iter() {
            if let (Head::Choice(atoms), Some(span)) = (rule.head, is_free(rule.source)) {
                facts.extend(atoms.iter().map(|&a| (a, span)));
            }
        }
        for rule in &program.head_aggregates {
            if let Some(span) = is_free(rule.source) {
                facts.extend(rule.elements.iter().filter_map(|e| Some((e.atom?, span))));
            }
        }
        facts.sort_unstable();
        facts.dedup();
        facts
    }

    /// An error, which tells what is known, where constraints over integers cannot be given up: variables in products would have
    /// too many values.
    pub(crate) fn check_integers(&self, known: &str) -> Result<(), Error> {
        if !self.program().theory.integers || self.opens_integers {
            return Ok(());
        }
        let why = "without any one of them a variable in a product may have too many values";
        Err(Error::Format(format!(
            "{known}; which constraints over integers are to blame cannot be told: {why}"
        )))
    }

    /// What its replies leave out, if anything: facts and rules that are needed as they are.
    pub fn caveat(&self) -> Option<String> {
        let closed = self.control.journal().map(|journal| journal.closed.iter().map(|s| s.name));
        let mut closed: Vec<StrId> = closed.into_iter().flatten().collect();
        closed.sort_unstable();
        closed.dedup();
        let of = |what: &str, names: &[StrId]| {
            let names: Vec<String> = names.iter().map(|&n| format!("`{}`", self.symbols().str(n))).collect();
            (!names.is_empty()).then(|| format!("{what} of {}", names.join(", ")))
        };
        let all: Vec<String> =
            [of("facts", &self.held), of("rules", &closed)].into_iter().flatten().collect();
        let why = "they decide which rules external atoms have";
        (!all.is_empty()).then(|| format!("{} stay as they are and are not named: {why}", all.join(" and ")))
    }

    /// The ground program, structured.
    pub fn program(&self) -> &Program {
        self.control.program()
    }
    pub fn symbols(&self) -> &Symbols {
        self.control.symbols()
    }
    pub fn sources(&self) -> &Sources {
        self.control.sources()
    }
    /// The place of a source statement.
    pub(crate) fn span(&self, source: RuleSource) -> Span {
        self.program().sources.get(source.0 as usize).copied().unwrap_or(Span::NONE)
    }
    /// The statement at a place.
    pub(crate) fn statement(&self, span: Span) -> Option<&Statement> {
        self.statements.get(&span)
    }
    /// All statements but plain facts, in the order of their places.
    pub(crate) fn statements(&self) -> Vec<&Statement> {
        let mut statements: Vec<&Statement> = self.statements.values().collect();
        statements.sort_unstable_by_key(|s| s.span);
        statements
    }
    /// Whether a question added the statement at a place.
    pub(crate) fn is_question(&self, span: Span) -> bool {
        self.sources().file_of(span).is_some_and(|file| file.name == QUESTION)
    }
    /// The kind of the statement at a place.
    pub fn kind(&self, span: Span) -> Kind {
        let Some(statement) = self.statements.get(&span) else {
            return if span.is_none() { Kind::Other } else { Kind::Fact };
        };
        let StatementKind::Rule { head, body } = &statement.kind else {
            let edge = matches!(statement.kind, StatementKind::Edge { .. });
            return if edge { Kind::Edge } else { Kind::Other };
        };
        match &head.kind {
            HeadKind::Literal(l) => match &l.kind {
                LiteralKind::Comparison(..) => Kind::Comparison,
                LiteralKind::Atom(_) if l.sign == asp_syntax::ast::Sign::None => {
                    if body.is_empty() {
                        Kind::Fact
                    } else {
                        Kind::Rule
                    }
                }
                _ => Kind::Constraint,
            },
            HeadKind::Choice { .. } | HeadKind::Aggregate { .. } => Kind::Choice,
            HeadKind::Disjunction(_) => Kind::Disjunction,
            HeadKind::Global(_) => Kind::Constraint,
            HeadKind::Theory(_) if self.program().theory.integers => Kind::Constraint,
            HeadKind::Theory(_) => Kind::Other,
        }
    }

    /// Names (with the sign of classical negation) and arities of predicates in heads and of shown terms, with the
    /// places of their statements.
    pub(crate) fn heads(&self) -> Vec<(String, usize, Span)> {
        let name = |n| self.symbols().str(n).to_string();
        let signed = |name: String, negative: bool| if negative { format!("-{name}") } else { name };
        let mut heads: Vec<(String, usize, Span)> = Vec::new();
        for (&span, s) in &self.statements {
            if let StatementKind::ShowTerm { term, .. } = &s.kind {
                let (negative, own, args) = relaxed_facts::shown(term);
                let own = signed(name(own), negative);
                heads.extend(args.iter().map(|args| (own.clone(), args.len(), span)));
            }
            let StatementKind::Rule { head, .. } = &s.kind else { continue };
            relaxed_facts::head_atoms(head, &mut |atom| {
                let own = signed(name(atom.name), atom.negative);
                heads.extend(atom.args.iter().map(|args| (own.clone(), args.len(), span)));
            });
        }
        for &(atom, span) in &self.facts {
            let known = self.program().atoms.get(atom);
            heads.extend(known.map(|(s, _)| (signed(name(s.name), s.negative), s.arity as usize, span)));
        }
        for s in self.program().facts.signatures() {
            heads.push((signed(name(s.name), s.negative), s.arity as usize, Span::NONE));
        }
        heads.sort_unstable();
        heads.dedup();
        heads
    }

    /// Whether a statement is part of an objective, whether or not one of its tuples can count.
    pub fn has_objective(&self) -> bool {
        self.statements.values().any(|s| matches!(s.kind, StatementKind::Minimize { .. }))
    }

    /// Whether a statement shows terms that are no functions by their form.
    pub fn shows_other_terms(&self) -> bool {
        self.heads().iter().any(|(name, ..)| name.is_empty())
    }

    /// The atoms of relaxed facts.
    pub(crate) fn given(&self) -> Set<AtomId> {
        self.facts.iter().map(|f| f.0).collect()
    }
    /// The assumptions under which the program has its original meaning.
    pub fn assumptions(&self) -> Vec<Literal> {
        let mut literals: Vec<Literal> = self.facts.iter().map(|f| Literal::pos(f.0)).collect();
        literals.dedup();
        literals
    }
    /// Its items, computed at the first call.
    pub(crate) fn items(&self) -> &Items {
        self.items.get_or_init(|| items::items(self.program(), self.symbols(), &self.given()))
    }
    /// A solver for it.
    pub fn oracle(&self) -> Result<Oracle, Error> {
        Oracle::new(self.program().clone(), self.symbols(), self.control.interrupt())
    }
}

/// The answer to a question to the solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// An answer set, as truth by atom.
    Found(Vec<bool>),
    /// There is none: these assumptions cannot hold together.
    None(Vec<Literal>),
    /// A limit or a signal came first.
    Stopped(StopReason),
}

/// A solver for a fixed ground program that is asked under assumptions.
pub struct Oracle {
    program: Program,
    session: Session,
    interrupt: Interrupt,
    /// Number of calls so far.
    pub calls: u64,
}

impl Oracle {
    /// A solver for a structured program; `#show` and objectives are ignored.
    pub(crate) fn new(mut program: Program, symbols: &Symbols, interrupt: Interrupt) -> Result<Self, Error> {
        program.shows.clear();
        program.minimize.clear();
        program.objectives.clear();
        lower(&mut program, symbols).map_err(|error| Error::Overflow(Report::told(&error.to_string())))?;
        let session = Session::new();
        Ok(Self { program, session, interrupt, calls: 0 })
    }

    /// Conflicts of the search so far.
    pub(crate) fn conflicts(&mut self) -> u64 {
        self.session.statistics().search.conflicts
    }

    /// Searches for an answer set in which the assumptions hold.
    pub fn ask(&mut self, assumptions: &[Literal]) -> Verdict {
        self.ask_within(assumptions, None)
    }

    /// The same with a limit on conflicts, if any.
    pub(crate) fn ask_within(&mut self, assumptions: &[Literal], conflicts: Option<u64>) -> Verdict {
        self.calls += 1;
        let mut found = None;
        let atoms = self.program.atoms.len();
        let result = self.session.solve(
            &self.program,
            &options(conflicts),
            assumptions,
            &self.interrupt,
            &mut |event| {
                if let Event::Model(model) = event {
                    found = Some((0..atoms).map(|a| model.contains(AtomId(a as u32))).collect());
                }
                Flow::Continue
            },
        );
        match (found, result.stopped) {
            (Some(model), _) => Verdict::Found(model),
            (None, None) if result.exhausted => Verdict::None(result.core),
            (None, reason) => Verdict::Stopped(reason.unwrap_or(StopReason::StepLimit)),
        }
    }
}

fn options(conflicts: Option<u64>) -> SolveOptions {
    SolveOptions {
        models: Some(1),
        opt_mode: OptMode::Ignore,
        conflict_limit: conflicts,
        ..SolveOptions::default()
    }
}
