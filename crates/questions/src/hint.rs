//! Replies to what is decided already, hint by hint.

use serde_json::{Value, json};

use super::phrases::tree_text;
use asp_explain::hint::{Hint, Level};
use asp_explain::renderer::Renderer;
use asp_explain::tree::Section;

/// A hint as text, with its number.
pub fn text(number: usize, hint: &Hint, full: bool) -> String {
    let steps = if hint.steps == 1 { "1 step".into() } else { format!("{} steps", hint.steps) };
    let how = match hint.level {
        Level::Inference => steps,
        Level::Trial => format!("{steps}, by trying"),
        Level::Search => "by search".into(),
    };
    format!("Hint {number} ({how})\n{}\n", tree_text(&hint.why, full))
}

/// A hint as JSON.
pub fn json(hint: &Hint, renderer: &Renderer<'_>) -> Value {
    json!({
        "atom": hint.what.text(renderer),
        "level": format!("{:?}", hint.level).to_lowercase(),
        "steps": hint.steps,
        "why": hint.why.to_json(),
    })
}

/// A hint as a section of a page.
pub fn section(number: usize, hint: &Hint, renderer: &Renderer<'_>) -> Section {
    let heading = format!("{number}. {}", hint.what.text(renderer));
    Section { heading, trees: vec![hint.why.clone()], ..Section::default() }
}

/// All hints as JSON; after the last one, how many atoms are open, and how many integers have several values if there are any.
pub fn summary(hints: Vec<Value>, open: Option<(usize, usize)>) -> Value {
    let mut all = json!({ "hints": hints, "open": open.map(|(atoms, _)| atoms) });
    if let Some((_, varying @ 1..)) = open {
        all["varying"] = varying.into();
    }
    all
}

/// What is said after the last hint of all.
pub fn rest(open: usize, varying: usize, none: bool) -> String {
    let atoms = match open {
        0 if varying > 0 => "",
        0 if none => "Nothing is left to decide: what is shown is given, or cannot hold.\n",
        0 => "Everything is decided.\n",
        1 => "One atom is open: it holds in some answer sets.\n",
        n => &format!("{n} atoms are open: they hold in some answer sets.\n"),
    };
    let values = match varying {
        0 => "",
        1 => "One integer variable has several values.\n",
        n => &format!("{n} integer variables have several values.\n"),
    };
    format!("{atoms}{values}")
}
