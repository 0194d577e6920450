//! Comparisons in linear form: a sum of multiples of free variables against a term without them.
//!
//! Invariant: if all free variables are integers, the comparison and its form have the same truth value for all values of the
//! other variables, also where a term has no value: what moves to the other side is below arithmetic on either side.

use crate::rule::{Head, Literal, Rule, Term, Var, literal_vars};
use asp_base::span::Span;
use asp_base::symbol::{Sym, Symbols};
use asp_syntax::ast::{BinaryOp, Relation, UnaryOp};

/// The values of those terms that are integers.
pub(crate) type Numbers<'a> = &'a dyn Fn(Sym) -> Option<i64>;

/// `terms relation guard`
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// Coefficients, not 0, and free variables, each once.
    pub terms: Vec<(i64, Var)>,
    /// Coefficients, not 0, and two or more free variables in order, each product once.
    pub products: Vec<(i64, Vec<Var>)>,
    /// From the sum to the guard.
    pub relation: Relation,
    /// The other side.
    pub guard: Guard,
}

/// A term without free variables.
#[derive(Clone, Debug)]
pub(crate) enum Guard {
    /// A term as it was written.
    Exact(Term),
    /// A number and multiples of terms.
    Sum(i64, Vec<(i64, Term)>),
}

impl Guard {
    /// Calls `f` for each variable.
    pub(crate) fn for_each_var(&self, f: &mut impl FnMut(Var)) {
        match self {
            Guard::Exact(t) => t.for_each_var(f),
            Guard::Sum(_, terms) => terms.iter().for_each(|(_, t)| t.for_each_var(f)),
        }
    }

    /// Whether it is the number 0.
    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Guard::Sum(0, rest) if rest.is_empty())
    }

    /// The guard as a term.
    pub(crate) fn term(&self, span: Span, symbols: &mut Symbols) -> Term {
        let (constant, terms) = match self {
            Guard::Exact(t) => return t.clone(),
            Guard::Sum(constant, terms) => (*constant, &terms[..]),
        };
        if let [(coefficient @ (1.. | ..=-1), Term::Var(var))] = terms {
            return Term::Linear { coefficient: *coefficient, var: *var, offset: constant, span };
        }
        terms.iter().fold(Term::Sym(symbols.num(constant)), |sum, (coefficient, t)| {
            let factor = Box::new(Term::Sym(symbols.num(*coefficient)));
            let product = Term::Binary(BinaryOp::Mul, factor, Box::new(t.clone()), span);
            Term::Binary(BinaryOp::Add, Box::new(sum), Box::new(product), span)
        })
    }
}

/// The form of a comparison that is linear in its free variables.
pub(crate) fn form(
    relation: Relation,
    left: &Term,
    right: &Term,
    is_free: &dyn Fn(Var) -> bool,
    number: Numbers<'_>,
) -> Option<Form> {
    polynomial(relation, left, right, is_free, number).filter(|form| form.products.is_empty())
}

/// The form of a comparison of sums of products.
pub(crate) fn polynomial(
    relation: Relation,
    left: &Term,
    right: &Term,
    is_free: &dyn Fn(Var) -> bool,
    number: Numbers<'_>,
) -> Option<Form> {
    let mixed = |t: &Term| {
        let mut found = false;
        t.for_each_var(&mut |v| found |= is_free(v));
        found
    };
    let (relation, left, right) = match (mixed(left), mixed(right)) {
        (true, _) => (relation, left, right),
        _ => (relation.flip(), right, left),
    };
    let mut sum = Collected::default();
    sum.add(left, 1, (is_free, number), 0)?;
    let is_number = |t: &Term| matches!(t, Term::Sym(s) if number(*s).is_some());
    let guard = if mixed(right) || is_number(right) || is_arithmetic(right) {
        sum.add(right, -1, (is_free, number), 0)?;
        let rest: Option<Vec<_>> = sum.rest.into_iter().map(|(c, t)| Some((c.checked_neg()?, t))).collect();
        Guard::Sum(sum.constant.checked_neg()?, rest?)
    } else if sum.constant == 0 && sum.rest.is_empty() {
        Guard::Exact(right.clone())
    } else {
        return None;
    };
    let zero = sum.terms.iter().any(|t| t.0 == 0) || sum.products.iter().any(|p| p.0 == 0);
    (!zero).then_some(Form { terms: sum.terms, products: sum.products, relation, guard })
}

