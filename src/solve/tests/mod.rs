//! Tests of the search that involve more than one room.

mod eliminate;
mod engine;
mod globals;
mod growth;
mod integers;
mod lagrangian;
mod pull;
pub(crate) mod session;
mod split;
