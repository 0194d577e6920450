//! How many answer sets there are, and answer sets drawn at random.
//!
//! A few answer sets are enumerated first. If there are more, a tight program is counted by [`counter`] on its
//! completion; of one that is not, the independent parts with positive recursion are enumerated each by itself and the
//! others counted.
//! Invariant: a count is exact or not given at all.

mod counter;
mod formula;

use crate::base::interrupt::StopReason;
use crate::base::map::Map;
use crate::base::rng::Rng;
use crate::control::{Control, Error};
use crate::explain::recursion;
use crate::program::{AtomId, Literal, Program};
use crate::solve::{Control as Flow, EnumMode, Event, Model, OptMode, Projection, SolveOptions};
use counter::Counter;
use formula::Cnf;
use num_bigint::BigUint;

/// Answer sets that are enumerated before anything else is tried.
const FIRST: u64 = 5000;
/// Answer sets of which all are kept, to draw from them.
const KEPT: u64 = 100_000;

/// Options of an enumeration of all answer sets, whatever they cost.
fn all(models: u64, project: bool) -> SolveOptions {
    SolveOptions {
        models: Some(models),
        opt_mode: OptMode::Ignore,
        projection: if project { Projection::Show } else { Projection::None },
        ..SolveOptions::default()
    }
}

