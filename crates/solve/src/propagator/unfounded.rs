//! Unfounded-set check by source pointers.
//!
//! Invariants: an atom's source is a body that is not false and whose atoms of the component all have sources (or, for
//! a weight body, enough of them), and sources contain no cycle. At a fixpoint every atom without source is false.
//! Sources survive backtracking; atoms without one are kept in `waiting` until the level at which they were left is
//! undone. If atoms cannot be given sources again they are unfounded: a small unfounded subset is chosen, and the
//! bodies that could have supported it from outside, all false, are the reason why its atoms are false.
//!
//! Source: Gebser, Kaufmann and Schaub, *Conflict-driven answer set solving: from theory to practice*, AIJ 2012; weight
//! bodies as in Gebser, Kaminski, Kaufmann and Schaub, *On the implementation of weight constraint rules in
//! conflict-driven ASP solvers*, ICLP 2009.

use crate::propagator::loop_graph::{LoopGraph, Summand};
use crate::propagator::sources::{NONE, Sources};
use asp_base::map::Map;
use asp_engine::parameters::LoopNogoods;
use asp_engine::propagator::{Conflict, Context, Keep, Propagator, View};
use asp_engine::store::literal::Lit;

/// The meaning of a watched literal's truth.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A body is false.
    Body(u32),
    /// A literal of a weight body is false.
    Summand(u32),
}

/// Work to be done.
struct Agenda {
    /// Weight bodies that are no longer valid.
    bodies: Vec<u32>,
    /// Atoms that lost their source, and whether an atom is among them.
    atoms: Vec<u32>,
    queued: Vec<bool>,
    /// Atoms without source, all false, with the level at which that was found: once it is undone.
    waiting: Vec<(u32, u32)>,
}

/// The events of literals: by literal a range.
#[derive(Default)]
struct Watches {
    positions: Map<Lit, (u32, u32)>,
    events: Vec<Event>,
}

/// Reasons of lazily explained atoms: the level of their use, and a range of literals.
#[derive(Default)]
struct Reasons {
    uses: Vec<(u32, u32, u32)>,
    lits: Vec<Lit>,
}

/// The unfounded set under construction, with marks of its atoms and of visited bodies.
struct UnfoundedSet {
    atoms: Vec<u32>,
    has: Vec<bool>,
    body_seen: Vec<bool>,
}

/// The propagator of one program.
pub(crate) struct Unfounded {
    pub(crate) graph: LoopGraph,
    sources: Sources,
    agenda: Agenda,
    watches: Watches,
    reasons: Reasons,
    set: UnfoundedSet,
    /// Atoms whose sources have just been lost or found.
    queue: Vec<u32>,
    /// Number of loop nogoods added, and of their literals.
    pub(crate) loops: (u64, u64),
    /// Which loop nogoods are added.
    learn: LoopNogoods,
}

impl Unfounded {
    /// A propagator in which no atom has a source yet.
    pub(crate) fn new(graph: LoopGraph, learn: LoopNogoods) -> Self {
        let (atoms, bodies) = (graph.atom_lits.len(), graph.body_lits.len());
        Self {
            sources: Sources::none(&graph),
            agenda: Agenda {
                bodies: Vec::new(),
                atoms: (0..atoms as u32).rev().collect(),
                queued: vec![true; atoms],
                waiting: Vec::new(),
            },
            watches: Watches::default(),
            reasons: Reasons::default(),
            set: UnfoundedSet { atoms: Vec::new(), has: vec![false; atoms], body_seen: vec![false; bodies] },
            queue: Vec::new(),
            loops: (0, 0),
            learn,
            graph,
        }
    }

    #[inline]
    fn is_valid(&self, body: u32, view: View<'_>) -> bool {
        let b = body as usize;
        self.sources.missing[b] == 0 && self.sources.slack[b] >= 0 && !view.is_false(self.graph.body_lits[b])
    }

    fn lose(&mut self, atom: u32) {
        self.sources.of[atom as usize] = NONE;
        if !self.agenda.queued[atom as usize] {
            self.agenda.queued[atom as usize] = true;
            self.agenda.atoms.push(atom);
        }
        self.queue.push(atom);
    }

