//! Constraints over integers that are no sums, each alone and from scratch: what they find out on random intervals, and why, against
//! all assignments; then in an engine, against all solutions.

use super::integers::restless;
use crate::integer::global::congruence::Congruence;
use crate::integer::global::cumulative::{Cumulative, Task};
use crate::integer::global::disjunctive::Disjunctive;
use crate::integer::global::distinct::Distinct;
use crate::integer::global::product::Product;
use crate::integer::global::{Bound, Finding, Global, Past, View};
use crate::integer::store::{Int, Integers, Side};
use crate::parameters::SolverParameters;
use crate::store::literal::Lit;
use crate::{Engine, Outcome};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;

type Ranges = Vec<(i64, i64)>;

/// What is tested.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Product,
    Square,
    Congruence,
    Distinct,
    Cumulative,
    Disjunctive,
}

const KINDS: [Kind; 6] =
    [Kind::Product, Kind::Square, Kind::Congruence, Kind::Distinct, Kind::Cumulative, Kind::Disjunctive];

fn random(kind: Kind, ints: usize, rng: &mut Rng) -> Global {
    let mut below = |n: u64| rng.below(n) as i64;
    let view = |below: &mut dyn FnMut(u64) -> i64| {
        View::new(Int(below(ints as u64) as u32), below(5) == 0, below(5) - 2)
    };
    match kind {
        Kind::Product => Global::Product(Product { product: Int(0), factors: [Int(1), Int(2)] }),
        Kind::Square => Global::Product(Product { product: Int(0), factors: [Int(1), Int(1)] }),
        Kind::Congruence => {
            let factor = |b: i64| if b < 4 { b - 6 } else { b - 1 };
            let terms = (0..ints).map(|i| (factor(below(8)), Int(i as u32))).collect();
            Global::Congruence(Congruence { terms, sum: below(30) - 15 })
        }
        // More than there are integers, so that some are about the same.
        Kind::Distinct => {
            let views = ints as i64 + below(3);
            Global::Distinct(Distinct((0..views).map(|_| view(&mut below)).collect()))
        }
        Kind::Cumulative => {
            let task = |_| Task { start: view(&mut below), length: 1 + below(4), demand: 1 + below(3) };
            Global::Cumulative(Cumulative {
                tasks: (0..ints).map(task).collect(),
                capacity: 1 + rng.below(4) as i64,
            })
        }
        Kind::Disjunctive => {
            let task = |_| Task { start: view(&mut below), length: 1 + below(3), demand: 1 };
            Global::Disjunctive(Disjunctive((0..ints).map(task).collect()))
        }
    }
}

fn of(view: View, values: &[i64]) -> i64 {
    let value = values[view.side.int().0 as usize];
    view.offset + if view.side.is_negative() { -value } else { value }
}

fn holds(global: &Global, values: &[i64]) -> bool {
    let is_free = |tasks: &[Task], capacity: i64| {
        let starts: Vec<i64> = tasks.iter().map(|t| of(t.start, values)).collect();
        starts.iter().all(|&time| {
            let runs = |(t, &start): (&Task, &i64)| {
                if start <= time && time < start + t.length { t.demand } else { 0 }
            };
            tasks.iter().zip(&starts).map(runs).sum::<i64>() <= capacity
        })
    };
    match global {
        Global::Product(p) => {
            let [x, y] = p.factors.map(|int| values[int.0 as usize]);
            values[p.product.0 as usize] == x * y
        }
        Global::Congruence(c) => c.terms.iter().map(|t| t.0 * values[t.1.0 as usize]).sum::<i64>() == c.sum,
        Global::Distinct(d) => {
            let mut all: Vec<i64> = d.0.iter().map(|&v| of(v, values)).collect();
            all.sort_unstable();
            all.windows(2).all(|w| w[0] != w[1])
        }
        Global::Cumulative(c) => is_free(&c.tasks, c.capacity),
        Global::Disjunctive(d) => is_free(&d.0, 1),
    }
}

/// All assignments of some intervals that satisfy a constraint.
fn solutions(global: &Global, ranges: &Ranges) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &(low, high) in ranges {
        all = all
            .into_iter()
            .flat_map(|v: Vec<i64>| (low..=high).map(move |n| [&v[..], &[n]].concat()))
            .collect();
    }
    all.retain(|v| holds(global, v));
    all
}

