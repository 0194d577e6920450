//! Forged proofs are rejected.
//!
//! A forgery claims something false: it leaves out an answer set that the program has, and is changed further at random so
//! that the rest might pass. No forgery may be accepted, whatever the changes. In other cases the claim stays true and a step
//! is changed: if that is accepted, VeriPB must find it valid, too.

mod support;

use asp::options::OptStrategy;
use asp::unstable::base::rng::Rng;
use asp::unstable::solve::{OptMode, Projection, SolveOptions};
use asp_check::{Files, check};
use support::{kept, prove, random_program, seeds, verified, veripb};

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_string).collect()
}

fn bytes(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

/// Says again how many constraints the formula has.
fn recount(files: &mut Files) {
    let count = lines(&files.formula).iter().filter(|line| !line.starts_with('*')).count();
    let mut steps = lines(&files.steps);
    steps[1] = format!("f {count} ;");
    files.steps = bytes(&steps);
}

/// The clause that demands another answer set than one.
fn other(model: &str, atoms: usize) -> String {
    let held: Vec<usize> = model.split(' ').skip(1).map(|n| n.parse().unwrap()).collect();
    let literal = |a| format!("1 {}x{a}", if held.contains(&a) { "~" } else { "" });
    (1..=atoms).map(literal).collect::<Vec<_>>().join(" ") + " >= 1 ;"
}

/// A literal flipped; in a sum of constraints perhaps another multiple, or another constraint.
fn flipped(line: &str, rng: &mut Rng) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
    let is_literal = |w: &str| ['x', 'b', 'd', 'z'].iter().any(|&c| w.trim_start_matches('~').starts_with(c));
    if words.iter().any(|w| w == "pol") {
        let numbers: Vec<usize> = (0..words.len()).filter(|&i| words[i].parse::<u64>().is_ok()).collect();
        if !numbers.is_empty() {
            let word = &mut words[numbers[rng.below(numbers.len() as u64) as usize]];
            *word = (word.parse::<u64>().unwrap() / 2 + rng.below(3)).to_string();
            return words.join(" ");
        }
    }
    let places: Vec<usize> =
        (0..words.len()).filter(|&i| is_literal(&words[i]) && words[i] != "del").collect();
    if places.is_empty() {
        return line.to_string();
    }
    let word = &mut words[places[rng.below(places.len() as u64) as usize]];
    *word = word.strip_prefix('~').map_or(format!("~{word}"), str::to_string);
    words.join(" ")
}

/// A proof that leaves out one of the answer sets, changed in one more way; what way that is.
fn forged(files: &Files, rng: &mut Rng) -> (Files, &'static str) {
    let mut files = files.clone();
    let mut claim = lines(&files.claim);
    let models = claim.len() - 3;
    let gone = rng.below(models as u64) as usize;
    let model = claim.remove(3 + gone);
    files.claim = bytes(&claim);
    let held: Vec<&str> = model.split(' ').skip(1).collect();
    let atoms: usize = claim[2].split(' ').nth(1).unwrap().parse().unwrap();
    let mut formula = lines(&files.formula);
    let mut witnesses = lines(&files.witnesses);
    let loops = witnesses.len();
    let first = formula.len() - loops - models;
    let demand = formula.remove(first + gone);
    let mut steps = lines(&files.steps);
    let way = match rng.below(10) {
        0 => "left out",
        9 => {
            // An atom, or what is defined already, is defined anew.
            let known = steps.iter().position(|s| s.contains(" : z1 -> 1 ")).filter(|_| rng.chance(0.5));
            let at = known.map_or(2, |i| i + 1 + rng.below((steps.len() - 3 - i) as u64) as usize);
            let own = known.map_or(format!("x{}", 1 + rng.below(atoms.max(1) as u64)), |_| "z1".to_string());
            let value = rng.below(2);
            let sign = if value == 1 { "" } else { "~" };
            steps.insert(at, format!("red 1 {sign}{own} >= 1 : {own} -> {value} ;"));
            "defined anew"
        }
        1 => {
            // An atom of the answer set is called unfounded.
            let set: Vec<&str> = held.iter().copied().filter(|_| rng.chance(0.5)).collect();
            let size = set.len();
            let terms: Vec<String> = set.iter().map(|a| format!("1 ~x{a}")).collect();
            formula.push(format!("{} >= {size} ;", terms.join(" ")));
            witnesses.push(set.join(" "));
            "forged witness"
        }
        2 => {
            // The demand is smuggled in as what an unfounded set implies.
            formula.push(demand);
            witnesses.push(held.first().copied().unwrap_or("1").to_string());
            "demand as loop"
        }
        3 => {
            formula.insert(first, demand);
            "demand without claim"
        }
        4 => {
            let at = 2 + rng.below(steps.len() as u64 - 4) as usize;
            steps.insert(at, format!("rup {}", other(&model, atoms)));
            "demand as step"
        }
        5 => {
            // An axiom is changed.
            if first > 1 {
                let at = 1 + rng.below(first as u64 - 1) as usize;
                formula[at] = flipped(&formula[at], rng);
            }
            "literal flipped in an axiom"
        }
        6 => {
            // A claim with the same answer set twice has as many as before.
            if claim.len() > 3 {
                claim.push(claim[3].clone());
                formula.insert(first, formula[first].clone());
            }
            files.claim = bytes(&claim);
            "listed twice"
        }
        7 => {
            for _ in 0..1 + rng.below(3) {
                let at = 2 + rng.below(steps.len() as u64 - 2) as usize;
                match rng.below(4) {
                    0 => steps[at] = flipped(&steps[at], rng),
                    1 => _ = steps.remove(at),
                    2 => steps.insert(at, "pol 1 0 * 1 + ;".to_string()),
                    _ => steps.insert(at, "rup >= 1 ;".to_string()),
                }
                if steps.len() < 5 {
                    break;
                }
            }
            "steps changed"
        }
        _ => {
            if loops > 0 {
                // The set of a witness loses or gains an atom, and so does its constraint.
                let at = rng.below(loops as u64) as usize;
                let mut set: Vec<String> = witnesses[at].split(' ').map(str::to_string).collect();
                set.retain(|a| !a.is_empty());
                if rng.chance(0.5) && set.len() > 1 {
                    set.pop();
                } else {
                    set.push(held.first().copied().unwrap_or("1").to_string());
                }
                let size = set.len();
                let terms: Vec<String> = set.iter().map(|a| format!("1 ~x{a}")).collect();
                let place = formula.len() - loops + at;
                formula[place] = format!("{} >= {size} ;", terms.join(" "));
                witnesses[at] = set.join(" ");
            }
            "witness changed"
        }
    };
    files.formula = bytes(&formula);
    files.witnesses = bytes(&witnesses);
    files.steps = bytes(&steps);
    if files.steps.iter().filter(|&&b| b == b'\n').count() > 1 {
        recount(&mut files);
    }
    (files, way)
}

