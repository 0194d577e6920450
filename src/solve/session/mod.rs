//! Sessions: a program that may grow between calls, and calls that search for its answer sets.
//!
//! Invariant: the translation is that of the program as of the last call of [`Session::add`] or [`Session::solve`]. Of a
//! program that has grown only what is new is translated, and everything learned stays, unless atoms from before get
//! further rules: then what was known of them may be wrong, and all is translated anew.

pub(crate) mod consequences;
pub(crate) mod enumerate;
pub(crate) mod lemmas;
pub(crate) mod lex_leader;
pub(crate) mod run;

use crate::base::interrupt::Interrupt;
use crate::program::{Literal, Program};
use crate::solve::engine::propagator::Propagator;
use crate::solve::engine::store::literal::Lit;
use crate::solve::parallel;
use crate::solve::parallel::Threads;
use crate::solve::parallel::split;
use crate::solve::session::run::Run;
use crate::solve::translate::{Parts, Translation};
use crate::solve::{Control, Event, Lemma, LemmaFilter, SolveOptions, SolveResult, Statistics};

/// What of a program makes a translation outdated when it grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Extent {
    rules: usize,
    atoms: usize,
    edges: usize,
    heuristics: usize,
}

impl Extent {
    fn of(program: &Program) -> Self {
        Self {
            rules: program.rules.len(),
            atoms: program.atoms.len(),
            edges: program.edges.len(),
            heuristics: program.heuristics.len(),
        }
    }
}

/// Solves a ground program, again and again as it grows.
pub struct Session {
    options: SolveOptions,
    parts: Parts,
    extent: Extent,
    translation: Option<Translation>,
    /// The options have changed in a way that asks for a new translation.
    stale: bool,
    generation: u64,
    #[cfg(test)]
    rebuilt: u32,
    /// Counters of translations that are gone.
    past: Statistics,
    /// Counters of helping threads.
    helpers: Vec<Statistics>,
    /// What was learned and written down.
    lemmas: Vec<Lemma>,
}

impl Session {
    /// A session without a program.
    pub fn new(options: &SolveOptions) -> Self {
        Self::with_parts(options, Parts::default())
    }
    /// The same with parts left out.
    pub(crate) fn with_parts(options: &SolveOptions, parts: Parts) -> Self {
        Self {
            options: options.clone(),
            parts,
            extent: Extent::default(),
            translation: None,
            stale: false,
            generation: 0,
            #[cfg(test)]
            rebuilt: 0,
            past: Statistics::default(),
            helpers: Vec::new(),
            lemmas: Vec::new(),
        }
    }

    /// Reads what is new in the program since the last call.
    pub fn add(&mut self, program: &Program) {
        if self.is_current(program) {
            return;
        }
        self.extent = Extent::of(program);
        self.generation += 1;
        let (options, parts) = (&self.options, self.parts);
        if let Some(old) = self.translation.as_mut().filter(|_| !self.stale)
            && parts.extension
            && old.extend(program, options, parts)
        {
            return;
        }
        if let Some(mut old) = self.translation.take() {
            self.past = sum(&self.past, old.statistics());
            self.lemmas.extend(old.take_lemmas());
        }
        self.stale = false;
        #[cfg(test)]
        {
            self.rebuilt += 1;
        }
        self.translation = Some(Translation::new(program, &self.options, self.parts));
    }

    /// Reads what is new, for calls with such options. Then [`literal`](Self::literal) and
    /// [`set_propagator`](Self::set_propagator) speak of the program as it is.
    pub fn prepare(&mut self, program: &Program, options: &SolveOptions) {
        let old = &self.options;
        self.stale |= options.domain_heuristic != old.domain_heuristic
            || options.domain_default != old.domain_default
            || options.translate != old.translate
            || options.solver != old.solver
            || options.tester != old.tester;
        self.options = options.clone();
        self.add(program);
    }

