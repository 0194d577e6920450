//! Options of the command line in their checked form.

pub mod inputs;
pub mod lemmas;
pub mod pictures;
