//! Ground programs as input, and nogoods over their atoms' numbers.
//!
//! Invariant: an atom's number is that of the input or, without ground input, its index plus one, as `lowered_writer`
//! writes it.

use super::parse::Phase;
use super::{Control, Error, Settings, Source};
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::Symbols;
use asp_program::aspif_read::{AspifReader, Paused};
use asp_program::ground_program::{Notation, Repeated};
use asp_program::{AtomId, Literal, Program, RuleSource, dimacs, integers, smodels};
use asp_solve::Lemma;

/// The state of a ground program that was read.
#[derive(Default)]
pub(super) struct GroundInput {
    /// The number of each atom, if numbers are kept.
    numbers: Vec<Option<i64>>,
    /// An incremental program with steps still to be read.
    rest: Option<(Source, Paused)>,
    /// Whether the warning about theory atoms that look like constraints over integers was given.
    warned_of_look_alikes: bool,
}

impl GroundInput {
    fn by_number(&self) -> Map<i64, AtomId> {
        let atoms = (0..).map(AtomId).zip(&self.numbers);
        atoms.filter_map(|(atom, number)| Some(((*number)?, atom))).collect()
    }

    /// Records the numbers of a program's `atoms` atoms.
    fn note(&mut self, numbers: &[(i64, AtomId)], atoms: usize) {
        self.numbers.resize(atoms, None);
        for &(number, atom) in numbers {
            self.numbers[atom.0 as usize] = Some(number);
        }
    }
}

impl Control {
    /// Whether the input is a ground program.
    pub fn is_ground_input(&self) -> bool {
        matches!(self.texts.phase, Phase::Read { .. })
    }

    /// Whether a ground program with several steps was read.
    pub(super) fn came_in_steps(&self) -> bool {
        self.texts.phase == Phase::Read { in_steps: true }
    }

    /// Whether one of the texts to be read can only be a ground program.
    pub fn has_ground_text(&self) -> bool {
        self.texts.pending.iter().any(|s| is_aspif(&s.text) || dimacs::is_certain(&s.text))
    }

    /// How results print the atoms of the texts to be read; `ground` if all of them are ground programs.
    pub fn notation(&self, ground: bool) -> Notation {
        let format =
            |s: &Source| dimacs::recognize(&s.text).filter(|_| ground || dimacs::is_certain(&s.text));
        match self.texts.pending.iter().find_map(format) {
            None => Notation::Terms,
            Some(dimacs::Format::Opb) => Notation::Opb,
            Some(_) => Notation::Cnf,
        }
    }

    /// Reads ground programs given in place of programs. Constants and `#show` have no meaning for them.
    pub(super) fn read_ground_alone(&mut self) -> Result<(), Error> {
        let is_ground = |s: &Source| is_aspif(&s.text) || dimacs::is_certain(&s.text);
        let (ground, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.texts.pending).into_iter().partition(is_ground);
        let is_program = |s: &&Source| !s.text.trim_ascii().is_empty() && !is_of_command_line(&s.name);
        if let (Some(other), Some(first)) = (others.iter().find(is_program), ground.first()) {
            let message = format!(
                "{} is already ground and cannot be joined with the program {}",
                first.name, other.name
            );
            let help = "solve them separately, or give the program that the ground one was made from";
            self.diagnostics.push(Diagnostic::error(Span::NONE, message).help(help));
            return Err(Error::Parse(self.report("parsing failed")));
        }
        self.texts.pending = ground;
        self.read_ground()?;
        self.program.repeated = Repeated::One;
        Ok(())
    }

    /// Reads what was added as a ground program: aspif, smodels format, DIMACS or OPB. Of an incremental aspif text,
    /// only the first step is read; [`read_ground_step`](Self::read_ground_step) reads the others.
    pub fn read_ground(&mut self) -> Result<(), Error> {
        self.texts.phase = Phase::Read { in_steps: self.came_in_steps() };
        self.program.repeated = Repeated::All;
        for source in std::mem::take(&mut self.texts.pending) {
            let failed = |error: String| Error::Format(format!("{}: {error}", source.name));
            let text = source.text.trim_ascii_start();
            if is_aspif(text) {
                let mut reader = AspifReader::new(text);
                reader.read_step(&mut self.program, &mut self.symbols).map_err(|e| failed(e.to_string()))?;
                if let Some(number) = self.settings.forced {
                    reader.force(number, &mut self.program);
                }
                if self.settings.keep_numbers {
                    self.input.note(&reader.numbers(), self.program.atoms.len());
                }
                let incremental = reader.is_incremental();
                let paused = reader.pause();
                let text = text.to_vec();
                self.input.rest = Some((Source::new(source.name, text), paused));
                if incremental {
                    self.texts.phase = Phase::Read { in_steps: true };
                } else {
                    while self.read_ground_step()? {}
                }
            } else {
                let numbers = read_ground(text, &self.settings, &mut self.program, &mut self.symbols)
                    .map_err(failed)?;
                if self.settings.keep_numbers {
                    self.input.note(&numbers, self.program.atoms.len());
                }
            }
        }
        Ok(())
    }

