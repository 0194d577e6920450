//! Rows of the options of decisions: which variable, which sign, and lookahead.

use super::{Read, if_it, set};
use crate::raw::Raw;
use crate::spec::Group::Search;
use crate::spec::Takes::{Flag, Optional, Required};
use crate::spec::{OptionSpec, Reader, noted, works};
use crate::value::Value;
use asp_program::ground_program::HeuristicModifier;
use asp_solve::{
    Candidates, DecayProgress, DomainDefault, FirstWatches, LookaheadParameters, PhaseRule, RandomStart,
    SearchMode, Shrink, Sign,
};

/// The pattern of modifiers, as [`domain_default`] reads them.
macro_rules! modifiers {
    () => {
        "level=1|pos=2|true=3|neg=4|false=5|init=6|factor=7"
    };
}

pub(crate) const ROWS: &[OptionSpec] = &[
    works(Search, 2, "seed", Required("N"), "N", "Seed of the random number generator", |v, r| {
        set(&mut r.solver().seed, v.number(0).unwrap_or(0))
    }),
    works(
        Search,
        2,
        "rand-freq",
        Required("F0-1 no='off='false"),
        "P",
        "Make random decisions with this probability",
        |v, r| set(&mut r.solver().heuristic.random_frequency, v.decimal(0).unwrap_or(0.0)),
    )
    .negatable(),
    works(
        Search,
        2,
        "heuristic",
        Required("berkmin|vmtf|vsids|domain,N? unit|none|auto"),
        "HEURISTIC",
        "Vsids: by activity (decay 0.N), Vmtf: by recency (N moved), Domain: by #heuristic, Unit: by lookahead, None: in order",
        |v, r| {
            let with_number = v.alternative() == 0;
            v.pick(0, if with_number { &HEURISTICS } else { &WITHOUT_NUMBER })?(v, r)
        },
    ),
    works(
        Search,
        2,
        "opt-usc-shrink",
        Required("lin|inv|bin|rgs|exp|min,N0-31? no=0='off='false"),
        "ALGORITHM",
        "How cores are made smaller, and at most 2^N conflicts for each attempt",
        shrink,
    ),
    works(
        Search,
        2,
        "opt-heuristic",
        Required("sign|model* N0-3 no='off='false"),
        "LIST",
        "sign: decide what is cheap first, model: decide as in the best answer set so far",
        |v, r| {
            let (bits, optimize) = (v.bits(0, &[1, 2]), &mut r.solver().optimize);
            optimize.cheap_signs = bits & 1 != 0;
            set(&mut optimize.follow_best, bits & 2 != 0)
        },
    ),
    works(
        Search,
        2,
        "opt-relax",
        Flag,
        "",
        "Bound objectives by their linear relaxation (default: yes)",
        |v, r| set(&mut r.solver().optimize.relax, !v.is_no()),
    )
    .negatable(),
    works(Search, 2, "restart-on-model", Flag, "", "Restart after each model", |v, r| {
        set(&mut r.solver().restart.on_model, !v.is_no())
    })
    .negatable(),
    works(
        Search,
        2,
        "lookahead",
        Optional("atom|body|hybrid,N? no=0='off='false"),
        "TYPE",
        "Try variables both ways before the first N decisions; what fails is excluded",
        lookahead,
    )
    .negatable(),
    works(Search, 3, "init-moms", Flag, "", "Initialise scores by occurrences in short nogoods", |v, r| {
        set(&mut r.solver().heuristic.initial_activity, Some(!v.is_no()))
    })
    .negatable(),
    noted(Search, 3, "score-res", Required("auto|min|set|multiset"), "SCORE", "Scores in resolution"),
    noted(Search, 3, "score-other", Required("auto|no|loop|all"), "SCORE", "Scores of other learned nogoods"),
    works(
        Search,
        2,
        "sign-def",
        Required("asp|pos|neg|rnd"),
        "SIGN",
        "Sign of decisions of which nothing is known",
        |v, r| set(&mut r.solver().phase.sign, v.pick(0, &SIGNS)?),
    ),
    works(Search, 3, "sign-fix", Flag, "", "Decide variables by the default sign alone", |v, r| {
        set(&mut r.solver().phase.fixed, !v.is_no())
    })
    .negatable(),
    noted(Search, 3, "berk-huang", Flag, "", "Scores of Berkmin").negatable(),
    works(Search, 3, "vsids-acids", Flag, "", "Activities as means of conflict numbers", |v, r| {
        set(&mut r.solver().heuristic.average_activity, !v.is_no())
    })
    .negatable(),
    works(
        Search,
        3,
        "vsids-progress",
        Required("N0-4294967294,N0-100?,N0-4294967294? no='off='false"),
        "N",
        "N,I,C: a decay of 0.N, more by I/100 after each C conflicts",
        decay_progress,
    ),
    noted(Search, 3, "nant", Flag, "", "Prefer negative antecedents").negatable(),
    works(
        Search,
        2,
        "dom-mod",
        Required(concat!(
            modifiers!(),
            ",N0-31? ",
            modifiers!(),
            ",all|scc|hcc|disj|opt|show* no=0='off='false"
        )),
        "MODIFIER",
        "Modify all atoms, those of the objective (opt) or those shown, in the domain heuristic",
        domain_default,
    ),
    works(
        Search,
        2,
        "save-progress",
        Optional("N"),
        "N",
        "Decide variables to be what they were last, saved where over N levels are undone (0: by counts)",
        save_progress,
    ),
    works(
        Search,
        3,
        "init-watches",
        Required("rnd|first|least"),
        "WHICH",
        "Literals of a clause that are watched first",
        |v, r| {
            set(
                &mut r.solver().learning.watches,
                v.pick(0, &[FirstWatches::Random, FirstWatches::First, FirstWatches::Least])?,
            )
        },
    ),
    noted(Search, 3, "update-mode", Required("propagate|conflict"), "MODE", "When threads read messages"),
    noted(Search, 3, "acyc-prop", Optional("N0-1"), "N", "Backward inference for #edge"),
    noted(Search, 2, "partial-check", Optional("N0-100,N? no='off='false"), "P", "Partial stability tests"),
    works(
        Search,
        3,
        "sign-def-disj",
        Required("asp|pos|neg|rnd"),
        "SIGN",
        "Sign of decisions on atoms in heads of disjunctions",
        |v, r| set(&mut r.solver().phase.disjunctive_sign, Some(v.pick(0, &SIGNS)?)),
    ),
    works(
        Search,
        3,
        "rand-prob",
        Required("N,N? no='off='false"),
        "N",
        "N,M: begin with N searches of M conflicts with random decisions",
        random_start,
    ),
];

