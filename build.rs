//! Compiles the LALRPOP grammar and embeds the library of programs and instances, and the page if there is one.

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
    for (what, done) in [("embedded library", embed::embed()), ("page", embed::embed_page())] {
        if let Err(error) = done {
            eprintln!("{what}: {error}");
            std::process::exit(1);
        }
    }
}
