//! Edges of `#edge` directives over the engine's literals.
//!
//! Invariant: every edge has a literal equivalent to its condition; self-loops are forbidden at once, and edges between
//! different components of the whole graph, which lie on no cycle, are left out.

use crate::propagator::acyclicity::{EdgeGraph, GraphEdge};
use crate::translate::atom_lits::{AtomLits, conjunction};
use asp_base::map::Map;
use asp_base::symbol::Sym;
use asp_engine::Engine;
use asp_engine::store::literal::Lit;
use asp_program::Program;

/// Builds the graph; `None` if it certainly contains a self-loop.
pub(crate) fn build(program: &Program, atoms: &AtomLits, engine: &mut Engine) -> Option<EdgeGraph> {
    let mut ids: Map<Sym, u32> = Map::default();
    let mut id = |s: Sym| {
        let next = ids.len() as u32;
        *ids.entry(s).or_insert(next)
    };
    let mut edges = Vec::with_capacity(program.edges.len());
    for (edge, origin) in program.edges.iter().zip(0..) {
        let mut lits: Vec<Lit> = program.literals(edge.condition).iter().map(|&l| atoms.of(l)).collect();
        let lit = conjunction(engine, atoms.truth, &mut lits);
        let (from, to) = (id(edge.from), id(edge.to));
        if lit == !atoms.truth {
            continue;
        }
        if from == to {
            if let Some(proof) = &mut engine.proof {
                proof.cycle([origin].into_iter());
            }
            if !engine.add_clause(&[!lit]) {
                return None;
            }
            continue;
        }
        edges.push(GraphEdge { from, to, lit, origin });
    }
    let nodes = ids.len();
    remove_acyclic(nodes, &mut edges);
    Some(EdgeGraph { nodes, edges })
}

/// Removes edges out of sources and into sinks until there are none: what remains contains every cycle.
fn remove_acyclic(nodes: usize, edges: &mut Vec<GraphEdge>) {
    loop {
        let mut enters = vec![false; nodes];
        let mut leaves = vec![false; nodes];
        for e in edges.iter() {
            leaves[e.from as usize] = true;
            enters[e.to as usize] = true;
        }
        let before = edges.len();
        edges.retain(|e| enters[e.from as usize] && leaves[e.to as usize]);
        // Long chains would make this quadratic; stopping early only removes fewer edges.
        if before - edges.len() < 1 + before / 64 {
            return;
        }
    }
}
