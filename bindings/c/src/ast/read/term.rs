//! Terms and theory terms of the syntax tree as nodes.
//!
//! Invariant: recursion is bounded by the depth of the parser's terms ([`ast::MAX_DEPTH`]); long sums, which the parser balances,
//! come out as they were written, without recursion.

use std::ops::Range;

use asp::Symbol as Sym;
use asp::unstable::base::symbol::StrId;
use asp::unstable::syntax::ast::{self, BinaryOp, TermKind, TheoryTermKind, UnaryOp};
use asp::unstable::syntax::token::Token;

use super::super::node::{Ast, EMPTY, Location, Node, UNDERSCORE, Value};
use super::super::schema::Type;
use super::Reader;
use crate::error::Fail;
use crate::symbol::Symbol;

/// The number of a binary operator in clingo.h.
pub const BINARY: [BinaryOp; 9] = [
    BinaryOp::Xor,
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
    BinaryOp::Pow,
];

fn number_of(op: BinaryOp) -> i32 {
    BINARY.iter().position(|&o| o == op).map_or(0, |i| i as i32)
}

fn is_sum(t: &ast::Term) -> bool {
    matches!(t.kind, TermKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..))
}

impl Reader<'_> {
    pub(super) fn binary(op: i32, left: Ast, right: Ast, location: Location) -> Ast {
        let values = vec![Value::Location, Value::Number(op), Value::Ast(left), Value::Ast(right)];
        Node::new(Type::BinaryOperation, location, values)
    }

    pub(super) fn unary(op: i32, argument: Ast, location: Location) -> Ast {
        let values = vec![Value::Location, Value::Number(op), Value::Ast(argument)];
        Node::new(Type::UnaryOperation, location, values)
    }

    pub(super) fn symbolic(symbol: Symbol, location: Location) -> Ast {
        Node::new(Type::SymbolicTerm, location, vec![Value::Location, Value::Symbol(symbol)])
    }

    fn symbol(&mut self, sym: Sym, location: Location) -> Result<Ast, Fail> {
        Ok(Self::symbolic(self.map.symbol(self.symbols, sym)?, location))
    }

    fn constant(&mut self, name: StrId, location: Location) -> Result<Ast, Fail> {
        Ok(Self::symbolic(Symbol::function(self.symbols.str(name), &[], false)?, location))
    }

    fn variable(&mut self, name: &'static str, location: Location) -> Ast {
        Node::new(Type::Variable, location, vec![Value::Location, Value::Text(name)])
    }

    /// A function, or a pool of functions for several lists of arguments.
    pub(super) fn functions(
        &mut self,
        name: StrId,
        lists: &[Vec<ast::Term>],
        external: bool,
        location: Location,
    ) -> Result<Ast, Fail> {
        let name = self.name(name)?;
        let mut parts = Vec::with_capacity(lists.len());
        for list in lists {
            let arguments = Value::Asts(self.terms(list)?);
            let values =
                vec![Value::Location, Value::Text(name), arguments, Value::Number(i32::from(external))];
            parts.push(Node::new(Type::Function, location, values));
        }
        match parts.len() {
            1 => parts.pop().ok_or_else(|| Fail::runtime("a function is missing")),
            _ => Ok(Node::new(Type::Pool, location, vec![Value::Location, Value::Asts(parts)])),
        }
    }

    /// Terms.
    pub(super) fn terms(&mut self, terms: &[ast::Term]) -> Result<Vec<Ast>, Fail> {
        terms.iter().map(|t| self.term(t)).collect()
    }

    /// A term.
    pub(super) fn term(&mut self, t: &ast::Term) -> Result<Ast, Fail> {
        let outer = self.tokens.within(t.span);
        let range = match t.kind {
            TermKind::Tuple(_) | TermKind::Pool(_) => self.tokens.bracketed(outer),
            _ => self.tokens.bare(outer),
        };
        let location = self.location(&range);
        Ok(match &t.kind {
            TermKind::Symbol(symbol) => self.symbol(*symbol, location)?,
            TermKind::Variable(name) => {
                let name = self.name(*name)?;
                self.variable(name, location)
            }
            TermKind::Anonymous => self.variable(UNDERSCORE, location),
            TermKind::Unary(op, argument) => {
                let argument = self.term(argument)?;
                Self::unary(if *op == UnaryOp::Minus { 0 } else { 1 }, argument, location)
            }
            TermKind::Absolute(arguments) => {
                let mut arguments = self.terms(arguments)?;
                let argument = match (arguments.len(), arguments.pop()) {
                    (1, Some(one)) => one,
                    (_, last) => {
                        arguments.extend(last);
                        Node::new(Type::Pool, location, vec![Value::Location, Value::Asts(arguments)])
                    }
                };
                Self::unary(2, argument, location)
            }
            TermKind::Binary(_, _, right) if is_sum(t) && self.is_balanced(right) => self.sum(t)?,
            TermKind::Binary(op, left, right) => {
                Self::binary(number_of(*op), self.term(left)?, self.term(right)?, location)
            }
            TermKind::Interval(left, right) => {
                let values =
                    vec![Value::Location, Value::Ast(self.term(left)?), Value::Ast(self.term(right)?)];
                Node::new(Type::Interval, location, values)
            }
            TermKind::Function { name, args, external } => match &args[..] {
                [none] if none.is_empty() && !external && range.len() == 1 => {
                    self.constant(*name, location)?
                }
                _ => self.functions(*name, args, *external, location)?,
            },
            TermKind::Tuple(terms) => {
                let location = match self.tokens.is_parenthesized(&range) && !self.keep_parentheses {
                    true => self.location(&(range.start + 1..range.end - 1)),
                    false => location,
                };
                let values = vec![
                    Value::Location,
                    Value::Text(EMPTY),
                    Value::Asts(self.terms(terms)?),
                    Value::Number(0),
                ];
                Node::new(Type::Function, location, values)
            }
            TermKind::Pool(terms) => {
                let terms = Value::Asts(self.terms(terms)?);
                Node::new(Type::Pool, location, vec![Value::Location, terms])
            }
        })
    }

    /// Whether the right-hand side of a sum is a sum without parentheses: the parser has balanced it.
    fn is_balanced(&self, right: &ast::Term) -> bool {
        is_sum(right) && !self.tokens.is_parenthesized(&self.tokens.within(right.span))
    }

    /// A sum that the parser has balanced, as it was written: from left to right.
    fn sum(&mut self, t: &ast::Term) -> Result<Ast, Fail> {
        // Operands from left to right, the next one last, each with the operator before it, and whether operators inside turn.
        let mut todo = vec![(BinaryOp::Add, t, false, true)];
        let mut sum: Option<(Ast, u32)> = None;
        let first = self.tokens.ends(&self.tokens.bare(self.tokens.within(t.span))).0;
        while let Some((op, t, turned, root)) = todo.pop() {
            if let TermKind::Binary(inner @ (BinaryOp::Add | BinaryOp::Sub), left, right) = &t.kind
                && (root || !self.tokens.is_parenthesized(&self.tokens.within(t.span)))
            {
                let shown = match (turned, inner) {
                    (false, op) => *op,
                    (true, BinaryOp::Add) => BinaryOp::Sub,
                    (true, _) => BinaryOp::Add,
                };
                todo.push((shown, right, turned != (*inner == BinaryOp::Sub), false));
                todo.push((op, left, turned, false));
                continue;
            }
            let end = self.tokens.ends(&self.tokens.within(t.span)).1;
            let right = self.term(t)?;
            sum = Some(match sum {
                None => (right, end),
                Some((left, _)) => {
                    let location = self.lines.location(first, end);
                    (Self::binary(number_of(op), left, right, location), end)
                }
            });
        }
        sum.map(|(ast, _)| ast).ok_or_else(|| Fail::runtime("a sum is empty"))
    }

    /// Theory terms.
    pub(super) fn theory_terms(&mut self, terms: &[ast::TheoryTerm]) -> Result<Vec<Ast>, Fail> {
        terms.iter().map(|t| self.theory_term(t)).collect()
    }

    /// Operators and terms with the parentheses that are directly around them.
    fn with_parentheses(&self, range: Range<usize>) -> Range<usize> {
        let Some(open) = range.start.checked_sub(1) else { return range };
        let around = open..range.end + 1;
        let of_function = open.checked_sub(1).and_then(|i| self.tokens.kind(i)) == Some(Token::Identifier);
        if self.tokens.is_parenthesized(&around) && !of_function { around } else { range }
    }

    /// A theory term.
    pub(super) fn theory_term(&mut self, t: &ast::TheoryTerm) -> Result<Ast, Fail> {
        let range = self.tokens.within(t.span);
        let location = self.location(&range);
        Ok(match &t.kind {
            TheoryTermKind::Symbol(symbol) => self.symbol(*symbol, location)?,
            TheoryTermKind::Variable(name) => {
                let name = self.name(*name)?;
                self.variable(if name.is_empty() { UNDERSCORE } else { name }, location)
            }
            TheoryTermKind::Function(name, arguments) if arguments.is_empty() && range.len() == 1 => {
                self.constant(*name, location)?
            }
            TheoryTermKind::Function(name, arguments) => {
                let name = Value::Text(self.name(*name)?);
                let arguments = Value::Asts(self.theory_terms(arguments)?);
                Node::new(Type::TheoryFunction, location, vec![Value::Location, name, arguments])
            }
            TheoryTermKind::Tuple(terms) => self.theory_sequence(0, terms, location)?,
            TheoryTermKind::Set(terms) => self.theory_sequence(1, terms, location)?,
            TheoryTermKind::List(terms) => self.theory_sequence(2, terms, location)?,
            TheoryTermKind::Unparsed(parts) => {
                let mut elements = Vec::with_capacity(parts.len());
                for (operators, term) in parts {
                    let operators = operators.iter().map(|&o| self.name(o)).collect::<Result<_, _>>()?;
                    let values = vec![Value::Texts(operators), Value::Ast(self.theory_term(term)?)];
                    elements.push(Node::new(Type::TheoryUnparsedTermElement, Location::default(), values));
                }
                let location = self.location(&self.with_parentheses(range));
                let values = vec![Value::Location, Value::Asts(elements)];
                Node::new(Type::TheoryUnparsedTerm, location, values)
            }
        })
    }

    fn theory_sequence(
        &mut self,
        kind: i32,
        terms: &[ast::TheoryTerm],
        location: Location,
    ) -> Result<Ast, Fail> {
        let values = vec![Value::Location, Value::Number(kind), Value::Asts(self.theory_terms(terms)?)];
        Ok(Node::new(Type::TheorySequence, location, values))
    }
}
