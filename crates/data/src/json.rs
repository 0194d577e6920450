//! JSON tables: each row becomes a fact.
//!
//! Rows are the elements of an array, or values one after the other (one per line). A row is an array of fields, an
//! object (its keys are the columns, in the order of the first row), or a single value. An object whose values are not
//! rows is a table of keys and values. Arrays inside rows become tuples.
//!
//! Invariant: all rows have the same columns.

use serde_json::Value as Json;

use super::columns::{self, Table};
use super::value::{self, Value, Wrong, facts};
use super::{Bytes, MAX_MESSAGES, Problems, Text};
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Map;

/// Reads a table as facts of a predicate.
pub fn table(text: Text<'_>, predicate: &str, columns: Option<&[String]>) -> Result<Table, Problems> {
    let rows = rows(text)?;
    let mut reader =
        Rows { text, columns: columns.map(<[String]>::to_vec), width: None, problems: Vec::new() };
    let mut out = Vec::with_capacity(rows.len());
    for &(from, to, ref row) in &rows {
        if let Some(row) = reader.row(from, to, row) {
            out.push((super::first_line(text.text, (from, to)), row));
        }
        if reader.problems.len() >= MAX_MESSAGES {
            break;
        }
    }
    if !reader.problems.is_empty() {
        return Err(columns::with_example(reader.problems, predicate, &out));
    }
    let place = |row: usize, column: usize| reader.cell(rows[row].0, rows[row].1, column);
    let warnings = columns::misfits(text, predicate, &out, place);
    Ok(Table { facts: facts(predicate, &out), notes: Vec::new(), warnings })
}

/// The rows and their bytes in the text.
fn rows(text: Text<'_>) -> Result<Vec<(usize, usize, Json)>, Problems> {
    let bytes = text.text.as_bytes();
    let start = if text.text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut at = skip_blanks(bytes, start);
    let in_array = bytes.get(at) == Some(&b'[') && is_table(text, at)?;
    let mut found = Vec::new();
    if in_array {
        at = skip_blanks(bytes, at + 1);
        if bytes.get(at) == Some(&b']') {
            at += 1;
        } else {
            loop {
                let (value, end) = next(text, at)?;
                found.push((at, end, value));
                at = skip_blanks(bytes, end);
                match bytes.get(at) {
                    Some(b',') => at = skip_blanks(bytes, at + 1),
                    Some(b']') => {
                        at += 1;
                        break;
                    }
                    _ => return Err(vec![wrong(text, at, "expected `,` or `]` after a row")]),
                }
            }
        }
        at = skip_blanks(bytes, at);
        if at < bytes.len() {
            return Err(vec![wrong(text, at, "expected the end of the file after the array of rows")]);
        }
        return Ok(found);
    }
    while at < bytes.len() {
        let (value, end) = next(text, at)?;
        found.push((at, end, value));
        at = skip_blanks(bytes, end);
    }
    if let [(from, to, Json::Object(map))] = found.as_slice() {
        let is_row = |v: &Json| v.is_array() || v.is_object();
        if !map.values().any(Json::is_object) {
            // Keys and values; an array of values forms the rest of the row.
            let places = entries(text, *from)?;
            let pairs = map.iter().map(|(key, v)| {
                let rest =
                    if is_row(v) { v.as_array().cloned().unwrap_or_default() } else { vec![v.clone()] };
                let row = std::iter::once(Json::String(key.clone())).chain(rest);
                let (from, to) = places.get(key).copied().unwrap_or((*from, *to));
                (from, to, Json::Array(row.collect()))
            });
            return Ok(pairs.collect());
        }
    }
    Ok(found)
}

