//! Random tiny programs against the definition: answer sets, projections, optima, consequences, externals.

use crate::session::Session;
use crate::tests::pull::{count, pull};
use crate::translate::Stages;
use crate::{
    CoreTactics, EnumMode, Event, Flow, OptMode, OptStrategy, OptimizeParameters, Projection, SolveOptions,
    SolveResult,
};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;
use asp_program::ground_program::{ExternalValue, Objective, Show, ShowItem};
use asp_program::{AtomId, Body, Head, Literal, Program, RuleSource};

/// A world: atom i is true if bit i is set.
pub(crate) type World = u32;

/// What a random program may contain.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shape {
    pub(super) choice: bool,
    pub(super) weights: bool,
    pub(super) disjunctions: bool,
    /// Percentage of positive body literals.
    pub(super) positive: u64,
    pub(super) atoms: u64,
    pub(super) rules: u64,
}

fn literal(rng: &mut Rng, shape: Shape) -> Literal {
    Literal::new(AtomId(rng.below(shape.atoms) as u32), rng.below(100) >= shape.positive)
}

pub(crate) fn random_program(seed: u64, shape: Shape) -> Program {
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
            let n = if heads == 0 && rng.below(2) == 0 { 1 } else { rng.below(4) };
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

pub(crate) fn answer_sets(program: &Program, choices: &[AtomId]) -> Vec<World> {
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

pub(crate) fn describe(program: &Program) -> String {
    let mut out = String::new();
    for rule in program.rules.iter() {
        out += &format!("{:?} :- {:?}\n", rule.head, rule.body);
    }
    out
}

/// The reports of a call.
pub(super) struct Run {
    pub(super) worlds: Vec<World>,
    pub(super) costs: Vec<Vec<i64>>,
    optimal: Vec<World>,
    shown: Vec<Vec<bool>>,
    pub(super) result: SolveResult,
    session: Session,
}

pub(super) fn run(program: &Program, options: &SolveOptions, stages: Stages, assumptions: &[Literal]) -> Run {
    let mut session = Session::with_stages(stages);
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
        Flow::Continue
    });
    if options.threads <= 1 {
        let pulled = pull(program, options, stages, assumptions);
        assert_eq!(
            pulled,
            (worlds.clone(), costs.clone(), result.exhausted),
            "pulled:\n{}",
            describe(program)
        );
        let counted = count(program, options, stages, assumptions, &worlds);
        assert_eq!(counted, (result.models, result.exhausted), "counted:\n{}", describe(program));
    }
    Run { worlds, costs, optimal, shown, result, session }
}

pub(crate) fn all() -> SolveOptions {
    SolveOptions { models: Some(0), ..SolveOptions::default() }
}

pub(super) fn by(strategy: OptStrategy, cores: CoreTactics) -> SolveOptions {
    let mut options = SolveOptions::default();
    options.solver.optimize = OptimizeParameters { strategy, cores, ..OptimizeParameters::default() };
    options
}

#[track_caller]
pub(crate) fn compare(what: &str, seed: u64, program: &Program, mut found: Vec<World>, expected: &[World]) {
    found.sort_unstable();
    assert_eq!(found, expected, "{what}, seed {seed}:\n{}", describe(program));
}

