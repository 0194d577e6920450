//! Lookahead: before a decision, variables are tried both ways; a literal that fails is excluded at once.
//!
//! A literal is tried as a decision is, so one that fails is a conflict like any other. What a literal implies is not tried
//! in the same round, since it fails no more than that literal did. Done only if it is asked for: it costs as many
//! propagations a decision as there are free variables.
//! Invariant: without a failed literal, the assignment after a round is that before it, and whatever propagation found.
//! Source: Simons, Niemelä and Soininen, *Extending and implementing the stable model semantics*, AIJ 2002.

use crate::base::index_vec::Idx;
use crate::solve::engine::Engine;
use crate::solve::engine::parameters::Candidates;
use crate::solve::engine::propagator::ConflictKind;
use crate::solve::engine::store::assignment::Reason;
use crate::solve::engine::store::literal::{Lit, Var};

/// What is tried before decisions.
#[derive(Clone, Debug)]
pub(crate) struct Lookahead {
    candidates: Vec<Var>,
    /// Rounds left.
    left: u64,
    /// Whether the decision is what leaves least open both ways.
    decides: bool,
    /// By literal: the last round in which it was implied.
    implied: Vec<u64>,
}

impl Lookahead {
    pub(crate) fn new(candidates: Vec<Var>, rounds: u64, decides: bool) -> Self {
        Self { candidates, left: rounds, decides, implied: Vec::new() }
    }
}

impl Engine {
    /// Tries the candidates. A conflict is one of the level that it leaves open. Otherwise the best literal to decide, if
    /// that is wanted.
    pub(crate) fn look_ahead(&mut self) -> Result<Option<Lit>, ConflictKind> {
        let Some(mut look) = self.lookahead.take() else { return Ok(None) };
        if look.left == 0 {
            return Ok(None);
        }
        look.implied.resize(2 * self.num_vars(), u64::MAX);
        look.left -= 1;
        let result = self.try_all(&mut look);
        self.lookahead = Some(look);
        result
    }

    fn try_all(&mut self, look: &mut Lookahead) -> Result<Option<Lit>, ConflictKind> {
        let level = self.level();
        let mut best: Option<((usize, usize), Lit)> = None;
        for &var in &look.candidates {
            let mut implied = [0; 2];
            for (i, lit) in [Lit::pos(var), !Lit::pos(var)].into_iter().enumerate() {
                let free = self.assignment.is_free(lit) && !self.eliminated.contains(var);
                if !free || look.implied[lit.code()] == look.left {
                    continue;
                }
                let before = self.assignment.trail.len();
                self.looked += 1;
                self.assignment.open_level();
                self.assignment.assign(lit, Reason::DECISION);
                self.propagate()?;
                for &lit in &self.assignment.trail[before..] {
                    look.implied[lit.code()] = look.left;
                }
                implied[i] = self.assignment.trail.len() - before;
                self.is_looking = true;
                self.backtrack(level);
                self.is_looking = false;
                // Clauses found on the way may imply something here.
                self.propagate()?;
                if self.level() < level {
                    return Ok(None);
                }
            }
            let score = (implied[0].min(implied[1]), implied[0].max(implied[1]));
            if self.assignment.is_free(Lit::pos(var)) && best.is_none_or(|(s, _)| score > s) {
                best = Some((score, if implied[0] >= implied[1] { Lit::pos(var) } else { !Lit::pos(var) }));
            }
        }
        let best = best.filter(|(score, lit)| {
            look.decides && score.1 > 0 && self.assignment.is_free(*lit) && !self.decide.uses_heap_only()
        });
        Ok(best.map(|(_, lit)| lit))
    }
}

/// The variables to try: those that are literals of atoms, the others, or all.
pub(crate) fn candidates(kind: Candidates, atoms: &[Lit], vars: usize) -> Vec<Var> {
    let mut is_atom = vec![false; vars];
    for lit in atoms {
        is_atom[lit.var().index()] = true;
    }
    let wanted = |v: &usize| match kind {
        Candidates::Atoms => is_atom[*v],
        Candidates::Bodies => !is_atom[*v],
        Candidates::All => true,
    };
    (0..vars).filter(wanted).map(|v| Var(v as u32)).collect()
}