/// The bytes of the entries of an object that is known to be whole, by key: the last of each, as it is the one that counts.
fn entries(text: Text<'_>, object: usize) -> Result<Map<String, (usize, usize)>, Problems> {
    let bytes = text.text.as_bytes();
    let mut found = Map::default();
    let mut at = skip_blanks(bytes, object + 1);
    while bytes.get(at) == Some(&b'"') {
        let (key, colon) = next(text, at)?;
        let (_, end) = next(text, skip_blanks(bytes, skip_blanks(bytes, colon) + 1))?;
        if let Json::String(key) = key {
            found.insert(key, (at, end));
        }
        let comma = skip_blanks(bytes, end);
        at = skip_blanks(bytes, comma + 1);
    }
    Ok(found)
}

/// The bytes of the elements of an array that is known to be whole.
fn elements(text: Text<'_>, array: usize) -> Result<Vec<Bytes>, Problems> {
    let bytes = text.text.as_bytes();
    let mut found = Vec::new();
    let mut at = skip_blanks(bytes, array + 1);
    while bytes.get(at).is_some_and(|&b| b != b']') {
        let (_, end) = next(text, at)?;
        found.push((at, end));
        let comma = skip_blanks(bytes, end);
        at = skip_blanks(bytes, if bytes.get(comma) == Some(&b',') { comma + 1 } else { comma });
    }
    Ok(found)
}

/// Whether the array at a byte is an array of rows, and not itself the first of several rows.
fn is_table(text: Text<'_>, at: usize) -> Result<bool, Problems> {
    let (_, end) = next(text, at)?;
    Ok(skip_blanks(text.text.as_bytes(), end) >= text.text.len())
}

/// The value at a byte, and the byte after it.
fn next(text: Text<'_>, at: usize) -> Result<(Json, usize), Problems> {
    let rest = &text.text[at..];
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
    match values.next() {
        Some(Ok(value)) => Ok((value, at + values.byte_offset())),
        Some(Err(error)) => {
            let line_start = |line: usize| {
                let mut starts = std::iter::once(0).chain(rest.match_indices('\n').map(|(i, _)| i + 1));
                starts.nth(line.saturating_sub(1)).unwrap_or(rest.len())
            };
            let mut place = (line_start(error.line()) + error.column().saturating_sub(1)).min(rest.len());
            while !rest.is_char_boundary(place) {
                place -= 1;
            }
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_string();
            if message.starts_with("recursion limit") {
                let d = wrong(text, at + place, "values are nested more than 127 deep")
                    .help("split the value over several rows, each with the name of what it is part of");
                return Err(vec![d]);
            }
            Err(vec![wrong(text, at + place, &format!("no JSON: {message}"))])
        }
        None => Err(vec![wrong(text, at, "expected a JSON value")]),
    }
}

fn wrong(text: Text<'_>, at: usize, message: &str) -> Diagnostic {
    let at = at.min(text.text.len());
    let end = text.text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    Diagnostic::error(text.span(at, end), message)
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| b.is_ascii_whitespace()) {
        at += 1;
    }
    at
}

/// Rows being turned into values.
struct Rows<'a> {
    text: Text<'a>,
    /// Keys of the columns: given, or those of the first object.
    columns: Option<Vec<String>>,
    width: Option<usize>,
    problems: Problems,
}

