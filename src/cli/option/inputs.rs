//! Options of puzzles and tables: `--grid`, `--csv`, `--json`, for runs and subcommands.
//!
//! Invariant: both read the same values in the same way.

use clap::{Arg, ArgAction, ArgMatches};

use crate::data::csv::Layout;
use crate::data::request::Request;

/// What to read besides programs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Puzzles.
    pub grids: Vec<Request>,
    /// Tables with separators.
    pub csv: Vec<Request>,
    /// What is known about the tables' layout.
    pub layout: Layout,
    /// JSON tables.
    pub json: Vec<Request>,
}

/// The arguments of subcommands.
pub fn arguments() -> [Arg; 5] {
    let arg = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).action(ArgAction::Append).help(help)
    };
    [
        arg("grid", "[PREDICATE=]FILE", "Read a puzzle as it is typed"),
        arg("csv", "PREDICATE=FILE", "Read a table with separators as facts"),
        arg("json", "PREDICATE=FILE", "Read a JSON table as facts"),
        arg("csv-header", "yes|no|auto", "Whether the first row of tables is a heading [default: auto]")
            .action(ArgAction::Set),
        arg("csv-delimiter", "CHAR", "What separates the fields of tables: a character, or tab")
            .action(ArgAction::Set),
    ]
}

impl Inputs {
    /// Reads the arguments of a subcommand.
    pub fn from_matches(matches: &ArgMatches) -> Result<Self, String> {
        let values =
            |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
        Self::new(values)
    }

    /// Parses the values of the options.
    pub fn new(values: impl Fn(&str) -> Vec<String>) -> Result<Self, String> {
        let (header, delimiter) = (values("csv-header").pop(), values("csv-delimiter").pop());
        let layout = Layout::new(header.as_deref(), delimiter.as_deref())
            .map_err(|wrong| format!("In context '<asp>': {wrong}"))?;
        let all = |values: &[String], long: &str, read: fn(&str) -> Result<Request, String>| {
            let wrong =
                |v: &String, why| format!("In context '<asp>': '{v}' invalid value for: '{long}'; {why}");
            values.iter().map(|v| read(v).map_err(|why| wrong(v, why))).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            grids: all(&values("grid"), "grid", Request::grid)?,
            csv: all(&values("csv"), "csv", Request::table)?,
            json: all(&values("json"), "json", Request::table)?,
            layout,
        })
    }
}
