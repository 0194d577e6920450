//! At-least-one constraints that follow by counting.
//!
//! Let S be a set of n disjoint exactly-one groups (the cells of a row, each with its values) whose atoms are covered
//! by m disjoint at-most-one groups (each value in the row). If m < n there is no answer set (pigeonhole principle); if
//! m = n each of the m groups has exactly one true atom (Hall's theorem for the complete set: n atoms are true, at most
//! one in each of n groups). So a naive all-different constraint propagates "this value has one place left", which
//! learning would need many conflicts to discover.
//!
//! Invariant: every added constraint is implied by those from which it is derived; time is linear in their literals. Source:
//! Régin, *A filtering algorithm for constraints of difference in CSPs*, AAAI 1994, for the view of all-different as matching.

use hashbrown::HashTable;

use asp_base::csr::Csr;
use asp_base::map::hash_words;
use asp_program::{Body, Head, Literal, Program, RuleId, RuleSource};

/// Exactly-one groups whose atoms are covered by at most as many at-most-one groups.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ValueSet {
    /// The source of the first exactly-one group.
    pub exactly: RuleSource,
    /// The source of the first at-most-one group.
    pub at_most: RuleSource,
    /// Number of exactly-one groups.
    pub groups: u32,
    /// Number of at-most-one groups. If it equals that of the exactly-one groups, each has exactly one true atom; if it
    /// is less, there is no answer set.
    pub values: u32,
}

/// The sets of groups in a lowered program for which counting implies something.
pub fn value_sets(program: &Program) -> Vec<ValueSet> {
    find(program).sets
}

/// The constraints implied by counting.
#[derive(Debug, Default)]
pub(crate) struct Implied {
    /// The lists of atoms of which at least one must hold.
    pub(crate) groups: Csr<u32>,
    /// The sets of groups used for counting.
    sets: Vec<ValueSet>,
    /// The rules of each set: those of the exactly-one groups, and of the at-most-one groups.
    pub(crate) rules: Vec<(Vec<RuleId>, Vec<RuleId>)>,
    /// Whether there can be no answer set.
    pub(crate) contradiction: bool,
}

/// Sorted lists of numbers, found by content.
#[derive(Default)]
struct Lists {
    lists: Csr<u32>,
    table: HashTable<u32>,
}

fn hash(list: &[u32]) -> u64 {
    hash_words(list.len() as u64, list.iter().copied())
}

impl Lists {
    fn get(&self, i: u32) -> &[u32] {
        self.lists.row(i as usize)
    }
    fn len(&self) -> u32 {
        self.lists.len() as u32
    }
    fn find(&self, list: &[u32]) -> Option<u32> {
        self.table.find(hash(list), |&i| self.get(i) == list).copied()
    }
    /// The number of a list; a new one if it is not there yet.
    fn insert(&mut self, list: &[u32]) -> u32 {
        if let Some(i) = self.find(list) {
            return i;
        }
        let i = self.len();
        self.lists.push_row(list);
        self.table.insert_unique(hash(list), i, |&i| hash(self.lists.row(i as usize)));
        i
    }
}

/// The least size of a group; groups of two atoms are pairs.
const SMALLEST: usize = 3;

