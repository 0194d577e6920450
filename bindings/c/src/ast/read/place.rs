//! Places of nodes, from the tokens of their statement.
//!
//! clingo's places follow its grammar: parentheses around a term do not belong to it, but to the construct that
//! contains it; so the spans of the syntax tree, which include them, are reduced here. Invariant: every span yields a
//! place.

use std::ops::Range;

use asp::message::Span;
use asp::syntax::Token;

use super::super::node::{Location, Name, Position};

/// Where the lines of a text start.
pub struct Lines {
    /// The text's name.
    pub file: Name,
    /// Position of its first byte.
    start: u32,
    /// Positions of the first bytes of its lines.
    lines: Vec<u32>,
}

impl Lines {
    /// Finds the lines.
    pub fn new(file: Name, start: u32, text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        let lines = std::iter::once(start).chain(breaks.map(|(i, _)| start + i as u32 + 1)).collect();
        Lines { file, start, lines }
    }
    /// Line and column of a position.
    pub fn position(&self, at: u32) -> Position {
        let at = at.max(self.start);
        let line = self.lines.partition_point(|&l| l <= at);
        let first = self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(self.start);
        Position { file: self.file, line, column: (at - first) as usize + 1 }
    }
    /// The place between two positions.
    pub fn location(&self, lo: u32, hi: u32) -> Location {
        Location { begin: self.position(lo), end: self.position(hi) }
    }
}

/// The tokens of a statement.
pub struct Tokens<'a> {
    /// Each with its first position and the one after its last.
    pub all: &'a [(u32, Token, u32)],
    /// The partner of each parenthesis, bracket or brace.
    partner: Vec<u32>,
}

impl<'a> Tokens<'a> {
    /// Finds partners.
    pub fn new(all: &'a [(u32, Token, u32)]) -> Self {
        use Token::{CloseBrace, CloseBracket, CloseParen, OpenBrace, OpenBracket, OpenParen};
        let mut partner = vec![u32::MAX; all.len()];
        let mut open = Vec::new();
        for (i, &(_, token, _)) in all.iter().enumerate() {
            match token {
                OpenParen | OpenBrace | OpenBracket => open.push(i),
                CloseParen | CloseBrace | CloseBracket => {
                    if let Some(first) = open.pop() {
                        partner[first] = i as u32;
                        partner[i] = first as u32;
                    }
                }
                _ => {}
            }
        }
        Tokens { all, partner }
    }

    /// The kind of a token.
    pub fn kind(&self, at: usize) -> Option<Token> {
        self.all.get(at).map(|t| t.1)
    }

    /// The partner of a bracket.
    pub fn partner(&self, at: usize) -> Option<usize> {
        self.partner.get(at).map(|&p| p as usize).filter(|&p| p < self.all.len())
    }

    /// The tokens within a span.
    pub fn within(&self, span: Span) -> Range<usize> {
        let first = self.all.partition_point(|t| t.0 < span.lo);
        let end = self.all.partition_point(|t| t.2 <= span.hi);
        first..end.max(first)
    }

    /// From the first of some tokens to the last; if there are none, the end of the previous one.
    pub fn ends(&self, range: &Range<usize>) -> (u32, u32) {
        if range.is_empty() {
            let at = range.start.checked_sub(1).and_then(|i| self.all.get(i)).map_or(0, |t| t.2);
            return (at, at);
        }
        let last = range.end.min(self.all.len()) - 1;
        (self.all.get(range.start).map_or(0, |t| t.0), self.all.get(last).map_or(0, |t| t.2))
    }

    /// Whether some tokens are enclosed in parentheses of their own.
    pub fn is_parenthesized(&self, range: &Range<usize>) -> bool {
        self.kind(range.start) == Some(Token::OpenParen)
            && range.len() >= 2
            && self.partner(range.start) == Some(range.end - 1)
    }

    /// The tokens without the parentheses around them.
    pub fn bare(&self, mut range: Range<usize>) -> Range<usize> {
        while self.is_parenthesized(&range) {
            range = range.start + 1..range.end - 1;
        }
        range
    }

    /// The tokens with the innermost pair of parentheses around them, which belongs to a tuple or pool.
    pub fn bracketed(&self, mut range: Range<usize>) -> Range<usize> {
        while self.is_parenthesized(&range) {
            let inner = range.start + 1..range.end - 1;
            if !self.is_parenthesized(&inner) {
                break;
            }
            range = inner;
        }
        range
    }
}
