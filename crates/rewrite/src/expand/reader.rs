//! Statements that read integer values of functions: their comparisons become constraints over integers.
//!
//! A comparison of linear terms becomes `&sum`, an aggregate of sums, too; `#distinct`, `#disjoint` and `#cumulative`
//! in heads, and objectives, become the atoms of these names in the theory of integers. `$p(X)` joins what it stands in
//! as a literal: there is a value. A constraint without a head gets the opposite of its last comparison as its head, so
//! that domains can be narrowed by it.
//!
//! Invariant: variables distinguish elements as they do with atoms; the others get names with `#`, which do not
//! (`rewrite::integers::tell_apart`). A construct without an exact counterpart is a [`Misfit`].

use super::functions::{Choice, Functions, may_be_same};
use super::rename::{self, Renaming};
use super::theory::{self, leaf, operation, sequence};
use super::{compare, fresh, in_body, is_constraint, value, variable};
use crate::translate::scope::{Scope, name_globals};
use crate::translate::unpool;
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Symbols};
use asp_syntax::ast::*;

/// A statement that cannot be about integers.
#[derive(Debug)]
pub(super) struct Misfit;

type Fit<T> = Result<T, Misfit>;

/// Less than any value.
const BELOW_ALL_VALUES: i64 = -(1 << 31);

/// A sum compared with another.
struct Comparison {
    elements: Vec<TheoryElement>,
    relation: Relation,
    right: TheoryTerm,
    span: Span,
}

