//! Tables with separators: each row a fact.
//!
//! The separator is the one of comma, semicolon and tabulator that the first line has most of. A first row without
//! numbers above a column of numbers is a heading and no fact; naming columns says that there is a heading.
//!
//! Invariant: all rows have as many fields as the first one.

use super::value::{Value, facts, read};
use super::{MAX_MESSAGES, Problems, Text};
use crate::base::diagnostic::Diagnostic;

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The facts, as program text.
    pub facts: String,
    /// Columns that were taken as a heading without being asked for.
    pub heading: Option<Vec<String>>,
}

/// Reads a table as facts of a predicate.
pub fn table(text: Text<'_>, predicate: &str, columns: Option<&[String]>) -> Result<Table, Problems> {
    let whole = text.text;
    let skipped = if whole.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let body = &whole[skipped..];
    let separator = separator(body);
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .trim(::csv::Trim::All)
        .from_reader(body.as_bytes());
    let mut problems = Vec::new();
    // Rows of texts, each with the byte that it starts at.
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let at = record.position().map_or(0, |p| p.byte() as usize);
                // Empty lines count as the start of the row after them.
                let blank = body[at..].bytes().take_while(|b| matches!(b, b'\n' | b'\r')).count();
                if record.len() == 1 && record.get(0) == Some("") {
                    continue;
                }
                rows.push((skipped + at + blank, record.iter().map(String::from).collect()));
            }
            Err(error) => {
                let at = skipped + error.position().map_or(0, |p| p.byte() as usize);
                problems.push(Diagnostic::error(text.span(at, at + 1), format!("no table: {error}")));
                return Err(problems);
            }
        }
    }
    if let Some(at) = open_quote(whole) {
        let message = "this quotation mark is never closed";
        let help = "a quotation mark inside a quoted field is written twice: \"\"";
        return Err(vec![Diagnostic::error(text.span(at, at + 1), message).help(help)]);
    }
    let Some((_, first)) = rows.first() else { return Ok(Table::default()) };
    let width = first.len();
    for (at, row) in rows.iter().filter(|(_, row)| row.len() != width) {
        if problems.len() < MAX_MESSAGES {
            let end = line_end(whole, *at);
            let message = format!("expected {width} fields as in the first row, found {}", row.len());
            problems.push(Diagnostic::error(text.span(*at, end), message));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut heading = None;
    let mut picked: Vec<usize> = (0..width).collect();
    let mut skip = 0;
    if let Some(columns) = columns {
        picked = choose(&rows[0].1, columns).map_err(|name| {
            let span = text.span(rows[0].0, line_end(whole, rows[0].0));
            let message = format!("there is no column '{name}' in the heading");
            vec![Diagnostic::error(span, message).help(format!("columns: {}", rows[0].1.join(", ")))]
        })?;
        skip = 1;
    } else if has_heading(&rows) {
        heading = Some(rows[0].1.clone());
        skip = 1;
    }
    let mut values: Vec<Vec<Value>> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().skip(skip) {
        let mut out = Vec::with_capacity(picked.len());
        for &i in &picked {
            match read(&row[i]) {
                Ok(value) => out.push(value),
                Err(wrong) => {
                    let (message, help) = wrong.message(&row[i]);
                    let (from, to) = field(whole, *at, i, separator);
                    problems.push(Diagnostic::error(text.span(from, to), message).help(help));
                }
            }
        }
        if problems.len() >= MAX_MESSAGES {
            break;
        }
        values.push(out);
    }
    if problems.is_empty() { Ok(Table { facts: facts(predicate, &values), heading }) } else { Err(problems) }
}

fn separator(text: &str) -> u8 {
    let line = text.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
    let count = |c: char| line.matches(c).count();
    let best = [',', ';', '\t'].into_iter().rev().max_by_key(|&c| count(c)).unwrap_or(',');
    best as u8
}

/// Whether the first row has no number, but stands above a column of numbers.
fn has_heading(rows: &[(usize, Vec<String>)]) -> bool {
    let number = |text: &String| matches!(read(text), Ok(Value::Number(_)) | Err(_));
    let [(_, first), rest @ ..] = rows else { return false };
    !rest.is_empty()
        && !first.iter().any(number)
        && (0..first.len()).any(|i| rest.iter().all(|(_, row)| number(&row[i])))
}

/// Where the wanted columns are in the heading, or the name that is not there.
fn choose(heading: &[String], wanted: &[String]) -> Result<Vec<usize>, String> {
    let find = |name: &String| {
        let exact = heading.iter().position(|h| h == name);
        let other = || heading.iter().position(|h| h.eq_ignore_ascii_case(name));
        exact.or_else(other).ok_or_else(|| name.clone())
    };
    wanted.iter().map(find).collect()
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |i| at + i)
}

/// Where a field of the row that starts at a byte stands.
fn field(text: &str, row: usize, number: usize, separator: u8) -> (usize, usize) {
    let (mut quoted, mut seen, mut start) = (false, 0, row);
    let bytes = text.as_bytes();
    let mut at = row;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            b if b == separator && !quoted => {
                if seen == number {
                    break;
                }
                seen += 1;
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    let inner = &text[start..at];
    let lead = inner.len() - inner.trim_start().len();
    (start + lead, start + lead + inner.trim().len())
}

/// The quotation mark that opens a field which never ends: the last of an odd number.
fn open_quote(text: &str) -> Option<usize> {
    let mut open = None;
    for (i, b) in text.bytes().enumerate() {
        if b == b'"' {
            open = if open.is_some() { None } else { Some(i) };
        }
    }
    // A mark inside a field that does not begin with one is text.
    open.filter(|&at| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with([',', ';', '\t', '\n', '\r'])
    })
}
