//! `asp why-unsat FILES`: which statements and facts contradict each other.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;

use super::asking;
use super::failure::{failed, note, stopped};
use super::incremental;
use super::spec::Spec;
use super::status::Status;
use crate::base::diagnostic::Diagnostic;
use crate::base::interrupt::StopReason;
use crate::base::span::Span;
use crate::cli::exit;
use crate::control::Error;
pub(super) use crate::explain::conflict::Explained;
use crate::explain::conflict::{self, Conflict, Part};
use crate::explain::infer::{Inference, TRYING};
use crate::explain::inquiry::{Inquiry, Kind};
use crate::explain::relaxed_facts::{Caution, Which};
use crate::explain::story::Story;
use crate::explain::tree::{Node, Section};
use crate::explain::words::{Words, and};
use crate::report::diagnostic;

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "why-unsat", define, run };

/// How many instances of one statement are shown.
const SHOWN: usize = 8;

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
    let which = Which { files, intervals: matches.get_flag("intervals"), sums: true, ..Which::default() };
    let opener = asking::Opener::read(matches);
    let (opener, inquiry) = match opener.and_then(|o| o.open(&which).map(|inquiry| (o, inquiry))) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    if inquiry.caution > Caution::Sums {
        note("facts below negation stay as they are, for the program needs them to be grounded");
    }
    let status = Status::show("Shrinking", &inquiry.control.interrupt());
    let (inquiry, outcome) =
        find(inquiry, &which, &|which| opener.again(which), matches.contains_id("time-limit"));
    drop(status);
    match outcome {
        Ok(Explained::Consistent) => {
            if asking::wants_json(matches) {
                asking::print(&format!("{:#}\n", json!({ "satisfiable": true })));
            } else {
                asking::print(CONSISTENT);
            }
            exit::NO
        }
        Ok(Explained::Stopped(reason)) => stopped(reason),
        Ok(Explained::Rules) => stopped(StopReason::StepLimit),
        Ok(Explained::Conflict(conflict)) => show(matches, &inquiry, &conflict),
        Err(error) => failed(&error),
    }
}

/// What is said of a program that has an answer set.
pub(super) const CONSISTENT: &str = "There is an answer set: nothing contradicts.\n";

/// Finds what contradicts itself, in a program opened as it is or, if `again` can, in another way; `endless` if the search for
/// less goes on until it is stopped. Returns how it was opened last.
pub(super) fn find(
    inquiry: Inquiry,
    which: &Which,
    again: &dyn Fn(&Which) -> Option<Inquiry>,
    endless: bool,
) -> (Inquiry, Result<Explained, Error>) {
    let interrupt = inquiry.control.interrupt();
    let explain = |inquiry: &Inquiry, rules: bool| {
        conflict::explain(inquiry, rules, endless, &mut |parts| interrupt.note_instances(parts as u64))
    };
    let outcome = explain(&inquiry, false);
    match &outcome {
        Ok(Explained::Rules) => {
            let other = again(&Which { rules: true, ..which.clone() }).unwrap_or(inquiry);
            let outcome = explain(&other, true);
            return (other, outcome);
        }
        // Facts with intervals may be to blame if no other fact is involved.
        Ok(Explained::Conflict(found)) if !which.intervals && !found.has_facts() => {
            if let Some(again) = again(&Which { intervals: true, ..which.clone() })
                && let Ok(Explained::Conflict(wider)) = explain(&again, false)
                && wider.has_culprit()
            {
                return (again, Ok(Explained::Conflict(wider)));
            }
        }
        _ => {}
    }
    (inquiry, outcome)
}

/// The name of a kind of statement, and which part of it is given up.
fn called(kind: Kind) -> &'static str {
    match kind {
        Kind::Fact => "this fact",
        Kind::Rule => "this rule",
        Kind::Constraint => "this constraint",
        Kind::Choice => "the bound of this choice",
        Kind::Comparison => "this comparison",
        Kind::Disjunction => "this disjunction",
        Kind::Edge => "this #edge",
        Kind::Other => "this statement",
    }
}

