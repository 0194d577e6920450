//! `asp lint FILES`: what is legal but often a mistake; `--fix` mends what can be mended safely.
//!
//! Invariant: mending keeps the answer sets, the layout and the comments.

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::check::{format_of, look, message_format};
use super::files;
use super::fmt::readable;
use super::messages::{Format, Messages};
use super::program::{self, Input};
use super::spec::Spec;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::interrupt::StopReason;
use asp_control::Error;
use asp_format::mend::mend;
use asp_run::exit;
use asp_run::failure::stopped;
use asp_run::stderr::tell;

pub(crate) const SPEC: Spec = Spec { name: "lint", define, run };

fn define() -> Command {
    program::arguments(
        Command::new("lint").about("Show what is legal and often a mistake, or mend it").after_help(
            "--fix mends, in place, what means the same afterwards: a variable that occurs once becomes `_`, `X != Y` that\n\
             finds each pair twice becomes `X < Y`.\n\n\
             Examples:\n  asp lint my-puzzle.lp\n  asp lint --fix my-puzzle.lp\n\n\
             Exit codes: 0 nothing found (or left, with --fix), 1 something found, 2 stopped, 65 errors.",
        ),
    )
    .arg(
        Arg::new("fix")
            .long("fix")
            .action(ArgAction::SetTrue)
            .help("Mend the files in place, then show what is left"),
    )
    .arg(message_format())
}

fn run(matches: &ArgMatches) -> u8 {
    if matches.get_flag("fix")
        && let Err(code) = files::rewrite(matches, mended)
    {
        return code;
    }
    let mut input = match Input::read_for_lints(matches) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let mut messages = Messages::new(format_of(matches), input.diagnostics.color);
    // The messages say why else grounding ended.
    let stop = match look(&mut input) {
        Err(Error::Stopped(reason)) if reason != StopReason::StepLimit => Some(reason),
        _ => None,
    };
    let found: Vec<Diagnostic> = input.control.take_diagnostics();
    let wanted = |d: &&Diagnostic| match d.kind {
        Some(kind) => {
            input.diagnostics.warnings.shows(kind)
                && matches!(kind, WarningKind::Lint(_) | WarningKind::GlobalVariable)
        }
        None => d.severity == Severity::Error,
    };
    found.iter().filter(wanted).for_each(|d| messages.print(d, input.control.sources()));
    if format_of(matches) == Format::Text {
        tell(&messages.summary());
    }
    match (messages, stop) {
        (Messages { errors: 1.., .. }, _) => exit::INPUT_ERROR,
        (_, Some(reason)) => stopped(reason),
        (Messages { warnings: 0, notes: 0, .. }, None) => 0,
        _ => exit::NO,
    }
}

/// A text that is written better, and the number of changes.
fn mended(name: &str, bytes: Vec<u8>) -> Result<(String, usize), u8> {
    readable(name, bytes).map(|text| mend(name, &text)).ok_or(exit::INPUT_ERROR)
}
