//! Tables with separators: each row becomes a fact.
//!
//! Unless it is given, the separator is the first of tab, semicolon and comma that occurs equally often in all rows. A
//! first row without numbers above a column of numbers is a heading and not a fact; naming columns implies that there
//! is a heading. Each guess is reported.
//!
//! Invariant: all rows have as many fields as the first one.

use super::columns::{self, Table};
use super::value::{Value, facts, read};
use super::{Bytes, MAX_MESSAGES, Problems, Text};
use asp_base::diagnostic::Diagnostic;

/// A guess about a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guess {
    /// The first row is a heading.
    Heading(Vec<String>),
    /// The first row is a fact although it has no number.
    NoHeading(Vec<String>),
    /// The separator, if the first row has several candidates.
    Delimiter(u8),
    /// A text that looks like a number.
    NoNumber(String),
}

impl Guess {
    /// The note about a table in a file.
    pub fn note(&self, file: &str) -> String {
        match self {
            Guess::Heading(columns) => {
                format!("the first row of {file} is a heading, not a fact: {}", columns.join(", "))
            }
            Guess::NoHeading(columns) => format!(
                "the first row of {file} is a fact: {} (if it is a heading: --csv-header=yes)",
                columns.join(", ")
            ),
            Guess::Delimiter(b'\t') => {
                format!("the fields of {file} are separated by tabs (if not: --csv-delimiter)")
            }
            Guess::Delimiter(byte) => {
                format!("the fields of {file} are separated by '{}' (if not: --csv-delimiter)", *byte as char)
            }
            Guess::NoNumber(text) => format!("{text} in {file} is text, not a number"),
        }
    }
}

/// Whether the first row is a heading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Header {
    /// To be guessed.
    #[default]
    Auto,
    /// It is a heading.
    Yes,
    /// It is a fact.
    No,
}

/// The known layout of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Whether the first row is a heading.
    pub header: Header,
    /// The separator of fields; `None` to guess.
    pub delimiter: Option<u8>,
}

impl Layout {
    /// Reads `yes|no|auto` and a delimiter: one character, or `tab`.
    pub fn new(header: Option<&str>, delimiter: Option<&str>) -> Result<Self, String> {
        let header = match header {
            None | Some("auto") => Header::Auto,
            Some("yes") => Header::Yes,
            Some("no") => Header::No,
            Some(v) => {
                return Err(format!("'{v}' invalid value for: 'csv-header'; expected yes, no or auto"));
            }
        };
        let delimiter = match delimiter.map(str::as_bytes) {
            None => None,
            Some(b"tab" | b"\\t") => Some(b'\t'),
            Some(&[byte])
                if byte == b'\t'
                    || matches!(byte, b' '..=b'~') && !byte.is_ascii_alphanumeric() && byte != b'"' =>
            {
                Some(byte)
            }
            Some(v) => {
                let v = String::from_utf8_lossy(v);
                return Err(format!(
                    "'{v}' invalid value for: 'csv-delimiter'; expected one character such as ';', or tab"
                ));
            }
        };
        Ok(Self { header, delimiter })
    }
}

/// Reads a table as facts of a predicate.
pub fn table(
    text: Text<'_>,
    predicate: &str,
    columns: Option<&[String]>,
    layout: Layout,
) -> Result<Table, Problems> {
    let whole = text.text;
    let skipped = if whole.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let body = &whole[skipped..];
    let mut notes = Vec::new();
    let separator = layout.delimiter.unwrap_or_else(|| {
        let (separator, doubtful) = separator(body);
        notes.extend(doubtful.then_some(Guess::Delimiter(separator)));
        separator
    });
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .trim(::csv::Trim::All)
        .from_reader(body.as_bytes());
    let mut problems = Vec::new();
    // The texts of each row, with the byte where it starts.
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let at = record.position().map_or(0, |p| p.byte() as usize);
                // The start of a row includes the empty lines before it.
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
            let from = if row.len() > width { field(whole, *at, width, separator).0 } else { *at };
            let message =
                format!("expected {} as in the first row, found {}", super::fields(width), row.len());
            let first = rows[0].1.join(", ");
            problems.push(
                Diagnostic::error(text.span(from, end), message).help(format!("the first row is: {first}")),
            );
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut picked: Vec<usize> = (0..width).collect();
    let mut skip = 0;
    if let (Some(_), Header::No) = (columns, layout.header) {
        let span = text.span(rows[0].0, line_end(whole, rows[0].0));
        let message = "columns are picked by name, but --csv-header=no says that there is no heading";
        return Err(vec![Diagnostic::error(span, message)]);
    }
    if let Some(columns) = columns {
        picked = choose(&rows[0].1, columns).map_err(|name| {
            let span = text.span(rows[0].0, line_end(whole, rows[0].0));
            let message = format!("there is no column '{name}' in the heading");
            vec![Diagnostic::error(span, message).help(format!("columns: {}", rows[0].1.join(", ")))]
        })?;
        skip = 1;
    } else if layout.header == Header::Auto {
        match has_heading(&rows) {
            Some(true) => {
                notes.push(Guess::Heading(rows[0].1.clone()));
                skip = 1;
            }
            Some(false) => notes.push(Guess::NoHeading(rows[0].1.clone())),
            None => {}
        }
    } else {
        skip = usize::from(layout.header == Header::Yes);
    }
    let odd = rows.iter().skip(skip).flat_map(|(_, row)| picked.iter().map(|&i| &row[i]));
    notes.extend(odd.clone().find(|text| looks_like_number(text)).cloned().map(Guess::NoNumber));
    let mut values: Vec<(Bytes, Vec<Value>)> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().skip(skip) {
        let mut out = Vec::with_capacity(picked.len());
        let before = problems.len();
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
        if problems.len() == before {
            values.push((super::first_line(whole, (*at, whole.len())), out));
        }
    }
    if !problems.is_empty() {
        return Err(columns::with_example(problems, predicate, &values));
    }
    let place = |row: usize, column: usize| field(whole, values[row].0.0, picked[column], separator);
    let warnings = columns::misfits(text, predicate, &values, place);
    Ok(Table { facts: facts(predicate, &values), notes, warnings })
}

