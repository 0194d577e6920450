//! Conditional literals, in bodies and in disjunctive heads.
//!
//! In a body `h : c` is the implication from `c` to `h`. Where `c` cannot depend on the rule's head it is `h or not c`.
//! Elsewhere a rule `aux <- (c -> h)` is replaced by its strongly equivalent `aux <- h`, `aux <- not c`,
//! `aux | c <- not not h` (Cabalar, Pearce, Valverde, *Reducing propositional theories in equilibrium logic to logic
//! programs*, 2005), where `c` is one atom for all conditions of a head, so that supported models are those of gringo's
//! translation. In a head the disjunct `h : c` means "`c` holds in the answer set, and `h` if `c`": its atom `d` is
//! given by `h <- c, d`, `<- d, not c`, `d <- h, c`.

use super::{Form, Lower};
use crate::atom_table::{AtomId, Literal};
use crate::ground_program::{ConditionalElement, since};
use asp_base::map::Map;

impl Lower<'_> {
    /// Rules for `aux` if all implications hold.
    pub(super) fn conjunction(&mut self, aux: AtomId, elements: &[ConditionalElement], recursive: bool) {
        let mut forms = Vec::new();
        // Heads whose conditions are open, with all of these, in order of appearance.
        let mut open: Vec<(Vec<Literal>, Vec<Vec<Literal>>)> = Vec::new();
        let mut places: Map<Vec<Literal>, usize> = Map::default();
        for e in elements {
            let same = |l: &Literal| match self.program.lowered.is_negation.get(&l.atom()) {
                Some(&first) => Literal::new(first, l.is_neg()),
                None => *l,
            };
            let head: Vec<Literal> = self.program.literals(e.head).iter().map(same).collect();
            let mut condition = self.program.literals(e.condition).to_vec();
            condition.sort_unstable();
            condition.dedup();
            if !recursive || head.is_empty() || condition.iter().all(|&l| self.depends_on_candidate(l)) {
                forms.push(self.implication(&head, &condition));
                continue;
            }
            let place = *places.entry(head).or_insert_with_key(|head| {
                open.push((head.clone(), Vec::new()));
                open.len() - 1
            });
            open[place].1.push(condition);
        }
        for (head, conditions) in open {
            if let Some(condition) = self.tuple_literal(conditions, true) {
                forms.push(self.recursive_implication(head, condition));
            }
        }
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

    fn recursive_implication(&mut self, head: Vec<Literal>, condition: Literal) -> Form {
        let consequent = self.literal(Form::Bodies(head.into_iter().map(|l| vec![l]).collect()));
        let aux = self.aux();
        self.rule(&[aux], &[consequent]);
        let not_consequent = self.not(consequent);
        let doubled = self.not(not_consequent);
        let negation = self.not(condition);
        self.rule(&[aux], &[negation]);
        self.rule(&[aux, condition.atom()], &[doubled]);
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
