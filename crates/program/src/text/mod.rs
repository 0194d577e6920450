//! The ground program in the input language, as `--text` prints it.
//!
//! Structured constructs are printed in place of their auxiliary atoms: `aux` as its aggregate or conditional literal.
//! Invariant: the text has the same meaning for any reader of the language. Auxiliary atoms that cannot be inlined
//! (unnamed ones of a ground format, a negated conditional literal, an aggregate inside a condition) get a name that no
//! predicate of the program has.

mod line;
pub mod theory;

use std::fmt::Write as _;
use std::io;

use crate::atom_table::{AtomId, Literal};
use crate::ground_program::{ExternalValue, Program, ShowItem, since};
use crate::rule::{Body, Head};
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::symbol::{Sym, SymView, Symbols};
use line::Text;

/// Writes programs that grow: each call writes what is new since the last one.
#[derive(Clone, Debug, Default)]
pub struct TextWriter {
    facts: usize,
    rules: usize,
    head_aggregates: usize,
    disjunctions: usize,
    minimize: usize,
    objectives: usize,
    externals: usize,
    heuristics: usize,
    edges: usize,
    shows: usize,
    show_signatures: Option<usize>,
    project: usize,
    projected_facts: usize,
    theory_atoms: usize,
    assumptions: usize,
}

