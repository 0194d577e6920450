//! The abstract syntax of the whole input language, with a source span on every node.
//!
//! Invariants: terms are nested at most [`MAX_DEPTH`] deep, so recursion over them is safe on any thread; pools are
//! kept as written (`rewrite::unpool` removes them); a fact without variables, pools, intervals or operators in a
//! program part without parameters is a [`Fact`], not a [`Statement`].

mod theory;

pub use asp_base::aggregate::{AggregateFunction, Relation};
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym};
pub use theory::{
    Fixity, TheoryAtomDefinition, TheoryAtomKind, TheoryDefinition, TheoryOperator, TheoryTermDefinition,
};

/// How deep terms may be nested; the parser rejects deeper ones.
pub const MAX_DEPTH: u16 = 1000;

/// A parsed program: what `#include` brought in is already in its place.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Everything but plain facts, in order of appearance.
    pub statements: Vec<Statement>,
    /// Plain facts, in order of appearance.
    pub facts: Vec<Fact>,
    /// Names of the constants that occur in the arguments of plain facts: those that `#const` may have to replace there.
    pub fact_constants: Set<StrId>,
    /// The unread parts.
    pub unread: Unread,
    /// Whether [`TermKind::Value`] or a [`GlobalAtom`] may occur.
    pub has_values: bool,
}

/// The parts of a program that could not be read.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    /// Names in statements with a syntax error.
    pub names: Set<StrId>,
    /// Whether texts are missing that were to be included.
    pub texts: bool,
}

impl Unread {
    /// Whether all was read.
    pub fn is_empty(&self) -> bool {
        !self.texts && self.names.is_empty()
    }
    /// Whether it may define a predicate of that name.
    pub fn may_define(&self, name: StrId) -> bool {
        self.texts || self.names.contains(&name)
    }
}

/// A plain ground fact of a program part without parameters: the part is `base` or named by `part`.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// The atom as a term: a constant or function, perhaps classically negated.
    pub atom: Sym,
    /// Where it stands.
    pub span: Span,
    /// The program part it belongs to.
    pub part: StrId,
}

/// A statement and its place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it says.
    pub kind: StatementKind,
    /// From its first token to its period (or closing bracket).
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `head :- body.`; an integrity constraint has the head `#false`.
    Rule {
        /// What follows if the body holds.
        head: Head,
        /// All must hold; empty for a fact.
        body: Vec<BodyElement>,
    },
    /// `:~ body. [weight@priority, tuple]`, or one element of `#minimize` (of `#maximize`: with `maximize` set).
    Minimize {
        /// Cost of one tuple; to be negated if `maximize`.
        weight: Term,
        /// Level; 0 if absent.
        priority: Option<Term>,
        /// Terms that tell tuples apart.
        tuple: Vec<Term>,
        /// When the tuple counts.
        body: Vec<BodyElement>,
        /// Whether the weight is a gain instead of a cost.
        maximize: bool,
    },
    /// `#show.`
    ShowNothing,
    /// `#show p/n.`
    ShowSignature(SignatureRef),
    /// `#show t : body.`
    ShowTerm {
        /// The term to show.
        term: Term,
        /// When.
        body: Vec<BodyElement>,
    },
    /// `#project p/n.`
    ProjectSignature(SignatureRef),
    /// `#project a : body.`
    ProjectAtom {
        /// The atom to project on.
        atom: Atom,
        /// For which instances.
        body: Vec<BodyElement>,
    },
    /// `#defined p/n.`
    Defined(SignatureRef),
    /// `#external a : body. [value]`
    External {
        /// The external atom.
        atom: Atom,
        /// For which instances.
        body: Vec<BodyElement>,
        /// `true`, `false` (the default), `free` or `release`.
        value: Option<Term>,
    },
    /// `#heuristic a : body. [weight@priority, modifier]`
    Heuristic {
        /// The atom whose treatment changes.
        atom: Atom,
        /// When.
        body: Vec<BodyElement>,
        /// The modifier's value.
        weight: Term,
        /// Its rank; 0 if absent.
        priority: Option<Term>,
        /// `level`, `sign`, `true`, `false`, `factor` or `init`.
        modifier: Term,
    },
    /// `#edge (u,v;...) : body.`
    Edge {
        /// Pairs of nodes.
        pairs: Vec<(Term, Term)>,
        /// When the edges are there.
        body: Vec<BodyElement>,
    },
    /// `#const name = value. [kind]`
    Const {
        /// The constant to replace.
        name: StrId,
        /// Where the name stands.
        name_span: Span,
        /// What to replace it by.
        value: Term,
        /// Whether `[override]` is given.
        is_override: bool,
    },
    /// `#program name(params).`
    Part {
        /// The part's name.
        name: StrId,
        /// Names that the part's statements use as constants.
        params: Vec<(StrId, Span)>,
    },
    /// `#theory name { ... }.`
    Theory(TheoryDefinition),
    /// `#script (language) ... #end.`
    Script {
        /// The language's name.
        language: StrId,
    },
    /// `#include "file".`; replaced by the parser's driver, never seen by later stages.
    Include {
        /// The file as written.
        path: String,
    },
    /// `#include <name>.`; `incmode` is the only one.
    IncludeBuiltin {
        /// The name between the angle brackets.
        name: StrId,
    },
    /// The query `atom?` of ASP-Core-2.
    Query(Atom),
}

