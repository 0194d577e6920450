//! User-defined ground rules and directives.
//!
//! Invariant: literals that always hold are left out of bodies, and a body with a literal that never holds removes its
//! statement, so that facts may be used wherever atoms may.

use std::ffi::c_int;
use std::sync::atomic::Ordering;

use asp::backend::{
    AtomId, Backend, ExternalValue, HeuristicModifier, Literal, TheoryElementId, TheoryTerm, TheoryTermId,
};

use crate::control::{Control, lock};
use crate::error::{Fail, ok};
use crate::ffi::{Array, Out, Text};
use crate::literals::Value;
use crate::observer::Names;
use crate::registry::Handle;
use crate::symbol::Symbol;

/// A literal and a weight, as C writes them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WeightedLiteral {
    pub literal: i32,
    pub weight: i32,
}

/// Numbers of atoms are less than this.
const MOST: u32 = 1 << 30;

/// The head of a statement: the atom with a number, which may be a fact.
enum Head {
    Atom(AtomId),
    Fact,
}

/// The control that a backend works on.
struct Target<'c> {
    control: &'c Control,
    inner: &'c mut asp::Control,
}

impl Target<'_> {
    fn backend(&mut self) -> Backend<'_> {
        self.inner.backend()
    }
    /// The value of a literal; an atom that was never given out is created.
    fn value(&mut self, number: i32) -> Result<Value, Fail> {
        let atom = number.unsigned_abs();
        if (1..MOST).contains(&atom) {
            while self.control.numbers().count(self.inner.as_ground()) < atom as usize {
                let new = self.backend().auxiliary();
                self.control.numbers().of_atom(new);
            }
        }
        self.control.numbers().value(number, self.inner.as_ground())
    }
    /// A conjunction; `None` if it never holds.
    fn body(&mut self, numbers: &[i32]) -> Result<Option<Vec<Literal>>, Fail> {
        let mut body = Vec::with_capacity(numbers.len());
        for &number in numbers {
            match self.value(number)? {
                Value::Open(literal) => body.push(literal),
                Value::True => {}
                Value::False => return Ok(None),
            }
        }
        Ok(Some(body))
    }
    fn head(&mut self, number: u32) -> Result<Head, Fail> {
        let number = i32::try_from(number).map_err(|_| Fail::runtime(format!("{number} is not an atom")))?;
        match self.value(number)? {
            Value::Open(literal) => Ok(Head::Atom(literal.atom())),
            _ => Ok(Head::Fact),
        }
    }
    /// Atoms of a head, and whether one of them is a fact.
    fn heads(&mut self, numbers: &[u32]) -> Result<(Vec<AtomId>, bool), Fail> {
        let (mut atoms, mut is_fact) = (Vec::with_capacity(numbers.len()), false);
        for &number in numbers {
            match self.head(number)? {
                Head::Atom(atom) => atoms.push(atom),
                Head::Fact => is_fact = true,
            }
        }
        Ok((atoms, is_fact))
    }
    /// Weighted literals, and the sum of the weights of those that always hold.
    fn weights(&mut self, body: &[WeightedLiteral]) -> Result<(Vec<(Literal, i64)>, i64), Fail> {
        let (mut open, mut sure) = (Vec::with_capacity(body.len()), 0);
        for &WeightedLiteral { literal, weight } in body {
            match self.value(literal)? {
                Value::Open(literal) => open.push((literal, weight.into())),
                Value::True => sure += i64::from(weight),
                Value::False => {}
            }
        }
        Ok((open, sure))
    }
    /// The atom with a number, which is optional: 0 for none.
    fn optional(&mut self, number: u32) -> Result<Option<AtomId>, Fail> {
        if number == 0 {
            return Ok(None);
        }
        match self.head(number)? {
            Head::Atom(atom) => Ok(Some(atom)),
            Head::Fact => {
                let atom = self.backend().auxiliary();
                self.backend().rule(false, &[atom], &[]);
                Ok(Some(atom))
            }
        }
    }
    fn term(&self, number: u32) -> Result<TheoryTermId, Fail> {
        let there = (number as usize) < self.inner.program().theory.terms.len();
        there
            .then_some(TheoryTermId(number))
            .ok_or_else(|| Fail::runtime(format!("there is no theory term {number}")))
    }
    fn terms(&self, numbers: &[u32]) -> Result<Vec<TheoryTermId>, Fail> {
        numbers.iter().map(|&n| self.term(n)).collect()
    }
}

