//! Index keys from equations over values calculated from the columns of a scan.
//!
//! Invariant: the equations stay in the plan; a key only skips rows that violate them.

use crate::domain::calculated::Calculated;
use asp_base::symbol::Symbols;
use asp_rewrite::linear::difference;
use asp_rewrite::rule::{Atom, Term, Var};
use asp_rewrite::safety::is_bound;

/// Up to this many rows are scanned rather than found by calculated values.
pub(super) const FEW: f64 = 16.0;

/// An index on columns and calculated values.
#[derive(Clone, Debug)]
pub(crate) struct CalculatedKey {
    pub index: usize,
    /// By calculated value of a row, its required value, from variables. If that is not an integer, rows are visited without
    /// this index, so that the same messages are given.
    pub wanted: Vec<Calculated>,
}

/// The values calculated from the columns of a scan alone that later equations determine, with their required values. Those that
/// depend on no variable are left out: such a scan may run once only.
pub(super) fn values<'a>(
    a: &Atom,
    equations: impl Iterator<Item = (&'a Term, &'a Term)>,
    bound: &[bool],
    symbols: &Symbols,
) -> Vec<(Calculated, Calculated)> {
    let column = |v: Var| {
        let place = || a.args.iter().position(|t| *t == Term::Var(v)).map(|c| c as u32);
        if bound[v.0 as usize] { None } else { place() }
    };
    let varies = |t: &Term| {
        let mut varies = false;
        t.for_each_var(&mut |_| varies = true);
        varies
    };
    let variable = |v: Var| bound[v.0 as usize].then_some(v.0);
    let of = |(s, t): (&Term, &Term)| {
        if let Some(sum) = difference(s, t, symbols) {
            let own = |&(c, v): &(i64, Var)| Some((c, column(v)?));
            let known = |&(c, v): &(i64, Var)| Some((c.checked_neg()?, variable(v)?));
            let (rows, rest): (Vec<_>, Vec<_>) = sum.terms.iter().partition(|term| own(term).is_some());
            let rest: Vec<(i64, u32)> = rest.iter().map(known).collect::<Option<_>>()?;
            let wanted = Calculated::of_sum(rest.into_iter())?;
            let wanted = wanted.plus(Calculated::Constant(sum.constant.checked_neg()?));
            return Some((Calculated::of_sum(rows.iter().filter_map(own))?, wanted));
        }
        let (own, other) = if is_bound(t, bound) { (s, t) } else { (t, s) };
        if !varies(other) || matches!(own, Term::Var(_)) {
            return None;
        }
        let wanted = Calculated::of_term(other, &variable, symbols)?;
        Some((Calculated::of_term(own, &column, symbols)?, wanted))
    };
    equations.filter_map(of).collect()
}
