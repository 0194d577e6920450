//! `asp new PUZZLE [FOLDER]`: copies a program of the library and its first instance as a starting point.
//!
//! Invariant: existing files are not overwritten.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};

use super::spec::Spec;
use asp_run::exit;
use asp_run::stderr::tell_error;
use asp_run::stdout;
use asp_run::{embedded, library};

pub(crate) const SPEC: Spec = Spec { name: "new", define, run };

fn define() -> Command {
    Command::new("new")
        .about("Copy a puzzle out of the library to start from")
        .after_help(
            "Examples:\n  asp new futoshiki\n  asp new sudoku my-sudoku\n\nasp --list shows what there is.\n\n\
             Exit codes: 0 copied, 1 no puzzle named, 65 no such puzzle, or a file of that name is there.",
        )
        .arg(Arg::new("puzzle").value_name("PUZZLE").help("A program of the library"))
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .help("Folder for the copy, made if missing [default: the working folder]"),
        )
}

fn run(matches: &ArgMatches) -> u8 {
    let Some(puzzle) = matches.get_one::<String>("puzzle") else {
        tell_error(&format!("which puzzle? For example `asp new futoshiki`; there are:\n{}", puzzles()));
        return exit::WRONG_USAGE;
    };
    let folder = PathBuf::from(matches.get_one::<String>("folder").map_or(".", String::as_str));
    match copy(puzzle, &folder) {
        Ok(text) => {
            stdout::print(&text);
            0
        }
        Err(error) => {
            tell_error(&error);
            exit::INPUT_ERROR
        }
    }
}

/// The names of all puzzles, several per line.
fn puzzles() -> String {
    names(&embedded::library().iter().map(|(path, _)| *path).collect::<Vec<_>>())
}

/// The names of the puzzles among some embedded files, several per line.
pub(super) fn names(paths: &[&'static str]) -> String {
    let name = |path: &&'static str| path.strip_prefix("programs/")?.strip_suffix(".lp");
    let names: Vec<&str> = paths.iter().filter_map(name).collect();
    names.chunks(6).map(|line| format!("  {}", line.join(", "))).collect::<Vec<_>>().join(",\n")
}

/// Copies the files and returns what to type next.
fn copy(puzzle: &str, folder: &Path) -> Result<String, String> {
    let name = format!("{}.lp", puzzle.trim_end_matches(".lp").trim_start_matches("programs/"));
    let path = format!("programs/{name}");
    let Some((_, program)) = embedded::library().iter().find(|(p, _)| *p == path) else {
        let near = library::nearest(&name).map(|near| near.trim_end_matches(".lp"));
        let near =
            near.map_or_else(|| "asp --list shows all".into(), |near| format!("did you mean `{near}`?"));
        return Err(format!("there is no puzzle `{puzzle}` in the library; {near}"));
    };
    let instances: Vec<(&str, &str)> = instances(&name, program);
    let mut files = vec![(name.as_str(), *program)];
    files.extend(instances.first());
    for (file, _) in &files {
        if folder.join(file).exists() {
            return Err(format!("{} already exists; it is not overwritten", folder.join(file).display()));
        }
    }
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path} could not be written: {error}")
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut out = String::new();
    for (file, text) in &files {
        let path = folder.join(file);
        fs::write(&path, text).map_err(failed(&path))?;
        out.push_str(&format!("wrote {}\n", shown(&path)));
    }
    let names: Vec<String> = files.iter().map(|(file, _)| shown(&folder.join(file))).collect();
    out.push_str(&format!("\nSolve it:   asp {} 0\nTest it:    asp test {}\n", names.join(" "), names[0]));
    if let Some((others, last)) = instances.get(1..).and_then(|rest| rest.split_last().map(|(l, r)| (r, l))) {
        let all: String = others.iter().map(|(file, _)| format!("{file}, ")).collect();
        out.push_str(&format!("Also there: {all}{}\n", last.0));
    }
    Ok(out)
}

/// A path without a leading `.` folder.
fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

/// The instances of a program, first those that its tests name; titles say which program an instance is for.
fn instances(program: &str, text: &str) -> Vec<(&'static str, &'static str)> {
    let mentions = |title: &str| title.split([' ', '(', ')', ',', ':']).any(|word| word == program);
    let mut found: Vec<_> = embedded::library()
        .iter()
        .filter_map(|(path, text)| Some((path.strip_prefix("instances/")?, *text)))
        .filter(|(_, text)| mentions(text.lines().next().unwrap_or("")))
        .collect();
    found.sort_by_key(|(file, _)| text.find(file).unwrap_or(usize::MAX));
    found
}
