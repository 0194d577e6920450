//! Writes programs in aspif, the intermediate format of gringo and clasp: as gringo would, in the shapes of `lower::told`, or
//! as they are solved.
//!
//! Atoms are numbered in the order of output, or atom `n` of the format is the atom of index `n - 1`. Source: Kaminski,
//! Romero, Schaub, Wanko, *How to build your own ASP-based system?!*, TPLP 2023, appendix; Gebser et al., *Theory Solving
//! Made Easy with Clingo 5*, 2016.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use super::atom_table::{AtomId, Literal};
use super::ground_program::{
    ExternalValue, HeuristicModifier, Objective, Program, ShowItem, Theory, TheoryTerm, TheoryTermId, since,
};
use super::lower::LowerError;
use super::lower::told::Teller;
use super::rule::{Body, Head, RuleRef};
use super::written::{Written, shown};
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};

/// Writes a program that may grow; each call writes one step.
#[derive(Clone, Debug)]
pub struct AspifWriter {
    incremental: bool,
    steps: usize,
    written: Written,
    /// Tells the program as gringo would; without it, the lowered program is written.
    teller: Option<Teller>,
    numbers: Numbers,
    /// The shown terms of all steps, with the conditions that are written.
    shown: Map<Sym, Vec<Vec<Literal>>>,
    /// The objective at the end of the last step, by priority, of programs that have no tuples.
    objective: BTreeMap<i64, (i64, Map<Literal, i64>)>,
    /// The show entry of the program for each output line of the last step.
    outputs: Vec<usize>,
    /// An atom that exists only in the output, true in every answer set, and the number of such atoms if there is one step.
    truth: Option<AtomId>,
    own: u32,
    /// Terms and elements of theories that are written.
    theory: [Vec<bool>; 2],
    /// How many facts are written.
    facts: usize,
}

/// An atom that exists only in the output. If there may be further steps, it is reserved in the program.
fn fresh(incremental: bool, own: &mut u32, program: &mut Program) -> AtomId {
    if incremental {
        return program.atoms.add_aux();
    }
    *own += 1;
    AtomId(program.atoms.len() as u32 + *own - 1)
}

/// The numbers of atoms.
#[derive(Clone, Debug)]
enum Numbers {
    /// One more than their indices.
    Indices,
    /// In the order of output: by index, 0 for none yet.
    Told(Vec<u32>, u32),
}

impl Numbers {
    fn of(&mut self, atom: AtomId) -> u32 {
        match self {
            Numbers::Indices => atom.0 + 1,
            Numbers::Told(numbers, count) => {
                let index = atom.0 as usize;
                if index >= numbers.len() {
                    numbers.resize(index + 1, 0);
                }
                if numbers[index] == 0 {
                    *count += 1;
                    numbers[index] = *count;
                }
                numbers[index]
            }
        }
    }
    fn signed(&mut self, literal: Literal) -> i64 {
        let number = i64::from(self.of(literal.atom()));
        if literal.is_neg() { -number } else { number }
    }
}

/// Appends a blank and a number.
fn push(number: impl itoa::Integer, line: &mut String) {
    line.push(' ');
    line.push_str(itoa::Buffer::new().format(number));
}

/// A line that is being written.
struct Line<'o> {
    text: String,
    out: &'o mut dyn io::Write,
}

impl Line<'_> {
    fn end(&mut self) -> io::Result<()> {
        self.text.push('\n');
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }
    fn atoms(&mut self, atoms: &[AtomId], numbers: &mut Numbers) {
        push(atoms.len(), &mut self.text);
        atoms.iter().for_each(|&a| push(numbers.of(a), &mut self.text));
    }
    fn literals(&mut self, literals: &[Literal], numbers: &mut Numbers) {
        push(literals.len(), &mut self.text);
        literals.iter().for_each(|&l| push(numbers.signed(l), &mut self.text));
    }
    fn rule(&mut self, rule: RuleRef<'_>, numbers: &mut Numbers) -> io::Result<()> {
        self.text.push_str(if matches!(rule.head, Head::Choice(_)) { "1 1" } else { "1 0" });
        self.atoms(rule.head.atoms(), numbers);
        match rule.body {
            Body::Normal(literals) => {
                self.text.push_str(" 0");
                self.literals(literals, numbers);
            }
            Body::Weight { bound, literals, weights } => {
                self.text.push_str(" 1");
                push(bound, &mut self.text);
                push(literals.len(), &mut self.text);
                for (&l, &w) in literals.iter().zip(weights) {
                    push(numbers.signed(l), &mut self.text);
                    push(w, &mut self.text);
                }
            }
        }
        self.end()
    }
}

