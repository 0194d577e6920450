//! How hard an instance is: how far one has to look ahead where plain inference ends.
//!
//! A trial takes one candidate and follows it round by round: all that the round before leaves no choice about. The longest trial
//! that is needed, where shorter ones are exhausted first, is the difficulty. Sudoku players have names for the short ones: a
//! pointing pair is refuted in two rounds, a pair and an X-wing in three, a triple, a wing and a swordfish in four.
//! Invariant: the difficulty depends on the program and its clues alone, not on the order of trials.

use crate::infer::{Inference, Knowledge, TRYING};
use asp_base::interrupt::Interrupt;
use asp_program::AtomId;

/// How hard an instance is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Difficulty {
    /// Plain inference is enough.
    Easy,
    /// Trials of three rounds.
    Medium,
    /// Trials of four rounds.
    Hard,
    /// Longer trials, or a search.
    Expert,
}

impl Difficulty {
    /// All, the easiest first.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Expert];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Expert => "expert",
        }
    }

    /// How many rounds a trial has.
    fn rounds(self) -> Option<u32> {
        match self {
            Self::Medium => Some(3),
            Self::Hard => Some(4),
            Self::Easy | Self::Expert => None,
        }
    }

    /// Tries open targets for so many rounds; whether anything was learned.
    fn step(
        self,
        inference: &Inference<'_>,
        k: &mut Knowledge,
        open: &[AtomId],
        interrupt: &Interrupt,
    ) -> bool {
        let end = inference.work() + TRYING;
        self.rounds().is_some_and(|rounds| inference.try_within(k, open, interrupt, (rounds, end)))
    }
}

/// How hard it is to decide every target from some assumptions; `None` after a contradiction or a stop.
pub(super) fn rate(
    inference: &Inference<'_>,
    mut k: Knowledge,
    targets: &[AtomId],
    interrupt: &Interrupt,
) -> Option<Difficulty> {
    let trials = [Difficulty::Medium, Difficulty::Hard];
    let mut found = Difficulty::Easy;
    loop {
        let open = infer(inference, &mut k, targets, interrupt)?;
        if open.is_empty() {
            return Some(found);
        }
        let step = trials.into_iter().find(|d| d.step(inference, &mut k, &open, interrupt));
        if interrupt.poll().is_some() {
            return None;
        }
        match step {
            Some(difficulty) => found = found.max(difficulty),
            None => return Some(Difficulty::Expert),
        }
    }
}

/// Whether that is not harder than `most`: what a short trial finds, a longer one does.
pub(super) fn is_within(
    inference: &Inference<'_>,
    mut k: Knowledge,
    targets: &[AtomId],
    interrupt: &Interrupt,
    most: Difficulty,
) -> bool {
    while let Some(open) = infer(inference, &mut k, targets, interrupt) {
        if open.is_empty() {
            return true;
        }
        if !most.step(inference, &mut k, &open, interrupt) {
            return false;
        }
    }
    false
}

/// Plain inference; the targets that it leaves open, or `None` after a contradiction or a stop.
fn infer(
    inference: &Inference<'_>,
    k: &mut Knowledge,
    targets: &[AtomId],
    interrupt: &Interrupt,
) -> Option<Vec<AtomId>> {
    if inference.run(k, interrupt, &|_| false).is_some() || interrupt.poll().is_some() {
        return None;
    }
    Some(targets.iter().copied().filter(|a| k.values[a.0 as usize].is_none()).collect())
}
