//! A chain of rules that forces a literal, none of which can be left out.
//!
//! Inference finds a chain with few rounds. Then its rules, facts and trials are left out one by one, in several
//! orders; those that the same inference does not need are removed. The shortest result is returned. Invariant: if a
//! chain is called minimal, inference does not reach the literal without any single rule or fact. Inference is monotone
//! in what it may use, so one pass of deletion suffices. No step denies a fact: one that would do so without the fact is
//! not shown, and the fact is kept.

use std::rc::Rc;

use super::infer::{Cause, Deduction, Inference, Knowledge, TRYING};
use asp_base::interrupt::Interrupt;
use asp_base::rng::Rng;
use asp_program::Literal;

/// How many items shrinking may examine.
const SHRINKING: u64 = 6_000_000;
/// How many orders of deletion are tried.
const ORDERS: usize = 5;

/// Steps that force a literal.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// What these steps establish.
    pub knowledge: Knowledge,
    /// The rules used, as items.
    pub items: Vec<u32>,
    /// The facts used.
    pub facts: Vec<Literal>,
    /// Literals tried and refuted.
    pub tried: Vec<Literal>,
    /// Whether each rule and fact is needed.
    pub minimal: bool,
}

/// What may be left out of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Item(u32),
    Fact(Literal),
    Tried(Literal),
}

/// The chain that inference finds, shortened by deletion; `None` if inference does not force the literal.
pub(crate) fn find(
    inference: &Inference<'_>,
    assumptions: &[Literal],
    literal: Literal,
    interrupt: &Interrupt,
) -> Option<Chain> {
    let known = derive(inference, assumptions, literal, interrupt)?;
    let parts = parts(&known, literal);
    let end = inference.work() + SHRINKING;
    let mut kept: Vec<Literal> = Vec::new();
    loop {
        let best = shortest(inference, &parts, &kept, literal, end, interrupt);
        let minimal = best.is_some() && kept.is_empty();
        let mut parts = best.unwrap_or_else(|| parts.clone());
        parts.retain(|part| !matches!(part, Part::Fact(fact) if kept.contains(fact)));
        parts.extend(kept.iter().map(|&fact| Part::Fact(fact)));
        let knowledge = follow(inference, &parts, literal, false, interrupt);
        if knowledge.value(literal) != Some(true) {
            return Some(chain(known, &parts, false));
        }
        let denied = knowledge.denied(&[literal], assumptions);
        if denied.is_empty() {
            return Some(chain(knowledge, &parts, minimal));
        }
        kept.extend(denied);
    }
}

/// The fewest parts that suffice, with facts that are kept; `None` if none of the orders of deletion came to its end.
fn shortest(
    inference: &Inference<'_>,
    parts: &[Part],
    kept: &[Literal],
    literal: Literal,
    end: u64,
    interrupt: &Interrupt,
) -> Option<Vec<Part>> {
    let mut best: Option<Vec<Part>> = None;
    let mut rng = Rng::new(1);
    for order in 0..ORDERS {
        let mut left = parts.to_vec();
        match order {
            0 => {}
            1 => left.reverse(),
            _ => (1..left.len()).for_each(|i| left.swap(i, rng.below(i as u64 + 1) as usize)),
        }
        // Trials are left out first: a chain without them is easier to follow.
        left.sort_by_key(|p| !matches!(p, Part::Tried(_)));
        // What is kept comes last, and is not left out.
        left.retain(|part| !matches!(part, Part::Fact(fact) if kept.contains(fact)));
        let open = left.len();
        left.extend(kept.iter().map(|&fact| Part::Fact(fact)));
        if !shrink(inference, &mut left, open, literal, end, interrupt) {
            break;
        }
        if best.as_ref().is_none_or(|b| left.len() < b.len()) {
            best = Some(left);
        }
    }
    best
}

fn chain(knowledge: Knowledge, parts: &[Part], minimal: bool) -> Chain {
    let mut chain = Chain { knowledge, items: Vec::new(), facts: Vec::new(), tried: Vec::new(), minimal };
    for part in parts {
        match *part {
            Part::Item(i) => chain.items.push(i),
            Part::Fact(l) => chain.facts.push(l),
            Part::Tried(l) => chain.tried.push(l),
        }
    }
    chain.items.sort_unstable();
    chain
}

