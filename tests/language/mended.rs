//! Small programs and what clingo 5.8.3 prints for them: answer sets as sorted lines of sorted atoms.
//!
//! Each row is a defect that has been fixed.

use crate::support::spawn;
use std::collections::BTreeSet;

/// Answer sets and costs of a program, sorted, without the last line.
fn answers(program: &str, arguments: &str) -> (Option<i32>, Vec<String>) {
    let run = spawn::run(spawn::words(&format!("0 -V0 -Wnone {arguments}")), program);
    let sorted = |line: &str| {
        let mut atoms: Vec<&str> = line.split_whitespace().collect();
        atoms.sort_unstable();
        atoms.join(" ")
    };
    let lines = run.stdout.lines().filter(|l| !l.ends_with("SATISFIABLE"));
    let mut lines: Vec<String> = lines.map(sorted).collect();
    lines.sort_unstable();
    (run.code, lines)
}

#[track_caller]
fn check(program: &str, arguments: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    assert_eq!(answers(program, arguments), (Some(30), expected), "{program} {arguments}");
}

#[test]
fn a_constant_without_a_value_leaves_out_what_uses_it() {
    check("#const a = @f(). p(a). q(a,1). r. s(X) :- X = a. t(b).", "", &["r t(b)"]);
    check("#const a = 1/0. p(a). r.", "", &["r"]);
    check("#const a = @f(). #const b = a. p(b). p :- not q(a). r. q(1).", "", &["q(1) r"]);
    check("p(a). q.", "-c a=@f()", &["q"]);
}

#[test]
fn a_term_of_several_conditions_is_no_projected_atom() {
    // The last line that is printed, of the union.
    for (program, expected) in [
        ("{a}. #project a/0. #show 1 : a. #show 1 : not a.", "a"),
        ("{a;b}. #project a/0. #show 1 : b. #show 1 : a.", "a"),
        ("{a}. #project a/0. #show 1 : a.", "a 1"),
        ("{a}. #project a/0. #show 1 : a. #show 1 : a, a.", "a 1"),
        ("{a}. #project a/0. #show 1 : a. #show 1.", "1 a"),
    ] {
        let run = spawn::run(["0", "-V0", "--enum-mode=brave"], program);
        let union = run.stdout.lines().rfind(|l| !l.starts_with("Cons") && !l.starts_with("SAT"));
        let atoms = |line: &str| line.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(union.map(atoms), Some(atoms(expected)), "{program}");
    }
}

/// Lowering gives no rules to an external atom whose own rules need it themselves.
#[test]
fn external_atoms_that_rest_on_themselves_in_recursive_aggregates() {
    let count = "#count { k : not e; k : e; 2 : b } != 3.";
    for (program, expected) in [
        (format!("#external e. [free] e :- e. #external b. b :- {count}"), &["b", "b e"][..]),
        (format!("#external e. [free] e :- e. #external b. b | c :- {count}"), &["b", "b e", "c", "c e"]),
        (
            format!("#external e. [free] e :- e, d. {{d}}. #external b. b :- {count}"),
            &["b", "b d", "b d e", "b e"],
        ),
        ("#external e. [free] e :- e. b :- d : e. d :- b. {d}.".into(), &["b d", "b d e", "e"]),
    ] {
        check(&program, "", expected);
    }
}

/// The alternatives of a negated chain in an element's condition are one element.
#[test]
fn negated_chains_in_conditions_count_once() {
    for (elements, number) in [
        ("W != 0 : W = 1..2, not 1 = W <= -1", 2),
        ("W != 0 : W = 1..2, q((1;2)), not 1 = W <= -1", 4),
        ("W != 0 : W = 1..2, not 1 = (W;W+1) <= -1", 4),
        ("0 != W != 3 : W = 1..2, not 1 = W <= -1", 2),
        ("not 0 = W = (3;4) : W = 1..2, not 1 = W <= -1, q((1;2))", 8),
        ("not q(5) : W = 1..2, not 1 = W <= -1", 1),
    ] {
        let expected = format!("p({number}) q(1) q(2)");
        check(&format!("q(1..2). p(X) :- X = {{ {elements} }}."), "", &[&expected]);
        let expected = ["q(1) q(2)"];
        check(&format!("q(1..2). {number} {{ {elements} }} {number}."), "", &expected);
    }
}

/// Names that begin with an underscore are shown, and do not tell answer sets apart under projection on what is shown.
#[test]
fn underscored_names_are_not_projected_on() {
    for (program, option, expected) in [
        ("{_s(1)}. {a}. :- not _s(1), not a.", "--project=show", 2),
        ("{_s(1)}. {a}. :- not _s(1), not a.", "--project", 2),
        ("{_s(1)}. {a}. :- not _s(1), not a.", "--project=no", 3),
        ("{_s(1)}. {a}. #project _s/1.", "--project", 2),
        ("{-_s(1)}. {a}.", "--project", 4),
        ("{a;b}. #show _t : a. #show u : b. #show.", "--project", 2),
        ("#external _s(1). [free] _s(1) :- _s(X).", "--project", 1),
    ] {
        let run = spawn::run(["0", "-q", option], program);
        assert!(
            run.stdout.contains(&format!("Models       : {expected}\n")),
            "{program} {option}\n{}",
            run.stdout
        );
    }
}