/// Why a step cannot be written.
#[derive(Debug)]
pub enum WriteError {
    /// The output failed.
    Output(io::Error),
    /// A sum is too large.
    Overflow(LowerError),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Output(error) => error.fmt(f),
            Self::Overflow(error) => error.fmt(f),
        }
    }
}

impl AspifWriter {
    /// A writer; `incremental` if there may be several steps.
    pub fn new(incremental: bool) -> Self {
        Self {
            incremental,
            steps: 0,
            written: Written::default(),
            teller: Some(Teller::default()),
            numbers: Numbers::Told(Vec::new(), 0),
            shown: Map::default(),
            objective: BTreeMap::new(),
            outputs: Vec::new(),
            truth: None,
            own: 0,
            theory: Default::default(),
            facts: 0,
        }
    }

    /// A writer for lowered programs as they are solved, whose atoms keep their indices, plus one, as numbers.
    pub fn of_lowered(incremental: bool) -> Self {
        Self { teller: None, numbers: Numbers::Indices, ..Self::new(incremental) }
    }

    /// A writer for a program that may grow, whose atoms keep their indices, plus one, as numbers.
    pub fn with_indices() -> Self {
        Self { numbers: Numbers::Indices, ..Self::new(true) }
    }

    /// The program's show entry for each output line of the last step.
    pub fn outputs(&self) -> &[usize] {
        &self.outputs
    }

    /// Writes what is new in a program as a step, and adds atoms for auxiliary definitions. Fails if `out` does.
    pub fn write(
        &mut self,
        program: &mut Program,
        symbols: &Symbols,
        out: &mut dyn io::Write,
    ) -> Result<(), WriteError> {
        let told = match &mut self.teller {
            Some(teller) => Some(teller.tell(program, symbols).map_err(WriteError::Overflow)?),
            None => None,
        };
        let mut line = Line { text: String::new(), out };
        if self.steps == 0 {
            line.text.push_str(if self.incremental { "asp 1 0 0 incremental" } else { "asp 1 0 0" });
            line.end()?;
        }
        self.steps += 1;
        self.outputs.clear();
        // An external atom comes before the rules that have it.
        let mut externals: Map<AtomId, Vec<ExternalValue>> = Map::default();
        for &(atom, value) in since(&program.externals, self.written.externals) {
            externals.entry(atom).or_default().push(value);
        }
        match &told {
            Some(told) => {
                self.write_facts(program, &mut line)?;
                let mut made = told.made.iter().peekable();
                for (number, rule) in told.rules.iter().enumerate() {
                    if !externals.is_empty() {
                        for atom in rule
                            .head
                            .atoms()
                            .iter()
                            .copied()
                            .chain(rule.body.literals().iter().map(|l| l.atom()))
                        {
                            self.write_external(
                                atom,
                                externals.remove(&atom).unwrap_or_default(),
                                &mut line,
                            )?;
                        }
                    }
                    while let Some((_, atom)) = made.next_if(|m| m.0 <= number) {
                        self.number_now(*atom, &mut line)?;
                    }
                    line.rule(rule, &mut self.numbers)?;
                }
            }
            None => {
                let new = program.rules.iter().skip(self.written.rules);
                new.into_iter().try_for_each(|rule| line.rule(rule, &mut self.numbers))?;
            }
        }
        if told.is_none() || program.minimize.is_empty() {
            for Objective { priority, constant, literals } in self.new_objective(program) {
                let mut all = Vec::with_capacity(literals.len() + 1);
                if constant != 0 {
                    all.push((self.truth(program, &mut line)?, constant));
                }
                all.extend(literals);
                self.minimize(priority, &all, &mut line)?;
            }
        }
        for (priority, literals) in told.iter().flat_map(|told| &told.objectives) {
            self.minimize(*priority, literals, &mut line)?;
        }
        let numbers = &mut self.numbers;
        if let Some(atoms) = &program.project
            && (self.written.project < atoms.len() || self.written.project == 0)
        {
            let new = since(atoms, self.written.project);
            for atoms in new.chunks(1).chain(new.is_empty().then_some(new)) {
                line.text.push('3');
                line.atoms(atoms, numbers);
                line.end()?;
            }
        }
        for &(atom, _) in since(&program.externals, self.written.externals) {
            self.write_external(atom, externals.remove(&atom).unwrap_or_default(), &mut line)?;
        }
        let numbers = &mut self.numbers;
        if self.written.assumptions < program.assumptions.len() {
            line.text.push('6');
            line.literals(since(&program.assumptions, self.written.assumptions), numbers);
            line.end()?;
        }
        for heuristic in since(&program.heuristics, self.written.heuristics) {
            let (modifier, a) = (modifier_number(heuristic.modifier), numbers.of(heuristic.atom));
            let _ = write!(line.text, "7 {modifier} {a} {} {}", heuristic.bias, heuristic.priority);
            line.literals(program.literals(heuristic.condition), numbers);
            line.end()?;
        }
        for edge in since(&program.edges, self.written.edges) {
            let [from, to] = self.written.nodes(edge, symbols);
            let _ = write!(line.text, "8 {from} {to}");
            line.literals(program.literals(edge.condition), numbers);
            line.end()?;
        }
        self.theory(program, symbols, &mut line)?;
        self.write_shown(program, symbols, &mut line)?;
        line.text.push('0');
        line.end()?;
        self.written.note(program);
        Ok(())
    }

