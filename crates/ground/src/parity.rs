//! Where grounding follows gringo's decisions: the only place that imitates its choices.
//!
//! The definition of answer sets leaves it to the grounder which aggregates it decides and which rules it drops because facts
//! make them idle. Three things show the difference: an `#external` statement has no effect on an atom with a rule left, an
//! objective with no tuple left is not reported, and a theory atom is one only in a rule that is left. So a program with
//! external atoms, an objective or theory atoms deviates from what would be decided otherwise (tests are those of
//! `tests/language/mended.rs`, in short: *statements* is
//! `what_is_known_of_external_atoms_is_what_clingo_knows_by_statements`, *left*
//! `an_external_atom_is_one_unless_a_rule_is_left_for_it`, *zero*
//! `an_objective_that_is_always_zero_is_told_where_clingo_tells_it`):
//!
//! | deviation | item | reason | tests |
//! |---|---|---|---|
//! | components are of statements, and none waits | [`Parity::by_statements`] | what is known of an atom when a statement is reached decides which rules are left | statements |
//! | atoms before a disjunct that is a fact are possible | [`Parity::by_statements`] | gringo derives disjuncts one by one | statements |
//! | what grows on a cycle is told by unification, and under bounds of heads that cannot be met yet nothing grows | [`Parity::by_statements`], [`Known`] | gringo's cycles are of atoms that unify | statements |
//! | some facts are *weak*: open to objectives and `#external` | [`Parity::start`] | gringo leaves nested parts open that read what is not complete | zero |
//! | all of these, and ties between literals go to the last one, where [`GroundOptions::gringo_order`](super::GroundOptions::gringo_order) asks for it | [`Parity::in_order`] | who reads the ground program finds atoms and rules where gringo has them | `bindings/python/tests/compare_observers.py` |
//! | aggregates on a cycle are not decided | [`Parity::aggregate`] | gringo takes their elements for incomplete | statements, zero |
//! | a tuple under several conditions, or by several matches of what binds something, widens the range of a sum for each | [`Parity::aggregate`] | gringo adds them up before it sees that they are one | left, statements |
//! | bounds that contradict each other are looked at one by one | [`AggregatePolicy::splits`] | gringo makes an aggregate of the equation, and one of the rest | left |
//! | an atom stands for a conditional literal on a cycle, or of several instances, even if nothing is left of it | [`Parity::keeps_whole`] | clasp does not see a contradiction behind it and keeps the rule | left |
//! | the same for the body before a disjunction with conditions | [`Parity::keeps_whole`] | as above | left |
//! | heads of conditional literals on a cycle are not taken for granted | [`Parity::by_statements`] | gringo has no instance of a rule that waits for itself | left |
//! | conditions of `#external` do not wait for atoms | [`may_reserve`] | gringo looks at what stands before the statement | statements |
//! | tuples that facts contradict are dropped | [`Parity::drops_dead_tuples`] | gringo, which goes by statements, does not write them | zero |
//!
//! Invariant: without external atoms, an objective, theory atoms and that option nothing here has an effect.

use super::state::Pending;
use asp_base::index_vec::IndexVec;
use asp_base::map::Set;
use asp_base::symbol::Symbols;
use asp_rewrite::dependency::{self, Components};
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Aggregate, Atom, Head, Literal, Rule};
use asp_syntax::ast::Sign;

/// Decisions that must follow gringo's, in one grounding call.
#[derive(Debug, Default)]
pub(super) struct Parity {
    /// The predicates of `#external` atoms.
    external: Set<PredId>,
    by_statements: bool,
    minimizes: bool,
    /// Whether statements and literals come in gringo's order.
    pub(super) in_order: bool,
    /// The first component of the statement cycle around the current one, and the predicates derived on it.
    cycle: Option<(u32, Set<PredId>)>,
    /// Whether facts by the rule that runs are weak.
    pub(super) weak_facts: bool,
    /// Whether the rule that runs takes weak facts for open.
    pub(super) opens_weak_facts: bool,
}

/// How an aggregate in a body is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct AggregatePolicy {
    /// Whether tuples count once for each of their conditions in its range.
    pub(super) widens: bool,
    /// Whether an equation is decided apart from the other bounds.
    splits: bool,
    /// Whether it stays open if its bounds hold.
    pub(super) open_if_true: bool,
    /// Whether it stays open if its bounds fail.
    pub(super) open_if_false: bool,
}

impl AggregatePolicy {
    /// Whether contradictory bounds are examined one by one, given how many of them are equations.
    pub(super) fn splits(self, equations: usize) -> bool {
        self.splits && equations == 1
    }
}

/// The atoms known when a rule is instantiated.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) complete: &'a IndexVec<PredId, bool>,
    pub(super) pending: &'a Pending<'a>,
    pub(super) symbols: &'a Symbols,
}

impl Known<'_> {
    /// Whether a literal reads what may still be derived.
    fn is_open(self, l: &Literal) -> bool {
        reads_any(l, &|a| !self.complete[a.pred] && self.pending.may_derive(a.pred, &a.args, self.symbols))
    }
}