/// `-name/arity` in a directive.
#[derive(Clone, Copy, Debug)]
pub struct SignatureRef {
    /// The predicate's name.
    pub name: StrId,
    /// Number of arguments.
    pub arity: u32,
    /// Whether it is classically negated.
    pub negative: bool,
    /// Where the signature stands.
    pub span: Span,
}

/// A term and its place.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
    /// 1 for a leaf, one more than the deepest argument otherwise; at most [`MAX_DEPTH`].
    pub depth: u16,
}

/// The kinds of terms.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// A ground term whose constants `#const` may replace. The parser makes only integers, strings, `#inf` and `#sup`
    /// so; a constant is a function without arguments.
    Symbol(Sym),
    /// A named variable.
    Variable(StrId),
    /// `_`
    Anonymous,
    /// `-t`, `~t`
    Unary(UnaryOp, Box<Term>),
    /// `|t|`, a pool if there are several.
    Absolute(Vec<Term>),
    /// `s + t` and the like.
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// `l..u`
    Interval(Box<Term>, Box<Term>),
    /// `f(a,b;c)`: one list of arguments, or several if it is a pool. `f()` and `f` have one empty list.
    Function {
        /// The name alone, without `@`.
        name: StrId,
        /// The pool's argument lists.
        args: Vec<Vec<Term>>,
        /// Whether it is a call `@f(...)`.
        external: bool,
    },
    /// `$p(a,b)`: the last argument of an atom `p(a,b,_)` that holds; `rewrite::expand` removes it.
    Value {
        /// The predicate's name.
        name: StrId,
        /// The pool's argument lists, each without the last argument.
        args: Vec<Vec<Term>>,
    },
    /// `()`, `(a,)`, `(a,b)`
    Tuple(Vec<Term>),
    /// `(s;t)`: any of the terms; at least two.
    Pool(Vec<Term>),
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-t`
    Minus,
    /// `~t`
    Complement,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, truncating
    Div,
    /// `\`, with the dividend's sign
    Mod,
    /// `**`
    Pow,
    /// `&`
    And,
    /// `?`
    Or,
    /// `^`
    Xor,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [Self; 9] = {
        use BinaryOp::*;
        [Add, Sub, Mul, Div, Mod, Pow, And, Or, Xor]
    };

    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "\\",
            BinaryOp::Pow => "**",
            BinaryOp::And => "&",
            BinaryOp::Or => "?",
            BinaryOp::Xor => "^",
        }
    }
    /// Whether the order of the operands does not matter.
    pub fn is_commutative(self) -> bool {
        matches!(self, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
    }
}

/// A predicate applied to terms, perhaps classically negated.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The predicate's name.
    pub name: StrId,
    /// The pool's argument lists; one list unless it is a pool.
    pub args: Vec<Vec<Term>>,
    /// Whether it is classically negated.
    pub negative: bool,
    /// Where it stands.
    pub span: Span,
}

/// How often `not` stands before a literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// not at all
    None,
    /// `not`
    Not,
    /// `not not`
    NotNot,
}

/// A literal and its place.
#[derive(Clone, Debug)]
pub struct Literal {
    /// Default negation.
    pub sign: Sign,
    /// What it says.
    pub kind: LiteralKind,
    /// With its `not`s.
    pub span: Span,
}

/// The kinds of literals.
#[derive(Clone, Debug)]
pub enum LiteralKind {
    /// `#true`, `#false`
    Boolean(bool),
    /// A predicate atom.
    Atom(Atom),
    /// `t0 rel t1 rel t2 ...`; at least one relation.
    Comparison(Term, Vec<(Relation, Term)>),
}

