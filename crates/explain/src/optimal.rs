//! The optimal answer sets of a program: one of them, and a program that has no others.
//!
//! Invariant: costs are called optimal only if the search for better ones was exhausted.

use super::inquiry::Inquiry;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::Sym;
use asp_control::{Control, Error};
use asp_picture::Saying;
use asp_program::{AtomId, Literal, Program, RuleId, RuleSource};
use asp_solve::session::Session;
use asp_solve::{Event, Flow, OptMode, Projection, SolveOptions};

/// An optimal answer set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best {
    /// Truth by atom.
    pub truth: Vec<bool>,
    /// Its costs, most important level first.
    pub costs: Vec<i64>,
}

fn options(threads: u32) -> SolveOptions {
    SolveOptions {
        models: Some(0),
        opt_mode: OptMode::Opt,
        projection: Projection::None,
        threads,
        ..SolveOptions::default()
    }
}

/// An optimal answer set of a lowered program; `None` if it has no answer set.
pub(crate) fn best(
    program: &Program,
    threads: u32,
    interrupt: &Interrupt,
) -> Result<Option<Best>, StopReason> {
    let (mut found, atoms) = (None, program.atoms.len() as u32);
    let result =
        Session::new().solve(program, &options(threads), &program.assumptions, interrupt, &mut |event| {
            if let Event::Model(model) = event {
                let truth = (0..atoms).map(|a| model.contains(AtomId(a))).collect();
                found = Some(Best { truth, costs: model.costs.to_vec() });
            }
            Flow::Continue
        });
    match result.stopped {
        Some(reason) => Err(reason),
        None if !result.exhausted => Err(StopReason::StepLimit),
        None => Ok(found),
    }
}

/// Constraints that leave a lowered program its optimal answer sets; returns their costs, or `None` if it has no answer
/// set.
pub fn keep_best(control: &mut Control) -> Result<Option<Vec<i64>>, Error> {
    control.lower()?;
    let (threads, interrupt) = (control.settings.solve.threads, control.interrupt());
    let Some(best) = best(control.program(), threads, &interrupt).map_err(Error::Stopped)? else {
        return Ok(None);
    };
    let levels: Vec<(i64, Vec<(Literal, i64)>)> =
        control.program().objectives.iter().map(|o| (o.constant, o.literals.clone())).collect();
    for ((constant, literals), &cost) in levels.iter().zip(&best.costs) {
        // No answer set costs less as long as the more important levels are optimal, too.
        let most = i128::from(cost) - i128::from(*constant);
        let items = literals.iter().map(|&(l, w)| (l, i128::from(w)));
        let Some(sum) = more_than(most, items) else { continue };
        let (bound, items) = sum.map_err(|()| Error::Stopped(StopReason::StepLimit))?;
        control.backend().weight_rule(false, &[], bound, &items);
    }
    Ok(Some(best.costs))
}

/// Leaves a program opened for questions the answer sets that cost no more than its optimum: for each level a constraint without
/// a place in the text.
pub(crate) fn keep(inquiry: &mut Inquiry) -> Result<(), Error> {
    inquiry.written = inquiry.program().rules.len();
    for (priority, cost) in inquiry.optimum.clone() {
        let items = weighted(inquiry, priority);
        match more_than(i128::from(cost), items.into_iter()) {
            None => {}
            Some(Err(())) => return Err(Error::Stopped(StopReason::StepLimit)),
            Some(Ok((bound, items))) => inquiry.control.backend().weight_rule(false, &[], bound, &items),
        }
    }
    Ok(())
}

