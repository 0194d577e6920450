//! What the subcommands that ask about answer sets share: exit codes, printing answer sets, a status line.
//!
//! Invariant: the exit code says the answer: 0 yes, 1 no, 20 there is no answer set, 2 it could not be found out in the
//! time allowed.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::common::{self, Input};
use super::horizon;
use crate::base::interrupt::{Interrupt, StopReason};
use crate::base::map::Set;
use crate::cli::library::LibraryLoader;
use crate::cli::pictures;
use crate::cli::run::INPUT_ERROR;
use crate::control::Control;
use crate::explain::case::Case;
use crate::explain::cells;
use crate::explain::free::Which;
use crate::explain::tree::{self, Node, Section};
use crate::picture::grid::Grid;
use crate::picture::{Atom, Painter, Picture, Scene};
use crate::report::progress::{self, Progress};

/// Exit code for a program without answer sets.
pub const NONE: u8 = 20;
/// Exit code for a question that could not be answered in the time allowed.
pub const STOPPED: u8 = 2;

/// The lines of help about exit codes.
pub const EXIT_CODES: &str =
    "Exit codes: 0 yes or done, 1 no, 2 stopped by the time limit or a signal, 20 no answer set, 65 errors.";

/// Says on standard error that the question stays open.
pub fn stopped(reason: StopReason) -> u8 {
    let why = match reason {
        StopReason::Interrupted => "interrupted",
        StopReason::TimeLimit => "the time limit has passed",
        StopReason::MemoryLimit => "the memory limit has passed",
        StopReason::StepLimit => "the limit on steps has passed",
    };
    eprintln!("*** stopped: {why}");
    STOPPED
}

/// Opens the program that the arguments name for questions.
pub fn open(matches: &ArgMatches, which: &Which) -> Result<Case, u8> {
    let mut input = Input::read(matches)?;
    let (texts, interrupt) = (input.control.texts().to_vec(), input.control.interrupt());
    let make = || {
        let mut control = Control::with_interrupt(interrupt.clone());
        control.set_loader(LibraryLoader);
        control
    };
    let horizon = horizon::find(matches, &input.control)?;
    match Case::open(&texts, &make, &|control| horizon::ground(control, horizon), which) {
        Ok(mut case) => {
            // The messages are reported through the input, which knows what is to be shown.
            std::mem::swap(&mut input.control, &mut case.control);
            let errors = input.report();
            std::mem::swap(&mut input.control, &mut case.control);
            if errors { Err(INPUT_ERROR) } else { Ok(case) }
        }
        Err(failed) => {
            let (error, control) = *failed;
            input.control = control;
            input.report();
            Err(common::fail(&error))
        }
    }
}

/// The options `--format` and `--html` of explanations.
pub fn formats(command: Command) -> Command {
    command
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(["text", "json"])
                .default_value("text")
                .help("Print text or JSON"),
        )
        .arg(
            Arg::new("full")
                .long("full")
                .action(ArgAction::SetTrue)
                .help("Print trees however large they are; otherwise deep branches are cut, marked by '...'"),
        )
        .arg(Arg::new("html").long("html").value_name("FILE").help("Write the explanation as a page, too"))
}

/// Whether JSON is wanted.
pub fn wants_json(matches: &ArgMatches) -> bool {
    matches.get_one::<String>("format").is_some_and(|f| f == "json")
}

/// Lines of a tree that are printed.
const LINES: usize = 40;

/// The text of a tree, cut unless all of it is wanted.
pub fn tree_text(matches: &ArgMatches, tree: &Node) -> String {
    if matches.get_flag("full") { tree.to_text() } else { tree.to_text_within(LINES) }
}

/// Writes the page that `--html` asks for.
pub fn write_page(matches: &ArgMatches, title: &str, sections: &[Section]) -> Result<(), u8> {
    let Some(file) = matches.get_one::<String>("html") else { return Ok(()) };
    std::fs::write(file, tree::page(title, sections)).map_err(|error| {
        eprintln!("*** ERROR: (asp): {file} cannot be written: {error}");
        INPUT_ERROR
    })
}

/// Tells, once, that weak constraints play no role.
pub fn note_costs(control: &Control) {
    if !control.program().objectives.is_empty() {
        eprintln!("note: all answer sets are meant, whatever they cost");
    }
}

/// Writes lines to standard output; a reader that has gone is no error.
pub fn print(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints answer sets that are given by show entry.
pub struct Printer(Vec<String>);

impl Printer {
    /// A printer for what a ground program shows.
    pub fn new(control: &Control) -> Self {
        let (program, symbols) = (control.program(), control.symbols());
        Self(program.shows.iter().map(|s| cells::text(s.item, program, symbols)).collect())
    }

    /// The text of an answer set; a term that is shown for several reasons comes once.
    pub fn text(&self, shown: &[bool]) -> String {
        let mut seen: Set<&str> = Set::default();
        let holding = self.0.iter().zip(shown).filter(|&(text, &s)| s && seen.insert(text));
        holding.map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// The atoms that are shown, by show entry.
fn atoms<'a>(control: &'a Control, shown: &[bool]) -> Vec<Atom<'a>> {
    let (program, symbols) = (control.program(), control.symbols());
    let entries = program.shows.iter().zip(shown).filter(|(_, s)| **s);
    let items = entries.filter_map(|(show, _)| cells::item(show.item, program, symbols));
    items.filter(|i| !i.negative).map(|i| Atom { name: symbols.str(i.name), args: i.args }).collect()
}

/// Answer sets, given by show entry, as grids; `None` if they show no grid. `several` allows several values in a cell.
pub fn grids(control: &Control, sets: &[&[bool]], several: bool) -> Option<Vec<Grid>> {
    let (program, symbols) = (control.program(), control.symbols());
    let possible = atoms(control, &vec![true; program.shows.len()]);
    let scene = Scene { facts: pictures::facts(program, symbols), possible };
    let first = atoms(control, sets.first()?);
    let painter = Painter::new(symbols, &scene, &first, None, several).ok()?;
    let paint = |set: &&[bool]| match painter.paint(symbols, &atoms(control, set)) {
        Picture::Grid(grid) => Some(grid),
        Picture::Graph(_) => None,
    };
    sets.iter().map(paint).collect()
}

/// A status line on a terminal while something runs.
pub struct Status {
    over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Status {
    /// Shows what an interrupt has noted: answer sets and branches or conflicts.
    pub fn show(phase: &'static str, interrupt: &Interrupt) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        if !std::io::stderr().is_terminal() {
            return Self { over, thread: None };
        }
        let (interrupt, ended, start) = (interrupt.clone(), over.clone(), Instant::now());
        let draw = move || {
            let mut drawn = Duration::ZERO;
            let mut any = false;
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
                let elapsed = start.elapsed();
                if elapsed >= progress::DELAY && elapsed >= drawn + progress::PERIOD {
                    let (models, conflicts) = interrupt.noted();
                    let status = Progress { phase, models, conflicts, ..Progress::default() };
                    let rate = conflicts as f64 / elapsed.as_secs_f64();
                    eprint!("\r\x1b[K{}", status.line(elapsed, rate, 78));
                    (drawn, any) = (elapsed, true);
                }
            }
            if any {
                eprint!("\r\x1b[K");
            }
        };
        Self { over, thread: std::thread::Builder::new().name("status".into()).spawn(draw).ok() }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that failed has drawn its last line.
            let _ = thread.join();
        }
    }
}
