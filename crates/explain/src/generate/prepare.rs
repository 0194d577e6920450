//! From the texts that a user names to a [`Puzzle`]: which set constants, which is the puzzle, and what its instances share.
//!
//! Invariant: a constant that is set is one of the puzzle or of its `%@draw` comments.

use std::fmt;

use super::layout::layout;
use super::recipe::{Recipe, Unreadable};
use super::{MakesControl, Puzzle};
use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_control::Source;
use asp_syntax::ast::StatementKind;
use asp_syntax::{self as syntax, Loader};

/// Why texts are no puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// There is no program.
    Empty,
    /// A comment cannot be read.
    Comment(Unreadable),
    /// No comment of this file says what a clue is.
    NoClues(String),
    /// A constant is set that the puzzle does not have.
    UnknownConstant {
        /// As it was set: `n=4`.
        set: String,
        /// The puzzle's file.
        file: String,
        /// The constants that there are.
        known: Vec<String>,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Empty => f.write_str("there is no program that could be a puzzle"),
            Unfit::Comment(wrong) => write!(f, "{}:{}: {}", wrong.file, wrong.line, wrong.why),
            Unfit::NoClues(file) => {
                write!(f, "{file} does not say what a clue is; a comment `%@clue ATOM : BODY` would")
            }
            Unfit::UnknownConstant { set, file, known } => {
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                write!(f, "-c {set}: {file} has no such constant; there are: {known}")
            }
        }
    }
}

impl<'p> Puzzle<'p> {
    /// The puzzle of some texts: those that only set constants come first, then the program, then the layout that all
    /// instances share. Tells of each text of the layout how many facts were left out, since each instance has its own.
    pub fn of(texts: &[Source], empty: MakesControl<'p>) -> Result<(Self, Vec<(String, usize)>), Unfit> {
        let mut control = empty();
        let loader = control.loader();
        let mut sets: Vec<Constants> = Vec::new();
        let own = loop {
            let constants = Constants::of(texts.get(sets.len()).ok_or(Unfit::Empty)?, loader);
            if !constants.nothing_else {
                break constants.own;
            }
            sets.push(constants);
        };
        let (setting, texts) = texts.split_at(sets.len());
        let (first, rest) = texts.split_first().ok_or(Unfit::Empty)?;
        let recipe = Recipe::read(texts).map_err(Unfit::Comment)?;
        if recipe.templates.is_empty() {
            return Err(Unfit::NoClues(first.name.clone()));
        }
        let (mut all, mut left_out) = (vec![first.clone()], Vec::new());
        for text in rest {
            let (layout, facts) = layout(text, &recipe, loader);
            if facts > 0 {
                left_out.push((text.name.clone(), facts));
            }
            all.push(layout);
        }
        let mut known = own.clone();
        known.extend(recipe.drawing.iter().flat_map(|text| Constants::of(text, loader).own));
        let mut constants = Vec::new();
        for (text, names) in setting.iter().zip(&sets) {
            if names.set.iter().any(|name| !known.contains(name)) {
                let set = text.name.trim_matches(['<', '>']).to_string();
                return Err(Unfit::UnknownConstant { set, file: first.name.clone(), known });
            }
            if names.set.iter().all(|name| own.contains(name)) {
                constants.push(text.clone());
            }
        }
        let drawing_constants = setting.to_vec();
        Ok((Self { texts: all, constants, drawing_constants, recipe, empty }, left_out))
    }
}

/// The constants of a text.
struct Constants {
    /// Those that it defines.
    own: Vec<String>,
    /// Those that it sets, whoever defines them.
    set: Vec<String>,
    /// Whether it does nothing but set constants.
    nothing_else: bool,
}

impl Constants {
    /// Errors in the text are not reported here.
    fn of(text: &Source, loader: &mut dyn Loader) -> Self {
        let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
        let parsed = syntax::parse(vec![text.clone().into_input()], &mut symbols, &mut sources, loader);
        let (mut own, mut set) = (Vec::new(), Vec::new());
        for statement in &parsed.program.statements {
            if let StatementKind::Const { name, is_override, .. } = &statement.kind {
                let name = symbols.str(*name).to_string();
                if *is_override { set.push(name) } else { own.push(name) }
            }
        }
        own.retain(|name| !set.contains(name));
        let is_plain = parsed.program.facts.is_empty() && parsed.diagnostics.is_empty();
        let nothing_else = is_plain && !set.is_empty() && set.len() == parsed.program.statements.len();
        Self { own, set, nothing_else }
    }
}
