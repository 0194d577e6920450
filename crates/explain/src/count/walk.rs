//! Random walks over answer sets that end in each with equal probability if they are long enough, and a test of that.
//!
//! A step frees a block of atoms, finds all answer sets that agree with the current one outside the block, and moves to
//! one of them, each with equal probability; if there are too many, it stays. The block does not depend on the current
//! answer set, so the uniform distribution is preserved (block Gibbs sampling). Several walks start far apart; they
//! have to agree on how often each thing holds (A. Gelman, D. Rubin, *Inference from iterative simulation using
//! multiple sequences*, 1992), otherwise the walks become longer. Invariant: nothing is drawn before the test has
//! passed.

use crate::show_keys;
use asp_base::csr::Csr;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::Set;
use asp_base::rng::Rng;
use asp_control::Control;
use asp_program::ground_program::ExternalValue;
use asp_program::rule::Head;
use asp_program::{AtomId, Literal, Program, RuleSource};
use asp_solve::session::Session;
use asp_solve::{Event, Flow, OptMode, Projection, SolveOptions};

/// Number of parallel walks.
pub(super) const WALKS: usize = 4;
/// Steps of the first attempt.
const FIRST_STEPS: u64 = 100;
/// The greatest number of answer sets found in a step.
const MAX_CLASS: usize = 100;
/// Random literals that the start of a walk tries to satisfy.
const START: usize = 24;
/// The greatest number of atoms of all steps of a walk: each step decides all atoms anew.
const MAX_DECISIONS: u64 = 5_000_000;
/// The greatest quotient that passes the test: spread over all walks divided by the spread within each.
const AGREEMENT: f64 = 1.05;

/// The result of drawing by walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Walked {
    /// Walks of this many steps passed the test.
    Passed(u64),
    /// Walks of this many steps did not pass it.
    Failed(u64),
    /// There is no answer set.
    Nowhere,
}

/// The position of a walk: an answer set, as truth by atom.
type Place = Vec<bool>;

/// What a search has found.
pub(super) struct Found {
    /// One of the answer sets.
    pub(super) place: Option<Place>,
    number: usize,
}

/// Walks over the answer sets of a program.
pub(super) struct Walks<'a> {
    program: Program,
    session: Session,
    interrupt: Interrupt,
    project: bool,
    /// Atoms that steps free or keep; with projection, those that represent what is shown.
    pub(super) moved: Vec<AtomId>,
    /// By atom: the first atoms of the rules that contain it; for a rule's first atom, the others.
    near: Csr<u32>,
    /// By show entry: an atom that holds if it is shown.
    things: Vec<AtomId>,
    /// The binary logarithm of the greatest block size.
    sizes: u64,
    /// Answer sets found so far.
    found: u64,
    pub(super) rng: &'a mut Rng,
}

