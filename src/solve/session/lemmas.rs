//! Learned nogoods as sets of a program's literals that cannot hold together, to be written down and used again.
//!
//! What is added for a call stands under guards, so a learned clause over variables of atoms alone follows from the
//! program.
//! Invariant: what is written down holds in every answer set of the program.

use crate::base::index_vec::{Idx, IndexVec};
use crate::program::Literal;
use crate::solve::engine::store::literal::{Lit, Var};

/// Which learned nogoods are written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LemmaFilter {
    /// Those of at most this glue ...
    pub glue: u32,
    /// ... until there are so many.
    pub most: u64,
    /// Those of shown atoms only.
    pub shown: bool,
}

/// A learned nogood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    /// What cannot hold together.
    pub literals: Vec<Literal>,
    /// Its glue.
    pub glue: u32,
}

/// What was learned so far.
#[derive(Debug)]
pub(crate) struct LemmaLog {
    filter: LemmaFilter,
    /// By variable: the program's literal for it.
    literals: IndexVec<Var, Option<Literal>>,
    pub(crate) lemmas: Vec<Lemma>,
}

impl LemmaLog {
    /// A log for atoms with their literals.
    pub(crate) fn new(filter: LemmaFilter, atoms: impl Iterator<Item = (Literal, Lit)>) -> Self {
        let mut literals: IndexVec<Var, Option<Literal>> = IndexVec::new();
        for (literal, lit) in atoms {
            while literals.len() <= lit.var().index() {
                literals.push(None);
            }
            let positive = if lit.is_neg() { !literal } else { literal };
            literals[lit.var()].get_or_insert(positive);
        }
        Self { filter, literals, lemmas: Vec::new() }
    }
    /// Notes a learned clause.
    pub(crate) fn note(&mut self, clause: &[Lit], glue: u32) {
        if glue > self.filter.glue || self.lemmas.len() as u64 >= self.filter.most {
            return;
        }
        let literal = |lit: &Lit| {
            let known = if lit.var().index() < self.literals.len() { self.literals[lit.var()] } else { None };
            known.map(|l| if lit.is_neg() { l } else { !l })
        };
        if let Some(literals) = clause.iter().map(literal).collect() {
            self.lemmas.push(Lemma { literals, glue });
        }
    }
}
