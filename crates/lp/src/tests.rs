//! The simplex against all vertices of tiny programmes, and against its own multipliers on larger ones.

use asp_base::rng::Rng;

use crate::{Outcome, Simplex};

const INFINITY: f64 = f64::INFINITY;

/// Terms, and what they add up to at least and at most.
type Row = (Vec<(u32, f64)>, f64, f64);

#[derive(Clone, Debug, Default)]
struct Programme {
    costs: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    rows: Vec<Row>,
}

impl Programme {
    fn random(rng: &mut Rng, columns: u64, rows: u64) -> Self {
        let mut new = Self::default();
        for _ in 0..columns {
            new.costs.push(rng.below(9) as f64 - 3.0);
            let lower = rng.below(3) as f64 - 1.0;
            new.bounds.push((lower, lower + rng.below(3) as f64));
        }
        for _ in 0..rows {
            new.add_row(rng);
        }
        new
    }

    fn add_row(&mut self, rng: &mut Rng) {
        let mut terms = Vec::new();
        for column in 0..self.costs.len() as u32 {
            let entry = rng.below(7) as f64 - 3.0;
            if entry != 0.0 {
                terms.push((column, entry));
            }
        }
        let lower = rng.below(7) as f64 - 3.0;
        let (lower, upper) = match rng.below(3) {
            0 => (lower, INFINITY),
            1 => (-INFINITY, lower),
            _ => (lower, lower + rng.below(2) as f64),
        };
        self.rows.push((terms, lower, upper));
    }

    fn simplex(&self) -> Simplex {
        let mut simplex = Simplex::new(&self.costs, &self.bounds);
        self.rows.iter().for_each(|(terms, lower, upper)| simplex.add_row(terms, *lower, *upper));
        simplex
    }

    fn is_solution(&self, x: &[f64]) -> bool {
        let within = |value: f64, lower: f64, upper: f64| value >= lower - 1e-6 && value <= upper + 1e-6;
        self.bounds.iter().zip(x).all(|(b, &v)| within(v, b.0, b.1))
            && self.rows.iter().all(|(terms, lower, upper)| {
                within(terms.iter().map(|t| t.1 * x[t.0 as usize]).sum(), *lower, *upper)
            })
    }

    /// The least cost of all vertices.
    fn optimum(&self) -> Option<f64> {
        let n = self.costs.len();
        let mut planes: Vec<(Vec<f64>, f64)> = Vec::new();
        for (j, &(lower, upper)) in self.bounds.iter().enumerate() {
            let mut unit = vec![0.0; n];
            unit[j] = 1.0;
            planes.push((unit.clone(), lower));
            planes.push((unit, upper));
        }
        for (terms, lower, upper) in &self.rows {
            let mut dense = vec![0.0; n];
            terms.iter().for_each(|t| dense[t.0 as usize] = t.1);
            for bound in [*lower, *upper].into_iter().filter(|b| b.is_finite()) {
                planes.push((dense.clone(), bound));
            }
        }
        let mut best: Option<f64> = None;
        let mut chosen: Vec<usize> = (0..n).collect();
        loop {
            if let Some(x) = intersection(chosen.iter().map(|&i| planes[i].clone()).collect()) {
                let cost = x.iter().zip(&self.costs).map(|(x, c)| x * c).sum();
                if self.is_solution(&x) && best.is_none_or(|b| cost < b) {
                    best = Some(cost);
                }
            }
            let Some(at) = (0..n).rev().find(|&i| chosen[i] < planes.len() - n + i) else { return best };
            chosen[at] += 1;
            for i in at + 1..n {
                chosen[i] = chosen[i - 1] + 1;
            }
        }
    }

    /// What the costs are at least, by multipliers alone.
    fn bound(&self, multipliers: &[f64]) -> f64 {
        let mut reduced = self.costs.clone();
        let mut bound = 0.0;
        for ((terms, lower, upper), &m) in self.rows.iter().zip(multipliers) {
            let side = if m > 0.0 { *lower } else { *upper };
            if m.abs() < 1e-9 && !side.is_finite() {
                continue;
            }
            bound += m * side;
            terms.iter().for_each(|t| reduced[t.0 as usize] -= m * t.1);
        }
        bound + reduced.iter().zip(&self.bounds).map(|(r, b)| (r * b.0).min(r * b.1)).sum::<f64>()
    }

    #[track_caller]
    fn check(&self, simplex: &mut Simplex, told: &str) -> bool {
        let outcome = simplex.solve(u64::MAX / 2);
        let optimum = self.optimum();
        match optimum {
            Some(optimum) => {
                assert_eq!(outcome, Outcome::Optimal, "{told}: {optimum} {self:?}");
                let x: Vec<f64> = (0..self.costs.len() as u32).map(|j| simplex.value(j)).collect();
                assert!(self.is_solution(&x), "{told}: {x:?} {self:?}");
                assert!((simplex.objective() - optimum).abs() < 1e-3, "{told}: {optimum} {self:?}");
                let bound = self.bound(&simplex.multipliers());
                assert!((bound - optimum).abs() < 1e-3, "{told}: {bound} for {optimum} {self:?}");
            }
            None => {
                assert_eq!(outcome, Outcome::Infeasible, "{told}: {self:?}");
                let costs = vec![0.0; self.costs.len()];
                let bound = Self { costs, ..self.clone() }.bound(simplex.ray());
                assert!(bound > 1e-6, "{told}: {bound} {:?} {self:?}", simplex.ray());
            }
        }
        optimum.is_some()
    }
}

