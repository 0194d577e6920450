//! Package upgrades, the kind of program for which optimisation over levels by cores is meant: what each part of it
//! saves.

use asp::Control;
use asp_base::rng::Rng;
use asp_solve::{Flow, OptStrategy, SolveOptions};
use std::fmt::Write as _;

const RULES: &str = "
    { in(P,X) : unit(P,X) }.
    :- in(P,X), in(P,Y), X < Y.
    sat(D) :- in(P,X), satisfies(P,X,D).
    :- depends(P,X,D), in(P,X), not sat(D).
    :- conflict(P,X,D), in(P,X), sat(D).
    :- request(D), not sat(D).
    in(P) :- in(P,_).
    #minimize { 1@4,P : installed(P,_), not in(P); 1@3,P : in(P), not installed(P,_) }.
    #minimize { 1@2,P,X : installed(P,X), not in(P,X); 1@2,P,X : in(P,X), not installed(P,X) }.
    #minimize { 1@1,P : newest(P,X), in(P), not in(P,X) }.
    installed(P,X) :- was(P,X).
";

/// An instance with this many packages: each version depends on some of the earlier packages, or of all, and conflicts
/// with others.
fn instance(packages: u64, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let versions: Vec<u64> = (0..packages).map(|_| 1 + rng.below(4)).collect();
    let mut text = RULES.to_string();
    let mut requirements = 0;
    let mut requirement = |text: &mut String, items: &[(u64, u64, u64)]| {
        for &(p, low, high) in items {
            let _ = writeln!(text, "satisfies({p},{low}..{high},{requirements}).");
        }
        requirements += 1;
        requirements - 1
    };
    for (p, &n) in (0..).zip(&versions) {
        let _ = writeln!(text, "unit({p},1..{n}). newest({p},{n}).");
        for v in 1..=n {
            for _ in 0..[0, 1, 1, 2, 3][rng.below(5) as usize] {
                if p == 0 {
                    break;
                }
                let q = rng.below(p);
                let high = versions[q as usize];
                let low = [1, 1, 1, (high - 1).max(1), high][rng.below(5) as usize];
                let mut items = vec![(q, low, high)];
                while rng.below(10) < 3 {
                    let r = rng.below(packages);
                    items.push((r, 1, versions[r as usize]));
                }
                let d = requirement(&mut text, &items);
                let _ = writeln!(text, "depends({p},{v},{d}).");
            }
            let q = rng.below(packages);
            if rng.below(10) < 3 && q != p {
                let d = requirement(&mut text, &[(q, 1, 1 + rng.below(versions[q as usize]))]);
                let _ = writeln!(text, "conflict({p},{v},{d}).");
            }
        }
        if rng.below(10) < 4 {
            let _ = writeln!(text, "was({p},{}).", 1 + rng.below(n));
        }
    }
    for _ in 0..packages / 20 {
        let p = rng.below(packages);
        let n = versions[p as usize];
        let d = requirement(&mut text, &[(p, (n - 1).max(1), n)]);
        let _ = writeln!(text, "request({d}).");
    }
    text
}

/// Costs of the optimum, and conflicts, over instances that have one.
fn solve(packages: u64, options: &SolveOptions) -> (Vec<Vec<i64>>, u64) {
    let (mut costs, mut conflicts) = (Vec::new(), 0);
    for seed in 0..6 {
        let mut control = Control::new();
        control.add(&instance(packages, seed));
        control.ground().expect("it grounds");
        control.lower().expect("it is small");
        let result = control.solve_events(options, &[], &mut |_, _, _| Flow::Continue).unwrap();
        assert!(result.exhausted);
        costs.push(result.costs.unwrap_or_default());
        conflicts += control.statistics().search.conflicts;
    }
    assert!(costs.iter().filter(|c| !c.is_empty()).count() > 2, "{costs:?}");
    (costs, conflicts)
}

#[test]
fn finished_levels_settle_literals() {
    let options = |keep| {
        let mut options = SolveOptions::default();
        options.solver.optimize.strategy = OptStrategy::CoreGuided;
        options.solver.optimize.cores.keep_implied = keep;
        options
    };
    let (with, without) = (solve(60, &options(true)), solve(60, &options(false)));
    assert_eq!(with.0, without.0);
    assert!(2 * with.1 < without.1, "{} and {} conflicts", with.1, without.1);
}

#[test]
fn cores_come_first() {
    let options = |strategy| {
        let mut options = SolveOptions::default();
        options.solver.optimize.strategy = strategy;
        // A relaxation bounds these costs at once.
        options.solver.optimize.relax = false;
        options
    };
    let (with, without) =
        (solve(60, &options(OptStrategy::Auto)), solve(60, &options(OptStrategy::Hierarchical)));
    assert_eq!(with.0, without.0);
    assert!(2 * with.1 < without.1, "{} and {} conflicts", with.1, without.1);
}
