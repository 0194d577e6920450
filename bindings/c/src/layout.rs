//! Messages as clingo lays them out: what one is about stands on a line of its own, further places and advice are notes.
//!
//! Invariant: those that are no errors have clingo's words and places. Each is said once, where clingo may repeat it.

use std::fmt::Write as _;

use asp::message::{Diagnostic, Label, Severity, Sources, Span, WarningKind};

use crate::ast::{Ast, Ends, Trees, ends_of, wording};
use crate::logger::{SHOW_UNMATCHED, UNREAD, prefix};
use crate::place::Place;

/// How messages about signatures begin, before the signature.
const NO_HEAD: &str = "no rule has the head `";

/// How statements begin that show a term.
const SHOW: &str = "#show";

/// The place of messages about what the caller has named.
const COMMAND: &str = "<cmd>: ";

/// What messages point into.
pub struct Texts<'a> {
    pub sources: &'a Sources,
    /// Of what was built.
    pub trees: &'a Trees,
    pub constants: wording::Constants<'a>,
}

/// A message in its parts.
struct Told<'a> {
    place: Option<Place<'a>>,
    head: String,
    about: String,
}

impl Texts<'_> {
    /// Messages in the order in which gringo comes upon them: what it finds when it simplifies statements, undefined atoms, and
    /// what it finds when it grounds.
    pub fn in_order<'m>(&self, mut messages: Vec<&'m Diagnostic>) -> Vec<&'m Diagnostic> {
        let place = |message: &Diagnostic| message.labels.first().map_or(Span::NONE, |label| label.span);
        let is_simple = |message: &Diagnostic| match message.kind {
            Some(WarningKind::GlobalVariable | WarningKind::FileIncluded) => true,
            Some(WarningKind::OperationUndefined) => {
                message.message == "operation undefined" && !has_variable(&self.excerpt(place(message)))
            }
            _ => false,
        };
        messages.sort_by_cached_key(|message| match message.kind {
            _ if is_simple(message) => (0, place(message).lo),
            None | Some(WarningKind::AtomUndefined | SHOW_UNMATCHED) => (1, 0),
            _ => (2, 0),
        });
        messages
    }

    /// What stands at a place, without superfluous blanks.
    fn excerpt(&self, span: Span) -> String {
        match self.sources.text(span) {
            "" => {
                let node = self.ends(span).and_then(|ends| self.trees.at(span.lo, ends));
                node.and_then(|node| wording::print(&node).ok()).unwrap_or_default()
            }
            text => text.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    fn ends(&self, span: Span) -> Option<Ends> {
        Place::of(span, self.sources).map(|place| (place.begin, place.end))
    }

    /// What is said of a term without a value, and where.
    fn term(&self, span: Span) -> Option<(String, Ends)> {
        let ends = self.ends(span)?;
        match self.sources.text(span) {
            "" => {
                let (words, at) = wording::told(&self.trees.at(span.lo, ends)?, self.constants)?;
                Some((words, ends_of(at)))
            }
            text => {
                let (term, shift) = wording::term(text)?;
                let (words, at) = wording::told(&term, self.constants)?;
                Some((words, shift.place(at, ends.0)))
            }
        }
    }

    /// Where the first term of a tuple stands, given the place of its element or statement.
    fn first_term(&self, span: Span) -> Option<Ends> {
        let text = self.sources.text(span);
        if text.is_empty() {
            return Some(self.place_of_tree(&self.trees.term(span.lo, self.ends(span)?)?));
        }
        let begin = match () {
            () if is_objective(text) => text.find('{')? + 1,
            () if text.starts_with(":~") => text.rfind('[')? + 1,
            () if text.starts_with(SHOW) => SHOW.len(),
            () => 0,
        };
        // What is maximised is negated, together with its priority.
        let is_negated = self.is_maximised(span);
        let stops: &[char] =
            if is_negated { &[',', ':', ';', '}', ']'] } else { &[',', ':', ';', '}', ']', '@'] };
        let term = trimmed(span, text, begin, begin + length(&text[begin..], stops));
        if is_negated { self.ends(term) } else { self.place_of(term) }
    }

    /// Where a term stands, as gringo places it.
    fn place_of(&self, term: Span) -> Option<Ends> {
        self.term(term).map(|(_, ends)| ends).or_else(|| self.ends(term))
    }

    /// The same of a node.
    fn place_of_tree(&self, term: &Ast) -> Ends {
        ends_of(wording::told(term, self.constants).map_or(term.body().location, |(_, at)| at))
    }

    /// Where a part of a directive `#heuristic` stands: its weight, its priority or its modifier.
    fn heuristic(&self, span: Span, part: &str) -> Option<Ends> {
        let number = ["weight", "priority", "modifier"].iter().position(|name| *name == part)?;
        let text = self.sources.text(span);
        if text.is_empty() {
            return Some(self.place_of_tree(&self.trees.heuristic(span.lo, self.ends(span)?, number)?));
        }
        let begin = text.rfind('[')? + 1;
        let weight = begin + length(&text[begin..], &['@', ',', ']']);
        let priority = weight + length(&text[weight..], &[',', ']']);
        let modifier = priority + length(&text[priority..], &[']']);
        let (begin, end) = match number {
            0 => (begin, weight),
            1 => (weight + 1, priority),
            _ => (priority + 1, modifier),
        };
        self.place_of(trimmed(span, text, begin, end))
    }

    /// Whether an element, or a statement with one, is that of `#maximize`.
    fn is_maximised(&self, span: Span) -> bool {
        let Some(file) = self.sources.file_of(span) else { return false };
        let (before, after) = file.text.split_at((span.lo - file.start) as usize);
        let head = before.rfind('{').map_or("", |at| before[..at].trim_end());
        after.starts_with("#maximi")
            || !is_objective(after) && !after.starts_with(':') && head.ends_with("#maximize")
    }

    fn told(&self, message: &Diagnostic) -> Told<'_> {
        let span = message.labels.first().map_or(Span::NONE, |label| label.span);
        let (mut head, mut about) = (message.message.clone(), self.excerpt(span));
        let mut ends = None;
        match message.kind {
            Some(WarningKind::AtomUndefined | SHOW_UNMATCHED) if head.starts_with(NO_HEAD) => {
                about = head[NO_HEAD.len()..].trim_end_matches('`').to_string();
                head = "no atoms over signature occur in program".to_string();
            }
            None if head.starts_with("file `") && head.ends_with("` not found") => {
                about = head.split('`').nth(1).unwrap_or("").to_string();
                head = UNREAD.trim_end_matches(": ").to_string();
            }
            Some(WarningKind::AtomUndefined) => {
                head = before_name(&head).0.to_string();
                let atom = wording::term(self.sources.text(span));
                about = atom.and_then(|(atom, _)| wording::print(&atom).ok()).unwrap_or(about);
            }
            Some(WarningKind::FileIncluded) => {
                about = head.split('`').nth(1).unwrap_or("").to_string();
                head = "already included file".to_string();
            }
            Some(WarningKind::GlobalVariable) => {
                let (words, name) = before_name(&message.message);
                (head, about) = (words.to_string(), name.to_string());
                ends = self.variable(span, name);
            }
            Some(WarningKind::OperationUndefined) => match before_name(&message.message) {
                (words @ "tuple ignored", tuple) => {
                    (head, about) = (words.to_string(), tuple.to_string());
                    ends = self.first_term(span);
                }
                (words @ "heuristic directive ignored", part) => {
                    head = words.to_string();
                    about.clear();
                    ends = self.heuristic(span, part);
                }
                (words, _) if words.starts_with("operation undefined") => {
                    head = "operation undefined".to_string();
                    if let Some(name) = about.strip_prefix('@') {
                        about = format!("function '{}' not found", name.split('(').next().unwrap_or(name));
                    } else if let Some((words, at)) = self.term(span) {
                        (about, ends) = (words, Some(at));
                    }
                }
                _ => {}
            },
            _ => {}
        }
        let place = Place::of(span, self.sources);
        let place = place.map(|place| match ends {
            Some((begin, end)) => Place { begin, end, ..place },
            None => place,
        });
        Told { place, head, about }
    }

    /// Where a variable stands in an element's tuple.
    fn variable(&self, span: Span, name: &str) -> Option<Ends> {
        let text = self.sources.text(span);
        if text.is_empty() {
            return self.trees.variable(span.lo, self.ends(span)?, name);
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let (at, _) = text.match_indices(name).find(|(at, _)| {
            !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
        })?;
        let at = span.lo + at as u32;
        self.ends(Span::new(at, at + name.len() as u32))
    }

    /// A message as clingo writes it.
    pub fn text(&self, message: &Diagnostic) -> String {
        let Told { place, head, about } = self.told(message);
        let (mut out, mut head, mut about) = (prefix(place), head.as_str(), about.as_str());
        let severity = match message.severity {
            Severity::Error => "error",
            // As clingo has it, whether another name is near or not.
            Severity::Warning if message.kind != Some(WarningKind::AtomUndefined) => "warning",
            _ => "info",
        };
        let unread = head.strip_prefix(UNREAD);
        if let Some(file) = unread {
            (out, head, about) = (COMMAND.into(), UNREAD.trim_end_matches(": "), file);
        }
        let _ = write!(out, "{severity}: {head}");
        if !about.is_empty() || unread.is_some() {
            let _ = write!(out, ":\n  {about}");
        }
        out.push('\n');
        if message.severity == Severity::Error {
            let said = |label: &&Label| !label.text.is_empty();
            for label in message.labels.iter().filter(said) {
                let _ = writeln!(out, "{}note: {}", prefix(Place::of(label.span, self.sources)), label.text);
            }
            for help in &message.help {
                let _ = writeln!(out, "note: {help}");
            }
        }
        out
    }
}

/// A part of a text at a place, without the blanks around it.
fn trimmed(span: Span, text: &str, begin: usize, end: usize) -> Span {
    let part = text.get(begin..end).unwrap_or("");
    let begin = begin + (part.len() - part.trim_start().len());
    Span::new(span.lo + begin as u32, span.lo + (begin + part.trim().len()) as u32)
}

/// Whether a text begins as an objective does.
fn is_objective(text: &str) -> bool {
    text.starts_with("#maximi") || text.starts_with("#minimi")
}

/// A message before the name that ends it, and that name.
fn before_name(message: &str) -> (&str, &str) {
    message
        .split_once(": `")
        .map_or((message, ""), |(head, name)| (head, name.strip_suffix('`').unwrap_or(name)))
}

/// How long a term is that one of some characters follows.
fn length(text: &str, stops: &[char]) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            _ if depth == 0 && stops.contains(&c) => return at,
            '"' => quoted = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether there is a variable in a term.
fn has_variable(term: &str) -> bool {
    let mut before = ' ';
    let mut quoted = false;
    term.chars().any(|c| {
        quoted ^= c == '"';
        let begins = !before.is_alphanumeric() && c.is_uppercase();
        before = c;
        begins && !quoted
    })
}
