//! Output files that options name: whether an existing file may be replaced.
//!
//! An option without its value takes the next word for it: `--html inst.lp`. Invariant: before anything runs, no output is
//! an input, no two outputs are one file, and a file is only replaced by one of its kind.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::usage::UsageError;

/// The kind of an output file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// HTML.
    Page,
    /// SVG.
    Picture,
    /// Learned nogoods, in aspif or as constraints.
    Lemmas,
    /// Costs; they are added to what is there.
    Bounds,
    /// Output of `asp generate` besides pages.
    Instance,
    /// A file for `--configuration`.
    Configuration,
    /// The folder of a proof.
    Proof,
}

/// How many bytes of a file are read to tell its kind.
const BEGINNING: u64 = 64 << 10;

/// The files of a proof, the first one created first.
const PROOF_FILES: [&str; 5] = ["steps.pbp", "program.aspif", "formula.opb", "witnesses.txt", "claim.txt"];
/// How the steps of a proof and its claim begin.
const HEADS: [(&str, &str); 2] = [("steps.pbp", "pseudo-Boolean proof "), ("claim.txt", CLAIM)];
const CLAIM: &str = "asp-proof ";

impl Kind {
    /// The name of this kind of file, and its extension.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Page => ("HTML page", ".html"),
            Self::Picture => ("SVG picture", ".svg"),
            Self::Lemmas => ("file of lemmas", ".lemmas"),
            Self::Bounds => ("file of bounds", ".bounds"),
            Self::Instance => ("instance that asp generated", "-new.lp"),
            Self::Configuration => ("configuration", ".cfg"),
            Self::Proof => ("folder of a proof", ".proof"),
        }
    }

    /// Whether the beginning of a file is as this kind begins. Pre: it is not empty.
    fn fits(self, text: &str, is_whole: bool) -> bool {
        let begins = |word: &str| {
            let start = text.trim_start_matches('\u{feff}').trim_start();
            start.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word))
        };
        let mut lines: Vec<&str> = text.lines().collect();
        if !is_whole {
            lines.pop();
        }
        let all = |is: &dyn Fn(&str) -> bool| lines.iter().all(|line| line.trim().is_empty() || is(line));
        let numbers = |line: &str| line.split_ascii_whitespace().all(|n| n.parse::<i64>().is_ok());
        match self {
            Self::Page => begins("<!doctype html") || begins("<html"),
            Self::Picture => begins("<svg") || begins("<?xml") && text.contains("<svg"),
            Self::Lemmas if begins("asp ") => {
                all(&|line| line.starts_with("1 0 0 0 ") || line.starts_with("asp ") || line == "0")
            }
            Self::Lemmas => all(&|line| line.starts_with(":- ") && line.contains("%lbd = ")),
            Self::Bounds => all(&|line| numbers(line.split('\t').next().unwrap_or_default())),
            Self::Instance => {
                let is_title = lines.first().is_some_and(|l| l.starts_with("% ") && l.contains("(use with "));
                is_title
                    && lines.get(1).is_some_and(|line| line.starts_with("% ") && line.contains("; seed "))
            }
            Self::Configuration => all(&|line| line.starts_with('[') && line.contains("]")),
            Self::Proof => false,
        }
    }
}

/// Whether a file is what a proof claims.
pub fn is_claim(path: &Path) -> bool {
    begins(path, CLAIM)
}

fn begins(path: &Path, words: &str) -> bool {
    let mut head = String::new();
    let file = File::open(path).map(|file| file.take(words.len() as u64));
    file.and_then(|mut file| file.read_to_string(&mut head)).is_ok() && head == words
}

/// An output: the option, the file that it names, and what is written there.
pub(crate) type Wanted<'a> = (&'a str, &'a str, Kind);

