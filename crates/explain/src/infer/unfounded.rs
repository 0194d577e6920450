//! Atoms that only support each other are false.
//!
//! A set of atoms is unfounded if each rule with one of them in its head has a body that is false or contains one of
//! them, or another atom in its head, outside the set, that holds (N. Leone, P. Rullo, F. Scarcello, *Disjunctive
//! stable models*, 1997). Invariant: only atoms that may support themselves are examined; items determine given,
//! external and defined atoms.

use super::Inference;
use super::knowledge::{Cause, Clash, Deduction, Knowledge};
use crate::inquiry::formula::{Formula, value};
use crate::inquiry::items::Support;
use asp_base::interrupt::Interrupt;
use asp_program::{AtomId, Literal};

impl Inference<'_> {
    /// Makes atoms false that only support each other. Returns whether there were any; a clash if one of them must
    /// hold.
    pub(super) fn unfounded(&self, k: &mut Knowledge, interrupt: &Interrupt) -> Result<bool, Clash> {
        let n = self.uses.len();
        let supports = &self.items.supports;
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
                if interrupt.poll().is_some() {
                    return Ok(false);
                }
                if founded[a] || k.values[a] == Some(false) {
                    continue;
                }
                if supports[a].iter().any(|s| self.is_open(s, &founded, &values, k)) {
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
        let because = if k.quick { Vec::new() } else { self.no_support(k, &set, interrupt) };
        if let Some(&atom) = set.iter().find(|a| k.values[a.0 as usize] == Some(true)) {
            let mut because = because;
            because.push(Literal::pos(atom));
            return Err(Clash { item: None, because });
        }
        k.round += 1;
        for &atom in &set {
            let (cause, round) = (Cause::Unfounded(set.clone()), k.round);
            self.learn(k, Deduction { literal: Literal::neg(atom), cause, because: because.clone(), round });
        }
        Ok(true)
    }

    /// Whether a rule may be a reason for an atom from outside the atoms not known to be founded.
    fn is_open(&self, support: &Support, founded: &[bool], values: &[Option<bool>], k: &Knowledge) -> bool {
        let blocks = |a: &AtomId| founded[a.0 as usize] && k.values[a.0 as usize] == Some(true);
        !support.others.iter().any(blocks) && self.possible(&support.body, values, k)
    }

    /// Whether a body may hold if atoms not known to be founded are false. Negative literals are evaluated by what is
    /// known, not under this assumption.
    fn possible(&self, body: &Formula, values: &[Option<bool>], k: &Knowledge) -> bool {
        match body {
            Formula::Literal(l) if l.is_neg() => value(*l, &k.values) != Some(false),
            Formula::Literal(l) => values[l.atom().0 as usize] != Some(false),
            Formula::All(parts) => parts.iter().all(|p| self.possible(p, values, k)),
            Formula::Some(parts) => parts.iter().any(|p| self.possible(p, values, k)),
            Formula::Sum { terms, bounds } => {
                // With positive weights, more terms never violate a lower bound; other bounds are not examined.
                let lower = bounds.iter().all(|b| {
                    use asp_program::ground_program::Relation::{Greater, GreaterEqual};
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

    /// Literals that falsify all rules from outside for a set of atoms.
    fn no_support(&self, k: &Knowledge, set: &[AtomId], interrupt: &Interrupt) -> Vec<Literal> {
        let mut because: Vec<Literal> = Vec::new();
        for atom in set {
            for support in &self.items.supports[atom.0 as usize] {
                let in_set = |a: &AtomId| set.binary_search(a).is_ok();
                if support.body.truth(&k.values, self.symbols) != Some(false) {
                    let blocks = |a: &&AtomId| k.values[a.0 as usize] == Some(true) && !in_set(a);
                    let other = support.others.iter().find(blocks).map(|&a| Literal::pos(a));
                    because.extend(other.filter(|l| !because.contains(l)));
                    continue;
                }
                // A body that contains an atom of the set is not from outside.
                let mut inside = false;
                support.body.for_each(&mut |l| inside |= !l.is_neg() && in_set(&l.atom()));
                let reason = self.reason(k, &support.body, None, interrupt);
                if !inside && !reason.iter().any(|l| because.contains(l)) {
                    because.extend(reason);
                }
            }
        }
        because.sort_by_key(|l| k.index(l.atom()));
        because.dedup();
        because
    }
}
