//! What is added while a call has the engine's control, and when that is back: texts and trees, which are tried on another control
//! so that their errors are told at once, propagators and observers.
//!
//! Invariant: what is put off is added before anything else is done with the control, and in order. What cannot be added then,
//! although it could in the trial, is told like any error of a program: no later text is taken, and nothing is grounded.

use std::sync::Mutex;

use asp::message::{Diagnostic, Severity, Span};

use super::{Control, Slot, lock};
use crate::ast::Trees;
use crate::error::Fail;

/// Adds something to a program, and the trees that it is built from to others.
pub type Addition = Box<dyn Fn(&mut asp::Control, &Mutex<Trees>) -> Result<(), Fail> + Send>;

/// Adds something that has been tried. Of its messages, those are left that say why it cannot be added.
fn add_tried(inner: &mut asp::Control, trees: &Mutex<Trees>, addition: &Addition) -> Vec<Diagnostic> {
    let result = addition(inner, trees);
    let mut messages = inner.take_diagnostics();
    messages.retain(|message| message.severity == Severity::Error);
    if let Err(fail) = result
        && messages.is_empty()
    {
        messages.push(Diagnostic::error(Span::NONE, fail.to_string()));
    }
    messages
}

impl Control {
    /// Does something to the control, now or when it is back.
    pub fn when_back(&self, addition: Addition) -> Result<(), Fail> {
        self.catch_up();
        if !self.is_away() {
            return self.with(|inner| addition(inner, &self.messages.trees));
        }
        lock(&self.additions).push(addition);
        Ok(())
    }

    /// Adds something to the program, now or when the control is back. An error if the program has one.
    pub fn add(&self, addition: Addition) -> Result<(), Fail> {
        self.catch_up();
        self.messages.check("parsing failed")?;
        if !self.is_away() {
            return self.with(|inner| addition(inner, &self.messages.trees));
        }
        let mut trial = asp::Control::new();
        self.lua.serve(&mut trial);
        let trees = Mutex::default();
        let result = addition(&mut trial, &trees);
        let (messages, told) = self.messages.take(&mut trial, &trees, self.console.as_deref());
        self.messages.tell(messages);
        result.and(told)?;
        lock(&self.additions).push(addition);
        Ok(())
    }

    /// Adds what has been put off, if the control is back. The scripts in it have run, and its warnings have been told; files may
    /// have changed since, and the program may have what the trial had not, so that there may be errors.
    pub fn catch_up(&self) {
        let messages = {
            let mut slot = lock(&self.slot);
            let Slot::Here(inner) = &mut *slot else { return };
            let additions = std::mem::take(&mut *lock(&self.additions));
            if additions.is_empty() {
                return;
            }
            let before = inner.take_diagnostics();
            inner.set_scripts(|_| Ok(()));
            let errors: Vec<Diagnostic> =
                additions.iter().flat_map(|a| add_tried(inner, &self.messages.trees, a)).collect();
            self.lua.serve(inner);
            errors.into_iter().for_each(|message| inner.push_diagnostic(message));
            let (messages, _) = self.messages.take(inner, &self.messages.trees, self.console.as_deref());
            before.into_iter().for_each(|message| inner.push_diagnostic(message));
            messages
        };
        self.messages.tell(messages);
    }
}
