//! The program on docs/ARCHITECTURE.md at every stage: what the page shows is what the binary prints.
//!
//! A comment `<!-- program: NAME -->` stands before the block that holds the program, `<!-- run: ARGUMENTS -->` before
//! a block with the output of the binary. `ASP_UPDATE=1` writes the page anew.

use std::path::Path;
use std::process::Command;

/// The first words of a comment that announces a block, and the rest.
fn announced(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.split_once(": ")
}

#[test]
fn the_page_shows_each_stage_as_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ARCHITECTURE.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut written, mut runs) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        let Some((what, rest)) = announced(line) else { continue };
        let fence = lines.next().expect("a block follows");
        assert!(fence.starts_with("```"), "no block after {line}");
        let shown: String =
            lines.by_ref().take_while(|l| !l.starts_with("```")).map(|l| l.to_string() + "\n").collect();
        let block = match what {
            "program" => {
                std::fs::write(folder.path().join(rest), &shown).expect("a file");
                shown
            }
            "run" => {
                runs += 1;
                let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
                let output = command
                    .current_dir(folder.path())
                    .args(rest.split(' '))
                    .output()
                    .expect("the binary runs");
                String::from_utf8_lossy(&output.stdout).into_owned()
            }
            _ => panic!("what is {what}?"),
        };
        written.push_str(&format!("{fence}\n{block}```\n"));
    }
    assert!(runs >= 3, "only {runs} stages");
    if std::env::var_os("ASP_UPDATE").is_some() {
        std::fs::write(&path, written).expect("the page");
    } else {
        assert_eq!(
            page, written,
            "docs/ARCHITECTURE.md is stale: ASP_UPDATE=1 cargo test --test architecture"
        );
    }
}
