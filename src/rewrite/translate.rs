//! Statements to rules: variables numbered, constants replaced, intervals and uninvertible arithmetic pulled out.
//!
//! `p(X,1..n) :- q(X+1), not r(X,_).` becomes `p(X,I) :- q(X+1), I in 1..3, not #p(X).` and `#p(A) :- r(A,_).`
//!
//! Invariant: a variable inside an element of an aggregate, conditional literal or theory atom is local to it unless
//! its name also occurs at the rule's own level (Gebser, Harrison, Kaminski, Lifschitz, Schaub, *Abstract Gringo*,
//! TPLP 2015).

use super::arithmetic;
use super::constants::Constants;
use super::head::Heads;
use super::pool_size;
use super::predicate::{PredId, Predicates};
use super::projection::{Projection, has_anonymous};
use super::rule::{
    self, Aggregate, AggregateElement, Condition, Conditional, Head, Literal, Rule, Term, Var,
};
use super::scope::{self, Scope};
use super::theory::{Place, Theories};
use super::unpool;
use crate::base::diagnostic::Diagnostic;
use crate::base::map::Set;
use crate::base::signature::Signature;
use crate::base::span::{RuleSource, Span};
use crate::base::symbol::{StrId, Sym, Symbols};
use crate::syntax::ast::{
    self, AggregateFunction, BinaryOp, Relation, Sign, StatementKind, TermKind, UnaryOp,
};

/// Literals and terms that the pools of one statement may stand for, about 200 MB; more if it is as long itself.
const MOST_PARTS: u64 = 2_000_000;
/// Literals and terms for each of its bytes: a long list of facts written as one pool does not multiply.
const PARTS_A_BYTE: u64 = 4;

/// Translates statements; keep one for all statements of a grounding step.
pub struct Translator<'a> {
    /// All terms.
    pub symbols: &'a mut Symbols,
    /// All predicates.
    pub predicates: &'a mut Predicates,
    /// Values of constants (and of the program part's parameters).
    pub constants: &'a Constants,
    /// Definitions of theories.
    pub theories: &'a Theories,
    /// Errors found.
    pub diagnostics: &'a mut Vec<Diagnostic>,
    /// The rules so far.
    pub rules: Vec<Rule>,
    /// Projections made so far.
    pub(super) projections: Vec<Projection>,
}