    /// Removes a body as a source of all atoms, unless another body can replace it at once.
    fn invalidate(&mut self, body: u32, view: View<'_>) {
        for i in self.graph.heads.range(body as usize) {
            let atom = self.graph.heads.item(i);
            if self.sources.of[atom as usize] == body {
                match self.replacement(atom, body, view) {
                    Some(other) => self.sources.of[atom as usize] = other,
                    None => self.lose(atom),
                }
            }
        }
    }

    /// A body that can replace the source of an atom: everything that it needs has a source of smaller rank.
    fn replacement(&self, atom: u32, body: u32, view: View<'_>) -> Option<u32> {
        let rank = self.sources.rank[atom as usize];
        let lower = |&a: &u32| self.sources.of[a as usize] != NONE && self.sources.rank[a as usize] < rank;
        let fits = |&b: &u32| {
            b != body
                && self.graph.bounds[b as usize].is_none()
                && self.is_valid(b, view)
                && self.graph.predecessors.row(b as usize).iter().all(lower)
        };
        self.graph.supports.row(atom as usize).iter().copied().find(fits)
    }

    fn give_source(&mut self, atom: u32, body: u32) {
        self.sources.of[atom as usize] = body;
        self.sources.last_rank += 1;
        self.sources.rank[atom as usize] = self.sources.last_rank;
        self.queue.push(atom);
    }

    /// Propagates the loss of sources.
    fn spread_loss(&mut self, view: View<'_>) {
        while let Some(atom) = self.queue.pop() {
            for i in self.graph.successors.range(atom as usize) {
                let body = self.graph.successors.item(i);
                self.sources.missing[body as usize] += 1;
                if self.sources.missing[body as usize] == 1 {
                    self.invalidate(body, view);
                }
            }
            for i in self.graph.counted_in.range(atom as usize) {
                let summand = self.graph.counted_in.item(i) as usize;
                self.take(summand, view);
            }
        }
    }

    /// Weight bodies that became invalid may be valid because of atoms that still have sources, which do not depend on
    /// them.
    fn recount(&mut self) {
        while let Some(body) = self.agenda.bodies.pop() {
            for i in self.graph.summands_of.range(body as usize) {
                let summand = self.graph.summands_of.item(i) as usize;
                self.give(summand);
            }
        }
    }

    /// Counts a summand from now on, if its body needs it.
    fn give(&mut self, summand: usize) {
        let s = self.graph.summands[summand];
        let slack = &mut self.sources.slack[s.body.0 as usize];
        let sourced = s.atom.is_none_or(|a| *slack < 0 && self.sources.of[a.0 as usize] != NONE);
        if sourced && !self.sources.falsified[summand] && !self.sources.counted[summand] {
            self.sources.counted[summand] = true;
            *slack += i128::from(s.weight);
        }
    }

    /// Stops counting a summand.
    fn take(&mut self, summand: usize, view: View<'_>) {
        if !std::mem::replace(&mut self.sources.counted[summand], false) {
            return;
        }
        let s = self.graph.summands[summand];
        let slack = &mut self.sources.slack[s.body.0 as usize];
        let was_valid = *slack >= 0;
        *slack -= i128::from(s.weight);
        if was_valid && *slack < 0 {
            self.agenda.bodies.push(s.body.0);
            self.invalidate(s.body.0, view);
        }
    }

    /// Gives an atom a source if one of its bodies can be one, and then all atoms that follow.
    fn find_source(&mut self, atom: u32, view: View<'_>) {
        if self.sources.of[atom as usize] != NONE {
            return;
        }
        let found = self.graph.supports.row(atom as usize).iter().copied().find(|&b| self.is_valid(b, view));
        let Some(body) = found else { return };
        self.give_source(atom, body);
        while let Some(a) = self.queue.pop() {
            for i in self.graph.successors.range(a as usize) {
                let body = self.graph.successors.item(i);
                self.sources.missing[body as usize] -= 1;
                if self.is_valid(body, view) {
                    self.offer(body);
                }
            }
            for i in self.graph.counted_in.range(a as usize) {
                let summand = self.graph.counted_in.item(i) as usize;
                self.give(summand);
                let body = self.graph.summands[summand].body.0;
                if self.is_valid(body, view) {
                    self.offer(body);
                }
            }
        }
    }

