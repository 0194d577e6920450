//! Values of functional predicates (`$p(X)`, `#distinct`, `#disjoint`, `#cumulative`): random programs have the answer sets that they
//! have by the definition, and so has what `--expand` prints of them.

use crate::support::hunt::number;
use crate::support::library;
use crate::support::outcome::{Mode, Outcome};
use crate::support::spawn;
use crate::support::value_texts;
use crate::support::values::{MOST_ANSWERS, Program, expanded};
use asp::Control;
use asp_report::answer_set::{AnswerTable, Rendering};
use asp_solve::{Event, Flow};

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

/// Functions with integers instead of atoms, even those of few values: as they are by default, or as binary digits.
fn with_integers(control: &mut Control, digits: bool) {
    control.settings.ground.values = Some(1);
    if digits {
        control.settings.integers.atoms = 1;
        control.settings.integers.distinct = 1;
    }
}

/// Programs whose functions have integers instead of atoms. `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others.
#[test]
fn random_programs_have_their_answer_sets_without_atoms() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 100));
    let (mut kept, mut several, mut unfinished) = (0, 0, 0);
    for seed in first..first + count {
        let program = if seed % 8 == 7 { Program::random(seed) } else { Program::linear(seed) };
        let wanted = program.answers();
        let digits = seed % 2 == 0;
        let set = |control: &mut Control| with_integers(control, digits);
        let found =
            library::solve_with(&program.text, Mode::OptEnum, MOST_ANSWERS, &set).without_vacuous_levels();
        if matches!(found, Outcome::Unfinished) {
            // The machine is slow.
            unfinished += 1;
            continue;
        }
        assert!(found == wanted, "ASP_RANDOM_SEED={seed}\n{}\n{}", program.text, difference(&wanted, &found));
        let keeps = keeps_values(&program.text);
        kept += u64::from(keeps);
        several += u64::from(keeps && matches!(&wanted, Outcome::Models(models) if models.len() > 1));
        let modes = [Mode::Opt, Mode::OptN, Mode::OptCore, Mode::OptIgnore, Mode::ProjectShow];
        let mode = modes[(seed / 2) as usize % modes.len()];
        let mut text = program.text.clone();
        if matches!(mode, Mode::ProjectShow) {
            // Which projections come before the best one is open.
            let lines = text.lines().filter(|l| !l.starts_with("#minimize"));
            text = lines.map(|l| format!("{l}\n")).collect();
            text += ["#show f/2.\n", "#show h/1.\n", ""][seed as usize % 3];
        }
        let wanted = library::solve(&text, mode, MOST_ANSWERS).without_vacuous_levels();
        let found = library::solve_with(&text, mode, MOST_ANSWERS, &set).without_vacuous_levels();
        let same = match (mode, &wanted, &found) {
            // The last of several that get better, which need not be the same.
            (Mode::Opt | Mode::OptCore, Outcome::Models(a), Outcome::Models(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.costs == b.costs)
            }
            (_, Outcome::Unfinished, _) | (_, _, Outcome::Unfinished) => true,
            _ => found.agrees(&wanted),
        };
        assert!(same, "ASP_RANDOM_SEED={seed}, {mode:?}\n{text}\n{}", difference(&wanted, &found));
    }
    eprintln!(
        "values: {kept} programs of {count} without atoms, {several} of them with several answer sets, {unfinished} unfinished"
    );
    assert!(unfinished * 100 <= count);
    assert!(count < 100 || kept * 4 > count && several * 8 > count);
}

/// What is to be chosen for a key without a value is missing, not left out with it.
#[test]
fn keys_without_a_value_have_no_choice() {
    for (program, count) in [
        ("row(1;a). { s(X+1,0..400) } = 1 :- row(X). $s(2) > 399.", 0),
        ("row(0..2). { s(10/X,0..400) } = 1 :- row(X). $s(10) > 399. $s(5) < 1.", 0),
        ("row(1;2;b). { s(f(X+1),0..400) } = 1 :- row(X). $s(f(2)) > 399. $s(f(3)) < 1.", 0),
        ("row(1;2). { s(f(X+1),0..400) } = 1 :- row(X). $s(f(2)) > 399. $s(f(3)) < 1.", 1),
        ("{ s(1/0,0..400) } = 1. { t(0..400) } = 1. $t < 2. $s(X) > 4.", 0),
    ] {
        let Outcome::Models(models) = answers(program) else { panic!("{program}") };
        assert_eq!(models.len(), count, "{program}");
    }
}

