//! `asp lsp`: a language server for editors.
//!
//! [`transport`] reads and writes messages, [`server`] is the main loop: life cycle, messages in their order, cancellation; [`requests`] says which feature answers which;
//! [`documents`] the open texts, [`review`] what checking and grounding found in them, [`reviewer`] when that is done. Each
//! feature is a function of these: [`navigate`], [`rename`], [`hover`], [`complete`], [`actions`], [`outline`], [`tokens`],
//! [`hints`], [`lenses`]; [`run`] answers the questions that lenses ask.
//! Invariant: an answer depends on the open texts and the files alone, not on the edits that led to them.

mod actions;
mod client;
mod complete;
mod convert;
mod directives;
mod documents;
mod hints;
mod hover;
mod lenses;
mod navigate;
mod outline;
mod rename;
mod requests;
mod review;
mod reviewer;
mod run;
mod server;
mod tokens;
mod transport;

use std::io::{self, BufRead, BufReader, Write};

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::spec::Spec;

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "lsp", define, run: start };

fn define() -> Command {
    Command::new("lsp")
        .about("Serve an editor: messages, navigation, renaming, completion, answers while you type")
        .after_help(
            "Editors start it themselves; docs/editors.md says how to set up VS Code, Neovim, Helix and Emacs. It speaks\n\
             the language server protocol on standard input and output.\n\n\
             Exit codes: 0 after `shutdown` and `exit`, 1 if the connection ends otherwise.",
        )
        .arg(
            Arg::new("stdio")
                .long("stdio")
                .action(ArgAction::SetTrue)
                .help("Standard input and output: what it does anyway; some editors say so"),
        )
        .arg(
            Arg::new("in-turn")
                .long("in-turn")
                .action(ArgAction::SetTrue)
                .help("Do all that a message leads to before the next is read: for who asks once and listens to the end"),
        )
}

fn start(matches: &ArgMatches) -> u8 {
    language_server(BufReader::new(io::stdin()), io::stdout(), matches.get_flag("in-turn"))
}

/// Serves an editor on a connection of its own until it says `exit`; returns the exit code of `asp lsp`. `in_turn`: all that a
/// message leads to is done before the next is read.
pub fn language_server(
    input: impl BufRead + Send + 'static,
    output: impl Write + 'static,
    in_turn: bool,
) -> u8 {
    server::serve(input, output, in_turn)
}
