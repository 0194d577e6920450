//! Steps of a growing program: what is grounded between two solve calls.
//!
//! Invariant: an atom that a rule of one step derives gets no rules in later steps, unless the search has found its value. An
//! external atom may get rules in one step. Source: Gebser, Kaminski, Kaufmann and Schaub, *Multi-shot ASP solving with clingo*,
//! TPLP 2019: modules.

use super::{Control, Error};
use asp_base::diagnostic::Diagnostic;
use asp_base::index_vec::Idx as _;
use asp_base::span::Span;
use asp_program::Literal;
use asp_program::defined::derived_in;

#[derive(Debug, Default)]
pub(super) struct Steps {
    /// The number of rules at the end of the last step.
    rules: usize,
    /// By atom: whether one of the first `noted` rules derives it.
    defined: Vec<bool>,
    noted: usize,
    /// Whether atoms were named that may have to be shown, and nothing was grounded since.
    pub(super) has_named: bool,
}

impl Control {
    /// What has been lowered makes up a step; an error if it defines an atom of an earlier step again. To be called
    /// before translation: then the search knows values from earlier steps only.
    pub fn check_step(&mut self) -> Result<(), Error> {
        let (program, steps) = (&self.program, &mut self.steps);
        let (first, end) = (steps.rules, program.rules.len());
        if first > 0 && end > first && !self.session.is_conflicting() {
            steps.defined.resize(program.atoms.len(), false);
            for (_, atom) in derived_in(program, steps.noted..first) {
                steps.defined[atom.0 as usize] = true;
            }
            steps.noted = first;
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
