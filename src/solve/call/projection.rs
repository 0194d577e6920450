//! What models are told apart by: what is shown, or what is projected on.

use crate::base::map::Map;
use crate::program::Literal;
use crate::program::ground_program::ShowItem;
use crate::solve::call::SolveCall;
use crate::solve::engine::store::literal::{Lit, Var};
use crate::solve::options::Projection;
use crate::solve::translate::atom_lits::conjunction;

/// What is shown, as literals.
pub(crate) struct ShownLits {
    /// One for each different thing.
    pub(crate) lits: Vec<Lit>,
    /// By show entry: the thing.
    pub(crate) group_of: Vec<u32>,
}

impl SolveCall<'_> {
    /// One literal for each different thing shown: some of its conditions holds.
    pub(crate) fn shown_lits(&mut self) -> ShownLits {
        let mut by_item: Map<(bool, u32), usize> = Map::default();
        let mut groups: Vec<Vec<Lit>> = Vec::new();
        let mut group_of = Vec::with_capacity(self.program.shows.len());
        for show in &self.program.shows {
            let key = match show.item {
                ShowItem::Atom(a) => (false, a.0),
                ShowItem::Term(t) => (true, t.raw()),
            };
            let lit = self.t.conjunction(self.program.literals(show.condition));
            let group = *by_item.entry(key).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(lit);
            group_of.push(group as u32);
        }
        let truth = self.t.atoms.truth;
        let lits = groups
            .into_iter()
            .map(|g| match g.as_slice() {
                [l] => *l,
                _ => {
                    let mut none: Vec<Lit> = g.iter().map(|&l| !l).collect();
                    !conjunction(&mut self.t.engine, truth, &mut none)
                }
            })
            .collect();
        ShownLits { lits, group_of }
    }

    /// The literals that tell models apart under projection.
    fn projected_lits(&mut self) -> Option<Vec<Lit>> {
        let mut lits = match (self.options.projection, &self.program.project) {
            (Projection::None, _) => return None,
            (Projection::Project, Some(atoms)) => {
                atoms.iter().map(|&a| self.t.lit(Literal::pos(a))).collect()
            }
            _ => self.shown_lits().lits,
        };
        lits.sort_unstable();
        lits.dedup_by_key(|l| l.var());
        lits.retain(|&l| self.t.engine.fixed(l).is_none());
        Some(lits)
    }

    /// The variables that tell models apart under projection, which are decided first from now on.
    pub(crate) fn project(&mut self) -> Option<Vec<Var>> {
        let vars: Vec<Var> = self.projected_lits()?.iter().map(|l| l.var()).collect();
        self.t.engine.set_projection(&vars);
        Some(vars)
    }
}
