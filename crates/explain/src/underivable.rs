//! Why no rule derives an atom where grounding decided it: the literals of its rules that nothing matches.
//!
//! Invariant: what is said is true of the ground program, whatever is chosen. Where that is not known, the rule alone is shown.

use std::borrow::Cow;

use super::inquiry::Inquiry;
use super::inquiry::items::Origin;
use super::inquiry::relaxed_facts::{self, Shown};
use super::matching::{Binding, Matcher, Matches, Value, Which, signature};
use super::renderer::Renderer;
use super::tree::Node;
use asp_base::aggregate::Relation;
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::span::{Sources, Span};
use asp_base::symbol::{StrId, Sym, SymView};
use asp_syntax::ast::{
    Atom, BodyElement, BodyElementKind, HeadKind, Literal, LiteralKind, Sign, Statement, StatementKind, Term,
    TermKind,
};
use asp_syntax::{Input, NoFiles, print};

/// How deep reasons of reasons are told.
const MAX_DEPTH: usize = 6;
/// How many nodes are told in all.
const MAX_NODES: usize = 30;
/// How many rules of an atom are told.
const MAX_RULES: usize = 12;
/// How many instances of a rule are told.
const MAX_INSTANCES: usize = 3;
/// How many values of variables are told beside each other.
const MAX_VALUES: usize = 6;
/// How many negated atoms of an explanation are looked into.
const MAX_BELOW: usize = 3;
/// How many literals a rule has whose instances are looked at.
const MAX_LITERALS: usize = 24;

/// The reason for an atom that heads can be.
pub(crate) const NO_RULE: &str = "no rule derives it";
/// The reason for an atom that no head can be.
const NO_HEAD: &str = "no rule or fact has such a head";

/// A head with all that must hold below it.
#[derive(Clone)]
struct Rule<'a> {
    terms: Cow<'a, [Term]>,
    body: Vec<&'a Literal>,
    /// What else its body has.
    rest: Vec<&'a BodyElement>,
    span: Span,
    is_fact: bool,
    /// Whether its part of the program is grounded, as far as that is known.
    is_grounded: bool,
}

/// What keeps an instance from being one.
#[derive(Clone, Copy)]
enum Part<'a> {
    Literal(&'a Literal),
    /// An aggregate or the like.
    Element(&'a BodyElement),
}

/// What has become of the instances of a rule that have a certain head.
#[derive(Default)]
struct Found<'a> {
    /// Why there is no such instance: the literal and the values under which it fails.
    failures: Vec<(Part<'a>, Binding, Failure)>,
    texts: Set<String>,
    is_ungrounded: bool,
    /// Whether terms are computed from one head to the next, as in `p(T+1) :- p(T)`.
    computes: bool,
    /// Whether there may be others.
    is_cut: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    NoMatch,
    Untrue,
    AlwaysHolds,
}

/// An atom that is asked for, as far as its arguments are known.
type Goal = (Signature, Vec<Option<Sym>>);

struct Search<'a, 'r> {
    renderer: &'r Renderer<'a>,
    matcher: Matcher<'a>,
    rules: Map<Signature, Vec<Rule<'a>>>,
    /// Those with other rules than facts.
    derived: Set<Signature>,
    told: Set<Goal>,
    nodes: usize,
}

/// Why no rule derives an atom with this text; without a name it is a term that is shown.
pub fn why<'a>(inquiry: &'a Inquiry, renderer: &Renderer<'a>, text: &str, name: &str) -> Node {
    let mut matcher = Matcher::new(inquiry);
    let mut node = Node::new(format!("not {text}"));
    let fact = if name.is_empty() { format!("p({text}).") } else { format!("{text}.") };
    let input = vec![Input::new("<atom>", fact)];
    let parsed = asp_syntax::parse(input, &mut matcher.symbols, &mut Sources::new(), &mut NoFiles);
    let Some(fact) = parsed.program.facts.first() else { return node };
    let SymView::Fun { name: own, args, negative } = matcher.symbols.view(fact.atom) else { return node };
    let own = if name.is_empty() { StrId::EMPTY } else { own };
    let signature = Signature { name: own, arity: args.len() as u32, negative };
    let pattern: Vec<Option<Sym>> = args.iter().map(|&a| Some(a)).collect();
    let rules = rules(inquiry);
    let derived =
        rules.iter().filter(|(_, of)| of.iter().any(|rule| !rule.is_fact)).map(|(s, _)| *s).collect();
    let mut search = Search { renderer, matcher, rules, derived, told: Set::default(), nodes: 0 };
    let reasons = search.reasons(signature, pattern, 0);
    node.reason = if reasons.is_empty() { NO_HEAD } else { NO_RULE }.into();
    node = node.because(if reasons.is_empty() { search.heads(signature) } else { reasons }, MAX_RULES);
    node
}

