//! Ordered partitions of a graph's vertices, refined until all vertices of a cell have equally many neighbours in every
//! cell.
//!
//! Invariant: cells are intervals of `order`; refinement depends only on positions of cells and on counts, so it
//! commutes with symmetries. Work is counted in edges.
//! Source: McKay, *Practical graph isomorphism*, 1981; Paige and Tarjan, *Three partition refinement algorithms*, 1987.

use std::collections::VecDeque;

/// A graph whose edges have kinds.
#[derive(Debug)]
pub(super) struct Graph {
    /// By kind: where the neighbours of each vertex start.
    starts: [Vec<u32>; Graph::KINDS],
    neighbours: [Vec<u32>; Graph::KINDS],
}

impl Graph {
    /// Number of kinds of edges.
    pub(super) const KINDS: usize = 3;

    /// A graph of undirected edges with kinds.
    pub(super) fn new(vertices: usize, edges: &[(u32, u32, usize)]) -> Self {
        let mut graph = Self { starts: Default::default(), neighbours: Default::default() };
        for kind in 0..Self::KINDS {
            let of_kind = || edges.iter().filter(|e| e.2 == kind).flat_map(|e| [(e.0, e.1), (e.1, e.0)]);
            let mut starts = vec![0u32; vertices + 2];
            for (a, _) in of_kind() {
                starts[a as usize + 2] += 1;
            }
            for i in 2..starts.len() {
                starts[i] += starts[i - 1];
            }
            let mut neighbours = vec![0u32; starts[vertices + 1] as usize];
            for (a, b) in of_kind() {
                let at = &mut starts[a as usize + 1];
                neighbours[*at as usize] = b;
                *at += 1;
            }
            starts.pop();
            graph.starts[kind] = starts;
            graph.neighbours[kind] = neighbours;
        }
        graph
    }
    /// Neighbours by edges of a kind.
    pub(super) fn of_kind(&self, v: u32, kind: usize) -> &[u32] {
        let (start, end) = (self.starts[kind][v as usize], self.starts[kind][v as usize + 1]);
        &self.neighbours[kind][start as usize..end as usize]
    }
    pub(super) fn neighbours(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        (0..Self::KINDS).flat_map(move |kind| self.of_kind(v, kind).iter().copied())
    }
    /// Number of neighbours.
    pub(super) fn degree(&self, v: u32) -> usize {
        (0..Self::KINDS).map(|kind| self.of_kind(v, kind).len()).sum()
    }
}

/// A partition in compact form: a quarter of the size of the one that is refined.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    order: Vec<u32>,
    /// A bit for each position at which a cell starts.
    starts: Vec<u64>,
}

/// The changes of a refinement.
#[derive(Debug)]
pub(super) struct Step {
    /// Positions with their vertices before and after it.
    moved: Vec<(u32, u32, u32)>,
    /// Positions at which cells start since then.
    starts: Vec<u32>,
}

impl Step {
    /// The size in 32-bit words.
    pub(super) fn words(&self) -> usize {
        3 * self.moved.len() + self.starts.len()
    }
}

