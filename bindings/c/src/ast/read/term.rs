//! Terms and theory terms of the syntax tree as nodes.
//!
//! Invariants: nothing recurses ([`Reader::tree`]); long sums, which the parser balances, come out as they were written.

use std::ops::Range;

use asp::Symbol as Sym;
use asp::symbol::StrId;
use asp::syntax::Token;
use asp::syntax::ast::{self, BinaryOp, TermKind, TheoryTermKind, UnaryOp};

use super::super::node::{Ast, EMPTY, Location, Node, UNDERSCORE, Value};
use super::super::schema::Type;
use super::{Reader, foreign};
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
    fn functions(
        &mut self,
        name: StrId,
        lists: Vec<Vec<Ast>>,
        external: bool,
        location: Location,
    ) -> Result<Ast, Fail> {
        let name = self.name(name)?;
        let external = i32::from(external);
        let function = |list| {
            let values = vec![Value::Location, Value::Text(name), Value::Asts(list), Value::Number(external)];
            Node::new(Type::Function, location, values)
        };
        let mut parts: Vec<Ast> = lists.into_iter().map(function).collect();
        match parts.len() {
            1 => parts.pop().ok_or_else(|| Fail::runtime("a function is missing")),
            _ => Ok(Node::new(Type::Pool, location, vec![Value::Location, Value::Asts(parts)])),
        }
    }

    /// The function or pool of functions for an atom.
    pub(super) fn applied(
        &mut self,
        name: StrId,
        lists: &[Vec<ast::Term>],
        location: Location,
    ) -> Result<Ast, Fail> {
        let lists = lists.iter().map(|list| self.terms(list)).collect::<Result<_, _>>()?;
        self.functions(name, lists, false, location)
    }

    /// Converts a tree of terms: `parts` returns the subterms of a term, `make` builds its node from theirs.
    fn tree<'t, T>(
        &mut self,
        root: &'t T,
        parts: fn(&Self, &'t T) -> Vec<&'t T>,
        make: fn(&mut Self, &'t T, Vec<Ast>) -> Result<Ast, Fail>,
    ) -> Result<Ast, Fail> {
        let mut stack = vec![(root, parts(self, root), Vec::new())];
        loop {
            let next = stack.last().and_then(|(_, below, done)| below.get(done.len()).copied());
            if let Some(part) = next {
                stack.push((part, parts(self, part), Vec::new()));
                continue;
            }
            let Some((t, _, done)) = stack.pop() else { return Err(Fail::runtime("a term is empty")) };
            let ast = make(self, t, done)?;
            match stack.last_mut() {
                Some((_, _, above)) => above.push(ast),
                None => return Ok(ast),
            }
        }
    }

    /// Terms.
    pub(super) fn terms(&mut self, terms: &[ast::Term]) -> Result<Vec<Ast>, Fail> {
        terms.iter().map(|t| self.term(t)).collect()
    }

    pub(super) fn term(&mut self, t: &ast::Term) -> Result<Ast, Fail> {
        self.tree(t, Self::parts, Self::made)
    }

    /// The terms below a term.
    fn parts<'t>(&self, t: &'t ast::Term) -> Vec<&'t ast::Term> {
        match &t.kind {
            TermKind::Symbol(_) | TermKind::Variable(_) | TermKind::Anonymous => Vec::new(),
            TermKind::Unary(_, argument) => vec![argument],
            TermKind::Binary(_, _, right) if is_sum(t) && self.is_balanced(right) => {
                self.operands(t).into_iter().map(|(_, operand)| operand).collect()
            }
            TermKind::Binary(_, left, right) | TermKind::Interval(left, right) => vec![left, right],
            TermKind::Function { args, .. } | TermKind::Value { args, .. } => args.iter().flatten().collect(),
            TermKind::Absolute(terms) | TermKind::Tuple(terms) | TermKind::Pool(terms) => {
                terms.iter().collect()
            }
        }
    }

    /// The node of a term, given the nodes of its parts.
    fn made(&mut self, t: &ast::Term, parts: Vec<Ast>) -> Result<Ast, Fail> {
        let outer = self.tokens.within(t.span);
        let range = match t.kind {
            TermKind::Tuple(_) | TermKind::Pool(_) => self.tokens.bracketed(outer),
            _ => self.tokens.bare(outer),
        };
        let location = self.location(&range);
        let mut parts = parts.into_iter();
        let mut part = || parts.next().ok_or_else(|| Fail::runtime("a term is missing"));
        Ok(match &t.kind {
            TermKind::Symbol(symbol) => self.symbol(*symbol, location)?,
            TermKind::Variable(name) => {
                let name = self.name(*name)?;
                self.variable(name, location)
            }
            TermKind::Anonymous => self.variable(UNDERSCORE, location),
            TermKind::Unary(op, _) => Self::unary(i32::from(*op != UnaryOp::Minus), part()?, location),
            TermKind::Absolute(terms) => {
                let argument = match terms.len() {
                    1 => part()?,
                    _ => Node::new(Type::Pool, location, vec![Value::Location, Value::Asts(parts.collect())]),
                };
                Self::unary(2, argument, location)
            }
            TermKind::Binary(_, _, right) if is_sum(t) && self.is_balanced(right) => {
                let first = self.tokens.ends(&range).0;
                let mut sum = part()?;
                for (op, operand) in self.operands(t).into_iter().skip(1) {
                    let end = self.tokens.ends(&self.tokens.within(operand.span)).1;
                    sum = Self::binary(number_of(op), sum, part()?, self.lines.location(first, end));
                }
                sum
            }
            TermKind::Binary(op, ..) => Self::binary(number_of(*op), part()?, part()?, location),
            TermKind::Interval(..) => {
                let values = vec![Value::Location, Value::Ast(part()?), Value::Ast(part()?)];
                Node::new(Type::Interval, location, values)
            }
            TermKind::Function { name, args, external } => match &args[..] {
                [none] if none.is_empty() && !external && range.len() == 1 => {
                    self.constant(*name, location)?
                }
                _ => {
                    let lists = args.iter().map(|list| parts.by_ref().take(list.len()).collect()).collect();
                    self.functions(*name, lists, *external, location)?
                }
            },
            TermKind::Value { .. } => return Err(foreign("$")),
            TermKind::Tuple(_) => {
                let location = match self.tokens.is_parenthesized(&range) && !self.keep_parentheses {
                    true => self.location(&(range.start + 1..range.end - 1)),
                    false => location,
                };
                let arguments = Value::Asts(parts.collect());
                let values = vec![Value::Location, Value::Text(EMPTY), arguments, Value::Number(0)];
                Node::new(Type::Function, location, values)
            }
            TermKind::Pool(_) => {
                Node::new(Type::Pool, location, vec![Value::Location, Value::Asts(parts.collect())])
            }
        })
    }

    /// Whether the right-hand side of a sum is a sum without parentheses, because the parser has balanced it.
    fn is_balanced(&self, right: &ast::Term) -> bool {
        is_sum(right) && !self.tokens.is_parenthesized(&self.tokens.within(right.span))
    }

    /// The operands of a sum that the parser has balanced, in the order of the text, each with the operator before it.
    fn operands<'t>(&self, t: &'t ast::Term) -> Vec<(BinaryOp, &'t ast::Term)> {
        // From left to right, the next one last, each with whether its operators are to be flipped.
        let mut todo = vec![(BinaryOp::Add, t, false, true)];
        let mut operands = Vec::new();
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
            } else {
                operands.push((op, t));
            }
        }
        operands
    }

    /// Theory terms.
    pub(super) fn theory_terms(&mut self, terms: &[ast::TheoryTerm]) -> Result<Vec<Ast>, Fail> {
        terms.iter().map(|t| self.theory_term(t)).collect()
    }

    /// Operators and terms with the parentheses directly around them.
    fn with_parentheses(&self, range: Range<usize>) -> Range<usize> {
        let Some(open) = range.start.checked_sub(1) else { return range };
        let around = open..range.end + 1;
        let of_function = open.checked_sub(1).and_then(|i| self.tokens.kind(i)) == Some(Token::Identifier);
        if self.tokens.is_parenthesized(&around) && !of_function { around } else { range }
    }

    /// A theory term.
    pub(super) fn theory_term(&mut self, t: &ast::TheoryTerm) -> Result<Ast, Fail> {
        self.tree(t, Self::theory_parts, Self::theory_made)
    }

    /// The theory terms below one.
    fn theory_parts<'t>(&self, t: &'t ast::TheoryTerm) -> Vec<&'t ast::TheoryTerm> {
        match &t.kind {
            TheoryTermKind::Symbol(_) | TheoryTermKind::Variable(_) | TheoryTermKind::Constant(_) => {
                Vec::new()
            }
            TheoryTermKind::Function(_, terms)
            | TheoryTermKind::Tuple(terms)
            | TheoryTermKind::List(terms)
            | TheoryTermKind::Set(terms) => terms.iter().collect(),
            TheoryTermKind::Unparsed(parts) => parts.iter().map(|(_, term)| term).collect(),
        }
    }

    /// The node of a theory term, given the nodes of its parts.
    fn theory_made(&mut self, t: &ast::TheoryTerm, parts: Vec<Ast>) -> Result<Ast, Fail> {
        let range = self.tokens.within(t.span);
        let location = self.location(&range);
        let sequence = |kind, terms| {
            let values = vec![Value::Location, Value::Number(kind), Value::Asts(terms)];
            Node::new(Type::TheorySequence, location, values)
        };
        Ok(match &t.kind {
            TheoryTermKind::Symbol(symbol) => self.symbol(*symbol, location)?,
            TheoryTermKind::Variable(name) => {
                let name = self.name(*name)?;
                self.variable(if name.is_empty() { UNDERSCORE } else { name }, location)
            }
            TheoryTermKind::Constant(name) => self.constant(*name, location)?,
            TheoryTermKind::Function(name, _) => {
                let name = Value::Text(self.name(*name)?);
                Node::new(Type::TheoryFunction, location, vec![Value::Location, name, Value::Asts(parts)])
            }
            TheoryTermKind::Tuple(_) => sequence(0, parts),
            TheoryTermKind::Set(_) => sequence(1, parts),
            TheoryTermKind::List(_) => sequence(2, parts),
            TheoryTermKind::Unparsed(terms) => {
                let mut elements = Vec::with_capacity(parts.len());
                for ((operators, _), term) in terms.iter().zip(parts) {
                    let operators = operators.iter().map(|&o| self.name(o)).collect::<Result<_, _>>()?;
                    let values = vec![Value::Texts(operators), Value::Ast(term)];
                    elements.push(Node::new(Type::TheoryUnparsedTermElement, Location::default(), values));
                }
                let location = self.location(&self.with_parentheses(range));
                let values = vec![Value::Location, Value::Asts(elements)];
                Node::new(Type::TheoryUnparsedTerm, location, values)
            }
        })
    }
}
