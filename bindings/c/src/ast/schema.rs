//! The shapes of nodes: the attributes of each type, their order and their kinds.
//!
//! Invariant: numbers and names are those of clingo.h, so that its two tables can be generated from here.

use std::ffi::{c_char, c_int};

/// The kinds of attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Kind {
    Number = 0,
    Symbol = 1,
    /// A place in a text.
    Location = 2,
    Text = 3,
    Ast = 4,
    /// A node or none.
    Optional = 5,
    /// Texts.
    Texts = 6,
    /// Nodes.
    Asts = 7,
}

/// An attribute of a type.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Argument {
    /// Which.
    pub attribute: Attribute,
    /// Of which kind.
    pub kind: Kind,
}

macro_rules! attributes {
    ($($attribute:ident $name:literal),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(i32)]
        pub enum Attribute {
            $(#[doc = concat!("`", $name, "`")] $attribute),*
        }

        impl Attribute {
            /// All of them, by number.
            pub const ALL: &[Self] = &[$(Self::$attribute),*];
        }

        static ATTRIBUTE_NAMES: Pointers<{ Attribute::ALL.len() }> =
            Pointers([$(concat!($name, "\0").as_ptr().cast()),*]);
        const ATTRIBUTE_TEXTS: &[&str] = &[$($name),*];
    };
}

macro_rules! types {
    ($($node:ident $name:literal ($($attribute:ident: $kind:ident),*)),* $(,)?) => {
        /// The types of nodes.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(i32)]
        pub enum Type {
            $(#[doc = concat!("`", $name, "`")] $node),*
        }

        impl Type {
            /// All of them, by number.
            pub const ALL: &[Self] = &[$(Self::$node),*];
        }

        const SHAPES: &[&[Argument]] = &[
            $(&[$(Argument { attribute: Attribute::$attribute, kind: Kind::$kind }),*]),*
        ];
        const TYPE_TEXTS: &[&str] = &[$($name),*];

        static CONSTRUCTORS: Constructors<{ Type::ALL.len() }> = Constructors([
            $({
                const SHAPE: &[Argument] =
                    &[$(Argument { attribute: Attribute::$attribute, kind: Kind::$kind }),*];
                Constructor {
                    name: concat!($name, "\0").as_ptr().cast(),
                    arguments: SHAPE.as_ptr(),
                    size: SHAPE.len(),
                }
            }),*
        ]);
    };
}

attributes! {
    Argument "argument",
    Arguments "arguments",
    Arity "arity",
    Atom "atom",
    Atoms "atoms",
    AtomType "atom_type",
    Bias "bias",
    Body "body",
    Code "code",
    Coefficient "coefficient",
    Comparison "comparison",
    Condition "condition",
    Elements "elements",
    External "external",
    ExternalType "external_type",
    Function "function",
    Guard "guard",
    Guards "guards",
    Head "head",
    IsDefault "is_default",
    Left "left",
    LeftGuard "left_guard",
    Literal "literal",
    Location "location",
    Modifier "modifier",
    Name "name",
    NodeU "node_u",
    NodeV "node_v",
    OperatorName "operator_name",
    OperatorType "operator_type",
    Operators "operators",
    Parameters "parameters",
    Positive "positive",
    Priority "priority",
    Right "right",
    RightGuard "right_guard",
    SequenceType "sequence_type",
    Sign "sign",
    Symbol "symbol",
    Term "term",
    Terms "terms",
    Value "value",
    Variable "variable",
    Weight "weight",
    CommentType "comment_type",
}

types! {
    Id "id" (Location: Location, Name: Text),
    Variable "variable" (Location: Location, Name: Text),
    SymbolicTerm "symbolic_term" (Location: Location, Symbol: Symbol),
    UnaryOperation "unary_operation" (Location: Location, OperatorType: Number, Argument: Ast),
    BinaryOperation "binary_operation" (Location: Location, OperatorType: Number, Left: Ast, Right: Ast),
    Interval "interval" (Location: Location, Left: Ast, Right: Ast),
    Function "function" (Location: Location, Name: Text, Arguments: Asts, External: Number),
    Pool "pool" (Location: Location, Arguments: Asts),
    BooleanConstant "boolean_constant" (Value: Number),
    SymbolicAtom "symbolic_atom" (Symbol: Ast),
    Comparison "comparison" (Term: Ast, Guards: Asts),
    Guard "guard" (Comparison: Number, Term: Ast),
    ConditionalLiteral "conditional_literal" (Location: Location, Literal: Ast, Condition: Asts),
    Aggregate "aggregate" (Location: Location, LeftGuard: Optional, Elements: Asts, RightGuard: Optional),
    BodyAggregateElement "body_aggregate_element" (Terms: Asts, Condition: Asts),
    BodyAggregate "body_aggregate" (Location: Location, LeftGuard: Optional, Function: Number, Elements: Asts, RightGuard: Optional),
    HeadAggregateElement "head_aggregate_element" (Terms: Asts, Condition: Ast),
    HeadAggregate "head_aggregate" (Location: Location, LeftGuard: Optional, Function: Number, Elements: Asts, RightGuard: Optional),
    Disjunction "disjunction" (Location: Location, Elements: Asts),
    TheorySequence "theory_sequence" (Location: Location, SequenceType: Number, Terms: Asts),
    TheoryFunction "theory_function" (Location: Location, Name: Text, Arguments: Asts),
    TheoryUnparsedTermElement "theory_unparsed_term_element" (Operators: Texts, Term: Ast),
    TheoryUnparsedTerm "theory_unparsed_term" (Location: Location, Elements: Asts),
    TheoryGuard "theory_guard" (OperatorName: Text, Term: Ast),
    TheoryAtomElement "theory_atom_element" (Terms: Asts, Condition: Asts),
    TheoryAtom "theory_atom" (Location: Location, Term: Ast, Elements: Asts, Guard: Optional),
    Literal "literal" (Location: Location, Sign: Number, Atom: Ast),
    TheoryOperatorDefinition "theory_operator_definition" (Location: Location, Name: Text, Priority: Number, OperatorType: Number),
    TheoryTermDefinition "theory_term_definition" (Location: Location, Name: Text, Operators: Asts),
    TheoryGuardDefinition "theory_guard_definition" (Operators: Texts, Term: Text),
    TheoryAtomDefinition "theory_atom_definition" (Location: Location, AtomType: Number, Name: Text, Arity: Number, Term: Text, Guard: Optional),
    Rule "rule" (Location: Location, Head: Ast, Body: Asts),
    Definition "definition" (Location: Location, Name: Text, Value: Ast, IsDefault: Number),
    ShowSignature "show_signature" (Location: Location, Name: Text, Arity: Number, Positive: Number),
    ShowTerm "show_term" (Location: Location, Term: Ast, Body: Asts),
    Minimize "minimize" (Location: Location, Weight: Ast, Priority: Ast, Terms: Asts, Body: Asts),
    Script "script" (Location: Location, Name: Text, Code: Text),
    Program "program" (Location: Location, Name: Text, Parameters: Asts),
    External "external" (Location: Location, Atom: Ast, Body: Asts, ExternalType: Ast),
    Edge "edge" (Location: Location, NodeU: Ast, NodeV: Ast, Body: Asts),
    Heuristic "heuristic" (Location: Location, Atom: Ast, Body: Asts, Bias: Ast, Priority: Ast, Modifier: Ast),
    ProjectAtom "project_atom" (Location: Location, Atom: Ast, Body: Asts),
    ProjectSignature "project_signature" (Location: Location, Name: Text, Arity: Number, Positive: Number),
    Defined "defined" (Location: Location, Name: Text, Arity: Number, Positive: Number),
    TheoryDefinition "theory_definition" (Location: Location, Name: Text, Terms: Asts, Atoms: Asts),
    Comment "comment" (Location: Location, Value: Text, CommentType: Number),
}

impl Attribute {
    /// The type with a number.
    pub fn from_number(number: c_int) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
    /// Its name in clingo.h.
    pub fn name(self) -> &'static str {
        ATTRIBUTE_TEXTS[self as usize]
    }
}

