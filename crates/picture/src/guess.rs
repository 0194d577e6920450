//! What to draw: a grid or a graph, guessed from names, arities, integer ranges and coverage.
//!
//! In this order: what the program describes itself; a graph, if what is shown chooses its edges or nodes or gives its
//! nodes values; bars; a grid of values `p(R,C,V)`; a grid of marked cells `p(R,C)` or lines `p((R,C),(S,D))`; the
//! graph of facts alone; tables of what is shown.
//!
//! Invariant: what all answer sets share is drawn once, into the painter's base.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::ChartPainter;
use super::drawn::Picture;
use super::graph::GraphPainter;
use super::grid::{Cell, Fill, Grid, Line};
use super::hints::{CAGES, Facts, REGIONS};
use super::scene::{Atom, Scene};
use super::shape::{Name, Place, Shape, cell, label, link, shapes};
use super::vocabulary;
use asp_base::map::Map;
use asp_base::symbol::Symbols;

/// The predicate that the user wants to see, perhaps with its arity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// Its arity.
    pub arity: Option<usize>,
}

impl Wanted {
    /// `name` or `name/arity`.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, arity) = match text.split_once('/') {
            Some((name, arity)) => (name, Some(arity.parse().ok()?)),
            None => (text, None),
        };
        let starts = name.trim_start_matches('_').starts_with(|c: char| c.is_ascii_lowercase());
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'');
        (starts && plain).then(|| Self { name: name.to_string(), arity })
    }
    fn is(&self, name: Name<'_>) -> bool {
        self.name == name.0 && self.arity.is_none_or(|arity| arity == name.1)
    }
}

/// How the atoms of a predicate are drawn in a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Role {
    /// Values are written into cells.
    Value,
    /// Cells get a letter.
    Letter(char),
    /// Cells are blackened.
    Shade,
    /// Lines join the centres of neighbours.
    Link,
    /// Lines join corners.
    Corner,
    /// Values say which cells belong together.
    Group,
    /// Steps from cell to cell; each cell gets its number on the way.
    Tour,
}

/// Names of `p(R,C)` that blacken cells.
const SHADES: [&str; 9] = ["shaded", "shade", "black", "painted", "filled", "fill", "water", "sea", "dark"];

/// Turns answer sets into pictures.
#[derive(Clone, Debug)]
pub struct Painter {
    kind: Kind,
    /// What is drawn and what is not, unless that is plain to see.
    told: Option<String>,
}

#[derive(Clone, Debug)]
enum Kind {
    Grid { base: Box<Grid>, roles: Vec<(String, usize, Role)> },
    Graph(Box<GraphPainter>),
    Chart(Box<ChartPainter>),
}

