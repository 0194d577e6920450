//! The readers of hidden predicates, and the arguments that they bind.
//!
//! Invariant: the arguments that a predicate's readers bind are found once, before the first of its rules runs that asks for
//! them.

use super::decisive::Decisive;
use super::state::State;
use asp_base::map::Map;
use asp_base::symbol::Symbols;
use asp_rewrite::improve::demand::{Demand, Hidden};
use asp_rewrite::improve::{Rewriting, equations, outlook, sums, unfolding};
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Head, Literal, Rule};
use asp_syntax::ast::Sign;

/// The predicates that are read and not shown.
pub(super) struct Readers<'a> {
    /// The rules of this call.
    pub(super) rules: &'a [Rule],
    /// Which predicates they are; none if the rewriting is switched off.
    pub(super) hidden: Hidden,
    /// The demand of their readers, with its predicate, once it is known.
    pub(super) known: Map<PredId, Option<(Demand, Option<PredId>)>>,
    /// Whether a predicate's readers have the bodies of its rules instead, once that is known.
    pub(super) unfolded: Map<PredId, bool>,
    /// Whether the rules have an objective. Which of its levels are reported depends on which atoms are possible and certain, so
    /// rules with heads then keep exactly gringo's instances.
    pub(super) have_objective: bool,
    /// On which predicates it depends what is external.
    decisive: &'a Decisive,
}

impl<'a> Readers<'a> {
    /// For the rules of a call.
    pub(super) fn new(rules: &'a [Rule], hidden: Hidden, decisive: &'a Decisive) -> Self {
        let have_objective = rules.iter().any(|r| matches!(r.head, Head::Minimize { .. }));
        Self { rules, hidden, known: Map::default(), unfolded: Map::default(), have_objective, decisive }
    }

    /// See [`Hidden::may_wait`].
    pub(super) fn may_wait(&self, rules: &[&Rule], state: &mut State<'_>) -> bool {
        !rules.is_empty() && rules.iter().all(|r| self.hidden.may_wait(r, state) || self.may_unfold(r, state))
    }

    /// Whether a rule waits for the constraints that read its head, into which its body may be unfolded.
    fn may_unfold(&self, rule: &Rule, state: &mut State<'_>) -> bool {
        let Head::Atom(head) = &rule.head else { return false };
        state.options.rewritings.has(Rewriting::Unfolding)
            && self.hidden.constraints(head.pred, self.rules).is_some()
            && (state.options.rewritings.is_eager()
                || sums::count(&rule.body) > 0
                || outlook::work(rule, state) >= unfolding::MIN_SAVED)
    }

    /// See [`Decisive::keeps_instances`].
    pub(super) fn keeps_instances(&self, rule: &Rule) -> bool {
        self.decisive.keeps_instances(rule)
    }

    /// Whether a rule must not be cut: the parts, with an atom in one and its negation in another, would hide that a body never
    /// holds, and the rule's instances determine which atoms are external.
    pub(super) fn keeps_whole(&self, rule: &Rule) -> bool {
        let preds = |negated: bool| {
            let fits =
                move |l: &&Literal| matches!(l, Literal::Atom(sign, _) if (*sign == Sign::Not) == negated);
            rule.body
                .iter()
                .filter(fits)
                .filter_map(|l| if let Literal::Atom(_, a) = l { Some(a.pred) } else { None })
        };
        self.keeps_instances(rule) && preds(true).any(|p| preds(false).any(|q| p == q))
    }

    /// See [`equations::splits`].
    pub(super) fn splits(&self, rule: &Rule, symbols: &Symbols) -> Option<(usize, usize)> {
        equations::splits(rule, self.rules, symbols)
    }
}
