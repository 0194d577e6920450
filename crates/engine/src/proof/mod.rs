//! A log of the search that proves the result to a checker: steps in the format of VeriPB.
//!
//! The engine's variables have names: those of the ground program's atoms and bodies, as [`rules`] numbers them. A clause that
//! the engine derives is a `rup` step: its negation leads to a conflict by unit propagation over the axioms and the steps
//! before. What unit propagation does not see has lines of its own: unfounded sets are axioms, each with its set as witness
//! (see [`rules`]).
//! Invariant: a wrong step is rejected by the checker; if something cannot be logged, the log says so, and no
//! proof is claimed. Source: Gocht and Nordström, *Certifying parity reasoning efficiently using pseudo-Boolean proofs*,
//! AAAI 2021; Alviano, Dodaro, Fichte, Hecher, Philipp and Rath, *Inconsistency proofs for ASP: the ASP-DRUPE format*, TPLP
//! 2019, for unfounded sets as steps.

mod cores;
pub mod opb;
pub mod rules;
pub mod sums;

use std::io::{self, BufWriter, Write};

use crate::store::assignment::Assignment;
use crate::store::literal::Lit;
use asp_base::index_vec::Idx;
use asp_base::map::{Map, Set, hash_words};
use cores::Ledger;
use opb::Numbers;
use rules::{FALSE, Name, Rules, TRUE};
use sums::Sums;

/// Where the steps of a proof go.
pub type ProofSink = Box<dyn Write + Send>;

/// The parts of a finished proof besides its steps.
pub struct ProofEnd {
    /// The program of the proof.
    pub rules: Rules,
    /// The unfounded sets, as they were found.
    pub loops: Vec<Loop>,
    /// The models: which atoms hold.
    pub models: Vec<Vec<bool>>,
    /// Why the steps are no proof.
    pub gap: Option<&'static str>,
    /// The first error of writing.
    pub error: Option<io::Error>,
}

/// The origin of an axiom beyond the completion.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Loop {
    /// A set of atoms that are unfounded if none of some literals holds.
    Unfounded {
        /// Atoms that only support each other.
        atoms: Vec<Name>,
        /// The bodies outside that could support it.
        escapes: Vec<Name>,
    },
    /// Edges that form a cycle.
    Cycle {
        /// Their numbers, from 1.
        edges: Vec<Name>,
        /// The literals under which they are there, each once.
        conditions: Vec<Name>,
    },
}

/// The labels of clauses that may be deleted, by content.
#[derive(Default)]
struct Labels {
    by_content: Map<u64, u64>,
    next: u64,
    scratch: Vec<u32>,
}

impl Labels {
    fn key(&mut self, clause: impl Iterator<Item = Lit>) -> u64 {
        self.scratch.clear();
        self.scratch.extend(clause.map(|l| l.code() as u32));
        self.scratch.sort_unstable();
        hash_words(1, self.scratch.iter().copied())
    }
}

/// Where lines go, until that fails.
struct Out {
    to: BufWriter<ProofSink>,
    error: Option<io::Error>,
}

/// Loops in the order in which they were found, each once.
#[derive(Default)]
struct Loops {
    all: Vec<Loop>,
    known: Set<Loop>,
}

/// The log of one engine.
pub struct ProofLog {
    /// The program of the proof.
    pub rules: Rules,
    /// By variable.
    names: Vec<Name>,
    /// By variable of the proof: the engine's literal, if it has one.
    lits: Vec<Lit>,
    out: Out,
    line: Vec<u8>,
    labels: Labels,
    loops: Loops,
    /// The models so far: which atoms hold.
    pub models: Vec<Vec<bool>>,
    /// The number of the completion's axioms, and of those that define sums.
    axioms: Option<Numbers>,
    sums: Sums,
    ledger: Ledger,
    gap: Option<&'static str>,
}

