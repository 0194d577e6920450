//! The part of the positive dependency graph where atoms could support each other, over solver literals.
//!
//! Invariant: every atom of a non-trivial component is in the graph with all its live supports; a body inside the
//! component knows which of its atoms (predecessors) belong to it. Bodies outside have none.

use asp_base::csr::Csr;
use asp_engine::store::literal::Lit;

asp_base::define_index! {
    /// An atom of the graph.
    pub(crate) struct LoopAtom
}
asp_base::define_index! {
    /// A body of the graph.
    pub(crate) struct LoopBody
}

/// A literal of a weight body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summand {
    pub(crate) body: LoopBody,
    pub(crate) lit: Lit,
    pub(crate) weight: i64,
    /// The atom, if the literal is one of the body's component.
    pub(crate) atom: Option<LoopAtom>,
}

/// Atoms and bodies of the components that have cycles, with the edges between them.
#[derive(Debug, Default)]
pub(crate) struct LoopGraph {
    /// By atom: its literal.
    pub(crate) atom_lits: Vec<Lit>,
    /// By atom: the program's atom.
    pub(crate) origin: Vec<u32>,
    /// By body: its literal.
    pub(crate) body_lits: Vec<Lit>,
    /// By atom: bodies that support it.
    pub(crate) supports: Csr<u32>,
    /// By body: atoms that it supports.
    pub(crate) heads: Csr<u32>,
    /// By body: atoms of its component that it needs (normal bodies).
    pub(crate) predecessors: Csr<u32>,
    /// By atom: normal bodies of its component that need it.
    pub(crate) successors: Csr<u32>,
    /// By body: its bound if it is a weight body.
    pub(crate) bounds: Vec<Option<i64>>,
    /// Literals of weight bodies, grouped by body.
    pub(crate) summands: Vec<Summand>,
    /// By body: positions in `summands`.
    pub(crate) summands_of: Csr<u32>,
    /// By atom: positions in `summands`.
    pub(crate) counted_in: Csr<u32>,
}
