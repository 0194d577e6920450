//! Answer sets that differ as much as possible: each one maximises the distance to the nearest previous one.
//!
//! The distance of two answer sets is the number of shown things that only one of them has; a value that is written in binary
//! digits is one thing. A required distance is a
//! weight rule for each answer set so far, assumed during the search; it is raised until there is no answer set.
//! Invariant: when an answer set is final, no other is farther from its nearest predecessor, unless the search was
//! stopped.

use crate::count::shown;
use crate::show_keys;
use asp_base::interrupt::StopReason;
use asp_control::Control;
use asp_program::ground_program::ShowItem;
use asp_program::integers::ByEntry;
use asp_program::{AtomId, Literal, Program, RuleSource};
use asp_solve::session::Session;
use asp_solve::{Event, Flow, OptMode, Projection, SolveOptions, SolveResult};

/// One of the answer sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// What it shows, by show entry.
    pub shown: Vec<bool>,
    /// Distance to the nearest previous one; `None` for the first.
    pub distance: Option<u64>,
    /// Whether no other one was farther.
    pub farthest: bool,
}

/// Finds up to `number` answer sets of a prepared program, each as far as possible from the previous ones. Ends early
/// if all have been found.
pub fn diverse(control: &Control, number: u64, mut receive: impl FnMut(&Member)) -> Result<(), StopReason> {
    let mut search = DiverseSearch::new(control);
    let mut members: Vec<Vec<bool>> = Vec::new();
    while (members.len() as u64) < number {
        let mut best: Option<Member> = None;
        let mut stopped = None;
        loop {
            let required = match &best {
                None => u64::from(!members.is_empty()),
                Some(Member { distance: None, .. }) => break,
                Some(Member { distance: Some(d), .. }) => d + 1,
            };
            let (found, result) = search.find(&members, required);
            stopped = result.stopped;
            let Some(shown) = found else { break };
            let distance = members.iter().map(|m| search.distance(m, &shown)).min();
            best = Some(Member { shown, distance, farthest: false });
        }
        if let Some(mut member) = best {
            member.farthest = stopped.is_none();
            receive(&member);
            members.push(member.shown);
        } else if stopped.is_none() {
            return Ok(());
        }
        if let Some(reason) = stopped {
            return Err(reason);
        }
    }
    Ok(())
}

struct DiverseSearch<'a> {
    control: &'a Control,
    program: Program,
    session: Session,
    /// The shown things: an atom for each, and its show entries.
    things: Vec<(AtomId, Vec<usize>)>,
    /// The entries of each value that is written in digits.
    values: Vec<Vec<usize>>,
}

impl<'a> DiverseSearch<'a> {
    fn new(control: &'a Control) -> Self {
        let mut program = control.program().clone();
        let mut things: Vec<(AtomId, Vec<usize>)> = Vec::new();
        let numbers = show_keys::of(&program);
        for (i, item, condition) in control.program().shown() {
            let place = numbers[i];
            if place == things.len() {
                things.push((program.atoms.add_aux(), Vec::new()));
            }
            if matches!(item, ShowItem::Digit(_)) {
                continue;
            }
            things[place].1.push(i);
            program.rules.add(false, &[things[place].0], condition, RuleSource::NONE);
        }
        let values = ByEntry::new(&program, control.symbols()).digits();
        Self { control, program, session: Session::new(), things, values }
    }

    /// The number of things in which two answer sets differ.
    fn distance(&self, a: &[bool], b: &[bool]) -> u64 {
        let things = self.things.iter().filter(|(_, entries)| has(entries, a) != has(entries, b)).count();
        // Another value is a thing that only one has, and one that only the other has.
        let values = self.values.iter().filter(|entries| entries.iter().any(|&i| a[i] != b[i])).count();
        things as u64 + 2 * values as u64
    }

    /// An answer set with at least this distance to each of some others.
    fn find(&mut self, members: &[Vec<bool>], required: u64) -> (Option<Vec<bool>>, SolveResult) {
        let mut assumptions = self.program.assumptions.clone();
        let required = i64::try_from(required).unwrap_or(i64::MAX);
        for member in members.iter().filter(|_| required > 0) {
            let far = self.program.atoms.add_aux();
            let differs =
                |(thing, entries): &(AtomId, Vec<usize>)| (Literal::new(*thing, has(entries, member)), 1);
            let mut differing: Vec<(Literal, i64)> = self.things.iter().map(differs).collect();
            for entries in &self.values {
                let other = self.program.atoms.add_aux();
                for &i in entries {
                    for &l in &self.program.literals(self.program.shows[i].condition).to_vec() {
                        let digit = if member[i] { !l } else { l };
                        self.program.rules.add(false, &[other], &[digit], RuleSource::NONE);
                    }
                }
                differing.push((Literal::pos(other), 2));
            }
            self.program.rules.add_weight(false, &[far], required, &differing, RuleSource::NONE);
            assumptions.push(Literal::pos(far));
        }
        let mut found = None;
        let (program, interrupt) = (&self.program, self.control.interrupt());
        let result = self.session.solve(program, &options(), &assumptions, &interrupt, &mut |event| {
            if let Event::Model(model) = event {
                found = Some(shown(&model, program));
            }
            Flow::Continue
        });
        (found, result)
    }
}

/// Whether an answer set shows a thing.
fn has(entries: &[usize], shown: &[bool]) -> bool {
    entries.iter().any(|&i| shown[i])
}

fn options() -> SolveOptions {
    SolveOptions {
        models: Some(1),
        opt_mode: OptMode::Ignore,
        projection: Projection::None,
        ..SolveOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each member shows and its distance.
    #[track_caller]
    fn check(text: &str, number: u64, distances: &[u64]) {
        let mut control = Control::new();
        control.add(text);
        control.ground().expect("it grounds");
        control.lower().expect("it is prepared");
        let mut found = Vec::new();
        let result = diverse(&control, number, |m| {
            assert!(m.farthest);
            found.extend(m.distance);
        });
        assert_eq!(result, Ok(()));
        assert_eq!(found, distances, "{text}");
    }

    #[test]
    fn each_is_as_far_as_possible_from_those_before() {
        check("{p(1..4)}.", 3, &[4, 2]);
        check("{a}.", 5, &[1]);
        check("1 {p(1..3)} 1. q :- p(1). #show p/1.", 5, &[2, 2]);
        check(":- not a.", 5, &[]);
        check("1 {p(1..3)} 1. #show t : p(1). #show t : p(2).", 9, &[3, 2]);
        check("{a;b}. #show a/0. #show a : b.", 9, &[2, 1, 1]);
        check("a. {b}. #show a/0. #show a : b.", 9, &[1]);
        check("{p(1..3)} = 1. #show. #show t : p(1). #show t : p(2).", 9, &[1]);
    }
}
