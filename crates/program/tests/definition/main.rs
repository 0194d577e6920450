//! Lowering and formats against the definition of answer sets.

mod formats;
mod lowering;

use asp_base::symbol::Symbols;
use asp_program::Program;
use asp_program::aspif::AspifWriter;

/// A whole program as one step of aspif.
fn to_aspif(program: &Program, symbols: &Symbols) -> String {
    let mut out = Vec::new();
    AspifWriter::new(false)
        .write(&mut program.clone(), symbols, &mut out)
        .expect("writing to memory cannot fail");
    String::from_utf8_lossy(&out).into_owned()
}
