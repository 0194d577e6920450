//! Ordinary mistakes in programs: what `asp` says of them unasked, and what only `asp check` says.

use std::process::Command;

use crate::support::spawn::{Run, folder_with, run, run_in};

/// What `asp` and `asp check` say on standard error.
fn told(program: &str) -> [Run; 2] {
    [run(["-", "0"], program), run(["check", "-"], program)]
}

/// A mistake is told by its code and in these words, unless the code is switched off, and the answers stay.
#[track_caller]
pub(crate) fn loud(program: &str, code: &str, words: &str) {
    for run in told(program) {
        assert!(run.stderr.contains(&format!("[{code}]")), "{program}\n{}", run.stderr);
        assert!(run.stderr.contains(words), "{program}\n{}", run.stderr);
    }
    let off = run(["-", "0", &format!("-Wno-{code}")], program);
    assert!(!off.stderr.contains(words) && off.stdout.contains("Models"), "{program}\n{}", off.stderr);
}

/// `asp` is silent about it, and `asp check` tells.
#[track_caller]
pub(crate) fn quiet(program: &str, code: &str, words: &str) {
    let [run, check] = told(program);
    assert_eq!(run.stderr, "", "{program}");
    assert!(check.stderr.contains(&format!("[{code}]")), "{program}\n{}", check.stderr);
    assert!(check.stderr.contains(words), "{program}\n{}", check.stderr);
}

/// Nothing is said.
#[track_caller]
pub(crate) fn right(program: &str) {
    let [run, check] = told(program);
    assert_eq!(
        (run.stderr.as_str(), check.stderr.as_str()),
        ("", "0 errors, 0 warnings, 0 notes\n"),
        "{program}"
    );
}

#[test]
fn ends_of_statements() {
    let missing = "perhaps a `.` is missing here";
    loud("q(1..3)\n:- q(3).", "missing-period", missing);
    loud("q(1..3)\n{ p(X) : q(X) } = 1.", "missing-period", missing);
    loud("{ a(X) : b(X) }\n:- a(X), c(X).\nb(1). c(1).", "missing-period", missing);
    loud("b(1..2). c(2). a(X) :- b(X), X < 3\n-c(1).\n-c(1).", "missing-period", missing);
    right("edge(1,2).\npath(X,Y)\n:- edge(X,Y).\ngoal\n:- path(1,2).\n#show goal/0.");
    right("b(1).\n{ a(X) : b(X) }\n  :- b(1).");
    loud("cell(R,C) : R=1..3, C=1..3.", "head-condition", "perhaps `:-` is meant here");
    right("q(1). p(X) : q(X) :- q(1). r(X) : q(X) ; s.");
}

#[test]
fn terms_for_values() {
    let program = |rest: &str| format!("job(a;b). {{ start(J,0..3) }} = 1 :- job(J). {rest}");
    for (rest, words) in [
        (":- start(a) < start(b).", "did you mean `$start(a) < $start(b)`?"),
        (":- start(a) != start(b).", "terms are compared by their names and arguments"),
        (":- start(a)+3 <= start(b).", "terms cannot be computed with"),
        (":- start(J) > 3, job(J).", "each number is less than any such term"),
        (":- start(J) = 3, job(J).", "a number is never equal to such a term"),
        (":- job(J), not 2 < start(J).", "did you mean `2 < $start(J)`?"),
        ("{ v(R,C) = 1..9 } :- R = 1, C = 2.", "did you mean `v(R,C,1..9)`? a choice is made of atoms"),
    ] {
        loud(&program(rest), "term-compared", words);
    }
    right(&program("at(T,A) :- start(J,T), A = start(J)."));
    right(&program(":- $start(a) < $start(b). #const total = 3. total(total). :- total > 4."));
}

#[test]
fn terms_for_integer_variables() {
    let program = |rest: &str| {
        format!("&dom {{ 0..9 }} = start(a). &dom {{ 0..9 }} = start(b). &dom {{ 0..9 }} = x. {rest}")
    };
    for (rest, words) in [
        (":- start(a) < start(b).", "did you mean `&sum { start(a) } < start(b)`?"),
        (":- start(a) = start(b).", "terms are compared by their names and arguments"),
        ("start(a)+3 <= start(b).", "did you mean `&sum { start(a); 3 } <= start(b)`?"),
        (":- 3*x - start(a) > 7.", "did you mean `&sum { 3*x; -start(a) } > 7`?"),
        (":- x > 7.", "each number is less than any such term"),
        ("late(J) :- J = a, start(J) = 3.", "a number is never equal to such a term"),
    ] {
        loud(&program(rest), "term-compared", words);
    }
    loud(&program(":- $start(a) < 3."), "atom-undefined", "`&sum { start(...) } < 3` compares it");
    loud(&program(":- $x < 3."), "atom-undefined", "`&sum { x } < 3` compares it");
    right(&program(
        "of(a). p(T) :- of(A), T = start(A). v(x). q :- v(V), V != x. #const k = 3. &sum { x; k } > 4. :- k > 4.",
    ));
}

#[test]
fn values_that_never_meet() {
    for (program, words) in [
        (
            "node(1..3). edge(a,b). r(X) :- node(X), edge(X,_).",
            "`X` is a number in argument 1 of `node/1`, and a name",
        ),
        ("day(mon). off(\"mon\",ann). :- day(D), off(D,_).", "a name in argument 1 of `day/1`, and a string"),
        (
            "n(1..3). c(X,Y) :- n(X), n(Y). at((1,1)). :- n(X), at(X).",
            "a number in argument 1 of `n/1`, and a tuple",
        ),
        (
            "n(1..3). m(X+1) :- n(X). e(a). {s(X) : m(X), e(X)}.",
            "a number in argument 1 of `m/1`, and a name",
        ),
        (
            "n(1..3). e(f(a)). :- #count { X : n(X), e(X) } > 1.",
            "a number in argument 1 of `n/1`, and a function",
        ),
    ] {
        loud(program, "never-meets", words);
    }
    right("n(1..3). e(a). e(2). r(X) :- n(X), e(X).");
    right("n(1..3). e(X) :- X = (a;2). r(X) :- n(X), e(X).");
    right("n(1..3). #external e(X) : n(X). r(X) :- n(X), e(X). s(a). r(X) :- s(X).");
    right("n(1). e(-X) :- X = a. r(X) :- n(X), not e(X). f(X) :- e(X).");
    right("n(1..3). e(a). r(X) :- n(X), not e(X). s(X,Y) :- n(X), e(Y), X != Y.");
    right("n(1). #program step(t). n(a). #program base. e(a). r(X) :- n(X), e(X).");
    right(
        "succ(1,2). last(X) :- succ(_,X), not succ(X,_). name(1,a;2,b). p(N) :- last(X), name(X,N). q(N) :- p(N).",
    );
}

