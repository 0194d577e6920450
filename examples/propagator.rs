//! A user-defined constraint in the search: `cargo run --example propagator`.
//!
//! Of two neighbours in a row at most one is chosen; choosing one excludes both neighbours at once.

use asp::propagator::{AtomLits, Conflict, Context, Keep, Lit, Propagator, View};
use asp::{Control, Error};

struct Apart(Vec<(Lit, Lit)>);

impl Propagator for Apart {
    fn attach(&mut self, context: &mut Context<'_>) {
        self.0.iter().flat_map(|pair| [pair.0, pair.1]).for_each(|lit| context.watch(lit));
    }
    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
        for pair in self.0.iter().filter(|pair| changed.contains(&pair.0) || changed.contains(&pair.1)) {
            context.add_nogood(&[pair.0, pair.1], Keep::Always)?;
        }
        Ok(())
    }
    fn explain(&mut self, _: View<'_>, _: Lit, _: u32, _: &mut Vec<Lit>) {
        // Clauses explain themselves.
    }
}

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let mut control = Control::new();
    control.add("{ at(1..6) }.");
    control.add_propagator(|atoms: &AtomLits<'_>| {
        let at = atoms.of("at", 1);
        Box::new(Apart(at.windows(2).map(|pair| (pair[0].1, pair[1].1)).collect()))
    });
    let result = control.solve(0, |answer| {
        println!("{answer}");
        true
    })?;
    // The number of ways is a Fibonacci number.
    assert_eq!(result.models, 21);
    Ok(())
}