/// Infers, tries the opposite, then tries all open literals, until a literal is known to hold.
fn derive(
    inference: &Inference<'_>,
    assumptions: &[Literal],
    literal: Literal,
    interrupt: &Interrupt,
) -> Option<Knowledge> {
    let mut k = inference.start(assumptions);
    let enough = |k: &Knowledge| k.value(literal).is_some();
    let mut clash = inference.run(&mut k, interrupt, &enough).is_some();
    let end = inference.work() + TRYING;
    while !clash && !enough(&k) {
        if let Some((contradiction, because)) = inference.refute(&k, !literal, interrupt) {
            let cause = Cause::Refuted(Rc::new(contradiction));
            inference.learn(&mut k, Deduction { literal, cause, because, round: 0 });
        } else if inference.work() < end && inference.try_open(&mut k, interrupt, end) {
            clash = inference.run(&mut k, interrupt, &enough).is_some();
        } else {
            return None;
        }
    }
    (k.value(literal) == Some(true)).then_some(k)
}

/// The parts that the steps to a literal depend on.
fn parts(k: &Knowledge, literal: Literal) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut add = |part: Part| {
        if !parts.contains(&part) {
            parts.push(part);
        }
    };
    let mut of = |step: &Deduction| match &step.cause {
        Cause::Assumed => add(Part::Fact(step.literal)),
        Cause::Item(i) => add(Part::Item(*i)),
        Cause::Refuted(contradiction) => {
            for inner in &contradiction.steps {
                if let Cause::Item(i) = inner.cause {
                    add(Part::Item(i));
                }
            }
            contradiction.clash.item.into_iter().for_each(|i| add(Part::Item(i)));
            add(Part::Tried(!step.literal));
        }
        _ => {}
    };
    k.chain(&[literal], &|_| false).into_iter().rev().for_each(|at| of(&k.steps[at]));
    parts
}

/// Removes parts that are not needed, starting with the first, of the first `open`. Returns whether all were tested.
fn shrink(
    inference: &Inference<'_>,
    parts: &mut Vec<Part>,
    mut open: usize,
    literal: Literal,
    end: u64,
    interrupt: &Interrupt,
) -> bool {
    let mut at = 0;
    while at < open {
        if inference.work() > end || interrupt.poll().is_some() {
            return false;
        }
        let part = parts.remove(at);
        if follow(inference, parts, literal, true, interrupt).value(literal) != Some(true) {
            parts.insert(at, part);
            at += 1;
        } else {
            open -= 1;
        }
    }
    true
}

