//! Rewritings preserve the answer sets: the same program with all of them, with every possible cut, and with none, over
//! the corpus and over random programs full of joins; and the reports on grounding.

use crate::support::{corpus, update};
use asp_base::rng::Rng;
use asp_rewrite::improve::{Rewriting, Rewritings};
use std::path::Path;
use std::process::{Command, Output};

pub(crate) fn set(words: &str) -> Rewritings {
    let mut rewritings = Rewritings::default();
    rewritings.obey(words).expect("known words");
    rewritings
}

/// The answer sets with their costs, sorted; `None` if there are more than 3000 or the program has errors.
pub(crate) fn answers(
    program: &str,
    rewritings: Rewritings,
    adjust: fn(&mut asp::Control),
) -> Option<Vec<String>> {
    let mut control = asp::Control::new();
    control.settings.ground.rewritings = rewritings;
    adjust(&mut control);
    control.add(program);
    let mut found = Vec::new();
    let all = control.solve(0, |answer| {
        let mut atoms: Vec<String> = answer.to_string().split(' ').map(String::from).collect();
        atoms.sort_unstable();
        found.push(format!("{} {:?}", atoms.join(" "), answer.costs()));
        found.len() <= 3000
    });
    all.ok()?;
    found.sort_unstable();
    (found.len() <= 3000).then_some(found)
}

/// Whether a rewriting applies to a statement of a program of which only answers are wanted.
pub(crate) fn is_rewritten(program: &str, name: &str) -> bool {
    let mut control = asp::Control::new();
    control.settings.ground.rewritings = set("eager");
    control.settings.ground.answers_only = true;
    control.settings.ground.explain = true;
    control.add(program);
    control.ground().is_ok()
        && control.journal().is_some_and(|j| j.rewritten.iter().any(|r| r.name.contains(name)))
}

/// Returns whether the program was compared; a difference fails the test.
#[track_caller]
pub(crate) fn agree(program: &str) -> bool {
    let Some(expected) = answers(program, Rewritings::none(), |_| {}) else { return false };
    for words in ["all", "eager"] {
        let found = answers(program, set(words), |_| {}).expect("as many");
        assert_eq!(found, expected, "--rewrite={words}\n{program}");
    }
    true
}

#[test]
fn of_the_corpus() {
    let (mut compared, mut cases) = (0, 0);
    for path in corpus::files("corpus", "lp") {
        for case in corpus::read(&path) {
            // Optimisation and incremental programs have their own modes; here all answer sets are compared.
            let other = ["incmode", ":~", "#minimi", "#maximi"];
            if case.arguments.is_empty() && !other.iter().any(|w| case.text.contains(w)) {
                cases += 1;
                compared += usize::from(agree(&case.text));
            }
        }
    }
    assert!(compared > 200, "{compared} of {cases}");
}

#[test]
fn of_the_library() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut open = vec![programs];
    let mut compared = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
            open.sort();
        } else if path.extension().is_some_and(|e| e == "lp") {
            let text = std::fs::read_to_string(&path).unwrap();
            // Without an instance most are small or have no answer set; both must remain so.
            let short = format!("#const n = 3.\n{text}");
            compared += usize::from(agree_quickly(&short));
        }
    }
    assert!(compared > 5, "{compared}");
}

/// As [`agree`], but programs with many answer sets are not compared.
fn agree_quickly(program: &str) -> bool {
    let few = |program: &str, rewritings| answers(program, rewritings, |_| {}).filter(|all| all.len() <= 50);
    let Some(expected) = few(program, Rewritings::none()) else { return false };
    let found = few(program, Rewritings::all());
    assert_eq!(found.as_ref(), Some(&expected), "{program}");
    true
}