#[track_caller]
fn compare_many(what: &str, count: u64, shape: Shape) {
    let plain = Stages {
        passes: crate::translate::stages::Passes { constants: false, equivalences: false, trace: false },
        cliques: false,
        ..Stages::default()
    };
    for seed in 0..count {
        let program = random_program(seed, shape);
        let expected = answer_sets(&program, &[]);
        for (variant, stages) in [("", Stages::default()), (" without preprocessing", plain)] {
            let got = run(&program, &all(), stages, &[]);
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

/// Adds objectives on some levels.
pub(crate) fn add_objectives(program: &mut Program, seed: u64) {
    let mut rng = Rng::new(seed ^ 0xabcd);
    let atoms = program.atoms.len() as u64;
    for priority in 0..1 + rng.below(3) as i64 {
        let mut literals: Vec<(Literal, i64)> = Vec::new();
        for _ in 0..rng.below(6) {
            let l = Literal::new(AtomId(rng.below(atoms) as u32), rng.below(3) == 0);
            let w = rng.below(9) as i64 - 3;
            if w != 0 && literals.iter().all(|x| x.0 != l) {
                literals.push((l, w));
            }
        }
        program.objectives.push(Objective { priority, constant: rng.below(5) as i64 - 2, literals });
    }
}

pub(crate) fn costs(program: &Program, world: World) -> Vec<i64> {
    let mut levels: Vec<_> = program.objectives.iter().collect();
    levels.sort_by_key(|o| -o.priority);
    let cost = |o: &&Objective| {
        o.constant + o.literals.iter().filter(|(l, _)| holds(*l, world, world)).map(|x| x.1).sum::<i64>()
    };
    levels.iter().map(cost).collect()
}

pub(crate) const OPTIMISING: Shape =
    Shape { choice: true, weights: true, disjunctions: false, positive: 60, atoms: 6, rules: 12 };

#[test]
fn optima() {
    for seed in 0..700 {
        let mut program = random_program(seed, OPTIMISING);
        add_objectives(&mut program, seed);
        let expected = answer_sets(&program, &[]);
        let best = expected.iter().map(|&w| costs(&program, w)).min();
        let optimal: Vec<World> =
            expected.iter().copied().filter(|&w| Some(costs(&program, w)) == best).collect();
        let mut cores = CoreTactics::default();
        use crate::{Relaxation as R, Shrink as S};
        cores.relaxation =
            [R::Oll, R::One, R::Pmres, R::Bounded(Some(3)), R::Bounded(None)][seed as usize % 5];
        let shrinks = [S::Minimal, S::Forward, S::Backward, S::Binary, S::Geometric, S::Exponential];
        cores.shrink = shrinks.get(seed as usize % 7).copied();
        (cores.disjoint, cores.stratify) = (seed % 2 == 0, seed % 3 == 0);
        for strategy in OptStrategy::ALL {
            let options = SolveOptions { opt_mode: OptMode::OptN, models: Some(0), ..by(strategy, cores) };
            let mut got = run(&program, &options, Stages::default(), &[]);
            got.optimal.sort_unstable();
            let what = format!("{strategy:?}, seed {seed}:\n{}{:?}", describe(&program), program.objectives);
            assert_eq!(got.optimal, optimal, "optimal models, {what}");
            assert_eq!(got.result.costs, best, "{what}");
            assert!(got.result.exhausted);
            for (w, c) in got.worlds.iter().zip(&got.costs) {
                assert_eq!(*c, costs(&program, *w), "{what}");
            }
            let options = by(strategy, CoreTactics::default());
            let got = run(&program, &options, Stages::default(), &[]);
            assert_eq!(got.costs.last(), best.as_ref(), "{what}");
            assert!(got.costs.windows(2).all(|w| w[1] < w[0]), "not improving, {what}");
            assert!(got.result.exhausted);
        }
    }
}

#[test]
fn models_within_bounds() {
    for seed in 0..700 {
        let mut program = random_program(seed, OPTIMISING);
        add_objectives(&mut program, seed);
        let mut rng = Rng::new(seed);
        let bounds: Vec<i64> =
            (0..1 + rng.below(program.objectives.len() as u64)).map(|_| rng.below(6) as i64).collect();
        let expected: Vec<World> = answer_sets(&program, &[])
            .into_iter()
            .filter(|&w| costs(&program, w)[..bounds.len()] <= bounds[..])
            .collect();
        let options = SolveOptions { opt_mode: OptMode::Enum, opt_bounds: bounds.clone(), ..all() };
        let got = run(&program, &options, Stages::default(), &[]);
        compare(
            &format!("within {bounds:?} of {:?}", program.objectives),
            seed,
            &program,
            got.worlds,
            &expected,
        );
        let best = expected.iter().map(|&w| costs(&program, w)).min();
        let options = SolveOptions { opt_bounds: bounds, ..all() };
        let got = run(&program, &options, Stages::default(), &[]);
        assert_eq!(got.result.costs, best, "seed {seed}");
    }
}

/// Shows some atoms, some of them under a common term.
pub(crate) fn add_shows(program: &mut Program, seed: u64) {
    let mut rng = Rng::new(seed ^ 0x1234);
    let atoms = program.atoms.len() as u64;
    for _ in 0..1 + rng.below(4) {
        let term = asp_base::symbol::Sym::small(rng.below(3) as i64).map(ShowItem::Term);
        let condition: Vec<Literal> = (0..1 + rng.below(2))
            .map(|_| Literal::new(AtomId(rng.below(atoms) as u32), rng.below(4) == 0))
            .collect();
        let condition = program.push_literals(&condition);
        if let Some(item) = term {
            program.shows.push(Show { item, condition });
        }
    }
}

/// Which show items a world shows.
pub(crate) fn shown(program: &Program, world: World) -> Vec<bool> {
    let entry = |s: &Show| program.literals(s.condition).iter().all(|&l| holds(l, world, world));
    let on = |s: &Show| program.shows.iter().any(|o| o.item == s.item && entry(o));
    program.shows.iter().map(on).collect()
}

#[test]
fn projections() {
    for seed in 0..700 {
        let mut program = random_program(seed, OPTIMISING);
        add_shows(&mut program, seed);
        let project: Vec<AtomId> = (0..3).map(|i| AtomId(i * 2)).collect();
        program.project = Some(project.clone());
        let worlds = answer_sets(&program, &[]);
        for enum_mode in [EnumMode::Auto, EnumMode::Record] {
            let number = |item: ShowItem| match item {
                ShowItem::Atom(atom) => u64::from(atom.0),
                other => other.term().map_or(0, |t| u64::from(t.raw())),
            };
            let hidden: Vec<u32> = (0u32..)
                .zip(&program.shows)
                .filter_map(|(entry, show)| (number(show.item) % 4 == seed % 4).then_some(entry))
                .collect();
            for (projection, undistinguished) in [
                (Projection::Show, Vec::new()),
                (Projection::Show, hidden),
                (Projection::Project, Vec::new()),
            ] {
                let image = |w: World| match projection {
                    Projection::Project => project.iter().map(|a| w >> a.0 & 1 == 1).collect(),
                    _ => {
                        let mut image = shown(&program, w);
                        undistinguished.iter().for_each(|&entry| image[entry as usize] = false);
                        image
                    }
                };
                let mut expected: Vec<Vec<bool>> = worlds.iter().map(|&w| image(w)).collect();
                expected.sort();
                expected.dedup();
                let undistinguished = undistinguished.clone();
                let options = SolveOptions { projection, undistinguished, enum_mode, ..all() };
                let got = run(&program, &options, Stages::default(), &[]);
                let mut found: Vec<Vec<bool>> = got.worlds.iter().map(|&w| image(w)).collect();
                found.sort();
                assert_eq!(
                    found,
                    expected,
                    "{projection:?} {enum_mode:?} seed {seed}:\n{}",
                    describe(&program)
                );
                assert!(got.worlds.iter().all(|w| worlds.contains(w)), "seed {seed}");
            }
        }
        let options = SolveOptions { enum_mode: EnumMode::Record, ..all() };
        let got = run(&program, &options, Stages::default(), &[]);
        compare("recorded", seed, &program, got.worlds, &worlds);
    }
}

#[test]
fn consequences() {
    for seed in 0..700 {
        let mut program = random_program(seed, OPTIMISING);
        add_shows(&mut program, seed);
        let worlds = answer_sets(&program, &[]);
        let images: Vec<Vec<bool>> = worlds.iter().map(|&w| shown(&program, w)).collect();
        for enum_mode in [EnumMode::Brave, EnumMode::Cautious, EnumMode::Query] {
            let options = SolveOptions { enum_mode, ..SolveOptions::default() };
            let got = run(&program, &options, Stages::default(), &[]);
            let brave = enum_mode == EnumMode::Brave;
            let expected = (!images.is_empty()).then(|| {
                let over =
                    |i: usize| if brave { images.iter().any(|m| m[i]) } else { images.iter().all(|m| m[i]) };
                (0..program.shows.len()).map(over).collect::<Vec<bool>>()
            });
            assert_eq!(
                got.shown.last(),
                expected.as_ref(),
                "{enum_mode:?} seed {seed}:\n{}",
                describe(&program)
            );
            assert!(got.result.exhausted);
        }
    }
}

#[test]
fn externals_and_assumptions() {
    for seed in 0..700 {
        let mut program = random_program(seed, OPTIMISING);
        let mut rng = Rng::new(seed);
        let undefined: Vec<AtomId> = program
            .atoms
            .ids()
            .filter(|a| !program.rules.iter().any(|r| r.head.atoms().contains(a)))
            .collect();
        let mut session = Session::new();
        for call in 0..4 {
            for &a in &undefined {
                let values =
                    [ExternalValue::True, ExternalValue::False, ExternalValue::Free, ExternalValue::Release];
                program.externals.push(a, values[rng.below(4) as usize]);
            }
            let value = |a: &AtomId| program.externals.iter().rev().find(|e| e.0 == *a).map(|e| e.1);
            let assumed: Vec<Literal> = (0..rng.below(3)).map(|_| literal(&mut rng, OPTIMISING)).collect();
            let open: Vec<AtomId> = undefined
                .iter()
                .copied()
                .filter(|a| matches!(value(a), Some(ExternalValue::True | ExternalValue::Free)))
                .collect();
            let fits = |w: World, assumed: &[Literal]| {
                assumed.iter().all(|&l| holds(l, w, w))
                    && undefined.iter().all(|a| value(a) != Some(ExternalValue::True) || w >> a.0 & 1 == 1)
            };
            let worlds = answer_sets(&program, &open);
            let expected: Vec<World> = worlds.iter().copied().filter(|&w| fits(w, &assumed)).collect();
            let mut found = Vec::new();
            let result = session.solve(&program, &all(), &assumed, &Interrupt::new(), &mut |event| {
                if let Event::Model(m) = event {
                    found.push(program.atoms.ids().filter(|&a| m.contains(a)).map(|a| 1 << a.0).sum());
                }
                Flow::Continue
            });
            compare(
                &format!("call {call}, {:?}, {assumed:?}", program.externals),
                seed,
                &program,
                found,
                &expected,
            );
            if expected.is_empty() {
                assert!(result.core.iter().all(|l| assumed.contains(l)));
                assert!(!worlds.iter().any(|&w| fits(w, &result.core)), "not a core, seed {seed}");
            }
        }
        let stats = session.statistics();
        assert_eq!(stats.atoms, program.atoms.len() as u64);
    }
}

pub(crate) const DISJUNCTIVE: Shape =
    Shape { choice: true, weights: false, disjunctions: true, positive: 80, atoms: 6, rules: 16 };

#[test]
fn disjunctive_programs() {
    compare_many("disjunctive", 2000, DISJUNCTIVE);
    compare_many("disjunctive without choices", 2000, Shape { choice: false, positive: 90, ..DISJUNCTIVE });
}

#[test]
fn disjunctive_programs_with_weights() {
    compare_many("disjunctive with weights", 2000, Shape { weights: true, ..DISJUNCTIVE });
}

/// A program for testing stages: choices, a positive loop, a saturated disjunction, edges.
pub(crate) struct Built {
    pub(super) program: Program,
}

impl Built {
    pub(super) fn new(atoms: usize) -> Self {
        let mut program = Program::new();
        for _ in 0..atoms {
            program.atoms.add_aux();
        }
        Self { program }
    }
    pub(super) fn rule(&mut self, choice: bool, head: &[u32], body: &[i32]) -> &mut Self {
        let head: Vec<AtomId> = head.iter().map(|&a| AtomId(a)).collect();
        let body: Vec<Literal> =
            body.iter().map(|&l| Literal::new(AtomId(l.unsigned_abs() - 1), l < 0)).collect();
        self.program.rules.add(choice, &head, &body, RuleSource::NONE);
        self
    }
    fn count(&self, stages: Stages) -> (usize, crate::Statistics) {
        let mut got = run(&self.program, &all(), stages, &[]);
        assert!(got.result.exhausted);
        (got.worlds.len(), got.session.statistics())
    }
}

#[test]
fn without_unfounded_sets_loops_hold_themselves_up() {
    let mut b = Built::new(3);
    b.rule(false, &[0], &[2]).rule(false, &[1], &[1]).rule(true, &[2], &[]).rule(false, &[0], &[3]);
    let (with, stats) = b.count(Stages::default());
    assert_eq!((with, stats.tight, stats.sccs), (2, false, (1, 2)));
    assert!(stats.loops > 0);
    assert_eq!(b.count(Stages { unfounded: false, ..Stages::default() }).0, 3);
}

#[test]
fn without_stability_tests_models_are_not_minimal() {
    let mut b = Built::new(4);
    b.rule(true, &[3], &[]).rule(false, &[0, 1], &[]).rule(false, &[0], &[3]).rule(false, &[1], &[3]);
    b.rule(false, &[2], &[1, 2]);
    let expected = answer_sets(&b.program, &[]);
    let (with, stats) = b.count(Stages::default());
    assert_eq!(with, expected.len());
    assert!(stats.stability_tests.1 > 0 && stats.stability_tests.0 > stats.stability_tests.1);
    assert!(b.count(Stages { disjunctive: false, ..Stages::default() }).0 > with);
}

#[test]
fn equal_bodies_and_constants_need_no_variables() {
    use crate::translate::stages::Passes;
    let mut b = Built::new(6);
    b.rule(true, &[0, 1], &[]).rule(false, &[2], &[1, 2]).rule(false, &[3], &[2, 1]).rule(
        false,
        &[4],
        &[3, -4],
    );
    b.rule(false, &[5], &[-5]);
    let off = |constants, equivalences| Stages {
        passes: Passes { constants, equivalences, trace: false },
        ..Stages::default()
    };
    let full = b.count(Stages::default());
    let no_classes = b.count(off(true, false));
    let nothing = b.count(off(false, false));
    assert_eq!((full.0, no_classes.0, nothing.0), (4, 4, 4));
    assert!(full.1.search.variables.0 < no_classes.1.search.variables.0);
    assert!(full.1.equivalences > 0 && no_classes.1.equivalences == 0);

    let mut b = Built::new(4);
    b.rule(false, &[0], &[]).rule(false, &[1], &[1]).rule(false, &[2], &[2, -4]).rule(true, &[2], &[1, 4]);
    let (full, nothing) = (b.count(Stages::default()), b.count(off(false, false)));
    assert_eq!((full.0, nothing.0), (1, 1));
    assert!(full.1.search.variables.0 < nothing.1.search.variables.0);
}

#[test]
fn pairs_become_groups() {
    let mut b = Built::new(6);
    b.rule(true, &[0, 1, 2, 3, 4, 5], &[]);
    for i in 1..=6 {
        for j in i + 1..=6 {
            b.rule(false, &[], &[i, j]);
        }
    }
    let (with, stats) = b.count(Stages::default());
    assert_eq!((with, stats.search.groups.0, stats.search.constraints.0), (7, 1, 0));
    let (without, stats) = b.count(Stages { cliques: false, ..Stages::default() });
    assert_eq!((without, stats.search.groups.0, stats.search.constraints.0), (7, 0, 15));
}

#[test]
fn at_most_one_from_a_weight_rule() {
    let mut b = Built::new(4);
    b.rule(true, &[0, 1, 2, 3], &[]);
    let body: Vec<(Literal, i64)> = (0..4).map(|a| (Literal::pos(AtomId(a)), 1)).collect();
    b.program.rules.add_weight(false, &[], 2, &body, RuleSource::NONE);
    let (models, stats) = b.count(Stages::default());
    assert_eq!((models, stats.search.groups), (5, (1, 0)));
    b.program.rules.add_weight(false, &[], 1, &body, RuleSource::NONE);
    assert_eq!(b.count(Stages::default()).0, 1);
}

fn is_acyclic(program: &Program, world: World) -> bool {
    let there = |e: &asp_program::ground_program::Edge| {
        program.literals(e.condition).iter().all(|&l| holds(l, world, world))
    };
    let mut edges: Vec<_> = program.edges.iter().filter(|e| there(e)).collect();
    loop {
        let before = edges.len();
        let from: Vec<_> = edges.iter().map(|e| e.from).collect();
        edges.retain(|e| from.contains(&e.to));
        if edges.len() == before {
            return edges.is_empty();
        }
    }
}

#[test]
fn edges_without_cycles() {
    let mut differs = 0;
    for seed in 0..700 {
        let mut program = random_program(seed, OPTIMISING);
        let mut rng = Rng::new(seed);
        let node = |rng: &mut Rng| asp_base::symbol::Sym::small(rng.below(4) as i64);
        for _ in 0..rng.below(9) {
            let condition: Vec<Literal> = (0..rng.below(3)).map(|_| literal(&mut rng, OPTIMISING)).collect();
            let condition = program.push_literals(&condition);
            if let (Some(from), Some(to)) = (node(&mut rng), node(&mut rng)) {
                let source = asp_program::RuleSource::NONE;
                program.edges.push(asp_program::ground_program::Edge { from, to, condition, source });
            }
        }
        let worlds = answer_sets(&program, &[]);
        let expected: Vec<World> = worlds.iter().copied().filter(|&w| is_acyclic(&program, w)).collect();
        differs += u64::from(worlds.len() != expected.len());
        let got = run(&program, &all(), Stages::default(), &[]);
        compare(&format!("edges {:?}", program.edges), seed, &program, got.worlds, &expected);
        let got = run(&program, &all(), Stages { acyclicity: false, ..Stages::default() }, &[]);
        compare("edges ignored", seed, &program, got.worlds, &worlds);
    }
    assert!(differs > 100);
}

#[test]
fn heuristics_keep_the_models_and_choose_the_first() {
    use asp_program::ground_program::{Heuristic, HeuristicModifier::*};
    let domain = SolveOptions { domain_heuristic: true, ..all() };
    for seed in 0..300 {
        let mut program = random_program(seed, OPTIMISING);
        let mut rng = Rng::new(seed);
        for _ in 0..rng.below(6) {
            let condition: Vec<Literal> = (0..rng.below(2)).map(|_| literal(&mut rng, OPTIMISING)).collect();
            let condition = program.push_literals(&condition);
            program.heuristics.push(Heuristic {
                atom: AtomId(rng.below(OPTIMISING.atoms) as u32),
                modifier: [Level, Sign, Factor, Init, True, False][rng.below(6) as usize],
                bias: rng.below(7) as i32 - 3,
                priority: rng.below(3) as u32,
                condition,
            });
        }
        let got = run(&program, &domain, Stages::default(), &[]);
        compare("heuristics", seed, &program, got.worlds, &answer_sets(&program, &[]));
    }
    // The greatest level is decided first, with its sign; a condition that holds changes the sign of the next one.
    let mut b = Built::new(3);
    b.rule(true, &[0, 1, 2], &[]).rule(false, &[], &[1, 2]);
    let (on_b, always) = (b.program.push_literals(&[Literal::pos(AtomId(1))]), b.program.push_literals(&[]));
    let directive = |atom, modifier, bias, condition| Heuristic {
        atom: AtomId(atom),
        modifier,
        bias,
        priority: 1,
        condition,
    };
    b.program.heuristics.push(directive(0, True, 1, always));
    b.program.heuristics.push(directive(1, True, 2, always));
    b.program.heuristics.push(directive(2, Sign, 1, on_b));
    assert_eq!(run(&b.program, &domain, Stages::default(), &[]).worlds[0], 0b110);
    assert_eq!(run(&b.program, &all(), Stages::default(), &[]).worlds[0], 0);
}

#[test]
fn cores_prove_bounds_where_models_only_improve() {
    // At least three of five must hold, one of them expensive.
    let mut b = Built::new(5);
    b.rule(true, &[0, 1, 2, 3, 4], &[]);
    let body: Vec<(Literal, i64)> = (0..5).map(|a| (Literal::neg(AtomId(a)), 1)).collect();
    b.program.rules.add_weight(false, &[], 3, &body, RuleSource::NONE);
    let literals = (0..5).map(|a| (Literal::pos(AtomId(a)), 1 + i64::from(a == 0) * 6)).collect();
    b.program.objectives.push(Objective { priority: 0, constant: 0, literals });
    let bounds_of = |strategy| {
        let options = by(strategy, CoreTactics::default());
        let mut session = Session::new();
        let (mut bounds, mut models) = (Vec::new(), 0);
        let result = session.solve(&b.program, &options, &[], &Interrupt::new(), &mut |event| {
            match event {
                Event::LowerBound(l) => bounds.push(l.to_vec()),
                Event::Model(_) => models += 1,
                Event::Optimum => {}
            }
            Flow::Continue
        });
        assert_eq!(result.costs, Some(vec![3]));
        assert_eq!(result.lower_bounds, [3]);
        (bounds, models)
    };
    let (bounds, models) = bounds_of(OptStrategy::CoreGuided);
    assert!(bounds.contains(&vec![1]) && bounds.contains(&vec![3]), "{bounds:?}");
    assert!(models <= 2);
    assert_eq!(bounds_of(OptStrategy::Linear).0, [[3]]);
}

#[test]
fn a_limit_keeps_the_best_model() {
    let mut program = random_program(3, Shape { atoms: 12, rules: 3, ..OPTIMISING });
    program.rules.add(true, &program.atoms.ids().collect::<Vec<_>>(), &[], RuleSource::NONE);
    let literals = program.atoms.ids().map(|a| (Literal::pos(a), -1)).collect();
    program.objectives.push(Objective { priority: 0, constant: 0, literals });
    let options = SolveOptions::default();
    let interrupt = Interrupt::new();
    let mut session = Session::new();
    let mut seen = 0;
    let result = session.solve(&program, &options, &[], &interrupt, &mut |event| {
        if let Event::Model(_) = event {
            seen += 1;
            interrupt.stop(asp_base::interrupt::StopReason::TimeLimit);
        }
        Flow::Continue
    });
    assert!(seen >= 1 && result.satisfiable && !result.exhausted);
    assert_eq!(result.stopped, Some(asp_base::interrupt::StopReason::TimeLimit));
    assert!(result.costs.is_some());
}

#[test]
fn tactics_of_core_guided_search_change_its_cores() {
    use crate::{CoreTactics, Relaxation, Shrink};
    let figures = |cores: CoreTactics| {
        let (mut bounds, mut conflicts) = (0u64, 0u64);
        for seed in 0..150 {
            let mut program = random_program(seed, Shape { atoms: 9, rules: 12, ..OPTIMISING });
            program.rules.add(true, &program.atoms.ids().collect::<Vec<_>>(), &[], RuleSource::NONE);
            let mut rng = Rng::new(seed);
            for _ in 0..6 {
                let [a, b, c] = [0; 3].map(|_| Literal::new(AtomId(rng.below(9) as u32), true));
                program.rules.add(false, &[], &[a, b, c], RuleSource::NONE);
            }
            let literals = (0..9).map(|a| (Literal::pos(AtomId(a)), 1 + rng.below(4) as i64)).collect();
            program.objectives = vec![Objective { priority: 0, constant: 0, literals }];
            let run = |options: &SolveOptions, bounds: &mut u64| {
                let mut session = Session::new();
                let result = session.solve(&program, options, &[], &Interrupt::new(), &mut |event| {
                    *bounds += u64::from(matches!(event, Event::LowerBound(_)));
                    Flow::Continue
                });
                let s = session.statistics().search;
                (result.costs, s.conflicts + s.choices + s.variables.0)
            };
            let options = by(OptStrategy::CoreGuided, cores);
            let (costs, more) = run(&options, &mut bounds);
            conflicts += more;
            assert_eq!(costs, run(&SolveOptions::default(), &mut 0).0, "seed {seed}");
        }
        (bounds, conflicts)
    };
    let all = figures(CoreTactics::default());
    for without in [
        CoreTactics { stratify: false, ..CoreTactics::default() },
        CoreTactics { shrink: None, ..CoreTactics::default() },
        CoreTactics { disjoint: false, ..CoreTactics::default() },
        CoreTactics { relaxation: Relaxation::One, ..CoreTactics::default() },
        CoreTactics { relaxation: Relaxation::Bounded(Some(3)), ..CoreTactics::default() },
        CoreTactics { relaxation: Relaxation::Pmres, ..CoreTactics::default() },
        CoreTactics { shrink: Some(Shrink::Forward), ..CoreTactics::default() },
        CoreTactics { shrink: Some(Shrink::Backward), ..CoreTactics::default() },
        CoreTactics { shrink: Some(Shrink::Binary), ..CoreTactics::default() },
        CoreTactics { shrink: Some(Shrink::Geometric), ..CoreTactics::default() },
        CoreTactics { shrink: Some(Shrink::Exponential), ..CoreTactics::default() },
    ] {
        assert_ne!(figures(without), all, "{without:?}");
    }
}

#[test]
fn kinds_of_loop_nogoods_keep_the_models() {
    use crate::LoopNogoods;
    for loops in [LoopNogoods::Common, LoopNogoods::Distinct, LoopNogoods::Never] {
        let mut options = all();
        options.solver.learning.loops = loops;
        for seed in 0..400 {
            let shape = Shape { choice: true, atoms: 8, rules: 22, positive: 85, ..NORMAL };
            let program = random_program(seed, shape);
            let got = run(&program, &options, Stages::default(), &[]);
            compare(&format!("{loops:?}"), seed, &program, got.worlds, &answer_sets(&program, &[]));
        }
    }
}

#[test]
fn supported_models_need_no_foundation() {
    let mut b = Built::new(3);
    // `{e}. c :- d. d :- c. c :- e.`
    b.rule(true, &[2], &[]).rule(false, &[0], &[2]).rule(false, &[1], &[1]).rule(false, &[0], &[3]);
    let mut supported = all();
    supported.translate.supported = true;
    assert_eq!(run(&b.program, &all(), Stages::default(), &[]).worlds.len(), 2);
    assert_eq!(run(&b.program, &supported, Stages::default(), &[]).worlds.len(), 3);
}
