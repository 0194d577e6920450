//! Optima of random packings, assignments, covers and stairs, against all worlds, with each technique alone and together:
//! relaxations at the root and at nodes, cutting planes, cores, bounds and parts near the best model.
//!
//! One session answers several calls, under assumptions that change. `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose other programs.

use crate::session::Session;
use crate::tests::session::describe;
use crate::{Event, Flow, OptMode, OptStrategy, SolveOptions};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;
use asp_engine::parameters::{CuttingPlanes, Relaxation, Shrink};
use asp_program::ground_program::Objective;
use asp_program::{AtomId, Body, Head, Literal, Program, RuleSource};

/// A world: atom i is true if bit i is set.
type World = u64;

/// A program whose rules are in the order of their heads: choices first, then what follows from atoms before it, then constraints.
struct Sample {
    program: Program,
    choices: u32,
}

impl Sample {
    fn new(choices: u64) -> Self {
        let mut new = Self { program: Program::new(), choices: choices as u32 };
        for _ in 0..choices {
            let atom = new.program.atoms.add_aux();
            new.program.rules.add(true, &[atom], &[], RuleSource::NONE);
        }
        new
    }

    /// An atom that holds if the sum is at least a bound.
    fn if_sum(&mut self, terms: &[(Literal, i64)], bound: i64) -> AtomId {
        let atom = self.program.atoms.add_aux();
        self.program.rules.add_weight(false, &[atom], bound, terms, RuleSource::NONE);
        atom
    }

    /// An atom that holds if one of the literals does.
    fn if_any(&mut self, literals: &[Literal]) -> AtomId {
        let atom = self.program.atoms.add_aux();
        literals.iter().for_each(|&l| {
            self.program.rules.add(false, &[atom], &[l], RuleSource::NONE);
        });
        atom
    }

    /// Not all of the literals hold.
    fn forbid(&mut self, body: &[Literal]) {
        self.program.rules.add(false, &[], body, RuleSource::NONE);
    }

    /// The sum is at most a bound.
    fn at_most(&mut self, terms: &[(Literal, i64)], bound: i64) {
        self.program.rules.add_weight(false, &[], bound + 1, terms, RuleSource::NONE);
    }

    /// The world with some choices, if it violates nothing.
    fn world(&self, choices: World) -> Option<World> {
        let mut world = choices;
        let holds = |world: World, l: &Literal| (world >> l.atom().0 & 1 == 1) != l.is_neg();
        for rule in self.program.rules.iter() {
            let body = match rule.body {
                Body::Normal(literals) => literals.iter().all(|l| holds(world, l)),
                Body::Weight { bound, literals, weights } => {
                    let terms = literals.iter().zip(weights).filter(|t| holds(world, t.0));
                    terms.map(|t| t.1).sum::<i64>() >= bound
                }
            };
            match rule.head {
                Head::Disjunction([]) if body => return None,
                Head::Disjunction(head) if body => world |= 1 << head[0].0,
                _ => {}
            }
        }
        Some(world)
    }

    /// The costs of a world, the most important first.
    fn costs(&self, world: World) -> Vec<i64> {
        let mut levels: Vec<&Objective> = self.program.objectives.iter().collect();
        levels.sort_by_key(|o| std::cmp::Reverse(o.priority));
        let holds = |l: Literal| (world >> l.atom().0 & 1 == 1) != l.is_neg();
        let cost =
            |o: &&Objective| o.literals.iter().filter(|t| holds(t.0)).map(|t| t.1).sum::<i64>() + o.constant;
        levels.iter().map(cost).collect()
    }

    fn minimize(&mut self, priority: i32, literals: Vec<(Literal, i64)>) {
        self.program.objectives.push(Objective { priority: priority.into(), constant: 0, literals });
    }
}

fn pos(atom: u64) -> Literal {
    Literal::pos(AtomId(atom as u32))
}

/// Weights for some of the literals, few of them negated.
fn weighed(rng: &mut Rng, literals: &[Literal], greatest: u64) -> Vec<(Literal, i64)> {
    let taken: Vec<Literal> = literals.iter().copied().filter(|_| rng.chance(0.85)).collect();
    let mut weigh = |l: Literal| {
        let literal = Literal::new(l.atom(), l.is_neg() != rng.chance(0.05));
        (literal, 1 + rng.below(greatest) as i64)
    };
    taken.into_iter().map(&mut weigh).collect()
}

