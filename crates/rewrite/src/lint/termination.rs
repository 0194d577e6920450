//! Warnings about recursion whose terms grow without end, given before grounding starts.
//!
//! Variables carry terms from arguments of body literals to arguments of heads, and on the way these get deeper,
//! shallower or greater. A cycle of arguments along which they grow does not end, unless something outside the
//! recursion bounds it. Invariant: rules are not changed, and each head is reported once. Only cycles of at most
//! [`MAX_ROUNDS`] arguments are found. Source: Lierler and Lifschitz, *One more decidable class of finitely ground
//! programs*, ICLP 2009 (ranks of arguments).

use super::ranking::{self, Bounds, Step};
use crate::dependency::Components;
use crate::predicate::PredId;
use crate::rule::{Atom, Head, Literal, Rule, Term, Var, VarInfo, literal_vars};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Symbols};
use asp_syntax::ast::Sign;

/// The length of the longest cycle that is looked for.
const MAX_ROUNDS: usize = 200;

/// An argument of a predicate.
type Argument = (PredId, u32);

/// Terms flow from one argument to another. They gain depth on the way, and 1 more if they may become another number.
#[derive(Clone, Copy)]
struct Edge {
    from: Argument,
    to: Argument,
    gain: i64,
}

/// What a rule says about its variables.
struct Flow<'a> {
    /// Variables bound by literals of the component: depth inside the argument, literal, and argument.
    recursive: Map<Var, (u32, usize, Argument)>,
    /// What bounds variables.
    bounds: &'a Bounds,
    /// The term that a variable is equal to.
    made: Map<Var, &'a Term>,
}

impl<'a> Flow<'a> {
    fn of(rule: &'a Rule, bounds: &'a Bounds, inside: &dyn Fn(PredId) -> bool) -> Self {
        let mut recursive = Map::default();
        for (literal, a) in recursive_literals(rule, inside) {
            for (i, t) in a.args.iter().enumerate() {
                let place = (a.pred, i as u32);
                occurrences(t, 0, 0, &mut |v, depth, _| {
                    let known = recursive.entry(v).or_insert((depth, literal, place));
                    if depth > known.0 {
                        *known = (depth, literal, place);
                    }
                });
            }
        }
        let made = ranking::equations(rule).into_iter().filter(|(v, _)| !recursive.contains_key(v)).collect();
        Self { recursive, bounds, made }
    }

    /// Ways in which terms reach an argument of a head, each with the literal that they come from.
    fn edges(&self, term: &Term, to: Argument, edges: &mut Vec<(usize, Edge)>) {
        let term = match term {
            Term::Var(v) => self.made.get(v).copied().unwrap_or(term),
            t => t,
        };
        occurrences(term, 0, 0, &mut |v, depth, moves| {
            let Some(&(before, literal, from)) = self.recursive.get(&v) else { return };
            let deeper = i64::from(depth) - i64::from(before);
            let direction = if moves == 1 || moves == -1 { moves } else { 0 };
            if !self.bounds.hold(v, direction) {
                edges.push((literal, Edge { from, to, gain: deeper + i64::from(moves != 0) }));
            }
        });
    }
}

/// The positive literals of a rule's body that are in the component.
fn recursive_literals<'a>(
    rule: &'a Rule,
    inside: &dyn Fn(PredId) -> bool,
) -> impl Iterator<Item = (usize, &'a Atom)> {
    rule.body.iter().enumerate().filter_map(move |(i, l)| match l {
        Literal::Atom(Sign::None, a) if inside(a.pred) => Some((i, a)),
        _ => None,
    })
}

/// A number may become greater or smaller; it is not known which.
const EITHER: i64 = 2;

/// The variables of a term, with their depth in it and how the term compares to the variable: 1 if it is greater, -1 if
/// it is smaller, 0 if it is equal, or [`EITHER`].
fn occurrences(t: &Term, depth: u32, moves: i64, f: &mut dyn FnMut(Var, u32, i64)) {
    match t {
        Term::Fun(_, _, args) | Term::Tuple(args) => {
            args.iter().for_each(|a| occurrences(a, depth + 1, moves, f));
        }
        t => {
            let own = match t {
                Term::Linear { coefficient: 1, offset, .. } => offset.signum(),
                Term::Linear { coefficient: -1, offset: 0, .. } => 0,
                Term::Linear { .. } => EITHER,
                Term::Binary(op, ..) => {
                    use asp_syntax::ast::BinaryOp::{Add, Mul, Pow, Sub};
                    if matches!(op, Add | Sub | Mul | Pow) { EITHER } else { 0 }
                }
                _ => 0,
            };
            t.for_each_var(&mut |v| f(v, depth, if moves == 0 { own } else { moves }));
        }
    }
}

/// Whether terms grow along a cycle that contains an edge.
fn gains(edge: Edge, edges: &[Edge]) -> bool {
    let mut best: Map<Argument, i64> = Map::default();
    best.insert(edge.to, edge.gain);
    for _ in 0..MAX_ROUNDS {
        if best.get(&edge.from).is_some_and(|&gain| gain > 0) {
            return true;
        }
        let mut changed = false;
        for e in edges {
            let Some(&gain) = best.get(&e.from) else { continue };
            let gain = gain.saturating_add(e.gain);
            let known = best.entry(e.to).or_insert(i64::MIN);
            if gain > *known {
                *known = gain;
                changed = true;
            }
        }
        if !changed {
            return false;
        }
    }
    false
}

