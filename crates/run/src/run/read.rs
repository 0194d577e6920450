//! Reading the input of a run: programs, puzzles, tables, steps of ground programs.
//!
//! Invariant: whatever cannot be read is reported before the run ends because of it.

use std::io::IsTerminal as _;

use super::state::lock;
use super::work::{Failed, Run};
use crate::open::read_as_data;
use crate::{exit, input, library, terminal};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::nearest::nearest;
use asp_base::span::Span;
use asp_control::{Control, Error, Report, Source};
use asp_options::raw::Mode;

/// The contents of a file; `None` for standard input named again.
type ReadFile = Option<std::io::Result<library::LibraryFile>>;

impl Run {
    pub(super) fn read(&self, control: &mut Control) -> Result<(), Failed> {
        let mut notes = Vec::new();
        for (place, (name, read)) in self.read_files()?.into_iter().enumerate() {
            match read {
                None => {
                    let kind = WarningKind::FileIncluded;
                    let message = "already included file: standard input";
                    control.push_diagnostic(Diagnostic::warning(kind, Span::NONE, message));
                }
                Some(Ok(found)) => {
                    notes.extend(found.note);
                    notes.extend(read_as_data(&found.name, &found.bytes));
                    control.add_source(Source::new(found.name, found.bytes));
                }
                Some(Err(error)) => {
                    let message = format!("file could not be opened: {}", unreadable(name, &error));
                    let mut diagnostic = Diagnostic::error(Span::NONE, message);
                    diagnostic.help.extend(self.meant(name, place == 0));
                    control.push_diagnostic(diagnostic);
                }
            }
        }
        self.stopped()?;
        let style = self.options.style.for_input(control.notation(self.options.mode == Mode::Clasp));
        {
            let mut state = lock(&self.shared);
            if style != self.options.style {
                state.set_style(&style);
            }
        }
        if !self.scripts.as_ref().is_some_and(|scripts| scripts.may_be_in(control.texts())) {
            self.head();
        }
        notes.extend(input::load(&self.options.inputs, control, &self.options.consts));
        self.read_earlier(control);
        if !notes.is_empty() {
            lock(&self.shared).message(&format!("*** Info : (asp): {}", notes.join("; ")));
        }
        if self.report(control) { Err(Error::Parse(Report::told("parsing failed")).into()) } else { Ok(()) }
    }

    /// Reads the files, standard input last; `None` where it is named again. As in clingo, only the first file may be
    /// found missing after the run has begun.
    fn read_files(&self) -> Result<Vec<(&str, ReadFile)>, Failed> {
        let given: Vec<&str> = self.options.files.iter().map(String::as_str).collect();
        let names = if given.is_empty() { vec!["-"] } else { given };
        let mut read: Vec<_> =
            names.iter().map(|&name| (name, (name != "-").then(|| library::read(name)))).collect();
        let first = usize::from(self.options.mode != Mode::Clasp);
        for (name, result) in read.iter().skip(first) {
            if let Some(Err(error)) = result {
                // If several are missing, the first may be meant as a subcommand.
                let is_command = read.first().is_some_and(|(_, first)| matches!(first, Some(Err(_))));
                let help = if is_command { self.meant(names[0], true) } else { self.meant(name, false) };
                return Err(Failed::Code(self.end_without_file(&unreadable(name, error), help)));
            }
        }
        if let Some(place) = names.iter().position(|&name| name == "-") {
            if self.options.mode != Mode::Clasp && std::io::stdin().is_terminal() {
                self.head();
            }
            if self.options.files.is_empty() && terminal::types_input() {
                let hint =
                    "type a program and end it with Ctrl-D, or give a file: asp FILE; asp --help tells more";
                lock(&self.shared).message(&format!("*** Info : (asp): {hint}"));
            }
            read[place].1 = Some(library::read("-"));
        }
        Ok(read)
    }

    /// Ends before anything runs, for a file that is missing; returns the exit code.
    pub(super) fn end_without_file(&self, file: &str, help: Option<String>) -> u8 {
        let mut state = lock(&self.shared);
        state.finished = true;
        state.message(&format!("*** ERROR: (asp): '{file}': could not open input file!"));
        if let Some(help) = help {
            state.message(&format!("*** Info : (asp): {help}"));
        }
        state.message("*** Info : (asp): Try '--help' for usage information");
        exit::MISSING_FILE
    }

    /// The probable meaning of a name without a file.
    fn meant(&self, name: &str, is_first: bool) -> Option<String> {
        if let Some(near) = library::nearest(name) {
            return Some(format!("did you mean `{near}` of the embedded library?"));
        }
        let command =
            nearest(name, self.subcommands.iter().copied()).filter(|_| is_first && !name.contains('.'));
        command.map(|command| format!("did you mean the subcommand `asp {command}`?"))
    }

    /// Reads the next step of a ground program, if there is one.
    pub(super) fn read_step(&self, control: &mut Control) -> Result<bool, Error> {
        let result = control.read_ground_step();
        self.report(control);
        result
    }
}

/// A file's name, and why it cannot be read unless it is just missing.
fn unreadable(name: &str, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => name.to_string(),
        _ => format!("{name} ({error})"),
    }
}
