//! Which predicates are functional: exactly one atom holds for each value of some columns, by a choice.
//!
//! `{ p(X,1..9) } = 1 :- d(X).` with facts `d` makes `p` functional in its second column. Only complete predicates are
//! considered, and a choice without a body stays in force in all later calls, so the finding remains true of the atoms known
//! here.
//!
//! Invariant: each group of atoms with one key is exactly the set of elements of one such choice, or a lone fact.

use super::Knowledge;
use crate::state::State;
use asp_base::map::Map;
use asp_base::symbol::Sym;
use asp_program::ground_program::{Function as AggregateFunction, HeadAggregate, HeadElement};
use asp_program::intervals::sum_intervals;
use asp_program::{AtomId, Program};
use asp_rewrite::improve::equations::{Function, Functions};
use asp_rewrite::predicate::PredId;

#[derive(Default)]
pub(crate) struct Functional {
    /// The number of head aggregates examined.
    seen: usize,
    /// Each element of a choice of exactly one, and the choice; sorted.
    choices: Vec<(AtomId, usize)>,
    functions: Map<(PredId, Vec<usize>), Option<Function>>,
    /// The predicates of keys.
    keys: Map<(PredId, Vec<usize>), PredId>,
}

impl Functional {
    /// Looks at the choices that are new.
    fn update(&mut self, state: &State<'_>) {
        let all = &state.program.head_aggregates;
        for (i, choice) in all.iter().enumerate().skip(self.seen) {
            if is_exactly_one(choice, state) {
                self.choices.extend(choice.elements.iter().filter_map(|e| e.atom).map(|atom| (atom, i)));
            }
        }
        if self.seen < all.len() {
            self.choices.sort_unstable();
            self.seen = all.len();
        }
    }

    /// The choices of exactly one that have this element.
    fn of(&self, atom: AtomId) -> impl Iterator<Item = usize> + '_ {
        let start = self.choices.partition_point(|&(a, _)| a < atom);
        self.choices[start..].iter().take_while(move |&&(a, _)| a == atom).map(|&(_, choice)| choice)
    }

    fn find(&mut self, pred: PredId, columns: &[usize], state: &State<'_>) -> Option<Function> {
        self.update(state);
        let domain = &state.domains[pred];
        let may_be =
            |row| domain.is_fact(row) || domain.atom(row).is_some_and(|a| self.of(a).next().is_some());
        if !(0..domain.len()).all(may_be) {
            return None;
        }
        let key = keys_of(pred, columns, state);
        let mut places: Map<Vec<Sym>, usize> = Map::default();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut last: Option<(u32, usize)> = None;
        let mut ranges: Vec<Option<(i64, i64)>> = vec![Some((i64::MAX, i64::MIN)); columns.len()];
        for row in 0..domain.len() {
            let args = domain.table().args(row);
            // The atoms of a choice mostly stand together.
            let same =
                last.filter(|&(other, _)| key.iter().all(|&c| args[c] == domain.table().arg(other, c)));
            let place = same.map_or_else(
                || *places.entry(key.iter().map(|&c| args[c]).collect()).or_insert(groups.len()),
                |(_, place)| place,
            );
            match groups.get_mut(place) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
            last = Some((row, place));
            for (range, &c) in ranges.iter_mut().zip(columns) {
                let value = state.symbols.as_num(args[c]);
                *range = range.zip(value).map(|((low, high), n)| (low.min(n), high.max(n)));
            }
        }
        let is_function = |rows: &Vec<u32>| {
            if let [row] = rows[..]
                && domain.is_fact(row)
            {
                return true;
            }
            let atoms: Option<Vec<AtomId>> = rows.iter().map(|&row| domain.atom(row)).collect();
            let Some(mut atoms) = atoms else { return false };
            atoms.sort_unstable();
            self.of(atoms[0]).any(|i| elements(&state.program.head_aggregates[i]) == atoms)
        };
        let all = groups.iter().all(is_function);
        let rows = f64::from(domain.len());
        (all && rows > 0.0).then_some(Function { keys: groups.len() as f64, rows, ranges })
    }

    /// The predicate whose facts are the keys of a function.
    pub(crate) fn keys(&mut self, pred: PredId, columns: &[usize], state: &mut State<'_>) -> PredId {
        if let Some(&known) = self.keys.get(&(pred, columns.to_vec())) {
            return known;
        }
        let key = keys_of(pred, columns, state);
        let table = state.domains[pred].table();
        let rows: Vec<Vec<Sym>> =
            (0..table.len()).map(|row| key.iter().map(|&c| table.arg(row, c)).collect()).collect();
        let keys = state.add_auxiliary(key.len());
        for args in &rows {
            let (row, _) = state.domains[keys].insert(args);
            state.domains[keys].set_fact(row);
        }
        let domain = &mut state.domains[keys];
        (domain.old_end, domain.delta_end) = (domain.len(), domain.len());
        state.complete[keys] = true;
        self.keys.insert((pred, columns.to_vec()), keys);
        keys
    }
}

/// The other columns.
fn keys_of(pred: PredId, columns: &[usize], state: &State<'_>) -> Vec<usize> {
    (0..state.predicates[pred].signature.arity as usize).filter(|c| !columns.contains(c)).collect()
}

/// The atoms of a choice, ascending.
fn elements(choice: &HeadAggregate) -> Vec<AtomId> {
    let mut atoms: Vec<AtomId> = choice.elements.iter().filter_map(|e| e.atom).collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// Whether exactly one of the elements, none of which has a condition, holds whatever else does.
fn is_exactly_one(choice: &HeadAggregate, state: &State<'_>) -> bool {
    let program: &Program = state.program;
    let plain = |e: &HeadElement| e.atom.is_some() && program.literals(e.condition).is_empty();
    choice.set
        && choice.function == AggregateFunction::Count
        && program.literals(choice.body).is_empty()
        && choice.elements.iter().all(plain)
        && sum_intervals(&choice.guards, 0, choice.elements.len() as i128, state.symbols) == [(1, 1)]
}

impl Functions for Knowledge<'_, '_, &mut Functional> {
    fn number(&self, term: Sym) -> Option<i64> {
        self.state.symbols.as_num(term)
    }
    fn function(&mut self, pred: PredId, columns: &[usize]) -> Option<Function> {
        let name = (pred, columns.to_vec());
        if let Some(known) = self.found.functions.get(&name) {
            return known.clone();
        }
        let found = self.found.find(pred, columns, self.state);
        self.found.functions.insert(name, found.clone());
        found
    }
}
