//! Tests of the search that involve more than one room.

mod growth;
mod pull;
pub(crate) mod session;
mod split;
mod stops;
