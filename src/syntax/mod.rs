//! Texts to syntax trees and diagnostics; parsing never panics.

pub mod ast;
