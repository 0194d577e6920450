//! The interface of propagators: constraints that are not clauses.
//!
//! A propagator watches literals. Whenever unit propagation is at a fixpoint and watched literals have become true, it
//! is called with them, cheap propagators (by [`Propagator::priority`]) first. It makes literals true with a reason
//! that it explains only if conflict analysis asks for it, or adds clauses. It may reject total assignments. Invariant:
//! a propagator is told of each watched literal once after it became true and, in that case, once when it is unassigned
//! again, in reverse order.

use crate::Engine;
use crate::integer::store::Integers;
use crate::store::arena::ClauseRef;
use crate::store::assignment::{Assignment, Reason};
use crate::store::literal::{Lit, Var};
use std::any::Any;

asp_base::define_index! {
    /// A propagator of an engine.
    pub struct PropagatorId
}

/// The current assignment violates a constraint. The engine keeps the violated clause.
#[derive(Debug)]
#[must_use]
pub struct Conflict {
    pub(crate) kind: ConflictKind,
}

/// Where the false clause of a conflict is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConflictKind {
    /// A clause of the arena.
    Clause(ClauseRef),
    /// A clause of two literals.
    Binary(Lit, Lit),
    /// In the engine's conflict buffer.
    Buffer,
    /// Nowhere: the search is to end, whatever is left of it.
    Halt,
}

impl From<ConflictKind> for Conflict {
    fn from(kind: ConflictKind) -> Self {
        Self { kind }
    }
}

/// How long a clause that a propagator adds is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Permanently.
    Always,
    /// Like a learned clause: it may be deleted when it seems useless.
    WhileUseful,
}

/// The search is to end, whatever is left of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Halt;

/// Gives access to a propagator's own type.
pub trait AsAny {
    /// The value as [`Any`].
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T: Any> AsAny for T {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

/// A constraint that is not a clause.
pub trait Propagator: AsAny + Send {
    /// Called once, when the propagator is added, at the root: the place to watch literals.
    fn attach(&mut self, context: &mut Context<'_>);
    /// Called at unit-propagation fixpoints with the watched literals that became true since the last call.
    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict>;
    /// Why `lit` became true by [`Context::enqueue`] with `data`: true literals, all assigned before `lit`, that imply
    /// it together. If `lit` is false, [`Context::enqueue`] has just failed: then any true literals that imply it.
    fn explain(&mut self, view: View<'_>, lit: Lit, data: u32, because: &mut Vec<Lit>);
    /// Called after backtracking to `level` with the literals that are no longer true, latest first; only those
    /// that [`propagate`](Self::propagate) has seen.
    fn undo(&mut self, level: u32, undone: &[Lit]) {
        let _ = (level, undone);
    }
    /// Called before everything above `level` is unassigned, if [`Context::follow_levels`] asked for it.
    fn leave(&mut self, view: View<'_>, level: u32) {
        let _ = (view, level);
    }
    /// Called before a decision, if [`Context::offer_decisions`] asked for it: a free literal to make true instead of the
    /// engine's own.
    fn decide(&mut self, view: View<'_>, own: Lit) -> Result<Lit, Halt> {
        let _ = view;
        Ok(own)
    }
    /// Called on total assignments at a fixpoint. The model is accepted if the assignment is still total afterwards.
    fn check_model(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        let _ = context;
        Ok(())
    }
    /// Propagators with smaller numbers are called first.
    fn priority(&self) -> u32 {
        0
    }
    /// Whether to call [`propagate`](Self::propagate) at every fixpoint, even if no watched literal changed.
    fn is_eager(&self) -> bool {
        false
    }
}

/// Reading access to the assignment.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Values, levels and the trail.
    pub assignment: &'a Assignment,
    /// What is decided first.
    pub assumptions: &'a [Lit],
    pub(crate) integers: &'a Integers,
}

impl View<'_> {
    /// The value of a literal, if it has one.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        let value = self.assignment.value(lit);
        (value != 0).then_some(value > 0)
    }
    /// Whether the literal is true.
    #[inline]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.assignment.is_true(lit)
    }
    /// Whether the literal is false.
    #[inline]
    pub fn is_false(&self, lit: Lit) -> bool {
        self.assignment.is_false(lit)
    }
    /// The level at which an assigned literal got its value.
    #[inline]
    pub fn level_of(&self, lit: Lit) -> u32 {
        self.assignment.level_of(lit)
    }
    /// The position of an assigned literal on the trail.
    #[inline]
    pub fn position_of(&self, lit: Lit) -> u32 {
        self.assignment.position_of(lit)
    }
    /// Whether the literal has its value at the root.
    #[inline]
    pub fn is_fixed(&self, lit: Lit) -> bool {
        !self.assignment.is_free(lit) && self.assignment.level_of(lit) == 0
    }
    /// The current level.
    #[inline]
    pub fn level(&self) -> u32 {
        self.assignment.level()
    }
}

/// The operations of a propagator.
pub struct Context<'a> {
    /// The engine that propagates.
    pub engine: &'a mut Engine,
    pub(crate) id: PropagatorId,
}

