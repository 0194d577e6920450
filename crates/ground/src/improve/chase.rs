//! Applies [`asp_rewrite::improve::chase`]: which columns of a predicate determine others.
//!
//! A group of atoms is *exclusive* if at most one of them holds in each answer set: if one rule, or one choice of at most one,
//! derives all its atoms, or if several do whose bodies contain different atoms of another exclusive group, since then at most
//! one of the bodies holds. That is an induction: no group may depend on itself.
//!
//! Invariant: only complete predicates count, and only if the program is grounded in one call, so that all their rules
//! are written.

use super::Knowledge;
use crate::domain::table::Table;
use crate::instantiate::Instantiator;
use crate::state::State;
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};
use asp_program::AtomId;
use asp_program::ground_program::Function;
use asp_program::intervals::sum_intervals;
use asp_program::rule::{Body as GroundBody, RuleId};
use asp_rewrite::improve::chase::{self, Chased, Key, Known};
use asp_rewrite::improve::{Rewriting, Sizes};
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Head, Rule};

/// Predicates of more columns have no key that [`share`] looks for.
const MAX_KEYED: usize = 5;

#[derive(Default)]
pub(crate) struct Keys {
    /// Those that constraints say, once they were looked for.
    said: Option<Vec<Key>>,
    /// Whether the atoms that agree in some columns are exclusive.
    exclusive: Map<(PredId, Vec<usize>), bool>,
    ranges: Map<(PredId, usize), Option<(i64, i64)>>,
}

/// The rule with what its body implies.
pub(crate) fn chased(run: &mut Instantiator<'_>, rule: &Rule) -> Option<Chased> {
    let state = &mut run.machine.state;
    let rewritings = state.options.rewritings;
    // Questions relax rules that a key may come from; later calls may derive more atoms.
    if !rewritings.has(Rewriting::Chase) || !state.options.answers_only || state.first_atom.0 > 0 {
        return None;
    }
    if !matches!(rule.head, Head::Constraint)
        && (run.readers.have_objective || run.readers.keeps_instances(rule))
    {
        return None;
    }
    let rules = run.readers.rules;
    run.keys.said.get_or_insert_with(|| rules.iter().filter_map(chase::key).collect());
    let mut known = Knowledge { state, found: (&mut run.keys, rules) };
    chase::chase(rule, rules, &mut known, rewritings.is_eager())
}

/// The greatest part of a predicate's atoms that holds at once, by its keys; `None` if there are none.
pub(super) fn share(run: &mut Instantiator<'_>, pred: PredId) -> Option<f64> {
    let state = &mut run.machine.state;
    if !state.options.answers_only || state.first_atom.0 > 0 {
        return None;
    }
    let arity = state.predicates[pred].signature.arity as usize;
    if !(1..=MAX_KEYED).contains(&arity) {
        return None;
    }
    let rules = run.readers.rules;
    run.keys.said.get_or_insert_with(|| rules.iter().filter_map(chase::key).collect());
    let mut known = Knowledge { state, found: (&mut run.keys, rules) };
    let rows = known.rows(pred).max(1.0);
    let mut least: Option<f64> = None;
    for i in 0..arity {
        for j in i..arity {
            let by: Vec<usize> = (0..arity).filter(|&c| c != i && c != j).collect();
            let determined = known.determined(pred, &by);
            if determined.contains(&i) && determined.contains(&j) {
                let keys: f64 = by.iter().map(|&c| known.distinct(pred, c)).product();
                let share = (keys / rows).min(1.0);
                least = Some(least.map_or(share, |least| least.min(share)));
            }
        }
    }
    least
}

impl Known for Knowledge<'_, '_, (&mut Keys, &[Rule])> {
    fn determined(&mut self, pred: PredId, by: &[usize]) -> Vec<usize> {
        let said = self.found.0.said.iter().flatten().filter(|k| k.pred == pred);
        let fits = |k: &&Key| k.columns.iter().all(|c| by.contains(c));
        let mut out: Vec<usize> = said.filter(fits).map(|k| k.determined).collect();
        let name = (pred, by.to_vec());
        let exclusive = match self.found.0.exclusive.get(&name) {
            Some(&known) => known,
            None => {
                let found = is_exclusive(pred, by, self.state, self.found.1).is_some();
                self.found.0.exclusive.insert(name, found);
                found
            }
        };
        if exclusive {
            out.extend(0..self.state.predicates[pred].signature.arity as usize);
        }
        out.retain(|c| !by.contains(c));
        out.sort_unstable();
        out.dedup();
        out
    }
    fn range(&mut self, pred: PredId, column: usize) -> Option<(i64, i64)> {
        let find = || self.state.domains[pred].range(column, self.state.symbols);
        *self.found.0.ranges.entry((pred, column)).or_insert_with(find)
    }
    fn has_fact(&self, pred: PredId, fits: &dyn Fn(usize, Sym) -> bool) -> bool {
        let domain = &self.state.domains[pred];
        let fits = |row: u32| domain.table().args(row).iter().enumerate().all(|(c, &value)| fits(c, value));
        (0..domain.len()).any(|row| domain.is_fact(row) && fits(row))
    }
    fn number(&self, term: Sym) -> Option<i64> {
        self.state.symbols.as_num(term)
    }
    fn symbols(&mut self) -> &mut Symbols {
        self.state.symbols
    }
}

