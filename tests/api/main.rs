//! The library as a Rust program uses it.

mod control;
mod examples;
mod facade;
mod projections;
mod propagator;
mod theories;
mod upgrades;
