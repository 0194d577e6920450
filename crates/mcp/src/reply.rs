//! The tools' replies about their runs.
//!
//! Invariants: long output is cut where possible, never within a program, and says so; a failed run is an error, never an empty
//! answer.

use serde_json::{Map, Value, json};

use super::Limits;
use super::call::Told;
use super::tools::{Kind, PROGRAM, Tool};

/// Messages that are told, at most.
const MESSAGES: usize = 100;

impl Tool {
    /// The result for a client: data, and the same as text.
    pub(super) fn result(&self, told: &[Told], limits: Limits) -> Value {
        let (Some(first), Some(last)) = (told.first(), told.last()) else { return Value::Null };
        let limit = usize::try_from(limits.kilobytes).unwrap_or(usize::MAX).saturating_mul(1024);
        let mut data = self.data(first, last, limit);
        let missing = |name: &str| data.get(name).is_none_or(Value::is_null);
        let failed = match self.kind {
            // That a program has errors is what `check` is asked.
            Kind::Check => missing("errors") || data.get("diagnostics").is_some_and(has_no_place),
            Kind::Test => false,
            Kind::Solve => missing("Result") || is_failure(last.code),
            Kind::Count => last.code != Some(20) && last.out.trim().is_empty() || is_failure(last.code),
            Kind::Format => missing("program") || is_failure(last.code),
            Kind::Why | Kind::WhyUnsat | Kind::Explain => is_failure(last.code),
        };
        if last.code.is_none() {
            data.insert(
                "stopped".into(),
                json!("the run was ended: it took more time or memory than a call may"),
            );
        }
        data.insert("exit_code".into(), json!(last.code));
        let messages = last.err.trim();
        if !messages.is_empty() {
            data.insert("messages".into(), json!(beginning(messages, limit / 4)));
        }
        let data = Value::Object(data);
        json!({
            "content": [{ "type": "text", "text": data.to_string() }],
            "structuredContent": data,
            "isError": failed,
        })
    }

    fn data(&self, first: &Told, last: &Told, limit: usize) -> Map<String, Value> {
        let mut data = Map::new();
        let mut put = |name: &str, value: Value| drop(data.insert(name.into(), value));
        let text = last.out.trim();
        let is_long = text.len() > limit;
        match self.kind {
            Kind::Check => return checked(last, limit),
            Kind::Solve => return solved(last, limit),
            Kind::Why | Kind::WhyUnsat => put("explanation", json_or_text(text, limit)),
            Kind::Explain => {
                let asked = if std::ptr::eq(first, last) { "why" } else { "why-not" };
                put("question", json!(asked));
                put("explanation", json_or_text(text, limit));
            }
            Kind::Count => {
                let exact = text.parse::<u64>().map_or(Value::Null, |count| json!(count));
                put("count", if last.code == Some(20) { json!(0) } else { exact });
                put("text", json!(beginning(text, limit)));
            }
            Kind::Format => {
                let program = last.files.get(PROGRAM);
                if program.is_some_and(|program| program.len() > limit) {
                    put("program", Value::Null);
                    put("too_long", json!("the program is longer than a reply may be"));
                } else {
                    put("program", json!(program));
                }
                return data;
            }
            Kind::Test => {
                let tests = number_of_tests(text);
                put("tests", json!(tests));
                put("passed", json!(last.code == Some(0) && tests.is_some_and(|tests| tests > 0)));
                put("text", json!(beginning(text, limit)));
            }
        }
        if is_long || last.is_cut {
            put("too_long", json!("only the beginning of what was said is here"));
        }
        data
    }
}

/// Whether the exit code means that the program was not examined: memory, usage, input, output, a bug.
fn is_failure(code: Option<i32>) -> bool {
    matches!(code, None | Some(33 | 64 | 65 | 74 | 128))
}

/// Whether the first message is about no text: a file that could not be read.
fn has_no_place(diagnostics: &Value) -> bool {
    diagnostics.pointer("/0/spans").and_then(Value::as_array).is_some_and(Vec::is_empty)
}

