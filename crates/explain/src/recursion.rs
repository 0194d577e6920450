//! Which atoms depend positively on themselves.
//!
//! Invariant: an atom is recursive if and only if it lies on a cycle of the given edges through possible atoms.

use asp_base::csr::Csr;
use asp_base::scc;

/// For each atom: whether it is on a cycle of `edges` over atoms that are not `gone`.
pub(crate) fn recursive(atoms: usize, edges: &[(u32, u32)], gone: &dyn Fn(u32) -> bool) -> Vec<bool> {
    components(atoms, edges, gone).into_iter().map(|c| c > 0).collect()
}

/// For each atom: the number of its component from 1, or 0 if it is on no cycle of `edges` over atoms that are not
/// `gone`.
pub(crate) fn components(atoms: usize, edges: &[(u32, u32)], gone: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let mut edges: Vec<(u32, u32)> = edges.iter().copied().filter(|&(a, b)| !gone(a) && !gone(b)).collect();
    edges.sort_unstable();
    edges.dedup();
    let successors = Csr::group(atoms, edges.iter().copied());
    let successor = |atom: u32, i: u32| successors.row(atom as usize).get(i as usize).copied();
    let (mut result, mut number) = (vec![0u32; atoms], 0);
    scc::components(atoms, 0..atoms as u32, successor, |members| {
        if members.len() > 1 || edges.binary_search(&(members[0], members[0])).is_ok() {
            number += 1;
            members.iter().for_each(|&a| result[a as usize] = number);
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_found_and_nothing_else() {
        let edges = [(0, 1), (1, 2), (2, 0), (3, 0), (4, 4), (5, 6), (6, 7), (7, 5)];
        let found = recursive(9, &edges, &|a| a == 7);
        assert_eq!(found, [true, true, true, false, true, false, false, false, false]);
        assert_eq!(components(9, &edges, &|_| false), [1, 1, 1, 0, 2, 3, 3, 3, 0]);
    }
}
