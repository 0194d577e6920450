//! Forged proofs are rejected.
//!
//! A forgery claims something false: it leaves out an answer set that the program has, and is changed further at random so
//! that the rest might pass. No forgery may be accepted, whatever the changes. In other cases the claim stays true and a step
//! is changed: if that is accepted, VeriPB must find it valid, too.

mod support;

use asp::options::OptStrategy;
use asp_base::rng::Rng;
use asp_check::aspif::Program;
use asp_check::{Files, check};
use asp_solve::{OptMode, Projection, SolveOptions};
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
    let is_literal =
        |w: &str| ['x', 'b', 'd', 'z', 'o'].iter().any(|&c| w.trim_start_matches('~').starts_with(c));
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

/// What a proof says of answer sets that cost 1 when others, which show the same, cost 0.
fn dearer(demands: &str, steps: &str) -> Files {
    let count = demands.lines().count();
    Files {
        program: b"asp 1 0 0\n1 1 2 1 2 0 0\n2 0 1 -1 1\n4 1 b 1 2\n0\n".to_vec(),
        claim: b"asp-proof 1\nclaim optimal shown\natoms 2\nmodel\nmodel 2\n".to_vec(),
        formula: demands.as_bytes().to_vec(),
        witnesses: Vec::new(),
        steps: format!(
            "pseudo-Boolean proof version 3.0\nf {count} ;\n{steps}rup >= 1 ;\noutput NONE ;\n\
             conclusion UNSAT ;\nend pseudo-Boolean proof ;\n"
        )
        .into_bytes(),
    }
}

#[test]
fn results_that_are_not_optimal_are_rejected() {
    let demands = "1 x1 1 ~o1 >= 1 ;\n1 x2 1 o1 >= 1 ;\n1 ~x2 1 o1 >= 1 ;\n";
    for (demands, steps, why) in [
        (demands, "", "does not follow"),
        (demands, "rup 1 ~o1 >= 1 ;\n", "does not follow"),
        (demands, "red 1 ~o1 >= 1 : o1 -> 0 ;\n", "is no new variable"),
        // That no other with such costs shows something else is not enough.
        ("1 x2 >= 1 ;\n1 ~x2 >= 1 ;\n", "", "constraint 1 is not"),
        ("1 x1 1 ~o1 >= 1 ;\n1 x2 >= 1 ;\n1 ~x2 >= 1 ;\n", "", "constraint 2 is not"),
        ("1 x1 >= 1 ;\n1 x2 1 o1 >= 1 ;\n1 ~x2 1 o1 >= 1 ;\n", "", "constraint 1 is not"),
    ] {
        let rejected = check(&dearer(demands, steps)).unwrap_err();
        assert!(rejected.0.contains(why), "{demands}{steps}: {rejected}");
    }
}

