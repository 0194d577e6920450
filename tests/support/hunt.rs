//! Searching for random programs that fail, and shrinking them.
//!
//! `ASP_RANDOM_SEED`, `ASP_RANDOM_COUNT` and `ASP_RANDOM_FAILURES` set the first seed, the number of programs and the
//! number of failures after which the search ends.

use super::generator::{Case, Profile, generate};
use super::outcome::Outcome;
use super::tree::{render, shrink};
use asp_base::rng::Rng;

/// What went wrong with a program.
pub struct Failure {
    /// Where.
    pub stage: &'static str,
    /// The expected outcome.
    pub expected: Outcome,
    /// The actual one.
    pub actual: Outcome,
}

impl Failure {
    /// What must stay the same when the program shrinks: a program that becomes invalid is a different failure.
    fn kind(&self) -> (&'static str, bool, bool) {
        let rejected = |o: &Outcome| matches!(o, Outcome::Rejected(_));
        (self.stage, rejected(&self.expected), rejected(&self.actual))
    }
}

/// One of some texts.
pub fn one<'a>(of: &[&'a str], rng: &mut Rng) -> &'a str {
    of[rng.below(of.len() as u64) as usize]
}

/// The value of an environment variable.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The first seed of programs that are new with each commit, and the same for all who test it: from the hash of the commit.
pub fn seed_of_commit() -> u64 {
    let git = std::process::Command::new("git").args(["rev-parse", "HEAD"]).output();
    let hash = git.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default();
    hash.get(..8).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// Tries programs of a profile; prints each failure, shrunk, and returns how many there were.
pub fn hunt(
    profile: &Profile,
    first: u64,
    count: u64,
    test: &mut dyn FnMut(&Case) -> Option<Failure>,
) -> u64 {
    let first = number("ASP_RANDOM_SEED", first);
    let count = number("ASP_RANDOM_COUNT", count);
    eprintln!("{count} programs of profile {} from seed {first}", profile.name);
    let mut failures = 0;
    for seed in first..first + count {
        let case = generate(profile, seed);
        let mode = case.mode;
        let Some(found) = test(&case) else { continue };
        let kind = found.kind();
        let small = shrink(case.statements, 3000, &mut |s| {
            test(&Case { statements: s.to_vec(), mode }).is_some_and(|f| f.kind() == kind)
        });
        let small = Case { statements: small, mode };
        let Failure { stage, expected, actual } = test(&small).unwrap_or(found);
        eprintln!(
            "== seed {seed}, profile {}, {mode:?}: {stage}\n{}-- expected: {expected}-- actual: {actual}",
            profile.name,
            render(&small.statements)
        );
        failures += 1;
        if failures == number("ASP_RANDOM_FAILURES", 5) {
            break;
        }
    }
    failures
}
