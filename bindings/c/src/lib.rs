//! libclingo's C interface on the engine `asp`: the functions of clingo.h 5.8, one file for each group of them.
//!
//! Invariants: no panic and no Rust error crosses the boundary ([`error::guard`]); what C passes is read through the
//! types of [`ffi`], which state what clingo.h requires of the caller; functions that are not supported return an error.

// The head of a file may link to its private items.
#![allow(rustdoc::private_intra_doc_links)]
// A message that cannot be written must not end the process of the caller.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

pub mod app;
pub mod ast;
pub mod atoms;
pub mod backend;
pub mod configuration;
pub mod control;
pub mod error;
pub mod ffi;
mod layout;
pub mod literals;
pub mod logger;
pub mod map;
pub mod model;
pub mod observer;
pub mod options;
pub mod place;
pub mod propagator;
mod read_back;
pub mod registry;
pub mod script;
pub mod solve;
pub mod statistics;
pub mod symbol;
pub mod theory;
pub mod version;

/// Without the feature, as under a memory checker, the system's allocator serves.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
