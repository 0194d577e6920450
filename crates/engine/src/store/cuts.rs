//! Learned inequalities `sum of c_i * l_i >= degree`, by counters, with explanations and deletion.
//!
//! Each has its slack, the amount by which its non-false literals exceed the degree: a literal with a greater coefficient
//! must be true. Invariants: slacks count exactly the literals at trail positions below `head`; terms are sorted by falling
//! coefficients, which are at most the degree; those with a coefficient above `passed` are assigned, so that they are looked
//! at once on the way down a branch.

use crate::store::assignment::{Assignment, Reason};
use crate::store::literal::Lit;
use crate::store::literal_lists::LiteralLists;

/// A learned inequality.
#[derive(Debug)]
struct Cut {
    terms: Vec<(Lit, i64)>,
    degree: i64,
    slack: i64,
    /// At least the slack: all terms with a greater coefficient are assigned.
    passed: i64,
    /// At least the greatest coefficient up to `passed`; 0: there is none.
    next: i64,
    lbd: u32,
    /// How recently it took part in a conflict, from 0 to 2.
    used: u8,
    queued: bool,
}

/// All learned inequalities.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    cuts: Vec<Cut>,
    /// By literal: where it occurs, with its coefficient.
    occurrences: LiteralLists<(u32, i64)>,
    queue: Vec<u32>,
    /// Those that imply something at a lower level than where they could be asserted, with that level.
    rechecked: Vec<(u32, u32)>,
    head: usize,
}