fn satisfies(values: &[i64], (side, value): Bound) -> bool {
    of(View { side, offset: 0 }, values) >= value
}

/// Integers with these intervals at the root, and others later.
fn integers(root: &Ranges, now: &Ranges) -> Integers {
    let mut integers = Integers::default();
    for (&(low, high), &(least, greatest)) in root.iter().zip(now) {
        integers.add_for_test([low, -high], [least, -greatest]);
    }
    integers
}

/// Checks what follows from intervals, where it is open whether the constraint holds and where it does; returns how many findings
/// there were.
fn check(global: &Global, root: &Ranges, now: &Ranges, what: &str) -> usize {
    let open = findings(global, root, now, true, what);
    let found = findings(global, root, now, false, what);
    check_total(global, root, now, &found, what);
    open.len() + found.len()
}

/// What follows from intervals, each finding checked.
fn findings(global: &Global, root: &Ranges, now: &Ranges, open: bool, what: &str) -> Vec<Finding> {
    let mut integers = integers(root, now);
    let mut found: Vec<Finding> = Vec::new();
    global.propagate(&integers.least, open, &mut found);
    let (all, wide) = (solutions(global, now), solutions(global, root));
    for finding in &found {
        let follows = |values: &[i64]| finding.bound.is_some_and(|b| satisfies(values, b));
        assert!(all.iter().all(|v| follows(v)), "{what}: {finding:?} is wrong");
        let mut because = Vec::new();
        global.explain(*finding, Past { integers: &integers, position: u32::MAX }, &mut because);
        for &(side, value) in &because {
            assert!(integers.least[side.at()] >= value, "{what}: {finding:?} because of {because:?}");
        }
        let mut cases = wide.iter().filter(|v| because.iter().all(|&b| satisfies(v, b)));
        assert!(cases.all(|v| follows(v)), "{what}: {finding:?} does not follow from {because:?}");
        // Those after it may need it.
        if let (Some(bound), false) = (finding.bound, open) {
            integers.raise_for_test(bound);
        }
    }
    found
}

/// Checks that a violated total assignment is found out, and that bounds are as tight as they can be.
fn check_total(global: &Global, root: &Ranges, now: &Ranges, found: &[Finding], what: &str) {
    let all = solutions(global, now);
    let integers = self::integers(root, now);
    if now.iter().all(|r| r.0 == r.1) && !matches!(global, Global::Congruence(_)) {
        let contradicts =
            |f: &Finding| f.bound.is_none_or(|(side, value)| value > -integers.least[side.opposite().at()]);
        assert_eq!(found.iter().any(contradicts), all.is_empty(), "{what}: a total assignment");
    }
    if let Global::Distinct(d) = global
        && d.0.iter().enumerate().all(|(i, v)| d.0[..i].iter().all(|w| w.side.int() != v.side.int()))
    {
        // Bounds are as tight as can be.
        let is_violated = found.iter().any(|f| f.bound.is_none());
        assert!(is_violated || !all.is_empty(), "{what}: a conflict is not found");
        let least = |side: Side| {
            let of_side = found.iter().filter_map(|f| f.bound).filter(|b| b.0 == side).map(|b| b.1);
            of_side.fold(integers.least[side.at()], i64::max)
        };
        for view in d.0.iter().flat_map(|&v| [v, v.negated()]).filter(|_| !is_violated) {
            let best = all.iter().map(|v| of(View { offset: 0, ..view }, v)).min();
            assert_eq!(Some(least(view.side)), best, "{what}: the bound of {view:?}");
        }
    }
}

#[test]
fn findings_and_their_explanations_are_right() {
    let mut found = [0; KINDS.len()];
    for seed in 0..9000u64 {
        let rng = &mut Rng::new(seed);
        let at = seed as usize % KINDS.len();
        let ints = if at < 3 { 3 } else { 2 + rng.below(3) as usize };
        let global = random(KINDS[at], ints, rng);
        let root: Ranges = (0..ints)
            .map(|_| {
                let low = rng.below(10) as i64 - 6;
                (low, low + 2 + rng.below(5) as i64)
            })
            .collect();
        let fixed = rng.below(3) == 0;
        let now: Ranges = root
            .iter()
            .map(|&(low, high)| {
                let least = low + rng.below((high - low + 1) as u64) as i64;
                let greatest = least + rng.below((high - least + 1) as u64) as i64;
                (least, if fixed { least } else { greatest })
            })
            .collect();
        found[at] += check(&global, &root, &now, &format!("seed {seed}: {global:?} {root:?} {now:?}"));
    }
    assert!(found.iter().all(|&n| n > 100), "{found:?}");
}

