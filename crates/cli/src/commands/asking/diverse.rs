//! `asp diverse -n K FILES`: answer sets that differ from each other as much as possible.

use clap::{ArgMatches, Command};

use super::sample;
use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_explain::diverse;
use asp_questions::listing::Printer;
use asp_questions::phrases::no_others;
use asp_run::exit;
use asp_run::failure::stopped;

pub(crate) const SPEC: Spec = Spec { name: "diverse", define, run };

fn define() -> Command {
    let command =
        Command::new("diverse").about("Find answer sets that differ much from each other").after_help(
            "The distance of two answer sets is the number of shown atoms that one has and the\n\
         other has not. Each answer set after the first has the greatest possible distance to\n\
         the nearest of those before it; if the time limit stops the search for it, the best\n\
         one so far is printed and marked.\n\n\
         Examples:\n  asp diverse -n 3 graph-colouring.lp australia.lp\n\n\
         Exit codes: 0 done, 20 no answer set, 2 stopped, 65 errors.",
        );
    asking::optimal(sample::number(incremental::arguments(command)))
}

fn run(matches: &ArgMatches) -> u8 {
    let input = match asking::grounded(matches, false) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let control = &input.control;
    let number = matches.get_one::<u64>("number").copied().unwrap_or(1);
    let printer = Printer::new(control);
    let status = Status::show("Solving", &control.interrupt());
    let mut found = 0;
    let result = diverse::diverse(control, number, |member| {
        found += 1;
        asking::print(&printer.member(found, member));
    });
    drop(status);
    match result {
        Ok(()) if found == 0 && number > 0 => {
            asking::print("No answer set.\n");
            exit::EXHAUSTED
        }
        Ok(()) => {
            if (found as u64) < number {
                asking::print(&no_others(found));
            }
            0
        }
        Err(reason) => stopped(reason),
    }
}
