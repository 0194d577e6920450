//! What inference knows: literals in the order in which they became known, each with its reason.
//!
//! Invariant: a step depends on earlier steps only.

use std::rc::Rc;

use crate::inquiry::formula::value;
use crate::tree::Node;
use asp_base::map::Set;
use asp_program::{AtomId, Literal};

/// Why a literal is known.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Cause {
    /// Assumed from the start.
    Assumed,
    /// Tried in order to be refuted.
    Tried,
    /// Forced by an item, by index.
    Item(u32),
    /// One of a set of atoms that only support each other.
    Unfounded(Vec<AtomId>),
    /// The opposite was tried: these steps lead to a contradiction.
    Refuted(Rc<Contradiction>),
    /// Shown by the solver, with an explanation.
    Searched(Rc<Node>),
    /// Not recorded, because only clashes matter.
    Unnoted,
}

/// A literal that became known.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Deduction {
    /// What became known.
    pub literal: Literal,
    /// Why.
    pub cause: Cause,
    /// What it depends on, all known before.
    pub because: Vec<Literal>,
    /// The round in which it was found.
    pub round: u32,
}

impl Deduction {
    /// A step whose reason does not matter.
    pub(super) fn unnoted(literal: Literal, round: u32) -> Self {
        Self { literal, cause: Cause::Unnoted, because: Vec::new(), round }
    }
    /// How many steps it takes by itself.
    pub(crate) fn effort(&self) -> usize {
        match &self.cause {
            Cause::Refuted(c) => 1 + c.steps.len(),
            Cause::Searched(why) => 1 + why.children.len(),
            _ => 1,
        }
    }
}

/// An item that can no longer hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Clash {
    /// The item, by index; `None` for atoms that must hold but only support each other.
    pub item: Option<u32>,
    /// The literals that break it.
    pub because: Vec<Literal>,
}

/// A trial: the literal tried, the steps from there, and the clash that they lead to.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Contradiction {
    /// Steps in order, the tried literal first.
    pub steps: Vec<Deduction>,
    pub clash: Clash,
}

/// The step of an unknown atom.
pub(super) const NOWHERE: u32 = u32::MAX;

/// What is known so far.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// By atom: its truth, if known.
    pub values: Vec<Option<bool>>,
    /// Steps in order.
    pub(crate) steps: Vec<Deduction>,
    /// By atom: the number of its step.
    pub(super) step_of: Vec<u32>,
    pub(super) round: u32,
    /// Items to examine.
    pub(super) queue: Vec<u32>,
    /// Whether reasons are left out, because only clashes matter.
    pub(super) quick: bool,
    /// By item: whether it may be used; `None` if all may.
    pub(super) allowed: Option<Rc<Vec<bool>>>,
}

impl Knowledge {
    /// The same, noting no reasons from now on.
    pub(crate) fn without_reasons(mut self) -> Self {
        self.quick = true;
        self
    }
    /// A copy to try a literal on; of reasons, only assumptions matter there.
    pub(super) fn guess(&self) -> Self {
        let bare = |s: &Deduction| Deduction {
            literal: s.literal,
            cause: if s.cause == Cause::Assumed { Cause::Assumed } else { Cause::Unnoted },
            because: Vec::new(),
            round: s.round,
        };
        Self {
            values: self.values.clone(),
            steps: self.steps.iter().map(bare).collect(),
            step_of: self.step_of.clone(),
            round: self.round,
            queue: Vec::new(),
            quick: true,
            allowed: self.allowed.clone(),
        }
    }
    /// The step at which an atom became known.
    pub(crate) fn step(&self, atom: AtomId) -> Option<&Deduction> {
        self.steps.get(self.index(atom)?)
    }
    /// The number of the step at which an atom became known.
    pub(crate) fn index(&self, atom: AtomId) -> Option<usize> {
        let at = *self.step_of.get(atom.0 as usize)?;
        (at != NOWHERE).then_some(at as usize)
    }
    /// The value of a literal.
    pub(crate) fn value(&self, literal: Literal) -> Option<bool> {
        value(literal, &self.values)
    }

    /// The facts whose opposite the steps to some literals name: such steps are sound without these facts only.
    pub fn denied(&self, roots: &[Literal], facts: &[Literal]) -> Vec<Literal> {
        let mut named: Set<Literal> = Set::default();
        for step in self.chain(roots, &|_| false).into_iter().map(|at| &self.steps[at]) {
            named.insert(step.literal);
            if let Cause::Refuted(contradiction) = &step.cause {
                named.extend(contradiction.steps.iter().map(|inner| inner.literal));
            }
        }
        facts.iter().copied().filter(|&fact| named.contains(&!fact)).collect()
    }

    /// The steps that some literals depend on, in order, back to steps for which `stop` holds.
    pub(crate) fn chain(&self, roots: &[Literal], stop: &dyn Fn(usize) -> bool) -> Vec<usize> {
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
