//! A database of constraints with unit propagation, which decides whether a clause follows at once.
//!
//! A clause follows if making all its literals false leads to a conflict by propagation alone. Clauses watch two of their
//! literals; other constraints know their *slack*, by how much what is not false exceeds the degree: a literal whose weight
//! is above it must hold. What follows without assumptions stays. Invariant: outside of [`Database::follows`], all
//! consequences of the constraints by propagation are on the trail, or there is a conflict.
//! Source: Moskewicz et al., *Chaff*, 2001; Gocht, McBride, Nordström and others, *VeriPB*.

use crate::constraint::{Constraint, Lit};

#[derive(Debug)]
struct Sum {
    /// By falling weight.
    terms: Vec<(i128, Lit)>,
    slack: i128,
}

#[derive(Debug)]
enum Stored {
    /// The first two are watched.
    Clause(Vec<Lit>),
    Sum(Sum),
    /// Deleted, or nothing.
    Nothing,
}

/// Constraints with what follows from them.
#[derive(Debug, Default)]
pub struct Database {
    stored: Vec<Stored>,
    /// By literal: clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// By literal: sums that contain it, with its weight.
    occurrences: Vec<Vec<(u32, i128)>>,
    /// By literal: whether it holds.
    holds: Vec<bool>,
    trail: Vec<Lit>,
    /// How much of the trail has been propagated.
    head: usize,
    conflict: bool,
}