/// The same for what is negated in ground rules and left out of them, where there is more to tell than that.
pub(crate) fn below<'a>(
    inquiry: &'a Inquiry,
    renderer: &Renderer<'a>,
    rules: impl Iterator<Item = Origin>,
) -> Vec<Node> {
    let mut atoms: Vec<String> = Vec::new();
    for atom in rules.flat_map(|rule| renderer.underived(rule)) {
        if !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    let nodes = atoms.iter().take(MAX_BELOW).map(|atom| why(inquiry, renderer, atom, atom));
    nodes.filter(|node| node.reason == NO_RULE && !node.children.is_empty()).collect()
}

/// The heads of a program by signature.
fn rules<'a>(inquiry: &'a Inquiry) -> Map<Signature, Vec<Rule<'a>>> {
    let mut rules: Map<Signature, Vec<Rule<'a>>> = Map::default();
    let mut add = |name, negative, rule: Rule<'a>| {
        let signature = Signature { name, arity: rule.terms.len() as u32, negative };
        rules.entry(signature).or_default().push(rule);
    };
    let drives =
        |s: &Statement| matches!(s.kind, StatementKind::Script { .. } | StatementKind::IncludeBuiltin { .. });
    let is_driven = inquiry.statements().into_iter().any(drives);
    let (mut is_grounded, mut file) = (true, "");
    for statement in inquiry.statements() {
        let span = statement.span;
        // Each file begins in the part that is always grounded.
        if let Some((own, ..)) = inquiry.sources().locate(span)
            && own.name != file
        {
            (is_grounded, file) = (true, &own.name);
        }
        match &statement.kind {
            StatementKind::Part { name, params } => {
                is_grounded = is_driven || params.is_empty() && inquiry.symbols().str(*name) == "base";
            }
            StatementKind::Rule { head, body } => {
                let is_fact = body.is_empty() && matches!(head.kind, HeadKind::Literal(_));
                let rest: Vec<&BodyElement> = body.iter().filter(|e| !is_literal(e)).collect();
                for (literal, condition) in head.derived() {
                    let (LiteralKind::Atom(atom), Sign::None) = (&literal.kind, literal.sign) else {
                        continue;
                    };
                    for terms in &atom.args {
                        let (body, rest) = (literals(body).chain(condition).collect(), rest.clone());
                        add(
                            atom.name,
                            atom.negative,
                            Rule { terms: terms.into(), body, rest, span, is_fact, is_grounded },
                        );
                    }
                }
            }
            StatementKind::ShowTerm { term, body } if inquiry.shown != Shown::None => {
                let (negative, name, args) = relaxed_facts::shown(term);
                for terms in args {
                    let rest = body.iter().filter(|e| !is_literal(e)).collect();
                    let body = literals(body).collect();
                    let terms = terms.into();
                    add(name, negative, Rule { terms, body, rest, span, is_fact: false, is_grounded });
                }
            }
            _ => {}
        }
    }
    rules
}

fn is_literal(element: &BodyElement) -> bool {
    matches!(element.kind, BodyElementKind::Literal(_))
}

fn literals(body: &[BodyElement]) -> impl Iterator<Item = &Literal> {
    body.iter().filter_map(|element| match &element.kind {
        BodyElementKind::Literal(literal) => Some(literal),
        _ => None,
    })
}

