//! `asp why-unsat FILES`: which statements and facts contradict each other.

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;

use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_explain::inquiry::relaxed_facts::{Caution, Which};
use asp_questions::phrases::CONSISTENT;
use asp_questions::why_unsat;
use asp_run::exit;
use asp_run::failure::{failed, note};

pub(crate) const SPEC: Spec = Spec { name: "why-unsat", define, run };

fn define() -> Command {
    let command = Command::new("why-unsat")
        .about("Explain why there is no answer set: which statements and facts contradict each other")
        .after_help(
            "What may be given up is each integrity constraint, each bound of a choice or head\n\
             aggregate, each comparison in a head, each #edge, and each fact. Where rules that derive\n\
             atoms contradict each other whatever else is given up, these alone are told. Facts with\n\
             intervals, such as number(1..9), say what there is: they are given up only where no other\n\
             fact takes part, or with --intervals. Of what is shown, giving up any single one lets the\n\
             others hold together.\n\n\
             Examples:\n  asp why-unsat futoshiki.lp my-grid.lp\n  asp why-unsat --facts my-grid.lp futoshiki.lp my-grid.lp\n\n\
             Exit codes: 0 explained, 1 there is an answer set, 2 stopped, 65 errors.",
        );
    asking::formats(incremental::arguments(command))
        .arg(
            Arg::new("facts")
                .long("facts")
                .value_name("FILE")
                .action(ArgAction::Append)
                .help("Only facts of these files may be given up"),
        )
        .arg(
            Arg::new("intervals")
                .long("intervals")
                .action(ArgAction::SetTrue)
                .help("Facts with intervals may be given up, too"),
        )
}

fn run(matches: &ArgMatches) -> u8 {
    let files = matches.get_many::<String>("facts").map(|names| names.cloned().collect());
    let which = Which {
        files,
        intervals: matches.get_flag("intervals"),
        sums: true,
        integers: true,
        ..Which::default()
    };
    let opener = asking::Opener::read(matches);
    let (opener, inquiry) = match opener.and_then(|o| o.open(&which).map(|inquiry| (o, inquiry))) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    if inquiry.caution > Caution::Sums {
        note("facts below negation stay as they are: grounding needs them");
    }
    let status = Status::show("Shrinking", &inquiry.control.interrupt());
    let endless = matches.contains_id("time-limit");
    let told = why_unsat::answer(inquiry, &which, &|which| opener.again(which), endless);
    drop(status);
    match told {
        Ok(None) => {
            let text = || CONSISTENT.into();
            asking::print_told(matches, &json!({ "satisfiable": true }), text);
            exit::NO
        }
        Ok(Some(told)) => {
            asking::print_told(matches, told.json(), || told.text(matches.get_flag("full")));
            if let Some(caveat) = &told.caveat {
                note(caveat);
            }
            let (title, sections) = told.page();
            asking::write_page(matches, &title, &sections);
            0
        }
        Err(error) => failed(&error),
    }
}
