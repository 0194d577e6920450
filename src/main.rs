//! The `asp` binary: turns the command line's outcome into an exit code.
//!
//! It keeps the system's allocator: with flat arenas everywhere, mimalloc gained nothing (transitive closure over 490,000
//! pairs 0.11 s against 0.10 s of user time, enumeration of 161,280 models 0.23 s with both) and cost twice the memory
//! (132 MB against 68 MB, 11 MB against 5 MB for a tiny program) and 0.3 ms of each start.

#![deny(clippy::print_stderr, clippy::print_stdout)]

/// The library of programs and instances.
static LIBRARY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The page (`web/embedded`).
static PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

fn main() {
    let argv: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let code = asp_cli::main(&argv, asp_cli::Embedded { library: LIBRARY, page: PAGE });
    // No destructors: tearing down large programs costs time and gains nothing.
    std::process::exit(i32::from(code));
}
