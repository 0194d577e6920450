//! A statement of the ground program, with the numbers that atoms have outside, and how aspif writes it.
//!
//! Source: Kaminski, Romero, Schaub, Wanko, *How to build your own ASP-based system?!*, TPLP 2023, appendix.

use std::fmt;

use asp::backend::AtomId;

use crate::backend::WeightedLiteral;
use crate::control::Control;
use crate::error::Fail;
use crate::symbol::Symbol;

/// A statement. Bodies and conditions are lists of literals.
pub enum Statement<'a> {
    Rule { choice: bool, head: Vec<u32>, body: Vec<i32> },
    WeightRule { choice: bool, head: Vec<u32>, bound: i32, body: Vec<WeightedLiteral> },
    Minimize { priority: i32, literals: Vec<WeightedLiteral> },
    Project(Vec<u32>),
    Output { symbol: Symbol, text: &'a str, shown: Shown },
    External { atom: u32, value: i32 },
    Assume(Vec<i32>),
    Heuristic { modifier: i32, atom: u32, bias: i32, priority: u32, condition: Vec<i32> },
    Edge { from: i32, to: i32, condition: Vec<i32> },
    TheoryNumber { id: u32, number: i32 },
    TheoryString { id: u32, text: &'a str },
    TheoryCompound { id: u32, name: i32, arguments: Vec<u32> },
    TheoryElement { id: u32, terms: Vec<u32>, condition: Vec<i32> },
    TheoryAtom { atom: u32, term: u32, elements: Vec<u32>, guard: Option<(u32, u32)> },
}

/// What is shown.
pub enum Shown {
    /// An atom; 0 for a fact.
    Atom(u32),
    /// A term, under a condition.
    Term(Vec<i32>),
}

/// The numbers of a line of aspif, where an atom is its place in the ground program, from 1 on.
struct Line<'a, 'c> {
    rest: &'a str,
    control: &'c Control,
}

impl<'a> Line<'a, '_> {
    fn number(&mut self) -> Result<i64, Fail> {
        let rest = self.rest.trim_start();
        let end = rest.find(' ').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word.parse().map_err(|_| Fail::runtime(format!("a number was expected, not {word:?}")))
    }
    fn int(&mut self) -> Result<i32, Fail> {
        let n = self.number()?;
        i32::try_from(n).map_err(|_| Fail::runtime(format!("the integer {n} does not fit 32 bits")))
    }
    fn id(&mut self) -> Result<u32, Fail> {
        let n = self.number()?;
        u32::try_from(n).map_err(|_| Fail::runtime(format!("the number {n} does not fit 32 bits")))
    }
    fn ids(&mut self) -> Result<Vec<u32>, Fail> {
        (0..self.number()?).map(|_| self.id()).collect()
    }
    /// A literal, by its number outside. 0 stands for itself.
    fn literal(&mut self) -> Result<i32, Fail> {
        let n = self.int()?;
        let number = |n: u32| self.control.numbers().of_atom(AtomId(n - 1));
        Ok(if n == 0 { 0 } else { number(n.unsigned_abs()) * n.signum() })
    }
    fn literals(&mut self) -> Result<Vec<i32>, Fail> {
        (0..self.number()?).map(|_| self.literal()).collect()
    }
    fn atom(&mut self) -> Result<u32, Fail> {
        Ok(self.literal()?.unsigned_abs())
    }
    fn atoms(&mut self) -> Result<Vec<u32>, Fail> {
        (0..self.number()?).map(|_| self.atom()).collect()
    }
    fn weighted(&mut self) -> Result<Vec<WeightedLiteral>, Fail> {
        (0..self.number()?)
            .map(|_| Ok(WeightedLiteral { literal: self.literal()?, weight: self.int()? }))
            .collect()
    }
    fn text(&mut self) -> Result<&'a str, Fail> {
        let length = self.number()? as usize;
        let rest = self.rest.strip_prefix(' ').unwrap_or(self.rest);
        let text = rest.get(..length).ok_or_else(|| Fail::runtime("a text ends early"))?;
        self.rest = &rest[length..];
        Ok(text)
    }

    fn theory(&mut self) -> Result<Statement<'a>, Fail> {
        let kind = self.number()?;
        let id = if kind < 5 { self.id()? } else { self.atom()? };
        Ok(match kind {
            0 => Statement::TheoryNumber { id, number: self.int()? },
            1 => Statement::TheoryString { id, text: self.text()? },
            2 => Statement::TheoryCompound { id, name: self.int()?, arguments: self.ids()? },
            4 => Statement::TheoryElement { id, terms: self.ids()?, condition: self.literals()? },
            _ => {
                let (term, elements) = (self.id()?, self.ids()?);
                let guard = if kind == 5 { None } else { Some((self.id()?, self.id()?)) };
                Statement::TheoryAtom { atom: id, term, elements, guard }
            }
        })
    }
}

