//! Compiles the LALRPOP grammar and embeds the library of programs and instances.

#[path = "build/embed.rs"]
mod embed;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/syntax/grammar.lalrpop");
    let grammar =
        lalrpop::Configuration::new().use_cargo_dir_conventions().emit_rerun_directives(false).process();
    if let Err(error) = grammar {
        eprintln!("src/syntax/grammar.lalrpop: {error}");
        std::process::exit(1);
    }
    if let Err(error) = embed::embed() {
        eprintln!("embedded library: {error}");
        std::process::exit(1);
    }
}
