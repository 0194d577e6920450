//! A ground program as a list of formulas that every answer set satisfies, each with its origin.
//!
//! These are its rules, the bounds of its aggregates, the definitions of auxiliary atoms, and the completion: an atom
//! that holds has a rule for it. Invariant: every answer set satisfies every item; the converse holds for tight
//! programs.

use super::formula::Formula;
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, Symbols};
use asp_program::defined::derived_since;
use asp_program::ground_program::{
    AggregateElement, ConditionalElement, Definition, ExternalValue, Function, Guard, HeadAggregate,
    HeadElement, Literals, Program,
};
use asp_program::lower::lower;
use asp_program::rule::{Body, Head};
use asp_program::{AtomId, Literal, RuleId, RuleSource};

/// The origin of an item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// A plain rule or an integrity constraint.
    Rule(RuleId),
    /// The bounds of a rule with an aggregate as its head, by index.
    Bounds(u32),
    /// A rule with a conditional disjunction as its head, by index.
    Disjunction(u32),
    /// The definition of an auxiliary atom, by index.
    Definition(u32),
    /// An `#edge`, by index: it must not lie on a cycle.
    Edge(u32),
    /// If the atom holds, there is a rule for it.
    Support(AtomId),
    /// The atom is a fact, or external with a fixed value.
    Given(AtomId),
}

/// A formula that every answer set satisfies.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Where it comes from.
    pub origin: Origin,
    pub formula: Formula,
}

/// The source statement of an item's ground instance.
pub(crate) fn source(program: &Program, origin: Origin) -> RuleSource {
    match origin {
        Origin::Rule(id) => program.rules.get(id).source,
        Origin::Bounds(i) => program.head_aggregates[i as usize].source,
        Origin::Disjunction(i) => program.disjunctions[i as usize].source,
        Origin::Definition(i) => program.definitions[i as usize].source,
        Origin::Edge(i) => program.edges[i as usize].source,
        Origin::Support(_) | Origin::Given(_) => RuleSource::NONE,
    }
}

/// The formula of a plain rule's body.
pub(crate) fn body(body: Body<'_>) -> Formula {
    match body {
        Body::Normal(literals) => Formula::all_of(literals),
        Body::Weight { bound, literals, weights } => Formula::Sum {
            terms: weights.iter().zip(literals).map(|(&w, &l)| (w, Formula::Literal(l))).collect(),
            bounds: vec![(asp_program::ground_program::Relation::GreaterEqual, bound)],
        },
    }
}

/// A way to derive an atom: a rule or choice whose body holds.
#[derive(Clone, Debug)]
pub(crate) struct Support {
    /// The rule: [`Origin::Rule`], [`Origin::Bounds`] or [`Origin::Disjunction`].
    pub origin: Origin,
    /// When it applies.
    pub body: Formula,
    /// The other atoms of its head: it is a reason for the atom if none of them holds.
    pub others: Vec<AtomId>,
    /// Whether the atom may be false although the body holds.
    pub choice: bool,
}

impl Support {
    /// When it is a reason for the atom.
    pub(crate) fn applies(&self) -> Formula {
        if self.others.is_empty() {
            return self.body.clone();
        }
        let others = self.others.iter().map(|&b| Formula::Literal(Literal::neg(b)));
        Formula::All(std::iter::once(self.body.clone()).chain(others).collect())
    }
}

/// A program's items, and the ways to derive its atoms.
#[derive(Clone, Debug)]
pub struct Items {
    /// All items.
    pub(crate) list: Vec<Item>,
    /// By atom: the ways to derive it.
    pub(crate) supports: Vec<Vec<Support>>,
    /// What auxiliary atoms stand for.
    pub(crate) meanings: Vec<(AtomId, Formula)>,
}

