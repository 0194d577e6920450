//! Comparison of this system with clingo, taking known errors of clingo into account.

use super::generator::Case;
use super::hunt::Failure;
use super::library;
use super::oracle::{self, Oracle};
use super::outcome::{Mode, Outcome};
use super::tree::{Tree, render, text};

/// Programs with more answer sets are skipped.
pub const MOST_MODELS: usize = 2000;

/// Whether a rejection is an internal error of clingo, which says nothing about the program.
pub fn gave_up(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Rejected(m) if m.contains("Term::simplify must be called"))
}

/// Whether an outcome involves integers beyond 32 bits, which wrap in clingo.
pub fn is_large(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Rejected(message) => message.contains("64 bits"),
        Outcome::Models(models) => {
            let digits = |s: &String| s.split(|c: char| !c.is_ascii_digit()).any(|n| n.len() > 9);
            models.iter().flat_map(|m| &m.shown).any(digits)
        }
        _ => false,
    }
}

/// Whether two outcomes differ in this alone: one knows of a level that is always 0, the other has seen in grounding that
/// nothing is left of it (in both directions, about one in 4000 programs).
pub fn differ_in_vacuity(expected: &Outcome, actual: &Outcome) -> bool {
    let plain = |o: &Outcome| o.clone().without_vacuous_levels();
    expected != actual && plain(expected) == plain(actual)
}

/// An outcome without what is not compared: how often an answer set comes depends on which theory atoms are left when all
/// is simplified.
pub fn comparable(program: &str, outcome: Outcome) -> Outcome {
    if program.contains("#theory") { outcome.once() } else { outcome }
}

/// Both results, clingo's first, if they can be compared and are different.
pub fn mismatch(statements: &[Tree], mode: Mode, oracle: &mut Oracle) -> Option<(Outcome, Outcome)> {
    let program = render(statements);
    let expected = oracle.solve(&program, mode, MOST_MODELS);
    if gave_up(&expected) || matches!(expected, Outcome::TooMany | Outcome::Unfinished) {
        return None;
    }
    let actual = library::solve(&program, mode, MOST_MODELS);
    if is_large(&actual) || differ_in_vacuity(&expected, &actual) {
        return None;
    }
    let same = |expected: &Outcome| {
        comparable(&program, actual.clone()).agrees(&comparable(&program, expected.clone()))
    };
    if same(&expected) || same(&oracle.solve_plainly(&program, mode, MOST_MODELS)) {
        return None;
    }
    // If heads depend on themselves, clingo loses instances, depending on the order of bodies; and it treats `1/0` and
    // `1/X` differently.
    let turned: String = program.lines().map(turned).collect();
    if turned != program.replace('\n', "") && same(&oracle.solve(&turned, mode, MOST_MODELS)) {
        return None;
    }
    Some((expected, actual))
}

/// The same for a case of the generator.
pub fn failure(case: &Case, oracle: &mut Oracle) -> Option<Failure> {
    let (expected, actual) = mismatch(&case.statements, case.mode, oracle)?;
    Some(Failure { stage: "answers", expected, actual })
}

/// The same for programs with external atoms. Which ones statements name goes, beside aggregates and conditional literals, by what
/// gringo knows half-way, and its translation of these defines external atoms (the page of differences has both): if the outcomes
/// differ, the atoms are given that clingo names, as external ones or as choices. `given` counts these programs.
pub fn failure_beside_externals(case: &Case, oracle: &mut Oracle, given: &mut u64) -> Option<Failure> {
    let found = failure(case, oracle)?;
    let written = |s: &Tree| render(std::slice::from_ref(s));
    let is_external = |s: &Tree| written(s).trim_start().starts_with("#external");
    let is_nested = |s: &Tree| {
        let statement = written(s).replace(":-", "");
        let colons = 1 + usize::from(is_external(s));
        statement.contains('{') || statement.matches(':').count() >= colons
    };
    if !case.statements.iter().any(is_nested) {
        return Some(found);
    }
    let grounded = oracle::clingo(&["--text"], &render(&case.statements));
    let named: Vec<&str> = grounded.lines().filter(|l| l.starts_with("#external ")).collect();
    let external = |line: &str| line.to_owned();
    let choice = |line: &str| {
        let (atom, value) = line["#external ".len()..].rsplit_once('.').unwrap_or((line, ""));
        match value {
            "[free]" => format!("{{ {atom} }}."),
            "[true]" => format!("{{ {atom} }}. :- not {atom}."),
            _ => String::new(),
        }
    };
    let others = || case.statements.iter().filter(|s| !is_external(s)).cloned();
    let agrees = |form: &dyn Fn(&str) -> String, oracle: &mut Oracle| {
        let program: Vec<Tree> = named.iter().map(|l| text(form(l))).chain(others()).collect();
        mismatch(&program, case.mode, oracle).is_none()
    };
    if agrees(&external, oracle) || agrees(&choice, oracle) {
        *given += 1;
        return None;
    }
    Some(found)
}

/// An equivalent rule with its binding literals first and without division by a constant zero.
fn turned(line: &str) -> String {
    let parts =
        line.rsplit_once(":- ").and_then(|(head, rest)| Some((head, rest.strip_suffix("e(X), e(Y) .")?)));
    let Some((head, body)) = parts else { return format!("{line}\n") };
    let zero = |text: &str| text.replace("/ 0 ", "/ Zero ").replace("\\ 0 ", "\\ Zero ");
    let (head, body) = (zero(head), zero(body.trim_end().trim_end_matches(';')));
    let separator = if body.trim().is_empty() { "" } else { "; " };
    format!("{head}:- e(X), e(Y), Zero = 0{separator}{body} .\n")
}
