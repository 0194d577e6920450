//! Embedded files: the library of programs and instances, and the page of `asp serve`.
//!
//! Invariant: they are set once, before their first use; otherwise both are empty.

use std::sync::OnceLock;

/// Files that are compiled into the binary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded {
    /// Programs and instances: path and text, in the order of their paths.
    pub library: &'static [(&'static str, &'static str)],
    /// Files of the page: name and contents. Empty if the binary was built without it.
    pub page: &'static [(&'static str, &'static [u8])],
}

static EMBEDDED: OnceLock<Embedded> = OnceLock::new();

/// Says what the binary carries; what was said first stays.
pub fn set(embedded: Embedded) {
    let _ = EMBEDDED.set(embedded);
}

/// Programs and instances: path and text.
pub fn library() -> &'static [(&'static str, &'static str)] {
    EMBEDDED.get().map_or(&[], |e| e.library)
}

/// Files of the page: name and contents. What the page runs does not serve it.
#[cfg(not(target_family = "wasm"))]
pub fn page() -> &'static [(&'static str, &'static [u8])] {
    EMBEDDED.get().map_or(&[], |e| e.page)
}