/// For `check`: the messages, errors first if there are too many, and the number of errors, null if unknown.
fn checked(last: &Told, limit: usize) -> Map<String, Value> {
    let mut found: Vec<Value> = last.out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let is_error = |m: &Value| m.get("severity").is_some_and(|s| s == "error");
    let has_ended = matches!(last.code, Some(0 | 1 | 65));
    if last.code == Some(65) && !found.iter().any(is_error) {
        let message = beginning(last.err.trim(), limit / 4);
        found.insert(
            0,
            json!({ "severity": "error", "code": null, "message": message, "spans": [], "help": [] }),
        );
    }
    let errors = found.iter().filter(|m| is_error(m)).count();
    let total = found.len();
    if total > MESSAGES {
        found.sort_by_key(|m| !is_error(m));
        found.truncate(MESSAGES);
    }
    let kept = fitting(&found, limit);
    found.truncate(kept);
    let is_known = has_ended && !(last.is_cut && errors == 0);
    let mut data = Map::new();
    data.insert("errors".into(), if is_known { json!(errors) } else { Value::Null });
    if total > found.len() {
        data.insert("more".into(), json!(total - found.len()));
    }
    if last.is_cut {
        data.insert("too_long".into(), json!("there are more messages than are counted here"));
    }
    data.insert("diagnostics".into(), json!(found));
    data
}

/// Of `solve`: clingo's JSON, with as many answer sets as fit.
fn solved(last: &Told, limit: usize) -> Map<String, Value> {
    let text = last.out.trim();
    let mut data = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(result)) => result,
        _ if text.is_empty() => return Map::new(),
        _ => {
            let mut data = summary(text);
            data.insert("Call".into(), json!([{ "Witnesses": witnesses(text, limit) }]));
            data
        }
    };
    data.retain(|name, _| !matches!(name.as_str(), "Input" | "Solver"));
    let mut left = limit;
    let mut is_long = last.is_cut;
    for call in data.get_mut("Call").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(witnesses) = call.get_mut("Witnesses").and_then(Value::as_array_mut) {
            let kept = fitting(witnesses, left);
            is_long |= kept < witnesses.len();
            witnesses.truncate(kept);
            left -= witnesses.iter().map(length).sum::<usize>();
        }
    }
    if is_long {
        let advice =
            "only the first answer sets are here, as many as fit; ask for fewer models, or #show less";
        data.insert("too_long".into(), json!(advice));
    }
    data
}

/// The answer sets at the beginning of clingo's JSON, about as many as fit: each is an object at this depth.
fn witnesses(text: &str, limit: usize) -> Vec<Value> {
    let mut found = Vec::new();
    let mut length = 0;
    let mut open: Option<String> = None;
    for line in text.lines() {
        if length > limit {
            break;
        }
        match (&mut open, line) {
            (None, "        {") => open = Some("{".into()),
            (Some(object), "        }" | "        },") => {
                object.push('}');
                length += object.len();
                found.extend(serde_json::from_str::<Value>(object));
                open = None;
            }
            (Some(object), line) => object.push_str(line),
            (None, _) => {}
        }
    }
    found
}

fn length(value: &Value) -> usize {
    value.to_string().len() + 1
}

/// How many of the first elements are no longer than the limit together.
fn fitting(all: &[Value], limit: usize) -> usize {
    let mut sum = 0;
    all.iter()
        .take_while(|value| {
            sum += length(value);
            sum <= limit
        })
        .count()
}

/// The members after the answer sets in clingo's JSON, if the text is complete.
fn summary(text: &str) -> Map<String, Value> {
    // No string has a line end, so this is a key of the outermost object.
    let rest = text.rfind("\n  \"Result\":").map_or("", |at| &text[at..]);
    serde_json::from_str(&format!("{{{rest}")).unwrap_or_default()
}

/// Passed and failed ones, by the last line of `test`.
fn number_of_tests(text: &str) -> Option<u64> {
    let line = text.lines().rfind(|line| line.contains(" passed, "))?;
    let mut numbers = line.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let mut number = || numbers.next()?.parse::<u64>().ok();
    Some(number()? + number()?)
}

fn json_or_text(text: &str, limit: usize) -> Value {
    if text.len() > limit {
        return json!(beginning(text, limit));
    }
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

/// As much of a text's beginning as fits.
fn beginning(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.into();
    }
    let end = (0..=limit).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}\n...", &text[..end])
}
