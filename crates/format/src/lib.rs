//! Program text to better program text: formatting and safe mending.
//!
//! [`format`](fn@format) lays out a text: [`pieces`] splits it into tokens and comments, [`spacing`] decides where blanks go,
//! [`layout`] makes lines. [`mend`] finds what can be written better with the same meaning, [`diff`] shows changes.
//! Invariant: the result parses to the same statements, comments are kept, and repeating it changes nothing.

pub mod diff;
pub mod layout;
pub mod mend;
pub mod pieces;
pub mod spacing;

pub use layout::format;

use asp_base::diagnostic::Diagnostic;
use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_syntax::{Input, Loader, Parsed, parse};

/// Every included text exists and is empty, so that one text can be examined alone.
struct Nothing;

impl Loader for Nothing {
    fn resolve(&mut self, path: &str, _: &str) -> Option<String> {
        Some(path.to_string())
    }
    fn identity(&mut self, _: &str) -> Option<String> {
        None
    }
    fn read(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Ok(Vec::new())
    }
}

/// A text parsed by itself, without the texts that it includes.
pub struct Alone {
    /// The names and terms.
    pub symbols: Symbols,
    pub sources: Sources,
    /// Its statements and messages.
    pub parsed: Parsed,
}

/// Parses a text without the texts that it includes.
pub fn parse_alone(name: &str, text: &[u8]) -> Alone {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let parsed = parse(vec![Input::new(name, text)], &mut symbols, &mut sources, &mut Nothing);
    Alone { symbols, sources, parsed }
}

impl Alone {
    /// Whether the text has no syntax error.
    pub fn is_sound(&self) -> bool {
        use asp_base::diagnostic::Severity;
        let error = |d: &Diagnostic| d.severity == Severity::Error;
        !self.parsed.diagnostics.iter().any(error)
    }
}
