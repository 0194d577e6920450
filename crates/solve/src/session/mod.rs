//! Sessions: a program that may grow between calls, and calls that search for its answer sets.
//!
//! Invariant: the translation is that of the program as of the last call of [`Session::translate`] or a solve call. Only the new
//! part of a program is translated, and everything learned is kept, unless earlier atoms get further rules: then earlier
//! conclusions may be wrong, and everything is translated again.

pub(crate) mod consequences;
pub(crate) mod enumerate;
pub mod solving;

use crate::call::SolveCall;
use crate::options::{DomainDefault, LemmaFilter, SolveOptions, TranslateOptions};
use crate::session::solving::Solving;
use crate::statistics::Statistics;
use crate::theory::host::Host;
use crate::translate::lemmas::Lemma;
use crate::translate::{Stages, Translation};
use asp_base::interrupt::Interrupt;
use asp_engine::parameters::{OptimizeParameters, SolverParameters};
use asp_engine::proof::{ProofEnd, ProofSink};
use asp_engine::propagator::Propagator;
use asp_engine::store::literal::Lit;
use asp_program::{Literal, Program};

/// The parts of a program whose growth makes a translation outdated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Extent {
    rules: usize,
    atoms: usize,
    edges: usize,
    heuristics: usize,
    lazy: usize,
}

impl Extent {
    fn of(program: &Program) -> Self {
        Self {
            rules: program.rules.len(),
            atoms: program.atoms.len(),
            edges: program.edges.len(),
            heuristics: program.heuristics.len(),
            lazy: program.lazy.len(),
        }
    }
}

/// The options that a translation depends on: if they change, everything is translated again.
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
            // The parameters of optimisation may differ between calls.
            solver: SolverParameters { optimize: OptimizeParameters::default(), ..options.solver },
            tester: options.tester,
        }
    }
}

/// Solves a ground program repeatedly while it grows.
pub struct Session {
    /// The options of the last call.
    options: SolveOptions,
    stages: Stages,
    extent: Extent,
    translation: Option<Translation>,
    /// The options of the translation.
    key: TranslationKey,
    generation: u64,
    #[cfg(test)]
    rebuilt: u32,
    /// Counters of discarded translations.
    past: Statistics,
    /// Counters of helping threads.
    helpers: Vec<Statistics>,
    /// Recorded learned nogoods.
    lemmas: Vec<Lemma>,
    /// Where the steps of the next translation's proof go.
    proof: Option<ProofSink>,
}

impl Default for Session {
    fn default() -> Self {
        Self::with_stages(Stages::default())
    }
}

impl Session {
    /// A session without a program.
    pub fn new() -> Self {
        Self::default()
    }
    /// A session without some stages.
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
            proof: None,
        }
    }

    /// Forgets everything: the next call is as the first of a new session.
    pub fn forget(&mut self) {
        *self = Self::with_stages(self.stages);
    }

    /// Logs a proof of what the next call finds, if it is the first one. Only one call may follow.
    pub fn log_proof(&mut self, sink: ProofSink) {
        self.translation = None;
        self.proof = Some(sink);
    }

    /// Ends the log of a proof.
    pub fn take_proof(&mut self) -> Option<ProofEnd> {
        let log = self.translation.as_mut().and_then(|t| t.engine.proof.take());
        log.map(|log| log.finish())
    }

    /// Translates what is new in the program since the last call, for calls with these options. Afterwards,
    /// [`literal`](Self::literal) and [`set_propagator`](Self::set_propagator) refer to the current program.
    pub fn translate(&mut self, program: &Program, options: &SolveOptions) {
        self.current(program, options);
    }

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
        // A new external, or one that was released before, needs its own variable.
        !translation.spoiled && Extent::of(program) == self.extent && translation.knows_externals(program)
    }

    /// The old translation extended by what is new, or a new one.
    fn renew(&mut self, program: &Program, key: TranslationKey, old: Option<Translation>) -> Translation {
        self.extent = Extent::of(program);
        self.generation += 1;
        let inherits = old.as_ref().is_some_and(|old| old.is_left_alone(program));
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
        let mut new = match self.proof.take() {
            Some(sink) => Translation::logged(program, &self.options, self.stages.under(&self.options), sink),
            None => Translation::new(program, &self.options, self.stages),
        };
        new.inherits = inherits;
        new
    }

    /// A number that changes whenever the program is translated again or further: user-defined propagators must then be
    /// set again.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The solver's literal for a literal of the program. Pre: the program has been translated.
    pub fn literal(&self, literal: Literal) -> Lit {
        self.translation.as_ref().map_or(Lit::NONE, |t| t.lit(literal))
    }

    /// The value that the search has found so far for a literal of the program, if any.
    pub fn fixed(&self, literal: Literal) -> Option<bool> {
        let translation = self.translation.as_ref()?;
        if literal.atom().0 as usize >= translation.atoms.as_slice().len() {
            return None;
        }
        let lit = translation.lit(literal);
        if lit == Lit::NONE { None } else { translation.engine.fixed(lit) }
    }

    /// The translation of the program, if there is one.
    pub fn translation_mut(&mut self) -> Option<&mut Translation> {
        self.translation.as_mut()
    }

    /// Installs a user-defined propagator under a number, replacing the previous one. Pre: the program has been
    /// translated.
    pub fn set_propagator(&mut self, number: usize, propagator: Box<dyn Propagator>) {
        if let Some(t) = self.translation.as_mut().filter(|t| t.ok) {
            t.set_propagator(number, propagator);
        }
    }

    /// Whether translation or search has found that there is no model.
    pub fn is_conflicting(&self) -> bool {
        self.translation.as_ref().is_some_and(|t| !t.ok)
    }

    /// How often everything was translated again.
    #[cfg(test)]
    pub(crate) fn rebuilt(&self) -> u32 {
        self.rebuilt
    }

    /// Begins a call in one thread, to be pulled.
    pub fn start<'s>(
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

    /// The caller's theories, if there are any.
    pub(crate) fn theories(&mut self) -> Option<Host> {
        self.translation.as_mut().and_then(Translation::host)
    }

    /// Whether there are user-defined propagators, which restrict calls to one thread.
    pub(crate) fn has_propagators(&self) -> bool {
        self.translation.as_ref().is_some_and(Translation::has_propagators)
    }

    /// Whether there are user-defined propagators or theories.
    pub fn has_callers(&self) -> bool {
        self.translation.as_ref().is_some_and(Translation::has_callers)
    }

    /// By grounding call and kept constraint: the number of instances that the search made of it.
    pub fn made(&mut self) -> Vec<Vec<u64>> {
        self.translation.as_mut().map(Translation::made).unwrap_or_default()
    }

    /// The stages of translations.
    pub(crate) fn stages(&self) -> Stages {
        self.stages
    }

    /// The nogoods recorded by the calls so far, if the options asked for them.
    pub fn take_lemmas(&mut self) -> Vec<Lemma> {
        let last = self.translation.as_mut().map(Translation::take_lemmas);
        self.lemmas.extend(last.unwrap_or_default());
        std::mem::take(&mut self.lemmas)
    }

    /// Counters of all calls so far.
    pub fn statistics(&mut self) -> Statistics {
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

    /// Adds the counters of helping threads, by thread.
    pub(crate) fn note_helpers(&mut self, helpers: Vec<Statistics>) {
        for (i, now) in helpers.into_iter().enumerate() {
            match self.helpers.get_mut(i) {
                Some(past) => *past = now.after(past),
                None => self.helpers.push(now),
            }
        }
    }
}
