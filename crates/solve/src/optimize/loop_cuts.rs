//! Loop formulas as cuts: a set of atoms that only support each other needs external support.
//!
//! For a set `U` of atoms of positive recursion, each atom `a` of it needs an external body, which supports an atom of `U` and
//! needs none of it. In the graph of bodies, whose capacities are their values in the solution of a linear programme, the set
//! with the least external support is a cut between the bodies without recursion and `a`. On tours these are subtour cuts.
//! Invariant: each clause is a loop formula of the program, whatever the values are. Source: Lin and Zhao, *ASSAT: computing
//! answer sets of a logic program by SAT solvers*, AIJ 2004; Dantzig, Fulkerson and Johnson, *Solution of a large-scale
//! traveling-salesman problem*, Operations Research 1954.

use crate::propagator::loop_graph::LoopGraph;
use asp_engine::store::literal::Lit;

/// Clauses that are returned at once.
const MAX_CLAUSES: usize = 60;
/// Arcs that are looked at in a round.
const WORK: usize = 4_000_000;
/// How much the values of a clause are below 1.
const VIOLATED: f64 = 0.03;
/// Capacities below this are none.
const LEAST: f64 = 1e-6;

/// An arc with its residual capacity; the one after it, or before it, is its reverse.
struct Arc {
    to: u32,
    rest: f64,
}

/// Where support flows: node 0 is what needs none, atoms come after it.
struct Network {
    arcs: Vec<Arc>,
    /// By node: its arcs.
    from: Vec<Vec<u32>>,
    /// The arc by which a node was reached.
    by: Vec<u32>,
    work: usize,
}

const UNREACHED: u32 = u32::MAX;

impl Network {
    fn new(graph: &LoopGraph, value: &dyn Fn(Lit) -> Option<f64>) -> Self {
        let nodes = graph.atom_lits.len() + 1;
        let mut new = Self { arcs: Vec::new(), from: vec![Vec::new(); nodes], by: Vec::new(), work: 0 };
        for (body, &lit) in graph.body_lits.iter().enumerate() {
            let capacity = value(lit).unwrap_or(1.0);
            if capacity < LEAST {
                continue;
            }
            let needs = graph.predecessors.row(body);
            // Of several atoms that a body needs, the least true one limits it.
            let weakest = needs.iter().copied().min_by(|&a, &b| {
                let of = |atom: u32| value(graph.atom_lits[atom as usize]).unwrap_or(1.0);
                of(a).total_cmp(&of(b))
            });
            for &head in graph.heads.row(body) {
                new.add(weakest.map_or(0, |a| a + 1), head + 1, capacity);
            }
        }
        new
    }

    fn add(&mut self, from: u32, to: u32, rest: f64) {
        self.from[from as usize].push(self.arcs.len() as u32);
        self.arcs.push(Arc { to, rest });
        self.from[to as usize].push(self.arcs.len() as u32);
        self.arcs.push(Arc { to: from, rest: 0.0 });
    }

    /// Searches for a way to an atom with capacity left; returns how much there is.
    fn reach(&mut self, target: u32) -> Option<f64> {
        self.by.clear();
        self.by.resize(self.from.len(), UNREACHED);
        let mut queue = vec![0u32];
        let mut at = 0;
        while let Some(&node) = queue.get(at) {
            at += 1;
            self.work += self.from[node as usize].len();
            for &arc in &self.from[node as usize] {
                let Arc { to, rest } = self.arcs[arc as usize];
                if rest > LEAST && to != 0 && self.by[to as usize] == UNREACHED {
                    self.by[to as usize] = arc;
                    if to == target {
                        return Some(self.bottleneck(target));
                    }
                    queue.push(to);
                }
            }
        }
        None
    }

    fn bottleneck(&self, target: u32) -> f64 {
        let (mut node, mut least) = (target, f64::INFINITY);
        while node != 0 {
            let arc = self.by[node as usize];
            least = least.min(self.arcs[arc as usize].rest);
            node = self.arcs[arc as usize ^ 1].to;
        }
        least
    }

    /// The maximal flow to an atom, up to a limit. If it is below the limit, atoms that are not [reached](Self::is_reached) have
    /// the least support.
    fn flow(&mut self, target: u32, limit: f64) -> f64 {
        let mut sent = 0.0;
        while sent < limit
            && let Some(most) = self.reach(target)
        {
            let most = most.min(limit - sent);
            let mut node = target;
            while node != 0 {
                let arc = self.by[node as usize] as usize;
                self.arcs[arc].rest -= most;
                self.arcs[arc ^ 1].rest += most;
                node = self.arcs[arc ^ 1].to;
            }
            sent += most;
        }
        sent
    }

    fn is_reached(&self, atom: u32) -> bool {
        self.by[atom as usize + 1] != UNREACHED
    }
}

/// Clauses that the values violate.
pub(crate) fn loop_cuts(graph: &LoopGraph, value: &dyn Fn(Lit) -> Option<f64>) -> Vec<Vec<Lit>> {
    let mut clauses = Vec::new();
    let mut network = Network::new(graph, value);
    let capacities: Vec<f64> = network.arcs.iter().map(|arc| arc.rest).collect();
    let mut order: Vec<u32> = (0..graph.atom_lits.len() as u32).collect();
    let values: Vec<f64> = graph.atom_lits.iter().map(|&l| value(l).unwrap_or(0.0)).collect();
    order.sort_by(|&a, &b| values[b as usize].total_cmp(&values[a as usize]).then(a.cmp(&b)));
    let mut is_told = vec![false; values.len()];
    for atom in order {
        let wanted = values[atom as usize] - VIOLATED;
        if wanted <= 0.0 || clauses.len() >= MAX_CLAUSES || network.work > WORK {
            break;
        }
        if is_told[atom as usize] {
            continue;
        }
        for (arc, &capacity) in network.arcs.iter_mut().zip(&capacities) {
            arc.rest = capacity;
        }
        network.work += capacities.len() / 4;
        if network.flow(atom + 1, wanted) >= wanted {
            continue;
        }
        let set: Vec<u32> = (0..values.len() as u32).filter(|&a| !network.is_reached(a)).collect();
        let clause = formula(graph, atom, &set);
        let sum: f64 = clause.iter().skip(1).map(|&l| value(l).unwrap_or(1.0)).sum();
        if sum < wanted {
            // Atoms of the same set as true as this one need no clause of their own.
            set.iter().for_each(|&a| is_told[a as usize] |= values[a as usize] >= sum);
            clauses.push(clause);
        }
    }
    clauses
}

/// An atom, negated, or one of the bodies from outside that support the set.
fn formula(graph: &LoopGraph, atom: u32, set: &[u32]) -> Vec<Lit> {
    let mut is_inside = vec![false; graph.atom_lits.len()];
    set.iter().for_each(|&a| is_inside[a as usize] = true);
    let mut bodies: Vec<u32> =
        set.iter().flat_map(|&a| graph.supports.row(a as usize).iter().copied()).collect();
    bodies.sort_unstable();
    bodies.dedup();
    // Other atoms of weight bodies do not matter: these bodies count as external support.
    bodies.retain(|&b| !graph.predecessors.row(b as usize).iter().any(|&a| is_inside[a as usize]));
    let mut clause = vec![!graph.atom_lits[atom as usize]];
    clause.extend(bodies.iter().map(|&b| graph.body_lits[b as usize]));
    clause[1..].sort_unstable();
    clause.dedup();
    clause
}
