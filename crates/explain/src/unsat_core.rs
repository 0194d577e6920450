//! Unsatisfiable cores: ground rules and facts that together force a literal, found by the solver where inference fails.
//!
//! Each ground rule has a switch and each fact is an assumption; with the opposite of the literal they cannot all hold.
//! Invariant: if a reason is minimal, the rest can hold together with the opposite once any one part is left out.

use super::inquiry::cores::{self, Core, Cored, Effort};
use super::inquiry::items::Origin;
use super::inquiry::relax::{self, Grain, Scope, Switch};
use super::inquiry::{Inquiry, Oracle};
use super::renderer::Renderer;
use super::tree::{self, Node};
use asp_base::interrupt::Interrupt;
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_control::Error;
use asp_program::{AtomId, Literal};

/// Conflicts spent on removing what is not needed.
const EFFORT: Effort = Effort { first: None, each: 5_000, all: 40_000 };
/// How many ground rules and facts an explanation lists, those of a statement as one.
const MAX_LISTED: usize = 40;
/// Up to how many ground rules of a statement are listed each; of more, the first ones are examples.
const MAX_EACH: usize = 5;
/// How many examples.
const EXAMPLES: usize = 3;

/// A solver with a switch for each ground rule of an inquiry.
pub(crate) struct CoreFinder<'a> {
    inquiry: &'a Inquiry,
    /// Whether rules that derive atoms have switches, too.
    rules: bool,
    /// The same with such switches, once that was needed.
    with_rules: Option<Box<CoreFinder<'a>>>,
    renderer: Renderer<'a>,
    oracle: Oracle,
    switches: Vec<Switch>,
    of_literal: Map<Literal, usize>,
    facts: Map<AtomId, Span>,
    assumptions: Vec<Literal>,
    interrupt: Interrupt,
}

/// Why nothing else is possible.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reason {
    pub node: Node,
    pub rules: Vec<Origin>,
    /// Facts, and literals known before.
    pub facts: Vec<Literal>,
    /// Whether each of them is needed.
    pub minimal: bool,
}

impl<'a> CoreFinder<'a> {
    /// A solver for an inquiry, with switches for what may not hold.
    pub(crate) fn new(inquiry: &'a Inquiry) -> Result<Self, Error> {
        Self::with(inquiry, false)
    }

    fn with(inquiry: &'a Inquiry, rules: bool) -> Result<Self, Error> {
        let interrupt = inquiry.control.interrupt();
        let scope = Scope { grain: Grain::Instance, only: None, rules, optimum: true };
        let (program, switches) = relax::relax(inquiry, &scope);
        Ok(Self {
            inquiry,
            rules,
            with_rules: None,
            renderer: Renderer::new(inquiry),
            oracle: Oracle::new(program, inquiry.symbols(), interrupt.clone())?,
            of_literal: switches.iter().enumerate().map(|(i, s)| (s.literal, i)).collect(),
            switches,
            facts: inquiry.facts.iter().copied().collect(),
            assumptions: inquiry.assumptions(),
            interrupt,
        })
    }

    /// Why a literal must hold. The reason may use `known` literals, which the reader knows.
    pub(crate) fn why(&mut self, literal: Literal, known: &[Literal]) -> Result<Reason, Error> {
        let found = self.core(literal, known);
        let mut node = Node::new(self.renderer.literal(literal));
        let Some(core) = found else {
            node.reason = "it is in every answer set, as search shows".into();
            return Ok(Reason { node, rules: Vec::new(), facts: Vec::new(), minimal: false });
        };
        // Nothing but rules that derive atoms: these.
        if core.literals.is_empty() && !self.rules {
            let finder = match &mut self.with_rules {
                Some(finder) => finder,
                none => none.insert(Box::new(Self::with(self.inquiry, true)?)),
            };
            return finder.why(literal, known);
        }
        if core.literals.is_empty() {
            let minimal = core.minimal;
            return Ok(Reason {
                node: self.in_any_case(node, literal),
                rules: Vec::new(),
                facts: Vec::new(),
                minimal,
            });
        }
        node.reason = "these together leave no other way".into();
        let parts = core.literals.iter().map(|&l| self.part(l, known)).collect();
        node = node.because(by_statement(parts), MAX_LISTED);
        let (mut rules, mut facts) = (Vec::new(), Vec::new());
        for literal in core.literals {
            match self.of_literal.get(&literal) {
                Some(&i) => rules.extend_from_slice(&self.switches[i].origins),
                None => facts.push(literal),
            }
        }
        Ok(Reason { node, rules, facts, minimal: core.minimal })
    }

