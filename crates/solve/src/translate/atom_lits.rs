//! The engine's literals of a program's atoms, and of conjunctions of them.

use asp_engine::Engine;
use asp_engine::store::literal::Lit;
use asp_program::Literal;

/// The engine's literals of the program's atoms.
#[derive(Debug)]
pub(crate) struct AtomLits {
    /// A literal that is always true.
    pub(crate) truth: Lit,
    pub(super) lits: Vec<Lit>,
}

impl AtomLits {
    /// By atom.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[Lit] {
        &self.lits
    }
    /// The literal of a program literal.
    #[inline]
    pub(crate) fn of(&self, literal: Literal) -> Lit {
        let lit = self.lits[literal.atom().0 as usize];
        if literal.is_neg() { !lit } else { lit }
    }
}

/// A literal that is equivalent to a conjunction of literals.
pub(crate) fn conjunction(engine: &mut Engine, truth: Lit, lits: &mut Vec<Lit>) -> Lit {
    lits.sort_unstable();
    lits.dedup();
    lits.retain(|&l| l != truth);
    if lits.contains(&!truth) || lits.windows(2).any(|w| w[0] == !w[1]) {
        return !truth;
    }
    match *lits.as_slice() {
        [] => truth,
        [l] => l,
        _ => {
            let own = Lit::pos(engine.new_var());
            let mut clause = vec![own];
            for &l in lits.iter() {
                engine.add_clause(&[!own, l]);
                clause.push(!l);
            }
            engine.add_clause(&clause);
            own
        }
    }
}