/// A random program of choices, facts, joins and exclusions.
fn random(rng: &mut Rng) -> String {
    let mut out =
        String::from("{ p(1..2,1..2) }. { q(1..3) }. f(1..3,1). f(2,2). f(1,3). g(1..2). v :- not w.\n");
    for _ in 0..1 + rng.below(3) {
        let mut body: Vec<String> = Vec::new();
        let names = &["A", "B", "C", "D", "E"][..2 + rng.below(4) as usize];
        let one = |of: &[&'static str], rng: &mut Rng| of[rng.below(of.len() as u64) as usize];
        for _ in 0..2 + rng.below(4) {
            let (x, y) = (one(names, rng), one(names, rng));
            body.push(match rng.below(5) {
                0 | 1 => format!("p({x},{y})"),
                2 => format!("q({x})"),
                3 => format!("f({x},{y})"),
                _ => format!("g({x})"),
            });
        }
        let used: Vec<&str> = names.iter().copied().filter(|n| body.iter().any(|l| l.contains(n))).collect();
        for _ in 0..rng.below(3) {
            let (x, y) = (one(&used, rng), one(&used, rng));
            body.push(match rng.below(8) {
                0..=2 => format!("{x} != {y}"),
                3 => format!("{x} < {y}"),
                4 => format!("{x} + {y} != 3"),
                5 => format!("|{x} - {y}| = 1"),
                6 => format!("not q({x})"),
                _ => format!("{x}/2 = {y}/2"),
            });
        }
        if rng.below(5) == 0 {
            body.push(format!("#count {{ Z : p({},Z) }} > 0", one(&used, rng)));
        }
        let (x, y) = (one(&used, rng), one(&used, rng));
        let head = match rng.below(8) {
            0 => format!("h({x})"),
            1 => format!("{{ h({x}) }}"),
            2 => format!("h({x}) | k({y})"),
            3 => "w".to_string(),
            // In recursion.
            4 => format!("f({x},{y})"),
            _ => String::new(),
        };
        // Only its own head stops the rule, or other rules derive it, too.
        if matches!(head.as_bytes(), [b'w'] | [b'h', .., b')']) && !head.contains('|') && rng.below(2) == 0 {
            body.push(format!("not {head}"));
        }
        out.push_str(&format!("{head} :- {}.\n", body.join(", ")));
    }
    // Mirrored pairs, the shape of exclusions.
    if rng.below(2) == 0 {
        let key =
            ["A = B", "A/2 = B/2", "X+A = Y+B", "|X-Y| = |A-B|", "f(X,1), f(Y,1)", "q(X), q(Y)", "not w"];
        let apart = ["X != Y", "X < Y", "(X,A) != (Y,B)", "(A,X) < (B,Y)", "X != Y, A != B"];
        let key = key[rng.below(7) as usize];
        out.push_str(&format!(":- p(X,A), p(Y,B), {}, {key}.\n", apart[rng.below(5) as usize]));
    }
    out
}

#[test]
fn of_random_programs() {
    let seeds = std::env::var("ASP_RANDOM_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(600);
    let mut compared = 0;
    for seed in 0..seeds {
        compared += u64::from(agree(&random(&mut Rng::new(seed))));
    }
    assert!(compared * 10 > seeds * 9, "{compared} of {seeds}");
}

/// The ground program of a statement over 20 x 30 and 20 x 10 open atoms, without their choices.
fn ground_lines(statement: &str, words: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let choices = "{ q(1..20,1..30) }. { r(1..20,1..10) }.";
    std::fs::write(folder.path().join("a.lp"), format!("{choices} {statement}")).expect("a file");
    let output = asp(folder.path(), &["a.lp", "--text", &format!("--rewrite={words}")]);
    let text = String::from_utf8(output.stdout).expect("text");
    // Shown signatures are written if there are auxiliary atoms.
    text.lines().filter(|l| !l.starts_with('{') && !l.contains('/')).map(String::from).collect()
}

/// Statements whose instances are outputs: without projection one per pair of 600 atoms and 10 others, with it one per
/// pair of 20 and 10.
#[test]
fn outputs_are_projected() {
    for (statement, text) in [
        ("#show s(X,Y) : q(X,_), r(X,Y).", "#show s(1,1):x_"),
        (":~ q(X,_), r(X,Y). [X@2,Y]", ":~x_"),
        ("#edge (X,Y) : q(X,_), r(X,Y).", "#edge(1,1):x_"),
    ] {
        let (all, none) = (ground_lines(statement, "all"), ground_lines(statement, "none"));
        assert_eq!((all.len(), none.len()), (600 + 200, 6000), "{all:?}");
        assert!(all.iter().any(|l| l.starts_with(text)), "{text}: {all:?}");
    }
}

/// The values that an aggregate assigns multiply, too.
#[test]
fn values_of_aggregates_are_not_multiplied() {
    for head in ["#show s(X,N) :", "s(X,N) :-"] {
        let statement = format!("{head} N = #sum {{ Y : r(X,Y), Y < 4 }}, q(X,_).");
        let of_s = |words| ground_lines(&statement, words).iter().filter(|l| l.contains("s(")).count();
        assert_eq!((of_s("all"), of_s("none")), (20 * 7, 600 * 7), "{statement}");
    }
    // Certain elements have one value, so there is nothing to gain.
    let statement = "#show s(X,N) : N = #count { Y : Y = 1..3 }, q(X,_).";
    assert_eq!(ground_lines(statement, "all"), ground_lines(statement, "none"));
}

/// The costs of all answer sets and what they show, sorted.
#[test]
fn outputs_stay_the_same() {
    let program = "{ q(1..2,1..2) }. { r(1..2,1) }. n(1..2).
        #show s(X,Y,N) : q(X,_), r(X,Y), N = #sum { Z : q(X,Z) }.
        :~ q(X,_), r(X,Y), n(Z), Z != Y. [X@Y,Y]
        #edge (X,Y) : q(X,_), r(Y,_), n(Z), Z != X.";
    let answers = |words: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.lp"), program).expect("a file");
        let rewrite = format!("--rewrite={words}");
        let output = asp(folder.path(), &["a.lp", "0", "--opt-mode=enum", &rewrite]);
        let text = String::from_utf8(output.stdout).expect("text");
        let mut found: Vec<String> = text
            .split("Answer: ")
            .skip(1)
            .map(|answer| {
                let lines: Vec<&str> = answer.lines().collect();
                let mut atoms: Vec<&str> = lines[1].split(' ').collect();
                atoms.sort_unstable();
                format!("{} {}", atoms.join(" "), lines[2])
            })
            .collect();
        found.sort_unstable();
        found
    };
    let expected = answers("none");
    assert!(expected.len() > 10, "{expected:?}");
    assert_eq!(answers("all"), expected);
    assert_eq!(answers("eager"), expected);
}

#[test]
fn over_steps() {
    let program = "#include <incmode>. #const istop=\"SAT\".
        #program base. at(1,0). e(1..4,1..4).
        #program step(t). {at(Y,t) : e(X,Y), at(X,t-1)}. :- at(X,t), at(Y,t), X != Y. :- not at(_,t).
        :- at(X,t), at(Y,t-1), e(X,A), e(B,Y), A > 3, B > 3, X = Y.
        #program check(t). :- query(t), not at(4,t). :- query(t), t < 3.";
    let calls = |words: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.lp"), program).expect("a file");
        let output = asp(folder.path(), &["a.lp", "0", &format!("--rewrite={words}"), "-q"]);
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().filter(|l| l.starts_with("Models") || l.starts_with("Calls")).collect::<String>()
    };
    assert_eq!(calls("all"), calls("none"));
    assert_eq!(calls("eager"), calls("none"));
}

