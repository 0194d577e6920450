//! `asp check FILES`: errors, warnings and lints, without solving.
//!
//! Invariant: a program without its instance is no mistake: predicates that the files do not define are reported in one
//! message, unless a defined one has a similar name.

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::files;
use super::messages::{Format, Messages};
use super::program::{self, Input};
use super::spec::Spec;
use asp_analysis::repair::repair;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::interrupt::StopReason;
use asp_base::span::Span;
use asp_control::Error;
use asp_run::exit;
use asp_run::failure::stopped;
use asp_run::look::{self, is_unknown_input};
use asp_run::stderr::{tell, tell_error};

pub(crate) const SPEC: Spec = Spec { name: "check", define, run };

/// The number of instances after which the search for undefined operations and overflows ends.
const INSTANCES: u64 = 500_000;

fn define() -> Command {
    program::arguments(
        Command::new("check").about("Show errors, warnings and lints, without solving").after_help(
            "Examples:\n  asp check my-puzzle.lp\n  asp check futoshiki.lp grid4.lp\n  \
             asp check --message-format=json my-puzzle.lp\n  asp check --fix my-puzzle.lp\n\n\
             --fix puts in what is missing where a message leaves no doubt: a `.` at the end of a line, a `,` or `:-`, signs of\n\
             other languages, directives that are misspelt. `asp lint --fix` mends what is legal.\n\n\
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
    .arg(
        Arg::new("fix")
            .long("fix")
            .action(ArgAction::SetTrue)
            .help("Mend in place what cannot be read as it stands, then show what is left"),
    )
}

/// A text that can be read as it is meant, and what was done to it.
fn repaired(name: &str, bytes: Vec<u8>) -> Result<(String, usize), u8> {
    let text = String::from_utf8(bytes).map_err(|_| {
        tell_error(&format!("{name} is not UTF-8"));
        exit::INPUT_ERROR
    })?;
    let (text, done) = repair(&text);
    done.iter().for_each(|(line, what)| tell(&format!("{name}:{line}: {what}")));
    Ok((text, done.len()))
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
    if matches.get_flag("fix")
        && let Err(code) = files::rewrite(matches, repaired)
    {
        return code;
    }
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
            // Of a recursion without an end it is said above how it gets one.
            if !found.iter().any(|message| message.kind == Some(WarningKind::Termination)) {
                let text = format!("the program has more than {INSTANCES} instances");
                let told = Diagnostic::info(WarningKind::Other, Span::NONE, text)
                    .help("what follows from them was not looked at");
                messages.print(&told, sources);
            }
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

/// Looks at what can be grounded.
pub(super) fn look(input: &mut Input) -> Result<(), Error> {
    look::look(&mut input.control, INSTANCES)
}

/// How many other places a message shows.
const MAX_PLACES: usize = 4;

/// One message about all predicates that are not defined.
fn expected(undefined: &[Diagnostic]) -> Option<Diagnostic> {
    let name = |message: &Diagnostic| message.message.split('`').nth(1).map(|name| format!("`{name}`"));
    let names: Vec<String> = undefined.iter().filter_map(name).collect();
    if names.is_empty() {
        return None;
    }
    let text = format!("no rule here has the head {}", names.join(", "));
    let mut places = undefined.iter().filter_map(|message| message.labels.first()).map(|label| label.span);
    let told = Diagnostic::info(WarningKind::AtomUndefined, places.next().unwrap_or(Span::NONE), text);
    let told = places.take(MAX_PLACES).fold(told, |told, place| told.label(place, ""));
    Some(told.help("an instance may state them; `#defined name/arity.` says that they may be absent"))
}
