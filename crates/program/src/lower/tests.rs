//! What single constructs are lowered to, as text.

use super::*;
use crate::ground_program::*;
use crate::text::to_text;

/// A copy without its structured constructs.
fn plain(program: &Program) -> Program {
    let mut plain = program.clone();
    plain.definitions.clear();
    plain.head_aggregates.clear();
    plain.disjunctions.clear();
    plain.minimize.clear();
    plain
}

/// The lowered form of a single aggregate `x0 :- guards { tuples }` over atoms `a0..`, as text.
#[track_caller]
fn check(
    function: Function,
    elements: &[(i64, &[i32])],
    guards: &[(Relation, i64)],
    recursive: bool,
    expected: &str,
) {
    let (mut symbols, mut program) = (Symbols::new(), Program::new());
    let atoms: Vec<AtomId> = (0..4)
        .map(|i| {
            let name = symbols.intern(&format!("a{i}"));
            let signature = asp_base::signature::Signature { name, arity: 0, negative: false };
            let signature = program.atoms.add_signature(signature);
            program.atoms.add(signature, &[])
        })
        .collect();
    let aux = program.atoms.add_aux();
    let elements = elements
        .iter()
        .enumerate()
        .map(|(i, (weight, condition))| {
            let tuple = [symbols.num(*weight), symbols.num(i as i64)];
            let literals: Vec<_> = condition
                .iter()
                .map(|&l| Literal::new(atoms[l.unsigned_abs() as usize - 1], l < 0))
                .collect();
            AggregateElement {
                tuple: program.push_terms(&tuple),
                condition: program.push_literals(&literals),
            }
        })
        .collect();
    let guards =
        guards.iter().map(|&(relation, bound)| Guard { relation, term: symbols.num(bound) }).collect();
    let definition = Definition::Aggregate { function, set: false, guards, elements, recursive };
    program.definitions.push(Defined { atom: aux, definition, source: RuleSource(7) });
    match lower(&mut program, &symbols) {
        Ok(()) => {
            let text = to_text(&plain(&program), &symbols);
            let rules: String = text.split_inclusive('\n').filter(|l| !l.starts_with("#show")).collect();
            assert_eq!(rules, expected);
        }
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[test]
fn aggregates_become_what_an_expert_would_write() {
    use Function::*;
    use Relation::*;
    let three: &[(i64, &[i32])] = &[(1, &[1]), (1, &[2]), (1, &[3])];
    check(Count, three, &[(GreaterEqual, 2)], false, "x_4:-2<=#sum{1,0:a0;1,1:a1;1,2:a2}.\n");
    check(Count, three, &[(GreaterEqual, 1)], false, "x_4:-a0.\nx_4:-a1.\nx_4:-a2.\n");
    check(Count, three, &[(Greater, 2)], false, "x_4:-a0,a1,a2.\n");
    check(Count, three, &[(GreaterEqual, 0)], false, "x_4.\n");
    check(Count, three, &[(Greater, 3)], false, "");
    check(Count, three, &[(LessEqual, 0)], true, "x_4:-not a0,not a1,not a2.\n");
    check(Count, three, &[(Less, 2)], true, "x_5:-2<=#sum{1,0:a0;1,1:a1;1,2:a2}.\nx_4:-not x_5.\n");
    let gap = "x_5:-2<=#sum{1,0:a0;1,1:a1;1,2:a2}.\nx_4:-not x_5.\nx_4:-a0,a1,a2.\n";
    check(Count, three, &[(NotEqual, 2)], false, gap);
    let weights: &[(i64, &[i32])] = &[(4, &[1]), (6, &[2]), (50, &[3])];
    check(Sum, weights, &[(GreaterEqual, 9)], false, "x_4:-5<=#sum{2,0:a0;3,1:a1;5,2:a2}.\n");
    let negative: &[(i64, &[i32])] = &[(-1, &[1]), (1, &[2])];
    check(Sum, negative, &[(GreaterEqual, 0)], false, "x_4:-not a0.\nx_4:-a1.\n");
    let pair: &[(i64, &[i32])] = &[(3, &[1, -2]), (5, &[])];
    check(Max, pair, &[(GreaterEqual, 5)], false, "x_4.\n");
    check(Min, pair, &[(Less, 5)], false, "x_5:-a0,not a1.\nx_4:-x_5.\n");
}

#[test]
fn sums_past_64_bits_are_errors_or_exact() {
    use Relation::*;
    let big: &[(i64, &[i32])] = &[(i64::MAX, &[1]), (i64::MAX - 1, &[2]), (i64::MAX - 2, &[3])];
    // Limited to the bound, the weights are small.
    check(Function::Sum, big, &[(GreaterEqual, 3)], false, "x_4:-a0.\nx_4:-a1.\nx_4:-a2.\n");
    let half: &[(i64, &[i32])] = &[(i64::MAX, &[1]), (i64::MAX - 1, &[2]), (i64::MAX, &[3])];
    let expected = "x_4:-2<=#sum{2,0:a0;1,1:a1;2,2:a2}.\n";
    check(Function::Sum, half, &[(GreaterEqual, i64::MAX)], false, expected);
    let error = LowerError::SumOverflow { source: RuleSource(7) }.to_string();
    check(Function::Sum, big, &[(GreaterEqual, i64::MAX)], false, &error);
}

#[test]
fn the_objective_is_exact() {
    let (mut program, symbols) = (Program::new(), Symbols::new());
    for (i, weight) in [i64::MAX, i64::MAX].into_iter().enumerate() {
        let atom = program.atoms.add_aux();
        let condition = program.push_literals(&[Literal::pos(atom)]);
        let tuple = program.push_terms(&[asp_base::symbol::Sym::from_raw(i as u32 * 2)]);
        program.minimize.push(MinimizeElement {
            weight,
            priority: 3,
            tuple,
            condition,
            source: RuleSource::NONE,
        });
    }
    assert_eq!(lower(&mut program, &symbols), Err(LowerError::ObjectiveOverflow { priority: 3 }));
}
