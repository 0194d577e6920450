//! Recursion whose terms grow without end, told before it starts.
//!
//! Variables carry terms from arguments of body literals to arguments of heads, and on the way these get deeper, shallower
//! or greater. A cycle of arguments in which they gain has no end, unless something outside of the recursion bounds it.
//! Invariant: rules are not changed, and each head is named once. Cycles are those of at most [`MOST_ROUNDS`] arguments.
//! Source: Lierler and Lifschitz, *One more decidable class of finitely ground programs*, ICLP 2009 (ranks of arguments).

use super::dependency::Components;
use super::predicate::PredId;
use super::rule::{Atom, Head, Literal, Rule, Term, Var, VarInfo, literal_vars};
use crate::base::diagnostic::{Diagnostic, WarningKind};
use crate::base::map::{Map, Set};
use crate::base::span::Span;
use crate::base::symbol::{StrId, Symbols};
use crate::syntax::ast::{Relation, Sign};

/// Arguments of the longest cycle that is looked for.
const MOST_ROUNDS: usize = 200;

/// Argument of a predicate.
type Place = (PredId, u32);

/// Terms of one place get into another, so much deeper or (one more) greater.
#[derive(Clone, Copy)]
struct Edge {
    from: Place,
    to: Place,
    gain: i64,
}

/// What a rule says of its variables.
struct Flow<'a> {
    /// Variables that literals of the component bind: the functions around them, and where that is.
    recursive: Map<Var, (u32, Place)>,
    /// Variables that something else bounds.
    bounded: Set<Var>,
    /// What other variables are equal to.
    made: Map<Var, &'a Term>,
}

impl<'a> Flow<'a> {
    fn of(rule: &'a Rule, inside: &dyn Fn(PredId) -> bool) -> Self {
        let (mut recursive, mut bounded) = (Map::default(), Set::default());
        for l in &rule.body {
            match l {
                Literal::Atom(Sign::None, a) if inside(a.pred) => {
                    for (i, t) in a.args.iter().enumerate() {
                        let place = (a.pred, i as u32);
                        occurrences(t, 0, false, &mut |v, depth, _| {
                            let known = recursive.entry(v).or_insert((depth, place));
                            if depth > known.0 {
                                *known = (depth, place);
                            }
                        });
                    }
                }
                Literal::Compare(Relation::Equal | Relation::NotEqual, ..)
                | Literal::Atom(Sign::Not | Sign::NotNot, _) => {}
                l => literal_vars(l, &mut |v| {
                    bounded.insert(v);
                }),
            }
        }
        // What is equal to something over bounded variables only is bounded, too; and the other way round.
        let mut made: Map<Var, &Term> = Map::default();
        for _ in 0..=rule.body.len() {
            for l in &rule.body {
                let Literal::Compare(Relation::Equal, s, t, _) = l else { continue };
                for (s, t) in [(s, t), (t, s)] {
                    let Term::Var(v) = s else { continue };
                    let mut vars = Vec::new();
                    t.for_each_var(&mut |v| vars.push(v));
                    if vars.iter().all(|v| bounded.contains(v)) {
                        bounded.insert(*v);
                    }
                    if bounded.contains(v) {
                        bounded.extend(vars);
                    } else if !recursive.contains_key(v) {
                        made.insert(*v, t);
                    }
                }
            }
        }
        Self { recursive, bounded, made }
    }

    /// The ways by which terms get into an argument of a head.
    fn edges(&self, term: &Term, to: Place, edges: &mut Vec<Edge>) {
        let term = match term {
            Term::Var(v) => self.made.get(v).copied().unwrap_or(term),
            t => t,
        };
        occurrences(term, 0, false, &mut |v, depth, greater| {
            if let Some(&(before, from)) = self.recursive.get(&v)
                && !self.bounded.contains(&v)
            {
                let gain = i64::from(depth) - i64::from(before) + i64::from(greater);
                edges.push(Edge { from, to, gain });
            }
        });
    }
}

/// The variables of a term with the functions around them, and whether the term is another number than the variable.
fn occurrences(t: &Term, depth: u32, greater: bool, f: &mut dyn FnMut(Var, u32, bool)) {
    match t {
        Term::Fun(_, _, args) | Term::Tuple(args) => {
            args.iter().for_each(|a| occurrences(a, depth + 1, greater, f));
        }
        t => {
            let changes = match t {
                Term::Linear { coefficient, offset, .. } => {
                    *coefficient != 1 && *coefficient != -1 || *offset != 0
                }
                Term::Binary(op, ..) => {
                    use crate::syntax::ast::BinaryOp::{Add, Mul, Pow, Sub};
                    matches!(op, Add | Sub | Mul | Pow)
                }
                _ => false,
            };
            t.for_each_var(&mut |v| f(v, depth, greater || changes));
        }
    }
}

/// Whether terms gain on a cycle that an edge is part of.
fn gains(edge: Edge, edges: &[Edge]) -> bool {
    let mut best: Map<Place, i64> = Map::default();
    best.insert(edge.to, edge.gain);
    for _ in 0..MOST_ROUNDS {
        if best.get(&edge.from).is_some_and(|&gain| gain > 0) {
            return true;
        }
        let mut changed = false;
        for e in edges {
            let Some(&gain) = best.get(&e.from) else { continue };
            // What begins on a lower step than it ends is seen from there.
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

/// Warns about rules whose head holds a term that gains on a cycle: `p(X+1) :- p(X).`, `q(f(X)) :- q(X).`
///
/// It is bounded if the variable, or one that an equation makes of it, is compared by an order, or if a literal outside the
/// component has it, too.
pub fn endless(
    rules: &[Rule],
    components: &Components,
    symbols: &Symbols,
    reported: &mut Set<(&'static str, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (c, numbers) in components.rules.iter().enumerate() {
        let inside = |p: PredId| components.of_predicate.get(p.0 as usize) == Some(&(c as u32));
        let rules = || numbers.iter().map(|&i| &rules[i as usize]);
        let mut edges = Vec::new();
        for rule in rules() {
            let flow = Flow::of(rule, &inside);
            for a in heads(rule).filter(|a| inside(a.pred)) {
                for (i, t) in a.args.iter().enumerate() {
                    flow.edges(t, (a.pred, i as u32), &mut edges);
                }
            }
        }
        if !edges.iter().any(|e| e.gain > 0) {
            continue;
        }
        for rule in rules() {
            let Head::Atom(head) = &rule.head else { continue };
            let flow = Flow::of(rule, &inside);
            let growing = head.args.iter().enumerate().find(|(i, t)| {
                let mut own = Vec::new();
                flow.edges(t, (head.pred, *i as u32), &mut own);
                own.iter().any(|&e| e.gain > 0 && gains(e, &edges))
            });
            let Some((_, t)) = growing else { continue };
            if !walks(rule, head, &inside, &flow.recursive) && reported.insert(("endless", head.span)) {
                let name = symbols.str(first_name(t, &rule.vars));
                diagnostics.push(
                    Diagnostic::warning(WarningKind::Other, head.span, "grounding may not end")
                        .caption(format!("an argument grows with `{name}` in each round"))
                        .label(rule.span, "the rule feeds itself")
                        .help(format!("bound it: add `{name} < limit`, or a literal that knows all values")),
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

/// Whether a literal outside the component leads on from a value of the recursion that the head does not keep: then the
/// data may end it, as when walking along edges.
fn walks(
    rule: &Rule,
    head: &Atom,
    inside: &dyn Fn(PredId) -> bool,
    recursive: &Map<Var, (u32, Place)>,
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
