//! Join plans: the literals of a body in a good order, and the machine that runs them.
//!
//! Begin with `plan`; `machine` runs a plan, `scan` finds the rows of one step, `calculated` says which by equations,
//! `evaluate` has the values of terms.

mod calculated;
mod evaluate;
pub(super) mod machine;
pub mod plan;
mod scan;
