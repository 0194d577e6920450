//! Rule bodies in normal form, each once.
//!
//! Invariants: a body's literals are sorted and distinct, and the values of their atoms are unknown; a normal body has
//! at least two literals and no complementary pair; a weight body has a bound of at least 1 that can be reached, but
//! not only by all its literals together, and no weight above the bound. Simpler bodies are not stored: they are
//! constants or single literals (see [`Node`]).

use asp_base::map::hash_words;
use asp_base::weight::{self, Shape};
use asp_program::Literal;
use hashbrown::HashTable;

asp_base::define_index! {
    /// A stored body.
    pub(crate) struct BodyId
}

/// An atom, a body or a constant, with a sign: one of the truth values that the search has to distinguish.
///
/// Atoms come first (with the codes of their literals), bodies after them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Node(u32);

impl Node {
    /// Always true.
    pub(crate) const TRUE: Node = Node(0x7FFF_FFFE);
    /// Always false.
    pub(crate) const FALSE: Node = Node(0x7FFF_FFFF);

    /// The node of an atom, negated if the literal is.
    #[inline]
    pub(crate) fn of(literal: Literal) -> Self {
        Self(literal.code())
    }
    /// A positive node by its index.
    #[inline]
    pub(crate) fn at(index: usize) -> Self {
        Self((index as u32) << 1)
    }
    /// Index among all nodes; meaningless for constants.
    #[inline]
    pub(crate) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
    /// Whether it is negated (or false).
    #[inline]
    pub(crate) fn is_neg(self) -> bool {
        self.0 & 1 == 1
    }
    /// Whether it is true or false.
    #[inline]
    pub(crate) fn is_constant(self) -> bool {
        self.0 >= Self::TRUE.0
    }
    /// Negated if `flip`.
    #[inline]
    pub(crate) fn xor(self, flip: bool) -> Self {
        Self(self.0 ^ u32::from(flip))
    }
    /// As a number.
    #[inline]
    pub(crate) fn code(self) -> u32 {
        self.0
    }
    /// From a number.
    #[inline]
    pub(crate) fn from_code(code: u32) -> Self {
        Self(code)
    }
}

impl std::ops::Not for Node {
    type Output = Node;
    #[inline]
    fn not(self) -> Node {
        Node(self.0 ^ 1)
    }
}

/// The value of an atom before the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Value {
    /// Nothing.
    #[default]
    Unknown,
    /// It is derived in every answer set, without depending on itself.
    True,
    /// It is in no answer set.
    False,
}

const NORMAL: u32 = u32::MAX;

/// All stored bodies.
#[derive(Debug, Default)]
pub(crate) struct BodyTable {
    ends: Vec<u32>,
    literals: Vec<Literal>,
    /// Row in `weight_rows`, or [`NORMAL`].
    kinds: Vec<u32>,
    /// Bound and start of the weights.
    weight_rows: Vec<(i64, u32)>,
    weights: Vec<i64>,
    table: HashTable<u32>,
    /// Number of nodes before the first body.
    first_node: usize,
    scratch: Vec<Literal>,
    weighted: Vec<(Literal, i128)>,
    /// Whether sums are shared that are equal in normal form.
    shares_sums: bool,
}

impl BodyTable {
    /// An empty table; `first_node` is the number of atoms.
    pub(crate) fn new(first_node: usize) -> Self {
        Self { first_node, shares_sums: true, ..Self::default() }
    }
    /// Makes each sum a body of its own: in a proof, sums are equal only if the program has them in the same form.
    pub(crate) fn keep_sums_apart(&mut self) {
        self.shares_sums = false;
    }
    /// Number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
    #[inline]
    pub(crate) fn node(&self, body: BodyId) -> Node {
        Node::at(self.first_node + body.0 as usize)
    }
    /// The body of a node that is not an atom.
    #[inline]
    pub(crate) fn body_of(&self, node: Node) -> BodyId {
        BodyId((node.index() - self.first_node) as u32)
    }
    #[inline]
    fn start(&self, body: BodyId) -> usize {
        if body.0 == 0 { 0 } else { self.ends[body.0 as usize - 1] as usize }
    }
    /// Literals of a body, sorted.
    #[inline]
    pub(crate) fn literals(&self, body: BodyId) -> &[Literal] {
        &self.literals[self.start(body)..self.ends[body.0 as usize] as usize]
    }
    /// Bound and weights (in the order of the literals) of a weight body.
    #[inline]
    pub(crate) fn weights(&self, body: BodyId) -> Option<(i64, &[i64])> {
        let row = self.kinds[body.0 as usize];
        if row == NORMAL {
            return None;
        }
        let (bound, start) = self.weight_rows[row as usize];
        let n = self.ends[body.0 as usize] as usize - self.start(body);
        Some((bound, &self.weights[start as usize..start as usize + n]))
    }
    /// Whether the table has a weight body.
    pub(crate) fn has_weights(&self) -> bool {
        !self.weight_rows.is_empty()
    }

