//! Integer variables whose bounds are part of the trail, with linear constraints over them.
//!
//! | file | what it does |
//! |---|---|
//! | `store` | variables, their bounds, and the literals that name bounds |
//! | `linear` | sums: when they change bounds, and why |
//! | `order` | which integer is decided next |
//! | `global` | other constraints: products, all-different, tasks that share a resource |
//! | `rows` | all of them as linear inequalities |
//! | `bounds` | raising a bound, undoing it, deciding on one, keeping a name for one |
//! | `build` | adding variables and constraints |
//!
//! A bound raised above the root is named by a variable from a pool, which is in no clause, is never decided, and returns
//! to the pool when the bound is undone. So conflict analysis works on literals alone: a name has a reason like any other
//! literal, made on demand. A name in a learned clause is kept, as a literal `x >= n` that the integer then follows and
//! forces, until no clause contains it.
//!
//! An example. An integer `x` has two sides, `x` and `-x`, each with its current least value; an upper bound of `x` is a
//! lower bound of `-x`. A sum `3x + 2y <= 12` with `x >= 2` bounds `y`: a variable from the pool for `-y >= -3` goes on the
//! trail with the number of the sum as its reason ([`Engine::raise`](crate::Engine)). Only if it is resolved on,
//! [`store::Integers`] writes the clause (`explain` in `linear`): if `y >= 4`, then `3x <= 4`, which `x >= 2` contradicts;
//! if an earlier and weaker bound of `x` contradicts it, that one is used. A product, an all-different, a cumulative or
//! disjunctive constraint notes two numbers with such a literal, such as the Hall interval, and lists the bounds behind it
//! on demand. In the program such an integer is its binary digits, free atoms determined by its value (`keep` in
//! `asp-integers`), so that models, projections and objectives are those of atoms; the sum of an objective is turned back
//! into one over integers (`Engine::fold_digits`).
//!
//! Invariant: at a fixpoint each kept name is true, false or free as the bounds of its variable say.
//! Source: Ohrimenko, Stuckey and Codish, *Propagation via lazy clause generation*, Constraints 2009; Feydy and Stuckey, *Lazy
//! clause generation reengineered*, CP 2009; Banbara, Kaufmann, Ostrowski and Schaub, *Clingcon: the next generation*, TPLP 2017.

pub(crate) mod bounds;
pub mod build;
pub mod global;
pub(crate) mod linear;
pub(crate) mod names;
pub(crate) mod order;
pub(crate) mod rows;
pub mod store;
