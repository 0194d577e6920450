//! What needs clingo, and says nothing without it: `cargo test` shows these tests as ignored, `.ci/run` runs them with
//!
//! ```text
//! ASP_ORACLE_PYTHON=PYTHON cargo test --test oracle -- --ignored
//! ```
//!
//! With `ASP_UPDATE=1` the recorded files of `tests/recorded/` are made anew.

#[path = "../support/mod.rs"]
mod support;

mod exchange;
mod grounding;
mod library;
mod options;
mod peers;
mod random;
mod scripts;
