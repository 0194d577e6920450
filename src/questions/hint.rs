//! What is decided already: what is told of each hint.

use serde_json::{Value, json};

use super::phrases::tree_text;
use crate::explain::hint::{Hint, Level};
use crate::explain::tree::Section;
use crate::explain::words::Words;

/// A hint as text, with its number.
pub(crate) fn text(number: usize, hint: &Hint, full: bool) -> String {
    let steps = if hint.steps == 1 { "1 step".into() } else { format!("{} steps", hint.steps) };
    let how = match hint.level {
        Level::Inference => steps,
        Level::Trial => format!("{steps}, by trying"),
        Level::Search => "by search".into(),
    };
    format!("Hint {number} ({how})\n{}\n", tree_text(&hint.why, full))
}

/// A hint as JSON.
pub(crate) fn json(hint: &Hint, words: &Words<'_>) -> Value {
    json!({
        "atom": words.atom(hint.atom),
        "level": format!("{:?}", hint.level).to_lowercase(),
        "steps": hint.steps,
        "why": hint.why.to_json(),
    })
}

/// A hint as a section of a page.
pub(crate) fn section(number: usize, hint: &Hint, words: &Words<'_>) -> Section {
    let heading = format!("{number}. {}", words.atom(hint.atom));
    Section { heading, trees: vec![hint.why.clone()], ..Section::default() }
}

/// What is said after the last hint of all.
pub(crate) fn rest(open: usize, none: bool) -> String {
    match open {
        0 if none => "Nothing is left to decide: what is shown is given, or cannot hold.\n".to_string(),
        0 => "Everything is decided.\n".to_string(),
        1 => "One atom is open: it holds in some answer sets.\n".to_string(),
        n => format!("{n} atoms are open: they hold in some answer sets.\n"),
    }
}