/// The whole program as text.
pub fn to_text(program: &Program, symbols: &Symbols) -> String {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = TextWriter::default().write(program, symbols, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

impl TextWriter {
    /// Writes what is new in the program, which must not be lowered (or contain nothing structured). Errors if `out`
    /// does.
    pub fn write(&mut self, program: &Program, symbols: &Symbols, out: &mut dyn io::Write) -> io::Result<()> {
        let mut text = Text::new(program, symbols, out);
        for id in program.facts.ids().skip(self.facts) {
            program.facts.write(id, symbols, &mut text.line);
            text.end()?;
        }
        let new_rules = || program.rules.iter().skip(self.rules);
        let stated = |head, body| match (head, body) {
            (Head::Disjunction([atom]), Body::Normal([])) => program.atoms.get(*atom),
            _ => None,
        };
        let facts = match new_rules().any(|rule| stated(rule.head, rule.body).is_some()) {
            true => program.facts.ids().filter_map(|id| program.facts.get(id)).collect(),
            false => Set::default(),
        };
        for rule in new_rules() {
            // An atom that had a number before it became a fact.
            if stated(rule.head, rule.body).is_some_and(|atom| facts.contains(&atom)) {
                continue;
            }
            // It is implied that a theory atom may hold or not.
            let free = matches!(rule.head, Head::Choice([atom]) if text.theory_atoms.contains_key(atom));
            if !(free && matches!(rule.body, Body::Normal([]))) {
                text.rule(rule.head, rule.body)?;
            }
        }
        for rule in since(&program.head_aggregates, self.head_aggregates) {
            text.head_aggregate(rule)?;
        }
        for rule in since(&program.disjunctions, self.disjunctions) {
            for (i, element) in rule.elements.iter().enumerate() {
                let separator = if i > 0 { ";" } else { "" };
                text.line.push_str(separator);
                text.disjunct(element.head, element.condition);
            }
            text.body(program.literals(rule.body));
            text.end()?;
        }
        for element in since(&program.minimize, self.minimize) {
            text.weak_constraint(
                program.literals(element.condition),
                element.weight,
                element.priority,
                element.tuple,
            )?;
        }
        if program.minimize.is_empty() {
            text.objectives(since(&program.objectives, self.objectives))?;
        }
        for &literal in since(&program.assumptions, self.assumptions) {
            text.line.push_str(":-");
            text.literal(!literal);
            text.end()?;
        }
        for id in since(&program.theory.atoms, self.theory_atoms).iter().filter(|a| a.atom.is_none()) {
            text.theory_atom(id);
            text.end()?;
        }
        // Read again, the last statement is grounded first: the value of an atom that counts is written alone.
        let externals = since(&program.externals, self.externals);
        let last: Map<AtomId, ExternalValue> = externals.iter().copied().collect();
        let mut written: Set<AtomId> = Set::default();
        for atom in externals.iter().map(|e| e.0).filter(|&a| written.insert(a)) {
            let Some(value) = last.get(&atom) else { continue };
            text.line.push_str("#external ");
            text.atom(atom);
            text.line.push_str(match value {
                ExternalValue::False => ".",
                ExternalValue::True => ".[true]",
                ExternalValue::Free => ".[free]",
                ExternalValue::Release => ".[release]",
            });
            text.flush()?;
        }
        for heuristic in since(&program.heuristics, self.heuristics) {
            text.line.push_str("#heuristic ");
            text.atom(heuristic.atom);
            text.condition(program.literals(heuristic.condition));
            let modifier = heuristic.modifier.as_str();
            let _ = write!(text.line, ".[{}@{},{modifier}]", heuristic.bias, heuristic.priority);
            text.flush()?;
        }
        for edge in since(&program.edges, self.edges) {
            text.line.push_str("#edge(");
            symbols.write(edge.from, &mut text.line);
            text.line.push(',');
            symbols.write(edge.to, &mut text.line);
            text.line.push(')');
            text.condition(program.literals(edge.condition));
            text.end()?;
        }
        for &fact in since(&program.projected_facts, self.projected_facts) {
            text.line.push_str("#project ");
            symbols.write(fact, &mut text.line);
            text.end()?;
        }
        for &atom in since(program.project.as_deref().unwrap_or(&[]), self.project) {
            text.line.push_str("#project ");
            text.atom(atom);
            text.end()?;
        }
        self.shows(&mut text)?;
        self.facts = program.facts.len();
        self.rules = program.rules.len();
        self.head_aggregates = program.head_aggregates.len();
        self.disjunctions = program.disjunctions.len();
        self.minimize = program.minimize.len();
        self.objectives = program.objectives.len();
        self.assumptions = program.assumptions.len();
        self.theory_atoms = program.theory.atoms.len();
        self.externals = program.externals.len();
        self.heuristics = program.heuristics.len();
        self.edges = program.edges.len();
        self.projected_facts = program.projected_facts.len();
        self.project = program.project.as_ref().map_or(0, Vec::len);
        self.shows = program.shows.len();
        Ok(())
    }

    fn shows(&mut self, text: &mut Text<'_>) -> io::Result<()> {
        let (program, symbols) = (text.program, text.symbols);
        let shown_by_signature = |signature: Signature| match &program.show_signatures {
            None => true,
            Some(signatures) => signatures.contains(&signature),
        };
        let mut conditions = since(&program.shows, self.shows).iter().map(|s| program.literals(s.condition));
        let needs_helper =
            |text: &Text<'_>, literals: &[Literal]| literals.iter().any(|&l| text.needs_helper(l));
        let has_helpers = text.has_helpers || conditions.any(|c| needs_helper(text, c));
        if program.show_signatures.is_none() && has_helpers {
            // Show everything but the helpers.
            let mut signatures = Vec::new();
            for &signature in program.atoms.signatures().iter().chain(program.facts.signatures()) {
                if !signatures.contains(&signature) {
                    signatures.push(signature);
                }
            }
            if signatures.is_empty() {
                text.line.push_str("#show");
                text.end()?;
            }
            for signature in signatures {
                text.show_signature(signature)?;
            }
        }
        if let Some(signatures) = &program.show_signatures {
            if signatures.is_empty() && self.show_signatures.is_none() {
                text.line.push_str("#show");
                text.end()?;
            }
            for &signature in since(signatures, self.show_signatures.unwrap_or(0)) {
                text.show_signature(signature)?;
            }
            self.show_signatures = Some(signatures.len());
        }
        let mut facts: Set<(Signature, &[Sym])> = Set::default();
        if self.shows < program.shows.len() {
            facts.extend(program.facts.ids().filter_map(|id| program.facts.get(id)));
        }
        for show in since(&program.shows, self.shows) {
            let condition = program.literals(show.condition);
            let term = match show.item {
                // Shown by its signature, or because everything is.
                ShowItem::Atom(atom) => {
                    let Some((signature, args)) = program.atoms.get(atom) else { continue };
                    if shown_by_signature(signature) {
                        continue;
                    }
                    text.line.push_str("#show ");
                    symbols.write_atom(signature.name, args, signature.negative, &mut text.line);
                    text.condition(condition);
                    text.end()?;
                    continue;
                }
                ShowItem::Fact(term)
                | ShowItem::Term(term)
                | ShowItem::Value(term)
                | ShowItem::Digit(term) => term,
            };
            if let (SymView::Fun { name, args, negative }, true) = (symbols.view(term), condition.is_empty())
            {
                let signature = Signature { name, arity: args.len() as u32, negative };
                if shown_by_signature(signature) && facts.contains(&(signature, args)) {
                    continue;
                }
            }
            text.line.push_str("#show ");
            symbols.write(term, &mut text.line);
            text.condition(condition);
            text.end()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
