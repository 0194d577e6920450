//! Shared by the subcommands with questions about answer sets: opening a program, printing answer sets.
//!
//! Invariant: the exit code is the answer: 0 for yes, 1 for no, 20 if there is no answer set, 2 if a limit came first.

pub(super) mod candidates;
pub(super) mod cost;
pub(super) mod count;
pub(super) mod diverse;
pub(super) mod hint;
pub(super) mod sample;
pub(super) mod unique;
pub(super) mod why;
pub(super) mod why_cost;
pub(super) mod why_not;
pub(super) mod why_unsat;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use super::incremental;
use super::program::Input;
use super::status::Status;
use asp_control::{Control, Error};
use asp_explain::inquiry::Inquiry;
use asp_explain::inquiry::relaxed_facts::Which;
use asp_explain::tree::{self, Section};
use asp_explain::{cost as costs, optimal};
use asp_run::exit::INPUT_ERROR;
use asp_run::extent::Extent;
use asp_run::failure::{failed, note};
use asp_run::stdout;

/// The program of the arguments, read once and opened for questions as often as needed.
pub(crate) struct Opener {
    input: Input,
    extent: Extent,
}

impl Opener {
    /// Reads the program.
    pub(crate) fn read(matches: &ArgMatches) -> Result<Self, u8> {
        let input = Input::read(matches)?;
        let extent = incremental::extent(matches, &input);
        Ok(Self { input, extent })
    }

    fn inquiry(&self, which: &Which) -> Result<Inquiry, Box<(Error, Control)>> {
        Inquiry::open(self.extent.texts(), &self.input.empty(), &|control| self.extent.ground(control), which)
    }

    /// Opens it, and prints its messages: those of the program with its facts as they are, since relaxed facts may lack some.
    pub(crate) fn open(&self, which: &Which) -> Result<Inquiry, u8> {
        match self.inquiry(which) {
            Ok(mut inquiry) => {
                let messages = inquiry.control.take_diagnostics();
                let as_it_is = Which { files: Some(Vec::new()), ..Which::default() };
                let is_other = !messages.is_empty() && !inquiry.facts.is_empty();
                let mut plain = if is_other { self.inquiry(&as_it_is).ok() } else { None };
                messages.into_iter().for_each(|message| inquiry.control.push_diagnostic(message));
                let plain = plain.as_mut().map(|plain| &mut plain.control);
                if self.input.diagnostics.print(plain.unwrap_or(&mut inquiry.control)) {
                    Err(INPUT_ERROR)
                } else {
                    Ok(inquiry)
                }
            }
            Err(failure) => {
                if let Some(code) = self.extent.stopped() {
                    return Err(code);
                }
                let (error, mut control) = *failure;
                self.input.diagnostics.print(&mut control);
                Err(failed(&error))
            }
        }
    }

    /// Opens it, restricted to the optimal answer sets if wanted, and returns how; otherwise a note says that costs do not
    /// matter.
    pub(crate) fn meant(&self, matches: &ArgMatches, which: Which) -> Result<(Inquiry, Which), u8> {
        let inquiry = self.open(&which)?;
        if !matches.get_flag("optimal") {
            if !inquiry.program().minimize.is_empty() {
                note(ALL_MEANT);
            }
            return Ok((inquiry, which));
        }
        let which = Which { optimum: self.optimum(&inquiry)?, ..which };
        let inquiry = if which.optimum.is_empty() { inquiry } else { self.reopen(&which)? };
        Ok((inquiry, which))
    }

    /// The optimum of a program opened before.
    fn optimum(&self, opened: &Inquiry) -> Result<Vec<(i64, i64)>, u8> {
        if opened.program().minimize.is_empty() {
            note(NO_OBJECTIVE);
            return Ok(Vec::new());
        }
        let plain = self.inquiry(&Which { files: Some(Vec::new()), ..Which::default() });
        let status = Status::show("Optimizing", &opened.control.interrupt());
        let optimum = plain.map_err(|failure| failure.0).and_then(|plain| costs::optimum(&plain));
        drop(status);
        let optimum = optimum.map_err(|error| failed(&error))?;
        if !optimum.is_empty() {
            note_optimal(optimum.iter().map(|level| level.1));
        }
        Ok(optimum)
    }

