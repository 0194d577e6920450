//! The state of grounding: atoms and facts so far, and reasons to end.
//!
//! Invariant: an atom of the ground program belongs to one row of one domain (or is reserved for one, or auxiliary); a
//! row that becomes a fact after its atom was made has a rule that says so.

use std::cell::RefCell;

use super::domain::Domain;
use super::domain::table::Row;
use super::function::{Caller, Listener};
use super::options::GroundOptions;
use super::parity::Parity;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::index_vec::IndexVec;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::Set;
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_program::journal::Rewritten;
use asp_program::{AtomId, Literal, Program, RuleSource};
use asp_rewrite::arithmetic::NoValue;
use asp_rewrite::constants::Constants;
use asp_rewrite::improve::Sizes;
use asp_rewrite::predicate::{PredId, Predicates};
use asp_rewrite::print;
use asp_rewrite::rule::{Rule, Term};
use asp_rewrite::unify::HeadPatterns;

/// Why instantiation ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// A limit or a signal.
    Stopped(StopReason),
    /// An error that is among the diagnostics.
    Failed,
    /// More instances than the rule may have, if it can be kept for the search instead.
    TooMany,
}

/// Result of a step of instantiation.
pub(super) type Flow = Result<(), Halt>;

/// Messages of a grounding call.
pub(super) struct Messages<'a> {
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// Places that have been reported, with a tuple where each is.
    pub(super) reported: &'a mut Set<(Span, Vec<Sym>)>,
    /// The names that have values.
    pub(super) constants: &'a Constants,
    /// Whether an error was reported that ends grounding.
    pub(super) failed: bool,
    /// How many terms had no value so far.
    pub(super) undefined: u64,
    /// The first constraint that is violated in any case, and the values of its variables.
    pub(super) refuted: Option<(RuleSource, String)>,
}

impl Messages<'_> {
    /// Whether a place has not been reported.
    pub(super) fn is_new(&mut self, span: Span) -> bool {
        self.reported.insert((span, Vec::new()))
    }

    /// Reports a term without a value, once per place.
    #[cold]
    pub(super) fn no_value(&mut self, why: NoValue, span: Span) -> Option<Sym> {
        self.undefined += 1;
        match why {
            NoValue::Undefined if self.is_new(span) => self.diagnostics.push(
                Diagnostic::info(WarningKind::OperationUndefined, span, "operation undefined")
                    .help("instances that need its value are dropped"),
            ),
            NoValue::Undefined => {}
            // An error even if another instance of the same operation was reported as undefined.
            NoValue::Overflow => {
                if !self.failed {
                    self.diagnostics.push(
                        Diagnostic::error(span, "integer overflow: a value does not fit 64 bits")
                            .help("bound the values by a condition, or scale them down"),
                    );
                }
                self.failed = true;
            }
        }
        None
    }

    /// Reports an overflow at a place and ends grounding.
    pub(super) fn overflow(&mut self, span: Span) -> Halt {
        self.no_value(NoValue::Overflow, span);
        Halt::Failed
    }

    /// Reports something that the language does not allow, once per place.
    #[cold]
    pub(super) fn report(&mut self, span: Span, make: impl FnOnce(Diagnostic) -> Diagnostic, text: &str) {
        if self.is_new(span) {
            self.diagnostics.push(make(Diagnostic::info(WarningKind::OperationUndefined, span, text)));
        }
    }
}

/// How far a grounding call has come.
pub(super) struct Progress<'a> {
    pub(super) interrupt: &'a Interrupt,
    /// Instances so far, those of earlier calls included.
    pub(super) instances: u64,
    /// How many instances there may be, after which a rule is kept for the search.
    pub(super) most: u64,
    /// The statement that is instantiated.
    pub(super) current: Span,
    /// How many instances it is expected to have, and why not fewer, if these are many.
    pub(super) outlook: Option<(u64, String)>,
}

/// The atoms that rules may still derive.
#[derive(Clone, Copy)]
pub(super) struct Pending<'a> {
    pub(super) heads: &'a HeadPatterns,
    /// The number of the component that is grounded.
    pub(super) component: u32,
}

