//! The files of a proof: the ground program, what is claimed, constraints, steps and witnesses, in a directory.
//!
//! Invariant: the claim is written last, so a directory without one holds no proof.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::state::lock;
use super::work::Run;
use asp_control::{Control, Error, Proof, options_for_proof};
use asp_options::outputs;
use asp_solve::{SolveOptions, SolveResult};

/// The error of what proofs do not cover.
pub fn refused(what: &str) -> Error {
    Error::Format(format!("'proof': {what} cannot be proven yet"))
}

/// Removes the claim of an earlier proof in the directory. A file of that name without a claim stays.
pub fn forget(dir: &str) -> Result<(), Error> {
    let claim = Path::new(dir).join("claim.txt");
    if !outputs::is_claim(&claim) {
        return Ok(());
    }
    match fs::remove_file(claim) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(unusable(dir, &why)),
        _ => Ok(()),
    }
}

fn unusable(dir: &str, why: &io::Error) -> Error {
    Error::Format(format!("'proof': {dir}: {why}"))
}

/// A directory in which a proof is being written.
pub struct ProofFiles {
    dir: PathBuf,
}

impl ProofFiles {
    /// Before a call: writes the lowered program and opens the log of the steps.
    pub fn begin(dir: &str, control: &mut Control, options: &SolveOptions) -> Result<Self, Error> {
        let unusable = |why: io::Error| unusable(dir, &why);
        forget(dir)?;
        // A refused proof leaves no directory.
        control.prepare_proof(options).map_err(refused)?;
        fs::create_dir_all(dir).map_err(unusable)?;
        let dir = PathBuf::from(dir);
        // They come first: by them the folder of a proof is known (`asp_options::outputs`).
        let mut steps = File::create(dir.join("steps.pbp")).map_err(unusable)?;
        steps.write_all(Proof::head(0).as_bytes()).map_err(unusable)?;
        let mut program = BufWriter::new(File::create(dir.join("program.aspif")).map_err(unusable)?);
        let mut writer = control.lowered_writer();
        control.write_ground(&mut writer, &mut program)?;
        program.flush().map_err(unusable)?;
        control.log_proof(Box::new(steps));
        Ok(Self { dir })
    }

    /// After the call: completes the files. Returns what is said of it.
    pub fn end(
        self,
        control: &mut Control,
        options: &SolveOptions,
        result: &SolveResult,
    ) -> Result<String, String> {
        let name = self.dir.display();
        let written = match control.take_proof(options, result) {
            Some(proof) => proof.and_then(|proof| self.write(&proof).map(|()| proof.is_refuted)),
            None => Err(io::Error::other("the search was not logged")),
        };
        match written {
            Ok(true) => Ok(format!("proof written; `asp-check {name}` checks it")),
            Ok(false) => Ok(format!(
                "proof written that these are answer sets, not that there are no others or better ones; \
                 `asp-check {name}` checks it"
            )),
            Err(why) => Err(format!("no proof was written to {name}: {why}")),
        }
    }

    fn write(&self, proof: &Proof) -> io::Result<()> {
        let mut steps = File::options().write(true).open(self.dir.join("steps.pbp"))?;
        let head = Proof::head(proof.constraints);
        if !proof.is_refuted {
            steps.set_len(head.len() as u64)?;
        }
        steps.seek(SeekFrom::End(0))?;
        steps.write_all(proof.end().as_bytes())?;
        steps.rewind()?;
        steps.write_all(head.as_bytes())?;
        fs::write(self.dir.join("formula.opb"), &proof.formula)?;
        fs::write(self.dir.join("witnesses.txt"), &proof.witnesses)?;
        fs::write(self.dir.join("claim.txt"), &proof.claim)
    }
}

impl Run {
    /// The options of a call that is to be proven, if it can be.
    pub(super) fn proof_options(&self, options: SolveOptions) -> Result<SolveOptions, Error> {
        if self.options.proof.is_none() { Ok(options) } else { options_for_proof(&options).map_err(refused) }
    }

    /// A call begins, of which a proof may be wanted.
    pub(super) fn begin_proof(
        &self,
        control: &mut Control,
        options: &SolveOptions,
    ) -> Result<Option<ProofFiles>, Error> {
        let begin = |dir: &String| ProofFiles::begin(dir, control, options);
        self.options.proof.as_ref().map(begin).transpose()
    }

    pub(super) fn end_proof(
        &self,
        files: Option<ProofFiles>,
        control: &mut Control,
        options: &SolveOptions,
        result: &SolveResult,
    ) {
        let Some(files) = files else { return };
        let mut state = lock(&self.shared);
        state.unproven = None;
        state.message(&match files.end(control, options, result) {
            Ok(text) => format!("*** Info : (asp): {text}"),
            Err(text) => format!("*** Warn : (asp): {text}"),
        });
    }
}
