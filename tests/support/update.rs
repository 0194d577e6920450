//! Recorded files that `ASP_UPDATE=1` rewrites.
//!
//! Invariant: a test that reads a file while another one rewrites it sees the old text or the new one, never a mixture.

use std::path::Path;

/// Whether recorded files are to be rewritten.
pub fn is_wanted() -> bool {
    std::env::var_os("ASP_UPDATE").is_some()
}

/// Rewrites a recorded file.
#[track_caller]
pub fn write(path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
    let path = path.as_ref();
    let anew = path.with_extension("anew");
    std::fs::write(&anew, text)
        .and_then(|()| std::fs::rename(&anew, path))
        .expect("a recorded file can be written");
}
