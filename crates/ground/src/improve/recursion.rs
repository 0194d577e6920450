//! Applies [`asp_rewrite::improve::recursion`] to the rules of a component before their first round.
//!
//! Invariant: the rules for the parts have run, and their predicates are complete, when the component begins.

use super::{History, define};
use crate::instantiate::Instantiator;
use crate::state::Halt;
use asp_rewrite::improve::cut;
use asp_rewrite::improve::sharing::Definition;
use asp_rewrite::improve::{Rewriting, recursion};
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Literal, Rule};
use asp_syntax::ast::Sign;

/// The rules of a component without parts that do not grow and would multiply; `None`: unchanged.
pub(crate) fn cut(
    run: &mut Instantiator<'_>,
    rules: &[&Rule],
    grows: &dyn Fn(PredId) -> bool,
) -> Result<Option<Vec<Rule>>, Halt> {
    let rewritings = run.machine.state.options.rewritings;
    if !rewritings.has(Rewriting::Decomposition) {
        return Ok(None);
    }
    let is_recursive =
        |r: &Rule| r.body.iter().any(|l| matches!(l, Literal::Atom(Sign::None, a) if grows(a.pred)));
    let mut all: Vec<Rule> = Vec::new();
    // Parts of this component: where making one pays, later rules reuse it.
    let mut made: Vec<Definition> = Vec::new();
    for (i, &rule) in rules.iter().enumerate() {
        let left = if is_recursive(rule) && !run.readers.keeps_whole(rule) {
            cut_rule(run, rule, grows, &mut made)?
        } else {
            None
        };
        if left.is_some() && all.is_empty() {
            all.extend(rules[..i].iter().map(|&r| r.clone()));
        }
        match left {
            Some(left) => all.push(left),
            None if all.is_empty() => {}
            None => all.push(rule.clone()),
        }
    }
    Ok((!made.is_empty()).then_some(all))
}

/// Cuts parts out of a rule as long as that pays. Each cut removes a variable, so this terminates.
fn cut_rule(
    run: &mut Instantiator<'_>,
    rule: &Rule,
    grows: &dyn Fn(PredId) -> bool,
    made: &mut Vec<Definition>,
) -> Result<Option<Rule>, Halt> {
    let eager = run.machine.state.options.rewritings.is_eager();
    let (mut left, mut history): (Option<Rule>, _) = (None, History::default());
    loop {
        let now = left.as_ref().unwrap_or(rule);
        let Some(body) = recursion::body(now, grows, &mut run.machine.state) else { break };
        let Some((part, scope)) = recursion::find(now, &body, eager) else { break };
        if let Some(next) = made.iter().find_map(|d| d.replace(now, &body)) {
            history.add(Rewriting::Sharing);
            left = Some(next);
            continue;
        }
        let pred = run.machine.state.add_auxiliary(scope.len());
        let (inner, rest) = cut::apply(now, &part, &scope, pred);
        history.add(Rewriting::Decomposition);
        let definition = Definition { pred, scope, body: inner.body.clone() };
        made.push(definition.clone());
        define(run, &inner, definition, &mut history)?;
        left = Some(rest);
    }
    if let Some(rest) = left.as_ref().filter(|_| run.machine.state.options.explain) {
        let state = &run.machine.state;
        let mut became = history.rules;
        became.push(state.print(rest));
        run.recorder.journal.rewritten.push(state.rewritten(history.names.join(", "), rule, became));
    }
    Ok(left)
}
