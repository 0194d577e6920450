//! Earlier answers: where a search begins, and what new answers are to stay close to.
//!
//! Invariant: only atoms and shown terms that the search decides, of the earlier answer's predicates, are compared.

use super::{Control, Place};
use asp_base::map::{Map, Set};
use asp_base::symbol::{StrId, Sym, SymView};
use asp_program::Literal;
use asp_program::ground_program::ShowItem;

/// A name with its arity, and whether it is negated.
type Named = (StrId, u32, bool);

/// A shown term: whether it is in the answer, and its conditions.
struct Shown {
    term: Sym,
    holds: bool,
    conditions: Vec<Vec<Literal>>,
}

impl Shown {
    /// The literal that decides whether it is shown, if that is one.
    fn literal(&self) -> Option<Literal> {
        match &self.conditions[..] {
            [condition] if condition.len() == 1 => Some(condition[0]),
            _ => None,
        }
    }

    fn is_certain(&self) -> bool {
        self.conditions.iter().any(Vec::is_empty)
    }
}

impl Control {
    /// Literals that held in an earlier answer, its atoms first. The answer is a list of terms. Pre: the program is
    /// grounded.
    pub fn as_in(&self, answer: &[Sym]) -> Vec<Literal> {
        let ground = self.as_ground();
        let places: Set<Place> = answer.iter().filter_map(|&atom| ground.place(atom)).collect();
        let named: Set<Named> = answer.iter().filter_map(|&atom| self.named(atom)).collect();
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
        for shown in self.shown_terms(answer) {
            match shown.literal() {
                Some(literal) if shown.holds => holding.push(literal),
                Some(literal) => failing.push(!literal),
                None => {}
            }
        }
        holding.append(&mut failing);
        holding
    }

    fn named(&self, term: Sym) -> Option<Named> {
        match self.symbols().view(term) {
            SymView::Fun { name, args, negative } => Some((name, args.len() as u32, negative)),
            _ => None,
        }
    }

    /// The shown terms of the answer's predicates that are not atoms, in order.
    fn shown_terms(&self, answer: &[Sym]) -> Vec<Shown> {
        let ground = self.as_ground();
        let named: Set<Named> = answer.iter().filter_map(|&atom| self.named(atom)).collect();
        let holding: Set<Sym> = answer.iter().copied().collect();
        let mut found: Vec<Shown> = Vec::new();
        let mut numbers: Map<Sym, usize> = Map::default();
        for (_, item, condition) in self.program().shown() {
            let ShowItem::Term(term) = item else { continue };
            if self.named(term).is_some_and(|name| named.contains(&name)) && ground.place(term).is_none() {
                let number = *numbers.entry(term).or_insert(found.len());
                if number == found.len() {
                    found.push(Shown { term, holds: holding.contains(&term), conditions: Vec::new() });
                }
                found[number].conditions.push(condition.to_vec());
            }
        }
        found
    }

    /// Minimises the differences of a grounded program's answers to an earlier one: each costs 1, on the level or, without
    /// one, below all others. Returns how many of the answer's atoms and terms can no longer hold.
    pub fn stay_near(&mut self, answer: &[Sym], level: Option<i64>) -> usize {
        let program = self.program();
        let levels = program.minimize.iter().map(|m| m.priority);
        let levels = levels.chain(program.objectives.iter().map(|o| o.priority));
        let level = level.unwrap_or_else(|| levels.min().map_or(0, |least| least.saturating_sub(1)));
        let mut costs: Vec<(Literal, i64)> =
            self.as_in(answer).into_iter().map(|literal| (!literal, 1)).collect();
        let terms = self.shown_terms(answer);
        for shown in terms.iter().filter(|shown| shown.literal().is_none() && !shown.is_certain()) {
            let mut backend = self.backend();
            let atom = backend.auxiliary();
            shown.conditions.iter().for_each(|condition| backend.rule(false, &[atom], condition));
            costs.push((Literal::new(atom, shown.holds), 1));
        }
        self.backend().minimize(level, &costs);
        let ground = self.as_ground();
        let shown: Set<Sym> = terms.iter().map(|shown| shown.term).collect();
        answer.iter().filter(|&&atom| ground.place(atom).is_none() && !shown.contains(&atom)).count()
    }
}
