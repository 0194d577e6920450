//! Solve calls before they start: the number of answer sets, options and assumptions.

use super::known::Known;
use super::{Control, Error, SolveHandle};
use asp_base::symbol::Sym;
use asp_program::Literal;
use asp_solve::SolveOptions;

/// An atom assumed to be true or false for one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// The atom's term.
    pub atom: Sym,
    /// Whether it holds.
    pub holds: bool,
}

/// A solve call that has not started; see [`Control::answers`].
#[must_use = "a call is made by `start`"]
pub struct Call<'c> {
    control: &'c mut Control,
    options: SolveOptions,
    assumptions: Vec<Assumption>,
    earlier: Vec<Sym>,
}

impl Control {
    /// Prepares a call that finds the answer sets of the base program, and whatever else has been grounded, one at a time:
    /// all of them or, with an objective, better and better ones.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// control.add("1 { at(1..3) } 2.");
    /// let second = control.parse_term("at(2)")?;
    /// let mut answers = control.answers().assume(second, false).start()?;
    /// let mut found = Vec::new();
    /// while let Some(answer) = answers.next()? {
    ///     assert!(!answer.contains(second));
    ///     found.push(answer.terms().map(|t| t.arguments().get(0).and_then(|n| n.number())).collect::<Vec<_>>());
    /// }
    /// found.sort();
    /// assert_eq!(found, [vec![Some(1)], vec![Some(1), Some(3)], vec![Some(3)]]);
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn answers(&mut self) -> Call<'_> {
        let options = SolveOptions { models: Some(0), ..self.settings.solve.clone() };
        Call { control: self, options, assumptions: Vec::new(), earlier: Vec::new() }
    }
}

impl<'c> Call<'c> {
    /// Finds at most this many answer sets; 0 for all.
    pub fn limit(mut self, models: u64) -> Self {
        self.options.models = Some(models);
        self
    }

    /// Changes the options of this call; [`Settings`](super::Settings) has those of all calls.
    pub fn options(mut self, change: impl FnOnce(&mut SolveOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Assumes that an atom holds or does not hold. If that leaves no answer set, [`SolveHandle::core`] says which
    /// assumptions are to blame.
    pub fn assume(mut self, atom: Sym, holds: bool) -> Self {
        self.assumptions.push(Assumption { atom, holds });
        self
    }

    /// Begins the search at an earlier answer: as many of its atoms as still hold together become the first answer set.
    pub fn start_from(mut self, answer: &[Sym]) -> Self {
        self.earlier = answer.to_vec();
        self
    }

    /// Grounds what has not been grounded and starts the call.
    pub fn start(self) -> Result<SolveHandle<'c>, Error> {
        let Self { control, mut options, assumptions, earlier } = self;
        control.ground_pending()?;
        if !earlier.is_empty() {
            options.start = control.as_in(&earlier);
        }
        let mut assumed = Vec::new();
        for assumption in assumptions {
            match (control.known(assumption.atom), assumption.holds) {
                (Known::Atom(atom), holds) => assumed.push((Literal::new(atom, !holds), assumption)),
                (Known::Fact, true) | (Known::Never, false) => {}
                // There is nothing to search for.
                (Known::Fact, false) | (Known::Never, true) => {
                    return Ok(SolveHandle::contradicted(control, assumption));
                }
            }
        }
        let literals: Vec<Literal> = assumed.iter().map(|(literal, _)| *literal).collect();
        let mut handle = control.start_with(&options, &literals)?;
        handle.assumed = assumed;
        Ok(handle)
    }
}
