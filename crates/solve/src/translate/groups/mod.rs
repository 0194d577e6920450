//! Structure of exactly-one and at-most-one groups: [`cliques`] of excluded pairs, counting ([`hall_set`]), and groups in
//! order ([`chain`], [`encode`], [`lines`]); and bodies with a common literal
//! ([`factor`]).

pub(crate) mod chain;
pub(crate) mod cliques;
pub(crate) mod encode;
pub(crate) mod factor;
pub(crate) mod hall_set;
pub(crate) mod lines;
