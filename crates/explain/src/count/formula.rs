//! A lowered ground program as clauses over its completion, for counting.
//!
//! Invariant: every variable that is not an atom is defined by an equivalence, so the models of the clauses correspond
//! one to one to those of the completion. For a tight program these are the answer sets (F. Fages, *Consistency of
//! Clark's completion and existence of stable models*, 1994), otherwise together with what `founded` adds. Sums become
//! decision diagrams (N. Eén, N. Sörensson, *Translating pseudo-Boolean constraints into SAT*, 2006).

use crate::show_keys;
use asp_base::interrupt::Interrupt;
use asp_base::map::Map;
use asp_program::defined::derived_since;
use asp_program::ground_program::ExternalValue;
use asp_program::{Body, Head, Literal, Program};

/// A variable times two, plus one if negated.
pub(super) type Lit = u32;

pub(super) fn not(l: Lit) -> Lit {
    l ^ 1
}

/// The greatest number of decision-diagram nodes for a program.
const MAX_NODES: usize = 2_000_000;

/// Clauses, and what the variables mean. Variables below `atoms` are the program's atoms; the next one is always true.
#[derive(Debug, Default)]
pub(super) struct Cnf {
    pub(super) atoms: usize,
    pub(super) variables: usize,
    pub(super) clauses: Vec<Vec<Lit>>,
    /// By show entry: the literal that says whether it is shown.
    pub(super) shown: Vec<Lit>,
    /// Pairs of an atom and an atom in a positive body for it.
    pub(super) positive: Vec<(u32, u32)>,
}

/// The sums of a program are too large to be written as clauses.
#[derive(Debug)]
pub(super) struct TooLarge;

/// The greatest number of literals of which at most one may hold that are written as pairs: diagrams would keep apart what
/// differs in nothing that is left to decide.
const MAX_PAIRED: usize = 32;

/// Whether a sum reaches its bound if and only if two of its literals hold, and these are few.
fn excludes_pairs(bound: i64, weights: &[i64]) -> bool {
    let (least, most) = (weights.iter().min(), weights.iter().max());
    let (Some(&least), Some(&most)) = (least, most) else { return false };
    weights.len() <= MAX_PAIRED && most < bound && i128::from(least) * 2 >= i128::from(bound)
}

/// A program and the clauses for it so far.
pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) f: Cnf,
    conjunctions: Map<Vec<Lit>, Lit>,
    /// The atoms that are external and that no rule derives.
    external: Vec<bool>,
    nodes: usize,
    /// How many literals the rounds of fixpoints have used.
    pub(super) in_rounds: usize,
    interrupt: Interrupt,
}

/// Ways to derive an atom.
#[derive(Clone, Default)]
struct Supports(Vec<Lit>);

/// The completion of a lowered program. There is none where the solver keeps constraints over integers, or when interrupted.
pub(super) fn completion(program: &Program, interrupt: Interrupt) -> Result<Builder<'_>, TooLarge> {
    if !program.integers.kept.is_empty() {
        return Err(TooLarge);
    }
    let atoms = program.atoms.len();
    let f = Cnf { atoms, variables: atoms + 1, ..Cnf::default() };
    let mut b = Builder {
        program,
        f,
        conjunctions: Map::default(),
        external: vec![false; atoms],
        nodes: 0,
        in_rounds: 0,
        interrupt,
    };
    let truth = b.truth();
    b.f.clauses.push(vec![truth]);
    let mut values: Vec<Option<ExternalValue>> = vec![None; atoms];
    for &(atom, value) in &program.externals {
        values[atom.0 as usize] = Some(value);
    }
    if !program.externals.is_empty() {
        // A rule that needs its own head derives nothing; the atom stays external.
        b.external = values.iter().map(Option::is_some).collect();
        derived_since(program, 0).for_each(|a| b.external[a.0 as usize] = false);
    }
    let mut supports = vec![Supports::default(); atoms];
    for rule in program.rules.iter() {
        if b.interrupt.poll().is_some() {
            return Err(TooLarge);
        }
        b.rule(rule.head, rule.body, &mut supports)?;
    }
    // Theory atoms mean nothing to the solver: without rules they are free.
    for atom in program.theory.atoms.iter().filter_map(|a| a.atom) {
        values[atom.0 as usize].get_or_insert(ExternalValue::Free);
    }
    for (atom, supports) in supports.into_iter().enumerate() {
        let own = 2 * atom as Lit;
        if supports.0.is_empty() || b.external[atom] {
            match values[atom] {
                Some(ExternalValue::Free) => {}
                Some(ExternalValue::True) => b.f.clauses.push(vec![own]),
                _ => b.f.clauses.push(vec![not(own)]),
            }
            continue;
        }
        let mut clause = vec![not(own)];
        clause.extend_from_slice(&supports.0);
        b.clause(clause);
    }
    for &l in &program.assumptions {
        b.f.clauses.push(vec![l.code()]);
    }
    b.shown();
    Ok(b)
}

