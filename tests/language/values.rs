//! Values of functional predicates (`$p(X)`, `#distinct`, `#disjoint`, `#cumulative`): random programs have the answer sets that they
//! have by the definition, and so has what `--expand` prints of them.

use crate::support::hunt::number;
use crate::support::library;
use crate::support::outcome::{Mode, Outcome};
use crate::support::values::{MOST_ANSWERS, Program, expanded};

fn answers(text: &str) -> Outcome {
    library::solve(text, Mode::OptEnum, MOST_ANSWERS).without_vacuous_levels()
}

/// `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others; `tests/oracle/values.rs` asks clingo about the expansions.
#[test]
fn random_programs_have_their_answer_sets() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 100));
    let (mut several, mut none) = (0, 0);
    for seed in first..first + count {
        let program = Program::random(seed);
        let wanted = program.answers();
        let found = answers(&program.text);
        let plain = expanded(&program.text);
        assert!(
            found == wanted,
            "ASP_RANDOM_SEED={seed}\n{}\n{plain}{}",
            program.text,
            difference(&wanted, &found)
        );
        let found = answers(&plain);
        assert!(found == wanted, "ASP_RANDOM_SEED={seed}, expanded\n{plain}{}", difference(&wanted, &found));
        let Outcome::Models(models) = wanted else { unreachable!("answer sets") };
        several += usize::from(models.len() > 1);
        none += usize::from(models.is_empty());
    }
    eprintln!("values: {several} programs of {count} with several answer sets, {none} without any");
    assert!(several * 2 > count as usize && (none > 0 || count < 100));
}

fn difference(wanted: &Outcome, found: &Outcome) -> String {
    let (Outcome::Models(wanted), Outcome::Models(found)) = (wanted, found) else { return found.to_string() };
    format!(
        "{} answer sets, wanted {}\nmissing: {:?}\ntoo many: {:?}",
        found.len(),
        wanted.len(),
        wanted.iter().find(|m| !found.contains(m)),
        found.iter().find(|m| !wanted.contains(m))
    )
}
