//! Tables, bars and routes as pictures, what is said of what is drawn, pages without pictures, and CSV output.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use asp_base::rng::Rng;

use crate::support::spawn::folder_with;

struct Place(tempfile::TempDir);

impl Place {
    fn with(files: &[(&str, &str)]) -> Self {
        Self(folder_with(files))
    }
    fn run(&self, arguments: &str) -> (String, String, Option<i32>) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
        let Output { stdout, stderr, status } = command
            .current_dir(self.0.path())
            .args(arguments.split_whitespace())
            .env("COLUMNS", "80")
            .output()
            .expect("the binary runs");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(stdout), text(stderr), status.code())
    }
    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).expect("a file")
    }
}

#[track_caller]
fn draws(program: &str, picture: &str, message: &str) {
    let place = Place::with(&[("t.lp", program)]);
    let (out, err, _) = place.run("t.lp --show-grid -V0");
    let out =
        out.replace("SATISFIABLE\n", "").lines().map(|l| format!("{}\n", l.trim_end())).collect::<String>();
    assert_eq!(out, picture, "{err}");
    assert!(err.contains(message), "{err}");
}

#[test]
fn what_is_no_grid_is_a_table() {
    draws(
        "shift(ann,mon,early). shift(ann,tue,late). shift(bob,mon,late). shift(bob,tue,early).",
        "shift\n\
         ┌─────┬───────┬───────┐\n\
         │     │ mon   │ tue   │\n\
         ├─────┼───────┼───────┤\n\
         │ ann │ early │ late  │\n\
         │ bob │ late  │ early │\n\
         └─────┴───────┴───────┘\n",
        "drawn: shift/3 as a table with argument 1 by row and 2 by column",
    );
    // What varies most stands in the cells.
    draws(
        "at(maths,mon,1). at(art,mon,1). at(music,tue,1). at(sports,tue,2). at(latin,mon,2).",
        "at\n\
         ┌───┬────────────┬────────┐\n\
         │   │ mon        │ tue    │\n\
         ├───┼────────────┼────────┤\n\
         │ 1 │ art, maths │ music  │\n\
         │ 2 │ latin      │ sports │\n\
         └───┴────────────┴────────┘\n",
        "argument 3 by row and 2 by column",
    );
    draws(
        "likes(ann,\"Bad Ems\"). likes(ann,ulm). likes(bob,ulm). word(a,b,c,d). alone.",
        "likes\n┌─────┬──────────────┐\n│ ann │ ulm, Bad Ems │\n│ bob │ ulm          │\n└─────┴──────────────┘\n\n\
         word\n┌───┬───┬───┬───┐\n│ a │ b │ c │ d │\n└───┴───┴───┴───┘\n\nalone\n",
        "likes/2 as a table, word/4 as a table, alone/0 as a table",
    );
}

#[test]
fn starts_and_lengths_are_bars() {
    draws(
        "duration(a,3). duration(b,2). duration(c,4). start(a,0). start(b,3). start(c,1). #show start/2.",
        "start\na │███  │ 0-3\nc │ ████│ 1-5\nb │   ██│ 3-5\n",
        "drawn: start/2 as bars",
    );
    draws(
        "start((j,1),10). end((j,1),12). start((j,2),12). end((j,2),13).",
        "start\n(j,1) │██ │ 10-12\n(j,2) │  █│ 12-13\n",
        "bars",
    );
    draws(
        "job(a,3;b,2). begin(a,2). begin(b,0). #show begin/2.",
        "begin\nb │██   │ 0-2\na │  ███│ 2-5\n",
        "drawn: begin/2 as bars",
    );
    // Starts that are integer variables, with few values and with many.
    for most in [9, 1000] {
        draws(
            &format!(
                "duration(a,3). duration(b,2). #show. &dom {{ 0..{most} }} = start(T) :- duration(T,_). &sum {{ start(b) }} <= 0. \
                 &disjoint {{ start(T)@D : duration(T,D) }}. &sum {{ start(a) }} <= 2."
            ),
            "start\nb │██   │ 0-2\na │  ███│ 2-5\n",
            "drawn: start/2 as bars",
        );
    }
}

#[test]
fn ways_from_place_to_place_are_routes() {
    draws(
        "drive(v1,depot,a). drive(v1,a,b). drive(v1,b,depot). drive(v2,depot,c). drive(v2,c,depot).",
        "drive\nv1: a -> b -> depot -> a\nv2: c -> depot -> c\n",
        "drive/3 as routes",
    );
    // Also over a graph, which alone would hide them.
    draws(
        "drive(v1,depot,a). drive(v1,a,depot). distance(depot,a,3). distance(a,depot,2). #show drive/3.",
        "drive\nv1: a -> depot -> a\n",
        "drive/3 as routes",
    );
    draws("then(a,b). then(b,c).", "then\na -> b -> c\n", "then/2 as routes");
}

