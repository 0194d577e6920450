//! Solves a Futoshiki of the library and prints its grid: `cargo run --example futoshiki`.

use std::path::Path;

use asp::{Control, Error};

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut control = Control::new();
    for file in ["programs/futoshiki.lp", "instances/grid4.lp"] {
        control.load(&root.join(file)).map_err(|error| Error::Format(format!("{file}: {error}")))?;
    }
    let mut answers = control.answers().start()?;
    let mut found = 0;
    while let Some(answer) = answers.next()? {
        found += 1;
        let mut cells: Vec<[i64; 3]> = Vec::new();
        for atom in answer.terms().filter(|term| term.is("cell_has_number", 3)) {
            let mut numbers = atom.arguments().filter_map(|argument| argument.number());
            cells.push([(); 3].map(|()| numbers.next().unwrap_or_default()));
        }
        cells.sort_unstable();
        for row in cells.chunk_by(|a, b| a[0] == b[0]) {
            println!("{}", row.iter().map(|cell| cell[2].to_string()).collect::<Vec<_>>().join(" "));
        }
        assert_eq!(cells.iter().map(|cell| cell[2]).collect::<Vec<_>>()[..4], [2, 3, 1, 4]);
    }
    assert_eq!(found, 1);
    Ok(())
}
