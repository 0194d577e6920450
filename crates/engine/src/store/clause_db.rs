//! The clause database: long clauses in the arena with their watches, binary ones in implication lists, and those of
//! eliminated variables; with counts, and whether it has the empty clause.
//!
//! Invariant: `original` and `learned` count the long clauses that are not garbage; each of them is watched, unless a pass
//! is trying it.

use crate::store::arena::{Arena, ClauseRef};
use crate::store::eliminated::Eliminated;
use crate::store::literal::Lit;
use crate::store::watch::Watches;

/// A literal that is implied at a level below the one where it was assigned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missed {
    pub(crate) lit: Lit,
    /// The clause that implies it.
    pub(crate) clause: Option<ClauseRef>,
    /// Otherwise the other literal of the binary clause, or [`Lit::NONE`] for a fact.
    pub(crate) other: Lit,
}

#[derive(Debug)]
pub(crate) struct ClauseDb {
    pub(crate) arena: Arena,
    pub(crate) watches: Watches,
    /// Clauses and facts that are unit at a level below the one where their literal was assigned.
    pub(crate) missed: Vec<Missed>,
    /// Numbers of original and of learned long clauses.
    pub(crate) original: u64,
    pub(crate) learned: u64,
    /// Constraints added so far, to detect additions.
    pub(crate) additions: u64,
    /// Whether the empty clause was derived: there is no model under any assumptions.
    pub(crate) unsat: bool,
    /// Variables that have been eliminated with their clauses, and those that must not be.
    pub(crate) eliminated: Eliminated,
}

impl ClauseDb {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            arena: Arena::default(),
            watches: Watches::new(seed),
            missed: Vec::new(),
            original: 0,
            learned: 0,
            additions: 0,
            unsat: false,
            eliminated: Eliminated::default(),
        }
    }
    /// Puts a long clause into the arena and watches its first two literals.
    pub(crate) fn store(&mut self, clause: &[Lit], learned: bool, lbd: u32) -> ClauseRef {
        // 2^32 words of clauses are 16 GiB: any run reaches its memory limit first.
        assert!(self.arena.has_room(clause.len()), "the clause arena is full");
        let c = self.arena.add(clause, learned, lbd);
        self.watches.attach(&self.arena, c);
        *self.count(learned) += 1;
        c
    }
    /// Marks a clause as garbage.
    pub(crate) fn discard(&mut self, c: ClauseRef) {
        *self.count(self.arena.is_learned(c)) -= 1;
        self.arena.discard(c);
    }
    /// Makes a clause permanent.
    pub(crate) fn make_original(&mut self, c: ClauseRef) {
        self.arena.set_original(c);
        self.learned -= 1;
        self.original += 1;
    }
    fn count(&mut self, learned: bool) -> &mut u64 {
        if learned { &mut self.learned } else { &mut self.original }
    }
}
