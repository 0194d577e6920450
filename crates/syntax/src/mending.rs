//! Repairs of statements that cannot be read: a period, comma or bracket is put where one may be missing.
//!
//! Invariants: a change is proposed only if the statement can be read with it; the number of attempts is bounded, so
//! that the time stays linear in the statement. `asp_analysis::fix` makes edits of the labels: "perhaps a `X` is
//! missing here" and "perhaps `X` is meant here".

use super::error::End;
use super::token::Token;
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;

type Spanned = (u32, Token, u32);

/// How many ends of lines are tried.
const MAX_LINES: usize = 4;

/// A statement with an error, and whether tokens can be read as a statement.
pub(super) struct Mending<'s, 'r> {
    /// The text of the file.
    pub(super) text: &'s str,
    /// The position of its first byte.
    pub(super) start: u32,
    pub(super) tokens: &'s [Spanned],
    /// How they end.
    pub(super) end: End,
    pub(super) reads: &'r mut dyn FnMut(&[Spanned]) -> bool,
}

/// A change, for people and for editors.
struct Change {
    span: Span,
    label: String,
    help: Option<&'static str>,
}

impl Change {
    fn missing(at: u32, sign: &str) -> Self {
        Self { span: Span::new(at, at), label: format!("perhaps a `{sign}` is missing here"), help: None }
    }

    fn meant(span: Span, text: &str) -> Self {
        Self { span, label: format!("perhaps `{text}` is meant here"), help: None }
    }

    fn tell(self, mut error: Diagnostic) -> Diagnostic {
        error.help.clear();
        error.labels.truncate(1);
        match error.labels.first_mut() {
            Some(first) if first.span == self.span => first.text = self.label,
            _ => error = error.label(self.span, self.label),
        }
        error.help.extend(self.help.map(str::to_string));
        error
    }
}

