//! Reading line-oriented ground formats: a cursor over bytes that knows its line, and ground terms as text.

use asp_base::symbol::{StrId, Sym, Symbols};

/// An error in a ground format, with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Line, from 1.
    pub line: usize,
    /// The message.
    pub message: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// How many characters of a wrong word a message shows.
const MAX_SHOWN: usize = 40;

/// A position in bytes.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }
    /// The place: offset and line.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.at, self.line)
    }
    /// Continues at a place of the same text.
    pub(super) fn at(bytes: &'a [u8], (at, line): (usize, usize)) -> Self {
        Self { bytes, at: at.min(bytes.len()), line }
    }
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError { line: self.line, message: message.into() })
    }
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
    pub(super) fn bump(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        self.line += usize::from(byte == b'\n');
        Some(byte)
    }
    /// Skips blanks, but not line ends.
    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }
    /// Skips blanks and line ends.
    pub(super) fn space(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.bump();
        }
    }
    pub(super) fn at_end(&mut self) -> bool {
        self.space();
        self.at == self.bytes.len()
    }
    /// Skips the rest of the line and its end.
    pub(super) fn skip_line(&mut self) {
        while self.bump().is_some_and(|b| b != b'\n') {}
    }
    /// The rest of the line without its end, which is skipped.
    pub(super) fn rest_of_line(&mut self) -> &'a [u8] {
        let start = self.at;
        while self.peek().is_some_and(|b| b != b'\n') {
            self.at += 1;
        }
        let rest = &self.bytes[start..self.at];
        self.bump();
        rest.strip_suffix(b"\r").unwrap_or(rest)
    }
    /// Whether the text continues with this, which is then skipped.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.bytes[self.at..].starts_with(text.as_bytes());
        self.at += if found { text.len() } else { 0 };
        found
    }
    /// A run of bytes other than white space.
    pub(super) fn word(&mut self) -> &'a [u8] {
        self.blanks();
        let start = self.at;
        while self.peek().is_some_and(|b| !b.is_ascii_whitespace()) {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }
    /// The next `len` bytes.
    pub(super) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(len)?)?;
        self.line += taken.iter().filter(|&&b| b == b'\n').count();
        self.at += len;
        Some(taken)
    }
    /// A decimal integer on this line.
    pub(super) fn integer(&mut self, what: &str) -> Result<i64, ReadError> {
        self.blanks();
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        if matches!(self.peek(), Some(b'-' | b'+')) {
            self.at += 1;
        }
        let digits = self.at;
        let mut value = 0i64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let digit = i64::from(digit - b'0');
            let next = value.checked_mul(10);
            let next = next.and_then(|v| if negative { v.checked_sub(digit) } else { v.checked_add(digit) });
            let Some(next) = next else { return self.error(format!("{what} is outside the 64-bit range")) };
            value = next;
            self.at += 1;
        }
        if self.at == digits {
            self.at = start;
            let found = match self.peek() {
                None => "end of file".into(),
                Some(b'\n') => "end of line".into(),
                Some(_) => format!("'{}'", self.shown_word()),
            };
            return self.error(format!("{what} expected, found {found}"));
        }
        Ok(value)
    }
    /// An integer in a range.
    pub(super) fn bounded(&mut self, what: &str, low: i64, high: i64) -> Result<i64, ReadError> {
        let value = self.integer(what)?;
        if value < low || value > high {
            return self.error(format!("{what} {value} is not in {low}..{high}"));
        }
        Ok(value)
    }
    /// The next word, for a message: only its beginning if it is long.
    fn shown_word(&self) -> String {
        let mut cursor = self.clone();
        let word = String::from_utf8_lossy(cursor.word());
        let mut shown: String = word.chars().take(MAX_SHOWN).collect();
        if shown.len() < word.len() {
            shown.push_str("...");
        }
        shown
    }
    /// The number of items that follow.
    pub(super) fn count(&mut self, what: &str) -> Result<usize, ReadError> {
        Ok(self.bounded(what, 0, i64::from(u32::MAX))? as usize)
    }
    pub(super) fn end_of_line(&mut self) -> Result<(), ReadError> {
        self.blanks();
        match self.peek() {
            None | Some(b'\n') => {
                self.bump();
                Ok(())
            }
            Some(_) => {
                let word = self.shown_word();
                self.error(format!("end of line expected, found '{word}'"))
            }
        }
    }
}

