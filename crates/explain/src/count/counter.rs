//! Exact model counting of clauses: search with unit propagation, split into independent components, each of which is
//! counted once and cached.
//!
//! Variables may be excluded from the count (projection): these are branched on only where no counted one is left, and
//! then only the existence of a solution matters. Frames are kept on an explicit stack, so only memory limits the
//! depth. Invariant: a component is a set of unassigned variables and the clauses not yet satisfied that connect them;
//! its count depends on these alone. Source: M. Thurley, *sharpSAT: counting models with advanced component caching and
//! implicit BCP*, 2006.

use num_bigint::BigUint;

use super::formula::{Cnf, Lit, not};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::Map;
use asp_base::rng::Rng;

/// Size of the cache, in 32-bit words, at which it is cleared.
const MAX_CACHE: usize = 48 << 20;

/// Unassigned variables and the clauses that connect them, both ascending.
#[derive(Clone, Debug)]
pub(super) struct Component {
    variables: Vec<u32>,
    clauses: Vec<u32>,
}

/// What remains under an assignment.
#[derive(Debug)]
struct Split {
    components: Vec<Component>,
    /// Counted variables that nothing restricts any more.
    free: Vec<u32>,
}

/// A component being counted.
struct Frame {
    key: Vec<u32>,
    variables: Vec<u32>,
    /// Whether only the existence of a solution matters.
    existence: bool,
    /// The literal of the branch, complemented for the second one.
    branch: Lit,
    second: bool,
    /// Length of the trail before the branch.
    mark: usize,
    /// Sum over the finished branches.
    total: BigUint,
    /// Product over the counted components of the branch, and the pending ones.
    product: BigUint,
    pending: Vec<Component>,
}

/// A formula and the state of the search.
pub(super) struct Counter {
    clauses: Vec<Vec<Lit>>,
    /// By literal: clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// By literal: the other literal of each binary clause with it.
    binary: Vec<Vec<Lit>>,
    /// By variable: clauses that contain it.
    occurrences: Vec<Vec<u32>>,
    counts: Vec<bool>,
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
    queue: usize,
    cache: Cache,
    visited: Visited,
    effort: Effort,
}

/// The counts of components, forgotten when they take too much memory.
#[derive(Default)]
struct Cache {
    counts: Map<Vec<u32>, BigUint>,
    words: usize,
}

impl Cache {
    fn insert(&mut self, key: Vec<u32>, count: BigUint) {
        self.words += key.len() + 8;
        if self.words > MAX_CACHE {
            self.counts.clear();
            self.words = key.len() + 8;
        }
        self.counts.insert(key, count);
    }
}

/// By variable and by clause: the last search that visited it.
struct Visited {
    variables: Vec<u32>,
    clauses: Vec<u32>,
    search: u32,
}

/// What was done so far, and when to give up.
struct Effort {
    /// Variables and clauses examined: a measure of time that is the same in every run.
    work: u64,
    branches: u64,
    /// The work after which it gives up.
    end: u64,
    interrupt: Interrupt,
}

