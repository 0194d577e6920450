//! Random tiny programs against the definition: answer sets, projections, optima, consequences, externals.

use super::answer::Session;
use super::translate::Parts;
use super::{Control, EnumMode, Event, OptMode, OptStrategy, Projection, SolveOptions, SolveResult};
use crate::base::interrupt::Interrupt;
use crate::base::rng::Rng;
use crate::program::ground_program::{ExternalValue, Objective, Show, ShowItem};
use crate::program::{AtomId, Body, Head, Literal, Program, RuleSource};

/// A world: bit i is atom i.
type World = u32;

/// What a random program may contain.
#[derive(Clone, Copy, Default)]
struct Shape {
    choice: bool,
    weights: bool,
    disjunctions: bool,
    /// Percentage of positive body literals.
    positive: u64,
    atoms: u64,
    rules: u64,
}

fn literal(rng: &mut Rng, shape: Shape) -> Literal {
    Literal::new(AtomId(rng.below(shape.atoms) as u32), rng.below(100) >= shape.positive)
}

fn random_program(seed: u64, shape: Shape) -> Program {
    let mut rng = Rng::new(seed);
    let mut program = Program::new();
    for _ in 0..shape.atoms {
        program.atoms.add_aux();
    }
    for _ in 0..1 + rng.below(shape.rules) {
        let (mut heads, mut choice) = (1, false);
        match rng.below(10) {
            0 => heads = 0,
            1..=3 if shape.choice => {
                choice = true;
                heads = 1 + rng.below(3);
            }
            1..=5 if shape.disjunctions => heads = 2 + rng.below(2),
            _ => {}
        }
        let head: Vec<AtomId> = (0..heads).map(|_| AtomId(rng.below(shape.atoms) as u32)).collect();
        if shape.weights && rng.below(3) == 0 {
            let n = 1 + rng.below(4);
            let unit = rng.below(2) == 0;
            let body: Vec<(Literal, i64)> = (0..n)
                .map(|_| (literal(&mut rng, shape), if unit { 1 } else { 1 + rng.below(3) as i64 }))
                .collect();
            let bound = rng.below(5) as i64;
            program.rules.add_weight(choice, &head, bound, &body, RuleSource::NONE);
        } else {
            let n = rng.below(4);
            let body: Vec<Literal> = (0..n).map(|_| literal(&mut rng, shape)).collect();
            program.rules.add(choice, &head, &body, RuleSource::NONE);
        }
    }
    program
}

fn holds(l: Literal, positive: World, negative: World) -> bool {
    if l.is_neg() { negative >> l.atom().0 & 1 == 0 } else { positive >> l.atom().0 & 1 == 1 }
}

/// Whether `here` satisfies the reduct with respect to `there`.
fn satisfies(program: &Program, here: World, there: World) -> bool {
    program.rules.iter().all(|rule| {
        let body = match rule.body {
            Body::Normal(literals) => literals.iter().all(|&l| holds(l, here, there)),
            Body::Weight { bound, literals, weights } => {
                let sum: i64 = literals
                    .iter()
                    .zip(weights)
                    .filter(|&(&l, _)| holds(l, here, there))
                    .map(|(_, &w)| w)
                    .sum();
                sum >= bound
            }
        };
        let head = match rule.head {
            Head::Disjunction(heads) => heads.iter().any(|h| here >> h.0 & 1 == 1),
            Head::Choice(heads) => heads.iter().all(|h| here >> h.0 & 1 == 1 || there >> h.0 & 1 == 0),
        };
        !body || head
    })
}

fn answer_sets(program: &Program, choices: &[AtomId]) -> Vec<World> {
    let free: World = choices.iter().map(|a| 1 << a.0).sum();
    let n = program.atoms.len() as u32;
    (0..1u32 << n)
        .filter(|&w| {
            satisfies(program, w, w) && {
                // Smaller worlds keep what was chosen outside.
                let mut smaller = w;
                loop {
                    if smaller == 0 {
                        break true;
                    }
                    smaller = (smaller - 1) & w;
                    if smaller & free == w & free && satisfies(program, smaller, w) {
                        break false;
                    }
                }
            }
        })
        .collect()
}

fn describe(program: &Program) -> String {
    let mut out = String::new();
    for rule in program.rules.iter() {
        out += &format!("{:?} :- {:?}\n", rule.head, rule.body);
    }
    out
}

struct Run {
    worlds: Vec<World>,
    costs: Vec<Vec<i64>>,
    optimal: Vec<World>,
    shown: Vec<Vec<bool>>,
    result: SolveResult,
    session: Session,
}

fn run(program: &Program, options: &SolveOptions, parts: Parts, assumptions: &[Literal]) -> Run {
    let mut session = Session::with_parts(options, parts);
    let (mut worlds, mut costs, mut optimal, mut shown) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let result = session.solve(program, options, assumptions, &Interrupt::new(), &mut |event| {
        if let Event::Model(m) = event {
            let world = program.atoms.ids().filter(|&a| m.contains(a)).map(|a| 1 << a.0).sum();
            worlds.push(world);
            costs.push(m.costs.to_vec());
            shown.push(m.shown.to_vec());
            if m.optimal {
                optimal.push(world);
            }
        }
        Control::Continue
    });
    Run { worlds, costs, optimal, shown, result, session }
}

fn all() -> SolveOptions {
    SolveOptions { models: Some(0), ..SolveOptions::default() }
}

#[track_caller]
fn compare(what: &str, seed: u64, program: &Program, mut found: Vec<World>, expected: &[World]) {
    found.sort_unstable();
    assert_eq!(found, expected, "{what}, seed {seed}:\n{}", describe(program));
}

#[track_caller]
fn compare_many(what: &str, count: u64, shape: Shape) {
    let plain = Parts {
        passes: super::preprocess::Passes { constants: false, equivalences: false },
        cliques: false,
        ..Parts::default()
    };
    for seed in 0..count {
        let program = random_program(seed, shape);
        let expected = answer_sets(&program, &[]);
        for (variant, parts) in [("", Parts::default()), (" without preprocessing", plain)] {
            let got = run(&program, &all(), parts, &[]);
            compare(&format!("{what}{variant}"), seed, &program, got.worlds, &expected);
            assert!(got.result.exhausted);
        }
    }
}

const NORMAL: Shape =
    Shape { choice: false, weights: false, disjunctions: false, positive: 50, atoms: 6, rules: 14 };

#[test]
fn normal_programs() {
    compare_many("normal", 1500, NORMAL);
}

#[test]
fn choices_and_loops() {
    compare_many("choices", 1500, Shape { choice: true, positive: 75, ..NORMAL });
}

#[test]
fn weight_bodies_in_loops() {
    compare_many("weights", 2000, Shape { choice: true, weights: true, positive: 80, ..NORMAL });
}
