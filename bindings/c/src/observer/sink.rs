//! Who is told of the ground program: user-defined functions, or a file of aspif.

use std::ffi::{c_char, c_int, c_void};
use std::fs::File;
use std::io::{BufWriter, Write};

use super::statement::{Shown, Statement};
use crate::backend::WeightedLiteral;
use crate::error::Fail;
use crate::ffi::text_for_c;
use crate::symbol::Symbol;

type Unit = Option<extern "C" fn(*mut c_void) -> bool>;
type Conditioned<A> = Option<extern "C" fn(A, *const i32, usize, *mut c_void) -> bool>;

/// The user-defined functions, as C writes them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Observer {
    init_program: Option<extern "C" fn(bool, *mut c_void) -> bool>,
    begin_step: Unit,
    end_step: Unit,
    rule: Option<extern "C" fn(bool, *const u32, usize, *const i32, usize, *mut c_void) -> bool>,
    weight_rule: Option<
        extern "C" fn(bool, *const u32, usize, i32, *const WeightedLiteral, usize, *mut c_void) -> bool,
    >,
    minimize: Option<extern "C" fn(i32, *const WeightedLiteral, usize, *mut c_void) -> bool>,
    project: Option<extern "C" fn(*const u32, usize, *mut c_void) -> bool>,
    output_atom: Option<extern "C" fn(Symbol, u32, *mut c_void) -> bool>,
    output_term: Conditioned<Symbol>,
    external: Option<extern "C" fn(u32, c_int, *mut c_void) -> bool>,
    assume: Option<extern "C" fn(*const i32, usize, *mut c_void) -> bool>,
    heuristic: Option<extern "C" fn(u32, c_int, c_int, u32, *const i32, usize, *mut c_void) -> bool>,
    acyc_edge: Option<extern "C" fn(c_int, c_int, *const i32, usize, *mut c_void) -> bool>,
    theory_term_number: Option<extern "C" fn(u32, c_int, *mut c_void) -> bool>,
    theory_term_string: Option<extern "C" fn(u32, *const c_char, *mut c_void) -> bool>,
    theory_term_compound: Option<extern "C" fn(u32, c_int, *const u32, usize, *mut c_void) -> bool>,
    theory_element: Option<extern "C" fn(u32, *const u32, usize, *const i32, usize, *mut c_void) -> bool>,
    theory_atom: Option<extern "C" fn(u32, u32, *const u32, usize, *mut c_void) -> bool>,
    theory_atom_with_guard: Option<extern "C" fn(u32, u32, *const u32, usize, u32, u32, *mut c_void) -> bool>,
}

/// Who is told.
pub enum Sink {
    Caller(Observer, *mut c_void),
    File(BufWriter<File>),
}

// SAFETY: the pointer is handed to the caller's functions and never read here; clingo.h says that they are called from the
// thread that grounds or begins a call.
unsafe impl Send for Sink {}

/// Calls a user-defined function, if there is one.
macro_rules! tell {
    ($function:expr, $($argument:expr),*) => {
        match $function {
            Some(function) => Fail::unless_wrong(|| Ok(function($($argument),*)))?,
            None => {}
        }
    };
}

fn unwritten(error: &std::io::Error) -> Fail {
    Fail::runtime(format!("the ground program cannot be written: {error}"))
}

impl Sink {
    pub fn init(&mut self, incremental: bool) -> Result<(), Fail> {
        match self {
            Self::Caller(o, data) => tell!(o.init_program, incremental, *data),
            Self::File(file) => {
                let more = if incremental { " incremental" } else { "" };
                writeln!(file, "asp 1 0 0{more}").map_err(|error| unwritten(&error))?;
            }
        }
        Ok(())
    }

    pub fn begin_step(&mut self) -> Result<(), Fail> {
        if let Self::Caller(o, data) = self {
            tell!(o.begin_step, *data);
        }
        Ok(())
    }

    pub fn end_step(&mut self) -> Result<(), Fail> {
        match self {
            Self::Caller(o, data) => tell!(o.end_step, *data),
            Self::File(file) => {
                writeln!(file, "0").and_then(|()| file.flush()).map_err(|error| unwritten(&error))?;
            }
        }
        Ok(())
    }

    pub fn tell(&mut self, statement: &Statement<'_>) -> Result<(), Fail> {
        match self {
            Self::Caller(observer, data) => call(observer, *data, statement),
            Self::File(file) => writeln!(file, "{statement}").map_err(|error| unwritten(&error)),
        }
    }
}

/// Calls the function for a statement. clingo passes the atom 0 for facts that are shown.
fn call(o: &Observer, data: *mut c_void, statement: &Statement<'_>) -> Result<(), Fail> {
    match statement {
        Statement::Rule { choice, head, body } => {
            tell!(o.rule, *choice, head.as_ptr(), head.len(), body.as_ptr(), body.len(), data);
        }
        Statement::WeightRule { choice, head, bound, body } => {
            let (start, size) = (body.as_ptr(), body.len());
            tell!(o.weight_rule, *choice, head.as_ptr(), head.len(), *bound, start, size, data);
        }
        Statement::Minimize { priority, literals } => {
            tell!(o.minimize, *priority, literals.as_ptr(), literals.len(), data);
        }
        Statement::Project(atoms) => tell!(o.project, atoms.as_ptr(), atoms.len(), data),
        Statement::Output { symbol, shown: Shown::Atom(atom), .. } => {
            tell!(o.output_atom, *symbol, *atom, data);
        }
        Statement::Output { symbol, shown: Shown::Term(condition), .. } => {
            tell!(o.output_term, *symbol, condition.as_ptr(), condition.len(), data);
        }
        Statement::External { atom, value } => tell!(o.external, *atom, *value, data),
        Statement::Assume(literals) => tell!(o.assume, literals.as_ptr(), literals.len(), data),
        Statement::Heuristic { modifier, atom, bias, priority, condition } => {
            let (start, size) = (condition.as_ptr(), condition.len());
            tell!(o.heuristic, *atom, *modifier, *bias, *priority, start, size, data);
        }
        Statement::Edge { from, to, condition } => {
            tell!(o.acyc_edge, *from, *to, condition.as_ptr(), condition.len(), data);
        }
        Statement::TheoryNumber { id, number } => tell!(o.theory_term_number, *id, *number, data),
        Statement::TheoryString { id, text } => {
            let text = text_for_c(text)?;
            tell!(o.theory_term_string, *id, text.as_ptr(), data);
        }
        Statement::TheoryCompound { id, name, arguments } => {
            tell!(o.theory_term_compound, *id, *name, arguments.as_ptr(), arguments.len(), data);
        }
        Statement::TheoryElement { id, terms, condition } => {
            let (start, size) = (condition.as_ptr(), condition.len());
            tell!(o.theory_element, *id, terms.as_ptr(), terms.len(), start, size, data);
        }
        Statement::TheoryAtom { atom, term, elements, guard } => {
            let (start, size) = (elements.as_ptr(), elements.len());
            match *guard {
                None => tell!(o.theory_atom, *atom, *term, start, size, data),
                Some((operator, right)) => {
                    tell!(o.theory_atom_with_guard, *atom, *term, start, size, operator, right, data);
                }
            }
        }
    }
    Ok(())
}
