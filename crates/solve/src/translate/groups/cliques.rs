//! At-most-one structure: pairs of literals that exclude each other are covered greedily by cliques.
//!
//! Invariant: groups and remaining pairs together exclude exactly the given pairs. Work is counted in visited
//! neighbours and bounded by a multiple of the number of pairs, so it never dominates; pairs left at that point stay
//! pairs.

use asp_base::csr::Csr;
use asp_engine::store::literal::Lit;

/// Least size of a group; smaller cliques stay pairs.
const MIN_SIZE: usize = 3;
/// Visited neighbours per pair.
const EFFORT: u64 = 24;

/// Groups of literals of which at most one holds, and the pairs outside all groups.
#[derive(Default, Debug)]
pub(crate) struct Cover {
    pub(crate) groups: Csr<Lit>,
    /// Other pairs.
    pub(crate) pairs: Vec<(Lit, Lit)>,
}

/// Adds a literal to the clique and counts it for its neighbours.
fn join(
    neighbours: &Csr<(u32, u32)>,
    seen: &mut [(u32, u32, u32)],
    number: u32,
    w: u32,
    clique: &mut Vec<u32>,
    cost: &mut u64,
) {
    clique.push(w);
    *cost += neighbours.row(w as usize).len() as u64;
    for &(z, _) in neighbours.row(w as usize) {
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
    if pairs.len() < MIN_SIZE {
        result.pairs = pairs;
        return result;
    }
    // By literal: the other literal of each of its pairs, and the pair.
    let both = |(&(a, b), pair): (&(Lit, Lit), u32)| {
        let (a, b) = (a.code() as u32, b.code() as u32);
        [(a, (b, pair)), (b, (a, pair))]
    };
    let neighbours = Csr::group(codes, pairs.iter().zip(0..).flat_map(both));
    let mut covered = vec![false; pairs.len()];
    // By literal: the last clique that it is adjacent to, to how many members, and the last member counted.
    let mut seen = vec![(u32::MAX, 0u32, u32::MAX); codes];
    let mut clique: Vec<u32> = Vec::new();
    let mut effort = EFFORT * pairs.len() as u64 + 1000;
    let mut number = 0u32;
    'starts: for u in 0..codes as u32 {
        for first in 0..neighbours.row(u as usize).len() {
            let (v, pair) = neighbours.row(u as usize)[first];
            if covered[pair as usize] {
                continue;
            }
            if effort == 0 {
                break 'starts;
            }
            number += 1;
            clique.clear();
            clique.push(u);
            let mut cost = neighbours.row(u as usize).len() as u64;
            for &(w, _) in neighbours.row(u as usize) {
                seen[w as usize] = (number, 1, u);
            }
            // Members join in the order of their pairs with the first one.
            join(&neighbours, &mut seen, number, v, &mut clique, &mut cost);
            for &(w, p) in &neighbours.row(u as usize)[first + 1..] {
                let (n, count, _) = seen[w as usize];
                if !covered[p as usize] && n == number && count as usize == clique.len() {
                    join(&neighbours, &mut seen, number, w, &mut clique, &mut cost);
                }
            }
            effort = effort.saturating_sub(2 * cost);
            if clique.len() < MIN_SIZE {
                covered[pair as usize] = true;
                result.pairs.push(pairs[pair as usize]);
                continue;
            }
            for &x in &clique {
                seen[x as usize] = (number, u32::MAX, u32::MAX);
            }
            for &x in &clique {
                for &(z, p) in neighbours.row(x as usize) {
                    if seen[z as usize] == (number, u32::MAX, u32::MAX) {
                        covered[p as usize] = true;
                    }
                }
            }
            let group: Vec<Lit> = clique.iter().map(|&c| Lit::from_code(c as usize)).collect();
            result.groups.push_row(&group);
        }
    }
    result.pairs.extend(pairs.iter().zip(&covered).filter(|&(_, &c)| !c).map(|(&p, _)| p));
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_base::map::Set;
    use asp_base::rng::Rng;

    fn all_pairs(cover: &Cover) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> =
            cover.pairs.iter().map(|&(a, b)| (a.code().min(b.code()), a.code().max(b.code()))).collect();
        for g in cover.groups.rows() {
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
        assert_eq!(cover.groups.len(), 3 * n * n);
        assert!(cover.groups.rows().all(|g| g.len() == n));
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
