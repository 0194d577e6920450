//! Sessions: a program that may grow between calls, and calls that search for its answer sets.
//!
//! Invariant: the translation is that of the program as of the last call of [`Session::translate`] or a solve call. Of a
//! program that has grown only what is new is translated, and everything learned stays, unless atoms from before get
//! further rules: then what was known of them may be wrong, and all is translated anew.

pub(crate) mod consequences;
pub(crate) mod enumerate;
pub(crate) mod solving;

use crate::base::interrupt::Interrupt;
use crate::program::{Literal, Program};
use crate::solve::call::SolveCall;
use crate::solve::engine::parameters::{OptimizeParameters, SolverParameters};
use crate::solve::engine::propagator::Propagator;
use crate::solve::engine::store::literal::Lit;
use crate::solve::options::{DomainDefault, LemmaFilter, SolveOptions, TranslateOptions};
use crate::solve::session::solving::Solving;
use crate::solve::statistics::Statistics;
use crate::solve::translate::lemmas::Lemma;
use crate::solve::translate::{Stages, Translation};

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

/// The options that a translation depends on: under others, all is translated anew.
#[derive(Clone, PartialEq, Debug)]
struct TranslationKey {
    translate: TranslateOptions,
    domain: (bool, Option<DomainDefault>),
    solver: SolverParameters,
    tester: SolverParameters,
}

impl TranslationKey {
    fn of(options: &SolveOptions) -> Self {
        Self {
            translate: options.translate,
            domain: (options.domain_heuristic, options.domain_default),
            // How the optimum is approached may change from call to call.
            solver: SolverParameters { optimize: OptimizeParameters::default(), ..options.solver },
            tester: options.tester,
        }
    }
}

/// Solves a ground program, again and again as it grows.
pub(crate) struct Session {
    /// Those of the last call.
    options: SolveOptions,
    stages: Stages,
    extent: Extent,
    translation: Option<Translation>,
    /// What the translation was made under.
    key: TranslationKey,
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

impl Default for Session {
    fn default() -> Self {
        Self::with_stages(Stages::default())
    }
}

impl Session {
    /// A session without a program.
    pub(crate) fn new() -> Self {
        Self::default()
    }
    /// The same with stages left out.
    pub(crate) fn with_stages(stages: Stages) -> Self {
        let options = SolveOptions::default();
        Self {
            key: TranslationKey::of(&options),
            options,
            stages,
            extent: Extent::default(),
            translation: None,
            generation: 0,
            #[cfg(test)]
            rebuilt: 0,
            past: Statistics::default(),
            helpers: Vec::new(),
            lemmas: Vec::new(),
        }
    }

    /// Translates what is new in the program since the last call, for calls with such options. Then
    /// [`literal`](Self::literal) and [`set_propagator`](Self::set_propagator) speak of the program as it is.
    pub(crate) fn translate(&mut self, program: &Program, options: &SolveOptions) {
        self.current(program, options);
    }

    /// The translation of the program as it is.
    fn current(&mut self, program: &Program, options: &SolveOptions) -> (&mut Translation, &SolveOptions) {
        self.options = options.clone();
        let key = TranslationKey::of(options);
        let translation = match self.translation.take() {
            Some(old) if key == self.key && self.is_translated(program, &old) => old,
            old => self.renew(program, key, old),
        };
        (self.translation.insert(translation), &self.options)
    }

    fn is_translated(&self, program: &Program, translation: &Translation) -> bool {
        // A new external, or one that was released before, needs a variable of its own.
        !translation.spoiled && Extent::of(program) == self.extent && translation.knows_externals(program)
    }

