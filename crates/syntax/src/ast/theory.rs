//! Definitions of theories.

use asp_base::span::Span;
use asp_base::symbol::StrId;

/// `#theory name { ... }`
#[derive(Clone, Debug)]
pub struct TheoryDefinition {
    /// The theory's name.
    pub name: StrId,
    /// Term definitions.
    pub terms: Vec<TheoryTermDefinition>,
    /// Atom definitions.
    pub atoms: Vec<TheoryAtomDefinition>,
}

/// `name { op : priority, kind ; ... }`
#[derive(Clone, Debug)]
pub struct TheoryTermDefinition {
    /// The term's name.
    pub name: StrId,
    /// Operators with priority and kind.
    pub operators: Vec<TheoryOperator>,
    /// Where it stands.
    pub span: Span,
}

/// One operator of a theory term definition.
#[derive(Clone, Debug)]
pub struct TheoryOperator {
    /// As written.
    pub op: StrId,
    /// Binds tighter if greater.
    pub priority: u32,
    /// Arity and associativity.
    pub fixity: Fixity,
    /// Where it stands.
    pub span: Span,
}

/// Arity and associativity of a theory operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fixity {
    /// `unary`
    Unary,
    /// `binary, left`
    Left,
    /// `binary, right`
    Right,
}

/// `&name/arity : element, { ops }, guard, kind`
#[derive(Clone, Debug)]
pub struct TheoryAtomDefinition {
    /// The atom's name.
    pub name: StrId,
    /// Number of arguments.
    pub arity: u32,
    /// Definition for terms in elements.
    pub element: StrId,
    /// Guard operators and the definition for the guard's term.
    pub guard: Option<(Vec<StrId>, StrId)>,
    /// Where the atom may stand.
    pub kind: TheoryAtomKind,
    /// Where it stands.
    pub span: Span,
}

/// Where a theory atom may stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TheoryAtomKind {
    /// `head`
    Head,
    /// `body`
    Body,
    /// `any`
    Any,
    /// `directive`: as a fact's head
    Directive,
}
