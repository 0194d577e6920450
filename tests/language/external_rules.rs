//! Rules on which it depends what is external: random programs with all rewritings and with none have the same answer sets.

use crate::support::hunt::number;
use crate::support::spawn::{run, words};
use asp_base::rng::Rng;

fn one<'a>(of: &[&'a str], rng: &mut Rng) -> &'a str {
    of[rng.below(of.len() as u64) as usize]
}

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
