//! Texts and trees that are added while a call has the engine's control: they are tried on another control, so that their errors
//! are told at once, and added when the engine's is back.
//!
//! Invariant: what is put off is added before anything else is done with the control, and in order.

use super::{Control, lock};
use crate::error::Fail;

/// Adds something to a program.
pub type Addition = Box<dyn Fn(&mut asp::Control) -> Result<(), Fail> + Send>;

impl Control {
    /// Adds something to the program, now or when the control is back. An error if the program has one.
    pub fn add(&self, addition: Addition) -> Result<(), Fail> {
        self.messages.check("parsing failed")?;
        if !self.is_away() {
            return self.with(|inner| addition(inner));
        }
        let mut trial = asp::Control::new();
        self.lua.serve(&mut trial);
        let result = addition(&mut trial);
        let (messages, told) = self.messages.take(&mut trial, self.console.as_deref());
        self.messages.tell(messages);
        result.and(told)?;
        lock(&self.additions).push(addition);
        Ok(())
    }

    /// Adds what has been put off. Its messages have been told, and its scripts have run.
    pub(super) fn catch_up(&self, inner: &mut asp::Control) {
        let additions = std::mem::take(&mut *lock(&self.additions));
        if additions.is_empty() {
            return;
        }
        let told = inner.take_diagnostics();
        inner.set_scripts(|_| Ok(()));
        for addition in additions {
            // What goes wrong here but not in the trial is found again when the program is grounded.
            let _ = addition(inner);
        }
        self.lua.serve(inner);
        inner.take_diagnostics();
        told.into_iter().for_each(|message| inner.push_diagnostic(message));
    }
}
