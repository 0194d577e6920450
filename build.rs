//! Compiles the LALRPOP grammar and embeds the library of programs and instances.

#[path = "build/embed.rs"]
mod embed;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Err(error) = embed::embed() {
        eprintln!("embedded library: {error}");
        std::process::exit(1);
    }
}
