//! Nodes from the arguments of `clingo_ast_build`.
//!
//! That function takes a variable number of arguments, which no Rust function can. `make.c` reads them by the type's
//! shape into an array. What C calls is a jump to it, because only Rust functions are exported. A location is passed as
//! a pointer.

use std::ffi::{c_char, c_int, c_void};

use super::handle::{Handle, RawLocation};
use super::node::{Location, Node, Value};
use super::schema::{Argument, Kind, Type};
use crate::error::{Fail, ok};
use crate::ffi::{Array, Out, Text};
use crate::symbol::{Symbol, intern_text};

unsafe extern "C" {
    fn asp_ast_build(kind: c_int, ast: *mut c_void, ...) -> bool;
}

/// See clingo.h.
///
/// # Safety
/// The arguments are those of the type's shape.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn clingo_ast_build() {
    std::arch::naked_asm!("jmp {}", sym asp_ast_build)
}

/// See clingo.h.
///
/// # Safety
/// The arguments are those of the type's shape.
#[cfg(target_arch = "aarch64")]
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn clingo_ast_build() {
    std::arch::naked_asm!("b {}", sym asp_ast_build)
}

/// An argument as `make.c` passes it: the field of its kind is set.
#[repr(C)]
pub struct RawValue {
    number: c_int,
    symbol: Symbol,
    pointer: *const c_char,
    size: usize,
}

/// The attributes of a type; null if there is no such type.
#[unsafe(no_mangle)]
extern "C" fn asp_ast_shape(kind: c_int, size: Out<usize>) -> *const Argument {
    let shape = Type::from_number(kind).map_or(&[][..], Type::shape);
    size.set(shape.len());
    shape.as_ptr()
}

/// Makes a node from a value for each attribute.
#[unsafe(no_mangle)]
extern "C" fn asp_ast_make(kind: c_int, values: Array<RawValue>, size: usize, ast: Out<Handle>) -> bool {
    ok(|| {
        let kind = Type::from_number(kind)
            .ok_or_else(|| Fail::runtime(format!("there is no type of nodes with the number {kind}")))?;
        let mut location = Location::default();
        let mut built = Vec::with_capacity(size);
        for (argument, value) in kind.shape().iter().zip(values.slice(size)) {
            let pointer = value.pointer;
            built.push(match argument.kind {
                Kind::Number => Value::Number(value.number),
                Kind::Symbol => {
                    value.symbol.kind()?;
                    Value::Symbol(value.symbol)
                }
                Kind::Location => {
                    let given = Array::<RawLocation>::new(pointer.cast()).get();
                    location = given.ok_or_else(|| Fail::runtime("a location is needed"))?.get()?;
                    Value::Location
                }
                Kind::Text => Value::Text(intern_text(Text::new(pointer).get()?)?),
                Kind::Ast => Value::Ast(Handle::from_pointer(pointer).get()?),
                Kind::Optional => Value::Optional(Handle::from_pointer(pointer).some()),
                Kind::Texts => {
                    let texts = Array::<Text>::new(pointer.cast()).slice(value.size).iter();
                    Value::Texts(texts.map(|t| intern_text(t.get()?)).collect::<Result<_, Fail>>()?)
                }
                Kind::Asts => {
                    let asts = Array::<Handle>::new(pointer.cast()).slice(value.size).iter();
                    Value::Asts(asts.map(|ast| ast.get()).collect::<Result<_, Fail>>()?)
                }
            });
        }
        if built.len() < kind.shape().len() {
            return Err(Fail::runtime("there are too few arguments"));
        }
        ast.set(Handle::new(Node::new(kind, location, built)));
        Ok(())
    })
}
