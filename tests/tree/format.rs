//! Formats and mends every program of the repository and checks that statements, comments and answer sets stay the
//! same.

use std::path::{Path, PathBuf};

use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_format::pieces::pieces;
use asp_format::{format, mend::mend, parse_alone};
use asp_syntax::print;

use crate::support::corpus;
use crate::support::derive::Deriver;
use crate::support::grammar::Grammar;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All texts that may be formatted: name and text. Those with syntax errors are left out.
fn texts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["programs", "instances", "tests/golden/programs"] {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        for path in paths {
            let name = path.strip_prefix(root()).expect("below").display().to_string();
            found.push((name, std::fs::read_to_string(&path).expect("a file")));
        }
    }
    for path in corpus::files("corpus", "lp") {
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let cases = corpus::read(&path);
        found.extend(cases.into_iter().map(|case| (format!("{file}: {}", case.name), case.text)));
    }
    let syntax = std::fs::read_to_string(root().join("tests/language/syntax/accepted.txt")).expect("a file");
    for (i, line) in syntax.lines().enumerate() {
        found.push((format!("accepted.txt:{}", i + 1), line.to_string()));
    }
    found.push(("accepted.txt".into(), syntax));
    found.retain(|(name, text)| parse_alone(name, text.as_bytes()).is_sound());
    found
}

/// The statements of a text, without places.
fn statements(text: &str) -> String {
    let mut alone = parse_alone("t", text.as_bytes());
    // The order of statements and facts does not matter to the printer; only their contents do.
    alone.sources = Sources::new();
    print::program(&alone.parsed.program, &alone.symbols)
}

/// The comments of a text, without the blanks at the ends of their lines.
fn comments(text: &str) -> Vec<String> {
    let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    pieces(text).iter().filter(|p| p.is_comment()).map(|p| trimmed(p.text)).collect()
}

/// A text with its blanks and line breaks changed where that changes no token.
fn shaken(text: &str, seed: u64) -> String {
    let mut rng = asp_base::rng::Rng::new(seed);
    let mut out = String::new();
    let mut after_line_comment = false;
    for piece in pieces(text) {
        let gap = match rng.below(6) {
            0 => "\n",
            1 => "\n\n\n",
            2 => "   ",
            3 => " \n  ",
            _ => " ",
        };
        out.push_str(if after_line_comment { "\n" } else { gap });
        after_line_comment = piece.text.starts_with('%') && !piece.text.starts_with("%*");
        out.push_str(piece.text);
        if !piece.is_comment() && rng.chance(0.05) {
            out.push_str(
                [" %* new *% ", " % new\n", "\n% new\n", "\n%* new\n new *%\n"][rng.below(4) as usize],
            );
        }
    }
    out
}

#[track_caller]
fn check(name: &str, text: &str) {
    let formatted = format(text);
    assert_eq!(statements(&formatted), statements(text), "{name}: other statements\n{text}\n--\n{formatted}");
    assert_eq!(comments(&formatted), comments(text), "{name}: other comments\n{formatted}");
    let again = format(&formatted);
    assert_eq!(again, formatted, "{name}: not stable\n{text}");
    assert!(!formatted.contains("\n\n\n"), "{name}: blank lines");
    assert!(formatted.is_empty() || formatted.ends_with('\n'), "{name}: no line break at the end");
}

#[test]
fn formatting_keeps_statements_and_comments_and_is_stable() {
    let texts = texts();
    assert!(texts.len() > 800, "only {} texts", texts.len());
    for (name, text) in &texts {
        check(name, text);
    }
}

#[test]
fn whatever_the_blanks_and_line_breaks_were() {
    for (i, (name, text)) in texts().iter().enumerate() {
        if text.contains("#script") || text.contains("#theory") || text.contains('\r') {
            continue;
        }
        for seed in 0..3 {
            let shaken = shaken(text, i as u64 * 3 + seed);
            if parse_alone(name, shaken.as_bytes()).is_sound() {
                check(name, &shaken);
            }
        }
    }
}

