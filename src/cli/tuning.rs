//! Options that tune the search: restarts, signs, learning, the tactics of core-guided optimisation.
//!
//! Invariant: a value without counterpart here puts its option's name on the list of those without effect.

use super::args::{Args, Given};
use super::pattern::unsigned;
use crate::solve::engine::extras::{
    AfterModel, Antecedents, Blocking, Extras, FirstWatches, RestartRule, SizeLimit, UpdateGlue,
};
use crate::solve::engine::options::{SearchMode, Sign, Tuning};
use crate::solve::engine::schedule::{Growth, Schedule};
use crate::solve::{
    Candidates, CoreTactics, Eliminate, Forget, LoopNogoods, Relaxation, Sharing, Shrink, SolveOptions,
    SumsAsClauses, Topology,
};

/// The words of an option's value in small letters; `no` if it is negated.
fn words(given: &Given<'_>) -> Vec<String> {
    match given.value {
        _ if given.negated => vec!["no".to_string()],
        Some(value) => value.split(',').map(str::to_ascii_lowercase).collect(),
        None => Vec::new(),
    }
}

/// Reads the options that tune the search. Returns the names of those whose values have no effect.
pub fn tune(args: &Args<'_>, solve: &mut SolveOptions) -> Vec<&'static str> {
    let mut noted = Vec::new();
    for given in &args.options {
        let words = words(given);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let yes = words != ["no"];
        let extras = &mut solve.tuning.extras;
        let understood = match given.spec.long {
            "heuristic" => heuristic(&words, solve),
            "restarts" => restarts(&words, &mut solve.tuning),
            "reset-restarts" => after_model(&words, extras),
            "local-restarts" => set(&mut extras.local_restarts, yes),
            "counter-restarts" => counter_restarts(&words, extras),
            "block-restarts" => blocking(&words, extras),
            "restart-on-model" => set(&mut extras.restart_on_model, yes),
            "deletion" => deletion(&words, &mut solve.tuning),
            "del-init" | "del-grow" | "del-cfl" | "del-max" | "del-glue" | "del-on-restart" => {
                deletion_schedule(given.spec.long, &words, extras)
            }
            "strengthen" => strengthen(&words, &mut solve.tuning),
            "update-lbd" => update_glue(&words, extras),
            "lookahead" => lookahead(&words, extras),
            "update-act" => set(&mut extras.reward_glue, true),
            "vsids-progress" => decay_progress(&words, extras),
            "vsids-acids" => set(&mut extras.average_scores, yes),
            "sign-def" => set(&mut solve.tuning.sign, sign(&words)),
            "sign-def-disj" => set(&mut solve.tuning.disjunctive_sign, Some(sign(&words))),
            "sign-fix" => set(&mut extras.fixed_signs, yes),
            "rand-prob" => random_start(&words, extras),
            "init-watches" => first_watches(&words, extras),
            "init-moms" => set(&mut solve.tuning.first_scores, Some(yes)),
            "save-progress" => save_progress(&words, &mut solve.tuning),
            "trans-ext" => sums(&words, &mut solve.tuning),
            "eq" => equivalences(&words, &mut solve.tuning),
            "loops" => loops(&words, solve),
            "opt-heuristic" => objective_heuristic(&words, solve),
            "opt-usc-shrink" => shrink(&words, &mut solve.cores),
            "forget-on-step" => forget(&words, solve),
            "distribute" => distribute(&words, &mut solve.sharing),
            "integrate" => integrate(&words, &mut solve.sharing),
            _ => true,
        };
        if !understood && !noted.contains(&given.spec.long) {
            noted.push(given.spec.long);
        }
    }
    if args.has("no-lookback") {
        // Nothing is learned, so there is nothing to share, to delete or to restart for.
        solve.tuning.extras.no_learning = true;
        let extras = &mut solve.tuning.extras;
        if !args.has("lookahead") {
            extras.lookahead = Some((Candidates::Atoms, u64::MAX));
        }
        extras.decide_by_lookahead |= !args.has("heuristic");
        solve.tuning.no_restarts = true;
        solve.elimination = Eliminate::No;
        solve.threads = 1;
    }
    noted
}

/// Sets a value; there is no other that it could have.
fn set<T>(to: &mut T, value: T) -> bool {
    *to = value;
    true
}

/// The number at a place of a value.
fn number(words: &[&str], at: usize) -> Option<u64> {
    words.get(at).copied().and_then(unsigned)
}

/// The number at a place of a value, or the greatest that fits.
fn small(words: &[&str], at: usize) -> Option<u32> {
    number(words, at).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// Whether words have a name, or a sum that its bit is part of.
fn names(words: &[&str], name: &str, bit: u64) -> bool {
    words.iter().any(|w| *w == name || unsigned(w).is_some_and(|bits| bits & bit != 0))
}

/// The decimal number at a place of a value.
fn decimal(words: &[&str], at: usize) -> Option<f64> {
    words.get(at).and_then(|w| w.parse().ok()).filter(|n: &f64| n.is_finite())
}

/// What digits behind the point stand for: 95 is 0.95.
fn fraction(words: &[&str], at: usize) -> Option<f64> {
    let digits = words.get(at).filter(|w| w.bytes().all(|b| b.is_ascii_digit()))?;
    format!("0.{digits}").parse().ok().filter(|&f: &f64| f > 0.0)
}

/// `F,N`: N each time. `L,N`: Luby's sequence in units of N. `x,N,F`: each time F times as many. `+,N,M`: each time M more.
/// A further number says after how many it begins anew.
fn schedule(words: &[&str]) -> Option<Schedule> {
    let first = number(words, 1)?.max(1);
    let (growth, repeat) = match *words.first()? {
        "f" => (Growth::None, None),
        "l" => (Growth::Luby, number(words, 2)),
        "x" => (Growth::Factor(decimal(words, 2)?), number(words, 3)),
        "+" => (Growth::Summand(number(words, 2)?), number(words, 3)),
        _ => return None,
    };
    Some(Schedule { first, growth, repeat: repeat.unwrap_or(0) })
}

fn heuristic(words: &[&str], solve: &mut SolveOptions) -> bool {
    let tuning = &mut solve.tuning;
    match words.first() {
        Some(&"domain") => {
            solve.domain_heuristic = true;
            tuning.decay = fraction(words, 1);
        }
        Some(&"vsids") => {
            tuning.mode = Some(SearchMode::Stable);
            tuning.decay = fraction(words, 1);
        }
        Some(&"vmtf") => {
            tuning.mode = Some(SearchMode::Focused);
            tuning.extras.moved = number(words, 1).map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        }
        Some(&"unit") => {
            tuning.extras.decide_by_lookahead = true;
            tuning.extras.lookahead = tuning.extras.lookahead.or(Some((Candidates::Atoms, u64::MAX)));
        }
        Some(&"none") => {
            tuning.mode = Some(SearchMode::Stable);
            tuning.extras.in_order = true;
        }
        _ => return false,
    }
    true
}

/// A schedule of conflicts, or `D,N,K`: by glue, after at least N conflicts, when K times the recent average is more than
/// the one of all.
fn restarts(words: &[&str], tuning: &mut Tuning) -> bool {
    match words.first() {
        Some(&("no" | "0")) => tuning.no_restarts = true,
        Some(&"d") => {
            tuning.restart_interval = number(words, 1).map(|n| n.max(1));
            let factor = decimal(words, 2).filter(|&k| k > 0.0);
            tuning.restart_margin = factor.map(|k| 1.0 / k);
            tuning.extras.restart = RestartRule::Glue;
            tuning.mode = tuning.mode.or(Some(SearchMode::Focused));
        }
        _ => {
            let Some(schedule) = schedule(words) else { return false };
            tuning.extras.restart = RestartRule::Schedule(schedule);
            tuning.mode = tuning.mode.or(Some(SearchMode::Stable));
        }
    }
    true
}

/// A number of rounds of 0 is any number.
fn lookahead(words: &[&str], extras: &mut Extras) -> bool {
    let kind = match words.first() {
        Some(&("no" | "0")) => {
            extras.lookahead = None;
            return true;
        }
        Some(&"body") => Candidates::Bodies,
        Some(&"hybrid") => Candidates::All,
        _ => Candidates::Atoms,
    };
    extras.lookahead = Some((kind, number(words, 1).filter(|&n| n > 0).unwrap_or(u64::MAX)));
    true
}

fn after_model(words: &[&str], extras: &mut Extras) -> bool {
    extras.after_model = match words.first() {
        Some(&("repeat" | "1")) => AfterModel::Repeat,
        Some(&("disable" | "2")) => AfterModel::Disable,
        _ => AfterModel::GoOn,
    };
    true
}

fn counter_restarts(words: &[&str], extras: &mut Extras) -> bool {
    let rate = number(words, 0).filter(|&n| n > 0);
    extras.counter_restarts = rate.map(|rate| (rate, number(words, 1).unwrap_or(1) as f64));
    true
}

/// The kind of average that may follow is always the same.
fn blocking(words: &[&str], extras: &mut Extras) -> bool {
    let window = number(words, 0).filter(|&n| n > 0);
    extras.blocking = window.map(|window| Blocking {
        window,
        factor: decimal(words, 1).unwrap_or(1.4),
        first: number(words, 2).unwrap_or(10_000),
    });
    true
}

/// Whatever the algorithm and the score are called, the worst by glue go.
fn deletion(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.keep_learned = matches!(words, ["no" | "0", ..]);
    tuning.extras.deleted_share = number(words, 1).map(|percent| percent as f64 / 100.0);
    tuning.keep_learned || tuning.extras.deleted_share.is_some()
}

/// When there are too many learned clauses, and which ones do not count.
fn deletion_schedule(option: &str, words: &[&str], extras: &mut Extras) -> bool {
    let is_no = matches!(words, ["no" | "0"]);
    let default = SizeLimit { fraction: 3.0, range: (10, u64::MAX), growth: 1.0, stop: 3.0, schedule: None };
    match option {
        "del-init" => {
            let limit = extras.size_limit.get_or_insert(default);
            limit.fraction = decimal(words, 0).filter(|&f| f > 0.0).unwrap_or(limit.fraction);
            limit.range = (number(words, 1).unwrap_or(10), number(words, 2).unwrap_or(u64::MAX));
        }
        "del-grow" if is_no => {
            if let Some(limit) = &mut extras.size_limit {
                limit.growth = 1.0;
            }
        }
        "del-grow" => {
            let limit = extras.size_limit.get_or_insert(default);
            limit.growth = decimal(words, 0).unwrap_or(1.0);
            limit.stop = decimal(words, 1).unwrap_or(3.0);
            limit.schedule = words.get(2..).and_then(schedule);
        }
        "del-cfl" if is_no => extras.no_deletion_by_conflicts = true,
        "del-cfl" => extras.deletions = schedule(words),
        "del-max" => extras.most_learned = if is_no { None } else { number(words, 0) },
        "del-glue" => {
            extras.kept_glue = small(words, 0);
            extras.kept_is_free = number(words, 1) == Some(1);
        }
        _ => extras.deleted_on_restart = number(words, 0).unwrap_or(0) as f64 / 100.0,
    }
    true
}

fn strengthen(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.no_minimization = matches!(words, ["no" | "0", ..]);
    tuning.extras.minimize_locally = words.first() == Some(&"local");
    tuning.extras.antecedents = match words.get(1) {
        Some(&"short") => Antecedents::Short,
        Some(&"binary") => Antecedents::Binary,
        _ => Antecedents::All,
    };
    true
}

fn update_glue(words: &[&str], extras: &mut Extras) -> bool {
    extras.update_glue = match words.first() {
        Some(&"less" | &"1") => UpdateGlue::Less,
        Some(&"glucose" | &"2") => UpdateGlue::MuchLess,
        Some(&"pseudo" | &"3") => UpdateGlue::Pseudo,
        _ => UpdateGlue::Never,
    };
    extras.protected_glue = small(words, 1).unwrap_or(0);
    true
}

fn decay_progress(words: &[&str], extras: &mut Extras) -> bool {
    extras.decay_progress = fraction(words, 0).map(|first| {
        let more = number(words, 1).unwrap_or(1) as f64 / 100.0;
        (first, more, number(words, 2).unwrap_or(5000))
    });
    true
}

fn sign(words: &[&str]) -> Sign {
    match words.first() {
        Some(&"pos") => Sign::Positive,
        Some(&"neg") => Sign::Negative,
        Some(&"rnd") => Sign::Random,
        _ => Sign::Auto,
    }
}

fn random_start(words: &[&str], extras: &mut Extras) -> bool {
    extras.random_start = (number(words, 0).unwrap_or(0), number(words, 1).unwrap_or(100).max(1));
    true
}

fn first_watches(words: &[&str], extras: &mut Extras) -> bool {
    extras.watches = match words.first() {
        Some(&"rnd" | &"0") => FirstWatches::Random,
        Some(&"least" | &"2") => FirstWatches::Least,
        _ => FirstWatches::First,
    };
    true
}

/// With a number, only where more levels than that are undone at once.
fn save_progress(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.saved_phases = Some(!matches!(words, ["no" | "0"]));
    tuning.extras.saved_beyond = small(words, 0).unwrap_or(0);
    true
}

/// There is no number of rounds between none and all.
fn equivalences(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.no_equivalences = words == ["0"];
    tuning.no_equivalences || words == ["-1"]
}

/// Choices are never anything else.
fn sums(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.sums = match words.first() {
        Some(&"all" | &"weight") => SumsAsClauses::All,
        Some(&"card") => SumsAsClauses::Cardinalities,
        Some(&"integ") => SumsAsClauses::Constraints,
        Some(&"scc") => SumsAsClauses::Recursive,
        Some(&"dynamic") => SumsAsClauses::Small,
        _ => SumsAsClauses::None,
    };
    words.first() != Some(&"choice")
}

fn loops(words: &[&str], solve: &mut SolveOptions) -> bool {
    solve.loops = match words.first() {
        Some(&"distinct") => LoopNogoods::Distinct,
        Some(&"no") => LoopNogoods::Never,
        _ => LoopNogoods::Common,
    };
    words.first() != Some(&"shared")
}

/// By name, or as a sum of 1, 2, 4 and 8.
fn forget(words: &[&str], solve: &mut SolveOptions) -> bool {
    solve.forget = Forget {
        scores: names(words, "varscores", 1),
        signs: names(words, "signs", 2),
        lemma_scores: names(words, "lemmascores", 4),
        lemmas: names(words, "lemmas", 8),
    };
    true
}

/// Nogoods of loops alone are not shared.
fn distribute(words: &[&str], sharing: &mut Sharing) -> bool {
    let glue = small(words, 2).unwrap_or(4);
    let length = number(words, 3).map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    (sharing.length, sharing.glue) = match words.first() {
        Some(&("no" | "0" | "loop")) => (0, 0),
        Some(&"short") => (length.min(3), glue),
        _ => (length, glue),
    };
    true
}

/// All that is integrated stays as long as learned clauses do.
fn integrate(words: &[&str], sharing: &mut Sharing) -> bool {
    sharing.only_unit = words.first() == Some(&"unsat");
    sharing.only_open = words.first() == Some(&"active");
    sharing.topology = match words.last() {
        Some(&"ring") => Topology::Ring,
        Some(&"cube") => Topology::Cube,
        Some(&"cubex") => Topology::CubeAcross,
        _ => Topology::All,
    };
    true
}

fn objective_heuristic(words: &[&str], solve: &mut SolveOptions) -> bool {
    solve.cheap_signs = names(words, "sign", 1);
    solve.follow_best = names(words, "model", 2);
    true
}

/// The limit is an exponent to the base 2, by default 10; 0 is none.
fn shrink(words: &[&str], cores: &mut CoreTactics) -> bool {
    cores.shrink = match words.first() {
        Some(&"lin") => Some(Shrink::Forward),
        Some(&"inv") => Some(Shrink::Backward),
        Some(&"bin") => Some(Shrink::Binary),
        Some(&"rgs") => Some(Shrink::Geometric),
        Some(&"exp") => Some(Shrink::Exponential),
        Some(&"min") => Some(Shrink::Minimal),
        _ => None,
    };
    let exponent = words.get(1).copied().and_then(unsigned).unwrap_or(10);
    cores.shrink_conflicts = Some(if exponent == 0 { 0 } else { 1 << exponent.min(62) });
    true
}

/// The tactics behind `usc`: all of them unless some are named or given as a sum of 1 (disjoint), 2 (succinct, which
/// is always on) and 4 (stratify).
pub fn core_tactics(text: &str) -> CoreTactics {
    let mut tactics = CoreTactics::default();
    let mut words = text.split(',').filter(|w| !w.is_empty()).peekable();
    let mut named: Option<u64> = None;
    while let Some(word) = words.next() {
        let bits = match word {
            "oll" => {
                tactics.relaxation = Relaxation::Oll;
                continue;
            }
            "one" => {
                tactics.relaxation = Relaxation::One;
                continue;
            }
            "pmres" => {
                tactics.relaxation = Relaxation::Pmres;
                continue;
            }
            "k" => {
                let size = words.next_if(|w| unsigned(w).is_some()).and_then(unsigned);
                let size = size.filter(|&n| n > 0).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
                tactics.relaxation = Relaxation::Bounded(size);
                continue;
            }
            "disjoint" => 1,
            "succinct" => 2,
            "stratify" => 4,
            bits => unsigned(bits).unwrap_or(0),
        };
        named = Some(named.unwrap_or(0) | bits);
    }
    if let Some(bits) = named {
        tactics.disjoint = bits & 1 != 0;
        tactics.stratify = bits & 4 != 0;
    }
    tactics
}