/// Reads one statement.
pub(super) struct Reader<'a> {
    functions: &'a Functions<'a>,
    symbols: &'a mut Symbols,
    /// All variables so far.
    names: Set<StrId>,
    /// Those of the rule's own level.
    globals: Set<StrId>,
    span: Span,
    /// The number of the statement.
    number: usize,
    pub(super) out: Vec<Statement>,
    /// The objective.
    pub(super) objective: Vec<TheoryElement>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        s: &Statement,
        number: usize,
        functions: &'a Functions<'a>,
        symbols: &'a mut Symbols,
    ) -> Self {
        let mut scope = Scope::default();
        name_globals(&s.kind, &mut scope);
        let globals = scope.global.keys().copied().collect();
        let (names, span) = (value::names(&s.kind), s.span);
        Self { functions, symbols, names, globals, span, number, out: Vec::new(), objective: Vec::new() }
    }

    /// The choice of the values of a function: who has one, and where it lies.
    pub(super) fn choice(&mut self, choice: &Choice<'_>) -> Fit<()> {
        if choice.body.iter().any(|e| self.reads_in(e)) {
            return Err(Misfit);
        }
        let (name, span) = (self.functions.names[&choice.function], self.span);
        let has = Atom { name, args: vec![choice.args.to_vec()], negative: false, span };
        let has = Literal { sign: Sign::None, kind: LiteralKind::Atom(has), span };
        self.rule(HeadKind::Literal(has), choice.body.to_vec());
        let (mut body, mut named) = (choice.body.to_vec(), Vec::new());
        let args = choice.args.iter().map(|t| self.plain(t, &mut named)).collect::<Fit<Vec<_>>>()?;
        let of = theory::function(name, args, span);
        let [low, high] = choice.ends.map(|t| self.plain(t, &mut named));
        let values = element(vec![operation(low?, "..", high?, self.symbols)], Vec::new(), span);
        if !named.is_empty() {
            // An argument or end without a value leaves nothing to choose: expressed by a variable of no function.
            let without = self.symbols.intern(&format!("{}#", self.symbols.str(name)));
            let mut known: Vec<StrId> = self.globals.iter().copied().collect();
            known.sort_unstable();
            let args = vec![known.into_iter().map(|v| variable(v, span)).collect()];
            let kind = LiteralKind::Atom(Atom { name: without, args, negative: false, span });
            let mut all = Literal { sign: Sign::None, kind, span };
            let defined = body.iter().cloned().chain(named.iter().cloned().map(in_body)).collect();
            self.rule(HeadKind::Literal(all.clone()), defined);
            all.sign = Sign::Not;
            let least = leaf(TheoryTermKind::Symbol(self.symbols.num(BELOW_ALL_VALUES)), span);
            let unknown = element(vec![theory::function(without, Vec::new(), span)], Vec::new(), span);
            let guard = Some((Relation::Greater, least));
            let mention = theory::atom("sum", vec![unknown], guard, span, self.symbols);
            let body = body.iter().cloned().chain([in_body(all)]).collect();
            self.rule(HeadKind::Theory(mention), body);
        }
        body.extend(named.into_iter().map(in_body));
        let dom = theory::atom("dom", vec![values], Some((Relation::Equal, of)), span, self.symbols);
        self.rule(HeadKind::Theory(dom), body);
        Ok(())
    }

    pub(super) fn statement(&mut self, s: &Statement) -> Fit<()> {
        match &s.kind {
            StatementKind::Rule { head, body } => self.read_rule(head, body, is_constraint(&s.kind)),
            StatementKind::Minimize { weight, priority, tuple, body, maximize } => {
                self.read_objective(weight, priority.as_ref(), tuple, body, *maximize)
            }
            _ => Err(Misfit),
        }
    }

    fn read_rule(&mut self, head: &Head, body: &[BodyElement], is_constraint: bool) -> Fit<()> {
        let (mut out, mut literals) = (Vec::new(), Vec::new());
        let mut compared: Vec<Comparison> = Vec::new();
        let mut global = None;
        for e in body {
            if !self.reads_in(e) {
                out.push(e.clone());
                continue;
            }
            match &e.kind {
                BodyElementKind::Literal(l) => compared.extend(self.comparison(l, &mut literals)?),
                BodyElementKind::Aggregate { sign, function: AggregateFunction::Sum, guards, elements } => {
                    compared.push(self.aggregate(*sign, guards, elements, &mut literals)?);
                }
                BodyElementKind::Global { sign: Sign::Not, atom } if is_constraint && global.is_none() => {
                    global = Some(atom);
                }
                _ => return Err(Misfit),
            }
        }
        let mut heads: Vec<HeadKind> = Vec::new();
        match &head.kind {
            HeadKind::Literal(_) if global.is_some() => {}
            HeadKind::Global(atom) => global = Some(atom),
            HeadKind::Literal(l) if self.reads(l) => {
                for c in self.comparison(l, &mut literals)? {
                    heads.push(HeadKind::Theory(self.theory_atom(c)));
                }
            }
            HeadKind::Disjunction(elements) => {
                heads.push(self.disjunction(elements, &mut compared, &mut literals)?);
            }
            other => {
                let head = Head { kind: other.clone(), span: head.span };
                let mut reads = false;
                let kind = StatementKind::Rule { head, body: Vec::new() };
                kind.each_term(&mut |t| reads |= self.functions.reads(t));
                if reads {
                    return Err(Misfit);
                }
                heads.push(other.clone());
            }
        }
        if let Some(atom) = global {
            heads.push(HeadKind::Theory(self.global(atom, &mut literals)?));
        }
        let is_never = |head: &HeadKind| match head {
            HeadKind::Literal(l) => l.sign == Sign::None && matches!(l.kind, LiteralKind::Boolean(false)),
            _ => false,
        };
        if heads.iter().all(is_never)
            && let Some(mut last) = compared.pop()
        {
            last.relation = last.relation.negate();
            heads = vec![HeadKind::Theory(self.theory_atom(last))];
        }
        out.extend(literals.into_iter().map(in_body));
        let bound = bound(&out, &Set::default());
        for c in compared {
            let (span, atom) = (c.span, self.theory_atom(c));
            out.push(BodyElement { kind: BodyElementKind::Theory { sign: Sign::None, atom }, span });
        }
        for head in heads {
            self.rule(head, out.clone());
        }
        let atoms = self.out.iter().flat_map(Statement::theory_atoms);
        if atoms.into_iter().all(|atom| is_bound(atom, &bound)) { Ok(()) } else { Err(Misfit) }
    }

    /// The rest of a disjunction: the negation of a comparison in it joins the body.
    fn disjunction(
        &mut self,
        elements: &[ConditionalLiteral],
        compared: &mut Vec<Comparison>,
        literals: &mut Vec<Literal>,
    ) -> Fit<HeadKind> {
        let mut rest = Vec::new();
        for e in elements {
            if e.condition.iter().any(|l| self.reads(l)) {
                return Err(Misfit);
            }
            if !self.reads(&e.literal) {
                rest.push(e.clone());
                continue;
            }
            let mut opposite = self.comparison(&e.literal, literals)?;
            if !e.condition.is_empty() || opposite.len() > 1 {
                return Err(Misfit);
            }
            opposite.iter_mut().for_each(|c| c.relation = c.relation.negate());
            compared.extend(opposite);
        }
        let span = self.span;
        Ok(match &rest[..] {
            [] => HeadKind::Literal(Literal { sign: Sign::None, kind: LiteralKind::Boolean(false), span }),
            [one] if one.condition.is_empty() => HeadKind::Literal(one.literal.clone()),
            _ => HeadKind::Disjunction(rest),
        })
    }

    /// A comparison that reads values, each pair of a chain for itself.
    fn comparison(&mut self, l: &Literal, literals: &mut Vec<Literal>) -> Fit<Vec<Comparison>> {
        let LiteralKind::Comparison(first, rest) = &l.kind else { return Err(Misfit) };
        if l.sign == Sign::Not && rest.len() > 1 {
            return Err(Misfit);
        }
        let (mut left, mut out) = (self.sum(first, literals)?, Vec::new());
        for (relation, right) in rest {
            let relation = if l.sign == Sign::Not { relation.negate() } else { *relation };
            let right = self.sum(right, literals)?;
            let elements = vec![element(vec![left], Vec::new(), l.span)];
            out.push(Comparison { elements, relation, right: right.clone(), span: l.span });
            left = right;
        }
        Ok(out)
    }

    /// A sum of weights that read values, compared on one side.
    fn aggregate(
        &mut self,
        sign: Sign,
        guards: &Guards,
        elements: &[BodyAggregateElement],
        literals: &mut Vec<Literal>,
    ) -> Fit<Comparison> {
        let (relation, bound) = match (&guards.left, &guards.right) {
            (None, Some((relation, t))) => (*relation, t),
            (Some((t, relation)), None) => (relation.flip(), t),
            _ => return Err(Misfit),
        };
        let relation = if sign == Sign::Not { relation.negate() } else { relation };
        let right = self.sum(bound, literals)?;
        let mut known: Vec<Vec<_>> = Vec::new();
        for e in elements {
            known.push(e.tuple.iter().skip(1).map(|t| self.functions.ground(t, self.symbols)).collect());
        }
        let mut out = Vec::new();
        for (i, e) in elements.iter().enumerate() {
            let (weight, others) = e.tuple.split_first().ok_or(Misfit)?;
            let mut rest = known.iter().enumerate().filter(|k| k.0 != i && !k.1.is_empty());
            if !self.functions.reads(weight)
                || !others.is_empty() && rest.any(|(_, other)| may_be_same(&known[i], other))
            {
                return Err(Misfit);
            }
            let telling = self.telling(&[weight], others)?;
            let mut own = Vec::new();
            let tuple = vec![self.sum(weight, &mut own)?];
            let condition = self.condition(&e.condition, own, telling.as_deref())?;
            out.push(element(tuple, condition, e.span));
        }
        Ok(Comparison { elements: out, relation, right, span: self.span })
    }

    fn read_objective(
        &mut self,
        weight: &Term,
        level: Option<&Term>,
        tuple: &[Term],
        body: &[BodyElement],
        maximize: bool,
    ) -> Fit<()> {
        let mut tuples = self.functions.tuples.iter();
        if !tuple.is_empty() {
            let own = tuples.clone().find(|t| t.0 == self.number).ok_or(Misfit)?;
            if tuples.any(|other| other.0 != own.0 && may_be_same(&own.1, &other.1)) {
                return Err(Misfit);
            }
        }
        let literal = |e: &BodyElement| match &e.kind {
            BodyElementKind::Literal(l) => Ok(l.clone()),
            _ => Err(Misfit),
        };
        let literals = body.iter().map(literal).collect::<Fit<Vec<_>>>()?;
        if !self.functions.reads(weight) {
            return Err(Misfit);
        }
        let weights: Vec<&Term> = [weight].into_iter().chain(level).collect();
        let telling = self.telling(&weights, tuple)?;
        // Its variables are those of an element.
        self.globals.clear();
        let mut own = Vec::new();
        let mut cost = self.sum(weight, &mut own)?;
        if maximize {
            let minus = self.symbols.intern("-");
            cost = sequence(vec![(vec![minus], cost)]);
        }
        if let Some(level) = level {
            let level = self.plain(level, &mut own)?;
            cost = operation(cost, "@", level, self.symbols);
        }
        let condition = self.condition(&literals, own, telling.as_deref())?;
        let found = element(vec![cost], condition, self.span);
        let atom = theory::atom("minimize", vec![found.clone()], None, self.span, self.symbols);
        if !is_bound(&atom, &Set::default()) {
            return Err(Misfit);
        }
        self.rule(HeadKind::Theory(atom), Vec::new());
        self.objective.push(found);
        Ok(())
    }

    /// The variables that distinguish elements with a tuple; `None` for all of them, if there is only a weight.
    fn telling(&self, weights: &[&Term], tuple: &[Term]) -> Fit<Option<Vec<StrId>>> {
        if tuple.is_empty() {
            return Ok(None);
        }
        let mut telling = Vec::new();
        for t in tuple {
            match &t.kind {
                TermKind::Variable(name) => telling.push(*name),
                TermKind::Symbol(_) => {}
                TermKind::Function { args, external: false, .. } if args.iter().all(Vec::is_empty) => {}
                _ => return Err(Misfit),
            }
        }
        // The weight depends on the tuple alone.
        let mut weighed = weights.iter().flat_map(|t| t.variables()).map(|v| v.0);
        if weighed.all(|v| telling.contains(&v)) { Ok(Some(telling)) } else { Err(Misfit) }
    }

    /// The condition of an element, with literals that its terms need. Only some of its variables distinguish it from others.
    fn condition(
        &mut self,
        condition: &[Literal],
        own: Vec<Literal>,
        telling: Option<&[StrId]>,
    ) -> Fit<Vec<Literal>> {
        if condition.iter().any(|l| self.reads(l) || l.terms().any(unpool::has_pool)) {
            return Err(Misfit);
        }
        let mut condition = condition.to_vec();
        if let Some(telling) = telling {
            let mut to = Renaming::default();
            for (name, _) in condition.iter().flat_map(Literal::terms).flat_map(Term::variables) {
                if !telling.contains(&name) && !self.globals.contains(&name) && !to.contains_key(&name) {
                    let hidden = format!("#{}", self.symbols.str(name));
                    to.insert(name, self.symbols.intern(&hidden));
                }
            }
            condition.iter_mut().for_each(|l| rename::literal(l, &to));
        }
        condition.extend(own);
        Ok(condition)
    }

    /// A constraint over several terms, for a head.
    fn global(&mut self, atom: &GlobalAtom, literals: &mut Vec<Literal>) -> Fit<TheoryAtom> {
        let mut elements = Vec::new();
        for e in &atom.elements {
            let mut telling: Vec<StrId> = e.terms().flat_map(Term::variables).map(|v| v.0).collect();
            telling.retain(|v| !self.globals.contains(v));
            let mut own = Vec::new();
            let start = self.sum(&e.term, &mut own)?;
            let mut tuple = vec![match &e.duration {
                Some(d) => {
                    let d = self.plain(d, &mut own)?;
                    operation(start, "@", d, self.symbols)
                }
                None => start,
            }];
            if atom.kind == GlobalKind::Cumulative {
                tuple.push(match &e.amount {
                    Some(amount) => self.plain(amount, &mut own)?,
                    None => theory::number(1, e.span),
                });
            }
            let telling = (atom.kind != GlobalKind::Cumulative).then_some(&telling[..]);
            let condition = self.condition(&e.condition, own, telling)?;
            elements.push(element(tuple, condition, e.span));
        }
        let (name, guard) = match (atom.kind, &atom.bound) {
            (GlobalKind::Distinct, _) => ("distinct", None),
            (GlobalKind::Disjoint, _) => ("disjoint", None),
            (GlobalKind::Cumulative, Some((Relation::LessEqual, bound))) => {
                ("cumulative", Some((Relation::LessEqual, self.plain(bound, literals)?)))
            }
            (GlobalKind::Cumulative, _) => return Err(Misfit),
        };
        Ok(theory::atom(name, elements, guard, atom.span, self.symbols))
    }

    /// A linear term: a sum of multiples of values and of other terms.
    fn sum(&mut self, t: &Term, literals: &mut Vec<Literal>) -> Fit<TheoryTerm> {
        let mut parts = Vec::new();
        self.parts(t, false, &[], &mut parts, literals)?;
        Ok(match parts.len() {
            1 => parts.swap_remove(0),
            _ => {
                let plus = self.symbols.intern("+");
                let sign = |i: usize| if i == 0 { Vec::new() } else { vec![plus] };
                sequence(parts.into_iter().enumerate().map(|(i, part)| (sign(i), part)).collect())
            }
        })
    }

    fn parts(
        &mut self,
        t: &Term,
        is_negative: bool,
        factors: &[TheoryTerm],
        parts: &mut Vec<TheoryTerm>,
        literals: &mut Vec<Literal>,
    ) -> Fit<()> {
        let base = match &t.kind {
            _ if !value::is_in(t) => self.plain(t, literals)?,
            TermKind::Value { name, args } => {
                let [args] = &args[..] else { return Err(Misfit) };
                self.value(*name, args, t.span, literals)?
            }
            TermKind::Unary(UnaryOp::Minus, a) => {
                return self.parts(a, !is_negative, factors, parts, literals);
            }
            TermKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                self.parts(a, is_negative, factors, parts, literals)?;
                return self.parts(b, is_negative != (*op == BinaryOp::Sub), factors, parts, literals);
            }
            TermKind::Binary(BinaryOp::Mul, a, b) => {
                let (factor, other) = if value::is_in(a) { (b, a) } else { (a, b) };
                let factor = self.plain(factor, literals)?;
                let factors: Vec<TheoryTerm> = factors.iter().cloned().chain([factor]).collect();
                return self.parts(other, is_negative, &factors, parts, literals);
            }
            _ => return Err(Misfit),
        };
        let (minus, times) = (self.symbols.intern("-"), self.symbols.intern("*"));
        let mut all = Vec::new();
        for part in factors.iter().cloned().chain([base]) {
            let operators = match all.is_empty() {
                true if is_negative => vec![minus],
                true => Vec::new(),
                false => vec![times],
            };
            all.push((operators, part));
        }
        parts.push(match &all[..] {
            [(operators, only)] if operators.is_empty() => only.clone(),
            _ => sequence(all),
        });
        Ok(())
    }

    /// The variable of a value; that it has one joins the literals.
    fn value(
        &mut self,
        name: StrId,
        args: &[Term],
        span: Span,
        literals: &mut Vec<Literal>,
    ) -> Fit<TheoryTerm> {
        let name = self.functions.variable(name, args.len()).ok_or(Misfit)?;
        let atom = Atom { name, args: vec![args.to_vec()], negative: false, span };
        literals.push(Literal { sign: Sign::None, kind: LiteralKind::Atom(atom), span });
        let args = args.iter().map(|t| self.plain(t, literals)).collect::<Fit<Vec<_>>>()?;
        Ok(theory::function(name, args, span))
    }

    /// A term without values as a variable, number or constant; otherwise a variable that is equal to it.
    fn plain(&mut self, t: &Term, literals: &mut Vec<Literal>) -> Fit<TheoryTerm> {
        let is_several = unpool::has_pool(t) || unpool::has_interval(t) || t.anonymous().next().is_some();
        if is_several || value::is_in(t) {
            return Err(Misfit);
        }
        Ok(match &t.kind {
            TermKind::Variable(name) => leaf(TheoryTermKind::Variable(*name), t.span),
            TermKind::Symbol(symbol) => leaf(TheoryTermKind::Symbol(*symbol), t.span),
            TermKind::Function { name, args, external: false } if args.iter().all(Vec::is_empty) => {
                leaf(TheoryTermKind::Constant(*name), t.span)
            }
            _ => match self.functions.number(t, self.symbols) {
                Some(n) => leaf(TheoryTermKind::Symbol(self.symbols.num(n)), t.span),
                None => {
                    let name = fresh("Arg", &mut self.names, self.symbols);
                    literals.push(compare(variable(name, t.span), Relation::Equal, t.clone(), t.span));
                    leaf(TheoryTermKind::Variable(name), t.span)
                }
            },
        })
    }

    fn theory_atom(&mut self, c: Comparison) -> TheoryAtom {
        theory::atom("sum", c.elements, Some((c.relation, c.right)), c.span, self.symbols)
    }

    fn rule(&mut self, head: HeadKind, body: Vec<BodyElement>) {
        let span = self.span;
        self.out
            .push(Statement { kind: StatementKind::Rule { head: Head { kind: head, span }, body }, span });
    }

    fn reads(&self, l: &Literal) -> bool {
        l.terms().any(|t| self.functions.reads(t))
    }

    fn reads_in(&self, e: &BodyElement) -> bool {
        let terms = match &e.kind {
            BodyElementKind::SetAggregate { guards, .. } => guards.terms().collect(),
            BodyElementKind::Aggregate { guards, elements, .. } => {
                guards.terms().chain(elements.iter().flat_map(|e| &e.tuple)).collect()
            }
            BodyElementKind::Global { atom, .. } => atom.terms().collect(),
            BodyElementKind::Literal(_)
            | BodyElementKind::Conditional(_)
            | BodyElementKind::Theory { .. } => Vec::new(),
        };
        terms.into_iter().any(|t| self.functions.reads(t)) || e.literals().any(|l| self.reads(l))
    }
}