/// `literal : condition`
#[derive(Clone, Debug)]
pub struct ConditionalLiteral {
    /// What must hold (body) or may be derived (head).
    pub literal: Literal,
    /// For which instances; empty for a plain literal.
    pub condition: Vec<Literal>,
    /// Where it stands.
    pub span: Span,
}

/// The bounds of an aggregate: `left rel {...} rel right`.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    /// `term rel` before the aggregate; the relation reads from term to aggregate.
    pub left: Option<(Term, Relation)>,
    /// `rel term` after it; the relation reads from aggregate to term.
    pub right: Option<(Relation, Term)>,
}

/// `t1,t2 : condition` in a body aggregate.
#[derive(Clone, Debug)]
pub struct BodyAggregateElement {
    /// Terms before the colon.
    pub tuple: Vec<Term>,
    /// When it counts.
    pub condition: Vec<Literal>,
    /// Where it stands.
    pub span: Span,
}

/// `t1,t2 : atom : condition` in a head aggregate.
#[derive(Clone, Debug)]
pub struct HeadAggregateElement {
    /// Terms before the first colon.
    pub tuple: Vec<Term>,
    /// What may be derived (any literal by grammar).
    pub literal: Literal,
    /// For which instances.
    pub condition: Vec<Literal>,
    /// Where it stands.
    pub span: Span,
}

/// An element of a rule body.
#[derive(Clone, Debug)]
pub struct BodyElement {
    /// What it is.
    pub kind: BodyElementKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of body elements.
#[derive(Clone, Debug)]
pub enum BodyElementKind {
    /// A plain literal.
    Literal(Literal),
    /// `l : c1, c2`
    Conditional(ConditionalLiteral),
    /// `#sum { ... } > 3` and the like.
    Aggregate {
        /// Default negation.
        sign: Sign,
        /// Which function.
        function: AggregateFunction,
        /// Bounds.
        guards: Guards,
        /// Elements.
        elements: Vec<BodyAggregateElement>,
    },
    /// `1 { l : c ; ... } 2`
    SetAggregate {
        /// Default negation.
        sign: Sign,
        /// Bounds.
        guards: Guards,
        /// Elements.
        elements: Vec<ConditionalLiteral>,
    },
    /// `&name { ... } rel t`
    Theory {
        /// Default negation.
        sign: Sign,
        /// What follows the sign.
        atom: TheoryAtom,
    },
    /// `#distinct { ... }` and the like; `rewrite::expand` removes it.
    Global {
        /// Default negation.
        sign: Sign,
        /// What it says.
        atom: GlobalAtom,
    },
}

/// A rule head and its place.
#[derive(Clone, Debug)]
pub struct Head {
    /// What it is.
    pub kind: HeadKind,
    /// Where it stands; for an integrity constraint the place of `:-`.
    pub span: Span,
}

/// The kinds of heads.
#[derive(Clone, Debug)]
pub enum HeadKind {
    /// One literal (`#false` for integrity constraints).
    Literal(Literal),
    /// `a ; b : c | d`: at least two elements or one with a condition.
    Disjunction(Vec<ConditionalLiteral>),
    /// `l { a : c } u`
    Choice {
        /// Bounds.
        guards: Guards,
        /// Elements.
        elements: Vec<ConditionalLiteral>,
    },
    /// `#sum { t : a : c } > 3` and the like.
    Aggregate {
        /// Which function.
        function: AggregateFunction,
        /// Bounds.
        guards: Guards,
        /// Elements.
        elements: Vec<HeadAggregateElement>,
    },
    /// `&name { ... } rel t`
    Theory(TheoryAtom),
    /// `#distinct { ... }` and the like; `rewrite::expand` removes it.
    Global(GlobalAtom),
}

/// A constraint over the values of several terms.
#[derive(Clone, Debug)]
pub struct GlobalAtom {
    /// Which one.
    pub kind: GlobalKind,
    /// Elements in the order of the text.
    pub elements: Vec<GlobalElement>,
    /// The bound of `#cumulative`: `<` or `<=` and a term.
    pub bound: Option<(Relation, Term)>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of constraints over several terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalKind {
    /// `#distinct`: no two terms have the same value.
    Distinct,
    /// `#disjoint`: no two intervals overlap.
    Disjoint,
    /// `#cumulative`: at no time do the amounts of the intervals exceed the bound.
    Cumulative,
}

impl GlobalKind {
    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            GlobalKind::Distinct => "#distinct",
            GlobalKind::Disjoint => "#disjoint",
            GlobalKind::Cumulative => "#cumulative",
        }
    }
}

