//! One round of inference: everything that single items force, given what is known, each literal with its reason.
//!
//! Invariant: a reason is minimal: without any of its literals the item would not force the step.

use super::Inference;
use super::knowledge::{Cause, Clash, Deduction, Knowledge};
use crate::inquiry::formula::Formula;
use asp_base::interrupt::Interrupt;
use asp_base::map::Map;
use asp_program::{AtomId, Literal};

/// How many reasons are compared for one literal in a round.
const ALTERNATIVES: usize = 4;

impl Inference<'_> {
    /// Infers what single items force, or finds an item that cannot hold.
    pub(super) fn round(&self, k: &mut Knowledge, interrupt: &Interrupt) -> Option<Clash> {
        k.round += 1;
        let mut queue = std::mem::take(&mut k.queue);
        queue.sort_unstable();
        queue.dedup();
        if let Some(allowed) = &k.allowed {
            queue.retain(|&i| allowed[i as usize]);
        }
        self.work.set(self.work.get() + queue.len() as u64);
        let mut found: Vec<Literal> = Vec::new();
        let mut reasons: Map<Literal, Vec<u32>> = Map::default();
        let mut clash: Option<Clash> = None;
        for &i in &queue {
            if interrupt.poll().is_some() {
                break;
            }
            let formula = &self.items.list[i as usize].formula;
            match formula.truth(&k.values, self.symbols) {
                Some(true) => {}
                Some(false) => {
                    if k.quick {
                        return Some(Clash { item: Some(i), because: Vec::new() });
                    }
                    let because = self.reason(k, formula, None, interrupt);
                    if clash.as_ref().is_none_or(|c| self.weight(k, &because) < self.weight(k, &c.because)) {
                        clash = Some(Clash { item: Some(i), because });
                    }
                }
                None => formula.follow(true, &k.values, self.symbols, &mut |l| {
                    let reasons = reasons.entry(l).or_insert_with(|| {
                        found.push(l);
                        Vec::new()
                    });
                    if reasons.len() < ALTERNATIVES && reasons.last() != Some(&i) {
                        reasons.push(i);
                    }
                }),
            }
        }
        if clash.is_some() {
            return clash;
        }
        if k.quick {
            for literal in found {
                let item = reasons[&literal][0];
                self.learn(
                    k,
                    Deduction { literal, cause: Cause::Item(item), because: Vec::new(), round: k.round },
                );
            }
            return None;
        }
        let steps: Vec<Deduction> = found
            .iter()
            .take_while(|_| interrupt.poll().is_none())
            .filter_map(|&literal| {
                let candidates = reasons[&literal].iter().map(|&i| {
                    let formula = &self.items.list[i as usize].formula;
                    let because = self.reason(k, formula, Some(literal), interrupt);
                    (self.weight(k, &because), i, because)
                });
                let (_, item, because) = candidates.min_by_key(|c| (c.0, c.1))?;
                Some(Deduction { literal, cause: Cause::Item(item), because, round: k.round })
            })
            .collect();
        for step in steps {
            if k.value(step.literal) == Some(false) {
                // Its opposite was found in the same round; the item fails in the next one.
                continue;
            }
            self.learn(k, step);
        }
        None
    }

    /// How hard a reason is to follow: one for each literal, and more the later it became known.
    fn weight(&self, k: &Knowledge, because: &[Literal]) -> usize {
        because.iter().map(|l| 1 + k.step(l.atom()).map_or(0, |s| 3 * s.round.min(1000) as usize)).sum()
    }

    /// A minimal set of known literals that make a formula false once `forced` is false (or, without it, already); when interrupted, one
    /// that may not be minimal.
    pub(super) fn reason(
        &self,
        k: &Knowledge,
        formula: &Formula,
        forced: Option<Literal>,
        interrupt: &Interrupt,
    ) -> Vec<Literal> {
        let mut scratch = self.scratch.borrow_mut();
        let values = &mut *scratch;
        let mut atoms: Vec<AtomId> = Vec::new();
        formula.for_each(&mut |l| atoms.push(l.atom()));
        atoms.sort_unstable();
        atoms.dedup();
        for a in &atoms {
            values[a.0 as usize] = k.values[a.0 as usize];
        }
        if let Some(l) = forced {
            values[l.atom().0 as usize] = Some(l.is_neg());
            atoms.retain(|&a| a != l.atom());
        }
        atoms.retain(|a| values[a.0 as usize].is_some());
        let used = atoms.clone();
        // The latest are left out first.
        atoms.sort_by_key(|&a| std::cmp::Reverse(k.index(a)));
        let mut because = Vec::new();
        for a in atoms {
            let value = values[a.0 as usize].take();
            if interrupt.poll().is_some() || formula.truth(values, self.symbols) != Some(false) {
                values[a.0 as usize] = value;
                because.push(Literal::new(a, value == Some(false)));
            }
        }
        used.iter().chain(forced.map(Literal::atom).iter()).for_each(|a| values[a.0 as usize] = None);
        because.reverse();
        because
    }
}