/// Enumerates answer sets; whether these were all.
fn enumerate(
    control: &mut Control,
    limit: u64,
    project: bool,
    assumptions: &[Literal],
    mut receive: impl FnMut(&Model<'_>, &Program),
) -> Result<(u64, bool), StopReason> {
    let interrupt = control.interrupt();
    let result = control
        .solve_events(&all(limit, project), assumptions, &mut |event, program, _| {
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

/// Why a call on a lowered program failed: then all sums are known to fit.
fn reason(error: Error) -> StopReason {
    match error {
        Error::Stopped(reason) => reason,
        _ => StopReason::StepLimit,
    }
}

/// What some answer set of a lowered program shows, by show entry; `None` if there is no answer set.
pub fn brave(control: &mut Control) -> Result<Option<Vec<bool>>, StopReason> {
    let options = SolveOptions { enum_mode: EnumMode::Brave, ..all(0, false) };
    let mut found = None;
    let result = control
        .solve_events(&options, &[], &mut |event, _, _| {
            if let Event::Model(model) = event {
                found = Some(model.shown.to_vec());
            }
            Flow::Continue
        })
        .map_err(reason)?;
    match result.stopped {
        Some(reason) => Err(reason),
        None => Ok(found),
    }
}

/// A counter for a lowered program, and the formula; `None` if the program is too large for it.
fn counter(control: &Control, project: bool) -> Option<(Cnf, Option<Counter>)> {
    let formula = formula::formula(control.program()).ok()?;
    let mut counts = vec![!project; formula.variables];
    for &l in formula.shown.iter().filter(|_| project) {
        counts[l as usize / 2] = true;
    }
    let counter = Counter::new(&formula, counts, control.interrupt());
    Some((formula, counter))
}

/// The number of answer sets of a lowered program: of all, or as told apart by what is shown.
pub fn count(control: &mut Control, project: bool) -> Result<BigUint, StopReason> {
    let (models, exhausted) = enumerate(control, FIRST, project, &[], |_, _| {})?;
    if exhausted {
        return Ok(models.into());
    }
    let Some((formula, counter)) = counter(control, project) else {
        return Ok(enumerate(control, 0, project, &[], |_, _| {})?.0.into());
    };
    let Some(mut counter) = counter else { return Ok(BigUint::ZERO) };
    let false_at = |a: u32| counter.value(2 * a) == Some(false);
    let cycles = recursion::components(formula.atoms, &formula.positive, &false_at);
    if cycles.iter().all(|&c| c == 0) {
        return counter.count();
    }
    count_parts(control, project, &formula, &mut counter, &cycles)
}

/// Counts the parts one by one: those with positive recursion by enumeration while the others stay as they are in one
/// answer set. Parts that the completion keeps apart belong together if rules of one positive cycle look at both: whether
/// the cycle is founded depends on both, even where its atoms are known.
fn count_parts(
    control: &mut Control,
    project: bool,
    formula: &Cnf,
    counter: &mut Counter,
    cycles: &[u32],
) -> Result<BigUint, StopReason> {
    let mut one: Vec<bool> = Vec::new();
    enumerate(control, 1, false, &[], |model, program| {
        one = program.atoms.ids().map(|a| model.contains(a)).collect();
    })?;
    if one.is_empty() {
        return Ok(BigUint::ZERO);
    }
    let parts = counter.parts();
    let mut part_of = vec![usize::MAX; formula.variables];
    for (i, part) in parts.iter().enumerate() {
        part.iter().for_each(|&v| part_of[v as usize] = i);
    }
    // The part that stands for each, and the one that stands for the parts that a cycle looks at.
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
                let (own, other) = (root(&joined, part), of_cycle[cycle].map_or(part, |p| root(&joined, p)));
                joined[own] = root(&joined, other);
                of_cycle[cycle] = Some(part);
            }
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
        let (models, _) = enumerate(control, 0, project, &others, |_, _| {})?;
        product *= models;
        enumerated.iter_mut().zip(inside).for_each(|(e, i)| *e |= i);
    }
    Ok(product * counter.count_without(&enumerated)?)
}

/// The part that stands for a part.
fn root(joined: &[usize], mut part: usize) -> usize {
    while joined[part] != part {
        part = joined[part];
    }
    part
}

/// How a sample was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn {
    /// Each answer set was as likely as any other at each draw.
    Uniformly,
    /// By random decisions of the search: any answer set is possible, but not all are equally likely.
    ByRandomSearch,
    /// There is no answer set.
    Nothing,
}

/// Draws answer sets of a lowered program, each as if it were the first. The receiver gets what is shown, by show
/// entry.
pub fn sample(
    control: &mut Control,
    number: u64,
    seed: u64,
    project: bool,
    mut receive: impl FnMut(&Control, &[bool]),
) -> Result<Drawn, StopReason> {
    let mut rng = Rng::new(seed);
    let (found, few) = first(control, FIRST, project)?;
    if few {
        return Ok(draw_from(control, &found, number, &mut rng, receive));
    }
    if let Some((formula, Some(mut counter))) = counter(control, project) {
        let false_at = |a: u32| counter.value(2 * a) == Some(false);
        let recursive = recursion::recursive(formula.atoms, &formula.positive, &false_at);
        if recursive.iter().all(|&r| !r) {
            for _ in 0..number {
                let values = counter.sample(&mut rng)?;
                let holds = |&l: &u32| values[l as usize / 2] == Some(l & 1 == 0);
                let shown: Vec<bool> = formula.shown.iter().map(holds).collect();
                receive(control, &shown);
            }
            return Ok(Drawn::Uniformly);
        }
    }
    let (found, all) = first(control, KEPT, project)?;
    if all {
        return Ok(draw_from(control, &found, number, &mut rng, receive));
    }
    for _ in 0..number {
        let mut options = all_random(rng.next_u64());
        options.projection = if project { Projection::Show } else { Projection::None };
        let mut one = Vec::new();
        let result = control
            .solve_events(&options, &[], &mut |event, program, _| {
                if let Event::Model(model) = event {
                    one = shown(&model, program);
                }
                Flow::Continue
            })
            .map_err(reason)?;
        if let Some(reason) = result.stopped {
            return Err(reason);
        }
        receive(control, &one);
    }
    Ok(Drawn::ByRandomSearch)
}

fn all_random(seed: u64) -> SolveOptions {
    let mut options = all(1, false);
    options.solver.seed = seed;
    options.solver.heuristic.random_frequency = 1.0;
    options
}

fn draw_from(
    control: &Control,
    found: &[Vec<bool>],
    number: u64,
    rng: &mut Rng,
    mut receive: impl FnMut(&Control, &[bool]),
) -> Drawn {
    if found.is_empty() {
        return Drawn::Nothing;
    }
    for _ in 0..number {
        receive(control, &found[rng.below(found.len() as u64) as usize]);
    }
    Drawn::Uniformly
}

/// What a model shows, by show entry.
pub fn shown(model: &Model<'_>, program: &Program) -> Vec<bool> {
    let holds = |l: &Literal| model.holds(*l);
    program.shows.iter().map(|s| program.literals(s.condition).iter().all(holds)).collect()
}

#[cfg(test)]
mod tests;
