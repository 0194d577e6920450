//! Theory atoms: terms and elements by their numbers in the ground program, atoms by those in the present step.
//!
//! Invariant: arrays that were given to C stay at their addresses for the lifetime of the control.

use std::ffi::{c_char, c_int};

use asp::Ground;
use asp::backend::{TheoryElementId, TheoryTerm, TheoryTermId};
use asp::program::theory_term;
use asp::program::{TheoryAtom, TheoryElement};

use crate::control::Control;
use crate::error::{Fail, ok};
use crate::ffi::Out;
use crate::registry::Handle;
use crate::symbol::{intern_text, name_of};

/// What clingo says of a name or number that a term does not have.
const WRONG_TERM: &str = "Invalid term cast";

fn missing(what: &str, number: u32) -> Fail {
    Fail::runtime(format!("there is no theory {what} {number}"))
}

fn term<'a>(ground: Ground<'a>, number: u32) -> Result<&'a TheoryTerm, Fail> {
    ground.program().theory.terms.get(number as usize).ok_or_else(|| missing("term", number))
}
fn element<'a>(ground: Ground<'a>, number: u32) -> Result<&'a TheoryElement, Fail> {
    ground.program().theory.elements.get(number as usize).ok_or_else(|| missing("element", number))
}
fn atom<'a>(ground: Ground<'a>, number: u32) -> Result<&'a TheoryAtom, Fail> {
    ground.program().theory.present().get(number as usize).ok_or_else(|| missing("atom", number))
}

fn read<T>(
    atoms: Handle<Control>,
    run: impl FnOnce(Ground<'_>, &Control) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let control = atoms.get()?;
    control.read_ground(|ground| run(ground, &control))
}

/// The contents of an array that was given to C.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kept {
    /// The arguments of a term.
    Arguments(u32),
    /// The tuple of an element.
    Tuple(u32),
    /// The condition of an element.
    Condition(u32),
    /// The elements of an atom, by its place among those of all steps.
    Elements(u32),
}

fn numbers(terms: &[TheoryTermId]) -> Vec<i32> {
    terms.iter().map(|t| t.0 as i32).collect()
}

