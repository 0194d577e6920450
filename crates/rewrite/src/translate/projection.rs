//! Anonymous variables under negation: `not p(t,_)` becomes `not q(t)` with `q(X) :- p(X,_).`
//!
//! Ground parts of the pattern stay in it: of `not p(3,_)`, only the atoms `p(3,...)` are projected. Invariant: equal
//! patterns share one auxiliary predicate in all grounding calls; each call that uses it has its rule once, for the
//! atoms that are new since the last call.

use super::scope::Scope;
use super::translator::{Projection, Translator};
use crate::rule::{self, Head, Literal, Rule, Term, Var, VarInfo};
use asp_base::signature::Signature;
use asp_base::span::RuleSource;
use asp_syntax::ast::{self, Sign, TermKind};

impl Translator<'_> {
    /// `p(t,_)` under negation as an atom of an auxiliary predicate that holds for the `t` with some `p(t,_)`.
    pub(crate) fn projection(
        &mut self,
        a: &ast::Atom,
        scope: &mut Scope,
        sink: &mut Vec<Literal>,
    ) -> rule::Atom {
        let args = a.args.first().map_or(&[][..], Vec::as_slice);
        let pred = self.predicate(a, args.len());
        if self.predicates[pred].first_use.is_none() {
            self.predicates[pred].first_use = a.span;
        }
        let (mut inner, mut kept) = (Scope::default(), Vec::new());
        let pattern: Vec<Term> =
            args.iter().map(|t| self.split(t, scope, sink, &mut inner, &mut kept)).collect();
        let keeps: Vec<bool> = inner.vars.iter().map(|v| v.local).collect();
        let call = self.projections.call;
        let known = self.projections.of.entry(pred).or_default();
        let same = |k: &&mut Projection| k.pattern == pattern && k.keeps == keeps;
        let (auxiliary, is_new) = match known.iter_mut().find(same) {
            Some(k) => (k.auxiliary, std::mem::replace(&mut k.call, call) != call),
            None => {
                let signature = Signature { name: a.name, arity: kept.len() as u32, negative: false };
                let auxiliary = self.predicates.add_auxiliary(signature);
                self.predicates[auxiliary].projected = Some(0);
                known.push(Projection { pattern: pattern.clone(), keeps, auxiliary, call });
                (auxiliary, true)
            }
        };
        if is_new {
            let local = inner.vars.iter().enumerate().filter(|(_, v)| v.local);
            let args = local.map(|(i, _)| Term::Var(Var(i as u32))).collect();
            let head = Head::Atom(rule::Atom { pred: auxiliary, args, span: a.span });
            let vars = inner.vars.iter().map(|v| VarInfo { local: false, ..*v }).collect();
            let atom = rule::Atom { pred, args: pattern, span: a.span };
            let body = vec![Literal::Atom(Sign::None, atom)];
            self.rules.push(Rule { head, body, vars, span: a.span, source: RuleSource::NONE });
        }
        rule::Atom { pred: auxiliary, args: kept, span: a.span }
    }

    /// Splits a term at its anonymous variables: subterms without any stay if they are ground; others go to `kept`, with
    /// a variable of `inner` (marked local) in their place.
    fn split(
        &mut self,
        t: &ast::Term,
        scope: &mut Scope,
        sink: &mut Vec<Literal>,
        inner: &mut Scope,
        kept: &mut Vec<Term>,
    ) -> Term {
        match &t.kind {
            TermKind::Anonymous => Term::Var(inner.fresh(t.span)),
            TermKind::Function { name, args, external: false }
                if term_has_anonymous(t) && args.len() == 1 =>
            {
                Term::Fun(
                    *name,
                    false,
                    args[0].iter().map(|a| self.split(a, scope, sink, inner, kept)).collect(),
                )
            }
            TermKind::Tuple(ts) if term_has_anonymous(t) => {
                Term::Tuple(ts.iter().map(|a| self.split(a, scope, sink, inner, kept)).collect())
            }
            _ => {
                let term = self.term(t, scope, sink);
                if matches!(term, Term::Sym(_)) {
                    return term;
                }
                kept.push(term);
                inner.vars.push(VarInfo { name: None, span: t.span, local: true });
                Term::Var(Var(inner.vars.len() as u32 - 1))
            }
        }
    }
}

/// Whether an anonymous variable stands in a term.
fn term_has_anonymous(t: &ast::Term) -> bool {
    t.anonymous().next().is_some()
}

/// Whether an atom has an anonymous variable.
pub(super) fn has_anonymous(a: &ast::Atom) -> bool {
    a.terms().any(term_has_anonymous)
}
