//! Syntax trees to safe rules over numbered variables, in strongly connected components.
//!
//! The passes, in order, each with a small example (`n` is a constant with value 3):
//!
//! 0. [`expand`]: `$p(X) > 3 :- d(X).` becomes `P > 3 :- d(X), p(X,P).`
//! 1. [`constants`]: `#const n = m+1. #const m = 2.` gives `n -> 3`, in any order, cycles rejected;
//! 2. [`unpool`](translate::unpool): `p(1;2) :- q.` becomes `p(1) :- q.` and `p(2) :- q.`;
//! 3. [`translate`]: `p(X,n) :- q(X+1), X = 1..n.` becomes a [`rule::Rule`] with slots for variables, intervals as
//!    range literals, constants replaced and folded, arithmetic that cannot be inverted moved to comparisons;
//!    theory atoms are read by their definitions ([`theory`]);
//! 4. [`safety`]: every variable is bound by a positive part of the body, if need be by two comparisons ([`bounds`]),
//!    or an error names it and its place;
//! 5. [`dependency`]: predicates and rules in components, each after those it depends on;
//! 6. [`lint`]: what is legal but often a mistake, with recursion without end ([`termination`](lint::termination)), unless a
//!    counter ends it;
//! 7. [`improve`]: rewritings that make the ground program smaller, rule by rule while it grows.

#![warn(missing_docs)]

pub mod arithmetic;
mod bounds;
pub mod constants;
pub mod dependency;
pub mod expand;
pub mod improve;
mod integers;
pub mod linear;
pub mod lint;
pub mod predicate;
pub mod print;
pub mod rule;
pub mod safety;
pub mod symmetry;
pub mod theory;
pub mod translate;
pub mod unify;
