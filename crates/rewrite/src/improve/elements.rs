//! Elements of sums over functional atoms: tuples and conditions.
//!
//! A product of values of several atoms has one element for each combination of their values: as each key has one true atom,
//! exactly one combination holds, and its weight is the product.

use super::equations::{MAX_SUM, MAX_VALUES, Source};
use crate::rule::{Aggregate, AggregateElement, Literal, Term, Var, VarInfo, literal_vars};
use asp_base::span::Span;
use asp_syntax::ast::{AggregateFunction, BinaryOp, Relation, Sign};

/// A coefficient, the position of a source, and a variable.
pub(super) type Placed = (i64, usize, Var);

/// A multiple of a product of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Product {
    coefficient: i64,
    /// Positions of sources and variables, two or more.
    factors: Vec<(usize, Var)>,
}

impl Product {
    /// A product of free variables. `None` if values are no integers, too large, or too many.
    pub(super) fn new(
        coefficient: i64,
        vars: &[Var],
        sources: &[Source],
        homes: &[Option<usize>],
    ) -> Option<Self> {
        let mut greatest = i128::from(coefficient).abs();
        let mut factors = Vec::with_capacity(vars.len());
        for &v in vars {
            let home = homes[v.0 as usize]?;
            let place = sources.iter().position(|s| s.literal == home)?;
            greatest = greatest.checked_mul(sources[place].greatest(v)?)?;
            factors.push((place, v));
        }
        let product = Self { coefficient, factors };
        (greatest <= MAX_SUM && product.size(sources) <= MAX_VALUES).then_some(product)
    }

    /// The sources that it is made of.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = self.factors.iter().map(|f| f.0).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// How many elements it has.
    pub(super) fn size(&self, sources: &[Source]) -> f64 {
        self.places()
            .into_iter()
            .map(|place| sources[place].function.rows / sources[place].function.keys.max(1.0))
            .product()
    }

    /// The weight, with other variables in place of the free ones.
    pub(super) fn weight(&self, to: &[(Var, Var)], coefficient: Term, span: Span) -> Term {
        let times = |a: Term, b: Term| Term::Binary(BinaryOp::Mul, Box::new(a), Box::new(b), span);
        self.factors.iter().map(|f| Term::Var(renamed(f.1, to))).fold(coefficient, times)
    }

    pub(super) fn coefficient(&self) -> i64 {
        self.coefficient
    }
}

pub(super) fn renamed(v: Var, to: &[(Var, Var)]) -> Var {
    to.iter().find(|x| x.0 == v).map_or(v, |x| x.1)
}

pub(super) fn rename(l: &Literal, to: &[(Var, Var)]) -> Literal {
    l.map_plain(&mut |v| renamed(v, to)).unwrap_or_else(|| l.clone())
}

/// A sum of multiples of variables.
pub(super) fn weight(terms: &[Placed], to: &[(Var, Var)], span: Span) -> Term {
    let multiple = |&(coefficient, _, v): &Placed| match coefficient {
        1 => Term::Var(renamed(v, to)),
        _ => Term::Linear { coefficient, var: renamed(v, to), offset: 0, span },
    };
    let plus = |a: Term, b: Term| Term::Binary(BinaryOp::Add, Box::new(a), Box::new(b), span);
    terms.iter().map(multiple).reduce(plus).unwrap_or(Term::Tuple(Vec::new()))
}

pub(super) fn aggregate(
    function: AggregateFunction,
    guards: Vec<(Relation, Term)>,
    elements: Vec<(Vec<Term>, Vec<Literal>)>,
    span: Span,
    vars: &[VarInfo],
) -> Literal {
    let mut globals: Vec<Var> = Vec::new();
    for l in elements.iter().flat_map(|e| &e.1) {
        literal_vars(l, &mut |v| {
            if !vars[v.0 as usize].local && !globals.contains(&v) {
                globals.push(v);
            }
        });
    }
    globals.sort_unstable();
    let element = |(tuple, condition)| AggregateElement { tuple, condition, span };
    let elements = elements.into_iter().map(element).collect();
    Literal::Aggregate(Box::new(Aggregate {
        sign: Sign::None,
        function,
        set: false,
        guards,
        elements,
        globals,
        span,
    }))
}
