//! Learned nogoods written to and read from a file, as aspif or as text.
//!
//! Invariant: written nogoods hold in every answer set, and their numbers are those of the ground program for the same command
//! line: a run that reads them has the same answer sets.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;

use asp_control::{Control, Error};
use asp_options::lemmas::LemmaOptions;
use asp_solve::Lemma;

/// Passes on what was read, once.
pub(super) fn add(options: &LemmaOptions, control: &mut Control) -> Result<(), Error> {
    let unknown = |number| Error::Format(format!("'lemma-in': there is no atom {number}"));
    control.add_nogoods(&options.given).map_err(unknown)
}

/// Writes what was learned; returns what goes to standard output.
pub(super) fn write(options: &LemmaOptions, control: &mut Control) -> Result<Vec<u8>, String> {
    let Some(name) = &options.to else { return Ok(Vec::new()) };
    let learned = control.take_lemmas();
    let lines = if options.text { as_text(&learned, control) } else { as_aspif(&learned, control) };
    if name == "-" {
        return Ok(lines.into_bytes());
    }
    let written = File::create(name).and_then(|mut file| file.write_all(lines.as_bytes()));
    written.map_err(|why| format!("Could not write lemma log file '{name}': {why}"))?;
    Ok(Vec::new())
}

fn as_aspif(learned: &[Lemma], control: &Control) -> String {
    let mut lines = String::from("asp 1 0 0\n");
    for lemma in learned {
        let _ = write!(lines, "1 0 0 0 {}", lemma.literals.len());
        for l in &lemma.literals {
            let number = control.atom_number(l.atom());
            let _ = write!(lines, " {}", if l.is_neg() { -number } else { number });
        }
        lines.push('\n');
    }
    lines.push_str("0\n");
    lines
}

/// As integrity constraints; those with auxiliary atoms, which have no names, are left out.
fn as_text(learned: &[Lemma], control: &Control) -> String {
    let mut lines = String::new();
    for lemma in learned {
        let literal = |l: &asp_program::Literal| {
            let (signature, args) = control.program().atoms.get(l.atom())?;
            let mut text = String::from(if l.is_neg() { "not " } else { "" });
            control.symbols().write_atom(signature.name, args, signature.negative, &mut text);
            Some(text)
        };
        if let Some(literals) = lemma.literals.iter().map(literal).collect::<Option<Vec<String>>>() {
            let _ = writeln!(lines, ":- {}.  %lbd = {}", literals.join(", "), lemma.lbd);
        }
    }
    lines
}
