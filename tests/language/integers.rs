//! Constraints over integers: random programs against all assignments tried one by one, and what programs mean.

use crate::support::hunt::number;
use crate::support::integers::{Answers, by_seed, pair};
use asp::Control;
use asp_oracle::check;
use asp_solve::{EnumMode, OptMode, Projection};

/// More answers than any program that is compared has.
const MOST: u64 = 10_000;

/// The best answers of a program, the costs of the last, and how many came, of the first [`MOST`] answers. Variables with at most `atoms` values have atoms.
fn solve(text: &str, threads: u32, atoms: u64) -> Result<(Answers, Vec<i64>, usize), String> {
    let mut control = Control::new();
    control.settings.integers.atoms = atoms;
    // Without atoms for few values, `&distinct` has none either.
    control.settings.integers.distinct = if atoms <= 1 { 1 } else { 256 };
    control.add(text);
    control.settings.solve.opt_mode = OptMode::OptN;
    control.settings.solve.threads = threads;
    let (mut found, mut costs, mut number) = (Answers::new(), Vec::new(), 0);
    let mut wrong = None;
    let result = control.solve(MOST, |answer| {
        let candidate: Vec<bool> =
            answer.program().atoms.ids().map(|atom| answer.model().contains(atom)).collect();
        if let Err(violation) = check::check(answer.program(), answer.symbols(), &candidate) {
            wrong = Some(format!("{violation:?}"));
        }
        if !answer.costs().is_empty() && !answer.is_optimal() {
            return true;
        }
        costs = answer.costs().to_vec();
        let atoms = answer.terms().map(|t| t.to_string()).filter(|t| !t.starts_with("__csp")).collect();
        let values = answer.values().map(|(name, value)| format!("__csp({name},{value})")).collect();
        number += 1;
        found.insert(pair(atoms, values));
        true
    });
    result.map_err(|e| e.to_string())?;
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok((found, costs, number)),
    }
}

/// Whether an error is a proper refusal.
pub(super) fn is_refusal(message: &str) -> bool {
    [
        "do not fit 64 bits",
        "values",
        "too many rules",
        "neither linear",
        "only `&nsum`",
        "an exponent is",
        "64-bit",
    ]
    .iter()
    .any(|part| message.contains(part))
}

/// What was done with random programs.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) compared: u64,
    pub(super) satisfiable: u64,
    pub(super) wide: u64,
    pub(super) refused: u64,
    pub(super) skipped: u64,
}

impl Tally {
    /// Prints it; something of each kind must have been compared.
    pub(super) fn end(&self, what: &str) {
        let Tally { compared, satisfiable, wide, refused, skipped } = self;
        eprintln!(
            "{what}: {compared} compared ({satisfiable} with answers, {wide} wide), {refused} refused, {skipped} skipped"
        );
        let all = compared + refused + skipped;
        assert!(all < 50 || *wide > 0 && compared * 2 > refused + skipped, "hardly anything was compared");
        assert!(all < 50 || satisfiable * 4 > *compared, "hardly any program has answers");
    }
}

