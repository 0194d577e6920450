//! Reads DIMACS CNF, weighted CNF (both dialects), OPB and WBO as programs: variables are choices, constraints have no head.
//!
//! Variable `n` is the atom `x(n)`; results print it as solvers for these formats do. A violated soft clause or
//! constraint costs its weight. Invariant: the variables are those of the header; without one, those that occur.
//! Source: the rules of the SAT competitions and MaxSAT evaluations; Roussel and Manquinho,
//! *Input/Output Format and Solver Requirements for the Competitions of Pseudo-Boolean Solvers*, 2012.

use std::collections::BTreeMap;

use super::atom_table::{AtomId, Literal};
use super::ground_program::{Notation, Objective, Program, Show, ShowItem};
use super::rule::RuleSource;
use super::scan::{Cursor, ReadError};
use asp_base::map::Map;
use asp_base::signature::Signature;
use asp_base::symbol::Symbols;

/// Which format an input is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// DIMACS CNF.
    Cnf,
    /// Weighted CNF.
    Wcnf,
    /// DIMACS CNF, to satisfy as many clauses as possible.
    MaxSat,
    /// Pseudo-Boolean constraints.
    Opb,
}

/// The input as read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimacs {
    /// Its format.
    pub format: Format,
    /// The number and the atom of each variable, by number.
    pub variables: Vec<(i64, AtomId)>,
}

/// Whether a text looks like one of the formats: CNF starts with `c` or `p`, OPB with `*`, `min:` or a constraint.
pub fn recognize(text: &[u8]) -> Option<Format> {
    let mut cursor = Cursor::new(text);
    loop {
        cursor.space();
        match cursor.peek()? {
            b'c' => cursor.skip_line(),
            b'p' => {
                cursor.bump();
                return match cursor.word() {
                    b"cnf" => Some(Format::Cnf),
                    b"wcnf" => Some(Format::Wcnf),
                    _ => None,
                };
            }
            b'h' => return Some(Format::Wcnf),
            b'*' | b'm' | b'+' | b's' | b'[' => return Some(Format::Opb),
            _ => return None,
        }
    }
}

/// Whether a text can only be in one of the formats, since no logic program looks like that.
pub fn is_certain(text: &[u8]) -> bool {
    for line in text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii) {
        let number = |rest: &[u8]| rest.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
        match line {
            b"" | b"c" | [b'c', b' ' | b'\t', ..] => {}
            _ if line.starts_with(b"p cnf ") => return number(&line[6..]),
            _ if line.starts_with(b"p wcnf ") => return number(&line[7..]),
            [b'*', rest @ ..] => return rest.trim_ascii_start().starts_with(b"#variable"),
            _ => return line.starts_with(b"min:") || line.starts_with(b"soft:"),
        }
    }
    false
}

/// Reads a text in one of the formats.
pub fn read(
    text: &[u8],
    format: Format,
    program: &mut Program,
    symbols: &mut Symbols,
) -> Result<Dimacs, ReadError> {
    let x = symbols.intern("x");
    let signature = program.atoms.add_signature(Signature { name: x, arity: 1, negative: false });
    program.notation = if format == Format::Opb { Notation::Opb } else { Notation::Cnf };
    let cursor = Cursor::new(text);
    let mut reader = Reader { cursor, program, symbols, signature, variables: Variables::default() };
    match format {
        Format::Opb => reader.opb()?,
        Format::Cnf | Format::Wcnf | Format::MaxSat => reader.cnf(format)?,
    }
    let variables = std::mem::take(&mut reader.variables).by_number();
    for &(_, atom) in &variables {
        let condition = program.push_literals(&[Literal::pos(atom)]);
        program.shows.push(Show { item: ShowItem::Atom(atom), condition });
    }
    Ok(Dimacs { format, variables })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    program: &'a mut Program,
    symbols: &'a mut Symbols,
    signature: u32,
    variables: Variables,
}

/// The variables and their atoms.
enum Variables {
    /// A header says how many there are.
    Declared(Vec<AtomId>),
    /// Those that have occurred.
    Occurring(Map<i64, AtomId>),
}

