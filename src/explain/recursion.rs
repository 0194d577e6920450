//! Which atoms depend positively on themselves.
//!
//! Invariant: an atom is recursive if and only if it lies on a cycle of the given edges between possible atoms.
//! Tarjan's algorithm with an explicit stack (SIAM J. Comput. 1972).

/// By atom: whether it is on a cycle of `edges` over atoms that are not `gone`.
pub fn recursive(atoms: usize, edges: &[(u32, u32)], gone: &dyn Fn(u32) -> bool) -> Vec<bool> {
    components(atoms, edges, gone).into_iter().map(|c| c > 0).collect()
}

/// By atom: the number of its component from 1, or 0 if it is on no cycle of `edges` over atoms that are not `gone`.
pub fn components(atoms: usize, edges: &[(u32, u32)], gone: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let mut edges: Vec<(u32, u32)> = edges.iter().copied().filter(|&(a, b)| !gone(a) && !gone(b)).collect();
    edges.sort_unstable();
    edges.dedup();
    let start: Vec<usize> = (0..=atoms).map(|a| edges.partition_point(|e| (e.0 as usize) < a)).collect();
    let (mut result, mut number) = (vec![0u32; atoms], 0);
    let mut reflexive = vec![false; atoms];
    const DONE: u32 = u32::MAX;
    let (mut order, mut low, mut visits) = (vec![0u32; atoms], vec![0u32; atoms], 0);
    let (mut open, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for root in 0..atoms {
        if order[root] != 0 {
            continue;
        }
        path.push((root, start[root]));
        while let Some(&(atom, next)) = path.last() {
            if next == start[atom] && order[atom] == 0 {
                visits += 1;
                (order[atom], low[atom]) = (visits, visits);
                open.push(atom);
            }
            if next < start[atom + 1] {
                if let Some(last) = path.last_mut() {
                    last.1 += 1;
                }
                let other = edges[next].1 as usize;
                reflexive[atom] |= other == atom;
                if order[other] == 0 {
                    path.push((other, start[other]));
                } else if order[other] != DONE {
                    low[atom] = low[atom].min(order[other]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[atom]);
            }
            if low[atom] == order[atom] {
                let at = open.iter().rposition(|&a| a == atom).unwrap_or(0);
                let cyclic = open.len() - at > 1 || reflexive[atom];
                number += u32::from(cyclic);
                for a in open.drain(at..) {
                    order[a] = DONE;
                    result[a] = if cyclic { number } else { 0 };
                }
            }
        }
    }
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
