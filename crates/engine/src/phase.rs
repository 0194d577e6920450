//! The value of a decision: saved, target, best and initial phases, and rephasing; or learned polarity.
//!
//! Invariant: `target` and `best` hold the values of the longest trails without conflict since the last rephasing.
//! Source: Pipatsrisawat and Darwiche, *A lightweight component caching scheme*, SAT 2007 (saving); Biere and Fleury,
//! *Chasing target phases*, POS 2020; Moskewicz, Madigan, Zhao, Zhang and Malik, *Chaff*, DAC 2001 (counts of literals in
//! learned clauses).

use crate::parameters::{PhaseParameters, Sign};
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::IndexVec;
use asp_base::rng::Rng;

/// How many conflicts after a model saved phases search for another one near it.
const AFTER_MODEL: u64 = 500;

/// The values of the longest trail without conflict since they were last forgotten; 0 for variables not on it.
#[derive(Debug, Default)]
struct Longest {
    phases: IndexVec<Var, i8>,
    length: usize,
}

impl Longest {
    fn offer(&mut self, trail: &[Lit]) {
        if trail.len() > self.length {
            self.length = trail.len();
            for &lit in trail {
                self.phases[lit.var()] = if lit.is_neg() { -1 } else { 1 };
            }
        }
    }
    fn forget(&mut self) {
        self.phases.as_mut_slice().fill(0);
        self.length = 0;
    }
}

/// When saved phases are replaced.
#[derive(Debug)]
struct Rephasing {
    done: u64,
    /// The number of conflicts at which it is due.
    limit: u64,
    interval: u64,
}

/// Phases by variable: 1 true, -1 false, 0 unknown.
#[derive(Debug)]
pub(crate) struct Phases {
    default: i8,
    initial: IndexVec<Var, i8>,
    saved: IndexVec<Var, i8>,
    /// A sign imposed from outside, which overrides everything.
    forced: IndexVec<Var, i8>,
    target: Longest,
    best: Longest,
    /// Conflicts before targets are followed.
    target_from: u64,
    rephasing: Rephasing,
    /// The number of conflicts when the last model was found.
    last_model: Option<u64>,
    /// Positive minus negative occurrences in learned clauses.
    balance: IndexVec<Var, i32>,
    rng: Rng,
    /// The phase of new variables.
    sign: Sign,
}