/// Random programs whose results are claimed to be those of answer sets that all cost more than needed: for each result one,
/// with all demands as they should be, and the steps for the true claim.
#[test]
fn dearer_results_are_rejected() {
    let all = SolveOptions { models: Some(0), opt_mode: OptMode::Ignore, ..SolveOptions::default() };
    let (mut forgeries, mut at_steps) = (0, 0);
    for seed in seeds(300) {
        let mut options = SolveOptions { opt_mode: OptMode::OptN, ..all.clone() };
        options.projection = if seed % 2 == 0 { Projection::Project } else { Projection::Show };
        if seed % 3 == 0 {
            options.solver.optimize.strategy = OptStrategy::CoreGuided;
        }
        let text = random_program(seed);
        let Ok((files, _)) = prove(&text, &options) else { continue };
        let claim = lines(&files.claim);
        if !claim[1].contains("optimal") {
            continue;
        }
        let atoms: usize = claim[2].split(' ').nth(1).unwrap().parse().unwrap();
        let Ok((others, _)) = prove(&text, &all) else { continue };
        let program = Program::parse(&files.program).unwrap();
        let held = |line: &String| -> Vec<bool> {
            let numbers: Vec<usize> = line.split(' ').skip(1).map(|n| n.parse().unwrap()).collect();
            (0..=atoms).map(|a| numbers.contains(&a)).collect()
        };
        let holds = |m: &[bool], l: i32| m[l.unsigned_abs() as usize] == (l > 0);
        let result = results(&program, options.projection);
        let shown = |m: &[bool]| -> Vec<bool> { result.iter().map(|&l| holds(m, l)).collect() };
        // One level, so that costs compare as numbers.
        let [terms] = program.costs.values().collect::<Vec<_>>()[..] else { continue };
        let cost = |m: &[bool]| terms.iter().filter(|t| holds(m, t.0)).map(|t| t.1).sum::<i128>();
        let models: Vec<Vec<bool>> = lines(&others.claim)[3..].iter().map(held).collect();
        let least = cost(&held(&claim[3]));
        let mut more: Vec<i128> = models.iter().map(|m| cost(m)).filter(|&c| c > least).collect();
        more.sort_unstable();
        more.dedup();
        for most in more {
            // All results up to these costs, each with an answer set that costs exactly so much.
            let mut dear = std::collections::BTreeMap::new();
            models.iter().filter(|m| cost(m) == most).for_each(|m| _ = dear.insert(shown(m), m));
            if models.iter().any(|m| cost(m) < most && !dear.contains_key(&shown(m))) {
                continue;
            }
            let mut claim = claim[..3].to_vec();
            let mut formula = lines(&files.formula);
            let known = lines(&files.claim).len() - 3;
            let loops = formula.split_off(formula.len() - lines(&files.witnesses).len());
            formula.truncate(formula.len() - known - 1);
            let weighted =
                terms.iter().map(|&(l, w)| format!("{} {}x{}", -w, if l < 0 { "~" } else { "" }, l.abs()));
            formula.push(weighted.collect::<Vec<_>>().join(" ") + &format!(" -1 o1 >= {} ;", -most));
            for model in dear.values() {
                let atoms = (1..=atoms).filter(|&a| model[a]).map(|a| format!(" {a}"));
                claim.push("model".to_string() + &atoms.collect::<String>());
                let other = result.iter().map(|&l| (l, holds(model, l) == (l > 0)));
                let mut other: Vec<String> = other
                    .map(|(l, negative)| format!("1 {}x{} ", if negative { "~" } else { "" }, l.abs()))
                    .collect();
                other.sort();
                other.dedup();
                formula.push(other.concat() + "1 o1 >= 1 ;");
            }
            formula.extend(loops);
            let mut forgery = Files { claim: bytes(&claim), formula: bytes(&formula), ..files.clone() };
            recount(&mut forgery);
            let Err(why) = check(&forgery) else { panic!("seed {seed}, costs {most} instead of {least}") };
            forgeries += 1;
            at_steps += u32::from(why.0.contains("of the steps") || why.0.contains("the steps claim"));
        }
    }
    println!("{forgeries} rejected, {at_steps} of them by their steps");
    assert!(at_steps > 0, "{forgeries}");
}

/// The literals that tell results apart.
fn results(program: &Program, projection: Projection) -> Vec<i32> {
    if projection == Projection::Project {
        return program.projected.iter().flatten().map(|&a| a as i32).collect();
    }
    let literals = program.shows.iter().map(|s| s.condition.first().copied().unwrap_or(0));
    let mut literals: Vec<i32> = literals.filter(|&l| l != 0).collect();
    literals.sort_unstable();
    literals.dedup();
    literals
}

#[test]
fn the_length_of_a_shown_text_is_checked() {
    let read =
        |shown: &str| Program::parse(format!("asp 1 0 0\n1 1 1 1 0 0\n{shown}\n0\n").as_bytes()).is_ok();
    assert!(read("4 1 a 1 1") && read("4 0  1 1"));
    for wrong in ["4 2 a 1 1", "4 1 ab 1 1", "4 3 a 1 1", "4 9 a 1 1"] {
        assert!(!read(wrong), "{wrong}");
    }
}
