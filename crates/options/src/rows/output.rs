//! Rows of the options of output.

use std::path::Path;

use super::{Read, set};
use crate::raw::{Raw, When};
use crate::spec::Group::Output;
use crate::spec::Takes::{Flag, Optional, Required};
use crate::spec::{Effect, OptionSpec, Scope, noted, works};
use crate::usage::{UsageError, UsageErrorKind};
use crate::value::Value;
use asp_control::GroundFormat;
use asp_picture::Wanted;
use asp_report::{Format, Level, Quiet};

pub(crate) const ROWS: &[OptionSpec] = &[
    works(
        Output,
        1,
        "quiet",
        Optional("N,N?,N?"),
        "LEVELS",
        "Print 0: all, 1: the last, 2: no models[,costs[,calls]]",
        quiet,
    )
    .short('q'),
    works(
        Output,
        1,
        "outf",
        Required("I jsonl|csv"),
        "FORMAT",
        "0: text, 1: competition, 2: JSON, 3: nothing, jsonl: one line per model, csv",
        |v, r| {
            let format = match v.integer(0) {
                Some(1) => Format::Competition,
                Some(2) => Format::Json,
                Some(3) => Format::Nothing,
                _ if v.alternative() == 1 => v.pick(0, &[Format::JsonLines, Format::Csv])?,
                _ => Format::Text,
            };
            set(&mut r.options.style.format, format)
        },
    ),
    works(
        Output,
        1,
        "stats",
        Optional("N0-3,N0-3? no='off='false"),
        "LEVEL",
        "Print statistics (1: basic, 2: full)",
        |v, r| set(&mut r.options.style.stats, if v.is_no() { 0 } else { v.number(0).unwrap_or(1) as u8 }),
    )
    .scope(Scope::Call)
    .short('s'),
    works(
        Output,
        1,
        "progress",
        Required("auto|always|never"),
        "WHEN",
        "Show a status line on a terminal's stderr [auto]",
        |v, r| set(&mut r.options.progress, v.pick(0, &[When::Auto, When::Always, When::Never])?),
    ),
    works(Output, 2, "out-atomf", Required("S"), "FORMAT", "How to print an atom: text around %0", |v, r| {
        let style = &mut r.options.style;
        (style.atom_prefix, style.atom_suffix) = atom_format(v.text())?;
        Ok(Effect::Full)
    }),
    works(
        Output,
        2,
        "out-ifs",
        Required("S"),
        "SEPARATOR",
        "What to print between atoms: one character, or \\n, \\t",
        |v, r| set(&mut r.options.style.separator, separator(v.text()).ok_or_else(|| v.is_wrong())?),
    ),
    works(Output, 2, "out-hide-aux", Flag, "", "Hide atoms whose names start with an underscore", |_, r| {
        set(&mut r.options.style.hide_aux, true)
    }),
    works(Output, 1, "text", Flag, "", "Print the ground program as text and exit", |_, r| {
        set(&mut r.text, true)
    }),
    works(
        Output,
        2,
        "expand",
        Flag,
        "",
        "Print the program with `$`, #distinct, #disjoint and #cumulative written out, and exit",
        |_, r| set(&mut r.options.expand, true),
    ),
    works(
        Output,
        2,
        "output",
        Required("intermediate|text|reify|smodels"),
        "FORMAT",
        "Print the ground program in this format and exit",
        |v, r| {
            let reify = GroundFormat::Reify { sccs: false, steps: false };
            let formats = [GroundFormat::Aspif, GroundFormat::Text, reify, GroundFormat::Smodels];
            set(&mut r.output, Some(v.pick(0, &formats)?))
        },
    )
    .short('o'),
    works(
        Output,
        2,
        "pre",
        Optional("aspif|smodels"),
        "FORMAT",
        "Print the simplified ground program and exit",
        |v, r| {
            set(
                &mut r.pre,
                Some(v.pick_or(0, GroundFormat::Aspif, &[GroundFormat::Aspif, GroundFormat::Smodels])?),
            )
        },
    ),
    works(Output, 2, "reify-sccs", Flag, "", "Add components to reified output", |_, r| {
        set(&mut r.reify_sccs, true)
    }),
    works(Output, 2, "reify-steps", Flag, "", "Add step numbers to reified output", |_, r| {
        set(&mut r.reify_steps, true)
    }),
    noted(
        Output,
        3,
        "output-debug",
        Required("none|text|translate|all"),
        "WHAT",
        "Print rules as text beside the output",
    )
    .scope(Scope::Control),
    works(
        Output,
        1,
        "show-grid",
        Optional("S"),
        "PREDICATE",
        "Print answer sets as grids or graphs instead of atoms",
        show_grid,
    ),
    works(Output, 1, "svg", Required("S"), "FILE", "Write pictures of the answer sets as SVG", |v, r| {
        set(&mut r.options.pictures.svg, Some(picture_file("svg", v)?))
    }),
    works(Output, 1, "html", Required("S"), "FILE", "Write pictures of the answer sets as a page", |v, r| {
        set(&mut r.options.pictures.html, Some(picture_file("html", v)?))
    }),
];

