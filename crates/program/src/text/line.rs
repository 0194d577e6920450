//! One line of `--text`: a rule or directive with the aggregates and conditional literals that its auxiliary atoms stand
//! for, and the rules of atoms that cannot be inlined.

use std::fmt::Write as _;
use std::io;

use crate::atom_table::{AtomId, Literal};
use crate::ground_program::{Definition, Guard, HeadAggregate, Literals, Objective, Program, Terms};
use crate::rule::{Body, Head};
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::symbol::{Sym, Symbols};

/// When a helper atom holds.
#[derive(Clone, Copy)]
enum Helper {
    Definition(usize),
    Literal(Literal),
}

/// Writes a program line by line.
pub(super) struct Text<'a> {
    pub(super) program: &'a Program,
    pub(super) symbols: &'a Symbols,
    out: &'a mut dyn io::Write,
    pub(super) line: String,
    /// Rules for atoms that could not be inlined, to be written after the line.
    later: Vec<(String, Helper)>,
    definitions: Map<AtomId, usize>,
    named_definitions: Set<AtomId>,
    pub(super) theory_atoms: Map<AtomId, usize>,
    /// The beginning of the names of auxiliary atoms.
    prefix: String,
    /// Whether such a name was written.
    pub(super) has_helpers: bool,
}

impl<'a> Text<'a> {
    pub(super) fn new(program: &'a Program, symbols: &'a Symbols, out: &'a mut dyn io::Write) -> Self {
        let definitions = program.definitions.iter().enumerate().map(|(i, d)| (d.atom, i)).collect();
        let atoms = program.theory.atoms.iter().enumerate();
        let theory_atoms = atoms.filter_map(|(i, a)| Some((a.atom?, i))).collect();
        let names: Set<&str> = program
            .atoms
            .signatures()
            .iter()
            .chain(program.facts.signatures())
            .map(|s| symbols.str(s.name))
            .collect();
        let mut prefix = String::from("x_");
        while names.iter().any(|name| name.starts_with(&prefix)) {
            prefix.insert(0, '_');
        }
        Self { definitions, theory_atoms, prefix, ..Self::plain(program, symbols, out) }
    }

    /// Without the means to tell auxiliary atoms apart.
    pub(super) fn plain(program: &'a Program, symbols: &'a Symbols, out: &'a mut dyn io::Write) -> Self {
        Self {
            program,
            symbols,
            out,
            line: String::new(),
            later: Vec::new(),
            definitions: Map::default(),
            named_definitions: Set::default(),
            theory_atoms: Map::default(),
            prefix: String::new(),
            has_helpers: false,
        }
    }

