//! A new instance of a puzzle: as facts, as a picture without its solution, and its solution.
//!
//! Invariant: what is printed as facts is the text whose only answer set was found.

use super::atoms::{as_atoms, facts, values_of};
use super::listing::{self, Printer};
use asp_base::map::Set;
use asp_control::Source;
use asp_explain::generate::{Difficulty, Instance};
use asp_picture::{Atom, Painter, Picture, Scene};

/// The longest line of facts.
const LINE: usize = 100;

/// How hard an instance is, in a word.
pub fn word(difficulty: Option<Difficulty>) -> &'static str {
    difficulty.map_or("not rated", Difficulty::word)
}

/// What that means.
pub fn about(difficulty: Option<Difficulty>) -> &'static str {
    match difficulty {
        Some(Difficulty::Easy) => "easy: plain inference is enough",
        Some(Difficulty::Medium) => "medium: it takes trials of three rounds",
        Some(Difficulty::Hard) => "hard: it takes trials of four rounds",
        Some(Difficulty::Expert) => "expert: it takes longer trials, or a search",
        None => "not rated",
    }
}

/// The facts of an instance, a paragraph a kind, after constants and the layout.
pub fn text(instance: &Instance, constants: &[String], layout: &[Source]) -> String {
    let mut out = String::new();
    for constant in constants {
        out.push_str(&format!("#const {}. [override]\n", constant.replacen('=', " = ", 1)));
    }
    for text in layout {
        // Where facts were left out there are empty lines.
        let text = String::from_utf8_lossy(&text.text);
        text.lines()
            .filter(|line| !line.trim().is_empty())
            .for_each(|line| out.push_str(&format!("{line}\n")));
    }
    for group in &instance.facts {
        if !out.is_empty() {
            out.push('\n');
        }
        let mut width = 0;
        for fact in group {
            let length = fact.chars().count() + 1;
            if width > 0 && width + 1 + length > LINE {
                out.push('\n');
                width = 0;
            } else if width > 0 {
                out.push(' ');
                width += 1;
            }
            out.push_str(&format!("{fact}."));
            width += length;
        }
        out.push('\n');
    }
    out
}

/// Pictures of an instance and of its solution; `None` if there is nothing to draw.
pub fn pictures(instance: &Instance) -> Option<[Picture; 2]> {
    let control = &instance.control;
    let (program, symbols) = (control.program(), control.symbols());
    let (may_be, values) =
        (values_of(program, symbols, None), listing::values(control, &instance.solution, false));
    let mut possible = listing::atoms(control, &vec![true; program.shows.len()]);
    possible.extend(as_atoms(&may_be, symbols));
    let mut solution = listing::atoms(control, &instance.solution);
    solution.extend(as_atoms(&values, symbols));
    let facts = facts(program, symbols);
    let stated: Set<(&str, &[_])> = facts.iter().map(|a| (a.name, a.args)).collect();
    let given: Vec<Atom<'_>> =
        solution.iter().filter(|a| stated.contains(&(a.name, a.args))).copied().collect();
    let painter = Painter::new(symbols, &Scene { facts, possible }, &solution, None, false).ok()?;
    match painter.paint(symbols, &solution) {
        // Tables show a solution but no puzzle.
        Picture::Chart(_) => None,
        picture => Some([painter.paint(symbols, &given), picture]),
    }
}

/// The solution as text.
pub fn solution(instance: &Instance) -> String {
    Printer::new(&instance.control).text(&instance.solution)
}
