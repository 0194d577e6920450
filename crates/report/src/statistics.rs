//! The search's counters in clasp's layout, for readers familiar with it.
//!
//! Invariant: counters that do not exist here are printed as 0, so that scripts find the lines that they look for.

use serde_json::{Value, json};

use super::output::{Output, put};
use super::summary::Summary;
use asp_solve::Statistics;

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Appends the counters as text; each line starts with `comment`, keys are padded to `width`.
pub(crate) fn write_text(
    s: &Statistics,
    summary: &Summary,
    level: u8,
    comment: &str,
    width: usize,
    out: &mut Output,
) {
    write_search(s, Some(summary.models), level, comment, width, out);
    put!(out, "{comment}\n");
    write_problem(s, level, comment, width, out);
    if level > 1 {
        write_phases(summary, comment, width, out);
    }
    for (i, thread) in s.threads.iter().enumerate().filter(|_| level > 1) {
        if i == 0 {
            put!(out, "{comment}\n{comment}============ Thread Stats ============\n");
        }
        put!(out, "{comment}\n{comment}[Thread {i}]\n{comment}\n");
        write_search(thread, None, level, comment, width, out);
    }
}

/// The times of the stages before the search.
fn write_phases(summary: &Summary, comment: &str, width: usize, out: &mut Output) {
    let t = &summary.times;
    put!(out, "{comment}\n");
    for (key, seconds) in [
        ("Reading", t.reading),
        ("Preprocessing", t.preprocessing),
        ("Search", t.solve),
        ("  1st Model", t.first_model),
        ("  Unsat", t.unsat),
    ] {
        put!(out, "{comment}{key:<width$}: {seconds:.3}s\n");
    }
}

/// The work of the search: all threads, or one of them.
fn write_search(
    s: &Statistics,
    models: Option<u64>,
    level: u8,
    comment: &str,
    width: usize,
    out: &mut Output,
) {
    let mut line = |key: &str, rest: std::fmt::Arguments<'_>| put!(out, "{comment}{key:<width$}: {rest}\n");
    line("Choices", format_args!("{:<8}", s.search.choices));
    line("Conflicts", format_args!("{:<8} (Analyzed: {})", s.search.conflicts, s.search.conflicts));
    match s.search.restarts {
        0 => line("Restarts", format_args!("{:<8}", 0)),
        n => line(
            "Restarts",
            format_args!(
                "{n:<8} (Average: {:.2} Last: {} Blocked: 0)",
                ratio(s.search.conflicts, n),
                s.search.since_restart
            ),
        ),
    }
    if s.stability_tests.0 > 0 {
        let tests = s.stability_tests.0;
        line("Stab. Tests", format_args!("{tests:<8} (Full: {tests} Partial: 0)"));
    }
    if let Some(models) = models.filter(|&n| n > 0) {
        line("Model-Level", format_args!("{:<8.1}", ratio(s.search.model_levels, models)));
    }
    line("Problems", format_args!("{:<8} (Average Length: 0.00 Splits: 0)", 1));
    let lemmas = s.search.learned + s.loops;
    line("Lemmas", format_args!("{lemmas:<8} (Deleted: {})", s.search.deleted));
    let percent = |n: u64| 100.0 * ratio(n, lemmas);
    line(
        "  Binary",
        format_args!("{:<8} (Ratio: {:>6.2}%)", s.search.learned_short.0, percent(s.search.learned_short.0)),
    );
    line(
        "  Ternary",
        format_args!("{:<8} (Ratio: {:>6.2}%)", s.search.learned_short.1, percent(s.search.learned_short.1)),
    );
    let average = ratio(s.search.learned_literals.1, s.search.learned);
    line(
        "  Conflict",
        format_args!(
            "{:<8} (Average Length: {average:>6.1} Ratio: {:>6.2}%) ",
            s.search.learned,
            percent(s.search.learned)
        ),
    );
    line(
        "  Loop",
        format_args!(
            "{:<8} (Average Length: {:>6.1} Ratio: {:>6.2}%) ",
            s.loops,
            ratio(s.loop_literals, s.loops),
            percent(s.loops)
        ),
    );
    line("  Other", format_args!("{:<8} (Average Length: {:>6.1} Ratio: {:>6.2}%) ", 0, 0.0, 0.0));
    let (sum, most) = s.search.jumped_levels;
    let jumps = |n: u64, sum: u64, most: u64| {
        format!("{n:<8} (Average: {:>5.2} Max: {most:>3} Sum: {sum:>6}", ratio(sum, n))
    };
    line("Backjumps", format_args!("{})", jumps(s.search.learned, sum, most)));
    // Jumps always go as far as the learned nogood allows.
    let executed = if s.search.learned > 0 { 100.0 } else { 0.0 };
    line("  Executed", format_args!("{} Ratio: {executed:>6.2}%)", jumps(s.search.learned, sum, most)));
    line("  Bounded", format_args!("{} Ratio: {:>6.2}%)", jumps(0, 0, 0), 100.0 - executed));
    if level > 1 {
        line("Propagations", format_args!("{:<8}", s.search.propagations));
        let (before, after) = s.search.learned_literals;
        let minimised = 100.0 * ratio(before.saturating_sub(after), before);
        line("Average LBD", format_args!("{:<8.2}", ratio(s.search.lbd_sum, s.search.learned)));
        line("Minimised", format_args!("{minimised:.1}% of {} literals", s.search.learned_literals.0));
        line("Peak Lemmas", format_args!("{:<8}", s.search.peak_learned));
        let mut some = |key: &str, all: u64, what: &str, of_these: u64| {
            if all > 0 {
                line(key, format_args!("{all:<8} ({what}: {of_these})"));
            }
        };
        some("Probed", s.search.probed.0, "Failed", s.search.probed.1);
        some("Vivified", s.search.vivified.0, "Shortened", s.search.vivified.1);
        some("Subsumed", s.search.subsumed.0 + s.search.subsumed.1, "Strengthened", s.search.subsumed.1);
        some("Substituted", s.search.substituted, "Clauses", s.search.substituted);
        some("Symmetries", s.search.symmetries, "Generators", s.search.symmetries);
        some("Shared", s.search.shared.0 + s.search.shared.1, "Received", s.search.shared.1);
        line("Unstable", format_args!("{:<8}", s.stability_tests.1));
    }
    if s.lazy.0 > 0 {
        line("Lazy", format_args!("{:<8} (Instances: {})", s.lazy.0, s.lazy.1));
    }
}

