//! Trying a literal: if its consequences contradict each other, its opposite holds.
//!
//! Invariant: what is learned does not depend on the order in which literals of one call are tried.

use std::rc::Rc;

use super::Inference;
use super::knowledge::{Cause, Clash, Contradiction, Deduction, Knowledge};
use asp_base::interrupt::Interrupt;
use asp_program::{AtomId, Literal};

/// The greatest number of open atoms that are tried at a time.
const MAX_TRIED: usize = 1000;
/// After this many trials, fewer refutations suffice.
const MIN_TRIED: usize = 300;
/// How many refutations then suffice.
const MIN_LEARNED: usize = 30;

impl Inference<'_> {
    /// Tries open atoms both ways and learns what is refuted, with the shortest reason first. Returns whether there was
    /// anything. `end` is the work at which it ends.
    pub(crate) fn try_all(
        &self,
        k: &mut Knowledge,
        open: &[AtomId],
        interrupt: &Interrupt,
        end: u64,
    ) -> bool {
        let mut steps: Vec<Deduction> = Vec::new();
        for (number, &atom) in open.iter().enumerate() {
            if number >= MAX_TRIED || number >= MIN_TRIED && steps.len() >= MIN_LEARNED {
                break;
            }
            for tried in [Literal::pos(atom), Literal::neg(atom)] {
                if interrupt.poll().is_some() || self.work() > end {
                    break;
                }
                if let Some((contradiction, because)) = self.refute(k, tried, interrupt) {
                    let rounds = because.iter().filter_map(|l| Some(k.step(l.atom())?.round));
                    let round = 1 + rounds.max().unwrap_or(0);
                    let cause = Cause::Refuted(Rc::new(contradiction));
                    steps.push(Deduction { literal: !tried, cause, because, round });
                    break;
                }
            }
        }
        steps.sort_by_key(Deduction::effort);
        let learned = !steps.is_empty();
        steps.into_iter().for_each(|s| self.learn(k, s));
        learned
    }

    /// The same with trials that are refuted within some rounds, without reasons.
    pub(crate) fn try_within(
        &self,
        k: &mut Knowledge,
        open: &[AtomId],
        interrupt: &Interrupt,
        (rounds, end): (u32, u64),
    ) -> bool {
        let mut found = Vec::new();
        for &atom in open.iter().take(MAX_TRIED) {
            for tried in [Literal::pos(atom), Literal::neg(atom)] {
                if interrupt.poll().is_some() || self.work() > end {
                    break;
                }
                let mut guess = k.guess();
                let last = guess.round + rounds;
                self.learn(&mut guess, Deduction::unnoted(tried, k.round));
                if self.run(&mut guess, interrupt, &|g| g.round >= last).is_some() {
                    found.push(!tried);
                    break;
                }
            }
        }
        found.iter().for_each(|&literal| self.learn(k, Deduction::unnoted(literal, k.round)));
        !found.is_empty()
    }

    /// Alternates inference and trials until there is a clash or nothing new is learned.
    pub fn run_trying(&self, k: &mut Knowledge, interrupt: &Interrupt, end: u64) -> Option<Clash> {
        loop {
            if let Some(clash) = self.run(k, interrupt, &|_| false) {
                return Some(clash);
            }
            if self.work() > end || !self.try_open(k, interrupt, end) {
                return None;
            }
        }
    }

    /// Tries open atoms; returns whether anything was learned.
    pub(crate) fn try_open(&self, k: &mut Knowledge, interrupt: &Interrupt, end: u64) -> bool {
        let open: Vec<AtomId> = (0..self.uses.len() as u32)
            .map(AtomId)
            .filter(|a| k.values[a.0 as usize].is_none() && !self.uses[a.0 as usize].is_empty())
            .collect();
        self.try_all(k, &open, interrupt, end)
    }

    /// Tries a literal; if that leads to a clash, returns the steps to it, and the known literals that they depend on.
    pub(crate) fn refute(
        &self,
        k: &Knowledge,
        tried: Literal,
        interrupt: &Interrupt,
    ) -> Option<(Contradiction, Vec<Literal>)> {
        let known = k.steps.len();
        let start = |quick: bool| {
            let mut guess =
                if quick { k.guess() } else { Knowledge { queue: Vec::new(), quick: false, ..k.clone() } };
            self.learn(
                &mut guess,
                Deduction { literal: tried, cause: Cause::Tried, because: Vec::new(), round: k.round },
            );
            guess
        };
        let clash = self.run(&mut start(true), interrupt, &|_| false)?;
        if k.quick {
            return Some((Contradiction { steps: Vec::new(), clash }, Vec::new()));
        }
        let mut guess = start(false);
        let clash = self.run(&mut guess, interrupt, &|_| false)?;
        let chain = guess.chain(&clash.because, &|at| at < known);
        let mut because: Vec<Literal> = Vec::new();
        let steps: Vec<Deduction> = chain.iter().map(|&at| guess.steps[at].clone()).collect();
        for l in steps.iter().flat_map(|s| &s.because).chain(&clash.because) {
            if guess.index(l.atom()).is_some_and(|at| at < known) && !because.contains(l) {
                because.push(*l);
            }
        }
        Some((Contradiction { steps, clash }, because))
    }
}
