//! The counters of the search, of all solvers together and of the first.

use asp::Statistics;

use super::{Entry, Tree};

impl Tree {
    /// Counters of the search since some point.
    pub(super) fn solvers(&mut self, parent: u64, s: &Statistics, before: &Statistics) {
        let (now, then) = (&s.search, &before.search);
        let since = |now: u64, then: u64| now.saturating_sub(then);
        let conflicts = since(now.conflicts, then.conflicts);
        let main = [
            ("choices", since(now.choices, then.choices)),
            ("conflicts", conflicts),
            ("conflicts_analyzed", conflicts),
            ("restarts", since(now.restarts, then.restarts)),
            ("restarts_last", now.since_restart),
            ("restarts_blocked", 0),
        ];
        let learned = since(now.learned, then.learned);
        let extra = [
            ("domain_choices", 0),
            ("models", self.last.models),
            ("models_level", since(now.model_levels, then.model_levels)),
            ("hcc_tests", since(s.stability_tests.0, before.stability_tests.0)),
            ("hcc_partial", 0),
            ("lemmas_deleted", since(now.deleted, then.deleted)),
            ("distributed", since(now.shared.0, then.shared.0)),
            ("distributed_sum_lbd", 0),
            ("integrated", since(now.shared.1, then.shared.1)),
            ("lemmas", learned),
            ("lits_learnt", since(now.learned_literals.1, then.learned_literals.1)),
            ("lemmas_binary", since(now.learned_short.0, then.learned_short.0)),
            ("lemmas_ternary", since(now.learned_short.1, then.learned_short.1)),
            ("cpu_time", 0),
            ("integrated_imps", 0),
            ("integrated_jumps", 0),
            ("guiding_paths_lits", 0),
            ("guiding_paths", 0),
            ("splits", 0),
            ("lemmas_conflict", learned),
            ("lemmas_loop", since(s.loops, before.loops)),
            ("lemmas_other", 0),
            ("lits_conflict", since(now.learned_literals.1, then.learned_literals.1)),
            ("lits_loop", since(s.loop_literals, before.loop_literals)),
            ("lits_other", 0),
        ];
        let jumps = [
            ("jumps", since(now.backjumps, then.backjumps)),
            ("jumps_bounded", 0),
            ("levels", since(now.jumped_levels.0, then.jumped_levels.0)),
            ("levels_bounded", 0),
            ("max", now.jumped_levels.1),
            ("max_executed", now.jumped_levels.1),
            ("max_bounded", 0),
        ];
        let solvers = self.child(parent, "solvers");
        let mut parts = vec![solvers];
        if self.level > 1 {
            let list = self.child(parent, "solver");
            let first = match &self.entries[list as usize] {
                Entry::Array(keys) => keys.first().copied(),
                _ => None,
            };
            let first = first.unwrap_or_else(|| self.add(Entry::Map(Vec::new())));
            self.entries[list as usize] = Entry::Array(vec![first]);
            parts.push(first);
        }
        for part in parts {
            self.set_all(part, &main);
            if self.level > 0 {
                let more = self.child(part, "extra");
                self.set_all(more, &extra);
                let inner = self.child(more, "jumps");
                self.set_all(inner, &jumps);
            }
        }
    }
}
