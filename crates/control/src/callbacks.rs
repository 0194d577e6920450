//! The caller's callbacks: functions and scripts while grounding, propagators and theories in search.

use std::sync::{Arc, Mutex, PoisonError};

use super::propagators::Maker;
use super::scripts::Scripts;
use super::{Error, Functions};
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Sources;
use asp_solve::theory::host::{Host, Theories};
use asp_solve::theory::member::Member;

/// Receives each message at once, with the texts that it points into.
pub(super) type Listener = dyn FnMut(&Diagnostic, &Sources) + Send;

/// The caller's callbacks.
#[derive(Default)]
pub(super) struct Callbacks {
    /// Evaluates `@f(...)`.
    pub(super) functions: Option<Box<Functions>>,
    /// Receives messages during grounding.
    pub(super) listener: Option<Box<Listener>>,
    /// Runs scripts.
    pub(super) scripts: Option<Box<Scripts>>,
    pub(super) propagators: Vec<Maker>,
    /// The session's generation that the propagators were made for.
    pub(super) installed: Option<u64>,
    pub(super) theories: Option<Arc<Mutex<Theories>>>,
}

impl Callbacks {
    /// Whether something besides the program constrains the search.
    pub(super) fn constrain(&self) -> bool {
        self.theories.is_some() || !self.propagators.is_empty()
    }

    pub(super) fn add_theory(&mut self, theory: Box<dyn Member>) {
        let theories = self.theories.get_or_insert_default();
        theories.lock().unwrap_or_else(PoisonError::into_inner).add(theory);
    }
}

/// The error with which a theory failed, if any.
pub(super) fn failure(theories: Option<&Arc<Mutex<Theories>>>) -> Option<Error> {
    let failure = Host::new(theories?).theories().take_failure();
    failure.map(|failure| Error::Theory(failure.into()))
}
