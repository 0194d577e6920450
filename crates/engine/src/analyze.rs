//! Conflict analysis: first unique implication point, minimisation, strengthening, LBD, and the assumptions behind a failed
//! one.
//!
//! The false clause of the conflict is resolved with reasons backwards along the trail until one literal of the
//! conflict's level is left. Reasons of weight constraints and propagators are explained once per conflict.
//! Invariant: between conflicts no variable is marked and no level counted.
//! Source: Marques-Silva and Sakallah, *GRASP*, 1996; Sörensson and Biere, *Minimizing learned clauses*, SAT 2009;
//! Knuth, *TAOCP* 7.2.2.2 (early aborts); Audemard and Simon, *glucose* (strengthening by binary clauses).

use crate::Engine;
use crate::parameters::{Antecedents, UpdateLbd};
use crate::propagator::{ConflictKind, PropagatorId};
use crate::store::analyzer::{Analyzer, Antecedent, Frame, LevelCount, Levels, POISON, REMOVABLE, SEEN};
use crate::store::arena::{Arena, ClauseRef};
use crate::store::assignment::{Reason, ReasonKind, VarInfo};
use crate::store::control::MIDDLE_LBD;
use crate::store::literal::{Lit, Var};
use asp_base::index_vec::IndexVec;

/// Strengthening by binary clauses is limited to this LBD and length.
const STRENGTHEN_LBD: u32 = 6;
const STRENGTHEN_LEN: usize = 30;

/// What to do after the analysis of a conflict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learned {
    pub(crate) backjump: u32,
    pub(crate) lbd: u32,
}

/// Literals of the analysis, wherever they are stored.
struct Sources<'a> {
    conflict: &'a [Lit],
    explained: &'a [Lit],
    arena: &'a Arena,
}

/// What the analysis records of literals that it meets.
struct Meeting<'a> {
    /// The conflict's level.
    level: u32,
    vars: &'a IndexVec<Var, VarInfo>,
    marks: &'a mut IndexVec<Var, u8>,
    analyzed: &'a mut Vec<Var>,
    learned: &'a mut Vec<Lit>,
    levels: &'a mut Levels,
}

impl Meeting<'_> {
    /// Records a false literal of a clause; returns whether it is a new one of the conflict's level.
    #[inline]
    fn meet(&mut self, lit: Lit) -> bool {
        let var = lit.var();
        let mark = &mut self.marks[var];
        if *mark & SEEN != 0 {
            return false;
        }
        let VarInfo { level, position, .. } = self.vars[var];
        if level == 0 {
            return false;
        }
        *mark |= SEEN;
        self.analyzed.push(var);
        if level == self.level {
            return true;
        }
        self.learned.push(lit);
        let count = &mut self.levels.counts[level as usize];
        if count.count == 0 {
            self.levels.used.push(level);
            count.earliest = position;
        }
        count.count += 1;
        count.earliest = count.earliest.min(position);
        false
    }
}

