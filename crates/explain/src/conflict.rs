//! Why a program has no answer set: a minimal set of statements that contradict each other, and their instances.
//!
//! Every integrity constraint, bound, comparison head, edge and relaxed fact may be given up. If the rules that derive
//! atoms contradict each other without any of these, the conflict consists of such rules alone. Plain inference
//! provides a first set if it finds a clash, otherwise the solver's core does; it is made minimal by deletion. The same
//! is then done for the ground instances of its statements. Invariant: the solver has shown what is returned; `minimal`
//! says whether each part was shown to be needed.

use super::infer::{Clash, Inference, Knowledge};
use super::inquiry::cores::{self, Core, Cored, Effort};
use super::inquiry::items::{self, Items, Origin};
use super::inquiry::relax::{self, Grain, Scope, Switch};
use super::inquiry::{Inquiry, Oracle, Verdict};
use super::renderer::Renderer;
use super::tree::Node;
use super::underivable;
use asp_base::interrupt::StopReason;
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_control::Error;
use asp_program::{AtomId, Literal};

/// How many solver calls may be spent on finding a smaller set of statements.
const MAX_CALLS: u64 = 150;
/// Conflicts spent on removing statements that are not needed, on a smaller set, and on removing instances: some
/// seconds in all.
const PARTS: Effort = Effort { first: None, each: 8_000, all: 60_000 };
const SMALLER: Effort = Effort { first: None, each: 5_000, all: 20_000 };
const INSTANCES: Effort = Effort { first: None, each: 2_000, all: 40_000 };
/// Conflicts spent on testing whether giving up a part restores an answer set: per part, and in all.
const RESTORES: (u64, u64) = (1_000, 15_000);

/// A statement or fact of a conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A statement, with those of its instances that clash.
    Statement {
        /// Where it stands.
        span: Span,
        /// Its ground instances that are needed.
        instances: Vec<Origin>,
    },
    Fact {
        /// The atom; several if the fact has a pool or an interval.
        atoms: Vec<AtomId>,
        /// Where it is stated, perhaps several times.
        spans: Vec<Span>,
    },
}

/// Statements that contradict each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Conflict {
    /// The statements and facts.
    pub parts: Vec<Part>,
    /// Whether the others can hold together once any one of them is given up.
    pub minimal: bool,
    /// Whether none of the instances shown can be left out.
    pub instances_minimal: bool,
    /// For each part: whether giving up this one alone restores an answer set of the whole program; `None` if unknown.
    pub restores: Vec<Option<bool>>,
    /// Whether the parts are rules that derive atoms, and contradict each other even if everything else is given up.
    pub with_rules: bool,
}

/// The result of the search for a conflict.
#[derive(Clone, PartialEq, Debug)]
pub enum Explained {
    /// There is an answer set.
    Consistent,
    /// There is a conflict.
    Conflict(Conflict),
    /// The rules that derive atoms contradict each other even if everything else is given up.
    Rules,
    /// A limit or a signal came first.
    Stopped(StopReason),
}

