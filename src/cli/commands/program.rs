//! The program that a subcommand works on: the arguments that name it, reading it, limits and signals, messages.
//!
//! Invariant: a subcommand prints its results on standard output and everything else on standard error; an input with
//! errors ends with exit code 65 after its messages.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::base::interrupt::Interrupt;
use crate::cli::diagnostics::Diagnostics;
use crate::cli::exit::{INPUT_ERROR, WRONG_OPTION};
use crate::cli::option::inputs::{self, Inputs};
use crate::cli::option::warnings::Warnings;
use crate::cli::watch::{self, Limits};
use crate::cli::{input, library, open};
use crate::control::Control;

/// Adds the arguments that name a program: files, constants, a time limit.
pub(crate) fn arguments(command: Command) -> Command {
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
        .args(inputs::arguments())
        .arg(
            Arg::new("time-limit")
                .long("time-limit")
                .value_name("SECONDS")
                .value_parser(value_parser!(u64))
                .help("Stop after this time with what has been found"),
        )
}

/// A program that a subcommand works on.
pub(crate) struct Input {
    /// The program.
    pub(crate) control: Control,
    /// Which messages are printed, and how.
    pub(crate) diagnostics: Diagnostics,
}

impl Input {
    /// Reads the texts that the arguments name; nothing is parsed yet. Signals and the time limit are looked after from
    /// here on, through the control's interrupt.
    pub(crate) fn read(matches: &ArgMatches) -> Result<Self, u8> {
        let strings =
            |name| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
        let (consts, mut files) = (strings("const"), strings("files"));
        let interrupt = Interrupt::new();
        let seconds = matches.get_one::<u64>("time-limit").copied().map(Duration::from_secs);
        watch::spawn(Limits::from_now(seconds), interrupt.clone(), |_| true);
        let mut control = open::with_constants(interrupt, &consts);
        if files.is_empty() {
            files.push("-".into());
        }
        for name in &files {
            if let Err(error) = open::add_file(&mut control, name) {
                eprintln!("*** ERROR: (asp): file could not be opened: {name} ({error})");
                if let Some(near) = library::nearest(name) {
                    eprintln!("  did you mean `{near}` of the embedded library?");
                }
                return Err(INPUT_ERROR);
            }
        }
        let inputs = Inputs::from_matches(matches).map_err(|message| {
            eprintln!("*** ERROR: (asp): {message}");
            WRONG_OPTION
        })?;
        for note in input::load(&inputs, &mut control, &consts) {
            eprintln!("*** Info : (asp): {note}");
        }
        Ok(Self { control, diagnostics: Diagnostics::new(Warnings::default()) })
    }

    /// Prints the messages since the last call; tells whether there are errors among them.
    pub(crate) fn report(&mut self) -> bool {
        self.diagnostics.print(&mut self.control)
    }
}
