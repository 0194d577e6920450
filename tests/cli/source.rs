//! The subcommands that work on programs as text: check, lint, fmt, test, new.

use crate::support::spawn;
use spawn::{run, run_in};

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

fn read(folder: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("a file")
}

#[test]
fn check_tells_all_syntax_errors() {
    let folder = folder(&[("a.lp", "a :- b\nc.\nd(.\ne :- f(X), .\n"), ("b.lp", "x y.\n")]);
    let run = run_in(folder.path(), ["check", "a.lp", "b.lp"], "");
    assert_eq!(run.code, Some(65), "{}", run.stderr);
    assert_eq!(run.stderr.lines().filter(|l| l.starts_with("error: ")).count(), 4, "{}", run.stderr);
    assert!(run.stderr.ends_with("4 errors, 0 warnings, 0 notes\n"), "{}", run.stderr);
}

#[test]
fn errors_do_not_hide_other_messages() {
    let text = "a(X) :- b(X, .\nq(X) :- r(Y), a(1).\nt(Z) :- q(1), nope(1,2), a(2).\n#show a/1. #show u/3.\n\
                v :- q(_), r(W).\n#program later(k).\nw(k,X) :- q(V).\n#program base.\nx :- w(1,2).\n";
    let folder = folder(&[("a.lp", text)]);
    let run = run_in(folder.path(), ["check", "a.lp"], "");
    assert_eq!(run.code, Some(65), "{}", run.stderr);
    let parts = [
        ("syntax error", 1),
        // Of the other statements, those of a part that nothing grounds among them.
        ("unsafe variable", 3),
        ("a.lp:7:5", 1),
        ("variable `W` occurs once", 1),
        // What stands in the statement with the error may be defined there.
        ("no rule has the head `u/3`", 1),
        ("no rule has the head `a/1`", 0),
        ("no rule here has the head `r/1`, `nope/2` [", 1),
    ];
    for (part, times) in parts {
        assert_eq!(run.stderr.matches(part).count(), times, "{part}: {}", run.stderr);
    }
    let run = run_in(folder.path(), ["lint", "a.lp"], "");
    assert_eq!(run.code, Some(65), "{}", run.stderr);
    assert_eq!(run.stderr.matches("variable `W` occurs once").count(), 1, "{}", run.stderr);
    // A run tells the errors of its first stage only, as clingo does.
    let run = run_in(folder.path(), ["a.lp"], "");
    assert_eq!(run.stderr.lines().filter(|l| l.starts_with("error: ")).count(), 1, "{}", run.stderr);
    // What a text that is missing defines is not known.
    std::fs::write(folder.path().join("a.lp"), "#include \"b.lp\". a :- b.\n").expect("a file");
    let run = run_in(folder.path(), ["check", "a.lp"], "");
    assert!(run.stderr.contains("not found") && !run.stderr.contains("no rule"), "{}", run.stderr);
}

