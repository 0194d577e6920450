//! What the completion leaves out, as clauses: atoms do not merely support each other, and edges form no cycle.
//!
//! Both are fixpoints that are reached after as many rounds as a component has members: an atom is derived in a round
//! if a rule for it needs only atoms derived before; a node is removed in a round if all its edges lead to nodes
//! removed before. Invariant: the state of each round is defined by an equivalence, so each answer set has exactly one
//! assignment of it, and the count stays the same (T. Janhunen, *Representing normal programs with clauses*, 2004).

use super::formula::{Builder, Lit, TooLarge, not};
use crate::recursion;
use asp_base::map::Map;
use asp_program::{Body, Head};

/// The greatest number of literals for the rounds of all components.
const MAX_ROUNDS: usize = 3_000_000;

/// What a rule for an atom in a component needs.
struct Needs {
    /// The atom, as its number within the component.
    head: usize,
    /// Literals, with their weights for a sum.
    lits: Vec<Lit>,
    /// Bound and weights of a sum.
    sum: Option<(i64, Vec<i64>)>,
    /// Literals saying that no other atom of its head holds.
    alone: Vec<Lit>,
}

impl Builder<'_> {
    /// Adds foundedness of those components (numbered from 1, by atom) for which clauses can express it, and sets them
    /// to 0. The others are left unchanged.
    pub(super) fn found(&mut self, components: &mut [u32]) -> Result<(), TooLarge> {
        let number = components.iter().max().map_or(0, |&c| c as usize);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); number + 1];
        let mut place = vec![0; components.len()];
        for (atom, &c) in components.iter().enumerate() {
            place[atom] = members[c as usize].len();
            members[c as usize].push(atom as u32);
        }
        let mut needs: Vec<Vec<Needs>> = (0..=number).map(|_| Vec::new()).collect();
        let mut possible = vec![true; number + 1];
        possible[0] = false;
        for rule in self.program.rules.iter() {
            let heads = rule.head.atoms();
            let disjunctive = matches!(rule.head, Head::Disjunction(_)) && heads.len() > 1;
            for head in heads {
                let c = components[head.0 as usize] as usize;
                if c == 0 {
                    continue;
                }
                let mut alone = Vec::new();
                for other in heads.iter().filter(|&o| disjunctive && o != head) {
                    // Atoms of one component in one head may be reasons for each other.
                    possible[c] &= components[other.0 as usize] as usize != c;
                    alone.push(2 * other.0 + 1);
                }
                let lits = rule.body.literals().iter().map(|l| l.code()).collect();
                let sum = match rule.body {
                    Body::Normal(_) => None,
                    Body::Weight { bound, weights, .. } => Some((bound, weights.to_vec())),
                };
                needs[c].push(Needs { head: place[head.0 as usize], lits, sum, alone });
            }
        }
        let mut done = vec![false; number + 1];
        for c in (1..=number).filter(|&c| possible[c]) {
            let size: usize = needs[c].iter().map(|n| 2 + n.lits.len()).sum();
            if self.within(size, members[c].len()) {
                self.rounds(&members[c], &needs[c], &|atom| components[atom as usize] as usize == c, &place)?;
                done[c] = true;
            }
        }
        components.iter_mut().filter(|c| done[**c as usize]).for_each(|c| *c = 0);
        Ok(())
    }

    /// Whether this many rounds of a size still fit below the limit; if so, counts them.
    fn within(&mut self, size: usize, rounds: usize) -> bool {
        let total = self.in_rounds.saturating_add(size.saturating_mul(rounds));
        let fits = total <= MAX_ROUNDS;
        if fits {
            self.in_rounds = total;
        }
        fits
    }

    fn rounds(
        &mut self,
        members: &[u32],
        needs: &[Needs],
        inside: &dyn Fn(u32) -> bool,
        place: &[usize],
    ) -> Result<(), TooLarge> {
        let never = not(self.truth());
        let mut derived = vec![never; members.len()];
        for _ in 0..members.len() {
            let mut reasons: Vec<Vec<Lit>> = vec![Vec::new(); members.len()];
            for rule in needs {
                let before = |&l: &Lit| match l {
                    l if l & 1 == 0 && inside(l / 2) => derived[place[l as usize / 2]],
                    l => l,
                };
                let lits: Vec<Lit> = rule.lits.iter().map(before).collect();
                let body = match &rule.sum {
                    None => self.conjunction(lits),
                    Some((bound, weights)) => self.at_least(*bound, lits, weights)?,
                };
                let reason = self.conjunction(rule.alone.iter().copied().chain([body]).collect());
                reasons[rule.head].push(not(reason));
            }
            let next: Vec<Lit> = reasons
                .into_iter()
                .zip(members)
                .map(|(none, &atom)| {
                    let some = not(self.conjunction(none));
                    self.conjunction(vec![2 * atom, some])
                })
                .collect();
            if next == derived {
                break;
            }
            derived = next;
        }
        for (&atom, derived) in members.iter().zip(derived) {
            self.clause(vec![2 * atom + 1, derived]);
        }
        Ok(())
    }

    /// Adds that no edges form a cycle; `false` if that takes too many clauses. `gone` holds for literals that are
    /// false.
    pub(super) fn acyclic(&mut self, gone: &dyn Fn(Lit) -> bool) -> bool {
        let mut nodes: Map<u32, u32> = Map::default();
        let mut edges: Vec<(u32, u32, Lit)> = Vec::new();
        for edge in &self.program.edges {
            let condition = self.program.literals(edge.condition);
            if condition.iter().any(|l| gone(l.code())) {
                continue;
            }
            let mut node = |term: asp_base::symbol::Sym| {
                let next = nodes.len() as u32;
                *nodes.entry(term.raw()).or_insert(next)
            };
            let (from, to) = (node(edge.from), node(edge.to));
            let holds = self.conjunction(condition.iter().map(|l| l.code()).collect());
            edges.push((from, to, holds));
        }
        let pairs: Vec<(u32, u32)> = edges.iter().map(|e| (e.0, e.1)).collect();
        let components = recursion::components(nodes.len(), &pairs, &|_| false);
        edges
            .retain(|e| components[e.0 as usize] > 0 && components[e.0 as usize] == components[e.1 as usize]);
        let mut sizes = vec![0; 1 + nodes.len()];
        components.iter().for_each(|&c| sizes[c as usize] += 1);
        let rounds = sizes.iter().skip(1).max().copied().unwrap_or(0);
        if !self.within(2 * edges.len(), rounds) {
            return false;
        }
        let never = not(self.truth());
        let mut gone = vec![never; nodes.len()];
        for _ in 0..rounds {
            let mut needed: Vec<Vec<Lit>> = vec![Vec::new(); nodes.len()];
            for &(from, to, holds) in &edges {
                let kept = self.conjunction(vec![holds, not(gone[to as usize])]);
                needed[from as usize].push(not(kept));
            }
            gone = needed.into_iter().map(|all| self.conjunction(all)).collect();
        }
        for (node, gone) in gone.into_iter().enumerate() {
            if components[node] > 0 {
                self.clause(vec![gone]);
            }
        }
        true
    }
}
