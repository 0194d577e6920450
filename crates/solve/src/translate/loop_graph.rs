//! Builds the graph of positive recursion in which unfounded sets are found.
//!
//! Invariant: atoms are those of non-trivial components, in order; a body that belongs to two components is present
//! once for each.

use crate::propagator::loop_graph::{LoopAtom, LoopBody, LoopGraph, Summand};
use crate::translate::body_table::Node;
use crate::translate::completion::Variables;
use crate::translate::dependency::{Components, is_open};
use crate::translate::prepared::Prepared;
use asp_base::csr::Csr;
use asp_base::map::Map;
use asp_engine::store::literal::Lit;
use asp_program::Literal;

struct Builder<'a> {
    p: &'a Prepared,
    vars: &'a Variables,
    components: &'a Components,
    /// By program atom.
    ids: Map<u32, LoopAtom>,
    bodies: Map<(u32, u32), LoopBody>,
    graph: LoopGraph,
    supports: Vec<(u32, u32)>,
    predecessors: Vec<(u32, u32)>,
}

/// Builds the graph. `weak` lists (atom, shifted body, body), sorted, for disjunctions whose shifting would be wrong:
/// such an atom counts as supported by the unshifted body.
pub(crate) fn build(
    p: &Prepared,
    vars: &Variables,
    components: &Components,
    weak: &[(u32, Node, Node)],
) -> LoopGraph {
    let mut b = Builder {
        p,
        vars,
        components,
        ids: Map::default(),
        bodies: Map::default(),
        graph: LoopGraph::default(),
        supports: Vec::new(),
        predecessors: Vec::new(),
    };
    let atoms: Vec<usize> = (0..p.atoms).filter(|&a| components.of(a) != 0).collect();
    for &a in &atoms {
        b.ids.insert(a as u32, LoopAtom(b.graph.atom_lits.len() as u32));
        b.graph.atom_lits.push(vars.get(p, Node::at(a)));
        b.graph.origin.push(a as u32);
    }
    for (i, &a) in atoms.iter().enumerate() {
        for s in p.supports(a) {
            let mut node = s.node();
            if let Ok(at) = weak.binary_search_by_key(&(a as u32, node), |w| (w.0, w.1)) {
                node = weak[at].2;
            }
            if p.classes.find_const(node) == Node::FALSE {
                continue;
            }
            let body = b.body(node, components.of(a));
            b.supports.push((i as u32, body.0));
        }
    }
    b.finish()
}

impl Builder<'_> {
    fn body(&mut self, node: Node, component: u32) -> LoopBody {
        let inside = !node.is_constant() && !node.is_neg() && self.components.of(node.index()) == component;
        let key = (node.code(), if inside { component } else { 0 });
        if let Some(&b) = self.bodies.get(&key) {
            return b;
        }
        let id = LoopBody(self.graph.body_lits.len() as u32);
        self.bodies.insert(key, id);
        self.graph.body_lits.push(self.literal(node));
        self.graph.bounds.push(None);
        if !inside {
            return id;
        }
        let p = self.p;
        if node.index() < p.atoms {
            self.predecessors.push((id.0, self.ids[&(node.index() as u32)].0));
            return id;
        }
        let body = p.bodies.body_of(node);
        let literals = p.bodies.literals(body);
        match p.bodies.weights(body) {
            None => {
                for &l in literals {
                    if let Some(atom) = self.inner(l, component) {
                        self.predecessors.push((id.0, atom.0));
                    }
                }
            }
            Some((bound, weights)) => {
                self.graph.bounds[id.0 as usize] = Some(bound);
                for (&l, &weight) in literals.iter().zip(weights) {
                    let summand =
                        Summand { body: id, lit: self.vars.of(p, l), weight, atom: self.inner(l, component) };
                    self.graph.summands.push(summand);
                }
            }
        }
        id
    }

    /// The literal of a body; a body used only by one choice has none of its own.
    fn literal(&self, node: Node) -> Lit {
        self.vars.get(self.p, node)
    }

    fn inner(&self, literal: Literal, component: u32) -> Option<LoopAtom> {
        let atom = literal.atom().0;
        let inside = !literal.is_neg()
            && self.components.of(atom as usize) == component
            && is_open(self.p, atom as usize);
        if inside { self.ids.get(&atom).copied() } else { None }
    }

    fn finish(mut self) -> LoopGraph {
        let (atoms, bodies) = (self.graph.atom_lits.len(), self.graph.body_lits.len());
        fn flip(pairs: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> + Clone {
            pairs.iter().map(|&(a, b)| (b, a))
        }
        self.supports.dedup();
        self.graph.supports = Csr::group(atoms, self.supports.iter().copied());
        self.graph.heads = Csr::group(bodies, flip(&self.supports));
        self.graph.predecessors = Csr::group(bodies, self.predecessors.iter().copied());
        self.graph.successors = Csr::group(atoms, flip(&self.predecessors));
        let summands = &self.graph.summands;
        let by_body = summands.iter().zip(0..).map(|(s, i)| (s.body.0, i));
        let by_atom = summands.iter().zip(0..).filter_map(|(s, i)| s.atom.map(|a| (a.0, i)));
        self.graph.summands_of = Csr::group(bodies, by_body);
        self.graph.counted_in = Csr::group(atoms, by_atom);
        self.graph
    }
}
