//! The next decision variable: an activity heap (VSIDS) for stable phases, a move-to-front queue (VMTF) for focused ones,
//! and priorities above both for domain heuristics and projection.
//!
//! Invariant: every free variable is in the heap; in the queue, no variable after `search` is free.
//! Source: Moskewicz et al., *Chaff*, DAC 2001; Eén and Sörensson, *MiniSat*, SAT 2003; Biere and Fröhlich,
//! *Evaluating CDCL variable scoring schemes*, SAT 2015.

use crate::parameters::SolverParameters;
use crate::store::assignment::Assignment;
use crate::store::literal::Var;
use asp_base::index_vec::{Idx, IndexVec};
use asp_base::rng::Rng;

const ABSENT: u32 = u32::MAX;
/// Children of a heap node. With copies of the activities in it, hanoi 8, Futoshiki 60x60 and two timetables by cores take
/// 12, 4, 5 and 3 per cent less time than with a binary heap of variables; enumerations of sets 4 per cent more.
const ARITY: usize = 4;
const RESCALE_LIMIT: f64 = 1e150;
/// Added to the priority of projected variables: greater than every priority of a domain heuristic.
const PROJECTED: i64 = 1 << 40;

#[derive(Debug)]
pub(crate) struct DecisionHeuristic {
    heap: Heap,
    queue: Queue,
    increment: f64,
    decay: f64,
    /// Eliminated variables are never decided.
    retired: IndexVec<Var, bool>,
    rng: Rng,
    random_frequency: f64,
    /// Whether all decisions are currently random.
    all_random: bool,
    /// The number of conflicts, if a rewarded variable's activity becomes the mean of its old value and this.
    conflicts: Option<f64>,
}

/// Heap of variables by (priority, activity, smaller index). Entries hold copies of the activities, so that comparing them
/// touches nothing else.
#[derive(Debug, Default)]
struct Heap {
    order: Vec<Entry>,
    place: IndexVec<Var, u32>,
    activity: IndexVec<Var, f64>,
    factor: IndexVec<Var, f64>,
    priority: IndexVec<Var, i64>,
    has_priority: bool,
}

/// A variable in the heap and its activity as one whole number, so that comparing has no branch: greater for the one that comes
/// first, priorities aside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry(u128);

impl Entry {
    #[inline]
    fn new(activity: f64, var: Var) -> Self {
        Self(u128::from(rank(activity)) << 32 | u128::from(!var.0))
    }
    #[inline]
    fn var(self) -> Var {
        Var(!(self.0 as u32))
    }
}