impl<'a> Translator<'a> {
    /// A translator without rules.
    pub fn new(
        symbols: &'a mut Symbols,
        predicates: &'a mut Predicates,
        constants: &'a Constants,
        theories: &'a Theories,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self {
            symbols,
            predicates,
            constants,
            theories,
            diagnostics,
            rules: Vec::new(),
            projections: Vec::new(),
        }
    }

    /// Translates one statement; directives that are not rules (parts, constants, signatures) are not for here.
    pub fn statement(&mut self, statement: &ast::Statement, source: RuleSource) {
        let bytes = u64::from(statement.span.hi.saturating_sub(statement.span.lo));
        if pool_size::of_statement(statement) > MOST_PARTS.max(PARTS_A_BYTE * bytes) {
            let text = "the pools of this statement multiply to too many statements";
            let help = "use a predicate for the members: `d(1;2;3). p(X) :- d(X).`";
            self.diagnostics.push(Diagnostic::error(statement.span, text).help(help));
            return;
        }
        for kind in unpool::unpool_statement(statement) {
            self.rule(&kind, statement.span, source);
        }
    }

    fn rule(&mut self, kind: &StatementKind, span: Span, source: RuleSource) {
        let mut scope = Scope::default();
        self.collect_globals(kind, &mut scope);
        let mut body = Vec::new();
        let head = match kind {
            StatementKind::Rule { head, body: elements } => {
                self.body(elements, &mut scope, &mut body);
                match self.head(head, elements.is_empty(), &mut scope, &mut body) {
                    Some(Heads::One(head)) => head,
                    Some(Heads::NegatedChain(first, rest)) => {
                        // A chain in a head holds if all of its links do: one constraint a link.
                        let mut left = first;
                        for (relation, right) in rest {
                            let mut body = body.clone();
                            body.push(Literal::Compare(relation.negate(), left, right.clone(), span));
                            left = right;
                            self.push(Head::Constraint, body, &scope, span, source);
                        }
                        return;
                    }
                    // It says nothing, but its variables must be safe.
                    None => {
                        body.push(Literal::False(span));
                        Head::Constraint
                    }
                }
            }
            StatementKind::Minimize { weight, priority, tuple, body: elements, maximize } => {
                self.body(elements, &mut scope, &mut body);
                let mut weight = self.term(weight, &mut scope, &mut body);
                if *maximize {
                    weight = self.fold(Term::Unary(UnaryOp::Minus, Box::new(weight), span));
                }
                let priority = match priority {
                    Some(p) => self.term(p, &mut scope, &mut body),
                    None => Term::Sym(self.symbols.num(0)),
                };
                let tuple = self.terms(tuple, &mut scope, &mut body);
                Head::Minimize { weight, priority, tuple }
            }
            StatementKind::ShowTerm { term, body: elements } => {
                self.body(elements, &mut scope, &mut body);
                Head::Show(self.term(term, &mut scope, &mut body))
            }
            StatementKind::ProjectAtom { atom, body: elements } => {
                self.body(elements, &mut scope, &mut body);
                let atom = self.atom(atom, &mut scope, &mut body);
                // It binds its own variables: `#project p(X).` is about all atoms of `p/1`.
                body.push(Literal::Atom(Sign::None, atom.clone()));
                Head::Project(atom)
            }
            StatementKind::External { atom, body: elements, value } => {
                self.body(elements, &mut scope, &mut body);
                let atom = self.head_atom(atom, &mut scope, &mut body);
                let value = match value {
                    Some(t) => self.term(t, &mut scope, &mut body),
                    None => {
                        let name = self.symbols.intern("false");
                        Term::Sym(self.symbols.constant(name))
                    }
                };
                Head::External(atom, value)
            }
            StatementKind::Heuristic { atom, body: elements, weight, priority, modifier } => {
                self.body(elements, &mut scope, &mut body);
                let atom = self.atom(atom, &mut scope, &mut body);
                // As with projection, the atom binds its own variables; the emitted condition leaves it out.
                body.push(Literal::Atom(Sign::None, atom.clone()));
                let weight = self.term(weight, &mut scope, &mut body);
                let priority = match priority {
                    Some(p) => self.term(p, &mut scope, &mut body),
                    None => Term::Sym(self.symbols.num(0)),
                };
                let modifier = self.term(modifier, &mut scope, &mut body);
                Head::Heuristic { atom, weight, priority, modifier }
            }
            StatementKind::Edge { pairs, body: elements } => {
                self.body(elements, &mut scope, &mut body);
                let Some((u, v)) = pairs.first() else { return };
                let u = self.term(u, &mut scope, &mut body);
                Head::Edge(u, self.term(v, &mut scope, &mut body))
            }
            _ => return,
        };
        self.push(head, body, &scope, span, source);
    }

    fn push(&mut self, head: Head, body: Vec<Literal>, scope: &Scope, span: Span, source: RuleSource) {
        head.for_each_atom(&mut |a| self.predicates[a.pred].defined = true);
        self.rules.push(Rule { head, body, vars: scope.vars.clone(), span, source });
    }

    // ---- terms -----------------------------------------------------------------------------------------------

    pub(super) fn terms(
        &mut self,
        ts: &[ast::Term],
        scope: &mut Scope,
        sink: &mut Vec<Literal>,
    ) -> Vec<Term> {
        ts.iter().map(|t| self.term(t, scope, sink)).collect()
    }

    /// A term to be evaluated: intervals become variables with a range in `sink`.
    pub(super) fn term(&mut self, t: &ast::Term, scope: &mut Scope, sink: &mut Vec<Literal>) -> Term {
        let raw = match &t.kind {
            TermKind::Symbol(s) => Term::Sym(*s),
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
                // Like an interval it is a literal of its own: without a value, all around it is dropped.
                let v = scope.fresh(t.span);
                sink.push(Literal::Compare(Relation::Equal, Term::Var(v), call, t.span));
                Term::Var(v)
            }
            TermKind::Function { name, args, .. } => {
                let args = args.first().map_or(&[][..], Vec::as_slice);
                if args.is_empty() {
                    let value = self.constants.get(name).copied();
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

    /// Evaluates what is ground and recognises linear terms; the arguments are folded already.
    pub(super) fn fold(&mut self, t: Term) -> Term {
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
                // Three signs are as good as one.
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
                if let (Term::Sym(x), Term::Sym(y)) = (&*a, &*b) {
                    if let Ok(v) = arithmetic::binary(self.symbols, op, *x, *y) {
                        return Term::Sym(v);
                    }
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
    pub(super) fn pattern(&mut self, t: Term, scope: &mut Scope, sink: &mut Vec<Literal>) -> Term {
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

    // ---- atoms and literals ----------------------------------------------------------------------------------

    pub(super) fn predicate(&mut self, a: &ast::Atom, arity: usize) -> PredId {
        self.predicates.get(Signature { name: a.name, arity: arity as u32, negative: a.negative })
    }

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

    /// An atom in a body: its predicate is used.
    pub(super) fn atom(&mut self, a: &ast::Atom, scope: &mut Scope, sink: &mut Vec<Literal>) -> rule::Atom {
        let atom = self.head_atom(a, scope, sink);
        let predicate = &mut self.predicates[atom.pred];
        if predicate.first_use.is_none() {
            predicate.first_use = a.span;
        }
        atom
    }

    /// A negated atom in a head, where `_` is a variable like others and bound by nothing.
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
    pub(super) fn condition(&mut self, ls: &[ast::Literal], scope: &mut Scope) -> Condition {
        let mut out = Vec::new();
        ls.iter().for_each(|l| self.literal(l, scope, &mut out));
        out
    }

    /// Appends a literal and what it needs.
    pub(super) fn literal(&mut self, l: &ast::Literal, scope: &mut Scope, out: &mut Vec<Literal>) {
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
                    // Equations that patterns leave behind come after the atom, so that it is tried first.
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
                if let [(Relation::Equal, ast::Term { kind: TermKind::Interval(lo, hi), .. })] = &rest[..] {
                    if !negate && !matches!(first.kind, TermKind::Interval(..)) {
                        let t = self.term(first, scope, out);
                        let t = self.pattern(t, scope, out);
                        let (lo, hi) = (self.term(lo, scope, out), self.term(hi, scope, out));
                        out.push(Literal::Range(t, lo, hi, l.span));
                        return;
                    }
                }
                let mut left = self.term(first, scope, out);
                for (relation, right) in rest {
                    let right = self.term(right, scope, out);
                    let relation = if negate { relation.negate() } else { *relation };
                    // A side of an equation may be matched: what cannot be inverted inside it stands apart.
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

    // ---- bodies ----------------------------------------------------------------------------------------------

    fn body(&mut self, elements: &[ast::BodyElement], scope: &mut Scope, out: &mut Vec<Literal>) {
        for e in elements {
            match &e.kind {
                ast::BodyElementKind::Literal(l) => self.literal(l, scope, out),
                ast::BodyElementKind::Conditional(c) => {
                    // With an empty condition it is as good as plain if it binds nothing.
                    let plain = c.condition.is_empty() && !scope::has_variables(&c.literal);
                    if plain && unpool::literal(&c.literal).len() == 1 {
                        self.literal(&c.literal, scope, out);
                        continue;
                    }
                    for condition in unpool::literals(&c.condition) {
                        let conditional = self.conditional(c, &condition, scope);
                        out.push(Literal::Conditional(Box::new(conditional)));
                    }
                }
                ast::BodyElementKind::Aggregate { sign, function, guards, elements } => {
                    let guards = self.guards(guards, scope, out);
                    let mut translated = Vec::new();
                    for element in elements {
                        for tuple in unpool::terms(&element.tuple) {
                            for condition in unpool::literals(&element.condition) {
                                translated.push(scope.element(|scope| {
                                    let mut condition = self.condition(&condition, scope);
                                    let tuple = self.terms(&tuple, scope, &mut condition);
                                    AggregateElement { tuple, condition, span: element.span }
                                }));
                            }
                        }
                    }
                    out.push(aggregate(*sign, *function, false, guards, translated, scope, e.span));
                }
                ast::BodyElementKind::SetAggregate { sign, guards, elements } => {
                    let guards = self.guards(guards, scope, out);
                    let mut translated = Vec::new();
                    for element in elements {
                        // The alternatives of a negated chain are one element.
                        let links = unpool::links(&element.literal);
                        let first = translated.len();
                        for (i, literal) in unpool::literal(&element.literal).into_iter().enumerate() {
                            let conditions = unpool::literals(&element.condition);
                            for (k, condition) in conditions.iter().enumerate() {
                                let ordinal = first + i / links * conditions.len() + k;
                                let literals = (&literal, (links > 1).then_some(&element.literal));
                                translated.push(self.set_element(
                                    ordinal,
                                    literals,
                                    condition,
                                    element.span,
                                    scope,
                                ));
                            }
                        }
                    }
                    let count = AggregateFunction::Count;
                    out.push(aggregate(*sign, count, true, guards, translated, scope, e.span));
                }
                ast::BodyElementKind::Theory { sign, atom } => {
                    if let Some(atom) = self.theory_atom(atom, Place::Body, scope, out) {
                        out.push(Literal::Theory(*sign, Box::new(atom)));
                    }
                }
            }
        }
    }

    fn conditional(
        &mut self,
        c: &ast::ConditionalLiteral,
        condition: &[ast::Literal],
        scope: &mut Scope,
    ) -> Conditional {
        scope.element(|scope| {
            let condition = self.condition(condition, scope);
            let heads: Vec<Condition> = unpool::literal(&c.literal)
                .iter()
                .map(|l| {
                    let mut out = Vec::new();
                    self.literal(l, scope, &mut out);
                    out
                })
                .collect();
            let mut globals = Set::default();
            for l in condition.iter().chain(heads.iter().flatten()) {
                literal_vars(l, &mut |v| {
                    globals.insert(v);
                });
            }
            Conditional { heads, condition, globals: sorted_globals(globals, scope), span: c.span }
        })
    }

    /// An element of a set aggregate; its tuple is the literal itself, or the variables of the chain that it is a link
    /// of.
    fn set_element(
        &mut self,
        ordinal: usize,
        (literal, chain): (&ast::Literal, Option<&ast::Literal>),
        condition: &[ast::Literal],
        span: Span,
        scope: &mut Scope,
    ) -> AggregateElement {
        scope.element(|scope| {
            let mut out = Vec::new();
            self.literal(literal, scope, &mut out);
            let mut tuple = self.literal_tuple(ordinal, &out);
            if let Some(chain) = chain {
                tuple.truncate(1);
                tuple.extend(scope.variables(chain).into_iter().map(Term::Var));
                // An anonymous variable of another link is bound by nothing here.
                let (all, own) = (scope::anonymous(chain), scope::anonymous(literal));
                let others = all.into_iter().filter(|span| !own.contains(span));
                tuple.extend(others.map(|span| Term::Var(scope.fresh(span))));
            }
            out.append(&mut self.condition(condition, scope));
            AggregateElement { tuple, condition: out, span }
        })
    }

    /// The tuple that stands for the literal of a set element: the same for two atoms with equal signs exactly if they
    /// are equal; for anything else the element (by `ordinal`) and its variables.
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

    pub(super) fn guards(
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

/// Whether a term is `-(-X)`, which only terms match that have a negation.
fn is_twice_negated(t: &Term) -> bool {
    matches!(t, Term::Unary(UnaryOp::Minus, inner, _) if matches!(**inner, Term::Negated(..)))
}

/// `factor * t + summand` of a variable or linear term, if the numbers fit.
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

fn aggregate(
    sign: Sign,
    function: AggregateFunction,
    set: bool,
    guards: Vec<(Relation, Term)>,
    elements: Vec<AggregateElement>,
    scope: &Scope,
    span: Span,
) -> Literal {
    let mut globals = Set::default();
    for e in &elements {
        let mut add = |v| {
            globals.insert(v);
        };
        e.tuple.iter().for_each(|t| t.for_each_var(&mut add));
        e.condition.iter().for_each(|l| literal_vars(l, &mut add));
    }
    let globals = sorted_globals(globals, scope);
    Literal::Aggregate(Box::new(Aggregate { sign, function, set, guards, elements, globals, span }))
}

pub(super) fn sorted_globals(vars: Set<Var>, scope: &Scope) -> Vec<Var> {
    let mut out: Vec<Var> = vars.into_iter().filter(|&v| scope.is_global(v)).collect();
    out.sort_unstable();
    out
}

/// Calls `f` for each variable of a literal.
pub fn literal_vars(l: &Literal, f: &mut impl FnMut(Var)) {
    match l {
        Literal::Atom(_, a) => a.args.iter().for_each(|t| t.for_each_var(f)),
        Literal::Compare(_, s, t, _) => {
            s.for_each_var(f);
            t.for_each_var(f);
        }
        Literal::Range(t, lo, hi, _) => [t, lo, hi].into_iter().for_each(|t| t.for_each_var(f)),
        Literal::False(_) => {}
        Literal::Aggregate(a) => {
            a.guards.iter().for_each(|(_, t)| t.for_each_var(f));
            a.globals.iter().for_each(|&v| f(v));
        }
        Literal::Conditional(c) => c.globals.iter().for_each(|&v| f(v)),
        Literal::Theory(_, a) => a.globals.iter().for_each(|&v| f(v)),
    }
}
