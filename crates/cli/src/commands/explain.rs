//! `asp explain CODE`: what a warning means, with an example and what to write instead.
//!
//! Invariant: every code that `--warn` knows has a section of `messages.md`, which is also a page of the documentation.

use clap::{Arg, ArgMatches, Command};

use super::spec::Spec;
use asp_base::nearest::nearest;
use asp_options::warnings::Warnings;
use asp_run::exit;
use asp_run::stderr::tell_error;
use asp_run::stdout;

pub(crate) const SPEC: Spec = Spec { name: "explain", define, run };

const PAGE: &str = include_str!("../messages.md");

fn define() -> Command {
    Command::new("explain")
        .about("What a warning means, with an example")
        .after_help(
            "The code of a warning stands in brackets behind the message. Without one, all codes are listed.\n\n\
             Examples:\n  asp explain atom-undefined\n  asp explain\n\n\
             Exit codes: 0 printed, 1 there is no such code.",
        )
        .arg(Arg::new("code").value_name("CODE").help("Such as atom-undefined"))
}

fn run(matches: &ArgMatches) -> u8 {
    let Some(code) = matches.get_one::<String>("code") else {
        stdout::print(&asp_options::help::warnings());
        return 0;
    };
    let code = code.trim_matches(['[', ']']);
    if let Some(text) = section(code) {
        stdout::print(text);
        return 0;
    }
    let names = || Warnings::list().into_iter().map(|(name, ..)| name);
    let near = nearest(code, names()).or_else(|| names().find(|name| code.len() > 2 && name.contains(code)));
    let near = near.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
    tell_error(&format!("there is no warning `{code}`{near}"));
    exit::WRONG_OPTION
}

/// The section about a code.
fn section(code: &str) -> Option<&'static str> {
    let heads = |section: &&str| section.split('\n').next() == Some(code);
    PAGE.split("\n## ").skip(1).find(heads).map(|section| section.trim_end_matches('\n'))
}
