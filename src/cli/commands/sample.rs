//! `asp sample -n K --seed S FILES`: answer sets drawn at random.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::asking::{self, Printer};
use super::count as counting;
use super::failure::stopped;
use super::incremental;
use super::spec::Spec;
use super::status::Status;
use crate::cli::exit;
use crate::explain::count::{self, Drawn};

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "sample", define, run };

/// The option that says how many answer sets are wanted.
pub(crate) fn number(command: Command) -> Command {
    command.arg(
        Arg::new("number")
            .short('n')
            .long("number")
            .value_name("K")
            .value_parser(value_parser!(u64).range(1..))
            .default_value("1")
            .help("How many answer sets"),
    )
}

fn define() -> Command {
    let command = Command::new("sample").about("Draw answer sets at random").after_help(
        "Each draw is independent of the others, so an answer set may come twice. Where the\n\
         answer sets can be counted (programs without positive recursion, or with at most\n\
         100000 answer sets), each is as likely as any other; otherwise a note on standard\n\
         error says that they come from random decisions of the search.\n\n\
         Examples:\n  asp sample -n 3 --seed 7 latin-square.lp\n\n\
         Exit codes: 0 done, 20 no answer set, 2 stopped, 65 errors.",
    );
    counting::project(number(incremental::arguments(command))).arg(
        Arg::new("seed")
            .long("seed")
            .value_name("S")
            .value_parser(value_parser!(u64))
            .default_value("0")
            .help("Another seed, other answer sets; the same seed, the same ones"),
    )
}

fn run(matches: &ArgMatches) -> u8 {
    let mut input = match incremental::grounded(matches, false) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let control = &mut input.control;
    asking::note_costs(control);
    let number = matches.get_one::<u64>("number").copied().unwrap_or(1);
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or(0);
    let printer = Printer::new(control);
    let status = Status::show("Drawing", &control.interrupt());
    let mut drawn = 0;
    let result = count::sample(control, number, seed, matches.get_flag("project"), |_, shown| {
        drawn += 1;
        asking::print(&format!("Answer: {drawn}\n{}\n", printer.text(shown)));
    });
    drop(status);
    match result {
        Ok(Drawn::Uniformly) => 0,
        Ok(Drawn::ByRandomSearch) => {
            eprintln!("note: drawn by random decisions, not all answer sets were equally likely");
            0
        }
        Ok(Drawn::Nothing) => {
            asking::print("No answer set.\n");
            exit::EXHAUSTED
        }
        Err(reason) => stopped(reason),
    }
}
