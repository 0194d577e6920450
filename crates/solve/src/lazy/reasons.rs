//! Instances that imply literals, and which of them become clauses.
//!
//! Invariant: the reason of a literal is there as long as the literal is true; those of a level are forgotten when it is
//! left. An instance that explains something twice is kept as a clause, which may be deleted like a learned one.

use asp_engine::propagator::{Conflict, Context, Keep};
use asp_engine::store::literal::Lit;

/// Places that remember the instances that explained something lately.
const SLOTS: usize = 1 << 14;

/// Reasons, by number; 0 for what holds at the root.
#[derive(Debug)]
pub(super) struct Reasons {
    /// One after the other, and where they end.
    lits: Vec<Lit>,
    ends: Vec<u32>,
    /// Levels, rising, and how many reasons there were before.
    levels: Vec<(u32, u32)>,
    /// Hashes of instances that explained something.
    used: Vec<u32>,
    /// Clauses to be added, one after the other, and where they end.
    kept: (Vec<Lit>, Vec<u32>),
}

impl Default for Reasons {
    fn default() -> Self {
        Self {
            lits: Vec::new(),
            ends: vec![0],
            levels: Vec::new(),
            used: vec![0; SLOTS],
            kept: (Vec::new(), Vec::new()),
        }
    }
}

impl Reasons {
    /// A number for the literals that imply one at a level.
    pub(super) fn add(&mut self, lits: &[Lit], level: u32) -> u32 {
        self.undo(level);
        if level == 0 {
            return 0;
        }
        if self.levels.last().is_none_or(|last| last.0 < level) {
            self.levels.push((level, self.ends.len() as u32));
        }
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len() as u32);
        self.ends.len() as u32 - 1
    }

    /// Forgets what belongs to higher levels.
    pub(super) fn undo(&mut self, level: u32) {
        while let Some(&(last, count)) = self.levels.last()
            && last > level
        {
            self.levels.pop();
            self.ends.truncate(count as usize);
            self.lits.truncate(self.ends.last().map_or(0, |&end| end as usize));
        }
    }

    /// Appends the reason of a literal.
    pub(super) fn explain(&mut self, lit: Lit, number: u32, because: &mut Vec<Lit>) {
        if number == 0 {
            return;
        }
        let (start, end) = (self.ends[number as usize - 1], self.ends[number as usize]);
        let reason = &self.lits[start as usize..end as usize];
        because.extend_from_slice(reason);
        let mix = |l: Lit| (l.code() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        // The same whichever of its literals is implied.
        let hash = reason.iter().fold(mix(!lit), |hash, &l| hash.wrapping_add(mix(l)));
        let (slot, tag) = (hash as usize % SLOTS, (hash >> 32) as u32 | 1);
        if self.used[slot] != tag {
            self.used[slot] = tag;
            return;
        }
        self.used[slot] = 0;
        self.kept.0.push(lit);
        self.kept.0.extend(reason.iter().map(|&l| !l));
        self.kept.1.push(self.kept.0.len() as u32);
    }

    /// Adds the clauses that are to be kept.
    pub(super) fn keep(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        let mut start = 0;
        let mut result = Ok(());
        for &end in &self.kept.1 {
            result = context.add_clause(&self.kept.0[start..end as usize], Keep::WhileUseful);
            if result.is_err() {
                break;
            }
            start = end as usize;
        }
        self.kept.0.clear();
        self.kept.1.clear();
        result
    }
}
