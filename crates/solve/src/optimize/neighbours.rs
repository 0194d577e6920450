//! Better models near the best one: some of the program's choices are freed, the others stay as they are.
//!
//! What is freed lies close together: atoms that share rules, from a tuple that costs something in the best model outwards.
//! Parts grow as long as they are searched through without a model, and shrink as long as they are not.
//! Invariant: choices are kept by assumptions, so that what is learned holds for all models; a part without a better model
//! says nothing of the others.
//! Source: Shaw, *Using constraint programming and local search methods to solve vehicle routing problems*, CP 1998; Eiter,
//! Geibinger, Higuera Ruiz, Musliu, Oetsch and Stepanova, *Large-neighbourhood search for optimisation in answer-set
//! solving*, AAAI 2022.

use crate::call::SolveCall;
use crate::call::search::Slice;
use crate::optimize::best::Best;
use crate::optimize::shrink::failed_among;
use asp_base::csr::Csr;
use asp_base::interrupt::StopReason;
use asp_base::rng::Rng;
use asp_engine::Outcome;
use asp_engine::store::literal::Lit;
use asp_program::{AtomId, Head, Literal, Program, RuleId};

/// Conflicts and steps of the search through a part.
const ATTEMPT: (u64, u64) = if cfg!(test) { (2, 300) } else { (300, 3_000_000) };
/// The share of the choices that is freed at first, ...
const FIRST_SHARE: f64 = 0.1;
/// ... at most, ...
const MAX_SHARE: f64 = 0.8;
/// ... and what it changes by.
const GROWTH: f64 = 1.15;
/// Fewer choices are not freed.
const LEAST: usize = if cfg!(test) { 1 } else { 4 };
/// Parts that are searched through in a turn at most.
const MAX_ATTEMPTS: usize = 1000;
/// How often a part begins at a tuple that costs something.
const AT_COST: f64 = 0.75;
/// Atoms of one rule that a part goes on to.
const MAX_STEPS_OF_RULE: usize = 24;
/// Rules of one atom that a part goes on to.
const MAX_RULES: usize = 24;

/// Parts of a program's choices.
pub(crate) struct Neighbours {
    level: usize,
    rng: Rng,
    /// By atom: whether it is chosen.
    is_choice: Vec<bool>,
    choices: Vec<AtomId>,
    /// By atom: the rules that it is in.
    rules: Csr<u32>,
    share: f64,
    /// The literals that stay and the end of the search, of a part whose search was stopped.
    at_hand: Option<(Vec<Lit>, Slice)>,
    /// Parts in this turn so far.
    attempts: usize,
}

impl Neighbours {
    /// The parts of a call's program.
    pub(crate) fn new(call: &SolveCall<'_>, level: usize) -> Self {
        let program = call.program;
        let mut is_choice = vec![false; call.t.atoms.as_slice().len()];
        let mut choices = Vec::new();
        for rule in program.rules.iter() {
            let is_open = matches!(rule.head, Head::Choice(_)) || rule.head.atoms().len() > 1;
            for &atom in rule.head.atoms().iter().filter(|_| is_open) {
                let lit = call.t.lit(Literal::pos(atom));
                let is_open = call.t.engine.fixed(lit).is_none() && !call.t.engine.is_eliminated(lit.var());
                if is_open && !std::mem::replace(&mut is_choice[atom.0 as usize], true) {
                    choices.push(atom);
                }
            }
        }
        let rules = Csr::group(is_choice.len(), pairs(program));
        let rng = Rng::new(call.options.solver.seed);
        Self { level, rng, is_choice, choices, rules, share: FIRST_SHARE, at_hand: None, attempts: 0 }
    }

    /// Whether there are parts.
    pub(crate) fn is_empty(&self) -> bool {
        self.choices.len() <= LEAST
    }

    /// Searches one part after the other for a model within a slice of work. After a stop from outside, it goes on with the
    /// part at hand.
    pub(crate) fn search(&mut self, call: &mut SolveCall<'_>, best: &Best, slice: Slice) -> Outcome {
        while self.attempts < MAX_ATTEMPTS {
            let (fixed, end) = self
                .at_hand
                .take()
                .unwrap_or_else(|| (self.fixed(call, best), call.slice(ATTEMPT.0, ATTEMPT.1).within(slice)));
            match call.search_within(&fixed, Some(end)) {
                Outcome::Unsat if !failed_among(call, &fixed).is_empty() => {
                    self.share = (self.share * GROWTH).min(MAX_SHARE);
                }
                Outcome::Unknown(reason) if call.result.stopped.is_some() => {
                    self.at_hand = Some((fixed, end));
                    return Outcome::Unknown(reason);
                }
                Outcome::Unknown(_) if !call.is_over(slice) => self.share /= GROWTH,
                Outcome::Unknown(_) => break,
                outcome => return outcome,
            }
            self.attempts += 1;
        }
        self.attempts = 0;
        Outcome::Unknown(StopReason::StepLimit)
    }

