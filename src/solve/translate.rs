//! From a ground program to an engine that holds it: preprocessing, components, completion, propagators.
//!
//! Invariant: the engine's models restricted to the program's atoms are the program's answer sets, each once, as long as
//! external atoms are assumed to have their values.

use super::acyclic_graph;
use super::body_table::Node;
use super::completion::{self, Variables};
use super::dependency::{self, Components};
use super::disjunctive::{self, Tester};
use super::domain_heuristic;
use super::engine::Engine;
use super::lex_leader::PATIENCE;
use super::literal::Lit;
use super::loop_graph;
use super::options::SearchOptions;
use super::preprocess::{self, Passes, Prepared};
use super::propagator::PropagatorId;
use super::propagator::acyclicity::Acyclicity;
use super::propagator::unfounded::Unfounded;
use super::{SolveOptions, Statistics};
use crate::base::interrupt::{Interrupt, StopReason};
use crate::program::ground_program::ExternalValue;
use crate::program::{Literal, Program};

/// Which parts run; all but in tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// Passes of preprocessing.
    pub(crate) passes: Passes,
    /// Whether pairs are covered by at-most-one groups.
    pub(crate) cliques: bool,
    /// Whether counting over groups implies more.
    pub(crate) value_sets: bool,
    /// Whether unfounded sets are found by source pointers.
    pub(crate) unfounded: bool,
    /// Whether disjunctive components are tested.
    pub(crate) disjunctive: bool,
    /// Whether edges must be acyclic.
    pub(crate) acyclicity: bool,
    /// Conflicts of a call for one model before symmetries are broken; `None`: they never are.
    pub(crate) patience: Option<u64>,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            passes: Passes::default(),
            cliques: true,
            value_sets: true,
            unfounded: true,
            disjunctive: true,
            acyclicity: true,
            patience: Some(PATIENCE),
        }
    }
}

/// A translated program.
pub(crate) struct Translation {
    pub(crate) prepared: Prepared,
    pub(crate) vars: Variables,
    pub(crate) engine: Engine,
    /// Whether the program may have an answer set.
    pub(crate) ok: bool,
    /// See [`Parts::patience`].
    pub(crate) patience: Option<u64>,
    components: Components,
    unfounded: Option<PropagatorId>,
    testers: Vec<PropagatorId>,
    rules: u64,
}

/// Conflicts of the first stable phase with an objective. Most of the work is then the proof that nothing is better,
/// which focused phases shorten: knapsacks of 30 things 42,000 conflicts for 74,000, schedules of 9 jobs 102,000 for
/// 142,000 and 22,000 for 32,000.
const OPTIMISING_SWITCH: u64 = 1000;

/// The engine's options for a program.
fn search_options(program: &Program, options: &SolveOptions) -> SearchOptions {
    let default = SearchOptions::default();
    SearchOptions {
        seed: options.seed,
        random_frequency: options.random_frequency,
        switch_conflicts: if program.objectives.is_empty() {
            default.switch_conflicts
        } else {
            OPTIMISING_SWITCH
        },
        ..default
    }
}

impl Translation {
    /// Translates a program.
    pub(crate) fn new(program: &Program, options: &SolveOptions, parts: Parts) -> Self {
        let prepared = preprocess::preprocess(program, parts.passes);
        let components = dependency::components(&prepared);
        let mut engine = Engine::new(&search_options(program, options));
        let (vars, ok) = completion::complete(&prepared, &components, program, &mut engine, parts);
        let mut translation = Self {
            prepared,
            vars,
            engine,
            ok,
            patience: parts.patience,
            components,
            unfounded: None,
            testers: Vec::new(),
            rules: program.rules.len() as u64,
        };
        if translation.ok {
            translation.add_propagators(program, options, parts);
        }
        translation
    }

    fn add_propagators(&mut self, program: &Program, options: &SolveOptions, parts: Parts) {
        let Self { prepared, vars, engine, components, .. } = self;
        if !components.is_tight() {
            let weak = disjunctive::weak_supports(prepared, components);
            if parts.unfounded {
                let graph = loop_graph::build(prepared, vars, components, &weak);
                self.unfounded = Some(engine.add_propagator(Box::new(Unfounded::new(graph))));
            }
            if parts.disjunctive && !weak.is_empty() {
                for tester in disjunctive::testers(prepared, vars, components) {
                    self.testers.push(engine.add_propagator(Box::new(tester)));
                }
            }
        }
        if parts.acyclicity && !program.edges.is_empty() {
            match acyclic_graph::build(program, prepared, vars, engine) {
                Some(graph) => {
                    engine.add_propagator(Box::new(Acyclicity::new(graph)));
                }
                None => self.ok = false,
            }
        }
        let directed = !program.heuristics.is_empty() || options.domain_default.is_some();
        if options.domain_heuristic && directed {
            domain_heuristic::install(program, options, prepared, vars, engine);
        }
    }

