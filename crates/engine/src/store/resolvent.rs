//! Arithmetic of cutting planes: a linear inequality `sum of c_i * l_i >= degree` to which others are added.
//!
//! Invariant: coefficients are at most the degree, and both are at most [`LIMIT`] between operations; each operation yields
//! an inequality that follows from its operands. Source: Elffers and Nordström, *Divide and conquer: towards faster
//! pseudo-Boolean solving*, IJCAI 2018 (division instead of saturation; weakening of literals that are not false).

use crate::store::literal::{Lit, Var};
use asp_base::index_vec::IndexVec;

/// The greatest coefficient, and degree.
pub(crate) const LIMIT: i64 = 1 << 31;
/// Coefficients and degrees beyond the limit are divided down to this.
const REDUCED: i128 = 1 << 20;

/// An inequality by variable.
#[derive(Debug, Default)]
pub(crate) struct Resolvent {
    /// Negative for the negative literal.
    coefficients: IndexVec<Var, i64>,
    /// Variables that may have a coefficient, each once.
    vars: Vec<Var>,
    is_listed: IndexVec<Var, bool>,
    degree: i128,
}

/// Divides, and rounds up. Pre: both are positive.
fn ceil(a: i128, b: i128) -> i128 {
    (a + b - 1) / b
}

/// Divides an inequality by the coefficient of a literal, after literals that are not false have lost what is not divisible.
/// The coefficient is 1 then. Post: if the inequality implied the literal, it still does. `None`: it is too large.
pub(crate) fn round_to(
    pivot: Lit,
    terms: &mut Vec<(Lit, i64)>,
    degree: i128,
    is_false: impl Fn(Lit) -> bool,
) -> Option<i128> {
    let divisor = terms.iter().find(|t| t.0 == pivot)?.1;
    let mut rest = degree;
    if divisor > 1 {
        for t in terms.iter_mut() {
            if !is_false(t.0) {
                rest -= i128::from(t.1 % divisor);
                t.1 -= t.1 % divisor;
            }
            t.1 = t.1 / divisor + i64::from(t.1 % divisor != 0);
        }
        terms.retain(|t| t.1 > 0);
        rest = if rest > 0 { ceil(rest, divisor.into()) } else { rest };
    }
    if rest <= 0 || rest > i128::from(LIMIT) {
        return None;
    }
    terms.iter_mut().for_each(|t| t.1 = t.1.min(rest as i64));
    Some(rest)
}

