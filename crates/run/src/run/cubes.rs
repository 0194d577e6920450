//! Cubes in a run: the one to which it is restricted, or all into which its program is split.
//!
//! Invariant: a cube is used only for the ground program that it was made from.

use std::io::{self, Write};

use sha3::{Digest as _, Sha3_256};

use super::state::lock;
use super::work::Run;
use crate::exit;
use asp_control::{Control, Error};
use asp_options::cube::{self as file, Cube, CubeFile, Head};
use asp_program::Literal;
use asp_report::summary::CubeNote;
use asp_solve::{EnumMode, OptMode, Projection, SolveOptions};

impl Run {
    /// Keeps to the cube that the options name. Pre: the program is lowered.
    pub(super) fn keep_to_cube(&self, control: &mut Control, options: &SolveOptions) -> Result<(), Error> {
        let Some(cube) = &self.options.cube else { return Ok(()) };
        if control.is_incremental() {
            return Err(wrong("a program that grows in steps has no cubes"));
        }
        let program = fingerprint(control)?;
        if program != cube.program {
            return Err(wrong(&format!(
                "cube {} is of another ground program: give the files and options that it was made with",
                cube.id
            )));
        }
        let wanted = projection(options);
        if wanted != Projection::None && cube.projection != file::word(wanted) {
            return Err(wrong(&format!(
                "cube {} is for answer sets without this projection, which may be in several cubes: \
                 make cubes with the same --project",
                cube.id
            )));
        }
        let nogoods: Vec<Vec<i64>> = cube.literals.iter().map(|&l| vec![-l]).collect();
        let unknown = |number| wrong(&format!("cube {}: there is no atom {number}", cube.id));
        control.add_nogoods(&nogoods).map_err(unknown)?;
        let mode = mode(control, options);
        lock(&self.shared).summary.cube = Some(CubeNote { id: cube.id.clone(), program, mode });
        Ok(())
    }

    /// Writes the cubes of a grounded program and returns the exit code.
    pub(super) fn write_cubes(&self, control: &mut Control, wanted: u32) -> Result<u8, Error> {
        if control.is_incremental() {
            return Err(wrong("a program that grows in steps has no cubes"));
        }
        if !control.is_ground_input() {
            self.ground(control, &[("base", Vec::new())])?;
        }
        self.prepare(control)?;
        let options = self.solve_options(control);
        self.keep_to_cube(control, &options)?;
        let program = match &self.options.cube {
            Some(cube) => cube.program.clone(),
            None => fingerprint(control)?,
        };
        self.phase("Splitting");
        let options = SolveOptions { projection: projection(&options), ..options };
        let found = control.cubes(&options, wanted as usize)?;
        let parent = self.options.cube.as_ref();
        let file = name(control, &program, file::word(options.projection), parent, &found);
        let mut state = lock(&self.shared);
        if self.interrupt.poll().is_some() {
            let made = file.cubes.len();
            state.message(&format!("*** Info : (asp): stopped with {made} cubes, which leave nothing out"));
        }
        state.printer.out.buffer().extend_from_slice(file::write(&file).as_bytes());
        state.finished = true;
        state.printer.out.flush();
        Ok(if file.cubes.is_empty() { exit::EXHAUSTED } else { 0 })
    }
}

fn wrong(message: &str) -> Error {
    Error::Format(message.to_string())
}

/// The projection that distinguishes answer sets; it plays no role for consequences.
fn projection(options: &SolveOptions) -> Projection {
    let consequences = matches!(options.enum_mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query);
    if consequences { Projection::None } else { options.projection }
}

/// The mode of the call, in the words of `merge`.
fn mode(control: &Control, options: &SolveOptions) -> &'static str {
    match (options.enum_mode, options.opt_mode) {
        (EnumMode::Brave, _) => "brave",
        (EnumMode::Cautious | EnumMode::Query, _) => "cautious",
        (_, OptMode::Opt) if !control.program().objectives.is_empty() => "opt",
        (_, OptMode::OptN) if !control.program().objectives.is_empty() => "optN",
        _ => "models",
    }
}

/// A hash of the ground program as aspif.
fn fingerprint(control: &mut Control) -> Result<String, Error> {
    struct Hash(Sha3_256);
    impl Write for Hash {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut hash = Hash(Sha3_256::new());
    let mut writer = control.lowered_writer();
    control.write_ground(&mut writer, &mut hash)?;
    Ok(hash.0.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}

/// Cubes with names, numbers of aspif and a text for people.
fn name(
    control: &Control,
    program: &str,
    projection: &str,
    parent: Option<&Cube>,
    found: &[Vec<Literal>],
) -> CubeFile {
    let inherited = parent.map_or(&[][..], |cube| &cube.literals);
    let text_of = |l: &Literal| {
        let mut text = String::from(if l.is_neg() { "not " } else { "" });
        match control.program().atoms.get(l.atom()) {
            Some((s, args)) => control.symbols().write_atom(s.name, args, s.negative, &mut text),
            None => text.push_str(&format!("#{}", control.atom_number(l.atom()))),
        }
        text
    };
    let number = |l: &Literal| {
        let number = control.atom_number(l.atom());
        if l.is_neg() { -number } else { number }
    };
    let cube = |(at, literals): (usize, &Vec<Literal>)| Cube {
        id: parent.map_or(String::new(), |cube| format!("{}.", cube.id)) + &(at + 1).to_string(),
        program: program.to_string(),
        projection: projection.to_string(),
        literals: inherited.iter().copied().chain(literals.iter().map(number)).collect(),
        text: literals.iter().map(text_of).collect::<Vec<_>>().join(", "),
    };
    let cubes: Vec<Cube> = found.iter().enumerate().map(cube).collect();
    let head = Head {
        cubes: cubes.len(),
        program: program.to_string(),
        projection: projection.to_string(),
        parent: parent.map(|cube| cube.id.clone()),
    };
    CubeFile { head, cubes }
}
