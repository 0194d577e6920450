//! Derivation trees: inferred steps as text.
//!
//! Invariant: a literal that was explained already is referred to, not explained again. A fact stands once below statements that name it.

use super::infer::{Cause, Clash, Contradiction, Deduction, Inference, Knowledge};
use super::inquiry::Inquiry;
use super::inquiry::items::Origin;
use super::renderer::{self, Renderer};
use super::tree::{BELOW, MAX_DEPTH, MAX_NODES, Node};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_program::{AtomId, Literal};
use std::collections::VecDeque;

/// The reason for an external atom.
pub(crate) const GIVEN: &str = "given, as an external atom";

/// Makes derivation trees of what has been inferred.
pub struct DerivationTrees<'a> {
    renderer: Renderer<'a>,
    inference: &'a Inference<'a>,
    facts: Map<AtomId, Span>,
    /// Literals already explained.
    told: Set<Literal>,
    /// Literals that need no explanation, since the reader knows them.
    known: Set<Literal>,
    /// Literals that are explained at the end.
    below: VecDeque<Literal>,
    nodes: usize,
}

impl<'a> DerivationTrees<'a> {
    /// Trees for an inquiry.
    pub fn new(inquiry: &'a Inquiry, inference: &'a Inference<'a>) -> Self {
        let facts = inquiry.facts.iter().rev().copied().collect();
        Self {
            renderer: Renderer::new(inquiry),
            inference,
            facts,
            told: Set::default(),
            known: Set::default(),
            below: VecDeque::new(),
            nodes: 0,
        }
    }

    /// Marks a literal as known to the reader.
    pub(crate) fn make_known(&mut self, literal: Literal) {
        self.known.insert(literal);
    }

    /// Why a literal is known.
    pub(crate) fn literal(&mut self, literal: Literal, k: &Knowledge) -> Node {
        self.told.clear();
        self.nodes = 0;
        let node = self.tell(literal, k, None, 0);
        node.with_below(self.below(k))
    }

    /// What would have been too deep.
    fn below(&mut self, k: &Knowledge) -> Vec<Node> {
        let mut below = Vec::new();
        while let Some(literal) = self.below.pop_front() {
            self.told.remove(&literal);
            below.push(self.tell(literal, k, None, 2));
        }
        below
    }

    /// Why an item cannot hold.
    pub fn clash(&mut self, clash: &Clash, k: &Knowledge) -> Node {
        let mut node = self.clash_alone(clash);
        node.children = self.reasons((&clash.because, &node.text), k, None, 0);
        node.with_below(self.below(k))
    }

    fn clash_alone(&self, clash: &Clash) -> Node {
        match clash.item {
            Some(item) => {
                let origin = self.inference.origin(item);
                Node {
                    text: format!("contradiction: {}", self.renderer.demand(origin)),
                    place: self.renderer.place(origin),
                    ..Node::default()
                }
            }
            None => Node::new("contradiction: what must hold is supported only by itself"),
        }
    }

