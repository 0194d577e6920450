//! Linear programming bounds at nodes of the search: nodes that cannot improve on the best model are pruned, and literals
//! that lead there are made false (reduced cost fixing).
//!
//! While a guard is true, the objective is at most a goal. At fixpoints of propagation, at first at all of them and then
//! as often as an adaptive share of the work permits, the programme is solved with the assigned columns fixed. Its rounded
//! multipliers combine the rows and the objective into one integer sum, which must not exceed the slack: if even its least
//! value does, that is a conflict, and literals that would make it do so are false. Reasons are the literals and integer
//! bounds that make the sum too large; the latest are left out, or replaced by earlier and weaker ones, as far as possible.
//!
//! At first, and then for a share of the work that depends on success, the search *dives*: the programme is solved at every
//! node, and the literal with the value nearest to 1 in its solution is decided. So a first model is about as good as the
//! programme's bound, where activities alone would need thousands of models to get there. Invariant: each reason follows
//! from rows, goal and guard in integer arithmetic; a [`Snapshot`] stays as long as literals on the trail may need it.
//! Source: Achterberg, *Constraint integer programming*, 2007.

use crate::integer::store::{Int, Side};
use crate::propagator::{Conflict, Context, Halt, Keep, Propagator, View};
use crate::relaxation::dives::Dives;
use crate::relaxation::problem::{Problem, Subject};
use crate::relaxation::programme::Programme;
use crate::store::literal::Lit;

/// Work of the simplex that counts as a step of the search.
const RATE: f64 = 6.0;
/// The part of this work, dives and the opening aside, that is charged where bounds and cores take turns: with none,
/// lessons and timetables take 2.5 times as long, as cores come too late; with all of it, dense cuts, proven by bounds,
/// lack time.
const CHARGED: f64 = 0.25;
/// The share of all work used at first never falls below this part of itself, ...
const LEAST_SHARE: f64 = 0.07;
/// ... and is multiplied by these on success and on failure: it rises with one success in five nodes.
const MORE: f64 = 1.06;
const LESS: f64 = 0.985;
/// Above this many times itself it rises if every other node is left, ...
const FAIR_SHARE: f64 = 2.0;
const MUCH_LESS: f64 = 0.95;
/// ... up to this: then the programme is solved everywhere, for some time.
const GREATEST_SHARE: f64 = 3.0;
/// Costs that are kept for reasons.
const MAX_KEPT: usize = 8_000_000;
/// How near a column is to its value to have it.
const WHOLE: f64 = 1e-6;
/// The opening: the programme is solved at all nodes, however few are pruned at so many, ...
const TRIED: u32 = 300;
/// ... and up to this work, in steps of the search, ...
const TRIED_WORK: f64 = 2e7;
/// ... then while at least one in this many of all nodes so far is pruned, ...
const PRUNED: u32 = 4;
/// ... up to this work.
const OPENING_WORK: f64 = 1.2e8;
/// Rounds of rows at a node, and at one of a dive.
const NODE_ROUNDS: u32 = 2;
const DIVE_ROUNDS: u32 = 20;
/// Work at one node.
const NODE: u64 = 3_000_000;

/// A sum that must be at most something while the guard is true.
struct Snapshot {
    level: u32,
    /// The length of the trail.
    trail: u32,
    costs: Vec<i64>,
    most: i128,
}

/// The contribution of literals, or of an integer's bound, to the least value of a sum.
struct Part {
    gain: i128,
    because: Because,
    /// Where the last of them is on the trail.
    position: u32,
}

enum Because {
    Literals(Vec<Lit>),
    /// That a side is at least a number, and what one less takes off.
    Bound(Side, i64, i128),
}

/// The bounds of one objective.
pub struct Bounding {
    state: Option<State>,
}

