//! Cutting a part out of a body: `h(X) :- P, R.` becomes `#1(S) :- P.` and `h(X) :- #1(S), R.`
//!
//! S are the variables of P that the head, R or a nested part (aggregates, conditional literals, theory atoms) use; the
//! others are *eliminated*.
//!
//! Proof that the answer sets stay the same: `#1(S)` is defined by its one rule and occurs in no other head, so in any
//! answer set it holds for exactly the values for which P holds with some values of the eliminated variables. It is an
//! explicit definition: replacing what it defines keeps the answer sets, except for the new atoms, which the others
//! determine (Ferraris, *Answer sets for propositional theories*, LPNMR 2005, proposition 4). Before, the rule has for
//! each S one instance per choice of eliminated values; these differ in P only, and `H :- P1, R` and `H :- P2, R`
//! together are strongly equivalent to `H :- P1 or P2, R`, as neither H nor R has an eliminated variable. The
//! predicates of P are complete, so no instance is missed.
//!
//! Shown terms, tuples of an objective and edges are treated alike: each is present if some instance that has it holds,
//! and counts once, whatever the number of instances. The heuristic modifiers are left alone, as they add up, and so
//! are external atoms, which instances declare whether they hold or not.
//!
//! Propagation keeps its strength: if all literals of an instance but one are true, the auxiliary atoms of the parts
//! among them follow, and the constraint on the rest makes the last one false through the completion of its auxiliary
//! atom.

use super::Sizes;
use super::estimate::{self, Size};
use crate::predicate::PredId;
use crate::rule::{Atom, Head, HeadLiteral, Literal, Rule, Term, Var, literal_vars};
use crate::safety;
use asp_base::span::Span;
use asp_syntax::ast::Sign;

/// The length of a body above which it is left as it is.
const MAX_LITERALS: usize = 24;

/// The least expected work to save; less is not worth a rewriting.
const MIN_SAVED: f64 = 200.0;

/// A rewriting must divide the work by this, for rules with heads and outputs by the second factor: propagation skips most
/// instances of a constraint, but each body that derives something is a literal of its own, and all outputs are read.
const MIN_FACTOR: f64 = 3.0;
const MIN_HEAD_FACTOR: f64 = 1.5;

/// A body, with what decides about its cuts.
#[derive(Clone, Debug)]
pub struct Body {
    /// By variable: whether the head or a nested part uses it.
    pub kept: Vec<bool>,
    /// By literal: whether it may be cut out.
    pub movable: Vec<bool>,
    /// By literal.
    pub(crate) sizes: Vec<Size>,
    /// Expected work as it stands.
    pub work: f64,
    /// Whether each instance derives something or is an output.
    pub has_head: bool,
    /// Whether cuts are made even if they do not pay.
    pub eager: bool,
}

/// A part to cut out.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Its literals, ascending.
    pub part: Vec<usize>,
    /// The variables that the rest needs, ascending.
    pub scope: Vec<Var>,
    /// Expected work of part and rest.
    pub work: f64,
}

impl Body {
    /// The body of a rule, unless the rule is of a kind that is left alone.
    pub fn new(rule: &Rule, sizes: &mut dyn Sizes, eager: bool) -> Option<Self> {
        if rule.body.len() > MAX_LITERALS {
            return None;
        }
        let mut kept = vec![false; rule.vars.len()];
        let mut count = vec![0u32; rule.vars.len()];
        let mut keep = |v: Var| kept[v.0 as usize] = true;
        if !head_vars(&rule.head, &mut keep) {
            return None;
        }
        let mut movable = Vec::with_capacity(rule.body.len());
        for l in &rule.body {
            movable.push(match l {
                Literal::Atom(_, a) => sizes.is_complete(a.pred),
                Literal::Compare(..) | Literal::Range(..) => true,
                Literal::False(_) => false,
                Literal::Aggregate(_) | Literal::Conditional(_) | Literal::Theory(..) => {
                    literal_vars(l, &mut keep);
                    false
                }
            });
            literal_vars(l, &mut |v| count[v.0 as usize] += 1);
        }
        let once: Vec<bool> = count.iter().zip(&kept).map(|(&n, &k)| n == 1 && !k).collect();
        let sizes: Vec<Size> = rule.body.iter().map(|l| estimate::size(l, &once, sizes)).collect();
        let work = estimate::work(&sizes);
        if work < MIN_SAVED && !eager {
            return None;
        }
        let has_head = !matches!(rule.head, Head::Constraint);
        Some(Self { kept, movable, sizes, work, has_head, eager })
    }

    /// Whether a literal contains a variable.
    fn has(&self, literal: usize, v: Var) -> bool {
        self.sizes[literal].vars.iter().any(|x| x.0 == v)
    }

    /// The literals that contain a variable.
    pub(crate) fn literals_of(&self, v: Var) -> impl Iterator<Item = usize> {
        (0..self.sizes.len()).filter(move |&i| self.has(i, v))
    }

    /// The variables of some literals that nothing else uses, and their other variables, both ascending.
    pub(crate) fn split(&self, part: &[usize]) -> (Vec<Var>, Vec<Var>) {
        let mut vars: Vec<Var> = part.iter().flat_map(|&i| self.sizes[i].vars.iter().map(|x| x.0)).collect();
        vars.sort_unstable();
        vars.dedup();
        vars.into_iter()
            .partition(|&v| !self.kept[v.0 as usize] && self.literals_of(v).all(|i| part.contains(&i)))
    }

