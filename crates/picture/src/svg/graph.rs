//! Graphs as SVG: nodes as rounded boxes around their names, edges as straight lines below them.
//!
//! Invariant: an edge ends at the border of a node, so that its arrowhead shows.

use std::fmt::Write as _;

use super::element::{Drawing, escape, line, number, text, text_width};
use crate::colour;
use crate::graph::{Edge, Graph, Node};

const MARGIN: f64 = 16.0;
const HEIGHT: f64 = 30.0;
const CHARACTER: f64 = 9.5;

fn size(node: &Node) -> f64 {
    (text_width(&caption(node), CHARACTER) + 14.0).max(HEIGHT)
}

/// The name of a node, with its value unless its colour shows that.
fn caption(node: &Node) -> String {
    let said = node.value.is_empty() || colour::named(&node.value).is_some();
    if said { node.name.clone() } else { format!("{}: {}", node.name, node.value) }
}

pub(crate) fn draw(graph: &Graph) -> Drawing {
    let n = graph.nodes.len().max(1) as f64;
    let widest = graph.nodes.iter().map(size).fold(HEIGHT, f64::max);
    // Room for each node, and as much between them.
    let side = (n.sqrt() * (widest + 52.0)).clamp(120.0, 2400.0);
    let title = if graph.title.is_empty() { 0.0 } else { 24.0 };
    let place = |node: &Node| {
        (MARGIN + widest / 2.0 + node.at.0 * side, MARGIN + title + HEIGHT / 2.0 + node.at.1 * side)
    };
    let mut out = String::new();
    if !graph.title.is_empty() {
        text(&mut out, "title", (MARGIN, MARGIN + 8.0), &graph.title, None);
    }
    // Chosen edges lie above the others.
    for chosen in [false, true] {
        for edge in graph.edges.iter().filter(|e| e.chosen == chosen) {
            let (Some(a), Some(b)) = (graph.nodes.get(edge.from), graph.nodes.get(edge.to)) else { continue };
            if edge.from == edge.to {
                let (x, y) = place(a);
                let (x, y) = (number(x), number(y - HEIGHT / 2.0 - 6.0));
                let class = class(graph, edge);
                let _ = writeln!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"11\"/>");
            } else {
                draw_edge(&mut out, graph, edge, (place(a), size(a)), (place(b), size(b)));
            }
        }
    }
    for edge in graph.edges.iter().filter(|e| !e.label.is_empty() && e.from != e.to) {
        // With many weights, only those that matter are written.
        if graph.chooses_edges && !edge.chosen && graph.edges.len() > 12 {
            continue;
        }
        let (Some(a), Some(b)) = (graph.nodes.get(edge.from), graph.nodes.get(edge.to)) else { continue };
        let (a, b) = (place(a), place(b));
        let (x, y) = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        let half = text_width(&edge.label, 7.0) / 2.0 + 2.0;
        let _ = writeln!(
            out,
            "<rect class=\"page\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\"/>",
            number(x - half),
            number(y - 7.0),
            number(2.0 * half)
        );
        text(&mut out, "weight", (x, y), &edge.label, None);
    }
    for node in &graph.nodes {
        draw_node(&mut out, node, place(node));
    }
    let width = side + widest + 2.0 * MARGIN;
    let size =
        (width.max(text_width(&graph.title, 9.0) + 2.0 * MARGIN), side + HEIGHT + title + 2.0 * MARGIN);
    Drawing { body: out, size }
}

fn class(graph: &Graph, edge: &Edge) -> &'static str {
    match (edge.chosen, graph.chooses_edges) {
        (true, _) => "chosen",
        (false, true) => "faded",
        (false, false) => "edge",
    }
}

fn draw_edge(
    out: &mut String,
    graph: &Graph,
    edge: &Edge,
    (a, wide_a): ((f64, f64), f64),
    (b, wide_b): ((f64, f64), f64),
) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy);
    if length < 1.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    // The distance of a node's border in this direction: a box between two half circles.
    let border = |wide: f64| {
        let (radius, half) = (HEIGHT / 2.0, (wide - HEIGHT) / 2.0);
        let flat = if uy.abs() > 1e-9 { radius / uy.abs() } else { f64::INFINITY };
        if flat * ux.abs() <= half {
            return flat;
        }
        half * ux.abs() + (radius * radius - half * half * uy * uy).max(0.0).sqrt()
    };
    let from = (a.0 + ux * border(wide_a), a.1 + uy * border(wide_a));
    let tip = (b.0 - ux * (border(wide_b) + 1.5), b.1 - uy * (border(wide_b) + 1.5));
    let class = class(graph, edge);
    let style = edge.colour.as_ref().map_or(String::new(), |c| format!(" style=\"stroke:{c}\""));
    let end = if edge.directed { (tip.0 - ux * 8.0, tip.1 - uy * 8.0) } else { (tip.0 + ux, tip.1 + uy) };
    if style.is_empty() {
        line(out, class, from, end);
    } else {
        let [x1, y1, x2, y2] = [from.0, from.1, end.0, end.1].map(number);
        let _ =
            writeln!(out, "<line class=\"chosen\"{style} x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }
    if edge.directed {
        let point = |along: f64, aside: f64| {
            format!("{} {}", number(tip.0 - along * ux - aside * uy), number(tip.1 - along * uy + aside * ux))
        };
        let head = if edge.chosen { "head" } else { "plainhead" };
        let fill = edge.colour.as_ref().map_or(String::new(), |c| format!(" fill=\"{c}\""));
        let class = if fill.is_empty() { format!(" class=\"{head}\"") } else { String::new() };
        let (p, q, r) = (point(0.0, 0.0), point(10.0, 5.0), point(10.0, -5.0));
        let _ = writeln!(out, "<polygon{class}{fill} points=\"{p} {q} {r}\"/>");
    }
}

fn draw_node(out: &mut String, node: &Node, (x, y): (f64, f64)) {
    let wide = size(node);
    let picked = if node.chosen { " picked" } else { "" };
    let fill = node.colour.as_ref().map_or(String::new(), |c| format!(" style=\"fill:{c}\""));
    let _ = writeln!(
        out,
        "<rect class=\"node{picked}\"{fill} data-node=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"15\"/>",
        escape(&node.name),
        number(x - wide / 2.0),
        number(y - HEIGHT / 2.0),
        number(wide),
        number(HEIGHT)
    );
    let class = match &node.colour {
        Some(code) if colour::is_dark(code) => "light",
        Some(_) => "dark",
        None => "",
    };
    text(out, class, (x, y), &caption(node), Some(15.0));
}
