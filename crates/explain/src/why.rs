//! Why an atom holds, or why it does not.
//!
//! An atom that must (or cannot) hold is explained by the steps that force it: plain inference, otherwise trying the
//! opposite, otherwise a minimal set of ground rules that force it together. One that may hold is explained by its
//! derivation in an answer set: a tree of rules down to facts and choices, in which nothing supports itself. Invariant:
//! the solver has shown whether it must, may or cannot hold.

mod absent;

use absent::absent;

use super::chain;
use super::derivation_tree::{DerivationTrees, GIVEN};
use super::infer::Inference;
use super::inquiry::items::{self, Items, Origin, Support};
use super::inquiry::relaxed_facts::Shown;
use super::inquiry::{Inquiry, Oracle, Verdict};
use super::model_filter::ModelFilter;
use super::renderer::{Renderer, name_of};
use super::tree::{BELOW, MAX_DEPTH, MAX_NODES, Node};
use super::underivable::{self, Extent};
use super::unsat_core::CoreFinder;
use asp_base::interrupt::StopReason;
use asp_base::map::{Map, Set};
use asp_base::nearest::slip;
use asp_base::span::Span;
use asp_control::Error;
use asp_program::ground_program::{ConditionalElement, Definition, TheoryAtom};
use asp_program::rule::{Body, Head};
use asp_program::{AtomId, AtomTable, Literal};
use asp_syntax::ast::StatementKind;
use std::collections::VecDeque;

/// An atom that a user asks about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// An atom of the ground program that rules may derive.
    Atom(AtomId),
    /// A fact, or an atom that follows from facts alone.
    Fact,
    /// No rule instance derives it, but these statements are rules for its predicate.
    NoInstance(Vec<Span>),
    /// Its predicate is in no head; these are the nearest names.
    NoPredicate(Vec<String>),
    /// It is in no head, but a statement shows terms with this name and arity.
    Shown,
    /// It is the value of something that is no integer variable of the program.
    NoVariable,
}

/// Finds the atom with this text.
pub fn find(inquiry: &Inquiry, text: &str, name: &str, arity: usize) -> Asked {
    let (program, symbols) = (inquiry.program(), inquiry.symbols());
    let bare = name.strip_prefix('-').unwrap_or(name);
    let written = |table: &AtomTable, atom: AtomId| {
        table.get(atom).is_some_and(|(s, _)| symbols.str(s.name) == bare && s.arity as usize == arity)
            && name_of(table, atom, symbols) == text
    };
    if let Some(atom) = program.atoms.ids().find(|&a| written(&program.atoms, a)) {
        return Asked::Atom(atom);
    }
    if program.facts.ids().any(|a| written(&program.facts, a)) {
        return Asked::Fact;
    }
    let heads = inquiry.heads();
    let spans: Vec<Span> = heads
        .iter()
        .filter(|h| h.0 == name && h.1 == arity)
        .map(|h| h.2)
        .collect::<Set<_>>()
        .into_iter()
        .collect();
    if !spans.is_empty() {
        let mut spans = spans;
        spans.sort_unstable();
        let shows = |s: &Span| {
            inquiry.statement(*s).is_some_and(|s| matches!(s.kind, StatementKind::ShowTerm { .. }))
        };
        if inquiry.shown == Shown::None && spans.iter().all(shows) {
            return Asked::Shown;
        }
        return Asked::NoInstance(spans);
    }
    let mut names: Vec<(usize, String)> = heads
        .iter()
        .filter_map(|(n, a, _)| {
            let sign = n.strip_prefix('-') == Some(name) || name.strip_prefix('-') == Some(n);
            let far = if sign { 1 } else { slip(name, n)? };
            Some((far + usize::from(*a != arity), format!("{n}/{a}")))
        })
        .collect();
    names.sort();
    names.dedup();
    Asked::NoPredicate(names.into_iter().map(|(_, n)| n).take(3).collect())
}

/// What forces a literal.
#[derive(Clone, PartialEq, Debug)]
pub struct Forced {
    /// Whether the atom must hold, not that it cannot.
    pub holds: bool,
    /// Step by step.
    pub why: Node,
    /// What it is forced by.
    pub by: Parts,
    /// Why no rule derives what is negated in these rules and left out of them.
    pub below: Vec<Node>,
    /// Whether inference, or the search for these parts, needs each of them.
    pub minimal: bool,
}

/// Ground rules and facts, in the program as it was opened.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parts {
    pub rules: Vec<Origin>,
    pub facts: Vec<Literal>,
    /// Their places, each once.
    pub places: Vec<Span>,
    /// Those of rules that became certain when the program was grounded.
    pub certain: Vec<Span>,
}

