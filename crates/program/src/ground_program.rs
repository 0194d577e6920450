//! The ground program as a whole.
//!
//! Invariants: every literal's atom is in `atoms`; every range lies in its pool; facts have no atom. A *structured*
//! program may have `definitions`, `head_aggregates`, `disjunctions` and `minimize`; [`lower`](fn@super::lower::lower)
//! adds `rules` and `objectives` that mean the same, and records in `lowered` how much it has handled.

use super::atom_table::{AtomId, AtomTable, Literal};
use super::externals::Externals;
use super::integers::state::Integers;
use super::lazy::Batch;
use super::lowered::{Lowered, Tuples};
use super::rule::{RuleSource, Rules};
pub use asp_base::aggregate::{AggregateFunction as Function, Relation};
use asp_base::map::Set;
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym};
use std::sync::Arc;

/// A range of [`Program::literals`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Literals {
    start: u32,
    len: u32,
}

/// A range of [`Program::terms`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    start: u32,
    len: u32,
}

/// A bound on an aggregate's value; terms are compared in the total order of terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// From the aggregate to the term.
    pub relation: Relation,
    /// The term compared with the aggregate's value.
    pub term: Sym,
}

/// A tuple of a body aggregate and one of the conjunctions under which it counts; the same tuple may stand in several
/// elements (set semantics: it counts once).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AggregateElement {
    /// The tuple; in a set aggregate `{ l : c }`, the tuple that identifies the literal.
    pub tuple: Terms,
    /// When it counts; empty means always.
    pub condition: Literals,
}

/// A tuple of a head aggregate, the atom that it may derive, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeadElement {
    /// The tuple.
    pub tuple: Terms,
    /// The atom that may be derived; `None` if it is a fact (then it counts whenever the condition holds).
    pub atom: Option<AtomId>,
    /// When it may be derived and counts.
    pub condition: Literals,
}

/// One implication of a conditional literal: `head : condition`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConditionalElement {
    /// Disjunction of literals; empty means `#false`.
    pub head: Literals,
    /// Conjunction of literals.
    pub condition: Literals,
}

/// The meaning of an auxiliary atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definition {
    /// `not atom`; a negated use prints as `not not atom`.
    Negation(AtomId),
    /// An aggregate with its guards: the atom holds if all guards do.
    Aggregate {
        /// Which aggregate.
        function: Function,
        /// Whether it was written as `{ l : c }` (prints without the tuples).
        set: bool,
        /// All must hold.
        guards: Vec<Guard>,
        /// Tuples with conditions; the same tuple may occur again.
        elements: Vec<AggregateElement>,
        /// Whether it may depend positively on the head of a rule that contains it; needs the translation for recursive
        /// aggregates unless it is monotone or antimonotone.
        recursive: bool,
    },
    /// A conditional literal in a body: all of the implications hold.
    Conjunction {
        /// One for each instance of the condition.
        elements: Vec<ConditionalElement>,
        /// Whether a condition may depend positively on the head of a rule that contains it.
        recursive: bool,
    },
}

/// An auxiliary atom with its meaning: it holds if and only if (in the sense of the logic of here-and-there) the
/// definition does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defined {
    /// The auxiliary atom.
    pub atom: AtomId,
    /// Its meaning.
    pub definition: Definition,
    /// Where it comes from.
    pub source: RuleSource,
}

/// A rule with an aggregate as its head: supports its atoms as a choice does, and its guards must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeadAggregate {
    /// Which aggregate; `Count` with `set` for a choice.
    pub function: Function,
    /// Whether it was written as `{ a : c }`.
    pub set: bool,
    /// All must hold whenever the body does.
    pub guards: Vec<Guard>,
    /// What may be derived.
    pub elements: Vec<HeadElement>,
    /// When the rule applies.
    pub body: Literals,
    /// Where it comes from.
    pub source: RuleSource,
    /// How many plain rules there were before it.
    pub after: usize,
}

/// A rule with a disjunction of conditional literals as its head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disjunction {
    /// The disjuncts: element `head : condition` stands for "some literal of `head`" if its condition holds and for
    /// nothing otherwise. `head` has one literal.
    pub elements: Vec<ConditionalElement>,
    /// When the rule applies.
    pub body: Literals,
    /// Where it comes from.
    pub source: RuleSource,
    /// How many plain rules there were before it.
    pub after: usize,
}

/// A tuple of the objective; equal tuples with equal weight and priority count once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinimizeElement {
    /// Cost.
    pub weight: i64,
    /// Level; greater is more important.
    pub priority: i64,
    /// The terms that identify the tuple.
    pub tuple: Terms,
    /// When it counts.
    pub condition: Literals,
    /// Where it comes from.
    pub source: RuleSource,
}

/// The lowered objective of one level: minimise `constant` plus the weights of the literals that hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objective {
    /// Level; greater is more important.
    pub priority: i64,
    /// Cost of the tuples that always count.
    pub constant: i64,
    /// Literals, each once, with weights other than 0 (perhaps negative).
    pub literals: Vec<(Literal, i64)>,
}

