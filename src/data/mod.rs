//! Puzzles and tables as people type them, turned into facts: grids, CSV, JSON.
//!
//! Invariant: a text is read whole or not at all; what is wrong with it is said with its file, line and column and what
//! was expected.
