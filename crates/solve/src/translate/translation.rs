//! From a ground program to an engine for it: preprocessing, components, completion, propagators.
//!
//! A program that grows is translated part by part: earlier atoms are given, with their literals, and clauses learned about them
//! stay valid. Invariant: the engine's models restricted to the program's atoms are the program's answer sets, each once, as
//! long as external atoms are assumed to have their values. Source: Gebser, Kaminski, Kaufmann and Schaub, *Multi-shot ASP
//! solving with clingo*, TPLP 2019, for stages as modules.

use crate::lazy::propagator::Lazy;
use crate::options::{OptMode, SolveOptions};
use crate::propagator::acyclicity::Acyclicity;
use crate::propagator::disjunctive::Tester;
use crate::propagator::loop_graph::LoopGraph;
use crate::propagator::unfounded::Unfounded;
use crate::statistics::Statistics;
use crate::theory::host::Host;
use crate::translate::atom_lits::{AtomLits, conjunction};
use crate::translate::body_table::{Node, Value};
use crate::translate::completion::{self, Given, Variables};
use crate::translate::dependency::{self, Components};
use crate::translate::integers::Translated;
use crate::translate::prepared::Prepared;
use crate::translate::preprocess::{Previous, preprocess};
use crate::translate::stages::Stages;
use crate::translate::{edge_graph, heuristics, loop_graph, parameters, proof, testers};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::Map;
use asp_engine::Engine;
use asp_engine::parameters::{LoopNogoods, Sign, SolverParameters};
use asp_engine::proof::{ProofLog, ProofSink};
use asp_engine::propagator::{Propagator, PropagatorId};
use asp_engine::relaxation::Relaxation;
use asp_engine::relaxation::bounding::Bounding;
use asp_engine::store::literal::{Lit, Var};
use asp_program::defined::derived_since;
use asp_program::ground_program::ExternalValue;
use asp_program::{AtomId, Body, Head, Literal, Program};
use std::sync::Arc;

/// Conflicts before target phases are followed where answer sets are tested. A test that fails is a conflict of a total
/// assignment, so the longest trail is soon one that failed. Medians of five seeds of 2QBF, conflicts with targets at once and
/// from here on: 43,830 and 4,319, 8,220 and 5,001, 2,510 and 898, 1,118 and 555.
const TESTED_TARGETS: u64 = 3000;

/// How much of a program has been translated.
#[derive(Default)]
pub(super) struct Covered {
    /// Atoms that are or were external, or a theory's, and have no rules, in order.
    pub(super) externals: Vec<AtomId>,
    /// By atom: whether any rule derives it.
    pub(super) defined: Vec<bool>,
    pub(super) rules: usize,
    pub(super) heuristics: usize,
    pub(super) edges: usize,
    pub(super) theory_atoms: usize,
    lazy: usize,
    /// Integers that are no atoms.
    integers: Translated,
}

/// The propagators of a translation in its engine.
#[derive(Default)]
struct Added {
    unfounded: Vec<PropagatorId>,
    testers: Vec<PropagatorId>,
    /// Those of the library's user.
    callers: Vec<PropagatorId>,
    /// The one that holds the caller's theories.
    theories: Option<PropagatorId>,
    /// Constraints that are not instantiated.
    lazy: Vec<PropagatorId>,
    /// The one that bounds an objective.
    bounding: Option<PropagatorId>,
}

/// Parameters of what later rules and calls add.
struct Later {
    /// How loop nogoods are learned.
    loops: LoopNogoods,
    /// The first sign of atoms in heads of disjunctions.
    disjunctive_sign: Option<Sign>,
    /// The parameters of stability tests.
    tester: SolverParameters,
    /// See [`Stages::symmetry_after`].
    symmetry_after: Option<u64>,
}

