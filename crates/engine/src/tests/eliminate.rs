//! Elimination and reconstruction against brute force, on random clauses.

use crate::parameters::Elimination;
use crate::parameters::SolverParameters;
use crate::store::literal::{Lit, Var};
use crate::{Engine, Outcome};
use asp_base::index_vec::Idx;
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;

fn lit(n: i32) -> Lit {
    Lit::new(Var(n.unsigned_abs() - 1), n < 0)
}

fn engine(vars: u32, clauses: &[Vec<Lit>]) -> (Engine, bool) {
    let mut engine = Engine::new(&SolverParameters::default());
    (0..vars).for_each(|_| _ = engine.new_var());
    let ok = clauses.iter().all(|c| engine.add_clause(c));
    (engine, ok)
}

fn random_clauses(rng: &mut Rng, vars: u32, count: u32) -> Vec<Vec<Lit>> {
    let literal = |rng: &mut Rng| Lit::new(Var(rng.below(vars.into()) as u32), rng.chance(0.5));
    (0..count).map(|_| (0..1 + rng.below(4)).map(|_| literal(rng)).collect()).collect()
}

/// Assignments, as bit sets, that satisfy all clauses.
fn models(vars: u32, clauses: &[Vec<Lit>]) -> Vec<u32> {
    let holds = |m: u32, l: Lit| (m >> l.var().0 & 1 == 1) != l.is_neg();
    (0..1 << vars).filter(|&m| clauses.iter().all(|c| c.iter().any(|&l| holds(m, l)))).collect()
}

/// The engine's total assignment as a bit set.
#[track_caller]
fn model(engine: &Engine, vars: u32) -> u32 {
    (0..vars).map(|v| u32::from(engine.value(Lit::pos(Var(v))).expect("a model has all values")) << v).sum()
}

#[test]
fn a_defined_variable_goes_and_comes_back_with_its_value() {
    // 3 is "1 and 2"; 4 or 3 holds.
    let clauses =
        [vec![lit(-3), lit(1)], vec![lit(-3), lit(2)], vec![lit(3), lit(-1), lit(-2)], vec![lit(3), lit(4)]];
    let (mut e, _) = engine(4, &clauses);
    assert!(e.eliminate(&Elimination::default(), &[], |v| v == Var(2)));
    assert_eq!((e.is_eliminated(Var(2)), e.statistics().variables), (true, (4, 1)));
    assert_eq!(e.solve(&[lit(1), lit(2)], &Interrupt::new()), Outcome::Sat);
    assert_eq!(e.value(lit(3)), Some(true));
    assert_eq!(e.solve(&[lit(1), lit(-2)], &Interrupt::new()), Outcome::Sat);
    assert_eq!((e.value(lit(3)), e.value(lit(4))), (Some(false), Some(true)));
    // A clause with the variable undoes its elimination.
    assert!(e.add_clause(&[lit(3)]));
    assert!(!e.is_eliminated(Var(2)));
    assert_eq!(e.solve(&[], &Interrupt::new()), Outcome::Sat);
    assert_eq!((e.value(lit(1)), e.value(lit(2))), (Some(true), Some(true)));
}

#[test]
fn what_is_frozen_or_kept_stays() {
    let clauses = [vec![lit(1), lit(2)], vec![lit(-1), lit(3)], vec![lit(-2), lit(-3), lit(4)]];
    let (mut e, _) = engine(4, &clauses);
    e.freeze(Var(0));
    assert!(e.eliminate(&Elimination::default(), &[lit(-2)], |v| v != Var(2)));
    let gone: Vec<bool> = (0..4).map(|v| e.is_eliminated(Var(v))).collect();
    assert_eq!(gone, [false, false, false, true]);
    // Frozen later, it is needed again.
    e.freeze(Var(3));
    assert!(!e.is_eliminated(Var(3)));
}

#[test]
fn limits_hold() {
    let clauses: Vec<Vec<Lit>> =
        (2..8).flat_map(|n| [vec![lit(1), lit(n)], vec![lit(-1), lit(-n)]]).collect();
    for (limits, expected) in [
        (Elimination { occurrences: Some(5), ..Elimination::default() }, false),
        (Elimination { occurrences: None, ..Elimination::default() }, false),
        (Elimination { clauses: Some(11), ..Elimination::default() }, false),
        (Elimination { frozen: Some(50), ..Elimination::default() }, false),
    ] {
        let (mut e, _) = engine(7, &clauses);
        assert!(e.eliminate(&limits, &[], |v| v == Var(0)));
        assert_eq!(e.is_eliminated(Var(0)), expected, "{limits:?}");
    }
    let (mut e, _) = engine(7, &clauses[..4]);
    assert!(e.eliminate(&Elimination::default(), &[], |v| v == Var(0)));
    assert!(e.is_eliminated(Var(0)));
}

