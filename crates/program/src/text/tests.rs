//! Golden outputs for each construct.

use super::*;
use crate::AtomId;
use crate::ground_program::*;
use crate::rule::RuleSource;

struct Builder {
    symbols: Symbols,
    program: Program,
    atoms: Vec<AtomId>,
}

impl Builder {
    /// A program with the atoms `a`, `b`, `c`, `d` and the fact `f(1)`.
    fn new() -> Self {
        let (mut symbols, mut program) = (Symbols::new(), Program::new());
        let atom = |name: &str| {
            let name = symbols.intern(name);
            let signature = program.atoms.add_signature(Signature { name, arity: 0, negative: false });
            program.atoms.add(signature, &[])
        };
        let atoms = ["a", "b", "c", "d"].into_iter().map(atom).collect();
        let name = symbols.intern("f");
        let signature = program.facts.add_signature(Signature { name, arity: 1, negative: false });
        program.facts.add(signature, &[symbols.num(1)]);
        Self { symbols, program, atoms }
    }
    /// A literal: `1` is `a`, `-2` is `not b`.
    fn literal(&self, n: i32) -> Literal {
        Literal::new(self.atoms[n.unsigned_abs() as usize - 1], n < 0)
    }
    fn literals(&mut self, numbers: &[i32]) -> Literals {
        let literals: Vec<_> = numbers.iter().map(|&n| self.literal(n)).collect();
        self.program.push_literals(&literals)
    }
    fn terms(&mut self, numbers: &[i64]) -> Terms {
        let terms: Vec<_> = numbers.iter().map(|&n| self.symbols.num(n)).collect();
        self.program.push_terms(&terms)
    }
    fn guard(&mut self, relation: Relation, bound: i64) -> Guard {
        Guard { relation, term: self.symbols.num(bound) }
    }
    /// Defines an auxiliary atom; returns its number as a literal.
    fn define(&mut self, definition: Definition) -> i32 {
        let atom = self.program.atoms.add_aux();
        self.program.definitions.push(Defined { atom, definition, source: RuleSource::NONE });
        self.atoms.push(atom);
        self.atoms.len() as i32
    }
    fn rule(&mut self, choice: bool, head: &[i32], body: &[i32]) {
        let head: Vec<_> = head.iter().map(|&n| self.literal(n).atom()).collect();
        let body: Vec<_> = body.iter().map(|&n| self.literal(n)).collect();
        self.program.rules.add(choice, &head, &body, RuleSource::NONE);
    }
    #[track_caller]
    fn check(&self, expected: &str) {
        assert_eq!(to_text(&self.program, &self.symbols), expected);
    }
}

#[test]
fn rules() {
    let mut b = Builder::new();
    let negation = b.define(Definition::Negation(b.atoms[1]));
    b.rule(false, &[1], &[2, -3]);
    b.rule(true, &[1, 2], &[]);
    b.rule(false, &[1, 2], &[-negation, negation]);
    b.rule(false, &[], &[4]);
    b.rule(false, &[], &[]);
    b.check("f(1).\na:-b,not c.\n{a;b}.\na;b:-not not b,not b.\n:-d.\n:-.\n");
}

#[test]
fn aggregates_and_conditional_literals() {
    let mut b = Builder::new();
    let elements = vec![
        AggregateElement { tuple: b.terms(&[1, 2]), condition: b.literals(&[1, -2]) },
        AggregateElement { tuple: b.terms(&[3]), condition: b.literals(&[]) },
        AggregateElement { tuple: b.terms(&[]), condition: b.literals(&[]) },
    ];
    let guards = vec![b.guard(Relation::Greater, 1), b.guard(Relation::LessEqual, 5)];
    let function = Function::SumPlus;
    let sum = b.define(Definition::Aggregate { function, set: false, guards, elements, recursive: false });
    let elements = vec![
        ConditionalElement { head: b.literals(&[1]), condition: b.literals(&[2, 3]) },
        ConditionalElement { head: b.literals(&[]), condition: b.literals(&[4]) },
        ConditionalElement { head: b.literals(&[-3]), condition: b.literals(&[]) },
    ];
    let all = b.define(Definition::Conjunction { elements, recursive: false });
    b.rule(false, &[1], &[all, 2, -sum]);
    b.check("f(1).\na:-b,not 1<#sum+{1,2:a,not b;3;:}<=5,a:b,c;#false:d;not c:.\n");
}

