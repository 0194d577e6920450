//! `asp why ATOM FILES`: why an atom holds.

use clap::{Arg, ArgMatches, Command};

use crate::commands::asking;
use crate::commands::incremental;
use crate::commands::spec::Spec;
use crate::commands::status::Status;
use asp_explain::atom;
use asp_explain::model_filter::ModelFilter;
use asp_questions::Verdict;
use asp_questions::why::{self, About};
use asp_run::failure::{failed, note};
use asp_run::stderr::{tell, tell_error};
use asp_run::{exit, library};

pub(crate) const SPEC: Spec = Spec { name: "why", define, run };

/// Adds the argument that names the atom before those that name the program.
pub(crate) fn atom_argument(command: Command) -> Command {
    asking::optimal(asking::formats(incremental::arguments(command)))
        .arg(
            Arg::new("atom")
                .value_name("ATOM")
                .index(1)
                .required(true)
                .help("The atom, as answer sets show it; or x=3, x>=3 of an integer variable"),
        )
        .arg(
            Arg::new("in")
                .long("in")
                .value_name("FILE")
                .help("In the answer set that FILE holds as asp prints it (the last one; -: standard input)"),
        )
        .mut_arg("files", |files| files.index(2))
}

fn define() -> Command {
    let command = Command::new("why").about("Explain why an atom holds").after_help(
        "An atom that holds in every answer set is explained by the rules that force it, step\n\
         by step from the facts. One that holds in some answer sets only is explained in one of\n\
         them: by its derivation down to facts and choices. --in FILE says in which one.\n\n\
         Examples:\n  asp why 'cell_has_number(1,1,3)' futoshiki.lp grid4.lp\n  asp my-program.lp > answer.txt; asp why --in answer.txt 'reached(5)' my-program.lp\n  asp why --html why.html 'reached(5)' my-program.lp\n\n\
         Exit codes: 0 it holds in some answer set, 1 it holds in none, 2 stopped, 3 no rule has\n\
         such an atom as its head, 20 no answer set, 65 errors.",
    );
    atom_argument(command)
}

fn run(matches: &ArgMatches) -> u8 {
    answer(matches, false)
}

/// Answers why an atom holds, or why not.
pub(crate) fn answer(matches: &ArgMatches, not: bool) -> u8 {
    let text = matches.get_one::<String>("atom").map_or("", String::as_str);
    let (text, name, arity) = match atom::parse(text) {
        Ok(parsed) => parsed,
        Err(message) => {
            let opener = asking::Opener::read(matches).ok();
            let opened = opener.and_then(|opener| opener.meant(matches, why::which()).ok());
            let instances = opened.and_then(|(inquiry, _)| atom::instances(&inquiry, text));
            tell_error(&instances.unwrap_or(message));
            if library::read(text).is_ok() {
                let name = if not { "why-not" } else { "why" };
                tell(&format!("  `{text}` is a file; the atom comes first: asp {name} 'p(1,a)' {text}"));
                if matches.get_flag("quiet") {
                    tell(&format!(
                        "  `-q` is an option here; the atom is written so: asp {name} -- -q {text}"
                    ));
                }
            }
            return exit::INPUT_ERROR;
        }
    };
    let given = match matches.get_one::<String>("in").map(|file| given(file)).transpose() {
        Ok(given) => given,
        Err(message) => {
            tell_error(&message);
            return exit::INPUT_ERROR;
        }
    };
    let opened = asking::Opener::read(matches).and_then(|opener| {
        opener.meant(matches, why::which()).map(|(inquiry, which)| (opener, inquiry, which))
    });
    let (opener, inquiry, which) = match opened {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let status = Status::show("Solving", &inquiry.control.interrupt());
    let about = About { atom: (text, name, arity), not, given: given.as_ref(), which };
    let told = why::answer(inquiry, &|which| opener.again(which), about);
    drop(status);
    let told = match told {
        Ok(told) => told,
        Err(error) => return failed(&error),
    };
    asking::print_told(matches, &told.json(), || told.text(matches.get_flag("full")));
    if let Some(caveat) = told.caveat() {
        note(caveat);
    }
    if told.verdict == Verdict::NoAnswerSet {
        return exit::EXHAUSTED;
    }
    let (title, sections) = told.page();
    asking::write_page(matches, &title, &sections);
    match (told.verdict, not) {
        (Verdict::Unknown, _) => exit::UNKNOWN_ATOM,
        (Verdict::Always, true) | (Verdict::Never, false) => exit::NO,
        _ if told.here == Some(not) => exit::NO,
        _ => 0,
    }
}

/// The answer set in a file.
fn given(file: &str) -> Result<ModelFilter, String> {
    let bytes = library::read(file).map_err(|error| format!("{file} cannot be read: {error}"))?.bytes;
    let text = String::from_utf8(bytes).map_err(|_| format!("{file} is not in UTF-8"))?;
    ModelFilter::read(&text).map_err(|why| format!("{file}: {why}"))
}