    /// How often the program was read anew or further: propagators of the caller's must be set again when it changes.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The solver's literal for a literal of the program. Pre: the program has been added.
    pub fn literal(&self, literal: Literal) -> Lit {
        self.translation.as_ref().map_or(Lit::NONE, |t| t.lit(literal))
    }

    /// Installs the caller's propagator with a number, in the place of the one with that number if there is one. Pre: the
    /// program has been added.
    pub fn set_propagator(&mut self, number: usize, propagator: Box<dyn Propagator>) {
        if let Some(t) = self.translation.as_mut().filter(|t| t.ok) {
            t.set_propagator(number, propagator);
        }
    }

    fn is_current(&self, program: &Program) -> bool {
        let Some(t) = &self.translation else { return false };
        // A new external, or one that was released before, needs a variable of its own.
        !self.stale && Extent::of(program) == self.extent && t.knows_externals(program)
    }

    /// How often all was translated anew.
    #[cfg(test)]
    pub(crate) fn rebuilt(&self) -> u32 {
        self.rebuilt
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
        self.prepare(program, options);
        let Some(translation) = self.translation.as_mut() else {
            return SolveResult::default();
        };
        if let Some(filter) = options.lemmas {
            self.lemmas.extend(translation.take_lemmas());
            let most = filter.most.saturating_sub(self.lemmas.len() as u64);
            translation.log_lemmas(program, LemmaFilter { most, ..filter });
        }
        // Propagators of the caller's are made for one search.
        if split::applies(program, options) && !translation.has_callers() {
            let (parts, patience) = (self.parts, split::PATIENCE);
            let (result, helpers) = Threads { program, options, assumptions, interrupt, parts, patience }
                .divide(translation, on_event);
            self.note_helpers(helpers);
            return result;
        }
        if parallel::applies(program, options) && !translation.has_callers() {
            let parts = self.parts;
            let patience = parallel::PATIENCE;
            let (result, helpers) = Threads { program, options, assumptions, interrupt, parts, patience }
                .compete(translation, on_event);
            self.note_helpers(helpers);
            return result;
        }
        Run::new(translation, program, options, assumptions, interrupt, on_event).solve()
    }

    /// What the calls so far have learned, as far as the options said that it be written down.
    pub fn take_lemmas(&mut self) -> Vec<Lemma> {
        let last = self.translation.as_mut().map(Translation::take_lemmas);
        self.lemmas.extend(last.unwrap_or_default());
        std::mem::take(&mut self.lemmas)
    }

    /// Counters of all calls so far.
    pub fn statistics(&mut self) -> Statistics {
        let own = match self.translation.as_mut() {
            Some(t) => sum(&self.past, t.statistics()),
            None => self.past.clone(),
        };
        if self.helpers.is_empty() {
            return own;
        }
        let mut all = own.clone();
        for helper in &self.helpers {
            all = sum(helper, all);
        }
        all.threads = vec![own];
        all.threads.extend_from_slice(&self.helpers);
        all
    }

    /// Adds up what helping threads have counted, by thread.
    fn note_helpers(&mut self, helpers: Vec<Statistics>) {
        for (i, now) in helpers.into_iter().enumerate() {
            match self.helpers.get_mut(i) {
                Some(past) => *past = sum(past, now),
                None => self.helpers.push(now),
            }
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
        loop_literals: past.loop_literals + now.loop_literals,
        deleted: past.deleted + now.deleted,
        propagations: past.propagations + now.propagations,
        shared: pair(past.shared, now.shared),
        probed: pair(past.probed, now.probed),
        substituted: past.substituted + now.substituted,
        subsumed: pair(past.subsumed, now.subsumed),
        vivified: pair(past.vivified, now.vivified),
        symmetries: past.symmetries + now.symmetries,
        stability_tests: pair(past.stability_tests, now.stability_tests),
        peak_learned: past.peak_learned.max(now.peak_learned),
        glue: past.glue + now.glue,
        ..now
    }
}
