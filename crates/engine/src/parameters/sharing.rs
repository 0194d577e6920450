//! Parameters of the exchange of clauses between threads.
//!
//! Invariant: the same for all threads of a call.

/// From which threads a thread takes clauses.
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
    /// The greatest length; 0 to share none.
    pub length: usize,
    /// The greatest LBD, for clauses of more than two literals.
    pub lbd: u32,
    /// Who receives them.
    pub topology: Topology,
    /// Whether only clauses that are unit or false are taken.
    pub only_unit: bool,
    /// Whether clauses that are currently true are ignored.
    pub only_open: bool,
}

impl Default for SharingParameters {
    fn default() -> Self {
        Self { length: 30, lbd: 8, topology: Topology::All, only_unit: false, only_open: false }
    }
}
