//! `asp cubes -n N FILES`: a program's search space in parts, for runs on any machines.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::program;
use super::spec::Spec;
use asp_options::raw::Action;
use asp_options::usage::{UsageError, UsageErrorKind};
use asp_run::run;
use asp_run::usage::tell_in_subcommand;

pub(crate) const SPEC: Spec = Spec { name: "cubes", define, run };

fn define() -> Command {
    Command::new("cubes")
        .about("Split the search space into cubes, to be searched by runs that know nothing of each other")
        .arg(
            Arg::new("number")
                .short('n')
                .long("number")
                .value_name("N")
                .default_value("16")
                .value_parser(value_parser!(u32).range(1..=1_000_000))
                .help("At most this many cubes; fewer if there is less to split"),
        )
        .arg(program::words(
            "Files and options as for a run: those that the runs on the cubes will have, too",
        ))
        .after_help(
            "Every answer set is in exactly one cube. With --project no projected answer set is in\n\
             two. The cubes are JSON lines with what holds in each, and a fingerprint of the ground\n\
             program, by which a run with other files or options is refused.\n\n\
             Examples:\n  asp cubes -n 64 queens.lp -c n=12 > cubes.jsonl\n  \
             asp queens.lp -c n=12 0 -q --outf=2 --cube=7@cubes.jsonl > 7.json\n  \
             asp cubes -n 4 queens.lp -c n=12 --cube=7@cubes.jsonl > cubes-of-7.jsonl\n  \
             asp merge cubes.jsonl cubes-of-7.jsonl --results *.json\n\n\
             Exit codes: 0 split (also by a stop, into fewer), 20 there is no answer set, 65 errors.",
        )
}

fn run(matches: &ArgMatches) -> u8 {
    let number = matches.get_one::<u32>("number").copied().unwrap_or(1);
    let arguments: Vec<String> = matches.get_many("arguments").unwrap_or_default().cloned().collect();
    match asp_options::parse(&arguments) {
        Ok(Action::Run(mut options)) => {
            options.cubes = Some(number);
            run::run(options, Vec::new())
        }
        Ok(Action::Help(_)) => super::main(&SPEC, &["--help".into()]),
        Ok(_) => {
            let message = "this option cannot be given with cubes";
            tell_in_subcommand(&UsageError::new(UsageErrorKind::Argument, message))
        }
        Err(error) => tell_in_subcommand(&error),
    }
}
