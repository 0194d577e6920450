//! Reads and writes lparse's format, which smodels, older versions of clasp and many tools read.
//!
//! Atom 1 is false in what is written. Externals use gringo's extension (`91 atom value`, `92 atom`). Source: Syrjänen,
//! *Lparse 1.0 User's Manual*, appendix on the internal format.

use std::fmt::Write as _;
use std::io;
use std::num::NonZeroI64;

use super::aspif_read::{Names, add_weight_rule};
use super::atom_table::{AtomId, Literal};
use super::ground_program::{ExternalValue, Objective, Program};
use super::rule::{Body, Head, RuleSource};
use super::scan::{Cursor, ReadError};
use super::smodels_names::Directives;
use super::written::shown;
use asp_base::map::{Map, Set};
use asp_base::symbol::{Sym, Symbols};

/// Why a program cannot be written.
#[derive(Debug)]
pub enum WriteError {
    /// The output failed.
    Io(io::Error),
    /// The format cannot express this.
    Unsupported(&'static str),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        WriteError::Io(error)
    }
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WriteError::Io(error) => error.fmt(f),
            WriteError::Unsupported(what) => write!(f, "the smodels format cannot express {what}"),
        }
    }
}

impl std::error::Error for WriteError {}

/// Number of the atom that is false.
const FALSE: u64 = 1;

fn atom(atom: AtomId) -> u64 {
    u64::from(atom.0) + 2
}

struct Writer<'a> {
    out: &'a mut dyn io::Write,
    line: String,
    next: u64,
}

/// Writes a lowered program.
pub fn write(program: &Program, symbols: &Symbols, out: &mut dyn io::Write) -> Result<(), WriteError> {
    debug_assert!(program.is_lowered());
    let unsupported = [
        (!program.theory.atoms.is_empty(), "theory atoms"),
        (program.project.is_some(), "#project directives"),
    ];
    if let Some((_, what)) = unsupported.into_iter().find(|u| u.0) {
        return Err(WriteError::Unsupported(what));
    }
    let mut writer = Writer { out, line: String::new(), next: program.atoms.len() as u64 + 2 };
    for rule in program.rules.iter() {
        writer.rule(rule.head, rule.body)?;
    }
    for objective in program.objectives.iter().rev() {
        writer.objective(objective)?;
    }
    let mut externals: Map<AtomId, ExternalValue> = Map::default();
    let mut order = Vec::new();
    for &(a, value) in &program.externals {
        if externals.insert(a, value).is_none() {
            order.push(a);
        }
    }
    for a in order {
        let line = match externals.get(&a) {
            Some(ExternalValue::Free) => format!("91 {} 2\n", atom(a)),
            Some(ExternalValue::True) => format!("91 {} 1\n", atom(a)),
            Some(ExternalValue::False) => format!("91 {} 0\n", atom(a)),
            _ => format!("92 {}\n", atom(a)),
        };
        writer.out.write_all(line.as_bytes())?;
    }
    let mut named: Set<u64> = Set::default();
    let mut table = String::new();
    for (entry, conditions) in shown(program, 0) {
        let show = program.shows[entry];
        let own = [program.literals(show.condition)];
        let bodies: Vec<&[Literal]> = conditions.iter().map(Vec::as_slice).collect();
        let number = match if bodies.is_empty() { &own[..] } else { &bodies[..] } {
            &[&[literal]] if !literal.is_neg() && named.insert(atom(literal.atom())) => atom(literal.atom()),
            bodies => {
                writer.next += 1;
                for body in bodies {
                    writer.basic(writer.next - 1, body)?;
                }
                writer.next - 1
            }
        };
        let _ = write!(table, "{number} ");
        program.write_shown(show.item, symbols, &mut table);
        table.push('\n');
    }
    writer.extensions(program, symbols, &mut named, &mut table)?;
    let mut tail = format!("0\n{table}0\nB+\n");
    for pass in [false, true] {
        if pass {
            let _ = write!(tail, "0\nB-\n{FALSE}\n");
        }
        for literal in program.assumptions.iter().filter(|l| l.is_neg() == pass) {
            let _ = writeln!(tail, "{}", atom(literal.atom()));
        }
    }
    tail.push_str("0\n1\n");
    writer.out.write_all(tail.as_bytes())?;
    Ok(())
}

