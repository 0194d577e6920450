//! Terms of the syntax tree to terms of rules: constants replaced, intervals pulled out, arithmetic folded.
//!
//! `n+1` is 4 if `n` is 3, `2*X+1-3` is the linear term `2*X-2`, and `X*Y` as a pattern becomes a variable with an
//! equation. Invariant: a folded term is ground only if it has no value or is a single symbol.

use super::scope::Scope;
use super::translator::Translator;
use crate::arithmetic;
use crate::constants;
use crate::rule::{Literal, Term};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym};
use asp_syntax::ast::{self, BinaryOp, Relation, TermKind, UnaryOp};

impl Translator<'_> {
    pub(crate) fn terms(
        &mut self,
        ts: &[ast::Term],
        scope: &mut Scope,
        sink: &mut Vec<Literal>,
    ) -> Vec<Term> {
        // A loop: the frames of a chain of iterators would add up on deep terms.
        let mut terms = Vec::with_capacity(ts.len());
        for t in ts {
            terms.push(self.term(t, scope, sink));
        }
        terms
    }

    /// A term to be evaluated: intervals become variables with a range in `sink`.
    pub(crate) fn term(&mut self, t: &ast::Term, scope: &mut Scope, sink: &mut Vec<Literal>) -> Term {
        let raw = match &t.kind {
            TermKind::Symbol(s) => {
                let value = constants::replace(*s, self.constants, self.symbols);
                if value.is_none() {
                    // If it has no value, everything around it is dropped.
                    sink.push(Literal::False(t.span));
                }
                Term::Sym(value.unwrap_or(*s))
            }
            TermKind::Variable(name) => Term::Var(scope.named(*name, t.span)),
            TermKind::Anonymous => Term::Var(scope.fresh(t.span)),
            TermKind::Unary(op, a) => Term::Unary(*op, Box::new(self.term(a, scope, sink)), t.span),
            TermKind::Absolute(ts) => match ts.first() {
                Some(a) => Term::Absolute(Box::new(self.term(a, scope, sink)), t.span),
                None => Term::Tuple(Vec::new()),
            },
            TermKind::Binary(op, a, b) => {
                let (a, b) = (self.term(a, scope, sink), self.term(b, scope, sink));
                Term::Binary(*op, Box::new(a), Box::new(b), t.span)
            }
            TermKind::Interval(a, b) => {
                let (a, b) = (self.term(a, scope, sink), self.term(b, scope, sink));
                let v = scope.fresh(t.span);
                sink.push(Literal::Range(Term::Var(v), a, b, t.span));
                Term::Var(v)
            }
            TermKind::Function { name, args, external: true } => {
                let args = args.first().map_or(&[][..], Vec::as_slice);
                let call = Term::External(*name, self.terms(args, scope, sink), t.span);
                // Like an interval it becomes a literal, as it may have several values, or none.
                let v = scope.fresh(t.span);
                sink.push(Literal::Range(Term::Var(v), call.clone(), call, t.span));
                Term::Var(v)
            }
            // Values have been expanded before.
            TermKind::Function { name, args, .. } | TermKind::Value { name, args } => {
                let args = args.first().map_or(&[][..], Vec::as_slice);
                if args.is_empty() {
                    let value = self.constants.get(name).copied();
                    if value.is_some_and(|value| value == constants::undefined(self.symbols)) {
                        // If it has no value, everything around it is dropped.
                        sink.push(Literal::False(t.span));
                    }
                    Term::Sym(value.unwrap_or_else(|| self.symbols.constant(*name)))
                } else {
                    Term::Fun(*name, false, self.terms(args, scope, sink))
                }
            }
            TermKind::Tuple(ts) => Term::Tuple(self.terms(ts, scope, sink)),
            TermKind::Pool(ts) => match ts.first() {
                Some(a) => self.term(a, scope, sink),
                None => Term::Tuple(Vec::new()),
            },
        };
        self.fold(raw)
    }

    /// Evaluates ground terms and recognises linear ones; the arguments have been folded already.
    pub(crate) fn fold(&mut self, t: Term) -> Term {
        let ground = |ts: &[Term]| -> Option<Vec<Sym>> {
            ts.iter().map(|t| if let Term::Sym(s) = t { Some(*s) } else { None }).collect()
        };
        match t {
            Term::Fun(name, negative, args) => match ground(&args) {
                Some(args) => Term::Sym(self.symbols.fun(name, &args, negative)),
                None => Term::Fun(name, negative, args),
            },
            Term::Tuple(args) => match ground(&args) {
                Some(args) => Term::Sym(self.symbols.tuple(&args)),
                None => Term::Tuple(args),
            },
            Term::Unary(op, a, span) => match (*a, op) {
                (Term::Sym(s), _) => match arithmetic::unary(self.symbols, op, s) {
                    Ok(v) => Term::Sym(v),
                    Err(_) => Term::Unary(op, Box::new(Term::Sym(s)), span),
                },
                (Term::Var(v), UnaryOp::Minus) => Term::Negated(v, span),
                (Term::Fun(name, true, args), UnaryOp::Minus) if name == StrId::EMPTY => Term::Tuple(args),
                (Term::Fun(name, negative, args), UnaryOp::Minus) => Term::Fun(name, !negative, args),
                (Term::Tuple(args), UnaryOp::Minus) => Term::Fun(StrId::EMPTY, true, args),
                (a @ Term::Linear { .. }, UnaryOp::Minus) => {
                    scaled(&a, -1, 0, span).unwrap_or_else(|| Term::Unary(op, Box::new(a), span))
                }
                // Three minus signs are the same as one.
                (Term::Unary(UnaryOp::Minus, inner, _), UnaryOp::Minus)
                    if matches!(*inner, Term::Negated(..)) =>
                {
                    *inner
                }
                (a, _) => Term::Unary(op, Box::new(a), span),
            },
            Term::Absolute(a, span) => match *a {
                Term::Sym(s) => match arithmetic::absolute(self.symbols, s) {
                    Ok(v) => Term::Sym(v),
                    Err(_) => Term::Absolute(Box::new(Term::Sym(s)), span),
                },
                a => Term::Absolute(Box::new(a), span),
            },
            Term::Binary(op, a, b, span) => {
                if let (Term::Sym(x), Term::Sym(y)) = (&*a, &*b)
                    && let Ok(v) = arithmetic::binary(self.symbols, op, *x, *y)
                {
                    return Term::Sym(v);
                }
                let num = |t: &Term| if let Term::Sym(s) = t { self.symbols.as_num(*s) } else { None };
                let linear = match (op, num(&a), num(&b)) {
                    (BinaryOp::Add, None, Some(n)) => scaled(&a, 1, n, span),
                    (BinaryOp::Add, Some(n), None) => scaled(&b, 1, n, span),
                    (BinaryOp::Sub, None, Some(n)) => n.checked_neg().and_then(|n| scaled(&a, 1, n, span)),
                    (BinaryOp::Sub, Some(n), None) => scaled(&b, -1, n, span),
                    (BinaryOp::Mul, None, Some(n)) => scaled(&a, n, 0, span),
                    (BinaryOp::Mul, Some(n), None) => scaled(&b, n, 0, span),
                    _ => None,
                };
                linear.unwrap_or(Term::Binary(op, a, b, span))
            }
            other => other,
        }
    }

    /// A term to be matched: what cannot be inverted becomes a variable with an equation in `sink`.
    pub(crate) fn pattern(&mut self, t: Term, scope: &mut Scope, sink: &mut Vec<Literal>) -> Term {
        match t {
            Term::Sym(_) | Term::Var(_) | Term::Linear { .. } | Term::Negated(..) => t,
            Term::Fun(name, negative, args) => {
                let args = args.into_iter().map(|a| self.pattern(a, scope, sink)).collect();
                Term::Fun(name, negative, args)
            }
            Term::Tuple(args) => {
                Term::Tuple(args.into_iter().map(|a| self.pattern(a, scope, sink)).collect())
            }
            Term::Unary(UnaryOp::Minus, inner, span) if matches!(*inner, Term::Negated(..)) => {
                let v = scope.fresh(span);
                sink.push(Literal::Compare(Relation::Equal, Term::Var(v), *inner, span));
                Term::Negated(v, span)
            }
            Term::Unary(_, _, span)
            | Term::Absolute(_, span)
            | Term::Binary(_, _, _, span)
            | Term::External(_, _, span) => {
                let v = scope.fresh(span);
                sink.push(Literal::Compare(Relation::Equal, Term::Var(v), t, span));
                Term::Var(v)
            }
        }
    }
}

/// `factor * t + summand` for a variable or linear term, if the numbers fit.
fn scaled(t: &Term, factor: i64, summand: i64, span: Span) -> Option<Term> {
    let (coefficient, var, offset) = match *t {
        Term::Var(v) | Term::Negated(v, _) if factor != 0 => {
            (if matches!(t, Term::Var(_)) { factor } else { factor.checked_neg()? }, v, summand)
        }
        Term::Linear { coefficient, var, offset, .. } if factor != 0 => {
            (coefficient.checked_mul(factor)?, var, offset.checked_mul(factor)?.checked_add(summand)?)
        }
        _ => return None,
    };
    Some(Term::Linear { coefficient, var, offset, span })
}
