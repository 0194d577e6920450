//! The constraints near an objective as linear inequalities, for bounds from their relaxation.
//!
//! Clauses, groups and sums that must hold are taken as they are, with the [constraints over
//! integers](crate::integer::rows); assumptions count as known. Invariant: every model under the assumptions satisfies all
//! rows.

use crate::Engine;
use crate::integer::rows::IntegerRows;
use crate::integer::store::Int;
use crate::store::literal::Lit;
use crate::store::weight::Reified;
use asp_base::csr::Csr;
use asp_base::index_vec::Idx;
use asp_base::map::Map;

/// Linear inequalities.
#[derive(Debug, Default)]
pub(crate) struct LinearRows {
    /// By literal: 1 true, -1 false, 0 unknown.
    pub(crate) values: Vec<i8>,
    /// By row: its literals, none of them known, with weights, which may be negative.
    pub(crate) terms: Csr<(Lit, i64)>,
    /// By row: its integers, with factors.
    pub(crate) ints: Csr<(Int, i64)>,
    /// By row: what the sum is at least.
    pub(crate) bounds: Vec<i128>,
    /// Disjoint groups of literals, of which at most one is true, or exactly one.
    pub(crate) groups: Vec<(bool, Vec<Lit>)>,
}

/// Literals that one may imply for a row to be made stricter by one of them.
const MAX_IMPLIED: usize = 64;

/// Steps from the objective to rows that are taken.
const MAX_STEPS: usize = 8;

/// Receives the terms over literals and over integers and the bound of a row; returns whether it wants another one.
type RowVisitor<'a> = dyn FnMut(&[(Lit, i64)], &[(Int, i64)], i128) -> bool + 'a;

/// A set of variables and integers.
#[derive(Clone)]
struct Set {
    vars: Vec<bool>,
    ints: Vec<bool>,
}

impl Set {
    fn has(&self, lit: Lit) -> bool {
        self.vars[lit.var().index()]
    }

    /// Adds a variable; returns whether it is new.
    fn insert(&mut self, lit: Lit) -> bool {
        !std::mem::replace(&mut self.vars[lit.var().index()], true)
    }

    fn has_int(&self, int: Int) -> bool {
        self.ints[int.index()]
    }

    /// Adds an integer; returns whether it is new.
    fn insert_int(&mut self, int: Int) -> bool {
        !std::mem::replace(&mut self.ints[int.index()], true)
    }
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

    /// Drops known literals and returns the sum of their weights. `None` if none of the rest is in the set.
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
                    is_near |= near.has(lit);
                    open.push((lit, weight));
                }
            }
        }
        is_near.then_some(known)
    }
}

impl Engine {
    /// The rows that share a variable with the objective, or with a row that does, and so on, as far as they have no more terms than
    /// the limit; `None` if the first step has. Pre: the engine is at the root.
    pub(crate) fn linear_rows(
        &mut self,
        literals: impl Iterator<Item = Lit>,
        ints: impl Iterator<Item = Int>,
        assumptions: &[Lit],
        limit: usize,
    ) -> Option<LinearRows> {
        self.install_staged();
        self.find_exact_groups();
        let mut rows = LinearRows { values: vec![0; 2 * self.num_vars()], ..LinearRows::default() };
        self.assignment.trail.iter().chain(assumptions).for_each(|&lit| rows.set(lit));
        let of_ints = self.constraints.integers.rows(&|lit| rows.value(lit), limit);
        let mut near =
            Set { vars: vec![false; self.num_vars()], ints: vec![false; self.constraints.integers.len()] };
        let mut reached = near.clone();
        literals.for_each(|lit| _ = near.insert(lit));
        ints.for_each(|int| _ = near.insert_int(int));
        let mut wider = near.clone();
        for step in 0..MAX_STEPS {
            let mut size = 0;
            near.clone_from(&wider);
            let mut is_new = false;
            self.each_row(&rows, &of_ints, &near, &mut |terms, ints, _| {
                size += terms.len() + ints.len();
                terms.iter().for_each(|t| is_new |= wider.insert(t.0));
                ints.iter().for_each(|t| is_new |= wider.insert_int(t.0));
                size <= limit
            });
            if size > limit {
                if step == 0 {
                    return None;
                }
                break;
            }
            reached.clone_from(&near);
            if !is_new {
                break;
            }
        }
        let groups = self.disjoint_groups(&rows, &reached);
        let mut group_of: Map<Lit, usize> = Map::default();
        for (i, (_, group)) in groups.iter().enumerate() {
            group_of.extend(group.iter().map(|&l| (l, i)));
        }
        // Rows implied by groups are skipped: at most one, or at least one, of their literals.
        let is_said = |row: &[(Lit, i64)], bound: i128| {
            let in_one = |complement: bool| {
                let of = |t: &(Lit, i64)| group_of.get(&if complement { !t.0 } else { t.0 });
                of(&row[0]).filter(|g| row.iter().all(|t| t.1 == 1 && of(t) == Some(g)))
            };
            bound == row.len() as i128 - 1 && in_one(true).is_some()
                || bound == 1 && in_one(false).is_some_and(|&g| groups[g].0 && groups[g].1.len() == row.len())
        };
        let (mut terms, mut ints, mut bounds) = (Csr::default(), Csr::default(), Vec::new());
        let mut size = 0;
        self.each_row(&rows, &of_ints, &reached, &mut |row, of_ints, bound| {
            if !of_ints.is_empty() || !is_said(row, bound) {
                size += row.len() + of_ints.len();
                terms.push_row(row);
                ints.push_row(of_ints);
                bounds.push(bound);
            }
            size <= limit
        });
        (size <= limit).then_some(LinearRows { terms, ints, bounds, groups, ..rows })
    }