/// `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others.
#[test]
fn random_programs_have_the_answers_of_the_definition() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 500));
    let mut tally = Tally::default();
    for (seed, program) in by_seed(first..first + count) {
        if std::env::var_os("ASP_RANDOM_VERBOSE").is_some() {
            eprintln!("{seed}: {}", program.text);
        }
        let complain = |what: String| panic!("seed {seed}: {what}\n{}", program.text);
        let all = program.all(0, 3000);
        let solved = match &all {
            // Only whether it is refused.
            None if !program.may_be_refused => {
                tally.skipped += 1;
                continue;
            }
            _ => solve(
                &program.text,
                if seed % 16 == 0 { 2 } else { 1 },
                [10, 1, 10_000, 0][seed as usize % 9 % 4],
            ),
        };
        let (found, costs, times) = match solved {
            Ok(_) if program.refused_from == Some(0) => complain("is not refused".into()),
            Ok(solved) => solved,
            Err(message) if program.refused_from == Some(0) && is_refusal(&message) => continue,
            Err(message) if is_refusal(&message) && (program.may_be_refused || program.wide) => {
                tally.refused += 1;
                continue;
            }
            Err(message) => complain(message),
        };
        if all.is_none() {
            if program.all(0, 100_000).is_some() {
                // Costs that fit, of too many answers to compare.
                tally.skipped += 1;
                continue;
            }
            complain("costs do not fit 64 bits, or there are very many answers".into());
        }
        let (expected, best) = program.answers();
        if found != expected {
            let missing: Vec<_> = expected.difference(&found).take(3).collect();
            let wrong: Vec<_> = found.difference(&expected).take(3).collect();
            complain(format!("missing: {missing:?}\ntoo many: {wrong:?}"));
        }
        let all = all.unwrap_or_default();
        let optimal = all.iter().filter(|a| a.costs == best).count();
        if costs != best || times != optimal {
            complain(format!("costs {costs:?} {times} times, expected {best:?} {optimal} times"));
        }
        tally.compared += 1;
        tally.satisfiable += u64::from(!expected.is_empty());
        tally.wide += u64::from(program.wide);
    }
    tally.end("answers");
}

/// A program has these answers: atoms, then values.
#[track_caller]
fn check_answers(program: &str, expected: &[&str]) {
    let (found, _, times) = solve(program, 1, 10).unwrap();
    assert_eq!(found.len(), times, "{program}");
    let found: Vec<String> =
        found.iter().map(|(a, v)| format!("{} | {}", a.join(" "), v.join(" "))).collect();
    let mut expected: Vec<&str> = expected.to_vec();
    expected.sort_unstable();
    let mut found: Vec<&str> = found.iter().map(|s| s.trim()).collect();
    found.sort_unstable();
    assert_eq!(found, expected, "{program}");
}

#[test]
fn heads_demand_and_bodies_tell() {
    check_answers("{ a }. &dom { 1..2 } = x. &sum { x } > 1 :- a.", &["a | x=2", "| x=1", "| x=2"]);
    check_answers("&dom { 1..2 } = x. a :- &sum { x } > 1.", &["a | x=2", "| x=1"]);
    check_answers("&dom { 1..2 } = x. a :- not &sum { x } > 1.", &["| x=2", "a | x=1"]);
    check_answers("&dom { 1..2 } = x. :- &sum { x } > 1.", &["| x=1"]);
    // The same atom on both sides.
    check_answers(
        "{ a }. &dom { 1..2 } = x. &sum { x } = 1 :- a. b :- &sum { x } = 1.",
        &["a b | x=1", "b | x=1", "| x=2"],
    );
}

#[test]
fn elements_are_a_multiset() {
    check_answers("&sum { x; x } = 4.", &["| x=2"]);
    check_answers("p(1..3). #show. &sum { 2 : p(_); 1 : p(X); X : p(X) } = x.", &["| x=11"]);
    check_answers("&dom { 1..2 } = x. &distinct { x; x }.", &[]);
}

#[test]
fn terms_are_multiplied_out() {
    check_answers("&sum { 2*(x+1)-x*3; 4/2; 7\\4; 2**3 } = 10.", &["| x=5"]);
    check_answers("&dom { 0..9 } = x. &nsum { (x+1)*(x-1) } = 8.", &["| x=3"]);
    check_answers(
        "&dom { (-2)..2 } = x. a :- &nsum { x**2*x } = x+6.",
        &["a | x=2", "| x=-2", "| x=-1", "| x=0", "| x=1"],
    );
    check_answers(
        "&sum { x } = 2*y-1. &sum { y } = 3. &sum { (1,\"s\",f(x)) } = 0.",
        &["| (1,\"s\",f(x))=0 x=5 y=3"],
    );
}

