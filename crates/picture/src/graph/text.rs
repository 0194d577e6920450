//! A graph as lines of text: the round trip or the paths of its chosen edges, otherwise its nodes by value, otherwise
//! its neighbours.
//!
//! Invariant: every node and every chosen edge is named.

use std::collections::{BTreeMap, BTreeSet};

use super::Graph;
use crate::canvas::width;

/// Lists are broken at this width.
const WIDTH: usize = 72;

/// The lines of a graph; `color` says whether the reader is a terminal with colours.
pub(crate) fn lines(graph: &Graph, color: bool) -> Vec<String> {
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    if graph.chooses_edges {
        trips(graph, &mut rows);
    }
    let values: Vec<&str> = graph.nodes.iter().map(|n| n.value.as_str()).collect();
    if values.iter().any(|v| !v.is_empty()) {
        let mut by_value: BTreeMap<(i64, &str), Vec<String>> = BTreeMap::new();
        for node in &graph.nodes {
            let key = (node.value.parse::<i64>().unwrap_or(i64::MAX), node.value.as_str());
            by_value.entry(key).or_default().push(node.name.clone());
        }
        for ((_, value), nodes) in by_value {
            rows.push((if value.is_empty() { "-".into() } else { value.into() }, nodes));
        }
    }
    if graph.nodes.iter().any(|n| n.chosen) {
        let names = graph.nodes.iter().filter(|n| n.chosen).map(|n| n.name.clone());
        rows.push(("chosen".into(), names.collect()));
    }
    if rows.is_empty() {
        for (i, node) in graph.nodes.iter().enumerate() {
            let near = graph.edges.iter().filter_map(|e| {
                let other = if e.from == i { e.to } else { e.from };
                (e.from == i || e.to == i).then(|| graph.nodes[other].name.clone())
            });
            rows.push((node.name.clone(), near.collect()));
        }
    }
    let mut out = Vec::new();
    if !graph.title.is_empty() {
        out.push(graph.title.clone());
    }
    let keys = rows.iter().map(|(key, _)| width(key)).max().unwrap_or(0);
    for (key, items) in rows {
        let pad = " ".repeat(keys - width(&key));
        let shown = if color { format!("\x1b[1m{key}\x1b[0m{pad}") } else { format!("{key}{pad}") };
        let mut line = format!("{shown} |");
        let mut columns = keys + 2;
        for item in items {
            if columns + 1 + width(&item) > WIDTH {
                out.push(std::mem::replace(&mut line, format!("{} |", " ".repeat(keys))));
                columns = keys + 2;
            }
            columns += 1 + width(&item);
            line.push(' ');
            line.push_str(&item);
        }
        out.push(line);
    }
    out
}

/// Paths and round trips of chosen edges, each as a row.
fn trips(graph: &Graph, rows: &mut Vec<(String, Vec<String>)>) {
    let chosen: Vec<_> = graph.edges.iter().filter(|e| e.chosen).collect();
    let directed = chosen.iter().any(|e| e.directed);
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edge in &chosen {
        next.entry(edge.from).or_default().push(edge.to);
        if !directed {
            next.entry(edge.to).or_default().push(edge.from);
        }
    }
    let entered: BTreeSet<usize> = chosen.iter().map(|e| e.to).collect();
    let simple = next.values().all(|to| to.len() <= if directed { 1 } else { 2 });
    if !simple {
        for edge in chosen {
            let arrow = if edge.directed { "->" } else { "--" };
            let (from, to) = (&graph.nodes[edge.from].name, &graph.nodes[edge.to].name);
            rows.push(("edge".into(), vec![format!("{from} {arrow} {to}")]));
        }
        return;
    }
    let arrow = if directed { "->" } else { "--" };
    let ends = |i: &usize| if directed { !entered.contains(i) } else { next[i].len() == 1 };
    let starts: Vec<usize> = next.keys().filter(|i| ends(i)).chain(next.keys()).copied().collect();
    let mut seen = BTreeSet::new();
    for start in starts {
        if !seen.insert(start) {
            continue;
        }
        let (mut path, mut here) = (vec![start], start);
        while let Some(&to) = next.get(&here).and_then(|to| to.iter().find(|t| !seen.contains(*t))) {
            seen.insert(to);
            path.push(to);
            here = to;
        }
        let closed = path.len() > 1
            && next.get(&here).is_some_and(|to| to.contains(&start) && (directed || path.len() > 2));
        if path.len() == 1 && !closed {
            continue;
        }
        let mut items: Vec<String> = Vec::new();
        for (i, &node) in path.iter().enumerate() {
            if i > 0 {
                items.push(arrow.to_string());
            }
            items.push(graph.nodes[node].name.clone());
        }
        if closed {
            items.push(arrow.to_string());
            items.push(graph.nodes[start].name.clone());
        }
        rows.push((if closed { "round" } else { "path" }.to_string(), items));
    }
}
