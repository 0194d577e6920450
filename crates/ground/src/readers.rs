//! Predicates that are not shown: which rules read them, and which arguments these bind.
//!
//! Invariant: what the readers of a predicate bind is found once, when the first of its rules that asks is about to run.

use super::state::State;
use asp_base::map::Map;
use asp_rewrite::improve::demand::{Demand, Hidden};
use asp_rewrite::improve::equations;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::Rule;

/// What is known of the predicates that are read and not shown.
pub(super) struct Readers<'a> {
    /// The rules of this call.
    pub(super) rules: &'a [Rule],
    /// Which predicates they are; none if the rewriting is switched off.
    pub(super) hidden: Hidden,
    /// What their readers bind, with the predicate that has it, once it is known.
    pub(super) known: Map<PredId, Option<(Demand, Option<PredId>)>>,
}

impl<'a> Readers<'a> {
    /// For the rules of a call.
    pub(super) fn new(rules: &'a [Rule], hidden: Hidden) -> Self {
        Self { rules, hidden, known: Map::default() }
    }

    /// See [`Hidden::may_wait`].
    pub(super) fn may_wait(&self, rules: &[&Rule], state: &mut State<'_>) -> bool {
        !rules.is_empty() && rules.iter().all(|r| self.hidden.may_wait(r, state))
    }

    /// See [`equations::splits`].
    pub(super) fn splits(&self, rule: &Rule) -> Option<(usize, usize)> {
        equations::splits(rule, self.rules)
    }
}
