//! Join plans: the literals of a body in a good order, and the machine that runs them.
//!
//! Begin with `plan`; `machine` runs a plan, `scan` finds the rows of one step, `calculated` finds keys in equations, `evaluate`
//! computes the values of terms.

mod calculated;
mod evaluate;
pub(super) mod machine;
pub mod plan;
mod scan;
