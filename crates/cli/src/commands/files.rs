//! Files and folders for subcommands that work on the files themselves, not on the program that they form.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The named files, and all `.lp` files below the named folders, in the order of their names.
pub(crate) fn collect(names: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for name in names {
        let path = Path::new(name);
        let mut below = Vec::new();
        let result = if path.is_dir() { walk(path, &mut below) } else { path.metadata().map(drop) };
        result.map_err(|error| format!("{name} could not be opened: {error}"))?;
        if path.is_dir() {
            below.sort();
            found.append(&mut below);
        } else {
            found.push(path.to_path_buf());
        }
    }
    Ok(found)
}

/// Adds the `.lp` files below a folder, except those in hidden folders.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if kind.is_dir() && !hidden {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "lp") && path.is_file() {
                found.push(path);
            }
        }
    }
    Ok(())
}
