//! Questions about programs with constraints over integers.

use super::Place;

#[test]
fn questions_about_integers() {
    let place = Place::with(&[
        ("never.lp", "&dom { 0..3 } = x.\nc :- &sum { x } > 4.\nd :- not c.\n"),
        ("none.lp", "{ a }. :- not a.\n&dom { 0..3 } = x.\n&sum { x } > 2 :- a.\n&sum { x } < 2 :- a.\n"),
        ("least.lp", "&dom { 1..3 } = x. &dom { 1..3 } = y.\n&sum { x; y } >= 4.\n&minimize { 2*x; y }.\n"),
    ]);
    let hints = place.out(&["hint", "never.lp"], 0);
    assert!(
        hints.contains("d holds if not c") && hints.contains("One integer variable has several values."),
        "{hints}"
    );
    assert!(hints.contains("not &sum { x } > 4"), "{hints}");
    assert!(place.out(&["why", "d", "never.lp"], 0).starts_with("d holds in every answer set."));
    let why = place.out(&["why-unsat", "none.lp"], 0);
    assert!(why.contains("these 3 contradict each other") && why.contains("&sum { x } > 2"), "{why}");
    assert_eq!(
        place.out(&["cost", "least.lp"], 0),
        "Least cost: 5.\n\n5 at priority 0\n`- 5 by &minimize { 2*x; y }  [least.lp:3]\n   |- 3: y = 3\n   `- 2: x = 1\n"
    );
}

/// What constraints force is explained by these constraints, whether their variables have few values or many.
#[test]
fn constraints_that_force_an_atom_or_a_value() {
    for (most, sum, half) in [(3, 5, 2), (1000, 1500, 700)] {
        let program = format!(
            "&dom {{ 0..{most} }} = x.\n&dom {{ 0..{most} }} = y.\n&sum {{ x; y }} >= {sum}.\n&sum {{ y }} <= {half}.\n\
             a :- &sum {{ x }} >= {}.\nb :- &sum {{ x }} >= {most}.\n",
            sum - half
        );
        let place = Place::with(&[("t.lp", &program), ("y.lp", &format!("&sum {{ y }} >= {half}.\n"))]);
        for question in [&["why", "a", "t.lp"][..], &["why", &format!("y={half}"), "t.lp", "y.lp"]] {
            let why = place.out(question, 0);
            let named = format!("&sum {{ y }} <= {half} holds  [t.lp:4]");
            assert!(
                why.contains("in every answer set.")
                    && why.contains("none of them can be left out")
                    && why.contains(&named),
                "{why}"
            );
        }
        let not = place.out(&["why-not", &format!("x={}", sum - half - 1), "t.lp"], 0);
        assert!(not.contains("[t.lp:3]") && not.contains("[t.lp:4]"), "{not}");
    }
    let place = Place::with(&[(
        "t.lp",
        "&dom { 0..900 } = x.\nb :- &sum { x } >= 450.\nc. &sum { x } <= 800 :- c.\n",
    )]);
    let why = place.out(&["why", "b", "t.lp"], 0);
    assert!(why.contains("`- &sum { x } >= 450: x = "), "{why}");
    assert!(place.out(&["why", "x = 7", "t.lp"], 0).contains("x = 7: other values are possible, too"));
    let not = place.out(&["why-not", "x = 7", "t.lp"], 0);
    assert!(!not.contains("x = 7: other") && not.contains(": other values are possible, too"), "{not}");
    assert!(place.out(&["why", "z=7", "t.lp"], 3).contains("z = 7 is not the value of an integer variable"));
    assert!(place.out(&["why", "z<7", "t.lp"], 3).contains("z < 7 is not about an integer variable"));
    // Bounds, too.
    let why = place.out(&["why", "x<=800", "t.lp"], 0);
    assert!(why.starts_with("x <= 800 holds in every answer set.") && why.contains("[t.lp:3]"), "{why}");
    let not = place.out(&["why-not", "$x > 800", "t.lp"], 0);
    assert!(not.starts_with("x > 800 holds in no answer set.") && not.contains("[t.lp:3]"), "{not}");
    assert!(place.out(&["why", "x >= 450", "t.lp"], 0).contains("x >= 450: other values are possible, too"));
}

