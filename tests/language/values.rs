//! Values of functional predicates (`$p(X)`, `#distinct`, `#disjoint`, `#cumulative`): random programs have the answer sets that they
//! have by the definition, and so has what `--expand` prints of them.

use crate::support::hunt::number;
use crate::support::library;
use crate::support::outcome::{Mode, Outcome};
use crate::support::values::{MOST_ANSWERS, Program, expanded};
use asp::Control;

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

/// The message about a program, the text that it marks, and what to do.
#[track_caller]
fn check(program: &str, message: &str, marked: &str, help: &str) {
    let mut control = Control::new();
    control.add(program);
    let _ = control.ground();
    let told = control.take_diagnostics();
    let found: Vec<_> = told
        .iter()
        .map(|d| {
            let place = d.labels.first().map_or("", |l| control.sources().text(l.span));
            (d.message.as_str(), place, d.help.join(" "))
        })
        .collect();
    assert_eq!(found, [(message, marked, help.to_string())], "{program}");
}

#[test]
fn messages() {
    check(
        "{ start(1,0..3) } = 1. $strat(1) < 2.",
        "this never has a value: no rule head is an atom of `strat/2`",
        "$strat(1)",
        "did you mean `start/2`? Its value is `$start(_)`",
    );
    check(
        "{ x(1..3) } = 1. :- $x(1) > 2.",
        "this never has a value: no rule head is an atom of `x/2`",
        "$x(1)",
        "did you mean `x/1`? Its value is `$x`",
    );
    check(
        "{ x(1..3) } = 1. :- $$x > 2.",
        "syntax error: expected a name, found `$`",
        "$",
        "`$` stands before the name of a predicate; a value may be an argument: `$p($q)`",
    );
    check(
        "#const n = $x.",
        "the value of a constant cannot contain the value of a predicate, which differs between answer sets",
        "$x",
        "",
    );
    check(
        "{ x(1..3) } = 1. a($x)?",
        "a query cannot contain the value of a predicate",
        "$x",
        "define an atom by a rule, and ask for that",
    );
    check(
        "{ x(1..3) } = 1. a :- $x.",
        "expected an atom or a comparison, found a term",
        "$x",
        "`$p(X)` is the last argument of an atom; compare it, as in `$p(X) = 1`",
    );
    check(
        "{ x(1,1..3) } = 1. $x(Y*Z) > 3 :- Z = 1..3.",
        "unsafe variable `Y`",
        "Y",
        "bind it by a positive literal of the body, by `X = term` or by `X = low..high`",
    );
    check(
        "{ x(1,1..3) } = 1. #distinct { $x(Y*Z) : Z = 1..3 }.",
        "unsafe variable `Y`",
        "$x(Y*Z) : Z = 1..3",
        "bind it by a positive literal of the body, by `X = term` or by `X = low..high`",
    );
    check(
        "{ x(1,1..3) } = 1. :- $x(1;1,2) > 3.",
        "the alternatives have different numbers of arguments",
        "$x(1;1,2)",
        "each of them stands for the value of another predicate; write them one by one",
    );
    check(
        "{ x(1..3) } = 1. #disjoint { $x }.",
        "an element of `#disjoint` needs a length: `@` and a term",
        "",
        "its elements are starts and lengths: `#disjoint { $start(X)@D : job(X,D) }`",
    );
    check(
        "{ x(1..3) } = 1. a :- #cumulative { $x@1 } < 2.",
        "`#cumulative` stands in heads, or after `not` in a body without a head",
        "#cumulative { $x@1 } < 2",
        "`#cumulative { ... } <= c :- body.` must hold where the body does",
    );
    check(
        "{ x(1..3) } = 1. &sum { $x } > 2.",
        "syntax error: expected a term, `}`, `[` or `:`, found `$`",
        "$",
        "values of predicates do not go with theory atoms; compare them in `#sum { $p(X) : q(X) } <= 3`",
    );
}

/// Comments stay, included texts and program parts are in their places, and auxiliary predicates stay hidden.
#[test]
fn expansions_are_the_text_with_as_little_changed_as_possible() {
    let text = "% times\n{ s(X,0..3) } = 1 :- d(X).  d(1..2). start1(a).\n#cumulative { $s(X)@1 } <= 1.   % one at a time\n#show.";
    let wanted = "% times\n{ s(X,0..3) } = 1 :- d(X).  d(1..2). start1(a).\n_start1(S) :- s(X,S).\n#false :- _start1(Time); \
                  #sum+ { 1,X : s(X,S), S <= Time, Time < (S+1) } > 1.   % one at a time\n#show.";
    assert_eq!(expanded(text), wanted);
    let shown = expanded("{ s(X,0..3) } = 1 :- d(X). -d(1). d(2). #cumulative { $s(X)@1 } <= 1.");
    assert!(shown.ends_with("> 1.\n#show -d/1.\n#show d/1.\n#show s/2.\n"), "{shown}");
}

/// What is learned in one step holds in the next.
#[test]
fn in_program_parts() {
    let mut control = Control::new();
    control.add(
        "#program step(t). { x(t,0..3) } = 1. $x(t) > $x(t-1) :- t > 0. #minimize { $x(t) }.
        #cumulative { $x(t)@2; 1@1 } <= 1. h(t,$x(t)+$x(t-1)) :- t > 0.",
    );
    let mut counts = Vec::new();
    for t in 0..3 {
        control.ground_parts(&[("step", vec![asp::Symbol::small(t).unwrap()])]).unwrap();
        let mut found = Vec::new();
        control.settings.solve.opt_mode = asp::options::OptMode::Enum;
        control
            .solve(0, |answer| {
                found.push(answer.costs().iter().sum::<i64>());
                true
            })
            .unwrap();
        found.sort_unstable();
        counts.push(found);
    }
    // No start is 0 or 1, so that what begins at 1 has its place: x(0) is 2 or 3, and x(1) > x(0).
    assert_eq!(counts, [vec![2, 3], vec![5], vec![]]);
}
