//! Whether two atoms over different variables may have a common instance: heads of rules against atoms in bodies.
//!
//! Invariant: `false` is certain, `true` is not: of operations only `c*X + d` is examined, beside ground terms.

use super::predicate::PredId;
use super::rule::{Atom, Rule, Term, Var};
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, SymView, Symbols};
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
                let tells = component.is_some() || !are_distinct_vars(&a.args);
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
    pub fn may_derive(&self, pred: PredId, args: &[Term], from: u32, symbols: &Symbols) -> bool {
        let any = |known: &Vec<(Vec<Term>, Option<u32>)>| {
            known.iter().any(|(k, c)| c.is_none_or(|c| c >= from) && all_unify(k, args, symbols))
        };
        self.0.get(&pred).and_then(Option::as_ref).is_none_or(any)
    }
}

fn are_distinct_vars(args: &[Term]) -> bool {
    let is_new = |(i, t): (usize, &Term)| matches!(t, Term::Var(_)) && !args[..i].contains(t);
    args.iter().enumerate().all(is_new)
}

/// Atoms of one predicate, indexed for finding those that may have a common instance with an atom.
pub(crate) struct Unifiable<'r> {
    atoms: Vec<(u32, &'r Atom)>,
    /// The argument that tells most of them apart.
    column: usize,
    /// Numbers of those with a constant there, by the constant.
    fixed: Map<Sym, Vec<u32>>,
    /// Numbers of the others.
    open: Vec<u32>,
    symbols: &'r Symbols,
}

impl<'r> Unifiable<'r> {
    /// Each with what it stands for.
    pub(crate) fn new(atoms: Vec<(u32, &'r Atom)>, symbols: &'r Symbols) -> Self {
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
        Self { atoms, column, fixed, open, symbols }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The values of those that may have a common instance with an atom, in insertion order.
    pub(crate) fn with(&self, atom: &Atom) -> Vec<u32> {
        let unifies =
            |&(of, other): &(u32, &Atom)| all_unify(&other.args, &atom.args, self.symbols).then_some(of);
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

/// Whether the arguments of two atoms of a predicate may be the same; their variables are different ones.
pub(crate) fn all_unify(left: &[Term], right: &[Term], symbols: &Symbols) -> bool {
    Unifier { symbols, bound: Vec::new() }.unify_all(Side::Left, left, Side::Right, right)
}

/// A term of one of two atoms, or a part of it.
#[derive(Clone, Copy)]
enum Value<'t> {
    Var(Side, Var),
    Number(i64),
    /// Any other ground term.
    Ground(Sym),
    Other(Side, &'t Term),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Unification (Robinson, A machine-oriented logic based on the resolution principle, J. ACM 12, 1965); `c*X + d` has the
/// numbers of its form as instances.
struct Unifier<'t> {
    symbols: &'t Symbols,
    bound: Vec<(Side, Var, Value<'t>)>,
}

impl<'t> Unifier<'t> {
    fn ground(&self, sym: Sym) -> Value<'t> {
        self.symbols.as_num(sym).map_or(Value::Ground(sym), Value::Number)
    }

    fn value(&self, side: Side, term: &'t Term) -> Value<'t> {
        match term {
            Term::Var(v) => Value::Var(side, *v),
            Term::Sym(sym) => self.ground(*sym),
            _ => Value::Other(side, term),
        }
    }

    fn unify(&mut self, s: Value<'t>, t: Value<'t>) -> bool {
        match (self.resolve(s), self.resolve(t)) {
            (Value::Var(a, v), Value::Var(b, w)) if a == b && v == w => true,
            // gringo, too, binds no variable to an operation.
            (Value::Var(..), Value::Other(_, Term::Linear { .. }))
            | (Value::Other(_, Term::Linear { .. }), Value::Var(..)) => true,
            (Value::Var(side, v), value) | (value, Value::Var(side, v)) => {
                let fits = !self.contains(value, side, v);
                self.bound.push((side, v, value));
                fits
            }
            (Value::Number(m), Value::Number(n)) => m == n,
            (Value::Ground(a), Value::Ground(b)) => a == b,
            (Value::Number(_), Value::Ground(_)) | (Value::Ground(_), Value::Number(_)) => false,
            (Value::Number(n), Value::Other(side, term)) | (Value::Other(side, term), Value::Number(n)) => {
                self.unify_number(n, side, term)
            }
            (Value::Ground(sym), Value::Other(side, term))
            | (Value::Other(side, term), Value::Ground(sym)) => self.unify_ground(sym, side, term),
            (Value::Other(a, s), Value::Other(b, t)) => match (s, t) {
                (Term::Fun(f, minus, left), Term::Fun(g, negative, right)) => {
                    f == g && minus == negative && self.unify_all(a, left, b, right)
                }
                (Term::Tuple(left), Term::Tuple(right)) => self.unify_all(a, left, b, right),
                (Term::Fun(..), Term::Tuple(_) | Term::Linear { .. })
                | (Term::Tuple(_), Term::Fun(..) | Term::Linear { .. })
                | (Term::Linear { .. }, Term::Fun(..) | Term::Tuple(_)) => false,
                _ => true,
            },
        }
    }

    fn unify_all(&mut self, a: Side, left: &'t [Term], b: Side, right: &'t [Term]) -> bool {
        let mut pairs = left.iter().zip(right);
        left.len() == right.len() && pairs.all(|(s, t)| self.unify(self.value(a, s), self.value(b, t)))
    }

    fn unify_number(&mut self, n: i64, side: Side, term: &'t Term) -> bool {
        match term {
            Term::Fun(..) | Term::Tuple(_) => false,
            Term::Linear { coefficient, var, offset, .. } => {
                let product = i128::from(n) - i128::from(*offset);
                let factor = i128::from(*coefficient);
                product % factor == 0
                    && i64::try_from(product / factor)
                        .is_ok_and(|value| self.unify(Value::Var(side, *var), Value::Number(value)))
            }
            _ => true,
        }
    }

    fn unify_ground(&mut self, sym: Sym, side: Side, term: &'t Term) -> bool {
        let (parts, terms) = match (self.symbols.view(sym), term) {
            (SymView::Fun { name, args, negative }, Term::Fun(f, minus, terms))
                if name == *f && negative == *minus =>
            {
                (args, terms)
            }
            (SymView::Tuple(args), Term::Tuple(terms)) => (args, terms),
            (_, Term::Fun(..) | Term::Tuple(_) | Term::Linear { .. }) => return false,
            _ => return true,
        };
        let mut pairs = parts.iter().zip(terms);
        parts.len() == terms.len() && pairs.all(|(&s, t)| self.unify(self.ground(s), self.value(side, t)))
    }

    /// What a variable is bound to, if it is.
    fn resolve(&self, mut value: Value<'t>) -> Value<'t> {
        while let Value::Var(side, v) = value
            && let Some(&(_, _, next)) = self.bound.iter().find(|(s, w, _)| *s == side && *w == v)
        {
            value = next;
        }
        value
    }

    /// Whether a variable occurs in a value.
    fn contains(&self, value: Value<'t>, side: Side, v: Var) -> bool {
        match self.resolve(value) {
            Value::Var(s, w) => s == side && w == v,
            Value::Other(s, Term::Fun(_, _, parts) | Term::Tuple(parts)) => {
                parts.iter().any(|t| self.contains(self.value(s, t), side, v))
            }
            Value::Other(s, Term::Linear { var, .. }) => self.contains(Value::Var(s, *var), side, v),
            _ => false,
        }
    }
}
