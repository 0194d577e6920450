//! Checks what `asp --proof=DIR` claims about a ground program, without sharing code with it.
//!
//! A proof consists of five files, and each is checked for itself:
//!
//! | file | what it is | who checks it |
//! |---|---|---|
//! | `program.aspif` | the ground program: what the claim is about | [`aspif`] reads it |
//! | `claim.txt` | the claim, and answer sets | [`stable`]: each is one |
//! | `formula.opb` | constraints | [`axioms`]: each is what the program means, what the claim excludes, or follows from an unfounded set |
//! | `witnesses.txt` | the unfounded sets | [`axioms`]: by the syntax of the rules |
//! | `steps.pbp` | steps from the constraints to a contradiction, in VeriPB's format | [`steps`]: by unit propagation, sums and definitions |
//!
//! If the constraints contradict each other, the program has no answer set besides what the claim says. [`verdict`] puts
//! this together. Nothing is believed: not the order, the numbers or the names in any file.
//!
//! Read in this order: [`constraint`], [`aspif`], [`axioms`], [`propagate`], [`steps`], [`stable`], [`verdict`].

pub mod aspif;
pub mod axioms;
pub mod constraint;
pub mod propagate;
pub mod stable;
pub mod steps;
pub mod verdict;

/// Why a proof is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected(pub String);

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The result of a check.
pub type Checked<T> = Result<T, Rejected>;

/// Rejects with a message.
pub fn reject<T>(why: impl Into<String>) -> Checked<T> {
    Err(Rejected(why.into()))
}

/// The files of a proof.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// `program.aspif`
    pub program: Vec<u8>,
    /// `claim.txt`
    pub claim: Vec<u8>,
    /// `formula.opb`
    pub formula: Vec<u8>,
    /// `witnesses.txt`
    pub witnesses: Vec<u8>,
    /// `steps.pbp`
    pub steps: Vec<u8>,
}

impl Files {
    /// The files in a directory.
    pub fn read(dir: &std::path::Path) -> Checked<Files> {
        if !dir.is_dir() {
            return reject(format!("{} is no directory", dir.display()));
        }
        let read = |name: &str| match std::fs::read(dir.join(name)) {
            Ok(bytes) => Ok(bytes),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                reject(format!("{} holds no proof: {name} is missing", dir.display()))
            }
            Err(why) => reject(format!("{}: {why}", dir.join(name).display())),
        };
        Ok(Files {
            // It is written last, so that a proof that was not completed has none.
            claim: read("claim.txt")?,
            program: read("program.aspif")?,
            formula: read("formula.opb")?,
            witnesses: read("witnesses.txt")?,
            steps: read("steps.pbp")?,
        })
    }
}

/// Checks a proof; returns what it certifies, in a sentence.
pub fn check(files: &Files) -> Checked<String> {
    verdict::check(files)
}