impl Phases {
    pub(crate) fn new(p: &PhaseParameters, seed: u64) -> Self {
        let interval = p.rephase_interval.unwrap_or(u64::MAX);
        Self {
            default: if p.initial { 1 } else { -1 },
            initial: IndexVec::new(),
            saved: IndexVec::new(),
            forced: IndexVec::new(),
            target: Longest::default(),
            best: Longest::default(),
            target_from: 0,
            rephasing: Rephasing { done: 0, limit: interval, interval },
            last_model: None,
            balance: IndexVec::new(),
            rng: Rng::new(seed ^ 0x70_6861_7365),
            sign: p.sign,
        }
    }
    /// Sets the initial phase, unless a sign is imposed on all variables.
    pub(crate) fn suggest(&mut self, var: Var, value: bool) {
        if self.sign == Sign::Auto {
            self.set_initial(var, value);
        }
    }
    pub(crate) fn new_var(&mut self) {
        let phase = match self.sign {
            Sign::Auto => self.default,
            Sign::Positive => 1,
            Sign::Negative => -1,
            Sign::Random => 1 - 2 * self.rng.below(2) as i8,
        };
        self.initial.push(phase);
        self.saved.push(phase);
        self.forced.push(0);
        self.balance.push(0);
        self.target.phases.push(0);
        self.best.phases.push(0);
    }
    /// Sets the initial phase, and the saved one with it.
    pub(crate) fn set_initial(&mut self, var: Var, value: bool) {
        let phase = if value { 1 } else { -1 };
        self.initial[var] = phase;
        self.saved[var] = phase;
    }
    /// Targets are not followed before this many conflicts.
    pub(crate) fn delay_targets(&mut self, conflicts: u64) {
        self.target_from = conflicts;
    }
    /// Whether targets are followed after this many conflicts.
    #[inline]
    pub(crate) fn follows_targets(&self, conflicts: u64) -> bool {
        conflicts >= self.target_from
    }
    /// A copy of the saved phases, to be restored.
    pub(crate) fn saved(&self) -> IndexVec<Var, i8> {
        self.saved.clone()
    }
    /// Puts back saved phases. Pre: there are no new variables.
    pub(crate) fn restore(&mut self, saved: IndexVec<Var, i8>) {
        self.saved = saved;
    }
    /// Imposes a sign on decisions, or (`None`) lifts it.
    pub(crate) fn force(&mut self, var: Var, value: Option<bool>) {
        self.forced[var] = value.map_or(0, |v| if v { 1 } else { -1 });
    }
    /// Saves the value of a literal that is being unassigned.
    #[inline]
    pub(crate) fn save(&mut self, lit: Lit) {
        self.saved[lit.var()] = if lit.is_neg() { -1 } else { 1 };
    }
    /// Counts the literals of a learned clause.
    pub(crate) fn count(&mut self, clause: &[Lit]) {
        for &lit in clause {
            let balance = &mut self.balance[lit.var()];
            *balance = balance.saturating_add(if lit.is_neg() { -1 } else { 1 });
        }
    }
    /// Forgets the longest trail.
    pub(crate) fn forget_targets(&mut self) {
        self.target.forget();
    }
    /// Records that a model was found after this many conflicts.
    pub(crate) fn model_found(&mut self, conflicts: u64) {
        self.last_model = Some(conflicts);
    }
    /// Whether saved phases are used, which find models, rather than learned polarity, which helps to prove that there
    /// are none: before the first model, for some time after each, and in the first eighth of each doubling of
    /// conflicts.
    #[inline]
    pub(crate) fn is_finding(&self, conflicts: u64) -> bool {
        let Some(last) = self.last_model else { return true };
        let doubled = 1 << conflicts.max(1).ilog2();
        conflicts < last + AFTER_MODEL || conflicts - doubled < doubled / 8
    }
    /// The literal to decide for a variable by its occurrences in learned clauses, or else by its initial phase.
    #[inline]
    pub(crate) fn choose_by_count(&self, var: Var) -> Lit {
        let phases = [i32::from(self.forced[var]), self.balance[var], i32::from(self.initial[var])];
        Lit::new(var, phases.into_iter().find(|&p| p != 0).is_some_and(|p| p < 0))
    }
    /// The literal to decide for a variable by its initial phase alone.
    pub(crate) fn choose_initial(&self, var: Var) -> Lit {
        let forced = self.forced[var];
        Lit::new(var, if forced != 0 { forced < 0 } else { self.initial[var] < 0 })
    }
    /// Sets the initial phase of a literal by a sign.
    pub(crate) fn impose_on(&mut self, lit: Lit, sign: Sign) {
        let value = match sign {
            Sign::Auto | Sign::Negative => false,
            Sign::Positive => true,
            Sign::Random => self.rng.chance(0.5),
        };
        self.set_initial(lit.var(), value != lit.is_neg());
    }
    /// Forgets the values of variables.
    pub(crate) fn forget(&mut self) {
        self.saved.as_mut_slice().copy_from_slice(self.initial.as_slice());
        self.target.forget();
        self.best.forget();
        self.balance.as_mut_slice().fill(0);
    }
    /// The literal to decide for a variable.
    #[inline]
    pub(crate) fn choose(&self, var: Var, use_target: bool) -> Lit {
        let mut phase = self.forced[var];
        if phase == 0 && use_target {
            phase = self.target.phases[var];
        }
        if phase == 0 {
            phase = self.saved[var];
        }
        Lit::new(var, phase < 0)
    }
    /// Takes over a trail without conflict as target and best phases, if it is longer.
    pub(crate) fn offer(&mut self, trail: &[Lit]) {
        self.target.offer(trail);
        self.best.offer(trail);
    }
    /// Whether saved phases are due to be replaced.
    #[inline]
    pub(crate) fn should_rephase(&self, conflicts: u64) -> bool {
        conflicts >= self.rephasing.limit
    }
    /// Replaces the saved phases and forgets the targets: original, best, flipped neighbours of best, original, ...
    pub(crate) fn rephase(&mut self, conflicts: u64) {
        let Rephasing { done, limit, interval } = &mut self.rephasing;
        *done += 1;
        *limit = conflicts + *interval * (*done + 1);
        match *done % 6 {
            1 => self.saved.as_mut_slice().copy_from_slice(self.initial.as_slice()),
            // Random values: boards of 200 and 300 queens take 4,200 and 15,000 conflicts with them this early, and have no end without.
            2 | 5 => {
                for phase in self.saved.as_mut_slice() {
                    if self.rng.chance(0.1) {
                        *phase = -*phase;
                    }
                }
            }
            _ => {
                for (saved, &best) in self.saved.as_mut_slice().iter_mut().zip(self.best.phases.as_slice()) {
                    if best != 0 {
                        *saved = best;
                    }
                }
            }
        }
        self.target.forget();
        self.best.length = 0;
    }
}
