//! The rows of the table of options, by group; what several readers share.
//!
//! Invariant: every option of clingo 5.8's `--help=3` has a row; value patterns are those of [`super::pattern`].

pub(super) mod basic;
pub(super) mod grounding;
pub(super) mod integers;
pub(super) mod lookback;
pub(super) mod output;
pub(super) mod preprocessing;
pub(super) mod search;
pub(super) mod solving;

use super::spec::Effect;
use super::usage::UsageError;
use super::value::Value;

/// What a reader returns.
type Read = Result<Effect, UsageError>;

fn set<T>(to: &mut T, value: T) -> Read {
    *to = value;
    Ok(Effect::Full)
}

/// [`Effect::Full`], unless the value has no counterpart here.
fn if_it(has_effect: bool) -> Read {
    Ok(if has_effect { Effect::Full } else { Effect::Nothing })
}

/// Adds a value to those of an option that may be repeated.
fn push(to: &mut Vec<String>, v: &Value<'_>) -> Read {
    to.push(v.text().to_string());
    Ok(Effect::Full)
}
