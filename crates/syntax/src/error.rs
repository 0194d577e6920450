//! Syntax errors in the user's words: what was found, what could have stood there, and what may have been meant.

use lalrpop_util::ParseError;
use logos::Logos;

use super::token::{Token, words};
use asp_base::diagnostic::Diagnostic;
use asp_base::nearest::nearest;
use asp_base::span::Span;

type Spanned = (u32, Token, u32);

/// Where and how a statement's tokens end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// At its period (or bracket).
    Complete,
    /// At the end of the file.
    File,
    /// Before a token that can only start a statement.
    Before(Span),
}

/// The context for explaining an error in a statement.
pub(crate) struct Context<'s> {
    /// The text of the file.
    pub text: &'s str,
    /// The position of its first byte.
    pub start: u32,
    /// The statement's tokens.
    pub tokens: &'s [Spanned],
    /// How they end.
    pub end: End,
}

impl Context<'_> {
    fn slice(&self, span: Span) -> &str {
        self.text.get((span.lo - self.start) as usize..(span.hi - self.start) as usize).unwrap_or("")
    }

    /// The diagnostic for a failed parse.
    pub(crate) fn explain(&self, error: ParseError<u32, Token, Box<Diagnostic>>) -> Diagnostic {
        match error {
            ParseError::User { error } => *error,
            ParseError::InvalidToken { location } => {
                Diagnostic::error(Span::new(location, location + 1), "syntax error")
            }
            ParseError::ExtraToken { token: (l, _, r) } => self.unexpected(Span::new(l, r), &[]),
            ParseError::UnrecognizedToken { token: (l, _, r), expected } => {
                self.unexpected(Span::new(l, r), &expected)
            }
            ParseError::UnrecognizedEof { expected, .. } => self.ended(&expected),
        }
    }

    fn ended(&self, expected: &[String]) -> Diagnostic {
        let last = self.tokens.last().map_or(Span::NONE, |&(l, _, r)| Span::new(l, r));
        let after = Span::new(last.hi, last.hi);
        let what = list(expected);
        match self.end {
            End::Before(next) => {
                let word = self.slice(next).to_string();
                let d = Diagnostic::error(next, format!("syntax error: expected {what}, found `{word}`"));
                self.with_open_bracket(d.label(after, "perhaps a `.` is missing here"), self.tokens.len())
            }
            End::Complete if matches!(self.tokens.first(), Some((_, Token::Weak | Token::Heuristic, _))) => {
                let example = match self.tokens.first() {
                    Some((_, Token::Weak, _)) => "write `:~ body. [weight@priority, terms]`",
                    _ => "write `#heuristic atom : body. [weight@priority, modifier]`",
                };
                Diagnostic::error(last, "syntax error: expected `[` after the period").help(example)
            }
            _ => {
                let d = Diagnostic::error(
                    last,
                    format!("syntax error: expected {what}, found the end of the file"),
                )
                .caption("the text ends after this");
                self.with_open_bracket(d, self.tokens.len())
            }
        }
    }

    fn unexpected(&self, span: Span, expected: &[String]) -> Diagnostic {
        let at = self.tokens.iter().position(|t| t.0 == span.lo).unwrap_or(self.tokens.len());
        let found = shorten(self.slice(span));
        let mut what = list(expected);
        if what.is_empty() {
            what = "the end of the statement".into();
        }
        let mut d = Diagnostic::error(span, format!("syntax error: expected {what}, found `{found}`"));
        if at == 0 {
            if matches!(
                self.tokens.first(),
                Some((_, Token::CloseParen | Token::CloseBrace | Token::CloseBracket, _))
            ) {
                d = d.caption("nothing is open for this to close");
            }
            return d;
        }
        let (pl, previous, pr) = self.tokens[at - 1];
        let before = Span::new(pl, pr);
        let token = self.tokens.get(at).map(|t| t.1);
        if let Some(help) = self.common_mistake(at, before, previous, token, span) {
            return d.help(help);
        }
        let closing = matches!(token, Some(Token::CloseParen | Token::CloseBrace | Token::CloseBracket));
        let ends = closing || matches!(token, Some(Token::Dot | Token::If));
        if ends {
            d = self.with_open_bracket(d, at);
            if closing && d.labels.len() == 1 {
                d = d.caption("nothing is open for this to close");
            }
            return d;
        }
        let new_line = self.slice(Span::new(before.hi, span.lo)).contains('\n');
        let starts = matches!(
            token,
            Some(
                Token::Identifier | Token::Minus | Token::Not | Token::OpenBrace | Token::Number | Token::If
            )
        );
        if new_line && starts && self.open_bracket(at).is_none() {
            d = d.label(Span::new(before.hi, before.hi), "perhaps a `.` is missing here");
        } else if new_line {
            d = self.with_open_bracket(d, at);
        }
        d
    }

    /// The innermost bracket that is open before a token.
    fn open_bracket(&self, at: usize) -> Option<Spanned> {
        let mut open = Vec::new();
        for &t in &self.tokens[..at.min(self.tokens.len())] {
            match t.1 {
                Token::OpenParen | Token::OpenBrace | Token::OpenBracket => open.push(t),
                Token::CloseParen | Token::CloseBrace | Token::CloseBracket => {
                    open.pop();
                }
                _ => {}
            }
        }
        open.pop()
    }

    fn with_open_bracket(&self, d: Diagnostic, at: usize) -> Diagnostic {
        match self.open_bracket(at) {
            Some((l, token, r)) => {
                let text = match token {
                    Token::OpenParen => "this parenthesis is still open",
                    Token::OpenBrace => "this brace is still open",
                    _ => "this bracket is still open",
                };
                d.label(Span::new(l, r), text)
            }
            None => d,
        }
    }

    fn common_mistake(
        &self,
        at: usize,
        before: Span,
        previous: Token,
        token: Option<Token>,
        span: Span,
    ) -> Option<String> {
        let adjacent = before.hi == span.lo;
        let two_before = at.checked_sub(2).map(|i| self.tokens[i].1);
        let help = match (previous, token?) {
            (Token::Colon, Token::Equal) if adjacent => "rules are written `head :- body.`".into(),
            (Token::Equal, Token::Less) if adjacent => "\"at most\" is written `<=`".into(),
            (Token::Equal, Token::Greater) if adjacent => {
                "\"at least\" is written `>=`, and rules `head :- body.`".into()
            }
            (Token::Equal, Token::Slash | Token::Backslash) if adjacent => {
                "\"not equal\" is written `!=`".into()
            }
            (Token::Slash, Token::Slash | Token::Star | Token::StarStar) if adjacent => {
                "comments start with `%` and reach to the end of the line, or stand between `%*` and `*%`"
                    .into()
            }
            (Token::And, Token::And) if adjacent => "the elements of a body are separated by `,`".into(),
            (Token::Number, Token::Number) if adjacent => match self.slice(before) {
                "0" => "decimal numbers are written without leading zeros".into(),
                _ => return None,
            },
            (Token::Variable, Token::OpenParen)
                if adjacent && self.open_bracket(at).is_some_and(|open| open.1 == Token::OpenParen) =>
            {
                "names of functions start with a lower-case letter; or a `,` is missing".into()
            }
            (Token::Variable, Token::OpenParen) if adjacent => {
                let name = self.slice(before);
                let lower: String =
                    name.chars().take(1).flat_map(char::to_lowercase).chain(name.chars().skip(1)).collect();
                format!("names of predicates and functions start with a lower-case letter: `{lower}(`")
            }
            (Token::Dollar, Token::Dollar) => {
                "`$` stands before the name of a predicate; a value may be an argument: `$p($q)`".into()
            }
            (Token::Dollar, Token::Variable) => {
                "`$` stands before the name of a predicate; a variable is a value already".into()
            }
            (Token::Dollar, _) => {
                "`$` stands before the name of a predicate: `$p(X)` is the last argument of `p(X,_)`".into()
            }
            (_, Token::Dollar) if self.tokens[..at].iter().any(|t| t.1 == Token::And) => {
                "values of predicates do not go with theory atoms; compare them in `#sum { $p(X) : q(X) } <= 3`".into()
            }
            (Token::Distinct | Token::Disjoint | Token::Cumulative, _) => {
                let name = self.slice(before);
                format!("the elements go in braces: `{name} {{ $p(X) : q(X) }}`")
            }
            (Token::Count | Token::Sum | Token::SumPlus | Token::Min | Token::Max, _) => {
                let name = self.slice(before);
                format!("the elements of an aggregate go in braces: `{name} {{ X : p(X) }}`")
            }
            (Token::Minimize | Token::Maximize, _) => {
                let name = self.slice(before);
                format!("the elements go in braces, each with its weight first: `{name} {{ W,X : p(X,W) }}.`")
            }
            (_, Token::If) if matches!(self.tokens.first(), Some((_, Token::Show, _))) => {
                "the condition of a shown term follows a `:`, as in `#show X : p(X).`".into()
            }
            (Token::CloseBrace, Token::Backslash | Token::Plus | Token::Minus | Token::Star | Token::Slash) => {
                "an aggregate is given to a variable first: `N = #count { X : p(X) }, N \\ 2 = 1`".into()
            }
            (Token::Number, Token::Comma) if self.tokens[0].1 == Token::Show => {
                "a `#show` names one predicate: `#show p/1. #show q/1.`".into()
            }
            (Token::Comma | Token::Semicolon, Token::Dot | Token::If) => {
                "the separator before it has nothing to separate; remove it".into()
            }
            (Token::Not, Token::Not) if two_before == Some(Token::Not) => {
                "at most two `not` may precede a literal".into()
            }
            (Token::If, Token::If) => "a rule has one `:-`".into(),
            _ => return None,
        };
        Some(help)
    }
}

