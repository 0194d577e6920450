//! The number of answer sets, and answer sets drawn at random.
//!
//! A few answer sets are enumerated first. If there are more, [`counter`] counts the models of the completion together
//! with clauses for founded recursion and acyclic edges. Where clauses cannot express that (disjunctions in a cycle) or
//! are too many, the independent parts concerned are enumerated separately and the others counted. Invariant: a count
//! is exact; where it is given up, there is a lower bound ([`bound`]) with a stated confidence.

pub mod bound;
mod counter;
mod formula;
mod founded;
pub mod sample;
mod walk;

use crate::recursion;
use asp_base::interrupt::StopReason;
use asp_base::map::Map;
use asp_control::{Control, Error};
use asp_program::{AtomId, Literal, Program};
use asp_solve::{EnumMode, Event, Flow, Model, OptMode, Projection, SolveOptions};
use counter::Counter;
use formula::Cnf;
use num_bigint::BigUint;

/// Work of the counter before more answer sets are enumerated.
const WORK: u64 = 400_000;
/// Work of the counter after which it gives up.
const MAX_WORK: u64 = 64 * WORK;
/// Bits of a number of answer sets that are not enumerated.
const MAX_ENUMERATED_BITS: f64 = 30.0;
/// How many answer sets of a part are enumerated before it is asked whether there are too many.
const CHECK_AFTER: u64 = 1_000_000;

/// How much is done before another method is tried. No answer depends on it, but a sample may be drawn by another method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Answer sets that are enumerated first.
    pub first: u64,
    /// Work of the counter, for the count and for each draw of a sample.
    pub work: u64,
    /// If there are at most this many answer sets, a sample keeps all and draws from them.
    pub kept: u64,
    /// The greatest number of steps of a walk.
    pub steps: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { first: 5000, work: MAX_WORK, kept: 100_000, steps: 25_600 }
    }
}

/// Options for enumerating all answer sets, whatever they cost.
fn all(models: u64, project: bool) -> SolveOptions {
    SolveOptions {
        models: Some(models),
        opt_mode: OptMode::Ignore,
        projection: if project { Projection::Show } else { Projection::None },
        ..SolveOptions::default()
    }
}

/// Enumerates answer sets; returns whether these were all.
fn enumerate(
    control: &mut Control,
    limit: u64,
    project: bool,
    assumptions: &[Literal],
    mut receive: impl FnMut(&Model<'_>, &Program),
) -> Result<(u64, bool), StopReason> {
    let interrupt = control.interrupt();
    let options = SolveOptions { threads: control.settings.solve.threads, ..all(limit, project) };
    let result = control
        .solve_events(&options, assumptions, &mut |event, program, _| {
            if let Event::Model(model) = event {
                receive(&model, program);
                interrupt.note_instances(model.number);
            }
            Flow::Continue
        })
        .map_err(reason)?;
    match result.stopped {
        Some(reason) => Err(reason),
        None => Ok((result.models, result.exhausted)),
    }
}

/// The first answer sets of a lowered program, by show entry, and whether these are all.
pub fn first(
    control: &mut Control,
    models: u64,
    project: bool,
) -> Result<(Vec<Vec<bool>>, bool), StopReason> {
    let mut found = Vec::new();
    let (_, all) = enumerate(control, models, project, &[], |m, p| found.push(shown(m, p)))?;
    Ok((found, all))
}

/// Why a call on a lowered program failed; all its sums are known to fit.
fn reason(error: Error) -> StopReason {
    match error {
        Error::Stopped(reason) => reason,
        _ => StopReason::StepLimit,
    }
}

/// What answer sets show together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possible {
    /// By show entry.
    pub shown: Vec<bool>,
    /// By integer variable, if it is shown and has no atoms for its values: the least and the greatest.
    pub ranges: Vec<Option<(i64, i64)>>,
}

/// What the answer sets of a lowered program show together; `None` if there is no answer set.
pub fn brave(control: &mut Control) -> Result<Option<Possible>, StopReason> {
    let options = SolveOptions { enum_mode: EnumMode::Brave, ..all(0, false) };
    let mut found = None;
    let result = control
        .solve_events(&options, &[], &mut |event, _, _| {
            if let Event::Model(model) = event {
                found = Some(Possible { shown: model.shown.to_vec(), ranges: model.ranges.to_vec() });
            }
            Flow::Continue
        })
        .map_err(reason)?;
    match result.stopped {
        Some(reason) => Err(reason),
        None => Ok(found),
    }
}

/// A lowered program prepared for counting.
struct Ready {
    formula: Cnf,
    /// `None` if there is no answer set.
    counter: Option<Counter>,
    /// By atom: its component of positive recursion, from 1, if the formula does not express that it is founded;
    /// otherwise 0.
    cycles: Vec<u32>,
    /// Whether the formula expresses that the edges form no cycle.
    acyclic: bool,
}

impl Ready {
    /// Whether the models of the formula are the answer sets.
    fn is_exact(&self) -> bool {
        self.acyclic && self.cycles.iter().all(|&c| c == 0)
    }
}

