//! Why no rule derives an atom where grounding decided it: the literals of its rules that nothing matches.
//!
//! Invariant: what is said is true of the ground program, whatever is chosen. Where that is not known, the rule alone is shown.

mod aggregate;
mod rules;
mod shape;
mod telling;

use rules::{Rule, positive};

use super::decided::by_facts;
use super::inquiry::Inquiry;
use super::inquiry::items::Origin;
use super::matching::{Binding, Matcher, Matches, Which, signature};
use super::renderer::Renderer;
use super::tree::{self, Node};
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::span::{Sources, Span};
use asp_base::symbol::{StrId, Sym, SymView};
use asp_syntax::ast::{BodyElement, Literal, LiteralKind, Sign};
use asp_syntax::{Input, NoFiles};

/// How much is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// What a reader wants first.
    Short,
    /// All that is found.
    Full,
}

/// The numbers behind an extent.
struct Limits {
    /// How many times reasons of reasons are told where they branch.
    branches: usize,
    /// How many nodes are told in all.
    nodes: usize,
    /// How many rules of an atom are told.
    rules: usize,
    /// How many instances of a rule are told.
    instances: usize,
    /// Whether what would be too deep is told below.
    goes_below: bool,
}

impl Extent {
    fn limits(self) -> Limits {
        match self {
            Self::Short => {
                Limits { branches: 6, nodes: 30, rules: MAX_RULES, instances: 3, goes_below: false }
            }
            Self::Full => {
                let instances = usize::MAX;
                Limits {
                    branches: MAX_STEPS,
                    nodes: tree::MAX_NODES,
                    rules: instances,
                    instances,
                    goes_below: true,
                }
            }
        }
    }
}

/// How many rules of an atom are told at first.
const MAX_RULES: usize = 12;
/// How deep reasons of reasons are told in any case.
const MAX_STEPS: usize = 50;
/// How many negated atoms of an explanation are looked into.
const MAX_BELOW: usize = 3;
/// How many literals a rule has whose instances are looked at.
const MAX_LITERALS: usize = 24;

/// The reason for an atom that heads can be.
const NO_RULE: &str = "no rule derives it";
/// The reason for an atom that no head can be.
const NO_HEAD: &str = "no rule or fact has such a head";

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
    /// Instances whose bodies nothing contradicts, but with other heads: the rule, the argument and the values.
    others: Vec<(Rule<'a>, usize, Binding)>,
    is_ungrounded: bool,
    /// Whether numbers are calculated.
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

/// How far a goal is from the one that was asked for.
#[derive(Clone, Copy, Default)]
struct Depth {
    steps: usize,
    /// Those beside others.
    branches: usize,
}

struct Search<'a, 'r> {
    renderer: &'r Renderer<'a>,
    matcher: Matcher<'a>,
    rules: Map<Signature, Vec<Rule<'a>>>,
    /// Those with other rules than facts.
    derived: Set<Signature>,
    told: Set<Goal>,
    /// Goals, with their texts, that are told at the end.
    below: Vec<(Goal, String)>,
    /// The goals above the present one and this one, and whether the rule that leads on from each calculates.
    path: Vec<(Goal, bool)>,
    nodes: usize,
    limits: Limits,
}

/// Why no rule derives an atom with this text; without a name it is a term that is shown.
pub fn why<'a>(
    inquiry: &'a Inquiry,
    renderer: &Renderer<'a>,
    (text, name): (&str, &str),
    extent: Extent,
) -> Node {
    search(inquiry, renderer, (text, name), extent).0
}

/// The same, and whether a rule has such a head.
pub(crate) fn search<'a>(
    inquiry: &'a Inquiry,
    renderer: &Renderer<'a>,
    (text, name): (&str, &str),
    extent: Extent,
) -> (Node, bool) {
    let mut matcher = Matcher::new(inquiry);
    matcher.assume(inquiry.program(), &by_facts(inquiry));
    if extent == Extent::Full {
        matcher.widen();
    }
    let mut node = Node::new(format!("not {text}"));
    let fact = if name.is_empty() { format!("p({text}).") } else { format!("{text}.") };
    let input = vec![Input::new("<atom>", fact)];
    let parsed = asp_syntax::parse(input, &mut matcher.symbols, &mut Sources::new(), &mut NoFiles);
    let Some(fact) = parsed.program.facts.first() else { return (node, false) };
    let SymView::Fun { name: own, args, negative } = matcher.symbols.view(fact.atom) else {
        return (node, false);
    };
    let own = if name.is_empty() { StrId::EMPTY } else { own };
    let signature = Signature { name: own, arity: args.len() as u32, negative };
    let pattern: Vec<Option<Sym>> = args.iter().map(|&a| Some(a)).collect();
    let rules = rules::rules(inquiry);
    let derived =
        rules.iter().filter(|(_, of)| of.iter().any(|rule| !rule.is_fact)).map(|(s, _)| *s).collect();
    let mut search = Search {
        renderer,
        matcher,
        rules,
        derived,
        told: Set::default(),
        below: Vec::new(),
        path: Vec::new(),
        nodes: 0,
        limits: extent.limits(),
    };
    let asked = pattern.clone();
    let reasons = search.reasons(signature, pattern, Depth::default());
    let is_head = !reasons.is_empty();
    let reasons = if reasons.is_empty() { search.heads(signature, &asked) } else { reasons };
    node.reason = if reasons.is_empty() { NO_HEAD } else { NO_RULE }.into();
    node = node.because(reasons, MAX_RULES);
    node.children.extend(search.below());
    if extent == Extent::Short {
        shape::fold(&mut node);
    }
    (node, is_head)
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
    let nodes = atoms.iter().take(MAX_BELOW);
    let nodes = nodes.map(|atom| search(inquiry, renderer, (atom, atom), Extent::Short));
    nodes.filter(|(_, is_head)| *is_head).map(|(node, _)| node).collect()
}