/// Every form of reading values, with and without atoms.
#[test]
fn all_forms_with_and_without_atoms() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 300));
    let (mut kept, mut solved) = (0, 0);
    for seed in first..first + count {
        let text = value_texts::program(seed);
        let modes = [Mode::OptEnum, Mode::OptEnum, Mode::OptIgnore, Mode::OptN, Mode::ProjectShow];
        let mode = modes[seed as usize % modes.len()];
        let text = match mode {
            Mode::ProjectShow => text.replace("#minimize", "%").replace("#maximize", "%").replace(":~", "%"),
            _ => text,
        };
        let set = |control: &mut Control| with_integers(control, seed % 4 < 2);
        let wanted = library::solve(&text, mode, MOST_ANSWERS);
        let found = library::solve_with(&text, mode, MOST_ANSWERS, &set);
        let same = match (&wanted, &found) {
            (Outcome::Rejected(_), Outcome::Rejected(_)) => true,
            (Outcome::Unfinished, _) | (_, Outcome::Unfinished) => true,
            _ => found.agrees(&wanted),
        };
        assert!(same, "ASP_RANDOM_SEED={seed}, {mode:?}\n{text}\n{}", difference(&wanted, &found));
        let [found_told, wanted_told] = [Some(1), None].map(|values| told(&text, values));
        let more: Vec<_> = found_told.iter().filter(|m| !wanted_told.contains(m)).collect();
        assert!(more.is_empty(), "ASP_RANDOM_SEED={seed}: {more:?}\n{text}");
        if matches!(wanted, Outcome::Models(_)) {
            kept += u64::from(keeps_values(&text));
            solved += 1;
        }
    }
    eprintln!("values: {kept} programs of {solved} without atoms");
    assert!(count < 100 || kept * 8 > count);
}

/// What grounding says of a program.
fn told(text: &str, values: Option<u64>) -> Vec<String> {
    let mut control = Control::new();
    control.settings.ground.values = values;
    control.add(text);
    let _ = control.ground();
    control.take_diagnostics().into_iter().map(|d| d.message).collect()
}

/// The answer set of a program without atoms for values, as its parts are printed in a format.
#[track_caller]
fn check_printed(program: &str, rendering: Rendering, separator: &str, wanted: &[&str]) {
    for digits in [false, true] {
        let mut control = Control::new();
        with_integers(&mut control, digits);
        control.add(program);
        control.ground().and_then(|()| control.lower()).expect("a program");
        let table = AnswerTable::new(control.program(), control.symbols(), &rendering, separator, false);
        let mut texts = Vec::new();
        let options = control.settings.solve.clone();
        control
            .solve_events(&options, &[], &mut |event, _, _| {
                if let Event::Model(model) = event {
                    let mut text = Vec::new();
                    table.write(&model, &mut text);
                    texts.push(String::from_utf8(text).expect("text"));
                }
                Flow::Continue
            })
            .expect("an answer");
        let [text] = &texts[..] else { panic!("{} answers", texts.len()) };
        let mut parts: Vec<&str> = text.split(separator).filter(|part| !part.is_empty()).collect();
        parts.sort_unstable();
        assert_eq!(parts, wanted, "{program}");
    }
}

const PRINTED: &str =
    "d(1;\"b c\"). { f(X,0..9) } = 1 :- d(X). { m(-2..5) } = 1. :- $f(1)+$f(X) != 17, d(X), X != 1.
    :- $f(1)-$f(X) != 1, d(X), X != 1. 2*$m = 1-$f(1). h :- $m < 0. #show f/2. #show m/1. #show h/0.";

