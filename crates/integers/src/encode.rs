//! Constraints as rules over value atoms.
//!
//! A comparison of one expression forbids values; an equation of two forbids pairs; others are weight rules in which a value
//! weighs what it adds to the least sum, so that each variable is a group of literals of which one holds. An interval is a value
//! atom for each time at which it may run: no two intervals run at a time. Invariant: for each assignment of values, the rules
//! of a constraint can be satisfied if and only if it holds, and then in one way.

use std::collections::BTreeMap;

use super::constraint::{Constraint, Posted, Read, Sum, Test};
use super::{Compiler, Formula, Limits};
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;
use asp_base::symbol::Symbols;
use asp_program::ground_program::{MinimizeElement, Program};
use asp_program::integers::Variable;
use asp_program::integers::column::Column;
use asp_program::integers::domain::Domain;
use asp_program::integers::kept::{KeptConstraint, MAX_SUM};
use asp_program::rule::RuleSource;
use asp_program::{AtomId, Literal};

/// Literals of rules for all constraints together.
const MAX_LITERALS: usize = 10_000_000;

/// The limit on sums of fixed values: with another product of two 64-bit numbers, less than 128 bits.
const MAX_CONSTANT: u128 = 1 << 125;

type Error = Box<Diagnostic>;

pub(crate) struct Encoder<'a> {
    pub(crate) integers: &'a mut Compiler,
    pub(crate) program: &'a mut Program,
    pub(crate) source: RuleSource,
    pub(crate) span: Span,
    /// Whether rules come from nowhere: see [`Limits::open`].
    is_open: bool,
}

impl Compiler {
    /// Writes the rules of new variables and of what was read.
    pub(crate) fn encode(
        &mut self,
        program: &mut Program,
        symbols: &mut Symbols,
        first: usize,
        read: Read,
        limits: Limits,
    ) -> Result<(), Error> {
        self.note_uses(&read);
        let (source, span, is_open) = (RuleSource::NONE, Span::NONE, limits.open);
        let mut encoder = Encoder { integers: self, program, source, span, is_open };
        let new = &mut encoder.integers.data.variables[first..];
        if new.iter().any(|known| known.domain.bounds().is_none()) {
            // There is no answer set, whatever the values.
            new.iter_mut().for_each(|known| known.domain = Domain::of(0, 0));
            encoder.forbid(None, &[])?;
        }
        for variable in first..encoder.integers.data.variables.len() {
            encoder.variable(variable, limits)?;
        }
        for posted in &read.posted {
            encoder.at(posted.span);
            encoder.posted(posted, first)?;
        }
        encoder.is_open = false;
        for (&level, (sum, span)) in &read.objectives {
            encoder.at(*span);
            encoder.objective(level, sum, symbols)?;
        }
        Ok(())
    }
}

