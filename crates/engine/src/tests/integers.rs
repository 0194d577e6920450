//! Integers of the engine alone: random sums over integers and literals against all assignments.

use crate::integer::store::Int;
use crate::parameters::SolverParameters;
use crate::schedule::{Growth, Schedule};
use crate::store::literal::Lit;
use crate::{Engine, Outcome};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;

/// A sum of integers and literals that is at most a bound, if a literal holds.
struct Sum {
    when: Option<usize>,
    ints: Vec<(i64, usize)>,
    atoms: Vec<(i64, usize)>,
    bound: i64,
}

pub(super) struct Problem {
    pub(super) atoms: usize,
    pub(super) ranges: Vec<(i64, i64)>,
    sums: Vec<Sum>,
    clauses: Vec<Vec<(usize, bool)>>,
}

/// A literal of atom `i / 2`, negative if `i` is odd.
fn lit(i: usize) -> Lit {
    Lit::from_code(i)
}

/// A problem with few variables, or with more of them and so many sums that they conflict.
pub(super) fn random(rng: &mut Rng, many: bool) -> Problem {
    let mut below = |n: u64| rng.below(n);
    let more = if many { 2 } else { 0 };
    let (atoms, ints) = (1 + more + below(3) as usize, 1 + 2 * more + below(3) as usize);
    let ranges: Vec<(i64, i64)> = (0..ints)
        .map(|_| {
            let low = below(12) as i64 - 6;
            (low, low + below(7 + 8 * more as u64) as i64)
        })
        .collect();
    let factor = |n: u64| [1, 1, 1, -1, -1, -1, 2, -2, 3, -5][n as usize];
    let sums = (0..below(7) + 6 * more as u64).map(|_| Sum {
        when: (below(3) > 0).then(|| below(2 * atoms as u64) as usize),
        ints: (0..1 + more as u64 + below(3))
            .map(|_| (factor(below(10)), below(ints as u64) as usize))
            .collect(),
        atoms: (0..below(2)).map(|_| (factor(below(10)), below(atoms as u64) as usize)).collect(),
        bound: below(20) as i64 - 10,
    });
    let mut sums: Vec<Sum> = sums.collect();
    if many {
        // Tight around a solution: some are equations.
        let atom: Vec<i64> = (0..atoms).map(|_| below(2) as i64).collect();
        let of = |(low, high): &(i64, i64), n: u64| low + n as i64 % (high - low + 1);
        let int: Vec<i64> = ranges.iter().map(|r| of(r, below(100))).collect();
        for i in 0..sums.len() {
            let s = &mut sums[i];
            let value = s.ints.iter().map(|&(f, i)| f * int[i]).sum::<i64>()
                + s.atoms.iter().map(|&(f, a)| f * atom[a]).sum::<i64>();
            s.bound = value + below(2) as i64;
            if i % 3 == 0 {
                let negated = |terms: &[(i64, usize)]| terms.iter().map(|&(f, x)| (-f, x)).collect();
                let (when, ints, atoms) = (s.when, negated(&s.ints), negated(&s.atoms));
                sums.push(Sum { when, ints, atoms, bound: -value });
            }
        }
    }
    let clauses = (0..below(4))
        .map(|_| (0..1 + below(3)).map(|_| (below(atoms as u64) as usize, below(2) == 0)).collect());
    let clauses = clauses.collect();
    Problem { atoms, ranges, sums, clauses }
}

impl Problem {
    /// All solutions, by trying all.
    pub(super) fn solutions(&self) -> Vec<Vec<i64>> {
        let mut all = vec![Vec::new()];
        let ranges = (0..self.atoms).map(|_| (0, 1)).chain(self.ranges.iter().copied());
        for (low, high) in ranges {
            all = all
                .into_iter()
                .flat_map(|v: Vec<i64>| (low..=high).map(move |n| [&v[..], &[n]].concat()))
                .collect();
        }
        all.retain(|v| {
            self.clauses.iter().all(|c| c.iter().any(|&(a, s)| (v[a] == 1) == s))
                && self.sums.iter().all(|s| {
                    let holds = s.when.is_none_or(|l| (v[l / 2] == 1) == (l % 2 == 0));
                    let ints = s.ints.iter().map(|&(f, i)| f * v[self.atoms + i]);
                    let atoms = s.atoms.iter().map(|&(f, a)| f * v[a]);
                    !holds || ints.chain(atoms).sum::<i64>() <= s.bound
                })
        });
        all
    }

