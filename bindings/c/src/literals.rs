//! Program literals as numbers: atom `n` of the ground program is `n + 1`, and each fact has a number of its own above
//! all of these.
//!
//! Invariant: a number means the same atom for the lifetime of a control.

use std::collections::HashMap;

use asp::backend::{AtomId, Literal, TheoryElementId};
use asp::{Ground, KnownAtom, Place};
use rustc_hash::FxBuildHasher;

use crate::error::Fail;

/// The number before the first fact's.
const FACTS: i32 = 1 << 30;

/// The meaning of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Always true.
    True,
    /// Always false.
    False,
    /// Decided by the search.
    Open(Literal),
}

/// The numbers of facts.
#[derive(Default)]
pub struct FactNumbers {
    numbers: HashMap<Place, i32, FxBuildHasher>,
    places: Vec<Place>,
}

impl FactNumbers {
    /// The number of an atom at a place.
    pub fn number(&mut self, place: Place, known: &KnownAtom<'_>) -> i32 {
        match (known.atom, self.numbers.get(&place)) {
            (_, Some(&number)) => return number,
            (Some(atom), None) => return of_atom(atom),
            (None, None) => {}
        }
        let next = FACTS + 1 + self.places.len() as i32;
        *self.numbers.entry(place).or_insert_with(|| {
            self.places.push(place);
            next
        })
    }
    /// The place of the fact with a number.
    pub fn place(&self, number: i32) -> Option<Place> {
        self.places.get((number.checked_sub(FACTS + 1)?) as usize).copied()
    }
}

/// The number of an atom of the ground program.
pub fn of_atom(atom: AtomId) -> i32 {
    atom.0 as i32 + 1
}

/// Numbers of atoms are less than this.
pub const MOST: u32 = FACTS as u32;

/// The number before those of conditions that are not single literals; the difference is the number of a theory
/// element.
const CONDITIONS: i32 = 3 << 29;

/// The number of a theory element's condition: 0 if there is none, that of its literal if there is one, or a number of
/// its own.
pub fn of_condition(element: TheoryElementId, ground: Ground<'_>) -> i32 {
    let condition = ground.program().theory.elements[element.0 as usize].condition;
    match ground.program().literals(condition) {
        [] => 0,
        [literal] => of_literal(*literal),
        _ => CONDITIONS + 1 + element.0 as i32,
    }
}

/// The theory element whose condition has a number.
pub fn condition(number: i32) -> Option<TheoryElementId> {
    (number > CONDITIONS).then(|| TheoryElementId((number - CONDITIONS - 1) as u32))
}

/// The number of a literal of the ground program.
pub fn of_literal(literal: Literal) -> i32 {
    let number = of_atom(literal.atom());
    if literal.is_neg() { -number } else { number }
}

/// The meaning of a number; an atom that the program does not have is false.
pub fn value(number: i32, ground: Ground<'_>) -> Result<Value, Fail> {
    if number == 0 || number == i32::MIN {
        return Err(Fail::runtime("0 is no literal"));
    }
    let atom = number.unsigned_abs();
    let negative = number < 0;
    if atom > CONDITIONS as u32 {
        return Err(Fail::runtime(format!(
            "{number} is a condition of several literals, which stands for propagators only"
        )));
    }
    if atom >= FACTS as u32 {
        return Ok(if negative { Value::False } else { Value::True });
    }
    if atom as usize > ground.program().atoms.len() {
        return Ok(if negative { Value::True } else { Value::False });
    }
    Ok(Value::Open(Literal::new(AtomId(atom - 1), negative)))
}
