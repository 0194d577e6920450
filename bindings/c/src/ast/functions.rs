//! The functions of clingo.h about nodes and their attributes.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ffi::{c_char, c_int, c_void};

use super::handle::{Handle, RawLocation};
use super::node::{Ast, Name, Value};
use super::order;
use super::print::print;
use super::schema::Attribute;
use super::unpool::unpool;
use crate::error::{Fail, guard, ok};
use crate::ffi::{Array, Out, Text};
use crate::symbol::{Symbol, intern_text, name_of};

fn attribute(number: c_int) -> Result<Attribute, Fail> {
    Attribute::from_number(number)
        .ok_or_else(|| Fail::runtime(format!("there is no attribute with the number {number}")))
}

fn out_of_range() -> Fail {
    Fail::logic("the index is out of range")
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_acquire(ast: Handle) {
    std::mem::forget(ast.some());
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_release(ast: Handle) {
    guard((), || {
        ast.release();
        Ok(())
    });
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_copy(ast: Handle, copy: Out<Handle>) -> bool {
    ok(|| {
        copy.set(Handle::new(ast.get()?.copy()));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_deep_copy(ast: Handle, copy: Out<Handle>) -> bool {
    ok(|| {
        copy.set(Handle::new(ast.get()?.deep_copy()));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_less_than(a: Handle, b: Handle) -> bool {
    guard(false, || Ok(order::compare(&a.get()?, &b.get()?) == Ordering::Less))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_equal(a: Handle, b: Handle) -> bool {
    guard(false, || Ok(order::compare(&a.get()?, &b.get()?) == Ordering::Equal))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_hash(ast: Handle) -> usize {
    guard(0, || Ok(order::hash(&ast.get()?) as usize))
}

thread_local! {
    /// The node whose size was asked for last, with its text, which is asked for next.
    static LAST: RefCell<Option<(usize, String)>> = const { RefCell::new(None) };
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_to_string_size(ast: Handle, size: Out<usize>) -> bool {
    ok(|| {
        let text = print(&ast.get()?)?;
        size.set(text.len() + 1);
        LAST.set(Some((ast.address(), text)));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_to_string(ast: Handle, string: Out<c_char>, size: usize) -> bool {
    ok(|| match LAST.take() {
        Some((last, text)) if last == ast.address() => string.text(&text, size),
        _ => string.text(&print(&ast.get()?)?, size),
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_get_type(ast: Handle, kind: Out<c_int>) -> bool {
    ok(|| {
        kind.set(ast.get()?.kind as c_int);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_has_attribute(ast: Handle, name: c_int, has: Out<bool>) -> bool {
    ok(|| {
        let ast = ast.get()?;
        has.set(Attribute::from_number(name).is_some_and(|a| ast.kind.place(a).is_some()));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_type(ast: Handle, name: c_int, kind: Out<c_int>) -> bool {
    ok(|| {
        let ast = ast.get()?;
        let place = ast.place(attribute(name)?)?;
        kind.set(ast.kind.shape()[place].kind as c_int);
        Ok(())
    })
}

/// A function that reads an attribute.
macro_rules! get {
    ($($function:ident: $result:ty, $pattern:pat => $value:expr;)*) => {
        $(
            /// See clingo.h.
            #[unsafe(no_mangle)]
            pub extern "C" fn $function(ast: Handle, name: c_int, value: Out<$result>) -> bool {
                ok(|| {
                    let found: $result = ast.get()?.read(attribute(name)?, |v| match v {
                        $pattern => Some($value),
                        _ => None,
                    })?;
                    value.set(found);
                    Ok(())
                })
            }
        )*
    };
}

get! {
    clingo_ast_attribute_get_number: c_int, Value::Number(n) => *n;
    clingo_ast_attribute_get_symbol: Symbol, Value::Symbol(symbol) => *symbol;
    clingo_ast_attribute_get_string: *const c_char, Value::Text(text) => name_of(text);
    clingo_ast_attribute_get_ast: Handle, Value::Ast(ast) => Handle::new(ast.clone());
    clingo_ast_attribute_get_optional_ast: Handle, Value::Optional(ast) => Handle::optional(ast.clone());
    clingo_ast_attribute_size_string_array: usize, Value::Texts(texts) => texts.len();
    clingo_ast_attribute_size_ast_array: usize, Value::Asts(asts) => asts.len();
}

/// Replaces a value by one of the same kind.
fn set(ast: Handle, name: c_int, value: Value) -> Result<(), Fail> {
    let kind = value.kind();
    ast.get()?.change(attribute(name)?, |old| (old.kind() == kind).then(|| std::mem::replace(old, value)))?;
    Ok(())
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_set_number(ast: Handle, name: c_int, value: c_int) -> bool {
    ok(|| set(ast, name, Value::Number(value)))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_set_symbol(ast: Handle, name: c_int, value: Symbol) -> bool {
    ok(|| {
        value.kind()?;
        set(ast, name, Value::Symbol(value))
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_set_string(ast: Handle, name: c_int, value: Text) -> bool {
    ok(|| set(ast, name, Value::Text(intern_text(value.get()?)?)))
}

/// Checks that a node has a location under this name.
fn location_attribute(ast: &Ast, name: c_int) -> Result<(), Fail> {
    ast.read(attribute(name)?, |v| matches!(v, Value::Location).then_some(()))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_get_location(
    ast: Handle,
    name: c_int,
    value: Out<RawLocation>,
) -> bool {
    ok(|| {
        let ast = ast.get()?;
        location_attribute(&ast, name)?;
        value.set(RawLocation::new(&ast.body().location));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_set_location(
    ast: Handle,
    name: c_int,
    value: Array<RawLocation>,
) -> bool {
    ok(|| {
        let ast = ast.get()?;
        location_attribute(&ast, name)?;
        let value = value.get().ok_or_else(|| Fail::runtime("a location is needed"))?.get()?;
        ast.body().location = value;
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_set_ast(ast: Handle, name: c_int, value: Handle) -> bool {
    ok(|| {
        ast.get()?.adopt(attribute(name)?, &value.get()?, |old, new| match old {
            Value::Ast(old) => Some(std::mem::replace(old, new)),
            _ => None,
        })?;
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_set_optional_ast(ast: Handle, name: c_int, value: Handle) -> bool {
    ok(|| {
        let Some(value) = value.some() else { return set(ast, name, Value::Optional(None)) };
        ast.get()?.adopt(attribute(name)?, &value, |old, new| match old {
            Value::Optional(old) => Some(old.replace(new)),
            _ => None,
        })?;
        Ok(())
    })
}

/// Changes a list of texts.
fn with_texts<T>(
    ast: Handle,
    name: c_int,
    change: impl FnOnce(&mut Vec<Name>) -> Option<T>,
) -> Result<T, Fail> {
    let changed = ast.get()?.change(attribute(name)?, |value| match value {
        Value::Texts(texts) => Some(change(texts)),
        _ => None,
    })?;
    changed.ok_or_else(out_of_range)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_get_string_at(
    ast: Handle,
    name: c_int,
    index: usize,
    value: Out<*const c_char>,
) -> bool {
    ok(|| {
        value.set(name_of(with_texts(ast, name, |texts| texts.get(index).copied())?));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_set_string_at(
    ast: Handle,
    name: c_int,
    index: usize,
    value: Text,
) -> bool {
    ok(|| {
        let text = intern_text(value.get()?)?;
        with_texts(ast, name, |texts| texts.get_mut(index).map(|old| *old = text))
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_delete_string_at(ast: Handle, name: c_int, index: usize) -> bool {
    ok(|| {
        with_texts(ast, name, |texts| {
            (index < texts.len()).then(|| {
                texts.remove(index);
            })
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_insert_string_at(
    ast: Handle,
    name: c_int,
    index: usize,
    value: Text,
) -> bool {
    ok(|| {
        let text = intern_text(value.get()?)?;
        with_texts(ast, name, |texts| (index <= texts.len()).then(|| texts.insert(index, text)))
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_get_ast_at(
    ast: Handle,
    name: c_int,
    index: usize,
    value: Out<Handle>,
) -> bool {
    ok(|| {
        let found = ast.get()?.read(attribute(name)?, |v| match v {
            Value::Asts(asts) => Some(asts.get(index).cloned()),
            _ => None,
        })?;
        value.set(Handle::new(found.ok_or_else(out_of_range)?));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_set_ast_at(
    ast: Handle,
    name: c_int,
    index: usize,
    value: Handle,
) -> bool {
    ok(|| {
        let old = ast.get()?.adopt(attribute(name)?, &value.get()?, |list, new| match list {
            Value::Asts(asts) => Some(asts.get_mut(index).map(|old| std::mem::replace(old, new))),
            _ => None,
        })?;
        old.map(drop).ok_or_else(out_of_range)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_delete_ast_at(ast: Handle, name: c_int, index: usize) -> bool {
    ok(|| {
        let old = ast.get()?.change(attribute(name)?, |list| match list {
            Value::Asts(asts) => Some((index < asts.len()).then(|| asts.remove(index))),
            _ => None,
        })?;
        old.map(drop).ok_or_else(out_of_range)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_attribute_insert_ast_at(
    ast: Handle,
    name: c_int,
    index: usize,
    value: Handle,
) -> bool {
    ok(|| {
        let inserted = ast.get()?.adopt(attribute(name)?, &value.get()?, |list, new| match list {
            Value::Asts(asts) => Some((index <= asts.len()).then(|| asts.insert(index, new))),
            _ => None,
        })?;
        inserted.ok_or_else(out_of_range)
    })
}

/// A user-defined function that receives nodes, and its data.
#[derive(Clone, Copy)]
pub struct Receiver {
    pub callback: AstCallback,
    pub data: *mut c_void,
}

/// A user-defined function that receives a node; `false` if it failed.
pub type AstCallback = Option<extern "C" fn(Handle, *mut c_void) -> bool>;

impl Receiver {
    /// Passes a node for the duration of the call.
    pub fn take(self, ast: &Ast) -> Result<(), Fail> {
        match self.callback {
            Some(callback) => Fail::unless(|| callback(Handle::borrowed(ast), self.data)),
            None => Ok(()),
        }
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_unpool(
    ast: Handle,
    kind: c_int,
    callback: AstCallback,
    data: *mut c_void,
) -> bool {
    ok(|| {
        let receiver = Receiver { callback, data };
        unpool(&ast.get()?, kind & 2 != 0, kind & 1 != 0)?.iter().try_for_each(|ast| receiver.take(ast))
    })
}
