//! What aggregates and conditional literals can be, whatever is chosen.
//!
//! Invariant: the value lies in what is told of it in any set of atoms between those that hold in any case and those that may hold.

use super::Search;
use super::rules::positive;
use crate::matching::{Binding, Value, Which, signature};
use asp_base::map::Map;
use asp_base::symbol::Sym;
use asp_syntax::ast::{
    AggregateFunction, BodyElement, BodyElementKind, ConditionalLiteral, Literal, LiteralKind, Sign, Term,
};

/// How many instances of conditions are looked at.
const MAX_INSTANCES: usize = 10_000;

/// Instances of a condition that may hold, and whether they hold in any case.
type Instances = Vec<(Binding, bool)>;

impl<'a> Search<'a, '_> {
    /// Why an element of a body cannot hold, if that is found.
    pub(super) fn aggregate_value(&mut self, element: &'a BodyElement, binding: &Binding) -> Option<String> {
        let mut weights: Map<Vec<Sym>, (i64, bool)> = Map::default();
        let name = match &element.kind {
            BodyElementKind::Aggregate { function, elements, .. } => {
                let (name, is_positive) = match function {
                    AggregateFunction::Count => ("count", false),
                    AggregateFunction::Sum => ("sum", false),
                    AggregateFunction::SumPlus => ("sum", true),
                    _ => return None,
                };
                for element in elements {
                    for (own, is_certain) in
                        self.all_instances(element.condition.iter().collect(), binding)?
                    {
                        let tuple = self.all_values(&element.tuple, &own)?;
                        let weight = match name {
                            "count" => 1,
                            _ => tuple.first().and_then(|&t| self.matcher.symbols.as_num(t)).unwrap_or(0),
                        };
                        let weight = if is_positive { weight.max(0) } else { weight };
                        weights.entry(tuple).or_insert((weight, false)).1 |= is_certain;
                    }
                }
                name
            }
            BodyElementKind::SetAggregate { elements, .. } => {
                for element in elements {
                    let LiteralKind::Atom(atom) = &element.literal.kind else { return None };
                    let (signature, terms) = signature(atom)?;
                    let condition = element.condition.iter().chain([&element.literal]).collect();
                    for (own, is_certain) in self.all_instances(condition, binding)? {
                        let args = self.all_values(terms, &own)?;
                        let atom = self.matcher.symbols.fun(signature.name, &args, signature.negative);
                        let is_negated =
                            self.matcher.symbols.num(i64::from(element.literal.sign == Sign::Not));
                        weights.entry(vec![is_negated, atom]).or_insert((1, false)).1 |= is_certain;
                    }
                }
                "count"
            }
            BodyElementKind::Conditional(conditional) => return self.false_instance(conditional, binding),
            _ => return None,
        };
        let (mut least, mut most) = (0i64, 0i64);
        for &(weight, is_certain) in weights.values() {
            if is_certain || weight < 0 {
                least = least.checked_add(weight)?;
            }
            if is_certain || weight > 0 {
                most = most.checked_add(weight)?;
            }
        }
        Some(match least == most {
            true => format!("the {name} is {least}"),
            false => format!("the {name} is from {least} to {most}"),
        })
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
        let value = |term| match self.matcher.value(term, binding) {
            Value::Known(value) => Some(value),
            _ => None,
        };
        terms.iter().map(value).collect()
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