/// Some constraints under conditions, with a sum, in an engine.
#[test]
fn constraints_have_the_solutions_that_they_have() {
    let (mut compared, mut conflicts) = (0, 0);
    for seed in 0..400u64 {
        let rng = &mut Rng::new(seed);
        let ints = 3 + rng.below(2) as usize;
        let ranges: Ranges = (0..ints)
            .map(|_| {
                let low = rng.below(8) as i64 - 5;
                (low, low + rng.below(7) as i64)
            })
            .collect();
        let globals: Vec<(Option<usize>, Global)> = (0..1 + rng.below(3))
            .map(|_| {
                let when = (rng.below(2) == 0).then(|| rng.below(4) as usize);
                (when, random(KINDS[rng.below(KINDS.len() as u64) as usize], ints, rng))
            })
            .collect();
        let factors: Vec<i64> = (0..ints).map(|_| rng.below(5) as i64 - 2).collect();
        let bound = rng.below(9) as i64 - 4;
        let satisfied = |v: &[i64]| {
            let lit = |l: usize| (v[l / 2] == 1) == l.is_multiple_of(2);
            globals.iter().all(|(when, g)| when.is_some_and(|l| !lit(l)) || holds(g, &v[2..]))
                && factors.iter().zip(&v[2..]).map(|(f, x)| f * x).sum::<i64>() <= bound
        };
        let mut expected: Vec<Vec<i64>> = vec![Vec::new()];
        for &(low, high) in [(0, 1), (0, 1)].iter().chain(&ranges) {
            expected = expected
                .into_iter()
                .flat_map(|v| (low..=high).map(move |n| [&v[..], &[n]].concat()))
                .collect();
        }
        expected.retain(|v| satisfied(v));
        let plain = SolverParameters { seed, ..SolverParameters::default() };
        let mut engine = Engine::new(&if seed % 2 == 0 { plain } else { restless(seed) });
        let atoms = [engine.new_var(), engine.new_var()].map(Lit::pos);
        let all: Vec<Int> = ranges.iter().map(|&(low, high)| engine.new_integer(low, high)).collect();
        for (&int, &(low, high)) in all.iter().zip(&ranges) {
            let digits: Vec<Lit> =
                (0..).take_while(|k| (high - low) >> k > 0).map(|_| Lit::pos(engine.new_var())).collect();
            engine.add_digits(int, low, &digits);
        }
        for (when, global) in globals {
            let when = when.map(Lit::from_code);
            if let Global::Congruence(c) = &global {
                let negated: Vec<(i64, Int)> = c.terms.iter().map(|t| (-t.0, t.1)).collect();
                engine.add_linear(when, &c.terms, c.sum);
                engine.add_linear(when, &negated, -c.sum);
            }
            engine.add_global(when, global);
        }
        let terms: Vec<(i64, Int)> = factors.iter().copied().zip(all.iter().copied()).collect();
        engine.add_linear(None, &terms, bound);
        let mut found = Vec::new();
        while engine.solve(&[], &Interrupt::new()) == Outcome::Sat {
            let atoms = atoms.iter().map(|&a| i64::from(engine.value(a) == Some(true)));
            found.push(atoms.chain(all.iter().map(|&i| engine.integers().bounds(i).0)).collect::<Vec<_>>());
            assert!(found.len() <= expected.len(), "seed {seed}: {:?} is too many", found.last());
            if !engine.backtrack_model() {
                break;
            }
        }
        found.sort();
        assert!(found == expected, "seed {seed}: {} found, {} expected", found.len(), expected.len());
        compared += found.len();
        conflicts += engine.conflicts();
    }
    assert!(compared > 10_000 && conflicts > 300, "{compared} solutions, {conflicts} conflicts");
}
