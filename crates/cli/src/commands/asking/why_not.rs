//! `asp why-not ATOM FILES`: why an atom does not hold.

use clap::{ArgMatches, Command};

use super::why;
use crate::commands::spec::Spec;

pub(crate) const SPEC: Spec = Spec { name: "why-not", define, run };

fn define() -> Command {
    let command = Command::new("why-not").about("Explain why an atom does not hold").after_help(
        "An atom that holds in no answer set is explained by the rules that forbid it, step by\n\
         step from the facts. One that holds in some answer sets only is explained in one where\n\
         it does not: what keeps each of its rules from deriving it.\n\n\
         Examples:\n  asp why-not 'cell_has_number(1,1,1)' futoshiki.lp grid4.lp\n\n\
         Exit codes: 0 there is an answer set without it, 1 it holds in every one, 2 stopped,\n\
         3 no rule has such an atom as its head, 20 no answer set, 65 errors.",
    );
    why::atom_argument(command)
}

fn run(matches: &ArgMatches) -> u8 {
    why::answer(matches, true)
}
