//! Options of learned nogoods: where they come from and go to.
//!
//! Invariant: before anything else is done, input files have been read, and output files are known to be writable.

use std::fs::OpenOptions;

use crate::disk;
use crate::usage::{UsageError, UsageErrorKind};
use asp_solve::LemmaFilter;

/// The options as given.
#[derive(Clone, Debug)]
pub struct LemmaWish {
    /// The file to read.
    pub from: Option<String>,
    /// The file to write.
    pub to: Option<String>,
    /// As integrity constraints in text.
    pub as_text: bool,
    /// Which ones are written.
    pub filter: LemmaFilter,
}

impl Default for LemmaWish {
    fn default() -> Self {
        let filter = LemmaFilter { lbd: u32::MAX, most: u64::MAX, shown: false };
        Self { from: None, to: None, as_text: false, filter }
    }
}

/// Where learned nogoods come from and go to.
#[derive(Clone, Debug, Default)]
pub struct LemmaOptions {
    /// Nogoods from a file.
    pub given: Vec<Vec<i64>>,
    /// Where they go; `-` for standard output.
    pub to: Option<String>,
    /// As integrity constraints in text.
    pub text: bool,
}

impl LemmaOptions {
    /// Reads the file that the options name, and tests whether the other one can be written.
    pub fn open(wish: &LemmaWish) -> Result<(Self, Option<LemmaFilter>), UsageError> {
        let mut lemmas = Self { given: Vec::new(), to: wish.to.clone(), text: wish.as_text };
        if let Some(name) = &wish.from {
            let Ok(bytes) = disk::read(name) else {
                return Err(UsageError::configuration("'lemma-in': could not open file!"));
            };
            lemmas.given = parse(&String::from_utf8_lossy(&bytes)).map_err(|line| {
                let message =
                    format!("'lemma-in': {name}:{line}: expected a line '1 0 0 0 LENGTH LITERAL...'");
                UsageError::new(UsageErrorKind::Input, message)
            })?;
        }
        if let Some(name) = lemmas.to.as_deref().filter(|&name| name != "-") {
            // What is there stays until the end of the run.
            if OpenOptions::new().append(true).create(true).open(name).is_err() {
                let message = format!("Could not open lemma log file '{name}'!");
                return Err(UsageError::new(UsageErrorKind::Argument, message));
            }
        }
        let filter = lemmas.to.is_some().then_some(wish.filter);
        Ok((lemmas, filter))
    }

    /// Whether any are read or written.
    pub(crate) fn are_wanted(&self) -> bool {
        self.to.is_some() || !self.given.is_empty()
    }
}

/// The bodies of integrity constraints in aspif; the error is the number of a line that is something else.
fn parse(text: &str) -> Result<Vec<Vec<i64>>, usize> {
    let mut bodies = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line == "0" || line.starts_with("asp ") || line.starts_with("10 ") {
            continue;
        }
        let numbers: Option<Vec<i64>> = line.split_ascii_whitespace().map(|n| n.parse().ok()).collect();
        match numbers.as_deref() {
            Some([1, 0, 0, 0, count, body @ ..])
                if *count == body.len() as i64 && body.iter().all(|&n| n != 0 && n != i64::MIN) =>
            {
                bodies.push(body.to_vec());
            }
            _ => return Err(at + 1),
        }
    }
    Ok(bodies)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn bodies_of_constraints() {
        assert_eq!(parse("asp 1 0 0\n1 0 0 0 2 -3 4\n10 x\n0\n"), Ok(vec![vec![-3, 4]]));
        for bad in ["1 0 1 5 0 0", "1 0 0 0 2 3", "1 0 0 0 1 0", ":- a.", "1 0 0 1 2 1 3 3"] {
            assert_eq!(parse(&format!("0\n{bad}\n")), Err(2), "{bad}");
        }
    }
}
