//! Rewritings that keep the answer sets and make the ground program, or the work for it, smaller.
//!
//! One is a pass over the syntax tree: `values`, `{ p(X,0..9999) } = 1 :- d(X).` with readers `$p(X)` only becomes an integer variable
//! (`rewrite::expand`). One comes before the rules are put in order: [`denial`], `a(X) :- p(X), not a(X).` becomes `:- p(X).`
//! Two put in place what is said elsewhere: [`unfolding`], `:- w(A,C).` with the rule `w(A,C) :- e(A,B), e(B,C).` becomes
//! `:- e(A,B), e(B,C).`, and [`sums`], `:- S = #sum { X : p(X) }, T = #sum { X : q(X) }, S > T.` becomes
//! `:- #sum { X,0 : p(X); -X,1 : q(X) } > 0.`
//! One asks who reads a head: [`demand`], `ok(X,Y) :- p(X), q(Y).` is grounded for the arguments that its readers bind.
//!
//! Each of the others is a pass of its own from a rule to rules. It runs when the rule is about to be instantiated, so that the
//! sizes of the domains that it reads are known:
//!
//! 0. [`chase`]: `:- at(A,U,T), at(A,V,T+1).` gets `e(U,V)`, without which `at(A,V,T+1)` is not derived;
//! 1. [`exclusion`]: `:- p(R,C,N), p(R,D,N), C != D.` becomes one at-most-one constraint for each `(R,N)`;
//! 2. [`symmetry`]: `:- p(X), q(X,Y), q(Y,X), p(Y), X != Y.` gets `X < Y`;
//! 3. [`equations`]: `:- s(a,S), s(b,T), S+3 > T.` becomes `:- #sum { S,0 : s(a,S); -T,1 : s(b,T) } > -3.`
//! 4. [`sharing`]: a join that several rules have, `e(X,Y), e(Y,Z), f(X,Z)`, becomes `#1(X,Z)`, done once;
//! 5. [`projection`]: `:- p(X,Y), q(X,Z).` becomes `#1(X) :- p(X,Y).` and `:- #1(X), q(X,Z).`;
//! 6. [`decomposition`]: `:- p(A,B), p(B,C), p(C,D).` becomes `#1(B) :- p(A,B).` ... where the estimates say so;
//! 7. [`recursion`]: of a recursive body, the part that does not grow becomes an atom where it would multiply;
//! 8. [`partial_sums`]: `100*A+10*B+C = 905` gets `100*A <= 905`, `100*A >= 806` and so on.
//!
//! The solver has one more, over the ground program, which is only switched here: all-different, which counts over groups with
//! exactly one true atom and groups with at most one, and adds what follows.
//!
//! The passes from sharing on are cuts ([`cut`]) that are chosen by estimated sizes ([`estimate`]).
//!
//! Invariant: a pass is a function of the rule and the sizes; the head of its file has the proof; with all of them
//! switched off, a rule is instantiated as written.

pub mod chase;
pub mod cut;
pub mod decomposition;
pub mod demand;
pub mod denial;
mod elements;
pub mod equations;
pub mod estimate;
pub mod exchange;
pub mod exclusion;
pub(crate) mod linear_form;
pub mod outlook;
pub mod partial_sums;
pub mod projection;
pub mod recursion;
pub mod sharing;
pub mod sums;
pub mod symmetry;
pub mod unfolding;

use super::predicate::PredId;

/// A rewriting that can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rewriting {
    /// Values of functions as integers instead of atoms.
    Values,
    /// Rules that only their own head stops as constraints.
    Denial,
    /// Heads that only constraints read, put into these.
    Unfolding,
    /// Comparisons of assigned aggregates as one aggregate.
    Sums,
    /// Implications of keys and supports.
    Chase,
    /// Heads for the arguments that their readers bind.
    Demand,
    /// Pairwise exclusion as at-most-one constraints.
    Exclusion,
    /// Interchangeable variables in ascending order.
    Symmetry,
    /// Joins of functional atoms through linear comparisons as sums.
    Equations,
    /// Common joins, done once.
    Sharing,
    /// Variables that occur once.
    Projection,
    /// Large bodies in parts.
    Decomposition,
    /// Bounds of the parts of long sums.
    PartialSums,
    /// All-different by counting over exactly-one and at-most-one groups.
    ValueSets,
    /// Exactly-one groups whose values exclude each other in order.
    Chains,
}

