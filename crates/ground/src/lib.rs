//! Instantiation: rules over variables to a ground program, component by component, semi-naively.
//!
//! A component's rules run once over what is complete; then, round by round, each rule with a literal of the component
//! runs once for each such literal: that literal ranges over the new atoms of the last round, those before it over
//! older atoms, and those after it over both, so that no instance is made twice. Rules whose aggregates, conditional
//! literals or head conditions read the component itself (*late* rules) only derive atoms during the rounds and write
//! their instances at the end.
//!
//! The files build on each other: `texts` are read, and `call` grounds parts of them. `domain` holds the atoms, `state` the
//! state of grounding, `parity` the decisions that follow gringo; `compile` orders the literals of a rule by the plans of
//! `join`, whose machine runs them; `instance` handles the instances of a rule, and a `sink` decides whether they are written or
//! only derive atoms; `instantiate` runs one rule, `improve` in a better form, `component` all rules in rounds.
//!
//! Invariant: when a component ends, the domains of its predicates are complete: no later rule adds to them within the
//! same call. Source: Kaminski and Schaub, *On the foundations of grounding in answer set programming*, TPLP 2023;
//! Ullman, *Principles of database and knowledge-base systems*, 1988, for semi-naive evaluation.

mod additions;
mod call;
mod compile;
mod component;
mod decisive;
pub mod domain;
pub mod function;
mod improve;
mod instance;
mod instantiate;
pub mod join;
mod objectives;
mod options;
mod output;
mod parity;
mod readers;
mod record;
mod review;
mod sink;
mod spelling;
mod state;
mod swapped;
mod texts;
mod values;

pub use function::{Caller, Callers, Listener};
pub use options::{GroundError, GroundOptions};

use asp_base::index_vec::{Idx as _, IndexVec};
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym};
use asp_program::AtomId;
use asp_program::journal::Journal;
use asp_rewrite::predicate::{PredId, Predicates};
use asp_rewrite::translate::translator::Projections;
use asp_syntax::ast;
use domain::Domain;
use instance::theory::TheoryTable;
use record::Recorder;
use texts::Texts;

/// Grounds program parts, one call at a time, and keeps the domains between calls.
pub struct Grounder {
    options: GroundOptions,
    texts: Texts,
    predicates: Predicates,
    projections: Projections,
    domains: IndexVec<PredId, Domain>,
    theory: TheoryTable,
    written: Written,
    reports: Reports,
    externals: Externals,
    instances: u64,
    recorder: Recorder,
}

/// How much of the domains earlier calls have written.
#[derive(Default)]
struct Written {
    /// How many rows of each domain have been shown, and projected on.
    shown: IndexVec<PredId, u32>,
    projected: IndexVec<PredId, u32>,
    /// Rows of pairs `p`, `-p` that have been checked for consistency.
    consistent: Map<PredId, (u32, u32)>,
}

/// Predicates of external atoms.
#[derive(Default)]
struct Externals {
    predicates: Set<PredId>,
    /// The number of values of the program's externals examined.
    seen: usize,
}

/// What was reported already, so that nothing is reported twice.
#[derive(Default)]
struct Reports {
    /// With a tuple, where each is reported.
    places: Set<(Span, Vec<Sym>)>,
    /// Lints, by name and place.
    lints: Set<(&'static str, Span)>,
    /// Whether the lints on all statements together have run.
    whole: bool,
}

impl Grounder {
    /// A grounder without a program.
    pub fn new(options: GroundOptions) -> Self {
        Self {
            options,
            texts: Texts::default(),
            predicates: Predicates::default(),
            projections: Projections::default(),
            domains: IndexVec::new(),
            theory: TheoryTable::default(),
            written: Written::default(),
            reports: Reports::default(),
            externals: Externals::default(),
            instances: 0,
            recorder: Recorder::default(),
        }
    }

    /// The journal so far.
    pub fn journal(&self) -> &Journal {
        &self.recorder.journal
    }

