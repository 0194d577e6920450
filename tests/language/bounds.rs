//! Comparisons that bind: programs of one line and their results in clingo 5.8.3, in `bounds.txt`.
//!
//! After each program come its answer sets, separated by bars, or `unsafe`. For random ones see the generator's profile
//! `bounds`.

use crate::support::{library, outcome::Mode, outcome::Outcome, spawn};

#[test]
fn bounds_bind_as_in_clingo() {
    let text = include_str!("bounds.txt");
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.chunks(2) {
        let [program, expected] = pair else { panic!("a program without an outcome") };
        let found = match library::solve(program, Mode::OptIgnore, 2000) {
            Outcome::Models(models) => {
                let mut sets: Vec<String> = models.iter().map(|m| m.shown.join(" ")).collect();
                sets.sort_unstable();
                sets.join(" | ")
            }
            Outcome::Rejected(message) if message.contains("unsafe variable") => "unsafe".to_owned(),
            other => other.to_string(),
        };
        assert_eq!(found.trim(), expected.trim(), "{program}");
    }
    assert!(lines.len() > 300);
}

#[track_caller]
fn check(program: &str, arguments: &str, code: i32, wanted: &str) {
    let run = spawn::run(spawn::words(&format!("0 {arguments}")), program);
    let all = run.stdout + &run.stderr;
    assert_eq!(run.code, Some(code), "{program}\n{all}");
    assert!(all.contains(wanted), "{program}\n{all}");
}

#[test]
fn a_message_says_which_bound_is_missing() {
    check("p(X) :- X > 1.", "", 65, "`X` has a lower bound but no upper one");
    check("p(X) :- X > 1.", "", 65, "a comparison with a number bounds it too: `X <= 100`");
    check("p(X,Y) :- X < Y, Y < 3.", "", 65, "`X` has an upper bound but no lower one");
    check("a :- #count { Y : 0 < 2*Y } > 1.", "", 65, "`Y` has a lower bound but no upper one");
    check("p(X) :- X != 1.", "", 65, "`X` is not bound");
    check("p(X) :- 1 <= X*X <= 9.", "", 65, "`X` is not bound");
}

#[test]
fn bounds_at_the_ends_of_64_bits() {
    let (least, greatest) = (i64::MIN, i64::MAX);
    check(&format!("p(X) :- {greatest} <= X."), "", 65, "no upper one");
    check(&format!("p(X) :- {greatest} <= X <= {greatest}."), "", 30, &format!("p({greatest})"));
    check(&format!("p(X) :- X = {greatest}-1..{greatest}."), "", 30, &format!("p({greatest})"));
    check(&format!("p(X) :- {least} < X < {least}+2."), "", 30, &format!("p({})", least + 1));
    check(&format!("p(X) :- {greatest} < X, X < Y, Y < 3."), "", 30, "SATISFIABLE");
    check(&format!("p(X,Y) :- {greatest} <= X, 2*X <= Y, Y <= {greatest}."), "", 30, "SATISFIABLE");
    check(&format!("p(X) :- {greatest}*X <= 5, {greatest}*X >= 0."), "", 30, "p(0)");
    check(&format!("p(X) :- -1*X <= {least}, X <= {greatest}, X > 3."), "", 30, "SATISFIABLE");
}

#[test]
fn huge_ranges_end_at_a_limit() {
    check("p(X) :- 1 <= X <= 1000000000000.", "--time-limit=1", 1, "TIME LIMIT");
    // Bounds that tighten each other in small steps: the range stays wide.
    check("p(X) :- X < Y, Y < X, 0 <= X <= 1000000000000.", "--time-limit=1", 1, "TIME LIMIT");
    check("p(X,Y) :- X < Y, Y < X, 0 <= X.", "", 65, "no upper one");
}
