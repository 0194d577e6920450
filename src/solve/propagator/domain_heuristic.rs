//! `#heuristic` directives: the ones whose condition always holds are set once, the others as their conditions come and
//! go.
//!
//! Invariant: at each decision every variable has the level and sign of the applicable directive of the greatest
//! priority (the last one among equals), 0 and none if there is no such directive; likewise its factor.

use crate::base::map::Map;
use crate::program::ground_program::{Heuristic, HeuristicModifier, Literals, ShowItem};
use crate::program::{AtomId, Literal, Program};
use crate::solve::engine::Engine;
use crate::solve::engine::propagator::{Conflict, Context, Propagator, View};
use crate::solve::engine::store::literal::{Lit, Var};
use crate::solve::translate::{AtomLits, conjunction};
use crate::solve::{DomainDefault, SolveOptions};

/// A directive for a variable.
#[derive(Clone, Copy, Debug)]
struct Entry {
    modifier: HeuristicModifier,
    /// With the sign seen from the variable.
    bias: i32,
    negated: bool,
    priority: u32,
    condition: Lit,
}

/// Keeps the engine's decisions in line with directives.
struct DomainHeuristic {
    vars: Vec<(Var, Vec<Entry>)>,
    /// By condition: positions in `vars`.
    watches: Map<Lit, Vec<u32>>,
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
}

/// The directives that count: those that the options imply, then those of the program, which thus override them.
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
                ShowItem::Term(_) => None,
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

/// What directives of the kinds `true` and `false` want, each with its condition.
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
    let mut entries: Vec<(Var, Vec<Entry>)> = Vec::new();
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
            entries.push((lit.var(), Vec::new()));
            entries.len() - 1
        });
        let entry = Entry {
            modifier: h.modifier,
            bias: h.bias,
            negated: lit.is_neg(),
            priority: h.priority,
            condition,
        };
        entries[at].1.push(entry);
    }
    let mut watches: Map<Lit, Vec<u32>> = Map::default();
    for (i, (var, list)) in entries.iter().enumerate() {
        for e in list {
            if e.modifier == HeuristicModifier::Init {
                if e.condition == atoms.truth {
                    engine.add_activity(*var, f64::from(e.bias));
                }
            } else if e.condition != atoms.truth {
                watches.entry(e.condition).or_default().push(i as u32);
            }
        }
    }
    let n = entries.len();
    engine.add_propagator(Box::new(DomainHeuristic {
        vars: entries,
        watches,
        dirty: (0..n as u32).collect(),
        is_dirty: vec![true; n],
    }));
}

/// The entry that counts among those that give something.
fn strongest<'a>(
    list: &'a [Entry],
    view: View<'_>,
    gives: impl Fn(HeuristicModifier) -> bool,
) -> Option<&'a Entry> {
    let applicable = list.iter().filter(|e| gives(e.modifier) && view.is_true(e.condition));
    applicable.max_by_key(|e| e.priority)
}

impl DomainHeuristic {
    fn mark(&mut self, lit: Lit) {
        let Some(list) = self.watches.get(&lit) else { return };
        for &i in list {
            if !std::mem::replace(&mut self.is_dirty[i as usize], true) {
                self.dirty.push(i);
            }
        }
    }

    fn refresh(&self, i: u32, context: &mut Context<'_>) {
        use HeuristicModifier::{Factor, False, Level, Sign, True};
        let (var, list) = &self.vars[i as usize];
        let view = context.view();
        let level = strongest(list, view, |m| matches!(m, Level | True | False)).map_or(0, |e| e.bias);
        let sign = strongest(list, view, |m| matches!(m, Sign | True | False)).and_then(|e| {
            let positive = match e.modifier {
                True => true,
                False => false,
                _ if e.bias == 0 => return None,
                _ => e.bias > 0,
            };
            Some(positive != e.negated)
        });
        let factor = strongest(list, view, |m| m == Factor).map_or(1, |e| e.bias);
        context.set_decision_priority(*var, level);
        context.set_sign(*var, sign);
        context.set_activity_factor(*var, f64::from(factor));
    }
}

impl Propagator for DomainHeuristic {
    fn attach(&mut self, context: &mut Context<'_>) {
        let mut lits: Vec<Lit> = self.watches.keys().copied().collect();
        lits.sort_unstable();
        for lit in lits {
            context.watch(lit);
        }
    }

    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
        for &lit in changed {
            self.mark(lit);
        }
        while let Some(i) = self.dirty.pop() {
            self.is_dirty[i as usize] = false;
            self.refresh(i, context);
        }
        Ok(())
    }

    fn explain(&mut self, _: View<'_>, _: Lit, _: u32, _: &mut Vec<Lit>) {}

    fn undo(&mut self, _: u32, undone: &[Lit]) {
        for &lit in undone {
            self.mark(lit);
        }
    }

    fn priority(&self) -> u32 {
        200
    }

    fn is_eager(&self) -> bool {
        true
    }
}
