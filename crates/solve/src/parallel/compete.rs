//! Parallel search: differently configured threads compete for one call, and share good clauses and the best model.
//!
//! The first to finish ends the call. Calls for consequences or all optimal models run in one thread; for many models
//! see [`split`](crate::parallel::split).
//! Source: Hamadi, Jabbour and Sais, *ManySAT: a parallel SAT solver*, JSAT 2009.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Instant;

use crate::call::SolveCall;
use crate::event::{Atoms, Event, Flow, Model, SolveResult};
use crate::optimize::Competition;
use crate::optimize::best::{CostedModel, SharedBest};
use crate::options::{EnumMode, OptMode, SolveOptions};
use crate::parallel::exchange::{Exchange, Leave, Place, TURN};
use crate::parallel::threads::Threads;
use crate::session::solving::Solving;
use crate::statistics::Statistics;
use crate::theory::host::Fork;
use crate::translate::Translation;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_engine::exchange::Port;
use asp_engine::parameters::{SearchMode, SolverParameters};
use asp_program::Program;

/// Turns of the main thread before helpers are called, ...
pub(crate) const TURNS_ALONE: u64 = 2;
/// ... and its steps for each literal of the program's rules, as many as translation takes. They begin after as much work again:
/// by then they should be ready.
const STEPS_A_LITERAL: u64 = 5;
/// They are called this many times later if the program has grown, since they know nothing of what was learned in earlier calls,
/// and share nothing; likewise for objectives, where only the other strategy may help.
const LATE: u64 = 100;

/// Whether more threads help with a call.
pub(crate) fn applies(program: &Program, options: &SolveOptions) -> bool {
    let plain = matches!(options.enum_mode, EnumMode::Auto | EnumMode::Backtrack | EnumMode::Record);
    let optimise = optimises(program, options);
    let one = match options.opt_mode {
        OptMode::Opt if optimise => options.models.unwrap_or(0) == 0,
        OptMode::OptN if optimise => false,
        _ => options.models.unwrap_or(1) == 1,
    };
    options.threads > 1 && plain && one && !options.limits_search()
}

/// Whether a call looks at costs.
pub(crate) fn optimises(program: &Program, options: &SolveOptions) -> bool {
    !program.objectives.is_empty() && options.opt_mode != OptMode::Ignore
}

/// Varies a helper's parameters from those of the main thread.
fn diversify(p: &mut SolverParameters, helper: usize) {
    p.seed = p.seed.wrapping_add(helper as u64);
    match helper % 4 {
        // Good parameters are good for two threads; some random decisions suffice to make them diverge.
        1 => p.heuristic.random_frequency = p.heuristic.random_frequency.max(0.01),
        2 => p.mode = SearchMode::Focused,
        3 => {
            p.mode = SearchMode::Stable;
            p.phase.initial = true;
            p.heuristic.decay = 0.9;
        }
        _ => {
            p.restart.luby_unit = 64;
            p.heuristic.decay = 0.92;
            p.heuristic.random_frequency = p.heuristic.random_frequency.max(0.02);
        }
    }
}

/// A model as other threads get it.
fn costed(program: &Program, model: &Model<'_>, thread: usize) -> CostedModel {
    let atoms = program.atoms.ids().map(|a| model.contains(a)).collect();
    CostedModel { atoms, costs: model.costs.to_vec(), thread }
}