impl Counter {
    /// A counter for a formula; `counts` marks the variables that distinguish models. `None` if there is no model.
    pub(super) fn new(formula: &Cnf, counts: Vec<bool>, interrupt: Interrupt) -> Option<Self> {
        let n = formula.variables;
        let mut counter = Self {
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * n],
            binary: vec![Vec::new(); 2 * n],
            occurrences: vec![Vec::new(); n],
            counts,
            values: vec![None; n],
            trail: Vec::new(),
            queue: 0,
            cache: Cache::default(),
            visited: Visited { variables: vec![0; n], clauses: Vec::new(), search: 0 },
            effort: Effort { work: 0, branches: 0, end: u64::MAX, interrupt },
        };
        let mut units = Vec::new();
        for clause in &formula.clauses {
            match *clause.as_slice() {
                [] => return None,
                [unit] => {
                    units.push(unit);
                    continue;
                }
                [a, b] => {
                    counter.binary[a as usize].push(b);
                    counter.binary[b as usize].push(a);
                }
                [a, b, ..] => {
                    counter.watches[a as usize].push(counter.clauses.len() as u32);
                    counter.watches[b as usize].push(counter.clauses.len() as u32);
                }
            }
            for &l in clause {
                counter.occurrences[l as usize / 2].push(counter.clauses.len() as u32);
            }
            counter.clauses.push(clause.clone());
        }
        counter.visited.clauses = vec![0; counter.clauses.len()];
        let ok = units.into_iter().all(|l| counter.assume(l)) && counter.propagate();
        ok.then_some(counter)
    }

    /// The value of a literal.
    pub(super) fn value(&self, l: Lit) -> Option<bool> {
        self.values[l as usize / 2].map(|v| v != (l & 1 == 1))
    }

    /// Puts a literal on the trail; `false` if its complement is true.
    fn assume(&mut self, l: Lit) -> bool {
        match self.value(l) {
            Some(value) => value,
            None => {
                self.values[l as usize / 2] = Some(l & 1 == 0);
                self.trail.push(l);
                true
            }
        }
    }

    fn propagate(&mut self) -> bool {
        while self.queue < self.trail.len() {
            let l = self.trail[self.queue];
            self.queue += 1;
            let gone = not(l);
            for i in 0..self.binary[gone as usize].len() {
                let other = self.binary[gone as usize][i];
                if !self.assume(other) {
                    return false;
                }
            }
            let mut watches = std::mem::take(&mut self.watches[gone as usize]);
            let mut ok = true;
            watches.retain(|&c| {
                if !ok {
                    return true;
                }
                let clause = &mut self.clauses[c as usize];
                if clause[0] == gone {
                    clause.swap(0, 1);
                }
                let values = &self.values;
                let value = |l: Lit| values[l as usize / 2].map(|v| v != (l & 1 == 1));
                if value(clause[0]) == Some(true) {
                    return true;
                }
                if let Some(k) = (2..clause.len()).find(|&k| value(clause[k]) != Some(false)) {
                    clause.swap(1, k);
                    self.watches[clause[1] as usize].push(c);
                    return false;
                }
                let unit = clause[0];
                ok = self.assume(unit);
                true
            });
            self.watches[gone as usize] = watches;
            if !ok {
                return false;
            }
        }
        true
    }

    fn undo(&mut self, mark: usize) {
        for l in self.trail.drain(mark..) {
            self.values[l as usize / 2] = None;
        }
        self.queue = mark;
    }

    /// Splits those of the variables that are unassigned.
    fn split(&mut self, variables: &[u32]) -> Split {
        self.visited.search += 1;
        let search = self.visited.search;
        let mut split = Split { components: Vec::new(), free: Vec::new() };
        for &start in variables {
            if self.values[start as usize].is_some() || self.visited.variables[start as usize] == search {
                continue;
            }
            self.visited.variables[start as usize] = search;
            let (mut found, mut clauses) = (vec![start], Vec::new());
            let mut next = 0;
            while let Some(&v) = found.get(next) {
                next += 1;
                for &c in &self.occurrences[v as usize] {
                    if self.visited.clauses[c as usize] == search {
                        continue;
                    }
                    self.visited.clauses[c as usize] = search;
                    let clause = &self.clauses[c as usize];
                    if clause.iter().any(|&l| self.value(l) == Some(true)) {
                        continue;
                    }
                    clauses.push(c);
                    for &l in clause {
                        let w = l / 2;
                        if self.values[w as usize].is_none() && self.visited.variables[w as usize] != search {
                            self.visited.variables[w as usize] = search;
                            found.push(w);
                        }
                    }
                }
            }
            if clauses.is_empty() {
                if self.counts[start as usize] {
                    split.free.push(start);
                }
                continue;
            }
            found.sort_unstable();
            clauses.sort_unstable();
            split.components.push(Component { variables: found, clauses });
        }
        let visited = split.components.iter().map(|c| c.variables.len() + c.clauses.len());
        self.effort.work += 1 + visited.sum::<usize>() as u64;
        split
    }

    /// The components of the whole formula, and variables that nothing restricts.
    fn root(&mut self) -> Split {
        let all: Vec<u32> = (0..self.values.len() as u32).collect();
        self.split(&all)
    }

    /// The variables of each component of the formula, then each unrestricted variable by itself.
    pub(super) fn parts(&mut self) -> Vec<Vec<u32>> {
        let mut parts: Vec<Vec<u32>> = self.root().components.into_iter().map(|c| c.variables).collect();
        let mut inside = vec![false; self.values.len()];
        parts.iter().flatten().for_each(|&v| inside[v as usize] = true);
        let alone = (0..self.values.len()).filter(|&v| self.values[v].is_none() && !inside[v]);
        parts.extend(alone.map(|v| vec![v as u32]));
        parts
    }

    /// The variable to branch on: one in clauses of which little is left, and a counted one if there is any. So the choices of one
    /// row or round are made one after the other, and what remains depends on few of them.
    fn pick(&self, component: &Component) -> (u32, bool) {
        let existence = !component.variables.iter().any(|&v| self.counts[v as usize]);
        let mut best = (0u64, u32::MAX);
        for &v in &component.variables {
            if !existence && !self.counts[v as usize] {
                continue;
            }
            let score = |&c: &u32| {
                let clause = &self.clauses[c as usize];
                if clause.iter().any(|&l| self.value(l) == Some(true)) {
                    return 0;
                }
                let open = clause.iter().filter(|&&l| self.value(l).is_none()).count();
                // That two exclude each other says little of which is to be decided first.
                if clause.len() == 2 { 1 } else { 4096 >> open.min(12) }
            };
            let score: u64 = 1 + self.occurrences[v as usize].iter().map(score).sum::<u64>();
            if score > best.0 {
                best = (score, v);
            }
        }
        (best.1, existence)
    }

    fn key(&self, component: &Component) -> Vec<u32> {
        let mut key = component.variables.clone();
        key.push(u32::MAX);
        // Clauses of two literals follow from the variables: both literals are there unless one is assigned.
        key.extend(component.clauses.iter().filter(|&&c| self.clauses[c as usize].len() > 2));
        key
    }

    /// Opens the next branch of a frame: its components become pending.
    fn branch(&mut self, frame: &mut Frame) {
        self.effort.branches += 1;
        self.effort.interrupt.note_conflicts(self.effort.branches);
        frame.pending.clear();
        frame.product = BigUint::ZERO;
        if self.assume(frame.branch) && self.propagate() {
            let split = self.split(&frame.variables);
            frame.product = BigUint::from(1u32) << split.free.len();
            frame.pending = split.components;
            // Small ones first: they may have no solution.
            frame.pending.sort_by_key(|c| std::cmp::Reverse(c.variables.len()));
        }
    }

    fn open(&mut self, component: Component, key: Vec<u32>) -> Frame {
        let (variable, existence) = self.pick(&component);
        let mut frame = Frame {
            key,
            variables: component.variables,
            existence,
            branch: 2 * variable,
            second: false,
            mark: self.trail.len(),
            total: BigUint::ZERO,
            product: BigUint::ZERO,
            pending: Vec::new(),
        };
        self.branch(&mut frame);
        frame
    }

    /// The number of solutions of a component under the current assignment.
    fn count_component(&mut self, component: &Component) -> Result<BigUint, StopReason> {
        let key = self.key(component);
        if let Some(known) = self.cache.counts.get(&key) {
            return Ok(known.clone());
        }
        let mut frames = vec![self.open(component.clone(), key)];
        loop {
            let tired = (self.effort.work > self.effort.end).then_some(StopReason::StepLimit);
            if let Some(reason) = self.effort.interrupt.poll().or(tired) {
                if let Some(first) = frames.first() {
                    self.undo(first.mark);
                }
                return Err(reason);
            }
            let Some(frame) = frames.last_mut() else { return Ok(BigUint::ZERO) };
            if frame.product == BigUint::ZERO {
                frame.pending.clear();
            }
            if let Some(component) = frame.pending.pop() {
                let key = self.key(&component);
                match self.cache.counts.get(&key) {
                    Some(count) => frame.product *= count,
                    None => {
                        let next = self.open(component, key);
                        frames.push(next);
                    }
                }
                continue;
            }
            self.undo(frame.mark);
            frame.total += std::mem::take(&mut frame.product);
            if !frame.second && (!frame.existence || frame.total == BigUint::ZERO) {
                frame.second = true;
                frame.branch = not(frame.branch);
                let mut frame = std::mem::replace(frame, EMPTY);
                self.branch(&mut frame);
                if let Some(last) = frames.last_mut() {
                    *last = frame;
                }
                continue;
            }
            let Some(done) = frames.pop() else { return Ok(BigUint::ZERO) };
            let total =
                if done.existence && done.total != BigUint::ZERO { BigUint::from(1u32) } else { done.total };
            self.cache.insert(done.key, total.clone());
            match frames.last_mut() {
                None => return Ok(total),
                Some(parent) => parent.product *= total,
            }
        }
    }

    fn count_split(&mut self, split: &Split) -> Result<BigUint, StopReason> {
        let mut product = BigUint::from(1u32) << split.free.len();
        for component in &split.components {
            if product == BigUint::ZERO {
                break;
            }
            product *= self.count_component(component)?;
        }
        Ok(product)
    }

    /// Makes counting give up after this much more work, as if a limit on steps were reached.
    pub(super) fn give_up_after(&mut self, work: u64) {
        self.effort.end = self.effort.work.saturating_add(work);
    }

    pub(super) fn count(&mut self) -> Result<BigUint, StopReason> {
        let root = self.root();
        self.count_split(&root)
    }

    /// The number of models of those components that contain none of some variables.
    pub(super) fn count_without(&mut self, left_out: &[bool]) -> Result<BigUint, StopReason> {
        let mut root = self.root();
        let inside = |&v: &u32| left_out.get(v as usize).copied().unwrap_or(false);
        root.components.retain(|c| !c.variables.iter().any(inside));
        root.free.retain(|v| !inside(v));
        self.count_split(&root)
    }

    /// Assigns all counted variables such that each model (as distinguished by them) is equally likely. The receiver
    /// sees the assignment, which is then undone. Pre: there is a model.
    pub(super) fn sample(&mut self, rng: &mut Rng) -> Result<Vec<Option<bool>>, StopReason> {
        let mark = self.trail.len();
        let result = self.draw(rng);
        let values = self.values.clone();
        self.undo(mark);
        result.map(|()| values)
    }

    fn draw(&mut self, rng: &mut Rng) -> Result<(), StopReason> {
        let root = self.root();
        let mut open = root.components;
        self.draw_free(&root.free, rng);
        while let Some(component) = open.pop() {
            let (variable, existence) = self.pick(&component);
            if existence {
                continue;
            }
            let mark = self.trail.len();
            let mut counts = [BigUint::ZERO, BigUint::ZERO];
            for (count, branch) in counts.iter_mut().zip([2 * variable, 2 * variable + 1]) {
                if self.assume(branch) && self.propagate() {
                    let split = self.split(&component.variables);
                    let counted = self.count_split(&split);
                    self.undo(mark);
                    *count = counted?;
                } else {
                    self.undo(mark);
                }
            }
            let all = &counts[0] + &counts[1];
            let positive = all != BigUint::ZERO && random_below(&all, rng) < counts[0];
            self.assume(2 * variable + u32::from(!positive));
            self.propagate();
            let split = self.split(&component.variables);
            self.draw_free(&split.free, rng);
            open.extend(split.components);
        }
        Ok(())
    }

    fn draw_free(&mut self, free: &[u32], rng: &mut Rng) {
        for &v in free {
            self.assume(2 * v + u32::from(rng.next_u64() >> 63 == 1));
        }
    }
}

/// A random number below a positive bound, uniformly distributed.
fn random_below(bound: &BigUint, rng: &mut Rng) -> BigUint {
    let digits = bound.to_u32_digits();
    let top = digits.last().map_or(0, |d| u32::MAX >> d.leading_zeros());
    loop {
        let mut drawn: Vec<u32> = digits.iter().map(|_| rng.next_u64() as u32).collect();
        drawn.last_mut().into_iter().for_each(|last| *last &= top);
        let candidate = BigUint::new(drawn);
        if candidate < *bound {
            return candidate;
        }
    }
}

const EMPTY: Frame = Frame {
    key: Vec::new(),
    variables: Vec::new(),
    existence: false,
    branch: 0,
    second: false,
    mark: 0,
    total: BigUint::ZERO,
    product: BigUint::ZERO,
    pending: Vec::new(),
};
