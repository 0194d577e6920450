//! Whether threads can be started: they cannot in WebAssembly, nor where the system grants no more.
//!
//! Invariant: this is tried once, and the result holds for the whole run.

use std::sync::OnceLock;
use std::thread::Builder;

/// Whether threads can be started. Where they cannot, all is done in turn.
pub fn can_start() -> bool {
    static TRIED: OnceLock<bool> = OnceLock::new();
    *TRIED.get_or_init(|| Builder::new().spawn(|| ()).is_ok_and(|thread| thread.join().is_ok()))
}
