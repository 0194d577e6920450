//! Runs of other programs, such as those on libclingo: they make the calls; reading, printing and messages are those of a run.
//!
//! Invariant: whatever returns an exit code has printed the summary before.

use super::state::{CallState, lock};
use super::work::{Failed, Run};
use crate::{exit, stdout};
use asp_base::interrupt::Interrupt;
use asp_control::Control;
use asp_options::raw::Options;

impl Run {
    /// A run of a program with a name of its own.
    pub fn of_program(name: &str, options: Box<Options>) -> Self {
        let run = Self::new(options, Vec::new());
        lock(&run.shared).name = name.to_string();
        run
    }

    /// Stops whatever runs.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Prints the head of the results. From now on whoever makes the calls decides when to end.
    pub fn begin(&self) {
        self.head();
        lock(&self.shared).is_patient = true;
    }

    /// Models that are printed as text are printed by somebody else, who gets the text.
    pub fn set_printer(&self, printer: impl FnMut(&[u8]) + Send + 'static) {
        lock(&self.shared).printer.reporter.set_printer(Box::new(printer));
    }

    /// Ends if a file is missing; as in clingo, the first one is only looked for when it is read.
    pub fn missing_file(&self) -> Option<u8> {
        let mut others = self.options.files.iter().skip(1).filter(|name| *name != "-");
        let missing = others.find(|name| !std::path::Path::new(name).exists())?;
        Some(self.end_without_file(missing, None))
    }

    /// Reads and parses the files; the exit code if that fails.
    pub fn read_files_of(&self, control: &mut Control) -> Result<(), u8> {
        self.read(control).and_then(|()| self.parse(control)).map_err(|failed| self.failed(failed))
    }

    /// Grounds and solves what was read, or writes it; returns the exit code.
    pub fn solve_or_write(&self, control: &mut Control) -> u8 {
        self.solve(control).unwrap_or_else(|failed| self.failed(failed))
    }

    /// Whether what is asked for is answer sets of a program that is grounded once.
    pub fn is_plain(&self, control: &Control) -> bool {
        self.options.ground_format.is_none() && !control.is_incremental() && !control.is_ground_input()
    }

    /// Ends for an error, which is printed.
    pub fn fail_with(&self, message: &str) -> u8 {
        let mut state = lock(&self.shared);
        state.printer.out.flush();
        state.message(&format!("*** ERROR: (asp): {message}"));
        if !matches!(state.call, CallState::Ended) {
            self.end_open_call(&mut state, None);
        }
        state.finish(None, None) | exit::INPUT_ERROR
    }

    /// The exit code, unless results could not be written.
    pub fn exit_code(code: u8) -> u8 {
        stdout::exit_code(code)
    }

    pub(super) fn failed(&self, failed: Failed) -> u8 {
        match failed {
            Failed::Code(code) => code,
            Failed::Error(error) => self.fail(&error),
        }
    }
}
