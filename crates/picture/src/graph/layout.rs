//! Positions for the nodes of a graph: on a circle, then moved until distances on the page resemble those in the graph.
//!
//! The movement is stress majorization (Gansner, Koren, North, "Graph Drawing by Stress Majorization", 2004): each node
//! moves to the mean of the positions that the others want it in, which never makes the whole worse.
//!
//! Invariant: the result depends only on the number of nodes and the edges, and lies between 0 and 1.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// A position on the page.
pub(crate) type Point = (f64, f64);

/// Graphs with more nodes stay on the circle.
const MAX_MOVED: usize = 150;
const ROUNDS: usize = 250;
/// The wanted distance of a node from other nodes' edges, and how many rounds try to reach it.
const CLEARANCE: f64 = 0.07;
const CLEARING: usize = 30;

/// Positions for `n` nodes; the weight of an edge is its wanted length.
pub(crate) fn place(
    n: usize,
    edges: &[(usize, usize)],
    weights: &BTreeMap<(usize, usize), f64>,
) -> Vec<Point> {
    let circle: Vec<Point> = (0..n)
        .map(|i| {
            let angle = TAU * i as f64 / n.max(1) as f64 - TAU / 4.0;
            (angle.cos(), angle.sin())
        })
        .collect();
    if !(3..=MAX_MOVED).contains(&n) {
        return fit(&circle);
    }
    let complete = edges.len() >= n * (n - 1) / 2;
    if complete && weights.len() < edges.len() {
        return fit(&circle);
    }
    let distances = distances(n, edges, weights);
    // A circle is a poor start for some graphs: the best result of three starts is kept.
    let starts = [1, 2, 3].map(|step| start(&circle, &distances, step));
    let moved = starts.into_iter().map(|s| majorize(s, &distances));
    let best = moved.min_by(|a, b| stress(a, &distances).total_cmp(&stress(b, &distances)));
    let mut places = fit(&best.unwrap_or(circle));
    if clear(&mut places, edges) { fit(&places) } else { places }
}

/// Moves nodes off the edges of others, since these would look like their own. Returns whether there were any.
fn clear(at: &mut [Point], edges: &[(usize, usize)]) -> bool {
    let mut moved = false;
    for _ in 0..CLEARING {
        let mut clean = true;
        for &(a, b) in edges {
            for c in (0..at.len()).filter(|&c| c != a && c != b) {
                let (along, from) =
                    ((at[b].0 - at[a].0, at[b].1 - at[a].1), (at[c].0 - at[a].0, at[c].1 - at[a].1));
                let length = along.0.hypot(along.1);
                let part = (from.0 * along.0 + from.1 * along.1) / (length * length);
                let aside = (along.0 * from.1 - along.1 * from.0) / length;
                if length > 0.0 && part > 0.0 && part < 1.0 && aside.abs() < CLEARANCE {
                    let by = (CLEARANCE * 1.1 - aside.abs()) * if aside < 0.0 { -1.0 } else { 1.0 };
                    at[c] = (at[c].0 - along.1 / length * by, at[c].1 + along.0 / length * by);
                    (clean, moved) = (false, true);
                }
            }
        }
        if clean {
            break;
        }
    }
    moved
}

/// The circle with the nodes in another order: breadth first from the first node, every `step`-th one.
fn start(circle: &[Point], distances: &[Vec<f64>], step: usize) -> Vec<Point> {
    let n = circle.len();
    let mut order: Vec<usize> = (0..n).collect();
    if step > 1 {
        order.sort_by(|&a, &b| distances[0][a].total_cmp(&distances[0][b]).then(a.cmp(&b)));
    }
    let mut places = vec![(0.0, 0.0); n];
    for (i, &node) in order.iter().enumerate() {
        let at = circle[i * step % n];
        // Nodes in the same position are moved apart.
        let radius = 1.0 + 0.1 * (i * step / n) as f64;
        places[node] = (at.0 * radius, at.1 * radius);
    }
    places
}

