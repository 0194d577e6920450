//! The ground program: typed flat arrays, the boundary between the grounder (and the readers of ground formats) and
//! the solver, the writers and the checker.
//!
//! Two levels share one [`Program`]. The grounder emits *structured* constructs (aggregates
//! with guards, conditional literals, head aggregates) beside plain rules, so that `--text` can print what the user
//! wrote; [`lower`](fn@lower::lower) replaces them by normal, choice, disjunctive and weight rules over auxiliary
//! atoms, which aspif can express and the solver accepts.

#![warn(missing_docs)]

pub mod aspif;
pub mod aspif_read;
pub mod atom_table;
pub mod defined;
pub mod dimacs;
pub mod externals;
pub mod ground_program;
pub mod integers;
pub mod intervals;
pub mod journal;
pub mod lazy;
pub mod lower;
mod lowered;
pub mod reify;
pub mod rule;
pub mod scan;
mod shown;
pub mod smodels;
mod smodels_names;
pub mod text;
mod written;

pub use atom_table::{AtomId, AtomTable, Literal};
pub use ground_program::Program;
pub use rule::{Body, Head, RuleId, RuleRef, RuleSource, Rules};
