//! `asp tune FILES`: the options of the search that make a user's own instances fastest.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::program;
use super::spec::Spec;
use asp_options::outputs::{self, Kind};
use asp_options::raw::{Action, Options};
use asp_options::usage::{UsageError, UsageErrorKind};
use asp_run::failure::{failed, note};
use asp_run::tune::{Failed, Race, Row, Told, Verdict};
use asp_run::usage::tell_in_subcommand;
use asp_run::watch::{self, Limits};
use asp_run::{exit, stdout};

pub(crate) const SPEC: Spec = Spec { name: "tune", define, run };

const WITHIN: &str = "60";

fn define() -> Command {
    Command::new("tune")
        .about("Find the options of the search that make your own instances fastest")
        .arg(
            Arg::new("within")
                .long("within")
                .value_name("SECONDS")
                .default_value(WITHIN)
                .help("Time for all runs; grounding comes before"),
        )
        .arg(
            Arg::new("each")
                .long("each")
                .value_name("FILE")
                .action(ArgAction::Append)
                .help("An instance to be solved with the other files; once for each"),
        )
        .arg(
            Arg::new("write")
                .long("write")
                .value_name("FILE")
                .help("Write the options found, for --configuration=FILE"),
        )
        .arg(program::words("Files and options as for a run; options that are given stay as they are"))
        .after_help(
            "The default is run first. What is tried then must get as far as it did: to the end of the\n\
             search or, if that is cut off, to as good an answer set (a better one, if that came at\n\
             once). The table shows times as parts of the default's (geometric means); what is clearly\n\
             slower is left after the first instances. The winner is run again beside the default with\n\
             other seeds. Times differ from one run to the next, and so may what is found.\n\n\
             Examples:\n  asp tune timetable.lp --each monday.lp --each tuesday.lp --write=school.cfg\n  \
             asp --configuration=school.cfg timetable.lp wednesday.lp\n  \
             asp tune --within=300 queens.lp -c n=20 -n 0\n\n\
             Exit codes: 0 better options were found, 1 the default is the best, 2 stopped, 65 errors.",
        )
}

/// The options of this command, wherever they stand among those of a run.
#[derive(Default)]
struct Own {
    within: Option<String>,
    each: Vec<String>,
    write: Option<String>,
    rest: Vec<String>,
}

impl Own {
    fn of(matches: &ArgMatches) -> Result<Self, UsageError> {
        let value = |name: &str| matches.get_one::<String>(name).cloned();
        let all = |name: &str| matches.get_many::<String>(name).unwrap_or_default().cloned();
        let mut own = Self {
            within: value("within"),
            each: all("each").collect(),
            write: value("write"),
            rest: Vec::new(),
        };
        let mut arguments = all("arguments");
        while let Some(word) = arguments.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (word.as_str(), None),
            };
            if !["--within", "--each", "--write"].contains(&name) {
                own.rest.push(word);
                continue;
            }
            let value = value.or_else(|| arguments.next()).ok_or_else(|| {
                UsageError::new(UsageErrorKind::Argument, format!("'{name}' needs a value"))
            })?;
            match name {
                "--within" => own.within = Some(value),
                "--each" => own.each.push(value),
                _ => own.write = Some(value),
            }
        }
        Ok(own)
    }

    fn seconds(&self) -> Result<f64, UsageError> {
        let text = self.within.as_deref().unwrap_or(WITHIN);
        let seconds = text.parse().ok().filter(|s: &f64| (0.1..=1e7).contains(s));
        seconds.ok_or_else(|| {
            let message = format!("'{text}': --within is a number of seconds, 0.1 or more");
            UsageError::new(UsageErrorKind::Argument, message)
        })
    }
}

/// An option that a run takes, but a race does not.
fn refused(options: &Options) -> Option<&'static str> {
    [
        (options.ground_format.is_some(), "the options that print the ground program"),
        (options.proof.is_some(), "'--proof'"),
        (options.cube.is_some(), "'--cube'"),
        (options.near.is_some() || options.start.is_some(), "'--start' and '--near'"),
        (options.pictures.is_any(), "the options that draw pictures"),
    ]
    .into_iter()
    .find_map(|(is_given, what)| is_given.then_some(what))
}

fn run(matches: &ArgMatches) -> u8 {
    match prepared(matches) {
        Ok((own, seconds, options)) => raced(&own, seconds, &options),
        Err(error) => tell_in_subcommand(&error),
    }
}