fn quiet(v: &Value<'_>, r: &mut Raw) -> Read {
    let levels = v.numbers(0, &[]);
    let level = |at: usize| {
        levels.get(at).map(|n| match n {
            0 => Level::All,
            1 => Level::Last,
            _ => Level::Nothing,
        })
    };
    let models = level(0).unwrap_or(Level::Nothing);
    let (costs, calls) = (level(1).unwrap_or(models), level(2).unwrap_or(Level::Nothing));
    set(&mut r.quiet, Some(Quiet { models, costs, calls }))
}

fn separator(text: &str) -> Option<char> {
    let mut chars = text.chars();
    Some(match (chars.next()?, chars.next(), chars.next()) {
        (c, None, None) => c,
        ('\\', Some('n'), None) => '\n',
        ('\\', Some('t'), None) => '\t',
        ('\\', Some('v'), None) => '\x0b',
        ('\\', Some('f'), None) => '\x0c',
        ('\\', Some('r'), None) => '\r',
        ('\\', Some('\\'), None) => '\\',
        _ => return None,
    })
}

/// What comes before and after the atom in `--out-atomf`: `%0` or `%s` once, `%%` for a per cent sign.
fn atom_format(format: &str) -> Result<(String, String), UsageError> {
    let bad = |what: &str| {
        Err(UsageError::new(UsageErrorKind::Argument, format!("cat_atom: Invalid format string - {what}")))
    };
    let (mut before, mut after, mut seen) = (String::new(), String::new(), false);
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        let out = if seen { &mut after } else { &mut before };
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('%') => out.push('%'),
            Some('0' | 's') if !seen => seen = true,
            Some('0' | 's') => return bad("too many arguments"),
            _ => return bad("'%' must be followed by '0', 's' or '%'"),
        }
    }
    if !seen { bad("no '%0' in it") } else { Ok((before, after)) }
}

fn show_grid(v: &Value<'_>, r: &mut Raw) -> Read {
    let pictures = &mut r.options.pictures;
    if v.is_given() {
        pictures.predicate = Some(Wanted::parse(v.text()).ok_or_else(|| v.is_wrong())?);
    }
    set(&mut pictures.text, true)
}

/// A file to be written to an existing folder.
fn picture_file(option: &str, v: &Value<'_>) -> Result<String, UsageError> {
    let name = v.text();
    let folder = Path::new(name).parent().filter(|f| !f.as_os_str().is_empty());
    match folder.filter(|f| !f.is_dir()) {
        None => Ok(name.to_string()),
        Some(missing) => {
            let missing = missing.display();
            Err(UsageError::option(format!("'{name}' invalid value for: '{option}'; no folder {missing}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_atoms() {
        assert_eq!(atom_format("x_%0.").unwrap(), ("x_".into(), ".".into()));
        assert_eq!(atom_format("%%%s").unwrap(), ("%".into(), String::new()));
        assert!(atom_format("x").is_err() && atom_format("%0%0").is_err() && atom_format("%x").is_err());
    }
}
