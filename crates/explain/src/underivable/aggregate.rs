//! What aggregates and conditional literals can be, whatever is chosen.
//!
//! Invariant: the value lies in what is told of it in any set of atoms between those that hold in any case and those that may hold.

use super::Search;
use super::rules::positive;
use crate::matching::{Binding, Value, Which, signature};
use asp_base::aggregate::Relation;
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};
use asp_syntax::ast::{
    AggregateFunction, BodyAggregateElement, BodyElement, BodyElementKind, ConditionalLiteral, Literal,
    LiteralKind, Sign, Term,
};
use std::collections::BTreeSet;

/// How many instances of conditions are looked at.
const MAX_INSTANCES: usize = 10_000;
/// How many values of a sum are looked at.
const MAX_SUMS: usize = 10_000;
/// How many values are told.
const MAX_VALUES: usize = 8;

/// Instances of a condition that may hold, and whether they hold in any case.
type Instances = Vec<(Binding, bool)>;

/// The tuples that may count, each with whether it does in any case.
type Tuples = Map<Vec<Sym>, bool>;

/// What an aggregate may come to, in order.
struct Values {
    name: &'static str,
    /// Those that are known: all, or the least and the greatest.
    known: Vec<Sym>,
    are_all: bool,
}

impl<'a> Search<'a, '_> {
    /// Why an element of a body cannot hold, if that is found.
    pub(super) fn aggregate_value(&mut self, element: &'a BodyElement, binding: &Binding) -> Option<String> {
        let (sign, guards, values) = match &element.kind {
            BodyElementKind::Aggregate { sign, function, guards, elements } => {
                let tuples = self.tuples(elements, binding)?;
                (*sign, guards, self.values_of(*function, tuples)?)
            }
            BodyElementKind::SetAggregate { sign, guards, elements } => {
                let tuples = self.atoms_of(elements, binding)?;
                (*sign, guards, self.values_of(AggregateFunction::Count, tuples)?)
            }
            BodyElementKind::Conditional(conditional) => return self.false_instance(conditional, binding),
            _ => return None,
        };
        let left = guards.left.iter().map(|(term, relation)| (relation.flip(), term));
        let guards = left.chain(guards.right.iter().map(|(relation, term)| (*relation, term)));
        let guards: Vec<(Relation, Option<Sym>)> =
            guards.map(|(relation, term)| (relation, self.known(term, binding))).collect();
        let guards: Option<Vec<(Relation, Sym)>> =
            guards.into_iter().map(|(relation, bound)| Some((relation, bound?))).collect();
        self.told_values(&values, guards.as_deref(), sign == Sign::Not)
    }

    /// The tuples of an aggregate.
    fn tuples(&mut self, elements: &'a [BodyAggregateElement], binding: &Binding) -> Option<Tuples> {
        let mut tuples = Tuples::default();
        for element in elements {
            for (own, is_certain) in self.all_instances(element.condition.iter().collect(), binding)? {
                *tuples.entry(self.all_values(&element.tuple, &own)?).or_insert(false) |= is_certain;
            }
        }
        Some(tuples)
    }

    /// The atoms that braces count, as tuples.
    fn atoms_of(&mut self, elements: &'a [ConditionalLiteral], binding: &Binding) -> Option<Tuples> {
        let mut tuples = Tuples::default();
        for element in elements {
            let LiteralKind::Atom(atom) = &element.literal.kind else { return None };
            let (signature, terms) = signature(atom)?;
            let condition = element.condition.iter().chain([&element.literal]).collect();
            for (own, is_certain) in self.all_instances(condition, binding)? {
                let args = self.all_values(terms, &own)?;
                let atom = self.matcher.symbols.fun(signature.name, &args, signature.negative);
                let is_negated = self.matcher.symbols.num(i64::from(element.literal.sign == Sign::Not));
                *tuples.entry(vec![is_negated, atom]).or_insert(false) |= is_certain;
            }
        }
        Some(tuples)
    }

    /// What a function may come to if each tuple that is not certain may count or not.
    fn values_of(&mut self, function: AggregateFunction, tuples: Tuples) -> Option<Values> {
        use AggregateFunction::*;
        let symbols = &mut self.matcher.symbols;
        let mut known: Vec<Sym> = Vec::new();
        let mut are_all = true;
        if matches!(function, Min | Max) {
            let weights = || tuples.iter().filter_map(|(tuple, certain)| Some((*tuple.first()?, *certain)));
            let order = |a: Sym, b: Sym| if function == Max { symbols.cmp(a, b) } else { symbols.cmp(b, a) };
            let certain = weights().filter(|(_, certain)| *certain).map(|(weight, _)| weight);
            let none = if function == Max { Sym::INF } else { Sym::SUP };
            let end = certain.max_by(|a, b| order(*a, *b)).unwrap_or(none);
            known.extend(weights().map(|(weight, _)| weight).filter(|w| order(*w, end).is_gt()).chain([end]));
        } else {
            let weight = |tuple: &[Sym]| match function {
                Count => 1,
                Sum => tuple.first().and_then(|&t| symbols.as_num(t)).unwrap_or(0),
                _ => tuple.first().and_then(|&t| symbols.as_num(t)).unwrap_or(0).max(0),
            };
            let (mut fixed, mut least, mut most) = (0i64, 0i64, 0i64);
            let mut sums: BTreeSet<i64> = BTreeSet::from([0]);
            for (tuple, is_certain) in &tuples {
                let weight = weight(tuple);
                match is_certain {
                    true => fixed = fixed.checked_add(weight)?,
                    false if weight < 0 => least = least.checked_add(weight)?,
                    false => most = most.checked_add(weight)?,
                }
                if !is_certain && are_all {
                    let more: Vec<i64> = sums.iter().filter_map(|sum| sum.checked_add(weight)).collect();
                    sums.extend(more);
                    are_all = sums.len() <= MAX_SUMS;
                }
            }
            let ends = [least, most];
            let sums: Vec<i64> = if are_all { sums.into_iter().collect() } else { ends.to_vec() };
            for sum in sums {
                known.push(symbols.num(fixed.checked_add(sum)?));
            }
        }
        known.sort_unstable_by(|a, b| symbols.cmp(*a, *b));
        known.dedup();
        let name = match function {
            Count => "count",
            Min => "minimum",
            Max => "maximum",
            _ => "sum",
        };
        Some(Values { name, known, are_all })
    }

    /// What keeps an aggregate from its bounds: its value, its least and greatest value if the bounds are beyond them, otherwise all
    /// values, or those beside the bounds.
    fn told_values(
        &mut self,
        Values { name, known, are_all }: &Values,
        guards: Option<&[(Relation, Sym)]>,
        is_negated: bool,
    ) -> Option<String> {
        let (&[least, ..], &[.., most]) = (&known[..], &known[..]) else { return None };
        let symbols = &mut self.matcher.symbols;
        let show = |symbols: &Symbols, value: Sym| match value {
            Sym::INF | Sym::SUP => format!("{} (if nothing counts)", symbols.display(value)),
            _ => symbols.display(value),
        };
        if least == most && *are_all {
            return Some(format!("the {name} is {}", show(symbols, least)));
        }
        let holds = |symbols: &Symbols, value: Sym| {
            let mut guards = guards.unwrap_or_default().iter();
            guards.all(|(relation, bound)| relation.holds(symbols.cmp(value, *bound))) != is_negated
        };
        let beyond = |(relation, bound): &(Relation, Sym)| match relation {
            Relation::Equal => symbols.cmp(*bound, least).is_lt() || symbols.cmp(*bound, most).is_gt(),
            Relation::NotEqual => false,
            // Where both ends fail, so does what is between.
            _ => [least, most].iter().all(|&end| !relation.holds(symbols.cmp(end, *bound))),
        };
        if !is_negated && guards.is_some_and(|guards| guards.iter().any(beyond)) {
            let (least, most) = (show(symbols, least), show(symbols, most));
            return Some(format!("in any case the {name} is from {least} to {most}"));
        }
        // Otherwise tuples do not count independently, which is not looked into.
        if !are_all || guards.is_some() && known.iter().any(|&value| holds(symbols, value)) {
            return None;
        }
        if known.len() <= MAX_VALUES {
            let mut values: Vec<String> = known.iter().map(|&value| show(symbols, value)).collect();
            let last = values.pop()?;
            return Some(format!("in any case the {name} is {} or {last}", values.join(", ")));
        }
        for (_, bound) in guards? {
            let near = symbols.as_num(*bound).map_or(vec![*bound], |number| {
                let near = [0, -1, 1].into_iter().filter_map(|by| number.checked_add(by));
                near.map(|number| symbols.num(number)).collect()
            });
            for value in near.into_iter().filter(|&value| holds(symbols, value)) {
                let below = known.iter().rfind(|&&v| symbols.cmp(v, value).is_lt());
                let above = known.iter().find(|&&v| symbols.cmp(v, value).is_gt());
                if let (Some(&below), Some(&above)) = (below, above) {
                    let (below, above) = (show(symbols, below), show(symbols, above));
                    return Some(format!("the {name} is never between {below} and {above}"));
                }
            }
        }
        None
    }

    fn known(&mut self, term: &Term, binding: &Binding) -> Option<Sym> {
        match self.matcher.value(term, binding) {
            Value::Known(value) => Some(value),
            _ => None,
        }
    }

    /// An instance of a conditional literal whose condition holds in any case, and whose literal cannot.
    fn false_instance(&mut self, conditional: &'a ConditionalLiteral, binding: &Binding) -> Option<String> {
        let LiteralKind::Atom(atom) = &conditional.literal.kind else { return None };
        let conditions = self.all_instances(conditional.condition.iter().collect(), binding)?;
        conditions.into_iter().filter(|(_, is_certain)| *is_certain).find_map(|(own, _)| {
            let instance = self.matcher.instance(&conditional.literal, &own);
            match conditional.literal.sign {
                Sign::None if self.matcher.is_among(atom, Which::Possible, &own) == Some(false) => {
                    Some(format!("no rule derives {instance}"))
                }
                Sign::Not if self.matcher.is_among(atom, Which::Certain, &own) == Some(true) => {
                    Some(format!("{} always holds", instance.strip_prefix("not ").unwrap_or(&instance)))
                }
                _ => None,
            }
        })
    }

    fn all_values(&mut self, terms: &[Term], binding: &Binding) -> Option<Vec<Sym>> {
        terms.iter().map(|term| self.known(term, binding)).collect()
    }

    /// All instances of a condition that may hold, if these are few and all of its terms are understood.
    fn all_instances(&mut self, condition: Vec<&'a Literal>, binding: &Binding) -> Option<Instances> {
        let mut found = Instances::new();
        self.find_instances(condition, binding.clone(), true, &mut found)?;
        Some(found)
    }

    fn find_instances(
        &mut self,
        mut open: Vec<&'a Literal>,
        mut binding: Binding,
        mut is_certain: bool,
        found: &mut Instances,
    ) -> Option<()> {
        // An equation may bind what others need.
        let mut before = usize::MAX;
        while before != binding.len() {
            before = binding.len();
            let mut left = Vec::with_capacity(open.len());
            for literal in open {
                let holds = match (&literal.kind, literal.sign) {
                    (LiteralKind::Comparison(first, rest), Sign::None) => {
                        self.matcher.compare(first, rest, &mut binding)
                    }
                    (LiteralKind::Atom(atom), Sign::Not) => {
                        let is_open = self.matcher.is_among(atom, Which::Possible, &binding);
                        let holds = self.matcher.is_among(atom, Which::Certain, &binding);
                        is_certain &= is_open != Some(true);
                        is_open.and(holds).map(|holds| !holds)
                    }
                    (LiteralKind::Atom(_), Sign::None) => None,
                    _ => return None,
                };
                match holds {
                    Some(false) => return Some(()),
                    Some(true) => {}
                    None => left.push(literal),
                }
            }
            open = left;
        }
        let Some(next) = open.iter().position(|literal| positive(literal).is_some()) else {
            if !open.is_empty() || found.len() >= MAX_INSTANCES {
                return None;
            }
            found.push((binding, is_certain));
            return Some(());
        };
        let atom = positive(open.remove(next))?;
        let matches = self.matcher.matches(atom, Which::Possible, &binding);
        if !matches.are_all {
            return None;
        }
        for binding in matches.bindings {
            let holds = self.matcher.is_among(atom, Which::Certain, &binding)?;
            self.find_instances(open.clone(), binding, is_certain && holds, found)?;
        }
        Some(())
    }
}
