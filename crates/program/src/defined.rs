//! Which atoms are defined by rules: `#external` does not apply to these.
//!
//! Invariant: a rule that is left out here never supports the atom in an answer set. As in clasp, a rule is judged by the facts
//! before it, a disjunction by all facts of its step, so that no later fact changes the judgement.

use std::ops::Range;

use super::atom_table::{AtomId, Literal};
use super::ground_program::{Definition, Program};
use super::rule::{Body, Head, RuleId, RuleRef};
use asp_base::index_vec::Idx as _;
use asp_base::map::{Map, Set};
use std::borrow::Cow;

/// The atoms that the rules from a number on may derive: not those that the rule's body needs, no atoms of a disjunction
/// with an atom in its body or next to a fact, and none if the body contradicts itself or a fact. A theory atom has every
/// rule with it in the head.
pub fn derived_since(program: &Program, from: usize) -> impl Iterator<Item = AtomId> + '_ {
    derived_in(program, from..program.rules.len()).map(|(_, atom)| atom)
}

/// The same of a range of rules, each atom with the rule.
pub fn derived_in(program: &Program, range: Range<usize>) -> impl Iterator<Item = (RuleId, AtomId)> + '_ {
    let (facts, same) = (plain_facts(program), same_as_a_literal(program));
    let ends = &program.lowered.ends;
    let theory: Set<AtomId> = program.theory.atoms.iter().filter_map(|a| a.atom).collect();
    range.flat_map(move |number| {
        let id = RuleId::from_usize(number);
        let rule = program.rules.get(id);
        let end = ends.get(ends.partition_point(|&end| end <= number));
        let atoms = derived(number, end.copied().unwrap_or(number), &rule, &facts, &same);
        let own = rule.head.atoms().iter().copied().filter(|a| theory.contains(a));
        atoms.chain(own).map(|atom| (id, atom)).collect::<Vec<_>>()
    })
}

fn derived<'a>(
    number: usize,
    end: usize,
    rule: &RuleRef<'a>,
    facts: &Map<AtomId, usize>,
    same: &Map<AtomId, Literal>,
) -> impl Iterator<Item = AtomId> + use<'a> {
    let normal = match rule.body {
        Body::Normal(own) if own.iter().any(|l| !l.is_neg() && same.contains_key(&l.atom())) => {
            let meant = |l: &Literal| same.get(&l.atom()).copied().filter(|_| !l.is_neg()).unwrap_or(*l);
            Cow::Owned(own.iter().map(meant).collect::<Vec<_>>())
        }
        Body::Normal(own) => Cow::Borrowed(own),
        Body::Weight { .. } => Cow::default(),
    };
    let before = |a: &AtomId, number: usize| facts.get(a).is_some_and(|&fact| fact < number);
    let denied = |l: &Literal| l.is_neg() && before(&l.atom(), number);
    let contradicts = match rule.body {
        // Long bodies are not searched for contradictions: it does not pay.
        Body::Normal(_) => {
            let own = &normal;
            own.len() < 64 && own.iter().any(|l| l.is_neg() && own.contains(&Literal::pos(l.atom())))
                || !facts.is_empty() && own.iter().any(denied)
        }
        Body::Weight { bound, literals, weights } => {
            let left = literals.iter().zip(weights).filter(|(l, _)| !denied(l));
            left.map(|(_, &w)| i128::from(w)).sum::<i128>() < i128::from(bound)
        }
    };
    let needs = |h: AtomId| normal.contains(&Literal::pos(h));
    let heads = match rule.head {
        _ if contradicts => &[],
        Head::Disjunction(heads) if heads.iter().any(|&h| needs(h)) => &[],
        Head::Disjunction(heads) if !is_one(heads) && heads.iter().any(|a| before(a, end)) => &[],
        Head::Disjunction(heads) | Head::Choice(heads) => heads,
    };
    heads.iter().copied().filter(move |&h| !normal.iter().any(|l| l.atom() == h))
}

/// The atoms that are facts among the rules, each with the number of the first such rule; only if there are external atoms,
/// since nothing else uses it.
fn plain_facts(program: &Program) -> Map<AtomId, usize> {
    let mut facts = Map::default();
    if program.externals.is_empty() {
        return facts;
    }
    for (number, rule) in program.rules.iter().enumerate() {
        if let (Head::Disjunction(heads @ [a, ..]), Body::Normal([])) = (rule.head, rule.body)
            && is_one(heads)
        {
            facts.entry(*a).or_insert(number);
        }
    }
    facts
}

