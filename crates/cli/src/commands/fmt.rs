//! `asp fmt FILES`: programs in one style, comments and meaning kept.
//!
//! Invariant: a file is written only if it changes, and never if it has a syntax error.

use std::io::Read as _;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::files;
use super::messages::{Format, Messages};
use super::spec::Spec;
use asp_control::notation_of;
use asp_format::{self as format, diff};
use asp_options::disk;
use asp_run::exit;
use asp_run::stderr::tell_error;
use asp_run::stdout;
use asp_run::terminal;

pub(crate) const SPEC: Spec = Spec { name: "fmt", define, run };

fn define() -> Command {
    Command::new("fmt")
        .about("Lay programs out in one style, in place")
        .after_help(
            "Facts on one line stay together, rules get a line each; lines end before column 100. Comments and single\n\
             blank lines are kept.\n\n\
             Examples:\n  asp fmt my-puzzle.lp\n  asp fmt --diff programs/\n  asp fmt - < old.lp > new.lp\n\n\
             Exit codes: 0 done, 1 --check or --diff found something to change, 65 a file with errors (left as it is).",
        )
        .arg(
            Arg::new("files")
                .value_name("FILES")
                .num_args(1..)
                .required(true)
                .help("Files, or folders for all .lp files below; '-': standard input to standard output"),
        )
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .help("Change nothing; list the files that would change"),
        )
        .arg(
            Arg::new("diff")
                .long("diff")
                .action(ArgAction::SetTrue)
                .help("Change nothing; show what would change"),
        )
}

/// The result for a file.
enum Formatted {
    Same,
    Changed,
    Failed,
}

fn run(matches: &ArgMatches) -> u8 {
    let names: Vec<&str> =
        matches.get_many::<String>("files").into_iter().flatten().map(String::as_str).collect();
    let (check, diff) = (matches.get_flag("check"), matches.get_flag("diff"));
    let mut outcomes = Vec::new();
    if names.contains(&"-") {
        outcomes.push(standard_input(check, diff));
    }
    let files: Vec<&str> = names.into_iter().filter(|n| *n != "-").collect();
    match files::collect(&files) {
        Ok(paths) => outcomes.extend(paths.iter().map(|path| file(path, check, diff))),
        Err(error) => {
            tell_error(&error);
            return exit::INPUT_ERROR;
        }
    }
    if outcomes.iter().any(|o| matches!(o, Formatted::Failed)) {
        exit::INPUT_ERROR
    } else if (check || diff) && outcomes.iter().any(|o| matches!(o, Formatted::Changed)) {
        exit::NO
    } else {
        0
    }
}

fn standard_input(check: bool, diff: bool) -> Formatted {
    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().lock().read_to_end(&mut bytes) {
        tell_error(&format!("standard input could not be read: {error}"));
        return Formatted::Failed;
    }
    let Some((old, new)) = laid_out("<stdin>", bytes) else { return Formatted::Failed };
    if check || diff {
        return report("<stdin>", &old, &new, check, diff);
    }
    stdout::print(&new);
    Formatted::Same
}

fn file(path: &Path, check: bool, diff: bool) -> Formatted {
    let name = path.display().to_string();
    let bytes = match disk::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            tell_error(&format!("{name} could not be read: {error}"));
            return Formatted::Failed;
        }
    };
    let Some((old, new)) = laid_out(&name, bytes) else { return Formatted::Failed };
    if check || diff {
        return report(&name, &old, &new, check, diff);
    }
    if old == new {
        return Formatted::Same;
    }
    match disk::replace(path, new.as_bytes()) {
        Ok(()) => Formatted::Changed,
        Err(error) => {
            tell_error(&format!("{name} could not be written: {error}"));
            Formatted::Failed
        }
    }
}

fn report(name: &str, old: &str, new: &str, check: bool, diff: bool) -> Formatted {
    if old == new {
        return Formatted::Same;
    }
    let list = if check { format!("{name}\n") } else { String::new() };
    let changes = if diff { diff::unified(name, old, new) } else { String::new() };
    stdout::print(&format!("{list}{changes}"));
    Formatted::Changed
}

/// A text before and after formatting; `None`, after its messages, if it has errors.
pub(super) fn laid_out(name: &str, bytes: Vec<u8>) -> Option<(String, String)> {
    let old = readable(name, bytes)?;
    let new = format::format(&old);
    Some((old, new))
}

/// The text, if the bytes are UTF-8 and parse; otherwise the errors are printed.
pub(super) fn readable(name: &str, bytes: Vec<u8>) -> Option<String> {
    if let Some(notation) = notation_of(&bytes) {
        tell_error(&format!(
            "{name} is a ground program ({notation}), which has no layout; it is left as it is"
        ));
        return None;
    }
    let alone = format::parse_alone(name, &bytes);
    if !alone.is_sound() {
        let mut messages = Messages::new(Format::Text, terminal::colors_messages());
        alone.parsed.diagnostics.iter().for_each(|d| messages.print(d, &alone.sources));
        return None;
    }
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(_) => {
            tell_error(&format!("{name} is not UTF-8; it is left as it is"));
            None
        }
    }
}
