//! `#heuristic` directives as modifications of decisions: unconditional ones are set once, the others are left to the
//! propagator.
//!
//! Invariant: later directives override earlier ones of the same priority, so those implied by options come first.

use crate::options::{DomainDefault, SolveOptions};
use crate::propagator::domain_heuristic::{DomainHeuristic, Effect, Modification};
use crate::translate::atom_lits::{AtomLits, conjunction};
use asp_base::map::Map;
use asp_engine::Engine;
use asp_engine::store::literal::{Lit, Var};
use asp_program::ground_program::{Heuristic, HeuristicModifier, Literals, ShowItem};
use asp_program::{AtomId, Literal, Program};

/// The directives in force: those implied by options, then those of the program, which override them.
pub(crate) fn directives(program: &Program, options: &SolveOptions) -> Vec<Heuristic> {
    if !options.domain_heuristic {
        return Vec::new();
    }
    let mut atoms: Vec<AtomId> = Vec::new();
    if let Some(default) = options.domain_default {
        if default.all {
            atoms.extend(program.atoms.ids());
        }
        if default.shown {
            atoms.extend(program.shows.iter().filter_map(|s| match s.item {
                ShowItem::Atom(atom) => Some(atom),
                _ => None,
            }));
        }
        if default.objective {
            atoms.extend(program.objectives.iter().flat_map(|o| o.literals.iter().map(|(l, _)| l.atom())));
        }
        atoms.sort_unstable();
        atoms.dedup();
    }
    let implied = |(atom, default): (AtomId, DomainDefault)| Heuristic {
        atom,
        modifier: default.modifier,
        bias: default.bias,
        priority: 0,
        condition: Literals::default(),
    };
    let all = atoms.into_iter().zip(options.domain_default.into_iter().cycle());
    all.map(implied).chain(program.heuristics.iter().copied()).collect()
}

/// The effects of `true` and `false` directives, each with its condition.
pub(crate) fn preferences(
    program: &Program,
    options: &SolveOptions,
    lit: impl Fn(Literal) -> Lit,
) -> Vec<(Lit, Vec<Lit>)> {
    let wanted = |h: &Heuristic| match h.modifier {
        HeuristicModifier::True => Some(lit(Literal::pos(h.atom))),
        HeuristicModifier::False => Some(!lit(Literal::pos(h.atom))),
        _ => None,
    };
    let condition = |h: &Heuristic| program.literals(h.condition).iter().map(|&l| lit(l)).collect();
    directives(program, options).iter().filter_map(|h| Some((wanted(h)?, condition(h)))).collect()
}

/// Installs the directives of a program.
pub(crate) fn install(program: &Program, options: &SolveOptions, atoms: &AtomLits, engine: &mut Engine) {
    let mut all: Vec<(Var, Vec<Modification>)> = Vec::new();
    let mut initial = Vec::new();
    let mut position: Map<u32, usize> = Map::default();
    for h in &directives(program, options) {
        let lit = atoms.of(Literal::pos(h.atom));
        if lit.var() == atoms.truth.var() {
            continue;
        }
        let mut condition: Vec<Lit> = program.literals(h.condition).iter().map(|&l| atoms.of(l)).collect();
        let condition = conjunction(engine, atoms.truth, &mut condition);
        if condition == !atoms.truth {
            continue;
        }
        let at = *position.entry(lit.var().0).or_insert_with(|| {
            all.push((lit.var(), Vec::new()));
            all.len() - 1
        });
        // Signs are those of the variable.
        let sign = |positive: bool| Effect::Sign(Some(positive != lit.is_neg()));
        let effects: &[Effect] = match h.modifier {
            HeuristicModifier::Init => {
                initial.push((lit.var(), h.bias, condition));
                &[]
            }
            HeuristicModifier::Level => &[Effect::Level(h.bias)],
            HeuristicModifier::Factor => &[Effect::Factor(h.bias)],
            HeuristicModifier::Sign if h.bias == 0 => &[Effect::Sign(None)],
            HeuristicModifier::Sign => &[sign(h.bias > 0)],
            HeuristicModifier::True => &[Effect::Level(h.bias), sign(true)],
            HeuristicModifier::False => &[Effect::Level(h.bias), sign(false)],
        };
        let modification = |&effect| Modification { effect, priority: h.priority, condition };
        all[at].1.extend(effects.iter().map(modification));
    }
    for (var, bias, _) in initial.into_iter().filter(|i| i.2 == atoms.truth) {
        engine.add_activity(var, f64::from(bias));
    }
    engine.add_propagator(Box::new(DomainHeuristic::new(all, atoms.truth)));
}