#[test]
fn what_cannot_be_inlined_gets_a_name_that_is_not_shown() {
    let mut b = Builder::new();
    let head = b.literals(&[1, -2]);
    let elements = vec![ConditionalElement { head, condition: b.literals(&[3]) }];
    let all = b.define(Definition::Conjunction { elements, recursive: false });
    b.rule(false, &[4], &[-all]);
    let shows = "#show a/0.\n#show b/0.\n#show c/0.\n#show d/0.\n#show f/1.\n";
    b.check(&format!("f(1).\nd:-not x_4.\nx_4:-x_4_0:c.\nx_4_0:-not b.\nx_4_0:-a.\n{shows}"));
}

#[test]
fn heads_with_conditions() {
    let mut b = Builder::new();
    let (body, none) = (b.literals(&[4]), b.literals(&[]));
    let source = RuleSource::NONE;
    let element = |b: &mut Builder, n, atom, condition: &[i32]| HeadElement {
        tuple: b.terms(&[n]),
        atom,
        condition: b.literals(condition),
    };
    let (first, second) = (Some(b.atoms[0]), Some(b.atoms[1]));
    let elements = vec![element(&mut b, 1, first, &[]), element(&mut b, 2, second, &[3])];
    let guards = vec![b.guard(Relation::GreaterEqual, 1), b.guard(Relation::LessEqual, 1)];
    let function = Function::Count;
    let rule =
        HeadAggregate { function, set: true, guards: guards.clone(), elements, body, source, after: 0 };
    b.program.head_aggregates.push(rule);
    let elements = vec![element(&mut b, 7, first, &[]), element(&mut b, 8, None, &[-3])];
    let rule =
        HeadAggregate { function: Function::Max, set: false, guards, elements, body: none, source, after: 0 };
    b.program.head_aggregates.push(rule);
    let elements = vec![
        ConditionalElement { head: b.literals(&[1]), condition: b.literals(&[2, -3]) },
        ConditionalElement { head: b.literals(&[2]), condition: none },
    ];
    b.program.disjunctions.push(Disjunction { elements, body, source, after: 0 });
    b.check("f(1).\n1<={a;b:c}<=1:-d.\n1<=#max{7:a;8:#true:not c}<=1.\na:b,not c;b:-d.\n");
}

#[test]
fn directives() {
    let mut b = Builder::new();
    let (tuple, condition, none) = (b.terms(&[4, 5]), b.literals(&[1, -2]), b.literals(&[]));
    b.program.minimize.push(MinimizeElement {
        weight: -3,
        priority: 2,
        tuple,
        condition,
        source: RuleSource::NONE,
    });
    let a = b.atoms[0];
    for value in [ExternalValue::True, ExternalValue::False, ExternalValue::Release] {
        b.program.externals.push(a, value);
    }
    let modifier = HeuristicModifier::Factor;
    b.program.heuristics.push(Heuristic { atom: a, modifier, bias: -1, priority: 7, condition });
    let [one, two] = [1, 2].map(|n| b.symbols.num(n));
    b.program.edges.push(Edge { from: one, to: two, condition: none, source: RuleSource::NONE });
    b.program.project = Some(vec![a]);
    let f = b.symbols.intern("f");
    let fact = b.symbols.fun(f, &[one], false);
    let sign = Signature { name: f, arity: 1, negative: false };
    b.program.show_signatures = Some(vec![sign]);
    let show = |item, condition| Show { item, condition };
    b.program.shows = vec![
        show(ShowItem::Fact(fact), none),
        show(ShowItem::Term(two), condition),
        show(ShowItem::Atom(a), condition),
    ];
    b.check(
        "f(1).\n:~a,not b.[-3@2,4,5]\n#external a.[release]\n\
         #heuristic a:a,not b.[-1@7,factor]\n#edge(1,2).\n#project a.\n#show f/1.\n#show 2:a,not b.\n\
         #show a:a,not b.\n",
    );
}
