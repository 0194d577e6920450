//! Step-by-step inference over a program's items, as a person would do it, each step with its reason.
//!
//! Rounds: all that follows from what was known before the round is found, then known for the next; so a literal is
//! found with as few rounds as possible. When nothing follows any more, sets of atoms that only support each other are
//! false. A reason is minimal: without any of its literals the item would not force the step.
//! Invariant: what is inferred holds in every answer set in which the assumptions hold.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::formula::{Formula, value};
use super::items::{Items, Origin};
use super::tree::Node;
use crate::base::interrupt::Interrupt;
use crate::base::map::Map;
use crate::base::symbol::Symbols;
use crate::explain::recursion;
use crate::program::{AtomId, Literal};

/// Why a literal is known.
#[derive(Clone, PartialEq, Debug)]
pub enum Cause {
    /// Assumed from the start.
    Assumed,
    /// Tried, to be refuted.
    Tried,
    /// Forced by an item, by index.
    Item(u32),
    /// One of a set of atoms that only support each other.
    Unfounded(Vec<AtomId>),
    /// The opposite was tried: these steps lead to a contradiction.
    Refuted(Rc<Contradiction>),
    /// Shown by the solver; why, in words.
    Searched(Rc<Node>),
    /// Not noted, because only clashes matter.
    Unnoted,
}

/// A literal that became known.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// What is known from now on.
    pub literal: Literal,
    /// Why.
    pub cause: Cause,
    /// What it rests on, all known before.
    pub because: Vec<Literal>,
    /// The round in which it was found.
    pub round: u32,
}

impl Step {
    /// How many steps it takes by itself.
    pub fn effort(&self) -> usize {
        match &self.cause {
            Cause::Refuted(c) => 1 + c.steps.len(),
            Cause::Searched(why) => 1 + why.children.len(),
            _ => 1,
        }
    }
}

/// An item that cannot hold any more.
#[derive(Clone, PartialEq, Debug)]
pub struct Clash {
    /// The item, by index; none for atoms that must hold but only support each other.
    pub item: Option<u32>,
    /// The literals that break it.
    pub because: Vec<Literal>,
}

/// What was tried, the steps from there, and the clash at their end.
#[derive(Clone, PartialEq, Debug)]
pub struct Contradiction {
    /// Steps in order, the tried literal first.
    pub steps: Vec<Step>,
    /// Their end.
    pub clash: Clash,
}

const NOWHERE: u32 = u32::MAX;

/// What is known so far.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// By atom.
    pub values: Vec<Option<bool>>,
    /// Steps in order.
    pub steps: Vec<Step>,
    /// By atom: its step.
    step_of: Vec<u32>,
    round: u32,
    /// Items to look at.
    queue: Vec<u32>,
    /// Whether reasons are left out: it only matters whether there is a clash.
    quick: bool,
    /// By item: whether it may be used; `None`: all may.
    allowed: Option<Rc<Vec<bool>>>,
}

impl Knowledge {
    /// The step at which an atom became known.
    pub fn step(&self, atom: AtomId) -> Option<&Step> {
        self.steps.get(self.index(atom)?)
    }
    /// The number of the step at which an atom became known.
    pub fn index(&self, atom: AtomId) -> Option<usize> {
        let at = *self.step_of.get(atom.0 as usize)?;
        (at != NOWHERE).then_some(at as usize)
    }
    /// The value of a literal.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        value(literal, &self.values)
    }

    /// The steps that some literals rest on, in order, back to literals for which `stop` holds.
    pub fn chain(&self, roots: &[Literal], stop: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut open: Vec<usize> = roots.iter().filter_map(|l| self.index(l.atom())).collect();
        let mut found: Vec<usize> = Vec::new();
        let mut seen = vec![false; self.steps.len()];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) || stop(at) {
                continue;
            }
            found.push(at);
            open.extend(self.steps[at].because.iter().filter_map(|l| self.index(l.atom())));
        }
        found.sort_unstable();
        found
    }
}

/// The inference engine for a program's items.
pub struct Inference<'a> {
    items: &'a Items,
    symbols: &'a Symbols,
    /// By atom: items that mention it.
    uses: Vec<Vec<u32>>,
    /// By atom: whether it may support itself.
    recursive: Vec<bool>,
    /// By atom; nothing between uses.
    scratch: RefCell<Vec<Option<bool>>>,
    /// Items looked at so far.
    work: Cell<u64>,
}