    /// The engine's literal for a program literal.
    pub(crate) fn lit(&self, literal: Literal) -> Lit {
        self.vars.of(&self.prepared, literal)
    }

    /// The literals of all classes of atoms.
    pub(crate) fn atom_lits(&self) -> impl Iterator<Item = Lit> {
        (0..self.prepared.atoms)
            .map(Node::at)
            .filter(|&n| self.prepared.classes.find_const(n) == n)
            .map(|n| self.vars.get(&self.prepared, n))
    }

    /// A literal that is equivalent to a conjunction; a new variable if need be.
    pub(crate) fn conjunction(&mut self, literals: &[Literal]) -> Lit {
        let mut lits: Vec<Lit> = literals.iter().map(|&l| self.lit(l)).collect();
        conjunction(&mut self.engine, self.vars.truth, &mut lits)
    }

    /// What must be assumed so that externals have their values.
    pub(crate) fn external_assumptions(&self, program: &Program) -> Vec<Lit> {
        if self.prepared.externals.is_empty() {
            return Vec::new();
        }
        let mut last: Vec<ExternalValue> = vec![ExternalValue::Free; self.prepared.atoms];
        for &(a, v) in &program.externals {
            last[a.0 as usize] = v;
        }
        let value = |a: crate::program::AtomId| match last[a.0 as usize] {
            ExternalValue::True => Some(self.lit(Literal::pos(a))),
            ExternalValue::False | ExternalValue::Release => Some(self.lit(Literal::neg(a))),
            ExternalValue::Free => None,
        };
        self.prepared.externals.iter().filter_map(|&(a, _)| value(a)).collect()
    }

    /// Lets an interrupt stop stability tests too.
    pub(crate) fn set_interrupt(&mut self, interrupt: &Interrupt) {
        for &id in &self.testers {
            self.engine.with_propagator(id, |p: &mut Tester, _| p.interrupt = interrupt.clone());
        }
    }

    /// Why a stability test of the last model was stopped, if one was.
    pub(crate) fn undecided(&mut self) -> Option<StopReason> {
        let Self { testers, engine, .. } = self;
        testers
            .iter()
            .find_map(|&id| engine.with_propagator(id, |p: &mut Tester, _| p.undecided.take()).flatten())
    }

    /// Adds the counters of this translation to those of the engine.
    pub(crate) fn statistics(&mut self) -> Statistics {
        let mut s = self.engine.statistics();
        s.rules = self.rules;
        s.atoms = self.prepared.atoms as u64;
        s.bodies = self.prepared.bodies.len() as u64;
        s.equivalences = self.prepared.classes.equivalences();
        s.tight = self.components.is_tight();
        let inside = (0..self.prepared.atoms).filter(|&a| self.components.of(a) != 0).count() as u64;
        s.sccs = (u64::from(self.components.count), inside);
        if let Some(id) = self.unfounded {
            s.loops = self.engine.with_propagator(id, |p: &mut Unfounded, _| p.loops).unwrap_or(0);
        }
        for &id in &self.testers {
            let tests = self.engine.with_propagator(id, |p: &mut Tester, _| p.tests).unwrap_or((0, 0));
            s.stability_tests.0 += tests.0;
            s.stability_tests.1 += tests.1;
        }
        s
    }
}

/// A literal that is equivalent to a conjunction of literals.
pub(crate) fn conjunction(engine: &mut Engine, truth: Lit, lits: &mut Vec<Lit>) -> Lit {
    lits.sort_unstable();
    lits.dedup();
    lits.retain(|&l| l != truth);
    if lits.contains(&!truth) || lits.windows(2).any(|w| w[0] == !w[1]) {
        return !truth;
    }
    match *lits.as_slice() {
        [] => truth,
        [l] => l,
        _ => {
            let own = Lit::pos(engine.new_var());
            let mut clause = vec![own];
            for &l in lits.iter() {
                engine.add_clause(&[!own, l]);
                clause.push(!l);
            }
            engine.add_clause(&clause);
            own
        }
    }
}