/// Lengths of shortest paths; unconnected parts lie a little further apart than the farthest nodes.
fn distances(n: usize, edges: &[(usize, usize)], weights: &BTreeMap<(usize, usize), f64>) -> Vec<Vec<f64>> {
    let weighted = weights.len() == edges.len() && !edges.is_empty();
    let heaviest = weights.values().copied().fold(1.0, f64::max);
    let mut d = vec![vec![f64::INFINITY; n]; n];
    for (i, row) in d.iter_mut().enumerate() {
        row[i] = 0.0;
    }
    for &(a, b) in edges {
        // Short edges are drawn longer than they are, so that their ends do not overlap.
        let weight = weights.get(&(a, b)).copied().unwrap_or(1.0);
        let length = if weighted { 0.4 * heaviest + 0.6 * weight } else { 1.0 };
        if a != b {
            d[a][b] = d[a][b].min(length);
            d[b][a] = d[b][a].min(length);
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                let through = d[i][k] + d[k][j];
                if through < d[i][j] {
                    d[i][j] = through;
                }
            }
        }
    }
    let longest = d.iter().flatten().copied().filter(|x| x.is_finite()).fold(1.0, f64::max);
    for x in d.iter_mut().flatten().filter(|x| !x.is_finite()) {
        *x = longest * 0.75 + 1.0;
    }
    d
}

fn majorize(mut at: Vec<Point>, d: &[Vec<f64>]) -> Vec<Point> {
    let n = at.len();
    for _ in 0..ROUNDS {
        for i in 0..n {
            let (mut x, mut y, mut total) = (0.0, 0.0, 0.0);
            for j in (0..n).filter(|&j| j != i) {
                let (dx, dy) = (at[i].0 - at[j].0, at[i].1 - at[j].1);
                let length = dx.hypot(dy).max(1e-9);
                let wanted = d[i][j];
                let weight = 1.0 / (wanted * wanted);
                x += weight * (at[j].0 + wanted * dx / length);
                y += weight * (at[j].1 + wanted * dy / length);
                total += weight;
            }
            if total > 0.0 {
                at[i] = (x / total, y / total);
            }
        }
    }
    at
}

fn stress(at: &[Point], d: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for i in 0..at.len() {
        for j in 0..i {
            let length = (at[i].0 - at[j].0).hypot(at[i].1 - at[j].1);
            sum += ((length - d[i][j]) / d[i][j]).powi(2);
        }
    }
    sum
}

/// Moves and scales positions into the unit square, with one scale for both directions.
pub(crate) fn fit(places: &[Point]) -> Vec<Point> {
    let bounds = |of: fn(&Point) -> f64| {
        let low = places.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = places.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        (low, high - low)
    };
    let ((left, wide), (top, high)) = (bounds(|p| p.0), bounds(|p| p.1));
    let scale = wide.max(high);
    if scale.is_nan() || scale <= 0.0 || !scale.is_finite() {
        return vec![(0.5, 0.5); places.len()];
    }
    // The smaller extent is centred.
    let (dx, dy) = ((scale - wide) / 2.0, (scale - high) / 2.0);
    places.iter().map(|p| ((p.0 - left + dx) / scale, (p.1 - top + dy) / scale)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lie_in_the_square_and_apart() {
        let path: Vec<_> = (0..9).map(|i| (i, i + 1)).collect();
        let places = place(10, &path, &BTreeMap::new());
        assert!(places.iter().all(|p| (0.0..=1.0).contains(&p.0) && (0.0..=1.0).contains(&p.1)));
        for i in 0..10 {
            for j in 0..i {
                assert!((places[i].0 - places[j].0).hypot(places[i].1 - places[j].1) > 0.05, "{i} {j}");
            }
        }
        assert_eq!(places, place(10, &path, &BTreeMap::new()));
    }

    /// No node of the Petersen graph lies on an edge between two others.
    #[test]
    fn nodes_lie_off_the_edges_of_others() {
        let ring = |k: usize, by: usize, first: usize| (0..k).map(move |i| (first + i, first + (i + by) % k));
        let mut edges: Vec<(usize, usize)> = ring(5, 1, 0).chain(ring(5, 2, 5)).collect();
        edges.extend((0..5).map(|i| (i, i + 5)));
        let mut places = place(10, &edges, &BTreeMap::new());
        assert!(!clear(&mut places, &edges));
    }

    #[test]
    fn degenerate_graphs_are_placed() {
        assert_eq!(place(1, &[], &BTreeMap::new()), [(0.5, 0.5)]);
        assert_eq!(place(0, &[], &BTreeMap::new()), []);
        assert_eq!(place(2, &[(0, 1)], &BTreeMap::new()).len(), 2);
        assert_eq!(place(4, &[(0, 0), (1, 1)], &BTreeMap::new()).len(), 4);
    }
}
