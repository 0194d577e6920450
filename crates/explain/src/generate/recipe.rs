//! Comments that say what an instance of a puzzle is made of: `%@clue`, `%@keep` and `%@draw`.
//!
//! - `%@clue ATOM : BODY` or `%@clue ATOM`: facts that help to solve it, as far as they are needed. Clues of an earlier
//!   comment are taken away before those of a later one.
//! - `%@or ATOM : BODY`: clues of the same rank as those of the comment before.
//! - `%@keep ATOM : BODY` or `%@keep ATOM`: facts that every instance states.
//! - `%@draw STATEMENT`: belongs to the program while a solution is drawn, and only then.
//!
//! ATOM is a fact for each way in which BODY holds in the solution that was drawn. Invariant: a comment that cannot be
//! read is reported, never skipped.

use asp_control::Source;

/// What becomes of the facts of a comment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// They stay.
    Kept,
    /// They stay if they are needed.
    Clue,
}

/// A `%@clue` or `%@keep` comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Template {
    /// What becomes of its facts.
    pub(crate) role: Role,
    /// Clues of a lower rank are taken away first.
    pub rank: usize,
    /// Name and arity of the facts.
    pub predicate: (String, usize),
    /// The fact, with variables.
    pub atom: String,
    /// When it is one.
    pub body: String,
    /// The index of its text.
    pub text: usize,
    /// Its line there, from 1.
    pub line: usize,
}

/// What all comments of a program say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recipe {
    /// In order of appearance.
    pub templates: Vec<Template>,
    /// What belongs to the program while a solution is drawn: statements at the lines where they are written.
    pub drawing: Vec<Source>,
}

/// A comment that cannot be read: file, line, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub why: String,
}

const WORDS: [&str; 4] = ["clue", "or", "keep", "draw"];

impl Recipe {
    /// Reads the comments of some texts.
    pub(crate) fn read(texts: &[Source]) -> Result<Self, Unreadable> {
        let mut recipe = Self::default();
        for (number, source) in texts.iter().enumerate() {
            let text = String::from_utf8_lossy(&source.text);
            let (mut drawing, mut draws) = (String::new(), false);
            for (i, line) in text.lines().enumerate() {
                let wrong = |why: String| Unreadable { file: source.name.clone(), line: i + 1, why };
                match word(line).map_err(wrong)? {
                    Some(("draw", rest)) => {
                        let indent = line.len() - rest.len();
                        drawing.push_str(&" ".repeat(indent));
                        drawing.push_str(rest);
                        draws = true;
                    }
                    Some((word, rest)) => {
                        let last = recipe.templates.last().map(|t| (t.role, t.rank));
                        if word == "or" && last.is_none_or(|(role, _)| role == Role::Kept) {
                            return Err(wrong("`%@or` follows a `%@clue`".into()));
                        }
                        let rank = last.map_or(0, |(_, rank)| rank + usize::from(word != "or"));
                        let role = if word == "keep" { Role::Kept } else { Role::Clue };
                        let (atom, body) = halves(rest);
                        let predicate = predicate(atom).map_err(|why| wrong(format!("`%@{word}` {why}")))?;
                        let (atom, body) = (atom.to_string(), body.unwrap_or(atom).to_string());
                        recipe.templates.push(Template {
                            role,
                            rank,
                            predicate,
                            atom,
                            body,
                            text: number,
                            line: i + 1,
                        });
                    }
                    None => {}
                }
                drawing.push('\n');
            }
            if draws {
                // A text under the same name would count as read.
                recipe.drawing.push(Source::new(format!("{} (%@draw)", source.name), drawing));
            }
        }
        Ok(recipe)
    }

    /// Whether a predicate's facts are made anew for each instance.
    pub(crate) fn makes(&self, name: &str, arity: usize) -> bool {
        self.templates.iter().any(|t| (t.predicate.0.as_str(), t.predicate.1) == (name, arity))
    }
}

