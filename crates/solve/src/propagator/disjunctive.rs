//! Stability tests for disjunctive components with a cycle through two heads of a disjunction.
//!
//! Such components cannot be shifted, and testing a candidate for stability is a search problem itself. For each
//! component a second engine searches for a non-empty set of true atoms that is unfounded: each rule that could derive
//! one of them has a false body, needs an atom of the set, or has another true head outside it. The candidate's values
//! are assumptions, so the tester and its learned clauses are reused. A set that is found gives a loop nogood.
//! Invariant: a total assignment passes if and only if none of its atoms in the component is unfounded.
//!
//! Source: Gebser, Kaufmann and Schaub, *Advanced conflict-driven disjunctive answer set solving*, IJCAI 2013; Leone,
//! Rullo and Scarcello, *Disjunctive stable models*, Information and Computation 1997.

use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::Map;
use asp_engine::parameters::SolverParameters;
use asp_engine::propagator::{Conflict, Context, Keep, Propagator, View};
use asp_engine::store::literal::Lit;
use asp_engine::{Engine, Outcome};

/// A rule as its tester sees it. Atoms of the component have local numbers.
#[derive(Debug, Default)]
pub(crate) struct TestRule {
    pub(crate) heads: Vec<u32>,
    /// Heads outside of the component.
    pub(crate) outer_heads: Vec<Lit>,
    pub(crate) body: Option<Lit>,
    /// Positive atoms of a normal body.
    pub(crate) inner: Vec<u32>,
    /// A weight body with its bound.
    pub(crate) weights: Option<WeightBody>,
}

/// Literals with weights and, for atoms of the component, their local numbers; and the bound.
pub(crate) type WeightBody = (Vec<(Lit, i64, Option<u32>)>, i64);

/// Tests candidates for one component.
pub(crate) struct Tester {
    engine: Engine,
    atoms: Vec<Lit>,
    /// By atom: the program's atom.
    origin: Vec<u32>,
    /// By atom: the tester's literal for "is in the set".
    chosen: Vec<Lit>,
    rules: Vec<TestRule>,
    /// Pairs of a literal of the program's engine and its counterpart in the tester.
    mirrored: Vec<(Lit, Lit)>,
    /// Set by the call, to stop long tests.
    pub(crate) interrupt: Interrupt,
    /// If a test was stopped, the reason: the current candidate is then not known to be stable.
    pub(crate) undecided: Option<StopReason>,
    /// Number of tests, and of those that found an unfounded set.
    pub(crate) tests: (u64, u64),
}

/// The tester's literals for those of the program's engine.
#[derive(Default)]
struct Mirror {
    lits: Map<u32, Lit>,
    pairs: Vec<(Lit, Lit)>,
}

impl Mirror {
    fn of(&mut self, engine: &mut Engine, lit: Lit) -> Lit {
        let var = lit.var();
        let own = *self.lits.entry(var.0).or_insert_with(|| {
            let own = Lit::pos(engine.new_var());
            engine.freeze(own.var());
            self.pairs.push((Lit::pos(var), own));
            own
        });
        if lit.is_neg() { !own } else { own }
    }
}

impl Tester {
    /// A tester for a component with these atoms.
    pub(crate) fn new(
        atoms: Vec<Lit>,
        origin: Vec<u32>,
        rules: Vec<TestRule>,
        parameters: &SolverParameters,
    ) -> Self {
        let mut engine = Engine::new(parameters);
        let mut mirror = Mirror::default();
        let e = &mut engine;
        // Whether an atom is in the set; `kept` are true atoms outside it.
        let chosen: Vec<Lit> = atoms.iter().map(|_| Lit::pos(e.new_var())).collect();
        let kept: Vec<Lit> = atoms.iter().map(|_| Lit::pos(e.new_var())).collect();
        for (i, &lit) in atoms.iter().enumerate() {
            let (holds, x, k) = (mirror.of(e, lit), chosen[i], kept[i]);
            e.add_clause(&[!x, holds]);
            e.add_clause(&[!k, holds]);
            e.add_clause(&[!k, !x]);
            e.add_clause(&[k, !holds, x]);
        }
        e.add_clause(&chosen);
        let mut clause = Vec::new();
        for rule in &rules {
            let mut rest: Vec<Lit> = Vec::new();
            if let Some(body) = rule.body {
                rest.push(!mirror.of(e, body));
            }
            rest.extend(rule.inner.iter().map(|&a| chosen[a as usize]));
            for &h in &rule.outer_heads {
                rest.push(mirror.of(e, h));
            }
            if let Some((summands, bound)) = &rule.weights {
                let terms: Vec<(Lit, i64)> = summands
                    .iter()
                    .map(|&(l, w, atom)| (atom.map_or_else(|| mirror.of(e, l), |a| kept[a as usize]), w))
                    .collect();
                let reached = Lit::pos(e.new_var());
                e.add_weight(Some(reached), &terms, *bound);
                rest.push(!reached);
            }
            for &h in &rule.heads {
                clause.clear();
                clause.push(!chosen[h as usize]);
                clause.extend_from_slice(&rest);
                clause.extend(rule.heads.iter().filter(|&&o| o != h).map(|&o| kept[o as usize]));
                e.add_clause(&clause);
            }
        }
        Self {
            engine,
            atoms,
            origin,
            chosen,
            rules,
            mirrored: mirror.pairs,
            interrupt: Interrupt::new(),
            undecided: None,
            tests: (0, 0),
        }
    }

