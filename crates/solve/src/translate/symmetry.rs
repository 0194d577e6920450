//! Symmetries of a ground program: permutations of its atoms that map every rule to a rule.
//!
//! The program is a coloured graph of atoms, rules and weighted occurrences, with separate kinds of edges for heads,
//! positive and negative body literals. The leftmost path of a search tree individualises one atom after the other,
//! with colour refinement in between. From its end upwards, other atoms of each cell are tried in place of the chosen
//! one, and where both paths end in partitions of the same shape, the map between them is checked and kept. Two paths
//! whose remaining cells contain the same vertices end at once, so that generators are sparse. Invariant: every
//! generator is verified edge by edge and preserves colours; work is counted, and a budget ends the search.
//! Source: McKay, *Practical graph isomorphism*, 1981; Darga, Sakallah and Markov, *Faster symmetry discovery using
//! sparsity of symmetries*, DAC 2008; Devriendt, Bogaerts, Bruynooghe and Denecker, *Improved static symmetry breaking
//! for SAT*, SAT 2016.

use crate::translate::refine::{Graph, Kept, Partition, Step};
use asp_base::map::{Map, Set};
use asp_program::rule::{Body, Head};
use asp_program::{AtomId, Literal, Program};

/// The greatest number of edges visited by one search.
const BUDGET: u64 = 20_000_000;
/// The greatest number of edges of a graph that is searched.
const MAX_EDGES: usize = 1_000_000;
/// The greatest length of the leftmost path, and the greatest number of words of its steps.
const MAX_DEPTH: usize = 200;
const MAX_WORDS: usize = 1_000_000;
/// How many atoms of a cell may have no image before the level is given up.
const MAX_FAILURES: u32 = 3;

/// Kinds of edges.
pub(super) const HEAD: usize = 0;
pub(super) const POSITIVE: usize = 1;
pub(super) const NEGATIVE: usize = 2;

/// The symmetries found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symmetries {
    /// Atoms with their images, the moved ones only, sorted.
    pub(crate) generators: Vec<Vec<(AtomId, AtomId)>>,
    /// The individualised atoms, in order, each with the atoms that it can be mapped to while those before it stay.
    pub(crate) base: Vec<(AtomId, Vec<AtomId>)>,
}

/// Finds symmetries that fix each of the given atoms.
pub(crate) fn find(program: &Program, fixed: &[Literal]) -> Symmetries {
    let Some((graph, colours)) = build(program, fixed) else { return Symmetries::default() };
    let atoms = program.atoms.len() as u32;
    let mut search = Search { graph: &graph, colours: &colours, atoms, work: 0 };
    search.run()
}

/// The graph, with a colour for each vertex; `None` if it is too large.
fn build(program: &Program, fixed: &[Literal]) -> Option<(Graph, Vec<u32>)> {
    let atoms = program.atoms.len();
    if 2 * program.rules.literal_count() > MAX_EDGES {
        return None;
    }
    // Atoms: their weights in the objective, and a separate colour for each fixed one.
    let mut keys: Vec<Vec<i64>> = vec![vec![0]; atoms];
    for objective in &program.objectives {
        for &(l, w) in &objective.literals {
            keys[l.atom().0 as usize].extend([objective.priority, w, i64::from(l.is_neg())]);
        }
    }
    for (i, l) in fixed.iter().enumerate() {
        keys[l.atom().0 as usize] = vec![1, i as i64];
    }
    let mut edges: Vec<(u32, u32, usize)> = Vec::new();
    for rule in program.rules.iter() {
        let own = keys.len() as u32;
        let (choice, heads) = match rule.head {
            Head::Choice(h) => (1, h),
            Head::Disjunction(h) => (0, h),
        };
        for &h in heads {
            edges.push((own, h.0, HEAD));
        }
        let kind = |l: Literal| if l.is_neg() { NEGATIVE } else { POSITIVE };
        match rule.body {
            Body::Normal(literals) => {
                keys.push(vec![2, choice]);
                edges.extend(literals.iter().map(|&l| (own, l.atom().0, kind(l))));
            }
            Body::Weight { bound, literals, weights } => {
                keys.push(vec![3, choice, bound]);
                for (&l, &w) in literals.iter().zip(weights) {
                    let occurrence = keys.len() as u32;
                    keys.push(vec![4, w]);
                    edges.push((own, occurrence, HEAD));
                    edges.push((occurrence, l.atom().0, kind(l)));
                }
            }
        }
        if edges.len() > MAX_EDGES {
            return None;
        }
    }
    let mut numbers: Map<Vec<i64>, u32> = Map::default();
    let mut colours = Vec::with_capacity(keys.len());
    for mut key in keys {
        if let [0, parts @ ..] = key.as_mut_slice() {
            let mut triples: Vec<[i64; 3]> = parts.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
            triples.sort_unstable();
            parts.copy_from_slice(triples.as_flattened());
        }
        let next = numbers.len() as u32;
        colours.push(*numbers.entry(key).or_insert(next));
    }
    Some((Graph::new(colours.len(), &edges), colours))
}

