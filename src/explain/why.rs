//! Why an atom holds, or why not.
//!
//! An atom that must hold (or cannot) is told by the steps that force it: plain inference, else trying the opposite,
//! else a minimal set of ground rules that leave no other way. One that may hold is told by its derivation in an answer
//! set: a tree of rules down to facts and choices, in which nothing supports itself.
//! Invariant: whether it must, may or cannot hold was shown by the solver.

use super::case::{Case, Verdict};
use super::cores::{self, Cored};
use super::infer::{Cause, Inference, Knowledge, Step};
use super::items::{Items, Support};
use super::relax::{self, Grain, Scope};
use super::story::Story;
use super::tree::{MAX_DEPTH, Node};
use super::words::{Words, and};
use crate::base::interrupt::StopReason;
use crate::base::map::{Map, Set};
use crate::base::span::{Sources, Span};
use crate::base::symbol::{SymView, Symbols};
use crate::control::Error;
use crate::program::{AtomId, Literal};
use crate::syntax::{self, NoFiles};

/// Ground rules that are told when inference alone does not force a literal.
const MANY: usize = 40;

/// An atom that a user asks about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// An atom of the ground program that rules may derive.
    Atom(AtomId),
    /// A fact, or an atom that follows from facts alone.
    Fact,
    /// No rule instance derives it, but there are rules for its predicate, which stand there.
    NoInstance(Vec<Span>),
    /// Its predicate is in no head; the nearest names.
    NoPredicate(Vec<String>),
}

/// The text of an atom as the program prints it; an error message if it is none.
pub fn parse_atom(text: &str) -> Result<(String, String, usize), String> {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let fact = format!("{}.", text.trim().trim_end_matches('.'));
    let input = vec![syntax::Input::new("<atom>", fact)];
    let parsed = syntax::parse(input, &mut symbols, &mut sources, &mut NoFiles);
    match (parsed.program.facts.as_slice(), parsed.program.statements.is_empty()) {
        ([fact], true) if parsed.diagnostics.is_empty() => match symbols.view(fact.atom) {
            SymView::Fun { name, args, .. } => {
                Ok((symbols.display(fact.atom), symbols.str(name).to_string(), args.len()))
            }
            _ => Err(format!("`{text}` is no atom")),
        },
        _ => Err(format!("`{text}` is no ground atom; write it as answer sets show it, such as p(1,a)")),
    }
}

/// Finds the atom with a text.
pub fn find(case: &Case, text: &str, name: &str, arity: usize) -> Asked {
    let (program, symbols) = (case.program(), case.symbols());
    let written = |table: &crate::program::AtomTable, atom: AtomId| {
        table.get(atom).is_some_and(|(s, _)| symbols.str(s.name) == name && s.arity as usize == arity) && {
            let mut own = String::new();
            table.write(atom, symbols, &mut own);
            own == text
        }
    };
    if let Some(atom) = program.atoms.ids().find(|&a| written(&program.atoms, a)) {
        return Asked::Atom(atom);
    }
    if program.facts.ids().any(|a| written(&program.facts, a)) {
        return Asked::Fact;
    }
    let heads = case.heads();
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
        return Asked::NoInstance(spans);
    }
    let mut names: Vec<(usize, String)> = heads
        .iter()
        .map(|(n, a, _)| (distance(n, name) + usize::from(*a != arity), format!("{n}/{a}")))
        .collect();
    names.sort();
    names.dedup();
    let near = names.into_iter().filter(|(d, _)| 2 * d <= name.len() + 2).map(|(_, n)| n).take(3);
    Asked::NoPredicate(near.collect())
}

/// Edit distance of two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for j in 1..=b.len() {
            let cost = diagonal + usize::from(b[j - 1] != c);
            diagonal = row[j];
            row[j] = cost.min(row[j - 1] + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// What is the case with a literal.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// It holds in every answer set; why.
    Always(Node),
    /// It holds in some answer sets and not in others; why in one where it does, which is given by atom.
    Sometimes(Node, Vec<bool>),
    /// It holds in no answer set; why.
    Never(Node),
    /// There is no answer set at all.
    NoAnswerSet,
    /// Nobody knows.
    Stopped(StopReason),
}

