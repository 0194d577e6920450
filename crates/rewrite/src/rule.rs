//! Rules as the grounder reads them.
//!
//! Invariants: variables are numbered within a rule, and local ones of different scopes have different numbers; there
//! are no pools, no intervals inside terms, no constants to replace; a positive atom's arguments and the binding side
//! of an equation are *patterns*: symbols, variables, functions and tuples of patterns, and linear terms in one
//! variable.

use super::predicate::PredId;
use asp_base::span::{RuleSource, Span};
use asp_base::symbol::{StrId, Sym};
use asp_syntax::ast::{AggregateFunction, BinaryOp, Relation, Sign, UnaryOp};

asp_base::define_index! {
    /// A variable of a rule: its slot in the register file.
    pub struct Var
}

/// A term over variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A ground term.
    Sym(Sym),
    /// A variable of the rule, by its number.
    Var(Var),
    /// `f(...)` with at least one argument, classically negated if the flag is set.
    Fun(StrId, bool, Vec<Term>),
    /// A tuple with variables.
    Tuple(Vec<Term>),
    /// `-t`, `~t`
    Unary(UnaryOp, Box<Term>, Span),
    /// `|t|`
    Absolute(Box<Term>, Span),
    /// `s op t`
    Binary(BinaryOp, Box<Term>, Box<Term>, Span),
    /// `coefficient * variable + offset`, coefficient not 0.
    Linear {
        /// Factor.
        coefficient: i64,
        /// The variable.
        var: Var,
        /// Summand.
        offset: i64,
        /// Where the term stands.
        span: Span,
    },
    /// `-t` for a variable in a pattern: it also removes the classical negation of a term.
    Negated(Var, Span),
    /// A call of a function that no script defines; it never has a value, but its arguments must be bound.
    External(StrId, Vec<Term>, Span),
}

impl Term {
    /// Calls `f` for each variable.
    pub fn for_each_var(&self, f: &mut impl FnMut(Var)) {
        match self {
            Term::Sym(_) => {}
            Term::Var(v) | Term::Linear { var: v, .. } | Term::Negated(v, _) => f(*v),
            Term::Fun(_, _, args) | Term::Tuple(args) | Term::External(_, args, _) => {
                args.iter().for_each(|t| t.for_each_var(f));
            }
            Term::Unary(_, t, _) | Term::Absolute(t, _) => t.for_each_var(f),
            Term::Binary(_, s, t, _) => {
                s.for_each_var(f);
                t.for_each_var(f);
            }
        }
    }
    /// Whether a variable occurs.
    pub(crate) fn has(&self, v: Var) -> bool {
        let mut found = false;
        self.for_each_var(&mut |w| found |= w == v);
        found
    }
    /// The term with other variables in place of its own.
    pub fn map_vars(&self, f: &mut impl FnMut(Var) -> Var) -> Term {
        match self {
            Term::Sym(_) => self.clone(),
            Term::External(n, args, span) => {
                Term::External(*n, args.iter().map(|a| a.map_vars(f)).collect(), *span)
            }
            Term::Var(v) => Term::Var(f(*v)),
            Term::Fun(n, s, args) => Term::Fun(*n, *s, args.iter().map(|a| a.map_vars(f)).collect()),
            Term::Tuple(args) => Term::Tuple(args.iter().map(|a| a.map_vars(f)).collect()),
            Term::Unary(op, a, span) => Term::Unary(*op, Box::new(a.map_vars(f)), *span),
            Term::Absolute(a, span) => Term::Absolute(Box::new(a.map_vars(f)), *span),
            Term::Binary(op, a, b, span) => {
                Term::Binary(*op, Box::new(a.map_vars(f)), Box::new(b.map_vars(f)), *span)
            }
            Term::Linear { coefficient, var, offset, span } => {
                Term::Linear { coefficient: *coefficient, var: f(*var), offset: *offset, span: *span }
            }
            Term::Negated(v, span) => Term::Negated(f(*v), *span),
        }
    }
    /// Whether it has a value whatever its variables are.
    pub(crate) fn is_total(&self) -> bool {
        match self {
            Term::Sym(_) | Term::Var(_) => true,
            Term::Fun(_, _, args) | Term::Tuple(args) => args.iter().all(Term::is_total),
            _ => false,
        }
    }
    /// Whether matching a value against it binds all of its variables.
    pub fn is_pattern(&self) -> bool {
        match self {
            Term::Sym(_) | Term::Var(_) | Term::Linear { .. } | Term::Negated(..) => true,
            Term::Fun(_, _, args) | Term::Tuple(args) => args.iter().all(Term::is_pattern),
            Term::Unary(..) | Term::Absolute(..) | Term::Binary(..) | Term::External(..) => false,
        }
    }
}

