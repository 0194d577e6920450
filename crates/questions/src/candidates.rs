//! Replies to "what is still possible": a grid of pencil marks, domains of values, and the atoms that fit neither.

use std::fmt::Write as _;

use super::listing;
use asp_base::map::{Map, Set};
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_control::Control;
use asp_explain::cells::{self, Cells, Item};
use asp_explain::count::Possible;
use asp_picture as picture;
use asp_picture::grid::Grid;
use asp_program::integers::state::Known;

/// A grid of marks has at most this many columns; lists of values say more than a wider one.
const MAX_COLUMNS: usize = 20;

/// The values that something still has.
struct Domain {
    name: String,
    values: Vec<Sym>,
}

impl Domain {
    /// `start(1): 0..3 7`
    fn text(&mut self, symbols: &Symbols) -> String {
        self.values.sort_by(|&a, &b| symbols.cmp(a, b));
        let mut out = format!("{}:", self.name);
        let next = |a: &Sym, b: &Sym| {
            symbols.as_num(*a).zip(symbols.as_num(*b)).is_some_and(|(a, b)| a.checked_add(1) == Some(b))
        };
        for run in self.values.chunk_by(next) {
            let _ = write!(out, " {}", symbols.display(run[0]));
            if let [_, .., last] = run {
                let _ = write!(out, "..{}", symbols.display(*last));
            }
        }
        out
    }
}

/// `p(1)` for the name of a predicate and its first arguments.
fn name_of(name: StrId, key: &[Sym], symbols: &Symbols) -> String {
    let name = symbols.str(name).to_string();
    if key.is_empty() {
        return name;
    }
    let key: Vec<String> = key.iter().map(|&s| symbols.display(s)).collect();
    format!("{name}({})", key.join(","))
}

/// `y in 5..9 70000..1000000`, for each integer variable without atoms for its values: its domain within the bounds.
fn ranges(control: &Control, possible: &Possible) -> Vec<String> {
    let (variables, symbols) = (&control.program().integers.variables, control.symbols());
    let open = variables.iter().zip(&possible.ranges).filter_map(|(known, range)| Some((known, (*range)?)));
    let mut open: Vec<(&Known, (i64, i64))> = open.collect();
    open.sort_by(|a, b| symbols.cmp(a.0.name, b.0.name));
    let text = |(known, (least, greatest)): (&Known, (i64, i64))| {
        let within = known.domain.ranges().map(|(a, b)| (a.max(least), b.min(greatest)));
        let range = |(a, b)| if a == b { format!(" {a}") } else { format!(" {a}..{b}") };
        let ranges: String = within.filter(|(a, b)| a <= b).map(range).collect();
        format!("{} in{ranges}", symbols.display(known.name))
    };
    open.into_iter().map(text).collect()
}

/// The grid of what is possible, and what does not belong to a cell.
pub fn text(control: &Control, possible: &Possible) -> String {
    let (program, symbols) = (control.program(), control.symbols());
    let items = program.shows.iter().zip(&possible.shown).filter(|(_, p)| **p);
    let mut keys: Set<(StrId, Sym)> = Set::default();
    let mut pairs: Set<StrId> = Set::default();
    for item in items.clone().filter_map(|(show, _)| cells::item(show.item, program, symbols)) {
        if let Item { name, args: [key, _], negative: false, .. } = item
            && !keys.insert((name, *key))
        {
            pairs.insert(name);
        }
    }
    // Of two arguments, the second is a value where something has several.
    let is_pair = |item: &Item<'_>| item.args.len() == 2 && pairs.contains(&item.name);
    let is_value = |item: &Item<'_>| {
        !item.negative && (is_pair(item) || control.is_function(item.name, item.args.len()))
    };
    // Numbers of several digits are no pencil marks.
    let is_long =
        |item: &Item<'_>| is_value(item) && item.args.last().is_some_and(|&v| symbols.display(v).len() > 1);
    let is_wide = |name: StrId| {
        let mut items = items.clone().filter_map(|(show, _)| cells::item(show.item, program, symbols));
        items.any(|item| item.name == name && is_long(&item))
    };
    let cells = Cells::find(program, symbols).filter(|cells| !is_wide(cells.name));
    // Marks in the cells of a grid that fits the terminal are drawn there.
    let fits = |grid: &Grid| grid.rows > 1 && grid.columns <= MAX_COLUMNS;
    let marked = if cells.is_none() { listing::marks(control, &possible.shown) } else { None };
    let marked = marked.filter(|(grid, marks)| fits(grid) && marks.contains(&true));
    let mut domains: Vec<Domain> = Vec::new();
    let mut places: Map<String, usize> = Map::default();
    let mut add = |name: String, value: Sym| {
        let at = *places.entry(name.clone()).or_insert(domains.len());
        if at == domains.len() {
            domains.push(Domain { name, values: Vec::new() });
        }
        domains[at].values.push(value);
    };
    let mut seen: Set<String> = Set::default();
    let mut others: Vec<String> = Vec::new();
    let mut marks: Vec<(i64, i64, String)> = Vec::new();
    let in_grid = |entry: usize| marked.as_ref().is_some_and(|(_, marks)| marks[entry]);
    let entries = (0..).zip(program.shows.iter().zip(&possible.shown));
    for (show, _) in entries.filter(|&(entry, (_, p))| *p && !in_grid(entry)).map(|(_, entry)| entry) {
        let text = cells::text(show.item, program, symbols);
        if !seen.insert(text.clone()) {
            continue;
        }
        if let (Some((name, _)), Some(item)) =
            (show.item.value(symbols), cells::item(show.item, program, symbols))
        {
            item.args.last().iter().for_each(|&&value| add(symbols.display(name), value));
            continue;
        }
        let cell = cells::item(show.item, program, symbols)
            .and_then(|item| cells.as_ref().and_then(|c| c.cell(&item, symbols)));
        match cell {
            Some((r, c, v)) => marks.push((r, c, symbols.display(v))),
            None => match cells::item(show.item, program, symbols).filter(is_value) {
                Some(Item { name, args: [key @ .., value], .. }) => {
                    add(name_of(name, key, symbols), *value);
                }
                _ => others.push(text),
            },
        }
    }
    let short = marks.iter().all(|m| m.2.chars().count() == 1);
    marks.sort_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
    let mut out = String::new();
    let drawn = cells.as_ref().and_then(|_| listing::grids(control, &[&possible.shown], true)?.pop());
    let grid = drawn.or(marked.as_ref().map(|(grid, _)| grid.clone())).or_else(|| {
        let mut grid = cells.as_ref()?.grid();
        for (r, c, v) in &marks {
            let Some(at) = grid.at(*r, *c) else { continue };
            let text = &mut grid.cell_mut(at).text;
            if !text.is_empty() && !short {
                text.push(',');
            }
            text.push_str(v);
        }
        Some(grid)
    });
    for line in grid.iter().flat_map(|grid| picture::grid::text::lines(grid, false)) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let mut lines: Vec<String> = domains.iter_mut().map(|domain| domain.text(symbols)).collect();
    lines.extend(ranges(control, possible));
    if !lines.is_empty() && !out.is_empty() {
        out.push('\n');
    }
    for line in &lines {
        let _ = writeln!(out, "{line}");
    }
    if !others.is_empty() && !out.is_empty() {
        out.push('\n');
    }
    if !others.is_empty() {
        let _ = writeln!(out, "possible: {}", others.join(" "));
    } else if grid.is_none() && lines.is_empty() {
        out.push_str("Nothing that is shown is possible.\n");
    }
    out
}