impl Context<'_> {
    /// Reading access to the assignment.
    #[inline]
    pub fn view(&self) -> View<'_> {
        self.engine.view()
    }
    /// The value of a literal, if it has one.
    #[inline]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.view().value(lit)
    }
    /// Whether the literal is true.
    #[inline]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.engine.assignment.is_true(lit)
    }
    /// Whether the literal is false.
    #[inline]
    pub fn is_false(&self, lit: Lit) -> bool {
        self.engine.assignment.is_false(lit)
    }
    /// The current level.
    #[inline]
    pub fn level(&self) -> u32 {
        self.engine.assignment.level()
    }
    /// Logs for a proof, if there is one, that these program atoms are unfounded, because these literals are false.
    pub fn log_unfounded(&mut self, atoms: impl Iterator<Item = u32>, reason: impl Iterator<Item = Lit>) {
        if let Some(proof) = &mut self.engine.proof {
            proof.unfounded(atoms, reason, &self.engine.assignment);
        }
    }
    /// Whether there is a log of a proof.
    pub fn logs(&self) -> bool {
        self.engine.proof.is_some()
    }
    /// Logs for a proof, if there is one, that successive edges of the program form a cycle.
    pub fn log_cycle(&mut self, edges: impl Iterator<Item = u32>) {
        if let Some(proof) = &mut self.engine.proof {
            proof.cycle(edges);
        }
    }
    /// Calls the propagator when the literal becomes true. If it is true already, it is among the changes of the next call.
    pub fn watch(&mut self, lit: Lit) {
        self.engine.watch_for(self.id, lit);
    }
    /// The same, but what is true already and was handed out is not among the changes.
    pub fn watch_from_now(&mut self, lit: Lit) {
        self.engine.watch_from_now(self.id, lit);
    }
    /// From now on [`Propagator::leave`] is called.
    pub fn follow_levels(&mut self) {
        self.engine.propagators.follow(self.id);
    }
    /// From now on [`Propagator::decide`] is called.
    pub fn offer_decisions(&mut self) {
        self.engine.propagators.offer(self.id);
    }
    /// Calls the propagator again as soon as what it has added is propagated.
    pub fn call_again(&mut self) {
        self.engine.propagators.wake(self.id);
    }
    /// The level from which on levels can be undone in the search.
    pub fn base_level(&self) -> u32 {
        self.engine.call.base_level()
    }
    /// Makes the search return to a level as soon as this function returns, and calls the propagator there.
    pub fn jump(&mut self, level: u32) {
        self.engine.call.jump = Some(level);
        self.call_again();
    }
    /// The search need not go back any more.
    pub fn stay(&mut self) {
        self.engine.call.jump = None;
    }
    /// Ends the search, whatever is left of it.
    pub fn halt(&mut self) -> Conflict {
        ConflictKind::Halt.into()
    }
    /// Propagates what was added through clauses, groups and sums.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        self.engine.propagate_without_propagators().map_err(Conflict::from)
    }
    /// Makes a literal true with a reason that is explained on demand. Fails if it is false.
    #[inline]
    pub fn enqueue(&mut self, lit: Lit, data: u32) -> Result<(), Conflict> {
        match self.engine.assignment.value(lit) {
            0 => {
                self.engine.assignment.assign(lit, Reason::propagator(self.id.0, data));
                Ok(())
            }
            1 => Ok(()),
            _ => Err(self.engine.conflict_by_enqueue(self.id, lit, data)),
        }
    }
    /// Reports that these literals, all true, must not be true together.
    pub fn conflict(&mut self, together: &[Lit]) -> Conflict {
        debug_assert!(together.iter().all(|&l| self.is_true(l)));
        self.engine.analyzer.conflict.clear();
        self.engine.analyzer.conflict.extend(together.iter().map(|&l| !l));
        ConflictKind::Buffer.into()
    }
    /// Adds a clause, which may be true, open or false under the current assignment; if it is unit, its literal becomes
    /// true. Fails if the clause is false.
    pub fn add_clause(&mut self, literals: &[Lit], keep: Keep) -> Result<(), Conflict> {
        self.engine.add_clause_here(literals, keep == Keep::WhileUseful)
    }
    /// Adds the nogood that these literals are never true together.
    pub fn add_nogood(&mut self, together: &[Lit], keep: Keep) -> Result<(), Conflict> {
        let clause: Vec<Lit> = together.iter().map(|&l| !l).collect();
        self.add_clause(&clause, keep)
    }
    /// A new variable.
    pub fn new_var(&mut self) -> Var {
        self.engine.new_var()
    }
    /// See [`Engine::set_decision_priority`].
    pub fn set_decision_priority(&mut self, var: Var, level: i32) {
        self.engine.set_decision_priority(var, level);
    }
    /// See [`Engine::set_sign`].
    pub fn set_sign(&mut self, var: Var, sign: Option<bool>) {
        self.engine.set_sign(var, sign);
    }
    /// See [`Engine::set_activity_factor`].
    pub fn set_activity_factor(&mut self, var: Var, factor: f64) {
        self.engine.set_activity_factor(var, factor);
    }
    /// See [`Engine::add_activity`].
    pub fn add_activity(&mut self, var: Var, bumps: f64) {
        self.engine.add_activity(var, bumps);
    }
}
