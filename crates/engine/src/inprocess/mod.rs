//! Inprocessing: when it is due, and what its passes share.
//!
//! Passes run at the root, at a fixpoint, between restarts: probing, substitution of equivalent literals, subsumption,
//! vivification. Each preserves the set of models: no variable is removed, so enumeration, projection and propagators
//! are not affected. Invariant: passes are limited by ticks, to a share of those that the search took since the last
//! round, never by seconds; saved phases are the same afterwards.
//! Source: Järvisalo, Heule and Biere, *Inprocessing rules*, IJCAR 2012.

pub(crate) mod eliminate;
pub(crate) mod probe;
pub(crate) mod reconstruct;
pub(crate) mod substitute;
pub(crate) mod subsume;
pub(crate) mod vivify;

use crate::Engine;
use crate::store::arena::ClauseRef;
use crate::store::assignment::Reason;
use crate::store::literal::Lit;

/// The share of search ticks that each pass may take, in per cent.
const EFFORT: u64 = 5;
/// Ticks that each pass may always take.
const MIN_TICKS: u64 = 20_000;

/// One technique; `false`: there is no model.
type Pass = fn(&mut Engine) -> bool;

impl Engine {
    /// Whether inprocessing is due. Not while models are enumerated by flipping decisions, since the root cannot be
    /// reached.
    #[inline]
    pub(crate) fn should_inprocess(&self) -> bool {
        self.parameters.inprocess.interval > 0
            && self.stats.conflicts >= self.control.inprocess.limit
            && self.call.floor.is_none()
    }
    /// Runs all passes. `false`: there is no model.
    pub(crate) fn inprocess(&mut self) -> bool {
        self.control.inprocess.rounds += 1;
        self.control.inprocess.limit =
            self.stats.conflicts + self.control.inprocess.interval * (self.control.inprocess.rounds + 1);
        self.backtrack(0);
        let start = self.control.ticks;
        let allowed = ((start - self.control.inprocess.ticks) * EFFORT / 100).max(MIN_TICKS);
        let phases = self.decisions.phases.saved();
        let propagations = self.stats.propagations;
        let ok = self.run_passes(allowed);
        self.backtrack(0);
        self.decisions.phases.restore(phases);
        // The schedules of the search count its own ticks only.
        self.stats.propagations = propagations;
        self.control.restart.skip_ticks(self.control.ticks - start);
        self.control.inprocess.ticks = self.control.ticks;
        self.clauses.unsat |= !ok;
        ok
    }
    fn run_passes(&mut self, allowed: u64) -> bool {
        if !self.propagate_root() {
            return false;
        }
        let o = &self.parameters.inprocess;
        let passes: [(bool, Pass); 4] = [
            (o.probe, Self::probe),
            (o.substitute, Self::substitute),
            (o.subsume, Self::subsume),
            (o.vivify, Self::vivify),
        ];
        for (on, pass) in passes {
            self.control.inprocess.deadline = self.control.ticks + allowed;
            if on && !(pass(self) && self.propagate_root()) {
                return false;
            }
        }
        true
    }
    /// Propagates at the root and removes what is true there. `false`: a conflict.
    fn propagate_root(&mut self) -> bool {
        debug_assert_eq!(self.level(), 0);
        if self.propagate().is_err() {
            return false;
        }
        self.remove_satisfied();
        true
    }
    /// Whether the current pass has used up its ticks.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.control.ticks >= self.control.inprocess.deadline
    }
    /// Makes a literal true at the root, with all consequences. Pre: level 0. `false`: a conflict.
    pub(crate) fn add_fact(&mut self, lit: Lit) -> bool {
        debug_assert_eq!(self.level(), 0);
        if let Some(proof) = &mut self.proof {
            proof.rup(&[lit]);
        }
        if self.assignment.is_free(lit) {
            self.assignment.assign_at(lit, Reason::NONE, 0);
        }
        !self.assignment.is_false(lit) && self.propagate().is_ok()
    }
    /// Replaces a clause by fewer literals. Pre: level 0; the clause is no longer watched, or will be treated as
    /// garbage. `false`: a conflict.
    pub(crate) fn replace_clause(&mut self, c: ClauseRef, literals: &[Lit]) -> bool {
        let (learned, lbd, used) =
            (self.clauses.arena.is_learned(c), self.clauses.arena.lbd(c), self.clauses.arena.used(c));
        if let Some(proof) = &mut self.proof {
            proof.learn(literals);
        }
        self.clauses.discard(c);
        let a = &self.assignment;
        if literals.iter().any(|&l| a.is_true(l)) {
            return true;
        }
        let rest: Vec<Lit> = literals.iter().copied().filter(|&l| a.is_free(l)).collect();
        match *rest.as_slice() {
            [] => false,
            [lit] => self.add_fact(lit),
            [a, b] => {
                self.clauses.watches.add_binary(a, b);
                self.clauses.additions += 1;
                true
            }
            _ => {
                let new = self.store_long(&rest, learned, lbd.min(rest.len() as u32 - 1));
                self.clauses.arena.set_used(new, used);
                true
            }
        }
    }
    /// The decisions that the false literals of the conflict buffer depend on. Empties the buffer.
    pub(crate) fn decisions_behind(&mut self) -> Vec<Lit> {
        let failed = std::mem::take(&mut self.call.failed);
        self.collect_assumptions();
        std::mem::replace(&mut self.call.failed, failed)
    }
}

