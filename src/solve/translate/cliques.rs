//! At-most-one structure: pairs of literals that exclude each other are covered greedily by cliques.
//!
//! Invariant: groups and remaining pairs together exclude exactly the given pairs. Work is counted in neighbours looked
//! at and bounded by a multiple of the number of pairs, so this never dominates; what is left then stays pairs.

use crate::solve::engine::store::literal::Lit;

/// Least size of a group; smaller cliques stay pairs.
const LEAST: usize = 3;
/// Neighbours looked at for each pair.
const EFFORT: u64 = 24;

/// Groups of literals of which at most one holds, and the pairs that are in none of them.
#[derive(Default, Debug)]
pub(crate) struct Cover {
    /// Members of all groups.
    pub(crate) members: Vec<Lit>,
    /// Where each group ends.
    pub(crate) ends: Vec<u32>,
    /// Other pairs.
    pub(crate) pairs: Vec<(Lit, Lit)>,
}

impl Cover {
    /// The groups.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[Lit]> {
        (0..self.ends.len()).map(|i| {
            let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
            &self.members[start..self.ends[i] as usize]
        })
    }
}

struct Graph {
    start: Vec<u32>,
    /// Neighbour and pair.
    adjacent: Vec<(u32, u32)>,
}

impl Graph {
    fn new(pairs: &[(Lit, Lit)], codes: usize) -> Self {
        let mut start = vec![0u32; codes + 2];
        for &(a, b) in pairs {
            start[a.code() + 2] += 1;
            start[b.code() + 2] += 1;
        }
        for i in 2..start.len() {
            start[i] += start[i - 1];
        }
        let mut adjacent = vec![(0, 0); 2 * pairs.len()];
        let mut put = |from: Lit, to: Lit, pair: u32| {
            let slot = &mut start[from.code() + 1];
            adjacent[*slot as usize] = (to.code() as u32, pair);
            *slot += 1;
        };
        for (i, &(a, b)) in pairs.iter().enumerate() {
            put(a, b, i as u32);
            put(b, a, i as u32);
        }
        start.pop();
        Self { start, adjacent }
    }
    fn of(&self, code: u32) -> &[(u32, u32)] {
        &self.adjacent[self.start[code as usize] as usize..self.start[code as usize + 1] as usize]
    }
}

/// Adds a literal to the clique and counts it for its neighbours.
fn join(
    graph: &Graph,
    seen: &mut [(u32, u32, u32)],
    number: u32,
    w: u32,
    clique: &mut Vec<u32>,
    cost: &mut u64,
) {
    clique.push(w);
    *cost += graph.of(w).len() as u64;
    for &(z, _) in graph.of(w) {
        let s = &mut seen[z as usize];
        if s.0 == number && s.2 != w {
            s.1 += 1;
            s.2 = w;
        }
    }
    seen[w as usize].0 = u32::MAX;
}

/// Covers pairs of literals; in a pair the literals are distinct and not complementary.
pub(crate) fn cover(pairs: Vec<(Lit, Lit)>) -> Cover {
    let mut result = Cover::default();
    let codes = pairs.iter().map(|&(a, b)| a.code().max(b.code()) + 1).max().unwrap_or(0);
    if pairs.len() < LEAST {
        result.pairs = pairs;
        return result;
    }
    let graph = Graph::new(&pairs, codes);
    let mut covered = vec![false; pairs.len()];
    // Per literal: the clique that it was last seen beside, with how many members, and the last member counted.
    let mut seen = vec![(u32::MAX, 0u32, u32::MAX); codes];
    let mut clique: Vec<u32> = Vec::new();
    let mut effort = EFFORT * pairs.len() as u64 + 1000;
    let mut number = 0u32;
    'starts: for u in 0..codes as u32 {
        for first in 0..graph.of(u).len() {
            let (v, pair) = graph.of(u)[first];
            if covered[pair as usize] {
                continue;
            }
            if effort == 0 {
                break 'starts;
            }
            number += 1;
            clique.clear();
            clique.push(u);
            let mut cost = graph.of(u).len() as u64;
            for &(w, _) in graph.of(u) {
                seen[w as usize] = (number, 1, u);
            }
            // Members join in the order of their pairs with the first one.
            join(&graph, &mut seen, number, v, &mut clique, &mut cost);
            for &(w, p) in &graph.of(u)[first + 1..] {
                let (n, count, _) = seen[w as usize];
                if !covered[p as usize] && n == number && count as usize == clique.len() {
                    join(&graph, &mut seen, number, w, &mut clique, &mut cost);
                }
            }
            effort = effort.saturating_sub(2 * cost);
            if clique.len() < LEAST {
                covered[pair as usize] = true;
                result.pairs.push(pairs[pair as usize]);
                continue;
            }
            for &x in &clique {
                seen[x as usize] = (number, u32::MAX, u32::MAX);
            }
            for &x in &clique {
                for &(z, p) in graph.of(x) {
                    if seen[z as usize] == (number, u32::MAX, u32::MAX) {
                        covered[p as usize] = true;
                    }
                }
            }
            result.members.extend(clique.iter().map(|&c| Lit::from_code(c as usize)));
            result.ends.push(result.members.len() as u32);
        }
    }
    result.pairs.extend(pairs.iter().zip(&covered).filter(|&(_, &c)| !c).map(|(&p, _)| p));
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::map::Set;
    use crate::base::rng::Rng;

    fn all_pairs(cover: &Cover) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> =
            cover.pairs.iter().map(|&(a, b)| (a.code().min(b.code()), a.code().max(b.code()))).collect();
        for g in cover.groups() {
            for (i, a) in g.iter().enumerate() {
                found.extend(g[i + 1..].iter().map(|b| (a.code().min(b.code()), a.code().max(b.code()))));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn a_latin_square_is_its_lines() {
        let n = 5;
        let var = |r: usize, c: usize, v: usize| Lit::from_code(2 * ((r * n + c) * n + v));
        let mut pairs = Vec::new();
        for i in 0..n {
            for j in 0..n {
                for a in 0..n {
                    for b in a + 1..n {
                        pairs.push((var(i, a, j), var(i, b, j)));
                        pairs.push((var(a, i, j), var(b, i, j)));
                        pairs.push((var(i, j, a), var(i, j, b)));
                    }
                }
            }
        }
        let cover = cover(pairs);
        assert_eq!(cover.ends.len(), 3 * n * n);
        assert!(cover.groups().all(|g| g.len() == n));
        assert!(cover.pairs.is_empty());
    }

    #[test]
    fn a_cover_excludes_the_same_pairs() {
        let mut rng = Rng::new(7);
        for _ in 0..200 {
            let n = 3 + rng.below(12);
            let mut edges = Set::default();
            let mut pairs = Vec::new();
            for _ in 0..rng.below(60) {
                let (a, b) = (2 * rng.below(n) as usize, 2 * rng.below(n) as usize);
                if a != b {
                    pairs.push((Lit::from_code(a), Lit::from_code(b)));
                    edges.insert((a.min(b), a.max(b)));
                }
            }
            let mut expected: Vec<_> = edges.into_iter().collect();
            expected.sort_unstable();
            assert_eq!(all_pairs(&cover(pairs)), expected);
        }
    }
}
