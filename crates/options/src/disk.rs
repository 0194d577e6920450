//! Files that a command line or a text names: reading them, and replacing their contents.
//!
//! Invariant: a process that `asp serve` or `asp mcp` started reads files of its working folder and of the folders that the server names, and
//! no others, wherever the name comes from: an argument, an `#include`, a test. Links are followed before that is decided.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::{env, iter};

/// The environment variable with the folders besides the working folder; if it is not set, all files may be read.
pub const FOLDERS: &str = "ASP_FILES_BELOW";

/// Whether a file or folder may be looked at.
pub fn admits(path: &Path) -> io::Result<()> {
    if let Some(folders) = env::var_os(FOLDERS) {
        let real = fs::canonicalize(path)?;
        let folders = env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty());
        let mut folders = iter::once(PathBuf::from(".")).chain(folders);
        if !folders.any(|folder| fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder))) {
            let why =
                "it is outside the folders whose files may be read here; run asp in a terminal for that";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
    }
    Ok(())
}

/// Opens a file.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    admits(path.as_ref())?;
    File::open(path)
}

/// The contents of a file.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The contents of a file as text.
pub fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
    let bytes = read(path)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "this is not UTF-8 text"))
}

/// Replaces or creates a file atomically, so that a full disk loses nothing. A link stays a link.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Ok(real) = fs::canonicalize(path) else { return fs::write(path, bytes) };
    let found = fs::metadata(&real)?;
    if !found.is_file() {
        return fs::write(path, bytes);
    }
    // A read-only file is not replaced either.
    OpenOptions::new().append(true).open(&real)?;
    let mut name = real.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.new", std::process::id()));
    let beside = real.with_file_name(name);
    let Ok(mut file) = OpenOptions::new().write(true).create_new(true).open(&beside) else {
        // The folder takes no other file.
        return fs::write(path, bytes);
    };
    let written = file
        .write_all(bytes)
        .and_then(|()| file.set_permissions(found.permissions()))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &real));
    if written.is_err() {
        // The first error counts.
        let _ = fs::remove_file(&beside);
    }
    written
}
