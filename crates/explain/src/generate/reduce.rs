//! Takes clues away, in random order, while the solution stays the only one.
//!
//! The program is translated once: a clue holds if its switch does, and calls assume the switches. What differs from
//! the solution is an atom of its own. A core of a call says which switches it needed; a clue outside of the last core
//! goes without a call. Invariant: the solution is an answer set with the clues that are kept, and no answer set with
//! them shows anything else.

use super::difficulty::{self, Difficulty};
use super::mirror;
use crate::hint;
use crate::infer::Inference;
use crate::inquiry::Inquiry;
use crate::show_keys;
use asp_base::interrupt::Interrupt;
use asp_base::map::Set;
use asp_base::rng::Rng;
use asp_base::symbol::Sym;
use asp_control::Error;
use asp_control::Report;
use asp_program::ground_program::ShowItem;
use asp_program::lower::lower;
use asp_program::{AtomId, Literal, Program, RuleSource};
use asp_solve::session::Session;
use asp_solve::{Event, Flow, OptMode, Projection, SolveOptions};

/// What is wanted of the clues that are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Taste {
    /// Whether a half turn maps the places of the clues to each other.
    pub symmetric: bool,
    /// How hard it may be at most.
    pub most: Difficulty,
}

/// How taking away clues ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reduced {
    /// By clue: whether it is left.
    To(Vec<bool>),
    /// Even all clues leave several answer sets, or need more than is wanted.
    Unfit,
    /// The clues and the program contradict each other.
    Contradiction,
    /// The clues have no places in a grid.
    NoPlaces,
}

/// Whether instances are too hard.
struct Scale<'a> {
    inference: Inference<'a>,
    targets: Vec<AtomId>,
    interrupt: Interrupt,
    most: Difficulty,
}

impl<'a> Scale<'a> {
    fn new(inquiry: &'a Inquiry, most: Difficulty) -> Self {
        let inference = Inference::new(inquiry.items(), inquiry.symbols());
        Self { inference, targets: hint::targets(inquiry), interrupt: inquiry.control.interrupt(), most }
    }

    /// Whether the instance with some clues is no harder than wanted.
    fn fits(&self, left: &[bool], switches: &[AtomId]) -> bool {
        let assumed = assumptions(left, switches);
        let k = self.inference.start(&assumed).without_reasons();
        difficulty::is_within(&self.inference, k, &self.targets, &self.interrupt, self.most)
    }
}

/// The switches as literals.
fn assumptions(left: &[bool], switches: &[AtomId]) -> Vec<Literal> {
    switches.iter().zip(left).map(|(&a, &on)| Literal::new(a, !on)).collect()
}

fn shuffle<T>(list: &mut [T], rng: &mut Rng) {
    for at in 0..list.len() {
        let other = at + rng.below((list.len() - at) as u64) as usize;
        list.swap(at, other);
    }
}

/// A program with a switch for each clue.
pub(super) struct Reducer<'a> {
    inquiry: &'a Inquiry,
    program: Program,
    session: Session,
    interrupt: Interrupt,
    /// By clue: its kind and the fact.
    clues: &'a [(usize, Sym)],
    /// By clue.
    switches: Vec<AtomId>,
    /// An atom for each thing that may be shown and is no clue itself.
    things: Vec<AtomId>,
    /// Holds if an answer set shows anything else than the solution.
    differs: Option<AtomId>,
    /// The switches that the last call without an answer set needed.
    core: Vec<Literal>,
}

impl<'a> Reducer<'a> {
    /// For a program whose clues have switches.
    pub(super) fn new(
        inquiry: &'a Inquiry,
        clues: &'a [(usize, Sym)],
        switches: Vec<AtomId>,
    ) -> Result<Self, Error> {
        let mut program = inquiry.program().clone();
        program.minimize.clear();
        program.objectives.clear();
        lower(&mut program, inquiry.symbols())
            .map_err(|error| Error::Overflow(Report::told(&error.to_string())))?;
        let switch: Set<AtomId> = switches.iter().copied().collect();
        // Clues that no other rule derives say nothing of the solution.
        let (mut by_clue, mut by_rule) = (Set::default(), Set::default());
        for rule in program.rules.iter() {
            let of_clue = rule.body.literals().iter().any(|l| switch.contains(&l.atom()));
            (if of_clue { &mut by_clue } else { &mut by_rule }).extend(rule.head.atoms().iter().copied());
        }
        let is_clue = |a: AtomId| switch.contains(&a) || by_clue.contains(&a) && !by_rule.contains(&a);
        let shows: Vec<(usize, Vec<Literal>, bool)> = show_keys::of(&program)
            .into_iter()
            .zip(&program.shows)
            .map(|(thing, show)| {
                let own = matches!(show.item, ShowItem::Atom(a) if is_clue(a));
                (thing, program.literals(show.condition).to_vec(), own)
            })
            .collect();
        let mut of_thing: Vec<Option<AtomId>> = Vec::new();
        for (thing, condition, own) in shows {
            if thing == of_thing.len() {
                of_thing.push((!own).then(|| program.atoms.add_aux()));
            }
            if let Some(atom) = of_thing[thing] {
                program.rules.add(false, &[atom], &condition, RuleSource::NONE);
            }
        }
        program.shows.clear();
        Ok(Self {
            inquiry,
            program,
            session: Session::new(),
            interrupt: inquiry.control.interrupt(),
            clues,
            switches,
            things: of_thing.into_iter().flatten().collect(),
            differs: None,
            core: Vec::new(),
        })
    }

