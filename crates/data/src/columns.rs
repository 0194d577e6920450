//! Comparison of rows: cells that do not fit their column are reported, with a row that fits as an example.
//!
//! Invariant: a column that may well be mixed is left alone. Only a text that nobody would write as a name stands out, and only
//! among four times as many numbers.

use super::value::{Value, is_constant, write};
use super::{Bytes, Facts, MAX_MESSAGES, Problems, Text};
use asp_base::diagnostic::{Diagnostic, WarningKind};

/// A text in a column of numbers.
const ODD_CELL: WarningKind = WarningKind::Lint("odd-cell");
/// How many numbers there are for each text that stands out.
const MAJORITY: usize = 4;

/// A table as read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The facts, each made of a row.
    pub facts: Facts,
    /// The guesses.
    pub notes: Vec<super::csv::Guess>,
    /// Cells that are probably mistakes.
    pub warnings: Vec<Diagnostic>,
}

/// Rows with their bytes in the text.
pub(crate) type Rows = [(Bytes, Vec<Value>)];

/// Whether a text is hardly meant beside numbers: it is empty, or no name, or has digits.
pub(crate) fn is_odd(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    !is_constant(text) || text.contains(|c: char| c.is_ascii_digit())
}

/// Whether this many numbers make a column one of numbers, in spite of some odd texts.
pub(crate) fn is_numeric(numbers: usize, odd: usize) -> bool {
    numbers > 0 && numbers >= MAJORITY * odd
}

fn atom(predicate: &str, row: &[Value]) -> String {
    let mut out = predicate.to_string();
    for (i, value) in row.iter().enumerate() {
        out.push(if i == 0 { '(' } else { ',' });
        write(value, &mut out);
    }
    out.push_str(if row.is_empty() { "" } else { ")" });
    out
}

/// Adds the first right row to what is wrong with others.
pub(crate) fn with_example(problems: Problems, predicate: &str, rows: &Rows) -> Problems {
    let Some((_, row)) = rows.first() else { return problems };
    let example = format!("another row is `{}`", atom(predicate, row));
    problems.into_iter().map(|problem| problem.help(example.clone())).collect()
}

/// Texts in columns of numbers; the bytes of a cell are asked for by row and column.
pub(crate) fn misfits(
    text: Text<'_>,
    predicate: &str,
    rows: &Rows,
    place: impl Fn(usize, usize) -> Bytes,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let width = rows.first().map_or(0, |(_, row)| row.len());
    for column in 0..width {
        let cells = || rows.iter().map(|(_, row)| &row[column]);
        let numbers = cells().filter(|value| matches!(value, Value::Number(_))).count();
        let odd = cells().filter(|value| is_odd(value)).count();
        if odd == 0 || numbers + odd != rows.len() || !is_numeric(numbers, odd) {
            continue;
        }
        let Some((_, example)) = rows.iter().find(|(_, row)| !row.iter().any(is_odd)) else { continue };
        for (i, (_, row)) in rows.iter().enumerate().filter(|(_, (_, row))| is_odd(&row[column])) {
            if found.len() == MAX_MESSAGES {
                return found;
            }
            let (from, to) = place(i, column);
            let mut term = String::new();
            write(&row[column], &mut term);
            let message = format!("{term} is a text in a column of numbers");
            let warning = Diagnostic::warning(ODD_CELL, text.span(from, to), message);
            found.push(
                warning.help(format!("other rows have a number there: `{}`", atom(predicate, example))),
            );
        }
    }
    found
}
