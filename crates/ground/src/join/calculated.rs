//! What equations say of values that are calculated from the columns of a scan: keys of an index.
//!
//! Invariant: the equations stay in the plan; a key only leaves out rows of which they do not hold.

use crate::domain::calculated::Calculated;
use asp_base::symbol::Symbols;
use asp_rewrite::linear::{Linear, difference};
use asp_rewrite::rule::{Atom, Term, Var};
use asp_rewrite::safety::is_bound;

/// So many rows are looked at rather than found by calculated values.
pub(super) const FEW: f64 = 16.0;

/// What a calculated value must be.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// The term's value.
    Term(Term),
    /// The sum.
    Sum(Linear),
}

/// An index on columns and calculated values.
#[derive(Clone, Debug)]
pub(crate) struct CalculatedKey {
    pub index: usize,
    /// By calculated value, what it must be. Where that is no integer, rows are looked at as without this index, so
    /// that the same is told of it.
    pub wanted: Vec<Wanted>,
}

/// What equations still to come say of values calculated from the columns of a scan alone, with what those must be.
/// What depends on no variable is left out: such a scan may run once only.
pub(super) fn values<'a>(
    a: &Atom,
    equations: impl Iterator<Item = (&'a Term, &'a Term)>,
    bound: &[bool],
    symbols: &Symbols,
) -> Vec<(Calculated, Wanted)> {
    let column = |v: Var| {
        let place = || a.args.iter().position(|t| *t == Term::Var(v)).map(|c| c as u32);
        if bound[v.0 as usize] { None } else { place() }
    };
    let varies = |t: &Term| {
        let mut varies = false;
        t.for_each_var(&mut |_| varies = true);
        varies
    };
    let of = |(s, t): (&Term, &Term)| {
        if let Some(mut sum) = difference(s, t, symbols) {
            let own = Calculated::of_sum(&sum, &column)?;
            sum.terms.retain(|&(_, v)| column(v).is_none());
            let is_known = !sum.terms.is_empty() && sum.terms.iter().all(|(_, v)| bound[v.0 as usize]);
            for (c, _) in &mut sum.terms {
                *c = c.checked_neg()?;
            }
            sum.constant = sum.constant.checked_neg()?;
            return is_known.then_some((own, Wanted::Sum(sum)));
        }
        let (own, other) = if is_bound(t, bound) { (s, t) } else { (t, s) };
        let is_known = is_bound(other, bound) && varies(other) && !matches!(own, Term::Var(_));
        let own = is_known.then(|| Calculated::of_term(own, &column, symbols))??;
        Some((own, Wanted::Term(other.clone())))
    };
    equations.filter_map(of).collect()
}