fn reads_any(l: &Literal, inside: &dyn Fn(&Atom) -> bool) -> bool {
    let mut found = false;
    dependency::read_atoms(l, &mut |a, _| found |= inside(a));
    found
}

fn has_theory_atom(rule: &Rule) -> bool {
    matches!(rule.head, Head::Theory(_)) || rule.body.iter().any(|l| matches!(l, Literal::Theory(..)))
}

impl Parity {
    /// For rules whose theory atoms may be free.
    pub(super) fn of(rules: &[Rule], frees_theory_atoms: bool, in_order: bool) -> Self {
        let external: Set<PredId> = rules.iter().filter_map(|r| r.head.external()).collect();
        let by_statements =
            in_order || !external.is_empty() || frees_theory_atoms && rules.iter().any(has_theory_atom);
        Self {
            external,
            by_statements,
            in_order,
            minimizes: rules.iter().any(|r| matches!(r.head, Head::Minimize { .. })),
            ..Self::default()
        }
    }

    /// Whether components are of statements, as gringo's, and not of predicates.
    pub(super) fn by_statements(&self) -> bool {
        self.by_statements
    }

    /// Whether tuples of the objective are dropped that facts contradict.
    pub(super) fn drops_dead_tuples(
        &self,
        rules: &[Rule],
        components: &Components,
        symbols: &Symbols,
    ) -> bool {
        self.minimizes && !self.by_statements() && dependency::sharpens(rules, components, symbols)
    }

    /// The next components lie on a cycle of statements that begins with one of them and derives these predicates, or on none.
    pub(super) fn set_cycle(&mut self, cycle: Option<(u32, &[PredId])>) {
        self.cycle = cycle.map(|(first, predicates)| (first, predicates.iter().copied().collect()));
    }

    /// A rule starts; a condition that reads a predicate without atoms leaves nothing open.
    pub(super) fn start(&mut self, rule: &Rule, known: Known<'_>, is_empty: impl Fn(PredId) -> bool) {
        self.opens_weak_facts = matches!(rule.head, Head::Minimize { .. } | Head::External(..));
        self.weak_facts = self.applies()
            && rule.body.iter().any(|l| match l {
                Literal::Aggregate(a) => self.is_open(rule, l, a, known),
                Literal::Conditional(c) => {
                    let none = |l: &Literal| {
                        matches!(l, Literal::Atom(Sign::None, a) if known.complete[a.pred] && is_empty(a.pred))
                    };
                    known.is_open(l) && !c.condition.iter().any(none)
                }
                _ => false,
            });
    }

    /// How an aggregate of a rule is decided.
    pub(super) fn aggregate(
        &self,
        rule: &Rule,
        literal: &Literal,
        aggregate: &Aggregate,
        known: Known<'_>,
    ) -> AggregatePolicy {
        let external = self.derives_external(rule);
        let policy = AggregatePolicy {
            widens: external,
            splits: external && aggregate.sign == Sign::None,
            ..AggregatePolicy::default()
        };
        if !self.applies() || !self.is_open(rule, literal, aggregate, known) {
            return policy;
        }
        // The outcome that drops the rule is left open in any case: its head is possible.
        let (open_if_true, open_if_false) = match aggregate.sign {
            Sign::None => (external, false),
            sign => (external || sign == Sign::Not, external || sign == Sign::NotNot),
        };
        AggregatePolicy { open_if_true, open_if_false, ..policy }
    }

    /// Whether an atom replaces a conditional literal as a whole, or the body before a disjunction with conditions.
    pub(super) fn keeps_whole(&self, rule: &Rule) -> bool {
        self.derives_external(rule)
    }

    fn applies(&self) -> bool {
        self.minimizes || self.by_statements()
    }

    fn derives_external(&self, rule: &Rule) -> bool {
        rule.head.derives(|a| self.external.contains(&a.pred))
    }

    /// Whether gringo leaves an aggregate open: it reads something incomplete, or is negated and reads what the cycle derives,
    /// itself or to bind its global variables.
    fn is_open(&self, rule: &Rule, l: &Literal, a: &Aggregate, known: Known<'_>) -> bool {
        let around = |l: &Literal| {
            let Some((first, predicates)) = &self.cycle else { return false };
            reads_any(l, &|a| {
                predicates.contains(&a.pred)
                    && known.pending.heads.may_derive(a.pred, &a.args, *first, known.symbols)
            })
        };
        let mut plain = rule.body.iter().filter(|l| matches!(l, Literal::Atom(..)));
        known.is_open(l) || a.sign != Sign::None && (around(l) || !a.globals.is_empty() && plain.any(around))
    }
}

/// Whether heads of conditional literals may read atoms still to be derived; not in `#external` statements, where only
/// statements before them count.
pub(super) fn may_reserve(rule: &Rule) -> bool {
    !matches!(rule.head, Head::External(..))
}