#[test]
fn what_is_not_drawn_is_told() {
    let place = Place::with(&[("t.lp", "v(1..2,1..2,1). team(ann,red).")]);
    let (_, err, _) = place.run("t.lp --show-grid -V0");
    assert!(err.contains("drawn: v/3; not drawn: team/2"), "{err}");
    let (_, err, _) = place.run("t.lp --show-grid=v -V0");
    assert!(!err.contains("not drawn"), "{err}");
}

/// Every atom of an answer set is in its chart.
#[test]
fn random_atoms_are_all_in_the_chart() {
    let mut rng = Rng::new(0x9e37_79b9_7f4a_7c15);
    let mut next = |n: u64| rng.below(n);
    let mut text = String::new();
    for program in 0..40 {
        let mut facts = BTreeSet::new();
        let arity = 1 + next(4);
        for _ in 0..1 + next(12) {
            let args: Vec<String> = (0..arity).map(|i| format!("x{program}y{i}z{}", next(4))).collect();
            facts.insert(args);
        }
        text.push_str(&facts.iter().map(|f| format!("p{program}({}).\n", f.join(","))).collect::<String>());
    }
    let place = Place::with(&[("t.lp", &text)]);
    let (out, _, _) = place.run("t.lp --show-grid -V0 --html page.html --svg page.svg");
    let (page, drawing) = (place.read("page.html"), place.read("page.svg"));
    for word in text.split(['(', ')', ',', '.', '\n']).filter(|w| w.starts_with('x')) {
        assert!(out.contains(word) && page.contains(word) && drawing.contains(word), "{word}\n{out}");
    }
}

#[test]
fn a_page_is_always_written() {
    let place = Place::with(&[
        ("none.lp", "a. :- a."),
        ("nothing.lp", "p(1). #show."),
        ("large.lp", "p(1..2000,1..2000,1) :- a. {a}. :- a. p(1,1,1). p(2000,2000,1)."),
    ]);
    for name in ["none", "nothing"] {
        place.run(&format!("{name}.lp --html {name}.html"));
        assert!(place.read(&format!("{name}.html")).ends_with("</html>\n"), "{name}");
    }
    let (_, err, _) = place.run("none.lp --svg none.svg");
    assert!(err.contains("none.svg is not written: there is no picture"), "{err}");
}

#[test]
fn answer_sets_as_a_table() {
    let program = "{ p(1,\"a,b\"); q(\"x\\\"y\"); -r(f(1,2)) } >= 2. s :- p(1,_). #show t(X) : q(X).";
    let place = Place::with(&[("t.lp", program), ("none.lp", "a. :- a.")]);
    let (out, _, code) = place.run("t.lp 0 --outf=csv");
    assert_eq!(code, Some(30));
    assert!(out.starts_with("answer,predicate,1,2\n"), "{out}");
    for line in [",p,1,\"a,b\"\n", ",q,\"x\"\"y\",\n", ",-r,\"f(1,2)\",\n", ",s,,\n", ",t,\"x\"\"y\",\n"] {
        assert!(out.contains(line), "{line}: {out}");
    }
    let numbers: BTreeSet<&str> =
        out.lines().skip(1).map(|l| l.split(',').next().expect("a field")).collect();
    assert_eq!(numbers, BTreeSet::from(["1", "2", "3", "4"]));
    let (out, _, code) = place.run("none.lp --outf=csv");
    assert_eq!((out.as_str(), code), ("answer,predicate\n", Some(20)));
    let (_, err, code) = place.run("t.lp --outf=csv --show-grid");
    assert!(err.contains("works with text output only") && code == Some(1), "{err}");
}

/// What is written as a table and read again are the same atoms.
#[test]
fn tables_come_back_as_they_were() {
    let pieces = ["a", "B", " ", ",", "\\\"", "\\n", ";", "é", "'", "-", "x y", "\\\\", "%", "#"];
    let mut rng = Rng::new(0x2545_f491_4f6c_dd1d);
    let mut next = |n: u64| rng.below(n);
    let mut facts = BTreeSet::new();
    for i in 0..300 {
        let mut text = String::from("S");
        (0..next(6)).for_each(|_| text.push_str(pieces[next(14) as usize]));
        text.push('S');
        facts.insert(format!("p({i},\"{text}\",c{})", next(9)));
    }
    let program: String = facts.iter().map(|f| format!("{f}.\n")).collect();
    let place = Place::with(&[
        ("t.lp", &program),
        ("show.lp", "#show p/3.\n#defined row/5.\n#show p(A,B,C) : row(_,p,A,B,C).\n"),
    ]);
    let (out, _, _) = place.run("t.lp --outf=csv");
    std::fs::write(place.0.path().join("out.csv"), out).expect("written");
    let (again, err, _) =
        place.run("show.lp --csv row=out.csv --csv-delimiter=, --csv-header=yes --outf=3 --text");
    let _ = again;
    let (again, _, _) =
        place.run("show.lp --csv row=out.csv --csv-delimiter=, --csv-header=yes -V0 --out-ifs=\\n");
    let found: BTreeSet<String> = again.lines().filter(|l| l.starts_with("p(")).map(str::to_string).collect();
    assert_eq!(found, facts, "{err}");
}