#[cfg(test)]
mod tests {
    use crate::counters::Counters;
    use crate::parameters::{InprocessParameters, SolverParameters};
    use crate::store::literal::{Lit, Var};
    use crate::{Engine, Outcome};
    use asp_base::interrupt::Interrupt;
    use asp_base::rng::Rng;

    fn lit(n: i32) -> Lit {
        Lit::new(Var(n.unsigned_abs() - 1), n < 0)
    }
    fn default() -> InprocessParameters {
        InprocessParameters::default()
    }
    fn passes(inprocess: InprocessParameters) -> SolverParameters {
        SolverParameters { inprocess, ..SolverParameters::default() }
    }
    fn engine(options: &SolverParameters, vars: u32, clauses: &[&[i32]]) -> Engine {
        let mut engine = Engine::new(options);
        (0..vars).for_each(|_| _ = engine.new_var());
        for c in clauses {
            let clause: Vec<Lit> = c.iter().map(|&n| lit(n)).collect();
            assert!(engine.add_clause(&clause));
        }
        engine
    }
    /// Counters after one round with and without the pass.
    fn with_and_without(
        on: &SolverParameters,
        off: &SolverParameters,
        vars: u32,
        clauses: &[&[i32]],
    ) -> (Counters, Counters) {
        let run = |options: &SolverParameters| {
            let mut engine = engine(options, vars, clauses);
            assert!(engine.inprocess());
            engine.check_invariants();
            engine.statistics()
        };
        (run(on), run(off))
    }

    #[test]
    fn failed_literals_are_false() {
        let clauses: &[&[i32]] = &[&[-1, 2], &[-1, 3], &[-2, -3]];
        let off = passes(InprocessParameters { probe: false, ..default() });
        let (with, without) = with_and_without(&SolverParameters::default(), &off, 3, clauses);
        assert_eq!((with.probed.1, without.probed.1), (1, 0));
        let mut e = engine(&SolverParameters::default(), 3, clauses);
        assert!(e.inprocess());
        assert_eq!(e.fixed(lit(1)), Some(false));
        let mut e = engine(&off, 3, clauses);
        assert!(e.inprocess());
        assert_eq!(e.fixed(lit(1)), None);
    }

    #[test]
    fn equivalent_literals_become_one() {
        // 1, 2 and 3 are equivalent; two clauses of four literals become one of two and one that is true.
        let clauses: &[&[i32]] = &[&[-1, 2], &[-2, 3], &[-3, 1], &[1, 2, 3, 4], &[1, -3, 4, 5]];
        let off =
            passes(InprocessParameters { substitute: false, subsume: false, vivify: false, ..default() });
        let on = passes(InprocessParameters { substitute: true, ..off.inprocess });
        let run = |options| {
            let mut engine = engine(options, 5, clauses);
            assert!(engine.inprocess());
            engine.statistics()
        };
        let (with, without) = (run(&on), run(&off));
        assert_eq!((with.substituted, with.constraints), (2, (4, 0, 0)));
        assert_eq!((without.substituted, without.constraints), (0, (3, 0, 2)));
    }