/// The place of a part and what to write beside it.
fn label(inquiry: &Inquiry, words: &Words<'_>, part: &Part) -> (Span, String) {
    match part {
        Part::Fact { atoms, spans } => {
            let span = spans.first().copied().unwrap_or(Span::NONE);
            let own: Vec<String> = atoms.iter().map(|&a| words.atom(a)).collect();
            let text = inquiry.sources().text(span).trim_end_matches('.').replace(' ', "");
            let mut label = match own.as_slice() {
                [one] if *one == text => "this fact".to_string(),
                [one] => format!("this fact ({one})"),
                many => format!("this fact, in {} instances", many.len()),
            };
            if spans.len() > 1 {
                label.push_str(&format!(", stated {} times", spans.len()));
            }
            (span, label)
        }
        Part::Statement { span, instances } => {
            let times = match instances.len() {
                0 | 1 => String::new(),
                n => format!(", in {n} instances"),
            };
            (*span, format!("{}{times}", called(inquiry.kind(*span))))
        }
    }
}

fn show(matches: &ArgMatches, inquiry: &Inquiry, conflict: &Conflict) -> u8 {
    let words = Words::new(inquiry);
    let story = Told::new(inquiry, &words, conflict);
    if asking::wants_json(matches) {
        asking::print(&json(inquiry, &words, conflict, story.steps.as_ref()));
    } else {
        asking::print(&story.text(inquiry, &words, conflict, &|node| asking::tree_text(matches, node)));
    }
    let Told { instances, steps } = story;
    let demands = Section { heading: "What they demand here".into(), trees: instances, ..Section::default() };
    let lines = message(inquiry, &words, conflict);
    let mut sections = vec![Section { lines, ..Section::default() }, demands];
    sections.extend(steps.map(|steps| Section {
        heading: "Step by step".into(),
        trees: vec![steps],
        ..Section::default()
    }));
    asking::write_page(matches, "Why there is no answer set", &sections);
    0
}

/// A conflict in words; `cut` writes trees.
pub(super) fn text(inquiry: &Inquiry, conflict: &Conflict, cut: &dyn Fn(&Node) -> String) -> String {
    let words = Words::new(inquiry);
    Told::new(inquiry, &words, conflict).text(inquiry, &words, conflict, cut)
}

/// What is told of a conflict.
struct Told {
    /// What its parts demand.
    instances: Vec<Node>,
    /// How that leads to a contradiction, if inference sees it.
    steps: Option<Node>,
}

impl Told {
    fn new(inquiry: &Inquiry, words: &Words<'_>, conflict: &Conflict) -> Self {
        let items = conflict.items(inquiry);
        let inference = Inference::new(&items, inquiry.symbols());
        let mut k = inference.start(&conflict.facts());
        let clash = inference.run_trying(&mut k, &inquiry.control.interrupt(), TRYING);
        let steps = clash.map(|clash| Story::new(inquiry, &inference).clash(&clash, &k));
        let instances = conflict.parts.iter().filter_map(|part| told(words, part)).collect();
        Self { instances, steps }
    }

    fn text(
        &self,
        inquiry: &Inquiry,
        words: &Words<'_>,
        conflict: &Conflict,
        cut: &dyn Fn(&Node) -> String,
    ) -> String {
        let mut out = message(inquiry, words, conflict);
        // Writing to a string cannot fail.
        if !self.instances.is_empty() {
            let more = if conflict.instances_minimal { "" } else { " (perhaps more than is needed)" };
            let _ = writeln!(out, "\nWhat they demand here{more}:");
            self.instances.iter().for_each(|node| out.push_str(&node.to_text()));
        }
        if let Some(steps) = &self.steps {
            let _ = writeln!(out, "\nStep by step:\n{}", cut(steps).trim_end());
        }
        out
    }
}