#[test]
fn check_of_a_program_without_its_instance_says_one_thing() {
    let text = "a(X) :- given(X), size(X,_), not open(X).\nb :- gvien(1).\ngiven(1).\n";
    let folder = folder(&[("a.lp", text)]);
    let run = run_in(folder.path(), ["check", "a.lp"], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr.matches("info: ").count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.starts_with("warning: ") && run.stderr.contains("did you mean `given/1`"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("no rule here has the head `size/2`, `open/1`"), "{}", run.stderr);
    assert_eq!(run_in(folder.path(), ["check", "--strict", "a.lp"], "").code, Some(1));
    let clean = run_in(folder.path(), ["check", "--strict", "futoshiki.lp", "grid4.lp"], "");
    assert_eq!((clean.code, clean.stderr.as_str()), (Some(0), "0 errors, 0 warnings, 0 notes\n"));
}

#[test]
fn a_constant_that_the_program_does_not_have_is_noted() {
    let cases = [
        ("#const w = 2. p(w).", "it has `w`"),
        ("#const week = 2. p(week).", "did you mean `-c week=...`"),
        ("p(1).", "no constant `weeks`"),
        ("p(weeks).", ""),
        ("p(X) :- X = 1..weeks.", ""),
        ("#const weeks = 2. p(weeks).", ""),
    ];
    for (text, note) in cases {
        let folder = folder(&[("a.lp", text)]);
        for command in [&["a.lp"][..], &["check", "a.lp"], &["count", "a.lp"]] {
            let run = run_in(folder.path(), [command, &["-c", "weeks=3"]].concat(), "");
            let is_said = run.stderr.contains("no constant `weeks`");
            assert_eq!(is_said, !note.is_empty(), "{text} {command:?}: {}", run.stderr);
            assert!(run.stderr.contains(note), "{text} {command:?}: {}", run.stderr);
        }
    }
}

#[test]
fn check_looks_into_the_steps_of_the_incremental_mode() {
    let text = "#include <incmode>.\n#program step(t).\nat(X,t) :- at(Y,t-1).\n";
    let folder = folder(&[("a.lp", text)]);
    let run = run_in(folder.path(), ["check", "a.lp"], "");
    assert_eq!(run.code, Some(65), "{}", run.stderr);
    assert!(run.stderr.contains("unsafe"), "{}", run.stderr);
}

#[test]
fn check_writes_json_for_editors() {
    let folder = folder(&[("a.lp", "% \u{fc}\n\u{feff}a(X) :- b.\nq :- r(X), p(.\n")]);
    let text = "%* \u{fc} *% a(Y) :- b(Y,X).\nb(1,2). c :- d(.\n";
    std::fs::write(folder.path().join("a.lp"), text).expect("a file");
    let run = run_in(folder.path(), ["check", "--message-format=json", "a.lp"], "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(65), ""));
    let lines: Vec<serde_json::Value> =
        run.stdout.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["severity"], &lines[1]["code"]), (&"error".into(), &"singleton-variable".into()));
    let span = &lines[0]["spans"][0];
    assert_eq!((&span["file"], &span["line"]), (&"a.lp".into(), &2.into()));
    let start = text.find("d(.").expect("there") + 2;
    assert_eq!(span["start_byte"], start);
    std::fs::write(folder.path().join("a.lp"), text.replace("d(.", "d(1).")).expect("a file");
    let run = run_in(folder.path(), ["check", "--message-format=json", "a.lp"], "");
    let lines: Vec<serde_json::Value> =
        run.stdout.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(run.code, Some(0));
    let codes: Vec<&str> = lines.iter().filter_map(|l| l["code"].as_str()).collect();
    assert!(codes.contains(&"singleton-variable") && codes.contains(&"atom-undefined"), "{codes:?}");
    let single = lines.iter().find(|l| l["code"] == "singleton-variable").expect("there");
    assert_eq!(single["spans"][0]["column"], 21, "{single}");
    assert_eq!(single["spans"][0]["start_byte"], 21, "{single}");
}

