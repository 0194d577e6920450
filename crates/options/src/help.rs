//! Help texts: options, warnings and rewritings.
//!
//! Invariant: no line is wider than asked for, unless a single word is.

use std::fmt::Write as _;

use asp_rewrite::improve::Rewriting;

use crate::spec::{OptionSpec, Standing, Takes};
use crate::table::OPTIONS;
use crate::warnings::Warnings;

/// Blanks before the help of an option that stands below it.
const INDENT: usize = 10;
/// Where the name of an option begins, behind its letter.
const MARGIN: usize = 6;

/// The purpose of an option, with notes.
pub fn about(spec: &OptionSpec) -> String {
    let mut help = spec.help.to_string();
    if spec.standing == Standing::Noted {
        help.push_str(" (accepted, no effect)");
    }
    if spec.negatable {
        _ = write!(help, " [--no-{}]", spec.long);
    }
    help
}

/// The options up to a help level, by groups, in lines of a width.
pub fn options(level: u8, width: usize) -> String {
    let mut text = String::new();
    for group in OPTIONS.chunk_by(|a, b| a.group == b.group) {
        let shown: Vec<&OptionSpec> = group.iter().filter(|o| o.level <= level).collect();
        if let Some(first) = shown.first() {
            let between = if text.is_empty() { "" } else { "\n" };
            _ = writeln!(text, "{between}{}:", first.group.heading());
            list(&shown, width, &mut text);
        }
    }
    text
}

/// Options in two columns, or each above its purpose if the names are too long for that.
fn list(shown: &[&OptionSpec], width: usize, text: &mut String) {
    let name = |spec: &OptionSpec| match spec.takes {
        Takes::Flag => format!("--{}", spec.long),
        Takes::Required(_) => format!("--{} <{}>", spec.long, spec.metavar),
        Takes::Optional(_) => format!("--{}[=<{}>]", spec.long, spec.metavar),
    };
    let longest = shown.iter().map(|o| name(o).len()).max().unwrap_or(0);
    let column = MARGIN + longest + 2;
    let is_below = shown
        .iter()
        .any(|o| width >= column && column * 5 > width * 2 && about(o).chars().count() > width - column);
    for spec in shown {
        let letter = spec.short.map_or("    ".to_string(), |letter| format!("-{letter}, "));
        _ = write!(text, "  {letter}{}", name(spec));
        let indent = if is_below {
            _ = write!(text, "\n{:INDENT$}", "");
            INDENT
        } else {
            _ = write!(text, "{:1$}", "", longest + 2 - name(spec).len());
            column
        };
        wrap(&about(spec), indent, width, text);
        text.push('\n');
    }
}

/// Wraps words to a width; further lines are indented to where the words begin.
pub fn wrap(words: &str, indent: usize, width: usize, text: &mut String) {
    let mut column = indent;
    for word in words.split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            _ = write!(text, "\n{:indent$}", "");
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
}

/// The warnings and lints with what they are about.
pub fn warnings() -> String {
    let mut text =
        String::from("Warnings (--warn=NAME, --warn=no-NAME, --warn=none, --warn=all, --warn=error):\n");
    for (name, about, on) in Warnings::list() {
        _ = writeln!(text, "  {name:<22}{about} [{}]", if on { "on" } else { "off" });
    }
    text
}

/// The rewritings with what they do.
pub fn rewritings() -> String {
    let mut text =
        String::from("Rewritings (--rewrite=NAME, --rewrite=no-NAME, --rewrite=none, --rewrite=all):\n");
    for r in Rewriting::ALL {
        _ = writeln!(text, "  {:<22}{}", r.name(), r.about());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_and_lines_fit() {
        for width in [60, 100] {
            let texts = [1, 2, 3].map(|level| options(level, width));
            let lines = texts.each_ref().map(|text| text.lines().count());
            assert!(lines[0] < lines[1] && lines[1] < lines[2], "{lines:?}");
            assert!(texts[0].contains("--models") && !texts[0].contains("--restarts"));
            assert!(texts[1].contains("--restarts"));
            let wide = texts[1].lines().find(|line| line.chars().count() > width);
            assert_eq!(wide, None);
        }
    }
}