fn asp(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_asp"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary runs")
}

/// Standard error of a run on a program in `a.lp`.
fn errors(program: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.lp"), program).expect("a file");
    let arguments = [&["a.lp"], arguments].concat();
    String::from_utf8(asp(folder.path(), &arguments).stderr).expect("text")
}

#[test]
fn each_can_be_switched_off() {
    let page = std::fs::read_to_string(page()).expect("the page");
    let program =
        page.split_once("pairs.lp -->\n```prolog\n").expect("the program").1.split_once("```").unwrap().0;
    let all = errors(program, &["--explain-rewrites", "-q"]);
    let none = errors(program, &["--explain-rewrites", "-q", "--rewrite=none"]);
    assert_eq!(none, "Rewritings: 0\n");
    for r in Rewriting::ALL {
        // Chains are the solver's, and not in the report.
        assert!(all.contains(r.name()) || r == Rewriting::Chains, "{all}");
        let without = errors(program, &["--explain-rewrites", "-q", &format!("--rewrite=no-{}", r.name())]);
        assert!(!without.contains(r.name()), "{without}");
    }
}

fn page() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/grounding.md")
}

/// Times and shares as `#`.
fn masked(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let number = |w: &str| w.contains('.') && w.parse::<f64>().is_ok();
        let times = line.starts_with("Profile") || line.contains('%') && line.contains("s ");
        let mask = |w: &str| match w.strip_suffix(['s', '%']).unwrap_or(w) {
            n if times && number(n) => "#".to_string(),
            _ => w.to_string(),
        };
        let indent = line.len() - line.trim_start().len();
        out.push_str(&" ".repeat(if times { indent.min(2) } else { indent }));
        out.push_str(&match times {
            true => line.split_whitespace().map(mask).collect::<Vec<_>>().join(" "),
            false => line.trim().to_string(),
        });
        out.push('\n');
    }
    // Fast statements may come in any order.
    if let Some((head, statements)) = out.split_once("  # # ") {
        let mut statements: Vec<&str> = statements.split("  # # ").collect();
        let instances = |s: &str| s.split(' ').next().and_then(|n| n.parse::<u64>().ok());
        statements.sort_by_key(|s| std::cmp::Reverse(instances(s)));
        return statements.iter().fold(head.to_string(), |text, s| text + "  # # " + s);
    }
    out
}

