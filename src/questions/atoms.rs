//! The atoms from which a picture is made: the facts of a program, and what it shows.
//!
//! Invariant: an atom occurs once, classically negated ones never.

use crate::base::map::Set;
use crate::base::symbol::{Sym, SymView, Symbols};
use crate::picture::{Atom, Wanted, vocabulary};
use crate::program::ground_program::ShowItem;
use crate::program::{Program, integers};
use crate::solve::Model;

/// All facts of a program, as far as they were kept.
pub(crate) fn facts<'a>(program: &'a Program, symbols: &'a Symbols) -> Vec<Atom<'a>> {
    let table = &program.facts;
    let atoms = table.ids().filter_map(|id| table.get(id));
    let atoms = atoms.filter(|(signature, _)| !signature.negative);
    let mut all: Vec<Atom<'a>> =
        atoms.map(|(signature, args)| Atom { name: symbols.str(signature.name), args }).collect();
    if table.is_empty() {
        // Ground programs have no facts of their own; whatever is always shown is a fact, too.
        let always = program.shows.iter().filter(|s| program.literals(s.condition).is_empty());
        all.extend(always.filter_map(|s| match s.item {
            ShowItem::Term(term) => atom_of(symbols, term),
            ShowItem::Atom(_) => None,
        }));
    }
    all
}

fn atom_of(symbols: &Symbols, term: Sym) -> Option<Atom<'_>> {
    match symbols.view(term) {
        SymView::Fun { name, args, negative: false } => Some(Atom { name: symbols.str(name), args }),
        _ => None,
    }
}

/// What is shown, the `render_...` atoms, and the wanted predicate even if it is hidden: either all that may hold, or
/// what holds in a model.
pub(crate) fn atoms_of<'a>(
    program: &'a Program,
    symbols: &'a Symbols,
    wanted: Option<&Wanted>,
    model: Option<&Model<'_>>,
) -> Vec<Atom<'a>> {
    let mut found = Vec::new();
    for (i, show) in program.shows.iter().enumerate() {
        let condition = program.literals(show.condition);
        let holds = model.is_none_or(|m| match m.shown.get(i) {
            Some(&shown) => shown,
            None => condition.iter().all(|&l| m.holds(l)),
        });
        if !holds || program.integers.is_digit(i) {
            continue;
        }
        match show.item {
            ShowItem::Term(term) => {
                let atom = integers::as_atom(program, i, symbols).unwrap_or(term);
                found.extend(atom_of(symbols, atom));
            }
            ShowItem::Atom(atom) => found.extend(
                program
                    .atoms
                    .get(atom)
                    .filter(|(signature, _)| !signature.negative)
                    .map(|(signature, args)| Atom { name: symbols.str(signature.name), args }),
            ),
        }
    }
    let shown = found.len();
    let mine =
        |name: &str| name.starts_with(vocabulary::PREFIX) || wanted.is_some_and(|wanted| wanted.name == name);
    for (table, facts) in [(&program.facts, true), (&program.atoms, false)] {
        let signatures: Vec<bool> = table.signatures().iter().map(|s| mine(symbols.str(s.name))).collect();
        if !signatures.contains(&true) {
            continue;
        }
        for id in table.ids() {
            let Some((signature, args)) = table.get(id) else { continue };
            let name = symbols.str(signature.name);
            if !signature.negative && mine(name) && (facts || model.is_none_or(|m| m.contains(id))) {
                found.push(Atom { name, args });
            }
        }
    }
    if found.len() > shown {
        let mut seen = Set::default();
        found.retain(|atom| seen.insert((atom.name, atom.args)));
    }
    found
}
