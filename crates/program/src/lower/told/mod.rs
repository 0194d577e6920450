//! Writes what is new in a program as plain rules in gringo's form and order, for observers and writers of the ground
//! program.
//!
//! Plain rules come as they were grounded, each after the aggregates and conditional literals of its body. Rules with
//! aggregates or conditions in their heads leave an atom for their body; they, and recursive definitions, come at the end.
//! Invariant: the output has the answer sets of the program. The program only gets auxiliary atoms: the solver uses the
//! output of [`lower`](super::lower), which has fewer atoms.

mod aggregate;
mod conditional;
mod head;

use super::{Lower, LowerError, occurrences};
use crate::atom_table::{AtomId, Literal};
use crate::ground_program::{Definition, Literals, Program, since};
use crate::lowered::Lowered;
use crate::rule::{Body, Head, RuleRef, RuleSource, Rules};
use crate::written::Written;
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, Symbols};
use std::collections::BTreeMap;
use std::mem;

/// A tuple of the objective: its weight, priority and terms.
type Tuple = (i64, i64, Vec<Sym>);

/// What has been written of a program that may grow, and under which atoms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Teller {
    told: Written,
    minimize: usize,
    /// Where auxiliary atoms are defined.
    places: Map<AtomId, usize>,
    /// The literals of auxiliary atoms already written.
    meanings: Map<AtomId, Literal>,
    /// Auxiliary atoms that have rules of their own.
    stated: Set<AtomId>,
    /// Theory atoms that have not occurred.
    theory: Set<AtomId>,
    /// An atom without rules.
    never: Option<AtomId>,
    /// By weight, priority and terms, when a tuple of the objective counts.
    tuples: Map<Tuple, Literal>,
    /// Of recursive parts, which are lowered as for the solver.
    lowered: Lowered,
}

/// One step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) rules: Rules,
    /// Atoms numbered before a rule, by its number, though it does not begin with them.
    pub(crate) made: Vec<(usize, AtomId)>,
    /// By level, the least important first: new weighted literals.
    pub(crate) objectives: BTreeMap<i64, Vec<(Literal, i64)>>,
}

/// Output that waits for the end of a step.
enum Late {
    /// A rule with a head aggregate, by its number, and the atom for its body.
    Aggregate(usize, AtomId),
    /// A disjunction, likewise.
    Disjunction(usize, AtomId),
    /// A recursive definition.
    Definition(usize),
}

/// A step being written.
struct Telling<'t, 'a> {
    lower: Lower<'a>,
    teller: &'t mut Teller,
    late: Vec<Late>,
    made: Vec<(usize, AtomId)>,
}

impl Teller {
    /// Tells what is new.
    pub(crate) fn tell(&mut self, program: &mut Program, symbols: &Symbols) -> Result<Told, LowerError> {
        // An objective that was removed is not taken back.
        if program.minimize.len() < self.minimize {
            self.minimize = 0;
            self.tuples.clear();
        }
        for (place, defined) in program.definitions.iter().enumerate().skip(self.lowered.definitions) {
            self.places.insert(defined.atom, place);
        }
        let new = since(&program.theory.atoms, self.told.theory.2).iter();
        self.theory.extend(new.filter_map(|atom| atom.atom));
        let mine = mem::take(&mut self.lowered);
        let theirs = mem::replace(&mut program.lowered, mine);
        let occurrences = occurrences(program);
        let rules = mem::take(&mut program.rules);
        let ends = program.lowered.ends.len();
        let lower = Lower { symbols, source: RuleSource::NONE, occurrences, program };
        let mut telling = Telling { lower, teller: self, late: Vec::new(), made: Vec::new() };
        let result = telling.step(&rules, &theirs);
        let made = mem::take(&mut telling.made);
        let program = telling.lower.program;
        let told = mem::replace(&mut program.rules, rules);
        self.told.note(program);
        self.minimize = program.minimize.len();
        program.lowered.ends.truncate(ends);
        program.lowered.ends.push(self.told.rules);
        program.lowered.definitions = program.definitions.len();
        program.lowered.head_aggregates = program.head_aggregates.len();
        program.lowered.disjunctions = program.disjunctions.len();
        self.lowered = mem::replace(&mut program.lowered, theirs);
        Ok(Told { rules: told, made, objectives: result? })
    }