/// Reads a ground term as [`Symbols::write`] prints it; `None` if the text is no ground term.
pub fn parse_term(text: &str, symbols: &mut Symbols) -> Option<Sym> {
    struct Open {
        name: Option<String>,
        negative: bool,
        args: Vec<Sym>,
    }
    let mut cursor = Cursor::new(text.as_bytes());
    let mut stack: Vec<Open> = Vec::new();
    loop {
        // A term starts here.
        let negative = cursor.eat("-");
        let mut done = match cursor.peek()? {
            b'0'..=b'9' => {
                let start = cursor.at;
                while cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
                    cursor.at += 1;
                }
                let digits = &text[start..cursor.at];
                if digits.len() > 1 && digits.starts_with('0') {
                    return None;
                }
                let digits = if negative { format!("-{digits}") } else { digits.to_string() };
                symbols.num(digits.parse().ok()?)
            }
            b'"' if !negative => {
                cursor.bump();
                let mut content = Vec::new();
                loop {
                    match cursor.bump()? {
                        b'"' => break,
                        b'\\' => content.push(match cursor.bump()? {
                            b'n' => b'\n',
                            other @ (b'"' | b'\\') => other,
                            _ => return None,
                        }),
                        other => content.push(other),
                    }
                }
                symbols.string(std::str::from_utf8(&content).ok()?)
            }
            b'#' if !negative => {
                if cursor.eat("#inf") {
                    Sym::INF
                } else if cursor.eat("#sup") {
                    Sym::SUP
                } else {
                    return None;
                }
            }
            b'(' => {
                cursor.bump();
                if cursor.eat(")") {
                    tuple(&[], negative, symbols)
                } else {
                    stack.push(Open { name: None, negative, args: Vec::new() });
                    continue;
                }
            }
            _ => {
                let start = cursor.at;
                while cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'\'') {
                    cursor.at += 1;
                }
                let name = &text[start..cursor.at];
                if !name.trim_start_matches(['_', '\'']).starts_with(|c: char| c.is_ascii_lowercase()) {
                    return None;
                }
                if cursor.eat("(") {
                    stack.push(Open { name: Some(name.to_string()), negative, args: Vec::new() });
                    continue;
                }
                let name = symbols.intern(name);
                symbols.fun(name, &[], negative)
            }
        };
        // A term ended here.
        loop {
            let Some(open) = stack.last_mut() else {
                return (cursor.at == text.len()).then_some(done);
            };
            open.args.push(done);
            let single = open.name.is_none() && open.args.len() == 1;
            if cursor.eat(")") || single && cursor.eat(",)") {
                let open = stack.pop()?;
                done = match open.name {
                    None if single && !text[..cursor.at].ends_with(",)") => return None,
                    None => tuple(&open.args, open.negative, symbols),
                    Some(name) => {
                        let name = symbols.intern(&name);
                        symbols.fun(name, &open.args, open.negative)
                    }
                };
            } else if cursor.eat(",") {
                break;
            } else {
                return None;
            }
        }
    }
}

fn tuple(args: &[Sym], negative: bool, symbols: &mut Symbols) -> Sym {
    if negative { symbols.fun(StrId::EMPTY, args, true) } else { symbols.tuple(args) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_read_as_they_print() {
        let mut symbols = Symbols::new();
        let good = [
            "a",
            "-a",
            "12",
            "-3",
            "0",
            "f(1,a,\"x\\\"\\n\\\\\",(1,),(),#inf,#sup)",
            "(1,2)",
            "((1,),_x'(y))",
            "-()",
            "-(1,)",
        ];
        for text in good {
            let term = parse_term(text, &mut symbols);
            assert_eq!(term.map(|t| symbols.display(t)).as_deref(), Some(text));
        }
        for text in [
            "",
            "A",
            "f(",
            "f()",
            "(1)",
            "1 ",
            "a b",
            "007",
            "\"",
            "-\"a\"",
            "f(1,)",
            "99999999999999999999",
            ",)",
        ] {
            assert_eq!(parse_term(text, &mut symbols), None, "{text}");
        }
        let deep = "f(".repeat(100_000) + "1" + &")".repeat(100_000);
        assert!(parse_term(&deep, &mut symbols).is_some());
    }
}