struct State {
    programme: Programme,
    guard: Lit,
    goal: i128,
    /// By column: its bounds in the programme.
    ranges: Vec<(i64, i64)>,
    snapshots: Vec<Snapshot>,
    share: f64,
    /// The share at first; 1: everywhere.
    wanted: f64,
    /// The engine's steps and the work of the programme when it was installed.
    began: (u64, u64),
    /// The work of the programme that is charged to the engine.
    charged: u64,
    /// The nodes at which it was solved, dives aside, and how many of them were pruned.
    nodes: u32,
    pruned: u32,
    /// The length of the trail at the last call.
    seen: usize,
    /// The goal at the last time, if it ended with a solution of all rows.
    solved: Option<i128>,
    dives: Dives,
}

impl Bounding {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { state: None }
    }

    pub(crate) fn install(&mut self, programme: Programme, steps: u64, wanted: f64) {
        let ranges = programme.problem.sizes.iter().map(|&size| (0, size)).collect();
        let began = (steps, programme.work());
        let (guard, goal) = (Lit::NONE, 0);
        self.state = Some(State {
            programme,
            guard,
            goal,
            ranges,
            snapshots: Vec::new(),
            share: wanted,
            wanted,
            began,
            charged: 0,
            nodes: 0,
            pruned: 0,
            seen: 0,
            solved: None,
            dives: Dives::new(),
        });
    }

    /// While the guard is true, the terms of the objective add up to at most the goal. Pre: the engine is at the root, and
    /// the goal of a guard only decreases.
    pub fn demand(&mut self, guard: Lit, goal: i128) {
        if let Some(state) = &mut self.state {
            let is_better = state.guard != Lit::NONE && goal < state.goal;
            (state.guard, state.goal) = (guard, goal);
            if is_better {
                state.dives.extend();
            }
        }
    }

    /// Forgets the programme. Pre: the engine is at the root.
    pub fn remove(&mut self) {
        self.state = None;
    }
}

impl Default for Bounding {
    fn default() -> Self {
        Self::new()
    }
}

impl Propagator for Bounding {
    fn attach(&mut self, context: &mut Context<'_>) {
        context.follow_levels();
        context.offer_decisions();
    }

    fn propagate(&mut self, context: &mut Context<'_>, _: &[Lit]) -> Result<(), Conflict> {
        match &mut self.state {
            Some(state) => {
                state.dives.end(state.work(context));
                if !state.is_due(context) {
                    return Ok(());
                }
                let (before, is_dive) = (state.spent(), state.dives.is_under_way());
                let part = if state.is_opening() { 1.0 } else { CHARGED };
                let found = state.run(context);
                if !is_dive {
                    state.charge(context, before, part);
                }
                found
            }
            None => Ok(()),
        }
    }

    fn explain(&mut self, view: View<'_>, lit: Lit, data: u32, because: &mut Vec<Lit>) {
        let Some(state) = &self.state else { return };
        let snapshot = &state.snapshots[data as usize];
        because.push(state.guard);
        state.programme.problem.reason(snapshot, view, Some(lit), because);
    }

    fn leave(&mut self, _: View<'_>, level: u32) {
        if let Some(state) = &mut self.state {
            while state.snapshots.last().is_some_and(|s| s.level > level) {
                state.snapshots.pop();
            }
            state.dives.count_conflict();
        }
    }

    fn decide(&mut self, view: View<'_>, own: Lit) -> Result<Lit, Halt> {
        let dives = self.state.as_ref().filter(|state| state.dives.is_under_way());
        Ok(dives.and_then(|state| state.nearest(view)).unwrap_or(own))
    }

    fn priority(&self) -> u32 {
        u32::MAX
    }

    fn is_eager(&self) -> bool {
        true
    }
}

impl State {
    /// Whether there is something new and work left for it.
    fn is_due(&self, context: &Context<'_>) -> bool {
        // There are no nodes below the last assumption.
        let is_node = context.level() >= context.base_level();
        if !is_node || self.guard == Lit::NONE || !context.is_true(self.guard) {
            return false;
        }
        let trail = context.engine.assignment.trail.len();
        let is_new = trail != self.seen && self.snapshots.len() * self.ranges.len() < MAX_KEPT;
        is_new && (self.is_opening() || self.has_work_left(context))
    }

