//! Text for a terminal: control characters in it are shown, not obeyed.
//!
//! Names, strings and messages come from files that others wrote; an escape sequence in them could move the cursor, retitle the
//! window or hide text (CWE-150). Invariant: of control characters (C0, DEL, C1) only line breaks and tabs pass, and in text that
//! has been masked before it was coloured, the sequences of colours.

use std::borrow::Cow;

/// Replaces a control character.
const MASK: char = '\u{fffd}';

/// Whether a character is left out of what a terminal sees.
fn is_masked(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

/// The text without control characters.
pub fn mask(text: &str) -> Cow<'_, str> {
    if text.contains(is_masked) {
        text.replace("\r\n", "\n").replace(is_masked, MASK.encode_utf8(&mut [0; 4])).into()
    } else {
        text.into()
    }
}

/// The same of text that has colours: their sequences stay.
pub fn mask_all_but_colours(text: &str) -> Cow<'_, str> {
    if !text.contains(is_masked) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('\x1b');
    out.push_str(&mask(parts.next().unwrap_or_default()));
    for part in parts {
        let is_parameter = |c: char| c.is_ascii_digit() || c == ';';
        let sequence = part.strip_prefix('[').map(|rest| rest.trim_start_matches(is_parameter));
        if sequence.is_some_and(|rest| rest.starts_with('m')) {
            out.push('\x1b');
        } else {
            out.push(MASK);
        }
        out.push_str(&mask(part));
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(mask("a\tb\nc\r\nd ü"), "a\tb\nc\r\nd ü".replace('\r', ""));
        assert_eq!(mask("\x1b]0;x\x07\u{9b}2J\x7f\r"), "\u{fffd}]0;x\u{fffd}\u{fffd}2J\u{fffd}\u{fffd}");
        assert!(matches!(mask("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn of_sequences_only_colours_pass() {
        assert_eq!(mask_all_but_colours("\x1b[1;31mred\x1b[0m"), "\x1b[1;31mred\x1b[0m");
        assert_eq!(mask_all_but_colours("\x1b[2J\x1b[m\x1b"), "\u{fffd}[2J\x1b[m\u{fffd}");
        assert_eq!(mask_all_but_colours("\u{9b}31m\x1b"), "\u{fffd}31m\u{fffd}");
    }
}
