//! What is known about an atom outside the search: from the grounder's domains or a ground program.

use asp_base::signature::Signature;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_ground::Grounder;
use asp_program::ground_program::ShowItem;
use asp_program::ground_program::{ExternalValue, Show};
use asp_program::{AtomId, Body, Literal, Program};

/// The result of grounding; it can be read between calls and during one.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    pub(super) program: &'a Program,
    pub(super) symbols: &'a Symbols,
    pub(super) grounder: Option<&'a Grounder>,
}

/// Where an atom is stored: its predicate and its position among that predicate's atoms. It remains valid when the
/// program grows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The predicate, in order of appearance.
    pub predicate: u32,
    /// The position among its atoms.
    pub row: u32,
}

/// An atom that may hold, as known to grounding.
#[derive(Clone, Copy, Debug)]
pub struct KnownAtom<'a> {
    /// Name, arity and sign.
    pub signature: Signature,
    /// As many as the signature says.
    pub arguments: &'a [Sym],
    /// Whether it holds in every answer set.
    pub is_fact: bool,
    /// The atom of the ground program; a fact need not have one.
    pub atom: Option<AtomId>,
}

impl<'a> Ground<'a> {
    /// The ground program.
    pub fn program(self) -> &'a Program {
        self.program
    }
    /// The program's symbol table.
    pub fn symbols(self) -> &'a Symbols {
        self.symbols
    }
    /// The constants of the program and their values.
    pub fn constants(self) -> impl Iterator<Item = (&'a str, Sym)> {
        let known = self.grounder.into_iter().flat_map(Grounder::constants);
        known.map(|(name, value)| (self.symbols.str(name), value))
    }
    /// Whether the program came ground, so that the atoms of the ground program are all there are.
    pub fn is_ground_input(self) -> bool {
        self.grounder.is_none()
    }
    /// The atoms that are external: not derived and not released.
    pub fn externals(self) -> Vec<AtomId> {
        let mut state = vec![None; self.program.atoms.len()];
        for (atom, value) in &self.program.externals {
            state[atom.0 as usize] = Some(*value != ExternalValue::Release);
        }
        // A rule whose body denies an atom of its head does not derive it.
        let heads = self.program.rules.iter().flat_map(|rule| {
            let denied = move |a: &&AtomId| matches!(rule.body, Body::Normal(body) if body.contains(&Literal::neg(**a)));
            rule.head.atoms().iter().filter(move |a| !denied(a))
        });
        let chosen =
            self.program.head_aggregates.iter().flat_map(|h| &h.elements).filter_map(|e| e.atom.as_ref());
        let disjuncts = self.program.disjunctions.iter().flat_map(|d| &d.elements);
        let disjuncts = disjuncts.flat_map(|e| self.program.literals(e.head)).map(|l| l.atom());
        for atom in heads.chain(chosen).copied().chain(disjuncts) {
            state[atom.0 as usize] = None;
        }
        self.program.atoms.ids().filter(|a| state[a.0 as usize] == Some(true)).collect()
    }
    /// Whether an atom that was shown is hidden by a later `#show` for others.
    pub fn is_hidden(self, item: ShowItem) -> bool {
        let Some(grounder) = self.grounder.filter(|grounder| grounder.hides_late()) else { return false };
        let signature = match item {
            ShowItem::Atom(atom) => self.program.atoms.get(atom).map(|named| named.0),
            ShowItem::Fact(term) | ShowItem::Term(term) => match self.symbols.view(term) {
                SymView::Fun { name, args, negative } => {
                    Some(Signature { name, arity: args.len() as u32, negative })
                }
                _ => None,
            },
            ShowItem::Value(_) | ShowItem::Digit(_) => None,
        };
        signature.is_some_and(|signature| !grounder.shows(signature))
    }
    /// Number of predicates, including those made by rewriting.
    pub fn predicates(self) -> u32 {
        match self.grounder {
            Some(grounder) => grounder.predicates(),
            None => self.program.atoms.signatures().len() as u32,
        }
    }
    /// A predicate and how many of its atoms may hold; `None` for one made by rewriting.
    pub fn predicate(self, predicate: u32) -> Option<(Signature, u32)> {
        match self.grounder {
            Some(grounder) => grounder.predicate(predicate),
            None => {
                let signature = *self.program.atoms.signatures().get(predicate as usize)?;
                Some((signature, self.program.atoms.len() as u32))
            }
        }
    }
    /// Whether a body reads a predicate.
    pub fn is_read(self, predicate: u32) -> bool {
        self.grounder.is_some_and(|grounder| grounder.is_read(predicate))
    }
    /// The atom at a place, if there is one.
    pub fn atom(self, place: Place) -> Option<KnownAtom<'a>> {
        if let Some(grounder) = self.grounder {
            return grounder.row(place.predicate, place.row).map(|(signature, arguments, is_fact, atom)| {
                KnownAtom { signature, arguments, is_fact, atom }
            });
        }
        let signature = *self.program.atoms.signatures().get(place.predicate as usize)?;
        let atom = AtomId(place.row);
        let is_there = (place.row as usize) < self.program.atoms.len();
        let (own, arguments) = is_there.then(|| self.program.atoms.get(atom)).flatten()?;
        let known = KnownAtom { signature, arguments, is_fact: false, atom: Some(atom) };
        (own == signature).then_some(known)
    }
    /// The place of the atom that a term names.
    pub fn place(self, term: Sym) -> Option<Place> {
        match self.symbols.view(term) {
            SymView::Fun { name, args, negative } => self.find(name, args, negative),
            _ => None,
        }
    }
    /// The place of the atom with a name, arguments and a sign.
    pub fn find(self, name: StrId, arguments: &[Sym], negative: bool) -> Option<Place> {
        let signature = Signature { name, arity: arguments.len() as u32, negative };
        if let Some(grounder) = self.grounder {
            let (predicate, row) = grounder.find_row(signature, arguments)?;
            return Some(Place { predicate, row });
        }
        let predicate = self.program.atoms.signatures().iter().position(|s| *s == signature)? as u32;
        let is_it = |id: &AtomId| self.program.atoms.get(*id).is_some_and(|a| a == (signature, arguments));
        let row = self.program.atoms.ids().find(is_it)?.0;
        Some(Place { predicate, row })
    }
}

/// What grounding knows about an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// It holds.
    Fact,
    /// The search decides.
    Atom(AtomId),
    /// Nothing derives it.
    Never,
}

/// What is known about the atom that a term names.
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
    // A ground program was read, or nothing has derived the atom yet.
    let named = |id: &AtomId| program.atoms.get(*id).is_some_and(|(s, a)| s == signature && a == args);
    if let Some(atom) = program.atoms.ids().rev().find(named) {
        return Known::Atom(atom);
    }
    let is_it = |show: &Show| show.item.term() == Some(term) && program.literals(show.condition).is_empty();
    let is_fact = grounder.is_none() && program.shows.iter().any(is_it);
    if is_fact { Known::Fact } else { Known::Never }
}