impl Writer<'_> {
    /// Writes directives without rules in this format as atoms whose names clasp's `--parse-ext` understands.
    fn extensions(
        &mut self,
        program: &Program,
        symbols: &Symbols,
        named: &mut Set<u64>,
        table: &mut String,
    ) -> io::Result<()> {
        let mut shown: Map<AtomId, String> = Map::default();
        for show in &program.shows {
            if let &[literal] = program.literals(show.condition)
                && !literal.is_neg()
            {
                let mut name = String::new();
                program.write_shown(show.item, symbols, &mut name);
                shown.entry(literal.atom()).or_insert(name);
            }
        }
        for heuristic in &program.heuristics {
            let a = heuristic.atom;
            if named.insert(atom(a)) {
                let _ = writeln!(table, "{0} _atom({0})", atom(a));
            }
            let name = shown.entry(a).or_insert_with(|| format!("_atom({})", atom(a)));
            let number = self.condition(program.literals(heuristic.condition))?;
            let modifier = heuristic.modifier.as_str();
            let (bias, priority) = (heuristic.bias, heuristic.priority);
            let _ = writeln!(table, "{number} _heuristic({name},{modifier},{bias},{priority})");
        }
        let mut nodes: Map<Sym, usize> = Map::default();
        for edge in &program.edges {
            let number = self.condition(program.literals(edge.condition))?;
            let mut node = |term: Sym| {
                let next = nodes.len();
                *nodes.entry(term).or_insert(next)
            };
            let (from, to) = (node(edge.from), node(edge.to));
            let _ = writeln!(table, "{number} _edge({from},{to})");
        }
        Ok(())
    }

    /// A new atom that holds if the literals do.
    fn condition(&mut self, literals: &[Literal]) -> io::Result<u64> {
        self.next += 1;
        self.basic(self.next - 1, literals)?;
        Ok(self.next - 1)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())?;
        self.line.clear();
        Ok(())
    }

    /// Writes the number of literals and of negative ones, then the negative and the positive ones. A bound comes after
    /// the counts (`between`) or before them.
    fn literals(&mut self, literals: &[Literal], between: Option<i64>) {
        let negative = literals.iter().filter(|l| l.is_neg()).count();
        let _ = write!(self.line, " {} {negative}", literals.len());
        if let Some(bound) = between {
            let _ = write!(self.line, " {bound}");
        }
        for sign in [true, false] {
            for literal in literals.iter().filter(|l| l.is_neg() == sign) {
                let _ = write!(self.line, " {}", atom(literal.atom()));
            }
        }
    }

    fn weights(&mut self, literals: &[Literal], weights: &[i64]) {
        for sign in [true, false] {
            for (_, weight) in literals.iter().zip(weights).filter(|(l, _)| l.is_neg() == sign) {
                let _ = write!(self.line, " {weight}");
            }
        }
    }

    fn basic(&mut self, head: u64, body: &[Literal]) -> io::Result<()> {
        let _ = write!(self.line, "1 {head}");
        self.literals(body, None);
        self.flush()
    }

    fn rule(&mut self, head: Head<'_>, body: Body<'_>) -> io::Result<()> {
        let single = match head {
            Head::Disjunction([]) => Some(FALSE),
            Head::Disjunction([a]) => Some(atom(*a)),
            Head::Choice([]) => return Ok(()),
            _ => None,
        };
        let aux;
        let body = match body {
            Body::Normal(body) => body,
            Body::Weight { bound, literals, weights } => {
                let target = single.unwrap_or_else(|| {
                    self.next += 1;
                    self.next - 1
                });
                if bound <= 0 {
                    self.basic(target, &[])?;
                } else if weights.iter().all(|&w| w == 1) {
                    let _ = write!(self.line, "2 {target}");
                    self.literals(literals, Some(bound));
                    self.flush()?;
                } else {
                    let _ = write!(self.line, "5 {target} {bound}");
                    self.literals(literals, None);
                    self.weights(literals, weights);
                    self.flush()?;
                }
                if single.is_some() {
                    return Ok(());
                }
                aux = [Literal::pos(AtomId((target - 2) as u32))];
                &aux
            }
        };
        if let Some(single) = single {
            return self.basic(single, body);
        }
        let kind = if matches!(head, Head::Choice(_)) { 3 } else { 8 };
        let _ = write!(self.line, "{kind} {}", head.atoms().len());
        for &a in head.atoms() {
            let _ = write!(self.line, " {}", atom(a));
        }
        self.literals(body, None);
        self.flush()
    }

    /// Weights must be positive: a negative one moves to the complement, and costs then differ by a constant.
    fn objective(&mut self, objective: &Objective) -> Result<(), WriteError> {
        let mut constant = i128::from(objective.constant);
        let (mut literals, mut weights) = (Vec::new(), Vec::new());
        for &(literal, weight) in &objective.literals {
            if weight < 0 {
                constant += i128::from(weight);
            }
            literals.push(if weight < 0 { !literal } else { literal });
            weights.push(weight.checked_abs().ok_or(WriteError::Unsupported("a weight this large"))?);
        }
        if constant > 0 {
            self.next += 1;
            self.basic(self.next - 1, &[])?;
            literals.push(Literal::pos(AtomId((self.next - 3) as u32)));
            weights
                .push(i64::try_from(constant).map_err(|_| WriteError::Unsupported("a weight this large"))?);
        }
        self.line.push_str("6 0");
        self.literals(&literals, None);
        self.weights(&literals, &weights);
        Ok(self.flush()?)
    }
}

