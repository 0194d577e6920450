//! Counters that end a recursion: an argument that only moves one way, and a guard that it runs into.
//!
//! A step leads from a positive literal of a rule's body to an atom of its head, both in the component. Choose an
//! argument of each predicate such that no step moves it back; then a step that moves it forward and is guarded in that
//! direction, or of which all cycles have a guarded step, is taken only finitely often, so whatever else it makes grow is
//! finite, too. The remaining steps are examined again with other arguments. Invariant: steps that are dropped cannot be taken
//! forever. Rankings are found greedily, so some are missed. Source: Podelski and Rybalchenko, *A complete method for the synthesis of linear
//! ranking functions*, VMCAI 2004.

use crate::predicate::PredId;
use crate::rule::{Atom, Literal, Rule, Term, Var, literal_vars};
use asp_base::map::{Map, Set};
use asp_syntax::ast::{Relation, Sign};

/// Components with more steps are not examined.
const MAX_STEPS: usize = 200;

/// What a rule says about the size of its variables.
#[derive(Default)]
pub(crate) struct Bounds {
    /// Variables that have finitely many values, whatever the recursion does.
    pub finite: Set<Var>,
    /// Variables that are bounded from above.
    pub above: Set<Var>,
    /// Variables that are bounded from below.
    pub below: Set<Var>,
}

impl Bounds {
    /// The bounds in a rule's body.
    pub(crate) fn of(rule: &Rule, heads: &[&Atom], inside: &dyn Fn(PredId) -> bool) -> Self {
        let mut bounds = Self::default();
        for l in &rule.body {
            match l {
                Literal::Compare(..) | Literal::Atom(Sign::Not | Sign::NotNot, _) => {}
                Literal::Atom(Sign::None, a) if inside(a.pred) => {}
                l => literal_vars(l, &mut |v| {
                    bounds.finite.insert(v);
                }),
            }
        }
        let equations = equations(rule);
        // What is equal to a term over finitely many values has finitely many, too, and vice versa.
        for _ in 0..=equations.len() {
            for &(v, t) in &equations {
                let vars = vars(t);
                if vars.iter().all(|v| bounds.finite.contains(v)) {
                    bounds.finite.insert(v);
                }
                if bounds.finite.contains(&v) {
                    bounds.finite.extend(vars);
                }
            }
        }
        for l in &rule.body {
            let Literal::Compare(relation, s, t, _) = l else { continue };
            let (small, great) = match relation {
                Relation::Less | Relation::LessEqual => (s, t),
                Relation::Greater | Relation::GreaterEqual => (t, s),
                Relation::Equal | Relation::NotEqual => continue,
            };
            let holds = |t: &Term, up: i64| {
                vars(t).iter().all(|&v| bounds.finite.contains(&v) || !moves(v, up, rule, heads, inside))
            };
            let (upper, lower) = (holds(great, 1), holds(small, -1));
            if upper {
                bounds.bind(small, true);
            }
            if lower {
                bounds.bind(great, false);
            }
        }
        for _ in 0..=equations.len() {
            for &(v, t) in &equations {
                for up in [true, false] {
                    if bounds.side(up).contains(&v) {
                        bounds.bind(t, up);
                    }
                    let (sign, var) = match t {
                        Term::Var(w) => (1, *w),
                        Term::Linear { coefficient, var, .. } => (*coefficient, *var),
                        _ => continue,
                    };
                    if bounds.side(up == (sign > 0)).contains(&var) {
                        bounds.side(up).insert(v);
                    }
                }
            }
        }
        bounds
    }

    fn side(&mut self, up: bool) -> &mut Set<Var> {
        if up { &mut self.above } else { &mut self.below }
    }

    /// Bounds the variables of a term that is bounded on one side; on both sides if it is not linear.
    fn bind(&mut self, t: &Term, up: bool) {
        match t {
            Term::Var(v) => {
                self.side(up).insert(*v);
            }
            Term::Linear { coefficient, var, .. } => {
                self.side(up == (*coefficient > 0)).insert(*var);
            }
            t => {
                for v in vars(t) {
                    self.above.insert(v);
                    self.below.insert(v);
                }
            }
        }
    }

