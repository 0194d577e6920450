//! Grounding in a run, with its messages and reports, for the solver or as output.
//!
//! Invariant: ground output is written step by step, each step completely.

use super::state::lock;
use super::steps::Steps;
use super::work::{Failed, Run};
use asp_base::symbol::Sym;
use asp_control::{Control, Error, GroundFormat, GroundWriter, Report};
use asp_report::journal;

impl Run {
    pub(super) fn ground(&self, control: &mut Control, parts: &[(&str, Vec<Sym>)]) -> Result<(), Error> {
        self.phase("Grounding");
        let result = control.ground_parts(parts);
        if result.is_err() {
            self.print_journal(control);
        }
        if self.report(control) && result.is_ok() {
            return Err(Error::Ground(Report::told("grounding stopped because of errors")));
        }
        result
    }

    /// Prints what grounding recorded about itself.
    pub(super) fn print_journal(&self, control: &Control) {
        let Some(journal) = control.journal() else { return };
        let mut text = String::new();
        if self.options.explain_rewrites {
            let mut all = journal.rewritten.clone();
            all.extend(control.value_sets());
            text.push_str(&journal::rewritings(&all, control.sources()));
            text.push_str(&journal::large(&journal.large, control.sources()));
        }
        if self.options.profile {
            text.push_str(&journal::profile(journal, control.sources()));
        }
        if !text.is_empty() {
            let mut state = lock(&self.shared);
            state.printer.out.flush();
            state.message(text.trim_end());
        }
    }

    /// Prints what the search made of constraints that are kept for it.
    pub(super) fn print_kept(&self, control: &mut Control) {
        let kept = if self.options.profile { control.kept() } else { Vec::new() };
        if !kept.is_empty() {
            let text = journal::kept(&kept, control.sources());
            let mut state = lock(&self.shared);
            state.printer.out.flush();
            state.message(text.trim_end());
        }
    }

    /// Prints the program with its values and constraints over several terms written out.
    pub(super) fn write_expanded(&self, control: &mut Control) -> Result<u8, Failed> {
        let result = control.expanded();
        self.report(control);
        let text = result?;
        let mut state = lock(&self.shared);
        state.printer.out.buffer().extend_from_slice(text.as_bytes());
        state.printer.out.flush();
        state.finished = true;
        Ok(0)
    }

    pub(super) fn write_ground(&self, control: &mut Control, format: GroundFormat) -> Result<u8, Error> {
        let mut writer = control.ground_writer(format);
        if control.is_ground_input() {
            self.stay_near(control);
            self.write_step(control, &mut writer)?;
            while self.read_step(control)? {
                self.write_step(control, &mut writer)?;
            }
        } else if control.is_incremental() {
            let mut steps = Steps::new(control);
            while let Some(parts) = steps.next(control) {
                self.ground(control, &parts)?;
                steps.open_query(control);
                self.write_step(control, &mut writer)?;
            }
            self.print_journal(control);
        } else {
            self.ground(control, &[("base", Vec::new())])?;
            self.stay_near(control);
            self.write_step(control, &mut writer)?;
            self.print_journal(control);
        }
        let mut state = lock(&self.shared);
        state.printer.out.flush();
        state.finished = true;
        Ok(0)
    }

    pub(super) fn write_step(&self, control: &mut Control, writer: &mut GroundWriter) -> Result<(), Error> {
        let mut bytes = Vec::new();
        if let Err(error) = control.write_ground(writer, &mut bytes) {
            self.report(control);
            return Err(error);
        }
        let mut state = lock(&self.shared);
        state.printer.out.buffer().extend_from_slice(&bytes);
        state.printer.out.flush();
        self.stopped()
    }
}
