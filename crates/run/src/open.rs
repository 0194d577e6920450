//! Opening a program: constants and files to a control.
//!
//! Invariant: a constant of the command line precedes all files and overrides their definitions.

use std::io;
use std::path::Path;

use super::library::{self, LibraryLoader};
use asp_base::interrupt::Interrupt;
use asp_control::{Control, Source};
use asp_options::settings::constant;

/// A control without texts; includes are found like files of the command line.
pub fn empty(interrupt: Interrupt) -> Control {
    let mut control = Control::with_interrupt(interrupt);
    control.set_loader(LibraryLoader);
    control
}

/// A control with constants (`NAME=TERM`) and no other text.
pub fn with_constants(interrupt: Interrupt, definitions: &[String]) -> Control {
    let mut control = empty(interrupt);
    for definition in definitions {
        control.add_source(constant(definition));
    }
    control
}

/// What to write for a table or grid that is given as a program.
pub fn read_as_data(name: &str, text: &[u8]) -> Option<String> {
    let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    let stem = Path::new(name).file_stem()?.to_str()?;
    let option = match extension.as_str() {
        "csv" | "tsv" => format!("--csv {stem}={name}"),
        "json" => format!("--json {stem}={name}"),
        "txt" => {
            let line = text.split(|&c| c == b'\n').find(|line| !line.trim_ascii().is_empty())?;
            let is_cell = |c: &u8| c.is_ascii_digit() || b" .|+-_\t\r".contains(c);
            (line.iter().all(is_cell) && line.contains(&b'.')).then(|| format!("--grid {name}"))?
        }
        _ => return None,
    };
    Some(format!("{name} is read as a program; `{option}` reads it as data"))
}

/// Adds a file; returns what to write if it is data.
pub fn add_file(control: &mut Control, name: &str) -> io::Result<Option<String>> {
    let found = library::read(name)?;
    let told = read_as_data(&found.name, &found.bytes);
    control.add_source(Source::new(found.name, found.bytes));
    Ok(told)
}
