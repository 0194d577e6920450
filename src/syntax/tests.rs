//! Tests of the parser as text to text.

use super::*;
use crate::base::span::Sources;
use crate::base::symbol::Symbols;
use crate::report::diagnostic::render;

fn parse_bytes(bytes: &[u8]) -> (String, Vec<crate::base::diagnostic::Diagnostic>, String) {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let parsed = parse(vec![Input::new("t.lp", bytes)], &mut symbols, &mut sources, &mut NoFiles);
    let errors = parsed.diagnostics.iter().map(|d| render(d, &sources, false)).collect();
    (print::program(&parsed.program, &symbols), parsed.diagnostics, errors)
}

#[track_caller]
fn check(input: &str, expected: &str) {
    let (text, _, errors) = parse_bytes(input.as_bytes());
    assert_eq!(errors, "");
    assert_eq!(text.trim_end(), expected);
    let (again, _, errors) = parse_bytes(text.as_bytes());
    assert_eq!(errors, "", "{text}");
    assert_eq!(again, text);
}

#[test]
fn smoke() {
    check("a. b :- a, not c.", "b :- a; not c.\na.");
}
