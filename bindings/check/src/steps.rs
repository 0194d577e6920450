//! Checks the steps of a proof: the part of VeriPB's format that asp writes.
//!
//! | step | meaning |
//! |---|---|
//! | `rup CLAUSE ;` | the clause follows by unit propagation from what is there |
//! | `pol ... ;` | a sum of constraints: `NUMBER` or `@LABEL` pushes one, `LITERAL` pushes that it is at least 0, `+` adds two, `F *` multiplies, `F d` divides, `s` saturates |
//! | `red ... : z1 -> 0 ;`, `red ... : z1 -> 1 ;` | `z1`, a new variable, holds only if a sum reaches a bound, and holds if it does |
//! | `del id NUMBER ... ;` | constraints are not needed any more |
//!
//! The two halves of a definition follow each other at once. Whatever the other variables are, `z1` can be what it must be.
//!
//! `@LABEL` before a step names its constraint. Each adds one constraint, numbered after those of the formula. The end is
//! `output NONE ;`, `conclusion UNSAT ;` (after a contradiction) or `conclusion NONE ;`, `end pseudo-Boolean proof ;`.

use std::collections::HashMap;

use crate::constraint::{Constraint, Lit, Names};
use crate::propagate::Database;
use crate::{Checked, reject};

/// The constraints of a proof by number.
struct Proof<'a> {
    names: &'a mut Names,
    database: Database,
    /// By number, from 1; with its place in the database. `None` if deleted.
    constraints: Vec<Option<(Constraint, u32)>>,
    labels: HashMap<&'a str, usize>,
    /// The second half of the definition that the last step began.
    converse: Option<Constraint>,
}

/// Checks steps that start from a formula. Whether they end in a contradiction.
pub fn check(text: &[u8], formula: Vec<Constraint>, names: &mut Names) -> Checked<bool> {
    let Ok(text) = std::str::from_utf8(text) else { return reject("the steps are not UTF-8") };
    let mut lines = text.lines();
    if lines.next() != Some("pseudo-Boolean proof version 3.0") {
        return reject("the steps do not begin with `pseudo-Boolean proof version 3.0`");
    }
    let counted: Vec<&str> = lines.next().unwrap_or_default().split_ascii_whitespace().collect();
    let count = formula.len();
    if counted != ["f", count.to_string().as_str(), ";"] {
        return reject(format!("the steps do not start from the {count} constraints of the formula"));
    }
    let database = Database::new(names.len());
    let mut proof = Proof {
        names,
        database,
        constraints: Vec::with_capacity(count),
        labels: HashMap::new(),
        converse: None,
    };
    for constraint in formula {
        proof.add(constraint);
    }
    for (number, line) in (3..).zip(lines.by_ref()) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&";", words)) = words.split_last() else {
            return reject(format!("line {number} of the steps does not end in `;`"));
        };
        if words == ["output", "NONE"] {
            break;
        }
        if let Err(why) = proof.step(words) {
            return reject(format!("line {number} of the steps: {why}"));
        }
    }
    let refuted = match lines.next() {
        Some("conclusion UNSAT ;") if proof.database.is_contradictory() => true,
        Some("conclusion UNSAT ;") => return reject("the steps claim a contradiction without having one"),
        Some("conclusion NONE ;") => false,
        _ => return reject("the steps have no conclusion"),
    };
    match (lines.next(), lines.next()) {
        (Some("end pseudo-Boolean proof ;"), None) => Ok(refuted),
        _ => reject("the steps have no end, or go on after it"),
    }
}

impl<'a> Proof<'a> {
    fn add(&mut self, constraint: Constraint) {
        let place = self.database.add(&constraint);
        self.constraints.push(Some((constraint, place)));
    }

    fn step(&mut self, words: &[&'a str]) -> Checked<()> {
        let (label, words) = match words {
            [label, rest @ ..] if label.starts_with('@') => (Some(*label), rest),
            _ => (None, words),
        };
        let converse = self.converse.take();
        match words {
            ["red", half @ .., ":", var, "->", "0"] => {
                let own = Lit::new(self.names.define(var)?, true);
                self.database.grow(self.names.len());
                let half = Constraint::parse(half.iter().copied(), self.names)?;
                if !half.terms.contains(&(half.degree, own)) {
                    return reject("a definition does not hold if its variable is false");
                }
                self.converse = Some(half.converse(!own)?);
                self.add(half);
            }
            ["red", half @ .., ":", _, "->", "1"] => {
                let half = Constraint::parse(half.iter().copied(), self.names)?;
                if converse.as_ref() != Some(&half) {
                    return reject("this is not the second half of a definition");
                }
                self.add(half);
            }
            ["rup", constraint @ ..] => {
                let constraint = Constraint::parse(constraint.iter().copied(), self.names)?;
                if !constraint.is_trivial() && !constraint.is_clause() {
                    return reject("only clauses may follow by propagation");
                }
                let clause: Vec<_> = constraint.terms.iter().map(|t| t.1).collect();
                if !constraint.is_trivial() && !self.database.follows(&clause) {
                    return reject("the clause does not follow by propagation");
                }
                self.add(constraint);
            }
            ["pol", sum @ ..] => {
                let constraint = self.sum(sum)?;
                self.add(constraint);
            }
            ["del", "id", numbers @ ..] if label.is_none() => {
                for number in numbers {
                    let at = self.find(number)?;
                    if let Some((_, place)) = self.constraints[at].take() {
                        self.database.delete(place);
                    }
                }
            }
            _ => return reject("this step is unknown"),
        }
        if let Some(label) = label {
            self.labels.insert(label, self.constraints.len() - 1);
        }
        Ok(())
    }

    /// The position of a constraint that has not been deleted.
    fn find(&self, word: &str) -> Checked<usize> {
        let at = match self.labels.get(word) {
            Some(&at) => Some(at),
            None => word.parse::<usize>().ok().and_then(|number| number.checked_sub(1)),
        };
        match at {
            Some(at) if self.constraints.get(at).is_some_and(Option::is_some) => Ok(at),
            _ => reject(format!("there is no constraint {word}")),
        }
    }

    /// A sum in reverse Polish notation.
    fn sum(&self, words: &[&str]) -> Checked<Constraint> {
        let mut stack: Vec<Constraint> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let next = words.get(at + 1).copied();
            let top = match (words[at], next) {
                (factor, Some(operation @ ("*" | "d"))) => {
                    at += 1;
                    let (Some(top), Ok(factor)) = (stack.pop(), factor.parse()) else {
                        return reject("a sum multiplies or divides nothing");
                    };
                    if operation == "*" { top.times(factor)? } else { top.over(factor)? }
                }
                ("s", _) => match stack.pop() {
                    Some(top) => top.saturated(),
                    None => return reject("a sum saturates nothing"),
                },
                ("+", _) => match (stack.pop(), stack.pop()) {
                    (Some(a), Some(b)) => b.plus(&a)?,
                    _ => return reject("a sum adds nothing"),
                },
                (literal, _) if literal.starts_with(['x', 'b', 'd', 'z', 'o', '~']) => {
                    Constraint::new(vec![(1, self.names.literal(literal)?)], 0)?
                }
                (constraint, _) => match &self.constraints[self.find(constraint)?] {
                    Some((constraint, _)) => constraint.clone(),
                    None => return reject("a sum uses a deleted constraint"),
                },
            };
            stack.push(top);
            at += 1;
        }
        match (stack.pop(), stack.pop()) {
            (Some(sum), None) => Ok(sum),
            _ => reject("a sum does not have one result"),
        }
    }
}
