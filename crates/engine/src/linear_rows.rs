//! The constraints near some literals as linear inequalities over 0 and 1, for bounds from their relaxation.
//!
//! Clauses, groups and sums that must hold are taken as they are; assumptions count as known. Invariant: every model under
//! the assumptions satisfies all rows.

use crate::Engine;
use crate::store::literal::Lit;
use asp_base::csr::Csr;
use asp_base::map::Map;

/// Linear inequalities.
#[derive(Debug, Default)]
pub(crate) struct LinearRows {
    /// By literal: 1 true, -1 false, 0 unknown.
    values: Vec<i8>,
    /// By row: its literals, none of them known, with weights, which may be negative.
    pub(crate) terms: Csr<(Lit, i64)>,
    /// By row: what the sum is at least.
    pub(crate) bounds: Vec<i128>,
    /// Disjoint groups of literals, of which at most one is true, or exactly one.
    pub(crate) groups: Vec<(bool, Vec<Lit>)>,
}

/// Takes the terms and the bound of a row; returns whether it wants another one.
type RowVisitor<'a> = dyn FnMut(&[(Lit, i64)], i128) -> bool + 'a;

/// By variable: whether it is in a set.
type Set = Vec<bool>;

fn has(set: &Set, lit: Lit) -> bool {
    set[lit.var().0 as usize]
}

fn insert(set: &mut Set, lit: Lit) {
    set[lit.var().0 as usize] = true;
}

impl LinearRows {
    /// The value of a literal, if it is known.
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.code()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    fn set(&mut self, lit: Lit) {
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
    }

    /// Replaces literals by those that are not known, and returns what the others add up to. `None` if none is in the set.
    fn open(
        &self,
        literals: impl Iterator<Item = (Lit, i64)>,
        near: &Set,
        open: &mut Vec<(Lit, i64)>,
    ) -> Option<i128> {
        open.clear();
        let (mut known, mut is_near) = (0, false);
        for (lit, weight) in literals {
            match self.value(lit) {
                Some(true) => known += i128::from(weight),
                Some(false) => {}
                None => {
                    is_near |= has(near, lit);
                    open.push((lit, weight));
                }
            }
        }
        is_near.then_some(known)
    }
}

impl Engine {
    /// The rows that share a variable with the literals, or with a row that does; `None` if they have more terms than the
    /// limit. Pre: the engine is at the root.
    pub(crate) fn linear_rows(
        &mut self,
        literals: &[Lit],
        assumptions: &[Lit],
        limit: usize,
    ) -> Option<LinearRows> {
        self.install_staged();
        self.find_exact_groups();
        let mut rows = LinearRows { values: vec![0; 2 * self.num_vars()], ..LinearRows::default() };
        self.assignment.trail.iter().chain(assumptions).for_each(|&lit| rows.set(lit));
        let mut near: Set = vec![false; self.num_vars()];
        literals.iter().for_each(|&lit| insert(&mut near, lit));
        let (mut wider, mut size) = (near.clone(), 0);
        self.each_row(&rows, &near, &mut |terms, _| {
            size += terms.len();
            terms.iter().for_each(|t| insert(&mut wider, t.0));
            size <= limit
        });
        if size > limit {
            return None;
        }
        let groups = self.disjoint_groups(&rows, &wider);
        let mut group_of: Map<Lit, usize> = Map::default();
        for (i, (_, group)) in groups.iter().enumerate() {
            group_of.extend(group.iter().map(|&l| (l, i)));
        }
        // What a group says need not be said again: at most one, or at least one, of its literals.
        let is_said = |row: &[(Lit, i64)], bound: i128| {
            let in_one = |complement: bool| {
                let of = |t: &(Lit, i64)| group_of.get(&if complement { !t.0 } else { t.0 });
                of(&row[0]).filter(|g| row.iter().all(|t| t.1 == 1 && of(t) == Some(g)))
            };
            bound == row.len() as i128 - 1 && in_one(true).is_some()
                || bound == 1 && in_one(false).is_some_and(|&g| groups[g].0 && groups[g].1.len() == row.len())
        };
        let (mut terms, mut bounds) = (Csr::default(), Vec::new());
        size = 0;
        self.each_row(&rows, &wider, &mut |row, bound| {
            if !is_said(row, bound) {
                size += row.len();
                terms.push_row(row);
                bounds.push(bound);
            }
            size <= limit
        });
        (size <= limit).then_some(LinearRows { terms, bounds, groups, ..rows })
    }

    /// Groups that have several of the variables, each without the literals of those chosen before it, largest first.
    fn disjoint_groups(&self, rows: &LinearRows, near: &Set) -> Vec<(bool, Vec<Lit>)> {
        let at_most_one = &self.constraints.at_most_one;
        let mut order: Vec<(usize, u32)> = (0..at_most_one.len() as u32)
            .map(|g| (at_most_one.members(g).iter().filter(|&&l| has(near, l)).count(), g))
            .filter(|g| g.0 >= 2)
            .collect();
        order.sort_unstable_by_key(|&(n, g)| (std::cmp::Reverse(n), g));
        let mut used: Set = vec![false; self.num_vars()];
        let mut groups = Vec::new();
        for (_, g) in order {
            let members = at_most_one.members(g);
            let open = members.iter().filter(|&&l| rows.value(l) != Some(false)).count();
            let is_free = |l: &&Lit| rows.value(**l).is_none() && !has(&used, **l);
            let rest: Vec<Lit> = members.iter().filter(is_free).copied().collect();
            if rest.len() >= 2 {
                let exact = self.constraints.exact_groups.1.get(g as usize).copied().unwrap_or(false);
                rest.iter().for_each(|&l| insert(&mut used, l));
                groups.push((exact && rest.len() == open, rest));
            }
        }
        groups
    }

    /// Calls `row` with the unknown terms and the bound of each constraint that has one of the variables and is not
    /// satisfied by what is known, until it returns `false`.
    fn each_row(&self, rows: &LinearRows, near: &Set, row: &mut RowVisitor<'_>) {
        let mut open: Vec<(Lit, i64)> = Vec::new();
        for (sum, bound) in self.constraints.weights.demanded(|lit| rows.value(lit)) {
            if let Some(known) = rows.open(sum, near, &mut open)
                && !row(&open, bound - known)
            {
                return;
            }
        }
        let at_most_one = &self.constraints.at_most_one;
        for group in 0..at_most_one.len() as u32 {
            let members = at_most_one.members(group);
            let others = members.len() as i128 - 1;
            if let Some(known) = rows.open(members.iter().map(|&l| (!l, 1)), near, &mut open)
                && known < others
                && !row(&open, others - known)
            {
                return;
            }
        }
        let arena = &self.clauses.arena;
        for c in arena.iter().filter(|&c| !arena.is_learned(c)) {
            if arena.literals(c).any(|l| has(near, l))
                && rows.open(arena.literals(c).map(|l| (l, 1)), near, &mut open) == Some(0)
                && !row(&open, 1)
            {
                return;
            }
        }
        for code in 0..2 * self.num_vars() {
            let lit = Lit::from_code(code);
            if !has(near, lit) || rows.value(lit).is_some() {
                continue;
            }
            for &other in &self.clauses.watches.binary[code] {
                let is_first = !has(near, other) || code < other.code();
                if is_first && rows.value(other).is_none() && !row(&[(lit, 1), (other, 1)], 1) {
                    return;
                }
            }
        }
    }
}