    /// Whether a variable is bounded in a direction (in either, for 0).
    pub(crate) fn hold(&self, v: Var, direction: i64) -> bool {
        self.finite.contains(&v)
            || direction >= 0 && self.above.contains(&v)
            || direction <= 0 && self.below.contains(&v)
    }
}

fn vars(t: &Term) -> Vec<Var> {
    let mut vars = Vec::new();
    t.for_each_var(&mut |v| vars.push(v));
    vars
}

/// The equations of a body, read both ways, that have a variable on one side.
pub(crate) fn equations(rule: &Rule) -> Vec<(Var, &Term)> {
    let equations = rule.body.iter().filter_map(|l| match l {
        Literal::Compare(Relation::Equal, s, t, _) => Some([(s, t), (t, s)]),
        _ => None,
    });
    let sided = equations.flatten().filter_map(|(s, t)| match s {
        Term::Var(v) => Some((*v, t)),
        _ => None,
    });
    sided.collect()
}

/// Whether the next round may move a variable of a guard in a direction, so that it does not guard.
fn moves(v: Var, up: i64, rule: &Rule, heads: &[&Atom], inside: &dyn Fn(PredId) -> bool) -> bool {
    let recursive = rule.body.iter().filter_map(|l| match l {
        Literal::Atom(Sign::None, a) if inside(a.pred) => Some(a),
        _ => None,
    });
    recursive.flat_map(|a| heads.iter().filter(move |h| h.pred == a.pred).map(move |h| (a, h))).any(
        |(a, h)| {
            let places = a.args.iter().zip(&h.args).filter(|(t, _)| vars(t).contains(&v));
            places
                .into_iter()
                .any(|(before, after)| shift(before, after, rule).is_none_or(|by| by.signum() == up))
        },
    )
}

/// A term as a variable and a summand.
fn linear(t: &Term) -> Option<(Var, i64)> {
    match t {
        Term::Var(v) => Some((*v, 0)),
        Term::Linear { coefficient: 1, var, offset, .. } => Some((*var, *offset)),
        _ => None,
    }
}

/// By how much the second term is greater than the first, if that is constant.
fn shift(before: &Term, after: &Term, rule: &Rule) -> Option<i64> {
    if let (Term::Sym(s), Term::Sym(t)) = (before, after) {
        return (s == t).then_some(0);
    }
    let ((v, from), (w, to)) = (linear(before)?, linear(after)?);
    let by = to.checked_sub(from)?;
    if v == w {
        return Some(by);
    }
    equations(rule).into_iter().find_map(|(u, t)| {
        let (x, offset) = linear(t)?;
        match (u, x) {
            (u, x) if (u, x) == (w, v) => by.checked_add(offset),
            (u, x) if (u, x) == (v, w) => by.checked_sub(offset),
            _ => None,
        }
    })
}

/// A step of the recursion.
pub(crate) struct Step<'a> {
    pub rule: &'a Rule,
    /// The literal of its body.
    pub from: &'a Atom,
    /// The atom of the head.
    pub to: &'a Atom,
    /// What bounds the rule's variables.
    pub bounds: &'a Bounds,
}

impl Step<'_> {
    /// By how much an argument moves.
    fn shift(&self, from: usize, to: usize) -> Option<i64> {
        shift(self.from.args.get(from)?, self.to.args.get(to)?, self.rule)
    }

    /// Its ranked arguments.
    fn ranked(&self, places: &Map<PredId, usize>) -> Option<(usize, usize)> {
        Some((*places.get(&self.from.pred)?, *places.get(&self.to.pred)?))
    }

    /// Whether the step moves the ranked arguments forward.
    fn moves(&self, places: &Map<PredId, usize>, direction: i64) -> bool {
        let by = self.ranked(places).and_then(|(from, to)| self.shift(from, to));
        by.is_some_and(|by| by.signum() == direction)
    }

    /// Whether a guard stops the argument in a direction.
    fn is_guarded(&self, from: usize, to: usize, direction: i64) -> bool {
        let ends = [self.from.args.get(from), self.to.args.get(to)];
        ends.into_iter().flatten().filter_map(linear).any(|(v, _)| self.bounds.hold(v, direction))
    }
}

