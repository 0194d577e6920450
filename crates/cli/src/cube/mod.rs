//! Cubes: parts of a program's search space that runs on any machines take one by one, and whose results are merged.
//!
//! Invariant: a cube names its ground program, so it is never used for another one.

pub(crate) mod merge;
pub(crate) mod result;
