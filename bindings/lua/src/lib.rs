//! Scripts in Lua: an interpreter, which calls their functions for `@f(...)`, and terms as values of Lua.
//!
//! A crate of its own, not a feature of one: whether the program asp has Lua does not depend on what is built beside it.

mod host;
mod terms;

pub use host::{Host, taken_apart};
pub use terms::Terms;
