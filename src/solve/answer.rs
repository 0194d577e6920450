//! Sessions: a program that may grow between calls, and calls that search for its answer sets.
//!
//! Invariant: the translation is that of the program as of the last call of [`Session::add`] or [`Session::solve`]. A
//! program that has grown is translated anew: atoms may get further rules, so what was known of them may be wrong.

use super::run::Run;
use super::translate::{Parts, Translation};
use super::{Control, Event, SolveOptions, SolveResult, Statistics};
use crate::base::interrupt::Interrupt;
use crate::program::{Literal, Program};

/// What of a program makes a translation outdated when it grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Extent {
    rules: usize,
    atoms: usize,
    edges: usize,
    heuristics: usize,
    /// External atoms ever declared.
    externals: usize,
}

impl Extent {
    fn of(program: &Program) -> Self {
        Self {
            rules: program.rules.len(),
            atoms: program.atoms.len(),
            edges: program.edges.len(),
            heuristics: program.heuristics.len(),
            externals: 0,
        }
    }
}

/// Solves a ground program, again and again as it grows.
pub struct Session {
    options: SolveOptions,
    parts: Parts,
    extent: Extent,
    translation: Option<Translation>,
    /// Counters of translations that are gone.
    past: Statistics,
}

impl Session {
    /// A session without a program.
    pub fn new(options: &SolveOptions) -> Self {
        Self::with_parts(options, Parts { value_sets: !options.no_value_sets, ..Parts::default() })
    }
    /// The same with parts left out.
    pub(crate) fn with_parts(options: &SolveOptions, parts: Parts) -> Self {
        Self {
            options: options.clone(),
            parts,
            extent: Extent::default(),
            translation: None,
            past: Statistics::default(),
        }
    }

    /// Reads what is new in the program since the last call.
    pub fn add(&mut self, program: &Program) {
        if self.translation.is_some() && self.is_current(program) {
            return;
        }
        if let Some(mut old) = self.translation.take() {
            let gone = old.statistics();
            self.past = sum(&self.past, gone);
        }
        self.extent = Extent::of(program);
        self.translation = Some(Translation::new(program, &self.options, self.parts));
    }

    fn is_current(&self, program: &Program) -> bool {
        let Some(t) = &self.translation else { return false };
        if Extent::of(program) != self.extent {
            return false;
        }
        // A new external, or one that was released before, needs a variable of its own.
        use crate::program::ground_program::ExternalValue::Release;
        program.externals.iter().all(|&(a, v)| {
            v == Release
                || t.prepared.externals.binary_search_by_key(&a, |e| e.0).is_ok()
                || !t.prepared.supports(a.0 as usize).is_empty()
                || t.prepared.values[a.0 as usize] == super::body_table::Value::True
        })
    }

    /// Searches for answer sets. `on_event` hears of each one and may stop the search.
    pub fn solve(
        &mut self,
        program: &Program,
        options: &SolveOptions,
        assumptions: &[Literal],
        interrupt: &Interrupt,
        on_event: &mut dyn FnMut(Event<'_>) -> Control,
    ) -> SolveResult {
        if options.domain_heuristic != self.options.domain_heuristic
            || options.domain_default != self.options.domain_default
            || options.seed != self.options.seed
            || options.random_frequency != self.options.random_frequency
        {
            self.extent = Extent { rules: usize::MAX, ..Extent::default() };
        }
        self.options = options.clone();
        self.add(program);
        let Some(translation) = self.translation.as_mut() else {
            return SolveResult::default();
        };
        Run::new(translation, program, options, assumptions, interrupt, on_event).solve()
    }

    /// Counters of all calls so far.
    pub fn statistics(&mut self) -> Statistics {
        match self.translation.as_mut() {
            Some(t) => sum(&self.past, t.statistics()),
            None => self.past.clone(),
        }
    }
}

/// Counters of search add up, sizes are those of the latest translation.
fn sum(past: &Statistics, now: Statistics) -> Statistics {
    let pair = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
    Statistics {
        choices: past.choices + now.choices,
        conflicts: past.conflicts + now.conflicts,
        backjumps: past.backjumps + now.backjumps,
        jumped_levels: (
            past.jumped_levels.0 + now.jumped_levels.0,
            past.jumped_levels.1.max(now.jumped_levels.1),
        ),
        model_levels: past.model_levels + now.model_levels,
        restarts: past.restarts + now.restarts,
        learned: past.learned + now.learned,
        learned_literals: pair(past.learned_literals, now.learned_literals),
        learned_short: pair(past.learned_short, now.learned_short),
        loops: past.loops + now.loops,
        deleted: past.deleted + now.deleted,
        propagations: past.propagations + now.propagations,
        symmetries: past.symmetries + now.symmetries,
        stability_tests: pair(past.stability_tests, now.stability_tests),
        peak_learned: past.peak_learned.max(now.peak_learned),
        ..now
    }
}