/// A symbol to show, and its condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Show {
    /// The symbol.
    pub item: ShowItem,
    /// All must hold; for an atom shown by its signature, the atom itself.
    pub condition: Literals,
}

/// The symbol of a [`Show`] entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShowItem {
    /// An atom that may hold.
    Atom(AtomId),
    /// An atom that holds in every answer set and has no number, as a term.
    Fact(Sym),
    /// A term: from `#show t : body`, or for the value of a function.
    Term(Sym),
    /// The value of an integer variable, `__csp(x,7)`.
    Value(Sym),
    /// A binary digit of a value, `__digit(x,8)`: it tells answer sets with different values apart, and is not printed.
    Digit(Sym),
}

/// Value of an external atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternalValue {
    /// `true`
    True,
    /// `false`
    False,
    /// `free`
    Free,
    /// `release`: no longer external
    Release,
}

/// Modifier of a `#heuristic` directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeuristicModifier {
    /// Rank among atoms.
    Level,
    /// Preferred sign.
    Sign,
    /// Factor on the activity.
    Factor,
    /// Initial activity.
    Init,
    /// Level and positive sign.
    True,
    /// Level and negative sign.
    False,
}

impl HeuristicModifier {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Level, Self::Sign, Self::Factor, Self::Init, Self::True, Self::False];
    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Sign => "sign",
            Self::Factor => "factor",
            Self::Init => "init",
            Self::True => "true",
            Self::False => "false",
        }
    }
}

/// A ground `#heuristic` directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heuristic {
    /// Whose treatment changes.
    pub atom: AtomId,
    /// How.
    pub modifier: HeuristicModifier,
    /// The modifier's value.
    pub bias: i32,
    /// Among directives for one atom and modifier, the greatest that applies counts.
    pub priority: u32,
    /// When it applies.
    pub condition: Literals,
}

/// A ground `#edge` directive: the edges whose conditions hold must form no cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Tail.
    pub from: Sym,
    /// Head.
    pub to: Sym,
    /// When the edge is there.
    pub condition: Literals,
    /// Where it comes from.
    pub source: RuleSource,
}

asp_base::define_index! {
    /// A ground theory term.
    pub struct TheoryTermId
}
asp_base::define_index! {
    /// A ground theory element.
    pub struct TheoryElementId
}

/// A ground theory term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TheoryTerm {
    /// An integer, of 64 bits.
    Number(i64),
    /// A constant, operator or string as written.
    Symbol(StrId),
    /// `f(...)`
    Function(TheoryTermId, Vec<TheoryTermId>),
    /// `(...)`
    Tuple(Vec<TheoryTermId>),
    /// `[...]`
    List(Vec<TheoryTermId>),
    /// `{...}`
    Set(Vec<TheoryTermId>),
}

/// A ground theory element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TheoryElement {
    /// Terms before the colon.
    pub terms: Vec<TheoryTermId>,
    /// When it counts.
    pub condition: Literals,
}

/// A ground theory atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TheoryAtom {
    /// The program atom, `None` for a directive.
    pub atom: Option<AtomId>,
    /// Name with arguments.
    pub term: TheoryTermId,
    /// Elements in the order of the program.
    pub elements: Vec<TheoryElementId>,
    /// Operator and right-hand side.
    pub guard: Option<(TheoryTermId, TheoryTermId)>,
    /// Where it stands.
    pub span: Span,
}

/// All ground theory data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Theory {
    /// Terms, each once.
    pub terms: Vec<TheoryTerm>,
    /// Elements.
    pub elements: Vec<TheoryElement>,
    /// Atoms. One without rules is free, if it is not settled.
    pub atoms: Vec<TheoryAtom>,
    /// Atoms that calls had seen before they became theory atoms: they get no further rules.
    pub settled: Set<AtomId>,
    /// How many of them belong to steps that ended with a call, and so are known to theories.
    pub past: usize,
    /// Whether they are constraints over integers, of the built-in theory.
    pub integers: bool,
}

impl Theory {
    /// The program's atoms that are free if no rule derives them, from the given theory atom on.
    pub fn free_atoms(&self, from: usize) -> impl Iterator<Item = AtomId> + '_ {
        let atoms = self.atoms.iter().skip(from).filter_map(|atom| atom.atom);
        atoms.filter(|atom| !self.settled.contains(atom))
    }
}

/// How results print atoms: programs in the formats of SAT solvers, as those solvers do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// As terms; only true atoms are printed.
    #[default]
    Terms,
    /// Signed numbers of variables.
    Cnf,
    /// Signed variables `x1`, `-x2`.
    Opb,
}

/// How often entries with the same text are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repeated {
    /// An atom, and a term equal to it, are each printed once.
    #[default]
    Term,
    /// All, as clasp does.
    All,
    /// One, as clingo does where it reads aspif.
    One,
}

