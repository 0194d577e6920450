//! A program's integer variables without atoms, as integers and sums of the engine.
//!
//! A variable with binary digits becomes an integer of the engine with these digits. One whose values are atoms becomes an
//! integer if it occurs in a sum with others that are not; its atoms and its bounds imply each other. A product, and a sum in a
//! constraint on single variables, is an integer of its own. Invariant: the engine's models on the program's atoms satisfy the
//! program's kept constraints.

use crate::translate::atom_lits::{AtomLits, conjunction};
use asp_base::interval;
use asp_base::map::Map;
use asp_engine::Engine;
use asp_engine::integer::build::merged;
use asp_engine::integer::global::congruence::Congruence;
use asp_engine::integer::global::cumulative::{Cumulative, Task};
use asp_engine::integer::global::disjunctive::Disjunctive;
use asp_engine::integer::global::distinct::Distinct;
use asp_engine::integer::global::{self, Global, View};
use asp_engine::integer::store::Int;
use asp_engine::store::literal::Lit;
use asp_program::integers::Variable;
use asp_program::integers::column::Column;
use asp_program::integers::kept::{Kept, KeptConstraint, Linear, Product, Quantity, multiplied};
use asp_program::{Literal, Program};

/// The integers of a translation.
#[derive(Debug, Default)]
pub(crate) struct Translated {
    /// By variable of the program.
    variables: Vec<Option<Int>>,
    /// The same by product.
    products: Vec<Option<Int>>,
    /// Products of two, and sums that are equal to a variable of their own.
    multiples: Map<[Int; 2], Int>,
    sums: Map<Vec<(i64, Int)>, Int>,
    /// How many constraints have been translated.
    kept: usize,
}

struct Adder<'a> {
    program: &'a Program,
    atoms: &'a AtomLits,
    engine: &'a mut Engine,
    translated: &'a mut Translated,
}

impl Translated {
    /// Adds what is new.
    pub(crate) fn extend(&mut self, program: &Program, atoms: &AtomLits, engine: &mut Engine) {
        let integers = &program.integers;
        if integers.is_plain {
            return;
        }
        let (first, kept) = (self.variables.len(), self.kept);
        self.variables.resize(integers.variables.len(), None);
        self.products.resize(integers.products.len(), None);
        self.kept = integers.kept.len();
        let mut adder = Adder { program, atoms, engine, translated: self };
        for at in first..integers.variables.len() {
            if integers.variables[at].digits.is_some() {
                adder.variable(Variable(at as u32));
            }
        }
        for kept in &integers.kept[kept..] {
            adder.add(kept);
        }
    }
}

