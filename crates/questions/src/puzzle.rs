//! A new instance of a puzzle: as facts, as a picture without its solution, and its solution; or why there is none.
//!
//! Invariant: what is printed as facts is the text whose only answer set was found.

use super::atoms::{as_atoms, facts, values_of};
use super::listing::{self, Printer};
use asp_base::map::Set;
use asp_explain::generate::{Difficulty, Instance, Made, Puzzle, Wish};
use asp_picture::{Atom, Painter, Picture, Scene};

/// The longest line of facts.
const LINE: usize = 100;

/// How hard an instance is, in a word.
pub fn word(difficulty: Option<Difficulty>) -> &'static str {
    difficulty.map_or("not rated", Difficulty::word)
}

/// The meaning of a difficulty.
pub fn about(difficulty: Option<Difficulty>) -> &'static str {
    match difficulty {
        Some(Difficulty::Easy) => "easy: plain inference is enough",
        Some(Difficulty::Medium) => "medium: it takes trials of three rounds",
        Some(Difficulty::Hard) => "hard: it takes trials of four rounds",
        Some(Difficulty::Expert) => "expert: it takes longer trials, or a search",
        None => "not rated",
    }
}

/// The name of a puzzle's file, without folders.
pub fn file<'t>(puzzle: &'t Puzzle<'_>) -> &'t str {
    let name = puzzle.texts.first().map_or("", |t| t.name.as_str());
    name.rsplit(['/', ':']).next().unwrap_or(name)
}

/// The name of a puzzle.
pub fn name<'t>(puzzle: &'t Puzzle<'_>) -> &'t str {
    file(puzzle).trim_end_matches(".lp")
}

/// Why there is no instance, in a sentence.
pub fn why_none(puzzle: &Puzzle<'_>, made: &Made, wish: Wish) -> String {
    let file = file(puzzle);
    match made {
        Made::NoSolution => {
            format!("there is no solution to draw: {file} and its %@draw comments have no answer set")
        }
        Made::NoFacts => format!(
            "the comments of {file} make no fact of a solution that was drawn; if it needs a layout, name an \
             instance that has one as a further file"
        ),
        Made::Contradiction => format!(
            "the facts that the comments of {file} make of a solution leave no answer set: they contradict the program"
        ),
        Made::NoPlaces => format!(
            "symmetric: not every clue of {file} has a place in a grid, as p(Row,Column,...), p(R1,C1,R2,C2) and \
             p(Side,Line,Value) have"
        ),
        Made::Instance(_) | Made::NoneFits => {
            let level = wish.difficulty.map_or(String::new(), |l| format!(" and is {}", word(Some(l))));
            let drawn = match wish.draws {
                1 => "the solution".into(),
                draws => format!("none of {draws} solutions"),
            };
            let not = if wish.draws == 1 { " does not make" } else { " makes" };
            format!(
                "seed {}: {drawn} that were drawn{not} an instance that has one solution{level}; another seed, \
                 another size, or more draws may",
                wish.seed
            )
        }
    }
}

/// Two lines of comments about an instance: what it is, and how hard.
pub fn heading(puzzle: &Puzzle<'_>, instance: &Instance, wish: Wish) -> String {
    let count = match instance.clues {
        0 => String::new(),
        1 => "1 clue, ".into(),
        clues => format!("{clues} clues, "),
    };
    let minimal = match (instance.clues > 0 && instance.minimal, wish.symmetric) {
        (false, _) => "",
        (true, false) => "; no clue can be left out",
        (true, true) => "; no clue and its image can be left out",
    };
    let (name, file) = (name(puzzle), file(puzzle));
    let (name, with) = match file.starts_with('<') {
        true => ("puzzle", String::new()),
        false => (name, format!(" (use with {file})")),
    };
    let about = about(instance.difficulty);
    format!("% {name}: {count}one solution{with}\n% {about}{minimal}; seed {}\n\n", wish.seed)
}

/// The facts of an instance, a paragraph a kind, after constants and the layout.
pub fn text(puzzle: &Puzzle<'_>, instance: &Instance) -> String {
    let mut out = String::new();
    for constant in &puzzle.constants {
        out.push_str(&String::from_utf8_lossy(&constant.text).replacen('=', " = ", 1));
        out.push('\n');
    }
    for text in puzzle.texts.iter().skip(1) {
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
