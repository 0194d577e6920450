//! `asp sample -n K --seed S FILES`: answer sets drawn at random.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::count as counting;
use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_explain::count::Effort;
use asp_explain::count::sample::{self, Drawn};
use asp_questions::listing::Printer;
use asp_run::exit;
use asp_run::failure::{note, stopped};
use asp_run::stderr::tell;

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
        "An answer set may come twice. Where the answer sets can be counted with bounded effort,\n\
         or are at most 100000, each is as likely as any other at each draw. Otherwise draws\n\
         are the ends of random walks, and a note on standard error says so: they are taken only\n\
         if walks from different starts agree on how often each atom holds.\n\n\
         Examples:\n  asp sample -n 3 --seed 7 latin-square.lp\n\n\
         Exit codes: 0 done, 20 no answer set, 2 stopped, 65 errors.",
    );
    asking::optimal(counting::project(number(incremental::arguments(command)))).arg(
        Arg::new("seed")
            .long("seed")
            .value_name("S")
            .value_parser(value_parser!(u64))
            .default_value("0")
            .help("Another seed, other answer sets; the same seed, the same ones"),
    )
}

fn run(matches: &ArgMatches) -> u8 {
    let mut input = match asking::grounded(matches, false) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let control = &mut input.control;
    let number = matches.get_one::<u64>("number").copied().unwrap_or(1);
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or(0);
    let printer = Printer::new(control);
    let status = Status::show("Drawing", &control.interrupt());
    let mut drawn = 0;
    let project = matches.get_flag("project");
    let result = sample::sample(control, number, seed, project, Effort::default(), |shown| {
        drawn += 1;
        asking::print(&format!("Answer: {drawn}\n{}\n", printer.text(shown)));
    });
    drop(status);
    match result {
        Ok(Drawn::Uniformly) => 0,
        Ok(Drawn::ByWalk(steps)) => {
            note(&format!(
                "there are too many answer sets to count them: each of these is the end of a random walk of \
                 {steps} steps, which is nearly uniform as far as four walks could test it"
            ));
            0
        }
        Ok(Drawn::Refused(steps)) => {
            tell(&format!(
                "*** stopped: there are too many answer sets to count them, and random walks of {steps} steps do not \
                 agree on how often atoms hold: no fair draw is possible here\n  `asp diverse` finds answer sets that \
                 differ much; --project or more constraints leave fewer to tell apart"
            ));
            exit::STOPPED
        }
        Ok(Drawn::Nothing) => {
            asking::print("No answer set.\n");
            exit::EXHAUSTED
        }
        Err(reason) => stopped(reason),
    }
}
