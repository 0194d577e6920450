//! Body aggregates: their elements are instantiated for one binding of the rule, and their bounds decided as far as facts
//! permit.
//!
//! Invariant: an aggregate whose truth is certain leaves no trace in the ground program; otherwise an auxiliary atom
//! stands for it, one for each binding of its global variables and guards.

use super::extent::{Extent, always, contradict, is_monotone};
use super::tuples::{Tuples, ignored, no_weight};
use crate::compile::{CompiledAggregate, CompiledRule};
use crate::domain::table::Table;
use crate::join::machine::{Holds, Machine};
use crate::sink::Sink;
use crate::state::{Flow, Halt};
use asp_base::span::Span;
use asp_base::symbol::Sym;
use asp_program::AtomId;
use asp_program::ground_program::{AggregateElement, Definition, Guard};
use asp_syntax::ast::{AggregateFunction, Relation, Sign};

/// The result for an instance of an aggregate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Certainly holds.
    True,
    /// Cannot hold.
    False,
    /// Depends on this atom; `None` if nothing is written.
    Open(Option<AtomId>),
}

/// Verdicts by the values of global variables and guards. For an aggregate whose values are enumerated: the values, with the
/// verdicts requested so far.
struct Cache {
    keys: Table,
    verdicts: Vec<Verdict>,
    /// Where the values of each key lie.
    runs: Vec<(u32, u32)>,
    values: Vec<(Sym, Option<Verdict>)>,
}

/// The aggregates of a rule's body while it runs.
pub(crate) struct Aggregates<'r> {
    compiled: &'r [CompiledAggregate],
    /// The tuples of the current instance.
    tuples: Tuples,
    /// By number of the aggregate.
    caches: Vec<Cache>,
}

impl<'r> Aggregates<'r> {
    /// An empty cache for each aggregate of a rule.
    pub(crate) fn new(rule: &'r CompiledRule) -> Self {
        let cache = |a: &CompiledAggregate| Cache {
            keys: Table::new(a.globals.len() + a.guards.len()),
            verdicts: Vec::new(),
            runs: Vec::new(),
            values: Vec::new(),
        };
        let caches = rule.aggregates.iter().map(cache).collect();
        Self { compiled: &rule.aggregates, tuples: Tuples::default(), caches }
    }