fn with<T>(
    backend: Handle<Control>,
    run: impl FnOnce(&mut Target<'_>) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let control = backend.get()?;
    let value = control.with(|inner| {
        // First reads what has been added, so that there is a grounder that knows the names.
        inner.parse()?;
        run(&mut Target { control: &control, inner })
    })?;
    control.tell_observers(Names::Later)?;
    Ok(value)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_backend(control: Handle<Control>, backend: Out<Handle<Control>>) -> bool {
    ok(|| {
        backend.set(Handle::new(control.get()?.number, 0));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_begin(backend: Handle<Control>) -> bool {
    ok(|| {
        let control = backend.get()?;
        control.may_change()?;
        control.with(|inner| {
            if lock(&control.switches).cleanup {
                control.clean_up(inner);
            }
            control.known.rules.store(inner.program().rules.len(), Ordering::Relaxed);
            Ok(())
        })?;
        control.tell_observers(Names::Now)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_end(backend: Handle<Control>) -> bool {
    ok(|| {
        let control = backend.get()?;
        control
            .with(|inner| control.drop_redefinitions(inner, control.known.rules.load(Ordering::Relaxed)))?;
        control.tell_observers(Names::Now)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_rule(
    backend: Handle<Control>,
    choice: bool,
    head: Array<u32>,
    head_size: usize,
    body: Array<i32>,
    body_size: usize,
) -> bool {
    ok(|| {
        with(backend, |t| {
            let (atoms, is_fact) = t.heads(head.slice(head_size))?;
            let Some(body) = t.body(body.slice(body_size))? else { return Ok(()) };
            if choice && !atoms.is_empty() || !choice && !is_fact {
                t.backend().rule(choice, &atoms, &body);
            }
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_weight_rule(
    backend: Handle<Control>,
    choice: bool,
    head: Array<u32>,
    head_size: usize,
    bound: i32,
    body: Array<WeightedLiteral>,
    body_size: usize,
) -> bool {
    ok(|| {
        with(backend, |t| {
            let (atoms, is_fact) = t.heads(head.slice(head_size))?;
            let (body, sure) = t.weights(body.slice(body_size))?;
            if body.iter().any(|b| b.1 < 0) || sure < 0 {
                return Err(Fail::runtime("the weights of a rule's body must not be negative"));
            }
            if choice && !atoms.is_empty() || !choice && !is_fact {
                t.backend().weight_rule(choice, &atoms, i64::from(bound) - sure, &body);
            }
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_minimize(
    backend: Handle<Control>,
    priority: i32,
    literals: Array<WeightedLiteral>,
    size: usize,
) -> bool {
    ok(|| {
        with(backend, |t| {
            let (mut terms, sure) = t.weights(literals.slice(size))?;
            if sure != 0 || terms.is_empty() {
                let truth = t.backend().auxiliary();
                t.backend().rule(false, &[truth], &[]);
                terms.push((Literal::pos(truth), sure));
            }
            t.backend().minimize(priority.into(), &terms);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_project(backend: Handle<Control>, atoms: Array<u32>, size: usize) -> bool {
    ok(|| {
        with(backend, |t| {
            let (atoms, _) = t.heads(atoms.slice(size))?;
            t.backend().project(&atoms);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_external(backend: Handle<Control>, atom: u32, kind: c_int) -> bool {
    ok(|| {
        with(backend, |t| {
            let value = match kind {
                0 => ExternalValue::Free,
                1 => ExternalValue::True,
                2 => ExternalValue::False,
                3 => ExternalValue::Release,
                _ => return Err(Fail::runtime("this is no value of an external")),
            };
            if let Head::Atom(atom) = t.head(atom)? {
                t.backend().external(atom, value);
            }
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_assume(backend: Handle<Control>, literals: Array<i32>, size: usize) -> bool {
    ok(|| {
        with(backend, |t| {
            let assumed = match t.body(literals.slice(size))? {
                Some(assumed) => assumed,
                None => {
                    let never = t.backend().auxiliary();
                    vec![Literal::pos(never)]
                }
            };
            t.backend().assume(&assumed);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_heuristic(
    backend: Handle<Control>,
    atom: u32,
    kind: c_int,
    bias: c_int,
    priority: u32,
    condition: Array<i32>,
    size: usize,
) -> bool {
    ok(|| {
        with(backend, |t| {
            let modifier = match kind {
                0 => HeuristicModifier::Level,
                1 => HeuristicModifier::Sign,
                2 => HeuristicModifier::Factor,
                3 => HeuristicModifier::Init,
                4 => HeuristicModifier::True,
                5 => HeuristicModifier::False,
                _ => return Err(Fail::runtime("this is no heuristic modifier")),
            };
            let condition = t.body(condition.slice(size))?;
            if let (Head::Atom(atom), Some(condition)) = (t.head(atom)?, condition) {
                t.backend().heuristic(atom, modifier, bias, priority, &condition);
            }
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_acyc_edge(
    backend: Handle<Control>,
    from: c_int,
    to: c_int,
    condition: Array<i32>,
    size: usize,
) -> bool {
    ok(|| {
        with(backend, |t| {
            if let Some(condition) = t.body(condition.slice(size))? {
                t.backend().edge(from.into(), to.into(), &condition);
            }
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_add_atom(
    backend: Handle<Control>,
    symbol: Array<Symbol>,
    atom: Out<u32>,
) -> bool {
    ok(|| {
        with(backend, |t| {
            let Some(&symbol) = symbol.get() else {
                let new = t.backend().auxiliary();
                atom.set(t.control.numbers().of_atom(new) as u32);
                return Ok(());
            };
            let mut map = t.control.map();
            let ground = t.inner.as_ground();
            if let Some(place) = map.place(ground, symbol)?
                && let Some(known) = ground.atom(place).filter(|k| k.is_fact)
            {
                atom.set(t.control.numbers().of_known(place, &known, ground) as u32);
                return Ok(());
            }
            let term = map.intern(t.inner.symbols_mut(), symbol)?;
            let new = t.backend().atom(term).map_err(|error| match error {
                asp::Error::NotATerm(_) => Fail::runtime("function expected"),
                error => error.into(),
            })?;
            atom.set(t.control.numbers().of_atom(new) as u32);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_theory_term_number(
    backend: Handle<Control>,
    number: c_int,
    term: Out<u32>,
) -> bool {
    ok(|| {
        with(backend, |t| {
            term.set(t.backend().theory_term(TheoryTerm::Number(number.into())).0);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_theory_term_string(
    backend: Handle<Control>,
    string: Text,
    term: Out<u32>,
) -> bool {
    ok(|| {
        let string = string.get()?;
        with(backend, |t| {
            term.set(t.backend().theory_symbol(string).0);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_theory_term_sequence(
    backend: Handle<Control>,
    kind: c_int,
    arguments: Array<u32>,
    size: usize,
    term: Out<u32>,
) -> bool {
    ok(|| {
        with(backend, |t| {
            let arguments = t.terms(arguments.slice(size))?;
            let sequence = match kind {
                0 => TheoryTerm::Tuple(arguments),
                1 => TheoryTerm::Set(arguments),
                2 => TheoryTerm::List(arguments),
                _ => return Err(Fail::runtime("this is no kind of sequence")),
            };
            term.set(t.backend().theory_term(sequence).0);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_theory_term_function(
    backend: Handle<Control>,
    name: Text,
    arguments: Array<u32>,
    size: usize,
    term: Out<u32>,
) -> bool {
    ok(|| {
        let name = name.get()?;
        with(backend, |t| {
            let arguments = t.terms(arguments.slice(size))?;
            let mut new = t.backend().theory_symbol(name);
            if !arguments.is_empty() {
                new = t.backend().theory_term(TheoryTerm::Function(new, arguments));
            }
            term.set(new.0);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_theory_term_symbol(
    backend: Handle<Control>,
    symbol: Symbol,
    term: Out<u32>,
) -> bool {
    ok(|| {
        with(backend, |t| {
            let mut map = t.control.map();
            let value = map.intern(t.inner.symbols_mut(), symbol)?;
            term.set(t.backend().theory_value(value).0);
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_theory_element(
    backend: Handle<Control>,
    tuple: Array<u32>,
    tuple_size: usize,
    condition: Array<i32>,
    size: usize,
    element: Out<u32>,
) -> bool {
    ok(|| {
        with(backend, |t| {
            let tuple = t.terms(tuple.slice(tuple_size))?;
            let condition = match t.body(condition.slice(size))? {
                Some(condition) => condition,
                None => {
                    let never = t.backend().auxiliary();
                    vec![Literal::pos(never)]
                }
            };
            element.set(t.backend().theory_element(&tuple, &condition).0);
            Ok(())
        })
    })
}

fn theory_atom(
    backend: Handle<Control>,
    atom: u32,
    term: u32,
    elements: &[u32],
    guard: Option<(Text, u32)>,
    id: &Out<u32>,
) -> Result<(), Fail> {
    with(backend, |t| {
        // Any number other than 0 and those of atoms requests a new atom.
        let own = if atom == u32::MAX { Some(t.backend().auxiliary()) } else { t.optional(atom)? };
        let count = t.inner.program().theory.elements.len();
        if let Some(element) = elements.iter().find(|&&e| e as usize >= count) {
            return Err(Fail::runtime(format!("there is no theory element {element}")));
        }
        let term = t.term(term)?;
        let guard = match guard {
            Some((operator, right)) => {
                let operator = operator.get()?;
                Some((t.backend().theory_symbol(operator), t.term(right)?))
            }
            None => None,
        };
        let elements: Vec<TheoryElementId> = elements.iter().map(|&e| TheoryElementId(e)).collect();
        let own = t.backend().theory_atom(own, term, &elements, guard);
        id.set(own.map_or(0, |own| t.control.numbers().of_atom(own) as u32));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_theory_atom(
    backend: Handle<Control>,
    atom: u32,
    term: u32,
    elements: Array<u32>,
    size: usize,
    id: Out<u32>,
) -> bool {
    ok(|| theory_atom(backend, atom, term, elements.slice(size), None, &id))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_backend_theory_atom_with_guard(
    backend: Handle<Control>,
    atom: u32,
    term: u32,
    elements: Array<u32>,
    size: usize,
    operator: Text,
    right: u32,
    id: Out<u32>,
) -> bool {
    ok(|| theory_atom(backend, atom, term, elements.slice(size), Some((operator, right)), &id))
}