impl Database {
    /// No constraints over so many variables.
    pub fn new(variables: usize) -> Database {
        Database {
            watches: vec![Vec::new(); 2 * variables],
            occurrences: vec![Vec::new(); 2 * variables],
            holds: vec![false; 2 * variables],
            ..Database::default()
        }
    }
    /// Whether the constraints contradict each other by propagation alone.
    pub fn is_contradictory(&self) -> bool {
        self.conflict
    }
    /// Whether a literal holds.
    pub fn holds(&self, lit: Lit) -> bool {
        self.holds[lit.index()]
    }
    /// Adds a constraint, and what follows; returns its place.
    pub fn add(&mut self, constraint: &Constraint) -> u32 {
        let place = self.stored.len() as u32;
        let stored = if constraint.is_trivial() {
            Stored::Nothing
        } else if constraint.is_clause() {
            self.clause(place, constraint.terms.iter().map(|t| t.1).collect())
        } else {
            let open = constraint.terms.iter().filter(|t| !self.holds(!t.1));
            // Cannot overflow: the weights of a constraint have been added up when it was made.
            let slack = open.map(|t| t.0).sum::<i128>() - constraint.degree;
            let mut terms = constraint.terms.clone();
            terms.sort_by_key(|t| std::cmp::Reverse(t.0));
            for &(weight, lit) in &constraint.terms {
                self.occurrences[lit.index()].push((place, weight));
            }
            Stored::Sum(Sum { terms, slack })
        };
        self.stored.push(stored);
        self.examine(place);
        self.propagate();
        place
    }
    /// Watches two literals that are not false, if there are.
    fn clause(&mut self, place: u32, mut literals: Vec<Lit>) -> Stored {
        literals.sort_by_key(|&l| self.holds(!l));
        for &lit in literals.iter().take(2) {
            self.watches[lit.index()].push(place);
        }
        Stored::Clause(literals)
    }
    /// Deletes a constraint; what followed from it stays.
    pub fn delete(&mut self, place: u32) {
        if let Stored::Sum(sum) = &self.stored[place as usize] {
            for (_, lit) in &sum.terms {
                self.occurrences[lit.index()].retain(|o| o.0 != place);
            }
        }
        self.stored[place as usize] = Stored::Nothing;
    }
    /// Whether a clause follows by propagation.
    pub fn follows(&mut self, clause: &[Lit]) -> bool {
        if self.conflict {
            return true;
        }
        let level = self.trail.len();
        for &lit in clause {
            self.make(!lit);
        }
        self.propagate();
        let found = self.conflict;
        self.undo(level);
        found
    }
    /// The state to return to.
    pub fn level(&self) -> usize {
        self.trail.len()
    }
    /// Assumes a literal with all that follows; `false` if that is a conflict.
    pub fn assume(&mut self, lit: Lit) -> bool {
        self.make(lit);
        self.propagate();
        !self.conflict
    }
    /// Returns to a state without conflict.
    pub fn undo(&mut self, level: usize) {
        for at in (level..self.trail.len()).rev() {
            let lit = self.trail[at];
            self.holds[lit.index()] = false;
            if at < self.head {
                for &(place, weight) in &self.occurrences[(!lit).index()] {
                    if let Stored::Sum(sum) = &mut self.stored[place as usize] {
                        sum.slack += weight;
                    }
                }
            }
        }
        self.trail.truncate(level);
        self.head = self.head.min(level);
        self.conflict = false;
    }
    fn make(&mut self, lit: Lit) {
        if self.holds(!lit) {
            self.conflict = true;
        } else if !self.holds(lit) {
            self.holds[lit.index()] = true;
            self.trail.push(lit);
        }
    }
    fn propagate(&mut self) {
        while !self.conflict && self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            self.visit_sums(!lit);
            if !self.conflict {
                self.visit_clauses(!lit);
            }
        }
    }
    /// A literal has become false: sums that contain it lose its weight.
    fn visit_sums(&mut self, lit: Lit) {
        // All slacks change before anything follows, so that undoing is simple.
        let occurrences = std::mem::take(&mut self.occurrences[lit.index()]);
        for &(place, weight) in &occurrences {
            if let Stored::Sum(sum) = &mut self.stored[place as usize] {
                sum.slack -= weight;
            }
        }
        for &(place, _) in &occurrences {
            if self.conflict {
                break;
            }
            self.examine(place);
        }
        self.occurrences[lit.index()] = occurrences;
    }
    /// What follows from one constraint now.
    fn examine(&mut self, place: u32) {
        match &self.stored[place as usize] {
            Stored::Nothing => {}
            Stored::Clause(literals) => {
                let (first, second) = (literals.first().copied(), literals.get(1).copied());
                match (first, second) {
                    (None, _) => self.conflict = true,
                    (Some(first), second) if second.is_none_or(|l| self.holds(!l)) => self.make(first),
                    _ => {}
                }
            }
            Stored::Sum(sum) if sum.slack < 0 => self.conflict = true,
            Stored::Sum(sum) => {
                let slack = sum.slack;
                let forced: Vec<Lit> = sum
                    .terms
                    .iter()
                    .take_while(|t| t.0 > slack)
                    .filter(|t| !self.holds(!t.1) && !self.holds(t.1))
                    .map(|t| t.1)
                    .collect();
                forced.into_iter().for_each(|l| self.make(l));
            }
        }
    }
    /// A literal has become false: clauses that watch it look for another literal.
    fn visit_clauses(&mut self, lit: Lit) {
        let mut watching = std::mem::take(&mut self.watches[lit.index()]);
        let mut kept = 0;
        let mut at = 0;
        while at < watching.len() {
            let place = watching[at];
            at += 1;
            let Stored::Clause(literals) = &mut self.stored[place as usize] else { continue };
            if literals[0] == lit {
                if literals.len() > 1 {
                    literals.swap(0, 1);
                } else {
                    self.conflict = true;
                }
            }
            let first = literals[0];
            let other = (2..literals.len()).find(|&i| !self.holds[(!literals[i]).index()]);
            if !self.holds[first.index()]
                && let Some(i) = other
            {
                literals.swap(1, i);
                self.watches[literals[1].index()].push(place);
                continue;
            }
            watching[kept] = place;
            kept += 1;
            self.make(first);
            if self.conflict {
                break;
            }
        }
        watching.copy_within(at.., kept);
        watching.truncate(kept + watching.len() - at);
        // Nothing watches a literal that has just become false.
        self.watches[lit.index()] = watching;
    }
}
