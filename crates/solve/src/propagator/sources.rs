//! Source pointers of atoms, and the counters that say which bodies can be sources.
//!
//! Invariant: see [`unfounded`](super::unfounded), which maintains them.

use crate::propagator::loop_graph::LoopGraph;

/// No source.
pub(super) const NONE: u32 = u32::MAX;

/// The bodies that atoms have as sources, and what each body needs to be one.
pub(super) struct Sources {
    /// By atom: its source body.
    pub(super) of: Vec<u32>,
    /// By atom with a source: greater than the ranks of the atoms that a normal source body needs, so that another body
    /// that needs only atoms of smaller rank can replace it without a search.
    pub(super) rank: Vec<u64>,
    /// The greatest rank assigned so far.
    pub(super) last_rank: u64,
    /// By normal body: how many atoms of its component have no source.
    pub(super) missing: Vec<u32>,
    /// By weight body: the greatest sum that its literals may reach, minus the bound; valid if not negative.
    pub(super) slack: Vec<i128>,
    /// By summand: whether its literal is false.
    pub(super) falsified: Vec<bool>,
    /// By summand: whether its weight is counted in its body's slack. Literals outside the component count while they
    /// are not false; atoms of the component only if they got their source before the body became valid, since later
    /// ones may depend on the body itself.
    pub(super) counted: Vec<bool>,
}

impl Sources {
    /// No atom has a source.
    pub(super) fn none(graph: &LoopGraph) -> Self {
        let (atoms, bodies) = (graph.atom_lits.len(), graph.body_lits.len());
        let slack = |b: usize| match graph.bounds[b] {
            None => 0,
            Some(bound) => {
                let outer = graph.summands_of.row(b).iter().map(|&i| graph.summands[i as usize]);
                let sum: i128 = outer.filter(|s| s.atom.is_none()).map(|s| i128::from(s.weight)).sum();
                sum - i128::from(bound)
            }
        };
        Self {
            of: vec![NONE; atoms],
            rank: vec![0; atoms],
            last_rank: 0,
            missing: (0..bodies).map(|b| graph.predecessors.range(b).len() as u32).collect(),
            slack: (0..bodies).map(slack).collect(),
            falsified: vec![false; graph.summands.len()],
            counted: graph.summands.iter().map(|s| s.atom.is_none()).collect(),
        }
    }
}
