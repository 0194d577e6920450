//! `asp mcp`: tools for agents, by the Model Context Protocol on standard input and output.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use asp_run::exit;
use asp_run::stderr::tell_error;

use super::spec::Spec;

pub(crate) const SPEC: Spec = Spec { name: "mcp", define, run };

fn define() -> Command {
    Command::new("mcp")
        .about("Tools for agents, by the Model Context Protocol on standard input and output")
        .after_help(
            "The tools check, solve, count, why, why-unsat, explain, fmt and test take a program as text, or files of the\n\
             folder; no others are read, none is written, and scripts do not run.\n\n\
             Example, as clients name it:\n  { \"command\": \"asp\", \"args\": [\"mcp\", \"--folder=FOLDER\"] }\n\n\
             Exit codes: 0 at the end of the input, 2 ended by a signal, 65 there is no such folder.",
        )
        .arg(
            Arg::new("folder")
                .long("folder")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .help("Read files below it; without it below the working folder, unless that is a root"),
        )
        .arg(
            Arg::new("time")
                .long("time-limit")
                .value_name("SECONDS")
                .value_parser(value_parser!(u32).range(1..=86_400))
                .default_value("10")
                .help("Time that each call may take"),
        )
        .arg(
            Arg::new("memory")
                .long("memory-limit")
                .value_name("MB")
                .value_parser(value_parser!(u32).range(16..))
                .default_value("1000")
                .help("Memory that each call may take"),
        )
        .arg(
            Arg::new("reply")
                .long("reply-limit")
                .value_name("KB")
                .value_parser(value_parser!(u32).range(1..=1000))
                .default_value("64")
                .help("How long a reply may be; of what is longer the beginning is told"),
        )
}

fn run(matches: &ArgMatches) -> u8 {
    let limit = |name| matches.get_one::<u32>(name).copied().unwrap_or(0);
    let limits =
        asp_mcp::Limits { seconds: limit("time"), megabytes: limit("memory"), kilobytes: limit("reply") };
    let folder = matches.get_one::<PathBuf>("folder");
    asp_mcp::serve(limits, folder.map(PathBuf::as_path)).unwrap_or_else(|why| {
        let name = folder.map_or_else(|| "the working folder".into(), |folder| folder.display().to_string());
        tell_error(&format!("files cannot be read in {name}: {why}"));
        exit::INPUT_ERROR
    })
}
