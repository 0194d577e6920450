//! Checks that a set of atoms is an answer set: a model of the program, and no smaller set is one of its reduct.
//!
//! The reduct has, for each rule, what is left when literals `not a` have the values they have in the set; a chosen head
//! that is in the set must be derived. Without disjunctions, what the reduct derives step by step must be the whole set. A
//! disjunction derives a head step by step if no other head is in the set; if that does not derive everything, all smaller
//! sets are searched, up to a limit. Source: Gelfond and Lifschitz, *Classical negation in logic programs and disjunctive
//! databases*, 1991; Simons, Niemelä and Soininen, *Extending and implementing the stable model semantics*, 2002.

use std::collections::HashSet;

use crate::aspif::{Edge, Literal, Program, Rule};
use crate::axioms::is_disjunctive;
use crate::constraint::{Constraint, Lit};
use crate::propagate::Database;
use crate::{Checked, reject};

/// Smaller sets that are tried in one search.
const MAX_TRIED: u32 = 200_000;

/// Atoms by number.
type Atoms = Vec<bool>;

fn holds(set: &Atoms, literal: Literal) -> bool {
    set[literal.unsigned_abs() as usize] == (literal > 0)
}

fn reaches(rule: &Rule, counts: impl Fn(Literal) -> bool) -> bool {
    rule.body.iter().filter(|t| counts(t.0)).map(|t| t.1).sum::<i128>() >= rule.bound
}

/// Checks that a set is an answer set. `set[0]` means nothing.
pub fn check(program: &Program, set: &Atoms) -> Checked<()> {
    for (number, rule) in (1..).zip(&program.rules) {
        let satisfied = rule.choice || rule.heads.iter().any(|&h| set[h as usize]);
        if !satisfied && reaches(rule, |l| holds(set, l)) {
            return reject(format!("an answer set does not satisfy rule {number}"));
        }
    }
    if program.assumptions.iter().any(|&l| !holds(set, l)) {
        return reject("an answer set does not satisfy an assumption");
    }
    for (&atom, &value) in &program.externals {
        if value.is_some_and(|value| value != set[atom as usize]) {
            return reject("an external atom has a wrong value in an answer set");
        }
    }
    if !is_acyclic(program, set) {
        return reject("edges form a cycle in an answer set");
    }
    if derived(program, set) == *set {
        return Ok(());
    }
    if !program.rules.iter().any(is_disjunctive) {
        return reject("an answer set has an atom that the rules do not derive");
    }
    smallest(program, set)
}

/// Whether the edges that are there form no cycle: taking away those into nodes that nothing leaves leaves nothing.
fn is_acyclic(program: &Program, set: &Atoms) -> bool {
    let there = |e: &&Edge| e.condition.iter().all(|&l| holds(set, l));
    let mut edges: Vec<&Edge> = program.edges.iter().filter(there).collect();
    loop {
        let left: HashSet<i64> = edges.iter().map(|e| e.from).collect();
        let before = edges.len();
        edges.retain(|e| left.contains(&e.to));
        if edges.len() == before {
            return edges.is_empty();
        }
    }
}

/// What the reduct derives step by step.
fn derived(program: &Program, set: &Atoms) -> Atoms {
    let mut now = vec![false; set.len()];
    for (&atom, _) in program.externals.iter().filter(|e| e.1.is_none_or(|value| value)) {
        now[atom as usize] = set[atom as usize];
    }
    // By atom: the rules with it in the body, and its weight. By rule: what is missing to the bound.
    let mut uses = vec![Vec::new(); set.len()];
    let mut missing: Vec<i128> = program.rules.iter().map(|r| r.bound).collect();
    let mut open: Vec<usize> = Vec::new();
    for (i, rule) in program.rules.iter().enumerate() {
        for &(literal, weight) in &rule.body {
            if literal > 0 {
                uses[literal as usize].push((i, weight));
            } else if holds(set, literal) {
                missing[i] -= weight;
            }
        }
        if missing[i] <= 0 {
            open.push(i);
        }
    }
    let mut fresh: Vec<usize> = (1..set.len()).filter(|&a| now[a]).collect();
    loop {
        while let Some(atom) = fresh.pop() {
            for &(i, weight) in &uses[atom] {
                let before = missing[i];
                missing[i] -= weight;
                if before > 0 && missing[i] <= 0 {
                    open.push(i);
                }
            }
        }
        let Some(i) = open.pop() else { return now };
        let rule = &program.rules[i];
        let inside: Vec<usize> = rule.heads.iter().map(|&h| h as usize).filter(|&h| set[h]).collect();
        if rule.choice || inside.len() == 1 {
            for head in inside {
                if !std::mem::replace(&mut now[head], true) {
                    fresh.push(head);
                }
            }
        }
    }
}

/// Checks that no smaller set is a model of the reduct, by search.
fn smallest(program: &Program, set: &Atoms) -> Checked<()> {
    let mut database = Database::new(set.len());
    let atom = |a: u32| Lit::new(a, false);
    for (a, &inside) in set.iter().enumerate() {
        if !inside {
            database.add(&Constraint::clause([!atom(a as u32)])?);
        }
    }
    for (&a, _) in program.externals.iter().filter(|e| e.1.is_none_or(|value| value)) {
        if set[a as usize] {
            database.add(&Constraint::clause([atom(a)])?);
        }
    }
    // Not all of it.
    let members: Vec<u32> = (1..set.len() as u32).filter(|&a| set[a as usize]).collect();
    database.add(&Constraint::clause(members.iter().map(|&a| !atom(a)))?);
    for rule in &program.rules {
        // If the sum of the body reaches the bound, a head holds; for a choice each head of the set does.
        let mut bound = rule.bound;
        let mut terms: Vec<(i128, Lit)> = Vec::new();
        for &(literal, weight) in &rule.body {
            if literal > 0 {
                terms.push((weight, !atom(literal.unsigned_abs())));
            } else if holds(set, literal) {
                bound -= weight;
            }
        }
        // The weights of atoms that are missing are at least the total minus the bound plus 1, or a head holds.
        let degree = terms.iter().map(|t| t.0).sum::<i128>() - bound + 1;
        let heads: Vec<u32> = rule.heads.iter().copied().filter(|&h| set[h as usize]).collect();
        let groups: Vec<Vec<u32>> =
            if rule.choice { heads.iter().map(|&h| vec![h]).collect() } else { vec![heads] };
        for group in groups {
            let heads = group.iter().map(|&h| (degree.max(0), atom(h)));
            database.add(&Constraint::new(terms.iter().copied().chain(heads).collect(), degree)?);
        }
    }
    let mut tried = 0;
    // Decisions with the state before each, and whether the complement has been tried.
    let mut decisions: Vec<(usize, Lit, bool)> = Vec::new();
    let mut conflict = database.is_contradictory();
    loop {
        if conflict {
            loop {
                match decisions.pop() {
                    None => return Ok(()),
                    Some((level, lit, false)) => {
                        database.undo(level);
                        decisions.push((level, !lit, true));
                        conflict = !database.assume(!lit);
                        break;
                    }
                    Some((level, ..)) => database.undo(level),
                }
            }
            continue;
        }
        tried += 1;
        if tried > MAX_TRIED {
            return reject(
                "whether an answer set of this disjunctive program is stable takes too long to check",
            );
        }
        let free = members.iter().copied().find(|&a| !database.holds(atom(a)) && !database.holds(!atom(a)));
        match free {
            None => return reject("an answer set is not minimal: the rules do not derive all of it"),
            Some(a) => {
                decisions.push((database.level(), !atom(a), false));
                conflict = !database.assume(!atom(a));
            }
        }
    }
}
