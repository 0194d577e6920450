//! Every option of clingo's `--help=3` is known, and each either works or is accepted with a note; misspelt options and
//! wrong values are errors that name the nearest one.
//!
//! `tests/golden/options.txt` lists clingo's options as `record.py` found them in its `--help=3`; `[no-]` marks those with
//! a negation; `tests/oracle/options.rs` compares the list with the help.
//! `tests/golden/standing.txt` has the result, one line per option; `ASP_UPDATE=1` rewrites it.

use crate::support::update;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use asp_options::args;
use asp_options::check::check;
use asp_options::spec::{Standing, Takes};
use asp_options::table::{OPTIONS, find};

fn golden() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden"].iter().collect()
}

fn asp(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_asp"))
        .args(arguments)
        .current_dir(golden().join("programs"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// clingo's options: name, and whether it has a negation.
fn of_clingo() -> Vec<(String, bool)> {
    let text = fs::read_to_string(golden().join("options.txt")).unwrap();
    text.lines()
        .map(|l| l.strip_prefix("[no-]").map_or((l.to_string(), false), |n| (n.to_string(), true)))
        .collect()
}

/// A value that clingo takes, for each option that needs one.
const VALUES: &[(&str, &str)] = &[
    ("configuration", "trendy"),
    ("tester", "--heuristic=vsids"),
    ("share", "all"),
    ("trans-ext", "dynamic"),
    ("eq", "0"),
    ("solve-limit", "1000,100"),
    ("parallel-mode", "1"),
    ("global-restarts", "5,x,100,1.5"),
    ("distribute", "conflict,global,4"),
    ("integrate", "gp,512,ring"),
    ("enum-mode", "bt"),
    ("models", "1"),
    ("opt-mode", "optN,3"),
    ("opt-stop", "3,4"),
    ("opt-strategy", "usc,oll,disjoint,stratify"),
    ("opt-usc-shrink", "min,10"),
    ("opt-heuristic", "sign,model"),
    ("heuristic", "Vsids,95"),
    ("score-res", "multiset"),
    ("score-other", "all"),
    ("sign-def", "asp"),
    ("vsids-progress", "80,1,5000"),
    ("dom-mod", "level,show"),
    ("init-watches", "least"),
    ("update-mode", "conflict"),
    ("seed", "42"),
    ("sign-def-disj", "pos"),
    ("rand-freq", "0.01"),
    ("rand-prob", "10,50"),
    ("forget-on-step", "varScores,lemmas"),
    ("strengthen", "recursive,all,yes"),
    ("update-lbd", "glucose,2"),
    ("contraction", "250,no"),
    ("loops", "distinct"),
    ("restarts", "D,100,0.7"),
    ("reset-restarts", "repeat"),
    ("counter-restarts", "3,1023"),
    ("block-restarts", "5000,1.4,10000"),
    ("shuffle", "5,5"),
    ("deletion", "no"),
    ("del-grow", "1.1,20.0,x,100,1.5"),
    ("del-cfl", "+,10000,2000"),
    ("del-init", "3.0,500,19500"),
    ("del-max", "2000000,100"),
    ("del-glue", "2,0"),
    ("del-on-restart", "30"),
    ("const", "zzz=1"),
    ("output", "intermediate"),
    ("output-debug", "none"),
    ("warn", "no-other"),
    ("preserve-facts", "all"),
    ("show-preds", "a/0,-b/2"),
    ("time-limit", "100"),
    ("outf", "0"),
    ("out-atomf", "%0"),
    ("out-ifs", ";"),
    ("lemma-in", "no-lemmas.aspif"),
    ("lemma-out", "-"),
    ("lemma-out-lbd", "5"),
    ("lemma-out-max", "100"),
    ("lemma-out-dom", "input"),
    ("hcc-out", "x"),
    ("compute", "0"),
    ("mode", "clingo"),
];

fn value(name: &str) -> Option<&'static str> {
    VALUES.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
}

#[test]
fn every_option_of_clingo_is_one_of_three() {
    let names = of_clingo();
    assert!(names.len() > 100, "{} options", names.len());
    let mut table = String::from("# Each option of clingo --help=3, and what it is here.\n");
    for (name, negatable) in &names {
        let spec = find(name).unwrap_or_else(|| panic!("--{name} is unknown"));
        assert!(!negatable || spec.negatable, "--no-{name} is unknown");
        let standing = match spec.standing {
            Standing::Works => "works",
            Standing::Noted => "accepted with a note, no effect",
        };
        let name_shown = format!("--{}{name}", if *negatable { "[no-]" } else { "" });
        table.push_str(&format!("{name_shown:<28}{standing}\n"));
        if matches!(name.as_str(), "help" | "version" | "print-portfolio") {
            continue;
        }
        let argument = match spec.takes {
            Takes::Required(_) => {
                format!("--{name}={}", value(name).unwrap_or_else(|| panic!("no value for {name}")))
            }
            _ => format!("--{name}"),
        };
        let run = asp(&["unique.lp", &argument]);
        let messages = String::from_utf8(run.stderr).unwrap();
        assert!(matches!(run.status.code(), Some(0 | 10 | 30)), "{argument}: {:?}\n{messages}", run.status);
        let notes = messages.lines().filter(|l| l.contains("without effect")).count();
        let expected = usize::from(spec.standing == Standing::Noted);
        assert_eq!(notes, expected, "{argument}\n{messages}");
    }
    let path = golden().join("standing.txt");
    if update::is_wanted() {
        update::write(&path, &table);
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), table);
}

/// The counters of a run on clauses in DIMACS format.
fn counters_of(clauses: &str, arguments: &[&str]) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(clauses.as_bytes()).unwrap();
    let path = file.path().display().to_string();
    let run = asp(&[&["--mode=clasp", "--stats=2", &path], arguments].concat());
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn values_are_written_as_clingo_reads_them() {
    let values = ["opt-stop=no", "opt-stop=off", "seed=umax", "stats=no", "eq=umax", "restarts=off"];
    for value in values.iter().chain(&["sat-prepro=off", "dom-mod=off", "distribute=off", "contraction=off"])
    {
        let run = asp(&["queens.lp", "-c", "n=4", &format!("--{value}")]);
        let text = String::from_utf8_lossy(&run.stdout);
        assert_eq!(run.status.code(), Some(10), "--{value}");
        assert!(!text.contains("Choices"), "--{value}: {text}");
    }
}

#[test]
fn variable_elimination_can_be_switched() {
    // 3 is "1 and 2"; 3 or 4 holds.
    let gone = |arguments: &[&str]| {
        let text = counters_of("p cnf 4 4\n-3 1 0\n-3 2 0\n3 -1 -2 0\n3 4 0\n", arguments);
        let number = text.split("Eliminated:").nth(1).and_then(|rest| rest.split_whitespace().next());
        number.unwrap_or_else(|| panic!("{text}")).parse::<u32>().unwrap()
    };
    assert!(gone(&[]) > 0 && gone(&["--sat-prepro=1"]) > 0);
    assert_eq!((gone(&["--no-sat-prepro"]), gone(&["--sat-prepro=0"])), (0, 0));
    // All answer sets are wanted: no atom is eliminated.
    assert_eq!(gone(&["--sat-prepro", "0"]), 0);
}

#[test]
fn simplification_of_clauses_can_be_switched() {
    let mut state = 7u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut text = String::from("p cnf 170 760\n");
    for _ in 0..760 {
        for _ in 0..3 {
            text.push_str(&format!("{}{} ", if below(2) == 0 { "-" } else { "" }, 1 + below(170)));
        }
        text.push_str("0\n");
    }
    let vivified = |list: &str| counters_of(&text, &[list]).contains("Vivified");
    assert!(vivified("--inprocess=probe,vivify") && !vivified("--inprocess=no"));
}

#[test]
fn configurations_come_from_files_too() {
    let run_with = |text: &str, arguments: &[&str]| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let option = format!("--configuration={}", file.path().display());
        let run = asp(&[&["unique.lp", "-V0", &option], arguments].concat());
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let portfolio = String::from_utf8(asp(&["--print-portfolio"]).stdout).unwrap();
    assert_eq!(run_with(&portfolio, &["-t2"]), (Some(30), String::new()));
    assert_eq!(run_with("[a](tweety): --restarts=no\n", &[]), (Some(30), String::new()));
    // The set of the second thread is read if there is one.
    let broken = "[a]: --restarts=no\n[b]: --bla\n";
    assert_eq!(run_with(broken, &[]), (Some(30), String::new()));
    let info = "*** Info : (asp): Try '--help' for usage information\n";
    let (code, message) = run_with(broken, &["-t2"]);
    assert_eq!((code, message.ends_with(info)), (Some(128), true));
    assert!(message.starts_with("*** ERROR: (asp): In context '[b]': unknown option: 'bla'"), "{message}");
    let (code, message) = run_with("[a]: --no-lookback\n", &["--restarts=L,3"]);
    assert_eq!(code, Some(128), "{message}");
    // Options of clasp's own presets that asp does not have are noted.
    let (code, message) = run_with("[a]: --heuristic=Berkmin --contraction=250 --otfs=2\n", &[]);
    assert_eq!(code, Some(30));
    assert!(
        message.contains("--heuristic, --otfs, --contraction") || message.contains("--contraction"),
        "{message}"
    );
}

#[test]
fn lemmas_are_written_and_read() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("lemmas").display().to_string();
    let conflicts = |arguments: &[&str]| {
        let run = asp(&[&["hard.lp", "-q", "--stats", "--solve-limit=3000"], arguments].concat());
        let text = String::from_utf8(run.stdout).unwrap();
        let number = text.split("Conflicts    : ").nth(1).and_then(|rest| rest.split_whitespace().next());
        (run.status.code(), number.and_then(|n| n.parse::<u64>().ok()).unwrap_or(0))
    };
    let (code, _) = conflicts(&["--lemma-out", &path, "--lemma-out-lbd=5", "--lemma-out-max=100"]);
    assert_eq!(code, Some(0));
    let lemmas = fs::read_to_string(&path).unwrap();
    assert_eq!((lemmas.lines().count(), lemmas.starts_with("asp 1 0 0\n1 0 0 0 ")), (102, true));
    assert_eq!(conflicts(&["--lemma-in", &path]).0, Some(0));
    for (arguments, code, message) in [
        (["--lemma-in", "no-such-file"], 128, "'lemma-in': could not open file!"),
        (["--lemma-in", "hard.lp"], 65, "'lemma-in': hard.lp:1: expected a line '1 0 0 0 LENGTH LITERAL...'"),
        (["--lemma-out", "no-such-folder/x"], 1, "Could not open lemma log file 'no-such-folder/x'!"),
    ] {
        let run = asp(&[&["unique.lp"], &arguments[..]].concat());
        let messages = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(code), "{messages}");
        assert!(messages.contains(message), "{messages}");
    }
}