/// The size of the problem.
fn write_problem(s: &Statistics, level: u8, comment: &str, width: usize, out: &mut Output) {
    let mut line = |key: &str, rest: std::fmt::Arguments<'_>| put!(out, "{comment}{key:<width$}: {rest}\n");
    line("Rules", format_args!("{:<8}", s.rules));
    let kinds = &s.rule_kinds;
    for (key, count, least) in [
        ("  Choice", kinds.choice, 1),
        ("  Disjunctive", kinds.disjunctive, 2),
        ("  Weight", kinds.weight, 2),
        ("  Minimize", kinds.minimize, 1),
    ] {
        if count > 0 && level >= least {
            line(key, format_args!("{count:<8}"));
        }
    }
    line("Atoms", format_args!("{:<8}", s.atoms));
    line("Bodies", format_args!("{:<8}", s.bodies));
    if s.equivalences > 0 {
        line("Equivalences", format_args!("{:<8}", s.equivalences));
    }
    if s.tight {
        line("Tight", format_args!("Yes"));
    } else {
        let (sccs, atoms) = s.sccs;
        line("Tight", format_args!("{:<8} (SCCs: {sccs} Non-Hcfs: 0 Nodes: {atoms} Gammas: 0)", "No"));
    }
    line(
        "Variables",
        format_args!(
            "{:<8} (Eliminated: {:>4} Frozen: {:>4})",
            s.search.variables.0, s.search.variables.1, s.search.frozen
        ),
    );
    let (binary, ternary, long) = s.search.constraints;
    let sum = binary + ternary + long;
    let percent = |n: u64| 100.0 * ratio(n, sum);
    line(
        "Constraints",
        format_args!(
            "{sum:<8} (Binary: {:>5.1}% Ternary: {:>5.1}% Other: {:>5.1}%)",
            percent(binary),
            percent(ternary),
            percent(long)
        ),
    );
    if level > 1 {
        let (groups, sums) = s.search.groups;
        line("Groups", format_args!("{:<8} (At most one: {groups} Weight: {sums})", groups + sums));
    }
}

