//! Rules with the plans of their nested parts: elements of aggregates, conditional literals and heads.
//!
//! Invariant: nested plans assume that all variables of the rule's own level are bound; they read complete domains, or
//! the rule is *late* (see [`is_late`]) and runs again when its component is complete.

use super::join::plan::{self, PlanContext, PlanStep, Source};
use super::parity::{self, AggregatePolicy};
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Symbols};
use asp_rewrite::dependency::read_atoms;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{
    Aggregate, Atom, Condition, Head, HeadLiteral, Literal, Rule, Term, TheoryAtom, TheoryTerm, Var,
    literal_vars,
};
use asp_syntax::ast::{AggregateFunction, Relation, Sign};

/// A rule ready to run.
pub(super) struct CompiledRule {
    /// The body's aggregates, by number.
    pub(super) aggregates: Vec<CompiledAggregate>,
    /// The body's conditional literals, by number.
    pub(super) conditionals: Vec<CompiledConditional>,
    /// The body's theory atoms, by number, then the head's.
    pub(super) theories: Vec<CompiledTheory>,
    pub(super) elements: Vec<CompiledHeadElement>,
    /// For each variable: whether it occurs only once in the rule.
    pub(super) once: Vec<bool>,
    /// Whether a disjunction with conditions hides the body behind an atom; see [`parity::Parity::keeps_whole`].
    pub(super) whole: bool,
}

/// A body aggregate.
pub(super) struct CompiledAggregate {
    /// Default negation.
    pub(super) sign: Sign,
    pub(super) function: AggregateFunction,
    /// Whether it was written as a set of literals.
    pub(super) set: bool,
    /// Bounds.
    pub(super) guards: Vec<(Relation, Term)>,
    /// Elements: tuple, plan of the condition, and where they stand.
    pub(super) elements: Vec<(Vec<Term>, Vec<PlanStep>, Span)>,
    /// Variables of the rule that the elements use.
    pub(super) globals: Vec<Var>,
    /// Whether a condition reads a predicate of the current component.
    pub(super) recursive: bool,
    /// How it is decided.
    pub(super) policy: AggregatePolicy,
    pub(super) span: Span,
}

/// A conditional literal in a body.
pub(super) struct CompiledConditional {
    /// A plan for each alternative of its head.
    pub(super) heads: Vec<Vec<PlanStep>>,
    pub(super) condition: Vec<PlanStep>,
    /// Whether it reads a predicate of the current component.
    pub(super) recursive: bool,
    /// From how many instances on one atom replaces them all; see [`parity::Parity::keeps_whole`].
    pub(super) whole_from: Option<usize>,
}

/// A theory atom.
pub(super) struct CompiledTheory {
    pub(super) name: StrId,
    pub(super) args: Vec<TheoryTerm>,
    /// Elements: terms and plan of the condition.
    pub(super) elements: Vec<(Vec<TheoryTerm>, Vec<PlanStep>)>,
    /// Operator and right-hand side.
    pub(super) guard: Option<(StrId, TheoryTerm)>,
    /// Whether it is a directive, which has no truth value.
    pub(super) directive: bool,
    pub(super) span: Span,
}

pub(super) struct CompiledHeadElement {
    pub(super) tuple: Vec<Term>,
    /// The atom to derive, if any.
    pub(super) atom: Option<(PredId, Vec<Term>)>,
    /// A literal that derives nothing: the plans of its alternatives (in a head aggregate it is part of the condition).
    pub(super) other: Vec<Vec<PlanStep>>,
    /// The plan of the literal's intervals, in a disjunct.
    pub(super) ranges: Vec<PlanStep>,
    pub(super) condition: Vec<PlanStep>,
    pub(super) span: Span,
}

/// What a component has still to derive.
#[derive(Clone, Copy)]
pub(super) struct Growing<'a> {
    /// Whether an atom in a body may be of that.
    pub(super) reads: &'a dyn Fn(&Atom, &Symbols) -> bool,
    /// Whether heads of conditional literals may read it at once: such atoms are reserved.
    pub(super) reserves: bool,
}

impl Growing<'_> {
    /// Nothing.
    pub(super) const NOTHING: Growing<'static> = Growing { reads: &|_, _| false, reserves: true };

    fn may_reserve(self, rule: &Rule) -> bool {
        self.reserves && parity::may_reserve(rule)
    }
}

