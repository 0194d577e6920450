//! Unfolding of heads in the constraints that read them: `w(A,C,S+T) :- e(A,B,S), e(B,C,T).` and `:- w(A,C,S), S > 9.` become
//! `:- e(A,B,S), e(B,C,T), S+T > 9.`
//!
//! A predicate is *defined* if plain rules alone derive its atoms, and it does not depend on itself. An atom of a constraint is
//! replaced by the body of its definition, one constraint for each rule. If every reader of a predicate that no answer shows is
//! such a constraint, its rules are not grounded at all.
//!
//! Proof that the answers stay the same: the atoms are explicit definitions (see [`demand`](super::demand)), so in each answer
//! set an atom holds if and only if the body of an instance of a rule for it does, and a constraint excludes the same with
//! either. Nothing else depends on the constraints, which derive nothing. What nothing reads and no answer shows can be left
//! out. Source: Ferraris, *Answer sets for propositional theories*, LPNMR 2005, proposition 4.

use super::cut::is_kept;
use super::linear_form::inline;
use crate::predicate::PredId;
use crate::rule::{Atom, Head, Literal, Rule, Term, Var};
use asp_base::map::Map;
use asp_syntax::ast::{Relation, Sign};

/// Bodies that would have more literals are left alone.
const MAX_LITERALS: usize = 40;
/// A constraint becomes at most so many.
const MAX_RULES: usize = 8;
/// Least work that is saved.
pub const MIN_SAVED: f64 = 20_000.0;

/// A constraint with the atoms that `definition` knows replaced, one for each choice of their rules; `None` if there are none,
/// or if one cannot be replaced.
pub fn unfold<'r>(
    constraint: &Rule,
    definition: &dyn Fn(&Atom) -> Option<Vec<&'r Rule>>,
) -> Option<Vec<Rule>> {
    if !matches!(constraint.head, Head::Constraint) {
        return None;
    }
    let (mut open, mut done) = (vec![constraint.clone()], Vec::new());
    let mut any = false;
    while let Some(rule) = open.pop() {
        let found = rule.body.iter().enumerate().find_map(|(i, l)| match l {
            Literal::Atom(Sign::None, a) => Some((i, definition(a)?)),
            _ => None,
        });
        let Some((i, rules)) = found else {
            done.push(rule);
            continue;
        };
        any = true;
        for by in rules.iter().rev() {
            open.push(replaced(&rule, i, by)?);
        }
        if open.len() + done.len() > MAX_RULES {
            return None;
        }
    }
    for rule in &mut done {
        rule.body = inline(rule, &|v| is_kept(rule, v)).0;
    }
    any.then_some(done)
}

/// A constraint with the body of a rule in place of a literal.
fn replaced(constraint: &Rule, at: usize, by: &Rule) -> Option<Rule> {
    let (Literal::Atom(_, atom), Head::Atom(head)) = (&constraint.body[at], &by.head) else { return None };
    if constraint.body.len() + by.body.len() + atom.args.len() > MAX_LITERALS {
        return None;
    }
    let mut out = constraint.clone();
    out.body.remove(at);
    let mut to: Map<Var, Var> = Map::default();
    for (s, t) in head.args.iter().zip(&atom.args) {
        if let (Term::Var(v), Term::Var(w)) = (s, t) {
            to.entry(*v).or_insert(*w);
        }
    }
    let mut own = |v: Var| {
        *to.entry(v).or_insert_with(|| {
            out.vars.push(by.vars[v.0 as usize]);
            Var(out.vars.len() as u32 - 1)
        })
    };
    let mut equations = Vec::new();
    for (s, t) in head.args.iter().zip(&atom.args) {
        let s = s.map_vars(&mut own);
        if *t != s {
            is_plain(t).then_some(())?;
            equations.push(Literal::Compare(Relation::Equal, t.clone(), s, atom.span));
        }
    }
    let body: Option<Vec<Literal>> = by.body.iter().map(|l| l.map_vars(&mut own)).collect();
    out.body.splice(at..at, body?.into_iter().chain(equations));
    Some(out)
}

/// Whether an argument matches what it equals.
fn is_plain(t: &Term) -> bool {
    match t {
        Term::Var(_) | Term::Sym(_) | Term::Linear { .. } => true,
        Term::Fun(_, _, args) | Term::Tuple(args) => args.iter().all(is_plain),
        _ => false,
    }
}

/// The predicates of a rule's positive literals.
pub fn reads(rule: &Rule) -> impl Iterator<Item = PredId> + '_ {
    rule.body.iter().filter_map(|l| match l {
        Literal::Atom(Sign::None, a) => Some(a.pred),
        _ => None,
    })
}