impl Resolvent {
    /// Empties the inequality, in a problem of `vars` variables.
    pub(crate) fn clear(&mut self, vars: usize) {
        for var in self.vars.drain(..) {
            self.coefficients[var] = 0;
            self.is_listed[var] = false;
        }
        while self.coefficients.len() < vars {
            self.coefficients.push(0);
            self.is_listed.push(false);
        }
        self.degree = 0;
    }
    pub(crate) fn degree(&self) -> i128 {
        self.degree
    }
    /// The coefficient of a literal.
    #[inline]
    pub(crate) fn coefficient(&self, lit: Lit) -> i64 {
        let c = self.coefficients[lit.var()];
        if lit.is_neg() { (-c).max(0) } else { c.max(0) }
    }
    /// How many variables there may be.
    pub(crate) fn len(&self) -> usize {
        self.vars.len()
    }
    /// The literals and their coefficients.
    #[inline]
    pub(crate) fn terms(&self) -> impl Iterator<Item = (Lit, i64)> + '_ {
        let terms = self.vars.iter().map(|&var| (var, self.coefficients[var]));
        terms.filter(|t| t.1 != 0).map(|(var, c)| (Lit::new(var, c < 0), c.abs()))
    }
    /// Adds a multiple of an inequality. Pre: coefficients, degree and factor are at most the limit.
    pub(crate) fn add(&mut self, terms: &[(Lit, i64)], degree: i128, factor: i64) {
        self.degree += degree * i128::from(factor);
        for &(lit, weight) in terms {
            let var = lit.var();
            if !std::mem::replace(&mut self.is_listed[var], true) {
                self.vars.push(var);
            }
            let now = &mut self.coefficients[var];
            let more = weight * factor;
            let more = if lit.is_neg() { -more } else { more };
            if (*now < 0) != (more < 0) {
                self.degree -= i128::from(now.abs().min(more.abs()));
            }
            *now += more;
        }
    }
    /// Lowers coefficients to the degree.
    pub(crate) fn saturate(&mut self) {
        let Ok(most) = i64::try_from(self.degree.max(0)) else { return };
        for &var in &self.vars {
            let c = &mut self.coefficients[var];
            *c = (*c).clamp(-most, most);
        }
    }
    /// Lowers everything to the limit, by division after weakening. Post: if the inequality was violated, it still is.
    pub(crate) fn bound(&mut self, is_false: impl Fn(Lit) -> bool) {
        self.saturate();
        let greatest = self.degree.max(self.greatest().into());
        if greatest > i128::from(LIMIT) {
            self.divide(ceil(greatest, REDUCED), is_false);
        }
    }
    /// The greatest coefficient.
    pub(crate) fn greatest(&self) -> i64 {
        self.vars.iter().map(|&var| self.coefficients[var].abs()).max().unwrap_or(0)
    }
    /// Divides, after literals that are not false have lost what is not divisible.
    fn divide(&mut self, divisor: i128, is_false: impl Fn(Lit) -> bool) {
        for &var in &self.vars {
            let c = self.coefficients[var];
            let (lit, mut size) = (Lit::new(var, c < 0), i128::from(c.abs()));
            if size > 0 && !is_false(lit) {
                self.degree -= size % divisor;
                size -= size % divisor;
            }
            let size = ceil(size, divisor) as i64;
            self.coefficients[var] = if c < 0 { -size } else { size };
        }
        self.degree = if self.degree > 0 { ceil(self.degree, divisor) } else { 0 };
        self.saturate();
    }
    /// Divides by the greatest common divisor of the coefficients.
    pub(crate) fn simplify(&mut self) {
        self.saturate();
        let mut divisor = 0i64;
        for &var in &self.vars {
            let (mut a, mut b) = (divisor, self.coefficients[var].abs());
            while b != 0 {
                (a, b) = (b, a % b);
            }
            divisor = a;
            if divisor == 1 {
                return;
            }
        }
        if divisor > 1 {
            self.divide(divisor.into(), |_| true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_base::rng::Rng;

    const VARS: u32 = 6;

    fn holds(terms: &[(Lit, i64)], degree: i128, model: u32) -> bool {
        let is_true = |l: Lit| (model >> l.var().0 & 1 == 1) != l.is_neg();
        terms.iter().filter(|t| is_true(t.0)).map(|t| i128::from(t.1)).sum::<i128>() >= degree
    }

    fn random(rng: &mut Rng, scale: u64) -> (Vec<(Lit, i64)>, i128) {
        let vars = (0..VARS).filter(|_| rng.chance(0.6)).collect::<Vec<_>>();
        let terms: Vec<(Lit, i64)> =
            vars.iter().map(|&v| (Lit::new(Var(v), rng.chance(0.5)), 1 + rng.below(scale) as i64)).collect();
        let total: i64 = terms.iter().map(|t| t.1).sum();
        (terms, i128::from(1 + rng.below(total.max(1) as u64) as i64))
    }

    /// What addition, division and weakening yield holds wherever their operands do.
    #[test]
    fn what_is_derived_follows() {
        let mut rng = Rng::new(1);
        let mut derived = 0;
        for round in 0..4000 {
            let scale = [3, 20, 1 << 29][round % 3];
            let (a, da) = random(&mut rng, scale);
            let (mut b, db) = random(&mut rng, scale);
            let falsified = rng.below(1 << (2 * VARS));
            let is_false = |l: Lit| falsified >> l.code() & 1 == 1;
            let mut resolvent = Resolvent::default();
            resolvent.clear(VARS as usize);
            resolvent.add(&a, da, 1);
            resolvent.bound(is_false);
            let original = b.clone();
            let Some(&(pivot, _)) = b.first() else { continue };
            let Some(degree) = round_to(pivot, &mut b, db, is_false) else { continue };
            resolvent.add(&b, degree, 1 + rng.below(scale) as i64);
            resolvent.bound(is_false);
            resolvent.simplify();
            assert!(resolvent.degree() <= LIMIT.into() && resolvent.greatest() <= LIMIT);
            let terms: Vec<_> = resolvent.terms().collect();
            for model in 0..1 << VARS {
                assert!(!holds(&original, db, model) || holds(&b, degree, model));
                let both = holds(&a, da, model) && holds(&original, db, model);
                assert!(!both || holds(&terms, resolvent.degree(), model));
            }
            derived += 1;
        }
        assert!(derived > 2000);
    }
}
