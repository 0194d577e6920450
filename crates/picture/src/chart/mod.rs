//! Charts, for answer sets that are neither grid nor graph: bars for tasks with a start and a length, routes, tables of
//! everything else.
//!
//! Invariant: each shown atom is in the chart, or counted in a line that says how many are left out.

pub(crate) mod text;

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::Facts;
use crate::scene::{Atom, Scene};
use crate::shape::{Name, Shape, label};
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};

/// The greatest number of rows of a table.
const MAX_ROWS: usize = 200;
/// The greatest number of its columns.
const MAX_COLUMNS: usize = 40;
/// Predicates `p(...,Start)`.
const STARTS: [&str; 8] =
    ["start", "starts", "begin", "begins", "from", "starttime", "start_time", "scheduled"];
/// Predicates `p(...,End)`.
const ENDS: [&str; 8] = ["end", "ends", "finish", "finishes", "until", "endtime", "end_time", "completed"];
/// Facts `p(...,Length)`; the last ones name what takes that long.
const LENGTHS: [&str; 13] = [
    "duration",
    "length",
    "processing",
    "processing_time",
    "time",
    "takes",
    "lasts",
    "dur",
    "job",
    "task",
    "activity",
    "operation",
    "step",
];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bar {
    pub label: String,
    pub start: i64,
    pub end: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Rows of texts under a head.
    Table {
        title: String,
        /// The names of the columns.
        head: Vec<String>,
        /// The rows, each with as many texts.
        rows: Vec<Vec<String>>,
    },
    /// Bars over a common axis.
    Bars { title: String, bars: Vec<Bar> },
    /// Ways from place to place, each with its name.
    Routes {
        title: String,
        /// Names and stops.
        routes: Vec<(String, Vec<String>)>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chart {
    /// One below the other.
    pub(crate) parts: Vec<Part>,
}

/// How the atoms of a predicate are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// A row a first argument, or an atom.
    List,
    /// A row and a column by these arguments, in a cell the third.
    Cross { row: usize, column: usize, cell: usize },
    /// Bars from the last argument on.
    Bars,
    /// Stops in order; with a group, the first argument names the route.
    Routes { grouped: bool },
}

/// Turns answer sets into charts.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChartPainter {
    roles: Vec<(String, usize, Role)>,
    /// How long what has a start takes, by the arguments before the start.
    lengths: Map<Vec<Sym>, i64>,
    ends: Option<(String, usize)>,
}