impl Kept {
    /// The step that refines this partition to a finer one, which it becomes.
    pub(super) fn follow(&mut self, finer: &Partition) -> Step {
        let places =
            self.order.iter().zip(&finer.order).enumerate().filter(|(_, (here, there))| here != there);
        let moved = places.map(|(i, (&here, &there))| (i as u32, here, there)).collect();
        let is_new = |i: usize| finer.lengths[i] > 0 && !self.starts_at(i);
        let starts = (0..finer.len()).filter(|&i| is_new(i)).map(|i| i as u32).collect();
        let step = Step { moved, starts };
        self.advance(&step);
        step
    }
    /// Refines as a step says. Pre: the step began here.
    pub(super) fn advance(&mut self, step: &Step) {
        step.moved.iter().for_each(|&(place, _, there)| self.order[place as usize] = there);
        step.starts.iter().for_each(|&place| self.starts[place as usize / 64] |= 1 << (place % 64));
    }
    /// Goes back by a step. Pre: the step ended here.
    pub(super) fn go_back(&mut self, step: &Step) {
        step.moved.iter().for_each(|&(place, here, _)| self.order[place as usize] = here);
        step.starts.iter().for_each(|&place| self.starts[place as usize / 64] &= !(1 << (place % 64)));
    }
    fn starts_at(&self, place: usize) -> bool {
        self.starts[place / 64] >> (place % 64) & 1 == 1
    }
    /// The positions of the cell that starts at a position.
    fn cell_at(&self, start: usize) -> std::ops::Range<usize> {
        let after = start + 1..self.order.len();
        start..after.clone().find(|&place| self.starts_at(place)).unwrap_or(after.end)
    }
    /// The vertices of the cell that starts at a position.
    pub(super) fn cell(&self, start: u32) -> &[u32] {
        &self.order[self.cell_at(start as usize)]
    }
    /// The partition, to be refined.
    pub(super) fn open(&self) -> Partition {
        let n = self.order.len();
        let mut p = Partition {
            place: vec![0; n],
            start: vec![0; n],
            lengths: vec![0; n],
            order: self.order.clone(),
        };
        let mut start = 0;
        for (i, &v) in self.order.iter().enumerate() {
            if self.starts_at(i) {
                start = i;
            }
            p.place[v as usize] = i as u32;
            p.start[v as usize] = start as u32;
            p.lengths[start] += 1;
        }
        p
    }
    /// Whether the cells have the same positions.
    pub(super) fn same_shape(&self, other: &Partition) -> bool {
        other.lengths.iter().enumerate().all(|(i, &len)| self.starts_at(i) == (len > 0))
    }
    /// Whether cells of two or more vertices contain the same ones. Pre: same shape.
    pub(super) fn same_contents(&self, other: &Partition) -> bool {
        let mut at = 0;
        while at < self.order.len() {
            let end = at + other.lengths[at] as usize;
            let here = &self.order[at..end];
            if here.len() > 1 && here.iter().any(|&v| other.start[v as usize] as usize != at) {
                return false;
            }
            at = end;
        }
        true
    }
    /// The map of each vertex to the vertex in the same position of the other partition; identity where cells contain
    /// the same vertices. Pre: same shape.
    pub(super) fn map_to(&self, other: &Partition) -> Vec<u32> {
        let mut map = vec![0; self.order.len()];
        let mut at = 0;
        while at < self.order.len() {
            let cell = at..at + other.lengths[at] as usize;
            let (here, there) = (&self.order[cell.clone()], &other.order[cell.clone()]);
            let same = here.iter().all(|&v| other.start[v as usize] as usize == at);
            if same {
                here.iter().for_each(|&v| map[v as usize] = v);
            } else {
                here.iter().zip(there).for_each(|(&v, &image)| map[v as usize] = image);
            }
            at = cell.end;
        }
        map
    }
}

/// An ordered partition.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    order: Vec<u32>,
    place: Vec<u32>,
    /// By vertex: the start of its cell.
    start: Vec<u32>,
    /// By start of a cell: its length.
    lengths: Vec<u32>,
}