/// The atoms of aggregates equivalent to a single literal, with the literal, by which clasp replaces them.
fn same_as_a_literal(program: &Program) -> Map<AtomId, Literal> {
    let mut same: Map<AtomId, Literal> = Map::default();
    if program.externals.is_empty() {
        return same;
    }
    let is_plain = |d: &Definition| match d {
        Definition::Aggregate { recursive: false, elements, .. } => {
            elements.windows(2).all(|pair| program.terms(pair[0].tuple) == program.terms(pair[1].tuple))
        }
        _ => false,
    };
    let plain: Set<AtomId> =
        program.definitions.iter().filter(|d| is_plain(&d.definition)).map(|d| d.atom).collect();
    let mut more: Set<AtomId> = Set::default();
    for rule in program.rules.iter() {
        let [atom] = rule.head.atoms() else { continue };
        if plain.contains(atom) {
            match rule.body {
                Body::Normal(&[literal]) if !more.contains(atom) && !same.contains_key(atom) => {
                    same.insert(*atom, literal);
                }
                _ => {
                    same.remove(atom);
                    more.insert(*atom);
                }
            }
        }
    }
    same
}

/// Whether all are the same atom.
fn is_one(heads: &[AtomId]) -> bool {
    heads.windows(2).all(|pair| pair[0] == pair[1])
}

/// Drops the values of externals that a disjunction before them in the step defines, even if a fact after them
/// satisfies it. `from` are the first external and the first rule of the step, `read` the number of rules before each
/// external.
pub(crate) fn drop_defined(program: &mut Program, from: (usize, usize), read: &[usize]) {
    let (facts, same) = (plain_facts(program), same_as_a_literal(program));
    let mut wide: Map<AtomId, Vec<usize>> = Map::default();
    if !read.is_empty() {
        for (number, rule) in program.rules.iter().enumerate().skip(from.1) {
            if let Head::Disjunction(heads @ [_, _, ..]) = rule.head {
                heads.iter().for_each(|&h| wide.entry(h).or_default().push(number));
            }
        }
    }
    let rules = &program.rules;
    let mut ends = read.iter();
    program.externals.retain_from(from.0, |atom| {
        let end = ends.next().copied().unwrap_or_default();
        let before = wide.get(&atom).into_iter().flatten().copied().filter(|&number| number < end);
        let derives = |number: usize| {
            let rule = rules.get(RuleId::from_usize(number));
            derived(number, end, &rule, &facts, &same).any(|h| h == atom)
        };
        !before.into_iter().any(derives)
    });
}

/// Drops the tuples of the objective, from an index on, that need an atom whose rules all contradict facts: an objective
/// without tuples is not reported.
pub fn drop_dead_tuples(program: &mut Program, from: usize) {
    let bodiless =
        |rule: &RuleRef<'_>| matches!((rule.head, rule.body), (Head::Disjunction([_]), Body::Normal([])));
    let facts: Set<AtomId> =
        program.rules.iter().filter(bodiless).flat_map(|rule| rule.head.atoms().iter().copied()).collect();
    let mut dead: Set<AtomId> = Set::default();
    let mut alive: Set<AtomId> = Set::default();
    for rule in program.rules.iter() {
        let denied = rule.body.literals().iter().any(|l| l.is_neg() && facts.contains(&l.atom()));
        if denied && matches!(rule.body, Body::Normal(_)) { &mut dead } else { &mut alive }
            .extend(rule.head.atoms());
    }
    alive.extend(program.head_aggregates.iter().flat_map(|h| &h.elements).filter_map(|e| e.atom));
    for e in program.disjunctions.iter().flat_map(|d| &d.elements) {
        alive.extend(program.literals(e.head).iter().map(|l| l.atom()));
    }
    let is_dead = |l: &Literal| !l.is_neg() && dead.contains(&l.atom()) && !alive.contains(&l.atom());
    let new = program.minimize.split_off(from);
    let left =
        new.into_iter().filter(|e| !program.literals(e.condition).iter().any(is_dead)).collect::<Vec<_>>();
    program.minimize.extend(left);
}