    /// Groups with several of the variables, each without the literals of those chosen before it, largest first.
    fn disjoint_groups(&self, rows: &LinearRows, near: &Set) -> Vec<(bool, Vec<Lit>)> {
        let at_most_one = &self.constraints.at_most_one;
        let mut order: Vec<(usize, u32)> = (0..at_most_one.len() as u32)
            .map(|g| (at_most_one.members(g).iter().filter(|&&l| near.has(l)).count(), g))
            .filter(|g| g.0 >= 2)
            .collect();
        order.sort_unstable_by_key(|&(n, g)| (std::cmp::Reverse(n), g));
        let mut used = vec![false; self.num_vars()];
        let mut groups = Vec::new();
        for (_, g) in order {
            let members = at_most_one.members(g);
            let open = members.iter().filter(|&&l| rows.value(l) != Some(false)).count();
            let is_free = |l: &&Lit| rows.value(**l).is_none() && !used[l.var().index()];
            let rest: Vec<Lit> = members.iter().filter(is_free).copied().collect();
            if rest.len() >= 2 {
                let exact = self.constraints.exact_groups.1.get(g as usize).copied().unwrap_or(false);
                rest.iter().for_each(|&l| used[l.var().index()] = true);
                groups.push((exact && rest.len() == open, rest));
            }
        }
        groups
    }

    /// Calls `row` with the unknown terms and the bound of each unsatisfied constraint on one of the variables, until it
    /// returns `false`.
    fn each_row(&self, rows: &LinearRows, of_ints: &IntegerRows, near: &Set, row: &mut RowVisitor<'_>) {
        let terms = of_ints.lits.rows().zip(of_ints.ints.rows()).zip(&of_ints.bounds);
        for ((lits, ints), &bound) in terms {
            let is_near = lits.iter().any(|t| near.has(t.0)) || ints.iter().any(|t| near.has_int(t.0));
            if is_near && !row(lits, ints, bound) {
                return;
            }
        }
        let mut open: Vec<(Lit, i64)> = Vec::new();
        for (sum, bound) in self.constraints.weights.demanded(|lit| rows.value(lit)) {
            if let Some(known) = rows.open(sum, near, &mut open) {
                let bound = self.strengthened(rows, &mut open, bound - known);
                if !row(&open, &[], bound) {
                    return;
                }
            }
        }
        if !self.each_staircase(rows, near, row) {
            return;
        }
        let at_most_one = &self.constraints.at_most_one;
        for group in 0..at_most_one.len() as u32 {
            let members = at_most_one.members(group);
            let others = members.len() as i128 - 1;
            if let Some(known) = rows.open(members.iter().map(|&l| (!l, 1)), near, &mut open)
                && known < others
                && !row(&open, &[], others - known)
            {
                return;
            }
        }
        let arena = &self.clauses.arena;
        for c in arena.iter().filter(|&c| !arena.is_learned(c)) {
            if arena.literals(c).any(|l| near.has(l))
                && rows.open(arena.literals(c).map(|l| (l, 1)), near, &mut open) == Some(0)
                && !row(&open, &[], 1)
            {
                return;
            }
        }
        // A name whose meaning may change is in learned clauses only.
        let is_fleeting = |lit: Lit| self.constraints.integers.names.is_fleeting(lit.var());
        for code in 0..2 * self.num_vars() {
            let lit = Lit::from_code(code);
            if !near.has(lit) || rows.value(lit).is_some() {
                continue;
            }
            for &other in &self.clauses.watches.binary[code] {
                let is_first = !near.has(other) || code < other.code();
                if is_first
                    && rows.value(other).is_none()
                    && !is_fleeting(other)
                    && !row(&[(lit, 1), (other, 1)], &[], 1)
                {
                    return;
                }
            }
        }
    }

