//! Conflict analysis over sums: the violated inequality is resolved with inequalities as reasons.
//!
//! Clauses express little about sums: the pigeonhole principle takes exponentially many, and only a few inequalities. So
//! the violated constraint is resolved backwards along the trail, each reason first rounded to its pivot, until the result
//! implies something at an earlier level; this is learned instead of a clause, unless it is one. Turns of this and of
//! clause learning alternate (see [`Cutting`]). Invariants: the current inequality is violated by the trail up to the
//! current literal; where something is too large, too long or has no reason, the conflict is left unchanged to clause
//! learning. Source: Elffers and Nordström, *Divide and conquer: towards faster pseudo-Boolean solving*, IJCAI 2018;
//! Devriendt, Gleixner and Nordström, *Learn to relax*, Constraints 2021.

use crate::Engine;
use crate::propagator::ConflictKind;
use crate::store::analyzer::{Antecedent, SEEN};
use crate::store::assignment::{Assignment, Reason, ReasonKind};
use crate::store::constraints::Inequality;
use crate::store::cutting::Learning;
use crate::store::literal::Lit;
use crate::store::resolvent::{Resolvent, round_to};

/// Terms that the analysis of a conflict may look at.
const MAX_VISITS: usize = 400_000;
/// The most terms of a learned inequality: explaining an implied literal goes through all of them.
const MAX_TERMS: usize = 1_000;

/// What an inequality does at a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Violated,
    Asserting,
    Idle,
}

