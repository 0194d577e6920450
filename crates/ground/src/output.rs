//! What is written once all components are complete: consistency of classical negation, shown and projected atoms.
//!
//! Invariant: entries are written predicate by predicate in order of first appearance, and row by row, so the order of
//! output follows the text and never depends on hashing.

use super::domain::table::Row;
use super::state::State;
use asp_base::index_vec::IndexVec;
use asp_base::map::Map;
use asp_base::signature::Signature;
use asp_base::symbol::{Sym, SymView};
use asp_program::ground_program::{Show, ShowItem};
use asp_program::{Literal, RuleSource};
use asp_rewrite::predicate::PredId;

impl State<'_> {
    /// Adds plain facts.
    pub(super) fn add_facts(&mut self, facts: &[(PredId, Sym)]) {
        for &(pred, f) in facts {
            let SymView::Fun { args, .. } = self.symbols.view(f) else { continue };
            let (row, _) = self.domains[pred].insert(args);
            self.make_fact(pred, row, RuleSource::NONE);
        }
    }

    /// Writes `:- p(t), -p(t).` for all pairs that are new since the last call.
    pub(super) fn write_consistency(&mut self, done: &mut Map<PredId, (u32, u32)>) {
        let negative: Vec<(PredId, Signature)> = self
            .predicates
            .iter()
            .filter(|(_, p)| p.signature.negative && !p.auxiliary)
            .map(|(id, p)| (id, p.signature))
            .collect();
        for (neg, signature) in negative {
            let Some(pos) = self.predicates.find(Signature { negative: false, ..signature }) else {
                continue;
            };
            let (neg_done, pos_done) = done.get(&neg).copied().unwrap_or((0, 0));
            let (neg_len, pos_len) = (self.domains[neg].len(), self.domains[pos].len());
            done.insert(neg, (neg_len, pos_len));
            for row in 0..neg_len {
                let other = self.domains[pos].find(self.domains[neg].table().args(row));
                let Some(other) = other else { continue };
                if row < neg_done && other < pos_done {
                    continue;
                }
                let mut body = Vec::with_capacity(2);
                for (pred, row) in [(pos, other), (neg, row)] {
                    let domain = &self.domains[pred];
                    if let (false, Some(atom)) = (domain.is_fact(row), domain.atom(row)) {
                        body.push(Literal::pos(atom));
                    }
                }
                self.program.rules.add(false, &[], &body, RuleSource::NONE);
            }
        }
    }

    /// Writes show entries for atoms that are shown by their signature.
    pub(super) fn write_shows(&mut self, signatures: Option<&[Signature]>, done: &mut IndexVec<PredId, u32>) {
        self.program.show_signatures = signatures.map(<[Signature]>::to_vec);
        let predicates = &*self.predicates;
        for (pred, p) in predicates.iter() {
            if p.auxiliary || signatures.is_some_and(|s| !s.contains(&p.signature)) {
                continue;
            }
            let first = std::mem::replace(&mut done[pred], self.domains[pred].len());
            for row in first..self.domains[pred].len() {
                let domain = &self.domains[pred];
                if domain.is_fact(row) {
                    let args = domain.table().args(row);
                    let term = self.symbols.fun(p.signature.name, args, p.signature.negative);
                    let condition = self.program.push_literals(&[]);
                    self.program.shows.push(Show { item: ShowItem::Fact(term), condition });
                } else if let Some(atom) = domain.atom(row) {
                    let condition = self.program.push_literals(&[Literal::pos(atom)]);
                    self.program.shows.push(Show { item: ShowItem::Atom(atom), condition });
                }
            }
        }
    }

    /// Writes the atoms named by `#project p/n.`
    pub(super) fn write_projection(&mut self, signatures: &[Signature], done: &mut IndexVec<PredId, u32>) {
        if signatures.is_empty() {
            return;
        }
        for pred in self.predicates.iter().map(|(pred, _)| pred).collect::<Vec<_>>() {
            let p = &self.predicates[pred];
            if p.auxiliary || !signatures.contains(&p.signature) {
                continue;
            }
            let first = std::mem::replace(&mut done[pred], self.domains[pred].len());
            (first..self.domains[pred].len()).for_each(|row| self.project(pred, row));
        }
    }

    /// Projects on an atom that may hold.
    pub(super) fn project(&mut self, pred: PredId, row: Row) {
        let (domain, signature) = (&self.domains[pred], self.predicates[pred].signature);
        if domain.is_fact(row) {
            let fact = self.symbols.fun(signature.name, domain.table().args(row), signature.negative);
            self.program.project.get_or_insert_default();
            self.program.projected_facts.push(fact);
        } else if let Some(atom) = domain.atom(row) {
            self.program.project.get_or_insert_default().push(atom);
        }
    }
}