impl Pending<'_> {
    /// Whether an atom with these arguments may still be derived.
    pub(super) fn may_derive(self, pred: PredId, args: &[Term], symbols: &Symbols) -> bool {
        self.heads.may_derive(pred, args, self.component, symbols)
    }
}

/// Which parts of a rule stay open, for questions.
#[derive(Clone, Copy, Default)]
pub(super) struct Opens {
    pub(super) rules: bool,
    pub(super) bounds: bool,
    /// Rules stay open, but not this one.
    pub(super) exempt: bool,
}

/// The state of one grounding call.
pub(super) struct State<'a> {
    pub(super) symbols: &'a mut Symbols,
    /// The ground program under construction.
    pub(super) program: &'a mut Program,
    pub(super) domains: &'a mut IndexVec<PredId, Domain>,
    pub(super) predicates: &'a mut Predicates,
    /// Whether a predicate's domain is final.
    pub(super) complete: IndexVec<PredId, bool>,
    pub(super) pending: Pending<'a>,
    pub(super) parity: Parity,
    pub(super) options: &'a GroundOptions,
    /// Whether atoms of the current rule stay open ([`GroundOptions::open_rules`], [`GroundOptions::open_bounds`]).
    pub(super) opens: Opens,
    pub(super) messages: Messages<'a>,
    pub(super) progress: Progress<'a>,
    /// Predicates whose rules make facts although such rules were to stay open.
    pub(super) closed: Set<PredId>,
    /// User-defined functions.
    pub(super) caller: Option<Caller<'a>>,
    pub(super) warning: RefCell<Endless<'a>>,
    /// Earlier atoms are from earlier calls.
    pub(super) first_atom: AtomId,
}

/// The warning at many instances that grounding may not end.
pub(super) struct Endless<'a> {
    /// Receives it at once; without one it is reported if the call is stopped.
    pub(super) listener: Option<Listener<'a>>,
    pub(super) untold: Vec<Diagnostic>,
    /// How many instances are many.
    pub(super) after: u64,
}

impl Endless<'_> {
    fn tell(&mut self) {
        if let Some(hear) = &mut self.listener {
            self.untold.drain(..).for_each(|message| hear(&message));
        }
    }
}