/// What follows from some rules and facts with some trials.
fn follow(
    inference: &Inference<'_>,
    parts: &[Part],
    literal: Literal,
    quick: bool,
    interrupt: &Interrupt,
) -> Knowledge {
    let (mut items, mut facts, mut tried) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        match *part {
            Part::Item(i) => items.push(i),
            Part::Fact(l) => facts.push(l),
            Part::Tried(l) => tried.push(l),
        }
    }
    let mut k = inference.start_with(&facts, &items, quick);
    let enough = |k: &Knowledge| k.value(literal).is_some();
    loop {
        let clash = inference.run(&mut k, interrupt, &enough);
        if clash.is_some() || enough(&k) || interrupt.poll().is_some() {
            return k;
        }
        let mut learned = false;
        for &l in tried.iter().rev() {
            if k.value(l).is_some() {
                continue;
            }
            if let Some((contradiction, because)) = inference.refute(&k, l, interrupt) {
                let rounds = because.iter().filter_map(|l| Some(k.step(l.atom())?.round));
                let round = 1 + rounds.max().unwrap_or(0);
                let cause = Cause::Refuted(Rc::new(contradiction));
                inference.learn(&mut k, Deduction { literal: !l, cause, because, round });
                learned = true;
            }
        }
        if !learned {
            return k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inquiry::Inquiry;
    use crate::inquiry::items::Items;
    use crate::inquiry::relaxed_facts::Which;
    use asp_base::map::Set;
    use asp_control::{Control, Source};
    use asp_program::AtomId;

    fn open(texts: &[&str]) -> Inquiry {
        let sources: Vec<Source> =
            texts.iter().enumerate().map(|(i, t)| Source::new(format!("{i}.lp"), *t)).collect();
        let which = Which::default();
        Inquiry::open(&sources, &Control::new, &|control| control.ground(), &which)
            .unwrap_or_else(|failed| panic!("{}", failed.0))
    }

    /// Whether an engine that knows only some rules and facts reaches the literal.
    fn reaches(
        inquiry: &Inquiry,
        all: &Items,
        rules: &[u32],
        chain: &Chain,
        facts: &[Literal],
        l: Literal,
    ) -> bool {
        let mut items = all.clone();
        items.list = rules.iter().map(|&i| all.list[i as usize].clone()).collect();
        let (inference, interrupt) = (Inference::new(&items, inquiry.symbols()), Interrupt::new());
        let mut k = inference.start(facts);
        loop {
            assert!(inference.run(&mut k, &interrupt, &|_| false).is_none(), "a contradiction");
            let before = k.steps.len();
            for &tried in chain.tried.iter().filter(|t| t.atom() != l.atom() || **t == !l) {
                if k.value(tried).is_none() && inference.refute(&k, tried, &interrupt).is_some() {
                    let step =
                        Deduction { literal: !tried, cause: Cause::Unnoted, because: Vec::new(), round: 0 };
                    inference.learn(&mut k, step);
                }
            }
            if k.steps.len() == before {
                return k.value(l) == Some(true);
            }
        }
    }

    /// No rule or fact of a chain can be left out; there is a chain for at least `least` literals.
    #[track_caller]
    fn check(texts: &[&str], least: usize) {
        let inquiry = open(texts);
        let (items, interrupt) = (inquiry.items(), Interrupt::new());
        let inference = Inference::new(items, inquiry.symbols());
        let given: Set<AtomId> = inquiry.given();
        let mut found = 0;
        for atom in inquiry.program().atoms.ids().filter(|a| !given.contains(a)) {
            for literal in [Literal::pos(atom), Literal::neg(atom)] {
                let Some(chain) = find(&inference, &inquiry.assumptions(), literal, &interrupt) else {
                    continue;
                };
                found += 1;
                assert!(chain.minimal);
                assert_eq!(chain.knowledge.value(literal), Some(true));
                assert!(reaches(&inquiry, items, &chain.items, &chain, &chain.facts, literal));
                for i in 0..chain.items.len() {
                    let rest: Vec<u32> = [&chain.items[..i], &chain.items[i + 1..]].concat();
                    assert!(!reaches(&inquiry, items, &rest, &chain, &chain.facts, literal), "rule {i}");
                }
                for i in 0..chain.facts.len() {
                    let rest: Vec<Literal> = [&chain.facts[..i], &chain.facts[i + 1..]].concat();
                    assert!(!reaches(&inquiry, items, &chain.items, &chain, &rest, literal), "fact {i}");
                }
            }
        }
        assert!(found >= least, "only {found} chains");
    }

    #[test]
    fn nothing_can_be_left_out() {
        check(&["a. b :- a. c :- b. d :- c. d :- a. e :- d, c."], 4);
        check(&["{a;b;c}. :- a. b :- not a. :- b, not c. f. c :- f."], 3);
        check(&["1 {p(1..4)} 1. q(1;2). :- p(X), q(X). :- p(3). r :- p(4)."], 5);
        check(&["{x;y;z}. :- x, y. :- x, not y. z :- not x. w :- z."], 3);
        check(&["{p(1..3)}. s(6). :- s(N), #sum { X : p(X) } < N."], 3);
        check(&["{e}. a :- b. b :- a. a :- e. f. :- e, f."], 3);
    }

    /// Without the fact, the atom would fail, too, because then nothing would support it.
    #[test]
    fn no_step_denies_a_fact() {
        let inquiry = open(&["e(1,2). e(2,1). {s(X):e(X,_)}. :- s(2),s(1). s(Y) :- s(X), e(X,Y)."]);
        let inference = Inference::new(inquiry.items(), inquiry.symbols());
        let (facts, mut found) = (inquiry.assumptions(), 0);
        for atom in inquiry.program().atoms.ids().filter(|&a| !facts.contains(&Literal::pos(a))) {
            let literal = Literal::neg(atom);
            let Some(chain) = find(&inference, &facts, literal, &Interrupt::new()) else { continue };
            assert_eq!(chain.knowledge.denied(&[literal], &facts), []);
            assert!(!chain.facts.is_empty());
            found += 1;
        }
        assert!(found >= 2, "{found}");
    }

    #[test]
    fn nothing_can_be_left_out_of_a_puzzle() {
        let program = include_str!("../../../programs/futoshiki.lp");
        check(&[program, include_str!("../../../instances/grid4.lp")], 60);
        let sudoku = include_str!("../../../programs/sudoku.lp");
        check(&[sudoku, include_str!("../../../instances/sudoku4-a.lp")], 60);
    }

    /// If two ways lead to a literal, the shorter one is shown, even if the other has as few rounds.
    #[test]
    fn the_shorter_of_two_roads() {
        let inquiry = open(&["a. b. c(1..3) :- a. d :- c(1), c(2), c(3). e :- b. d :- e."]);
        let items = inquiry.items();
        let inference = Inference::new(items, inquiry.symbols());
        let mut texts = Vec::new();
        for atom in inquiry.program().atoms.ids() {
            let mut text = String::new();
            inquiry.program().atoms.write(atom, inquiry.symbols(), &mut text);
            if text == "d" {
                let chain = find(&inference, &inquiry.assumptions(), Literal::pos(atom), &Interrupt::new());
                texts.extend(chain.map(|c| (c.items.len(), c.facts.len())));
            }
        }
        assert_eq!(texts, [(2, 1)]);
    }
}