fn shorten(s: &str) -> String {
    match s.char_indices().nth(30) {
        Some((i, _)) => format!("{}...", &s[..i]),
        None => s.to_string(),
    }
}

/// The tokens that could have stood somewhere, in words, at most five of them.
fn list(expected: &[String]) -> String {
    let has = |name: &str| expected.iter().any(|e| e.trim_matches('"') == name);
    let mut words: Vec<String> = Vec::new();
    if has("#show") {
        return "a statement".into();
    }
    if has("#true") && has("variable") {
        words.push("a literal".into());
    } else if has("number") && has("variable") {
        words.push("a term".into());
    } else if has("identifier") {
        words.push("a name".into());
    } else if has("number") {
        words.push("a number".into());
    }
    if has("string") && !has("number") {
        words.push("a string".into());
    }
    for mark in [")", "]", "}", "[", ",", ";", ":", ":-", ".", "{"] {
        // A brace after a term is possible but hardly ever meant.
        if has(mark) && (mark != "{" || words.is_empty()) {
            words.push(format!("`{mark}`"));
        }
    }
    if has("(") && words.is_empty() {
        words.push("`(`".into());
    }
    if words.is_empty() && has("|") {
        words.push("`|`".into());
    }
    if has("<") && words.len() < 2 && !has("|") {
        words.push("a comparison".into());
    }
    if words.is_empty() && (has("+") || has("theory operator")) {
        words.push("an operator".into());
    }
    if words.is_empty() {
        words.extend(expected.iter().map(|e| format!("`{}`", e.trim_matches('"'))));
    }
    words.truncate(5);
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} or {last}", words.join(", ")),
    }
}

/// The known directive that a misspelt one is nearest to; at the beginning of a statement, rather one that begins statements.
pub(crate) fn nearest_directive(word: &str, begins: bool) -> Option<&'static str> {
    if word.len() > 40 {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let begins_statement =
        |word: &str| matches!(Token::lexer(word).next(), Some(Ok(t)) if t.starts_statement());
    let fitting = || nearest(&lower, words().filter(|word| begins_statement(word) == begins));
    words().find(|known| *known == lower).or_else(fitting).or_else(|| nearest(&lower, words()))
}