#[test]
fn domains_follow_from_constraints() {
    check_answers(
        "&dom { 8..9 } = x. &sum { x; y } = 10. :- not &sum { z } = y.",
        &["| x=8 y=2 z=2", "| x=9 y=1 z=1"],
    );
    check_answers("&dom { 1; 3..4; 9..8 } = x. &sum { x } != 3.", &["| x=1", "| x=4"]);
    check_answers("&dom { } = x.", &[]);
    // Narrowing bounds would take two thousand million steps.
    check_answers("&sum { 2*x; 4*y } = 5.", &[]);
    check_answers("&sum { 2*x; 3*y; 2*z } = 7. &sum { y } = 4.", &[]);
    check_answers("&dom { 1..2 } = x. &dom { 3 } = x. &sum { y } <= 0.", &[]);
}

#[test]
fn values_are_shown_and_minimised() {
    check_answers("&dom { 2 } = x. &dom { 5 } = f(1). &dom { 6 } = g(1). &show { f/1 }.", &["| f(1)=5"]);
    check_answers(
        "&dom { 1..2 } = x. &sum { y } = 7-x. &minimize { x; 2*y }. &show { x; y }.",
        &["| x=2 y=5"],
    );
    check_answers(
        "{ a }. &dom { 0..2 } = x. &sum { x } >= 1 :- not a. &maximize { -x }. #minimize { 2 : a }.",
        &["| x=1"],
    );
    check_answers(
        "{ a }. &dom { 0..2 } = x. &sum { x } >= 1 :- not a. &minimize { x }. #minimize { 2@1 : not a }.",
        &["a | x=0"],
    );
}

#[test]
fn products_of_variables_with_many_values() {
    check_answers("&sum { x } > 1. &sum { y } >= x. &nsum { x*y } = 1073.", &["| x=29 y=37"]);
    check_answers("&nsum { x**2 } = 49. &nsum { y**3 } = -27.", &["| x=-7 y=-3", "| x=7 y=-3"]);
    check_answers(
        "&dom { 1..5000 } = x. &dom { 1..5000 } = y. &nsum { x*x; -y*y } = 29. a :- &nsum { x*y } = 210.",
        &["a | x=15 y=14"],
    );
    check_answers("&dom { 0..20 } = x. &dom { 0..20 } = y. &nsum { x*x - 2*x*y + y*y } < 0.", &[]);
    check_answers(
        "&sum { x } = 1000000. &sum { y } = 1000000. &sum { z } = 0. &nsum { x*y*z } = z.",
        &["| x=1000000 y=1000000 z=0"],
    );
}

#[test]
fn counts_tables_and_elements() {
    let few = "&dom { 1..3 } = x. &dom { 1..3 } = y.";
    check_answers(&format!("{few} &count(2) {{ x; y; x }} = 2."), &["| x=2 y=1", "| x=2 y=3"]);
    check_answers(&format!("{few} &count(x) {{ y; 2 }} >= 2."), &["| x=2 y=2"]);
    let expected = ["| x=1 y=1", "| x=1 y=2", "| x=2 y=3", "| x=3 y=3"];
    check_answers(&format!("{few} &count(3) {{ x; y }} = x-1."), &expected);
    check_answers(&format!("{few} &table(x,y) {{ 1,2; 3,1; 4,1 }}."), &["| x=1 y=2", "| x=3 y=1"]);
    check_answers(&format!("{few} &element(x) {{ 1,3; 2,y+1; 3,7 }} = y."), &["| x=1 y=3"]);
    check_answers("a :- &table(x) { 1000; 5 }. &dom { 1000..1001 } = x.", &["a | x=1000", "| x=1001"]);
    check_answers(
        "&sum { x } = 4. a :- not &element(x) { 1,1 } = 1. b :- &count(4) { x } != 1.",
        &["a | x=4"],
    );
}

