//! What answer sets of a control may show, taken apart once for all of them.
//!
//! Invariants: a table only grows, and only while nobody else has it; entries stand in the order in which they are printed;
//! what is shown for several reasons has several entries, of which the first stands for it.

use std::sync::{Mutex, OnceLock, PoisonError};

use asp::program::Program;
use asp::program::ShowItem;
use asp::symbol::{SymView, Symbols};
use asp::{Ground, Place, Symbol};
use hashbrown::HashMap;
use pyo3::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::code::{self, Head};
use crate::convert;
use crate::term::Term;

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// The slot of what every answer set shows.
const ALWAYS: u32 = u32::MAX;
/// The predicate of what is no atom: numbers, strings and tuples that are shown.
const NO_PREDICATE: u32 = u32::MAX;

/// Facts past which no picture is drawn of them.
const MAX_FACTS: u64 = 5_000;

/// Name, arity and sign of what is shown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Predicate {
    pub(crate) name: String,
    pub(crate) arity: usize,
    pub(crate) negative: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    predicate: u32,
    /// Where its arguments begin among the cells.
    start: u32,
    /// Which bit of a model says whether it holds.
    slot: u32,
    /// Whether an entry before it stands for it.
    again: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cell {
    Number(i64),
    /// Any other term, by its number among the objects.
    Object(u32),
}

/// What answer sets may show.
#[derive(Default)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    cells: Vec<Cell>,
    predicates: Vec<(Predicate, Vec<u32>)>,
    of_predicate: Map<Predicate, u32>,
    /// Terms that are no numbers, and their values in Python.
    objects: Vec<Box<[u8]>>,
    of_object: Map<Symbol, u32>,
    /// By slot: its entries, the first of which stands for it.
    conditional: Vec<(u32, u32)>,
    slots: u32,
    of_term: Map<Symbol, u32>,
    /// The facts, if they are few enough for a picture.
    facts: Vec<Box<[u8]>>,
    /// The predicates that the program speaks of.
    known: Vec<Predicate>,
    values: Mutex<Vec<Option<Py<PyAny>>>>,
    terms: Mutex<Vec<Option<Py<Term>>>>,
    places: OnceLock<Map<Box<[u8]>, u32>>,
}

impl Table {
    /// How many entries it has.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The same for another owner; values in Python are made anew.
    pub(crate) fn copy(&self) -> Self {
        Self {
            entries: self.entries.clone(),
            cells: self.cells.clone(),
            predicates: self.predicates.clone(),
            of_predicate: self.of_predicate.clone(),
            objects: self.objects.clone(),
            of_object: self.of_object.clone(),
            conditional: self.conditional.clone(),
            slots: self.slots,
            of_term: self.of_term.clone(),
            facts: self.facts.clone(),
            known: self.known.clone(),
            ..Self::default()
        }
    }

    /// Takes in what the program shows beyond what is known.
    pub(crate) fn extend(&mut self, program: &Program, symbols: &Symbols) {
        (self.places, self.terms) = (OnceLock::new(), Mutex::default());
        for (i, show) in program.shows.iter().enumerate().skip(self.entries.len()) {
            // Digits of a value tell answer sets apart, and nothing else.
            let is_digit = matches!(show.item, ShowItem::Digit(_));
            let start = self.cells.len() as u32;
            let predicate = match show.item {
                ShowItem::Atom(atom) => match program.atoms.get(atom) {
                    Some((signature, args)) => {
                        self.push(symbols.str(signature.name), signature.negative, args, symbols)
                    }
                    None => continue,
                },
                ShowItem::Digit(_) => NO_PREDICATE,
                ShowItem::Fact(term) | ShowItem::Term(term) | ShowItem::Value(term) => {
                    match symbols.view(term) {
                        SymView::Fun { name, args, negative } => {
                            self.push(symbols.str(name), negative, args, symbols)
                        }
                        _ => {
                            self.push_cell(term, symbols);
                            NO_PREDICATE
                        }
                    }
                }
            };
            let first = match show.item.plain_term() {
                Some(term) => *self.of_term.entry(term).or_insert(i as u32),
                None => i as u32,
            };
            let again = first < i as u32;
            let always = program.literals(show.condition).is_empty();
            if again && always {
                self.entries[first as usize].slot = ALWAYS;
            }
            let slot = match (again, always) {
                (true, _) => self.entries[first as usize].slot,
                (false, true) => ALWAYS,
                (false, false) => {
                    self.slots += 1;
                    self.slots - 1
                }
            };
            if slot != ALWAYS {
                self.conditional.push((slot, i as u32));
            }
            if let (Some((_, entries)), false) = (self.predicates.get_mut(predicate as usize), again) {
                entries.push(i as u32);
            }
            self.entries.push(Entry { predicate, start, slot, again: again || is_digit });
        }
    }

