//! Opening a program: constants and files to a control.
//!
//! Invariant: a constant of the command line precedes all files and overrides their definitions.

use std::io;

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

/// Adds a file; returns where it was found, if not under its name.
pub fn add_file(control: &mut Control, name: &str) -> io::Result<Option<String>> {
    let found = library::read(name)?;
    control.add_source(Source::new(found.name, found.bytes));
    Ok(found.note)
}
