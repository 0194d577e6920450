//! The journal of grounding: what each statement cost, the order of its joins, and how it was rewritten.
//!
//! Invariant: recording never changes what is grounded.

use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::Symbols;
use asp_program::journal::{Journal, RuleCost};
use asp_rewrite::predicate::Predicates;
use asp_rewrite::print;
use asp_rewrite::rule::Rule;

/// How many join orders are kept per statement.
const MAX_ORDERS: usize = 8;

/// Fills the journal.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) journal: Journal,
    by_span: Map<Span, usize>,
}

impl Recorder {
    /// The entry of a statement.
    pub(super) fn cost(&mut self, span: Span) -> &mut RuleCost {
        let rules = &mut self.journal.rules;
        let i = *self.by_span.entry(span).or_insert_with(|| {
            rules.push(RuleCost { span, ..RuleCost::default() });
            rules.len() - 1
        });
        &mut rules[i]
    }

    /// Records the order of a plan; `delta` is the literal that ranges over the atoms of the last round.
    pub(super) fn note_order(
        &mut self,
        rule: &Rule,
        order: &[usize],
        delta: Option<usize>,
        predicates: &Predicates,
        symbols: &Symbols,
    ) {
        if order.is_empty() {
            return;
        }
        let printer = print::Printer::new(rule, predicates, symbols);
        let literal = |&i: &usize| {
            let new = if delta == Some(i) { "new " } else { "" };
            format!("{new}{}", printer.literal(&rule.body[i]))
        };
        let text = order.iter().map(literal).collect::<Vec<_>>().join(", ");
        let orders = &mut self.cost(rule.span).orders;
        if orders.len() < MAX_ORDERS && !orders.contains(&text) {
            orders.push(text);
        }
    }
}
