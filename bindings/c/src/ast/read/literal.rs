//! Literals, aggregates and theory atoms of the syntax tree as nodes.

use asp::message::Span;
use asp::syntax::Token;
use asp::syntax::ast::{
    self, AggregateFunction, BodyElement, BodyElementKind, Guards, Head, HeadKind, LiteralKind, Relation,
    Sign,
};

use super::super::node::{Ast, Location, Node, Value};
use super::super::schema::Type;
use super::{Reader, foreign};
use crate::error::Fail;

/// Relations by their numbers in clingo.h.
pub const RELATIONS: [Relation; 6] = [
    Relation::Greater,
    Relation::Less,
    Relation::LessEqual,
    Relation::GreaterEqual,
    Relation::NotEqual,
    Relation::Equal,
];

/// Functions of aggregates by their numbers in clingo.h.
pub const FUNCTIONS: [AggregateFunction; 5] = [
    AggregateFunction::Count,
    AggregateFunction::Sum,
    AggregateFunction::SumPlus,
    AggregateFunction::Min,
    AggregateFunction::Max,
];

fn number_of<T: PartialEq>(list: &[T], value: T) -> Value {
    Value::Number(list.iter().position(|v| *v == value).map_or(0, |i| i as i32))
}

fn sign_number(sign: Sign) -> i32 {
    match sign {
        Sign::None => 0,
        Sign::Not => 1,
        Sign::NotNot => 2,
    }
}

