//! The binary as users see it: options, output, exit codes, signals, files.

#[path = "../support/mod.rs"]
mod support;

#[cfg(target_os = "linux")]
mod adverse;
mod beginners;
#[cfg(unix)]
mod completions;
mod cubes;
mod data;
#[cfg(unix)]
mod deep;
mod doors;
mod earlier;
mod effects;
mod exit_codes;
mod explain;
#[cfg(target_os = "linux")]
mod full_disks;
mod generate;
mod golden;
mod ground_input;
mod lsp;
mod lsp_random;
#[cfg(feature = "lua")]
mod lua;
mod mistakes;
mod options;
mod picture;
mod proof;
#[cfg(unix)]
mod python;
mod readme;
#[cfg(unix)]
mod scripts;
mod serve;
#[cfg(unix)]
mod signals;
mod source;
mod tables;
#[cfg(unix)]
mod terminal;
mod threads;
mod tune;
