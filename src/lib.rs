//! `asp` grounds logic programs and finds their answer sets.
//!
//! A [`Control`] takes program text and gives answer sets, each when it is asked for:
//!
//! ```
//! let mut control = asp::Control::new();
//! control.add("1 { colour(N,(r;g;b)) } 1 :- node(N).  node(1..2).  :- colour(1,C), colour(2,C).");
//! let mut answers = control.answers().start()?;
//! let mut count = 0;
//! while let Some(answer) = answers.next()? {
//!     let colours = answer.terms().filter(|term| term.is("colour", 2));
//!     assert_eq!(colours.count(), 2);
//!     count += 1;
//! }
//! assert_eq!(count, 6);
//! # Ok::<(), asp::Error>(())
//! ```
//!
//! - [`Control`] adds and grounds program parts, sets constants and external atoms, and begins calls.
//! - [`Call`] says how many answer sets are wanted, with which [`options`] and assumptions; a [`SolveHandle`] finds them one
//!   by one, can be stopped by an [`Interrupt`] from another thread, and goes on after that.
//! - [`Answer`] is an answer set at the moment it is found: [`Term`]s to iterate over and to look up.
//! - [`propagator`] is for constraints of the caller's own, [`message`] for what was said about the program.
//! - [`Error`] carries the messages behind it, as the command line would print them.
//!
//! The command line is a feature, `cli`, on by default; without it the library has few dependencies.
//!
//! # Inside
//!
//! Texts are parsed by `syntax` into an abstract syntax tree with a span on every node; `rewrite` turns it into safe rules
//! in strongly connected components; `ground` instantiates the components one by one, semi-naively, into the flat arrays of
//! `program`; `solve` turns these into nogoods and searches for answer sets; `report` renders them; `cli` maps a command line
//! to these stages. Beside them stand `data` (tables and grids as facts), `picture` (answer sets as grids and pages),
//! `explain` and `questions` (why, why not, what next), `format` (program text to better program text) and `analysis` (what
//! editors know of it).

// The head of a file may link to its private items.
#![allow(rustdoc::private_intra_doc_links)]
// Without the command line, what only it uses is dead code.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unreachable_pub, unused_imports))]

#[cfg(feature = "cli")]
mod analysis;
mod base;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod control;
#[cfg(feature = "cli")]
mod data;
#[cfg(feature = "cli")]
mod explain;
#[cfg(feature = "cli")]
mod format;
mod ground;
#[cfg(feature = "cli")]
mod picture;
mod program;
#[cfg(feature = "cli")]
mod questions;
mod report;
mod rewrite;
mod solve;
mod syntax;

#[doc(inline)]
pub use base::interrupt::{Answer as InterruptAnswer, Interrupt, StopReason};
#[doc(inline)]
pub use base::symbol::Sym as Symbol;
#[doc(inline)]
pub use base::term::{Arguments, Term, TermKind};
#[doc(inline)]
pub use control::{
    Answer, Assumption, Atom, Call, Control, Error, FunctionCall, Functions, Ground, GroundFormat,
    GroundWriter, KnownAtom, Place, Report, Script, SolveHandle, Source,
};
#[doc(inline)]
pub use solve::{RuleKinds, SolveResult, SolveTime, Statistics};
#[doc(inline)]
pub use syntax::loader::Loader;

/// Options of grounding and solving: plain data, whose defaults are those of the command line.
pub mod options {
    pub use crate::control::Settings;
    pub use crate::rewrite::improve::{Rewriting, Rewritings};
    pub use crate::solve::engine::parameters::*;
    pub use crate::solve::options::*;
}

/// Constraints of the caller's own: theories, which last from call to call ([`Control::add_theory`](crate::Control::add_theory)),
/// and propagators within the engine ([`Control::add_propagator`](crate::Control::add_propagator)).
pub mod propagator {
    pub use crate::control::{AtomLits, Init, Theory};
    pub use crate::solve::engine::propagator::{AsAny, Conflict, Context, Halt, Keep, Propagator, View};
    pub use crate::solve::engine::store::literal::{Lit, Var};
    pub use crate::solve::theory::assignment::Assignment;
    pub use crate::solve::theory::journal::SumKind;
    pub use crate::solve::theory::search::Search;
    pub use crate::solve::theory::{CheckMode, Failure, Lifetime, Misuse};
}

/// Ground rules and directives of the caller's own; see [`Control::backend`](crate::Control::backend).
pub mod backend {
    pub use crate::control::Backend;
    pub use crate::program::ground_program::{
        ExternalValue, HeuristicModifier, TheoryElementId, TheoryTerm, TheoryTermId,
    };
    pub use crate::program::{AtomId, Literal};
}

/// Messages about a program: errors, warnings and notes with their places.
pub mod message {
    pub use crate::base::diagnostic::{Diagnostic, Label, Severity, WarningKind};
    pub use crate::base::span::{Original, SourceFile, Sources, Span};
    pub use crate::report::diagnostic::render;
}

/// The stages themselves, for the tests, benchmarks and fuzz targets of this package. They change without notice.
#[doc(hidden)]
pub mod unstable {
    macro_rules! stages {
        ($($(#[$attribute:meta])* $stage:ident),*) => {
            $($(#[$attribute])* pub mod $stage { pub use crate::$stage::*; })*
        };
    }
    stages!(
        #[cfg(feature = "cli")]
        analysis,
        base,
        control,
        #[cfg(feature = "cli")]
        data,
        #[cfg(feature = "cli")]
        explain,
        #[cfg(feature = "cli")]
        format,
        ground,
        program,
        #[cfg(feature = "cli")]
        questions,
        report,
        rewrite,
        solve,
        syntax
    );
}

/// The README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
