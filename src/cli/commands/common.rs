//! What subcommands share: the arguments that name a program, reading it, limits and signals, messages.
//!
//! Invariant: a subcommand prints its results on standard output and everything else on standard error; an input with
//! errors ends with exit code 65 after its messages.

use std::io::IsTerminal as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::horizon;
use crate::base::diagnostic::Severity;
use crate::base::interrupt::{Interrupt, StopReason};
use crate::cli::library;
use crate::cli::run::INPUT_ERROR;
use crate::cli::warnings::Warnings;
use crate::cli::watch;
use crate::control::{Control, Error, Source};
use crate::report::diagnostic;

/// Exit code for what was asked not being so: a check that fails, an answer "no".
pub const NO: u8 = 1;

/// Adds the arguments that name a program: files, constants, a time limit.
pub fn program_arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("files")
                .value_name("FILES")
                .num_args(0..)
                .help("Programs and instances; '-' or none: standard input"),
        )
        .arg(
            Arg::new("const")
                .short('c')
                .long("const")
                .value_name("NAME=TERM")
                .action(ArgAction::Append)
                .help("Replace a constant"),
        )
        .args(crate::cli::input::arguments())
        .arg(
            Arg::new("time-limit")
                .long("time-limit")
                .value_name("SECONDS")
                .value_parser(value_parser!(u64))
                .help("Stop after this time with what has been found"),
        )
}

/// A program that a subcommand works on.
pub struct Input {
    /// The program.
    pub control: Control,
    /// Which warnings are printed.
    pub warnings: Warnings,
    /// Whether messages are coloured.
    pub color: bool,
}

impl Input {
    /// Reads the texts that the arguments name; nothing is parsed yet. Signals and the time limit are looked after from
    /// here on, through the control's interrupt.
    pub fn read(matches: &ArgMatches) -> Result<Self, u8> {
        let interrupt = Interrupt::new();
        look_after(&interrupt, matches.get_one::<u64>("time-limit").copied());
        let mut control = Control::with_interrupt(interrupt);
        control.set_loader(library::LibraryLoader);
        for definition in matches.get_many::<String>("const").into_iter().flatten() {
            control.add_source(Source::new(
                format!("<{definition}>"),
                format!("#const {definition}. [override]"),
            ));
        }
        let mut files: Vec<&str> =
            matches.get_many::<String>("files").into_iter().flatten().map(String::as_str).collect();
        if files.is_empty() {
            files.push("-");
        }
        for name in files {
            match library::read(name) {
                Ok(found) => control.add_source(Source::new(found.name, found.bytes)),
                Err(error) => {
                    eprintln!("*** ERROR: (asp): file could not be opened: {name} ({error})");
                    if let Some(near) = library::nearest(name) {
                        eprintln!("  did you mean `{near}` of the embedded library?");
                    }
                    return Err(INPUT_ERROR);
                }
            }
        }
        let inputs = crate::cli::input::Inputs::from_matches(matches).map_err(|message| {
            eprintln!("*** ERROR: (asp): {message}");
            NO
        })?;
        let consts: Vec<String> =
            matches.get_many::<String>("const").into_iter().flatten().cloned().collect();
        for note in inputs.load(&mut control, &consts) {
            eprintln!("*** Info : (asp): {note}");
        }
        Ok(Self { control, warnings: Warnings::default(), color: use_color() })
    }

    /// Reads what the arguments name, grounds it and makes it ready for the solver; facts keep their rules if they are
    /// asked for.
    pub fn grounded(matches: &ArgMatches, keep_facts: bool) -> Result<Self, u8> {
        let mut input = Self::read(matches)?;
        input.control.settings.keep_facts = keep_facts;
        let horizon = horizon::find(matches, &input.control)?;
        let result = horizon::ground(&mut input.control, horizon).and_then(|()| input.control.prepare());
        let errors = input.report();
        match result {
            Ok(()) if !errors => Ok(input),
            Ok(()) => Err(INPUT_ERROR),
            Err(error) => Err(fail(&error)),
        }
    }

    /// Prints the messages since the last call; tells whether there are errors among them.
    pub fn report(&mut self) -> bool {
        let mut errors = false;
        for message in self.control.take_diagnostics() {
            let error = message.severity == Severity::Error;
            errors |= error;
            if error || message.kind.is_none_or(|kind| self.warnings.shows(kind)) {
                let text = diagnostic::render(&message, self.control.sources(), self.color);
                eprintln!("{}", text.trim_end_matches('\n'));
            }
        }
        errors
    }
}

/// Whether messages are coloured.
pub fn use_color() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Prints why a stage did not finish and returns the exit code.
pub fn fail(error: &Error) -> u8 {
    eprintln!("*** ERROR: (asp): {error}");
    match error {
        Error::Stopped(StopReason::StepLimit | StopReason::MemoryLimit) => 33,
        Error::Stopped(_) => 1,
        _ => INPUT_ERROR,
    }
}

/// Stops at a signal or when the time is over; a second signal ends the process.
fn look_after(interrupt: &Interrupt, seconds: Option<u64>) {
    // Without signals or a second thread, a command still works; it only cannot be stopped gently.
    let Ok(caught) = watch::catch_signals() else { return };
    let (interrupt, start) = (interrupt.clone(), Instant::now());
    let look = move || {
        loop {
            std::thread::sleep(Duration::from_millis(10));
            if caught.load(Ordering::Relaxed) {
                interrupt.stop(StopReason::Interrupted);
                return;
            }
            if seconds.is_some_and(|s| start.elapsed() >= Duration::from_secs(s)) {
                interrupt.stop(StopReason::TimeLimit);
                return;
            }
        }
    };
    let _ = std::thread::Builder::new().name("watch".into()).stack_size(256 << 10).spawn(look);
}