/// Where planes meet, if that is one point.
fn intersection(mut planes: Vec<(Vec<f64>, f64)>) -> Option<Vec<f64>> {
    let n = planes.len();
    for k in 0..n {
        let pivot = (k..n).find(|&i| planes[i].0[k].abs() > 1e-9)?;
        planes.swap(k, pivot);
        let (row, value) = planes[k].clone();
        for (_, other) in planes.iter_mut().enumerate().filter(|p| p.0 != k) {
            let factor = other.0[k] / row[k];
            other.0.iter_mut().zip(&row).for_each(|(o, r)| *o -= factor * r);
            other.1 -= factor * value;
        }
    }
    Some((0..n).map(|k| planes[k].1 / planes[k].0[k]).collect())
}

#[test]
fn optima_are_those_of_all_vertices_after_all_changes() {
    let (mut solved, mut infeasible) = (0, 0);
    for seed in 0..1500 {
        let rng = &mut Rng::new(seed);
        let (columns, rows) = (1 + rng.below(4), rng.below(5));
        let mut programme = Programme::random(rng, columns, rows);
        let mut simplex = programme.simplex();
        for step in 0..5 {
            let told = format!("seed {seed}, step {step}");
            if programme.check(&mut simplex, &told) {
                solved += 1
            } else {
                infeasible += 1
            }
            match rng.below(4) {
                0 if programme.rows.len() < 6 => {
                    programme.add_row(rng);
                    let (terms, lower, upper) = &programme.rows[programme.rows.len() - 1];
                    simplex.add_row(terms, *lower, *upper);
                }
                1 => {
                    let slack: Vec<bool> = (0..simplex.num_rows()).map(|r| simplex.is_slack(r)).collect();
                    let wanted: Vec<bool> = slack.iter().map(|&s| !s || rng.chance(0.5)).collect();
                    simplex.remove_rows(|r| wanted[r]);
                    let mut kept = wanted.iter();
                    programme.rows.retain(|_| kept.next() == Some(&true));
                }
                2 => simplex.restore_costs(),
                _ => {
                    let column = rng.below(columns) as usize;
                    let lower = rng.below(3) as f64 - 1.0;
                    programme.bounds[column] = (lower, lower + rng.below(3) as f64);
                    simplex.set_bounds(column as u32, lower, programme.bounds[column].1);
                }
            }
        }
    }
    assert!(solved > 3000 && infeasible > 1000, "{solved} solved, {infeasible} infeasible");
}

#[test]
fn larger_programmes_have_the_bound_of_their_multipliers() {
    for seed in 0..40 {
        let rng = &mut Rng::new(seed);
        let (columns, rows) = (20 + rng.below(150) as usize, 20 + rng.below(150) as usize);
        let degenerate = rng.chance(0.5);
        let mut programme = Programme {
            costs: (0..columns).map(|_| if degenerate { 1.0 } else { 1.0 + rng.below(40) as f64 }).collect(),
            bounds: vec![(0.0, 1.0); columns],
            rows: Vec::new(),
        };
        let mut simplex = programme.simplex();
        for batch in 0..4 {
            for _ in 0..rows / 4 {
                let mut terms: Vec<(u32, f64)> = Vec::new();
                for column in 0..columns as u32 {
                    if rng.chance(6.0 / columns as f64) {
                        terms.push((column, if degenerate { 1.0 } else { 1.0 + rng.below(9) as f64 }));
                    }
                }
                let most: f64 = terms.iter().map(|t| t.1).sum();
                let lower = if degenerate { 1.0f64.min(most) } else { (most / 2.0).floor() };
                simplex.add_row(&terms, lower, INFINITY);
                programme.rows.push((terms, lower, INFINITY));
            }
            assert_eq!(simplex.solve(1 << 40), Outcome::Optimal, "seed {seed}, batch {batch}");
            let x: Vec<f64> = (0..columns as u32).map(|j| simplex.value(j)).collect();
            assert!(programme.is_solution(&x), "seed {seed}, batch {batch}");
            let (objective, bound) = (simplex.objective(), programme.bound(&simplex.multipliers()));
            assert!(
                (objective - bound).abs() < 1e-2 * (1.0 + bound.abs()),
                "{objective} {bound}, seed {seed}"
            );
        }
    }
}

#[test]
fn a_limit_of_work_leaves_a_bound() {
    let rng = &mut Rng::new(7);
    let mut programme =
        Programme { costs: vec![1.0; 60], bounds: vec![(0.0, 1.0); 60], ..Programme::default() };
    for _ in 0..60 {
        let columns = (0..60).filter(|_| rng.chance(0.1));
        programme.rows.push((columns.map(|c| (c, 1.0)).collect(), 1.0, INFINITY));
    }
    programme.rows.retain(|r| !r.0.is_empty());
    let mut simplex = programme.simplex();
    assert_eq!(simplex.solve(2000), Outcome::Stopped);
    let early = programme.bound(&simplex.multipliers());
    assert_eq!(simplex.solve(u64::MAX), Outcome::Optimal);
    let last = programme.bound(&simplex.multipliers());
    assert!(early > 0.0 && early < last, "{early} {last}");
}
