//! Weight constraints as clauses: a binary decision diagram over the terms, with one variable per node.
//!
//! A node holds if the terms from a position on add up to the missing amount. Used only on request: the propagator of sums needs
//! no variables of its own. Invariant: the literals of the terms determine every new variable, so the number of models stays the
//! same. Source: Eén and Sörensson, *Translating pseudo-Boolean constraints into SAT*, JSAT 2006.

use crate::options::SumsAsClauses;
use asp_base::map::Map;
use asp_engine::Engine;
use asp_engine::store::literal::Lit;

/// The limit on nodes, whatever the options.
const MAX_NODES: usize = 100_000;
/// For [`SumsAsClauses::Small`]: the limit on nodes per term, and in all.
const MAX_SMALL_NODES: (usize, usize) = (4, 200);

impl SumsAsClauses {
    /// The number of nodes that a sum may take; 0 if it stays a sum.
    pub(crate) fn nodes(self, terms: &[(Lit, i64)], constraint: bool, recursive: bool) -> usize {
        let same = terms.windows(2).all(|t| t[0].1 == t[1].1);
        let wanted = match self {
            SumsAsClauses::None => false,
            SumsAsClauses::Cardinalities => same,
            SumsAsClauses::Constraints => same && constraint,
            SumsAsClauses::Recursive => recursive,
            SumsAsClauses::Small => return (MAX_SMALL_NODES.0 * terms.len()).min(MAX_SMALL_NODES.1),
            SumsAsClauses::All => true,
        };
        if wanted { MAX_NODES } else { 0 }
    }
}

/// Adds `own <-> sum >= bound` as clauses. `false`: that needs too many nodes, and nothing was added. Pre: weights are
/// positive, and their sum fits.
pub(crate) fn as_clauses(
    engine: &mut Engine,
    truth: Lit,
    own: Lit,
    terms: &[(Lit, i64)],
    bound: i64,
    most: usize,
) -> bool {
    let mut terms = terms.to_vec();
    terms.sort_by_key(|&(l, w)| (std::cmp::Reverse(w), l));
    // For each position: the range of missing amounts for which the result is not decided.
    let mut rest: i64 = terms.iter().map(|t| t.1).sum();
    let mut missing: Vec<Vec<i64>> = vec![vec![bound]];
    let mut nodes = 1;
    for &(_, weight) in &terms {
        rest -= weight;
        let last = missing.last().map(Vec::as_slice).unwrap_or_default();
        let mut next: Vec<i64> = last.iter().flat_map(|&m| [m, m - weight]).collect();
        next.retain(|&m| m > 0 && m <= rest);
        next.sort_unstable();
        next.dedup();
        nodes += next.len();
        if nodes > most {
            return false;
        }
        missing.push(next);
    }
    let mut below: Map<i64, Lit> = Map::default();
    let mut rest = 0;
    for (i, &(lit, weight)) in terms.iter().enumerate().rev() {
        let mut here: Map<i64, Lit> = Map::default();
        for &m in &missing[i] {
            let of = |m: i64| {
                if m <= 0 {
                    truth
                } else if m > rest {
                    !truth
                } else {
                    below.get(&m).copied().unwrap_or(!truth)
                }
            };
            let (without, with) = (of(m), of(m - weight));
            let node = if i == 0 { own } else { Lit::pos(engine.new_var()) };
            // If the rest suffices without the term, it suffices with it, too.
            engine.add_clause(&[node, !without]);
            engine.add_clause(&[node, !lit, !with]);
            engine.add_clause(&[!node, with]);
            engine.add_clause(&[!node, without, lit]);
            here.insert(m, node);
        }
        below = here;
        rest += weight;
    }
    true
}
