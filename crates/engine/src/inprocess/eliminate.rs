//! Bounded variable elimination with subsumption, on a copy of the clauses.
//!
//! A variable is eliminated if resolving its clauses with each other gives no more clauses than it had. Before that,
//! and for new clauses after each elimination, subsumed clauses are removed and others are strengthened. Invariant: a
//! variable that the call, a group, a weight constraint or a propagator needs is frozen, and stays; `reconstruct.rs`
//! restores the values of the others in a model. The work is limited by ticks, never by seconds.
//! Source: Eén and Biere, *Effective preprocessing in SAT through variable and clause elimination*, SAT 2005.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Engine;
use crate::parameters::Elimination;
use crate::store::assignment::Reason;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::Idx;

/// The longest clause that an elimination may add.
const MAX_RESOLVENT: usize = 100;
/// Longest clause that is compared with others.
const MAX_SUBSUMER: usize = 100;

/// A clause of the copy.
#[derive(Clone, Copy, Debug)]
struct Clause {
    start: u32,
    len: u32,
    /// A bit for each variable of the clause.
    signature: u64,
    dead: bool,
    queued: bool,
}

/// Clauses with occurrence lists.
struct ClauseCopy {
    literals: Vec<Lit>,
    clauses: Vec<Clause>,
    /// By literal: clauses that contain it, and some that no longer do.
    occurrences: Vec<Vec<u32>>,
    /// By literal: 1 if true at the root, -1 if false.
    values: Vec<i8>,
    /// Facts found, in order, and the number of the first one that has not been applied.
    facts: Vec<Lit>,
    applied: usize,
    /// Clauses to compare with others.
    queue: Vec<u32>,
    /// For a proof: clauses that were derived, each with an end mark.
    derived: Option<Vec<Lit>>,
    /// Variables whose clauses have decreased.
    touched: Vec<Var>,
    marks: Vec<bool>,
    contradiction: bool,
    subsumed: u64,
    strengthened: u64,
    ticks: u64,
    deadline: u64,
}

/// For a proof: a clause that follows from others.
fn note(derived: &mut Option<Vec<Lit>>, clause: &[Lit]) {
    if let Some(derived) = derived {
        derived.extend_from_slice(clause);
        derived.push(Lit::NONE);
    }
}

fn signature(literals: &[Lit]) -> u64 {
    literals.iter().fold(0, |s, l| s | 1 << (l.var().0 & 63))
}

