//! Lookahead: before a decision, variables are tried both ways; a literal that fails is excluded at once.
//!
//! A literal is tried like a decision, so one that fails is a conflict like any other. Literals implied by a tried one
//! are not tried in the same round, since their consequences are among its own. Used only on request: each decision
//! costs as many propagations as there are free variables. Invariant: if no literal fails, the assignment after a round
//! is the one before it, and whatever propagation found.
//! Source: Simons, Niemelä and Soininen, *Extending and implementing the stable model semantics*, AIJ 2002.

use crate::Engine;
use crate::propagator::ConflictKind;
use crate::store::assignment::Reason;
use crate::store::decisions::Lookahead;
use crate::store::literal::Lit;

impl Engine {
    /// Tries the candidates. A conflict belongs to the level that is left open. Otherwise returns the best literal to
    /// decide, if that is wanted.
    pub(crate) fn look_ahead(&mut self) -> Result<Option<Lit>, ConflictKind> {
        let Some(mut look) = self.decisions.lookahead.take() else { return Ok(None) };
        if look.left == 0 {
            return Ok(None);
        }
        look.implied.resize(2 * self.num_vars(), u64::MAX);
        look.left -= 1;
        let result = self.try_all(&mut look);
        self.decisions.lookahead = Some(look);
        result
    }

    fn try_all(&mut self, look: &mut Lookahead) -> Result<Option<Lit>, ConflictKind> {
        let level = self.level();
        let mut best: Option<((usize, usize), Lit)> = None;
        for &var in &look.candidates {
            let mut implied = [0; 2];
            for (i, lit) in [Lit::pos(var), !Lit::pos(var)].into_iter().enumerate() {
                let free = self.assignment.is_free(lit)
                    && !self.clauses.eliminated.contains(var)
                    && !self.decisions.order.is_retired(var);
                if !free || look.implied[lit.code()] == look.left {
                    continue;
                }
                let before = self.assignment.trail.len();
                self.decisions.looked += 1;
                self.assignment.open_level();
                self.assignment.assign(lit, Reason::DECISION);
                self.propagate()?;
                // Propagators may have added variables.
                look.implied.resize(2 * self.num_vars(), u64::MAX);
                for &lit in &self.assignment.trail[before..] {
                    look.implied[lit.code()] = look.left;
                }
                implied[i] = self.assignment.trail.len() - before;
                self.decisions.is_looking = true;
                self.backtrack(level);
                self.decisions.is_looking = false;
                // Clauses found meanwhile may imply something here.
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
            look.decides
                && score.1 > 0
                && self.assignment.is_free(*lit)
                && !self.decisions.order.uses_heap_only()
        });
        Ok(best.map(|(_, lit)| lit))
    }
}