impl<'s> Mending<'s, '_> {
    /// Adds a sign whose absence explains all of the error; nothing if there is none. These go before what idioms say.
    pub(super) fn certain(&mut self, error: &Diagnostic) -> Option<Diagnostic> {
        let change = self.bracket().or_else(|| self.line(error))?;
        Some(change.tell(error.clone()))
    }

    /// Adds a comma or semicolon that may be missing.
    pub(super) fn likely(&mut self, error: Diagnostic) -> Diagnostic {
        match self.separator(&error) {
            Some(change) => change.tell(error),
            None => error,
        }
    }

    fn slice(&self, lo: u32, hi: u32) -> &'s str {
        self.text.get((lo - self.start) as usize..(hi - self.start) as usize).unwrap_or("")
    }

    /// The token that the error is at.
    fn place(&self, error: &Diagnostic) -> Option<usize> {
        let lo = error.labels.first()?.span.lo;
        self.tokens.iter().position(|t| t.0 == lo)
    }

    /// The last token that the error is about, if it is about several.
    fn last_place(&self, error: &Diagnostic) -> Option<usize> {
        let span = error.labels.first()?.span;
        let last = self.tokens.iter().rposition(|t| span.lo <= t.0 && t.2 <= span.hi)?;
        Some(last)
    }

    /// The innermost bracket that is open before a token.
    fn innermost(&self, at: usize) -> Option<usize> {
        let mut open = Vec::new();
        for (i, t) in self.tokens[..at].iter().enumerate() {
            match t.1 {
                Token::OpenParen | Token::OpenBrace | Token::OpenBracket => open.push(i),
                Token::CloseParen | Token::CloseBrace | Token::CloseBracket => {
                    open.pop();
                }
                _ => {}
            }
        }
        open.pop()
    }

    /// Whether one of some tokens is a variable.
    fn has_variables(tokens: &[Spanned]) -> bool {
        tokens.iter().any(|t| t.1 == Token::Variable)
    }

    /// What may be missing before a token, the likeliest first; where a text is read in several ways, the others change
    /// what it means.
    fn signs(&self, at: usize) -> Vec<(Token, &'static str)> {
        let (comma, semicolon, colon) = ((Token::Comma, ","), (Token::Semicolon, ";"), (Token::Colon, ":"));
        let first = self.tokens[0].1;
        match self.innermost(at) {
            Some(open) if self.tokens[open].1 == Token::OpenBrace => {
                let element = (open + 1..at).rev().find(|&i| self.tokens[i].1 == Token::Semicolon);
                let begin = element.map_or(open + 1, |i| i + 1);
                let has_colon = self.tokens[begin..at].iter().any(|t| t.1 == Token::Colon);
                let has_tuple = open.checked_sub(1).is_some_and(|i| self.tokens[i].1.has_tuples());
                let is_atom = self.tokens[at].1 == Token::Not
                    || self.tokens[at].1 == Token::Identifier
                        && self.tokens.get(at + 1).is_some_and(|t| t.1 == Token::OpenParen);
                match (has_colon, has_tuple && is_atom || Self::has_variables(&self.tokens[begin..at])) {
                    (true, _) => vec![comma, semicolon],
                    (false, true) if is_atom => vec![colon],
                    (false, true) => vec![comma],
                    (false, false) => vec![semicolon],
                }
            }
            // A text with blanks is one argument or several.
            Some(_) => {
                let is_word = |i: usize| {
                    let (lo, token, hi) = self.tokens[i];
                    let names = matches!(token, Token::Variable | Token::Identifier);
                    names && (hi - lo > 2 || self.slice(lo, hi).starts_with('\''))
                };
                if is_word(at) || is_word(at - 1) { Vec::new() } else { vec![comma] }
            }
            None => {
                let body = self.tokens.iter().position(|t| t.1 == Token::If);
                let constant = (Token::Equal, "=");
                match first {
                    Token::Const => vec![constant],
                    // `sat x(1), y(1).` may be two facts or a rule.
                    Token::Identifier if at == 1 => Vec::new(),
                    _ if body.is_some_and(|body| body < at) => vec![comma],
                    Token::Identifier | Token::Minus | Token::OpenBrace | Token::Number => {
                        let is_colon = self.tokens[..at].iter().any(|t| t.1 == Token::Colon);
                        let is_ground = !Self::has_variables(&self.tokens[..at]);
                        match (body, is_ground) {
                            _ if is_colon && first != Token::OpenBrace => vec![comma],
                            (Some(_), true) => vec![(Token::Dot, ".")],
                            (Some(_), false) => Vec::new(),
                            (None, true) if !Self::has_variables(&self.tokens[at..]) => {
                                vec![(Token::Dot, ".")]
                            }
                            (None, _) => vec![(Token::If, ":-")],
                        }
                    }
                    _ => vec![comma, semicolon],
                }
            }
        }
    }

    /// The column of a token that begins a line.
    fn column(&self, i: usize) -> Option<usize> {
        let before = if i == 0 { self.start } else { self.tokens[i - 1].2 };
        let gap = self.slice(before, self.tokens[i].0);
        match gap.rfind('\n') {
            Some(at) => Some(gap[at + 1..].chars().count()),
            None => (i == 0).then(|| gap.chars().count()),
        }
    }

    /// `:~ a [1].`, `#minimize [ ... ]`
    fn bracket(&mut self) -> Option<Change> {
        let (first, last) = (*self.tokens.first()?, self.tokens.len() - 1);
        let open = self.tokens.iter().position(|t| t.1 == Token::OpenBracket)?;
        match first.1 {
            Token::Weak => {
                let close = self.tokens.iter().rposition(|t| t.1 == Token::CloseBracket);
                let close = close.filter(|&close| close > open)?;
                let mut tokens = self.tokens[..=close].to_vec();
                let at = tokens[open.checked_sub(1)?].2;
                tokens.insert(open, (at, Token::Dot, at));
                let ends = close + 1 == last && self.tokens[last].1 == Token::Dot;
                let wanted = ends && tokens[open - 1].1 != Token::Dot && (self.reads)(&tokens);
                wanted.then(|| {
                    let weight = self.slice(self.tokens[open].0, self.tokens[close].2);
                    let mut change =
                        Change::meant(Span::new(at, self.tokens[last].2), &format!(". {weight}"));
                    change.help = Some("the weight follows the period: `:~ body. [weight@priority, terms]`");
                    change
                })
            }
            Token::Minimize | Token::Maximize if open == 1 => {
                let close = self.tokens.iter().rposition(|t| t.1 == Token::CloseBracket)?;
                let mut tokens = self.tokens.to_vec();
                tokens[open].1 = Token::OpenBrace;
                tokens[close].1 = Token::CloseBrace;
                let (lo, hi) = (tokens[open].0, tokens[close].2);
                if (self.reads)(&tokens) {
                    let elements = self.slice(tokens[open].2, tokens[close].0);
                    let mut change = Change::meant(Span::new(lo, hi), &format!("{{{elements}}}"));
                    change.help = Some("the elements go in braces, each with its weight first");
                    return Some(change);
                }
                let help =
                    "instead of `[ p(X) = W@1 ]`, write braces and the weight first: `{ W@1,X : p(X) }`";
                Some(Change { span: Span::new(lo, hi), label: String::new(), help: Some(help) })
            }
            _ => None,
        }
    }

    /// A period that is missing at the end of a line, or a comma there that should be one.
    fn line(&mut self, error: &Diagnostic) -> Option<Change> {
        if let (End::Before(_) | End::File, Some(last)) = (self.end, self.tokens.last())
            && self.place(error).is_none_or(|at| at + 1 == self.tokens.len())
        {
            return self.ended(*last, self.tokens.len());
        }
        let at = self.last_place(error).or_else(|| self.place(error))?;
        let margin = self.column(0).unwrap_or(0);
        let mut tried = 0;
        for i in (1..=at).rev() {
            if self.column(i).is_none_or(|column| column > margin) {
                continue;
            }
            tried += 1;
            if tried > MAX_LINES {
                break;
            }
            let mut rest = self.tokens[i..].to_vec();
            // Behind a theory atom, the sign of the next one is read as an operator.
            if rest[0].1 == Token::TheoryOperator && self.slice(rest[0].0, rest[0].2) == "&" {
                rest[0].1 = Token::And;
            }
            if (self.reads)(&rest)
                && let Some(change) = self.ended(self.tokens[i - 1], i)
            {
                return Some(change);
            }
        }
        None
    }

    /// The change that makes a statement of the first tokens.
    fn ended(&mut self, (lo, token, hi): Spanned, count: usize) -> Option<Change> {
        if token == Token::If {
            return None;
        }
        let separated = matches!(token, Token::Comma | Token::Semicolon);
        let mut tokens = self.tokens[..count].to_vec();
        if separated {
            tokens.pop();
        }
        tokens.push((hi, Token::Dot, hi));
        (self.reads)(&tokens).then(|| match separated {
            true => Change::meant(Span::new(lo, hi), "."),
            false => Change::missing(hi, "."),
        })
    }

    /// A separator that is missing before the token at the error.
    fn separator(&mut self, error: &Diagnostic) -> Option<Change> {
        let at = self.place(error)?;
        let (_, _, before) = *self.tokens.get(at.checked_sub(1)?)?;
        let (lo, first, hi) = self.tokens[0];
        let directive = matches!(self.slice(lo, hi), "show" | "edge" | "heuristic" | "external" | "project");
        if self.tokens[at].1 == Token::Colon && !(first == Token::Identifier && directive) {
            let mut tokens = self.tokens.to_vec();
            tokens[at].1 = Token::If;
            let (lo, _, hi) = tokens[at];
            return (self.reads)(&tokens).then(|| Change::meant(Span::new(lo, hi), ":-"));
        }
        if before == self.tokens[at].0 {
            return None;
        }
        if !self.tokens[at - 1].1.ends_term() && self.tokens[at - 1].1 != Token::CloseBrace {
            return None;
        }
        for (token, sign) in self.signs(at) {
            if token == Token::Dot {
                if (self.reads)(&self.tokens[at..])
                    && let Some(change) = self.ended(self.tokens[at - 1], at)
                {
                    return Some(change);
                }
                continue;
            }
            let mut tokens = self.tokens.to_vec();
            tokens.insert(at, (before, token, before));
            if (self.reads)(&tokens) {
                return Some(Change::missing(before, sign));
            }
        }
        None
    }
}
