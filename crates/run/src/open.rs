//! Opens a program: loads constants and files into a control.
//!
//! Invariant: a constant of the command line precedes all files and overrides their definitions.

use std::io;
use std::path::Path;

use super::library::{self, LibraryLoader};
use asp_base::interrupt::Interrupt;
use asp_control::{Control, GroundFormat, Source};
use asp_options::raw::{Instantiation, Options};
use asp_options::settings::constant;

/// Functions of this many values become integers. Schedules are faster with integers from 50 values on, but comparisons `!=` of
/// all pairs are slower up to 200 (a board of queens takes 19 s instead of 2 s).
const MIN_VALUES: u64 = 300;
/// From this many instances on, constraints may wait for the search: half a second and 60 MB.
const MANY_INSTANCES: u64 = 1_000_000;

/// A control without texts; includes are found like files of the command line.
pub fn empty(interrupt: Interrupt) -> Control {
    let mut control = Control::with_interrupt(interrupt);
    control.set_loader(LibraryLoader);
    control
}

/// A control with constants (`NAME=TERM`) and no other text.
pub fn with_constants(interrupt: Interrupt, definitions: &[String]) -> Control {
    let mut control = empty(interrupt);
    for definition in definitions {
        control.add_source(constant(definition));
    }
    control
}

/// A control for a run with some options, with the texts that they add and no others.
pub fn for_options(options: &Options, interrupt: Interrupt) -> Control {
    let mut control = empty(interrupt);
    options.texts().into_iter().for_each(|text| control.add_source(text));
    control.settings = options.settings();
    let ground = &mut control.settings.ground;
    ground.keep_facts = options.ground_format.is_some() || options.pictures.is_any();
    ground.gringo_order = options.ground_format == Some(GroundFormat::Aspif);
    // An earlier answer may contain any atom.
    ground.answers_only = !options.pictures.is_any() && options.near.is_none();
    ground.values = (!wants_atoms(options)).then_some(MIN_VALUES);
    let least = match options.instantiation {
        Instantiation::Eager => None,
        Instantiation::Lazy => Some(options.lazy_from.unwrap_or(0)),
        Instantiation::Auto => Some(options.lazy_from.unwrap_or(MANY_INSTANCES)),
    };
    ground.lazy_where_few = options.instantiation == Instantiation::Auto;
    ground.lazy = least.filter(|_| !reads_ground_program(options));
    control
}

/// Whether anything but the search reads the ground program.
fn reads_ground_program(options: &Options) -> bool {
    options.ground_format.is_some()
        || options.cubes.is_some()
        || options.lemmas.to.is_some()
        || options.proof.is_some()
}

/// Whether anything but answer sets is asked for.
fn wants_atoms(options: &Options) -> bool {
    options.pictures.is_any()
        || options.ground_format.is_some()
        || options.cubes.is_some()
        || options.cube.is_some()
        || options.lemmas.to.is_some()
        || !options.lemmas.given.is_empty()
        || options.proof.is_some()
        || options.start.is_some()
        || options.near.is_some()
}

/// The option to use for a table or grid that was given as a program.
pub fn read_as_data(name: &str, text: &[u8]) -> Option<String> {
    let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    let stem = Path::new(name).file_stem()?.to_str()?;
    let option = match extension.as_str() {
        "csv" | "tsv" => format!("--csv {stem}={name}"),
        "json" => format!("--json {stem}={name}"),
        "txt" => {
            let line = text.split(|&c| c == b'\n').find(|line| !line.trim_ascii().is_empty())?;
            let is_cell = |c: &u8| c.is_ascii_digit() || b" .|+-_\t\r".contains(c);
            (line.iter().all(is_cell) && line.contains(&b'.')).then(|| format!("--grid {name}"))?
        }
        _ => return None,
    };
    Some(format!("{name} is read as a program; `{option}` reads it as data"))
}

/// Adds a file; returns what to write if it is data.
pub fn add_file(control: &mut Control, name: &str) -> io::Result<Option<String>> {
    let found = library::read(name)?;
    let told = read_as_data(&found.name, &found.bytes);
    control.add_source(Source::new(found.name, found.bytes));
    Ok(told)
}