impl Parts {
    /// Rules that a reader can find: that an atom needs a rule, or that `a` and `-a` exclude each other, nobody wrote; what an
    /// aggregate means is said by the rule that has it.
    fn of(inquiry: &Inquiry, origins: impl Iterator<Item = Origin>, facts: Vec<Literal>) -> Self {
        let is_rule = |origin: &Origin| {
            let meaning = matches!(origin, Origin::Definition(_) | Origin::Support(_) | Origin::Given(_));
            !meaning && !inquiry.span(items::source(inquiry.program(), *origin)).is_none()
        };
        let mut rules: Vec<Origin> = origins.filter(is_rule).collect();
        rules.sort_unstable();
        rules.dedup();
        let of_rules = rules.iter().map(|origin| inquiry.span(items::source(inquiry.program(), *origin)));
        let of_facts = inquiry.facts.iter().filter(|f| facts.contains(&Literal::pos(f.0))).map(|f| f.1);
        let mut places: Vec<Span> = of_rules.chain(of_facts).collect();
        places.sort_unstable();
        places.dedup();
        let is_certain = |origin: &&Origin| match origin {
            Origin::Rule(id) => {
                let rule = inquiry.program().rules.get(*id);
                matches!((rule.head, rule.body), (Head::Disjunction([_]), Body::Normal([])))
            }
            _ => false,
        };
        let certain = rules.iter().filter(is_certain);
        let certain = certain.map(|origin| inquiry.span(items::source(inquiry.program(), *origin))).collect();
        Self { rules, facts, places, certain }
    }
}

/// In which answer sets a literal holds, and why.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// It holds in every answer set.
    Always(Forced),
    /// It holds in some answer sets but not in others; why in one where it does, given as truth by atom.
    Sometimes(Node, Vec<bool>),
    /// It holds in no answer set.
    Never(Forced),
    /// It holds in some answer sets but not in others; why its atom holds in the one that is given, or does not.
    Here(Node, bool),
    /// There is no answer set at all.
    NoAnswerSet,
    /// None is like the one that is given: why, if that is known.
    NotGiven(Option<String>),
    /// A limit or a signal came first.
    Stopped(StopReason),
}

/// Why a literal holds or does not in an answer set that is given; beside the reason why its atom always holds, what derives
/// the atom there, unless it is a choice or a fact.
pub fn why_in(
    inquiry: &Inquiry,
    literal: Literal,
    given: &ModelFilter,
) -> Result<(Answer, Option<Node>), Error> {
    let mut oracle = match given.oracle(inquiry)? {
        Ok(oracle) => oracle,
        Err(why) => return Ok((Answer::NotGiven(Some(why)), None)),
    };
    let assumptions = inquiry.assumptions();
    let ask = |oracle: &mut Oracle, literal| oracle.ask(&[&assumptions[..], &[literal]].concat());
    // Of those that show the same, one where it holds.
    for here in [literal, !literal] {
        let model = match ask(&mut oracle, here) {
            Verdict::Stopped(reason) => return Ok((Answer::Stopped(reason), None)),
            Verdict::None(_) => continue,
            Verdict::Found(model) => model,
        };
        let other = ask(&mut inquiry.oracle()?, !here);
        if here.is_neg() {
            let answer = match other {
                Verdict::Stopped(reason) => Answer::Stopped(reason),
                Verdict::None(_) if here == literal => Answer::Always(forced(inquiry, literal)?),
                Verdict::None(_) => Answer::Never(forced(inquiry, !literal)?),
                Verdict::Found(_) => Answer::Here(absent(inquiry, here.atom(), &model), false),
            };
            return Ok((answer, None));
        }
        let derived = derivation(inquiry, here.atom(), &model);
        let answer = match other {
            Verdict::Found(_) => return Ok((Answer::Here(derived, true), None)),
            Verdict::Stopped(reason) => Answer::Stopped(reason),
            Verdict::None(_) if here == literal => Answer::Always(forced(inquiry, literal)?),
            Verdict::None(_) => Answer::Never(forced(inquiry, !literal)?),
        };
        let says = !derived.children.is_empty() && derived.reason != CHOSEN;
        return Ok((answer, says.then_some(derived)));
    }
    Ok((Answer::NotGiven(None), None))
}