/// The atoms that agree in some columns.
#[derive(Default)]
struct Group {
    atoms: u32,
    facts: u32,
    /// The body of each rule or choice that may derive one of them.
    bodies: Vec<Body>,
}

/// A body, to compare; equal ones are of one rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Body {
    Choice(usize),
    Rule(usize),
}

/// Whether the groups of atoms that agree in some columns are exclusive.
fn is_exclusive(pred: PredId, by: &[usize], state: &State<'_>, rules: &[Rule]) -> Option<()> {
    if !rules.iter().all(|r| is_plain(r, pred)) {
        return None;
    }
    let (mut groups, group_of) = groups(pred, by, state);
    let program = &*state.program;
    for (i, choice) in program.head_aggregates.iter().enumerate() {
        let own = choice.elements.iter().filter_map(|e| group_of.get(&e.atom?));
        let mut any = false;
        for &group in own {
            any = true;
            groups[group as usize].bodies.push(Body::Choice(i));
        }
        let most = |count: usize| sum_intervals(&choice.guards, 0, count as i128, state.symbols);
        let at_most_one = || {
            choice.set
                && choice.function == Function::Count
                && most(choice.elements.len()).iter().all(|&(_, high)| high <= 1)
        };
        if any && !at_most_one() {
            return None;
        }
    }
    for (i, rule) in program.rules.iter().enumerate() {
        let heads = rule.head.atoms();
        for group in heads.iter().filter_map(|atom| group_of.get(atom)) {
            if heads.len() > 1 || matches!(rule.body, GroundBody::Weight { .. }) {
                return None;
            }
            groups[*group as usize].bodies.push(Body::Rule(i));
        }
    }
    let mut below: Vec<Option<u32>> = vec![None; groups.len()];
    for (group, below) in groups.iter_mut().zip(&mut below) {
        group.bodies.sort_unstable();
        group.bodies.dedup();
        if group.facts > 0 && group.atoms > 1 {
            return None;
        }
        if group.atoms > 1 && group.bodies.len() > 1 {
            *below = Some(told_apart(&group.bodies, &group_of, state)?);
        }
    }
    is_acyclic(&below).then_some(())
}

/// Whether a rule derives no atom of a predicate, or only in a way that is analysed.
fn is_plain(rule: &Rule, pred: PredId) -> bool {
    !rule.head.derives(|a| a.pred == pred) || matches!(rule.head, Head::Atom(_) | Head::Aggregate { .. })
}

/// The groups of a predicate's atoms, and which one each atom is in.
fn groups(pred: PredId, by: &[usize], state: &State<'_>) -> (Vec<Group>, Map<AtomId, u32>) {
    let domain = &state.domains[pred];
    let mut keys = Table::new(by.len());
    let (mut groups, mut group_of): (Vec<Group>, _) = (Vec::new(), Map::default());
    let mut key: Vec<Sym> = Vec::new();
    for row in 0..domain.len() {
        key.clear();
        key.extend(by.iter().map(|&c| domain.table().arg(row, c)));
        let (group, new) = keys.insert(&key);
        if new {
            groups.push(Group::default());
        }
        let own = &mut groups[group as usize];
        own.atoms += 1;
        own.facts += u32::from(domain.is_fact(row));
        if let Some(atom) = domain.atom(row) {
            group_of.insert(atom, group);
        }
    }
    (groups, group_of)
}

/// An exclusive group with a different atom in each of several bodies.
fn told_apart(bodies: &[Body], group_of: &Map<AtomId, u32>, state: &State<'_>) -> Option<u32> {
    let positive = |body: Body| {
        let literals = match body {
            Body::Choice(i) => state.program.literals(state.program.head_aggregates[i].body),
            Body::Rule(i) => state.program.rules.get(RuleId(i as u32)).body.literals(),
        };
        let own = literals.iter().filter(|l| !l.is_neg());
        own.filter_map(|l| Some((l.atom(), *group_of.get(&l.atom())?))).collect::<Vec<_>>()
    };
    positive(*bodies.first()?).into_iter().map(|(_, group)| group).find(|&group| {
        let in_group = |&body: &Body| positive(body).into_iter().find(|a| a.1 == group).map(|a| a.0);
        let atoms: Option<Vec<AtomId>> = bodies.iter().map(in_group).collect();
        atoms.is_some_and(|mut atoms| {
            atoms.sort_unstable();
            atoms.windows(2).all(|pair| pair[0] != pair[1])
        })
    })
}

/// Whether following one group to the one below always ends.
fn is_acyclic(below: &[Option<u32>]) -> bool {
    let mut ends = vec![0usize; below.len()];
    for start in 0..below.len() {
        let mut at = start;
        while ends[at] == 0 {
            ends[at] = start + 1;
            match below[at] {
                Some(next) => at = next as usize,
                None => break,
            }
        }
        if ends[at] == start + 1 && below[at].is_some() {
            return false;
        }
    }
    true
}
