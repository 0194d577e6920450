//! Constraints that are made from sums of literals.

pub(crate) mod sums;
