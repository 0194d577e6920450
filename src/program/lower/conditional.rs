//! Conditional literals, in bodies and in disjunctive heads.
//!
//! In a body `h : c` is the implication from `c` to `h`. Where `c` cannot depend on the rule's head it is `h or not c`.
//! Elsewhere a rule `aux <- (c -> h)` is replaced by its strongly equivalent `aux <- h`, `aux <- not c`,
//! `aux | c <- not not h` (Cabalar, Pearce, Valverde, *Reducing propositional theories in equilibrium logic to logic
//! programs*, 2005). In a head the disjunct `h : c` means "`c` holds in the answer set, and `h` if `c`": its atom `d` is
//! given by `h <- c, d`, `<- d, not c`, `d <- h, c`.

use super::{Form, Lower};
use crate::program::atom_table::{AtomId, Literal};
use crate::program::ground_program::{ConditionalElement, since};

impl Lower<'_> {
    /// Rules for `aux` if all implications hold.
    pub(super) fn conjunction(&mut self, aux: AtomId, elements: &[ConditionalElement], recursive: bool) {
        let forms = elements.iter().map(|e| {
            let head = self.program.literals(e.head).to_vec();
            let mut condition = self.program.literals(e.condition).to_vec();
            condition.sort_unstable();
            condition.dedup();
            let settled =
                !recursive || head.is_empty() || condition.iter().all(|&l| self.depends_on_candidate(l));
            if settled {
                self.implication(&head, &condition)
            } else {
                self.recursive_implication(head, &condition)
            }
        });
        let forms = forms.collect();
        let form = self.all(forms);
        self.define(&[aux], &form);
    }

    fn implication(&mut self, head: &[Literal], condition: &[Literal]) -> Form {
        if head.is_empty() {
            return self.negated(Form::conjunction(condition.to_vec()));
        }
        let bodies =
            head.iter().copied().map(|l| vec![l]).chain(condition.iter().map(|&l| vec![self.not(l)]));
        Form::Bodies(bodies.collect())
    }

    fn recursive_implication(&mut self, head: Vec<Literal>, condition: &[Literal]) -> Form {
        let consequent = self.literal(Form::Bodies(head.into_iter().map(|l| vec![l]).collect()));
        let aux = self.aux();
        self.rule(&[aux], &[consequent]);
        let not_consequent = self.not(consequent);
        let doubled = self.not(not_consequent);
        for &literal in condition {
            let negation = self.not(literal);
            self.rule(&[aux], &[negation]);
            if !self.depends_on_candidate(literal) {
                self.rule(&[aux, literal.atom()], &[doubled]);
            }
        }
        Form::conjunction(vec![Literal::pos(aux)])
    }

    /// Rules with disjunctive heads that have conditions.
    pub(super) fn disjunctions(&mut self) {
        let disjunctions = std::mem::take(&mut self.program.disjunctions);
        for rule in since(&disjunctions, self.program.lowered.disjunctions) {
            self.source = rule.source;
            let mut head = Vec::new();
            let mut body = self.program.literals(rule.body).to_vec();
            let atoms = rule.elements.iter().flat_map(|e| self.program.literals(e.head).to_vec());
            let atoms: Vec<AtomId> = atoms.filter(|l| !l.is_neg()).map(|l| l.atom()).collect();
            self.keep_support(atoms.into_iter(), &mut body);
            for element in &rule.elements {
                let condition = self.program.literals(element.condition).to_vec();
                for literal in self.program.literals(element.head).to_vec() {
                    match (literal.is_neg(), condition.is_empty()) {
                        (false, true) => head.push(literal.atom()),
                        (false, false) => head.push(self.disjunct(literal.atom(), &condition)),
                        (true, true) => {
                            let double = self.not(literal);
                            body.push(double);
                        }
                        (true, false) => {
                            let mut holds = condition.clone();
                            holds.push(literal);
                            let holds = self.literal(Form::conjunction(holds));
                            let fails = self.not(holds);
                            body.push(fails);
                        }
                    }
                }
            }
            head.sort_unstable();
            head.dedup();
            self.rule(&head, &body);
        }
        self.program.lowered.disjunctions = disjunctions.len();
        self.program.disjunctions = disjunctions;
    }

    fn disjunct(&mut self, atom: AtomId, condition: &[Literal]) -> AtomId {
        let condition = self.literal(Form::conjunction(condition.to_vec()));
        let (aux, not_condition) = (self.aux(), self.not(condition));
        self.rule(&[atom], &[condition, Literal::pos(aux)]);
        self.rule(&[], &[Literal::pos(aux), not_condition]);
        self.rule(&[aux], &[Literal::pos(atom), condition]);
        aux
    }
}
