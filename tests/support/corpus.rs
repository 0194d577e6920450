//! Collections of cases in one file: `%%% name [-- arguments]` opens a case.

use std::path::Path;

/// A case of a collection.
pub struct Case {
    /// Its name, unique in the file.
    pub name: String,
    /// Arguments for the command line.
    pub arguments: Vec<String>,
    /// The program.
    pub text: String,
    /// Whether the expectation differs from clingo's result.
    pub differs: bool,
}

/// The cases of a file; lines that start with `%! ` (our own expectations) are skipped.
pub fn read(path: &Path) -> Vec<Case> {
    sections(path)
        .into_iter()
        .map(|(header, text)| {
            let (name, arguments) = header.split_once(" -- ").unwrap_or((&header, ""));
            Case {
                name: name.trim().to_owned(),
                // Quotes are kept: `-c n="x"` passes a string.
                arguments: arguments.split_whitespace().map(str::to_owned).collect(),
                differs: text.lines().any(|l| l.starts_with("%! ")),
                text: text.lines().filter(|l| !l.starts_with("%! ")).map(|l| format!("{l}\n")).collect(),
            }
        })
        .collect()
}

/// Headers and texts of a file's sections.
pub fn sections(path: &Path) -> Vec<(String, String)> {
    let all = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut out: Vec<(String, String)> = Vec::new();
    for line in all.lines() {
        if let Some(header) = line.strip_prefix("%%% ") {
            out.push((header.to_owned(), String::new()));
        } else if let Some((_, text)) = out.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    out
}

/// The files of a folder of `tests/` with an extension, sorted.
pub fn files(folder: &str, extension: &str) -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut out: Vec<_> = entries.map(|e| e.expect("readable").path()).collect();
    out.retain(|p| p.extension().is_some_and(|e| e == extension));
    out.sort();
    assert!(!out.is_empty(), "no cases in {}", folder.display());
    out
}