/// Whether a list of literals reads what grows positively.
fn any_reads(ls: &[Literal], growing: Growing<'_>, symbols: &Symbols) -> bool {
    let mut found = false;
    ls.iter().for_each(|l| {
        read_atoms(l, &mut |a, sign| found |= sign == Sign::None && (growing.reads)(a, symbols))
    });
    found
}

/// Whether a literal's nested part reads what grows positively. The head of a conditional literal does not
/// matter as long as the condition binds its variables and atoms that may still be derived are reserved.
fn nested_reads(rule: &Rule, l: &Literal, growing: Growing<'_>, symbols: &Symbols) -> bool {
    match l {
        Literal::Aggregate(a) => a.elements.iter().any(|e| any_reads(&e.condition, growing, symbols)),
        Literal::Conditional(c) => {
            let mut bound: Set<Var> = c.globals.iter().copied().collect();
            let mut add = |v| {
                bound.insert(v);
            };
            c.condition.iter().for_each(|l| literal_vars(l, &mut add));
            let mut open = !growing.may_reserve(rule);
            c.heads.iter().flatten().for_each(|l| literal_vars(l, &mut |v| open |= !bound.contains(&v)));
            any_reads(&c.condition, growing, symbols)
                || open && c.heads.iter().any(|h| any_reads(h, growing, symbols))
        }
        Literal::Theory(_, a) => a.elements.iter().any(|e| any_reads(&e.condition, growing, symbols)),
        _ => false,
    }
}

/// Whether nested parts of a rule read what is still growing. Then the rule only derives atoms while its
/// component grows, and writes its instances when the component is complete.
pub(super) fn is_late(rule: &Rule, growing: Growing<'_>, symbols: &Symbols) -> bool {
    body_is_late(rule, growing, symbols) || head_is_late(rule, growing, symbols)
}

/// Whether a head's conditions read what is still growing.
pub(super) fn head_is_late(rule: &Rule, growing: Growing<'_>, symbols: &Symbols) -> bool {
    match &rule.head {
        Head::Disjunction(es) | Head::Aggregate { elements: es, .. } => {
            es.iter().any(|e| any_reads(&e.condition, growing, symbols))
        }
        _ => false,
    }
}

/// Whether a body's nested parts read what is still growing.
pub(super) fn body_is_late(rule: &Rule, growing: Growing<'_>, symbols: &Symbols) -> bool {
    rule.body.iter().any(|l| nested_reads(rule, l, growing, symbols))
}

/// For each variable: whether it occurs only once in the rule, including nested parts and head.
fn occurs_once(rule: &Rule) -> Vec<bool> {
    let mut count = vec![0u32; rule.vars.len()];
    let mut add = |v: Var| count[v.0 as usize] += 1;
    fn literal(l: &Literal, add: &mut impl FnMut(Var)) {
        match l {
            Literal::Aggregate(a) => {
                a.guards.iter().for_each(|(_, t)| t.for_each_var(add));
                for e in &a.elements {
                    e.tuple.iter().for_each(|t| t.for_each_var(add));
                    e.condition.iter().for_each(|l| literal(l, add));
                }
            }
            Literal::Conditional(c) => {
                c.heads.iter().flatten().chain(&c.condition).for_each(|l| literal(l, add));
            }
            l => asp_rewrite::rule::literal_vars(l, add),
        }
    }
    rule.body.iter().for_each(|l| literal(l, &mut add));
    rule.head.terms().into_iter().for_each(|t| t.for_each_var(&mut add));
    for e in rule.head.elements() {
        let args = e.atom().into_iter().flat_map(|a| &a.args);
        e.tuple.iter().chain(args).for_each(|t| t.for_each_var(&mut add));
        e.literals().for_each(|l| literal(l, &mut add));
    }
    if let Head::Theory(a) = &rule.head {
        a.globals.iter().for_each(|&v| add(v));
    }
    count.into_iter().map(|n| n == 1).collect()
}

/// The same if each match counts of an atom that binds a variable of a tuple, or of a literal that is not a fact.
fn each_match(aggregate: &Aggregate, once: &[bool], outer: &[bool], context: &PlanContext<'_>) -> Vec<bool> {
    let mut once = once.to_vec();
    for e in &aggregate.elements {
        let mut read = vec![false; outer.len()];
        let mut mark = |v: Var| read[v.0 as usize] = !outer[v.0 as usize];
        e.tuple.iter().for_each(|t| t.for_each_var(&mut mark));
        let is_fact = |l: &Literal| match l {
            Literal::Atom(Sign::None, a) => context.domains[a.pred].is_all_facts(),
            Literal::Compare(..) | Literal::Range(..) => true,
            _ => false,
        };
        e.condition.iter().filter(|l| !is_fact(l)).for_each(|l| literal_vars(l, &mut mark));
        for l in &e.condition {
            let mut vars = Vec::new();
            literal_vars(l, &mut |v| vars.push(v.0 as usize));
            if vars.iter().any(|&v| read[v]) {
                vars.into_iter().for_each(|v| once[v] = false);
            }
        }
    }
    once
}

