//! Truth of every construct of the ground program in a pair of worlds, by the definitions.
//!
//! The pair is (here, there) of the logic of here-and-there: `there` is the candidate answer set, `here` a subset of it
//! that might satisfy the reduct; a negated literal is evaluated there. Values may be unknown (Kleene's three values):
//! what is known for a partial world holds for each of its completions. Nothing is shared with lowering or solving, so
//! that these can be tested against it. Source: Harrison, Lifschitz, Yang, *The Semantics of Gringo and Infinitary
//! Propositional Formulas*, 2014; Ferraris, *Logic Programs with Propositional Connectives and Aggregates*, 2011.

use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};
use asp_program::ground_program::{
    AggregateElement, ConditionalElement, Definition, Disjunction, Function, Guard, HeadAggregate,
    HeadElement, Literals, Program,
};
use asp_program::rule::{Body, Head, RuleRef};
use asp_program::{AtomId, Literal};

/// True, false or unknown.
pub(crate) type Truth = Option<bool>;

/// Conjunction of three-valued truths.
pub(crate) fn all(truths: impl IntoIterator<Item = Truth>) -> Truth {
    let mut result = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            None => result = None,
            Some(true) => {}
        }
    }
    result
}

/// Negation.
pub(crate) fn not(truth: Truth) -> Truth {
    truth.map(|t| !t)
}

/// Disjunction.
pub(crate) fn any(truths: impl IntoIterator<Item = Truth>) -> Truth {
    not(all(truths.into_iter().map(not)))
}

/// A program in a pair of worlds; both are indexed by atom.
#[derive(Clone, Copy)]
pub(crate) struct Worlds<'a> {
    pub(crate) program: &'a Program,
    /// The symbols of its terms.
    pub(crate) symbols: &'a Symbols,
    /// The world of positive literals.
    pub(crate) here: &'a [Truth],
    /// The world of negated literals.
    pub(crate) there: &'a [Truth],
}

