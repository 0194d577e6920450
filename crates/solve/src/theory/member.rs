//! A theory as the search sees it.

use crate::theory::Failure;
use crate::theory::assignment::Assignment;
use crate::theory::search::Search;
use asp_engine::propagator::AsAny;

/// A theory as the search sees it.
pub trait Member: AsAny + Send {
    /// Called with watched literals that became true.
    fn propagate(&mut self, search: &mut Search<'_, '_>, changes: &[i32]) -> Result<(), Failure>;
    /// Called before a level is undone, while the assignment still counts it, with those of its literals that
    /// [`propagate`](Self::propagate) was called with.
    fn undo(&mut self, assignment: Assignment<'_>, changes: &[i32]);
    /// Called as the [`CheckMode`](super::CheckMode) says.
    fn check(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure>;
    /// Called before a decision: the literal to make true instead of the engine's own, or 0.
    fn decide(&mut self, assignment: Assignment<'_>, own: i32) -> Result<i32, Failure>;
    /// Whether [`decide`](Self::decide) does something.
    fn decides(&self) -> bool;
    /// A copy for another thread, with its own state; `None` if it works in one thread only.
    fn fork(&self, thread: u32) -> Option<Box<dyn Member>>;
}