    /// A translation that has grown with the program, or a new one.
    fn renew(&mut self, program: &Program, key: TranslationKey, old: Option<Translation>) -> Translation {
        self.extent = Extent::of(program);
        self.generation += 1;
        if let Some(mut old) = old {
            if key == self.key
                && !old.spoiled
                && self.stages.extension
                && old.extend(program, &self.options, self.stages)
            {
                return old;
            }
            self.past = old.statistics().after(&self.past);
            self.lemmas.extend(old.take_lemmas());
        }
        self.key = key;
        #[cfg(test)]
        {
            self.rebuilt += 1;
        }
        Translation::new(program, &self.options, self.stages)
    }

    /// How often the program was read anew or further: propagators of the caller's must be set again when it changes.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// The solver's literal for a literal of the program. Pre: the program has been added.
    pub(crate) fn literal(&self, literal: Literal) -> Lit {
        self.translation.as_ref().map_or(Lit::NONE, |t| t.lit(literal))
    }

    /// Installs the caller's propagator with a number, in the place of the one with that number if there is one. Pre: the
    /// program has been added.
    pub(crate) fn set_propagator(&mut self, number: usize, propagator: Box<dyn Propagator>) {
        if let Some(t) = self.translation.as_mut().filter(|t| t.ok) {
            t.set_propagator(number, propagator);
        }
    }

    /// Whether translation or search has found that there is no model.
    pub(crate) fn is_conflicting(&self) -> bool {
        self.translation.as_ref().is_some_and(|t| !t.ok)
    }

    /// How often all was translated anew.
    #[cfg(test)]
    pub(crate) fn rebuilt(&self) -> u32 {
        self.rebuilt
    }

    /// Begins a call in one thread, to be pulled.
    pub(crate) fn start<'s>(
        &'s mut self,
        program: &'s Program,
        options: &SolveOptions,
        assumptions: &[Literal],
        interrupt: &Interrupt,
    ) -> Solving<'s> {
        let (translation, options) = self.begin(program, options);
        Solving::new(SolveCall::new(translation, program, options, assumptions, interrupt), None)
    }

    /// The translation for a call that begins now.
    pub(crate) fn begin(
        &mut self,
        program: &Program,
        options: &SolveOptions,
    ) -> (&mut Translation, &SolveOptions) {
        let Some(filter) = options.lemmas else { return self.current(program, options) };
        self.lemmas.extend(self.translation.as_mut().map(Translation::take_lemmas).unwrap_or_default());
        let most = filter.most.saturating_sub(self.lemmas.len() as u64);
        let (translation, options) = self.current(program, options);
        translation.log_lemmas(program, LemmaFilter { most, ..filter });
        (translation, options)
    }

    /// Whether the caller's propagators, which are made for one search, leave the call to one thread.
    pub(crate) fn has_callers(&self) -> bool {
        self.translation.as_ref().is_some_and(Translation::has_callers)
    }

    /// The stages that translations are made with.
    pub(crate) fn stages(&self) -> Stages {
        self.stages
    }

    /// What the calls so far have learned, as far as the options said that it be written down.
    pub(crate) fn take_lemmas(&mut self) -> Vec<Lemma> {
        let last = self.translation.as_mut().map(Translation::take_lemmas);
        self.lemmas.extend(last.unwrap_or_default());
        std::mem::take(&mut self.lemmas)
    }

    /// Counters of all calls so far.
    pub(crate) fn statistics(&mut self) -> Statistics {
        let own = match self.translation.as_mut() {
            Some(t) => t.statistics().after(&self.past),
            None => self.past.clone(),
        };
        if self.helpers.is_empty() {
            return own;
        }
        let mut all = own.clone();
        for helper in &self.helpers {
            all = all.after(helper);
        }
        all.threads = vec![own];
        all.threads.extend_from_slice(&self.helpers);
        all
    }

    /// Adds up what helping threads have counted, by thread.
    pub(crate) fn note_helpers(&mut self, helpers: Vec<Statistics>) {
        for (i, now) in helpers.into_iter().enumerate() {
            match self.helpers.get_mut(i) {
                Some(past) => *past = now.after(past),
                None => self.helpers.push(now),
            }
        }
    }
}
