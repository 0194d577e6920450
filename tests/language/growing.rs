//! Externals in recursion and programs that grow: answer sets after each step, by the definition and by clingo.
//!
//! The expected answer sets are those of all rules so far with choices and constraints in place of the external atoms.
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others.

use super::random::say;
use crate::support::growing::{Step, Value, steps};
use crate::support::hunt::number;
use crate::support::oracle::Oracle;
use crate::support::outcome::{Mode, Model, Outcome};
use asp::{Control, Error};
use asp_oracle::brute_force;
use std::collections::BTreeMap;

/// An external atom by the definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Value(Value),
    /// A rule derives it.
    Defined,
}

fn model(shown: Vec<String>) -> Model {
    Model { shown, costs: Vec::new(), optimal: false }
}

fn solve(control: &mut Control) -> Result<Outcome, Error> {
    let mut models = Vec::new();
    control.solve(0, |answer| {
        models.push(model(answer.terms().map(|term| term.to_string()).collect()));
        true
    })?;
    Ok(Mode::All.select(models.into_iter()))
}

/// All answer sets of a program by the definition, from what is grounded alone.
fn by_definition(text: &str) -> Outcome {
    let mut control = Control::new();
    control.add(text);
    control.ground().expect("a valid program");
    let (program, symbols) = (control.program(), control.symbols());
    let sets = brute_force::answer_sets(program, symbols);
    Mode::All.select(sets.iter().map(|set| model(set.shown(program, symbols))))
}

/// What a program says, as one program without external atoms.
fn whole(steps: &[Step], given: &BTreeMap<String, Given>) -> String {
    let rules = steps.iter().flat_map(|step| &step.rules).filter(|rule| !rule.starts_with("#external"));
    let mut text: String = rules.map(|rule| format!("{rule}\n")).collect();
    for (atom, given) in given {
        match given {
            Given::Value(Value::True) => text.push_str(&format!("{{ {atom} }}. :- not {atom}.\n")),
            Given::Value(Value::Free) => text.push_str(&format!("{{ {atom} }}.\n")),
            Given::Value(Value::False | Value::Released) | Given::Defined => {}
        }
    }
    text
}

/// Runs a program; returns what is wrong, and how many steps were compared and how many refused.
fn run(seed: u64, oracle: &mut Option<Oracle>, told: &mut [u64; 3]) -> Result<(), String> {
    let steps = steps(seed, seed.is_multiple_of(3));
    let mut control = Control::new();
    let mut given: BTreeMap<String, Given> = BTreeMap::new();
    let mut last = None;
    for (number, step) in steps.iter().enumerate() {
        control.add(&format!("#program s{number}.\n{}\n", step.rules.join("\n")));
        control.ground_parts(&[(&format!("s{number}"), Vec::new())]).map_err(|e| e.to_string())?;
        let declared = |value: &str| step.rules[0].contains(value);
        let value = match () {
            () if declared("[true]") => Value::True,
            () if declared("[free]") => Value::Free,
            () => Value::False,
        };
        given.insert(format!("e{number}"), Given::Value(value));
        // Whether an atom that rules of earlier steps derive is derived again, and may have both values.
        let open = step.again.iter().any(|atom| {
            let defined = match given.get(atom) {
                Some(given) => *given == Given::Defined,
                None => true,
            };
            defined && is_open(last.as_ref(), atom)
        });
        let again = step.again.iter().any(|atom| given.get(atom).is_none_or(|g| *g == Given::Defined));
        let mut twice = step.again.clone();
        twice.sort();
        for atom in &twice {
            if let Some(given) = given.get_mut(atom) {
                *given = Given::Defined;
            }
        }
        for (atom, value) in &step.values {
            let term = control.function(atom, &[]);
            match value {
                Value::True => control.assign_external(term, true),
                Value::False => control.assign_external(term, false),
                Value::Free => control.free_external(term),
                Value::Released => control.release_external(term),
            }
            .or_else(|error| if matches!(error, Error::NotExternal(_)) { Ok(()) } else { Err(error) })
            .map_err(|e| e.to_string())?;
            if let Some(Given::Value(now)) = given.get_mut(atom)
                && *now != Value::Released
            {
                *now = *value;
            }
        }
        let found = match solve(&mut control) {
            Ok(found) => found,
            Err(error) if again && error.to_string().contains("redefinition of atom") => {
                told[2] += 1;
                return Ok(());
            }
            Err(error) => return Err(format!("step {number}: {error}")),
        };
        if open {
            return Err(format!("step {number} is accepted although it derives {:?} again", step.again));
        }
        let text = whole(&steps[..=number], &given);
        let expected = by_definition(&text);
        if found != expected {
            return Err(format!("step {number}: found {found}\nby the definition {expected}\n{text}"));
        }
        // Clingo loses instances of disjunctions whose conditions depend on them: see the page of differences.
        let conditional = |rule: &String| rule.split(" :- ").next().is_some_and(|head| head.contains(" : "));
        let asked = oracle.as_mut().filter(|_| !steps.iter().flat_map(|s| &s.rules).any(conditional));
        if let Some(oracle) = asked {
            // Its auxiliary atoms may have several values beside one answer set.
            let clingo = oracle.solve_plainly(&text, Mode::All, 100_000).once();
            if found != clingo {
                return Err(format!("step {number}: found {found}\nclingo {clingo}\n{text}"));
            }
            told[1] += 1;
        }
        told[0] += 1;
        if again {
            // Accepted because its value was known; clingo takes it for a new atom then.
            return Ok(());
        }
        last = Some(found);
    }
    Ok(())
}

/// Whether some answer sets have an atom and some do not.
fn is_open(last: Option<&Outcome>, atom: &str) -> bool {
    let Some(Outcome::Models(models)) = last else { return false };
    let has = |m: &&Model| m.shown.iter().any(|shown| shown == atom);
    let count = models.iter().filter(has).count();
    0 < count && count < models.len()
}

#[test]
fn externals_in_recursion_step_by_step() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 1500));
    let mut oracle = Oracle::start();
    let (mut told, mut wrong) = ([0; 3], Vec::new());
    for seed in first..first + count {
        if let Err(what) = run(seed, &mut oracle, &mut told) {
            let text: String = steps(seed, seed % 3 == 0)
                .iter()
                .map(|step| format!("{}\n% {:?}\n", step.rules.join("\n"), step.values))
                .collect();
            wrong.push(format!("seed {seed}: {what}\n{text}"));
        }
    }
    say(&format!(
        "growing: {} steps from seed {first}, {} of them by clingo too, {} programs refused",
        told[0], told[1], told[2]
    ));
    assert!(
        wrong.is_empty(),
        "{} wrong, the first:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(3)].join("\n")
    );
    assert!(count < 1000 || told[0] > count && told[2] > 20, "{told:?}");
}