/// Which levels of objectives are told: see `docs/differences-from-clingo.md`.
#[test]
fn levels_of_what_nothing_derives_are_not_told() {
    let disjunction = "a4. a3 ; a4 :- b. {b}.";
    let costs = |objective: &str| {
        let run = spawn::run(["-V0"], &format!("{disjunction} #minimize {{ {objective} }}."));
        run.stdout.lines().filter_map(|l| l.strip_prefix("Optimization: ")).map(str::to_owned).next_back()
    };
    assert_eq!(costs("1@2 : a3 ; 1@1 : b").as_deref(), Some("0"));
    assert_eq!(costs("1@2 : a4, b ; 1@1 : b").as_deref(), Some("0 0"));
    assert_eq!(costs("1@2 : a3"), None);
}

#[test]
fn theory_atoms_need_a_definition_in_every_part() {
    assert_eq!(answers("a. #program x. b :- &foo { 1 } > 2.", "").0, Some(65));
    assert_eq!(answers("a. #program x. &foo { }.", "").0, Some(65));
    check("#theory t { x { }; &foo/0 : x, any }. a. #program x. &foo { }.", "", &["a"]);
}

#[test]
fn semicolons_between_bars_end_no_theory_element() {
    let theory = "#theory t { x { }; &foo/0 : x, any }.";
    for (condition, written) in [
        ("X = |1;-2|", "f(1); f(2)"),
        ("X = ||1|;-|2||; f(0)", "f(0); f(1); f(2)"),
        ("|X| = |-1;-3|, X = 1..3 ; f(0) : |-1| > 0", "f(0); f(1); f(3)"),
    ] {
        let text = spawn::run(["--text"], &format!("{theory} &foo {{ f(X) : {condition} }}.")).stdout;
        let atom = text.lines().find_map(|l| l.strip_prefix("&foo{")).expect("an atom");
        let mut elements: Vec<&str> = atom.trim_end_matches("}.").split("; ").collect();
        elements.sort_unstable();
        assert_eq!(elements.join("; "), written, "{condition}");
    }
}

#[test]
fn a_comment_inside_a_signature_makes_it_a_term() {
    check("#show a0%* c *%/0.\na0. b.", "", &["a0 b"]);
    check("#show a0 /0. a0. b.", "", &["a0"]);
}

#[test]
fn a_long_sum_is_no_deep_term() {
    let sum = |part: &str, by: &str| vec![part; 1500].join(by);
    check(&format!("p({},{}) :- X = 2.", sum("X", "+"), sum("X", "-")), "", &["p(3000,-2996)"]);
}

#[test]
fn the_least_integer_is_one() {
    let least = "-9223372036854775808";
    check(
        &format!("p({least}). q(X) :- X = - 9223372036854775808 + 1."),
        "",
        &[&format!("p({least}) q(-9223372036854775807)")],
    );
    for wrong in ["p(9223372036854775808).", "p(1-9223372036854775808).", "p(-(9223372036854775808))."] {
        assert_eq!(answers(wrong, "").0, Some(65), "{wrong}");
    }
}

#[test]
fn heads_with_guards_or_conditions_support_themselves_in_supported_models() {
    check("{ b : not a }. { a }. 0 { b } 1 :- b.", "--supp-models", &["", "a", "a b", "b"]);
    let program = "b :- not a. { a }. 1 #count { 1 : b ; 2 : c : b } :- b.";
    check(program, "--supp-models", &["a", "a b", "a b c", "b", "b c"]);
}

#[test]
fn conditional_literals_in_cycles_support_as_gringo_translates_them() {
    let program = "dom(1;2). { r(1,X) } :- dom(X); not not r(1,1) : r(1,Z). #show r/2.";
    check(program, "--supp-models", &["", "r(1,1)", "r(1,1) r(1,2)", "r(1,2)"]);
    let program = "dom(1;2). q(X) :- dom(X); 1 >= #sum { 3 : q(Z) ; -1 : }.";
    assert_eq!(answers(program, "--supp-models"), (Some(20), vec![]));
}

#[test]
fn disjunctions_with_a_fact_leave_external_atoms_external() {
    let show = "4 1 a 1 1\n4 1 b 1 2\n0\n";
    check(&format!("asp 1 0 0\n5 2 1\n1 0 2 2 1 0 0\n1 0 1 1 0 0\n{show}"), "", &["a b"]);
    check(&format!("asp 1 0 0\n1 0 2 2 1 0 0\n1 0 1 2 0 0\n5 1 0\n{show}"), "", &["a b", "b"]);
    check(&format!("asp 1 0 0\n1 0 2 2 1 0 0\n5 1 0\n{show}"), "", &["a", "b"]);
    check(&format!("asp 1 0 0\n1 0 2 2 1 0 0\n5 1 0\n1 0 1 2 0 0\n{show}"), "", &["b"]);
    check(&format!("asp 1 0 0\n5 1 2\n1 0 2 2 1 0 0\n5 1 0\n1 0 1 2 0 0\n{show}"), "", &["b"]);
}

#[test]
fn a_fact_that_a_sum_over_itself_derives_is_written_once() {
    let program =
        "c(1) :- 0 <= #sum { X : c(X) }. p(1..2). p(X+1) :- p(X), X < 9 - #sum { 0,Y : p(Y) }, X < 3.";
    let text = spawn::run(["--text"], program).stdout;
    let mut lines: Vec<&str> = text.lines().collect();
    let all = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), all, "{text}");
}

#[test]
fn rules_that_cannot_derive_leave_external_atoms_external() {
    check("{ c }. #external a. [free] a | b :- not a, c.", "", &["", "a", "a c", "b c"]);
    check("{ c }. #external a. [free] { a } :- not a, c.", "", &["", "a", "a c", "c"]);
    check("{ b }. #external a. [free] a :- b, not b.", "", &["", "a", "a b", "b"]);
    check("#external a. [free] a :- b. b :- a.", "", &[""]);
}