impl Builder<'_> {
    pub(super) fn truth(&self) -> Lit {
        2 * self.f.atoms as Lit
    }

    fn fresh(&mut self) -> Lit {
        self.f.variables += 1;
        2 * (self.f.variables as Lit - 1)
    }

    /// Adds a clause without repetitions, unless it always holds.
    pub(super) fn clause(&mut self, mut clause: Vec<Lit>) {
        let truth = self.truth();
        clause.retain(|&l| l != not(truth));
        clause.sort_unstable();
        clause.dedup();
        if !clause.contains(&truth) && !clause.windows(2).any(|w| w[0] == not(w[1])) {
            self.f.clauses.push(clause);
        }
    }

    fn rule(&mut self, head: Head<'_>, body: Body<'_>, supports: &mut [Supports]) -> Result<(), TooLarge> {
        for &atom in head.atoms() {
            if self.external[atom.0 as usize] {
                continue;
            }
            let needed = body.literals().iter().filter(|l| !l.is_neg());
            self.f.positive.extend(needed.map(|l| (atom.0, l.atom().0)));
        }
        let lits: Vec<Lit> = body.literals().iter().map(|l| l.code()).collect();
        match (head, body) {
            (Head::Disjunction([]), Body::Weight { bound, weights, .. })
                if excludes_pairs(bound, weights) =>
            {
                for (i, &a) in lits.iter().enumerate() {
                    for &b in &lits[i + 1..] {
                        self.clause(vec![not(a), not(b)]);
                    }
                }
            }
            (Head::Disjunction(heads), Body::Normal(_)) if heads.len() != 1 => {
                let mut clause: Vec<Lit> = lits.iter().map(|&l| not(l)).collect();
                clause.extend(heads.iter().map(|a| 2 * a.0));
                self.clause(clause);
                for a in heads {
                    let others = heads.iter().filter(|b| *b != a).map(|b| 2 * b.0 + 1);
                    let shifted = self.conjunction(lits.iter().copied().chain(others).collect());
                    supports[a.0 as usize].0.push(shifted);
                }
            }
            _ => {
                let body = match body {
                    Body::Normal(_) => self.conjunction(lits),
                    Body::Weight { bound, weights, .. } => self.at_least(bound, lits, weights)?,
                };
                match head {
                    Head::Choice(atoms) => atoms.iter().for_each(|a| supports[a.0 as usize].0.push(body)),
                    Head::Disjunction([]) => self.clause(vec![not(body)]),
                    Head::Disjunction(heads) => {
                        let mut clause = vec![not(body)];
                        clause.extend(heads.iter().map(|a| 2 * a.0));
                        self.clause(clause);
                        for a in heads {
                            let others = heads.iter().filter(|b| *b != a).map(|b| 2 * b.0 + 1);
                            let shifted = self.conjunction(std::iter::once(body).chain(others).collect());
                            supports[a.0 as usize].0.push(shifted);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A literal that holds if and only if all of some literals do.
    pub(super) fn conjunction(&mut self, mut lits: Vec<Lit>) -> Lit {
        let truth = self.truth();
        lits.retain(|&l| l != truth);
        lits.sort_unstable();
        lits.dedup();
        if lits.contains(&not(truth)) || lits.windows(2).any(|w| w[0] == not(w[1])) {
            return not(truth);
        }
        match *lits.as_slice() {
            [] => return truth,
            [l] => return l,
            _ => {}
        }
        if let Some(&known) = self.conjunctions.get(&lits) {
            return known;
        }
        let own = self.fresh();
        let mut clause = vec![own];
        for &l in &lits {
            self.f.clauses.push(vec![not(own), l]);
            clause.push(not(l));
        }
        self.f.clauses.push(clause);
        self.conjunctions.insert(lits, own);
        own
    }

    /// A literal that holds if and only if the weights of the literals that hold add up to at least the bound.
    pub(super) fn at_least(&mut self, bound: i64, lits: Vec<Lit>, weights: &[i64]) -> Result<Lit, TooLarge> {
        let mut sum: Vec<(i64, Lit)> = weights.iter().copied().zip(lits).collect();
        sum.sort_unstable_by(|a, b| b.cmp(a));
        // The most that the rest can add.
        let mut rest = vec![0i128; sum.len() + 1];
        for i in (0..sum.len()).rev() {
            rest[i] = rest[i + 1] + i128::from(sum[i].0);
        }
        // Depth first over (index, missing) with an explicit stack; a node is made after its children.
        let mut known: Map<(usize, i128), Lit> = Map::default();
        let start = (0, i128::from(bound));
        let mut open = vec![start];
        while let Some(&(i, missing)) = open.last() {
            if known.contains_key(&(i, missing)) {
                open.pop();
                continue;
            }
            if missing <= 0 || missing > rest[i] {
                let truth = self.truth();
                known.insert((i, missing), if missing <= 0 { truth } else { not(truth) });
                open.pop();
                continue;
            }
            let (weight, lit) = sum[i];
            let (with, without) = ((i + 1, missing - i128::from(weight)), (i + 1, missing));
            match (known.get(&with), known.get(&without)) {
                (Some(&high), Some(&low)) => {
                    let node = self.choose(lit, high, low)?;
                    known.insert((i, missing), node);
                    open.pop();
                }
                _ => open.extend([without, with]),
            }
        }
        Ok(known[&start])
    }

    /// `high` if the literal holds, else `low`; `low` implies `high`.
    fn choose(&mut self, lit: Lit, high: Lit, low: Lit) -> Result<Lit, TooLarge> {
        let truth = self.truth();
        if high == low {
            return Ok(high);
        }
        if low == not(truth) {
            return Ok(self.conjunction(vec![lit, high]));
        }
        if high == truth {
            return Ok(not(self.conjunction(vec![not(lit), not(low)])));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.interrupt.poll().is_some() {
            return Err(TooLarge);
        }
        let own = self.fresh();
        for clause in [
            [not(own), not(lit), high],
            [not(own), lit, low],
            [own, not(lit), not(high)],
            [own, lit, not(low)],
            // Implied, but they propagate more.
            [not(own), high, high],
            [own, not(low), not(low)],
        ] {
            self.clause(clause.to_vec());
        }
        Ok(own)
    }

    /// One literal per show entry; entries that show the same have the same literal.
    fn shown(&mut self) {
        let program = self.program;
        let numbers = show_keys::of(program);
        let mut conditions: Vec<Vec<Lit>> = Vec::new();
        for (show, &thing) in program.shows.iter().zip(&numbers) {
            let condition = program.literals(show.condition).iter().map(|l: &Literal| l.code()).collect();
            let condition = self.conjunction(condition);
            conditions.resize(conditions.len().max(thing + 1), Vec::new());
            conditions[thing].push(not(condition));
        }
        let lits: Vec<Lit> = conditions.into_iter().map(|none| not(self.conjunction(none))).collect();
        self.f.shown = numbers.into_iter().map(|thing| lits[thing]).collect();
    }
}
