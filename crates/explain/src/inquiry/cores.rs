//! Minimal sets of assumptions that cannot hold together, by deletion with the solver's own cores.
//!
//! Invariant: a core that is called minimal has no answer set, and without any one of its literals there is one (with
//! everything outside the core left open). Sources: J. Marques-Silva, *Minimal unsatisfiability*, ISMVL 2010; N.
//! Dershowitz, Z. Hanna, A. Nadel, *A scalable algorithm for minimal unsatisfiable core extraction*, SAT 2006.

use crate::inquiry::{Oracle, Verdict};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::Set;
use asp_base::rng::Rng;
use asp_program::Literal;

/// Conflicts that may be spent on making a core smaller. Literals that are not tested within them stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    /// On finding a first one; `None` for no limit.
    pub first: Option<u64>,
    /// In one test.
    pub each: u64,
    /// In all.
    pub all: u64,
}

/// How many times a core is searched for again within itself before its literals are tested one by one.
const TRIMS: usize = 8;

impl Effort {
    /// No limit.
    pub(crate) const ENDLESS: Self = Self { first: None, each: u64::MAX / 4, all: u64::MAX / 4 };
}

/// A set of assumptions that cannot hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Core {
    pub literals: Vec<Literal>,
    /// Whether each of them is needed.
    pub minimal: bool,
}

/// The result of the search for a core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cored {
    /// The assumptions can hold together: truth by atom.
    Possible(Vec<bool>),
    /// They cannot.
    Impossible(Core),
    /// A limit or a signal came first.
    Stopped(StopReason),
}

/// Finds a core among `soft`, whose last literals are given up first, and makes it minimal. `fixed` always holds.
pub(crate) fn find(
    oracle: &mut Oracle,
    fixed: &[Literal],
    soft: &[Literal],
    effort: Effort,
    interrupt: &Interrupt,
    report: &mut dyn FnMut(usize),
) -> Cored {
    match oracle.ask_within(&[fixed, soft].concat(), effort.first) {
        Verdict::Found(model) => Cored::Possible(model),
        Verdict::Stopped(reason) => Cored::Stopped(reason),
        Verdict::None(core) => {
            let within = |core: Vec<Literal>, all: &[Literal]| {
                let core: Set<Literal> = core.into_iter().collect();
                all.iter().copied().filter(|l| core.contains(l)).collect::<Vec<_>>()
            };
            let mut seed = within(core, soft);
            report(seed.len());
            // Learned clauses make a second proof shorter, and its core smaller.
            for _ in 0..TRIMS {
                let assumed = [fixed, &seed].concat();
                let Verdict::None(core) = oracle.ask_within(&assumed, Some(effort.each)) else { break };
                let trimmed = within(core, &seed);
                if trimmed.len() == seed.len() {
                    break;
                }
                seed = trimmed;
                report(seed.len());
            }
            Cored::Impossible(minimise(oracle, fixed, seed, effort, interrupt, report))
        }
    }
}

/// Makes a core minimal; its last literals are tried first. Those that cannot be tested stay.
pub(crate) fn minimise(
    oracle: &mut Oracle,
    fixed: &[Literal],
    seed: Vec<Literal>,
    effort: Effort,
    interrupt: &Interrupt,
    report: &mut dyn FnMut(usize),
) -> Core {
    let mut open = seed;
    let (mut needed, mut minimal) = (Vec::new(), true);
    let end = oracle.conflicts().saturating_add(effort.all);
    while let Some(tried) = open.pop() {
        let left = end.saturating_sub(oracle.conflicts());
        if interrupt.poll().is_some() || left == 0 {
            minimal = false;
            needed.push(tried);
            continue;
        }
        match oracle.ask_within(&[fixed, &needed, &open].concat(), Some(effort.each.min(left))) {
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
pub(crate) fn least(
    oracle: &mut Oracle,
    mut first: Core,
    soft: &[Literal],
    effort: Effort,
    interrupt: &Interrupt,
    calls: u64,
    weight: &dyn Fn(&[Literal]) -> usize,
) -> Core {
    // To find another one takes a call for each of its literals.
    if first.minimal && first.literals.len() as u64 > calls {
        return first;
    }
    let (mut rng, start, end) = (Rng::new(1), oracle.calls, oracle.conflicts().saturating_add(effort.all));
    let mut order = soft.to_vec();
    let goes_on = |oracle: &mut Oracle| oracle.calls < start + calls && oracle.conflicts() < end;
    while interrupt.poll().is_none() && goes_on(oracle) {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u64 + 1) as usize);
        }
        if let Cored::Impossible(core) = find(oracle, &[], &order, effort, interrupt, &mut |_| {}) {
            let less = weight(&core.literals) < weight(&first.literals);
            if core.minimal && (less || !first.minimal) || less && !first.minimal {
                first = core;
            }
        }
    }
    first
}
