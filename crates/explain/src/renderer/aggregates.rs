//! Aggregates as text, and their bounds in words.
//!
//! Invariant: a bound that does not hold is said by the opposite one, and what the facts decide is left out of elements.

use super::{Renderer, list};
use crate::inquiry::Inquiry;
use asp_base::map::{Map, Set};
use asp_base::symbol::Sym;
use asp_program::ground_program::{Definition, Function, Guard, Literals, Relation};
use asp_program::rule::{Body, Head};
use asp_program::{AtomId, Literal};

impl Renderer<'_> {
    /// That an aggregate with one bound does not hold, said by the opposite bound.
    pub(super) fn opposite(&self, atom: AtomId, depth: u32) -> Option<String> {
        let program = self.inquiry.program();
        if depth == 0 || program.atoms.get(atom).is_some() || self.inquiry.sayings.contains_key(&atom) {
            return None;
        }
        let definition = &program.definitions[*self.definitions.get(&atom)?].definition;
        let Definition::Aggregate { guards, .. } = definition else { return None };
        let [Guard { relation, term }] = guards[..] else { return None };
        let guard = Guard { relation: relation.negate(), term };
        Some(self.aggregate_of(definition, &[guard], depth - 1))
    }

    /// An atom; an aggregate with what it comes to in an answer set.
    pub(crate) fn atom_in(&self, atom: AtomId, model: &[bool]) -> String {
        let value = self.aggregate_in(atom, model).map(|value| format!(" ({value})"));
        self.atom(atom) + &value.unwrap_or_default()
    }

    /// What an aggregate comes to in an answer set: `the count is 3`.
    fn aggregate_in(&self, atom: AtomId, model: &[bool]) -> Option<String> {
        let program = self.inquiry.program();
        let definition = &program.definitions[*self.definitions.get(&atom)?].definition;
        let Definition::Aggregate { function, elements, .. } = definition else { return None };
        let holds = |l: &Literal| model.get(l.atom().0 as usize).is_some_and(|&held| held != l.is_neg());
        let counted: Set<&[Sym]> = elements
            .iter()
            .filter(|e| program.literals(e.condition).iter().all(holds))
            .map(|e| program.terms(e.tuple))
            .collect();
        let symbols = self.inquiry.symbols();
        let weight = |tuple: &&[Sym]| symbols.as_num(*tuple.first()?);
        let terms = || counted.iter().filter_map(|tuple| tuple.first().copied());
        let weights = || counted.iter().filter_map(weight).map(i128::from);
        Some(match function {
            Function::Count => format!("the count is {}", counted.len()),
            Function::Sum => format!("the sum is {}", weights().sum::<i128>()),
            Function::SumPlus => format!("the sum is {}", weights().filter(|&w| w > 0).sum::<i128>()),
            Function::Min => {
                let least = terms().min_by(|a, b| symbols.cmp(*a, *b));
                least.map_or("nothing counts".into(), |least| {
                    format!("the minimum is {}", symbols.display(least))
                })
            }
            Function::Max => {
                let most = terms().max_by(|a, b| symbols.cmp(*a, *b));
                most.map_or("nothing counts".into(), |most| {
                    format!("the maximum is {}", symbols.display(most))
                })
            }
        })
    }

    /// An aggregate with these bounds.
    pub(super) fn aggregate_of(&self, definition: &Definition, guards: &[Guard], depth: u32) -> String {
        let Definition::Aggregate { function, set, elements, .. } = definition else { return String::new() };
        let program = self.inquiry.program();
        let certain = self.certain.get_or_init(|| derived_by_facts(self.inquiry));
        let mut told: Set<(&[Sym], Vec<Literal>)> = Set::default();
        let mut open = Vec::new();
        for e in elements.iter().filter(|e| !self.never_holds(e.condition)) {
            let mut literals = program.literals(e.condition).to_vec();
            let is_open = |l: &Literal| l.is_neg() || !certain.contains(&l.atom());
            if literals.iter().any(is_open) {
                literals.retain(is_open);
            }
            // Without what the facts decide, several may be equal.
            if told.insert((program.terms(e.tuple), literals.clone())) {
                open.push((program.terms(e.tuple), literals));
            }
        }
        let parts = open.iter().map(|(tuple, literals)| {
            let condition: Vec<String> = self.literals(literals, depth).collect();
            self.element(*set, tuple, condition.join(", "))
        });
        self.aggregate(*function, *set, guards, parts)
    }

    /// Whether a condition has the negation of what the facts derive.
    pub(super) fn never_holds(&self, condition: Literals) -> bool {
        let certain = self.certain.get_or_init(|| derived_by_facts(self.inquiry));
        let literals = self.inquiry.program().literals(condition);
        literals.iter().any(|l| l.is_neg() && certain.contains(&l.atom()))
    }

    pub(super) fn element(&self, set: bool, tuple: &[Sym], condition: String) -> String {
        // A literal in braces: its sign and its atom.
        if set && let &[sign, atom] = tuple {
            let atom = self.inquiry.symbols().display(atom);
            match self.inquiry.symbols().as_num(sign) {
                Some(0) if condition.is_empty() => return atom,
                Some(1) if condition.is_empty() => return format!("not {atom}"),
                Some(2) if condition.is_empty() || condition == atom => return format!("not not {atom}"),
                _ => {}
            }
        }
        if set && !condition.is_empty() {
            return condition;
        }
        let terms: Vec<String> = tuple.iter().map(|&t| self.inquiry.symbols().display(t)).collect();
        if condition.is_empty() { terms.join(",") } else { format!("{}: {condition}", terms.join(",")) }
    }

    pub(super) fn aggregate(
        &self,
        function: Function,
        set: bool,
        guards: &[Guard],
        parts: impl ExactSizeIterator<Item = String>,
    ) -> String {
        let name = match function {
            _ if set => "",
            Function::Count => "#count ",
            Function::Sum => "#sum ",
            Function::SumPlus => "#sum+ ",
            Function::Min => "#min ",
            Function::Max => "#max ",
        };
        let mut text = format!("{name}{{ {} }}", list(parts, "; "));
        if set && let Some(how_many) = self.how_many(function, guards) {
            return format!("{how_many} of {text}");
        }
        for (i, g) in guards.iter().enumerate() {
            let bound = self.inquiry.symbols().display(g.term);
            let and = if i > 0 { " and" } else { "" };
            text.push_str(&format!("{and} {} {bound}", g.relation.as_str()));
        }
        text
    }

    /// `exactly 1`, `at least 2` and the like, if the guards are such bounds on a number.
    pub(super) fn how_many(&self, function: Function, guards: &[Guard]) -> Option<String> {
        if function != Function::Count {
            return None;
        }
        let symbols = self.inquiry.symbols();
        let bound = |g: &Guard| {
            let number = symbols.as_num(g.term);
            Some(match g.relation {
                Relation::Greater => (Relation::GreaterEqual, number?.checked_add(1)?.to_string()),
                Relation::Less => (Relation::LessEqual, number?.checked_sub(1)?.to_string()),
                relation => (relation, symbols.display(g.term)),
            })
        };
        let bounds: Vec<(Relation, String)> = guards.iter().map(bound).collect::<Option<_>>()?;
        match &bounds[..] {
            [(Relation::Equal, n)] => Some(format!("exactly {n}")),
            [(Relation::NotEqual, n)] => Some(format!("not exactly {n}")),
            [(Relation::GreaterEqual, n)] => Some(format!("at least {n}")),
            [(Relation::LessEqual, n)] => Some(format!("at most {n}")),
            [(Relation::NotEqual, _), _] | [_, (Relation::NotEqual, _)] => None,
            [(_, n), (_, m)] if n == m => Some(format!("exactly {n}")),
            [(Relation::LessEqual, high), (Relation::GreaterEqual, low)]
            | [(Relation::GreaterEqual, low), (Relation::LessEqual, high)] => {
                Some(format!("{low} to {high}"))
            }
            _ => None,
        }
    }
}