/// Why a literal holds or does not.
pub fn why(case: &Case, literal: Literal) -> Result<Answer, Error> {
    let mut oracle = case.oracle()?;
    let assumptions = case.assumptions();
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
        (Some(_), None) => Answer::Always(forced(case, literal)?),
        (None, Some(_)) => Answer::Never(forced(case, !literal)?),
        (Some(model), Some(_)) => {
            let node = if literal.is_neg() {
                absent(case, literal.atom(), &model)
            } else {
                derivation(case, literal.atom(), &model)
            };
            Answer::Sometimes(node, model)
        }
    })
}

/// The steps that force a literal.
fn forced(case: &Case, literal: Literal) -> Result<Node, Error> {
    let interrupt = case.control.interrupt();
    let items = case.items();
    let inference = Inference::new(&items, case.symbols());
    let mut k = inference.start(&case.assumptions());
    let enough = |k: &Knowledge| k.value(literal).is_some();
    let mut clash = inference.run(&mut k, &interrupt, &enough).is_some();
    let mut story = Story::new(case, &inference);
    if !clash && !enough(&k) {
        if let Some((contradiction, because)) = inference.refute(&k, !literal, &interrupt) {
            let cause = Cause::Refuted(Box::new(contradiction));
            inference.learn(&mut k, Step { literal, cause, because, round: 0 });
        }
    }
    while !clash && !enough(&k) && inference.try_open(&mut k, &interrupt) {
        clash = inference.run(&mut k, &interrupt, &enough).is_some();
    }
    if k.value(literal) == Some(true) {
        return Ok(story.literal(literal, &k));
    }
    together(case, literal)
}

/// Ground rules that together leave no other way than a literal.
fn together(case: &Case, literal: Literal) -> Result<Node, Error> {
    let interrupt = case.control.interrupt();
    let words = Words::new(case);
    let scope = Scope { grain: Grain::Instance, only: None, rules: false };
    let (program, switches) = relax::relax(case, &scope);
    let mut oracle = super::case::Oracle::new(program, case.symbols(), interrupt.clone())?;
    let mut soft: Vec<Literal> = switches.iter().map(|s| s.literal).collect();
    soft.extend(case.assumptions());
    let of_literal: Map<Literal, usize> = switches.iter().enumerate().map(|(i, s)| (s.literal, i)).collect();
    let mut node = Node::new(words.literal(literal));
    node.reason = "these together leave no other way".into();
    if let Cored::Impossible(core) = cores::find(&mut oracle, &[!literal], &soft, &interrupt, &mut |_| {}) {
        let facts: Map<AtomId, Span> = case.facts.iter().copied().collect();
        for &l in core.literals.iter().take(MANY) {
            node.children.push(match of_literal.get(&l) {
                Some(&i) => {
                    let origin = switches[i].origins[0];
                    Node { place: words.place(origin), ..Node::new(words.demand(origin)) }
                }
                None => Node {
                    reason: "fact".into(),
                    place: facts.get(&l.atom()).and_then(|&s| words.place_of(s)),
                    ..Node::new(words.literal(l))
                },
            });
        }
        if core.literals.len() > MANY {
            node.children.push(Node::new(format!("... and {} more", core.literals.len() - MANY)));
        }
    }
    Ok(node)
}

/// A derivation in an answer set.
struct Derivation<'a> {
    case: &'a Case,
    words: Words<'a>,
    items: Items,
    given: Map<AtomId, Span>,
    model: &'a [bool],
    /// By atom: in which round it is founded.
    stage: Vec<u32>,
    told: Set<AtomId>,
}

/// Why an atom holds in an answer set.
pub fn derivation(case: &Case, atom: AtomId, model: &[bool]) -> Node {
    let items = case.items();
    let given = case.facts.iter().rev().copied().collect();
    let mut d = Derivation {
        case,
        words: Words::new(case),
        items,
        given,
        model,
        stage: Vec::new(),
        told: Set::default(),
    };
    d.order();
    d.tell(atom, 0)
}