impl Partition {
    /// One cell for each colour, in order of colours.
    pub(super) fn new(colours: &[u32]) -> Self {
        let n = colours.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&v| colours[v as usize]);
        let mut p = Self { place: vec![0; n], start: vec![0; n], lengths: vec![0; n], order };
        let mut start = 0;
        for i in 0..n {
            let v = p.order[i] as usize;
            if i > 0 && colours[v] != colours[p.order[i - 1] as usize] {
                start = i;
            }
            p.place[v] = i as u32;
            p.start[v] = start as u32;
            p.lengths[start] += 1;
        }
        p
    }
    /// The partition in compact form.
    pub(super) fn keep(&self) -> Kept {
        let mut starts = vec![0u64; self.order.len().div_ceil(64)];
        for (i, _) in self.lengths.iter().enumerate().filter(|(_, len)| **len > 0) {
            starts[i / 64] |= 1 << (i % 64);
        }
        Kept { order: self.order.clone(), starts }
    }
    /// Number of vertices.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }
    /// The vertices of the cell that starts at a position.
    pub(super) fn cell(&self, start: u32) -> &[u32] {
        &self.order[start as usize..(start + self.lengths[start as usize]) as usize]
    }
    /// The start of a vertex's cell.
    pub(super) fn cell_of(&self, v: u32) -> u32 {
        self.start[v as usize]
    }
    /// Makes a vertex the first of its cell, and a separate cell.
    pub(super) fn individualise(&mut self, v: u32) {
        let start = self.start[v as usize];
        let len = self.lengths[start as usize];
        if len == 1 {
            return;
        }
        self.swap(self.place[v as usize], start);
        self.lengths[start as usize] = 1;
        self.lengths[start as usize + 1] = len - 1;
        for i in start + 1..start + len {
            self.start[self.order[i as usize] as usize] = start + 1;
        }
    }
    fn swap(&mut self, i: u32, j: u32) {
        let (a, b) = (self.order[i as usize], self.order[j as usize]);
        self.order.swap(i as usize, j as usize);
        self.place[a as usize] = j;
        self.place[b as usize] = i;
    }
    /// Refines by all cells.
    pub(super) fn refine_all(&mut self, graph: &Graph, work: &mut u64) {
        let mut queue = VecDeque::new();
        let mut at = 0;
        while at < self.order.len() {
            queue.push_back(at as u32);
            at += self.lengths[at] as usize;
        }
        self.refine_by(graph, queue, work);
    }
    /// Refines after the vertex at a position was individualised.
    pub(super) fn refine(&mut self, graph: &Graph, start: u32, work: &mut u64) {
        self.refine_by(graph, VecDeque::from([start]), work);
    }
    fn refine_by(&mut self, graph: &Graph, mut queue: VecDeque<u32>, work: &mut u64) {
        let n = self.order.len();
        let mut queued = vec![false; n];
        queue.iter().for_each(|&s| queued[s as usize] = true);
        let mut count = vec![0u32; n];
        // By start of a cell: how many of its vertices were visited; these are moved to its end.
        let mut met = vec![0u32; n];
        let mut cells: Vec<u32> = Vec::new();
        let mut splitter: Vec<u32> = Vec::new();
        while let Some(start) = queue.pop_front() {
            queued[start as usize] = false;
            splitter.clear();
            splitter.extend_from_slice(self.cell(start));
            for kind in 0..Graph::KINDS {
                for &v in &splitter {
                    for &u in graph.of_kind(v, kind) {
                        *work += 1;
                        count[u as usize] += 1;
                        if count[u as usize] == 1 {
                            let cell = self.start[u as usize];
                            if met[cell as usize] == 0 {
                                cells.push(cell);
                            }
                            met[cell as usize] += 1;
                            let to = cell + self.lengths[cell as usize] - met[cell as usize];
                            self.swap(self.place[u as usize], to);
                        }
                    }
                }
                cells.sort_unstable();
                for cell in cells.drain(..) {
                    let hit = std::mem::take(&mut met[cell as usize]);
                    self.split(cell, hit, &mut count, &mut queue, &mut queued);
                }
            }
        }
    }
    /// Splits a cell by counts; vertices that were not visited, with count 0, stay in front.
    fn split(
        &mut self,
        cell: u32,
        met: u32,
        count: &mut [u32],
        queue: &mut VecDeque<u32>,
        queued: &mut [bool],
    ) {
        let len = self.lengths[cell as usize];
        let (first, end) = (cell + len - met, cell + len);
        let hit = &mut self.order[first as usize..end as usize];
        let all_same = hit.iter().all(|&v| count[v as usize] == count[hit[0] as usize]);
        if !all_same {
            hit.sort_by_key(|&v| count[v as usize]);
            for i in first..end {
                self.place[self.order[i as usize] as usize] = i;
            }
        }
        if met < len || !all_same {
            let mut starts = Vec::new();
            let mut current = cell;
            if met < len {
                self.lengths[cell as usize] = len - met;
                starts.push(cell);
                current = first;
            }
            for i in first..end {
                let v = self.order[i as usize] as usize;
                if i == first || count[v] != count[self.order[i as usize - 1] as usize] {
                    current = i;
                    self.lengths[i as usize] = 0;
                    starts.push(i);
                }
                self.start[v] = current;
                self.lengths[current as usize] += 1;
            }
            // A largest part need not be queued, unless the whole cell was.
            let largest = if queued[cell as usize] {
                u32::MAX
            } else {
                starts
                    .iter()
                    .copied()
                    .max_by_key(|&s| (self.lengths[s as usize], u32::MAX - s))
                    .unwrap_or(cell)
            };
            for s in starts {
                if s != largest && !queued[s as usize] {
                    queued[s as usize] = true;
                    queue.push_back(s);
                }
            }
        }
        for i in first..end {
            count[self.order[i as usize] as usize] = 0;
        }
    }
}
