//! Conditional literals in bodies: `h : c` holds if `h` does for each instance of `c` that holds.
//!
//! Invariant: instances whose head is certain vanish; one with a certain condition and a single head literal becomes
//! that literal; one with a certain condition and an impossible head drops the rule's instance. For what remains one
//! auxiliary atom stands.

use super::aggregate::uncertain;
use super::compile::CompiledRule;
use super::instantiate::{Halt, Instantiator};
use crate::program::Literal;
use crate::program::ground_program::{ConditionalElement, Defined, Definition};

impl Instantiator<'_> {
    /// Runs a conditional literal; whether the rule's instance may still hold.
    pub(super) fn check_conditional(&mut self, rule: &CompiledRule, number: usize) -> Result<bool, Halt> {
        let conditional = &rule.conditionals[number];
        let height = self.literals.len();
        let mut direct: Vec<Literal> = Vec::new();
        let mut elements: Vec<ConditionalElement> = Vec::new();
        let mut impossible = false;
        self.run(rule, &conditional.condition, &mut |this| {
            if impossible {
                return Ok(());
            }
            let end = this.literals.len();
            let (mut heads, mut certain) = (Vec::new(), false);
            for steps in &conditional.heads {
                this.run(rule, steps, &mut |this| {
                    match &this.literals[end..] {
                        [] => certain = true,
                        [one] => heads.push(*one),
                        // Only one literal of an alternative is an atom; the others have become ranges and equations.
                        many => heads.extend(many.last()),
                    }
                    Ok(())
                })?;
            }
            if certain {
                return Ok(());
            }
            heads.sort_unstable();
            heads.dedup();
            let condition = &this.literals[height..end];
            match (&heads[..], condition) {
                ([], []) => impossible = true,
                ([one], []) => direct.push(*one),
                _ if this.deriving => direct.push(uncertain()),
                _ => {
                    let condition = this.program.push_literals(condition);
                    let head = this.program.push_literals(&heads);
                    elements.push(ConditionalElement { head, condition });
                }
            }
            Ok(())
        })?;
        if impossible {
            return Ok(false);
        }
        if self.deriving {
            if !direct.is_empty() || conditional.recursive {
                self.literals.push(uncertain());
            }
            return Ok(true);
        }
        self.literals.append(&mut direct);
        if !elements.is_empty() {
            let atom = self.program.atoms.add_aux();
            let definition = Definition::Conjunction { elements, recursive: conditional.recursive };
            self.program.definitions.push(Defined { atom, definition, source: self.source });
            self.literals.push(Literal::pos(atom));
        }
        Ok(true)
    }
}