/// All items of a structured program. `given` are atoms whose choice represents a fact.
pub(crate) fn items(program: &Program, symbols: &Symbols, given: &Set<AtomId>) -> Items {
    let mut items = Vec::new();
    let mut supports: Vec<Vec<Support>> = vec![Vec::new(); program.atoms.len()];
    let mut support = |atom: AtomId, origin: Origin, body: Formula, others: Vec<AtomId>, choice: bool| {
        supports[atom.0 as usize].push(Support { origin, body, others, choice });
    };
    for (i, rule) in program.rules.iter().enumerate() {
        let origin = Origin::Rule(RuleId(i as u32));
        let body = body(rule.body);
        match rule.head {
            Head::Choice(atoms) => {
                atoms.iter().for_each(|&a| support(a, origin, body.clone(), Vec::new(), true))
            }
            Head::Disjunction(atoms) => {
                for a in atoms {
                    let others = atoms.iter().copied().filter(|b| b != a).collect();
                    support(*a, origin, body.clone(), others, false);
                }
                let mut parts = vec![body.negated()];
                parts.extend(atoms.iter().map(|&a| Formula::Literal(Literal::pos(a))));
                items.push(Item { origin, formula: Formula::Some(parts) });
            }
        }
    }
    for (i, rule) in program.head_aggregates.iter().enumerate() {
        let body = Formula::all_of(program.literals(rule.body));
        for element in &rule.elements {
            let Some(atom) = element.atom else { continue };
            if !is_ignored(rule, element, program, symbols) {
                let condition = Formula::all_of(program.literals(element.condition));
                let both = Formula::All(vec![body.clone(), condition]);
                support(atom, Origin::Bounds(i as u32), both, Vec::new(), true);
            }
        }
        if !rule.guards.is_empty() {
            let formula = Formula::Some(vec![body.negated(), bounds(rule, program, symbols)]);
            items.push(Item { origin: Origin::Bounds(i as u32), formula });
        }
    }
    for (i, rule) in program.disjunctions.iter().enumerate() {
        let body = Formula::all_of(program.literals(rule.body));
        let mut parts = vec![body.clone().negated()];
        for element in &rule.elements {
            let condition = Formula::all_of(program.literals(element.condition));
            let head = program.literals(element.head).iter().map(|&l| Formula::Literal(l)).collect();
            parts.push(Formula::All(vec![condition.clone(), Formula::Some(head)]));
            for l in program.literals(element.head).iter().filter(|l| !l.is_neg()) {
                let both = Formula::All(vec![body.clone(), condition.clone()]);
                support(l.atom(), Origin::Disjunction(i as u32), both, Vec::new(), false);
            }
        }
        items.push(Item { origin: Origin::Disjunction(i as u32), formula: Formula::Some(parts) });
    }
    let mut defined: Set<AtomId> = Set::default();
    let mut meanings: Vec<(AtomId, Formula)> = Vec::new();
    for (i, d) in program.definitions.iter().enumerate() {
        defined.insert(d.atom);
        let own = Literal::pos(d.atom);
        let meaning = definition(&d.definition, program, symbols);
        let origin = Origin::Definition(i as u32);
        meanings.push((d.atom, meaning.clone()));
        let (yes, no) = (Formula::Literal(own), Formula::Literal(!own));
        items.push(Item { origin, formula: Formula::Some(vec![no, meaning.clone()]) });
        items.push(Item { origin, formula: Formula::Some(vec![yes, meaning.negated()]) });
    }
    let mut external: Map<AtomId, ExternalValue> = Map::default();
    external.extend(program.externals.iter().copied());
    if !external.is_empty() {
        let derived = derived(program, symbols);
        external.keys().filter(|a| !derived.contains(*a)).for_each(|a| supports[a.0 as usize].clear());
    }
    let theory: Set<AtomId> = program.theory.atoms.iter().filter_map(|a| a.atom).collect();
    for (atom, supports) in program.atoms.ids().zip(&supports) {
        if given.contains(&atom) {
            continue;
        }
        if supports.is_empty() {
            let value = match external.get(&atom) {
                Some(ExternalValue::True) => true,
                Some(ExternalValue::False | ExternalValue::Release) => false,
                Some(ExternalValue::Free) => continue,
                None if defined.contains(&atom) || theory.contains(&atom) => continue,
                None => {
                    let formula = Formula::Literal(Literal::neg(atom));
                    items.push(Item { origin: Origin::Support(atom), formula });
                    continue;
                }
            };
            let formula = Formula::Literal(Literal::new(atom, !value));
            items.push(Item { origin: Origin::Given(atom), formula });
        } else {
            let alternatives = supports.iter().map(Support::applies).collect();
            let formula =
                Formula::Some(vec![Formula::Literal(Literal::neg(atom)), Formula::Some(alternatives)]);
            items.push(Item { origin: Origin::Support(atom), formula });
        }
    }
    Items { list: items, supports, meanings }
}