/// `term@duration,amount : condition`
#[derive(Clone, Debug)]
pub struct GlobalElement {
    /// The term, or the start of an interval.
    pub term: Term,
    /// The length of the interval; not in `#distinct`.
    pub duration: Option<Term>,
    /// What it needs, in `#cumulative` only; 1 if absent.
    pub amount: Option<Term>,
    /// For which instances.
    pub condition: Vec<Literal>,
    /// Where it stands.
    pub span: Span,
}

/// `&name(args) { elements } op term`
#[derive(Clone, Debug)]
pub struct TheoryAtom {
    /// The name after `&`.
    pub name: StrId,
    /// The pool's argument lists; one list unless it is a pool.
    pub args: Vec<Vec<Term>>,
    /// Elements.
    pub elements: Vec<TheoryElement>,
    /// Operator and term after the elements.
    pub guard: Option<(StrId, TheoryTerm)>,
    /// Where it stands.
    pub span: Span,
}

/// `t1, t2 : condition` in a theory atom.
#[derive(Clone, Debug)]
pub struct TheoryElement {
    /// Terms before the colon.
    pub tuple: Vec<TheoryTerm>,
    /// When it counts.
    pub condition: Vec<Literal>,
    /// Where it stands.
    pub span: Span,
}

/// A theory term and its place.
#[derive(Clone, Debug)]
pub struct TheoryTerm {
    /// What it is.
    pub kind: TheoryTermKind,
    /// Where it stands.
    pub span: Span,
    /// As for [`Term::depth`].
    pub depth: u16,
}

/// The kinds of theory terms.
#[derive(Clone, Debug)]
pub enum TheoryTermKind {
    /// An integer, string, `#inf` or `#sup`.
    Symbol(Sym),
    /// A named variable; `_` has the empty name.
    Variable(StrId),
    /// `f`
    Constant(StrId),
    /// `f(...)`, with `f()` among them.
    Function(StrId, Vec<TheoryTerm>),
    /// `(...)`
    Tuple(Vec<TheoryTerm>),
    /// `[...]`
    List(Vec<TheoryTerm>),
    /// `{...}`
    Set(Vec<TheoryTerm>),
    /// Operators and terms in sequence, to be parsed with the definition's table: each term with the operators
    /// before it (for the first, all unary; for others, one binary and then unary ones).
    Unparsed(Vec<(Vec<StrId>, TheoryTerm)>),
}
