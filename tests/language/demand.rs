//! Heads grounded for what their readers bind: random programs with and without show the same answers, as often.

use super::rewriting::{self, is_rewritten, set};
use crate::support::hunt::{number, one};
use asp_base::rng::Rng;

/// A body over choices, facts and at most one hidden predicate, which comes last.
fn body(rng: &mut Rng, hidden: Option<&str>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let variables = ["X", "Y", "Z"];
    for _ in 0..1 + rng.below(3) {
        let (a, b) = (one(&variables, rng), one(&variables, rng));
        parts.push(match rng.below(7) {
            0 | 1 => format!("p({a},{b})"),
            2 => format!("q({a})"),
            3 | 4 => format!("e({a},{b})"),
            5 => format!("{a} = 1..2"),
            _ => format!("n({a})"),
        });
    }
    let text = parts.join(" ");
    let used: Vec<&str> = variables.into_iter().filter(|v| text.contains(v)).collect();
    if rng.below(3) == 0 {
        parts.push(format!("{} {} {}", one(&used, rng), one(&["<", "!=", "="], rng), one(&used, rng)));
    }
    if rng.below(5) == 0 {
        parts.push(format!("not q({})", one(&used, rng)));
    }
    if let Some(hidden) = hidden {
        let arguments: Vec<String> = (0..2)
            .map(|_| match rng.below(8) {
                0 => "1".to_string(),
                1 => "_".to_string(),
                2 => format!("{}+1", one(&used, rng)),
                3 => "W".to_string(),
                _ => one(&used, rng).to_string(),
            })
            .collect();
        let sign = one(&["", "not ", "", "not not "], rng);
        let atom = format!("{hidden}({})", arguments.join(","));
        if rng.below(12) == 0 {
            parts.push(format!("#count {{ Q : {hidden}(Q,{}) }} < 2", one(&used, rng)));
        }
        parts.push(format!("{sign}{atom}"));
    }
    parts.join(", ")
}

fn random(rng: &mut Rng) -> String {
    let mut out = String::from("{ p(1..2,1..2) }. { q(1..3) }. e(1,2). e(2,3). e(3,a). n(1..3).\n");
    // What the head of a hidden predicate may take.
    let head = |name: &str, body: &str, rng: &mut Rng| -> String {
        let used: Vec<&str> = ["X", "Y", "Z"].into_iter().filter(|v| body.contains(v)).collect();
        let argument = |rng: &mut Rng| match rng.below(6) {
            0 => format!("{}+1", one(&used, rng)),
            1 => format!("{}*{}", one(&used, rng), one(&used, rng)),
            _ => one(&used, rng).to_string(),
        };
        format!("{name}({},{})", argument(rng), argument(rng))
    };
    for _ in 0..1 + rng.below(2) {
        let body = body(rng, None);
        let h = head("h", &body, rng);
        out.push_str(&match rng.below(12) {
            0 => format!("{{ {h} }} :- {body}.\n"),
            1 => format!("{h} | o :- {body}.\n"),
            2 => format!("{h} :- {body}, not h(1,1).\n"),
            3 => format!("{h} :- {body}. h(2,2).\n"),
            4 => format!("{h} :- {body}. #external h(1,2).\n"),
            _ => format!("{h} :- {body}.\n"),
        });
    }
    let chained = rng.below(3) == 0;
    if chained {
        let body = body(rng, Some("h"));
        out.push_str(&format!("{} :- {body}.\n", head("i", &body, rng)));
    }
    for _ in 0..rng.below(3) {
        let read = if chained && rng.below(2) == 0 { "i" } else { "h" };
        let body = body(rng, Some(read));
        let head = one(&["", "r", "{ r }", "r(1)", "-h(1,1)"], rng);
        out.push_str(&format!("{head} :- {body}.\n"));
    }
    let show = [
        "#show p/2. #show q/1. #show r/0.",
        "#show.",
        "#show q/1.",
        "#show h/2.",
        "#show t(X) : h(X,1). #show q/1.",
    ];
    out.push_str(show[rng.below(9).min(4) as usize % 5]);
    out.push('\n');
    out
}

/// Of programs of which only answers are wanted.
fn answers(program: &str, words: &str) -> Option<Vec<String>> {
    rewriting::answers(program, set(words), |control| {
        control.settings.ground.answers_only = true;
    })
}

#[test]
fn of_random_programs() {
    let first = number("ASP_RANDOM_SEED", 0);
    let seeds = number("ASP_RANDOM_COUNT", 400);
    let (mut compared, mut rewritten) = (0, 0);
    for seed in first..first + seeds {
        let program = random(&mut Rng::new(seed));
        let Some(expected) = answers(&program, "none") else { continue };
        for words in ["all", "eager", "none,eager,demand"] {
            assert_eq!(
                answers(&program, words).expect("as many"),
                expected,
                "{words}, seed {seed}\n{program}"
            );
        }
        compared += 1;
        rewritten += u64::from(is_rewritten(&program, "demand"));
    }
    println!("{compared} compared, {rewritten} rewritten");
    assert!(compared * 4 > seeds, "{compared} of {seeds}");
    assert!(rewritten * 8 > seeds, "{rewritten} of {seeds}");
}
