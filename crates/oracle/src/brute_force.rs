//! All answer sets of a tiny program by the definition: the oracle for lowering, solving and everything else.
//!
//! A world is an answer set if it satisfies the program and no smaller world satisfies its reduct. Worlds are tried one
//! by one; a partial world is dropped only if, in each of its completions, a rule is violated or an atom has lost all
//! its rules. Constructs that have not been lowered are read directly.

use super::check::Checker;
use super::evaluate::{Truth, Worlds};
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, Symbols};
use asp_program::AtomId;
use asp_program::ground_program::{Objective, Program};
use asp_program::rule::RuleId;

/// An answer set: truth by atom.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AnswerSet(Vec<bool>);

impl AnswerSet {
    /// An answer set from the truth of each atom.
    pub fn new(truth: Vec<bool>) -> Self {
        Self(truth)
    }
    /// Whether the atom is true.
    pub fn contains(&self, atom: AtomId) -> bool {
        self.0.get(atom.0 as usize).copied().unwrap_or(false)
    }
    /// Truth by atom.
    pub fn truth(&self) -> &[bool] {
        &self.0
    }
    fn worlds<'a>(&self, program: &'a Program, symbols: &'a Symbols, world: &'a [Truth]) -> Worlds<'a> {
        Worlds { program, symbols, here: world, there: world }
    }
    fn world(&self) -> Vec<Truth> {
        self.0.iter().map(|&t| Some(t)).collect()
    }
    /// The true named atoms, printed and sorted.
    pub fn atoms(&self, program: &Program, symbols: &Symbols) -> Vec<String> {
        let named = program.atoms.ids().filter(|&a| self.contains(a) && program.atoms.get(a).is_some());
        let print = |atom| {
            let mut text = String::new();
            program.atoms.write(atom, symbols, &mut text);
            text
        };
        let mut atoms: Vec<String> = named.map(print).collect();
        atoms.sort_unstable();
        atoms
    }
    /// The terms that the program's `shows` show of it, printed and sorted, each once.
    pub fn shown(&self, program: &Program, symbols: &Symbols) -> Vec<String> {
        let world = self.world();
        let worlds = self.worlds(program, symbols, &world);
        let print = |item| {
            let mut text = String::new();
            program.write_shown(item, symbols, &mut text);
            text
        };
        let holds = program.shows.iter().filter(|s| worlds.conjunction(s.condition) == Some(true));
        let mut shown: Vec<String> = holds.map(|s| print(s.item)).collect();
        shown.sort_unstable();
        shown.dedup();
        shown
    }
    /// Costs by the tuples of the objective, most important level first. `None` if a sum exceeds 64 bits.
    pub fn costs(&self, program: &Program, symbols: &Symbols) -> Option<Vec<i64>> {
        if program.minimize.is_empty() {
            return self.objective_costs(&program.objectives);
        }
        let world = self.world();
        let worlds = self.worlds(program, symbols, &world);
        let mut levels: Vec<i64> = program.minimize.iter().map(|e| e.priority).collect();
        levels.sort_unstable_by(|a, b| b.cmp(a));
        levels.dedup();
        let cost = |priority| {
            let tuples = program.minimize.iter().filter(|e| e.priority == priority);
            let holds = tuples.filter(|e| worlds.conjunction(e.condition) == Some(true));
            let counted: Set<(i64, &[Sym])> = holds.map(|e| (e.weight, program.terms(e.tuple))).collect();
            i64::try_from(counted.iter().map(|t| i128::from(t.0)).sum::<i128>()).ok()
        };
        levels.into_iter().map(cost).collect()
    }
    /// Costs by lowered objectives. `None` if a sum exceeds 64 bits.
    pub fn objective_costs(&self, objectives: &[Objective]) -> Option<Vec<i64>> {
        let cost = |objective: &Objective| {
            let holds = objective.literals.iter().filter(|(l, _)| self.contains(l.atom()) != l.is_neg());
            let sum = i128::from(objective.constant) + holds.map(|&(_, w)| i128::from(w)).sum::<i128>();
            i64::try_from(sum).ok()
        };
        objectives.iter().map(cost).collect()
    }
}

