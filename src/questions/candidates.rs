//! What is still possible: a grid of pencil marks, domains of values, and what is neither.

use std::fmt::Write as _;

use super::listing;
use crate::base::map::{Map, Set};
use crate::base::symbol::{StrId, Sym, Symbols};
use crate::control::Control;
use crate::explain::cells::{self, Cells, Item};
use crate::picture;

/// The values that a key still has.
struct Domain<'a> {
    name: StrId,
    key: &'a [Sym],
    values: Vec<Sym>,
}

impl Domain<'_> {
    /// `start(1): 0..3 7`
    fn text(&mut self, symbols: &Symbols) -> String {
        self.values.sort_by(|&a, &b| symbols.cmp(a, b));
        let mut out = symbols.str(self.name).to_string();
        if !self.key.is_empty() {
            let key: Vec<String> = self.key.iter().map(|&s| symbols.display(s)).collect();
            let _ = write!(out, "({})", key.join(","));
        }
        out.push(':');
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

/// The grid of what is possible, and what does not belong to a cell.
pub(crate) fn text(control: &Control, possible: &[bool]) -> String {
    let (program, symbols) = (control.program(), control.symbols());
    let items = program.shows.iter().zip(possible).filter(|(_, p)| **p);
    let is_value = |item: &Item<'_>| !item.negative && control.is_function(item.name, item.args.len());
    // Numbers of several digits are no pencil marks.
    let is_long =
        |item: &Item<'_>| is_value(item) && item.args.last().is_some_and(|&v| symbols.display(v).len() > 1);
    let is_wide = |name: StrId| {
        let mut items = items.clone().filter_map(|(show, _)| cells::item(show.item, program, symbols));
        items.any(|item| item.name == name && is_long(&item))
    };
    let cells = Cells::find(program, symbols).filter(|cells| !is_wide(cells.name));
    let mut domains: Vec<Domain<'_>> = Vec::new();
    let mut places: Map<(StrId, &[Sym]), usize> = Map::default();
    let mut grid = cells.as_ref().map(Cells::grid);
    let mut seen: Set<String> = Set::default();
    let mut others: Vec<String> = Vec::new();
    let mut marks: Vec<(i64, i64, String)> = Vec::new();
    for (show, _) in items.clone() {
        let text = cells::text(show.item, program, symbols);
        if !seen.insert(text.clone()) {
            continue;
        }
        let cell = cells::item(show.item, program, symbols)
            .and_then(|item| cells.as_ref().and_then(|c| c.cell(&item, symbols)));
        match cell {
            Some((r, c, v)) => marks.push((r, c, symbols.display(v))),
            None => match cells::item(show.item, program, symbols).filter(is_value) {
                Some(Item { name, args: [key @ .., value], .. }) => {
                    let at = *places.entry((name, key)).or_insert_with(|| {
                        domains.push(Domain { name, key, values: Vec::new() });
                        domains.len() - 1
                    });
                    domains[at].values.push(*value);
                }
                _ => others.push(text),
            },
        }
    }
    let short = marks.iter().all(|m| m.2.chars().count() == 1);
    marks.sort_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
    let mut out = String::new();
    let drawn = if cells.is_some() { listing::grids(control, &[possible], true) } else { None };
    if let Some([picture]) = drawn.as_deref() {
        grid = None;
        for line in picture::text::lines(picture, false) {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    if let Some(grid) = &mut grid {
        for (r, c, v) in &marks {
            if let Some(cell) = grid.at(*r, *c) {
                if !cell.is_empty() && !short {
                    cell.push(',');
                }
                cell.push_str(v);
            }
        }
        for line in grid.lines() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{line}");
        }
    }
    if !domains.is_empty() && !out.is_empty() {
        out.push('\n');
    }
    for domain in &mut domains {
        let _ = writeln!(out, "{}", domain.text(symbols));
    }
    if !others.is_empty() && !out.is_empty() {
        out.push('\n');
    }
    if !others.is_empty() {
        let _ = writeln!(out, "possible: {}", others.join(" "));
    } else if cells.is_none() && domains.is_empty() {
        out.push_str("Nothing that is shown is possible.\n");
    }
    out
}
