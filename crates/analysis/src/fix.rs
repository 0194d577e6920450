//! Edits that follow the advice of messages.
//!
//! Invariants: an edit is offered only where the text under the message matches the advice, and it touches nothing else; the
//! edits of lints are those of `asp lint --fix`, which keep the answer sets.

use std::ops::Range;

use asp_base::diagnostic::{Diagnostic, Label, WarningKind};
use asp_base::span::Sources;
use asp_format::mend;
use asp_format::parse_alone;

/// A change of one text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// A way to follow a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// Its title, for people.
    pub title: String,
    /// How, in the text that the message is about.
    pub edit: Edit,
}

/// Signs of other languages and what is written here.
const SIGNS: &[(&str, &str)] = &[
    ("=<", "<="),
    ("=>", ">="),
    ("=\\=", "!="),
    ("=/=", "!="),
    ("\\=", "!="),
    ("/=", "!="),
    ("\\==", "!="),
    ("!==", "!="),
    ("===", "="),
    (":=", ":-"),
    ("<-", ":-"),
    ("&&", ","),
    ("/\\", ","),
    ("//", "%"),
    ("--", "%"),
];

/// The edits of `asp lint --fix` in a text; none if it has errors.
pub fn mended(text: &str) -> Vec<Edit> {
    let alone = parse_alone("", text.as_bytes());
    let start = alone.sources.files().first().map_or(0, |f| f.start);
    if !alone.is_sound() {
        return Vec::new();
    }
    let edit = |e: mend::Edit| Edit {
        range: (e.span.lo - start) as usize..(e.span.hi - start) as usize,
        text: e.text,
    };
    mend::edits(&alone).into_iter().map(edit).collect()
}

/// The ways to follow a message about a text, whose first position is `start`.
pub fn fixes(message: &Diagnostic, sources: &Sources, text: &str, start: u32) -> Vec<Fix> {
    let mut found = Vec::new();
    let Some(first) = message.labels.first() else { return found };
    let range = |label: &Label| -> Range<usize> {
        let end = text.len();
        let at = |place: u32| {
            let at = (place.saturating_sub(start) as usize).min(end);
            (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
        };
        at(label.span.lo)..at(label.span.hi).max(at(label.span.lo))
    };
    let here = range(first);
    let under = sources.text(first.span);
    let mut push = |title: String, range: Range<usize>, text: &str| {
        found.push(Fix { title, edit: Edit { range, text: text.to_string() } });
    };
    for label in &message.labels {
        if let Some(sign) = quoted(&label.text, "perhaps a `").filter(|_| label.text.contains("is missing")) {
            let is_spaced = matches!(sign, ":-" | ":" | "=");
            let text = if is_spaced { format!(" {sign}") } else { sign.to_string() };
            push(format!("Insert the missing `{sign}`"), range(label), &text);
        }
        if let Some(sign) = quoted(&label.text, "perhaps `").filter(|_| label.text.contains("is meant")) {
            push(format!("Write `{sign}`"), range(label), sign);
        }
        if let Some((place, right)) = sign(text, &range(label))
            && message.help.iter().any(|h| h.contains(right))
        {
            push(format!("Write `{right}`"), place, right);
        }
    }
    for help in &message.help {
        if let Some(meant) = quoted(help, "did you mean `") {
            let whole = matches!(message.kind, Some(WarningKind::Lint("term-compared" | "empty-interval")));
            if whole {
                push(format!("Change to `{meant}`"), here.clone(), meant);
            } else if let Some((range, text)) = meant_for(meant, message, under, &here) {
                push(format!("Change to `{text}`"), range, &text);
            }
        }
        if help.ends_with("shows the atoms")
            && let Some(statement) = quoted(help, "`")
        {
            push(format!("Change to `{statement}`"), here.clone(), statement);
        }
        if help.starts_with("the separator before it") {
            let before = text[..here.start].trim_end();
            if before.ends_with([',', ';']) {
                push("Remove the separator".into(), before.len() - 1..before.len(), "");
            }
        }
        if help.starts_with("names of predicates and functions start")
            && let Some(name) = quoted(help, "`").and_then(|n| n.strip_suffix('('))
        {
            let before = &text[..here.start];
            if before.len() >= name.len() && before.is_char_boundary(before.len() - name.len()) {
                push(format!("Write `{name}`"), before.len() - name.len()..before.len(), name);
            }
        }
    }
    if message.kind == Some(WarningKind::AtomUndefined)
        && message.help.is_empty()
        && let Some(signature) = quoted(&message.message, "`")
    {
        let line = text[..here.start].rfind('\n').map_or(0, |i| i + 1);
        push(format!("Declare it: `#defined {signature}.`"), line..line, &format!("#defined {signature}.\n"));
    }
    found
}

/// The sign of another language that a place is in, and what is written here.
fn sign(text: &str, place: &Range<usize>) -> Option<(Range<usize>, &'static str)> {
    let starts = |wrong: &str| {
        let from = place.start.saturating_sub(wrong.len() - 1);
        (from..=place.start).find(|&at| text.get(at..).is_some_and(|rest| rest.starts_with(wrong)))
    };
    let found = SIGNS.iter().filter_map(|(wrong, right)| Some((starts(wrong)?, *wrong, *right)));
    let (at, wrong, right) = found.max_by_key(|(_, wrong, _)| wrong.len())?;
    Some((at..at + wrong.len(), right))
}

/// The text between a mark and the next backquote.
fn quoted<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    let rest = &text[text.find(mark)? + mark.len()..];
    rest.split('`').next().filter(|word| !word.is_empty())
}

