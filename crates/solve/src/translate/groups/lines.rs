//! From the constraints of a program to chains in the engine: the exactly-one groups, and atoms that represent several of their
//! values.

use std::ops::Range;

use crate::translate::body_table::{Node, Value};
use crate::translate::completion::Variables;
use crate::translate::groups::chain::{self, Chains};
use crate::translate::groups::encode::Encoded;
use crate::translate::prepared::Prepared;
use asp_base::map::Set;
use asp_engine::Engine;
use asp_engine::store::literal::Lit;

/// Rounds in which pairs of known literals are dropped.
const SETTLING: usize = 4;

/// Lists of literals, in order of the constraints that they come from.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Of each, at most one holds.
    pub(crate) at_most: Vec<Vec<Lit>>,
    /// Of each, at least one holds.
    pub(crate) at_least: Vec<Vec<Lit>>,
}

impl Groups {
    /// The exactly-one lists, by a list or by pairs, without literals known to be false; not those with a true one.
    fn exactly_one(self, pairs: &[(Lit, Lit)], fixed: impl Fn(Lit) -> Option<bool>) -> Vec<Vec<Lit>> {
        let sorted = |list: &Vec<Lit>| {
            let mut list = list.clone();
            list.sort_unstable();
            list
        };
        let open = |mut list: Vec<Lit>| {
            list.retain(|&l| fixed(l) != Some(false));
            (!list.is_empty() && list.iter().all(|&l| fixed(l).is_none())).then_some(list)
        };
        let at_most: Set<Vec<Lit>> = self.at_most.into_iter().filter_map(open).map(|l| sorted(&l)).collect();
        let pair = |&(a, b): &(Lit, Lit)| (a.min(b), a.max(b));
        let mut pairs: Vec<(Lit, Lit)> = pairs.iter().map(pair).collect();
        pairs.sort_unstable();
        let by_pairs = |list: &[Lit]| {
            let excluded =
                |i: usize, a: Lit| list[i + 1..].iter().all(|&b| pairs.binary_search(&(a, b)).is_ok());
            list.iter().enumerate().all(|(i, &a)| excluded(i, a))
        };
        let is_group = |list: &Vec<Lit>| {
            let list = sorted(list);
            list.windows(2).all(|w| w[0].var() != w[1].var()) && (at_most.contains(&list) || by_pairs(&list))
        };
        self.at_least.into_iter().filter_map(open).filter(is_group).collect()
    }
}

/// Drops pairs with a literal that is known at the root; a true one makes the other false. Returns whether there can be
/// a model.
pub(crate) fn settle(pairs: &mut Vec<(Lit, Lit)>, engine: &mut Engine) -> bool {
    // Consequences may fix others: most of it within a few rounds.
    for _ in 0..SETTLING {
        if !engine.propagate_root_units() {
            return false;
        }
        let mut excluded: Vec<Lit> = Vec::new();
        pairs.retain(|&(a, b)| {
            let known = [engine.fixed(a), engine.fixed(b)];
            if known.contains(&Some(true)) {
                excluded.push(if known[0] == Some(true) { b } else { a });
            }
            known == [None, None]
        });
        if excluded.is_empty() {
            break;
        }
        if !excluded.iter().all(|&l| engine.add_clause(&[!l])) {
            return false;
        }
    }
    true
}

/// Adds what chains of exactly-one groups imply for their values and for atoms that represent several values. Returns the
/// chains, and whether there can be a model.
pub(crate) fn add(
    p: &Prepared,
    vars: &Variables,
    groups: Groups,
    pairs: &[(Lit, Lit)],
    engine: &mut Engine,
) -> (Chains, bool) {
    if groups.at_least.is_empty() || pairs.is_empty() {
        return (Chains::default(), true);
    }
    let groups = groups.exactly_one(pairs, |l| engine.fixed(l));
    let mut chains = chain::find(&groups, pairs);
    if chains.chains.is_empty() {
        return (chains, true);
    }
    // By chain: atoms, each with where its values are in `values`.
    let mut atoms: Vec<(u32, Lit, Range<usize>)> = Vec::new();
    let mut values: Vec<(usize, usize)> = Vec::new();
    for a in (0..p.atoms).filter(|&a| p.values[a] == Value::Unknown) {
        let from = values.len();
        match union_of(p, vars, a, &chains, engine, &mut values) {
            Some(chain) => atoms.push((chain, vars.get(p, Node::at(a)), from..values.len())),
            None => values.truncate(from),
        }
    }
    atoms.sort_by_key(|t| (t.0, t.1));
    atoms.dedup_by(|a, b| (a.0, a.1) == (b.0, b.1) && a.1.var() != vars.truth.var());
    let mut ok = true;
    let mut rest = atoms.as_slice();
    for number in 0..chains.chains.len() as u32 {
        let (own, others) = rest.split_at(rest.partition_point(|t| t.0 == number));
        rest = others;
        if !chains.keep(number, !own.is_empty()) {
            continue;
        }
        let chain = &chains.chains[number as usize];
        let mut encoded = Encoded::new(chain, vars.truth, !own.is_empty(), engine);
        for (_, atom, range) in own {
            encoded.add_atom(*atom, &values[range.clone()], engine);
        }
        ok &= encoded.ok();
    }
    (chains, ok)
}

/// The chain of which an atom represents several values; these are added to a list, each once.
fn union_of(
    p: &Prepared,
    vars: &Variables,
    atom: usize,
    chains: &Chains,
    engine: &Engine,
    values: &mut Vec<(usize, usize)>,
) -> Option<u32> {
    let from = values.len();
    let mut chain = None;
    for s in p.supports(atom) {
        let rep = p.classes.find_const(s.node());
        if rep == Node::FALSE {
            continue;
        }
        if rep.is_constant() || s.is_choice() {
            return None;
        }
        let lit = vars.try_get(p, rep)?;
        if engine.fixed(lit) == Some(false) {
            continue;
        }
        let place = chains.place(lit)?;
        if *chain.get_or_insert(place.chain) != place.chain {
            return None;
        }
        values.push((place.group as usize, place.value as usize));
    }
    values[from..].sort_unstable();
    let mut kept = from;
    for i in from..values.len() {
        if i == from || values[i] != values[kept - 1] {
            values[kept] = values[i];
            kept += 1;
        }
    }
    values.truncate(kept);
    chain.filter(|_| kept - from > 1)
}