#[test]
fn a_term_is_shown_once_beside_an_equal_atom() {
    check("a. { b }. #show a : b. #show a.", "", &["a a", "a a b"]);
    check("a. { b }. #show a/0. #show a : b.", "", &["a", "a a"]);
    check("q(3). { b }. #show 3. #show X : q(X), not b. #show X : q(X), not c.", "", &["3 b q(3)", "3 q(3)"]);
}

#[test]
fn edges_and_heuristics_have_names_in_smodels_format() {
    let program = "{ a; b }. #edge (1,2) : a. #edge (2,x) : b. #heuristic a : b. [3@2,true]";
    let run = spawn::run(["-o", "smodels"], program);
    assert_eq!(run.code, Some(0));
    for name in [" _edge(0,1)\n", " _edge(1,2)\n", " _heuristic(a,true,3,2)\n"] {
        assert!(run.stdout.contains(name), "{}", run.stdout);
    }
}

#[test]
fn values_of_distribute_may_leave_out_the_mode() {
    for value in ["all,4", "all,4,1000", "conflict,global,4", "no"] {
        check("a.", &format!("--distribute={value}"), &["a"]);
    }
}

#[test]
fn a_guard_may_need_what_the_other_binds() {
    let sum = "#sum { 3,1 : a; -1 : not a }";
    for rule in [
        format!("X = {sum} < -X"),
        format!("-X > {sum} = X"),
        format!("X = {sum} < Y, Y = X+1, X < 3"),
        format!("X = {sum} = Y, Y < 0"),
    ] {
        check(&format!("{{a}}. r(X) :- {rule}."), "", &["a", "r(-1)"]);
    }
}

#[test]
fn a_projection_on_nothing_tells_no_answer_sets_apart() {
    // Atoms that cannot hold are not projected on; facts are.
    let free = ["", "a", "a b", "b"];
    check("{ a; b }. #project z.", "--project", &free);
    check("{ a; b }. #project p/1.", "--project", &free);
    for program in ["{ a; b }.", "{ a; b }. #project z.", "{ a; b }. #project p/1."] {
        assert_eq!(answers(program, "--project=project").1.len(), 1, "{program}");
    }
    for program in
        ["{ a; b }. c. #project c.", "{ a; b }. c. #project c/0.", "{ a; b }. c. #project c : c. #show."]
    {
        assert_eq!(answers(program, "--project").1.len(), 1, "{program}");
        let text = spawn::run(["--text"], program).stdout;
        assert_eq!(answers(&text, "--project").1.len(), 1, "{program}\n{text}");
        let aspif = spawn::run(["--mode=gringo"], program).stdout;
        assert_eq!(answers(&aspif, "--project").1.len(), 1, "{program}\n{aspif}");
    }
}

#[test]
fn consequences_are_those_of_what_is_projected_on() {
    let check = |program: &str, arguments: &str, expected: &str| {
        let (code, lines) = answers(program, &format!("-q1,1 {arguments}"));
        assert_eq!((code, lines.join("; ").as_str()), (Some(30), expected), "{program} {arguments}");
    };
    for project in ["--project=no", "--project=auto", "--project=project"] {
        check("{ a; b }. c. #project a.", &format!("{project} -e brave"), "Consequences: [1;1]; a c");
        check(
            "a; b. #show t : a. #show t : b. #project a.",
            &format!("{project} -e cautious"),
            "; Consequences: [0;0]",
        );
    }
    check("{ a; b }. c. #project c.", "-e brave", "Consequences: [1;1]; c");
    check("{ a; b }. #project a. #show b/0.", "-e brave", "; Consequences: [1;1]");
    check("{ a; b }. #project a.", "--project=show -e brave", "Consequences: [2;2]; a b");
    check("{ a; b }. #project z.", "-e brave", "Consequences: [2;2]; a b");
    check("{ a; b }. #project z.", "--project=project -e brave", "; Consequences: [0;0]");
    let costs = "{ a; b; c }. :- not a, not b. #minimize { 1,a : a ; 1,b : b }. #project c.";
    check(costs, "-e brave --opt-mode=optN", "1 Optimization:; Consequences: [1;1]; FOUND OPTIMUM; c");
}

#[test]
fn a_term_that_equals_a_fact_is_a_thing_of_its_own() {
    check("{ p }. q. #show q : p. #show q/0.", "--project=show", &["q", "q q"]);
    let (_, lines) = answers("{ p }. q. #show q : p. #show q/0.", "-e cautious -q1,1");
    assert_eq!(lines.join("; "), "Consequences: [1;1]; q");
}

