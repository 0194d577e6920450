//! A database of constraints with unit propagation, which decides whether a clause follows at once.
//!
//! A clause follows if making all its literals false leads to a conflict by propagation alone. Clauses watch two of their
//! literals; other constraints, the sums, know their *slack*, by how much what is not false exceeds the degree: a literal whose
//! weight is above it must hold. What follows without assumptions stays. Invariant: outside of [`Database::follows`], all
//! consequences of the constraints by propagation are on the trail, or there is a conflict.
//! Source: Moskewicz et al., *Chaff*, 2001; Gocht, McBride, Nordström and others, *VeriPB*.

use crate::constraint::{Constraint, Lit};

/// Where a constraint is.
#[derive(Clone, Copy, Debug)]
enum Stored {
    /// From and to in the list of literals. The first two are watched.
    Clause(usize, usize),
    /// A sum by its number.
    Sum(u32),
    /// Deleted, or nothing.
    Nothing,
}

/// What is looked at whenever a literal of a sum becomes false.
#[derive(Clone, Copy, Debug)]
struct Sum {
    slack: i128,
    /// The greatest weight.
    greatest: i128,
}

/// A clause that watches a literal.
#[derive(Clone, Copy, Debug)]
struct Watch {
    place: u32,
    /// Another literal of the clause: if it holds, there is nothing to do.
    other: Lit,
}

/// Constraints with what follows from them.
#[derive(Debug, Default)]
pub struct Database {
    stored: Vec<Stored>,
    /// The literals of all clauses.
    literals: Vec<Lit>,
    sums: Vec<Sum>,
    /// By sum: its terms, by falling weight.
    terms: Vec<Vec<(i128, Lit)>>,
    /// Sums that have no terms any more.
    unused: Vec<u32>,
    /// By literal: clauses that watch it.
    watches: Vec<Vec<Watch>>,
    /// By literal: sums that contain it, with its weight.
    occurrences: Vec<Vec<(u32, i128)>>,
    /// By literal: whether it holds.
    holds: Vec<bool>,
    trail: Vec<Lit>,
    /// How much of the trail has been propagated.
    head: usize,
    conflict: bool,
    /// Sums whose slack has become too small for some weight.
    tight: Vec<u32>,
}

impl Database {
    /// No constraints over so many variables.
    pub fn new(variables: usize) -> Database {
        let mut database = Database::default();
        database.grow(variables);
        database
    }
    /// There are so many variables.
    pub fn grow(&mut self, variables: usize) {
        self.watches.resize(2 * variables, Vec::new());
        self.occurrences.resize(2 * variables, Vec::new());
        self.holds.resize(2 * variables, false);
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
            self.add_clause(place, constraint)
        } else {
            self.add_sum(constraint)
        };
        self.stored.push(stored);
        self.propagate();
        place
    }
    /// Watches two literals that are not false, if there are.
    fn add_clause(&mut self, place: u32, constraint: &Constraint) -> Stored {
        let from = self.literals.len();
        self.literals.extend(constraint.terms.iter().map(|t| t.1));
        let to = self.literals.len();
        let holds = &self.holds;
        self.literals[from..to].sort_by_key(|&l| holds[(!l).index()]);
        match self.literals[from..to] {
            [] => self.conflict = true,
            [only] => self.make(only),
            [first, second, ..] => {
                self.watches[first.index()].push(Watch { place, other: second });
                self.watches[second.index()].push(Watch { place, other: first });
                if self.holds(!second) {
                    self.make(first);
                }
            }
        }
        Stored::Clause(from, to)
    }
    fn add_sum(&mut self, constraint: &Constraint) -> Stored {
        let number = self.unused.pop().unwrap_or(self.sums.len() as u32);
        let mut terms = constraint.terms.clone();
        terms.sort_unstable_by_key(|t| (std::cmp::Reverse(t.0), t.1));
        for &(weight, lit) in &terms {
            self.occurrences[lit.index()].push((number, weight));
        }
        // Cannot overflow: the weights of a constraint have been added up when it was made.
        let open = terms.iter().filter(|t| !self.holds(!t.1));
        let slack = open.map(|t| t.0).sum::<i128>() - constraint.degree;
        let sum = Sum { slack, greatest: terms.first().map_or(0, |t| t.0) };
        if number as usize == self.sums.len() {
            self.sums.push(sum);
            self.terms.push(terms);
        } else {
            self.sums[number as usize] = sum;
            self.terms[number as usize] = terms;
        }
        self.examine(number);
        Stored::Sum(number)
    }
    /// Deletes a constraint; what followed from it stays.
    pub fn delete(&mut self, place: u32) {
        if let Stored::Sum(number) = self.stored[place as usize] {
            for (_, lit) in std::mem::take(&mut self.terms[number as usize]) {
                let list = &mut self.occurrences[lit.index()];
                if let Some(at) = list.iter().rposition(|o| o.0 == number) {
                    list.swap_remove(at);
                }
            }
            self.unused.push(number);
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
                for &(number, weight) in &self.occurrences[(!lit).index()] {
                    self.sums[number as usize].slack += weight;
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
        let mut tight = std::mem::take(&mut self.tight);
        for &(number, weight) in &self.occurrences[lit.index()] {
            let sum = &mut self.sums[number as usize];
            sum.slack -= weight;
            if sum.slack < sum.greatest {
                tight.push(number);
            }
        }
        for number in tight.drain(..) {
            if !self.conflict {
                self.examine(number);
            }
        }
        self.tight = tight;
    }
    /// What follows from one sum now.
    fn examine(&mut self, number: u32) {
        let slack = self.sums[number as usize].slack;
        self.conflict |= slack < 0;
        let terms = std::mem::take(&mut self.terms[number as usize]);
        for &(_, lit) in terms.iter().take_while(|t| t.0 > slack) {
            if !self.conflict && !self.holds(!lit) {
                self.make(lit);
            }
        }
        self.terms[number as usize] = terms;
    }
    /// A literal has become false: clauses that watch it look for another literal.
    fn visit_clauses(&mut self, lit: Lit) {
        let mut watching = std::mem::take(&mut self.watches[lit.index()]);
        let (mut kept, mut at) = (0, 0);
        while at < watching.len() && !self.conflict {
            let Watch { place, other } = watching[at];
            at += 1;
            if self.holds(other) {
                watching[kept] = Watch { place, other };
                kept += 1;
                continue;
            }
            let Stored::Clause(from, to) = self.stored[place as usize] else { continue };
            let literals = &mut self.literals[from..to];
            if literals[0] == lit {
                literals.swap(0, 1);
            }
            let first = literals[0];
            let open = (2..literals.len()).find(|&i| !self.holds[(!literals[i]).index()]);
            if let Some(i) = open.filter(|_| !self.holds[first.index()]) {
                literals.swap(1, i);
                self.watches[literals[1].index()].push(Watch { place, other: first });
                continue;
            }
            watching[kept] = Watch { place, other: first };
            kept += 1;
            self.make(first);
        }
        watching.copy_within(at.., kept);
        watching.truncate(kept + watching.len() - at);
        // Nothing watches a literal that has just become false.
        self.watches[lit.index()] = watching;
    }
}