impl ClauseCopy {
    fn new(codes: usize, deadline: u64) -> Self {
        Self {
            literals: Vec::new(),
            clauses: Vec::new(),
            occurrences: vec![Vec::new(); codes],
            values: vec![0; codes],
            facts: Vec::new(),
            applied: 0,
            queue: Vec::new(),
            derived: None,
            touched: Vec::new(),
            marks: vec![false; codes],
            contradiction: false,
            subsumed: 0,
            strengthened: 0,
            ticks: 0,
            deadline,
        }
    }
    fn of(&self, c: u32) -> &[Lit] {
        let Clause { start, len, .. } = self.clauses[c as usize];
        &self.literals[start as usize..(start + len) as usize]
    }
    fn is_exhausted(&self) -> bool {
        self.ticks > self.deadline
    }
    fn fact(&mut self, lit: Lit) {
        match self.values[lit.code()] {
            0 => {
                self.values[lit.code()] = 1;
                self.values[(!lit).code()] = -1;
                self.facts.push(lit);
            }
            1 => {}
            _ => self.contradiction = true,
        }
    }
    /// Adds a clause of distinct free literals.
    fn add(&mut self, literals: &[Lit]) {
        match *literals {
            [] => self.contradiction = true,
            [lit] => self.fact(lit),
            _ => {
                let c = self.clauses.len() as u32;
                let start = self.literals.len() as u32;
                self.literals.extend_from_slice(literals);
                self.clauses.push(Clause {
                    start,
                    len: literals.len() as u32,
                    signature: signature(literals),
                    dead: false,
                    queued: true,
                });
                self.queue.push(c);
                for &l in literals {
                    self.occurrences[l.code()].push(c);
                }
                self.ticks += literals.len() as u64;
            }
        }
    }
    fn remove(&mut self, c: u32) {
        self.clauses[c as usize].dead = true;
        let Clause { start, len, .. } = self.clauses[c as usize];
        let range = start as usize..(start + len) as usize;
        self.touched.extend(self.literals[range].iter().map(|l| l.var()));
    }
    /// Removes a literal from a clause.
    fn remove_literal(&mut self, c: u32, lit: Lit) {
        let Clause { start, len, .. } = self.clauses[c as usize];
        let range = start as usize..(start + len) as usize;
        let literals = &mut self.literals[range];
        let Some(at) = literals.iter().position(|&l| l == lit) else { return };
        literals[at..].rotate_left(1);
        let rest = &literals[..literals.len() - 1];
        note(&mut self.derived, rest);
        let clause = &mut self.clauses[c as usize];
        clause.len -= 1;
        clause.signature = signature(rest);
        self.touched.push(lit.var());
        self.ticks += u64::from(len) + self.occurrences[lit.code()].len() as u64 / 4;
        self.occurrences[lit.code()].retain(|&d| d != c);
        match *rest {
            [] => self.contradiction = true,
            [unit] => {
                clause.dead = true;
                self.fact(unit);
            }
            _ => {
                if !std::mem::replace(&mut clause.queued, true) {
                    self.queue.push(c);
                }
            }
        }
    }
    /// Applies the facts found. `false`: a contradiction.
    fn apply_facts(&mut self) -> bool {
        while !self.contradiction && self.applied < self.facts.len() {
            let lit = self.facts[self.applied];
            self.applied += 1;
            for c in std::mem::take(&mut self.occurrences[lit.code()]) {
                self.ticks += 1;
                if !self.clauses[c as usize].dead {
                    self.remove(c);
                }
            }
            for c in std::mem::take(&mut self.occurrences[(!lit).code()]) {
                if !self.clauses[c as usize].dead {
                    self.remove_literal(c, !lit);
                }
            }
        }
        !self.contradiction
    }
    /// Drops dead clauses from the list of a literal.
    fn clean(&mut self, lit: Lit) {
        let Self { clauses, occurrences, ticks, .. } = self;
        *ticks += 1 + occurrences[lit.code()].len() as u64 / 4;
        occurrences[lit.code()].retain(|&c| !clauses[c as usize].dead);
    }
    /// Compares each queued clause with those that contain its rarest variable. `false`: a contradiction.
    fn subsume(&mut self) -> bool {
        while let Some(c) = self.queue.pop() {
            self.clauses[c as usize].queued = false;
            if self.clauses[c as usize].dead {
                continue;
            }
            if self.is_exhausted() {
                for c in std::mem::take(&mut self.queue) {
                    self.clauses[c as usize].queued = false;
                }
                break;
            }
            let by = self.of(c).to_vec();
            if by.len() > MAX_SUBSUMER {
                continue;
            }
            let count = |l: Lit| self.occurrences[l.code()].len() + self.occurrences[(!l).code()].len();
            let Some(rarest) = by.iter().copied().min_by_key(|&l| (count(l), l)) else { continue };
            by.iter().for_each(|l| self.marks[l.code()] = true);
            let own = self.clauses[c as usize].signature;
            for side in [rarest, !rarest] {
                let mut at = 0;
                while let Some(&d) = self.occurrences[side.code()].get(at) {
                    at += 1;
                    self.ticks += 1;
                    let other = self.clauses[d as usize];
                    if d == c || other.dead || (other.len as usize) < by.len() || own & !other.signature != 0
                    {
                        continue;
                    }
                    self.ticks += 1 + u64::from(other.len) / 4;
                    let (mut same, mut turned) = (0, None);
                    for &l in self.of(d) {
                        if self.marks[l.code()] {
                            same += 1;
                        } else if self.marks[(!l).code()] && turned.replace(l).is_some() {
                            break;
                        }
                    }
                    match turned {
                        None if same == by.len() => {
                            self.subsumed += 1;
                            self.remove(d);
                        }
                        Some(lit) if same + 1 == by.len() => {
                            self.strengthened += 1;
                            self.remove_literal(d, lit);
                            // The clause is gone from the list if the removed literal is the list's own.
                            at -= usize::from(lit == side);
                        }
                        _ => {}
                    }
                }
            }
            by.iter().for_each(|l| self.marks[l.code()] = false);
            if !self.apply_facts() {
                return false;
            }
        }
        true
    }
    /// The cost of eliminating a variable: the product of its positive and negative occurrences.
    fn cost(&self, var: Var) -> usize {
        self.occurrences[Lit::pos(var).code()].len() * self.occurrences[Lit::neg(var).code()].len()
    }
    /// Resolvents of the clauses of a variable; `None` if they are too many or too long.
    /// Pre: its lists are clean.
    fn resolvents(&mut self, var: Var, limits: &Elimination) -> Option<Vec<Vec<Lit>>> {
        let lit = Lit::pos(var);
        let (pos, neg) = (&self.occurrences[lit.code()], &self.occurrences[(!lit).code()]);
        let limit = limits.occurrences.map_or(usize::MAX, |n| n as usize);
        if pos.len() > limit && neg.len() > limit {
            return None;
        }
        let allowed = pos.len() + neg.len();
        let mut found: Vec<Vec<Lit>> = Vec::new();
        let mut fits = true;
        for &p in pos {
            let a = &self.clauses[p as usize];
            let a = &self.literals[a.start as usize..(a.start + a.len) as usize];
            a.iter().for_each(|l| self.marks[l.code()] = true);
            for &n in neg {
                let b = &self.clauses[n as usize];
                let b = &self.literals[b.start as usize..(b.start + b.len) as usize];
                self.ticks += 1 + b.len() as u64 / 8;
                if b.iter().any(|&l| l != !lit && self.marks[(!l).code()]) {
                    continue;
                }
                let mut resolvent: Vec<Lit> = a.iter().copied().filter(|&l| l != lit).collect();
                resolvent.extend(b.iter().copied().filter(|&l| l != !lit && !self.marks[l.code()]));
                found.push(resolvent);
                if found.len() > allowed || found.last().is_some_and(|r| r.len() > MAX_RESOLVENT) {
                    fits = false;
                    break;
                }
            }
            a.iter().for_each(|l| self.marks[l.code()] = false);
            if !fits {
                return None;
            }
        }
        Some(found)
    }
}