    /// To be called when a body has become valid.
    fn offer(&mut self, body: u32) {
        for i in self.graph.heads.range(body as usize) {
            let atom = self.graph.heads.item(i);
            if self.sources.of[atom as usize] == NONE {
                self.give_source(atom, body);
            }
        }
    }

    /// Examines again the atoms left without source at levels that have been undone.
    fn wake(&mut self, level: u32) {
        while let Some(&(atom, at)) = self.agenda.waiting.last() {
            if at <= level {
                break;
            }
            self.agenda.waiting.pop();
            self.enlist(atom);
        }
        while let Some(&(at, start, _)) = self.reasons.uses.last() {
            if at <= level {
                break;
            }
            self.reasons.uses.pop();
            self.reasons.lits.truncate(start as usize);
        }
    }

    fn enlist(&mut self, atom: u32) {
        if self.sources.of[atom as usize] == NONE && !self.agenda.queued[atom as usize] {
            self.agenda.queued[atom as usize] = true;
            self.agenda.atoms.push(atom);
        }
    }

    /// Collects an unfounded set that contains the atom. Pre: no atom without source can be given one.
    fn collect(&mut self, atom: u32, view: View<'_>) {
        self.set.atoms.clear();
        self.set.atoms.push(atom);
        self.set.has[atom as usize] = true;
        let mut next = 0;
        while next < self.set.atoms.len() {
            let x = self.set.atoms[next] as usize;
            next += 1;
            for i in self.graph.supports.range(x) {
                let body = self.graph.supports.item(i) as usize;
                if view.is_false(self.graph.body_lits[body]) {
                    continue;
                }
                if self.graph.bounds[body].is_some() {
                    for k in self.graph.summands_of.range(body) {
                        let s = self.graph.summands[self.graph.summands_of.item(k) as usize];
                        let inner = s.atom.filter(|a| self.sources.of[a.0 as usize] == NONE);
                        if let Some(a) = inner.filter(|_| !view.is_false(s.lit)) {
                            self.include(a.0);
                        }
                    }
                    continue;
                }
                let inner = self.graph.predecessors.row(body);
                if inner.iter().any(|&a| self.set.has[a as usize]) {
                    continue;
                }
                let open = |&&a: &&u32| self.sources.of[a as usize] == NONE;
                if let Some(&a) = inner.iter().find(open) {
                    self.include(a);
                }
            }
        }
    }

    fn include(&mut self, atom: u32) {
        if !self.set.has[atom as usize] {
            self.set.has[atom as usize] = true;
            self.set.atoms.push(atom);
        }
    }

    /// The true literals that prevent support for the set: its outer bodies are false, and weight bodies that could
    /// support it have too many false literals.
    fn reason(&mut self, view: View<'_>) -> Vec<Lit> {
        let mut reason = Vec::new();
        let mut seen = Vec::new();
        for &x in &self.set.atoms {
            for &b in self.graph.supports.row(x as usize) {
                let body = b as usize;
                if std::mem::replace(&mut self.set.body_seen[body], true) {
                    continue;
                }
                seen.push(body);
                let lit = self.graph.body_lits[body];
                match self.graph.bounds[body] {
                    None => {
                        let inside =
                            self.graph.predecessors.row(body).iter().any(|&a| self.set.has[a as usize]);
                        if !inside {
                            debug_assert!(view.is_false(lit));
                            reason.push(!lit);
                        }
                    }
                    Some(bound) => {
                        let summands = || {
                            self.graph.summands_of.row(body).iter().map(|&i| self.graph.summands[i as usize])
                        };
                        let outside = |s: &Summand| s.atom.is_none_or(|a| !self.set.has[a.0 as usize]);
                        let total: i128 = summands().filter(outside).map(|s| i128::from(s.weight)).sum();
                        if total < i128::from(bound) {
                            continue;
                        }
                        if view.is_false(lit) {
                            reason.push(!lit);
                        } else {
                            reason.extend(
                                summands().filter(outside).filter(|s| view.is_false(s.lit)).map(|s| !s.lit),
                            );
                        }
                    }
                }
            }
        }
        for b in seen {
            self.set.body_seen[b] = false;
        }
        reason.sort_unstable();
        reason.dedup();
        reason
    }

