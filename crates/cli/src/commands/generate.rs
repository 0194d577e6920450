//! `asp generate PUZZLE`: new instances of a puzzle, each with one solution.

use std::cell::Cell;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::program::{self, Input};
use super::spec::Spec;
use super::status::Status;
use super::{asking, new};
use asp_base::interrupt::StopReason;
use asp_control::Error;
use asp_explain::generate::{Difficulty, Instance, Made, MakesControl, Puzzle, Unfit, Wish};
use asp_options::outputs::Kind;
use asp_picture::html::{self, Side};
use asp_picture::svg;
use asp_questions::puzzle as told;
use asp_run::embedded;
use asp_run::exit;
use asp_run::failure::{failed, note, stopped};
use asp_run::library;
use asp_run::stderr::{tell, tell_error};
use asp_run::stdout;

/// With more files than this, only the first are checked before anything is written.
const MAX_CHECKED: u64 = 1000;

pub(crate) const SPEC: Spec = Spec { name: "generate", define, run };

fn define() -> Command {
    let command =
        Command::new("generate").about("Make new instances of a puzzle, each with one solution").after_help(
            "A program says by comments what its instances state:\n\
         \x20 %@clue ATOM : BODY   a fact for each way in which BODY holds in a solution that is drawn at\n\
         \x20                      random; such facts are taken away as long as the solution stays the only\n\
         \x20                      one, those of earlier comments first. Without BODY: where ATOM holds\n\
         \x20 %@or ATOM : BODY     facts that are taken away together with those of the comment before\n\
         \x20 %@keep ATOM : BODY   facts that stay in any case\n\
         \x20 %@draw STATEMENT     belongs to the program while a solution is drawn: sizes, what to choose\n\
         The first file is the puzzle: a name of the library, or a file. Facts of other files are the\n\
         layout that all instances share, except those that the comments make anew. No other answer set\n\
         shows anything else; that is checked again from the text of each instance.\n\n\
         Difficulty is how far one looks ahead: easy, plain inference; medium, trials of three rounds (as\n\
         pairs in a Sudoku); hard, of four (triples, wings); expert, longer chains or a search. Without it,\n\
         or with expert, no clue can be left out.\n\n\
         Examples:\n  asp generate futoshiki -c n=7 > x.lp; asp futoshiki x.lp\n  \
         asp generate sudoku --symmetric --difficulty=easy --format=grid\n  \
         asp generate jigsaw-sudoku jigsaw9.lp -n 6 --format=html -o jigsaws.html\n\n\
         Exit codes: 0 done, 1 no solution that was drawn would do, 2 stopped (what was finished has been\n\
         printed), 20 no answer set to draw, 64 wrong use, 65 errors.",
        );
    let value = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    program::arguments(command)
        .arg(
            value("seed", "S", "Another seed, other instances; the same seed, the same ones [default: 0]")
                .value_parser(value_parser!(u64))
                .default_value("0")
                .hide_default_value(true),
        )
        .arg(
            value("number", "COUNT", "How many instances; the seeds count up")
                .short('n')
                .value_parser(value_parser!(u64).range(1..))
                .default_value("1"),
        )
        .arg(
            Arg::new("symmetric")
                .long("symmetric")
                .action(ArgAction::SetTrue)
                .help("The places of the clues look the same upside down"),
        )
        .arg(
            value("difficulty", "LEVEL", "How far one has to look ahead")
                .value_parser(Difficulty::ALL.map(Difficulty::word)),
        )
        .arg(
            value("format", "FORMAT", "Facts, pictures, or a page to print with the solutions on the backs")
                .value_parser(["facts", "grid", "html"])
                .default_value("facts"),
        )
        .arg(
            value("output", "FILE", "Write there; facts of several instances to FILE with a number each")
                .short('o'),
        )
        .arg(value("html", "FILE", "Also write that page"))
        .arg(
            value("draws", "N", "Give up an instance after so many solutions")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("200"),
        )
}