impl Adder<'_> {
    fn lit(&self, literal: Literal) -> Lit {
        self.atoms.of(literal)
    }

    /// The engine's integer for a variable.
    fn variable(&mut self, variable: Variable) -> Int {
        let at = variable.0 as usize;
        if let Some(int) = self.translated.variables[at] {
            return int;
        }
        let known = &self.program.integers.variables[at];
        let int = match (&known.digits, &known.column) {
            (Some(digits), _) => {
                let (low, high) = known.domain.bounds().unwrap_or((0, 0));
                let int = self.engine.new_integer(low, high);
                let lits: Vec<Lit> = digits.literals.iter().map(|&l| self.lit(l)).collect();
                self.engine.add_digits(int, digits.base, &lits);
                let ranges: Vec<(i64, i64)> = known.domain.ranges().collect();
                self.within(None, int, &ranges);
                int
            }
            (None, Some(column)) => self.of_column(column),
            (None, None) => self.engine.new_integer(0, 0),
        };
        self.translated.variables[at] = Some(int);
        int
    }

    /// The engine's integer for a part of a sum.
    fn quantity(&mut self, quantity: Quantity) -> Int {
        match quantity {
            Quantity::Variable(variable) => self.variable(variable),
            Quantity::Literal(literal) => {
                let lit = self.lit(literal);
                self.engine.integer_of(lit)
            }
            Quantity::Product(product) => {
                let at = product as usize;
                if let Some(int) = self.translated.products[at] {
                    return int;
                }
                let int = match &self.program.integers.products[at] {
                    Product::Column(column) => self.of_column(column),
                    Product::Factors(factors) => {
                        let ints: Map<Variable, Int> =
                            factors.iter().map(|&v| (v, self.variable(v))).collect();
                        let times = |a, b, _| Some(self.multiply(a, b));
                        multiplied(factors, |v| ints[&v], times).unwrap_or(Int(0))
                    }
                };
                self.translated.products[at] = Some(int);
                int
            }
        }
    }

    /// The engine's integer for a product of two, or a square.
    fn multiply(&mut self, a: Int, b: Int) -> Int {
        let factors = [a.min(b), a.max(b)];
        if let Some(&int) = self.translated.multiples.get(&factors) {
            return int;
        }
        let [x, y] = factors.map(|int| {
            let (low, high) = self.engine.integers().root_bounds(int);
            (i128::from(low), i128::from(high))
        });
        let range = if a == b { interval::square(x) } else { interval::product(x, y) };
        let product = self.engine.new_dependent_integer(range.0 as i64, range.1 as i64);
        self.engine.add_global(None, Global::Product(global::product::Product { product, factors }));
        self.translated.multiples.insert(factors, product);
        product
    }

    /// A variable and an offset that are equal to a sum.
    fn view(&mut self, sum: &Linear) -> View {
        let terms = merged(&self.terms(sum));
        match terms[..] {
            [(factor @ (1 | -1), int)] => View::new(int, factor < 0, sum.constant),
            _ => View::new(self.sum(terms), false, sum.constant),
        }
    }

    /// The engine's integer for a sum without its constant.
    fn sum(&mut self, terms: Vec<(i64, Int)>) -> Int {
        if let Some(&int) = self.translated.sums.get(&terms) {
            return int;
        }
        let (mut low, mut high) = (0, 0);
        for &(factor, int) in &terms {
            let bounds = self.engine.integers().root_bounds(int);
            let ends = [factor * bounds.0, factor * bounds.1];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        let int = self.engine.new_dependent_integer(low, high);
        for sign in [1, -1] {
            let mut equal: Vec<(i64, Int)> = terms.iter().map(|&(f, i)| (sign * f, i)).collect();
            equal.push((-sign, int));
            self.engine.add_linear(None, &equal, 0);
        }
        self.translated.sums.insert(terms, int);
        int
    }

    /// An integer whose values are literals.
    fn of_column(&mut self, column: &Column) -> Int {
        let values: Vec<(i64, Option<Lit>)> =
            column.0.iter().map(|&(v, l)| (v, l.map(|l| self.lit(l)))).collect();
        let ends = values.first().zip(values.last()).map_or((0, 0), |(a, b)| (a.0, b.0));
        let int = self.engine.new_integer(ends.0, ends.1);
        match values[..] {
            [_, (high, Some(lit))] => self.engine.name_bound(int, high, lit),
            _ => self.channel(int, &values),
        }
        self.within(None, int, &values.iter().map(|e| (e.0, e.0)).collect::<Vec<_>>());
        int
    }

    /// Lets the literal of each value hold if and only if the bounds are this value.
    fn channel(&mut self, int: Int, values: &[(i64, Option<Lit>)]) {
        let mut above: Option<Lit> = None;
        for (i, &(_, value)) in values.iter().enumerate().rev() {
            // From this value on, and from the next one on.
            let next = above;
            above = match i {
                0 => None,
                _ => self.engine.bound_literal(int, values[i].0).ok(),
            };
            let Some(value) = value else { continue };
            let bounds: Vec<Lit> = above.into_iter().chain(next.map(|l| !l)).collect();
            for &bound in &bounds {
                self.engine.add_clause(&[!value, bound]);
            }
            let mut clause: Vec<Lit> = bounds.iter().map(|&l| !l).collect();
            clause.push(value);
            self.engine.add_clause(&clause);
        }
    }

    /// Allows an integer only values of ranges.
    fn within(&mut self, when: Option<Lit>, int: Int, ranges: &[(i64, i64)]) {
        let unless: Vec<Lit> = when.into_iter().map(|l| !l).collect();
        let gaps = ranges.windows(2).map(|w| (w[0].1 + 1, w[1].0)).filter(|g| g.0 < g.1);
        let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else {
            self.engine.add_clause(&unless);
            return;
        };
        let least = self.engine.bound_literal(int, first.0);
        let greatest = self.engine.bound_literal(int, last.1 + 1).map(|l| !l).map_err(|b| !b);
        for bound in [least, greatest] {
            self.clause(&unless, &[bound]);
        }
        for (from, to) in gaps {
            let below = self.engine.bound_literal(int, from).map(|l| !l).map_err(|b| !b);
            let above = self.engine.bound_literal(int, to);
            self.clause(&unless, &[below, above]);
        }
    }

    /// Adds a clause of literals and of bounds, which may be certain.
    fn clause(&mut self, literals: &[Lit], bounds: &[Result<Lit, bool>]) {
        if bounds.contains(&Err(true)) {
            return;
        }
        let clause: Vec<Lit> = literals.iter().copied().chain(bounds.iter().filter_map(|b| b.ok())).collect();
        self.engine.add_clause(&clause);
    }

    fn add(&mut self, kept: &Kept) {
        let when = kept.when.map(|l| self.lit(l));
        match &kept.constraint {
            KeptConstraint::AtMost(sum) => self.at_most(when, sum),
            KeptConstraint::Within(variable, ranges) => {
                let int = self.variable(*variable);
                self.within(when, int, ranges);
            }
            KeptConstraint::Equal(sum) => {
                let terms = merged(&self.terms(sum));
                let equation = Congruence { terms, sum: -sum.constant };
                self.engine.add_global(when, Global::Congruence(equation));
            }
            KeptConstraint::Distinct(sums) => {
                let views = sums.iter().map(|sum| self.view(sum)).collect();
                self.engine.add_global(when, Global::Distinct(Distinct(views)));
            }
            KeptConstraint::Disjoint(tasks) => {
                let task = |(start, length): &(Linear, i64)| Task {
                    start: self.view(start),
                    length: *length,
                    demand: 1,
                };
                let tasks = tasks.iter().map(task).collect();
                self.engine.add_global(when, Global::Disjunctive(Disjunctive(tasks)));
            }
            KeptConstraint::Cumulative(tasks, capacity) => {
                let task = |&(ref start, length, demand): &(Linear, i64, i64)| Task {
                    start: self.view(start),
                    length,
                    demand,
                };
                let tasks = tasks.iter().map(task).collect();
                self.engine.add_global(when, Global::Cumulative(Cumulative { tasks, capacity: *capacity }));
            }
            KeptConstraint::Either([first, second]) => {
                // It holds if and only if the first sum is at most 0.
                let holds = Lit::pos(self.engine.new_var());
                self.engine.freeze(holds.var());
                self.at_most(Some(holds), first);
                let Some(when) = when else { return self.at_most(Some(!holds), second) };
                let negated: Vec<(i64, Int)> =
                    self.terms(first).into_iter().map(|(f, int)| (-f, int)).collect();
                self.engine.add_linear(Some(!holds), &negated, first.constant - 1);
                let truth = self.atoms.truth;
                let otherwise = conjunction(self.engine, truth, &mut vec![when, !holds]);
                self.at_most(Some(otherwise), second);
            }
        }
    }

    fn terms(&mut self, sum: &Linear) -> Vec<(i64, Int)> {
        sum.terms.iter().map(|&(factor, quantity)| (factor, self.quantity(quantity))).collect()
    }

    /// Adds that a sum is at most 0.
    fn at_most(&mut self, when: Option<Lit>, sum: &Linear) {
        let terms = self.terms(sum);
        self.engine.add_linear(when, &terms, -sum.constant);
    }
}
