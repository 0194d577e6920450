//! Options that tune the search: restarts, signs, learning, the tactics of core-guided optimisation.
//!
//! Invariant: a value without counterpart here puts its option's name on the list of those without effect.

use super::args::{Args, Given};
use super::pattern::unsigned;
use crate::solve::options::{SearchMode, Sign, Tuning};
use crate::solve::{CoreTactics, LoopNogoods, Relaxation, Shrink, SolveOptions};

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
        let understood = match given.spec.long {
            "heuristic" => heuristic(&words, solve),
            "restarts" => restarts(&words, &mut solve.tuning),
            "deletion" => no(&words).inspect(|&no| solve.tuning.keep_learned = no).is_some(),
            "strengthen" => strengthen(&words, &mut solve.tuning),
            "sign-def" => sign(&words, &mut solve.tuning),
            "save-progress" => save_progress(&words, &mut solve.tuning),
            "eq" => equivalences(&words, &mut solve.tuning),
            "loops" => loops(&words, solve),
            "opt-heuristic" => objective_heuristic(&words, solve),
            "opt-usc-shrink" => shrink(&words, &mut solve.cores),
            _ => true,
        };
        if !understood && !noted.contains(&given.spec.long) {
            noted.push(given.spec.long);
        }
    }
    // A schedule of restarts belongs to a search style.
    let clash = match solve.tuning.mode {
        Some(SearchMode::Stable) => solve.tuning.restart_margin.is_some(),
        Some(SearchMode::Focused) => solve.tuning.luby_unit.is_some(),
        _ => false,
    };
    if clash && !noted.contains(&"restarts") {
        noted.push("restarts");
    }
    noted
}

/// Whether the value is `no`; `None` if it is neither that nor a default.
fn no(words: &[&str]) -> Option<bool> {
    matches!(words, ["no" | "0", ..]).then_some(true)
}

fn heuristic(words: &[&str], solve: &mut SolveOptions) -> bool {
    match words.first() {
        Some(&"domain") => solve.domain_heuristic = true,
        Some(&"vsids") => solve.tuning.mode = Some(SearchMode::Stable),
        Some(&"vmtf") => solve.tuning.mode = Some(SearchMode::Focused),
        _ => return false,
    }
    true
}

/// `L,N`: Luby's sequence in units of N. `D,N,K`: by glue, after at least N conflicts, when K times the recent average is
/// more than the one of all.
fn restarts(words: &[&str], tuning: &mut Tuning) -> bool {
    let number = words.get(1).copied().and_then(unsigned).map(|n| n.max(1));
    match words.first() {
        Some(&("no" | "0")) => tuning.no_restarts = true,
        Some(&"l") => {
            tuning.luby_unit = number;
            tuning.mode = tuning.mode.or(Some(SearchMode::Stable));
        }
        Some(&"d") => {
            tuning.restart_interval = number;
            let factor = words.get(2).and_then(|k| k.parse::<f64>().ok()).filter(|&k| k > 0.0);
            tuning.restart_margin = factor.map(|k| 1.0 / k);
            tuning.mode = tuning.mode.or(Some(SearchMode::Focused));
        }
        _ => return false,
    }
    true
}

fn strengthen(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.no_minimization = no(words).is_some();
    tuning.no_minimization || words.first() == Some(&"recursive")
}

fn sign(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.sign = match words.first() {
        Some(&"pos") => Sign::Positive,
        Some(&"neg") => Sign::Negative,
        Some(&"rnd") => Sign::Random,
        _ => Sign::Auto,
    };
    true
}

/// There is no least length of a jump but none.
fn save_progress(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.saved_phases = match words {
        ["no" | "0"] => Some(false),
        [] | ["1"] => Some(true),
        _ => return false,
    };
    true
}

/// There is no number of rounds between none and all.
fn equivalences(words: &[&str], tuning: &mut Tuning) -> bool {
    tuning.no_equivalences = words == ["0"];
    tuning.no_equivalences || words == ["-1"]
}

fn loops(words: &[&str], solve: &mut SolveOptions) -> bool {
    solve.loops = match words.first() {
        Some(&"distinct") => LoopNogoods::Distinct,
        Some(&"no") => LoopNogoods::Never,
        _ => LoopNogoods::Common,
    };
    words.first() != Some(&"shared")
}

fn objective_heuristic(words: &[&str], solve: &mut SolveOptions) -> bool {
    let named = |name: &str, bit: u64| {
        words.iter().any(|w| *w == name || unsigned(w).is_some_and(|bits| bits & bit != 0))
    };
    solve.cheap_signs = named("sign", 1);
    solve.follow_best = named("model", 2);
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
