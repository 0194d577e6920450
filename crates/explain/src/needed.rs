//! The statements that a claim needs beside those that its explanation names.
//!
//! An explanation follows what grounding has left of a program: a rule whose atom certainly holds is gone, and its
//! statement would not be named. So each explanation is tested: every statement that it does not name is given up,
//! rules that derive atoms among them, and the solver looks for an answer set that contradicts the claim. Invariant: if
//! there is no such answer set, nothing is added; otherwise a set of statements is added that leaves none. If that set
//! is called minimal, none of them can be left out.

use super::inquiry::cores::{self, Cored, Effort};
use super::inquiry::relax::{self, Grain, Scope};
use super::inquiry::{Inquiry, Kind, Oracle};
use super::renderer::Renderer;
use super::tree::Node;
use asp_base::map::Set;
use asp_base::span::Span;
use asp_control::Error;
use asp_program::Literal;

/// Conflicts spent on removing what is not needed.
const EFFORT: Effort = Effort { first: None, each: 5_000, all: 40_000 };

/// Statements that a claim needs, too.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Needed {
    /// A line for each.
    pub nodes: Vec<Node>,
    /// How many of them are rules; the others are facts.
    pub rules: usize,
    /// Whether none of them can be left out.
    pub minimal: bool,
}

/// What is needed beside the statements at some places for a claim to hold in all answer sets or, without a claim, for
/// there to be none. The program must have been opened with its rules
/// ([`Which::rules`](super::inquiry::relaxed_facts::Which::rules)).
pub fn beside(inquiry: &Inquiry, claim: Option<Literal>, named: &Set<Span>) -> Result<Needed, Error> {
    let scope = Scope { grain: Grain::Statement, only: None, rules: true };
    let (program, switches) = relax::relax(inquiry, &scope);
    let interrupt = inquiry.control.interrupt();
    let mut oracle = Oracle::new(program, inquiry.symbols(), interrupt.clone())?;
    let parts: Vec<(Literal, Span)> = switches
        .iter()
        .map(|s| (s.literal, s.span))
        .chain(inquiry.facts.iter().map(|&(atom, span)| (Literal::pos(atom), span)))
        .collect();
    let is_fixed = |span: &Span| named.contains(span) || inquiry.is_question(*span);
    let mut fixed: Vec<Literal> = claim.map(|claim| !claim).into_iter().collect();
    fixed.extend(parts.iter().filter(|p| is_fixed(&p.1)).map(|p| p.0));
    let soft: Vec<Literal> = parts.iter().map(|p| p.0).filter(|l| !fixed.contains(l)).collect();
    let core = match cores::find(&mut oracle, &fixed, &soft, EFFORT, &interrupt, &mut |_| {}) {
        Cored::Impossible(core) => core,
        Cored::Stopped(reason) => return Err(Error::Stopped(reason)),
        // Some facts stay as they are where they are opened with caution: more cannot be told.
        Cored::Possible(_) => return Ok(Needed::default()),
    };
    let literals: Set<Literal> = core.literals.into_iter().collect();
    let mut spans: Vec<Span> = parts.iter().filter(|p| literals.contains(&p.0)).map(|p| p.1).collect();
    spans.sort_unstable();
    spans.dedup();
    let renderer = Renderer::new(inquiry);
    let node = |&span: &Span| {
        let place = renderer.place_of(span);
        let text = place.as_ref().map_or(String::new(), |place| place.text.clone());
        Node { place, ..Node::new(text) }
    };
    Ok(Needed {
        nodes: spans.iter().map(node).collect(),
        rules: spans.iter().filter(|span| inquiry.kind(**span) != Kind::Fact).count(),
        minimal: core.minimal,
    })
}
