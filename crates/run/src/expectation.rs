//! `%@test` comments: files, constants, and what is expected of the answer sets.
//!
//! `%@test [FILES] [-c NAME=TERM]: EXPECTATION`, where the expectation is one of
//!
//! - `sat`, `unsat`
//! - `count N`: there are N answer sets
//! - `optimum COSTS`: the costs of the best answer sets, most important level first
//! - `sets {a b} {a c}`: these are the answer sets, as shown
//! - `contains ATOMS`, `lacks ATOMS`: there are answer sets, and each has all (or none) of the atoms
//! - `steps N`: the incremental mode, which begins with step 0, ends at step N
//! - `error TEXT`: the program is rejected, with a message that contains the text
//!
//! With an objective, `count`, `sets`, `contains` and `lacks` refer to the optimal answer sets. Invariant: a line that
//! cannot be read is reported, never skipped.

use std::collections::BTreeSet;

/// The expectation of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// There is an answer set, or none.
    Satisfiable(bool),
    /// That many answer sets.
    Count(u64),
    /// These optimal costs.
    Optimum(Vec<i64>),
    /// Exactly these answer sets.
    Sets(BTreeSet<BTreeSet<String>>),
    /// All of the atoms in each answer set.
    Contains(Vec<String>),
    /// None of the atoms in any answer set.
    Lacks(Vec<String>),
    /// The incremental mode ends at this step.
    Steps(u64),
    /// Rejected with a message that contains a text.
    Error(String),
}

/// A `%@test` comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its text after `%@test`, for messages.
    pub text: String,
    /// Files besides the one that contains it.
    pub files: Vec<String>,
    /// Constants, `NAME=TERM`.
    pub consts: Vec<String>,
    /// The expectation.
    pub expectation: Expectation,
}

/// The beginning of a test comment.
const MARK: &str = "%@test";

/// The tests of a text; for lines that cannot be read, the line and the reason.
pub fn tests(text: &str) -> Vec<Result<Test, (usize, String)>> {
    let lines = text.lines().enumerate();
    let read = |(i, line): (usize, &str)| {
        let Some(comment) = line.trim().strip_prefix('%') else {
            let within = comment_of(line).filter(|comment| means_test(comment))?;
            let mark = within.trim_start_matches(['%', ' ', '\t']);
            let why = format!("a test goes on a line of its own, not after code: `%{mark}`");
            return Some(Err((i + 1, why)));
        };
        if let Some(rest) = comment.strip_prefix("@test") {
            return Some(test(i + 1, rest.trim()).map_err(|why| (i + 1, why)));
        }
        let text =
            || format!("a test starts with `{MARK}`, in small letters and with nothing between the signs");
        means_test(comment).then(|| Err((i + 1, text())))
    };
    lines.filter_map(read).collect()
}

/// Whether a comment reads like a test that is not written as one.
fn means_test(comment: &str) -> bool {
    let apart = comment.trim_start_matches(['%', ' ', '\t']);
    let word = apart.get(..MARK.len() - 1).is_some_and(|word| word.eq_ignore_ascii_case(&MARK[1..]));
    word && apart[MARK.len() - 1..].starts_with([':', ' '])
}

/// The comment behind code: what follows the first `%` outside of strings.
fn comment_of(line: &str) -> Option<&str> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            '%' if !quoted => return Some(&line[at + 1..]),
            _ => {}
        }
        escaped = quoted && !escaped && c == '\\';
    }
    None
}

fn test(line: usize, text: &str) -> Result<Test, String> {
    let (arguments, expectation) =
        text.split_once(':').ok_or("a `:` is missing; a test is written `%@test FILES: count 1`")?;
    let (mut files, mut consts) = (Vec::new(), Vec::new());
    let mut words = arguments.split_whitespace();
    while let Some(word) = words.next() {
        match word.strip_prefix("-c") {
            Some("") => consts.push(words.next().ok_or("`-c` without NAME=TERM")?.to_string()),
            Some(definition) => consts.push(definition.to_string()),
            None if word.starts_with('-') => {
                return Err(format!("`{word}` is not an option of a test; there is only `-c NAME=TERM`"));
            }
            None => files.push(word.to_string()),
        }
    }
    if let Some(bad) = consts.iter().find(|c| !c.contains('=')) {
        return Err(format!("`-c {bad}` is not of the form NAME=TERM"));
    }
    let expectation = read(expectation.trim())?;
    let text = text.trim_start_matches([':', ' ']).to_string();
    Ok(Test { line, text, files, consts, expectation })
}

