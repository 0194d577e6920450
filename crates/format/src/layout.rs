//! Pieces to lines: one statement per line, long ones broken.
//!
//! A statement that does not fit on a line, or contains a comment up to the end of a line, is broken after its arrow;
//! lines that are still too long are broken where the nesting is least. Facts and declarations that share a line
//! continue to share it, however long it is, since they may be a row of a grid. At most one blank line is kept between
//! statements. Invariants: as in the module's head; a statement whose new lines would be read differently (none is
//! known) is kept as it is.

use super::pieces::{Kind, Piece, pieces};
use super::spacing::{INNER, Spacing, places};
use asp_syntax::token::Token;

/// The longest line, in characters.
pub(crate) const WIDTH: usize = 100;
/// Indentation of the lines of a statement after the first.
const INDENT: usize = 4;

/// Lays out a program. Pre: the text has no syntax errors.
pub fn format(text: &str) -> String {
    let bom = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    let crlf = text.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'));
    let text = text.replace("\r\n", "\n");
    let pieces = pieces(&text);
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // Whether the last statement may share its line.
    let mut sociable = false;
    let mut i = 0;
    while i < pieces.len() {
        let first = &pieces[i];
        let Some(number) = first.statement else {
            let shares = first.breaks == 0 && i > 0;
            if shares {
                trail(first, &text, &mut out)
            } else {
                start_line(first.breaks, &mut out)
            }
            if !shares {
                push_comment(first, &mut out);
            }
            sociable = first.kind == Kind::BlockComment;
            i += 1;
            continue;
        };
        let end = i + pieces[i..].iter().take_while(|p| p.statement == Some(number)).count();
        let statement = &pieces[i..end];
        let compact = is_compact(statement);
        let lines = checked(statement, &text);
        let comment = i > 0 && pieces[i - 1].is_comment();
        if first.breaks == 0 && sociable && (comment || compact) {
            out.push(' ');
        } else {
            start_line(first.breaks, &mut out);
        }
        out.push_str(&lines);
        sociable = compact;
        i = end;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let out = if crlf { out.replace('\n', "\r\n") } else { out };
    format!("{bom}{out}")
}

/// Ends the line, with a blank line after it if there was one.
fn start_line(breaks: usize, out: &mut String) {
    if !out.is_empty() {
        out.push_str(if breaks >= 2 { "\n\n" } else { "\n" });
    }
}

/// Length of the last line.
fn width(out: &str) -> usize {
    out.rsplit('\n').next().unwrap_or("").chars().count()
}

/// Adds a comment to the end of a line: in its old column if possible, so that columns of comments stay aligned.
fn trail(comment: &Piece<'_>, text: &str, out: &mut String) {
    let line = text[..comment.start].rfind('\n').map_or(0, |n| n + 1);
    let column = text[line..comment.start].chars().count();
    let (here, room) = (width(out), if comment.kind == Kind::LineComment { 2 } else { 1 });
    let column = if comment.kind == Kind::LineComment && column > here { column } else { here + room };
    out.extend(std::iter::repeat_n(' ', column - here));
    push_comment(comment, out);
}

/// A comment without blanks at the ends of its lines.
fn push_comment(comment: &Piece<'_>, out: &mut String) {
    for (i, line) in comment.text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str(line.trim_end());
    }
}

/// Whether a statement may share its line: it is a fact or a declaration.
fn is_compact(statement: &[Piece<'_>]) -> bool {
    let plain = |p: &Piece<'_>| {
        let Kind::Token(token) = p.kind else { return true };
        !matches!(token, Token::If | Token::Colon | Token::OpenBrace | Token::Query)
    };
    let first = match statement.first().map(|p| p.kind) {
        Some(Kind::Token(token)) => token,
        _ => return false,
    };
    use Token::{Const, Defined, External, Identifier, Minus, Project, Show};
    matches!(first, Identifier | Minus | Defined | Show | Project | External | Const)
        && statement.iter().all(plain)
}

/// The lines of a statement; the old ones if the new ones would be read differently.
fn checked(statement: &[Piece<'_>], text: &str) -> String {
    let was = || {
        let (first, last) = (statement.first(), statement.last());
        first.zip(last).map_or("", |(first, last)| &text[first.start..last.end()]).to_string()
    };
    let verbatim = [Kind::Token(Token::Script), Kind::Token(Token::Theory)];
    if statement.first().is_some_and(|p| verbatim.contains(&p.kind)) {
        return was();
    }
    let lines = lay_out(statement);
    let words = |pieces: &[Piece<'_>]| -> Vec<(Kind, String)> {
        let trimmed = |p: &Piece<'_>| p.text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        pieces.iter().map(|p| (p.kind, trimmed(p))).collect()
    };
    if words(&pieces(&lines)) == words(statement) { lines } else { was() }
}

/// A word of a line: a token, or a comment that tokens may follow.
struct Word<'t> {
    text: &'t str,
    blank: bool,
    /// How good a place for a line break is before it; `None` if there must be none.
    rank: Option<u32>,
}

