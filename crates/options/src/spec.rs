//! A row of the table of options: names, what the option takes, how it is read, where the help lists it.
//!
//! Invariant: a row owns its reader; nothing else knows the meaning of the words in its values.

use super::raw::Raw;
use super::usage::UsageError;
use super::value::Value;

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing.
    Flag,
    /// A value that matches the pattern.
    Required(&'static str),
    /// Optionally a value that matches the pattern (only after `=`, or joined to the short name).
    Optional(&'static str),
}

impl Takes {
    /// The pattern of values.
    pub fn pattern(self) -> &'static str {
        match self {
            Takes::Flag => "",
            Takes::Required(pattern) | Takes::Optional(pattern) => pattern,
        }
    }
}

/// Whether an option does something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It does what its help says.
    Works,
    /// It tunes something that has no counterpart here; it is accepted with one note.
    Noted,
}

/// The result of reading a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It does what its help says.
    Full,
    /// It is accepted, but has no counterpart here.
    Nothing,
}

/// Reads a value.
pub(crate) type Reader = fn(&Value<'_>, &mut Raw) -> Result<Effect, UsageError>;

/// A group of options, in the order of the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Input, output format, limits, help.
    Basic,
    /// Output and its format.
    Output,
    /// Which answer sets are wanted.
    Solving,
    /// Grounding and rewritings.
    Grounding,
    /// Decisions, signs and propagation.
    Search,
    /// Learning, restarts, deletion.
    Lookback,
    /// Configurations and preprocessing.
    Preprocessing,
    /// Constraints over integers.
    Integers,
}

impl Group {
    /// Heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Group::Basic => "Basic options",
            Group::Output => "Output options",
            Group::Solving => "Solving options",
            Group::Grounding => "Grounding options",
            Group::Search => "Search options",
            Group::Lookback => "Lookback options",
            Group::Integers => "Options of constraints over integers",
            Group::Preprocessing => "Configuration and preprocessing options",
        }
    }

    /// The scope of the group's options that have none of their own.
    const fn scope(self) -> Scope {
        match self {
            Group::Basic | Group::Output => Scope::Run,
            Group::Grounding | Group::Integers => Scope::Control,
            Group::Solving | Group::Search | Group::Lookback | Group::Preprocessing => Scope::Call,
        }
    }
}

/// Where an option applies. Each scope includes the narrower ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// One solve call: it sets [`SolveOptions`](asp_solve::SolveOptions), or what is reported of the call.
    Call,
    /// A control, hence all libraries: it changes the program or how it is grounded.
    Control,
    /// A run of the command line: it reads or prints, or limits the process.
    Run,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name after `--`.
    pub long: &'static str,
    /// The letter after `-`.
    pub short: Option<char>,
    /// What it takes.
    pub takes: Takes,
    /// The name of the value in the help.
    pub metavar: &'static str,
    /// Whether there is also `--no-NAME`.
    pub negatable: bool,
    /// Whether it may be given more than once.
    pub many: bool,
    /// Where the help lists it.
    pub group: Group,
    /// The least help level that lists it.
    pub level: u8,
    /// Its scope.
    pub scope: Scope,
    /// Whether it does something.
    pub standing: Standing,
    /// The help text.
    pub help: &'static str,
    /// Reads its value.
    pub read: Reader,
}

pub(super) const fn works(
    group: Group,
    level: u8,
    long: &'static str,
    takes: Takes,
    metavar: &'static str,
    help: &'static str,
    read: Reader,
) -> OptionSpec {
    let (scope, standing) = (group.scope(), Standing::Works);
    let (short, negatable, many) = (None, false, false);
    OptionSpec { long, short, takes, metavar, negatable, many, group, level, scope, standing, help, read }
}

/// An option that is accepted without effect.
pub(super) const fn noted(
    group: Group,
    level: u8,
    long: &'static str,
    takes: Takes,
    metavar: &'static str,
    help: &'static str,
) -> OptionSpec {
    let spec = works(group, level, long, takes, metavar, help, |_, _| Ok(Effect::Nothing));
    OptionSpec { standing: Standing::Noted, ..spec }
}

impl OptionSpec {
    pub(super) const fn short(mut self, letter: char) -> Self {
        self.short = Some(letter);
        self
    }
    pub(super) const fn negatable(mut self) -> Self {
        self.negatable = true;
        self
    }
    pub(super) const fn many(mut self) -> Self {
        self.many = true;
        self
    }
    /// With another scope than the rest of the group.
    pub(super) const fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }
    /// With a reader for values that ask for the default behaviour, which need no note.
    pub(super) const fn read(mut self, read: Reader) -> Self {
        self.read = read;
        self
    }
}
