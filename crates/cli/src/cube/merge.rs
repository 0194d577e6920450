//! The results of cubes, merged.
//!
//! A cube counts once, by the first result that closes it, or by those of the cubes that it was split into. A cube without such
//! a result is open; its partial result still counts. Invariant: an exact result needs a result that closes each cube; costs are
//! called optimal only if each cube was searched for costs as good.

use std::cmp::Reverse;

use super::result::{CubeResult, Witness};
use asp_base::map::{Map, Set};
use asp_options::cube::CubeFile;
use asp_run::bounds::Noted;

/// The mode of the runs on the cubes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Answer sets.
    Models,
    /// Brave consequences.
    Brave,
    /// Cautious consequences.
    Cautious,
    /// One of the best.
    Opt,
    /// All of the best.
    OptN,
}

impl Mode {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "models" => Self::Models,
            "brave" => Self::Brave,
            "cautious" => Self::Cautious,
            "opt" => Self::Opt,
            "optN" => Self::OptN,
            _ => return None,
        })
    }

    /// Whether an optimum is looked for.
    pub(crate) fn optimises(self) -> bool {
        matches!(self, Self::Opt | Self::OptN)
    }
}

/// All results together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Merged {
    pub(crate) mode: Mode,
    /// Whether there is an answer set.
    pub(crate) is_satisfiable: bool,
    /// Whether each cube is closed.
    pub(crate) is_exhausted: bool,
    /// Answer sets, or optimal ones: a lower bound, or the exact number if everything is exhausted.
    pub(crate) models: u64,
    pub(crate) costs: Option<Vec<i64>>,
    /// Whether no answer set can have better ones.
    pub(crate) is_optimal: bool,
    /// Costs that none is below, if the best are not known to be optimal.
    pub(crate) lower: Option<Vec<i64>>,
    /// The answer sets, or the one that consequences make up.
    pub(crate) witnesses: Vec<Witness>,
    /// How many cubes there are in all.
    pub(crate) cubes: usize,
    /// Those that are open.
    pub(crate) open: Vec<String>,
    pub(crate) notes: Vec<String>,
}

/// Merges the results of the cubes of one program, and the best answer set of the file by which the runs shared better costs.
pub(crate) fn merge(
    files: &[CubeFile],
    results: &[CubeResult],
    noted: Option<Noted>,
) -> Result<Merged, String> {
    let roots: Vec<&CubeFile> = files.iter().filter(|f| f.head.parent.is_none()).collect();
    let [root] = roots.as_slice() else {
        return Err(format!("expected one file of cubes of a whole program, found {}", roots.len()));
    };
    let mut parts: Map<&str, &CubeFile> = Map::default();
    let mut ids: Set<&str> = root.cubes.iter().map(|c| c.id.as_str()).collect();
    for file in files {
        let Some(parent) = &file.head.parent else { continue };
        if file.head.program != root.head.program || file.head.projection != root.head.projection {
            return Err(format!("the parts of cube {parent} are of another ground program or projection"));
        }
        if parts.insert(parent, file).is_some() {
            return Err(format!("cube {parent} was split twice: give one of the two files"));
        }
        ids.extend(file.cubes.iter().map(|c| c.id.as_str()));
    }
    let mut by_id: Map<&str, Vec<&CubeResult>> = Map::default();
    for result in results {
        if result.program != root.head.program {
            return Err(format!("{} is of another ground program than the cubes", result.name));
        }
        if !ids.contains(result.id.as_str()) {
            return Err(format!("{} is of cube {}, which does not exist", result.name, result.id));
        }
        by_id.entry(&result.id).or_default().push(result);
    }
    let mode = mode(results)?;
    let mut notes = Vec::new();
    let mut chosen: Vec<&CubeResult> = Vec::new();
    let (mut open, mut cubes) = (Vec::new(), 0);
    // Cubes to look at, the next one last.
    let mut stack: Vec<&str> = root.cubes.iter().rev().map(|c| c.id.as_str()).collect();
    while let Some(id) = stack.pop() {
        let own = by_id.get(id).map_or(&[][..], Vec::as_slice);
        if let Some(note) = agree(id, own)? {
            notes.push(note);
        }
        // Several results of a cube may have found the same answer sets: the one that got furthest counts.
        let progress =
            |r: &&&CubeResult| (!r.is_closed, r.costs.is_none(), r.costs.clone(), Reverse(r.models));
        let furthest = own.iter().min_by_key(progress);
        let is_closed = furthest.is_some_and(|r| r.is_closed);
        if let (false, Some(file)) = (is_closed, parts.get(id)) {
            stack.extend(file.cubes.iter().rev().map(|c| c.id.as_str()));
            continue;
        }
        cubes += 1;
        if !is_closed {
            open.push(id.to_string());
        }
        chosen.extend(furthest);
    }
    Ok(total(mode, &chosen, Ended { cubes, open, notes, noted: noted.filter(|_| mode == Mode::Opt) }))
}