#[test]
fn several_options_without_effect_make_one_note() {
    let run = asp(&["unique.lp", "--nant", "--eq=3", "--no-backprop", "-d", "sort"]);
    let messages = String::from_utf8(run.stderr).unwrap();
    assert_eq!(
        messages,
        "*** Info : (asp): options without effect here: --eq, --deletion, --nant, --backprop\n"
    );
    assert_eq!(run.status.code(), Some(30));
}

#[test]
fn misspelt_options_are_errors_with_the_nearest_name() {
    for spec in OPTIONS.iter().filter(|o| o.long.len() > 5) {
        // With the last two letters swapped, if they differ.
        let (head, tail) = spec.long.split_at(spec.long.len() - 2);
        let swapped: String = tail.chars().rev().collect();
        if swapped == tail {
            continue;
        }
        let run = asp(&["unique.lp", &format!("--{head}{swapped}")]);
        let messages = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(1), "--{head}{swapped}: {messages}");
        assert!(messages.contains(&format!("did you mean '--{}'", spec.long)), "{messages}");
        assert!(run.stdout.is_empty());
    }
}

#[test]
fn wrong_values_are_errors_with_the_nearest_word() {
    for (argument, near) in [
        ("--opt-mode=otp", "opt"),
        ("--restarts=q,100", ""),
        ("--deletion=sotr", "sort"),
        ("--loops=comon", "common"),
        ("--heuristic=Vsid", "vsids"),
        ("--configuration=jumpi", "jumpy"),
        ("-Wnoone", "none"),
        ("--sat-prepro=9", ""),
        ("--mode=clapp", "clasp"),
    ] {
        let run = asp(&["unique.lp", argument]);
        let messages = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(1), "{argument}: {messages}");
        assert!(
            near.is_empty() || messages.contains(&format!("did you mean '{near}'")),
            "{argument}: {messages}"
        );
    }
}

