//! Core-guided optimisation, with stratification, weight-aware extraction, exhaustion and minimisation of cores.
//!
//! Literals of the objective are assumed false, heaviest first. Each unsatisfiable core raises the lower bound by its
//! least weight; its literals lose that weight, and counters over them express the cost of each further literal that
//! holds: one counter with outputs on demand (OLL) or with all outputs, or a chain of small ones, in the extreme case
//! of pairs (PMRES). Invariant: the objective equals the lower bound plus the weights of the current literals that
//! hold, for every model within the bounds of the call.
//!
//! Source: Andres, Kaufmann, Matheis and Schaub, *Unsatisfiability-based optimization in clasp*, ICLP 2012; Morgado,
//! Dodaro and Marques-Silva, *Core-guided MaxSAT with soft cardinality constraints*, CP 2014; Narodytska and Bacchus,
//! *Maximum satisfiability using core-guided MaxSAT resolution*, AAAI 2014; Alviano, Dodaro and Ricca, *A MaxSAT algorithm
//! using cardinality constraints of bounded size*, IJCAI 2015; Berg and Järvisalo, *Weight-aware core extraction in SAT-based
//! MaxSAT solving*, CP 2017; Ignatiev, Morgado and Marques-Silva, *RC2: an efficient MaxSAT solver*, JSAT 2019, for exhaustion.

use crate::call::SolveCall;
use crate::call::drive::Milestone;
use crate::call::search::Slice;
use crate::optimize::best::Best;
use crate::optimize::progress::Progress;
use crate::optimize::shrink::{failed_among, shrink};
use crate::optimize::soft::SoftLits;
use asp_base::interrupt::Interrupt;
use asp_engine::parameters::Relaxation;
use asp_engine::store::literal::Lit;
use asp_engine::{Limits, Outcome};

/// Conflicts and steps by which a further literal of a core is shown to hold.
const EXHAUST: (u64, u64) = (100, 200_000);
/// Steps after which no further core of a round is looked at.
const EXHAUST_ROUND: u64 = 10_000_000;

/// The next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Searches under the assumptions of the round.
    Search,
    /// Begins a round after a model.
    AfterModel,
    /// Checks whether a core has closed the gap.
    AfterCore,
}

/// A core that is paid for.
struct Core {
    literals: Vec<Lit>,
    weight: i128,
    /// Its number in a proof.
    number: usize,
}

/// A core-guided optimisation of a level.
pub(crate) struct Cores {
    level: usize,
    /// Number of assumptions of the call before the guard.
    base: usize,
    /// The guard of hardened literals.
    guard: Lit,
    soft: SoftLits,
    /// Members of each counter, and the number of the core in a proof.
    counters: Vec<(Vec<Lit>, usize)>,
    /// Literals of at least this weight are assumed.
    threshold: i128,
    /// Whether cores were found since the last model.
    disjoint: bool,
    /// Assumptions of the current round.
    active: Vec<Lit>,
    /// Cores without counters so far.
    pending: Vec<Core>,
    stage: Stage,
}

impl Cores {
    /// Begins the optimisation of a level.
    pub(crate) fn new(call: &mut SolveCall<'_>, level: usize) -> Self {
        let base = call.assumptions.len();
        let guard = call.guard();
        if let Some(proof) = &mut call.t.engine.proof {
            proof.begin_cores();
        }
        let soft = SoftLits::new(&call.terms(level), call.constant(level), call.t.atoms.truth);
        let threshold =
            if call.options.solver.optimize.cores.stratify { soft.next_threshold(i128::MAX) } else { 1 };
        let active = soft.assumptions(threshold);
        let (counters, pending) = (Vec::new(), Vec::new());
        let stage = Stage::Search;
        Self { level, base, guard, soft, counters, threshold, disjoint: false, active, pending, stage }
    }

    /// The proven lower bound.
    pub(crate) fn lower(&self) -> i128 {
        self.soft.lower
    }