    /// Whether an atom is a fact, and its ground atom; `None` if nothing derives it so far.
    pub fn find(&self, signature: Signature, args: &[Sym]) -> Option<(bool, Option<AtomId>)> {
        let (number, row) = self.find_row(signature, args)?;
        let domain = &self.domains[PredId::from_usize(number as usize)];
        Some((domain.is_fact(row), domain.atom(row)))
    }

    /// Number of predicates.
    pub fn predicates(&self) -> u32 {
        self.domains.len() as u32
    }

    /// A predicate of the user's program, and how many of its atoms may hold; `None` for an auxiliary one.
    pub fn predicate(&self, number: u32) -> Option<(Signature, u32)> {
        let id = PredId::from_usize(number as usize);
        let predicate = (number < self.predicates()).then(|| &self.predicates[id])?;
        (!predicate.auxiliary).then(|| (predicate.signature, self.domains[id].len()))
    }

    /// Whether a body reads a predicate.
    pub fn is_read(&self, number: u32) -> bool {
        let id = PredId::from_usize(number as usize);
        number < self.predicates() && !self.predicates[id].first_use.is_none()
    }

    /// An atom of a predicate: arguments, whether it is a fact, and its ground atom.
    pub fn row(&self, number: u32, row: u32) -> Option<(Signature, &[Sym], bool, Option<AtomId>)> {
        let (signature, rows) = self.predicate(number)?;
        let domain = &self.domains[PredId::from_usize(number as usize)];
        (row < rows).then(|| (signature, domain.table().args(row), domain.is_fact(row), domain.atom(row)))
    }

    /// The number of a predicate, and the row of the atom with some arguments.
    pub fn find_row(&self, signature: Signature, args: &[Sym]) -> Option<(u32, u32)> {
        let id = self.predicates.find(signature).filter(|id| id.index() < self.domains.len())?;
        Some((id.index() as u32, self.domains[id].find(args)?))
    }

    /// Makes a domain for each predicate.
    fn make_domains(&mut self) {
        while self.domains.len() < self.predicates.len() {
            let arity = self.predicates[self.domains.next_index()].signature.arity;
            self.domains.push(Domain::new(arity as usize));
        }
        while self.written.shown.len() < self.predicates.len() {
            self.written.shown.push(0);
            self.written.projected.push(0);
        }
    }

    /// The atoms that may hold, of all predicates with a fitting signature: arguments, and whether it is a fact.
    pub fn rows(&self, fits: impl Fn(Signature) -> bool) -> impl Iterator<Item = (Signature, &[Sym], bool)> {
        let known = self.predicates.iter().filter(move |(_, p)| !p.auxiliary && fits(p.signature));
        known.flat_map(|(id, p)| {
            let domain = &self.domains[id];
            (0..domain.len()).map(|row| (p.signature, domain.table().args(row), domain.is_fact(row)))
        })
    }

    /// Number of instances made so far.
    pub fn instances(&self) -> u64 {
        self.instances
    }

    /// The value of a constant of the program.
    pub fn constant(&self, name: StrId) -> Option<Sym> {
        self.texts.constants.get(&name).copied()
    }

    /// The constants of the program and their values.
    pub fn constants(&self) -> impl Iterator<Item = (StrId, Sym)> {
        self.texts.constants.iter().map(|(&name, &value)| (name, value))
    }

    /// Whether the first `#show p/n` came after shown atoms, which it may hide.
    pub fn hides_late(&self) -> bool {
        self.texts.shows.late
    }

    /// Whether atoms of a predicate are shown.
    pub fn shows(&self, signature: Signature) -> bool {
        self.texts.shows.signatures.as_ref().is_none_or(|shown| shown.contains(&signature))
    }

    /// The query of ASP-Core-2, if the program has one.
    pub fn query(&self) -> Option<&ast::Atom> {
        self.texts.query.as_ref().map(|q| &q.0)
    }
}

#[cfg(test)]
mod tests;
