//! A graph with the atoms of an answer set about it: colours or values of nodes, chosen nodes and edges.
//!
//! Invariant: the ends of an edge are indices of `nodes`; nodes and edges are in the order of their terms, and an edge
//! in both directions is one line.

mod layout;
pub(crate) mod text;

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::Facts;
use crate::grid::clip;

use crate::scene::{Atom, Scene};
use crate::shape::{Name, Shape, label, shape};
use crate::vocabulary;
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};

/// The greatest number of nodes that are drawn.
pub(crate) const MAX_NODES: usize = 400;
/// The greatest number of edges that are drawn.
pub(crate) const MAX_EDGES: usize = 5_000;

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Node {
    pub name: String,
    /// Its value: a colour or another term.
    pub value: String,
    /// The colour that the value stands for.
    pub colour: Option<String>,
    pub chosen: bool,
    /// Its position, both from 0 to 1, y downwards.
    pub at: (f64, f64),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Edge {
    /// Index of the node it starts at.
    pub from: usize,
    /// Index of the node it ends at.
    pub to: usize,
    /// A text beside it.
    pub label: String,
    pub chosen: bool,
    /// Whether it has an arrowhead.
    pub directed: bool,
    /// A colour by name.
    pub colour: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// A line above it.
    pub title: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// Whether answer sets choose edges, so that the others are drawn fainter.
    pub chooses_edges: bool,
}

/// The role of a predicate in a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// `p(X,Y)`: the edge is chosen.
    Edge,
    /// `p(X,V)`: the node has a value.
    Value,
    /// `p(X)`: the node is chosen.
    Node,
    /// The edges or nodes themselves: there is nothing to add.
    Part,
}

/// A predicate that is shown.
type Shown<'a> = (Name<'a>, Shape);

/// Facts `p(X,Y)` or `p(X,Y,Weight)` that look like edges, with facts `q(X)` about all their ends, if there are any: no edge
/// leads from a node to itself, and the targets of edges are the sources of others. Where the ends are integers, which may be
/// cells as well, there must be a `q`; if there is, the second condition is waived.
fn edges_by_shape<'a>(facts: &Facts<'a>) -> impl Iterator<Item = (Name<'a>, Option<Name<'a>>)> {
    let binary = facts.names.iter().copied().filter(|name| matches!(name.1, 2 | 3));
    binary.filter_map(move |name| {
        let atoms = facts.of(name);
        let ends = |i: usize| atoms.iter().map(|a| a.args[i]).collect::<BTreeSet<Sym>>();
        let (from, to) = (ends(0), ends(1));
        let shape = |atom: &Atom<'_>| shape(facts.symbols, &atom.args[..2]);
        let is_loop = |a: &Atom<'_>| a.args[0] == a.args[1];
        if atoms.iter().any(|a| is_loop(a) || shape(a) == Shape::Link) {
            return None;
        }
        let unary = facts.names.iter().filter(|name| name.1 == 1).copied();
        let nodes = unary.filter(|&nodes| {
            let nodes: BTreeSet<Sym> = facts.of(nodes).iter().map(|a| a.args[0]).collect();
            from.is_subset(&nodes) && to.is_subset(&nodes)
        });
        let nodes = nodes.min_by_key(|&nodes| facts.of(nodes).len());
        let are_names = atoms.iter().all(|a| shape(a) == Shape::Other) && !from.is_disjoint(&to);
        (nodes.is_some() || are_names).then_some((name, nodes))
    })
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
    /// Whether `render_edge` facts are the graph, and answer sets only mark it.
    stated: bool,
}

