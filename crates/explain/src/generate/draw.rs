//! Answer sets drawn for new instances: random literals are assumed as far as they hold together, then the solver
//! decides the rest.
//!
//! The draw is not uniform (`explain::count::sample` would be, at a price); every answer set can be drawn. Invariant:
//! the same seed leads to the same answer sets.

use asp_base::interrupt::StopReason;
use asp_base::rng::Rng;
use asp_control::{Control, Error, Place};
use asp_engine::parameters::{PhaseParameters, Sign, SolverParameters};
use asp_program::rule::Head;
use asp_program::{AtomId, Literal};
use asp_solve::{Event, Flow, OptMode, Projection, SolveOptions};

/// How many literals are assumed at first.
const ASSUMED: usize = 40;
/// The frequency of positive literals among them.
const POSITIVE: f64 = 0.8;
/// Conflicts of a search before fewer literals are assumed.
const CONFLICTS: u64 = 1000;

/// Draws answer sets of a program.
pub(crate) struct Drawer {
    control: Control,
    options: SolveOptions,
    /// Atoms that are decided by choices.
    chosen: Vec<AtomId>,
}

impl Drawer {
    /// For a program that has been grounded.
    pub(crate) fn new(mut control: Control, rng: &mut Rng) -> Result<Self, Box<(Error, Control)>> {
        if let Err(error) = control.lower() {
            return Err(Box::new((error, control)));
        }
        let rules = control.program().rules.iter();
        let free = rules.filter(|r| matches!(r.head, Head::Choice(_)) || r.head.atoms().len() > 1);
        let mut chosen: Vec<AtomId> = free.flat_map(|r| r.head.atoms()).copied().collect();
        chosen.sort_unstable();
        chosen.dedup();
        let solver = SolverParameters {
            seed: rng.next_u64() >> 1,
            phase: PhaseParameters { sign: Sign::Random, ..PhaseParameters::default() },
            ..SolverParameters::default()
        };
        let options = SolveOptions {
            models: Some(1),
            opt_mode: OptMode::Ignore,
            projection: Projection::None,
            solver,
            ..SolveOptions::default()
        };
        Ok(Self { control, options, chosen })
    }

    /// The constants of the program.
    pub(crate) fn constants(&self) -> Vec<(String, String)> {
        self.control.constants()
    }

    /// The atoms of an answer set as facts; `None` if there is no answer set.
    pub(crate) fn draw(&mut self, rng: &mut Rng) -> Result<Option<String>, Error> {
        let mut literals: Vec<Literal> = Vec::new();
        for at in 0..ASSUMED.min(self.chosen.len()) {
            let other = at + rng.below((self.chosen.len() - at) as u64) as usize;
            self.chosen.swap(at, other);
            literals.push(Literal::new(self.chosen[at], !rng.chance(POSITIVE)));
        }
        loop {
            self.options.conflict_limit = (!literals.is_empty()).then_some(CONFLICTS);
            let mut found = None;
            let options = self.options.clone();
            let atoms = self.control.program().atoms.len() as u32;
            let result = self.control.solve_events(&options, &literals, &mut |event, _, _| {
                if let Event::Model(model) = event {
                    found = Some((0..atoms).map(|a| model.contains(AtomId(a))).collect::<Vec<bool>>());
                }
                Flow::Continue
            })?;
            if let Some(model) = found {
                return Ok(Some(self.facts(&model)));
            }
            if let Some(reason) = self.control.interrupt().poll() {
                return Err(Error::Stopped(reason));
            }
            match result.stopped {
                Some(StopReason::StepLimit) if !literals.is_empty() => literals.truncate(literals.len() / 2),
                Some(reason) => return Err(Error::Stopped(reason)),
                None if literals.is_empty() => return Ok(None),
                None => {
                    let core: Vec<usize> =
                        (0..literals.len()).filter(|&i| result.core.contains(&literals[i])).collect();
                    if core.is_empty() {
                        return Ok(None);
                    }
                    literals.remove(core[rng.below(core.len() as u64) as usize]);
                }
            }
        }
    }

    /// What holds in a model, hidden atoms and facts too.
    fn facts(&self, model: &[bool]) -> String {
        let ground = self.control.as_ground();
        let symbols = self.control.symbols();
        let mut out = String::new();
        for predicate in 0..ground.predicates() {
            let Some((_, rows)) = ground.predicate(predicate) else { continue };
            for row in 0..rows {
                let Some(atom) = ground.atom(Place { predicate, row }) else { continue };
                let holds = atom.is_fact || atom.atom.is_some_and(|a| model[a.0 as usize]);
                if holds {
                    let s = atom.signature;
                    symbols.write_atom(s.name, atom.arguments, s.negative, &mut out);
                    out.push_str(".\n");
                }
            }
        }
        out
    }
}
