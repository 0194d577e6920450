//! The input of pictures: ground atoms that hold, and all that may hold.

use super::vocabulary::PREFIX;
use asp_base::map::Set;
use asp_base::symbol::Sym;

/// A ground atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom<'a> {
    /// The predicate's name.
    pub name: &'a str,
    pub args: &'a [Sym],
}

impl<'a> Atom<'a> {
    /// Name and arity.
    pub(crate) fn key(&self) -> (&'a str, usize) {
        (self.name, self.args.len())
    }

    /// Whether it is one of the `render_...` vocabulary.
    pub(crate) fn is_word(&self) -> bool {
        self.name.starts_with(PREFIX)
    }
}

/// Atoms in their order, each once.
pub(crate) fn distinct<'a>(atoms: impl Iterator<Item = Atom<'a>>) -> Vec<Atom<'a>> {
    let mut seen: Set<(&str, &[Sym])> = Set::default();
    atoms.filter(|atom| seen.insert((atom.name, atom.args))).collect()
}

/// The input of a painter.
#[derive(Clone, Debug, Default)]
pub struct Scene<'a> {
    /// All facts, shown or not.
    pub facts: Vec<Atom<'a>>,
    /// All atoms that some answer set may show, and those of the `render_...` vocabulary, facts among them.
    pub possible: Vec<Atom<'a>>,
}