    /// Takes in the predicates that the program speaks of.
    pub(crate) fn note_predicates(&mut self, ground: Ground<'_>) {
        let symbols = ground.symbols();
        let of = |number| {
            let (signature, _) = ground.predicate(number)?;
            let name = symbols.str(signature.name).to_string();
            Some(Predicate { name, arity: signature.arity as usize, negative: signature.negative })
        };
        self.known = (0..ground.predicates()).filter_map(of).collect();
    }

    /// The predicates that the program speaks of.
    pub(crate) fn known(&self) -> &[Predicate] {
        &self.known
    }

    /// Takes in the facts, if they are few enough for a picture.
    pub(crate) fn note_facts(&mut self, ground: Ground<'_>) {
        let predicates: Vec<(u32, u32)> = (0..ground.predicates())
            .filter_map(|predicate| ground.predicate(predicate).map(|(_, rows)| (predicate, rows)))
            .collect();
        let rows: u64 = predicates.iter().map(|&(_, rows)| u64::from(rows)).sum();
        if rows > MAX_FACTS || ground.is_ground_input() {
            return;
        }
        self.facts.clear();
        let places =
            predicates.iter().flat_map(|&(predicate, rows)| (0..rows).map(move |row| (predicate, row)));
        for (predicate, row) in places {
            let Some(atom) = ground.atom(Place { predicate, row }).filter(|atom| atom.is_fact) else {
                continue;
            };
            let (symbols, signature) = (ground.symbols(), atom.signature);
            let mut bytes = Vec::new();
            let (name, arity) = (symbols.str(signature.name), atom.arguments.len());
            code::push(Head::Function { name, arity, negative: signature.negative }, &mut bytes);
            atom.arguments.iter().for_each(|&argument| code::encode(symbols, argument, &mut bytes));
            self.facts.push(bytes.into());
        }
    }

    pub(crate) fn facts(&self) -> impl Iterator<Item = &[u8]> {
        self.facts.iter().map(|fact| &**fact)
    }

    /// All entries.
    pub(crate) fn all(&self) -> impl Iterator<Item = u32> {
        0..self.entries.len() as u32
    }

    fn push(&mut self, name: &str, negative: bool, args: &[Symbol], symbols: &Symbols) -> u32 {
        let predicate = Predicate { name: name.to_string(), arity: args.len(), negative };
        // Neighbours are mostly of one predicate.
        let last = self.entries.last().map(|e| e.predicate);
        let is_last = |p: &u32| self.predicates.get(*p as usize).is_some_and(|(own, _)| *own == predicate);
        let number = last.filter(is_last).unwrap_or_else(|| {
            let next = self.predicates.len() as u32;
            *self.of_predicate.entry(predicate.clone()).or_insert_with(|| {
                self.predicates.push((predicate, Vec::new()));
                next
            })
        });
        args.iter().for_each(|&arg| self.push_cell(arg, symbols));
        number
    }

    fn push_cell(&mut self, term: Symbol, symbols: &Symbols) {
        let cell = match symbols.as_num(term) {
            Some(number) => Cell::Number(number),
            None => Cell::Object(*self.of_object.entry(term).or_insert_with(|| {
                let mut bytes = Vec::new();
                code::encode(symbols, term, &mut bytes);
                self.objects.push(bytes.into());
                self.objects.len() as u32 - 1
            })),
        };
        self.cells.push(cell);
    }

    /// By slot: whether what it stands for holds, if an entry holds by its conditions.
    pub(crate) fn bits(&self, mut holds: impl FnMut(usize) -> bool) -> Box<[u64]> {
        let mut bits = vec![0u64; (self.slots as usize).div_ceil(64)];
        for &(slot, entry) in &self.conditional {
            if holds(entry as usize) {
                bits[slot as usize / 64] |= 1 << (slot % 64);
            }
        }
        bits.into()
    }

    /// The entries that hold, each thing once.
    pub(crate) fn holding<'t>(&'t self, bits: &'t [u64]) -> impl Iterator<Item = u32> + 't {
        (0..self.entries.len() as u32)
            .filter(move |&e| !self.entries[e as usize].again && self.holds(e, bits))
    }

