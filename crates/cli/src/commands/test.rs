//! `asp test FILES`: runs the tests that programs state in `%@test` comments.
//!
//! Tests run on as many threads as there are processors and are reported in order. Invariant: the exit code is 0 only
//! if each test was read, finished in time and found what it expects.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Arg, ArgMatches, Command};

use super::spec::Spec;
use super::{files, program};
use asp_analysis::buffers::Buffers;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::threads;
use asp_options::disk;
use asp_options::warnings::Warnings;
use asp_run::exit;
use asp_run::expectation::{Test, tests};
use asp_run::failure::stopped;
use asp_run::library;
use asp_run::stderr::{tell, tell_error};
use asp_run::stdout;
use asp_run::trial;
use asp_run::watch::{self, Limits, TICK};

pub(crate) const SPEC: Spec = Spec { name: "test", define, run };

/// The default time limit of a test.
const TIME: Duration = Duration::from_secs(60);

fn define() -> Command {
    Command::new("test")
        .about("Run the tests that programs state in %@test comments")
        .after_help(
            "A test is a comment of its own line, in the program or the instance:\n  \
             %@test grid4.lp: count 1            with that file there is one answer set\n  \
             %@test -c n=8: count 92             with that constant\n  \
             %@test: sat                         also: unsat\n  \
             %@test: sets {a b} {a c}            these are the answer sets, as shown\n  \
             %@test: contains p(1) q             each answer set has these atoms (lacks: none of them)\n  \
             %@test tsp6.lp: optimum 233         the costs of the best answer set\n  \
             %@test world.lp: steps 5            the incremental mode ends at step 5\n  \
             %@test: error unsafe                the program is rejected, with such a message\n\
             Files are looked for beside the program, in ../instances and ../programs, and in the library. With\n\
             #minimize, the answer sets meant are the best ones.\n\n\
             Examples:\n  asp test my-puzzle.lp\n  asp test programs/ --filter=grid4\n\n\
             Exit codes: 0 all passed, 1 some failed, 2 stopped before all had run, 65 a file that cannot\n\
             be read.",
        )
        .arg(
            Arg::new("files")
                .value_name("FILES")
                .num_args(1..)
                .required(true)
                .help("Programs, or folders for all .lp files below"),
        )
        .arg(
            Arg::new("filter")
                .long("filter")
                .value_name("TEXT")
                .help("Only tests whose file, line or text contains this"),
        )
        .arg(program::quiet("Only what fails"))
        .arg(program::time_limit("Time for each test [default: 60]"))
        .arg(program::memory_limit("Stop tests past this much memory"))
        .arg(program::warn("As for asp itself; with 'error', a warning fails a test"))
}

/// A test, its file and the text of that file.
struct Case<'a> {
    name: String,
    path: &'a PathBuf,
    text: &'a [u8],
    test: Result<Test, String>,
}

/// Limits and warnings that all tests share.
struct Terms {
    time: Option<Duration>,
    memory: Option<u64>,
    warnings: Warnings,
}

/// A running test: its limits, and its interrupt.
type Slot = Mutex<Option<(Limits, Interrupt)>>;

fn run(matches: &ArgMatches) -> u8 {
    let start = Instant::now();
    let names: Vec<&str> =
        matches.get_many::<String>("files").into_iter().flatten().map(String::as_str).collect();
    let texts = match read(&names) {
        Ok(texts) => texts,
        Err(error) => {
            tell_error(&error);
            return exit::INPUT_ERROR;
        }
    };
    let mut cases: Vec<Case<'_>> = texts.iter().flat_map(|(path, text)| cases(path, text)).collect();
    let all = cases.len();
    if let Some(part) = matches.get_one::<String>("filter") {
        let text = |case: &Case<'_>| case.test.as_ref().map_or(String::new(), |t| t.text.clone());
        cases.retain(|case| format!("{}  {}", case.name, text(case)).contains(part.as_str()));
    }
    let options = match program::shared_options(matches, Vec::new()) {
        Ok(options) => options,
        Err(code) => return code,
    };
    let time = if matches.contains_id("time-limit") { options.time_limit } else { Some(TIME) };
    let terms = Terms { time, memory: options.memory_limit, warnings: options.warnings.clone() };
    let (passed, failed) = run_all(&cases, &terms, matches.get_flag("quiet"));
    let time = start.elapsed().as_secs_f64();
    stdout::print(&format!("{passed} passed, {failed} failed (Time: {time:.2}s)\n"));
    if passed + failed == 0 {
        match matches.get_one::<String>("filter") {
            Some(part) if all > 0 => {
                tell(&format!(
                    "*** Info : (asp): none of the {all} tests here has `{part}` in its line or file name"
                ));
            }
            _ => tell("*** Info : (asp): no %@test comments here; asp test --help shows how to write them"),
        }
    }
    match cases.len() - passed - failed {
        0 if failed == 0 => 0,
        0 => exit::NO,
        _ => stopped(StopReason::Interrupted),
    }
}