    #[test]
    fn contradictory_equivalences_leave_no_model() {
        let mut e = engine(&SolverParameters::default(), 2, &[&[-1, 2], &[-2, -1]]);
        assert!(e.add_clause(&[lit(1), lit(2)]));
        assert!(!e.add_clause(&[lit(1), lit(-2)]) || !e.inprocess());
    }

    #[test]
    fn subsumed_clauses_go_and_others_become_shorter() {
        let clauses: &[&[i32]] = &[&[1, 2, 3], &[1, 2, 3, 4], &[1, 2, -3, 4, 5]];
        let off = passes(InprocessParameters { subsume: false, vivify: false, ..default() });
        let on = passes(InprocessParameters { subsume: true, ..off.inprocess });
        let (with, without) = with_and_without(&on, &off, 5, clauses);
        assert_eq!((with.subsumed, without.subsumed), ((1, 1), (0, 0)));
        assert_eq!((with.constraints, without.constraints), ((0, 1, 1), (0, 1, 2)));
    }

    #[test]
    fn propagation_shortens_clauses() {
        // Not 1 implies 6, which implies 2: 1 or 2 holds.
        let clauses: &[&[i32]] = &[&[1, 6, 7], &[1, 6, -7], &[-6, 2, 8], &[-6, 2, -8], &[1, 2, 3, 4, 5]];
        let off = passes(InprocessParameters { subsume: false, vivify: false, ..default() });
        let on = passes(InprocessParameters { vivify: true, ..off.inprocess });
        let run = |options| {
            let mut engine = engine(options, 8, clauses);
            assert!(engine.inprocess());
            engine.check_invariants();
            engine.statistics()
        };
        let (with, without) = (run(&on), run(&off));
        assert!(with.vivified.1 > 0 && without.vivified.1 == 0);
        assert!(with.constraints.2 < without.constraints.2);
    }

    /// Random clauses: each pass alone, every few conflicts, against brute force; all models are counted.
    #[test]
    fn random_clauses_keep_their_models() {
        let mut totals = Counters::default();
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let vars = 6 + rng.below(6) as u32;
            let pass = seed % 5;
            let mut options = passes(InprocessParameters {
                interval: 1,
                probe: pass == 0 || pass == 4,
                substitute: pass == 1 || pass == 4,
                subsume: pass == 2 || pass == 4,
                vivify: pass == 3 || pass == 4,
            });
            (options.restart.interval, options.restart.luby_unit) = (1, 1);
            let mut engine = Engine::new(&options);
            (0..vars).for_each(|_| _ = engine.new_var());
            let mut clauses = Vec::new();
            for _ in 0..vars * 3 {
                let len = 2 + rng.below(3);
                let clause: Vec<Lit> =
                    (0..len).map(|_| Lit::new(Var(rng.below(vars.into()) as u32), rng.chance(0.5))).collect();
                clauses.push(clause);
            }
            let holds = |m: u32, l: Lit| (m >> l.var().0 & 1 == 1) != l.is_neg();
            let expected =
                (0..1u32 << vars).filter(|&m| clauses.iter().all(|c| c.iter().any(|&l| holds(m, l)))).count();
            let mut ok = clauses.iter().all(|c| engine.add_clause(c));
            let mut found = 0;
            // Models are excluded by clauses, so that inprocessing runs in each call.
            while ok && engine.solve(&[], &Interrupt::new()) == Outcome::Sat {
                found += 1;
                let exclude: Vec<Lit> = (0..vars)
                    .map(|v| Lit::new(Var(v), engine.value(Lit::pos(Var(v))) == Some(true)))
                    .collect();
                engine.reset_enumeration();
                ok = engine.add_clause(&exclude) && engine.inprocess();
            }
            assert_eq!(found, expected, "seed {seed}");
            let s = engine.statistics();
            totals.probed.1 += s.probed.1;
            totals.substituted += s.substituted;
            totals.subsumed.0 += s.subsumed.0;
            totals.subsumed.1 += s.subsumed.1;
            totals.vivified.1 += s.vivified.1;
        }
        let t = &totals;
        let counts = [t.probed.1, t.substituted, t.subsumed.0, t.subsumed.1, t.vivified.1];
        assert!(counts.iter().all(|&n| n > 50), "{counts:?}");
    }
}
