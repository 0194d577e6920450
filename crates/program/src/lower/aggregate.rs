//! Body aggregates.
//!
//! The formula of an aggregate holds at a pair (here, there) of the logic of here-and-there if and only if its value is
//! allowed both for the tuples that count here and for those that count there. So a bound that more tuples can only
//! satisfy is a weight body; one that more tuples can only violate depends on the world there alone, hence the default
//! negation of its complement; both may be recursive. Any other recursive aggregate is rewritten with an atom `f` for
//! "`p` does not hold here" that becomes true when the aggregate does: `f <- not p`, `f <- aux`, `p | f <- not not
//! aux`. Source: Alviano, Faber, Gebser, *Rewriting recursive aggregates in answer set programming: back to
//! monotonicity*, TPLP 2015.

use super::measure::{self, Measure, Weighted};
use super::{Form, Lower, LowerError};
use crate::atom_table::{AtomId, Literal};
use crate::ground_program::{AggregateElement, Function, Guard, Literals, Relation};
use crate::intervals::Interval;
use asp_base::map::Map;
use asp_base::symbol::Sym;

impl Lower<'_> {
    /// Rules for `aux` if the guards hold.
    pub(super) fn aggregate(
        &mut self,
        aux: AtomId,
        function: Function,
        guards: &[Guard],
        elements: &[AggregateElement],
        recursive: bool,
    ) -> Result<(), LowerError> {
        let tuples = self.tuples(function, elements);
        let negative = |t: Option<Sym>| t.and_then(|t| self.symbols.as_num(t)).is_some_and(|w| w < 0);
        let may_fail = |t: &(_, Vec<Literals>)| t.1.iter().all(|&c| !self.program.literals(c).is_empty());
        let both_ways = recursive
            && (guards.iter().any(|g| g.relation == Relation::NotEqual)
                || function == Function::Sum && tuples.iter().any(|t| negative(t.0) && may_fail(t)));
        let weighted = self.weighted(&tuples, both_ways);
        let (mut measure, mut intervals) = measure::measure(function, &weighted, guards, self.symbols);
        measure.turn(&mut intervals);
        if recursive && (intervals.len() > 1 || measure.can_shrink()) {
            return self.rewritten(aux, &measure, &intervals);
        }
        for (low, high) in intervals {
            let low = self.at_least(&measure, low, &mut |lower, l| lower.not(l))?;
            let high = self.at_least(&measure, high + 1, &mut |lower, l| lower.not(l))?;
            let high = self.negated(high);
            let form = self.all(vec![low, high]);
            self.define(&[aux], &form);
        }
        Ok(())
    }

    /// The conditions of each tuple that counts for the function, in order of first occurrence.
    pub(super) fn tuples(
        &self,
        function: Function,
        elements: &[AggregateElement],
    ) -> Vec<(Option<Sym>, Vec<Literals>)> {
        let program = &*self.program;
        let mut places: Map<&[Sym], usize> = Map::default();
        let mut tuples: Vec<(Option<Sym>, Vec<Literals>)> = Vec::new();
        for element in elements {
            let terms = program.terms(element.tuple);
            let first = terms.first().copied();
            if measure::counts(function, first, self.symbols) {
                let place = *places.entry(terms).or_insert_with(|| {
                    tuples.push((first, Vec::new()));
                    tuples.len() - 1
                });
                tuples[place].1.push(element.condition);
            }
        }
        if matches!(function, Function::Min | Function::Max) {
            self.drop_beaten(function, &mut tuples);
        }
        tuples
    }

    /// Drops tuples that cannot change the least or greatest value because another tuple always counts.
    fn drop_beaten(&self, function: Function, tuples: &mut Vec<(Option<Sym>, Vec<Literals>)>) {
        let better = |a: Sym, b: Sym| {
            let order = self.symbols.cmp(a, b);
            if function == Function::Max { order.is_gt() } else { order.is_lt() }
        };
        let always =
            |t: &(Option<Sym>, Vec<Literals>)| t.1.iter().any(|&c| self.program.literals(c).is_empty());
        let constants = tuples.iter().filter(|t| always(t)).filter_map(|t| t.0);
        let Some(best) = constants.reduce(|a, b| if better(a, b) { a } else { b }) else { return };
        tuples.retain(|t| t.0 == Some(best) && always(t) || t.0.is_some_and(|v| better(v, best)));
    }

    fn weighted(&mut self, tuples: &[(Option<Sym>, Vec<Literals>)], both_ways: bool) -> Vec<Weighted> {
        let weigh = |(first, conditions): &(Option<Sym>, Vec<Literals>)| {
            if let [condition] = conditions[..]
                && let [literal] = self.program.literals(condition)[..]
            {
                return Weighted { first: *first, literal: Some(literal) };
            }
            let bodies: Vec<_> = conditions.iter().map(|&c| self.program.literals(c).to_vec()).collect();
            Weighted { first: *first, literal: self.tuple_literal(bodies, both_ways) }
        };
        tuples.iter().map(weigh).collect()
    }

    /// A literal for "one of the conditions holds"; `None` if one is empty. With `both_ways` it also implies them.
    pub(super) fn tuple_literal(
        &mut self,
        mut conditions: Vec<Vec<Literal>>,
        both_ways: bool,
    ) -> Option<Literal> {
        for condition in &mut conditions {
            condition.sort_unstable();
            condition.dedup();
        }
        conditions.sort_unstable();
        conditions.dedup();
        if conditions.iter().any(Vec::is_empty) {
            return None;
        }
        if both_ways {
            let literals: Vec<_> = conditions.iter().map(|c| self.equivalent_of_all(c)).collect();
            return Some(self.equivalent_of_any(&literals));
        }
        Some(self.literal(Form::Bodies(conditions)))
    }

    fn equivalent_of_all(&mut self, literals: &[Literal]) -> Literal {
        if let [literal] = literals {
            return *literal;
        }
        let aux = self.aux();
        self.rule(&[aux], literals);
        for &literal in literals {
            if self.depends_on_candidate(literal) {
                self.rule(&[], &[Literal::pos(aux), !literal]);
            } else {
                self.rule(&[literal.atom()], &[Literal::pos(aux)]);
            }
        }
        Literal::pos(aux)
    }

    fn equivalent_of_any(&mut self, literals: &[Literal]) -> Literal {
        if let [literal] = literals {
            return *literal;
        }
        let aux = self.aux();
        let (mut head, mut body) = (Vec::new(), vec![Literal::pos(aux)]);
        for &literal in literals {
            self.rule(&[aux], &[literal]);
            if self.depends_on_candidate(literal) {
                let fails = self.not(literal);
                body.push(fails);
            } else {
                head.push(literal.atom());
            }
        }
        self.rule(&head, &body);
        Literal::pos(aux)
    }

    /// Rules for a recursive aggregate that is neither monotone nor antimonotone.
    fn rewritten(
        &mut self,
        aux: AtomId,
        measure: &Measure,
        intervals: &[Interval],
    ) -> Result<(), LowerError> {
        let (least, greatest) = measure.range();
        if intervals == [(least, greatest)] {
            self.rule(&[aux], &[]);
            return Ok(());
        }
        let mut complements: Map<AtomId, AtomId> = Map::default();
        let mut complement = |lower: &mut Lower<'_>, literal: Literal| {
            let atom = literal.atom();
            if lower.depends_on_candidate(literal) {
                return lower.not(literal);
            }
            let absent = *complements.entry(atom).or_insert_with(|| {
                let absent = lower.aux();
                let not_aux = lower.negation(aux);
                lower.rule(&[absent], &[Literal::neg(atom)]);
                lower.rule(&[absent], &[Literal::pos(aux)]);
                lower.rule(&[atom, absent], &[Literal::neg(not_aux)]);
                absent
            });
            Literal::pos(absent)
        };
        for &(low, high) in intervals {
            let low = self.at_least(measure, low, &mut complement)?;
            let high = self.at_most(measure, high, &mut complement)?;
            let form = self.all(vec![low, high]);
            self.define(&[aux], &form);
        }
        Ok(())
    }
}
