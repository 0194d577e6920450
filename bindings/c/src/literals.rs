//! Program literals as numbers, small ones, since tables by number are common: atoms of the ground program and facts share
//! the numbers from 1 on. A fact gets its number when it is asked for, after all atoms that there are by then. Where there are
//! observers, atoms and facts get theirs in the order in which they are told, or asked for.
//!
//! Invariant: a number means the same atom for the lifetime of a control.

use std::collections::HashMap;

use asp::backend::{AtomId, Literal, TheoryElementId};
use asp::{Ground, KnownAtom, Place};
use rustc_hash::FxBuildHasher;

use crate::error::Fail;

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

/// The numbers of atoms and facts.
#[derive(Default)]
pub struct Numbers {
    /// By fact, in the order of their numbers: how many atoms there were before it.
    before: Vec<u32>,
    facts: HashMap<Place, i32, FxBuildHasher>,
    told: Option<Told>,
}

/// Numbers in the order in which they are told.
#[derive(Default)]
struct Told {
    /// By atom; 0 for none yet.
    of: Vec<i32>,
    /// By number, from 1 on: the atom, none for a fact.
    atoms: Vec<Option<AtomId>>,
}

impl Told {
    fn of_atom(&mut self, atom: AtomId) -> i32 {
        let index = atom.0 as usize;
        if index >= self.of.len() {
            self.of.resize(index + 1, 0);
        }
        if self.of[index] == 0 {
            self.atoms.push(Some(atom));
            self.of[index] = self.atoms.len() as i32;
        }
        self.of[index]
    }
}

impl Numbers {
    /// From now on numbers follow what observers are told; those that may have been given out stay.
    pub fn follow(&mut self, ground: Ground<'_>) {
        if self.told.is_some() {
            return;
        }
        let count = self.count(ground) as u32;
        let atoms: Vec<Option<AtomId>> = (1..=count).map(|number| self.atom(number)).collect();
        let mut of = vec![0; ground.program().atoms.len()];
        for (number, atom) in (1..).zip(&atoms) {
            if let Some(place) = atom.and_then(|atom| of.get_mut(atom.0 as usize)) {
                *place = number;
            }
        }
        self.told = Some(Told { of, atoms });
    }
    /// The number of an atom of the ground program.
    pub fn of_atom(&mut self, atom: AtomId) -> i32 {
        if let Some(told) = &mut self.told {
            return told.of_atom(atom);
        }
        atom.0 as i32 + 1 + self.before.partition_point(|&atoms| atoms <= atom.0) as i32
    }
    /// The number of a literal of the ground program.
    pub fn of_literal(&mut self, literal: Literal) -> i32 {
        let number = self.of_atom(literal.atom());
        if literal.is_neg() { -number } else { number }
    }
    /// The number of what is known at a place.
    pub fn of_known(&mut self, place: Place, known: &KnownAtom<'_>, ground: Ground<'_>) -> i32 {
        match (known.atom, self.facts.get(&place)) {
            (_, Some(&number)) => return number,
            (Some(atom), None) => return self.of_atom(atom),
            (None, None) => {}
        }
        self.add_fact(place, ground.program().atoms.len() as u32)
    }
    /// The number of a new fact, after so many atoms. Pre: no later atom's number has been given out.
    pub fn add_fact(&mut self, place: Place, atoms: u32) -> i32 {
        if let Some(&known) = self.facts.get(&place) {
            return known;
        }
        let number = match &mut self.told {
            Some(told) => {
                told.atoms.push(None);
                told.atoms.len() as i32
            }
            None => {
                self.before.push(atoms);
                (atoms as usize + self.before.len()) as i32
            }
        };
        self.facts.insert(place, number);
        number
    }
    /// How many numbers have been given out, and could be.
    pub fn count(&self, ground: Ground<'_>) -> usize {
        if let Some(told) = &self.told {
            return told.atoms.len();
        }
        ground.program().atoms.len() + self.before.len()
    }
    /// The atom with a number from 1 on; `None` for a fact. It need not be one of the program yet.
    fn atom(&self, number: u32) -> Option<AtomId> {
        if let Some(told) = &self.told {
            // One that was never told is one of an index that the program does not have.
            let known = told.atoms.get(number as usize - 1);
            return known.copied().unwrap_or(Some(AtomId(u32::MAX)));
        }
        let (mut low, mut high) = (0, self.before.len());
        while low < high {
            let middle = (low + high) / 2;
            match (self.before[middle] as usize + middle + 1).cmp(&(number as usize)) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return None,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Some(AtomId(number - 1 - low as u32))
    }
    /// The number of a theory element's condition: 0 if there is none, that of its literal if there is one, or a number of
    /// its own.
    pub fn of_condition(&mut self, element: TheoryElementId, ground: Ground<'_>) -> i32 {
        let condition = ground.program().theory.elements[element.0 as usize].condition;
        match ground.program().literals(condition) {
            [] => 0,
            [literal] => self.of_literal(*literal),
            _ => CONDITIONS + 1 + element.0 as i32,
        }
    }
    /// The meaning of a number; an atom that the program does not have is false.
    pub fn value(&self, number: i32, ground: Ground<'_>) -> Result<Value, Fail> {
        if number == 0 || number == i32::MIN {
            return Err(Fail::runtime("0 is no literal"));
        }
        let negative = number < 0;
        if number.unsigned_abs() > CONDITIONS as u32 {
            return Err(Fail::runtime(format!(
                "{number} is a condition of several literals, which stands for propagators only"
            )));
        }
        Ok(match self.atom(number.unsigned_abs()) {
            Some(atom) if (atom.0 as usize) < ground.program().atoms.len() => {
                Value::Open(Literal::new(atom, negative))
            }
            atom => {
                if atom.is_none() == negative {
                    Value::False
                } else {
                    Value::True
                }
            }
        })
    }
}

/// The number before those of conditions that are not single literals; the difference is the number of a theory
/// element.
pub const CONDITIONS: i32 = 3 << 29;

/// The theory element whose condition has a number.
pub fn condition(number: i32) -> Option<TheoryElementId> {
    (number > CONDITIONS).then(|| TheoryElementId((number - CONDITIONS - 1) as u32))
}
