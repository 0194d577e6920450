//! From structured to plain: aggregates, conditional literals, head aggregates and the objective become normal, choice,
//! disjunctive and weight rules over auxiliary atoms.
//!
//! Invariant: an answer set of the structured program extends to exactly one of the plain one. Every auxiliary atom is
//! an explicit definition `aux <- F` (Ferraris, *Answer Sets for Propositional Theories*, 2005, section on explicit
//! definitions), so only the direction from `F` to `aux` is needed where `aux` stands in bodies; the translations of `F`
//! are equivalences of the logic of here-and-there. Only what is new since the last call is lowered.

mod aggregate;
mod conditional;
mod head;
mod measure;
mod minimize;
pub(crate) mod told;

use super::atom_table::{AtomId, Literal};
use super::defined::derived_since;
use super::ground_program::{Definition, Program, since};
use super::rule::RuleSource;
use asp_base::map::Set;
use asp_base::symbol::Symbols;

/// Why a program cannot be lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowerError {
    /// The weights of an aggregate add up to a number outside 64 bits.
    SumOverflow {
        /// The statement with the aggregate.
        source: RuleSource,
    },
    /// The weights of the objective's tuples add up to a number outside 64 bits.
    ObjectiveOverflow {
        /// The level, as `@` says it.
        priority: i64,
    },
}

impl std::fmt::Display for LowerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LowerError::SumOverflow { .. } => {
                write!(
                    f,
                    "the weights of this aggregate add up to a number outside the range of 64-bit integers"
                )
            }
            LowerError::ObjectiveOverflow { priority } => write!(
                f,
                "the weights of the objective at priority {priority} add up to a number outside the range of 64-bit integers"
            ),
        }
    }
}

impl std::error::Error for LowerError {}

/// A condition in a form that rule bodies can express.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    /// A disjunction of conjunctions: no conjunction is false, an empty one is true.
    Bodies(Vec<Vec<Literal>>),
    /// The weights (all positive, their sum a 64-bit integer) of the literals that hold add up to at least the bound.
    Weight(i64, Vec<(Literal, i64)>),
}

impl Form {
    fn truth(value: bool) -> Form {
        Form::Bodies(if value { vec![Vec::new()] } else { Vec::new() })
    }
    fn conjunction(literals: Vec<Literal>) -> Form {
        Form::Bodies(vec![literals])
    }
    fn is_true(&self) -> bool {
        matches!(self, Form::Bodies(b) if b.iter().any(Vec::is_empty))
    }
    fn is_false(&self) -> bool {
        matches!(self, Form::Bodies(b) if b.is_empty())
    }
}

/// Lowers what is structured and new. Afterwards [`Program::is_lowered`] holds. Errors if a sum exceeds 64 bits.
pub fn lower(program: &mut Program, symbols: &Symbols) -> Result<(), LowerError> {
    let first = program.rules.len();
    let occurrences = occurrences(program);
    let mut lower = Lower { symbols, source: RuleSource::NONE, occurrences, program };
    let result = lower.all_new();
    let end = program.rules.len();
    if first < end {
        program.lowered.added.push((first, end));
    }
    result
}

/// The program being lowered, and the source statement of the current construct.
struct Lower<'a> {
    program: &'a mut Program,
    symbols: &'a Symbols,
    source: RuleSource,
    /// Where each atom occurs; see [`occurrences`].
    occurrences: Vec<Occurrences>,
}

/// Where an atom occurs otherwise than in bodies.
#[derive(Clone, Copy, Default)]
struct Occurrences {
    /// In how many heads, externals and theory atoms.
    all: u32,
    /// Whether a rule of the current step may derive it, so that it may depend on others of the step.
    derived: bool,
}