/// A literal that another literal's atom fits, too: constraints that forbid each atom where two were meant.
#[test]
fn literals_that_add_nothing() {
    for (program, words) in [
        ("e(1..2). { in(X,Y) : e(X), e(Y) }. :- in(X,Y), in(X,Z).", "forbids every such atom"),
        ("e(1..2). { in(X,Y) : e(X), e(Y) }. :- in(X,Y), in(X,_).", "forbids every such atom"),
        ("e(1..2). { q(X,Y) : e(X), e(Y) }. :- q(R,C), q(S,D), R-S = C-D.", "as in `R != S`"),
        ("e(1..2). { q(X,Y) : e(X), e(Y) }. :- q(R,C), q(S,D), |R-S| = |C-D|.", "as in `R != S`"),
        ("e(1..2). { q(X) : e(X) }. :- q(X), q(Y), X <= Y.", "forbids every such atom"),
        ("e(1..2). { at(X,Y) : e(X), e(Y) }. two(X) :- at(X,Y), at(X,Z), e(Y).", "this one adds nothing"),
    ] {
        loud(program, "redundant-literal", words);
    }
    let base = "e(1..2). { q(X,Y) : e(X), e(Y) }. ";
    for rule in [
        ":- q(X,Y), q(X,Z), Y < Z.",
        ":- q(X,Y), q(Y,X).",
        "r(X,Z) :- q(X,Y), q(Y,Z).",
        ":- q(X,Y), q(X,Z), not q(Y,Z).",
        ":- q(X,Y), q(X,Z), Y < Z, e(Y).",
        ":- q(X,Y), q(X,Z), |Y-Z| = 1.",
        ":- q(X,Y), q(X,Z), Y = Z+1.",
        ":- q(X,Y), q(X,Z), e(Y-Z).",
        ":- q(X,Y), q(X,Z), #count { W : q(W,Y), q(W,Z) } > 1.",
        ":- q(X,_), q(X,1).",
        "r(Y,Z) :- q(X,Y), q(X,Z).",
        ":~ q(X,Y), q(X,Z). [1,Y,Z]",
    ] {
        right(&format!("{base}{rule}"));
    }
}

/// What a script defines is not known to a check.
#[test]
fn scripts_that_are_not_run() {
    let script = "#script (python)\ndef f(x): return x\n#end.\np(@f(1)). q(X) :- p(X), r(X). ";
    let run = run(["check", "-"], script);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("a script is not run by a check"), "{}", run.stderr);
    assert!(run.stderr.ends_with("0 errors, 0 warnings, 1 note\n"), "{}", run.stderr);
}

#[test]
fn heads_without_readers() {
    let words = "nothing reads or shows `lonley/1`";
    quiet("q(1..3). lonley(X) :- q(X). #show q/1.", "unused-head", words);
    let program = "q(1..3). lonely(1). r :- lonely(1). lonley(X) :- q(X). #show q/1. #show r/0.";
    loud(program, "misspelt-head", "did you mean `lonely/1`?");
    loud("valu(3). value(2). big :- value(X), X > 2.", "misspelt-head", "did you mean `value/1`?");
    right("p(1..3). q(X) :- p(X). render_color(X,red) :- q(X). #show q/1.");
    right("edge(1,2). moved(1,2). move(X,Y) :- edge(X,Y). :- move(1,3). p1(1). p2(2). a :- p2(2).");
    right("reach(1). reached(X) :- reach(X).");
}

#[test]
fn atoms_that_never_hold() {
    loud(
        "c :- d. d :- c. a.",
        "unsupported",
        "`c/0`, `d/0` never hold: each rule for them needs one of them first",
    );
    loud("p(X) :- p(X). #show p/1.", "unsupported", "`p/1` never holds");
    right("e(1,2). p(1). p(Y) :- p(X), e(X,Y).");
    right("#external c. c :- d. d :- c.");
    right("a :- not b. b :- not a. c :- a, c2. c2 :- b. { d } :- a. #show c/0. #show d/0.");
    right(
        "#include <incmode>.\n#program base. at(0).\n#program step(t). at(t) :- at(t-1).\n#program check(t). :- query(t), not at(2).",
    );
}

#[test]
fn bounds_and_intervals() {
    loud("3 { a; b }.", "bounds-unmet", "at least 3 of 2 atoms never hold");
    loud("{ q(1..8) } = 9.", "bounds-unmet", "at least 9 of 8 atoms never hold");
    loud("{ a; b; c }. :- 3 { a; b } 2.", "bounds-unmet", "no number is at least 3 and at most 2");
    loud("p(5..1).", "empty-interval", "did you mean `1..5`?");
    right("#const n = 0. p(1..n). d(1). 3 { a(X) : d(X); b; c; e(1;2) }.");
    right("2 { a; b }. { q(1..8,1..8) } = 64. :- 3 { q(X,X) }.");
}