    /// An atom that never holds.
    pub(crate) fn never(&mut self, program: &mut Program) -> AtomId {
        *self.never.get_or_insert_with(|| program.atoms.add_aux())
    }
}

impl Telling<'_, '_> {
    fn step(
        &mut self,
        rules: &Rules,
        theirs: &Lowered,
    ) -> Result<BTreeMap<i64, Vec<(Literal, i64)>>, LowerError> {
        let before = &self.lower.program.lowered;
        let (mut head, mut disjunction) = (before.head_aggregates, before.disjunctions);
        let first = self.teller.told.rules;
        for (number, rule) in rules.iter().enumerate().skip(first) {
            self.heads_before(number, &mut head, &mut disjunction)?;
            if !theirs.has_added(number) {
                self.rule(rule)?;
            }
        }
        self.heads_before(usize::MAX, &mut head, &mut disjunction)?;
        self.conditions()?;
        // Each of these may add to the list.
        let mut next = 0;
        while next < self.late.len() {
            match self.late[next] {
                Late::Aggregate(number, body) => self.head_aggregate(number, body)?,
                Late::Disjunction(number, body) => self.disjunction(number, body)?,
                Late::Definition(place) => self.late_definition(place)?,
            }
            next += 1;
        }
        self.objectives()
    }

    /// Defined atoms in conditions of directives, shown terms and theory elements get rules of their own.
    fn conditions(&mut self) -> Result<(), LowerError> {
        let (program, teller) = (&*self.lower.program, &*self.teller);
        if teller.places.is_empty() {
            return Ok(());
        }
        let told = &teller.told;
        let new = since(&program.shows, told.shows).iter().map(|show| show.condition);
        let edges = since(&program.edges, told.edges).iter().map(|edge| edge.condition);
        let heuristics = since(&program.heuristics, told.heuristics).iter().map(|h| h.condition);
        let elements = since(&program.theory.elements, told.theory.1).iter().map(|e| e.condition);
        let all: Vec<Literals> = new.chain(edges).chain(heuristics).chain(elements).collect();
        all.into_iter().try_for_each(|condition| self.state_all(condition))
    }

    /// Rules with conditions or aggregates in their heads that were grounded before a plain rule.
    fn heads_before(
        &mut self,
        number: usize,
        head: &mut usize,
        disjunction: &mut usize,
    ) -> Result<(), LowerError> {
        while let Some(rule) = self.lower.program.head_aggregates.get(*head).filter(|r| r.after <= number) {
            self.lower.source = rule.source;
            let body = self.body_atom(rule.body)?;
            self.late.push(Late::Aggregate(*head, body));
            *head += 1;
        }
        while let Some(rule) = self.lower.program.disjunctions.get(*disjunction).filter(|r| r.after <= number)
        {
            self.lower.source = rule.source;
            let body = self.body_atom(rule.body)?;
            self.late.push(Late::Disjunction(*disjunction, body));
            *disjunction += 1;
        }
        Ok(())
    }

    /// An atom for the body of a rule that comes later.
    fn body_atom(&mut self, body: Literals) -> Result<AtomId, LowerError> {
        let body = self.lower.program.literals(body).to_vec();
        let body = self.literals(&body)?;
        let atom = self.aux();
        self.lower.rule(&[atom], &body);
        Ok(atom)
    }

    fn rule(&mut self, rule: RuleRef<'_>) -> Result<(), LowerError> {
        self.lower.source = rule.source;
        let choice = matches!(rule.head, Head::Choice(_));
        let body = self.literals(rule.body.literals())?;
        let (head, out) = (rule.head.atoms(), &mut self.lower.program.rules);
        match rule.body {
            Body::Normal(_) => out.add(choice, head, &body, rule.source),
            Body::Weight { bound, weights, .. } => {
                let body: Vec<_> = body.into_iter().zip(weights.iter().copied()).collect();
                out.add_weight(choice, head, bound, &body, rule.source)
            }
        };
        Ok(())
    }

    /// Literals as written.
    fn literals(&mut self, literals: &[Literal]) -> Result<Vec<Literal>, LowerError> {
        literals.iter().map(|&l| self.literal(l)).collect()
    }

