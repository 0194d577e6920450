//! Files and folders for subcommands that process each file by itself.

use clap::ArgMatches;
use std::path::{Path, PathBuf};
use std::{fs, io};

use asp_options::disk;
use asp_run::stderr::{tell, tell_error};
use asp_run::{exit, open};

/// Rewrites the named files in place by a function from name and contents to a text and a number of changes.
pub(super) fn rewrite(
    matches: &ArgMatches,
    mend: impl Fn(&str, Vec<u8>) -> Result<(String, usize), u8>,
) -> Result<(), u8> {
    let names: Vec<&str> =
        matches.get_many::<String>("files").into_iter().flatten().map(String::as_str).collect();
    let fail = |message: String| {
        tell_error(&message);
        exit::INPUT_ERROR
    };
    if names.is_empty() || names.contains(&"-") {
        return Err(fail("--fix mends files, not standard input".into()));
    }
    for path in collect(&names).map_err(fail)? {
        let name = path.display().to_string();
        let bytes = disk::read(&path).map_err(|e| fail(format!("{name} could not be read: {e}")))?;
        // Data are as they are.
        if open::read_as_data(&name, &bytes).is_some() {
            continue;
        }
        let (mended, changes) = mend(&name, bytes)?;
        if changes > 0 {
            disk::replace(&path, mended.as_bytes())
                .map_err(|e| fail(format!("{name} could not be written: {e}")))?;
            tell(&format!("{name}: {changes} mended"));
        }
    }
    Ok(())
}

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
