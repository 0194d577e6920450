//! `asp candidates FILES`: the values that are still possible.

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_base::interrupt::StopReason;
use asp_explain::count;
use asp_explain::hint;
use asp_explain::inquiry::relaxed_facts::Which;
use asp_questions::candidates;
use asp_questions::phrases::NO_ANSWER_SET;
use asp_run::exit;
use asp_run::failure::stopped;

pub(crate) const SPEC: Spec = Spec { name: "candidates", define, run };

fn define() -> Command {
    let command = Command::new("candidates")
        .about("Show which shown atoms are still possible, as a grid of pencil marks where there are cells")
        .after_help(
            "What is possible holds in some answer set. With --by-inference, it is what plain\n\
             inference from the facts does not rule out, as a person would note it before any\n\
             trying.\n\n\
             Examples:\n  asp candidates futoshiki.lp grid4.lp\n  asp candidates --by-inference sudoku.lp sudoku9-sas.lp\n\n\
             Exit codes: 0 done, 2 stopped, 20 no answer set, 65 errors.",
        );
    asking::optimal(incremental::arguments(command)).arg(
        Arg::new("by-inference")
            .long("by-inference")
            .action(ArgAction::SetTrue)
            .help("Rule out only what plain inference rules out"),
    )
}

fn run(matches: &ArgMatches) -> u8 {
    if matches.get_flag("by-inference") {
        let inquiry = match asking::open_meant(matches, Which::default()) {
            Ok(inquiry) => inquiry,
            Err(code) => return code,
        };
        return match hint::possible(&inquiry) {
            None => none(),
            Some(possible) => {
                asking::print(&candidates::text(&inquiry.control, &possible));
                0
            }
        };
    }
    let mut input = match asking::grounded(matches, true) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let control = &mut input.control;
    let status = Status::show("Solving", &control.interrupt());
    let possible: Result<Option<count::Possible>, StopReason> = count::brave(control);
    drop(status);
    match possible {
        Err(reason) => stopped(reason),
        Ok(None) => none(),
        Ok(Some(possible)) => {
            asking::print(&candidates::text(control, &possible));
            0
        }
    }
}

fn none() -> u8 {
    asking::print(NO_ANSWER_SET);
    exit::EXHAUSTED
}