    /// What a step depends on, without the facts that its words name and that stand elsewhere.
    fn reasons(
        &mut self,
        (because, words): (&[Literal], &str),
        k: &Knowledge,
        inner: Option<&Contradiction>,
        depth: usize,
    ) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(because.len());
        for &literal in because {
            let is_told = self.told.contains(&literal) && self.is_fact(literal, k);
            if !is_told || !names(words, &self.renderer.literal(literal)) {
                nodes.push(self.tell(literal, k, inner, depth + 1));
            }
        }
        nodes
    }

    fn is_fact(&self, literal: Literal, k: &Knowledge) -> bool {
        let is_assumed = k.step(literal.atom()).is_some_and(|step| matches!(step.cause, Cause::Assumed));
        is_assumed && self.facts.contains_key(&literal.atom())
    }

    fn tell(&mut self, literal: Literal, k: &Knowledge, inner: Option<&Contradiction>, depth: usize) -> Node {
        let text = self.renderer.literal(literal);
        if self.known.contains(&literal) {
            return Node { text, reason: "known".into(), ..Node::default() };
        }
        let inside = inner.and_then(|c| c.steps.iter().find(|s| s.literal.atom() == literal.atom()));
        let Some(step) = inside.or_else(|| k.step(literal.atom())) else { return Node::new(text) };
        let simple = matches!(step.cause, Cause::Assumed | Cause::Tried);
        if self.is_fact(literal, k) {
            self.told.insert(literal);
        } else if !simple && !self.told.insert(literal) {
            return Node { text, reason: "told already".into(), ..Node::default() };
        }
        self.nodes += 1;
        if depth >= MAX_DEPTH - 2 && !simple {
            // What is only supposed has its reasons here alone.
            let is_below = inside.is_none() && self.nodes < MAX_NODES;
            self.below.extend(is_below.then_some(literal));
            return Node { text, reason: if is_below { BELOW } else { "..." }.into(), ..Node::default() };
        }
        self.step(text, step, k, inner, depth)
    }

    fn step(
        &mut self,
        text: String,
        step: &Deduction,
        k: &Knowledge,
        inner: Option<&Contradiction>,
        depth: usize,
    ) -> Node {
        match &step.cause {
            Cause::Assumed => {
                let place = self.facts.get(&step.literal.atom()).and_then(|&s| self.renderer.place_of(s));
                let reason = if place.is_some() { "fact" } else { "assumed" };
                Node { text, reason: reason.into(), place, ..Node::default() }
            }
            Cause::Searched(why) => Node { text, ..(**why).clone() },
            Cause::Unnoted => Node::new(text),
            Cause::Tried => Node { text, reason: "tried".into(), ..Node::default() },
            Cause::Item(item) => {
                let origin = self.inference.origin(*item);
                // What grounding made of an atom, such as its projection, is told in the same words.
                if let [only] = step.because[..]
                    && self.renderer.literal(only) == text
                {
                    return self.tell(only, k, inner, depth + 1);
                }
                let reason = self.reason(origin, step);
                let children = self.reasons((&step.because, &reason), k, inner, depth);
                Node { text, reason, place: self.renderer.place(origin), children, ..Node::default() }
            }
            Cause::Unfounded(set) => {
                let reason = if set.len() == 1 {
                    "only itself would support it".to_string()
                } else {
                    let atoms: Vec<String> = set.iter().map(|&a| self.renderer.atom(a)).collect();
                    format!("these only support each other: {}", renderer::list(&atoms, ", "))
                };
                Node {
                    text,
                    reason,
                    children: self.reasons((&step.because, ""), k, inner, depth),
                    ..Node::default()
                }
            }
            Cause::Refuted(contradiction) => {
                let tried =
                    contradiction.steps.first().map(|s| self.renderer.literal(s.literal)).unwrap_or_default();
                let outer = self.told.clone();
                let mut end = self.clash_alone(&contradiction.clash);
                let because = (&contradiction.clash.because[..], &end.text[..]);
                end.children = self.reasons(because, k, Some(contradiction), depth + 1);
                // What was only supposed inside is not known afterwards.
                for inner in contradiction.steps.iter().filter(|s| !outer.contains(&s.literal)) {
                    self.told.remove(&inner.literal);
                }
                self.told.insert(step.literal);
                Node {
                    text,
                    reason: format!("if {tried}, there is a contradiction"),
                    children: vec![end],
                    ..Node::default()
                }
            }
        }
    }

    fn reason(&self, origin: Origin, step: &Deduction) -> String {
        match origin {
            Origin::Support(atom) if step.literal == Literal::neg(atom) => match step.because.as_slice() {
                [] => "no rule derives it".into(),
                _ => "no rule is left that derives it".into(),
            },
            Origin::Support(atom) if self.renderer.is_cost(atom) => {
                format!("only so {}", self.renderer.atom(atom))
            }
            Origin::Support(atom) => format!("the only way left for {} to hold", self.renderer.atom(atom)),
            Origin::Definition(i) if self.renderer.defines(i, step.literal) => "by its meaning".into(),
            Origin::Definition(_) => "no other way is left".into(),
            Origin::Given(_) => GIVEN.into(),
            _ => self.renderer.forces(origin, step.literal),
        }
    }
}

/// Whether a text has an atom in it, not only as part of another one.
fn names(words: &str, atom: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    words.match_indices(atom).any(|(at, _)| {
        let (before, after) = (&words[..at], &words[at + atom.len()..]);
        !before.ends_with(is_part) && !after.starts_with(|c| is_part(c) || c == '(')
    })
}
