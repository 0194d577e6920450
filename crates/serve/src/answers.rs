//! Output as it is sent to the page: text, or lines of answer sets, in bounded amounts.
//!
//! Invariant: however much a program prints, the page gets the beginning of it, the number of answer sets and the last
//! one, as from its own workers (`web/src/worker.js`).

use serde_json::{Value, json};

/// Answer sets that are kept.
const MAX_ANSWERS: u64 = 1000;
/// Bytes of other output that are kept.
const MAX_BYTES: usize = 4 << 20;
/// The longest answer set that is passed on.
const MAX_ANSWER: usize = 16 << 20;

/// Output not sent so far.
pub(super) struct Output {
    kind: &'static str,
    /// Whether lines are answer sets.
    answers: bool,
    rest: Vec<u8>,
    /// How much of a line that is too long has been left out.
    skipped: usize,
    lines: Vec<String>,
    newest: Option<String>,
    count: u64,
    size: usize,
}

impl Output {
    pub(super) fn new(kind: &'static str, answers: bool) -> Self {
        Self {
            kind,
            answers,
            rest: Vec::new(),
            skipped: 0,
            lines: Vec::new(),
            newest: None,
            count: 0,
            size: 0,
        }
    }

    /// Takes bytes; nothing of them is sent yet.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.answers {
            for part in bytes.split_inclusive(|&b| b == b'\n') {
                self.rest.extend_from_slice(part);
                if part.ends_with(b"\n") {
                    self.end_line();
                } else if self.rest.len() > MAX_ANSWER {
                    self.skipped += self.rest.len();
                    self.rest.clear();
                }
            }
        } else if self.size <= MAX_BYTES {
            self.rest.extend_from_slice(bytes);
            self.size += bytes.len();
            if self.size > MAX_BYTES {
                self.rest.extend_from_slice(b"\n... (there is more than is shown here)\n");
            }
        }
    }

    fn end_line(&mut self) {
        let mut line = String::from_utf8_lossy(&std::mem::take(&mut self.rest)).trim_end().to_string();
        if self.skipped > 0 {
            let length = std::mem::take(&mut self.skipped) + line.len();
            // One that no picture or table could show.
            line = json!({ "number": self.count + 1, "atoms": [], "long": length }).to_string();
        }
        if line.is_empty() {
            return;
        }
        let is_answer = line.starts_with("{\"number\"");
        self.count += u64::from(is_answer);
        self.size += line.len();
        if is_answer && (self.count > MAX_ANSWERS || self.size > 2 * MAX_BYTES) {
            self.newest = Some(line);
        } else {
            self.lines.push(line);
        }
    }

    /// The output to send now, if any; at the end all of it.
    pub(super) fn take(&mut self, ended: bool) -> Option<Value> {
        if self.answers {
            if ended && !self.rest.is_empty() {
                self.end_line();
            }
            let (lines, newest) = (std::mem::take(&mut self.lines), self.newest.take());
            let any = !lines.is_empty() || newest.is_some();
            return any
                .then(|| json!([self.kind, { "lines": lines, "count": self.count, "newest": newest }]));
        }
        // A character that is not complete waits for its end.
        let waits = if ended { 0 } else { begun(&self.rest) };
        let whole = self.rest.len() - waits;
        let text: Vec<u8> = self.rest.drain(..whole).collect();
        (!text.is_empty()).then(|| json!([self.kind, String::from_utf8_lossy(&text)]))
    }
}

/// How many bytes at the end begin a character that is not complete.
fn begun(bytes: &[u8]) -> usize {
    let begins = |&n: &usize| {
        let error = std::str::from_utf8(&bytes[bytes.len() - n..]).err();
        error.is_some_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    };
    (1..=bytes.len().min(3)).find(begins).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_part_no_character() {
        let mut out = Output::new("out", false);
        out.push(b"\xff\xc3");
        assert_eq!(out.take(false), Some(json!(["out", "\u{fffd}"])));
        out.push(b"\xbc");
        assert_eq!(out.take(false), Some(json!(["out", "ü"])));
    }

    #[test]
    fn text_is_told_in_whole_characters() {
        let mut out = Output::new("out", false);
        out.push(&"aü".as_bytes()[..2]);
        assert_eq!(out.take(false), Some(json!(["out", "a"])));
        out.push(&"ü".as_bytes()[1..]);
        assert_eq!(out.take(false), Some(json!(["out", "ü"])));
        assert_eq!(out.take(true), None);
    }

    #[test]
    fn of_many_answer_sets_the_first_and_the_last_are_told() {
        let mut out = Output::new("answers", true);
        for number in 1..=1200 {
            out.push(format!("{{\"number\":{number}}}\n").as_bytes());
        }
        out.push(b"{\"result\":1}");
        let told = out.take(true).unwrap();
        assert_eq!(told[1]["lines"].as_array().unwrap().len(), 1001);
        assert_eq!((&told[1]["count"], &told[1]["newest"]), (&json!(1200), &json!("{\"number\":1200}")));
    }

    #[test]
    fn a_long_answer_set_is_named_only() {
        let mut out = Output::new("answers", true);
        out.push(b"{\"number\":1,\"atoms\":[");
        for _ in 0..40 {
            out.push(&[b'1'; 1 << 20]);
        }
        assert!(out.rest.len() <= MAX_ANSWER);
        out.push(b"]}\n{\"number\":2}\n");
        let told = out.take(true).unwrap();
        let lines = told[1]["lines"].as_array().unwrap();
        assert!(
            lines[0].as_str().unwrap().starts_with("{\"number\":1,\"atoms\":[],\"long\":4"),
            "{}",
            lines[0]
        );
        assert_eq!((lines.len(), &told[1]["count"]), (2, &json!(2)));
    }

    #[test]
    fn endless_text_is_cut() {
        let mut out = Output::new("err", false);
        for _ in 0..6 {
            out.push(&[b'x'; 1 << 20]);
        }
        assert!(out.rest.len() < MAX_BYTES + (2 << 20));
    }
}