    /// Whether the programme is still solved at all nodes, as at first.
    fn is_opening(&self) -> bool {
        let spent = self.spent() - self.dives.spent();
        let is_tried = self.nodes >= TRIED || spent >= TRIED_WORK;
        (!is_tried || self.pruned * PRUNED >= self.nodes) && spent < OPENING_WORK
    }

    /// Whether the programme has no limit or has used less than its share of the work, not counting dives, which have a
    /// share of their own.
    fn has_work_left(&self, context: &Context<'_>) -> bool {
        let dives = self.dives.spent();
        self.wanted >= 1.0
            || self.dives.is_under_way()
            || self.spent() - dives <= self.share * (self.work(context) - dives)
    }

    /// The work of the programme since it was installed, in steps of the search.
    fn spent(&self) -> f64 {
        (self.programme.work() - self.began.1) as f64 / RATE
    }

    /// All work since then.
    fn work(&self, context: &Context<'_>) -> f64 {
        (context.engine.steps() - self.began.0 - self.charged) as f64 + self.spent()
    }

    /// Charges a part of the work spent at a node to the engine, so that turns of bounds do not grow by it.
    fn charge(&mut self, context: &mut Context<'_>, before: f64, part: f64) {
        let steps = ((self.spent() - before) * part) as u64;
        self.charged += steps;
        context.engine.add_steps(steps);
    }

