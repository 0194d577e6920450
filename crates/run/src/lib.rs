//! A run: checked options to stages, results to the reporter, with limits and signals. Beside it, what all printing code shares:
//! exit codes, standard output and error, and finding files.
//!
//! [`run`] has the run itself: [`run::run`] does all of it, [`Run`] lets others make the calls. [`watch`] handles signals and
//! limits, [`library`] finds files, [`stdout`] and [`stderr`] print. [`expectation`] and [`trial`] are the tests within
//! programs, [`tune`] finds the options that suit instances best, [`confined`] runs untrusted texts, [`extent`] and [`look`]
//! decide how far a program is grounded for a question or for messages.
//!
//! Invariant: nothing below prints or exits.

#![warn(missing_docs)]

mod album;
pub mod bounds;
pub mod confined;
pub mod diagnostics;
pub mod embedded;
pub mod exit;
pub mod expectation;
pub mod extent;
pub mod failure;
pub mod input;
pub mod library;
pub mod look;
mod memory;
pub mod mentions;
pub mod open;
pub mod python;
pub mod run;
pub mod stderr;
pub mod stdout;
pub mod terminal;
pub mod trial;
pub mod tune;
pub mod usage;
pub mod version;
pub mod watch;

pub use run::{OpenCall, Run, has_open_externals};
