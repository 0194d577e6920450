//! Rows of the options of a whole run: help, limits, input.

use std::time::Duration;

use super::{if_it, push, set};
use crate::raw::{Action, Mode};
use crate::spec::Group::Basic;
use crate::spec::Takes::{Flag, Optional, Required};
use crate::spec::{Effect, OptionSpec, works};

pub(crate) const ROWS: &[OptionSpec] = &[
    works(
        Basic,
        1,
        "help",
        Optional("N1-3"),
        "LEVEL",
        "Print help (1: basic, 2: more, 3: all) and exit",
        |v, r| {
            r.ask(Action::Help(v.number(0).map_or(1, |n| n as u8)));
            Ok(Effect::Full)
        },
    )
    .short('h'),
    works(Basic, 1, "version", Flag, "", "Print version and build features and exit", |_, r| {
        r.ask(Action::Version);
        Ok(Effect::Full)
    })
    .short('v'),
    works(
        Basic,
        1,
        "verbose",
        Optional("N"),
        "LEVEL",
        "How much to print: 0 (answers only) to 3 [1]",
        |v, r| set(&mut r.options.style.verbosity, v.number(0).map_or(3, |n| n.min(3) as u8)),
    )
    .short('V'),
    works(
        Basic,
        1,
        "mode",
        Required("clingo|clasp|gringo"),
        "MODE",
        "Ground and solve, only solve, or only ground",
        |v, r| set(&mut r.options.mode, v.pick(0, &[Mode::Clingo, Mode::Clasp, Mode::Gringo])?),
    ),
    works(
        Basic,
        1,
        "time-limit",
        Required("I|F|N"),
        "SECONDS",
        "Stop after this many seconds (0: no limit)",
        |v, r| {
            let seconds = v.integer(0).map(|n| n as f64).or_else(|| v.decimal(0));
            let time = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
            set(&mut r.options.time_limit, time.filter(|t| !t.is_zero()))
        },
    ),
    works(
        Basic,
        1,
        "memory-limit",
        Required("N0-18446744073709551615"),
        "MB",
        "Stop with exit code 33 past this much memory (0: no limit) [default: what the system leaves]",
        |v, r| {
            let mb = v.number(0).filter(|&n| n > 0);
            set(&mut r.options.memory_limit, Some(mb.map_or(u64::MAX, |mb| mb.saturating_mul(1 << 20))))
        },
    ),
    works(
        Basic,
        1,
        "grid",
        Required("S"),
        "[PREDICATE=]FILE",
        "Read a puzzle as it is typed: rows of digits and dots, signs, clues",
        |v, r| push(&mut r.grids, v),
    )
    .many(),
    works(
        Basic,
        1,
        "csv",
        Required("S"),
        "PREDICATE=FILE",
        "Read a table with separators as facts",
        |v, r| push(&mut r.csv, v),
    )
    .many(),
    works(Basic, 1, "json", Required("S"), "PREDICATE=FILE", "Read a JSON table as facts", |v, r| {
        push(&mut r.json, v)
    })
    .many(),
    works(
        Basic,
        1,
        "csv-header",
        Required("yes|no|auto"),
        "yes|no|auto",
        "Whether the first row of tables is a heading, not a fact [auto]",
        |v, r| set(&mut r.csv_header, Some(v.text().to_ascii_lowercase())),
    ),
    works(
        Basic,
        1,
        "csv-delimiter",
        Required("S"),
        "CHAR",
        "What separates the fields of tables: a character, or tab",
        |v, r| set(&mut r.csv_delimiter, Some(v.text().to_string())),
    ),
    works(
        Basic,
        1,
        "list",
        Flag,
        "",
        "List the programs and instances embedded in the binary and exit",
        |_, r| {
            r.ask(Action::List);
            Ok(Effect::Full)
        },
    ),
    works(Basic, 2, "fast-exit", Flag, "", "Exit at once after the summary", |_, _| if_it(true)),
    works(
        Basic,
        2,
        "generate",
        Required("bash|zsh|fish|man"),
        "WHAT",
        "Print shell completions or the man page and exit",
        |v, r| {
            r.ask(Action::Generate(v.text().to_ascii_lowercase()));
            Ok(Effect::Full)
        },
    ),
    works(Basic, 3, "print-portfolio", Flag, "", "Print the default portfolio and exit", |_, r| {
        r.ask(Action::Portfolio);
        Ok(Effect::Full)
    }),
];
