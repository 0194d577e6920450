//! Constraints over several terms: rules that forbid two elements, or too many at one time.
//!
//! `#distinct { $v(X) : d(X) }.` becomes `:- d(X), v(X,V), d(X2), v(X2,V2), X < X2, V = V2.`, which the rewriting `exclusion` turns
//! into one at-most-one constraint a value. `#disjoint` compares starts and ends of two intervals in the same way; the rewriting
//! `equations` makes a sum of it where domains are large. In a body it is asked whether there is such a pair.
//! `#cumulative { $s(X)@D,R : d(X,D,R) } <= C.` becomes `start(S) :- d(X,D,R), s(X,S).` and
//! `:- start(T), #sum+ { R,X,D : d(X,D,R), s(X,S), S <= T, T < S+D } > C.`: what is needed is most where something starts.
//!
//! Elements of `#distinct` and `#disjoint` differ if the variables of their terms do, those of `#cumulative` if any variables do.

use super::rename::{self, Renaming};
use super::value::{Values, names_of_body};
use super::{AUXILIARY, Statements, binary, compare, in_body, term, variable};
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;
use asp_base::symbol::StrId;
use asp_syntax::ast::*;

/// An element with its values replaced.
#[derive(Clone)]
struct Element {
    term: Term,
    duration: Option<Term>,
    amount: Option<Term>,
    condition: Vec<Literal>,
    /// The variables of its terms, without those of values.
    of_terms: Vec<StrId>,
    /// All of its own variables, without those of values.
    all: Vec<StrId>,
    span: Span,
}

