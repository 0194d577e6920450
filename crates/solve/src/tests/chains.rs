//! Chains of exactly-one groups: random lines of runs, and what is nearly one, against all choices of values; and what
//! propagation alone leaves of a line.
//!
//! `ASP_CHAINS` is the number of programs (default 1,500).

use crate::options::SolveOptions;
use crate::tests::session::{all, describe, run};
use crate::translate::{Stages, Translation};
use asp_base::rng::Rng;
use asp_program::{AtomId, Literal, Program, RuleSource};

/// Groups of values, pairs of values that exclude each other, and atoms that stand for several values.
struct Lines {
    program: Program,
    /// The values of all groups come first.
    values: u32,
    /// By other atom: its values.
    unions: Vec<Vec<AtomId>>,
    rejects: Vec<Vec<Literal>>,
    /// By group: its values, how many of them hold at least, and at most.
    groups: Vec<(Vec<AtomId>, usize, usize)>,
}

impl Lines {
    fn new() -> Self {
        Lines {
            program: Program::new(),
            values: 0,
            unions: Vec::new(),
            rejects: Vec::new(),
            groups: Vec::new(),
        }
    }
    fn reject(&mut self, body: &[Literal]) {
        self.program.rules.add(false, &[], body, RuleSource::NONE);
        self.rejects.push(body.to_vec());
    }
    /// A group, with its bounds as a sum or as clauses and pairs.
    fn group(&mut self, size: u64, least: usize, most: usize, pairs: bool) -> Vec<AtomId> {
        let values: Vec<AtomId> = (0..size).map(|_| self.program.atoms.add_aux()).collect();
        self.values += size as u32;
        let rules = &mut self.program.rules;
        rules.add(true, &values, &[], RuleSource::NONE);
        if least == 1 {
            let none: Vec<Literal> = values.iter().map(|&a| Literal::neg(a)).collect();
            rules.add(false, &[], &none, RuleSource::NONE);
        }
        if most == 1 && pairs {
            for (i, &a) in values.iter().enumerate() {
                for &b in &values[i + 1..] {
                    rules.add(false, &[], &[Literal::pos(b), Literal::pos(a)], RuleSource::NONE);
                }
            }
        } else if most < values.len() {
            let terms: Vec<(Literal, i64)> = values.iter().map(|&a| (Literal::pos(a), 1)).collect();
            rules.add_weight(false, &[], most as i64 + 1, &terms, RuleSource::NONE);
        }
        self.groups.push((values.clone(), least, most));
        values
    }
    fn union(&mut self, values: &[AtomId]) -> AtomId {
        let atom = self.program.atoms.add_aux();
        for &v in values {
            self.program.rules.add(false, &[atom], &[Literal::pos(v)], RuleSource::NONE);
        }
        self.unions.push(values.to_vec());
        atom
    }
    /// All answer sets, by choosing values, in order.
    fn worlds(&self) -> Vec<u32> {
        let holds = |world: u32, a: AtomId| world >> a.0 & 1 == 1;
        let whole = |chosen: u32| {
            let unions = self.unions.iter().enumerate();
            let of = unions.map(|(i, values)| {
                u32::from(values.iter().any(|&v| holds(chosen, v))) << (self.values as usize + i)
            });
            of.fold(chosen, |world, bit| world | bit)
        };
        let fits = |&world: &u32| {
            let body = |l: &Literal| holds(world, l.atom()) != l.is_neg();
            self.groups.iter().all(|(values, least, most)| {
                let n = values.iter().filter(|&&v| holds(world, v)).count();
                (*least..=*most).contains(&n)
            }) && !self.rejects.iter().any(|r| r.iter().all(body))
        };
        let mut found: Vec<u32> = (0..1u32 << self.values).map(whole).filter(fits).collect();
        found.sort_unstable();
        found
    }
}

fn shuffle<T>(rng: &mut Rng, list: &mut [T]) {
    (1..list.len()).for_each(|i| list.swap(i, rng.below(i as u64 + 1) as usize));
}

/// Runs of a line: lengths, the gap after each, and the length of the line.
struct Runs {
    lengths: Vec<u64>,
    gap: u64,
    line: u64,
}