fn element(tuple: Vec<TheoryTerm>, condition: Vec<Literal>, span: Span) -> TheoryElement {
    TheoryElement { tuple, condition, span }
}

/// The variables that the positive atoms and equations of a body bind, or at least some of them.
fn bound(body: &[BodyElement], outer: &Set<StrId>) -> Set<StrId> {
    let literals = body.iter().filter_map(|e| match &e.kind {
        BodyElementKind::Literal(l) => Some(l),
        _ => None,
    });
    bound_by(&literals.collect::<Vec<_>>(), outer)
}

fn bound_by(literals: &[&Literal], outer: &Set<StrId>) -> Set<StrId> {
    let mut bound = outer.clone();
    let positive = literals.iter().filter(|l| l.sign == Sign::None);
    let mut equations = Vec::new();
    for l in positive {
        match &l.kind {
            LiteralKind::Atom(atom) => {
                let mut todo: Vec<&Term> =
                    atom.args.iter().filter(|_| atom.args.len() == 1).flatten().collect();
                while let Some(t) = todo.pop() {
                    match &t.kind {
                        TermKind::Variable(name) => _ = bound.insert(*name),
                        TermKind::Tuple(ts) => todo.extend(ts),
                        TermKind::Function { args, external: false, .. } if args.len() == 1 => {
                            todo.extend(&args[0]);
                        }
                        _ => {}
                    }
                }
            }
            LiteralKind::Comparison(first, rest) => {
                if let [(Relation::Equal, second)] = &rest[..] {
                    equations.extend([(first, second), (second, first)]);
                }
            }
            LiteralKind::Boolean(_) => {}
        }
    }
    loop {
        let before = bound.len();
        for (to, from) in &equations {
            if let (TermKind::Variable(name), true) =
                (&to.kind, from.variables().all(|v| bound.contains(&v.0)))
            {
                bound.insert(*name);
            }
        }
        if bound.len() == before {
            return bound;
        }
    }
}

/// Whether all variables of an atom are bound.
fn is_bound(atom: &TheoryAtom, outer: &Set<StrId>) -> bool {
    let all = |t: &TheoryTerm, bound: &Set<StrId>| theory::variables(t).iter().all(|v| bound.contains(v));
    atom.guard.iter().all(|g| all(&g.1, outer))
        && atom.elements.iter().all(|e| {
            let bound = bound_by(&e.condition.iter().collect::<Vec<_>>(), outer);
            e.tuple.iter().all(|t| all(t, &bound))
        })
}
