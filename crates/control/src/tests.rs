//! Tests of solve calls.

use super::*;
use asp_base::interrupt::StopReason;
use asp_engine::parameters::CuttingPlanes;
use asp_solve::{EnumMode, Event, Flow};

fn control(text: &str) -> Control {
    let mut control = Control::new();
    control.add(text);
    control
}

fn pulled(handle: &mut SolveHandle<'_>) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    while let Some(answer) = handle.next()? {
        found.push(answer.to_string());
    }
    Ok(found)
}

fn pushed(control: &mut Control) -> Vec<String> {
    let mut found = Vec::new();
    control
        .solve(0, |answer| {
            found.push(answer.to_string());
            true
        })
        .unwrap();
    found
}

#[test]
fn a_control_can_go_to_another_thread() {
    fn is_send<T: Send>(_: &T) {}
    let mut control = control("{ a }.");
    is_send(&control);
    is_send(&control.answers().start().unwrap());
}

#[test]
fn what_is_pulled_is_what_is_pushed() {
    for text in ["{ a(1..4) }. :- a(1), a(2).", "1 { a(1..4) } 2. #minimize { X : a(X) }.", "a :- not a."] {
        for mode in [EnumMode::Auto, EnumMode::Record, EnumMode::Brave, EnumMode::Cautious] {
            let (mut push, mut pull) = (control(text), control(text));
            push.settings.solve.enum_mode = mode;
            pull.settings.solve.enum_mode = mode;
            let expected = pushed(&mut push);
            let mut handle = pull.answers().start().unwrap();
            assert_eq!(pulled(&mut handle).unwrap(), expected, "{text} {mode:?}");
            assert!(handle.finish().exhausted);
            assert_eq!(pull.statistics().search.choices, push.statistics().search.choices, "{text} {mode:?}");
        }
    }
}

#[test]
fn a_dropped_handle_leaves_the_control_usable() {
    for threads in [1, 3] {
        let mut control = control("{ a(1..6) }. #show a/1.");
        control.settings.solve.threads = threads;
        for _ in 0..3 {
            let mut handle = control.answers().start().unwrap();
            assert!(handle.next().unwrap().is_some());
        }
        assert_eq!(pushed(&mut control).len(), 64, "{threads} threads");
    }
}

#[test]
fn several_threads_can_be_pulled() {
    let mut control = control("{ a(1..6) }. :- a(1), a(2).");
    control.settings.solve.threads = 3;
    let mut handle = control.answers().start().unwrap();
    let mut found = pulled(&mut handle).unwrap();
    let result = handle.finish();
    assert_eq!((result.models, result.exhausted), (48, true));
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 48);
    assert_eq!(control.program().atoms.len(), 6);
}

fn pigeons(pigeons: u32, holes: u32) -> Control {
    control(&format!(
        "1 {{ in(P,1..{holes}) }} 1 :- P = 1..{pigeons}. :- in(P,H), in(Q,H), P < Q. {{ free(1..3) }}."
    ))
}

#[test]
fn a_stopped_call_goes_on() {
    let mut control = control("{ a(1..5) }.");
    let interrupt = control.interrupt();
    let mut handle = control.answers().start().unwrap();
    let mut found = 0;
    loop {
        let stopper = interrupt.clone();
        std::thread::spawn(move || stopper.stop(StopReason::Interrupted)).join().unwrap();
        match handle.next() {
            Err(Error::Stopped(StopReason::Interrupted)) => {}
            // There was no other model to search for.
            Ok(None) => break,
            _ => panic!("the call did not stop"),
        }
        interrupt.reset();
        match handle.next().unwrap() {
            Some(answer) => found = answer.number(),
            None => break,
        }
    }
    assert_eq!(found, 32);
    assert!(handle.finish().exhausted);
}

#[test]
fn a_call_is_cancelled_from_another_thread() {
    for threads in [1, 2] {
        let mut control = pigeons(13, 12);
        control.settings.ground.rewritings.obey("no-value-sets").unwrap();
        control.settings.solve.threads = threads;
        control.settings.solve.solver.learning.cutting_planes = CuttingPlanes::Never;
        let interrupt = control.interrupt();
        let mut handle = control.answers().start().unwrap();
        let stopper = interrupt.clone();
        let stop = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            stopper.stop(StopReason::Interrupted);
        });
        assert!(matches!(handle.next(), Err(Error::Stopped(StopReason::Interrupted))), "{threads} threads");
        assert!(handle.result().stopped.is_some());
        drop(handle);
        stop.join().unwrap();
        interrupt.reset();
        control.add("");
        assert!(control.program().is_lowered());
    }
}

/// A stop that is told as a limit of work, as for better costs from a file, is not taken for the end of a slice.
#[test]
fn a_limit_from_outside_ends_a_search_for_the_best() {
    let items: String = (1..=30).map(|i| format!("w({i},{}). ", i * i % 7 + 2)).collect();
    let mut control = control(&format!(
        "{items} {{ s(X) : w(X,_) }}. c(Y) :- s(X), Y = X\\30+1..X\\30+4. :- Y = 1..30, not c(Y). :~ s(X), w(X,C). [C,X]"
    ));
    control.ground().unwrap();
    let search = control.interrupt().child();
    let stopper = search.clone();
    let timer = std::thread::spawn({
        let (late, search) = (std::time::Duration::from_secs(20), search.clone());
        move || {
            std::thread::park_timeout(late);
            // Only a search that goes on hears this.
            search.reset();
            search.stop(StopReason::Interrupted);
        }
    });
    let result = control.solve_until(&SolveOptions::default(), &[], &search, &mut |event, _, _| {
        if let Event::Model(_) = event {
            stopper.stop(StopReason::StepLimit);
        }
        Flow::Continue
    });
    assert_eq!(result.unwrap().stopped, Some(StopReason::StepLimit));
    timer.thread().unpark();
    timer.join().unwrap();
}

#[test]
fn calls_lower_what_is_new() {
    let mut control = control("1 { a(1..3) } 1. #show a/1.");
    control.ground().unwrap();
    let options = SolveOptions { models: Some(0), ..SolveOptions::default() };
    let result = control.solve_events(&options, &[], &mut |_, _, _| Flow::Continue).unwrap();
    assert_eq!(result.models, 3);
}

#[test]
fn value_sets_can_be_switched_off_between_calls() {
    let mut control = pigeons(8, 7);
    control.ground().unwrap();
    control.lower().unwrap();
    let mut options = SolveOptions::default();
    // They would refute pigeons at once.
    options.solver.learning.cutting_planes = CuttingPlanes::Never;
    let conflicts = |control: &mut Control| {
        let before = control.statistics().search.conflicts;
        control.translate(&options);
        control.solve_events(&options, &[], &mut |_, _, _| Flow::Continue).unwrap();
        control.statistics().search.conflicts - before
    };
    assert_eq!(conflicts(&mut control), 0);
    control.settings.ground.rewritings.obey("no-value-sets").unwrap();
    assert!(conflicts(&mut control) > 10);
}