impl<'a> Search<'a, '_> {
    /// What keeps each rule from deriving an atom with these arguments; open ones may have any value.
    fn reasons(&mut self, signature: Signature, pattern: Vec<Option<Sym>>, mut depth: Depth) -> Vec<Node> {
        self.told.insert((signature, pattern.clone()));
        let rules = self.rules.remove(&signature).unwrap_or_default();
        let mut looked: Vec<(Span, Found<'a>, Binding)> = Vec::new();
        for rule in &rules {
            let open = [Binding::default()];
            let steps = if rule.steps.is_empty() { &open } else { &rule.steps[..] };
            for head in steps {
                let mut head = head.clone();
                if looked.len() > self.limits.rules
                    || self.other_argument(rule, &pattern, &mut head).is_some()
                {
                    continue;
                }
                let (computes, is_ungrounded) = (rule.computes(), rule.steps.is_empty());
                let mut found = Found { is_ungrounded, computes, ..Found::default() };
                if rule.body.len() > MAX_LITERALS || is_ungrounded {
                    found.is_cut = true;
                } else {
                    self.instances(rule, &pattern, &rule.body, head.clone(), &mut found);
                }
                looked.push((rule.span, found, head));
            }
        }
        self.rules.insert(signature, rules);
        let failures = looked.iter().flat_map(|(_, found, _)| &found.failures);
        depth.branches += usize::from(failures.filter(|failure| self.goes_on(failure)).count() > 1);
        depth.steps += 1;
        self.path.push(((signature, pattern), false));
        let mut nodes: Vec<Node> = Vec::new();
        for (span, found, head) in looked {
            if let Some((_, computes)) = self.path.last_mut() {
                *computes = found.computes;
            }
            nodes.extend(self.told((signature, span), found, &head, depth));
        }
        self.path.pop();
        tree::merged(nodes)
    }

    /// Whether a failure has reasons of its own.
    fn goes_on(&self, (part, _, failure): &(Part<'a>, Binding, Failure)) -> bool {
        let Part::Literal(literal) = part else { return false };
        let known = positive(literal).and_then(signature);
        *failure == Failure::NoMatch && known.is_some_and(|(s, _)| self.derived.contains(&s))
    }

    /// The first argument of a rule's head that cannot be the wanted one; what variables must be is added to the binding.
    fn other_argument(
        &mut self,
        rule: &Rule<'_>,
        pattern: &[Option<Sym>],
        binding: &mut Binding,
    ) -> Option<usize> {
        let mut arguments = rule.terms.iter().zip(pattern);
        arguments
            .position(|(term, &value)| value.is_some_and(|value| !self.matcher.fits(term, value, binding)))
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
        if found.failures.len() >= self.limits.instances || self.matcher.is_tired() {
            found.is_cut = true;
            return;
        }
        let failing = loop {
            let before = binding.len();
            let failing = self.failing(rule, &mut binding);
            if let Some(argument) = self.other_argument(rule, pattern, &mut binding) {
                match found.others.len() < self.limits.instances.min(self.limits.nodes) {
                    true => found.others.push((rule.clone(), argument, binding)),
                    false => found.is_cut |= found.failures.is_empty(),
                }
                return;
            }
            // What the head tells of variables may contradict the body.
            if failing.is_some() || binding.len() == before {
                break failing;
            }
        };
        if let Some((literal, failure)) = failing {
            if failure == Failure::NoMatch && self.is_simpler(rule, pattern, open, literal, &binding, found) {
                return;
            }
            if found.texts.insert(self.matcher.instance(literal, &binding)) {
                found.failures.push((Part::Literal(literal), binding, failure));
            }
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
        let (mut before, mut untrue) = (usize::MAX, None);
        while before != binding.len() {
            before = binding.len();
            for &literal in &rule.body {
                if let (LiteralKind::Comparison(first, rest), Sign::None) = (&literal.kind, literal.sign)
                    && self.matcher.compare(first, rest, binding) == Some(false)
                {
                    untrue = untrue.or(Some((literal, Failure::Untrue)));
                }
            }
        }
        if untrue.is_some() {
            return untrue;
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
}

fn is_fewer(these: &Matches, those: &Matches) -> bool {
    (!these.are_all, these.bindings.len()) < (!those.are_all, those.bindings.len())
}