impl<'a> Statement<'a> {
    /// The statement of a line, if it has one; but for what is shown.
    pub fn of_line(text: &'a str, control: &Control) -> Result<Option<Self>, Fail> {
        if text.starts_with("asp ") {
            return Ok(None);
        }
        let mut line = Line { rest: text, control };
        Ok(Some(match line.number()? {
            1 => {
                let choice = line.number()? == 1;
                let head = line.atoms()?;
                if line.number()? == 0 {
                    Statement::Rule { choice, head, body: line.literals()? }
                } else {
                    Statement::WeightRule { choice, head, bound: line.int()?, body: line.weighted()? }
                }
            }
            2 => Statement::Minimize { priority: line.int()?, literals: line.weighted()? },
            3 => Statement::Project(line.atoms()?),
            5 => Statement::External { atom: line.atom()?, value: line.int()? },
            6 => Statement::Assume(line.literals()?),
            7 => {
                let (modifier, atom) = (line.int()?, line.atom()?);
                let (bias, priority) = (line.int()?, line.id()?);
                Statement::Heuristic { modifier, atom, bias, priority, condition: line.literals()? }
            }
            8 => Statement::Edge { from: line.int()?, to: line.int()?, condition: line.literals()? },
            9 => line.theory()?,
            // An atom is numbered now.
            10 => {
                line.atom()?;
                return Ok(None);
            }
            _ => return Ok(None),
        }))
    }

    /// What a line shows: an atom, if it has a number (0 for a fact), or a term.
    pub fn of_output(
        text: &'a str,
        symbol: Symbol,
        atom: Option<u32>,
        control: &Control,
    ) -> Result<Self, Fail> {
        let mut line = Line { rest: text, control };
        line.number()?;
        let text = line.text()?;
        let shown = match atom {
            Some(atom) => Shown::Atom(atom),
            None => Shown::Term(line.literals()?),
        };
        Ok(Statement::Output { symbol, text, shown })
    }
}

/// A list with its length before it.
struct List<'l, T>(&'l [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.len())?;
        self.0.iter().try_for_each(|one| write!(f, " {one}"))
    }
}

impl fmt::Display for WeightedLiteral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.literal, self.weight)
    }
}

impl fmt::Display for Statement<'_> {
    /// A line of aspif.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule { choice, head, body } => {
                write!(f, "1 {} {} 0 {}", u8::from(*choice), List(head), List(body))
            }
            Self::WeightRule { choice, head, bound, body } => {
                write!(f, "1 {} {} 1 {bound} {}", u8::from(*choice), List(head), List(body))
            }
            Self::Minimize { priority, literals } => write!(f, "2 {priority} {}", List(literals)),
            Self::Project(atoms) => write!(f, "3 {}", List(atoms)),
            Self::Output { text, shown, .. } => {
                write!(f, "4 {} {text} ", text.len())?;
                match shown {
                    Shown::Atom(0) => write!(f, "0"),
                    Shown::Atom(atom) => write!(f, "1 {atom}"),
                    Shown::Term(condition) => write!(f, "{}", List(condition)),
                }
            }
            Self::External { atom, value } => write!(f, "5 {atom} {value}"),
            Self::Assume(literals) => write!(f, "6 {}", List(literals)),
            Self::Heuristic { modifier, atom, bias, priority, condition } => {
                write!(f, "7 {modifier} {atom} {bias} {priority} {}", List(condition))
            }
            Self::Edge { from, to, condition } => write!(f, "8 {from} {to} {}", List(condition)),
            Self::TheoryNumber { id, number } => write!(f, "9 0 {id} {number}"),
            Self::TheoryString { id, text } => write!(f, "9 1 {id} {} {text}", text.len()),
            Self::TheoryCompound { id, name, arguments } => {
                write!(f, "9 2 {id} {name} {}", List(arguments))
            }
            Self::TheoryElement { id, terms, condition } => {
                write!(f, "9 4 {id} {} {}", List(terms), List(condition))
            }
            Self::TheoryAtom { atom, term, elements, guard: None } => {
                write!(f, "9 5 {atom} {term} {}", List(elements))
            }
            Self::TheoryAtom { atom, term, elements, guard: Some((operator, right)) } => {
                write!(f, "9 6 {atom} {term} {} {operator} {right}", List(elements))
            }
        }
    }
}