/// The word of a comment and what follows it; `None` for other lines.
fn word(line: &str) -> Result<Option<(&'static str, &str)>, String> {
    let Some(comment) = line.trim_start().strip_prefix('%') else { return Ok(None) };
    let apart = comment.trim_start_matches(['%', ' ', '\t']);
    let Some(named) = apart.strip_prefix('@') else { return Ok(None) };
    let end = named.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(named.len());
    let Some(word) = WORDS.iter().copied().find(|w| w.eq_ignore_ascii_case(&named[..end])) else {
        return Ok(None);
    };
    if apart.len() < comment.len() || named[..end] != *word {
        return Err(format!(
            "it starts with `%@{word}`, in small letters and with nothing between the signs"
        ));
    }
    match named[end..].trim() {
        "" => Err(format!("nothing follows `%@{word}`")),
        rest => Ok(Some((word, rest))),
    }
}

/// `ATOM : BODY`, without the full stop that may end it.
fn halves(text: &str) -> (&str, Option<&str>) {
    let text = text.strip_suffix('.').unwrap_or(text).trim_end();
    let (mut depth, mut quoted, mut escaped) = (0i32, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            '(' | '{' | '[' if !quoted => depth += 1,
            ')' | '}' | ']' if !quoted => depth -= 1,
            ':' if !quoted && depth == 0 => {
                return (text[..at].trim_end(), Some(text[at + 1..].trim_start()));
            }
            _ => {}
        }
        escaped = quoted && !escaped && c == '\\';
    }
    (text, None)
}

/// Name and arity of an atom.
fn predicate(atom: &str) -> Result<(String, usize), String> {
    let end = atom.find('(').unwrap_or(atom.len());
    let name = &atom[..end];
    let starts = name.trim_start_matches('_').starts_with(|c: char| c.is_ascii_lowercase());
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'')) {
        return Err(format!(
            "takes an atom, then `:` and when it is one; `{name}` is no name of a predicate"
        ));
    }
    let Some(inner) = atom[end..].strip_prefix('(') else { return Ok((name.into(), 0)) };
    let (mut depth, mut arguments, mut quoted, mut escaped) = (1, 1, false, false);
    for (at, c) in inner.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ',' if !quoted && depth == 1 => arguments += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        escaped = quoted && !escaped && c == '\\';
        if depth == 0 {
            return match inner[at + 1..].trim() {
                "" => Ok((name.into(), arguments)),
                more => Err(format!("takes one atom, then `:`; what is `{more}`?")),
            };
        }
    }
    Err("takes an atom; a `)` is missing".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comments_say() {
        let text = "a.\n%@clue p(X,(1,Y)) : q(X), Y = #count { Z : r(Z) }.\n %@keep size(n,n)\n%@draw #const n = 3.\n";
        let recipe = Recipe::read(&[Source::new("t.lp", text)]).unwrap();
        let [clue, kept] = recipe.templates.as_slice() else { panic!("{recipe:?}") };
        assert_eq!((clue.role, clue.line, &clue.predicate), (Role::Clue, 2, &("p".to_string(), 2)));
        assert_eq!(clue.body, "q(X), Y = #count { Z : r(Z) }");
        assert_eq!((kept.role, kept.body.as_str()), (Role::Kept, "size(n,n)"));
        let drawing = String::from_utf8(recipe.drawing[0].text.clone()).unwrap();
        assert_eq!(drawing, "\n\n\n       #const n = 3.\n");
        assert!(recipe.makes("size", 2) && !recipe.makes("size", 1));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (line, part) in [
            ("% @clue p", "with nothing between"),
            ("%@Clue p", "in small letters"),
            ("%@clue", "nothing follows"),
            ("%@or p", "follows a `%@clue`"),
            ("%@clue P(X)", "no name of a predicate"),
            ("%@clue p(X", "`)` is missing"),
            ("%@keep p(X) :- q(X)", ""),
            ("%@keep p(X), q(X)", "one atom"),
        ] {
            let read = Recipe::read(&[Source::new("t.lp", line)]);
            assert_eq!(read.is_err(), !part.is_empty(), "{line}");
            assert!(part.is_empty() || read.unwrap_err().why.contains(part), "{line}");
        }
        assert!(
            Recipe::read(&[Source::new("t.lp", "% clue\n%@test: sat\n% @keeping")])
                .unwrap()
                .templates
                .is_empty()
        );
    }
}