/// Where to write what was meant, and how: a directive, a signature, or the name of an atom.
fn meant_for(
    meant: &str,
    message: &Diagnostic,
    under: &str,
    here: &Range<usize>,
) -> Option<(Range<usize>, String)> {
    let at = |from: usize, length: usize, text: &str| {
        Some((here.start + from..here.start + from + length, text.to_string()))
    };
    if meant.starts_with('#') {
        return under.starts_with('#').then(|| (here.clone(), meant.to_string()));
    }
    let told = quoted(&message.message, "`")?;
    if let Some(i) = under.find(told) {
        return at(i, told.len(), meant);
    }
    let ((wrong, arity), (right, wanted)) = (told.rsplit_once('/')?, meant.rsplit_once('/')?);
    (arity == wanted && under.starts_with(wrong)).then(|| at(0, wrong.len(), right)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_control::{Control, Source};

    /// The text after each fix of each message.
    #[track_caller]
    fn check(text: &str, wanted: &[&str]) {
        let mut control = Control::new();
        control.settings.ground.review = true;
        control.add_source(Source::new("t", text));
        let _ = control.ground();
        let messages = control.take_diagnostics();
        let start = control.sources().files()[0].start;
        let fixes = messages.iter().flat_map(|m| fixes(m, control.sources(), text, start));
        let after = |fix: Fix| {
            let mut text = text.to_string();
            text.replace_range(fix.edit.range, &fix.edit.text);
            text
        };
        assert_eq!(fixes.map(after).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn advice_becomes_edits() {
        check("a :- 1 =< 2.", &["a :- 1 <= 2."]);
        check("given(1). b :- gvien(1).", &["given(1). b :- given(1)."]);
        check("a.\nb :- c(1).", &["a.\n#defined c/1.\nb :- c(1)."]);
        check("#shwo a/0. a.", &["#show a/0. a."]);
        check("p(1). #show p/2.", &["p(1). #show p/1."]);
        check("p(1). #show p.", &["p(1). #show p/1."]);
        check("a :- b\nc. b.", &["a :- b.\nc. b."]);
        check("a :- b, . b.", &["a :- b . b."]);
        check("P(1).", &["p(1)."]);
        check("s(a,1). :- s(a)+1 < 3.", &["s(a,1). :- $s(a)+1 < 3."]);
        check("{ v(1) = 1..9 }.", &["{ v(1,1..9) }."]);
        check("p(5..1).", &["p(1..5)."]);
        check(
            "valu(1). p(X) :- value(X). value(2). #show p/1.",
            &["value(1). p(X) :- value(X). value(2). #show p/1."],
        );
    }
}
