//! Terms and theory terms as the parser would have made them.
//!
//! Invariant: long sums are taken apart without recursion and balanced as the parser does it.

use asp::Symbol as Sym;
use asp::message::Span;
use asp::unstable::base::symbol::Symbols;
use asp::unstable::syntax::ast::{BinaryOp, MAX_DEPTH, Term, TermKind, TheoryTerm, TheoryTermKind, UnaryOp};
use asp::unstable::syntax::build::balanced;

use super::super::node::Ast;
use super::super::read::BINARY;
use super::super::schema::{Attribute, Type};
use super::{Made, Refusal, Writer, wrong};
use crate::symbol::{Symbol, SymbolKind};

/// Lists of arguments.
pub type Arguments = Vec<Vec<Term>>;

fn deepest<'t>(terms: impl Iterator<Item = &'t Term>) -> u16 {
    terms.map(|t| t.depth).max().unwrap_or(0)
}

impl Writer<'_> {
    /// Terms, at some depth.
    pub(super) fn terms(&mut self, asts: &[Ast], level: u16) -> Made<Vec<Term>> {
        asts.iter().map(|ast| self.term(ast, level)).collect()
    }

    /// A term outside of all others.
    pub(super) fn outer(&mut self, ast: &Ast) -> Made<Term> {
        self.term(ast, 0)
    }

    fn term(&mut self, ast: &Ast, level: u16) -> Made<Term> {
        let level = Self::deeper(level)?;
        if ast.kind == Type::BinaryOperation {
            return self.chain(ast, level);
        }
        let ((kind, below), span) = self.placed(ast, |this, ast| this.term_kind(ast, level))?;
        Ok(Term { kind, span, depth: Self::deeper(below)? })
    }

    fn term_kind(&mut self, ast: &Ast, level: u16) -> Made<(TermKind, u16)> {
        Ok(match ast.kind {
            Type::Variable => match Self::text(ast, Attribute::Name)? {
                "_" => (TermKind::Anonymous, 0),
                name => (TermKind::Variable(self.intern(name)), 0),
            },
            Type::SymbolicTerm => (self.symbol_kind(Self::symbol_of(ast)?)?, 0),
            Type::UnaryOperation => {
                let argument = Self::one(ast, Attribute::Argument)?;
                match Self::number(ast, Attribute::OperatorType)? {
                    2 => {
                        let parts = match argument.kind {
                            Type::Pool => Self::all(&argument, Attribute::Arguments)?,
                            _ => vec![argument],
                        };
                        let terms = self.terms(&parts, level)?;
                        if terms.is_empty() {
                            return Err(Refusal::Pool);
                        }
                        let below = deepest(terms.iter());
                        (TermKind::Absolute(terms), below)
                    }
                    number => {
                        let op =
                            Self::choice(&[UnaryOp::Minus, UnaryOp::Complement], number, "unary operator")?;
                        let argument = self.term(&argument, level)?;
                        let below = argument.depth;
                        (TermKind::Unary(op, Box::new(argument)), below)
                    }
                }
            }
            Type::Interval => {
                let left = self.term(&Self::one(ast, Attribute::Left)?, level)?;
                let right = self.term(&Self::one(ast, Attribute::Right)?, level)?;
                let below = left.depth.max(right.depth);
                (TermKind::Interval(Box::new(left), Box::new(right)), below)
            }
            Type::Function => {
                let (name, external, arguments) = self.function(ast, level)?;
                let below = deepest(arguments.iter());
                match (name, external) {
                    ("", true) => return wrong("an external function needs a name"),
                    ("", false) => (TermKind::Tuple(arguments), below),
                    (name, external) => {
                        let name = self.intern(name);
                        (TermKind::Function { name, args: vec![arguments], external }, below)
                    }
                }
            }
            Type::Pool => {
                let mut terms = self.terms(&Self::all(ast, Attribute::Arguments)?, level)?;
                let below = deepest(terms.iter());
                match (terms.len(), terms.pop()) {
                    (_, None) => return Err(Refusal::Pool),
                    (1, Some(one)) => (one.kind, below.saturating_sub(1)),
                    (_, Some(last)) => {
                        terms.push(last);
                        (TermKind::Pool(terms), below)
                    }
                }
            }
            _ => return wrong("term expected"),
        })
    }

    /// A function's name, whether it is external, and its arguments.
    fn function(&mut self, ast: &Ast, level: u16) -> Made<(&'static str, bool, Vec<Term>)> {
        let name = Self::text(ast, Attribute::Name)?;
        let external = Self::number(ast, Attribute::External)? != 0;
        let arguments = Self::all(ast, Attribute::Arguments)?;
        Ok((name, external, self.terms(&arguments, level)?))
    }

    /// A binary operation with all those on its left side.
    fn chain(&mut self, ast: &Ast, level: u16) -> Made<Term> {
        let mut operations = Vec::new();
        let mut first = ast.clone();
        while first.kind == Type::BinaryOperation {
            let op =
                Self::choice(&BINARY, Self::number(&first, Attribute::OperatorType)?, "binary operator")?;
            operations.push((op, Self::one(&first, Attribute::Right)?, first.clone()));
            first = Self::one(&first, Attribute::Left)?;
        }
        let mut left = self.term(&first, level)?;
        while let Some((op, right, whole)) = operations.pop() {
            let right = self.term(&right, level)?;
            let ((), span) = self.placed(&whole, |_, _| Ok(()))?;
            left = join(op, left, right, span)?;
        }
        Ok(left)
    }

    /// The symbol of a term.
    pub(super) fn symbol_of(ast: &Ast) -> Made<Symbol> {
        match Self::value(ast, Attribute::Symbol)? {
            super::Value::Symbol(symbol) => Ok(symbol),
            _ => wrong("a symbol is expected"),
        }
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

    /// The name and the lists of arguments of what stands for an atom, with its sign turned by each minus before it.
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
            let (name, external, list) = self.function(part, 0)?;
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

    pub(super) fn theory_terms(&mut self, asts: &[Ast], level: u16) -> Made<Vec<TheoryTerm>> {
        asts.iter().map(|ast| self.theory_term(ast, level)).collect()
    }

    /// A theory term at some depth.
    pub(super) fn theory_term(&mut self, ast: &Ast, level: u16) -> Made<TheoryTerm> {
        let level = Self::deeper(level)?;
        let ((kind, below), span) = self.placed(ast, |this, ast| this.theory_kind(ast, level))?;
        Ok(TheoryTerm { kind, span, depth: Self::deeper(below)? })
    }

    fn theory_kind(&mut self, ast: &Ast, level: u16) -> Made<(TheoryTermKind, u16)> {
        let deepest = |terms: &[TheoryTerm]| terms.iter().map(|t| t.depth).max().unwrap_or(0);
        Ok(match ast.kind {
            Type::Variable => match Self::text(ast, Attribute::Name)? {
                "_" => (TheoryTermKind::Variable(self.intern("")), 0),
                name => (TheoryTermKind::Variable(self.intern(name)), 0),
            },
            Type::SymbolicTerm => {
                let sym = self.map.intern(self.symbols, Self::symbol_of(ast)?)?;
                theory_symbol(self.symbols, sym, level)?
            }
            Type::TheoryFunction => {
                let name = Self::text(ast, Attribute::Name)?;
                let arguments = self.theory_terms(&Self::all(ast, Attribute::Arguments)?, level)?;
                let below = deepest(&arguments);
                match name {
                    "" => (TheoryTermKind::Tuple(arguments), below),
                    name => (TheoryTermKind::Function(self.intern(name), arguments), below),
                }
            }
            Type::TheorySequence => {
                let terms = self.theory_terms(&Self::all(ast, Attribute::Terms)?, level)?;
                let below = deepest(&terms);
                let make = match Self::number(ast, Attribute::SequenceType)? {
                    0 => TheoryTermKind::Tuple,
                    1 => TheoryTermKind::Set,
                    2 => TheoryTermKind::List,
                    _ => return wrong("invalid theory sequence type"),
                };
                (make(terms), below)
            }
            Type::TheoryUnparsedTerm => {
                let mut parts = Vec::new();
                let (mut below, mut count) = (0, 0u16);
                for (i, element) in Self::all(ast, Attribute::Elements)?.iter().enumerate() {
                    if element.kind != Type::TheoryUnparsedTermElement {
                        return wrong("unparsed term element expected");
                    }
                    let operators = Self::texts(element, Attribute::Operators)?;
                    if i > 0 && operators.is_empty() {
                        return wrong("an operator between theory terms is missing");
                    }
                    count = count.saturating_add(u16::try_from(operators.len()).unwrap_or(u16::MAX));
                    let operators = operators.into_iter().map(|o| self.intern(o)).collect();
                    let term = self.theory_term(&Self::one(element, Attribute::Term)?, level)?;
                    below = below.max(term.depth);
                    parts.push((operators, term));
                }
                match (count, parts.pop()) {
                    (_, None) => return wrong("an unparsed term needs an element"),
                    (0, Some((_, one))) => (one.kind, below.saturating_sub(1)),
                    (_, Some(last)) => {
                        parts.push(last);
                        (TheoryTermKind::Unparsed(parts), below.saturating_add(count).min(MAX_DEPTH))
                    }
                }
            }
            _ => return wrong("theory term expected"),
        })
    }
}

/// A symbol as a theory term.
fn theory_symbol(symbols: &Symbols, sym: Sym, level: u16) -> Made<(TheoryTermKind, u16)> {
    use asp::unstable::base::symbol::SymView;
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
            (TheoryTermKind::Function(name, terms), below)
        }
        SymView::Tuple(args) => {
            let (terms, below) = parts(args)?;
            (TheoryTermKind::Tuple(terms), below)
        }
        _ => (TheoryTermKind::Symbol(sym), 0),
    })
}

/// A binary operation, balanced if it is a long sum.
fn join(op: BinaryOp, left: Term, right: Term, span: Span) -> Made<Term> {
    match balanced(op, left, right, span) {
        Some(term) => Ok(term),
        None => wrong(format!("terms may be nested {MAX_DEPTH} deep, not deeper")),
    }
}
