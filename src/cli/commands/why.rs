//! `asp why ATOM FILES`: why an atom holds.

use clap::{Arg, ArgMatches, Command};
use serde_json::json;

use super::asking;
use super::failure::{failed, stopped};
use super::incremental;
use super::spec::Spec;
use super::status::Status;
use crate::cli::{exit, library};
use crate::explain::relaxed_facts::Which;
use crate::explain::tree::{Node, Section};
use crate::explain::why::{self, Answer, Asked, Forced};
use crate::explain::words::Words;
use crate::program::Literal;

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "why", define, run };

/// Adds the argument that names the atom before those that name the program.
pub(crate) fn atom_argument(command: Command) -> Command {
    asking::formats(incremental::arguments(command))
        .arg(
            Arg::new("atom")
                .value_name("ATOM")
                .index(1)
                .required(true)
                .allow_hyphen_values(true)
                .help("The atom, as answer sets show it"),
        )
        .mut_arg("files", |files| files.index(2))
}

fn define() -> Command {
    let command = Command::new("why").about("Explain why an atom holds").after_help(
        "An atom that holds in every answer set is explained by the rules that force it, step\n\
         by step from the facts. One that holds in some answer sets only is explained in one of\n\
         them: by its derivation down to facts and choices.\n\n\
         Examples:\n  asp why 'cell_has_number(1,1,3)' futoshiki.lp grid4.lp\n  asp why --html why.html 'reached(5)' my-program.lp\n\n\
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
    let (text, name, arity) = match why::parse_atom(text) {
        Ok(parsed) => parsed,
        Err(message) => {
            eprintln!("*** ERROR: (asp): {message}");
            if library::read(text).is_ok() {
                let name = if not { "why-not" } else { "why" };
                eprintln!("  `{text}` is a file; the atom comes first: asp {name} 'p(1,a)' {text}");
            }
            return exit::INPUT_ERROR;
        }
    };
    let opener = asking::Opener::read(matches);
    let mut which = Which { sums: true, ..Which::default() };
    let opened = opener.and_then(|o| o.open(&which).map(|inquiry| (o, inquiry)));
    let (opener, mut inquiry) = match opened {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let mut asked = why::find(&inquiry, &text, &name, arity);
    if asked == Asked::Shown {
        which.shown = Some((name.clone(), arity));
    }
    for fact in [false, true] {
        // With intervals relaxed, too, what follows from facts has rules.
        (which.intervals, which.rules) = (fact, fact);
        if asked == if fact { Asked::Fact } else { Asked::Shown }
            && let Some(again) = opener.again(&which)
        {
            inquiry = again;
            asked = why::find(&inquiry, &text, &name, arity);
        }
    }
    let words = Words::new(&inquiry);
    let status = Status::show("Solving", &inquiry.control.interrupt());
    let mut forced: Option<Forced> = None;
    let (verdict, code, node) = match asked {
        Asked::Fact => {
            let node = Node { reason: "a fact, or it follows from facts alone".into(), ..Node::new(&text) };
            ("always", u8::from(not), node)
        }
        Asked::NoInstance(spans) => {
            let mut node = Node::new(format!("not {text}"));
            node.reason = "no instance of these derives it".into();
            let of = |&s| Node { place: words.place_of(s), ..Node::new(place_text(&words, s)) };
            node.children = spans.iter().map(of).collect();
            ("never", if not { 0 } else { exit::NO }, node)
        }
        Asked::Shown => {
            let node = Node { reason: "a term that is shown".into(), ..Node::new(&text) };
            ("unknown", exit::UNKNOWN_ATOM, node)
        }
        Asked::NoPredicate(near) => {
            let mut node = Node::new(format!("no rule has {name}/{arity} in its head"));
            if !near.is_empty() {
                node.reason = format!("did you mean {}?", near.join(", "));
            }
            ("unknown", exit::UNKNOWN_ATOM, node)
        }
        Asked::Atom(atom) => {
            let literal = Literal::new(atom, not);
            match why::why(&inquiry, literal) {
                Err(error) => return failed(&error),
                Ok(Answer::Stopped(reason)) => return stopped(reason),
                Ok(Answer::NoAnswerSet) => {
                    drop(status);
                    if asking::wants_json(matches) {
                        asking::print(&format!("{:#}\n", json!({ "atom": text, "holds": "no answer set" })));
                    } else {
                        asking::print("No answer set: `asp why-unsat` explains that.\n");
                    }
                    return exit::EXHAUSTED;
                }
                Ok(Answer::Always(found)) => {
                    let why = found.why.clone();
                    forced = Some(found);
                    (if not { "never" } else { "always" }, 0, why)
                }
                Ok(Answer::Never(found)) => {
                    let why = found.why.clone();
                    forced = Some(found);
                    (if not { "always" } else { "never" }, exit::NO, why)
                }
                Ok(Answer::Sometimes(node, _)) => ("sometimes", 0, node),
            }
        }
    };
    drop(status);
    if asking::wants_json(matches) {
        let mut value = json!({ "atom": text, "holds": verdict, "why": node.to_json() });
        if let Some(f) = &forced {
            (value["rules"], value["facts"], value["minimal"]) =
                (json!(f.rules), json!(f.facts), json!(f.minimal));
        }
        asking::print(&format!("{value:#}\n"));
    } else {
        asking::print(&format!(
            "{}{}",
            heading(&text, verdict, not, forced.as_ref()),
            asking::tree_text(matches, &node)
        ));
    }
    let title = if not { format!("Why not {text}?") } else { format!("Why {text}?") };
    let text = heading(&text, verdict, not, forced.as_ref());
    asking::write_page(matches, &title, &[Section { text, trees: vec![node], ..Section::default() }]);
    code
}

fn heading(text: &str, verdict: &str, not: bool, forced: Option<&Forced>) -> String {
    let by = forced.map(measure).unwrap_or_default();
    match (verdict, not) {
        ("always", _) => format!("{text} holds in every answer set.{by}\n"),
        ("never", _) => format!("{text} holds in no answer set.{by}\n"),
        ("sometimes", false) => format!("{text} holds in some answer sets, not in all; in one of them:\n"),
        ("sometimes", true) => format!("{text} holds in some answer sets; in one where it does not:\n"),
        _ => String::new(),
    }
}

/// How many rules and facts force it.
fn measure(forced: &Forced) -> String {
    let number = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let parts: Vec<String> =
        [number(forced.rules, "rule"), number(forced.facts, "fact")].into_iter().flatten().collect();
    match (forced.rules + forced.facts, forced.minimal) {
        (0, _) => String::new(),
        (1, _) => format!(" {} forces that.", parts[0]),
        (_, true) => format!(" {} force that; none of them can be left out.", parts.join(" and ")),
        (_, false) => format!(" {} force that; perhaps not all of them are needed.", parts.join(" and ")),
    }
}

fn place_text(words: &Words<'_>, span: crate::base::span::Span) -> String {
    words.place_of(span).map(|p| p.text).unwrap_or_default()
}
