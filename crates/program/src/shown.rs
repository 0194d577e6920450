//! The show entries of a program: the kind of each, and how to read it.
//!
//! Invariant: the kind of an entry ([`ShowItem`]) is set when it is added, and never inferred from its condition.

use super::atom_table::Literal;
use super::ground_program::{Program, ShowItem};
use asp_base::signature::Signature;
use asp_base::symbol::{Sym, SymView, Symbols};

impl ShowItem {
    /// Its term; `None` for an atom that may hold.
    #[inline]
    pub fn term(self) -> Option<Sym> {
        match self {
            ShowItem::Atom(_) => None,
            ShowItem::Fact(term) | ShowItem::Term(term) | ShowItem::Value(term) | ShowItem::Digit(term) => {
                Some(term)
            }
        }
    }

    /// Its term, unless that stands for an atom. Entries with the same term show one thing.
    #[inline]
    pub fn plain_term(self) -> Option<Sym> {
        match self {
            ShowItem::Atom(_) | ShowItem::Fact(_) => None,
            ShowItem::Term(term) | ShowItem::Value(term) | ShowItem::Digit(term) => Some(term),
        }
    }

    /// Whether it is the value of an integer variable, or a digit of one.
    #[inline]
    pub fn is_of_integer(self) -> bool {
        matches!(self, ShowItem::Value(_) | ShowItem::Digit(_))
    }

    /// The integer variable and its value, if it is one.
    pub fn value(self, symbols: &Symbols) -> Option<(Sym, i64)> {
        if let ShowItem::Value(_) = self { self.worth(symbols) } else { None }
    }

    /// The integer variable with its value, or with the weight of its digit, if it is one of these.
    pub fn worth(self, symbols: &Symbols) -> Option<(Sym, i64)> {
        let (ShowItem::Value(term) | ShowItem::Digit(term)) = self else { return None };
        match symbols.view(term) {
            SymView::Fun { args: &[name, number], .. } => Some((name, symbols.as_num(number)?)),
            _ => None,
        }
    }
}

impl Program {
    /// The show entries: their numbers, kinds, and the literals that must all hold.
    pub fn shown(&self) -> impl DoubleEndedIterator<Item = (usize, ShowItem, &[Literal])> + Clone {
        self.shows.iter().enumerate().map(|(entry, show)| (entry, show.item, self.literals(show.condition)))
    }

    /// Appends the text of what an entry shows.
    pub fn write_shown(&self, item: ShowItem, symbols: &Symbols, out: &mut String) {
        match item {
            ShowItem::Atom(atom) => self.atoms.write(atom, symbols, out),
            ShowItem::Fact(term) | ShowItem::Term(term) | ShowItem::Value(term) | ShowItem::Digit(term) => {
                symbols.write(term, out);
            }
        }
    }

    /// Signature and arguments of the shown atom; `None` for numbers, strings and atoms without a name.
    pub fn shown_atom<'a>(&'a self, item: ShowItem, symbols: &'a Symbols) -> Option<(Signature, &'a [Sym])> {
        let term = match item {
            ShowItem::Atom(atom) => return self.atoms.get(atom),
            ShowItem::Fact(term) | ShowItem::Term(term) | ShowItem::Value(term) | ShowItem::Digit(term) => {
                term
            }
        };
        match symbols.view(term) {
            SymView::Fun { name, args, negative } => {
                Some((Signature { name, arity: args.len() as u32, negative }, args))
            }
            _ => None,
        }
    }
}