/// About a part of what terms add up to.
fn part(rng: &mut Rng, terms: &[(Literal, i64)]) -> i64 {
    let sum: i64 = terms.iter().map(|t| t.1).sum();
    (sum as f64 * (0.25 + 0.5 * rng.unit())) as i64
}

/// Things, some sums of which are limited, and what they are worth.
fn knapsack(rng: &mut Rng) -> Sample {
    let n = 9 + rng.below(5);
    let mut sample = Sample::new(n);
    let things: Vec<Literal> = (0..n).map(pos).collect();
    for _ in 0..1 + rng.below(4) {
        let terms = weighed(rng, &things, 30);
        let most = part(rng, &terms);
        sample.at_most(&terms, most);
    }
    let worth = weighed(rng, &things, 30).into_iter().map(|(l, w)| (l, -w)).collect();
    sample.minimize(0, worth);
    sample
}

/// Things in bins of limited size, each used bin at a price.
fn bins(rng: &mut Rng) -> Sample {
    let (things, bins) = [(4, 3), (5, 2), (6, 2), (3, 4), (4, 2)][rng.below(5) as usize];
    let mut sample = Sample::new(things * bins);
    let at = |thing: u64, bin: u64| pos(thing * bins + bin);
    let sizes: Vec<i64> = (0..things).map(|_| 2 + rng.below(9) as i64).collect();
    let size = sizes.iter().sum::<i64>() / bins as i64 + rng.below(8) as i64;
    let exact = rng.chance(0.7);
    let mut costs = Vec::new();
    for thing in 0..things {
        let row: Vec<(Literal, i64)> = (0..bins).map(|bin| (at(thing, bin), 1)).collect();
        sample.at_most(&row, 1);
        if exact {
            sample.forbid(&row.iter().map(|t| Literal::neg(t.0.atom())).collect::<Vec<_>>());
        } else {
            costs.extend(row.iter().map(|t| (t.0, -(1 + rng.below(6) as i64))));
        }
        if rng.chance(0.5) {
            costs.extend(row.iter().map(|t| (t.0, rng.below(6) as i64)));
        }
    }
    let mut used = Vec::new();
    for bin in 0..bins {
        let terms: Vec<(Literal, i64)> = (0..things).map(|t| (at(t, bin), sizes[t as usize])).collect();
        let literals: Vec<Literal> = terms.iter().map(|t| t.0).collect();
        used.push(Literal::pos(sample.if_any(&literals)));
        sample.at_most(&terms, size);
    }
    let price = 1 + rng.below(8) as i64;
    costs.extend(used.iter().map(|&u| (u, price + if rng.chance(0.3) { 1 } else { 0 })));
    if rng.chance(0.5) {
        let pair = |bin: usize| [used[bin], Literal::neg(used[bin - 1].atom())];
        (1..bins as usize).for_each(|bin| sample.forbid(&pair(bin)));
    }
    sample.minimize(0, costs);
    sample
}

/// Sets that cover things, or nodes of a graph that are not neighbours.
fn graph(rng: &mut Rng) -> Sample {
    let n = 9 + rng.below(5);
    let mut sample = Sample::new(n);
    let sets: Vec<Literal> = (0..n).map(pos).collect();
    let covers = rng.chance(0.5);
    let length = 2 + rng.below(3);
    for _ in 0..n + rng.below(2 * n) {
        let mut body: Vec<Literal> = (0..length).map(|_| sets[rng.below(n) as usize]).collect();
        body.sort_unstable();
        body.dedup();
        if covers {
            sample.forbid(&body.iter().map(|l| Literal::neg(l.atom())).collect::<Vec<_>>());
        } else {
            sample.at_most(&body.iter().map(|&l| (l, 1)).collect::<Vec<_>>(), 1);
        }
    }
    let greatest = [1, 1, 3, 20][rng.below(4) as usize];
    let sign = if covers { 1 } else { -1 };
    let mut costs: Vec<(Literal, i64)> =
        sets.iter().map(|&l| (l, sign * (1 + rng.below(greatest) as i64))).collect();
    if rng.chance(0.3) {
        for _ in 0..6 {
            let pair = [sets[rng.below(n) as usize], sets[rng.below(n) as usize]];
            let cut = sample.program.atoms.add_aux();
            for (a, b) in [(0, 1), (1, 0)] {
                let body = [pair[a], Literal::neg(pair[b].atom())];
                sample.program.rules.add(false, &[cut], &body, RuleSource::NONE);
            }
            costs.push((Literal::pos(cut), rng.below(9) as i64 - 6));
        }
    }
    sample.minimize(0, costs);
    sample
}

