//! What models add up to: the union or the intersection of what they show, or of what is projected on.
//!
//! Invariant: the estimate contains (intersection) or is contained in (union) what all models add up to.

use crate::program::ground_program::ShowItem;
use crate::solve::call::SolveCall;
use crate::solve::call::projection::{Members, Membership};
use crate::solve::call::tally::Place;
use crate::solve::engine::store::literal::Lit;
use crate::solve::options::EnumMode;

/// What the models so far add up to.
pub(crate) struct Estimate {
    of: Members,
    /// Whether the union is looked for.
    brave: bool,
    /// By thing: whether it belongs to the estimate.
    members: Vec<bool>,
}

impl Estimate {
    /// Before the first model.
    pub(crate) fn new(call: &mut SolveCall<'_>) -> Self {
        let of = call.members();
        let brave = call.options.enum_mode == EnumMode::Brave;
        Self { members: vec![!brave; of.lits.len()], of, brave }
    }

    /// Adds the model in place, and puts the estimate there for a report.
    pub(crate) fn add_model(&mut self, call: &mut SolveCall<'_>, optimum_known: bool) {
        for (member, &lit) in self.members.iter_mut().zip(&self.of.lits) {
            let holds = call.t.engine.value(lit) == Some(true);
            *member = if self.brave { *member || holds } else { *member && holds };
        }
        let place = self.place(call);
        call.note_consequences(place, optimum_known);
    }

    /// What a model must make true, one at least, to change the estimate.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Lit> {
        let brave = self.brave;
        let open = self.of.lits.iter().zip(&self.members).filter(move |(_, m)| **m != brave);
        open.map(move |(&lit, _)| if brave { lit } else { !lit })
    }

    /// The next member of the intersection, from a place on, that is not known to belong to it for good.
    pub(crate) fn next_candidate(&self, call: &SolveCall<'_>, from: usize) -> Option<(usize, Lit)> {
        let candidates = self.of.lits.iter().zip(&self.members).enumerate().skip(from);
        let mut open =
            candidates.filter(|(_, (lit, member))| **member && call.t.engine.fixed(**lit) != Some(true));
        open.next().map(|(at, (&lit, _))| (at, lit))
    }

    fn place(&self, call: &SolveCall<'_>) -> Place {
        let (mut decided, mut open) = (0, 0);
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
        Place::Consequences { atoms, shown, bounds: (decided, open) }
    }
}
