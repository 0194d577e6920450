//! What calls have found of atoms, as symbolic atoms show it: those that cannot hold any more are gone, those that always hold
//! are facts.
//!
//! Invariant: an atom that is gone is back once something grounded later derives it. The ground program stays as it is.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use asp::KnownAtom;
use asp::backend::{AtomId, ExternalValue};
use asp::program::Program;

use super::{Control, lock};

/// What was found of an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    Nothing,
    Holds,
    Never,
}

/// What the last clean-up has found.
#[derive(Default)]
pub struct Cleaned {
    /// By atom.
    found: Vec<Found>,
    /// Whether there is no answer set: then facts are gone, too.
    nothing_left: bool,
    /// How many rules, head aggregates, disjunctions and values of externals it has seen.
    seen: Extent,
    /// How many there were at a call since.
    called: Option<Extent>,
}

impl Cleaned {
    /// Whether an atom is gone.
    pub fn is_gone(&self, known: &KnownAtom<'_>) -> bool {
        match known.atom {
            Some(atom) if !known.is_fact => self.found.get(atom.0 as usize) == Some(&Found::Never),
            _ => self.nothing_left,
        }
    }
    /// Whether an atom holds in all answer sets.
    pub fn is_fact(&self, known: &KnownAtom<'_>) -> bool {
        let found = known.atom.and_then(|atom| self.found.get(atom.0 as usize));
        known.is_fact || found == Some(&Found::Holds)
    }
    /// Whether it has found nothing.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && !self.nothing_left
    }
    /// What has been grounded since derives atoms, or declares them as external.
    fn see(&mut self, program: &Program) {
        let from = std::mem::replace(&mut self.seen, extent(program));
        if self.found.is_empty() {
            return;
        }
        let declared =
            program.externals[from[3]..].iter().filter(|external| external.1 != ExternalValue::Release);
        for atom in derived(program, from).chain(declared.map(|external| external.0)) {
            if let Some(found) = self.found.get_mut(atom.0 as usize).filter(|found| **found == Found::Never) {
                *found = Found::Nothing;
            }
        }
    }
}

/// How many rules, head aggregates, disjunctions and values of externals a program has.
type Extent = [usize; 4];

/// The atoms that rules, head aggregates and disjunctions from the given numbers on derive.
fn derived(program: &Program, [rules, heads, disjunctions, _]: Extent) -> impl Iterator<Item = AtomId> + '_ {
    let plain = program.rules.iter().skip(rules).flat_map(|rule| rule.head.atoms().iter().copied());
    let chosen = program.head_aggregates[heads..].iter().flat_map(|h| &h.elements).filter_map(|e| e.atom);
    let disjuncts = program.disjunctions[disjunctions..].iter().flat_map(|d| &d.elements);
    plain.chain(chosen).chain(disjuncts.flat_map(|e| program.literals(e.head)).map(|l| l.atom()))
}

fn extent(program: &Program) -> Extent {
    let [rules, heads] = [program.rules.len(), program.head_aggregates.len()];
    [rules, heads, program.disjunctions.len(), program.externals.len()]
}

/// Atoms without rules that were released before a call.
fn released(program: &Program, [.., externals]: Extent) -> BTreeSet<AtomId> {
    let values =
        program.externals[..externals].iter().filter(|external| external.1 == ExternalValue::Release);
    let mut released: BTreeSet<AtomId> = values.map(|external| external.0).collect();
    if !released.is_empty() {
        for atom in derived(program, Extent::default()) {
            released.remove(&atom);
        }
    }
    released
}

/// Atoms without rules that are gone may be declared as external later, as atoms that no step has had.
fn reopen(found: &[Found], inner: &mut asp::Control) {
    let program = inner.program();
    let is_gone = |atom: &AtomId| found.get(atom.0 as usize) == Some(&Found::Never);
    let mut gone: BTreeSet<AtomId> = program.atoms.ids().filter(is_gone).collect();
    if gone.is_empty() {
        return;
    }
    for atom in derived(program, Extent::default()) {
        gone.remove(&atom);
    }
    gone.into_iter().for_each(|atom| inner.reopen_external(atom));
}

impl Control {
    /// Takes over what calls have found since the last clean-up.
    pub fn clean_up(&self, inner: &mut asp::Control) {
        let mut cleaned = lock(&self.known.cleaned);
        let Some(called) = cleaned.called.take() else { return cleaned.see(inner.program()) };
        cleaned.nothing_left |= inner.is_conflicting();
        let externals = inner.as_ground().externals();
        let released = released(inner.program(), called);
        // Those that were external at the call are there until the next one.
        let since = inner.program().externals[called[3]..].iter();
        let let_go: BTreeSet<AtomId> = since
            .filter(|external| external.1 == ExternalValue::Release)
            .map(|external| external.0)
            .collect();
        let find = |at: usize| {
            let atom = AtomId(at as u32);
            let is_external = || externals.binary_search(&atom).is_ok() || let_go.contains(&atom);
            match inner.fixed(atom) {
                _ if cleaned.nothing_left && !is_external() => Found::Never,
                None if released.contains(&atom) => Found::Never,
                Some(value) if !is_external() => {
                    if value {
                        Found::Holds
                    } else {
                        Found::Never
                    }
                }
                _ => Found::Nothing,
            }
        };
        let found = (0..inner.program().atoms.len()).map(find).collect();
        (cleaned.found, cleaned.seen) = (found, called);
        cleaned.see(inner.program());
        reopen(&cleaned.found, inner);
        self.known.has_cleaned.store(!cleaned.is_empty(), Ordering::Relaxed);
    }

    /// Notes that a call has ended.
    pub fn note_end(&self, inner: &asp::Control) {
        lock(&self.known.cleaned).called = Some(extent(inner.program()));
    }

    /// Notes what a step that has been grounded derives.
    pub fn note_step(&self, inner: &asp::Control) {
        lock(&self.known.cleaned).see(inner.program());
    }
}
