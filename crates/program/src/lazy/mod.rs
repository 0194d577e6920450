//! Constraints that are instantiated during the search: their tables, conditions and plans.
//!
//! A [`Constraint`] joins atoms and tests conditions. Its atoms range over [`Table`]s: the possible instances of each body
//! literal, found while grounding, with the values of its variables and the ground literal. A constraint is self-contained:
//! it needs no terms, no predicates, and nothing grounded later. A propagator runs its [plans](plan).
//!
//! Invariants: a constraint excludes the same sets of atoms as its instances would; integers of conditions fit 62 bits for
//! all values in the tables; every table is complete.

pub mod condition;
pub mod plan;
pub mod table;

use crate::rule::RuleSource;
use asp_base::map::Map;
use asp_base::symbol::Sym;
use condition::{Condition, Side};
use plan::Plan;
use table::Table;

/// An atom of a body, over a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BodyAtom {
    /// The number of its table.
    pub table: u32,
    /// The variable of each column, each once.
    pub vars: Vec<u32>,
    /// Whether it must be false; what is not in the table is.
    pub negative: bool,
}

/// How many matches of a body may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// At most this many different tuples for each key, at least 1.
    pub most: u32,
    /// The variables of the key.
    pub key: Vec<u32>,
    /// The tuple.
    pub tuple: Vec<Side>,
}

/// A body that must not hold, or, with a [`Count`], not for too many tuples.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Number of variables.
    pub vars: u32,
    /// Its atoms.
    pub atoms: Vec<BodyAtom>,
    /// Its comparisons.
    pub conditions: Vec<Condition>,
    /// The number of matches that may hold, if not zero. Then no atom that need not hold is negated.
    pub count: Option<Count>,
    /// Places in the order of terms, for what is compared and may be no integer.
    pub ranks: Map<Sym, u32>,
    /// How it is joined.
    pub plans: Vec<Plan>,
    /// Where it comes from.
    pub source: RuleSource,
    /// How many instances were expected.
    pub expected: u64,
}

/// The constraints of one grounding call.
#[derive(Debug, Default)]
pub struct Batch {
    /// The tables of their atoms.
    pub tables: Vec<Table>,
    /// The constraints.
    pub constraints: Vec<Constraint>,
}

impl Batch {
    /// Plans and adds a constraint; `false`: it has no plan and is left out.
    pub fn add(&mut self, mut constraint: Constraint) -> bool {
        match plan::plans(&constraint, &mut self.tables) {
            Some(plans) => {
                constraint.plans = plans;
                self.constraints.push(constraint);
                true
            }
            None => false,
        }
    }
}
