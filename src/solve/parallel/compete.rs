//! Parallel search: differently configured threads compete for one call, and share short clauses and the best model.
//!
//! The first to finish ends the call. Calls for consequences or all optimal models run in one thread; for many models
//! see [`split`](crate::solve::parallel::split).
//! Source: Hamadi, Jabbour and Sais, *ManySAT: a parallel SAT solver*, JSAT 2009.

use std::sync::Arc;
use std::time::Instant;

use crate::base::interrupt::{Interrupt, StopReason};
use crate::program::Program;
use crate::solve::call::SolveCall;
use crate::solve::engine::exchange::Port;
use crate::solve::engine::parameters::{SearchMode, SolverParameters};
use crate::solve::event::{Atoms, Control, Event, Model, SolveResult};
use crate::solve::optimize::Competition;
use crate::solve::options::{EnumMode, OptMode, SolveOptions};
use crate::solve::parallel::exchange::Exchange;
use crate::solve::parallel::threads::Threads;
use crate::solve::session::solving::Solving;
use crate::solve::statistics::Statistics;
use crate::solve::translate::Translation;

/// Conflicts of the main thread before helpers begin.
pub(crate) const PATIENCE: u64 = 2000;

/// Whether more threads help with a call.
pub(crate) fn applies(program: &Program, options: &SolveOptions) -> bool {
    let plain = matches!(options.enum_mode, EnumMode::Auto | EnumMode::Backtrack | EnumMode::Record);
    let optimise = !program.objectives.is_empty() && options.opt_mode != OptMode::Ignore;
    let one = match options.opt_mode {
        OptMode::Opt if optimise => options.models.unwrap_or(0) == 0,
        OptMode::OptN if optimise => false,
        _ => options.models.unwrap_or(1) == 1,
    };
    options.threads > 1 && plain && one && !options.limits_search()
}

/// Varies a helper's parameters from those of the main thread.
fn diversify(p: &mut SolverParameters, helper: usize) {
    p.seed = p.seed.wrapping_add(helper as u64);
    match helper % 4 {
        1 => p.mode = SearchMode::Focused,
        2 => {
            p.mode = SearchMode::Stable;
            p.phase.initial = true;
            p.heuristic.decay = 0.9;
        }
        3 => {
            p.restart.first_stable = Some(1000);
            p.heuristic.random_frequency = p.heuristic.random_frequency.max(0.01);
        }
        _ => {
            p.restart.luby_unit = 64;
            p.heuristic.decay = 0.92;
            p.heuristic.random_frequency = p.heuristic.random_frequency.max(0.02);
        }
    }
}

