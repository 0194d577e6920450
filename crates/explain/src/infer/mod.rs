//! Step-by-step inference over a program's items, as a person would do it, each step with its reason.
//!
//! In each round, everything that follows from what was known before the round is found, and becomes known for the
//! next; so a literal is found in the fewest possible rounds. When nothing follows any more, sets of atoms that only
//! support each other become false. A reason is minimal: without any of its literals the item would not force the step.
//! Invariant: what is inferred holds in every answer set in which the assumptions hold.

mod knowledge;
mod round;
mod trial;
mod unfounded;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::inquiry::formula::Formula;
use super::inquiry::items::{Items, Origin};
use super::recursion;
use asp_base::interrupt::Interrupt;
use asp_base::symbol::Symbols;
use asp_program::{AtomId, Literal};
use knowledge::NOWHERE;
pub(crate) use knowledge::{Cause, Clash, Contradiction, Deduction, Knowledge};

/// Work after which trials end: a second or two.
pub const TRYING: u64 = 6_000_000;

/// The inference engine for a program's items.
pub struct Inference<'a> {
    items: &'a Items,
    symbols: &'a Symbols,
    /// By atom: items that mention it.
    uses: Vec<Vec<u32>>,
    /// By atom: whether it may support itself.
    recursive: Vec<bool>,
    /// By atom; all `None` between uses.
    scratch: RefCell<Vec<Option<bool>>>,
    /// Items examined so far.
    work: Cell<u64>,
}

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

    /// The number of items examined so far: a measure of time that is the same in every run.
    pub(crate) fn work(&self) -> u64 {
        self.work.get()
    }

    /// Knowledge of some assumptions, to be extended by some items only. Reasons are left out if `quick`.
    pub(crate) fn start_with(&self, assumptions: &[Literal], items: &[u32], quick: bool) -> Knowledge {
        let mut allowed = vec![false; self.items.list.len()];
        items.iter().for_each(|&i| allowed[i as usize] = true);
        let mut k = self.start(assumptions);
        k.queue = items.to_vec();
        k.quick = quick;
        k.allowed = Some(Rc::new(allowed));
        k
    }

    /// Where an item comes from.
    pub(crate) fn origin(&self, item: u32) -> Origin {
        self.items.list[item as usize].origin
    }

    /// Whether an item is a rule that derives an atom.
    pub(crate) fn derives(&self, item: u32, atom: AtomId) -> bool {
        let origin = self.origin(item);
        matches!(origin, Origin::Rule(_))
            && self.items.supports[atom.0 as usize].iter().any(|s| s.origin == origin)
    }

    /// Knowledge of some assumptions.
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
            self.learn(&mut k, Deduction { literal, cause: Cause::Assumed, because: Vec::new(), round: 0 });
        }
        k
    }

    /// Adds a step, unless its atom is already known.
    pub(crate) fn learn(&self, k: &mut Knowledge, step: Deduction) {
        let atom = step.literal.atom().0 as usize;
        if k.values[atom].is_none() {
            k.values[atom] = Some(!step.literal.is_neg());
            k.step_of[atom] = k.steps.len() as u32;
            k.steps.push(step);
            k.queue.extend_from_slice(&self.uses[atom]);
        }
    }

    /// Infers all that follows; ends early at a clash, when `enough` holds after a round, or when interrupted.
    pub(crate) fn run(
        &self,
        k: &mut Knowledge,
        interrupt: &Interrupt,
        enough: &dyn Fn(&Knowledge) -> bool,
    ) -> Option<Clash> {
        while interrupt.poll().is_none() {
            if k.queue.is_empty() {
                match self.unfounded(k, interrupt) {
                    Ok(false) => return None,
                    Ok(true) => continue,
                    Err(clash) => return Some(clash),
                }
            }
            if let Some(clash) = self.round(k, interrupt) {
                return Some(clash);
            }
            if enough(k) {
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inquiry::items;
    use asp_base::map::Set;
    use asp_control::Control;

    /// Compares the inferred literals, in order, with `clash` at the end if there is one.
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

    /// An external atom that only itself would support stays external.
    #[test]
    fn external_atoms_under_their_own_condition() {
        check("#external b. [true] 1 {b:b}.", "b");
        check("#external b. [true] {b:b; c} >= 1.", "b");
        check("#external b. [false] {b:b; c} >= 1.", "-b c");
        check("#external b. [true] {a}. {b:b,a; c} >= 1.", "b");
    }

    /// Atoms of one disjunction that derive each other can be reasons for each other.
    #[test]
    fn disjunctions_in_a_positive_cycle() {
        check("a | b. a :- b. b :- a.", "");
        check("a | b. a :- b. b :- a. :- not a. :- not b.", "a b");
        check("a | b | c. a :- b. b :- a. {e}. :- not e. c :- e.", "e c -a -b");
        check("a | b | c. a :- b. b :- a. {e}. :- not e. c :- e. :- not a.", "e a b c clash");
    }
}
