//! A graph with what an answer set says about it: colours or values of nodes, chosen nodes and edges.
//!
//! Invariant: the ends of an edge are indices of `nodes`; nodes and edges are in the order of their terms, and an edge
//! in both directions is one line.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::clip;
use super::hints::Facts;
use super::layout;
use super::scene::{Atom, Scene};
use super::shape::{Name, Shape, label};
use super::vocabulary;
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};

/// The greatest number of nodes that are drawn.
pub(crate) const MAX_NODES: usize = 400;
/// The greatest number of edges that are drawn.
pub(crate) const MAX_EDGES: usize = 5_000;

/// Predicates whose facts are the edges of a graph, perhaps with a weight.
pub(crate) const EDGES: [&str; 13] = [
    "edge",
    "arc",
    "link",
    "road",
    "street",
    "route",
    "distance",
    "border",
    "neighbour",
    "neighbor",
    "adjacent",
    "adj",
    "connected",
];
/// Predicates whose facts are its nodes.
pub(crate) const NODES: [&str; 6] = ["node", "vertex", "town", "city", "country", "state"];
/// Predicates `p(X,A,B)` whose facts are the positions of nodes.
pub(crate) const PLACES: [&str; 5] = ["position", "pos", "location", "coordinates", "coord"];

/// A node.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Node {
    /// Its name.
    pub name: String,
    /// Its value: a colour or another term.
    pub value: String,
    /// The colour that the value stands for.
    pub colour: Option<String>,
    /// Whether it is chosen.
    pub chosen: bool,
    /// Its position, both from 0 to 1, y downwards.
    pub at: (f64, f64),
}

/// An edge.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Edge {
    /// Index of the node it starts at.
    pub from: usize,
    /// Index of the node it ends at.
    pub to: usize,
    /// A text beside it.
    pub label: String,
    /// Whether it is chosen.
    pub chosen: bool,
    /// Whether it has an arrowhead.
    pub directed: bool,
    /// A colour by name.
    pub colour: Option<String>,
}

/// A graph.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// A line above it.
    pub title: String,
    /// Its nodes.
    pub(crate) nodes: Vec<Node>,
    /// Its edges.
    pub(crate) edges: Vec<Edge>,
    /// Whether answer sets choose edges, so that the others are drawn fainter.
    pub chooses_edges: bool,
}

/// What a predicate says about a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// `p(X,Y)`: the edge is chosen.
    Edge,
    /// `p(X,V)`: the node has a value.
    Value,
    /// `p(X)`: the node is chosen.
    Node,
}

/// Turns answer sets into graphs.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphPainter {
    base: Graph,
    index: Map<Sym, usize>,
    /// Edges by their ends, each in both directions.
    lines: BTreeMap<(usize, usize), usize>,
    roles: Vec<(String, usize, Role)>,
    /// All values of nodes, in order, for the palette.
    values: Vec<String>,
    directed: bool,
}

impl GraphPainter {
    /// A graph described by the program's `render_...` atoms.
    pub(crate) fn rendered(symbols: &Symbols, scene: &Scene<'_>) -> Result<Self, String> {
        let mut nodes = BTreeSet::new();
        let mut edges = Vec::new();
        for atom in &scene.possible {
            match (atom.key(), atom.args) {
                (("render_node", _), &[x] | &[x, _]) => {
                    nodes.insert(x);
                }
                (("render_edge", _), &[x, y] | &[x, y, _]) => {
                    nodes.extend([x, y]);
                    edges.push((x, y, String::new()));
                }
                _ => {}
            }
        }
        let mut painter = Self::new(symbols, nodes, &[])?;
        let weights = BTreeMap::new();
        let ends: Vec<(usize, usize)> =
            edges.iter().map(|(x, y, _)| (painter.index[x], painter.index[y])).collect();
        painter.place(symbols, &scene.possible, "render_at", &ends, &weights);
        Ok(painter)
    }