/// The atoms that solving takes for derived: an atom of which all rules need it first stays external.
fn derived(program: &Program, symbols: &Symbols) -> Set<AtomId> {
    let mut lowered = program.clone();
    lowered.shows.clear();
    lowered.minimize.clear();
    lowered.objectives.clear();
    // Sums that are too great are an error of each question to the solver.
    let _ = lower(&mut lowered, symbols);
    derived_since(&lowered, 0).collect()
}

/// Whether an element neither derives nor counts because the aggregate ignores its tuple.
pub(crate) fn is_ignored(
    rule: &HeadAggregate,
    element: &HeadElement,
    program: &Program,
    symbols: &Symbols,
) -> bool {
    let first = program.terms(element.tuple).first().copied();
    !rule.guards.is_empty() && rule.function.ignores(first, symbols)
}

/// The formula that the guards of a head aggregate hold.
pub(crate) fn bounds(rule: &HeadAggregate, program: &Program, symbols: &Symbols) -> Formula {
    let conditions = rule.elements.iter().map(|e| {
        let mut parts: Vec<Literal> = program.literals(e.condition).to_vec();
        parts.extend(e.atom.map(Literal::pos));
        (program.terms(e.tuple), Formula::all_of(&parts))
    });
    aggregate(rule.function, &rule.guards, conditions, symbols)
}

/// What an auxiliary atom stands for.
pub(crate) fn definition(definition: &Definition, program: &Program, symbols: &Symbols) -> Formula {
    let all_of = |literals: Literals| Formula::all_of(program.literals(literals));
    match definition {
        Definition::Negation(atom) => Formula::Literal(Literal::neg(*atom)),
        Definition::Conjunction { elements, .. } => {
            let implication = |e: &ConditionalElement| {
                let mut parts = vec![all_of(e.condition).negated()];
                parts.extend(program.literals(e.head).iter().map(|&l| Formula::Literal(l)));
                Formula::Some(parts)
            };
            // `a : a` says nothing, not even that `a` is looked at before.
            let says_something = |e: &&ConditionalElement| {
                let (head, condition) = (program.literals(e.head), program.literals(e.condition));
                !head.iter().any(|l| condition.contains(l))
            };
            Formula::All(elements.iter().filter(says_something).map(implication).collect())
        }
        Definition::Aggregate { function, guards, elements, .. } => {
            let conditions =
                elements.iter().map(|e: &AggregateElement| (program.terms(e.tuple), all_of(e.condition)));
            aggregate(*function, guards, conditions, symbols)
        }
    }
}

/// The formula that the guards of an aggregate hold; a tuple counts if one of its conditions holds.
fn aggregate<'t>(
    function: Function,
    guards: &[Guard],
    elements: impl Iterator<Item = (&'t [Sym], Formula)>,
    symbols: &Symbols,
) -> Formula {
    let mut places: Map<&[Sym], usize> = Map::default();
    let mut tuples: Vec<(Option<Sym>, Vec<Formula>)> = Vec::new();
    for (tuple, condition) in elements {
        let place = *places.entry(tuple).or_insert_with(|| {
            tuples.push((tuple.first().copied(), Vec::new()));
            tuples.len() - 1
        });
        tuples[place].1.push(condition);
    }
    let counts = tuples.into_iter().map(|(first, mut conditions)| {
        let single = conditions.len() == 1;
        (first, if single { conditions.remove(0) } else { Formula::Some(conditions) })
    });
    if matches!(function, Function::Min | Function::Max) {
        let terms = counts.filter_map(|(first, f)| Some((first?, f))).collect();
        return Formula::Extreme { function, terms, guards: guards.to_vec() };
    }
    let weight = |first: Option<Sym>| match function {
        Function::Count => 1,
        Function::SumPlus => first.and_then(|t| symbols.as_num(t)).unwrap_or(0).max(0),
        _ => first.and_then(|t| symbols.as_num(t)).unwrap_or(0),
    };
    let terms = counts.map(|(first, f)| (weight(first), f)).filter(|t| t.0 != 0).collect();
    // All numbers are on the same side of a term that is not a number.
    let (mut bounds, mut fixed) = (Vec::new(), true);
    for guard in guards {
        match symbols.as_num(guard.term) {
            Some(n) => bounds.push((guard.relation, n)),
            None => {
                let zero = Sym::small(0).unwrap_or(Sym::INF);
                fixed &= guard.relation.holds(symbols.cmp(zero, guard.term));
            }
        }
    }
    if fixed { Formula::Sum { terms, bounds } } else { Formula::Some(Vec::new()) }
}
