//! Tests of the search that need more than one room.

mod eliminate;
mod engine;
mod growth;
pub(crate) mod session;
mod split;