/// Warns about rules whose head contains a term that grows along a cycle: `p(X+1) :- p(X).`, `q(f(X)) :- q(X).`
///
/// The term is bounded if the variable, or one that an equation derives from it, is compared in that direction, if a
/// literal outside the component contains it, too, or if a counter ends the steps that make it grow ([`ranking`]).
pub fn endless(
    rules: &[Rule],
    components: &Components,
    symbols: &Symbols,
    reported: &mut Set<(&'static str, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (c, numbers) in components.rules.iter().enumerate() {
        let inside = |p: PredId| components.of_predicate.get(p.0 as usize) == Some(&(c as u32));
        let rules: Vec<&Rule> = numbers.iter().map(|&i| &rules[i as usize]).collect();
        let is_recursive = |r: &&Rule| recursive_literals(r, &inside).next().is_some();
        if !rules.iter().any(is_recursive) {
            continue;
        }
        let heads: Vec<Vec<&Atom>> =
            rules.iter().map(|r| heads(r).filter(|a| inside(a.pred)).collect()).collect();
        let bounds: Vec<Bounds> =
            rules.iter().zip(&heads).map(|(r, heads)| Bounds::of(r, heads, &inside)).collect();
        // By rule: the edges of each step and argument of the head.
        let mut edges: Vec<(usize, usize, usize, Edge)> = Vec::new();
        for (r, rule) in rules.iter().enumerate() {
            let flow = Flow::of(rule, &bounds[r], &inside);
            for (h, a) in heads[r].iter().enumerate() {
                for (i, t) in a.args.iter().enumerate() {
                    let mut own = Vec::new();
                    flow.edges(t, (a.pred, i as u32), &mut own);
                    edges.extend(own.into_iter().map(|(literal, edge)| (r, literal, h, edge)));
                }
            }
        }
        if !edges.iter().any(|e| e.3.gain > 0) {
            continue;
        }
        let (mut names, mut steps) = (Vec::new(), Vec::new());
        for (r, rule) in rules.iter().enumerate() {
            for (literal, from) in recursive_literals(rule, &inside) {
                for (h, to) in heads[r].iter().enumerate() {
                    names.push((r, literal, h));
                    steps.push(Step { rule, from, to, bounds: &bounds[r] });
                }
            }
        }
        let ended = ranking::ending(&steps);
        let ended: Set<(usize, usize, usize)> =
            names.into_iter().zip(ended).filter(|(_, ends)| *ends).map(|(name, _)| name).collect();
        edges.retain(|&(r, literal, h, _)| !ended.contains(&(r, literal, h)));
        let all: Vec<Edge> = edges.iter().map(|e| e.3).collect();
        for (r, rule) in rules.iter().enumerate() {
            let Head::Atom(head) = &rule.head else { continue };
            let growing = edges
                .iter()
                .filter(|e| e.0 == r && e.3.gain > 0)
                .find(|e| gains(e.3, &all))
                .and_then(|e| head.args.get(e.3.to.1 as usize));
            let Some(t) = growing else { continue };
            let flow = Flow::of(rule, &bounds[r], &inside);
            if !walks(rule, head, &inside, &flow.recursive) && reported.insert(("endless", head.span)) {
                let name = symbols.str(first_name(t, &rule.vars));
                let mut down = false;
                let made = if let Term::Var(v) = t { flow.made.get(v).copied().unwrap_or(t) } else { t };
                occurrences(made, 0, 0, &mut |_, _, moves| down |= moves == -1);
                let (verb, guard) = if down { ("shrinks", ">") } else { ("grows", "<") };
                let deeper = matches!(made, Term::Fun(..) | Term::Tuple(_));
                let advice = match deeper {
                    true => format!(
                        "each round wraps `{name}` in one more term: count the rounds in another argument and \
                         bound it (`.., D+1) :- .., D), D < limit`), or add a literal that knows all terms"
                    ),
                    false => {
                        format!("bound it: add `{name} {guard} limit`, or a literal that knows all values")
                    }
                };
                diagnostics.push(
                    Diagnostic::warning(WarningKind::Termination, head.span, "grounding may not end")
                        .caption(format!("an argument {verb} with `{name}` in each round"))
                        .label(rule.span, "the rule feeds itself")
                        .help(advice),
                );
            }
        }
    }
}

/// The atoms of a head.
fn heads(rule: &Rule) -> impl Iterator<Item = &Atom> {
    let one = match &rule.head {
        Head::Atom(a) => Some(a),
        _ => None,
    };
    one.into_iter().chain(rule.head.elements().iter().filter_map(|e| e.atom()))
}

/// Whether a literal outside the component leads on from a value of the recursion that the head does not keep: the data
/// may then end the recursion, as when walking along edges.
fn walks(
    rule: &Rule,
    head: &Atom,
    inside: &dyn Fn(PredId) -> bool,
    recursive: &Map<Var, (u32, usize, Argument)>,
) -> bool {
    let kept = |v: Var| head.args.contains(&Term::Var(v));
    rule.body.iter().any(|l| match l {
        Literal::Atom(Sign::None, a) if !inside(a.pred) => {
            let mut found = false;
            literal_vars(l, &mut |v| found |= recursive.contains_key(&v) && !kept(v));
            found
        }
        _ => false,
    })
}

fn first_name(t: &Term, vars: &[VarInfo]) -> StrId {
    let mut name = StrId::EMPTY;
    t.for_each_var(&mut |v| {
        if name == StrId::EMPTY {
            name = vars[v.0 as usize].name.unwrap_or(StrId::EMPTY);
        }
    });
    name
}