/// Names in data do not meet the program's constants.
#[test]
fn constants_and_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("edge.lp", "#const n = 3. size(n). seen(S,L,K) :- clue(S,L,K). #show seen/3. #show size/1.");
    write("edge.txt", "  1 2\n +---+\n1|. .|2\n2|. .|1\n +---+\n  2 1\n");
    let run = run_in(folder.path(), ["edge.lp", "--grid", "edge.txt", "-V0"], "");
    assert!(
        run.stdout.contains("size(2)") && run.stdout.contains("seen(\"n\",1,1)"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    assert!(!run.stdout.contains("seen(2,"), "{}", run.stdout);
    write("plain.lp", "seen(S,L,K) :- clue(S,L,K). #show seen/3.");
    let run = run_in(folder.path(), ["plain.lp", "--grid", "edge.txt", "-V0"], "");
    assert!(run.stdout.contains("seen(n,1,1)"), "{}{}", run.stdout, run.stderr);
    write("word.lp", "#const n = 4. at(R,C,L) :- letter(R,C,L). #show at/3.");
    write("word.txt", "o n\nn o\n");
    let run = run_in(folder.path(), ["word.lp", "--grid", "letter=word.txt", "-V0"], "");
    assert!(
        run.stdout.contains("at(1,2,\"n\")") && run.stdout.contains("at(1,1,o)"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    write("t.csv", "who,where,day\nann,n,1\nbob,s,2\n");
    let run = run_in(folder.path(), ["word.lp", "--csv", "letter=t.csv", "--csv-header=yes", "-V0"], "");
    assert!(run.stderr.contains("[constant-in-data]") && run.stderr.contains("t.csv:2:"), "{}", run.stderr);
    let run = run_in(folder.path(), ["word.lp", "-", "-V0"], "letter(1,1,n).");
    assert!(!run.stderr.contains("constant-in-data"), "{}", run.stderr);
}

#[test]
fn a_theory_of_the_program_s_own() {
    let theory = "#theory dl { t { - : 1, binary, left }; &diff/0 : t, {<=}, t, any }. &diff { a-b } <= 3.";
    loud(theory, "own-theory", "`&diff` constrains nothing");
    right("&diff { a-b } <= 3. &dom { 1..3 } = a. &dom { 1..3 } = b.");
    // What others solve is only written down.
    assert_eq!(run(["-", "--mode=gringo"], theory).stderr, "");
}

#[test]
fn walks_that_never_end() {
    let endless = |program: &str| {
        let check = run(["check", "-"], program);
        assert!(check.stderr.contains("grounding may not end [termination]"), "{program}\n{}", check.stderr);
    };
    endless("e(a,b). e(b,a). path(X,Y,1) :- e(X,Y). path(X,Z,N+1) :- path(X,Y,N), e(Y,Z).");
    endless("opp(l,r). opp(r,l). at(r,0). at(S,T+1) :- at(R,T), opp(R,S).");
    endless("num(0). num(N) :- num(N-1).");
    right("e(a,b). e(b,c). path(X,Y,1) :- e(X,Y). path(X,Z,N+1) :- path(X,Y,N), e(Y,Z).");
    right("e(a,b). e(b,a). path(X,Y,1) :- e(X,Y). path(X,Z,N+1) :- path(X,Y,N), e(Y,Z), Z != X.");
    right("num(9). num(N) :- num(N+1), N > 0.");
    let list = "list(cons(1,cons(2,nil))). sub(L) :- list(L). sub(T) :- sub(cons(_,T)). len(nil,0).";
    right(&format!("{list} len(L,N+1) :- sub(L), L = cons(_,T), len(T,N)."));
    endless(&format!("{list} len(L,N+1) :- sub(L), L = cons(_,_), len(_,N)."));
}

#[test]
fn every_code_has_a_page_whose_example_shows_it() {
    let listed = run(["explain"], "").stdout;
    let codes: Vec<&str> = listed.lines().filter_map(|l| l.trim_start().split(' ').next()).collect();
    let codes: Vec<&str> = codes.into_iter().filter(|c| c.contains('-') || *c == "termination").collect();
    assert!(codes.len() > 15, "{listed}");
    for code in codes {
        let page = run(["explain", code], "");
        assert!(page.code == Some(0) && page.stdout.starts_with(code), "{code}: {}", page.stderr);
        let Some(example) = page.stdout.split("```asp\n").nth(1) else { continue };
        let example = example.split("```").next().expect("a block");
        let told = run(["check", "-"], example).stderr;
        assert!(told.contains(&format!("[{code}]")), "{code}: {told}");
    }
    let wrong = run(["explain", "atom-undefind"], "");
    assert!(
        wrong.code == Some(1) && wrong.stderr.contains("did you mean `atom-undefined`?"),
        "{}",
        wrong.stderr
    );
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/warnings.md");
    let page = include_str!("../../crates/cli/src/messages.md");
    if crate::support::update::is_wanted() {
        std::fs::write(docs, page).expect("the page");
    }
    assert!(std::fs::read_to_string(docs).is_ok_and(|text| text == page), "remake it with ASP_UPDATE=1");
}

/// What cannot be read or grounded is told with what to write.
#[test]
fn words_of_errors() {
    for (program, words) in [
        ("color(Red). item(red).", "the constant is written `red`"),
        ("#cosnt n = 3. p(n).", "did you mean `#const`?"),
        ("#hide. p(1).", "`#show p/2.` shows the atoms"),
        ("a. c. b :- a, no c.", "default negation is written `not`"),
        ("a. c. b :- a, if c.", "separated by `,`"),
        ("p(1). s(X) :- X = #sum{ X ; p(X) }.", "an element has terms, a colon and a condition"),
        ("p(1). s(X) :- X = #avg{ Y : p(Y) }.", "an average is a sum over a count"),
        ("p(1). #show p(X).", "`#show p/1.`"),
        ("p(1). q(1). #show p/1, q/1.", "`#show p/1. #show q/1.`"),
        ("q(1). 1 { p(X) : q(X) } 1 : q(Y).", "perhaps `:-` is meant here"),
    ] {
        let run = run(["-", "0"], program);
        assert!(run.code == Some(65) && run.stderr.contains(words), "{program}\n{}", run.stderr);
    }
    loud("p(1), q(2).", "head-conjunction", "one of them holds");
    loud("p(1&3), q(2).", "head-conjunction", "one of them holds");
    let run = run(["-", "0"], "edge(1,2). r(X) :- egde(X,_).");
    assert!(
        run.stderr.starts_with("warning: atom does not occur in any rule head: `egde/2`"),
        "{}",
        run.stderr
    );
}

#[test]
fn names_beside_others() {
    let program = "item(tent;rope). { pack(I) } :- item(I). :- pack(tent), not pack(rop).";
    loud(program, "misspelt-constant", "did you mean `rope`?");
    right("dir(north). door(1,south). open(X) :- door(X,north). sunny :- door(_,dawn). p(c1). q :- p(c2).");
    right("day(mon). free(tue). day(D) :- free(D). rest :- day(tue).");
    let run = run(["-", "0"], "total(3). t(X) :- total(X). #show totl/1. #show t/1.");
    assert!(run.stderr.contains("did you mean `total/1`?"), "{}", run.stderr);
    loud(
        "room(r1;50). room(r2,100). big(R) :- room(R,N), N > 60.",
        "misspelt-head",
        "did you mean `room/2`?",
    );
}

/// Short names, and names with and without arguments, are not held to be slips of each other.
#[test]
fn names_of_their_own() {
    for program in [
        "m(1,2). in(2). win(X) :- m(X,_). big :- in(X), X > 1. #show big/0.",
        "a. b(1). b. c :- a, b. #show c/0.",
    ] {
        assert_eq!(run(["-", "0"], program).stderr, "", "{program}");
    }
    loud("m(1,2). in(2). ni(1). big :- in(X), m(X,_). #show big/0.", "misspelt-head", "did you mean `in/1`?");
}

/// No program of the library with any of its instances is told a mistake.
#[test]
fn the_library_hears_nothing() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(root.join("instances")).expect("instances");
    let mut heard = 0;
    for file in files {
        let file = file.expect("a file").path();
        let text = std::fs::read_to_string(&file).expect("an instance");
        let title = text.lines().next().unwrap_or_default();
        let Some((_, programs)) = title.split_once("(use with ") else { continue };
        for program in programs.trim_end_matches(')').split([',', ' ']).filter(|w| w.ends_with(".lp")) {
            let program = root.join("programs").join(program);
            // Without a search it would not know when to end.
            if std::fs::read_to_string(&program).is_ok_and(|text| text.contains("incmode")) {
                continue;
            }
            let (program, file) = (program.to_str().expect("a name"), file.to_str().expect("a name"));
            let told = run(["--mode=gringo", program, file], "").stderr;
            let told: Vec<&str> = told.lines().filter(|l| l.starts_with("warning")).collect();
            assert!(told.iter().all(|l| l.ends_with("[termination]")), "{file}: {told:?}");
            heard += 1;
        }
    }
    assert!(heard > 100, "only {heard}");
}

#[test]
fn bounds_and_weights() {
    loud("{ p(1..3) }. :- #count { X : p(X) } > n.", "term-compared", "`n` is a constant without a value");
    loud("{ p(1..3) } n.", "term-compared", "set it, `#const n = 3.`");
    right("#const n = 2. { p(1..3) } n.");
    loud("{ p(1..3) }. #minimize { 1 : p(X) }.", "weight-once", "as in `weight,X`");
    loud("{ p(1..3) }. :~ p(X). [1]", "weight-once", "if once is meant, write `_`");
    right("{ p(1..3) }. :~ p(_). [1]\n#minimize { 1,X : p(X) }. #minimize { X : p(X) }.");
    let run = run(["-", "0"], "c(1). on :- c(X), { p(A) : c(A) } \\ 2 = 1.");
    assert!(run.stderr.contains("an aggregate is given to a variable first"), "{}", run.stderr);
}

#[test]
fn names_in_facts() {
    let cities = "city(berlin;paris;rome;madrid). { go(X,Y) : road(X,Y) } = 1 :- city(X). { go(X,Y) : road(X,Y) } = 1 :- city(Y).";
    let roads = |last: &str| {
        format!("{cities} road(berlin,paris). road(paris,rome). road(rome,{last}). road(madrid,berlin).")
    };
    loud(&roads("madrd"), "misspelt-constant", "no atom of `city/1` has `madrd` as argument 1");
    loud(&roads("madrd"), "misspelt-constant", "did you mean `madrid`?");
    right(&roads("madrid"));
    // Numbered names, names of their own, and several others that are elsewhere.
    right(
        "task(task1;task2;task3). needs(task1,task2). needs(task2,task4). { early(X) } :- task(X), needs(_,X).",
    );
    right("city(rome;madrid;bonn). at(rome). at(madrid). at(lisbon). { good(X) } :- city(X), at(X).");
    right("city(rome;madrid;bonn). at(rome). at(madrd). at(bon). { good(X) } :- city(X), at(X).");
    // A string beside names.
    let teachers = "day(1..5). { lesson(D,T) : teacher(T) } = 1 :- day(D). teacher(smith). teacher(\"jones\"). :- lesson(D,T), unavailable(T,D).";
    loud(&format!("{teachers} unavailable(jones,3)."), "misspelt-constant", "did you mean `\"jones\"`?");
    let works = "day(mon;tue;wed). person(ann;bob). { works(P,D) : day(D) } = 1 :- person(P). :- works(P,D), absent(P,D).";
    loud(&format!("{works} absent(bob,tues)."), "misspelt-constant", "did you mean `tue`?");
    let pool = "person(ann;bob). day(1..4). { works(P,D) : day(D) } 2 :- person(P). :- works(P,D), off(P,D). off(bob,2).";
    loud(
        &format!("{pool} off(ann,3;4)."),
        "misspelt-head",
        "for two atoms of `off/2`, write the pool in parentheses",
    );
}

#[test]
fn weights_that_merge() {
    let roster = "person(ann;bob;cid). shift(1..3). { does(P,S) : person(P) } = 1 :- shift(S).";
    let costs = "cost(ann,3). cost(bob,2). cost(cid,2).";
    let program = |rest: &str| format!("{roster} {costs} {rest}");
    let words = "equal weights count once, whatever `P` is";
    loud(&program(":~ does(P,S), cost(P,C). [C]"), "weight-once", words);
    loud(&program("#minimize { C@2 : does(P,S), cost(P,C) }."), "weight-once", words);
    right(&program(":~ does(P,S), cost(P,C). [C,P,S]"));
    right(&program(":~ does(_,_), cost(_,C). [C]"));
    // No two instances cost the same.
    quiet(
        "cost(ann,3). cost(bob,2). { in(P) : cost(P,_) } = 1. :~ in(P), cost(P,C). [C]",
        "tuple-collapse",
        words,
    );
}

/// Ten programs with five mistakes each, as people make them who have read one page of a guide; none is passed over.
#[test]
fn fifty_mistakes() {
    let text = include_str!("../golden/mistakes.txt");
    let mut wrong = Vec::new();
    let mut programs = std::collections::BTreeMap::<&str, u32>::new();
    for case in text.split("%%% ").skip(1) {
        let (title, program) = case.split_once('\n').expect("a title");
        let (name, words) = title.split_once(" | ").expect("words");
        *programs.entry(name).or_default() += 1;
        let told = run(["check", "-"], program).stderr;
        if !told.contains(words) {
            wrong.push(format!("{title}\n{program}\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(programs.len() == 10 && programs.values().all(|&n| n == 5), "{programs:?}");
}

/// What never holds and is written by who knows another language.
#[test]
fn bodies_that_never_hold() {
    let given = "start(a,1). takes(a,2). ";
    loud(&format!("{given}end(T,S) :- start(T,S), takes(T,D), S = S+D."), "never-holds", "has one value");
    loud(
        &format!("{given}end(T) = S :- start(T,S), S = 1. late(T) :- takes(T,_), end(T) = 3."),
        "never-holds",
        "an atom says it: `end(T,3)`",
    );
    loud("p(1..3). { q(X) : p(X) }. r :- q(X), not q(X).", "never-holds", "to hold and not to hold");
    loud("p(1..3). r(X) :- p(X), X != X.", "never-holds", "never different from itself");
    loud("p(1..3). r(X) :- p(X), X > limit.", "term-compared", "set it, `#const limit = 3.`");
    loud("p(1..3). r(X) :- p(X), X\\2 = one.", "term-compared", "`one` is a constant without a value");
    loud("p(1..3). r(X,N) :- p(X), N = 1-3.", "interval-dash", "an interval is written `1..3`");
    loud("person(anna-maria-2).", "hyphenated-name", "write `anna_maria_2` or `\"anna-maria-2\"`");
    loud(
        "p(1..3). r(X,Y) :- p(X), p(Y), abs(X-Y) = 1.",
        "no-function",
        "the absolute value is written `|X|`",
    );
    loud("node(1..3). big(x) :- node(x).", "misspelt-constant", "did you mean `X`?");
    let wish = "wish(\"ann\",\"red\"). wish(\"bob\",\"blue\"). ";
    loud(
        &format!("{wish}x(X) :- wish(X,red). y(X) :- wish(X,red)."),
        "misspelt-constant",
        "did you mean `\"red\"`?",
    );
    loud("p(ann;bob). q :- p(\"ann\").", "misspelt-constant", "did you mean `ann`?");
    loud(
        "person(\"ann\";\"bob\"). { sits(P,1..2) } = 1 :- person(P). :- sits(ann,1).",
        "misspelt-constant",
        "did you mean `\"ann\"`?",
    );
    quiet(
        "bird(tux). {young(X)} :- bird(X). flies(X) :- young(X), not flies(X).",
        "self-denial",
        "denies its own head",
    );
    // The rule as it is written has its variables twice and more.
    let [_, check] = told("person(a). liar(P) :- person(P), not liar(P).");
    assert!(check.stderr.contains("0 warnings, 2 notes"), "{}", check.stderr);
    right("p(1..3). q(X) :- p(X), Y = X+1, p(Y), X = Y-1. r(N) :- N = 5-3. a :- t(1), not t(2). t(1).");
    right("abs(1,1). s(Y) :- abs(1,Y). t(f(X)) :- s(X). u :- t(Z), Z = f(1), p(x). p(x). p(1).");
    right("item(a;b). v(T) :- item(T), f(T) = f(a). w(X) :- item(X), not v(X).");
    right(
        "item(a;b;c). first(X) :- item(X), X < c. pair(X,Y) :- item(X), item(Y), X < Y. late(X) :- first(X), X >= b.",
    );
}

/// A table or a grid among the programs is told, with the option that reads it.
#[test]
fn data_among_programs() {
    let files = [
        ("r.lp", "a :- p(X)."),
        ("people.csv", "who,age\nann,3\n"),
        ("grid.txt", "9 . . .\n. . 2 .\n"),
        ("p.json", "[[1]]"),
    ];
    let dir = folder_with(&files);
    for (file, option) in [
        ("people.csv", "`--csv people=people.csv` reads it"),
        ("grid.txt", "`--grid grid.txt` reads it"),
        ("p.json", "`--json p=p.json` reads it"),
    ] {
        let run = run_in(dir.path(), ["r.lp", file], "");
        assert!(run.stderr.contains(option), "{run:?}");
        assert_eq!(run.code, Some(65));
    }
}

/// A name on a new line behind braces is read as their bound.
#[test]
fn bounds_on_a_line_of_their_own() {
    loud("item(1..3).\n{ take(X) : item(X) }\nmore(1).", "missing-period", "perhaps a `.` is missing here");
    loud(
        "item(1..3). n(N) :- N = #count { X : item(X) }\nitem(5).",
        "missing-period",
        "a bound of the braces",
    );
}

/// In a grid with a name, letters are names, whether or not there are empty cells.
#[test]
fn letters_of_named_grids_are_names() {
    let dir = folder_with(&[
        ("g.lp", "q :- g(_,_,_). #show g/3."),
        ("gaps.txt", "a b .\nb . n\n. n a\n"),
        ("hex.txt", "1 a .\n"),
    ]);
    let shown = |grid: &str| run_in(dir.path(), ["g.lp", "--grid", grid, "-V0"], "").stdout;
    let gaps = shown("g=gaps.txt");
    assert!(gaps.starts_with("g(1,1,a) g(1,2,b) g(2,1,b) g(2,3,n) g(3,2,n) g(3,3,a)\n"), "{gaps}");
    assert!(shown("g=hex.txt").starts_with("g(1,1,1) g(1,2,10)\n"));
}

/// A constant of the command line is told in the words of the command line.
#[test]
fn constants_of_the_command_line() {
    for (definition, words) in [
        ("n", "expected NAME=TERM, as in 'n=8'"),
        ("n=", "expected NAME=TERM"),
        ("N=8", "a constant has a name in small letters"),
        ("n=3.5", "numbers are integers"),
    ] {
        let run = run(["-", "-c", definition], "p(n).");
        assert!(run.stderr.contains(words) && run.code == Some(1), "{run:?}");
    }
    for (definition, shown) in
        [("n=-3", "p(-3)"), ("n=f(1,\"a=b.c\")", "p(f(1,\"a=b.c\"))"), ("_n'=2", "p(n)")]
    {
        assert!(run(["-", "-V0", "-c", definition], "p(n).").stdout.starts_with(shown));
    }
}

/// What means something else to who knows Prolog, Python or SQL.
#[test]
fn habits_of_other_languages() {
    let given = "p(1..5). s(1..3). m(a;b). ";
    for (rest, code, words) in [
        ("q(X) :- p(X), X = 1 ; X = 2.", "never-holds", "mean \"and\" in a body"),
        (":- p(X), X < 1, X > 3.", "never-holds", "`X` has no value"),
        (":- p(X), 4 < X, X = 4.", "never-holds", "`X` has no value"),
        ("q(X) :- p(X), X != (1;2).", "always-holds", "write `X != 1, X != 2`"),
        ("q(X) :- m(X), not X = (a;b).", "always-holds", "write `X != a, X != b`"),
        ("1 { at(X,S) } 1 :- m(X), s(S).", "choice-of-one", "`{ at(X,S) : ... }`"),
        ("{ q(X) } = 1 :- p(X).", "choice-of-one", "it holds always"),
        ("{ at(X,S) } 1 :- m(X), s(S).", "choice-of-one", "of which there are never more"),
        ("{ at(X,S) : s(S) } = 1 :- m(X), s(S).", "choice-of-one", "leave the condition out of the body"),
        ("day(1-7).", "interval-dash", "an interval is written `1..7`"),
        ("sq(X,X^2) :- p(X).", "no-function", "a power is written `X**2`"),
        ("guest('ann').", "quoted-name", "write `ann` or `\"ann\"`"),
    ] {
        loud(&format!("{given}{rest}"), code, words);
    }
    loud("seat(1..6). n = 6.", "never-holds", "a constant is defined by `#const n = 6.`");
    let at = "at(f,1). at(g,1). { free(S) : at(_,S) }. ";
    loud(&format!("{at}:- free(S), at(f,S), -at(g,S)."), "atom-undefined", "is written `not at`");
    right(&format!("{given}{{ at(X,S) : s(S) }} = 1 :- m(X). {{ q(X) }} :- p(X). a :- p(X), X > 1, X < 3."));
    right(&format!(
        "{given}#const n = 2. {{ q(X) }} n :- p(X). {{ r(X,1..3) }} = 1 :- p(X). {{ t(X,Y) : s(Y) }} 1 :- p(X)."
    ));
    right("p(x'). q(X) :- p(X), X != (1;1). d(5-2). b(X^Y) :- c(X,Y). c(1,2). e(X) :- b(X), X != 1, X != 2.");
    right(
        "a(1..3). v(X,Y) :- a(X), a(Y), X != Y, X = 1. w(X) :- a(X), X >= 2, X <= 2. n = n. -at(1). :- -at(1), a(7).",
    );
    for (program, words) in [
        ("p(1..3). q(X) :- p(X), X /= 2.", "\"not equal\" is written `!=`"),
        ("a. b. q :- (a, not b).", "a body has no parentheses"),
        ("p(1..3). q(X) :- p(X), (X = 1 ; X = 2).", "a body has no parentheses"),
        ("let x = 3.", "`#const n = 3.`"),
        ("p(1) \\/ p(2).", "are separated by `;`"),
        ("q :- p(1) /\\ p(2). p(1..2).", "are separated by `,`"),
        ("p(1..4). q(Y) :- p(X), Y = X//2, Y > 0.", "perhaps `/` is meant here"),
        ("at(1,2). last(M) :- M = #max { at(_,S) : S }.", "terms stand before the colon"),
        ("#define limit 15.", "a constant is defined by `#const name = 3.`"),
        ("p(1..2). #maximum { X : p(X) }.", "did you mean `#maximize`?"),
        ("p(1). a. q(X) :- p(X) and a.", "separated by `,`"),
        ("a. b. q :- a or b.", "write a rule for each"),
        ("a. q :- !a.", "default negation is written `not`"),
        ("p(1..2). #minimize [ X : p(X) ].", "the elements go in braces"),
        ("p(1..2). q(X) :- p(X), X =< 1.", "\"at most\" is written `<=`"),
    ] {
        let run = run(["-", "0"], program);
        assert!(run.code == Some(65) && run.stderr.contains(words), "{program}\n{}", run.stderr);
    }
}

/// A term is shown whether or not an atom that is written like it holds.
#[test]
fn terms_that_are_shown_always() {
    for run in told("{ p(1..2) }. #show p(1).") {
        assert!(run.stderr.contains("`#show. #show p(1) : p(1).` this one"), "{}", run.stderr);
    }
    right("{ p(1..2) }. #show. #show p(1) : p(1). #show q(1). #show p(X,X) : p(X).");
}

/// Repairs keep what the text says: data stay, and `_` is not written where each value counts.
#[test]
fn repairs_keep_the_meaning() {
    let program = "d(1..2).\n&dom { 0..4 } = v.\n&sum { v : d(Y) } = 4.\n&minimize { v : d(Y) }.\n";
    let dir = folder_with(&[("v.lp", program), ("r.lp", "a."), ("nurse.csv", "name,max\nann,4\n")]);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).expect("the file");
    run_in(dir.path(), ["lint", "--fix", "v.lp"], "");
    assert_eq!(read("v.lp"), program);
    assert!(!run_in(dir.path(), ["check", "v.lp"], "").stderr.contains("singleton"));
    let check = run_in(dir.path(), ["check", "--fix", "r.lp", "nurse.csv"], "");
    assert_eq!(read("nurse.csv"), "name,max\nann,4\n");
    assert!(check.stderr.contains("`--csv nurse=nurse.csv` reads it as data"), "{}", check.stderr);
}

/// What is swapped, said of the wrong variables, or a term where an atom is meant.
#[test]
fn arguments_and_terms() {
    let swapped = "swapped-arguments";
    for (program, words) in [
        (
            "exam(math;phys). student(ann,math). student(ann,phys). slot(1..2).
             { at(E,S) : slot(S) } = 1 :- exam(E). :- at(E,S), at(F,S), student(E,P), student(F,P), E < F.",
            "did you mean `student(P,E)`?",
        ),
        ("skill(ann,a). skill(bob,b). run(a;b). { lead(X,P) : skill(P,X) } = 1 :- run(P).", "`skill(X,P)`?"),
        (
            "g(ann;bob). c(1..2). { sits(G,C) : c(C) } = 1 :- g(G). sits(1,ann).",
            "did you mean `sits(ann,1)`?",
        ),
    ] {
        loud(program, swapped, words);
    }
    right("edge(1,2). edge(2,3). last(3). r(X) :- last(X), edge(X,_). s(X) :- r(X).");
    right("edge(a,b). last(b). r(X) :- last(X), edge(X,_). s(X) :- r(X).");
    // Nobody has said what is on either side, or there is no second step.
    right("parent(ann,bob). parent(ann,cy). anc(X,Y) :- parent(X,Y). anc(X,Z) :- parent(X,Y), anc(Y,Z).");
    right("sib(ann,bob). parent(eve,ann). person(ann;bob;eve). uncle(X,Z) :- sib(X,Y), parent(Y,Z).");
    right("edge(1,a). edge(2,b). reach(X,Y) :- edge(X,Y). reach(X,Z) :- reach(X,Y), edge(Y,Z).");
    right("leaf(b;c). edge(a,b). edge(a,c). way(X,Y) :- edge(X,Y). way(X,Z) :- edge(X,Y), way(Y,Z).");
    right("male(bob). female(ann). :- male(X), female(X).");
    right("pos(1,ann). pos(2,bob). pos(out,eve). r(X) :- pos(X,_).");
    loud(
        "f(ann;eve). sib(ann,bob). parent(bob,eve). aunt(A,X) :- f(A), sib(A,parent(_,X)). #show aunt/2.",
        "never-meets",
        "atoms do not stand in each other",
    );
    loud("e(a,b). r(X,Y) :- e(X,Y). r(X,Z) :- e(X,_), r(X,Z). #show r/2.", "head-in-body", "derives nothing");
    loud("{ q(1..5) }. :- q(X), q(Y), q(Z), X != Y != Z.", "unequal-chain", "`X` and `Z` are not compared");
    right("{ q(1..5) }. :- q(X), q(Y), q(Z), X != Y != Z, X != Z.");
    right("{ q(1..5) }. :- q(X), q(Y), q(Z), X != Y != Z, X < Z < 9.");
    // Of a pool, each is an atom of its own.
    right("{ q(1;2) }. q(1;2) :- q(1;2).");
    right("p(1..3). { q(X) : p(X) }. X != 1..2 :- q(X), p(X+3).");
    right("at(1,2). col(1..2). :- #count { row(R) : at(R,_) ; col(C) : at(_,C) } > 9.");
    right("cell(1,1). cell(1,2). :- cell(X,Y), cell(A,B), cell(X,Y) != cell(A,B), X > A.");
    let facts = "p(1..3). { q(X) : p(X) }. w(1,5). w(2,6).";
    let same = "the objective is the same in each answer set";
    loud(&format!("{facts} #maximize {{ W,X : w(X,W) }}. :- q(1)."), "constant-objective", same);
    right(&format!("{facts} #maximize {{ W,X : w(X,W), q(X) }}."));
    right("w(1,5). w(2,6). #minimize { W,X : w(X,W) }.");
    let costs = "cost(l1,4). cost(l2,5). cost(l3,9). cost(l4,1). cost(l5,7). cost(16,2). r(L) :- cost(L,_).";
    loud(costs, "odd-cell", "16 is a number, and all other facts have names");
    right(&costs.replace("cost(l1,4)", "cost(11,4)"));
    right(
        "set(color,red). set(size,55). set(shape,round). set(finish,matte). set(grade,fine). set(from,us). r(V) :- set(_,V).",
    );
    let matches = "team(a;b). round(1..2). { plays(T,R) : round(R) } :- team(T).";
    loud(
        &format!("{matches} :- team(T), round(R), not plays(R,T), R > 5."),
        "never-meets",
        "did you mean `not plays(T,R)`?",
    );
    right(&format!("{matches} :- team(T), round(R), not plays(T,R), R > 5."));
    // The distance of the source is known, and weights that are chosen count once.
    right(
        "node(s;a;b;c). edge(s,a,2). edge(a,b,3). edge(b,c,1). &dom { 0..20 } = dist(X) :- node(X), X != s.
        &sum { dist(s) } = 0. &sum { dist(Y); -dist(X) } >= W :- edge(X,Y,W).",
    );
    right("n(1..3). { col(N,1..3) } = 1 :- n(N). :- #sum { C : col(_,C) } > 4.");
    right("n(1..3). blocked(none). { q(X) : n(X), not blocked(X) }.");
    let people = "d(tim,ann). d(eve,tim). { sit(tim;ann;eve) }.";
    loud(&format!("{people} :- d(tim,Ann), sit(tim)."), "capital-name", "the constant is written `ann`");
    right(&format!("{people} :- d(tim,Ann), sit(Ann). :- d(tim,_Ann), sit(eve). :- d(tim,_), sit(tim)."));
    let [_, check] = told("#const end=5. edge(1,2). has(Start) :- edge(Start,End). #show has/1.");
    assert!(!check.stderr.contains("capital-name"), "{}", check.stderr);
    // Nothing asks for what costs.
    let taken = "w(1,5). w(2,6). { q(X) : w(X,_) }. #minimize { W,X : w(X,W), q(X) }.";
    let nothing = "the best answer set chooses nothing: no rule asks for atoms of `q/1`";
    loud(taken, "idle-objective", nothing);
    loud(
        &format!("{taken} r(X) :- q(X). :- r(1), q(2). :- #sum {{ W,X : w(X,W), q(X) }} > 9."),
        "idle-objective",
        nothing,
    );
    for asked in [
        ":- not q(1).",
        "r :- q(_). :- not r.",
        ":- { q(1); q(2) } < 1.",
        ":- #sum { W,X : w(X,W), q(X) } != 6.",
        "1 { s(X) : w(X,_) }. q(X) :- s(X).",
        ":- r(X) : w(X,_). r(X) :- w(X,_), not q(X).",
    ] {
        right(&format!("{taken} {asked}"));
    }
    right(&taken.replace("minimize { W", "minimize { 4-W"));
    right(&taken.replace("minimize", "maximize"));
    right("w(a,-5). w(b,2). c(a,1). c(b,3). limit(-2). { t(X) : w(X,_) }. :- #sum { W,X : t(X), w(X,W) } > L, limit(L).
        #minimize { C,X : t(X), c(X,C) }.");
    loud(&format!("{{ extra(1..2) }}. {taken} :- extra(1), q(1)."), "idle-objective", nothing);
    for program in ["p(1..3). { q(X) : p(X) } = 7.", "n(1..3). { p(X) : n(X) }. :- #count { X : n(X) } > 2."]
    {
        loud(program, "leaves-none", "this is violated whatever is chosen");
    }
    right("{ p(1..3) }. :- not p(1). :- p(1).");
    loud("age(a,\"30\"). age(b,25). old(X) :- age(X,A), A > 26.", "odd-cell", "did you mean `30`?");
    right("age(a,\"x\"). age(b,25). old(X) :- age(X,A), A > 26.");
    loud("&dom { 0-20 } = x.", "interval-dash", "an interval is written `0..20`");
    right("&dom { -3..4 } = x.");
    let counted = "to count what holds, write `{ p(X) : p(X), n(X) }`";
    loud("n(1..3). { p(X) : n(X) }. :- #count { p(X) : n(X) } > 2.", "term-compared", counted);
    loud("{ q(1..6) }. :- q(X), X != 1..4.", "always-holds", "write `not 1 <= X <= 4`");
    loud("n(1..3). { p(X) : n(X) } = 1..2.", "bounds-unmet", "write `1 { ... } 2`");
    loud(
        "e(1,2). n(1..2). c(r;g). { col(N,C) : c(C) } = 1 :- n(N). col(X,C) != col(Y,C) :- e(X,Y), c(C).",
        "term-compared",
        "are terms here, not atoms of `col/2`",
    );
    loud(
        "age(a,3). age(b,2). old(X) :- age(X,A), A = max(A). #show old/1.",
        "no-function",
        "#max { X : p(X) }",
    );
}

/// That grounding may not end is told once it takes long.
#[test]
fn recursion_that_ends_after_all() {
    let ends = "p(0). p(X+1) :- p(X), not stop(X). stop(15).";
    assert_eq!(run(["-", "0"], ends).stderr, "");
    assert!(run(["check", "-"], ends).stderr.contains("[termination]"));
    let long = run(["-", "0", "-q"], &ends.replace("15", "150000"));
    assert_eq!((long.code, long.stderr.as_str()), (Some(30), ""));
    // At once, whatever becomes of the run.
    let mut hears = Command::new("sh");
    hears.args(["-c", "echo 'p(0). p(X+1) :- p(X).' | timeout -s KILL 5 \"$0\" -"]);
    let heard = hears.arg(env!("CARGO_BIN_EXE_asp")).output().expect("sh is there").stderr;
    assert!(String::from_utf8_lossy(&heard).contains("[termination]"));
    let endless = run(["-", "--ground-limit=1000"], "p(0). p(X+1) :- p(X).");
    assert!(endless.stderr.contains("[termination]"), "{}", endless.stderr);
}

/// What to write, where what was written is near to it.
#[test]
fn words_of_help() {
    for (program, words) in [
        ("&dom{0..9}=x. &dom{0..9}=y. &sum { x } =< y.", "did you mean `<=`?"),
        ("i(a). { in(I,1..3) = 1 } :- i(I).", "a bound stands behind the braces: `{ in(I,1..3) } = 1`"),
        ("i(a). b(1..2). { in(I,B) : b(B) = 1 } :- i(I).", "bounded behind the braces: `{ ... } = 1`"),
        ("{in(a)}. :- #sum { W,I : in(I); item(I,W) } > 3. item(a,1).", "`;` begins another element"),
        ("p(1). q(X) :- p(X), not r(X,Y). r(1,2).", "write `_` for `Y`"),
        (":- in(X), w(X,W). [W@1,X]", "a weak constraint, which begins with `:~`"),
        (":~ in(X), w(X,W) [W@1,X]", "a `.` stands before the weight"),
        ("p(X,Y) :- q(X), Y = 2X.", "a product is written with `*`, as in `2*X`"),
        ("#const N = 3.", "begins with a small letter"),
        ("q(1). p(X) :- q(X), X = 0.5.", "there are no decimal fractions"),
        ("gate(g3,not,g2).", "`not` is a keyword and no name"),
        ("&diff { a-b } >= 3.", "turn it round"),
        ("&dom { 1..9 } = X.", "integer variables are terms in small letters"),
        ("&sum { x = 3 }.", "a comparison stands behind the braces"),
        ("clue(1,1,1). cell(R,C,V) :- given(R,C,V).", "nothing reads the facts of `clue/3`"),
        (
            "t(a). &dom { 0..9 } = start(T) :- t(T). #minimize { start(T) : t(T) }.",
            "did you mean `&minimize { start(T) : t(T) }.`?",
        ),
        ("p(1). ok(B) :- p(B), sits(B, not T).", "`not` stands before an atom, not before a term"),
        (
            "item(a,3). { take(I) : item(I,_) }. #sum { W,I : take(I), item(I,W) } <= 8.",
            "a constraint begins with `:-`",
        ),
        ("team(a, b, c, d). { plays(X) : team(X) }.", "several facts are written with `;`: `team(a;b;c;d)`"),
        ("t(1..2). { s(G,T) : t(T) } :- G = 1..9. :- t(T), #count { T : s(G,T) } > 3.", "put `G` into it"),
        ("&dom { 8..0 } = x.", "did you mean `0..8`?"),
        (
            "d(1..3). &dom { 0..9 } = h(D,a) :- d(D). &sum { h(a,2) } = 0.",
            "while the 3 other integer variables of `h/2` have one",
        ),
        ("i(a,3). i(b,3). i(c,2). { t(X) : i(X,_) }. :- #sum { W : t(X), i(X,W) } > 3.", "as in `weight,X`"),
        ("#const budget = 90. {p(1..3)}. :- #sum{X:p(X)} > bugdet.", "did you mean `budget`?"),
    ] {
        let told = run(["-", "0"], program).stderr;
        assert!(told.contains(words), "{program}\n{told}");
    }
}

/// Of facts that a part reads which is grounded later, nothing is said.
#[test]
fn facts_that_later_parts_read() {
    let program = "#include <incmode>. n(1). q :- m(1). #program step(t). { at(t,X) : n(X) }. #program check(t). :- query(t), not at(t,1).";
    let told = run(["-", "0"], program).stderr;
    assert!(told.contains("`m/1` [atom-undefined]") && !told.contains("nothing reads"), "{told}");
}

/// Shown terms without a value in some instance are told as gringo tells them; not so those that never have one.
#[test]
fn shown_terms_without_values() {
    let program = "p(1..2). #show X+a : p(X). #show f(X+a,1/X) : p(X). #show 1/(X-1) : p(X). #show g(X,1/(X-2)) : p(X).";
    let told = run(["--mode=gringo", "-"], program).stderr;
    let ignored: Vec<&str> =
        told.lines().filter_map(|line| line.strip_prefix("info: tuple ignored: ")).collect();
    assert_eq!(ignored, ["`g(2,0)` [operation-undefined]", "`0` [operation-undefined]"], "{told}");
}

/// What is said of an integer variable without bounds, before the first answer.
#[test]
fn integer_variables_without_bounds() {
    let program = "&dom { 0..9 } = start(a). &sum { strat(a) } >= 2. &show { start/1 }.";
    let told = run(["-", "1"], program).stderr;
    assert!(told.contains("above: it may be 2 to") && told.contains("did you mean `start(a)`?"), "{told}");
    let rejected = run(["-", "1", "--warn=error"], program);
    assert!(rejected.code == Some(65) && !rejected.stdout.contains("Answer"), "{}", rejected.stdout);
}
