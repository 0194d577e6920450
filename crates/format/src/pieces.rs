//! A text as tokens and comments, each with the line breaks before it.
//!
//! Invariant: only white space separates the pieces, so together they are the text.

use asp_syntax::cut::Cut;
use asp_syntax::lexer::Lexer;
use asp_syntax::token::{Token, block_comment_end};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Token(Token),
    /// `% ...` up to the end of its line.
    LineComment,
    /// `%* ... *%`
    BlockComment,
}

/// A token or a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece<'t> {
    pub kind: Kind,
    pub text: &'t str,
    /// Where it starts in the whole text.
    pub start: usize,
    /// Line breaks since the previous piece.
    pub breaks: usize,
    /// The number of the statement that contains it; `None` for comments between statements.
    pub statement: Option<usize>,
}

impl Piece<'_> {
    /// Whether it is a comment.
    pub fn is_comment(&self) -> bool {
        !matches!(self.kind, Kind::Token(_))
    }
    /// One past its last byte in the whole text.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The pieces of a text without syntax errors.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lexer = Lexer::new(text, at);
    let mut tokens = Vec::new();
    for number in 0.. {
        Cut { text, start: 0, bad: &[], tokens: &mut tokens, error: None }.statement(&mut lexer);
        if tokens.is_empty() {
            break;
        }
        for (i, &(lo, token, hi)) in tokens.iter().enumerate() {
            let (lo, hi) = (lo as usize, hi as usize);
            let inside = (i > 0).then_some(number);
            let breaks = comments(text, at, lo, inside, &mut found);
            let kind = Kind::Token(token);
            found.push(Piece { kind, text: &text[lo..hi], start: lo, breaks, statement: Some(number) });
            at = hi;
        }
    }
    comments(text, at, text.len(), None, &mut found);
    found
}

/// Adds the comments between two places; returns the line breaks after the last one.
fn comments<'t>(
    text: &'t str,
    from: usize,
    to: usize,
    statement: Option<usize>,
    found: &mut Vec<Piece<'t>>,
) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut breaks) = (from, 0);
    while at < to {
        if bytes[at] != b'%' {
            breaks += usize::from(bytes[at] == b'\n');
            at += 1;
            continue;
        }
        let rest = &text[at..to];
        let (kind, length) = match rest.strip_prefix("%*").and_then(block_comment_end) {
            Some(n) => (Kind::BlockComment, n + 2),
            None => (Kind::LineComment, rest.find('\n').unwrap_or(rest.len())),
        };
        let comment = match kind {
            Kind::LineComment => rest[..length].trim_end(),
            _ => &rest[..length],
        };
        found.push(Piece { kind, text: comment, start: at, breaks, statement });
        breaks = 0;
        at += length;
    }
    breaks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_know_where_they_stand() {
        let found = pieces("% a\n\nb :- %* c *% d. % e\n% f");
        let seen: Vec<_> = found.iter().map(|p| (p.text, p.breaks, p.statement)).collect();
        let inside = Some(0);
        assert_eq!(
            seen,
            [
                ("% a", 0, None),
                ("b", 2, inside),
                (":-", 0, inside),
                ("%* c *%", 0, inside),
                ("d", 0, inside),
                (".", 0, inside),
                ("% e", 0, None),
                ("% f", 1, None)
            ]
        );
    }

    #[test]
    fn a_period_in_a_string_or_comment_ends_nothing() {
        assert_eq!(pieces("p(\"a. % b\"). q.").iter().filter(|p| p.text == ".").count(), 2);
    }
}
