//! Rows of the options of learning, restarts and deletion.

use super::{Read, if_it, set};
use crate::raw::Raw;
use crate::spec::Group::Lookback;
use crate::spec::Takes::{Flag, Optional, Required};
use crate::spec::{OptionSpec, noted, works};
use crate::value::Value;
use asp_engine::schedule::{Growth, Schedule};
use asp_solve::{
    AfterModel, Antecedents, Blocking, CounterRestarts, CuttingPlanes, Forget, LoopNogoods, RestartRule,
    SearchMode, UpdateLbd,
};

/// The pattern of schedules after other parts, as [`schedule`] reads them.
macro_rules! schedules {
    ($before:literal) => {
        concat!($before, "'F,N1- ", $before, "'L,N1-,N? ", $before, "x,N1-,F1-,N? ", $before, "+,N1-,N,N?")
    };
}

pub(crate) const ROWS: &[OptionSpec] = &[
    works(
        Lookback,
        3,
        "no-lookback",
        Flag,
        "",
        "Learn nothing: after a conflict the last decision is flipped",
        |_, r| set(&mut r.no_lookback, true),
    ),
    works(
        Lookback,
        3,
        "forget-on-step",
        Required("varscores|signs|lemmascores|lemmas* N0-15 no='off='false"),
        "LIST",
        "What is forgotten from one call to the next",
        forget,
    ),
    works(
        Lookback,
        3,
        "strengthen",
        Required("local|recursive,all|short|binary?,yes=1='true='on|no=0='false='off? no=0='off='false"),
        "HOW",
        "Minimisation of learned nogoods: local or recursive, by which reasons",
        strengthen,
    )
    .negatable(),
    works(
        Lookback,
        3,
        "cutting-planes",
        Required("auto|always|no no=0='false='off yes=1='true='on"),
        "WHEN",
        "Learn inequalities from conflicts of sums: in turns with clauses (auto, the default), always or never",
        |v, r| {
            let kinds = [CuttingPlanes::Turns, CuttingPlanes::Always, CuttingPlanes::Never];
            let when = if v.is_no() { CuttingPlanes::Never } else { v.pick_or(0, CuttingPlanes::Turns, &kinds)? };
            set(&mut r.solver().learning.cutting_planes, when)
        },
    )
    .negatable(),
    noted(Lookback, 3, "otfs", Optional("N0-2"), "N", "On-the-fly subsumption"),
    works(
        Lookback,
        3,
        "update-lbd",
        Required("less|glucose|pseudo,N0-127? no=0='off='false"),
        "MODE",
        "How the LBD of learned nogoods changes when they are used; LBD up to N protects",
        update_lbd,
    )
    .negatable(),
    works(
        Lookback,
        3,
        "update-act",
        Flag,
        "",
        "Reward variables twice that better nogoods implied",
        |_, r| set(&mut r.solver().heuristic.reward_lbd, true),
    ),
    noted(Lookback, 3, "reverse-arcs", Optional("N0-3"), "N", "Inverse-arc learning"),
    noted(
        Lookback,
        3,
        "contraction",
        Required("N1-,no|decisionseq|alluip|dynamic? no=0='off='false"),
        "N",
        "Contraction of long learned nogoods",
    )
    .negatable(),
    works(
        Lookback,
        3,
        "loops",
        Required("common|distinct|shared|no"),
        "TYPE",
        "Loop nogoods: one for an unfounded set (common), one for each of its atoms (distinct), or no",
        loops,
    ),
    works(
        Lookback,
        2,
        "restarts",
        Required(concat!(schedules!(""), " 'D,N1-,F0.000001-,S* no=0='off='false")),
        "SCHEDULE",
        "F,N: every N conflicts, L,N: by Luby, x,N,F: times F, +,N,M: plus M, D,N,K: by LBD",
        restarts,
    )
    .short('r')
    .negatable(),
    works(
        Lookback,
        3,
        "reset-restarts",
        Required("no|repeat|disable"),
        "HOW",
        "What a model does to the schedule of restarts",
        |v, r| {
            set(
                &mut r.solver().restart.after_model,
                v.pick(0, &[AfterModel::GoOn, AfterModel::Repeat, AfterModel::Disable])?,
            )
        },
    ),
    works(Lookback, 3, "local-restarts", Flag, "", "Count conflicts for restarts by level", |v, r| {
        set(&mut r.solver().restart.local, !v.is_no())
    })
    .negatable(),
    works(
        Lookback,
        3,
        "counter-restarts",
        Required("N,N? no='off='false"),
        "RATE",
        "N,F: at each Nth restart, reward variables F times for each literal that implies them",
        counter_restarts,
    ),
    works(
        Lookback,
        3,
        "block-restarts",
        Required("N1-4294967294,F1-5?,N0-4294967294?,'d|'e|'l|'es|'ls? no=0='off='false"),
        "N",
        "N,R,C: no restart by LBD where more than R times as much is assigned as on average",
        blocking,
    ),
    noted(
        Lookback,
        3,
        "shuffle",
        Required("N1-,N? no=0='off='false"),
        "N1,N2",
        "Shuffle the problem after restarts",
    )
    .negatable(),
    works(
        Lookback,
        2,
        "deletion",
        Required("basic|sort|ipsort|ipheap,N1-100?,activity|lbd|mixed? no=0='off='false"),
        "ALGORITHM",
        "Deletion of learned nogoods, the worst N% by LBD; or no",
        deletion,
    )
    .short('d')
    .negatable(),
    works(
        Lookback,
        3,
        "del-grow",
        Required(concat!("F1-,F? ", schedules!("F1-,F,"), " no=0='off='false")),
        "F",
        "F,G,SCHEDULE: how the limit of --del-init grows",
        growth,
    )
    .negatable(),
    works(
        Lookback,
        3,
        "del-cfl",
        Required(concat!(schedules!(""), " no=0='off='false")),
        "SCHEDULE",
        "Conflicts between deletions, as for --restarts",
        |v, r| {
            r.solver().reduce.between_models = None;
            set(&mut r.solver().reduce.schedule, schedule(v))
        },
    )
    .negatable(),
    works(
        Lookback,
        3,
        "del-init",
        Required("F0.0001-,N?,N?"),
        "F",
        "F,N,O: delete when there are more than constraints/F, at least N and at most N+O",
        size_limit,
    ),
    noted(Lookback, 3, "del-estimate", Optional("N0-3"), "N", "Limits by estimated problem complexity"),
    works(
        Lookback,
        3,
        "del-max",
        Required("N,N? no='off='false"),
        "N,MB",
        "Delete when there are more than N learned nogoods",
        |v, r| set(&mut r.solver().reduce.most, v.number(0).filter(|&n| n > 0)),
    )
    .negatable(),
    works(
        Lookback,
        3,
        "del-glue",
        Required("N0-15,N0-1?"),
        "N",
        "Keep learned nogoods of at most this LBD; N,1: they do not count",
        |v, r| {
            let reduce = &mut r.solver().reduce;
            reduce.core_lbd = v.small(0).unwrap_or(reduce.core_lbd);
            set(&mut reduce.core_is_free, v.number(1) == Some(1))
        },
    ),
    works(Lookback, 3, "del-on-restart", Required("N0-100"), "N", "Delete N% at each restart", |v, r| {
        set(&mut r.solver().reduce.on_restart, v.number(0).unwrap_or(0) as f64 / 100.0)
    }),
];

