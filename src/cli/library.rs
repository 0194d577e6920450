//! Where files are found: the working folder, `programs/` and `instances/` in it, the folders of `ASP_PATH`, and the
//! library embedded in the binary.
//!
//! Invariant: a file that the working folder has always wins, and whatever is found elsewhere is reported once, so
//! that nobody solves another program than they think.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Embedded programs and instances: path and text.
pub static EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Folders of the library.
const FOLDERS: [&str; 2] = ["programs", "instances"];

/// A file that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Its text as bytes.
    pub bytes: Vec<u8>,
    /// Where it was found, if not where its name says.
    pub note: Option<String>,
    /// The folder that its includes are relative to.
    pub folder: Option<PathBuf>,
}

/// Reads a file by name; `-` is standard input.
pub fn read(name: &str) -> io::Result<Found> {
    if name == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(Found { bytes, note: None, folder: None });
    }
    let path = Path::new(name);
    let error = match fs::read(path) {
        Ok(bytes) => {
            return Ok(Found { bytes, note: None, folder: path.parent().map(Path::to_path_buf) });
        }
        Err(error) => error,
    };
    if path.is_absolute() || error.kind() != io::ErrorKind::NotFound {
        return Err(error);
    }
    let library = FOLDERS.iter().map(PathBuf::from);
    let path_folders: Vec<PathBuf> =
        env::var_os("ASP_PATH").map(|p| env::split_paths(&p).collect()).unwrap_or_default();
    let below = |folder: PathBuf| FOLDERS.map(|sub| folder.join(sub));
    let given = path_folders.into_iter().flat_map(|f| std::iter::once(f.clone()).chain(below(f)));
    for folder in library.chain(given) {
        let candidate = folder.join(path);
        if let Ok(bytes) = fs::read(&candidate) {
            let note = format!("{name} is {}", candidate.display());
            return Ok(Found { bytes, note: Some(note), folder: candidate.parent().map(Path::to_path_buf) });
        }
    }
    match embedded(name) {
        Some((path, text)) => {
            let note = format!("{name} is {path} of the embedded library");
            Ok(Found { bytes: text.as_bytes().to_vec(), note: Some(note), folder: None })
        }
        None => Err(error),
    }
}

/// An embedded file by its name, with or without its folder.
pub fn embedded(name: &str) -> Option<(&'static str, &'static str)> {
    let same = |path: &str| path == name || path.split_once('/').is_some_and(|(_, file)| file == name);
    EMBEDDED.iter().find(|(path, _)| same(path)).copied()
}

/// The known name nearest to one that was not found.
pub fn nearest(name: &str) -> Option<&'static str> {
    let file = |path: &'static str| path.split_once('/').map_or(path, |(_, file)| file);
    super::args::nearest(name, EMBEDDED.iter().map(|(path, _)| file(path)))
}

/// One line for each embedded file: its path and the first line of its comment.
pub fn list() -> String {
    let width = EMBEDDED.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let about =
        |text: &str| text.lines().next().and_then(|l| l.strip_prefix('%')).unwrap_or("").trim().to_string();
    EMBEDDED.iter().map(|(path, text)| format!("{path:<width$}  {}\n", about(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_files_go_by_name_or_path() {
        for (path, text) in EMBEDDED {
            let file = path.split_once('/').unwrap().1;
            assert_eq!(embedded(path).unwrap().1, *text);
            assert!(embedded(file).is_some());
        }
        assert!(embedded("no-such-file.lp").is_none());
        assert_eq!(list().lines().count(), EMBEDDED.len());
    }
}
