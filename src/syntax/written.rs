//! Programs as written: each statement with its tokens, for those who also want to know how it is laid out.
//!
//! Invariants: pieces come in the order of the text, and together cover it; facts are statements like all others; an included
//! text comes where it stands. Parsing takes the same path as ever, only that nothing is kept.

use std::ops::Range;

use super::ast::Statement;
use super::loader::Loader;
use super::parser::{Input, read};
use super::token::{Token, block_comment_end};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::{SourceFile, Sources};
use crate::base::symbol::Symbols;

/// Takes a piece, and the table for its names; says whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(Piece<'_>, &Symbols) -> bool;

/// A piece of a program.
pub enum Piece<'a> {
    /// A text begins, or goes on after one that it includes: the program part is `base`.
    Begin {
        /// The text.
        file: &'a SourceFile,
    },
    /// A statement, or the rest of a text after the last one.
    Statement {
        /// The text.
        file: &'a SourceFile,
        /// From the end of the last piece to the end of this one: bytes in the text.
        range: Range<usize>,
        /// Its tokens, each with its first position and the one after its last.
        tokens: &'a [(u32, Token, u32)],
        /// What it says: nothing if it is wrong or an include, several trees for `#minimize` and the like.
        statements: Vec<Statement>,
    },
}

/// Reads texts one after the other, and hands over piece by piece. Returns errors and warnings.
pub fn parse_pieces<'a>(
    inputs: Vec<Input>,
    symbols: &'a mut Symbols,
    sources: &'a mut Sources,
    loader: &'a mut dyn Loader,
    watch: Watch<'a>,
) -> Vec<Diagnostic> {
    read(inputs, symbols, sources, loader, Some(watch)).diagnostics
}

/// The comments in a range of a text that holds no tokens, as ranges: those to the end of a line without the line break.
pub fn comments(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        let from = at + text.get(at..range.end)?.find('%')?;
        let rest = &text[from..];
        at = match rest.strip_prefix("%*").and_then(block_comment_end) {
            Some(length) => from + 2 + length,
            None => from + rest.find('\n').unwrap_or(rest.len()),
        };
        Some(from..at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::NoFiles;

    #[test]
    fn pieces_and_comments() {
        let text = "%a\np(1). q :- %* b\n *% p(X), %c\n X = 1.\n#minimize { 1; 2 }. r s. #program t. u. %d";
        let (mut symbols, mut sources, mut out) = (Symbols::new(), Sources::new(), String::new());
        let inputs = vec![Input::new("t", text)];
        let diagnostics = parse_pieces(inputs, &mut symbols, &mut sources, &mut NoFiles, &mut |piece, _| {
            match piece {
                Piece::Begin { file } => out.push_str(&format!("begin {}\n", file.name)),
                Piece::Statement { file, range, tokens, statements } => {
                    let mut from = range.start;
                    for &(lo, _, hi) in tokens {
                        let gap = from..(lo - file.start) as usize;
                        comments(&file.text, gap)
                            .for_each(|c| out.push_str(&format!("{:?} ", &file.text[c])));
                        from = (hi - file.start) as usize;
                    }
                    comments(&file.text, from..range.end)
                        .for_each(|c| out.push_str(&format!("{:?} ", &file.text[c])));
                    out.push_str(&format!("{} tokens, {} statements\n", tokens.len(), statements.len()));
                }
            }
            true
        });
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(
            out,
            "begin t\n\"%a\" 5 tokens, 1 statements\n\"%* b\\n *%\" \"%c\" 11 tokens, 1 statements\n\
             7 tokens, 2 statements\n3 tokens, 0 statements\n3 tokens, 1 statements\n2 tokens, 1 statements\n\
             \"%d\" 0 tokens, 0 statements\n"
        );
    }

    #[test]
    fn the_watcher_stops_it() {
        let mut count = 0;
        let inputs = vec![Input::new("t", "a. b. c."), Input::new("u", "d.")];
        parse_pieces(inputs, &mut Symbols::new(), &mut Sources::new(), &mut NoFiles, &mut |_, _| {
            count += 1;
            count < 2
        });
        assert_eq!(count, 2);
    }
}