/// The facts, and what rules without negation derive from them.
pub(crate) fn derived_by_facts(inquiry: &Inquiry) -> Set<AtomId> {
    let program = inquiry.program();
    let mut certain: Set<AtomId> = Set::default();
    let mut open: Vec<AtomId> = inquiry.facts.iter().map(|fact| fact.0).collect();
    // By atom, the rules that need it; by rule, how many atoms it lacks.
    let mut readers: Map<AtomId, Vec<usize>> = Map::default();
    let mut lacks: Vec<(AtomId, usize)> = Vec::new();
    for rule in program.rules.iter() {
        let (Head::Disjunction(&[head]), Body::Normal(body)) = (rule.head, rule.body) else { continue };
        if body.iter().any(|l| l.is_neg()) {
            continue;
        }
        for literal in body {
            readers.entry(literal.atom()).or_default().push(lacks.len());
        }
        if body.is_empty() {
            open.push(head);
        }
        lacks.push((head, body.len()));
    }
    while let Some(atom) = open.pop() {
        if !certain.insert(atom) {
            continue;
        }
        for &rule in readers.get(&atom).into_iter().flatten() {
            let (head, lacking) = &mut lacks[rule];
            *lacking -= 1;
            if *lacking == 0 {
                open.push(*head);
            }
        }
    }
    certain
}
