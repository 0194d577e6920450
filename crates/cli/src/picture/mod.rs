//! Pictures of the answer sets of a run and of subcommands.

pub(crate) mod album;
