//! The result of preprocessing: supports of atoms by bodies, and classes of equivalent nodes.
//!
//! Invariant: see [`preprocess`](super::preprocess), which makes it; later passes only add values and merge classes.

use std::ops::Range;

use crate::translate::body_table::{BodyTable, Node, Value};
use crate::translate::classes::Classes;
use asp_base::csr::Csr;
use asp_base::index_vec::Idx;
use asp_program::ground_program::ExternalValue;
use asp_program::{AtomId, RuleId};

/// A body that supports an atom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Support(u32);

impl Support {
    pub(crate) fn new(node: Node, choice: bool) -> Self {
        Self(node.code() << 1 | u32::from(choice))
    }
    #[inline]
    pub(crate) fn node(self) -> Node {
        Node::from_code(self.0 >> 1)
    }
    /// Whether the atom may be false although the body holds.
    #[inline]
    pub(crate) fn is_choice(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A disjunction before shifting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DisjunctionRow {
    pub(crate) body: Node,
    /// Where its heads end; they start where those of the one before end.
    pub(crate) heads_end: u32,
}

/// The program after preprocessing.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Number of atoms, including auxiliary ones of shifting, which come last.
    pub(crate) atoms: usize,
    /// All bodies; their literals are over atoms, not over classes.
    pub(crate) bodies: BodyTable,
    pub(crate) supports: Csr<Support>,
    /// The values of the atoms.
    pub(crate) values: Vec<Value>,
    /// Headless rules.
    pub(crate) constraints: Vec<RuleId>,
    /// Disjunctions with at least two heads.
    pub(crate) disjunctions: Vec<DisjunctionRow>,
    /// Heads of all disjunctions, one after the other.
    pub(crate) disjunction_heads: Vec<AtomId>,
    /// The shifted body of each head.
    pub(crate) shifted: Vec<Node>,
    /// By body: whether it is a shifted one. Its disjunction may be a support even if the shifted body is false.
    pub(crate) is_shifted: Vec<bool>,
    /// By body: whether an earlier body has the same definition up to classes.
    pub(crate) redundant: Vec<bool>,
    /// Classes of equivalent nodes.
    pub(crate) classes: Classes,
    /// Atoms that are external now.
    pub(crate) externals: Vec<(AtomId, ExternalValue)>,
    /// The trace of the rules, if it is recorded.
    pub(crate) trace: Option<Trace>,
}

/// The fate of the rules' bodies, for proofs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// The node of a rule's body.
    pub(crate) bodies: Vec<(RuleId, Node)>,
    /// The auxiliary atom for a rule's body.
    pub(crate) aux: Vec<(RuleId, Node)>,
    /// The shifted body for a rule's head.
    pub(crate) shifted: Vec<(RuleId, AtomId, Node)>,
}

impl Prepared {
    /// The bodies that support an atom.
    #[inline]
    pub(crate) fn supports(&self, atom: usize) -> &[Support] {
        self.supports.row(atom)
    }
    /// Positions of an atom's supports, for [`support_at`](Self::support_at).
    #[inline]
    pub(crate) fn support_range(&self, atom: usize) -> Range<usize> {
        self.supports.range(atom)
    }
    #[inline]
    pub(crate) fn support_at(&self, position: usize) -> Support {
        self.supports.item(position)
    }
    /// Whether a node is a shifted body.
    #[inline]
    pub(crate) fn is_shifted_body(&self, node: Node) -> bool {
        !self.is_shifted.is_empty()
            && !node.is_constant()
            && node.index() >= self.atoms
            && self.is_shifted[self.bodies.body_of(node).index()]
    }
    /// Where the heads of a disjunction are in `disjunction_heads` and `shifted`.
    pub(crate) fn head_range(&self, disjunction: usize) -> Range<usize> {
        let start = if disjunction == 0 { 0 } else { self.disjunctions[disjunction - 1].heads_end };
        start as usize..self.disjunctions[disjunction].heads_end as usize
    }
}
