//! Values to variables: `$p(X)` in a literal, an element, a head.
//!
//! Equal values of one scope (the rule's own level, or one element) share a variable. Arguments that stand for several terms
//! become variables first, `$p(1..3)` as `$p(A)` with `A = 1..3`, so that the values are distinguished.

use super::{Statements, in_body, tag, term, theory, variable};
use crate::translate::unpool;
use asp_base::diagnostic::Diagnostic;
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym};
use asp_syntax::ast::*;
use asp_syntax::print;
use asp_syntax::walk::Parts;

/// The values of one scope.
#[derive(Default)]
pub(super) struct Values {
    /// Their texts and variables.
    known: Vec<(String, StrId)>,
    /// Variables made for arguments.
    pub(super) arguments: Vec<StrId>,
    /// Literals that are not in the scope yet.
    literals: Vec<Literal>,
}

impl Values {
    /// Moves the literals to a body.
    pub(super) fn flush(&mut self, body: &mut Vec<BodyElement>) {
        body.extend(self.literals.drain(..).map(in_body));
    }
    /// Moves the literals to a condition.
    pub(super) fn flush_literals(&mut self, condition: &mut Vec<Literal>) {
        condition.append(&mut self.literals);
    }
    /// Whether it is the variable of a value.
    pub(super) fn has(&self, name: StrId) -> bool {
        self.known.iter().any(|k| k.1 == name)
    }
}

/// Whether a value stands in a term.
pub(super) fn is_in(t: &Term) -> bool {
    t.walk().any(|t| matches!(t.kind, TermKind::Value { .. }))
}

/// Whether a statement has to be expanded.
pub(super) fn occurs(kind: &StatementKind) -> bool {
    let Parts { head, body, .. } = kind.parts();
    let mut found = head.is_some_and(|h| matches!(h.kind, HeadKind::Global(_)))
        || body.iter().any(|e| matches!(e.kind, BodyElementKind::Global { .. }));
    kind.each_term(&mut |t| found = found || is_in(t));
    found
}

/// All variables of a statement.
pub(super) fn names(kind: &StatementKind) -> Set<StrId> {
    let mut names = Set::default();
    kind.each_term(&mut |t| names.extend(t.variables().map(|v| v.0)));
    let Parts { head, body, .. } = kind.parts();
    let of_head = head.and_then(|h| if let HeadKind::Theory(a) = &h.kind { Some(a) } else { None });
    let of_body = body.iter().filter_map(|e| match &e.kind {
        BodyElementKind::Theory { atom, .. } => Some(atom),
        _ => None,
    });
    let atoms = of_head.into_iter().chain(of_body);
    let terms =
        atoms.flat_map(|a| a.elements.iter().flat_map(|e| &e.tuple).chain(a.guard.iter().map(|g| &g.1)));
    names.extend(terms.flat_map(theory::variables));
    names
}

/// All variables of a body.
pub(super) fn names_of_body(body: &[BodyElement]) -> Set<StrId> {
    let span = Span::NONE;
    let literal = Literal { sign: Sign::None, kind: LiteralKind::Boolean(false), span };
    let head = Head { kind: HeadKind::Literal(literal), span };
    names(&StatementKind::Rule { head, body: body.to_vec() })
}

