//! Terms and theory terms as the parser would have made them.
//!
//! Invariants: nothing recurses ([`Writer::tree`]) except over symbols in theory terms, whose depth is limited; long
//! sums are balanced as the parser does.

use asp::Symbol as Sym;
use asp::message::Span;
use asp::symbol::Symbols;
use asp::syntax::ast::{Term, TermKind, TheoryTerm, TheoryTermKind, UnaryOp};
use asp::syntax::balanced;

use super::super::node::Ast;
use super::super::read::BINARY;
use super::super::schema::{Attribute, Type};
use super::{Made, Refusal, Writer, too_deep, wrong};
use crate::symbol::{Symbol, SymbolKind};

/// Lists of arguments.
pub type Arguments = Vec<Vec<Term>>;

fn deepest<'t>(terms: impl Iterator<Item = &'t Term>) -> u16 {
    terms.map(|t| t.depth).max().unwrap_or(0)
}

impl Writer<'_> {
    /// Converts a tree of nodes: `parts` returns the nodes below a node, `make` builds its term from theirs.
    fn tree<T>(
        &mut self,
        root: &Ast,
        parts: fn(&Ast) -> Made<Vec<Ast>>,
        make: fn(&mut Self, &Ast, Vec<T>, Span) -> Made<T>,
    ) -> Made<T> {
        let below = parts(root)?;
        if below.is_empty() {
            return self.leaf(root, make);
        }
        let mut stack = vec![(root.clone(), below, Vec::new(), self.begin(root))];
        loop {
            let next = stack.last().and_then(|(_, below, done, _)| below.get(done.len()).cloned());
            let term = if let Some(part) = next {
                let below = parts(&part)?;
                if !below.is_empty() {
                    let begin = self.begin(&part);
                    stack.push((part, below, Vec::new(), begin));
                    continue;
                }
                self.leaf(&part, make)?
            } else {
                let Some((ast, _, done, begin)) = stack.pop() else { return wrong("a term is empty") };
                let span = Span::new(begin, self.end(&ast));
                make(self, &ast, done, span)?
            };
            match stack.last_mut() {
                Some((_, _, above, _)) => above.push(term),
                None => return Ok(term),
            }
        }
    }

    /// The term of a node without nodes below.
    fn leaf<T>(&mut self, ast: &Ast, make: fn(&mut Self, &Ast, Vec<T>, Span) -> Made<T>) -> Made<T> {
        let location = ast.body().location;
        let span = Span::new(self.position(location.begin), self.position(location.end));
        make(self, ast, Vec::new(), span)
    }

    /// Terms.
    pub(super) fn terms(&mut self, asts: &[Ast]) -> Made<Vec<Term>> {
        asts.iter().map(|ast| self.term(ast)).collect()
    }

    pub(super) fn term(&mut self, ast: &Ast) -> Made<Term> {
        self.tree(ast, Self::parts, Self::made)
    }

    /// The nodes below a term.
    fn parts(ast: &Ast) -> Made<Vec<Ast>> {
        Ok(match ast.kind {
            Type::Variable | Type::SymbolicTerm => Vec::new(),
            Type::UnaryOperation => {
                let argument = Self::one(ast, Attribute::Argument)?;
                match (argument.kind, Self::number(ast, Attribute::OperatorType)?) {
                    (Type::Pool, 2) => Self::all(&argument, Attribute::Arguments)?,
                    _ => vec![argument],
                }
            }
            Type::BinaryOperation | Type::Interval => {
                vec![Self::one(ast, Attribute::Left)?, Self::one(ast, Attribute::Right)?]
            }
            Type::Function | Type::Pool => Self::all(ast, Attribute::Arguments)?,
            _ => return wrong("term expected"),
        })
    }

    /// The term of a node, given the terms of its parts.
    fn made(&mut self, ast: &Ast, mut parts: Vec<Term>, span: Span) -> Made<Term> {
        let below = deepest(parts.iter());
        let kind = match (ast.kind, parts.pop()) {
            (Type::Variable, _) => match Self::text(ast, Attribute::Name)? {
                "_" => TermKind::Anonymous,
                name => TermKind::Variable(self.intern(name)),
            },
            (Type::SymbolicTerm, _) => self.symbol_kind(Self::symbol_of(ast)?)?,
            // A pool without terms has no alternatives.
            (Type::UnaryOperation | Type::BinaryOperation | Type::Interval | Type::Pool, None) => {
                return Err(Refusal::Pool);
            }
            (Type::UnaryOperation, Some(last)) => match Self::number(ast, Attribute::OperatorType)? {
                2 => {
                    parts.push(last);
                    TermKind::Absolute(parts)
                }
                number => {
                    let op = Self::choice(&[UnaryOp::Minus, UnaryOp::Complement], number, "unary operator")?;
                    TermKind::Unary(op, Box::new(last))
                }
            },
            (Type::BinaryOperation, Some(right)) => {
                let op =
                    Self::choice(&BINARY, Self::number(ast, Attribute::OperatorType)?, "binary operator")?;
                let Some(left) = parts.pop() else { return Err(Refusal::Pool) };
                let term = balanced(op, left, right, span);
                return term.map_or_else(|| Err(too_deep()), Ok);
            }
            (Type::Interval, Some(right)) => {
                let Some(left) = parts.pop() else { return Err(Refusal::Pool) };
                TermKind::Interval(Box::new(left), Box::new(right))
            }
            (Type::Pool, Some(one)) if parts.is_empty() => return Ok(one),
            (Type::Pool, Some(last)) => {
                parts.push(last);
                TermKind::Pool(parts)
            }
            (_, last) => {
                parts.extend(last);
                let external = Self::number(ast, Attribute::External)? != 0;
                match Self::text(ast, Attribute::Name)? {
                    "" if external => return wrong("an external function needs a name"),
                    "" => TermKind::Tuple(parts),
                    name => TermKind::Function { name: self.intern(name), args: vec![parts], external },
                }
            }
        };
        Ok(Term { kind, span, depth: Self::deeper(below)? })
    }

    /// A function's name, whether it is external, and its arguments.
    fn function(&mut self, ast: &Ast) -> Made<(&'static str, bool, Vec<Term>)> {
        let name = Self::text(ast, Attribute::Name)?;
        let external = Self::number(ast, Attribute::External)? != 0;
        Ok((name, external, self.terms(&Self::all(ast, Attribute::Arguments)?)?))
    }

    /// The symbol of a term.
    pub(super) fn symbol_of(ast: &Ast) -> Made<Symbol> {
        Self::value(ast, Attribute::Symbol, "a symbol is expected", |value| match value {
            super::Value::Symbol(symbol) => Some(*symbol),
            _ => None,
        })
    }

    fn symbol_kind(&mut self, symbol: Symbol) -> Made<TermKind> {
        match symbol.kind()? {
            SymbolKind::Function { name, arguments: [], negative: false } if !name.is_empty() => {
                let name = self.intern(name);
                Ok(TermKind::Function { name, args: vec![Vec::new()], external: false })
            }
            _ => Ok(TermKind::Symbol(self.map.intern(self.symbols, symbol)?)),
        }
    }

    /// A symbol as a term.
    pub(super) fn symbol_term(&mut self, symbol: Symbol, span: Span) -> Made<Term> {
        Ok(Term { kind: self.symbol_kind(symbol)?, span, depth: 1 })
    }

    /// The name and the lists of arguments of a node that stands for an atom, with its sign flipped by each minus
    /// before it.
    pub(super) fn atom_parts(&mut self, ast: &Ast) -> Made<(&'static str, Arguments, bool)> {
        let (mut ast, mut negative) = (ast.clone(), false);
        while ast.kind == Type::UnaryOperation && Self::number(&ast, Attribute::OperatorType)? == 0 {
            negative = !negative;
            ast = Self::one(&ast, Attribute::Argument)?;
        }
        let parts = match ast.kind {
            Type::Function => vec![ast],
            Type::Pool => Self::all(&ast, Attribute::Arguments)?,
            Type::SymbolicTerm => {
                let SymbolKind::Function { name, arguments, negative: turned } =
                    Self::symbol_of(&ast)?.kind()?
                else {
                    return wrong("atom expected");
                };
                if name.is_empty() {
                    return wrong("atom expected");
                }
                let mut terms = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    let ((), span) = self.placed(&ast, |_, _| Ok(()))?;
                    terms.push(self.symbol_term(argument, span)?);
                }
                return Ok((name, vec![terms], negative != turned));
            }
            _ => return wrong("atom expected"),
        };
        let mut known = None;
        let mut lists = Vec::with_capacity(parts.len());
        for part in &parts {
            if part.kind != Type::Function {
                return Err(Refusal::Pool);
            }
            let (name, external, list) = self.function(part)?;
            if external || name.is_empty() {
                return wrong("atom expected");
            }
            if known.is_some_and(|known| known != name) {
                return Err(Refusal::Pool);
            }
            known = Some(name);
            lists.push(list);
        }
        known.map(|name| (name, lists, negative)).ok_or(Refusal::Pool)
    }

    // ---- theory terms ----

    pub(super) fn theory_terms(&mut self, asts: &[Ast]) -> Made<Vec<TheoryTerm>> {
        asts.iter().map(|ast| self.theory_term(ast)).collect()
    }

    /// A theory term.
    pub(super) fn theory_term(&mut self, ast: &Ast) -> Made<TheoryTerm> {
        self.tree(ast, Self::theory_parts, Self::theory_made)
    }

    /// The nodes below a theory term.
    fn theory_parts(ast: &Ast) -> Made<Vec<Ast>> {
        match ast.kind {
            Type::Variable | Type::SymbolicTerm => Ok(Vec::new()),
            Type::TheoryFunction => Self::all(ast, Attribute::Arguments),
            Type::TheorySequence => Self::all(ast, Attribute::Terms),
            Type::TheoryUnparsedTerm => {
                let elements = Self::all(ast, Attribute::Elements)?;
                if elements.iter().any(|e| e.kind != Type::TheoryUnparsedTermElement) {
                    return wrong("unparsed term element expected");
                }
                elements.iter().map(|e| Self::one(e, Attribute::Term)).collect()
            }
            _ => wrong("theory term expected"),
        }
    }

    /// The theory term of a node, given those of its parts.
    fn theory_made(&mut self, ast: &Ast, mut parts: Vec<TheoryTerm>, span: Span) -> Made<TheoryTerm> {
        let mut below = parts.iter().map(|t| t.depth).max().unwrap_or(0);
        let kind = match ast.kind {
            Type::Variable => match Self::text(ast, Attribute::Name)? {
                "_" => TheoryTermKind::Variable(self.intern("")),
                name => TheoryTermKind::Variable(self.intern(name)),
            },
            Type::SymbolicTerm => {
                let sym = self.map.intern(self.symbols, Self::symbol_of(ast)?)?;
                let (kind, depth) = theory_symbol(self.symbols, sym, 0)?;
                below = depth;
                kind
            }
            Type::TheoryFunction => match Self::text(ast, Attribute::Name)? {
                "" => TheoryTermKind::Tuple(parts),
                name => TheoryTermKind::Function(self.intern(name), parts),
            },
            Type::TheorySequence => match Self::number(ast, Attribute::SequenceType)? {
                0 => TheoryTermKind::Tuple(parts),
                1 => TheoryTermKind::Set(parts),
                2 => TheoryTermKind::List(parts),
                _ => return wrong("invalid theory sequence type"),
            },
            _ => {
                let mut operators = Vec::with_capacity(parts.len());
                for (i, element) in Self::all(ast, Attribute::Elements)?.iter().enumerate() {
                    let these = Self::texts(element, Attribute::Operators)?;
                    if i > 0 && these.is_empty() {
                        return wrong("an operator between theory terms is missing");
                    }
                    operators.push(these.into_iter().map(|o| self.intern(o)).collect::<Vec<_>>());
                }
                let count: usize = operators.iter().map(Vec::len).sum();
                match parts.len() {
                    0 => return wrong("an unparsed term needs an element"),
                    1 if count == 0 => {
                        return parts.pop().map_or_else(|| wrong("theory term expected"), Ok);
                    }
                    _ => {}
                }
                below = below.saturating_add(u16::try_from(count).unwrap_or(u16::MAX));
                TheoryTermKind::Unparsed(operators.into_iter().zip(parts).collect())
            }
        };
        Ok(TheoryTerm { kind, span, depth: Self::deeper(below)? })
    }
}

/// A symbol as a theory term.
fn theory_symbol(symbols: &Symbols, sym: Sym, level: u16) -> Made<(TheoryTermKind, u16)> {
    use asp::symbol::SymView;
    let level = Writer::deeper(level)?;
    let parts = |args: &[Sym]| {
        let mut below = 0;
        let mut terms = Vec::with_capacity(args.len());
        for &arg in args {
            let (kind, depth) = theory_symbol(symbols, arg, level)?;
            below = below.max(depth + 1);
            terms.push(TheoryTerm { kind, span: Span::NONE, depth: depth + 1 });
        }
        Ok::<_, Refusal>((terms, below))
    };
    Ok(match symbols.view(sym) {
        SymView::Fun { negative: true, .. } => return wrong("a theory term has no classical negation"),
        SymView::Fun { name, args, .. } => {
            let (terms, below) = parts(args)?;
            match terms.is_empty() {
                true => (TheoryTermKind::Constant(name), below),
                false => (TheoryTermKind::Function(name, terms), below),
            }
        }
        SymView::Tuple(args) => {
            let (terms, below) = parts(args)?;
            (TheoryTermKind::Tuple(terms), below)
        }
        _ => (TheoryTermKind::Symbol(sym), 0),
    })
}