    /// What excludes the opposite of a literal. Rules are found while all facts are given, since else one may come in place of a fact
    /// that always satisfies it; then those of the facts that matter.
    fn core(&mut self, literal: Literal, known: &[Literal]) -> Option<Core> {
        let given: Vec<Literal> = self.assumptions.iter().copied().filter(|l| !known.contains(l)).collect();
        let mut hard = vec![!literal];
        hard.extend(&given);
        let soft: Vec<Literal> =
            known.iter().copied().chain(self.switches.iter().map(|s| s.literal)).collect();
        let mut find = |hard: &[Literal], soft: &[Literal]| match cores::find(
            &mut self.oracle,
            hard,
            soft,
            EFFORT,
            &self.interrupt,
            &mut |_| {},
        ) {
            Cored::Impossible(core) => Some(core),
            _ => None,
        };
        let mut core = find(&hard, &soft)?;
        hard.truncate(1);
        hard.extend(&core.literals);
        let facts = find(&hard, &given)?;
        core.literals.extend(facts.literals);
        core.minimal &= facts.minimal;
        Some(core)
    }

    /// The reason for a literal that holds whatever is given up: the bodies of the atom's rules contradict themselves.
    fn in_any_case(&self, node: Node, literal: Literal) -> Node {
        let mut origins: Vec<Origin> = Vec::new();
        for support in &self.inquiry.items().supports[literal.atom().0 as usize] {
            if !origins.contains(&support.origin) {
                origins.push(support.origin);
            }
        }
        if !literal.is_neg() {
            origins.clear();
        }
        let part = |&origin: &Origin| Node {
            place: self.renderer.place(origin),
            ..Node::new(self.renderer.demand(origin))
        };
        let parts: Vec<Node> = origins.iter().map(part).collect();
        let rules: Set<Option<Span>> = parts.iter().map(|n| n.place.as_ref().map(|p| p.span)).collect();
        let reason = match rules.len() {
            0 => "nothing else is possible, whatever is given up",
            1 => "its rule can never apply",
            _ => "none of its rules can ever apply",
        };
        Node { reason: reason.into(), ..node }.because(by_statement(parts), MAX_LISTED)
    }

    fn part(&self, literal: Literal, known: &[Literal]) -> Node {
        if let Some(&i) = self.of_literal.get(&literal) {
            let origin = self.switches[i].origins[0];
            return Node { place: self.renderer.place(origin), ..Node::new(self.renderer.demand(origin)) };
        }
        let given = self.facts.get(&literal.atom()).copied();
        let reason = if given.is_none() && known.contains(&literal) { "known" } else { "fact" };
        let place = given.and_then(|s| self.renderer.place_of(s));
        Node { reason: reason.into(), place, ..Node::new(self.renderer.literal(literal)) }
    }
}

/// Parts in their order, where many of one statement are one that names some of them.
fn by_statement(parts: Vec<Node>) -> Vec<Node> {
    let mut groups: Vec<Vec<Node>> = Vec::new();
    let mut places: Map<Span, usize> = Map::default();
    for part in parts {
        let next = groups.len();
        let group = match &part.place {
            // A line of a grid holds many facts.
            Some(place) if part.reason.is_empty() => *places.entry(place.span).or_insert(next),
            _ => next,
        };
        if group == next {
            groups.push(Vec::new());
        }
        groups[group].push(part);
    }
    let one = |group: Vec<Node>| {
        let number = group.len();
        match group.first().and_then(|first| first.place.clone()) {
            Some(place) if number > MAX_EACH => {
                let text = format!("{number} instances of `{}`", place.text);
                vec![Node { place: Some(place), ..Node::new(text) }.because(group, EXAMPLES)]
            }
            _ => tree::merged(group),
        }
    };
    groups.into_iter().flat_map(one).collect()
}
