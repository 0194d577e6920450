//! Conditional literals in bodies, and disjunctions with conditions.

use super::super::LowerError;
use super::Telling;
use crate::atom_table::{AtomId, Literal};
use crate::ground_program::ConditionalElement;

impl Telling<'_, '_> {
    /// A literal for a conditional literal that is not recursive: each head, or its condition fails.
    pub(super) fn conjunction(&mut self, elements: &[ConditionalElement]) -> Result<Literal, LowerError> {
        let mut all = Vec::with_capacity(elements.len());
        for element in elements {
            let heads = self.lower.program.literals(element.head).to_vec();
            let condition = self.lower.program.literals(element.condition).to_vec();
            if condition.is_empty() && heads.len() == 1 {
                all.push(self.literal(heads[0])?);
                continue;
            }
            let holds = self.aux();
            if !heads.is_empty() {
                let heads = self.literals(&heads)?;
                let any = self.aux();
                heads.iter().for_each(|&h| self.lower.rule(&[any], &[h]));
                self.lower.rule(&[holds], &[Literal::pos(any)]);
            }
            if !condition.is_empty() {
                let condition = self.literals(&condition)?;
                let condition = self.all(condition);
                let fails = self.not(condition);
                self.lower.rule(&[holds], &[fails]);
            }
            all.push(Literal::pos(holds));
        }
        Ok(match all[..] {
            [one] => one,
            _ => self.all(all),
        })
    }

    /// A disjunction: a disjunct with a condition becomes an atom that holds with the disjunct if the condition does, and
    /// never without it.
    pub(super) fn disjunction(&mut self, number: usize, body: AtomId) -> Result<(), LowerError> {
        let elements = self.lower.program.disjunctions[number].elements.clone();
        self.lower.source = self.lower.program.disjunctions[number].source;
        let (mut head, mut body) = (Vec::new(), vec![Literal::pos(body)]);
        for element in elements {
            let condition = self.lower.program.literals(element.condition).to_vec();
            for literal in self.lower.program.literals(element.head).to_vec() {
                if condition.is_empty() {
                    if literal.is_neg() {
                        let literal = self.literal(literal)?;
                        body.push(self.not(literal));
                    } else {
                        head.push(literal.atom());
                    }
                    continue;
                }
                let condition = self.literals(&condition)?;
                let condition = self.all(condition);
                let literal = self.literal(literal)?;
                let disjunct = self.aux();
                let own = Literal::pos(disjunct);
                self.lower.rule(&[disjunct], &[literal, condition]);
                if literal.is_neg() {
                    let fails = self.not(literal);
                    self.lower.rule(&[], &[condition, own, fails]);
                } else {
                    self.lower.rule(&[literal.atom()], &[condition, own]);
                }
                let fails = self.not(condition);
                self.lower.rule(&[], &[fails, own]);
                head.push(disjunct);
            }
        }
        self.lower.rule(&head, &body);
        Ok(())
    }
}
