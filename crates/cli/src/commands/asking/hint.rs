//! `asp hint FILES`: what is already decided, easiest to see first.

use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_explain::hint::{self, End, Hint};
use asp_explain::renderer::Renderer;
use asp_explain::tree::Section;
use asp_questions::hint as told;
use asp_questions::phrases::NO_ANSWER_SET;
use asp_run::exit;
use asp_run::failure::{failed, stopped};
use clap::{Arg, ArgMatches, Command, value_parser};

pub(crate) const SPEC: Spec = Spec { name: "hint", define, run };

fn define() -> Command {
    let command = Command::new("hint").about("Show what is already decided, easiest first, and the rules that force it").after_help(
        "A hint is a shown atom or term (cells first, where there is a grid) that holds in every\n\
         answer set and is no fact. First come those that follow by plain inference, then those\n\
         found by trying one literal at a time until it leads to a contradiction, then those that\n\
         take search. Each is explained from the facts and the hints before it.\n\n\
         Examples:\n  asp hint futoshiki.lp grid4.lp\n  asp hint -n 0 sudoku.lp sudoku9-sas.lp      all of them\n\n\
         Exit codes: 0 done, 1 nothing is decided, 2 stopped, 20 no answer set, 65 errors.",
    );
    asking::optimal(asking::formats(incremental::arguments(command))).arg(
        Arg::new("number")
            .short('n')
            .long("number")
            .value_name("K")
            .value_parser(value_parser!(usize))
            .default_value("3")
            .help("How many hints; 0 for all"),
    )
}

fn run(matches: &ArgMatches) -> u8 {
    let mut inquiry = match asking::open_meant(matches, hint::which()) {
        Ok(inquiry) => inquiry,
        Err(code) => return code,
    };
    told::speak(&mut inquiry);
    let wanted = matches.get_one::<usize>("number").copied().unwrap_or(3);
    let renderer = Renderer::new(&inquiry);
    let json_wanted = asking::wants_json(matches);
    let status = Status::show("Thinking", &inquiry.control.interrupt());
    let mut sections: Vec<Section> = Vec::new();
    let mut values = Vec::new();
    let end = hint::hints(&inquiry, wanted, |hint: &Hint| {
        if json_wanted {
            values.push(told::json(hint, &renderer));
        } else {
            asking::print(&told::text(sections.len() + 1, hint, matches.get_flag("full")));
        }
        sections.push(told::section(sections.len() + 1, hint, &renderer));
    });
    drop(status);
    let end = match end {
        Ok(end) => end,
        Err(error) => return failed(&error),
    };
    if json_wanted {
        let left = if let End::All(left) = end { Some(left) } else { None };
        asking::print(&format!("{:#}\n", told::summary(values, left)));
    }
    asking::write_page(matches, "What is already decided", &sections);
    match end {
        End::Stopped(reason) => stopped(reason),
        End::NoAnswerSet => {
            if !json_wanted {
                asking::print(NO_ANSWER_SET);
            }
            exit::EXHAUSTED
        }
        End::Enough => 0,
        End::All(left) => {
            if !json_wanted {
                asking::print(told::rest(left, sections.is_empty()).as_str());
            }
            u8::from(sections.is_empty())
        }
    }
}