/// Which of the steps cannot be taken forever.
pub(super) fn ending(steps: &[Step<'_>]) -> Vec<bool> {
    let mut ends = vec![false; steps.len()];
    if steps.len() > MAX_STEPS {
        return ends;
    }
    loop {
        let more = seeds(steps, &ends).find_map(|(pred, place, direction)| {
            let left: Vec<usize> = (0..steps.len()).filter(|&i| !ends[i]).collect();
            let places = ranking(steps, &left, pred, place, direction)?;
            let is_free = |&i: &usize| {
                let ranked = steps[i].ranked(&places);
                ranked.is_none_or(|(from, to)| !steps[i].is_guarded(from, to, direction))
            };
            let free: Vec<&Step<'_>> = left.iter().copied().filter(is_free).map(|i| &steps[i]).collect();
            let is_stopped = |&i: &usize| {
                steps[i].moves(&places, direction)
                    && (!is_free(&i) || !leads(steps[i].to.pred, steps[i].from.pred, &free))
            };
            let stopped: Vec<usize> = left.into_iter().filter(is_stopped).collect();
            (!stopped.is_empty()).then_some(stopped)
        });
        let Some(more) = more else { return ends };
        more.into_iter().for_each(|i| ends[i] = true);
    }
}

/// Whether steps lead from a predicate to another.
fn leads(from: PredId, to: PredId, steps: &[&Step<'_>]) -> bool {
    let mut reached: Set<PredId> = Set::default();
    let mut open = vec![from];
    while let Some(pred) = open.pop() {
        if reached.insert(pred) {
            open.extend(steps.iter().filter(|s| s.from.pred == pred).map(|s| s.to.pred));
        }
    }
    reached.contains(&to)
}

/// Arguments to start a ranking from: those that a step moves, and the direction.
fn seeds(steps: &[Step<'_>], ends: &[bool]) -> impl Iterator<Item = (PredId, usize, i64)> {
    let open = steps.iter().zip(ends).filter(|(_, ends)| !**ends).map(|(step, _)| step);
    open.flat_map(|step| {
        (0..step.from.args.len()).flat_map(move |from| {
            let moved = (0..step.to.args.len()).filter_map(move |to| step.shift(from, to));
            moved.filter(|&by| by != 0).map(move |by| (step.from.pred, from, by.signum()))
        })
    })
}

/// An argument of each predicate that steps lead to, such that no step moves back.
fn ranking(
    steps: &[Step<'_>],
    left: &[usize],
    pred: PredId,
    place: usize,
    direction: i64,
) -> Option<Map<PredId, usize>> {
    let mut places: Map<PredId, usize> = Map::default();
    places.insert(pred, place);
    let onward = |step: &Step<'_>, from: usize, to: usize| {
        step.shift(from, to).is_some_and(|by| by.signum() != -direction)
    };
    loop {
        let mut changed = false;
        for &i in left {
            let step = &steps[i];
            let (p, q) = (step.from.pred, step.to.pred);
            match (places.get(&p).copied(), places.get(&q).copied()) {
                (Some(from), Some(to)) if !onward(step, from, to) => return None,
                (Some(from), None) => {
                    let to = (0..step.to.args.len()).find(|&to| onward(step, from, to))?;
                    places.insert(q, to);
                    changed = true;
                }
                (None, Some(to)) => {
                    let from = (0..step.from.args.len()).find(|&from| onward(step, from, to))?;
                    places.insert(p, from);
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return Some(places);
        }
    }
}
