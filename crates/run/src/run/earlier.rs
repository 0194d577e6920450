//! An earlier answer: where a search begins (`--start`), and what its answers are to stay near (`--near`).
//!
//! It is read from the output of a run, as text or JSON, of which the last answer counts, or from facts. Atoms and shown terms
//! of its predicates are compared; anything else, such as values of integers, is ignored, with a message. Invariant: an answer
//! is read completely or not at all; errors are among the control's diagnostics, with their places.

use serde_json::Value as Json;

use super::state::lock;
use super::work::Run;
use crate::input;
use asp_base::diagnostic::{Diagnostic, Label};
use asp_base::span::Span;
use asp_base::symbol::{Sym, SymView};
use asp_control::Control;
use asp_program::Literal;

/// The greatest size of an answer, in bytes.
const MAX_ANSWER: u64 = 256 << 20;

/// The answers of the options, as far as they are wanted.
#[derive(Default)]
pub(super) struct Earlier {
    start: Vec<Sym>,
    near: Vec<Sym>,
}

/// A term of an answer and its place in the text.
struct Word {
    text: String,
    span: Span,
}

impl Run {
    /// Reads the answers that the options name.
    pub(super) fn read_earlier(&self, control: &mut Control) {
        let (start, near) = (self.options.start.as_deref(), self.options.near.as_ref());
        let mut read = |file: Option<&str>| file.map_or(Vec::new(), |file| self.read_answer(control, file));
        let earlier = Earlier { start: read(start), near: read(near.map(|(file, _)| file.as_str())) };
        lock(&self.shared).earlier = earlier;
    }

    fn read_answer(&self, control: &mut Control, file: &str) -> Vec<Sym> {
        let Some((text, start)) = input::open(control, file, MAX_ANSWER) else { return Vec::new() };
        let words = match words(&text, start) {
            Ok(words) => words,
            Err(wrong) => {
                control.push_diagnostic(*wrong);
                return Vec::new();
            }
        };
        let (mut atoms, mut others) = (Vec::new(), 0);
        for word in words {
            match control.parse_term(&word.text) {
                Ok(term) if matches!(control.symbols().view(term), SymView::Fun { .. }) => atoms.push(term),
                Ok(_) => others += 1,
                Err(_) if is_value(&word.text) => others += 1,
                Err(_) => return refuse(control, word.span, format!("`{}` is not an atom", word.text)),
            }
        }
        if others > 0 {
            let s = if others > 1 { "s" } else { "" };
            let text = format!("*** Info : (asp): {file}: {others} term{s} or value{s} left out: no atom{s}");
            lock(&self.shared).message(&text);
        }
        atoms
    }

    /// Minimises, in a ground program, the differences of its answers to the one of the options.
    pub(super) fn stay_near(&self, control: &mut Control) {
        let Some((file, level)) = &self.options.near else { return };
        let near = std::mem::take(&mut lock(&self.shared).earlier.near);
        let lost = control.stay_near(&near, *level);
        if lost > 0 {
            let s = if lost > 1 { "s" } else { "" };
            let text = format!("*** Info : (asp): {file}: {lost} atom{s} of the answer cannot hold any more");
            lock(&self.shared).message(&text);
        }
        let mut state = lock(&self.shared);
        if self.options.start.is_none() {
            state.earlier.start = near;
        }
    }

    /// The literals that hold in the answer with which a search begins.
    pub(super) fn first_literals(&self, control: &Control) -> Vec<Literal> {
        control.as_in(&lock(&self.shared).earlier.start)
    }
}

fn refuse(control: &mut Control, span: Span, message: String) -> Vec<Sym> {
    control.push_diagnostic(*wrong(span, message));
    Vec::new()
}

fn wrong(span: Span, message: String) -> Box<Diagnostic> {
    let mut diagnostic = Diagnostic::error(span, message);
    diagnostic.labels = vec![Label { span, text: String::new() }];
    Box::new(diagnostic)
}

/// Whether a word is the value of an integer, as in `x(1)=3`.
fn is_value(word: &str) -> bool {
    word.rsplit_once('=').is_some_and(|(_, value)| value.parse::<i64>().is_ok())
}

/// Whether a line of a run's output tells its costs or how it ended.
fn is_result(line: &str) -> bool {
    line.starts_with("Optimization:")
        || matches!(line.trim_end(), "SATISFIABLE" | "OPTIMUM FOUND" | "UNKNOWN")
}