    /// Calls `row` with one row for all literals that reify bounds of a sum `s`, until it returns `false`, which is
    /// returned. The bound `b1` is reached if `o1` holds, `b2` if `o2` does as well, and so on:
    /// `s >= b1 o1 + (b2 - b1) o2 + ...`, which is far stronger than `s >= b2 o2` for each. If the others do not hold,
    /// `s <= b1 - 1 + (b2 - b1) o1 + ...`
    fn each_staircase(&self, rows: &LinearRows, near: &Set, row: &mut RowVisitor<'_>) -> bool {
        let mut open: Vec<(Lit, i64)> = Vec::new();
        let lowest = self.lowest_steps();
        for (number, sum) in self.constraints.weights.reified().enumerate() {
            let known = |lit| rows.value(lit).is_some();
            if sum.thresholds.iter().all(|t| known(t.lit))
                || sum.thresholds.first().is_none_or(|t| t.bound <= 0)
            {
                continue;
            }
            let ends = sum.thresholds.iter().skip(1).map(|t| t.bound).chain([sum.most + 1]);
            let above = sum.thresholds.iter().zip(ends).map(|(t, end)| (t.lit, end - t.bound));
            // The bound that any single term reaches.
            let step = lowest.get(&(number as u32)).map(|&lit| (lit, least_weight(&sum)));
            let start = step.map_or(0, |s| s.1);
            let starts = std::iter::once(start).chain(sum.thresholds.iter().map(|t| t.bound));
            let below = sum.thresholds.iter().zip(starts).map(|(t, start)| (t.lit, start - t.bound));
            let below = step.map(|(lit, weight)| (lit, -weight)).into_iter().chain(below);
            let least = sum.terms.iter().copied().map(Some).chain(below.map(narrow));
            let negated = sum.terms.iter().map(|&(lit, weight)| Some((lit, -weight)));
            let most = negated.chain(above.map(narrow));
            let sides: [(Option<Vec<_>>, i128); 2] =
                [(least.collect(), 0), (most.collect(), 1 - sum.thresholds[0].bound)];
            for (terms, bound) in sides.into_iter().take(if sum.half { 1 } else { 2 }) {
                if let Some(known) = terms.and_then(|terms| rows.open(terms.into_iter(), near, &mut open))
                    && !row(&open, &[], bound - known)
                {
                    return false;
                }
            }
        }
        true
    }

    /// By number of a sum with literals that tell of it: one that needs any of its terms, which is said by a clause, since it needs no
    /// sum. They are found by the sum of their terms' hash values.
    fn lowest_steps(&self) -> Map<u32, Lit> {
        let hash = |lit: Lit| {
            (lit.code() as u64 + 1)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
                .wrapping_mul(0xbf58_476d_1ce4_e5b9)
        };
        let total =
            |literals: &mut dyn Iterator<Item = Lit>| literals.map(hash).fold(0u64, u64::wrapping_add);
        let mut sums: Map<u64, (u32, Vec<Lit>)> = Map::default();
        for (number, sum) in self.constraints.weights.reified().enumerate() {
            let first = sum.thresholds.first().map_or(0, |t| t.bound);
            if sum.terms.len() > 1 && first > least_weight(&sum) && least_weight(&sum) > 0 {
                let mut literals: Vec<Lit> = sum.terms.iter().map(|t| t.0).collect();
                literals.sort_unstable();
                sums.insert(total(&mut literals.iter().copied()), (number as u32, literals));
            }
        }
        let mut steps = Map::default();
        let arena = &self.clauses.arena;
        for c in arena.iter().filter(|&c| !sums.is_empty() && !arena.is_learned(c)) {
            let all = total(&mut arena.literals(c));
            for lit in arena.literals(c) {
                if let Some((number, terms)) = sums.get(&all.wrapping_sub(hash(lit))) {
                    let mut rest: Vec<Lit> = arena.literals(c).filter(|&l| l != lit).collect();
                    rest.sort_unstable();
                    if rest == *terms {
                        steps.insert(*number, !lit);
                    }
                }
            }
        }
        steps
    }

    /// Makes a row stricter: if each literal that takes something off its sum needs another literal `u`, then without `u` nothing
    /// is taken off, as nothing is in a bin that is not used. Returns its bound.
    fn strengthened(&self, rows: &LinearRows, row: &mut Vec<(Lit, i64)>, bound: i128) -> i128 {
        let most: i128 = row.iter().map(|t| i128::from(t.1.max(0))).sum();
        let (Ok(slack), true) = (i64::try_from(most - bound), most > bound && row.len() > 1) else {
            return bound;
        };
        // A literal, and what it implies.
        let implied = |t: &(Lit, i64)| {
            let absent = if t.1 > 0 { t.0 } else { !t.0 };
            &self.clauses.watches.binary[absent.code()]
        };
        let fewest = row.iter().map(implied).min_by_key(|list| list.len());
        let Some(candidates) = fewest.filter(|list| list.len() <= MAX_IMPLIED) else { return bound };
        let is_new = |u: Lit| rows.value(u).is_none() && row.iter().all(|t| t.0.var() != u.var());
        let common = |u: &&Lit| is_new(**u) && row.iter().all(|t| implied(t).contains(u));
        match candidates.iter().find(common) {
            Some(&u) => {
                row.push((u, slack));
                bound + i128::from(slack)
            }
            None => bound,
        }
    }
}

/// The least weight of a sum's terms.
fn least_weight(sum: &Reified) -> i128 {
    sum.terms.iter().map(|t| i128::from(t.1)).min().unwrap_or(0)
}

/// A term, if its weight fits.
fn narrow((lit, weight): (Lit, i128)) -> Option<(Lit, i64)> {
    Some((lit, i64::try_from(weight).ok()?))
}