#[test]
fn an_external_atom_is_one_unless_a_rule_is_left_for_it() {
    // A choice with bounds or several elements under conditions counts whatever its body is.
    assert_eq!(answers("#external b. [true] { p(2); b } = 2 :- not b. p(2).", "").0, Some(20));
    check("#external b. [free] { p }. { b ; c : p } :- not b.", "", &["", "c p", "p"]);
    check("#external b. [free] { p }. { b } :- not b.", "", &["", "b", "b p", "p"]);
    // A rule that waits for itself is none.
    let waits = "p(X) :- d(X); p(Y) : e(X,Y). q(X) :- d(X); p(Y) : e(X,Y). e(2,2). d(2).";
    check(&format!("#external q(X) : d(X). [free] {waits}"), "", &["d(2) e(2,2)", "d(2) e(2,2) q(2)"]);
    // A fact found on the way, or an atom that none derives, leaves nothing of a rule.
    check("p(2) ; p(2). { q(2) ; a } :- not p(2). #external q(2). [free]", "", &["p(2)", "p(2) q(2)"]);
    check(
        "#external q(1). [true] d(1..3). q(1) : not e | a :- p(X). p(1) :- d(X), not not q(2).",
        "",
        &["d(1) d(2) d(3) q(1)"],
    );
    check("#external b. [true] b :- not not a. { p : not b; d }. a :- d, 1 > 2.", "", &["b", "b d"]);
    // Bounds that cannot be met derive nothing.
    check("{ g }. 3 { a; b } :- g. #external a. [free]", "", &["", "a"]);
    // A tuple under two conditions counts twice in the range of a sum; an equation is looked at apart from another bound.
    check("{ c ; d }. b :- #sum { 1 : c ; 1 : d } = 2. #external b. [free]", "", &["", "c", "c d", "d"]);
    check(
        "{ c ; d }. b :- 1 = #sum { 1 : c ; 1,a : d } > 1. #external b. [free]",
        "",
        &["", "c", "c d", "d"],
    );
    // A rule stays whose conditional literal says nothing.
    check("d. a :- d : a. #external a. [free] b :- not a. #external b. [free]", "", &["a d"]);
    // So does one whose contradiction an atom hides, as for a conditional literal on a cycle or of several instances.
    assert_eq!(answers("d. #external b. [true] b :- not b : d.", "").0, Some(20));
    check("d(1..2). #external b. [true] { c }. b :- c, not c : d(X).", "", &["b c d(1) d(2)", "b d(1) d(2)"]);
    let two = "d(1..2). #external b. [true] { c(1..2) }. b :- not c(1), c(X) : d(X). #show b/0.";
    check(two, "", &["", "", "", ""]);
    check("d. #external g. [true] g | r : d :- not g.", "", &["d r"]);
    check("#external g. [true] { c }. g | r :- c, not c.", "", &["c g", "g"]);
    check("#external b. [true] { c }. 1 { b; e } :- not c, 1 <= #sum { 1 : c }.", "", &["", "c"]);
    // But an aggregate that a single literal decides is read as that literal.
    check("#external b. [true] { c }. b :- not c, 1 <= #sum { 1 : c }.", "", &["b", "b c"]);
    check("#external b. [true] { c }. b :- not c, not 1 > #sum { 1 : c }.", "", &["", "c"]);
    check("e. #external b. [true] { c }. b :- not c, 2 <= #sum { 1 : e; 1,1 : c }.", "", &["c e", "e"]);
}

/// Instances without a value are dropped, before any rewriting and after it; what is no number is less or greater than all.
#[test]
fn instances_without_a_value_are_none() {
    check("{ p(1..2) }. v(1/(X-1)) :- p(X), not v(1/(X-1)).", "", &["", "p(1)"]);
    check("{ p(1;a) }. v(X+1) :- p(X), not v(X+1).", "", &["", "p(a)"]);
    check("{ p(a) }. -v(-X,|X|) :- p(X), not -v(-X,|X|).", "", &["", "p(a)"]);
    check("{ p(a); p(b) }. :- p(A), p(B), A+1 != B+1.", "", &["", "p(a)", "p(a) p(b)", "p(b)"]);
    check("{ p(a); p(b) }. :- p(A), p(B), 2*A < 2*B.", "", &["", "p(a)", "p(a) p(b)", "p(b)"]);
    check(
        "{ p(1,(a;b)) }. :- p(A,B), p(A,D), f(B+1) != f(D+1).",
        "",
        &["", "p(1,a)", "p(1,a) p(1,b)", "p(1,b)"],
    );
    let four = &["", "p(1,a)", "p(1,a) p(2,a)", "p(2,a)"];
    check("{ p((1;2),a) }. :- p(X,Z), p(Y,Z), X != Y, |Z| = |Z|.", "", four);
    check("{ p((1;2),a) }. :- p(X,Z), p(Y,Z), X != Y, |Z| = |W|, W = a.", "", four);
    check("{ p(1;2) }. :- p(X), p(Y), X < Y, |b| = |b|.", "", &["", "p(1)", "p(1) p(2)", "p(2)"]);
    let numbers = "s(1..30). m(a). m(3). #show b/1. ";
    for bound in ["a", "#sup", "f(1)", "\"s\"", "-a"] {
        check(&format!("{numbers} b(1) :- 30 = #count {{ X : s(X), |X| < {bound} }}."), "", &["b(1)"]);
        check(&format!("{numbers} b(X) :- s(X), |X| >= {bound}."), "", &[""]);
    }
    check(&format!("{numbers} b(M) :- m(M), 30 = #count {{ X : s(X), |X| <= M }}."), "", &["b(a)"]);
    check(&format!("{numbers} b(X) :- s(X), m(M), |X| < M, M < 9."), "", &["b(1) b(2)"]);
}

