//! Reads ground programs in aspif, the format of gringo and clasp, as far as proofs cover it.
//!
//! Invariant: a statement that is not understood, or that a proof would have to take into account and does not, is an error.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Checked, reject};

/// An atom's number, negated if the literal is.
pub type Literal = i32;

/// A rule. The body holds if the weights of the literals that hold add up to the bound.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Whether the heads are chosen; otherwise at least one must hold.
    pub choice: bool,
    /// Sorted, each once.
    pub heads: Vec<u32>,
    /// Sorted by literal, each once.
    pub body: Vec<(Literal, i128)>,
    /// What the weights must reach.
    pub bound: i128,
}

/// What is shown.
#[derive(Clone, Debug)]
pub struct Show {
    pub text: String,
    /// It is shown if all of these hold.
    pub condition: Vec<Literal>,
}

/// An edge from a node to another, which is there if all literals hold.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: i64,
    pub to: i64,
    /// When it is there.
    pub condition: Vec<Literal>,
}

/// A ground program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The greatest number of an atom.
    pub atoms: u32,
    /// In their order.
    pub rules: Vec<Rule>,
    /// By priority: weighted literals whose sum is the cost.
    pub costs: BTreeMap<i64, Vec<(Literal, i128)>>,
    /// In their order.
    pub shows: Vec<Show>,
    /// External atoms: `None` if any value is possible.
    pub externals: BTreeMap<u32, Option<bool>>,
    /// Literals that must hold.
    pub assumptions: Vec<Literal>,
    /// Atoms that are projected on; `None` if there is no such statement.
    pub projected: Option<BTreeSet<u32>>,
    /// In their order. Those that are there form no cycle.
    pub edges: Vec<Edge>,
}

/// The numbers of a line.
struct Fields<'a> {
    rest: &'a str,
    atoms: u32,
}

impl<'a> Fields<'a> {
    fn word(&mut self) -> Checked<&'a str> {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest;
        if word.is_empty() { reject("a statement of the program is too short") } else { Ok(word) }
    }
    fn number<T: std::str::FromStr>(&mut self) -> Checked<T> {
        let word = self.word()?;
        word.parse().or_else(|_| reject(format!("`{word}` is no number that can stand here")))
    }
    fn atom(&mut self) -> Checked<u32> {
        match self.number::<u32>()? {
            0 => reject("0 is no atom"),
            atom if atom > i32::MAX as u32 / 4 => reject("there are too many atoms"),
            atom => {
                self.atoms = self.atoms.max(atom);
                Ok(atom)
            }
        }
    }
    fn literal(&mut self) -> Checked<Literal> {
        let negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let atom = self.atom()? as i32;
        Ok(if negative { -atom } else { atom })
    }
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Checked<T>) -> Checked<Vec<T>> {
        (0..self.number::<u32>()?).map(|_| item(self)).collect()
    }
    fn weighted(&mut self) -> Checked<(Literal, i128)> {
        Ok((self.literal()?, self.number::<i64>()?.into()))
    }
    fn end(&self) -> Checked<()> {
        if self.rest.is_empty() { Ok(()) } else { reject("a statement of the program is too long") }
    }
}

impl Program {
    /// Reads a program.
    pub fn parse(bytes: &[u8]) -> Checked<Program> {
        let Ok(text) = std::str::from_utf8(bytes) else { return reject("the program is not UTF-8") };
        let mut rest = text;
        let mut line = || {
            let (line, after) = rest.split_once('\n')?;
            rest = after;
            Some(line)
        };
        if line() != Some("asp 1 0 0") {
            return reject("the program does not begin with `asp 1 0 0`, or is one of several steps");
        }
        let mut program = Program::default();
        loop {
            match line() {
                None => return reject("the program has no end"),
                Some("0") => break,
                Some(statement) => program.statement(statement)?,
            }
        }
        if !rest.is_empty() {
            return reject("the program goes on after its end");
        }
        for rule in &program.rules {
            if rule.heads.iter().any(|h| program.externals.contains_key(h)) {
                return reject("an external atom has a rule");
            }
        }
        Ok(program)
    }

    fn statement(&mut self, line: &str) -> Checked<()> {
        let mut f = Fields { rest: line, atoms: self.atoms };
        match f.number::<u32>()? {
            1 => {
                let choice = match f.number::<u8>()? {
                    0 => false,
                    1 => true,
                    _ => return reject("a rule has a head of an unknown kind"),
                };
                let mut heads = f.list(Fields::atom)?;
                heads.sort_unstable();
                heads.dedup();
                let (mut body, bound) = match f.number::<u8>()? {
                    0 => (f.list(|f| Ok((f.literal()?, 1)))?, None),
                    1 => {
                        let bound: i64 = f.number()?;
                        (f.list(Fields::weighted)?, Some(bound))
                    }
                    _ => return reject("a rule has a body of an unknown kind"),
                };
                if body.iter().any(|t| t.1 <= 0) {
                    return reject("a weight in a body is not positive");
                }
                body.sort_unstable_by_key(|t| t.0);
                // A conjunction has each literal once; in a sum, weights of one literal add up.
                body.dedup_by(|next, kept| {
                    let same = next.0 == kept.0;
                    if same && bound.is_some() {
                        kept.1 += next.1;
                    }
                    same
                });
                let bound = bound.map_or(body.len() as i128, i128::from);
                self.rules.push(Rule { choice, heads, body, bound });
            }
            2 => {
                let priority = f.number()?;
                self.costs.entry(priority).or_default().extend(f.list(Fields::weighted)?);
            }
            3 => self.projected.get_or_insert_default().extend(f.list(Fields::atom)?),
            // Heuristics matter to no claim.
            7 => {
                for _ in 0..4 {
                    f.number::<i64>()?;
                }
                f.list(Fields::literal)?;
            }
            4 => {
                let length: usize = f.number()?;
                let Some((text, rest)) = f.rest.split_at_checked(length) else {
                    return reject("what is shown is too short");
                };
                let Some(rest) = rest.strip_prefix(' ') else {
                    return reject("a text that is shown has another length than it says");
                };
                f.rest = rest;
                let condition = f.list(Fields::literal)?;
                self.shows.push(Show { text: text.to_string(), condition });
            }
            5 => {
                let atom = f.atom()?;
                let value = match f.number::<u8>()? {
                    0 => None,
                    1 => Some(true),
                    2 | 3 => Some(false),
                    _ => return reject("an external atom has an unknown value"),
                };
                self.externals.insert(atom, value);
            }
            6 => self.assumptions.extend(f.list(Fields::literal)?),
            8 => {
                let (from, to) = (f.number()?, f.number()?);
                self.edges.push(Edge { from, to, condition: f.list(Fields::literal)? });
            }
            9 => return reject("the program has theory atoms"),
            10 => return Ok(()),
            _ => return reject("the program has an unknown statement"),
        }
        self.atoms = f.atoms;
        f.end()
    }
}
