//! A sheet of characters on which lines join automatically.
//!
//! Invariant: a position holds either a character or the arms of lines; box-drawing characters are chosen only when the
//! sheet is read, so corners and crossings are right whatever the order of drawing.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How a character looks on a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ink {
    #[default]
    Plain,
    Bold,
    /// A value that was found, not given.
    Found,
    /// Lines less important than what they frame.
    Faint,
    /// Dark on light.
    Reverse,
}

#[derive(Clone, Copy, Default)]
struct Place {
    /// `None`: arms; the second half of a wide character is `\0`.
    character: Option<char>,
    ink: Ink,
    /// Strength of the arms up, right, down, left: 0 to 2.
    arms: [u8; 4],
}

pub(crate) struct Canvas {
    width: usize,
    places: Vec<Place>,
}

const UP: usize = 0;
const RIGHT: usize = 1;
const DOWN: usize = 2;
const LEFT: usize = 3;

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, places: vec![Place::default(); width * height] }
    }

    fn place(&mut self, x: usize, y: usize) -> Option<&mut Place> {
        if x >= self.width { None } else { self.places.get_mut(y * self.width + x) }
    }

    /// Writes a text at a position; what passes the edge is cut off.
    pub(crate) fn write(&mut self, x: usize, y: usize, text: &str, ink: Ink) {
        let mut x = x;
        for c in text.chars() {
            let wide = c.width().unwrap_or(0);
            if wide == 0 {
                continue;
            }
            if let Some(place) = self.place(x, y) {
                (place.character, place.ink) = (Some(c), ink);
            }
            if let (2, Some(place)) = (wide, self.place(x + 1, y)) {
                place.character = Some('\0');
            }
            x += wide;
        }
    }

    /// Removes the character at a position; its lines show again.
    pub(crate) fn erase(&mut self, x: usize, y: usize) {
        if let Some(place) = self.place(x, y) {
            place.character = None;
        }
    }

    /// Draws a line along a row.
    pub(crate) fn across(&mut self, from: usize, to: usize, y: usize, strength: u8) {
        for x in from..to {
            self.arm(x, y, RIGHT, strength);
            self.arm(x + 1, y, LEFT, strength);
        }
    }

    /// Draws a line along a column.
    pub(crate) fn down(&mut self, x: usize, from: usize, to: usize, strength: u8) {
        for y in from..to {
            self.arm(x, y, DOWN, strength);
            self.arm(x, y + 1, UP, strength);
        }
    }

    /// Draws a piece of a line along a column.
    pub(crate) fn upright(&mut self, x: usize, y: usize, strength: u8) {
        self.arm(x, y, UP, strength);
        self.arm(x, y, DOWN, strength);
    }

    fn arm(&mut self, x: usize, y: usize, arm: usize, strength: u8) {
        if let Some(place) = self.place(x, y) {
            place.arms[arm] = place.arms[arm].max(strength);
        }
    }

    /// Whether a position is empty.
    pub(crate) fn is_free(&mut self, x: usize, y: usize) -> bool {
        self.place(x, y).is_some_and(|p| p.character.is_none() && p.arms == [0; 4])
    }

    /// The lines of the sheet, without blanks at their ends, with colours if wanted.
    pub(crate) fn lines(&self, color: bool) -> Vec<String> {
        self.places.chunks(self.width.max(1)).map(|row| line(row, color)).collect()
    }
}

fn line(row: &[Place], color: bool) -> String {
    let (mut out, mut blanks, mut ink) = (String::new(), 0, Ink::Plain);
    for place in row {
        let c = place.character.unwrap_or_else(|| joint(place.arms));
        if c == '\0' {
            continue;
        }
        let next = match place.character {
            None if place.arms != [0; 4] => Ink::Faint,
            None => Ink::Plain,
            Some(_) => place.ink,
        };
        if c == ' ' && next != Ink::Reverse {
            blanks += 1;
            continue;
        }
        if color && ink != next && ink != Ink::Plain {
            out.push_str("\x1b[0m");
        }
        out.extend(std::iter::repeat_n(' ', std::mem::take(&mut blanks)));
        if color && ink != next {
            out.push_str(match next {
                Ink::Plain => "",
                Ink::Bold => "\x1b[1m",
                Ink::Found => "\x1b[32m",
                Ink::Faint => "\x1b[2m",
                Ink::Reverse => "\x1b[7m",
            });
            ink = next;
        }
        out.push(c);
    }
    if color && ink != Ink::Plain {
        out.push_str("\x1b[0m");
    }
    out
}

/// The character for arms up, right, down, left. Not every mixture of strengths has one: then the strongest wins.
fn joint(arms: [u8; 4]) -> char {
    const LIGHT: [char; 16] =
        [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
    const HEAVY: [char; 16] =
        [' ', '╹', '╺', '┗', '╻', '┃', '┏', '┣', '╸', '┛', '━', '┻', '┓', '┫', '┳', '╋'];
    let shape = (0..4).filter(|&i| arms[i] > 0).map(|i| 1usize << i).sum::<usize>();
    match arms {
        // A light line that meets a heavy one.
        [2, 1, 2, 0] => '┠',
        [2, 0, 2, 1] => '┨',
        [0, 2, 1, 2] => '┯',
        [1, 2, 0, 2] => '┷',
        [2, 1, 2, 1] => '╂',
        [1, 2, 1, 2] => '┿',
        // A heavy line that ends on a light one.
        [1, 2, 1, 0] => '┝',
        [1, 0, 1, 2] => '┥',
        [0, 1, 2, 1] => '┰',
        [2, 1, 0, 1] => '┸',
        _ if arms.contains(&2) => HEAVY[shape],
        _ => LIGHT[shape],
    }
}

/// Columns that a text takes on a terminal.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join() {
        let mut canvas = Canvas::new(5, 3);
        canvas.across(0, 4, 0, 1);
        canvas.across(0, 4, 2, 1);
        canvas.down(0, 0, 2, 1);
        canvas.down(2, 0, 2, 2);
        canvas.down(4, 0, 2, 1);
        canvas.write(1, 1, "ab", Ink::Plain);
        assert_eq!(canvas.lines(false), ["┌─┰─┐", "│ab │", "└─┸─┘"]);
    }

    #[test]
    fn colours_are_closed_and_blanks_dropped() {
        let mut canvas = Canvas::new(6, 1);
        canvas.write(1, 0, "a", Ink::Bold);
        canvas.write(3, 0, "界", Ink::Found);
        assert_eq!(canvas.lines(true), [" \x1b[1ma\x1b[0m \x1b[32m界\x1b[0m"]);
        assert_eq!(canvas.lines(false), [" a 界"]);
    }
}
