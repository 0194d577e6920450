//! Statements as the parser would have made them.

use asp::message::Span;
use asp::syntax::ast::{
    Fixity, SignatureRef, Statement, StatementKind, TheoryAtomDefinition, TheoryAtomKind, TheoryDefinition,
    TheoryOperator, TheoryTermDefinition,
};

use super::super::node::Ast;
use super::super::schema::{Attribute, Type};
use super::{Made, Writer, wrong};

impl Writer<'_> {
    fn natural(ast: &Ast, attribute: Attribute) -> Made<u32> {
        match u32::try_from(Self::number(ast, attribute)?) {
            Ok(n) => Ok(n),
            Err(_) => wrong(format!("attribute '{}' is negative", attribute.name())),
        }
    }

    fn signature(&mut self, ast: &Ast) -> Made<SignatureRef> {
        let ((name, arity, negative), span) = self.placed(ast, |this, ast| {
            let name = this.intern(Self::text(ast, Attribute::Name)?);
            let arity = Self::natural(ast, Attribute::Arity)?;
            Ok((name, arity, Self::number(ast, Attribute::Positive)? == 0))
        })?;
        Ok(SignatureRef { name, arity, negative, span })
    }

    pub(super) fn statement(&mut self, ast: &Ast) -> Made<Statement> {
        let (kind, span) = self.placed(ast, |this, ast| this.statement_kind(ast))?;
        Ok(Statement { kind, span })
    }

    fn statement_kind(&mut self, ast: &Ast) -> Made<StatementKind> {
        let body = match ast.kind.place(Attribute::Body) {
            Some(_) => Self::all(ast, Attribute::Body)?,
            None => Vec::new(),
        };
        Ok(match ast.kind {
            Type::Rule => {
                let head = self.head(&Self::one(ast, Attribute::Head)?)?;
                StatementKind::Rule { head, body: self.body(&body)? }
            }
            Type::Definition => {
                let name = self.intern(Self::text(ast, Attribute::Name)?);
                let value = self.term(&Self::one(ast, Attribute::Value)?)?;
                let is_override = Self::number(ast, Attribute::IsDefault)? == 0;
                StatementKind::Const { name, name_span: value.span, value, is_override }
            }
            Type::ShowSignature if Self::text(ast, Attribute::Name)?.is_empty() => StatementKind::ShowNothing,
            Type::ShowSignature => StatementKind::ShowSignature(self.signature(ast)?),
            Type::ProjectSignature => StatementKind::ProjectSignature(self.signature(ast)?),
            Type::Defined => StatementKind::Defined(self.signature(ast)?),
            Type::ShowTerm => StatementKind::ShowTerm {
                term: self.term(&Self::one(ast, Attribute::Term)?)?,
                body: self.body(&body)?,
            },
            Type::Minimize => StatementKind::Minimize {
                weight: self.term(&Self::one(ast, Attribute::Weight)?)?,
                priority: Some(self.term(&Self::one(ast, Attribute::Priority)?)?),
                tuple: self.terms(&Self::all(ast, Attribute::Terms)?)?,
                body: self.body(&body)?,
                maximize: false,
            },
            Type::Script => {
                StatementKind::Script { language: self.intern(Self::text(ast, Attribute::Name)?) }
            }
            Type::Program => {
                let name = self.intern(Self::text(ast, Attribute::Name)?);
                let mut params = Vec::new();
                for id in Self::all(ast, Attribute::Parameters)? {
                    if id.kind != Type::Id {
                        return wrong("id expected");
                    }
                    params.push(
                        self.placed(&id, |this, id| Ok(this.intern(Self::text(id, Attribute::Name)?)))?,
                    );
                }
                StatementKind::Part { name, params }
            }
            Type::External => StatementKind::External {
                atom: self.atom(&Self::one(ast, Attribute::Atom)?)?,
                body: self.body(&body)?,
                value: Some(self.term(&Self::one(ast, Attribute::ExternalType)?)?),
            },
            Type::Edge => {
                let u = self.term(&Self::one(ast, Attribute::NodeU)?)?;
                let v = self.term(&Self::one(ast, Attribute::NodeV)?)?;
                StatementKind::Edge { pairs: vec![(u, v)], body: self.body(&body)? }
            }
            Type::Heuristic => StatementKind::Heuristic {
                atom: self.atom(&Self::one(ast, Attribute::Atom)?)?,
                body: self.body(&body)?,
                weight: self.term(&Self::one(ast, Attribute::Bias)?)?,
                priority: Some(self.term(&Self::one(ast, Attribute::Priority)?)?),
                modifier: self.term(&Self::one(ast, Attribute::Modifier)?)?,
            },
            Type::ProjectAtom => StatementKind::ProjectAtom {
                atom: self.atom(&Self::one(ast, Attribute::Atom)?)?,
                body: self.body(&body)?,
            },
            Type::TheoryDefinition => StatementKind::Theory(self.theory(ast)?),
            _ => return wrong("statement expected"),
        })
    }

    fn theory(&mut self, ast: &Ast) -> Made<TheoryDefinition> {
        let name = self.intern(Self::text(ast, Attribute::Name)?);
        let (mut terms, mut atoms) = (Vec::new(), Vec::new());
        for term in Self::all(ast, Attribute::Terms)? {
            if term.kind != Type::TheoryTermDefinition {
                return wrong("theory term definition expected");
            }
            let ((name, operators), span) = self.placed(&term, |this, term| {
                let name = this.intern(Self::text(term, Attribute::Name)?);
                let operators = Self::all(term, Attribute::Operators)?;
                Ok((name, operators.iter().map(|o| this.theory_operator(o)).collect::<Made<_>>()?))
            })?;
            terms.push(TheoryTermDefinition { name, operators, span });
        }
        for atom in Self::all(ast, Attribute::Atoms)? {
            if atom.kind != Type::TheoryAtomDefinition {
                return wrong("theory atom definition expected");
            }
            let (mut definition, span) =
                self.placed(&atom, |this, atom| this.theory_atom_definition(atom))?;
            definition.span = span;
            atoms.push(definition);
        }
        Ok(TheoryDefinition { name, terms, atoms })
    }

    fn theory_operator(&mut self, ast: &Ast) -> Made<TheoryOperator> {
        if ast.kind != Type::TheoryOperatorDefinition {
            return wrong("theory operator definition expected");
        }
        let ((op, priority, fixity), span) = self.placed(ast, |this, ast| {
            let op = this.intern(Self::text(ast, Attribute::Name)?);
            let priority = Self::natural(ast, Attribute::Priority)?;
            let fixity = Self::number(ast, Attribute::OperatorType)?;
            let kinds = [Fixity::Unary, Fixity::Left, Fixity::Right];
            Ok((op, priority, Self::choice(&kinds, fixity, "theory operator type")?))
        })?;
        Ok(TheoryOperator { op, priority, fixity, span })
    }

    fn theory_atom_definition(&mut self, ast: &Ast) -> Made<TheoryAtomDefinition> {
        let kinds =
            [TheoryAtomKind::Head, TheoryAtomKind::Body, TheoryAtomKind::Any, TheoryAtomKind::Directive];
        let kind = Self::choice(&kinds, Self::number(ast, Attribute::AtomType)?, "theory atom type")?;
        let guard = match Self::some(ast, Attribute::Guard)? {
            None => None,
            Some(guard) if guard.kind != Type::TheoryGuardDefinition => {
                return wrong("theory guard definition expected");
            }
            Some(guard) => {
                let operators = Self::texts(&guard, Attribute::Operators)?;
                let operators = operators.into_iter().map(|o| self.intern(o)).collect();
                Some((operators, self.intern(Self::text(&guard, Attribute::Term)?)))
            }
        };
        Ok(TheoryAtomDefinition {
            name: self.intern(Self::text(ast, Attribute::Name)?),
            arity: Self::natural(ast, Attribute::Arity)?,
            element: self.intern(Self::text(ast, Attribute::Term)?),
            guard,
            kind,
            span: Span::NONE,
        })
    }
}