#[test]
fn forgeries_are_rejected() {
    let mut counts = std::collections::BTreeMap::<&str, u32>::new();
    let mut options = SolveOptions { models: Some(0), ..SolveOptions::default() };
    for seed in seeds(150) {
        let mut rng = Rng::new(seed);
        // All answer sets, or optimal ones; as a whole, or what they project on.
        options.opt_mode = if rng.chance(0.5) { OptMode::Ignore } else { OptMode::OptN };
        options.solver.optimize.strategy =
            if rng.chance(0.5) { OptStrategy::CoreGuided } else { OptStrategy::Auto };
        options.projection = if rng.chance(0.7) { Projection::None } else { Projection::Project };
        let Ok((files, result)) = prove(&random_program(seed), &options) else { continue };
        if let Err(why) = check(&files) {
            panic!("seed {seed}: {why}, in {}", kept(seed, &files));
        }
        // Those on the way to an optimum do not count.
        let listed = lines(&files.claim).len() - 3;
        if !result.satisfiable || listed > 40 {
            continue;
        }
        for number in 0..10 {
            let (forgery, way) = forged(&files, &mut rng);
            if let Ok(verdict) = check(&forgery) {
                panic!(
                    "seed {seed}, forgery {number}, {way}: {verdict}\n{}\n{}\n{}\n{}",
                    String::from_utf8_lossy(&forgery.claim),
                    String::from_utf8_lossy(&forgery.formula),
                    String::from_utf8_lossy(&forgery.witnesses),
                    String::from_utf8_lossy(&forgery.steps)
                );
            }
            *counts.entry(way).or_default() += 1;
        }
    }
    println!("rejected: {counts:?}");
    assert!(counts.len() == 10 || seeds(150).end < 150, "{counts:?}");
}

/// The claim stays true; a step is dropped, or a literal is flipped in one. Whatever is accepted must be valid.
#[test]
fn changed_steps_are_rejected_or_valid() {
    let veripb = veripb();
    let dir = tempfile::tempdir().unwrap();
    let (mut rejected, mut valid, mut unsure) = (0, 0, 0);
    let mut options = SolveOptions { models: Some(0), ..SolveOptions::default() };
    options.solver.optimize.strategy = OptStrategy::CoreGuided;
    for seed in seeds(150) {
        let mut rng = Rng::new(seed);
        options.opt_mode = if rng.chance(0.5) { OptMode::Ignore } else { OptMode::Opt };
        let Ok((files, _)) = prove(&random_program(seed), &options) else { continue };
        let steps = lines(&files.steps);
        if steps.len() < 8 {
            continue;
        }
        for _ in 0..4 {
            let mut changed = steps.clone();
            let at = 2 + rng.below(steps.len() as u64 - 6) as usize;
            if rng.chance(0.5) {
                changed.remove(at);
            } else {
                changed[at] = flipped(&changed[at], &mut rng);
            }
            let changed = Files { steps: bytes(&changed), ..files.clone() };
            match (check(&changed), &veripb) {
                (Err(_), _) => rejected += 1,
                (Ok(_), Some(command)) => {
                    // A deleted constraint keeps what followed from it here, but not there.
                    if let Err(why) = verified(command, dir.path(), &changed) {
                        assert!(changed.steps.windows(4).any(|w| w == b"del "), "seed {seed}: {why}");
                        unsure += 1;
                    } else {
                        valid += 1;
                    }
                }
                (Ok(_), None) => unsure += 1,
            }
        }
    }
    println!("rejected {rejected}, still valid {valid}, accepted here alone {unsure}");
    assert!(rejected > 20);
}

/// A cheaper answer set may show the same as one that is listed: then these are not said to be optimal.
#[test]
fn results_are_not_called_optimal() {
    let files = Files {
        program: b"asp 1 0 0\n1 1 2 1 2 0 0\n2 0 1 -1 1\n4 1 b 1 2\n0\n".to_vec(),
        claim: b"asp-proof 1\nclaim optimal shown\natoms 2\nmodel\nmodel 2\n".to_vec(),
        formula: b"1 x2 >= 1 ;\n1 ~x2 >= 1 ;\n".to_vec(),
        witnesses: Vec::new(),
        steps: b"pseudo-Boolean proof version 3.0\nf 2 ;\nrup >= 1 ;\noutput NONE ;\nconclusion UNSAT ;\n\
                 end pseudo-Boolean proof ;\n"
            .to_vec(),
    };
    let sentence = check(&files).unwrap();
    assert!(!sentence.contains("optimal"), "{sentence}");
    assert!(sentence.contains("costs of at most 1"), "{sentence}");
}
