//! Guesses what to draw: a grid or a graph, from arities, integer ranges and coverage, never from names.
//!
//! In this order: what the program describes itself; bars, of which [`chart`](super::chart) does know names; a graph, if
//! what is shown chooses its edges or nodes or gives its nodes values; a grid of values `p(R,C,V)`; a grid of marked
//! cells `p(R,C)` or lines `p((R,C),(S,D))`; the graph of facts alone; tables of what is shown.
//!
//! Invariant: what all answer sets share is drawn once, into the painter's base.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::ChartPainter;
use super::drawn::Picture;
use super::facts::Facts;
use super::graph::GraphPainter;
use super::grid::painter::{GridPainter, Role, Saying, line_of};
use super::grid::{Grid, Line};
use super::scene::{Atom, Scene, distinct};
use super::shape::{Name, Place, Shape, cell, label, shapes};
use super::vocabulary;
use asp_base::symbol::{Sym, Symbols};

/// The predicate that the user wants to see, perhaps with its arity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    pub name: String,
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

/// Turns answer sets into pictures.
#[derive(Clone, Debug)]
pub struct Painter {
    kind: Kind,
    /// A note on what is drawn and what is not, unless that is obvious.
    told: Option<String>,
}

#[derive(Clone, Debug)]
enum Kind {
    Grid(Box<GridPainter>),
    Graph(Box<GraphPainter>),
    Chart(Box<ChartPainter>),
}