/// The form with all signs turned, if its guard is arithmetic.
pub(crate) fn negated_form(form: Form) -> Option<Form> {
    let Guard::Sum(constant, rest) = form.guard else { return Some(form) };
    let terms: Option<Vec<_>> = form.terms.iter().map(|&(c, v)| Some((c.checked_neg()?, v))).collect();
    let products: Option<Vec<_>> =
        form.products.into_iter().map(|(c, p)| Some((c.checked_neg()?, p))).collect();
    let rest: Option<Vec<_>> = rest.into_iter().map(|(c, t)| Some((c.checked_neg()?, t))).collect();
    let guard = Guard::Sum(constant.checked_neg()?, rest?);
    Some(Form { terms: terms?, products: products?, relation: form.relation.flip(), guard })
}

/// Whether a term has no value but integers.
fn is_arithmetic(t: &Term) -> bool {
    match t {
        Term::Binary(..) | Term::Absolute(..) | Term::Linear { .. } => true,
        Term::Unary(op, ..) => *op == UnaryOp::Complement,
        _ => false,
    }
}

/// Products that are nested deeper are left alone.
const MAX_FACTORS: u32 = 4;
/// The greatest number of products of a sum.
const MAX_PRODUCTS: usize = 64;

/// A sum in the making.
#[derive(Default)]
struct Collected {
    terms: Vec<(i64, Var)>,
    products: Vec<(i64, Vec<Var>)>,
    constant: i64,
    rest: Vec<(i64, Term)>,
}

