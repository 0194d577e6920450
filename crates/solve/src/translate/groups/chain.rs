//! Chains: successive exactly-one groups whose values exclude each other in order, as in runs of a line, shifts, steps of a job.
//!
//! Two groups are linked if the pairs that exclude each other between them are nested: each value of the one rules out
//! the first values of the other, the more the later it comes. Then there is an order of both in which the pairs say "the
//! second comes at least as late as this value of the first asks for". Links whose orders agree form chains.
//!
//! A grid with an order between some neighbours (Futoshiki) has no chains: groups that share values, or exclude further values
//! of others, keep their pairs. Measured on Futoshiki of 20 to 34, medians of eight seeds: chains there cost 1.4 to 5 times the
//! time.
//!
//! Invariant: a chain states exactly the pairs of its neighbours; no group is in two chains, and a chain does not close a cycle.
//! Time is that of sorting the pairs. Source: Yannakakis, *Node-deletion problems on bipartite graphs*, 1981, for nested
//! neighbourhoods (chain graphs).

use asp_engine::store::literal::Lit;

/// Groups in order.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    /// The values of each group, in order.
    pub(crate) groups: Vec<Vec<Lit>>,
    /// By group except the last, by value: how many first values of the next group it rules out. Never falls.
    pub(crate) skips: Vec<Vec<usize>>,
}

/// Where a literal is: its chain, the group there, and its position in the group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) chain: u32,
    pub(crate) group: u32,
    pub(crate) value: u32,
}

/// The chains of a program.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    pub(crate) chains: Vec<Chain>,
    /// By code of a literal.
    places: Vec<Option<Place>>,
}

impl Chains {
    /// Where a literal is.
    pub(crate) fn place(&self, lit: Lit) -> Option<Place> {
        self.places.get(lit.code()).copied().flatten()
    }
    /// Keeps a chain only if it pays: it has three groups, or atoms that represent several of its values. Returns whether it
    /// stays.
    pub(crate) fn keep(&mut self, number: u32, atoms: bool) -> bool {
        let chain = &self.chains[number as usize];
        let pays = atoms || chain.groups.len() > 2;
        if !pays {
            chain.groups.iter().flatten().for_each(|l| self.places[l.code()] = None);
        }
        pays
    }
    /// Whether chains imply that these literals exclude each other.
    pub(crate) fn excludes(&self, a: Lit, b: Lit) -> bool {
        let (Some(a), Some(b)) = (self.place(a), self.place(b)) else { return false };
        let (a, b) = if a.group < b.group { (a, b) } else { (b, a) };
        if a.chain != b.chain || a.group == b.group {
            return false;
        }
        let skips = &self.chains[a.chain as usize].skips;
        let mut first = a.value as usize;
        for skip in &skips[a.group as usize..b.group as usize] {
            match skip.get(first) {
                Some(&next) => first = next,
                None => return true,
            }
        }
        (b.value as usize) < first
    }
}

/// Nested pairs between two groups: by value of each, how many of the other's it excludes.
#[derive(Debug)]
struct Link {
    ends: [u32; 2],
    degrees: [Vec<u32>; 2],
    pairs: usize,
}

impl Link {
    /// The degrees of a group, which is one of the two.
    fn of(&self, group: u32) -> &[u32] {
        &self.degrees[usize::from(self.ends[1] == group)]
    }
    fn other(&self, group: u32) -> u32 {
        self.ends[usize::from(self.ends[0] == group)]
    }
}

/// Positions in the order in which the first degrees fall and the second rise; `None` if there is no such order.
fn order(falls: Option<&[u32]>, rises: Option<&[u32]>, len: usize) -> Option<Vec<u32>> {
    let at = |d: Option<&[u32]>, i: u32| d.map_or(0, |d| d[i as usize]);
    let mut order: Vec<u32> = (0..len as u32).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(at(falls, i)), at(rises, i), i));
    order.windows(2).all(|w| at(rises, w[0]) <= at(rises, w[1])).then_some(order)
}