/// A number whose order is that of activities.
#[inline]
fn rank(activity: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    // There are two zeros, which are equal.
    let bits = (activity + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// Doubly linked list of variables, the most recently bumped last.
#[derive(Debug)]
struct Queue {
    links: IndexVec<Var, Link>,
    first: u32,
    last: u32,
    /// Where the search for a free variable starts.
    search: u32,
    clock: u64,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    previous: u32,
    next: u32,
    stamp: u64,
}

impl DecisionHeuristic {
    pub(crate) fn new(p: &SolverParameters) -> Self {
        let h = &p.heuristic;
        Self {
            heap: Heap::default(),
            queue: Queue { links: IndexVec::new(), first: ABSENT, last: ABSENT, search: ABSENT, clock: 0 },
            increment: 1.0,
            decay: h.decay_progress.map_or(h.decay, |progress| progress.first),
            retired: IndexVec::new(),
            rng: Rng::new(p.seed),
            random_frequency: h.random_frequency,
            all_random: false,
            conflicts: h.average_activity.then_some(1.0),
        }
    }
    /// Switches random decisions on or off.
    #[inline]
    pub(crate) fn be_random(&mut self, all: bool) {
        self.all_random = all;
    }
    pub(crate) fn reserve_vars(&mut self, more: usize) {
        self.heap.place.reserve_exact(more);
        self.heap.activity.reserve_exact(more);
        self.heap.factor.reserve_exact(more);
        self.heap.priority.reserve_exact(more);
        self.heap.order.reserve_exact(more);
        self.queue.links.reserve_exact(more);
    }
    pub(crate) fn new_var(&mut self) {
        let var = self.heap.place.push(ABSENT);
        self.heap.activity.push(0.0);
        self.heap.factor.push(1.0);
        self.heap.priority.push(0);
        self.retired.push(false);
        self.heap.insert(var);
        self.queue.push_last(var);
    }
    /// The next free variable to decide; `None` if there is none. In focused mode the queue decides, unless priorities
    /// are in use.
    pub(crate) fn next(&mut self, assignment: &Assignment, stable: bool) -> Option<Var> {
        let free = |var: Var| assignment.values[var.index() << 1] == 0 && !self.retired[var];
        if (self.all_random || self.random_frequency > 0.0 && self.rng.chance(self.random_frequency))
            && !self.heap.order.is_empty()
        {
            let at = self.rng.below(self.heap.order.len() as u64) as usize;
            let var = self.heap.order[at].var();
            if free(var) && (!self.heap.has_priority || at == 0) {
                return Some(var);
            }
        }
        if stable || self.heap.has_priority {
            while let Some(var) = self.heap.order.first().map(|entry| entry.var()) {
                if free(var) {
                    return Some(var);
                }
                self.heap.pop();
            }
            None
        } else {
            let mut at = self.queue.search;
            while at != ABSENT && !free(Var(at)) {
                at = self.queue.links[Var(at)].previous;
            }
            self.queue.search = at;
            (at != ABSENT).then_some(Var(at))
        }
    }
    /// Excludes a variable from decisions.
    pub(crate) fn retire(&mut self, var: Var) {
        self.retired[var] = true;
    }
    /// Whether a variable is excluded from decisions.
    pub(crate) fn is_retired(&self, var: Var) -> bool {
        self.retired[var]
    }
    /// Allows decisions on a retired variable again.
    pub(crate) fn revive(&mut self, var: Var) {
        self.retired[var] = false;
        self.unassigned(var);
    }
    /// Whether priorities are in use, so that the queue is not.
    #[inline]
    pub(crate) fn uses_heap_only(&self) -> bool {
        self.heap.has_priority
    }
    /// Whether `a` would be decided before `b`.
    pub(crate) fn prefers(&self, a: Var, b: Var, stable: bool) -> bool {
        if stable || self.heap.has_priority {
            self.heap.before(self.heap.entry(a), self.heap.entry(b))
        } else {
            self.queue.links[a].stamp > self.queue.links[b].stamp
        }
    }
    /// To be called when a variable loses its value.
    #[inline]
    pub(crate) fn unassigned(&mut self, var: Var) {
        if self.heap.place[var] == ABSENT {
            self.heap.insert(var);
        }
        let search = self.queue.search;
        if search == ABSENT || self.queue.links[Var(search)].stamp < self.queue.links[var].stamp {
            self.queue.search = var.0;
        }
    }
    /// Bumps the activity of a variable.
    #[inline]
    pub(crate) fn bump_activity(&mut self, var: Var) {
        let amount = match self.conflicts {
            Some(now) => (now - self.heap.activity[var]).max(0.0) / 2.0,
            None => self.increment,
        };
        let amount = amount * self.heap.factor[var];
        self.raise(var, amount);
    }
    fn raise(&mut self, var: Var, amount: f64) {
        let activity = &mut self.heap.activity[var];
        *activity += amount;
        if activity.abs() > RESCALE_LIMIT {
            for activity in self.heap.activity.as_mut_slice() {
                *activity *= 1.0 / RESCALE_LIMIT;
            }
            self.increment *= 1.0 / RESCALE_LIMIT;
            self.heap.rebuild();
        }
        self.heap.moved(var);
    }
    /// Gives a variable the activity of one just bumped for the first time.
    pub(crate) fn renew(&mut self, var: Var) {
        self.heap.activity[var] = 0.0;
        self.bump_activity(var);
        self.queue.move_last(var);
    }
    /// Ages all activities.
    #[inline]
    pub(crate) fn decay(&mut self) {
        match &mut self.conflicts {
            Some(now) => *now += 1.0,
            None => self.increment /= self.decay,
        }
    }
    /// Raises the decay by a step, up to a limit.
    pub(crate) fn raise_decay(&mut self, more: f64, most: f64) {
        if self.decay < most {
            self.decay = (self.decay + more).min(most);
        }
    }
    /// Resets all activities. The queue stays: it is ordered by age.
    pub(crate) fn forget(&mut self) {
        self.heap.activity.as_mut_slice().fill(0.0);
        self.increment = 1.0;
        self.heap.rebuild();
    }
    /// The time of a variable's last move to the front.
    #[inline]
    pub(crate) fn stamp(&self, var: Var) -> u64 {
        self.queue.links[var].stamp
    }
    /// Moves a variable to the front of the queue.
    pub(crate) fn bump_queue(&mut self, var: Var, free: bool) {
        self.queue.move_last(var);
        if free {
            self.queue.search = var.0;
        }
    }
    /// Variables of a higher level are decided first.
    pub(crate) fn set_priority(&mut self, var: Var, level: i32) {
        let projected = self.heap.priority[var] >= PROJECTED / 2;
        self.heap.priority[var] = i64::from(level) + if projected { PROJECTED } else { 0 };
        self.heap.has_priority |= level != 0;
        self.heap.moved(var);
    }
    /// Decides exactly these variables before all others.
    pub(crate) fn set_projection(&mut self, vars: &[Var]) {
        for priority in self.heap.priority.as_mut_slice() {
            if *priority >= PROJECTED / 2 {
                *priority -= PROJECTED;
            }
        }
        for &var in vars {
            if self.heap.priority[var] < PROJECTED / 2 {
                self.heap.priority[var] += PROJECTED;
            }
        }
        self.heap.has_priority = self.heap.priority.iter().any(|&p| p != 0);
        self.heap.rebuild();
    }
    /// Future bumps of the variable are multiplied by this factor.
    pub(crate) fn set_factor(&mut self, var: Var, factor: f64) {
        self.heap.factor[var] = factor;
    }
    /// Adds to the variable's activity, in units of one bump.
    pub(crate) fn add_activity(&mut self, var: Var, bumps: f64) {
        let amount = bumps * self.increment;
        self.raise(var, amount);
    }

    /// Heap order, membership of free variables, and the queue's search invariant.
    #[cfg(debug_assertions)]
    pub(crate) fn check(&self, assignment: &Assignment) {
        for (i, &entry) in self.heap.order.iter().enumerate() {
            assert_eq!(self.heap.place[entry.var()] as usize, i);
            assert_eq!(self.heap.entry(entry.var()), entry);
            assert!(i == 0 || !self.heap.before(entry, self.heap.order[(i - 1) / ARITY]), "heap order");
        }
        let bound =
            if self.queue.search == ABSENT { 0 } else { self.queue.links[Var(self.queue.search)].stamp };
        for var in self.heap.place.indices() {
            if assignment.values[var.index() << 1] == 0 && !self.retired[var] {
                assert!(self.heap.place[var] != ABSENT, "free variable outside the heap");
                assert!(self.queue.links[var].stamp <= bound, "free variable behind the queue's search");
            }
        }
    }
}

impl Heap {
    fn entry(&self, var: Var) -> Entry {
        Entry::new(self.activity[var], var)
    }
    #[inline]
    fn before(&self, a: Entry, b: Entry) -> bool {
        if self.has_priority && self.priority[a.var()] != self.priority[b.var()] {
            return self.priority[a.var()] > self.priority[b.var()];
        }
        a > b
    }
    fn insert(&mut self, var: Var) {
        let entry = self.entry(var);
        self.order.push(entry);
        self.up(self.order.len() - 1, entry);
    }
    fn pop(&mut self) {
        let Some(last) = self.order.pop() else { return };
        self.place[self.order.first().unwrap_or(&last).var()] = ABSENT;
        if !self.order.is_empty() {
            self.down(0, last);
        }
    }
    /// Restores the order around a variable whose key changed.
    fn moved(&mut self, var: Var) {
        let place = self.place[var];
        if place != ABSENT {
            let entry = self.entry(var);
            let at = self.up(place as usize, entry);
            self.down(at, entry);
        }
    }
    /// Restores the order after many keys changed.
    fn rebuild(&mut self) {
        for entry in &mut self.order {
            *entry = Entry::new(self.activity[entry.var()], entry.var());
        }
        for i in (0..self.order.len().div_ceil(ARITY)).rev() {
            self.down(i, self.order[i]);
        }
    }
    /// Puts an entry at a place or nearer to the top; returns where.
    fn up(&mut self, mut at: usize, entry: Entry) -> usize {
        while at > 0 {
            let parent = (at - 1) / ARITY;
            let other = self.order[parent];
            if !self.before(entry, other) {
                break;
            }
            self.put(at, other);
            at = parent;
        }
        self.put(at, entry);
        at
    }
    /// Puts an entry at a place or farther from the top.
    fn down(&mut self, mut at: usize, entry: Entry) {
        while let Some(child) = self.first_child(at) {
            let best = self.order[child];
            if !self.before(best, entry) {
                break;
            }
            self.put(at, best);
            at = child;
        }
        self.put(at, entry);
    }
    /// The place of the child that comes first.
    #[inline]
    fn first_child(&self, at: usize) -> Option<usize> {
        let first = ARITY * at + 1;
        let children = self.order.get(first..)?;
        if let Some(four) = children.first_chunk::<ARITY>()
            && !self.has_priority
        {
            let left = usize::from(four[1] > four[0]);
            let right = 2 + usize::from(four[3] > four[2]);
            let is_right = usize::from(four[right] > four[left]);
            return Some(first + left + (right - left) * is_right);
        }
        let (&(mut best), rest) = children.get(..ARITY).unwrap_or(children).split_first()?;
        let mut child = first;
        for (i, &other) in rest.iter().enumerate() {
            if self.before(other, best) {
                (best, child) = (other, first + 1 + i);
            }
        }
        Some(child)
    }
    #[inline]
    fn put(&mut self, at: usize, entry: Entry) {
        self.order[at] = entry;
        self.place[entry.var()] = at as u32;
    }
}

impl Queue {
    fn push_last(&mut self, var: Var) {
        self.clock += 1;
        let link = Link { previous: self.last, next: ABSENT, stamp: self.clock };
        let pushed = self.links.push(link);
        debug_assert_eq!(pushed, var);
        if self.last == ABSENT {
            self.first = var.0;
        } else {
            self.links[Var(self.last)].next = var.0;
        }
        self.last = var.0;
        self.search = var.0;
    }
    fn move_last(&mut self, var: Var) {
        if self.last == var.0 {
            return;
        }
        let Link { previous, next, .. } = self.links[var];
        if previous == ABSENT {
            self.first = next;
        } else {
            self.links[Var(previous)].next = next;
        }
        if next != ABSENT {
            self.links[Var(next)].previous = previous;
        }
        if self.search == var.0 {
            self.search = if previous == ABSENT { next } else { previous };
        }
        self.clock += 1;
        self.links[var] = Link { previous: self.last, next: ABSENT, stamp: self.clock };
        self.links[Var(self.last)].next = var.0;
        self.last = var.0;
    }
}