/// How many rows are examined to find the separator.
const SAMPLE: usize = 1000;

/// The separator, and whether it is doubtful. A comma may also be a decimal comma, so it comes last.
fn separator(text: &str) -> (u8, bool) {
    const CANDIDATES: [u8; 3] = [b'\t', b';', b','];
    // How often each one occurs in each row, outside of quotation marks.
    let mut rows = vec![[0usize; 3]];
    let (mut quoted, mut empty) = (false, true);
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted && !empty => {
                rows.push([0; 3]);
                empty = true;
                continue;
            }
            _ => {}
        }
        empty &= byte.is_ascii_whitespace() && byte != b'\t';
        if let (false, Some(which)) = (quoted, CANDIDATES.iter().position(|&c| c == byte))
            && let Some(row) = rows.last_mut()
        {
            row[which] += 1;
        }
        if rows.len() > SAMPLE {
            break;
        }
    }
    if empty && rows.len() > 1 {
        rows.pop();
    }
    let first = rows[0];
    let even = (0..3).find(|&i| first[i] > 0 && rows.iter().all(|row| row[i] == first[i]));
    // The first of the most frequent ones.
    let most = (0..3).rev().max_by_key(|&i| first[i]).unwrap_or(2);
    let doubtful = first.iter().filter(|&&n| n > 0).count() > 1;
    let none = first.iter().all(|&n| n == 0);
    (if none { b',' } else { CANDIDATES[even.unwrap_or(most)] }, doubtful)
}

/// Whether the first row is a heading: it has no number, but stands above a column of numbers. `None` if it is
/// certainly a fact.
fn has_heading(rows: &[(usize, Vec<String>)]) -> Option<bool> {
    let number =
        |text: &String| matches!(read(text), Ok(Value::Number(_)) | Err(_)) || looks_like_number(text);
    let [(_, first), rest @ ..] = rows else { return None };
    if rest.is_empty() || first.iter().any(number) {
        return None;
    }
    // A slip in one of many numbers does not make them texts.
    let above_numbers = |i: usize| {
        let cells = || rest.iter().map(|(_, row)| &row[i]).filter(|text| !text.is_empty());
        let numbers = cells().filter(|text| number(text)).count();
        let others = || cells().filter(|text| !number(text));
        columns::is_numeric(numbers, others().count())
            && others().all(|text| columns::is_odd(&Value::Text(text.clone())))
    };
    Some((0..first.len()).any(above_numbers))
}

/// Whether a text is almost an integer: it has leading zeros or a decimal comma.
fn looks_like_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(read(text), Ok(Value::Text(_)))
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || b == b',')
}

/// The positions of the wanted columns in the heading; the error is a name that is not there.
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

/// The bytes of a field in the row that starts at a byte.
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

/// The quotation mark of a field that is never closed: the last of an odd number.
fn open_quote(text: &str) -> Option<usize> {
    let mut open = None;
    for (i, b) in text.bytes().enumerate() {
        if b == b'"' {
            open = if open.is_some() { None } else { Some(i) };
        }
    }
    // A mark inside a field that does not begin with one is ordinary text.
    open.filter(|&at| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with([',', ';', '\t', '\n', '\r'])
    })
}