/// One model each: any variable may be eliminated; models are extended, assumptions and later clauses undo
/// eliminations.
#[test]
fn random_clauses_are_satisfiable_as_before() {
    let mut gone = 0;
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let vars = 3 + rng.below(8) as u32;
        let count = vars + rng.below(u64::from(vars) * 3) as u32;
        let mut clauses = random_clauses(&mut rng, vars, count);
        let (mut e, mut ok) = engine(vars, &clauses);
        for round in 0..4 {
            let what = format!("seed {seed} round {round}");
            let kept = Lit::new(Var(rng.below(vars.into()) as u32), rng.chance(0.5));
            let never = rng.below(vars.into()) as u32;
            e.reset_enumeration();
            ok = ok && e.eliminate(&Elimination::default(), &[kept], |v| v.0 != never);
            gone += u64::from(ok) * e.statistics().variables.1;
            let assumption = if rng.chance(0.5) {
                kept
            } else {
                Lit::new(Var(rng.below(vars.into()) as u32), rng.chance(0.5))
            };
            let expected = models(vars, &clauses);
            assert!(ok || expected.is_empty(), "{what}");
            let fits = |m: &&u32| (**m >> assumption.var().0 & 1 == 1) != assumption.is_neg();
            let possible = expected.iter().find(fits).is_some();
            let outcome = e.solve(&[assumption], &Interrupt::new());
            assert_eq!(outcome, if possible { Outcome::Sat } else { Outcome::Unsat }, "{what}");
            if possible {
                assert!(expected.contains(&model(&e, vars)), "{what}");
            }
            let more = random_clauses(&mut rng, vars, 1);
            ok = ok && e.add_clause(&more[0]);
            clauses.extend(more);
        }
    }
    assert!(gone > 5000, "{gone}");
}

/// All models: variables determined by the others may be eliminated, and the number of models stays the same.
#[test]
fn random_definitions_keep_the_number_of_models() {
    let mut gone = 0;
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let inputs = 4 + rng.below(4) as u32;
        let vars = inputs + 1 + rng.below(4) as u32;
        let count = inputs + rng.below(6) as u32;
        let mut clauses = random_clauses(&mut rng, vars, count);
        for own in (inputs..vars).map(|v| Lit::pos(Var(v))) {
            // A conjunction or disjunction of earlier ones.
            let flip = rng.chance(0.5);
            let mut long = vec![if flip { !own } else { own }];
            for _ in 0..2 + rng.below(2) {
                let other = Lit::new(Var(rng.below(own.var().0.into()) as u32), rng.chance(0.5));
                long.push(if flip { other } else { !other });
                clauses.push(if flip { vec![own, !other] } else { vec![!own, other] });
            }
            clauses.push(long);
        }
        let expected = models(vars, &clauses);
        let (mut e, mut ok) = engine(vars, &clauses);
        ok = ok && e.eliminate(&Elimination::default(), &[], |v| v.index() >= inputs as usize);
        gone += u64::from(ok) * e.statistics().variables.1;
        let mut found = Vec::new();
        while ok && e.solve(&[], &Interrupt::new()) == Outcome::Sat {
            found.push(model(&e, vars));
            ok = e.backtrack_model();
        }
        found.sort_unstable();
        assert_eq!(found, expected, "seed {seed}");
    }
    assert!(gone > 1000, "{gone}");
}

/// Fewer variables, fewer conflicts: two parity sums, computed in different orders, are equal.
#[test]
fn elimination_saves_conflicts() {
    let inputs = 9;
    let build = || {
        let mut parameters = SolverParameters::default();
        parameters.inprocess.interval = 0;
        let mut e = Engine::new(&parameters);
        let x: Vec<Lit> = (0..inputs).map(|_| Lit::pos(e.new_var())).collect();
        let mut xor = |a: Lit, b: Lit| {
            let o = Lit::pos(e.new_var());
            for c in [[!o, a, b], [!o, !a, !b], [o, !a, b], [o, a, !b]] {
                assert!(e.add_clause(&c));
            }
            o
        };
        let forth = x[1..].iter().fold(x[0], |s, &l| xor(s, l));
        let order: Vec<Lit> =
            x.iter().copied().step_by(2).chain(x.iter().copied().skip(1).step_by(2)).collect();
        let back = order[1..].iter().fold(order[0], |s, &l| xor(s, l));
        assert!(e.add_clause(&[forth, back]) && e.add_clause(&[!forth, !back]));
        e
    };
    let mut without = build();
    assert_eq!(without.solve(&[], &Interrupt::new()), Outcome::Unsat);
    let mut with = build();
    // Elimination alone may find the contradiction.
    let open = with.eliminate(&Elimination::default(), &[], |_| true);
    assert!(!open || with.solve(&[], &Interrupt::new()) == Outcome::Unsat);
    let (a, b) = (with.statistics().conflicts, without.statistics().conflicts);
    assert!(2 * a < b, "{a} {b}");
}
