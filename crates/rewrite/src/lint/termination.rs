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
use crate::unify::all_unify;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
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
    /// Whether they become smaller numbers.
    shrinks: bool,
}

/// Where a variable stands in a literal of the component.
#[derive(Clone, Copy)]
struct Place {
    /// How deep inside the argument.
    depth: u32,
    /// How the argument compares to the variable, as [`occurrences`] say.
    moves: i64,
    literal: usize,
    argument: Argument,
}

/// What a rule says about its variables.
struct Flow<'a> {
    /// Variables bound by literals of the component.
    recursive: Map<Var, Place>,
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
                let argument = (a.pred, i as u32);
                occurrences(t, 0, 0, &mut |v, depth, moves| {
                    let place = Place { depth, moves, literal, argument };
                    let known = recursive.entry(v).or_insert(place);
                    if depth > known.depth {
                        *known = place;
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
            let Some(&place) = self.recursive.get(&v) else { return };
            let deeper = i64::from(depth) - i64::from(place.depth);
            // `p(N) :- p(N-1)` moves as `p(N+1) :- p(N)`.
            let moves = match (moves, place.moves) {
                (0, before @ (1 | -1)) => -before,
                (1 | -1, before) if moves == before => 0,
                _ => moves,
            };
            let direction = if moves == 1 || moves == -1 { moves } else { 0 };
            if !self.bounds.hold(v, direction) {
                let gain = deeper + i64::from(moves != 0);
                let edge = Edge { from: place.argument, to, gain, shrinks: moves == -1 };
                edges.push((place.literal, edge));
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
/// literal outside the component contains it, too, if a counter ends the steps that make it grow ([`ranking`]), or if the rule
/// [walks](Walk) along data that may come to an end.
pub fn endless(
    rules: &[Rule],
    facts: &[(PredId, Sym)],
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
        // `at(1,X+1) :- at(0,X).` feeds nothing that it reads.
        let is_fed = |r: usize, literal: usize| match &rules[r].body[literal] {
            Literal::Atom(_, a) => {
                heads.iter().flatten().any(|h| h.pred == a.pred && all_unify(&h.args, &a.args, symbols))
            }
            _ => true,
        };
        edges.retain(|e| is_fed(e.0, e.1));
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
                .and_then(|e| Some((head.args.get(e.3.to.1 as usize)?, e.3.shrinks)));
            let Some((t, shrinks)) = growing else { continue };
            let flow = Flow::of(rule, &bounds[r], &inside);
            let walk = Walk { rule, head, inside: &inside, flow: &flow };
            if !walk.may_end(facts, symbols) && reported.insert(("endless", head.span)) {
                let name = symbols.str(first_name(t, &rule.vars));
                let made = if let Term::Var(v) = t { flow.made.get(v).copied().unwrap_or(t) } else { t };
                let (verb, guard) = if shrinks { ("shrinks", ">") } else { ("grows", "<") };
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

/// A rule that may walk along data: a literal outside the component leads on from a value of the recursion that the head does
/// not keep, as `edge(Y,Z)` in `path(X,Z,N+1) :- path(X,Y,N), edge(Y,Z).`
struct Walk<'a> {
    rule: &'a Rule,
    head: &'a Atom,
    inside: &'a dyn Fn(PredId) -> bool,
    flow: &'a Flow<'a>,
}

impl Walk<'_> {
    /// Whether the data may end the recursion. They do not where they are facts in which a way leads back to where it began, and
    /// nothing else is asked of its steps.
    fn may_end(&self, facts: &[(PredId, Sym)], symbols: &Symbols) -> bool {
        self.rule.body.iter().any(|l| match l {
            Literal::Atom(Sign::None, a) if !(self.inside)(a.pred) => {
                let mut leads = false;
                literal_vars(l, &mut |v| {
                    leads |= self.leaves(v);
                    // `L = cons(_,T)`: the list leads on to its rest.
                    if let Some(whole @ (Term::Fun(..) | Term::Tuple(_))) = self.flow.made.get(&v) {
                        whole.for_each_var(&mut |part| leads |= self.leaves(part));
                    }
                });
                leads && !self.leads_back(l, a, facts, symbols)
            }
            _ => false,
        })
    }

    /// Whether a value of the recursion is not kept.
    fn leaves(&self, v: Var) -> bool {
        self.flow.recursive.contains_key(&v) && !self.head.args.contains(&Term::Var(v))
    }

    fn leads_back(&self, literal: &Literal, a: &Atom, facts: &[(PredId, Sym)], symbols: &Symbols) -> bool {
        let column = |v: Var| a.args.iter().position(|t| *t == Term::Var(v));
        let is_plain = |t: &Term| matches!(t, Term::Var(_) | Term::Sym(_));
        let mut found = None;
        for (from, t) in a.args.iter().enumerate() {
            let Term::Var(v) = t else { continue };
            if !self.leaves(*v) {
                continue;
            }
            let Place { depth, moves, argument, .. } = self.flow.recursive[v];
            let to = match self.head.args.get(argument.1 as usize) {
                Some(Term::Var(w)) if self.head.pred == argument.0 => column(*w).map(|to| (*w, to)),
                _ => None,
            };
            let (Some((w, to)), 0, 0, None) = (to, depth, moves, found) else { return false };
            found = Some((*v, from, w, to));
        }
        let Some((v, from, w, to)) = found.filter(|_| a.args.iter().all(is_plain)) else { return false };
        let is_asked = |l: &Literal| {
            let mut has = false;
            literal_vars(l, &mut |x| has |= x == v || x == w);
            has
        };
        let others = self.rule.body.iter().filter(|l| !std::ptr::eq(*l, literal));
        let is_recursive = |l: &Literal| matches!(l, Literal::Atom(Sign::None, a) if (self.inside)(a.pred));
        if others.filter(|l| !is_recursive(l)).any(is_asked) {
            return false;
        }
        let mut steps: Map<Sym, Vec<Sym>> = Map::default();
        for fact in facts.iter().filter(|f| f.0 == a.pred) {
            let SymView::Fun { args, .. } = symbols.view(fact.1) else { continue };
            let fits = |(t, value): (&Term, &Sym)| !matches!(t, Term::Sym(s) if s != value);
            if args.len() == a.args.len() && a.args.iter().zip(args).all(fits) {
                steps.entry(args[from]).or_default().push(args[to]);
            }
        }
        has_cycle(&steps)
    }
}

/// Whether steps lead back to where they began: what has no step on is taken away for as long as there is any (Kahn, *Topological
/// sorting of large networks*, CACM 1962).
fn has_cycle(steps: &Map<Sym, Vec<Sym>>) -> bool {
    let mut before: Map<Sym, Vec<Sym>> = Map::default();
    let mut left: Map<Sym, usize> = Map::default();
    let mut ends: Vec<Sym> = Vec::new();
    for (&from, ways) in steps {
        left.insert(from, ways.len());
        for &to in ways {
            before.entry(to).or_default().push(from);
            if !steps.contains_key(&to) {
                ends.push(to);
            }
        }
    }
    ends.sort_unstable();
    ends.dedup();
    let mut open = steps.len();
    while let Some(end) = ends.pop() {
        for from in before.get(&end).into_iter().flatten() {
            let ways = left.get_mut(from).expect("each step begins somewhere");
            *ways -= 1;
            if *ways == 0 {
                open -= 1;
                ends.push(*from);
            }
        }
    }
    open > 0
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
