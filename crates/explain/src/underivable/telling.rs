//! What keeps rules from deriving an atom, in words.
//!
//! Invariant: what is said of a goal is true of all its instances.

use super::rules::{Rule, positive};
use super::{Depth, Failure, Found, Goal, MAX_RULES, MAX_STEPS, NO_HEAD, Part, Search, shape};
use crate::matching::{Binding, Value, signature};
use crate::renderer::without_parentheses;
use crate::tree::Node;
use asp_base::aggregate::Relation;
use asp_base::map::Set;
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::Sym;
use asp_syntax::ast::{Literal, LiteralKind, Term, TermKind};
use asp_syntax::print;

/// How many values of variables are told beside each other.
const MAX_VALUES: usize = 6;

/// How a goal begins that has reasons.
pub(super) const NONE_DERIVES: &str = "no rule derives ";
/// The reason for a goal whose reasons stand elsewhere.
pub(super) const TOLD: &str = "told already";
/// The reason for a goal that is one above.
pub(super) const CIRCLE: &str = "this goes in a circle";

impl<'a> Search<'a, '_> {
    /// The heads that rules have, where none is meant.
    pub(super) fn heads(&mut self, signature: Signature) -> Vec<Node> {
        let rules = self.rules.remove(&signature).unwrap_or_default();
        let mut nodes: Vec<Node> = Vec::new();
        for rule in &rules {
            let place = self.renderer.place_of(rule.span);
            let ends = rule.terms.iter().flat_map(Term::walk).filter_map(ends);
            let undefined = ends.filter_map(|(values, low, high)| {
                let why = self.undefined(low, high, &Binding::default())?;
                let values = print::term(values, &self.matcher.symbols);
                Some(format!("{} has no values: {why}", without_parentheses(&values)))
            });
            let text = match undefined.collect::<Vec<String>>().into_iter().next() {
                Some(text) => text,
                None if rule.is_fact => continue,
                None => format!("the head of this rule is {}", self.head(signature, rule)),
            };
            nodes.push(Node { place, ..Node::new(text) });
        }
        self.rules.insert(signature, rules);
        nodes
    }

    fn head(&self, signature: Signature, rule: &Rule<'_>) -> String {
        let symbols = &self.matcher.symbols;
        let terms: Vec<String> = rule.terms.iter().map(|t| print::term(t, symbols)).collect();
        match self.name(signature) {
            name if name.is_empty() => terms.concat(),
            name => format!("{name}({})", terms.join(",")),
        }
    }

    /// The name of a predicate with its sign.
    fn name(&self, signature: Signature) -> String {
        let sign = if signature.negative { "-" } else { "" };
        format!("{sign}{}", self.matcher.symbols.str(signature.name))
    }

    /// A rule's instances as nodes.
    pub(super) fn told(&mut self, span: Span, found: Found<'a>, head: &Binding, depth: Depth) -> Vec<Node> {
        let place = self.renderer.place_of(span);
        if found.failures.is_empty() {
            let text = place.as_ref().map(|p| p.text.clone()).unwrap_or_default();
            let reason = match found.is_ungrounded {
                true => "its part of the program is not grounded",
                false => "no instance derives it",
            };
            return vec![Node { place, reason: reason.into(), ..Node::new(text) }];
        }
        let mut nodes = Vec::new();
        for (part, binding, failure) in found.failures {
            self.nodes += 1;
            let mut node = Node { place: place.clone(), ..Node::default() };
            let literal = match part {
                Part::Literal(literal) => literal,
                Part::Element(element) => {
                    let text = self.renderer.place_of(element.span).map_or(String::new(), |p| p.text);
                    let text = self.filled(&text, &binding);
                    node.text = format!("{}{text} cannot hold", self.values(&binding, head));
                    nodes.push(node);
                    continue;
                }
            };
            let instance = self.matcher.instance(literal, &binding);
            let what = match failure {
                Failure::Untrue => self.untrue(literal, &binding, &instance),
                Failure::AlwaysHolds => {
                    format!("{} always holds", instance.strip_prefix("not ").unwrap_or(&instance))
                }
                Failure::NoMatch => self.missing(literal, &binding, (&instance, depth), &mut node),
            };
            node.text = format!("{}{what}", self.values(&binding, head));
            nodes.push(node);
        }
        let mut nodes = shape::merged(nodes);
        if found.is_cut {
            nodes.push(Node { place, ..Node::new("... and others") });
        }
        nodes
    }

    /// That nothing matches a literal, and below the node why.
    fn missing(
        &mut self,
        literal: &Literal,
        binding: &Binding,
        (instance, depth): (&str, Depth),
        node: &mut Node,
    ) -> String {
        let known = positive(literal).and_then(signature);
        let Some((signature, terms)) = known else { return format!("no rule derives {instance}") };
        let mut pattern: Vec<Option<Sym>> = Vec::with_capacity(terms.len());
        let (mut open, mut is_exact) = (Set::default(), true);
        for term in terms {
            let value = match self.matcher.value(term, binding) {
                Value::Known(value) => Some(value),
                _ => None,
            };
            is_exact &= match &term.kind {
                TermKind::Variable(name) => value.is_some() || open.insert(*name),
                TermKind::Anonymous => true,
                _ => value.is_some(),
            };
            pattern.push(value);
        }
        let is_ground = pattern.iter().all(Option::is_some);
        if !self.derived.contains(&signature) {
            return format!("there is no {instance}");
        }
        let goal = (signature, pattern);
        if let Some(reason) = self.leaves(&goal) {
            node.reason = reason;
        } else if !is_exact {
            // What the arguments have in common is not looked into.
        } else if self.path.iter().any(|(above, _)| *above == goal) {
            node.reason = CIRCLE.into();
        } else if self.told.contains(&goal) {
            node.reason = TOLD.into();
        } else if depth.steps < MAX_STEPS
            && depth.branches < self.limits.branches
            && self.nodes < self.limits.nodes
        {
            let reasons = self.reasons(goal.0, goal.1, depth);
            *node = std::mem::take(node).because(reasons, MAX_RULES);
            if node.children.is_empty() {
                node.reason = NO_HEAD.into();
            }
        } else {
            node.reason = "...".into();
        }
        format!("{NONE_DERIVES}{}{instance}", if is_ground { "" } else { "any " })
    }

    /// Why no goal after one above can be an atom: of this predicate there is none, or from the one to the other a number goes beyond
    /// those that there are, and further from them.
    fn leaves(&self, (signature, to): &Goal) -> Option<String> {
        let above = self.path.iter().rposition(|((of, _), _)| of == signature)?;
        let (symbols, name) = (&self.matcher.symbols, self.name(*signature));
        if !self.path[above..].iter().any(|(_, computes)| *computes) {
            return None;
        }
        if self.matcher.is_empty(*signature) {
            return Some(format!("no {name}/{} holds in any answer set", signature.arity));
        }
        let number = |value: &Option<Sym>| value.and_then(|value| symbols.as_num(value));
        self.path[above].0.1.iter().zip(to).enumerate().find_map(|(place, (from, to))| {
            let (from, to) = (number(from)?, number(to)?);
            let (least, most, are_numbers) = self.matcher.range(*signature, place)?;
            let number = if are_numbers { "" } else { " a number" };
            let argument = format!("argument {} of {name} is never{number}", place + 1);
            match (to < from && to < least, to > from && to > most) {
                (true, _) => Some(format!("{argument} below {least}")),
                (_, true) => Some(format!("{argument} above {most}")),
                _ => None,
            }
        })
    }

    /// That a comparison does not hold.
    fn untrue(&mut self, literal: &Literal, binding: &Binding, instance: &str) -> String {
        let Some((low, high)) = interval(literal) else { return format!("{instance} does not hold") };
        let Some((value, values)) = instance.rsplit_once(" = (") else {
            return format!("{instance} does not hold");
        };
        let values = values.strip_suffix(')').unwrap_or(values);
        match self.undefined(low, high, binding) {
            Some(why) => format!("{values} has no values: {why}"),
            None => format!("{value} is not in {values}"),
        }
    }

    /// Why an interval with such ends has no values, if an end is the reason.
    fn undefined(&mut self, low: &Term, high: &Term, binding: &Binding) -> Option<String> {
        [low, high].into_iter().find_map(|end| match self.matcher.value(end, binding) {
            Value::Known(value) if self.matcher.symbols.as_num(value).is_none() => {
                Some(format!("{} is not an integer", self.matcher.symbols.display(value)))
            }
            Value::None => {
                let end = print::term(&self.matcher.replaced(end, binding), &self.matcher.symbols);
                Some(format!("{} is undefined", without_parentheses(&end)))
            }
            _ => None,
        })
    }

    /// A written text with the values of variables in their places.
    fn filled(&self, text: &str, binding: &Binding) -> String {
        let symbols = &self.matcher.symbols;
        let (mut filled, mut word, mut is_quoted) = (String::new(), String::new(), false);
        for c in text.chars().chain([' ']) {
            if !is_quoted && (c.is_alphanumeric() || c == '_' || c == '\'') {
                word.push(c);
                continue;
            }
            let value = symbols.find_name(&word).and_then(|name| binding.get(&name));
            filled.push_str(&value.map_or(std::mem::take(&mut word), |&value| symbols.display(value)));
            word.clear();
            is_quoted ^= c == '"';
            filled.push(c);
        }
        filled.trim_end().to_string()
    }

    /// `with X = 5: `, for the variables that the head does not determine.
    pub(super) fn values(&self, binding: &Binding, head: &Binding) -> String {
        let symbols = &self.matcher.symbols;
        let new = binding.iter().filter(|(name, _)| !head.contains_key(*name));
        let mut new: Vec<(&str, Sym)> = new.map(|(&name, &value)| (symbols.str(name), value)).collect();
        if new.is_empty() || new.len() > MAX_VALUES {
            return String::new();
        }
        new.sort_unstable_by_key(|(name, _)| *name);
        let new: Vec<String> =
            new.into_iter().map(|(name, value)| format!("{name} = {}", symbols.display(value))).collect();
        format!("with {}: ", new.join(", "))
    }
}

/// The ends in `X = 1..9`.
fn interval(literal: &Literal) -> Option<(&Term, &Term)> {
    let LiteralKind::Comparison(_, rest) = &literal.kind else { return None };
    match &rest[..] {
        [(Relation::Equal, Term { kind: TermKind::Interval(low, high), .. })] => Some((low, high)),
        _ => None,
    }
}

/// An interval and its ends.
fn ends(term: &Term) -> Option<(&Term, &Term, &Term)> {
    match &term.kind {
        TermKind::Interval(low, high) => Some((term, low, high)),
        _ => None,
    }
}