    /// The fractional literal nearest to 1 in the solution, if that is the solution of this node.
    fn nearest(&self, view: View<'_>) -> Option<Lit> {
        if self.seen != view.assignment.trail.len() {
            return None;
        }
        let x = &self.programme.x;
        let open = (0..x.len()).filter(|&j| self.ranges[j].0 < self.ranges[j].1);
        let open = open.filter(|&j| x[j] > WHOLE && x[j] < 1.0 - WHOLE);
        let literal = |j: usize| match self.programme.problem.subjects[j] {
            Subject::Var(var) => Some((x[j], Lit::pos(var))),
            Subject::Int(..) => None,
        };
        open.filter_map(literal).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|best| best.1)
    }

    fn run(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        if self.bound_columns(context.view()) {
            return Ok(());
        }
        let rounds = if self.dives.is_under_way() { DIVE_ROUNDS } else { NODE_ROUNDS };
        let (mut whole, mut is_solution) = self.programme.again(self.goal, NODE, rounds);
        if context.level() == context.base_level() {
            let may_go_on = || context.engine.call.interrupt.poll().is_none();
            while is_solution
                && may_go_on()
                && self.has_work_left(context)
                && self.programme.tighten(self.goal)
            {
                (whole, is_solution) = self.programme.again(self.goal, NODE, NODE_ROUNDS);
            }
            self.programme.drop_slack();
            if is_solution {
                self.dives.begin(self.work(context));
            }
        }
        let found = match whole {
            Some(mut whole) => {
                self.programme.problem.quieten(&mut whole);
                let most = whole.scale.checked_mul(self.goal).and_then(|goal| goal.checked_sub(whole.base));
                most.map_or(Ok(false), |most| self.follow(context, whole.costs, most))
            }
            None => Ok(false),
        };
        let (is_left, is_idle) = (found.is_err(), matches!(found, Ok(false)));
        if !self.dives.is_under_way() {
            self.nodes += 1;
            self.pruned += u32::from(is_left);
            self.weigh(is_left, is_idle);
        }
        if is_solution && is_idle {
            self.set_phases(context);
        }
        self.solved = is_solution.then_some(self.goal);
        found.map(|_| ())
    }

    /// Adjusts the share of work by whether a node was pruned or nothing was found.
    fn weigh(&mut self, is_left: bool, is_idle: bool) {
        let is_fair = self.share <= FAIR_SHARE * self.wanted;
        self.share *= match (is_left, is_idle, is_fair) {
            (true, ..) | (_, false, true) => MORE,
            (_, _, true) => LESS,
            _ => MUCH_LESS,
        };
        self.share = self.share.clamp(LEAST_SHARE * self.wanted, GREATEST_SHARE);
    }

    /// Bounds the columns. Returns whether all newly bounded ones keep the values of the last solution: then it is still
    /// optimal.
    fn bound_columns(&mut self, view: View<'_>) -> bool {
        self.seen = view.assignment.trail.len();
        let mut is_same = self.solved == Some(self.goal);
        for (j, range) in self.ranges.iter_mut().enumerate() {
            let now = self.programme.problem.range(j, view);
            if now != *range {
                let is_wider = now.0 < range.0 || now.1 > range.1;
                *range = now;
                self.programme.set(j as u32, now);
                let x = self.programme.x[j];
                is_same &= !is_wider && now.0 as f64 - WHOLE < x && x < now.1 as f64 + WHOLE;
            }
        }
        is_same
    }

    /// Decisions begin with the values of the solution.
    fn set_phases(&self, context: &mut Context<'_>) {
        for (j, _) in self.ranges.iter().enumerate().filter(|(_, range)| range.0 < range.1) {
            let x = self.programme.x[j];
            match self.programme.problem.subjects[j] {
                Subject::Var(var) => context.engine.set_phase(var, x > 0.5),
                Subject::Int(int, least) => {
                    context.engine.constraints.integers.prefer(int, least + x.round() as i64);
                }
            }
        }
    }

    /// Propagates an upper bound on the sum; returns whether anything follows.
    fn follow(&mut self, context: &mut Context<'_>, costs: Vec<i64>, most: i128) -> Result<bool, Conflict> {
        let view = context.view();
        let snapshot = Snapshot { level: view.level(), trail: self.seen as u32, costs, most };
        let problem = &self.programme.problem;
        let (least, parts) = problem.parts(&snapshot.costs, view, snapshot.trail, None);
        let slack = most - least - parts.iter().map(|p| p.gain).sum::<i128>();
        if slack < 0 {
            let mut because = vec![self.guard];
            problem.reason(&snapshot, view, None, &mut because);
            because.retain(|&l| !view.is_fixed(l));
            let clause: Vec<Lit> = because.iter().map(|&l| !l).collect();
            context.engine.keep_names(&clause);
            context.add_clause(&clause, Keep::WhileUseful)?;
            return Ok(true);
        }
        let (literals, bounds) = problem.too_costly(&snapshot.costs, view, slack);
        if literals.is_empty() && bounds.is_empty() {
            return Ok(false);
        }
        let data = self.snapshots.len() as u32;
        self.snapshots.push(snapshot);
        literals.into_iter().try_for_each(|lit| context.enqueue(lit, data))?;
        bounds.into_iter().try_for_each(|bound| context.raise(bound, data))?;
        self.seen = context.engine.assignment.trail.len();
        Ok(true)
    }
}

impl Problem {
    /// The bounds of a column now.
    fn range(&self, j: usize, view: View<'_>) -> (i64, i64) {
        match self.subjects[j] {
            Subject::Var(var) => match view.assignment.value(Lit::pos(var)) {
                0 => (0, 1),
                value => (i64::from(value > 0), i64::from(value > 0)),
            },
            Subject::Int(int, least) => {
                let (low, high) = view.integers.bounds(int);
                (low - least, high - least)
            }
        }
    }

    /// The side of an integer whose bound adds to a sum, and by how much for a given bound.
    fn side(&self, int: Int, costs: &[i64]) -> Option<(Side, impl Fn(i64) -> i128)> {
        let &j = self.int_columns.get(&int)?;
        let cost = i128::from(costs[j as usize]);
        let Subject::Int(_, least) = self.subjects[j as usize] else { return None };
        let first = if cost < 0 { -(least + self.sizes[j as usize]) } else { least };
        let gain = move |bound: i64| cost.abs() * i128::from(bound - first);
        (cost != 0).then_some((Side::of(int, cost < 0), gain))
    }