#[test]
fn a_theory_atom_is_free_in_a_rule_that_is_left() {
    let theory = "#theory t { x { }; &a/1 : x, any }. { e(1..2) }.";
    let plain = ["", "e(1)", "e(1) e(2)", "e(2)"];
    // Nothing of the form that is read is derived, or all that is comes before.
    for rules in [
        "d(X) :- not not q(f(1)), e(X), &a(X) { }. q(f(g(X))) :- d(X).",
        "d(X) :- not not q(X+1), e(X), &a(X) { }. q((X,1)) :- d(X).",
        "d(X) :- not not q(1), e(X), &a(X) { }. q(2*X) :- d(X).",
        "d(X) :- not not q(X,X), e(X), &a(X) { }. q(1,2) :- d(X).",
        "{ r(0,a) } :- &a(Y) { }, e(Y), not not r(2*Y,Y).",
    ] {
        check(&format!("{theory} {rules}"), "", &plain);
    }
    check("{ e(1) }. t(X,X+1,X) :- e(X), not q. q :- e(X), not t(X,X,2). #external z.", "", &["", "e(1) q"]);
    // Some may be.
    let rules = "d(X) :- not not q(1), e(X), &a(X) { }. q(X) :- d(X).";
    let all =
        [&[""; 4][..], &["d(1) d(2) e(1) e(2) q(1) q(2)", "d(1) e(1) e(2) q(1)"], &["d(1) e(1) q(1)"; 2]];
    let all = [all.concat(), [["e(1)"; 4], ["e(1) e(2)"; 4], ["e(2)"; 4]].concat()].concat();
    check(&format!("{theory} {rules}"), "", &all);
    // What later statements and conditional literals decide counts, too.
    let free = "#theory t { x { }; &a/1 : x, any }.";
    check(&format!("{free} e(1..2). s(X) :- e(X), &a(1) {{ }}. s(X) :- e(X)."), "", &["e(1) e(2) s(1) s(2)"]);
    let twice = ["e(1) e(2) s(1) s(2)"; 2];
    check(&format!("{free} e(1..2). s(X) :- e(X). s(X) :- e(X), &a(1) {{ }}."), "", &twice);
    let rules = "d(1..3). q(X) :- d(X); q(Y+1) : d(Y), X != Y; not &a(X) { }.";
    check(&format!("{free} {rules}"), "", &["d(1) d(2) d(3)"]);
}

#[test]
fn what_is_known_of_external_atoms_is_what_clingo_knows_by_statements() {
    // Statements come before those that read what they may derive, not predicates.
    let twice = "#external x : . [true] #external x : . ";
    check(&format!("{twice} r(1+f(1)) :- #sum {{ 1 : not x }} = 1."), "", &["x"]);
    check(&format!("d :- r : not x; f(Y)+1 != 1; e(Y). {twice}"), "", &["x"]);
    check(&format!("{twice} #maximize {{ ()-1 : x }}."), "", &["x"]);
    check(&format!("e :- not r(1); s(_). s(1) :- d : x. {twice}"), "", &["e s(1)"]);
    check(&format!("e :- s(_). s(1) :- d : x. {twice}"), "", &["x"]);
    check("#external p(1) : not not b. [free] #external b : #inf > #max { 1 : p((1,)) }.", "", &[""]);
    check("c :- p(X), q(Y). q(1) :- #sum { 1 : x(1) }. #external x(1) : not not c. [true]", "", &["q(1)"]);
    check("#external x(1) : not not p(1). [free] { p(1) : not not x(1) } :- e.", "", &[""]);
    check("a0 | a1 | a3. a3. a7 :- a1. #external a7. [true]", "", &["a3"]);
    // Disjuncts are derived one by one, and none after a fact.
    check("a3 | a1. a3. a7 :- a1. #external a7. [true]", "", &["a3 a7"]);
    check("a1 | a3 : b. a3. b. a7 :- a1. #external a7. [true]", "", &["a3 a7 b"]);
    check("a1 | not b. a7 :- a1. #external a7. [true]", "", &["a7"]);
    // A negated aggregate on a cycle is open, whatever it counts.
    check("#external x : not #sum { 1 : not x } <= 1. [free]", "", &["", "x"]);
    check("#external x : not #count { 1 : not x } >= 0. [free]", "", &[""]);
    check("{ d }. b :- d. #external q(1) : not not b : q(X). [free]", "", &["", "b d", "b d q(1)", "q(1)"]);
    check("d(1). #external c : c : d(X). [true]", "", &["d(1)"]);
    // On the cycle is what may be the atom that is read.
    check("#external x(1) : not { not x(2) : } 1. [free]", "", &[""]);
    check("#external x(1) : not { x(1) : } 1. [free]", "", &["", "x(1)"]);
    check("#external x(1) : not not 2 { x(2) : }. [free]", "", &[""]);
    check(
        "#external c : -s(1). [true] -s(1) :- not { not r(1,1) : } 1. r(1,2) :- #min { 1 : c } > 1.",
        "",
        &["r(1,2)"],
    );
    // Each match of what binds something widens a sum, and what binds nothing counts once.
    let widened = |condition: &str, value: u32| {
        format!(
            "d(1..2). e(2,1..2). #external s(1) : {value} = #sum {{ Z-1 : {condition} }}. [true] #show s/1."
        )
    };
    check(&widened("e(Z,_), d(W), not s(W)", 4), "", &["s(1)"]);
    check(&widened("e(Z,_), d(W), not s(W)", 5), "", &[""]);
    check(&widened("Z = 2, d(W), not s(9), not s(1)", 2), "", &[""]);
    check(
        "{ a }. d(1..2). #external x(X) : d(X), #count { 1 : d(W), a } = X. [true] #show x/1.",
        "",
        &["x(1)", "x(1)"],
    );
    // Bounds of heads count while they grow, and so do atoms of conditional literals.
    check(
        "#sum { 1 : c ; 1 : r(1) } = -1 :- { not e : r(Z) } ; not e. #external a : c. [true] b ; e.",
        "",
        &["e"],
    );
    check("#external d : c : 1 = 1. [free] #external c : #max { 1 : d } <= 3.", "", &["", "d"]);
    // A conditional literal without instances is decided on a cycle, too.
    check("r :- p. a :- r : b. #external x : not a. [true] {a}. p :- a.", "", &["a p r"]);
    check(
        "r :- p. a :- r : b. #external x : not a. [true] {b}. {a}. p :- a.",
        "",
        &["a b p r x", "a p r x", "b x"],
    );
    // Bounds that contradict each other.
    check("{ b }. #external d : 3 { a : b ; not x : b ; not b } 2. [true]", "", &["", "b"]);
    check(
        "{ d ; e }. a :- not 3 #count { 1 : d ; 2 : e ; 3 : d ; 4 : e } 2.",
        "",
        &["a", "a d", "a d e", "a e"],
    );
}

