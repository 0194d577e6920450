//! Puzzles and tables on the command line: `--grid`, `--csv`, `--json`, for runs and subcommands.
//!
//! Invariant: a text becomes facts completely or not at all; errors are among the control's diagnostics, with their
//! places in the text.

use std::io::Read as _;

use super::library::LibraryLoader;
use super::mentions;
use asp_base::diagnostic::{Diagnostic, Label, WarningKind};
use asp_base::span::Span;
use asp_control::{Control, Source};
use asp_data::request::Request;
use asp_data::{self as data, Facts, Text, csv, grid, json};
use asp_options::disk;
use asp_options::inputs::Inputs;

/// The greatest size of a puzzle, in bytes.
const MAX_PUZZLE: u64 = 16 << 20;

/// Reads everything and adds it to a control that already has the program texts. Errors become messages of the control;
/// notes are returned.
pub fn load(inputs: &Inputs, control: &mut Control, consts: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    let mut found: Vec<(&str, String, Facts)> = Vec::new();
    if !inputs.grids.is_empty() {
        let mut names = mentions::names(control.texts(), &mut LibraryLoader);
        for definition in consts {
            let name = definition.split('=').next().unwrap_or("").trim();
            names.constants.remove(name);
            names.replaced.insert(name.to_string());
        }
        for request in &inputs.grids {
            let Some((text, start)) = open(control, &request.file, MAX_PUZZLE) else { continue };
            let place = Text { text: &text, start };
            let puzzle = match grid::read(place, request.predicate.is_some()) {
                Ok(puzzle) => puzzle,
                Err(problems) => {
                    problems.into_iter().for_each(|p| control.push_diagnostic(p));
                    continue;
                }
            };
            let made = puzzle.facts(&names, request.predicate.as_deref());
            for warning in made.warnings {
                let place = place.span(puzzle.top.0, puzzle.top.1);
                control.push_diagnostic(Diagnostic::warning(WarningKind::Other, place, warning));
            }
            // A constant is set only once, by the first of several grids.
            for name in ["n", "size", "rows", "height", "columns", "cols", "width", "box", "first"] {
                names.constants.remove(name);
            }
            found.push((&request.file, text, made.facts));
        }
    }
    for request in &inputs.csv {
        let Some((text, start)) = open(control, &request.file, data::MAX_BYTES) else { continue };
        let place = Text { text: &text, start };
        match csv::table(place, name_of(request), request.columns.as_deref(), inputs.layout) {
            Ok(table) => {
                notes.extend(table.notes.iter().map(|guess| guess.note(&request.file)));
                table.warnings.into_iter().for_each(|w| control.push_diagnostic(w));
                found.push((&request.file, text, table.facts));
            }
            Err(problems) => problems.into_iter().for_each(|p| control.push_diagnostic(p)),
        }
    }
    for request in &inputs.json {
        let Some((text, start)) = open(control, &request.file, data::MAX_BYTES) else { continue };
        let place = Text { text: &text, start };
        match json::table(place, name_of(request), request.columns.as_deref()) {
            Ok(table) => {
                table.warnings.into_iter().for_each(|w| control.push_diagnostic(w));
                found.push((&request.file, text, table.facts));
            }
            Err(problems) => problems.into_iter().for_each(|p| control.push_diagnostic(p)),
        }
    }
    for (file, text, facts) in found {
        let (original, facts) = facts.made_of(shown(file).into(), text);
        control.add_source(Source::facts(original, facts));
    }
    notes
}

/// The name of a file in messages.
fn shown(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

fn name_of(request: &Request) -> &str {
    request.predicate.as_deref().unwrap_or("given")
}

fn refuse<T>(control: &mut Control, message: String) -> Option<T> {
    control.push_diagnostic(Diagnostic::error(Span::NONE, message));
    None
}

/// Reads a text and adds it to the sources that messages point into.
pub(crate) fn open(control: &mut Control, name: &str, limit: u64) -> Option<(String, u32)> {
    let mut bytes = Vec::new();
    let result = if name == "-" {
        std::io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)
    } else {
        disk::open(name).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
    };
    let shown = shown(name);
    if let Err(why) = result {
        return refuse(control, format!("file could not be opened: {shown} ({why})"));
    }
    if bytes.len() as u64 > limit {
        return refuse(control, format!("{shown} is larger than {} MB", limit >> 20));
    }
    let (text, valid) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(wrong) => {
            let valid = wrong.utf8_error().valid_up_to();
            (String::from_utf8_lossy(wrong.as_bytes()).into_owned(), Some(valid))
        }
    };
    let Ok(start) = control.sources_mut().add(shown.to_string(), text.clone()) else {
        return refuse(control, format!("{shown}: the texts together are larger than 4 GB"));
    };
    if let Some(at) = valid {
        let lo = start + at as u32;
        let mut diagnostic = Diagnostic::error(Span::new(lo, lo + 1), "this is not UTF-8 text");
        diagnostic.labels = vec![Label { span: Span::new(lo, lo + 1), text: String::new() }];
        control.push_diagnostic(diagnostic);
        return None;
    }
    Some((text, start))
}