/// Finds what counting implies.
pub(crate) fn find(program: &Program) -> Implied {
    let (mut at_least, mut at_most) = (Lists::default(), Lists::default());
    // Where the at-most-one groups come from.
    let mut sources: Vec<RuleSource> = Vec::new();
    let mut rules: Vec<RuleId> = Vec::new();
    let mut scratch: Vec<u32> = Vec::new();
    // Auxiliary atoms that constraints of one literal make false (`:- a.`) or true (`:- not a.`): their rules are
    // constraints, too; in the latter case, if there is only one.
    let mut fixed = vec![None; program.atoms.len()];
    let mut supports = vec![0u8; program.atoms.len()];
    for rule in program.rules.iter() {
        match (rule.head.atoms(), rule.body) {
            ([], Body::Normal(&[l])) => fixed[l.atom().0 as usize] = Some(l.is_neg()),
            (heads, _) => heads.iter().for_each(|a| {
                let n = &mut supports[a.0 as usize];
                *n = n.saturating_add(1);
            }),
        }
    }
    for (rule, i) in program.rules.iter().zip(0..) {
        let id = RuleId(i);
        if rule.body.literals().len() < SMALLEST {
            continue;
        }
        let holds = match rule.head {
            Head::Disjunction([]) => false,
            Head::Disjunction([a]) => match fixed[a.0 as usize] {
                Some(true) if supports[a.0 as usize] == 1 => true,
                Some(false) => false,
                _ => continue,
            },
            _ => continue,
        };
        let (negative, lists) = match rule.body {
            Body::Normal(_) if !holds => (true, &mut at_least),
            Body::Weight { bound: 2, weights, .. } if !holds && weights.iter().all(|&w| w == 1) => {
                (false, &mut at_most)
            }
            Body::Weight { bound: 1, .. } if holds => (false, &mut at_least),
            _ => continue,
        };
        let literals = rule.body.literals();
        if literals.iter().all(|l| l.is_neg() == negative) {
            scratch.clear();
            scratch.extend(literals.iter().map(|l| l.atom().0));
            scratch.sort_unstable();
            if scratch.windows(2).all(|w| w[0] != w[1]) {
                let i = lists.insert(&scratch);
                if !negative && !holds && i as usize == sources.len() {
                    sources.push(rule.source);
                    rules.push(id);
                }
            }
        }
    }
    let mut out = Implied::default();
    if at_most.len() == 0 || at_least.len() == 0 {
        return out;
    }
    // The exactly-one group of each atom, the first if there are several.
    const NONE: u32 = u32::MAX;
    let mut group_of = vec![NONE; program.atoms.len()];
    let is_exact: Vec<bool> = (0..at_most.len()).map(|i| at_least.find(at_most.get(i)).is_some()).collect();
    for i in (0..at_most.len()).filter(|&i| is_exact[i as usize]) {
        let list = at_most.get(i);
        if list.iter().all(|&a| group_of[a as usize] == NONE) {
            list.iter().for_each(|&a| group_of[a as usize] = i);
        }
    }
    // At-most-one groups by the set of exactly-one groups that they intersect.
    let mut sets = Lists::default();
    let mut members: Vec<(u32, u32)> = Vec::new();
    for i in (0..at_most.len()).filter(|&i| !is_exact[i as usize]) {
        scratch.clear();
        scratch.extend(at_most.get(i).iter().map(|&a| group_of[a as usize]));
        scratch.sort_unstable();
        if scratch.last() != Some(&NONE) && scratch.windows(2).all(|w| w[0] != w[1]) {
            members.push((sets.insert(&scratch), i));
        }
    }
    members.sort_unstable();
    let mut seen = vec![NONE; program.atoms.len()];
    for row in members.chunk_by(|a, b| a.0 == b.0) {
        let set = row[0].0;
        let crossed = sets.get(set);
        let atoms: usize = crossed.iter().map(|&e| at_most.get(e).len()).sum();
        let covered = row.iter().flat_map(|&(_, i)| at_most.get(i));
        // Disjoint groups over atoms of the set: they cover it if the numbers of atoms agree.
        let mut count = 0;
        let disjoint = covered.into_iter().all(|&a| {
            count += 1;
            std::mem::replace(&mut seen[a as usize], set) != set
        });
        if !disjoint || count != atoms || row.len() > crossed.len() {
            continue;
        }
        out.sets.push(ValueSet {
            exactly: sources[crossed[0] as usize],
            at_most: sources[row[0].1 as usize],
            groups: crossed.len() as u32,
            values: row.len() as u32,
        });
        let of = |list: &u32| rules[*list as usize];
        out.rules.push((crossed.iter().map(of).collect(), row.iter().map(|t| of(&t.1)).collect()));
        if row.len() < crossed.len() {
            out.contradiction = true;
            return out;
        }
        for &(_, i) in row {
            out.groups.push_row(at_most.get(i));
        }
    }
    out
}

/// The positive literal of an atom number.
pub(crate) fn literal(atom: u32) -> Literal {
    Literal::pos(asp_program::AtomId(atom))
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_program::{AtomId, RuleSource};

    /// `rows` exactly-one groups of `columns` atoms, at most one true in each column.
    fn grid(rows: u32, columns: u32) -> Program {
        let mut p = Program::new();
        (0..rows * columns).for_each(|_| {
            p.atoms.add_aux();
        });
        let atom = |r, c| AtomId(r * columns + c);
        let mut at_most = |atoms: &[AtomId]| {
            let body: Vec<_> = atoms.iter().map(|&a| (Literal::pos(a), 1)).collect();
            p.rules.add_weight(false, &[], 2, &body, RuleSource::NONE);
        };
        for r in 0..rows {
            at_most(&(0..columns).map(|c| atom(r, c)).collect::<Vec<_>>());
        }
        for c in 0..columns {
            at_most(&(0..rows).map(|r| atom(r, c)).collect::<Vec<_>>());
        }
        for r in 0..rows {
            let body: Vec<_> = (0..columns).map(|c| Literal::neg(atom(r, c))).collect();
            p.rules.add(false, &[], &body, RuleSource::NONE);
        }
        p
    }

    #[test]
    fn a_square_is_a_permutation() {
        let implied = find(&grid(4, 4));
        let groups: Vec<Vec<u32>> = implied.groups.rows().map(<[u32]>::to_vec).collect();
        assert_eq!(groups, [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]);
        assert!(!implied.contradiction);
    }

    #[test]
    fn more_pigeons_than_holes() {
        assert!(find(&grid(5, 4)).contradiction);
    }

    #[test]
    fn more_holes_than_pigeons_imply_nothing() {
        let implied = find(&grid(4, 5));
        assert!(!implied.contradiction && implied.groups.is_empty());
    }
}
