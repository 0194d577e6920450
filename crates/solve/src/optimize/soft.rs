//! The objective of a level as literals with costs, above a lower bound.
//!
//! Invariant: the objective equals the lower bound plus the weights of the literals that hold, for every model within the
//! bounds of the call.
//! Source: Andres, Kaufmann, Matheis and Schaub, *Unsatisfiability-based optimization in clasp*, ICLP 2012; Ansótegui,
//! Bonet, Gabàs and Levy, *Improving SAT-based weighted MaxSAT solvers*, CP 2012, for stratification.

use asp_base::map::Map;
use asp_engine::store::literal::Lit;

/// A literal that costs something if it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Soft {
    lit: Lit,
    pub(crate) weight: i128,
    /// The counter whose output it is, and the number that the output stands for.
    pub(crate) counter: Option<(usize, usize)>,
}

impl Soft {
    pub(crate) fn lit(&self) -> Lit {
        self.lit
    }
}

/// The objective of a level.
pub(crate) struct SoftLits {
    soft: Vec<Soft>,
    index: Map<Lit, usize>,
    /// A literal that always holds.
    truth: Lit,
    pub(crate) lower: i128,
}

impl SoftLits {
    /// The objective from the terms of a level and its constant.
    pub(crate) fn new(terms: &[(Lit, i64)], constant: i64, truth: Lit) -> Self {
        let mut level = Self { soft: Vec::new(), index: Map::default(), truth, lower: constant.into() };
        for &(lit, weight) in terms {
            level.add(lit, i128::from(weight), None);
        }
        level
    }

    /// The entry of a literal. Pre: it was added.
    pub(crate) fn get_mut(&mut self, lit: Lit) -> &mut Soft {
        &mut self.soft[self.index[&lit]]
    }

    /// The output of a counter for a number, if it was added.
    pub(crate) fn output_mut(&mut self, output: (usize, usize)) -> Option<&mut Soft> {
        self.soft.iter_mut().find(|s| s.counter == Some(output))
    }

    /// For a core, one of whose literals holds: moves its least weight to the lower bound, and returns it.
    pub(crate) fn pay(&mut self, core: &[Lit]) -> i128 {
        let weight = core.iter().map(|&l| self.get_mut(l).weight).min().unwrap_or(0);
        self.lower += weight;
        for &l in core {
            self.get_mut(l).weight -= weight;
        }
        weight
    }

    /// Adds a cost. Negative ones move to the complement; the smaller weight of a literal and its complement is always
    /// due.
    pub(crate) fn add(&mut self, lit: Lit, weight: i128, counter: Option<(usize, usize)>) {
        let truth = self.truth;
        let (lit, weight) = if weight < 0 {
            self.lower += weight;
            (!lit, -weight)
        } else {
            (lit, weight)
        };
        if lit == truth {
            self.lower += weight;
        }
        if weight == 0 || lit.var() == truth.var() {
            return;
        }
        let mut weight = weight;
        if let Some(&i) = self.index.get(&!lit) {
            let common = weight.min(self.soft[i].weight);
            self.soft[i].weight -= common;
            weight -= common;
            self.lower += common;
        }
        match self.index.get(&lit) {
            Some(&i) => self.soft[i].weight += weight,
            None => {
                self.index.insert(lit, self.soft.len());
                self.soft.push(Soft { lit, weight, counter });
            }
        }
    }

    /// The greatest weight below a bound, skipping weights as long as there are few different ones per literal.
    pub(crate) fn next_threshold(&self, below: i128) -> i128 {
        let mut weights: Vec<i128> =
            self.soft.iter().map(|s| s.weight).filter(|&w| w > 0 && w < below).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let mut kinds = 0usize;
        for (i, &w) in weights.iter().enumerate() {
            if i == 0 || weights[i - 1] != w {
                kinds += 1;
            }
            let last = i + 1 == weights.len() || weights[i + 1] != w;
            if last && (4 * (i + 1) > 5 * kinds || i + 1 == weights.len()) {
                return w;
            }
        }
        0
    }

    /// Literals that are false in every model of at most this cost: their weights exceed what the lower bound leaves
    /// open.
    pub(crate) fn too_costly(&self, cost: i128) -> impl Iterator<Item = Lit> {
        let gap = (cost - self.lower).max(0);
        self.soft.iter().filter(move |s| s.weight > gap).map(|s| s.lit)
    }

    /// The complements of literals with at least this weight, heaviest first.
    pub(crate) fn assumptions(&self, threshold: i128) -> Vec<Lit> {
        let mut chosen: Vec<&Soft> =
            self.soft.iter().filter(|s| s.weight > 0 && s.weight >= threshold).collect();
        chosen.sort_by_key(|s| std::cmp::Reverse(s.weight));
        chosen.iter().map(|s| !s.lit).collect()
    }
}
