//! Texts to tokens, with the switch between the ordinary language and that of theory atoms.
//!
//! Inside the braces of a theory atom, in its guard and in the operator lists of a theory definition, any run of the
//! characters `/!<=>+-*\?&@|:;~^.` is one operator (except `.`, `:`, `;` and `:-` themselves); the condition of a theory
//! element is ordinary language again. Invariant: the lexer never looks back further than one token, and every
//! call moves forward, so the time is linear.

use logos::Logos;

use super::token::{LexError, Token, block_comment_end};

/// Which language the next token belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// The ordinary one.
    Normal,
    /// After the `&` of a theory atom.
    Name,
    /// After its name: arguments or braces may follow.
    AfterName,
    /// In its arguments, this many parentheses deep; ordinary language.
    Arguments(u32),
    /// After its arguments: braces may follow.
    AfterArguments,
    /// In its elements, this many brackets deep.
    Elements(u32),
    /// In the condition of an element, this many parentheses and bars deep; ordinary language.
    Condition(u32),
    /// After its elements: an operator may follow.
    AfterElements,
    /// In its guard, this many brackets deep.
    Guard(u32),
    /// In a theory definition, this many braces deep.
    Definition(u32),
}

/// A stream of tokens with their places in the text.
#[derive(Clone)]
pub struct Lexer<'s> {
    inner: logos::Lexer<'s, Token>,
    mode: Mode,
    previous: Option<Token>,
    /// Whether the last bar of a condition opened an absolute value.
    bar_opens: bool,
}

const OPERATOR: [bool; 256] = {
    let mut table = [false; 256];
    let chars = b"/!<=>+-*\\?&@|:;~^.";
    let mut i = 0;
    while i < chars.len() {
        table[chars[i] as usize] = true;
        i += 1;
    }
    table
};

impl<'s> Lexer<'s> {
    /// A lexer for the rest of a text, from a byte position on.
    pub fn new(text: &'s str, at: usize) -> Self {
        let mut inner = Token::lexer(text);
        inner.bump(at);
        Self { inner, mode: Mode::Normal, previous: None, bar_opens: false }
    }

    /// The byte position after the last token.
    pub(crate) fn position(&self) -> usize {
        self.inner.span().end
    }

    /// To be called between statements.
    pub(crate) fn start_statement(&mut self) {
        self.mode = Mode::Normal;
        self.previous = None;
    }

    /// The next token between its first byte and the byte after its last.
    #[inline]
    pub fn next_token(&mut self) -> Option<(usize, Result<Token, LexError>, usize)> {
        let theory = match self.mode {
            Mode::Normal => false,
            Mode::Elements(_) | Mode::AfterElements | Mode::Guard(_) => true,
            // In a definition an operator stands only at the start of a list's element.
            Mode::Definition(depth) => {
                let starts =
                    matches!(self.previous, Some(Token::OpenBrace | Token::Semicolon | Token::Comma));
                depth > 1 && starts
            }
            _ => false,
        };
        if theory && let Some((start, token, end)) = self.operator() {
            self.switch(token);
            return Some((start, Ok(token), end));
        }
        let token = self.inner.next()?;
        let span = self.inner.span();
        if let Ok(token) = token {
            self.switch(token);
        }
        Some((span.start, token, span.end))
    }

    /// Takes the text of a script up to and including its `#end`, or the rest if there is none.
    pub(crate) fn script_text(&mut self) -> Option<(usize, Token, usize)> {
        let (start, rest) = (self.position(), self.inner.remainder());
        let end = rest.find("#end");
        let length = end.map_or(rest.len(), |n| n + "#end".len());
        self.inner.bump(length);
        end.map(|_| (start, Token::ScriptText, start + length))
    }

    /// A run of operator characters, if one comes next.
    fn operator(&mut self) -> Option<(usize, Token, usize)> {
        let rest = self.inner.remainder();
        let bytes = rest.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b'%' if bytes.get(at + 1) == Some(&b'*') => at += 2 + block_comment_end(&rest[at + 2..])?,
                b'%' => at += bytes[at..].iter().position(|&b| b == b'\n')?,
                _ => break,
            }
        }
        let length = bytes[at..].iter().take_while(|&&b| OPERATOR[usize::from(b)]).count();
        let token = match &bytes[at..at + length] {
            b"" => return None,
            b"." => Token::Dot,
            b":" => Token::Colon,
            b";" => Token::Semicolon,
            b":-" => Token::If,
            _ => Token::TheoryOperator,
        };
        let start = self.position() + at;
        self.inner.bump(at + length);
        Some((start, token, start + length))
    }

    /// Changes the mode after a token.
    #[inline]
    fn switch(&mut self, token: Token) {
        use Mode::*;
        use Token::*;
        let previous = self.previous.replace(token);
        self.mode = match (self.mode, token) {
            (Normal | AfterName | AfterArguments, And) if !previous.is_some_and(Token::ends_term) => Name,
            (Normal, Theory) => Definition(0),
            (Normal, _) => return,
            (Name, Identifier) => AfterName,
            (AfterName, OpenParen) => Arguments(1),
            (AfterName | AfterArguments, OpenBrace) => Elements(0),
            (Arguments(n), OpenParen) => Arguments(n + 1),
            (Arguments(1), CloseParen) => AfterArguments,
            (Arguments(n), CloseParen) => Arguments(n - 1),
            (Arguments(n), _) => Arguments(n),
            (Elements(n), OpenParen | OpenBrace | OpenBracket) => Elements(n + 1),
            (Elements(0), CloseBrace) => AfterElements,
            (Elements(n), CloseParen | CloseBrace | CloseBracket) => Elements(n.saturating_sub(1)),
            (Elements(0), Colon) => Condition(0),
            (Elements(n), _) => Elements(n),
            (Condition(0), CloseBrace) => AfterElements,
            (Condition(0), Semicolon) => Elements(0),
            (Condition(n), Bar) => {
                // Two bars side by side both open, or both close.
                if previous != Some(Bar) {
                    self.bar_opens = !previous.is_some_and(Token::ends_term);
                }
                Condition(if self.bar_opens { n + 1 } else { n.saturating_sub(1) })
            }
            (Condition(n), OpenParen) => Condition(n + 1),
            (Condition(n), CloseParen) => Condition(n.saturating_sub(1)),
            (Condition(n), _) => Condition(n),
            (AfterElements, TheoryOperator) => Guard(0),
            (Guard(0), Comma | Semicolon | Colon | If | Dot) => Normal,
            (Guard(n), OpenParen | OpenBrace | OpenBracket) => Guard(n + 1),
            (Guard(n), CloseParen | CloseBrace | CloseBracket) => Guard(n.saturating_sub(1)),
            (Guard(n), _) => Guard(n),
            (Definition(n), OpenBrace) => Definition(n + 1),
            (Definition(n), CloseBrace) => Definition(n.saturating_sub(1)),
            (Definition(n), _) => Definition(n),
            (Name | AfterName | AfterArguments | AfterElements, _) => Normal,
        };
    }
}