/// A translated program.
pub struct Translation {
    pub(crate) atoms: AtomLits,
    pub(crate) engine: Engine,
    /// Whether the program may have an answer set.
    pub(crate) ok: bool,
    /// Whether the engine contains clauses that were valid for one call only.
    pub(crate) spoiled: bool,
    pub(super) covered: Covered,
    added: Added,
    later: Later,
    /// The number of variables that are the same in every translation of the program: 0 once it has grown.
    pub(crate) shared_vars: u32,
    /// Whether what held at the root of the translation before holds here.
    pub(crate) inherits: bool,
    /// The program's literal for each variable that lemmas may contain: see [`lemmas`](super::lemmas).
    pub(super) lemma_names: Map<Var, Literal>,
    /// Calls so far.
    pub(crate) calls: u64,
    /// Sizes of everything that was translated.
    sizes: Statistics,
}

impl Translation {
    /// Translates a program.
    pub(crate) fn new(program: &Program, options: &SolveOptions, stages: Stages) -> Self {
        Self::with_search(program, options, stages, &Interrupt::new(), |_| {})
    }
    /// Translates a program for a search whose steps are logged as a proof.
    pub(crate) fn logged(program: &Program, options: &SolveOptions, stages: Stages, sink: ProofSink) -> Self {
        let optimal = options.opt_mode == OptMode::OptN && !program.objectives.is_empty();
        let log = Box::new(ProofLog::new(proof::rules_of(program, optimal), sink));
        Self::build(program, options, stages.for_proof(), &Interrupt::new(), Some(log), |_| {})
    }
    /// Translates a program for a search with other options. If it is interrupted, the translation must not be used.
    pub(crate) fn with_search(
        program: &Program,
        options: &SolveOptions,
        stages: Stages,
        interrupt: &Interrupt,
        change: impl FnOnce(&mut SolverParameters),
    ) -> Self {
        Self::build(program, options, stages.under(options), interrupt, None, change)
    }
    fn build(
        program: &Program,
        options: &SolveOptions,
        stages: Stages,
        interrupt: &Interrupt,
        log: Option<Box<ProofLog>>,
        change: impl FnOnce(&mut SolverParameters),
    ) -> Self {
        let mut search = parameters::of(program, options);
        change(&mut search);
        let mut engine = Engine::new(&search);
        engine.proof = log;
        let truth = Lit::pos(engine.new_var());
        let mut translation = Self {
            atoms: AtomLits { truth, lits: Vec::new() },
            ok: engine.add_clause(&[truth]),
            spoiled: false,
            engine,
            covered: Covered::default(),
            added: Added::default(),
            later: Later {
                loops: options.solver.learning.loops,
                disjunctive_sign: options.solver.phase.disjunctive_sign,
                tester: options.tester,
                symmetry_after: stages.symmetry_after,
            },
            shared_vars: 0,
            inherits: false,
            lemma_names: Map::default(),
            calls: 0,
            sizes: Statistics { tight: true, ..Statistics::default() },
        };
        translation.add_rules(program, stages, interrupt);
        if translation.ok {
            translation.add_directives(program, options, stages);
        }
        translation.shared_vars = translation.engine.num_vars() as u32;
        translation
    }

