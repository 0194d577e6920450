//! Every verdict of random programs, and that puzzles of the library have one solution, is certified by this checker and, where it
//! is installed, by VeriPB.

mod support;

use std::fs;
use std::path::Path;

use asp::options::{OptStrategy, Relaxation, Shrink};
use asp_base::rng::Rng;
use asp_control::Control;
use asp_solve::{Eliminate, Elimination, EnumMode, Flow, OptMode, Projection, SolveOptions};
use support::{Missing, kept, prove, random_program, seeds, verified, veripb};

/// A random question.
fn question(seed: u64) -> SolveOptions {
    let mut rng = Rng::new(seed ^ 0x5eed);
    let mut options = SolveOptions::default();
    match rng.below(10) {
        0 => options.models = Some(1),
        1 => options.models = Some(2),
        2 => (options.enum_mode, options.opt_mode) = (EnumMode::Cautious, OptMode::Ignore),
        3 => (options.enum_mode, options.opt_mode) = (EnumMode::Brave, OptMode::Ignore),
        4 => (options.projection, options.models) = (Projection::Show, Some(0)),
        5 | 6 => (options.projection, options.models) = (Projection::Project, Some(0)),
        _ => options.models = Some(0),
    }
    if rng.chance(0.3) {
        options.opt_mode = OptMode::Ignore;
    } else if rng.chance(0.5) {
        (options.opt_mode, options.models) = (OptMode::OptN, Some(0));
        match rng.below(6) {
            0 => options.enum_mode = EnumMode::Cautious,
            1 => options.enum_mode = EnumMode::Brave,
            _ => {}
        }
        if matches!(options.enum_mode, EnumMode::Cautious | EnumMode::Brave) {
            options.projection = Projection::None;
        }
    }
    // Results of optimal answer sets.
    let mut own = Rng::new(seed ^ 0x0b7);
    if own.chance(0.3) && !KNOWN.contains(&seed) {
        (options.opt_mode, options.models) = (OptMode::OptN, Some(0));
        (options.enum_mode, options.projection) = match own.below(4) {
            0 => (EnumMode::Cautious, Projection::None),
            1 => (EnumMode::Brave, Projection::None),
            2 => (EnumMode::Auto, Projection::Show),
            _ => (EnumMode::Auto, Projection::Project),
        };
    }
    options.translate.equivalences = rng.chance(0.8);
    options.solver.seed = seed;
    if rng.chance(0.3) {
        options.translate.elimination = Eliminate::Within(Elimination::default());
    }
    // So that inprocessing and deletion happen in small searches.
    if rng.chance(0.5) {
        options.solver.inprocess.interval = 1 + rng.below(5);
        options.solver.restart.interval = 1;
    }
    let optimize = &mut options.solver.optimize;
    optimize.strategy = OptStrategy::ALL[rng.below(6) as usize];
    if rng.chance(0.5) {
        optimize.strategy = OptStrategy::CoreGuided;
    }
    let relaxations =
        [Relaxation::Oll, Relaxation::Oll, Relaxation::One, Relaxation::Pmres, Relaxation::Bounded(Some(3))];
    optimize.cores.relaxation = relaxations[rng.below(5) as usize];
    (optimize.cores.disjoint, optimize.cores.stratify) = (rng.chance(0.6), rng.chance(0.6));
    optimize.cores.shrink = [None, Some(Shrink::Minimal), Some(Shrink::Binary)][rng.below(3) as usize];
    options
}

/// What once went wrong: seeds of the random programs.
const KNOWN: [u64; 11] = [65, 119, 269, 595, 1457, 4024, 4371, 14194, 16144, 17608, 19414];

