//! What distinguishes models, and what consequences range over: shown things, or the projected atoms.

use crate::call::SolveCall;
use crate::options::Projection;
use crate::translate::atom_lits::conjunction;
use asp_base::map::{Map, Set};
use asp_base::symbol::Sym;
use asp_engine::store::literal::{Lit, Var};
use asp_program::ground_program::{Show, ShowItem};
use asp_program::{AtomId, Literal};

/// The members that consequences consist of: what is shown, or the projected atoms.
pub(crate) struct Members {
    /// The literal of each member.
    pub(crate) lits: Vec<Lit>,
    /// By show entry: its part in consequences.
    pub(crate) shows: Vec<Membership>,
    /// Atoms that are members without a show entry: projected ones, and the conditions of terms.
    pub(crate) atoms: Vec<(AtomId, u32)>,
}

/// The part of a show entry in consequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Membership {
    /// It always holds.
    Always,
    /// It is not projected on.
    Never,
    Member(u32),
}

/// Literals, sorted, each once.
fn distinct(literals: &[Literal]) -> Vec<Literal> {
    let mut literals = literals.to_vec();
    literals.sort_unstable();
    literals.dedup();
    literals
}

impl SolveCall<'_> {
    /// The members that consequences consist of.
    pub(crate) fn members(&mut self) -> Members {
        match self.options.projection {
            Projection::Project => self.projected(),
            _ => self.shown(|_, item| !matches!(item, ShowItem::Digit(_))),
        }
    }

    /// One literal for each shown thing, which holds if any of its conditions does. A fact is separate from a term that looks
    /// like it. `is_member` decides, by number and kind, whether an entry counts.
    fn shown(&mut self, is_member: impl Fn(usize, ShowItem) -> bool) -> Members {
        let program = self.program;
        let mut by_item: Map<(bool, u32), usize> = Map::default();
        let mut groups: Vec<Vec<Lit>> = Vec::new();
        let mut shows = Vec::with_capacity(program.shows.len());
        let mut conditions: Map<u32, Option<AtomId>> = Map::default();
        for (entry, item, condition) in program.shown() {
            if !is_member(entry, item) {
                shows.push(Membership::Never);
                continue;
            }
            let next = groups.len();
            let group = match item {
                ShowItem::Atom(a) => *by_item.entry((false, a.0)).or_insert(next),
                ShowItem::Fact(_) => next,
                ShowItem::Term(t) | ShowItem::Value(t) | ShowItem::Digit(t) => {
                    *by_item.entry((true, t.raw())).or_insert(next)
                }
            };
            let lit = self.t.conjunction(condition);
            if group == next {
                groups.push(Vec::new());
            }
            groups[group].push(lit);
            if item.plain_term().is_some() {
                // One that holds for several reasons is none of their atoms.
                let one = match condition {
                    [one] if !one.is_neg() => Some(one.atom()),
                    _ => None,
                };
                conditions
                    .entry(group as u32)
                    .and_modify(|known| *known = known.filter(|&a| Some(a) == one))
                    .or_insert(one);
            }
            shows.push(Membership::Member(group as u32));
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
        let mut atoms: Vec<_> =
            conditions.into_iter().filter_map(|(group, atom)| Some((atom?, group))).collect();
        atoms.sort_unstable();
        Members { lits, shows, atoms }
    }

    /// The projected atoms, a part of what is shown, and what always holds.
    fn projected(&mut self) -> Members {
        let program = self.program;
        let mut lits = vec![self.t.atoms.truth; program.projected_facts.len()];
        let mut member_of: Map<Literal, u32> = Map::default();
        let mut atoms = Vec::new();
        for &atom in program.project.iter().flatten() {
            let literal = Literal::pos(atom);
            let next = lits.len() as u32;
            if *member_of.entry(literal).or_insert(next) == next {
                lits.push(self.t.lit(literal));
                atoms.push((atom, next));
            }
        }
        // A term that holds if one of several conditions does is none of the atoms.
        let mut first: Map<Sym, Vec<Literal>> = Map::default();
        let mut several: Set<Sym> = Set::default();
        for show in &program.shows {
            let Some(term) = show.item.term() else { continue };
            let condition = distinct(program.literals(show.condition));
            if !condition.is_empty() && *first.entry(term).or_insert_with(|| condition.clone()) != condition {
                several.insert(term);
            }
        }
        let is_one_of_several = |show: &Show| show.item.term().is_some_and(|t| several.contains(&t));
        let membership = |show: &Show| match distinct(program.literals(show.condition))[..] {
            [] => Membership::Always,
            _ if is_one_of_several(show) => Membership::Never,
            [one] => member_of.get(&one).map_or(Membership::Never, |&m| Membership::Member(m)),
            _ => Membership::Never,
        };
        Members { lits, shows: program.shows.iter().map(membership).collect(), atoms }
    }

    /// The literals that distinguish models under projection.
    fn projected_lits(&mut self) -> Option<Vec<Lit>> {
        let options = self.options;
        let mut lits = match options.projection {
            Projection::None => return None,
            Projection::Show => self.shown(|entry, _| options.distinguishes(entry)).lits,
            Projection::Project => self.projected().lits,
        };
        lits.sort_unstable();
        lits.dedup_by_key(|l| l.var());
        lits.retain(|&l| self.t.engine.fixed(l).is_none());
        Some(lits)
    }

    /// The variables that distinguish models under projection, which are decided first from now on.
    pub(crate) fn project(&mut self) -> Option<Vec<Var>> {
        let vars: Vec<Var> = self.projected_lits()?.iter().map(|l| l.var()).collect();
        self.t.engine.set_projection(&vars);
        Some(vars)
    }
}