/// Reads a program, and makes an atom of the text true or, if its number is negative, false. Returns all numbers
/// with their atoms. With `directives`, names may stand for edges and heuristics. Several minimize statements are levels, the
/// last one most important.
pub fn read_forced(
    text: &[u8],
    forced: Option<NonZeroI64>,
    directives: bool,
    program: &mut Program,
    symbols: &mut Symbols,
) -> Result<Vec<(i64, AtomId)>, ReadError> {
    let mut reader = Reader {
        cursor: Cursor::new(text),
        names: Names::default(),
        levels: 0,
        directives: directives.then(Directives::default),
    };
    reader.read(program, symbols)?;
    if let Some(number) = forced {
        reader.names.force(number, program);
    }
    Ok(reader.names.numbers())
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    names: Names,
    levels: i64,
    /// The directives expressed by names, if requested.
    directives: Option<Directives>,
}

impl Reader<'_> {
    fn read(&mut self, program: &mut Program, symbols: &mut Symbols) -> Result<(), ReadError> {
        loop {
            self.cursor.space();
            let kind = self.cursor.integer("rule")?;
            match kind {
                0 => break,
                1 => {
                    let head = self.atom(program)?;
                    let body = self.body(program)?;
                    program.rules.add(false, &[head], &body, RuleSource::NONE);
                }
                2 | 5 => {
                    let head = self.atom(program)?;
                    let bound = if kind == 5 { self.bound()? } else { 0 };
                    let (count, negative) = self.counts()?;
                    let bound = if kind == 2 { self.bound()? } else { bound };
                    let literals = self.literals(count, negative, program)?;
                    let weights = self.weights(if kind == 5 { count } else { 0 })?;
                    let body: Vec<_> = literals
                        .into_iter()
                        .zip(weights.into_iter().chain(std::iter::repeat(1)))
                        .filter(|l| l.1 > 0)
                        .collect();
                    add_weight_rule(program, false, &[head], bound, &body);
                }
                3 | 8 => {
                    let count = self.cursor.count("number of atoms")?;
                    let mut heads = Vec::new();
                    for _ in 0..count {
                        heads.push(self.atom(program)?);
                    }
                    let body = self.body(program)?;
                    program.rules.add(kind == 3, &heads, &body, RuleSource::NONE);
                }
                6 => {
                    self.cursor.bounded("0", 0, 0)?;
                    let (count, negative) = self.counts()?;
                    let literals = self.literals(count, negative, program)?;
                    let weights = self.weights(count)?;
                    let mut sums: std::collections::BTreeMap<Literal, i64> = Default::default();
                    for (literal, weight) in literals.into_iter().zip(weights) {
                        // The sum of all weights is a 64-bit integer.
                        *sums.entry(literal).or_default() += weight;
                    }
                    let literals = sums.into_iter().filter(|l| l.1 != 0).collect();
                    let objective = Objective { priority: self.levels, constant: 0, literals };
                    program.objectives.insert(0, objective);
                    self.levels += 1;
                }
                91 => {
                    let atom = self.atom(program)?;
                    let value = match self.cursor.bounded("value", 0, 2)? {
                        0 => ExternalValue::False,
                        1 => ExternalValue::True,
                        _ => ExternalValue::Free,
                    };
                    program.externals.push(atom, value);
                }
                92 => {
                    let atom = self.atom(program)?;
                    program.externals.push(atom, ExternalValue::Release);
                }
                _ => return self.cursor.error(format!("unknown kind of rule {kind}")),
            }
            self.cursor.end_of_line()?;
        }
        self.cursor.end_of_line()?;
        loop {
            let number = self.cursor.bounded("atom", 0, (1 << 31) - 1)?;
            if number == 0 {
                self.cursor.end_of_line()?;
                break;
            }
            self.cursor.blanks();
            let Ok(name) = std::str::from_utf8(self.cursor.rest_of_line()) else {
                return self.cursor.error("the name is not UTF-8");
            };
            let atom = self.names.atom(number, program);
            self.names.show(name, &[Literal::pos(atom)], program, symbols);
            if let Some(directives) = &mut self.directives {
                directives.name(name, atom, program, symbols);
            }
        }
        if let Some(directives) = self.directives.take() {
            directives.finish(program);
        }
        self.compute("B+", false, program)?;
        self.compute("B-", true, program)?;
        self.cursor.space();
        if self.cursor.eat("E") {
            self.cursor.end_of_line()?;
            while let Some(atom) = self.listed(program)? {
                program.externals.push(atom, ExternalValue::Free);
            }
        }
        self.cursor.space();
        self.cursor.integer("number of models")?;
        if self.cursor.at_end() {
            Ok(())
        } else {
            self.cursor.error("input goes on after the number of models")
        }
    }

    /// A section of atoms that must be true, or false if `negative`.
    fn compute(&mut self, name: &str, negative: bool, program: &mut Program) -> Result<(), ReadError> {
        self.cursor.space();
        if !self.cursor.eat(name) {
            return self.cursor.error(format!("'{name}' expected"));
        }
        self.cursor.end_of_line()?;
        while let Some(atom) = self.listed(program)? {
            program.rules.add(false, &[], &[Literal::new(atom, !negative)], RuleSource::NONE);
        }
        Ok(())
    }

    fn listed(&mut self, program: &mut Program) -> Result<Option<AtomId>, ReadError> {
        let number = self.cursor.bounded("atom", 0, (1 << 31) - 1)?;
        self.cursor.end_of_line()?;
        Ok((number != 0).then(|| self.names.atom(number, program)))
    }

    fn atom(&mut self, program: &mut Program) -> Result<AtomId, ReadError> {
        let number = self.cursor.bounded("atom", 1, (1 << 31) - 1)?;
        Ok(self.names.atom(number, program))
    }

    fn bound(&mut self) -> Result<i64, ReadError> {
        self.cursor.integer("bound")
    }

    fn counts(&mut self) -> Result<(usize, usize), ReadError> {
        let count = self.cursor.count("number of literals")?;
        let negative = self.cursor.bounded("number of negative literals", 0, count as i64)?;
        Ok((count, negative as usize))
    }

    fn literals(
        &mut self,
        count: usize,
        negative: usize,
        program: &mut Program,
    ) -> Result<Vec<Literal>, ReadError> {
        (0..count).map(|i| Ok(Literal::new(self.atom(program)?, i < negative))).collect()
    }

    fn body(&mut self, program: &mut Program) -> Result<Vec<Literal>, ReadError> {
        let (count, negative) = self.counts()?;
        self.literals(count, negative, program)
    }

    fn weights(&mut self, count: usize) -> Result<Vec<i64>, ReadError> {
        let mut total = 0i64;
        let mut weights = Vec::new();
        for _ in 0..count {
            let weight = self.cursor.bounded("weight", 0, i64::MAX)?;
            match total.checked_add(weight) {
                Some(sum) => total = sum,
                None => return self.cursor.error("the weights add up to a number outside the 64-bit range"),
            }
            weights.push(weight);
        }
        Ok(weights)
    }
}