#[test]
fn externals_of_ground_programs_are_those_that_rules_leave() {
    let models = |rules: &str| {
        let input = format!("asp 1 0 0\n{rules}4 1 a 1 1\n4 1 b 1 2\n0\n");
        let run = spawn::run(spawn::words("0 -V0 --mode=clasp"), &input);
        let mut lines: Vec<String> = run.stdout.lines().map(str::to_owned).collect();
        lines.pop();
        lines.sort();
        lines
    };
    let (external, fact, not_b) = ("5 1 0\n", "1 0 1 2 0 0\n", "1 0 1 1 0 1 -2\n");
    // A fact counts for the rules after it.
    assert_eq!(models(&[external, fact, not_b].concat()), ["a b", "b"]);
    assert_eq!(models(&[external, not_b, fact].concat()), ["b"]);
    assert_eq!(models(&[external, fact, "1 0 2 1 2 0 0\n"].concat()), ["a b", "b"]);
    // Sums that cannot be reached.
    assert_eq!(models(&[external, fact, "1 0 1 1 1 2 2 -2 1 3 1\n"].concat()), ["a b", "b"]);
    assert_eq!(models(&[external, "1 0 1 1 1 2 1 3 1\n"].concat()), ["", "a"]);
    // Released is released.
    assert_eq!(models("5 1 3\n5 1 1\n"), [""]);
}

#[test]
fn the_value_of_an_external_atom_is_that_of_the_statement_grounded_last() {
    // The last statement is grounded first, after those that derive what it reads.
    check("#external x. [free] #external x. [true] #external x.", "", &["", "x"]);
    check("d(1). #external r(X) : d(X), not q(2). #external r(X) : d(X). [free]", "", &["d(1)"]);
    check("{ c }. #external q(1) : c. #external q(1). [true]", "", &["", "c"]);
    check("#external q(1). [free] #external q(1). { z } :- q(1).", "", &[""]);
    // Released is released.
    for program in
        ["#external x. [release] #external x. [free]", "#external x. [free] #external x. [release]"]
    {
        check(program, "", &[""]);
    }
}

#[test]
fn bounds_of_heads_that_cannot_be_met_leave_no_objective() {
    for bound in
        ["3 <= #max { 1,b : p(b) }", "#sum { 1,b : p(b) } > 1", "#min { 1 : p(b) } < 1", "2 { p(b) }"]
    {
        let program = format!("{bound} :- g. {{ g }}. :~ p(X). [1@-1,X]");
        let run = spawn::run(["0", "-V0"], &program);
        assert_eq!((run.code, run.stdout.as_str()), (Some(30), "\nSATISFIABLE\n"), "{program}");
    }
    // The range is met, if no value is.
    let run = spawn::run(["0", "-V0"], "#sum { 2,b : p(b) } = 1 :- g. { g }. :~ p(X). [1@-1,X]");
    assert_eq!(run.stdout, "\nOptimization: 0\nOPTIMUM FOUND\n");
}

#[test]
fn tuples_of_heads_that_count_nothing_are_told() {
    for program in
        ["#sum { x : a ; 5 : b } >= 1.", "#sum+ { -1 : a ; 5 : b } >= 1.", "#sum { (1,2) : a } >= 0."]
    {
        let run = spawn::run(["0"], program);
        assert!(run.stderr.contains("info: tuple ignored"), "{program}\n{}", run.stderr);
    }
    let run = spawn::run(["0"], "#sum { x : a ; 5 : b }. #max { x : c } >= 1.");
    assert_eq!(run.stderr, "");
}

#[test]
fn names_of_smodels_input_are_edges_and_heuristics() {
    let program = |names: &str| format!("3 3 2 3 4 0 0\n1 5 0 0\n0\n{names}4 c\n0\nB+\n0\nB-\n1\n0\n1\n");
    let models = |names: &str, arguments: &str| {
        spawn::run(spawn::words(&format!("0 --mode=clasp -q {arguments}")), &program(names)).stdout
    };
    for (names, count) in [
        ("2 _edge(x,y)\n3 _edge(y,x)\n", 6),
        ("2 _edge(1,1)\n", 4),
        ("2 _edge(1)\n", 8),
        ("2 _acyc_1_3_4\n3 _acyc_1_4_3\n", 6),
        ("2 _acyc_x_1_1\n", 8),
    ] {
        assert!(models(names, "--parse-ext").contains(&format!("Models       : {count}\n")), "{names}");
        assert!(models(names, "").contains("Models       : 8\n"), "{names}");
    }
    let first = |names: &str| {
        let run = spawn::words("1 --mode=clasp --parse-ext --heuristic=Domain -V0");
        spawn::run(run, &program(names)).stdout
    };
    assert!(first("5 _heuristic(c,true,3)\n").contains("c\n"));
    assert!(!first("5 _heuristic(c,false,3)\n").contains("c\n"));
}

