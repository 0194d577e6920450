//! Explanations name all that they need: what is named forces what is claimed, by the definition.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` set the first seed and the number of questions.

use crate::support::hunt::number;
use crate::support::named::hunt;
use asp::Control;
use asp_oracle::brute_force;
use asp_program::AtomTable;
use std::collections::BTreeSet;

/// The atoms of all answer sets by the definition, with facts.
fn answer_sets(text: &str) -> Option<Vec<BTreeSet<String>>> {
    let mut control = Control::new();
    control.settings.ground.keep_facts = true;
    control.add(text);
    control.ground().unwrap_or_else(|error| panic!("{error}: {text}"));
    let (program, symbols) = (control.program(), control.symbols());
    let name = |table: &AtomTable, atom| {
        let mut text = String::new();
        table.write(atom, symbols, &mut text);
        text
    };
    let facts: Vec<String> = program.facts.ids().map(|atom| name(&program.facts, atom)).collect();
    let sets = brute_force::answer_sets(program, symbols);
    Some(
        sets.iter()
            .map(|s| s.atoms(program, symbols).into_iter().chain(facts.iter().cloned()).collect())
            .collect(),
    )
}

#[test]
fn what_is_named_forces_what_is_claimed() {
    let count = number("ASP_RANDOM_COUNT", 15_000);
    let asked = hunt(number("ASP_RANDOM_SEED", 0), count, number("ASP_RANDOM_FAILURES", 5), &mut answer_sets);
    assert!(asked.forced * 5 > count && asked.contradictions * 60 > count, "{asked:?}");
    assert!(asked.minimal * 400 > count, "{asked:?}");
}