#[test]
fn lint_finds_and_mends() {
    let text = "p(1..3).  % numbers\n{ q(X) : p(X) }.\n:- q(X),q(Y), X!=Y.\na :- p(Z).\n";
    let folder = folder(&[("a.lp", text)]);
    let run = run_in(folder.path(), ["lint", "a.lp"], "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("singleton-variable") && run.stderr.contains("symmetric-inequality"));
    let run = run_in(folder.path(), ["lint", "--fix", "a.lp"], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "a.lp: 2 mended\n0 errors, 0 warnings, 0 notes\n");
    let mended = text.replace("X!=Y", "X<Y").replace("p(Z)", "p(_)");
    assert_eq!(read(&folder, "a.lp"), mended);
    assert_eq!(run_in(folder.path(), ["lint", "--fix", "-"], "a.").code, Some(65));
}

#[test]
fn check_mends_what_cannot_be_read() {
    let text = "q(1..3)\n:- q(3).\n{ p(X) : q(X) }\n#show p/1.\nr(X) :- q(X) X > 1.\n";
    let folder = folder(&[("a.lp", text)]);
    let run = run_in(folder.path(), ["a.lp"], "");
    assert_eq!(run.code, Some(65), "{}", run.stderr);
    let run = run_in(folder.path(), ["check", "--fix", "a.lp"], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let done = "a.lp:1: Insert the missing `.`\na.lp:3: Insert the missing `.`\na.lp:5: Insert the missing `,`\na.lp: 3 mended\n";
    assert!(run.stderr.starts_with(done), "{}", run.stderr);
    let mended = "q(1..3).\n:- q(3).\n{ p(X) : q(X) }.\n#show p/1.\nr(X) :- q(X), X > 1.\n";
    assert_eq!(read(&folder, "a.lp"), mended);
}

#[test]
fn a_rule_over_two_lines_that_is_perhaps_two() {
    let run = run(["-", "0"], "q(1..3)\n:- q(3).\n");
    assert!(run.stderr.contains("perhaps a `.` is missing here"), "{}", run.stderr);
    assert!(run.stderr.contains("[missing-period]") && run.stdout.contains("Answer: 1"), "{}", run.stdout);
    let quiet = run_in(std::path::Path::new("."), ["-", "0", "-Wno-missing-period"], "q(1..3)\n:- q(3).\n");
    assert!(!quiet.stderr.contains("perhaps"), "{}", quiet.stderr);
}

#[test]
fn fmt_in_place_and_from_standard_input() {
    let folder = folder(&[("sub/a.lp", "a:-b.% why\n"), ("sub/b.lp", "a :- b.\n"), ("sub/c.txt", "a:-b.")]);
    let run = run_in(folder.path(), ["fmt", "--check", "sub"], "");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), "sub/a.lp\n"));
    let run = run_in(folder.path(), ["fmt", "--diff", "sub"], "");
    let diff = "--- sub/a.lp\n+++ sub/a.lp (formatted)\n@@ -1,1 +1,1 @@\n-a:-b.% why\n+a :- b.  % why\n";
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), diff));
    assert_eq!(read(&folder, "sub/a.lp"), "a:-b.% why\n");
    assert_eq!(run_in(folder.path(), ["fmt", "sub"], "").code, Some(0));
    assert_eq!(read(&folder, "sub/a.lp"), "a :- b.  % why\n");
    assert_eq!(read(&folder, "sub/c.txt"), "a:-b.");
    assert_eq!(run_in(folder.path(), ["fmt", "--check", "sub"], "").code, Some(0));
    let run = run_in(folder.path(), ["fmt", "-"], "a:-b.");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "a :- b.\n"));
    let run = run_in(folder.path(), ["fmt", "no-such-file.lp"], "");
    assert_eq!(run.code, Some(65));
}

#[test]
fn fmt_leaves_files_with_errors_alone() {
    let folder = folder(&[("a.lp", "a:-b"), ("b.lp", "c:-d.")]);
    let run = run_in(folder.path(), ["fmt", "a.lp", "b.lp"], "");
    assert_eq!(run.code, Some(65));
    assert!(run.stderr.contains("a.lp:1"), "{}", run.stderr);
    assert_eq!((read(&folder, "a.lp"), read(&folder, "b.lp")), ("a:-b".into(), "c :- d.\n".into()));
    std::fs::write(folder.path().join("a.lp"), b"% \xff\na.").expect("a file");
    let run = run_in(folder.path(), ["fmt", "a.lp"], "");
    assert_eq!(run.code, Some(65));
    assert!(run.stderr.contains("not UTF-8"), "{}", run.stderr);
}

const TESTED: &str = "\
#const n = 2.
{ a(1..n) }.
b :- a(1), a(9).
#defined b/0.
%@test: count 4
%@test -c n=1: sets {} {a(1)}
%@test more.lp: contains a(1)
%@test: lacks b c
%@test costs.lp: optimum 2
%@test: sat
";

