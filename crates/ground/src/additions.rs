//! Atoms and theory data that a caller adds to the ground program directly, without a text.
//!
//! Invariant: grounding treats these as if a rule of a text had made them.

use super::Grounder;
use asp_base::index_vec::Idx as _;
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{Sym, Symbols};
use asp_program::ground_program::{Theory, TheoryElementId, TheoryTerm, TheoryTermId};
use asp_program::{AtomId, Literal, Program, RuleSource};
use asp_rewrite::predicate::PredId;

impl Grounder {
    /// The ground atom of a predicate with arguments, which may hold from now on.
    pub fn define(&mut self, signature: Signature, args: &[Sym], program: &mut Program) -> (bool, AtomId) {
        let id = self.predicates.get(signature);
        self.predicates[id].defined = true;
        self.make_domains();
        let domain = &mut self.domains[id];
        let (row, _) = domain.insert(args);
        let atom = domain.atom(row).unwrap_or_else(|| {
            let number = *domain.signature.get_or_insert_with(|| program.atoms.add_signature(signature));
            let atom = program.atoms.add(number, args);
            domain.set_atom(row, atom);
            if domain.is_fact(row) {
                program.rules.add(false, &[atom], &[], RuleSource::NONE);
            }
            atom
        });
        (domain.is_fact(row), atom)
    }

    /// Makes an atom of a predicate a fact, if it may hold.
    pub fn set_fact(&mut self, signature: Signature, args: &[Sym]) {
        if let Some((number, row)) = self.find_row(signature, args) {
            self.domains[PredId::from_usize(number as usize)].set_fact(row);
        }
    }

    /// Makes an atom of a predicate no longer a fact, since the rule that made it one is gone.
    pub fn forget_fact(&mut self, signature: Signature, args: &[Sym]) {
        if let Some((number, row)) = self.find_row(signature, args) {
            self.domains[PredId::from_usize(number as usize)].forget_fact(row);
        }
    }

    /// The number of a theory term; a new one is added.
    pub fn theory_term(&mut self, term: TheoryTerm, theory: &mut Theory) -> TheoryTermId {
        self.theory.intern(term, theory)
    }

    /// The number of a theory element; a new one is added.
    pub fn theory_element(
        &mut self,
        terms: &[TheoryTermId],
        condition: &[Literal],
        program: &mut Program,
    ) -> TheoryElementId {
        self.theory.intern_element(terms.to_vec(), condition.to_vec(), program)
    }

    /// The program atom of a theory atom: `atom`, unless this step has an equal one.
    pub fn theory_atom(
        &mut self,
        atom: Option<AtomId>,
        term: TheoryTermId,
        elements: &[TheoryElementId],
        guard: Option<(TheoryTermId, TheoryTermId)>,
        program: &mut Program,
    ) -> Option<AtomId> {
        self.theory.intern_atom(term, elements.to_vec(), guard, Span::NONE, program, |_| atom)
    }

    /// Ends a step: theories no longer see its atoms, so equal atoms of later steps are new ones.
    pub fn end_theory_step(&mut self) {
        self.theory.end_step();
    }

    pub fn theory_value(&mut self, term: Sym, symbols: &mut Symbols, theory: &mut Theory) -> TheoryTermId {
        self.theory.symbol(term, symbols, theory)
    }
}