/// Work after which trying is given up: a second or two.
pub const TRYING: u64 = 6_000_000;
/// The most open atoms that are tried at once.
const MOST_TRIED: usize = 1000;
/// After so many tries, so many refutations are enough for once.
const SOME_TRIED: usize = 300;
const SOME_LEARNED: usize = 30;
/// Reasons compared for one literal in a round.
const ALTERNATIVES: usize = 4;

impl<'a> Inference<'a> {
    /// An engine for some items.
    pub fn new(items: &'a Items, symbols: &'a Symbols) -> Self {
        let mut uses = vec![Vec::new(); items.supports.len()];
        for (i, item) in items.list.iter().enumerate() {
            item.formula.for_each(&mut |l| {
                let uses: &mut Vec<u32> = &mut uses[l.atom().0 as usize];
                if uses.last() != Some(&(i as u32)) {
                    uses.push(i as u32);
                }
            });
        }
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let mut edge = |a: AtomId, f: &Formula| {
            f.for_each(&mut |l| {
                if !l.is_neg() {
                    edges.push((a.0, l.atom().0));
                }
            })
        };
        for (atom, supports) in items.supports.iter().enumerate() {
            supports.iter().for_each(|s| edge(AtomId(atom as u32), &s.body));
        }
        items.meanings.iter().for_each(|(atom, f)| edge(*atom, f));
        let recursive = recursion::recursive(uses.len(), &edges, &|_| false);
        let scratch = RefCell::new(vec![None; uses.len()]);
        Self { items, symbols, uses, recursive, scratch, work: Cell::new(0) }
    }

    /// How many items were looked at so far: a measure of time that is the same in every run.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// Nothing known but some assumptions, and only some items may be used. Reasons are left out if `quick`.
    pub fn start_with(&self, assumptions: &[Literal], items: &[u32], quick: bool) -> Knowledge {
        let mut allowed = vec![false; self.items.list.len()];
        items.iter().for_each(|&i| allowed[i as usize] = true);
        let mut k = self.start(assumptions);
        k.queue = items.to_vec();
        k.quick = quick;
        k.allowed = Some(Rc::new(allowed));
        k
    }

    /// Where an item comes from.
    pub fn origin(&self, item: u32) -> Origin {
        self.items.list[item as usize].origin
    }

    /// Whether an item is a rule that derives an atom.
    pub fn derives(&self, item: u32, atom: AtomId) -> bool {
        let origin = self.origin(item);
        matches!(origin, Origin::Rule(_))
            && self.items.supports[atom.0 as usize].iter().any(|s| s.origin == origin)
    }

    /// Nothing known but some assumptions.
    pub fn start(&self, assumptions: &[Literal]) -> Knowledge {
        let n = self.uses.len();
        let mut k = Knowledge {
            values: vec![None; n],
            steps: Vec::new(),
            step_of: vec![NOWHERE; n],
            round: 0,
            queue: (0..self.items.list.len() as u32).collect(),
            quick: false,
            allowed: None,
        };
        for &literal in assumptions {
            self.learn(&mut k, Step { literal, cause: Cause::Assumed, because: Vec::new(), round: 0 });
        }
        k
    }

    /// Adds a step, unless its atom is known already.
    pub fn learn(&self, k: &mut Knowledge, step: Step) {
        let atom = step.literal.atom().0 as usize;
        if k.values[atom].is_none() {
            k.values[atom] = Some(!step.literal.is_neg());
            k.step_of[atom] = k.steps.len() as u32;
            k.steps.push(step);
            k.queue.extend_from_slice(&self.uses[atom]);
        }
    }

    /// Infers all there is; ends early at a clash, when `enough` says so after a round, or when interrupted.
    pub fn run(
        &self,
        k: &mut Knowledge,
        interrupt: &Interrupt,
        enough: &dyn Fn(&Knowledge) -> bool,
    ) -> Option<Clash> {
        while interrupt.poll().is_none() {
            if k.queue.is_empty() {
                match self.unfounded(k) {
                    Ok(false) => return None,
                    Ok(true) => continue,
                    Err(clash) => return Some(clash),
                }
            }
            if let Some(clash) = self.round(k) {
                return Some(clash);
            }
            if enough(k) {
                return None;
            }
        }
        None
    }

