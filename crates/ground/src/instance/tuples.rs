//! The tuples of one instance of an aggregate, with the conditions under which they count.
//!
//! Invariant: tuples are a set: a tuple counts once, however many conditions it holds under, and a tuple that holds
//! unconditionally needs no other condition.

use hashbrown::HashTable;

use crate::join::machine::Machine;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::hash_words;
use asp_base::span::Span;
use asp_base::symbol::Sym;
use asp_program::Literal;

/// Why a tuple of an objective does not count.
pub(super) const NO_COST: &str = "weight and priority must be integers";

/// Why a tuple of an aggregate does not count.
pub(super) fn no_weight(positive: bool) -> &'static str {
    match positive {
        true => "the first term of a tuple of this aggregate is not a positive integer",
        false => "the first term of a tuple of this aggregate is not an integer",
    }
}

/// Reports an ignored tuple, on `scratch` from `start` on; one of an objective begins with weight and priority. Reports the
/// first of each element, or all of them in gringo's order.
#[cold]
pub(super) fn ignored(m: &mut Machine<'_>, span: Span, start: usize, why: &str) {
    let tuple = &m.scratch[start..];
    let messages = &mut m.state.messages;
    let key = if m.state.options.gringo_order { tuple.to_vec() } else { Vec::new() };
    if messages.reported.insert((span, key)) {
        let (terms, between) = if why == NO_COST { (&tuple[..2], "@") } else { (tuple, ",") };
        let terms: Vec<String> = terms.iter().map(|&t| m.state.symbols.display(t)).collect();
        let text = format!("tuple ignored: `{}`", terms.join(between));
        messages.diagnostics.push(Diagnostic::info(WarningKind::OperationUndefined, span, text).caption(why));
    }
}

/// A tuple with one condition.
#[derive(Clone, Copy, Debug)]
struct Element {
    tuple: (u32, u32),
    condition: (u32, u32),
    /// The first element with the same tuple.
    first: u32,
}

/// The elements of one instance of an aggregate.
#[derive(Default)]
pub(super) struct Tuples {
    terms: Vec<Sym>,
    literals: Vec<Literal>,
    elements: Vec<Element>,
    lookup: HashTable<u32>,
    /// By element: whether its tuple certainly counts (valid for first elements).
    certain: Vec<bool>,
}

impl Tuples {
    /// Removes all elements.
    pub(crate) fn clear(&mut self) {
        self.terms.clear();
        self.literals.clear();
        self.elements.clear();
        self.certain.clear();
        if self.lookup.capacity() > 1024 {
            self.lookup = HashTable::new();
        } else {
            self.lookup.clear();
        }
    }
    fn tuple(&self, e: &Element) -> &[Sym] {
        &self.terms[e.tuple.0 as usize..e.tuple.1 as usize]
    }
    pub(crate) fn add(&mut self, tuple: &[Sym], condition: &[Literal]) {
        let hash = |t: &[Sym]| hash_words(t.len() as u64, t.iter().map(|s| s.raw()));
        let (terms, elements) = (&self.terms, &self.elements);
        let get = |e: &Element| &terms[e.tuple.0 as usize..e.tuple.1 as usize];
        let i = self.elements.len() as u32;
        let found = self.lookup.find(hash(tuple), |&j| get(&elements[j as usize]) == tuple).copied();
        let place = match found {
            Some(first) if self.certain[first as usize] => return,
            Some(first) => self.elements[first as usize].tuple,
            None => {
                self.lookup.insert_unique(hash(tuple), i, |&j| hash(get(&elements[j as usize])));
                let start = self.terms.len() as u32;
                self.terms.extend_from_slice(tuple);
                (start, self.terms.len() as u32)
            }
        };
        let first = found.unwrap_or(i);
        let at = self.literals.len() as u32;
        self.literals.extend_from_slice(condition);
        self.elements.push(Element { tuple: place, condition: (at, self.literals.len() as u32), first });
        self.certain.push(false);
        if condition.is_empty() {
            self.certain[first as usize] = true;
        }
    }
    /// The first element of each tuple, with whether it is certain.
    pub(crate) fn tuples(&self) -> impl Iterator<Item = (&[Sym], bool)> {
        self.elements
            .iter()
            .enumerate()
            .filter(|(i, e)| e.first as usize == *i)
            .map(|(i, e)| (self.tuple(e), self.certain[i]))
    }
    /// The tuples of elements that come after another with the same tuple, each under a condition.
    pub(super) fn repeats(&self) -> impl Iterator<Item = &[Sym]> {
        let again = |(i, e): &(usize, &Element)| *i != e.first as usize && e.condition.0 < e.condition.1;
        self.elements.iter().enumerate().filter(again).map(|(_, e)| self.tuple(e))
    }
    /// The elements with their conditions. A certain tuple needs only its unconditional element.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (&[Sym], &[Literal])> {
        self.elements.iter().enumerate().filter_map(|(i, e)| {
            let condition = &self.literals[e.condition.0 as usize..e.condition.1 as usize];
            match (self.certain[e.first as usize], i == e.first as usize) {
                (false, _) => Some((self.tuple(e), condition)),
                (true, true) => Some((self.tuple(e), &[][..])),
                (true, false) => None,
            }
        })
    }
}
