//! `asp merge CUBES --results RESULTS`: the results of the runs on a program's cubes, merged.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;

use super::asking;
use super::spec::Spec;
use crate::cube::merge::{Merged, Mode, join, merge};
use crate::cube::result;
use asp_options::cube as file;
use asp_run::bounds;
use asp_run::exit;
use asp_run::failure::note;
use asp_run::stderr::tell_error;

pub(crate) const SPEC: Spec = Spec { name: "merge", define, run };

fn define() -> Command {
    let files = |name: &'static str, help: &'static str| {
        Arg::new(name).value_name("FILES").num_args(1..).required(true).help(help)
    };
    Command::new("merge")
        .about("Merge the results of runs on the cubes of a program")
        .arg(files("cubes", "Files of cubes: those of the program, and those of cubes that were split"))
        .arg(
            files("results", "Outputs of runs with --cube and --outf=2")
                .long("results")
                .num_args(0..)
                .required(false),
        )
        .arg(
            Arg::new("bound-file")
                .long("bound-file")
                .value_name("FILE")
                .help("The file that the runs had as --bound-file: its best answer set counts, too"),
        )
        .arg(asking::format())
        .arg(
            Arg::new("quiet")
                .short('q')
                .long("quiet")
                .action(ArgAction::SetTrue)
                .help("Print no answer sets"),
        )
        .after_help(
            "A cube counts once, however many results it has, and by its parts if it was split. The\n\
             result is exact only if each cube is closed; otherwise it says how far it goes: at\n\
             least so many answer sets, costs between two bounds. A result that cannot be read whole\n\
             is left out with a note.\n\n\
             Examples:\n  asp merge cubes.jsonl --results results/*.json\n\n\
             Exit codes: those of a run: 10 satisfiable, 20 unsatisfiable, 30 satisfiable and all\n\
             was searched, 0 nothing is known; 65 errors.",
        )
}

fn run(matches: &ArgMatches) -> u8 {
    let names = |key: &str| matches.get_many::<String>(key).unwrap_or_default();
    let merged =
        names("cubes").map(|name| file::read(name)).collect::<Result<Vec<_>, _>>().and_then(|files| {
            let mut results = Vec::new();
            for name in names("results") {
                match result::read(name) {
                    Ok(result) => results.push(result),
                    Err(why) => note(&format!("{why}; it counts as lost")),
                }
            }
            let noted =
                matches.get_one::<String>("bound-file").map(|name| bounds::best_of(name)).transpose()?;
            merge(&files, &results, noted.flatten())
        });
    let merged = match merged {
        Ok(merged) => merged,
        Err(why) => {
            tell_error(&why);
            return exit::INPUT_ERROR;
        }
    };
    merged.notes.iter().for_each(|text| note(text));
    let shows = !matches.get_flag("quiet");
    asking::print(&if asking::wants_json(matches) {
        as_json(&merged, shows)
    } else {
        as_text(&merged, shows)
    });
    let found = if merged.is_satisfiable { exit::SATISFIABLE } else { 0 };
    found | if merged.is_exhausted { exit::EXHAUSTED } else { 0 }
}

fn status(merged: &Merged) -> &'static str {
    match (merged.is_satisfiable, merged.is_exhausted) {
        (true, _) if merged.is_optimal => "OPTIMUM FOUND",
        (true, _) => "SATISFIABLE",
        (false, true) => "UNSATISFIABLE",
        (false, false) => "UNKNOWN",
    }
}

fn as_text(merged: &Merged, shows: bool) -> String {
    let mut text = String::new();
    for (at, witness) in merged.witnesses.iter().enumerate().filter(|_| shows) {
        let Some(shown) = &witness.shown else { continue };
        let _ = match merged.mode {
            Mode::Brave | Mode::Cautious => writeln!(text, "Consequences:\n{}", shown.join(" ")),
            _ => writeln!(text, "Answer: {}\n{}", at + 1, shown.join(" ")),
        };
        if let Some(costs) = &witness.costs {
            let _ = writeln!(text, "Optimization: {}", join(costs));
        }
    }
    let _ = writeln!(text, "{}\n", status(merged));
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key:<13}: {value}");
    };
    let extent =
        |exact: &str, open: &str| if merged.is_exhausted { exact.to_string() } else { open.to_string() };
    match merged.mode {
        Mode::Models => line("Models", &format!("{}{}", extent("", "at least "), merged.models)),
        Mode::Brave => line("Brave", &extent("yes", "at least these")),
        Mode::Cautious => line("Cautious", &extent("yes", "at most these")),
        Mode::Opt | Mode::OptN => {
            line("Optimum", if merged.is_optimal { "yes" } else { "unknown" });
            if merged.mode == Mode::OptN {
                line("  Optimal", &format!("{}{}", extent("", "at least "), merged.models));
            }
            if let Some(costs) = &merged.costs {
                line("Optimization", &join(costs));
            }
            if let Some(lower) = &merged.lower {
                line("Lower bound", &join(lower));
            }
        }
    }
    let closed = merged.cubes - merged.open.len();
    line("Cubes", &format!("{closed} of {} closed", merged.cubes));
    if !merged.open.is_empty() {
        line("Open", &merged.open.join(" "));
    }
    text
}

fn as_json(merged: &Merged, shows: bool) -> String {
    let witness = |w: &result::Witness| json!({ "Value": w.shown, "Costs": w.costs });
    let witnesses: Vec<_> = merged.witnesses.iter().filter(|_| shows).map(witness).collect();
    let value = json!({
        "Result": status(merged),
        "Exact": merged.is_exhausted,
        "Models": merged.models,
        "Costs": merged.costs,
        "Lower": merged.lower,
        "Cubes": { "Number": merged.cubes, "Open": merged.open },
        "Witnesses": witnesses,
    });
    format!("{value:#}\n")
}