impl Statements<'_> {
    /// Replaces the values in a term.
    pub(super) fn term(&mut self, t: &mut Term, values: &mut Values) {
        t.each_part_mut(&mut |part| self.term(part, values));
        if let TermKind::Value { name, args } = &mut t.kind {
            let (name, args, span) = (*name, std::mem::take(args), t.span);
            *t = match self.arguments(args, span, values) {
                Some(args) => self.value(name, args, span, values),
                None => term(TermKind::Symbol(Sym::INF), span),
            };
        }
    }

    /// One list of arguments without pools, intervals and anonymous variables; `None` after an error.
    fn arguments(&mut self, mut lists: Vec<Vec<Term>>, span: Span, values: &mut Values) -> Option<Vec<Term>> {
        let mut list = if lists.len() < 2 { lists.pop().unwrap_or_default() } else { Vec::new() };
        let equation = |to: Term, from: Term| super::compare(to, Relation::Equal, from, span);
        if let [first, ..] = &lists[..] {
            if lists.iter().any(|other| other.len() != first.len()) {
                let text = "the alternatives have different numbers of arguments";
                let help = "each of them stands for the value of another predicate; write them one by one";
                self.error(Diagnostic::error(span, text).help(help));
                return None;
            }
            list = (0..first.len()).map(|_| self.argument(span, values)).collect();
            let tuple = |list: Vec<Term>| match <[Term; 1]>::try_from(list) {
                Ok([one]) => one,
                Err(list) => term(TermKind::Tuple(list), span),
            };
            let members = lists.into_iter().map(tuple).collect();
            values.literals.push(equation(tuple(list.clone()), term(TermKind::Pool(members), span)));
            return Some(list);
        }
        for t in &mut list {
            if unpool::has_pool(t) || unpool::has_interval(t) {
                let to = self.argument(t.span, values);
                let from = std::mem::replace(t, to.clone());
                values.literals.push(equation(to, from));
            } else {
                self.name_anonymous(t, values);
            }
        }
        Some(list)
    }

    /// A variable for an argument.
    fn argument(&mut self, span: Span, values: &mut Values) -> Term {
        let name = self.fresh("arg");
        values.arguments.push(name);
        variable(name, span)
    }

    fn name_anonymous(&mut self, t: &mut Term, values: &mut Values) {
        match t.kind {
            TermKind::Anonymous => *t = self.argument(t.span, values),
            _ => t.each_part_mut(&mut |part| self.name_anonymous(part, values)),
        }
    }

    /// The variable of a value, which joins the scope if it is new.
    fn value(&mut self, name: StrId, mut args: Vec<Term>, span: Span, values: &mut Values) -> Term {
        self.expander.values.insert(span);
        self.expander.functions.insert((name, args.len() + 1));
        let key = TermKind::Value { name, args: vec![args.clone()] };
        let key = print::term(&term(key, span), self.symbols);
        if let Some(&(_, known)) = values.known.iter().find(|k| k.0 == key) {
            return variable(known, span);
        }
        let like = self.symbols.str(name).to_string();
        let v = self.fresh(&like);
        values.known.push((key, v));
        args.push(variable(v, span));
        let atom = Atom { name, args: vec![args], negative: false, span };
        values.literals.push(Literal { sign: Sign::None, kind: LiteralKind::Atom(atom), span });
        variable(v, span)
    }

    pub(super) fn atom(&mut self, a: &mut Atom, values: &mut Values) {
        a.args.iter_mut().flatten().for_each(|t| self.term(t, values));
    }

    fn literal(&mut self, l: &mut Literal, values: &mut Values) {
        match &mut l.kind {
            LiteralKind::Boolean(_) => {}
            LiteralKind::Atom(a) => self.atom(a, values),
            LiteralKind::Comparison(first, rest) => {
                self.term(first, values);
                rest.iter_mut().for_each(|(_, t)| self.term(t, values));
            }
        }
    }

    fn guards(&mut self, g: &mut Guards, values: &mut Values) {
        g.left.iter_mut().for_each(|(t, _)| self.term(t, values));
        g.right.iter_mut().for_each(|(_, t)| self.term(t, values));
    }

    /// Replaces the values in a condition, each with its literal before the first use.
    pub(super) fn condition(&mut self, condition: &mut Vec<Literal>, values: &mut Values) {
        let old = std::mem::take(condition);
        for mut l in old {
            self.literal(&mut l, values);
            values.flush_literals(condition);
            condition.push(l);
        }
    }

    fn conditional(&mut self, c: &mut ConditionalLiteral) {
        let mut values = Values::default();
        self.condition(&mut c.condition, &mut values);
        self.literal(&mut c.literal, &mut values);
        values.flush_literals(&mut c.condition);
    }

    fn theory_atom(&mut self, a: &mut TheoryAtom, values: &mut Values) {
        a.args.iter_mut().flatten().for_each(|t| self.term(t, values));
        for e in &mut a.elements {
            self.condition(&mut e.condition, &mut Values::default());
        }
    }

    /// The tuple of an element; a lone weight is told apart from all others.
    fn tuple(
        &mut self,
        function: AggregateFunction,
        tuple: &mut Vec<Term>,
        literal: Option<&Literal>,
        condition: &mut Vec<Literal>,
        values: &mut Values,
        tags: &mut Map<String, u32>,
    ) {
        let is_sum = matches!(function, AggregateFunction::Sum | AggregateFunction::SumPlus);
        let alone = is_sum && tuple.len() == 1 && is_in(&tuple[0]);
        let text = tuple.first().map(|t| print::term(t, self.symbols)).unwrap_or_default();
        tuple.iter_mut().for_each(|t| self.term(t, values));
        values.flush_literals(condition);
        if alone {
            let literals = literal.into_iter().chain(&*condition);
            let own = self.own_variables(tuple.iter().chain(literals.flat_map(Literal::terms)), values);
            let tag = self.string(&tag(&text, tags));
            tuple.push(tag);
            tuple.extend(own.into_iter().map(|name| variable(name, self.span)));
        }
    }

    /// The local variables of an element's terms that are not those of values, in the order of the text.
    pub(super) fn own_variables<'t>(
        &self,
        terms: impl Iterator<Item = &'t Term>,
        values: &Values,
    ) -> Vec<StrId> {
        let mut own = Vec::new();
        for (name, _) in terms.flat_map(Term::variables) {
            if !own.contains(&name) && !self.globals.contains(&name) && !values.has(name) {
                own.push(name);
            }
        }
        own
    }

    pub(super) fn body_element(&mut self, e: &mut BodyElement, values: &mut Values) {
        match &mut e.kind {
            BodyElementKind::Literal(l) => self.literal(l, values),
            BodyElementKind::Conditional(c) => self.conditional(c),
            BodyElementKind::Aggregate { function, guards, elements, .. } => {
                self.guards(guards, values);
                let mut tags = Map::default();
                for e in elements {
                    let mut own = Values::default();
                    self.condition(&mut e.condition, &mut own);
                    self.tuple(*function, &mut e.tuple, None, &mut e.condition, &mut own, &mut tags);
                }
            }
            BodyElementKind::SetAggregate { guards, elements, .. } => {
                self.guards(guards, values);
                elements.iter_mut().for_each(|e| self.conditional(e));
            }
            BodyElementKind::Theory { atom, .. } => self.theory_atom(atom, values),
            BodyElementKind::Global { sign, atom } => {
                if let Some(kind) = self.in_body(*sign, atom) {
                    e.kind = kind;
                }
            }
        }
    }

    /// Replaces the values in a head; a constraint over several terms is moved out of it.
    pub(super) fn head(&mut self, head: &mut Head, values: &mut Values, moved: &mut Option<GlobalAtom>) {
        match &mut head.kind {
            HeadKind::Literal(l) => self.literal(l, values),
            HeadKind::Disjunction(elements) => {
                for e in elements {
                    if e.condition.is_empty() {
                        self.literal(&mut e.literal, values);
                    } else {
                        self.conditional(e);
                    }
                }
            }
            HeadKind::Choice { guards, elements } => {
                self.guards(guards, values);
                elements.iter_mut().for_each(|e| self.conditional(e));
            }
            HeadKind::Aggregate { function, guards, elements } => {
                self.guards(guards, values);
                let mut tags = Map::default();
                for e in elements {
                    let mut own = Values::default();
                    self.condition(&mut e.condition, &mut own);
                    self.literal(&mut e.literal, &mut own);
                    own.flush_literals(&mut e.condition);
                    let (tuple, condition) = (&mut e.tuple, &mut e.condition);
                    self.tuple(*function, tuple, Some(&e.literal), condition, &mut own, &mut tags);
                }
            }
            HeadKind::Theory(atom) => self.theory_atom(atom, values),
            HeadKind::Global(atom) => *moved = Some(atom.clone()),
        }
    }
}
