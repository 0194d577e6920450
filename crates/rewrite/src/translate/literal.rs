//! Atoms and plain literals, the guards of aggregates, and the tuples that distinguish literals.
//!
//! Invariant: what a literal needs, such as ranges and equations, comes before it; equations left over by its patterns come
//! after it.

use super::projection::has_anonymous;
use super::scope::Scope;
use super::translator::Translator;
use crate::dependency::undefined;
use crate::rule::{self, Condition, Literal, Term, Var, literal_vars};
use asp_syntax::ast::{self, Relation, Sign, TermKind, UnaryOp};

impl Translator<'_> {
    pub(super) fn head_atom(
        &mut self,
        a: &ast::Atom,
        scope: &mut Scope,
        sink: &mut Vec<Literal>,
    ) -> rule::Atom {
        let args = a.args.first().map_or(&[][..], Vec::as_slice);
        let pred = self.predicate(a, args.len());
        rule::Atom { pred, args: self.terms(args, scope, sink), span: a.span }
    }

    /// An atom in a body; its predicate is marked as used.
    pub(crate) fn atom(&mut self, a: &ast::Atom, scope: &mut Scope, sink: &mut Vec<Literal>) -> rule::Atom {
        let atom = self.head_atom(a, scope, sink);
        // gringo drops what never has a value before it looks for undefined atoms.
        let is_dropped = self.from_last && atom.args.iter().any(undefined);
        let predicate = &mut self.predicates[atom.pred];
        if predicate.first_use.is_none() && !is_dropped {
            predicate.first_use = a.span;
        }
        atom
    }

    /// A negated atom in a head, where `_` is an ordinary variable that nothing binds.
    pub(super) fn negated_head_atom(
        &mut self,
        sign: Sign,
        a: &ast::Atom,
        scope: &mut Scope,
        out: &mut Vec<Literal>,
    ) {
        let atom = self.atom(a, scope, out);
        out.push(Literal::Atom(sign, atom));
    }

    /// Translates a list of plain literals.
    pub(crate) fn condition(&mut self, ls: &[ast::Literal], scope: &mut Scope) -> Condition {
        let mut out = Vec::new();
        ls.iter().for_each(|l| self.literal(l, scope, &mut out));
        out
    }

    /// Appends a literal and what it needs.
    pub(crate) fn literal(&mut self, l: &ast::Literal, scope: &mut Scope, out: &mut Vec<Literal>) {
        match &l.kind {
            ast::LiteralKind::Boolean(value) => {
                if *value == (l.sign == Sign::Not) {
                    out.push(Literal::False(l.span));
                }
            }
            ast::LiteralKind::Atom(a) => {
                // As in clingo, `_` under negation is projected out of plain atoms only.
                let mut atom = if l.sign != Sign::None && !a.negative && has_anonymous(a) {
                    self.projection(a, scope, out)
                } else {
                    self.atom(a, scope, out)
                };
                if l.sign == Sign::None {
                    let args = std::mem::take(&mut atom.args);
                    // Equations left over by patterns come after the atom, so that it is tried first.
                    let mut later = Vec::new();
                    atom.args = args.into_iter().map(|t| self.pattern(t, scope, &mut later)).collect();
                    out.push(Literal::Atom(Sign::None, atom));
                    out.append(&mut later);
                } else {
                    out.push(Literal::Atom(l.sign, atom));
                }
            }
            ast::LiteralKind::Comparison(first, rest) => {
                let negate = l.sign == Sign::Not;
                if let [(Relation::Equal, ast::Term { kind: TermKind::Interval(lo, hi), span, .. })] =
                    &rest[..]
                    && !negate
                    && !matches!(first.kind, TermKind::Interval(..))
                {
                    let t = self.term(first, scope, out);
                    let t = self.pattern(t, scope, out);
                    let (lo, hi) = (self.term(lo, scope, out), self.term(hi, scope, out));
                    out.push(Literal::Range(t, lo, hi, *span));
                    return;
                }
                let mut left = self.term(first, scope, out);
                for (relation, right) in rest {
                    let right = self.term(right, scope, out);
                    let relation = if negate { relation.negate() } else { *relation };
                    // A side of an equation may be matched: what cannot be inverted inside it becomes a separate
                    // equation.
                    let mut later = Vec::new();
                    let (mut s, mut t) = (left, right.clone());
                    if relation == Relation::Equal {
                        for side in [&mut s, &mut t] {
                            if matches!(side, Term::Fun(..) | Term::Tuple(..)) || is_twice_negated(side) {
                                let term = std::mem::replace(side, Term::Tuple(Vec::new()));
                                *side = self.pattern(term, scope, &mut later);
                            }
                        }
                    }
                    out.push(Literal::Compare(relation, s, t, l.span));
                    out.append(&mut later);
                    left = right;
                }
            }
        }
    }

    /// The tuple that stands for the literal of a set element. For atoms of the same sign, tuples are equal if and only
    /// if the atoms are; for anything else, the tuple is the element (its `ordinal`) and its variables.
    pub(super) fn literal_tuple(&mut self, ordinal: usize, translated: &[Literal]) -> Vec<Term> {
        if let Some((sign, atom)) = translated.iter().find_map(|l| match l {
            Literal::Atom(sign, atom) => Some((*sign, atom)),
            _ => None,
        }) {
            return vec![Term::Sym(self.symbols.num(sign as i64)), self.atom_term(atom)];
        }
        let mut vars: Vec<Var> = Vec::new();
        for l in translated {
            literal_vars(l, &mut |v| {
                if !vars.contains(&v) {
                    vars.push(v);
                }
            });
        }
        let ordinal = Term::Sym(self.symbols.num(-1 - ordinal as i64));
        std::iter::once(ordinal).chain(vars.into_iter().map(Term::Var)).collect()
    }

    pub(super) fn atom_term(&mut self, atom: &rule::Atom) -> Term {
        let signature = self.predicates[atom.pred].signature;
        if signature.arity == 0 {
            return Term::Sym(self.symbols.fun(signature.name, &[], signature.negative));
        }
        self.fold(Term::Fun(signature.name, signature.negative, atom.args.clone()))
    }

    pub(crate) fn guards(
        &mut self,
        g: &ast::Guards,
        scope: &mut Scope,
        sink: &mut Vec<Literal>,
    ) -> Vec<(Relation, Term)> {
        let mut out = Vec::new();
        if let Some((t, relation)) = &g.left {
            out.push((relation.flip(), self.term(t, scope, sink)));
        }
        if let Some((relation, t)) = &g.right {
            out.push((*relation, self.term(t, scope, sink)));
        }
        out
    }
}

/// Whether a term is `-(-X)`, which only matches terms that have a negation.
fn is_twice_negated(t: &Term) -> bool {
    matches!(t, Term::Unary(UnaryOp::Minus, inner, _) if matches!(**inner, Term::Negated(..)))
}
