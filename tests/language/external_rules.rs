//! Rules on which it depends what is external: random programs with all rewritings and with none have the same answer sets.

use crate::support::hunt::{number, one};
use crate::support::spawn::{run, words};
use asp_base::rng::Rng;

/// Values of a few groups, what rules make of them by comparisons and equations, and externals above and below these rules.
fn program(rng: &mut Rng) -> String {
    let (groups, most) = (2 + rng.below(2), 2 + rng.below(3));
    let choice = one(&["= 1", "1", "= 1"], rng);
    let mut text = format!("{{ s(K,1..{most}+K) }} {choice} :- K = 1..{groups}. ");
    for head in ["a", "b(S)", "c"].iter().take(1 + rng.below(3) as usize) {
        let (k, l) = (1 + rng.below(groups), 1 + rng.below(groups));
        let compare = match rng.below(6) {
            0 => "S < T".to_string(),
            1 => format!("S+T > {}", 2 * most + rng.below(4)),
            2 => format!("2*S+2*T = {}", 3 + rng.below(9)),
            3 => "S != T".to_string(),
            4 => "S = T+1".to_string(),
            _ => format!("S+T = {}", rng.below(2 * most + 4)),
        };
        let body = one(&["", ", not z", ", z", ", b(T)"], rng);
        let body = if *head == "b(S)" && body == ", b(T)" { "" } else { body };
        text += &format!("{head} :- s({k},S), s({l},T), {compare}{body}. ");
    }
    text += one(&["{ z }. ", "#external z. ", "#external z. [free] ", "z :- a. "], rng);
    if rng.below(3) == 0 {
        let body = one(&["", ", s(1,1)", ", not e", " : s(1,2)"], rng);
        let head = one(&["c", "e", "{ e }", "c | e"], rng);
        text += &format!(
            "w :- s(1,{}), not w. v :- {}. {head} :- v{body}. ",
            1 + rng.below(3),
            one(&["w", "#sum { 1 : w; 2 : s(2,2) } > 2"], rng)
        );
    }
    for _ in 0..1 + rng.below(2) {
        let statement = one(
            &["a", "b(1..3)", "c", "e", "e : a", "e : b(X)", "d(X) : b(X)", "e : not c", "e : c, a"],
            rng,
        );
        text += &format!("#external {statement}. [{}] ", one(&["true", "false", "free", "true"], rng));
    }
    text += one(&["", "q :- e. ", "{ q } :- a. ", ":- q. { q } :- not a. "], rng);
    text
}

#[test]
fn externals_are_the_same_whatever_is_rewritten() {
    let first = number("ASP_RANDOM_SEED", 0);
    let (mut externals, mut fired) = (0, 0);
    for seed in first..first + number("ASP_RANDOM_COUNT", 150) {
        let text = program(&mut Rng::new(seed));
        let answers = |rewritings: &str| {
            let run = run(words(&format!("- 0 -V0 -Wnone --opt-mode=enum --rewrite={rewritings}")), &text);
            let mut lines: Vec<String> = Vec::new();
            for line in run.stdout.lines() {
                let mut atoms: Vec<&str> = line.split(' ').collect();
                atoms.sort_unstable();
                lines.push(atoms.join(" "));
            }
            lines.sort_unstable();
            (run.code, lines)
        };
        let plain = answers("none");
        externals +=
            u32::from(plain.1.iter().any(|set| set.split(' ').any(|atom| matches!(atom, "a" | "c" | "e"))));
        let report = run(words("- --explain-rewrites --rewrite=eager"), &text);
        fired += u32::from(report.stdout.contains("Rewritings:") || report.stderr.contains("Rewritings:"));
        for rewritings in ["eager", "all"] {
            assert_eq!(answers(rewritings), plain, "seed {seed}, --rewrite={rewritings}: {text}");
        }
    }
    let count = number("ASP_RANDOM_COUNT", 150) as u32;
    assert!(3 * externals > count && 3 * fired > count, "{externals} {fired}");
}

/// A rule whose body never holds is one all the same, and the atom of its head no input; what shows that the body never holds may be
/// lost when the rule, or one that it reads, is rewritten.
#[test]
fn rules_that_never_apply_are_rules() {
    let models = |program: &str, words: &str| {
        let run = run(["-", "0", "-V0", "-Wnone", words], program);
        let mut sets: Vec<String> = run.stdout.lines().map(|line| line.trim().to_string()).collect();
        sets.sort_unstable();
        sets.dedup();
        sets.retain(|set| set != "SATISFIABLE");
        sets
    };
    let same = |program: &str, expected: &[&str]| {
        for rewritings in ["--rewrite=all", "--rewrite=eager", "--rewrite=none"] {
            assert_eq!(models(program, rewritings), expected, "{rewritings} {program}");
        }
    };
    // Only its own head stops the rule for `d`.
    same("{c}. d :- c, not d. #external a. [true] a :- d. #show a/0.", &[""]);
    same(
        "{c}. d :- c, not d. v :- #sum { 1 : d; 2 : c } > 2. #external a. [true] {a} :- v. #show a/0.",
        &[""],
    );
    // That no instance of a body can hold is seen while the body is in one piece.
    let cut = "d(1..5). {w(X) : d(X)} 1. v(X,X) :- d(X). {z(1..5)} 1.
        k :- w(A), z(C), d(D), C != D, v(A,B), not w(B). #external k. [true] #show k/0.";
    same(cut, &["k"]);
    // No value is so great.
    let values = "{p(0..300)} = 1. :- $p >= 2. x :- $p > 4000. #external x. [free] #show x/0.";
    same(values, &["", "x"]);
}
