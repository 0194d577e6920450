//! The linear relaxation of an objective's level: when it is computed, and how the search uses it.
//!
//! Invariant: it is computed at the root, and never while a proof is logged.

use asp_engine::relaxation::{Relaxation, Relaxed};
use asp_engine::store::literal::Lit;

use crate::call::SolveCall;
use crate::optimize::loop_cuts::loop_cuts;

/// Relaxes a level under the first assumptions, if that beats its trivial bound. `upper` is the cost of a model.
pub(crate) fn relax_level(
    call: &mut SolveCall<'_>,
    level: usize,
    assumptions: usize,
    upper: i128,
) -> Option<Relaxed> {
    let relaxation = gather(call, level, assumptions)?;
    solve(call, level, relaxation, upper)
}

/// The constraints by which a level is relaxed, as the program has them now, under the first assumptions: not under its own
/// bound, which may become weaker.
pub(crate) fn gather(call: &mut SolveCall<'_>, level: usize, assumptions: usize) -> Option<Relaxation> {
    let terms = call.terms(level);
    let engine = &mut call.t.engine;
    if !call.options.solver.optimize.relax || engine.proof.is_some() {
        return None;
    }
    engine.reset_enumeration();
    engine.return_to_root();
    Relaxation::new(engine, &terms, &call.assumptions[..assumptions])
}

/// Solves what was [gathered](gather). `upper` is the cost of a model.
pub(crate) fn solve(
    call: &mut SolveCall<'_>,
    level: usize,
    mut relaxation: Relaxation,
    upper: i128,
) -> Option<Relaxed> {
    let constant = i128::from(call.constant(level));
    call.t.engine.reset_enumeration();
    call.t.engine.return_to_root();
    let interrupt = call.interrupt.clone();
    let mut separate = |value: &dyn Fn(Lit) -> Option<f64>| {
        let mut clauses = Vec::new();
        if interrupt.poll().is_some() {
            return clauses;
        }
        call.t.with_loop_graphs(&mut |graph| clauses.extend(loop_cuts(graph, value)));
        clauses
    };
    let relaxed = relaxation.solve(upper - constant, &mut separate, &interrupt)?;
    // Consequences need models that differ from each other more than cheap ones.
    let percent = call.options.solver.optimize.relax_nodes;
    if percent > 0 && !call.wants_consequences() {
        call.t.install_relaxation(relaxation, percent);
    }
    Some(relaxed)
}

/// Lets decisions follow what a relaxation prefers.
pub(crate) fn guide(call: &mut SolveCall<'_>, relaxed: &Relaxed) {
    // Consequences need models that differ from each other more than cheap ones.
    if !call.wants_consequences() {
        for &(var, value) in relaxed.solution() {
            call.t.engine.set_phase(var, value > 0.5);
        }
    }
}
