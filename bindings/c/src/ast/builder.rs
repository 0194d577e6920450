//! Programs built from nodes, as in clingo.h.
//!
//! Invariants: statements reach the control when building ends, and none of them if one of the calls failed with an
//! error of the parser; the current program part is kept between two builds.

use asp::syntax::ast::{Program, Statement};

use super::handle::Handle as AstHandle;
use super::node::{Ast, Name, Node, Value};
use super::schema::Type;
use super::trees::Trees;
use super::wording;
use super::write::write;
use crate::control::ground::Location;
use crate::control::{Control, lock};
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
    /// Instead of these, nodes that were added while the control was away, and whether each belongs to `base`.
    late: Vec<(Ast, bool)>,
    /// The last node that named a program part, when building began, and since.
    part: Option<Ast>,
    named: Option<Ast>,
    /// Whether statements go to another part than `base`.
    in_part: bool,
    /// The symbols of the boundary in the control.
    map: SymbolMap,
}

impl Building {
    /// Notes a node, if it begins a part.
    fn note(&mut self, ast: &Ast) {
        if ast.kind == Type::Program {
            self.named = Some(ast.deep_copy());
            self.in_part = wording::print(ast).is_ok_and(|text| text != "#program base.");
        }
    }

    fn add(&mut self, ast: &Ast, inner: &mut asp::Control, trees: &mut Trees) -> Result<(), Fail> {
        let start = inner.sources().next();
        let statements =
            self.statements.as_mut().ok_or_else(|| Fail::runtime("the builder has not begun"))?;
        statements.extend(write_all([ast], inner, &mut self.map)?);
        trees.note(start, ast.clone(), !self.in_part);
        self.note(ast);
        Ok(())
    }

    /// Keeps a node until the control is back; false if statements wait already, which only the control can take.
    fn put_off(&mut self, ast: &Ast) -> bool {
        let can = self.statements.as_ref().is_some_and(Vec::is_empty);
        if can {
            self.late.push((ast.deep_copy(), !self.in_part));
            self.note(ast);
        }
        can
    }
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
        if control.is_away() && lock(&control.building).put_off(&ast) {
            return Ok(());
        }
        control.with(|inner| {
            let mut building = lock(&control.building);
            if building.late.is_empty() {
                building.add(&ast, inner, &mut lock(&control.messages.trees))
            } else {
                building.put_off(&ast);
                Ok(())
            }
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_program_builder_end(builder: Handle<Control>) -> bool {
    ok(|| {
        let control = builder.get()?;
        let (part, late) = {
            let mut building = lock(&control.building);
            let part = building.part.clone();
            building.part = building.named.take().or(building.part.take());
            (part, std::mem::take(&mut building.late))
        };
        if late.is_empty() {
            control.catch_up();
            control.messages.check("parsing failed")?;
            return control.with(|inner| {
                let mut building = lock(&control.building);
                let Some(added) = building.statements.take() else { return Ok(()) };
                let mut statements = write_all(&part, inner, &mut building.map)?;
                statements.extend(added);
                take_in(inner, statements)
            });
        }
        lock(&control.building).statements = None;
        let nodes: Vec<_> = part.into_iter().map(|part| (part, true)).chain(late).collect();
        control.add(Box::new(move |inner, trees| {
            let (mut map, mut statements) = (SymbolMap::default(), Vec::new());
            for (ast, is_base) in &nodes {
                let start = inner.sources().next();
                statements.extend(write_all([ast], inner, &mut map)?);
                lock(trees).note(start, ast.clone(), *is_base);
            }
            take_in(inner, statements)
        }))
    })
}

fn write_all<'n>(
    nodes: impl IntoIterator<Item = &'n Ast>,
    inner: &mut asp::Control,
    map: &mut SymbolMap,
) -> Result<Vec<Statement>, Fail> {
    let (symbols, sources) = inner.tables_mut();
    let mut statements = Vec::new();
    for ast in nodes {
        statements.extend(write(ast, symbols, sources, map)?);
    }
    Ok(statements)
}

fn take_in(inner: &mut asp::Control, statements: Vec<Statement>) -> Result<(), Fail> {
    inner.parse()?;
    inner.take_in(Program { statements, ..Program::default() }).map_err(|error| match error {
        asp::Error::Parse(_) => Fail::runtime("parsing failed"),
        error => error.into(),
    })
}
