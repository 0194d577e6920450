//! What is read as an answer set, and which one is meant.

use super::*;
use crate::inquiry::relaxed_facts::Which;
use crate::why::{Answer, Asked, find, why_in};

#[track_caller]
fn reads(text: &str, expected: &[&str]) {
    let given = ModelFilter::read(text).unwrap_or_else(|why| panic!("{why}: {text}"));
    assert_eq!(given.0.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn answer_sets_as_they_are_printed() {
    reads("", &[]);
    reads("a p(1, x)  -q(2) 5 \"x y.\" (1,2)", &["\"x y.\"", "(1,2)", "-q(2)", "5", "a", "p(1,x)"]);
    reads("a. p(\"%\\\"). \"). % b.\nc(f(1)), d", &["a", "c(f(1))", "d", "p(\"%\\\"). \")"]);
    reads("asp 1.0\nAnswer: 1\na b\nAnswer: 2\nb c\nSATISFIABLE\n", &["b", "c"]);
    reads("Answer: 1\n\nSATISFIABLE\n", &[]);
    reads("a b\nOptimization: 3\nOPTIMUM FOUND\n", &["a", "b"]);
    reads("ANSWER\na. b(1).\n", &["a", "b(1)"]);
    for wrong in ["p(X)", "p(1", "a b) c", "p(1..3)", "p(1;2)", "not a", "x). y(", "1..100000000000"] {
        assert!(ModelFilter::read(wrong).is_err(), "{wrong}");
    }
}

fn told(program: &str, atom: &str, given: &str) -> String {
    let texts = [asp_control::Source::new("p.lp", program)];
    let which = Which { sums: true, ..Which::default() };
    let inquiry = Inquiry::open(&texts, &Control::new, &|c| c.ground(), &which);
    let inquiry = inquiry.unwrap_or_else(|failure| panic!("{:?}", failure.0));
    let (text, name, arity) = atom::parse(atom).expect("an atom");
    let Asked::Atom(atom) = find(&inquiry, &text, &name, arity) else { panic!("{atom} is none") };
    let given = ModelFilter::read(given).expect("an answer set");
    let (answer, derived) = why_in(&inquiry, Literal::pos(atom), &given).expect("no overflow");
    match answer {
        Answer::Here(node, holds) => format!("{holds}: {}", node.to_text()),
        Answer::Always(_) => format!("always: {}", derived.map_or(String::new(), |d| d.to_text())),
        Answer::Never(_) => "never".into(),
        Answer::NotGiven(why) => why.unwrap_or_else(|| "none".into()),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_one_that_is_given_is_explained() {
    let program =
        "1 { by(train; car) } 1.\nat(work) :- by(train).\nat(work) :- by(car).\nhome :- not at(work).\n";
    let told_of = told(program, "at(work)", "by(car) at(work)");
    assert_eq!(told_of, "always: at(work): by this rule  [p.lp:3]\n`- by(car): chosen  [p.lp:1]\n");
    let program = "{ by(train); by(car) }.\nat(work) :- by(train).\nat(work) :- by(car).\n";
    let train = told(program, "at(work)", "at(work) by(train)");
    assert!(
        train.starts_with("true") && train.contains("by(train)") && !train.contains("by(car)"),
        "{train}"
    );
    let car = told(program, "at(work)", "at(work) by(car)");
    assert!(car.starts_with("true") && car.contains("by(car)") && !car.contains("by(train)"), "{car}");
    assert!(told(program, "at(work)", "").starts_with("false: not at(work)"));
    assert_eq!(told(program, "at(work)", "at(work)"), "none");
    assert_eq!(told(program, "at(work)", "at(work) by(bus)"), "no answer set shows by(bus)");
}

#[test]
fn what_is_shown_is_what_counts() {
    // Hidden atoms are free, terms count as atoms do, and one term may have several reasons.
    let program = "{ a; b }. c :- a. c :- b.\n#show c/0. #show t : a. #show t : b. #show (1,2) : a.\n";
    let both = told(program, "c", "c t (1,2)");
    assert!(both.contains("a: chosen"), "{both}");
    let only_b = told(program, "c", "t c");
    assert!(only_b.contains("b: chosen") && !only_b.contains("a: chosen"), "{only_b}");
    assert_eq!(told(program, "c", "t"), "none");
    assert_eq!(told("f. { a }. b :- a. #show f/0. #show b/0.", "b", "b"), "none");
    assert!(told("f. { a }. b :- a. #show f/0. #show b/0.", "b", "b f").contains("a: chosen"));
    assert_eq!(told("{ a }. #show a/0. #show x.", "a", "a"), "each answer set shows x");
}