struct Search<'a> {
    graph: &'a Graph,
    colours: &'a [u32],
    /// Vertices below this number are atoms.
    atoms: u32,
    work: u64,
}

impl Search<'_> {
    fn run(&mut self) -> Symmetries {
        let mut root = Partition::new(self.colours);
        root.refine_all(self.graph, &mut self.work);
        let mut here = root.keep();
        let (path, chosen) = self.leftmost(root, &mut here);
        let mut generators: Vec<Vec<(AtomId, AtomId)>> = Vec::new();
        let mut orbits = Orbits::new(self.atoms as usize);
        let mut base = Vec::new();
        for level in (0..chosen.len()).rev() {
            here.go_back(&path[level]);
            let mut failures = 0;
            let (first, start) = chosen[level];
            let others: Vec<u32> = here.cell(start).iter().copied().filter(|&v| v != first).collect();
            for v in others {
                if self.work > BUDGET || failures >= MAX_FAILURES {
                    break;
                }
                if orbits.find(v) == orbits.find(first) {
                    continue;
                }
                match self.image(&here, &path, &chosen, level, v) {
                    Some(map) => {
                        for u in 0..self.atoms {
                            orbits.join(u, map[u as usize]);
                        }
                        let moved = (0..self.atoms).zip(map).filter(|(u, image)| u != image);
                        generators.push(moved.map(|(u, image)| (AtomId(u), AtomId(image))).collect());
                    }
                    None => failures += 1,
                }
            }
            let root = orbits.find(first);
            let orbit = here
                .cell(start)
                .iter()
                .filter(|&&v| v != first && orbits.find(v) == root)
                .map(|&v| AtomId(v));
            let mut orbit: Vec<AtomId> = orbit.collect();
            orbit.sort_unstable();
            base.push((AtomId(first), orbit));
        }
        base.reverse();
        Symmetries { generators, base }
    }
    /// Individualises atoms until all atoms are separate: the steps on the way, and which atom was chosen from which cell. The
    /// partition `at_end`, the first one before, is the last one after it.
    fn leftmost(&mut self, root: Partition, at_end: &mut Kept) -> (Vec<Step>, Vec<(u32, u32)>) {
        let mut path: Vec<Step> = Vec::new();
        let mut words = 0;
        let mut last = root.clone();
        let mut chosen: Vec<(u32, u32)> = Vec::new();
        // By atom: how many rules it shares with chosen ones.
        let mut near = vec![0u32; self.atoms as usize];
        let mut used: Set<u32> = Set::default();
        while chosen.len() < MAX_DEPTH && words <= MAX_WORDS && self.work <= BUDGET {
            // The first of the cells nearest to the chosen atoms, preferably one not chosen from before.
            let mut best: Option<(bool, u32, u32)> = None;
            let mut at = 0;
            while (at as usize) < last.len() {
                let cell = last.cell(at);
                let v = cell[0];
                if cell.len() > 1 && v < self.atoms {
                    let closeness = cell.iter().map(|&v| near[v as usize]).max().unwrap_or(0);
                    let key = (!used.contains(&root.cell_of(v)), closeness, at);
                    if best.is_none_or(|b| (key.0, key.1) > (b.0, b.1)) {
                        best = Some(key);
                    }
                }
                at += cell.len() as u32;
            }
            let Some((_, _, start)) = best else { break };
            let Some(&v) = last.cell(start).iter().min() else { break };
            used.insert(root.cell_of(v));
            for &u in root.cell(root.cell_of(v)) {
                for r in self.graph.neighbours(u) {
                    if self.graph.degree(r) <= 8 {
                        for w in self.graph.neighbours(r) {
                            if w < self.atoms {
                                near[w as usize] += 1;
                            }
                        }
                    }
                }
            }
            self.work += last.len() as u64 / 4;
            last.individualise(v);
            last.refine(self.graph, start, &mut self.work);
            chosen.push((v, start));
            let step = at_end.follow(&last);
            words += step.words();
            path.push(step);
        }
        (path, chosen)
    }
    /// A symmetry that fixes the atoms chosen above the level, whose partition is `here`, and maps the one chosen at it to `v`.
    fn image(
        &mut self,
        here: &Kept,
        path: &[Step],
        chosen: &[(u32, u32)],
        level: usize,
        v: u32,
    ) -> Option<Vec<u32>> {
        let (mut left, mut right) = (here.clone(), here.open());
        let mut v = v;
        for k in level..chosen.len() {
            let start = chosen[k].1;
            right.individualise(v);
            right.refine(self.graph, start, &mut self.work);
            left.advance(&path[k]);
            self.work += right.len() as u64 / 4;
            if self.work > BUDGET || !left.same_shape(&right) {
                return None;
            }
            if k + 1 == chosen.len() || left.same_contents(&right) {
                let map = left.map_to(&right);
                return self.verify(&map).then_some(map);
            }
            let (first, start) = chosen[k + 1];
            let cell = right.cell(start);
            let wish = if cell.contains(&first) { first } else { chosen[level].0 };
            v = if cell.contains(&wish) { wish } else { *cell.iter().min()? };
        }
        None
    }
    /// Whether a permutation of the vertices preserves colours and edges. An edge between fixed vertices is preserved;
    /// any other one is checked from an end that moves.
    fn verify(&mut self, map: &[u32]) -> bool {
        let mut image = Vec::new();
        let mut there = Vec::new();
        let moved = (0..map.len() as u32).filter(|&v| map[v as usize] != v);
        self.work += map.len() as u64 / 16;
        for v in moved {
            let to = map[v as usize];
            if self.colours[v as usize] != self.colours[to as usize] {
                return false;
            }
            for kind in 0..Graph::KINDS {
                image.clear();
                image.extend(self.graph.of_kind(v, kind).iter().map(|&u| map[u as usize]));
                self.work += image.len() as u64;
                image.sort_unstable();
                there.clear();
                there.extend_from_slice(self.graph.of_kind(to, kind));
                there.sort_unstable();
                if image != there {
                    return false;
                }
            }
        }
        true
    }
}

/// Classes of atoms that generators map to each other.
struct Orbits(Vec<u32>);

impl Orbits {
    fn new(n: usize) -> Self {
        Self((0..n as u32).collect())
    }
    fn find(&mut self, mut v: u32) -> u32 {
        while self.0[v as usize] != v {
            self.0[v as usize] = self.0[self.0[v as usize] as usize];
            v = self.0[v as usize];
        }
        v
    }
    fn join(&mut self, u: u32, v: u32) {
        let (u, v) = (self.find(u), self.find(v));
        self.0[u.max(v) as usize] = u.min(v);
    }
}
