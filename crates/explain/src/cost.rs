//! What an optimal answer set costs, tuple by tuple, and why no answer set costs less.
//!
//! A weak constraint that is given up costs as little as its weights allow: tuples of positive weight are free, those
//! of negative weight are gained. Why a level does not cost less is a set of constraints, bounds and weak constraints
//! that leave no answer set below its cost, while the more important levels are no worse. Invariant: the shares of a
//! level add up to its cost; what a core claims has been shown by the solver.

use super::inquiry::Inquiry;
use super::inquiry::cores::{self, Core, Cored, Effort};
use super::inquiry::relax::{self, Grain, Scope};
use super::optimal::{self, Best};
use crate::inquiry::Oracle;
use asp_base::interrupt::StopReason;
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::Sym;
use asp_control::{Error, Report};
use asp_program::integers::state::Known;
use asp_program::lower::lower;
use asp_program::{Literal, Program, RuleSource};

/// Conflicts spent on removing what is not needed, and on a smaller core.
const PARTS: Effort = Effort { first: None, each: 8_000, all: 60_000 };
const SMALLER: Effort = Effort { first: None, each: 5_000, all: 20_000 };
/// The same where there are integers: a conflict takes longer by far, and the first core, too.
const PARTS_OF_INTEGERS: Effort = Effort { first: Some(2_000), each: 400, all: 2_000 };
const SMALLER_OF_INTEGERS: Effort = Effort { first: Some(400), each: 400, all: 1_000 };
/// Solver calls spent on a smaller core.
const MAX_CALLS: u64 = 100;

/// A tuple that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// What it costs.
    pub weight: i64,
    /// The terms that tell it apart.
    pub tuple: Vec<Sym>,
    /// What holds: the condition of its first instance.
    pub condition: Vec<Literal>,
    /// If it is what the value of an integer costs: the integer with its value.
    pub value: Option<(Sym, i64)>,
    /// The statement of that instance.
    pub span: Span,
    /// Other statements of which an instance with the same tuple holds: it counts once.
    pub also: Vec<Span>,
}

/// The cost of a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelCost {
    pub priority: i64,
    pub cost: i64,
    /// The tuples that count, by statement.
    pub shares: Vec<Share>,
}

/// An optimal answer set of a program opened for questions, and what it costs; `None` if there is no answer set.
pub fn best(inquiry: &Inquiry) -> Result<Option<(Best, Vec<LevelCost>)>, Error> {
    let mut program = inquiry.program().clone();
    lower(&mut program, inquiry.symbols())
        .map_err(|error| Error::Overflow(Report::told(&error.to_string())))?;
    let (threads, interrupt) = (inquiry.control.settings.solve.threads, inquiry.control.interrupt());
    let found = optimal::best(&program, threads, &interrupt).map_err(Error::Stopped)?;
    let Some(best) = found else { return Ok(None) };
    let priorities: Vec<i64> = program.objectives.iter().map(|o| o.priority).collect();
    let levels = levels(inquiry, &best, &priorities);
    // What does not add up is not told.
    let adds_up = |level: &LevelCost| {
        level.shares.iter().map(|s| i128::from(s.weight)).sum::<i128>() == i128::from(level.cost)
    };
    if priorities.len() != best.costs.len() || !levels.iter().all(adds_up) {
        return Err(Error::Stopped(StopReason::StepLimit));
    }
    Ok(Some((best, levels)))
}

/// Priority and cost of each level of an optimal answer set; none where there is no objective or no answer set.
pub fn optimum(inquiry: &Inquiry) -> Result<Vec<(i64, i64)>, Error> {
    if inquiry.program().minimize.is_empty() {
        return Ok(Vec::new());
    }
    let levels = best(inquiry)?.map(|(_, levels)| levels).unwrap_or_default();
    Ok(levels.iter().map(|level| (level.priority, level.cost)).collect())
}

