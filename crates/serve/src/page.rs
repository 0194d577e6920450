//! The files of the page: from a folder, or from this program if it was built with them (`ASP_PAGE=FOLDER cargo build`).
//!
//! Invariant: only files of this list are served, wherever they come from.

use std::path::{Path, PathBuf};
use std::{env, fs};

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

impl Page {
    /// The page of that folder, else the one that was built in, else one beside this program.
    pub(super) fn find(given: Option<&Path>) -> Result<Self, String> {
        let is_page = |folder: &Path| FILES.iter().all(|(_, file, _)| folder.join(file).is_file());
        if let Some(folder) = given {
            return match is_page(folder) {
                true => Ok(Self::Folder(folder.to_path_buf())),
                false => Err(format!("{} has no page; web/build.sh makes one", folder.display())),
            };
        }
        if !embedded::page().is_empty() {
            return Ok(Self::BuiltIn);
        }
        let program = env::current_exe().ok();
        let beside = program
            .iter()
            .filter_map(|p| p.parent())
            .flat_map(|p| [p.join("page"), p.join("../share/asp/page")]);
        beside.filter(|folder| is_page(folder)).map(Self::Folder).next().ok_or_else(|| {
            "this program was built without the page. In asp's sources (this needs node and npm):\n  \
             web/build.sh --no-wasm\n  asp serve --page web/dist\n\
             or have it built in: ASP_PAGE=web/dist cargo install --path ."
                .to_string()
        })
    }

    /// The file at a path, and what it is.
    pub(super) fn file(&self, path: &str) -> Option<(&'static str, Vec<u8>)> {
        let (_, name, kind) = FILES.iter().find(|(at, ..)| *at == path)?;
        let bytes = match self {
            Self::Folder(folder) => fs::read(folder.join(name)).ok()?,
            Self::BuiltIn => embedded::page().iter().find(|(n, _)| n == name)?.1.to_vec(),
        };
        Some((kind, bytes))
    }
}
