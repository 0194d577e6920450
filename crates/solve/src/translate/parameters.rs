//! Solver parameters for a program: defaults that depend on the problem.
//!
//! Invariant: options that are set are kept; only the others are filled in.

use crate::options::{Eliminate, OptMode, SolveOptions};
use asp_engine::parameters::{Elimination, PhaseRule, SolverParameters};
use asp_program::{Body, Head, Program};

/// Conflicts of the first stable phase with an objective. Most of the work is then the proof of optimality, which
/// focused phases shorten: knapsacks of 30 things take 42,000 conflicts instead of 74,000, schedules of 9 jobs 102,000
/// instead of 142,000 and 22,000 instead of 32,000.
const OPTIMISING_SWITCH: u64 = 1000;

/// At-most-one groups up to this size become clauses if variables may be eliminated: gates written as clauses contain
/// triangles of pairs, which are not a counting structure.
const CLAUSE_GROUP: u64 = 5;

/// The parameters of a search for answer sets of a program.
pub(super) fn of(program: &Program, options: &SolveOptions) -> SolverParameters {
    let mut p = options.solver;
    if elimination(program, options).is_some() {
        p.constraint.least_group = p.constraint.least_group.max(CLAUSE_GROUP);
    }
    if p.phase.rule == PhaseRule::Auto {
        p.phase.rule = phase_rule(program, options);
    }
    if p.phase.rule != PhaseRule::Saved {
        // Learned polarity follows no trail, and the turns of saved phases are too short for target phases to develop.
        p.phase.target = false;
        p.phase.rephase_interval = None;
    }
    if !program.objectives.is_empty() {
        p.restart.first_stable.get_or_insert(OPTIMISING_SWITCH);
        // It does not pay with an objective: 329,000 conflicts instead of 298,000 over eleven problems.
        p.heuristic.initial_activity.get_or_insert(false);
    }
    p
}

/// Which phases decisions use. With an objective that does not choose signs itself, saved phases and learned polarity
/// take turns: once nothing better is left, learned clauses mostly express what is too expensive, and saved phases lead
/// back to it; but saved phases find better models. Conflicts with saved phases, with turns and with learned polarity
/// alone: four schedules of 9 jobs 140,000, 41,000 and 36,000; rosters that end in one without cost 1,162, 1,085 and
/// 19,000; larger ones (12 nurses, 28 days) 391,000, 317,000 and no model in 640,000. Without an objective saved phases
/// are best: planning takes 7,900 conflicts, with learned polarity 12,300; colouring and random CNF are similar.
fn phase_rule(program: &Program, options: &SolveOptions) -> PhaseRule {
    let plain = program.objectives.is_empty() || options.opt_mode == OptMode::Ignore;
    let optimize = &options.solver.optimize;
    if plain || optimize.cheap_signs || optimize.follow_best { PhaseRule::Saved } else { PhaseRule::Turns }
}

/// The limits of variable elimination that apply to a program; `None`: nothing is eliminated.
pub(crate) fn elimination(program: &Program, options: &SolveOptions) -> Option<Elimination> {
    // With unconditional choices and constraints only, each variable is an atom, and no rule defines one.
    let is_clausal = || {
        program.rules.iter().all(|rule| {
            let free = rule.head.atoms().is_empty()
                || matches!(rule.head, Head::Choice(_)) && rule.body.literals().is_empty();
            free && matches!(rule.body, Body::Normal(_))
        })
    };
    match options.translate.elimination {
        Eliminate::Auto if is_clausal() => Some(Elimination::default()),
        Eliminate::Within(limits) => Some(limits),
        Eliminate::Auto | Eliminate::No => None,
    }
}
