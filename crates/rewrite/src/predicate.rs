//! Numbers for predicates.
//!
//! Invariant: a signature has one number for the whole run, in order of first appearance; auxiliary predicates
//! (projections of anonymous variables under negation) have a number and no signature that users can write.

use asp_base::index_vec::IndexVec;
use asp_base::map::Map;
use asp_base::signature::Signature;
use asp_base::span::Span;

asp_base::define_index! {
    /// A predicate by its number.
    pub struct PredId
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Name, arity, sign.
    pub signature: Signature,
    /// Whether the rewriter made it up; never shown, has no name in ground output.
    pub auxiliary: bool,
    /// Whether it stands in some head, fact, `#external` or `#defined`.
    pub defined: bool,
    /// First use in a body; [`Span::NONE`] if there is none.
    pub first_use: Span,
    /// For a projection: how many rows of the projected predicate it covers.
    pub projected: Option<u32>,
}

/// All predicates of a run.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    all: IndexVec<PredId, Predicate>,
    lookup: Map<Signature, PredId>,
}

impl Predicates {
    /// The number of a signature; a new one at its first appearance.
    pub fn get(&mut self, signature: Signature) -> PredId {
        let all = &mut self.all;
        *self.lookup.entry(signature).or_insert_with(|| {
            let (auxiliary, defined, first_use, projected) = (false, false, Span::NONE, None);
            all.push(Predicate { signature, auxiliary, defined, first_use, projected })
        })
    }
    /// The number of a signature that has appeared.
    pub fn find(&self, signature: Signature) -> Option<PredId> {
        self.lookup.get(&signature).copied()
    }
    /// A new auxiliary predicate; `signature` gives its arity only.
    pub fn add_auxiliary(&mut self, signature: Signature) -> PredId {
        let (auxiliary, defined, first_use, projected) = (true, true, Span::NONE, None);
        self.all.push(Predicate { signature, auxiliary, defined, first_use, projected })
    }
    /// Number of predicates.
    pub fn len(&self) -> usize {
        self.all.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
    /// All of them, in order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = (PredId, &Predicate)> {
        self.all.iter_enumerated()
    }
}

impl std::ops::Index<PredId> for Predicates {
    type Output = Predicate;
    fn index(&self, id: PredId) -> &Predicate {
        &self.all[id]
    }
}

impl std::ops::IndexMut<PredId> for Predicates {
    fn index_mut(&mut self, id: PredId) -> &mut Predicate {
        &mut self.all[id]
    }
}
