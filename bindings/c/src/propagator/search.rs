//! What propagators may do in the search, as clingo.h has it.

use std::ffi::c_int;

use asp::propagator::Lifetime;

use super::{Running, set};
use crate::error::{Fail, guard, ok};
use crate::ffi::{Array, Out};
use crate::registry::Handle;

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_control_thread_id(control: Handle<Running>) -> u32 {
    guard(0, || control.running().map(|running| running.thread))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_control_add_literal(control: Handle<Running>, literal: Out<i32>) -> bool {
    set(control.search(|search| Ok(search.add_literal()?)), &literal)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_control_add_watch(control: Handle<Running>, literal: i32) -> bool {
    ok(|| control.search(|search| Ok(search.add_watch(literal)?)))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_control_has_watch(control: Handle<Running>, literal: i32) -> bool {
    guard(false, || control.search(|search| Ok(search.has_watch(literal))))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_control_remove_watch(control: Handle<Running>, literal: i32) {
    ok(|| {
        control.search(|search| {
            search.remove_watch(literal);
            Ok(())
        })
    });
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_control_add_clause(
    control: Handle<Running>,
    clause: Array<i32>,
    size: usize,
    kind: c_int,
    result: Out<bool>,
) -> bool {
    let lifetime = match kind {
        0..=3 => Ok(Lifetime { kept: kind & 1 != 0, volatile: kind & 2 != 0 }),
        _ => Err(Fail::runtime(format!("{kind} is no type of clauses"))),
    };
    set(
        lifetime.and_then(|l| control.search(|search| Ok(search.add_clause(clause.slice(size), l)?))),
        &result,
    )
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_control_propagate(control: Handle<Running>, result: Out<bool>) -> bool {
    set(control.search(|search| Ok(search.propagate())), &result)
}