/// Sums with several thresholds that cost something each, as what is missing on a day, and limits in rows and columns.
fn stairs(rng: &mut Rng) -> Sample {
    let (people, days) = [(3, 4), (4, 3), (2, 6), (3, 3)][rng.below(4) as usize];
    let mut sample = Sample::new(people * days);
    let works = |person: u64, day: u64| pos(person * days + day);
    let mut costs = Vec::new();
    for day in 0..days {
        let weighty = rng.chance(0.3);
        let terms: Vec<(Literal, i64)> =
            (0..people).map(|p| (works(p, day), if weighty { 1 + rng.below(4) as i64 } else { 1 })).collect();
        let most: i64 = terms.iter().map(|t| t.1).sum();
        let negated: Vec<(Literal, i64)> = terms.iter().map(|t| (Literal::neg(t.0.atom()), t.1)).collect();
        let price = 1 + rng.below(12) as i64;
        for step in 1..=most {
            if !rng.chance(0.7) {
                continue;
            }
            let missing = rng.chance(0.6);
            let atom = sample.if_sum(if missing { &negated } else { &terms }, step);
            costs.push((Literal::pos(atom), if rng.chance(0.9) { price } else { -price }));
        }
    }
    for person in 0..people {
        let row: Vec<(Literal, i64)> = (0..days).map(|d| (works(person, d), 1)).collect();
        if rng.chance(0.8) {
            sample.at_most(&row, 1 + rng.below(days) as i64);
        }
        if rng.chance(0.3) {
            let negated: Vec<(Literal, i64)> = row.iter().map(|t| (Literal::neg(t.0.atom()), 1)).collect();
            sample.at_most(&negated, days as i64 - 1 - rng.below(days / 2 + 1) as i64);
        }
        for (literal, _) in row {
            if rng.chance(0.5) {
                costs.push((literal, rng.below(7) as i64 - 1));
            }
        }
    }
    sample.minimize(0, costs);
    sample
}

fn sample(rng: &mut Rng) -> Sample {
    let mut sample = match rng.below(4) {
        0 => knapsack(rng),
        1 => bins(rng),
        2 => graph(rng),
        _ => stairs(rng),
    };
    let n = u64::from(sample.choices);
    for _ in 0..rng.below(3) {
        let any = |rng: &mut Rng| Literal::new(AtomId(rng.below(n) as u32), rng.chance(0.5));
        let body = [any(rng), any(rng), any(rng)];
        sample.forbid(&body);
    }
    if rng.chance(0.25) {
        let literals: Vec<Literal> = (0..n).map(pos).collect();
        let terms = weighed(rng, &literals, 9);
        let sign = if rng.chance(0.5) { 1 } else { -1 };
        let terms = terms.into_iter().map(|(l, w)| (l, sign * w)).collect();
        sample.minimize([-1, 1][rng.below(2) as usize], terms);
    }
    let scale = [1, 1, 1, 7, 1 << 20, 1 << 40][rng.below(6) as usize];
    let mixed: &[i64] = if rng.chance(0.2) { &[1, 10, 1000] } else { &[1] };
    for term in sample.program.objectives.iter_mut().flat_map(|o| &mut o.literals) {
        term.1 *= scale * mixed[rng.below(mixed.len() as u64) as usize];
    }
    sample
}

