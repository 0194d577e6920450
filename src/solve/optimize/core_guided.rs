//! Core-guided optimisation, with stratification, disjoint cores and core minimisation.
//!
//! Literals of the objective are assumed false, heaviest first. Each unsatisfiable core raises the lower bound by its
//! least weight; its literals lose that weight, and counters over them say how many more than one are to be paid for:
//! one with outputs on demand (OLL) or with all of them, or a chain of small ones, in the extreme of pairs (PMRES).
//! Invariant: the objective equals the lower bound plus the weights of the current literals that hold, for every model
//! within the bounds of the call.
//!
//! Source: Andres, Kaufmann, Matheis and Schaub, *Unsatisfiability-based optimization in clasp*, ICLP 2012; Morgado,
//! Dodaro and Marques-Silva, *Core-guided MaxSAT with soft cardinality constraints*, CP 2014; Narodytska and Bacchus,
//! *Maximum satisfiability using core-guided MaxSAT resolution*, AAAI 2014; Alviano, Dodaro and Ricca, *A MaxSAT algorithm
//! using cardinality constraints of bounded size*, IJCAI 2015.

use crate::base::map::Map;
use crate::solve::Relaxation;
use crate::solve::engine::Outcome;
use crate::solve::engine::store::literal::Lit;
use crate::solve::optimize::{Best, Ended};
use crate::solve::session::run::{Run, Slice};

/// A literal that costs something when it holds.
#[derive(Clone, Copy, Debug)]
struct Soft {
    lit: Lit,
    weight: i128,
    /// The counter that it is an output of, and the number that it stands for.
    counter: Option<(usize, usize)>,
}

/// The state of one level.
struct Level {
    soft: Vec<Soft>,
    index: Map<Lit, usize>,
    /// Members of each counter.
    counters: Vec<Vec<Lit>>,
    lower: i128,
}

impl Level {
    fn new(terms: &[(Lit, i64)], constant: i128, truth: Lit) -> Self {
        let mut level =
            Self { soft: Vec::new(), index: Map::default(), counters: Vec::new(), lower: constant };
        for &(lit, weight) in terms {
            level.add(lit, i128::from(weight), None, truth);
        }
        level
    }

    /// Adds a cost. Negative ones are turned around; a literal and its complement cost the smaller weight in any case.
    fn add(&mut self, lit: Lit, weight: i128, counter: Option<(usize, usize)>, truth: Lit) {
        let (lit, weight) = if weight < 0 {
            self.lower += weight;
            (!lit, -weight)
        } else {
            (lit, weight)
        };
        if lit == truth {
            self.lower += weight;
        }
        if weight == 0 || lit.var() == truth.var() {
            return;
        }
        let mut weight = weight;
        if let Some(&i) = self.index.get(&!lit) {
            let common = weight.min(self.soft[i].weight);
            self.soft[i].weight -= common;
            weight -= common;
            self.lower += common;
        }
        match self.index.get(&lit) {
            Some(&i) => self.soft[i].weight += weight,
            None => {
                self.index.insert(lit, self.soft.len());
                self.soft.push(Soft { lit, weight, counter });
            }
        }
    }

    /// The greatest weight below a bound, skipping weights of which there are few kinds per literal.
    fn next_threshold(&self, below: i128) -> i128 {
        let mut weights: Vec<i128> =
            self.soft.iter().map(|s| s.weight).filter(|&w| w > 0 && w < below).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let mut kinds = 0usize;
        for (i, &w) in weights.iter().enumerate() {
            if i == 0 || weights[i - 1] != w {
                kinds += 1;
            }
            let last = i + 1 == weights.len() || weights[i + 1] != w;
            if last && (4 * (i + 1) > 5 * kinds || i + 1 == weights.len()) {
                return w;
            }
        }
        0
    }

    /// The literals that do not hold in a model of at most this cost: they weigh more than the lower bound leaves open.
    fn too_costly(&self, cost: i128) -> impl Iterator<Item = Lit> {
        let gap = (cost - self.lower).max(0);
        self.soft.iter().filter(move |s| s.weight > gap).map(|s| s.lit)
    }

    /// Assumptions of the literals that weigh at least so much, heaviest first.
    fn assumptions(&self, threshold: i128) -> Vec<Lit> {
        let mut chosen: Vec<&Soft> =
            self.soft.iter().filter(|s| s.weight > 0 && s.weight >= threshold).collect();
        chosen.sort_by_key(|s| std::cmp::Reverse(s.weight));
        chosen.iter().map(|s| !s.lit).collect()
    }
}

