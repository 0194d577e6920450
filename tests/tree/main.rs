//! Everything in the repository besides the code is right: the pages, the programs and instances, the shape of the
//! sources.

#[path = "../support/mod.rs"]
mod support;

mod docs;
mod format;
mod library;
mod public;
mod puzzles;
mod stages;
mod tidy;
