//! Colours of pictures: names and numbers to colours that can be distinguished on light and dark pages.
//!
//! Invariant: whatever a program calls a colour, the output is one of the constants here or `#` and six hexadecimal
//! digits, so it needs no escaping.

/// Colours for numbered values, in order; text on them is dark.
pub(crate) const PALETTE: [&str; 12] = [
    "#8ecae6", "#ffb703", "#95d5b2", "#f4978e", "#cdb4db", "#e9c46a", "#a8dadc", "#f7a072", "#b5c99a",
    "#d0b8ac", "#9fa8da", "#f8b4d9",
];

const NAMES: [(&str, &str); 22] = [
    ("red", "#ef6f6c"),
    ("r", "#ef6f6c"),
    ("green", "#7bc47f"),
    ("g", "#7bc47f"),
    ("blue", "#7aa9e0"),
    ("b", "#7aa9e0"),
    ("yellow", "#f6d55c"),
    ("y", "#f6d55c"),
    ("orange", "#f5a35c"),
    ("purple", "#b99ad9"),
    ("violet", "#b99ad9"),
    ("pink", "#f3a6c0"),
    ("brown", "#c29b7c"),
    ("cyan", "#7fd1d6"),
    ("ivory", "#f3ead2"),
    ("grey", "#b8bcc2"),
    ("gray", "#b8bcc2"),
    ("lightgrey", "#dfe2e6"),
    ("lightgray", "#dfe2e6"),
    ("white", "#ffffff"),
    ("black", "#30343a"),
    ("gold", "#e3b341"),
];

/// The colour that a name or a hexadecimal code means.
pub(crate) fn named(name: &str) -> Option<String> {
    if let Some((_, code)) = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some((*code).to_string());
    }
    let digits = name.strip_prefix('#')?;
    (digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())).then(|| name.to_ascii_lowercase())
}

/// The colour of a value, given all values in their order.
pub(crate) fn of_value(value: &str, all: &[String]) -> String {
    named(value).unwrap_or_else(|| {
        let at = all.iter().position(|v| v == value).unwrap_or(0);
        PALETTE[at % PALETTE.len()].to_string()
    })
}

/// Whether text on a colour should be light.
pub(crate) fn is_dark(code: &str) -> bool {
    let part = |i: usize| u32::from_str_radix(code.get(i..i + 2).unwrap_or("ff"), 16).unwrap_or(255);
    299 * part(1) + 587 * part(3) + 114 * part(5) < 128_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_from_names_codes_and_numbers() {
        assert_eq!(named("Red").as_deref(), Some("#ef6f6c"));
        assert_eq!(named("#A0b1C2").as_deref(), Some("#a0b1c2"));
        assert_eq!(named("#12345\"").as_deref(), None);
        let all = ["1", "2"].map(String::from);
        assert_eq!(of_value("2", &all), PALETTE[1]);
        assert!(is_dark("#30343a") && !is_dark("#ffffff") && !is_dark("#f6d55c"));
    }
}
