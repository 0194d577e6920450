//! Texts to syntax trees and diagnostics; parsing never panics.
//!
//! [`parse`] reads one text after the other, statement by statement: the lexer's tokens are cut after each period,
//! plain facts are read off the tokens directly ([`fact`]), everything else goes through the generated parser
//! (`grammar.lalrpop` with the actions of [`build`]). So an error costs one statement only, memory stays bounded by the
//! longest statement, and nothing recurses. `#include` is followed through a [`Loader`] where it stands.

#![warn(missing_docs)]

pub mod ast;
pub mod build;
pub mod cut;
pub mod error;
pub mod fact;
mod foreign_idioms;
#[allow(clippy::all, missing_docs, unreachable_pub, unused)]
mod grammar;
pub mod lexer;
mod line_ends;
pub mod loader;
mod mending;
pub mod parser;
pub mod print;
pub mod token;
pub mod walk;
pub mod written;

pub use loader::{FileLoader, Loader, NoFiles};
pub use parser::{Input, MAX_ERRORS, Parsed, parse, parse_part, parse_pieces};
