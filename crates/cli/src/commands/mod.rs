//! Subcommands: `asp NAME ARGUMENTS`, each in a file of its own; those that ask about answer sets in `asking`.
//!
//! Invariant: only a first argument that is the full name of a subcommand selects one, so `asp FILES...` is unaffected,
//! and a file named like a subcommand is reached as `./NAME`.

mod asking;
mod check;
mod cubes;
mod explain;
mod files;
mod fmt;
mod generate;
mod incremental;
mod lint;
mod lsp;
#[cfg(not(target_family = "wasm"))]
mod mcp;
mod merge;
mod messages;
mod new;
mod program;
mod python;
#[cfg(not(target_family = "wasm"))]
mod serve;
mod spec;
mod status;
mod test;
#[cfg(not(target_family = "wasm"))]
mod tune;
#[cfg(not(target_family = "wasm"))]
mod watch;

use asp_options::args::value_anywhere;
use asp_options::help;
use asp_run::run::proof::forget;
use asp_run::stderr::tell_coloured;
use asp_run::{exit, stdout, terminal};
use spec::Spec;

/// All subcommands, in the order of the help.
pub(crate) static COMMANDS: &[Spec] = &[
    new::SPEC,
    check::SPEC,
    lint::SPEC,
    explain::SPEC,
    fmt::SPEC,
    test::SPEC,
    asking::unique::SPEC,
    asking::count::SPEC,
    asking::sample::SPEC,
    asking::diverse::SPEC,
    asking::why_unsat::SPEC,
    asking::cost::SPEC,
    asking::why_cost::SPEC,
    asking::why::SPEC,
    asking::why_not::SPEC,
    asking::hint::SPEC,
    asking::candidates::SPEC,
    generate::SPEC,
    #[cfg(not(target_family = "wasm"))]
    tune::SPEC,
    lsp::SPEC,
    #[cfg(not(target_family = "wasm"))]
    mcp::SPEC,
    #[cfg(not(target_family = "wasm"))]
    serve::SPEC,
    #[cfg(not(target_family = "wasm"))]
    watch::SPEC,
    cubes::SPEC,
    merge::SPEC,
    python::SPEC,
];

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|command| command.name)
}

/// The subcommand that an argument names.
pub(crate) fn find(name: &str) -> Option<&'static Spec> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Runs a subcommand with its arguments and returns the exit code.
pub(crate) fn main(spec: &Spec, arguments: &[String]) -> u8 {
    let command = (spec.define)().no_binary_name(true).bin_name(format!("asp {}", spec.name));
    let atom = command.get_positionals().any(|p| p.get_id() == "atom");
    let shield = |a: &String| if atom && is_negative_atom(a) { format!(" {a}") } else { a.clone() };
    match command.try_get_matches_from(arguments.iter().map(shield)) {
        Ok(matches) => (spec.run)(&matches),
        Err(error) => {
            if error.use_stderr() {
                if let Some(dir) = value_anywhere(arguments, |name| name == "certify") {
                    // The claim of an earlier run says nothing of this one.
                    let _ = forget(dir);
                }
                let text = error.render();
                let is_plain =
                    !terminal::colors_messages() || arguments.iter().any(|a| a.contains(char::is_control));
                let text = if is_plain { text.to_string() } else { text.ansi().to_string() };
                tell_coloured(text.trim_end_matches('\n'));
                return exit::WRONG_USAGE;
            }
            if let Err(failed) = error.print() {
                stdout::fail(&failed);
            }
            0
        }
    }
}

/// Whether an argument is an atom such as `-p(1)`, not an option.
fn is_negative_atom(argument: &str) -> bool {
    let mut letters = argument.chars();
    let threads = argument.strip_prefix("-t").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let constant = argument.starts_with("-c") && argument.contains('=');
    let is_option = matches!(argument, "-c" | "-h" | "-q") || threads || constant;
    letters.next() == Some('-')
        && letters.next().is_some_and(|c| c.is_ascii_lowercase() || c == '_')
        && !is_option
}

/// The subcommands with what they do, in lines of a width.
pub(crate) fn list(width: usize) -> String {
    let mut text = String::new();
    for spec in COMMANDS {
        let about = (spec.define)().get_about().map(ToString::to_string).unwrap_or_default();
        let name = format!("  asp {:<12} ", spec.name);
        text.push_str(&name);
        help::wrap(&about, name.len(), width, &mut text);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_that_begin_with_a_minus_sign() {
        for (argument, expect) in [
            ("-a", true),
            ("-p(1,2)", true),
            ("-c", false),
            ("-cn=3", false),
            ("-q", false),
            ("-t4", false),
            ("-t(4)", true),
            ("--full", false),
            ("-1", false),
        ] {
            assert_eq!(is_negative_atom(argument), expect, "{argument}");
        }
    }

    #[test]
    fn definitions_are_consistent_and_go_by_their_names() {
        for spec in COMMANDS {
            let command = (spec.define)();
            assert_eq!(command.get_name(), spec.name);
            assert!(command.get_about().is_some(), "{}", spec.name);
            command.debug_assert();
            assert!(find(spec.name).is_some());
        }
    }
}