impl Statements<'_> {
    /// Forbids what breaks a constraint where a body holds.
    pub(super) fn constraint(&mut self, atom: &GlobalAtom, body: Vec<BodyElement>) {
        // The variables of the elements become the rule's, so they must not clash with others.
        let taken = names_of_body(&body);
        let elements: Vec<Element> = atom.elements.iter().map(|e| self.element(e)).collect();
        let elements: Vec<Element> =
            elements.iter().map(|e| self.copy(e, |name| taken.contains(&name))).collect();
        match atom.kind {
            GlobalKind::Distinct | GlobalKind::Disjoint => {
                for pair in self.pairs(atom.kind, &elements) {
                    let body = body.iter().cloned().chain(pair.into_iter().map(in_body)).collect();
                    self.forbid(body);
                }
            }
            GlobalKind::Cumulative => self.cumulative(atom, &elements, body),
        }
    }

    /// Replaces a constraint in a body: no pair breaks it.
    pub(super) fn in_body(&mut self, sign: Sign, atom: &GlobalAtom) -> Option<BodyElementKind> {
        if atom.kind == GlobalKind::Cumulative {
            let text = "`#cumulative` stands in heads, or after `not` in a body without a head";
            let help = "`#cumulative { ... } <= c :- body.` must hold where the body does";
            self.error(Diagnostic::error(atom.span, text).help(help));
            return None;
        }
        let elements: Vec<Element> = atom.elements.iter().map(|e| self.element(e)).collect();
        let (zero, one) = (self.number(0, atom.span), self.number(1, atom.span));
        let pairs = self.pairs(atom.kind, &elements).into_iter();
        let elements = pairs.map(|condition| BodyAggregateElement {
            tuple: vec![zero.clone()],
            condition,
            span: atom.span,
        });
        Some(BodyElementKind::Aggregate {
            sign: if sign == Sign::Not { Sign::NotNot } else { Sign::Not },
            function: AggregateFunction::Count,
            guards: Guards { left: None, right: Some((Relation::GreaterEqual, one)) },
            elements: elements.collect(),
        })
    }

    fn number(&mut self, n: i64, span: Span) -> Term {
        term(TermKind::Symbol(self.symbols.num(n)), span)
    }

    fn forbid(&mut self, body: Vec<BodyElement>) {
        let span = self.span;
        let literal = Literal { sign: Sign::None, kind: LiteralKind::Boolean(false), span };
        let head = Head { kind: HeadKind::Literal(literal), span };
        self.out.push(Statement { kind: StatementKind::Rule { head, body }, span });
    }

    fn element(&mut self, e: &GlobalElement) -> Element {
        let mut values = Values::default();
        let mut condition = e.condition.clone();
        self.condition(&mut condition, &mut values);
        let own = values.arguments.len();
        let (mut t, mut duration, mut amount) = (e.term.clone(), e.duration.clone(), e.amount.clone());
        let mut of_terms = self.own_variables(e.terms(), &values);
        self.term(&mut t, &mut values);
        duration.iter_mut().for_each(|t| self.term(t, &mut values));
        amount.iter_mut().for_each(|t| self.term(t, &mut values));
        values.flush_literals(&mut condition);
        of_terms.extend(values.arguments.drain(own..));
        let terms = [&t].into_iter().chain(&duration).chain(&amount);
        let all = self.own_variables(condition.iter().flat_map(Literal::terms).chain(terms), &values);
        Element { term: t, duration, amount, condition, of_terms, all, span: e.span }
    }

    /// The element with some of its own variables under new names.
    fn copy(&mut self, e: &Element, renames: impl Fn(StrId) -> bool) -> Element {
        let mut copy = e.clone();
        let terms = [&e.term].into_iter().chain(&e.duration).chain(&e.amount);
        let all = e.condition.iter().flat_map(Literal::terms).chain(terms);
        let mut to = Renaming::default();
        for name in self.own_variables(all, &Values::default()).into_iter().filter(|&name| renames(name)) {
            let like = self.symbols.str(name).to_string();
            let fresh = self.fresh(&like);
            to.insert(name, fresh);
        }
        let terms = [&mut copy.term].into_iter().chain(&mut copy.duration).chain(&mut copy.amount);
        terms.for_each(|t| rename::term(t, &to));
        copy.condition.iter_mut().for_each(|l| rename::literal(l, &to));
        let names = copy.of_terms.iter_mut().chain(&mut copy.all);
        names.for_each(|name| *name = to.get(name).copied().unwrap_or(*name));
        copy
    }

    /// For any two elements the conditions under which they break a constraint.
    fn pairs(&mut self, kind: GlobalKind, elements: &[Element]) -> Vec<Vec<Literal>> {
        let mut out = Vec::new();
        for (i, first) in elements.iter().enumerate() {
            for (k, second) in elements[i..].iter().enumerate() {
                if k == 0 && first.of_terms.is_empty() {
                    continue;
                }
                let second = self.copy(second, |_| true);
                let mut literals = first.condition.clone();
                literals.extend(second.condition.iter().cloned());
                if k == 0 {
                    let row = |e: &Element| {
                        let mut row: Vec<Term> = e.of_terms.iter().map(|&v| variable(v, e.span)).collect();
                        match row.len() {
                            1 => row.swap_remove(0),
                            _ => term(TermKind::Tuple(row), e.span),
                        }
                    };
                    literals.push(compare(row(first), Relation::Less, row(&second), first.span));
                }
                match kind {
                    GlobalKind::Distinct => {
                        literals.push(compare(first.term.clone(), Relation::Equal, second.term, first.span));
                    }
                    _ => self.overlap(first, &second, &mut literals),
                }
                out.push(literals);
            }
        }
        out
    }

    /// Two intervals have a point in common.
    fn overlap(&mut self, first: &Element, second: &Element, literals: &mut Vec<Literal>) {
        let zero = self.number(0, self.span);
        let end = |e: &Element| match &e.duration {
            Some(d) => binary(BinaryOp::Add, e.term.clone(), d.clone()),
            None => e.term.clone(),
        };
        for (a, b) in [(first, second), (second, first)] {
            literals.push(compare(a.term.clone(), Relation::Less, end(b), a.span));
        }
        for e in [first, second] {
            let length = e.duration.as_ref().filter(|d| !self.is_positive(d));
            literals.extend(length.map(|d| compare(d.clone(), Relation::Greater, zero.clone(), e.span)));
        }
    }

    fn is_positive(&self, t: &Term) -> bool {
        matches!(t.kind, TermKind::Symbol(s) if self.symbols.as_num(s).is_some_and(|n| n > 0))
    }

    /// At the start of each element, the running elements do not exceed the capacity.
    fn cumulative(&mut self, atom: &GlobalAtom, elements: &[Element], mut body: Vec<BodyElement>) {
        let Some((relation, bound)) = &atom.bound else { return };
        let (mut values, mut bound, span) = (Values::default(), bound.clone(), atom.span);
        self.term(&mut bound, &mut values);
        let time = self.fresh("time");
        self.expander.auxiliaries += 1;
        let name = format!("{}{AUXILIARY}{}", self.expander.prefix, self.expander.auxiliaries);
        let name = self.symbols.intern(&name);
        // The variables of the rule that the elements know.
        let mut shared: Vec<StrId> = Vec::new();
        for e in elements {
            let terms = [&e.term].into_iter().chain(&e.duration).chain(&e.amount);
            for (v, _) in e.condition.iter().flat_map(Literal::terms).chain(terms).flat_map(Term::variables) {
                if self.globals.contains(&v) && !shared.contains(&v) {
                    shared.push(v);
                }
            }
        }
        let start: Vec<Term> = self.params().chain(shared.iter().map(|&v| variable(v, span))).collect();
        let start = |t: Term| {
            let args = vec![start.iter().cloned().chain([t]).collect()];
            let kind = LiteralKind::Atom(Atom { name, args, negative: false, span });
            Literal { sign: Sign::None, kind, span }
        };
        for e in elements {
            let head = Head { kind: HeadKind::Literal(start(e.term.clone())), span };
            let own = e.condition.iter().cloned().map(in_body);
            let body = body.iter().cloned().chain(own).collect();
            self.out.push(Statement { kind: StatementKind::Rule { head, body }, span: self.span });
        }
        body.push(in_body(start(variable(time, span))));
        values.flush(&mut body);
        let mut summands = Vec::new();
        for (number, e) in elements.iter().enumerate() {
            let mut tuple = vec![match &e.amount {
                Some(amount) => amount.clone(),
                None => self.number(1, e.span),
            }];
            if elements.len() > 1 {
                tuple.push(self.number(number as i64, e.span));
            }
            let is_amount = |v: StrId| matches!(&tuple[0].kind, TermKind::Variable(name) if *name == v);
            let others: Vec<StrId> = e.all.iter().copied().filter(|&v| !is_amount(v)).collect();
            tuple.extend(others.into_iter().map(|v| variable(v, e.span)));
            let mut condition = e.condition.clone();
            let now = || variable(time, e.span);
            condition.push(compare(e.term.clone(), Relation::LessEqual, now(), e.span));
            if let Some(d) = &e.duration {
                let end = binary(BinaryOp::Add, e.term.clone(), d.clone());
                condition.push(compare(now(), Relation::Less, end, e.span));
            }
            summands.push(BodyAggregateElement { tuple, condition, span: e.span });
        }
        let sum = BodyElementKind::Aggregate {
            sign: Sign::None,
            function: AggregateFunction::SumPlus,
            guards: Guards { left: None, right: Some((relation.negate(), bound)) },
            elements: summands,
        };
        body.push(BodyElement { kind: sum, span });
        self.forbid(body);
    }
}
