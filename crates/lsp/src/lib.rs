//! The language server (`asp lsp`): messages, navigation, renaming, completion, answers while you type.
//!
//! [`transport`] reads and writes messages, [`server`] is the main loop: life cycle, messages in their order, cancellation;
//! [`requests`] maps requests to features; [`documents`] has the open texts, [`review`] what checking and grounding found in
//! them, [`reviewer`] when that is done. Each feature is a function of these: [`navigate`], [`rename`], [`hover`], [`complete`],
//! [`actions`], [`outline`], [`tokens`], [`hints`], [`lenses`]; [`run`] answers the questions that lenses ask. Invariant: an
//! answer depends on the open texts and the files alone, not on the edits that led to them.

mod actions;
mod client;
mod complete;
mod convert;
mod directives;
mod documents;
mod hints;
mod hover;
mod lenses;
mod navigate;
mod outline;
mod rename;
mod requests;
mod review;
mod reviewer;
mod run;
mod server;
mod tokens;
mod transport;

pub use server::serve;
