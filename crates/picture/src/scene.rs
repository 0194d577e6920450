//! The input of pictures: ground atoms that hold, and all that may hold.

use asp_base::symbol::Sym;

/// A ground atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom<'a> {
    /// The predicate's name.
    pub name: &'a str,
    /// Its arguments.
    pub args: &'a [Sym],
}

impl<'a> Atom<'a> {
    /// Name and arity.
    pub(crate) fn key(&self) -> (&'a str, usize) {
        (self.name, self.args.len())
    }
}

/// What a painter is made from.
#[derive(Clone, Debug, Default)]
pub struct Scene<'a> {
    /// All facts, shown or not.
    pub facts: Vec<Atom<'a>>,
    /// All atoms that some answer set may show, and those of the `render_...` vocabulary, facts among them.
    pub possible: Vec<Atom<'a>>,
}
