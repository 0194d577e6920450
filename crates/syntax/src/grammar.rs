//! The parser that is generated from `grammar.lalrpop`.

include!(concat!(env!("OUT_DIR"), "/grammar.rs"));