impl State<'_> {
    /// A rule as text.
    pub(super) fn print(&self, rule: &Rule) -> String {
        print::rule(rule, self.predicates, self.symbols)
    }
    /// The journal's entry for a rewriting, without numbers of instances.
    pub(super) fn rewritten(&self, name: impl Into<String>, rule: &Rule, became: Vec<String>) -> Rewritten {
        let (name, was) = (name.into(), self.print(rule));
        Rewritten { name, span: rule.span, was, became, instances: None, expected: None }
    }
    /// Polls for reasons to end.
    pub(super) fn poll(&self) -> Flow {
        self.check_failure()?;
        let Progress { interrupt, instances, .. } = self.progress;
        if instances > self.warning.borrow().after {
            self.warning.borrow_mut().tell();
        }
        if self.options.instance_limit.is_some_and(|limit| instances > limit) {
            return Err(Halt::Stopped(StopReason::StepLimit));
        }
        if instances > self.progress.most {
            return Err(Halt::TooMany);
        }
        interrupt.note_instances(instances);
        interrupt.poll().map_or(Ok(()), |r| Err(Halt::Stopped(r)))
    }

    /// Ends grounding after an error.
    #[inline]
    pub(super) fn check_failure(&self) -> Flow {
        if self.messages.failed { Err(Halt::Failed) } else { Ok(()) }
    }

    /// The ground atom of a row; made at the first call.
    pub(super) fn atom_of(&mut self, pred: PredId, row: Row, source: RuleSource) -> AtomId {
        if let Some(atom) = self.open_atom(pred, row, source) {
            return atom;
        }
        let atom = match self.signature(pred) {
            Some(s) => self.program.atoms.add(s, self.domains[pred].table().args(row)),
            None => self.program.atoms.add_aux(),
        };
        self.domains[pred].set_atom(row, atom);
        if self.domains[pred].is_fact(row) {
            self.program.rules.add(false, &[atom], &[], source);
        }
        atom
    }

    /// The ground atom of a row, if it has one, for rules of this call.
    #[inline]
    pub(super) fn open_atom(&mut self, pred: PredId, row: Row, source: RuleSource) -> Option<AtomId> {
        let atom = self.domains[pred].atom(row)?;
        Some(if self.is_closed(pred, atom) { self.reopen(pred, row, atom, source) } else { atom })
    }

    /// Whether an atom represents a projection from an earlier call, to which this call may add.
    #[inline]
    fn is_closed(&self, pred: PredId, atom: AtomId) -> bool {
        atom < self.first_atom && self.predicates[pred].projected.is_some() && !self.complete[pred]
    }

    /// A new atom for a row of a projection, which holds if the atom of earlier calls does. The rules of those calls
    /// keep the old atom with its old meaning.
    #[cold]
    fn reopen(&mut self, pred: PredId, row: Row, closed: AtomId, source: RuleSource) -> AtomId {
        let atom = self.program.atoms.add_aux();
        self.domains[pred].set_atom(row, atom);
        self.program.rules.add(false, &[atom], &[Literal::pos(closed)], source);
        atom
    }

    /// The atom for arguments that have no row yet.
    pub(super) fn reserve(&mut self, pred: PredId, args: &[Sym]) -> AtomId {
        let signature = self.signature(pred);
        let (domain, program) = (&mut self.domains[pred], &mut *self.program);
        let atom = domain.reserve(args, || match signature {
            Some(s) => program.atoms.add(s, args),
            None => program.atoms.add_aux(),
        });
        if self.is_closed(pred, atom) {
            let atom = self.program.atoms.add_aux();
            self.domains[pred].replace_reserved(args, atom);
            return atom;
        }
        atom
    }

    /// The atom table's number of a predicate's signature; none for auxiliary predicates.
    fn signature(&mut self, pred: PredId) -> Option<u32> {
        let predicate = &self.predicates[pred];
        if predicate.auxiliary {
            return None;
        }
        let atoms = &mut self.program.atoms;
        Some(*self.domains[pred].signature.get_or_insert_with(|| atoms.add_signature(predicate.signature)))
    }

    /// Makes a row a fact.
    pub(super) fn make_fact(&mut self, pred: PredId, row: Row, source: RuleSource) {
        self.domains[pred].note_weak(row, self.parity.weak_facts);
        if self.domains[pred].is_fact(row) {
            return;
        }
        self.domains[pred].set_fact(row);
        if let Some(atom) = self.domains[pred].atom(row).filter(|&atom| !self.is_closed(pred, atom)) {
            self.program.rules.add(false, &[atom], &[], source);
        }
        if self.options.keep_facts && !self.predicates[pred].auxiliary {
            let predicate = self.predicates[pred].signature;
            let facts = &mut self.program.facts;
            // Facts mostly come predicate by predicate; a signature is registered only when it changes.
            let signature = facts.add_signature(predicate);
            facts.add(signature, self.domains[pred].table().args(row));
        }
    }

    /// A new predicate with an empty domain.
    pub(super) fn add_auxiliary(&mut self, arity: usize) -> PredId {
        let signature = Signature { name: StrId::EMPTY, arity: arity as u32, negative: false };
        let pred = self.predicates.add_auxiliary(signature);
        self.domains.push(Domain::new(arity));
        self.complete.push(false);
        pred
    }
}

impl Sizes for State<'_> {
    fn is_complete(&self, pred: PredId) -> bool {
        self.complete[pred]
    }
    fn is_all_facts(&self, pred: PredId) -> bool {
        self.domains[pred].is_all_facts()
    }
    fn rows(&self, pred: PredId) -> f64 {
        f64::from(self.domains[pred].len())
    }
    fn distinct(&mut self, pred: PredId, column: usize) -> f64 {
        f64::from(self.domains[pred].distinct(column).max(1))
    }
}
