//! Reading what a run is about: programs, puzzles, tables, steps of ground programs.
//!
//! Invariant: whatever cannot be read is among the messages before the run ends for it.

use super::state::lock;
use super::work::Run;
use crate::base::diagnostic::{Diagnostic, WarningKind};
use crate::base::nearest::nearest;
use crate::base::span::Span;
use crate::cli::{input, library, open};
use crate::control::{Control, Error, Source};

impl Run<'_> {
    pub(super) fn read(&self, control: &mut Control) -> Result<(), Error> {
        if !self.options.show_preds.is_empty() {
            let lines =
                self.options.show_preds.iter().map(|(name, arity)| format!("#show {name}/{arity}.\n"));
            control.add_source(Source::new("<command line>", lines.collect::<String>()));
        }
        let stdin = ["-".to_string()];
        let files = if self.options.files.is_empty() { &stdin[..] } else { &self.options.files };
        let mut stdin_read = false;
        let mut notes = Vec::new();
        for name in files {
            if name == "-" && std::mem::replace(&mut stdin_read, true) {
                let kind = WarningKind::FileIncluded;
                let message = "already included file: standard input";
                control.push_diagnostic(Diagnostic::warning(kind, Span::NONE, message));
                continue;
            }
            match open::add_file(control, name) {
                Ok(note) => notes.extend(note),
                Err(error) => {
                    let why = match error.kind() {
                        std::io::ErrorKind::NotFound => String::new(),
                        _ => format!(" ({error})"),
                    };
                    let message = format!("file could not be opened: {name}{why}");
                    let mut diagnostic = Diagnostic::error(Span::NONE, message);
                    let meant = nearest(name, self.subcommands.iter().copied())
                        .filter(|_| files.first() == Some(name));
                    if let Some(near) = library::nearest(name) {
                        diagnostic =
                            diagnostic.help(format!("did you mean `{near}` of the embedded library?"));
                    } else if let Some(command) = meant.filter(|_| !name.contains('.')) {
                        diagnostic = diagnostic.help(format!("did you mean the subcommand `asp {command}`?"));
                    }
                    control.push_diagnostic(diagnostic);
                }
            }
            self.stopped()?;
        }
        notes.extend(input::load(&self.options.inputs, control, &self.options.consts));
        if !notes.is_empty() {
            lock(self.shared).message(&format!("*** Info : (asp): {}", notes.join("; ")));
        }
        if self.report(control) { Err(Error::Parse) } else { Ok(()) }
    }

    /// Reads the next step of a ground program, if there is one.
    pub(super) fn read_step(&self, control: &mut Control) -> Result<bool, Error> {
        let result = control.read_ground_step();
        self.report(control);
        result
    }
}