/// Makes a link of the pairs between two groups, as positions there, if they are nested. Pre: each pair is given once.
fn link(ends: [u32; 2], sizes: [usize; 2], pairs: &[(u32, u32)]) -> Option<Link> {
    let mut degrees = [vec![0u32; sizes[0]], vec![0u32; sizes[1]]];
    for &(a, b) in pairs {
        degrees[0][a as usize] += 1;
        degrees[1][b as usize] += 1;
    }
    let mut by_degree: Vec<u32> = (0..sizes[1] as u32).collect();
    by_degree.sort_by_key(|&b| std::cmp::Reverse(degrees[1][b as usize]));
    let mut rank = vec![0u32; sizes[1]];
    by_degree.iter().zip(0..).for_each(|(&b, r)| rank[b as usize] = r);
    // As many neighbours as the degree, all among the first so many.
    let nested = pairs.iter().all(|&(a, b)| rank[b as usize] < degrees[0][a as usize]);
    nested.then_some(Link { ends, degrees, pairs: pairs.len() })
}

/// One pair that leaves a chain for so many inside is too many.
const MAX_OUTSIDE: usize = 10;

/// Finds chains in exactly-one groups and pairs of literals that exclude each other.
pub(crate) fn find(groups: &[Vec<Lit>], pairs: &[(Lit, Lit)]) -> Chains {
    let codes = groups.iter().flatten().map(|l| l.code() + 1).max().unwrap_or(0);
    // By literal: its group, the first if there are several, and its position.
    let mut home: Vec<Option<(u32, u32)>> = vec![None; codes];
    // By group: whether it has a value of another one.
    let mut shares = vec![false; groups.len()];
    for (group, g) in groups.iter().zip(0..) {
        if group.iter().all(|l| home[l.code()].is_none()) {
            group.iter().zip(0..).for_each(|(l, i)| home[l.code()] = Some((g, i)));
        } else {
            group.iter().filter_map(|l| home[l.code()]).for_each(|(h, _)| shares[h as usize] = true);
        }
    }
    let home_of = |l: Lit| home.get(l.code()).copied().flatten();
    let mut between: Vec<(u32, u32, u32, u32)> = Vec::new();
    for &(a, b) in pairs {
        if let (Some((g, i)), Some((h, j))) = (home_of(a), home_of(b)) {
            match g.cmp(&h) {
                std::cmp::Ordering::Less => between.push((g, h, i, j)),
                std::cmp::Ordering::Greater => between.push((h, g, j, i)),
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    between.sort_unstable();
    between.dedup();
    let size = |g: u32| groups[g as usize].len();
    let mut links: Vec<Link> = Vec::new();
    // By group: the number of pairs with values of others.
    let mut all_pairs = vec![0usize; groups.len()];
    for same in between.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (g, h) = (same[0].0, same[0].1);
        all_pairs[g as usize] += same.len();
        all_pairs[h as usize] += same.len();
        if shares[g as usize] || shares[h as usize] {
            continue;
        }
        let inner: Vec<(u32, u32)> = same.iter().map(|t| (t.2, t.3)).collect();
        if 2 * inner.len() >= size(g).min(size(h)) {
            links.extend(link([g, h], [size(g), size(h)], &inner));
        }
    }
    let mut out = Chains { chains: Vec::new(), places: vec![None; codes] };
    // Groups of one chain may have pairs beyond neighbours, each of which counts at both ends.
    let mut chain_of = vec![u32::MAX; groups.len()];
    let found = paths(groups, links);
    for (path, number) in found.iter().zip(0..) {
        path.iter().for_each(|&(g, _)| chain_of[g as usize] = number);
    }
    let mut inside = vec![0usize; found.len()];
    for same in between.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let chain = chain_of[same[0].0 as usize];
        if chain == chain_of[same[0].1 as usize] && chain != u32::MAX {
            inside[chain as usize] += same.len();
        }
    }
    for (path, inside) in found.iter().zip(inside) {
        let ends: usize = path.iter().map(|&(g, _)| all_pairs[g as usize]).sum();
        if MAX_OUTSIDE * (ends - 2 * inside) <= inside {
            out.add(groups, path);
        }
    }
    out
}

/// Links that follow each other, without those that would branch, close a cycle or contradict in order. Groups made one
/// after the other come first, then those with more pairs.
fn paths(groups: &[Vec<Lit>], mut links: Vec<Link>) -> Vec<Vec<(u32, Option<Link>)>> {
    links.sort_by_key(|l| (l.ends[1] - l.ends[0], std::cmp::Reverse(l.pairs), l.ends));
    let mut links: Vec<Option<Link>> = links.into_iter().map(Some).collect();
    // By group: its links, and a representative of what it is connected with.
    let mut of: Vec<[Option<usize>; 2]> = vec![[None; 2]; groups.len()];
    let mut root: Vec<u32> = (0..groups.len() as u32).collect();
    let find = |root: &mut Vec<u32>, mut g: u32| {
        while root[g as usize] != g {
            root[g as usize] = root[root[g as usize] as usize];
            g = root[g as usize];
        }
        g
    };
    for i in 0..links.len() {
        let Some(new) = &links[i] else { continue };
        let ends = new.ends;
        let fits = ends.iter().all(|&g| match of[g as usize] {
            [None, _] => true,
            [Some(first), None] => {
                let first = links[first].as_ref().map(|l| l.of(g));
                order(first, Some(new.of(g)), groups[g as usize].len()).is_some()
            }
            _ => false,
        });
        let (a, b) = (find(&mut root, ends[0]), find(&mut root, ends[1]));
        if !fits || a == b {
            continue;
        }
        root[a as usize] = b;
        for g in ends {
            let slots = &mut of[g as usize];
            slots[usize::from(slots[0].is_some())] = Some(i);
        }
    }
    let mut out = Vec::new();
    let mut seen = vec![false; groups.len()];
    for start in 0..groups.len() as u32 {
        if seen[start as usize] || !matches!(of[start as usize], [Some(_), None]) {
            continue;
        }
        let mut path: Vec<(u32, Option<Link>)> = Vec::new();
        let mut at = start;
        loop {
            seen[at as usize] = true;
            // The link to the group before has been taken.
            let next = of[at as usize].iter().flatten().find_map(|&i| links[i].take());
            let to = next.as_ref().map(|l| l.other(at));
            path.push((at, next));
            match to {
                Some(to) => at = to,
                None => break,
            }
        }
        let pairs: usize = path.iter().flat_map(|(_, l)| l).map(|l| l.pairs).sum();
        if 2 * pairs >= path.iter().map(|&(g, _)| groups[g as usize].len()).sum() {
            out.push(path);
        }
    }
    out
}

impl Chains {
    /// Adds a path of groups, each with its link to the next, in the direction in which most values are in the given order.
    fn add(&mut self, groups: &[Vec<Lit>], path: &[(u32, Option<Link>)]) {
        let mut along = 0i64;
        for pair in path.windows(2) {
            if let [(g, Some(link)), (h, _)] = pair {
                along += steps(link.of(*g)) - steps(link.of(*h));
            }
        }
        let mut chain = Chain::default();
        let mut add = |g: u32, before: Option<&Link>, after: Option<&Link>| {
            let values = &groups[g as usize];
            let falls = before.map(|l| l.of(g));
            let rises = after.map(|l| l.of(g));
            // Each two links of a group were found to agree.
            let Some(order) = order(falls, rises, values.len()) else { return };
            chain.groups.push(order.iter().map(|&i| values[i as usize]).collect());
            chain.skips.extend(rises.map(|d| order.iter().map(|&i| d[i as usize] as usize).collect()));
        };
        for i in 0..path.len() {
            if along >= 0 {
                let before = i.checked_sub(1).and_then(|j| path[j].1.as_ref());
                add(path[i].0, before, path[i].1.as_ref());
            } else {
                let i = path.len() - 1 - i;
                let after = i.checked_sub(1).and_then(|j| path[j].1.as_ref());
                add(path[i].0, path[i].1.as_ref(), after);
            }
        }
        let number = self.chains.len() as u32;
        for (group, g) in chain.groups.iter().zip(0..) {
            for (l, value) in group.iter().zip(0..) {
                self.places[l.code()] = Some(Place { chain: number, group: g, value });
            }
        }
        self.chains.push(chain);
    }
}

/// How many neighbours rise, less those that fall.
fn steps(degrees: &[u32]) -> i64 {
    degrees.windows(2).map(|w| (i64::from(w[1]) - i64::from(w[0])).signum()).sum()
}