/// What is left of a constraint whose variables have one value is a comparison of numbers, under a condition or not.
#[test]
fn constraints_without_open_terms_hold_or_do_not() {
    let fixed = "&dom { 0 } = y. &dom { 3 } = x.";
    for (operator, holds) in
        [(">", false), ("!=", false), ("<", false), ("=", true), (">=", true), ("<=", true)]
    {
        let both = ["a | x=3 y=0", "| x=3 y=0"];
        for constraint in ["&count(2) { x }", "&sum { y }", "&nsum { y*x }", "&sum { x; -3 }"] {
            let constraint = format!("{constraint} {operator} y");
            check_answers(&format!("{fixed} {constraint}."), &["| x=3 y=0"][usize::from(!holds)..]);
            check_answers(&format!("{fixed} {{ a }}. {constraint} :- a."), &both[usize::from(!holds)..]);
            check_answers(
                &format!("{fixed} a :- {constraint}."),
                if holds { &both[..1] } else { &both[1..] },
            );
            check_answers(
                &format!("{fixed} a :- not {constraint}."),
                if holds { &both[1..] } else { &both[..1] },
            );
        }
    }
    check_answers(&format!("{fixed} &count(2) {{ x }} >= y+1."), &[]);
    check_answers(
        &format!("{fixed} a :- &element(x) {{ 3,y }} > y. b :- &table(y) {{ x-3 }}."),
        &["b | x=3 y=0"],
    );
}

/// An argument is a sum.
#[test]
fn expressions_are_arguments() {
    let x = "&dom { 0..3 } = x.";
    check_answers(&format!("{x} &count(x+1) {{ x; 1; 2 }} = 1."), &["| x=0", "| x=1"]);
    check_answers(
        &format!("{x} a :- not &count(3-2*x) {{ x; 1 }} >= 1."),
        &["a | x=0", "a | x=2", "a | x=3", "| x=1"],
    );
    check_answers(&format!("{x} &element(x+1) {{ 1,5; 2,6 }} = 5."), &["| x=0"]);
    check_answers(&format!("{x} &element(-x) {{ -1,5; (-2),x+4 }} > 5."), &["| x=2"]);
    check_answers(&format!("{x} &table(x+1,2*x) {{ 1,1; 2,2; 3,x+2 }}."), &["| x=1", "| x=2"]);
    check_answers(&format!("{x} p(1..2). #show. &count(X+1) {{ x; 1 }} = 0 :- p(X)."), &["| x=0", "| x=1"]);
    check_answers("&dom { 0..3 } = (a,2). &count(-(a,2)) { -2; 1 } = 1.", &["| (a,2)=2"]);
    check_answers(
        "p(1). #show. &dom { 0..3 } = f(2,1). &table(2*f(X+1,(1))) { 4 } :- p(X).",
        &["| f(2,1)=2"],
    );
    check_answers("#const n = 2. &dom { 0..3 } = x. &count(n**2-x) { x; 1 } = 2 - 1.", &["| x=2", "| x=3"]);
}

#[test]
fn strings_are_variables() {
    check_answers(
        "&dom { 1..2 } = \"a b\". &sum { \"a b\"; \"c\" } = 3. &sum { \"c\" } > 1.",
        &["| \"a b\"=1 \"c\"=2"],
    );
}

