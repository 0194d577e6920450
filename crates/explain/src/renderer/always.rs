//! Constraints whose body holds whatever is chosen.

use super::{Renderer, and, list};
use crate::matching::{Binding, Matcher, is_structure};
use crate::steps;
use asp_base::span::Span;
use asp_syntax::ast::{self, BodyElementKind, StatementKind};

impl Renderer<'_> {
    /// Describes a constraint whose body holds whatever is chosen.
    pub(super) fn always(&self, span: Span) -> String {
        let statement = self.inquiry.statement(span).map(|s| &s.kind);
        let Some(StatementKind::Rule { head, body }) = statement else { return "it always fails".into() };
        match &head.kind {
            ast::HeadKind::Choice { .. } | ast::HeadKind::Aggregate { .. } => {
                return "its bounds cannot be met".into();
            }
            ast::HeadKind::Literal(l) if matches!(l.kind, ast::LiteralKind::Comparison(..)) => {
                return "its body always holds, and the comparison does not".into();
            }
            _ if body.is_empty() => return "it can never hold".into(),
            _ => {}
        }
        let text = |l: &ast::Literal| asp_syntax::print::plain_literal(l, self.inquiry.symbols());
        let literals: Vec<&ast::Literal> = body
            .iter()
            .filter_map(|e| if let BodyElementKind::Literal(l) = &e.kind { Some(l) } else { None })
            .collect();
        let all = literals.len() == body.len();
        let varies = literals.iter().any(|l| l.terms().any(|t| t.variables().next().is_some()));
        let is_one = |l: &&ast::Literal| l.terms().flat_map(ast::Term::walk).all(is_structure);
        let absent =
            |l: &&ast::Literal| matches!(l.kind, ast::LiteralKind::Atom(_)) && l.sign == ast::Sign::Not;
        let steps = steps::of(self.inquiry, span);
        let has_parameters = steps.iter().any(|step| !step.is_empty());
        if all && (varies || has_parameters) {
            let told = steps.iter().find_map(|step| self.certain_instance(&literals, step));
            if let Some(told) = told {
                return told;
            }
        }
        match literals.as_slice() {
            [one] if all && absent(one) && is_one(one) => {
                let atom = text(one);
                format!("no rule can derive {}", atom.strip_prefix("not ").unwrap_or(&atom))
            }
            _ if all => format!(
                "{} {}",
                and(literals.iter().map(|l| text(l))),
                match (varies || !literals.iter().all(is_one), literals.len()) {
                    (true, 1) => "must not hold, but does for some values, whatever is chosen",
                    (true, _) => "must not hold together, but do for some values, whatever is chosen",
                    (false, 1) => "must not hold, but always does",
                    (false, _) => "must not hold together, but always do",
                }
            ),
            _ => "its body always holds".into(),
        }
    }

    /// The first instance whose literals hold in any case, if it is found.
    fn certain_instance(&self, literals: &[&ast::Literal], step: &Binding) -> Option<String> {
        let mut matcher = Matcher::new(self.inquiry);
        let binding = matcher.certain(literals, step.clone())?;
        let is_atom = |l: &ast::Literal| matches!(l.kind, ast::LiteralKind::Atom(_));
        let mut told: Vec<String> = Vec::new();
        let mut underived: Vec<String> = Vec::new();
        for literal in literals.iter().filter(|l| is_atom(l)) {
            let text = matcher.instance(literal, &binding);
            if told.contains(&text) {
                continue;
            }
            underived.extend(text.strip_prefix("not ").map(String::from));
            told.push(text);
        }
        let holds = match told.len() {
            1 => "must not hold, but always does",
            _ => "must not hold together, but always do",
        };
        let because = match underived.is_empty() {
            true => String::new(),
            false => format!("; no rule can derive {}", list(&underived, " or ")),
        };
        // Where one literal is told whole by what no rule derives, that is enough.
        if let ([_], [atom], 1) = (&told[..], &underived[..], literals.len()) {
            return Some(format!("no rule can derive {atom}"));
        }
        (!told.is_empty()).then(|| format!("{} {holds}{because}", and(told)))
    }
}