/// Programs derived from the grammar file: every production, even where nobody would write it.
fn derived(number: u64, statements: usize, depth: usize) -> Vec<(String, String)> {
    let grammar = Grammar::read();
    let mut found = Vec::new();
    for seed in 0..number {
        let mut rng = asp_base::rng::Rng::new(seed);
        let deriver = Deriver::new(&grammar, seed % 2 == 0);
        let text = deriver.program(statements, depth, &mut |n| rng.below(n as u64) as usize);
        if parse_alone("derived", text.as_bytes()).is_sound() {
            found.push((format!("derived {seed}"), text));
        }
    }
    found
}

#[test]
fn programs_derived_from_the_grammar() {
    let texts = derived(1000, 6, 34);
    assert!(texts.len() > 300, "only {} of them are programs", texts.len());
    for (i, (name, text)) in texts.iter().enumerate() {
        check(name, text);
        let shaken = shaken(text, i as u64);
        if !text.contains("#theory") && parse_alone(name, shaken.as_bytes()).is_sound() {
            check(name, &shaken);
        }
    }
}

#[test]
fn the_library_is_formatted() {
    for folder in ["programs", "instances"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a file");
            assert!(format(&text) == text, "{}: run `asp fmt programs instances`", path.display());
        }
    }
}

/// All answer sets, sorted; at most so many.
fn answer_sets(text: &str) -> Option<Vec<String>> {
    let mut control = asp::Control::new();
    control.settings.ground.instance_limit = Some(100_000);
    control.add(text);
    let mut found = Vec::new();
    let result = control.solve(200, |answer| {
        let mut atoms: Vec<String> = answer.to_string().split(' ').map(String::from).collect();
        atoms.sort();
        found.push(format!("{} {:?}", atoms.join(" "), answer.costs()));
        true
    });
    found.sort();
    (result.is_ok_and(|r| r.exhausted)).then_some(found)
}

#[test]
fn mending_keeps_the_answer_sets() {
    let mut mended_texts = 0;
    let planted = [
        "p(1..3). 1 { q(X) : p(X) } 2. :- q(X), q(Y), X != Y, |X-Y| = 1. a(X) :- q(X), p(Y).",
        "e(1,2). e(2,3). { s(X,Y) : e(X,Y) }. t(X) :- s(X,Y). :~ s(X,Y), e(X,Z). [X,X]",
        "p(1..4). { q(R,C) : p(C) } = 1 :- p(R). :- q(R,C), q(S,D), R != S, C = D. :- q(R,C), q(S,D), R <> S, |R-S| = |C-D|.",
        "p(1..3). { c(X,1..2) } = 1 :- p(X). clash :- c(X,K), c(Y,K), X != Y. n(N) :- N = #count { X : c(X,K) }.",
    ];
    let planted = planted.iter().map(|text| ("planted".to_string(), text.to_string()));
    for (name, text) in planted.chain(texts()).chain(derived(400, 3, 26)) {
        let (mended, changes) = mend(&name, &text);
        if changes == 0 || text.contains("#include") {
            continue;
        }
        mended_texts += 1;
        assert_eq!(mend(&name, &mended).1, 0, "{name}: not mended at once\n{mended}");
        assert!(parse_alone(&name, mended.as_bytes()).is_sound(), "{name}\n{mended}");
        if let Some(before) = answer_sets(&text) {
            assert_eq!(Some(before), answer_sets(&mended), "{name}\n{text}\n--\n{mended}");
        }
    }
    assert!(mended_texts >= 8, "only {mended_texts} texts had something to mend");
}

/// Symbols of two runs are compared by their text only.
#[test]
fn parsing_alone_reads_no_other_file() {
    let alone = parse_alone("t", b"#include \"no such file\". a.");
    assert!(alone.is_sound());
    let symbols: &Symbols = &alone.symbols;
    assert_eq!(print::program(&alone.parsed.program, symbols), "a.\n");
}
