//! Syntax trees to safe rules over numbered variables, in strongly connected components.
//!
//! The passes, in order, each with a small example (`n` is a constant with value 3):
//!
//! 0. [`expand`]: `$p(X) > 3 :- d(X).` becomes `P > 3 :- d(X), p(X,P).`
//! 1. [`constants`]: `#const n = m+1. #const m = 2.` gives `n -> 3`, in any order, cycles rejected;
//! 2. [`unpool`]: `p(1;2) :- q.` becomes `p(1) :- q.` and `p(2) :- q.`;
//! 3. [`translator`]: `p(X,n) :- q(X+1), X = 1..n.` becomes a [`rule::Rule`] with slots for variables, intervals as
//!    range literals, constants replaced and folded, arithmetic that cannot be inverted moved to comparisons;
//!    theory atoms are read by their definitions ([`theory`]);
//! 4. [`safety`]: every variable is bound by a positive part of the body, if need be by two comparisons ([`bounds`]),
//!    or an error names it and its place;
//! 5. [`dependency`]: predicates and rules in components, each after those it depends on;
//! 6. [`lint`] and [`columns`]: what is legal but often a mistake, and [`termination`]: recursion without end, unless a
//!    counter ends it ([`ranking`]);
//! 7. [`improve`]: rewritings that make the ground program smaller, rule by rule while it grows.

pub mod arithmetic;
mod bounds;
pub mod columns;
pub mod constants;
pub mod dependency;
pub(crate) mod expand;
mod head;
pub mod improve;
mod integers;
pub mod linear;
pub mod lint;
mod literal;
pub(crate) mod meet;
mod pool_size;
pub mod predicate;
pub mod print;
mod projection;
mod ranking;
pub mod rule;
pub mod safety;
mod scope;
pub mod symmetry;
mod term;
pub mod termination;
pub mod theory;
mod theory_atom;
mod translate;
pub mod translator;
pub mod unpool;