    /// Makes the atoms of the set false.
    fn falsify(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        let reason = self.reason(context.view());
        let atoms = self.set.atoms.iter().map(|&a| self.graph.origin[a as usize]);
        context.log_unfounded(atoms, reason.iter().map(|&l| !l));
        let first =
            self.set.atoms.iter().copied().find(|&a| context.is_true(self.graph.atom_lits[a as usize]));
        let first = first.unwrap_or(self.set.atoms[0]);
        for &a in &self.set.atoms {
            self.set.has[a as usize] = false;
        }
        let added = match self.learn {
            LoopNogoods::Common => 1,
            LoopNogoods::Distinct => self.set.atoms.len() as u64,
            LoopNogoods::Never => 0,
        };
        self.loops.0 += added;
        self.loops.1 += added * (reason.len() as u64 + 1);
        let mut clause = Vec::with_capacity(reason.len() + 1);
        clause.push(!self.graph.atom_lits[first as usize]);
        clause.extend(reason.iter().map(|&l| !l));
        if added > 0 {
            context.add_clause(&clause, Keep::WhileUseful)?;
        }
        if self.learn == LoopNogoods::Distinct {
            for &a in self.set.atoms.iter().filter(|&&a| a != first) {
                clause[0] = !self.graph.atom_lits[a as usize];
                context.add_clause(&clause, Keep::WhileUseful)?;
            }
        } else if self.set.atoms.len() > 1 || added == 0 {
            let data = self.reasons.uses.len() as u32;
            let start = self.reasons.lits.len() as u32;
            self.reasons.lits.extend_from_slice(&reason);
            self.reasons.uses.push((context.level(), start, self.reasons.lits.len() as u32));
            for i in 0..self.set.atoms.len() {
                let lit = !self.graph.atom_lits[self.set.atoms[i] as usize];
                if context.value(lit).is_none() || added == 0 {
                    context.enqueue(lit, data)?;
                }
            }
        }
        Ok(())
    }

