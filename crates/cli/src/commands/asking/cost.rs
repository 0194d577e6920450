//! `asp cost FILES`: what an optimal answer set costs, statement by statement.

use clap::{ArgMatches, Command};
use serde_json::json;

use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_explain::cost::{self, LevelCost};
use asp_explain::inquiry::Inquiry;
use asp_explain::inquiry::relaxed_facts::Which;
use asp_explain::renderer::Renderer;
use asp_questions::cost as told;
use asp_questions::phrases::NO_ANSWER_SET;
use asp_run::exit;
use asp_run::failure::{failed, note};

pub(crate) const SPEC: Spec = Spec { name: "cost", define, run };

fn define() -> Command {
    asking::formats(incremental::arguments(
        Command::new("cost").about("Tell what an optimal answer set costs, by weak constraint").after_help(
            "An optimal answer set is found, and each tuple of weak constraints and #minimize that counts\n\
             in it is told with its weight, under the statement that it comes from. A tuple that several\n\
             instances have counts once. What is told adds up to the cost.\n\n\
             Examples:\n  asp cost timetable.lp school3.lp\n\n\
             Exit codes: 0 told, 1 the program has no objective, 20 no answer set, 2 stopped before an\n\
             optimum was proven, 65 errors.",
        ),
    ))
}

/// Opens the program of the arguments, and finds the costs of an optimal answer set. With `integers`, constraints over integers
/// may be relaxed.
pub(in crate::commands) fn opened(
    matches: &ArgMatches,
    integers: bool,
) -> Result<(Inquiry, Vec<LevelCost>), u8> {
    let nothing = Which { files: Some(Vec::new()), integers, ..Which::default() };
    let inquiry = asking::open(matches, &nothing)?;
    if let Some(said) = told::nothing(&inquiry) {
        note(said);
        return Err(exit::NO);
    }
    let status = Status::show("Optimizing", &inquiry.control.interrupt());
    let found = cost::best(&inquiry);
    drop(status);
    match found {
        Ok(Some((_, levels))) => Ok((inquiry, levels)),
        Ok(None) => {
            let json = json!({ "levels": null });
            asking::print_told(matches, &json, || NO_ANSWER_SET.into());
            Err(exit::EXHAUSTED)
        }
        Err(error) => Err(failed(&error)),
    }
}

fn run(matches: &ArgMatches) -> u8 {
    let (inquiry, levels) = match opened(matches, false) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let renderer = Renderer::new(&inquiry);
    let json = told::json(&inquiry, &renderer, &levels);
    asking::print_told(matches, &json, || told::text(&inquiry, &renderer, &levels, matches.get_flag("full")));
    asking::write_page(matches, "What it costs", &told::sections(&inquiry, &renderer, &levels));
    0
}
