//! Chains as clauses that leave exactly the values in some solution of the chain.
//!
//! Each group gets literals "this value or a later one" (order encoding), and a value implies the least one of the next group.
//! With that, propagation is complete for the order alone: a value's demand on its neighbours is a bound.
//!
//! Atoms that hold if one of several values is taken (the cells of a line) also ask that a value does *not* come too
//! late. A solution is a path: nodes are pairs of a group and the first value of it that the group before leaves; a value
//! leads from a node of its group to one of the next, a *gap* from a node to the one after it. If there is a set of nodes,
//! closed under what comes before, that all values of an atom leave, then each path leaves it exactly once, so the
//! atom excludes all other edges that leave it, and one of these is taken if the atom is false. Each edge implies one
//! that comes before it and one that comes after it; so an edge stays exactly if it is on a path of edges that are
//! left, and propagation is complete for the chain with all such atoms.
//!
//! Invariant: the values determine all new variables; everything is implied by the pairs that the chain stands for.
//! Source: Crawford and Baker, *Experimental results on the application of satisfiability algorithms to scheduling
//! problems*, AAAI 1994, for the order encoding; Pesant, *A regular language membership constraint for finite sequences
//! of variables*, CP 2004, and Bacchus, *GAC via unit propagation*, CP 2007, for paths.

use crate::translate::groups::chain::Chain;
use asp_engine::Engine;
use asp_engine::store::literal::Lit;

/// Other edges that leave a set of nodes, for each value that does and each group: more are not written out.
const MOST_OTHERS: usize = 4;

/// A chain in the engine.
pub(crate) struct Encoded<'a> {
    chain: &'a Chain,
    truth: Lit,
    /// By group: "the value with this number or a later one", from the first, which is true, to one after the last,
    /// which is false.
    since: Vec<Vec<Lit>>,
    /// By group except the last, by value of the next group: the gap after this node, or false. Empty without atoms.
    gaps: Vec<Vec<Lit>>,
    clause: Vec<Lit>,
    ok: bool,
}