impl<'a> Worlds<'a> {
    /// The pair (there, there): plain truth.
    pub(crate) fn classical(self) -> Self {
        Self { here: self.there, ..self }
    }
    fn atom(self, atom: AtomId) -> Truth {
        self.here[atom.0 as usize]
    }
    fn atom_there(self, atom: AtomId) -> Truth {
        self.there[atom.0 as usize]
    }
    pub(crate) fn literal(self, literal: Literal) -> Truth {
        if literal.is_neg() { not(self.atom_there(literal.atom())) } else { self.atom(literal.atom()) }
    }
    pub(crate) fn conjunction(self, literals: Literals) -> Truth {
        all(self.program.literals(literals).iter().map(|&l| self.literal(l)))
    }
    /// Truth of a plain rule's body.
    pub(crate) fn body(self, body: Body<'_>) -> Truth {
        match body {
            Body::Normal(literals) => all(literals.iter().map(|&l| self.literal(l))),
            Body::Weight { bound, literals, weights } => {
                let (mut least, mut greatest) = (0i128, 0i128);
                for (&literal, &weight) in literals.iter().zip(weights) {
                    let truth = self.literal(literal);
                    least += if truth == Some(true) { weight.into() } else { 0 };
                    greatest += if truth == Some(false) { 0 } else { weight.into() };
                }
                let bound = bound.into();
                if least >= bound {
                    Some(true)
                } else if greatest < bound {
                    Some(false)
                } else {
                    None
                }
            }
        }
    }
    /// Whether a choice satisfies the atom's part of the reduct: it is false there, or true here.
    fn chosen(self, atom: AtomId) -> Truth {
        any([not(self.atom_there(atom)), self.atom(atom)])
    }
    /// Truth of a plain rule.
    pub(crate) fn rule(self, rule: RuleRef<'_>) -> Truth {
        let head = match rule.head {
            Head::Disjunction(atoms) => any(atoms.iter().map(|&a| self.atom(a))),
            Head::Choice(atoms) => all(atoms.iter().map(|&a| self.chosen(a))),
        };
        any([not(self.body(rule.body)), head])
    }
    /// Whether an element derives nothing because the aggregate ignores its tuple.
    pub(crate) fn is_ignored(self, rule: &HeadAggregate, element: &HeadElement) -> bool {
        let first = self.program.terms(element.tuple).first().copied();
        !rule.guards.is_empty() && rule.function.ignores(first, self.symbols)
    }
    pub(crate) fn head_aggregate(self, rule: &HeadAggregate) -> Truth {
        let choices = rule.elements.iter().filter_map(|e| {
            if self.is_ignored(rule, e) {
                return None;
            }
            let chosen = self.chosen(e.atom?);
            Some(any([not(self.conjunction(e.condition)), chosen]))
        });
        let there = self.classical();
        let guards = || {
            let counts = rule.elements.iter().map(|e| {
                let atom = e.atom.map_or(Some(true), |a| there.atom(a));
                (self.program.terms(e.tuple), all([there.conjunction(e.condition), atom]))
            });
            self.guards(rule.function, &rule.guards, counts)
        };
        any([not(self.conjunction(rule.body)), all([all(choices), guards()])])
    }
    /// Truth of a disjunct `literal : condition` of a head.
    pub(crate) fn disjunct(self, literal: Literal, condition: Literals) -> Truth {
        let (there, implied) = (self.classical(), not(self.conjunction(condition)));
        let possible = all([there.conjunction(condition), there.literal(literal)]);
        all([possible, any([implied, self.literal(literal)])])
    }
    /// Truth of a rule with a conditional disjunction.
    pub(crate) fn disjunction(self, rule: &Disjunction) -> Truth {
        let disjuncts = rule
            .elements
            .iter()
            .map(|e| any(self.program.literals(e.head).iter().map(|&l| self.disjunct(l, e.condition))));
        any([not(self.conjunction(rule.body)), any(disjuncts)])
    }
    /// Truth of what an auxiliary atom stands for.
    pub(crate) fn definition(self, definition: &Definition) -> Truth {
        // An implication or an aggregate must hold there too.
        all([self.definition_here(definition), self.classical().definition_here(definition)])
    }
    fn definition_here(self, definition: &Definition) -> Truth {
        match definition {
            Definition::Negation(atom) => not(self.atom_there(*atom)),
            Definition::Conjunction { elements, .. } => all(elements.iter().map(|e: &ConditionalElement| {
                let head = any(self.program.literals(e.head).iter().map(|&l| self.literal(l)));
                any([not(self.conjunction(e.condition)), head])
            })),
            Definition::Aggregate { function, guards, elements, .. } => {
                let counts = elements
                    .iter()
                    .map(|e: &AggregateElement| (self.program.terms(e.tuple), self.conjunction(e.condition)));
                self.guards(*function, guards, counts)
            }
        }
    }
    /// Whether all guards hold for the value of an aggregate with these tuples.
    fn guards<'t>(
        self,
        function: Function,
        guards: &[Guard],
        elements: impl Iterator<Item = (&'t [Sym], Truth)>,
    ) -> Truth {
        let mut tuples: Map<&[Sym], Truth> = Map::default();
        for (tuple, truth) in elements {
            let entry = tuples.entry(tuple).or_insert(Some(false));
            *entry = any([*entry, truth]);
        }
        let integer = |t: &[Sym]| t.first().and_then(|&t| self.symbols.as_num(t));
        let (mut least, mut greatest) = (0i128, 0i128);
        let start = if function == Function::Min { Sym::SUP } else { Sym::INF };
        let (mut low, mut high) = (start, start);
        for (tuple, truth) in tuples {
            let weight = match function {
                Function::Count => 1,
                Function::Sum => integer(tuple).unwrap_or(0),
                Function::SumPlus => integer(tuple).unwrap_or(0).max(0),
                Function::Min | Function::Max => {
                    let Some(&value) = tuple.first() else { continue };
                    let better = |old: Sym| {
                        let order = self.symbols.cmp(value, old);
                        let better = if function == Function::Min { order.is_lt() } else { order.is_gt() };
                        if better { value } else { old }
                    };
                    // `low` is the value of the tuples that certainly count, `high` of those that may count.
                    low = if truth == Some(true) { better(low) } else { low };
                    high = if truth == Some(false) { high } else { better(high) };
                    continue;
                }
            };
            let weight = i128::from(weight);
            if truth == Some(true) || truth.is_none() && weight < 0 {
                least += weight;
            }
            if truth == Some(true) || truth.is_none() && weight > 0 {
                greatest += weight;
            }
        }
        all(guards.iter().map(|guard| match function {
            Function::Min | Function::Max => {
                let (a, b) = if function == Function::Min { (high, low) } else { (low, high) };
                let (a, b) = (self.symbols.cmp(a, guard.term), self.symbols.cmp(b, guard.term));
                guard.relation.between(a, b)
            }
            _ => {
                let order = |n: i128| match self.symbols.as_num(guard.term) {
                    Some(bound) => n.cmp(&i128::from(bound)),
                    None => self.symbols.cmp(Sym::small(0).unwrap_or(Sym::INF), guard.term),
                };
                guard.relation.between(order(least), order(greatest))
            }
        }))
    }
}

/// Sets the auxiliary atoms that have not been lowered by their definitions. Negations come first, as the others may
/// use them.
pub(crate) fn fill(program: &Program, symbols: &Symbols, here: &mut [Truth], there: &[Truth]) {
    let definitions = program.definitions_to_lower();
    for negations in [true, false] {
        for defined in definitions {
            if matches!(defined.definition, Definition::Negation(_)) == negations {
                let truth = Worlds { program, symbols, here, there }.definition(&defined.definition);
                here[defined.atom.0 as usize] = truth;
            }
        }
    }
}

/// The same for a single world, in which negations of auxiliary atoms have to wait for those atoms.
pub(crate) fn fill_classical(program: &Program, symbols: &Symbols, world: &mut [Truth]) {
    let definitions = program.definitions_to_lower();
    for _ in definitions {
        let mut changed = false;
        for defined in definitions {
            let worlds = Worlds { program, symbols, here: world, there: world };
            let truth = worlds.definition(&defined.definition);
            changed |= world[defined.atom.0 as usize] != truth;
            world[defined.atom.0 as usize] = truth;
        }
        if !changed {
            break;
        }
    }
}
