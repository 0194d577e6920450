//! Questions about the optimal answer sets of random programs, by the definition: all interpretations are tried.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` set the first seed and the number of programs.

use crate::support::hunt::number;
use asp::{Control, Source};
use asp_base::rng::Rng;
use asp_questions::{Effort, Question, Subject, Verdict, ask};

const ATOMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Literals: an atom's index, and whether it is negated.
type Body = Vec<(usize, bool)>;

struct Random {
    constraints: Vec<Body>,
    /// Bodies of rules for `f`.
    rules: Vec<Body>,
    /// Bodies with a weight and a level, each with a tuple of its own.
    weak: Vec<(Body, i64, i64)>,
}

fn body(rng: &mut Rng, atoms: u64) -> Body {
    (0..1 + rng.below(2)).map(|_| (rng.below(atoms) as usize, rng.chance(0.5))).collect()
}

impl Random {
    fn new(rng: &mut Rng) -> Self {
        let constraints = (0..rng.below(4)).map(|_| body(rng, 6)).collect();
        let rules = (0..rng.below(3)).map(|_| body(rng, 5)).collect();
        let weak = (0..1 + rng.below(5))
            .map(|_| (body(rng, 6), rng.below(7) as i64 - 3, rng.below(2) as i64))
            .collect();
        Self { constraints, rules, weak }
    }

    fn text(&self) -> String {
        let literals = |body: &Body| {
            let texts =
                body.iter().map(|(a, not)| format!("{}{}", if *not { "not " } else { "" }, ATOMS[*a]));
            texts.collect::<Vec<_>>().join(", ")
        };
        let mut text = String::from("{ a; b; c; d; e }.\n");
        self.rules.iter().for_each(|b| text.push_str(&format!("f :- {}.\n", literals(b))));
        self.constraints.iter().for_each(|b| text.push_str(&format!(":- {}.\n", literals(b))));
        for (i, (b, weight, level)) in self.weak.iter().enumerate() {
            text.push_str(&format!(":~ {}. [{weight}@{level},{i}]\n", literals(b)));
        }
        text
    }

    /// The optimal answer sets, as bits by atom.
    fn best(&self) -> Vec<u32> {
        let holds = |set: u32, b: &Body| b.iter().all(|&(a, not)| (set >> a & 1 == 1) != not);
        let sets = (0..32u32).map(|s| s | u32::from(self.rules.iter().any(|b| holds(s, b))) << 5);
        let sets: Vec<u32> = sets.filter(|s| !self.constraints.iter().any(|b| holds(*s, b))).collect();
        let cost = |set: u32| {
            [1, 0].map(|level| {
                let counted = self.weak.iter().filter(|w| w.2 == level && holds(set, &w.0));
                counted.map(|w| w.1).sum::<i64>()
            })
        };
        let least = sets.iter().map(|&s| cost(s)).min();
        sets.into_iter().filter(|&s| Some(cost(s)) == least).collect()
    }
}

#[test]
fn questions_about_optimal_answer_sets() {
    let first = number("ASP_RANDOM_SEED", 0);
    let mut verdicts = [0; 3];
    for seed in first..first + number("ASP_RANDOM_COUNT", 500) / 5 {
        let mut rng = Rng::new(seed);
        let random = Random::new(&mut rng);
        let (text, best) = (random.text(), random.best());
        let texts = [Source::new("input", text.clone())];
        let subject =
            Subject { texts: &texts, empty: &Control::new, ground: &Control::ground, optimal: true };
        let verdict = |question: &Question| match ask(&subject, question) {
            Ok(reply) => reply.verdict,
            Err(failure) => panic!("seed {seed}: {}\n{text}", failure.0.summary()),
        };
        let count = verdict(&Question::Count { project: false, effort: Effort::default() });
        assert_eq!(count.to_string(), best.len().to_string(), "seed {seed}\n{text}");
        for (i, atom) in ATOMS.iter().enumerate().filter(|(i, _)| *i < 5 || !random.rules.is_empty()) {
            let number = best.iter().filter(|s| *s >> i & 1 == 1).count();
            let (at, expected) = match number {
                _ if best.is_empty() => (0, Verdict::NoAnswerSet),
                0 => (0, Verdict::Never),
                n if n == best.len() => (1, Verdict::Always),
                _ => (2, Verdict::Sometimes),
            };
            verdicts[at] += 1;
            for question in [Question::Why((*atom).into()), Question::WhyNot((*atom).into())] {
                assert_eq!(verdict(&question), expected, "seed {seed}, {question:?}\n{text}");
            }
        }
    }
    assert!(verdicts.iter().all(|&n| n > 10), "{verdicts:?}");
}
