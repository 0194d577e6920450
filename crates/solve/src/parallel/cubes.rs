//! Cubes: disjoint parts of a program's search space, for independent runs.
//!
//! The part that is least constrained is split, at the atom whose two sides propagate most, until there are as many parts
//! as are wanted. Parts that propagation refutes are left out. Under projection only projected atoms are split at, so no
//! projected answer set is in two parts.
//! Invariant: every answer set is in exactly one of the open parts, whenever splitting stops.
//! Source: Heule, Kullmann, Wieringa and Biere, *Cube and conquer: guiding CDCL SAT solvers by lookaheads*, HVC 2011.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::call::SolveCall;
use crate::options::{Projection, SolveOptions};
use crate::session::Session;
use asp_base::interrupt::Interrupt;
use asp_base::map::Set;
use asp_engine::store::literal::Lit;
use asp_engine::{Engine, Outcome};
use asp_program::ground_program::ShowItem;
use asp_program::{Literal, Program};

/// Conflicts and steps of a search before the first split: learned clauses strengthen propagation.
const WARM_UP: (u64, u64) = (500, 20_000_000);
/// Atoms that are tried at the root, and how many of them at each part.
const TRIED: (usize, usize) = (2_000, 100);

/// A part that is not split: its literals, and where the search stands in it.
#[derive(Default)]
struct Part {
    /// The literals that distinguish it.
    cube: Vec<Literal>,
    /// The assumptions of this part: the cube, and literals whose complement propagation refutes.
    path: Vec<Lit>,
}

/// An atom that may be split at.
#[derive(Clone, Copy)]
struct Candidate {
    literal: Literal,
    lit: Lit,
}

impl Session {
    /// At most `wanted` sets of literals: each answer set has all literals of exactly one of them. Fewer, if there is nothing
    /// left to split at, or the interrupt is raised before.
    pub fn cubes(
        &mut self,
        program: &Program,
        options: &SolveOptions,
        wanted: usize,
        interrupt: &Interrupt,
    ) -> Vec<Vec<Literal>> {
        let (translation, options) = self.begin(program, options);
        let mut call = SolveCall::new(translation, program, options, &[], interrupt);
        let warm_up = call.slice(WARM_UP.0, WARM_UP.1);
        if !call.is_open() || call.search_within(&[], Some(warm_up)) == Outcome::Unsat {
            return Vec::new();
        }
        let base = call.assumptions.clone();
        let candidates = candidates(&call);
        let mut splitter = Splitter { engine: &mut call.t.engine, candidates };
        let mut cubes = splitter.split(base, wanted, interrupt);
        call.t.engine.backtrack(0);
        cubes.sort_unstable();
        cubes
    }
}

/// The atoms that may be split at: those that the search decides, under projection only projected ones. Of equivalent ones, a
/// named one is taken.
fn candidates(call: &SolveCall<'_>) -> Vec<Candidate> {
    let program = call.program;
    let mut literals: Vec<Literal> = match call.options.projection {
        Projection::None => program.atoms.ids().map(Literal::pos).collect(),
        Projection::Project => program.project.iter().flatten().map(|&atom| Literal::pos(atom)).collect(),
        Projection::Show => {
            let shown = program.shown().filter_map(|(entry, item, condition)| match item {
                ShowItem::Atom(atom)
                    if *condition == [Literal::pos(atom)] && call.options.distinguishes(entry) =>
                {
                    Some(Literal::pos(atom))
                }
                _ => None,
            });
            shown.collect()
        }
    };
    literals.sort_by_key(|l| (program.atoms.get(l.atom()).is_none(), *l));
    let mut seen = Set::default();
    let lits = literals.into_iter().map(|literal| Candidate { literal, lit: call.t.lit(literal) });
    lits.filter(|c| call.t.engine.fixed(c.lit).is_none() && seen.insert(c.lit.var())).collect()
}

/// The outcome of trying an atom.
enum Trial {
    /// Neither side is refuted; how much they propagate.
    Open(u64),
    /// This side is all that is left.
    Forced(Lit),
    /// Neither side is possible.
    Refuted,
}

struct Splitter<'a> {
    engine: &'a mut Engine,
    candidates: Vec<Candidate>,
}

