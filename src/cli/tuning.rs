//! Options that tune the search: restarts, signs, learning, the tactics of core-guided optimisation.
//!
//! Invariant: a value without counterpart here puts its option's name on the list of those without effect.

use super::args::{Args, Given};
use super::pattern::unsigned;
use crate::solve::engine::parameters::*;
use crate::solve::engine::schedule::{Growth, Schedule};
use crate::solve::{Eliminate, SolveOptions, SumsAsClauses, TranslateOptions};

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
        let solver = &mut solve.solver;
        let understood = match given.spec.long {
            "heuristic" => heuristic(&words, solve),
            "restarts" => restarts(&words, solver),
            "reset-restarts" => after_model(&words, &mut solver.restart),
            "local-restarts" => set(&mut solver.restart.local, yes),
            "counter-restarts" => counter_restarts(&words, &mut solver.restart),
            "block-restarts" => blocking(&words, &mut solver.restart),
            "restart-on-model" => set(&mut solver.restart.on_model, yes),
            "deletion" => deletion(&words, &mut solver.reduce),
            "del-init" | "del-grow" | "del-cfl" | "del-max" | "del-glue" | "del-on-restart" => {
                deletion_schedule(given.spec.long, &words, &mut solver.reduce)
            }
            "strengthen" => strengthen(&words, &mut solver.learning),
            "update-lbd" => update_lbd(&words, &mut solver.reduce),
            "lookahead" => lookahead(&words, &mut solver.lookahead),
            "update-act" => set(&mut solver.heuristic.reward_lbd, true),
            "vsids-progress" => decay_progress(&words, &mut solver.heuristic),
            "vsids-acids" => set(&mut solver.heuristic.average_activity, yes),
            "sign-def" => set(&mut solver.phase.sign, sign(&words)),
            "sign-def-disj" => set(&mut solver.phase.disjunctive_sign, Some(sign(&words))),
            "sign-fix" => set(&mut solver.phase.fixed, yes),
            "rand-prob" => random_start(&words, &mut solver.heuristic),
            "init-watches" => first_watches(&words, &mut solver.learning),
            "init-moms" => set(&mut solver.heuristic.initial_activity, Some(yes)),
            "save-progress" => save_progress(&words, &mut solver.phase),
            "trans-ext" => sums(&words, &mut solve.translate),
            "eq" => equivalences(&words, &mut solve.translate),
            "loops" => loops(&words, &mut solver.learning),
            "opt-heuristic" => objective_heuristic(&words, &mut solver.optimize),
            "opt-usc-shrink" => shrink(&words, &mut solver.optimize.cores),
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
        let solver = &mut solve.solver;
        solver.learning.enabled = false;
        if !args.has("lookahead") {
            let decides = solver.lookahead.decides;
            solver.lookahead =
                LookaheadParameters { candidates: Some(Candidates::Atoms), rounds: u64::MAX, decides };
        }
        solver.lookahead.decides |= !args.has("heuristic");
        solver.restart.enabled = false;
        solve.translate.elimination = Eliminate::No;
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
    let solver = &mut solve.solver;
    let decay = fraction(words, 1).unwrap_or(solver.heuristic.decay);
    match words.first() {
        Some(&"domain") => {
            solve.domain_heuristic = true;
            solver.heuristic.decay = decay;
        }
        Some(&"vsids") => {
            solver.mode = SearchMode::Stable;
            solver.heuristic.decay = decay;
        }
        Some(&"vmtf") => {
            solver.mode = SearchMode::Focused;
            let moved = number(words, 1).and_then(|n| usize::try_from(n).ok());
            solver.heuristic.moved = moved.unwrap_or(usize::MAX);
        }
        Some(&"unit") => {
            solver.lookahead.decides = true;
            solver.lookahead.candidates.get_or_insert(Candidates::Atoms);
        }
        Some(&"none") => {
            solver.mode = SearchMode::Stable;
            solver.heuristic.in_order = true;
        }
        _ => return false,
    }
    true
}

