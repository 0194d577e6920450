//! The program of a subcommand: its arguments, reading, limits and signals, messages.
//!
//! Invariant: a subcommand prints its results on standard output and everything else on standard error; errors in the
//! input lead to exit code 65 after their messages.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command};

use asp_base::interrupt::Interrupt;
use asp_control::Control;
use asp_options::inputs::Inputs;
use asp_options::outputs::{self, Kind};
use asp_options::raw::{Action, Options};
use asp_options::usage::{UsageError, UsageErrorKind};
use asp_options::warnings::LINTS;
use asp_run::diagnostics::Diagnostics;
use asp_run::exit::{self, INPUT_ERROR};
use asp_run::failure::{be_quiet, note, stopped};
use asp_run::stderr::{tell, tell_error};
use asp_run::usage::tell_in_subcommand;
use asp_run::watch::{self, Limits};
use asp_run::{input, library, open, stdout};

/// Adds the arguments that name a program: files, constants, a time limit.
pub(crate) fn arguments(command: Command) -> Command {
    command
        .arg(files(0, "Programs and instances; '-' or none: standard input"))
        .arg(constants())
        .args(input_arguments())
        .args(shared_arguments())
        .arg(quiet("Print no notes and warnings, only results and errors"))
}

/// Adds files, at least one, and constants.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn watched(command: Command) -> Command {
    command.arg(files(1, "Programs and instances").required(true)).arg(constants())
}

/// All further words, options among them.
pub(crate) fn words(help: &'static str) -> Arg {
    let words = Arg::new("arguments").value_name("ARGUMENTS").num_args(0..).help(help);
    words.allow_hyphen_values(true).trailing_var_arg(true)
}

fn files(least: usize, help: &'static str) -> Arg {
    Arg::new("files").value_name("FILES").num_args(least..).help(help)
}

fn constants() -> Arg {
    Arg::new("const")
        .short('c')
        .long("const")
        .value_name("NAME=TERM")
        .action(ArgAction::Append)
        .help("Replace a constant")
}

/// The option `-q`.
pub(crate) fn quiet(help: &'static str) -> Arg {
    Arg::new("quiet").short('q').long("quiet").action(ArgAction::SetTrue).help(help)
}

/// The option `--time-limit`.
pub(crate) fn time_limit(help: &'static str) -> Arg {
    Arg::new("time-limit").long("time-limit").value_name("SECONDS").help(help)
}

/// The option `--memory-limit`.
pub(crate) fn memory_limit(help: &'static str) -> Arg {
    Arg::new("memory-limit").long("memory-limit").value_name("MB").help(help)
}

/// The option `--warn`.
pub(crate) fn warn(help: &'static str) -> Arg {
    Arg::new("warn").long("warn").short('W').value_name("NAME").action(ArgAction::Append).help(help)
}

/// Options shared with runs.
fn shared_arguments() -> [Arg; 5] {
    let arg = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    [
        time_limit("Stop after this time with what has been found"),
        memory_limit("Stop with exit code 33 past this much memory"),
        arg("parallel-mode", "N", "Enumerate with this many threads").short('t'),
        warn("Turn a warning on or off, as for asp itself"),
        arg("rewrite", "NAME", "Turn a rewriting on or off, as for asp itself").action(ArgAction::Append),
    ]
}

/// Puzzles and tables to read.
fn input_arguments() -> [Arg; 5] {
    let arg = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).action(ArgAction::Append).help(help)
    };
    [
        arg("grid", "[PREDICATE=]FILE", "Read a puzzle as it is typed"),
        arg("csv", "PREDICATE=FILE", "Read a table with separators as facts"),
        arg("json", "PREDICATE=FILE", "Read a JSON table as facts"),
        arg("csv-header", "yes|no|auto", "Whether the first row of tables is a heading [default: auto]")
            .action(ArgAction::Set),
        arg("csv-delimiter", "CHAR", "What separates the fields of tables: a character, or tab")
            .action(ArgAction::Set),
    ]
}

/// Parses the shared options as a run does, after some other words.
pub(crate) fn shared_options(matches: &ArgMatches, mut words: Vec<String>) -> Result<Box<Options>, u8> {
    for name in ["time-limit", "memory-limit", "parallel-mode", "warn", "rewrite"] {
        let values = matches.try_get_many::<String>(name).ok().flatten().into_iter().flatten();
        words.extend(values.map(|value| format!("--{name}={value}")));
    }
    match asp_options::parse(&words) {
        Ok(Action::Run(options)) => Ok(options),
        Ok(_) => {
            let message =
                "`asp -W help` and `asp --rewrite=help` list the names; they ask nothing about a program";
            Err(tell_in_subcommand(&UsageError::new(UsageErrorKind::Argument, message)))
        }
        Err(error) => Err(tell_in_subcommand(&error)),
    }
}

