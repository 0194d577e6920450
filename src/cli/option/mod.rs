//! The options of the command line: each row of the table names an option, says what it takes and what it does, and reads it.
//!
//! The path of a command line: [`args`] finds the rows and tests the values by their [`pattern`]s, [`configuration`] adds
//! what a preset or a file asks for, each row's reader changes [`raw::Raw`], and [`check`] puts together what depends on
//! several options.
//! Invariant: no file depends on itself by way of others: rows know what they fill in, not the table.

pub mod args;
pub mod check;
pub mod configuration;
pub mod inputs;
pub mod lemmas;
pub mod pattern;
pub mod pictures;
pub mod raw;
mod rows;
pub mod spec;
pub mod table;
pub mod usage;
pub mod value;
pub mod warnings;