    pub(super) fn engine(&self, parameters: &SolverParameters) -> (Engine, Vec<Int>) {
        let mut engine = Engine::new(parameters);
        for _ in 0..self.atoms {
            engine.new_var();
        }
        let mut ints = Vec::new();
        for &(low, high) in &self.ranges {
            let int = engine.new_integer(low, high);
            let digits: Vec<Lit> =
                (0..).take_while(|k| (high - low) >> k > 0).map(|_| Lit::pos(engine.new_var())).collect();
            engine.add_digits(int, low, &digits);
            ints.push(int);
        }
        for c in &self.clauses {
            let clause: Vec<Lit> = c.iter().map(|&(a, s)| lit(2 * a + usize::from(!s))).collect();
            engine.add_clause(&clause);
        }
        for s in &self.sums {
            let mut terms: Vec<(i64, Int)> = s.ints.iter().map(|&(f, i)| (f, ints[i])).collect();
            for &(f, a) in &s.atoms {
                terms.push((f, engine.integer_of(lit(2 * a))));
            }
            engine.add_linear(s.when.map(lit), &terms, s.bound);
        }
        (engine, ints)
    }
}

fn values(engine: &Engine, problem: &Problem, ints: &[Int]) -> Vec<i64> {
    let atoms = (0..problem.atoms).map(|a| i64::from(engine.value(lit(2 * a)) == Some(true)));
    let ints = ints.iter().map(|&i| {
        let (low, high) = engine.integers().bounds(i);
        assert_eq!(low, high, "a model leaves an integer open");
        low
    });
    atoms.chain(ints).collect()
}

/// All solutions that the search finds, and its conflicts; `None` if there are more than some.
fn found(problem: &Problem, parameters: &SolverParameters, most: usize) -> Option<(Vec<Vec<i64>>, u64)> {
    let (mut engine, ints) = problem.engine(parameters);
    let mut found = Vec::new();
    while engine.solve(&[], &Interrupt::new()) == Outcome::Sat {
        found.push(values(&engine, problem, &ints));
        if found.len() > most {
            return None;
        }
        if !engine.backtrack_model() {
            break;
        }
    }
    found.sort();
    Some((found, engine.conflicts()))
}

/// Parameters with which names of bounds are given back early and often.
pub(super) fn restless(seed: u64) -> SolverParameters {
    let mut parameters = SolverParameters { seed, ..SolverParameters::default() };
    parameters.reduce.schedule = Some(Schedule { first: 2, growth: Growth::None, repeat: 0 });
    parameters.reduce.core_lbd = 0;
    parameters.inprocess.interval = 1;
    parameters.phase.rephase_interval = Some(1);
    parameters.restart.interval = 1;
    parameters
}

#[test]
fn random_sums_have_the_solutions_that_they_have() {
    let mut solutions = 0;
    for seed in 0..600 {
        let problem = random(&mut Rng::new(seed), false);
        let parameters = if seed % 2 == 0 {
            SolverParameters { seed, ..SolverParameters::default() }
        } else {
            restless(seed)
        };
        let expected = problem.solutions();
        let found = found(&problem, &parameters, expected.len()).map(|f| f.0);
        assert_eq!(found.as_ref(), Some(&expected), "seed {seed}");
        solutions += expected.len();
    }
    assert!(solutions > 20_000);
}

/// Larger problems: learning and forgetting neither loses nor adds a solution.
#[test]
fn what_is_learned_from_sums_is_true() {
    let (mut compared, mut conflicts) = (0, 0);
    for seed in 0..150 {
        let problem = random(&mut Rng::new(seed), true);
        let mut plain = SolverParameters { seed, ..SolverParameters::default() };
        let Some((first, more)) = found(&problem, &plain, 1000) else { continue };
        plain.learning.enabled = false;
        let second = found(&problem, &restless(seed), first.len()).expect("as many");
        let third = found(&problem, &plain, first.len()).expect("as many");
        assert!(first == second.0 && first == third.0, "seed {seed}");
        compared += first.len();
        conflicts += more + second.1;
    }
    assert!(compared > 1000 && conflicts > 1000, "{compared} solutions, {conflicts} conflicts");
}