    /// The graph of edge facts, if what is shown chooses its edges or nodes, or gives its nodes values.
    pub(crate) fn guess(
        symbols: &Symbols,
        facts: &Facts<'_>,
        scene: &Scene<'_>,
        shown: &[(Name<'_>, Shape)],
    ) -> Result<Option<Self>, String> {
        let Some(mut painter) = Self::of_facts(symbols, facts, &scene.possible)? else { return Ok(None) };
        for (name, _) in shown {
            let atoms: Vec<&Atom<'_>> = scene.possible.iter().filter(|a| a.key() == *name).collect();
            if let Some(role) = painter.role(&atoms) {
                if role == Role::Value {
                    painter.values.extend(atoms.iter().map(|a| label(symbols, a.args[1])));
                }
                if role == Role::Edge {
                    let ends: BTreeSet<_> = atoms.iter().map(|a| (a.args[0], a.args[1])).collect();
                    painter.directed |= ends.iter().any(|&(x, y)| ends.contains(&(y, x)));
                }
                let is_graph = name.1 == 1 && NODES.contains(&name.0)
                    || EDGES.contains(&name.0) && facts.count(name.0, name.1) == atoms.len();
                if !is_graph {
                    painter.roles.push((name.0.to_string(), name.1, role));
                }
            }
        }
        painter.values.sort_by_key(|v| (v.parse::<i64>().unwrap_or(i64::MAX), v.clone()));
        painter.values.dedup();
        painter.base.chooses_edges = painter.roles.iter().any(|(_, _, role)| *role == Role::Edge);
        Ok((!painter.roles.is_empty()).then_some(painter))
    }

    /// Whether a predicate is in the picture: by its role, or as the graph itself.
    pub(crate) fn draws(&self, (name, arity): Name<'_>) -> bool {
        self.roles.iter().any(|r| (r.0.as_str(), r.1) == (name, arity))
            || NODES.contains(&name)
            || EDGES.contains(&name)
    }

    /// The graph of edge facts alone.
    pub(crate) fn plain(symbols: &Symbols, facts: &Facts<'_>) -> Result<Option<Self>, String> {
        Self::of_facts(symbols, facts, &[])
    }

    fn of_facts(symbols: &Symbols, facts: &Facts<'_>, possible: &[Atom<'_>]) -> Result<Option<Self>, String> {
        let mut nodes: BTreeSet<Sym> = BTreeSet::new();
        let mut edges: Vec<(Sym, Sym, String)> = Vec::new();
        for name in EDGES {
            for atom in facts.of(name, 2).iter().chain(facts.of(name, 3)) {
                let weight = atom.args.get(2).map(|&w| label(symbols, w)).unwrap_or_default();
                edges.push((atom.args[0], atom.args[1], weight));
            }
            if !edges.is_empty() {
                break;
            }
        }
        if edges.is_empty() {
            // The edges themselves may be what is searched for.
            let atoms = possible.iter().filter(|a| a.args.len() == 2 && EDGES.contains(&a.name));
            edges.extend(atoms.map(|a| (a.args[0], a.args[1], String::new())));
        }
        if edges.is_empty() {
            return Ok(None);
        }
        for name in NODES {
            nodes.extend(facts.of(name, 1).iter().map(|a| a.args[0]));
        }
        nodes.extend(edges.iter().flat_map(|(x, y, _)| [*x, *y]));
        let mut painter = Self::new(symbols, nodes, &edges)?;
        let ends: Vec<(usize, usize)> = painter.base.edges.iter().map(|e| (e.from, e.to)).collect();
        let weights: BTreeMap<(usize, usize), f64> = painter
            .base
            .edges
            .iter()
            .filter_map(|e| Some(((e.from, e.to), e.label.parse::<i64>().ok().filter(|&w| w > 0)? as f64)))
            .collect();
        let name = PLACES.iter().find(|name| !facts.of(name, 3).is_empty()).copied().unwrap_or("position");
        let places = facts.of(name, 3).to_vec();
        painter.place(symbols, &places, name, &ends, &weights);
        Ok(Some(painter))
    }

    fn new(symbols: &Symbols, nodes: BTreeSet<Sym>, edges: &[(Sym, Sym, String)]) -> Result<Self, String> {
        if nodes.len() > MAX_NODES || edges.len() > MAX_EDGES {
            return Err(format!(
                "nothing to draw: the graph has {} nodes and {} edges, more than {MAX_NODES} and {MAX_EDGES}",
                nodes.len(),
                edges.len()
            ));
        }
        let mut nodes: Vec<Sym> = nodes.into_iter().collect();
        nodes.sort_by(|&a, &b| symbols.cmp(a, b));
        let mut painter = Self::default();
        for (i, node) in nodes.into_iter().enumerate() {
            painter.index.insert(node, i);
            painter.base.nodes.push(Node { name: label(symbols, node), ..Node::default() });
        }
        let mut edges: Vec<(usize, usize, &str)> =
            edges.iter().map(|(x, y, w)| (painter.index[x], painter.index[y], w.as_str())).collect();
        edges.sort_unstable();
        for (from, to, weight) in edges {
            painter.line(from, to, weight);
        }
        Ok(painter)
    }

    /// The line between two nodes; a new one if there is none.
    fn line(&mut self, from: usize, to: usize, label: &str) -> usize {
        if let Some(&at) = self.lines.get(&(from, to)) {
            return at;
        }
        let at = self.base.edges.len();
        self.base.edges.push(Edge { from, to, label: label.to_string(), ..Edge::default() });
        self.lines.insert((from, to), at);
        self.lines.insert((to, from), at);
        at
    }

    /// Places the nodes: where facts say, otherwise by a layout.
    fn place(
        &mut self,
        symbols: &Symbols,
        atoms: &[Atom<'_>],
        name: &str,
        ends: &[(usize, usize)],
        weights: &BTreeMap<(usize, usize), f64>,
    ) {
        let mut known: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for atom in atoms.iter().filter(|a| a.key() == (name, 3)) {
            let number = |i: usize| symbols.as_num(atom.args[i]);
            if let (Some(&node), Some(x), Some(y)) = (self.index.get(&atom.args[0]), number(1), number(2)) {
                known.insert(node, (x as f64, y as f64));
            }
        }
        let n = self.base.nodes.len();
        let places = if known.len() == n {
            layout::fit(&known.into_values().collect::<Vec<_>>())
        } else {
            layout::place(n, ends, weights)
        };
        for (node, at) in self.base.nodes.iter_mut().zip(places) {
            node.at = at;
        }
    }

    fn role(&self, atoms: &[&Atom<'_>]) -> Option<Role> {
        let node = |term: &Sym| self.index.get(term).copied();
        let edge = |a: &&&Atom<'_>| match a.args {
            [x, y] => node(x).zip(node(y)).is_some_and(|ends| self.lines.contains_key(&ends)),
            _ => false,
        };
        let first = atoms.first()?;
        match first.args.len() {
            1 => atoms.iter().all(|a| node(&a.args[0]).is_some()).then_some(Role::Node),
            2 if atoms.iter().all(|a| edge(&a)) => Some(Role::Edge),
            2 if atoms.iter().all(|a| node(&a.args[0]).is_some()) => Some(Role::Value),
            _ => None,
        }
    }

    /// The graph of the answer set in which these atoms hold.
    pub(crate) fn paint(&self, symbols: &Symbols, holds: &[Atom<'_>]) -> Graph {
        let mut painter = Self { base: self.base.clone(), lines: self.lines.clone(), ..Self::default() };
        painter.base.title = vocabulary::title(symbols, holds).unwrap_or_default();
        let node = |i: usize, atom: &Atom<'_>| self.index.get(atom.args.get(i)?).copied();
        let mut used: Vec<usize> = Vec::new();
        for atom in holds {
            let role = self.roles.iter().find(|(name, arity, _)| atom.key() == (name.as_str(), *arity));
            match (role.map(|(_, _, role)| role), node(0, atom)) {
                (Some(Role::Node), Some(x)) => painter.base.nodes[x].chosen = true,
                (Some(Role::Value), Some(x)) => {
                    let value = label(symbols, atom.args[1]);
                    let node = &mut painter.base.nodes[x];
                    let all =
                        if node.value.is_empty() { value.clone() } else { format!("{},{value}", node.value) };
                    node.value = clip(&all);
                    node.colour = Some(super::colour::of_value(&value, &self.values));
                }
                (Some(Role::Edge), Some(x)) => {
                    if let Some(y) = node(1, atom) {
                        let at = painter.line(x, y, "");
                        let edge = &mut painter.base.edges[at];
                        if !edge.chosen {
                            // The label stays; the arrow points in the chosen direction.
                            (edge.from, edge.to) = (x, y);
                            (edge.chosen, edge.directed) = (true, self.directed);
                        }
                    }
                }
                _ => {}
            }
            if atom.name.starts_with(vocabulary::PREFIX) {
                painter.render(symbols, atom, &self.index, &mut used);
            }
        }
        painter.base
    }

    /// Draws one atom of the vocabulary.
    fn render(&mut self, symbols: &Symbols, atom: &Atom<'_>, index: &Map<Sym, usize>, used: &mut Vec<usize>) {
        let node = |i: usize| atom.args.get(i).and_then(|t| index.get(t)).copied();
        let text = |i: usize| atom.args.get(i).map(|&t| label(symbols, t)).unwrap_or_default();
        match (atom.key(), node(0), node(1)) {
            (("render_node", 2), Some(x), _) => self.base.nodes[x].name = text(1),
            (("render_fill", 2), Some(x), _) => {
                let node = &mut self.base.nodes[x];
                node.colour = Some(super::colour::of_value(&text(1), &[]));
                if node.value.is_empty() {
                    node.value = text(1);
                }
            }
            (("render_edge", 2 | 3), Some(x), Some(y)) => {
                let at = self.line(x, y, &text(2));
                if !used.contains(&at) {
                    used.push(at);
                    let edge = &mut self.base.edges[at];
                    (edge.from, edge.to) = (x, y);
                }
                if atom.args.len() == 3 {
                    self.base.edges[at].label = text(2);
                }
            }
            (("render_arrow", 2), Some(x), Some(y)) => {
                let at = self.line(x, y, "");
                let edge = &mut self.base.edges[at];
                (edge.from, edge.to, edge.directed) = (x, y, true);
            }
            (("render_edge_colour", 3), Some(x), Some(y)) => {
                let at = self.line(x, y, "");
                self.base.edges[at].colour = Some(super::colour::of_value(&text(2), &[]));
            }
            _ => {}
        }
    }
}
