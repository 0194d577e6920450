//! Ground programs in place of programs: aspif, DIMACS, OPB and WBO are recognised by their first lines, and results of
//! the last three are printed as SAT solvers print them. The expected output is that of clingo and clasp.

use crate::support::spawn;

/// Exit code and standard output, without names, times and anything that depends on the order of the search.
fn run(arguments: &str, input: &str) -> (Option<i32>, String) {
    let run = spawn::run(spawn::words(arguments), input);
    (run.code, run.stdout)
}

#[track_caller]
fn check(arguments: &str, input: &str, code: i32, expected: &str) {
    assert_eq!(run(arguments, input), (Some(code), expected.to_string()), "{arguments}");
}

const STEPS: &str = "asp 1 0 0 incremental\n1 0 1 1 0 0\n4 1 a 1 1\n0\n1 0 1 2 0 0\n4 1 b 1 2\n0\n";

#[test]
fn aspif_is_known_by_its_first_line() {
    let program = "asp 1 0 0\n1 1 2 1 2 0 0\n4 1 a 1 1\n4 1 b 1 2\n1 0 0 0 2 1 2\n2 0 1 1 1\n0\n";
    check("-V0", program, 30, "\nOptimization: 0\nOPTIMUM FOUND\n");
    check("-V0 --opt-mode=ignore 0 -q", program, 30, "SATISFIABLE\n");
    check("-V0", STEPS, 30, "a\na b\nSATISFIABLE\n");
    // `asp` may also be an atom.
    check("-V0", "asp :- not b.", 30, "asp\nSATISFIABLE\n");
    // What is shown in any case has a literal that always holds, as in gringo.
    let always = "asp 1 0 0\n1 0 1 1 0 0\n4 1 a 1 -2\n0\n";
    check("--mode=gringo", "asp 1 0 0\n1 0 1 1 0 0\n4 1 a 0\n0\n", 0, always);
}

#[test]
fn equal_output_lines_show_an_atom_once() {
    let program =
        "asp 1 0 0\n1 1 2 1 2 0 0\n4 1 a 1 1\n4 1 a 1 1\n4 1 a 1 2\n4 1 b 0\n4 1 b 0\n1 0 0 0 1 -1\n0\n";
    check("-V0 1", program, 10, "a b\nSATISFIABLE\n");
    // As in clasp.
    check("-V0 1 --mode=clasp", program, 10, "a a b b\nSATISFIABLE\n");
}

#[test]
fn a_ground_program_cannot_be_joined_with_another() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let run = spawn::run(["-V0", "-", &format!("{folder}/tests/golden/programs/choice.lp")], STEPS);
    assert_eq!(run.code, Some(65));
    assert!(run.stderr.contains("<stdin> is already ground and cannot be joined with"), "{}", run.stderr);
}

const CNF: &str = "c some clauses\np cnf 3 4\n1 2 0\n-1 3 0\n1 0\n-2 0\n";

#[test]
fn dimacs_is_answered_as_sat_solvers_do() {
    for mode in ["", "--mode=clasp "] {
        check(&format!("{mode}-V0"), CNF, 30, "v 1 -2 3 0\ns SATISFIABLE\n");
        check(&format!("{mode}-V0 0 -q"), CNF, 30, "s SATISFIABLE\n");
        check(&format!("{mode}-V0"), "p cnf 1 2\n1 0\n-1 0\n", 20, "s UNSATISFIABLE\n");
        let weighted = "p wcnf 2 3 9\n9 1 2 0\n2 -1 0\n3 -2 0\n";
        let (code, text) = run(&format!("{mode}-V0 -q1"), weighted);
        assert_eq!((code, text.as_str()), (Some(30), "v 1 -2 0\no 2\ns OPTIMUM FOUND\n"));
    }
    let (_, text) = run("0 --stats", CNF);
    assert!(text.lines().all(|l| ["c ", "v ", "s "].iter().any(|start| l.starts_with(start))), "{text}");
    let long: String = (1..=60).map(|i| format!("{i} 0\n")).collect();
    let (_, text) = run("-V0", &format!("p cnf 60 60\n{long}"));
    assert_eq!(text.lines().map(str::len).collect::<Vec<_>>(), [73, 73, 30, 13], "{text}");
    let (_, text) = run("--outf=2", CNF);
    assert!(text.contains("1, -2, 3"), "{text}");
}

