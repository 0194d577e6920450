//! `asp lsp`: a language server for editors.

use std::io::{self, BufReader};

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::spec::Spec;

pub(crate) const SPEC: Spec = Spec { name: "lsp", define, run };

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

fn run(matches: &ArgMatches) -> u8 {
    asp_lsp::serve(BufReader::new(io::stdin()), io::stdout(), matches.get_flag("in-turn"))
}