impl Derivation<'_> {
    /// Truth by atom with only atoms of earlier stages known to hold.
    fn values(&self, before: u32) -> Vec<Option<bool>> {
        let value = |(a, &stage): (usize, &u32)| match self.model[a] {
            false => Some(false),
            true => (stage < before).then_some(true),
        };
        self.stage.iter().enumerate().map(value).collect()
    }

    fn order(&mut self) {
        let n = self.case.program().atoms.len();
        self.stage = vec![u32::MAX; n];
        let mut defined: Vec<bool> = vec![false; n];
        self.case.program().definitions.iter().for_each(|d| defined[d.atom.0 as usize] = true);
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
                let holds = |s: &Support| s.body.truth(&values, self.case.symbols()) == Some(true);
                let founded = if is_defined {
                    self.meaning(AtomId(a as u32))
                        .is_some_and(|f| f.truth(&values, self.case.symbols()) == Some(true))
                } else {
                    self.items.supports[a].iter().any(holds)
                };
                if founded {
                    self.stage[a] = round;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// What an auxiliary atom stands for.
    fn meaning(&self, atom: AtomId) -> Option<super::formula::Formula> {
        let d = self.case.program().definitions.iter().find(|d| d.atom == atom)?;
        Some(super::items::definition(&d.definition, self.case.program(), self.case.symbols()))
    }

    fn tell(&mut self, atom: AtomId, depth: usize) -> Node {
        let text = self.words.atom(atom);
        if let Some(&span) = self.given.get(&atom) {
            return Node {
                text,
                reason: "fact".into(),
                place: self.words.place_of(span),
                children: Vec::new(),
            };
        }
        if !self.told.insert(atom) {
            return Node { text, reason: "told already".into(), ..Node::default() };
        }
        if depth >= MAX_DEPTH {
            return Node { text, reason: "...".into(), ..Node::default() };
        }
        let stage = self.stage[atom.0 as usize];
        let values = self.values(stage);
        let symbols = self.case.symbols();
        let holds = |s: &&Support| s.body.truth(&values, symbols) == Some(true);
        if let Some(support) = self.items.supports[atom.0 as usize].iter().find(holds) {
            let (origin, choice) = (support.origin, support.choice);
            let because = self.enough(&support.body, &values);
            let place = self.words.place(origin);
            let reason = if choice { "chosen" } else { "by this rule" };
            let children = because.iter().map(|&l| self.leaf_or(l, depth)).collect();
            return Node { text, reason: reason.into(), place, children };
        }
        if let Some(meaning) = self.meaning(atom) {
            let because = self.enough(&meaning, &values);
            let children = because.iter().map(|&l| self.leaf_or(l, depth)).collect();
            return Node { text, reason: String::new(), place: None, children };
        }
        Node { text, reason: "given from outside".into(), ..Node::default() }
    }

    fn leaf_or(&mut self, literal: Literal, depth: usize) -> Node {
        if literal.is_neg() {
            return Node {
                text: self.words.literal(literal),
                reason: "does not hold".into(),
                ..Node::default()
            };
        }
        self.tell(literal.atom(), depth + 1)
    }

    /// Literals that make a formula true; none can be left out.
    fn enough(&self, formula: &super::formula::Formula, values: &[Option<bool>]) -> Vec<Literal> {
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
            if value.is_some() && formula.truth(&values, self.case.symbols()) != Some(true) {
                values[a.0 as usize] = value;
                because.push(Literal::new(a, value == Some(false)));
            }
        }
        because.reverse();
        because
    }
}

/// Why an atom does not hold in an answer set: what keeps each of its rules from deriving it.
pub fn absent(case: &Case, atom: AtomId, model: &[bool]) -> Node {
    let (words, items) = (Words::new(case), case.items());
    let values: Vec<Option<bool>> = model.iter().map(|&m| Some(m)).collect();
    let mut node = Node::new(format!("not {}", words.atom(atom)));
    let supports = &items.supports[atom.0 as usize];
    node.reason = match supports.len() {
        0 => "no rule derives it".into(),
        _ => "none of these derives it".into(),
    };
    for support in supports {
        let holds = support.body.truth(&values, case.symbols()) == Some(true);
        let text = if holds {
            "it could be chosen here, and is not".to_string()
        } else {
            let mut missing: Vec<Literal> = Vec::new();
            support.body.for_each(&mut |l| {
                if super::formula::value(l, &values) == Some(false) && !missing.contains(&l) {
                    missing.push(l);
                }
            });
            let missing: Vec<String> = missing.iter().map(|&l| words.literal(l)).collect();
            match missing.len() {
                0 => "its body does not hold".to_string(),
                1 => format!("{} does not hold", missing[0]),
                _ => format!("{} do not hold", and(&missing)),
            }
        };
        node.children.push(Node { place: words.place(support.origin), ..Node::new(text) });
    }
    node
}