impl Lower<'_> {
    fn all_new(&mut self) -> Result<(), LowerError> {
        self.definitions()?;
        self.disjunctions();
        self.head_aggregates()?;
        self.minimize()
    }

    fn definitions(&mut self) -> Result<(), LowerError> {
        let definitions = std::mem::take(&mut self.program.definitions);
        let new = since(&definitions, self.program.lowered.definitions);
        for defined in new {
            if let Definition::Negation(atom) = defined.definition {
                self.source = defined.source;
                self.define_negation(defined.atom, atom);
            }
        }
        let mut result = Ok(());
        for defined in new {
            self.source = defined.source;
            match &defined.definition {
                Definition::Negation(_) => {}
                Definition::Conjunction { elements, recursive } => {
                    self.conjunction(defined.atom, elements, *recursive);
                }
                Definition::Aggregate { function, guards, elements, recursive, .. } => {
                    result =
                        result.and(self.aggregate(defined.atom, *function, guards, elements, *recursive));
                }
            }
        }
        self.program.lowered.definitions = definitions.len();
        self.program.definitions = definitions;
        result
    }

    fn define_negation(&mut self, aux: AtomId, atom: AtomId) {
        self.rule(&[aux], &[Literal::neg(atom)]);
        let first = *self.program.lowered.negations.entry(atom).or_insert(aux);
        self.program.lowered.is_negation.insert(aux, first);
    }

    fn aux(&mut self) -> AtomId {
        self.program.atoms.add_aux()
    }

    fn rule(&mut self, head: &[AtomId], body: &[Literal]) {
        self.program.rules.add(false, head, body, self.source);
    }

    /// `head` if the form holds.
    fn define(&mut self, head: &[AtomId], form: &Form) {
        match form {
            Form::Bodies(bodies) => {
                for body in bodies {
                    self.rule(head, body);
                }
            }
            Form::Weight(bound, literals) => {
                self.program.rules.add_weight(false, head, *bound, literals, self.source);
            }
        }
    }

    /// A literal that holds if and only if the form does (in bodies).
    fn literal(&mut self, form: Form) -> Literal {
        if let Form::Bodies(bodies) = &form
            && let [body] = &bodies[..]
            && let [literal] = body[..]
        {
            return literal;
        }
        let aux = self.aux();
        self.define(&[aux], &form);
        Literal::pos(aux)
    }

    /// The conjunction of forms as one form.
    fn all(&mut self, mut forms: Vec<Form>) -> Form {
        if forms.iter().any(Form::is_false) {
            return Form::truth(false);
        }
        forms.retain(|f| !f.is_true());
        if forms.len() == 1 {
            return forms.swap_remove(0);
        }
        let mut body = Vec::new();
        for form in forms {
            match form {
                Form::Bodies(mut bodies) if bodies.len() == 1 => body.append(&mut bodies[0]),
                form => {
                    let literal = self.literal(form);
                    body.push(literal);
                }
            }
        }
        body.sort_unstable();
        body.dedup();
        Form::conjunction(body)
    }

    /// `not literal`; a double negation gets an auxiliary atom, as it does not support itself.
    fn not(&mut self, literal: Literal) -> Literal {
        let atom = literal.atom();
        if !literal.is_neg() {
            Literal::neg(atom)
        } else if self.program.lowered.is_negation.contains_key(&atom) {
            Literal::pos(atom)
        } else {
            Literal::neg(self.negation(atom))
        }
    }

    /// The auxiliary atom for `not atom`.
    fn negation(&mut self, atom: AtomId) -> AtomId {
        if let Some(&aux) = self.program.lowered.negations.get(&atom) {
            return aux;
        }
        let aux = self.aux();
        self.define_negation(aux, atom);
        aux
    }

    /// Whether the literal's truth depends only on the candidate answer set, as for negated literals: no rule of the step
    /// derives its atom. It may be external, a theory atom or of an earlier step; a rule added here with it as head would
    /// define it a second time.
    fn depends_on_candidate(&self, literal: Literal) -> bool {
        let atom = literal.atom();
        literal.is_neg()
            || self.program.lowered.is_negation.contains_key(&atom)
            || self.occurrences.get(atom.0 as usize).is_some_and(|o| !o.derived)
    }

    /// `not form`.
    fn negated(&mut self, form: Form) -> Form {
        match form {
            Form::Bodies(bodies) if bodies.iter().all(|b| b.len() == 1) => {
                Form::conjunction(bodies.iter().map(|b| self.not(b[0])).collect())
            }
            Form::Bodies(bodies) if bodies.len() == 1 => {
                Form::Bodies(bodies[0].iter().map(|&l| vec![self.not(l)]).collect())
            }
            form => {
                let literal = self.literal(form);
                Form::conjunction(vec![self.not(literal)])
            }
        }
    }

    /// Whether an atom occurs in one head and is neither external nor a theory atom.
    fn is_alone(&self, atom: AtomId) -> bool {
        self.occurrences.get(atom.0 as usize).is_some_and(|o| o.all == 1)
    }
}

/// Where each atom occurs, without atoms that lowering adds. Empty if nothing new needs it.
fn occurrences(program: &Program) -> Vec<Occurrences> {
    let is_recursive = |d: &Definition| match d {
        Definition::Aggregate { recursive, .. } | Definition::Conjunction { recursive, .. } => *recursive,
        Definition::Negation(_) => false,
    };
    let lowered = &program.lowered;
    let definitions = program.definitions_to_lower();
    let heads = program.head_aggregates_to_lower();
    if heads.iter().all(|h| h.guards.is_empty()) && !definitions.iter().any(|d| is_recursive(&d.definition)) {
        return Vec::new();
    }
    let mut found = vec![Occurrences::default(); program.atoms.len()];
    let mut note = |atom: AtomId, derived: bool| {
        let occurrences = &mut found[atom.0 as usize];
        occurrences.all += 1;
        occurrences.derived |= derived;
    };
    let step = lowered.ends.last().copied().unwrap_or(0);
    // A rule that never derives its head leaves an external atom external.
    let derived: Option<Set<AtomId>> =
        (!program.externals.is_empty()).then(|| derived_since(program, step).collect());
    for (number, rule) in program.rules.iter().enumerate() {
        let derives = |a| number >= step && derived.as_ref().is_none_or(|derived| derived.contains(a));
        rule.head.atoms().iter().for_each(|a| note(*a, derives(a)));
    }
    for (number, defined) in program.definitions.iter().enumerate() {
        note(defined.atom, number >= lowered.definitions);
    }
    for (number, rule) in program.head_aggregates.iter().enumerate() {
        let atoms = rule.elements.iter().filter_map(|e| e.atom);
        atoms.for_each(|a| note(a, number >= lowered.head_aggregates));
    }
    for (number, rule) in program.disjunctions.iter().enumerate() {
        let heads = rule.elements.iter().flat_map(|e| program.literals(e.head));
        heads.filter(|l| !l.is_neg()).for_each(|l| note(l.atom(), number >= lowered.disjunctions));
    }
    program.externals.iter().for_each(|e| note(e.0, false));
    program.theory.atoms.iter().filter_map(|a| a.atom).for_each(|a| note(a, false));
    found
}

#[cfg(test)]
mod tests;