/// What is drawn and what is not, if something is not.
fn told(candidates: &[(Name<'_>, Shape)], is_drawn: impl Fn(Name<'_>, Shape) -> bool) -> Option<String> {
    let list = |drawn: bool| {
        let names = candidates.iter().filter(|(name, shape)| is_drawn(*name, *shape) == drawn);
        names.map(|((name, arity), _)| format!("{name}/{arity}")).collect::<Vec<_>>().join(", ")
    };
    let (drawn, left) = (list(true), list(false));
    (!drawn.is_empty() && !left.is_empty()).then(|| format!("drawn: {drawn}; not drawn: {left}"))
}

impl Painter {
    /// Decides what to draw. `first` is what holds in the first answer set; `several` allows several values in a cell,
    /// as in the union of answer sets. The error says what would be drawn.
    pub fn new(
        symbols: &Symbols,
        scene: &Scene<'_>,
        first: &[Atom<'_>],
        wanted: Option<&Wanted>,
        several: bool,
    ) -> Result<Self, String> {
        let facts = Facts::new(symbols, &scene.facts);
        let all = shapes(symbols, &scene.possible);
        let rendered = |names: &[Name<'static>]| all.iter().any(|(name, _)| names.contains(name));
        let may_show = |name: Name<'_>| !name.0.starts_with(vocabulary::PREFIX);
        let candidates: Vec<(Name<'_>, Shape)> = all
            .iter()
            .filter(|(name, _)| may_show(*name) && wanted.is_none_or(|w| w.is(*name)))
            .copied()
            .collect();
        if let (Some(wanted), true) = (wanted, candidates.is_empty()) {
            return Err(unknown(wanted, &all));
        }
        if rendered(&vocabulary::GRID) {
            if let Some(base) = vocabulary::extent(symbols, &scene.possible, first) {
                let kind = Kind::Grid { base: Box::new(base), roles: Vec::new() };
                return Ok(Self { kind, told: None });
            }
        }
        if rendered(&vocabulary::GRAPH) {
            let kind = Kind::Graph(Box::new(GraphPainter::rendered(symbols, scene)?));
            return Ok(Self { kind, told: None });
        }
        if let Some(painter) = ChartPainter::bars(symbols, &facts, scene, first, &candidates) {
            return Ok(Self::of_chart(painter));
        }
        let has_values = candidates
            .iter()
            .any(|((name, _), shape)| *shape == Shape::Value && !Facts::is_hint(name, *shape));
        if !has_values {
            if let Some(painter) = GraphPainter::guess(symbols, &facts, scene, &candidates)? {
                let told = told(&candidates, |name, _| painter.draws(name));
                return Ok(Self { kind: Kind::Graph(Box::new(painter)), told });
            }
        }
        let drawing = Drawing { symbols, scene, facts: &facts, first, named: wanted.is_some(), several };
        match drawing.grid(&candidates)? {
            Some(kind) => {
                let drawn = |name: Name<'_>, shape| {
                    let has_role = |(own, arity, _): &(String, usize, Role)| (own.as_str(), *arity) == name;
                    let hint = Facts::is_hint(name.0, shape) && drawing.is_fact(name);
                    hint || matches!(&kind, Kind::Grid { roles, .. } if roles.iter().any(has_role))
                };
                let told = told(&candidates, drawn);
                Ok(Self { kind, told })
            }
            // A graph that says nothing about what is shown would hide it.
            None => match GraphPainter::plain(symbols, &facts) {
                Ok(Some(painter))
                    if wanted.is_none()
                        && candidates.iter().all(|(name, _)| name.1 == 0 || painter.draws(*name)) =>
                {
                    Ok(Self { kind: Kind::Graph(Box::new(painter)), told: None })
                }
                Err(why) if wanted.is_none() && candidates.iter().all(|((_, arity), _)| *arity == 0) => {
                    Err(why)
                }
                _ if candidates.iter().all(|((_, arity), _)| *arity == 0) => Err(nothing(&candidates)),
                _ => Ok(Self::of_chart(ChartPainter::tables(symbols, scene, first, &candidates))),
            },
        }
    }

    fn of_chart(painter: ChartPainter) -> Self {
        let told = Some(format!("drawn: {}", painter.told()));
        Self { kind: Kind::Chart(Box::new(painter)), told }
    }

    /// What is drawn and what is not, in a line, unless that is plain to see.
    pub fn told(&self) -> Option<&str> {
        self.told.as_deref()
    }

    /// The picture of the answer set in which these atoms hold.
    pub fn paint(&self, symbols: &Symbols, holds: &[Atom<'_>]) -> Picture {
        match &self.kind {
            Kind::Graph(painter) => Picture::Graph(painter.paint(symbols, holds)),
            Kind::Chart(painter) => Picture::Chart(painter.paint(symbols, holds)),
            Kind::Grid { base, roles } => {
                // What the program says about its grid is evaluated for each answer set.
                let own = if roles.is_empty() { vocabulary::extent_that_holds(symbols, holds) } else { None };
                let mut grid = own.unwrap_or_else(|| (**base).clone());
                paint_grid(symbols, &mut grid, roles, holds);
                vocabulary::paint(symbols, &mut grid, holds);
                Picture::Grid(grid)
            }
        }
    }
}

fn unknown(wanted: &Wanted, all: &[(Name<'_>, Shape)]) -> String {
    let arity = wanted.arity.map_or(String::new(), |a| format!("/{a}"));
    let names: Vec<String> = all.iter().take(8).map(|((name, arity), _)| format!("{name}/{arity}")).collect();
    let known = if names.is_empty() { "nothing".to_string() } else { names.join(", ") };
    format!("nothing to draw: {}{arity} is not among what is shown: {known}", wanted.name)
}

fn nothing(candidates: &[(Name<'_>, Shape)]) -> String {
    let names: Vec<String> =
        candidates.iter().take(8).map(|((name, arity), _)| format!("{name}/{arity}")).collect();
    let shown = if names.is_empty() {
        "nothing is shown".to_string()
    } else {
        format!("shown here: {}", names.join(", "))
    };
    format!(
        "nothing to draw: looked for cells p(R,C,V) or p(R,C) with integers R and C, lines p((R,C),(S,D)), a graph \
         of edge/2 facts, and render_... atoms; {shown}"
    )
}

/// The data of a guess.
struct Drawing<'a> {
    symbols: &'a Symbols,
    scene: &'a Scene<'a>,
    facts: &'a Facts<'a>,
    first: &'a [Atom<'a>],
    /// Whether the user named the predicate.
    named: bool,
    several: bool,
}

impl Drawing<'_> {
    fn grid(&self, candidates: &[(Name<'_>, Shape)]) -> Result<Option<Kind>, String> {
        let mut roles: Vec<(Name<'_>, Role)> = Vec::new();
        if let Some(name) = self.value_predicate(candidates) {
            let groups = REGIONS.contains(&name.0) || CAGES.contains(&name.0);
            roles.push((name, if groups && !self.named { Role::Group } else { Role::Value }));
        }
        let mut letters = Vec::new();
        for &(name, shape) in candidates {
            let hint = !self.named && Facts::is_hint(name.0, shape) && self.is_fact(name);
            match shape {
                Shape::Mark if !hint => roles.push((name, mark(name.0, &mut letters))),
                Shape::Link if !hint => roles.push((name, self.line(name))),
                _ => {}
            }
        }
        if roles.is_empty() {
            return Ok(None);
        }
        let mut places = self.facts.extent();
        for (name, role) in &roles {
            self.places_of(*name, role, &mut places);
        }
        let Some(mut grid) = Grid::around(&places) else {
            let limit = super::grid::MAX_CELLS;
            return Err(format!("nothing to draw: the grid would have more than {limit} cells"));
        };
        let lone_marks = roles.iter().all(|(_, role)| matches!(role, Role::Letter(_)));
        if lone_marks && !self.named && grid.rows.min(grid.columns) < 2 {
            return Ok(None);
        }
        let marks_only = roles.iter().all(|(_, role)| *role != Role::Value);
        let links = roles.iter().any(|(_, role)| *role == Role::Link);
        let has_values = !marks_only;
        self.facts.fill(&mut grid);
        if links {
            self.facts.pearls(&mut grid);
        }
        let signs = self.facts.signs(&mut grid, marks_only);
        let blocks = self.facts.borders(&mut grid);
        grid.lattice = roles.iter().any(|(_, role)| *role == Role::Corner);
        if has_values && !blocks && !signs {
            self.square_blocks(&mut grid, &roles);
        }
        grid.has_givens = has_values;
        if has_values {
            self.mark_given_values(&mut grid, &roles);
        }
        let roles = roles.into_iter().map(|(name, role)| (name.0.to_string(), name.1, role)).collect();
        Ok(Some(Kind::Grid { base: Box::new(grid), roles }))
    }

    fn is_fact(&self, name: Name<'_>) -> bool {
        let possible = self.scene.possible.iter().filter(|a| a.key() == name).count();
        let facts = self.scene.facts.iter().filter(|a| a.key() == name).count();
        facts >= possible
    }

    /// The predicate whose values fill the grid: among those that give a cell at most one value, the one that covers
    /// the most cells, and at least a third of its rectangle.
    fn value_predicate<'n>(&self, candidates: &[(Name<'n>, Shape)]) -> Option<Name<'n>> {
        let mut best: Option<(usize, Name<'n>)> = None;
        for &(name, shape) in candidates {
            let hint = Facts::is_hint(name.0, shape) && self.is_fact(name);
            if shape != Shape::Value || (hint && !self.named) {
                continue;
            }
            let mut places = BTreeSet::new();
            for atom in self.scene.possible.iter().filter(|a| a.key() == name) {
                places.extend(cell(self.symbols, atom.args).map(|(place, _)| place));
            }
            let mut seen = BTreeSet::new();
            let mut here = self.first.iter().filter(|a| a.key() == name);
            let single =
                here.all(|a| cell(self.symbols, a.args).is_some_and(|(place, _)| seen.insert(place)));
            let Some(grid) = Grid::around(&places.iter().copied().collect::<Vec<_>>()) else { continue };
            let covered = 3 * places.len() >= grid.cells.len();
            let fits = self.named || ((single || self.several) && covered);
            if fits && best.is_none_or(|(n, _)| places.len() > n) {
                best = Some((places.len(), name));
            }
        }
        best.map(|(_, name)| name)
    }

    /// The meaning of lines from cell to cell: between corners if there are more of these than cells, along rows and
    /// columns, or as jumps.
    fn line(&self, name: Name<'_>) -> Role {
        let mut last = (i64::MIN, i64::MIN);
        let (mut neighbours, mut straight) = (true, true);
        for (a, b) in self.lines_of(name) {
            straight &= a.0 == b.0 || a.1 == b.1;
            neighbours &= a.0.abs_diff(b.0).saturating_add(a.1.abs_diff(b.1)) == 1;
            last = (last.0.max(a.0).max(b.0), last.1.max(a.1).max(b.1));
        }
        match self.facts.size() {
            Some((rows, columns)) if neighbours && last == (rows + 1, columns + 1) => Role::Corner,
            _ if straight => Role::Link,
            _ => Role::Tour,
        }
    }

    fn lines_of<'n>(&'n self, name: Name<'n>) -> impl Iterator<Item = (Place, Place)> + 'n {
        let atoms = self.scene.possible.iter().filter(move |a| a.key() == name);
        atoms.filter_map(|a| line_of(self.symbols, a))
    }

    fn places_of(&self, name: Name<'_>, role: &Role, places: &mut Vec<Place>) {
        match role {
            Role::Corner => {
                for (a, b) in self.lines_of(name) {
                    // The last corners are not cells.
                    places.push((a.0.min(b.0 - 1).max(1), a.1.min(b.1 - 1).max(1)));
                }
            }
            Role::Link | Role::Tour => places.extend(self.lines_of(name).flat_map(|(a, b)| [a, b])),
            _ => {
                let atoms = self.scene.possible.iter().filter(|a| a.key() == name);
                places.extend(atoms.filter_map(|a| cell(self.symbols, a.args).map(|(place, _)| place)));
            }
        }
    }

    /// Values that are facts count as given; so do those of `given/3`.
    fn mark_given_values(&self, grid: &mut Grid, roles: &[(Name<'_>, Role)]) {
        for (name, role) in roles {
            if *role != Role::Value {
                continue;
            }
            for atom in self.facts.of(name.0, name.1) {
                if let Some((place, &[value])) = cell(self.symbols, atom.args) {
                    if let Some(at) = grid.at(place.0, place.1) {
                        let text = label(self.symbols, value);
                        let cell = grid.cell_mut(at);
                        (cell.text, cell.given) = (text, true);
                    }
                }
            }
        }
    }

    /// Borders of square blocks, if the grid is a square of squares whose blocks each contain all values in the first
    /// answer set.
    fn square_blocks(&self, grid: &mut Grid, roles: &[(Name<'_>, Role)]) {
        let n = grid.rows;
        let k = n.isqrt();
        if n != grid.columns || k < 2 || k * k != n {
            return;
        }
        let value = roles.iter().find(|(_, role)| *role == Role::Value).map(|(name, _)| *name);
        let mut blocks: BTreeMap<(usize, usize), BTreeSet<String>> = BTreeMap::new();
        let mut values = BTreeSet::new();
        for atom in self.first.iter().filter(|a| Some(a.key()) == value) {
            if let Some((place, &[v])) = cell(self.symbols, atom.args) {
                if let Some(at) = grid.at(place.0, place.1) {
                    let text = self.symbols.display(v);
                    values.insert(text.clone());
                    blocks.entry((at.0 / k, at.1 / k)).or_default().insert(text);
                }
            }
        }
        if values.len() == n && blocks.len() == n && blocks.values().all(|b| b.len() == n) {
            let groups: Vec<_> = grid.iter().map(|((r, c), _)| Some((r / k, c / k))).collect();
            grid.draw_groups(&groups, Line::Light);
        }
    }
}

fn line_of(symbols: &Symbols, atom: &Atom<'_>) -> Option<(Place, Place)> {
    link(symbols, atom.args).map(|(a, b, _)| (a, b))
}

/// How the cells of a predicate are marked: blackened, or by the first unused letter of its name.
fn mark(name: &str, letters: &mut Vec<char>) -> Role {
    if SHADES.contains(&name) {
        return Role::Shade;
    }
    let upper = name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase());
    let letter = upper.into_iter().find(|c| !letters.contains(c)).unwrap_or('*');
    letters.push(letter);
    Role::Letter(letter)
}

fn paint_grid(symbols: &Symbols, grid: &mut Grid, roles: &[(String, usize, Role)], holds: &[Atom<'_>]) {
    let role_of = |atom: &Atom<'_>| {
        roles.iter().find(|(name, arity, _)| atom.key() == (name.as_str(), *arity)).map(|(_, _, role)| role)
    };
    let mut steps: Vec<(Place, Place)> = Vec::new();
    let mut texts: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    let mut groups: Vec<Option<String>> = vec![None; grid.cells.len()];
    for atom in holds {
        let Some(role) = role_of(atom) else { continue };
        if matches!(role, Role::Link | Role::Corner | Role::Tour) {
            let Some((a, b)) = line_of(symbols, atom) else { continue };
            match role {
                Role::Corner => draw_corner(grid, a.min(b), a.max(b)),
                Role::Tour => steps.push((a, b)),
                _ => {
                    if let (Some(a), Some(b)) = (grid.at(a.0, a.1), grid.at(b.0, b.1)) {
                        let count = link(symbols, atom.args).map_or(1, |l| l.2);
                        grid.links.push((a, b, if count > 1 { 2 } else { 1 }));
                    }
                }
            }
            continue;
        }
        let Some((place, rest)) = cell(symbols, atom.args) else { continue };
        let Some(at) = grid.at(place.0, place.1) else { continue };
        match (role, rest) {
            (Role::Value, &[value]) => texts.entry(at).or_default().push(label(symbols, value)),
            (Role::Group, &[value]) => groups[at.0 * grid.columns + at.1] = Some(symbols.display(value)),
            (Role::Shade, _) => grid.cell_mut(at).fill = Fill::Shade,
            (Role::Letter(letter), _) => {
                let cell = grid.cell_mut(at);
                if cell.text.is_empty() || cell.given {
                    *cell = Cell { text: letter.to_string(), given: false, ..cell.clone() };
                } else {
                    cell.text.push(*letter);
                }
            }
            _ => {}
        }
    }
    for (at, mut values) in texts {
        values.sort_by_key(|v| (v.parse::<i64>().unwrap_or(i64::MAX), v.clone()));
        values.dedup();
        let blank = if values.iter().all(|v| v.chars().count() == 1) { "" } else { "," };
        let text = values.join(blank);
        let cell = grid.cell_mut(at);
        let given = cell.given && cell.text == text;
        (cell.text, cell.given) = (super::grid::clip(&text), given);
    }
    grid.draw_groups(&groups, Line::Light);
    tour(grid, &steps);
}

/// A line between two neighbouring corners; a corner has the numbers of the cell to its lower right.
fn draw_corner(grid: &mut Grid, a: Place, b: Place) {
    let row = a.0.checked_sub(grid.first.0).and_then(|r| usize::try_from(r).ok());
    let column = a.1.checked_sub(grid.first.1).and_then(|c| usize::try_from(c).ok());
    if let (Some(row), Some(column)) = (row, column) {
        if a.0 == b.0 {
            grid.draw_above(row, column, Line::Heavy);
        } else {
            grid.draw_before(row, column, Line::Heavy);
        }
    }
}

/// Numbers the cells of paths and round trips; the first step starts at the first cell that no step leads to, or else
/// at the first cell.
fn tour(grid: &mut Grid, steps: &[(Place, Place)]) {
    let next: Map<Place, Place> = steps.iter().copied().collect();
    let entered: BTreeSet<Place> = steps.iter().map(|s| s.1).collect();
    let all: BTreeSet<Place> = steps.iter().flat_map(|s| [s.0, s.1]).collect();
    let starts = all.iter().filter(|p| !entered.contains(p)).chain(all.iter());
    let mut number = 0;
    let mut seen = BTreeSet::new();
    for &start in starts {
        let mut here = Some(start);
        while let Some(place) = here.filter(|p| seen.insert(*p)) {
            number += 1;
            if let Some(at) = grid.at(place.0, place.1) {
                grid.cell_mut(at).text = number.to_string();
            }
            here = next.get(&place).copied();
        }
    }
    for (a, b) in steps {
        if let (Some(a), Some(b)) = (grid.at(a.0, a.1), grid.at(b.0, b.1)) {
            grid.links.push((a, b, 1));
        }
    }
}