    /// Translates the new rules; interrupts are polled between stages.
    pub(super) fn add_rules(&mut self, program: &Program, stages: Stages, interrupt: &Interrupt) {
        let (from, old) = (self.covered.rules, self.covered.defined.len());
        self.covered.defined.resize(program.atoms.len(), false);
        let heads: Vec<AtomId> = derived_since(program, from).collect();
        for &h in &heads {
            self.covered.defined[h.0 as usize] = true;
        }
        let mut values: Vec<Value> = self.atoms.lits[..old]
            .iter()
            .map(|&l| match self.engine.fixed(l) {
                Some(true) => Value::True,
                Some(false) => Value::False,
                None => Value::Unknown,
            })
            .collect();
        for h in heads.iter().filter(|h| (h.0 as usize) < old) {
            values[h.0 as usize] = Value::Unknown;
        }
        let previous = Previous { rules: from, values };
        let prepared = preprocess(program, &previous, stages.passes);
        if interrupt.poll().is_some() {
            self.ok = false;
            return;
        }
        let components = dependency::components(&prepared);
        let given = Given { truth: self.atoms.truth, lits: &self.atoms.lits };
        let (vars, ok) =
            completion::complete(&prepared, &components, program, &given, &mut self.engine, stages);
        self.ok &= ok;
        if let Some(sign) = self.later.disjunctive_sign {
            for &head in &prepared.disjunction_heads {
                let lit = vars.get(&prepared, Node::at(head.0 as usize));
                self.engine.impose_sign_on(lit, sign);
            }
        }
        let new = (old..program.atoms.len()).map(|a| vars.get(&prepared, Node::at(a)));
        self.atoms.lits.extend(new);
        let covered = &mut self.covered;
        covered.externals.retain(|a| !covered.defined[a.0 as usize]);
        covered.externals.extend(prepared.externals.iter().map(|e| e.0));
        (covered.rules, covered.heuristics) = (program.rules.len(), program.heuristics.len());
        (covered.edges, covered.theory_atoms) = (program.edges.len(), program.theory.atoms.len());
        self.covered.integers.extend(program, &self.atoms, &mut self.engine);
        self.engine.set_lookahead(&self.atoms.lits);
        self.sizes.rules = program.rules.len() as u64;
        let kinds = &mut self.sizes.rule_kinds;
        for rule in program.rules.iter().skip(from) {
            kinds.choice += u64::from(matches!(rule.head, Head::Choice(_)));
            kinds.disjunctive += u64::from(matches!(rule.head, Head::Disjunction(h) if h.len() > 1));
            kinds.weight += u64::from(matches!(rule.body, Body::Weight { .. }));
        }
        kinds.minimize = program.objectives.len() as u64;
        self.sizes.atoms = prepared.atoms as u64;
        self.sizes.bodies += prepared.bodies.len() as u64;
        self.sizes.equivalences += prepared.classes.equivalences();
        self.sizes.tight &= components.is_tight();
        let inside = (0..prepared.atoms).filter(|&a| components.of(a) != 0).count() as u64;
        self.sizes.sccs.0 += u64::from(components.count);
        self.sizes.sccs.1 += inside;
        if self.ok && !components.is_tight() && interrupt.poll().is_none() {
            self.add_foundedness(&prepared, &vars, &components, stages);
        }
        self.add_lazy(program);
    }

    /// Adds the constraints that are not instantiated.
    fn add_lazy(&mut self, program: &Program) {
        for batch in program.lazy.iter().skip(self.covered.lazy) {
            self.sizes.lazy.0 += batch.constraints.len() as u64;
            if self.ok {
                let lazy = Lazy::new(Arc::clone(batch), &self.atoms, self.engine.num_vars());
                self.added.lazy.push(self.engine.add_propagator(Box::new(lazy)));
            }
        }
        self.covered.lazy = program.lazy.len();
    }

    /// Adds unfounded-set and stability checks of the latest rules.
    fn add_foundedness(&mut self, p: &Prepared, vars: &Variables, components: &Components, stages: Stages) {
        let loops = self.later.loops;
        let weak = testers::weak_supports(p, components);
        if stages.unfounded {
            let graph = loop_graph::build(p, vars, components, &weak);
            self.added.unfounded.push(self.engine.add_propagator(Box::new(Unfounded::new(graph, loops))));
        }
        if stages.disjunctive && !weak.is_empty() {
            for tester in testers::testers(p, vars, components, &self.later.tester) {
                self.added.testers.push(self.engine.add_propagator(Box::new(tester)));
            }
            if !self.added.testers.is_empty() {
                self.engine.delay_targets(TESTED_TARGETS);
            }
        }
    }