    /// Whether an entry holds.
    pub(crate) fn holds(&self, entry: u32, bits: &[u64]) -> bool {
        match self.entries[entry as usize].slot {
            ALWAYS => true,
            slot => bits.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1),
        }
    }

    /// The predicates that may be shown, by number.
    pub(crate) fn predicates(&self) -> impl Iterator<Item = (u32, &Predicate)> {
        (0..).zip(self.predicates.iter().map(|(predicate, _)| predicate))
    }

    /// The entries of a predicate that hold.
    pub(crate) fn of<'t>(&'t self, predicate: u32, bits: &'t [u64]) -> impl Iterator<Item = u32> + 't {
        let entries = self.predicates.get(predicate as usize).map_or(&[][..], |(_, entries)| entries);
        entries.iter().copied().filter(|&e| self.holds(e, bits))
    }

    /// The arguments of an entry.
    pub(crate) fn arguments(&self, entry: u32) -> &[Cell] {
        let Entry { predicate, start, .. } = self.entries[entry as usize];
        let arity = self.predicates.get(predicate as usize).map_or(1, |(p, _)| p.arity);
        &self.cells[start as usize..start as usize + arity]
    }

    /// The bytes of an object.
    pub(crate) fn object(&self, object: u32) -> &[u8] {
        &self.objects[object as usize]
    }

    /// An argument as a value.
    pub(crate) fn value<'py>(&self, py: Python<'py>, cell: Cell) -> PyResult<Bound<'py, PyAny>> {
        let object = match cell {
            Cell::Number(n) => return Ok(n.into_pyobject(py)?.into_any()),
            Cell::Object(object) => object as usize,
        };
        let known = |values: &Mutex<Vec<Option<Py<PyAny>>>>| {
            let values = values.lock().unwrap_or_else(PoisonError::into_inner);
            values.get(object).and_then(|value| value.as_ref().map(|v| v.clone_ref(py)))
        };
        if let Some(value) = known(&self.values) {
            return Ok(value.into_bound(py));
        }
        let value = convert::decode(py, &self.objects[object])?;
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.resize_with(self.objects.len(), || None);
        values[object] = Some(value.clone().unbind());
        Ok(value)
    }

    /// An entry as bytes.
    pub(crate) fn encode(&self, entry: u32, out: &mut Vec<u8>) {
        let predicate = self.entries[entry as usize].predicate;
        if let Some((Predicate { name, arity, negative }, _)) = self.predicates.get(predicate as usize) {
            code::push(Head::Function { name, arity: *arity, negative: *negative }, out);
        }
        for &cell in self.arguments(entry) {
            match cell {
                Cell::Number(n) => code::push(Head::Number(n), out),
                Cell::Object(object) => out.extend_from_slice(&self.objects[object as usize]),
            }
        }
    }

    /// An entry as a term, made once.
    pub(crate) fn term<'py>(&self, py: Python<'py>, entry: u32) -> PyResult<Bound<'py, Term>> {
        let mut terms = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        terms.resize_with(self.entries.len(), || None);
        let slot = &mut terms[entry as usize];
        if let Some(term) = slot {
            return Ok(term.bind(py).clone());
        }
        let mut bytes = Vec::new();
        self.encode(entry, &mut bytes);
        let term = Bound::new(py, Term { bytes: bytes.into() })?;
        *slot = Some(term.clone().unbind());
        Ok(term)
    }

    /// The entry of a term.
    pub(crate) fn find(&self, term: &[u8]) -> Option<u32> {
        let places = self.places.get_or_init(|| {
            let entries = (0..self.entries.len() as u32).filter(|&e| !self.entries[e as usize].again);
            let key = |entry| {
                let mut bytes = Vec::new();
                self.encode(entry, &mut bytes);
                (bytes.into_boxed_slice(), entry)
            };
            entries.map(key).collect()
        });
        places.get(term).copied()
    }

    /// Whether it is the value of an integer variable.
    pub(crate) fn is_integer(&self, entry: u32) -> bool {
        let predicate = self.predicates.get(self.entries[entry as usize].predicate as usize);
        predicate.is_some_and(|(p, _)| p.name == "__csp" && p.arity == 2 && !p.negative)
    }

    /// The text of an entry.
    pub(crate) fn text(&self, entry: u32) -> String {
        let mut bytes = Vec::new();
        self.encode(entry, &mut bytes);
        code::text(&bytes)
    }
}
