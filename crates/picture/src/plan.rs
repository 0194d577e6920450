//! Plans: an answer set as one picture per step, the last integer of atoms.
//!
//! Invariant: an atom is in the picture of its step, without the number of the step; an atom without one is in all pictures.

use super::drawn::Picture;
use super::guess::Painter;
use super::scene::{Atom, Scene, distinct};
use super::shape::{Shape, shapes};
use super::vocabulary;
use asp_base::symbol::Symbols;
use std::collections::BTreeSet;

/// The greatest number of steps that are drawn.
const MAX_STEPS: usize = 200;

/// Turns answer sets into pictures of their steps.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The predicates whose last argument is a step, with all their arguments.
    timed: Vec<(String, usize)>,
    painter: Painter,
}

/// The step of an atom, and the atom without it.
fn split<'a>(symbols: &Symbols, atom: &Atom<'a>) -> Option<(i64, Atom<'a>)> {
    let (&last, args) = atom.args.split_last()?;
    Some((symbols.as_num(last)?, Atom { name: atom.name, args }))
}

fn is_timed(timed: &[(String, usize)], atom: &Atom<'_>) -> bool {
    timed.iter().any(|(name, arity)| atom.key() == (name.as_str(), *arity))
}

/// The step of an atom if its predicate has one, and what is drawn of it.
fn step_of<'a>(symbols: &Symbols, timed: &[(String, usize)], atom: &Atom<'a>) -> (Option<i64>, Atom<'a>) {
    match split(symbols, atom).filter(|_| is_timed(timed, atom)) {
        Some((step, bare)) => (Some(step), bare),
        None => (None, *atom),
    }
}

impl Plan {
    /// Whether the shown atoms are a plan, and how its steps are drawn. Unless steps are `asked` for, two predicates have to end
    /// with numbers of the same few steps, and none may be in cells.
    pub fn new(symbols: &Symbols, scene: &Scene<'_>, first: &[Atom<'_>], asked: bool) -> Option<Self> {
        let mut timed: Vec<(String, usize)> = Vec::new();
        let mut steps: BTreeSet<i64> = BTreeSet::new();
        for ((name, arity), shape) in shapes(symbols, &scene.possible) {
            let atoms = || scene.possible.iter().filter(|a| a.key() == (name, arity));
            let own: Option<BTreeSet<i64>> = atoms().map(|a| Some(split(symbols, a)?.0)).collect();
            let Some(own) = own.filter(|own| arity > 1 && own.len() > 1) else { continue };
            if name.starts_with(vocabulary::PREFIX) || !asked && shape != Shape::Other {
                continue;
            }
            timed.push((name.to_string(), arity));
            steps.extend(own);
        }
        let (least, most) = (*steps.first()?, *steps.last()?);
        let few = most.checked_sub(least).is_some_and(|n| (1..MAX_STEPS as i64).contains(&n));
        // Other numbers than those of steps have gaps or begin anywhere.
        let counts = matches!(least, 0 | 1) && steps.len() as i64 == most - least + 1;
        if !few || !asked && (timed.len() < 2 || !counts) {
            return None;
        }
        let facts: Vec<Atom<'_>> = scene.facts.iter().filter(|a| !is_timed(&timed, a)).copied().collect();
        let possible = distinct(scene.possible.iter().map(|a| step_of(symbols, &timed, a).1));
        let opening = first.iter().map(|a| step_of(symbols, &timed, a));
        let opening = opening.filter(|(step, _)| step.is_none_or(|step| step == least));
        let opening: Vec<Atom<'_>> = opening.map(|(_, atom)| atom).collect();
        let painter = Painter::new(symbols, &Scene { facts, possible }, &opening, None, false).ok()?;
        Some(Self { timed, painter })
    }

    /// The pictures of the steps of an answer set.
    pub fn paint(&self, symbols: &Symbols, holds: &[Atom<'_>]) -> Vec<(i64, Picture)> {
        let parts: Vec<(Option<i64>, Atom<'_>)> =
            holds.iter().map(|a| step_of(symbols, &self.timed, a)).collect();
        let steps: BTreeSet<i64> = parts.iter().filter_map(|p| p.0).collect();
        let picture = |step: i64| {
            let here = parts.iter().filter(|p| p.0.is_none_or(|own| own == step));
            let atoms: Vec<Atom<'_>> = here.map(|p| p.1).collect();
            (step, self.painter.paint(symbols, &atoms))
        };
        steps.into_iter().take(MAX_STEPS).map(picture).collect()
    }
}
