//! The messages of a control: which are passed on, to whom, and whether an error was among them.
//!
//! Invariant: no lock is held while a user-defined function receives a message.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use asp_options::warnings::Warnings;

use super::lock;
use crate::app::console::Console;
use crate::ast::Trees;
use crate::error::Fail;
use crate::layout::Texts;
use crate::logger::{ERROR, Logger, OTHER};

/// Where messages go.
pub struct Messages {
    logger: Mutex<Logger>,
    /// Which warnings are passed on.
    warnings: Warnings,
    /// Whether the program has an error, so that nothing of it is grounded, as in clingo.
    refused: AtomicBool,
    /// The warnings about options.
    options: Mutex<Vec<String>>,
    /// The trees that the program was built from.
    pub trees: Mutex<Trees>,
}

impl Messages {
    pub fn new(logger: Logger, warnings: Warnings) -> Self {
        Self {
            logger: Mutex::new(logger),
            warnings,
            refused: AtomicBool::new(false),
            options: Mutex::default(),
            trees: Mutex::default(),
        }
    }

    /// Those of an engine's control and of what was built for it, unless a console prints them as the command line does; an
    /// error if a warning among them counts as one.
    pub fn take(
        &self,
        inner: &mut asp::Control,
        trees: &Mutex<Trees>,
        console: Option<&Console>,
    ) -> (Vec<(i32, String)>, Result<(), Fail>) {
        let mut messages = inner.take_diagnostics();
        if console.is_none() {
            // Packages give constants to programs that need not have them.
            messages.retain(|message| !message.message.starts_with("the program has no constant "));
        }
        let refused = self.warnings.refuse(&messages).map_err(Fail::runtime);
        let told = match console.filter(|console| !console.has_logger) {
            Some(console) => {
                messages.into_iter().for_each(|message| inner.push_diagnostic(message));
                console.run.report(inner);
                Vec::new()
            }
            None if messages.is_empty() => Vec::new(),
            None => {
                let ground = inner.as_ground();
                let constants = |name: &str| {
                    let found = ground.constants().find(|constant| constant.0 == name);
                    found.and_then(|(_, value)| ground.symbols().as_num(value))
                };
                let trees = lock(trees);
                let texts = Texts { sources: inner.sources(), trees: &trees, constants: &constants };
                lock(&self.logger).texts(&messages, &texts, &self.warnings)
            }
        };
        (told, refused)
    }

    /// Reports messages.
    pub fn tell(&self, messages: Vec<(i32, String)>) {
        if messages.iter().any(|message| message.0 == ERROR) {
            self.refused.store(true, Ordering::Relaxed);
        }
        for (code, text) in messages {
            let due = lock(&self.logger).due();
            if let Some(logger) = due {
                logger.tell(code, &text);
            }
        }
    }

    /// Reports warnings about options that have not been reported last.
    pub fn tell_new(&self, texts: Vec<String>) {
        let told = std::mem::replace(&mut *lock(&self.options), texts.clone());
        let new = texts.into_iter().filter(|text| !told.contains(text));
        self.tell(new.map(|text| (OTHER, text)).collect());
    }

    /// An error if the program has one.
    pub fn check(&self, what: &str) -> Result<(), Fail> {
        match self.refused.load(Ordering::Relaxed) {
            true => Err(Fail::runtime(what)),
            false => Ok(()),
        }
    }
}
