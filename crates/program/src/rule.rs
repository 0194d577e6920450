//! Ground rules in flat arrays.
//!
//! Invariant: rules are append-only; rule `i`'s heads, body literals and weights end where those of rule `i + 1` start.

use std::ops::Range;

use super::atom_table::{AtomId, Literal};
pub use asp_base::span::RuleSource;

asp_base::define_index! {
    /// A ground rule, by order of arrival.
    pub struct RuleId
}
/// The head of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head<'a> {
    /// At least one of the atoms; none makes the rule an integrity constraint.
    Disjunction(&'a [AtomId]),
    /// Any of the atoms.
    Choice(&'a [AtomId]),
}

impl<'a> Head<'a> {
    /// The head's atoms.
    pub fn atoms(self) -> &'a [AtomId] {
        match self {
            Head::Disjunction(a) | Head::Choice(a) => a,
        }
    }
}

/// When a rule applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body<'a> {
    /// All of the literals hold.
    Normal(&'a [Literal]),
    /// The weights (all greater than 0) of those literals that hold add up to at least `bound`.
    Weight {
        /// The least sum.
        bound: i64,
        /// The literals; a literal may occur more than once.
        literals: &'a [Literal],
        /// One weight per literal.
        weights: &'a [i64],
    },
}

impl<'a> Body<'a> {
    /// The body's literals.
    pub fn literals(self) -> &'a [Literal] {
        match self {
            Body::Normal(literals) | Body::Weight { literals, .. } => literals,
        }
    }
}

/// A view of one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleRef<'a> {
    /// Its head.
    pub head: Head<'a>,
    /// When it applies.
    pub body: Body<'a>,
    /// Where it comes from.
    pub source: RuleSource,
}

const CHOICE: u32 = 1;
const WEIGHT: u32 = 2;

#[derive(Clone, Copy, Debug)]
struct Row {
    /// End of the heads in `heads`.
    heads_end: u32,
    /// End of the body in `literals`.
    body_end: u32,
    /// Bits `CHOICE` and `WEIGHT`, above them the index of the weight record.
    kind: u32,
    source: RuleSource,
}

/// All rules of a program.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rows: Vec<Row>,
    heads: Vec<AtomId>,
    literals: Vec<Literal>,
    /// Bound and start of the weights of each weight rule.
    weight_rows: Vec<(i64, u32)>,
    weights: Vec<i64>,
}

impl Rules {
    /// No rules.
    pub fn new() -> Self {
        Self::default()
    }
    /// Number of rules.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// Number of body literals of all rules.
    pub fn literal_count(&self) -> usize {
        self.literals.len()
    }
    /// Appends a rule with a normal body.
    pub fn add(&mut self, choice: bool, head: &[AtomId], body: &[Literal], source: RuleSource) -> RuleId {
        self.heads.extend_from_slice(head);
        self.literals.extend_from_slice(body);
        self.finish(if choice { CHOICE } else { 0 }, source)
    }
    /// Appends a rule with a weight body. All weights are greater than 0.
    pub fn add_weight(
        &mut self,
        choice: bool,
        head: &[AtomId],
        bound: i64,
        body: &[(Literal, i64)],
        source: RuleSource,
    ) -> RuleId {
        debug_assert!(body.iter().all(|&(_, w)| w > 0));
        self.heads.extend_from_slice(head);
        self.literals.extend(body.iter().map(|&(l, _)| l));
        self.weight_rows.push((bound, self.weights.len() as u32));
        self.weights.extend(body.iter().map(|&(_, w)| w));
        let index = (self.weight_rows.len() as u32 - 1) << 2;
        self.finish(index | WEIGHT | if choice { CHOICE } else { 0 }, source)
    }
    fn finish(&mut self, kind: u32, source: RuleSource) -> RuleId {
        let (heads_end, body_end) = (self.heads.len() as u32, self.literals.len() as u32);
        self.rows.push(Row { heads_end, body_end, kind, source });
        RuleId(self.rows.len() as u32 - 1)
    }
    /// Removes the rules from a number on, all of them without weights, that nothing refers to.
    pub fn truncate(&mut self, len: usize) {
        debug_assert!(self.rows.iter().skip(len).all(|row| row.kind & WEIGHT == 0));
        self.rows.truncate(len);
        let (heads, literals) = self.rows.last().map_or((0, 0), |row| (row.heads_end, row.body_end));
        self.heads.truncate(heads as usize);
        self.literals.truncate(literals as usize);
        self.rows.shrink_to_fit();
        self.literals.shrink_to_fit();
    }
    /// Removes those of the rules from a number on that `keep`, called in order, rejects; nothing refers to them.
    pub fn retain_from(&mut self, from: usize, mut keep: impl FnMut(RuleId) -> bool) {
        let rows = self.rows.split_off(from);
        let (mut heads, mut body) = self.rows.last().map_or((0, 0), |row| (row.heads_end, row.body_end));
        let (first_head, first_literal) = (heads, body);
        let (old_heads, old_literals) =
            (self.heads.split_off(heads as usize), self.literals.split_off(body as usize));
        for (at, row) in rows.into_iter().enumerate() {
            let (head, literals) = (heads..row.heads_end, body..row.body_end);
            (heads, body) = (row.heads_end, row.body_end);
            if keep(RuleId((from + at) as u32)) {
                let range = |range: Range<u32>, first: u32| {
                    (range.start - first) as usize..(range.end - first) as usize
                };
                self.heads.extend_from_slice(&old_heads[range(head, first_head)]);
                self.literals.extend_from_slice(&old_literals[range(literals, first_literal)]);
                self.finish(row.kind, row.source);
            }
        }
    }
    /// The rule at an index.
    #[inline]
    pub fn get(&self, id: RuleId) -> RuleRef<'_> {
        let i = id.0 as usize;
        let row = self.rows[i];
        let (h, b) = if i == 0 { (0, 0) } else { (self.rows[i - 1].heads_end, self.rows[i - 1].body_end) };
        let atoms = &self.heads[h as usize..row.heads_end as usize];
        let literals = &self.literals[b as usize..row.body_end as usize];
        let head = if row.kind & CHOICE != 0 { Head::Choice(atoms) } else { Head::Disjunction(atoms) };
        let body = if row.kind & WEIGHT != 0 {
            let (bound, start) = self.weight_rows[(row.kind >> 2) as usize];
            let start = start as usize;
            Body::Weight { bound, literals, weights: &self.weights[start..start + literals.len()] }
        } else {
            Body::Normal(literals)
        };
        RuleRef { head, body, source: row.source }
    }
    /// All rules in order of arrival.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = RuleRef<'_>> + ExactSizeIterator {
        Iter { rules: self, left: 0..self.rows.len() }
    }
}

/// Rules in order of arrival. Skipping takes no time, so that what is new can be read on its own.
struct Iter<'r> {
    rules: &'r Rules,
    left: Range<usize>,
}

impl<'r> Iter<'r> {
    #[inline]
    fn get(&self, number: usize) -> RuleRef<'r> {
        self.rules.get(RuleId(number as u32))
    }
}

impl<'r> Iterator for Iter<'r> {
    type Item = RuleRef<'r>;
    #[inline]
    fn next(&mut self) -> Option<RuleRef<'r>> {
        let number = self.left.next()?;
        Some(self.get(number))
    }
    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<RuleRef<'r>> {
        let number = self.left.nth(skipped)?;
        Some(self.get(number))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let number = self.left.next_back()?;
        Some(self.get(number))
    }
}

impl ExactSizeIterator for Iter<'_> {}