    /// Adds a conjunction.
    pub(crate) fn add_normal(&mut self, literals: &[Literal], values: &[Value]) -> Node {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let node = 'node: {
            for &l in literals {
                match values[l.atom().0 as usize] {
                    Value::Unknown => scratch.push(l),
                    v => {
                        if (v == Value::True) == l.is_neg() {
                            break 'node Node::FALSE;
                        }
                    }
                }
            }
            scratch.sort_unstable();
            scratch.dedup();
            if scratch.windows(2).any(|w| w[0].atom() == w[1].atom()) {
                break 'node Node::FALSE;
            }
            match scratch.as_slice() {
                [] => Node::TRUE,
                [l] => Node::of(*l),
                _ => self.intern(&scratch, None),
            }
        };
        self.scratch = scratch;
        node
    }

    /// Adds a weight body. A literal and its complement stay apart: inside a loop they are not a constant.
    pub(crate) fn add_weight(
        &mut self,
        bound: i64,
        literals: &[Literal],
        weights: &[i64],
        values: &[Value],
    ) -> Node {
        let mut items = std::mem::take(&mut self.weighted);
        items.clear();
        let mut bound = i128::from(bound);
        for (&l, &w) in literals.iter().zip(weights) {
            match values[l.atom().0 as usize] {
                Value::Unknown => items.push((l, w.into())),
                v if (v == Value::True) != l.is_neg() => bound -= i128::from(w),
                _ => {}
            }
        }
        let node = self.weight_node(bound, &mut items, values);
        self.weighted = items;
        node
    }

    fn weight_node(&mut self, bound: i128, items: &mut Vec<(Literal, i128)>, values: &[Value]) -> Node {
        weight::merge(items);
        if bound > 0 {
            weight::saturate(bound, items);
        }
        let literals: Vec<Literal> = items.iter().map(|&(l, _)| l).collect();
        match weight::shape(bound, items) {
            Shape::True => return Node::TRUE,
            Shape::False => return Node::FALSE,
            Shape::All => return self.add_normal(&literals, values),
            Shape::Any | Shape::Sum => {}
        }
        // The bound is no greater than the given one, which fits; so are the weights.
        let bound = weight::divide(bound, items) as i64;
        let weights: Vec<i64> = items.iter().map(|&(_, w)| w as i64).collect();
        self.intern(&literals, Some((bound, &weights)))
    }

    fn intern(&mut self, literals: &[Literal], weights: Option<(i64, &[i64])>) -> Node {
        let hash = hash_body(literals, weights);
        let found = self.table.find(hash, |&b| {
            (weights.is_none() || self.shares_sums)
                && self.literals(BodyId(b)) == literals
                && self.weights(BodyId(b)) == weights
        });
        if let Some(&b) = found {
            return self.node(BodyId(b));
        }
        let id = self.ends.len() as u32;
        self.literals.extend_from_slice(literals);
        self.ends.push(self.literals.len() as u32);
        self.kinds.push(match weights {
            None => NORMAL,
            Some((bound, w)) => {
                self.weight_rows.push((bound, self.weights.len() as u32));
                self.weights.extend_from_slice(w);
                self.weight_rows.len() as u32 - 1
            }
        });
        let mut table = std::mem::take(&mut self.table);
        table.insert_unique(hash, id, |&b| hash_body(self.literals(BodyId(b)), self.weights(BodyId(b))));
        self.table = table;
        self.node(BodyId(id))
    }

    /// Reserves room for this many bodies.
    pub(crate) fn reserve(&mut self, bodies: usize) {
        let mut table = std::mem::take(&mut self.table);
        table.reserve(bodies, |&b| hash_body(self.literals(BodyId(b)), self.weights(BodyId(b))));
        self.table = table;
    }

    /// Frees the memory of the hash table; no body can be added afterwards.
    pub(crate) fn finish(&mut self) {
        self.table = HashTable::new();
    }
}

fn hash_body(literals: &[Literal], weights: Option<(i64, &[i64])>) -> u64 {
    let seed = weights.map_or(0, |(bound, w)| {
        w.iter().fold(bound as u64, |h, &w| (h.rotate_left(7) ^ w as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
            | 1
    });
    hash_words(seed, literals.iter().map(|l| l.code()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_program::AtomId;

    fn p(i: u32) -> Literal {
        Literal::pos(AtomId(i))
    }

    #[test]
    fn equal_bodies_are_one_and_trivial_ones_are_none() {
        let mut t = BodyTable::new(4);
        let v = [Value::Unknown, Value::Unknown, Value::True, Value::False];
        let ab = t.add_normal(&[p(1), p(0), p(1)], &v);
        assert_eq!(ab, t.add_normal(&[p(0), p(1), p(2)], &v));
        assert_eq!(t.len(), 1);
        assert_eq!(t.add_normal(&[p(0), !p(0)], &v), Node::FALSE);
        assert_eq!(t.add_normal(&[p(0), p(3)], &v), Node::FALSE);
        assert_eq!(t.add_normal(&[p(2)], &v), Node::TRUE);
        assert_eq!(t.add_normal(&[p(2), !p(1)], &v), Node::of(!p(1)));
        assert_eq!(t.add_weight(2, &[p(0), p(1)], &[1, 1], &v), ab);
        assert_eq!(t.add_weight(2, &[p(0), p(2)], &[1, 1], &v), Node::of(p(0)));
        assert_eq!(t.add_weight(0, &[p(0)], &[1], &v), Node::TRUE);
        assert_eq!(t.add_weight(5, &[p(0), p(1)], &[2, 2], &v), Node::FALSE);
        let any = t.add_weight(1, &[p(0), p(1)], &[3, 5], &v);
        assert_eq!(any, t.add_weight(2, &[p(1), p(0)], &[2, 2], &v));
        assert_eq!(t.len(), 2);
    }
}