    /// Compares with a computation from scratch: every atom that is not false and can be founded has a source, and the
    /// counters are right. Pre: a fixpoint at which nothing was added.
    #[cfg(test)]
    pub(crate) fn check_sources(&self, view: View<'_>) {
        let g = &self.graph;
        let mut founded = vec![false; g.atom_lits.len()];
        loop {
            let mut changed = false;
            for a in 0..founded.len() {
                let by = |b: usize| {
                    if view.is_false(g.body_lits[b]) {
                        return false;
                    }
                    match g.bounds[b] {
                        None => g.predecessors.row(b).iter().all(|&x| founded[x as usize]),
                        Some(bound) => {
                            let sum: i128 = g
                                .summands_of
                                .row(b)
                                .iter()
                                .map(|&i| g.summands[i as usize])
                                .filter(|s| {
                                    !view.is_false(s.lit) && s.atom.is_none_or(|x| founded[x.0 as usize])
                                })
                                .map(|s| i128::from(s.weight))
                                .sum();
                            sum >= i128::from(bound)
                        }
                    }
                };
                if !founded[a] && g.supports.row(a).iter().any(|&b| by(b as usize)) {
                    founded[a] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (a, &is_founded) in founded.iter().enumerate() {
            if !view.is_false(g.atom_lits[a]) {
                assert!(is_founded, "atom {} is unfounded and was missed", g.origin[a]);
                assert!(self.sources.of[a] != NONE, "atom {} is founded without a source", g.origin[a]);
            }
            let source = self.sources.of[a];
            if source != NONE && g.bounds[source as usize].is_none() {
                let lower = |&x: &u32| self.sources.rank[x as usize] < self.sources.rank[a];
                assert!(
                    g.predecessors.row(source as usize).iter().all(lower),
                    "ranks of sources do not grow"
                );
            }
            if self.sources.of[a] != NONE {
                assert!(!view.is_false(g.body_lits[self.sources.of[a] as usize]), "a source is false");
            }
        }
        for b in 0..g.body_lits.len() {
            let open = g.predecessors.row(b).iter().filter(|&&a| self.sources.of[a as usize] == NONE).count();
            assert_eq!(open as u32, self.sources.missing[b]);
            if let Some(bound) = g.bounds[b] {
                let sum: i128 = g
                    .summands_of
                    .row(b)
                    .iter()
                    .filter(|&&i| self.sources.counted[i as usize])
                    .map(|&i| i128::from(g.summands[i as usize].weight))
                    .sum();
                assert_eq!(sum - i128::from(bound), self.sources.slack[b]);
            }
        }
        for (i, s) in g.summands.iter().enumerate() {
            assert_eq!(self.sources.falsified[i], view.is_false(s.lit));
        }
    }
}

impl Propagator for Unfounded {
    fn attach(&mut self, context: &mut Context<'_>) {
        let bodies = self.graph.body_lits.iter().enumerate().map(|(b, &l)| (!l, Event::Body(b as u32)));
        let summands =
            self.graph.summands.iter().enumerate().map(|(i, s)| (!s.lit, Event::Summand(i as u32)));
        let mut all: Vec<(Lit, Event)> = bodies.chain(summands).collect();
        all.sort_by_key(|e| e.0);
        for (lit, event) in all {
            let at = self.watches.events.len() as u32;
            self.watches.events.push(event);
            let range = self.watches.positions.entry(lit).or_insert((at, at));
            range.1 = at + 1;
            if range.0 == at {
                context.watch(lit);
            }
        }
    }

    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
        let view = context.view();
        self.wake(view.level());
        for lit in changed {
            let Some(&(start, end)) = self.watches.positions.get(lit) else { continue };
            for e in start..end {
                match self.watches.events[e as usize] {
                    Event::Body(b) => self.invalidate(b, view),
                    Event::Summand(i) => {
                        self.take(i as usize, view);
                        self.sources.falsified[i as usize] = true;
                    }
                }
                self.spread_loss(view);
                self.recount();
            }
        }
        if self.agenda.atoms.is_empty() {
            return Ok(());
        }
        for i in 0..self.agenda.atoms.len() {
            let view = context.view();
            self.find_source(self.agenda.atoms[i], view);
        }
        let level = context.level();
        while let Some(&atom) = self.agenda.atoms.last() {
            let open = self.sources.of[atom as usize] == NONE;
            if open && !context.is_false(self.graph.atom_lits[atom as usize]) {
                self.collect(atom, context.view());
                // Unit propagation continues first; the atoms are still on the list.
                return self.falsify(context);
            }
            self.agenda.atoms.pop();
            self.agenda.queued[atom as usize] = false;
            if open {
                self.agenda.waiting.push((atom, level));
            }
        }
        #[cfg(test)]
        self.check_sources(context.view());
        Ok(())
    }

    fn explain(&mut self, _: View<'_>, _: Lit, data: u32, because: &mut Vec<Lit>) {
        let (_, start, end) = self.reasons.uses[data as usize];
        because.extend_from_slice(&self.reasons.lits[start as usize..end as usize]);
    }

    fn undo(&mut self, _: u32, undone: &[Lit]) {
        for lit in undone {
            let Some(&(start, end)) = self.watches.positions.get(lit) else { continue };
            for e in start..end {
                if let Event::Summand(i) = self.watches.events[e as usize] {
                    let i = i as usize;
                    self.sources.falsified[i] = false;
                    self.give(i);
                }
            }
        }
    }

    fn priority(&self) -> u32 {
        10
    }

    fn is_eager(&self) -> bool {
        true
    }
}