#[test]
fn random_verdicts_are_certified() {
    let veripb = veripb();
    let dir = tempfile::tempdir().unwrap();
    let (mut certified, mut refused, mut learned, mut loops, mut counters) = (0, 0, 0, 0, 0);
    let mut kinds = std::collections::BTreeMap::<String, u32>::new();
    let mut reasons = std::collections::BTreeMap::<String, u32>::new();
    let all = seeds(300);
    let total = all.end - all.start + KNOWN.len() as u64;
    let mut failed = Vec::new();
    for seed in all.chain(KNOWN) {
        let text = random_program(seed);
        let (files, result) = match prove(&text, &question(seed)) {
            Ok(proven) => proven,
            Err(Missing::Refused(why)) => {
                refused += 1;
                *reasons.entry(why.lines().next().unwrap_or_default().to_string()).or_default() += 1;
                continue;
            }
            Err(Missing::Gap(why)) => {
                failed.push(format!("seed {seed}: {why}"));
                continue;
            }
        };
        let verdict = match asp_check::check(&files) {
            Ok(verdict) => verdict,
            Err(why) => {
                failed.push(format!("seed {seed}: {why}\n{text}in {}", kept(seed, &files)));
                continue;
            }
        };
        if let Some(command) = &veripb
            && let Err(why) = verified(command, dir.path(), &files)
        {
            failed.push(format!("seed {seed}: {why}\n{text}in {}", kept(seed, &files)));
            continue;
        }
        assert_eq!(verdict.contains("no answer set"), !result.satisfiable, "seed {seed}: {verdict}");
        assert_eq!(
            verdict.contains("at least") || verdict.contains("not looked for"),
            !result.exhausted,
            "{seed}: {verdict}"
        );
        let kind = String::from_utf8_lossy(&files.claim).lines().nth(1).unwrap_or_default().to_string();
        if let (true, Some(costs)) = (kind.contains("optim"), &result.costs) {
            let costs: Vec<String> = costs.iter().map(i64::to_string).collect();
            assert!(verdict.contains(&format!("with costs {}", costs.join(" "))), "{seed}: {verdict}");
        }
        *kinds.entry(format!("{kind}{}", if result.satisfiable { "" } else { " none" })).or_default() += 1;
        certified += 1;
        learned += files.steps.iter().filter(|&&b| b == b'\n').count().saturating_sub(6);
        counters += files.steps.windows(5).filter(|w| w == b" red ").count() / 2;
        loops += files.witnesses.iter().filter(|&&b| b == b'\n').count();
    }
    println!(
        "refused: {reasons:?}\ncertified {certified}, refused {refused}, steps {learned}, loops {loops}, counters {counters}, VeriPB {}: {kinds:?}",
        veripb.is_some()
    );
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert!(certified * 4 > total * 3, "{certified} of {total}");
}

/// Consequences that are none are called so.
#[test]
fn consequences_may_be_none() {
    let files = asp_check::Files {
        program: b"asp 1 0 0\n1 1 1 1 0 0\n4 1 a 1 1\n0\n".into(),
        claim: b"asp-proof 1\nclaim cautious\natoms 1\nmodel\nmodel 1\n".into(),
        formula: b">= 1 ;\n".into(),
        steps: b"pseudo-Boolean proof version 3.0\nf 1 ;\noutput NONE ;\nconclusion UNSAT ;\nend pseudo-Boolean proof ;\n".into(),
        ..Default::default()
    };
    let certified = asp_check::check(&files).unwrap();
    assert!(certified.contains("what all of them show is nothing. Grounding"), "{certified}");
}

/// What is missing is said.
#[test]
fn a_directory_may_hold_no_proof() {
    let dir = tempfile::tempdir().unwrap();
    let said = |dir: &Path| asp_check::Files::read(dir).unwrap_err().0;
    assert!(said(dir.path()).ends_with("holds no proof: claim.txt is missing"), "{}", said(dir.path()));
    assert!(said(&dir.path().join("gone")).ends_with("gone is no directory"));
    let (files, _) = prove("{a}.", &SolveOptions::default()).unwrap();
    fs::write(dir.path().join("claim.txt"), files.claim).unwrap();
    fs::write(dir.path().join("program.aspif"), files.program).unwrap();
    assert!(said(dir.path()).ends_with("holds no proof: formula.opb is missing"), "{}", said(dir.path()));
}

