//! Minimal sets of assumptions that cannot hold together, by deletion with the solver's own cores.
//!
//! Invariant: a core that is called minimal has no answer set, and without any one of its literals there is one (with
//! whatever is not in the core left open). Sources: J. Marques-Silva, *Minimal unsatisfiability*, ISMVL 2010; N. Dershowitz,
//! Z. Hanna, A. Nadel, *A scalable algorithm for minimal unsatisfiable core extraction*, SAT 2006.

use super::case::{Oracle, Verdict};
use crate::base::interrupt::{Interrupt, StopReason};
use crate::base::map::Set;
use crate::base::rng::Rng;
use crate::program::Literal;

/// Conflicts after which a test is given up and its literal kept.
const CONFLICTS: u64 = 20_000;
/// Conflicts spent on finding a smaller core.
const MORE_CONFLICTS: u64 = 20_000;

/// A set of assumptions that cannot hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// The assumptions.
    pub literals: Vec<Literal>,
    /// Whether each of them is needed.
    pub minimal: bool,
}

/// What was found about some assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cored {
    /// They can hold together.
    Possible(Vec<bool>),
    /// They cannot.
    Impossible(Core),
    /// Nobody knows.
    Stopped(StopReason),
}

/// Finds a core among `soft`, which may be given up from the end on, and makes it minimal. `fixed` always holds.
pub fn find(
    oracle: &mut Oracle,
    fixed: &[Literal],
    soft: &[Literal],
    interrupt: &Interrupt,
    report: &mut dyn FnMut(usize),
) -> Cored {
    match oracle.ask(&[fixed, soft].concat()) {
        Verdict::Found(model) => Cored::Possible(model),
        Verdict::Stopped(reason) => Cored::Stopped(reason),
        Verdict::None(core) => {
            let core: Set<Literal> = core.into_iter().collect();
            let seed: Vec<Literal> = soft.iter().copied().filter(|l| core.contains(l)).collect();
            report(seed.len());
            Cored::Impossible(minimise(oracle, fixed, seed, interrupt, report))
        }
    }
}

/// Makes a core minimal; literals at its end are tried first. What cannot be tested stays.
pub fn minimise(
    oracle: &mut Oracle,
    fixed: &[Literal],
    seed: Vec<Literal>,
    interrupt: &Interrupt,
    report: &mut dyn FnMut(usize),
) -> Core {
    let mut open = seed;
    let (mut needed, mut minimal) = (Vec::new(), true);
    while let Some(tried) = open.pop() {
        if interrupt.poll().is_some() {
            minimal = false;
            needed.push(tried);
            continue;
        }
        match oracle.ask_within(&[fixed, &needed, &open].concat(), CONFLICTS) {
            Verdict::None(core) => {
                let core: Set<Literal> = core.into_iter().collect();
                open.retain(|l| core.contains(l));
                report(needed.len() + open.len());
            }
            Verdict::Found(_) => needed.push(tried),
            Verdict::Stopped(_) => {
                minimal = false;
                needed.push(tried);
            }
        }
    }
    needed.reverse();
    Core { literals: needed, minimal }
}

/// Finds several minimal cores in different orders and returns the least by `weight`.
pub fn least(
    oracle: &mut Oracle,
    fixed: &[Literal],
    mut first: Core,
    soft: &[Literal],
    interrupt: &Interrupt,
    calls: u64,
    weight: &dyn Fn(&[Literal]) -> usize,
) -> Core {
    let (mut rng, start, end) = (Rng::new(1), oracle.calls, oracle.conflicts() + MORE_CONFLICTS);
    let mut order = soft.to_vec();
    let goes_on = |oracle: &mut Oracle| oracle.calls < start + calls && oracle.conflicts() < end;
    while first.minimal && interrupt.poll().is_none() && goes_on(oracle) {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u64 + 1) as usize);
        }
        if let Cored::Impossible(core) = find(oracle, fixed, &order, interrupt, &mut |_| {}) {
            if core.minimal && weight(&core.literals) < weight(&first.literals) {
                first = core;
            }
        }
    }
    first
}
