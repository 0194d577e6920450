//! The assignment as clingo.h has it.

use std::ffi::c_int;

use asp::propagator::{Assignment, Misuse};

use super::{Running, set};
use crate::error::{Fail, guard};
use crate::ffi::Out;
use crate::registry::Handle;

macro_rules! values {
    ($($name:ident: $type:ty = $failed:expr, |$assignment:ident $(, $argument:ident: $of:ty)?| $value:expr;)*) => {
        $(
            /// See clingo.h.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name(assignment: Handle<Running> $(, $argument: $of)?) -> $type {
                guard($failed, || assignment.assignment(|$assignment| Ok($value)))
            }
        )*
    };
}

values! {
    clingo_assignment_decision_level: u32 = 0, |a| a.decision_level();
    clingo_assignment_root_level: u32 = 0, |a| a.root_level();
    clingo_assignment_has_conflict: bool = false, |a| a.has_conflict();
    clingo_assignment_has_literal: bool = false, |a, literal: i32| a.has_literal(literal);
    clingo_assignment_size: usize = 0, |a| a.size();
    clingo_assignment_is_total: bool = false, |a| a.is_total();
}

/// Asks for something that need not be there.
fn ask<T>(
    assignment: Handle<Running>,
    out: &Out<T>,
    ask: impl FnOnce(Assignment<'_>) -> Result<T, Misuse>,
) -> bool {
    set(assignment.assignment(|a| Ok(ask(a)?)), out)
}

macro_rules! questions {
    ($($name:ident: $type:ty, |$assignment:ident, $argument:ident: $of:ty| $value:expr;)*) => {
        $(
            /// See clingo.h.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name(assignment: Handle<Running>, $argument: $of, result: Out<$type>) -> bool {
                ask(assignment, &result, |$assignment| $value)
            }
        )*
    };
}

questions! {
    clingo_assignment_level: u32, |a, literal: i32| a.level(literal).map(|level| level.unwrap_or(u32::MAX));
    clingo_assignment_decision: i32, |a, level: u32| a.decision(level);
    clingo_assignment_is_fixed: bool, |a, literal: i32| a.is_fixed(literal);
    clingo_assignment_is_true: bool, |a, literal: i32| a.is_true(literal);
    clingo_assignment_is_false: bool, |a, literal: i32| a.is_false(literal);
    clingo_assignment_truth_value: c_int, |a, literal: i32| a.value(literal).map(truth);
    clingo_assignment_trail_begin: u32, |a, level: u32| a.trail_begin(level);
    clingo_assignment_trail_end: u32, |a, level: u32| a.trail_end(level);
}

fn truth(value: Option<bool>) -> c_int {
    match value {
        None => 0,
        Some(true) => 1,
        Some(false) => 2,
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_assignment_at(
    assignment: Handle<Running>,
    offset: usize,
    literal: Out<i32>,
) -> bool {
    let missing = || Fail::runtime(format!("there are not {offset} literals"));
    let at = |a: Assignment<'_>| (offset < a.size()).then(|| offset as i32 + 1).ok_or_else(missing);
    set(assignment.assignment(at), &literal)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_assignment_trail_size(assignment: Handle<Running>, size: Out<u32>) -> bool {
    ask(assignment, &size, |a| Ok(a.trail_size()))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_assignment_trail_at(
    assignment: Handle<Running>,
    offset: u32,
    literal: Out<i32>,
) -> bool {
    let missing = || Fail::runtime(format!("the trail has no {offset} literals"));
    set(assignment.assignment(|a| a.trail_at(offset).ok_or_else(missing)), &literal)
}