    /// Ends a statement.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.line.push('.');
        self.flush()
    }

    /// Writes the line, then the rules that it needs.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())?;
        self.line.clear();
        while let Some((name, helper)) = self.later.pop() {
            let _ = write!(self.line, "{name}:-");
            match helper {
                Helper::Definition(index) => self.definition(index),
                Helper::Literal(literal) => self.literal(literal),
            }
            self.line.push_str(".\n");
            self.out.write_all(self.line.as_bytes())?;
            self.line.clear();
        }
        Ok(())
    }

    pub(super) fn show_signature(&mut self, signature: Signature) -> io::Result<()> {
        let sign = if signature.negative { "-" } else { "" };
        let name = self.symbols.str(signature.name);
        let _ = write!(self.line, "#show {sign}{name}/{}", signature.arity);
        self.end()
    }

    fn name(&mut self, atom: AtomId) {
        self.has_helpers = true;
        let _ = write!(self.line, "{}{}", self.prefix, atom.0);
    }

    pub(super) fn atom(&mut self, atom: AtomId) {
        if let Some((signature, args)) = self.program.atoms.get(atom) {
            if signature.negative && self.line.ends_with(':') {
                // `:-` is a token.
                self.line.push(' ');
            }
            self.symbols.write_atom(signature.name, args, signature.negative, &mut self.line);
        } else if let Some(&index) = self.theory_atoms.get(&atom) {
            let program = self.program;
            self.theory_atom(&program.theory.atoms[index]);
        } else {
            self.name(atom);
        }
    }

    /// A literal where aggregates and conditional literals are not allowed.
    pub(super) fn literal(&mut self, literal: Literal) {
        let (negations, atom) = self.unfold(literal);
        self.line.push_str(negations);
        let Some(&index) = self.definitions.get(&atom) else { return self.atom(atom) };
        if self.named_definitions.insert(atom) {
            let name = format!("{}{}", self.prefix, atom.0);
            self.later.push((name, Helper::Definition(index)));
        }
        self.name(atom);
    }

    /// A literal as `not`s and an atom that does not stand for a negation.
    fn unfold(&self, literal: Literal) -> (&'static str, AtomId) {
        let (mut negations, mut atom) = (usize::from(literal.is_neg()), literal.atom());
        while let Some(&index) = self.definitions.get(&atom) {
            let Definition::Negation(inner) = self.program.definitions[index].definition else { break };
            (negations, atom) = (negations + 1, inner);
        }
        // `not not not a` is `not a`.
        let text = match negations {
            0 => "",
            n if n % 2 == 0 => "not not ",
            _ => "not ",
        };
        (text, atom)
    }

    /// Whether a literal, where aggregates are not allowed, is written with the name of a helper.
    pub(super) fn needs_helper(&self, literal: Literal) -> bool {
        let (_, atom) = self.unfold(literal);
        let known = self.program.atoms.get(atom).is_some() || self.theory_atoms.contains_key(&atom);
        self.definitions.contains_key(&atom) || !known
    }

    pub(super) fn literals(&mut self, literals: &[Literal]) {
        for (i, &literal) in literals.iter().enumerate() {
            if i > 0 {
                self.line.push(',');
            }
            self.literal(literal);
        }
    }

    /// `:l1,l2`, or nothing.
    pub(super) fn condition(&mut self, literals: &[Literal]) {
        if !literals.is_empty() {
            self.line.push(':');
            self.literals(literals);
        }
    }

    fn terms(&mut self, terms: &[Sym]) {
        for (i, &term) in terms.iter().enumerate() {
            if i > 0 {
                self.line.push(',');
            }
            self.symbols.write(term, &mut self.line);
        }
    }

    /// `:-l1,l2` with aggregates in place and conditional literals last; nothing if there are no literals.
    pub(super) fn body(&mut self, literals: &[Literal]) {
        if !literals.is_empty() {
            self.line.push_str(":-");
            self.body_literals(literals);
        }
    }

    fn body_literals(&mut self, literals: &[Literal]) {
        let program = self.program;
        let mut conditional = Vec::new();
        let mut separator = "";
        for &literal in literals {
            let (negations, atom) = self.unfold(literal);
            let index = self.definitions.get(&atom).copied();
            match index.map(|i| (i, &program.definitions[i].definition)) {
                Some((index, Definition::Conjunction { .. })) if negations.is_empty() => {
                    conditional.push(index);
                    continue;
                }
                Some((index, Definition::Aggregate { .. })) => {
                    self.line.push_str(separator);
                    self.line.push_str(negations);
                    self.definition(index);
                }
                _ => {
                    self.line.push_str(separator);
                    self.literal(literal);
                }
            }
            separator = ",";
        }
        for index in conditional {
            self.line.push_str(separator);
            separator = ";";
            self.definition(index);
        }
    }

    /// The definition of an auxiliary atom.
    fn definition(&mut self, index: usize) {
        let program = self.program;
        match &program.definitions[index].definition {
            Definition::Negation(atom) => {
                self.line.push_str("not ");
                self.literal(Literal::pos(*atom));
            }
            Definition::Aggregate { function, guards, elements, .. } => {
                if guards.is_empty() {
                    self.line.push_str("#true");
                }
                for (i, pair) in guards.chunks(2).enumerate() {
                    if i > 0 {
                        self.line.push(',');
                    }
                    self.guarded(pair, |text| {
                        text.line.push_str(function.as_str());
                        text.line.push('{');
                        for (i, element) in elements.iter().enumerate() {
                            text.line.push_str(if i > 0 { ";" } else { "" });
                            text.element(element.tuple, element.condition);
                        }
                        text.line.push('}');
                    });
                }
            }
            Definition::Conjunction { elements, .. } => {
                if elements.is_empty() {
                    self.line.push_str("#true");
                }
                for (i, element) in elements.iter().enumerate() {
                    self.line.push_str(if i > 0 { ";" } else { "" });
                    match program.literals(element.head) {
                        [] => self.line.push_str("#false"),
                        [literal] => self.literal(*literal),
                        heads => {
                            let name = format!("{}{}_{i}", self.prefix, program.definitions[index].atom.0);
                            self.line.push_str(&name);
                            self.has_helpers = true;
                            self.later.extend(heads.iter().map(|&l| (name.clone(), Helper::Literal(l))));
                        }
                    }
                    self.line.push(':');
                    self.literals(program.literals(element.condition));
                }
            }
        }
    }

    fn guarded(&mut self, guards: &[Guard], inner: impl FnOnce(&mut Self)) {
        if let Some(guard) = guards.first() {
            self.symbols.write(guard.term, &mut self.line);
            self.line.push_str(guard.relation.flip().as_str());
        }
        inner(self);
        if let Some(guard) = guards.get(1) {
            self.line.push_str(guard.relation.as_str());
            self.symbols.write(guard.term, &mut self.line);
        }
    }

    fn element(&mut self, tuple: Terms, condition: Literals) {
        let terms = self.program.terms(tuple);
        self.terms(terms);
        let condition = self.program.literals(condition);
        if terms.is_empty() && condition.is_empty() {
            self.line.push(':');
        }
        self.condition(condition);
    }

    pub(super) fn rule(&mut self, head: Head<'_>, body: Body<'_>) -> io::Result<()> {
        let choice = matches!(head, Head::Choice(_));
        self.line.push_str(if choice { "{" } else { "" });
        for (i, &atom) in head.atoms().iter().enumerate() {
            self.line.push_str(if i > 0 { ";" } else { "" });
            self.atom(atom);
        }
        self.line.push_str(if choice { "}" } else { "" });
        match body {
            Body::Normal([]) if self.line.is_empty() => self.line.push_str(":-"),
            Body::Normal(literals) => self.body(literals),
            Body::Weight { bound, literals, weights } => {
                let _ = write!(self.line, ":-{bound}<=#sum{{");
                for (i, (&literal, weight)) in literals.iter().zip(weights).enumerate() {
                    let separator = if i > 0 { ";" } else { "" };
                    let _ = write!(self.line, "{separator}{weight},{i}:");
                    self.literal(literal);
                }
                self.line.push('}');
            }
        }
        self.end()
    }

    pub(super) fn head_aggregate(&mut self, rule: &HeadAggregate) -> io::Result<()> {
        let program = self.program;
        let set = rule.set && rule.elements.iter().all(|e| e.atom.is_some());
        let guards: Vec<&[Guard]> = match &rule.guards[..] {
            [] => vec![&[]],
            guards => guards.chunks(2).collect(),
        };
        for pair in guards {
            self.guarded(pair, |text| {
                text.line.push_str(if set { "" } else { rule.function.as_str() });
                text.line.push('{');
                for (i, element) in rule.elements.iter().enumerate() {
                    text.line.push_str(if i > 0 { ";" } else { "" });
                    if !set {
                        text.terms(program.terms(element.tuple));
                        text.line.push(':');
                    }
                    match element.atom {
                        Some(atom) => text.atom(atom),
                        None => text.line.push_str("#true"),
                    }
                    text.condition(program.literals(element.condition));
                }
                text.line.push('}');
            });
            self.body(program.literals(rule.body));
            self.end()?;
        }
        Ok(())
    }

    pub(super) fn disjunct(&mut self, head: Literals, condition: Literals) {
        let program = self.program;
        if program.literals(head).is_empty() {
            self.line.push_str("#false");
        }
        for (i, &literal) in program.literals(head).iter().enumerate() {
            self.line.push_str(if i > 0 { ";" } else { "" });
            self.literal(literal);
            self.condition(program.literals(condition));
        }
    }

    pub(super) fn weak_constraint(
        &mut self,
        condition: &[Literal],
        weight: i64,
        priority: i64,
        tuple: Terms,
    ) -> io::Result<()> {
        self.line.push_str(":~");
        self.literals(condition);
        let _ = write!(self.line, ".[{weight}@{priority}");
        for &term in self.program.terms(tuple) {
            self.line.push(',');
            self.symbols.write(term, &mut self.line);
        }
        self.line.push(']');
        self.flush()
    }

    /// Objectives that do not come from tuples.
    pub(super) fn objectives(&mut self, objectives: &[Objective]) -> io::Result<()> {
        for objective in objectives {
            if objective.constant != 0 || objective.literals.is_empty() {
                let _ = write!(self.line, ":~.[{}@{}]", objective.constant, objective.priority);
                self.flush()?;
            }
            for (i, &(literal, weight)) in objective.literals.iter().enumerate() {
                self.line.push_str(":~");
                self.literal(literal);
                let _ = write!(self.line, ".[{weight}@{},{i}]", objective.priority);
                self.flush()?;
            }
        }
        Ok(())
    }
}
