//! Search for files: the working folder, its `programs/` and `instances/`, the folders of `ASP_PATH`, and the embedded library.
//!
//! Invariant: a file in the working folder always takes precedence, and one found elsewhere is reported once, so that nobody
//! unknowingly solves another program.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{env, io};

use asp_base::nearest;
use asp_options::disk;
use asp_syntax::loader::{FileLoader, Loader};

use super::embedded::library;

/// Folders of the library.
const FOLDERS: [&str; 2] = ["programs", "instances"];

/// The prefix of an embedded file's name in messages.
const EMBEDDED_PREFIX: &str = "embedded:";

/// A file that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryFile {
    /// The name for messages, next to which includes are looked up.
    pub name: String,
    /// The contents.
    pub bytes: Vec<u8>,
    /// Where it was found, if not under its name.
    pub note: Option<String>,
}

/// Reads a file by name; `-` is standard input.
pub fn read(name: &str) -> io::Result<LibraryFile> {
    if name == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(LibraryFile { name: "<stdin>".into(), bytes, note: None });
    }
    let error = match disk::read(name) {
        Ok(bytes) => return Ok(LibraryFile { name: name.into(), bytes, note: None }),
        Err(error) => error,
    };
    if error.kind() != io::ErrorKind::NotFound {
        return Err(error);
    }
    if let Some(path) = elsewhere(name) {
        let shown = path.to_string_lossy().into_owned();
        let note = format!("{name} is {shown}");
        return Ok(LibraryFile { name: shown, bytes: disk::read(&path)?, note: Some(note) });
    }
    match embedded(name) {
        Some((path, text)) => {
            let note = format!("{name} is {path} of the embedded library");
            Ok(LibraryFile { name: format!("{EMBEDDED_PREFIX}{path}"), bytes: text.into(), note: Some(note) })
        }
        None => Err(error),
    }
}

/// A file outside the working folder: in its `programs/` and `instances/`, then below `ASP_PATH`.
fn elsewhere(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.is_absolute() {
        return None;
    }
    let below = |folder: &Path| FOLDERS.map(|sub| folder.join(sub));
    let library = FOLDERS.iter().map(PathBuf::from);
    let given: Vec<PathBuf> =
        env::var_os("ASP_PATH").map(|p| env::split_paths(&p).collect()).unwrap_or_default();
    let given = given.iter().flat_map(|f| std::iter::once(f.clone()).chain(below(f)));
    library.chain(given).map(|folder| folder.join(path)).find(|candidate| candidate.is_file())
}

/// Finds included files like files of the command line, but first next to the including file.
#[derive(Clone, Copy, Debug, Default)]
pub struct LibraryLoader;

impl Loader for LibraryLoader {
    fn resolve(&mut self, path: &str, from: &str) -> Option<String> {
        if let Some(found) = FileLoader.resolve(path, from) {
            return Some(found);
        }
        if let Some(found) = elsewhere(path) {
            return Some(found.to_string_lossy().into_owned());
        }
        embedded(path).map(|(path, _)| format!("{EMBEDDED_PREFIX}{path}"))
    }
    fn identity(&mut self, name: &str) -> Option<String> {
        match name.strip_prefix(EMBEDDED_PREFIX) {
            Some(_) => Some(name.to_string()),
            None => FileLoader.identity(name),
        }
    }
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        match name.strip_prefix(EMBEDDED_PREFIX).and_then(embedded) {
            Some((_, text)) => Ok(text.into()),
            None => disk::read(name).map_err(|why| why.to_string()),
        }
    }
}

/// An embedded file by its name, with or without its folder and `.lp`.
pub(crate) fn embedded(name: &str) -> Option<(&'static str, &'static str)> {
    let is = |path: &str| path == name || path.strip_suffix(".lp") == Some(name);
    let same = |path: &str| is(path) || path.split_once('/').is_some_and(|(_, file)| is(file));
    library().iter().find(|(path, _)| same(path)).copied()
}

/// The known name nearest to an unknown one; both may be without `.lp`.
pub fn nearest(name: &str) -> Option<&'static str> {
    let file = |path: &'static str| path.split_once('/').map_or(path, |(_, file)| file);
    let stem = |file: &'static str| file.strip_suffix(".lp").unwrap_or(file);
    let files = library().iter().map(|(path, _)| file(path));
    if name.ends_with(".lp") {
        nearest::nearest(name, files)
    } else {
        nearest::nearest(name, files.map(stem))
    }
}

/// One line for each embedded file: its path and the first line of its comment.
pub fn list() -> String {
    let width = library().iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let about =
        |text: &str| text.lines().next().and_then(|l| l.strip_prefix('%')).unwrap_or("").trim().to_string();
    library().iter().map(|(path, text)| format!("{path:<width$}  {}\n", about(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded::{Embedded, set};

    #[test]
    fn embedded_files_go_by_name_or_path() {
        let files = &[("instances/sudoku4-a.lp", "% An instance\n"), ("programs/sudoku.lp", "% Sudoku\n")];
        set(Embedded { library: files, page: &[] });
        for (path, text) in files {
            let file = path.split_once('/').unwrap().1;
            assert_eq!(embedded(path).unwrap().1, *text);
            assert_eq!(embedded(file).unwrap().1, *text);
        }
        assert!(embedded("no-such-file.lp").is_none());
        assert_eq!(nearest("sudokku.lp"), Some("sudoku.lp"));
        assert_eq!(nearest("sudokku"), Some("sudoku"));
        assert_eq!(list(), "instances/sudoku4-a.lp  An instance\nprograms/sudoku.lp      Sudoku\n");
    }
}
