//! What is known of an atom before and beside the search: by its name in the grounder's domains or in a ground program.

use crate::base::signature::Signature;
use crate::base::symbol::{Sym, SymView, Symbols};
use crate::ground::Grounder;
use crate::program::ground_program::{Show, ShowItem};
use crate::program::{AtomId, Program};

/// What answers are read from.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) program: &'a Program,
    pub(super) symbols: &'a Symbols,
    pub(super) grounder: Option<&'a Grounder>,
}

/// What grounding knows of an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// It holds.
    Fact,
    /// The search decides.
    Atom(AtomId),
    /// Nothing derives it.
    Never,
}

/// What is known of the atom that a term names.
pub(super) fn known(term: Sym, ground: Ground<'_>) -> Known {
    let Ground { program, symbols, grounder } = ground;
    let SymView::Fun { name, args, negative } = symbols.view(term) else { return Known::Never };
    let signature = Signature { name, arity: args.len() as u32, negative };
    if let Some((is_fact, atom)) = grounder.and_then(|g| g.find(signature, args)) {
        return match atom {
            _ if is_fact => Known::Fact,
            Some(atom) => Known::Atom(atom),
            None => Known::Never,
        };
    }
    // A ground program that was read, or an atom that nothing derived yet.
    let named = |id: &AtomId| program.atoms.get(*id).is_some_and(|(s, a)| s == signature && a == args);
    if let Some(atom) = program.atoms.ids().rev().find(named) {
        return Known::Atom(atom);
    }
    let is_it =
        |show: &Show| show.item == ShowItem::Term(term) && program.literals(show.condition).is_empty();
    let is_fact = grounder.is_none() && program.shows.iter().any(is_it);
    if is_fact { Known::Fact } else { Known::Never }
}
