//! How at-most-one groups and sums become constraints of the engine. What propagates them is in the engine's store.

pub(crate) mod sums;
