//! A theory with atoms of its own: `cargo run --example theory`.
//!
//! `&even { X : p(X) }` holds if an even number of its elements does.

use asp::program::theory_term;
use asp::propagator::{CheckMode, Failure, Init, Lifetime, Search, Theory};
use asp::{Control, Error};

/// The theory atoms: the literal of each, and those of its elements.
#[derive(Default)]
struct Even(Vec<(i32, Vec<i32>)>);

impl Theory for Even {
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        *init.check_mode() = CheckMode { fixpoints: false, total: true };
        let ground = init.ground();
        let program = ground.program();
        for atom in program.theory.present() {
            let name = theory_term(program, ground.symbols(), atom.term);
            if let Some(holds) = atom.atom.filter(|_| name == "even") {
                let elements = atom.elements.iter().map(|&element| init.condition(element)).collect();
                let literal = init.literal(asp::program::Literal::pos(holds));
                self.0.push((literal, elements));
            }
        }
        Ok(())
    }

    fn check(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure> {
        for (holds, elements) in &self.0 {
            let (mut clause, mut odd) = (vec![-holds], false);
            for &element in elements {
                let is_true = search.assignment().is_true(element)?;
                odd ^= is_true;
                clause.push(if is_true { -element } else { element });
            }
            let violated = odd && search.assignment().is_true(*holds)?;
            if violated && !search.add_clause(&clause, Lifetime::default())? {
                break;
            }
        }
        Ok(())
    }
}

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let mut control = Control::new();
    control.add(
        "#theory parity { term { }; &even/0 : term, head }.
         { p(1..4) }.
         &even { X : p(X) }.",
    );
    control.add_theory(Even::default());
    let mut count = 0;
    control.solve(0, |answer| {
        let size = answer.terms().filter(|term| term.is("p", 1)).count();
        assert_eq!(size % 2, 0, "{answer}");
        count += 1;
        true
    })?;
    assert_eq!(count, 8);
    Ok(())
}
