//! What the comparison tests share.
#![allow(dead_code, unreachable_pub)]

pub mod compare;
pub mod corpus;
pub mod coverage;
pub mod derive;
pub mod earley;
pub mod editor;
pub mod exchange;
pub mod fuzzed;
pub mod generator;
pub mod grammar;
pub mod growing;
pub mod hunt;
pub mod integers;
pub mod library;
pub mod named;
pub mod oracle;
pub mod outcome;
pub mod records;
pub mod spawn;
pub mod stages;
pub mod stated;
#[path = "../../crates/explain/src/random/statements.rs"]
pub mod statements;
pub mod subject;
pub mod tree;
pub mod underivable;
pub mod update;
pub mod value_texts;
pub mod values;
pub mod wish;
