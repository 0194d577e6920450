//! A main function in Lua that makes the calls of a run. The interpreter is in `asp_lua`.
//!
//! Its interface follows the module of clingo.

mod atoms;
mod configuration;
mod control;
mod model;
mod search;
mod session;
mod solve;

use std::sync::Arc;

use mlua::Function;

use super::work::Run;
use asp_control::{Control, Error};
use asp_lua::{Host, taken_apart};
use control::Prg;
use session::Session;

/// Lets a script's `main` make the calls of a run; returns the exit code.
pub(super) fn call(main: &Function, run: &Arc<Run>, host: &Arc<Host>, control: Control) -> u8 {
    run.begin();
    run.open_call();
    let session = Session::new(run, host, control);
    let result = main.call::<()>(Prg::of(&session));
    let stopped = session.stopped();
    match (session.close(), result, stopped) {
        (Some(mut control), Ok(()), _) => run.end(&mut control),
        (_, Err(_), Some(reason)) => run.fail(&Error::Stopped(reason)),
        (_, Err(error), None) => {
            let (what, calls) = taken_apart(&error);
            let calls = calls.map_or(String::new(), |calls| format!("\n{calls}"));
            run.fail_with(&format!("main: {what}{calls}"))
        }
        (None, Ok(()), _) => run.fail_with("main: the control was lost"),
    }
}
