//! What the facts decide about atoms, with aggregates: which hold in every answer set, and which in none.
//!
//! Invariant: both follow from the facts by rules, definitions and the lack of rules; what is not certain is left open.

use crate::inquiry::Inquiry;
use crate::renderer::aggregates::derived_by_facts;
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, Symbols};
use asp_program::ground_program::{Definition, Function, Guard, Program};
use asp_program::rule::{Body, Head};
use asp_program::{AtomId, Literal};

/// How often rules that need each other are looked at.
const ROUNDS: usize = 16;

/// Atoms that are decided.
pub(crate) struct Decided {
    pub(crate) certain: Set<AtomId>,
    pub(crate) refuted: Set<AtomId>,
}

/// What the facts of a program decide.
pub(crate) fn by_facts(inquiry: &Inquiry, symbols: &mut Symbols) -> Decided {
    let program = inquiry.program();
    let mut decided = Decided { certain: derived_by_facts(inquiry), refuted: Set::default() };
    if !program.definitions.iter().any(|d| matches!(d.definition, Definition::Aggregate { .. })) {
        return decided;
    }
    let undefined = undefined(program);
    for _ in 0..ROUNDS {
        let before = decided.certain.len() + decided.refuted.len();
        for defined in &program.definitions {
            if let Definition::Aggregate { function, guards, elements, .. } = &defined.definition
                && decided.atom(defined.atom).is_none()
            {
                let conditions =
                    elements.iter().map(|e| (program.terms(e.tuple), program.literals(e.condition)));
                let holds = decided.aggregate(*function, guards, conditions, symbols);
                decided.set(defined.atom, holds);
            }
        }
        // By atom: whether all of its rules so far are refuted.
        let mut refuted: Map<AtomId, bool> = Map::default();
        for rule in program.rules.iter() {
            let (Head::Disjunction(&[head]), Body::Normal(body)) = (rule.head, rule.body) else { continue };
            let holds = decided.all(body);
            *refuted.entry(head).or_insert(true) &= holds == Some(false);
            decided.set(head, holds.filter(|&holds| holds));
        }
        for (head, _) in
            refuted.into_iter().filter(|&(head, is_refuted)| is_refuted && !undefined.contains(&head))
        {
            decided.set(head, Some(false));
        }
        if decided.certain.len() + decided.refuted.len() == before {
            break;
        }
    }
    decided
}

/// Atoms that something other than plain rules may make true.
fn undefined(program: &Program) -> Set<AtomId> {
    let plain = program
        .rules
        .iter()
        .filter(|r| !matches!((r.head, r.body), (Head::Disjunction([_]), Body::Normal(_))));
    let of_rules = plain.flat_map(|rule| rule.head.atoms().iter().copied());
    let of_aggregates = program.head_aggregates.iter().flat_map(|h| &h.elements).filter_map(|e| e.atom);
    let heads = program.disjunctions.iter().flat_map(|d| &d.elements);
    let of_disjunctions = heads.flat_map(|e| program.literals(e.head).iter().map(|l| l.atom()));
    let defined = program.definitions.iter().map(|d| d.atom);
    let external = program.externals.iter().map(|e| e.0);
    of_rules.chain(of_aggregates).chain(of_disjunctions).chain(defined).chain(external).collect()
}

