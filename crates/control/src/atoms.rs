//! The atoms of the ground program: by term, by predicate, and the external ones.

use super::known::Known;
use super::{Control, Error};
use asp_base::signature::Signature;
use asp_base::symbol::{Sym, SymView, Symbols};
use asp_base::term::Term;
use asp_engine::store::literal::Lit;
use asp_program::ground_program::ExternalValue;
use asp_program::{AtomId, Literal, Program};
use asp_solve::session::Session;

/// An atom of the ground program.
#[derive(Clone, Copy, Debug)]
pub struct Atom<'a> {
    term: Term<'a>,
    is_fact: bool,
}

impl<'a> Atom<'a> {
    /// The atom as a term.
    pub fn term(self) -> Term<'a> {
        self.term
    }
    /// Whether it is a fact: grounding found that it holds in every answer set.
    pub fn is_fact(self) -> bool {
        self.is_fact
    }
}

impl Control {
    /// All atoms of a predicate that may hold, in the order of grounding.
    pub fn atoms(&self, name: &str, arity: usize) -> Vec<Atom<'_>> {
        let (symbols, program) = (&self.symbols, &self.program);
        let fits = |s: Signature| symbols.str(s.name) == name && s.arity as usize == arity && !s.negative;
        if let Some(grounder) = &self.grounder {
            let rows = grounder.rows(fits);
            let atom =
                |(signature, args, is_fact)| Atom { term: Term::atom(symbols, signature, args), is_fact };
            return rows.map(atom).collect();
        }
        let atoms = program.atoms.ids().filter_map(|id| program.atoms.get(id));
        let atoms = atoms.filter(|(signature, _)| fits(*signature));
        atoms
            .map(|(signature, args)| Atom { term: Term::atom(symbols, signature, args), is_fact: false })
            .collect()
    }

    /// The atom that a term names, if the search decides it.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn find_atom(&self, term: Sym) -> Option<AtomId> {
        match self.known(term) {
            Known::Atom(atom) => Some(atom),
            Known::Fact | Known::Never => None,
        }
    }

    /// Makes an external atom true or false; a released one stays false. Fails if the ground program has no such atom.
    pub fn assign_external(&mut self, term: Sym, value: bool) -> Result<(), Error> {
        let value = if value { ExternalValue::True } else { ExternalValue::False };
        self.set_external(term, value)
    }

    /// Leaves an external atom to the search; a released one stays false. Fails if the ground program has no such atom.
    pub fn free_external(&mut self, term: Sym) -> Result<(), Error> {
        self.set_external(term, ExternalValue::Free)
    }

    /// Releases an external atom: it is false from now on, unless rules of a later step derive it or `#external` declares
    /// it again. Fails if the ground program has no such atom.
    pub fn release_external(&mut self, term: Sym) -> Result<(), Error> {
        self.set_external(term, ExternalValue::Release)
    }

    fn set_external(&mut self, term: Sym, value: ExternalValue) -> Result<(), Error> {
        let atom = self.find_atom(term).ok_or_else(|| Error::NotExternal(self.symbols.display(term)))?;
        self.set_external_atom(atom, value);
        Ok(())
    }
}

/// The undecided atoms of a ground program as solver literals, for propagators.
pub struct AtomLits<'a> {
    pub(super) program: &'a Program,
    pub(super) symbols: &'a Symbols,
    pub(super) session: &'a Session,
}

impl<'a> AtomLits<'a> {
    /// The atoms of a predicate with their arguments, in the order of grounding, without facts and underivable atoms.
    pub fn of(&self, name: &str, arity: usize) -> Vec<(&'a [Sym], Lit)> {
        let atoms = self.program.atoms.ids();
        let named = atoms.filter_map(|id| {
            let (signature, args) = self.program.atoms.get(id)?;
            let fits = self.symbols.str(signature.name) == name && args.len() == arity && !signature.negative;
            fits.then(|| (args, self.literal(Literal::pos(id))))
        });
        named.collect()
    }
    /// The solver's literal for a literal of the program. A propagator must watch each literal that it uses, or its
    /// complement; others may be replaced by equivalent ones.
    pub fn literal(&self, literal: Literal) -> Lit {
        self.session.literal(literal)
    }
    /// The integer, if the term is one.
    pub fn integer(&self, term: Sym) -> Option<i64> {
        match self.symbols.view(term) {
            SymView::Num(n) => Some(n),
            _ => None,
        }
    }
    /// The ground program.
    pub fn program(&self) -> &'a Program {
        self.program
    }
    /// The program's symbol table.
    pub fn symbols(&self) -> &'a Symbols {
        self.symbols
    }
}