/// The files below the given names; a missing file is looked up like a program.
fn read(names: &[&str]) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut found = Vec::new();
    for name in names {
        match (files::collect(&[name]), name) {
            (Ok(paths), _) => {
                for path in paths {
                    let text = disk::read(&path)
                        .map_err(|error| format!("{} could not be read: {error}", path.display()))?;
                    found.push((path, text));
                }
            }
            (Err(why), &"-") => return Err(why),
            (Err(why), name) => {
                let file = library::read(name).map_err(|_| why)?;
                file.note.iter().for_each(|note| tell(&format!("*** Info : (asp): {note}")));
                found.push((file.name.into(), file.bytes));
            }
        }
    }
    Ok(found)
}

fn cases<'a>(path: &'a PathBuf, text: &'a [u8]) -> Vec<Case<'a>> {
    let found = tests(&String::from_utf8_lossy(text));
    let case = |test: Result<Test, (usize, String)>| {
        let line = test.as_ref().map_or_else(|(line, _)| *line, |test| test.line);
        let name = format!("{}:{line}", path.display());
        Case { name, path, text, test: test.map_err(|(_, why)| why) }
    };
    found.into_iter().map(case).collect()
}

impl Case<'_> {
    fn run(&self, terms: &Terms, interrupt: &Interrupt) -> Result<(), String> {
        let test = self.test.as_ref().map_err(|why| format!("  {why}"))?;
        trial::run(test, self.path, self.text, &Buffers::default(), &terms.warnings, interrupt)
    }
}

/// Runs all tests in turn, where no thread can start.
fn run_alone(cases: &[Case<'_>], terms: &Terms, quiet: bool) -> (usize, usize) {
    let mut passed = 0;
    for case in cases {
        let limits = Limits::from_now(terms.time, terms.memory);
        let interrupt = watch::start(limits, exit::STOPPED, |_| |_| true);
        let outcome = Some(case.run(terms, &interrupt));
        passed += usize::from(outcome == Some(Ok(())));
        tell_outcome(case, &outcome, quiet);
    }
    (passed, cases.len() - passed)
}

/// Runs all tests and reports each; returns how many passed and failed.
fn run_all(cases: &[Case<'_>], terms: &Terms, quiet: bool) -> (usize, usize) {
    if !threads::can_start() {
        return run_alone(cases, terms, quiet);
    }
    let threads = thread::available_parallelism().map_or(1, usize::from).min(cases.len().max(1));
    let slots: Vec<Slot> = (0..threads).map(|_| Slot::default()).collect();
    let results: Vec<Mutex<Option<Result<(), String>>>> = cases.iter().map(|_| Mutex::default()).collect();
    let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    // If signals cannot be caught, they keep their default effect.
    let caught = watch::catch_signals(exit::STOPPED).unwrap_or_default();
    let interrupted = || caught.load(Ordering::Relaxed);
    let work = |slot: &Slot| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(number).filter(|_| !interrupted()) else { return };
            let interrupt = Interrupt::new();
            *locked(slot) = Some((Limits::from_now(terms.time, terms.memory), interrupt.clone()));
            let result = case.run(terms, &interrupt);
            *locked(slot) = None;
            if !interrupted() {
                *locked(&results[number]) = Some(result);
            }
        }
    };
    let (mut passed, mut failed) = (0, 0);
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = slots.iter().map(|slot| scope.spawn(move || work(slot))).collect();
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                thread::sleep(TICK);
                for (limits, interrupt) in slots.iter().filter_map(|slot| locked(slot).clone()) {
                    if let Some(reason) = limits.reason(&caught, Instant::now()) {
                        interrupt.stop(reason);
                    }
                }
            }
        });
        for (case, result) in cases.iter().zip(&results) {
            let outcome = loop {
                let found = locked(result).take();
                if found.is_some() || workers.iter().all(thread::ScopedJoinHandle::is_finished) {
                    break found.or_else(|| locked(result).take());
                }
                thread::sleep(Duration::from_millis(2));
            };
            match &outcome {
                Some(Ok(())) => passed += 1,
                Some(Err(_)) => failed += 1,
                None => break,
            }
            tell_outcome(case, &outcome, quiet);
        }
        ended.store(true, Ordering::Relaxed);
    });
    (passed, failed)
}

/// The contents of a lock, even if a thread panicked while holding it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell_outcome(case: &Case<'_>, outcome: &Option<Result<(), String>>, quiet: bool) {
    let text = case.test.as_ref().map_or("", |test| test.text.as_str());
    let name = &case.name;
    let line = match outcome {
        Some(Err(why)) => format!("FAILED  {name}  {text}\n{}\n", why.trim_end()),
        _ if quiet => return,
        _ => format!("ok      {name}  {text}\n"),
    };
    stdout::print(&line);
}