/// Prepares a lowered program; `None` if it is too large for clauses, or when stopped: then enumeration ends at once, too.
fn ready(control: &Control, project: bool) -> Option<Ready> {
    let go_on = || control.interrupt().poll().is_none().then_some(());
    let mut builder = formula::completion(control.program(), control.interrupt()).ok()?;
    go_on()?;
    let mut counts = vec![!project; builder.f.variables];
    for &l in builder.f.shown.iter().filter(|_| project) {
        counts[l as usize / 2] = true;
    }
    let tight = Counter::new(&builder.f, counts.clone(), control.interrupt());
    let Some(tight) = tight else {
        return Some(Ready { formula: builder.f, counter: None, cycles: Vec::new(), acyclic: true });
    };
    let gone = |l: u32| tight.value(l) == Some(false);
    let mut cycles = recursion::components(builder.f.atoms, &builder.f.positive, &|a| gone(2 * a));
    builder.found(&mut cycles).ok()?;
    go_on()?;
    let acyclic = builder.acyclic(&gone);
    // Added variables are defined by the others and distinguish no models.
    counts.resize(builder.f.variables, false);
    let counter = Counter::new(&builder.f, counts, control.interrupt());
    Some(Ready { formula: builder.f, counter, cycles, acyclic })
}

/// The result of counting within limits; `None` if there is none yet.
fn within<T>(result: Result<T, StopReason>, control: &Control) -> Result<Option<T>, StopReason> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(StopReason::StepLimit) if control.interrupt().poll().is_none() => Ok(None),
        Err(reason) => Err(reason),
    }
}

/// The number of answer sets of a lowered program, or with `project` of different sets of shown atoms and terms.
pub fn count(control: &mut Control, project: bool, effort: Effort) -> Result<BigUint, StopReason> {
    Counting::new(project, effort.first, None).count(control)?.ok_or(StopReason::StepLimit)
}

/// What is known of the number of answer sets.
pub enum Counted {
    Exactly(BigUint),
    /// Given up: at least two to this power, except with a small probability ([`bound`]).
    Probably(f64),
    /// Stopped after at least so many had been found.
    Stopped(StopReason, u64),
}

/// Counts. If `patient`, it never gives up.
pub fn count_or_bound(control: &mut Control, project: bool, patient: bool) -> Counted {
    let mut counting = Counting::new(project, Effort::default().first, (!patient).then_some(MAX_WORK));
    match counting.count(control) {
        Ok(Some(number)) => Counted::Exactly(number),
        Ok(None) => Counted::Probably(counting.bits.unwrap_or(0.0).max((counting.found as f64).log2())),
        Err(reason) => Counted::Stopped(reason, counting.found),
    }
}

struct Counting {
    project: bool,
    few: u64,
    /// The work of the counter after which counting is given up if there are too many answer sets to enumerate.
    most: Option<u64>,
    /// The greatest number of answer sets enumerated.
    found: u64,
    /// The lower bound, once it is known.
    bits: Option<f64>,
}

impl Counting {
    fn new(project: bool, few: u64, most: Option<u64>) -> Self {
        Self { project, few, most, found: 0, bits: None }
    }

    /// The number of answer sets; `None` if counting is given up.
    fn count(&mut self, control: &mut Control) -> Result<Option<BigUint>, StopReason> {
        if let Some(models) = self.enumerate(control, self.few, &[])? {
            return Ok(Some(models.into()));
        }
        let Some(mut ready) = ready(control, self.project) else {
            return Ok(self.enumerate_all(control, &[])?.map(BigUint::from));
        };
        let exact = ready.is_exact();
        let Some(counter) = &mut ready.counter else { return Ok(Some(BigUint::ZERO)) };
        if !exact {
            return self.count_parts(control, &mut ready);
        }
        // Neither way is better for all programs: they take turns with more and more time.
        let (mut limit, mut work) = (self.few, WORK);
        loop {
            counter.give_up_after(work);
            if let Some(number) = within(counter.count(), control)? {
                return Ok(Some(number));
            }
            if limit == self.few || !self.are_too_many(control)? {
                limit = limit.saturating_mul(8);
                if let Some(models) = self.enumerate(control, limit, &[])? {
                    return Ok(Some(models.into()));
                }
            } else if self.most.is_some_and(|most| work >= most) {
                return Ok(None);
            }
            work = work.saturating_mul(8);
        }
    }

    /// The number of answer sets under assumptions; `None` if there are more than a limit.
    fn enumerate(
        &mut self,
        control: &mut Control,
        limit: u64,
        assumptions: &[Literal],
    ) -> Result<Option<u64>, StopReason> {
        let found = &mut self.found;
        let mut receive = |model: &Model<'_>, _: &Program| *found = (*found).max(model.number);
        let (models, all) = enumerate(control, limit, self.project, assumptions, &mut receive)?;
        Ok(all.then_some(models))
    }

