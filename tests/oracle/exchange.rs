//! The recorded ground programs and facts are what clingo writes.

use crate::support::exchange::{REIFIED, ground, path, title};
use crate::support::oracle::clingo;
use crate::support::update;

/// Compares a file with what clingo writes; `ASP_UPDATE=1` rewrites it.
fn check(name: &str, programs: impl IntoIterator<Item = &'static str>, arguments: &[&str]) {
    let section = |program| format!("%%% {}\n{}", title(program), clingo(arguments, program));
    let text: String = programs.into_iter().map(section).collect();
    if update::is_wanted() {
        update::write(path(name), &text);
    }
    assert_eq!(std::fs::read_to_string(path(name)).unwrap_or_default(), text, "{name}");
}

#[test]
#[ignore = "needs clingo"]
fn recorded_ground_programs_are_those_of_clingo() {
    check("gringo.txt", ground(), &["--mode=gringo"]);
}

#[test]
#[ignore = "needs clingo"]
fn recorded_facts_are_those_of_clingo() {
    check("reified.txt", REIFIED.iter().copied(), &["--output=reify"]);
}