impl Splitter<'_> {
    fn split(&mut self, base: Vec<Lit>, wanted: usize, interrupt: &Interrupt) -> Vec<Vec<Literal>> {
        let mut done = Vec::new();
        // The part with the most free variables first; of equal ones the oldest.
        let mut open: BinaryHeap<(usize, Reverse<usize>)> = BinaryHeap::new();
        let mut parts: Vec<Part> = Vec::new();
        let root = Part { cube: Vec::new(), path: base };
        let mut fresh = vec![root];
        let mut is_root = true;
        loop {
            for part in fresh.drain(..) {
                if self.enter(&part.path) {
                    open.push((self.engine.num_free(), Reverse(parts.len())));
                    parts.push(part);
                }
            }
            if open.len() + done.len() >= wanted || interrupt.poll().is_some() {
                break;
            }
            let Some((_, Reverse(at))) = open.pop() else { break };
            let Part { cube, mut path } = std::mem::take(&mut parts[at]);
            match self.choose(&mut path, std::mem::take(&mut is_root)) {
                Choice::Refuted => {}
                Choice::Nothing => done.push(cube),
                Choice::Split(candidate) => {
                    for negate in [false, true] {
                        let (literal, lit) = if negate {
                            (!candidate.literal, !candidate.lit)
                        } else {
                            (candidate.literal, candidate.lit)
                        };
                        let cube = cube.iter().copied().chain([literal]).collect();
                        let path = path.iter().copied().chain([lit]).collect();
                        fresh.push(Part { cube, path });
                    }
                }
            }
        }
        done.extend(open.into_iter().map(|(_, Reverse(at))| std::mem::take(&mut parts[at].cube)));
        done
    }

    /// Assumes a path. `false`: propagation refutes it.
    fn enter(&mut self, path: &[Lit]) -> bool {
        self.engine.backtrack(0);
        if self.engine.is_unsat() || self.engine.propagate().is_err() {
            return false;
        }
        // Propagators may add clauses that lead back to an earlier level.
        while let Some(&lit) = path.get(self.engine.level() as usize) {
            if !self.engine.assume_next(lit) {
                return false;
            }
        }
        true
    }

    /// The best atom to split a part at. Forced literals are added to its path.
    fn choose(&mut self, path: &mut Vec<Lit>, is_root: bool) -> Choice {
        let mut scores: Vec<(u64, usize)> = Vec::new();
        'again: loop {
            if !self.enter(path) {
                return Choice::Refuted;
            }
            scores.clear();
            let free: Vec<usize> = (0..self.candidates.len())
                .filter(|&i| self.engine.value(self.candidates[i].lit).is_none())
                .collect();
            // Where nothing is left of the best, all of the others are as good.
            let tried = if is_root { TRIED.0 } else { TRIED.1 };
            for i in free.into_iter().take(tried) {
                match self.try_both(self.candidates[i].lit, path) {
                    Trial::Open(score) => scores.push((score, i)),
                    Trial::Forced(lit) => {
                        path.push(lit);
                        continue 'again;
                    }
                    Trial::Refuted => return Choice::Refuted,
                }
            }
            break;
        }
        let best = scores.iter().max_by_key(|&&(score, i)| (score, Reverse(i)));
        let Some(candidate) = best.map(|&(_, i)| self.candidates[i]) else { return Choice::Nothing };
        if is_root {
            // From now on the best of these are tried first.
            scores.sort_by_key(|&(score, i)| (Reverse(score), i));
            let tried: Set<usize> = scores.iter().map(|&(_, i)| i).collect();
            let rest = (0..self.candidates.len()).filter(|i| !tried.contains(i));
            let order: Vec<usize> = scores.iter().map(|&(_, i)| i).chain(rest).collect();
            self.candidates = order.into_iter().map(|i| self.candidates[i]).collect();
        }
        Choice::Split(candidate)
    }

    /// Tries both sides of an atom, on a path that was entered.
    fn try_both(&mut self, lit: Lit, path: &[Lit]) -> Trial {
        let mut implied = [0; 2];
        let mut fails = [false; 2];
        for (i, side) in [lit, !lit].into_iter().enumerate() {
            if self.engine.level() as usize != path.len() && !self.enter(path) {
                return Trial::Refuted;
            }
            let before = self.engine.num_free();
            fails[i] = match self.engine.value(side) {
                None => !self.engine.assume_next(side),
                Some(value) => !value,
            };
            implied[i] = before.saturating_sub(self.engine.num_free()) as u64;
            self.engine.backtrack(path.len() as u32);
            // Propagators must see that a level is gone before there is another one, and clauses may have been added.
            if self.engine.propagate().is_err() {
                return Trial::Refuted;
            }
        }
        match fails {
            [false, false] => {
                Trial::Open((implied[0] * implied[1]).saturating_mul(1024) + implied[0] + implied[1])
            }
            [false, true] => Trial::Forced(lit),
            [true, false] => Trial::Forced(!lit),
            [true, true] => Trial::Refuted,
        }
    }
}

enum Choice {
    /// It has no answer sets.
    Refuted,
    /// There is no atom to split it at.
    Nothing,
    /// It is to be split here.
    Split(Candidate),
}
