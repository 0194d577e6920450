//! Names of bounds: literals that say that a side of an integer is at least a number.
//!
//! Invariant: a side and a number have at most one kept name. Source: clingcon's order literals, made on demand.

use super::store::Side;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::Idx;

/// How long a literal names a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// Until the bound is undone: it is in no clause.
    Passing,
    /// As long as a learned clause contains it.
    Learned,
    /// For ever.
    Lasting,
}

/// What a variable of the engine says: that a side is at least a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    /// The side that the positive literal bounds; the negative one bounds the opposite.
    side: Side,
    /// The number for the positive literal; that for the negative one is `1 - value`.
    value: i64,
    pub(super) using: Use,
}

/// The names of bounds.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// By variable: the kept literals for `x >= n`, by rising numbers.
    pub(super) kept: Vec<Vec<(i64, Lit)>>,
    /// By variable of the engine: what it says, if it is a name.
    pub(super) meanings: Vec<Option<Meaning>>,
    /// Variables of the engine for names to come.
    pub(crate) pool: Vec<Var>,
}

impl Names {
    #[inline]
    pub(super) fn meaning(&self, var: Var) -> Option<Meaning> {
        self.meanings.get(var.index()).copied().flatten()
    }
    /// The side that a true literal bounds, and its bound.
    #[inline]
    pub(crate) fn bound_of(&self, lit: Lit) -> Option<(Side, i64)> {
        let Meaning { side, value, .. } = self.meaning(lit.var())?;
        Some(if lit.is_neg() { (side.opposite(), 1 - value) } else { (side, value) })
    }
    /// Lets a literal say that a side is at least a number.
    pub(super) fn set_meaning(&mut self, lit: Lit, side: Side, value: i64, using: Use) {
        let (side, value) = if lit.is_neg() { (side.opposite(), 1 - value) } else { (side, value) };
        if self.meanings.len() <= lit.var().index() {
            self.meanings.resize(lit.var().index() + 1, None);
        }
        self.meanings[lit.var().index()] = Some(Meaning { side, value, using });
    }
    pub(super) fn forget_meaning(&mut self, var: Var) {
        self.meanings[var.index()] = None;
    }
    /// Whether a variable is a name that is in no clause.
    #[inline]
    pub(crate) fn is_passing(&self, var: Var) -> bool {
        self.meaning(var).is_some_and(|m| m.using == Use::Passing)
    }
    /// Whether a variable is a name that may come to say something else.
    pub(crate) fn is_fleeting(&self, var: Var) -> bool {
        self.meaning(var).is_some_and(|m| m.using != Use::Lasting)
    }
    /// The kept literal that says that a side is at least a number.
    pub(crate) fn name(&self, side: Side, value: i64) -> Option<Lit> {
        let names = &self.kept[side.int().index()];
        let find = |n: i64| names.binary_search_by_key(&n, |e| e.0).ok().map(|at| names[at].1);
        if side.is_negative() { find(1 - value).map(|l| !l) } else { find(value) }
    }
    /// Keeps a literal that says that a side is at least a number. Pre: there is none.
    pub(super) fn keep_name(&mut self, side: Side, value: i64, lit: Lit, using: Use) {
        self.set_meaning(lit, side, value, using);
        let (value, lit) = if side.is_negative() { (1 - value, !lit) } else { (value, lit) };
        let names = &mut self.kept[side.int().index()];
        let at = names.partition_point(|e| e.0 < value);
        debug_assert!(names.get(at).is_none_or(|e| e.0 != value));
        names.insert(at, (value, lit));
    }
}
