//! The stages of a run: read, parse, ground, then solve once, step by step, or not at all.

use std::sync::Arc;

use super::proof::forget;
#[cfg(feature = "lua")]
use super::proof::refused;
use super::script::Scripts;
use super::state::{CallState, lock};
use super::steps::Steps;
use super::work::{Failed, Run, print};
use crate::open;
use crate::usage::tell;
use asp_control::{Control, Error, Report};
use asp_options::raw::Mode;
use asp_options::usage::{UsageError, UsageErrorKind};

impl Run {
    /// A control with the options of the run.
    pub fn control(&self) -> Control {
        let mut control = open::for_options(&self.options, self.interrupt.clone());
        if self.scripts.is_none() {
            // The program that runs this one may read its atoms.
            control.settings.ground.lazy = None;
        }
        control
    }

    pub(super) fn stages(self: &Arc<Self>) -> Result<u8, Failed> {
        if let Some(dir) = &self.options.proof {
            forget(dir)?;
        }
        let mut control = self.control();
        let (diagnostics, shared) = (self.diagnostics.clone(), Arc::clone(&self.shared));
        control.set_listener(move |message, sources| {
            if let Some(text) = diagnostics.text(message, sources) {
                print(&mut lock(&shared), &[text]);
            }
        });
        if let Some(scripts) = &self.scripts {
            scripts.watch(&mut control, &self.shared, self.options.proof.is_some());
        }
        self.read(&mut control)?;
        if self.options.expand {
            return self.write_expanded(&mut control);
        }
        self.parse(&mut control)?;
        #[cfg(feature = "lua")]
        if let Some(host) = self.scripts.as_ref().and_then(Scripts::lua) {
            host.install(&mut control);
            if let Some(main) = host.main() {
                if self.options.proof.is_some() {
                    return Err(refused("what a script or another program solves").into());
                }
                return Ok(super::lua::call(&main, self, &host, control));
            }
        }
        self.solve(&mut control)
    }

    /// Parses what was read.
    pub(super) fn parse(&self, control: &mut Control) -> Result<(), Failed> {
        let result = if self.options.mode == Mode::Clasp { control.read_ground() } else { control.parse() };
        match self.scripts.as_ref().and_then(Scripts::run) {
            Some(Ok(code)) => {
                lock(&self.shared).finished = true;
                return Err(Failed::Code(code));
            }
            Some(Err(why)) => control.push_diagnostic(why),
            None => {}
        }
        self.head();
        if self.report(control) || result.is_err() {
            return Err(result.err().unwrap_or_else(|| Error::Parse(Report::told("parsing failed"))).into());
        }
        Ok(())
    }

    /// Grounds what was parsed, and solves it or writes it.
    pub(super) fn solve(&self, control: &mut Control) -> Result<u8, Failed> {
        if let Some(format) = self.options.ground_format {
            return Ok(self.write_ground(control, format)?);
        }
        if let Some(wanted) = self.options.cubes {
            return Ok(self.write_cubes(control, wanted)?);
        }
        if control.is_incremental() {
            let refused = [
                (self.options.proof.is_some(), "'proof': a program that is solved in steps cannot be proven"),
                (
                    self.options.near.is_some(),
                    "'near': a program that is solved in steps has no such objective",
                ),
            ];
            if let Some((_, message)) = refused.into_iter().find(|r| r.0) {
                let error = UsageError::new(UsageErrorKind::Argument, message.to_string());
                return Err(Failed::Code(tell(&error)));
            }
        }
        Ok(if control.is_incremental() {
            self.solve_incrementally(control)?
        } else {
            self.solve_once(control)?
        })
    }

    fn solve_once(&self, control: &mut Control) -> Result<u8, Error> {
        self.open_call();
        if !control.is_ground_input() {
            self.ground(control, &[("base", Vec::new())])?;
        }
        self.stay_near(control);
        let grounded = self.start.elapsed().as_secs_f64();
        if self.options.explain_rewrites || self.options.profile {
            self.prepare(control)?;
            self.print_journal(control);
        }
        let mut result = self.call(control, grounded)?;
        while result.interrupted().is_none()
            && !lock(&self.shared).printer.out.is_closed()
            && self.next_step(control)?
        {
            result = self.call(control, self.start.elapsed().as_secs_f64())?;
        }
        self.print_kept(control);
        Ok(self.end(control))
    }

    /// Reads the next step of a ground program, if there is one. During that a call is open.
    fn next_step(&self, control: &mut Control) -> Result<bool, Error> {
        let last = lock(&self.shared).summary.clone();
        self.open_call();
        let found = self.read_step(control)?;
        if !found {
            let mut state = lock(&self.shared);
            state.summary = last;
            state.call = CallState::Ended;
        }
        Ok(found)
    }

    fn solve_incrementally(&self, control: &mut Control) -> Result<u8, Error> {
        let mut steps = Steps::new(control);
        while let Some(parts) = steps.next(control) {
            self.open_call();
            self.ground(control, &parts)?;
            steps.open_query(control);
            let grounded = self.start.elapsed().as_secs_f64();
            let result = self.call(control, grounded)?;
            if result.interrupted().is_some()
                || steps.are_done(&result)
                || lock(&self.shared).printer.out.is_closed()
            {
                break;
            }
        }
        self.print_journal(control);
        self.print_kept(control);
        Ok(self.end(control))
    }
}
