//! The assignment as theories see it: values, levels and the trail, by numbers of literals.
//!
//! Invariant: the trail is ordered by level. A consequence of the root that was found late counts to the level at which it
//! was found, until that level is left.

use crate::theory::Misuse;
use crate::theory::numbers::Numbers;
use asp_engine::propagator::View;
use asp_engine::store::literal::Lit;

/// Reading access to the assignment.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    view: View<'a>,
    numbers: &'a Numbers,
    /// The current level, or the one that is being left.
    level: u32,
    /// Where the trail ends.
    end: u32,
    conflict: bool,
}

impl<'a> Assignment<'a> {
    /// As it is now.
    pub(crate) fn new(view: View<'a>, numbers: &'a Numbers, conflict: bool) -> Self {
        Self { view, numbers, level: view.level(), end: view.assignment.trail.len() as u32, conflict }
    }
    /// As it is when a level was undone but is still counted.
    pub(crate) fn leaving(view: View<'a>, numbers: &'a Numbers, level: u32) -> Self {
        Self { view, numbers, level, end: view.assignment.level_start(level), conflict: false }
    }
    /// The current level. In `undo` it is the one that is being left.
    pub fn decision_level(&self) -> u32 {
        self.level
    }
    /// Levels up to this one belong to what is assumed.
    pub fn root_level(&self) -> u32 {
        self.level.min(self.view.assumptions.len() as u32)
    }
    /// Whether there is a conflict, which the search has to resolve first.
    pub fn has_conflict(&self) -> bool {
        self.conflict
    }
    /// Whether a literal has this number.
    pub fn has_literal(&self, literal: i32) -> bool {
        self.numbers.lit(literal).is_ok()
    }
    /// The value of a literal, if it has one.
    #[inline]
    pub fn value(&self, literal: i32) -> Result<Option<bool>, Misuse> {
        let lit = self.numbers.lit(literal)?;
        Ok(self.view.value(lit).filter(|_| self.view.position_of(lit) < self.end))
    }
    /// Whether a literal is true.
    pub fn is_true(&self, literal: i32) -> Result<bool, Misuse> {
        Ok(self.value(literal)? == Some(true))
    }
    /// Whether a literal is false.
    pub fn is_false(&self, literal: i32) -> Result<bool, Misuse> {
        Ok(self.value(literal)? == Some(false))
    }
    /// The level at which a literal got its value, if it has one.
    pub fn level(&self, literal: i32) -> Result<Option<u32>, Misuse> {
        let lit = self.numbers.lit(literal)?;
        if self.value(literal)?.is_none() {
            return Ok(None);
        }
        let (level, position) = (self.view.level_of(lit), self.view.position_of(lit));
        let control = &self.view.assignment.control;
        if level > 0 || control.first().is_none_or(|&first| position < first) {
            return Ok(Some(level));
        }
        Ok(Some(control.partition_point(|&start| start <= position) as u32))
    }
    /// Whether a literal has its value at level 0.
    pub fn is_fixed(&self, literal: i32) -> Result<bool, Misuse> {
        Ok(self.level(literal)? == Some(0))
    }
    /// The decision of a level; 1 for level 0.
    pub fn decision(&self, level: u32) -> Result<i32, Misuse> {
        if level > self.level {
            return Err(Misuse::Level(level));
        }
        if level == 0 {
            return Ok(1);
        }
        let (start, end) = (self.start(level), self.start(level + 1));
        let trail = &self.view.assignment.trail;
        let first = trail.get(start as usize).filter(|_| start < end);
        // An assumption may have been true already.
        let assumed = self.view.assumptions.get(level as usize - 1);
        let lit: Option<&Lit> = first.or(assumed);
        Ok(lit.map_or(1, |&lit| self.numbers.number(lit)))
    }
    /// The number of variables.
    pub fn size(&self) -> usize {
        self.numbers.len()
    }
    /// Whether everything has a value.
    pub fn is_total(&self) -> bool {
        self.view.assignment.is_total() && self.end as usize == self.view.assignment.trail.len()
    }
    /// The number of literals that have a value.
    pub fn trail_size(&self) -> u32 {
        self.end
    }
    /// Where a level begins on the trail.
    pub fn trail_begin(&self, level: u32) -> Result<u32, Misuse> {
        if level > self.level { Err(Misuse::Level(level)) } else { Ok(self.start(level).min(self.end)) }
    }
    /// Where a level ends on the trail.
    pub fn trail_end(&self, level: u32) -> Result<u32, Misuse> {
        if level > self.level { Err(Misuse::Level(level)) } else { Ok(self.start(level + 1).min(self.end)) }
    }
    /// The true literal at a place of the trail.
    pub fn trail_at(&self, place: u32) -> Option<i32> {
        let lit = self.view.assignment.trail.get(place as usize).filter(|_| place < self.end)?;
        Some(self.numbers.number(*lit))
    }
    /// Literals by the caller's numbers, in the order in which they became true.
    pub fn trail(&self) -> impl Iterator<Item = i32> + use<'a> {
        let (view, numbers) = (self.view, self.numbers);
        view.assignment.trail[..self.end as usize].iter().map(|&lit| numbers.number(lit))
    }
    /// Where a level begins on the whole trail.
    fn start(&self, level: u32) -> u32 {
        if level > self.view.level() {
            self.view.assignment.trail.len() as u32
        } else {
            self.view.assignment.level_start(level)
        }
    }
}
