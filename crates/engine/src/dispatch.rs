//! Propagators with their watches, and the calls to them: at fixpoints to those with changes, at total assignments to all,
//! for a reason to one.
//!
//! Invariant: a propagator is out of its slot while it is called, so that it may change the engine.

use crate::Engine;
use crate::propagator::{Conflict, ConflictKind, Context, Halt, Propagator, PropagatorId};
use crate::store::assignment::Assignment;
use crate::store::literal::Lit;
use crate::store::literal_lists::LiteralLists;

/// The propagators of an engine with their watches and pending changes.
#[derive(Default)]
pub(crate) struct Propagators {
    slots: Vec<Slot>,
    /// Indices of slots, by priority.
    order: Vec<u32>,
    /// By literal: the propagators that watch it.
    watches: LiteralLists<u32>,
    /// How many trail literals have been distributed.
    head: usize,
    buffer: Vec<Lit>,
    because: Vec<Lit>,
    /// Propagators called before levels are left.
    followers: Vec<PropagatorId>,
    /// Propagators called before decisions.
    deciders: Vec<PropagatorId>,
    /// A conflict to be explained when its propagator is back in its slot.
    pending_explanation: Option<(PropagatorId, Lit, u32)>,
}

struct Slot {
    /// Absent while it is being called.
    propagator: Option<Box<dyn Propagator>>,
    priority: u32,
    eager: bool,
    /// Whether it has to be called; always true for an eager one.
    pending: bool,
    /// Whether a literal was watched after later ones had been passed on.
    unordered: bool,
    /// Watched literals that became true and have not been passed on.
    waiting: Vec<Lit>,
    /// Those that were passed on and are still true.
    seen: Vec<Lit>,
}

impl Propagators {
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
    /// Whether some propagator is called before levels are left.
    #[inline]
    pub(crate) fn are_following(&self) -> bool {
        !self.followers.is_empty()
    }
    /// Whether somebody is to be asked before decisions.
    #[inline]
    pub(crate) fn are_deciding(&self) -> bool {
        !self.deciders.is_empty()
    }
    /// From now on, calls a propagator before levels are left.
    pub(crate) fn follow(&mut self, id: PropagatorId) {
        self.followers.retain(|&follower| follower != id);
        self.followers.push(id);
    }
    /// From now on a propagator is asked before decisions.
    pub(crate) fn offer(&mut self, id: PropagatorId) {
        self.deciders.retain(|&decider| decider != id);
        self.deciders.push(id);
    }
    /// A propagator is called at the next fixpoint, whether or not anything changes.
    pub(crate) fn wake(&mut self, id: PropagatorId) {
        self.slots[id.0 as usize].pending = true;
    }
    fn take(&mut self, id: PropagatorId) -> Option<Box<dyn Propagator>> {
        self.slots[id.0 as usize].propagator.take()
    }
    fn put(&mut self, id: PropagatorId, propagator: Box<dyn Propagator>) {
        self.slots[id.0 as usize].propagator = Some(propagator);
    }
    /// Distributes new trail literals to the propagators that watch them.
    fn distribute(&mut self, assignment: &Assignment) {
        while self.head < assignment.trail.len() {
            let lit = assignment.trail[self.head];
            self.head += 1;
            for &slot in self.watches.of(lit) {
                let slot = &mut self.slots[slot as usize];
                slot.waiting.push(lit);
                slot.pending = true;
            }
        }
    }
    /// Withdraws literals that are no longer true. Pre: the trail has been cut to `len` literals.
    pub(crate) fn undo(&mut self, len: usize, level: u32, assignment: &Assignment) {
        if self.head > len {
            self.head = len;
        }
        let undone = &mut self.buffer;
        for slot in &mut self.slots {
            slot.waiting.retain(|&l| assignment.is_true(l));
            undone.clear();
            // They are in the order of the trail, except for literals that were already true when they were watched.
            while let Some(&lit) = slot.seen.last() {
                if assignment.is_true(lit) {
                    break;
                }
                undone.push(lit);
                slot.seen.pop();
            }
            if slot.unordered {
                slot.seen.retain(|&l| {
                    assignment.is_true(l) || {
                        undone.push(l);
                        false
                    }
                });
                slot.unordered = !slot.seen.is_empty();
            }
            if let (false, Some(propagator)) = (undone.is_empty(), slot.propagator.as_mut()) {
                propagator.undo(level, undone);
            }
            slot.pending = slot.eager || !slot.waiting.is_empty();
        }
    }
}

