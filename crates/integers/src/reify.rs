//! Comparisons as literals, and constraints on the number that hold: counts of values, tables, elements.
//!
//! A comparison of one variable with few values is a disjunction of its atoms; any other gets an atom that may be chosen, under which
//! it holds, and without which its opposite does. Invariant: for each assignment of values there is one way to choose these.

use super::Formula;
use super::constraint::{Constraint, Sum, Test};
use super::encode::Encoder;
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Map;
use asp_program::Literal;
use asp_program::integers::kept::{KeptConstraint, Linear, Quantity};

type Error = Box<Diagnostic>;

/// Comparisons with 0.
type List = [(Sum, Test)];

impl Test {
    fn holds(self, value: i128) -> bool {
        match self {
            Test::AtMost => value <= 0,
            Test::Equal => value == 0,
            Test::NotEqual => value != 0,
        }
    }
}

impl Encoder<'_> {
    /// The negation of a comparison with 0.
    pub(crate) fn opposite(&self, sum: &Sum, test: Test) -> Result<(Sum, Test), Error> {
        match test {
            Test::AtMost => match sum.subtracted_from(1) {
                Some(sum) => Ok((sum, Test::AtMost)),
                None => self.overflow(),
            },
            Test::Equal => Ok((sum.clone(), Test::NotEqual)),
            Test::NotEqual => Ok((sum.clone(), Test::Equal)),
        }
    }

    /// A literal that holds if and only if a comparison with 0 does.
    fn reify(&mut self, sum: &Sum, test: Test) -> Result<Formula, Error> {
        if let Some(&known) = self.integers.reified.get(&(sum.clone(), test)) {
            return Ok(known);
        }
        let formula = match &sum.terms[..] {
            [] => Formula::Is(test.holds(sum.constant.into())),
            [(factor, product)] if !self.is_wide(sum) => {
                let column = self.of_product(product)?;
                let holds =
                    |v: i64| test.holds(i128::from(sum.constant) + i128::from(*factor) * i128::from(v));
                let literals: Vec<Literal> = column.entries().filter(|e| holds(e.0)).map(|e| e.1).collect();
                if column.0.iter().all(|e| holds(e.0)) {
                    Formula::Is(true)
                } else if literals.is_empty() {
                    Formula::Is(false)
                } else {
                    Formula::Literal(self.any(&literals)?)
                }
            }
            _ => {
                let atom = self.aux();
                self.program.rules.add(true, &[atom], &[], self.source);
                let holds = Literal::pos(atom);
                self.compare(Some(holds), sum, test)?;
                let (opposite, test) = self.opposite(sum, test)?;
                self.compare(Some(!holds), &opposite, test)?;
                Formula::Literal(holds)
            }
        };
        self.integers.reified.insert((sum.clone(), test), formula);
        Ok(formula)
    }

    /// A constraint of literals holds if something does; if strict, only if.
    pub(crate) fn reified(
        &mut self,
        truth: Formula,
        strict: bool,
        constraint: &Constraint,
    ) -> Result<(), Error> {
        let (positive, negative) = match truth {
            Formula::Is(true) => (Some(None), None),
            Formula::Is(false) => (None, Some(None)),
            Formula::Literal(l) => (Some(Some(l)), Some(Some(!l))),
        };
        let negative = negative.filter(|_| strict);
        match constraint {
            Constraint::Any(lists) => self.any_list(positive, negative, lists),
            Constraint::Count { sums, factor, rest, test } => {
                let mut rest = rest.clone();
                let mut literals = Vec::new();
                for sum in sums {
                    match self.reify(sum, Test::Equal)? {
                        Formula::Literal(l) => literals.push(l),
                        Formula::Is(false) => {}
                        Formula::Is(true) => match rest.plus(*factor) {
                            Some(more) => rest = more,
                            None => return self.overflow(),
                        },
                    }
                }
                if let Some(when) = positive {
                    self.compare_count(when, &literals, *factor, &rest, *test)?;
                }
                let Some(when) = negative else { return Ok(()) };
                let (rest, factor, test) = match test {
                    Test::AtMost => (self.opposite(&rest, Test::AtMost)?.0, -factor, Test::AtMost),
                    Test::Equal => (rest, *factor, Test::NotEqual),
                    Test::NotEqual => (rest, *factor, Test::Equal),
                };
                self.compare_count(when, &literals, factor, &rest, test)
            }
            _ => Ok(()),
        }
    }

    /// In one of the lists all comparisons hold, if and only if so.
    fn any_list(
        &mut self,
        positive: Option<Option<Literal>>,
        negative: Option<Option<Literal>>,
        lists: &[Vec<(Sum, Test)>],
    ) -> Result<(), Error> {
        // Those that can hold, each with its literals and one for all of them.
        let mut open: Vec<(usize, Option<Literal>, Vec<Literal>)> = Vec::new();
        'lists: for (number, list) in lists.iter().enumerate() {
            let mut literals = Vec::new();
            for (sum, test) in list {
                match self.reify(sum, *test)? {
                    Formula::Is(true) => {}
                    Formula::Is(false) => continue 'lists,
                    Formula::Literal(l) => literals.push(l),
                }
            }
            let all = match literals[..] {
                [] => None,
                [one] => Some(one),
                _ => {
                    let aux = self.aux();
                    self.rule(&[aux], &literals)?;
                    Some(Literal::pos(aux))
                }
            };
            open.push((number, all, literals));
        }
        if let Some(when) = negative {
            for (_, _, literals) in &open {
                self.forbid(when, literals)?;
            }
        }
        let Some(when) = positive else { return Ok(()) };
        let Some(all) = open.iter().map(|l| l.1).collect::<Option<Vec<Literal>>>() else { return Ok(()) };
        let none: Vec<Literal> = all.iter().map(|&l| !l).collect();
        self.forbid(when, &none)?;
        self.support(when, &open.iter().map(|l| (&lists[l.0][..], l.1)).collect::<Vec<_>>())
    }

    /// A value of a variable that all lists compare with a number needs one that has it.
    fn support(&mut self, when: Option<Literal>, lists: &[(&List, Option<Literal>)]) -> Result<(), Error> {
        let Some(&(first, _)) = lists.first() else { return Ok(()) };
        for (at, (sum, _)) in first.iter().enumerate() {
            let alike = |other: Option<&(Sum, Test)>| {
                other.is_some_and(|(s, test)| *test == Test::Equal && s.terms == sum.terms)
            };
            if sum.terms.len() != 1 || self.is_wide(sum) || !lists.iter().all(|l| alike(l.0.get(at))) {
                continue;
            }
            let (factor, product) = &sum.terms[0];
            let column = self.of_product(product)?;
            let mut of_value: Map<i128, Vec<Literal>> = Map::default();
            for (list, all) in lists {
                of_value.entry(-i128::from(list[at].0.constant)).or_default().extend(all.map(|l| !l));
            }
            for (value, literal) in column.entries() {
                let mut body =
                    of_value.remove(&(i128::from(value) * i128::from(*factor))).unwrap_or_default();
                // A list that is but this comparison is the literal of the value.
                if !body.contains(&!literal) {
                    body.push(literal);
                    self.forbid(when, &body)?;
                }
            }
        }
        Ok(())
    }

    /// A multiple, by 1 or -1, of how many literals hold, and a sum, compared with 0.
    fn compare_count(
        &mut self,
        when: Option<Literal>,
        literals: &[Literal],
        factor: i64,
        rest: &Sum,
        test: Test,
    ) -> Result<(), Error> {
        if !rest.terms.is_empty() {
            let mut sum = |sum: Option<Sum>, factor: i64| {
                let Some(sum) = sum else { return self.overflow() };
                let Linear { mut terms, constant } = self.linear(&sum)?;
                terms.extend(literals.iter().map(|&l| (factor, Quantity::Literal(l))));
                Ok(Linear { terms, constant })
            };
            if test == Test::NotEqual {
                let sums = [sum(rest.plus(1), factor)?, sum(rest.subtracted_from(1), -factor)?];
                return self.keep(when, KeptConstraint::Either(sums));
            }
            let at_most = sum(Some(rest.clone()), factor)?;
            let at_least =
                if test == Test::Equal { Some(sum(rest.subtracted_from(0), -factor)?) } else { None };
            let mut all = [Some(at_most), at_least].into_iter().flatten();
            return all.try_for_each(|sum| self.keep(when, KeptConstraint::AtMost(sum)));
        }
        // The number is at least, and at most, the constant.
        let number = i128::from(rest.constant) * -i128::from(factor);
        if test != Test::AtMost || factor > 0 {
            let above = self.at_least_so_many(literals, number + 1)?;
            if test == Test::NotEqual {
                return match (self.at_least_so_many(literals, number)?, negation(above)) {
                    (Formula::Literal(l), other) => self.forbid_formula(when, &[l], other),
                    (Formula::Is(true), other) => self.forbid_formula(when, &[], other),
                    (Formula::Is(false), _) => Ok(()),
                };
            }
            self.forbid_formula(when, &[], above)?;
        }
        if test != Test::AtMost || factor < 0 {
            let below = negation(self.at_least_so_many(literals, number)?);
            self.forbid_formula(when, &[], below)?;
        }
        Ok(())
    }

    fn at_least_so_many(&mut self, literals: &[Literal], number: i128) -> Result<Formula, Error> {
        match number {
            n if n <= 0 => Ok(Formula::Is(true)),
            n if n > literals.len() as i128 => Ok(Formula::Is(false)),
            1 => self.any(literals).map(Formula::Literal),
            n => {
                let items: Vec<(Literal, i64)> = literals.iter().map(|&l| (l, 1)).collect();
                self.at_least(n as i64, &items, false)
            }
        }
    }
}

fn negation(formula: Formula) -> Formula {
    match formula {
        Formula::Is(holds) => Formula::Is(!holds),
        Formula::Literal(l) => Formula::Literal(!l),
    }
}
