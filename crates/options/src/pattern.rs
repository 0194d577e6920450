//! A small language for the values of options, so that a misspelt value is an error even if the option itself has no
//! effect.
//!
//! A pattern is a list of alternatives separated by blanks; an alternative is a list of parts separated by commas, as
//! in the value; a part is a list of items separated by `|`, one of which has to match. A part that ends in `?` may be
//! missing, together with everything after it; a last part that ends in `*` may occur any number of times. Items: `N`
//! an unsigned number (of 32 bits unless an upper end is given), `I` an integer, `F` a decimal number, each with an
//! optional range `a-b`; `K` a number, perhaps after `key=`; `S` any text; anything else (after `'`: literally) a word,
//! in any case. Names of one item are joined by `=`. Invariant: the meaning of an item depends only on its position, so
//! that a reader can identify words by their positions.

/// How a value matches a pattern.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Match {
    /// The alternative, counted from 0.
    pub alternative: usize,
    /// For each part of the value, the item that it matches, counted from 0.
    pub items: Vec<usize>,
    /// Whether it is the word `no`.
    pub is_no: bool,
}

/// Whether a value matches a pattern.
pub(crate) fn matches(pattern: &str, value: &str) -> bool {
    find(pattern, value).is_some()
}

/// How a value matches a pattern, if it does.
pub fn find(pattern: &str, value: &str) -> Option<Match> {
    if pattern == "S" {
        return Some(Match { items: vec![0], ..Match::default() });
    }
    let given: Vec<&str> = value.split(',').collect();
    pattern.split(' ').enumerate().find_map(|(alternative, parts)| {
        let parts: Vec<&str> = parts.split(',').collect();
        let items = matches_parts(&parts, &given)?;
        let first = items.first().and_then(|&i| parts.first()?.split('|').nth(i));
        let is_no = given.len() == 1 && first.is_some_and(|item| item.split('=').next() == Some("no"));
        Some(Match { alternative, items, is_no })
    })
}

fn matches_parts(parts: &[&str], given: &[&str]) -> Option<Vec<usize>> {
    let mut items = Vec::new();
    let mut given = given.iter();
    for part in parts {
        if let Some(repeated) = part.strip_suffix('*') {
            for g in given {
                items.push(item_of(repeated, g)?);
            }
            return Some(items);
        }
        let (part, optional) = match part.strip_suffix('?') {
            Some(part) => (part, true),
            None => (*part, false),
        };
        match given.next() {
            Some(g) => items.push(item_of(part, g)?),
            None if optional => return Some(items),
            None => return None,
        }
    }
    given.next().is_none().then_some(items)
}

fn item_of(part: &str, given: &str) -> Option<usize> {
    part.split('|').position(|item| item.split('=').any(|name| matches_item(name, given)))
}

/// The words that occur in values of a pattern.
pub fn words(pattern: &'static str) -> impl Iterator<Item = &'static str> {
    pattern.split([' ', ',', '|', '=']).map(|w| w.trim_end_matches(['?', '*'])).filter(|w| is_word(w))
}

/// The words that values of a pattern may begin with.
pub fn first_words(pattern: &'static str) -> impl Iterator<Item = &'static str> {
    pattern.split(' ').filter_map(|alternative| alternative.split(',').next()).flat_map(words)
}

fn is_word(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase())
}

fn matches_item(item: &str, given: &str) -> bool {
    if let Some(word) = item.strip_prefix('\'') {
        return word.eq_ignore_ascii_case(given);
    }
    let in_range = |range: &str, n: f64| match range.split_once('-') {
        None => true,
        Some((low, high)) => {
            low.parse().is_ok_and(|l: f64| n >= l)
                && (high.is_empty() || high.parse().is_ok_and(|h: f64| n <= h))
        }
    };
    let fits = |range: &str, n: u64| {
        n <= u64::from(u32::MAX) || n == u64::MAX || !(range.is_empty() || range.ends_with('-'))
    };
    match item.as_bytes() {
        [b'N', ..] => unsigned(given).is_some_and(|n| fits(&item[1..], n) && in_range(&item[1..], n as f64)),
        [b'I', ..] => integer(given).is_some_and(|n| in_range(&item[1..], n as f64)),
        [b'F', ..] => given.parse().is_ok_and(|n: f64| n.is_finite() && n >= 0.0 && in_range(&item[1..], n)),
        [b'K'] => unsigned(given.split_once('=').map_or(given, |(_, n)| n)).is_some(),
        [b'S'] => true,
        _ => item.eq_ignore_ascii_case(given),
    }
}

/// An integer: decimal, `0x...`, or `imax`, `imin`.
pub(crate) fn integer(text: &str) -> Option<i64> {
    match text {
        "imax" => return Some(i64::from(i32::MAX)),
        "imin" => return Some(i64::from(i32::MIN)),
        _ => {}
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let n = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if !hex.starts_with(['+', '-']) => i64::from_str_radix(hex, 16).ok()?,
        _ if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        _ => return None,
    };
    Some(if negative { -n } else { n })
}

/// An unsigned number: as [`integer`]; `-1` and `umax` are the greatest.
pub(crate) fn unsigned(text: &str) -> Option<u64> {
    match text {
        "umax" | "-1" => Some(u64::MAX),
        _ => integer(text).and_then(|n| u64::try_from(n).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, good: &[&str], bad: &[&str]) {
        for v in good {
            assert!(matches(pattern, v), "{pattern} should take {v}");
        }
        for v in bad {
            assert!(!matches(pattern, v), "{pattern} should not take {v}");
        }
    }

    #[test]
    fn patterns_of_real_options() {
        check("N,N?,N?", &["0", "1,2", "0,1,2", "-1"], &["", "x", "0,", "0,0,0,0", "=1"]);
        check(
            "N1-64,compete|split?",
            &["1", "64", "2,split", "2,Compete"],
            &["0", "65", "2,foo", "2,split,x"],
        );
        check("opt|enum|optn|ignore,I*", &["opt", "optN", "enum,3,-4"], &["bla", "opt,x"]);
        check("F0-1 no|0", &["0.5", "1", "no"], &["2", "x", "-1"]);
        check(
            "'F|'L,N1-,N? x,N1-,F1-,N? no|0",
            &["F,16", "l,60", "x,100,1.5", "no"],
            &["F", "x,100,0.5", "G,1"],
        );
        check("N0-3,K* no", &["2", "2,iter=20,occ=25", "2,10"], &["9", "2,iter=x"]);
        check("I", &["0", "-1", "0x10", "99999999999"], &["1.0", "", "x"]);
    }

    #[test]
    fn numbers_as_scripts_write_them() {
        assert_eq!(integer("0x1F"), Some(31));
        assert_eq!(integer("-12"), Some(-12));
        assert_eq!(integer("--12"), None);
        assert_eq!(integer("99999999999999999999"), None);
        assert_eq!(unsigned("umax"), Some(u64::MAX));
        assert_eq!(unsigned("-2"), None);
    }
}
