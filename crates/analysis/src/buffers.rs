//! Texts open in an editor, and a loader that reads them instead of the files.
//!
//! Invariant: a text has one key, whatever path leads to it.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use asp_base::map::Map;
use asp_syntax::Loader;

/// The key of a text: the path without links, or as it would be if the file existed.
pub fn key(name: &str) -> String {
    let path = Path::new(name);
    if let Ok(found) = std::fs::canonicalize(path) {
        return found.to_string_lossy().into_owned();
    }
    if name.contains(':') && !path.is_absolute() {
        return name.to_string();
    }
    // A file that is not there may stand in a folder that is.
    let parent = path.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
    if let (Some(folder), Some(file)) = (parent, path.file_name()) {
        return folder.join(file).to_string_lossy().into_owned();
    }
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out.to_string_lossy().into_owned()
}

/// Open texts by their keys. A copy is a snapshot.
#[derive(Clone, Debug, Default)]
pub struct Buffers(Arc<Map<String, Arc<str>>>);

impl Buffers {
    /// The texts that are open.
    pub fn new(texts: impl IntoIterator<Item = (String, Arc<str>)>) -> Self {
        Self(Arc::new(texts.into_iter().collect()))
    }
    /// The text that a name leads to, if it is open.
    pub fn get(&self, name: &str) -> Option<&Arc<str>> {
        if self.0.is_empty() { None } else { self.0.get(&key(name)) }
    }
}

/// A loader that finds open texts, then what another one finds.
#[derive(Clone, Debug)]
pub struct BufferLoader<L> {
    /// The open texts.
    pub buffers: Buffers,
    /// Where everything else is found.
    pub rest: L,
}

impl<L: Loader> Loader for BufferLoader<L> {
    fn resolve(&mut self, path: &str, from: &str) -> Option<String> {
        let beside = Path::new(from).parent().map(|folder| folder.join(path).to_string_lossy().into_owned());
        beside.filter(|name| self.buffers.get(name).is_some()).or_else(|| self.rest.resolve(path, from))
    }
    fn identity(&mut self, name: &str) -> Option<String> {
        match self.buffers.get(name) {
            Some(_) => Some(key(name)),
            None => self.rest.identity(name),
        }
    }
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        match self.buffers.get(name) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.rest.read(name),
        }
    }
}