/// The instances of a statement in words.
fn told(words: &Words<'_>, part: &Part) -> Option<Node> {
    match part {
        Part::Fact { atoms, spans } => {
            let place = words.place_of(spans.first().copied().unwrap_or(Span::NONE));
            let reason = if atoms.len() == 1 { "fact" } else { "facts" }.into();
            let atoms: Vec<String> = atoms.iter().map(|&a| words.atom(a)).collect();
            Some(Node { text: and(&atoms), reason, place, children: Vec::new() })
        }
        Part::Statement { span, instances } => {
            let mut node = Node { place: words.place_of(*span), ..Node::default() };
            let texts: Vec<String> = instances.iter().map(|&o| words.demand(o)).collect();
            match texts.as_slice() {
                [] => return None,
                [one] => node.text = one.clone(),
                many => {
                    node.text = format!("{} instances", many.len());
                    node.children = many.iter().take(SHOWN).map(Node::new).collect();
                    if many.len() > SHOWN {
                        node.children.push(Node::new(format!("... and {} more", many.len() - SHOWN)));
                    }
                }
            }
            Some(node)
        }
    }
}

/// The statements and facts, as source lines with carets.
fn message(inquiry: &Inquiry, words: &Words<'_>, conflict: &Conflict) -> String {
    let n = conflict.parts.len();
    let title = match n {
        1 if conflict.with_rules => "no answer set, because of this rule alone".to_string(),
        n if n > 1 && conflict.with_rules => format!("no answer set: these {n} rules contradict each other"),
        0 => "no answer set: the rules contradict each other whatever is given up".to_string(),
        1 => "no answer set, because of this alone".to_string(),
        _ => format!("no answer set: these {n} contradict each other"),
    };
    let mut message = Diagnostic::error(Span::NONE, title);
    let all = conflict.restores.iter().all(|r| *r == Some(true));
    for (part, restores) in conflict.parts.iter().zip(&conflict.restores) {
        let (span, mut text) = label(inquiry, words, part);
        if *restores == Some(true) && !all {
            text.push_str("; giving it up alone restores an answer set");
        }
        message = message.label(span, text);
        if let Part::Fact { spans, .. } = part {
            for &again in spans.iter().skip(1) {
                message = message.label(again, "the same fact");
            }
        }
    }
    if n > 0 {
        message = message.help(summary(conflict));
    }
    diagnostic::render(&message, inquiry.sources(), false)
}

/// What giving up parts achieves.
fn summary(conflict: &Conflict) -> String {
    let all = conflict.restores.iter().all(|r| *r == Some(true));
    match (conflict.minimal, conflict.parts.len()) {
        (true, 1) if all => "giving it up restores an answer set".into(),
        (true, _) if all => "giving up any one of them restores an answer set".into(),
        (true, 1) if conflict.restores[0] == Some(false) => {
            "giving it up is needed, but there are further contradictions beside it".into()
        }
        (true, 1) => "it cannot hold, whatever else is given up".into(),
        (true, _) if conflict.restores.contains(&Some(false)) => {
            "without any one of them the others can hold together; there are further contradictions beside these".into()
        }
        (true, _) => "without any one of them the others can hold together".into(),
        (false, _) => "the search for a smaller set ended early, so perhaps not all of them are needed; --time-limit=60 gives it a minute".into(),
    }
}

fn json(inquiry: &Inquiry, words: &Words<'_>, conflict: &Conflict, steps: Option<&Node>) -> String {
    let part = |(part, restores): (&Part, &Option<bool>)| {
        let (kind, instances, spans) = match part {
            Part::Fact { atoms, spans } => {
                (Kind::Fact, atoms.iter().map(|&a| words.atom(a)).collect::<Vec<_>>(), spans.as_slice())
            }
            Part::Statement { span, instances } => {
                let instances = instances.iter().map(|&o| words.demand(o)).collect();
                (inquiry.kind(*span), instances, std::slice::from_ref(span))
            }
        };
        let places: Vec<_> = spans.iter().filter_map(|&s| words.place_of(s)).map(|p| p.to_json()).collect();
        let mut value = json!({
            "kind": format!("{kind:?}").to_lowercase(),
            "place": places.first(),
            "instances": instances,
            "restores": restores,
        });
        if places.len() > 1 {
            value["places"] = places.into();
        }
        value
    };
    let parts: Vec<serde_json::Value> = conflict.parts.iter().zip(&conflict.restores).map(part).collect();
    let value = json!({
        "satisfiable": false,
        "parts": parts,
        "minimal": conflict.minimal,
        "instances_minimal": conflict.instances_minimal,
        "steps": steps.map(Node::to_json),
    });
    format!("{value:#}\n")
}
