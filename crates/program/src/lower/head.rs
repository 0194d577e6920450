//! Head aggregates: a choice among the atoms, and constraints that keep the guards.
//!
//! The guards matter only in the answer set itself, so literals may be complemented freely here. An upper bound needs
//! no body if every atom that counts implies the body because no other rule derives the atom; then "at most one" is a
//! weight rule without a head, which the solver handles as one constraint.

use super::measure::{self, Measure, Weighted};
use super::{Form, Lower, LowerError};
use crate::atom_table::{AtomId, Literal};
use crate::ground_program::{HeadAggregate, HeadElement, since};
use asp_base::map::Map;
use asp_base::symbol::Sym;

impl Lower<'_> {
    /// All new head aggregates.
    pub(super) fn head_aggregates(&mut self) -> Result<(), LowerError> {
        let rules = std::mem::take(&mut self.program.head_aggregates);
        let mut result = Ok(());
        for rule in since(&rules, self.program.lowered.head_aggregates) {
            self.source = rule.source;
            let mut body = self.program.literals(rule.body).to_vec();
            let atoms = rule.elements.iter().filter_map(|e| e.atom);
            self.keep_support(atoms, &mut body);
            self.choice(rule, &body);
            result = result.and(self.bounds(rule, &body));
        }
        self.program.lowered.head_aggregates = rules.len();
        self.program.head_aggregates = rules;
        result
    }

    /// A rule whose body has an atom of its head may support that atom in supported models, as in gringo, and leaves it
    /// no external atom, unless it is a plain rule: then the solver drops it as a tautology. So does one whose body
    /// contradicts itself. An atom for the body keeps it.
    pub(super) fn keep_support(&mut self, mut heads: impl Iterator<Item = AtomId>, body: &mut Vec<Literal>) {
        let externals = !self.program.externals.is_empty();
        let reads = |a| body.contains(&Literal::pos(a)) || externals && body.contains(&Literal::neg(a));
        let contradicts = || body.iter().any(|l| !l.is_neg() && body.contains(&!*l));
        let hides = || body.iter().any(|l| !l.is_neg() && self.program.atoms.get(l.atom()).is_none());
        if heads.any(reads) || externals && (contradicts() || hides()) {
            let aux = self.aux();
            self.rule(&[aux], body);
            *body = vec![Literal::pos(aux)];
        }
    }

    /// One choice rule per condition, in order.
    fn choice(&mut self, rule: &HeadAggregate, body: &[Literal]) {
        let mut heads: Vec<(Vec<Literal>, Vec<AtomId>)> = Vec::new();
        for element in &rule.elements {
            let Some(atom) = element.atom else { continue };
            let first = self.program.terms(element.tuple).first().copied();
            if !rule.guards.is_empty() && rule.function.ignores(first, self.symbols) {
                continue;
            }
            let condition = self.program.literals(element.condition);
            match heads.last_mut() {
                Some((last, atoms)) if last == condition => atoms.push(atom),
                _ => heads.push((condition.to_vec(), vec![atom])),
            }
        }
        for (mut condition, mut atoms) in heads {
            atoms.sort_unstable();
            atoms.dedup();
            condition.extend(body.iter().filter(|l| !condition.contains(l)).copied().collect::<Vec<_>>());
            self.program.rules.add(true, &atoms, &condition, self.source);
        }
    }

    fn bounds(&mut self, rule: &HeadAggregate, body: &[Literal]) -> Result<(), LowerError> {
        if rule.guards.is_empty() {
            return Ok(());
        }
        let weighted = self.weighted_heads(rule);
        let (measure, intervals) = measure::measure(rule.function, &weighted, &rule.guards, self.symbols);
        let (least, greatest) = measure.range();
        for (low, high) in measure.complement(&intervals) {
            let atleast = self.at_least(&measure, low, &mut |_, l| !l)?;
            let atmost = self.at_most(&measure, high, &mut |_, l| !l)?;
            if low > least && high == greatest && self.implies_body(rule, &measure) {
                self.constraint(&[], atleast);
            } else {
                let form = self.all(vec![atleast, atmost]);
                self.constraint(body, form);
            }
        }
        Ok(())
    }

    /// The condition and the atom of each tuple, both required for it to count.
    fn weighted_heads(&mut self, rule: &HeadAggregate) -> Vec<Weighted> {
        let program = &*self.program;
        let mut places: Map<&[Sym], usize> = Map::default();
        let mut tuples: Vec<(Option<Sym>, &HeadElement)> = Vec::with_capacity(rule.elements.len());
        let mut more: Map<usize, Vec<&HeadElement>> = Map::default();
        for element in &rule.elements {
            let terms = program.terms(element.tuple);
            let first = terms.first().copied();
            if !measure::counts(rule.function, first, self.symbols) {
                continue;
            }
            let place = *places.entry(terms).or_insert(tuples.len());
            if place == tuples.len() {
                tuples.push((first, element));
            } else {
                more.entry(place).or_default().push(element);
            }
        }
        drop(places);
        let weigh = |(place, (first, element)): (usize, (Option<Sym>, &HeadElement))| {
            let others = more.get(&place).map_or(&[][..], |m| m);
            if let Some(atom) = element.atom.filter(|_| others.iter().all(|o| o.atom == element.atom)) {
                // An atom that nothing else derives holds only if the condition does.
                let alone = || others.is_empty() && self.is_alone(atom);
                if self.program.literals(element.condition).is_empty() || alone() {
                    return Weighted { first, literal: Some(Literal::pos(atom)) };
                }
            }
            let condition = |e: &&HeadElement| {
                let mut condition = self.program.literals(e.condition).to_vec();
                condition.extend(e.atom.map(Literal::pos));
                condition
            };
            let conditions = std::iter::once(&element).chain(others).map(condition).collect();
            Weighted { first, literal: self.tuple_literal(conditions, false) }
        };
        tuples.into_iter().enumerate().map(weigh).collect()
    }

    /// Whether a value above the least one implies the body: no other rule derives the atoms.
    fn implies_body(&mut self, rule: &HeadAggregate, measure: &Measure) -> bool {
        !measure.can_shrink() && rule.elements.iter().all(|e| e.atom.is_some_and(|atom| self.is_alone(atom)))
    }

    /// Adds the constraint that the body and the form do not both hold.
    fn constraint(&mut self, body: &[Literal], form: Form) {
        match form {
            Form::Bodies(bodies) => {
                for mut conjunction in bodies {
                    conjunction.extend_from_slice(body);
                    conjunction.sort_unstable();
                    conjunction.dedup();
                    if !conjunction.windows(2).any(|pair| pair[0] == !pair[1]) {
                        self.rule(&[], &conjunction);
                    }
                }
            }
            form if body.is_empty() => self.define(&[], &form),
            form => {
                let mut conjunction = vec![self.literal(form)];
                conjunction.extend_from_slice(body);
                self.rule(&[], &conjunction);
            }
        }
    }
}
