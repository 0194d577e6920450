//! Embeds the library of programs and instances, and the page.

#[path = "build/embed.rs"]
mod embed;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for (what, done) in [("embedded library", embed::embed()), ("page", embed::embed_page())] {
        if let Err(error) = done {
            eprintln!("{what}: {error}");
            std::process::exit(1);
        }
    }
}
