//! `asp watch FILES`: at each save, the messages, the tests and the answer set of a program.
//!
//! The files are polled a few times a second; after a change `asp` itself is run again to print. Invariant: the screen shows one
//! state of the files; a change ends the runs of the state before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant, SystemTime};
use std::{env, fs, io, thread};

use clap::{Arg, ArgMatches, Command};

use super::program;
use super::spec::Spec;
use asp_options::outputs::{self, Kind};
use asp_run::failure::note;
use asp_run::stderr::tell_error;
use asp_run::usage::tell_in_subcommand;
use asp_run::{exit, library, stdout, terminal};

pub(crate) const SPEC: Spec = Spec { name: "watch", define, run };

/// Time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(150);
/// The time limit of a step, in seconds, if none is given.
const TIME: &str = "20";

fn define() -> Command {
    program::watched(
        Command::new("watch").about("Check, test and draw a program anew at each save").after_help(
            "Each time one of the files, or a file that they include, is saved, it shows what `asp check` and `asp test` say\n\
             and an answer set, as a picture where there is something to draw. Ctrl-C ends it.\n\n\
             Examples:\n  asp watch my-puzzle.lp my-grid.lp\n  asp watch -c n=8 queens.lp\n\n\
             Exit codes: 65 a file that cannot be read; otherwise it ends by Ctrl-C.",
        ),
    )
    .arg(program::time_limit("Time for each of check, tests and answer set [default: 20]"))
    .arg(Arg::new("svg").long("svg").value_name("FILE").help("Write the picture into a file, too"))
}

/// The state of the files: when they were written, and how long they are.
type Look = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

fn look(files: &[String]) -> Look {
    let mut found = Look::new();
    let mut open: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    while let Some(path) = open.pop() {
        if found.contains_key(&path) {
            continue;
        }
        let state = fs::metadata(&path).ok().and_then(|m| Some((m.modified().ok()?, m.len())));
        if state.is_some() {
            open.extend(includes(&path));
        }
        found.insert(path, state);
    }
    found
}

/// The files that a text names in `#include "..."`, where they are beside it or in the working folder.
fn includes(path: &Path) -> Vec<PathBuf> {
    let text = fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let name =
        |rest: &str| rest.trim_start().strip_prefix('"')?.split_once('"').map(|(name, _)| name.to_string());
    let names = text.split("#include").skip(1).filter_map(name);
    let places = names.map(|name| [path.parent().unwrap_or(Path::new("")).join(&name), PathBuf::from(name)]);
    places.filter_map(|places| places.into_iter().find(|p| p.is_file())).collect()
}

struct Step(Child);

impl Drop for Step {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn run(matches: &ArgMatches) -> u8 {
    let strings = |name| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
    let files = strings("files");
    let svg = matches.get_one::<String>("svg").map(|file| ("--svg", file.as_str(), Kind::Picture));
    if let Err(why) = outputs::check(svg, files.iter().map(String::as_str)) {
        return tell_in_subcommand(&why);
    }
    for file in &files {
        if let Err(why) = library::read(file) {
            tell_error(&format!("file could not be opened: {file} ({why})"));
            return exit::INPUT_ERROR;
        }
    }
    let consts: Vec<String> = strings("const").into_iter().map(|c| format!("--const={c}")).collect();
    let limit = matches.get_one::<String>("time-limit").map_or(TIME, String::as_str);
    let limit = format!("--time-limit={limit}");
    let words = |first: &[&str], with: &[String]| {
        first
            .iter()
            .map(ToString::to_string)
            .chain([limit.clone()])
            .chain(with.iter().cloned())
            .collect::<Vec<_>>()
    };
    let named = [consts.as_slice(), files.as_slice()].concat();
    // Of an optimisation the best answer set only.
    let mut drawn = words(&["--show-grid", "-V0", "-q1"], &named);
    drawn.extend(matches.get_one::<String>("svg").map(|file| format!("--svg={file}")));
    let has_tests = |file: &String| {
        library::read(file).is_ok_and(|f| String::from_utf8_lossy(&f.bytes).contains("%@test"))
    };
    let mut seen = look(&files);
    loop {
        begin_page(&files);
        let mut steps = vec![words(&["check", "-q"], &named)];
        // Files of the library have been tested.
        let tested: Vec<String> =
            files.iter().filter(|f| Path::new(f).is_file() && has_tests(f)).cloned().collect();
        if !tested.is_empty() {
            steps.push(words(&["test"], &tested));
        }
        steps.push(drawn.clone());
        match all(&steps, &files, &mut seen) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(why) => {
                tell_error(&format!("asp could not be started: {why}"));
                return exit::INPUT_ERROR;
            }
        }
        note("waiting for changes; Ctrl-C ends");
        while !has_changed(&files, &mut seen) {
            thread::sleep(PERIOD);
        }
    }
}

/// A new page on a terminal, a line elsewhere.
fn begin_page(files: &[String]) {
    let clear = if terminal::shows_results() { "\x1b[2J\x1b[3J\x1b[H" } else { "" };
    stdout::print_bytes(clear.as_bytes());
    stdout::print(&format!("== {}\n", files.join(" ")));
}

/// Runs all steps in turn; false if the files changed meanwhile. After errors, the rest is skipped.
fn all(steps: &[Vec<String>], files: &[String], seen: &mut Look) -> io::Result<bool> {
    for step in steps {
        let child = Process::new(env::current_exe()?).args(step).stdin(Stdio::null()).spawn()?;
        let mut step = Step(child);
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = step.0.try_wait()? {
                break status;
            }
            if has_changed(files, seen) {
                return Ok(false);
            }
            // Short steps should not wait.
            thread::sleep(PERIOD.min(begun.elapsed() / 4 + Duration::from_millis(2)));
        };
        if status.code() == Some(exit::INPUT_ERROR.into()) {
            break;
        }
    }
    Ok(!has_changed(files, seen))
}

/// Whether the files differ from `seen`, which is updated. Waits for a file that is just being replaced.
fn has_changed(files: &[String], seen: &mut Look) -> bool {
    let mut now = look(files);
    if now == *seen {
        return false;
    }
    for _ in 0..4 {
        thread::sleep(Duration::from_millis(30));
        let again = look(files);
        if again == now && again.values().all(Option::is_some) {
            break;
        }
        now = again;
    }
    *seen = now;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_files_are_looked_at_too() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let main = file("a.lp", "#include \"b.lp\". #include <incmode>. #include \"none.lp\".");
        let other = file("b.lp", "#include \"a.lp\".");
        let files = [main.to_string_lossy().into_owned()];
        let mut seen = look(&files);
        assert_eq!(seen.keys().collect::<Vec<_>>(), [&main, &other]);
        assert!(!has_changed(&files, &mut seen));
        fs::write(&other, "p(1).").unwrap();
        assert!(has_changed(&files, &mut seen) && !has_changed(&files, &mut seen));
    }
}
