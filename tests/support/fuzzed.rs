//! What the fuzz targets do with their input, for them and for the test that keeps what they found.
//!
//! Nothing here may panic, run for long or take much memory, whatever the input.

use asp::unstable::base::span::Sources;
use asp::unstable::base::symbol::Symbols;
use asp::unstable::explain::ask::{Question, ask};
use asp::unstable::report::diagnostic::render;
use asp::unstable::solve::{Control as Flow, Event, SolveOptions};
use asp::unstable::syntax::{Input, NoFiles, Parsed, parse, print};
use asp::{Control, Error, GroundFormat, Source};
use asp::{Interrupt, StopReason};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Instances that a program may have.
const MOST_INSTANCES: u64 = 20_000;
/// Answer sets that are looked at.
const MODELS: u64 = 5;
/// How long a program may take.
const LIMIT: Duration = Duration::from_secs(4);

fn parsed(text: &[u8], symbols: &mut Symbols) -> (Parsed, bool) {
    let mut sources = Sources::new();
    let parsed = parse(vec![Input::new("input", text)], symbols, &mut sources, &mut NoFiles);
    for d in &parsed.diagnostics {
        assert!(!render(d, &sources, false).is_empty());
    }
    let fine = parsed.diagnostics.is_empty();
    (parsed, fine)
}

/// Any bytes as a program. What is understood without a message prints to a text that is understood, too, and prints the
/// same.
pub fn text(bytes: &[u8]) {
    let mut symbols = Symbols::new();
    let (first, fine) = parsed(bytes, &mut symbols);
    if !fine {
        return;
    }
    // What was a rule without a body is a fact from here on, and facts come first.
    let printed = print::program(&first.program, &symbols);
    let (second, fine) = parsed(printed.as_bytes(), &mut symbols);
    assert!(fine, "{printed}\n{:?}", second.diagnostics);
    let printed = print::program(&second.program, &symbols);
    let (third, fine) = parsed(printed.as_bytes(), &mut symbols);
    assert!(fine, "{printed}\n{:?}", third.diagnostics);
    assert_eq!(printed, print::program(&third.program, &symbols));
}

/// A program: grounded within limits, printed in all formats, searched for a moment.
pub fn program(text: &str) {
    within_limits(|interrupt| {
        let mut control = Control::with_interrupt(interrupt);
        control.set_loader(NoFiles);
        control.settings.instance_limit = MOST_INSTANCES;
        control.settings.keep_facts = true;
        control.add(text);
        let ground = control.ground();
        for d in control.take_diagnostics() {
            assert!(!render(&d, control.sources(), false).is_empty());
        }
        if ground.is_ok() {
            finish(&mut control);
        }
    });
}

/// A program, asked about: whatever the replies are.
pub fn questions(text: &str) {
    let questions = [
        Question::Unique,
        Question::Count { project: true, few: 1 },
        Question::Count { project: false, few: 10 },
        Question::Sample { project: false, number: 2, seed: 1, walk: false },
        Question::Sample { project: true, number: 1, seed: 1, walk: true },
        Question::Diverse(3),
        Question::Candidates { by_inference: false },
        Question::Candidates { by_inference: true },
        Question::Hint,
        Question::WhyUnsat,
        Question::Why("a".into()),
        Question::Why("p(1)".into()),
    ];
    within_limits(|interrupt| {
        for question in &questions {
            ask(text, question, &interrupt, MOST_INSTANCES / 10);
        }
    });
}

/// A ground program in one of the formats that are read.
pub fn ground_format(bytes: &[u8]) {
    within_limits(|interrupt| {
        let mut control = Control::with_interrupt(interrupt);
        control.add_source(Source::new("input", bytes));
        if control.read_ground().is_ok() {
            finish(&mut control);
        }
    });
}

/// Writes and solves a ground program.
fn finish(control: &mut Control) {
    let reify = GroundFormat::Reify { sccs: true, steps: false };
    for format in [GroundFormat::Text, GroundFormat::Aspif, GroundFormat::Smodels, reify] {
        let mut out = Vec::new();
        let mut writer = control.ground_writer(format);
        match control.write_ground(&mut writer, &mut out) {
            Ok(()) | Err(Error::Format(_) | Error::Overflow(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    if control.lower().is_err() {
        return;
    }
    let mut options = SolveOptions { models: Some(MODELS), threads: 1, ..SolveOptions::default() };
    options.conflict_limit = 2000;
    let mut models = 0;
    control
        .solve_events(&options, &[], &mut |event, _, _| {
            models += u64::from(matches!(event, Event::Model(_)));
            if models > 4 * MODELS { Flow::Stop } else { Flow::Continue }
        })
        .unwrap();
}

/// Runs `f` with a flag that is raised after a while, by one thread for all calls of this one: a new thread for each would
/// cost more than most inputs do.
fn within_limits(f: impl FnOnce(Interrupt)) {
    thread_local! {
        static CALLS: mpsc::Sender<Option<Interrupt>> = {
            let (send, calls) = mpsc::channel::<Option<Interrupt>>();
            std::thread::spawn(move || watch(&calls));
            send
        };
    }
    let interrupt = Interrupt::new();
    // The other thread lives as long as this one.
    let _ = CALLS.with(|calls| calls.send(Some(interrupt.clone())));
    f(interrupt);
    let _ = CALLS.with(|calls| calls.send(None));
}

fn watch(calls: &mpsc::Receiver<Option<Interrupt>>) {
    let mut running: Option<(Instant, Interrupt)> = None;
    loop {
        let call = match &running {
            None => calls.recv().map_err(|_| mpsc::RecvTimeoutError::Disconnected),
            Some((end, _)) => calls.recv_timeout(end.saturating_duration_since(Instant::now())),
        };
        match (call, running.take()) {
            (Ok(call), _) => running = call.map(|interrupt| (Instant::now() + LIMIT, interrupt)),
            (Err(mpsc::RecvTimeoutError::Timeout), Some((_, interrupt))) => {
                interrupt.stop(StopReason::TimeLimit)
            }
            (Err(_), _) => return,
        }
    }
}