const SIGNS: [Sign; 4] = [Sign::Auto, Sign::Positive, Sign::Negative, Sign::Random];

const HEURISTICS: [Reader; 4] = [
    |_, _| if_it(false),
    |v, r| {
        r.solver().mode = SearchMode::Focused;
        let moved = v.number(1).and_then(|n| usize::try_from(n).ok());
        set(&mut r.solver().heuristic.moved, moved.unwrap_or(usize::MAX))
    },
    |v, r| {
        r.solver().mode = SearchMode::Stable;
        decay(v, r)
    },
    |v, r| {
        r.options.solve.domain_heuristic = true;
        decay(v, r)
    },
];

const WITHOUT_NUMBER: [Reader; 3] = [
    |_, r| {
        let lookahead = &mut r.solver().lookahead;
        lookahead.candidates.get_or_insert(Candidates::Atoms);
        set(&mut lookahead.decides, true)
    },
    |_, r| {
        r.solver().mode = SearchMode::Stable;
        set(&mut r.solver().heuristic.in_order, true)
    },
    |_, _| if_it(true),
];

fn decay(v: &Value<'_>, r: &mut Raw) -> Read {
    let decay = v.fraction(1).unwrap_or(r.solver().heuristic.decay);
    set(&mut r.solver().heuristic.decay, decay)
}

/// The limit is an exponent of 2, by default 10; 0 means no limit.
fn shrink(v: &Value<'_>, r: &mut Raw) -> Read {
    use Shrink::{Backward, Binary, Exponential, Forward, Geometric, Minimal};
    let kinds = [Forward, Backward, Binary, Geometric, Exponential, Minimal];
    let cores = &mut r.solver().optimize.cores;
    cores.shrink = if v.is_no() { None } else { Some(v.pick(0, &kinds)?) };
    let exponent = v.number(1).unwrap_or(10);
    set(&mut cores.shrink_conflicts, Some(if exponent == 0 { 0 } else { 1 << exponent.min(62) }))
}

/// 0 rounds means any number.
fn lookahead(v: &Value<'_>, r: &mut Raw) -> Read {
    let kinds = [Candidates::Atoms, Candidates::Bodies, Candidates::All];
    let candidates = if v.is_no() { None } else { Some(v.pick_or(0, Candidates::Atoms, &kinds)?) };
    let rounds = v.number(1).filter(|&n| n > 0).unwrap_or(u64::MAX);
    let decides = r.solver().lookahead.decides;
    set(&mut r.solver().lookahead, LookaheadParameters { candidates, rounds, decides })
}

fn decay_progress(v: &Value<'_>, r: &mut Raw) -> Read {
    let progress = v.fraction(0).map(|first| DecayProgress {
        first,
        step: v.number(1).unwrap_or(1) as f64 / 100.0,
        interval: v.number(2).unwrap_or(5000),
    });
    set(&mut r.solver().heuristic.decay_progress, progress)
}

/// A modifier, and the atoms that it applies to. Atoms by component (1, 2 and 4) have no counterpart.
fn domain_default(v: &Value<'_>, r: &mut Raw) -> Read {
    use HeuristicModifier::{Factor, False, Init, Level, Sign, True};
    let modifiers = [(Level, 1), (Sign, 1), (True, 1), (Sign, -1), (False, 1), (Init, 1), (Factor, 2)];
    if v.is_no() {
        return set(&mut r.options.solve.domain_default, None);
    }
    let picks = v.numbers(1, &[0, 1, 2, 4, 8, 16]);
    let has = |bits: u64| picks.iter().any(|p| p & bits != 0);
    let (modifier, bias) = v.pick(0, &modifiers)?;
    r.options.solve.domain_default = Some(DomainDefault {
        modifier,
        bias,
        all: picks.is_empty() || picks.contains(&0),
        shown: has(16),
        objective: has(8),
    });
    if_it(!has(7))
}

/// With a number, only when more levels than this are undone at once; 0 means never.
fn save_progress(v: &Value<'_>, r: &mut Raw) -> Read {
    let phase = &mut r.solver().phase;
    let never = v.number(0) == Some(0);
    phase.rule = if never { PhaseRule::LearnedPolarity } else { PhaseRule::Saved };
    set(&mut phase.saved_beyond, v.small(0).unwrap_or(0))
}

fn random_start(v: &Value<'_>, r: &mut Raw) -> Read {
    let conflicts = v.number(1).unwrap_or(100).max(1);
    set(&mut r.solver().heuristic.random_start, RandomStart { searches: v.number(0).unwrap_or(0), conflicts })
}
