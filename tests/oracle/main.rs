//! Tests that need clingo, and are ignored without it; `.ci/run` runs them with
//!
//! ```text
//! ASP_ORACLE_PYTHON=PYTHON cargo test --test oracle -- --ignored
//! ```
//!
//! `ASP_UPDATE=1` rewrites the recorded files in `tests/recorded/`.

#[path = "../support/mod.rs"]
mod support;

mod exchange;
mod grounding;
mod growing;
mod integers;
mod library;
mod named;
mod options;
mod peers;
mod random;
mod scripts;
mod theory_atoms;
mod underivable;
mod values;