fn options(rng: &mut Rng) -> SolveOptions {
    let mut options = SolveOptions::default();
    if rng.chance(0.5) {
        options = SolveOptions { opt_mode: OptMode::OptN, models: Some(0), ..options };
    }
    let solver = &mut options.solver;
    solver.seed = rng.next_u64();
    solver.learning.cutting_planes =
        [CuttingPlanes::Turns, CuttingPlanes::Always, CuttingPlanes::Always, CuttingPlanes::Never]
            [rng.below(4) as usize];
    let optimize = &mut solver.optimize;
    let strategies = OptStrategy::ALL;
    if rng.chance(0.6) {
        optimize.strategy = strategies[rng.below(strategies.len() as u64) as usize];
    }
    optimize.relax = rng.chance(0.8);
    optimize.relax_nodes = [0, 30, 100, 100][rng.below(4) as usize];
    optimize.follow_best = rng.chance(0.3);
    let cores = &mut optimize.cores;
    cores.disjoint = rng.chance(0.7);
    cores.stratify = rng.chance(0.7);
    cores.exhaust = rng.chance(0.7);
    if rng.chance(0.3) {
        let ways =
            [Relaxation::One, Relaxation::Pmres, Relaxation::Bounded(None), Relaxation::Bounded(Some(3))];
        cores.relaxation = ways[rng.below(4) as usize];
    }
    if rng.chance(0.3) {
        let ways = [None, Some(Shrink::Forward), Some(Shrink::Binary), Some(Shrink::Geometric)];
        cores.shrink = ways[rng.below(4) as usize];
    }
    options
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |n| n.parse().expect("a number"))
}

#[test]
fn optima_are_those_of_all_worlds() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 150));
    let (mut compared, mut optimal) = (0, 0);
    for seed in first..first + count {
        let rng = &mut Rng::new(seed);
        let sample = sample(rng);
        let all: Vec<(World, Vec<i64>)> = (0..1 << sample.choices)
            .filter_map(|choices| sample.world(choices))
            .map(|world| (world, sample.costs(world)))
            .collect();
        let mut session = Session::new();
        for _ in 0..5 {
            let some = if rng.chance(0.6) { 0 } else { 1 + rng.below(2) };
            let any = |rng: &mut Rng| {
                Literal::new(AtomId(rng.below(u64::from(sample.choices)) as u32), rng.chance(0.5))
            };
            let assumed: Vec<Literal> = (0..some).map(|_| any(rng)).collect();
            let fits =
                |w: &&(World, Vec<i64>)| assumed.iter().all(|l| (w.0 >> l.atom().0 & 1 == 1) != l.is_neg());
            let least = all.iter().filter(fits).map(|w| &w.1).min();
            let options = options(rng);
            let told = || {
                format!(
                    "seed {seed}, {assumed:?}, {:?}\n{}{:?}",
                    options.solver,
                    describe(&sample.program),
                    sample.program.objectives
                )
            };
            let mut found: Vec<World> = Vec::new();
            let result =
                session.solve(&sample.program, &options, &assumed, &Interrupt::new(), &mut |event| {
                    match event {
                        Event::Model(model) => {
                            let atoms = sample.program.atoms.ids();
                            let world = atoms.filter(|&a| model.contains(a)).map(|a| 1 << a.0).sum();
                            assert_eq!(
                                sample.world(world & ((1 << sample.choices) - 1)),
                                Some(world),
                                "{}",
                                told()
                            );
                            assert_eq!(model.costs, sample.costs(world), "{}", told());
                            if model.optimal {
                                found.push(world);
                            }
                        }
                        Event::LowerBound(bounds) => {
                            let is_low = least.is_none_or(|least| bounds <= &least[..bounds.len()]);
                            assert!(is_low, "{bounds:?} above {least:?}: {}", told());
                        }
                        _ => {}
                    }
                    Flow::Continue
                });
            assert!(result.exhausted, "{}", told());
            assert_eq!(result.costs.as_ref(), least, "{}", told());
            if options.opt_mode == OptMode::OptN {
                let mut cheapest: Vec<World> =
                    all.iter().filter(fits).filter(|w| Some(&w.1) == least).map(|w| w.0).collect();
                cheapest.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, cheapest, "{}", told());
            }
            compared += 1;
            optimal += usize::from(least.is_some());
        }
    }
    println!("{compared} optima compared, {optimal} exist");
    assert!(2 * optimal > compared, "{optimal} of {compared}");
}
