//! Predicates that are not shown: which rules read them, and which arguments these bind.
//!
//! Invariant: what the readers of a predicate bind is found once, when the first of its rules that asks is about to run.

use std::cell::OnceCell;

use super::state::State;
use asp_base::map::{Map, Set};
use asp_rewrite::dependency;
use asp_rewrite::improve::demand::{Demand, Hidden};
use asp_rewrite::improve::{Rewriting, equations, outlook, sums, unfolding};
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Head, Rule};

/// What is known of the predicates that are read and not shown.
pub(super) struct Readers<'a> {
    /// The rules of this call.
    pub(super) rules: &'a [Rule],
    /// Which predicates they are; none if the rewriting is switched off.
    pub(super) hidden: Hidden,
    /// What their readers bind, with the predicate that has it, once it is known.
    pub(super) known: Map<PredId, Option<(Demand, Option<PredId>)>>,
    /// Whether their readers have the bodies of their rules in their place, once that is known.
    pub(super) unfolded: Map<PredId, bool>,
    /// On which predicates it depends what is external, once that is known.
    decisive: OnceCell<Set<PredId>>,
}

/// What some rules derive and read, directly or through others.
fn below(rules: &[Rule], top: impl Fn(&Rule) -> bool) -> Set<PredId> {
    let mut found: Set<PredId> = Set::default();
    let mut is_in = vec![false; rules.len()];
    loop {
        let before = found.len();
        for (rule, is_in) in rules.iter().zip(&mut is_in).filter(|(_, is_in)| !**is_in) {
            let mut derives = top(rule);
            rule.head.for_each_atom(&mut |a| derives |= found.contains(&a.pred));
            if derives {
                *is_in = true;
                rule.head.for_each_atom(&mut |a| {
                    found.insert(a.pred);
                });
                dependency::rule_reads(rule, &mut |pred, _| {
                    found.insert(pred);
                });
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

impl<'a> Readers<'a> {
    /// For the rules of a call.
    pub(super) fn new(rules: &'a [Rule], hidden: Hidden) -> Self {
        Self { rules, hidden, known: Map::default(), unfolded: Map::default(), decisive: OnceCell::new() }
    }

    /// See [`Hidden::may_wait`].
    pub(super) fn may_wait(&self, rules: &[&Rule], state: &mut State<'_>) -> bool {
        !rules.is_empty() && rules.iter().all(|r| self.hidden.may_wait(r, state) || self.may_unfold(r, state))
    }

    /// Whether a rule waits for the constraints that read its head, into which its body may go.
    fn may_unfold(&self, rule: &Rule, state: &mut State<'_>) -> bool {
        let Head::Atom(head) = &rule.head else { return false };
        state.options.rewritings.has(Rewriting::Unfolding)
            && self.hidden.constraints(head.pred, self.rules).is_some()
            && (state.options.rewritings.is_eager()
                || sums::count(&rule.body) > 0
                || outlook::work(rule, state) >= unfolding::MIN_SAVED)
    }

    /// Whether the rules have an objective. Which of its levels are reported depends on which atoms are possible and
    /// which are certain, so rules with heads then keep to what gringo finds.
    pub(super) fn has_objective(&self) -> bool {
        self.rules.iter().any(|r| matches!(r.head, Head::Minimize { .. }))
    }

    /// Whether it depends on the instances of a rule which atoms are external: it then keeps to the instances that gringo finds,
    /// also those whose bodies never hold.
    pub(super) fn keeps_instances(&self, rule: &Rule) -> bool {
        let decisive =
            self.decisive.get_or_init(|| below(self.rules, |r| matches!(r.head, Head::External(..))));
        let mut keeps = false;
        rule.head.for_each_atom(&mut |a| keeps |= decisive.contains(&a.pred));
        keeps
    }

    /// See [`equations::splits`].
    pub(super) fn splits(&self, rule: &Rule) -> Option<(usize, usize)> {
        equations::splits(rule, self.rules)
    }
}
