//! Random programs that grow step by step, with external atoms in recursion through aggregates, conditions and disjunctions.
//!
//! Invariant: rules of a later step close no positive cycle with those of an earlier one: rules for an earlier external atom
//! need only choices of their own step.

use super::hunt::one;
use asp_base::rng::Rng;

/// What is said of an external atom between two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    True,
    False,
    Free,
    Released,
}

/// A step of a program.
#[derive(Clone, Default, Debug)]
pub struct Step {
    /// Its statements.
    pub rules: Vec<String>,
    /// What is said of external atoms before it is solved, in order.
    pub values: Vec<(String, Value)>,
    /// The atoms of earlier steps, external ones and not, that its rules derive.
    pub again: Vec<String>,
}

/// A random program of at most three steps.
pub struct Growing {
    rng: Rng,
    /// The atoms so far.
    atoms: Vec<String>,
}

/// The steps of a random program; `redefines`: atoms of earlier steps may be derived again.
pub fn steps(seed: u64, redefines: bool) -> Vec<Step> {
    let mut growing = Growing { rng: Rng::new(seed), atoms: Vec::new() };
    let count = 1 + growing.rng.below(3);
    (0..count).map(|number| growing.step(number, redefines)).collect()
}

impl Growing {
    fn literal(&mut self) -> String {
        let atom = &self.atoms[self.rng.below(self.atoms.len() as u64) as usize];
        format!("{}{atom}", one(&["", "", "", "", "not ", "not not "], &mut self.rng))
    }

    fn literals(&mut self, least: u64) -> String {
        let count = least + self.rng.below(3 - least);
        (0..count).map(|_| self.literal()).collect::<Vec<_>>().join(", ")
    }

    fn element(&mut self) -> String {
        match self.rng.below(6) {
            0 | 1 => self.literal(),
            2 => {
                let (head, condition) = (self.literal(), self.literals(1));
                format!("{head} : {condition}")
            }
            kind => {
                let elements = 1 + self.rng.below(3);
                let tuples: Vec<String> = (0..elements)
                    .map(|_| {
                        let weight = self.rng.below(5) as i64 - 2;
                        format!("{weight},{} : {}", self.rng.below(2), self.literals(1))
                    })
                    .collect();
                let function =
                    if kind == 3 { one(&["#count", "#min", "#max"], &mut self.rng) } else { "#sum" };
                let relation = one(&["!=", "!=", ">=", "<=", "=", "<"], &mut self.rng);
                let sign = one(&["", "", "", "not "], &mut self.rng);
                let bound = self.rng.below(4) as i64 - 1;
                format!("{sign}{function} {{ {} }} {relation} {bound}", tuples.join("; "))
            }
        }
    }

    fn step(&mut self, number: u64, redefines: bool) -> Step {
        let mut step = Step::default();
        let own = [format!("a{number}"), format!("b{number}")];
        let (choice, external) = (format!("m{number}"), format!("e{number}"));
        // What no rule derives yet is no part of the earlier step.
        let earlier: Vec<String> = self.atoms.iter().filter(|a| a.starts_with(['m', 'e'])).cloned().collect();
        let defines = number > 0 && self.rng.chance(0.4);
        let redefines = redefines && number > 0 && self.rng.chance(0.3);
        self.atoms.extend(own.iter().cloned().chain([external.clone()]));
        step.rules
            .push(format!("#external {external}. [{}]", one(&["true", "false", "free"], &mut self.rng)));
        if number == 0 || defines || redefines || self.rng.chance(0.3) {
            self.atoms.push(choice.clone());
            step.rules.push(format!("{{ {choice} }}."));
        }
        for _ in 0..1 + self.rng.below(4) {
            let head = own[self.rng.below(2) as usize].clone();
            let head = match self.rng.below(10) {
                0 => own.join(" ; "),
                1 => format!("{{ {head} }}"),
                2 => format!("{head} : {} ; {}", self.literals(1), own[0]),
                3 => String::new(),
                _ => head,
            };
            let body: Vec<String> = (0..1 + self.rng.below(2)).map(|_| self.element()).collect();
            step.rules.push(format!("{head} :- {}.", body.join("; ")));
        }
        if defines {
            let old = format!("e{}", self.rng.below(number));
            if self.rng.chance(0.3) {
                // No answer set has this atom, and the external atom has a rule all the same.
                step.rules.push(format!("n{number} :- {choice}, not n{number}."));
                step.rules.push(format!("{old} :- n{number}."));
            } else {
                step.rules.push(format!("{old} :- {choice}."));
            }
            step.again.push(old);
        }
        if redefines {
            let old = earlier[self.rng.below(earlier.len() as u64) as usize].clone();
            let fact = self.rng.chance(0.3);
            step.rules.push(if fact { format!("{old}.") } else { format!("{old} :- {choice}.") });
            step.again.push(old);
        }
        for e in 0..=number {
            for _ in 0..self.rng.below(3) {
                let values =
                    [Value::True, Value::False, Value::Free, Value::True, Value::Free, Value::Released];
                step.values.push((format!("e{e}"), values[self.rng.below(6) as usize]));
            }
        }
        step
    }
}
