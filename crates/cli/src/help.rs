//! Help, version, completions and the man page, all made from the option table by clap.
//!
//! Invariant: clap never sees the real command line ([`asp_options::args`] parses that as clasp does), so it adds
//! nothing to the start-up time of a run.

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, Command};

use super::embedded;
use asp_options::pattern;
use asp_options::spec::{OptionSpec, Standing, Takes};
use asp_options::table::OPTIONS;
use asp_options::warnings::Warnings;
use asp_rewrite::improve::Rewriting;

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

Environment: ASP_PATH folders in which files and includes are looked up that the working folder does not have;
NO_COLOR no colour in messages.

Exit codes: 10 satisfiable, 20 unsatisfiable, 30 all found, 0 unknown, 1 and 11 interrupted, 33 out of memory,
65 error in the input, 74 results not written, 128 missing file, 1 wrong option (64 of a subcommand).";

/// The command with the options of a help level.
pub fn command(level: u8) -> Command {
    let mut command = Command::new("asp")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Grounds logic programs and computes their answer sets")
        .override_usage("asp [number] [options] [files]")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .after_help(match level {
            1 => format!(
                "{}{EXAMPLES}\n\nType 'asp --help=2' for more options and 'asp --help=3' for all.",
                subcommands()
            ),
            _ => format!("{}{EXAMPLES}", subcommands()),
        })
        .arg(
            Arg::new("files")
                .num_args(0..)
                .value_name("FILES")
                .value_hint(clap::ValueHint::FilePath)
                .help("Programs; '-' or none: standard input"),
        );
    for spec in OPTIONS.iter().filter(|o| o.level <= level) {
        command = command.arg(arg(spec));
    }
    command
}

fn subcommands() -> String {
    format!("Subcommands (asp NAME --help tells more):\n{}\n", super::commands::list())
}

fn arg(spec: &'static OptionSpec) -> Arg {
    let mut help = spec.help.to_string();
    if spec.standing == Standing::Noted {
        help.push_str(" (accepted, no effect)");
    }
    if spec.negatable {
        help.push_str(&format!(" [--no-{}]", spec.long));
    }
    let mut arg = Arg::new(spec.long).long(spec.long).help(help).help_heading(spec.group.heading());
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
pub fn help(level: u8) -> String {
    let mut text = command(level).render_help().to_string();
    if level >= 3 {
        text.push_str("\nConfigurations (--configuration=NAME):\n");
        text.push_str(&asp_options::configuration::presets());
    }
    text
}

/// The help of the options up to a level, for a program that has others besides.
pub fn options(level: u8) -> String {
    let none = "";
    let mut command = command(level).about(none).after_help(none).override_usage(none);
    let text = command.render_help().to_string();
    text.find("Basic options:").map_or(String::new(), |start| text[start..].to_string())
}

/// What is said of the version besides the line that names the program.
pub fn build() -> String {
    version().split_once('\n').map_or(String::new(), |(_, rest)| rest.to_string())
}

/// The version, with what the binary was built with.
pub fn version() -> String {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "{}\nAddress model: {}-bit\n\nBuild: {build}, scripts in Python by a Python of the system, with threads, {} embedded programs and instances\n\
         License: The MIT License <https://opensource.org/licenses/MIT>\n",
        asp_report::PROGRAM,
        usize::BITS,
        embedded::library().len(),
    )
}

/// Completions for a shell, or the man page.
pub fn generate(what: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut command = command(3).disable_help_subcommand(true).after_help(EXAMPLES);
    for spec in super::commands::COMMANDS {
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

/// The warnings and lints with what they are about.
pub fn warnings() -> String {
    let mut text =
        String::from("Warnings (--warn=NAME, --warn=no-NAME, --warn=none, --warn=all, --warn=error):\n");
    for (name, about, on) in Warnings::list() {
        text.push_str(&format!("  {name:<22}{about} [{}]\n", if on { "on" } else { "off" }));
    }
    text
}

/// The rewritings with what they do.
pub fn rewritings() -> String {
    let mut text =
        String::from("Rewritings (--rewrite=NAME, --rewrite=no-NAME, --rewrite=none, --rewrite=all):\n");
    for r in Rewriting::ALL {
        text.push_str(&format!("  {:<22}{}\n", r.name(), r.about()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_consistent() {
        for level in 1..=3 {
            command(level).debug_assert();
        }
    }

    #[test]
    fn levels_grow_and_end_with_examples() {
        let lengths = [1, 2, 3].map(|level| help(level).lines().count());
        assert!(lengths[0] < lengths[1] && lengths[1] < lengths[2], "{lengths:?}");
        assert!(help(1).contains("Examples:") && help(1).contains("--models"));
        assert!(!help(1).contains("--restarts") && help(2).contains("--restarts"));
    }

    #[test]
    fn completions_and_man_page_know_the_options() {
        for what in ["bash", "zsh", "fish", "man"] {
            let text = String::from_utf8(generate(what)).unwrap().replace('\\', "");
            assert!(text.contains("opt-strategy"), "{what}");
        }
    }
}