/// A note on what is drawn and what is not, if something is not.
fn told(candidates: &[(Name<'_>, Shape)], is_drawn: impl Fn(Name<'_>) -> bool) -> Option<String> {
    let list = |drawn: bool| {
        let names = candidates.iter().filter(|(name, _)| is_drawn(*name) == drawn);
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
        let is_candidate =
            |name: Name<'_>| !name.0.starts_with(vocabulary::PREFIX) && wanted.is_none_or(|w| w.is(name));
        let candidates: Vec<(Name<'_>, Shape)> =
            all.iter().filter(|(name, _)| is_candidate(*name)).copied().collect();
        if let (Some(wanted), true) = (wanted, candidates.is_empty()) {
            return Err(unknown(wanted, &all));
        }
        let fact_words = || scene.facts.iter().copied().filter(Atom::is_word);
        let words = distinct(scene.possible.iter().copied().filter(Atom::is_word).chain(fact_words()));
        let has = |names: &[Name<'static>]| words.iter().any(|a| names.contains(&a.key()));
        let mut drawing = Drawing {
            symbols,
            scene,
            facts: &facts,
            first,
            candidates: &candidates,
            describing: Vec::new(),
            words: fact_words().collect(),
            named: wanted.is_some(),
            several,
        };
        if wanted.is_none() {
            drawing.find_describing();
        }
        if wanted.is_none()
            && has(&vocabulary::GRID)
            && let Some(base) = vocabulary::extent(symbols, &words, first)
        {
            return Ok(drawing.picture_of(drawing.own_grid(base)));
        }
        if has(&vocabulary::GRAPH) {
            let changes = vocabulary::GRAPH.iter().any(|&name| {
                !facts.is_all_of(&scene.possible.iter().filter(|a| a.key() == name).collect::<Vec<_>>())
            });
            let stays = !changes && !has(&vocabulary::GRAPH_LOOK);
            let words = Facts::new(symbols, &words);
            let painter = GraphPainter::stated(&words, &facts, scene, &candidates, stays)?;
            if wanted.is_none() || painter.is_marked() {
                return Ok(Self::of_graph(painter, &candidates));
            }
        }
        if let Some(painter) = ChartPainter::bars(symbols, &facts, scene, first, &candidates) {
            return Ok(Self::of_chart(painter));
        }
        let in_grid = |&(name, shape): &(Name<'_>, Shape)| {
            matches!(shape, Shape::Value | Shape::Link) && !drawing.describing.contains(&name)
        };
        if drawing.words.is_empty()
            && !candidates.iter().any(in_grid)
            && let Some(painter) = GraphPainter::guess(&facts, scene, &candidates)
        {
            return Ok(Self::of_graph(painter, &candidates));
        }
        if let Some(painter) = drawing.grid()? {
            return Ok(drawing.picture_of(painter));
        }
        // A graph that says nothing about what is shown would hide it.
        if let (Some(painter), None) = (GraphPainter::plain(&facts, scene, &candidates), wanted) {
            return Ok(Self { kind: Kind::Graph(Box::new(painter)), told: None });
        }
        if candidates.iter().all(|((_, arity), _)| *arity == 0) {
            return Err(nothing(&candidates));
        }
        Ok(Self::of_chart(ChartPainter::tables(symbols, scene, first, &candidates)))
    }

    fn of_graph(painter: GraphPainter, candidates: &[(Name<'_>, Shape)]) -> Self {
        let told = told(candidates, |name| painter.draws(name));
        Self { kind: Kind::Graph(Box::new(painter)), told }
    }

    fn of_chart(painter: ChartPainter) -> Self {
        let told = Some(format!("drawn: {}", painter.told()));
        Self { kind: Kind::Chart(Box::new(painter)), told }
    }

    /// A note on what is drawn and what is not, in a line, unless that is obvious.
    pub fn told(&self) -> Option<&str> {
        self.told.as_deref()
    }

    /// The meaning of an atom for a cell of the grid, if it is drawn in one.
    pub fn says(&self, symbols: &Symbols, atom: &Atom<'_>) -> Option<Saying> {
        match &self.kind {
            Kind::Grid(painter) => painter.says(symbols, atom),
            _ => None,
        }
    }

    /// The picture of the answer set in which these atoms hold.
    pub fn paint(&self, symbols: &Symbols, holds: &[Atom<'_>]) -> Picture {
        match &self.kind {
            Kind::Graph(painter) => Picture::Graph(painter.paint(symbols, holds)),
            Kind::Chart(painter) => Picture::Chart(painter.paint(symbols, holds)),
            Kind::Grid(painter) => Picture::Grid(painter.paint(symbols, holds)),
        }
    }
}

/// The first names of a list, as in messages.
fn names(all: &[(Name<'_>, Shape)]) -> String {
    let shown = all.iter().filter(|((name, _), _)| !name.starts_with(vocabulary::PREFIX));
    let names: Vec<String> = shown.take(8).map(|((name, arity), _)| format!("{name}/{arity}")).collect();
    if names.is_empty() { "nothing".to_string() } else { names.join(", ") }
}

fn unknown(wanted: &Wanted, all: &[(Name<'_>, Shape)]) -> String {
    let arity = wanted.arity.map_or(String::new(), |a| format!("/{a}"));
    format!("nothing to draw: {}{arity} is not among what is shown: {}", wanted.name, names(all))
}

fn nothing(candidates: &[(Name<'_>, Shape)]) -> String {
    format!(
        "nothing to draw: looked for cells p(R,C,V) or p(R,C) with integers R and C, lines p((R,C),(S,D)), a graph \
         of facts p(X,Y), and render_... atoms; shown here: {}",
        names(candidates)
    )
}

/// The data of a guess.
struct Drawing<'a> {
    symbols: &'a Symbols,
    scene: &'a Scene<'a>,
    facts: &'a Facts<'a>,
    first: &'a [Atom<'a>],
    /// The predicates that may be drawn.
    candidates: &'a [(Name<'a>, Shape)],
    /// Of these, what only describes the puzzle.
    describing: Vec<Name<'a>>,
    /// The facts of the vocabulary.
    words: Vec<Atom<'a>>,
    /// Whether the user named the predicate.
    named: bool,
    several: bool,
}

impl<'a> Drawing<'a> {
    /// Facts only describe the puzzle where cells contain something that is not a fact; cells that fill the grid, where anything
    /// else does.
    fn find_describing(&mut self) {
        let in_cells: Vec<_> = self.candidates.iter().filter(|(_, shape)| *shape != Shape::Other).collect();
        let is_fact = |name: Name<'_>| self.facts.is_all_of(&self.possible(name).collect::<Vec<_>>());
        let all_facts = in_cells.iter().all(|(name, _)| is_fact(*name));
        let fills = |name: Name<'a>| {
            let places = self.cells(name);
            Grid::around(&places).is_some_and(|grid| grid.cells.len() == places.len())
        };
        let describes = |&&&(name, shape): &&&(Name<'a>, Shape)| {
            is_fact(name) && (!all_facts || shape == Shape::Mark && in_cells.len() > 1 && fills(name))
        };
        self.describing = in_cells.iter().filter(describes).map(|(name, _)| *name).collect();
    }

    /// The atoms of a predicate that may hold.
    fn possible<'n>(&'n self, name: Name<'n>) -> impl Iterator<Item = &'n Atom<'a>> {
        self.scene.possible.iter().filter(move |a| a.key() == name)
    }

    /// The cells of a predicate that may hold.
    fn cells(&self, name: Name<'_>) -> Vec<Place> {
        let cells = self.possible(name).filter_map(|a| cell(self.symbols, a.args));
        cells.map(|(place, _)| place).collect::<BTreeSet<Place>>().into_iter().collect()
    }

    /// The grid whose size the program says, with the predicates that it says how to draw.
    fn own_grid(&self, base: Grid) -> GridPainter {
        let stated =
            self.candidates.iter().filter_map(|&(name, shape)| Some((name, self.stated(name, shape)?)));
        let roles: Vec<(Name<'_>, Role)> = stated.collect();
        GridPainter { own: true, ..self.painter(base, &roles) }
    }

    fn painter(&self, mut base: Grid, roles: &[(Name<'_>, Role)]) -> GridPainter {
        base.lattice = roles.iter().any(|(_, role)| *role == Role::Corner);
        GridPainter {
            base,
            roles: roles
                .iter()
                .map(|((name, arity), role)| (name.to_string(), *arity, role.clone()))
                .collect(),
            words: self.words.iter().map(|a| (a.name.to_string(), a.args.to_vec())).collect(),
            own: false,
        }
    }

    fn picture_of(&self, painter: GridPainter) -> Painter {
        let told = told(self.candidates, |name| self.describing.contains(&name) || painter.draws(name));
        Painter { kind: Kind::Grid(Box::new(painter)), told }
    }

    /// The role that the program gives a predicate.
    fn stated(&self, name: Name<'_>, shape: Shape) -> Option<Role> {
        match (vocabulary::stated_look(self.symbols, &self.words, name.0)?, shape) {
            ("shade", Shape::Mark) => Some(Role::Shade),
            ("region", Shape::Value) if !self.named => Some(Role::Group),
            ("corners", Shape::Link) => Some(Role::Corner),
            _ => None,
        }
    }

    fn roles(&self) -> Vec<(Name<'a>, Role)> {
        let mut roles: Vec<(Name<'a>, Role)> = Vec::new();
        roles.extend(self.value_predicate().map(|name| (name, Role::Value)));
        let mut letters = Vec::new();
        for &(name, shape) in self.candidates.iter().filter(|(name, _)| !self.describing.contains(name)) {
            let role = self.stated(name, shape).or_else(|| match shape {
                Shape::Mark => Some(letter(name.0, &mut letters)),
                Shape::Link => Some(self.line(name)),
                _ => None,
            });
            roles.extend(role.map(|role| (name, role)));
        }
        roles
    }

    fn grid(&self) -> Result<Option<GridPainter>, String> {
        let roles = self.roles();
        if roles.is_empty() {
            return Ok(None);
        }
        let mut places = vocabulary::places(self.symbols, &self.words);
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
        grid.has_givens = roles.iter().any(|(_, role)| *role == Role::Value);
        self.give(&mut grid, &roles);
        if grid.has_givens && self.by_shape() {
            let is_drawn = |name: Name<'_>| roles.iter().any(|role| role.0 == name);
            self.facts.draw_between(&mut grid, |name| !is_drawn(name));
        }
        let has_regions = vocabulary::is_ruled(&self.words)
            || self.by_shape()
                && self.facts.draw_regions(&mut grid, |name| roles.iter().all(|role| role.0 != name));
        if grid.has_givens && !has_regions {
            self.square_blocks(&mut grid, &roles);
        }
        Ok(Some(self.painter(grid, &roles)))
    }

    /// Whether facts are known by their shape, since the program does not say what they are.
    fn by_shape(&self) -> bool {
        self.words.is_empty()
    }

    /// Writes given values: values that are facts, and, by their shape, facts that the first answer set repeats, or about cells
    /// that nothing can mark.
    fn give(&self, grid: &mut Grid, roles: &[(Name<'_>, Role)]) {
        let is_value = |name: Name<'_>| roles.contains(&(name, Role::Value));
        let shown =
            self.first.iter().filter(|a| is_value(a.key())).filter_map(|a| cell(self.symbols, a.args));
        let values: BTreeSet<(Place, Sym)> = shown.map(|(place, rest)| (place, rest[0])).collect();
        let marks = roles.iter().filter(|(_, role)| matches!(role, Role::Letter(_)));
        let marks: BTreeSet<Place> = marks.flat_map(|(name, _)| self.cells(*name)).collect();
        let unmarked = |place| !grid.has_givens && !marks.is_empty() && !marks.contains(&place);
        let fits = |place, value| values.contains(&(place, value)) || unmarked(place);
        let given = self.facts.values(|name, place, value| {
            is_value(name) || self.by_shape() && (self.describing.contains(&name) || fits(place, value))
        });
        for (place, value) in given {
            if let Some(at) = grid.at(place.0, place.1) {
                let cell = grid.cell_mut(at);
                (cell.text, cell.given) = (label(self.symbols, value), true);
            }
        }
    }

    /// The predicate whose values fill the grid: among those that give a cell at most one value, the one that covers
    /// the most cells, and at least a third of its rectangle.
    fn value_predicate(&self) -> Option<Name<'a>> {
        let mut best: Option<(usize, Name<'a>)> = None;
        for &(name, shape) in self.candidates {
            let is_value = shape == Shape::Value && !self.describing.contains(&name);
            if !is_value || self.stated(name, shape).is_some() {
                continue;
            }
            let places = self.cells(name);
            let mut seen = BTreeSet::new();
            let mut here = self.first.iter().filter(|a| a.key() == name);
            let single =
                here.all(|a| cell(self.symbols, a.args).is_some_and(|(place, _)| seen.insert(place)));
            let Some(grid) = Grid::around(&places) else { continue };
            let covered = 3 * places.len() >= grid.cells.len();
            let fits = self.named || ((single || self.several) && covered);
            if fits && best.is_none_or(|(n, _)| places.len() > n) {
                best = Some((places.len(), name));
            }
        }
        best.map(|(_, name)| name)
    }

    /// The meaning of lines from cell to cell: along rows and columns, or jumps.
    fn line(&self, name: Name<'_>) -> Role {
        let straight = self.lines_of(name).all(|(a, b)| a.0 == b.0 || a.1 == b.1);
        if straight { Role::Link } else { Role::Tour }
    }

    fn lines_of<'n>(&'n self, name: Name<'n>) -> impl Iterator<Item = (Place, Place)> + 'n {
        self.possible(name).filter_map(|a| line_of(self.symbols, a))
    }

    fn places_of(&self, name: Name<'_>, role: &Role, places: &mut Vec<Place>) {
        match role {
            Role::Corner => {
                for (a, b) in self.lines_of(name) {
                    // The last corners are not cells.
                    let last = (b.0.saturating_sub(1), b.1.saturating_sub(1));
                    places.push((a.0.min(last.0).max(1), a.1.min(last.1).max(1)));
                }
            }
            Role::Link | Role::Tour => places.extend(self.lines_of(name).flat_map(|(a, b)| [a, b])),
            _ => places.extend(self.cells(name)),
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
            if let Some((place, &[v])) = cell(self.symbols, atom.args)
                && let Some(at) = grid.at(place.0, place.1)
            {
                let text = self.symbols.display(v);
                values.insert(text.clone());
                blocks.entry((at.0 / k, at.1 / k)).or_default().insert(text);
            }
        }
        if values.len() == n && blocks.len() == n && blocks.values().all(|b| b.len() == n) {
            let groups: Vec<_> = grid.iter().map(|((r, c), _)| Some((r / k, c / k))).collect();
            grid.draw_groups(&groups, Line::Light);
        }
    }
}

/// The mark of a predicate's cells: the first unused letter of its name.
fn letter(name: &str, used: &mut Vec<char>) -> Role {
    let upper = name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase());
    let letter = upper.into_iter().find(|c| !used.contains(c)).unwrap_or('*');
    used.push(letter);
    Role::Letter(letter)
}
