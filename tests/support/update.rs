//! Recorded files that `ASP_UPDATE=1` makes anew.
//!
//! Invariant: a test that reads a file while another one writes it anew sees the old text or the new one, never a part.

use std::path::Path;

/// Whether recorded files are to be made anew.
pub fn is_wanted() -> bool {
    std::env::var_os("ASP_UPDATE").is_some()
}

/// Writes a recorded file anew.
#[track_caller]
pub fn write(path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
    let path = path.as_ref();
    let anew = path.with_extension("anew");
    std::fs::write(&anew, text)
        .and_then(|()| std::fs::rename(&anew, path))
        .expect("a recorded file can be written");
}