#[test]
fn values_are_printed_as_atoms() {
    let text = |prefix: &str, suffix: &str| Rendering::Text { prefix: prefix.into(), suffix: suffix.into() };
    let program = PRINTED.replace("-2..5", "-9..5");
    check_printed(&program, text("", ""), "\n", &["f(\"b c\",8)", "f(1,9)", "h", "m(-4)"]);
    check_printed(&program, text("<", ">."), "\n", &["<f(\"b c\",8)>.", "<f(1,9)>.", "<h>.", "<m(-4)>."]);
    let json = [r#""f(1,9)""#, r#""f(\"b c\",8)""#, r#""h""#, r#""m(-4)""#];
    check_printed(&program, Rendering::JsonString, "\n", &json);
    let json = [
        r#"{"name":"f","args":["b c",8]}"#,
        r#"{"name":"f","args":[1,9]}"#,
        r#"{"name":"h","args":[]}"#,
        r#"{"name":"m","args":[-4]}"#,
    ];
    check_printed(&program, Rendering::JsonTerm, "\n", &json);
    check_printed(&program, Rendering::Csv, "\n", &["f,1,9", "f,b c,8", "h,,", "m,-4,"]);
    check_printed(
        &format!("{program} #show d/1."),
        text("", ""),
        "\n",
        &["d(\"b c\")", "d(1)", "f(\"b c\",8)", "f(1,9)", "h", "m(-4)"],
    );
    let hidden = program.replace("#show f/2. #show m/1.", "");
    check_printed(&hidden, text("", ""), "\n", &["h"]);
}

#[test]
fn answers_of_the_library_have_values_as_atoms() {
    for digits in [false, true] {
        let mut control = Control::new();
        with_integers(&mut control, digits);
        control.add("d(1..2). { f(X,0..9) } = 1 :- d(X). $f(1)+$f(2) = 17. $f(1) > $f(2). #show f/2.");
        let term = |control: &mut Control, value| {
            let symbols = control.symbols_mut();
            let (name, args) = (symbols.intern("f"), [symbols.num(1), symbols.num(value)]);
            symbols.fun(name, &args, false)
        };
        let atoms = [8, 9, 10].map(|value| term(&mut control, value));
        let mut found = Vec::new();
        control
            .solve(0, |answer| {
                let mut terms: Vec<String> = answer.terms().map(|t| t.to_string()).collect();
                terms.sort_unstable();
                found.push((terms, atoms.map(|atom| answer.contains(atom)), answer.values().count()));
                true
            })
            .unwrap();
        let terms = vec!["f(1,9)".to_string(), "f(2,8)".to_string()];
        assert_eq!(found, [(terms, [false, true, false], 0)]);
    }
}

/// What is added before grounding may read atoms.
#[test]
fn a_second_text_may_read_atoms() {
    let mut control = Control::new();
    with_integers(&mut control, false);
    control.add("{ f(0..3) } = 1. $f > 1.");
    control.parse().unwrap();
    control.add(":- f(2).");
    let mut found = Vec::new();
    control
        .solve(0, |answer| {
            found.push(answer.to_string());
            true
        })
        .unwrap();
    assert_eq!(found, ["f(3)"]);
}

/// Whether a program has functions with integers instead of atoms.
fn keeps_values(text: &str) -> bool {
    let mut control = Control::new();
    control.settings.ground.explain = true;
    with_integers(&mut control, false);
    control.add(text);
    control.ground().expect("a program");
    control.journal().is_some_and(|j| j.rewritten.iter().any(|r| r.name == "values"))
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

/// What only atoms show: terms that look like them, and messages about another number of arguments.
#[test]
fn terms_and_messages_are_those_with_atoms() {
    for program in [
        "{ p(0..400) } = 1. $p < 5. #show p(X) : X=1..3.",
        "{ p(0..400) } = 1. $p < 3. t(p(1)). #show X : t(X).",
        "{ p(0..400) } = 1. $p < 3. #const c=p(2). #show c. #show q.",
        "d(a;b). { p(X,0..400) } = 1 :- d(X). $p(a) < $p(b). $p(b) < 2. #show p/3.",
        "d(a;b). { p(X,0..400) } = 1 :- d(X). $p(X) < 2 :- d(X). $p < 3.",
    ] {
        let run = |rewrite: &str| {
            let run = spawn::run(["0", "--project=show", rewrite], program);
            let lines = run.stdout.lines().filter(|l| !l.contains("Time"));
            (run.code, lines.map(str::to_owned).collect::<Vec<_>>(), run.stderr)
        };
        assert_eq!(run("--rewrite=values"), run("--rewrite=no-values"), "{program}");
    }
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