    /// Continues within a slice of work.
    pub(crate) fn next(
        &mut self,
        call: &mut SolveCall<'_>,
        best: &mut Best,
        slice: Option<Slice>,
    ) -> Progress {
        loop {
            let is_closed = best.of(self.level).is_some_and(|upper| upper <= self.soft.lower);
            match std::mem::replace(&mut self.stage, Stage::Search) {
                Stage::AfterModel | Stage::AfterCore if is_closed => {
                    call.retire(self.base);
                    return Progress::Optimal;
                }
                Stage::AfterModel => {
                    let known = self.soft.lower;
                    self.begin_round(call, best);
                    if self.soft.lower > known {
                        self.stage = Stage::AfterCore;
                        if call.note_lower_bound(self.level, best, self.soft.lower) {
                            return Progress::Report(Milestone::LowerBound);
                        }
                        continue;
                    }
                }
                Stage::AfterCore | Stage::Search => {}
            }
            let steps = call.t.engine.steps();
            match call.search_within(&self.active, slice) {
                Outcome::Sat => {
                    self.stage = Stage::AfterModel;
                    if best.improve(call) {
                        return Progress::Report(Milestone::Model);
                    }
                }
                Outcome::Unsat => {
                    let mut core = failed_among(call, &self.active);
                    if core.is_empty() {
                        call.retire(self.base);
                        return if best.costs.is_none() { Progress::Infeasible } else { Progress::Optimal };
                    }
                    if let Some(how) = call.options.solver.optimize.cores.shrink {
                        let spent = call.t.engine.steps() - steps;
                        shrink(call, &mut core, how, spent);
                    }
                    if call.result.stopped.is_some() {
                        return Progress::Report(Milestone::Stopped);
                    }
                    self.add_core(call, &core);
                    self.stage = Stage::AfterCore;
                    if call.note_lower_bound(self.level, best, self.soft.lower) {
                        return Progress::Report(Milestone::LowerBound);
                    }
                }
                Outcome::Unknown(_) if call.result.stopped.is_none() => return Progress::Paused,
                Outcome::Unknown(_) => return Progress::Report(Milestone::Stopped),
            }
        }
    }

    /// After a model, adds counters for the cores so far, and assumes lighter literals, too.
    fn begin_round(&mut self, call: &mut SolveCall<'_>, best: &Best) {
        self.count_pending(call);
        if !self.disjoint && call.options.solver.optimize.cores.stratify {
            self.threshold = self.soft.next_threshold(self.threshold);
        }
        self.disjoint = false;
        self.harden(call, best.of(self.level).unwrap_or(i128::MAX));
        self.active = self.soft.assumptions(self.threshold.max(1));
    }

    /// Raises the lower bound by a core of the assumptions.
    fn add_core(&mut self, call: &mut SolveCall<'_>, failed: &[Lit]) {
        let core: Vec<Lit> = failed.iter().map(|&l| !l).collect();
        let weight = self.soft.pay(&core);
        // Literals that still weigh enough may be in further cores.
        let least = self.threshold.max(1);
        let soft = &mut self.soft;
        self.active.retain(|l| !failed.contains(l) || soft.get_mut(!*l).weight >= least);
        let number = log_core(call, &core, None, weight);
        let core = Core { literals: core, weight, number };
        if call.options.solver.optimize.cores.disjoint {
            self.disjoint = true;
            self.pending.push(core);
        } else {
            self.count(call, core);
            self.active = self.soft.assumptions(self.threshold.max(1));
        }
    }

    fn count_pending(&mut self, call: &mut SolveCall<'_>) {
        let first = self.counters.len();
        for core in std::mem::take(&mut self.pending) {
            self.count(call, core);
        }
        if call.options.solver.optimize.cores.exhaust {
            let end = call.t.engine.steps() + EXHAUST_ROUND;
            for counter in first..self.counters.len() {
                if call.t.engine.steps() < end {
                    self.exhaust(call, counter);
                }
            }
        }
    }

    /// Pays for further literals of a core as long as a little search shows that they must hold.
    fn exhaust(&mut self, call: &mut SolveCall<'_>, counter: usize) {
        for n in 2..=self.counters[counter].0.len() {
            let Some(output) = self.soft.output_mut((counter, n)).filter(|s| s.weight > 0) else { return };
            let core = [output.lit()];
            if !must_hold(call, core[0]) {
                return;
            }
            let weight = self.soft.pay(&core);
            log_core(call, &core, None, weight);
            self.give_way(call, &core, weight);
        }
    }

    /// Relaxes a core: at least one of its literals holds, and each further one costs the core's weight again.
    fn count(&mut self, call: &mut SolveCall<'_>, core: Core) {
        let (size, weight) = (core.literals.len(), core.weight);
        if size < 2 {
            return self.give_way(call, &core.literals, weight);
        }
        match call.options.solver.optimize.cores.relaxation {
            Relaxation::Oll => {
                self.give_way(call, &core.literals, weight);
                self.counters.push((core.literals, core.number));
                self.extend_counter(call, self.counters.len() - 1, 2, weight);
            }
            Relaxation::One => self.chain(call, &core, size),
            Relaxation::Pmres => self.chain(call, &core, 2),
            Relaxation::Bounded(Some(size)) => self.chain(call, &core, size.max(2) as usize),
            // Twice the number of binary digits of the core's size.
            Relaxation::Bounded(None) => {
                self.chain(call, &core, 2 * (usize::BITS - size.leading_zeros()) as usize);
            }
        }
    }

    /// Outputs of counters in a core are replaced by the next output.
    fn give_way(&mut self, call: &mut SolveCall<'_>, core: &[Lit], weight: i128) {
        for &l in core {
            if let Some((counter, n)) = self.soft.get_mut(l).counter {
                self.extend_counter(call, counter, n + 1, weight);
            }
        }
    }