    /// A literal as written; its definition has been written when this returns, unless it is recursive.
    fn literal(&mut self, literal: Literal) -> Result<Literal, LowerError> {
        // Chains of definitions are two long at most: a double negation of an aggregate.
        let Some(&place) = self.teller.places.get(&literal.atom()) else {
            if self.teller.theory.remove(&literal.atom()) {
                self.note(literal.atom());
            }
            return Ok(literal);
        };
        if let Definition::Negation(atom) = self.lower.program.definitions[place].definition {
            let of = self.meaning(atom)?;
            return Ok(match (literal.is_neg(), of.is_neg()) {
                (false, _) => self.not(of),
                (true, true) => of,
                (true, false) => {
                    let no = self.not(of);
                    self.named(no)
                }
            });
        }
        let meaning = self.meaning(literal.atom())?;
        Ok(if literal.is_neg() { self.not(meaning) } else { meaning })
    }

    /// The meaning of an atom that is not a negation.
    fn meaning(&mut self, atom: AtomId) -> Result<Literal, LowerError> {
        if let Some(&known) = self.teller.meanings.get(&atom) {
            return Ok(known);
        }
        let own = Literal::pos(atom);
        let Some(&place) = self.teller.places.get(&atom) else { return Ok(own) };
        let definition = self.lower.program.definitions[place].definition.clone();
        let meaning = match &definition {
            Definition::Negation(_) => {
                self.state(atom)?;
                own
            }
            Definition::Aggregate { function, guards, elements, recursive: false, .. } => {
                self.aggregate(*function, guards, elements)?
            }
            Definition::Conjunction { elements, recursive: false } => self.conjunction(elements)?,
            Definition::Aggregate { .. } | Definition::Conjunction { .. } => {
                self.late.push(Late::Definition(place));
                self.note(atom);
                own
            }
        };
        self.teller.meanings.insert(atom, meaning);
        Ok(meaning)
    }

    /// Gives an auxiliary atom its own rules, for rules that are lowered as for the solver.
    fn state(&mut self, atom: AtomId) -> Result<(), LowerError> {
        let Some(&place) = self.teller.places.get(&atom) else { return Ok(()) };
        if !self.teller.stated.insert(atom) {
            return Ok(());
        }
        if let Definition::Negation(of) = self.lower.program.definitions[place].definition {
            self.state(of)?;
            self.lower.define_negation(atom, of);
            return Ok(());
        }
        let meaning = self.meaning(atom)?;
        if meaning != Literal::pos(atom) {
            self.lower.rule(&[atom], &[meaning]);
        }
        Ok(())
    }

    /// A recursive definition; if that makes no difference, written like any other.
    fn late_definition(&mut self, place: usize) -> Result<(), LowerError> {
        let defined = self.lower.program.definitions[place].clone();
        self.lower.source = defined.source;
        match &defined.definition {
            Definition::Negation(_) => Ok(()),
            Definition::Aggregate { function, guards, elements, .. } => {
                if self.is_one_sided(*function, guards, elements) {
                    let meaning = self.aggregate(*function, guards, elements)?;
                    self.lower.rule(&[defined.atom], &[meaning]);
                    return Ok(());
                }
                for element in elements {
                    self.state_all(element.condition)?;
                }
                self.lower.aggregate(defined.atom, *function, guards, elements, true)
            }
            Definition::Conjunction { elements, recursive } => {
                for element in elements {
                    self.state_all(element.head)?;
                    self.state_all(element.condition)?;
                }
                self.lower.conjunction(defined.atom, elements, *recursive);
                Ok(())
            }
        }
    }

    fn state_all(&mut self, literals: Literals) -> Result<(), LowerError> {
        let literals = self.lower.program.literals(literals).to_vec();
        literals.iter().try_for_each(|l| self.state(l.atom()))
    }