fn levels(inquiry: &Inquiry, best: &Best, priorities: &[i64]) -> Vec<LevelCost> {
    let program = inquiry.program();
    let holds = |l: &Literal| best.truth.get(l.atom().0 as usize).copied().unwrap_or(false) != l.is_neg();
    let variables = &program.integers.variables;
    let digits: Map<Literal, (usize, &Known)> = (program.integers.digits())
        .map(|(literal, variable, k)| (literal, (k, &variables[variable])))
        .collect();
    let level = |(&priority, &cost): (&i64, &i64)| {
        let mut shares: Vec<Share> = Vec::new();
        let mut known: Map<(i64, &[Sym]), usize> = Map::default();
        for element in program.minimize.iter().filter(|e| e.priority == priority) {
            let condition = program.literals(element.condition);
            if let &[literal] = condition
                && let Some(&digit) = digits.get(&literal)
            {
                add_digit(&mut shares, inquiry.span(element.source), digit, element.weight, holds(&literal));
                continue;
            }
            if !condition.iter().all(holds) {
                continue;
            }
            let (tuple, span) = (program.terms(element.tuple), inquiry.span(element.source));
            match known.get(&(element.weight, tuple)) {
                None => {
                    known.insert((element.weight, tuple), shares.len());
                    let (tuple, condition) = (tuple.to_vec(), condition.to_vec());
                    let (weight, also) = (element.weight, Vec::new());
                    shares.push(Share { weight, tuple, condition, value: None, span, also });
                }
                Some(&at) => {
                    let share = &mut shares[at];
                    if share.span != span && !share.also.contains(&span) {
                        share.also.push(span);
                    }
                }
            }
        }
        let symbols = inquiry.symbols();
        let order = |a: &Share, b: &Share| {
            let tuples = a.tuple.iter().zip(&b.tuple).map(|(&a, &b)| symbols.cmp(a, b));
            let tuples = tuples.into_iter().find(|o| o.is_ne()).unwrap_or(a.tuple.len().cmp(&b.tuple.len()));
            a.span.cmp(&b.span).then(b.weight.cmp(&a.weight)).then(tuples)
        };
        shares.sort_by(order);
        LevelCost { priority, cost, shares }
    };
    priorities.iter().zip(&best.costs).map(level).collect()
}

/// Adds what a binary digit costs, the least of a variable first, to the cost of the variable's value. What the base of the value
/// costs was a part of what any answer set does.
fn add_digit(shares: &mut Vec<Share>, span: Span, (k, known): (usize, &Known), weight: i64, holds: bool) {
    let Some(digits) = &known.digits else { return };
    if k == 0 {
        let base = weight.saturating_mul(digits.base);
        let always =
            shares.iter_mut().find(|s| s.span == span && s.condition.is_empty() && s.value.is_none());
        let Some(always) = always else { return };
        always.weight = always.weight.saturating_sub(base);
        let tuple = always.tuple.clone();
        let value = Some((known.name, digits.base));
        shares.push(Share { weight: base, tuple, condition: Vec::new(), value, span, also: Vec::new() });
    }
    let of_value = |s: &&mut Share| s.span == span && s.value.is_some_and(|(name, _)| name == known.name);
    if let Some(Share { weight: cost, value: Some((_, value)), .. }) =
        shares.iter_mut().rev().find(of_value).filter(|_| holds)
    {
        *cost = cost.saturating_add(weight);
        *value = value.saturating_add(1 << k);
    }
}

/// A statement that keeps a level from costing less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hold {
    /// Whether it is a weak constraint.
    pub weak: bool,
    /// Where it stands.
    pub span: Span,
}

/// Why a level does not cost less.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Its weights do not add up to less.
    Least,
    /// These statements leave no answer set that does.
    Holds {
        /// Constraints, bounds, edges, then weak constraints.
        holds: Vec<Hold>,
        /// Whether each of them is needed.
        minimal: bool,
    },
}

