//! Subsumption and strengthening: a clause that contains all literals of another one is removed; one that contains them
//! all except that one is complemented loses that literal.
//!
//! Clauses are visited by length; each is first checked against the shorter ones, which are listed under one of their
//! literals, and against binary clauses, then listed itself.
//! Invariant: as for all inprocessing passes; a learned clause that subsumes an original one becomes original, so that
//! deletion never weakens the formula.
//! Source: Eén and Biere, *Effective preprocessing in SAT through variable and clause elimination*, SAT 2005; Zhang,
//! *On subsumption removal and on-the-fly CNF simplification*, SAT 2005.

use crate::Engine;
use crate::store::arena::ClauseRef;
use crate::store::literal::Lit;

/// Longer clauses are skipped.
const MAX_LENGTH: usize = 100;

/// The effect of shorter clauses on a longer one.
enum Verdict {
    Nothing,
    Subsumed(Option<ClauseRef>),
    /// This literal is removed.
    Strengthened(Lit),
}

impl Engine {
    /// One round. `false`: there is no model.
    pub(crate) fn subsume(&mut self) -> bool {
        let short = |c: &ClauseRef| self.clauses.arena.len(*c) <= MAX_LENGTH;
        let mut order: Vec<ClauseRef> = self.clauses.arena.iter().filter(short).collect();
        order.sort_by_key(|&c| (self.clauses.arena.len(c), self.clauses.arena.is_learned(c), c));
        let mut counts = vec![0u32; 2 * self.num_vars()];
        for &c in &order {
            self.clauses.arena.literals(c).for_each(|l| counts[l.code()] += 1);
        }
        let mut listed: Vec<Vec<ClauseRef>> = vec![Vec::new(); 2 * self.num_vars()];
        let mut marks = vec![false; 2 * self.num_vars()];
        for c in order {
            if self.is_exhausted() {
                break;
            }
            if self.clauses.arena.literals(c).any(|l| !self.assignment.is_free(l)) {
                continue;
            }
            let literals: Vec<Lit> = self.clauses.arena.literals(c).collect();
            literals.iter().for_each(|&l| marks[l.code()] = true);
            let verdict = self.compare(c, &literals, &marks, &listed);
            literals.iter().for_each(|&l| marks[l.code()] = false);
            match verdict {
                Verdict::Nothing => {
                    let rarest = literals.iter().min_by_key(|l| (counts[l.code()], l.code()));
                    rarest.iter().for_each(|l| listed[l.code()].push(c));
                }
                Verdict::Subsumed(by) => {
                    self.stats.subsumed.0 += 1;
                    if let Some(by) = by
                        && self.clauses.arena.is_learned(by)
                        && !self.clauses.arena.is_learned(c)
                    {
                        self.clauses.make_original(by);
                    }
                    self.clauses.discard(c);
                }
                Verdict::Strengthened(lit) => {
                    self.stats.subsumed.1 += 1;
                    let rest: Vec<Lit> = literals.into_iter().filter(|&l| l != lit).collect();
                    if !self.replace_clause(c, &rest) {
                        return false;
                    }
                }
            }
        }
        self.collect();
        true
    }
    /// Compares a clause, whose literals are marked, with shorter ones.
    fn compare(
        &mut self,
        c: ClauseRef,
        literals: &[Lit],
        marks: &[bool],
        listed: &[Vec<ClauseRef>],
    ) -> Verdict {
        for &lit in literals {
            let binary = &self.clauses.watches.binary;
            self.control.ticks += 1 + (binary[lit.code()].len() + binary[(!lit).code()].len()) as u64 / 8;
            if binary[lit.code()].iter().any(|o| marks[o.code()]) {
                return Verdict::Subsumed(None);
            }
            if binary[(!lit).code()].iter().any(|o| marks[o.code()]) {
                return Verdict::Strengthened(lit);
            }
        }
        for &lit in literals {
            for list in [&listed[lit.code()], &listed[(!lit).code()]] {
                for &d in list {
                    self.control.ticks += 1;
                    if self.clauses.arena.is_garbage(d)
                        || self.clauses.arena.len(d) > literals.len()
                        || d == c
                    {
                        continue;
                    }
                    // The one literal whose complement is marked.
                    let mut turned = None;
                    let fits = self
                        .clauses
                        .arena
                        .literals(d)
                        .all(|l| marks[l.code()] || marks[(!l).code()] && turned.replace(!l).is_none());
                    match (fits, turned) {
                        (true, None) => return Verdict::Subsumed(Some(d)),
                        // A learned clause may be deleted later, but what it implies stays true.
                        (true, Some(lit)) => return Verdict::Strengthened(lit),
                        _ => {}
                    }
                }
            }
        }
        Verdict::Nothing
    }
}
