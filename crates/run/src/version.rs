//! The version, and what the binary was built with.

use crate::embedded;

/// The version, with what the binary was built with.
pub fn version() -> String {
    format!("{}\n{}", asp_report::PROGRAM, build())
}

/// The version text after the line that names the program.
pub fn build() -> String {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "Address model: {}-bit\n\nBuild: {build}, scripts in Python by a Python of the system, with threads, {} embedded programs and instances\n\
         License: The MIT License <https://opensource.org/licenses/MIT>\n",
        usize::BITS,
        embedded::library().len(),
    )
}
