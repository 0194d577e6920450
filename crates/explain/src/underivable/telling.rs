//! What keeps rules from deriving an atom, in words.
//!
//! Invariant: what is said of a goal is true of all its instances.

use super::rules::{Rule, positive};
use super::{Depth, Failure, Found, Goal, MAX_RULES, MAX_STEPS, NO_HEAD, Part, Search, shape};
use crate::matching::{Binding, Value, signature};
use crate::renderer::{and, list};
use crate::tree::{self, BELOW, Node};
use asp_base::aggregate::Relation;
use asp_base::map::{Map, Set};
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
/// What stands for instances that are not told.
const OTHERS: &str = "... and others";
/// The reason for a goal that is one above.
pub(super) const CIRCLE: &str = "this goes in a circle";

impl<'a> Search<'a, '_> {
    /// The heads that rules have, where none is meant.
    pub(super) fn heads(&mut self, signature: Signature, pattern: &[Option<Sym>]) -> Vec<Node> {
        let rules = self.rules.remove(&signature).unwrap_or_default();
        let mut nodes: Vec<Node> = Vec::new();
        for rule in &rules {
            let place = self.renderer.place_of(rule.span);
            let ends = rule.terms.iter().flat_map(Term::walk).filter_map(ends);
            let undefined = ends.filter_map(|(values, low, high)| {
                let why = self.undefined(low, high, &Binding::default())?;
                Some(format!("{} has no values: {why}", self.term(values)))
            });
            let undefined = undefined.collect::<Vec<String>>().into_iter().next();
            let text = match undefined.or_else(|| self.outside(rule, pattern)) {
                Some(text) => text,
                None if rule.is_fact => continue,
                None => {
                    let head = self.head(signature, rule, &Binding::default());
                    format!("the head of this rule is {head}{}", self.steps(rule))
                }
            };
            nodes.push(Node { place, ..Node::new(text) });
        }
        self.rules.insert(signature, rules);
        nodes
    }

    /// That an argument is not in the interval that the head of a rule has in its place.
    fn outside(&mut self, rule: &Rule<'_>, pattern: &[Option<Sym>]) -> Option<String> {
        let argument = self.other_argument(rule, pattern, &mut Binding::default())?;
        let (values, ..) = ends(&rule.terms[argument])?;
        let values = self.matcher.replaced(values, &Binding::default());
        let values = self.term(&values);
        Some(format!("{} is not in {values}", self.matcher.symbols.display(pattern[argument]?)))
    }

    /// `, where t is 1, 2`: the values of the parameters of a rule's part.
    fn steps(&self, rule: &Rule<'_>) -> String {
        let symbols = &self.matcher.symbols;
        let step = |step: &Binding| {
            let mut values: Vec<String> = step
                .iter()
                .map(|(&name, &value)| format!("{} = {}", symbols.str(name), symbols.display(value)))
                .collect();
            values.sort_unstable();
            values.join(", ")
        };
        match &rule.steps[..] {
            [] => ", and its part of the program is not grounded".into(),
            steps if steps.iter().all(Map::is_empty) => String::new(),
            steps => format!(", where {}", list(steps.iter().map(step), " or ")),
        }
    }

    fn term(&self, term: &Term) -> String {
        print::plain_term(term, &self.matcher.symbols)
    }

    fn head(&mut self, signature: Signature, rule: &Rule<'_>, binding: &Binding) -> String {
        let terms = rule.terms.iter().map(|t| self.matcher.replaced(t, binding)).collect::<Vec<Term>>();
        let terms: Vec<String> = terms.iter().map(|t| self.term(t)).collect();
        match self.name(signature) {
            name if name.is_empty() => terms.concat(),
            name => format!("{name}({})", terms.join(",")),
        }
    }

    /// Instances that derive other atoms, or none since an operation of their head is undefined.
    fn others(&mut self, signature: Signature, found: &Found<'a>, head: &Binding) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        for (rule, argument, binding) in &found.others {
            let term = &rule.terms[*argument];
            let what = match self.matcher.value(term, binding) {
                Value::None => {
                    let term = self.matcher.replaced(term, binding);
                    format!("{} is undefined", self.term(&term))
                }
                _ => format!("the head is {}", self.head(signature, rule, binding)),
            };
            nodes.push(Node::new(format!("{}{what}", self.values(binding, head))));
        }
        nodes = tree::merged(nodes);
        if found.is_cut && !nodes.is_empty() {
            nodes.push(Node::new(OTHERS));
        }
        nodes
    }

    /// The name of a predicate with its sign.
    fn name(&self, signature: Signature) -> String {
        let sign = if signature.negative { "-" } else { "" };
        format!("{sign}{}", self.matcher.symbols.str(signature.name))
    }

    /// A rule's instances as nodes.
    pub(super) fn told(
        &mut self,
        (signature, span): (Signature, Span),
        found: Found<'a>,
        head: &Binding,
        depth: Depth,
    ) -> Vec<Node> {
        let place = self.renderer.place_of(span);
        if found.failures.is_empty() {
            let text = place.as_ref().map(|p| p.text.clone()).unwrap_or_default();
            let text = match found.is_ungrounded {
                true => format!("`{text}` is in a part of the program that is not grounded"),
                false => format!("no instance of `{text}` derives it"),
            };
            let others = self.others(signature, &found, head);
            return vec![Node { place, children: others, ..Node::new(text) }];
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
                    node.reason = self.aggregate_value(element, &binding).unwrap_or_default();
                    nodes.push(node);
                    continue;
                }
            };
            let instance = self.matcher.instance(literal, &binding);
            let what = match failure {
                Failure::Untrue => self.untrue(literal, &binding, head),
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
            nodes.push(Node { place, ..Node::new(OTHERS) });
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
            *node = self.because(std::mem::take(node), goal, depth);
        } else if self.limits.goes_below && self.nodes < self.limits.nodes {
            node.reason = BELOW.into();
            self.told.insert(goal.clone());
            let any = if is_ground { "" } else { "any " };
            self.below.push((goal, format!("{any}{instance}")));
        } else {
            node.reason = "...".into();
        }
        format!("{NONE_DERIVES}{}{instance}", if is_ground { "" } else { "any " })
    }

    /// A node with the reasons for its goal.
    fn because(&mut self, node: Node, goal: Goal, depth: Depth) -> Node {
        let mut reasons = self.reasons(goal.0, goal.1.clone(), depth);
        if reasons.is_empty() {
            reasons = self.heads(goal.0, &goal.1);
        }
        let reason = if reasons.is_empty() { NO_HEAD.into() } else { node.reason.clone() };
        Node { reason, ..node }.because(reasons, MAX_RULES)
    }

    /// The goals that are told below, where the tree would be too deep.
    pub(super) fn below(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        while let Some((goal, instance)) = self.below.pop() {
            nodes.push(self.because(Node::new(format!("{NONE_DERIVES}{instance}")), goal, Depth::default()));
        }
        nodes
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

    /// That a comparison does not hold, and which terms have these values, unless they are written or told.
    fn untrue(&mut self, literal: &Literal, binding: &Binding, head: &Binding) -> String {
        let mut told: Vec<String> = Vec::new();
        if let LiteralKind::Comparison(first, rest) = &literal.kind {
            if let Some((low, high)) = interval(literal) {
                let [value, low_told, high_told] =
                    [first, low, high].map(|t| self.matcher.replaced(t, binding));
                let (value, values) =
                    (self.term(&value), format!("{}..{}", self.term(&low_told), self.term(&high_told)));
                return match self.undefined(low, high, binding) {
                    Some(why) => format!("{values} has no values: {why}"),
                    None => format!("{value} is not in {values}{}", self.named(&[first], binding, head)),
                };
            }
            let sides: Vec<&Term> = std::iter::once(first).chain(rest.iter().map(|(_, t)| t)).collect();
            told.push(self.named(&sides, binding, head));
        }
        format!("{} does not hold{}", self.matcher.instance(literal, binding), told.concat())
    }

    /// `: X+1 is 2`, for terms whose values stand in their places and are not told otherwise.
    fn named(&mut self, terms: &[&Term], binding: &Binding, head: &Binding) -> String {
        let are_told = !self.values(binding, head).is_empty();
        let mut named: Vec<String> = Vec::new();
        for &term in terms {
            let is_told =
                matches!(term.kind, TermKind::Variable(name) if are_told && !head.contains_key(&name));
            let Value::Known(value) = self.matcher.value(term, binding) else { continue };
            let (written, value) = (self.term(term), self.matcher.symbols.display(value));
            let text = format!("{written} is {value}");
            if !is_told && written != value && !named.contains(&text) {
                named.push(text);
            }
        }
        if named.is_empty() { String::new() } else { format!(": {}", and(named)) }
    }

    /// Why an interval with such ends has no values, if an end is the reason.
    fn undefined(&mut self, low: &Term, high: &Term, binding: &Binding) -> Option<String> {
        let end = |value| match value {
            Value::Known(value) => Some(value),
            _ => None,
        };
        let ends = (end(self.matcher.value(low, binding)), end(self.matcher.value(high, binding)));
        if let (Some(low), Some(high)) = ends
            && let (Some(low), Some(high)) =
                (self.matcher.symbols.as_num(low), self.matcher.symbols.as_num(high))
            && low > high
        {
            return Some(format!("{low} > {high}"));
        }
        [low, high].into_iter().find_map(|end| match self.matcher.value(end, binding) {
            Value::Known(value) if self.matcher.symbols.as_num(value).is_none() => {
                Some(format!("{} is not an integer", self.matcher.symbols.display(value)))
            }
            Value::None => {
                let end = self.matcher.replaced(end, binding);
                Some(format!("{} is undefined", self.term(&end)))
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
