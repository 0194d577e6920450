//! Whether two atoms over different variables may have a common instance: heads of rules against atoms in bodies.
//!
//! Invariant: `false` is certain, `true` is not: operations, and ground terms beside functions, are not looked into.

use super::predicate::PredId;
use super::rule::{Rule, Term};
use asp_base::map::Map;

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
