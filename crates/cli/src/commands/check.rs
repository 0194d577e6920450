//! `asp check FILES`: errors, warnings and lints, without solving.
//!
//! Invariant: a program without its instance is no mistake: predicates that the files do not define are reported in one
//! message, unless a defined one has a similar name.

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::failure::stopped;
use super::messages::{Format, Messages};
use super::program::{self, Input};
use super::spec::Spec;
use crate::exit;
use crate::run::steps::Steps;
use crate::stderr::tell;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::interrupt::StopReason;
use asp_base::span::Span;
use asp_control::{Control, Error};

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "check", define, run };

/// The number of instances after which the search for undefined operations and overflows ends.
const INSTANCES: u64 = 500_000;

fn define() -> Command {
    program::arguments(
        Command::new("check").about("Show errors, warnings and lints, without solving").after_help(
            "Examples:\n  asp check my-puzzle.lp\n  asp check futoshiki.lp grid4.lp\n  \
             asp check --message-format=json my-puzzle.lp\n\n\
             Exit codes: 0 no errors, 1 warnings or notes with --strict, 2 stopped, 65 errors.",
        ),
    )
    .arg(message_format())
    .arg(
        Arg::new("strict")
            .long("strict")
            .action(ArgAction::SetTrue)
            .help("Warnings and notes count, too: exit code 1"),
    )
}

/// The option `--message-format`.
pub(super) fn message_format() -> Arg {
    Arg::new("message-format")
        .long("message-format")
        .value_name("FORMAT")
        .value_parser(["text", "json"])
        .default_value("text")
        .help("Messages for people, or one JSON object a line for editors")
}

/// The value of `--message-format`.
pub(super) fn format_of(matches: &ArgMatches) -> Format {
    match matches.get_one::<String>("message-format").map(String::as_str) {
        Some("json") => Format::Json,
        _ => Format::Text,
    }
}

fn run(matches: &ArgMatches) -> u8 {
    let mut input = match Input::read_for_lints(matches) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let mut messages = Messages::new(format_of(matches), input.diagnostics.color);
    let result = look(&mut input);
    let warnings = &input.diagnostics.warnings;
    let shown =
        |d: &Diagnostic| d.severity == Severity::Error || d.kind.is_none_or(|kind| warnings.shows(kind));
    let (undefined, found): (Vec<Diagnostic>, Vec<Diagnostic>) =
        input.control.take_diagnostics().into_iter().filter(shown).partition(is_unknown_input);
    let sources = input.control.sources();
    for message in &found {
        messages.print(message, sources);
    }
    if format_of(matches) == Format::Json {
        undefined.iter().for_each(|message| messages.print(message, sources));
    } else if let Some(message) = expected(&undefined) {
        messages.print(&message, sources);
    }
    let mut stop = None;
    match result {
        Err(_) if messages.errors > 0 => {}
        Err(Error::Stopped(StopReason::StepLimit)) => {
            let text = format!("only {INSTANCES} instances were looked at");
            messages.print(&Diagnostic::info(WarningKind::Other, Span::NONE, text), sources);
        }
        Err(Error::Stopped(reason)) => stop = Some(reason),
        Err(error) => messages.print(&Diagnostic::error(Span::NONE, error.summary()), sources),
        Ok(()) => {}
    }
    if format_of(matches) == Format::Text {
        tell(&messages.summary());
    }
    match (messages, stop) {
        (Messages { errors: 1.., .. }, _) => exit::INPUT_ERROR,
        (_, Some(reason)) => stopped(reason),
        (Messages { warnings: 0, notes: 0, .. }, None) => 0,
        _ if matches.get_flag("strict") => exit::NO,
        _ => 0,
    }
}

/// Grounds what can be grounded: the base and, in the incremental mode, the first step.
pub(super) fn look(input: &mut Input) -> Result<(), Error> {
    look_within(&mut input.control, INSTANCES)
}

/// The same of a control, up to a number of instances. Errors do not hide what else can be told; they end it before
/// anything is instantiated.
pub(super) fn look_within(control: &mut Control, instances: u64) -> Result<(), Error> {
    (control.settings.instance_limit, control.settings.review) = (instances, true);
    let parsed = control.parse();
    if control.is_incremental() {
        // All at once, so that what a step defines is known where the base refers to it.
        let mut steps = Steps::new(control);
        let mut parts = steps.next(control).unwrap_or_default();
        parts.extend(steps.next(control).unwrap_or_default());
        control.ground_parts(&parts)?;
    } else {
        control.ground()?;
    }
    parsed?;
    control.lower()
}

/// Whether a message is about a predicate that an instance may define: no defined one has a similar name.
pub(super) fn is_unknown_input(message: &Diagnostic) -> bool {
    message.kind == Some(WarningKind::AtomUndefined)
        && message.severity != Severity::Error
        && message.help.is_empty()
}

/// One message about all predicates that are not defined.
fn expected(undefined: &[Diagnostic]) -> Option<Diagnostic> {
    let name = |message: &Diagnostic| message.message.split('`').nth(1).map(|name| format!("`{name}`"));
    let names: Vec<String> = undefined.iter().filter_map(name).collect();
    if names.is_empty() {
        return None;
    }
    let text = format!("no rule here has the head {}", names.join(", "));
    Some(
        Diagnostic::info(WarningKind::AtomUndefined, Span::NONE, text)
            .help("an instance may state them; `#defined name/arity.` says that they may be absent"),
    )
}
