//! An engine's exchange of clauses with those of other threads, in turns.
//!
//! Invariant: turns end at numbers of steps, and what an engine receives depends on the number of the turn alone, never
//! on how fast a thread runs; all variables of a clause that is taken have the same meaning in all engines.
//! Source: Hamadi, Jabbour, Piette and Sais, *Deterministic parallel DPLL*, JSAT 2011.

use crate::parameters::SharingParameters;
use crate::store::literal::Lit;

/// Learned clauses with their LBD.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    literals: Vec<Lit>,
    /// Of each clause: where it ends, and its LBD.
    ends: Vec<(usize, u32)>,
}

impl Clauses {
    fn push(&mut self, clause: &[Lit], lbd: u32) {
        self.literals.extend_from_slice(clause);
        self.ends.push((self.literals.len(), lbd));
    }
    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[Lit], u32)> {
        let mut from = 0;
        self.ends.iter().map(move |&(end, lbd)| (&self.literals[std::mem::replace(&mut from, end)..end], lbd))
    }
    /// Adds the clauses of another list.
    pub fn extend(&mut self, other: &Self) {
        let at = self.literals.len();
        self.literals.extend_from_slice(&other.literals);
        self.ends.extend(other.ends.iter().map(|&(end, lbd)| (at + end, lbd)));
    }
}

/// The threads of a call, seen from one of them.
pub trait Partners: Send {
    /// Publishes the clauses of a turn, and returns those of others that are due. Waits for threads that are far behind.
    fn exchange(&mut self, turn: u64, clauses: Clauses) -> Clauses;
}

/// An engine's connection to the others.
pub struct Port {
    partners: Box<dyn Partners>,
    /// Variables below this one are the same in all threads that have them.
    vars: u32,
    /// Which clauses are shared.
    pub(crate) sharing: SharingParameters,
    /// Steps of a turn.
    length: u64,
    /// Steps of the engine at turn 0.
    start: u64,
    /// Steps at which the current turn ends.
    end: u64,
    /// Clauses to be sent.
    clauses: Clauses,
}

impl Port {
    /// A port whose first turn begins at `steps`.
    pub fn new(
        partners: Box<dyn Partners>,
        vars: u32,
        sharing: SharingParameters,
        length: u64,
        steps: u64,
    ) -> Self {
        let clauses = Clauses::default();
        Self { partners, vars, sharing, length, start: steps, end: steps + length, clauses }
    }
    /// The variables from `from` to `to` have the same numbers in all threads from now on, if those below `from` have.
    pub(crate) fn widen(&mut self, from: u32, to: u32) {
        if from == self.vars {
            self.vars = to;
        }
    }
    /// The number of turns that end before or at these steps.
    pub fn turns(&self, steps: u64) -> u64 {
        (steps - self.start) / self.length
    }
    fn knows(&self, clause: &[Lit]) -> bool {
        clause.iter().all(|l| l.var().0 < self.vars)
    }
    /// Queues a clause for sending, if it is good enough and all of its variables are shared. Returns whether it was
    /// queued.
    pub(crate) fn send(&mut self, clause: &[Lit], lbd: u32) -> bool {
        let is_good = clause.len() <= self.sharing.length && (lbd <= self.sharing.lbd || clause.len() <= 2);
        let sends = is_good && self.knows(clause);
        if sends {
            self.clauses.push(clause, lbd);
        }
        sends
    }
    /// Whether a turn ends.
    #[inline]
    pub(crate) fn is_due(&self, steps: u64) -> bool {
        steps >= self.end
    }
    /// Ends the turn: returns clauses of others.
    pub(crate) fn exchange(&mut self, steps: u64) -> Clauses {
        let turns = self.turns(steps);
        self.end = self.start + (turns + 1) * self.length;
        let mut taken = Clauses::default();
        let clauses = std::mem::take(&mut self.clauses);
        for (clause, lbd) in self.partners.exchange(turns, clauses).iter() {
            if self.knows(clause) {
                taken.push(clause, lbd);
            }
        }
        taken
    }
}