fn lay_out(statement: &[Piece<'_>]) -> String {
    let token = |p: &Piece<'_>| match p.kind {
        Kind::Token(token) => Some(token),
        _ => None,
    };
    let tokens: Vec<Token> = statement.iter().filter_map(token).collect();
    let mut places = places(&tokens).into_iter();
    // Whether a comment stands between words of a line.
    let is_word = |i: usize| {
        let (p, next) = (&statement[i], statement.get(i + 1));
        !p.is_comment()
            || p.kind == Kind::BlockComment
                && p.breaks == 0
                && next.is_some_and(|n| n.breaks == 0)
                && !p.text.contains('\n')
    };
    let mut lines = Lines { segments: vec![Vec::new()], comments: Vec::new() };
    let mut last = Spacing::default();
    let mut after_comment = false;
    for (i, piece) in statement.iter().enumerate() {
        if !is_word(i) {
            lines.comment(piece);
            after_comment = true;
            continue;
        }
        let comment = piece.is_comment();
        let place = if comment { Spacing::default() } else { places.next().unwrap_or_default() };
        let blank = (comment || place.blank || after_comment) && i > 0;
        // No line ends or starts with a comment that was inside one: it would become another kind of comment.
        let rank = last.rank.filter(|_| !comment && !after_comment);
        after_comment = comment;
        if last.splits && !comment {
            lines.segments.push(Vec::new());
        }
        let word = Word { text: piece.text, blank, rank };
        if let Some(segment) = lines.segments.last_mut() {
            segment.push(word);
        }
        if !comment {
            last = place;
        }
    }
    lines.print()
}

/// A statement being laid out.
struct Lines<'t> {
    /// Parts that get lines of their own if the statement does not fit on one.
    segments: Vec<Vec<Word<'t>>>,
    /// Comments that end a line: the segment and word before it, whether it is on a line of its own, and the text.
    comments: Vec<(usize, usize, bool, &'t str)>,
}

impl<'t> Lines<'t> {
    fn comment(&mut self, piece: &Piece<'t>) {
        let segment = self.segments.len() - 1;
        let word = self.segments[segment].len();
        self.comments.push((segment, word, piece.breaks > 0, piece.text));
    }

    fn print(&self) -> String {
        if self.comments.is_empty() {
            let mut line = String::new();
            for word in self.segments.iter().flatten() {
                push(word, false, &mut line);
            }
            if line.chars().count() <= WIDTH {
                return line;
            }
        }
        let mut out = String::new();
        for (s, segment) in self.segments.iter().enumerate() {
            let indent = if s == 0 { 0 } else { INDENT };
            let mut from = 0;
            for &(_, word, own, text) in self.comments.iter().filter(|c| c.0 == s) {
                if word > from {
                    let continued = from > 0;
                    fill(&segment[from..word], indent, continued, &mut out);
                    from = word;
                }
                if own {
                    new_line(INDENT, &mut out);
                } else {
                    out.push_str(if text.starts_with("%*") { " " } else { "  " });
                }
                let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
                out.push_str(&lines.join("\n"));
            }
            if from < segment.len() {
                fill(&segment[from..], indent, from > 0, &mut out);
            }
        }
        out
    }
}

fn new_line(indent: usize, out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
    }
}

fn push(word: &Word<'_>, first: bool, out: &mut String) {
    if word.blank && !first {
        out.push(' ');
    }
    out.push_str(word.text);
}

/// Writes words on new lines, as many as they need; `continued` if a comment broke the line before.
fn fill(words: &[Word<'_>], indent: usize, continued: bool, out: &mut String) {
    let length = |word: &Word<'_>| word.text.chars().count() + usize::from(word.blank);
    let mut here = if continued { INDENT } else { indent };
    let mut start = 0;
    while start < words.len() {
        let (mut end, mut width) = (start, here);
        while end < words.len() && (end == start || width + length(&words[end]) <= WIDTH) {
            width += length(&words[end]);
            end += 1;
        }
        if end < words.len() {
            // The last of the best break points that fit; if none fits, the first one after.
            let fitting = (start + 1..=end).filter(|&k| words[k].rank.is_some());
            let best = fitting.min_by_key(|&k| (words[k].rank, words.len() - k));
            let after = || (end + 1..words.len()).find(|&k| words[k].rank.is_some());
            end = best.or_else(after).unwrap_or(words.len());
        }
        new_line(here, out);
        for (i, word) in words[start..end].iter().enumerate() {
            push(word, i == 0, out);
        }
        let inner = words.get(end).is_some_and(|w| w.rank >= Some(INNER));
        here = if inner { indent + INDENT } else { INDENT };
        start = end;
    }
}

#[cfg(test)]
mod tests;
