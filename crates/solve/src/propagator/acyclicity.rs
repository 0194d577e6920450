//! Acyclicity: the edges whose literals hold form no cycle.
//!
//! When an edge becomes true, the nodes that reach it and the nodes that it reaches by true edges are collected; an
//! edge that would close a cycle between them is false. Reasons are paths, found on demand. Invariant: at a fixpoint
//! the true edges are acyclic and every edge that would close a cycle is false.
//!
//! Source: Bomanson, Gebser, Janhunen, Kaufmann and Schaub, *Answer set programming modulo acyclicity*, LPNMR 2015.

use asp_base::csr::Csr;
use asp_base::map::Map;
use asp_engine::propagator::{Conflict, Context, Propagator, View};
use asp_engine::store::literal::Lit;

/// A potential edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphEdge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) lit: Lit,
    /// Its place among the program's edges.
    pub(crate) origin: u32,
}

/// Nodes are numbers below `nodes`.
#[derive(Debug)]
pub(crate) struct EdgeGraph {
    pub(crate) nodes: usize,
    pub(crate) edges: Vec<GraphEdge>,
}

/// The propagator of one graph.
pub(crate) struct Acyclicity {
    edges: Vec<GraphEdge>,
    outgoing: Csr<u32>,
    incoming: Csr<u32>,
    by_lit: Map<Lit, Vec<u32>>,
    /// By node: the search that reached it, forward and backward.
    forward: Vec<u32>,
    backward: Vec<u32>,
    search: u32,
    stack: Vec<u32>,
    reached: Vec<u32>,
    parent: Vec<u32>,
    /// The edges of the last path that was found.
    last_path: Vec<u32>,
}

impl Acyclicity {
    /// A propagator for a graph.
    pub(crate) fn new(graph: EdgeGraph) -> Self {
        let EdgeGraph { nodes, edges } = graph;
        let by =
            |end: fn(&GraphEdge) -> u32| Csr::group(nodes, edges.iter().zip(0..).map(|(e, i)| (end(e), i)));
        let (outgoing, incoming) = (by(|e| e.from), by(|e| e.to));
        let mut by_lit: Map<Lit, Vec<u32>> = Map::default();
        for (i, e) in edges.iter().enumerate() {
            by_lit.entry(e.lit).or_default().push(i as u32);
        }
        Self {
            edges,
            outgoing,
            incoming,
            by_lit,
            forward: vec![0; nodes],
            backward: vec![0; nodes],
            search: 0,
            stack: Vec::new(),
            reached: Vec::new(),
            parent: vec![0; nodes],
            last_path: Vec::new(),
        }
    }

    /// Collects in `reached` the nodes connected to a start by true edges.
    fn reach(&mut self, start: u32, forward: bool, view: View<'_>) {
        let marks = if forward { &mut self.forward } else { &mut self.backward };
        let lists = if forward { &self.outgoing } else { &self.incoming };
        self.reached.clear();
        self.stack.push(start);
        marks[start as usize] = self.search;
        while let Some(node) = self.stack.pop() {
            self.reached.push(node);
            for &e in lists.row(node as usize) {
                let edge = self.edges[e as usize];
                let next = if forward { edge.to } else { edge.from };
                if marks[next as usize] != self.search && view.is_true(edge.lit) {
                    marks[next as usize] = self.search;
                    self.stack.push(next);
                }
            }
        }
    }

    /// Literals of a path of edges that were true before a position of the trail.
    fn path(&mut self, from: u32, to: u32, before: u32, view: View<'_>, out: &mut Vec<Lit>) -> bool {
        self.search += 1;
        self.forward[from as usize] = self.search;
        self.reached.clear();
        self.reached.push(from);
        let mut next = 0;
        while next < self.reached.len() {
            let node = self.reached[next];
            next += 1;
            if node == to {
                let mut at = to;
                self.last_path.clear();
                while at != from {
                    let edge = self.edges[self.parent[at as usize] as usize];
                    self.last_path.push(edge.origin);
                    out.push(edge.lit);
                    at = edge.from;
                }
                return true;
            }
            for &e in self.outgoing.row(node as usize) {
                let edge = self.edges[e as usize];
                let usable = view.is_true(edge.lit) && view.position_of(edge.lit) < before;
                if usable && self.forward[edge.to as usize] != self.search {
                    self.forward[edge.to as usize] = self.search;
                    self.parent[edge.to as usize] = e;
                    self.reached.push(edge.to);
                }
            }
        }
        false
    }

    /// Logs the cycle of an edge and the last path, from its head to its tail.
    fn log(&self, edge: GraphEdge, context: &mut Context<'_>) {
        context.log_cycle([edge.origin].into_iter().chain(self.last_path.iter().rev().copied()));
    }

    fn add_edge(&mut self, edge: GraphEdge, context: &mut Context<'_>) -> Result<(), Conflict> {
        self.search += 1;
        self.reach(edge.to, true, context.view());
        if self.forward[edge.from as usize] == self.search {
            let mut cycle = vec![edge.lit];
            self.path(edge.to, edge.from, u32::MAX, context.view(), &mut cycle);
            self.log(edge, context);
            cycle.sort_unstable();
            cycle.dedup();
            return Err(context.conflict(&cycle));
        }
        let after = std::mem::take(&mut self.reached);
        self.reach(edge.from, false, context.view());
        let search = self.search;
        for &node in &after {
            for i in self.outgoing.range(node as usize) {
                let e = self.outgoing.item(i);
                let other = self.edges[e as usize];
                if self.backward[other.to as usize] == search && context.value(other.lit).is_none() {
                    if context.logs() {
                        // The path that will explain it.
                        self.path(other.to, other.from, u32::MAX, context.view(), &mut Vec::new());
                        self.log(other, context);
                    }
                    context.enqueue(!other.lit, e)?;
                }
            }
        }
        self.reached = after;
        Ok(())
    }
}

impl Propagator for Acyclicity {
    fn attach(&mut self, context: &mut Context<'_>) {
        let mut lits: Vec<Lit> = self.by_lit.keys().copied().collect();
        lits.sort_unstable();
        for lit in lits {
            context.watch(lit);
        }
    }

    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
        for lit in changed {
            let edges = self.by_lit.remove(lit).unwrap_or_default();
            let mut result = Ok(());
            for &e in &edges {
                result = self.add_edge(self.edges[e as usize], context);
                if result.is_err() {
                    break;
                }
            }
            self.by_lit.insert(*lit, edges);
            result?;
        }
        Ok(())
    }

    fn explain(&mut self, view: View<'_>, lit: Lit, data: u32, because: &mut Vec<Lit>) {
        let edge = self.edges[data as usize];
        let before = if view.is_true(lit) { view.position_of(lit) } else { u32::MAX };
        let found = self.path(edge.to, edge.from, before, view, because);
        debug_assert!(found);
        because.sort_unstable();
        because.dedup();
    }

    fn priority(&self) -> u32 {
        5
    }
}
