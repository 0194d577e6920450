//! Ground rules and directives that the caller adds one by one.
//!
//! Invariant: the grounder treats an atom named here as if a rule of the text could derive it.

use super::known::Known;
use super::{Control, Error};
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{Sym, SymView};
use asp_program::ground_program::{
    Edge, ExternalValue, Heuristic, HeuristicModifier, MinimizeElement, Show, ShowItem, TheoryAtom,
    TheoryElement, TheoryElementId, TheoryTerm, TheoryTermId,
};
use asp_program::{AtomId, Literal, RuleSource};

/// Adds ground rules and directives to a program; see [`Control::backend`].
pub struct Backend<'c> {
    control: &'c mut Control,
}

impl Control {
    /// Adds to the ground program without grounding.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// let (p, q) = (control.evaluate_term("p")?, control.evaluate_term("q")?);
    /// let mut backend = control.backend();
    /// let p = backend.atom(p)?;
    /// backend.rule(true, &[p], &[]);
    /// let q = backend.atom(q)?;
    /// backend.rule(false, &[q], &[asp::backend::Literal::neg(p)]);
    /// assert_eq!(control.solve(0, |answer| { assert_eq!(answer.terms().count(), 1); true })?.models, 2);
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn backend(&mut self) -> Backend<'_> {
        Backend { control: self }
    }

    /// Adds the atoms that a [`Backend`] named since the last grounding call to the shown and projected atoms. Solve calls
    /// and writers of ground programs do this themselves.
    pub(super) fn take_in_named(&mut self) -> Result<(), Error> {
        if std::mem::take(&mut self.steps.has_named) { self.ground_parts(&[]) } else { Ok(()) }
    }

    /// Drops the assumptions for the next call.
    pub fn forget_assumptions(&mut self) {
        self.program.assumptions.clear();
    }

    /// Removes the objective.
    pub fn remove_objective(&mut self) {
        self.program.remove_objective();
    }

    /// Sets the atoms to project on, or adds to them with `append`.
    pub fn project_on(&mut self, atoms: &[AtomId], append: bool) {
        let list = self.program.project.get_or_insert_default();
        if !append {
            list.clear();
        }
        list.extend_from_slice(atoms);
    }

    /// Gives an external atom a value, or releases it. A released atom stays so; one that a call has seen and that was not
    /// external cannot become external.
    pub fn set_external_atom(&mut self, atom: AtomId, value: ExternalValue) {
        self.program.externals.assign(atom, value);
    }

    /// Lets an underived atom become external although a call has seen it.
    pub fn reopen_external(&mut self, atom: AtomId) {
        self.program.externals.reopen(atom);
    }
}

