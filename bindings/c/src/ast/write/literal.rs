//! Literals, aggregates and theory atoms as the parser would have made them.

use asp::message::Span;
use asp::syntax::ast::{
    Atom, BodyAggregateElement, BodyElement, BodyElementKind, ConditionalLiteral, Guards, Head,
    HeadAggregateElement, HeadKind, Literal, LiteralKind, Relation, Sign, Term, TheoryAtom, TheoryElement,
};

use super::super::node::Ast;
use super::super::read::{FUNCTIONS, RELATIONS};
use super::super::schema::{Attribute, Type};
use super::{Made, Writer, wrong};

fn expect(ast: &Ast, kind: Type, what: &str) -> Made<()> {
    if ast.kind == kind { Ok(()) } else { wrong(format!("{what} expected")) }
}

impl Writer<'_> {
    fn sign(ast: &Ast) -> Made<Sign> {
        Self::choice(&[Sign::None, Sign::Not, Sign::NotNot], Self::number(ast, Attribute::Sign)?, "sign")
    }

    /// An atom by itself.
    pub(super) fn atom(&mut self, ast: &Ast) -> Made<Atom> {
        expect(ast, Type::SymbolicAtom, "symbolic atom")?;
        let symbol = Self::one(ast, Attribute::Symbol)?;
        let ((name, args, negative), span) = self.placed(&symbol, |this, ast| this.atom_parts(ast))?;
        Ok(Atom { name: self.intern(name), args, negative, span })
    }

    fn guard(&mut self, ast: &Ast) -> Made<(Relation, Term)> {
        expect(ast, Type::Guard, "guard")?;
        let relation =
            Self::choice(&RELATIONS, Self::number(ast, Attribute::Comparison)?, "comparison operator")?;
        Ok((relation, self.term(&Self::one(ast, Attribute::Term)?)?))
    }

    fn guards(&mut self, ast: &Ast) -> Made<Guards> {
        let mut guards = Guards::default();
        if let Some(guard) = Self::some(ast, Attribute::LeftGuard)? {
            let (relation, term) = self.guard(&guard)?;
            guards.left = Some((term, relation));
        }
        if let Some(guard) = Self::some(ast, Attribute::RightGuard)? {
            guards.right = Some(self.guard(&guard)?);
        }
        Ok(guards)
    }

    /// A literal of a head or a condition.
    pub(super) fn literal(&mut self, ast: &Ast) -> Made<Literal> {
        expect(ast, Type::Literal, "literal")?;
        let ((sign, kind), span) = self.placed(ast, |this, ast| {
            let atom = Self::one(ast, Attribute::Atom)?;
            let kind = match atom.kind {
                Type::BooleanConstant => LiteralKind::Boolean(Self::number(&atom, Attribute::Value)? != 0),
                Type::SymbolicAtom => LiteralKind::Atom(this.atom(&atom)?),
                Type::Comparison => {
                    let first = this.term(&Self::one(&atom, Attribute::Term)?)?;
                    let guards = Self::all(&atom, Attribute::Guards)?;
                    let guards = guards.iter().map(|g| this.guard(g)).collect::<Made<Vec<_>>>()?;
                    if guards.is_empty() {
                        return wrong("a comparison must have at least one guard");
                    }
                    LiteralKind::Comparison(first, guards)
                }
                _ => return wrong("literal expected"),
            };
            Ok((Self::sign(ast)?, kind))
        })?;
        Ok(Literal { sign, kind, span })
    }

    fn literals(&mut self, asts: &[Ast]) -> Made<Vec<Literal>> {
        asts.iter().map(|ast| self.literal(ast)).collect()
    }

    fn conditional(&mut self, ast: &Ast) -> Made<ConditionalLiteral> {
        expect(ast, Type::ConditionalLiteral, "conditional literal")?;
        let ((literal, condition), span) = self.placed(ast, |this, ast| {
            let literal = this.literal(&Self::one(ast, Attribute::Literal)?)?;
            Ok((literal, this.literals(&Self::all(ast, Attribute::Condition)?)?))
        })?;
        Ok(ConditionalLiteral { literal, condition, span })
    }

    fn conditionals(&mut self, ast: &Ast) -> Made<Vec<ConditionalLiteral>> {
        Self::all(ast, Attribute::Elements)?.iter().map(|e| self.conditional(e)).collect()
    }

    fn theory_atom(&mut self, ast: &Ast) -> Made<TheoryAtom> {
        let ((name, args, elements, guard), span) = self.placed(ast, |this, ast| {
            let (name, args, negative) = this.atom_parts(&Self::one(ast, Attribute::Term)?)?;
            if negative {
                return wrong("a theory atom has no classical negation");
            }
            let mut elements = Vec::new();
            for e in Self::all(ast, Attribute::Elements)? {
                expect(&e, Type::TheoryAtomElement, "theory atom element")?;
                let tuple = this.theory_terms(&Self::all(&e, Attribute::Terms)?)?;
                let condition = this.literals(&Self::all(&e, Attribute::Condition)?)?;
                let span = tuple.first().map(|t| t.span).or(condition.first().map(|l| l.span));
                elements.push(TheoryElement { tuple, condition, span: span.unwrap_or(Span::NONE) });
            }
            let guard = match Self::some(ast, Attribute::Guard)? {
                None => None,
                Some(guard) => {
                    expect(&guard, Type::TheoryGuard, "theory guard")?;
                    let operator = this.intern(Self::text(&guard, Attribute::OperatorName)?);
                    Some((operator, this.theory_term(&Self::one(&guard, Attribute::Term)?)?))
                }
            };
            Ok((this.intern(name), args, elements, guard))
        })?;
        Ok(TheoryAtom { name, args, elements, guard, span })
    }

    pub(super) fn body(&mut self, asts: &[Ast]) -> Made<Vec<BodyElement>> {
        asts.iter().map(|ast| self.body_element(ast)).collect()
    }

    fn body_element(&mut self, ast: &Ast) -> Made<BodyElement> {
        if ast.kind == Type::ConditionalLiteral {
            let c = self.conditional(ast)?;
            return Ok(BodyElement { span: c.span, kind: BodyElementKind::Conditional(c) });
        }
        expect(ast, Type::Literal, "body literal")?;
        let atom = Self::one(ast, Attribute::Atom)?;
        if !matches!(atom.kind, Type::Aggregate | Type::BodyAggregate | Type::TheoryAtom) {
            let literal = self.literal(ast)?;
            return Ok(BodyElement { span: literal.span, kind: BodyElementKind::Literal(literal) });
        }
        let (kind, span) = self.placed(ast, |this, ast| {
            let sign = Self::sign(ast)?;
            Ok(match atom.kind {
                Type::Aggregate => BodyElementKind::SetAggregate {
                    sign,
                    guards: this.guards(&atom)?,
                    elements: this.conditionals(&atom)?,
                },
                Type::TheoryAtom => BodyElementKind::Theory { sign, atom: this.theory_atom(&atom)? },
                _ => {
                    let function = Self::number(&atom, Attribute::Function)?;
                    let function = Self::choice(&FUNCTIONS, function, "aggregate function")?;
                    let guards = this.guards(&atom)?;
                    let mut elements = Vec::new();
                    for e in Self::all(&atom, Attribute::Elements)? {
                        expect(&e, Type::BodyAggregateElement, "body aggregate element")?;
                        let tuple = this.terms(&Self::all(&e, Attribute::Terms)?)?;
                        let condition = this.literals(&Self::all(&e, Attribute::Condition)?)?;
                        let span = tuple.first().map(|t| t.span).or(condition.first().map(|l| l.span));
                        let span = span.unwrap_or(Span::NONE);
                        elements.push(BodyAggregateElement { tuple, condition, span });
                    }
                    BodyElementKind::Aggregate { sign, function, guards, elements }
                }
            })
        })?;
        Ok(BodyElement { kind, span })
    }

    pub(super) fn head(&mut self, ast: &Ast) -> Made<Head> {
        let (kind, span) = match ast.kind {
            Type::Literal => {
                let literal = self.literal(ast)?;
                let span = literal.span;
                (HeadKind::Literal(literal), span)
            }
            Type::TheoryAtom => {
                let atom = self.theory_atom(ast)?;
                let span = atom.span;
                (HeadKind::Theory(atom), span)
            }
            _ => self.placed(ast, |this, ast| this.head_kind(ast))?,
        };
        Ok(match kind {
            // The parser never makes a disjunction of a single literal.
            HeadKind::Disjunction(elements) if elements.is_empty() => {
                let literal = Literal { sign: Sign::None, kind: LiteralKind::Boolean(false), span };
                Head { kind: HeadKind::Literal(literal), span }
            }
            HeadKind::Disjunction(mut elements)
                if elements.len() == 1 && elements.iter().all(|e| e.condition.is_empty()) =>
            {
                match elements.pop() {
                    Some(one) => Head { kind: HeadKind::Literal(one.literal), span },
                    None => Head { kind: HeadKind::Disjunction(elements), span },
                }
            }
            kind => Head { kind, span },
        })
    }

    fn head_kind(&mut self, ast: &Ast) -> Made<HeadKind> {
        Ok(match ast.kind {
            Type::Disjunction => HeadKind::Disjunction(self.conditionals(ast)?),
            Type::Aggregate => {
                HeadKind::Choice { guards: self.guards(ast)?, elements: self.conditionals(ast)? }
            }
            Type::HeadAggregate => {
                let function = Self::number(ast, Attribute::Function)?;
                let function = Self::choice(&FUNCTIONS, function, "aggregate function")?;
                let guards = self.guards(ast)?;
                let mut elements = Vec::new();
                for e in Self::all(ast, Attribute::Elements)? {
                    expect(&e, Type::HeadAggregateElement, "head aggregate element")?;
                    let tuple = self.terms(&Self::all(&e, Attribute::Terms)?)?;
                    let c = self.conditional(&Self::one(&e, Attribute::Condition)?)?;
                    let span = tuple.first().map_or(c.span, |first| first.span.to(c.span));
                    let (literal, condition) = (c.literal, c.condition);
                    elements.push(HeadAggregateElement { tuple, literal, condition, span });
                }
                HeadKind::Aggregate { function, guards, elements }
            }
            _ => return wrong("head literal expected"),
        })
    }
}