impl Default for Variables {
    fn default() -> Self {
        Self::Occurring(Map::default())
    }
}

impl Variables {
    fn by_number(self) -> Vec<(i64, AtomId)> {
        match self {
            Self::Declared(atoms) => (1..).zip(atoms).collect(),
            Self::Occurring(atoms) => {
                let mut atoms: Vec<(i64, AtomId)> = atoms.into_iter().collect();
                atoms.sort_unstable();
                atoms
            }
        }
    }
}

/// The soft part of a WBO text.
#[derive(Default)]
struct Soft {
    /// Whether there is one.
    any: bool,
    /// The cost that must not be reached.
    top: Option<i64>,
    /// The costs of violated constraints.
    costs: Vec<(Literal, i64)>,
}

/// More variables than this are taken for a mistake.
const MAX_VARIABLES: i64 = 1 << 28;

impl Reader<'_> {
    /// The variables are those from 1 to a number, as the header says.
    fn declare(&mut self, count: i64) {
        self.variables = Variables::Declared((1..=count).map(|number| self.add_variable(number)).collect());
    }

    fn add_variable(&mut self, number: i64) -> AtomId {
        let number = self.symbols.num(number);
        let atom = self.program.atoms.add(self.signature, &[number]);
        self.program.rules.add(true, &[atom], &[], RuleSource::NONE);
        atom
    }

    fn variable(&mut self, number: i64) -> Result<AtomId, ReadError> {
        if !(1..=MAX_VARIABLES).contains(&number) {
            return self.cursor.error(format!("variable {number} is out of range"));
        }
        match &self.variables {
            Variables::Declared(atoms) => match atoms.get(number as usize - 1) {
                Some(&atom) => return Ok(atom),
                None => {
                    let why = format!("variable {number}, but the header declares {}", atoms.len());
                    return self.cursor.error(why);
                }
            },
            Variables::Occurring(atoms) => {
                if let Some(&atom) = atoms.get(&number) {
                    return Ok(atom);
                }
            }
        }
        let atom = self.add_variable(number);
        if let Variables::Occurring(atoms) = &mut self.variables {
            atoms.insert(number, atom);
        }
        Ok(atom)
    }

    fn cnf(&mut self, format: Format) -> Result<(), ReadError> {
        let weighted = format == Format::Wcnf;
        let mut top = None;
        let mut costs: BTreeMap<Literal, i64> = BTreeMap::new();
        let (mut total, mut constant) = (0i64, 0i64);
        let mut clause = Vec::new();
        let mut declared = None;
        let mut clauses = 0;
        while !self.cursor.at_end() {
            match self.cursor.peek() {
                Some(b'c') => {
                    self.cursor.skip_line();
                    continue;
                }
                Some(b'p') if declared.is_none() && clauses == 0 => {
                    self.cursor.bump();
                    self.cursor.word();
                    let variables = self.cursor.bounded("number of variables", 0, MAX_VARIABLES)?;
                    declared = Some(self.cursor.count("number of clauses")?);
                    self.cursor.blanks();
                    if weighted && self.cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
                        top = Some(self.cursor.bounded("top weight", 1, i64::MAX)?);
                    }
                    self.cursor.end_of_line()?;
                    self.declare(variables);
                    continue;
                }
                _ => {}
            }
            let weight = if format == Format::MaxSat {
                Some(1)
            } else if !weighted || self.cursor.eat("h") {
                None
            } else {
                let weight = self.cursor.bounded("weight", 0, i64::MAX)?;
                (top != Some(weight)).then_some(weight)
            };
            clause.clear();
            loop {
                if self.cursor.at_end() {
                    return self.cursor.error("the last clause does not end with 0");
                }
                let number = self.cursor.bounded("literal", -MAX_VARIABLES, MAX_VARIABLES)?;
                if number == 0 {
                    break;
                }
                // The clause is violated if all of these hold.
                clause.push(Literal::new(self.variable(number.abs())?, number > 0));
            }
            clauses += 1;
            let Some(weight) = weight else {
                self.program.rules.add(false, &[], &clause, RuleSource::NONE);
                continue;
            };
            match total.checked_add(weight) {
                Some(sum) => total = sum,
                None => return self.cursor.error("the weights add up to a number outside the 64-bit range"),
            }
            let violated = match clause[..] {
                [] => {
                    constant += weight;
                    continue;
                }
                [literal] => literal,
                _ => {
                    let aux = self.program.atoms.add_aux();
                    self.program.rules.add(false, &[aux], &clause, RuleSource::NONE);
                    Literal::pos(aux)
                }
            };
            *costs.entry(violated).or_default() += weight;
        }
        if let Some(declared) = declared.filter(|&d| d != clauses) {
            return self.cursor.error(format!("{declared} clauses announced, {clauses} found"));
        }
        if format != Format::Cnf {
            let literals = costs.into_iter().filter(|c| c.1 != 0).collect();
            self.program.objectives.push(Objective { priority: 0, constant, literals });
        }
        Ok(())
    }

    fn opb(&mut self) -> Result<(), ReadError> {
        let mut soft = Soft::default();
        while !self.cursor.at_end() {
            if self.cursor.peek() == Some(b'*') {
                self.comment()?;
            } else if self.cursor.eat("min:") {
                let literals = self.terms()?;
                if !self.cursor.eat(";") {
                    return self.cursor.error("';' expected");
                }
                self.objective(literals)?;
            } else if self.cursor.eat("soft:") {
                self.cursor.space();
                if self.cursor.peek() != Some(b';') {
                    soft.top = Some(self.cursor.bounded("top cost", 1, i64::MAX)?);
                    self.cursor.space();
                }
                if !self.cursor.eat(";") {
                    return self.cursor.error("';' expected");
                }
                soft.any = true;
            } else if self.cursor.eat("[") {
                let weight = self.cursor.bounded("weight", 1, i64::MAX)?;
                self.cursor.blanks();
                if !self.cursor.eat("]") {
                    return self.cursor.error("']' expected");
                }
                let violated = self.program.atoms.add_aux();
                self.constraint(Some(violated))?;
                soft.costs.push((Literal::pos(violated), weight));
            } else {
                self.constraint(None)?;
            }
        }
        self.soft(soft)
    }

    /// A comment; one before all constraints may declare variables.
    fn comment(&mut self) -> Result<(), ReadError> {
        self.cursor.bump();
        self.cursor.blanks();
        let is_first = matches!(&self.variables, Variables::Occurring(atoms) if atoms.is_empty());
        if is_first && self.cursor.eat("#variable=") {
            let declared = self.cursor.bounded("number of variables", 0, MAX_VARIABLES)?;
            self.declare(declared);
        }
        self.cursor.skip_line();
        Ok(())
    }

    /// Violated constraints cost their weights, together less than the top cost.
    fn soft(&mut self, soft: Soft) -> Result<(), ReadError> {
        let Soft { any, top, costs } = soft;
        let total = costs.iter().try_fold(0i64, |sum, c| sum.checked_add(c.1));
        let Some(total) = total else {
            return self.cursor.error("the weights add up to a number outside the 64-bit range");
        };
        if let Some(top) = top.filter(|&top| top <= total) {
            self.program.rules.add_weight(false, &[], top, &costs, RuleSource::NONE);
        }
        if any || !costs.is_empty() {
            self.program.objectives.push(Objective { priority: 0, constant: 0, literals: costs });
        }
        Ok(())
    }

    fn objective(&mut self, literals: Vec<(i64, Literal)>) -> Result<(), ReadError> {
        let mut sums: BTreeMap<Literal, i128> = BTreeMap::new();
        for (weight, literal) in literals {
            *sums.entry(literal).or_default() += i128::from(weight);
        }
        if sums.values().map(|w| w.unsigned_abs()).sum::<u128>() > i64::MAX as u128 {
            return self.cursor.error("the weights add up to a number outside the 64-bit range");
        }
        let literals = sums.into_iter().filter(|l| l.1 != 0).map(|(l, w)| (l, w as i64)).collect();
        self.program.objectives.push(Objective { priority: 0, constant: 0, literals });
        Ok(())
    }

    /// `w l l w l ...` up to a relation, which is left unread, or the end; products get an atom.
    fn terms(&mut self) -> Result<Vec<(i64, Literal)>, ReadError> {
        let mut terms = Vec::new();
        loop {
            self.cursor.space();
            if !matches!(self.cursor.peek(), Some(b'+' | b'-' | b'0'..=b'9')) {
                return Ok(terms);
            }
            let weight = self.cursor.integer("weight")?;
            let mut factors = Vec::new();
            loop {
                self.cursor.space();
                let negative = self.cursor.eat("~");
                if !self.cursor.eat("x") {
                    if negative || factors.is_empty() {
                        return self.cursor.error("variable expected");
                    }
                    break;
                }
                if !self.cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
                    return self.cursor.error("number of a variable expected");
                }
                let number = self.cursor.integer("variable")?;
                factors.push(Literal::new(self.variable(number)?, negative));
            }
            let literal = match factors[..] {
                [literal] => literal,
                _ => {
                    let aux = self.program.atoms.add_aux();
                    self.program.rules.add(false, &[aux], &factors, RuleSource::NONE);
                    Literal::pos(aux)
                }
            };
            terms.push((weight, literal));
        }
    }

    /// A constraint that must hold or, if it does not, makes `violated` true.
    fn constraint(&mut self, violated: Option<AtomId>) -> Result<(), ReadError> {
        let terms = self.terms()?;
        self.cursor.space();
        let relations = [">=", "<=", "="];
        let Some(relation) = relations.into_iter().find(|r| self.cursor.eat(r)) else {
            return self.cursor.error("'>=' or '=' expected");
        };
        self.cursor.space();
        let bound = i128::from(self.cursor.integer("bound")?);
        self.cursor.space();
        if !self.cursor.eat(";") {
            return self.cursor.error("';' expected");
        }
        // Violated if the sum is at most bound - 1, or at least bound + 1.
        if relation != "<=" {
            self.forbid_at_least(violated, terms.iter().map(|&(w, l)| (-i128::from(w), l)), 1 - bound)?;
        }
        if relation != ">=" {
            self.forbid_at_least(violated, terms.iter().map(|&(w, l)| (i128::from(w), l)), bound + 1)?;
        }
        Ok(())
    }

    /// The sum must not reach the bound or, if it does, makes `violated` true.
    fn forbid_at_least(
        &mut self,
        violated: Option<AtomId>,
        terms: impl Iterator<Item = (i128, Literal)>,
        mut bound: i128,
    ) -> Result<(), ReadError> {
        let head = violated.as_slice();
        // Weight by atom, of the positive literal: w*not x = w - w*x.
        let mut sums: BTreeMap<AtomId, i128> = BTreeMap::new();
        for (weight, literal) in terms {
            let sum = sums.entry(literal.atom()).or_default();
            if literal.is_neg() {
                bound -= weight;
                *sum -= weight;
            } else {
                *sum += weight;
            }
        }
        let mut body = Vec::new();
        let mut total = 0i128;
        for (atom, weight) in sums.into_iter().filter(|s| s.1 != 0) {
            if weight < 0 {
                bound -= weight;
            }
            total += weight.abs();
            body.push((Literal::new(atom, weight < 0), weight.abs()));
        }
        if bound > total {
            return Ok(());
        }
        if bound <= 0 {
            self.program.rules.add(false, head, &[], RuleSource::NONE);
            return Ok(());
        }
        body.iter_mut().for_each(|b| b.1 = b.1.min(bound));
        if body.iter().map(|b| b.1).sum::<i128>() > i128::from(i64::MAX) {
            return self.cursor.error("the weights add up to a number outside the 64-bit range");
        }
        // A bound that can be reached is no greater than the sum.
        let body: Vec<_> = body.into_iter().map(|(l, w)| (l, w as i64)).collect();
        self.program.rules.add_weight(false, head, bound as i64, &body, RuleSource::NONE);
        Ok(())
    }
}