fn read(text: &str) -> Result<Expectation, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let number = || rest.parse::<u64>().map_err(|_| format!("`{word}` takes a number, not `{rest}`"));
    let no_more = |expectation| match rest {
        "" => Ok(expectation),
        _ => Err(format!("nothing may follow `{word}`")),
    };
    let atoms = || match atoms(rest) {
        found if found.is_empty() => Err(format!("`{word}` takes atoms")),
        found => Ok(found),
    };
    match word {
        "sat" => no_more(Expectation::Satisfiable(true)),
        "unsat" => no_more(Expectation::Satisfiable(false)),
        "count" => number().map(Expectation::Count),
        "steps" => number().map(Expectation::Steps),
        "optimum" => {
            let costs: Result<Vec<i64>, _> = rest.split_whitespace().map(str::parse).collect();
            let costs = costs.map_err(|_| format!("`optimum` takes costs, not `{rest}`"))?;
            if costs.is_empty() {
                Err("`optimum` takes costs".into())
            } else {
                Ok(Expectation::Optimum(costs))
            }
        }
        "sets" => sets(rest).map(Expectation::Sets),
        "contains" => atoms().map(Expectation::Contains),
        "lacks" => atoms().map(Expectation::Lacks),
        "error" => Ok(Expectation::Error(rest.trim_matches('"').to_string())),
        _ => Err(format!(
            "`{word}` is not an expectation; there are sat, unsat, count, optimum, sets, contains, lacks, steps, error"
        )),
    }
}

/// Atoms separated by blanks outside of parentheses and strings, without blanks inside.
pub(crate) fn atoms(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for c in text.chars() {
        let last = found.len() - 1;
        if quoted {
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            found[last].push(c);
            continue;
        }
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '"' => quoted = true,
            _ => {}
        }
        if !c.is_whitespace() {
            found[last].push(c);
        } else if depth <= 0 && !found[last].is_empty() {
            found.push(String::new());
        }
    }
    found.retain(|atom| !atom.is_empty());
    found
}

/// `{a b} {}`
fn sets(text: &str) -> Result<BTreeSet<BTreeSet<String>>, String> {
    let mut found = BTreeSet::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let inner = rest.strip_prefix('{').and_then(|r| r.split_once('}'));
        let (inner, after) = inner.ok_or("`sets` takes answer sets in braces: `sets {a b} {c}`")?;
        found.insert(atoms(inner).into_iter().collect());
        rest = after.trim_start();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Result<Test, String> {
        let mut found = tests(line);
        assert_eq!(found.len(), 1);
        found.remove(0).map_err(|(_, why)| why)
    }

    #[test]
    fn what_a_test_may_say() {
        let test = one("%@test grid4.lp -c n=4 -cm=5: count 2").unwrap();
        assert_eq!((test.files, test.consts), (vec!["grid4.lp".into()], vec!["n=4".into(), "m=5".into()]));
        assert_eq!(test.expectation, Expectation::Count(2));
        assert_eq!(one("%@test: unsat").unwrap().expectation, Expectation::Satisfiable(false));
        assert_eq!(one("  %@test: optimum 3 -1").unwrap().expectation, Expectation::Optimum(vec![3, -1]));
        let contains = one("%@test: contains p(1, 2) q(\"a b)\\\"\") r").unwrap().expectation;
        let atoms = ["p(1,2)", "q(\"a b)\\\"\")", "r"].map(String::from);
        assert_eq!(contains, Expectation::Contains(atoms.into()));
        let Expectation::Sets(sets) = one("%@test: sets {} {a b} {b  a}").unwrap().expectation else {
            panic!()
        };
        assert_eq!(sets.len(), 2);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for (line, part) in [
            ("%@test count 2", "`:` is missing"),
            ("%@test: counts 2", "`counts` is not an expectation"),
            ("%@test: count two", "takes a number"),
            ("%@test: sat 1", "nothing may follow"),
            ("%@test -n 0: sat", "not an option"),
            ("%@test -c n: sat", "NAME=TERM"),
            ("%@test: sets a", "in braces"),
            ("%@test: contains", "takes atoms"),
            ("% @test: sat", "starts with `%@test`"),
            ("%% @test a.lp: count 1", "starts with `%@test`"),
            ("%@Test: count 1", "in small letters"),
            ("a(\"%\\\"%\"). % @test: sat", "a line of its own, not after code: `%@test: sat`"),
            ("a. %@test a.lp: sat", "a line of its own"),
        ] {
            let why = one(line).unwrap_err();
            assert!(why.contains(part), "{line}: {why}");
        }
        assert!(
            tests("% our @test: sat\n%test\n% @testing\na. % our @test: sat\na(\"% @test: sat\").\n")
                .is_empty()
        );
    }
}
