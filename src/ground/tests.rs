//! Texts and what they are grounded to.
//!
//! `golden.txt` has one program a construct with its ground text and messages; every answer set of each was compared
//! with clingo's when it was recorded. To record again after a change of the text form, run with `BLESS=1`, then read
//! the difference.

use super::*;
use crate::base::span::Sources;
use crate::program::{brute_force, text};
use crate::syntax::{self, Input, NoFiles};

struct Ground {
    result: Result<(), GroundError>,
    symbols: Symbols,
    sources: Sources,
    program: Program,
    diagnostics: Vec<Diagnostic>,
}

fn run(program_text: &str, options: GroundOptions) -> Ground {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let inputs = vec![Input::new("test", program_text)];
    let parsed = syntax::parse(inputs, &mut symbols, &mut sources, &mut NoFiles);
    let (mut program, mut diagnostics) = (Program::new(), parsed.diagnostics);
    let mut grounder = Grounder::new(options);
    let result = if grounder.add(&parsed.program, &[], &mut symbols, &mut diagnostics) {
        let base = symbols.intern("base");
        let interrupt = Interrupt::new();
        grounder.ground(&[(base, Vec::new())], &mut symbols, &mut program, &interrupt, &mut diagnostics)
    } else {
        Err(GroundError::Invalid)
    };
    Ground { result, symbols, sources, program, diagnostics }
}

/// The ground program as text, then the messages (lints only if asked for) with the texts of their places.
fn ground(program_text: &str, lints: bool) -> String {
    let g = run(program_text, GroundOptions { keep_facts: true, ..GroundOptions::default() });
    let mut out = match g.result {
        Ok(()) => text::to_text(&g.program, &g.symbols),
        Err(_) => String::new(),
    };
    let wanted = |k: Option<WarningKind>| lints || !matches!(k, Some(WarningKind::Lint(_)));
    for d in g.diagnostics.iter().filter(|d| wanted(d.kind)) {
        let kind = d.kind.map_or(String::new(), |k| format!(" [{}]", k.name()));
        out.push_str(&format!("{}: {}{kind}\n", format!("{:?}", d.severity).to_lowercase(), d.message));
        for l in &d.labels {
            let place = g.sources.locate(l.span).map_or((0, 0), |(_, line, column)| (line, column));
            let text = g.sources.text(l.span);
            let gap = if l.text.is_empty() { "" } else { " " };
            out.push_str(&format!("  {}:{} {text}{gap}{}\n", place.0, place.1, l.text));
        }
        d.help.iter().for_each(|h| out.push_str(&format!("  help: {h}\n")));
    }
    out
}

/// The answer sets' named atoms but `hidden`.
fn answer_sets(program_text: &str, hidden: &str) -> Vec<Vec<String>> {
    let g = run(program_text, GroundOptions::default());
    assert_eq!(g.result, Ok(()), "{program_text}\n{:?}", g.diagnostics);
    let sets = brute_force::answer_sets(&g.program, &g.symbols);
    let mut sets: Vec<Vec<String>> = sets
        .iter()
        .map(|s| s.atoms(&g.program, &g.symbols).into_iter().filter(|a| a != hidden).collect())
        .collect();
    sets.sort();
    sets
}

#[test]
fn golden() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ground/golden.txt");
    let recorded = std::fs::read_to_string(path).expect("the file is there");
    let (mut again, mut wrong) = (String::new(), Vec::new());
    for block in recorded.split("== ").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a name");
        let (program, expected) = rest.split_once("--\n").unwrap_or((rest, ""));
        let actual = ground(program, name.starts_with("lint"));
        again.push_str(&format!("== {name}\n{program}--\n{actual}"));
        if actual != expected {
            wrong.push(format!("{name}: {program}is\n{actual}but was\n{expected}"));
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, again).expect("the file can be written");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn exclusion_keeps_the_answer_sets() {
    let recorded = include_str!("golden.txt");
    let mut seen = 0;
    for block in recorded.split("== exclusion").skip(1) {
        let program = block.split_once("--\n").map_or(block, |b| b.0);
        let program = program.split_once('\n').map_or(program, |b| b.1);
        // A rule with a head is instantiated as written.
        let plain =
            format!("{} :- wrong.", program.replace(":- ", "wrong :- ").replace("q wrong :- ", "q :- "));
        assert_eq!(answer_sets(program, ""), answer_sets(&plain, "wrong"), "{program}");
        seen += 1;
    }
    assert!(seen > 20);
}

#[test]
fn instance_limit() {
    let options = GroundOptions { instance_limit: 10_000, ..GroundOptions::default() };
    let g = run("p(0). p(X+1) :- p(X).", options);
    assert_eq!(g.result, Err(GroundError::Stopped(StopReason::StepLimit)));
}
