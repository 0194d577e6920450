//! What is already decided: atoms that hold in every answer set, easiest to see first.
//!
//! Plain inference comes first, then trying one literal at a time, then the solver. Each hint is derived from what is
//! given and the hints before it. Where there is a grid, its cells come before the other shown atoms.
//! Invariant: every hint holds in every answer set.

use std::rc::Rc;

use super::cells::{self, Cells};
use super::count::Possible;
use super::derivation_tree::DerivationTrees;
use super::infer::{Cause, Deduction, Inference, Knowledge, TRYING};
use super::inquiry::items::Origin;
use super::inquiry::relaxed_facts::{Shown, Which};
use super::inquiry::{Inquiry, Oracle, Verdict};
use super::renderer::Renderer;
use super::tree::Node;
use super::unsat_core::CoreFinder;
use super::values::{self, Values};
use asp_base::interrupt::StopReason;
use asp_base::map::Set;
use asp_base::symbol::Sym;
use asp_control::Error;
use asp_program::ground_program::ShowItem;
use asp_program::integers::state::Known;
use asp_program::{AtomId, Literal};

/// How many atoms found by search have their reasons compared.
const MAX_COMPARED: usize = 6;
/// How many conflicts the search for an answer set may take before the first hint.
const MAX_CONFLICTS: u64 = 2000;

/// How a hint is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// By plain inference.
    Inference,
    /// By trying a literal and reaching a contradiction.
    Trial,
    /// By search.
    Search,
}

/// What holds in every answer set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forced {
    /// An atom that holds, or of those that mark cells one that does not.
    Atom(Literal),
    /// An integer variable with its value.
    Value(Sym, i64),
}

impl Forced {
    /// As answer sets show it.
    pub fn text(self, renderer: &Renderer<'_>) -> String {
        match self {
            Forced::Atom(literal) => renderer.name(literal.atom()),
            Forced::Value(name, value) => renderer.value(name, value),
        }
    }

    /// Whether it holds.
    pub fn holds(self) -> bool {
        !matches!(self, Forced::Atom(literal) if literal.is_neg())
    }

    /// In the words of explanations.
    pub fn says(self, renderer: &Renderer<'_>) -> String {
        match self {
            Forced::Atom(literal) => renderer.literal(literal),
            Forced::Value(name, value) => renderer.value(name, value),
        }
    }
}

/// What is forced, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// What holds.
    pub what: Forced,
    /// How it is found.
    pub level: Level,
    /// Number of steps from what was known before.
    pub steps: usize,
    /// Why.
    pub why: Node,
}

/// How the hints end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// As many as were wanted have been given.
    Enough,
    /// There are no more.
    All(Left),
    /// There is no answer set.
    NoAnswerSet,
    /// Stopped.
    Stopped(StopReason),
}

/// What hints leave.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Left {
    /// Shown atoms that are neither forced nor impossible.
    pub open: usize,
    /// Shown atoms that are impossible, though rules could derive them, and not told.
    pub never: usize,
    /// Integer variables with several values.
    pub varying: usize,
    /// Shown terms of which nothing is said, for they look like atoms of the program.
    pub terms: usize,
}

/// How to open a program for hints.
pub fn which() -> Which {
    Which { shown: Shown::All, ..Which::default() }
}

/// The shown atoms that a puzzle asks for: those of the grid if there is one, and not all of it is given.
pub(crate) fn targets(inquiry: &Inquiry) -> Vec<AtomId> {
    let given = inquiry.assumptions();
    let [cells, others] = cells_and_others(inquiry);
    match cells.iter().all(|&atom| given.contains(&Literal::pos(atom))) {
        true => [cells, others].concat(),
        false => cells,
    }
}

/// The shown atoms that are cells of a grid, and the others; if there is no grid, all of them and none.
fn cells_and_others(inquiry: &Inquiry) -> [Vec<AtomId>; 2] {
    let cells = Cells::find(inquiry.program(), inquiry.symbols());
    let all = shown_atoms(inquiry, None);
    let Some(cells) = cells else { return [all, Vec::new()] };
    let cells = shown_atoms(inquiry, Some(&cells));
    let others = all.into_iter().filter(|atom| cells.binary_search(atom).is_err()).collect();
    [cells, others]
}

