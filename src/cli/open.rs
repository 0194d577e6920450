//! Opening a program: constants and files to a control.
//!
//! Invariant: a constant of the command line comes before all files and overrides what they say.

use std::io;

use super::library::{self, LibraryLoader};
use crate::base::interrupt::Interrupt;
use crate::control::{Control, Source};

/// A control without texts; what they include is found as the files of the command line are.
pub(crate) fn empty(interrupt: Interrupt) -> Control {
    let mut control = Control::with_interrupt(interrupt);
    control.set_loader(LibraryLoader);
    control
}

/// A control with constants (`NAME=TERM`) and no other texts.
pub(crate) fn with_constants(interrupt: Interrupt, definitions: &[String]) -> Control {
    let mut control = empty(interrupt);
    for definition in definitions {
        let text = format!("#const {definition}. [override]");
        control.add_source(Source::new(format!("<{definition}>"), text));
    }
    control
}

/// Adds a file; says where it was found, if not where its name says.
pub(crate) fn add_file(control: &mut Control, name: &str) -> io::Result<Option<String>> {
    let found = library::read(name)?;
    control.add_source(Source::new(found.name, found.bytes));
    Ok(found.note)
}