/// `F,N`: always N. `L,N`: Luby's sequence times N. `x,N,F`: N, then each time F times as many. `+,N,M`: N, then each
/// time M more. A further number says after how many it starts again. `None`: the value is none of these.
fn schedule(v: &Value<'_>) -> Option<Schedule> {
    let first = v.number(1)?.max(1);
    let (growth, repeat) = match v.alternative() {
        0 => (Growth::None, None),
        1 => (Growth::Luby, v.number(2)),
        2 => (Growth::Factor(v.decimal(2)?), v.number(3)),
        3 => (Growth::Summand(v.number(2)?), v.number(3)),
        _ => return None,
    };
    Some(Schedule { first, growth, repeat: repeat.unwrap_or(0) })
}

/// Never, by LBD (`D,N,K`: after at least N conflicts, when K times the recent average exceeds the overall average), or
/// by a schedule.
fn restarts(v: &Value<'_>, r: &mut Raw) -> Read {
    let solver = r.solver();
    let restart = &mut solver.restart;
    if v.is_no() {
        return set(&mut restart.enabled, false);
    }
    let mode = match schedule(v) {
        Some(schedule) => {
            restart.rule = RestartRule::Schedule(schedule);
            SearchMode::Stable
        }
        None => {
            restart.rule = RestartRule::Lbd;
            restart.interval = v.number(1).unwrap_or(restart.interval).max(1);
            restart.margin = v.decimal(2).filter(|&k| k > 0.0).map_or(restart.margin, |k| 1.0 / k);
            SearchMode::Focused
        }
    };
    // The heuristic, if one is given, decides the mode.
    let mode = if solver.mode == SearchMode::Switching { mode } else { solver.mode };
    set(&mut solver.mode, mode)
}

