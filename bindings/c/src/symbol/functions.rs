//! Symbols as in clingo.h.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ffi::{c_char, c_int};

use super::table::{Symbol, SymbolKind, intern_text, name_of};
use super::text;
use crate::error::{Fail, guard, ok};
use crate::ffi::{Array, Out, Text};
use crate::logger::LoggerCallback;
use std::ffi::c_void;

fn unexpected<T>() -> Result<T, Fail> {
    // clingo's word for a symbol of another type.
    Err(Fail::runtime("unexpected"))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_create_number(number: c_int, symbol: Out<Symbol>) {
    ok(|| {
        symbol.set(Symbol::number(number.into())?);
        Ok(())
    });
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_create_supremum(symbol: Out<Symbol>) {
    symbol.set(Symbol::SUPREMUM);
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_create_infimum(symbol: Out<Symbol>) {
    symbol.set(Symbol::INFIMUM);
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_create_string(string: Text, symbol: Out<Symbol>) -> bool {
    ok(|| {
        symbol.set(Symbol::string(string.get()?)?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_create_id(name: Text, positive: bool, symbol: Out<Symbol>) -> bool {
    ok(|| {
        symbol.set(Symbol::function(name.get()?, &[], !positive)?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_create_function(
    name: Text,
    arguments: Array<Symbol>,
    size: usize,
    positive: bool,
    symbol: Out<Symbol>,
) -> bool {
    ok(|| {
        symbol.set(Symbol::function(name.get()?, arguments.slice(size), !positive)?);
        Ok(())
    })
}

/// See clingo.h. An integer that C's `int` cannot hold is an error.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_number(symbol: Symbol, number: Out<c_int>) -> bool {
    ok(|| match symbol.kind()? {
        SymbolKind::Number(n) => {
            let fits = c_int::try_from(n);
            number.set(fits.map_err(|_| Fail::runtime(format!("the integer {n} does not fit 32 bits")))?);
            Ok(())
        }
        _ => unexpected(),
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_name(symbol: Symbol, name: Out<*const c_char>) -> bool {
    ok(|| match symbol.kind()? {
        SymbolKind::Function { name: text, .. } => {
            name.set(name_of(text));
            Ok(())
        }
        _ => unexpected(),
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_string(symbol: Symbol, string: Out<*const c_char>) -> bool {
    ok(|| match symbol.kind()? {
        SymbolKind::String(text) => {
            string.set(name_of(text));
            Ok(())
        }
        _ => unexpected(),
    })
}

fn sign(symbol: Symbol) -> Result<bool, Fail> {
    match symbol.kind()? {
        SymbolKind::Function { negative, .. } => Ok(negative),
        _ => unexpected(),
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_is_positive(symbol: Symbol, positive: Out<bool>) -> bool {
    ok(|| {
        positive.set(!sign(symbol)?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_is_negative(symbol: Symbol, negative: Out<bool>) -> bool {
    ok(|| {
        negative.set(sign(symbol)?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_arguments(
    symbol: Symbol,
    arguments: Out<*const Symbol>,
    size: Out<usize>,
) -> bool {
    ok(|| match symbol.kind()? {
        SymbolKind::Function { arguments: list, .. } => {
            arguments.set(list.as_ptr());
            size.set(list.len());
            Ok(())
        }
        _ => unexpected(),
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_type(symbol: Symbol) -> c_int {
    symbol.type_number()
}

thread_local! {
    /// The symbol whose size was asked for last, with its text, which is asked for next.
    static LAST: RefCell<Option<(Symbol, String)>> = const { RefCell::new(None) };
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_to_string_size(symbol: Symbol, size: Out<usize>) -> bool {
    ok(|| {
        let text = text::to_text(symbol)?;
        size.set(text.len() + 1);
        LAST.set(Some((symbol, text)));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_to_string(symbol: Symbol, string: Out<c_char>, size: usize) -> bool {
    ok(|| match LAST.take() {
        Some((last, text)) if last == symbol => string.text(&text, size),
        _ => string.text(&text::to_text(symbol)?, size),
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_is_equal_to(a: Symbol, b: Symbol) -> bool {
    a == b
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_is_less_than(a: Symbol, b: Symbol) -> bool {
    guard(false, || Ok(a.order(b) == Ordering::Less))
}

/// See clingo.h. 60 bits, which an integer of Python's holds in two digits: more cost it a third of a call.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbol_hash(symbol: Symbol) -> usize {
    (symbol.hash() >> 4) as usize
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_add_string(string: Text, result: Out<*const c_char>) -> bool {
    ok(|| {
        result.set(name_of(intern_text(string.get()?)?));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_parse_term(
    string: Text,
    _logger: LoggerCallback,
    _data: *mut c_void,
    _limit: u32,
    symbol: Out<Symbol>,
) -> bool {
    ok(|| {
        symbol.set(text::parse(string.get()?)?);
        Ok(())
    })
}
