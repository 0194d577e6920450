//! Tests of the search that involve more than one room.

mod chains;
mod factors;
mod growth;
mod neighbours;
mod optima;
mod pull;
pub(crate) mod session;
mod split;
mod stops;
