//! Scans: the rows of a domain that a step ranges over, by its source, key and bounds.
//!
//! Invariant: narrowing a range never loses a match; the plan's comparisons decide what an index cannot.

use super::calculated::CalculatedKey;
use super::machine::Machine;
use super::plan::{Bound, BoundValue, Linear, Scan, Source};
use asp_base::nearest::nearest;
use asp_base::span::Span;
use asp_base::symbol::{Sym, SymView};
use asp_program::Literal;
use asp_rewrite::rule::Term;

/// Added to positions of rows found by calculated values; no row or place in an index comes near it. The lower 32 bits are the
/// position.
const CALCULATED: i64 = 1 << 40;

impl Machine<'_> {
    /// The integers of an interval within bounds, as positions; none if an end is not an integer.
    pub(crate) fn positions(&mut self, lo: &Term, hi: &Term, bounds: &[Bound], span: Span) -> (i64, i64) {
        let Some((lo, hi)) = self.ends(lo, hi, span).filter(|(lo, hi)| lo <= hi) else { return (0, 0) };
        let (mut first, mut last, zero) = (lo, hi, self.state.symbols.num(0));
        for Bound { upper, inclusive, value } in bounds {
            let (end, inclusive) = match value {
                BoundValue::Term(t) => match self.eval(t) {
                    Some(end) => (end, *inclusive),
                    None => continue,
                },
                BoundValue::Quotient(l, divisor) => match self.quotient(l, *divisor, *upper, *inclusive) {
                    Some(end) => end,
                    None => continue,
                },
            };
            let symbols = &*self.state.symbols;
            match (symbols.as_num(end), *upper) {
                (Some(n), true) => last = last.min(if inclusive { n } else { n.saturating_sub(1) }),
                (Some(n), false) => first = first.max(if inclusive { n } else { n.saturating_add(1) }),
                // Integers are all below or all above any other term.
                (None, upper) if symbols.cmp(zero, end).is_lt() == upper => {}
                (None, _) => return (0, 0),
            }
        }
        // The last of 2^63 values cannot be reached anyway.
        let place = |n: i64| n.checked_sub(lo);
        if first > last {
            (0, 0)
        } else {
            (place(first).unwrap_or(0), place(last).map_or(i64::MAX, |p| p.saturating_add(1)))
        }
    }

    /// The bound of a quotient on integers, and whether it is inclusive: a non-integer is rounded inwards and is. `None` if a
    /// term is not an integer: then the order of terms decides, value by value.
    fn quotient(&mut self, l: &Linear, divisor: i64, upper: bool, inclusive: bool) -> Option<(Sym, bool)> {
        let sum = self.sum(l)?;
        let d = i128::from(divisor);
        let (floor, exact) = (sum.div_euclid(d), sum.rem_euclid(d) == 0);
        let end = if exact || upper { floor } else { floor + 1 };
        let near = end.clamp(i64::MIN.into(), i64::MAX.into());
        // An end beyond all integers bounds none, or excludes them all.
        let inclusive = if near == end { inclusive || !exact } else { (near < end) == upper };
        Some((self.state.symbols.num(near as i64), inclusive))
    }

    /// The ends of an interval; reports one that is not an integer.
    pub(crate) fn ends(&mut self, from: &Term, to: &Term, span: Span) -> Option<(i64, i64)> {
        let (lo, hi) = (self.eval(from), self.eval(to));
        let (lo, hi) = lo.zip(hi)?;
        let symbols = &*self.state.symbols;
        let ends = symbols.as_num(lo).zip(symbols.as_num(hi));
        if ends.is_none() {
            let (term, end) = if symbols.as_num(lo).is_none() { (from, lo) } else { (to, hi) };
            let (caption, help) = match (term, symbols.view(end)) {
                (Term::Sym(_), SymView::Fun { name, args: [], negative: false }) => {
                    let name = symbols.str(name);
                    let known = self.state.messages.constants.keys().map(|&c| symbols.str(c));
                    let help = match nearest(name, known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("give it a value: `#const {name} = 3.` or `-c {name}=3`"),
                    };
                    (format!("`{name}` is not an integer"), help)
                }
                _ => ("an end is not an integer".into(), "instances that need its values are dropped".into()),
            };
            self.state.messages.report(span, |d| d.caption(caption).help(help), "interval undefined");
        }
        ends
    }

    /// The value of a term, if it is an integer.
    pub(crate) fn integer(&mut self, t: &Term) -> Option<i64> {
        self.eval(t).and_then(|s| self.state.symbols.as_num(s))
    }

    /// The rows of a scan: row numbers, or positions in its index, or, from [`CALCULATED`] on, in the index with calculated
    /// values.
    pub(super) fn open_scan(&mut self, scan: &Scan) -> (i64, i64) {
        let start = self.scratch.len();
        for t in scan.index.iter().flat_map(|(_, key)| key) {
            match self.eval(t) {
                Some(v) => self.scratch.push(v),
                None => {
                    self.scratch.truncate(start);
                    return (0, 0);
                }
            }
        }
        let rows = match (&scan.calculated, &scan.index) {
            (Some(key), _) if self.push_wanted(scan, key) => {
                let (at, end) = self.find_rows(scan, key.index, start);
                (at + CALCULATED, end + CALCULATED)
            }
            (_, Some((index, _))) => self.find_rows(scan, *index, start),
            (_, None) => {
                let (first, end) = self.source(scan);
                (first.into(), end.into())
            }
        };
        self.scratch.truncate(start);
        rows
    }

    /// The rows that a scan ranges over.
    fn source(&self, scan: &Scan) -> (u32, u32) {
        let domain = &self.state.domains[scan.pred];
        match scan.source {
            Source::All => (0, domain.delta_end),
            Source::Old => (0, domain.old_end),
            Source::Delta => (domain.old_end, domain.delta_end),
        }
    }

    /// Adds what calculated values must be to the key, if these are integers.
    fn push_wanted(&mut self, scan: &Scan, key: &CalculatedKey) -> bool {
        let start = self.scratch.len();
        if !self.state.domains[scan.pred].indexes[key.index].is_total() {
            return false;
        }
        for wanted in &key.wanted {
            let value = wanted.value(&|variable| self.regs[variable as usize], self.state.symbols);
            let Some(value) = value else {
                self.scratch.truncate(start);
                return false;
            };
            // The rows have small ones.
            self.scratch.push(Sym::small(value).unwrap_or(Sym::SUP));
        }
        true
    }

    /// The positions of the rows in an index whose key is on `scratch` from `start` on.
    fn find_rows(&mut self, scan: &Scan, number: usize, start: usize) -> (i64, i64) {
        let (first, end) = self.source(scan);
        let domain = &self.state.domains[scan.pred];
        let index = &domain.indexes[number];
        let Some(group) = index.find(domain.table(), &self.scratch[start..]) else { return (0, 0) };
        let (a, b) = index.run(group);
        match scan.order {
            None if first == 0 && end == domain.len() => (a.into(), b.into()),
            None => {
                let rows = index.rows(group);
                let x = rows.partition_point(|&r| r < first) as u32;
                let y = rows.partition_point(|&r| r < end) as u32;
                ((a + x).into(), (a + y).into())
            }
            Some(column) => self.narrow(scan, (number, column as usize), a, b),
        }
    }

    /// The part of a sorted run between the scan's bounds.
    fn narrow(&mut self, scan: &Scan, order: (usize, usize), a: u32, b: u32) -> (i64, i64) {
        let (mut low, mut high) = (0, (b - a) as usize);
        for Bound { upper, inclusive, value } in &scan.bounds {
            let (end, inclusive) = match value {
                BoundValue::Term(t) => match self.eval(t) {
                    Some(v) => (v, *inclusive),
                    None => return (0, 0),
                },
                BoundValue::Quotient(l, divisor) => match self.quotient(l, *divisor, *upper, *inclusive) {
                    Some(end) => end,
                    None => continue,
                },
            };
            let (l, h) = self.cut(scan, order, (a, b), end, *upper, inclusive);
            (low, high) = (low.max(l), high.min(h));
        }
        if low >= high { (0, 0) } else { (i64::from(a) + low as i64, i64::from(a) + high as i64) }
    }

    /// The part of a sorted run below or above an end, as offsets.
    fn cut(
        &self,
        scan: &Scan,
        (index, column): (usize, usize),
        (a, b): (u32, u32),
        end: Sym,
        upper: bool,
        inclusive: bool,
    ) -> (usize, usize) {
        let domain = &self.state.domains[scan.pred];
        let index = &domain.indexes[index];
        let table = domain.table();
        let n = (b - a) as usize;
        // The first position whose value is not below (with `past`: is above) the end.
        let place = |past: bool| {
            let (mut lo, mut hi) = (0, n);
            while lo < hi {
                let mid = (lo + hi) / 2;
                let o = self.state.symbols.cmp(table.arg(index.row_at(a + mid as u32), column), end);
                if o.is_lt() || past && o.is_eq() {
                    lo = mid + 1;
                } else {
                    hi = mid;
                }
            }
            lo
        };
        if upper { (0, place(inclusive)) } else { (place(!inclusive), n) }
    }

    /// Moves a scan to its next match; `false` if there is none.
    #[inline]
    pub(super) fn advance_scan(&mut self, scan: &Scan, c: usize) -> bool {
        'rows: loop {
            let cursor = &mut self.cursors[c];
            if cursor.at >= cursor.end {
                return false;
            }
            let place = cursor.at;
            cursor.at += 1;
            let at = place as u32;
            let domain = &self.state.domains[scan.pred];
            let row = match (&scan.index, scan.groups, &scan.calculated) {
                (_, _, Some(key)) if place >= CALCULATED => domain.indexes[key.index].row_at(at),
                (_, Some(index), _) => domain.indexes[index].representative(at),
                (None, None, _) => at,
                (Some((index, _)), None, _) => domain.indexes[*index].row_at(at),
            };
            for (column, m) in &scan.matches {
                let value = self.state.domains[scan.pred].table().arg(row, *column as usize);
                if !self.matches(m, value) {
                    continue 'rows;
                }
            }
            let domain = &self.state.domains[scan.pred];
            if !domain.is_fact(row)
                && let Some(atom) = domain.atom(row)
            {
                self.literals.push(Literal::pos(atom));
            }
            return true;
        }
    }
}
