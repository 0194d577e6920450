//! Options of learned nogoods: where they come from and go to.
//!
//! Invariant: files are read and can be written before anything else is done.

use std::fs::File;

use crate::cli::args::Args;
use crate::cli::options::Wrong;
use crate::cli::pattern::unsigned;
use crate::solve::LemmaFilter;

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
    /// Reads the options, and the file that they name.
    pub fn check(args: &Args<'_>) -> Result<(Self, Option<LemmaFilter>), Wrong> {
        let text = |long: &str| args.get(long).and_then(|g| g.value);
        let number = |long: &str| text(long).and_then(unsigned).filter(|&n| n > 0).unwrap_or(u64::MAX);
        let mut lemmas = Self {
            given: Vec::new(),
            to: text("lemma-out").map(str::to_string),
            text: args.has("lemma-out-txt"),
        };
        if let Some(name) = text("lemma-in") {
            let Ok(bytes) = std::fs::read(name) else {
                return Err(Wrong::in_file("'lemma-in': could not open file!".to_string()));
            };
            lemmas.given = parse(&String::from_utf8_lossy(&bytes)).map_err(|line| Wrong {
                message: format!("'lemma-in': {name}:{line}: a line '1 0 0 0 LENGTH LITERAL...' is expected"),
                code: 65,
            })?;
        }
        if let Some(name) = lemmas.to.as_deref().filter(|&name| name != "-") {
            if File::create(name).is_err() {
                return Err(Wrong::from(format!("Could not open lemma log file '{name}'!")));
            }
        }
        let filter = lemmas.to.is_some().then(|| LemmaFilter {
            glue: u32::try_from(number("lemma-out-lbd")).unwrap_or(u32::MAX),
            most: number("lemma-out-max"),
            shown: text("lemma-out-dom").is_some_and(|d| d.eq_ignore_ascii_case("output")),
        });
        Ok((lemmas, filter))
    }

    /// Whether any are read or written.
    pub fn are_wanted(&self) -> bool {
        self.to.is_some() || !self.given.is_empty()
    }
}

/// The bodies of integrity constraints in aspif, or the number of a line that is something else.
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
