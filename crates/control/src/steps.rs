//! Steps of a growing program: what is grounded between two solve calls.
//!
//! Invariant: an atom that a rule of one step derives gets no rules in later steps, unless the search has found its value. An
//! external atom may get rules in one step. Source: Gebser, Kaminski, Kaufmann and Schaub, *Multi-shot ASP solving with clingo*,
//! TPLP 2019: modules.

use super::{Control, Error};
use asp_base::diagnostic::Diagnostic;
use asp_base::index_vec::Idx as _;
use asp_base::map::Set;
use asp_base::span::Span;
use asp_program::defined::derived_in;
use asp_program::{AtomId, Literal, Program, RuleId};

#[derive(Debug, Default)]
pub(super) struct Steps {
    /// The number of rules at the end of the last step.
    rules: usize,
    /// By atom: whether one of the first `noted` rules derives it.
    defined: Vec<bool>,
    noted: usize,
    /// Whether atoms that may have to be shown were named since the last grounding.
    pub(super) has_named: bool,
}

impl Steps {
    /// Records the atoms that past steps derive.
    fn note(&mut self, program: &Program) {
        self.defined.resize(program.atoms.len(), false);
        for (_, atom) in derived_in(program, self.noted..self.rules) {
            self.defined[atom.0 as usize] = true;
        }
        self.noted = self.rules;
    }
}

impl Control {
    /// Drops the rules from a number on that define an atom of an earlier step again, and returns the first such atom. Pre:
    /// none of them has been lowered.
    pub fn drop_redefinitions(&mut self, from: usize) -> Option<AtomId> {
        let Self { program, steps, session, grounder, .. } = self;
        if steps.rules == 0 || session.is_conflicting() {
            return None;
        }
        steps.note(program);
        let is_again =
            |atom: AtomId| steps.defined[atom.0 as usize] && session.fixed(Literal::pos(atom)).is_none();
        let again: Vec<(RuleId, AtomId)> =
            derived_in(program, from..program.rules.len()).filter(|&(_, atom)| is_again(atom)).collect();
        let (_, first) = *again.first()?;
        let dropped: Set<RuleId> = again.iter().map(|&(rule, _)| rule).collect();
        program.rules.retain_from(from, |rule| !dropped.contains(&rule));
        for (_, atom) in again {
            if let (Some(grounder), Some((signature, args))) = (grounder.as_mut(), program.atoms.get(atom)) {
                grounder.forget_fact(signature, args);
            }
        }
        Some(first)
    }

    /// Ends the step of what has been lowered; fails if it redefines an atom of an earlier step. To be called before
    /// translation, while the search only knows values from earlier steps.
    pub fn check_step(&mut self) -> Result<(), Error> {
        let (program, steps) = (&self.program, &mut self.steps);
        let (first, end) = (steps.rules, program.rules.len());
        if first > 0 && end > first && !self.session.is_conflicting() {
            steps.note(program);
            let again = derived_in(program, first..end).find(|&(_, atom)| {
                steps.defined[atom.0 as usize] && self.session.fixed(Literal::pos(atom)).is_none()
            });
            if let Some((rule, atom)) = again {
                let mut name = String::new();
                if program.atoms.get(atom).is_some() {
                    program.atoms.write(atom, &self.symbols, &mut name);
                } else {
                    name.push_str("without a name");
                }
                let source = program.rules.get(rule).source;
                let span = program.sources.get(source.index()).copied().unwrap_or(Span::NONE);
                let message = format!("redefinition of atom {name}");
                let help = "rules of an earlier step derive it; an atom that is to get rules later is declared by `#external`";
                self.diagnostics.push(Diagnostic::error(span, message.clone()).help(help));
                return Err(Error::Ground(self.report(&message)));
            }
        }
        steps.rules = end;
        Ok(())
    }
}