impl ProofLog {
    /// A log of a search in a program with these rules.
    pub fn new(rules: Rules, sink: ProofSink) -> Self {
        Self {
            lits: vec![Lit::NONE; rules.num_vars() + 1],
            rules,
            names: Vec::new(),
            out: Out { to: BufWriter::with_capacity(1 << 16, sink), error: None },
            line: Vec::new(),
            labels: Labels::default(),
            loops: Loops::default(),
            models: Vec::new(),
            axioms: None,
            sums: Sums::default(),
            ledger: Ledger::default(),
            gap: None,
        }
    }
    /// Ends the log; returns its parts besides the steps, which are written out.
    pub fn finish(mut self) -> ProofEnd {
        let flushed = self.out.to.flush();
        let error = self.out.error.or(flushed.err());
        ProofEnd { rules: self.rules, loops: self.loops.all, models: self.models, gap: self.gap, error }
    }
    /// The log is no proof, because of this.
    pub(crate) fn leave_gap(&mut self, why: &'static str) {
        self.gap.get_or_insert(why);
    }
    /// Names a variable by one of its literals.
    pub fn name(&mut self, lit: Lit, name: Name) {
        let at = lit.var().index();
        if at >= self.names.len() {
            self.names.resize(at + 1, 0);
        }
        self.names[at] = if lit.is_neg() { -name } else { name };
        self.locate(name, lit);
    }
    /// Says which literal of the engine has the value of a name.
    pub fn locate(&mut self, name: Name, lit: Lit) {
        if let Some(known) = self.lits.get_mut(name.unsigned_abs() as usize) {
            *known = if name < 0 { !lit } else { lit };
        }
    }
    /// The name of a literal.
    fn name_of(&mut self, lit: Lit) -> Name {
        match self.names.get(lit.var().index()) {
            None | Some(0) => {
                self.leave_gap("a variable has no name");
                FALSE
            }
            Some(&name) if lit.is_neg() => -name,
            Some(&name) => name,
        }
    }
    /// Puts a clause, if it is not trivial, into the line. Returns whether it is not.
    fn put_clause(&mut self, clause: impl IntoIterator<Item = Lit>) -> bool {
        for lit in clause {
            match self.name_of(lit) {
                TRUE => return false,
                FALSE => {}
                name => {
                    self.line.extend_from_slice(b" 1 ");
                    self.rules.put_name(name, &mut self.line);
                }
            }
        }
        self.line.extend_from_slice(b" >= 1 ;\n");
        true
    }
    fn flush_line(&mut self) {
        if self.out.error.is_none()
            && let Err(error) = self.out.to.write_all(&self.line)
        {
            self.out.error = Some(error);
        }
        self.line.clear();
    }
    /// A clause that follows by unit propagation.
    pub fn rup(&mut self, clause: &[Lit]) {
        self.put_rup(clause);
        self.drop_pending();
    }
    fn put_rup(&mut self, clause: &[Lit]) {
        self.line.clear();
        self.line.extend_from_slice(b"rup");
        if self.put_clause(clause.iter().copied()) {
            self.flush_line();
        }
    }
    /// The same for a clause that may be deleted.
    pub(crate) fn learn(&mut self, clause: &[Lit]) {
        let key = self.labels.key(clause.iter().copied());
        if clause.len() < 3 || self.labels.by_content.contains_key(&key) {
            return self.rup(clause);
        }
        self.line.clear();
        self.line.extend_from_slice(b"@l");
        put_number(self.labels.next, &mut self.line);
        self.line.extend_from_slice(b" rup");
        if self.put_clause(clause.iter().copied()) {
            self.labels.by_content.insert(key, self.labels.next);
            self.labels.next += 1;
            self.flush_line();
        }
        self.drop_pending();
    }
    /// A clause is deleted.
    pub(crate) fn forget(&mut self, clause: impl Iterator<Item = Lit>) {
        let key = self.labels.key(clause);
        if let Some(label) = self.labels.by_content.remove(&key) {
            self.line.clear();
            self.line.extend_from_slice(b"del id @l");
            put_number(label, &mut self.line);
            self.line.extend_from_slice(b" ;\n");
            self.flush_line();
        }
    }
    /// Two literals of the proof are equivalent: both implications follow by unit propagation.
    pub fn equal(&mut self, a: Name, b: Name) {
        self.implies(a, b);
        self.implies(b, a);
    }
    /// A literal of the proof implies another, by unit propagation.
    pub fn implies(&mut self, a: Name, b: Name) {
        if a == FALSE || b == TRUE {
            return;
        }
        self.line.clear();
        self.line.extend_from_slice(b"rup");
        for name in [-a, b].into_iter().filter(|&n| n != FALSE) {
            self.line.extend_from_slice(b" 1 ");
            self.rules.put_name(name, &mut self.line);
        }
        self.line.extend_from_slice(b" >= 1 ;\n");
        self.flush_line();
    }
    /// A set of program atoms is unfounded under the assignment, because these literals are false.
    pub(crate) fn unfounded(
        &mut self,
        atoms: impl Iterator<Item = u32>,
        reason: impl Iterator<Item = Lit>,
        assignment: &Assignment,
    ) {
        // Auxiliary atoms, which only the translation has, stand for bodies.
        let known = |a: &u32| (*a as usize) < self.rules.own_atoms;
        let mut set: Vec<Name> = atoms.filter(known).map(|a| a as Name + 1).collect();
        set.sort_unstable();
        if set.is_empty() {
            return;
        }
        let lits = &self.lits;
        let reason: Set<Lit> = reason.collect();
        let literal = |name: Name| {
            let lit = lits.get(name.unsigned_abs() as usize).copied().filter(|&lit| lit != Lit::NONE)?;
            Some(if name < 0 { !lit } else { lit })
        };
        let is_reason = |name| literal(name).is_some_and(|lit| reason.contains(&lit));
        let is_false = |name| literal(name).is_some_and(|lit| assignment.is_false(lit));
        match self.rules.escapes(&set, &is_reason, &is_false) {
            Some(escapes) => self.note_loop(Loop::Unfounded { atoms: set, escapes }),
            None => self.leave_gap("a set of atoms is not unfounded by the rules alone"),
        }
    }
    /// The same may be found again and again.
    fn note_loop(&mut self, found: Loop) {
        if self.loops.known.insert(found.clone()) {
            self.loops.all.push(found);
        }
    }
    /// Edges of the program, by their places in it, form a cycle if they are all there.
    pub fn cycle(&mut self, edges: impl Iterator<Item = u32>) {
        let edges: Vec<Name> = edges.map(|e| e as Name + 1).collect();
        let condition = |&e: &Name| self.rules.edges.get(e as usize - 1).copied().unwrap_or(TRUE);
        let mut conditions: Vec<Name> = edges.iter().map(condition).collect();
        conditions.sort_unstable();
        conditions.dedup();
        self.note_loop(Loop::Cycle { edges, conditions });
    }
    /// Names a literal after an equivalent one.
    pub(crate) fn alias(&mut self, own: Lit, lit: Lit) {
        let name = self.name_of(lit);
        let at = own.var().index();
        if at >= self.names.len() {
            self.names.resize(at + 1, 0);
        }
        self.names[at] = if own.is_neg() { -name } else { name };
    }
    /// A clause added to the engine. It follows from an axiom by unit propagation, unless literals of the axiom have been
    /// merged.
    pub(crate) fn note_input(&mut self, clause: &[Lit]) {
        self.labels.scratch.clear();
        self.labels.scratch.extend(clause.iter().map(|l| l.code() as u32));
        self.labels.scratch.sort_unstable();
        if self.labels.scratch.windows(2).any(|w| w[0] == w[1]) {
            self.rup(clause);
        }
    }
}

/// Appends a number in decimal digits.
pub(super) fn put_number(n: impl itoa::Integer, line: &mut Vec<u8>) {
    line.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
}