/// The ground program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// How results print atoms.
    pub notation: Notation,
    /// How often entries with the same text are printed.
    pub repeated: Repeated,
    /// Atoms that are neither true nor false yet.
    pub atoms: AtomTable,
    /// Plain rules.
    pub rules: Rules,
    /// The source statement of each [`RuleSource`].
    pub sources: Vec<Span>,
    /// Facts, kept only on request (`--text`, ground formats).
    pub facts: AtomTable,
    /// Meanings of auxiliary atoms.
    pub definitions: Vec<Defined>,
    /// Rules with aggregates and choices with bounds or conditions as heads.
    pub head_aggregates: Vec<HeadAggregate>,
    /// Rules with conditional disjunctions as heads.
    pub disjunctions: Vec<Disjunction>,
    /// Tuples of the objective.
    pub minimize: Vec<MinimizeElement>,
    /// The lowered objective, most important level first; empty if no tuple is left.
    pub objectives: Vec<Objective>,
    /// The show entries, in a fixed order.
    pub shows: Vec<Show>,
    /// Signatures of `#show p/n.`; `None` if there is no `#show` of that form (then all is shown).
    pub show_signatures: Option<Vec<Signature>>,
    /// Atoms to project on; `None` without `#project`, or if none of its atoms may hold.
    pub project: Option<Vec<AtomId>>,
    /// Facts to project on, as terms.
    pub projected_facts: Vec<Sym>,
    /// External atoms with their values.
    pub externals: Externals,
    /// Heuristic directives.
    pub heuristics: Vec<Heuristic>,
    /// Acyclicity constraints.
    pub edges: Vec<Edge>,
    /// Literals assumed to hold (aspif only).
    pub assumptions: Vec<Literal>,
    /// Theory data.
    pub theory: Theory,
    /// Variables and values, if theory atoms are constraints over integers.
    pub integers: Integers,
    /// Constraints that are not instantiated, by grounding call.
    pub lazy: Vec<Arc<Batch>>,
    /// Backing store of [`Literals`].
    literal_pool: Vec<Literal>,
    /// Backing store of [`Terms`].
    term_pool: Vec<Sym>,
    /// How much has been lowered.
    pub(super) lowered: Lowered,
}

impl Theory {
    /// The atoms of the present step.
    pub fn present(&self) -> &[TheoryAtom] {
        since(&self.atoms, self.past)
    }
}

impl Program {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }
    /// Stores literals.
    pub fn push_literals(&mut self, literals: &[Literal]) -> Literals {
        let start = self.literal_pool.len() as u32;
        self.literal_pool.extend_from_slice(literals);
        Literals { start, len: literals.len() as u32 }
    }
    /// Stores terms.
    pub fn push_terms(&mut self, terms: &[Sym]) -> Terms {
        let start = self.term_pool.len() as u32;
        self.term_pool.extend_from_slice(terms);
        Terms { start, len: terms.len() as u32 }
    }
    /// Literals of a range.
    #[inline]
    pub fn literals(&self, range: Literals) -> &[Literal] {
        &self.literal_pool[range.start as usize..(range.start + range.len) as usize]
    }
    /// Terms of a range.
    #[inline]
    pub fn terms(&self, range: Terms) -> &[Sym] {
        &self.term_pool[range.start as usize..(range.start + range.len) as usize]
    }
    /// Removes the objective; only what is added later counts.
    pub fn remove_objective(&mut self) {
        self.minimize.clear();
        self.objectives.clear();
        self.lowered.minimize = 0;
        self.lowered.tuples = Tuples::default();
    }
    /// Whether there may be atoms without rules that are not false.
    pub fn has_open_atoms(&self) -> bool {
        !self.externals.is_empty() || self.theory.atoms.iter().any(|a| a.atom.is_some())
    }
    /// The definitions that have not been lowered yet.
    pub fn definitions_to_lower(&self) -> &[Defined] {
        since(&self.definitions, self.lowered.definitions)
    }
    /// The rules with head aggregates that have not been lowered yet.
    pub fn head_aggregates_to_lower(&self) -> &[HeadAggregate] {
        since(&self.head_aggregates, self.lowered.head_aggregates)
    }
    /// The rules with conditional disjunctions that have not been lowered yet.
    pub fn disjunctions_to_lower(&self) -> &[Disjunction] {
        since(&self.disjunctions, self.lowered.disjunctions)
    }
    /// Whether everything structured has been lowered.
    pub fn is_lowered(&self) -> bool {
        self.lowered.definitions == self.definitions.len()
            && self.lowered.head_aggregates == self.head_aggregates.len()
            && self.lowered.disjunctions == self.disjunctions.len()
            && self.lowered.minimize == self.minimize.len()
    }
    /// Notes that the rules so far make up a step.
    pub fn end_step(&mut self) {
        if self.lowered.ends.last() != Some(&self.rules.len()) {
            self.lowered.ends.push(self.rules.len());
        }
    }
}

/// The rest of a list from an index on.
pub(super) fn since<T>(list: &[T], start: usize) -> &[T] {
    &list[start.min(list.len())..]
}
