//! Programs built from nodes, as in clingo.h.
//!
//! Invariants: statements reach the control when building ends, and none of them if one of the calls failed with an
//! error of the parser; the current program part is kept between two builds.

use std::sync::{Mutex, MutexGuard, PoisonError};

use asp::syntax::ast::{Program, Statement, StatementKind};

use super::handle::Handle as AstHandle;
use super::node::{Name, Node, Value};
use super::schema::Type;
use super::write::write;
use crate::control::Control;
use crate::control::ground::Location;
use crate::error::{Fail, ok};
use crate::ffi::Out;
use crate::logger::prefix;
use crate::map::SymbolMap;
use crate::place::Place;
use crate::registry::Handle;
use crate::script::{Lua, execute, has};
use crate::symbol::name_of;

/// The state of a control's builder.
#[derive(Default)]
pub struct Building {
    /// The statements; `None` if nothing is being built.
    statements: Option<Vec<Statement>>,
    /// The last statement that named a program part.
    part: Option<Statement>,
    /// The symbols of the boundary in the control.
    map: SymbolMap,
}

fn lock(building: &Mutex<Building>) -> MutexGuard<'_, Building> {
    building.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a script: it has no place among the statements.
fn run_script(ast: &Node, lua: &Lua) -> Result<(), Fail> {
    let body = ast.body();
    let texts: Vec<Name> = body
        .values
        .iter()
        .filter_map(|v| if let Value::Text(text) = v { Some(*text) } else { None })
        .collect();
    let (Some(&language), Some(&code), at) = (texts.first(), texts.get(1), body.location) else {
        return Err(Fail::runtime("a script has a language and a text"));
    };
    drop(body);
    let place = Location {
        begin_file: name_of(at.begin.file),
        end_file: name_of(at.end.file),
        begin_line: at.begin.line,
        end_line: at.end.line,
        begin_column: at.begin.column,
        end_column: at.end.column,
    };
    execute(language, &place, code, lua).map_err(|fail| match has(language) {
        true => fail,
        // As clingo says it here, where no message tells of the place.
        false => {
            let (begin, end) = (at.begin, at.end);
            let at = Place {
                file: begin.file,
                begin: (begin.line as u32, begin.column as u32),
                end: (end.line as u32, end.column as u32),
            };
            Fail::runtime(format!("{}error: {fail}\n", prefix(Some(at))))
        }
    })
}

/// See clingo.h. A control has one builder.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_program_builder_init(
    control: Handle<Control>,
    builder: Out<Handle<Control>>,
) -> bool {
    ok(|| {
        control.get()?;
        builder.set(control);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_program_builder_begin(builder: Handle<Control>) -> bool {
    ok(|| {
        lock(&builder.get()?.building).statements.get_or_insert_default();
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_program_builder_add(builder: Handle<Control>, ast: AstHandle) -> bool {
    ok(|| {
        let (control, ast) = (builder.get()?, ast.get()?);
        if ast.kind == Type::Script {
            return run_script(&ast, &control.lua);
        }
        control.with(|inner| {
            let mut building = lock(&control.building);
            let Building { statements, map, .. } = &mut *building;
            let statements = statements.as_mut().ok_or_else(|| Fail::runtime("the builder has not begun"))?;
            let (symbols, sources) = inner.tables_mut();
            statements.extend(write(&ast, symbols, sources, map)?);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_program_builder_end(builder: Handle<Control>) -> bool {
    ok(|| {
        let control = builder.get()?;
        control.with(|inner| {
            let mut building = lock(&control.building);
            let Some(added) = building.statements.take() else { return Ok(()) };
            let is_part = |s: &&Statement| matches!(s.kind, StatementKind::Part { .. });
            let last = added.iter().rev().find(is_part).cloned();
            let statements = building.part.iter().cloned().chain(added).collect();
            building.part = last.or(building.part.take());
            inner.parse()?;
            inner.take_in(Program { statements, ..Program::default() }).map_err(|error| match error {
                asp::Error::Parse(_) => Fail::runtime("parsing failed"),
                error => error.into(),
            })
        })
    })
}