/// The terms of an answer in a text that begins at a place among the sources.
fn words(text: &str, start: u32) -> Result<Vec<Word>, Box<Diagnostic>> {
    if text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with(['{', '[']) {
        return json_words(text, start);
    }
    // Of the answers that a run prints, the last; else all is facts.
    let mut from = 0;
    let (mut part, mut is_next) = ((0, text), false);
    // With `-V0` nothing announces an answer, but results follow.
    let is_bare = text.lines().any(is_result) && !text.lines().any(|line| line.starts_with("Answer:"));
    let mut is_assignment = false;
    for line in text.split_inclusive('\n') {
        let is_answer = match is_bare {
            true => !std::mem::replace(&mut is_assignment, line.starts_with("Assignment:")),
            false => std::mem::replace(&mut is_next, line.starts_with("Answer:")),
        };
        if is_answer && !(is_bare && (is_result(line) || is_assignment)) {
            part = (from, line);
        }
        from += line.len();
    }
    Ok(plain_words(part.1).map(|(at, word)| place(word, start, part.0 + at)).collect())
}

fn place(word: &str, start: u32, at: usize) -> Word {
    let lo = start + at as u32;
    Word { text: word.to_string(), span: Span::new(lo, lo + word.len() as u32) }
}

/// Splits at blanks and full stops outside of parentheses and strings; from `%` on, a line is a comment.
fn plain_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let (mut depth, mut in_string, mut is_escaped, mut in_comment) = (0usize, false, false, false);
        let mut begin = None;
        for (i, c) in text[rest..].char_indices() {
            let at = rest + i;
            if in_comment {
                in_comment = c != '\n';
                continue;
            }
            let is_end = !in_string && depth == 0 && (c.is_whitespace() || c == '.' || c == '%');
            if is_end {
                if let Some(begin) = begin {
                    rest = at;
                    return Some((begin, &text[begin..at]));
                }
                in_comment = c == '%';
                continue;
            }
            begin = begin.or(Some(at));
            match c {
                _ if std::mem::take(&mut is_escaped) => {}
                '\\' if in_string => is_escaped = true,
                '"' => in_string = !in_string,
                '(' if !in_string => depth += 1,
                ')' if !in_string => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        rest = text.len();
        begin.map(|begin| (begin, &text[begin..]))
    })
}

/// The last answer of JSON output, of lines of JSON, or a list of atoms.
fn json_words(text: &str, start: u32) -> Result<Vec<Word>, Box<Diagnostic>> {
    let at = |line: usize, column: usize| {
        let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let lo = start + (before + column.saturating_sub(1)).min(text.len().saturating_sub(1)) as u32;
        Span::new(lo, lo + 1)
    };
    let mut last = None;
    for value in serde_json::Deserializer::from_str(text.trim_start_matches('\u{feff}')).into_iter::<Json>() {
        let value = value.map_err(|why| {
            let message = why.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_string();
            wrong(at(why.line(), why.column()), format!("this is not JSON: {message}"))
        })?;
        last = answer_in(value).or(last);
    }
    let whole = Span::new(start, start + 1);
    let Some(answer) = last else {
        return Err(wrong(whole, "there is no answer in this JSON text".to_string()));
    };
    let word = |value: &Json| {
        let shown = value.to_string();
        let found = text.find(&shown);
        let span = found.map_or(whole, |i| Span::new(start + i as u32, start + (i + shown.len()) as u32));
        let text = match value {
            Json::String(text) => Some(text.clone()),
            value => as_text(value),
        };
        let text = text.ok_or_else(|| wrong(span, format!("`{shown}` is not an atom")))?;
        Ok(Word { text, span })
    };
    answer.iter().map(word).collect()
}

/// The last answer in a JSON value.
fn answer_in(value: Json) -> Option<Vec<Json>> {
    match value {
        Json::Array(terms) => Some(terms),
        Json::Object(mut object) => {
            if let Some(Json::Array(atoms)) = object.remove("atoms") {
                return Some(atoms);
            }
            let calls = object.get_mut("Call")?.as_array_mut()?;
            let witnesses =
                calls.iter_mut().rev().filter_map(|call| call.get_mut("Witnesses")?.as_array_mut());
            let mut values =
                witnesses.flat_map(|all| all.iter_mut().rev()).filter_map(|w| w.get_mut("Value"));
            values.next()?.as_array_mut().map(std::mem::take)
        }
        _ => None,
    }
}

/// A term as lines of JSON have it, as text. JSON is not nested deeply.
fn as_text(value: &Json) -> Option<String> {
    match value {
        Json::Number(number) => number.as_i64().map(|n| n.to_string()),
        Json::String(text) => {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            Some(format!("\"{text}\""))
        }
        Json::Object(object) => {
            let name = object.get("name")?.as_str()?;
            let args = object.get("args").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
            let negative = object.get("negative").is_some_and(|n| n == &Json::Bool(true));
            let sign = if negative { "-" } else { "" };
            let args: Vec<String> = args.iter().map(as_text).collect::<Option<_>>()?;
            Some(match (name, args.len()) {
                ("", 1) => format!("({},)", args[0]),
                (name, 0) if !name.is_empty() => format!("{sign}{name}"),
                (name, _) => format!("{sign}{name}({})", args.join(",")),
            })
        }
        _ => None,
    }
}