/// Answer sets are told with values as a run prints them.
#[test]
fn answer_sets_with_integers() {
    for most in [3, 1000] {
        let program = format!(
            "&dom {{ 0..3 }} = x. &dom {{ 0..{most} }} = f(1). &sum {{ x; f(1) }} = 2*x. a :- &sum {{ x }} > 2.\n"
        );
        let place = Place::with(&[("t.lp", &program), ("one.lp", "&sum { x } = 3.\n")]);
        assert_eq!(place.out(&["unique", "t.lp", "one.lp"], 0), "Unique.\na x=3 f(1)=3\n");
        let two = place.out(&["unique", "t.lp"], 1);
        assert!(two.contains("\nonly in the first:  ") && !two.contains("__csp"), "{two}");
        for ask in ["sample", "diverse"] {
            assert_eq!(place.out(&[ask, "t.lp", "one.lp"], 0), "Answer: 1\na x=3 f(1)=3\n");
        }
    }
    let grid = "r(1..2). &dom { 1..2 } = v(R,C) :- r(R), r(C). &distinct { v(R,C) : r(C) } :- r(R). &distinct { v(R,C) : r(R) } :- r(C).\n";
    let two = Place::with(&[("t.lp", grid)]).out(&["unique", "t.lp"], 1);
    assert!(two.contains("│ [1] [2] │") && two.contains("v(1,1)=1"), "{two}");
}

/// Variables with too many values for atoms are told by their values.
#[test]
fn integers_are_told_by_values() {
    let place = Place::with(&[
        (
            "wide.lp",
            "&dom { 3..50000; 60000..100000 } = x. &dom { 0..60000 } = y. &dom { 0..5 } = z. { a }.\n\
             &sum { y } = 7. &sum { z } <= 2 :- a. &sum { x; z } >= 50002.\n",
        ),
        ("cost.lp", "&minimize { 2*x; y; z }. #minimize { 7 : not a; 2 : a }.\n"),
        ("dom.lp", "&dom { 0..9 } = x. &dom { 0..5 } = y.\n&sum { x; y } > 20.\nb. &sum { z } > 3.\n"),
        (
            "tasks.lp",
            "task(a,3). task(b,4). task(c,5). horizon(11).\n\
             &dom { 0..H-D } = start(T) :- task(T,D), horizon(H).\n\
             &disjoint { start(T)@D : task(T,D) }.\n",
        ),
    ]);
    let marks = "z: 0..5\nx in 49997..50000 60000..100000\n\npossible: a\n";
    let marks = marks.replace("z: 0..5\n", "y: 7\nz: 0..5\n");
    assert_eq!(place.out(&["candidates", "wide.lp"], 0), marks);
    let brave = place.out(&["wide.lp", "--enum-mode=brave", "-q1"], 30);
    assert!(brave.contains("x=49997..100000 y=7 z=0 z=1"), "{brave}");
    let cautious = place.out(&["wide.lp", "--enum-mode=cautious", "-q1", "--outf=2"], 30);
    assert!(cautious.contains("__csp(y,7)") && !cautious.contains("__csp(x"), "{cautious}");
    let cost = place.out(&["cost", "wide.lp", "cost.lp"], 0);
    assert!(cost.contains("100000: x = 50000") && cost.contains("2: z = 2"), "{cost}");
    let hints = place.out(&["hint", "-n", "0", "wide.lp", "cost.lp"], 0);
    assert!(hints.contains("y = 7") && hints.contains("2 integer variables have"), "{hints}");
    let why = place.out(&["why-unsat", "dom.lp"], 0);
    assert!(why.contains("these 3 contradict each other") && !why.contains("z"), "{why}");
    let why = place.out(&["why-unsat", "tasks.lp"], 0);
    assert!(why.contains("this fact") && why.contains("&dom { 0..H-D } = start(a)"), "{why}");
    let why = place.out(&["why-cost", "wide.lp", "cost.lp"], 0);
    assert!(why.contains("if any one of them is given up"), "{why}");
}