/// Finds out why there is no answer set: which constraints, bounds and facts contradict each other or, with `rules`,
/// which rules do (for which they must be open: [`Which::rules`](super::inquiry::relaxed_facts::Which::rules)). `report` is
/// called with the number of parts as it decreases. With `endless`, the result is reduced until the interrupt stops it,
/// otherwise for some seconds.
pub fn explain(
    inquiry: &Inquiry,
    with_rules: bool,
    endless: bool,
    report: &mut dyn FnMut(usize),
) -> Result<Explained, Error> {
    let effort = |usual: Effort| if endless { Effort::ENDLESS } else { usual };
    let interrupt = inquiry.control.interrupt();
    let items = inquiry.items();
    let inference = Inference::new(items, inquiry.symbols());
    let mut k = inference.start(&inquiry.assumptions());
    let clash = inference.run(&mut k, &interrupt, &|_| false);
    let scope = Scope { grain: Grain::Statement, only: None, rules: with_rules, optimum: false };
    let mut search = CoreSearch::new(inquiry, &scope)?;
    let soft = if with_rules { search.rules() } else { search.soft() };
    let core = match &clash {
        Some(clash) => {
            let wanted: Set<Literal> = soft.iter().copied().collect();
            let mut seed = search.seed(&k, clash, items);
            seed.retain(|l| wanted.contains(l));
            match search.oracle.ask(&seed) {
                Verdict::None(core) => {
                    let core: Set<Literal> = core.into_iter().collect();
                    let seed: Vec<Literal> = seed.into_iter().filter(|l| core.contains(l)).collect();
                    report(seed.len());
                    Some(cores::minimise(&mut search.oracle, &[], seed, effort(PARTS), &interrupt, report))
                }
                _ => None,
            }
        }
        None => None,
    };
    let core = match core {
        Some(core) => core,
        None => match cores::find(&mut search.oracle, &[], &soft, effort(PARTS), &interrupt, report) {
            Cored::Possible(_) => return Ok(Explained::Consistent),
            Cored::Stopped(reason) => return Ok(Explained::Stopped(reason)),
            Cored::Impossible(core) => core,
        },
    };
    inquiry.check_integers("there is no answer set")?;
    if core.literals.is_empty() && !with_rules {
        return Ok(Explained::Rules);
    }
    let weight = |core: &[Literal]| core.len();
    let core = cores::least(&mut search.oracle, core, &soft, SMALLER, &interrupt, MAX_CALLS, &weight);
    report(core.literals.len());
    search.conflict(core, with_rules, effort(INSTANCES)).map(Explained::Conflict)
}

struct CoreSearch<'a> {
    inquiry: &'a Inquiry,
    switches: Vec<Switch>,
    of_literal: Map<Literal, usize>,
    oracle: Oracle,
}

impl<'a> CoreSearch<'a> {
    fn new(inquiry: &'a Inquiry, scope: &Scope<'_>) -> Result<Self, Error> {
        let (program, switches) = relax::relax(inquiry, scope);
        let oracle = Oracle::new(program, inquiry.symbols(), inquiry.control.interrupt())?;
        let of_literal = switches.iter().enumerate().map(|(i, s)| (s.literal, i)).collect();
        Ok(Self { inquiry, switches, of_literal, oracle })
    }

    /// Everything that may be given up; facts come last, as they are tried first.
    fn soft(&self) -> Vec<Literal> {
        let mut soft: Vec<Literal> = self.switches.iter().map(|s| s.literal).collect();
        soft.extend(self.inquiry.assumptions());
        soft
    }

    /// The rules that derive atoms.
    fn rules(&self) -> Vec<Literal> {
        self.switches.iter().filter(|s| s.derives).map(|s| s.literal).collect()
    }

    /// The switches and facts that a clash found by inference depends on.
    fn seed(&self, k: &Knowledge, clash: &Clash, items: &Items) -> Vec<Literal> {
        let used = used(k, clash, items);
        let mut seed: Vec<Literal> = Vec::new();
        for switch in &self.switches {
            if switch.origins.iter().any(|o| used.origins.contains(o)) {
                seed.push(switch.literal);
            }
        }
        seed.extend(used.facts);
        seed
    }

