//! Better costs from other runs: a file to which each run appends its best answer sets.
//!
//! A run looks at the file while it searches. When it has better costs than its own, it restarts the search for better ones
//! still; what it learned stays. Invariant: a run reports the costs under which it searched, so that nobody takes "nothing
//! better" for "nothing".

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::state::lock;
use super::work::Run;
use crate::bounds::BoundFile;
use crate::stdout;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::symbol::Symbols;
use asp_control::{Control, Error};
use asp_program::Program;
use asp_report::answer_set::{AnswerTable, Rendering};
use asp_solve::{Event, Flow, SolveOptions, SolveResult};

/// Time between two looks.
const PERIOD: Duration = Duration::from_millis(50);

/// The best costs of the run and of others, as far as it knows them.
type Known = Arc<Mutex<Option<Vec<i64>>>>;

/// Notes costs, if they are better than those known. Whether they are.
fn improve(known: &Known, costs: &[i64]) -> bool {
    // Nothing is left half-done under the lock.
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let better = known.as_ref().is_none_or(|k| costs < k.as_slice());
    if better {
        *known = Some(costs.to_vec());
    }
    better
}

/// The costs to ask for where only better ones are wanted; `None` if there are none.
fn below(costs: &[i64]) -> Option<Vec<i64>> {
    let mut costs = costs.to_vec();
    let last = costs.last_mut()?;
    *last = last.checked_sub(1)?;
    Some(costs)
}

/// Watches a file during a search, and stops it when there are costs better than those known.
struct Watch {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<bool>>,
}

impl Watch {
    fn begin(file: &BoundFile, known: &Known, search: &Interrupt) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let (mut file, search, known, ended) = (file.clone(), search.clone(), known.clone(), over.clone());
        let look = move || {
            while !ended.load(Ordering::Relaxed) {
                if file.best().is_some_and(|best| improve(&known, &best.costs)) {
                    search.stop(StopReason::StepLimit);
                    return true;
                }
                std::thread::park_timeout(PERIOD);
            }
            false
        };
        Self { over, thread: std::thread::Builder::new().name("bounds".into()).spawn(look).ok() }
    }

    /// Ends. Whether the search was stopped for better costs.
    fn end(mut self) -> bool {
        self.over.store(true, Ordering::Relaxed);
        self.thread.take().is_some_and(|thread| {
            thread.thread().unpark();
            thread.join().unwrap_or(false)
        })
    }
}

/// Hears of everything that a call finds.
type Receiver<'a> = dyn FnMut(Event<'_>, &Program, &Symbols) -> Flow + 'a;

impl Run {
    /// A call that takes up better costs from the file of the options, if there is one.
    pub(super) fn search(
        &self,
        control: &mut Control,
        options: &SolveOptions,
        receive: &mut Receiver<'_>,
    ) -> Result<SolveResult, Error> {
        let levels = control.program().objectives.len();
        let Some(name) = self.options.bound_file.as_ref().filter(|_| levels > 0) else {
            return control.solve_events(options, &[], receive);
        };
        let unusable = |why: io::Error| Error::Format(format!("'bound-file': {name}: {why}"));
        let mut file = BoundFile::open(name, levels).map_err(unusable)?;
        let json = Rendering::JsonString;
        let table = AnswerTable::new(control.program(), control.symbols(), &json, ", ", false);
        let (mut options, mut total) = (options.clone(), SolveResult::default());
        let known = Known::default();
        if let Some(best) = file.best() {
            improve(&known, &best.costs);
        }
        loop {
            let bound = known.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(bound) = bound.filter(|b| total.costs.as_ref().is_none_or(|own| b < own)) {
                let wanted = below(&bound);
                lock(&self.shared).summary.bound = Some(bound);
                let Some(wanted) = wanted else {
                    total.exhausted = true;
                    return Ok(total);
                };
                options.opt_bounds = wanted;
            }
            let search = self.interrupt.child();
            let watch = Watch::begin(&file, &known, &search);
            let result = control.solve_until(&options, &[], &search, &mut |event, program, symbols| {
                if let Event::Model(model) = &event
                    && improve(&known, model.costs)
                {
                    let mut shown = Vec::new();
                    table.write(model, &mut shown);
                    if let Err(why) = file.note(model.costs, &shown) {
                        stdout::fail_with(format!("{name} cannot be written: {why}"));
                    }
                }
                receive(event, program, symbols)
            });
            let again = watch.end();
            let result = result?;
            let goes_on = again && result.stopped == Some(StopReason::StepLimit);
            total = joined(total, result);
            if !goes_on {
                return Ok(total);
            }
        }
    }
}

/// The results of a search and of one that went on from it.
fn joined(before: SolveResult, now: SolveResult) -> SolveResult {
    SolveResult {
        satisfiable: before.satisfiable || now.satisfiable,
        models: before.models + now.models,
        costs: now.costs.or(before.costs),
        ..now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_the_least_costs() {
        assert_eq!(below(&[2, 5]), Some(vec![2, 4]));
        assert_eq!(below(&[2, i64::MIN]), None);
    }
}