#[test]
fn help_version_list_and_generated_files_exit_with_0() {
    for (arguments, text) in [
        (&["--help"][..], "Examples:"),
        (&["-h2"], "--restarts"),
        (&["--help=3", "no-such-file.lp"], "--hcc-out"),
        (&["cubes", "queens.lp", "--help"], "Split the search space"),
        (&["count", "queens.lp", "--help"], "Count answer sets"),
        (&["--version"], concat!("asp version ", env!("CARGO_PKG_VERSION"), "\n")),
        (&["-v"], "Build:"),
        (&["--list"], ""),
        (&["--warn=help"], "atom-undefined"),
        (&["--generate=bash"], "complete"),
        (&["--generate=zsh"], "#compdef asp"),
        (&["--generate=fish"], "complete -c asp"),
        (&["--generate=man"], ".TH asp"),
        (&["--print-portfolio"], "solver.0"),
    ] {
        let run = asp(arguments);
        let output = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(0), "{arguments:?}");
        assert!(output.contains(text), "{arguments:?}: {output}");
        assert!(run.stderr.is_empty(), "{arguments:?}");
    }
}

/// Values on which we differ, and why. A name alone stands for all its values.
const OTHER_VALUES: &[&str] = &[
    // These terms and names are read, and rejected, with the program.
    "const",
    // More is accepted: decimals of seconds, lines of JSON, numbers of 64 bits, warnings as errors.
    "time-limit=0.5",
    "time-limit=1.5",
    "time-limit=1e3",
    "time-limit=4294967296",
    "outf=jsonl",
    "outf=csv",
    "warn=error",
    // Renderer are accepted in upper and lower case.
    "warn=All",
    "warn=None",
    "preserve-facts=None",
    "restarts=X,10,1.5",
    "del-cfl=X,10,1.5",
    // Not a signature.
    "show-preds=a/-1",
    "show-preds=A/0",
    "show-preds=a/0,",
    // There is no strategy or preset of that name.
    "opt-strategy=bb,4",
    "configuration=tweety,1",
    // The parts may come in any order.
    "opt-strategy=usc,oll,oll",
    "opt-strategy=usc,stratify,oll",
    "opt-strategy=usc,oll,8",
    "opt-strategy=usc,3,disjoint",
    "opt-strategy=usc,disjoint,3",
    "opt-strategy=usc,1,2",
    "opt-strategy=usc,15,1",
    // The kinds of averages after the limit have no counterpart.
    "restarts=D,100,0.7,20,es,x",
    "restarts=D,100,0.7,20,q",
    "restarts=D,100,0.7,es",
    "restarts=D,100,0.7,20,d,n,d,50",
    "restarts=D,100,0.7,20,e,1",
    "restarts=D,100,0.7,20,1",
    "restarts=D,100,0.7,2.5",
];

/// `tests/golden/values.txt` has the values that clingo accepts and rejects.
#[test]
fn values_are_taken_and_refused_as_by_clingo() {
    let text = fs::read_to_string(golden().join("values.txt")).unwrap();
    let mut wrong = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let mut words = line.split(' ');
        let (verdict, name) = (words.next() == Some("+"), words.next().unwrap());
        for value in words {
            let argv = [format!("--{name}{}", if value == "-" { "" } else { value })];
            let taken = args::parse(&argv).is_ok_and(|args| check(&args).is_ok());
            let deliberate = OTHER_VALUES.iter().any(|o| *o == name || argv[0] == format!("--{o}"));
            if taken != verdict && !deliberate {
                wrong.push(format!("{} {}", if verdict { "taken" } else { "refused" }, argv[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "clingo differs: {}\n{}", wrong.len(), wrong.join("\n"));
}
