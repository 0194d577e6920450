//! The findings of checking and grounding a program: its messages, and the numbers of atoms and instances.
//!
//! First comes all that is known before anything is instantiated, then, if there are no errors, what grounding within limits
//! adds. Invariant: a review is current as long as all texts of its program are those that it was made from.

use std::collections::BTreeMap;
use std::sync::Arc;

use asp_analysis::buffers::{self, BufferLoader};
use asp_analysis::project::{Entry, Predicate};
use asp_base::diagnostic::{Diagnostic, Severity};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::span::{Sources, Span};
use asp_control::{Control, Error, Source};
use asp_run::library::LibraryLoader;

use asp_run::look;

/// The input of a review.
pub(super) struct Request {
    pub(super) root: String,
    /// All texts of the program.
    pub(super) texts: Vec<Entry>,
    /// Finds them.
    pub(super) loader: BufferLoader<LibraryLoader>,
    /// Instances after which grounding ends.
    pub(super) instances: u64,
}

/// The counts of grounding.
#[derive(Default)]
pub(super) struct Counts {
    /// Atoms that may hold, by predicate.
    pub(super) atoms: BTreeMap<Predicate, u32>,
    /// Instances, by the text and the first byte of the statement.
    pub(super) instances: BTreeMap<(String, usize), u64>,
}

pub(super) struct Review {
    /// The texts that it is about.
    pub(super) texts: Vec<Entry>,
    pub(super) messages: Vec<Diagnostic>,
    /// The texts that they point into.
    pub(super) sources: Sources,
    /// By source text: its key.
    pub(super) keys: Vec<String>,
    /// The counts, if grounding came to its end.
    pub(super) counts: Option<Counts>,
    /// Whether this is all that there will be.
    pub(super) is_complete: bool,
}

impl Review {
    /// Nothing is known of some texts, and will not be.
    pub(super) fn nothing(texts: Vec<Entry>) -> Self {
        let (messages, sources, keys) = (Vec::new(), Sources::new(), Vec::new());
        Self { texts, messages, sources, keys, counts: None, is_complete: true }
    }

    /// Whether it is about these texts.
    pub(super) fn is_of(&self, texts: &[Entry]) -> bool {
        self.texts.len() == texts.len()
            && self.texts.iter().zip(texts).all(|(a, b)| a.key == b.key && Arc::ptr_eq(&a.index, &b.index))
    }

    /// The text that a place is in and its first position.
    pub(super) fn place(&self, span: Span) -> Option<(&str, u32)> {
        let file = self.sources.file_of(span)?;
        let number = self.sources.files().partition_point(|f| f.start <= span.lo).checked_sub(1)?;
        Some((self.keys.get(number)?, file.start))
    }
}

/// Reviews a program: `tell` takes what is found, the last time all of it.
pub(super) fn review(request: Request, interrupt: &Interrupt, tell: &mut dyn FnMut(Review)) {
    // One instance: only messages before grounding.
    let (first, goes_on) = look(&request, 1, interrupt);
    if !goes_on || request.instances <= 1 {
        return tell(first);
    }
    tell(Review { is_complete: false, ..first });
    tell(look(&request, request.instances, interrupt).0);
}

/// Reviews a program with this many instances; returns whether more would find more.
fn look(request: &Request, instances: u64, interrupt: &Interrupt) -> (Review, bool) {
    let mut control = Control::with_interrupt(interrupt.clone());
    control.set_loader(request.loader.clone());
    control.settings.ground.profile = true;
    let text = request.texts.iter().find(|e| e.key == request.root).map(|e| e.index.text.clone());
    control.add_source(Source::new(request.root.clone(), text.unwrap_or_default().as_bytes()));
    let result = look::look(&mut control, instances);
    let mut messages = control.take_diagnostics();
    let has_errors = messages.iter().any(|d| d.severity == Severity::Error);
    let goes_on = matches!(result, Err(Error::Stopped(StopReason::StepLimit))) && !has_errors;
    match &result {
        Err(Error::Stopped(_)) | Ok(()) => {}
        Err(_) if has_errors => {}
        Err(error) => messages.push(Diagnostic::error(Span::NONE, error.summary())),
    }
    let counts = result.is_ok().then(|| counts(&control));
    let sources = control.sources().clone();
    let keys = sources.files().iter().map(|f| buffers::key(&f.name)).collect();
    let review = Review { texts: request.texts.clone(), messages, sources, keys, counts, is_complete: true };
    (review, goes_on)
}

fn counts(control: &Control) -> Counts {
    let (ground, mut counts) = (control.as_ground(), Counts::default());
    for number in 0..ground.predicates() {
        if let Some((signature, atoms)) = ground.predicate(number) {
            let name = ground.symbols().str(signature.name).to_string();
            *counts.atoms.entry(Predicate { name, arity: signature.arity }).or_default() += atoms;
        }
    }
    for rule in control.journal().into_iter().flat_map(|journal| &journal.rules) {
        if let Some(file) = control.sources().file_of(rule.span) {
            let place = (buffers::key(&file.name), (rule.span.lo - file.start) as usize);
            *counts.instances.entry(place).or_default() += rule.instances;
        }
    }
    counts
}