    /// The choices of the best model outside of the next part.
    pub(crate) fn fixed(&mut self, call: &SolveCall<'_>, best: &Best) -> Vec<Lit> {
        let wanted = ((self.choices.len() as f64 * self.share) as usize).clamp(LEAST, self.choices.len());
        let is_free = self.part(call, best, wanted);
        let outside = self.choices.iter().filter(|a| !is_free[a.0 as usize]);
        let literals = outside.map(|&atom| (call.t.lit(Literal::pos(atom)), best.holds(atom)));
        let fixed = literals.filter(|&(lit, _)| call.t.engine.fixed(lit).is_none());
        let mut fixed: Vec<Lit> = fixed.map(|(lit, holds)| if holds { lit } else { !lit }).collect();
        // What holds says more than what does not.
        fixed.sort_by_key(|lit| lit.is_neg());
        fixed
    }

    /// By atom: whether it is in a part of at least so many choices.
    fn part(&mut self, call: &SolveCall<'_>, best: &Best, wanted: usize) -> Vec<bool> {
        let mut is_free = vec![false; self.is_choice.len()];
        let mut is_seen = vec![false; call.program.rules.len()];
        let mut queue: Vec<AtomId> = Vec::new();
        let (mut at, mut count) = (0, 0);
        let costly = self.costly(call, best);
        while count < wanted {
            let Some(&atom) = queue.get(at) else {
                let atom = self.seed(&costly);
                // If it is there already, another one is tried; in time all choices are.
                queue.push(atom);
                if !std::mem::replace(&mut is_free[atom.0 as usize], true) {
                    count += usize::from(self.is_choice[atom.0 as usize]);
                }
                continue;
            };
            at += 1;
            let rules = self.rules.row(atom.0 as usize);
            for rule in sample(&mut self.rng, rules, MAX_RULES) {
                if std::mem::replace(&mut is_seen[rule as usize], true) {
                    continue;
                }
                let atoms: Vec<AtomId> = atoms_of(call.program, rule as usize).collect();
                for atom in sample(&mut self.rng, &atoms, MAX_STEPS_OF_RULE) {
                    if count < wanted && !std::mem::replace(&mut is_free[atom.0 as usize], true) {
                        count += usize::from(self.is_choice[atom.0 as usize]);
                        queue.push(atom);
                    }
                }
            }
        }
        is_free
    }

    /// Atoms of tuples that cost more in the best model than they could.
    fn costly(&self, call: &SolveCall<'_>, best: &Best) -> Vec<AtomId> {
        let Some(&level) = call.levels.get(self.level) else { return Vec::new() };
        let terms = call.program.objectives[level].literals.iter();
        let costs = terms.filter(|(l, weight)| (best.holds(l.atom()) != l.is_neg()) == (*weight > 0));
        costs.map(|(l, _)| l.atom()).collect()
    }

    /// Where a part begins.
    fn seed(&mut self, costly: &[AtomId]) -> AtomId {
        let from = if !costly.is_empty() && self.rng.chance(AT_COST) { costly } else { &self.choices };
        from[self.rng.below(from.len() as u64) as usize]
    }
}

/// At most so many of the items, in random order.
fn sample<T: Copy>(rng: &mut Rng, items: &[T], most: usize) -> Vec<T> {
    if items.len() > 4 * most {
        return (0..most).map(|_| items[rng.below(items.len() as u64) as usize]).collect();
    }
    let mut items = items.to_vec();
    for i in (1..items.len()).rev() {
        items.swap(i, rng.below(i as u64 + 1) as usize);
    }
    items.truncate(most);
    items
}

/// The atoms of a rule.
fn atoms_of(program: &Program, rule: usize) -> impl Iterator<Item = AtomId> + Clone + '_ {
    let rule = program.rules.get(RuleId(rule as u32));
    rule.head.atoms().iter().copied().chain(rule.body.literals().iter().map(|l| l.atom()))
}

/// Atoms with the rules that they are in.
fn pairs(program: &Program) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
    (0..program.rules.len()).flat_map(move |r| atoms_of(program, r).map(move |a| (a.0, r as u32)))
}
