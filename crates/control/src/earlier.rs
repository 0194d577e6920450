//! An earlier answer: where a search begins, and what its answers are to stay near.
//!
//! Invariant: of the atoms that the search decides, those of the answer's predicates are compared, and no others.

use super::{Control, Place};
use asp_base::map::Set;
use asp_base::symbol::{Sym, SymView};
use asp_program::Literal;

impl Control {
    /// Literals that held in an earlier answer, its atoms first. It is a list of terms; the program has to be grounded.
    pub fn as_in(&self, answer: &[Sym]) -> Vec<Literal> {
        let ground = self.as_ground();
        let places: Set<Place> = answer.iter().filter_map(|&atom| ground.place(atom)).collect();
        let signature = |&atom: &Sym| match self.symbols().view(atom) {
            SymView::Fun { name, args, negative } => Some((name, args.len() as u32, negative)),
            _ => None,
        };
        let named: Set<_> = answer.iter().filter_map(signature).collect();
        let (mut holding, mut failing) = (Vec::new(), Vec::new());
        for predicate in 0..ground.predicates() {
            let Some((signature, rows)) = ground.predicate(predicate) else { continue };
            if !named.contains(&(signature.name, signature.arity, signature.negative)) {
                continue;
            }
            for row in 0..rows {
                let place = Place { predicate, row };
                let Some(known) = ground.atom(place).filter(|known| !known.is_fact) else { continue };
                match known.atom {
                    Some(atom) if places.contains(&place) => holding.push(Literal::pos(atom)),
                    Some(atom) => failing.push(Literal::neg(atom)),
                    None => {}
                }
            }
        }
        holding.append(&mut failing);
        holding
    }

    /// Adds to a grounded program that its answers differ as little as possible from an earlier one: each difference costs 1, on
    /// the level or, without one, below all others. Returns how many atoms of the answer cannot hold any more.
    pub fn stay_near(&mut self, answer: &[Sym], level: Option<i64>) -> usize {
        let program = self.program();
        let levels = program.minimize.iter().map(|m| m.priority);
        let levels = levels.chain(program.objectives.iter().map(|o| o.priority));
        let level = level.unwrap_or_else(|| levels.min().map_or(0, |least| least.saturating_sub(1)));
        let costs: Vec<_> = self.as_in(answer).into_iter().map(|literal| (!literal, 1)).collect();
        self.backend().minimize(level, &costs);
        let ground = self.as_ground();
        answer.iter().filter(|&&atom| ground.place(atom).is_none()).count()
    }
}