/// Finds out why a level, by index, does not cost less while those before it cost what they do. With `endless`, the result is
/// reduced until the interrupt stops it, otherwise for a moment; nothing is left out that is not known to be superfluous.
pub fn why_not_less(
    inquiry: &Inquiry,
    levels: &[LevelCost],
    index: usize,
    endless: bool,
    report: &mut dyn FnMut(usize),
) -> Result<Reason, Error> {
    inquiry.check_integers("no answer set costs less")?;
    let interrupt = inquiry.control.interrupt();
    let scope = Scope { grain: Grain::Statement, only: None, rules: false, optimum: false };
    let (mut program, switches) = relax::relax(inquiry, &scope);
    let mut parts: Vec<(Literal, Hold)> =
        switches.iter().map(|s| (s.literal, Hold { weak: false, span: s.span })).collect();
    let wanted = levels.iter().take(index + 1);
    let mut weak: Map<Span, Literal> = Map::default();
    for (at, level) in wanted.enumerate() {
        let items = weighted(inquiry, &mut program, level.priority, &mut weak, &mut parts);
        let most = i128::from(level.cost) - i128::from(at == index);
        match optimal::more_than(most, items.into_iter()) {
            None => {}
            Some(Err(())) => return Err(Error::Stopped(StopReason::StepLimit)),
            Some(Ok((bound, _))) if bound <= 0 && at == index => return Ok(Reason::Least),
            Some(Ok(sum)) => optimal::add_sum(&mut program, &[], &sum),
        }
    }
    let soft: Vec<Literal> = parts.iter().map(|p| p.0).collect();
    let mut oracle = Oracle::new(program, inquiry.symbols(), interrupt.clone())?;
    let (first, smaller) = match inquiry.program().theory.integers {
        _ if endless => (Effort::ENDLESS, SMALLER),
        true => (PARTS_OF_INTEGERS, SMALLER_OF_INTEGERS),
        false => (PARTS, SMALLER),
    };
    let core = match cores::find(&mut oracle, &[], &soft, first, &interrupt, report) {
        // That nothing costs less is known already: all of it together is a reason.
        Cored::Stopped(_) => Core { literals: soft.clone(), minimal: false },
        // The solver said that there is no cheaper answer set: nothing is told if it contradicts itself.
        Cored::Possible(_) => return Err(Error::Stopped(StopReason::StepLimit)),
        Cored::Impossible(core) => core,
    };
    let weight = |core: &[Literal]| core.len();
    let Core { literals, minimal } =
        cores::least(&mut oracle, core, &soft, smaller, &interrupt, MAX_CALLS, &weight);
    let literals: Set<Literal> = literals.into_iter().collect();
    let mut holds: Vec<Hold> = parts.iter().filter(|p| literals.contains(&p.0)).map(|p| p.1).collect();
    holds.sort_unstable();
    Ok(Reason::Holds { holds, minimal })
}

/// The tuples of a level as atoms that a program derives while the switches of their statements hold, each with its
/// weight.
fn weighted(
    inquiry: &Inquiry,
    program: &mut Program,
    priority: i64,
    weak: &mut Map<Span, Literal>,
    parts: &mut Vec<(Literal, Hold)>,
) -> Vec<(Literal, i128)> {
    let given = inquiry.program();
    let mut items: Vec<(Literal, i128)> = Vec::new();
    let mut known: Map<(i64, &[Sym]), usize> = Map::default();
    for element in given.minimize.iter().filter(|e| e.priority == priority && e.weight != 0) {
        let span = inquiry.span(element.source);
        let switch = match weak.get(&span) {
            Some(&switch) => switch,
            None => {
                let switch = Literal::pos(program.atoms.add_aux());
                program.rules.add(true, &[switch.atom()], &[], RuleSource::NONE);
                weak.insert(span, switch);
                parts.push((switch, Hold { weak: true, span }));
                switch
            }
        };
        let key = (element.weight, given.terms(element.tuple));
        let at = *known.entry(key).or_insert_with(|| {
            items.push((Literal::pos(program.atoms.add_aux()), i128::from(element.weight)));
            items.len() - 1
        });
        let head = [items[at].0.atom()];
        let mut body = given.literals(element.condition).to_vec();
        if element.weight > 0 {
            body.push(switch);
        } else {
            // Given up, it is gained in any case.
            program.rules.add(false, &head, &[!switch], RuleSource::NONE);
        }
        program.rules.add(false, &head, &body, RuleSource::NONE);
    }
    items
}

#[cfg(test)]
mod tests;