/// A predicate applied to terms.
#[derive(Clone, PartialEq, Debug)]
pub struct Atom {
    /// Name, arity and sign.
    pub pred: PredId,
    /// As many as the predicate says.
    pub args: Vec<Term>,
    /// Where it stands.
    pub span: Span,
}

/// A body literal.
#[derive(Clone, Debug)]
pub enum Literal {
    /// A predicate atom; arguments are patterns if there is no sign.
    Atom(Sign, Atom),
    /// `left relation right`
    Compare(Relation, Term, Term, Span),
    /// `term` lies in `lo..hi`.
    Range(Term, Term, Term, Span),
    /// `#false`
    False(Span),
    /// A body aggregate.
    Aggregate(Box<Aggregate>),
    /// A conditional literal.
    Conditional(Box<Conditional>),
    /// A theory atom.
    Theory(Sign, Box<TheoryAtom>),
}

/// Literals of an element, including those that its terms need.
pub type Condition = Vec<Literal>;

/// A body aggregate.
#[derive(Clone, Debug)]
pub struct Aggregate {
    /// Default negation.
    pub sign: Sign,
    /// Which function.
    pub function: AggregateFunction,
    /// Whether it was written `{ l : c }`.
    pub set: bool,
    /// Bounds, all read from the aggregate's value to the term.
    pub guards: Vec<(Relation, Term)>,
    /// Elements in the order of the statement.
    pub elements: Vec<AggregateElement>,
    /// Variables of the elements that the rest of the rule binds, in order of number.
    pub globals: Vec<Var>,
    /// Where it stands.
    pub span: Span,
}

/// `tuple : condition`
#[derive(Clone, Debug)]
pub struct AggregateElement {
    /// Terms before the colon.
    pub tuple: Vec<Term>,
    /// When it counts.
    pub condition: Condition,
    /// Where it stands.
    pub span: Span,
}

/// `heads : condition` in a body: for each instance of the condition some instance of some head holds.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// Alternatives, each with the ranges that its intervals became.
    pub heads: Vec<Condition>,
    /// For which instances.
    pub condition: Condition,
    /// Variables that the rest of the rule binds.
    pub globals: Vec<Var>,
    /// Where it stands.
    pub span: Span,
}

/// One element of a head: an atom that may be derived.
#[derive(Clone, Debug)]
pub struct HeadElement {
    /// The tuple that identifies the element of a head aggregate. Instances of disjuncts with equal tuples are one
    /// disjunct: the conjunction of their literals, under any of their conditions.
    pub tuple: Vec<Term>,
    /// The atom that is derived, or a literal that derives nothing.
    pub literal: HeadLiteral,
    /// The ranges of the intervals in a disjunct's literal: the disjunct stands for all their members.
    pub ranges: Condition,
    /// For which instances.
    pub condition: Condition,
    /// Where it stands.
    pub span: Span,
}

/// The literal of a head element.
#[derive(Clone, Debug)]
pub enum HeadLiteral {
    /// An atom to derive.
    Atom(Atom),
    /// A negated atom, comparisons or a truth value, as a disjunction of conjunctions; derives nothing.
    Other(Vec<Condition>),
}

impl HeadElement {
    /// The literals of its condition and ranges, and those that stand in place of an atom.
    pub fn literals(&self) -> impl Iterator<Item = &Literal> + Clone {
        let own = match &self.literal {
            HeadLiteral::Atom(_) => None,
            HeadLiteral::Other(any) => Some(any),
        };
        self.condition.iter().chain(&self.ranges).chain(own.into_iter().flatten().flatten())
    }

    /// The atom, if the element derives one.
    pub fn atom(&self) -> Option<&Atom> {
        match &self.literal {
            HeadLiteral::Atom(a) => Some(a),
            HeadLiteral::Other(_) => None,
        }
    }
}

/// Parts of a theory term.
#[derive(Clone, PartialEq, Debug)]
pub enum TheoryTerm {
    /// An ordinary term.
    Plain(Term),
    /// An operator or function applied to terms.
    Function(StrId, Vec<TheoryTerm>),
    /// `(...)`
    Tuple(Vec<TheoryTerm>),
    /// `[...]`
    List(Vec<TheoryTerm>),
    /// `{...}`
    Set(Vec<TheoryTerm>),
}

