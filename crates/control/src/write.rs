//! The ground program as text or in a format of other tools, step by step.

use std::{fmt, io};

use super::{Control, Error};
use asp_program::aspif::{AspifWriter, WriteError};
use asp_program::reify::{ReifyOptions, ReifyWriter};
use asp_program::smodels;
use asp_program::text::TextWriter;

/// How a ground program is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroundFormat {
    /// As text.
    Text,
    /// As aspif.
    Aspif,
    /// In smodels format.
    Smodels,
    /// As facts.
    Reify {
        /// With the components of the positive dependency graph.
        sccs: bool,
        /// With the step's number.
        steps: bool,
    },
}

/// A writer of ground programs and what it has written so far.
pub enum GroundWriter {
    /// Text.
    Text(TextWriter),
    /// aspif.
    Aspif(AspifWriter),
    /// aspif, of the lowered program.
    Lowered(AspifWriter),
    /// smodels format.
    Smodels,
    /// Facts.
    Reify(ReifyWriter),
}

impl GroundWriter {
    /// The program's show entry for each output line of the last aspif step.
    pub fn outputs(&self) -> &[usize] {
        match self {
            Self::Aspif(writer) | Self::Lowered(writer) => writer.outputs(),
            Self::Text(_) | Self::Smodels | Self::Reify(_) => &[],
        }
    }
}

impl Control {
    /// A writer for the ground program; each time it writes what is new.
    pub fn ground_writer(&self, format: GroundFormat) -> GroundWriter {
        match format {
            GroundFormat::Text => GroundWriter::Text(TextWriter::default()),
            GroundFormat::Aspif => {
                GroundWriter::Aspif(AspifWriter::new(self.texts.incremental || self.came_in_steps()))
            }
            GroundFormat::Smodels => GroundWriter::Smodels,
            GroundFormat::Reify { sccs, steps } => GroundWriter::Reify(ReifyWriter::new(ReifyOptions {
                incremental: self.texts.incremental || self.came_in_steps(),
                sccs,
                steps,
            })),
        }
    }

    /// A writer of aspif for the lowered program, with the atom numbers of proofs.
    pub fn lowered_writer(&self) -> GroundWriter {
        GroundWriter::Lowered(AspifWriter::of_lowered(self.texts.incremental || self.came_in_steps()))
    }

    /// A writer of aspif for a program that may grow, whatever it contains.
    pub fn step_writer(&self) -> GroundWriter {
        GroundWriter::Aspif(AspifWriter::with_indices())
    }

    /// Writes what is new in the ground program. An error if the format cannot express it; output errors are passed on.
    pub fn write_ground(&mut self, writer: &mut GroundWriter, out: &mut dyn io::Write) -> Result<(), Error> {
        self.take_in_named()?;
        self.write_unnamed(writer, out)
    }

    /// As [`write_ground`](Self::write_ground), without the names that a [`Backend`](crate::backend::Backend) has used
    /// since the last grounding call: it may still add to them.
    pub fn write_unnamed(&mut self, writer: &mut GroundWriter, out: &mut dyn io::Write) -> Result<(), Error> {
        if !matches!(writer, GroundWriter::Text(_) | GroundWriter::Aspif(_)) {
            self.lower_structured()?;
        }
        let (program, symbols) = (&mut self.program, &self.symbols);
        let failed = |error: &dyn fmt::Display| Error::Format(error.to_string());
        match writer {
            GroundWriter::Text(writer) => writer.write(program, symbols, out).map_err(|e| failed(&e)),
            GroundWriter::Aspif(writer) | GroundWriter::Lowered(writer) => {
                match writer.write(program, symbols, out) {
                    Ok(()) => Ok(()),
                    Err(WriteError::Output(error)) => Err(failed(&error)),
                    Err(WriteError::Overflow(error)) => {
                        // With its place.
                        self.lower_structured()?;
                        Err(failed(&error))
                    }
                }
            }
            GroundWriter::Smodels => smodels::write(program, symbols, out).map_err(|e| failed(&e)),
            GroundWriter::Reify(writer) => writer.write(program, symbols, out).map_err(|e| failed(&e)),
        }
    }
}
