//! Large-neighbourhood search: some of the program's choices are freed, the others stay as in the best model.
//!
//! The freed atoms lie close together: they share rules, from a tuple with a cost in the best model outwards. Given a solution
//! of the linear relaxation, other neighbourhoods are the choices in which the best model differs most from it, and those on
//! which it is most undecided, with the others fixed to its values. Neighbourhoods grow while they are exhausted without a
//! model, and shrink while they are not. Invariant: choices are kept by assumptions, so that learned clauses hold for all
//! models; a neighbourhood without a better model says nothing about the others. Source: Shaw, *Using constraint programming and
//! local search methods to solve vehicle routing problems*, CP 1998; Eiter, Geibinger, Higuera Ruiz, Musliu, Oetsch and
//! Stepanova, *Large-neighbourhood search for optimisation in answer-set solving*, AAAI 2022; Danna, Rothberg and Le Pape,
//! *Exploring relaxation induced neighborhoods to improve MIP solutions*, Mathematical Programming 2005.

use crate::call::SolveCall;
use crate::call::search::Slice;
use crate::optimize::best::Best;
use crate::optimize::shrink::failed_among;
use asp_base::csr::Csr;
use asp_base::interrupt::StopReason;
use asp_base::map::Map;
use asp_base::rng::Rng;
use asp_engine::Outcome;
use asp_engine::store::literal::{Lit, Var};
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

/// How much of chance there is in the order of choices by the relaxation.
const CHANCE: f32 = 0.2;

/// How a part is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// By rules from an atom outwards.
    Program,
    /// Where the best model differs from the relaxation.
    Difference,
    /// Where the relaxation says least; the others are as it says.
    Relaxation,
}

const WAYS: [Way; 3] = [Way::Program, Way::Difference, Way::Relaxation];

/// Parts of a program's choices.
pub(crate) struct Neighbours {
    level: usize,
    rng: Rng,
    /// By atom: whether it is chosen.
    is_choice: Vec<bool>,
    choices: Vec<AtomId>,
    /// By atom: the rules that it is in.
    rules: Csr<u32>,
    /// By choice: its value in the solution of the relaxation; empty without one.
    solution: Vec<f32>,
    /// By way: the share of the choices that is freed.
    shares: [f64; WAYS.len()],
    /// The fixed literals and the end of the search, of a neighbourhood whose search was stopped.
    at_hand: Option<(Vec<Lit>, Slice)>,
    /// Parts in this turn so far.
    attempts: usize,
}

impl Neighbours {
    /// The parts of a call's program, whose relaxation has a solution or none.
    pub(crate) fn new(call: &SolveCall<'_>, level: usize, solution: &[(Var, f32)]) -> Self {
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
        let known: Map<Var, f32> = solution.iter().copied().collect();
        let value = |&atom: &AtomId| {
            let lit = call.t.lit(Literal::pos(atom));
            known.get(&lit.var()).map_or(0.5, |&x| if lit.is_neg() { 1.0 - x } else { x })
        };
        let solution = if known.is_empty() { Vec::new() } else { choices.iter().map(value).collect() };
        let shares = [FIRST_SHARE; WAYS.len()];
        Self { level, rng, is_choice, choices, rules, solution, shares, at_hand: None, attempts: 0 }
    }

    /// How the part at hand is chosen.
    fn way(&self) -> usize {
        if self.solution.is_empty() { 0 } else { self.attempts % WAYS.len() }
    }

    /// Whether there are parts.
    pub(crate) fn is_empty(&self) -> bool {
        self.choices.len() <= LEAST
    }

    /// Searches one neighbourhood after the other for a model within a slice of work. After a stop from outside, it resumes the
    /// current one.
    pub(crate) fn search(&mut self, call: &mut SolveCall<'_>, best: &Best, slice: Slice) -> Outcome {
        while self.attempts < MAX_ATTEMPTS {
            let way = self.way();
            let (fixed, end) = self
                .at_hand
                .take()
                .unwrap_or_else(|| (self.fixed(call, best), call.slice(ATTEMPT.0, ATTEMPT.1).within(slice)));
            match call.search_within(&fixed, Some(end)) {
                Outcome::Unsat if !failed_among(call, &fixed).is_empty() => {
                    self.shares[way] = (self.shares[way] * GROWTH).min(MAX_SHARE);
                }
                Outcome::Unknown(reason) if call.result.stopped.is_some() => {
                    self.at_hand = Some((fixed, end));
                    return Outcome::Unknown(reason);
                }
                Outcome::Unknown(_) if !call.is_over(slice) => self.shares[way] /= GROWTH,
                Outcome::Unknown(_) => break,
                outcome => return outcome,
            }
            self.attempts += 1;
        }
        self.attempts = 0;
        Outcome::Unknown(StopReason::StepLimit)
    }

    /// The choices fixed outside of the next neighbourhood: as in the best model, or as in the relaxation.
    pub(crate) fn fixed(&mut self, call: &SolveCall<'_>, best: &Best) -> Vec<Lit> {
        let way = self.way();
        let wanted =
            ((self.choices.len() as f64 * self.shares[way]) as usize).clamp(LEAST, self.choices.len());
        let kept: Vec<(AtomId, bool)> = match WAYS[way] {
            Way::Program => {
                let is_free = self.part(call, best, wanted);
                let outside = self.choices.iter().filter(|a| !is_free[a.0 as usize]);
                outside.map(|&atom| (atom, best.holds(atom))).collect()
            }
            Way::Difference => {
                let differs = |atom, x: f32| (x - f32::from(u8::from(best.holds(atom)))).abs();
                self.least(wanted, &differs).into_iter().map(|(atom, _)| (atom, best.holds(atom))).collect()
            }
            Way::Relaxation => {
                let open = |_, x: f32| x.min(1.0 - x);
                self.least(wanted, &open).into_iter().map(|(atom, x)| (atom, x > 0.5)).collect()
            }
        };
        let literals = kept.into_iter().map(|(atom, holds)| (call.t.lit(Literal::pos(atom)), holds));
        let fixed = literals.filter(|&(lit, _)| call.t.engine.fixed(lit).is_none());
        let mut fixed: Vec<Lit> = fixed.map(|(lit, holds)| if holds { lit } else { !lit }).collect();
        // True literals say more than false ones.
        fixed.sort_by_key(|lit| lit.is_neg());
        fixed
    }

    /// All choices except the `without` ones with the least measure of atom and relaxation value.
    fn least(&mut self, without: usize, measure: &dyn Fn(AtomId, f32) -> f32) -> Vec<(AtomId, f32)> {
        let mut order: Vec<(f32, AtomId, f32)> = Vec::with_capacity(self.choices.len());
        for (&atom, &x) in self.choices.iter().zip(&self.solution) {
            order.push((measure(atom, x) + CHANCE * self.rng.unit() as f32, atom, x));
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.truncate(self.choices.len() - without);
        order.into_iter().map(|(_, atom, x)| (atom, x)).collect()
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

fn atoms_of(program: &Program, rule: usize) -> impl Iterator<Item = AtomId> + Clone + '_ {
    let rule = program.rules.get(RuleId(rule as u32));
    rule.head.atoms().iter().copied().chain(rule.body.literals().iter().map(|l| l.atom()))
}

/// Atoms with the rules that they are in.
fn pairs(program: &Program) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
    (0..program.rules.len()).flat_map(move |r| atoms_of(program, r).map(move |a| (a.0, r as u32)))
}
