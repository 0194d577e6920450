//! A lower bound on the number of answer sets, by random probes.
//!
//! A probe decides atom after atom at random, with the solver's word that an answer set is left; an answer set that it
//! reaches with probability p stands for 1/p of them, so on average probes tell the true number, or less where several
//! answer sets agree on the atoms. By Markov's inequality a probe tells more than twice the number with probability 1/2
//! at most, and all of [`PROBES`] do with 2^-PROBES: half of the least is the bound (C. Gomes, J. Hoffmann, A.
//! Sabharwal, B. Selman, *From sampling to model counting*, 2007). Invariant: with what probability a value is chosen
//! does not depend on the answer sets that the probe has seen.

use super::walk::Walks;
use asp_base::interrupt::StopReason;
use asp_base::rng::Rng;
use asp_control::Control;
use asp_program::{AtomId, Literal};

/// Number of probes.
pub const PROBES: u32 = 10;
/// Steps of each walk that estimates how often atoms hold.
const STEPS: u64 = if cfg!(test) { 40 } else { 400 };

/// A lower bound on the binary logarithm of the number of answer sets of a lowered program, which is too high with a
/// probability of at most 2^-PROBES.
pub(super) fn bits(control: &Control, project: bool, seed: u64) -> Result<f64, StopReason> {
    let mut rng = Rng::new(seed);
    let mut walks = Walks::new(control, project, &mut rng);
    let likely = walks.likely(STEPS)?;
    let mut least = f64::INFINITY;
    for _ in 0..PROBES {
        least = least.min(walks.probe(&likely)?);
    }
    Ok((least - 1.0).max(0.0))
}

/// The mean of the numbers that probes yield.
#[cfg(test)]
pub(super) fn mean(control: &Control, project: bool, number: u32) -> Result<f64, StopReason> {
    let mut rng = Rng::new(1);
    let mut walks = Walks::new(control, project, &mut rng);
    let likely = walks.likely(STEPS)?;
    let sum = (0..number).map(|_| walks.probe(&likely).map(f64::exp2)).sum::<Result<f64, StopReason>>()?;
    Ok(sum / f64::from(number))
}

impl Walks<'_> {
    /// By atom that is moved: about how often it holds.
    fn likely(&mut self, steps: u64) -> Result<Vec<f64>, StopReason> {
        let mut counts = vec![0u64; self.moved.len()];
        let mut seen = 0;
        for _ in 0..super::walk::WALKS {
            let Some(mut place) = self.start()? else { break };
            for _ in 0..steps {
                self.step(&mut place)?;
                seen += 1;
                self.moved.iter().zip(&mut counts).for_each(|(a, n)| *n += u64::from(place[a.0 as usize]));
            }
        }
        // Successive places are much alike: what one atom tells is mixed with the mean of all.
        let total = (seen * self.moved.len() as u64).max(1) as f64;
        let mean = (counts.iter().sum::<u64>() as f64 / total).clamp(0.02, 0.98);
        let weight = seen as f64 / 10.0 + 1.0;
        Ok(counts.iter().map(|&n| (n as f64 + mean * weight) / (seen as f64 + weight)).collect())
    }

    /// The binary logarithm of what one probe tells; minus infinity if there is no answer set.
    fn probe(&mut self, likely: &[f64]) -> Result<f64, StopReason> {
        let Some(mut place) = self.find(1, &[])?.0.place else { return Ok(f64::NEG_INFINITY) };
        let mut order: Vec<usize> = (0..self.moved.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.rng.below(i as u64 + 1) as usize);
        }
        let (mut kept, mut bits): (Vec<Literal>, f64) = (Vec::new(), 0.0);
        for i in order {
            let atom: AtomId = self.moved[i];
            let holds = place[atom.0 as usize];
            kept.push(Literal::new(atom, holds));
            if let Some(other) = self.find(1, &kept)?.0.place {
                let chosen = self.rng.chance(likely[i]);
                bits -= if chosen { likely[i] } else { 1.0 - likely[i] }.log2();
                if chosen != holds {
                    place = other;
                }
            }
            kept.pop();
            kept.push(Literal::new(atom, !place[atom.0 as usize]));
        }
        Ok(bits)
    }
}
