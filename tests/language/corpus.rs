//! The corpus: small programs, named by what they guard, with their answer sets recorded from clingo.
//!
//! `tests/support/record.py` describes the files and records them.

use crate::support::earley::Recognizer;
use crate::support::grammar::Grammar;
use crate::support::oracle::Oracle;
use crate::support::outcome::{Mode, Outcome};
use crate::support::{corpus, coverage, library, subject};
use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_syntax::cut::Cut;
use asp_syntax::lexer::Lexer;
use asp_syntax::token::Token;
use asp_syntax::{Input, NoFiles, parse};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// The binary's result for a case, in the form of the `.expected` files.
fn observed(case: &corpus::Case) -> String {
    let mut arguments: Vec<&str> = case.arguments.iter().map(String::as_str).collect();
    let objective = [":~", "#minimi", "#maximi"].iter().any(|w| case.text.contains(w));
    if objective && !arguments.iter().any(|a| a.starts_with("--opt-mode")) {
        arguments.push("--opt-mode=optN");
    }
    arguments.extend(["0", "--outf=2"]);
    let run = subject::run(&case.text, &arguments, Duration::from_secs(20));
    let Some(code) = run.code else { return "killed\n".to_owned() };
    let mut out = format!("exit {code}\n");
    if code == 65 {
        return out;
    }
    let Ok(json) = serde_json::from_str::<Value>(&run.stdout) else {
        return format!("{out}no JSON: {}{}\n", run.stdout, run.stderr);
    };
    let consequences = arguments.iter().any(|a| a.contains("brave") || a.contains("cautious"));
    for call in json["Call"].as_array().map_or(&[][..], Vec::as_slice) {
        out.push_str("call\n");
        let mut witnesses = call["Witnesses"].as_array().map_or(&[][..], Vec::as_slice);
        if consequences {
            witnesses = &witnesses[witnesses.len().saturating_sub(1)..];
        } else if let Some(optimal) = json["Models"]["Optimal"].as_u64() {
            if arguments.contains(&"--opt-mode=optN") {
                witnesses = &witnesses[witnesses.len().saturating_sub(optimal as usize)..];
            } else {
                let costs = witnesses.last().map(costs).unwrap_or_default();
                out.push_str(&format!("  {}\n", costs.trim_start()));
                continue;
            }
        }
        let mut lines: Vec<String> = witnesses
            .iter()
            .map(|w| format!("  {}{}", symbols(w), costs(w)).trim_end().to_owned() + "\n")
            .collect();
        lines.sort();
        lines.iter().for_each(|l| out.push_str(l));
    }
    out
}

fn symbols(witness: &Value) -> String {
    let list = witness["Value"].as_array().map_or(&[][..], Vec::as_slice);
    let mut symbols: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols.join(" ")
}

fn costs(witness: &Value) -> String {
    let Some(costs) = witness["Costs"].as_array() else { return String::new() };
    let costs: Vec<String> = costs.iter().map(Value::to_string).collect();
    format!(" [{}]", costs.join(", "))
}

/// The lines of an expectation, sorted where the order is irrelevant.
fn normal(expected: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut start = 0;
    for line in expected.lines() {
        if !line.starts_with("  ") && !line.is_empty() {
            out[start..].sort_unstable();
            start = out.len() + 1;
        }
        out.push(line);
    }
    out[start.min(expected.lines().count())..].sort_unstable();
    out.join("\n")
}

/// The terminals of each statement of a text.
fn statements(text: &str, tokens: &std::collections::HashMap<String, String>) -> Vec<Vec<String>> {
    let (mut out, mut lexer, mut buffer) = (Vec::new(), Lexer::new(text, 0), Vec::new());
    loop {
        let mut cut = Cut { text, start: 0, bad: &[], tokens: &mut buffer, error: None };
        cut.statement(&mut lexer);
        if buffer.is_empty() {
            return out;
        }
        let terminal = |(_, token, _): &(u32, Token, u32)| tokens[&format!("{token:?}")].clone();
        out.push(buffer.iter().map(terminal).collect());
    }
}

/// Statements that clingo does not have, so that no case recorded from it can.
const OWN: &str = "
    $p > 1. $p(X)+1 = $q(1,2) :- d(X).
    #distinct { $p; $q(X) : d(X) }. #disjoint { $p@2, 1 : d(X); $q }. #cumulative { $p@2, X : d(X) } <= 3. #distinct { }.
    a :- #distinct { $p }, not #cumulative { $p, 2 } <= 1.
";

/// Every alternative of every production of the grammar file is used by some case.
#[test]
fn the_corpus_uses_the_whole_grammar() {
    let grammar = Grammar::read();
    let recognizer = Recognizer::new(&grammar);
    let mut used = BTreeSet::new();
    for path in corpus::files("corpus", "lp") {
        for case in corpus::read(&path) {
            for statement in statements(&case.text, &grammar.tokens) {
                let productions = recognizer.productions(&statement);
                let productions = productions.unwrap_or_else(|| panic!("{}: {statement:?}", case.name));
                used.extend(productions);
            }
        }
    }
    for statement in statements(OWN, &grammar.tokens) {
        used.extend(recognizer.productions(&statement).unwrap_or_else(|| panic!("{statement:?}")));
    }
    let all = 0..grammar.productions.len();
    let missing: Vec<String> = all.filter(|p| !used.contains(p)).map(|p| grammar.show(p)).collect();
    assert!(grammar.productions.len() > 250, "{} productions", grammar.productions.len());
    assert!(missing.is_empty(), "no case has: {missing:#?}");
}