impl Rows<'_> {
    fn problem(&mut self, from: usize, to: usize, message: String) -> Diagnostic {
        // The first line of a long row is enough to find it.
        let (from, to) = super::first_line(self.text.text, (from, to));
        Diagnostic::error(self.text.span(from, to), message)
    }

    /// The bytes of a field of the row between some bytes; those of the row if it is a single value.
    fn cell(&self, from: usize, to: usize, column: usize) -> Bytes {
        let found = match self.text.text.as_bytes().get(from) {
            Some(b'[') => elements(self.text, from).ok().and_then(|all| all.get(column).copied()),
            Some(b'{') => {
                let key = self.columns.as_ref().and_then(|columns| columns.get(column));
                key.and_then(|key| entries(self.text, from).ok()?.get(key).copied())
            }
            _ => None,
        };
        super::first_line(self.text.text, found.unwrap_or((from, to)))
    }

    fn row(&mut self, from: usize, to: usize, row: &Json) -> Option<Vec<Value>> {
        let fields: Vec<(String, &Json)> = match row {
            Json::Object(map) => {
                if self.columns.is_none() {
                    self.columns = Some(map.keys().cloned().collect());
                    self.width = Some(map.len());
                }
                let columns = self.columns.clone().unwrap_or_default();
                let strange = |key: &&String| self.width.is_some() && !columns.contains(key);
                if let Some(key) = map.keys().find(strange) {
                    let message = format!("this row has a key '{key}' that the first row has not");
                    let places = entries(self.text, from).unwrap_or_default();
                    let (from, to) = places.get(key).copied().unwrap_or((from, to));
                    let problem = self.problem(from, to, message);
                    self.problems.push(problem.help(format!("expected the keys {}", columns.join(", "))));
                    return None;
                }
                let mut fields = Vec::new();
                for key in &columns {
                    let Some(value) = map.get(key) else {
                        let problem = self.problem(from, to, format!("this row has no key '{key}'"));
                        self.problems.push(problem.help(format!("expected the keys {}", columns.join(", "))));
                        return None;
                    };
                    fields.push((format!("the value of '{key}'"), value));
                }
                fields
            }
            other => {
                if self.columns.is_some() {
                    let problem =
                        self.problem(from, to, "expected an object with the columns as keys".into());
                    self.problems.push(problem);
                    return None;
                }
                let fields: Vec<&Json> = match other {
                    Json::Array(fields) => fields.iter().collect(),
                    single => vec![single],
                };
                let width = *self.width.get_or_insert(fields.len());
                if fields.len() != width {
                    let found = fields.len();
                    let message =
                        format!("expected {} as in the first row, found {found}", super::fields(width));
                    // The surplus, if there is any.
                    let from = if found > width { self.cell(from, to, width).0 } else { from };
                    let problem = self.problem(from, to, message);
                    self.problems.push(problem);
                    return None;
                }
                fields.into_iter().enumerate().map(|(i, v)| (format!("field {}", i + 1), v)).collect()
            }
        };
        let mut out = Vec::with_capacity(fields.len());
        for (column, (name, json)) in fields.into_iter().enumerate() {
            match term(json, 0) {
                Ok(value) => out.push(value),
                Err((message, help)) => {
                    let (from, to) = self.cell(from, to, column);
                    let problem = self.problem(from, to, format!("{name}: {message}"));
                    self.problems.push(problem.help(help));
                    return None;
                }
            }
        }
        Some(out)
    }
}

/// A field as a value, or what is wrong with it and what to do.
fn term(json: &Json, depth: usize) -> Result<Value, (String, String)> {
    match json {
        // As in other tables, one text is always the same term. What would be a malformed number there is a text here.
        Json::String(text) => Ok(value::read(text).unwrap_or_else(|_| Value::Text(text.clone()))),
        Json::Bool(truth) => Ok(Value::Text(truth.to_string())),
        Json::Number(number) => number.as_i64().map(Value::Number).ok_or_else(|| {
            let wrong = if number.is_u64() { Wrong::TooLarge } else { Wrong::Decimal };
            let (message, help) = wrong.message(&number.to_string());
            (message, help.to_string())
        }),
        // The parser limits the depth of nesting.
        Json::Array(items) if depth < 200 => {
            let mut out = String::from("(");
            for item in items {
                let item = term(item, depth + 1)?;
                value::write(&item, &mut out);
                out.push(',');
            }
            if items.len() > 1 {
                out.pop();
            }
            out.push(')');
            Ok(Value::Term(if items.is_empty() { "()".into() } else { out }))
        }
        Json::Null => Err((
            "null is not a term".into(),
            "leave the row out, or give it a value that the program knows".into(),
        )),
        _ => Err((
            "an object inside a row is not a term".into(),
            "expected a number, a text, true, false or an array".into(),
        )),
    }
}