/// A schedule of conflicts, or `D,N,K`: by LBD, after at least N conflicts, when K times the recent average is more than
/// the one of all.
fn restarts(words: &[&str], solver: &mut SolverParameters) -> bool {
    let restart = &mut solver.restart;
    let mode = match words.first() {
        Some(&("no" | "0")) => {
            restart.enabled = false;
            return true;
        }
        Some(&"d") => {
            restart.interval = number(words, 1).unwrap_or(restart.interval).max(1);
            restart.margin = decimal(words, 2).filter(|&k| k > 0.0).map_or(restart.margin, |k| 1.0 / k);
            restart.rule = RestartRule::Lbd;
            SearchMode::Focused
        }
        _ => {
            let Some(schedule) = schedule(words) else { return false };
            restart.rule = RestartRule::Schedule(schedule);
            SearchMode::Stable
        }
    };
    // The heuristic, if one is asked for, decides on the style.
    if solver.mode == SearchMode::Switching {
        solver.mode = mode;
    }
    true
}

/// A number of rounds of 0 is any number.
fn lookahead(words: &[&str], lookahead: &mut LookaheadParameters) -> bool {
    lookahead.candidates = match words.first() {
        Some(&("no" | "0")) => None,
        Some(&"body") => Some(Candidates::Bodies),
        Some(&"hybrid") => Some(Candidates::All),
        _ => Some(Candidates::Atoms),
    };
    lookahead.rounds = number(words, 1).filter(|&n| n > 0).unwrap_or(u64::MAX);
    true
}

fn after_model(words: &[&str], restart: &mut RestartParameters) -> bool {
    restart.after_model = match words.first() {
        Some(&("repeat" | "1")) => AfterModel::Repeat,
        Some(&("disable" | "2")) => AfterModel::Disable,
        _ => AfterModel::GoOn,
    };
    true
}

fn counter_restarts(words: &[&str], restart: &mut RestartParameters) -> bool {
    let rate = number(words, 0).filter(|&n| n > 0);
    let factor = number(words, 1).unwrap_or(1) as f64;
    restart.counter = rate.map(|every| CounterRestarts { every, factor });
    true
}

/// The kind of average that may follow is always the same.
fn blocking(words: &[&str], restart: &mut RestartParameters) -> bool {
    let window = number(words, 0).filter(|&n| n > 0);
    restart.blocking = window.map(|window| Blocking {
        window,
        factor: decimal(words, 1).unwrap_or(1.4),
        first: number(words, 2).unwrap_or(10_000),
    });
    true
}

/// Whatever the algorithm and the score are called, the worst by LBD go.
fn deletion(words: &[&str], reduce: &mut ReduceParameters) -> bool {
    reduce.enabled = !matches!(words, ["no" | "0", ..]);
    let share = number(words, 1).map(|percent| percent as f64 / 100.0);
    reduce.share = share.unwrap_or(reduce.share);
    !reduce.enabled || share.is_some()
}

/// When there are too many learned clauses, and which ones do not count.
fn deletion_schedule(option: &str, words: &[&str], reduce: &mut ReduceParameters) -> bool {
    let is_no = matches!(words, ["no" | "0"]);
    match option {
        "del-init" => {
            let limit = reduce.size.get_or_insert_default();
            limit.fraction = decimal(words, 0).filter(|&f| f > 0.0).unwrap_or(limit.fraction);
            limit.least = number(words, 1).unwrap_or(10);
            limit.span = number(words, 2).unwrap_or(u64::MAX);
        }
        "del-grow" if is_no => {
            if let Some(limit) = &mut reduce.size {
                limit.growth = 1.0;
            }
        }
        "del-grow" => {
            let limit = reduce.size.get_or_insert_default();
            limit.growth = decimal(words, 0).unwrap_or(1.0);
            limit.stop = decimal(words, 1).unwrap_or(3.0);
            limit.schedule = words.get(2..).and_then(schedule);
        }
        "del-cfl" => reduce.schedule = schedule(words),
        "del-max" => reduce.most = if is_no { None } else { number(words, 0) },
        "del-glue" => {
            reduce.core_lbd = small(words, 0).unwrap_or(reduce.core_lbd);
            reduce.core_is_free = number(words, 1) == Some(1);
        }
        _ => reduce.on_restart = number(words, 0).unwrap_or(0) as f64 / 100.0,
    }
    true
}

