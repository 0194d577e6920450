//! Bounds of the parts of long sums: random joins with and without.

use super::rewriting::{agree, is_rewritten};
use crate::support::hunt::{number, one};
use asp_base::rng::Rng;

/// One of some words.
/// A body over `f`, and the variables that it binds.
fn body(rng: &mut Rng) -> String {
    let values = &["A", "B", "C", "D", "E"][..3 + rng.below(3) as usize];
    let mut parts: Vec<String> =
        values.iter().map(|v| format!("{}({v})", one(&["f", "f", "f", "g", "h"], rng))).collect();
    let factors = ["1", "1", "2", "3", "-1", "-2", "10", "100", "-100"];
    for _ in 0..1 + rng.below(2) {
        let mut sides = [String::new(), String::new()];
        for v in values {
            let side = &mut sides[rng.below(2) as usize];
            let term = match rng.below(12) {
                0 => format!("-{v}"),
                1 => format!("({v}-{})", rng.below(4)),
                2 if rng.below(4) == 0 => format!("4611686018427387904*{v}"),
                2 if rng.below(3) == 0 => format!("{v}*{v}"),
                _ => format!("{}*{v}", one(&factors, rng)),
            };
            *side = if side.is_empty() { term } else { format!("{side}+{term}") };
        }
        let last = |side: &str| match (side.is_empty(), rng.below(3)) {
            (true, _) => (rng.below(200) as i64 - 20).to_string(),
            (_, 0) => format!("{side}+{}", rng.below(90)),
            _ => side.to_string(),
        };
        let [left, right] = sides.each_ref().map(|side| side.as_str()).map(last);
        parts.push(format!("{left} {} {right}", one(&["=", "=", "<=", "<", ">=", ">", "!="], rng)));
    }
    if rng.below(2) == 0 {
        let relation = one(&["<", "<=", ">", ">=", "=", "!="], rng);
        parts.push(format!("{} {relation} {}", one(values, rng), rng.below(6) as i64 - 2));
    }
    parts.join(", ")
}

fn random(rng: &mut Rng) -> String {
    let mut out = String::from("f(0..5). g(-3..3). g(7). h(1). h(4).");
    out.push_str(one(&["", "", " g(a).", " { g(8) }."], rng));
    out.push_str(one(&[" { h(2..3) }.\n", " { g(9) }.\n", "\n"], rng));
    for _ in 0..1 + rng.below(2) {
        let body = body(rng);
        out.push_str(&match rng.below(5) {
            0 => format!("s(A,B,C) :- {body}.\n"),
            1 => format!("s(N) :- {body}, N = A+B-C.\n"),
            2 => format!("n(N) :- N = #count {{ A,B,C : {body} }}. t :- {body}.\n"),
            3 => format!(":~ {body}. [A,B,C]\n"),
            _ => format!("t :- {body}.\n"),
        });
    }
    out
}

#[test]
fn long_sums_keep_their_instances() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 300));
    let (mut compared, mut rewritten) = (0, 0);
    for seed in first..first + count {
        let program = random(&mut Rng::new(seed));
        if agree(&program) {
            compared += 1;
            rewritten += u64::from(is_rewritten(&program, "partial-sums"));
        }
    }
    println!("{count} programs from seed {first}: {compared} compared, {rewritten} rewritten");
    assert!(
        count < 100 || 2 * compared > count && 5 * rewritten > count,
        "{compared} and {rewritten} of {count}"
    );
}

#[test]
fn a_join_of_eight_letters_is_bounded() {
    let program = "digit(0..9). { v(X,D) : digit(D) } = 1 :- X = (s;e;n;d;m;o;t;y). :- v(X,D), v(Y,D), X < Y.
        money(M) :- v(s,S), v(e,E), v(n,N), v(d,D), v(m,A), v(o,O), v(t,T), v(y,Y), S > 0, A > 0,
            1000*S+100*E+10*N+D + 1000*A+100*O+10*S+T = 10000*A+1000*O+100*N+10*E+Y, M = 10000*A+1000*O+100*N+10*E+Y.
        :- not money(_). #maximize { M : money(M) }. #show money/1.";
    assert!(is_rewritten(program, "partial-sums"));
    let mut control = asp::Control::new();
    control.add(program);
    let mut best = String::new();
    control
        .solve(0, |answer| {
            best = answer.to_string();
            true
        })
        .expect("no errors");
    assert_eq!(best, "money(10876)");
}
