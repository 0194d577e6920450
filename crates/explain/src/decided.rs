//! What the facts decide about atoms, with aggregates: which hold in every answer set, and which in none.
//!
//! Invariant: both follow from the facts by rules, definitions and the lack of rules; what is not certain is left open.

use crate::inquiry::Inquiry;
use crate::inquiry::items::{Origin, Support};
use crate::renderer::aggregates::derived_by_facts;
use asp_program::ground_program::Definition;

/// How often rules that need each other are looked at.
const ROUNDS: usize = 16;

/// What the facts of a program decide, by atom.
pub(crate) fn by_facts(inquiry: &Inquiry) -> Vec<Option<bool>> {
    let (program, symbols) = (inquiry.program(), inquiry.symbols());
    let mut values = vec![None; program.atoms.len()];
    derived_by_facts(inquiry).into_iter().for_each(|atom| values[atom.0 as usize] = Some(true));
    if !program.definitions.iter().any(|d| matches!(d.definition, Definition::Aggregate { .. })) {
        return values;
    }
    let items = inquiry.items();
    for _ in 0..ROUNDS {
        let mut is_new = false;
        let mut set = |values: &mut [Option<bool>], atom: usize, value: Option<bool>| {
            values[atom] = value;
            is_new |= value.is_some();
        };
        for (atom, meaning) in &items.meanings {
            let atom = atom.0 as usize;
            if values[atom].is_none() {
                let value = meaning.truth(&values, symbols);
                set(&mut values, atom, value);
            }
        }
        for (atom, supports) in items.supports.iter().enumerate() {
            if values[atom].is_some() || supports.is_empty() {
                continue;
            }
            let truth = |s: &Support| s.applies().truth(&values, symbols);
            let derives = |s: &Support| matches!(s.origin, Origin::Rule(_)) && !s.choice;
            let value = if supports.iter().any(|s| derives(s) && truth(s) == Some(true)) {
                Some(true)
            } else {
                supports.iter().all(|s| truth(s) == Some(false)).then_some(false)
            };
            set(&mut values, atom, value);
        }
        if !is_new {
            break;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use asp_base::rng::Rng;
    use asp_program::AtomId;

    /// A random program of facts, aggregates over them, choices and rules that need each other.
    fn program(rng: &mut Rng) -> String {
        let mut text = String::from("d(1..2). ");
        for _ in 0..1 + rng.below(3) {
            text += &format!("q({},{}). ", 1 + rng.below(2), rng.below(5) as i64 - 1);
        }
        let rules = [
            "s(S) :- S = #sum { W,X : q(X,W) }.",
            "m(S) :- S = #max { W,X : q(X,W), not r(X) }.",
            "c(X,D) :- d(X), D = #count { Y : q(X,Y) }.",
            "e(X) :- d(X), not big.",
            "e(X) :- d(X), r(X), not c(X,1).",
            "t(S) :- S = #sum+ { W,X : q(X,W), e(X) }.",
            "k :- #min { X : c(X,D), D > 1 } >= 2.",
            "l(X) :- d(X), #count { Y : q(Y,X); Y,z : l(Y), Y < X } > 0.",
            "{ r(X) : d(X) }.",
            "r(1) :- not k, s(_).",
            "u(X) ; v :- l(X), m(S), S >= 0.",
            ":- t(S), S > 2.",
        ];
        for rule in rules {
            if rng.chance(0.6) {
                text += rule;
            }
        }
        text + &format!("big :- s(S), S > {}. ", rng.below(5) as i64 - 1)
    }

    #[test]
    fn decided_atoms_are_those_of_all_answer_sets() {
        let (mut certain, mut refuted) = (0, 0);
        for seed in 0..250 {
            let text = program(&mut Rng::new(seed));
            let inquiry = random::open(&text, false, false);
            let decided = by_facts(&inquiry);
            let without = derived_by_facts(&inquiry);
            let atoms = &inquiry.program().atoms;
            let name = |atom: AtomId| {
                let mut text = String::new();
                atoms.write(atom, inquiry.symbols(), &mut text);
                text
            };
            let is_left = |literal: &str| random::is_satisfiable(&format!("{text} :- {literal}."));
            for atom in atoms.ids().filter(|&a| atoms.get(a).is_some() && !without.contains(&a)) {
                match decided[atom.0 as usize] {
                    Some(true) => {
                        assert!(!is_left(&name(atom)), "{} is not certain: {text}", name(atom));
                        certain += 1;
                    }
                    Some(false) => {
                        assert!(
                            !is_left(&format!("not {}", name(atom))),
                            "{} is not refuted: {text}",
                            name(atom)
                        );
                        refuted += 1;
                    }
                    None => {}
                }
            }
        }
        assert!(certain > 100 && refuted > 100, "only {certain} and {refuted} atoms");
    }
}
