//! The predicates that determine which atoms are external.
//!
//! As in gringo, an external atom with a rule is an ordinary atom, even if the body of the rule never holds. So what such rules
//! derive and read, directly or through others, keeps exactly gringo's instances, and no rewriting drops one.

use asp_base::map::{Map, Set};
use asp_rewrite::dependency;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::Rule;

/// Predicates in and below `#external` statements and external atoms of earlier calls.
#[derive(Default)]
pub(super) struct Decisive(Set<PredId>);

impl Decisive {
    /// Those of a call's rules. `external`: predicates of atoms that are external so far.
    pub(super) fn of(rules: &[Rule], external: &Set<PredId>) -> Self {
        let mut found = external.clone();
        found.extend(rules.iter().filter_map(|r| r.head.external()));
        if found.is_empty() {
            return Self::default();
        }
        let mut deriving: Map<PredId, Vec<&Rule>> = Map::default();
        for rule in rules {
            rule.head.for_each_atom(&mut |a| deriving.entry(a.pred).or_default().push(rule));
        }
        let mut open: Vec<PredId> = found.iter().copied().collect();
        while let Some(pred) = open.pop() {
            let mut reach = |pred| {
                if found.insert(pred) {
                    open.push(pred);
                }
            };
            // Each list is visited once.
            for rule in deriving.remove(&pred).unwrap_or_default() {
                rule.head.for_each_atom(&mut |a| reach(a.pred));
                dependency::rule_reads(rule, &mut |pred, _| reach(pred));
            }
        }
        Self(found)
    }

    pub(super) fn contains(&self, pred: PredId) -> bool {
        self.0.contains(&pred)
    }

    /// Whether a rule keeps to the instances that gringo finds.
    pub(super) fn keeps_instances(&self, rule: &Rule) -> bool {
        rule.head.derives(|a| self.contains(a.pred))
    }
}