fn strengthen(words: &[&str], learning: &mut LearningParameters) -> bool {
    learning.minimize = !matches!(words, ["no" | "0", ..]);
    learning.strengthen = learning.minimize;
    learning.recursive = words.first() != Some(&"local");
    learning.antecedents = match words.get(1) {
        Some(&"short") => Antecedents::Short,
        Some(&"binary") => Antecedents::Binary,
        _ => Antecedents::All,
    };
    true
}

fn update_lbd(words: &[&str], reduce: &mut ReduceParameters) -> bool {
    reduce.update_lbd = match words.first() {
        Some(&"less" | &"1") => UpdateLbd::Less,
        Some(&"glucose" | &"2") => UpdateLbd::MuchLess,
        Some(&"pseudo" | &"3") => UpdateLbd::Pseudo,
        _ => UpdateLbd::Never,
    };
    reduce.protected_lbd = small(words, 1).unwrap_or(0);
    true
}

fn decay_progress(words: &[&str], heuristic: &mut HeuristicParameters) -> bool {
    heuristic.decay_progress = fraction(words, 0).map(|first| DecayProgress {
        first,
        step: number(words, 1).unwrap_or(1) as f64 / 100.0,
        interval: number(words, 2).unwrap_or(5000),
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

fn random_start(words: &[&str], heuristic: &mut HeuristicParameters) -> bool {
    let searches = number(words, 0).unwrap_or(0);
    heuristic.random_start = RandomStart { searches, conflicts: number(words, 1).unwrap_or(100).max(1) };
    true
}

fn first_watches(words: &[&str], learning: &mut LearningParameters) -> bool {
    learning.watches = match words.first() {
        Some(&"rnd" | &"0") => FirstWatches::Random,
        Some(&"least" | &"2") => FirstWatches::Least,
        _ => FirstWatches::First,
    };
    true
}

/// With a number, only where more levels than that are undone at once.
fn save_progress(words: &[&str], phase: &mut PhaseParameters) -> bool {
    let is_no = matches!(words, ["no" | "0"]);
    phase.rule = if is_no { PhaseRule::LearnedPolarity } else { PhaseRule::Saved };
    phase.saved_beyond = small(words, 0).unwrap_or(0);
    true
}

/// There is no number of rounds between none and all.
fn equivalences(words: &[&str], translate: &mut TranslateOptions) -> bool {
    translate.equivalences = words != ["0"];
    !translate.equivalences || words == ["-1"]
}

/// Choices are never anything else.
fn sums(words: &[&str], translate: &mut TranslateOptions) -> bool {
    translate.sums = match words.first() {
        Some(&"all" | &"weight") => SumsAsClauses::All,
        Some(&"card") => SumsAsClauses::Cardinalities,
        Some(&"integ") => SumsAsClauses::Constraints,
        Some(&"scc") => SumsAsClauses::Recursive,
        Some(&"dynamic") => SumsAsClauses::Small,
        _ => SumsAsClauses::None,
    };
    words.first() != Some(&"choice")
}

fn loops(words: &[&str], learning: &mut LearningParameters) -> bool {
    learning.loops = match words.first() {
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
fn distribute(words: &[&str], sharing: &mut SharingParameters) -> bool {
    let lbd = small(words, 2).unwrap_or(4);
    let length = number(words, 3).map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    (sharing.length, sharing.lbd) = match words.first() {
        Some(&("no" | "0" | "loop")) => (0, 0),
        Some(&"short") => (length.min(3), lbd),
        _ => (length, lbd),
    };
    true
}

/// All that is integrated stays as long as learned clauses do.
fn integrate(words: &[&str], sharing: &mut SharingParameters) -> bool {
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

fn objective_heuristic(words: &[&str], optimize: &mut OptimizeParameters) -> bool {
    optimize.cheap_signs = names(words, "sign", 1);
    optimize.follow_best = names(words, "model", 2);
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
