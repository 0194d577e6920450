//! `asp why-cost FILES`: why no answer set costs less than the optimal ones.

use clap::{ArgMatches, Command};
use serde_json::{Value, json};

use super::cost as costs;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use crate::commands::{asking, incremental};
use asp_explain::cost;
use asp_explain::renderer::Renderer;
use asp_explain::tree::Section;
use asp_questions::cost as told;
use asp_run::failure::failed;

pub(crate) const SPEC: Spec = Spec { name: "why-cost", define, run };

fn define() -> Command {
    asking::formats(incremental::arguments(
        Command::new("why-cost").about("Explain why no answer set costs less: which statements see to that").after_help(
            "For each level, most important first: constraints, bounds of choices, comparisons, #edge and\n\
             weak constraints that leave no answer set below the least cost, while more important levels\n\
             cost no more than they do. If any one of them is given up, the others leave one. A weak\n\
             constraint that is given up costs nothing (with a negative weight: is gained in any case).\n\
             Facts and rules that derive atoms are not given up.\n\n\
             Examples:\n  asp why-cost timetable.lp school3.lp\n\n\
             Exit codes: 0 explained, 1 the program has no objective, 20 no answer set, 2 stopped, 65 errors.",
        ),
    ))
}

fn run(matches: &ArgMatches) -> u8 {
    let (inquiry, levels) = match costs::opened(matches, true) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let renderer = Renderer::new(&inquiry);
    let interrupt = inquiry.control.interrupt();
    let (mut values, mut sections) = (Vec::<Value>::new(), Vec::new());
    let endless = matches.contains_id("time-limit");
    let json_wanted = asking::wants_json(matches);
    if !json_wanted {
        asking::print(&format!("{}\n", told::line(&levels)));
    }
    for index in 0..levels.len() {
        let status = Status::show("Shrinking", &interrupt);
        let report = &mut |parts| interrupt.note_instances(parts as u64);
        let reason = cost::why_not_less(&inquiry, &levels, index, endless, report);
        drop(status);
        let reason = match reason {
            Ok(reason) => reason,
            Err(error) => return failed(&error),
        };
        let message = told::message(&inquiry, &levels, index, &reason);
        if json_wanted {
            values.push(told::reason_json(&renderer, &inquiry, &levels[index], &reason));
        } else {
            asking::print(&format!("\n{message}"));
        }
        sections.push(Section { lines: message, ..Section::default() });
    }
    if json_wanted {
        asking::print(&format!("{:#}\n", json!({ "levels": values })));
    }
    asking::write_page(matches, "Why it does not cost less", &sections);
    0
}