#[test]
fn opb_and_wbo_are_answered_as_their_solvers_do() {
    let opb = "* #variable= 3 #constraint= 2\nmin: +1 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n+1 x3 = 1 ;\n";
    let (code, text) = run("-V0", opb);
    assert_eq!(code, Some(30));
    assert!(text.ends_with("o 1\nv x1 -x2 x3\no 1\ns OPTIMUM FOUND\n"), "{text}");
    // Variables outside all constraints are variables, too.
    let (_, text) = run("0", "* #variable= 4 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n");
    assert!(text.contains("c Models         : 12\n"), "{text}");
    let wbo = |top: &str| {
        let head = "* #variable= 1 #constraint= 2 #soft= 2 mincost= 2 maxcost= 3 sumcost= 5\n";
        format!("{head}soft: {top};\n[2] +1 x1 >= 1 ;\n[3] -1 x1 >= 0 ;\n")
    };
    check("-V0 -q1", &wbo("3 "), 30, "v -x1\no 2\ns OPTIMUM FOUND\n");
    check("-V0 -q1", &wbo(""), 30, "v -x1\no 2\ns OPTIMUM FOUND\n");
    check("-V0", &wbo("2 "), 20, "s UNSATISFIABLE\n");
}

/// As in clingo: all files but the first are checked before anything runs.
#[test]
fn a_missing_file_after_the_first_ends_the_run_before_it_begins() {
    let run = spawn::run(["-", "missing-one.lp"], "a.");
    assert_eq!((run.code, run.stdout.as_str()), (Some(128), ""));
    assert!(run.stderr.contains("'missing-one.lp': could not open input file!"), "{}", run.stderr);
    let run = spawn::run(["missing-one.lp"], "");
    assert_eq!(run.code, Some(65));
}

/// A partial result must not be mistaken for a complete one.
#[test]
fn results_that_cannot_be_written_are_an_error() {
    let Ok(_) = std::fs::File::open("/dev/full") else { return };
    for line in [
        "",
        "0",
        "-q",
        "--outf=1",
        "--outf=2",
        "--outf=jsonl",
        "--text",
        "--mode=gringo",
        "-o reify",
        "-o smodels",
        "--help",
        "--version",
        "--list",
        "--stats",
        "--mode=clasp",
    ] {
        let text = if line == "--mode=clasp" { CNF } else { "{a; b}." };
        fails(line, text);
    }
    for line in
        ["count", "unique", "hint", "sample", "diverse", "candidates", "fmt -", "why a", "count --help"]
    {
        fails(line, "{a; b}. :- not a.  %@test sat\n");
    }
    for line in ["hint --html=/dev/full", "why a --html=/dev/full"] {
        let run = spawn::run(spawn::words(line), "{a; b}. :- not a.");
        assert_eq!(run.code, Some(74), "{line}: {}", run.stderr);
        assert!(run.stderr.contains("/dev/full cannot be written"), "{line}: {}", run.stderr);
    }
}

#[track_caller]
fn fails(line: &str, text: &str) {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let mut command = spawn::command(spawn::words(line));
    command.stdout(full);
    let output = spawn::start(&mut command, text).wait_with_output().expect("it ends");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(74), "{line}: {messages}");
    assert!(messages.contains("standard output cannot be written"), "{line}: {messages}");
}

/// Constraints over integers that asp has written are constraints when they are read again.
#[test]
fn constraints_over_integers_are_read_again() {
    let program = "&dom { 0..3 } = x. &dom { 0..30 } = y. { b }. a :- &sum { x } > 2. &sum { x; y } < 5.
        p(1..2). &distinct { f(X) : p(X); y }. &dom { 0..2 } = f(X) :- p(X). &minimize { 2*x; y; x*0 }. &maximize { b : p(X) }.
        &dom { 0..1 } = b.";
    let sorted = |arguments: &str, input: &str| {
        let (code, out) = run(arguments, input);
        let mut lines: Vec<String> = out.lines().map(Into::into).collect();
        lines.sort();
        (code, lines)
    };
    for arguments in ["-V0 0 --opt-mode=optN -q1", "-V0 0 --opt-mode=ignore"] {
        let expected = sorted(arguments, program);
        assert!(expected.1.iter().any(|line| line.contains("x=")), "{expected:?}");
        for written in ["--text", "--mode=gringo"] {
            let (_, text) = run(written, program);
            assert_eq!(sorted(arguments, &text), expected, "{written}\n{text}");
        }
        let (_, text) = run("--text", program);
        assert_eq!(sorted(arguments, &run("--text", &text).1), expected, "{text}");
    }
    let theory = |name: &str| aspif_with(&[name]);
    // Wrong atoms are errors.
    for name in ["__count_b", "__table_h", "__sum_h", "__element_b", "__diff_b", "dom"] {
        assert_eq!(run("-V0 0", &theory(name)).0, Some(65), "{name}");
    }
}