    fn round(&self, k: &mut Knowledge) -> Option<Clash> {
        k.round += 1;
        let mut queue = std::mem::take(&mut k.queue);
        queue.sort_unstable();
        queue.dedup();
        if let Some(allowed) = &k.allowed {
            queue.retain(|&i| allowed[i as usize]);
        }
        self.work.set(self.work.get() + queue.len() as u64);
        let mut found: Vec<Literal> = Vec::new();
        let mut reasons: Map<Literal, Vec<u32>> = Map::default();
        let mut clash: Option<Clash> = None;
        for &i in &queue {
            let formula = &self.items.list[i as usize].formula;
            match formula.truth(&k.values, self.symbols) {
                Some(true) => {}
                Some(false) => {
                    if k.quick {
                        return Some(Clash { item: Some(i), because: Vec::new() });
                    }
                    let because = self.reason(k, formula, None);
                    if clash.as_ref().is_none_or(|c| self.weight(k, &because) < self.weight(k, &c.because)) {
                        clash = Some(Clash { item: Some(i), because });
                    }
                }
                None => formula.follow(true, &k.values, self.symbols, &mut |l| {
                    let reasons = reasons.entry(l).or_insert_with(|| {
                        found.push(l);
                        Vec::new()
                    });
                    if reasons.len() < ALTERNATIVES && reasons.last() != Some(&i) {
                        reasons.push(i);
                    }
                }),
            }
        }
        if clash.is_some() {
            return clash;
        }
        if k.quick {
            for literal in found {
                let item = reasons[&literal][0];
                self.learn(
                    k,
                    Step { literal, cause: Cause::Item(item), because: Vec::new(), round: k.round },
                );
            }
            return None;
        }
        let steps: Vec<Step> = found
            .iter()
            .filter_map(|&literal| {
                let candidates = reasons[&literal].iter().map(|&i| {
                    let because = self.reason(k, &self.items.list[i as usize].formula, Some(literal));
                    (self.weight(k, &because), i, because)
                });
                let (_, item, because) = candidates.min_by_key(|c| (c.0, c.1))?;
                Some(Step { literal, cause: Cause::Item(item), because, round: k.round })
            })
            .collect();
        for step in steps {
            if k.value(step.literal) == Some(false) {
                // Its opposite was found in this very round; the item fails in the next one.
                continue;
            }
            self.learn(k, step);
        }
        None
    }

    /// How hard a reason is to follow: its literals, and more for what is not given.
    fn weight(&self, k: &Knowledge, because: &[Literal]) -> usize {
        because.iter().map(|l| 1 + k.step(l.atom()).map_or(0, |s| 3 * s.round.min(1000) as usize)).sum()
    }

    /// The literals known that make a formula false once `forced` is false (or at once); none can be left out.
    fn reason(&self, k: &Knowledge, formula: &Formula, forced: Option<Literal>) -> Vec<Literal> {
        let mut scratch = self.scratch.borrow_mut();
        let values = &mut *scratch;
        let mut atoms: Vec<AtomId> = Vec::new();
        formula.for_each(&mut |l| atoms.push(l.atom()));
        atoms.sort_unstable();
        atoms.dedup();
        for a in &atoms {
            values[a.0 as usize] = k.values[a.0 as usize];
        }
        if let Some(l) = forced {
            values[l.atom().0 as usize] = Some(l.is_neg());
            atoms.retain(|&a| a != l.atom());
        }
        atoms.retain(|a| values[a.0 as usize].is_some());
        let used = atoms.clone();
        // What was found last is left out first.
        atoms.sort_by_key(|&a| std::cmp::Reverse(k.index(a)));
        let mut because = Vec::new();
        for a in atoms {
            let value = values[a.0 as usize].take();
            if formula.truth(values, self.symbols) != Some(false) {
                values[a.0 as usize] = value;
                because.push(Literal::new(a, value == Some(false)));
            }
        }
        used.iter().chain(forced.map(Literal::atom).iter()).for_each(|a| values[a.0 as usize] = None);
        because.reverse();
        because
    }