    /// Facts get numbers of their own, where numbers are given out here.
    fn write_facts(&mut self, program: &Program, line: &mut Line<'_>) -> io::Result<()> {
        let new = program.facts.len().saturating_sub(self.facts);
        self.facts = program.facts.len();
        if let Numbers::Told(_, count) = &mut self.numbers {
            for _ in 0..new {
                *count += 1;
                line.text.push_str("1 0 1");
                push(*count, &mut line.text);
                line.text.push_str(" 0 0");
                line.end()?;
            }
        }
        Ok(())
    }

    /// Gives an atom its number. Where others number atoms, a comment names them.
    fn number_now(&mut self, atom: AtomId, line: &mut Line<'_>) -> io::Result<()> {
        let number = self.numbers.of(atom);
        if let Numbers::Indices = self.numbers {
            line.text.push_str("10");
            push(number, &mut line.text);
            line.end()?;
        }
        Ok(())
    }

    fn write_external(
        &mut self,
        atom: AtomId,
        values: Vec<ExternalValue>,
        line: &mut Line<'_>,
    ) -> io::Result<()> {
        for value in values {
            let value = match value {
                ExternalValue::Free => 0,
                ExternalValue::True => 1,
                ExternalValue::False => 2,
                ExternalValue::Release => 3,
            };
            let _ = write!(line.text, "5 {} {value}", self.numbers.of(atom));
            line.end()?;
        }
        Ok(())
    }

    /// A literal that always holds.
    fn truth(&mut self, program: &mut Program, line: &mut Line<'_>) -> io::Result<Literal> {
        if let Some(teller) = &mut self.teller {
            return Ok(Literal::neg(teller.never(program)));
        }
        if let Some(truth) = self.truth {
            return Ok(Literal::pos(truth));
        }
        let truth = fresh(self.incremental, &mut self.own, program);
        self.truth = Some(truth);
        let _ = write!(line.text, "1 0 1 {} 0 0", self.numbers.of(truth));
        line.end()?;
        Ok(Literal::pos(truth))
    }

    fn minimize(
        &mut self,
        priority: i64,
        literals: &[(Literal, i64)],
        line: &mut Line<'_>,
    ) -> io::Result<()> {
        let _ = write!(line.text, "2 {priority} {}", literals.len());
        for &(l, weight) in literals {
            push(self.numbers.signed(l), &mut line.text);
            push(weight, &mut line.text);
        }
        line.end()
    }