/// A core-guided optimisation of a level at work.
pub(crate) struct Cores {
    /// Assumptions of the call before the guard.
    base: usize,
    /// The literal that hardening holds under.
    guard: Lit,
    state: Level,
    /// Literals of at least this weight are assumed.
    threshold: i128,
    /// Whether cores were found since the last model.
    disjoint: bool,
    /// Assumptions of the current round.
    active: Vec<Lit>,
    /// Cores that are not counted yet.
    pending: Vec<(Vec<Lit>, i128)>,
}

impl Cores {
    /// The proven lower bound.
    pub(crate) fn lower(&self) -> i128 {
        self.state.lower
    }
}

impl Run<'_> {
    /// Begins to optimise a level by cores.
    pub(crate) fn start_cores(&mut self, level: usize) -> Cores {
        let base = self.assumptions.len();
        let guard = self.guard();
        let constant = self.program.objectives[self.levels[level]].constant;
        let state = Level::new(&self.terms(level), i128::from(constant), self.t.atoms.truth);
        let stratify = self.options.solver.optimize.cores.stratify;
        let threshold = if stratify { state.next_threshold(i128::MAX) } else { 1 };
        let active = state.assumptions(threshold);
        Cores { base, guard, state, threshold, disjoint: false, active, pending: Vec::new() }
    }

    /// Optimises a level by cores, or goes on with it, within a slice of work.
    pub(crate) fn core_guided_level(
        &mut self,
        level: usize,
        best: &mut Best,
        cores: &mut Cores,
        slice: Option<Slice>,
    ) -> Ended {
        let tactics = self.options.solver.optimize.cores;
        loop {
            let steps = self.t.engine.steps();
            let active = std::mem::take(&mut cores.active);
            let outcome = self.search_within(&active, slice);
            cores.active = active;
            match outcome {
                Outcome::Sat => {
                    if !self.improve(best) {
                        return Ended::Stopped;
                    }
                    let upper = best.costs.as_ref().map_or(i128::MAX, |c| i128::from(c[level]));
                    if upper <= cores.state.lower {
                        self.retire(cores.base);
                        return Ended::Optimal;
                    }
                    for (core, weight) in std::mem::take(&mut cores.pending) {
                        self.count(&mut cores.state, core, weight);
                    }
                    if !cores.disjoint && tactics.stratify {
                        cores.threshold = cores.state.next_threshold(cores.threshold);
                    }
                    cores.disjoint = false;
                    self.harden(&cores.state, cores.guard, upper);
                    cores.active = cores.state.assumptions(cores.threshold.max(1));
                }
                Outcome::Unsat => {
                    let mut core = self.failed_among(&cores.active);
                    if core.is_empty() {
                        let ended = if best.costs.is_none() { Ended::Infeasible } else { Ended::Optimal };
                        self.retire(cores.base);
                        return ended;
                    }
                    if let Some(how) = tactics.shrink {
                        self.shrink(&mut core, how, self.t.engine.steps() - steps);
                    }
                    if self.result.stopped.is_some() {
                        return Ended::Stopped;
                    }
                    cores.active.retain(|l| !core.contains(l));
                    let state = &mut cores.state;
                    let core: Vec<Lit> = core.iter().map(|&l| !l).collect();
                    let weight = core.iter().map(|l| state.soft[state.index[l]].weight).min().unwrap_or(0);
                    state.lower += weight;
                    for l in &core {
                        state.soft[state.index[l]].weight -= weight;
                    }
                    if tactics.disjoint {
                        cores.disjoint = true;
                        cores.pending.push((core, weight));
                    } else {
                        self.count(&mut cores.state, core, weight);
                        cores.active = cores.state.assumptions(cores.threshold.max(1));
                    }
                    let lower = cores.state.lower;
                    self.note_lower_bound(level, best, lower);
                    if !self.report_lower_bounds() {
                        return Ended::Stopped;
                    }
                    let upper = best.costs.as_ref().map(|c| i128::from(c[level]));
                    if upper.is_some_and(|u| u <= lower) {
                        self.retire(cores.base);
                        return Ended::Optimal;
                    }
                }
                Outcome::Unknown(_) if self.result.stopped.is_none() => return Ended::Paused,
                Outcome::Unknown(_) => return Ended::Stopped,
            }
        }
    }

    /// Of the assumptions, those that failed.
    pub(crate) fn failed_among(&self, active: &[Lit]) -> Vec<Lit> {
        let mut failed = self.t.engine.failed_assumptions().to_vec();
        failed.sort_unstable();
        active.iter().copied().filter(|l| failed.binary_search(l).is_ok()).collect()
    }

    /// Pays for a core: at least one of its literals holds; a second, third, ... one costs the core's weight again.
    fn count(&mut self, state: &mut Level, core: Vec<Lit>, weight: i128) {
        if core.len() < 2 {
            return self.give_way(state, &core, weight);
        }
        match self.options.solver.optimize.cores.relaxation {
            Relaxation::Oll => {
                self.give_way(state, &core, weight);
                state.counters.push(core);
                self.extend_counter(state, state.counters.len() - 1, 2, weight);
            }
            Relaxation::One => self.chain(state, core.clone(), core.len(), weight),
            Relaxation::Pmres => self.chain(state, core, 2, weight),
            Relaxation::Bounded(Some(size)) => self.chain(state, core, size.max(2) as usize, weight),
            // Twice the number of binary digits of its size.
            Relaxation::Bounded(None) => {
                let size = 2 * (usize::BITS - core.len().leading_zeros()) as usize;
                self.chain(state, core, size, weight);
            }
        }
    }

    /// Outputs of counters in a core give way to the next output.
    fn give_way(&mut self, state: &mut Level, core: &[Lit], weight: i128) {
        for &l in core {
            if let Some((counter, n)) = state.soft[state.index[&l]].counter {
                self.extend_counter(state, counter, n + 1, weight);
            }
        }
    }

    /// Pays for all but one of the literals that hold, by counters over so many literals: each takes over from the one
    /// before whether any of its literals holds.
    fn chain(&mut self, state: &mut Level, core: Vec<Lit>, size: usize, weight: i128) {
        let truth = self.t.atoms.truth;
        let mut carry: Option<Lit> = None;
        let mut rest = core.as_slice();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(size - usize::from(carry.is_some())));
            rest = later;
            let members: Vec<Lit> = carry.into_iter().chain(now.iter().copied()).collect();
            for n in 2..=members.len() {
                let output = self.at_least(&members, n);
                state.add(output, weight, None, truth);
            }
            if !rest.is_empty() {
                carry = Some(self.at_least(&members, 1));
            }
        }
    }

    /// A new literal that holds if and only if at least `n` of the members do.
    fn at_least(&mut self, members: &[Lit], n: usize) -> Lit {
        self.t.engine.reset_enumeration();
        let output = Lit::pos(self.t.engine.new_var());
        let terms: Vec<(Lit, i64)> = members.iter().map(|&l| (l, 1)).collect();
        self.t.engine.add_weight(Some(output), &terms, n as i64);
        output
    }

    /// The output of a counter that holds if at least `n` of its members do costs `weight`.
    fn extend_counter(&mut self, state: &mut Level, counter: usize, n: usize, weight: i128) {
        if n > state.counters[counter].len() {
            return;
        }
        let known = state.soft.iter().position(|s| s.counter == Some((counter, n)));
        match known {
            Some(i) => state.soft[i].weight += weight,
            None => {
                let output = self.at_least(&state.counters[counter], n);
                let truth = self.t.atoms.truth;
                state.add(output, weight, Some((counter, n)), truth);
            }
        }
    }

    /// Notes what no model of a finished level's cost makes true. It says far more to the levels that follow than a bound on
    /// the sum.
    pub(crate) fn settle(&mut self, cores: &mut Cores, cost: i64) {
        for (core, weight) in std::mem::take(&mut cores.pending) {
            self.count(&mut cores.state, core, weight);
        }
        self.settled.extend(cores.state.too_costly(i128::from(cost)).map(|l| !l));
    }

    /// A literal that costs more than what is open cannot hold in a better model.
    fn harden(&mut self, state: &Level, guard: Lit, upper: i128) {
        let mut too_costly = state.too_costly(upper).peekable();
        if too_costly.peek().is_none() {
            return;
        }
        self.t.engine.reset_enumeration();
        for lit in too_costly {
            if self.t.engine.fixed(lit).is_none() {
                self.t.engine.add_clause(&[!guard, !lit]);
            }
        }
    }
}