/// A backslash and an n are no line end.
#[test]
fn strings_are_read_once() {
    check_answers(r#"&sum { "\\nb" } = 1. &sum { "\\\nb" } = 2."#, &[r#"| "\\\nb"=2 "\\nb"=1"#]);
}

/// Of terms over the same variable, what follows for one changes the others.
#[test]
fn a_variable_is_in_several_terms_that_differ() {
    let program = "{ a; b }. &dom { (-2); (-2)..1 } = x. &sum { y; y } <= 9. :- &sum { y } < 0.
        &dom { 1..4 } = f(1). &dom { (-2); (-1)..1 } = (a,2).
        &distinct { f(1)+1; f(1): p(V), V > 1; f(1)+y } . p(1..3).
        :- &sum { (-2*y+2*(a,2)) } != 3*x+f(1).";
    for atoms in [0, 1, 10] {
        assert_eq!(solve(program, 1, atoms).unwrap().2, 0, "{atoms}");
    }
    let program = program.replace("V > 1", "V > 2");
    let all = solve(&program, 1, 10).unwrap();
    assert!(all.2 > 0 && solve(&program, 1, 0).unwrap() == all && solve(&program, 1, 1).unwrap() == all);
}

/// A task that needs more than there is cannot run, however much that is.
#[test]
fn demands_above_the_capacity() {
    for atoms in [0, 10] {
        let program = "{ a }. &dom { 0..1 } = x. &cumulative { x@5,9223372036854775807 } <= 5 :- a.";
        assert_eq!(solve(program, 1, atoms).unwrap().2, 2);
    }
}

/// They take no room.
#[test]
fn tasks_of_length_0() {
    check_answers("&dom { 0..1 } = x. &disjoint { x@0; 0@2 }.", &["| x=0", "| x=1"]);
    check_answers("&dom { 0..1 } = x. &cumulative { x@0,9; 0@2,1 } <= 1.", &["| x=0", "| x=1"]);
    check_answers("&dom { 0..1 } = x. &cumulative { x@0,9 } <= -1.", &[]);
    let surface = "job(a,0;b,2). { s(J,0..1) } = 1 :- job(J,D). #show s/2. :- s(b,1).";
    let expected = &["s(a,0) s(b,0) |", "s(a,1) s(b,0) |"];
    check_answers(&format!("{surface} #disjoint {{ $s(J)@D : job(J,D) }}."), expected);
    check_answers(&format!("{surface} #cumulative {{ $s(J)@D : job(J,D) }} <= 1."), expected);
}

#[test]
fn tasks_share_what_there_is() {
    let tasks = "&dom { 0..2 } = x. &dom { 0..2 } = y. ";
    let expected = &["| x=0 y=2", "| x=2 y=0"];
    check_answers(&format!("{tasks} &cumulative {{ x@2,2; y@2,2 }} <= 3."), expected);
    check_answers("&cumulative { 0@5,1; 4@1,1 } <= 1.", &[]);
    check_answers("{ a }. &cumulative { 0@5,1; 0@1,1 } <= 1 :- a.", &["|"]);
    check_answers("&cumulative { } <= -1.", &[]);
    // The same task twice.
    check_answers(
        "p(1..2). #show. &sum { x } = 0. &cumulative { x@1,1 : p(_); x@1,1 : p(V) } <= 3.",
        &["| x=0"],
    );
}

/// A definition of the program's own counts.
#[test]
fn own_theories_stay() {
    check_answers("#theory t { e { }; &sum/0 : e, { = }, e, any }. a :- &sum { x } = 1.", &["a |", "|"]);
    let beside = "#theory t { e { }; &p/0 : e, { = }, e, any }. a :- &p { x } = 1. &dom { 1 } = x.";
    check_answers(beside, &["a | x=1", "| x=1"]);
    let table = "#theory t { e { }; &table/1 : e, any }. a :- &table(x) { 1 }. &dom { 1 } = x.";
    check_answers(table, &["a | x=1", "| x=1"]);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    for (program, expected) in [
        ("&nsum { x*y*z } >= 0.", "do not fit 64 bits"),
        ("&cumulative { x@1 } <= 2.", "an element of `&cumulative/0` has 2 terms"),
        ("&cumulative { x@y,1 } <= 2.", "the length of an interval is an integer of at least 0"),
        ("&cumulative { x,1 } <= 2.", "an element of `&cumulative` is written `start @ length, demand`"),
        ("&cumulative { x@1,-1 } <= 2.", "what a task needs is an integer of at least 0"),
        ("&cumulative { x@1,1 } <= y.", "compares with an integer"),
        ("a :- &cumulative { x@1,1 } <= 1.", "`&cumulative { x@3,1; y@2,1 } <= 2 :- a.`"),
        ("a :- &distinct { x; y }.", "in a body, compare two at a time: `&sum { x } != y`"),
        ("a :- &disjoint { x@1; y@1 }.", "in a body, compare two at a time: `&sum { x+3 } <= y`"),
        ("{ a }. &minimize { x } :- a.", "&sum { c } = 0 :- not a.  &minimize { c }.`"),
        ("&show { x } :- a.", "with conditions that are facts"),
        ("&count(x) { y }.", "this constraint needs a comparison after its elements"),
        ("&count(x,y) { y } = 1.", "theory atom `&count/2` is not defined"),
        ("&count { y } = 1.", "it is written `&count(v) { x; y } <= 2`"),
        ("&element { 1,y } = 1.", "it is written `&element(i) { 1,x; 2,y } = z`"),
        ("&cumulative(x) { y@1,1 } <= 1.", "it is written `&cumulative { x@3,1; y@2,1 } <= 2`"),
        ("&sum(x) { y } <= 1.", "it is written `&sum { x; 2*y } <= 3`"),
        ("&cumlative { y@1,1 } <= 1.", "did you mean `&cumulative`? it is written"),
        ("&distinct { x } = 1.", "it is written `&distinct { x; y }`"),
        ("&count(|x|) { y } = 1.", "an argument of theory atom `&count/1` is a sum"),
        ("&count(x*x) { y } = 1.", "name the product: `&nsum { x*y } = z`"),
        ("&count(f(x+1)) { y } = 1.", "neither linear nor a variable"),
        ("&element(x) { 1 } = 1.", "an element of `&element/1` has 2 terms"),
        ("&table(x,y) { 1,2; 3 }.", "an element of `&table/2` has 2 terms"),
        ("&table { 1 }.", "it is written `&table(x,y) { 1,2; 2,3 }`"),
        (
            "&dom { 0..2 } = x. { a }. &sum { x : a } = 1.",
            "conditions in constraints over integers must be facts",
        ),
        ("&sum { x,y } = 1.", "an element of a constraint over integers is one term"),
        ("&sum { x*x } = 1.", "only `&nsum` takes products of variables"),
        ("&sum { x/2 } = 1.", "this constraint has a term that is neither linear nor a variable"),
        ("&sum { x/2 } = 1.", "`x/2`, rounded down, is `q` in `&sum { 2*q; r } = x.  &dom { 0..1 } = r.`"),
        ("&sum { x } = x/0.", "this constraint has a term that is neither linear nor a variable"),
        ("&diff { x } <= 1.", "a difference constraint is written `&diff { x-y } <= n`"),
        ("&disjoint { x@(-1) }.", "the length of an interval is an integer of at least 0"),
        ("&dom { 0..2000000000 } = x.", "a value lies outside of -1073741823..1073741823"),
        ("&dom { x } = y.", "a domain consists of integers and ranges of integers"),
        ("&dom { 1 } = 2.", "a domain belongs to a variable"),
        ("&show { x/y }.", "write `&show { x/n; f(1) }`"),
        ("&sum { 9223372036854775807*x; x } = 1.", "numbers in this constraint do not fit 64 bits"),
        (
            "&dom { 0..9 } = x. &dom { 0..9 } = y. { a }. &sum { 4611686018427387904*x; y } <= 1 :- a.",
            "do not fit 64 bits",
        ),
        (
            "&dom { 0..1 } = x. &cumulative { x@5,5000000000000000000; 0@5,5000000000000000000 } <= 6000000000000000000.",
            "do not fit 64 bits",
        ),
        (
            "&dom { 1..1000 } = x. &dom { -2000..2000 } = y. { a }. &cumulative { x@9223372036854775807,1; y@3,1 } <= 1 :- a.",
            "do not fit 64 bits",
        ),
        ("&dom { (-9223372036854775807-1)..3 } = x.", "a value lies outside of -1073741823..1073741823"),
        ("&diff { x-y-z } <= 1.", "a difference constraint is written `&diff { x-y } <= n`"),
        ("&diff { x-y } >= 1.", "cannot start with `>=`"),
        ("a :- &sum { x } >=-1.", "`>=-` is read as one operator"),
        ("a :- &sum { x;-2*x } >= 1.", "`;-` is read as one operator"),
        ("a :- &dom { 1 } = x.", "cannot occur in a body"),
        ("a :- &dom { 1 } = x.", "in a body, compare the variable: `&sum { x } >= 1, &sum { x } <= 3`"),
    ] {
        let message = solve(program, 1, 10).unwrap_err();
        assert!(message.contains(expected), "{program}\n{message}");
        if message.contains("grounding stopped") {
            continue;
        }
        // It does not depend on the call.
        let mut control = Control::new();
        control.add(program);
        assert!(control.solve(1, |_| true).is_err() && control.solve(1, |_| true).is_err(), "{program}");
    }
}

/// Nothing is narrowed one by one where differences contradict each other.
#[test]
fn differences_that_contradict_each_other_end_at_once() {
    check_answers("&sum { x } < y. &sum { y } < x.", &[]);
    check_answers("&diff { x-y } <= 3. &diff { y-z } <= 4. &diff { z-x } <= -8.", &[]);
    check_answers(
        "&dom { 0..100000 } = x. &dom { 0..100000 } = y. a :- b. { b }. :- not a. &sum { x } < y :- a. &sum { y } < x :- b.",
        &[],
    );
}

/// Later steps constrain variables of earlier ones.
#[test]
fn steps_add_constraints() {
    let mut control = Control::new();
    control.add("&dom { 1..4 } = x. #program more(n). &sum { x } != n. &sum { y(n) } = 2*x. &dom { 1..3 } = x :- n > 1.");
    let mut count = |parts: &[i64]| {
        let mut models = Vec::new();
        for &n in parts {
            let n = control.symbols_mut().num(n);
            control.ground_parts(&[("more", vec![n])]).unwrap();
        }
        if parts.is_empty() {
            control.ground().unwrap();
        }
        control
            .solve(0, |answer| {
                models.push(answer.to_string());
                true
            })
            .unwrap();
        models.sort();
        models
    };
    assert_eq!(count(&[]).len(), 4);
    assert_eq!(count(&[1]).len(), 3);
    assert_eq!(count(&[2]), ["\nAssignment:\nx=3 y(1)=6 y(2)=6"]);
}

/// Programs as they are written for clingcon: what they find is known.
#[test]
fn known_problems() {
    let number = |text: &str| solve(text, 1, 10).map(|(found, costs, _)| (found.len(), costs)).unwrap();
    assert_eq!(number(include_str!("../golden/programs/integers-magic.lp")), (8, vec![]));
    assert_eq!(number(include_str!("../golden/programs/integers-golomb.lp")).1, [11]);
    let (found, ..) = solve(include_str!("../golden/programs/integers-send.lp"), 1, 10).unwrap();
    let values: Vec<String> = found.into_iter().flat_map(|(_, values)| values).collect();
    assert_eq!(values, ["d=7", "e=5", "m=1", "n=6", "o=0", "r=8", "s=9", "y=2"]);
    let mut control = Control::new();
    control.add(include_str!("../golden/programs/integers-jobs.lp"));
    assert_eq!(control.solve(0, |_| true).unwrap().costs, Some(vec![55]));
}

/// Costs of a later step that would not fit beside those before are refused.
#[test]
fn objectives_of_steps_do_not_wrap() {
    let mut control = Control::new();
    control.add("&dom { 1000000000 } = z. &minimize { -9000000000000000000 }. #program more. &minimize { 9000000000000000000; 9000000000*z }.");
    control.ground().unwrap();
    assert!(control.solve(0, |_| true).is_ok());
    let more = control.ground_parts(&[("more", vec![])]);
    let error = more.and_then(|()| control.solve(0, |_| true)).unwrap_err().to_string();
    assert!(is_refusal(&error), "{error}");
}

/// A projection on atoms leaves values out of consequences, whether they are atoms or not.
#[test]
fn consequences_of_projected_atoms_have_no_values() {
    for (domain, atoms) in [("3..100000", 10), ("3..9", 10), ("3..9", 0)] {
        let mut control = Control::new();
        control.settings.integers.atoms = atoms;
        control.add(&format!("{{ b }}. &dom {{ {domain} }} = x. #project b/0."));
        control.settings.solve.enum_mode = EnumMode::Brave;
        control.settings.solve.projection = Projection::Project;
        let mut last = String::new();
        let keep = |answer: &asp::Answer| {
            assert_eq!(answer.ranges().count(), 0);
            last = answer.to_string();
            true
        };
        control.solve(0, keep).unwrap();
        assert_eq!(last.trim(), "b\nAssignment:", "{domain}");
    }
}
