//! The system under test through its library, which is faster than the binary; each answer set is checked, too.

use super::outcome::{Mode, Model, Outcome};
use asp::{Control, Error};
use asp::{Interrupt, StopReason};
use asp_oracle::{brute_force, check};
use asp_program::AtomId;
use asp_report::answer_set::{AnswerTable, Rendering};
use asp_solve::{EnumMode, Event, Flow, OptMode, OptStrategy, Projection, SolveOptions};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

/// The number of atoms up to which all worlds are tried.
const FEW_ATOMS: usize = 14;

/// The library's outcome for a program. A wrong answer set, a panic, and a difference from the answer sets by
/// definition are returned as rejections.
pub fn solve(program: &str, mode: Mode, limit: usize) -> Outcome {
    solve_with(program, mode, limit, &|_| {})
}

/// The same with other settings.
pub fn solve_with(program: &str, mode: Mode, limit: usize, set: &dyn Fn(&mut Control)) -> Outcome {
    solve_under(program, mode, limit, set, &|_| {})
}

/// The same with other options of the call, too.
pub fn solve_under(
    program: &str,
    mode: Mode,
    limit: usize,
    set: &dyn Fn(&mut Control),
    change: &dyn Fn(&mut SolveOptions),
) -> Outcome {
    let interrupt = Interrupt::new();
    let (done, wait) = mpsc::channel::<()>();
    let flag = interrupt.clone();
    let watch = std::thread::spawn(move || {
        if wait.recv_timeout(Duration::from_secs(10)) == Err(mpsc::RecvTimeoutError::Timeout) {
            flag.stop(StopReason::TimeLimit);
        }
    });
    let outcome = catch_unwind(AssertUnwindSafe(|| run(program, mode, limit, interrupt, (set, change))));
    drop(done);
    let _ = watch.join();
    outcome.unwrap_or_else(|_| Outcome::Rejected("PANIC".to_owned()))
}

fn options(mode: Mode, limit: usize) -> SolveOptions {
    let mut options = SolveOptions { models: Some(0), threads: 1, ..SolveOptions::default() };
    if mode.counts() {
        options.models = Some(limit as u64 + 1);
    }
    match mode {
        Mode::All | Mode::Opt => {}
        Mode::ProjectShow => options.projection = Projection::Show,
        Mode::Project => options.projection = Projection::Project,
        Mode::Brave => options.enum_mode = EnumMode::Brave,
        Mode::Cautious => options.enum_mode = EnumMode::Cautious,
        Mode::OptN => options.opt_mode = OptMode::OptN,
        Mode::OptCore => options.solver.optimize.strategy = OptStrategy::CoreGuided,
        Mode::OptEnum => options.opt_mode = OptMode::Enum,
        Mode::OptIgnore => options.opt_mode = OptMode::Ignore,
        Mode::Supported => options.translate.supported = true,
    }
    options
}

/// What changes the settings of a control and the options of its calls.
type Changes<'a> = (&'a dyn Fn(&mut Control), &'a dyn Fn(&mut SolveOptions));

fn run(text: &str, mode: Mode, limit: usize, interrupt: Interrupt, (set, change): Changes<'_>) -> Outcome {
    let mut control = Control::with_interrupt(interrupt);
    set(&mut control);
    if let Ok(words) = std::env::var("ASP_RANDOM_REWRITE") {
        control.settings.ground.rewritings.obey(&words).expect("names of rewritings");
    }
    control.add(text);
    let stages = |control: &mut Control| -> Result<(), Error> {
        control.ground()?;
        control.lower()
    };
    if let Err(error) = stages(&mut control) {
        if matches!(error, Error::Stopped(_)) {
            return Outcome::Unfinished;
        }
        let messages: Vec<String> = control.take_diagnostics().into_iter().map(|d| d.message).collect();
        return Outcome::Rejected(format!("{error}: {}", messages.join("; ")));
    }
    let mut models = Vec::new();
    // What is true in each, checked when the search has ended: the time of the checks is not the search's.
    let mut truths = Vec::new();
    let consequences = matches!(mode, Mode::Brave | Mode::Cautious);
    // As the command prints them: a term once whatever shows it.
    let rendering = Rendering::Text { prefix: String::new(), suffix: String::new() };
    let table = AnswerTable::new(control.program(), control.symbols(), &rendering, "\n", false);
    let mut options = options(mode, limit);
    change(&mut options);
    let result = control
        .solve_events(&options, &[], &mut |event, program, _| {
            let Event::Model(model) = event else { return Flow::Continue };
            let mut text = Vec::new();
            table.write(&model, &mut text);
            let text = String::from_utf8_lossy(&text);
            models.push(Model {
                shown: text.lines().map(str::to_owned).collect(),
                costs: model.costs.to_vec(),
                optimal: model.optimal,
            });
            if !consequences && mode != Mode::Supported {
                let truth: Vec<bool> =
                    (0..program.atoms.len()).map(|i| model.contains(AtomId(i as u32))).collect();
                truths.push(truth);
            }
            if mode.counts() && models.len() > limit { Flow::Stop } else { Flow::Continue }
        })
        .unwrap();
    for (truth, model) in truths.iter().zip(&models) {
        if let Err(violation) = check::check(control.program(), control.symbols(), truth)
            && violation != check::Violation::GaveUp
        {
            return Outcome::Rejected(format!(
                "not an answer set ({violation:?}): {}",
                model.shown.join(" ")
            ));
        }
    }
    if mode.counts() && models.len() > limit {
        return Outcome::TooMany;
    }
    if !result.exhausted {
        return Outcome::Unfinished;
    }
    let is_whole = control.program().lazy.is_empty();
    if matches!(mode, Mode::All) && is_whole && control.program().atoms.len() <= FEW_ATOMS {
        let (program, symbols) = (control.program(), control.symbols());
        let sets = brute_force::answer_sets(program, symbols);
        let by_definition = mode.select(sets.iter().map(|s| Model {
            shown: s.shown(program, symbols),
            costs: Vec::new(),
            optimal: false,
        }));
        let mut once = models.clone();
        once.iter_mut().for_each(|m| {
            m.shown.sort_unstable();
            m.shown.dedup();
        });
        let found = mode.select(once.into_iter());
        if by_definition != found {
            return Outcome::Rejected(format!("search differs from the definition:\n{found}{by_definition}"));
        }
    }
    mode.select(models.into_iter())
}
