//! From a ground program to an engine for it: [`translation`] has the order of the steps, the other files the steps.

pub(crate) mod atom_lits;
pub(crate) mod bdd;
pub(crate) mod body_table;
pub(crate) mod classes;
pub(crate) mod completion;
pub(crate) mod constants;
pub(crate) mod dependency;
pub(crate) mod edge_graph;
pub(crate) mod equivalence;
pub(crate) mod extend;
pub(crate) mod groups;
pub(crate) mod heuristics;
pub(crate) mod integers;
pub(crate) mod lemmas;
pub(crate) mod loop_graph;
pub(crate) mod parameters;
pub(crate) mod prepared;
pub(crate) mod preprocess;
pub mod proof;
pub(crate) mod refine;
pub(crate) mod stages;
pub(crate) mod symmetry;
pub(crate) mod testers;
pub(crate) mod translation;

pub(crate) use stages::Stages;
pub(crate) use translation::Translation;
