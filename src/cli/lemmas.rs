//! Learned nogoods to a file and back, as aspif or as text.
//!
//! Invariant: what is written holds in every answer set, and its numbers are those of the ground program that the same
//! command line makes: a run that reads what another wrote has the same answer sets.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;

use super::args::Args;
use super::options::Wrong;
use super::pattern::unsigned;
use crate::control::Control;
use crate::solve::{Lemma, LemmaFilter};

/// Where learned nogoods come from and go to.
#[derive(Clone, Debug, Default)]
pub struct Lemmas {
    /// Nogoods from a file.
    given: Vec<Vec<i64>>,
    /// Where they go; `-` for standard output.
    to: Option<String>,
    /// As integrity constraints in text.
    text: bool,
}

impl Lemmas {
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

    /// Hands over what was read, once.
    pub fn add(&self, control: &mut Control) -> Result<(), String> {
        control.add_nogoods(&self.given).map_err(|number| format!("'lemma-in': there is no atom {number}"))
    }

    /// Writes what was learned; returns what belongs to standard output.
    pub fn write(&self, control: &mut Control) -> Result<Vec<u8>, String> {
        let Some(name) = &self.to else { return Ok(Vec::new()) };
        let learned = control.take_lemmas();
        let lines = if self.text { as_text(&learned, control) } else { as_aspif(&learned, control) };
        if name == "-" {
            return Ok(lines.into_bytes());
        }
        let written = File::create(name).and_then(|mut file| file.write_all(lines.as_bytes()));
        written.map_err(|why| format!("Could not write lemma log file '{name}': {why}"))?;
        Ok(Vec::new())
    }
}

fn as_aspif(learned: &[Lemma], control: &Control) -> String {
    let mut lines = String::from("asp 1 0 0\n");
    for lemma in learned {
        let _ = write!(lines, "1 0 0 0 {}", lemma.literals.len());
        for l in &lemma.literals {
            let number = control.atom_number(l.atom());
            let _ = write!(lines, " {}", if l.is_neg() { -number } else { number });
        }
        lines.push('\n');
    }
    lines.push_str("0\n");
    lines
}

/// As integrity constraints; those with auxiliary atoms, which have no names, are left out.
fn as_text(learned: &[Lemma], control: &Control) -> String {
    let mut lines = String::new();
    for lemma in learned {
        let literal = |l: &crate::program::Literal| {
            let (signature, args) = control.program().atoms.get(l.atom())?;
            let mut text = String::from(if l.is_neg() { "not " } else { "" });
            control.symbols().write_atom(signature.name, args, signature.negative, &mut text);
            Some(text)
        };
        if let Some(literals) = lemma.literals.iter().map(literal).collect::<Option<Vec<String>>>() {
            let _ = writeln!(lines, ":- {}.  %lbd = {}", literals.join(", "), lemma.glue);
        }
    }
    lines
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
