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
    /// The tokens outside brackets, and the outermost brackets.
    fn outside(&self) -> impl Iterator<Item = (usize, Token)> {
        let mut depth = 0usize;
        self.tokens.iter().enumerate().filter_map(move |(i, t)| {
            let before = depth;
            match t.1 {
                Token::OpenParen | Token::OpenBrace | Token::OpenBracket => depth += 1,
                Token::CloseParen | Token::CloseBrace | Token::CloseBracket => {
                    depth = depth.saturating_sub(1)
                }
                _ => {}
            }
            (depth.min(before) == 0).then_some((i, t.1))
        })
    }

    /// Braces in the body without a bound on either side, as pairs of tokens. Those within others are theory terms.
    fn idle_braces(&self, body: usize) -> Vec<(usize, usize)> {
        let separates = |t: Token| matches!(t, Token::Comma | Token::Semicolon | Token::Dot | Token::If);
        let (mut open, mut idle) = (None, Vec::new());
        for (i, token) in self.outside().skip_while(|t| t.0 <= body) {
            match token {
                Token::OpenBrace => open = Some(i),
                Token::CloseBrace => {
                    let Some(start) = open.take() else { continue };
                    let after = self.tokens.get(i + 1).is_some_and(|t| separates(t.1));
                    if after && separates(self.tokens[start - 1].1) {
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
        let parts = [Token::Comma, Token::If, Token::Colon, Token::And];
        let (i, part) = self.outside().find(|t| parts.contains(&t.1))?;
        (part == Token::Comma).then_some(i)
    }

    /// The `:` of `p(X) : q(X).`: an atom with a condition, and nothing else.
    fn lone_condition(&self) -> Option<usize> {
        if !matches!(self.tokens.first()?.1, Token::Identifier | Token::Minus) {
            return None;
        }
        let parts = [Token::If, Token::Semicolon, Token::Bar, Token::Colon];
        let mut found = self.outside().filter(|t| parts.contains(&t.1));
        let (i, part) = found.next()?;
        let is_lone = part == Token::Colon && found.next().is_none();
        (is_lone && !self.is(i + 1, Token::Dot)).then_some(i)
    }

    /// The `&` of `:- p(X) & X > 1`, which computes with a term that looks like an atom.
    fn joining_ands(&self, body: usize) -> impl Iterator<Item = usize> {
        let mut open = None;
        self.outside().skip_while(move |t| t.0 <= body).filter_map(move |(i, token)| {
            match token {
                Token::OpenParen => open = Some(i),
                Token::And if self.is(i - 1, Token::CloseParen) => {
                    let name = open.filter(|&o| self.is(o - 1, Token::Identifier) && self.touch(o - 1))? - 1;
                    let before = &self.text[..(self.tokens[name].0 - self.start) as usize];
                    return (!before.ends_with(['@', '$'])).then_some(i);
                }
                _ => {}
            }
            None
        })
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
        // `p : -q` is reported above.
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
        if let Some(body) = self.tokens.iter().position(|t| t.1 == Token::If) {
            for i in self.joining_ands(body) {
                let text = "`&` computes with the bits of numbers, and is no \"and\"";
                note(self.span(i, i), text, "the elements of a body are separated by `,`");
            }
        }
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