impl Rewriting {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Rewriting; 15] = [
        Rewriting::Values,
        Rewriting::Denial,
        Rewriting::Unfolding,
        Rewriting::Sums,
        Rewriting::Chase,
        Rewriting::Demand,
        Rewriting::Exclusion,
        Rewriting::Symmetry,
        Rewriting::Equations,
        Rewriting::Sharing,
        Rewriting::Projection,
        Rewriting::Decomposition,
        Rewriting::PartialSums,
        Rewriting::ValueSets,
        Rewriting::Chains,
    ];

    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Rewriting::Values => "values",
            Rewriting::Denial => "denial",
            Rewriting::Unfolding => "unfolding",
            Rewriting::Sums => "compared-sums",
            Rewriting::Chase => "chase",
            Rewriting::Demand => "demand",
            Rewriting::Exclusion => "exclusion",
            Rewriting::Symmetry => "symmetry",
            Rewriting::Equations => "equations",
            Rewriting::Sharing => "sharing",
            Rewriting::Projection => "projection",
            Rewriting::Decomposition => "decomposition",
            Rewriting::PartialSums => "partial-sums",
            Rewriting::ValueSets => "value-sets",
            Rewriting::Chains => "chains",
        }
    }

    /// Its description, for the help.
    pub fn about(self) -> &'static str {
        match self {
            Rewriting::Values => {
                "functions with many values that only `$p(X)` reads become integers without atoms"
            }
            Rewriting::Denial => "rules that nothing but their own head stops become constraints",
            Rewriting::Unfolding => "hidden heads that only constraints read are put into these",
            Rewriting::Sums => "values of sums that are only compared become one linear sum",
            Rewriting::Chase => "bodies get what keys and the rules behind their atoms imply",
            Rewriting::Demand => "hidden heads are grounded for the arguments that their readers bind",
            Rewriting::Exclusion => "pairwise exclusion becomes one at-most-one constraint a group",
            Rewriting::Symmetry => "interchangeable variables are taken in ascending order only",
            Rewriting::Equations => "functional atoms joined by linear comparisons become one sum",
            Rewriting::Sharing => "joins that several rules have in common are done once",
            Rewriting::Projection => "variables that occur once are projected out",
            Rewriting::Decomposition => "large bodies are cut into parts where the estimates say so",
            Rewriting::PartialSums => "comparisons of long sums are looked at before all variables are bound",
            Rewriting::ValueSets => {
                "as many values as exactly-one groups that exclude each other: each is taken"
            }
            Rewriting::Chains => {
                "exactly-one groups in order (runs of a line) leave only values of some solution"
            }
        }
    }
}

const EAGER: u32 = 1 << 31;

/// A set of rewritings; all of them by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rewritings(u32);

impl Default for Rewritings {
    fn default() -> Self {
        Self::all()
    }
}

impl Rewritings {
    /// All.
    pub fn all() -> Self {
        Self((1 << Rewriting::ALL.len()) - 1)
    }
    /// None.
    pub fn none() -> Self {
        Self(0)
    }
    /// Whether it is in the set.
    pub fn has(self, r: Rewriting) -> bool {
        self.0 >> r as u32 & 1 == 1
    }
    /// The set with one more.
    pub fn with(self, r: Rewriting) -> Self {
        Self(self.0 | 1 << r as u32)
    }
    /// The set with one fewer.
    pub fn without(self, r: Rewriting) -> Self {
        Self(self.0 & !(1 << r as u32))
    }
    /// Whether parts are cut out wherever possible, even if it does not pay.
    pub fn is_eager(self) -> bool {
        self.0 & EAGER != 0
    }
    /// Applies `all`, `none`, `eager`, `NAME`, `no-NAME`, or several of these separated by commas; an unknown word is
    /// the error.
    pub fn obey(&mut self, words: &str) -> Result<(), String> {
        for word in words.split(',') {
            *self = match word {
                "all" => Self::all(),
                "none" => Self::none(),
                "eager" => Self(self.0 | EAGER),
                word => {
                    let plain = word.strip_prefix("no-").unwrap_or(word);
                    let known = Rewriting::ALL.into_iter().find(|r| r.name() == plain);
                    let r = known.ok_or_else(|| word.to_string())?;
                    if plain == word { self.with(r) } else { self.without(r) }
                }
            };
        }
        Ok(())
    }
}

/// The passes' view of the domains.
pub trait Sizes {
    /// Whether a predicate's domain is final.
    fn is_complete(&self, pred: PredId) -> bool;
    /// Whether all atoms of a predicate that may hold are facts.
    fn is_all_facts(&self, pred: PredId) -> bool;
    /// Number of atoms that may hold.
    fn rows(&self, pred: PredId) -> f64;
    /// Estimated number of values in a column.
    fn distinct(&mut self, pred: PredId, column: usize) -> f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_switch_on_and_off() {
        let mut set = Rewritings::default();
        set.obey("no-symmetry").unwrap();
        assert!(set.has(Rewriting::Exclusion) && !set.has(Rewriting::Symmetry));
        set.obey("none,symmetry").unwrap();
        assert!(!set.has(Rewriting::Exclusion) && set.has(Rewriting::Symmetry));
        set.obey("all").unwrap();
        assert_eq!(set, Rewritings::all());
        assert_eq!(set.obey("all,no-such"), Err("no-such".to_string()));
    }
}
