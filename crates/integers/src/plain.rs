//! Kept constraints as rules, for proofs: a variable is its binary digits, a constraint a weight rule over them.
//!
//! This is slower to solve, but consists of atoms and rules alone. Invariant: the answer sets, digits included, are the same.

use asp_base::map::Set;
use asp_program::ground_program::Program;
use asp_program::integers::Integers;
use asp_program::integers::Variable;
use asp_program::integers::kept::{KeptConstraint, Linear, Product, Quantity};
use asp_program::rule::{Body, RuleId, RuleSource};
use asp_program::{AtomId, Literal};

/// Weighted literals, and what is added to their sum.
#[derive(Default)]
struct Weighted {
    terms: Vec<(Literal, i64)>,
    constant: i128,
}

impl Weighted {
    fn add(&mut self, literal: Literal, weight: i64) {
        match weight {
            0 => {}
            1.. => self.terms.push((literal, weight)),
            _ => {
                self.terms.push((!literal, -weight));
                self.constant += i128::from(weight);
            }
        }
    }
}

/// Writes all kept constraints as rules, and forgets their origins; the error names those without rules.
pub fn write_plain(program: &mut Program) -> Result<(), &'static str> {
    if !program.theory.integers {
        return Ok(());
    }
    if program.integers.products.iter().any(|p| matches!(p, Product::Factors(_))) {
        return Err("products of integer variables that have no atoms for their values");
    }
    let mut integers = std::mem::take(&mut program.integers);
    let first = program.rules.len();
    let plain = Plain(&integers);
    for (at, known) in integers.variables.iter().enumerate() {
        if known.digits.is_some() {
            let ranges: Vec<(i64, i64)> = known.domain.ranges().collect();
            plain.write_within(program, None, Variable(at as u32), &ranges);
        }
    }
    for kept in &integers.kept {
        match &kept.constraint {
            KeptConstraint::AtMost(sum) => {
                let more = plain.at_least(program, sum, 1);
                forbid(program, kept.when, &[more]);
            }
            KeptConstraint::Either(sums) => {
                let more = sums.each_ref().map(|sum| plain.at_least(program, sum, 1));
                forbid(program, kept.when, &more);
            }
            KeptConstraint::Within(variable, ranges) => {
                plain.write_within(program, kept.when, *variable, ranges);
            }
            KeptConstraint::Distinct(sums) => {
                for (i, a) in sums.iter().enumerate() {
                    for b in &sums[i + 1..] {
                        let differs = [a.minus(b), b.minus(a)].map(|sum| plain.at_least(program, &sum, 1));
                        forbid(program, kept.when, &differs.map(|l| !l));
                    }
                }
            }
            // Implied by others.
            KeptConstraint::Disjoint(_) | KeptConstraint::Equal(_) => {}
            KeptConstraint::Cumulative(tasks, capacity) => {
                plain.write_cumulative(program, kept.when, tasks, *capacity);
            }
        }
    }
    let is_too_great = |rule: usize| match program.rules.get(RuleId(rule as u32)).body {
        Body::Weight { weights, .. } => {
            weights.iter().map(|&w| i128::from(w)).sum::<i128>() > i64::MAX.into()
        }
        Body::Normal(_) => false,
    };
    if (first..program.rules.len()).any(is_too_great) {
        return Err("constraints over integers whose values as weights of rules do not fit 64 bits together");
    }
    integers.kept.clear();
    integers.is_plain = true;
    integers.atoms = 0;
    // Underived atoms stay free without their theory.
    let heads = program.rules.iter().flat_map(|rule| rule.head.atoms());
    let derived: Set<AtomId> = heads.copied().collect();
    let theory = &mut program.theory;
    for atom in theory.atoms.iter().filter_map(|a| a.atom).filter(|a| !derived.contains(a)) {
        program.rules.add(true, &[atom], &[], RuleSource::NONE);
    }
    (theory.atoms, theory.elements, theory.terms, theory.past) = Default::default();
    program.integers = integers;
    Ok(())
}