impl Engine {
    /// Propagates learned inequalities; returns whether they implied something.
    pub(crate) fn propagate_cuts(&mut self) -> Result<bool, ConflictKind> {
        if !self.constraints.cuts.is_pending(&self.assignment) {
            return Ok(false);
        }
        let before = self.assignment.trail.len();
        if let Err(cut) = self.constraints.cuts.propagate(&mut self.assignment) {
            self.constraints.violated = Some(Inequality::Cut(cut));
            self.analyzer.conflict.clear();
            self.constraints.cuts.note_use(cut);
            self.constraints.cuts.explain(cut, Lit::NONE, &self.assignment, &mut self.analyzer.conflict);
            return Err(ConflictKind::Buffer);
        }
        Ok(self.assignment.trail.len() > before)
    }
    /// Whether a conflict of the current level is to be analysed by cutting planes. Proofs and logs of learned clauses have
    /// clauses only, and names of bounds are kept by clauses.
    pub(crate) fn cuts_planes(&mut self) -> bool {
        let has_sums = self.constraints.weights.len() > 0 || self.constraints.at_most_one.len() > 0;
        let is_possible = has_sums
            && self.constraints.integers.is_empty()
            && self.proof.is_none()
            && self.outlets.lemmas.is_none();
        let level = self.level().saturating_sub(self.call.base_level());
        is_possible && self.analyzer.cutting.is_turn(self.parameters.learning.cutting_planes, level)
    }
    /// Learns an inequality from the conflict and backjumps. `false`: nothing has changed, except that the conflict buffer
    /// may hold another violated clause. Pre: the current level is that of the conflict.
    pub(crate) fn learn_inequality(&mut self, conflict: ConflictKind) -> bool {
        let level = self.level();
        let mut cutting = std::mem::take(&mut self.analyzer.cutting);
        cutting.touched.clear();
        let derived = self.resolve_inequalities(conflict, &mut cutting);
        self.control.ticks += cutting.visits as u64 / 8;
        let learned = derived && self.assert_inequality(level, &mut cutting);
        self.analyzer.clear();
        self.analyzer.cutting = cutting;
        learned
    }
    /// Derives an inequality that implies something at an earlier level. `false`: there is none.
    fn resolve_inequalities(&mut self, conflict: ConflictKind, cutting: &mut Learning) -> bool {
        let Learning { resolvent, terms, touched, visits, .. } = cutting;
        *visits = 0;
        resolvent.clear(self.num_vars());
        let degree = self.violated_inequality(conflict, terms);
        self.drop_fixed(terms, degree).add_to(resolvent, 1);
        let mut level = self.level();
        let mut at = self.assignment.trail.len();
        resolvent.bound(|l| self.assignment.is_false(l));
        let violation: i128 =
            resolvent.terms().filter(|t| !self.assignment.is_false(t.0)).map(|t| i128::from(t.1)).sum();
        if violation >= resolvent.degree() {
            return false;
        }
        let mut has_sums = resolvent.degree() > 1;
        loop {
            if at as u32 == self.assignment.level_start(level) {
                level -= 1;
                if level <= self.floor_level() {
                    return false;
                }
                continue;
            }
            at -= 1;
            let lit = self.assignment.trail[at];
            let factor = resolvent.coefficient(!lit);
            if factor == 0 {
                continue;
            }
            *visits += resolvent.len();
            match state_before(resolvent, level, &self.assignment) {
                State::Asserting => return has_sums,
                State::Violated => {
                    at = self.assignment.level_start(level) as usize;
                    continue;
                }
                State::Idle => {}
            }
            if *visits > MAX_VISITS || self.assignment.reason_of(lit).is_open() {
                return false;
            }
            touched.push(lit.var());
            let is_false = |a: &Assignment, l: Lit| a.is_false(l) && (a.position_of(l) as usize) < at;
            let degree = self.reason_inequality(lit, terms);
            has_sums |= degree > 1;
            let Reduced { terms, degree } = self.drop_fixed(terms, degree);
            let Some(degree) = round_to(lit, terms, degree, |l| is_false(&self.assignment, l)) else {
                return false;
            };
            *visits += terms.len();
            resolvent.add(terms, degree, factor);
            resolvent.bound(|l| is_false(&self.assignment, l));
        }
    }
    /// Learns the derived inequality. `false`: it is a clause, now in the conflict buffer, or too long.
    fn assert_inequality(&mut self, level: u32, cutting: &mut Learning) -> bool {
        let Learning { resolvent, touched, .. } = cutting;
        resolvent.simplify();
        let terms: Vec<(Lit, i64)> = resolvent.terms().collect();
        let (Ok(degree), 1..=MAX_TERMS) = (i64::try_from(resolvent.degree()), terms.len()) else {
            return false;
        };
        let is_false = |l: &Lit| self.assignment.is_false(*l);
        if degree == 1 {
            if terms.iter().all(|t| is_false(&t.0)) {
                self.analyzer.conflict.clear();
                self.analyzer.conflict.extend(terms.iter().map(|t| t.0));
            }
            return false;
        }
        let backjump = earliest_level(&terms, degree, &self.assignment);
        let falsified: Vec<Lit> = terms.iter().map(|t| t.0).filter(is_false).collect();
        let levels = falsified.iter().map(|&l| self.assignment.level_of(l));
        let lbd = self.analyzer.levels.distinct(levels);
        touched.extend(falsified.iter().map(|l| l.var()));
        for &var in touched.iter() {
            let mark = &mut self.analyzer.marks[var];
            if *mark & SEEN == 0 {
                *mark |= SEEN;
                self.analyzer.analyzed.push(var);
            }
        }
        self.analyzer.learned.clear();
        self.bump_variables();
        self.analyzer.clear();
        cutting.inequalities += 1;
        self.count_learned(level, backjump, lbd);
        self.backtrack(backjump.max(self.floor_level()));
        self.constraints.cuts.add(terms, degree, lbd, backjump, &self.assignment);
        true
    }
    /// The inequality of a conflict, or its clause; the result is its degree.
    fn violated_inequality(&mut self, conflict: ConflictKind, terms: &mut Vec<(Lit, i64)>) -> i128 {
        let violated = self.constraints.violated.take().filter(|_| conflict == ConflictKind::Buffer);
        let is_violated = |terms: &[(Lit, i64)], degree: i128| {
            let open = terms.iter().filter(|t| !self.assignment.is_false(t.0));
            open.map(|t| i128::from(t.1)).sum::<i128>() < degree
        };
        terms.clear();
        match violated {
            Some(Inequality::Weight(constraint)) => {
                if let Some(degree) =
                    self.constraints.weights.linear(constraint, Lit::NONE, &self.assignment, terms)
                {
                    return degree;
                }
            }
            Some(Inequality::Cut(cut)) => {
                let (cut, degree) = self.constraints.cuts.get(cut);
                terms.extend_from_slice(cut);
                if is_violated(terms, degree.into()) {
                    return degree.into();
                }
            }
            None => {}
        }
        if let ConflictKind::Binary(a, b) = conflict
            && let Some(degree) = self.group_inequality(!a, !b, terms)
        {
            return degree;
        }
        terms.clear();
        terms.extend(self.analyzer.conflict.iter().map(|&l| (l, 1)));
        1
    }
    /// The inequality (or clause) by which a literal was implied; the result is its degree.
    fn reason_inequality(&mut self, lit: Lit, terms: &mut Vec<(Lit, i64)>) -> i128 {
        terms.clear();
        match self.assignment.reason_of(lit).kind() {
            ReasonKind::Weight(constraint) => {
                let linear = self.constraints.weights.linear(constraint, lit, &self.assignment, terms);
                if let Some(degree) = linear {
                    return degree;
                }
            }
            ReasonKind::Cut(cut) => {
                self.constraints.cuts.note_use(cut);
                let (cut, degree) = self.constraints.cuts.get(cut);
                terms.extend_from_slice(cut);
                return degree.into();
            }
            ReasonKind::Binary(other) => {
                if let Some(degree) = self.group_inequality(!lit, !other, terms) {
                    return degree;
                }
            }
            ReasonKind::Clause(c) => self.bump_clause(c),
            _ => {}
        }
        terms.clear();
        let antecedent = self.antecedent(lit);
        // Clauses of the arena contain the literal.
        let contains = matches!(antecedent, Antecedent::Clause(..));
        terms.extend((!contains).then_some((lit, 1)));
        for i in 0..self.antecedent_len(antecedent) {
            terms.push((self.antecedent_literal(antecedent, i), 1));
        }
        1
    }
    /// That all but one of a group are false, if both literals are in one.
    fn group_inequality(&self, a: Lit, b: Lit, terms: &mut Vec<(Lit, i64)>) -> Option<i128> {
        let groups = &self.constraints.at_most_one;
        let others = groups.groups_of(b);
        let &group = groups.groups_of(a).iter().find(|g| others.binary_search(g).is_ok())?;
        terms.clear();
        terms.extend(groups.members(group).iter().map(|&l| (!l, 1)));
        Some(terms.len() as i128 - 1)
    }
    /// Removes the literals that have a value at the root.
    fn drop_fixed<'a>(&self, terms: &'a mut Vec<(Lit, i64)>, degree: i128) -> Reduced<'a> {
        let mut rest = degree;
        terms.retain(|&(lit, weight)| {
            let is_fixed = !self.assignment.is_free(lit) && self.assignment.level_of(lit) == 0;
            if is_fixed && self.assignment.is_true(lit) {
                rest -= i128::from(weight);
            }
            !is_fixed
        });
        Reduced { terms, degree: rest }
    }
    /// Deletes learned inequalities that seem useless, or hold in any case.
    pub(crate) fn reduce_cuts(&mut self) {
        if self.constraints.cuts.len() == 0 {
            return;
        }
        let is_kept = self.reasons_among_cuts();
        let new = self.constraints.cuts.reduce(&is_kept);
        self.renumber_cuts(&new);
        if self.level() == 0 {
            let stays = self.reasons_among_cuts();
            let stays: Vec<bool> = (0..stays.len())
                .map(|i| stays[i] || !self.constraints.cuts.is_satisfied(i as u32, &self.assignment))
                .collect();
            let new = self.constraints.cuts.retain(&stays);
            self.renumber_cuts(&new);
        }
    }
    /// Deletes all learned inequalities that are no reasons.
    pub(crate) fn forget_cuts(&mut self) {
        let stays = self.reasons_among_cuts();
        let new = self.constraints.cuts.retain(&stays);
        self.renumber_cuts(&new);
    }
    /// By learned inequality: whether it is the reason of a value above the root.
    fn reasons_among_cuts(&self) -> Vec<bool> {
        let mut reasons = vec![false; self.constraints.cuts.len()];
        for &lit in &self.assignment.trail {
            if let ReasonKind::Cut(cut) = self.assignment.reason_of(lit).kind()
                && self.assignment.level_of(lit) > 0
            {
                reasons[cut as usize] = true;
            }
        }
        reasons
    }
    fn renumber_cuts(&mut self, new: &[Option<u32>]) {
        for i in 0..self.assignment.trail.len() {
            let info = &mut self.assignment.vars[self.assignment.trail[i].var()];
            if let ReasonKind::Cut(cut) = info.reason.kind() {
                info.reason = new[cut as usize].map_or(Reason::NONE, Reason::cut);
            }
        }
        self.constraints.violated = None;
    }
}