#[test]
fn tests_that_pass() {
    let folder = folder(&[
        ("p/a.lp", TESTED),
        ("p/more.lp", "a(1)."),
        ("p/costs.lp", "#minimize { 1,X : a(X) }. #minimize { 1,x,Y : not a(Y), Y = 1..2 }."),
    ]);
    let run = run_in(folder.path(), ["test", "p"], "");
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 7, "{}", run.stdout);
    assert_eq!(lines[0], "ok      p/a.lp:5  count 4");
    assert!(lines[6].starts_with("6 passed, 0 failed (Time: "), "{}", run.stdout);
    let run = run_in(folder.path(), ["test", "p", "-q", "--filter=more.lp"], "");
    assert!(run.stdout.starts_with("1 passed, 0 failed"), "{}", run.stdout);
}

#[test]
fn tests_that_fail_show_the_difference() {
    let text = "\
{ a; b }.
%@test: count 3
%@test: sets {a} {b} {c} {}
%@test: unsat
%@test: contains a
%@test: lacks a
%@test: optimum 2
%@test: counts 2
%@test none.lp: sat
%@test: error no
%@test: count 4
";
    let folder = folder(&[("a.lp", text)]);
    let run = run_in(folder.path(), ["test", "a.lp"], "");
    assert_eq!(run.code, Some(1));
    let part = |line: usize| {
        let start =
            run.stdout.find(&format!("FAILED  a.lp:{line} ")).unwrap_or_else(|| panic!("{}", run.stdout));
        let rest = &run.stdout[start..];
        rest.split("\nFAILED").next().unwrap_or(rest).split("\nok").next().unwrap_or("").to_string()
    };
    assert!(part(2).contains("expected 3 answer sets, found 4\n  + {"), "{}", part(2));
    assert!(part(3).contains("expected 4 answer sets, found 4\n  - {c}\n  + {a b}"), "{}", part(3));
    assert!(part(4).contains("expected no answer set, found one"), "{}", part(4));
    assert!(part(5).contains("expected a in each answer set, found one without"), "{}", part(5));
    assert!(part(6).contains("expected no answer set with a, found one"), "{}", part(6));
    assert!(part(7).contains("nothing is minimized"), "{}", part(7));
    assert!(part(8).contains("`counts` is not an expectation"), "{}", part(8));
    assert!(part(9).contains("none.lp"), "{}", part(9));
    assert!(part(10).contains("expected an error, found none"), "{}", part(10));
    assert!(run.stdout.contains("ok      a.lp:11"), "{}", run.stdout);
    assert!(run.stdout.contains("1 passed, 9 failed"), "{}", run.stdout);
}

#[test]
fn tests_of_errors_steps_and_time() {
    let incremental = "\
#include <incmode>.
#program step(t).
at(t).
#program check(t).
:- query(t), t < 3.
%@test: steps 3
%@test: contains at(2)
%@test: steps 2
";
    let hard = "\
p(1..11). h(1..10). { in(P,H) : h(H) } = 1 :- p(P). :- in(P,H), in(Q,H), P < Q, P*Q > 0.
:- #sum { P*H : in(P,H) } = 17.
{ x(1..60) }. :- #sum { I*I,I : x(I) } = 999983.
%@test: unsat
";
    let files = [("a.lp", incremental), ("b.lp", "p(X).\n%@test: error unsafe\n"), ("c.lp", hard)];
    let folder = folder(&files);
    let run = run_in(folder.path(), ["test", "a.lp", "b.lp"], "");
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stdout.contains("3 passed, 1 failed"), "{}", run.stdout);
    assert!(run.stdout.contains("expected the end at step 2, found it at step 3"), "{}", run.stdout);
    // Either it is found in time, or the limit is reported.
    let run = run_in(folder.path(), ["test", "--time-limit=1", "c.lp"], "");
    let limited = run.stdout.contains("stopped by the time limit");
    assert_eq!(run.code, Some(i32::from(limited)), "{}", run.stdout);
    assert_eq!(run_in(folder.path(), ["test", "no-such-folder"], "").code, Some(65));
    let run = run_in(folder.path(), ["test", "-q", "--filter=nothing", "a.lp"], "");
    assert!(
        run.code == Some(0) && run.stderr.contains("none of the 3 tests here has `nothing`"),
        "{}",
        run.stderr
    );
}

