//! Places in a text as editors count them: lines and UTF-16 code units, both from 0.
//!
//! Invariant: every place has an offset and every offset on a character's boundary one place; a place past the end of a
//! line is its end, one past the text the text's end. Both ways take logarithmic time, however long a line is.

use std::ops::Range;

/// A line and a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Position {
    /// The line, from 0.
    pub line: u32,
    /// UTF-16 code units before it in the line.
    pub character: u32,
}

/// A character that is not one byte long.
#[derive(Clone, Copy, Debug)]
struct Wide {
    /// Where it starts.
    at: u32,
    bytes: u8,
    /// Its UTF-16 code units.
    units: u8,
    /// How many more bytes than units the text has before it.
    saved: u32,
}

/// The lines of a text.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Where each line starts.
    starts: Vec<u32>,
    /// Where each line ends, its line break left out.
    ends: Vec<u32>,
    wide: Vec<Wide>,
}

impl Lines {
    /// The lines of a text of less than 4 GiB. A line ends at `\n`, `\r\n` or `\r`.
    pub fn new(text: &str) -> Self {
        let (mut starts, mut ends, mut wide, mut saved) = (vec![0], Vec::new(), Vec::new(), 0);
        let bytes = text.as_bytes();
        for (at, c) in text.char_indices() {
            let next = (at + c.len_utf8()) as u32;
            match c {
                '\r' if bytes.get(at + 1) == Some(&b'\n') => {}
                '\n' | '\r' => {
                    let crlf = c == '\n' && at > 0 && bytes[at - 1] == b'\r';
                    ends.push(at as u32 - u32::from(crlf));
                    starts.push(next);
                }
                _ if c.is_ascii() => {}
                _ => {
                    let (bytes, units) = (c.len_utf8() as u8, c.len_utf16() as u8);
                    wide.push(Wide { at: at as u32, bytes, units, saved });
                    saved += u32::from(bytes - units);
                }
            }
        }
        ends.push(text.len() as u32);
        Self { starts, ends, wide }
    }

    /// How many lines there are, the last one without a line break.
    pub fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Where a line starts; the text's end for one that is not there.
    pub fn start(&self, line: u32) -> usize {
        self.starts.get(line as usize).copied().unwrap_or(*self.ends.last().unwrap_or(&0)) as usize
    }

    /// Where a line ends, its line break left out.
    pub fn end(&self, line: u32) -> usize {
        self.ends.get(line as usize).or(self.ends.last()).copied().unwrap_or(0) as usize
    }

    pub fn line(&self, offset: usize) -> u32 {
        (self.starts.partition_point(|&s| s as usize <= offset).max(1) - 1) as u32
    }

    /// How many more bytes than units there are before an offset.
    fn saved(&self, offset: u32) -> u32 {
        match self.wide.partition_point(|w| w.at < offset).checked_sub(1) {
            Some(i) => self.wide[i].saved + u32::from(self.wide[i].bytes - self.wide[i].units),
            None => 0,
        }
    }

    /// The place of an offset.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line(offset);
        let start = self.start(line) as u32;
        let offset = (offset as u32).min(self.end(line) as u32).max(start);
        Position { line, character: (offset - start).saturating_sub(self.saved(offset) - self.saved(start)) }
    }

    /// The places of both ends.
    pub fn range(&self, range: &Range<usize>) -> (Position, Position) {
        (self.position(range.start), self.position(range.end))
    }

    /// The offset of a place; inside a character it is the character's start.
    pub fn offset(&self, place: Position) -> usize {
        if place.line >= self.count() {
            return self.end(self.count());
        }
        let (start, end) = (self.start(place.line), self.end(place.line));
        let before = self.saved(start as u32);
        let from = self.wide.partition_point(|w| (w.at as usize) < start);
        let to = self.wide.partition_point(|w| (w.at as usize) < end);
        let units = |w: &Wide| w.at - start as u32 - (w.saved - before);
        let wide = &self.wide[from..to];
        let last = wide.partition_point(|w| units(w) < place.character).checked_sub(1).map(|i| wide[i]);
        let offset = match last {
            None => start as u64 + u64::from(place.character),
            Some(w) => match place.character - units(&w) {
                inside if inside < u32::from(w.units) => u64::from(w.at),
                after => u64::from(w.at) + u64::from(w.bytes) + u64::from(after - u32::from(w.units)),
            },
        };
        offset.min(end as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_base::rng::Rng;

    /// The place of an offset, by counting.
    fn counted(text: &str, offset: usize) -> Position {
        let mut place = Position::default();
        let mut rest = text[..offset].chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '\r' if rest.peek() == Some(&'\n') => {}
                '\r' if rest.peek().is_none() && text[offset..].starts_with('\n') => {}
                '\n' | '\r' => place = Position { line: place.line + 1, character: 0 },
                _ => place.character += c.len_utf16() as u32,
            }
        }
        place
    }

    #[test]
    fn places_of_random_texts() {
        let signs = ["a", "\n", "\r\n", "\r", "ü", "€", "𝄞", "e\u{301}", " "];
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let text: String = (0..rng.below(30)).map(|_| signs[rng.below(9) as usize]).collect();
            let lines = Lines::new(&text);
            for offset in (0..=text.len()).filter(|&i| text.is_char_boundary(i)) {
                let place = lines.position(offset);
                assert_eq!(place, counted(&text, offset), "{text:?} {offset}");
                let within = offset > 0 && text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
                assert_eq!(lines.offset(place), offset - usize::from(within), "{text:?} {offset}");
            }
            for line in 0..lines.count() + 2 {
                for character in 0..20 {
                    let offset = lines.offset(Position { line, character });
                    assert!(text.is_char_boundary(offset), "{text:?} {line}:{character}");
                    assert!(lines.position(offset) <= Position { line, character }, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_place_inside_a_character_is_its_start() {
        let lines = Lines::new("a𝄞b");
        let at = |character| lines.offset(Position { line: 0, character });
        assert_eq!([at(0), at(1), at(2), at(3), at(4), at(u32::MAX)], [0, 1, 1, 5, 6, 6]);
    }
}
