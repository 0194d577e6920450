//! Tests of the search that involve more than one file.

mod assumptions;
mod cutting_planes;
mod eliminate;
mod globals;
mod integers;
mod relaxation;
mod relaxed_integers;
mod search;
mod sums;
