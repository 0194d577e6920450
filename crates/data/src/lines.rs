//! Lines of a typed puzzle: the kind and place of each character, and the kind of line that they form.
//!
//! Invariant: the pieces of a line are in order, do not overlap, and know their bytes in the text and their columns on
//! the page.

use unicode_width::UnicodeWidthChar as _;

use super::{Problems, Text};
use asp_base::diagnostic::Diagnostic;

/// The kind of a piece of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Letters and digits.
    Word,
    /// An empty cell.
    Empty,
    /// A black cell.
    Wall,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `^`
    Up,
    /// `v`, where a word cannot stand
    Down,
    /// `○`
    White,
    /// `●`
    Black,
    /// `|`
    Bar,
    /// A piece of a horizontal line.
    Rule,
}

/// A piece and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub piece: Piece,
    /// First byte in the text.
    pub from: usize,
    /// One past its last byte.
    pub to: usize,
    /// Column on the page of its first character.
    pub column: usize,
    /// Column after its last one.
    pub end: usize,
}

impl Token {
    /// Whether it is a cell.
    pub(crate) fn is_cell(&self) -> bool {
        matches!(self.piece, Piece::Word | Piece::Empty | Piece::Wall)
    }
}

/// The kind of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing.
    Blank,
    /// Cells, with signs and bars between them.
    Cells,
    /// Signs between two rows of cells: `^` and `v`, `○` and `●`.
    Down,
    /// Signs `<` and `>` alone.
    Across,
    /// A line of dashes.
    Rule,
    /// A statement such as `given 1 2 3`.
    Statement,
    /// The heading of a solution.
    Solution,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub kind: Kind,
    pub tokens: Vec<Token>,
    /// First byte in the text.
    pub from: usize,
    /// One past its last byte.
    pub to: usize,
}

/// Words that open a statement.
pub(crate) const STATEMENTS: [&str; 8] =
    ["given", "greater", "greater_than", "white", "black", "thermo", "region", "clue"];