/// Returns an array that is kept.
fn keep<T>(
    control: &Control,
    what: Kept,
    make: impl FnOnce() -> Vec<i32>,
    list: &Out<*const T>,
    size: &Out<usize>,
) {
    let (start, length) = control.keep(what, make);
    list.set(start.cast());
    size.set(length);
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_term_type(
    atoms: Handle<Control>,
    number: u32,
    kind: Out<c_int>,
) -> bool {
    ok(|| {
        kind.set(read(atoms, |ground, _| {
            Ok(match term(ground, number)? {
                TheoryTerm::Tuple(_) => 0,
                TheoryTerm::List(_) => 1,
                TheoryTerm::Set(_) => 2,
                TheoryTerm::Function(..) => 3,
                TheoryTerm::Number(_) => 4,
                TheoryTerm::Symbol(_) => 5,
            })
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_term_number(
    atoms: Handle<Control>,
    number: u32,
    value: Out<c_int>,
) -> bool {
    ok(|| {
        value.set(read(atoms, |ground, _| match term(ground, number)? {
            TheoryTerm::Number(n) => c_int::try_from(*n)
                .map_err(|_| Fail::runtime(format!("the integer {n} does not fit 32 bits"))),
            _ => Err(Fail::runtime(WRONG_TERM)),
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_term_name(
    atoms: Handle<Control>,
    number: u32,
    name: Out<*const c_char>,
) -> bool {
    ok(|| {
        name.set(read(atoms, |ground, _| {
            let id = match term(ground, number)? {
                TheoryTerm::Function(name, _) => name.0,
                _ => number,
            };
            match term(ground, id)? {
                TheoryTerm::Symbol(text) => Ok(name_of(intern_text(ground.symbols().str(*text))?)),
                _ => Err(Fail::runtime(WRONG_TERM)),
            }
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_term_arguments(
    atoms: Handle<Control>,
    number: u32,
    arguments: Out<*const u32>,
    size: Out<usize>,
) -> bool {
    ok(|| {
        read(atoms, |ground, control| {
            let list: &[TheoryTermId] = match term(ground, number)? {
                TheoryTerm::Function(_, args)
                | TheoryTerm::Tuple(args)
                | TheoryTerm::List(args)
                | TheoryTerm::Set(args) => args,
                TheoryTerm::Number(_) | TheoryTerm::Symbol(_) => &[],
            };
            keep(control, Kept::Arguments(number), || numbers(list), &arguments, &size);
            Ok(())
        })
    })
}

fn term_text(ground: Ground<'_>, number: u32, _: &Control) -> Result<String, Fail> {
    term(ground, number)?;
    Ok(theory_term(ground.program(), ground.symbols(), TheoryTermId(number)))
}

fn element_text(ground: Ground<'_>, number: u32, control: &Control) -> Result<String, Fail> {
    let element = element(ground, number)?;
    let texts: Vec<String> =
        element.terms.iter().map(|t| term_text(ground, t.0, control)).collect::<Result<_, _>>()?;
    let mut text = texts.join(",");
    let condition = ground.program().literals(element.condition);
    if !condition.is_empty() || texts.is_empty() {
        text.push_str(": ");
    }
    for (i, literal) in condition.iter().enumerate() {
        text.push_str(if i > 0 { "," } else { "" });
        text.push_str(if literal.is_neg() { "not " } else { "" });
        match ground.program().atoms.get(literal.atom()) {
            Some(_) => ground.program().atoms.write(literal.atom(), ground.symbols(), &mut text),
            // By the number that C knows it by.
            None => text.push_str(&format!("#aux({})", control.numbers().of_atom(literal.atom()))),
        }
    }
    Ok(text)
}

fn atom_text(ground: Ground<'_>, number: u32, control: &Control) -> Result<String, Fail> {
    let atom = atom(ground, number)?;
    let elements = atom.elements.iter().map(|e| element_text(ground, e.0, control));
    let elements: Vec<String> = elements.collect::<Result<_, _>>()?;
    let mut text = format!("&{}{{{}}}", term_text(ground, atom.term.0, control)?, elements.join(";"));
    if let Some((operator, right)) = atom.guard {
        text.push_str(&term_text(ground, operator.0, control)?);
        text.push_str(&term_text(ground, right.0, control)?);
    }
    Ok(text)
}

macro_rules! texts {
    ($($size:ident, $text:ident: $of:ident);* $(;)?) => {
        $(
            /// See clingo.h.
            #[unsafe(no_mangle)]
            pub extern "C" fn $size(atoms: Handle<Control>, number: u32, size: Out<usize>) -> bool {
                ok(|| {
                    size.set(read(atoms, |ground, control| $of(ground, number, control))?.len() + 1);
                    Ok(())
                })
            }

            /// See clingo.h.
            #[unsafe(no_mangle)]
            pub extern "C" fn $text(atoms: Handle<Control>, number: u32, text: Out<c_char>, size: usize) -> bool {
                ok(|| text.text(&read(atoms, |ground, control| $of(ground, number, control))?, size))
            }
        )*
    };
}

texts! {
    clingo_theory_atoms_term_to_string_size, clingo_theory_atoms_term_to_string: term_text;
    clingo_theory_atoms_element_to_string_size, clingo_theory_atoms_element_to_string: element_text;
    clingo_theory_atoms_atom_to_string_size, clingo_theory_atoms_atom_to_string: atom_text;
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_element_tuple(
    atoms: Handle<Control>,
    number: u32,
    tuple: Out<*const u32>,
    size: Out<usize>,
) -> bool {
    ok(|| {
        read(atoms, |ground, control| {
            let terms = &element(ground, number)?.terms;
            keep(control, Kept::Tuple(number), || numbers(terms), &tuple, &size);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_element_condition(
    atoms: Handle<Control>,
    number: u32,
    condition: Out<*const i32>,
    size: Out<usize>,
) -> bool {
    ok(|| {
        read(atoms, |ground, control| {
            let program = ground.program();
            let list = program.literals(element(ground, number)?.condition).iter();
            let make = || list.map(|&l| control.numbers().of_literal(l)).collect();
            keep(control, Kept::Condition(number), make, &condition, &size);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_element_condition_id(
    atoms: Handle<Control>,
    number: u32,
    condition: Out<i32>,
) -> bool {
    ok(|| {
        condition.set(read(atoms, |ground, control| {
            element(ground, number)?;
            Ok(control.numbers().of_condition(TheoryElementId(number), ground))
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_size(atoms: Handle<Control>, size: Out<usize>) -> bool {
    ok(|| {
        size.set(read(atoms, |ground, _| Ok(ground.program().theory.present().len()))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_atom_term(atoms: Handle<Control>, number: u32, term: Out<u32>) -> bool {
    ok(|| {
        term.set(read(atoms, |ground, _| Ok(atom(ground, number)?.term.0))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_atom_elements(
    atoms: Handle<Control>,
    number: u32,
    elements: Out<*const u32>,
    size: Out<usize>,
) -> bool {
    ok(|| {
        read(atoms, |ground, control| {
            let list = &atom(ground, number)?.elements;
            let make = || list.iter().map(|e| e.0 as i32).collect();
            let place = ground.program().theory.past as u32 + number;
            keep(control, Kept::Elements(place), make, &elements, &size);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_atom_has_guard(
    atoms: Handle<Control>,
    number: u32,
    has: Out<bool>,
) -> bool {
    ok(|| {
        has.set(read(atoms, |ground, _| Ok(atom(ground, number)?.guard.is_some()))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_atom_guard(
    atoms: Handle<Control>,
    number: u32,
    connective: Out<*const c_char>,
    right: Out<u32>,
) -> bool {
    ok(|| {
        read(atoms, |ground, _| {
            let guard = atom(ground, number)?.guard;
            let (operator, side) = guard.ok_or_else(|| Fail::runtime("the theory atom has no guard"))?;
            if let TheoryTerm::Symbol(text) = term(ground, operator.0)? {
                connective.set(name_of(intern_text(ground.symbols().str(*text))?));
            }
            right.set(side.0);
            Ok(())
        })
    })
}

/// See clingo.h. A directive has the literal 0.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_theory_atoms_atom_literal(
    atoms: Handle<Control>,
    number: u32,
    literal: Out<i32>,
) -> bool {
    ok(|| {
        literal.set(read(atoms, |ground, control| {
            Ok(atom(ground, number)?.atom.map_or(0, |atom| control.numbers().of_atom(atom)))
        })?);
        Ok(())
    })
}
