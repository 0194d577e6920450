//! `asp serve`: the page of `web/`, with this program as its engine.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};

use super::spec::Spec;
use asp_run::exit::INPUT_ERROR;
use asp_run::stderr::tell_error;

pub(crate) const SPEC: Spec = Spec { name: "serve", define, run };

fn define() -> Command {
    Command::new("serve")
        .about("Serve the page to a browser on this machine, with this program as its engine")
        .after_help(
            "It prints a link; only who has it can use the page. The files that are named are open there, and Save\n\
             writes them back; without files, the page shows what it showed last. Ctrl-C ends it.\n\
             Scripts in programs do not run unless --scripts is given.\n\n\
             Examples:\n  asp serve\n  asp serve my-puzzle.lp my-grid.lp\n\n\
             Exit codes: 0 ended by Ctrl-C, 65 a file that cannot be read, a folder without a page, or no free port.",
        )
        .arg(Arg::new("files").value_name("FILES").num_args(0..).help("Programs and instances to open"))
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16))
                .default_value("0")
                .help("The port; 0: one that is free"),
        )
        .arg(Arg::new("page").long("page").value_name("FOLDER").help("Another page than the one built in, as web/build.sh makes it"))
        .arg(
            Arg::new("scripts")
                .long("scripts")
                .action(clap::ArgAction::SetTrue)
                .help("Let programs run their scripts in Python"),
        )
}

fn run(matches: &ArgMatches) -> u8 {
    let files = matches.get_many::<String>("files").into_iter().flatten().map(PathBuf::from).collect();
    let port = matches.get_one::<u16>("port").copied().unwrap_or(0);
    let page = matches.get_one::<String>("page").map(Path::new);
    match asp_serve::serve(files, port, page, matches.get_flag("scripts")) {
        Ok(()) => 0,
        Err(message) => {
            tell_error(&message);
            INPUT_ERROR
        }
    }
}