fn mode(results: &[CubeResult]) -> Result<Mode, String> {
    let Some(first) = results.first() else { return Ok(Mode::Models) };
    if let Some(other) = results.iter().find(|r| r.mode != first.mode) {
        let (a, b) = (&first.mode, &other.mode);
        return Err(format!(
            "{} answers {a} and {} answers {b}: ask all cubes the same question",
            first.name, other.name
        ));
    }
    Mode::of(&first.mode).ok_or_else(|| format!("{}: unknown mode {}", first.name, first.mode))
}

/// Whether the results that close a cube say the same; a note if there are several.
fn agree(id: &str, results: &[&CubeResult]) -> Result<Option<String>, String> {
    let mut closed = results.iter().filter(|r| r.is_closed);
    let Some(first) = closed.next() else { return Ok(None) };
    let mut others = 0;
    for other in closed {
        others += 1;
        let bounded = first.bound.is_some() || other.bound.is_some();
        let same = first.is_satisfiable == other.is_satisfiable
            && first.costs == other.costs
            && (first.models == other.models || first.mode != "models" && first.mode != "optN");
        if !bounded && !same {
            return Err(format!("{} and {} contradict each other about cube {id}", first.name, other.name));
        }
    }
    Ok((others > 0).then(|| format!("cube {id} has {} results; it counts once", others + 1)))
}

/// How the cubes ended.
struct Ended {
    cubes: usize,
    open: Vec<String>,
    notes: Vec<String>,
    noted: Option<Noted>,
}

fn total(mode: Mode, results: &[&CubeResult], ended: Ended) -> Merged {
    let Ended { cubes, open, mut notes, noted } = ended;
    let is_exhausted = open.is_empty();
    let is_satisfiable = noted.is_some() || results.iter().any(|r| r.is_satisfiable);
    let told = noted.iter().map(|n| n.costs.clone());
    let costs = results.iter().filter_map(|r| r.costs.clone()).chain(told).min();
    // A search for better costs than a bound has not excluded those at the bound.
    let bound = results.iter().filter_map(|r| r.bound.clone()).min();
    let is_met = match (&bound, &costs) {
        (Some(bound), Some(costs)) => bound >= costs,
        (Some(_), None) => false,
        (None, _) => true,
    };
    if let (Some(bound), false) = (&bound, is_met) {
        notes.push(format!("the answer set with costs {} is in none of the results", join(bound)));
    }
    let is_exhausted = is_exhausted && is_met;
    let is_optimal = mode.optimises() && is_exhausted && costs.is_some();
    let lower = if is_optimal || !mode.optimises() { None } else { lower_bound(results, &open, bound) };
    let counts = |r: &&&CubeResult| mode != Mode::OptN || r.costs == costs;
    let models = match mode {
        Mode::Models | Mode::OptN => results.iter().filter(counts).map(|r| r.models).sum(),
        _ => u64::from(is_satisfiable),
    };
    let witnesses = match mode {
        Mode::Brave | Mode::Cautious => consequences(mode, results).into_iter().collect(),
        Mode::Models => results.iter().flat_map(|r| r.witnesses.iter().cloned()).collect(),
        Mode::Opt | Mode::OptN => {
            let mut best: Vec<Witness> =
                results.iter().flat_map(|r| &r.witnesses).filter(|w| w.costs == costs).cloned().collect();
            if let Some(noted) = noted.filter(|n| best.is_empty() && Some(&n.costs) == costs.as_ref()) {
                best.push(Witness { shown: noted.shown, costs: Some(noted.costs) });
            }
            if mode == Mode::Opt {
                best.truncate(1);
            }
            best
        }
    };
    Merged {
        mode,
        is_satisfiable,
        is_exhausted,
        models,
        costs,
        is_optimal,
        lower,
        witnesses,
        cubes,
        open,
        notes,
    }
}