    /// Makes atoms false that only support each other. Tells whether there were any; a clash if one of them must hold.
    fn unfounded(&self, k: &mut Knowledge) -> Result<bool, Clash> {
        let n = self.uses.len();
        let supports = &self.items.supports;
        // Only atoms that may support themselves are judged; what is given, external or defined follows its items.
        let judged = |a: usize| {
            self.recursive[a]
                && !supports[a].is_empty()
                && k.index(AtomId(a as u32)).is_none_or(|s| k.steps[s].cause != Cause::Assumed)
        };
        let mut founded: Vec<bool> = (0..n).map(|a| !judged(a)).collect();
        if founded.iter().all(|&f| f) {
            return Ok(false);
        }
        let mut values: Vec<Option<bool>> =
            (0..n).map(|a| if founded[a] { k.values[a] } else { Some(false) }).collect();
        loop {
            let mut changed = false;
            for a in 0..n {
                if founded[a] || k.values[a] == Some(false) {
                    continue;
                }
                if supports[a].iter().any(|s| self.possible(&s.body, &values, k)) {
                    founded[a] = true;
                    values[a] = k.values[a];
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let set: Vec<AtomId> =
            (0..n).filter(|&a| !founded[a] && k.values[a] != Some(false)).map(|a| AtomId(a as u32)).collect();
        if set.is_empty() {
            return Ok(false);
        }
        let because = if k.quick { Vec::new() } else { self.no_support(k, &set) };
        if let Some(&atom) = set.iter().find(|a| k.values[a.0 as usize] == Some(true)) {
            let mut because = because;
            because.push(Literal::pos(atom));
            return Err(Clash { item: None, because });
        }
        k.round += 1;
        for &atom in &set {
            let (cause, round) = (Cause::Unfounded(set.clone()), k.round);
            self.learn(k, Step { literal: Literal::neg(atom), cause, because: because.clone(), round });
        }
        Ok(true)
    }

    /// Whether a body may hold when atoms not known to be founded are false in it. Negative literals count as they are
    /// known, not as this guess would have them.
    fn possible(&self, body: &Formula, values: &[Option<bool>], k: &Knowledge) -> bool {
        match body {
            Formula::Literal(l) if l.is_neg() => value(*l, &k.values) != Some(false),
            Formula::Literal(l) => values[l.atom().0 as usize] != Some(false),
            Formula::All(parts) => parts.iter().all(|p| self.possible(p, values, k)),
            Formula::Some(parts) => parts.iter().any(|p| self.possible(p, values, k)),
            Formula::Sum { terms, bounds } => {
                // A greater sum by positive weights never hurts a lower bound; other bounds are not judged.
                let lower = bounds.iter().all(|b| {
                    use crate::program::ground_program::Relation::{Greater, GreaterEqual};
                    matches!(b.0, Greater | GreaterEqual)
                });
                if !lower || terms.iter().any(|t| t.0 < 0) {
                    return true;
                }
                let most: i128 =
                    terms.iter().filter(|t| self.possible(&t.1, values, k)).map(|t| i128::from(t.0)).sum();
                bounds.iter().all(|&(relation, n)| relation.holds(most.cmp(&n.into())))
            }
            Formula::Not(_) | Formula::Extreme { .. } => true,
        }
    }

    /// Literals that keep all bodies from outside away from a set of atoms.
    fn no_support(&self, k: &Knowledge, set: &[AtomId]) -> Vec<Literal> {
        let mut because: Vec<Literal> = Vec::new();
        for atom in set {
            for support in &self.items.supports[atom.0 as usize] {
                if support.body.truth(&k.values, self.symbols) != Some(false) {
                    continue;
                }
                // A body that needs an atom of the set is none from outside.
                let mut inside = false;
                support.body.for_each(&mut |l| inside |= !l.is_neg() && set.binary_search(&l.atom()).is_ok());
                let reason = self.reason(k, &support.body, None);
                if !inside && !reason.iter().any(|l| because.contains(l)) {
                    because.extend(reason);
                }
            }
        }
        because.sort_by_key(|l| k.index(l.atom()));
        because.dedup();
        because
    }

    /// Tries open atoms both ways; learns what is refuted, that with the shortest reason first. Tells whether
    /// there was anything. `end` is the work after which it ends.
    pub fn try_all(&self, k: &mut Knowledge, open: &[AtomId], interrupt: &Interrupt, end: u64) -> bool {
        let mut steps: Vec<Step> = Vec::new();
        for (number, &atom) in open.iter().enumerate() {
            if number >= MOST_TRIED || number >= SOME_TRIED && steps.len() >= SOME_LEARNED {
                break;
            }
            for tried in [Literal::pos(atom), Literal::neg(atom)] {
                if interrupt.poll().is_some() || self.work() > end {
                    break;
                }
                if let Some((contradiction, because)) = self.refute(k, tried, interrupt) {
                    let rounds = because.iter().filter_map(|l| Some(k.step(l.atom())?.round));
                    let round = 1 + rounds.max().unwrap_or(0);
                    let cause = Cause::Refuted(Rc::new(contradiction));
                    steps.push(Step { literal: !tried, cause, because, round });
                    break;
                }
            }
        }
        steps.sort_by_key(Step::effort);
        let learned = !steps.is_empty();
        steps.into_iter().for_each(|s| self.learn(k, s));
        learned
    }

    /// Infers and tries in turn until there is a clash or nothing is learned.
    pub fn run_trying(&self, k: &mut Knowledge, interrupt: &Interrupt, end: u64) -> Option<Clash> {
        loop {
            if let Some(clash) = self.run(k, interrupt, &|_| false) {
                return Some(clash);
            }
            if self.work() > end || !self.try_open(k, interrupt, end) {
                return None;
            }
        }
    }

    /// Tries open atoms; whether anything was learned.
    pub fn try_open(&self, k: &mut Knowledge, interrupt: &Interrupt, end: u64) -> bool {
        let open: Vec<AtomId> = (0..self.uses.len() as u32)
            .map(AtomId)
            .filter(|a| k.values[a.0 as usize].is_none() && !self.uses[a.0 as usize].is_empty())
            .collect();
        self.try_all(k, &open, interrupt, end)
    }

    /// Tries a literal; if that leads to a clash, the steps to it, and what known literals they rest on.
    pub fn refute(
        &self,
        k: &Knowledge,
        tried: Literal,
        interrupt: &Interrupt,
    ) -> Option<(Contradiction, Vec<Literal>)> {
        let known = k.steps.len();
        let start = |quick: bool| {
            // Without reasons, of the steps before only what was assumed plays a role.
            let bare = |s: &Step| Step {
                literal: s.literal,
                cause: if s.cause == Cause::Assumed { Cause::Assumed } else { Cause::Unnoted },
                because: Vec::new(),
                round: s.round,
            };
            let steps = if quick { k.steps.iter().map(bare).collect() } else { k.steps.clone() };
            let (values, step_of) = (k.values.clone(), k.step_of.clone());
            let (queue, allowed) = (Vec::new(), k.allowed.clone());
            let mut guess = Knowledge { values, steps, step_of, round: k.round, queue, quick, allowed };
            self.learn(
                &mut guess,
                Step { literal: tried, cause: Cause::Tried, because: Vec::new(), round: k.round },
            );
            guess
        };
        let clash = self.run(&mut start(true), interrupt, &|_| false)?;
        if k.quick {
            return Some((Contradiction { steps: Vec::new(), clash }, Vec::new()));
        }
        let mut guess = start(false);
        let clash = self.run(&mut guess, interrupt, &|_| false)?;
        let chain = guess.chain(&clash.because, &|at| at < known);
        let mut because: Vec<Literal> = Vec::new();
        let steps: Vec<Step> = chain.iter().map(|&at| guess.steps[at].clone()).collect();
        for l in steps.iter().flat_map(|s| &s.because).chain(&clash.because) {
            if guess.index(l.atom()).is_some_and(|at| at < known) && !because.contains(l) {
                because.push(*l);
            }
        }
        Some((Contradiction { steps, clash }, because))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::map::Set;
    use crate::control::Control;
    use crate::explain::items;

    /// Literals inferred, in order; `clash` at the end if there is one.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let mut control = Control::new();
        control.add(text);
        control.ground().expect("it grounds");
        let (program, symbols) = (control.program(), control.symbols());
        let items = items::items(program, symbols, &Set::default());
        let inference = Inference::new(&items, symbols);
        let mut k = inference.start(&[]);
        let clash = inference.run(&mut k, &Interrupt::new(), &|_| false);
        let name = |l: Literal| {
            let mut text = if l.is_neg() { "-".to_string() } else { String::new() };
            program.atoms.write(l.atom(), symbols, &mut text);
            text
        };
        let mut found: Vec<String> = k
            .steps
            .iter()
            .filter(|s| program.atoms.get(s.literal.atom()).is_some())
            .map(|s| name(s.literal))
            .collect();
        if clash.is_some() {
            found.push("clash".into());
        }
        assert_eq!(found.join(" "), expect, "{text}");
    }

    #[test]
    fn inference_by_rounds() {
        check("{a;b;c}. :- a. b :- not a. :- b, not c.", "-a b c");
        check("1 {p(1..3)} 1. :- p(1). :- p(2).", "-p(1) -p(2) p(3)");
        check("{a;b}. c :- a. c :- b. :- not c. :- b.", "c -b a");
        check("{a}. :- a. :- not a.", "-a clash");
        check("{e}. a :- b. b :- a. a :- e. :- e.", "-e -a -b");
        check("{e}. a :- b. b :- a. a :- e. :- e. :- not a.", "-e a b clash");
        check("{p(1..3)}. :- #sum { X : p(X) } < 6.", "p(1) p(2) p(3)");
    }
}