impl TheoryTerm {
    /// Calls `f` for each variable.
    pub fn for_each_var(&self, f: &mut impl FnMut(Var)) {
        match self {
            TheoryTerm::Plain(t) => t.for_each_var(f),
            TheoryTerm::Function(_, ts)
            | TheoryTerm::Tuple(ts)
            | TheoryTerm::List(ts)
            | TheoryTerm::Set(ts) => ts.iter().for_each(|t| t.for_each_var(f)),
        }
    }
}

/// `terms : condition` in a theory atom.
#[derive(Clone, Debug)]
pub struct TheoryElement {
    /// Terms before the colon.
    pub terms: Vec<TheoryTerm>,
    /// When it counts.
    pub condition: Condition,
    /// Where it stands.
    pub span: Span,
}

/// A theory atom.
#[derive(Clone, Debug)]
pub struct TheoryAtom {
    /// Name.
    pub name: StrId,
    /// Arguments.
    pub args: Vec<TheoryTerm>,
    /// Elements.
    pub elements: Vec<TheoryElement>,
    /// Operator and right-hand side.
    pub guard: Option<(StrId, TheoryTerm)>,
    /// Variables that the rest of the rule binds, those of arguments and guard among them.
    pub globals: Vec<Var>,
    /// Whether it is a directive, which has no truth value.
    pub directive: bool,
    /// Where it stands.
    pub span: Span,
}

impl Atom {
    /// The atom with other variables in place of its own.
    pub(crate) fn map_vars(&self, f: &mut impl FnMut(Var) -> Var) -> Atom {
        Atom { args: self.args.iter().map(|t| t.map_vars(f)).collect(), ..*self }
    }
}

impl AggregateElement {
    /// The element with other variables in place of its own; `None` if something else is nested in it.
    pub(crate) fn map_vars(&self, f: &mut impl FnMut(Var) -> Var) -> Option<AggregateElement> {
        let tuple = self.tuple.iter().map(|t| t.map_vars(f)).collect();
        let condition: Option<_> = self.condition.iter().map(|l| l.map_plain(f)).collect();
        Some(AggregateElement { tuple, condition: condition?, span: self.span })
    }
}

impl Literal {
    /// The literal with other variables in place of its own; `None` for conditional literals, theory atoms and what is
    /// nested in aggregates.
    pub(crate) fn map_vars(&self, f: &mut impl FnMut(Var) -> Var) -> Option<Literal> {
        let Literal::Aggregate(a) = self else { return self.map_plain(f) };
        let guards = a.guards.iter().map(|(r, t)| (*r, t.map_vars(f))).collect();
        let elements: Option<_> = a.elements.iter().map(|e| e.map_vars(f)).collect();
        let mut globals: Vec<Var> = a.globals.iter().map(|&v| f(v)).collect();
        globals.sort_unstable();
        globals.dedup();
        let elements = elements?;
        Some(Literal::Aggregate(Box::new(Aggregate { guards, elements, globals, ..(**a).clone() })))
    }

    /// The same for atoms and comparisons only.
    pub(crate) fn map_plain(&self, f: &mut impl FnMut(Var) -> Var) -> Option<Literal> {
        Some(match self {
            Literal::Atom(sign, a) => Literal::Atom(*sign, a.map_vars(f)),
            Literal::Compare(r, s, t, span) => Literal::Compare(*r, s.map_vars(f), t.map_vars(f), *span),
            Literal::Range(t, lo, hi, span) => {
                Literal::Range(t.map_vars(f), lo.map_vars(f), hi.map_vars(f), *span)
            }
            Literal::False(span) => Literal::False(*span),
            Literal::Aggregate(_) | Literal::Conditional(_) | Literal::Theory(..) => return None,
        })
    }
}

/// The head of a rule.
#[derive(Clone, Debug)]
pub enum Head {
    /// Nothing: the body must not hold.
    Constraint,
    /// Derives an atom.
    Atom(Atom),
    /// Derives at least one of the elements.
    Disjunction(Vec<HeadElement>),
    /// Derives any of the elements, such that the guards hold.
    Aggregate {
        /// Which function.
        function: AggregateFunction,
        /// Whether it was written `{ a : c }`.
        set: bool,
        /// Bounds, all read from the aggregate's value to the term.
        guards: Vec<(Relation, Term)>,
        /// The elements that may be derived.
        elements: Vec<HeadElement>,
    },
    /// Makes a theory atom true.
    Theory(Box<TheoryAtom>),
    /// Adds a tuple to the objective.
    Minimize {
        /// Cost.
        weight: Term,
        /// Level.
        priority: Term,
        /// The tuple's other terms.
        tuple: Vec<Term>,
    },
    /// Shows a term.
    Show(Term),
    /// Adds an atom to the projection.
    Project(Atom),
    /// Declares an external atom with its value.
    External(Atom, Term),
    /// Changes how the search treats an atom.
    Heuristic {
        /// The atom whose decisions it changes.
        atom: Atom,
        /// Value.
        weight: Term,
        /// Rank.
        priority: Term,
        /// Modifier.
        modifier: Term,
    },
    /// Adds an edge to the graph that must be acyclic.
    Edge(Term, Term),
}

