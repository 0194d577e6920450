//! Consequences so far: the union or the intersection of what models show, or of the projected atoms.
//!
//! Invariant: the estimate contains the intersection of all models, or is contained in their union.

use crate::call::SolveCall;
use crate::call::projection::{Members, Membership};
use crate::call::ranges::Ranges;
use crate::call::tally::ModelPlace;
use crate::options::EnumMode;
use asp_engine::store::literal::Lit;
use asp_program::ground_program::ShowItem;

/// The union or intersection of the models so far.
pub(crate) struct Estimate {
    of: Members,
    /// Whether it is the union.
    brave: bool,
    /// For each member: whether it belongs to the estimate.
    members: Vec<bool>,
    /// The values of variables with digits.
    ranges: Ranges,
}

impl Estimate {
    /// The estimate before the first model.
    pub(crate) fn new(call: &mut SolveCall<'_>) -> Self {
        let of = call.members();
        let brave = call.options.enum_mode == EnumMode::Brave;
        let ranges = Ranges::new(call);
        Self { members: vec![!brave; of.lits.len()], of, brave, ranges }
    }

    /// Adds the current model, and puts the estimate in its place for a report.
    pub(crate) fn add_model(&mut self, call: &mut SolveCall<'_>, optimum_known: bool) {
        for (member, &lit) in self.members.iter_mut().zip(&self.of.lits) {
            let holds = call.t.engine.value(lit) == Some(true);
            *member = if self.brave { *member || holds } else { *member && holds };
        }
        self.ranges.add_model(call);
        let place = self.place(call);
        call.note_consequences(place, optimum_known);
    }

    /// Literals at least one of which must hold in a model that changes the estimate.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Lit> {
        let values = self.ranges.changes().filter(|_| !self.brave);
        let brave = self.brave;
        let open = self.of.lits.iter().zip(&self.members).filter(move |(_, m)| **m != brave);
        open.map(move |(&lit, _)| if brave { lit } else { !lit }).chain(values)
    }

    /// The next member of the intersection, from a position on, that is not known to belong to the result.
    pub(crate) fn next_candidate(&self, call: &SolveCall<'_>, from: usize) -> Option<(usize, Lit)> {
        let candidates = self.of.lits.iter().zip(&self.members).enumerate().skip(from);
        let mut open =
            candidates.filter(|(_, (lit, member))| **member && call.t.engine.fixed(**lit) != Some(true));
        let found = open.next().map(|(at, (&lit, _))| (at, lit));
        let members = self.members.len();
        let digit = || self.ranges.next_candidate(call, from.saturating_sub(members));
        found.or_else(|| digit().map(|(at, lit)| (members + at, lit)))
    }

    /// Of a union: the literals of a model that extends the values of a variable, to search for next. If there is none, the
    /// variable is to be [settled](Self::settle).
    pub(crate) fn next_question(&mut self) -> Option<Vec<Lit>> {
        if self.brave { self.ranges.next_question() } else { None }
    }

    /// Records that no model is an answer to the last question.
    pub(crate) fn settle(&mut self) {
        self.ranges.settle();
    }

    fn place(&self, call: &SolveCall<'_>) -> ModelPlace {
        let (mut decided, mut open) = match self.brave {
            true => (self.ranges.len() as u64, 0),
            false => self.ranges.certain(call),
        };
        for (&l, &member) in self.of.lits.iter().zip(&self.members) {
            match (self.brave, member, call.t.engine.fixed(l)) {
                (true, true, _) | (false, true, Some(true)) => decided += 1,
                (true, false, None) | (false, true, _) => open += 1,
                _ => {}
            }
        }
        let holds = |membership: &Membership| match *membership {
            Membership::Always => true,
            Membership::Never => false,
            Membership::Member(thing) => self.members[thing as usize],
        };
        let shown: Vec<bool> = self.of.shows.iter().map(holds).collect();
        let mut atoms = vec![false; call.program.atoms.len()];
        for (show, &member) in call.program.shows.iter().zip(&shown) {
            if let ShowItem::Atom(a) = show.item {
                atoms[a.0 as usize] |= member;
            }
        }
        for &(atom, member) in &self.of.atoms {
            atoms[atom.0 as usize] |= self.members[member as usize];
        }
        let ranges = self.ranges.values(call.program.integers.variables.len(), !self.brave);
        ModelPlace::Consequences { atoms, shown, ranges, bounds: (decided, open) }
    }
}