/// An inequality without literals that have a value at the root.
struct Reduced<'a> {
    terms: &'a mut Vec<(Lit, i64)>,
    degree: i128,
}

impl Reduced<'_> {
    fn add_to(self, resolvent: &mut Resolvent, factor: i64) {
        resolvent.add(self.terms, self.degree, factor);
    }
}

/// What a violated inequality does when a level and all after it are undone.
fn state_before(resolvent: &Resolvent, level: u32, assignment: &Assignment) -> State {
    let (mut slack, mut greatest) = (-resolvent.degree(), 0);
    for (lit, coefficient) in resolvent.terms() {
        let is_open = assignment.is_free(lit) || assignment.level_of(lit) >= level;
        if is_open {
            greatest = greatest.max(coefficient);
        }
        if is_open || assignment.is_true(lit) {
            slack += i128::from(coefficient);
        }
    }
    match slack {
        ..0 => State::Violated,
        _ if i128::from(greatest) > slack => State::Asserting,
        _ => State::Idle,
    }
}

/// The lowest level at which an inequality implies something, or is violated.
fn earliest_level(terms: &[(Lit, i64)], degree: i64, assignment: &Assignment) -> u32 {
    let level = |lit| if assignment.is_free(lit) { u32::MAX } else { assignment.level_of(lit) };
    let mut by_level: Vec<(u32, i64, bool)> =
        terms.iter().map(|&(lit, c)| (level(lit), c, assignment.is_false(lit))).collect();
    by_level.sort_unstable();
    // The greatest coefficient of those behind each.
    let mut behind = vec![0; by_level.len() + 1];
    for (i, entry) in by_level.iter().enumerate().rev() {
        behind[i] = behind[i + 1].max(entry.1);
    }
    let mut slack = terms.iter().map(|t| i128::from(t.1)).sum::<i128>() - i128::from(degree);
    if i128::from(behind[0]) > slack {
        return 0;
    }
    let mut at = 0;
    while let Some(&(level, ..)) = by_level.get(at) {
        while let Some(&(_, coefficient, is_false)) = by_level.get(at).filter(|e| e.0 == level) {
            slack -= if is_false { i128::from(coefficient) } else { 0 };
            at += 1;
        }
        if i128::from(behind[at]) > slack {
            return level;
        }
    }
    assignment.level()
}
