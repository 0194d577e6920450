//! The command line: arguments to checked options, options to stages, limits and signals on the way.

pub mod args;
pub mod help;
pub mod library;
pub mod options;
pub mod pattern;
pub mod table;
