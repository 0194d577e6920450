//! Head aggregates: choices under an atom for the body, and a constraint that the bounds hold with it.

use super::super::LowerError;
use super::super::measure::{self, Weighted};
use super::Telling;
use crate::atom_table::{AtomId, Literal};
use crate::ground_program::{Function, HeadElement};
use asp_base::map::{Map, Set};
use asp_base::symbol::Sym;

/// An element, and a literal for its condition if it has one.
type Element = (HeadElement, Option<Literal>);

/// The atoms of elements, each once.
fn atoms<'e>(elements: impl Iterator<Item = &'e HeadElement>) -> Vec<AtomId> {
    let mut seen = Set::default();
    elements.filter_map(|e| e.atom).filter(|&atom| seen.insert(atom)).collect()
}

impl Telling<'_, '_> {
    pub(super) fn head_aggregate(&mut self, number: usize, body: AtomId) -> Result<(), LowerError> {
        let rule = self.lower.program.head_aggregates[number].clone();
        self.lower.source = rule.source;
        let body = Literal::pos(body);
        let counts = |e: &&HeadElement| {
            let first = self.lower.program.terms(e.tuple).first().copied();
            rule.guards.is_empty() || !rule.function.ignores(first, self.lower.symbols)
        };
        let counted: Vec<HeadElement> = rule.elements.iter().filter(counts).copied().collect();
        // Those without conditions come first.
        let has_none = |e: &&HeadElement| self.lower.program.literals(e.condition).is_empty();
        let (plain, conditional): (Vec<&HeadElement>, Vec<&HeadElement>) = counted.iter().partition(has_none);
        let atoms = atoms(plain.iter().copied());
        if !atoms.is_empty() {
            self.lower.program.rules.add(true, &atoms, &[body], rule.source);
        }
        let mut elements: Vec<Element> = plain.into_iter().map(|&e| (e, None)).collect();
        self.choices(&conditional, body, &mut elements)?;
        if rule.guards.is_empty() {
            return Ok(());
        }
        let tuples = self.tuples(rule.function, &elements);
        let mut weighted = Vec::with_capacity(tuples.len());
        for (first, elements) in tuples {
            let mut literals = Vec::with_capacity(elements.len());
            for (element, condition) in elements {
                let both = element.atom.map(Literal::pos).into_iter().chain(condition).collect();
                literals.push(self.all(both));
            }
            weighted.push(Weighted { first, literal: Some(self.any_or_one(literals)) });
        }
        let holds = self.guarded(rule.function, &rule.guards, &weighted)?;
        let mut literals = vec![body];
        if !self.is_settled(holds) {
            literals.push(self.not(holds));
        } else if holds.is_neg() {
            return Ok(());
        }
        self.lower.rule(&[], &literals);
        Ok(())
    }

    /// Choices of elements with conditions, one rule for each condition; the elements are added to a list.
    fn choices(
        &mut self,
        conditional: &[&HeadElement],
        body: Literal,
        elements: &mut Vec<Element>,
    ) -> Result<(), LowerError> {
        let mut groups: Vec<(Vec<Literal>, Vec<HeadElement>)> = Vec::new();
        let mut places: Map<Vec<Literal>, usize> = Map::default();
        for &element in conditional {
            let mut condition = self.lower.program.literals(element.condition).to_vec();
            condition.sort_unstable();
            condition.dedup();
            let place = *places.entry(condition).or_insert_with_key(|condition| {
                groups.push((condition.clone(), Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(*element);
        }
        for (condition, own) in groups {
            let condition = self.literals(&condition)?;
            let condition = self.all(condition);
            let atoms = atoms(own.iter());
            if !atoms.is_empty() {
                self.lower.program.rules.add(true, &atoms, &[body, condition], self.lower.source);
            }
            elements.extend(own.into_iter().map(|e| (e, Some(condition))));
        }
        Ok(())
    }

    /// The elements by their tuples, in order.
    fn tuples(&self, function: Function, elements: &[Element]) -> Vec<(Option<Sym>, Vec<Element>)> {
        let program = &*self.lower.program;
        let mut places: Map<&[Sym], usize> = Map::default();
        let mut tuples: Vec<(Option<Sym>, Vec<Element>)> = Vec::new();
        for element in elements {
            let terms = program.terms(element.0.tuple);
            let first = terms.first().copied();
            if !measure::counts(function, first, self.lower.symbols) {
                continue;
            }
            let place = *places.entry(terms).or_insert_with(|| {
                tuples.push((first, Vec::new()));
                tuples.len() - 1
            });
            tuples[place].1.push(*element);
        }
        tuples
    }
}