/// Compiles the nested parts of a rule.
pub(super) fn compile(rule: &Rule, growing: Growing<'_>, context: &mut PlanContext<'_>) -> CompiledRule {
    let outer: Vec<bool> = rule.vars.iter().map(|v| !v.local).collect();
    let once = occurs_once(rule);
    let mut out = CompiledRule {
        aggregates: Vec::new(),
        conditionals: Vec::new(),
        theories: Vec::new(),
        elements: Vec::new(),
        once: once.clone(),
        whole: context.parity.keeps_whole(rule),
    };
    let nested = |body: &Condition, bound: &mut Vec<bool>, reserve: bool, context: &mut PlanContext<'_>| {
        plan::compile(body, bound, &once, &|_| Source::All, None, reserve, context)
    };
    let theory = |a: &TheoryAtom, context: &mut PlanContext<'_>| CompiledTheory {
        name: a.name,
        args: a.args.clone(),
        elements: a
            .elements
            .iter()
            .map(|e| (e.terms.clone(), nested(&e.condition, &mut outer.clone(), false, context)))
            .collect(),
        guard: a.guard.clone(),
        directive: a.directive,
        span: a.span,
    };
    for l in &rule.body {
        match l {
            Literal::Theory(_, a) => out.theories.push(theory(a, context)),
            Literal::Aggregate(a) => {
                let policy = context.parity.aggregate(rule, l, a, context.known());
                let once = if policy.widens { &each_match(a, &once, &outer, context) } else { &once };
                let mut condition = |body| {
                    plan::compile(body, &mut outer.clone(), once, &|_| Source::All, None, false, context)
                };
                let elements =
                    a.elements.iter().map(|e| (e.tuple.clone(), condition(&e.condition), e.span)).collect();
                out.aggregates.push(CompiledAggregate {
                    sign: a.sign,
                    function: a.function,
                    set: a.set,
                    guards: a.guards.clone(),
                    elements,
                    globals: a.globals.clone(),
                    recursive: nested_reads(rule, l, growing, context.symbols),
                    policy,
                    span: a.span,
                });
            }
            Literal::Conditional(c) => {
                let mut bound = outer.clone();
                let condition = nested(&c.condition, &mut bound, false, context);
                let reserve = growing.may_reserve(rule);
                let heads = c.heads.iter().map(|h| nested(h, &mut bound.clone(), reserve, context)).collect();
                let recursive = nested_reads(rule, l, growing, context.symbols);
                let whole_from = context.parity.keeps_whole(rule).then(|| {
                    let mut own = false;
                    read_atoms(l, &mut |a, _| own |= rule.head.derives(|h| h.pred == a.pred));
                    if recursive { 0 } else { 2 - usize::from(own) }
                });
                out.conditionals.push(CompiledConditional { heads, condition, recursive, whole_from });
            }
            _ => {}
        }
    }
    if let Head::Theory(a) = &rule.head {
        out.theories.push(theory(a, context));
    }
    let (elements, in_condition) = match &rule.head {
        Head::Disjunction(elements) => (&elements[..], false),
        Head::Aggregate { elements, .. } => (&elements[..], true),
        _ => (&[][..], false),
    };
    for e in elements {
        let mut bound = outer.clone();
        let (mut atom, mut other) = (None, Vec::new());
        let mut condition = e.condition.clone();
        match &e.literal {
            HeadLiteral::Atom(Atom { pred, args, .. }) => atom = Some((*pred, args.clone())),
            HeadLiteral::Other(any) if in_condition => condition.extend(any.iter().flatten().cloned()),
            HeadLiteral::Other(_) => {}
        }
        let condition = nested(&condition, &mut bound, false, context);
        let ranges = nested(&e.ranges, &mut bound, false, context);
        if let (HeadLiteral::Other(any), false) = (&e.literal, in_condition) {
            other = any.iter().map(|l| nested(l, &mut bound.clone(), true, context)).collect();
        }
        out.elements.push(CompiledHeadElement {
            tuple: e.tuple.clone(),
            atom,
            other,
            ranges,
            condition,
            span: e.span,
        });
    }
    out
}