/// A program with an atom that may hold, which each theory atom is.
fn aspif_with(names: &[&str]) -> String {
    let atom = |(i, name): (usize, &&str)| format!("9 1 {i} {} {name}\n9 5 1 {i} 0\n", name.len());
    let atoms: String = names.iter().enumerate().map(atom).collect();
    format!("asp 1 0 0\n1 1 1 1 0 0\n4 1 a 1 1\n{atoms}0\n")
}

/// Other theories are nobody's, and atoms of theirs may hold or not.
#[test]
fn constraints_over_integers_stand_beside_another_theory_in_aspif() {
    let own = "#theory t { term {}; &foo/0 : term, any }. b :- &foo { b }. :- &foo { b }, a.";
    let program = format!("{own} &dom {{ 1..3 }} = x. &sum {{ x }} >= 2. {{ a }}. :- a, &sum {{ x }} = 2.");
    let sorted = |input: &str| {
        let run = spawn::run(spawn::words("-V0 0"), input);
        let mut lines: Vec<String> = run.stdout.lines().map(Into::into).collect();
        lines.sort();
        (run.code, lines, run.stderr)
    };
    let expected = sorted(&program);
    let count = |line: &str| expected.1.iter().filter(|l| *l == line).count();
    assert_eq!((count("x=2"), count("x=3"), count("b")), (2, 3, 2), "{expected:?}");
    let (_, text) = run("--mode=gringo", &program);
    assert_eq!(sorted(&text), expected, "{text}");
    // A domain alone tells whose it is.
    let program = format!("{own} &dom {{ (-1)..1; 3 }} = x. {{ a }}.");
    assert_eq!(sorted(&run("--mode=gringo", &program).1), sorted(&program));
    // A later step may bring them.
    let steps = text.replacen("asp 1 0 0\n", "asp 1 0 0 incremental\n9 1 90 3 foo\n9 5 90 90 0\n0\n", 1);
    let stepwise = sorted(&steps);
    assert!(
        stepwise.1.contains(&"x=3".to_string()) && !stepwise.1.contains(&"x=1".to_string()),
        "{stepwise:?}"
    );
    check("-V0 0", &aspif_with(&["foo"]), 30, "\na\nSATISFIABLE\n");
}

/// Names that constraints over integers have in programs, but that a ground program of theirs alone does not have.
#[test]
fn theory_atoms_that_look_like_constraints_over_integers_are_told() {
    let told = |names: &[&str]| {
        let run = spawn::run(spawn::words("-V0 0"), &aspif_with(names));
        assert_eq!((run.code, run.stdout.as_str()), (Some(30), "\na\nSATISFIABLE\n"), "{names:?}");
        run.stderr
    };
    let expected = |names: &str| {
        format!(
            "warning: theory atoms {names} are not taken for constraints over integers: they may hold or not [other]\n  \
             |\n  = help: if they are meant as such, solve the program that this one was made from, without a `#theory` \
             for them\n"
        )
    };
    assert_eq!(told(&["diff"]), expected("`&diff`"));
    assert_eq!(told(&["sum", "dom", "foo", "sum"]), expected("`&dom`, `&sum`"));
    assert_eq!(told(&["distinct", "foo"]), expected("`&distinct`"));
    assert_eq!(told(&["foo", "bar"]), "");
    // A program that defines its own is told in other words.
    let own = "#theory t { term {}; &diff/0 : term, any }. a :- &diff {}.";
    let run = spawn::run(spawn::words("-V0 0"), own);
    assert!(
        run.stderr.contains("`&diff` constrains nothing") && run.stderr.contains("[own-theory]"),
        "{}",
        run.stderr
    );
}
