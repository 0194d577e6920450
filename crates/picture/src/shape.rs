//! The shape of a predicate's atoms: a value at a cell, a cell, two cells, something else.
//!
//! Invariant: a shape applies to all atoms of the predicate; one atom of another shape makes it [`Shape::Other`].

use super::scene::Atom;
use asp_base::map::Map;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};

/// A predicate's name and arity.
pub(crate) type Name<'a> = (&'a str, usize);

/// The shape of a predicate's atoms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// `p(R,C,V)` or `p((R,C),V)`
    Value,
    /// `p(R,C)` or `p((R,C))`
    Mark,
    /// `p(R,C,S,D)` or `p((R,C),(S,D))`, perhaps with a number of lines
    Link,
    /// None of these.
    Other,
}

/// A position in a grid in the program's numbers: row and column.
pub(crate) type Place = (i64, i64);

/// The cell that arguments begin with, and the rest of them.
pub(crate) fn cell<'s>(symbols: &'s Symbols, args: &'s [Sym]) -> Option<(Place, &'s [Sym])> {
    let (&first, rest) = args.split_first()?;
    if let SymView::Tuple(&[r, c]) = symbols.view(first) {
        return Some(((symbols.as_num(r)?, symbols.as_num(c)?), rest));
    }
    let (&second, rest) = rest.split_first()?;
    Some(((symbols.as_num(first)?, symbols.as_num(second)?), rest))
}

/// The shape of one atom.
pub(crate) fn shape(symbols: &Symbols, args: &[Sym]) -> Shape {
    match cell(symbols, args) {
        None => Shape::Other,
        Some((_, [])) => Shape::Mark,
        Some((_, rest)) => match (rest, link(symbols, args)) {
            (_, Some(_)) => Shape::Link,
            ([_], _) => Shape::Value,
            _ => Shape::Other,
        },
    }
}

/// The two cells of a line, and how many lines: 1 unless a last argument says otherwise. Both cells must be written in
/// the same way.
pub(crate) fn link(symbols: &Symbols, args: &[Sym]) -> Option<(Place, Place, i64)> {
    let (a, rest) = cell(symbols, args)?;
    let (b, last) = cell(symbols, rest)?;
    if args.len() - rest.len() != rest.len() - last.len() {
        return None;
    }
    match last {
        [] => Some((a, b, 1)),
        &[count] => Some((a, b, symbols.as_num(count)?)),
        _ => None,
    }
}

/// All predicates among atoms in order of appearance, each with its shape.
pub(crate) fn shapes<'a>(symbols: &Symbols, atoms: &[Atom<'a>]) -> Vec<(Name<'a>, Shape)> {
    let mut found: Vec<(Name<'a>, Shape)> = Vec::new();
    let mut index: Map<Name<'a>, usize> = Map::default();
    for atom in atoms {
        let name = atom.key();
        let shape = shape(symbols, atom.args);
        let at = *index.entry(name).or_insert(found.len());
        match found.get_mut(at) {
            None => found.push((name, shape)),
            Some((_, known)) if *known != shape => *known = Shape::Other,
            Some(_) => {}
        }
    }
    found
}

/// A term as shown to a reader: strings without quotes.
pub(crate) fn label(symbols: &Symbols, term: Sym) -> String {
    match symbols.view(term) {
        SymView::Str(text) => super::grid::clip(symbols.str(text)),
        _ => super::grid::clip(&symbols.display(term)),
    }
}

/// The name of a constant.
pub(crate) fn constant(symbols: &Symbols, term: Sym) -> Option<&str> {
    match symbols.view(term) {
        SymView::Fun { name, args: [], negative: false } if name != StrId::EMPTY => Some(symbols.str(name)),
        SymView::Str(text) => Some(symbols.str(text)),
        _ => None,
    }
}
