//! Writes the table of embedded programs and instances: `embedded.rs` in the output folder, a slice of
//! `(path, text)` in the order of their names; and `page.rs`, that of the files of the page for `asp serve`.
//!
//! Invariant: the tables depend only on what is in `programs/` and `instances/`, and `web/embedded/`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// Writes the table.
pub(crate) fn embed() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut table = String::from("&[\n");
    for folder in ["programs", "instances"] {
        println!("cargo:rerun-if-changed={folder}");
        let path = Path::new(&root).join(folder);
        if !path.is_dir() {
            continue;
        }
        let mut names: Vec<String> = fs::read_dir(&path)?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".lp"))
            .collect();
        names.sort();
        for name in names {
            let file = path.join(&name);
            let file = file.to_str().unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(table, "    ({:?}, include_str!({file:?})),", format!("{folder}/{name}"));
        }
    }
    table.push_str("]\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("embedded.rs"), table)
}

/// Writes the table of the page's files, as `web/build.sh --embed` left them. As WebAssembly the program serves no page.
pub(crate) fn embed_page() -> io::Result<()> {
    println!("cargo:rerun-if-changed=web/embedded");
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut table = String::from("&[\n");
    if env::var("CARGO_CFG_TARGET_FAMILY").as_deref() != Ok("wasm") {
        for name in ["index.html", "page.js.gz", "style.css"] {
            let file = Path::new(&root).join("web/embedded").join(name);
            let file = file.to_str().unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(table, "    ({name:?}, include_bytes!({file:?})),");
        }
    }
    table.push_str("]\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("page.rs"), table)
}
