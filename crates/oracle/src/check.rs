//! Independent checker of answer sets: every rule is satisfied and every atom is founded.
//!
//! It reads constructs that have not been lowered directly and is independent of how lowering and solving work. Atoms
//! are founded if the rules of the reduct force each of them (a fixpoint); where disjunctions or non-monotone
//! aggregates leave some unforced, a bounded search looks for a smaller model of the reduct.

use super::evaluate::{self, Truth, Worlds};
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, Symbols};
use asp_program::defined::derived_since;
use asp_program::ground_program::{ExternalValue, Literals, Program};
use asp_program::rule::{Head, RuleId};
use asp_program::{AtomId, Literal};

/// A reason why a candidate is not an answer set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// A plain rule is not satisfied.
    Rule(RuleId),
    /// A rule with a head aggregate (by index) is not satisfied.
    HeadAggregate(usize),
    /// A rule with a conditional disjunction (by index) is not satisfied.
    Disjunction(usize),
    /// An auxiliary atom differs from its definition.
    Definition(AtomId),
    /// An external atom without rules differs from its value.
    External(AtomId),
    /// An assumed literal does not hold.
    Assumption(Literal),
    /// The constraint over integers of an atom is violated.
    Integers(AtomId),
    /// The edges that hold form a cycle.
    Cycle,
    /// Without these atoms the reduct is still satisfied.
    Unfounded(Vec<AtomId>),
    /// The search for a smaller model of the reduct reached its limit.
    GaveUp,
}

/// Steps of the search for a smaller model after which it gives up.
const LIMIT: u32 = 1_000_000;

/// Checks a candidate, given as truth by atom (auxiliary atoms that have not been lowered are computed).
pub fn check(program: &Program, symbols: &Symbols, candidate: &[bool]) -> Result<(), Violation> {
    let mut world: Vec<Truth> = candidate.iter().map(|&t| Some(t)).collect();
    world.resize(program.atoms.len(), Some(false));
    let checker = Checker::new(program, symbols);
    checker.satisfied(&mut world)?;
    checker.founded(&world)
}