fn counter_restarts(v: &Value<'_>, r: &mut Raw) -> Read {
    let factor = v.number(1).unwrap_or(1) as f64;
    let every = v.number(0).filter(|&n| n > 0);
    set(&mut r.solver().restart.counter, every.map(|every| CounterRestarts { every, factor }))
}

/// The kind of average that may follow is fixed here.
fn blocking(v: &Value<'_>, r: &mut Raw) -> Read {
    let blocking = v.number(0).filter(|&n| n > 0).map(|window| Blocking {
        window,
        factor: v.decimal(1).unwrap_or(1.4),
        first: v.number(2).unwrap_or(10_000),
    });
    set(&mut r.solver().restart.blocking, blocking)
}

/// Whatever the algorithm and the score, the clauses with the worst LBD are deleted.
fn deletion(v: &Value<'_>, r: &mut Raw) -> Read {
    let reduce = &mut r.solver().reduce;
    reduce.enabled = !v.is_no();
    let share = v.number(1).map(|percent| percent as f64 / 100.0);
    reduce.share = share.unwrap_or(reduce.share);
    if_it(v.is_no() || share.is_some())
}

fn size_limit(v: &Value<'_>, r: &mut Raw) -> Read {
    let limit = r.solver().reduce.size.get_or_insert_default();
    limit.fraction = v.decimal(0).filter(|&f| f > 0.0).unwrap_or(limit.fraction);
    limit.least = v.number(1).unwrap_or(10);
    set(&mut limit.span, v.number(2).unwrap_or(u64::MAX))
}

fn growth(v: &Value<'_>, r: &mut Raw) -> Read {
    let size = &mut r.solver().reduce.size;
    if v.is_no() {
        if let Some(limit) = size {
            limit.growth = 1.0;
        }
        return if_it(true);
    }
    let limit = size.get_or_insert_default();
    limit.growth = v.decimal(0).unwrap_or(1.0);
    limit.stop = v.decimal(1).unwrap_or(3.0);
    let rest = v.text().splitn(3, ',').nth(2);
    let rest = rest.map(|text| Value::new("del-grow", schedules!(""), Some(text), false));
    set(&mut limit.schedule, rest.and_then(|rest| schedule(&rest)))
}

/// Given by name, or as a sum of 1, 2, 4 and 8.
fn forget(v: &Value<'_>, r: &mut Raw) -> Read {
    let bits = v.bits(0, &[1, 2, 4, 8]);
    let has = |bit: u64| bits & bit != 0;
    let forget = Forget { scores: has(1), signs: has(2), lemma_scores: has(4), lemmas: has(8) };
    set(&mut r.options.solve.forget, forget)
}

fn strengthen(v: &Value<'_>, r: &mut Raw) -> Read {
    let kinds = [Antecedents::All, Antecedents::Short, Antecedents::Binary];
    let learning = &mut r.solver().learning;
    learning.minimize = !v.is_no();
    learning.strengthen = learning.minimize;
    learning.recursive = v.is_no() || v.item(0) == Some(1);
    set(&mut learning.antecedents, v.pick_or(1, Antecedents::All, &kinds)?)
}

fn update_lbd(v: &Value<'_>, r: &mut Raw) -> Read {
    let kinds = [UpdateLbd::Less, UpdateLbd::MuchLess, UpdateLbd::Pseudo];
    let reduce = &mut r.solver().reduce;
    reduce.update_lbd = if v.is_no() { UpdateLbd::Never } else { v.pick(0, &kinds)? };
    set(&mut reduce.protected_lbd, v.small(1).unwrap_or(0))
}

fn loops(v: &Value<'_>, r: &mut Raw) -> Read {
    use LoopNogoods::{Common, Distinct, Never};
    r.solver().learning.loops = v.pick(0, &[Common, Distinct, Common, Never])?;
    if_it(v.item(0) != Some(2))
}