    /// The new literals of the objective. A tuple that counted before counts once.
    fn objectives(&mut self) -> Result<BTreeMap<i64, Vec<(Literal, i64)>>, LowerError> {
        let new = since(&self.lower.program.minimize, self.teller.minimize).to_vec();
        let mut places: Map<Tuple, usize> = Map::default();
        let mut tuples: Vec<(Tuple, Vec<Vec<Literal>>)> = Vec::new();
        for element in new {
            let key = (element.weight, element.priority, self.lower.program.terms(element.tuple).to_vec());
            let place = *places.entry(key).or_insert_with_key(|key| {
                tuples.push((key.clone(), Vec::new()));
                tuples.len() - 1
            });
            tuples[place].1.push(self.lower.program.literals(element.condition).to_vec());
        }
        tuples.sort_by_key(|t| t.0.1);
        let mut levels: BTreeMap<i64, Vec<(Literal, i64)>> = BTreeMap::new();
        for (key, conditions) in tuples {
            let mut literal = self.any_of_all(conditions)?;
            let before = self.teller.tuples.get(&key).copied();
            let all = match before {
                Some(before) => self.any(vec![before, literal]),
                None => literal,
            };
            if let Some(before) = before {
                let not_before = self.not(before);
                literal = self.all(vec![literal, not_before]);
            }
            let (weight, priority) = (key.0, key.1);
            self.teller.tuples.insert(key, all);
            levels.entry(priority).or_default().push((literal, weight));
        }
        Ok(levels)
    }

    /// Says that an atom is numbered now.
    fn note(&mut self, atom: AtomId) {
        self.made.push((self.lower.program.rules.len(), atom));
    }

    /// A new atom.
    fn aux(&mut self) -> AtomId {
        let atom = self.lower.aux();
        self.note(atom);
        atom
    }

    /// A literal that always holds.
    fn truth(&mut self) -> Literal {
        if self.teller.never.is_none() {
            let never = self.teller.never(self.lower.program);
            self.note(never);
        }
        Literal::neg(self.teller.never(self.lower.program))
    }

    /// Whether a literal always or never holds.
    fn is_settled(&self, literal: Literal) -> bool {
        Some(literal.atom()) == self.teller.never
    }

    /// A literal for the negation of another; of a negated one, by an atom for it.
    fn not(&mut self, literal: Literal) -> Literal {
        if self.is_settled(literal) || !literal.is_neg() {
            return !literal;
        }
        self.named(literal)
    }

    /// `not` an atom for a negated literal: its double negation.
    fn named(&mut self, literal: Literal) -> Literal {
        let atom = self.aux();
        self.lower.rule(&[atom], &[literal]);
        Literal::neg(atom)
    }

    /// A literal for the conjunction of literals.
    fn all(&mut self, mut literals: Vec<Literal>) -> Literal {
        let never = self.teller.never;
        if literals.iter().any(|l| !l.is_neg() && Some(l.atom()) == never) {
            return !self.truth();
        }
        literals.retain(|l| Some(l.atom()) != never);
        literals.sort_unstable_by_key(|l| (l.atom(), l.is_neg()));
        literals.dedup();
        match literals[..] {
            [] => self.truth(),
            [literal] => literal,
            _ => {
                let atom = self.aux();
                self.lower.rule(&[atom], &literals);
                Literal::pos(atom)
            }
        }
    }

    /// A literal for the disjunction of literals.
    fn any(&mut self, mut literals: Vec<Literal>) -> Literal {
        let never = self.teller.never;
        if literals.iter().any(|l| l.is_neg() && Some(l.atom()) == never) {
            return self.truth();
        }
        literals.retain(|l| Some(l.atom()) != never);
        literals.sort_unstable_by_key(|l| (l.atom(), l.is_neg()));
        literals.dedup();
        match literals[..] {
            [] => !self.truth(),
            [literal] => literal,
            _ => {
                let atom = self.aux();
                literals.iter().for_each(|&l| self.lower.rule(&[atom], &[l]));
                Literal::pos(atom)
            }
        }
    }

    /// A literal for "one of the conditions holds".
    fn any_of_all(&mut self, conditions: Vec<Vec<Literal>>) -> Result<Literal, LowerError> {
        let mut literals = Vec::with_capacity(conditions.len());
        let always = conditions.iter().any(Vec::is_empty);
        for condition in conditions.into_iter().filter(|c| !always || c.is_empty()) {
            let condition = self.literals(&condition)?;
            literals.push(self.all(condition));
        }
        Ok(self.any_or_one(literals))
    }

    fn any_or_one(&mut self, literals: Vec<Literal>) -> Literal {
        match literals[..] {
            [one] => one,
            _ => self.any(literals),
        }
    }
}