    /// The least value of a sum, and the contributions of literals at positions before one, without those of a variable or
    /// its group.
    fn parts(&self, costs: &[i64], view: View<'_>, before: u32, without: Option<Lit>) -> (i128, Vec<Part>) {
        let is_known = |lit: Lit| !view.assignment.is_free(lit) && view.position_of(lit) < before;
        let own = without.and_then(|l| view.integers.names.bound_of(!l)).map(|b| b.0);
        let (mut least, mut parts) = (0i128, Vec::new());
        for &j in &self.singles {
            let cost = i128::from(costs[j as usize]);
            least += cost.min(0) * i128::from(self.sizes[j as usize]);
            match self.subjects[j as usize] {
                Subject::Var(var) => {
                    let dear = Lit::new(var, cost < 0);
                    if cost != 0
                        && is_known(dear)
                        && view.is_true(dear)
                        && without.is_none_or(|l| l.var() != var)
                    {
                        let (gain, position) = (cost.abs(), view.position_of(dear));
                        parts.push(Part { gain, because: Because::Literals(vec![dear]), position });
                    }
                }
                Subject::Int(int, _) => {
                    let Some((side, gain)) = self.side(int, costs).filter(|s| own != Some(s.0)) else {
                        continue;
                    };
                    let bound = view.integers.bound_before(side, before);
                    let cause = view.integers.cause(side, bound, view.assignment).1;
                    parts.push(Part {
                        gain: gain(bound),
                        because: Because::Bound(side, bound, cost.abs()),
                        position: cause.map_or(0, |lit| view.position_of(lit)),
                    });
                }
            }
        }
        for (g, group) in self.groups.rows().enumerate() {
            let (constant, all) = self.best_of(g, costs, |_| true);
            least += constant + all;
            let member = |m: &(u32, bool)| self.member(*m);
            if group.iter().any(|m| without.is_some_and(|l| l.var() == member(m).var())) {
                continue;
            }
            let chosen = group.iter().find(|m| is_known(member(m)) && view.is_true(member(m)));
            let part = match chosen {
                Some(m) => {
                    let gain = change(costs, *m) - all;
                    let because = Because::Literals(vec![member(m)]);
                    Part { gain, because, position: view.position_of(member(m)) }
                }
                None => {
                    let is_out = |m: &(u32, bool)| is_known(member(m)) && view.is_false(member(m));
                    let (_, open) = self.best_of(g, costs, |m| !is_out(m));
                    let because: Vec<Lit> = group
                        .iter()
                        .filter(|m| is_out(m) && change(costs, **m) < open)
                        .map(|m| !member(m))
                        .collect();
                    let position = because.iter().map(|&l| view.position_of(l)).max().unwrap_or(0);
                    Part { gain: open - all, because: Because::Literals(because), position }
                }
            };
            if part.gain > 0 {
                parts.push(part);
            }
        }
        (least, parts)
    }

    /// The literal of a member of a group.
    fn member(&self, (j, negative): (u32, bool)) -> Lit {
        match self.subjects[j as usize] {
            Subject::Var(var) => Lit::new(var, negative),
            Subject::Int(..) => Lit::NONE,
        }
    }

    /// The least contribution of a group, and by its cheapest choice among some members; any, if none is possible.
    fn best_of(&self, g: usize, costs: &[i64], may: impl Fn(&(u32, bool)) -> bool) -> (i128, i128) {
        let group = self.groups.row(g);
        let constant = group.iter().filter(|m| m.1).map(|m| i128::from(costs[m.0 as usize])).sum();
        let none = (!self.exact[g]).then_some(0);
        let best = group.iter().filter(|m| may(m)).map(|m| change(costs, *m)).chain(none).min();
        let best = best.or_else(|| group.iter().map(|m| change(costs, *m)).min());
        (constant, best.unwrap_or(0))
    }

