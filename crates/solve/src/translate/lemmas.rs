//! Learned nogoods as sets of a program's literals that cannot hold together, to be recorded and reused.
//!
//! Constraints added for a call are guarded, so a learned clause over variables of atoms follows from the program alone.
//! Invariant: each recorded nogood holds in every answer set of the program.

use crate::options::LemmaFilter;
use crate::translate::translation::Translation;
use asp_engine::lemma_log::LemmaLog;
use asp_engine::store::literal::Lit;
use asp_program::ground_program::ShowItem;
use asp_program::{Literal, Program};

/// A learned nogood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    /// The literals that cannot hold together.
    pub literals: Vec<Literal>,
    /// Levels that its literals stood on when it was learned.
    pub lbd: u32,
}

impl Translation {
    /// Records learned nogoods from now on.
    pub(crate) fn log_lemmas(&mut self, program: &Program, filter: LemmaFilter) {
        let mut wanted = vec![!filter.shown; self.atoms.lits.len()];
        for show in program.shows.iter().filter(|_| filter.shown) {
            if let ShowItem::Atom(a) = show.item {
                wanted[a.0 as usize] = true;
            }
        }
        self.lemma_names.clear();
        for atom in program.atoms.ids().filter(|a| wanted[a.0 as usize]) {
            let lit = self.atoms.of(Literal::pos(atom));
            let positive = if lit.is_neg() { Literal::neg(atom) } else { Literal::pos(atom) };
            self.lemma_names.entry(lit.var()).or_insert(positive);
        }
        let log = LemmaLog::new(filter.lbd, filter.most, self.lemma_names.keys().copied());
        self.engine.set_lemma_log(log);
    }

    pub(crate) fn take_lemmas(&mut self) -> Vec<Lemma> {
        let learned = self.engine.take_lemma_log().map(|log| log.clauses).unwrap_or_default();
        learned.into_iter().map(|(clause, lbd)| Lemma { literals: self.nogood(&clause), lbd }).collect()
    }

    /// The complements of a clause's literals, as the program's.
    fn nogood(&self, clause: &[Lit]) -> Vec<Literal> {
        let named = |lit: &Lit| Some((self.lemma_names.get(&lit.var()).copied()?, lit.is_neg()));
        clause.iter().filter_map(named).map(|(l, negated)| if negated { l } else { !l }).collect()
    }
}