/// Whether there is no answer set, or none like the one that is given: why, as far as that is known.
pub fn no_answer_set(inquiry: &Inquiry, given: Option<&ModelFilter>) -> Result<Option<String>, Error> {
    let mut oracle = match given {
        None => inquiry.oracle()?,
        Some(given) => match given.oracle(inquiry)? {
            Ok(oracle) => oracle,
            Err(why) => return Ok(Some(why)),
        },
    };
    match oracle.ask(&inquiry.assumptions()) {
        Verdict::Found(_) => Ok(None),
        Verdict::None(_) => Ok(Some(String::new())),
        Verdict::Stopped(reason) => Err(Error::Stopped(reason)),
    }
}

/// Why a literal holds or does not.
pub fn why(inquiry: &Inquiry, literal: Literal) -> Result<Answer, Error> {
    let mut oracle = inquiry.oracle()?;
    let assumptions = inquiry.assumptions();
    let with = |l: Literal| [&assumptions[..], &[l]].concat();
    let yes = match oracle.ask(&with(literal)) {
        Verdict::Stopped(reason) => return Ok(Answer::Stopped(reason)),
        Verdict::Found(model) => Some(model),
        Verdict::None(_) => None,
    };
    let no = match oracle.ask(&with(!literal)) {
        Verdict::Stopped(reason) => return Ok(Answer::Stopped(reason)),
        Verdict::Found(model) => Some(model),
        Verdict::None(_) => None,
    };
    Ok(match (yes, no) {
        (None, None) => Answer::NoAnswerSet,
        (Some(_), None) => Answer::Always(forced(inquiry, literal)?),
        (None, Some(_)) => Answer::Never(forced(inquiry, !literal)?),
        (Some(model), Some(_)) => {
            let node = if literal.is_neg() {
                absent(inquiry, literal.atom(), &model)
            } else {
                derivation(inquiry, literal.atom(), &model)
            };
            Answer::Sometimes(node, model)
        }
    })
}

/// What forces a literal: a chain of steps, otherwise rules that force it together.
fn forced(inquiry: &Inquiry, literal: Literal) -> Result<Forced, Error> {
    let told = |why, by: Parts, minimal| {
        let below = underivable::below(inquiry, &Renderer::new(inquiry), by.rules.iter().copied());
        Forced { holds: !literal.is_neg(), why, by, below, minimal }
    };
    let items = inquiry.items();
    let inference = Inference::new(items, inquiry.symbols());
    let interrupt = inquiry.control.interrupt();
    if let Some(chain) = chain::find(&inference, &inquiry.assumptions(), literal, &interrupt) {
        let mut why = DerivationTrees::new(inquiry, &inference).literal(literal, &chain.knowledge);
        if why.reason == GIVEN && literal.is_neg() {
            // Rules could derive it beside that.
            let name = why.text.trim_start_matches("not ").to_string();
            let (rules, is_head) =
                underivable::search(inquiry, &Renderer::new(inquiry), (&name, &name), Extent::Short);
            let named = rules.children.into_iter().filter(|rule| rule.reason.is_empty());
            why.children = if is_head { named.collect() } else { Vec::new() };
        }
        let origins = chain.items.iter().map(|&i| inference.origin(i));
        let by = Parts::of(inquiry, origins, chain.facts);
        return Ok(told(why, by, chain.minimal));
    }
    let reason = CoreFinder::new(inquiry)?.why(literal, &[])?;
    let by = Parts::of(inquiry, reason.rules.into_iter(), reason.facts);
    Ok(told(reason.node, by, reason.minimal))
}

/// The reason for an atom that may be left out.
const CHOSEN: &str = "chosen";
/// The reason for an atom of a disjunction that holds together with others of its head, each by way of the other.
const ONE_OF_ITS_HEAD: &str = "by this rule, with others of its head";
/// The reason for an atom that only follows together with others, or with what is not false because of it.
const NEED_EACH_OTHER: &str = "by rules that need each other";

/// A derivation in an answer set.
struct Derivation<'a> {
    inquiry: &'a Inquiry,
    renderer: Renderer<'a>,
    items: &'a Items,
    given: Map<AtomId, Span>,
    model: &'a [bool],
    /// By atom: the round in which it is founded.
    stage: Vec<u32>,
    /// Atoms that no rule derives alone: a disjunction all of whose atoms rest on each other.
    open: Map<AtomId, Origin>,
    told: Set<AtomId>,
    /// Atoms that are told at the end.
    below: VecDeque<AtomId>,
    nodes: usize,
}

/// Why an atom holds in an answer set.
pub fn derivation(inquiry: &Inquiry, atom: AtomId, model: &[bool]) -> Node {
    let items = inquiry.items();
    let given = inquiry.facts.iter().rev().copied().collect();
    let mut d = Derivation {
        inquiry,
        renderer: Renderer::new(inquiry),
        items,
        given,
        model,
        stage: Vec::new(),
        open: Map::default(),
        told: Set::default(),
        below: VecDeque::new(),
        nodes: 0,
    };
    d.order();
    let node = d.tell(atom, 0);
    let mut below = Vec::new();
    while let Some(atom) = d.below.pop_front() {
        d.told.remove(&atom);
        below.push(d.tell(atom, 2));
    }
    node.with_below(below)
}

