//! Sums of statistics, over translations and over threads.

use crate::solve::Statistics;

/// Counters of search add up, sizes are those of the latest translation.
pub(crate) fn sum(past: &Statistics, now: Statistics) -> Statistics {
    let pair = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
    Statistics {
        choices: past.choices + now.choices,
        conflicts: past.conflicts + now.conflicts,
        backjumps: past.backjumps + now.backjumps,
        jumped_levels: (
            past.jumped_levels.0 + now.jumped_levels.0,
            past.jumped_levels.1.max(now.jumped_levels.1),
        ),
        model_levels: past.model_levels + now.model_levels,
        restarts: past.restarts + now.restarts,
        learned: past.learned + now.learned,
        learned_literals: pair(past.learned_literals, now.learned_literals),
        learned_short: pair(past.learned_short, now.learned_short),
        loops: past.loops + now.loops,
        loop_literals: past.loop_literals + now.loop_literals,
        deleted: past.deleted + now.deleted,
        propagations: past.propagations + now.propagations,
        shared: pair(past.shared, now.shared),
        probed: pair(past.probed, now.probed),
        substituted: past.substituted + now.substituted,
        subsumed: pair(past.subsumed, now.subsumed),
        vivified: pair(past.vivified, now.vivified),
        symmetries: past.symmetries + now.symmetries,
        stability_tests: pair(past.stability_tests, now.stability_tests),
        peak_learned: past.peak_learned.max(now.peak_learned),
        glue: past.glue + now.glue,
        ..now
    }
}