    fn conflict(mut self, core: Core, with_rules: bool, effort: Effort) -> Result<Conflict, Error> {
        let interrupt = self.inquiry.control.interrupt();
        let facts: Vec<Literal> =
            core.literals.iter().copied().filter(|l| !self.of_literal.contains_key(l)).collect();
        let switched: Vec<Switch> = core
            .literals
            .iter()
            .filter_map(|l| self.of_literal.get(l).map(|&i| self.switches[i].clone()))
            .collect();
        let restores = self.restores(&core);
        let (instances, instances_minimal) = if interrupt.poll().is_some() {
            (switched.iter().flat_map(|s| &s.origins).copied().collect(), false)
        } else {
            self.instances(&switched, &facts, with_rules, effort)?
        };
        let mut found: Vec<(Part, Option<bool>)> = Vec::new();
        for (literal, restores) in core.literals.iter().zip(restores) {
            let part = match self.of_literal.get(literal) {
                Some(&i) => {
                    let s = &self.switches[i];
                    let instances = s.origins.iter().copied().filter(|o| instances.contains(o)).collect();
                    Part::Statement { span: s.span, instances }
                }
                None => {
                    let stated = self.inquiry.facts.iter().filter(|f| f.0 == literal.atom());
                    Part::Fact { atoms: vec![literal.atom()], spans: stated.map(|f| f.1).collect() }
                }
            };
            // Instances of one fact are one part; giving up the whole fact restores whatever giving up an instance
            // does.
            let same = |(p, _): &&mut (Part, Option<bool>)| matches!((p, &part), (Part::Fact { spans: a, .. }, Part::Fact { spans: b, .. }) if *a == *b);
            match (found.iter_mut().find(same), &part) {
                (Some((Part::Fact { atoms, .. }, all)), Part::Fact { atoms: more, .. }) => {
                    atoms.extend(more);
                    *all = if *all == Some(true) || restores == Some(false) { *all } else { restores };
                }
                _ => found.push((part, restores)),
            }
        }
        // Facts first, then statements in the order of the text.
        found.sort_by_key(|(part, _)| match part {
            Part::Fact { spans, .. } => (false, spans.first().copied().unwrap_or(Span::NONE)),
            Part::Statement { span, .. } => (true, *span),
        });
        let (parts, restores) = found.into_iter().unzip();
        Ok(Conflict { parts, minimal: core.minimal, instances_minimal, restores, with_rules })
    }

    /// For each literal of the core: whether the rest of the whole program has an answer set without it.
    fn restores(&mut self, core: &Core) -> Vec<Option<bool>> {
        let soft = self.soft();
        let end = self.oracle.conflicts() + RESTORES.1;
        let test = |literal: &Literal| {
            let left = end.saturating_sub(self.oracle.conflicts());
            if left == 0 {
                return None;
            }
            let rest: Vec<Literal> = soft.iter().copied().filter(|l| l != literal).collect();
            match self.oracle.ask_within(&rest, Some(RESTORES.0.min(left))) {
                Verdict::Found(_) => Some(true),
                Verdict::None(_) => Some(false),
                Verdict::Stopped(_) => None,
            }
        };
        core.literals.iter().map(test).collect()
    }

    /// Ground instances of some statements that contradict each other, together with some facts.
    fn instances(
        &self,
        switched: &[Switch],
        facts: &[Literal],
        with_rules: bool,
        effort: Effort,
    ) -> Result<(Set<Origin>, bool), Error> {
        let interrupt = self.inquiry.control.interrupt();
        let spans: Set<Span> = switched.iter().map(|s| s.span).collect();
        let scope = Scope { grain: Grain::Instance, only: Some(&spans), rules: with_rules, optimum: false };
        let mut inner = CoreSearch::new(self.inquiry, &scope)?;
        let mut soft: Vec<Literal> = Vec::new();
        let fixed: Vec<Literal> = facts.to_vec();
        // Rules outside the conflict may hold or not.
        soft.extend(inner.switches.iter().filter(|s| spans.contains(&s.span)).map(|s| s.literal));
        let items = restricted(self.inquiry, with_rules, &|_, span| spans.contains(&span));
        let inference = Inference::new(&items, self.inquiry.symbols());
        let mut k = inference.start(facts);
        let mut seed = None;
        if let Some(clash) = inference.run(&mut k, &interrupt, &|_| false) {
            let used = used(&k, &clash, &items);
            let wanted = |l: &Literal| {
                inner.of_literal.get(l).is_some_and(|&i| used.origins.contains(&inner.switches[i].origins[0]))
            };
            let literals: Vec<Literal> = soft.iter().copied().filter(wanted).collect();
            if matches!(inner.oracle.ask(&[&fixed[..], &literals].concat()), Verdict::None(_)) {
                seed = Some(literals);
            }
        }
        let core = match seed {
            Some(seed) => cores::minimise(&mut inner.oracle, &fixed, seed, effort, &interrupt, &mut |_| {}),
            None => match cores::find(&mut inner.oracle, &fixed, &soft, effort, &interrupt, &mut |_| {}) {
                Cored::Impossible(core) => core,
                _ => Core { literals: soft, minimal: false },
            },
        };
        let origins = core.literals.iter().filter_map(|l| inner.of_literal.get(l));
        let origins = origins.flat_map(|&i| &inner.switches[i].origins).copied().collect();
        Ok((origins, core.minimal))
    }
}