impl Engine {
    /// Copies the false clause of a conflict into the conflict buffer, and returns the highest level in it.
    pub(crate) fn load_conflict(&mut self, conflict: ConflictKind) -> u32 {
        if let ConflictKind::Clause(c) = conflict {
            self.bump_clause(c);
        }
        self.note_conflict(conflict);
        debug_assert!(self.analyzer.conflict.iter().all(|&l| self.assignment.is_false(l)));
        self.analyzer.conflict.iter().map(|&l| self.assignment.level_of(l)).max().unwrap_or(0)
    }
    /// Copies the false clause of a conflict into the conflict buffer.
    pub(crate) fn note_conflict(&mut self, conflict: ConflictKind) {
        match conflict {
            ConflictKind::Clause(c) => {
                self.analyzer.conflict.clear();
                self.analyzer.conflict.extend(self.clauses.arena.literals(c));
            }
            ConflictKind::Binary(a, b) => {
                self.analyzer.conflict.clear();
                self.analyzer.conflict.extend([a, b]);
            }
            ConflictKind::Buffer | ConflictKind::Halt => {}
        }
    }
    /// Learns from the clause in the conflict buffer. Pre: it is false, and the current level is its highest. Post: the
    /// learned clause is in the analyzer; `None` if interrupted, as between the reasons of large sums.
    pub(crate) fn analyze(&mut self) -> Option<Learned> {
        let level = self.level();
        self.analyzer.learned.clear();
        self.analyzer.learned.push(Lit::NONE);
        self.analyzer.levels.counts.resize(level as usize + 1, LevelCount::default());
        let mut open = 0;
        let (mut meeting, sources) = self.meeting(level);
        for &lit in sources.conflict {
            open += u32::from(meeting.meet(lit));
        }
        let mut at = self.assignment.trail.len();
        let uip = loop {
            at -= 1;
            let lit = self.assignment.trail[at];
            if self.analyzer.marks[lit.var()] & SEEN == 0 || self.assignment.level_of(lit) != level {
                continue;
            }
            open -= 1;
            if open == 0 {
                break lit;
            }
            if let ReasonKind::Clause(c) = self.assignment.reason_of(lit).kind() {
                self.bump_clause(c);
            } else if self.call.interrupt.poll().is_some() {
                self.analyzer.clear();
                return None;
            }
            let antecedent = self.antecedent(lit);
            open += self.meet_reason(antecedent, level);
        };
        self.analyzer.learned[0] = !uip;
        self.stats.learned_literals.0 += self.analyzer.learned.len() as u64;
        if self.parameters.learning.minimize {
            self.minimize();
            if self.analyzer.learned.len() >= self.parameters.learning.shrink {
                self.shrink();
            }
        }
        let mut lbd = self.analyzer.count_levels(&self.assignment);
        if self.parameters.learning.strengthen
            && lbd <= STRENGTHEN_LBD
            && self.analyzer.learned.len() <= STRENGTHEN_LEN
        {
            self.strengthen();
            lbd = self.analyzer.count_levels(&self.assignment);
        }
        self.stats.learned_literals.1 += self.analyzer.learned.len() as u64;
        if self.parameters.heuristic.reward_lbd {
            self.reward_lbd(lbd);
        }
        self.bump_variables();
        let backjump = self.place_second();
        self.control.analysis += self.analyzer.work();
        self.analyzer.clear();
        Some(Learned { backjump, lbd })
    }
    /// Records the literals of a reason, all false but the implied one, already recorded; returns how many are new on the
    /// conflict's level.
    fn meet_reason(&mut self, antecedent: Antecedent, level: u32) -> u32 {
        let (mut meeting, sources) = self.meeting(level);
        match antecedent {
            Antecedent::One(lit) => u32::from(meeting.meet(lit)),
            Antecedent::Clause(c, _) => {
                let literals = sources.arena.words(c).iter().map(|&word| Lit::from_word(word));
                literals.map(|lit| u32::from(meeting.meet(lit))).sum()
            }
            Antecedent::Buffer(start, end) => {
                let literals = &sources.explained[start as usize..end as usize];
                literals.iter().map(|&lit| u32::from(meeting.meet(lit))).sum()
            }
        }
    }
    /// What records literals, and where they are.
    #[inline]
    fn meeting(&mut self, level: u32) -> (Meeting<'_>, Sources<'_>) {
        let Analyzer { marks, analyzed, learned, levels, explanations, conflict, .. } = &mut self.analyzer;
        let meeting = Meeting { level, vars: &self.assignment.vars, marks, analyzed, learned, levels };
        (meeting, Sources { conflict, explained: &explanations.literals, arena: &self.clauses.arena })
    }
    /// The reason clause of an implied literal. Pre: the literal is true.
    pub(super) fn antecedent(&mut self, lit: Lit) -> Antecedent {
        match self.assignment.reason_of(lit).kind() {
            ReasonKind::Binary(other) => Antecedent::One(other),
            ReasonKind::Clause(c) => Antecedent::Clause(c, self.clauses.arena.len(c) as u32),
            kind => self.explain(lit, kind),
        }
    }
    /// Explains a literal of a weight constraint or propagator, once per conflict.
    fn explain(&mut self, lit: Lit, kind: ReasonKind) -> Antecedent {
        if let Some((start, end)) = self.analyzer.explanations.find(lit.var()) {
            return Antecedent::Buffer(start, end);
        }
        let mut explained = std::mem::take(&mut self.analyzer.explanations.literals);
        let start = explained.len();
        match kind {
            ReasonKind::Weight(constraint) => {
                self.constraints.weights.explain(constraint, lit, &self.assignment, &mut explained);
            }
            ReasonKind::Cut(cut) => {
                self.constraints.cuts.note_use(cut);
                self.constraints.cuts.explain(cut, lit, &self.assignment, &mut explained);
            }
            ReasonKind::Integers(sum) => {
                let position = self.assignment.position_of(lit);
                self.constraints.integers.explain(sum, lit, position, &self.assignment, &mut explained);
            }
            ReasonKind::Noted(note) => {
                let position = self.assignment.position_of(lit);
                self.constraints.integers.explain_note(note, lit, position, &self.assignment, &mut explained);
            }
            ReasonKind::Propagator(id, data) => self.explain_by(PropagatorId(id), lit, data, &mut explained),
            // Facts, decisions and flipped decisions have no reasons and are never resolved on.
            _ => debug_assert!(false, "{lit:?} has no reason"),
        }
        if let (ReasonKind::Weight(constraint), Some(proof)) = (kind, &mut self.proof)
            && proof.has_blocks(constraint)
        {
            explained.push(lit);
            proof.explain(constraint, &explained[start..], lit, &self.assignment);
            explained.pop();
        }
        debug_assert!(
            explained[start..].iter().all(|&l| self.assignment.is_false(l)
                && self.assignment.position_of(l) < self.assignment.position_of(lit)),
            "explanation of {lit:?} is not of earlier literals"
        );
        self.analyzer.explanations.literals = explained;
        let (start, end) = self.analyzer.explanations.note(lit.var(), start);
        Antecedent::Buffer(start, end)
    }
    #[inline]
    pub(super) fn antecedent_len(&self, antecedent: Antecedent) -> u32 {
        match antecedent {
            Antecedent::One(_) => 1,
            Antecedent::Clause(_, len) => len,
            Antecedent::Buffer(start, end) => end - start,
        }
    }
    #[inline]
    pub(super) fn antecedent_literal(&self, antecedent: Antecedent, i: u32) -> Lit {
        match antecedent {
            Antecedent::One(lit) => lit,
            Antecedent::Clause(c, _) => self.clauses.arena.literal(c, i as usize),
            Antecedent::Buffer(start, _) => self.analyzer.explanations.literals[(start + i) as usize],
        }
    }
    /// Removes literals implied by others of the learned clause.
    fn minimize(&mut self) {
        let mut learned = std::mem::take(&mut self.analyzer.learned);
        let mut kept = 1;
        for i in 1..learned.len() {
            let lit = learned[i];
            if !self.is_redundant(lit) {
                learned[kept] = lit;
                kept += 1;
            }
        }
        learned.truncate(kept);
        self.analyzer.learned = learned;
    }
    /// Whether a literal of the clause follows from the others: depth-first search through reasons, with an explicit
    /// stack.
    fn is_redundant(&mut self, start: Lit) -> bool {
        let info = self.assignment.vars[start.var()];
        // Its reason has a literal of the same level, which would have to be in the clause.
        if info.reason.is_open() || self.analyzer.levels.counts[info.level as usize].count < 2 {
            return false;
        }
        self.reason_follows(start)
    }
    /// Whether a false literal is in the clause, or follows from it.
    pub(super) fn follows(&mut self, lit: Lit) -> bool {
        let info = self.assignment.vars[lit.var()];
        let mark = self.analyzer.marks[lit.var()];
        let level = self.analyzer.levels.counts[info.level as usize];
        if info.level == 0 || mark & REMOVABLE != 0 || mark & SEEN != 0 && level.count > 0 {
            return true;
        }
        mark & POISON == 0
            && !info.reason.is_open()
            && level.count > 0
            && info.position > level.earliest
            && self.reason_follows(lit)
    }
    /// Whether the reason of a false literal follows from the clause. Pre: it has one.
    fn reason_follows(&mut self, start: Lit) -> bool {
        // Reasons that are large sums take long; a clause that stays longer is as right.
        if self.call.interrupt.poll().is_some() {
            return false;
        }
        let antecedent = self.antecedent(!start);
        if !self.may_follow(antecedent) {
            return false;
        }
        self.analyzer.stack.push(Frame { lit: start, antecedent, next: 0 });
        while let Some(&Frame { lit, antecedent, next }) = self.analyzer.stack.last() {
            if next == self.antecedent_len(antecedent) {
                self.mark_minimized(lit, REMOVABLE);
                self.analyzer.stack.pop();
                continue;
            }
            if let Some(frame) = self.analyzer.stack.last_mut() {
                frame.next += 1;
            }
            let other = self.antecedent_literal(antecedent, next);
            let var = other.var();
            if var == lit.var() {
                continue;
            }
            let info = self.assignment.vars[var];
            let mark = self.analyzer.marks[var];
            let level = self.analyzer.levels.counts[info.level as usize];
            if info.level == 0 || mark & REMOVABLE != 0 || mark & SEEN != 0 && level.count > 0 {
                continue;
            }
            if mark & POISON != 0
                || info.reason.is_open()
                || level.count == 0
                || info.position <= level.earliest
                || !self.parameters.learning.recursive
                || self.analyzer.stack.len() > 1000
                || self.call.interrupt.poll().is_some()
            {
                self.poison_stack();
                return false;
            }
            let antecedent = self.antecedent(!other);
            if !self.may_follow(antecedent) {
                self.poison_stack();
                return false;
            }
            self.analyzer.stack.push(Frame { lit: other, antecedent, next: 0 });
        }
        true
    }
    /// Marks the literals on the search stack as not implied.
    fn poison_stack(&mut self) {
        while let Some(frame) = self.analyzer.stack.pop() {
            self.mark_minimized(frame.lit, POISON);
        }
    }
    /// Whether minimisation follows such a reason.
    #[inline]
    fn may_follow(&self, antecedent: Antecedent) -> bool {
        let longest = match self.parameters.learning.antecedents {
            Antecedents::All => return true,
            Antecedents::Short => 3,
            Antecedents::Binary => 1,
        };
        self.antecedent_len(antecedent) <= longest
    }
    fn mark_minimized(&mut self, lit: Lit, flag: u8) {
        let mark = &mut self.analyzer.marks[lit.var()];
        if *mark & (REMOVABLE | POISON) == 0 {
            self.analyzer.minimized.push(lit.var());
        }
        *mark |= flag;
    }
    /// Removes literals by resolution with binary clauses and at-most-one groups of the asserting literal.
    fn strengthen(&mut self) {
        let asserting = self.analyzer.learned[0];
        // POISON and REMOVABLE are no longer needed; SEEN stays on the literals of the clause.
        for &var in &self.analyzer.minimized {
            self.analyzer.marks[var] &= !(POISON | REMOVABLE);
        }
        self.analyzer.minimized.clear();
        let Analyzer { learned, marks, .. } = &mut self.analyzer;
        const IN_CLAUSE: u8 = 8;
        for &lit in &learned[1..] {
            marks[lit.var()] |= IN_CLAUSE;
        }
        let before = learned.len();
        // asserting | other, and !other is in the clause.
        let mut resolve = |other: Lit| {
            if marks[other.var()] & IN_CLAUSE != 0 && self.assignment.is_true(other) {
                marks[other.var()] &= !IN_CLAUSE;
            }
        };
        self.clauses.watches.binary[asserting.code()].iter().copied().for_each(&mut resolve);
        for &group in self.constraints.at_most_one.groups_of(!asserting) {
            self.constraints.at_most_one.members(group).iter().map(|&l| !l).for_each(&mut resolve);
        }
        let mut first = true;
        learned.retain(|&lit| {
            let keep = std::mem::take(&mut first) || marks[lit.var()] & IN_CLAUSE != 0;
            marks[lit.var()] &= !IN_CLAUSE;
            keep
        });
        debug_assert!(learned.len() <= before);
    }
    /// Moves a literal of the highest level but the first to the second place; returns that level.
    fn place_second(&mut self) -> u32 {
        let learned = &mut self.analyzer.learned;
        let highest =
            (1..learned.len()).max_by_key(|&i| (self.assignment.level_of(learned[i]), learned.len() - i));
        match highest {
            Some(i) => {
                learned.swap(1, i);
                self.assignment.level_of(learned[1])
            }
            None => 0,
        }
    }
    /// A learned clause took part in a conflict: it is kept longer, and its LBD may improve.
    pub(super) fn bump_clause(&mut self, c: ClauseRef) {
        if !self.clauses.arena.is_learned(c) {
            return;
        }
        let old = self.clauses.arena.lbd(c);
        let (update, protected) = (self.parameters.reduce.update_lbd, self.parameters.reduce.protected_lbd);
        let mut used = 1;
        if old > self.parameters.reduce.core_lbd && update != UpdateLbd::Never {
            let literals = self.clauses.arena.words(c).iter().map(|&word| Lit::from_word(word));
            let lbd = self.analyzer.levels.distinct(literals.map(|lit| self.assignment.level_of(lit)));
            let now = match update {
                UpdateLbd::MuchLess if lbd + 1 >= old => old,
                UpdateLbd::Pseudo => lbd + 1,
                _ => lbd,
            };
            if now < old {
                self.clauses.arena.set_lbd(c, now);
                used += u32::from(now <= protected);
            }
        }
        if self.clauses.arena.lbd(c) <= MIDDLE_LBD {
            used = 2;
        }
        self.clauses.arena.set_used(c, used);
    }
    /// Collects the assumptions that made the assumption `failed` false. Pre: all decisions are assumptions.
    pub(crate) fn analyze_failed(&mut self, failed: Lit) {
        self.call.failed.clear();
        self.call.failed.push(failed);
        self.analyzer.conflict.clear();
        self.analyzer.conflict.push(failed);
        self.collect_assumptions();
        if let Some(proof) = &mut self.proof {
            let clause: Vec<Lit> = self.call.failed.iter().map(|&l| !l).collect();
            proof.rup(&clause);
        }
    }
    /// Collects the assumptions that the false clause in the conflict buffer depends on.
    pub(crate) fn collect_assumptions(&mut self) {
        for i in 0..self.analyzer.conflict.len() {
            let lit = self.analyzer.conflict[i];
            self.mark_cause(lit);
        }
        for at in (0..self.assignment.trail.len()).rev() {
            let lit = self.assignment.trail[at];
            if self.analyzer.marks[lit.var()] & SEEN == 0 {
                continue;
            }
            if self.assignment.reason_of(lit) == Reason::DECISION {
                self.call.failed.push(lit);
            } else if !self.assignment.reason_of(lit).is_open() {
                let antecedent = self.antecedent(lit);
                for i in 0..self.antecedent_len(antecedent) {
                    let other = self.antecedent_literal(antecedent, i);
                    if other != lit {
                        self.mark_cause(other);
                    }
                }
            }
        }
        // Each assumption is listed once, even if its complement failed, too.
        self.call.failed.sort_unstable();
        self.call.failed.dedup();
        self.analyzer.clear();
    }
    fn mark_cause(&mut self, lit: Lit) {
        let var = lit.var();
        if self.assignment.level_of(lit) > 0 && self.analyzer.marks[var] & SEEN == 0 {
            self.analyzer.marks[var] |= SEEN;
            self.analyzer.analyzed.push(var);
        }
    }
}