impl Reader<'_> {
    /// A literal around an atom.
    fn signed(sign: i32, atom: Ast, location: Location) -> Ast {
        let values = vec![Value::Location, Value::Number(sign), Value::Ast(atom)];
        Node::new(Type::Literal, location, values)
    }

    /// `#true` or `#false` as a literal.
    pub(super) fn boolean(value: bool, location: Location) -> Ast {
        let value = vec![Value::Number(i32::from(value))];
        Self::signed(0, Node::new(Type::BooleanConstant, Location::default(), value), location)
    }

    /// An atom by itself.
    pub(super) fn atom(&mut self, atom: &ast::Atom) -> Result<Ast, Fail> {
        let location = self.place(atom.span);
        let mut symbol = self.applied(atom.name, &atom.args, location)?;
        if atom.negative {
            symbol = Self::unary(0, symbol, location);
        }
        Ok(Node::new(Type::SymbolicAtom, Location::default(), vec![Value::Ast(symbol)]))
    }

    fn guard(&mut self, relation: Relation, term: &ast::Term) -> Result<Ast, Fail> {
        let values = vec![number_of(&RELATIONS, relation), Value::Ast(self.term(term)?)];
        Ok(Node::new(Type::Guard, Location::default(), values))
    }

    pub(super) fn literal(&mut self, literal: &ast::Literal) -> Result<Ast, Fail> {
        let location = self.place(literal.span);
        let atom = match &literal.kind {
            LiteralKind::Boolean(value) => {
                return Ok(Self::boolean(*value != (literal.sign == Sign::Not), location));
            }
            LiteralKind::Atom(atom) => self.atom(atom)?,
            LiteralKind::Comparison(first, rest) => {
                let first = Value::Ast(self.term(first)?);
                let guards = rest.iter().map(|(relation, term)| self.guard(*relation, term));
                let guards = Value::Asts(guards.collect::<Result<_, _>>()?);
                Node::new(Type::Comparison, Location::default(), vec![first, guards])
            }
        };
        Ok(Self::signed(sign_number(literal.sign), atom, location))
    }

    fn literals(&mut self, literals: &[ast::Literal]) -> Result<Value, Fail> {
        Ok(Value::Asts(literals.iter().map(|l| self.literal(l)).collect::<Result<_, _>>()?))
    }

    /// A conditional literal at some place.
    fn conditional_at(
        &mut self,
        literal: &ast::Literal,
        condition: &[ast::Literal],
        location: Location,
    ) -> Result<Ast, Fail> {
        let literal = Value::Ast(self.literal(literal)?);
        let values = vec![Value::Location, literal, self.literals(condition)?];
        Ok(Node::new(Type::ConditionalLiteral, location, values))
    }

    /// An element of a head or a set, which has the place of its literal.
    fn element(&mut self, c: &ast::ConditionalLiteral) -> Result<Ast, Fail> {
        let location = self.place(c.literal.span);
        self.conditional_at(&c.literal, &c.condition, location)
    }

    fn elements(&mut self, elements: &[ast::ConditionalLiteral]) -> Result<Value, Fail> {
        Ok(Value::Asts(elements.iter().map(|e| self.element(e)).collect::<Result<_, _>>()?))
    }

    /// The guards of an aggregate; a single one after it is moved before it, with its relation flipped.
    fn guards(&mut self, guards: &Guards) -> Result<(Value, Value), Fail> {
        let left = guards.left.as_ref().map(|(term, relation)| (*relation, term));
        let right = guards.right.as_ref().map(|(relation, term)| (*relation, term));
        let (left, right) = match (left, right) {
            (None, Some((relation, term))) => (Some((relation.flip(), term)), None),
            both => both,
        };
        let mut guard = |g: Option<(Relation, &ast::Term)>| {
            g.map(|(relation, term)| self.guard(relation, term)).transpose().map(Value::Optional)
        };
        Ok((guard(left)?, guard(right)?))
    }

    fn set(
        &mut self,
        guards: &Guards,
        elements: &[ast::ConditionalLiteral],
        location: Location,
    ) -> Result<Ast, Fail> {
        let (left, right) = self.guards(guards)?;
        let values = vec![Value::Location, left, self.elements(elements)?, right];
        Ok(Node::new(Type::Aggregate, location, values))
    }

    fn aggregate(
        &mut self,
        kind: Type,
        function: AggregateFunction,
        guards: &Guards,
        elements: Vec<Ast>,
        location: Location,
    ) -> Result<Ast, Fail> {
        let (left, right) = self.guards(guards)?;
        let function = number_of(&FUNCTIONS, function);
        Ok(Node::new(kind, location, vec![Value::Location, left, function, Value::Asts(elements), right]))
    }

    /// A theory atom, which has the place of its name and arguments.
    fn theory_atom(&mut self, atom: &ast::TheoryAtom) -> Result<Ast, Fail> {
        let name = self.tokens.within(atom.span).start + 1;
        let end = match self.tokens.kind(name + 1) {
            Some(Token::OpenParen) => self.tokens.partner(name + 1).unwrap_or(name) + 1,
            _ => name + 1,
        };
        let location = self.location(&(name..end));
        let term = self.applied(atom.name, &atom.args, location)?;
        let mut elements = Vec::with_capacity(atom.elements.len());
        for e in &atom.elements {
            let values = vec![Value::Asts(self.theory_terms(&e.tuple)?), self.literals(&e.condition)?];
            elements.push(Node::new(Type::TheoryAtomElement, Location::default(), values));
        }
        let guard = match &atom.guard {
            None => None,
            Some((operator, term)) => {
                let values = vec![Value::Text(self.name(*operator)?), Value::Ast(self.theory_term(term)?)];
                Some(Node::new(Type::TheoryGuard, Location::default(), values))
            }
        };
        let values = vec![Value::Location, Value::Ast(term), Value::Asts(elements), Value::Optional(guard)];
        Ok(Node::new(Type::TheoryAtom, location, values))
    }

    /// The place of an aggregate or theory atom in a body: with `not` before it, it ends where the first one does.
    fn signed_place(&self, span: Span, sign: Sign) -> Location {
        let range = self.tokens.within(span);
        match sign_number(sign) as usize {
            0 => self.location(&range),
            count => {
                let begin = self.tokens.ends(&(range.start + count..range.end)).0;
                let end = self.tokens.ends(&(range.start..range.start + 1)).1;
                self.lines.location(begin, end)
            }
        }
    }

    pub(super) fn body(&mut self, body: &[BodyElement]) -> Result<Value, Fail> {
        Ok(Value::Asts(body.iter().map(|e| self.body_element(e)).collect::<Result<_, _>>()?))
    }

    fn body_element(&mut self, e: &BodyElement) -> Result<Ast, Fail> {
        let (sign, atom, location) = match &e.kind {
            BodyElementKind::Literal(literal) => return self.literal(literal),
            BodyElementKind::Conditional(c) => {
                return self.conditional_at(&c.literal, &c.condition, self.place(e.span));
            }
            BodyElementKind::SetAggregate { sign, guards, elements } => {
                let location = self.signed_place(e.span, *sign);
                (*sign, self.set(guards, elements, location)?, location)
            }
            BodyElementKind::Aggregate { sign, function, guards, elements } => {
                let location = self.signed_place(e.span, *sign);
                let mut parts = Vec::with_capacity(elements.len());
                for e in elements {
                    let values = vec![Value::Asts(self.terms(&e.tuple)?), self.literals(&e.condition)?];
                    parts.push(Node::new(Type::BodyAggregateElement, Location::default(), values));
                }
                (*sign, self.aggregate(Type::BodyAggregate, *function, guards, parts, location)?, location)
            }
            BodyElementKind::Theory { sign, atom } => {
                (*sign, self.theory_atom(atom)?, self.signed_place(e.span, *sign))
            }
            BodyElementKind::Global { atom, .. } => return Err(foreign(atom.kind.as_str())),
        };
        Ok(Self::signed(sign_number(sign), atom, location))
    }

    /// A head; `whole` is the place of its rule.
    pub(super) fn head(&mut self, head: &Head, whole: Location) -> Result<Ast, Fail> {
        let range = self.tokens.within(head.span);
        let location = self.location(&range);
        match &head.kind {
            HeadKind::Literal(_) if self.tokens.kind(range.start) == Some(Token::If) => {
                Ok(Self::boolean(false, whole))
            }
            // A condition without literals.
            HeadKind::Literal(literal)
                if self.tokens.kind(range.end.wrapping_sub(1)) == Some(Token::Colon) =>
            {
                let place = self.place(literal.span);
                let one = self.conditional_at(literal, &[], place)?;
                Ok(Node::new(Type::Disjunction, location, vec![Value::Location, Value::Asts(vec![one])]))
            }
            HeadKind::Literal(literal) => self.literal(literal),
            HeadKind::Disjunction(elements) => {
                let values = vec![Value::Location, self.elements(elements)?];
                Ok(Node::new(Type::Disjunction, location, values))
            }
            HeadKind::Choice { guards, elements } => self.set(guards, elements, location),
            HeadKind::Aggregate { function, guards, elements } => {
                let mut parts = Vec::with_capacity(elements.len());
                for e in elements {
                    let terms = Value::Asts(self.terms(&e.tuple)?);
                    let place = self.place(e.literal.span);
                    let condition = Value::Ast(self.conditional_at(&e.literal, &e.condition, place)?);
                    let values = vec![terms, condition];
                    parts.push(Node::new(Type::HeadAggregateElement, Location::default(), values));
                }
                self.aggregate(Type::HeadAggregate, *function, guards, parts, location)
            }
            HeadKind::Theory(atom) => self.theory_atom(atom),
            HeadKind::Global(atom) => Err(foreign(atom.kind.as_str())),
        }
    }
}