impl Head {
    /// The terms that belong to no element: an atom's arguments, guards, weights. Those of a theory atom, which
    /// consists of more than terms, are not included.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Head::Constraint | Head::Disjunction(_) | Head::Theory(_) => Vec::new(),
            Head::Atom(a) | Head::Project(a) => a.args.iter().collect(),
            Head::Aggregate { guards, .. } => guards.iter().map(|(_, t)| t).collect(),
            Head::Minimize { weight, priority, tuple } => {
                [weight, priority].into_iter().chain(tuple).collect()
            }
            Head::Show(t) => vec![t],
            Head::External(a, t) => a.args.iter().chain([t]).collect(),
            Head::Heuristic { atom, weight, priority, modifier } => {
                atom.args.iter().chain([weight, priority, modifier]).collect()
            }
            Head::Edge(u, v) => vec![u, v],
        }
    }

    /// The elements of a disjunction or an aggregate; none for other heads.
    pub fn elements(&self) -> &[HeadElement] {
        match self {
            Head::Disjunction(elements) | Head::Aggregate { elements, .. } => elements,
            _ => &[],
        }
    }
}

/// A variable of a rule.
#[derive(Clone, Copy, Debug)]
pub struct VarInfo {
    /// Its name; `None` for anonymous and auxiliary ones.
    pub name: Option<StrId>,
    /// Its first occurrence.
    pub span: Span,
    /// Whether it belongs to an element only.
    pub local: bool,
}

/// A rule or directive with a body.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its head.
    pub head: Head,
    /// When.
    pub body: Vec<Literal>,
    /// Its variables by number.
    pub vars: Vec<VarInfo>,
    /// Where the statement stands.
    pub span: Span,
    /// The statement's number in the ground program.
    pub source: RuleSource,
}

impl Head {
    /// Calls `f` for each atom that the head derives.
    pub fn for_each_atom<'a>(&'a self, f: &mut impl FnMut(&'a Atom)) {
        match self {
            Head::Atom(a) | Head::External(a, _) => f(a),
            Head::Disjunction(elements) | Head::Aggregate { elements, .. } => {
                elements.iter().filter_map(HeadElement::atom).for_each(f);
            }
            _ => {}
        }
    }

    /// Whether the head derives an atom that fits.
    pub fn derives(&self, mut fits: impl FnMut(&Atom) -> bool) -> bool {
        let mut found = false;
        self.for_each_atom(&mut |a| found = found || fits(a));
        found
    }

    /// The predicate of an `#external` statement.
    pub fn external(&self) -> Option<PredId> {
        if let Head::External(a, _) = self { Some(a.pred) } else { None }
    }
}

impl Rule {
    /// The sets of literals that may have to hold together beside the body: the empty set, and each condition of an aggregate,
    /// of a conditional literal and of an element of the head.
    pub fn conditions(&self) -> Vec<&[Literal]> {
        let mut found: Vec<&[Literal]> = vec![&[]];
        for l in &self.body {
            match l {
                Literal::Aggregate(a) => found.extend(a.elements.iter().map(|e| &e.condition[..])),
                Literal::Conditional(c) => found.push(&c.condition),
                _ => {}
            }
        }
        found.extend(self.head.elements().iter().map(|e| &e.condition[..]));
        found
    }
}

/// Calls `f` for each variable of a literal.
pub fn literal_vars(l: &Literal, f: &mut impl FnMut(Var)) {
    match l {
        Literal::Atom(_, a) => a.args.iter().for_each(|t| t.for_each_var(f)),
        Literal::Compare(_, s, t, _) => {
            s.for_each_var(f);
            t.for_each_var(f);
        }
        Literal::Range(t, lo, hi, _) => [t, lo, hi].into_iter().for_each(|t| t.for_each_var(f)),
        Literal::False(_) => {}
        Literal::Aggregate(a) => {
            a.guards.iter().for_each(|(_, t)| t.for_each_var(f));
            a.globals.iter().for_each(|&v| f(v));
        }
        Literal::Conditional(c) => c.globals.iter().for_each(|&v| f(v)),
        Literal::Theory(_, a) => a.globals.iter().for_each(|&v| f(v)),
    }
}