    /// Installs or replaces a propagator of the library's user.
    pub(crate) fn set_propagator(&mut self, number: usize, propagator: Box<dyn Propagator>) {
        match self.added.callers.get(number) {
            Some(&id) => self.engine.replace_propagator(id, propagator),
            None => self.added.callers.push(self.engine.add_propagator(propagator)),
        }
    }

    /// The propagator of user-defined theories, made if there is none, and whether it is new.
    pub(crate) fn host_theories(
        &mut self,
        make: impl FnOnce() -> Box<dyn Propagator>,
    ) -> (PropagatorId, bool) {
        match self.added.theories {
            Some(id) => (id, false),
            None => {
                let id = self.engine.add_propagator(make());
                self.added.theories = Some(id);
                (id, true)
            }
        }
    }

    /// The propagator that holds the caller's theories.
    pub(crate) fn theories(&self) -> Option<PropagatorId> {
        self.added.theories
    }

    /// The caller's theories, if there are any.
    pub(crate) fn host(&mut self) -> Option<Host> {
        self.engine.with_propagator(self.added.theories?, |host: &mut Host, _| host.clone())
    }

    /// Whether there are user-defined propagators, which work in one thread.
    pub(crate) fn has_propagators(&self) -> bool {
        !self.added.callers.is_empty()
    }

    /// Whether there are propagators of the library's user.
    pub(crate) fn has_callers(&self) -> bool {
        !self.added.callers.is_empty() || self.added.theories.is_some()
    }

    /// Conflicts before symmetries are sought: never with user-defined propagators, which may break them, nor with constraints
    /// kept for the search, which symmetry detection ignores.
    pub(crate) fn symmetry_after(&self) -> Option<u64> {
        self.later.symmetry_after.filter(|_| !self.has_callers() && self.added.lazy.is_empty())
    }

    fn add_directives(&mut self, program: &Program, options: &SolveOptions, stages: Stages) {
        let Self { atoms, engine, .. } = self;
        if stages.acyclicity && !program.edges.is_empty() {
            match edge_graph::build(program, atoms, engine) {
                Some(graph) => {
                    engine.add_propagator(Box::new(Acyclicity::new(graph)));
                }
                None => self.ok = false,
            }
        }
        let directed = !program.heuristics.is_empty() || options.domain_default.is_some();
        if options.domain_heuristic && directed {
            heuristics::install(program, options, atoms, engine);
        }
    }

    /// The engine's literal for a program literal.
    pub(crate) fn lit(&self, literal: Literal) -> Lit {
        self.atoms.of(literal)
    }

    /// The literals of all atoms, each once.
    pub(crate) fn atom_lits(&self) -> Vec<Lit> {
        let mut lits = self.atoms.lits.clone();
        lits.sort_unstable_by_key(|l| l.var());
        lits.dedup_by_key(|l| l.var());
        lits
    }

    /// A literal that is equivalent to a conjunction; a new variable if necessary.
    pub(crate) fn conjunction(&mut self, literals: &[Literal]) -> Lit {
        let mut lits: Vec<Lit> = literals.iter().map(|&l| self.lit(l)).collect();
        conjunction(&mut self.engine, self.atoms.truth, &mut lits)
    }

    /// The assumptions that give externals their values.
    pub(crate) fn external_assumptions(&self, program: &Program) -> Vec<Lit> {
        let Covered { externals, defined, .. } = &self.covered;
        if externals.is_empty() {
            return Vec::new();
        }
        let mut last: Vec<ExternalValue> = vec![ExternalValue::Free; defined.len()];
        for &(a, v) in &program.externals {
            last[a.0 as usize] = v;
        }
        let value = |a: asp_program::AtomId| match last[a.0 as usize] {
            ExternalValue::True => Some(self.lit(Literal::pos(a))),
            ExternalValue::False | ExternalValue::Release => Some(self.lit(Literal::neg(a))),
            ExternalValue::Free => None,
        };
        externals.iter().filter_map(|&a| value(a)).collect()
    }

