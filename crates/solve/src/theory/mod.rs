//! User-defined theories: propagators that last from call to call, with their own numbering of literals.
//!
//! A [`Host`](host::Host) is the one propagator of the engine that holds all of them. Before each call it initialises every
//! theory ([`setup`]); during the search it passes them new true literals and takes their clauses ([`search`]). Invariant: a
//! literal keeps its number as long as the theories live, also when the program is translated anew ([`numbers`]); permanent
//! additions of a theory are then repeated ([`journal`]). Source: Gebser et al., *Theory solving made easy with clingo 5*, ICLP
//! 2016, for the interface.

pub mod assignment;
pub mod host;
pub mod journal;
pub mod member;
pub(crate) mod numbers;
pub mod search;
pub mod setup;
pub(crate) mod state;

use std::fmt;

/// Why a function of a theory failed. It ends the call, which fails with it.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Wrong use of what a theory is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Misuse {
    /// No literal has this number.
    Literal(i32),
    /// There is no such level.
    Level(u32),
    /// There is a conflict, which the search has to resolve first.
    Conflicting,
    /// The search has to go back to a lower level first.
    Jumping,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Literal(number) => write!(f, "{number} is not a literal of the solver"),
            Misuse::Level(level) => write!(f, "there is no decision level {level}"),
            Misuse::Jumping => {
                f.write_str("the search is to go back to a lower level: return, so that it does")
            }
            Misuse::Conflicting => f.write_str("there is a conflict: return, so that it is resolved"),
        }
    }
}

impl std::error::Error for Misuse {}

/// When a theory's `check` is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckMode {
    /// When nothing is left to be propagated.
    pub fixpoints: bool,
    /// When everything has a value.
    pub total: bool,
}

/// How long a theory's clause is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lifetime {
    /// Also when it seems of no use.
    pub kept: bool,
    /// For the current call only.
    pub volatile: bool,
}