#[test]
fn tests_look_at_the_best_answer_sets_only() {
    let program = "{ a; b }. :- not a, not b. #minimize { 1 : a ; 2 : b }. %\n\
        %@test: contains a\n%@test: lacks b\n%@test: contains b\n%@test: lacks a\n";
    let growing = "#include <incmode>. #program step(t). { x(t) }. #program check(t). :- query(t), t < 2.\n\
        #program step(t). #minimize { 1,t : x(t) }.\n%@test: lacks x(1)\n%@test: lacks x(2)\n%@test: contains x(2)\n";
    let folder = folder(&[("a.lp", program), ("b.lp", growing)]);
    let run = run_in(folder.path(), ["test", "a.lp"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("ok      a.lp:2") && run.stdout.contains("ok      a.lp:3"), "{}", run.stdout);
    assert!(run.stdout.contains("in each answer set, found one without\n  + {a}"), "{}", run.stdout);
    assert!(run.stdout.contains("expected no answer set with a, found one\n  + {a}"), "{}", run.stdout);
    let run = run_in(folder.path(), ["test", "b.lp"], "");
    assert!(run.stdout.contains("2 passed, 1 failed"), "{}", run.stdout);
}

#[test]
fn subcommands_take_the_options_of_a_run() {
    let folder =
        folder(&[("a.lp", "{ a; b }. c :- d. #minimize { 1 : a }."), ("b.lp", "p(X) :- q(X,Y). q(1,2).")]);
    let run = |arguments: &str| run_in(folder.path(), arguments.split(' '), "");
    let plain = run("count a.lp");
    assert!(
        plain.stderr.contains("atom-undefined") && plain.stderr.contains("whatever they cost"),
        "{}",
        plain.stderr
    );
    for (arguments, stderr) in
        [("-Wno-atom-undefined -q", ""), ("-q -t 2 --memory-limit=500 --rewrite=none", "")]
    {
        let other = run(&format!("count a.lp {arguments} --time-limit=99.5"));
        assert_eq!(
            (other.code, other.stdout, other.stderr.as_str()),
            (Some(0), "4\n".into(), stderr),
            "{arguments}"
        );
    }
    assert!(!run("unique a.lp -Wnone").stderr.contains("atom-undefined"));
    assert!(run("check b.lp").stderr.contains("singleton-variable"));
    assert!(!run("check b.lp -Wno-singleton-variable").stderr.contains("singleton-variable"));
    for wrong in ["-Wfoo", "--rewrite=foo", "-t x", "--time-limit=x", "--memory-limit=x"] {
        let run = run(&format!("count a.lp {wrong}"));
        assert!(run.code == Some(64) && run.stderr.contains("invalid value for"), "{wrong}: {}", run.stderr);
    }
    assert_eq!(run("test a.lp --time-limit=x").code, Some(64));
}

#[test]
fn tests_under_limits_and_warnings() {
    let heavy = "p(1..2000). q(X,Y,Z) :- p(X), p(Y), p(Z).\n%@test: sat\n";
    let folder = folder(&[("a.lp", "a.\n#const n = 1.\nb :- c.\n%@test: sat\n"), ("b.lp", heavy)]);
    let run = |arguments: &str| run_in(folder.path(), arguments.split(' '), "");
    assert_eq!(run("test a.lp -Wno-atom-undefined --memory-limit=9000").code, Some(0));
    let wrong = run("test a.lp -Wfoo");
    assert!(wrong.code == Some(64) && wrong.stderr.contains("invalid value for"), "{}", wrong.stderr);
    let limited = run("test b.lp --memory-limit=100");
    assert_eq!(limited.code, Some(1));
    assert!(limited.stdout.contains("stopped by the memory limit"), "{}", limited.stdout);
    std::fs::write(
        folder.path().join("a.lp"),
        "p(1..2). p(X+1) :- p(X), X < 0. a(1,2). a(X..Y) :- a(Y,X).\n\
        q(X) :- X = 1/0.\n#show r/1.\n%@test: sat\n",
    )
    .expect("a file");
    assert_eq!(run("test a.lp").code, Some(0));
    // Notes do not count, as in a run.
    let (test, plain) = (run("test a.lp -Werror"), run("a.lp -Werror"));
    assert_eq!(test.code == Some(0), plain.code != Some(65), "{}{}", test.stdout, plain.stderr);
}

#[test]
fn tests_behind_code_or_in_capitals_are_told() {
    let folder =
        folder(&[("a.lp", "a. % @test: sat\n%@Test: count 1\nb(\"% @test: sat\").\nc. % an @test: b\n")]);
    let run = run_in(folder.path(), ["test", "a.lp"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("0 passed, 2 failed"), "{}", run.stdout);
    assert!(run.stdout.contains("a line of its own, not after code: `%@test: sat`"), "{}", run.stdout);
    assert!(run.stdout.contains("in small letters"), "{}", run.stdout);
}

#[test]
fn fmt_says_that_a_ground_program_has_no_layout() {
    for (text, notation) in [("asp 1 0 0\n1 0 1 1 0 0\n0\n", "aspif"), ("p cnf 2 1\n1 2 0\n", "DIMACS")] {
        let folder = folder(&[("a.lp", text)]);
        let run = run_in(folder.path(), ["fmt", "a.lp"], "");
        assert_eq!((run.code, read(&folder, "a.lp").as_str()), (Some(65), text));
        assert!(run.stderr.contains(&format!("a.lp is a ground program ({notation})")), "{}", run.stderr);
    }
}

#[test]
fn check_of_terms_that_grow_ends_with_advice() {
    let folder = folder(&[("a.lp", "n(f(T)) :- n(T). n(a).\n"), ("b.lp", ":- true. a :- not false.\n")]);
    let run = run_in(folder.path(), ["check", "a.lp"], "");
    assert!(
        run.stderr.contains("grounding may not end") && run.stderr.contains("the rule feeds itself"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.ends_with("0 errors, 1 warning, 0 notes\n"), "{}", run.stderr);
    assert!(run.stderr.contains("count the rounds in another argument"), "{}", run.stderr);
    let run = run_in(folder.path(), ["check", "b.lp"], "");
    for word in ["`#true`", "`#false`"] {
        assert!(run.stderr.contains(&format!("the truth value is written {word}")), "{}", run.stderr);
    }
}

#[test]
fn new_without_a_name_says_what_there_is() {
    let run = run_in(folder(&[]).path(), ["new"], "");
    assert_eq!(run.code, Some(64));
    assert!(run.stderr.contains("asp new futoshiki") && run.stderr.contains("sudoku, "), "{}", run.stderr);
}

#[test]
fn new_copies_a_puzzle_and_overwrites_nothing() {
    let folder = folder(&[]);
    let run = run_in(folder.path(), ["new", "futoshiki", "mine"], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("asp mine/futoshiki.lp mine/grid4.lp 0"), "{}", run.stdout);
    let run = run_in(folder.path(), ["mine/futoshiki.lp", "mine/grid4.lp", "0"], "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(30), ""));
    std::fs::write(folder.path().join("mine/grid4.lp"), "mine.").expect("a file");
    std::fs::remove_file(folder.path().join("mine/futoshiki.lp")).expect("a file");
    let run = run_in(folder.path(), ["new", "futoshiki.lp", "mine"], "");
    assert_eq!(run.code, Some(65));
    assert!(run.stderr.contains("mine/grid4.lp already exists"), "{}", run.stderr);
    assert_eq!(read(&folder, "mine/grid4.lp"), "mine.");
    assert!(!folder.path().join("mine/futoshiki.lp").exists());
    let run = run_in(folder.path(), ["new", "futoshki"], "");
    assert_eq!(run.code, Some(65));
    assert!(run.stderr.contains("did you mean `futoshiki`"), "{}", run.stderr);
    let run = run_in(folder.path(), ["new", "zebra"], "");
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("asp zebra.lp zebra5.lp 0"), "{}", run.stdout);
}
