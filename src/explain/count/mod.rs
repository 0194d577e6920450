//! How many answer sets there are, and answer sets drawn at random.
//!
//! A few answer sets are enumerated first. If there are more, a tight program is counted by [`counter`] on its
//! completion; of one that is not, the independent parts with positive recursion are enumerated each by itself and the
//! others counted.
//! Invariant: a count is exact or not given at all.

mod counter;
mod formula;
pub mod natural;
mod recursion;

use crate::base::interrupt::StopReason;
use crate::base::rng::Rng;
use crate::control::Control;
use crate::program::{AtomId, Literal, Program};
use crate::solve::{Control as Flow, Event, Model, OptMode, Projection, SolveOptions};
use counter::Counter;
use formula::Formula;
use natural::Natural;

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
    let result = control.solve_events(&all(limit, project), assumptions, &mut |event, program, _| {
        if let Event::Model(model) = event {
            receive(&model, program);
            interrupt.note_instances(model.number);
        }
        Flow::Continue
    });
    match result.stopped {
        Some(reason) => Err(reason),
        None => Ok((result.models, result.exhausted)),
    }
}

/// The first answer sets of a prepared program, by show entry, and whether these are all.
pub fn first(
    control: &mut Control,
    models: u64,
    project: bool,
) -> Result<(Vec<Vec<bool>>, bool), StopReason> {
    let mut found = Vec::new();
    let (_, all) = enumerate(control, models, project, &[], |m, p| found.push(shown(m, p)))?;
    Ok((found, all))
}

/// A counter for a prepared program, and the formula; `None` if the program is too large for it.
fn counter(control: &Control, project: bool) -> Option<(Formula, Option<Counter>)> {
    let formula = formula::formula(control.program()).ok()?;
    let mut counts = vec![!project; formula.variables];
    for &l in formula.shown.iter().filter(|_| project) {
        counts[l as usize / 2] = true;
    }
    let counter = Counter::new(&formula, counts, control.interrupt());
    Some((formula, counter))
}

/// The number of answer sets of a prepared program: of all, or as told apart by what is shown.
pub fn count(control: &mut Control, project: bool) -> Result<Natural, StopReason> {
    let (models, exhausted) = enumerate(control, FIRST, project, &[], |_, _| {})?;
    if exhausted {
        return Ok(models.into());
    }
    let Some((formula, counter)) = counter(control, project) else {
        return Ok(enumerate(control, 0, project, &[], |_, _| {})?.0.into());
    };
    let Some(mut counter) = counter else { return Ok(Natural::zero()) };
    let false_at = |a: u32| counter.value(2 * a) == Some(false);
    let recursive = recursion::recursive(formula.atoms, &formula.positive, &false_at);
    if recursive.iter().all(|&r| !r) {
        return counter.count();
    }
    count_parts(control, project, &formula, &mut counter, &recursive)
}

/// Counts the parts one by one: those with positive recursion by enumeration while the others stay as they are in one
/// answer set.
fn count_parts(
    control: &mut Control,
    project: bool,
    formula: &Formula,
    counter: &mut Counter,
    recursive: &[bool],
) -> Result<Natural, StopReason> {
    let mut one: Vec<bool> = Vec::new();
    enumerate(control, 1, false, &[], |model, program| {
        one = program.atoms.ids().map(|a| model.contains(a)).collect();
    })?;
    let mut enumerated = vec![false; formula.atoms];
    let mut parts: Vec<Vec<AtomId>> = Vec::new();
    for part in counter.parts() {
        let atoms: Vec<u32> = part.into_iter().filter(|&v| (v as usize) < formula.atoms).collect();
        if atoms.iter().any(|&a| recursive[a as usize]) {
            atoms.iter().for_each(|&a| enumerated[a as usize] = true);
            parts.push(atoms.into_iter().map(AtomId).collect());
        }
    }
    let mut product = Natural::one();
    for part in parts {
        let mut inside = vec![false; formula.atoms];
        part.iter().for_each(|a| inside[a.0 as usize] = true);
        let literal = |a: usize| Literal::new(AtomId(a as u32), !one[a]);
        let others: Vec<Literal> = (0..formula.atoms).filter(|&a| !inside[a]).map(literal).collect();
        let (models, _) = enumerate(control, 0, project, &others, |_, _| {})?;
        product = product.times(&models.into());
    }
    Ok(product.times(&counter.count_without(&enumerated)?))
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

/// Draws answer sets of a prepared program, each as if it were the first. The receiver gets what is shown, by show
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
        let result = control.solve_events(&options, &[], &mut |event, program, _| {
            if let Event::Model(model) = event {
                one = shown(&model, program);
            }
            Flow::Continue
        });
        if let Some(reason) = result.stopped {
            return Err(reason);
        }
        receive(control, &one);
    }
    Ok(Drawn::ByRandomSearch)
}

fn all_random(seed: u64) -> SolveOptions {
    SolveOptions { seed, random_frequency: 1.0, ..all(1, false) }
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