    /// The same without a limit; `None` if it is given up.
    fn enumerate_all(
        &mut self,
        control: &mut Control,
        assumptions: &[Literal],
    ) -> Result<Option<u64>, StopReason> {
        if self.most.is_some() {
            let first = self.enumerate(control, CHECK_AFTER, assumptions)?;
            if first.is_some() || self.are_too_many(control)? {
                return Ok(first);
            }
        }
        self.enumerate(control, 0, assumptions)
    }

    /// Whether there are too many answer sets to enumerate.
    fn are_too_many(&mut self, control: &Control) -> Result<bool, StopReason> {
        let bits = match self.bits {
            Some(bits) => bits,
            None => bound::bits(control, self.project, 0)?,
        };
        self.bits = Some(bits);
        Ok(bits > MAX_ENUMERATED_BITS)
    }

    /// Counts the parts one by one: those with positive recursion by enumeration, with the other parts fixed as in one
    /// answer set. Parts that the completion separates belong together if rules of one positive cycle read both: whether
    /// the cycle is founded depends on both, even where its atoms are known.
    fn count_parts(
        &mut self,
        control: &mut Control,
        ready: &mut Ready,
    ) -> Result<Option<BigUint>, StopReason> {
        let Ready { formula, counter: Some(counter), cycles, acyclic } = ready else {
            return Ok(Some(BigUint::ZERO));
        };
        let mut one: Vec<bool> = Vec::new();
        enumerate(control, 1, false, &[], |model, program| {
            one = program.atoms.ids().map(|a| model.contains(a)).collect();
        })?;
        if one.is_empty() {
            return Ok(Some(BigUint::ZERO));
        }
        let parts = counter.parts();
        let mut part_of = vec![usize::MAX; formula.variables];
        for (i, part) in parts.iter().enumerate() {
            part.iter().for_each(|&v| part_of[v as usize] = i);
        }
        // The representative of each part (a union-find forest), and a part read by each cycle.
        let mut joined: Vec<usize> = (0..parts.len()).collect();
        let mut of_cycle: Vec<Option<usize>> = vec![None; 1 + cycles.iter().max().map_or(0, |&c| c as usize)];
        let mut recursive = vec![false; parts.len()];
        for rule in control.program().rules.iter() {
            let body = rule.body.literals().iter().map(|l| l.atom());
            for head in rule.head.atoms() {
                let cycle = cycles[head.0 as usize] as usize;
                for atom in body.clone().chain(rule.head.atoms().iter().copied()).filter(|_| cycle > 0) {
                    let part = part_of[atom.0 as usize];
                    if part == usize::MAX {
                        continue;
                    }
                    recursive[part] = true;
                    let (own, other) =
                        (root(&joined, part), of_cycle[cycle].map_or(part, |p| root(&joined, p)));
                    joined[own] = root(&joined, other);
                    of_cycle[cycle] = Some(part);
                }
            }
        }
        if !*acyclic {
            let program = control.program();
            let atoms = program.edges.iter().flat_map(|e| program.literals(e.condition)).map(|l| l.atom());
            let mut first = None;
            for part in atoms.map(|a| part_of[a.0 as usize]).filter(|&p| p != usize::MAX) {
                recursive[part] = true;
                let (own, other) = (root(&joined, part), root(&joined, *first.get_or_insert(part)));
                joined[own] = other;
            }
        }
        let mut groups: Map<usize, Vec<usize>> = Map::default();
        let mut order: Vec<usize> = Vec::new();
        for part in (0..parts.len()).filter(|&p| recursive[p]) {
            let root = root(&joined, part);
            groups.entry(root).or_insert_with(|| {
                order.push(root);
                Vec::new()
            });
            if let Some(group) = groups.get_mut(&root) {
                group.push(part);
            }
        }
        let mut product = BigUint::from(1u32);
        let mut enumerated = vec![false; formula.variables];
        for group in order.iter().map(|root| &groups[root]) {
            let mut inside = vec![false; formula.variables];
            group.iter().flat_map(|&p| &parts[p]).for_each(|&v| inside[v as usize] = true);
            let literal = |a: usize| Literal::new(AtomId(a as u32), !one[a]);
            let others: Vec<Literal> = (0..formula.atoms).filter(|&a| !inside[a]).map(literal).collect();
            let Some(models) = self.enumerate_all(control, &others)? else { return Ok(None) };
            product *= models;
            enumerated.iter_mut().zip(inside).for_each(|(e, i)| *e |= i);
        }
        Ok(Some(product * counter.count_without(&enumerated)?))
    }
}

/// The representative of a part.
fn root(joined: &[usize], mut part: usize) -> usize {
    while joined[part] != part {
        part = joined[part];
    }
    part
}

/// What a model shows, by show entry.
pub fn shown(model: &Model<'_>, program: &Program) -> Vec<bool> {
    let holds = |l: &Literal| model.holds(*l);
    program.shows.iter().map(|s| program.literals(s.condition).iter().all(holds)).collect()
}

#[cfg(test)]
mod tests;
