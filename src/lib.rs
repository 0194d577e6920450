//! `asp` grounds logic programs and enumerates their answer sets.
//!
//! Data flow: texts are parsed by [`syntax`] into an abstract syntax tree with a span on every node; [`rewrite`] turns
//! it into safe rules in strongly connected components; [`ground`] instantiates the components one by one, semi-naively,
//! into the flat arrays of [`program`]; [`solve`] turns these into nogoods and searches for answer sets; [`report`]
//! renders them; [`cli`] maps a command line to these stages. Beside them stand [`data`] (tables and grids as facts),
//! [`picture`] (answer sets as grids and pages), [`explain`] (why, why not, what next) and [`mod@format`] (program text
//! to better program text).

pub mod base;
pub mod cli;
pub mod control;
pub mod data;
pub mod explain;
pub mod format;
pub mod ground;
pub mod picture;
pub mod program;
pub mod report;
pub mod rewrite;
pub mod solve;
pub mod syntax;

pub use base::interrupt::{Interrupt, StopReason};
pub use base::symbol::Sym as Symbol;
pub use base::term::{Arguments, Term, TermKind};
pub use control::{Answer, Assumption, Atom, Call, Control, Error, Report, SolveHandle};
