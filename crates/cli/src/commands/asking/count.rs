//! `asp count FILES`: the exact number of answer sets, or a lower bound.

use clap::{Arg, ArgAction, ArgMatches, Command};
use num_bigint::BigUint;

use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_explain::count::{self, Counted, bound};
use asp_run::exit;
use asp_run::failure::{note, stopped};

pub(crate) const SPEC: Spec = Spec { name: "count", define, run };

/// The option that makes answer sets that show the same count as one.
pub(crate) fn project(command: Command) -> Command {
    command.arg(
        Arg::new("project")
            .long("project")
            .action(ArgAction::SetTrue)
            .help("Count answer sets that show the same once"),
    )
}

fn define() -> Command {
    asking::optimal(project(incremental::arguments(
        Command::new("count").about("Count answer sets exactly, without visiting each where the program allows it").after_help(
            "Answer sets are counted by splitting the search into independent parts and\n\
             remembering the count of each part, and enumerated in turns with that; parts with\n\
             disjunctions in a cycle or very large cycles are enumerated. A count is exact. If there\n\
             are far too many answer sets, 'at least N' is printed instead, and a note says how\n\
             certain that is; --time-limit sets how long to count before that.\n\n\
             Examples:\n  asp count graph-colouring.lp australia.lp\n  asp count --project latin-square.lp -c n=4\n\n\
             Exit codes: 0 counted, 20 there is none (the count is 0), 2 stopped or given up before it\n\
             was known, 65 errors.",
        ),
    )))
}

fn run(matches: &ArgMatches) -> u8 {
    let mut input = match asking::grounded(matches, false) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let status = Status::show("Counting", &input.control.interrupt());
    // A limit on time says how long to try.
    let patient = matches.contains_id("time-limit");
    let counted = count::count_or_bound(&mut input.control, matches.get_flag("project"), patient);
    drop(status);
    match counted {
        Counted::Exactly(number) => {
            asking::print(&format!("{number}\n"));
            if number == BigUint::ZERO { exit::EXHAUSTED } else { 0 }
        }
        Counted::Probably(bits) => {
            asking::print(&format!("at least {}\n", power(bits)));
            note(&format!(
                "there are too many answer sets to count them; the bound comes from {} random probes and is too high \
                 with a probability of at most 1/{}\n  --time-limit=SECONDS counts on until then, 0 without an end",
                bound::PROBES,
                1 << bound::PROBES
            ));
            exit::STOPPED
        }
        Counted::Stopped(reason, found) => {
            if found > 0 {
                asking::print(&format!("at least {found}\n"));
            }
            stopped(reason)
        }
    }
}

/// Two to a power, rounded down to one decimal digit.
fn power(bits: f64) -> String {
    let log = bits * std::f64::consts::LOG10_2;
    let digit = 10f64.powf(log.fract()).floor().clamp(1.0, 9.0);
    if log < 6.0 { format!("{}", bits.exp2().floor()) } else { format!("{digit}*10^{}", log.floor()) }
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn bounds_are_rounded_down() {
        assert_eq!(power(0.0), "1");
        assert_eq!(power(10.0), "1024");
        assert_eq!(power(40.0), "1*10^12");
        assert_eq!(power(43.0), "8*10^12");
    }
}