/// Splits a text into lines and pieces.
pub(crate) fn lines(text: Text<'_>) -> Result<Vec<Line>, Problems> {
    let mut found = Vec::new();
    let mut problems = Vec::new();
    let mut from = if text.text.starts_with('\u{feff}') { 3 } else { 0 };
    while from < text.text.len() {
        let to = text.text[from..].find('\n').map_or(text.text.len(), |i| from + i);
        match line(text.text, from, to) {
            Ok(line) if line.kind == Kind::Cells && is_prose(text.text, &line) => {
                let message = "this line is text, not a row of a puzzle";
                let help = "expected rows of cells: digits, letters past 9, `.` for an empty cell; a comment starts with `%`";
                problems.push(Diagnostic::error(text.span(from, to), message).help(help));
                break;
            }
            Ok(line) => found.push(line),
            Err((at, c)) if problems.len() < super::MAX_MESSAGES => {
                let message = format!("a puzzle has no {c:?} in it");
                let help = "expected a digit, a letter, `.` for an empty cell, `#` for a black one, a sign `<` `>` `^` \
                            `v` `○` `●`, or lines of `|`, `-` and `+`; a comment starts with `%`";
                let span = text.span(at, at + c.len_utf8());
                problems.push(Diagnostic::error(span, message).help(help));
            }
            Err(_) => break,
        }
        from = to + 1;
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

fn line(text: &str, from: usize, to: usize) -> Result<Line, (usize, char)> {
    let content = &text[from..to];
    let content = content.find('%').map_or(content, |at| &content[..at]);
    let trimmed = text[from..to].trim();
    let make = |kind, tokens| Line { kind, tokens, from, to };
    if is_comment(trimmed) {
        let lower = trimmed.to_ascii_lowercase();
        let kind = if lower.contains("solution") { Kind::Solution } else { Kind::Blank };
        return Ok(make(kind, Vec::new()));
    }
    let first = trimmed.split_whitespace().next().unwrap_or("");
    if STATEMENTS.contains(&first) {
        return Ok(make(Kind::Statement, Vec::new()));
    }
    let tokens = tokens(content, from)?;
    let all = |pieces: &[Piece]| tokens.iter().all(|t| pieces.contains(&t.piece));
    let any = |piece: Piece| tokens.iter().any(|t| t.piece == piece);
    let is_v =
        |t: &Token| t.piece == Piece::Word && text[t.from..t.to].chars().all(|c| matches!(c, 'v' | 'V'));
    let is_sign = |t: &Token| matches!(t.piece, Piece::Up | Piece::Down) || is_v(t);
    // Dots stand under their cells: with empty cells beside them they are in a row.
    let is_dot = |t: &Token| matches!(t.piece, Piece::White | Piece::Black);
    let downward = |t: &Token| is_sign(t) || is_dot(t) && !any(Piece::Empty);
    let kind = if tokens.is_empty() {
        Kind::Blank
    } else if all(&[Piece::Rule, Piece::Bar]) && any(Piece::Rule) && is_ruled(content) {
        Kind::Rule
    } else if tokens.iter().all(|t| downward(t) || matches!(t.piece, Piece::Bar | Piece::Empty | Piece::Rule))
        && tokens.iter().any(downward)
    {
        Kind::Down
    } else if all(&[Piece::Less, Piece::Greater, Piece::Bar]) && !all(&[Piece::Bar]) {
        Kind::Across
    } else {
        Kind::Cells
    };
    Ok(make(kind, split(tokens, kind)))
}

/// Whether there are several words of letters with different lengths.
fn is_prose(text: &str, line: &Line) -> bool {
    let words = line.tokens.iter().filter(|t| t.piece == Piece::Word && t.to - t.from > 1);
    let letters = words.filter(|t| text[t.from..t.to].bytes().all(|b| b.is_ascii_alphabetic()));
    let lengths: Vec<usize> = letters.map(|t| t.to - t.from).collect();
    lengths.len() > 2 && lengths.iter().any(|&n| n != lengths[0])
}

/// `% ...`, `// ...`, or `# ...` with a word in it (a lone `#` is a black cell).
fn is_comment(line: &str) -> bool {
    let is_word = |w: &str| w.len() > 1 && w.chars().filter(|c| c.is_alphabetic()).count() > 1;
    line.starts_with('%')
        || line.starts_with("//")
        || line
            .strip_prefix('#')
            .is_some_and(|rest| rest.split(|c: char| !c.is_alphanumeric()).any(is_word) || rest.contains('='))
}

/// Whether dashes form a line instead of empty cells: there is a corner or a box character, or several are adjacent.
fn is_ruled(content: &str) -> bool {
    content.contains("--") || content.contains(|c: char| matches!(c, '+' | '=') || is_box_rule(c))
}

fn is_box_rule(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c) && !is_bar(c)
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║' | '╵' | '╷' | '╹' | '╻')
}

fn tokens(content: &str, start: usize) -> Result<Vec<Token>, (usize, char)> {
    let mut found: Vec<Token> = Vec::new();
    let mut column = 0;
    let ruled = is_ruled(content) && !content.contains(|c: char| c.is_alphanumeric());
    for (i, c) in content.char_indices() {
        let from = start + i;
        let width = if c == '\t' { 8 - column % 8 } else { c.width().unwrap_or(0) };
        let piece = match c {
            ' ' | '\t' | '\r' | ',' | ';' | '\'' | '\u{a0}' => None,
            '-' | '=' | '+' if ruled => Some(Piece::Rule),
            '+' | '=' => Some(Piece::Rule),
            '.' | '_' | '?' | '*' | '·' | '-' => Some(Piece::Empty),
            '#' | '■' | '█' => Some(Piece::Wall),
            '<' => Some(Piece::Less),
            '>' => Some(Piece::Greater),
            '^' | '∧' | '⌃' => Some(Piece::Up),
            '∨' | '⌄' => Some(Piece::Down),
            '○' | '◦' => Some(Piece::White),
            '●' | '•' => Some(Piece::Black),
            c if is_bar(c) => Some(Piece::Bar),
            c if is_box_rule(c) => Some(Piece::Rule),
            c if c.is_ascii_alphanumeric() => Some(Piece::Word),
            _ => return Err((from, c)),
        };
        let (to, end) = (from + c.len_utf8(), column + width);
        if let Some(piece) = piece {
            match found.last_mut() {
                // Adjacent letters and digits form one word.
                Some(last) if piece == Piece::Word && last.piece == piece && last.to == from => {
                    (last.to, last.end) = (to, end);
                }
                _ => found.push(Token { piece, from, to, column, end }),
            }
        }
        column = end;
    }
    Ok(found)
}

/// On a line of signs between rows, each `v` is a sign.
fn split(tokens: Vec<Token>, kind: Kind) -> Vec<Token> {
    if kind != Kind::Down {
        return tokens;
    }
    let mut out = Vec::new();
    for token in tokens {
        if token.piece != Piece::Word {
            out.push(token);
            continue;
        }
        for i in 0..token.to - token.from {
            let (from, column) = (token.from + i, token.column + i);
            out.push(Token { piece: Piece::Down, from, to: from + 1, column, end: column + 1 });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[Kind]) {
        let kinds: Vec<Kind> = lines(Text { text, start: 1 }).unwrap().iter().map(|l| l.kind).collect();
        assert_eq!(kinds, expect);
    }

    #[test]
    fn kinds_of_lines() {
        use Kind::*;
        check("% x\n\n5 . 3\n", &[Blank, Blank, Cells]);
        check("------+---\n- - 1\n- - -\n", &[Rule, Cells, Cells]);
        check("┌───┐\n│ 1 │\n└───┘", &[Rule, Cells, Rule]);
        check("^ v\n  v ^ .\n> <\n1>2", &[Down, Down, Across, Cells]);
        check("# # 1\n# n = 4; one given\n# the one solution\n", &[Cells, Blank, Solution]);
        check("given 1 2 3\ngreater 1 1 1 2", &[Statement, Statement]);
    }

    #[test]
    fn what_is_no_puzzle_is_said() {
        let problems = lines(Text { text: "1 2\n3 $", start: 1 }).unwrap_err();
        assert_eq!(problems[0].labels[0].span.lo, 7);
    }
}
