//! What propagators may do before a call, as clingo.h has it.

use std::ffi::c_int;

use asp::propagator::{Init, SumKind};

use super::{Running, set};
use crate::backend::WeightedLiteral;
use crate::control::{CONTROLS, Control};
use crate::error::{Fail, guard, ok};
use crate::ffi::{Array, Out};
use crate::literals::{self, Value};
use crate::registry::Handle;

/// See clingo.h. The literal 0 is that of theory directives, which always hold.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_solver_literal(
    init: Handle<Running>,
    literal: i32,
    result: Out<i32>,
) -> bool {
    let control = init.running().map_or(0, |running| running.control);
    let find = |init: &mut Init<'_, '_>| {
        if literal == 0 {
            return Ok(1);
        }
        if let Some(element) = literals::condition(literal.saturating_abs()) {
            return Ok(init.condition(element) * literal.signum());
        }
        let control = CONTROLS.get(control)?;
        let value = control.numbers().value(literal, init.ground())?;
        Ok(match value {
            Value::True => 1,
            Value::False => -1,
            Value::Open(literal) => init.literal(literal),
        })
    };
    set(init.init(find), &result)
}

fn change(
    init: Handle<Running>,
    change: impl FnOnce(&mut Init<'static, 'static>) -> Result<(), Fail>,
) -> bool {
    ok(|| init.init(change))
}

/// An error if there is no such thread.
fn check(id: u32, init: &Init<'_, '_>) -> Result<(), Fail> {
    if id < init.threads() {
        return Ok(());
    }
    Err(Fail::runtime(format!("there is no thread {id}: number_of_threads is {}", init.threads())))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_add_watch(init: Handle<Running>, literal: i32) -> bool {
    change(init, |init| Ok(init.add_watch(literal)?))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_add_watch_to_thread(
    init: Handle<Running>,
    literal: i32,
    id: u32,
) -> bool {
    change(init, |init| {
        check(id, init)?;
        Ok(init.add_watch_in(id, literal)?)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_remove_watch(init: Handle<Running>, literal: i32) -> bool {
    change(init, |init| Ok(init.remove_watch(literal)?))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_remove_watch_from_thread(
    init: Handle<Running>,
    literal: i32,
    id: u32,
) -> bool {
    change(init, |init| {
        check(id, init)?;
        Ok(init.remove_watch_in(id, literal)?)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_freeze_literal(init: Handle<Running>, literal: i32) -> bool {
    change(init, |init| Ok(init.freeze(literal)?))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_symbolic_atoms(
    init: Handle<Running>,
    atoms: Out<Handle<Control>>,
) -> bool {
    set(init.running().map(|running| Handle::new(running.control, 0)), &atoms)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_theory_atoms(
    init: Handle<Running>,
    atoms: Out<Handle<Control>>,
) -> bool {
    clingo_propagate_init_symbolic_atoms(init, atoms)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_number_of_threads(init: Handle<Running>) -> c_int {
    guard(0, || init.init(|init| Ok(init.threads() as c_int)))
}

const FIXPOINTS: c_int = 2;
const TOTAL: c_int = 1;

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_set_check_mode(init: Handle<Running>, mode: c_int) {
    change(init, |init| {
        let check = init.check_mode();
        (check.fixpoints, check.total) = (mode & FIXPOINTS != 0, mode & TOTAL != 0);
        Ok(())
    });
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_get_check_mode(init: Handle<Running>) -> c_int {
    guard(0, || {
        init.init(|init| {
            let check = *init.check_mode();
            Ok(c_int::from(check.fixpoints) * FIXPOINTS + c_int::from(check.total) * TOTAL)
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_set_undo_mode(init: Handle<Running>, mode: c_int) {
    change(init, |init| {
        *init.undo_checks() = mode != 0;
        Ok(())
    });
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_get_undo_mode(init: Handle<Running>) -> c_int {
    guard(0, || init.init(|init| Ok(c_int::from(*init.undo_checks()))))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_add_literal(
    init: Handle<Running>,
    _freeze: bool,
    literal: Out<i32>,
) -> bool {
    set(init.init(|init| Ok(init.add_literal())), &literal)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_add_clause(
    init: Handle<Running>,
    clause: Array<i32>,
    size: usize,
    result: Out<bool>,
) -> bool {
    set(init.init(|init| Ok(init.add_clause(clause.slice(size))?)), &result)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_add_weight_constraint(
    init: Handle<Running>,
    literal: i32,
    literals: Array<WeightedLiteral>,
    size: usize,
    bound: i32,
    kind: c_int,
    compare_equal: bool,
    result: Out<bool>,
) -> bool {
    let add = |init: &mut Init<'_, '_>| {
        let terms = literals.slice(size).iter();
        let terms: Vec<(i32, i64)> = terms.map(|t| (t.literal, i64::from(t.weight))).collect();
        let kind = match kind {
            ..0 => SumKind::SumImpliesLiteral,
            0 => SumKind::Equivalence,
            1.. => SumKind::LiteralImpliesSum,
        };
        Ok(init.add_sum(literal, &terms, i64::from(bound), kind, compare_equal)?)
    };
    set(init.init(add), &result)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_add_minimize(
    init: Handle<Running>,
    literal: i32,
    weight: i32,
    priority: i32,
) -> bool {
    change(init, |init| Ok(init.add_cost(literal, i64::from(weight), i64::from(priority))?))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_propagate_init_propagate(init: Handle<Running>, result: Out<bool>) -> bool {
    set(init.init(|init| Ok(init.propagate())), &result)
}