impl Threads<'_> {
    /// Runs the call with competing threads. Also returns the helpers' counters.
    pub(crate) fn compete(
        &self,
        t: &mut Translation,
        on_event: &mut dyn FnMut(Event<'_>) -> Control,
    ) -> (SolveResult, Vec<Statistics>) {
        let threads = self.count();
        let exchange = Arc::new(Exchange::new(threads));
        let interrupts: Vec<Interrupt> = (0..threads).map(|_| self.interrupt.child()).collect();
        let stop_all = || interrupts.iter().for_each(|i| i.stop(StopReason::Interrupted));
        if self.patience == 0 {
            exchange.start();
        }
        let mut halted = false;
        let mut heard = |event: Event<'_>| {
            let control = on_event(event);
            halted |= control == Control::Stop;
            control
        };
        // A translation that has grown has its own numbering of variables.
        let vars = t.shared_vars;
        let worth = self.worth();
        let result = std::thread::scope(|scope| {
            for (helper, interrupt) in interrupts.iter().enumerate().skip(1) {
                let (exchange, stop_all) = (exchange.clone(), &stop_all);
                scope.spawn(move || {
                    if exchange.wait() {
                        let result = self.help_to_compete(helper, vars, &exchange, interrupt);
                        if result.stopped.is_none() && exchange.finish(result) {
                            stop_all();
                        }
                    }
                });
            }
            let patience = t.engine.conflicts() + worth;
            let sharing = self.options.sharing;
            let port = Port::new(exchange.inboxes.clone(), 0, vars, sharing);
            let needed = exchange.clone();
            t.engine.connect(Some(port.with_alarm(patience, move || needed.start())));
            let call = SolveCall::new(t, self.program, self.options, self.assumptions, &interrupts[0]);
            let competition = Competition { best: exchange.best.clone(), alternate_strategy: false };
            let result = Solving::new(call, Some(competition)).run(&mut heard);
            exchange.end();
            stop_all();
            result
        });
        t.engine.connect(None);
        let helpers = exchange.helpers();
        if halted { (result, helpers) } else { (self.conclude(result, &exchange, on_event), helpers) }
    }

    /// The work of a helper.
    fn help_to_compete(
        &self,
        helper: usize,
        vars: u32,
        exchange: &Arc<Exchange>,
        interrupt: &Interrupt,
    ) -> SolveResult {
        let options = &self.options_of(helper);
        let mut t = Translation::with_search(self.program, options, self.stages, interrupt, |p| {
            if self.options.portfolio.is_empty() {
                diversify(p, helper);
            }
        });
        if let Some(reason) = interrupt.poll() {
            return SolveResult { stopped: Some(reason), ..SolveResult::default() };
        }
        let sharing = self.options.sharing;
        t.engine.connect(Some(Port::new(exchange.inboxes.clone(), helper, vars, sharing)));
        let mut offer = |event: Event<'_>| {
            if let Event::Model(m) = event {
                let atoms = self.program.atoms.ids().map(|a| m.contains(a)).collect();
                exchange.best.offer(atoms, m.costs);
            }
            Control::Continue
        };
        let call = SolveCall::new(&mut t, self.program, options, self.assumptions, interrupt);
        let competition = Competition { best: exchange.best.clone(), alternate_strategy: helper % 2 == 1 };
        let result = Solving::new(call, Some(competition)).run(&mut offer);
        exchange.leave(t.statistics());
        result
    }

    /// Reports what helpers found or proved and the main thread did not.
    fn conclude(
        &self,
        mut result: SolveResult,
        exchange: &Exchange,
        on_event: &mut dyn FnMut(Event<'_>) -> Control,
    ) -> SolveResult {
        // A result of the main thread stands.
        if result.stopped.is_none() {
            return result;
        }
        let winner = exchange.winner();
        let known = if result.satisfiable { Some(result.costs.clone().unwrap_or_default()) } else { None };
        let mut goes_on = true;
        if let Some(found) = exchange.best.better_than(known.as_deref()) {
            result.satisfiable = true;
            result.models += 1;
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
            goes_on = on_event(Event::Model(model)) == Control::Continue;
        }
        if let Some(winner) = winner {
            result.stopped = None;
            result.exhausted = winner.exhausted;
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
    use crate::base::rng::Rng;
    use crate::program::ground_program::Objective;
    use crate::program::{AtomId, Literal, RuleSource};
    use crate::solve::tests::session::{answer_sets, describe};
    use crate::solve::translate::Stages;

    type Seen = Vec<(u32, Vec<i64>)>;

    fn solve(program: &Program, threads: u32) -> (SolveResult, Seen, u64) {
        let options = SolveOptions { threads, ..SolveOptions::default() };
        assert!(applies(program, &options));
        let stages = Stages::default();
        let mut t = Translation::new(program, &options, stages);
        let mut seen = Vec::new();
        let threads = Threads {
            program,
            options: &options,
            assumptions: &[],
            interrupt: &Interrupt::new(),
            stages,
            patience: 0,
        };
        let (result, _) = threads.compete(&mut t, &mut |event| {
            if let Event::Model(m) = event {
                let atoms = program.atoms.ids().filter(|a| a.0 < 32 && m.contains(*a));
                seen.push((atoms.map(|a| 1 << a.0).sum(), m.costs.to_vec()));
                assert_eq!(m.number, seen.len() as u64);
            }
            Control::Continue
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
        }
    }

    #[test]
    fn short_clauses_are_shared() {
        let program = random_cnf(3, 160, 740);
        let (result, seen, sent) = solve(&program, 2);
        assert!(result.exhausted && seen.is_empty());
        assert!(sent > 0);
    }
}