impl Derivation<'_> {
    /// Truth by atom if only atoms of earlier rounds are known to hold.
    fn values(&self, before: u32) -> Vec<Option<bool>> {
        let value = |(a, &stage): (usize, &u32)| match self.model[a] {
            false => Some(false),
            true => (stage < before).then_some(true),
        };
        self.stage.iter().enumerate().map(value).collect()
    }

    fn order(&mut self) {
        let n = self.inquiry.program().atoms.len();
        self.stage = vec![u32::MAX; n];
        let mut defined: Vec<bool> = vec![false; n];
        self.inquiry.program().definitions.iter().for_each(|d| defined[d.atom.0 as usize] = true);
        for (a, &is_defined) in defined.iter().enumerate() {
            let free = self.items.supports[a].is_empty() && !is_defined;
            if self.model[a] && (free || self.given.contains_key(&AtomId(a as u32))) {
                self.stage[a] = 0;
            }
        }
        for round in 1..=n as u32 + 1 {
            let values = self.values(round);
            let mut changed = false;
            for (a, &is_defined) in defined.iter().enumerate() {
                if !self.model[a] || self.stage[a] != u32::MAX {
                    continue;
                }
                let holds = |s: &Support| {
                    s.applies().truth(&values, self.inquiry.symbols()) == Some(true)
                        && self.is_alone(s, AtomId(a as u32))
                };
                let founded = if is_defined {
                    self.meaning(AtomId(a as u32))
                        .is_some_and(|f| f.truth(&values, self.inquiry.symbols()) == Some(true))
                } else {
                    self.items.supports[a].iter().any(holds)
                };
                if founded {
                    self.stage[a] = round;
                    changed = true;
                }
            }
            if !changed && !self.leave_open(round, &values) {
                break;
            }
        }
    }

    /// Founds an atom of a disjunction whose other atoms hold only by way of this one.
    fn leave_open(&mut self, round: u32, values: &[Option<bool>]) -> bool {
        let unfounded = (0..self.stage.len()).filter(|&a| self.model[a] && self.stage[a] == u32::MAX);
        let found =
            unfounded.flat_map(|a| self.items.supports[a].iter().map(move |s| (a, s))).find(|(a, s)| {
                let mut values = values.to_vec();
                let others = self.others(s.origin, AtomId(*a as u32)).into_iter().map(Literal::atom);
                others.chain(s.others.iter().copied()).for_each(|b| values[b.0 as usize] = Some(false));
                s.applies().truth(&values, self.inquiry.symbols()) == Some(true)
            });
        let Some((a, support)) = found else { return false };
        self.stage[a] = round;
        self.open.insert(AtomId(a as u32), support.origin);
        true
    }

    /// The definition of an auxiliary atom.
    fn meaning(&self, atom: AtomId) -> Option<super::inquiry::formula::Formula> {
        let d = self.inquiry.program().definitions.iter().find(|d| d.atom == atom)?;
        Some(super::inquiry::items::definition(&d.definition, self.inquiry.program(), self.inquiry.symbols()))
    }

    fn tell(&mut self, atom: AtomId, depth: usize) -> Node {
        let text = self.renderer.atom(atom);
        if let Some(&span) = self.given.get(&atom) {
            let place = self.renderer.place_of(span);
            return Node { text, reason: "fact".into(), place, ..Node::default() };
        }
        if !self.told.insert(atom) {
            return Node { text, reason: "told already".into(), ..Node::default() };
        }
        self.nodes += 1;
        if depth >= MAX_DEPTH {
            let reason = if self.nodes < MAX_NODES { BELOW } else { "..." };
            self.below.extend((reason == BELOW).then_some(atom));
            return Node { text, reason: reason.into(), ..Node::default() };
        }
        let stage = self.stage[atom.0 as usize];
        let values = self.values(stage);
        let symbols = self.inquiry.symbols();
        let holds =
            |s: &&Support| s.applies().truth(&values, symbols) == Some(true) && self.is_alone(s, atom);
        let supports = &self.items.supports[atom.0 as usize];
        if let Some(support) = supports.iter().find(holds) {
            let (origin, choice) = (support.origin, support.choice);
            let mut because = self.enough(&support.applies(), &values);
            because.extend(self.others(origin, atom).into_iter().map(|l| !l));
            let place = self.renderer.place(origin);
            let values = if choice { self.renderer.values_in(atom, self.model) } else { None };
            let reason = match choice {
                true => values.as_deref().unwrap_or(CHOSEN),
                false => "by this rule",
            };
            let children = because.iter().map(|&l| self.leaf_or(l, depth)).collect();
            return Node { text, reason: reason.into(), place, children, ..Node::default() };
        }
        let open = self.open.get(&atom).and_then(|&o| supports.iter().find(|s| s.origin == o));
        if let Some(support) = open {
            let mut values = values;
            support.others.iter().for_each(|b| values[b.0 as usize] = Some(false));
            let mut because = self.enough(&support.body, &values);
            because.retain(|&l| !self.fails(l));
            let place = self.renderer.place(support.origin);
            let children = because.iter().map(|&l| self.leaf_or(l, depth)).collect();
            return Node { text, reason: ONE_OF_ITS_HEAD.into(), place, children, ..Node::default() };
        }
        if let Some(meaning) = self.meaning(atom) {
            let because = self.enough(&meaning, &values);
            let children = because.iter().map(|&l| self.leaf_or(l, depth)).collect();
            return Node { children, ..Node::new(text) };
        }
        let is_it = |theory: &TheoryAtom| theory.atom == Some(atom);
        let model: Vec<Option<bool>> = self.model.iter().copied().map(Some).collect();
        let holds = |s: &&Support| s.applies().truth(&model, symbols) == Some(true);
        let place = supports.iter().find(holds).and_then(|s| self.renderer.place(s.origin));
        let reason = if !supports.is_empty() {
            NEED_EACH_OTHER.into()
        } else if self.inquiry.program().theory.atoms.iter().any(is_it) {
            self.renderer.values_in(atom, self.model).unwrap_or_else(|| CHOSEN.into())
        } else {
            "given from outside".into()
        };
        Node { text, reason, place, ..Node::default() }
    }

    fn leaf_or(&mut self, literal: Literal, depth: usize) -> Node {
        if let (true, Some(inner)) = (literal.is_neg(), self.negated(literal.atom())) {
            return self.tell(inner, depth + 1);
        }
        if literal.is_neg() {
            let (text, reason) = (self.renderer.literal(!literal), "does not hold".into());
            return Node { text, reason, ..Node::default() };
        }
        self.tell(literal.atom(), depth + 1)
    }

    /// The other disjuncts in a disjunction of conditional literals, as far as their conditions hold.
    fn others(&self, origin: Origin, atom: AtomId) -> Vec<Literal> {
        let Origin::Disjunction(i) = origin else { return Vec::new() };
        let program = self.inquiry.program();
        let holds = |e: &&ConditionalElement| program.literals(e.condition).iter().all(|&l| !self.fails(l));
        let elements = program.disjunctions[i as usize].elements.iter().filter(holds);
        let mut heads: Vec<Literal> = elements.flat_map(|e| program.literals(e.head)).copied().collect();
        heads.retain(|l| l.atom() != atom);
        heads.dedup();
        heads
    }

    /// Whether no other disjunct of the support's rule holds.
    fn is_alone(&self, support: &Support, atom: AtomId) -> bool {
        self.others(support.origin, atom).iter().all(|&l| self.fails(l))
    }

    /// Whether a literal is false in the answer set.
    fn fails(&self, literal: Literal) -> bool {
        self.model[literal.atom().0 as usize] == literal.is_neg()
    }

    /// The atom that an auxiliary atom negates, if it is a negation.
    fn negated(&self, atom: AtomId) -> Option<AtomId> {
        match self.inquiry.program().definitions.iter().find(|d| d.atom == atom)?.definition {
            Definition::Negation(inner) => Some(inner),
            _ => None,
        }
    }

    /// A minimal set of literals that make a formula true.
    fn enough(&self, formula: &super::inquiry::formula::Formula, values: &[Option<bool>]) -> Vec<Literal> {
        let mut atoms: Vec<AtomId> = Vec::new();
        formula.for_each(&mut |l| {
            if !atoms.contains(&l.atom()) {
                atoms.push(l.atom());
            }
        });
        let mut values = values.to_vec();
        let mut because = Vec::new();
        for &a in atoms.iter().rev() {
            let value = values[a.0 as usize].take();
            if value.is_some() && formula.truth(&values, self.inquiry.symbols()) != Some(true) {
                values[a.0 as usize] = value;
                because.push(Literal::new(a, value == Some(false)));
            }
        }
        because.reverse();
        because
    }
}

#[cfg(test)]
mod tests;