/// For a proof, constraints over integers become rules; the answers are the same.
#[test]
fn integers_as_digits_have_the_same_answers() {
    let options = SolveOptions { models: Some(0), opt_mode: OptMode::Ignore, ..SolveOptions::default() };
    let mut total = 0;
    for seed in (16..24 * 40).step_by(24) {
        let text = random_program(seed);
        let (files, proven) =
            prove(&text, &options).unwrap_or_else(|why| panic!("seed {seed}: {why:?}\n{text}"));
        assert_eq!(asp_check::check(&files).err(), None, "seed {seed}:\n{text}");
        let mut control = Control::new();
        control.add(&text);
        let expected = control
            .ground()
            .and_then(|()| control.lower())
            .and_then(|()| control.solve_events(&options, &[], &mut |_, _, _| Flow::Continue));
        assert_eq!(proven.models, expected.unwrap().models, "seed {seed}:\n{text}");
        total += proven.models;
    }
    assert!(total > 300, "{total}");
}

/// Each puzzle of the library that is said to have one solution has no other.
#[test]
fn puzzles_have_one_solution() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let veripb = veripb();
    let dir = tempfile::tempdir().unwrap();
    let options = SolveOptions {
        models: Some(2),
        projection: Projection::Show,
        opt_mode: OptMode::Ignore,
        ..SolveOptions::default()
    };
    let mut instances: Vec<_> =
        fs::read_dir(root.join("instances")).unwrap().map(|entry| entry.unwrap().path()).collect();
    instances.sort();
    let mut certified = 0;
    for instance in instances {
        let text = fs::read_to_string(&instance).unwrap();
        let head = text.lines().next().unwrap_or_default();
        let Some((_, program)) = head.split_once("(use with ").filter(|_| head.contains("one solution"))
        else {
            continue;
        };
        let program = program.split([')', ' ']).next().unwrap_or_default();
        let text = text.clone() + &fs::read_to_string(root.join("programs").join(program)).unwrap();
        let (files, _) = prove(&text, &options).unwrap_or_else(|why| panic!("{instance:?}: {why:?}"));
        let start = std::time::Instant::now();
        let verdict = asp_check::check(&files).unwrap_or_else(|why| panic!("{instance:?}: {why}"));
        println!("{:?} {:.2} s", instance.file_stem().unwrap_or_default(), start.elapsed().as_secs_f64());
        assert!(
            verdict.contains("has an answer set, and all of them show the same"),
            "{instance:?}: {verdict}"
        );
        if let Some(command) = &veripb {
            verified(command, dir.path(), &files).unwrap_or_else(|why| panic!("{instance:?}: VeriPB: {why}"));
        }
        certified += 1;
    }
    println!("certified {certified}, VeriPB {}", veripb.is_some());
    assert!(certified >= 74, "{certified}");
}

/// What a claim says of the number of atoms takes no memory.
#[test]
fn numbers_alone_take_no_memory() {
    let files = |atoms: u32, program: &str| asp_check::Files {
        program: format!("asp 1 0 0\n{program}0\n").into_bytes(),
        claim: format!("asp-proof 1\nclaim all\natoms {atoms}\n{}", "model\n".repeat(1000)).into_bytes(),
        ..asp_check::Files::default()
    };
    let why = |atoms, program| asp_check::check(&files(atoms, program)).unwrap_err().0;
    assert_eq!(
        why(400_000_000, "1 1 1 1 0 0\n"),
        "the claim has more atoms than the program and the formula"
    );
    assert_eq!(why(u32::MAX, ""), "the claim has more atoms than the program and the formula");
    assert_eq!(why(2, "1 1 1 400000000 0 0\n"), "the program has more atoms than the claim says");
}
