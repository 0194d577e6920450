//! Statements that can be read and do not mean what they seem to say.

use super::{ForeignIdioms, Token};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::span::Span;

/// The lint for braces in a body without bounds.
const CHOICE_IN_BODY: WarningKind = WarningKind::Lint("choice-in-body");
/// The lint for a `,` between the atoms of a head.
const HEAD_CONJUNCTION: WarningKind = WarningKind::Lint("head-conjunction");
/// The lint for a `:` where `:-` is meant.
const HEAD_CONDITION: WarningKind = WarningKind::Lint("head-condition");

impl ForeignIdioms<'_> {
    /// Braces in the body without a bound on either side, as pairs of tokens.
    fn idle_braces(&self, body: usize) -> Vec<(usize, usize)> {
        let separates = |t: Token| matches!(t, Token::Comma | Token::Semicolon | Token::Dot | Token::If);
        let (mut open, mut idle) = (Vec::new(), Vec::new());
        for i in body + 1..self.tokens.len() {
            match self.tokens[i].1 {
                Token::OpenBrace => open.push(i),
                Token::CloseBrace => {
                    let Some(start) = open.pop() else { continue };
                    let after = self.tokens.get(i + 1).is_some_and(|t| separates(t.1));
                    // Braces within others are theory terms.
                    if open.is_empty() && after && separates(self.tokens[start - 1].1) {
                        idle.push((start, i));
                    }
                }
                _ => {}
            }
        }
        idle
    }

    /// The `,` of `p, q :- r.`
    fn joined_head(&self) -> Option<usize> {
        if !matches!(self.tokens.first()?.1, Token::Identifier | Token::Minus | Token::Not) {
            return None;
        }
        let mut depth = 0usize;
        for (i, t) in self.tokens.iter().enumerate() {
            match t.1 {
                Token::OpenParen | Token::OpenBrace | Token::OpenBracket => depth += 1,
                Token::CloseParen | Token::CloseBrace | Token::CloseBracket => {
                    depth = depth.saturating_sub(1)
                }
                Token::Comma if depth == 0 => return Some(i),
                Token::If | Token::Colon | Token::And => return None,
                _ => {}
            }
        }
        None
    }

    /// The `:` of `p(X) : q(X).`: an atom with a condition, and nothing else.
    fn lone_condition(&self) -> Option<usize> {
        let mut depth = 0usize;
        let mut colon = None;
        if !matches!(self.tokens.first()?.1, Token::Identifier | Token::Minus) {
            return None;
        }
        for (i, t) in self.tokens.iter().enumerate() {
            match t.1 {
                Token::OpenParen | Token::OpenBrace | Token::OpenBracket => depth += 1,
                Token::CloseParen | Token::CloseBrace | Token::CloseBracket => {
                    depth = depth.saturating_sub(1)
                }
                Token::If => return None,
                Token::Semicolon | Token::Bar if depth == 0 => return None,
                Token::Colon if depth == 0 && colon.replace(i).is_some() => return None,
                _ => {}
            }
        }
        colon.filter(|&i| !self.is(i + 1, Token::Dot))
    }

    /// Warns about a valid statement that does not mean what it seems to say.
    pub(in super::super) fn notes(&self, diagnostics: &mut Vec<Diagnostic>) {
        let lone = self.lone_condition();
        let mut note = |span: Span, message: &str, help: &str| {
            diagnostics.push(Diagnostic::info(WarningKind::Other, span, message).help(help));
        };
        for i in 0..self.tokens.len() {
            match self.tokens[i].1 {
                // Heads only: the body may compare.
                Token::If => break,
                Token::Less if self.is_arrow(i) && self.is(i + 2, Token::Identifier) => note(
                    self.span(i, i + 1),
                    "this is a comparison with a negative term",
                    "rules are written `head :- body.`",
                ),
                Token::Colon
                    if self.is(i + 1, Token::Minus)
                        && !self.touch(i)
                        && self.is(i + 2, Token::Identifier)
                        && (!self.touch(i + 1) || lone == Some(i))
                        && self.tokens[0].1 != Token::Show =>
                {
                    note(
                        self.span(i, i + 1),
                        "this is a condition with a classically negated atom",
                        "rules are written `head :- body.`, with no space within the `:-`",
                    );
                }
                _ => {}
            }
        }
        if let Some(comma) = self.joined_head() {
            let text = "the atoms of a head are alternatives, also with `,`: one of them holds";
            let told = Diagnostic::warning(HEAD_CONJUNCTION, self.span(comma, comma), text);
            diagnostics
                .push(told.help("if all hold, write a rule for each; alternatives are written with `;`"));
        }
        // Of `p : -q` is told above.
        if let Some(colon) = lone.filter(|&i| !self.is(i + 1, Token::Minus)) {
            let text = "this head is a disjunction: one of the atoms holds for which the condition does";
            let told = Diagnostic::warning(HEAD_CONDITION, self.span(colon, colon), text);
            let is_directive =
                matches!(self.slice(0), "show" | "edge" | "heuristic" | "external" | "project");
            diagnostics.push(if is_directive {
                told.help("a directive starts with `#`, as in `#show X : p(X).`")
            } else {
                let help = "rules are written `head :- body.`; if this is meant, add `:- #true`";
                told.caption("perhaps `:-` is meant here").help(help)
            });
        }
        if let Some(body) = self.tokens.iter().position(|t| t.1 == Token::If) {
            for (start, end) in self.idle_braces(body) {
                let text = "braces in a body choose nothing, and always hold without a bound";
                let help = "choices belong in heads; in a body, say how many: `1 { p(X) }`";
                diagnostics.push(Diagnostic::info(CHOICE_IN_BODY, self.span(start, end), text).help(help));
            }
        }
        let mut note = |span: Span, message: &str, help: &str| {
            diagnostics.push(Diagnostic::info(WarningKind::Other, span, message).help(help));
        };
        for i in 0..self.tokens.len() {
            if let Some(help) = self.aggregate(i) {
                note(
                    self.span(i, i),
                    &format!("`{}` is a constant here, not an aggregate", self.slice(i)),
                    help,
                );
            }
        }
    }
}