/// The shown atoms, or those that are cells.
fn shown_atoms(inquiry: &Inquiry, cells: Option<&Cells>) -> Vec<AtomId> {
    let (program, symbols) = (inquiry.program(), inquiry.symbols());
    let mut found: Vec<AtomId> = Vec::new();
    for show in &program.shows {
        let fits = match cells {
            None => true,
            Some(cells) => {
                cells::item(show.item, program, symbols).is_some_and(|i| cells.cell(&i, symbols).is_some())
            }
        };
        if let (ShowItem::Atom(atom), true) = (show.item, fits) {
            found.push(atom);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What plain inference leaves possible; `None` if it finds that there is no answer set.
pub fn possible(inquiry: &Inquiry) -> Option<Possible> {
    let items = inquiry.items();
    let inference = Inference::new(items, inquiry.symbols());
    let mut k = inference.start(&inquiry.assumptions());
    if inference.run(&mut k, &inquiry.control.interrupt(), &|_| false).is_some() {
        return None;
    }
    let program = inquiry.program();
    let open = |l: &Literal| k.value(*l) != Some(false);
    let shown = program
        .shown()
        .map(|(_, item, condition)| !matches!(item, ShowItem::Digit(_)) && condition.iter().all(open));
    let variables = program.integers.variables.iter();
    let domain = |known: &Known| known.domain.bounds().filter(|_| known.shown && known.digits.is_some());
    Some(Possible { shown: shown.collect(), ranges: variables.map(domain).collect() })
}

/// Finds up to `wanted` hints (0: all): atoms, then values of integers.
pub fn hints(inquiry: &Inquiry, wanted: usize, mut receive: impl FnMut(&Hint)) -> Result<End, Error> {
    let mut number = 0;
    let end = hints_of_atoms(inquiry, wanted, |hint| {
        number += 1;
        receive(hint);
    })?;
    let End::All(left) = end else { return Ok(end) };
    let (certain, varying) = match values::certain(inquiry, &mut inquiry.oracle()?) {
        Values::Known(certain, varying) => (certain, varying),
        Values::NoAnswerSet => return Ok(End::NoAnswerSet),
        Values::Stopped(reason) => return Ok(End::Stopped(reason)),
    };
    let renderer = Renderer::new(inquiry);
    for (name, value) in certain {
        let reason = "no answer set has another value".into();
        let why = Node { text: renderer.value(name, value), reason, ..Node::default() };
        receive(&Hint { what: Forced::Value(name, value), level: Level::Search, steps: 1, why });
        number += 1;
        if number == wanted {
            return Ok(End::Enough);
        }
    }
    let is_open = |(_, item, condition): (usize, ShowItem, &[Literal])| {
        item.term().filter(|_| matches!(item, ShowItem::Term(_)) && !condition.is_empty())
    };
    let terms = inquiry.program().shown().filter_map(is_open).collect::<Set<_>>().len();
    Ok(End::All(Left { varying, terms, ..left }))
}

fn hints_of_atoms(inquiry: &Inquiry, wanted: usize, mut receive: impl FnMut(&Hint)) -> Result<End, Error> {
    let interrupt = inquiry.control.interrupt();
    let items = inquiry.items();
    let inference = Inference::new(items, inquiry.symbols());
    let mut trees = DerivationTrees::new(inquiry, &inference);
    let assumptions = inquiry.assumptions();
    let mut k = inference.start(&assumptions);
    let [mut targets, mut others] = cells_and_others(inquiry);
    let mut left = Left::default();
    let mut told: Set<AtomId> = Set::default();
    let marks = |atom: AtomId| inquiry.sayings.get(&atom).is_some_and(|saying| saying.marks);
    let mut number = 0;
    if inference.run(&mut k, &interrupt, &|_| false).is_some() {
        return Ok(End::NoAnswerSet);
    }
    let (mut oracle, mut together) = (inquiry.oracle()?, None);
    // Without an answer set, forced atoms say nothing; often that is found quickly.
    let mut satisfiable = match oracle.ask_within(&assumptions, Some(MAX_CONFLICTS)) {
        Verdict::None(_) => return Ok(End::NoAnswerSet),
        Verdict::Found(_) => true,
        Verdict::Stopped(StopReason::StepLimit) => false,
        Verdict::Stopped(reason) => return Ok(End::Stopped(reason)),
    };
    loop {
        number += tell(
            &k,
            (&targets, &marks),
            &mut told,
            (&inference, &mut trees),
            wanted.saturating_sub(number),
            wanted == 0,
            &mut receive,
        );
        if wanted > 0 && number >= wanted {
            return Ok(End::Enough);
        }
        if let Some(reason) = interrupt.poll() {
            return Ok(End::Stopped(reason));
        }
        let open: Vec<AtomId> =
            targets.iter().copied().filter(|a| k.values[a.0 as usize].is_none()).collect();
        let is_never = |&&a: &&AtomId| {
            k.values[a.0 as usize] == Some(false) && !told.contains(&a) && !is_given(&k, a, &inference)
        };
        let closed = targets.iter().filter(is_never).count();
        let end = inference.work() + TRYING;
        // When nothing more is forced: how many are open.
        let mut exhausted = (open.is_empty() && satisfiable).then_some(0);
        if exhausted.is_none() && !inference.try_all(&mut k, &open, &interrupt, end) {
            match search(&assumptions, &open, &marks, &mut oracle) {
                Searched::Forced(literals) => {
                    let together = match &mut together {
                        Some(together) => together,
                        none => none.insert(CoreFinder::new(inquiry)?),
                    };
                    let value = |a: AtomId| k.values[a.0 as usize].unwrap_or(true);
                    let known: Vec<Literal> = told.iter().map(|&a| Literal::new(a, !value(a))).collect();
                    let reasons = literals.iter().map(|&l| Ok((l, together.why(l, &known)?)));
                    let reasons = reasons.collect::<Result<Vec<_>, Error>>()?;
                    let easiest =
                        reasons.into_iter().min_by_key(|(_, r)| (!r.minimal, r.rules.len() + r.facts.len()));
                    if let Some((literal, reason)) = easiest {
                        let cause = Cause::Searched(Rc::new(reason.node));
                        let because = Vec::new();
                        inference.learn(&mut k, Deduction { literal, cause, because, round: 1000 });
                    }
                }
                Searched::Nothing(undecided) => exhausted = Some(undecided),
                Searched::NoAnswerSet => return Ok(End::NoAnswerSet),
                Searched::Stopped(reason) => return Ok(End::Stopped(reason)),
            }
            satisfiable = true;
        }
        if let Some(undecided) = exhausted {
            left.open += undecided;
            left.never += closed + open.len() - undecided;
            if others.is_empty() {
                return Ok(End::All(left));
            }
            targets = std::mem::take(&mut others);
            continue;
        }
        if inference.run(&mut k, &interrupt, &|_| false).is_some() {
            return Ok(End::NoAnswerSet);
        }
    }
}

/// What the search finds out about open atoms.
enum Searched {
    /// These hold in every answer set: those whose opposites are refuted with the fewest conflicts.
    Forced(Vec<Literal>),
    /// None does; this many hold in some.
    Nothing(usize),
    NoAnswerSet,
    Stopped(StopReason),
}

fn search(
    assumptions: &[Literal],
    open: &[AtomId],
    marks: &dyn Fn(AtomId) -> bool,
    oracle: &mut Oracle,
) -> Searched {
    let model = match oracle.ask(assumptions) {
        Verdict::None(_) => return Searched::NoAnswerSet,
        Verdict::Stopped(reason) => return Searched::Stopped(reason),
        Verdict::Found(model) => model,
    };
    // Atoms that differ between answer sets are not forced.
    let mut differ = vec![false; model.len()];
    let mut forced: Vec<(u64, Literal)> = Vec::new();
    for holds in [true, false] {
        for &atom in open {
            let a = atom.0 as usize;
            if model[a] != holds || differ[a] {
                continue;
            }
            let before = oracle.conflicts();
            match oracle.ask(&[assumptions, &[Literal::new(atom, holds)]].concat()) {
                Verdict::Found(other) => {
                    differ.iter_mut().zip(model.iter().zip(&other)).for_each(|(d, (a, b))| *d |= a != b);
                }
                Verdict::Stopped(reason) => return Searched::Stopped(reason),
                Verdict::None(_) if holds || marks(atom) => {
                    forced.push((oracle.conflicts() - before, Literal::new(atom, !holds)));
                }
                Verdict::None(_) => {}
            }
        }
        forced.sort_unstable();
        if !forced.is_empty() {
            return Searched::Forced(forced.into_iter().take(MAX_COMPARED).map(|f| f.1).collect());
        }
    }
    Searched::Nothing(open.iter().filter(|a| differ[a.0 as usize]).count())
}

/// The level of a chain of steps.
fn level(k: &Knowledge, chain: &[usize]) -> Level {
    let of = |&at: &usize| match k.steps[at].cause {
        Cause::Refuted(_) => Level::Trial,
        Cause::Searched(_) => Level::Search,
        _ => Level::Inference,
    };
    chain.iter().map(of).max().unwrap_or(Level::Inference)
}

/// Whether an atom is a fact, or follows from facts directly by one rule, as a given cell does, or has no rule that facts leave.
fn is_given(k: &Knowledge, atom: AtomId, inference: &Inference<'_>) -> bool {
    let assumed = |l: &Literal| k.step(l.atom()).is_some_and(|s| s.cause == Cause::Assumed);
    k.step(atom).is_some_and(|s| match s.cause {
        Cause::Assumed => true,
        Cause::Item(item) if s.literal.is_neg() => {
            // What rules project facts to is as good as a fact.
            let projected = |l: &Literal| match k.step(l.atom()) {
                Some(Deduction { cause: Cause::Item(item), because, literal, .. }) => {
                    !literal.is_neg() && inference.derives(*item, l.atom()) && because.iter().all(assumed)
                }
                _ => false,
            };
            let known = |l: &Literal| assumed(l) || projected(l);
            matches!(inference.origin(item), Origin::Support(_)) && s.because.iter().all(known)
        }
        Cause::Item(item) => inference.derives(item, atom) && s.because.iter().all(assumed),
        _ => false,
    })
}

/// Reports forced targets, each time the one that takes the fewest steps from what was reported.
fn tell(
    k: &Knowledge,
    (targets, marks): (&[AtomId], &dyn Fn(AtomId) -> bool),
    told: &mut Set<AtomId>,
    (inference, trees): (&Inference<'_>, &mut DerivationTrees<'_>),
    wanted: usize,
    all: bool,
    receive: &mut dyn FnMut(&Hint),
) -> usize {
    let forced = |&a: &AtomId| {
        let value = k.values[a.0 as usize].filter(|&holds| holds || marks(a))?;
        (!told.contains(&a) && !is_given(k, a, inference)).then(|| Literal::new(a, !value))
    };
    let mut left: Vec<Literal> = targets.iter().filter_map(forced).collect();
    let mut number = 0;
    while (all || number < wanted) && !left.is_empty() {
        let mut best: Option<(Level, usize, usize, usize)> = None;
        for (i, &literal) in left.iter().enumerate() {
            let known = |at: usize| {
                told.contains(&k.steps[at].literal.atom())
                    || is_given(k, k.steps[at].literal.atom(), inference)
            };
            let chain = k.chain(&[literal], &known);
            let steps: usize = chain.iter().map(|&at| k.steps[at].effort()).sum();
            let key = (level(k, &chain), steps, k.index(literal.atom()).unwrap_or(0), i);
            if best.is_none_or(|b| key < b) {
                best = Some(key);
            }
        }
        let Some((level, steps, _, i)) = best else { break };
        let literal = left.remove(i);
        let why = trees.literal(literal, k);
        trees.make_known(literal);
        told.insert(literal.atom());
        receive(&Hint { what: Forced::Atom(literal), level, steps, why });
        number += 1;
    }
    number
}
