//! What a search has done: `cargo run --example statistics`.

use asp::{Control, Error};

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let mut control = Control::new();
    control.add(
        "1 { queen(X,Y) : Y = 1..8 } 1 :- X = 1..8.
         :- queen(X,Y), queen(V,Y), X < V.
         :- queen(X,Y), queen(V,W), X < V, |X-V| = |Y-W|.",
    );
    let result = control.solve(0, |_| true)?;
    assert_eq!(result.models, 92);
    let statistics = control.statistics();
    let search = &statistics.search;
    println!("{} atoms, {} rules, tight: {}", statistics.atoms, statistics.rules, statistics.tight);
    println!("{} choices, {} conflicts, {} restarts", search.choices, search.conflicts, search.restarts);
    println!("{} clauses learned", search.learned);
    assert!(statistics.tight && statistics.rules > 0);
    assert!(search.choices >= 91 && search.conflicts > 0);
    Ok(())
}
