//! Statements to rules: variables numbered, constants replaced, intervals and uninvertible arithmetic pulled out.
//!
//! `p(X,1..n) :- q(X+1), not r(X,_).` becomes `p(X,I) :- q(X+1), I in 1..3, not #p(X).` and `#p(A) :- r(A,_).`
//!
//! Invariant: a variable inside an element of an aggregate, conditional literal or theory atom is local to it unless
//! its name also occurs at the rule's own level (Gebser, Harrison, Kaminski, Lifschitz, Schaub, *Abstract Gringo*,
//! TPLP 2015).

mod head;
mod literal;
mod pool_size;
mod projection;
pub(super) mod scope;
mod term;
mod theory_atom;
pub mod translator;
pub mod unpool;

use super::rule::{
    Aggregate, AggregateElement, Condition, Conditional, Head, Literal, Rule, Term, literal_vars,
};
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Set;
use asp_base::span::{RuleSource, Span};
use asp_syntax::ast::{self, AggregateFunction, Relation, Sign, StatementKind, UnaryOp};
use head::Heads;
use scope::Scope;
use theory_atom::Place;
use translator::Translator;

/// Limit on the literals and terms that the pools of one statement stand for, about 200 MB; raised for long statements.
const MAX_PARTS: u64 = 2_000_000;
/// Limit per byte of the statement: a long list of facts written as one pool does not multiply.
const MAX_PARTS_PER_BYTE: u64 = 4;

impl Translator<'_> {
    /// Translates one statement; must not be called for directives that are not rules (parts, constants, signatures).
    pub fn statement(&mut self, statement: &ast::Statement, source: RuleSource) {
        if self.from_last {
            self.number_from_last(statement);
        }
        let bytes = u64::from(statement.span.hi.saturating_sub(statement.span.lo));
        if pool_size::of_statement(statement) > MAX_PARTS.max(MAX_PARTS_PER_BYTE * bytes) {
            let text = "the pools of this statement expand to too many statements";
            let help = "use a predicate for the members: `d(1;2;3). p(X) :- d(X).`";
            self.diagnostics.push(Diagnostic::error(statement.span, text).help(help));
            return;
        }
        for kind in unpool::distinct(unpool::unpool_statement(statement), self.symbols) {
            self.rule(&kind, statement.span, source);
        }
    }

    fn rule(&mut self, kind: &StatementKind, span: Span, source: RuleSource) {
        let mut scope = Scope::default();
        scope::name_globals(kind, &mut scope);
        let mut body = Vec::new();
        let head = match kind {
            StatementKind::Rule { head, body: elements } => {
                self.body(elements, &mut scope, &mut body);
                match self.head(head, elements.is_empty(), &mut scope, &mut body) {
                    Some(Heads::One(head)) => head,
                    Some(Heads::NegatedChain(first, rest)) => {
                        // A chain in a head holds if all its links do: one constraint per link.
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
                // As with projection, the atom binds its own variables; the condition that is written leaves it out.
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
            StatementKind::ShowNothing
            | StatementKind::ShowSignature(_)
            | StatementKind::ProjectSignature(_)
            | StatementKind::Defined(_)
            | StatementKind::Const { .. }
            | StatementKind::Part { .. }
            | StatementKind::Theory(_)
            | StatementKind::Script { .. }
            | StatementKind::Include { .. }
            | StatementKind::IncludeBuiltin { .. }
            | StatementKind::Query(_) => return,
        };
        self.push(head, body, &scope, span, source);
    }

    fn push(&mut self, head: Head, body: Vec<Literal>, scope: &Scope, span: Span, source: RuleSource) {
        head.for_each_atom(&mut |a| self.predicates[a.pred].defined = true);
        self.rules.push(Rule { head, body, vars: scope.vars.clone(), span, source });
    }

    fn body(&mut self, elements: &[ast::BodyElement], scope: &mut Scope, out: &mut Vec<Literal>) {
        for e in elements {
            match &e.kind {
                ast::BodyElementKind::Literal(l) => self.literal(l, scope, out),
                ast::BodyElementKind::Conditional(c) => {
                    // With an empty condition it is a plain literal if it binds nothing.
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
                            let (number, conditions) = unpool::conditions(&element.condition);
                            for (k, condition) in &conditions {
                                let ordinal = first + i / links * number + k;
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
                // It has been expanded before.
                ast::BodyElementKind::Global { .. } => {}
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
            Conditional { heads, condition, globals: scope.globals(globals), span: c.span }
        })
    }

    /// An element of a set aggregate; its tuple is the literal itself, or the variables of the chain that it belongs to.
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
                // An anonymous variable of another link is not bound by anything here.
                let (all, own) = (scope::anonymous(chain), scope::anonymous(literal));
                let others = all.into_iter().filter(|span| !own.contains(span));
                tuple.extend(others.map(|span| Term::Var(scope.fresh(span))));
            }
            out.append(&mut self.condition(condition, scope));
            AggregateElement { tuple, condition: out, span }
        })
    }
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
    let globals = scope.globals(globals);
    Literal::Aggregate(Box::new(Aggregate { sign, function, set, guards, elements, globals, span }))
}