    /// Literals one of which must hold if an atom of the set does: for each rule that could derive one from outside, a
    /// literal that is currently false and would have to be true.
    fn escapes(&self, in_set: &[bool], context: &Context<'_>) -> Vec<Lit> {
        let mut escapes = Vec::new();
        for rule in &self.rules {
            let inside = |a: &u32| in_set[*a as usize];
            if !rule.heads.iter().any(inside) || rule.inner.iter().any(inside) {
                continue;
            }
            if let Some((summands, bound)) = &rule.weights {
                let outside = || summands.iter().filter(|s| s.2.is_none_or(|a| !in_set[a as usize]));
                let total: i128 = outside().map(|s| i128::from(s.1)).sum();
                if total < i128::from(*bound) {
                    continue;
                }
            }
            if let Some(body) = rule.body.filter(|&b| context.is_false(b)) {
                escapes.push(body);
                continue;
            }
            let outer = rule.outer_heads.iter().copied();
            let other = rule.heads.iter().filter(|&h| !inside(h)).map(|&h| self.atoms[h as usize]);
            if let Some(head) = outer.chain(other).find(|&h| context.is_true(h)) {
                escapes.push(!head);
                continue;
            }
            if let Some((summands, _)) = &rule.weights {
                let outside = summands.iter().filter(|s| s.2.is_none_or(|a| !in_set[a as usize]));
                escapes.extend(outside.map(|s| s.0).filter(|&l| context.is_false(l)));
            }
        }
        escapes.sort_unstable();
        escapes.dedup();
        escapes
    }
}

impl Propagator for Tester {
    // Only variables that are never eliminated have values to be read.
    fn attach(&mut self, _: &mut Context<'_>) {}

    fn propagate(&mut self, _: &mut Context<'_>, _: &[Lit]) -> Result<(), Conflict> {
        Ok(())
    }

    fn explain(&mut self, _: View<'_>, _: Lit, _: u32, _: &mut Vec<Lit>) {}

    fn check_model(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        if !self.atoms.iter().any(|&a| context.is_true(a)) {
            return Ok(());
        }
        self.tests.0 += 1;
        let assumptions: Vec<Lit> =
            self.mirrored.iter().map(|&(lit, own)| if context.is_true(lit) { own } else { !own }).collect();
        match self.engine.solve(&assumptions, &self.interrupt) {
            Outcome::Unsat => return Ok(()),
            Outcome::Unknown(reason) => {
                self.undecided = Some(reason);
                return Ok(());
            }
            Outcome::Sat => {}
        }
        self.tests.1 += 1;
        let in_set: Vec<bool> = self.chosen.iter().map(|&x| self.engine.value(x) == Some(true)).collect();
        let escapes = self.escapes(&in_set, context);
        let unfounded = self.atoms.iter().zip(&in_set).find(|x| *x.1).map(|x| *x.0);
        let atoms = self.origin.iter().zip(&in_set).filter(|x| *x.1).map(|x| *x.0);
        context.log_unfounded(atoms, escapes.iter().copied());
        let mut clause = escapes;
        clause.extend(unfounded.map(|atom| !atom));
        context.add_clause(&clause, Keep::WhileUseful)
    }

    fn priority(&self) -> u32 {
        100
    }
}
