//! Parameters of the exchange of clauses between threads.
//!
//! Invariant: the same for all threads of a call.

/// From whom a thread takes clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Topology {
    /// From all others.
    #[default]
    All,
    /// From those before and after it.
    Ring,
    /// From those whose numbers differ in one bit.
    Cube,
    /// From those, and from the one whose number differs in all bits.
    CubeAcross,
}

/// Which clauses threads share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharingParameters {
    /// The longest one; 0 for none at all.
    pub length: usize,
    /// The worst LBD, for those of more than two literals.
    pub lbd: u32,
    /// Who takes them.
    pub topology: Topology,
    /// Whether only those are taken that exclude something at once.
    pub only_unit: bool,
    /// Whether those are left that are true at the moment.
    pub only_open: bool,
}

impl Default for SharingParameters {
    fn default() -> Self {
        Self { length: 8, lbd: 2, topology: Topology::All, only_unit: false, only_open: false }
    }
}
