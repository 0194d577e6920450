//! Structure of exactly-one and at-most-one groups: [`cliques`] of excluded pairs, counting ([`hall_set`]), and groups in
//! order ([`chain`], [`encode`]).

pub(crate) mod chain;
pub(crate) mod cliques;
pub(crate) mod encode;
pub(crate) mod hall_set;