    /// Cuts out a part (ascending), if it can be.
    pub(crate) fn cut(&self, rule: &Rule, part: Vec<usize>) -> Option<Cut> {
        if part.is_empty() || !part.iter().all(|&i| self.movable[i]) {
            return None;
        }
        let (eliminated, scope) = self.split(&part);
        let rest: Vec<usize> = (0..rule.body.len()).filter(|i| !part.contains(i)).collect();
        if eliminated.is_empty() || !rest.iter().any(|&i| self.sizes[i].binds) {
            return None;
        }
        let (rows, values) = estimate::join(part.iter().map(|&i| &self.sizes[i]));
        let left = aux_size(&scope, estimate::values(&scope, rows, &values), &values);
        let parts: Vec<Size> = part.iter().map(|&i| self.sizes[i].clone()).collect();
        let work = estimate::work(&parts) + self.work_with(&part, left);
        is_safe(rule, &part, &scope).then_some(Cut { part, scope, work })
    }

    /// Expected work of the rest with an atom of this size in place of the part.
    pub(crate) fn work_with(&self, part: &[usize], atom: Size) -> f64 {
        let rest = (0..self.sizes.len()).filter(|i| !part.contains(i)).map(|i| self.sizes[i].clone());
        estimate::work(&rest.chain([atom]).collect::<Vec<_>>())
    }

    /// Whether the work that is left is little enough to be worth auxiliary atoms.
    pub(crate) fn pays(&self, work: f64) -> bool {
        let least = if self.has_head { MIN_HEAD_FACTOR } else { MIN_FACTOR };
        self.eager || work * least <= self.work && self.work - work >= MIN_SAVED
    }
}

fn aux_size(scope: &[Var], rows: f64, values: &[(Var, f64)]) -> Size {
    let known = |v: Var| values.iter().find(|x| x.0 == v).map_or(rows, |x| x.1);
    let vars = scope.iter().map(|&v| (v, known(v).min(rows).max(1.0))).collect();
    Size { vars, rows, binds: true, late: false }
}

/// Calls `f` for the variables of a head; `false` for heads whose rules are left alone.
fn head_vars(head: &Head, f: &mut impl FnMut(Var)) -> bool {
    let (elements, guards) = match head {
        Head::Constraint => return true,
        Head::Atom(a) => {
            a.args.iter().for_each(|t| t.for_each_var(f));
            return true;
        }
        Head::Disjunction(elements) => (elements, &[][..]),
        Head::Aggregate { elements, guards, .. } => (elements, &guards[..]),
        Head::Show(_) | Head::Minimize { .. } | Head::Edge(..) => {
            head.terms().into_iter().for_each(|t| t.for_each_var(f));
            return true;
        }
        _ => return false,
    };
    guards.iter().for_each(|(_, t)| t.for_each_var(f));
    for e in elements {
        e.tuple.iter().for_each(|t| t.for_each_var(f));
        e.condition.iter().chain(&e.ranges).for_each(|l| literal_vars(l, f));
        match &e.literal {
            HeadLiteral::Atom(a) => a.args.iter().for_each(|t| t.for_each_var(f)),
            HeadLiteral::Other(ls) => ls.iter().flatten().for_each(|l| literal_vars(l, f)),
        }
    }
    true
}

/// Whether the head or a nested part of a rule uses a variable; yes if the rule is left alone.
pub(crate) fn is_kept(rule: &Rule, v: Var) -> bool {
    let mut kept = false;
    let mut keep = |w: Var| kept |= w == v;
    let known = head_vars(&rule.head, &mut keep);
    for l in &rule.body {
        if matches!(l, Literal::Aggregate(_) | Literal::Conditional(_) | Literal::Theory(..)) {
            literal_vars(l, &mut keep);
        }
    }
    kept || !known
}

/// Whether part and rest bind their variables by themselves.
pub(crate) fn is_safe(rule: &Rule, part: &[usize], scope: &[Var]) -> bool {
    let (inner, outer) = apply(rule, part, scope, PredId(0));
    let mut bound = vec![false; rule.vars.len()];
    if !safety::binds_all(&inner.body, &mut bound) {
        return false;
    }
    bound.fill(false);
    let mut safe = safety::binds_all(&outer.body, &mut bound);
    // Variables of the head's own elements do not matter here.
    head_vars(&rule.head, &mut |v| safe &= bound[v.0 as usize] || rule.vars[v.0 as usize].local);
    safe
}

/// The rule for the part and the rule without it; the rest starts with the auxiliary atom.
pub fn apply(rule: &Rule, part: &[usize], scope: &[Var], pred: PredId) -> (Rule, Rule) {
    let args: Vec<Term> = scope.iter().copied().map(Term::Var).collect();
    let atom = Atom { pred, args, span: Span::NONE };
    let inner: Vec<Literal> = part.iter().map(|&i| rule.body[i].clone()).collect();
    let mut outer = vec![Literal::Atom(Sign::None, atom.clone())];
    outer.extend((0..rule.body.len()).filter(|i| !part.contains(i)).map(|i| rule.body[i].clone()));
    (Rule { head: Head::Atom(atom), body: inner, ..rule.clone() }, Rule { body: outer, ..rule.clone() })
}