    /// Writes what is shown.
    fn write_shown(
        &mut self,
        program: &mut Program,
        symbols: &Symbols,
        line: &mut Line<'_>,
    ) -> io::Result<()> {
        let mut text = String::new();
        let mut entries = shown(program, self.written.shows);
        // Atoms come first.
        entries.sort_by_key(|&(entry, _)| {
            !matches!(program.shows[entry].item, ShowItem::Atom(_) | ShowItem::Fact(_))
        });
        for (entry, conditions) in entries {
            let show = program.shows[entry];
            let joined = match show.item {
                ShowItem::Term(term) if !conditions.is_empty() => {
                    let Some(joined) = self.joined(term, conditions, program, line)? else { continue };
                    Some(joined)
                }
                _ => None,
            };
            text.clear();
            program.write_shown(show.item, symbols, &mut text);
            line.text.push('4');
            push(text.len(), &mut line.text);
            line.text.push(' ');
            line.text.push_str(&text);
            let condition = joined.as_deref().unwrap_or(program.literals(show.condition));
            line.literals(condition, &mut self.numbers);
            line.end()?;
            self.outputs.push(entry);
        }
        Ok(())
    }

    /// Joins the new conditions of a term into one; `None` if that leaves nothing. If the term was written in an earlier
    /// step, the condition also excludes the earlier ones. Writes the rules needed, for atoms that exist only in the
    /// output.
    fn joined(
        &mut self,
        term: Sym,
        conditions: Vec<Vec<Literal>>,
        program: &mut Program,
        line: &mut Line<'_>,
    ) -> io::Result<Option<Vec<Literal>>> {
        let Self { incremental, own, shown, numbers, teller, .. } = self;
        let before = shown.entry(term).or_default();
        let mut new: Vec<Vec<Literal>> = conditions.into_iter().filter(|c| !before.contains(c)).collect();
        if new.is_empty() || before.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        let mut any_of = |bodies: &[Vec<Literal>]| -> io::Result<Literal> {
            if let [body] = bodies
                && let [literal] = body[..]
            {
                return Ok(literal);
            }
            let aux = fresh(*incremental || teller.is_some(), own, program);
            for body in bodies {
                line.text.push_str("1 0 1");
                push(numbers.of(aux), &mut line.text);
                line.text.push_str(" 0");
                line.literals(body, numbers);
                line.end()?;
            }
            Ok(Literal::pos(aux))
        };
        if !before.is_empty() {
            let shown = any_of(before)?;
            before.extend_from_slice(&new);
            new.iter_mut().for_each(|body| body.push(!shown));
        } else if *incremental {
            before.extend_from_slice(&new);
        }
        match &new[..] {
            [_] if teller.is_none() => Ok(new.pop()),
            bodies if teller.is_none() => Ok(Some(vec![any_of(bodies)?])),
            [body] if body.is_empty() => Ok(Some(vec![self.truth(program, line)?])),
            bodies => {
                let mut literals = Vec::with_capacity(bodies.len());
                for body in bodies {
                    literals.push(vec![any_of(std::slice::from_ref(body))?]);
                }
                literals.sort_unstable();
                Ok(Some(vec![any_of(&literals)?]))
            }
        }
    }

    /// The change of the objective since the last step, least priority first.
    fn new_objective(&mut self, program: &Program) -> Vec<Objective> {
        let mut changes = Vec::new();
        for objective in program.objectives.iter().rev() {
            let known = self.objective.contains_key(&objective.priority);
            let (constant, weights) = self.objective.entry(objective.priority).or_default();
            let mut change: BTreeMap<Literal, i64> = weights.drain().map(|(l, w)| (l, -w)).collect();
            for &(l, weight) in &objective.literals {
                let entry = change.entry(l).or_default();
                *entry = entry.saturating_add(weight);
                weights.insert(l, weight);
            }
            change.retain(|_, w| *w != 0);
            let constant_change = objective.constant.saturating_sub(*constant);
            *constant = objective.constant;
            if !known || constant_change != 0 || !change.is_empty() {
                changes.push(Objective {
                    priority: objective.priority,
                    constant: constant_change,
                    literals: change.into_iter().collect(),
                });
            }
        }
        changes
    }

