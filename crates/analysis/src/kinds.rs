//! Kinds of names and statements, as editors show them.

/// The kind of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A predicate with this arity.
    Predicate {
        /// How many.
        arity: u32,
        /// Whether it is classically negated here.
        negative: bool,
    },
    Variable,
    /// A constant: a term that is a name alone.
    Constant,
    /// A function: a name before arguments that is no predicate.
    Function,
    /// A function called as `@f(...)`.
    External,
    /// A theory atom's name.
    Theory,
    /// A program part.
    Part,
    /// A parameter of a program part.
    Parameter,
    /// Anything in a statement with a syntax error.
    Unknown,
}

/// The role of a predicate's name at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// In a head, an `#external`, a `#const`, the head of a program part: it is made here.
    Define,
    /// In a body or a condition.
    Use,
    /// In a directive about it, such as `#show`.
    Mention,
}

/// The kind of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// A rule without a body.
    Fact,
    /// A rule with a body, a choice, a disjunction.
    Rule,
    /// An integrity constraint.
    Constraint,
    /// A weak constraint, `#minimize`, `#maximize`.
    Objective,
    /// `#const`
    Const,
    /// `#include`
    Include,
    /// `#program`
    Part,
    /// Another directive.
    Directive,
    /// It cannot be read.
    Broken,
}