impl Encoder<'_> {
    /// Further rules come from the atom at a place.
    pub(crate) fn at(&mut self, span: Span) {
        self.span = span;
        if self.is_open {
            return;
        }
        self.source = RuleSource(self.program.sources.len() as u32);
        self.program.sources.push(span);
    }

    pub(crate) fn count(&mut self, literals: usize) -> Result<(), Error> {
        self.integers.size += literals;
        if self.integers.size <= MAX_LITERALS {
            return Ok(());
        }
        let text = "the constraints over integers need too many rules";
        Err(Box::new(
            Diagnostic::error(self.span, text)
                .caption("up to here they have more than 10 million literals")
                .help("give the variables smaller domains with `&dom { a..b } = x`"),
        ))
    }

    pub(crate) fn overflow<T>(&self) -> Result<T, Error> {
        Err(Box::new(Diagnostic::error(self.span, "values of this constraint do not fit 64 bits")))
    }

    pub(crate) fn aux(&mut self) -> AtomId {
        self.program.atoms.add_aux()
    }

    pub(crate) fn rule(&mut self, head: &[AtomId], body: &[Literal]) -> Result<(), Error> {
        self.program.rules.add(false, head, body, self.source);
        self.count(head.len() + body.len())
    }

    /// Forbids literals together, and under a condition.
    pub(crate) fn forbid(&mut self, when: Option<Literal>, literals: &[Literal]) -> Result<(), Error> {
        let body: Vec<Literal> = when.into_iter().chain(literals.iter().copied()).collect();
        self.rule(&[], &body)
    }

    /// Forbids a formula and literals together.
    pub(crate) fn forbid_formula(
        &mut self,
        when: Option<Literal>,
        literals: &[Literal],
        formula: Formula,
    ) -> Result<(), Error> {
        match formula {
            Formula::Is(false) => Ok(()),
            Formula::Is(true) => self.forbid(when, literals),
            Formula::Literal(l) => self.forbid(when, &[literals, &[l]].concat()),
        }
    }

    /// A literal for a disjunction; there is at least one literal.
    pub(crate) fn any(&mut self, literals: &[Literal]) -> Result<Literal, Error> {
        if let [one] = literals {
            return Ok(*one);
        }
        let aux = self.aux();
        for &l in literals {
            self.rule(&[aux], &[l])?;
        }
        Ok(Literal::pos(aux))
    }

    /// Writes an atom for each of some values: exactly one holds.
    fn new_column(&mut self, values: &[i64]) -> Result<Column, Error> {
        Ok(match *values {
            [value] => Column::constant(value),
            [low, high] => {
                let atom = self.aux();
                self.program.rules.add(true, &[atom], &[], self.source);
                Column(vec![(low, Some(Literal::neg(atom))), (high, Some(Literal::pos(atom)))])
            }
            _ => {
                let atoms: Vec<AtomId> = values.iter().map(|_| self.aux()).collect();
                self.program.rules.add(true, &atoms, &[], self.source);
                let literals: Vec<Literal> = atoms.iter().map(|&a| Literal::pos(a)).collect();
                self.at_most_one(None, &literals)?;
                let none: Vec<Literal> = atoms.iter().map(|&a| Literal::neg(a)).collect();
                self.forbid(None, &none)?;
                Column(values.iter().copied().zip(literals.into_iter().map(Some)).collect())
            }
        })
    }

    /// Writes the values of a variable: exactly one holds.
    fn variable(&mut self, number: usize, limits: Limits) -> Result<(), Error> {
        let known = &self.integers.data.variables[number];
        let span = known.span;
        let most = if known.is_distinct { limits.atoms.max(limits.distinct) } else { limits.atoms };
        if known.domain.size() > most {
            self.integers.data.variables[number].digits = Some(self.digits(number));
            return Ok(());
        }
        let values: Vec<i64> = known.domain.values().collect();
        self.at(span);
        let column = self.new_column(&values)?;
        self.integers.data.variables[number].column = Some(column);
        Ok(())
    }

    fn at_most_one(&mut self, when: Option<Literal>, literals: &[Literal]) -> Result<(), Error> {
        if let [a, b] = *literals {
            return self.forbid(when, &[a, b]);
        }
        if literals.len() < 2 {
            return Ok(());
        }
        let items: Vec<(Literal, i64)> = literals.iter().map(|&l| (l, 1)).collect();
        let formula = self.at_least(2, &items, when.is_none())?;
        self.forbid_formula(when, &[], formula)
    }

    /// A formula for a weight rule; with `forbidden`, a constraint instead.
    pub(crate) fn at_least(
        &mut self,
        bound: i64,
        items: &[(Literal, i64)],
        forbidden: bool,
    ) -> Result<Formula, Error> {
        self.count(items.len())?;
        if items.iter().map(|item| i128::from(item.1)).sum::<i128>() > i64::MAX.into() {
            return self.overflow();
        }
        if forbidden {
            self.program.rules.add_weight(false, &[], bound, items, self.source);
            return Ok(Formula::Is(false));
        }
        let aux = self.aux();
        self.program.rules.add_weight(false, &[aux], bound, items, self.source);
        Ok(Formula::Literal(Literal::pos(aux)))
    }

    fn posted(&mut self, posted: &Posted, first: usize) -> Result<(), Error> {
        let certain = self.integers.certain.get(&posted.atom).copied();
        let atom = Literal::pos(posted.atom);
        match &posted.constraint {
            Constraint::Compare(sum, test) => {
                if certain != Some(false) {
                    let when = (certain != Some(true)).then_some(atom);
                    self.compare(when, sum, *test)?;
                }
                if !posted.strict || certain == Some(true) {
                    return Ok(());
                }
                let when = (certain != Some(false)).then_some(!atom);
                let (sum, test) = self.opposite(sum, *test)?;
                self.compare(when, &sum, test)
            }
            Constraint::Count { .. } | Constraint::Any(_) => {
                let truth = certain.map_or(Formula::Literal(atom), Formula::Is);
                self.reified(truth, posted.strict, &posted.constraint)
            }
            _ if certain == Some(false) => Ok(()),
            Constraint::Distinct(sums) => {
                let when = certain.is_none().then_some(atom);
                match sums.iter().any(|s| self.is_wide(s)) {
                    true => self.keep_distinct(when, sums),
                    false => self.distinct(when, sums),
                }
            }
            Constraint::Disjoint(tasks) => {
                let when = certain.is_none().then_some(atom);
                match tasks.iter().any(|t| self.is_wide(&t.start)) {
                    true => self.keep_disjoint(when, tasks),
                    false => self.tasks(when, tasks, 1),
                }
            }
            Constraint::Cumulative(tasks, capacity) => {
                let when = certain.is_none().then_some(atom);
                let needed: i128 = tasks.iter().map(|t| i128::from(t.demand)).sum();
                if needed > MAX_SUM {
                    return self.overflow();
                }
                match tasks.iter().any(|t| self.is_wide(&t.start)) {
                    true => self.keep_cumulative(when, tasks, *capacity),
                    false => self.tasks(when, tasks, *capacity),
                }
            }
            Constraint::Domain(variable, ranges) => {
                // Domains that certainly hold are part of that of a new variable.
                if certain.is_some() && variable.0 as usize >= first {
                    return Ok(());
                }
                let domain = Domain::union(ranges);
                if self.integers.data.variables[variable.0 as usize].digits.is_some() {
                    let ranges = domain.ranges().collect();
                    return self
                        .keep(certain.is_none().then_some(atom), KeptConstraint::Within(*variable, ranges));
                }
                let column = self.of_variable(*variable);
                let outside = |v: i64| !domain.contains(v);
                self.exclude(certain.is_none().then_some(atom), &column, outside)
            }
        }
    }

    /// Forbids values of a column.
    fn exclude(
        &mut self,
        when: Option<Literal>,
        column: &Column,
        excluded: impl Fn(i64) -> bool,
    ) -> Result<(), Error> {
        if column.0.iter().all(|e| excluded(e.0)) {
            return self.forbid(when, &[]);
        }
        let entries: Vec<Literal> = column.entries().filter(|e| excluded(e.0)).map(|e| e.1).collect();
        entries.into_iter().try_for_each(|l| self.forbid(when, &[l]))
    }

    /// A comparison with 0 that holds under a condition.
    pub(crate) fn compare(&mut self, when: Option<Literal>, sum: &Sum, test: Test) -> Result<(), Error> {
        if self.is_wide(sum) {
            return self.keep_comparison(when, sum, test);
        }
        let mut constant = i128::from(sum.constant);
        let mut open: Vec<(i128, Column)> = Vec::new();
        for (factor, product) in &sum.terms {
            let column = self.of_product(product)?;
            match column.fixed() {
                Some(value) => {
                    constant += i128::from(*factor) * i128::from(value);
                    if constant.unsigned_abs() > MAX_CONSTANT {
                        return self.overflow();
                    }
                }
                None => open.push((i128::from(*factor), column)),
            }
        }
        match (&open[..], test) {
            ([], _) => {
                let holds = match test {
                    Test::AtMost => constant <= 0,
                    Test::Equal => constant == 0,
                    Test::NotEqual => constant != 0,
                };
                if holds { Ok(()) } else { self.forbid(when, &[]) }
            }
            ([(factor, column)], _) => self.exclude(when, column, |v| {
                let value = constant + factor * i128::from(v);
                match test {
                    Test::AtMost => value > 0,
                    Test::Equal => value != 0,
                    Test::NotEqual => value == 0,
                }
            }),
            ([a, b], Test::Equal | Test::NotEqual) => self.pairs(when, constant, a, b, test == Test::Equal),
            (_, Test::AtMost) => {
                let formula = self.positive(sum, when.is_none())?;
                self.forbid_formula(when, &[], formula)
            }
            (_, Test::Equal) => {
                let Some(negated) = sum.subtracted_from(0) else { return self.overflow() };
                for sum in [sum, &negated] {
                    let formula = self.positive(sum, when.is_none())?;
                    self.forbid_formula(when, &[], formula)?;
                }
                Ok(())
            }
            (_, Test::NotEqual) => {
                let Some(negated) = sum.subtracted_from(0) else { return self.overflow() };
                let mut body = Vec::new();
                for sum in [sum, &negated] {
                    match self.positive(sum, false)? {
                        Formula::Is(true) => return Ok(()),
                        Formula::Is(false) => {}
                        Formula::Literal(l) => body.push(!l),
                    }
                }
                self.forbid(when, &body)
            }
        }
    }

    /// `constant + a + b` is 0, or is not.
    fn pairs(
        &mut self,
        when: Option<Literal>,
        constant: i128,
        a: &(i128, Column),
        b: &(i128, Column),
        equal: bool,
    ) -> Result<(), Error> {
        let partner = |(factor, _): &(i128, Column), value: i64, (other, column): &(i128, Column)| {
            let rest = -(constant + factor * i128::from(value));
            let value = (rest % other == 0).then_some(rest / other)?;
            column.literal(i64::try_from(value).ok()?)
        };
        for (value, literal) in a.1.entries() {
            match (partner(a, value, b), equal) {
                (Some(other), true) => self.forbid(when, &[literal, !other])?,
                (None, true) => self.forbid(when, &[literal])?,
                (Some(other), false) => self.forbid(when, &[literal, other])?,
                (None, false) => {}
            }
        }
        if equal {
            for (value, literal) in b.1.entries() {
                match partner(b, value, a) {
                    Some(other) => self.forbid(when, &[literal, !other])?,
                    None => self.forbid(when, &[literal])?,
                }
            }
        }
        Ok(())
    }

    /// A formula for `sum > 0`; with `forbidden`, a constraint instead.
    pub(crate) fn positive(&mut self, sum: &Sum, forbidden: bool) -> Result<Formula, Error> {
        if let Some(&known) = self.integers.positive.get(sum) {
            return Ok(known);
        }
        if let Some(Formula::Literal(l)) =
            sum.subtracted_from(1).and_then(|s| self.integers.positive.get(&s)).copied()
        {
            return Ok(Formula::Literal(!l));
        }
        let mut least = i128::from(sum.constant);
        let mut greatest = least;
        let mut items: Vec<(Literal, i64)> = Vec::new();
        for (factor, product) in &sum.terms {
            let column = self.of_product(product)?;
            let weight = |v: i64| i128::from(*factor) * i128::from(v);
            let weights = || column.0.iter().map(|e| weight(e.0));
            let (low, high) = (weights().min().unwrap_or(0), weights().max().unwrap_or(0));
            least += low;
            greatest += high;
            if least.unsigned_abs().max(greatest.unsigned_abs()) >= 1 << 62 {
                return self.overflow();
            }
            for (value, literal) in column.entries().filter(|e| weight(e.0) > low) {
                items.push((literal, (weight(value) - low) as i64));
            }
        }
        let formula = if least > 0 {
            Formula::Is(true)
        } else if greatest <= 0 {
            Formula::Is(false)
        } else {
            self.at_least((1 - least) as i64, &items, forbidden)?
        };
        if !forbidden || greatest <= 0 || least > 0 {
            self.integers.positive.insert(sum.clone(), formula);
        }
        Ok(formula)
    }

    pub(crate) fn of_variable(&self, variable: Variable) -> Column {
        let known = &self.integers.data.variables[variable.0 as usize];
        known.column.clone().unwrap_or_else(|| Column::constant(0))
    }

    /// The values of a product of variables.
    pub(crate) fn of_product(&mut self, product: &[Variable]) -> Result<Column, Error> {
        if let [variable] = *product {
            return Ok(self.of_variable(variable));
        }
        let key = Sum::product(product);
        if let Some(column) = self.integers.columns.get(&key) {
            return Ok(column.clone());
        }
        let mut all = Column::constant(1);
        for power in product.chunk_by(|a, b| a == b) {
            let column = self.of_variable(power[0]);
            let exponent = power.len() as u32;
            let column = self.map(&column, |v| v.checked_pow(exponent))?;
            all = self.combine(&all, &column, i64::checked_mul)?;
        }
        self.integers.columns.insert(key, all.clone());
        Ok(all)
    }

    /// The values of a sum.
    pub(crate) fn of_sum(&mut self, sum: &Sum) -> Result<Column, Error> {
        if let Some(column) = self.integers.columns.get(sum) {
            return Ok(column.clone());
        }
        let mut all = Column::constant(sum.constant);
        for (factor, product) in &sum.terms {
            let column = self.of_product(product)?;
            let column = self.map(&column, |v| v.checked_mul(*factor))?;
            all = self.combine(&all, &column, i64::checked_add)?;
        }
        self.integers.columns.insert(sum.clone(), all.clone());
        Ok(all)
    }

    fn map(&mut self, column: &Column, f: impl Fn(i64) -> Option<i64>) -> Result<Column, Error> {
        let Some(by_value) = column.by(f) else { return self.overflow() };
        if let (1, Some((&value, _))) = (by_value.len(), by_value.first_key_value()) {
            return Ok(Column::constant(value));
        }
        let mut out = Vec::new();
        for (value, literals) in by_value {
            out.push((value, Some(self.any(&literals)?)));
        }
        Ok(Column(out))
    }

    /// The values of an expression of two columns.
    fn combine(
        &mut self,
        a: &Column,
        b: &Column,
        f: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<Column, Error> {
        if let Some(a) = a.fixed() {
            return self.map(b, |b| f(a, b));
        }
        if let Some(b) = b.fixed() {
            return self.map(a, |a| f(a, b));
        }
        let mut pairs: BTreeMap<i64, Vec<[Literal; 2]>> = BTreeMap::new();
        self.count(a.0.len().saturating_mul(b.0.len()))?;
        for (v, x) in a.entries() {
            for (w, y) in b.entries() {
                let Some(value) = f(v, w) else { return self.overflow() };
                pairs.entry(value).or_default().push([x, y]);
            }
        }
        if let (1, Some((&value, _))) = (pairs.len(), pairs.first_key_value()) {
            return Ok(Column::constant(value));
        }
        let mut out = Vec::new();
        for (value, pairs) in pairs {
            let aux = self.aux();
            for pair in pairs {
                self.rule(&[aux], &pair)?;
            }
            out.push((value, Some(Literal::pos(aux))));
        }
        Ok(Column(out))
    }

    fn distinct(&mut self, when: Option<Literal>, sums: &[Sum]) -> Result<(), Error> {
        let mut of_value: BTreeMap<i64, (usize, Vec<Literal>)> = BTreeMap::new();
        for sum in sums {
            for (value, literal) in self.of_sum(sum)?.0 {
                let (fixed, literals) = of_value.entry(value).or_default();
                match literal {
                    Some(l) => literals.push(l),
                    None => *fixed += 1,
                }
            }
        }
        self.exclusive(when, of_value)
    }

    /// At most one holds of those that always hold, which are counted, and of the literals of each value.
    pub(crate) fn exclusive(
        &mut self,
        when: Option<Literal>,
        of_value: BTreeMap<i64, (usize, Vec<Literal>)>,
    ) -> Result<(), Error> {
        for (fixed, literals) in of_value.into_values() {
            match fixed {
                0 => self.at_most_one(when, &literals)?,
                1 => literals.iter().try_for_each(|&l| self.forbid(when, &[l]))?,
                _ => return self.forbid(when, &[]),
            }
        }
        Ok(())
    }

    /// Minimises a sum, as a part of the objective of a level.
    fn objective(&mut self, level: i64, sum: &Sum, symbols: &mut Symbols) -> Result<(), Error> {
        let (mut constant, mut costs) = self.integers.data.objectives.remove(&level).unwrap_or_default();
        let mut least = i128::from(constant) + i128::from(sum.constant);
        // No term of a program has this name.
        let name = symbols.intern("#integers");
        let name = symbols.constant(name);
        let mut elements: Vec<(i64, Option<Literal>)> = vec![(sum.constant, None)];
        for (factor, product) in &sum.terms {
            if self.is_wide(&Sum::product(product)) {
                // Objectives have no products.
                let &[variable] = &product[..] else { return self.overflow() };
                let Some(digits) = self.integers.data.variables[variable.0 as usize].digits.clone() else {
                    continue;
                };
                least += i128::from(*factor) * i128::from(digits.base);
                for (k, &literal) in digits.literals.iter().enumerate() {
                    let Some(cost) = factor.checked_mul(1 << k) else { return self.overflow() };
                    elements.push((cost, Some(literal)));
                }
                continue;
            }
            let column = self.of_product(product)?;
            for (value, literal) in &column.0 {
                let Some(cost) = factor.checked_mul(*value) else { return self.overflow() };
                match literal {
                    Some(l) => elements.push((cost, Some(*l))),
                    None => least += i128::from(cost),
                }
            }
        }
        // Costs of fixed values are part of the constant.
        let Ok(total) = i64::try_from(least) else { return self.overflow() };
        let Some(first) = total.checked_sub(constant) else { return self.overflow() };
        elements[0].0 = first;
        constant = total;
        for (weight, literal) in elements {
            let number = symbols.num(self.program.minimize.len() as i64);
            let tuple = self.program.push_terms(&[name, number]);
            let condition = self.program.push_literals(literal.as_slice());
            let element = MinimizeElement { weight, priority: level, tuple, condition, source: self.source };
            self.program.minimize.push(element);
            costs.extend(literal.map(|l| (l, weight)));
        }
        self.integers.data.objectives.insert(level, (constant, costs));
        Ok(())
    }
}