fn run(matches: &ArgMatches) -> u8 {
    let Some(first) = matches.get_many::<String>("files").and_then(|mut files| files.next()) else {
        tell_error(&format!("which puzzle? For example `asp generate futoshiki`; there are:\n{}", puzzles()));
        return exit::WRONG_USAGE;
    };
    let input = match Input::read_sparing(matches, &outputs(matches)) {
        Ok(input) => input,
        Err(code) => {
            if first != "-" && library::read(first).is_err() {
                tell(&format!("  puzzles of the library:\n{}", puzzles()));
            }
            return code;
        }
    };
    let empty = input.empty();
    match puzzle(&input, &empty) {
        Ok(puzzle) => Maker { matches, input, puzzle }.run(),
        Err(code) => code,
    }
}

/// The files for instances, under all their numbers.
fn outputs(matches: &ArgMatches) -> Vec<(String, Kind)> {
    let Some(file) = matches.get_one::<String>("output") else { return Vec::new() };
    let is_page = matches.get_one::<String>("format").is_some_and(|format| format == "html");
    let kind = if is_page { Kind::Page } else { Kind::Instance };
    match matches.get_one::<u64>("number").copied().unwrap_or(1) {
        count @ 2.. if !is_page => (1..=count.min(MAX_CHECKED)).map(|n| (numbered(file, n), kind)).collect(),
        _ => vec![(file.clone(), kind)],
    }
}

/// The name of one of several files.
fn numbered(file: &str, number: u64) -> String {
    let path = Path::new(file);
    let stem = path.file_stem().map_or("", |s| s.to_str().unwrap_or(""));
    let extension = path.extension().and_then(|e| e.to_str()).map_or(String::new(), |e| format!(".{e}"));
    path.with_file_name(format!("{stem}-{number}{extension}")).display().to_string()
}

/// The names of the library's puzzles that say what a clue is.
fn puzzles() -> String {
    let says = |text: &str| text.lines().any(|l| l.starts_with("%@clue") || l.starts_with("%@keep"));
    new::names(
        &embedded::library().iter().filter(|(_, text)| says(text)).map(|(path, _)| *path).collect::<Vec<_>>(),
    )
}

/// The puzzle that the arguments name.
fn puzzle<'p>(input: &Input, empty: MakesControl<'p>) -> Result<Puzzle<'p>, u8> {
    let (puzzle, left_out) = Puzzle::of(input.control.texts(), empty).map_err(|unfit| {
        let others = match &unfit {
            Unfit::NoClues(_) => {
                format!(" (asp generate --help)\n  these puzzles of the library do:\n{}", puzzles())
            }
            _ => String::new(),
        };
        tell_error(&format!("{unfit}{others}"));
        exit::INPUT_ERROR
    })?;
    for (file, facts) in left_out {
        note(&format!("{facts} facts of {file} are left out: each instance has its own"));
    }
    Ok(puzzle)
}

/// Makes and prints instances.
struct Maker<'m> {
    matches: &'m ArgMatches,
    input: Input,
    puzzle: Puzzle<'m>,
}

