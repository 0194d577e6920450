//! `asp mcp`: tools for agents, by the Model Context Protocol on standard input and output.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::spec::Spec;

pub(crate) const SPEC: Spec = Spec { name: "mcp", define, run };

fn define() -> Command {
    Command::new("mcp")
        .about("Tools for agents, by the Model Context Protocol on standard input and output")
        .after_help(
            "The tools check, solve, count, why, why-unsat, explain, fmt and test take a program as text, or files of the\n\
             folder in which asp mcp was started; no others are read, none is written, and scripts do not run.\n\n\
             Example, as clients name it:\n  { \"command\": \"asp\", \"args\": [\"mcp\"] }\n\n\
             Exit codes: 0 at the end of the input, 2 ended by a signal.",
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
}

fn run(matches: &ArgMatches) -> u8 {
    let limit = |name| matches.get_one::<u32>(name).copied().unwrap_or(0);
    asp_mcp::serve(asp_mcp::Limits { seconds: limit("time"), megabytes: limit("memory") })
}