fn prepared(matches: &ArgMatches) -> Result<(Own, f64, Box<Options>), UsageError> {
    let own = Own::of(matches)?;
    let seconds = own.seconds()?;
    let refuse = |message: String| Err(UsageError::new(UsageErrorKind::Argument, message));
    let options = match asp_options::parse(&own.rest)? {
        Action::Run(options) => options,
        _ => return refuse("this option cannot be given with tune".into()),
    };
    if options.files.is_empty() && own.each.is_empty() {
        return refuse("tune needs files: asp tune FILES".into());
    }
    if let Some(stdin) = options.files.iter().chain(&own.each).find(|name| *name == "-") {
        return refuse(format!("'{stdin}': tune reads files, not standard input"));
    }
    if let Some(what) = refused(&options) {
        return refuse(format!("tune does not go with {what}"));
    }
    let written = own.write.iter().map(|file| ("--write", file.as_str(), Kind::Configuration));
    let data = [&options.inputs.grids, &options.inputs.csv, &options.inputs.json];
    let data = data.into_iter().flatten().map(|request| &request.file);
    outputs::check(written, options.files.iter().chain(&own.each).chain(data).map(String::as_str))?;
    Ok((own, seconds, options))
}

fn raced(own: &Own, seconds: f64, options: &Options) -> u8 {
    let limits = Limits::from_now(options.time_limit, options.memory_limit);
    let interrupt = watch::start(limits, exit::STOPPED, |_| |_| true);
    let race = Race { words: &own.rest, instances: &own.each, within: seconds };
    stdout::print(" ratio  runs  options\n");
    let number = own.each.len().max(1);
    let verdict = race.run(options, &interrupt, &mut |told| match told {
        Told::Default(times, cut_off) => stdout::print(&default(times, cut_off)),
        Told::Tried(row) => stdout::print(&line(row, number)),
        Told::Nothing(seconds) => {
            note(&format!("the default takes less than {seconds} s: there is nothing to gain"));
        }
        Told::Untried(rest) => {
            note(&format!("{rest} more were not tried for lack of time: --within={:.0}", 3.0 * seconds));
        }
    });
    match verdict {
        Ok(verdict) => ended(own, &verdict),
        Err(Failed::Told(code)) => code,
        Err(Failed::Error(error)) => failed(&error),
    }
}

fn default(times: &[(&str, Option<f64>)], cut_off: f64) -> String {
    let mut text = format!("  1.00  {:>4}  the default:", format!("{0}/{0}", times.len()));
    for (i, (name, seconds)) in times.iter().enumerate() {
        let name = if name.is_empty() { String::new() } else { format!("{name} ") };
        let comma = if i == 0 { ' ' } else { ',' };
        let comma = if i == 0 { comma.to_string() } else { format!("{comma} ") };
        let _ = match seconds {
            Some(seconds) => write!(text, "{comma}{name}{seconds:.3} s"),
            None => write!(text, "{comma}{name}cut off after {cut_off:.3} s"),
        };
    }
    text + "\n"
}

fn line(row: &Row, number: usize) -> String {
    let runs = format!("{}/{number}", row.runs);
    format!("{:>6.2}  {runs:>4}  {}\n", row.ratio, row.candidate.words().join(" "))
}

fn ended(own: &Own, verdict: &Verdict) -> u8 {
    let mut text = String::new();
    if let [least, .., most] | [least @ most] = verdict.seeds[..] {
        let middle = verdict.seeds[verdict.seeds.len() / 2];
        let s = if verdict.seeds.len() == 1 { "" } else { "s" };
        let _ = writeln!(
            text,
            "\nThe best with {} other seed{s}: {middle:.2} of the default's time ({least:.2} to {most:.2}).",
            verdict.seeds.len()
        );
    }
    if verdict.best.is_default() {
        text.push_str("\nThe default is the best that was found.\n");
        stdout::print(&text);
        return exit::NO;
    }
    let _ = writeln!(text, "\n{}", verdict.best.line());
    stdout::print(&text);
    if let Some(file) = &own.write
        && let Err(error) = std::fs::write(file, verdict.best.line() + "\n")
    {
        stdout::fail_with(format!("{file} cannot be written: {error}"));
    }
    0
}