impl<'a> Search<'a, '_> {
    /// What keeps each rule from deriving an atom with these arguments; open ones may have any value.
    fn reasons(&mut self, signature: Signature, pattern: Vec<Option<Sym>>, depth: usize) -> Vec<Node> {
        self.told.insert((signature, pattern.clone()));
        let rules = self.rules.remove(&signature).unwrap_or_default();
        let goal = (signature, pattern.clone());
        let mut looked: Vec<(Span, Found<'a>, Binding)> = Vec::new();
        for rule in &rules {
            let mut head = Binding::default();
            if looked.len() > MAX_RULES || !self.has_head(rule, &pattern, &mut head) {
                continue;
            }
            let is_computed = |t: &Term| matches!(t.kind, TermKind::Binary(..));
            let own = |l: &&Literal| {
                positive(l).is_some_and(|a| a.name == signature.name && a.terms().any(is_computed))
            };
            let computes = rule.terms.iter().any(is_computed) || rule.body.iter().any(own);
            let mut found = Found { is_ungrounded: !rule.is_grounded, computes, ..Found::default() };
            if rule.body.len() > MAX_LITERALS || found.is_ungrounded {
                found.is_cut = true;
            } else {
                self.instances(rule, &pattern, &rule.body, head.clone(), &mut found);
            }
            looked.push((rule.span, found, head));
        }
        self.rules.insert(signature, rules);
        let mut nodes: Vec<Node> = Vec::new();
        for (span, found, head) in looked {
            for node in self.told(span, found, &head, depth, &goal) {
                if !nodes.contains(&node) {
                    nodes.push(node);
                }
            }
        }
        nodes
    }

    /// The heads that rules have, where none is meant.
    fn heads(&self, signature: Signature) -> Vec<Node> {
        let rules = self.rules.get(&signature).map_or(&[][..], Vec::as_slice);
        let mut nodes: Vec<Node> = Vec::new();
        for rule in rules.iter().filter(|rule| !rule.is_fact) {
            let terms: Vec<String> =
                rule.terms.iter().map(|t| print::term(t, &self.matcher.symbols)).collect();
            let sign = if signature.negative { "-" } else { "" };
            let name = self.matcher.symbols.str(signature.name);
            let head = match name.is_empty() {
                true => terms.concat(),
                false => format!("{sign}{name}({})", terms.join(",")),
            };
            let place = self.renderer.place_of(rule.span);
            nodes.push(Node { place, ..Node::new(format!("the head of this rule is {head}")) });
        }
        nodes
    }

    fn has_head(&mut self, rule: &Rule<'_>, pattern: &[Option<Sym>], binding: &mut Binding) -> bool {
        rule.terms
            .iter()
            .zip(pattern)
            .all(|(term, &value)| value.is_none_or(|value| self.matcher.fits(term, value, binding)))
    }

    /// Looks for an instance whose body nothing contradicts; `open` are literals that are not matched yet.
    fn instances(
        &mut self,
        rule: &Rule<'a>,
        pattern: &[Option<Sym>],
        open: &[&'a Literal],
        mut binding: Binding,
        found: &mut Found<'a>,
    ) {
        if found.failures.len() >= MAX_INSTANCES || self.matcher.is_tired() {
            found.is_cut = true;
            return;
        }
        if let Some((literal, failure)) = self.failing(rule, &mut binding) {
            // With other values, the head is another one.
            if !self.has_head(rule, pattern, &mut binding.clone())
                || failure == Failure::NoMatch
                    && self.is_simpler(rule, pattern, open, literal, &binding, found)
            {
                return;
            }
            if found.texts.insert(self.matcher.instance(literal, &binding)) {
                found.failures.push((Part::Literal(literal), binding, failure));
            }
            return;
        }
        if !self.has_head(rule, pattern, &mut binding) {
            return;
        }
        let mut fewest = None;
        for (i, &literal) in open.iter().enumerate() {
            let Some(atom) = positive(literal) else { continue };
            let matches = self.matcher.matches(atom, Which::Possible, &binding);
            if fewest.as_ref().is_none_or(|(_, m)| is_fewer(&matches, m)) {
                fewest = Some((i, matches));
            }
        }
        let Some((next, matches)) = fewest else {
            match rule.rest[..] {
                [element] if self.all_hold(rule, &mut binding) => {
                    if found.texts.insert(self.values(&binding, &Binding::default())) {
                        found.failures.push((Part::Element(element), binding, Failure::Untrue));
                    }
                }
                _ => found.is_cut = true,
            }
            return;
        };
        let rest: Vec<&Literal> =
            open.iter().enumerate().filter(|(i, _)| *i != next).map(|(_, l)| *l).collect();
        found.is_cut |= !matches.are_all;
        for binding in matches.bindings {
            self.instances(rule, pattern, &rest, binding, found);
        }
    }

    /// Whether all instances fail for reasons that need no others, without a literal for which no rule derives an atom: these are told
    /// instead.
    fn is_simpler(
        &mut self,
        rule: &Rule<'a>,
        pattern: &[Option<Sym>],
        open: &[&'a Literal],
        literal: &'a Literal,
        binding: &Binding,
        found: &mut Found<'a>,
    ) -> bool {
        let derived = positive(literal).and_then(signature).is_some_and(|(s, _)| self.derived.contains(&s));
        let compares = |l: &&Literal| matches!(l.kind, LiteralKind::Comparison(..));
        if !derived || !rule.body.iter().any(compares) {
            return false;
        }
        let is_other = |l: &&&'a Literal| !std::ptr::eq(**l, literal);
        let mut without = rule.clone();
        without.rest.clear();
        without.body.retain(|l| is_other(&l));
        let open: Vec<&Literal> = open.iter().filter(is_other).copied().collect();
        let mut others = Found::default();
        self.instances(&without, pattern, &open, binding.clone(), &mut others);
        let is_untrue = others.failures.iter().all(|(.., failure)| *failure == Failure::Untrue);
        if others.is_cut || others.failures.is_empty() || !is_untrue {
            return false;
        }
        for (part, binding, failure) in others.failures {
            if let Part::Literal(literal) = part
                && found.texts.insert(self.matcher.instance(literal, &binding))
            {
                found.failures.push((part, binding, failure));
            }
        }
        true
    }

    /// Whether all literals of an instance are known to be possible.
    fn all_hold(&mut self, rule: &Rule<'_>, binding: &mut Binding) -> bool {
        rule.body.iter().all(|literal| match (&literal.kind, literal.sign) {
            (LiteralKind::Comparison(first, rest), Sign::None) => {
                self.matcher.compare(first, rest, binding) == Some(true)
            }
            (LiteralKind::Atom(atom), sign) => match self.matcher.is_among(atom, Which::Possible, binding) {
                Some(may_hold) => may_hold || sign == Sign::Not,
                None => false,
            },
            _ => false,
        })
    }

    /// A literal of the body that fails in any case.
    fn failing(&mut self, rule: &Rule<'a>, binding: &mut Binding) -> Option<(&'a Literal, Failure)> {
        // An equation may bind what a comparison before it needs.
        let mut before = usize::MAX;
        while before != binding.len() {
            before = binding.len();
            for &literal in &rule.body {
                if let (LiteralKind::Comparison(first, rest), Sign::None) = (&literal.kind, literal.sign)
                    && self.matcher.compare(first, rest, binding) == Some(false)
                {
                    return Some((literal, Failure::Untrue));
                }
            }
        }
        let mut first: Option<(&'a Literal, bool)> = None;
        for &literal in &rule.body {
            let LiteralKind::Atom(atom) = &literal.kind else { continue };
            match literal.sign {
                Sign::None => {
                    let matches = self.matcher.matches(atom, Which::Possible, binding);
                    if matches.bindings.is_empty() && matches.are_all {
                        // Of several, one that needs no reason.
                        if signature(atom).is_some_and(|(s, _)| !self.derived.contains(&s)) {
                            return Some((literal, Failure::NoMatch));
                        }
                        // Then one that is not asked for already, as it is in a circle.
                        let is_asked =
                            signature(atom).is_some_and(|(s, _)| self.told.iter().any(|t| t.0 == s));
                        if first.is_none_or(|(_, before)| before && !is_asked) {
                            first = Some((literal, is_asked));
                        }
                    }
                }
                Sign::Not if self.matcher.is_among(atom, Which::Certain, binding) == Some(true) => {
                    return Some((literal, Failure::AlwaysHolds));
                }
                _ => {}
            }
        }
        first.map(|(literal, _)| (literal, Failure::NoMatch))
    }

    /// A rule's instances as nodes.
    fn told(&mut self, span: Span, found: Found<'a>, head: &Binding, depth: usize, goal: &Goal) -> Vec<Node> {
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
                Failure::Untrue => match (is_within(literal), instance.rsplit_once(" = (")) {
                    (true, Some((value, values))) => {
                        format!("{value} is not in {}", values.strip_suffix(')').unwrap_or(values))
                    }
                    _ => format!("{instance} does not hold"),
                },
                Failure::AlwaysHolds => {
                    format!("{} always holds", instance.strip_prefix("not ").unwrap_or(&instance))
                }
                Failure::NoMatch => {
                    let goal = found.computes.then_some(goal);
                    self.missing(literal, &binding, (&instance, depth), goal, &mut node)
                }
            };
            node.text = format!("{}{what}", self.values(&binding, head));
            nodes.push(node);
        }
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
        (instance, depth): (&str, usize),
        goal: Option<&Goal>,
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
        let leaves = goal.filter(|goal| goal.0 == signature);
        let leaves = leaves.and_then(|goal| self.leaves(signature, &goal.1, &pattern));
        if let Some(reason) = leaves {
            node.reason = reason;
        } else if !is_exact {
            // What the arguments have in common is not looked into.
        } else if self.told.contains(&(signature, pattern.clone())) {
            node.reason = "told already".into();
        } else if depth < MAX_DEPTH && self.nodes < MAX_NODES {
            let reasons = self.reasons(signature, pattern, depth + 1);
            *node = std::mem::take(node).because(reasons, MAX_RULES);
            if node.children.is_empty() {
                node.reason = NO_HEAD.into();
            }
        } else {
            node.reason = "...".into();
        }
        format!("no rule derives {}{instance}", if is_ground { "" } else { "any " })
    }

    /// That from one atom to the next a number goes beyond those that there are, and further from them.
    fn leaves(&self, signature: Signature, from: &[Option<Sym>], to: &[Option<Sym>]) -> Option<String> {
        let number = |value: &Option<Sym>| value.and_then(|value| self.matcher.symbols.as_num(value));
        from.iter().zip(to).enumerate().find_map(|(place, (from, to))| {
            let (from, to) = (number(from)?, number(to)?);
            let (least, most) = self.matcher.range(signature, place)?;
            let sign = if signature.negative { "-" } else { "" };
            let name = self.matcher.symbols.str(signature.name);
            let argument = format!("argument {} of {sign}{name} is never", place + 1);
            match (to < from && to < least, to > from && to > most) {
                (true, _) => Some(format!("{argument} below {least}")),
                (_, true) => Some(format!("{argument} above {most}")),
                _ => None,
            }
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
    fn values(&self, binding: &Binding, head: &Binding) -> String {
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

fn positive(literal: &Literal) -> Option<&Atom> {
    match (&literal.kind, literal.sign) {
        (LiteralKind::Atom(atom), Sign::None) => Some(atom),
        _ => None,
    }
}

/// `X = 1..9`
fn is_within(literal: &Literal) -> bool {
    let LiteralKind::Comparison(_, rest) = &literal.kind else { return false };
    matches!(&rest[..], [(Relation::Equal, Term { kind: TermKind::Interval(..), .. })])
}

fn is_fewer(these: &Matches, those: &Matches) -> bool {
    (!these.are_all, these.bindings.len()) < (!those.are_all, those.bindings.len())
}
