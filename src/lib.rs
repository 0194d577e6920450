//! `asp` grounds logic programs and finds their answer sets.
//!
//! A [`Control`] takes program text and returns answer sets one at a time:
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
//! With an objective each answer set is better than those before it, and the last one is optimal:
//!
//! ```
//! let mut control = asp::Control::new();
//! control.set_const("most", "12");
//! control.add("thing(a,4,3). thing(b,9,5). thing(c,5,4).  { take(X) : thing(X,_,_) }.
//!     :- #sum { W,X : take(X), thing(X,W,_) } > most.  #maximize { V,X : take(X), thing(X,_,V) }.");
//! let mut answers = control.answers().limit(0).start()?;
//! let mut best = Vec::new();
//! while let Some(answer) = answers.next()? {
//!     best = answer.costs().to_vec();
//! }
//! assert_eq!(best, [-7]);
//! # Ok::<(), asp::Error>(())
//! ```
//!
//! The same program can be solved again under other assumptions; if they are inconsistent, a core names those responsible:
//!
//! ```
//! let mut control = asp::Control::new();
//! control.add("{ rain; sun; snow }.  :- sun, snow.");
//! let mut atom = |name: &str| control.parse_term(name);
//! let (rain, sun, snow) = (atom("rain")?, atom("sun")?, atom("snow")?);
//! let mut answers = control.answers().assume(rain, true).assume(sun, true).assume(snow, true).start()?;
//! assert!(answers.next()?.is_none());
//! let core: Vec<_> = answers.core().iter().map(|assumption| assumption.atom).collect();
//! assert!(core.contains(&sun) && core.contains(&snow) && !core.contains(&rain));
//! # Ok::<(), asp::Error>(())
//! ```
//!
//! - [`Control`] adds and grounds program parts, sets constants and external atoms, and starts solve calls.
//! - [`Call`] sets the number of answer sets, [`options`] and assumptions; a [`SolveHandle`] finds the answer sets one by
//!   one, can be stopped from another thread by an [`Interrupt`], and can be resumed.
//! - [`Answer`] is an answer set at the moment it is found: iterate over its [`Term`]s, or look them up.
//! - [`syntax`] has syntax trees, [`program`] the ground program, [`Statistics`] the counters of a control.
//! - [`propagator`] is for user-defined constraints, [`message`] for messages about the program.
//! - [`Error`] carries the messages behind it, as the command line prints them.
//!
//! `examples/` in the sources has a small program for each.
//!
//! The command line is a feature, `cli`, on by default; without it the library has few dependencies.
//!
//! # Inside
//!
//! The stages are crates of their own. `asp-syntax` parses texts into an abstract syntax tree with a span on every node;
//! `asp-rewrite` turns it into safe rules in strongly connected components; `asp-ground` instantiates the components one by
//! one, semi-naively, into the flat arrays of `asp-program`; `asp-solve` turns these into nogoods, over which `asp-engine`
//! searches for answer sets; `asp-integers` compiles constraints over integers; `asp-report` renders results; `asp-control`
//! runs the stages in order. Beside them stand `asp-data` (tables and grids as facts), `asp-picture` (answer sets as grids
//! and pages), `asp-explain` and `asp-questions` (explanations, hints and counting), `asp-format` (a formatter),
//! `asp-analysis` (program analysis for editors), `asp-options` and `asp-run` (options of the command line, and runs with
//! them) and `asp-cli`, the command line.

// A failed write must not end the run: only the command line prints.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

#[doc(inline)]
pub use asp_base::interrupt::{Answer as InterruptAnswer, Interrupt, StopReason};
#[doc(inline)]
pub use asp_base::symbol::Sym as Symbol;
#[doc(inline)]
pub use asp_base::term::{Arguments, Term, TermKind};
#[doc(inline)]
pub use asp_control::{
    Answer, Assumption, Atom, Call, Control, Error, FunctionCall, Functions, Ground, GroundFormat,
    GroundWriter, KnownAtom, Place, Report, Script, SolveHandle, Source,
};
#[doc(inline)]
pub use asp_engine::counters::Counters;
#[doc(inline)]
pub use asp_solve::{Event, Flow, Model, RuleKinds, SolveResult, SolveTime, Statistics};
#[doc(inline)]
pub use asp_syntax::loader::Loader;

/// Options of grounding and solving: plain data, with the defaults of the command line.
pub mod options {
    pub use asp_control::{GroundOptions, Settings};
    pub use asp_engine::parameters::*;
    pub use asp_rewrite::improve::{Rewriting, Rewritings};
    pub use asp_solve::options::*;
}

/// User-defined constraints: theories, which last from call to call ([`Control::add_theory`](crate::Control::add_theory)),
/// and propagators within the engine ([`Control::add_propagator`](crate::Control::add_propagator)).
pub mod propagator {
    pub use asp_control::{AtomLits, Init, Theory};
    pub use asp_engine::propagator::{AsAny, Conflict, Context, Halt, Keep, Propagator, View};
    pub use asp_engine::store::literal::{Lit, Var};
    pub use asp_solve::theory::assignment::Assignment;
    pub use asp_solve::theory::journal::SumKind;
    pub use asp_solve::theory::search::Search;
    pub use asp_solve::theory::{CheckMode, Failure, Lifetime, Misuse};
}

/// The symbol table of a control: names, symbols and terms.
pub mod symbol {
    pub use asp_base::signature::Signature;
    pub use asp_base::symbol::{StrId, SymView, Symbols, write_quoted};
    pub use asp_program::scan::parse_term;
}

/// Syntax trees: parsed from text, printed, and added to a control ([`Control::take_in`](crate::Control::take_in)).
pub mod syntax {
    pub use asp_syntax::build::balanced;
    pub use asp_syntax::loader::{FileLoader, NoFiles};
    pub use asp_syntax::token::Token;
    pub use asp_syntax::written::{Piece, comments};
    pub use asp_syntax::{Input, Parsed, ast, parse, parse_pieces, print};
}

/// The ground program, read-only: [`Control::program`](crate::Control::program),
/// [`Ground::program`](crate::Ground::program).
pub mod program {
    pub use asp_program::ground_program::*;
    pub use asp_program::text::theory::theory_term;
    pub use asp_program::{AtomId, AtomTable, Body, Head, Literal, RuleId, RuleRef, RuleSource, Rules};
}

/// Ground rules and directives added one by one; see [`Control::backend`](crate::Control::backend).
pub mod backend {
    pub use asp_control::Backend;
    pub use asp_program::ground_program::{
        ExternalValue, HeuristicModifier, TheoryElementId, TheoryTerm, TheoryTermId,
    };
    pub use asp_program::{AtomId, Literal};
}

/// Messages about a program: errors, warnings and notes with their places.
pub mod message {
    pub use asp_base::diagnostic::{Diagnostic, Label, Severity, WarningKind};
    pub use asp_base::nearest::slip;
    pub use asp_base::span::{Original, SourceFile, Sources, Span};
    pub use asp_report::diagnostic::render;
}

/// The README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