/// The page with its blocks as the binary writes them. `ASP_UPDATE=1` rewrites it.
#[test]
fn the_page_shows_what_is_printed() {
    let shown = std::fs::read_to_string(page()).expect("the page");
    let folder = tempfile::tempdir().expect("a folder");
    let mut written = String::new();
    let mut lines = shown.lines();
    let mut runs = 0;
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        let announced = line.strip_prefix("<!-- ").and_then(|l| l.strip_suffix(" -->")?.split_once(": "));
        let Some((what, rest)) = announced else { continue };
        let fence = lines.next().expect("a block follows");
        let block: String =
            lines.by_ref().take_while(|l| !l.starts_with("```")).map(|l| l.to_string() + "\n").collect();
        let block = match what {
            "program" => {
                std::fs::write(folder.path().join(rest), &block).expect("a file");
                block
            }
            _ => {
                runs += 1;
                let output = asp(folder.path(), &rest.split(' ').collect::<Vec<_>>());
                let stdout = if rest.contains("help") { &output.stdout[..] } else { &[] };
                masked(&String::from_utf8_lossy(&[stdout, &output.stderr].concat()))
            }
        };
        written.push_str(&format!("{fence}\n{block}```\n"));
    }
    assert!(runs >= 4, "{runs} runs");
    if update::is_wanted() {
        update::write(page(), written);
    } else {
        assert_eq!(
            shown, written,
            "docs/grounding.md is stale: ASP_UPDATE=1 cargo test --test language rewriting"
        );
    }
}

#[test]
fn the_most_expensive_statement_comes_first() {
    let program = "e(X,X+1) :- X = 1..300. t(X,Y) :- e(X,Y).\nt(X,Z) :- t(X,Y), e(Y,Z).\n";
    let text = errors(program, &["--profile", "-q"]);
    let shares: Vec<f64> = text.lines().filter_map(|l| l.split_once('%')?.0.trim().parse().ok()).collect();
    assert!(shares.len() == 3 && shares.is_sorted_by(|a, b| a >= b), "{text}");
    assert!(shares.iter().sum::<f64>() <= 100.1, "{text}");
    let found = |l: &str| l.contains(" 44850 ") && l.contains("a.lp:2:1: t(X,Z) :- t(X,Y), e(Y,Z).");
    let order = text.lines().skip_while(|l| !found(l)).nth(1).expect("the rule");
    assert_eq!(order.trim(), "join: new t(X,Y), e(Y,Z)", "{text}");
    // Also if a limit stops it.
    let stopped = errors("n(0). n(X+1) :- n(X).", &["--profile", "--ground-limit=5000"]);
    assert!(stopped.contains("Profile of grounding") && stopped.contains("join: new n(X)"), "{stopped}");
}

#[test]
fn unknown_words_are_named() {
    let text = errors("a.", &["--rewrite=no-symetry"]);
    assert!(text.contains("'no-symetry' invalid value for: 'rewrite'; did you mean 'symmetry'?"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let help = String::from_utf8(asp(folder.path(), &["--rewrite=help"]).stdout).expect("text");
    for r in Rewriting::ALL {
        assert!(help.contains(r.name()), "{help}");
    }
}
