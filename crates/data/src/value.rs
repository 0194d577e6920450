//! Texts of tables to terms.
//!
//! Invariant: a text always becomes the same term, so columns and tables can be joined: an integer if it is one, a
//! constant if it can be written as one, else a string.

use super::{Bytes, Facts};

/// A value of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Number(i64),
    /// A text: a constant or a string.
    Text(String),
    /// A term as it is written.
    Term(String),
}

/// Why a text is not a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// An integer that exceeds 64 bits.
    TooLarge,
    /// A number with decimals.
    Decimal,
}

impl Wrong {
    /// The message, and what to do about it.
    pub fn message(self, text: &str) -> (String, &'static str) {
        match self {
            Wrong::TooLarge => (
                format!("the number {text} does not fit 64 bits"),
                "integers range from -9223372036854775808 to 9223372036854775807",
            ),
            Wrong::Decimal => (
                format!("{text} is not an integer"),
                "programs only have integers: write it in a smaller unit (cents, metres, per mille), or leave the \
                 column out by naming the others: pred(column,...)=FILE",
            ),
        }
    }
}

/// Reads an integer or else a text. Leading zeros matter (a code, a number plate), so `007` is a text.
pub fn read(text: &str) -> Result<Value, Wrong> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(Value::Text(text.to_string()));
    }
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        let number = text.strip_prefix('+').unwrap_or(text);
        return number.parse().map(Value::Number).map_err(|_| Wrong::TooLarge);
    }
    if let Some((whole, part)) = digits.split_once('.') {
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if all_digits(whole) && all_digits(part) && !(whole.is_empty() && part.is_empty()) {
            return Err(Wrong::Decimal);
        }
    }
    Ok(Value::Text(text.to_string()))
}

/// Whether a text can be written as a constant.
pub(crate) fn is_constant(text: &str) -> bool {
    super::request::is_predicate(text)
}

/// Appends a value as a term.
pub fn write(value: &Value, out: &mut String) {
    match value {
        Value::Number(n) => out.push_str(&n.to_string()),
        Value::Text(text) if is_constant(text) => out.push_str(text),
        Value::Text(text) => quoted(text, out),
        Value::Term(term) => out.push_str(term),
    }
}

/// Appends a text as a string term.
pub(crate) fn quoted(text: &str, out: &mut String) {
    asp_base::symbol::write_quoted(text, out);
}

/// Rows of one length, each with its bytes, as facts of a predicate.
pub fn facts(predicate: &str, rows: &[(Bytes, Vec<Value>)]) -> Facts {
    let mut out = Facts::default();
    for (bytes, row) in rows {
        out.begin(*bytes);
        let out = &mut out.text;
        out.push_str(predicate);
        for (i, value) in row.iter().enumerate() {
            out.push(if i == 0 { '(' } else { ',' });
            write(value, out);
        }
        out.push_str(if row.is_empty() { ".\n" } else { ").\n" });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rows: &[&[&str]], expect: &str) {
        let rows: Vec<(Bytes, Vec<Value>)> =
            rows.iter().map(|row| ((0, 0), row.iter().map(|text| read(text).unwrap()).collect())).collect();
        assert_eq!(facts("p", &rows).text, expect);
    }

    #[test]
    fn one_text_is_one_term() {
        check(&[&["1", "a", "b c"], &["-2", "b", "d"]], "p(1,a,\"b c\").\np(-2,b,d).\n");
        check(&[&["Anna", "not", "_x1'"]], "p(\"Anna\",\"not\",_x1').\n");
        check(&[&["", "a\"b"]], "p(\"\",\"a\\\"b\").\n");
        check(&[&["+7"]], "p(7).\n");
        check(&[&["0", "007", "-012"]], "p(0,\"007\",\"-012\").\n");
    }

    #[test]
    fn numbers_that_are_none() {
        assert_eq!(read("9223372036854775808"), Err(Wrong::TooLarge));
        assert_eq!(read("-9223372036854775808"), Ok(Value::Number(i64::MIN)));
        assert_eq!(read("-3.14"), Err(Wrong::Decimal));
        assert_eq!(read("1.2.3"), Ok(Value::Text("1.2.3".into())));
        assert_eq!(read("."), Ok(Value::Text(".".into())));
        assert_eq!(read("-"), Ok(Value::Text("-".into())));
    }
}
