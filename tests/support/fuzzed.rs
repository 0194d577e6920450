//! What the fuzz targets do with their input; also used by the test that keeps what they found.
//!
//! Nothing here may panic, run for long or take much memory, whatever the input.

use asp::{Control, Error, GroundFormat, Source};
use asp::{Interrupt, StopReason};
use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_data::csv::{self, Layout};
use asp_data::puzzle::Names;
use asp_data::{Text, grid, json};
use asp_questions::{Effort, Question, Subject, ask};
use asp_report::answer_set::{AnswerTable, Rendering};
use asp_report::diagnostic::render;
use asp_solve::{EnumMode, Event, Flow, Projection, SolveOptions};
use asp_syntax::{Input, NoFiles, Parsed, parse, print};
use std::num::NonZeroI64;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The greatest number of instances of a program.
const MOST_INSTANCES: u64 = 20_000;
/// The greatest number of atoms of a ground program that is solved.
const MOST_ATOMS: usize = 1 << 20;
/// The greatest number of answer sets to find.
const MODELS: u64 = 5;
/// The greatest time for a program.
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

/// Any bytes as a program. What parses without a message prints to a text that parses, too, and prints the same.
pub fn text(bytes: &[u8]) {
    let mut symbols = Symbols::new();
    let (first, fine) = parsed(bytes, &mut symbols);
    if !fine {
        return;
    }
    // A rule without a body becomes a fact, and facts come first.
    let printed = print::program(&first.program, &symbols);
    let (second, fine) = parsed(printed.as_bytes(), &mut symbols);
    assert!(fine, "{printed}\n{:?}", second.diagnostics);
    let printed = print::program(&second.program, &symbols);
    let (third, fine) = parsed(printed.as_bytes(), &mut symbols);
    assert!(fine, "{printed}\n{:?}", third.diagnostics);
    assert_eq!(printed, print::program(&third.program, &symbols));
}