impl<'a> Walks<'a> {
    /// Walks over the answer sets of a lowered program.
    pub(super) fn new(control: &Control, project: bool, rng: &'a mut Rng) -> Self {
        let mut program = control.program().clone();
        let mut of_thing: Vec<AtomId> = Vec::new();
        let mut shown = Vec::new();
        for (show, thing) in control.program().shows.iter().zip(show_keys::of(&program)) {
            if thing == of_thing.len() {
                of_thing.push(program.atoms.add_aux());
            }
            let condition = program.literals(show.condition).to_vec();
            program.rules.add(false, &[of_thing[thing]], &condition, RuleSource::NONE);
            shown.push(of_thing[thing]);
        }
        let mut decided: Vec<AtomId> = Vec::new();
        for rule in control.program().rules.iter() {
            if matches!(rule.head, Head::Choice(_)) || rule.head.atoms().len() > 1 {
                decided.extend(rule.head.atoms());
            }
        }
        let free = program.externals.iter().filter(|e| e.1 == ExternalValue::Free).map(|e| e.0);
        decided.extend(free);
        if decided.is_empty() {
            decided.extend(control.program().atoms.ids());
        }
        decided.sort_unstable();
        decided.dedup();
        let moved = if project { of_thing } else { decided };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for rule in program.rules.iter() {
            let body = rule.body.literals().iter().map(|l| l.atom());
            let atoms: Vec<u32> = rule.head.atoms().iter().copied().chain(body).map(|a| a.0).collect();
            // The first atom connects the others: atoms of a rule are at most two steps apart.
            for &a in atoms.iter().skip(1) {
                pairs.extend([(atoms[0], a), (a, atoms[0])]);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let near = Csr::group(program.atoms.len(), pairs.iter().copied());
        let (session, interrupt, sizes) = (Session::new(), control.interrupt(), 3);
        Self { program, session, interrupt, project, moved, near, things: shown, sizes, found: 0, rng }
    }

    /// Draws answer sets by walks of at most `longest` steps, fewer if there are many atoms; the receiver gets what is shown, by show entry.
    pub(super) fn draw(
        mut self,
        number: u64,
        longest: u64,
        mut receive: impl FnMut(&[bool]),
    ) -> Result<Walked, StopReason> {
        let mut places = Vec::new();
        for _ in 0..WALKS {
            match self.start()? {
                Some(place) => places.push(place),
                None => return Ok(Walked::Nowhere),
            }
        }
        let longest = longest.min(MAX_DECISIONS / self.moved.len().max(1) as u64).max(FIRST_STEPS);
        let mut steps = FIRST_STEPS;
        self.fit(&mut places)?;

        while !self.agree(&mut places, steps)? {
            if steps >= longest {
                return Ok(Walked::Failed(steps));
            }

            steps = (2 * steps).min(longest);
        }
        for draw in 0..number {
            let place = &mut places[draw as usize % WALKS];
            for _ in 0..steps {
                self.step(place)?;
            }
            let shown: Vec<bool> = self.things.iter().map(|a| place[a.0 as usize]).collect();
            receive(&shown);
        }
        Ok(Walked::Passed(steps))
    }

    /// One of the answer sets under assumptions, each with equal probability, and their number, up to a limit;
    /// otherwise assumptions that cannot hold together.
    pub(super) fn find(
        &mut self,
        limit: usize,
        assumptions: &[Literal],
    ) -> Result<(Found, Vec<Literal>), StopReason> {
        // The same in each step: under other parameters of the solver the program would be translated again.
        let options = SolveOptions {
            models: Some(limit as u64),
            opt_mode: OptMode::Ignore,
            projection: if self.project { Projection::Show } else { Projection::None },
            ..SolveOptions::default()
        };
        let mut found = Found { place: None, number: 0 };
        let atoms = self.program.atoms.len() as u32;
        let Self { program, session, interrupt, rng, .. } = self;
        let assumptions = [assumptions, &program.assumptions].concat();
        let result = session.solve(program, &options, &assumptions, interrupt, &mut |event| {
            if let Event::Model(model) = event {
                found.number += 1;
                if rng.below(found.number as u64) == 0 {
                    found.place = Some((0..atoms).map(|a| model.contains(AtomId(a))).collect());
                }
            }
            Flow::Continue
        });
        self.found += found.number as u64;
        self.interrupt.note_instances(self.found);
        match result.stopped {
            Some(reason) => Err(reason),
            None => Ok((found, result.core)),
        }
    }

    /// An answer set with as many of some random literals as hold together.
    pub(super) fn start(&mut self) -> Result<Option<Place>, StopReason> {
        let mut literals: Vec<Literal> = Vec::new();
        for _ in 0..START.min(self.moved.len()) {
            let atom = self.moved[self.rng.below(self.moved.len() as u64) as usize];
            if literals.iter().all(|l| l.atom() != atom) {
                literals.push(Literal::new(atom, self.rng.chance(0.5)));
            }
        }
        loop {
            let (found, core) = self.find(1, &literals)?;
            if found.place.is_some() {
                return Ok(found.place);
            }
            if literals.is_empty() {
                return Ok(None);
            }
            let before = literals.len();
            literals.retain(|l| !core.contains(l));
            if literals.len() == before {
                literals.clear();
            }
        }
    }

    /// Makes one step. Returns whether there was anywhere to go, and whether there were too many answer sets.
    pub(super) fn step(&mut self, place: &mut Place) -> Result<(bool, bool), StopReason> {
        let largest = 63 - (self.moved.len().max(1) as u64).leading_zeros() as u64;
        let size = 1 + self.rng.below(1 << self.sizes.min(largest + 1));
        let block = if self.rng.chance(0.5) { self.scattered(size) } else { self.neighbours(size) };
        let kept = self.moved.iter().filter(|&a| !block.contains(a));
        let kept: Vec<Literal> = kept.map(|&a| Literal::new(a, !place[a.0 as usize])).collect();
        match self.find(MAX_CLASS + 1, &kept)?.0 {
            Found { place: Some(next), number } if number <= MAX_CLASS => {
                *place = next;
                Ok((number > 1, false))
            }
            found => Ok((false, found.place.is_some())),
        }
    }

    /// Random atoms.
    fn scattered(&mut self, size: u64) -> Set<AtomId> {
        let number = self.moved.len() as u64;
        (0..size).map(|_| self.moved[self.rng.below(number) as usize]).collect()
    }

    /// An atom and those nearest to it.
    fn neighbours(&mut self, size: u64) -> Set<AtomId> {
        let start = self.moved[self.rng.below(self.moved.len() as u64) as usize];
        let (mut block, mut seen): (Set<AtomId>, Set<u32>) = (Set::default(), Set::default());
        let mut queue = vec![start.0];
        seen.insert(start.0);
        let mut at = 0;
        while let (Some(&atom), true) = (queue.get(at), (block.len() as u64) < size) {
            at += 1;
            if self.moved.binary_search(&AtomId(atom)).is_ok() {
                block.insert(AtomId(atom));
            }
            let mut next: Vec<u32> =
                self.near.row(atom as usize).iter().copied().filter(|&a| seen.insert(a)).collect();
            for i in (1..next.len()).rev() {
                next.swap(i, self.rng.below(i as u64 + 1) as usize);
            }
            queue.extend(next);
        }
        block
    }

    /// Finds out how large blocks may be, before the walks count.
    fn fit(&mut self, places: &mut [Place]) -> Result<(), StopReason> {
        for _ in 0..12 {
            let (mut moved, mut too_much) = (0, 0);
            for place in places.iter_mut() {
                for _ in 0..5 {
                    let (several, many) = self.step(place)?;
                    moved += u32::from(several);
                    too_much += u32::from(many);
                }
            }
            if too_much > 6 {
                self.sizes = self.sizes.saturating_sub(1).max(1);
                return Ok(());
            }
            if moved > 14 || 1usize << self.sizes > self.moved.len() {
                return Ok(());
            }
            self.sizes += 1;
        }
        Ok(())
    }

    /// Makes this many steps with each walk and returns whether their second halves agree.
    fn agree(&mut self, places: &mut [Place], steps: u64) -> Result<bool, StopReason> {
        let mut watched: Vec<AtomId> = [self.things.as_slice(), &self.moved].concat();
        watched.sort_unstable();
        watched.dedup();
        let mut counts = vec![vec![0u64; watched.len()]; places.len()];
        let half = steps / 2;
        for (place, counts) in places.iter_mut().zip(&mut counts) {
            for step in 0..steps {
                self.step(place)?;
                if step >= half {
                    for (count, atom) in counts.iter_mut().zip(&watched) {
                        *count += u64::from(place[atom.0 as usize]);
                    }
                }
            }
        }
        let kept = (steps - half) as f64;
        let agrees = |i: usize| {
            let means: Vec<f64> = counts.iter().map(|c| c[i] as f64 / kept).collect();
            let mean = means.iter().sum::<f64>() / WALKS as f64;
            let between = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (WALKS as f64 - 1.0);
            let within = means.iter().map(|m| m * (1.0 - m)).sum::<f64>() / WALKS as f64;
            between == 0.0 || (1.0 + between / within).sqrt() < AGREEMENT
        };
        Ok((0..watched.len()).all(agrees))
    }
}