    /// True literals with which the sum exceeds its limit, with the complement of the literal if there is one.
    fn reason(&self, snapshot: &Snapshot, view: View<'_>, lit: Option<Lit>, because: &mut Vec<Lit>) {
        let costs = &snapshot.costs;
        let before = lit.map_or(snapshot.trail, |l| snapshot.trail.min(view.position_of(l)));
        let (least, mut parts) = self.parts(costs, view, before, lit);
        let own = lit.map_or(0, |lit| self.gain_of(costs, view, !lit));
        let mut spare = least + own + parts.iter().map(|p| p.gain).sum::<i128>() - snapshot.most - 1;
        debug_assert!(spare >= 0, "a reason must be one");
        parts.sort_by_key(|p| std::cmp::Reverse(p.position));
        for part in parts {
            if part.gain <= spare {
                spare -= part.gain;
                continue;
            }
            match part.because {
                Because::Literals(literals) => because.extend(literals),
                Because::Bound(side, bound, cost) => {
                    // An earlier and weaker bound may do.
                    let enough = i128::from(bound) - spare / cost;
                    let (found, lit) = view.integers.cause(side, enough as i64, view.assignment);
                    spare -= cost * i128::from((bound - found).max(0));
                    because.extend(lit);
                }
            }
        }
    }

    /// The least increase of a sum if a literal is the only true one of its group.
    fn gain_of(&self, costs: &[i64], view: View<'_>, lit: Lit) -> i128 {
        // A name is a literal and a bound.
        let bound = view.integers.names.bound_of(lit);
        let of_bound = bound.and_then(|(side, value)| {
            self.side(side.int(), costs).filter(|s| s.0 == side).map(|(_, gain)| gain(value))
        });
        let Some(&column) = self.columns.get(&lit.var()) else { return of_bound.unwrap_or(0) };
        let in_group = |row: &[(u32, bool)]| row.iter().copied().find(|m| m.0 == column);
        let of_literal = match self.groups.rows().enumerate().find_map(|(g, row)| Some((g, in_group(row)?))) {
            Some((g, member)) if lit == Lit::new(lit.var(), member.1) => {
                change(costs, member) - self.best_of(g, costs, |_| true).1
            }
            Some(_) => 0,
            None => i128::from(costs[column as usize]).abs(),
        };
        of_literal + of_bound.unwrap_or(0)
    }

    /// Complements of open literals that would exceed a sum's slack, and bounds beyond which integers would.
    fn too_costly(&self, costs: &[i64], view: View<'_>, slack: i128) -> (Vec<Lit>, Vec<(Side, i64)>) {
        let (mut literals, mut bounds) = (Vec::new(), Vec::new());
        for &j in &self.singles {
            let cost = i128::from(costs[j as usize]);
            match self.subjects[j as usize] {
                Subject::Var(var) => {
                    if cost.abs() > slack && view.assignment.is_free(Lit::pos(var)) {
                        literals.push(Lit::new(var, cost > 0));
                    }
                }
                Subject::Int(int, _) => {
                    let (low, high) = view.integers.bounds(int);
                    if cost.abs() * i128::from(high - low) > slack {
                        let spare = (slack / cost.abs()) as i64;
                        let most = if cost > 0 { low + spare } else { spare - high };
                        bounds.push((Side::of(int, cost > 0), -most));
                    }
                }
            }
        }
        for (g, group) in self.groups.rows().enumerate() {
            let member = |m: &(u32, bool)| self.member(*m);
            if group.iter().any(|m| view.is_true(member(m))) {
                continue;
            }
            let (_, open) = self.best_of(g, costs, |m| !view.is_false(member(m)));
            for m in group {
                if view.assignment.is_free(member(m)) && change(costs, *m) - open > slack {
                    literals.push(!member(m));
                }
            }
        }
        (literals, bounds)
    }
}

/// The change of a sum by choosing a member of a group.
fn change(costs: &[i64], (j, negative): (u32, bool)) -> i128 {
    let cost = i128::from(costs[j as usize]);
    if negative { -cost } else { cost }
}