    /// Opens it in another way after the first time.
    fn reopen(&self, which: &Which) -> Result<Inquiry, u8> {
        self.inquiry(which).map_err(|failure| failed(&failure.0))
    }

    /// Opens it in another way after the first time; `None` if the program becomes too large.
    pub(crate) fn again(&self, which: &Which) -> Option<Inquiry> {
        self.inquiry(which).ok()
    }
}

/// Opens the program that the arguments name for questions.
pub(crate) fn open(matches: &ArgMatches, which: &Which) -> Result<Inquiry, u8> {
    Opener::read(matches)?.open(which)
}

/// The same with the answer sets that are meant.
pub(crate) fn open_meant(matches: &ArgMatches, which: Which) -> Result<Inquiry, u8> {
    Ok(Opener::read(matches)?.meant(matches, which)?.0)
}

/// The option `--format`.
pub(crate) fn format() -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .value_parser(["text", "json"])
        .default_value("text")
        .help("Print text or JSON")
}

/// The options `--format` and `--html` of explanations.
pub(crate) fn formats(command: Command) -> Command {
    command
        .arg(format())
        .arg(
            Arg::new("full")
                .long("full")
                .action(ArgAction::SetTrue)
                .help("Print trees however large they are; otherwise deep branches are cut, marked by '...'"),
        )
        .arg(Arg::new("html").long("html").value_name("FILE").help("Also write the explanation as a page"))
}

/// Whether JSON is wanted.
pub(crate) fn wants_json(matches: &ArgMatches) -> bool {
    matches.get_one::<String>("format").is_some_and(|f| f == "json")
}

/// Prints a reply, as JSON if that is wanted.
pub(crate) fn print_told(matches: &ArgMatches, json: &Value, text: impl FnOnce() -> String) {
    print(&if wants_json(matches) { format!("{json:#}\n") } else { text() });
}

/// Writes the page that `--html` asks for.
pub(crate) fn write_page(matches: &ArgMatches, title: &str, sections: &[Section]) {
    let Some(file) = matches.get_one::<String>("html") else { return };
    if let Err(error) = std::fs::write(file, tree::page(title, sections)) {
        stdout::fail_with(format!("{file} cannot be written: {error}"));
    }
}

/// The option `--optimal`.
pub(crate) fn optimal(command: Command) -> Command {
    command.arg(
        Arg::new("optimal")
            .long("optimal")
            .action(ArgAction::SetTrue)
            .help("Of a program with an objective: only the answer sets of least cost"),
    )
}

const ALL_MEANT: &str = "all answer sets are meant, whatever they cost (--optimal: those of least cost)";
const NO_OBJECTIVE: &str = "--optimal plays no role: the program has no objective";

fn note_optimal(costs: impl Iterator<Item = i64>) {
    let costs: Vec<String> = costs.map(|cost| cost.to_string()).collect();
    note(&format!("only the optimal answer sets are meant, of cost {}", costs.join(" ")));
}

/// A grounded program, restricted to the optimal answer sets if wanted.
pub(crate) fn grounded(matches: &ArgMatches, keep_facts: bool) -> Result<Input, u8> {
    let mut input = incremental::grounded(matches, keep_facts)?;
    keep_optimal(matches, &mut input.control)?;
    Ok(input)
}

/// Restricts a program to its optimal answer sets if wanted, and notes which ones are meant.
fn keep_optimal(matches: &ArgMatches, control: &mut Control) -> Result<(), u8> {
    match (matches.get_flag("optimal"), control.program().objectives.is_empty()) {
        (false, true) => {}
        (false, false) => note(ALL_MEANT),
        (true, true) => note(NO_OBJECTIVE),
        (true, false) => {
            let status = Status::show("Optimizing", &control.interrupt());
            let costs = optimal::keep_best(control);
            drop(status);
            if let Some(costs) = costs.map_err(|error| failed(&error))? {
                note_optimal(costs.into_iter());
            }
        }
    }
    Ok(())
}

pub(crate) use stdout::print;
