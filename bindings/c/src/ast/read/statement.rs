//! Statements of the syntax tree as nodes.

use std::ops::Range;

use asp::syntax::Token;
use asp::syntax::ast::{self, Fixity, SignatureRef, Statement, StatementKind, TheoryAtomKind};

use super::super::node::{Ast, EMPTY, Location, Node, Value};
use super::super::schema::Type;
use super::Reader;
use crate::error::Fail;
use crate::symbol::{Symbol, intern_text};

impl Reader<'_> {
    fn number_term(n: i64, location: Location) -> Result<Ast, Fail> {
        Ok(Self::symbolic(Symbol::number(n)?, location))
    }

    /// The nodes for the statements of a piece: several for an edge statement with several pairs, none for an include.
    /// Each comes with the token at which it is complete.
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Result<Vec<(Ast, usize)>, Fail> {
        let is_list = matches!(self.tokens.kind(0), Some(Token::Minimize | Token::Maximize));
        let last = self.tokens.all.len().saturating_sub(1);
        let mut out = Vec::new();
        for s in statements {
            // A single element has the span of the whole.
            let end = match statements.len() {
                1 => self.tokens.partner(1).unwrap_or(last),
                _ => self.tokens.within(s.span).end,
            };
            let element = is_list.then_some(2..end);
            let complete = element.as_ref().map_or(last, |e| e.end);
            let mut found = Vec::new();
            self.statement(element, s, &mut found)?;
            out.extend(found.into_iter().map(|ast| (ast, complete)));
        }
        Ok(out)
    }

    fn statement(
        &mut self,
        element: Option<Range<usize>>,
        s: &Statement,
        out: &mut Vec<Ast>,
    ) -> Result<(), Fail> {
        let whole = self.place(s.span);
        let (kind, values) = match &s.kind {
            StatementKind::Rule { head, body } => {
                let head = Value::Ast(self.head(head, whole)?);
                (Type::Rule, vec![Value::Location, head, self.body(body)?])
            }
            StatementKind::Minimize { .. } => {
                let place = element.map_or(whole, |element| self.location(&element));
                out.push(self.minimize(s, place)?);
                return Ok(());
            }
            StatementKind::ShowNothing => {
                let values = vec![Value::Location, Value::Text(EMPTY), Value::Number(0), Value::Number(1)];
                (Type::ShowSignature, values)
            }
            StatementKind::ShowSignature(r) => (Type::ShowSignature, self.signature(r)?),
            StatementKind::ProjectSignature(r) => (Type::ProjectSignature, self.signature(r)?),
            StatementKind::Defined(r) => (Type::Defined, self.signature(r)?),
            StatementKind::ShowTerm { term, body } => {
                let term = Value::Ast(self.term(term)?);
                (Type::ShowTerm, vec![Value::Location, term, self.body(body)?])
            }
            StatementKind::ProjectAtom { atom, body } => {
                let atom = Value::Ast(self.atom(atom)?);
                (Type::ProjectAtom, vec![Value::Location, atom, self.body(body)?])
            }
            StatementKind::External { atom, body, value } => {
                let (atom, body) = (Value::Ast(self.atom(atom)?), self.body(body)?);
                let value = match value {
                    Some(value) => self.term(value)?,
                    None => Self::symbolic(Symbol::function("false", &[], false)?, whole),
                };
                (Type::External, vec![Value::Location, atom, body, Value::Ast(value)])
            }
            StatementKind::Heuristic { atom, body, weight, priority, modifier } => {
                let (atom, body) = (Value::Ast(self.atom(atom)?), self.body(body)?);
                let weight = Value::Ast(self.term(weight)?);
                let priority = match priority {
                    Some(priority) => self.term(priority)?,
                    None => Self::number_term(0, whole)?,
                };
                let modifier = Value::Ast(self.term(modifier)?);
                (Type::Heuristic, vec![Value::Location, atom, body, weight, Value::Ast(priority), modifier])
            }
            StatementKind::Edge { pairs, body } => {
                for (u, v) in pairs {
                    let (u, v) = (Value::Ast(self.term(u)?), Value::Ast(self.term(v)?));
                    out.push(Node::new(Type::Edge, whole, vec![Value::Location, u, v, self.body(body)?]));
                }
                return Ok(());
            }
            StatementKind::Const { name, value, is_override, .. } => {
                let name = Value::Text(self.name(*name)?);
                self.keep_parentheses = true;
                let value = self.term(value);
                self.keep_parentheses = false;
                let flag = Value::Number(i32::from(!is_override));
                (Type::Definition, vec![Value::Location, name, Value::Ast(value?), flag])
            }
            StatementKind::Part { name, params } => {
                let name = Value::Text(self.name(*name)?);
                let mut parameters = Vec::with_capacity(params.len());
                for (name, span) in params {
                    let values = vec![Value::Location, Value::Text(self.name(*name)?)];
                    parameters.push(Node::new(Type::Id, self.place(*span), values));
                }
                (Type::Program, vec![Value::Location, name, Value::Asts(parameters)])
            }
            StatementKind::Theory(theory) => (Type::TheoryDefinition, self.theory(theory)?),
            StatementKind::Script { language } => {
                let text = self.tokens.all.iter().find(|t| t.1 == Token::ScriptText);
                let text = text.map_or("", |t| self.text_between(t.0, t.2));
                let code = text.strip_suffix("#end").unwrap_or(text).trim_matches([' ', '\t', '\r']);
                let code = Value::Text(intern_text(code)?);
                (Type::Script, vec![Value::Location, Value::Text(self.name(*language)?), code])
            }
            StatementKind::Include { .. } | StatementKind::IncludeBuiltin { .. } => return Ok(()),
            StatementKind::Query(_) => {
                return Err(Fail::runtime("a query has no syntax tree; write it as a constraint"));
            }
        };
        out.push(Node::new(kind, whole, values));
        Ok(())
    }

    fn signature(&mut self, r: &SignatureRef) -> Result<Vec<Value>, Fail> {
        let arity = i32::try_from(r.arity).map_err(|_| Fail::runtime("an arity does not fit 32 bits"))?;
        let positive = Value::Number(i32::from(!r.negative));
        Ok(vec![Value::Location, Value::Text(self.name(r.name)?), Value::Number(arity), positive])
    }

    /// A weak constraint, or an element of `#minimize` or `#maximize`; the place of the latter begins with the first
    /// element.
    fn minimize(&mut self, s: &Statement, location: Location) -> Result<Ast, Fail> {
        let StatementKind::Minimize { weight, priority, tuple, body, maximize } = &s.kind else {
            return Err(Fail::runtime("no objective"));
        };
        let of_weight = self.tokens.within(weight.span);
        let priority_place = self.location(&of_weight);
        let mut value = self.term(weight)?;
        if *maximize {
            let end = priority.as_ref().map_or(of_weight.end, |p| self.tokens.within(p.span).end);
            value = Self::unary(0, value, self.location(&(of_weight.start..end)));
        }
        let priority = match priority {
            Some(priority) => self.term(priority)?,
            None => Self::number_term(0, priority_place)?,
        };
        let terms = Value::Asts(self.terms(tuple)?);
        let body = self.body(body)?;
        let values = vec![Value::Location, Value::Ast(value), Value::Ast(priority), terms, body];
        Ok(Node::new(Type::Minimize, location, values))
    }

    fn theory(&mut self, theory: &ast::TheoryDefinition) -> Result<Vec<Value>, Fail> {
        let mut terms = Vec::with_capacity(theory.terms.len());
        for term in &theory.terms {
            let mut operators = Vec::with_capacity(term.operators.len());
            for o in &term.operators {
                let kind = match o.fixity {
                    Fixity::Unary => 0,
                    Fixity::Left => 1,
                    Fixity::Right => 2,
                };
                let priority = i32::try_from(o.priority)
                    .map_err(|_| Fail::runtime("a priority does not fit 32 bits"))?;
                let values = vec![
                    Value::Location,
                    Value::Text(self.name(o.op)?),
                    Value::Number(priority),
                    Value::Number(kind),
                ];
                operators.push(Node::new(Type::TheoryOperatorDefinition, self.place(o.span), values));
            }
            let values = vec![Value::Location, Value::Text(self.name(term.name)?), Value::Asts(operators)];
            terms.push(Node::new(Type::TheoryTermDefinition, self.place(term.span), values));
        }
        let mut atoms = Vec::with_capacity(theory.atoms.len());
        for atom in &theory.atoms {
            let kind = match atom.kind {
                TheoryAtomKind::Head => 0,
                TheoryAtomKind::Body => 1,
                TheoryAtomKind::Any => 2,
                TheoryAtomKind::Directive => 3,
            };
            let guard = match &atom.guard {
                None => None,
                Some((operators, term)) => {
                    let operators = operators.iter().map(|&o| self.name(o)).collect::<Result<_, _>>()?;
                    let values = vec![Value::Texts(operators), Value::Text(self.name(*term)?)];
                    Some(Node::new(Type::TheoryGuardDefinition, Location::default(), values))
                }
            };
            let arity =
                i32::try_from(atom.arity).map_err(|_| Fail::runtime("an arity does not fit 32 bits"))?;
            let values = vec![
                Value::Location,
                Value::Number(kind),
                Value::Text(self.name(atom.name)?),
                Value::Number(arity),
                Value::Text(self.name(atom.element)?),
                Value::Optional(guard),
            ];
            atoms.push(Node::new(Type::TheoryAtomDefinition, self.place(atom.span), values));
        }
        Ok(vec![
            Value::Location,
            Value::Text(self.name(theory.name)?),
            Value::Asts(terms),
            Value::Asts(atoms),
        ])
    }
}