impl Cuts {
    /// Number of inequalities.
    pub(crate) fn len(&self) -> usize {
        self.cuts.len()
    }
    /// Whether a call of [`propagate`](Self::propagate) may find something.
    #[inline]
    pub(crate) fn is_pending(&self, assignment: &Assignment) -> bool {
        !self.cuts.is_empty() && (self.head < assignment.trail.len() || !self.queue.is_empty())
    }
    /// Adds an inequality that implies something at a level, and nothing at lower ones. Pre: coefficients are positive and at most
    /// the degree.
    pub(crate) fn add(
        &mut self,
        mut terms: Vec<(Lit, i64)>,
        degree: i64,
        lbd: u32,
        level: u32,
        assignment: &Assignment,
    ) {
        if self.cuts.is_empty() {
            self.head = assignment.trail.len();
        }
        let number = self.cuts.len() as u32;
        terms.sort_by_key(|t| std::cmp::Reverse(t.1));
        let mut slack = -degree;
        for &(lit, coefficient) in &terms {
            self.occurrences.push(lit, (number, coefficient));
            if !self.is_counted_false(lit, assignment) {
                slack += coefficient;
            }
        }
        let next = terms[0].1;
        self.cuts.push(Cut { terms, degree, slack, passed: i64::MAX, next, lbd, used: 2, queued: true });
        self.queue.push(number);
        if level < assignment.level() {
            self.rechecked.push((number, level));
        }
    }
    #[inline]
    fn is_counted_false(&self, lit: Lit, assignment: &Assignment) -> bool {
        assignment.is_false(lit) && (assignment.position_of(lit) as usize) < self.head
    }
    /// Uncounts the literals at positions from `len` on. Pre: they are still on the trail.
    pub(crate) fn undo(&mut self, trail: &[Lit], len: usize, level: u32) {
        if self.cuts.is_empty() {
            return;
        }
        while self.head > len {
            self.head -= 1;
            for &(cut, coefficient) in self.occurrences.of(!trail[self.head]) {
                let cut = &mut self.cuts[cut as usize];
                cut.slack += coefficient;
                if cut.slack > cut.passed {
                    cut.passed = cut.slack;
                    cut.next = cut.terms[0].1;
                }
            }
        }
        for cut in self.queue.drain(..) {
            self.cuts[cut as usize].queued = false;
        }
        for &(cut, _) in &self.rechecked {
            let entry = &mut self.cuts[cut as usize];
            (entry.passed, entry.next) = (i64::MAX, entry.terms[0].1);
            if !std::mem::replace(&mut entry.queued, true) {
                self.queue.push(cut);
            }
        }
        self.rechecked.retain(|entry| entry.1 < level);
    }
    /// Counts new trail literals and propagates. An error is a violated inequality. Post: the slacks agree with the whole trail
    /// as of the start of the call.
    pub(crate) fn propagate(&mut self, assignment: &mut Assignment) -> Result<(), u32> {
        while self.head < assignment.trail.len() {
            let falsified = !assignment.trail[self.head];
            self.head += 1;
            for &(number, coefficient) in self.occurrences.of(falsified) {
                let cut = &mut self.cuts[number as usize];
                cut.slack -= coefficient;
                if cut.slack < cut.next && !std::mem::replace(&mut cut.queued, true) {
                    self.queue.push(number);
                }
            }
        }
        while let Some(number) = self.queue.pop() {
            let cut = &mut self.cuts[number as usize];
            cut.queued = false;
            if cut.slack < 0 {
                return Err(number);
            }
            let first = cut.terms.partition_point(|t| t.1 > cut.passed);
            let rest = &cut.terms[first..];
            let past = rest.iter().position(|t| t.1 <= cut.slack).unwrap_or(rest.len());
            for &(lit, _) in &rest[..past] {
                if assignment.is_free(lit) {
                    assignment.assign(lit, Reason::cut(number));
                }
            }
            (cut.passed, cut.next) = (cut.slack, rest.get(past).map_or(0, |t| t.1));
        }
        Ok(())
    }
    /// The terms and the degree.
    pub(crate) fn get(&self, number: u32) -> (&[(Lit, i64)], i64) {
        let cut = &self.cuts[number as usize];
        (&cut.terms, cut.degree)
    }
    /// An inequality took part in a conflict.
    pub(crate) fn note_use(&mut self, number: u32) {
        self.cuts[number as usize].used = 2;
    }
    /// The false literals of the clause that implied `lit`, or of a conflict ([`Lit::NONE`]), appended to `clause`: the later small
    /// ones are left out where the rest says enough.
    pub(crate) fn explain(&self, number: u32, lit: Lit, assignment: &Assignment, clause: &mut Vec<Lit>) {
        let cut = &self.cuts[number as usize];
        let before = if lit == Lit::NONE { self.head as u32 } else { assignment.position_of(lit) };
        let is_false = |l: Lit| assignment.is_false(l) && assignment.position_of(l) < before;
        let open = cut.terms.iter().filter(|t| t.0 != lit && !is_false(t.0));
        let mut spare = cut.degree - 1 - open.map(|t| t.1).sum::<i64>();
        debug_assert!(spare >= 0, "{lit:?} is not implied");
        for &(other, coefficient) in cut.terms.iter().rev().filter(|t| t.0 != lit && is_false(t.0)) {
            if assignment.level_of(other) == 0 {
                continue;
            }
            if coefficient <= spare {
                spare -= coefficient;
            } else {
                clause.push(other);
            }
        }
    }
    /// Deletes the worse half of those not used recently, except those in `is_kept`, by number. Returns the new number of
    /// each that is left.
    pub(crate) fn reduce(&mut self, is_kept: &[bool]) -> Vec<Option<u32>> {
        let mut doomed: Vec<(u32, usize, usize)> = Vec::new();
        for (i, cut) in self.cuts.iter_mut().enumerate() {
            cut.used = cut.used.saturating_sub(1);
            if cut.used == 0 && !is_kept[i] && cut.lbd > 2 {
                doomed.push((cut.lbd, cut.terms.len(), i));
            }
        }
        doomed.sort_unstable();
        let mut stays = vec![true; self.cuts.len()];
        doomed[doomed.len() / 2..].iter().for_each(|d| stays[d.2] = false);
        self.retain(&stays)
    }
    /// Keeps only some; the result is the new number of each, if it is left.
    pub(crate) fn retain(&mut self, stays: &[bool]) -> Vec<Option<u32>> {
        let mut next = 0;
        let numbers: Vec<Option<u32>> = stays
            .iter()
            .map(|&stays| {
                next += u32::from(stays);
                stays.then(|| next - 1)
            })
            .collect();
        let mut at = 0;
        self.cuts.retain(|_| {
            at += 1;
            stays[at - 1]
        });
        for list in self.occurrences.lists_mut() {
            list.retain_mut(|entry| match numbers[entry.0 as usize] {
                Some(number) => {
                    entry.0 = number;
                    true
                }
                None => false,
            });
        }
        let renumber = |number: u32| numbers[number as usize];
        self.queue = self.queue.drain(..).filter_map(renumber).collect();
        self.rechecked = self.rechecked.drain(..).filter_map(|e| Some((renumber(e.0)?, e.1))).collect();
        numbers
    }
    /// Whether an inequality always holds, because of literals that are true at the root.
    pub(crate) fn is_satisfied(&self, number: u32, assignment: &Assignment) -> bool {
        let cut = &self.cuts[number as usize];
        let fixed = cut.terms.iter().filter(|t| assignment.is_fixed_true(t.0));
        fixed.map(|t| t.1).sum::<i64>() >= cut.degree
    }

    /// Slacks are right, and nothing is left to propagate. Pre: propagation is at a fixpoint.
    #[cfg(debug_assertions)]
    pub(crate) fn check(&self, assignment: &Assignment) {
        for cut in &self.cuts {
            let open = cut.terms.iter().filter(|t| !self.is_counted_false(t.0, assignment));
            assert_eq!(cut.slack, open.map(|t| t.1).sum::<i64>() - cut.degree, "slack of a cut");
            assert!(cut.slack >= 0, "a cut is violated");
            let free = cut.terms.iter().filter(|t| assignment.is_free(t.0));
            assert!(free.into_iter().all(|t| t.1 <= cut.slack), "a cut is not propagated");
            let mut passed = cut.terms.iter().take_while(|t| t.1 > cut.passed);
            assert!(passed.all(|t| !assignment.is_free(t.0)), "a term that was passed is open");
            assert!(
                cut.next >= cut.terms.iter().map(|t| t.1).find(|&c| c <= cut.passed).unwrap_or(0),
                "next term"
            );
        }
    }
}