impl Engine {
    /// Eliminates, at the root, variables that only clauses use. A variable stays if it is frozen, in `keep`, or not
    /// allowed by `may_go`. `false`: there is no model.
    pub fn eliminate(&mut self, limits: &Elimination, keep: &[Lit], may_go: impl Fn(Var) -> bool) -> bool {
        if self.clauses.unsat || self.call.floor.is_some() {
            return !self.clauses.unsat;
        }
        self.retract_extension();
        self.backtrack(0);
        self.forget_cuts();
        self.install_staged();
        if self.clauses.unsat || self.propagate().is_err() {
            self.clauses.unsat = true;
            return false;
        }
        self.remove_satisfied();
        let mut candidate: Vec<bool> = (0..self.num_vars())
            .map(|v| {
                let var = Var(v as u32);
                let lit = Lit::pos(var);
                !self.clauses.eliminated.frozen[var]
                    && self.assignment.is_free(lit)
                    && !self.clauses.eliminated.contains(var)
                    && self.constraints.at_most_one.groups_of(lit).is_empty()
                    && self.constraints.at_most_one.groups_of(!lit).is_empty()
                    && may_go(var)
            })
            .collect();
        for lit in keep {
            candidate[lit.var().index()] = false;
        }
        let free = (self.num_vars() - self.assignment.trail.len() - self.clauses.eliminated.count()) as u64;
        let open = candidate.iter().filter(|&&c| c).count() as u64;
        let clauses = self.clauses.original + self.clauses.watches.num_binary;
        let too_large = limits.clauses.is_some_and(|limit| clauses > limit);
        let too_frozen = limits.frozen.is_some_and(|limit| (free - open) * 100 > u64::from(limit) * free);
        if open == 0 || too_large || too_frozen {
            return true;
        }
        let mut f = self.copy_clauses();
        f.derived = self.proof.as_ref().map(|_| Vec::new());
        let ok = self.reduce_copy(&mut f, limits, &candidate);
        if let (Some(proof), Some(derived)) = (&mut self.proof, &f.derived) {
            derived.split(|&l| l == Lit::NONE).filter(|c| !c.is_empty()).for_each(|c| proof.rup(c));
        }
        self.control.ticks += f.ticks;
        self.control.restart.skip_ticks(f.ticks);
        self.stats.subsumed.0 += f.subsumed;
        self.stats.subsumed.1 += f.strengthened;
        if !ok {
            self.clauses.unsat = true;
            return false;
        }
        self.replace_clauses(&f);
        let ok = f.facts.iter().all(|&lit| self.add_fact(lit)) && self.propagate().is_ok();
        self.clauses.unsat |= !ok;
        ok
    }
    /// All original clauses, simplified at the root; binary ones come first.
    fn copy_clauses(&self) -> ClauseCopy {
        let mut literals = 2 * self.clauses.watches.num_binary;
        for c in self.clauses.arena.iter() {
            literals += self.clauses.arena.len(c) as u64;
        }
        // Enough for a few passes over everything.
        let mut f = ClauseCopy::new(2 * self.num_vars(), 2_000_000 + 60 * literals);
        let a = &self.assignment;
        for (code, list) in self.clauses.watches.binary.iter().enumerate() {
            let lit = Lit::from_code(code);
            for &other in list.iter().filter(|&&o| lit < o) {
                if !a.is_true(lit) && !a.is_true(other) {
                    f.add(&[lit, other]);
                }
            }
        }
        let mut rest = Vec::new();
        for c in self.clauses.arena.iter().filter(|&c| !self.clauses.arena.is_learned(c)) {
            rest.clear();
            rest.extend(self.clauses.arena.literals(c).filter(|&l| !a.is_false(l)));
            if !rest.iter().any(|&l| a.is_true(l)) {
                f.add(&rest);
            }
        }
        f
    }
    /// Subsumption and elimination until nothing changes or a limit is reached. `false`: a contradiction.
    fn reduce_copy(&mut self, f: &mut ClauseCopy, limits: &Elimination, candidate: &[bool]) -> bool {
        // Short ones first: the queue is a stack.
        f.queue.sort_by_key(|&c| Reverse((f.clauses[c as usize].len, c)));
        if !(f.apply_facts() && f.subsume()) {
            return false;
        }
        f.touched.clear();
        let mut order: Vec<Var> =
            (0..candidate.len()).filter(|&v| candidate[v]).map(|v| Var(v as u32)).collect();
        let mut round = 0;
        while !order.is_empty() && limits.rounds.is_none_or(|limit| round < limit) && !f.is_exhausted() {
            round += 1;
            let mut heap: BinaryHeap<Reverse<(usize, Var)>> =
                order.drain(..).map(|v| Reverse((f.cost(v), v))).collect();
            while let Some(Reverse((cost, var))) = heap.pop() {
                if f.is_exhausted() {
                    break;
                }
                if f.values[Lit::pos(var).code()] != 0 || self.clauses.eliminated.contains(var) {
                    continue;
                }
                f.clean(Lit::pos(var));
                f.clean(Lit::neg(var));
                let now = f.cost(var);
                if now > cost {
                    heap.push(Reverse((now, var)));
                    continue;
                }
                let Some(resolvents) = f.resolvents(var, limits) else { continue };
                let own: Vec<u32> = [Lit::pos(var), Lit::neg(var)]
                    .iter()
                    .flat_map(|l| std::mem::take(&mut f.occurrences[l.code()]))
                    .collect();
                self.clauses.eliminated.push(var, own.iter().map(|&c| f.of(c)));
                own.iter().for_each(|&c| f.remove(c));
                for r in &resolvents {
                    note(&mut f.derived, r);
                    f.add(r);
                }
                if !(f.apply_facts() && f.subsume()) {
                    return false;
                }
            }
            let mut again = std::mem::take(&mut f.touched);
            again.sort_unstable();
            again.dedup();
            again.retain(|&v| candidate[v.index()] && !self.clauses.eliminated.contains(v));
            order = again;
        }
        true
    }
    /// Replaces the copied clauses by those of the copy, and removes learned ones that contain eliminated variables.
    fn replace_clauses(&mut self, f: &ClauseCopy) {
        let doomed: Vec<_> = self
            .clauses
            .arena
            .iter()
            .filter(|&c| {
                !self.clauses.arena.is_learned(c)
                    || self.clauses.arena.literals(c).any(|l| self.clauses.eliminated.contains(l.var()))
            })
            .collect();
        for c in doomed {
            self.clauses.discard(c);
        }
        self.collect();
        self.clauses.watches.binary.iter_mut().for_each(Vec::clear);
        self.clauses.watches.num_binary = 0;
        // Reasons at the root are never read.
        for i in 0..self.assignment.trail.len() {
            let var = self.assignment.trail[i].var();
            self.assignment.vars[var].reason = Reason::NONE;
        }
        for c in 0..f.clauses.len() {
            if f.clauses[c].dead {
                continue;
            }
            match *f.of(c as u32) {
                [a, b] => self.clauses.watches.add_binary(a, b),
                ref long => {
                    let _ = self.store_long(long, false, long.len() as u32);
                }
            }
        }
        self.clauses.additions += 1;
        self.control.inprocess.substituted_at = 0;
        self.assignment.absent = self.clauses.eliminated.count() + self.constraints.integers.names.pool.len();
        self.stats.variables.1 = self.clauses.eliminated.count() as u64;
        for v in 0..self.num_vars() {
            let var = Var(v as u32);
            if self.clauses.eliminated.contains(var) {
                self.decisions.order.retire(var);
            }
        }
    }
}