impl Engine {
    /// Adds a propagator. Backtracks to the root.
    pub fn add_propagator(&mut self, new: Box<dyn Propagator>) -> PropagatorId {
        self.backtrack(0);
        self.restore_all();
        self.attach_propagator(new)
    }
    /// The same at the root, for one that needs no eliminated variable.
    pub(crate) fn attach_propagator(&mut self, mut propagator: Box<dyn Propagator>) -> PropagatorId {
        let id = PropagatorId(self.propagators.slots.len() as u32);
        let (priority, eager) = (propagator.priority(), propagator.is_eager());
        self.propagators.slots.push(Slot {
            propagator: None,
            priority,
            eager,
            pending: true,
            unordered: false,
            waiting: Vec::new(),
            seen: Vec::new(),
        });
        self.propagators.order.push(id.0);
        let Propagators { slots, order, .. } = &mut self.propagators;
        order.sort_by_key(|&slot| (slots[slot as usize].priority, slot));
        propagator.attach(&mut Context { engine: self, id });
        self.propagators.put(id, propagator);
        id
    }
    /// Replaces a propagator, dropping its watches. Backtracks to the root.
    pub fn replace_propagator(&mut self, id: PropagatorId, mut propagator: Box<dyn Propagator>) {
        self.backtrack(0);
        self.restore_all();
        for watchers in self.propagators.watches.lists_mut() {
            watchers.retain(|&slot| slot != id.0);
        }
        let slot = &mut self.propagators.slots[id.0 as usize];
        (slot.priority, slot.eager, slot.pending) = (propagator.priority(), propagator.is_eager(), true);
        slot.waiting.clear();
        slot.seen.clear();
        let Propagators { slots, order, .. } = &mut self.propagators;
        order.sort_by_key(|&slot| (slots[slot as usize].priority, slot));
        propagator.attach(&mut Context { engine: self, id });
        self.propagators.put(id, propagator);
    }
    /// Calls a function on a propagator of a known type, with its context; `None` if the type is different.
    pub fn with_propagator<P: Propagator + 'static, R>(
        &mut self,
        id: PropagatorId,
        f: impl FnOnce(&mut P, &mut Context<'_>) -> R,
    ) -> Option<R> {
        let mut propagator = self.propagators.take(id)?;
        let result =
            (*propagator).as_any().downcast_mut::<P>().map(|p| f(p, &mut Context { engine: self, id }));
        self.propagators.put(id, propagator);
        result
    }
    /// Requests a call of the propagator at the next fixpoint, whether or not anything changes.
    #[cfg(test)]
    pub fn wake_propagator(&mut self, id: PropagatorId) {
        self.propagators.wake(id);
    }
    pub(crate) fn watch_for(&mut self, id: PropagatorId, lit: Lit) {
        self.freeze(lit.var());
        self.propagators.watches.push(lit, id.0);
        // It has been distributed already, so the propagator would miss it.
        if self.assignment.is_true(lit) && (self.assignment.position_of(lit) as usize) < self.propagators.head
        {
            let slot = &mut self.propagators.slots[id.0 as usize];
            slot.waiting.push(lit);
            slot.pending = true;
            slot.unordered = true;
        }
    }
    /// Watches a literal that becomes true from now on, not one that is true already.
    pub fn watch_from_now(&mut self, id: PropagatorId, lit: Lit) {
        self.freeze(lit.var());
        self.propagators.watches.push(lit, id.0);
    }
    /// Whether a literal is true and its watchers have been called, or are about to be.
    pub fn is_handed_out(&self, lit: Lit) -> bool {
        self.assignment.is_true(lit) && (self.assignment.position_of(lit) as usize) < self.propagators.head
    }
    /// Tells those who follow the levels that all above `level` is about to be left.
    pub(crate) fn leave_levels(&mut self, level: u32) {
        let followers = std::mem::take(&mut self.propagators.followers);
        for &id in &followers {
            if let Some(mut propagator) = self.propagators.take(id) {
                propagator.leave(self.view(), level);
                self.propagators.put(id, propagator);
            }
        }
        self.propagators.followers = followers;
    }
    /// Asks those who decide what to decide instead of a literal.
    pub(crate) fn ask_deciders(&mut self, own: Lit) -> Result<Lit, ConflictKind> {
        let mut lit = own;
        for i in 0..self.propagators.deciders.len() {
            let id = self.propagators.deciders[i];
            let Some(mut propagator) = self.propagators.take(id) else { continue };
            let answer = propagator.decide(self.view(), lit);
            self.propagators.put(id, propagator);
            match answer {
                Ok(answer) if self.assignment.is_free(answer) => lit = answer,
                Ok(_) => {}
                Err(Halt) => return Err(ConflictKind::Halt),
            }
        }
        Ok(lit)
    }
    pub(crate) fn conflict_by_enqueue(&mut self, id: PropagatorId, lit: Lit, data: u32) -> Conflict {
        // The caller explains when the call has returned and the propagator is back in its slot.
        self.propagators.pending_explanation = Some((id, lit, data));
        ConflictKind::Buffer.into()
    }
    /// Completes a conflict of [`Context::enqueue`].
    fn finish_conflict(&mut self) {
        if let Some((id, lit, data)) = self.propagators.pending_explanation.take() {
            let mut clause = std::mem::take(&mut self.analyzer.conflict);
            clause.clear();
            self.explain_by(id, lit, data, &mut clause);
            clause.push(lit);
            self.analyzer.conflict = clause;
        }
    }
    /// Appends the false literals of the clause by which a propagator implied `lit`.
    pub(crate) fn explain_by(&mut self, id: PropagatorId, lit: Lit, data: u32, clause: &mut Vec<Lit>) {
        let mut because = std::mem::take(&mut self.propagators.because);
        because.clear();
        if let Some(mut propagator) = self.propagators.take(id) {
            propagator.explain(self.view(), lit, data, &mut because);
            self.propagators.put(id, propagator);
        }
        clause.extend(because.iter().map(|&l| !l));
        self.propagators.because = because;
    }
    /// Calls pending propagators in order of priority until one of them adds something or none is pending. `Ok(true)`
    /// means that unit propagation has to continue.
    pub(crate) fn call_propagators(&mut self) -> Result<bool, Conflict> {
        self.propagators.distribute(&self.assignment);
        for i in 0..self.propagators.order.len() {
            let slot_index = self.propagators.order[i];
            let slot = &mut self.propagators.slots[slot_index as usize];
            if !slot.pending {
                continue;
            }
            slot.pending = false;
            slot.seen.extend_from_slice(&slot.waiting);
            let mut changed = std::mem::take(&mut self.propagators.buffer);
            changed.clear();
            changed.append(&mut slot.waiting);
            let id = PropagatorId(slot_index);
            let trail = self.assignment.trail.len();
            let result = self.call(id, |p, context| p.propagate(context, &changed));
            self.propagators.buffer = changed;
            result?;
            if self.call.jump.is_some() {
                return Ok(false);
            }
            if self.assignment.trail.len() > trail {
                return Ok(true);
            }
        }
        let slots = &mut self.propagators.slots;
        let more = slots.iter().any(|slot| !slot.waiting.is_empty());
        for slot in slots {
            slot.pending |= slot.eager;
        }
        Ok(more)
    }
    /// Asks all propagators to accept a total assignment.
    pub(crate) fn consult_propagators(&mut self) -> Result<(), Conflict> {
        for i in 0..self.propagators.order.len() {
            let id = PropagatorId(self.propagators.order[i]);
            self.call(id, |p, context| p.check_model(context))?;
            if !self.assignment.is_total() || self.call.jump.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }
    fn call(
        &mut self,
        id: PropagatorId,
        f: impl FnOnce(&mut dyn Propagator, &mut Context<'_>) -> Result<(), Conflict>,
    ) -> Result<(), Conflict> {
        let Some(mut propagator) = self.propagators.take(id) else { return Ok(()) };
        let result = f(&mut *propagator, &mut Context { engine: self, id });
        self.propagators.put(id, propagator);
        if result.is_err() {
            self.finish_conflict();
        }
        result
    }
}
