//! Watch lists of long clauses and the implication lists of binary ones.
//!
//! Invariant (two watched literals): a clause is in the lists of its first two literals; at a propagation fixpoint a
//! watched literal is false only if the clause has a true literal that was assigned no later or, for clauses that were
//! found unit out of order, is listed as missed. A blocker is any other literal of the clause: if it is true, the
//! clause need not be visited.
//! Source: Moskewicz et al., *Chaff*, DAC 2001; Chu, Harwood and Stuckey, *Cache conscious data structures*, 2009.

use crate::store::arena::{Arena, ClauseRef, Relocation};
use crate::store::literal::Lit;
use asp_base::rng::Rng;

/// One entry of a watch list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub(crate) blocker: Lit,
    pub(crate) clause: ClauseRef,
}

/// Lists by literal.
#[derive(Debug)]
pub(crate) struct Watches {
    /// By literal: long clauses that watch it.
    pub(crate) long: Vec<Vec<Watch>>,
    /// By literal: the other literals of the binary clauses that contain it.
    pub(crate) binary: Vec<Vec<Lit>>,
    /// Number of binary clauses.
    pub(crate) num_binary: u64,
    /// For watches that are chosen at random.
    pub(crate) rng: Rng,
}

impl Watches {
    pub(crate) fn new(seed: u64) -> Self {
        Self { long: Vec::new(), binary: Vec::new(), num_binary: 0, rng: Rng::new(seed ^ 0x77_6174_6368) }
    }
    pub(crate) fn reserve_vars(&mut self, more: usize) {
        self.long.reserve_exact(2 * more);
        self.binary.reserve_exact(2 * more);
    }
    pub(crate) fn new_var(&mut self) {
        self.long.extend([Vec::new(), Vec::new()]);
        self.binary.extend([Vec::new(), Vec::new()]);
    }
    /// Adds a binary clause.
    pub(crate) fn add_binary(&mut self, a: Lit, b: Lit) {
        self.binary[a.code()].push(b);
        self.binary[b.code()].push(a);
        self.num_binary += 1;
    }
    /// Watches the first two literals of a clause.
    pub(crate) fn attach(&mut self, arena: &Arena, clause: ClauseRef) {
        let (a, b) = (arena.literal(clause, 0), arena.literal(clause, 1));
        self.long[a.code()].push(Watch { blocker: b, clause });
        self.long[b.code()].push(Watch { blocker: a, clause });
    }
    /// Removes the watches of a clause.
    pub(crate) fn detach(&mut self, arena: &Arena, clause: ClauseRef) {
        for i in 0..2 {
            self.long[arena.literal(clause, i).code()].retain(|w| w.clause != clause);
        }
    }
    /// Applies a compaction: moved clauses keep their entries, garbage loses them.
    pub(crate) fn relocate(&mut self, relocation: &Relocation) {
        for list in &mut self.long {
            list.retain_mut(|watch| match relocation.get(watch.clause) {
                Some(clause) => {
                    watch.clause = clause;
                    true
                }
                None => false,
            });
        }
    }
    /// Drops the entries of garbage clauses.
    pub(crate) fn flush(&mut self, arena: &Arena) {
        for list in &mut self.long {
            list.retain(|watch| !arena.is_garbage(watch.clause));
        }
    }
}