/// Every construct of the language occurs in some case.
#[test]
fn the_corpus_covers_the_language() {
    let mut visitor = coverage::Visitor { seen: coverage::Seen::new() };
    for path in corpus::files("corpus", "lp") {
        for case in corpus::read(&path) {
            let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
            let input = Input::new(case.name, case.text);
            let parsed = parse(vec![input], &mut symbols, &mut sources, &mut NoFiles);
            visitor.program(&parsed.program);
        }
    }
    let missing: Vec<String> = coverage::required().difference(&visitor.seen).cloned().collect();
    assert!(missing.is_empty(), "no case has: {missing:#?}");
}

#[test]
fn every_case_gives_what_was_recorded() {
    let only = std::env::var("ASP_CASE").ok();
    let (mut failures, mut count) = (0, 0);
    for path in corpus::files("corpus", "lp") {
        let expected = corpus::sections(&path.with_extension("expected"));
        let cases = corpus::read(&path);
        assert_eq!(cases.len(), expected.len(), "{} is out of date", path.display());
        for (case, (name, expected)) in cases.iter().zip(&expected) {
            assert_eq!(&case.name, name, "{} is out of date", path.display());
            if only.as_ref().is_some_and(|o| !name.contains(o.as_str())) {
                continue;
            }
            count += 1;
            let observed = observed(case);
            if normal(&observed) != normal(expected) {
                failures += 1;
                let arguments = case.arguments.join(" ");
                eprintln!(
                    "== {name} {arguments}\n{}-- expected:\n{expected}-- observed:\n{observed}",
                    case.text
                );
            }
        }
    }
    assert_eq!(failures, 0, "of {count} cases");
    assert!(only.is_some() || count >= 400, "{count} cases");
}

/// The ground program as text has the same answer sets as the program, here and in clingo.
#[test]
fn ground_text_has_the_answer_sets_of_its_program() {
    let mut oracle = Oracle::start();
    let only = std::env::var("ASP_CASE").ok();
    let (mut failures, mut count) = (0, 0);
    for path in corpus::files("corpus", "lp") {
        let expected = corpus::sections(&path.with_extension("expected"));
        for (mut case, (_, expected)) in corpus::read(&path).into_iter().zip(expected) {
            // Steps are grounded one after the other, each with the results of the previous one; the least integer is
            // written as an operation.
            let skipped = expected.starts_with("exit 65")
                || case.text.contains("incmode")
                || expected.contains("-9223372036854775808");
            if skipped || only.as_ref().is_some_and(|o| !case.name.contains(o.as_str())) {
                continue;
            }
            count += 1;
            let mut arguments: Vec<&str> = case.arguments.iter().map(String::as_str).collect();
            arguments.push("--text");
            let ground = subject::run(&case.text, &arguments, Duration::from_secs(20)).stdout;
            // Arguments that remain for the solver.
            while let Some(at) = case.arguments.iter().position(|a| a == "-c" || a == "--const") {
                case.arguments.drain(at..at + 2);
            }
            // Definitions of theories are not part of a ground program.
            let start = case.text.find("#theory").unwrap_or(case.text.len());
            let theory = &case.text[start..];
            let ground = theory[..theory.find("}.").map_or(0, |end| end + 2)].to_owned() + &ground;
            case.text = ground.clone();
            let observed = observed(&case);
            if normal(&observed) != normal(&expected) {
                failures += 1;
                eprintln!("== {}\n{ground}-- expected:\n{expected}-- observed:\n{observed}", case.name);
            }
            let large = ground.split(|c: char| !c.is_ascii_digit()).any(|n| n.len() > 9);
            if let (Some(oracle), false) = (&mut oracle, case.differs || large) {
                let objective = [":~", "#minimi", "#maximi"].iter().any(|w| ground.contains(w));
                let mode = if objective { Mode::OptEnum } else { Mode::All };
                let (theirs, ours) = (oracle.solve(&ground, mode, 5000), library::solve(&ground, mode, 5000));
                if theirs != ours {
                    failures += 1;
                    eprintln!("== {}\n{ground}-- reference: {theirs}-- here: {ours}", case.name);
                }
            }
        }
    }
    assert_eq!(failures, 0, "of {count} cases");
    assert!(only.is_some() || count >= 350, "{count} cases");
}

/// The programs on the page about differences behave in both systems as it says.
#[test]
fn the_page_of_differences_is_true() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/differences-from-clingo.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let mut oracle = Oracle::start();
    let blocks = page.split("```asp\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut count = 0;
    for block in blocks {
        count += 1;
        let check = |system: &str, observed: &Outcome| {
            let wanted = block.lines().find_map(|l| l.strip_prefix(system));
            let wanted = wanted.unwrap_or_else(|| panic!("{block}\nsays nothing after {system}"));
            assert_eq!(in_braces(&outcome(observed)), in_braces(wanted), "{block}");
        };
        check("% asp:", &library::solve(block, Mode::All, 100));
        if let Some(oracle) = &mut oracle {
            check("% clingo:", &oracle.solve(block, Mode::All, 100));
        }
    }
    assert!(count > 20, "only {count} programs");
}

/// Answer sets in braces, or `error`.
fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Models(models) => models.iter().map(|m| format!("{{{}}} ", m.shown.join(" "))).collect(),
        _ => "error".to_owned(),
    }
}

/// The same as sets; whether it is `error` distinguishes that from empty braces.
fn in_braces(text: &str) -> (bool, BTreeSet<BTreeSet<&str>>) {
    let sets = text.split('{').skip(1).map(|s| s.split('}').next().unwrap_or_default().split_whitespace());
    (text.trim() == "error", sets.map(Iterator::collect).collect())
}