    /// Reads the next step of an incremental ground program; `false` if there is none.
    pub fn read_ground_step(&mut self) -> Result<bool, Error> {
        let Some((source, paused)) = self.input.rest.take() else { return Ok(false) };
        let mut reader = AspifReader::resume(&source.text, paused);
        // Assumptions are valid for one step.
        let assumptions = std::mem::take(&mut self.program.assumptions);
        match reader.read_step(&mut self.program, &mut self.symbols) {
            Ok(true) => {
                if self.settings.keep_numbers {
                    self.input.note(&reader.numbers(), self.program.atoms.len());
                }
                let paused = reader.pause();
                self.input.rest = Some((source, paused));
                Ok(true)
            }
            Ok(false) => {
                self.program.assumptions = assumptions;
                Ok(false)
            }
            Err(error) => Err(Error::Format(format!("{}: {error}", source.name))),
        }
    }

    /// Warns once of free theory atoms that look like constraints over integers: in a ground program with other theories,
    /// or defined by a `#theory` of the program. User-defined theories and propagators may know them.
    pub(super) fn warn_of_look_alikes(&mut self) {
        if !self.callbacks.constrain() && !self.input.warned_of_look_alikes {
            let warning = integers::look_alikes(&self.program, &self.symbols, !self.is_ground_input());
            self.input.warned_of_look_alikes = warning.is_some();
            self.diagnostics.extend(warning);
        }
    }

    /// Adds constraints to the ground program: sets of literals that must not hold together, as aspif numbers, negative
    /// for `not`. Pre: the program is [lowered](Self::lower). The error is a number that no atom has.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn add_nogoods(&mut self, nogoods: &[Vec<i64>]) -> Result<(), i64> {
        let by_number = self.input.by_number();
        for nogood in nogoods {
            let mut body = Vec::with_capacity(nogood.len());
            for &number in nogood {
                let place = number.unsigned_abs();
                let atom = match by_number.get(&(place as i64)) {
                    Some(&atom) => Some(atom),
                    None if !self.input.numbers.is_empty() => None,
                    None => (1..=self.program.atoms.len() as u64)
                        .contains(&place)
                        .then(|| AtomId(place as u32 - 1)),
                };
                body.push(Literal::new(atom.ok_or(number)?, number < 0));
            }
            self.program.rules.add(false, &[], &body, RuleSource::NONE);
        }
        Ok(())
    }

    /// Learned clauses of the calls so far, if their options asked to record them: sets of literals that cannot hold
    /// together, with their LBD.
    pub fn take_lemmas(&mut self) -> Vec<Lemma> {
        self.session.take_lemmas()
    }

    /// The number of an atom in aspif: that of the input, if the program came ground.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn atom_number(&self, atom: AtomId) -> i64 {
        let known = self.input.numbers.get(atom.0 as usize).copied().flatten();
        known.unwrap_or(i64::from(atom.0) + 1)
    }
}

/// Whether a text starts like aspif. `asp` alone may also be an atom.
pub(super) fn is_aspif(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start().strip_prefix(b"asp ");
    rest.is_some_and(|r| r.trim_ascii_start().first().is_some_and(u8::is_ascii_digit))
}

/// The notation of a text that can only be a ground program.
pub fn notation_of(text: &[u8]) -> Option<&'static str> {
    if is_aspif(text) {
        return Some("aspif");
    }
    match dimacs::recognize(text).filter(|_| dimacs::is_certain(text))? {
        dimacs::Format::Opb => Some("OPB"),
        dimacs::Format::Cnf | dimacs::Format::MaxSat => Some("DIMACS"),
        dimacs::Format::Wcnf => Some("WCNF"),
    }
}

/// Whether a text comes from an option: a constant or a `#show`.
pub(super) fn is_of_command_line(name: &str) -> bool {
    name.starts_with('<') && name != "<stdin>" && name != "<text>"
}

/// Reads a ground program in a format other than aspif.
fn read_ground(
    text: &[u8],
    settings: &Settings,
    program: &mut Program,
    symbols: &mut Symbols,
) -> Result<Vec<(i64, AtomId)>, String> {
    if let Some(mut format) = dimacs::recognize(text) {
        if format == dimacs::Format::Cnf && settings.max_sat {
            format = dimacs::Format::MaxSat;
        }
        let read = dimacs::read(text, format, program, symbols).map_err(|e| e.to_string())?;
        return Ok(read.variables);
    }
    match text.first() {
        Some(b'0'..=b'9') => {
            smodels::read_forced(text, settings.forced, settings.directives_by_name, program, symbols)
                .map_err(|e| e.to_string())
        }
        _ => Err("unrecognized input format".into()),
    }
}