    /// Logs the model in the engine, if there is a log of a proof.
    pub(crate) fn log_model(&mut self) {
        let Self { engine, atoms, .. } = self;
        if engine.proof.is_none() {
            return;
        }
        let model = atoms.lits.iter().map(|&lit| engine.value(lit) == Some(true)).collect();
        if let Some(proof) = &mut engine.proof {
            proof.models.push(model);
        }
    }

    /// Lets an interrupt stop stability tests, too.
    pub(crate) fn set_interrupt(&mut self, interrupt: &Interrupt) {
        for &id in &self.added.testers {
            self.engine.with_propagator(id, |p: &mut Tester, _| p.interrupt = interrupt.clone());
        }
    }

    /// Why a stability test of the last model was stopped, if one was.
    pub(crate) fn undecided(&mut self) -> Option<StopReason> {
        let Self { added, engine, .. } = self;
        added
            .testers
            .iter()
            .find_map(|&id| engine.with_propagator(id, |p: &mut Tester, _| p.undecided.take()).flatten())
    }

    /// Whether a total assignment of the engine is a model for certain, and nothing logs it.
    pub(crate) fn decides_models(&self) -> bool {
        self.added.testers.is_empty() && self.engine.proof.is_none()
    }

    /// By grounding call and kept constraint: the number of instances made of it.
    pub(crate) fn made(&mut self) -> Vec<Vec<u64>> {
        let Self { added, engine, .. } = self;
        let made = |&id: &PropagatorId| engine.with_propagator(id, |p: &mut Lazy, _| p.made.clone());
        added.lazy.iter().map(made).map(Option::unwrap_or_default).collect()
    }

    /// Lets a relaxation bound the objective in the search, for a share of the work in percent, once a goal is
    /// [demanded](Self::demand_goal).
    pub(crate) fn install_relaxation(&mut self, relaxation: Relaxation, percent: u32) {
        let id = relaxation.install(&mut self.engine, self.added.bounding, percent);
        self.added.bounding = Some(id);
    }

    /// The terms of the bounded objective add up to at most the goal while the guard is true.
    pub(crate) fn demand_goal(&mut self, guard: Lit, goal: i128) {
        if let Some(id) = self.added.bounding {
            self.engine.with_propagator(id, |bounding: &mut Bounding, _| bounding.demand(guard, goal));
        }
    }

    /// No objective is bounded any more.
    pub(crate) fn remove_relaxation(&mut self) {
        if let Some(id) = self.added.bounding {
            self.engine.with_propagator(id, |bounding: &mut Bounding, _| bounding.remove());
        }
    }

    /// Shows the graphs in which unfounded sets are found.
    pub(crate) fn with_loop_graphs(&mut self, see: &mut dyn FnMut(&LoopGraph)) {
        for &id in &self.added.unfounded {
            self.engine.with_propagator(id, |p: &mut Unfounded, _| see(&p.graph));
        }
    }

    /// Adds the counters of this translation to those of the engine.
    pub(crate) fn statistics(&mut self) -> Statistics {
        let mut s = Statistics { search: self.engine.statistics(), ..self.sizes.clone() };
        for &id in &self.added.unfounded {
            let (loops, literals) =
                self.engine.with_propagator(id, |p: &mut Unfounded, _| p.loops).unwrap_or((0, 0));
            s.loops += loops;
            s.loop_literals += literals;
        }
        for &id in &self.added.lazy {
            s.lazy.1 += self.engine.with_propagator(id, |p: &mut Lazy, _| p.made.iter().sum()).unwrap_or(0);
        }
        for &id in &self.added.testers {
            let tests = self.engine.with_propagator(id, |p: &mut Tester, _| p.tests).unwrap_or((0, 0));
            s.stability_tests.0 += tests.0;
            s.stability_tests.1 += tests.1;
        }
        s
    }
}
