//! Statements that can be read but are probably two: a `:-`, a `{`, a `-` or a name begins a line, and belongs to the statement
//! before.
//!
//! Invariant: a text whose author writes `:-` at the beginning of lines gets no warning. It is taken for such a text if
//! another head, whose variables the body binds, stands before such a line.

use super::token::Token;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::span::Span;

type Spanned = (u32, Token, u32);

/// The lint for an end of a statement that is probably missing.
const MISSING_PERIOD: WarningKind = WarningKind::Lint("missing-period");

#[derive(Default)]
pub(super) struct LineEnds {
    /// Bodies on lines of their own.
    bodies: Vec<Diagnostic>,
    /// Whether the author writes them so.
    is_style: bool,
}

impl LineEnds {
    /// Looks at a statement that was read. `start` is the position of the text's first byte.
    pub(super) fn look(&mut self, text: &str, start: u32, tokens: &[Spanned], found: &mut Vec<Diagnostic>) {
        let slice = |lo: u32, hi: u32| text.get((lo - start) as usize..(hi - start) as usize).unwrap_or("");
        let begins_line = |i: usize| i > 0 && slice(tokens[i - 1].2, tokens[i].0).ends_with('\n');
        let name = |i: usize| slice(tokens[i].0, tokens[i].2);
        let body = tokens.iter().position(|t| t.1 == Token::If);
        if let Some(body) = body.filter(|&body| begins_line(body)) {
            let (head, rest) = (&tokens[..body], body + 1..tokens.len());
            let occurs = |i: usize, kind: Token| {
                tokens[i].1 == kind && rest.clone().any(|k| tokens[k].1 == kind && name(k) == name(i))
            };
            let braces = head.iter().any(|t| t.1 == Token::OpenBrace);
            let has_variables = head.iter().any(|t| t.1 == Token::Variable);
            let shares = (0..body).any(|i| occurs(i, Token::Variable));
            let reads_itself = (0..body).any(|i| {
                let applied = tokens.get(i + 1).is_some_and(|t| t.1 == Token::OpenParen);
                applied && occurs(i, Token::Identifier)
            });
            if has_variables && (!braces || shares && !reads_itself) {
                self.is_style = true;
            } else {
                let told = missing(tokens, body, "the rule goes on here: this `:-` follows the head above");
                let help = "if this is meant, write `:-` behind the head";
                self.bodies.push(told.help(help));
            }
        }
        for i in (1..tokens.len()).filter(|&i| begins_line(i)) {
            let (before, token, after) = (tokens[i - 1].1, tokens[i].1, tokens.get(i + 1));
            let is_bound = matches!(before, Token::CloseParen | Token::Identifier | Token::Variable);
            let closed = || {
                let count = |kind| tokens[..i].iter().filter(|t| t.1 == kind).count();
                count(Token::OpenParen) == count(Token::CloseParen)
                    && count(Token::OpenBrace) == count(Token::CloseBrace)
            };
            if token == Token::OpenBrace && is_bound && closed() && !tokens.iter().any(|t| t.1 == Token::And)
            {
                found.push(missing(tokens, i, "these braces follow a bound on the line above"));
            }
            if token == Token::Identifier && before == Token::CloseBrace {
                found.push(missing(tokens, i, "this is a bound of the braces on the line above"));
            }
            let is_theory = token == Token::And
                && after.is_some_and(|a| {
                    a.1 == Token::Identifier
                        && a.0 == tokens[i].2
                        && tokens.get(i + 2).is_some_and(|t| t.1 == Token::OpenBrace)
                });
            if is_theory && before.ends_term() && closed() {
                found.push(missing(tokens, i, "this is the operator `&` of the term on the line above"));
            }
            let touches = after.is_some_and(|a| a.1 == Token::Identifier && a.0 == tokens[i].2);
            if token == Token::Minus && before.ends_term() && touches && closed() {
                found.push(missing(tokens, i, "this is subtracted from the term on the line above"));
            }
        }
    }

    /// The text has ended: tells what is no style of its author.
    pub(super) fn finish(&mut self, found: &mut Vec<Diagnostic>) {
        let ends = std::mem::take(self);
        if !ends.is_style {
            found.extend(ends.bodies);
        }
    }
}

fn missing(tokens: &[Spanned], i: usize, message: &str) -> Diagnostic {
    let (here, end) = (Span::new(tokens[i].0, tokens[i].2), tokens[i - 1].2);
    Diagnostic::warning(MISSING_PERIOD, here, message)
        .label(Span::new(end, end), "perhaps a `.` is missing here")
}
