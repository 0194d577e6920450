//! `#heuristic` directives with conditions that change.
//!
//! Invariant: at each decision every variable has the level and sign of the applicable modification with the greatest
//! priority (the last one among equals), or level 0 and no sign if none applies; likewise its factor.

use asp_base::map::Map;
use asp_engine::propagator::{Conflict, Context, Propagator, View};
use asp_engine::store::literal::{Lit, Var};

/// The effect of a modification on its variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    /// It is decided before those of lower levels.
    Level(i32),
    /// It is decided to be true or false; `None`: as without the directive.
    Sign(Option<bool>),
    /// Its activity grows faster by this factor.
    Factor(i32),
}

/// A modification of a variable's decisions while a condition holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modification {
    pub(crate) effect: Effect,
    pub(crate) priority: u32,
    pub(crate) condition: Lit,
}

/// Keeps the engine's decisions in line with directives.
pub(crate) struct DomainHeuristic {
    vars: Vec<(Var, Vec<Modification>)>,
    /// By condition: positions in `vars`.
    watches: Map<Lit, Vec<u32>>,
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
}

impl DomainHeuristic {
    /// For variables with their modifications. A condition that is `truth` always holds.
    pub(crate) fn new(vars: Vec<(Var, Vec<Modification>)>, truth: Lit) -> Self {
        let mut watches: Map<Lit, Vec<u32>> = Map::default();
        for ((_, modifications), i) in vars.iter().zip(0..) {
            for m in modifications.iter().filter(|m| m.condition != truth) {
                watches.entry(m.condition).or_default().push(i);
            }
        }
        let n = vars.len();
        Self { vars, watches, dirty: (0..n as u32).collect(), is_dirty: vec![true; n] }
    }

    fn mark(&mut self, lit: Lit) {
        let Some(list) = self.watches.get(&lit) else { return };
        for &i in list {
            if !std::mem::replace(&mut self.is_dirty[i as usize], true) {
                self.dirty.push(i);
            }
        }
    }

    fn refresh(&self, i: u32, context: &mut Context<'_>) {
        let (var, modifications) = &self.vars[i as usize];
        let (mut level, mut sign, mut factor) = ((0, 0), (0, None), (0, 1));
        for m in modifications.iter().filter(|m| context.is_true(m.condition)) {
            match m.effect {
                Effect::Level(to) if m.priority >= level.0 => level = (m.priority, to),
                Effect::Sign(to) if m.priority >= sign.0 => sign = (m.priority, to),
                Effect::Factor(to) if m.priority >= factor.0 => factor = (m.priority, to),
                _ => {}
            }
        }
        context.set_decision_priority(*var, level.1);
        context.set_sign(*var, sign.1);
        context.set_activity_factor(*var, f64::from(factor.1));
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
