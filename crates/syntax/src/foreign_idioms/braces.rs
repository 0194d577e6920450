//! Misused braces: idioms in or around them that need other signs or places.

use super::{ForeignIdioms, Token};

const SEPARATORS: &str =
    "the elements in braces are separated by `;`, and `:` stands before a condition: `{ p(X) : q(X) }`";
const CONDITION: &str = "a condition stands behind a `:`, as in `{ p(X) : q(X) }`";

/// Words before a condition elsewhere.
const WORDS: [&str; 6] = ["for", "where", "in", "from", "if", "when"];

impl ForeignIdioms<'_> {
    /// The replacement of a token, or of those from it up to another one.
    pub(super) fn habit_of_braces(&self, i: usize, in_body: bool) -> Option<(usize, &'static str)> {
        let same = |help: &'static str| Some((i, help));
        match self.tokens[i].1 {
            Token::Comma if self.in_choice(i) => same(SEPARATORS),
            Token::Bar if self.in_braces(i) && self.joins_atoms(i) => same(CONDITION),
            Token::Identifier
                if WORDS.contains(&self.slice(i)) && self.in_braces(i) && self.ends_atom(i - 1) =>
            {
                same(CONDITION)
            }
            Token::Number
                if self.is(i + 1, Token::CloseBrace) && self.in_braces(i) && self.ends_atom(i - 1) =>
            {
                same("a bound stands before or behind the braces: `1 { p(X) : q(X) } 1`")
            }
            Token::Max | Token::Min if i == 0 && self.lists_atoms() && self.ends_with_brace() => {
                same(match self.tokens[i].1 {
                    Token::Max => "what is to be greatest is said by `#maximize { W,X : p(X), w(X,W) }.`",
                    _ => "what is to be least is said by `#minimize { W,X : p(X), w(X,W) }.`",
                })
            }
            Token::Comma if !in_body && self.joins_choices(i) => {
                same("a rule has one head: write a rule for each choice")
            }
            Token::Identifier if self.counts(i + 1) => match self.slice(i) {
                "exactly" => Some((i, "exactly 1 is written `{ p(X) : q(X) } = 1`")),
                "least" => Some((i, "at least 1 is written `1 { p(X) : q(X) }`")),
                "most" => Some((i, "at most 1 is written `{ p(X) : q(X) } 1`")),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a number or name with a brace behind it starts at a token.
    fn counts(&self, i: usize) -> bool {
        matches!(self.tokens.get(i), Some((_, Token::Number | Token::Identifier | Token::Variable, _)))
            && self.is(i + 1, Token::OpenBrace)
    }

    fn ends_atom(&self, i: usize) -> bool {
        matches!(self.tokens[i].1, Token::CloseParen | Token::Identifier)
    }

    fn ends_with_brace(&self) -> bool {
        matches!(self.tokens, [.., (_, Token::CloseBrace, _), (_, Token::Dot, _)])
    }

    /// Whether a brace is open before a token, and no parenthesis within it.
    fn in_braces(&self, i: usize) -> bool {
        let mut closed = 0usize;
        for t in self.tokens[..i].iter().rev() {
            match t.1 {
                Token::OpenBrace | Token::OpenParen if closed > 0 => closed -= 1,
                Token::OpenBrace => return true,
                Token::OpenParen => return false,
                Token::CloseBrace | Token::CloseParen => closed += 1,
                _ => {}
            }
        }
        false
    }

    /// Whether a `,` stands between the atoms of a choice, before any `:`.
    fn in_choice(&self, i: usize) -> bool {
        let mut depth = 0usize;
        let mut open = false;
        for (k, t) in self.tokens[..i].iter().enumerate() {
            match t.1 {
                Token::OpenBrace => {
                    let has_terms = |t: Token| {
                        t.has_tuples() || matches!(t, Token::Distinct | Token::Disjoint | Token::Cumulative)
                    };
                    open = k == 0 || !has_terms(self.tokens[k - 1].1);
                }
                Token::OpenParen => depth += 1,
                Token::CloseParen => depth = depth.saturating_sub(1),
                Token::CloseBrace | Token::Colon if depth == 0 => open = false,
                _ => {}
            }
        }
        open && depth == 0 && self.is(i + 1, Token::Identifier) && self.ends_atom(i - 1)
    }

    /// Whether a `,` follows braces, and a bound behind them, and more braces follow.
    fn joins_choices(&self, i: usize) -> bool {
        let closes = |t: &(u32, Token, u32)| t.1 == Token::CloseBrace;
        let opens = |t: &(u32, Token, u32)| t.1 == Token::OpenBrace;
        self.tokens[..i].iter().rev().take(3).any(closes)
            && self.tokens[i + 1..].iter().take(2).any(opens)
            && !self.in_braces(i)
    }
}
