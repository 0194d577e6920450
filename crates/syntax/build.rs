//! Compiles the LALRPOP grammar.

// Cargo reads what a build script prints.
#![allow(clippy::print_stderr, clippy::print_stdout)]

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/grammar.lalrpop");
    let grammar =
        lalrpop::Configuration::new().use_cargo_dir_conventions().emit_rerun_directives(false).process();
    if let Err(error) = grammar {
        eprintln!("src/grammar.lalrpop: {error}");
        std::process::exit(1);
    }
}