/// A program with the data that its checks need.
pub(crate) struct Checker<'a> {
    pub(crate) program: &'a Program,
    pub(crate) symbols: &'a Symbols,
    /// Atoms that are free to be true or false: free externals and theory atoms without rules.
    pub(crate) open: Set<AtomId>,
    /// External atoms without rules that have a fixed value.
    pub(crate) fixed: Map<AtomId, bool>,
    /// Auxiliary atoms that have not been lowered.
    pub(crate) defined: Set<AtomId>,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(program: &'a Program, symbols: &'a Symbols) -> Self {
        let mut heads: Set<AtomId> = Set::default();
        heads.extend(derived_since(program, 0));
        for rule in program.head_aggregates_to_lower() {
            heads.extend(rule.elements.iter().filter_map(|e| e.atom));
        }
        for rule in program.disjunctions_to_lower() {
            let literals = rule.elements.iter().flat_map(|e| program.literals(e.head));
            heads.extend(literals.filter(|l| !l.is_neg()).map(|l| l.atom()));
        }
        let definitions = program.definitions_to_lower();
        let defined: Set<AtomId> = definitions.iter().map(|d| d.atom).collect();
        let (mut open, mut fixed): (Set<AtomId>, Map<_, _>) = (Set::default(), Map::default());
        let theory = program.theory.atoms.iter().filter_map(|a| a.atom);
        open.extend(theory.filter(|a| !heads.contains(a)));
        for &(atom, value) in &program.externals {
            if heads.contains(&atom) {
                continue;
            }
            open.remove(&atom);
            fixed.remove(&atom);
            match value {
                ExternalValue::Free => {
                    open.insert(atom);
                }
                ExternalValue::True => {
                    fixed.insert(atom, true);
                }
                ExternalValue::False | ExternalValue::Release => {
                    fixed.insert(atom, false);
                }
            }
        }
        Self { program, symbols, open, fixed, defined }
    }

    fn worlds<'w>(&'w self, here: &'w [Truth], there: &'w [Truth]) -> Worlds<'w> {
        Worlds { program: self.program, symbols: self.symbols, here, there }
    }

    /// Whether the world satisfies everything; sets defined atoms.
    pub(crate) fn satisfied(&self, world: &mut [Truth]) -> Result<(), Violation> {
        evaluate::fill_classical(self.program, self.symbols, world);
        let worlds = self.worlds(world, world);
        self.model(worlds)?;
        for (&atom, &value) in &self.fixed {
            if world[atom.0 as usize] != Some(value) {
                return Err(Violation::External(atom));
            }
        }
        if let Some(&literal) = self.program.assumptions.iter().find(|&&l| worlds.literal(l) != Some(true)) {
            return Err(Violation::Assumption(literal));
        }
        if let Some(atom) = super::integers::violated(self.program, self.symbols, world) {
            return Err(Violation::Integers(atom));
        }
        if self.has_cycle(self.worlds(world, world)) { Err(Violation::Cycle) } else { Ok(()) }
    }

    /// Whether no rule is certainly violated in a pair of worlds.
    pub(crate) fn model(&self, worlds: Worlds<'_>) -> Result<(), Violation> {
        let program = self.program;
        if let Some(i) = program.rules.iter().position(|r| worlds.rule(r) == Some(false)) {
            return Err(Violation::Rule(RuleId(i as u32)));
        }
        let rules = program.head_aggregates_to_lower();
        if let Some(i) = rules.iter().position(|r| worlds.head_aggregate(r) == Some(false)) {
            return Err(Violation::HeadAggregate(program.head_aggregates.len() - rules.len() + i));
        }
        let rules = program.disjunctions_to_lower();
        if let Some(i) = rules.iter().position(|r| worlds.disjunction(r) == Some(false)) {
            return Err(Violation::Disjunction(program.disjunctions.len() - rules.len() + i));
        }
        Ok(())
    }

    fn has_cycle(&self, worlds: Worlds<'_>) -> bool {
        let holds = |condition: Literals| worlds.conjunction(condition) == Some(true);
        let mut edges: Vec<(Sym, Sym)> =
            self.program.edges.iter().filter(|e| holds(e.condition)).map(|e| (e.from, e.to)).collect();
        // An edge to a node without outgoing edges lies on no cycle.
        loop {
            let tails: Set<Sym> = edges.iter().map(|e| e.0).collect();
            let before = edges.len();
            edges.retain(|e| tails.contains(&e.1));
            if edges.len() == before {
                return before > 0;
            }
        }
    }

    /// Whether no smaller world satisfies the reduct with respect to `there`, a world that satisfies everything.
    pub(crate) fn founded(&self, there: &[Truth]) -> Result<(), Violation> {
        let mut here = there.to_vec();
        let mut free = Vec::new();
        for (i, truth) in here.iter_mut().enumerate() {
            let atom = AtomId(i as u32);
            if *truth == Some(true) && !self.open.contains(&atom) && !self.fixed.contains_key(&atom) {
                *truth = None;
                if !self.defined.contains(&atom) {
                    free.push(atom);
                }
            }
        }
        self.force(&mut here, there);
        free.retain(|a| here[a.0 as usize].is_none());
        let mut steps = 0;
        if free.is_empty() || !self.smaller(&free, &mut here, there, &mut steps)? {
            return Ok(());
        }
        Err(Violation::Unfounded(free.into_iter().filter(|a| here[a.0 as usize] == Some(false)).collect()))
    }

    /// Sets atoms true that hold in each model of the reduct inside `here`.
    fn force(&self, here: &mut [Truth], there: &[Truth]) {
        let program = self.program;
        loop {
            evaluate::fill(program, self.symbols, here, there);
            let mut forced: Vec<AtomId> = Vec::new();
            let unknown = |a: AtomId| here[a.0 as usize].is_none();
            let worlds = self.worlds(here, there);
            for rule in program.rules.iter() {
                if !rule.head.atoms().iter().any(|&a| unknown(a)) || worlds.body(rule.body) != Some(true) {
                    continue;
                }
                match rule.head {
                    Head::Choice(atoms) => forced.extend(atoms.iter().filter(|&&a| unknown(a))),
                    Head::Disjunction(atoms) => {
                        let mut open = atoms.iter().filter(|a| here[a.0 as usize] != Some(false));
                        forced.extend(open.next().filter(|_| open.next().is_none()));
                    }
                }
            }
            for rule in program.head_aggregates_to_lower() {
                if worlds.conjunction(rule.body) == Some(true) {
                    let chosen = rule.elements.iter().filter(|e| {
                        !worlds.is_ignored(rule, e) && worlds.conjunction(e.condition) == Some(true)
                    });
                    forced.extend(chosen.filter_map(|e| e.atom).filter(|&a| unknown(a)));
                }
            }
            for rule in program.disjunctions_to_lower() {
                if worlds.conjunction(rule.body) != Some(true) {
                    continue;
                }
                let disjuncts = rule.elements.iter().flat_map(|e| {
                    program.literals(e.head).iter().map(|&l| (l, e.condition)).collect::<Vec<_>>()
                });
                let mut open = disjuncts.filter(|&(l, c)| worlds.disjunct(l, c) != Some(false));
                if let (Some((literal, condition)), None) = (open.next(), open.next())
                    && worlds.conjunction(condition) == Some(true)
                    && unknown(literal.atom())
                {
                    forced.push(literal.atom());
                }
            }
            if forced.is_empty() {
                return;
            }
            forced.iter().for_each(|a| here[a.0 as usize] = Some(true));
        }
    }

    /// Whether the atoms of `free` (true there) can be set, at least one to false, so that the reduct is satisfied. If
    /// so, `here` is such a world.
    fn smaller(
        &self,
        free: &[AtomId],
        here: &mut [Truth],
        there: &[Truth],
        steps: &mut u32,
    ) -> Result<bool, Violation> {
        // Depth-first over positions of `free`; each goes from unknown to false to true.
        let mut depth = 0;
        loop {
            *steps += 1;
            if *steps > LIMIT {
                return Err(Violation::GaveUp);
            }
            for &atom in &self.defined {
                here[atom.0 as usize] = None;
            }
            evaluate::fill(self.program, self.symbols, here, there);
            let mut retreat = self.model(self.worlds(here, there)).is_err();
            if !retreat {
                if depth == free.len() {
                    if free.iter().any(|a| here[a.0 as usize] == Some(false)) {
                        return Ok(true);
                    }
                    retreat = true;
                } else {
                    here[free[depth].0 as usize] = Some(false);
                    depth += 1;
                }
            }
            while retreat {
                let Some(last) = depth.checked_sub(1) else { return Ok(false) };
                let value = &mut here[free[last].0 as usize];
                if *value == Some(false) {
                    *value = Some(true);
                    retreat = false;
                } else {
                    *value = None;
                    depth = last;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brute_force::answer_sets;
    use asp_program::aspif_read::AspifReader;

    /// Rules as in aspif over atoms 1, 2, ...; a candidate lists the true ones. Atoms 1 to 4 come first, in order.
    #[track_caller]
    fn check_candidate(rules: &str, candidate: &[usize], expected: Result<(), Violation>) {
        let text = format!("asp 1 0 0\n1 1 4 1 2 3 4 0 1 -9\n1 0 1 9 0 0\n{rules}0\n");
        let (mut program, mut symbols) = (Program::new(), Symbols::new());
        AspifReader::new(text.as_bytes()).read_step(&mut program, &mut symbols).unwrap();
        let mut world: Vec<bool> = (1..=program.atoms.len()).map(|n| candidate.contains(&n)).collect();
        // The fifth atom that is read is 9, a fact.
        world[4] = true;
        let sets = answer_sets(&program, &symbols);
        assert_eq!(sets.iter().any(|s| s.truth() == world), expected.is_ok());
        assert_eq!(check(&program, &symbols, &world), expected);
    }

    #[test]
    fn loops_must_be_founded() {
        let rules = "1 0 1 1 0 1 2\n1 0 1 2 0 1 1\n1 1 1 3 0 0\n1 0 1 2 0 1 3\n";
        check_candidate(rules, &[], Ok(()));
        check_candidate(rules, &[1, 2, 3], Ok(()));
        check_candidate(rules, &[1, 2], Err(Violation::Unfounded(vec![AtomId(0), AtomId(1)])));
        check_candidate(rules, &[3], Err(Violation::Rule(RuleId(5))));
    }

    #[test]
    fn disjunctions_must_be_minimal() {
        let rules = "1 0 2 1 2 0 0\n1 0 1 1 0 1 2\n";
        check_candidate(rules, &[1], Ok(()));
        check_candidate(rules, &[1, 2], Err(Violation::Unfounded(vec![AtomId(1)])));
        // Each of the two derives the other: both together are minimal.
        let rules = "1 0 2 1 2 0 0\n1 0 1 1 0 1 2\n1 0 1 2 0 1 1\n";
        check_candidate(rules, &[1, 2], Ok(()));
    }

    #[test]
    fn weights_edges_externals_and_assumptions_count() {
        let rules = "1 1 2 1 2 0 0\n1 0 1 3 1 3 2 1 2 2 2\n";
        check_candidate(rules, &[1], Ok(()));
        check_candidate(rules, &[1, 2, 3], Ok(()));
        check_candidate(rules, &[2, 3, 4], Err(Violation::Unfounded(vec![AtomId(2), AtomId(3)])));
        check_candidate("8 0 1 0\n8 1 0 1 1\n1 1 1 1 0 0\n", &[1], Err(Violation::Cycle));
        check_candidate("8 0 1 0\n8 1 0 1 1\n1 1 1 1 0 0\n", &[], Ok(()));
        check_candidate("5 11 0\n", &[6], Ok(()));
        check_candidate("5 11 1\n", &[], Err(Violation::External(AtomId(5))));
        check_candidate("6 1 1\n1 1 1 1 0 0\n", &[], Err(Violation::Assumption(Literal::pos(AtomId(0)))));
    }
}
