//! Texts to syntax trees and diagnostics; parsing never panics.

pub mod ast;
pub mod build;
#[allow(clippy::all, missing_docs, unreachable_pub, unused)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/syntax/grammar.rs"));
}
pub mod lexer;
pub mod token;