impl ChartPainter {
    /// Charts of what is shown, if there is a start with a length or an end in it.
    pub(crate) fn bars(
        symbols: &Symbols,
        facts: &Facts<'_>,
        scene: &Scene<'_>,
        first: &[Atom<'_>],
        shown: &[(Name<'_>, Shape)],
    ) -> Option<Self> {
        let named = |&((name, arity), _): &(Name<'_>, Shape)| arity > 1 && STARTS.contains(&name);
        let last = |a: &Atom<'_>| a.args.last().and_then(|&t| symbols.as_num(t));
        let atoms = |key: Name<'_>| scene.possible.iter().filter(|a| a.key() == key).collect::<Vec<_>>();
        // Any other predicate that gives each task one number is one of starts, too.
        let starts_all = |&((name, arity), _): &(Name<'_>, Shape)| {
            if arity < 2 || ENDS.contains(&name) || facts.is_all_of(&atoms((name, arity))) {
                return false;
            }
            let lengths = lengths_of(symbols, facts, arity);
            let here = || first.iter().filter(|a| a.key() == (name, arity));
            let keys: BTreeSet<&[Sym]> = here().map(|a| &a.args[..arity - 1]).collect();
            keys.len() == here().count()
                && keys.len() == lengths.len()
                && lengths.len() > 1
                && keys.iter().all(|key| lengths.contains_key(*key))
        };
        let found = shown.iter().find(|s| named(s)).or_else(|| shown.iter().find(|s| starts_all(s)));
        let &((name, arity), _) = found?;
        let starts = atoms((name, arity));
        if !starts.iter().all(|a| last(a).is_some()) {
            return None;
        }
        let lengths = lengths_of(symbols, facts, arity);
        let is_end = |((name, n), _): &&(Name<'_>, Shape)| *n == arity && ENDS.contains(name);
        let ends = shown.iter().find(is_end).map(|((name, n), _)| (name.to_string(), *n));
        let has_length = starts.iter().any(|a| lengths.contains_key(&a.args[..arity - 1]));
        if !has_length && ends.is_none() {
            return None;
        }
        let mut painter = Self::tables(symbols, scene, first, shown);
        painter.roles.retain(|(other, n, _)| {
            (other.as_str(), *n) != (name, arity) && ends.as_ref().is_none_or(|e| (&e.0, e.1) != (other, *n))
        });
        painter.roles.insert(0, (name.to_string(), arity, Role::Bars));
        (painter.lengths, painter.ends) = (lengths, ends);
        Some(painter)
    }

    /// Tables and routes of shown atoms; how a predicate is drawn depends on the first answer set.
    pub(crate) fn tables(
        symbols: &Symbols,
        scene: &Scene<'_>,
        first: &[Atom<'_>],
        shown: &[(Name<'_>, Shape)],
    ) -> Self {
        let role = |&(name, _): &(Name<'_>, Shape)| {
            let of = |atoms: &[Atom<'_>]| -> Vec<Vec<Sym>> {
                atoms.iter().filter(|a| a.key() == name).map(|a| a.args.to_vec()).collect()
            };
            (name.0.to_string(), name.1, role(symbols, name.1, &of(first), &of(&scene.possible)))
        };
        Self { roles: shown.iter().map(role).collect(), ..Self::default() }
    }

    /// A note on what is drawn how.
    pub(crate) fn told(&self) -> String {
        let one = |(name, arity, role): &(String, usize, Role)| {
            let what = match role {
                Role::List => "a table".to_string(),
                Role::Cross { row, column, .. } => {
                    format!("a table with argument {} by row and {} by column", row + 1, column + 1)
                }
                Role::Bars => "bars".to_string(),
                Role::Routes { .. } => "routes".to_string(),
            };
            format!("{name}/{arity} as {what}")
        };
        self.roles.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The chart of an answer set.
    pub(crate) fn paint(&self, symbols: &Symbols, holds: &[Atom<'_>]) -> Chart {
        let mut chart = Chart::default();
        for (name, arity, role) in &self.roles {
            let rows: Vec<&[Sym]> =
                holds.iter().filter(|a| a.key() == (name.as_str(), *arity)).map(|a| a.args).collect();
            if rows.is_empty() {
                continue;
            }
            chart.parts.extend(match role {
                Role::List => list(symbols, name, *arity, &rows),
                &Role::Cross { row, column, cell } => cross(symbols, name, &rows, [row, column, cell]),
                Role::Routes { grouped } => routes(symbols, name, &rows, *grouped),
                Role::Bars => self.bars_of(symbols, name, &rows, holds),
            });
        }
        chart
    }

    fn bars_of(&self, symbols: &Symbols, name: &str, rows: &[&[Sym]], holds: &[Atom<'_>]) -> Vec<Part> {
        let mut ends: Map<&[Sym], i64> = Map::default();
        if let Some((end, arity)) = &self.ends {
            for atom in holds.iter().filter(|a| a.key() == (end.as_str(), *arity)) {
                if let Some((&end, key)) = atom.args.split_last() {
                    ends.extend(symbols.as_num(end).map(|end| (key, end)));
                }
            }
        }
        let (mut bars, mut bare): (Vec<Bar>, Vec<&[Sym]>) = (Vec::new(), Vec::new());
        for row in rows {
            let Some((&start, key)) = row.split_last() else { continue };
            let start = symbols.as_num(start);
            let end = ends.get(key).copied().or_else(|| start?.checked_add(*self.lengths.get(key)?));
            match (start, end) {
                (Some(start), Some(end)) if start <= end => {
                    let label: Vec<String> = key.iter().map(|&t| label(symbols, t)).collect();
                    bars.push(Bar { label: label.join(","), start, end });
                }
                _ => bare.push(row),
            }
        }
        bars.sort_by(|a, b| (a.start, a.end, &a.label).cmp(&(b.start, b.end, &b.label)));
        let more = not_drawn(bars.len(), "");
        bars.truncate(MAX_ROWS);
        let mut parts = Vec::new();
        if !bars.is_empty() {
            parts.push(Part::Bars { title: format!("{name}{more}"), bars });
        }
        if !bare.is_empty() {
            // Atoms without an end are listed.
            parts.extend(list(symbols, name, rows[0].len(), &bare));
        }
        parts
    }
}

/// The length of each task, by the arguments before the start: from the first fact of these names.
fn lengths_of(symbols: &Symbols, facts: &Facts<'_>, arity: usize) -> Map<Vec<Sym>, i64> {
    let mut lengths: Map<Vec<Sym>, i64> = Map::default();
    for name in LENGTHS {
        for fact in facts.of((name, arity)) {
            let length = fact.args.last().and_then(|&term| symbols.as_num(term)).filter(|&n| n >= 0);
            if let Some(length) = length {
                lengths.entry(fact.args[..arity - 1].to_vec()).or_insert(length);
            }
        }
    }
    lengths
}

/// How the atoms of a predicate are drawn: those of an answer set, and all that may hold.
fn role(symbols: &Symbols, arity: usize, rows: &[Vec<Sym>], all: &[Vec<Sym>]) -> Role {
    let distinct = |at: usize| all.iter().map(|r| r[at]).collect::<BTreeSet<Sym>>();
    let slices: Vec<&[Sym]> = rows.iter().map(Vec::as_slice).collect();
    match arity {
        2 | 3 if is_route(symbols, &slices) => Role::Routes { grouped: arity == 3 },
        3 => {
            let sizes = [0, 1, 2].map(|at| distinct(at).len());
            let pairs: BTreeSet<(Sym, Sym)> = rows.iter().map(|r| (r[0], r[1])).collect();
            let functional = pairs.len() == rows.len();
            if rows.is_empty() || functional && 2 * pairs.len() > sizes[0] * sizes[1] {
                return Role::Cross { row: 0, column: 1, cell: 2 };
            }
            // The argument that varies most goes into the cells.
            let cell = (0..3).max_by_key(|&at| (sizes[at], at == 0)).unwrap_or(2);
            let others: Vec<usize> = (0..3).filter(|&at| at != cell).collect();
            let is_number = |at: usize| all.iter().all(|r| symbols.as_num(r[at]).is_some());
            let [a, b] = [others[0], others[1]];
            let (row, column) = if is_number(b) { (b, a) } else { (a, b) };
            Role::Cross { row, column, cell }
        }
        _ => Role::List,
    }
}

/// Whether the last two arguments lead from place to place, at most once from and to each, with a first argument for
/// each route if there are three.
fn is_route(symbols: &Symbols, rows: &[&[Sym]]) -> bool {
    let (mut from, mut to) = (BTreeSet::new(), BTreeSet::new());
    let steps = rows.iter().all(|r| {
        let (group, [x, y]) = r.split_at(r.len() - 2) else { return false };
        let number = symbols.as_num(*x).is_some() || symbols.as_num(*y).is_some();
        !number && x != y && from.insert((group.to_vec(), *x)) && to.insert((group.to_vec(), *y))
    });
    steps && from.intersection(&to).next().is_some()
}

fn list(symbols: &Symbols, name: &str, arity: usize, rows: &[&[Sym]]) -> Vec<Part> {
    let mut rows = rows.to_vec();
    rows.sort_by(|a, b| compare(symbols, a, b));
    let text = |t: &Sym| label(symbols, *t);
    let (head, mut texts): (Vec<String>, Vec<Vec<String>>) = match arity {
        0 => (Vec::new(), Vec::new()),
        2 => {
            let mut lines: Vec<(Sym, Vec<String>)> = Vec::new();
            for row in rows {
                match lines.last_mut() {
                    Some((key, values)) if *key == row[0] => values.push(text(&row[1])),
                    _ => lines.push((row[0], vec![text(&row[1])])),
                }
            }
            let line = |(key, values): (Sym, Vec<String>)| vec![text(&key), values.join(", ")];
            (Vec::new(), lines.into_iter().map(line).collect())
        }
        _ => (Vec::new(), rows.iter().map(|r| r.iter().map(text).collect()).collect()),
    };
    let more = not_drawn(texts.len(), "rows ");
    texts.truncate(MAX_ROWS);
    vec![Part::Table { title: format!("{name}{more}"), head, rows: texts }]
}

/// Rows, columns and cells by three arguments.
fn cross(symbols: &Symbols, name: &str, rows: &[&[Sym]], [row, column, cell]: [usize; 3]) -> Vec<Part> {
    let sorted = |at: usize| {
        let mut found: Vec<Sym> = rows.iter().map(|r| r[at]).collect();
        found.sort_by(|&a, &b| symbols.cmp(a, b));
        found.dedup();
        found
    };
    let (lines, columns) = (sorted(row), sorted(column));
    if columns.len() > MAX_COLUMNS {
        return list(symbols, name, 3, rows);
    }
    let mut cells: BTreeMap<(Sym, Sym), Vec<Sym>> = BTreeMap::new();
    for r in rows {
        cells.entry((r[row], r[column])).or_default().push(r[cell]);
    }
    let content = |line: Sym, column: Sym| match cells.get(&(line, column)) {
        None => String::new(),
        Some(found) => {
            let mut found = found.clone();
            found.sort_by(|&a, &b| symbols.cmp(a, b));
            found.iter().map(|&t| label(symbols, t)).collect::<Vec<_>>().join(", ")
        }
    };
    let head = std::iter::once(String::new()).chain(columns.iter().map(|&c| label(symbols, c))).collect();
    let line =
        |&l: &Sym| std::iter::once(label(symbols, l)).chain(columns.iter().map(|&c| content(l, c))).collect();
    let more = not_drawn(lines.len(), "rows ");
    let rows = lines.iter().take(MAX_ROWS).map(line).collect();
    vec![Part::Table { title: format!("{name}{more}"), head, rows }]
}

/// Ways along the last two arguments, those that return to their start first of all places.
fn routes(symbols: &Symbols, name: &str, rows: &[&[Sym]], grouped: bool) -> Vec<Part> {
    if !is_route(symbols, rows) {
        // Another answer set than the first one.
        return list(symbols, name, if grouped { 3 } else { 2 }, rows);
    }
    let mut groups: Vec<(String, Vec<(Sym, Sym)>)> = Vec::new();
    let mut rows = rows.to_vec();
    rows.sort_by(|a, b| compare(symbols, a, b));
    for row in rows {
        let key = if grouped { label(symbols, row[0]) } else { String::new() };
        let step = (row[row.len() - 2], row[row.len() - 1]);
        match groups.last_mut() {
            Some((last, steps)) if *last == key => steps.push(step),
            _ => groups.push((key, vec![step])),
        }
    }
    let mut routes = Vec::new();
    for (key, steps) in groups {
        let next: Map<Sym, Sym> = steps.iter().copied().collect();
        let entered: BTreeSet<Sym> = steps.iter().map(|s| s.1).collect();
        let mut seen: BTreeSet<Sym> = BTreeSet::new();
        let open = steps.iter().map(|s| s.0).filter(|p| !entered.contains(p));
        for start in open.chain(steps.iter().map(|s| s.0)) {
            if seen.contains(&start) {
                continue;
            }
            let (mut stops, mut here) = (Vec::new(), Some(start));
            while let Some(place) = here {
                stops.push(label(symbols, place));
                here = next.get(&place).copied().filter(|_| seen.insert(place));
            }
            routes.push((key.clone(), stops));
        }
    }
    vec![Part::Routes { title: name.to_string(), routes }]
}

/// How many of `all` rows are left out, after the title.
fn not_drawn(all: usize, what: &str) -> String {
    let left = all.saturating_sub(MAX_ROWS);
    if left > 0 { format!(", {left} more {what}not drawn") } else { String::new() }
}

fn compare(symbols: &Symbols, a: &[Sym], b: &[Sym]) -> std::cmp::Ordering {
    let pairs = a.iter().zip(b).map(|(&x, &y)| symbols.cmp(x, y));
    pairs.into_iter().find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
}
