//! The arena of clauses with three literals or more.
//!
//! Layout: `[length, header, literal...]` in `u32` words; a clause is identified by the position of its length word.
//! The header holds flags, a use counter and the LBD, so that reduction needs no side table. Invariant: walking from 0
//! by `length + 2` visits every clause; garbage stays in place until [`Arena::compact`].

use crate::store::literal::Lit;

/// A clause by its position in the arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseRef(pub(crate) u32);

const HEADER_WORDS: usize = 2;

const LEARNED: u32 = 1;
const GARBAGE: u32 = 1 << 1;
const MOVED: u32 = 1 << 2;
const VIVIFIED: u32 = 1 << 3;
const USED_SHIFT: u32 = 5;
const USED_MASK: u32 = 3 << USED_SHIFT;
const LBD_SHIFT: u32 = 7;
const LBD_MAX: u32 = (1 << 25) - 1;

/// Clauses in one allocation.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    words: Vec<u32>,
    /// Words in garbage clauses.
    wasted: usize,
}

impl Arena {
    /// Whether there is room left before references exceed 32 bits.
    pub(crate) fn has_room(&self, literals: usize) -> bool {
        self.words.len() + literals + HEADER_WORDS < u32::MAX as usize
    }
    /// Stores a clause. Pre: [`has_room`](Self::has_room).
    pub(crate) fn add(&mut self, literals: &[Lit], learned: bool, lbd: u32) -> ClauseRef {
        debug_assert!(literals.len() >= 3);
        let at = ClauseRef(self.words.len() as u32);
        self.words.push(literals.len() as u32);
        self.words.push((u32::from(learned) * LEARNED) | (lbd.min(LBD_MAX) << LBD_SHIFT));
        self.words.extend(literals.iter().map(|l| l.word()));
        at
    }
    #[inline]
    fn header(&self, c: ClauseRef) -> u32 {
        self.words[c.0 as usize + 1]
    }
    #[inline]
    fn header_mut(&mut self, c: ClauseRef) -> &mut u32 {
        &mut self.words[c.0 as usize + 1]
    }
    #[inline]
    fn set_flag(&mut self, c: ClauseRef, flag: u32, on: bool) {
        let header = self.header_mut(c);
        *header = if on { *header | flag } else { *header & !flag };
    }
    /// Number of literals.
    #[inline]
    pub(crate) fn len(&self, c: ClauseRef) -> usize {
        self.words[c.0 as usize] as usize
    }
    /// The literals as words.
    #[inline]
    pub(crate) fn words(&self, c: ClauseRef) -> &[u32] {
        let start = c.0 as usize + HEADER_WORDS;
        &self.words[start..start + self.words[c.0 as usize] as usize]
    }
    /// The literals as words, to reorder.
    #[inline]
    pub(crate) fn words_mut(&mut self, c: ClauseRef) -> &mut [u32] {
        let start = c.0 as usize + HEADER_WORDS;
        let len = self.words[c.0 as usize] as usize;
        &mut self.words[start..start + len]
    }
    #[inline]
    pub(crate) fn literals(
        &self,
        c: ClauseRef,
    ) -> impl DoubleEndedIterator<Item = Lit> + ExactSizeIterator + '_ {
        self.words(c).iter().map(|&w| Lit::from_word(w))
    }
    /// The literal at a place of a clause.
    #[inline]
    pub(crate) fn literal(&self, c: ClauseRef, i: usize) -> Lit {
        Lit::from_word(self.words[c.0 as usize + HEADER_WORDS + i])
    }
    #[inline]
    pub(crate) fn is_learned(&self, c: ClauseRef) -> bool {
        self.header(c) & LEARNED != 0
    }
    #[inline]
    pub(crate) fn is_garbage(&self, c: ClauseRef) -> bool {
        self.header(c) & GARBAGE != 0
    }
    /// Makes a learned clause original, so that it is not deleted.
    pub(crate) fn set_original(&mut self, c: ClauseRef) {
        self.set_flag(c, LEARNED, false);
    }
    /// Whether vivification has tried the clause.
    pub(crate) fn is_vivified(&self, c: ClauseRef) -> bool {
        self.header(c) & VIVIFIED != 0
    }
    pub(crate) fn set_vivified(&mut self, c: ClauseRef) {
        self.set_flag(c, VIVIFIED, true);
    }
    /// Marks a clause for removal by the next collection.
    pub(crate) fn discard(&mut self, c: ClauseRef) {
        if !self.is_garbage(c) {
            self.set_flag(c, GARBAGE, true);
            self.wasted += self.len(c) + HEADER_WORDS;
        }
    }
    #[inline]
    pub(crate) fn lbd(&self, c: ClauseRef) -> u32 {
        self.header(c) >> LBD_SHIFT
    }
    #[inline]
    pub(crate) fn set_lbd(&mut self, c: ClauseRef, lbd: u32) {
        let header = self.header_mut(c);
        *header = *header & ((1 << LBD_SHIFT) - 1) | lbd.min(LBD_MAX) << LBD_SHIFT;
    }
    /// How recently the clause took part in a conflict: from 0 (not since two reductions) to 2.
    #[inline]
    pub(crate) fn used(&self, c: ClauseRef) -> u32 {
        (self.header(c) & USED_MASK) >> USED_SHIFT
    }
    #[inline]
    pub(crate) fn set_used(&mut self, c: ClauseRef, used: u32) {
        let header = self.header_mut(c);
        *header = *header & !USED_MASK | used << USED_SHIFT & USED_MASK;
    }
    /// Words held by garbage.
    pub(crate) fn wasted(&self) -> usize {
        self.wasted
    }
    /// Words in all.
    pub(crate) fn size(&self) -> usize {
        self.words.len()
    }
    /// The first clause of the arena.
    pub(crate) fn first(&self) -> ClauseRef {
        ClauseRef(0)
    }
    /// Whether a reference is past the last clause.
    #[inline]
    pub(crate) fn is_end(&self, c: ClauseRef) -> bool {
        c.0 as usize >= self.words.len()
    }
    /// The clause after another one.
    #[inline]
    pub(crate) fn next(&self, c: ClauseRef) -> ClauseRef {
        ClauseRef(c.0 + self.words[c.0 as usize] + HEADER_WORDS as u32)
    }
    /// All clauses that are not garbage, in order of age.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        let mut at = self.first();
        std::iter::from_fn(move || self.next_live(&mut at))
    }
    /// The first clause from a position on that is not garbage; advances the position past it. For changing clauses on
    /// the way.
    #[inline]
    pub(crate) fn next_live(&self, at: &mut ClauseRef) -> Option<ClauseRef> {
        while !self.is_end(*at) {
            let c = *at;
            *at = self.next(c);
            if !self.is_garbage(c) {
                return Some(c);
            }
        }
        None
    }
    /// Removes garbage. The result maps old references to new ones; it must be applied to everything that holds
    /// references.
    pub(crate) fn compact(&mut self) -> Relocation {
        let mut old = std::mem::take(&mut self.words);
        let mut words = Vec::with_capacity(old.len() - self.wasted);
        let mut at = 0usize;
        while at < old.len() {
            let size = old[at] as usize + HEADER_WORDS;
            if old[at + 1] & GARBAGE == 0 {
                let to = words.len() as u32;
                words.extend_from_slice(&old[at..at + size]);
                old[at + 1] |= MOVED;
                old[at + 2] = to;
            }
            at += size;
        }
        self.words = words;
        self.wasted = 0;
        Relocation { old }
    }
}

/// Where clauses went in a compaction.
pub(crate) struct Relocation {
    old: Vec<u32>,
}

impl Relocation {
    /// The new position of a clause; `None` if it was garbage.
    #[inline]
    pub(crate) fn get(&self, c: ClauseRef) -> Option<ClauseRef> {
        let at = c.0 as usize;
        (self.old[at + 1] & MOVED != 0).then(|| ClauseRef(self.old[at + 2]))
    }
}
