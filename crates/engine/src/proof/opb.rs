//! The axioms of a proof as pseudo-Boolean constraints in OPB: definitions of bodies, rules, supports, and unfounded sets.
//!
//! Invariant: the order is that of the rules, then of the atoms, as the checker has it; trivial constraints are left out.

use super::Loop;
use super::put_number;
use super::rules::{FALSE, Name, Rules, TRUE};
use asp_base::map::Map;

/// The numbers of axioms.
pub(crate) struct Numbers {
    /// Axioms of the completion.
    pub(crate) count: u64,
    /// By variable of a body: its definition in both directions.
    bodies: Map<Name, (u64, u64)>,
    /// By rule without heads: the axiom that it is.
    constraints: Map<usize, u64>,
}

impl Numbers {
    /// The axiom that says when the body of a rule holds, and the one that says when it fails.
    pub(super) fn of_rule(&self, rule: usize, rules: &Rules) -> (Option<u64>, Option<u64>) {
        match (self.constraints.get(&rule), self.bodies.get(&rules.rules[rule].body)) {
            (Some(&fails), _) => (None, Some(fails)),
            (None, Some(&(holds, fails))) => (Some(holds).filter(|&n| n > 0), Some(fails).filter(|&n| n > 0)),
            (None, None) => (None, None),
        }
    }
}

/// Constraints as text.
pub struct Opb<'a> {
    /// The program that is written.
    pub rules: &'a Rules,
    /// The text so far.
    pub text: Vec<u8>,
    /// Number of constraints so far.
    pub count: u64,
    numbers: Option<Numbers>,
    weights: Vec<(Name, i128)>,
}

impl<'a> Opb<'a> {
    /// No constraints.
    pub fn new(rules: &'a Rules) -> Self {
        Self { rules, text: Vec::new(), count: 0, numbers: None, weights: Vec::new() }
    }
    /// The numbers of the completion's axioms.
    pub(super) fn numbers(rules: &'a Rules) -> Numbers {
        let numbers = Numbers { count: 0, bodies: Map::default(), constraints: Map::default() };
        let mut opb = Self { numbers: Some(numbers), ..Self::new(rules) };
        opb.completion();
        let count = opb.count;
        opb.numbers.map_or(Numbers { count, bodies: Map::default(), constraints: Map::default() }, |n| {
            Numbers { count, ..n }
        })
    }
    /// Appends a sum that must reach a bound, each variable once and with a positive weight.
    pub fn add(&mut self, terms: impl IntoIterator<Item = (Name, i128)>, bound: i128) {
        let mut bound = bound;
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        for (name, weight) in terms {
            match name {
                TRUE => bound -= weight,
                FALSE => {}
                name if name < 0 => {
                    weights.push((-name, -weight));
                    bound -= weight;
                }
                name => weights.push((name, weight)),
            }
        }
        weights.sort_unstable_by_key(|t| t.0);
        weights.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        bound -= weights.iter().map(|t| t.1.min(0)).sum::<i128>();
        self.count += u64::from(bound > 0);
        // Perhaps only the numbers are wanted.
        if bound > 0 && self.numbers.is_none() {
            for &(var, weight) in weights.iter().filter(|t| t.1 != 0) {
                self.put(weight.unsigned_abs());
                self.text.push(b' ');
                self.rules.put_name(if weight < 0 { -var } else { var }, &mut self.text);
                self.text.push(b' ');
            }
            self.text.extend_from_slice(b">= ");
            self.put(bound.unsigned_abs());
            self.text.extend_from_slice(b" ;\n");
        }
        self.weights = weights;
    }
    fn put(&mut self, number: u128) {
        match u64::try_from(number) {
            Ok(n) => put_number(n, &mut self.text),
            Err(_) => put_number(number, &mut self.text),
        }
    }
    /// `own` if and only if the sum reaches the bound.
    fn define(&mut self, own: Name, terms: &[(Name, i64)], bound: i64) {
        let (bound, total) = (i128::from(bound), terms.iter().map(|t| i128::from(t.1)).sum::<i128>());
        let before = self.count;
        let holds = terms.iter().map(|&(l, w)| (l, i128::from(w)));
        self.add(holds.chain([(-own, bound)]), bound);
        let rest = total - bound + 1;
        let fails = terms.iter().map(|&(l, w)| (-l, i128::from(w)));
        let middle = self.count;
        self.add(fails.chain([(own, rest)]), rest);
        if let Some(numbers) = &mut self.numbers {
            let number = |old: u64, new: u64| if new > old { new } else { 0 };
            numbers.bodies.insert(own, (number(before, middle), number(middle, self.count)));
        }
    }
    /// Appends the completion of the program.
    pub fn completion(&mut self) {
        let rules = self.rules;
        for (i, rule) in rules.rules.iter().enumerate() {
            if rule.defines {
                self.define(rule.body, &rule.terms, rule.bound);
            }
            if rule.heads.is_empty() && !rule.choice && rule.body == 0 {
                let total: i128 = rule.terms.iter().map(|t| i128::from(t.1)).sum();
                let fails = rule.terms.iter().map(|&(l, w)| (-l, i128::from(w)));
                let before = self.count;
                self.add(fails, total - i128::from(rule.bound) + 1);
                if let Some(numbers) = self.numbers.as_mut().filter(|_| self.count > before) {
                    numbers.constraints.insert(i, self.count);
                }
            } else if !rule.choice {
                self.add(rule.heads.iter().map(|&h| (h, 1)).chain([(-rule.body, 1)]), 1);
            }
            for &head in rule.heads.iter().filter(|_| rule.is_disjunctive()) {
                let mut terms: Vec<(Name, i64)> = Vec::new();
                terms.extend(Some((rule.body, 1)).filter(|t| t.0 != TRUE));
                terms.extend(rule.heads.iter().filter(|&&h| h != head).map(|&h| (-h, 1)));
                self.define(rule.support(head), &terms, terms.len() as i64);
            }
        }
        let mut clause = Vec::new();
        for atom in 1..=rules.num_atoms() as Name {
            if rules.free.contains(&atom) {
                continue;
            }
            let live = rules.rules_of(atom).filter(|r| !r.needs(|a| a == atom));
            clause.clear();
            clause.extend(live.map(|r| r.support(atom)).chain([-atom]));
            clause.sort_unstable();
            clause.dedup();
            self.add(clause.iter().map(|&l| (l, 1)), 1);
        }
        for &given in &rules.given {
            self.add([(given, 1)], 1);
        }
    }
    /// Appends what follows from an unfounded set, or from a cycle of edges.
    pub fn add_loop(&mut self, found: &Loop) {
        match found {
            Loop::Unfounded { atoms, escapes } => {
                let size = atoms.len() as i128;
                let escapes = escapes.iter().map(|&l| (l, size));
                self.add(atoms.iter().map(|&a| (-a, 1)).chain(escapes), size);
            }
            Loop::Cycle { conditions, .. } => self.add(conditions.iter().map(|&l| (-l, 1)), 1),
        }
    }
}