/// The lower bound of the costs: the least of all cubes, if each has one.
fn lower_bound(results: &[&CubeResult], open: &[String], bound: Option<Vec<i64>>) -> Option<Vec<i64>> {
    let mut least = bound;
    for id in open {
        let best = results.iter().filter(|r| r.id == *id).filter_map(|r| r.lower.clone()).max()?;
        least = Some(least.map_or(best.clone(), |l| l.min(best)));
    }
    let closed =
        results.iter().filter(|r| r.is_closed && r.is_satisfiable).filter_map(|r| r.costs.clone()).min();
    match (least, closed) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// The union or the intersection of the results of cubes with answer sets; nothing if one did not print it.
fn consequences(mode: Mode, results: &[&CubeResult]) -> Option<Witness> {
    let satisfiable = results.iter().filter(|r| r.is_satisfiable);
    let sets: Option<Vec<&Vec<String>>> =
        satisfiable.map(|r| r.witnesses.last().and_then(|w| w.shown.as_ref())).collect();
    let sets = sets?;
    let first = *sets.first()?;
    let shown = if mode == Mode::Brave {
        let mut seen = Set::default();
        sets.iter().flat_map(|set| set.iter()).filter(|text| seen.insert(text.as_str())).cloned().collect()
    } else {
        let others: Vec<Set<&str>> =
            sets.iter().map(|set| set.iter().map(String::as_str).collect()).collect();
        first.iter().filter(|text| others.iter().all(|set| set.contains(text.as_str()))).cloned().collect()
    };
    Some(Witness { shown: Some(shown), costs: None })
}

/// Numbers with spaces between.
pub(crate) fn join(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_options::cube::{Cube, Head};

    fn result(
        name: &str,
        id: &str,
        mode: &str,
        is_closed: bool,
        models: u64,
        costs: Option<i64>,
    ) -> CubeResult {
        CubeResult {
            name: name.into(),
            id: id.into(),
            program: "ab".into(),
            mode: mode.into(),
            is_closed,
            is_satisfiable: models > 0,
            models,
            costs: costs.map(|c| vec![c]),
            lower: None,
            bound: None,
            witnesses: Vec::new(),
        }
    }

    #[test]
    fn results_of_an_open_cube_count_once() {
        let cube = |id: &str| Cube {
            id: id.into(),
            program: "ab".into(),
            projection: "none".into(),
            literals: Vec::new(),
            text: String::new(),
        };
        let head = Head { cubes: 2, program: "ab".into(), projection: "none".into(), parent: None };
        let files = [CubeFile { head, cubes: vec![cube("1"), cube("2")] }];
        for (mode, costs) in [("optN", Some(5)), ("models", None)] {
            let results = [
                result("a", "1", mode, true, 4, costs),
                result("b", "2", mode, false, 3, costs),
                result("c", "2", mode, false, 2, costs),
                result("d", "2", mode, false, 1, costs.map(|c| c + 1)),
            ];
            let merged = merge(&files, &results, None).unwrap();
            assert_eq!((merged.models, merged.is_exhausted, merged.open), (7, false, vec!["2".to_string()]));
        }
    }
}
