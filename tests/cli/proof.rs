//! `--proof` and `asp unique --certify`: which files are written, and what is refused. Whether proofs are accepted is
//! tested beside the checker, in `bindings/check`.

use std::fs;

use crate::support::spawn::{Run, run_in};

const PIGEONS: &str = "1 { p(P,H) : H = 1..3 } 1 :- P = 1..4. :- p(P,H), p(Q,H), P < Q.";

#[test]
fn a_proof_is_five_files() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.lp"), PIGEONS).unwrap();
    let run = run_in(dir.path(), ["a.lp", "--proof=proof"], "");
    assert_eq!(run.code, Some(20), "{}", run.stderr);
    assert!(run.stderr.contains("`asp-check proof` checks it"), "{}", run.stderr);
    for name in ["program.aspif", "claim.txt", "formula.opb", "witnesses.txt", "steps.pbp"] {
        assert!(dir.path().join("proof").join(name).exists(), "{name}");
    }
    let steps = fs::read_to_string(dir.path().join("proof/steps.pbp")).unwrap();
    assert!(steps.contains("\nrup ") && steps.contains("conclusion UNSAT"), "{steps}");
    assert!(fs::read_to_string(dir.path().join("proof/claim.txt")).unwrap().contains("claim all"));
}

/// Sums that are the same after facts, common factors and weights above the bound are gone.
#[test]
fn sums_that_become_equal_are_proven() {
    let dir = tempfile::tempdir().unwrap();
    for sums in [
        "1 0 1 5 1 3 3 1 2 2 2 3 2\n1 0 1 6 1 2 3 1 1 2 1 3 1\n",
        "1 0 1 5 1 3 4 1 1 2 1 3 1 7 1\n1 0 1 6 1 2 3 1 1 2 1 3 1\n",
        "1 0 1 5 1 4 4 1 7 2 2 3 2 7 1\n1 0 1 6 1 3 3 1 3 2 2 3 2\n",
    ] {
        let rules = format!("1 1 4 1 2 3 4 0 0\n1 0 1 7 0 0\n{sums}1 0 0 0 2 5 -6\n1 0 0 0 2 -5 6\n");
        let run = run_in(dir.path(), ["0", "--proof=proof"], &format!("asp 1 0 0\n{rules}0\n"));
        assert!(run.stderr.contains("proof written"), "{sums}: {}", run.stderr);
    }
}

#[test]
fn uniqueness_is_certified() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.lp"), "1 { a; b } 1. :- b. { c }. #show a/0. #show b/0.").unwrap();
    let run = run_in(dir.path(), ["unique", "--certify=proof", "a.lp"], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let claim = fs::read_to_string(dir.path().join("proof/claim.txt")).unwrap();
    assert!(claim.contains("claim shown") && claim.matches("model").count() == 1, "{claim}");
}

#[test]
fn what_is_not_covered_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |program: &str, arguments: &[&str], code: i32, why: &str| {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--proof=proof", "-"]).collect();
        let Run { code: found, stderr, .. } = run_in(dir.path(), &arguments, program);
        assert_eq!(found, Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(why), "{arguments:?}: {stderr}");
        assert!(!dir.path().join("proof").exists(), "{arguments:?}");
    };
    refused("a.", &["-t2"], 1, "several threads");
    refused("a.", &["--lemma-out=x"], 1, "lemmas");
    refused("a.", &["--bound-file=x"], 1, "a bound file");
    refused("{a}.", &["--near=x"], 1, "'--near'");
    refused("{a}.", &["--gap-abs=3"], 1, "a gap");
    refused("#include <incmode>.", &[], 1, "in steps");
    refused(
        "#script (python)\ndef f(): return clingo.Number(1)\n#end.\na(@f()).",
        &[],
        65,
        "a script in Python",
    );
    refused("&p { a }. #theory t { u { }; &p/0 : u, any }.", &[], 65, "theory atoms");
    refused("{a;b}. #show a/0. #show a : b.", &["--project=show", "0"], 65, "looks like a shown atom");
    refused("{a}. #minimize { 1 : a }.", &["-ebrave"], 65, "--opt-mode=optN");
    refused("{a}. #minimize { 1 : a }.", &["--opt-mode=opt,3"], 65, "'--opt-mode' without bounds");
}

/// The claim of an earlier run is no claim of one that never began.
#[test]
fn a_command_line_that_is_not_understood_leaves_no_claim() {
    let dir = tempfile::tempdir().unwrap();
    let claim = dir.path().join("proof/claim.txt");
    fs::create_dir_all(dir.path().join("proof")).unwrap();
    for arguments in [
        &["--proof=proof", "--no-such-option"][..],
        &["--no-such-option", "--proof", "proof"],
        &["--proo=proof", "--outf=x"],
        &["--proof=proof", "-t2"],
        &["unique", "--certify=proof", "--no-such-option"],
    ] {
        fs::write(&claim, "asp-proof 1\nclaim all\natoms 1\n").unwrap();
        let run = run_in(dir.path(), arguments, "a.");
        assert!(
            matches!(run.code, Some(1 | 64)) && !claim.exists(),
            "{arguments:?}: {:?} {}",
            run.code,
            run.stderr
        );
    }
    // A proof that is read is kept.
    for arguments in
        [&["proof/program.aspif", "--proof=proof"][..], &["proof/program.aspif", "--proof=proof", "-t2"]]
    {
        fs::write(&claim, "asp-proof 1\nclaim all\natoms 1\n").unwrap();
        fs::write(dir.path().join("proof/program.aspif"), "asp 1 0 0\n0\n").unwrap();
        assert!(run_in(dir.path(), arguments, "").code == Some(1) && claim.exists(), "{arguments:?}");
        fs::remove_file(dir.path().join("proof/program.aspif")).unwrap();
    }
    // Files after `--` are files.
    fs::write(&claim, "asp-proof 1\nclaim all\natoms 1\n").unwrap();
    assert_eq!(run_in(dir.path(), ["--no-such-option", "--", "--proof=proof"], "a.").code, Some(1));
    assert!(claim.exists());
}

/// Whatever ends a search early, it is said what is proven then.
#[test]
fn what_is_not_proven_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let claim = dir.path().join("proof/claim.txt");
    let unfinished = |program: &str, arguments: &[&str], said: &str| {
        fs::create_dir_all(dir.path().join("proof")).unwrap();
        fs::write(&claim, "asp-proof 1\nclaim all\natoms 1\n").unwrap();
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--proof=proof", "-"]).collect();
        let run = run_in(dir.path(), &arguments, program);
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
        fs::read_to_string(&claim).unwrap_or_default()
    };
    // With groups alone, counting over them would see it at once.
    let pigeons = PIGEONS.replace("1..3", "1..10").replace("1..4", "1..11").replace("P < Q", "P < Q, not x")
        + "{ x; y }. :- x, y. :- x, not y.";
    for limit in ["--solve-limit=5", "--time-limit=1"] {
        assert_eq!(
            unfinished(&pigeons, &[limit], "no proof was written to proof: the search"),
            "",
            "{limit}"
        );
    }
    let grounding = "p(1..99999). q(X,Y) :- p(X), p(Y).";
    assert_eq!(unfinished(grounding, &["--time-limit=1"], "no proof was written to proof: the search"), "");
    assert!(unfinished("{a;b}.", &["2"], "not that there are no others").contains("claim some"));
    assert!(unfinished("{a;b}. #minimize { 1 : not a }.", &["1"], "or better ones").contains("claim some"));
}
