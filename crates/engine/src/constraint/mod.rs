//! Adding at-most-one groups and sums as constraints of the engine, whose store propagates them.

pub mod sums;
