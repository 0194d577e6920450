//! The library as a Rust program uses it.

mod control;
mod propagator;
mod upgrades;
