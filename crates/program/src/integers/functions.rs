//! Functions whose values are integer variables.
//!
//! Invariant: users cannot write the name of such a variable.

use asp_base::map::Map;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};

/// Functions whose values are integers.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    /// The names of variables, each with the name of its function's atoms.
    pub names: Map<StrId, StrId>,
    /// One of them has at least this many values.
    pub least: u64,
    /// Each that occurs in a `#distinct` has at least this many.
    pub least_of_distinct: u64,
}

impl Functions {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of the atom that a variable stands for, and its arguments but the last.
    pub fn atom<'s>(&self, variable: Sym, symbols: &'s Symbols) -> Option<(StrId, &'s [Sym])> {
        match symbols.view(variable) {
            SymView::Fun { name, args, negative: false } => Some((*self.names.get(&name)?, args)),
            _ => None,
        }
    }
}
