//! The program on docs/stages.md at every stage: the page shows what the stages produce.
//!
//! A comment before a block says what the block contains: `<!-- program: NAME -->` the program, `<!-- tree: NAME -->`
//! its statements with their places, `<!-- components: NAME -->` its rules in the order of grounding, `<!-- sizes: NAME
//! -->` the sizes of its translation, `<!-- run: ARGUMENTS -->` the output of the binary. `ASP_UPDATE=1` rewrites the
//! page.

use crate::support::update;
use std::path::Path;
use std::process::Command;

use asp_base::span::{RuleSource, Sources, Span};
use asp_base::symbol::Symbols;
use asp_rewrite::predicate::Predicates;
use asp_rewrite::theory::Theories;
use asp_rewrite::translate::translator::{Projections, Translator};
use asp_rewrite::{constants, dependency};
use asp_syntax::loader::NoFiles;
use asp_syntax::{Input, ast, parse, print};

/// The first words of a comment that announces a block, and the rest.
fn announced(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.split_once(": ")
}

/// What parsing yields.
fn parsed(text: &str) -> (ast::Program, Symbols, Sources) {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let parsed = parse(vec![Input::new("four.lp", text)], &mut symbols, &mut sources, &mut NoFiles);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    (parsed.program, symbols, sources)
}

/// Each statement and plain fact with its line and column.
fn tree(text: &str) -> String {
    let (program, symbols, sources) = parsed(text);
    let mut found: Vec<(Span, String)> = Vec::new();
    found.extend(
        program.statements.iter().map(|s| (s.span, format!("statement {}", print::statement(s, &symbols)))),
    );
    found.extend(program.facts.iter().map(|f| (f.span, format!("fact      {}.", symbols.display(f.atom)))));
    found.sort_by_key(|(span, _)| span.lo);
    let mut out = String::new();
    for (span, text) in found {
        let (_, line, column) = sources.locate(span).expect("a place");
        out.push_str(&format!("{line}:{column}-{:<4}{}\n", column + span.hi - span.lo, text.trim_end()));
    }
    out
}

/// The rules of each component, in the order in which they are grounded; plain facts come before all of them.
fn components(text: &str) -> String {
    let (program, mut symbols, _) = parsed(text);
    let mut diagnostics = Vec::new();
    let mut predicates = Predicates::default();
    let (constants, theories) =
        (constants::evaluate(&program, &[], &mut symbols, &mut diagnostics), Theories::default());
    let mut projections = Projections::default();
    let mut translator = Translator::new(
        &mut symbols,
        &mut predicates,
        &constants,
        &theories,
        &mut projections,
        &mut diagnostics,
    );
    for (i, s) in (0..).zip(&program.statements) {
        translator.statement(s, RuleSource(i));
    }
    let rules = translator.rules;
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let order = dependency::order(&rules, predicates.len());
    let mut out = String::from("facts   ");
    for fact in &program.facts {
        out.push_str(&format!(" {}.", symbols.display(fact.atom)));
    }
    out.push('\n');
    let mut number = 0;
    for component in order.rules.iter().filter(|c| !c.is_empty()) {
        number += 1;
        for &rule in component {
            let statement = &program.statements[rules[rule as usize].source.0 as usize];
            out.push_str(&format!("{number:<8} {}\n", print::statement(statement, &symbols).trim_end()));
        }
    }
    out
}

/// The binary's output.
fn run(folder: &Path, arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
    let output = command.current_dir(folder).args(arguments.split(' ')).output().expect("the binary runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The sizes of the translation among the statistics.
fn sizes(folder: &Path, name: &str) -> String {
    let text = run(folder, &format!("{name} 0 --stats"));
    let lines = text.lines().skip_while(|l| !l.starts_with("Rules"));
    lines.filter(|l| !l.is_empty()).map(|l| l.trim_end().to_string() + "\n").collect()
}

#[test]
fn the_page_shows_each_stage_as_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/stages.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path();
    let (mut written, mut stages) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        let Some((what, rest)) = announced(line) else { continue };
        let fence = lines.next().expect("a block follows");
        assert!(fence.starts_with("```"), "no block after {line}");
        let shown: String =
            lines.by_ref().take_while(|l| !l.starts_with("```")).map(|l| l.to_string() + "\n").collect();
        let program = || std::fs::read_to_string(place.join(rest)).expect("a program of this page");
        stages += 1;
        let block = match what {
            "program" => {
                std::fs::write(place.join(rest), &shown).expect("a file");
                shown
            }
            "tree" => tree(&program()),
            "components" => components(&program()),
            "sizes" => sizes(place, rest),
            "run" => run(place, rest),
            _ => panic!("what is {what}?"),
        };
        written.push_str(&format!("{fence}\n{block}```\n"));
    }
    assert!(stages >= 7, "only {stages} stages");
    if update::is_wanted() {
        update::write(&path, written);
    } else {
        assert_eq!(page, written, "docs/stages.md is stale: ASP_UPDATE=1 cargo test --test tree stages");
    }
}