impl Backend<'_> {
    /// The atom of a term. From now on it may hold, and later grounding sees it. Fails if the term cannot be an atom.
    pub fn atom(&mut self, term: Sym) -> Result<AtomId, Error> {
        let control = &mut *self.control;
        control.parse()?;
        let SymView::Fun { name, args, negative } = control.symbols.view(term) else {
            return Err(Error::NotATerm(control.symbols.display(term)));
        };
        let signature = Signature { name, arity: args.len() as u32, negative };
        let args = args.to_vec();
        control.steps.has_named = true;
        let Some(grounder) = control.grounder.as_mut() else {
            return Ok(match control.known(term) {
                Known::Atom(atom) => atom,
                Known::Fact => control.program.atoms.add_aux(),
                // In ground programs, named atoms are shown.
                Known::Never => {
                    let atoms = &mut control.program.atoms;
                    let known = atoms.signatures().iter().position(|&known| known == signature);
                    let row = known.map_or_else(|| atoms.add_signature(signature), |row| row as u32);
                    let atom = atoms.add(row, &args);
                    let condition = control.program.push_literals(&[Literal::pos(atom)]);
                    control.program.shows.push(Show { item: ShowItem::Atom(atom), condition });
                    atom
                }
            });
        };
        Ok(grounder.define(signature, &args, &mut control.program).1)
    }

    /// An atom without a name.
    pub fn auxiliary(&mut self) -> AtomId {
        self.control.program.atoms.add_aux()
    }

    /// A rule. With `choice`, any of the head's atoms may hold; otherwise at least one must.
    pub fn rule(&mut self, choice: bool, head: &[AtomId], body: &[Literal]) {
        self.control.program.rules.add(choice, head, body, RuleSource::NONE);
        if let (false, &[atom], []) = (choice, head, body) {
            let Control { program, grounder, .. } = &mut *self.control;
            if let (Some(grounder), Some((signature, args))) = (grounder.as_mut(), program.atoms.get(atom)) {
                grounder.set_fact(signature, args);
            }
        }
    }

    /// A weight rule: the body holds if the weights of its true literals sum to at least `bound`. Weights must not be
    /// negative.
    pub fn weight_rule(&mut self, choice: bool, head: &[AtomId], bound: i64, body: &[(Literal, i64)]) {
        let body: Vec<(Literal, i64)> = body.iter().copied().filter(|b| b.1 > 0).collect();
        if bound <= 0 {
            self.rule(choice, head, &[]);
        } else {
            self.control.program.rules.add_weight(choice, head, bound, &body, RuleSource::NONE);
        }
    }

    /// Adds the weights of true literals to the costs of a level.
    pub fn minimize(&mut self, priority: i64, literals: &[(Literal, i64)]) {
        let Control { program, symbols, .. } = &mut *self.control;
        // A name that no text can contain separates these tuples from all others.
        let name = symbols.intern("#backend");
        for &(literal, weight) in literals {
            let number = symbols.num(program.minimize.len() as i64);
            let own = symbols.fun(name, &[number], false);
            let (tuple, condition) = (program.push_terms(&[own]), program.push_literals(&[literal]));
            let source = RuleSource::NONE;
            program.minimize.push(MinimizeElement { weight, priority, tuple, condition, source });
        }
    }

    /// Adds atoms to project on.
    pub fn project(&mut self, atoms: &[AtomId]) {
        self.control.program.project.get_or_insert_default().extend_from_slice(atoms);
    }

    /// Makes an atom external with a value, or releases it for good. An atom that a call has seen cannot become external.
    pub fn external(&mut self, atom: AtomId, value: ExternalValue) {
        self.control.program.externals.push(atom, value);
    }

    /// Assumes literals for the next call.
    pub fn assume(&mut self, literals: &[Literal]) {
        self.control.program.assumptions.extend_from_slice(literals);
    }

    /// Applies a heuristic modifier to an atom while a condition holds.
    pub fn heuristic(
        &mut self,
        atom: AtomId,
        modifier: HeuristicModifier,
        bias: i32,
        priority: u32,
        condition: &[Literal],
    ) {
        let program = &mut self.control.program;
        let condition = program.push_literals(condition);
        program.heuristics.push(Heuristic { atom, modifier, bias, priority, condition });
    }

    /// An edge that exists while a condition holds; the edges must not form a cycle.
    pub fn edge(&mut self, from: i64, to: i64, condition: &[Literal]) {
        let Control { program, symbols, .. } = &mut *self.control;
        let (from, to) = (symbols.num(from), symbols.num(to));
        let condition = program.push_literals(condition);
        program.edges.push(Edge { from, to, condition, source: RuleSource::NONE });
    }

    /// A theory term made of existing ones. Equal terms get the same number.
    pub fn theory_term(&mut self, term: TheoryTerm) -> TheoryTermId {
        let theory = &mut self.control.program.theory;
        let known = self.control.grounder.as_mut().map(|g| g.theory_term(term.clone(), theory));
        known.unwrap_or_else(|| {
            theory.terms.push(term);
            TheoryTermId(theory.terms.len() as u32 - 1)
        })
    }

    /// A name as a theory term.
    pub fn theory_symbol(&mut self, name: &str) -> TheoryTermId {
        let name = self.control.symbols.intern(name);
        self.theory_term(TheoryTerm::Symbol(name))
    }

    /// A term as a theory term.
    pub fn theory_value(&mut self, term: Sym) -> TheoryTermId {
        let control = &mut *self.control;
        let theory = &mut control.program.theory;
        match control.grounder.as_mut() {
            Some(grounder) => grounder.theory_value(term, &mut control.symbols, theory),
            None => {
                let name = control.symbols.display(term);
                self.theory_symbol(&name)
            }
        }
    }

    /// A theory element. Equal elements get the same number.
    pub fn theory_element(&mut self, terms: &[TheoryTermId], condition: &[Literal]) -> TheoryElementId {
        let Control { program, grounder, .. } = &mut *self.control;
        if let Some(grounder) = grounder {
            return grounder.theory_element(terms, condition, program);
        }
        let condition = program.push_literals(condition);
        program.theory.elements.push(TheoryElement { terms: terms.to_vec(), condition });
        TheoryElementId(program.theory.elements.len() as u32 - 1)
    }

    /// Whether a call has seen an atom that was neither external nor a theory atom: it gets no further rules.
    fn is_settled(&self, atom: AtomId) -> bool {
        let program = &self.control.program;
        program.externals.is_settled(atom)
            && program.theory.atoms.iter().all(|known| known.atom != Some(atom))
    }

    /// A theory atom; a directive if `atom` is `None`. Returns the atom of an equal one made or grounded since the last
    /// call, if there is one. It is free until a rule derives it, unless an earlier call found it without rules.
    pub fn theory_atom(
        &mut self,
        atom: Option<AtomId>,
        term: TheoryTermId,
        elements: &[TheoryElementId],
        guard: Option<(TheoryTermId, TheoryTermId)>,
    ) -> Option<AtomId> {
        if let Some(atom) = atom.filter(|&atom| self.is_settled(atom)) {
            self.control.program.theory.settled.insert(atom);
        }
        let Control { program, grounder, .. } = &mut *self.control;
        if let Some(grounder) = grounder {
            return grounder.theory_atom(atom, term, elements, guard, program);
        }
        let elements = elements.to_vec();
        program.theory.atoms.push(TheoryAtom { atom, term, elements, guard, span: Span::NONE });
        atom
    }
}
