//! The values that variables may have, and the number of them with atoms.

/// The greatest absolute value that a variable may have.
pub const MAX_VALUE: i64 = (1 << 30) - 1;

/// Variables with more values have digits instead of an atom for each value, unless a caller of the library sets
/// [`Limits::atoms`] higher.
const MAX_VALUES_WITH_ATOMS: u64 = 10_000;
/// Variables that `&distinct` is about have no atoms for more values by default.
const MAX_DISTINCT_VALUES: u64 = 256;
/// A variable with at most this many values has an atom for each of them by default.
const DEFAULT_MAX_ATOMS: u64 = 10;

/// The values that variables may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The least value.
    pub least: i64,
    /// The greatest value.
    pub greatest: i64,
    /// A variable with at most this many values has an atom for each of them.
    pub atoms: u64,
    /// Whether constraints may be relaxed: then no domain is narrowed by them, and only the rules of their heads demand them.
    pub open: bool,
    /// The same for a variable that `&distinct` is about, if that is more.
    pub distinct: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            least: -MAX_VALUE,
            greatest: MAX_VALUE,
            atoms: DEFAULT_MAX_ATOMS,
            distinct: MAX_DISTINCT_VALUES,
            open: false,
        }
    }
}

impl Limits {
    /// Makes values atoms wherever possible, so that questions and consequences can report them.
    pub fn tell_values(&mut self) {
        self.atoms = self.atoms.max(MAX_VALUES_WITH_ATOMS);
    }
}