/// The tuples of a level, each with its weight, as literals: its condition, or an atom that its instances derive.
fn weighted(inquiry: &mut Inquiry, priority: i64) -> Vec<(Literal, i128)> {
    let program = inquiry.program();
    let mut tuples: Vec<(i64, Span, Vec<Vec<Literal>>)> = Vec::new();
    let mut known: Map<(i64, &[Sym]), usize> = Map::default();
    for element in program.minimize.iter().filter(|e| e.priority == priority && e.weight != 0) {
        let at = *known.entry((element.weight, program.terms(element.tuple))).or_insert_with(|| {
            tuples.push((element.weight, inquiry.span(element.source), Vec::new()));
            tuples.len() - 1
        });
        tuples[at].2.push(program.literals(element.condition).to_vec());
    }
    let mut named: Vec<_> = known.into_iter().map(|((_, tuple), at)| (at, tuple.to_vec())).collect();
    named.sort_unstable();
    let says: Vec<Saying> = named.iter().zip(&tuples).map(|((_, t), of)| saying(inquiry, of.0, t)).collect();
    let Inquiry { control, sayings, tuples: places, .. } = inquiry;
    let mut backend = control.backend();
    let literal = |((weight, place, instances), saying): ((i64, Span, Vec<Vec<Literal>>), Saying)| {
        if let [instance] = &instances[..]
            && let &[literal] = &instance[..]
        {
            return (literal, i128::from(weight));
        }
        let head = backend.auxiliary();
        sayings.insert(head, saying);
        places.insert(head, place);
        instances.iter().for_each(|instance| backend.rule(false, &[head], instance));
        (Literal::pos(head), i128::from(weight))
    };
    tuples.into_iter().zip(says).map(literal).collect()
}

/// That a tuple counts: `2 for milk counts`.
fn saying(inquiry: &Inquiry, weight: i64, tuple: &[Sym]) -> Saying {
    let terms: Vec<String> = tuple.iter().map(|&t| inquiry.symbols().display(t)).collect();
    let what = match terms.as_slice() {
        [] => weight.to_string(),
        [one] => format!("{weight} for {one}"),
        many => format!("{weight} for ({})", many.join(",")),
    };
    Saying { yes: format!("{what} counts"), no: format!("{what} does not count"), marks: false }
}

/// What a rule demands that is there because only the optimal answer sets are left.
pub(crate) fn demand(inquiry: &Inquiry, rule: RuleId) -> Option<String> {
    if inquiry.optimum.is_empty()
        || (rule.0 as usize) < inquiry.written
        || !inquiry.program().rules.get(rule).head.atoms().is_empty()
    {
        return None;
    }
    let cost = |&(priority, cost): &(i64, i64)| match inquiry.optimum.len() {
        1 => cost.to_string(),
        _ => format!("{cost} at priority {priority}"),
    };
    let costs: Vec<String> = inquiry.optimum.iter().map(cost).collect();
    Some(format!("an optimal answer set costs {}", costs.join(", ")))
}

/// A weighted sum of literals and its bound, with positive weights.
pub(crate) type Sum = (i64, Vec<(Literal, i64)>);

/// The condition that a sum of weighted literals exceeds a number; `None` if it never does, an error if it cannot be
/// written with 64 bits.
pub(crate) fn more_than(
    number: i128,
    items: impl Iterator<Item = (Literal, i128)>,
) -> Option<Result<Sum, ()>> {
    let (mut bound, mut total, mut sum) = (number + 1, 0, Vec::new());
    for (literal, weight) in items {
        // w * l = w + |w| * not l for a negative weight w.
        let (literal, size) = if weight < 0 { (!literal, -weight) } else { (literal, weight) };
        bound -= weight.min(0);
        total += size;
        sum.push((literal, size));
    }
    if total < bound {
        return None;
    }
    let narrow = |n: i128| i64::try_from(n).map_err(|_| ());
    let items = sum.into_iter().map(|(l, w)| Ok((l, narrow(w)?))).collect::<Result<Vec<_>, ()>>();
    Some(narrow(total).and_then(|_| Ok((narrow(bound.max(0))?, items?))))
}

/// Adds the rule that an atom holds if a sum reaches its bound.
pub(crate) fn add_sum(program: &mut Program, head: &[AtomId], (bound, items): &Sum) {
    if *bound <= 0 {
        program.rules.add(false, head, &[], RuleSource::NONE);
    } else {
        program.rules.add_weight(false, head, *bound, items, RuleSource::NONE);
    }
}
