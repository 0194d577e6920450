//! How much of a lowered program a writer of ground formats has written, and the numbers that such formats use.
//!
//! Invariant: atom `n` of the formats is the atom with index `n - 1`; nodes of edges are numbered in order of
//! appearance, but those that a ground program or a caller gave as numbers keep them, unless another node has them already.

use super::atom_table::{AtomId, Literal};
use super::ground_program::{Edge, Program, ShowItem};
use super::rule::RuleSource;
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, SymView, Symbols};

/// Positions in a program after the last step written.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    pub(super) rules: usize,
    pub(super) shows: usize,
    pub(super) project: usize,
    pub(super) externals: usize,
    pub(super) heuristics: usize,
    pub(super) edges: usize,
    pub(super) assumptions: usize,
    /// Terms, elements and atoms of theories.
    pub(super) theory: (usize, usize, usize),
    nodes: Map<Sym, i64>,
    /// Numbers of nodes, and the least that was not tried for a node without one.
    taken: Set<i64>,
    next: i64,
}

impl Written {
    /// Records that everything has been written.
    pub(super) fn note(&mut self, program: &Program) {
        self.rules = program.rules.len();
        self.shows = program.shows.len();
        self.project = program.project.as_ref().map_or(0, Vec::len);
        self.externals = program.externals.len();
        self.heuristics = program.heuristics.len();
        self.edges = program.edges.len();
        self.assumptions = program.assumptions.len();
        let theory = &program.theory;
        self.theory = (theory.terms.len(), theory.elements.len(), theory.atoms.len());
    }

    /// The numbers of an edge's nodes.
    pub(super) fn nodes(&mut self, edge: &Edge, symbols: &Symbols) -> [i64; 2] {
        [edge.from, edge.to].map(|node| {
            if let Some(&known) = self.nodes.get(&node) {
                return known;
            }
            let own = match symbols.view(node) {
                SymView::Num(n) if edge.source == RuleSource::NONE => Some(n),
                _ => None,
            };
            let number = own.filter(|n| !self.taken.contains(n)).unwrap_or_else(|| {
                while self.taken.contains(&self.next) {
                    self.next += 1;
                }
                self.next
            });
            self.taken.insert(number);
            self.nodes.insert(node, number);
            number
        })
    }
}

/// The show entries from a number on, in order. A shown term occurs once, with all its conditions, each once and sorted, or
/// only an empty one if there is one. Other entries have just their own.
pub(super) fn shown(program: &Program, from: usize) -> Vec<(usize, Vec<Vec<Literal>>)> {
    let mut places: Map<Sym, usize> = Map::default();
    let mut shown: Vec<(usize, Vec<Vec<Literal>>)> = Vec::new();
    for (entry, show) in program.shows.iter().enumerate().skip(from) {
        let ShowItem::Term(term) = show.item else {
            shown.push((entry, Vec::new()));
            continue;
        };
        let place = *places.entry(term).or_insert(shown.len());
        if place == shown.len() {
            shown.push((entry, Vec::new()));
        }
        let mut condition = program.literals(show.condition).to_vec();
        condition.sort_unstable();
        condition.dedup();
        let conditions = &mut shown[place].1;
        if condition.is_empty() {
            conditions.clear();
        }
        if !conditions.contains(&condition) && !conditions.first().is_some_and(Vec::is_empty) {
            conditions.push(condition);
        }
    }
    shown
}

pub(super) fn number(atom: AtomId) -> i64 {
    i64::from(atom.0) + 1
}

/// The number of a literal's atom, negative if the literal is.
pub(super) fn signed(literal: Literal) -> i64 {
    if literal.is_neg() { -number(literal.atom()) } else { number(literal.atom()) }
}
