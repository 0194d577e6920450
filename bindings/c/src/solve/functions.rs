//! Solve handles as in clingo.h.

use std::time::Duration;

use super::{Phase, Solve};
use crate::error::{Fail, ok};
use crate::ffi::Out;
use crate::model::Model;
use crate::registry::Handle;

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_handle_get(handle: Handle<Solve>, result: Out<u32>) -> bool {
    ok(|| {
        let call = handle.get()?;
        call.wait(None)?;
        call.check()?;
        result.set(call.run().bits());
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_handle_wait(handle: Handle<Solve>, timeout: f64, result: Out<bool>) {
    let worked = ok(|| {
        let timeout =
            (timeout >= 0.0).then(|| Duration::try_from_secs_f64(timeout).unwrap_or(Duration::MAX / 4));
        result.set(handle.get()?.wait(timeout)?);
        Ok(())
    });
    if !worked {
        result.set(true);
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_handle_model(handle: Handle<Solve>, model: Out<Handle<Model>>) -> bool {
    ok(|| {
        let call = handle.get()?;
        call.wait(None)?;
        call.check()?;
        let run = call.run();
        let there = run.model.as_ref().filter(|_| run.phase == Phase::Model);
        model.set(there.map_or(Handle::NULL, |m| Model::handle(call.number, m.number)));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_handle_last(handle: Handle<Solve>, model: Out<Handle<Model>>) -> bool {
    ok(|| {
        let call = handle.get()?;
        call.check()?;
        let run = call.run();
        let there = run.model.as_ref().filter(|_| run.phase == Phase::Over);
        model.set(there.map_or(Handle::NULL, |m| Model::handle(call.number, m.number)));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_handle_core(
    handle: Handle<Solve>,
    core: Out<*const i32>,
    size: Out<usize>,
) -> bool {
    ok(|| {
        let call = handle.get()?;
        call.check()?;
        let run = call.run();
        if run.phase != Phase::Over || run.bits() & 2 == 0 {
            core.set(std::ptr::null());
            size.set(0);
            return Ok(());
        }
        // The list does not change after the end, and exists until the handle is closed.
        core.set(run.core.as_ptr());
        size.set(run.core.len());
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_handle_resume(handle: Handle<Solve>) -> bool {
    ok(|| {
        let call = handle.get()?;
        if matches!(call.run().phase, Phase::Searching(_)) && !call.is_async {
            return Err(Fail::logic("a call cannot go on from within itself"));
        }
        call.resume();
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_handle_cancel(handle: Handle<Solve>) -> bool {
    ok(|| {
        let call = handle.get()?;
        call.cancel()?;
        call.check()
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_handle_close(handle: Handle<Solve>) -> bool {
    ok(|| handle.get()?.close())
}
