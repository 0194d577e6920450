//! What the programs of the library state about their instances, in `%@test` comments.

use std::collections::BTreeMap;
use std::path::Path;

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// File names and texts of a folder.
pub fn folder(name: &str) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(root().join(name)).expect("a folder");
    let file = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).expect("a text"))
    };
    entries.map(|e| file(e.expect("an entry").path())).collect()
}

/// A test comment: the words before its colon and what follows it.
pub type Test = (Vec<String>, String);

/// The test comments of a program.
pub fn tests(text: &str) -> Vec<Test> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("%@test")?.split_once(':'));
    let words = |text: &str| text.split_whitespace().map(String::from).collect();
    lines.map(|(arguments, expected)| (words(arguments), expected.trim().to_string())).collect()
}