    /// Takes away clues.
    pub(super) fn run(mut self, taste: Taste, rng: &mut Rng) -> Result<Reduced, Error> {
        let mut left = vec![true; self.clues.len()];
        let groups = if taste.symmetric {
            match mirror::groups(self.clues, self.inquiry.symbols()) {
                Some(groups) => groups,
                None => return Ok(Reduced::NoPlaces),
            }
        } else {
            (0..self.clues.len()).map(|i| vec![i]).collect()
        };
        if !self.solve(&left)? {
            return Ok(Reduced::Contradiction);
        }
        if !self.is_only(&left)? {
            return Ok(Reduced::Unfit);
        }
        let scale = (taste.most != Difficulty::Expert).then(|| Scale::new(self.inquiry, taste.most));
        if scale.as_ref().is_some_and(|scale| !scale.fits(&left, &self.switches)) {
            return Ok(Reduced::Unfit);
        }
        self.minimize(&mut left, &groups, rng)?;
        match scale {
            Some(scale) if !self.ease(&mut left, &groups, &scale, rng)? => Ok(Reduced::Unfit),
            _ => Ok(Reduced::To(left)),
        }
    }

    /// Takes away what the solution does not need to be the only one.
    fn minimize(&mut self, left: &mut [bool], groups: &[Vec<usize>], rng: &mut Rng) -> Result<(), Error> {
        let kinds = self.kinds();
        // What was needed before others went may not be needed after: clues need not act alike in every program.
        loop {
            let mut changed = false;
            for kind in 0..kinds {
                let mut open: Vec<&Vec<usize>> =
                    groups.iter().filter(|g| self.clues[g[0]].0 == kind && left[g[0]]).collect();
                shuffle(&mut open, rng);
                for group in open {
                    group.iter().for_each(|&i| left[i] = false);
                    let goes = self.is_only(left)?;
                    group.iter().for_each(|&i| left[i] = !goes);
                    changed |= goes;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Puts clues back until the instance is no harder than wanted, and of these no more than that takes. Returns whether the
    /// solution is still the only one.
    fn ease(
        &mut self,
        left: &mut [bool],
        groups: &[Vec<usize>],
        scale: &Scale<'_>,
        rng: &mut Rng,
    ) -> Result<bool, Error> {
        // What went last comes back first.
        let mut back: Vec<&Vec<usize>> = Vec::new();
        for kind in (0..self.kinds()).rev() {
            let mut gone: Vec<&Vec<usize>> =
                groups.iter().filter(|g| self.clues[g[0]].0 == kind && !left[g[0]]).collect();
            shuffle(&mut gone, rng);
            back.extend(gone);
        }
        let with = |left: &[bool], back: &[&Vec<usize>]| {
            let mut all = left.to_vec();
            back.iter().flat_map(|g| g.iter()).for_each(|&i| all[i] = true);
            all
        };
        let (mut few, mut enough) = (0, back.len());
        while few < enough {
            let middle = (few + enough) / 2;
            match scale.fits(&with(left, &back[..middle]), &self.switches) {
                true => enough = middle,
                false => few = middle + 1,
            }
        }
        left.copy_from_slice(&with(left, &back[..enough]));
        // The last one is needed: without it fewer would have been enough.
        for group in back.iter().take(enough.saturating_sub(1)) {
            group.iter().for_each(|&i| left[i] = false);
            let goes = scale.fits(left, &self.switches);
            group.iter().for_each(|&i| left[i] = !goes);
        }
        match self.interrupt.poll() {
            Some(reason) => Err(Error::Stopped(reason)),
            None => self.is_only(left),
        }
    }

    fn kinds(&self) -> usize {
        self.clues.iter().map(|c| c.0).max().map_or(0, |most| most + 1)
    }

    /// Finds the solution with some clues, and from then on knows what differs from it.
    fn solve(&mut self, left: &[bool]) -> Result<bool, Error> {
        let Some(solution) = self.call(assumptions(left, &self.switches), None)? else { return Ok(false) };
        let differs = self.program.atoms.add_aux();
        for (&thing, holds) in self.things.iter().zip(solution) {
            self.program.rules.add(false, &[differs], &[Literal::new(thing, holds)], RuleSource::NONE);
        }
        self.differs = Some(differs);
        Ok(true)
    }

    /// Whether with some clues the solution is an answer set, and the only one.
    fn is_only(&mut self, left: &[bool]) -> Result<bool, Error> {
        let Some(differs) = self.differs else { return Ok(false) };
        let assumed = assumptions(left, &self.switches);
        let known = !self.core.is_empty()
            && self
                .core
                .iter()
                .all(|l| l.atom() == differs || assumed.contains(l) || self.program.assumptions.contains(l));
        if !known && self.call(assumed.clone(), Some(Literal::pos(differs)))?.is_some() {
            return Ok(false);
        }
        Ok(self.call(assumed, Some(Literal::neg(differs)))?.is_some())
    }

    /// An answer set, as truth by thing. If there is none that differs, its core is kept.
    fn call(&mut self, mut assumed: Vec<Literal>, also: Option<Literal>) -> Result<Option<Vec<bool>>, Error> {
        assumed.extend(also);
        assumed.extend_from_slice(&self.program.assumptions);
        let options = SolveOptions {
            models: Some(1),
            opt_mode: OptMode::Ignore,
            projection: Projection::None,
            ..SolveOptions::default()
        };
        let (mut found, things) = (None, &self.things);
        let result = self.session.solve(&self.program, &options, &assumed, &self.interrupt, &mut |event| {
            if let Event::Model(model) = event {
                found = Some(things.iter().map(|&t| model.contains(t)).collect());
            }
            Flow::Continue
        });
        match (&found, result.stopped) {
            (None, Some(reason)) => return Err(Error::Stopped(reason)),
            (None, None) if also.is_some_and(|l| !l.is_neg()) => self.core = result.core,
            _ => {}
        }
        Ok(found)
    }
}