/// Whether a run that reads these files may write the outputs; the error says why not, and what to write instead.
pub fn check<'a>(
    outputs: impl IntoIterator<Item = Wanted<'a>>,
    inputs: impl IntoIterator<Item = &'a str>,
) -> Result<(), UsageError> {
    let mut taken: HashSet<PathBuf> = inputs.into_iter().filter_map(|name| place(Path::new(name))).collect();
    for (option, file, kind) in outputs {
        if file == "-" {
            continue;
        }
        let (what, ending) = kind.words();
        let instead = || {
            let path = Path::new(file);
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = path.with_file_name(format!("{stem}{ending}"));
            match kind {
                Kind::Proof => format!("name a folder of its own, as in {option}={}", name.display()),
                _ if name == path || path.is_dir() => format!("name another file, {option}=FILE"),
                _ => format!("name the output first, as in {option}={} {file}", name.display()),
            }
        };
        let refuse = |why: String| Err(UsageError::option(format!("'{option}': {why}; {}", instead())));
        let files = match kind {
            Kind::Proof => PROOF_FILES.iter().map(|name| Path::new(file).join(name)).collect(),
            _ => vec![PathBuf::from(file)],
        };
        for path in &files {
            let Some(place) = place(path) else { continue };
            if !taken.insert(place) {
                return refuse(format!("{} is already read or written by this command", path.display()));
            }
        }
        if kind == Kind::Proof {
            if let Some(other) = foreign_to_proof(Path::new(file)) {
                return refuse(format!("{} exists and {file} is not the {what}", other.display()));
            }
        } else if Path::new(file).is_dir() {
            return refuse(format!("{file} is a folder"));
        } else if !replaceable(Path::new(file), kind) {
            return refuse(format!("{file} exists and is no {what}, so it is not replaced"));
        }
    }
    Ok(())
}

/// The path of a regular file, which need not exist; `None` for terminals, pipes and the like.
fn place(path: &Path) -> Option<PathBuf> {
    match fs::metadata(path) {
        Ok(found) => found.is_file().then(|| fs::canonicalize(path).ok())?,
        Err(_) => {
            let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
        }
    }
}

/// Whether a file may be replaced: it does not exist, is not a regular file, or is of that kind.
fn replaceable(path: &Path, kind: Kind) -> bool {
    let Ok(found) = fs::metadata(path) else { return true };
    if !found.is_file() {
        return true;
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes));
    // The kind of an unreadable file is unknown.
    read.is_ok()
        && (bytes.is_empty() || kind.fits(&String::from_utf8_lossy(&bytes), (bytes.len() as u64) < BEGINNING))
}

/// A file that a proof would replace in a folder that has no steps or claim of a proof.
fn foreign_to_proof(dir: &Path) -> Option<PathBuf> {
    if HEADS.into_iter().any(|(name, words)| begins(&dir.join(name), words)) {
        return None;
    }
    if fs::metadata(dir).is_ok_and(|found| !found.is_dir()) {
        return Some(dir.to_path_buf());
    }
    PROOF_FILES.iter().map(|name| dir.join(name)).find(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_their_beginnings() {
        for (kind, text) in [
            (Kind::Page, "<!DOCTYPE html>\n<html>"),
            (Kind::Picture, "<svg xmlns=\"http://www.w3.org/2000/svg\">"),
            (Kind::Lemmas, "asp 1 0 0\n1 0 0 0 2 -3 4\n0\n"),
            (Kind::Lemmas, ":- a, not b.  %lbd = 2\n"),
            (Kind::Bounds, "3 4\t[\"a\"]\n-1 0\n"),
            (Kind::Configuration, "[tuned](handy): --heuristic=Vmtf\n"),
            (Kind::Instance, "% p: one solution (use with p.lp)\n% easy; seed 3\n\na.\n"),
        ] {
            assert!(kind.fits(text, true), "{text}");
            for program in
                ["p(1).\n:- p(X), X > 3.\n", "asp 1 0 0\n1 1 1 1 0 0\n0\n", "% p\np(1).\n", ":- a.\n"]
            {
                assert!(!kind.fits(program, true), "{kind:?} {program}");
            }
        }
    }
}
