//! Random structured programs for the tests of lowering and of the formats.

use asp_base::map::{Map, Set};
use asp_base::rng::Rng;
use asp_base::signature::Signature;
use asp_base::symbol::{Sym, Symbols};
use asp_program::ground_program::*;
use asp_program::rule::RuleSource;
use asp_program::{AtomId, Literal};

/// A random program over at most `atoms` named atoms.
pub struct Random {
    rng: Rng,
    pub symbols: Symbols,
    pub program: Program,
    atoms: Vec<AtomId>,
    /// External atoms, in no head.
    given: Vec<AtomId>,
    negations: Map<AtomId, AtomId>,
    /// Mark all definitions recursive, whether or not they are.
    all_recursive: bool,
}

impl Random {
    /// The program of a seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut symbols = Symbols::new();
        let mut program = Program::new();
        let count = 3 + rng.below(4);
        let atom = |i| {
            let name = symbols.intern(&format!("p{i}"));
            let signature = program.atoms.add_signature(Signature { name, arity: 0, negative: false });
            program.atoms.add(signature, &[])
        };
        let mut atoms: Vec<AtomId> = (0..count).map(atom).collect();
        let given = if rng.chance(0.4) {
            atoms.split_off(atoms.len() - 1 - rng.below(2) as usize)
        } else {
            Vec::new()
        };
        let all_recursive = rng.chance(0.3);
        let mut random =
            Self { rng, symbols, program, atoms, given, negations: Map::default(), all_recursive };
        for _ in 0..2 + random.rng.below(6) {
            random.statement();
        }
        for atom in random.given.clone() {
            let value = random.pick(&[ExternalValue::True, ExternalValue::False, ExternalValue::Free]);
            random.program.externals.push(atom, value);
        }
        random.mark_recursion();
        random
    }
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.below(items.len() as u64) as usize]
    }
    fn atom(&mut self) -> AtomId {
        self.pick(&self.atoms.clone())
    }
    /// A literal; double negation through an auxiliary atom.
    fn literal(&mut self) -> Literal {
        let atom = self.pick(&[&self.atoms[..], &self.given].concat());
        match self.rng.below(8) {
            0..=4 => Literal::pos(atom),
            5 | 6 => Literal::neg(atom),
            _ => {
                let aux = match self.negations.get(&atom) {
                    Some(&aux) => aux,
                    None => {
                        let aux = self.define(Definition::Negation(atom));
                        self.negations.insert(atom, aux);
                        aux
                    }
                };
                Literal::new(aux, self.rng.chance(0.7))
            }
        }
    }
    fn literals(&mut self, max: u64) -> Vec<Literal> {
        (0..self.rng.below(max + 1)).map(|_| self.literal()).collect()
    }
    fn pool(&mut self, max: u64) -> Literals {
        let literals = self.literals(max);
        self.program.push_literals(&literals)
    }
    fn define(&mut self, definition: Definition) -> AtomId {
        let atom = self.program.atoms.add_aux();
        self.program.definitions.push(Defined { atom, definition, source: RuleSource::NONE });
        atom
    }
    fn term(&mut self) -> Sym {
        match self.rng.below(12) {
            0 => Sym::INF,
            1 => Sym::SUP,
            2 => {
                let name = self.symbols.intern("c");
                self.symbols.constant(name)
            }
            n => self.symbols.num(n as i64 - 6),
        }
    }
    fn tuple(&mut self) -> Terms {
        let terms: Vec<Sym> = (0..self.pick(&[0, 1, 1, 1, 2, 2])).map(|_| self.term()).collect();
        self.program.push_terms(&terms)
    }
    fn guards(&mut self) -> Vec<Guard> {
        let count = self.pick(&[0, 1, 1, 1, 1, 2, 2]);
        (0..count)
            .map(|_| {
                let relation = self.pick(&Relation::ALL);
                Guard { relation, term: self.term() }
            })
            .collect()
    }
    fn aggregate(&mut self) -> Definition {
        let function = self.pick(&Function::ALL);
        let elements = (0..self.rng.below(5))
            .map(|_| AggregateElement { tuple: self.tuple(), condition: self.pool(2) })
            .collect();
        Definition::Aggregate { function, set: false, guards: self.guards(), elements, recursive: false }
    }
    fn conditional(&mut self) -> ConditionalElement {
        let heads = self.pick(&[0, 1, 1, 1, 1, 2]);
        let head: Vec<_> = (0..heads).map(|_| self.literal()).collect();
        ConditionalElement { head: self.program.push_literals(&head), condition: self.pool(2) }
    }
    fn body(&mut self) -> Vec<Literal> {
        let mut body = self.literals(2);
        match self.rng.below(4) {
            0 | 1 => {
                let definition = self.aggregate();
                body.push(Literal::new(self.define(definition), self.rng.chance(0.2)));
            }
            2 => {
                let elements = (0..1 + self.rng.below(2)).map(|_| self.conditional()).collect();
                let aux = self.define(Definition::Conjunction { elements, recursive: false });
                body.push(Literal::pos(aux));
            }
            _ => {}
        }
        body
    }
    fn statement(&mut self) {
        let body = self.body();
        let source = RuleSource::NONE;
        match self.rng.below(12) {
            0 => {
                self.program.rules.add(false, &[], &body, source);
            }
            1..=4 => {
                let head = [self.atom()];
                self.program.rules.add(false, &head, &body, source);
            }
            5 => {
                let head = [self.atom(), self.atom()];
                self.program.rules.add(false, &head, &body, source);
            }
            6 => {
                let head = [self.atom(), self.atom()];
                self.program.rules.add(true, &head, &body, source);
            }
            7 | 8 => {
                let function = self.pick(&Function::ALL);
                let elements = (0..self.rng.below(4))
                    .map(|_| HeadElement {
                        tuple: self.tuple(),
                        atom: if self.rng.chance(0.9) { Some(self.atom()) } else { None },
                        condition: self.pool(1),
                    })
                    .collect();
                let (guards, body) = (self.guards(), self.program.push_literals(&body));
                let rule = HeadAggregate { function, set: false, guards, elements, body, source, after: 0 };
                self.program.head_aggregates.push(rule);
            }
            9 | 10 => {
                let elements = (0..1 + self.rng.below(3))
                    .map(|_| {
                        let head = Literal::new(self.atom(), self.rng.chance(0.2));
                        ConditionalElement {
                            head: self.program.push_literals(&[head]),
                            condition: self.pool(2),
                        }
                    })
                    .collect();
                let body = self.program.push_literals(&body);
                self.program.disjunctions.push(Disjunction { elements, body, source, after: 0 });
            }
            _ => {
                let (weight, priority) = (self.rng.below(5) as i64 - 2, self.rng.below(2) as i64);
                let (tuple, condition) = (self.tuple(), self.pool(2));
                self.program.minimize.push(MinimizeElement { weight, priority, tuple, condition, source });
            }
        }
    }
    /// Sets the flags of definitions from the positive dependency graph.
    fn mark_recursion(&mut self) {
        let program = &self.program;
        let mut edges: Vec<(AtomId, AtomId)> = Vec::new();
        let positive = |from: AtomId, literals: &[Literal], edges: &mut Vec<(AtomId, AtomId)>| {
            edges.extend(literals.iter().filter(|l| !l.is_neg()).map(|l| (from, l.atom())));
        };
        for rule in program.rules.iter() {
            rule.head.atoms().iter().for_each(|&a| positive(a, rule.body.literals(), &mut edges));
        }
        for rule in &program.head_aggregates {
            for element in &rule.elements {
                if let Some(atom) = element.atom {
                    positive(atom, program.literals(element.condition), &mut edges);
                    positive(atom, program.literals(rule.body), &mut edges);
                }
            }
        }
        for rule in &program.disjunctions {
            let heads: Vec<AtomId> =
                rule.elements.iter().flat_map(|e| program.literals(e.head)).map(|l| l.atom()).collect();
            for &head in &heads {
                positive(head, program.literals(rule.body), &mut edges);
                rule.elements.iter().for_each(|e| positive(head, program.literals(e.condition), &mut edges));
            }
        }
        let mut conditions: Vec<(AtomId, AtomId)> = Vec::new();
        for defined in &program.definitions {
            match &defined.definition {
                Definition::Negation(_) => {}
                Definition::Aggregate { elements, .. } => {
                    for element in elements {
                        positive(defined.atom, program.literals(element.condition), &mut conditions);
                    }
                }
                Definition::Conjunction { elements, .. } => {
                    for element in elements {
                        positive(defined.atom, program.literals(element.head), &mut edges);
                        positive(defined.atom, program.literals(element.condition), &mut conditions);
                    }
                }
            }
        }
        edges.extend(&conditions);
        let reaches = |from: AtomId, to: AtomId| {
            let (mut seen, mut todo) = (Set::default(), vec![from]);
            while let Some(atom) = todo.pop() {
                if seen.insert(atom) {
                    todo.extend(edges.iter().filter(|e| e.0 == atom).map(|e| e.1));
                }
            }
            seen.contains(&to)
        };
        let recursive: Set<AtomId> =
            conditions.iter().filter(|&&(aux, atom)| reaches(atom, aux)).map(|e| e.0).collect();
        for defined in &mut self.program.definitions {
            if let Definition::Aggregate { recursive: flag, .. }
            | Definition::Conjunction { recursive: flag, .. } = &mut defined.definition
            {
                *flag = self.all_recursive || recursive.contains(&defined.atom);
            }
        }
    }
}