#[test]
fn a_disjunct_that_is_compared_binds_nothing_in_other_disjuncts() {
    let given = "q(1). q(2). #show p/1.";
    let check = |rule: &str, expected: &[&str]| check(&format!("{rule} {given}"), "", expected);
    check("p(3) ; p(Y) : q(Y) ; 1 < 0 != Y.", &["p(1)", "p(2)", "p(3)"]);
    check("p(Y) : q(Y) ; 0 != Y.", &["p(1)", "p(2)"]);
    check("p(Y) : q(Y) ; not 0 = Y.", &["p(1)", "p(2)"]);
    check("p(3) ; p(Y) : q(Y) ; Y != 1 != 3.", &["p(1)", "p(2)", "p(3)"]);
    check("p(3) : q(Y) ; 5 != Y ; p(4).", &["p(3)", "p(4)"]);
    // What moves to the body binds the atoms that stand without a condition.
    check("p(Y) ; 1 != Y.", &["p(1)"]);
    check("p(Y) ; 1 != Y ; Y != 2 : q(3).", &["p(1)"]);
    check("p(Y) ; 1 != Y ; Y != 2 : q(2).", &[""]);
    check("p(Y) ; not 1 = Y < 3 ; p(5) : q(Y).", &["p(1)", "p(5)"]);
    for wrong in ["p(3) ; p(Y) : q(1) ; 1 != Y.", "p(3) ; 1 != Y ; not p(Y) : q(1).", "p(3) ; Y < 4."] {
        assert_eq!(answers(wrong, "").0, Some(65), "{wrong}");
    }
}

#[test]
fn an_objective_that_is_always_zero_is_told_where_clingo_tells_it() {
    let told = |program: &str| spawn::run(["0", "-V0", "-Wnone"], program).stdout.contains("OPTIMUM FOUND");
    // What an aggregate or conditional literal on its own cycle derives is no fact, and what it cannot derive possible.
    for program in [
        "dom(1). b :- #false : dom((Z,_)), not b. #minimize { 1 : not b }.",
        "#minimize { 1 : p(1) }. p(1) :- not #sum { 1 : ; 1 : r(Z,Z) } >= 1. r(1,1) :- not p(1).",
        "d :- #sum { 1 : r(W,_) } != 1. r(1,1) :- not 2 { not a : }. { q(1) } :- edge(1,1) : d. \
         #maximize { 1 : not r(1,1) }. a :- not q(1).",
        "#minimize { 1 : not c }. c :- not #count { 1 : not c } > 1.",
        // What only its own head stops.
        "{ a }. p(X) :- X = 1..2, not p(X), a. #maximize { 1 : p(X) }.",
    ] {
        assert!(told(program), "{program}");
    }
    for program in [
        "{ e } :- q(1). q(1) :- q(X); not q(1) : not not e. e :- not not q(1) : . #minimize { 1 : not not e }.",
        "d(1..3). p(X) :- d(X). p(2) :- M = #max { B : q(B) }. q(X) :- d(X), not p(X). #minimize { 2@1,X : q(X) }.",
    ] {
        assert!(!told(program), "{program}");
    }
}

#[test]
fn an_interval_whose_ends_are_no_integers_is_told_where_it_stands() {
    for (program, place) in [
        ("p(1..w).", "1:3"),
        ("q :- p(1..w). p(1).", "1:8"),
        ("p(X) :- X = 1..w.", "1:13"),
        ("x(2). p(X) :- x(X), X = 1..w.", "1:25"),
        ("{ p(X) : X = 1..w }.", "1:14"),
        ("x(a). p(1..X) :- x(X).", "1:9"),
        ("p(#inf..2).", "1:3"),
    ] {
        let messages = spawn::run(["0"], program).stderr;
        assert_eq!(messages.matches("info: interval undefined").count(), 1, "{program}: {messages}");
        assert!(messages.contains(&format!(":{place}\n")), "{program}: {messages}");
        assert_eq!(messages.contains("-c w="), program.contains('w'), "{program}: {messages}");
    }
    // The operation at the end is what has no value, and what is compared with an interval may be anything.
    for program in ["p(1..w+1).", "x(a). p(X) :- x(X), X = 1..3."] {
        assert!(!spawn::run(["0"], program).stderr.contains("interval undefined"), "{program}");
    }
}

#[test]
fn external_atoms_stay_external_in_recursion() {
    let given = "#external h. [true] #external g. [true]";
    check(&format!("a :- h, #count {{ 1 : a, h }} != 1. a :- g. {given}"), "", &["a g h"]);
    check(
        "n(1..2). { h(1,2) }. r(X) :- n(X), r(Y) : h(Y,X). #external r(3).",
        "",
        &["h(1,2) n(1) n(2) r(1) r(2)", "n(1) n(2) r(1) r(2)"],
    );
    // Clingo has four: there, six rules derive what is external. It has 74, too, with a choice in its place.
    let rules =
        "on(X) :- t(X), #sum { W,Y : on(Y), sw(Y,X), w(Y,W) } >= 0. t(1..3). w(1,-1). w(2,1). w(3,-2).";
    let external = answers(&format!("{rules} #external sw(X,Y) : t(X), t(Y), X != Y. [free]"), "");
    let choice = answers(&format!("{rules} {{ sw(X,Y) : t(X), t(Y), X != Y }}."), "");
    assert_eq!(external, choice);
    assert_eq!(external.1.len(), 74);
}

#[test]
fn an_atom_of_an_earlier_step_gets_no_rules() {
    let program = |step: &str| {
        format!(
            "#include <incmode>. {{ p(1) }}. #external e(2). #program step(t). {{ m(t) }}. {step} \
             #program check(t). :- query(t), t < 3."
        )
    };
    for step in ["p(t) :- t = 1, m(t).", "p(1) :- t = 2.", "e(2) :- m(t).", "{ p(t) : t = 1 }."] {
        let run = spawn::run(["0"], &program(step));
        assert_eq!(run.code, Some(65), "{step}");
        assert!(run.stderr.contains("redefinition of atom "), "{step}: {}", run.stderr);
        assert!(run.stderr.contains("rules of an earlier step derive it"), "{step}: {}", run.stderr);
    }
    // Known to be false by what the earlier step says.
    let known = "#include <incmode>. { q }. p :- q. :- q. #program step(t). { m(t) }. p :- t = 1, m(t). \
                 #program check(t). :- query(t), t < 1.";
    assert_eq!(answers(known, "").0, Some(30));
    // External, false from the start, without effect.
    for step in ["e(t) :- m(t).", "p(t+1) :- m(t).", "p(1) :- t = 1, p(1).", ":- not p(1), m(t)."] {
        assert_eq!(answers(&program(step), "").0, Some(30), "{step}");
    }
}