impl Collected {
    fn add(
        &mut self,
        t: &Term,
        factor: i64,
        (is_free, number): (&dyn Fn(Var) -> bool, Numbers<'_>),
        depth: u32,
    ) -> Option<()> {
        let mut open = vec![(t, factor)];
        while let Some((t, factor)) = open.pop() {
            let mut free = false;
            t.for_each_var(&mut |v| free |= is_free(v));
            match t {
                Term::Sym(s) => self.shift(number(*s)?.checked_mul(factor)?)?,
                Term::Fun(..) | Term::Tuple(_) => return None,
                t if !free => self.rest.push((factor, t.clone())),
                Term::Var(v) => self.multiple(factor, *v)?,
                Term::Negated(v, _) => self.multiple(factor.checked_neg()?, *v)?,
                Term::Linear { coefficient, var, offset, .. } => {
                    self.shift(offset.checked_mul(factor)?)?;
                    self.multiple(coefficient.checked_mul(factor)?, *var)?;
                }
                Term::Unary(UnaryOp::Minus, a, _) => open.push((a, factor.checked_neg()?)),
                Term::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b, _) => {
                    open.push((b, if *op == BinaryOp::Sub { factor.checked_neg()? } else { factor }));
                    open.push((a, factor));
                }
                Term::Binary(BinaryOp::Mul, a, b, _) => match (&**a, &**b) {
                    (Term::Sym(s), t) | (t, Term::Sym(s)) => {
                        open.push((t, factor.checked_mul(number(*s)?)?));
                    }
                    (a, b) if depth < MAX_FACTORS => {
                        let mut factors = [Self::default(), Self::default()];
                        factors[0].add(a, 1, (is_free, number), depth + 1)?;
                        factors[1].add(b, 1, (is_free, number), depth + 1)?;
                        self.product(factor, &factors)?;
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(())
    }

    fn shift(&mut self, n: i64) -> Option<()> {
        self.constant = self.constant.checked_add(n)?;
        Some(())
    }

    /// The parts of a sum of numbers and free variables; `None` if it has others.
    fn parts(&self) -> Option<Vec<(i64, Vec<Var>)>> {
        let constant = Some((self.constant, Vec::new())).filter(|c| c.0 != 0);
        let terms = self.terms.iter().map(|&(c, v)| (c, vec![v]));
        let all = constant.into_iter().chain(terms).chain(self.products.iter().cloned());
        self.rest.is_empty().then(|| all.collect())
    }

    /// Adds a multiple of the product of two sums.
    fn product(&mut self, factor: i64, [a, b]: &[Self; 2]) -> Option<()> {
        let others = b.parts()?;
        for (c, vars) in a.parts()? {
            for (d, more) in &others {
                let coefficient = c.checked_mul(*d)?.checked_mul(factor)?;
                let mut vars = [&vars[..], more].concat();
                vars.sort_unstable();
                match vars[..] {
                    [] => self.shift(coefficient)?,
                    [v] => self.multiple(coefficient, v)?,
                    _ => match self.products.iter().position(|p| p.1 == vars) {
                        Some(at) => self.products[at].0 = self.products[at].0.checked_add(coefficient)?,
                        None if self.products.len() == MAX_PRODUCTS => return None,
                        None => self.products.push((coefficient, vars)),
                    },
                }
            }
        }
        Some(())
    }

    fn multiple(&mut self, coefficient: i64, v: Var) -> Option<()> {
        match self.terms.iter_mut().find(|t| t.1 == v) {
            Some(t) => t.0 = t.0.checked_add(coefficient)?,
            None => self.terms.push((coefficient, v)),
        }
        Some(())
    }
}

/// The body and the weight, after substituting variables used only in comparisons and the weight, one of which is `Z = t`.
pub(crate) fn inline(rule: &Rule, kept: &dyn Fn(Var) -> bool) -> (Vec<Literal>, Option<Term>) {
    let mut body = rule.body.clone();
    let mut weight = match &rule.head {
        Head::Minimize { weight, .. } => Some(weight.clone()),
        _ => None,
    };
    let mut elsewhere = vec![false; rule.vars.len()];
    for l in body.iter().filter(|l| !matches!(l, Literal::Compare(..))) {
        literal_vars(l, &mut |v| elsewhere[v.0 as usize] = true);
    }
    for z in (0..rule.vars.len() as u32).map(Var).filter(|&z| !elsewhere[z.0 as usize] && !kept(z)) {
        let found = body.iter().enumerate().find_map(|(i, l)| match l {
            Literal::Compare(Relation::Equal, s, t, _) => [(s, t), (t, s)]
                .into_iter()
                .find(|(s, t)| **s == Term::Var(z) && is_arithmetic(t) && !t.has(z))
                .map(|(_, t)| (i, t.clone())),
            _ => None,
        });
        let Some((i, t)) = found else { continue };
        let others = || body.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, l)| l);
        let in_weight = weight.as_ref().is_some_and(|w| w.has(z));
        // Where nothing else uses it, the equation still says that the term has a value.
        if !in_weight && !others().any(|l| literal_has(l, z)) {
            continue;
        }
        let replaced: Option<Vec<Literal>> = others().map(|l| replace(l, z, &t)).collect();
        let weighted = weight.as_ref().map(|w| replace_term(w, z, &t, 0));
        if let (Some(replaced), None | Some(Some(_))) = (replaced, &weighted) {
            (body, weight) = (replaced, weighted.flatten());
        }
    }
    (body, weight)
}

fn literal_has(l: &Literal, v: Var) -> bool {
    let mut found = false;
    literal_vars(l, &mut |w| found |= w == v);
    found
}

/// A literal with a term in place of a variable; `None` where the variable stands in a linear term.
fn replace(l: &Literal, z: Var, by: &Term) -> Option<Literal> {
    Some(match l {
        Literal::Compare(r, s, t, span) => {
            Literal::Compare(*r, replace_term(s, z, by, 0)?, replace_term(t, z, by, 0)?, *span)
        }
        other => other.clone(),
    })
}

/// Terms that are nested deeper are left alone.
const MAX_DEPTH: u32 = 200;

fn replace_term(t: &Term, z: Var, by: &Term, depth: u32) -> Option<Term> {
    if !t.has(z) {
        return Some(t.clone());
    }
    let again = |t: &Term| replace_term(t, z, by, depth + 1);
    Some(match t {
        _ if depth > MAX_DEPTH => return None,
        Term::Var(_) => by.clone(),
        Term::Unary(op, a, span) => Term::Unary(*op, Box::new(again(a)?), *span),
        Term::Absolute(a, span) => Term::Absolute(Box::new(again(a)?), *span),
        Term::Binary(op, a, b, span) => Term::Binary(*op, Box::new(again(a)?), Box::new(again(b)?), *span),
        Term::Linear { coefficient, offset, span, .. } => {
            let number = |n: i64| Some(Box::new(Term::Sym(Sym::small(n)?)));
            let product = Term::Binary(BinaryOp::Mul, number(*coefficient)?, Box::new(by.clone()), *span);
            Term::Binary(BinaryOp::Add, Box::new(product), number(*offset)?, *span)
        }
        _ => return None,
    })
}
