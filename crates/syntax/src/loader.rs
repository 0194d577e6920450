//! Where included texts come from.

use std::path::Path;

/// Finds and reads the texts that `#include` names.
pub trait Loader {
    /// The name under which to read (and show) the text that `path` means in the text named `from`, if there is one.
    fn resolve(&mut self, path: &str, from: &str) -> Option<String>;
    /// An identity shared by all names of one text.
    fn identity(&mut self, name: &str) -> Option<String>;
    /// The bytes of a text.
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String>;
}

/// Files: first relative to the including file's folder, then to the working folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLoader;

impl Loader for FileLoader {
    fn resolve(&mut self, path: &str, from: &str) -> Option<String> {
        let beside = Path::new(from).parent().map(|folder| folder.join(path));
        let candidates = beside.into_iter().chain([Path::new(path).to_path_buf()]);
        let mut found = candidates.filter(|p| p.is_file());
        found.next().map(|p| p.to_string_lossy().into_owned())
    }
    fn identity(&mut self, name: &str) -> Option<String> {
        let path = std::fs::canonicalize(name).ok()?;
        path.is_file().then(|| path.to_string_lossy().into_owned())
    }
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        std::fs::read(name).map_err(|e| e.to_string())
    }
}

/// No text can be included.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn resolve(&mut self, _: &str, _: &str) -> Option<String> {
        None
    }
    fn identity(&mut self, _: &str) -> Option<String> {
        None
    }
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        Err(format!("{name} cannot be read here"))
    }
}