impl Threads<'_> {
    /// Runs the call with competing threads. Also returns the helpers' counters.
    pub(crate) fn compete(
        &self,
        t: &mut Translation,
        on_event: &mut dyn FnMut(Event<'_>) -> Flow,
    ) -> (SolveResult, Vec<Statistics>) {
        let threads = self.count();
        let exchange = Arc::new(Exchange::new(threads, self.options.sharing.topology));
        let interrupts: Vec<Interrupt> = (0..threads).map(|_| self.interrupt.child()).collect();
        if self.head_start == 0 {
            exchange.start(0);
        }
        let halted = Cell::new(false);
        let optimises = !self.program.objectives.is_empty();
        let on_event = RefCell::new(on_event);
        let mut heard = |event: Event<'_>| {
            if let Event::Model(m) = &event
                && optimises
            {
                exchange.offer(0, costed(self.program, m, 0));
            }
            let control = (on_event.borrow_mut())(event);
            halted.set(halted.get() || control == Flow::Stop);
            control
        };
        // A translation that has grown has its own numbering of variables.
        // With theories, so have what they add.
        let vars = if self.theories.is_some() { 0 } else { t.shared_vars };
        let place = |thread: usize, first| Place {
            exchange: exchange.clone(),
            thread,
            first,
            best: Arc::default(),
            interrupt: interrupts[thread].clone(),
            call: None,
        };
        let best = Arc::new(SharedBest::default());
        let result = std::thread::scope(|scope| {
            for helper in 1..threads {
                let (exchange, place, main) = (&exchange, &place, &interrupts[0]);
                scope.spawn(move || {
                    if let Some(turn) = exchange.wait(helper) {
                        self.help_to_compete(vars, place(helper, turn), main);
                    }
                });
            }
            let work = self.head_start + self.program.rules.literal_count() as u64 * STEPS_A_LITERAL / TURN;
            let is_late = vars == 0 && self.theories.is_none() || optimises;
            let call = if is_late { work * LATE } else { work };
            let place = Place { best: best.clone(), call: Some((call, call + 2 * work)), ..place(0, 0) };
            self.connect(t, place, vars);
            let call = SolveCall::new(t, self.program, self.options, self.assumptions, &interrupts[0]);
            let competition = Competition { best: best.clone(), alternate_strategy: false };
            let result = Solving::new(call, Some(competition)).run(&mut heard);
            // Theories of a helper stay as they are until its model has been reported.
            let winner = exchange.winner();
            let result = if halted.get() {
                result
            } else {
                self.conclude(result, winner, &best, &mut **on_event.borrow_mut())
            };
            interrupts.iter().for_each(|i| i.stop(StopReason::Interrupted));
            exchange.end();
            result
        });
        t.engine.connect(None);
        (result, exchange.helpers())
    }

    /// Connects a thread's engine to the others.
    fn connect(&self, t: &mut Translation, place: Place, vars: u32) {
        let steps = t.engine.steps();
        let port = Port::new(Box::new(place), vars, self.options.sharing, TURN, steps);
        t.engine.connect(Some(port));
    }

    /// The work of a helper; `main` stops the main thread, when a theory fails.
    fn help_to_compete(&self, vars: u32, place: Place, main: &Interrupt) {
        let (exchange, helper) = (place.exchange.clone(), place.thread);
        let (best, first, interrupt) = (place.best.clone(), place.first, place.interrupt.clone());
        let _leave = Leave(&exchange, helper);
        let options = &self.options_of(helper);
        let mut t = Translation::with_search(self.program, options, self.stages, &interrupt, |p| {
            if self.options.portfolio.is_empty() {
                diversify(p, helper);
            }
        });
        if interrupt.poll().is_some() {
            return;
        }
        let fork = self.theories.as_ref().map(|theories| theories.fork(helper as u32, &mut t));
        self.connect(&mut t, place, vars);
        let mut offer = |event: Event<'_>| {
            if let Event::Model(m) = &event {
                exchange.offer(helper, costed(self.program, m, helper));
                if fork.is_some() {
                    exchange.hold(helper);
                    return Flow::Stop;
                }
            }
            Flow::Continue
        };
        let call = SolveCall::new(&mut t, self.program, options, self.assumptions, &interrupt);
        let competition = Competition { best, alternate_strategy: helper % 2 == 1 };
        let result = Solving::new(call, Some(competition)).run(&mut offer);
        t.engine.reset_enumeration();
        if fork.as_ref().is_some_and(Fork::has_failed) {
            main.stop(StopReason::Interrupted);
            return;
        }
        let turns = t.engine.connect(None).map_or(0, |port| port.turns(t.engine.steps()));
        if result.stopped.is_none() {
            exchange.finish(helper, first + turns + 1, result);
        }
        exchange.count(helper, t.statistics());
    }

    /// Reports what helpers found or proved and the main thread did not.
    fn conclude(
        &self,
        mut result: SolveResult,
        winner: Option<SolveResult>,
        best: &SharedBest,
        on_event: &mut dyn FnMut(Event<'_>) -> Flow,
    ) -> SolveResult {
        // A result of the main thread stands.
        if result.stopped.is_none() {
            return result;
        }
        let known = if result.satisfiable { Some(result.costs.clone().unwrap_or_default()) } else { None };
        let mut goes_on = true;
        if let Some(found) = best.better_than(known.as_deref()) {
            result.satisfiable = true;
            result.models += 1;
            if let Some(theories) = &self.theories {
                theories.report(found.thread as u32);
            }
            if !found.costs.is_empty() {
                result.costs = Some(found.costs.clone());
            }
            let model = Model {
                number: result.models,
                atoms: Atoms::Listed(&found.atoms),
                shown: &[],
                ranges: &[],
                costs: &found.costs,
                optimal: false,
                consequences: None,
                found: Instant::now(),
            };
            goes_on = on_event(Event::Model(model)) != Flow::Stop;
        }
        if let Some(winner) = winner {
            result.stopped = None;
            result.exhausted = winner.exhausted;
            result.is_close = winner.is_close;
            result.lower_bounds = winner.lower_bounds;
            result.core = winner.core;
            if result.exhausted && result.satisfiable && result.costs.is_some() && goes_on {
                let _ = on_event(Event::Optimum);
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::session::{answer_sets, describe};
    use crate::translate::Stages;
    use asp_base::rng::Rng;
    use asp_engine::Outcome;
    use asp_program::ground_program::Objective;
    use asp_program::{AtomId, Literal, RuleSource};

    type Seen = Vec<(u32, Vec<i64>)>;

    fn solve(program: &Program, threads: u32) -> (SolveResult, Seen, u64) {
        solve_with(program, threads, Stages::default())
    }

    fn solve_with(program: &Program, threads: u32, stages: Stages) -> (SolveResult, Seen, u64) {
        solve_by(program, SolveOptions { threads, ..SolveOptions::default() }, stages)
    }

    fn solve_by(program: &Program, options: SolveOptions, stages: Stages) -> (SolveResult, Seen, u64) {
        assert!(applies(program, &options));
        let mut t = Translation::new(program, &options, stages);
        let mut seen = Vec::new();
        let threads = Threads {
            program,
            options: &options,
            assumptions: &[],
            interrupt: &Interrupt::new(),
            theories: None,
            stages,
            head_start: 0,
        };
        let (result, _) = threads.compete(&mut t, &mut |event| {
            if let Event::Model(m) = event {
                let atoms = program.atoms.ids().filter(|a| a.0 < 32 && m.contains(*a));
                seen.push((atoms.map(|a| 1 << a.0).sum(), m.costs.to_vec()));
                assert_eq!(m.number, seen.len() as u64);
            }
            Flow::Continue
        });
        (result, seen, t.statistics().search.shared.0)
    }

    fn random_cnf(seed: u64, atoms: u64, clauses: u64) -> Program {
        let mut rng = Rng::new(seed);
        let mut program = Program::new();
        for _ in 0..atoms {
            let atom = program.atoms.add_aux();
            program.rules.add(true, &[atom], &[], RuleSource::NONE);
        }
        for _ in 0..clauses {
            let body: Vec<Literal> =
                (0..3).map(|_| Literal::new(AtomId(rng.below(atoms) as u32), rng.chance(0.5))).collect();
            program.rules.add(false, &[], &body, RuleSource::NONE);
        }
        program
    }

    #[test]
    fn threads_agree_with_brute_force_and_report_each_model_once() {
        for seed in 0..60 {
            let mut program = random_cnf(seed, 8, 25 + seed % 12);
            let expected = answer_sets(&program, &[]);
            let (result, seen, _) = solve(&program, 3);
            let what = format!("seed {seed}:\n{}", describe(&program));
            assert_eq!((result.satisfiable, result.stopped), (!expected.is_empty(), None), "{what}");
            assert_eq!(
                (seen.len(), result.models),
                (usize::from(result.satisfiable), seen.len() as u64),
                "{what}"
            );
            assert!(seen.iter().all(|(w, _)| expected.contains(w)), "{what}");
            let mut rng = Rng::new(seed);
            let literals: Vec<(Literal, i64)> =
                program.atoms.ids().map(|a| (Literal::pos(a), 1 + rng.below(9) as i64)).collect();
            let cost = |w: u32| literals.iter().filter(|(l, _)| w >> l.atom().0 & 1 == 1).map(|l| l.1).sum();
            let best: Option<i64> = expected.iter().map(|&w| cost(w)).min();
            program.objectives.push(Objective { priority: 0, constant: 0, literals: literals.clone() });
            let (result, seen, _) = solve(&program, 3);
            assert_eq!(result.costs.map(|c| c[0]), best, "{what}");
            assert!(result.exhausted && seen.windows(2).all(|w| w[1].1 < w[0].1), "{what}");
            assert!(
                seen.iter().all(|(w, c)| c == &[cost(*w)]) && seen.last().map(|s| s.1[0]) == best,
                "{what}"
            );
            // The first model that is good enough is the last one, whoever finds it.
            let Some(best) = best else { continue };
            let bound = best + rng.below(9) as i64;
            let options = SolveOptions { threads: 3, opt_stop: vec![bound], ..SolveOptions::default() };
            let (result, seen, _) = solve_by(&program, options, Stages::default());
            assert!(result.stopped.is_none() && seen.last().is_some_and(|s| s.1[0] <= bound), "{what}");
            assert_eq!(result.costs.as_deref(), seen.last().map(|s| s.1.as_slice()), "{what}");
            let earlier = seen.iter().rev().skip(1);
            assert!(earlier.clone().all(|s| s.1[0] > bound), "{what}");
        }
    }

    #[test]
    fn good_clauses_are_shared() {
        let program = random_cnf(3, 160, 740);
        let (result, seen, sent) = solve(&program, 2);
        assert!(result.exhausted && seen.is_empty());
        assert!(sent > 0);
    }

    /// Threads share clauses over symmetry-breaking constraints: all agree on whether a random graph has a colouring.
    #[test]
    fn threads_that_break_symmetries_agree() {
        let mut outcomes = [0; 2];
        for seed in 0..80 {
            let mut rng = Rng::new(seed);
            let (nodes, colours) = (24, 3);
            let mut program = Program::new();
            let none = |program: &mut Program, body: &[Literal]| {
                program.rules.add(false, &[], body, RuleSource::NONE);
            };
            let at = |node: u64, colour: u64| AtomId((node * colours + colour) as u32);
            for node in 0..nodes {
                for _ in 0..colours {
                    let atom = program.atoms.add_aux();
                    program.rules.add(true, &[atom], &[], RuleSource::NONE);
                }
                let uncoloured: Vec<Literal> = (0..colours).map(|c| !Literal::pos(at(node, c))).collect();
                none(&mut program, &uncoloured);
            }
            for _ in 0..54 + seed % 6 {
                let (a, b) = (rng.below(nodes), rng.below(nodes));
                for c in (0..colours).filter(|_| a != b) {
                    none(&mut program, &[Literal::pos(at(a, c)), Literal::pos(at(b, c))]);
                }
            }
            let mut t = Translation::new(&program, &SolveOptions::default(), Stages::default());
            let expected = t.engine.solve(&[], &Interrupt::new()) == Outcome::Sat;
            outcomes[usize::from(expected)] += 1;
            for threads in 2..4 {
                let stages = Stages { symmetry_after: Some(0), ..Stages::default() };
                let (result, ..) = solve_with(&program, threads, stages);
                assert_eq!((result.satisfiable, result.stopped), (expected, None), "seed {seed}");
            }
        }
        assert!(outcomes.iter().all(|&n| n > 10), "{outcomes:?}");
    }

    /// The main thread's findings, reports and clauses do not depend on the speed of the threads.
    #[test]
    fn runs_repeat_exactly() {
        for seed in 0..12 {
            let mut program = random_cnf(seed, 110, 440 + 5 * seed);
            if seed % 2 == 1 {
                let literals = program.atoms.ids().take(20).map(|a| (Literal::pos(a), 1)).collect();
                program.objectives.push(Objective { priority: 0, constant: 0, literals });
            }
            let run = |_| {
                let (result, seen, sent) = solve(&program, 2 + seed as u32 % 2);
                (result.satisfiable, result.costs, seen, sent)
            };
            let runs: Vec<_> = (0..3).map(run).collect();
            assert!(runs.windows(2).all(|two| two[0] == two[1]), "seed {seed}: {runs:?}");
        }
    }
}