/// A program: grounded within limits, printed in all formats, solved for a moment.
pub fn program(text: &str) {
    within_limits(|interrupt| {
        let mut control = Control::with_interrupt(interrupt);
        control.set_loader(NoFiles);
        control.settings.ground.instance_limit = Some(MOST_INSTANCES);
        control.settings.ground.keep_facts = true;
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

/// Questions about a program, with any replies.
pub fn questions(text: &str) {
    let few = |first| Effort { first, work: 100_000, kept: 5_000, steps: 100 };
    let walks = Effort { first: 1, work: 0, kept: 1, steps: 200 };
    let questions = [
        Question::Unique,
        Question::Count { project: true, effort: few(1) },
        Question::Count { project: false, effort: few(10) },
        Question::Sample { project: false, number: 2, seed: 1, effort: few(5_000) },
        Question::Sample { project: true, number: 1, seed: 1, effort: walks },
        Question::Diverse(3),
        Question::Candidates { by_inference: false },
        Question::Candidates { by_inference: true },
        Question::Hint(0),
        Question::WhyUnsat,
        Question::Why("a".into()),
        Question::Why("p(1)".into()),
    ];
    let texts = [Source::new("input", text)];
    within_limits(|interrupt| {
        for question in &questions {
            let empty = || {
                let mut control = Control::with_interrupt(interrupt.clone());
                control.set_loader(NoFiles);
                control
            };
            let _ = ask(
                &Subject { texts: &texts, empty: &empty, ground: &ground_some, optimal: false },
                question,
            );
        }
    });
}

/// Grounds a program with few instances.
fn ground_some(control: &mut Control) -> Result<(), Error> {
    let limit = &mut control.settings.ground.instance_limit;
    *limit = Some(limit.unwrap_or(u64::MAX).min(MOST_INSTANCES / 10));
    control.ground()
}

/// A ground program in one of the formats that can be read (aspif, smodels format, DIMACS, OPB, WBO), read as
/// `--mode=clasp` does and in place of a program. The length determines what `--lemma-out` and `--parse-maxsat` set.
pub fn ground_format(bytes: &[u8]) {
    for alone in [true, false] {
        within_limits(|interrupt| {
            let mut control = Control::with_interrupt(interrupt);
            control.set_loader(NoFiles);
            control.settings.ground.instance_limit = Some(MOST_INSTANCES);
            control.settings.max_sat = bytes.len().is_multiple_of(2);
            control.settings.keep_numbers = bytes.len().is_multiple_of(3);
            control.settings.forced = NonZeroI64::new((bytes.len() % 5) as i64 - 2);
            control.add_source(Source::new("input", bytes));
            let read = if alone { control.read_ground() } else { control.parse() };
            // A header may declare as many variables as it likes: they are all searched.
            let is_small = control.program().atoms.len() <= MOST_ATOMS;
            if read.is_ok() && is_small && (alone || control.is_ground_input()) {
                finish(&mut control);
            }
        });
    }
}

/// A puzzle or a table: the first byte says which, and its layout. What is read becomes facts that parse.
pub fn data(bytes: &[u8]) {
    let Some((&how, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let mut sources = Sources::new();
    let Ok(start) = sources.add("input".into(), text.into()) else { return };
    let input = Text { text, start };
    let columns = (how & 4 != 0).then(|| vec!["a".to_string(), "b".to_string()]);
    let read = match how % 4 {
        0 | 1 => grid::read(input, how & 1 == 1).map(|puzzle| {
            let uses = ["given", "clue", "row", "column", "region", "size"].map(|name| (name.to_string(), 3));
            let constants = ["n", "box", "rows", "first"].map(String::from);
            let constants: std::collections::BTreeSet<String> = constants.into();
            let replaced = constants.clone();
            let names = Names { uses: uses.into(), shows: Default::default(), constants, replaced };
            puzzle.facts(&names, (how & 8 != 0).then_some("p")).facts
        }),
        2 => {
            let header = [None, Some("yes"), Some("no"), Some("auto")][usize::from(how >> 3) % 4];
            let delimiter = [None, Some("tab"), Some(";"), Some("|")][usize::from(how >> 5) % 4];
            let layout = Layout::new(header, delimiter).expect("these are known");
            csv::table(input, "p", columns.as_deref(), layout).map(|table| {
                assert!(table.notes.iter().all(|guess| !guess.note("input").is_empty()));
                table.facts
            })
        }
        _ => json::table(input, "p", columns.as_deref()).map(|table| table.facts),
    };
    match read {
        Ok(facts) => {
            let (parsed, fine) = parsed(facts.text.as_bytes(), &mut Symbols::new());
            assert!(fine, "{facts:?}\n{:?}", parsed.diagnostics);
            assert_eq!(facts.parts.len(), facts.text.lines().count(), "{facts:?}");
            for &(_, from, to) in &facts.parts {
                assert!(text.get(from as usize..to as usize).is_some(), "{facts:?}");
            }
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            for problem in problems {
                let place = problem.labels.first().expect("a place");
                assert!(sources.file_of(place.span).is_some(), "{problem:?}");
                assert!(!render(&problem, &sources, false).is_empty());
            }
        }
    }
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
    options.conflict_limit = Some(2000);
    // Results are printed as for programs and as for SAT formats, as text, JSON and JSON lines.
    let text = Rendering::Text { prefix: String::new(), suffix: String::new() };
    let tables = [text, Rendering::JsonString, Rendering::JsonTerm]
        .map(|rendering| AnswerTable::new(control.program(), control.symbols(), &rendering, " ", false));
    for (enum_mode, projection) in [
        (EnumMode::Auto, Projection::None),
        (EnumMode::Record, Projection::Show),
        (EnumMode::Brave, Projection::Project),
    ] {
        (options.enum_mode, options.projection) = (enum_mode, projection);
        let (mut models, mut out) = (0, Vec::new());
        control
            .solve_events(&options, &[], &mut |event, _, _| {
                if let Event::Model(model) = event {
                    models += 1;
                    out.clear();
                    for table in &tables {
                        table.write(&model, &mut out);
                    }
                }
                if models > 4 * MODELS { Flow::Stop } else { Flow::Continue }
            })
            .unwrap();
    }
}

/// Runs `f` with a flag that is raised after a while, by one thread for all calls of this thread: starting a thread for
/// each would take longer than most inputs.
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
