//! Embeds the library of programs and instances, those of the package `asp`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../..");
    let mut table = String::from("&[\n");
    for folder in ["programs", "instances"] {
        let path = root.join(folder);
        println!("cargo:rerun-if-changed={}", path.display());
        let mut files: Vec<_> = fs::read_dir(path)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "lp"));
        files.sort();
        for file in files {
            let (name, path) = (file.file_name().unwrap_or_default(), file.to_str().unwrap_or_default());
            // Writing to a string cannot fail.
            let _ = writeln!(table, "    ({:?}, include_str!({path:?})),", name.to_str().unwrap_or_default());
        }
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("library.rs"), table)
}
