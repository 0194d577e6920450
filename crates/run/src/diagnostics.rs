//! Messages about the input: which ones are shown, and how.
//!
//! Invariant: a message is taken from the control once; errors are always shown.

use super::terminal;
use crate::stderr::tell_coloured;
use asp_base::diagnostic::{Diagnostic, Severity};
use asp_base::span::Sources;
use asp_control::Control;
use asp_options::warnings::Warnings;
use asp_report::diagnostic;

/// Which messages are shown and whether they are coloured.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    /// Which warnings are shown.
    pub warnings: Warnings,
    /// Whether they are coloured.
    pub color: bool,
}

/// The messages taken from a control.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Taken {
    /// Those that are shown, rendered.
    pub(crate) texts: Vec<String>,
    /// Whether there are errors among them, or warnings that count as errors.
    pub(crate) errors: bool,
}

impl Diagnostics {
    /// Messages for standard error.
    pub fn new(warnings: Warnings) -> Self {
        Self { warnings, color: terminal::colors_messages() }
    }

    /// Takes the messages since the last call.
    pub(crate) fn take(&self, control: &mut Control) -> Taken {
        let mut taken = Taken::default();
        for message in control.take_diagnostics() {
            taken.errors |= message.severity == Severity::Error;
            if let Some(text) = self.text(&message, control.sources()) {
                taken.errors |= self.warnings.rejects(&message);
                taken.texts.push(text);
            }
        }
        taken
    }

    /// A message, rendered, if it is shown.
    pub(crate) fn text(&self, message: &Diagnostic, sources: &Sources) -> Option<String> {
        let is_shown =
            message.severity == Severity::Error || message.kind.is_none_or(|kind| self.warnings.shows(kind));
        let render = || diagnostic::render(message, sources, self.color).trim_end_matches('\n').to_string();
        is_shown.then(render)
    }

    /// Prints the messages since the last call; returns whether there are errors among them.
    pub fn print(&self, control: &mut Control) -> bool {
        let taken = self.take(control);
        taken.texts.iter().for_each(|text| tell_coloured(text));
        taken.errors
    }
}