/// Refuses outputs that would replace what is read, or files of another kind.
fn spare_files(matches: &ArgMatches, inputs: &Inputs, others: &[(String, Kind)]) -> Result<(), u8> {
    let all = |name| matches.try_get_many::<String>(name).ok().flatten().into_iter().flatten();
    let data = [&inputs.grids, &inputs.csv, &inputs.json].into_iter().flatten().map(|request| &request.file);
    let read = all("files").chain(all("in")).chain(data).map(String::as_str);
    let page = all("html").map(|file| ("--html", file.as_str(), Kind::Page));
    let proof = all("certify").map(|dir| ("--certify", dir.as_str(), Kind::Proof));
    let others = others.iter().map(|(file, kind)| ("--output", file.as_str(), *kind));
    outputs::check(page.chain(proof).chain(others), read).map_err(|why| tell_in_subcommand(&why))
}

/// The puzzles and tables that the arguments name.
fn data(matches: &ArgMatches) -> Result<Inputs, u8> {
    let values = |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect();
    Inputs::new(values).map_err(|error| tell_in_subcommand(&error))
}

/// How long a stage may take to end after a stop request, and to report what it has found.
const GRACE: Duration = Duration::from_secs(5);

/// Handles signals and limits. Ends the process if a stage does not end soon after a stop request.
fn watch(options: &Options) -> Interrupt {
    let limits = Limits::from_now(options.time_limit, options.memory_limit);
    watch::start(limits, exit::STOPPED, |interrupt| {
        let (mut stopped_at, stop) = (None, interrupt.clone());
        move |now| {
            if let Some(reason) = stop.poll()
                && now.duration_since(*stopped_at.get_or_insert(now)) > limits.grace(GRACE, reason)
            {
                std::process::exit(stdout::exit_code(stopped(reason)).into());
            }
            true
        }
    })
}

/// A program that a subcommand works on.
pub(crate) struct Input {
    pub(crate) control: Control,
    /// Which messages are printed, and how.
    pub(crate) diagnostics: Diagnostics,
}

impl Input {
    /// Reads the texts of the arguments without parsing them. From here on, signals and the time limit act through the control's
    /// interrupt.
    pub(crate) fn read(matches: &ArgMatches) -> Result<Self, u8> {
        Self::read_sparing(matches, &[])
    }

    /// The same; also refuses outputs of `--output` that would replace inputs, or files of another kind.
    pub(crate) fn read_sparing(matches: &ArgMatches, outputs: &[(String, Kind)]) -> Result<Self, u8> {
        let mut input = Self::read_with(matches, Vec::new(), outputs)?;
        // What was not found is not asked about.
        if input.report() { Err(INPUT_ERROR) } else { Ok(input) }
    }

    /// The same with all lints on, except those that the arguments turn off; the caller prints errors.
    pub(crate) fn read_for_lints(matches: &ArgMatches) -> Result<Self, u8> {
        let lints = LINTS.iter().map(|(name, _)| format!("--warn={name}")).collect();
        Self::read_with(matches, lints, &[])
    }

    fn read_with(matches: &ArgMatches, options: Vec<String>, outputs: &[(String, Kind)]) -> Result<Self, u8> {
        let strings =
            |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
        let (consts, mut files) = (strings("const"), strings("files"));
        let mut options = shared_options(matches, options)?;
        if matches.get_flag("quiet") {
            be_quiet();
            options.warnings.silence();
        }
        let inputs = data(matches)?;
        spare_files(matches, &inputs, outputs)?;
        let mut control = open::with_constants(watch(&options), &consts);
        options.apply(&mut control.settings);
        if files.is_empty() {
            files.push("-".into());
        }
        for name in &files {
            let added = open::add_file(&mut control, name);
            if let Ok(Some(text)) = &added {
                note(text);
            }
            if let Err(error) = added {
                tell_error(&format!("file could not be opened: {name} ({error})"));
                if let Some(near) = library::nearest(name) {
                    tell(&format!("  did you mean `{near}` of the embedded library?"));
                }
                return Err(INPUT_ERROR);
            }
        }
        for text in input::load(&inputs, &mut control, &consts) {
            note(&text);
        }
        Ok(Self { control, diagnostics: Diagnostics::new(options.warnings.clone()) })
    }

    /// Makes controls without texts and with the same settings.
    pub(crate) fn empty(&self) -> impl Fn() -> Control + use<> {
        let (settings, interrupt) = (self.control.settings.clone(), self.control.interrupt());
        move || {
            let mut control = open::empty(interrupt.clone());
            control.settings = settings.clone();
            control
        }
    }

    /// Prints the messages since the last call; returns whether there are errors among them.
    pub(crate) fn report(&mut self) -> bool {
        self.diagnostics.print(&mut self.control)
    }
}