    /// Charges all but one of the literals that hold, by counters over this many literals; each learns from the
    /// previous one whether any of its literals holds.
    fn chain(&mut self, call: &mut SolveCall<'_>, core: &Core, size: usize) {
        if let Some(proof) = &mut call.t.engine.proof {
            proof.replace_core(core.number);
        }
        let mut carry: Option<Lit> = None;
        let mut rest = core.literals.as_slice();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(size - usize::from(carry.is_some())));
            rest = later;
            let members: Vec<Lit> = carry.into_iter().chain(now.iter().copied()).collect();
            let outputs: Vec<Lit> = (2..=members.len()).map(|n| at_least(call, &members, n)).collect();
            outputs.iter().for_each(|&output| self.soft.add(output, core.weight, None));
            carry = (!rest.is_empty()).then(|| at_least(call, &members, 1));
            let number = log_core(call, &members, carry, core.weight);
            outputs.iter().for_each(|&output| log_output(call, number, output, core.weight));
        }
    }

    /// Adds an output to a counter: it holds if at least `n` of its members do, and costs `weight`.
    fn extend_counter(&mut self, call: &mut SolveCall<'_>, counter: usize, n: usize, weight: i128) {
        let (members, core) = &self.counters[counter];
        if n > members.len() {
            return;
        }
        match self.soft.output_mut((counter, n)) {
            Some(soft) => {
                soft.weight += weight;
                if let Some(proof) = &mut call.t.engine.proof {
                    proof.pay_output(*core, n, weight);
                }
            }
            None => {
                let output = at_least(call, members, n);
                self.soft.add(output, weight, Some((counter, n)));
                log_output(call, *core, output, weight);
            }
        }
    }

    /// Literals that hold in every model with a finished level's cost. For later levels they are far stronger than a bound on
    /// the sum.
    pub(crate) fn implied(&mut self, call: &mut SolveCall<'_>, cost: i128) -> Vec<Lit> {
        self.count_pending(call);
        if let Some(proof) = &mut call.t.engine.proof {
            proof.too_costly(self.soft.too_costly(cost));
        }
        self.soft.too_costly(cost).map(|l| !l).collect()
    }

    /// Literals that cost more than the gap cannot hold in a better model.
    pub(crate) fn harden(&self, call: &mut SolveCall<'_>, upper: i128) {
        let mut too_costly = self.soft.too_costly(upper).peekable();
        if too_costly.peek().is_none() {
            return;
        }
        let engine = &mut call.t.engine;
        engine.reset_enumeration();
        if let Some(proof) = &mut engine.proof {
            proof.too_costly(self.soft.too_costly(upper));
        }
        for lit in too_costly {
            if engine.fixed(lit).is_none() {
                engine.add_clause(&[!self.guard, !lit]);
            }
        }
    }
}

/// Whether a little search shows that a literal must hold. It is not interrupted, so that a stop from outside changes nothing.
fn must_hold(call: &mut SolveCall<'_>, lit: Lit) -> bool {
    let (conflicts, steps) = EXHAUST;
    call.t.engine.set_limits(Limits { conflicts: Some(conflicts), restarts: None, steps: Some(steps) });
    call.assumptions.push(!lit);
    let outcome = call.t.engine.solve(&call.assumptions, &Interrupt::new());
    call.assumptions.pop();
    call.t.engine.set_limits(call.options.limits());
    outcome == Outcome::Unsat && call.t.engine.failed_assumptions().contains(&!lit)
}

/// A new literal that holds if and only if at least `n` of the members do.
fn at_least(call: &mut SolveCall<'_>, members: &[Lit], n: usize) -> Lit {
    let engine = &mut call.t.engine;
    engine.reset_enumeration();
    let output = Lit::pos(engine.new_var());
    let terms: Vec<(Lit, i64)> = members.iter().map(|&l| (l, 1)).collect();
    if let Some(proof) = &mut engine.proof {
        proof.define(output, members, n);
    }
    engine.add_weight(Some(output), &terms, n as i64);
    if let Some(proof) = &mut engine.proof {
        proof.sum_is(None);
    }
    output
}

/// Logs for a proof, if there is one, that one of a core's literals holds if the carry does; returns its number.
fn log_core(call: &mut SolveCall<'_>, core: &[Lit], carry: Option<Lit>, weight: i128) -> usize {
    call.t.engine.proof.as_mut().map_or(0, |proof| proof.core(core, carry, weight))
}

/// Logs for a proof, if there is one, that the next output of a core's counter is paid for.
fn log_output(call: &mut SolveCall<'_>, core: usize, output: Lit, weight: i128) {
    if let Some(proof) = &mut call.t.engine.proof {
        proof.add_output(core, output, weight);
    }
}
