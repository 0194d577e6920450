//! The files of the page: those of this program, or from a folder.
//!
//! Invariant: only files of this list are served, wherever they come from.

use std::fs;
use std::path::{Path, PathBuf};

use asp_run::embedded;

/// Files of the page and what they are.
const FILES: [(&str, &str, &str); 3] = [
    ("/", "index.html", "text/html; charset=utf-8"),
    ("/page.js", "page.js", "text/javascript; charset=utf-8"),
    ("/style.css", "style.css", "text/css; charset=utf-8"),
];

/// Where the page comes from.
pub(super) enum Page {
    Folder(PathBuf),
    BuiltIn,
}

/// A file of the page.
pub(super) struct File {
    pub(super) kind: &'static str,
    pub(super) bytes: Vec<u8>,
    /// Whether the bytes are compressed by gzip, which all browsers read.
    pub(super) packed: bool,
}

impl Page {
    /// The page of that folder, else the one that was built in.
    pub(super) fn find(given: Option<&Path>) -> Result<Self, String> {
        let Some(folder) = given else { return Ok(Self::BuiltIn) };
        if FILES.iter().all(|(_, file, _)| folder.join(file).is_file()) {
            return Ok(Self::Folder(folder.to_path_buf()));
        }
        Err(format!("{} has no page; web/build.sh makes one", folder.display()))
    }

    pub(super) fn file(&self, path: &str) -> Option<File> {
        let (_, name, kind) = FILES.iter().find(|(at, ..)| *at == path)?;
        match self {
            Self::Folder(folder) => {
                Some(File { kind, bytes: fs::read(folder.join(name)).ok()?, packed: false })
            }
            Self::BuiltIn => embedded::page().iter().find_map(|(file, bytes)| {
                let packed = file.strip_suffix(".gz") == Some(name);
                (packed || file == name).then(|| File { kind, bytes: bytes.to_vec(), packed })
            }),
        }
    }
}
