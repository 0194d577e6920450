//! Extending a translation: whether new rules leave the earlier part unchanged.
//!
//! Invariant: new rules derive new atoms, or atoms that were external and are on no positive cycle with earlier ones.
//! Then the earlier completion and loop nogoods remain valid.
//! Source: Gebser, Kaminski, Kaufmann and Schaub, *Multi-shot ASP solving with clingo*, TPLP 2019: modules.

use crate::options::SolveOptions;
use crate::translate::stages::Stages;
use crate::translate::translation::Translation;
use asp_base::interrupt::Interrupt;
use asp_base::map::Map;
use asp_program::defined::derived_since;
use asp_program::ground_program::ExternalValue;
use asp_program::{AtomId, Literal, Program};

impl Translation {
    /// Translates the new part of a program, if that leaves the earlier part unchanged: new rules derive new atoms, or external
    /// ones that no earlier rule depends on in a way that would close a cycle. `false`: nothing was done.
    pub(crate) fn extend(&mut self, program: &Program, options: &SolveOptions, stages: Stages) -> bool {
        let stages = stages.under(options);
        let directed = options.domain_heuristic
            && (options.domain_default.is_some() || program.heuristics.len() != self.covered.heuristics);
        if !self.ok
            || directed
            || program.edges.len() != self.covered.edges
            || !self.knows_externals(program)
            || !self.is_left_alone(program)
        {
            return false;
        }
        self.engine.reset_enumeration();
        self.shared_vars = 0;
        self.engine.note_growth();
        self.add_rules(program, stages, &Interrupt::new());
        true
    }

    /// Whether every current external or theory atom was one when it was translated, or has rules, or is new.
    pub(crate) fn knows_externals(&self, program: &Program) -> bool {
        let is_known = |a: AtomId| {
            let at = a.0 as usize;
            at >= self.covered.defined.len()
                || self.covered.defined[at]
                || self.covered.externals.binary_search(&a).is_ok()
        };
        let mut theory = program.theory.free_atoms(self.covered.theory_atoms);
        // Mostly all are known, whatever becomes of them.
        let known = program.externals.iter().all(|&(a, _)| is_known(a)) || {
            let last: Map<AtomId, ExternalValue> = program.externals.iter().copied().collect();
            last.into_iter().all(|(a, v)| v == ExternalValue::Release || is_known(a))
        };
        known && theory.all(is_known)
    }

    /// Whether the rules that are new leave everything from before as it is.
    pub(crate) fn is_left_alone(&self, program: &Program) -> bool {
        self.is_modular(program, self.covered.rules)
    }

    /// Whether the rules from a number on do not change the definitions of earlier atoms, and close no positive cycle
    /// with them.
    fn is_modular(&self, program: &Program, from: usize) -> bool {
        let old = self.covered.defined.len();
        let mut reopened: Vec<AtomId> = Vec::new();
        for h in derived_since(program, from).filter(|h| (h.0 as usize) < old) {
            if self.covered.externals.binary_search(&h).is_err() {
                return false;
            }
            reopened.push(h);
        }
        if reopened.is_empty() {
            return true;
        }
        // Atoms that depend positively on external atoms that now get rules.
        let mut reached = vec![false; program.atoms.len()];
        let positive = |b: &[Literal]| b.iter().filter(|l| !l.is_neg()).map(|l| l.atom()).collect::<Vec<_>>();
        let mut edges: Vec<(AtomId, AtomId)> = Vec::new();
        for rule in program.rules.iter() {
            for a in positive(rule.body.literals()) {
                edges.extend(rule.head.atoms().iter().map(|&h| (a, h)));
            }
        }
        edges.sort_unstable();
        let mut open = reopened.clone();
        while let Some(a) = open.pop() {
            let first = edges.partition_point(|e| e.0 < a);
            for &(_, h) in edges[first..].iter().take_while(|e| e.0 == a) {
                if !std::mem::replace(&mut reached[h.0 as usize], true) {
                    open.push(h);
                }
            }
        }
        reopened.sort_unstable();
        !program.rules.iter().skip(from).any(|rule| {
            rule.head.atoms().iter().any(|h| reopened.binary_search(h).is_ok())
                && positive(rule.body.literals()).iter().any(|a| reached[a.0 as usize])
        })
    }
}