/// The counters as the value of `"Stats"`.
pub(crate) fn to_json(s: &Statistics, summary: &Summary, level: u8) -> Value {
    let mut stats = search_to_json(s, Some((summary.models, summary.times.cpu)));
    let problem = json!({
        "LP": {
            "Rules": { "Original": s.rules, "Final": s.rules },
            "Atoms": s.atoms,
            "Bodies": { "Original": s.bodies, "Final": s.bodies },
            "Tight": if s.tight { "yes" } else { "no" },
            "SCCs": s.sccs.0,
            "UfsNodes": s.sccs.1,
            "Equivalences": { "Sum": s.equivalences },
        },
        "Problem": {
            "Variables": s.search.variables.0,
            "Eliminated": s.search.variables.1,
            "Frozen": s.search.frozen,
            "Constraints": {
                "Sum": s.search.constraints.0 + s.search.constraints.1 + s.search.constraints.2,
                "Binary": s.search.constraints.0,
                "Ternary": s.search.constraints.1,
            },
            "AcycEdges": 0,
        },
    });
    if let (Some(members), Value::Object(problem)) = (stats.as_object_mut(), problem) {
        members.extend(problem);
    }
    // Some members are present only if they say something.
    let mut drop = |part: &str, key: &str, absent: bool| {
        if let (true, Some(members)) = (absent, stats[part].as_object_mut()) {
            members.shift_remove(key);
        }
    };
    drop("LP", "SCCs", s.tight);
    drop("LP", "UfsNodes", s.tight);
    drop("LP", "Equivalences", s.equivalences == 0);
    if level > 1 {
        stats["Search"] = json!({
            "Propagations": s.search.propagations,
            "PeakLemmas": s.search.peak_learned,
            "AvgLBD": ratio(s.search.lbd_sum, s.search.learned),
            "Unstable": s.stability_tests.1,
            "AtMostOne": s.search.groups.0,
            "Weight": s.search.groups.1,
        });
    }
    if s.lazy.0 > 0 {
        stats["Lazy"] = json!({ "Constraints": s.lazy.0, "Instances": s.lazy.1 });
    }
    if level > 1 {
        let t = &summary.times;
        stats["Phases"] =
            json!({ "Reading": t.reading, "Preprocessing": t.preprocessing, "Search": t.solve });
        if !s.threads.is_empty() {
            stats["Thread"] = s.threads.iter().map(|thread| search_to_json(thread, None)).collect();
        }
    }
    stats
}

/// The work of the search: all threads, with the number of models and the time of all, or one of them.
fn search_to_json(s: &Statistics, of_all: Option<(u64, f64)>) -> Value {
    let average = ratio(s.search.learned_literals.1, s.search.learned);
    let short = s.search.learned_short.0 + s.search.learned_short.1;
    let lemmas = s.search.learned + s.loops;
    let tests = s.stability_tests.0;
    let (models, cpu) = of_all.unwrap_or_default();
    let mut stats = json!({
        "Core": {
            "Choices": s.search.choices,
            "Conflicts": s.search.conflicts,
            "Backtracks": s.search.conflicts.saturating_sub(s.search.backjumps),
            "Backjumps": s.search.backjumps,
            "Restarts": s.search.restarts,
            "RestartAvg": ratio(s.search.conflicts, s.search.restarts),
            "RestartLast": s.search.since_restart,
        },
        "More": {
            "CPU": cpu,
            "Models": models,
            "StabTests": { "Sum": tests, "Full": tests, "Partial": 0 },
            "AvgModel": ratio(s.search.model_levels, models),
            "Splits": 0,
            "Problems": 1,
            "AvgGPLength": 0.0,
            "Lemma": {
                "Sum": lemmas,
                "Deleted": s.search.deleted,
                "Type": [
                    {
                        "Type": "Short",
                        "Sum": short,
                        "Ratio": ratio(short, lemmas),
                        "Binary": s.search.learned_short.0,
                        "Ternary": s.search.learned_short.1,
                    },
                    { "Type": "Conflict", "Sum": s.search.learned, "AvgLen": average },
                    { "Type": "Loop", "Sum": s.loops, "AvgLen": ratio(s.loop_literals, s.loops) },
                    { "Type": "Other", "Sum": 0, "AvgLen": 0.0 },
                ],
            },
        },
        "Jumps": {
            "Sum": s.search.learned,
            "Max": s.search.jumped_levels.1,
            "MaxExec": s.search.jumped_levels.1,
            "Avg": ratio(s.search.jumped_levels.0, s.search.learned),
            "AvgExec": ratio(s.search.jumped_levels.0, s.search.learned),
            "Levels": s.search.jumped_levels.0,
            "LevelsExec": s.search.jumped_levels.0,
            "Bounded": { "Sum": 0, "Max": 0, "Avg": 0.0, "Levels": 0 },
        },
    });
    let more = stats["More"].as_object_mut();
    if let Some(more) = more {
        if tests == 0 {
            more.shift_remove("StabTests");
        }
        if models == 0 {
            more.shift_remove("AvgModel");
        }
        if of_all.is_none() {
            more.shift_remove("CPU");
            more.shift_remove("Models");
        }
    }
    stats
}