/// All answer sets, in order of their truth values.
pub fn answer_sets(program: &Program, symbols: &Symbols) -> Vec<AnswerSet> {
    let checker = Checker::new(program, symbols);
    let supports = supports(program, &checker);
    let free: Vec<AtomId> = program.atoms.ids().filter(|a| !checker.defined.contains(a)).collect();
    let mut world: Vec<Truth> = vec![None; program.atoms.len()];
    let mut result = Vec::new();
    let mut depth = 0;
    loop {
        let worlds = Worlds { program, symbols, here: &world, there: &world };
        let unsupported = |(atom, rules): (&AtomId, &Vec<u32>)| {
            let body = |&r: &u32| worlds.body(program.rules.get(RuleId(r)).body);
            world[atom.0 as usize] == Some(true) && rules.iter().all(|r| body(r) == Some(false))
        };
        let mut retreat = checker.model(worlds).is_err() || supports.iter().any(unsupported);
        if !retreat {
            if depth < free.len() {
                world[free[depth].0 as usize] = Some(false);
                depth += 1;
            } else {
                if checker.satisfied(&mut world).is_ok() && checker.founded(&world).is_ok() {
                    result.push(AnswerSet(world.iter().map(|&t| t == Some(true)).collect()));
                }
                checker.defined.iter().for_each(|a| world[a.0 as usize] = None);
                retreat = true;
            }
        }
        while retreat {
            let Some(last) = depth.checked_sub(1) else { return result };
            let value = &mut world[free[last].0 as usize];
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

/// The plain rules of each atom that only plain rules can derive.
fn supports(program: &Program, checker: &Checker<'_>) -> Map<AtomId, Vec<u32>> {
    let mut supports: Map<AtomId, Vec<u32>> = program.atoms.ids().map(|a| (a, Vec::new())).collect();
    for (i, rule) in (0..).zip(program.rules.iter()) {
        for atom in rule.head.atoms() {
            supports.entry(*atom).or_default().push(i);
        }
    }
    let other = program.head_aggregates_to_lower();
    let other = other.iter().flat_map(|r| r.elements.iter().filter_map(|e| e.atom));
    let disjunctions = program.disjunctions_to_lower();
    let literals = disjunctions.iter().flat_map(|r| r.elements.iter().flat_map(|e| program.literals(e.head)));
    for atom in other.chain(literals.map(|l| l.atom())) {
        supports.remove(&atom);
    }
    let kept = checker.open.iter().chain(checker.fixed.keys()).chain(&checker.defined);
    kept.for_each(|a| {
        supports.remove(a);
    });
    supports
}

/// The answer sets with the least costs, if there is an objective; otherwise all.
pub fn optimal(program: &Program, symbols: &Symbols, sets: &[AnswerSet]) -> Vec<AnswerSet> {
    let costs = |set: &AnswerSet| set.costs(program, symbols);
    let best = sets.iter().map(costs).min();
    sets.iter().filter(|s| Some(costs(s)) == best).cloned().collect()
}

/// The distinct projections of answer sets to the `#project` atoms (to all atoms without `#project`), sorted.
pub fn projected(program: &Program, sets: &[AnswerSet]) -> Vec<Vec<AtomId>> {
    let atoms = match &program.project {
        Some(atoms) => atoms.clone(),
        None => program.atoms.ids().collect(),
    };
    let project = |set: &AnswerSet| {
        let mut kept: Vec<AtomId> = atoms.iter().copied().filter(|&a| set.contains(a)).collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    };
    let mut result: Vec<_> = sets.iter().map(project).collect();
    result.sort_unstable();
    result.dedup();
    result
}
