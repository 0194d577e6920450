//! The statements that a claim needs beside those that its explanation names.
//!
//! An explanation follows what grounding has left of a program: a rule whose atom certainly holds is gone, and its
//! statement would not be named. So each explanation is tested: every statement that it does not name is given up,
//! rules that derive atoms among them, and the solver looks for an answer set that contradicts the claim. Invariant: if
//! there is no such answer set, nothing is added; otherwise a set of statements is added that leaves none. If that set
//! is called minimal, none of them can be left out.

use super::inquiry::cores::{self, Cored, Effort};
use super::inquiry::relax::{self, Grain, Scope, Switch};
use super::inquiry::{Inquiry, Kind, Oracle, Verdict};
use super::renderer::Renderer;
use super::tree::Node;
use super::why::Parts;
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
    /// The places of those that are rules.
    pub rules: Vec<Span>,
    /// The places of those that are facts.
    pub facts: Vec<Span>,
    /// Whether none of them can be left out, or there are none.
    pub minimal: bool,
}

/// What is needed beside the statements at some places for a claim to hold in all answer sets or, without a claim, for
/// there to be none. The program must have been opened with its rules
/// ([`Which::rules`](super::inquiry::relaxed_facts::Which::rules)).
pub fn beside(inquiry: &Inquiry, claim: Option<Literal>, named: &Set<Span>) -> Result<Needed, Error> {
    let scope = Scope { grain: Grain::Statement, only: None, rules: true, optimum: false };
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
        Cored::Possible(_) => return Ok(Needed { minimal: true, ..Needed::default() }),
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
        rules: spans.iter().copied().filter(|span| inquiry.kind(*span) != Kind::Fact).collect(),
        facts: spans.iter().copied().filter(|span| inquiry.kind(*span) == Kind::Fact).collect(),
        minimal: core.minimal,
    })
}

/// Of how many rules and facts it is asked whether each is needed.
const MAX_LEFT_OUT: usize = 64;

/// Whether a claim stays open without any one of the rules and facts that force it, while it `also` has what it needs beside them.
/// All that derives atoms counts, and whatever is not named may hold or not.
pub fn each(inquiry: &Inquiry, claim: Literal, by: &Parts, also: &Needed) -> Result<bool, Error> {
    let is_named = |part: &Part| match part {
        Part::Rule(switch) => switch.origins.iter().any(|o| by.rules.contains(o)),
        Part::Fact(literal, _) => by.facts.contains(literal),
    };
    each_of(inquiry, Grain::Instance, claim, also, &is_named, &|_| true)
}

/// The same for the rules that only grounding has made certain, in a program that was opened with its rules, where they may be given
/// up. The others are there with all their instances.
pub fn each_certain(inquiry: &Inquiry, claim: Literal, by: &Parts, also: &Needed) -> Result<bool, Error> {
    let is_named = |part: &Part| by.places.contains(&part.span());
    let is_certain = |part: &Part| by.certain.contains(&part.span());
    Ok(by.certain.is_empty() || each_of(inquiry, Grain::Statement, claim, also, &is_named, &is_certain)?)
}

/// What may be given up.
enum Part {
    Rule(Switch),
    Fact(Literal, Span),
}

impl Part {
    fn literal(&self) -> Literal {
        match self {
            Self::Rule(switch) => switch.literal,
            Self::Fact(literal, _) => *literal,
        }
    }

    fn span(&self) -> Span {
        match self {
            Self::Rule(switch) => switch.span,
            Self::Fact(_, span) => *span,
        }
    }
}

fn each_of(
    inquiry: &Inquiry,
    grain: Grain,
    claim: Literal,
    also: &Needed,
    is_named: &dyn Fn(&Part) -> bool,
    is_left_out: &dyn Fn(&Part) -> bool,
) -> Result<bool, Error> {
    let (program, switches) =
        relax::relax(inquiry, &Scope { grain, only: None, rules: true, optimum: false });
    let facts = inquiry.facts.iter().map(|&(atom, span)| Part::Fact(Literal::pos(atom), span));
    let (mut named, others): (Vec<Part>, Vec<Part>) =
        switches.into_iter().map(Part::Rule).chain(facts).partition(is_named);
    named.sort_by_key(Part::span);
    let together = |a: &Part, b: &Part| grain == Grain::Statement && a.span() == b.span();
    let groups = named.chunk_by(together).filter(|group| is_left_out(&group[0]));
    let groups: Vec<&[Part]> = groups.collect();
    if groups.len() > MAX_LEFT_OUT {
        return Ok(false);
    }
    let is_also = |part: &&Part| also.rules.contains(&part.span()) || also.facts.contains(&part.span());
    let mut assumed: Vec<Literal> = others.iter().filter(is_also).map(Part::literal).collect();
    assumed.push(!claim);
    let mut oracle = Oracle::new(program, inquiry.symbols(), inquiry.control.interrupt())?;
    Ok(groups.iter().all(|group| {
        let left_out = |literal: &Literal| group.iter().any(|part| part.literal() == *literal);
        let rest = named.iter().map(Part::literal).filter(|literal| !left_out(literal));
        let assumed: Vec<Literal> = assumed.iter().copied().chain(rest).collect();
        matches!(oracle.ask_within(&assumed, Some(EFFORT.each)), Verdict::Found(_))
    }))
}