    fn theory(&mut self, program: &Program, symbols: &Symbols, line: &mut Line<'_>) -> io::Result<()> {
        let theory = &program.theory;
        self.theory[0].resize(theory.terms.len(), false);
        self.theory[1].resize(theory.elements.len(), false);
        let numbers = |ids: &[TheoryTermId], line: &mut String| {
            push(ids.len(), line);
            ids.iter().for_each(|id| push(id.0, line));
        };
        for a in since(&theory.atoms, self.written.theory.2) {
            self.theory_term(a.term, theory, symbols, line)?;
            for id in &a.elements {
                if std::mem::replace(&mut self.theory[1][id.0 as usize], true) {
                    continue;
                }
                let element = &theory.elements[id.0 as usize];
                for &term in &element.terms {
                    self.theory_term(term, theory, symbols, line)?;
                }
                let _ = write!(line.text, "9 4 {}", id.0);
                numbers(&element.terms, &mut line.text);
                line.literals(program.literals(element.condition), &mut self.numbers);
                line.end()?;
            }
            if let Some((operator, term)) = a.guard {
                self.theory_term(operator, theory, symbols, line)?;
                self.theory_term(term, theory, symbols, line)?;
            }
            let kind = if a.guard.is_some() { 6 } else { 5 };
            let atom = a.atom.map_or(0, |atom| self.numbers.of(atom));
            let _ = write!(line.text, "9 {kind} {atom} {} {}", a.term.0, a.elements.len());
            a.elements.iter().for_each(|id| push(id.0, &mut line.text));
            if let Some((operator, term)) = a.guard {
                let _ = write!(line.text, " {} {}", operator.0, term.0);
            }
            line.end()?;
        }
        Ok(())
    }

    /// Writes a theory term after its parts, each once.
    fn theory_term(
        &mut self,
        term: TheoryTermId,
        theory: &Theory,
        symbols: &Symbols,
        line: &mut Line<'_>,
    ) -> io::Result<()> {
        // Terms, and whether their parts are written.
        let mut open = vec![(term, false)];
        while let Some((id, has_parts)) = open.pop() {
            let (place, term) = (id.0 as usize, &theory.terms[id.0 as usize]);
            if self.theory[0][place] {
                continue;
            }
            let (name, args) = match term {
                TheoryTerm::Number(_) | TheoryTerm::Symbol(_) => (None, &[][..]),
                TheoryTerm::Function(name, args) => (Some(*name), &args[..]),
                TheoryTerm::Tuple(args) | TheoryTerm::Set(args) | TheoryTerm::List(args) => (None, &args[..]),
            };
            if !has_parts {
                open.push((id, true));
                open.extend(name.map(|name| (name, false)));
                open.extend(args.iter().rev().map(|&arg| (arg, false)));
                continue;
            }
            self.theory[0][place] = true;
            let _ = match term {
                TheoryTerm::Number(n) => write!(line.text, "9 0 {place} {n}"),
                TheoryTerm::Symbol(name) => {
                    let name = symbols.str(*name);
                    write!(line.text, "9 1 {place} {} {name}", name.len())
                }
                TheoryTerm::Function(name, _) => write!(line.text, "9 2 {place} {}", name.0),
                TheoryTerm::Tuple(_) => write!(line.text, "9 2 {place} -1"),
                TheoryTerm::Set(_) => write!(line.text, "9 2 {place} -2"),
                TheoryTerm::List(_) => write!(line.text, "9 2 {place} -3"),
            };
            if !matches!(term, TheoryTerm::Number(_) | TheoryTerm::Symbol(_)) {
                push(args.len(), &mut line.text);
                args.iter().for_each(|id| push(id.0, &mut line.text));
            }
            line.end()?;
        }
        Ok(())
    }
}

/// The number of a heuristic modifier in the format.
pub(super) fn modifier_number(modifier: HeuristicModifier) -> u8 {
    match modifier {
        HeuristicModifier::Level => 0,
        HeuristicModifier::Sign => 1,
        HeuristicModifier::Factor => 2,
        HeuristicModifier::Init => 3,
        HeuristicModifier::True => 4,
        HeuristicModifier::False => 5,
    }
}