impl Maker<'_> {
    fn run(self) -> u8 {
        let number = |name| self.matches.get_one::<u64>(name).copied().unwrap_or(1);
        let (seed, count, draws) = (number("seed"), number("number"), number("draws"));
        let symmetric = self.matches.get_flag("symmetric");
        let wanted = self.matches.get_one::<String>("difficulty");
        let difficulty = wanted.and_then(|word| Difficulty::ALL.into_iter().find(|d| d.word() == word));
        let mut sides = Vec::new();
        let code = Cell::new(0);
        for i in 0..count {
            let wish = Wish { seed: seed.wrapping_add(i), symmetric, difficulty, draws };
            let status = Status::show("Generating", &self.input.control.interrupt());
            let made = self.puzzle.make(wish);
            drop(status);
            match made {
                Ok(Made::Instance(instance)) => self.show(&instance, wish, (i, count), &mut sides),
                Ok(none) => code.set(self.explain(&none, wish)),
                Err(failure) => {
                    let (error, mut control) = *failure;
                    if !matches!(error, Error::Stopped(_)) {
                        self.input.diagnostics.print(&mut control);
                    }
                    code.set(match error {
                        Error::Stopped(reason) => self.stopped(reason, i),
                        error => failed(&error),
                    });
                }
            }
            if code.get() != 0 && code.get() != exit::NO {
                break;
            }
        }
        if !sides.is_empty() {
            let n = sides.len() / 2;
            let each = if n == 1 { "" } else { " each" };
            let about = format!("{} with one solution{each}; print on both sides", amount(n, "puzzle"));
            let page = html::sheets(told::name(&self.puzzle), &about, &sides);
            if self.format() == "html" {
                self.write(&page, None);
            }
            if let Some(file) = self.matches.get_one::<String>("html")
                && let Err(error) = std::fs::write(file, &page)
            {
                stdout::fail_with(format!("{file} cannot be written: {error}"));
            }
        }
        code.get()
    }

    fn stopped(&self, reason: StopReason, finished: u64) -> u8 {
        if finished > 0 {
            note(&format!("{} finished before", amount(finished as usize, "instance")));
        }
        stopped(reason)
    }

    fn format(&self) -> &str {
        self.matches.get_one::<String>("format").map_or("facts", String::as_str)
    }

    /// Says why there is no instance.
    fn explain(&self, made: &Made, wish: Wish) -> u8 {
        let why = told::why_none(&self.puzzle, made, wish);
        let code = match made {
            Made::NoSolution => exit::EXHAUSTED,
            Made::NoFacts | Made::Contradiction => exit::INPUT_ERROR,
            Made::NoPlaces => exit::WRONG_USAGE,
            Made::Instance(_) | Made::NoneFits => exit::NO,
        };
        match made {
            Made::NoFacts | Made::Contradiction | Made::NoPlaces => tell_error(&why),
            _ => tell(&format!("*** Info : (asp): {why}")),
        }
        code
    }

    /// Prints an instance, or keeps it for the page.
    fn show(&self, instance: &Instance, wish: Wish, (i, count): (u64, u64), sides: &mut Vec<Side>) {
        let facts = || told::text(&self.puzzle, instance);
        let format = self.format();
        if format == "html" || self.matches.contains_id("html") {
            let [puzzle, solution] = match told::pictures(instance) {
                Some(pictures) => pictures.map(|p| Some(svg::draw(&p))),
                None => [None, None],
            };
            let of = if count > 1 { format!("{} of {count}, ", i + 1) } else { String::new() };
            let caption = format!(
                "{}, {of}{}, seed {}",
                told::name(&self.puzzle),
                told::word(instance.difficulty),
                wish.seed
            );
            let caption_of_solution = format!("Solution of {caption}");
            sides.push(Side { caption, drawing: puzzle, text: facts() });
            let text = told::solution(instance).replace(' ', "\n");
            sides.push(Side { caption: caption_of_solution, drawing: solution, text });
        }
        if format == "html" {
            return;
        }
        let mut text = told::heading(&self.puzzle, instance, wish);
        match told::pictures(instance).filter(|_| format == "grid") {
            Some([puzzle, _]) => {
                puzzle.lines(false).iter().for_each(|line| text.push_str(&format!("{}\n", line.trim_end())));
            }
            None => {
                if format == "grid" {
                    note("there is no picture of this puzzle: these are its facts");
                }
                text.push_str(&facts());
            }
        }
        let to_files = self.matches.contains_id("output");
        if count > 1 && !to_files && i + 1 < count {
            text.push('\n');
        }
        self.write(&text, (count > 1).then_some(i + 1));
    }

    /// Prints a text or writes it to the file, under a number if there are several.
    fn write(&self, text: &str, number: Option<u64>) {
        let Some(file) = self.matches.get_one::<String>("output") else { return asking::print(text) };
        let file = match number {
            None => file.clone(),
            Some(number) => numbered(file, number),
        };
        match std::fs::write(&file, text) {
            Ok(()) => note(&format!("wrote {file}")),
            Err(error) => stdout::fail_with(format!("{file} cannot be written: {error}")),
        }
    }
}

/// `1 clue`, `2 clues`
fn amount(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
