//! A run: checked options to stages, results to the reporter, the final status to an exit code.
//!
//! Invariant: whatever happens, the reporter's `finish` is called once, by the main thread or by the watcher
//! ([`attend`]), so every output format is complete.

mod application;
mod attend;
mod bound;
mod call;
mod cubes;
mod earlier;
mod ground;
mod lemmas;
#[cfg(feature = "lua")]
mod lua;
pub mod proof;
mod read;
mod script;
mod stages;
mod state;
pub(crate) mod steps;
mod work;

use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::diagnostics::Diagnostics;
use super::exit;
use super::failure::note;
use super::memory::Room;
use super::terminal;
use super::watch::{self, Limits};
use asp_options::raw::{Mode, Options, When};
use script::Scripts;
use state::{State, lock};

pub use call::{OpenCall, has_open_externals};
pub use work::Run;

/// Runs the options and returns the exit code. The names of subcommands are for messages.
pub fn run(options: Box<Options>, subcommands: Vec<&'static str>) -> u8 {
    // The run of a subcommand has no command line of its own to hand over.
    let scripts = (!subcommands.is_empty()).then(Scripts::default);
    let run = Arc::new(Run { scripts, ..Run::new(options, subcommands) });
    let code = run.stages().unwrap_or_else(|failed| run.failed(failed));
    lock(&run.shared).note_failure();
    if code == exit::EXHAUSTED {
        run.offer_reasons();
    }
    code
}

impl Run {
    /// A run that begins now; signals and limits stop it.
    pub(super) fn new(options: Box<Options>, subcommands: Vec<&'static str>) -> Self {
        let start = Instant::now();
        let shared = Arc::new(Mutex::new(State::new(&options, start)));
        let has_status = match options.progress {
            When::Never => false,
            When::Auto => terminal::shows_messages(),
            When::Always => true,
        };
        let limits =
            Limits { start, time: options.time_limit, memory: options.memory_limit, room: Room::find() };
        let status = has_status.then(terminal::status_width);
        let interrupt = watch::start(limits, exit::INTERRUPTED, |interrupt| {
            attend::each_tick(limits, status, interrupt.clone(), Arc::clone(&shared))
        });
        let diagnostics = Diagnostics::new(options.warnings.clone());
        Self { options, subcommands, shared, interrupt, start, diagnostics, scripts: None }
    }

    /// Tells who sits at a terminal how to ask why there is no answer set.
    fn offer_reasons(&self) {
        let files = &self.options.files;
        // With other arguments it might be another program.
        let is_plain = |file: &String| file.chars().all(|c| c.is_alphanumeric() || "._/-".contains(c));
        let is_read_again = !files.is_empty()
            && files.iter().all(|file| file != "-" && is_plain(file))
            && std::env::args_os().skip(1).all(|arg| {
                arg.to_str().is_some_and(|arg| files.iter().any(|f| f == arg) || arg.parse::<u64>().is_ok())
            });
        let is_program = self.options.mode == Mode::Clingo && self.subcommands.contains(&"why-unsat");
        if terminal::shows_results() && terminal::shows_messages() && is_read_again && is_program {
            note(&format!("`asp why-unsat {}` says why there is none", files.join(" ")));
        }
    }
}