impl<'a> Encoded<'a> {
    /// Adds the order of a chain, and its gaps if they are wanted.
    pub(crate) fn new(chain: &'a Chain, truth: Lit, gaps: bool, engine: &mut Engine) -> Self {
        let mut out =
            Self { chain, truth, since: Vec::new(), gaps: Vec::new(), clause: Vec::new(), ok: true };
        for values in &chain.groups {
            out.add_order(values, engine);
        }
        for (i, skips) in chain.skips.iter().enumerate() {
            let mut last = 0;
            for (value, &skip) in skips.iter().enumerate() {
                if skip > last {
                    let implied = out.since[i + 1][skip];
                    out.add(&[!out.since[i][value], implied], engine);
                }
                last = skip;
            }
        }
        if gaps {
            for i in 0..chain.skips.len() {
                out.add_gaps(i, engine);
            }
        }
        out
    }
    /// Whether there can be a model.
    pub(crate) fn ok(&self) -> bool {
        self.ok
    }
    /// Adds a clause without the literals that are false for certain.
    fn add(&mut self, literals: &[Lit], engine: &mut Engine) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend(literals.iter().filter(|&&l| l != !self.truth));
        if !clause.contains(&self.truth) {
            self.ok = self.ok && engine.add_clause(&clause);
        }
        self.clause = clause;
    }
    fn add_order(&mut self, values: &[Lit], engine: &mut Engine) {
        let n = values.len();
        let mut since = vec![self.truth];
        for _ in 1..n {
            let var = engine.new_var();
            engine.suggest_phase(var, false);
            since.push(Lit::pos(var));
        }
        since.push(!self.truth);
        for (i, &value) in values.iter().enumerate() {
            let (from, after) = (since[i], since[i + 1]);
            self.add(&[!value, from], engine);
            self.add(&[!value, !after], engine);
            self.add(&[!after, from], engine);
            self.add(&[!from, after, value], engine);
        }
        self.since.push(since);
    }
    /// The first value of a group that rules out more than a number of values of the next one.
    fn first_beyond(&self, group: usize, node: usize) -> usize {
        self.chain.skips[group].partition_point(|&s| s <= node)
    }
    /// Gap after a node: the group before left it or an earlier one, and the value of the next is later.
    fn add_gaps(&mut self, i: usize, engine: &mut Engine) {
        let chain = self.chain;
        let (skips, next) = (&chain.skips[i], &chain.groups[i + 1]);
        let mut gaps = vec![!self.truth; next.len()];
        for (node, gap) in gaps.iter_mut().enumerate() {
            let (reached, later) = (!self.since[i][self.first_beyond(i, node)], self.since[i + 1][node + 1]);
            *gap = match (reached == self.truth, later == self.truth) {
                _ if reached == !self.truth || later == !self.truth => continue,
                (true, _) => later,
                (_, true) => reached,
                _ => {
                    let var = engine.new_var();
                    engine.suggest_phase(var, false);
                    let own = Lit::pos(var);
                    self.add(&[!own, reached], engine);
                    self.add(&[!own, later], engine);
                    self.add(&[own, !reached, !later], engine);
                    own
                }
            };
        }
        let mut before: Vec<Lit> = Vec::new();
        for node in 0..next.len() {
            // Edges into the node: the gap before it, and values of the group before that skip to it.
            before.clear();
            let (first, end) = (skips.partition_point(|&s| s < node), skips.partition_point(|&s| s <= node));
            before.extend(&chain.groups[i][first..end]);
            before.extend(node.checked_sub(1).map(|last| gaps[last]));
            let after = [gaps[node], next[node]];
            for &edge in &before {
                self.add(&[!edge, after[0], after[1]], engine);
            }
            for edge in after {
                before.push(!edge);
                let clause = std::mem::take(&mut before);
                self.add(&clause, engine);
                before = clause;
                before.pop();
            }
        }
        self.gaps.push(gaps);
    }

    /// Adds the constraints of an atom that holds if one of these values, by group and number, is taken. Pre: gaps were added;
    /// there is a value, and each is given once.
    pub(crate) fn add_atom(&mut self, atom: Lit, values: &[(usize, usize)], engine: &mut Engine) {
        let chain = self.chain;
        let groups = chain.groups.len();
        let mut of: Vec<Vec<usize>> = vec![Vec::new(); groups];
        for &(group, value) in values {
            of[group].push(value);
        }
        of.iter_mut().for_each(|v| v.sort_unstable());
        // By group, and one after the last: so many of its nodes are in the set, at least.
        let mut least = vec![0; groups + 1];
        for i in (0..groups).rev() {
            let own = of[i].last().map_or(0, |v| v + 1);
            least[i] = own.max(self.values_before(i, least[i + 1]));
        }
        let mut size = least;
        size[0] = size[0].max(1);
        // Then as many as there may be.
        for i in 0..groups {
            let own = of[i].first().map_or(usize::MAX, |&v| self.skip(i, v));
            let outside = if size[i] < chain.groups[i].len() { self.skip(i, size[i]) } else { usize::MAX };
            let nodes = chain.groups.get(i + 1).unwrap_or(&chain.groups[i]).len();
            let most = own.min(outside).min(nodes);
            if most < size[i + 1] {
                return;
            }
            size[i + 1] = most;
        }
        let mut others: Vec<Lit> = Vec::new();
        for i in 0..=groups {
            if i < groups {
                let leaving = self.values_before(i, size[i + 1])..size[i];
                let other = leaving.filter(|v| of[i].binary_search(v).is_err());
                others.extend(other.map(|v| chain.groups[i][v]));
            }
            if let Some(last) = size[i].checked_sub(1) {
                others.push(match i {
                    0 => self.since[0][last + 1],
                    _ if i == groups => !self.since[i - 1][last],
                    _ => self.gaps[i - 1][last],
                });
            }
        }
        others.retain(|&l| l != !self.truth);
        if others.len() > MOST_OTHERS * (groups + values.len()) {
            return;
        }
        for &edge in &others {
            self.add(&[!atom, !edge], engine);
        }
        others.push(atom);
        self.add(&others, engine);
    }
    /// How many values of a group lead to the first so many nodes; these come first.
    fn values_before(&self, group: usize, nodes: usize) -> usize {
        match self.chain.skips.get(group) {
            Some(skips) => skips.partition_point(|&s| s < nodes),
            None => nodes.saturating_sub(1),
        }
    }
    /// The node that a value leads to; after the last group, nodes are numbers of its values, from 1.
    fn skip(&self, group: usize, value: usize) -> usize {
        self.chain.skips.get(group).map_or(value + 1, |s| s[value])
    }
}