impl Type {
    /// The attribute with a number.
    pub fn from_number(number: c_int) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
    /// Its name in clingo.h.
    pub fn name(self) -> &'static str {
        TYPE_TEXTS[self as usize]
    }
    pub fn shape(self) -> &'static [Argument] {
        SHAPES[self as usize]
    }
    /// The index of an attribute.
    pub fn place(self, attribute: Attribute) -> Option<usize> {
        self.shape().iter().position(|a| a.attribute == attribute)
    }
}

struct Pointers<const N: usize>([*const c_char; N]);

/// A type's name and attributes, as in clingo.h.
#[repr(C)]
struct Constructor {
    name: *const c_char,
    arguments: *const Argument,
    size: usize,
}

struct Constructors<const N: usize>([Constructor; N]);

/// A table and its length, as in clingo.h.
#[repr(C)]
pub struct Table<T> {
    rows: *const T,
    size: usize,
}

// SAFETY: the pointers of these three lead to constants.
unsafe impl<const N: usize> Sync for Pointers<N> {}
// SAFETY: as above.
unsafe impl<const N: usize> Sync for Constructors<N> {}
// SAFETY: as above.
unsafe impl<T> Sync for Table<T> {}

/// See clingo.h.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static g_clingo_ast_attribute_names: Table<*const c_char> =
    Table { rows: ATTRIBUTE_NAMES.0.as_ptr(), size: ATTRIBUTE_NAMES.0.len() };

/// See clingo.h.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, private_interfaces)]
pub static g_clingo_ast_constructors: Table<Constructor> =
    Table { rows: CONSTRUCTORS.0.as_ptr(), size: CONSTRUCTORS.0.len() };
