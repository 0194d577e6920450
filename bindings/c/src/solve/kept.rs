//! What a call leaves for later ones, where enumeration does not end with its call: nogoods of the answer sets that it went on
//! from, bounds on costs, and clauses that were added at models. They become constraints of the ground program.
//!
//! Invariant: what is kept depends on what was found alone, and not on how. Flipping decisions keeps nothing.

use std::collections::HashMap;
use std::sync::Arc;

use asp::backend::AtomId;
use asp::options::{EnumMode, OptMode, Projection, SolveOptions};
use asp::program::{Literal, Program, ShowItem};

use crate::model::Snapshot;

/// What is to be kept of a call.
#[derive(Default)]
pub struct Kept {
    /// The answer sets that the search went on from.
    left: Vec<Arc<Snapshot>>,
    /// Clauses that were added at models that the search went on from.
    clauses: Vec<Vec<Literal>>,
    /// Those that were added at the last model.
    added: Vec<Vec<Literal>>,
}

impl Kept {
    /// The search goes on from a model.
    pub fn leave(&mut self, model: &Arc<Snapshot>) {
        self.left.push(model.clone());
        self.clauses.append(&mut self.added);
    }

    /// A clause was added.
    pub fn add_clause(&mut self, clause: Vec<Literal>) {
        self.added.push(clause);
    }

    /// Constrains the program for later calls; `is_last_in` says that the last model was one too many, because no more were
    /// wanted.
    pub fn constrain(mut self, control: &mut asp::Control, options: &SolveOptions, is_last_in: bool) {
        for clause in &self.clauses {
            let body: Vec<Literal> = clause.iter().map(|&l| !l).collect();
            control.backend().rule(false, &[], &body);
        }
        if is_last_in {
            self.left.pop();
        }
        let Some(last) = self.left.last().cloned() else { return };
        let optimises = !control.program().objectives.is_empty()
            && matches!(options.opt_mode, OptMode::Opt | OptMode::OptN);
        if optimises {
            let stays = options.opt_mode == OptMode::OptN && last.is_optimal();
            bound(control, &last.costs, stays);
            if !stays {
                return;
            }
            self.left.retain(|model| model.is_optimal());
        }
        let mut things = Things::default();
        for model in &self.left {
            let body = match options.enum_mode {
                EnumMode::Brave => things.of_estimate(control, options, model, false),
                EnumMode::Cautious | EnumMode::Query => things.of_estimate(control, options, model, true),
                EnumMode::Record => things.of_model(control, options, model),
                _ => return,
            };
            control.backend().rule(false, &[], &body);
        }
    }
}

/// Literals for what is shown, once they are needed.
#[derive(Default)]
struct Things {
    /// By show entry; made for a program without constraints of this call's.
    shown: Option<Vec<Literal>>,
    /// How many atoms the program had then.
    atoms: usize,
}

impl Things {
    /// A literal for each show entry: equivalent to the thing that it shows.
    fn shown(&mut self, control: &mut asp::Control) -> &[Literal] {
        self.shown.get_or_insert_with(|| {
            let entries: Vec<(ShowItem, Vec<Literal>)> =
                control.program().shown().map(|(_, item, condition)| (item, condition.to_vec())).collect();
            let mut count: HashMap<ShowItem, usize> = HashMap::new();
            entries.iter().for_each(|(item, _)| *count.entry(*item).or_default() += 1);
            let mut made: HashMap<ShowItem, Literal> = HashMap::new();
            let mut backend = control.backend();
            let literal = |(item, condition): (ShowItem, Vec<Literal>)| match condition[..] {
                [one] if count[&item] == 1 => one,
                _ => {
                    let own = *made.entry(item).or_insert_with(|| Literal::pos(backend.auxiliary()));
                    backend.rule(false, &[own.atom()], &condition);
                    own
                }
            };
            entries.into_iter().map(literal).collect()
        })
    }

    /// What holds if a model changes nothing about consequences: all of those that still may be are there, or none of those
    /// that are not yet.
    fn of_estimate(
        &mut self,
        control: &mut asp::Control,
        options: &SolveOptions,
        estimate: &Snapshot,
        are_in: bool,
    ) -> Vec<Literal> {
        let sign = |literal: Literal| if are_in { literal } else { !literal };
        if options.projection == Projection::Project {
            let projected = projected(control.program()).into_iter();
            return projected
                .filter(|&a| estimate.contains(a) == are_in)
                .map(|a| sign(Literal::pos(a)))
                .collect();
        }
        let shown = self.shown(control).iter().enumerate();
        shown
            .filter(|&(entry, _)| estimate.shows(entry) == are_in)
            .map(|(_, &literal)| sign(literal))
            .collect()
    }

    /// What holds in a model, as far as it distinguishes models.
    fn of_model(
        &mut self,
        control: &mut asp::Control,
        options: &SolveOptions,
        model: &Snapshot,
    ) -> Vec<Literal> {
        let as_in = |atom: AtomId| Literal::new(atom, !model.contains(atom));
        match options.projection {
            Projection::Project => projected(control.program()).into_iter().map(as_in).collect(),
            Projection::None => {
                if self.atoms == 0 {
                    self.atoms = control.program().atoms.len();
                }
                (0..self.atoms as u32).map(AtomId).map(as_in).collect()
            }
            Projection::Show => {
                let holds: Vec<bool> = {
                    let mut held: HashMap<ShowItem, bool> = HashMap::new();
                    for (_, item, condition) in control.program().shown() {
                        *held.entry(item).or_default() |= condition.iter().all(|&l| model.holds(l));
                    }
                    control.program().shown().map(|(_, item, _)| held[&item]).collect()
                };
                let shown = self.shown(control).iter().zip(holds).enumerate();
                let shown = shown.filter(|&(entry, _)| options.distinguishes(entry));
                shown.map(|(_, (&literal, holds))| if holds { literal } else { !literal }).collect()
            }
        }
    }
}

fn projected(program: &Program) -> Vec<AtomId> {
    let mut atoms: Vec<AtomId> = program.project.iter().flatten().copied().collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// Requires costs below some, or with `stays` none above them: the most important level first.
fn bound(control: &mut asp::Control, costs: &[i64], stays: bool) {
    let mut levels: Vec<_> = control.program().objectives.clone();
    levels.sort_by_key(|level| std::cmp::Reverse(level.priority));
    let mut backend = control.backend();
    // Whether costs are too high, from some level on.
    let mut too_high = backend.auxiliary();
    if !stays {
        backend.rule(false, &[too_high], &[]);
    }
    for (level, &cost) in levels.iter().zip(costs).rev() {
        let mut least = i128::from(level.constant);
        let mut body = Vec::with_capacity(level.literals.len());
        for &(literal, weight) in &level.literals {
            least += i128::from(weight.min(0));
            body.push((if weight < 0 { !literal } else { literal }, weight.saturating_abs()));
        }
        let mut reaches = |cost: i128| {
            let bound = (cost - least).clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            let atom = backend.auxiliary();
            backend.weight_rule(false, &[atom], bound, &body);
            atom
        };
        let (same, more) = (reaches(cost.into()), reaches(i128::from(cost) + 1));
        let from_here = backend.auxiliary();
        backend.rule(false, &[from_here], &[Literal::pos(more)]);
        backend.rule(false, &[from_here], &[Literal::pos(same), Literal::pos(too_high)]);
        too_high = from_here;
    }
    backend.rule(false, &[], &[Literal::pos(too_high)]);
}
