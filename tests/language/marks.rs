//! Hints about programs whose answer sets mark cells, by the definition: what is decided, either way, is told and is right.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` set the first seed and the number of programs.

use crate::support::hunt::number;
use asp::{Control, Source};
use asp_base::rng::Rng;
use asp_questions::{Question, Subject, ask};

/// Cells of two rows and three columns.
fn cell(i: u64) -> String {
    format!("mark({},{})", i / 3 + 1, i % 3 + 1)
}

#[test]
fn hints_about_marks() {
    let first = number("ASP_RANDOM_SEED", 0);
    let (mut yes, mut no) = (0, 0);
    for seed in first..first + number("ASP_RANDOM_COUNT", 500) / 5 {
        let mut rng = Rng::new(seed);
        let mut text = String::from("{ mark(1..2,1..3) }.\n#show mark/2.\n");
        let mut clauses: Vec<Vec<(u64, bool)>> = Vec::new();
        for _ in 0..3 + rng.below(6) {
            let body: Vec<(u64, bool)> =
                (0..1 + rng.below(3)).map(|_| (rng.below(6), rng.chance(0.5))).collect();
            let literals =
                body.iter().map(|&(i, not)| format!("{}{}", if not { "not " } else { "" }, cell(i)));
            text.push_str(&format!(":- {}.\n", literals.collect::<Vec<_>>().join(", ")));
            clauses.push(body);
        }
        let violated =
            |set: u64, body: &Vec<(u64, bool)>| body.iter().all(|&(i, not)| (set >> i & 1 == 1) != not);
        let sets: Vec<u64> = (0..64).filter(|&set| !clauses.iter().any(|body| violated(set, body))).collect();
        let texts = [Source::new("input", text.clone())];
        let subject =
            Subject { texts: &texts, empty: &Control::new, ground: &Control::ground, optimal: false };
        let reply = match ask(&subject, &Question::Hint(0)) {
            Ok(reply) => reply.json,
            Err(failure) => panic!("seed {seed}: {}\n{text}", failure.0.summary()),
        };
        let told: Vec<(&str, bool)> = reply["hints"]
            .as_array()
            .expect("hints")
            .iter()
            .map(|hint| (hint["atom"].as_str().expect("an atom"), hint["holds"] == true))
            .collect();
        if sets.is_empty() {
            assert!(told.is_empty() && reply["open"].is_null(), "seed {seed}\n{text}{reply:#}");
            continue;
        }
        let mut open = 0;
        for i in 0..6 {
            let number = sets.iter().filter(|set| *set >> i & 1 == 1).count();
            let name = cell(i);
            let mine: Vec<bool> = told.iter().filter(|t| t.0 == name).map(|t| t.1).collect();
            let expected: &[bool] = match number {
                0 => &[false],
                n if n == sets.len() => &[true],
                _ => &[],
            };
            open += u64::from(expected.is_empty());
            (yes, no) = (yes + usize::from(expected == [true]), no + usize::from(expected == [false]));
            assert_eq!(mine, expected, "seed {seed}, {name}\n{text}{reply:#}");
        }
        assert_eq!(reply["open"].as_u64(), Some(open), "seed {seed}\n{text}");
    }
    assert!(yes > 20 && no > 20, "{yes} {no}");
}