#[test]
fn a_shown_term_is_written_once() {
    let written = |program: &str, format: &str, end: &str| {
        let run = spawn::run(["--mode=gringo", format], program);
        run.stdout.lines().filter(|l| l.contains(end)).map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    for (program, term) in [
        ("{ c(1..2) }. #show f(X*Y) : c(X), c(Y).", "f(2)"),
        ("{ c(1..2) }. #show f((1;1)) : c(X).", "f(1)"),
        ("{ c(1..2) }. #show f(1) : c(X). #show f(1).", "f(1)"),
    ] {
        for format in ["--output=intermediate", "--output=smodels"] {
            let lines = written(program, format, term);
            assert_eq!(lines.len(), 1, "{program} {lines:?}");
        }
        // What is written has the same answer sets.
        let text = spawn::run(["--mode=gringo"], program).stdout;
        assert_eq!(answers(&text, ""), answers(program, ""), "{program}");
    }
    // What an earlier step shows is not shown again, and numbers stay small.
    let growing = "#include <incmode>. #const imax = 3. { a(0) }. #program step(t). { a(t) }. #show x : a(t). \
                   #minimize { 1,t : a(t) ; 3,x }. #program check(t). :- query(t), t < 2.";
    let text = spawn::run(["--mode=gringo"], growing).stdout;
    assert!(text.contains(" x "), "{text}");
    assert!(!text.contains("2147483647"), "{text}");
    let runs = spawn::run(["0", "-V0"], &text).stdout;
    assert!(!runs.contains("x x"), "{runs}");
}

#[test]
fn an_interval_ends_where_a_comparison_does() {
    let limit = "--time-limit=60";
    let four = ["b(1) b(2) b(3) b(4)"];
    for rule in [
        "b(X) :- X = 1..9223372036854775807, X < 5.",
        "b(X) :- X = 1..9223372036854775807, 4 >= X.",
        "b(X) :- X = -4611686018427387904..4, X > 0.",
        "b(X) :- X = 1..9223372036854775807, 2*X+1 < 10.",
        "b(X) :- X = 1..9223372036854775807, |X-2| <= 2.",
        "b(X) :- d(Y), X = 1..9223372036854775807, X < Y. d(5). d(3) :- c. #external c.",
    ] {
        let program = if rule.contains("d(Y)") { format!("{rule} #show b/1.") } else { rule.to_owned() };
        check(&program, limit, &four);
    }
    // Terms that are no integers lie above or below all integers.
    check("b(X) :- X = 1..3, X < a, X > #inf.", "", &["b(1) b(2) b(3)"]);
    check("b(X) :- X = 1..9223372036854775807, X > a.", limit, &[""]);
    check(
        "b(X) :- X = 9223372036854775806..9223372036854775807, X >= 9223372036854775807.",
        "",
        &["b(9223372036854775807)"],
    );
}

#[test]
fn what_a_sum_without_bounds_ignores_is_not_derived() {
    check("#sum { x : a }.", "", &[""]);
    check("#sum { : a }.", "", &["", "a"]);
    check("{ d }. #sum+ { x : a : d ; 0 : b : d }.", "", &["", "b d", "d"]);
    check("#sum { W : p(W) : q(W) }. q(f(1)). q(1). #show p/1.", "", &["", "p(1)"]);
    // Several elements without conditions are a plain choice.
    check("#sum { x : a ; 1 : b }.", "", &["", "a", "a b", "b"]);
    check("#count { x : a }. #min { x : b }.", "", &["", "a", "a b", "b"]);
}

/// Rules for external atoms, or for what their conditions read, keep the instances that gringo finds.
#[test]
fn rewritings_leave_external_atoms_external() {
    let half = "{s(K,1..60)} = 1 :- K=1..3. b :- s(1,S), s(2,T), s(3,U), 2*S+2*T+2*U=101. ";
    let projected = "n(1..100). {s(X):n(X)} 1. p :- s(A), s(B), A<B. ";
    for (program, expected) in [
        (format!("{projected} #external p. [true] #show p/0. :- s(_)."), ""),
        (format!("{projected} #external e : p. [true] #show e/0. :- s(_)."), "e"),
        (format!("{half} :- s(K,S), S > 1. #external b. [true] #show b/0."), "b"),
        (format!("{half} :- s(K,S), S > 1. #external e : b. [true] #show e/0."), ""),
    ] {
        check(&program, "", &[expected]);
    }
}

/// What was flipped under some assumptions says nothing under others.
#[test]
fn all_optimal_answer_sets_without_learning() {
    let program = "n(1..5). {a(I,J) : n(J)} = 1 :- n(I). r(1). r(J) :- r(I), a(I,J). :- n(J), not r(J).
        #minimize { I*J@2 : a(I,J), a(J,I) }. #maximize { |I-J|@1,I : a(I,J) }. #show a/2.";
    for options in
        ["", "--no-lookback", "--no-lookback --opt-strategy=usc", "--no-lookback --opt-strategy=bb"]
    {
        let run = spawn::run(spawn::words(&format!("0 -q --opt-mode=optN {options}")), program);
        assert!(run.stdout.contains("  Optimal    : 10\n"), "{options} {run:?}");
    }
}
