//! Options of puzzles and tables: `--grid`, `--csv`, `--json`, for runs and subcommands.
//!
//! Invariant: a value means the same to a run and to a subcommand.

use asp_data::csv::Layout;
use asp_data::request::Request;

use crate::usage::UsageError;

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

impl Inputs {
    /// Parses the values of the options.
    pub fn new(values: impl Fn(&str) -> Vec<String>) -> Result<Self, UsageError> {
        let (header, delimiter) = (values("csv-header").pop(), values("csv-delimiter").pop());
        let layout = Layout::new(header.as_deref(), delimiter.as_deref()).map_err(UsageError::option)?;
        let all = |values: &[String], long: &str, read: fn(&str) -> Result<Request, String>| {
            let wrong =
                |v: &String, why| UsageError::option(format!("'{v}' invalid value for: '{long}'; {why}"));
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
