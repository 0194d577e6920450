//! Program text to better program text: formatting and safe mending.
//!
//! Invariant: the result parses to the same statements, comments are kept, and doing it again changes nothing.