/// The items except for the constraints (with `rules`, also the rules) for which `stays` is false.
fn restricted(inquiry: &Inquiry, rules: bool, stays: &dyn Fn(Origin, Span) -> bool) -> Items {
    let mut items = inquiry.items().clone();
    let program = inquiry.program();
    items.list.retain(|item| {
        let constrains = match item.origin {
            Origin::Rule(id) => rules || program.rules.get(id).head.atoms().is_empty(),
            Origin::Disjunction(_) => rules,
            Origin::Bounds(_) => true,
            _ => false,
        };
        let span = inquiry.span(items::source(program, item.origin));
        !constrains || span.is_none() || stays(item.origin, span)
    });
    items
}

impl Conflict {
    /// The items of the program whose only constraints are the instances of the conflict.
    pub fn items(&self, inquiry: &Inquiry) -> Items {
        let instances = self.parts.iter().filter_map(|p| match p {
            Part::Statement { instances, .. } => Some(instances),
            Part::Fact { .. } => None,
        });
        let instances: Set<Origin> = instances.flatten().copied().collect();
        restricted(inquiry, self.with_rules, &|origin, _| instances.contains(&origin))
    }
    /// Why no rule derives what is negated in the instances and left out of them.
    pub fn below<'a>(&self, inquiry: &'a Inquiry, renderer: &Renderer<'a>) -> Vec<Node> {
        let instances = self.parts.iter().flat_map(|part| match part {
            Part::Statement { instances, .. } => instances.as_slice(),
            Part::Fact { .. } => &[],
        });
        underivable::below(inquiry, renderer, instances.copied())
    }
    /// Whether facts are involved.
    pub fn has_facts(&self) -> bool {
        self.parts.iter().any(|p| matches!(p, Part::Fact { .. }))
    }
    /// Whether giving up a fact restores an answer set.
    pub fn has_culprit(&self) -> bool {
        let culprit = |(p, r): (&Part, &Option<bool>)| matches!(p, Part::Fact { .. }) && *r == Some(true);
        self.parts.iter().zip(&self.restores).any(culprit)
    }
    /// The facts of the conflict.
    pub fn facts(&self) -> Vec<Literal> {
        let atoms = self.parts.iter().filter_map(|p| match p {
            Part::Fact { atoms, .. } => Some(atoms),
            Part::Statement { .. } => None,
        });
        atoms.flatten().map(|&a| Literal::pos(a)).collect()
    }
}

/// What a clash depends on.
struct Used {
    origins: Set<Origin>,
    facts: Vec<Literal>,
}

fn used(k: &Knowledge, clash: &Clash, items: &Items) -> Used {
    let mut used = Used { origins: Set::default(), facts: Vec::new() };
    used.origins.extend(clash.item.map(|i| items.list[i as usize].origin));
    for at in k.chain(&clash.because, &|_| false) {
        match &k.steps[at].cause {
            super::infer::Cause::Item(i) => {
                used.origins.insert(items.list[*i as usize].origin);
            }
            super::infer::Cause::Assumed => used.facts.push(k.steps[at].literal),
            _ => {}
        }
    }
    used
}

#[cfg(test)]
mod tests;
