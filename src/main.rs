//! The `asp` binary.
fn main() {}