fn forbid(program: &mut Program, when: Option<Literal>, literals: &[Literal]) {
    let body: Vec<Literal> = when.into_iter().chain(literals.iter().copied()).collect();
    program.rules.add(false, &[], &body, RuleSource::NONE);
}

/// The rules for what is kept of these integers.
struct Plain<'a>(&'a Integers);

impl Plain<'_> {
    /// A literal that holds if and only if the sum is at least a number.
    fn at_least(&self, program: &mut Program, sum: &Linear, least: i64) -> Literal {
        let mut all = Weighted { constant: sum.constant.into(), ..Weighted::default() };
        for &(factor, quantity) in &sum.terms {
            let column = match quantity {
                Quantity::Variable(variable) => {
                    let known = &self.0.variables[variable.0 as usize];
                    if let Some(digits) = &known.digits {
                        all.constant += i128::from(factor) * i128::from(digits.base);
                        let worth = digits.literals.iter().enumerate();
                        worth.for_each(|(k, &digit)| all.add(digit, factor.saturating_mul(1 << k)));
                        continue;
                    }
                    known.column.as_ref()
                }
                Quantity::Literal(literal) => {
                    all.add(literal, factor);
                    continue;
                }
                Quantity::Product(product) => match &self.0.products[product as usize] {
                    Product::Column(column) => Some(column),
                    Product::Factors(_) => None,
                },
            };
            for &(value, literal) in column.iter().flat_map(|c| &c.0) {
                match literal {
                    Some(literal) => all.add(literal, factor.saturating_mul(value)),
                    None => all.constant += i128::from(factor) * i128::from(value),
                }
            }
        }
        // Between bounds of sums, which fit.
        let bound = (i128::from(least) - all.constant).clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let own = program.atoms.add_aux();
        program.rules.add_weight(false, &[own], bound, &all.terms, RuleSource::NONE);
        Literal::pos(own)
    }

    /// Forbids values outside of ranges, which are apart and ascend.
    fn write_within(
        &self,
        program: &mut Program,
        when: Option<Literal>,
        variable: Variable,
        ranges: &[(i64, i64)],
    ) {
        let value = Linear { terms: vec![(1, Quantity::Variable(variable))], constant: 0 };
        let (low, high) = self.0.range(Quantity::Variable(variable));
        // The gaps between ranges: from a number on, and not from another one on.
        let mut from = i64::MIN;
        let ends = ranges.iter().map(|r| (r.0, r.1.saturating_add(1))).chain([(i64::MAX, i64::MAX)]);
        for (next, after) in ends {
            let mut body = Vec::new();
            if i128::from(from) > low {
                body.push(self.at_least(program, &value, from));
            }
            if i128::from(next) <= high {
                body.push(!self.at_least(program, &value, next));
            }
            if from < next && i128::from(next) > low {
                forbid(program, when, &body);
            }
            from = after;
        }
    }

    /// Where a task begins, those that run need no more than there is.
    fn write_cumulative(
        &self,
        program: &mut Program,
        when: Option<Literal>,
        tasks: &[(Linear, i64, i64)],
        capacity: i64,
    ) {
        for (i, (start, ..)) in tasks.iter().enumerate() {
            let mut needed = Weighted::default();
            for (j, (other, length, need)) in tasks.iter().enumerate() {
                if i == j && *length > 0 {
                    needed.constant += i128::from(*need);
                    continue;
                }
                let since = start.minus(other);
                let body = [self.at_least(program, &since, 0), !self.at_least(program, &since, *length)];
                let own = program.atoms.add_aux();
                program.rules.add(false, &[own], &body, RuleSource::NONE);
                needed.add(Literal::pos(own), *need);
            }
            let bound = i128::from(capacity) + 1 - needed.constant;
            let bound = bound.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            let own = program.atoms.add_aux();
            program.rules.add_weight(false, &[own], bound, &needed.terms, RuleSource::NONE);
            forbid(program, when, &[Literal::pos(own)]);
        }
    }
}
