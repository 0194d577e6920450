//! Strongly connected components of a directed graph, by Tarjan's algorithm with an explicit stack.
//!
//! Invariant: a component comes before those that reach it (reverse topological order); ties depend only on the order
//! of roots and successors. Source: Tarjan, *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1972.

/// Passes each component that the roots reach to `close`, its members in the order of their visits. Nodes are numbers
/// below `nodes`; `successor` gives a node's successor at a position, `None` past the last. Returns how many roots no
/// earlier root had reached.
pub fn components(
    nodes: usize,
    roots: impl IntoIterator<Item = u32>,
    successor: impl Fn(u32, u32) -> Option<u32>,
    mut close: impl FnMut(&[u32]),
) -> u64 {
    const DONE: u32 = u32::MAX;
    // 0 before the visit, then the number of the visit, `DONE` once the component is known.
    let mut order = vec![0u32; nodes];
    let (mut visits, mut starts) = (0, 0);
    // Visited nodes whose component is not known yet.
    let mut open: Vec<u32> = Vec::new();
    // Node, position of its next successor, least visit reached.
    let mut path: Vec<(u32, u32, u32)> = Vec::new();
    for root in roots {
        let mut entered = (order[root as usize] == 0).then_some(root);
        starts += u64::from(entered.is_some());
        loop {
            if let Some(node) = entered.take() {
                visits += 1;
                order[node as usize] = visits;
                open.push(node);
                path.push((node, 0, visits));
            }
            let Some(&mut (node, ref mut position, ref mut low)) = path.last_mut() else { break };
            if let Some(next) = successor(node, *position) {
                *position += 1;
                match order[next as usize] {
                    0 => entered = Some(next),
                    DONE => {}
                    visit => *low = visit.min(*low),
                }
                continue;
            }
            let low = *low;
            path.pop();
            if let Some(above) = path.last_mut() {
                above.2 = low.min(above.2);
            }
            if low == order[node as usize] {
                let first = open.iter().rposition(|&n| n == node).unwrap_or(0);
                for &member in &open[first..] {
                    order[member as usize] = DONE;
                }
                close(&open[first..]);
                open.truncate(first);
            }
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Two nodes share a component if and only if they reach each other; later components reach earlier ones only.
    #[test]
    fn components_are_those_of_reachability() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let n = 1 + rng.below(9) as u32;
            let edges: Vec<Vec<u32>> =
                (0..n).map(|_| (0..rng.below(3)).map(|_| rng.below(u64::from(n)) as u32).collect()).collect();
            let mut reach = vec![vec![false; n as usize]; n as usize];
            for (a, row) in reach.iter_mut().enumerate() {
                let mut stack = vec![a as u32];
                while let Some(b) = stack.pop() {
                    if !std::mem::replace(&mut row[b as usize], true) {
                        stack.extend(&edges[b as usize]);
                    }
                }
            }
            let mut number = vec![u32::MAX; n as usize];
            let mut count = 0;
            let successor = |a: u32, i: u32| edges[a as usize].get(i as usize).copied();
            components(n as usize, 0..n, successor, |members| {
                members.iter().for_each(|&m| number[m as usize] = count);
                count += 1;
            });
            for a in 0..n as usize {
                for b in 0..n as usize {
                    assert_eq!(number[a] == number[b], reach[a][b] && reach[b][a], "seed {seed}");
                    assert!(!reach[a][b] || number[a] >= number[b], "seed {seed}");
                }
            }
        }
    }
}