    /// Instantiates the elements of an aggregate for the current binding.
    fn gather(&mut self, m: &mut Machine<'_>, mut sink: Sink, number: usize) -> Flow {
        let aggregate = &self.compiled[number];
        self.tuples.clear();
        let height = m.literals.len();
        for (tuple, steps, span) in &aggregate.elements {
            m.run(&mut sink, steps, &mut |m, _| {
                let Some(start) = m.eval_args(tuple) else { return m.state.check_failure() };
                if has_weight(m, aggregate.function, *span, start) {
                    self.tuples.add(&m.scratch[start..], &m.literals[height..]);
                }
                m.scratch.truncate(start);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Decides an aggregate whose guards are bound.
    pub(crate) fn check(&mut self, m: &mut Machine<'_>, sink: Sink, number: usize) -> Result<Holds, Halt> {
        let aggregate = &self.compiled[number];
        let Some((start, guards_at)) = push_key(m, aggregate, None) else { return Ok(Holds::No) };
        // The verdict for these values may be known, unless the domains are still growing.
        let cached = sink.writes().then(|| self.caches[number].keys.insert(&m.scratch[start..]));
        let verdict = match cached {
            Some((row, false)) => self.caches[number].verdicts[row as usize],
            _ => {
                let values = &m.scratch[guards_at..];
                let bounds: Vec<(Relation, Sym)> =
                    aggregate.guards.iter().zip(values).map(|((r, _), &v)| (*r, v)).collect();
                m.scratch.truncate(start);
                self.gather(m, sink, number)?;
                let verdict = self.decide(m, sink, number, &bounds)?;
                if cached.is_some() {
                    self.caches[number].verdicts.push(verdict);
                }
                verdict
            }
        };
        m.scratch.truncate(start);
        Ok(add_verdict(m, sink, aggregate.sign, verdict))
    }

    /// Decides the gathered aggregate under bounds, or makes an atom for it.
    fn decide(
        &mut self,
        m: &mut Machine<'_>,
        sink: Sink,
        number: usize,
        bounds: &[(Relation, Sym)],
    ) -> Result<Verdict, Halt> {
        let aggregate = &self.compiled[number];
        let policy = aggregate.policy;
        let mut extent = Extent::of(aggregate.function, &self.tuples, m.state.symbols);
        if policy.widens {
            extent = extent.widened(aggregate.function, &self.tuples, m.state.symbols);
        }
        if let Extent::Numbers(low, high) = extent
            && (i64::try_from(low).is_err() || i64::try_from(high).is_err())
        {
            return Err(m.state.messages.overflow(aggregate.span));
        }
        // More tuples may still come.
        let growing = !sink.writes() && aggregate.recursive;
        let negated = aggregate.sign != Sign::None;
        let stays = |relation| !growing || !negated && is_monotone(aggregate.function, relation);
        let mut open: Vec<Guard> = Vec::new();
        for &(relation, term) in bounds {
            match extent.decide(relation, term, m.state.symbols) {
                Some(false) if growing && negated || policy.open_if_false => {}
                Some(false) => return Ok(Verdict::False),
                Some(true) if !policy.open_if_true && stays(relation) => continue,
                Some(true) if policy.open_if_true && always(aggregate.function, relation, term) => continue,
                _ => {}
            }
            open.push(Guard { relation, term });
        }
        let equations = bounds.iter().filter(|b| b.0 == Relation::Equal).count();
        if contradict(bounds, m.state.symbols) && !policy.splits(equations) && !policy.open_if_false {
            return Ok(Verdict::False);
        }
        if open.is_empty() {
            return Ok(Verdict::True);
        }
        let tuples = &self.tuples;
        let atom = sink.define(m.state.program, |program| {
            let elements = tuples.elements().map(|(tuple, condition)| AggregateElement {
                tuple: program.push_terms(tuple),
                condition: program.push_literals(condition),
            });
            Definition::Aggregate {
                function: aggregate.function,
                set: aggregate.set,
                guards: open,
                elements: elements.collect(),
                recursive: aggregate.recursive,
            }
        });
        Ok(Verdict::Open(atom))
    }

    /// The values that an aggregate may take for the current binding, as positions in its cache.
    pub(crate) fn open_values(
        &mut self,
        m: &mut Machine<'_>,
        sink: Sink,
        number: usize,
        guard: usize,
    ) -> Result<(i64, i64), Halt> {
        let aggregate = &self.compiled[number];
        let Some((start, _)) = push_key(m, aggregate, Some(guard)) else { return Ok((0, 0)) };
        let (row, new) = self.caches[number].keys.insert(&m.scratch[start..]);
        m.scratch.truncate(start);
        if new {
            self.gather(m, sink, number)?;
            let values = self.possible_values(m, aggregate)?;
            let at = self.caches[number].values.len() as u32;
            // A single value is decided at once, while its elements are available.
            let single = match values[..] {
                [one] => Some(self.decide_value(m, sink, number, guard, one)?),
                _ => None,
            };
            let cache = &mut self.caches[number];
            cache.values.extend(values.into_iter().map(|v| (v, single)));
            cache.runs.push((at, cache.values.len() as u32));
        }
        let (a, b) = self.caches[number].runs[row as usize];
        Ok((a.into(), b.into()))
    }

    /// The value at a position that [`Self::open_values`] returned.
    pub(crate) fn value(&self, number: usize, place: usize) -> Sym {
        self.caches[number].values[place].0
    }

    /// The values that the gathered aggregate may take.
    fn possible_values(&self, m: &mut Machine<'_>, aggregate: &CompiledAggregate) -> Result<Vec<Sym>, Halt> {
        let mut out: Vec<Sym> = Vec::new();
        match (aggregate.function, Extent::of(aggregate.function, &self.tuples, m.state.symbols)) {
            (AggregateFunction::Count, Extent::Numbers(low, high)) => {
                out.extend((low..=high).map(|n| m.state.symbols.num(n as i64)));
            }
            (AggregateFunction::Sum | AggregateFunction::SumPlus, _) => {
                let mut sums: Vec<i128> = vec![0];
                let tuples: Vec<(i128, bool)> = self
                    .tuples
                    .tuples()
                    .map(|(t, c)| {
                        (t.first().and_then(|&s| m.state.symbols.as_num(s)).map_or(0, i128::from), c)
                    })
                    .collect();
                for (w, certain) in tuples {
                    if certain {
                        sums.iter_mut().for_each(|s| *s += w);
                    } else {
                        let mut more: Vec<i128> = sums.iter().map(|s| s + w).collect();
                        more.append(&mut sums);
                        more.sort_unstable();
                        more.dedup();
                        sums = more;
                        m.state.progress.instances += sums.len() as u64;
                        m.state.poll()?;
                    }
                }
                for s in sums {
                    match i64::try_from(s) {
                        Ok(n) => out.push(m.state.symbols.num(n)),
                        Err(_) => return Err(m.state.messages.overflow(aggregate.span)),
                    }
                }
            }
            (_, Extent::Terms(low, high)) => {
                out.extend(self.tuples.tuples().filter_map(|(t, _)| t.first().copied()));
                out.extend([low, high]);
                let symbols = &*m.state.symbols;
                out.retain(|&v| symbols.cmp(low, v).is_le() && symbols.cmp(v, high).is_le());
                out.sort_by(|&a, &b| symbols.cmp(a, b));
                out.dedup();
            }
            _ => {}
        }
        Ok(out)
    }

    /// Decides the gathered aggregate for one value of a guard's term.
    fn decide_value(
        &mut self,
        m: &mut Machine<'_>,
        sink: Sink,
        number: usize,
        guard: usize,
        value: Sym,
    ) -> Result<Verdict, Halt> {
        let guards = &self.compiled[number].guards;
        let mut bounds = Vec::with_capacity(guards.len());
        for (i, (relation, t)) in guards.iter().enumerate() {
            let v = if i == guard { Some(value) } else { m.eval(t) };
            let Some(v) = v else { return Ok(Verdict::False) };
            bounds.push((*relation, v));
        }
        self.decide(m, sink, number, &bounds)
    }

    /// Adds the literal that says that an aggregate has the value at a position (of guard `guard`) and satisfies its
    /// other guards.
    pub(crate) fn has_value(
        &mut self,
        m: &mut Machine<'_>,
        sink: Sink,
        number: usize,
        guard: usize,
        place: usize,
    ) -> Result<Holds, Halt> {
        let (value, known) = self.caches[number].values[place];
        let verdict = match known {
            Some(verdict) => verdict,
            None => {
                self.gather(m, sink, number)?;
                let verdict = self.decide_value(m, sink, number, guard, value)?;
                self.caches[number].values[place].1 = Some(verdict);
                verdict
            }
        };
        Ok(add_verdict(m, sink, self.compiled[number].sign, verdict))
    }
}

/// Pushes the values of an aggregate's global variables, then those of its guards (except for one that is not bound),
/// on `scratch`. Returns where each part starts, or nothing if a guard has no value.
fn push_key(
    m: &mut Machine<'_>,
    aggregate: &CompiledAggregate,
    unbound: Option<usize>,
) -> Option<(usize, usize)> {
    let start = m.scratch.len();
    for &v in &aggregate.globals {
        m.scratch.push(m.regs[v.0 as usize]);
    }
    let guards_at = m.scratch.len();
    for (i, (_, t)) in aggregate.guards.iter().enumerate() {
        match if unbound == Some(i) { Some(Sym::INF) } else { m.eval(t) } {
            Some(v) => m.scratch.push(v),
            None => {
                m.scratch.truncate(start);
                return None;
            }
        }
    }
    Some((start, guards_at))
}

/// Whether a tuple, on `scratch` from `start` on, counts for the function; if not, it is reported.
fn has_weight(m: &mut Machine<'_>, function: AggregateFunction, span: Span, start: usize) -> bool {
    let first = m.scratch.get(start).copied();
    let number = || first.and_then(|s| m.state.symbols.as_num(s));
    let ok = match function {
        AggregateFunction::Count => return true,
        AggregateFunction::Min | AggregateFunction::Max => first.is_some(),
        AggregateFunction::Sum => number().is_some(),
        AggregateFunction::SumPlus => match number() {
            Some(n) if n >= 0 => return n > 0,
            _ => false,
        },
    };
    if !ok {
        ignored(m, span, start, no_weight(function == AggregateFunction::SumPlus));
    }
    ok
}

/// Adds the result of an aggregate to the ground body.
fn add_verdict(m: &mut Machine<'_>, sink: Sink, sign: Sign, verdict: Verdict) -> Holds {
    match (verdict, sign) {
        (Verdict::True, Sign::Not) | (Verdict::False, Sign::None | Sign::NotNot) => Holds::No,
        (Verdict::True, _) | (Verdict::False, Sign::Not) => Holds::Yes,
        (Verdict::Open(None), _) => Holds::Open,
        (Verdict::Open(Some(atom)), sign) => {
            let literal = sink.signed(m.state.program, sign, atom);
            m.literals.push(literal);
            Holds::Yes
        }
    }
}
