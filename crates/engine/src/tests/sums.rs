//! Long sums of the engine: what they cost by their length, over integers and over literals.

use crate::integer::store::Int;
use crate::parameters::SolverParameters;
use crate::store::literal::Lit;
use crate::{Engine, Outcome};
use asp_base::interrupt::Interrupt;

/// Looking at a long sum takes as long as what has changed, not as long as the sum.
#[test]
fn the_work_on_a_sum_grows_with_its_length() {
    let work = |count: i64| {
        let mut engine = Engine::new(&SolverParameters::default());
        let ints: Vec<(i64, Int)> = (0..count).map(|_| (1, engine.new_integer(0, 100))).collect();
        let negated: Vec<(i64, Int)> = ints.iter().map(|&(_, int)| (-1, int)).collect();
        engine.add_linear(None, &ints, count * 33);
        engine.add_linear(None, &negated, -count * 33);
        assert_eq!(engine.solve(&[], &Interrupt::new()), Outcome::Sat);
        engine.steps()
    };
    let (short, long) = (work(200), work(1600));
    assert!(long < 12 * short, "{short} and {long}");
}

/// Great weights are decided first, so that small ones are left for what is missing.
#[test]
fn a_sum_of_many_weights_is_met() {
    for (count, falling) in [(1000, false), (1000, true), (8000, false), (8000, true)] {
        let mut engine = Engine::new(&SolverParameters::default());
        let weight = |i: i64| if falling { count - i } else { i + 1 };
        let terms: Vec<(Lit, i64)> = (0..count).map(|i| (Lit::pos(engine.new_var()), weight(i))).collect();
        let half = count * (count + 1) / 4;
        let negated: Vec<(Lit, i64)> = terms.iter().map(|&(l, w)| (l, -w)).collect();
        engine.add_weight(None, &terms, half);
        engine.add_weight(None, &negated, -half);
        assert_eq!(engine.solve(&[], &Interrupt::new()), Outcome::Sat);
        assert!(engine.conflicts() < 5, "{} conflicts", engine.conflicts());
    }
}