impl Decided {
    fn atom(&self, atom: AtomId) -> Option<bool> {
        match (self.certain.contains(&atom), self.refuted.contains(&atom)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    fn set(&mut self, atom: AtomId, value: Option<bool>) {
        match value {
            _ if self.atom(atom).is_some() => {}
            Some(true) => _ = self.certain.insert(atom),
            Some(false) => _ = self.refuted.insert(atom),
            None => {}
        }
    }

    /// Whether all literals hold.
    fn all(&self, literals: &[Literal]) -> Option<bool> {
        let mut all = Some(true);
        for l in literals {
            match self.atom(l.atom()).map(|holds| holds != l.is_neg()) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// Whether an aggregate holds, if it is decided which tuples count.
    fn aggregate<'a>(
        &self,
        function: Function,
        guards: &[Guard],
        elements: impl Iterator<Item = (&'a [Sym], &'a [Literal])>,
        symbols: &mut Symbols,
    ) -> Option<bool> {
        let (mut counted, mut open): (Set<&[Sym]>, Vec<&[Sym]>) = (Set::default(), Vec::new());
        for (tuple, condition) in elements {
            match self.all(condition) {
                Some(true) => _ = counted.insert(tuple),
                Some(false) => {}
                None => open.push(tuple),
            }
        }
        if open.iter().any(|tuple| !counted.contains(tuple)) {
            return None;
        }
        let first = || counted.iter().filter_map(|tuple| tuple.first().copied());
        let weights = |symbols: &Symbols, least: i64| {
            first().filter_map(|t| symbols.as_num(t)).filter(|&w| w >= least).map(i128::from).sum::<i128>()
        };
        let number = |symbols: &mut Symbols, sum: i128| i64::try_from(sum).ok().map(|sum| symbols.num(sum));
        let value = match function {
            Function::Count => symbols.num(counted.len() as i64),
            Function::Sum => number(symbols, weights(symbols, i64::MIN))?,
            Function::SumPlus => number(symbols, weights(symbols, 1))?,
            Function::Min => first().min_by(|a, b| symbols.cmp(*a, *b)).unwrap_or(Sym::SUP),
            Function::Max => first().max_by(|a, b| symbols.cmp(*a, *b)).unwrap_or(Sym::INF),
        };
        Some(guards.iter().all(|guard| guard.relation.holds(symbols.cmp(value, guard.term))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use asp_base::rng::Rng;

    /// A random program of facts, aggregates over them, choices and rules that need each other.
    fn program(rng: &mut Rng) -> String {
        let mut text = String::from("d(1..2). ");
        for _ in 0..1 + rng.below(3) {
            text += &format!("q({},{}). ", 1 + rng.below(2), rng.below(5) as i64 - 1);
        }
        let rules = [
            "s(S) :- S = #sum { W,X : q(X,W) }.",
            "m(S) :- S = #max { W,X : q(X,W), not r(X) }.",
            "c(X,D) :- d(X), D = #count { Y : q(X,Y) }.",
            "e(X) :- d(X), not big.",
            "e(X) :- d(X), r(X), not c(X,1).",
            "t(S) :- S = #sum+ { W,X : q(X,W), e(X) }.",
            "k :- #min { X : c(X,D), D > 1 } >= 2.",
            "l(X) :- d(X), #count { Y : q(Y,X); Y,z : l(Y), Y < X } > 0.",
            "{ r(X) : d(X) }.",
            "r(1) :- not k, s(_).",
            "u(X) ; v :- l(X), m(S), S >= 0.",
            ":- t(S), S > 2.",
        ];
        for rule in rules {
            if rng.chance(0.6) {
                text += rule;
            }
        }
        text + &format!("big :- s(S), S > {}. ", rng.below(5) as i64 - 1)
    }

    #[test]
    fn decided_atoms_are_those_of_all_answer_sets() {
        let (mut certain, mut refuted) = (0, 0);
        for seed in 0..250 {
            let text = program(&mut Rng::new(seed));
            let inquiry = random::open(&text, false, false);
            let mut symbols = inquiry.symbols().clone();
            let decided = by_facts(&inquiry, &mut symbols);
            let without = derived_by_facts(&inquiry);
            let atoms = &inquiry.program().atoms;
            let names = |of: &mut dyn Iterator<Item = &AtomId>| -> Vec<String> {
                let named = of.filter(|&&a| atoms.get(a).is_some());
                let name = |&atom: &AtomId| {
                    let mut text = String::new();
                    atoms.write(atom, inquiry.symbols(), &mut text);
                    text
                };
                named.map(name).collect()
            };
            let is_left = |literal: &str| random::is_satisfiable(&format!("{text} :- {literal}."));
            let mut ids: Vec<AtomId> = decided.certain.difference(&without).copied().collect();
            ids.sort_unstable();
            for name in names(&mut ids.iter()) {
                assert!(!is_left(&name), "{name} is not certain: {text}");
                certain += 1;
            }
            let mut ids: Vec<AtomId> = decided.refuted.iter().copied().collect();
            ids.sort_unstable();
            for name in names(&mut ids.iter()) {
                assert!(!is_left(&format!("not {name}")), "{name} is not refuted: {text}");
                refuted += 1;
            }
        }
        assert!(certain > 100 && refuted > 100, "only {certain} and {refuted} atoms");
    }
}
