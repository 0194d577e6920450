//! Adding integers and constraints over them.
//!
//! Invariant: everything is added at the root. A literal in a sum is an integer, 0 or 1; an integer whose value the program
//! reads has binary digits, literals that are assigned along with it.

use std::cmp::Reverse;

use crate::Engine;
use crate::integer::linear::{MIN_LONG_LENGTH, Term};
use crate::integer::names::Use;
use crate::integer::store::{Digits, Int, Side};
use crate::relaxation::Objective;
use crate::store::literal::{Lit, Var};
use asp_base::map::Map;

/// The greatest absolute value of a sum, its bound included.
pub(crate) const MAX_SUM: i128 = 1 << 62;

/// Terms by variable, each once, with factors other than 0.
pub fn merged(terms: &[(i64, Int)]) -> Vec<(i64, Int)> {
    let mut sorted = terms.to_vec();
    sorted.sort_by_key(|t| t.1);
    let chunks = sorted.chunk_by(|a, b| a.1 == b.1);
    chunks.map(|c| (c.iter().map(|t| t.0).sum(), c[0].1)).filter(|t| t.0 != 0).collect()
}

impl Engine {
    /// A new variable with values from one number to another.
    pub fn new_integer(&mut self, least: i64, greatest: i64) -> Int {
        let int = self.integer_within(least, greatest, true);
        self.constraints.integers.choice.own.push(int);
        int
    }
    /// The same of one whose value follows from others, so that it need not be decided.
    pub fn new_dependent_integer(&mut self, least: i64, greatest: i64) -> Int {
        self.integer_within(least, greatest, false)
    }
    fn integer_within(&mut self, least: i64, greatest: i64, is_decided: bool) -> Int {
        debug_assert!(least <= greatest);
        let integers = &mut self.constraints.integers;
        let int = Int(integers.names.kept.len() as u32);
        integers.least.extend([least, -greatest]);
        integers.root.extend([least, -greatest]);
        integers.events.extend([Vec::new(), Vec::new()]);
        integers.names.kept.push(Vec::new());
        integers.choice.last.push(None);
        integers.choice.order.add(int, is_decided);
        int
    }
    /// A variable that is 1 if a literal is true, and otherwise 0.
    pub fn integer_of(&mut self, lit: Lit) -> Int {
        if let Some(&int) = self.constraints.integers.of_literal.get(&lit) {
            return int;
        }
        let int = self.integer_within(0, 1, false);
        self.constraints.integers.of_literal.insert(lit, int);
        self.name_bound(int, 1, lit);
        int
    }
    /// Names the bound "a variable is at least a number" by a literal, permanently, or by an equivalent one if this names
    /// another bound already.
    pub fn name_bound(&mut self, int: Int, value: i64, lit: Lit) {
        debug_assert_eq!(self.level(), 0);
        let own = match self.constraints.integers.names.meaning(lit.var()) {
            None => lit,
            Some(_) => {
                // It says something else.
                self.alias(lit)
            }
        };
        self.freeze(own.var());
        self.constraints.integers.names.keep_name(Side::of(int, false), value, own, Use::Lasting);
        // The root is read again, for a literal that has its value already.
        self.constraints.integers.head = 0;
        let (low, high) = self.constraints.integers.bounds(int);
        if low >= value {
            self.add_clause(&[own]);
        } else if high < value {
            self.add_clause(&[!own]);
        }
    }
    /// The permanent literal for "a variable is at least a number"; `Err` if that is certain or impossible.
    pub fn bound_literal(&mut self, int: Int, value: i64) -> Result<Lit, bool> {
        self.leave_to_root();
        let (low, high) = self.constraints.integers.bounds(int);
        if low >= value || high < value {
            return Err(low >= value);
        }
        let side = Side::of(int, false);
        if let Some(lit) = self.constraints.integers.names.name(side, value) {
            self.freeze(lit.var());
            self.constraints.integers.names.set_meaning(lit, side, value, Use::Lasting);
            return Ok(lit);
        }
        let lit = Lit::pos(self.new_var());
        self.name_bound(int, value, lit);
        Ok(lit)
    }
    /// Backtracks to the root, where bounds are facts. An enumeration in progress starts again.
    pub(super) fn leave_to_root(&mut self) {
        if self.level() > 0 {
            self.reset_enumeration();
        }
    }
    /// Adds a linear constraint `sum <= bound`, perhaps under a condition. Pre: no value of the sum minus its bound exceeds
    /// [`MAX_SUM`]. Unsatisfiability is found by propagation.
    pub fn add_linear(&mut self, condition: Option<Lit>, terms: &[(i64, Int)], bound: i64) {
        self.leave_to_root();
        let (side, factor, c) = match (&self.linear_terms(terms)[..], condition) {
            // A sum is examined with integers, and an engine may have none.
            ([], _) if bound >= 0 => return,
            ([], condition) => {
                self.add_clause(&condition.map_or(Vec::new(), |c| vec![!c]));
                return;
            }
            (&[Term { side, factor }], Some(c)) => (side, factor, c),
            _ => {
                self.add_conditional_sum(condition, terms, bound);
                return;
            }
        };
        // The side is at most the quotient.
        let most = bound.div_euclid(factor);
        let exceeds = match side.is_negative() {
            false => self.bound_literal(side.int(), most + 1),
            true => self.bound_literal(side.int(), -most).map(|l| !l).map_err(|b| !b),
        };
        match exceeds {
            Ok(lit) => _ = self.add_clause(&[!c, !lit]),
            Err(true) => _ = self.add_clause(&[!c]),
            Err(false) => {}
        }
    }
    /// The same, as a sum whose bound can be lowered; returns its number.
    pub fn add_conditional_sum(&mut self, condition: Option<Lit>, terms: &[(i64, Int)], bound: i64) -> u32 {
        self.leave_to_root();
        let mut terms = self.linear_terms(terms);
        let condition = self.own_condition(condition, |int| terms.iter().any(|t| t.side.int() == int));
        if terms.len() < MIN_LONG_LENGTH {
            return self.constraints.integers.sums.add(condition, &terms, bound, None);
        }
        let least = &self.constraints.integers.least;
        let reach = |t: &Term| t.factor * -(least[t.side.at()] + least[t.side.opposite().at()]);
        terms.sort_by_key(|t| Reverse(reach(t)));
        let reaches: Vec<i64> = terms.iter().map(reach).collect();
        let slack = terms.iter().fold(bound, |slack, t| slack - t.factor * least[t.side.at()]);
        self.constraints.integers.sums.add_long(condition, &terms, bound, slack, reaches)
    }
    /// A literal for a condition that is not a bound of the constraint's integers; [`Lit::NONE`] if there is none.
    pub(super) fn own_condition(&mut self, condition: Option<Lit>, is_about: impl Fn(Int) -> bool) -> Lit {
        let Some(c) = condition else { return Lit::NONE };
        self.freeze(c.var());
        let is_bound = self.constraints.integers.names.bound_of(c).is_some_and(|b| is_about(b.0.int()));
        if is_bound { self.alias(c) } else { c }
    }
    /// A new literal that is equivalent to another.
    fn alias(&mut self, lit: Lit) -> Lit {
        let own = Lit::pos(self.new_var());
        self.add_clause(&[own, !lit]);
        self.add_clause(&[!own, lit]);
        self.freeze(own.var());
        own
    }
    /// Terms with positive factors, each variable once.
    fn linear_terms(&self, terms: &[(i64, Int)]) -> Vec<Term> {
        let term = |(factor, int): (i64, Int)| Term { side: Side::of(int, factor < 0), factor: factor.abs() };
        merged(terms).into_iter().map(term).collect()
    }
    /// Lowers the bound of a sum. What was learned from it stays valid.
    pub(crate) fn tighten_sum(&mut self, sum: u32, bound: i64) {
        self.constraints.integers.sums.tighten(sum, bound);
    }
    /// Makes literals the binary digits, the least first, of a variable minus its least value. They are decided only for a
    /// projection.
    pub fn add_digits(&mut self, int: Int, base: i64, digits: &[Lit]) {
        debug_assert_eq!(self.level(), 0);
        let mut terms: Vec<(i64, Int)> = vec![(-1, int)];
        for (k, &digit) in digits.iter().enumerate() {
            self.freeze(digit.var());
            terms.push((1 << k, self.integer_of(digit)));
            self.constraints.integers.digits.of_literal.insert(digit, (int, k as u32));
            self.decisions.order.retire(digit.var());
        }
        self.constraints.integers.digits.of.insert(int, (base, digits.to_vec()));
        let terms = self.linear_terms(&terms);
        let negated: Vec<Term> = terms.iter().map(|t| Term { side: t.side.opposite(), ..*t }).collect();
        self.constraints.integers.sums.add(Lit::NONE, &terms, -base, Some(int));
        self.constraints.integers.sums.add(Lit::NONE, &negated, base, Some(int));
    }
    /// Lets digits be decided if they are among the variables, and otherwise not.
    pub(crate) fn decide_digits(&mut self, vars: &[Var]) {
        for var in self.constraints.integers.digits.of_literal.keys().map(|l| l.var()).collect::<Vec<_>>() {
            self.decisions.order.retire(var);
        }
        for &var in vars {
            if self.constraints.integers.digits.of_literal.contains_key(&Lit::pos(var))
                || self.constraints.integers.digits.of_literal.contains_key(&Lit::neg(var))
            {
                self.decisions.order.revive(var);
            }
        }
    }
    /// Whether a sum is about digits of integers.
    pub fn has_digits(&self, terms: &[(Lit, i64)]) -> bool {
        !self.constraints.integers.digits.of_literal.is_empty()
            && terms.iter().any(|t| self.constraints.integers.digits.of_literal.contains_key(&t.0))
    }
    /// Turns a sum over literals into one over literals and integers, where it has all digits with matching factors.
    pub(crate) fn folded(&self, terms: &[(Lit, i64)]) -> Objective {
        let plain = || Objective { lits: terms.to_vec(), ..Objective::default() };
        if !self.has_digits(terms) {
            return plain();
        }
        let mut factors: Map<Lit, i64> = Map::default();
        for &(lit, factor) in terms {
            let sum = factors.entry(lit).or_insert(0);
            match sum.checked_add(factor) {
                Some(added) => *sum = added,
                None => return plain(),
            }
        }
        let Digits { of_literal, of } = &self.constraints.integers.digits;
        let mut ints: Vec<Int> = factors.keys().filter_map(|l| of_literal.get(l)).map(|d| d.0).collect();
        ints.sort_unstable();
        ints.dedup();
        let mut folded = Objective::default();
        for int in ints {
            let Some((base, digits)) = of.get(&int) else { continue };
            let Some(&factor) = digits.first().and_then(|d| factors.get(d)) else { continue };
            let fits = |(k, d): (usize, &Lit)| {
                factors.get(d).is_some_and(|&f| i128::from(f) == i128::from(factor) << k)
            };
            if digits.iter().enumerate().all(fits) {
                folded.constant -= i128::from(factor) * i128::from(*base);
                digits.iter().for_each(|d| _ = factors.remove(d));
                folded.ints.push((factor, int));
            }
        }
        folded.lits = factors.into_iter().filter(|t| t.1 != 0).collect();
        folded.lits.sort_unstable();
        folded
    }
    /// Turns a sum over literals into one over integers alone, if it has any; also what to add to its bound.
    pub(crate) fn fold_digits(&mut self, terms: &[(Lit, i64)]) -> Option<(Vec<(i64, Int)>, i128)> {
        let Objective { lits, ints, constant } = self.folded(terms);
        let (ints, shift) = self.integers_alone(&lits, ints)?;
        Some((ints, shift - constant))
    }
    /// Turns a sum over literals and integers into one over integers, if it has any and is small enough; also what to add
    /// to its bound.
    pub(crate) fn integers_alone(
        &mut self,
        lits: &[(Lit, i64)],
        mut ints: Vec<(i64, Int)>,
    ) -> Option<(Vec<(i64, Int)>, i128)> {
        if ints.is_empty() {
            return None;
        }
        let mut shift = 0i128;
        for &(lit, factor) in lits {
            // A complement is 1 less the literal.
            let (factor, fixed) = if lit.is_neg() { (-factor, factor) } else { (factor, 0) };
            shift -= i128::from(fixed);
            ints.push((factor, self.integer_of(Lit::pos(lit.var()))));
        }
        let size = ints.iter().map(|&(factor, int)| {
            let (low, high) = self.constraints.integers.bounds(int);
            i128::from(factor).abs() * i128::from(low.unsigned_abs().max(high.unsigned_abs()))
        });
        (size.sum::<i128>() < MAX_SUM).then_some((ints, shift))
    }
}
