//! Help, completions and the man page, all made from the option table, the latter two by clap.
//!
//! Invariant: clap never sees the real command line ([`asp_options::args`] parses that as clasp does), so it adds
//! nothing to the start-up time of a run.

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, Command};

use asp_options::help;
use asp_options::pattern;
use asp_options::spec::{OptionSpec, Takes};
use asp_options::table::OPTIONS;
use asp_run::terminal;

use crate::commands;

const EXAMPLES: &str = "\
Examples:
  asp futoshiki.lp grid4.lp 0         all answer sets of an embedded puzzle
  asp --list                          what is embedded
  asp queens.lp -c n=8 -n 3           three answer sets, with another constant
  asp tsp.lp tsp6.lp --outf=2         the shortest tour, as JSON
  asp program.lp -e cautious -q1      what holds in every answer set
  asp program.lp --text               the ground program
  asp big.lp --time-limit=60 -q1      the best answer set found within a minute
  asp program.lp --outf=jsonl 0       one JSON object a line, as they are found

Environment: ASP_PATH folders in which files and includes are looked up that the working folder does
not have; NO_COLOR no colour in messages.

Exit codes: 10 satisfiable, 20 unsatisfiable, 30 all found, 0 unknown, 1 and 11 interrupted, 33 out of
memory, 65 error in the input, 74 results not written, 128 missing file, 1 wrong option (64 of a
subcommand).";

const ABOUT: &str = "Grounds logic programs and computes their answer sets";
const USAGE: &str = "asp [number] [options] [files]";
const FILES: &str = "Programs; '-' or none: standard input";

/// The command with all options.
fn command() -> Command {
    let mut command = Command::new("asp")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .override_usage(USAGE)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .after_help(EXAMPLES)
        .arg(
            Arg::new("files")
                .num_args(0..)
                .value_name("FILES")
                .value_hint(clap::ValueHint::FilePath)
                .help(FILES),
        );
    for spec in OPTIONS {
        command = command.arg(arg(spec));
    }
    command
}

fn arg(spec: &'static OptionSpec) -> Arg {
    let mut arg =
        Arg::new(spec.long).long(spec.long).help(help::about(spec)).help_heading(spec.group.heading());
    if let Some(letter) = spec.short {
        arg = arg.short(letter);
    }
    match spec.takes {
        Takes::Flag => arg.action(ArgAction::SetTrue),
        Takes::Required(pattern) => with_words(arg.value_name(spec.metavar), pattern),
        Takes::Optional(pattern) => {
            with_words(arg.value_name(spec.metavar).num_args(0..=1).require_equals(true), pattern)
        }
    }
}

/// Offers the words that a value may begin with, for completion.
fn with_words(arg: Arg, pattern: &'static str) -> Arg {
    let words: Vec<&str> = pattern::first_words(pattern).collect();
    let parser = if words.len() > 1 {
        ValueParser::from(PossibleValuesParser::new(words))
    } else {
        ValueParser::string()
    };
    arg.value_parser(parser).hide_possible_values(true)
}

/// The help text of a level.
pub(crate) fn text(level: u8) -> String {
    let width = terminal::help_width();
    let (options, subcommands) = (help::options(level, width), commands::list(width));
    let mut text = format!(
        "{ABOUT}\n\nUsage: {USAGE}\n\nArguments:\n  [FILES]...  {FILES}\n\n\
         Subcommands (asp NAME --help tells more):\n{subcommands}\n{options}\n{EXAMPLES}\n"
    );
    if level == 1 {
        text.push_str("\nType 'asp --help=2' for more options and 'asp --help=3' for all.\n");
    }
    if level >= 3 {
        text.push_str("\nConfigurations (--configuration=NAME):\n");
        text.push_str(&asp_options::configuration::presets());
    }
    text
}

/// Completions for a shell, or the man page.
pub(crate) fn generate(what: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut command = command();
    for spec in commands::COMMANDS {
        command = command.subcommand((spec.define)());
    }
    let shell = match what {
        "bash" => clap_complete::Shell::Bash,
        "zsh" => clap_complete::Shell::Zsh,
        "fish" => clap_complete::Shell::Fish,
        _ => {
            // Writing to a vector cannot fail.
            let _ = clap_mangen::Man::new(command).render(&mut out);
            return out;
        }
    };
    clap_complete::generate(shell, &mut command, "asp", &mut out);
    if shell == clap_complete::Shell::Bash {
        let text = String::from_utf8_lossy(&out).replacen(
            CURRENT_WORD,
            &format!("{CURRENT_WORD}{BEHIND_EQUALS}"),
            1,
        );
        return text.into_bytes();
    }
    out
}

/// How the bash script determines the words before the cursor.
const CURRENT_WORD: &str = "    prev=\"$3\"\n";

/// To bash the equals sign is a word of its own: the option comes before it.
const BEHIND_EQUALS: &str = "\
    if [[ \"${cur}\" == \"=\" ]]; then
        prev=\"${COMP_WORDS[COMP_CWORD-1]}\"
        cur=\"\"
    elif [[ \"${COMP_WORDS[COMP_CWORD]}\" == \"=\" ]]; then
        prev=\"${COMP_WORDS[COMP_CWORD-1]}\"
    elif [[ \"${prev}\" == \"=\" ]]; then
        prev=\"${COMP_WORDS[COMP_CWORD-2]}\"
    fi
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn levels_grow_and_end_with_examples() {
        let lengths = [1, 2, 3].map(|level| text(level).lines().count());
        assert!(lengths[0] < lengths[1] && lengths[1] < lengths[2], "{lengths:?}");
        assert!(text(1).contains("Examples:") && text(1).contains("--models"));
    }

    #[test]
    fn completions_and_man_page_know_the_options() {
        for what in ["bash", "zsh", "fish", "man"] {
            let text = String::from_utf8(generate(what)).unwrap().replace('\\', "");
            assert!(text.contains("opt-strategy"), "{what}");
        }
    }
}