/// The starts of runs in their order, and a cell for each place. Where `slips`, some of it is wrong.
fn line(rng: &mut Rng, runs: &Runs, slips: bool) -> (Lines, Vec<AtomId>) {
    let mut lines = Lines::new();
    let slip = |rng: &mut Rng, often: f64| slips && rng.chance(often);
    let shared = rng.chance(0.5);
    let mut starts: Vec<Vec<(AtomId, u64)>> = Vec::new();
    for &length in &runs.lengths {
        let n = runs.line + 1 - length;
        let least = usize::from(!slip(rng, 0.1));
        let most = if slip(rng, 0.1) { n as usize } else { 1 };
        let mut places: Vec<u64> = (0..n).collect();
        if slip(rng, 0.2) {
            shuffle(rng, &mut places);
        }
        let group = lines.group(n, least, most.max(least), shared);
        starts.push(group.into_iter().zip(places).collect());
    }
    let mut pairs = Vec::new();
    for (i, here) in starts.iter().enumerate() {
        let further = if rng.chance(0.3) { starts.len() } else { i + 2 };
        for next in &starts[(i + 1).min(starts.len())..further.min(starts.len())] {
            let gap = if slip(rng, 0.2) { rng.below(3) } else { runs.gap };
            for &(a, p) in here {
                for &(b, q) in next {
                    if (q < p + runs.lengths[i] + gap) != slip(rng, 0.02) {
                        pairs.push([Literal::pos(a), Literal::pos(b)]);
                    }
                }
            }
        }
    }
    if rng.chance(0.3) {
        shuffle(rng, &mut pairs);
    }
    pairs.iter().for_each(|pair| lines.reject(pair));
    let mut cells = Vec::new();
    for place in 0..runs.line {
        let mut covering = Vec::new();
        for (run, &length) in starts.iter().zip(&runs.lengths) {
            let covers = |&&(_, p): &&(AtomId, u64)| p <= place && place < p + length;
            covering.extend(run.iter().filter(covers).map(|t| t.0));
            if slip(rng, 0.1) {
                covering.pop();
            }
            if slip(rng, 0.05) {
                covering.push(run[rng.below(run.len() as u64) as usize].0);
            }
        }
        if !covering.is_empty() {
            cells.push(lines.union(&covering));
        }
    }
    for &cell in &cells {
        if rng.chance(0.3) {
            lines.reject(&[Literal::new(cell, rng.chance(0.5))]);
        }
    }
    (lines, cells)
}

fn runs(rng: &mut Rng, values: u64) -> Runs {
    loop {
        let lengths: Vec<u64> = (0..1 + rng.below(3)).map(|_| 1 + rng.below(3)).collect();
        let runs = Runs { gap: rng.below(2), line: 3 + rng.below(5), lengths };
        let count: u64 = runs.lengths.iter().map(|l| (runs.line + 1).saturating_sub(*l)).sum();
        if runs.lengths.iter().all(|&l| l <= runs.line) && count <= values {
            return runs;
        }
    }
}

fn programs() -> u64 {
    std::env::var("ASP_CHAINS").ok().and_then(|n| n.parse().ok()).unwrap_or(1500)
}

#[test]
fn lines_and_what_is_nearly_one_have_the_answer_sets_of_their_values() {
    let (mut several, mut none) = (0, 0);
    for seed in 0..programs() {
        let mut rng = Rng::new(seed);
        let runs = runs(&mut rng, 13);
        let slips = rng.chance(0.6);
        let (mut lines, cells) = line(&mut rng, &runs, slips);
        // Conditions across: two literals of any atoms.
        for _ in 0..rng.below(4) {
            let atoms = u64::from(lines.values) + cells.len() as u64;
            let mut any = || Literal::new(AtomId(rng.below(atoms) as u32), rng.chance(0.5));
            let pair = [any(), any()];
            lines.reject(&pair);
        }
        let expected = lines.worlds();
        several += usize::from(expected.len() > 1);
        none += usize::from(expected.is_empty());
        for chains in [true, false] {
            let mut got = run(&lines.program, &all(), Stages { chains, ..Stages::default() }, &[]);
            got.worlds.sort_unstable();
            assert_eq!(got.worlds, expected, "seed {seed}, chains {chains}:\n{}", describe(&lines.program));
        }
    }
    assert!(several > 250 && none > 250, "{several} {none}");
}

#[test]
fn propagation_leaves_what_some_solution_of_a_line_has() {
    let (mut decided, mut weaker) = (0, 0);
    for seed in 0..programs() {
        let mut rng = Rng::new(seed);
        let runs = runs(&mut rng, 16);
        if runs.lengths.len() < 2 {
            continue;
        }
        let (lines, _) = line(&mut rng, &runs, false);
        let expected = lines.worlds();
        let left = |chains: bool| {
            let stages = Stages { chains, ..Stages::default() };
            let mut t = Translation::new(&lines.program, &SolveOptions::default(), stages);
            let ok = t.ok && t.engine.propagate_root_units();
            ok.then(|| lines.program.atoms.ids().map(|a| t.engine.fixed(t.lit(Literal::pos(a)))).collect())
        };
        let value = |a: u32| {
            let first = expected[0] >> a & 1;
            expected.iter().all(|w| w >> a & 1 == first).then_some(first == 1)
        };
        let all: Option<Vec<_>> =
            (!expected.is_empty()).then(|| (0..lines.program.atoms.len() as u32).map(value).collect());
        decided += usize::from(all.is_none());
        weaker += usize::from(left(false) != all);
        let mut got = left(true);
        // What is left of a single group is no chain, and atoms that cover it are not seen to.
        if let (Some(got), Some(all)) = (&mut got, &all) {
            let open = |g: &&(Vec<AtomId>, usize, usize)| g.0.iter().any(|a| all[a.0 as usize].is_none());
            if lines.groups.iter().filter(open).count() < 2 {
                got[lines.values as usize..].copy_from_slice(&all[lines.values as usize..]);
            }
        }
        assert_eq!(got, all, "seed {seed}:\n{}", describe(&lines.program));
    }
    assert!(decided > 50 && weaker > 50, "{decided} {weaker}");
}
