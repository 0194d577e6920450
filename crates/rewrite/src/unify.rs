//! Whether two atoms over different variables may have a common instance: heads of rules against atoms in bodies.
//!
//! Invariant: `false` is certain, `true` is not: operations, and ground terms beside functions, are not examined.

use super::predicate::PredId;
use super::rule::{Atom, Rule, Term};
use asp_base::map::{Map, Set};
use asp_base::symbol::Sym;
use std::cmp::Reverse;

/// Patterns of a predicate in heads beyond which they are not told apart.
const MAX_PATTERNS: usize = 32;

/// The arguments of a predicate's atoms in heads, each with the number of its component; `None` if it may be any.
type Patterns = Option<Vec<(Vec<Term>, Option<u32>)>>;

/// The arguments of the atoms that rules may derive, by predicate, with the last component that does; none for a
/// predicate of which any may be.
#[derive(Default)]
pub struct HeadPatterns(Map<PredId, Patterns>);

impl HeadPatterns {
    /// Those of rules, each with the number of its component if that matters.
    pub fn of<'r>(rules: impl Iterator<Item = (&'r Rule, Option<u32>)>) -> Self {
        let mut patterns: Map<PredId, Patterns> = Map::default();
        for (rule, component) in rules {
            rule.head.for_each_atom(&mut |a| {
                let entry = patterns.entry(a.pred).or_insert_with(|| Some(Vec::new()));
                let tells = component.is_some() || !a.args.iter().all(|t| matches!(t, Term::Var(_)));
                match entry {
                    Some(known) if known.len() < MAX_PATTERNS && tells => {
                        known.push((a.args.clone(), component));
                    }
                    _ => *entry = None,
                }
            });
        }
        Self(patterns)
    }

    /// Whether a rule of a component or a later one may derive such an atom; it does if nothing is known.
    pub fn may_derive(&self, pred: PredId, args: &[Term], from: u32) -> bool {
        let any = |known: &Vec<(Vec<Term>, Option<u32>)>| {
            known.iter().any(|(k, c)| c.is_none_or(|c| c >= from) && all_unify(k, args))
        };
        self.0.get(&pred).and_then(Option::as_ref).is_none_or(any)
    }
}

/// Atoms of one predicate, indexed for finding those that may have a common instance with an atom.
#[derive(Default)]
pub(crate) struct Unifiable<'r> {
    atoms: Vec<(u32, &'r Atom)>,
    /// The argument that tells most of them apart.
    column: usize,
    /// Numbers of those with a constant there, by the constant.
    fixed: Map<Sym, Vec<u32>>,
    /// Numbers of the others.
    open: Vec<u32>,
}

impl<'r> Unifiable<'r> {
    /// Each with what it stands for.
    pub(crate) fn new(atoms: Vec<(u32, &'r Atom)>) -> Self {
        let distinct = |column: usize| {
            let fixed = atoms.iter().filter_map(|(_, a)| constant(a, column));
            fixed.collect::<Set<Sym>>().len()
        };
        let columns = atoms.iter().map(|(_, a)| a.args.len()).max().unwrap_or(0);
        let column = (0..columns).max_by_key(|&c| (distinct(c), Reverse(c))).unwrap_or(0);
        let (mut fixed, mut open) = (Map::<Sym, Vec<u32>>::default(), Vec::new());
        for (number, (_, atom)) in (0..).zip(&atoms) {
            match constant(atom, column) {
                Some(sym) => fixed.entry(sym).or_default().push(number),
                None => open.push(number),
            }
        }
        Self { atoms, column, fixed, open }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The values of those that may have a common instance with an atom, in insertion order.
    pub(crate) fn with(&self, atom: &Atom) -> Vec<u32> {
        let unifies = |&(of, other): &(u32, &Atom)| all_unify(&other.args, &atom.args).then_some(of);
        let Some(sym) = constant(atom, self.column) else {
            return self.atoms.iter().filter_map(unifies).collect();
        };
        let fixed = self.fixed.get(&sym).into_iter().flatten();
        let mut numbers: Vec<u32> = fixed.chain(&self.open).copied().collect();
        numbers.sort_unstable();
        numbers.iter().filter_map(|&number| unifies(&self.atoms[number as usize])).collect()
    }
}

/// An argument that is a symbol.
fn constant(atom: &Atom, column: usize) -> Option<Sym> {
    match atom.args.get(column) {
        Some(Term::Sym(sym)) => Some(*sym),
        _ => None,
    }
}

/// Whether the arguments of two atoms of a predicate may be the same.
pub(crate) fn all_unify(left: &[Term], right: &[Term]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(s, t)| unify(s, t))
}

fn unify(s: &Term, t: &Term) -> bool {
    match (s, t) {
        (Term::Sym(a), Term::Sym(b)) => a == b,
        (Term::Fun(f, minus, left), Term::Fun(g, negative, right)) => {
            f == g && minus == negative && all_unify(left, right)
        }
        (Term::Tuple(left), Term::Tuple(right)) => all_unify(left, right),
        (Term::Fun(..), Term::Tuple(_)) | (Term::Tuple(_), Term::Fun(..)) => false,
        _ => true,
    }
}