impl GraphPainter {
    /// The graph of the program's `render_node` and `render_edge` atoms. Unless these hold in all answer sets, only its
    /// nodes stay in their places.
    pub(crate) fn stated(
        words: &Facts<'_>,
        facts: &Facts<'_>,
        scene: &Scene<'_>,
        shown: &[Shown<'_>],
        stays: bool,
    ) -> Result<Self, String> {
        let [nodes @ .., edges, weighted] = vocabulary::GRAPH;
        let mut painter = Self::of_facts(words, &[edges, weighted], &nodes)?;
        painter.stated = stays;
        if stays {
            painter.take_roles(facts, scene, shown, |_, _| true);
        }
        let mut painter = painter.placed(words);
        if !stays {
            (painter.base.edges, painter.lines) = Default::default();
        }
        Ok(painter)
    }

    /// The graph of the first facts that look like edges of which answer sets choose some, or whose ends they choose or
    /// give values.
    pub(crate) fn guess(facts: &Facts<'_>, scene: &Scene<'_>, shown: &[Shown<'_>]) -> Option<Self> {
        edges_by_shape(facts).find_map(|(edges, nodes)| {
            let mut painter = Self::of_facts(facts, &[edges], nodes.as_slice()).ok()?;
            let all = painter.base.nodes.len();
            painter.take_roles(facts, scene, shown, |role, atoms| {
                let column = |i: usize| atoms.iter().map(|a| a.args[i]).collect::<BTreeSet<Sym>>();
                let gives = || column(0).len() == all && column(1) != column(0);
                atoms[0].key() != edges && !facts.is_all_of(atoms) && (role != Role::Value || gives())
            });
            painter.is_marked().then(|| painter.placed(facts))
        })
    }

    /// The graph of facts alone, if nothing but its edges and nodes is shown.
    pub(crate) fn plain(facts: &Facts<'_>, scene: &Scene<'_>, shown: &[Shown<'_>]) -> Option<Self> {
        edges_by_shape(facts).find_map(|(edges, nodes)| {
            let mut painter = Self::of_facts(facts, &[edges], &[nodes?]).ok()?;
            painter.take_roles(facts, scene, shown, |_, _| false);
            shown.iter().all(|(name, _)| name.1 == 0 || painter.draws(*name)).then(|| painter.placed(facts))
        })
    }

    /// Finds out what the shown predicates say about the graph, as far as it `counts`.
    fn take_roles(
        &mut self,
        facts: &Facts<'_>,
        scene: &Scene<'_>,
        shown: &[Shown<'_>],
        counts: impl Fn(Role, &[&Atom<'_>]) -> bool,
    ) {
        for (name, _) in shown {
            let atoms: Vec<&Atom<'_>> = scene.possible.iter().filter(|a| a.key() == *name).collect();
            let Some(mut role) = self.role(&atoms) else { continue };
            let is_part = match role {
                Role::Edge => facts.is_all_of(&atoms),
                Role::Node => facts.is_all_of(&atoms) && atoms.len() == self.base.nodes.len(),
                _ => false,
            };
            if is_part {
                role = Role::Part;
            } else if !counts(role, &atoms) {
                continue;
            }
            if role == Role::Value {
                self.values.extend(atoms.iter().map(|a| label(facts.symbols, a.args[1])));
            }
            if role == Role::Edge {
                let ends: BTreeSet<_> = atoms.iter().map(|a| (a.args[0], a.args[1])).collect();
                self.directed |= ends.iter().any(|&(x, y)| ends.contains(&(y, x)));
            }
            self.roles.push((name.0.to_string(), name.1, role));
        }
        self.values.sort_by_key(|v| (v.parse::<i64>().unwrap_or(i64::MAX), v.clone()));
        self.values.dedup();
        self.base.chooses_edges = self.roles.iter().any(|(_, _, role)| *role == Role::Edge);
    }

    /// Whether answer sets say anything about the graph.
    pub(crate) fn is_marked(&self) -> bool {
        self.roles.iter().any(|(_, _, role)| *role != Role::Part)
    }

    /// Whether a predicate is in the picture: by its role, or as the graph itself.
    pub(crate) fn draws(&self, (name, arity): Name<'_>) -> bool {
        self.roles.iter().any(|r| (r.0.as_str(), r.1) == (name, arity))
    }

    fn of_facts<'a>(facts: &Facts<'a>, edges: &[Name<'a>], nodes: &[Name<'a>]) -> Result<Self, String> {
        let symbols = facts.symbols;
        let weight = |a: &Atom<'_>| a.args.get(2).map(|&w| label(symbols, w)).unwrap_or_default();
        let edges = edges.iter().flat_map(|&name| facts.of(name));
        let edges: Vec<(Sym, Sym, String)> = edges.map(|a| (a.args[0], a.args[1], weight(a))).collect();
        let named = nodes.iter().flat_map(|&name| facts.of(name));
        let mut nodes: BTreeSet<Sym> = named.map(|a| a.args[0]).collect();
        nodes.extend(edges.iter().flat_map(|(x, y, _)| [*x, *y]));
        Self::new(symbols, nodes, &edges)
    }

    /// Places the nodes: where facts `p(X,A,B)` say so for each of them, or else by a layout.
    fn placed(mut self, facts: &Facts<'_>) -> Self {
        let n = self.base.nodes.len();
        let position = |atom: &Atom<'_>| {
            let number = |i: usize| facts.symbols.as_num(atom.args[i]);
            Some((*self.index.get(&atom.args[0])?, (number(1)? as f64, number(2)? as f64)))
        };
        let lists = facts.names.iter().filter(|name| name.1 == 3).map(|&name| facts.of(name));
        let mut known = lists.map(|atoms| atoms.iter().filter_map(position).collect::<BTreeMap<_, _>>());
        let places = match known.find(|known| known.len() == n) {
            Some(known) => layout::fit(&known.into_values().collect::<Vec<_>>()),
            None => {
                let edges = &self.base.edges;
                let ends: Vec<(usize, usize)> = edges.iter().map(|e| (e.from, e.to)).collect();
                let weight = |e: &Edge| e.label.parse::<i64>().ok().filter(|&w| w > 0);
                let weighted = edges.iter().filter_map(|e| Some(((e.from, e.to), weight(e)? as f64)));
                layout::place(n, &ends, &weighted.collect())
            }
        };
        for (node, at) in self.base.nodes.iter_mut().zip(places) {
            node.at = at;
        }
        self
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
                    node.colour = Some(crate::colour::of_value(&value, &self.values));
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
            if atom.is_word() && !(self.stated && atom.name == "render_edge") {
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
                node.colour = Some(crate::colour::of_value(&text(1), &[]));
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
                self.base.edges[at].colour = Some(crate::colour::of_value(&text(2), &[]));
            }
            _ => {}
        }
    }
}
