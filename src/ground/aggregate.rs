//! Body aggregates: their elements are instantiated for one binding of the rule, and their bounds decided as far as the
//! facts decide them.
//!
//! Invariant: an aggregate whose truth is certain leaves no trace in the ground program; otherwise an auxiliary atom
//! stands for it, one for each binding of its global variables and guards. Tuples are a set: a tuple counts once,
//! whatever the number of conditions under which it holds.

use std::cmp::Ordering;

use hashbrown::HashTable;

use super::compile::{CompiledAggregate, CompiledRule};
use super::domain::Table;
use super::instantiate::{Flow, Halt, Instantiator};
use crate::base::diagnostic::{Diagnostic, WarningKind};
use crate::base::map::hash_words;
use crate::base::span::Span;
use crate::base::symbol::{Sym, Symbols};
use crate::program::ground_program::{AggregateElement, Defined, Definition, Guard};
use crate::program::{AtomId, Literal};
use crate::syntax::ast::{AggregateFunction, Relation, Sign};

/// A tuple with one condition.
#[derive(Clone, Copy, Debug)]
struct Element {
    tuple: (u32, u32),
    condition: (u32, u32),
    /// The first element with the same tuple.
    first: u32,
}

/// The elements of one instance of an aggregate.
#[derive(Default)]
pub(super) struct Gathered {
    terms: Vec<Sym>,
    literals: Vec<Literal>,
    elements: Vec<Element>,
    lookup: HashTable<u32>,
    /// By element: whether its tuple counts for certain (valid for first elements).
    certain: Vec<bool>,
}

impl Gathered {
    /// Removes all elements.
    pub(super) fn clear(&mut self) {
        self.terms.clear();
        self.literals.clear();
        self.elements.clear();
        self.certain.clear();
        if self.lookup.capacity() > 1024 {
            self.lookup = HashTable::new();
        } else {
            self.lookup.clear();
        }
    }
    fn tuple(&self, e: &Element) -> &[Sym] {
        &self.terms[e.tuple.0 as usize..e.tuple.1 as usize]
    }
    /// Adds a tuple, given as the end of `terms` from `start`, with a condition.
    fn add(&mut self, start: u32, condition: &[Literal]) {
        let tuple = (start, self.terms.len() as u32);
        let at = self.literals.len() as u32;
        let hash = |t: &[Sym]| hash_words(t.len() as u64, t.iter().map(|s| s.raw()));
        let (terms, elements) = (&self.terms, &self.elements);
        let get = |e: &Element| &terms[e.tuple.0 as usize..e.tuple.1 as usize];
        let new = &terms[tuple.0 as usize..];
        let i = self.elements.len() as u32;
        let found = self.lookup.find(hash(new), |&j| get(&elements[j as usize]) == new).copied();
        let first = found.unwrap_or(i);
        if first == i {
            self.lookup.insert_unique(hash(new), i, |&j| hash(get(&elements[j as usize])));
        } else {
            self.terms.truncate(start as usize);
            if self.certain[first as usize] {
                return;
            }
        }
        let tuple = if first == i { tuple } else { self.elements[first as usize].tuple };
        self.literals.extend_from_slice(condition);
        self.elements.push(Element { tuple, condition: (at, self.literals.len() as u32), first });
        self.certain.push(false);
        if condition.is_empty() {
            self.certain[first as usize] = true;
        }
    }
    /// First elements with whether their tuples are certain.
    fn tuples(&self) -> impl Iterator<Item = (&[Sym], bool)> {
        self.elements
            .iter()
            .enumerate()
            .filter(|(i, e)| e.first as usize == *i)
            .map(|(i, e)| (self.tuple(e), self.certain[i]))
    }
}

/// What became of an aggregate instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Holds for certain.
    True,
    /// Cannot hold.
    False,
    /// Depends on this atom.
    Atom(AtomId),
}

/// Outcomes by the values of global variables and guards; for an aggregate whose values are enumerated, the values with
/// their outcomes as far as they have been asked for.
#[derive(Default)]
pub(super) struct Cache {
    keys: Table,
    outcomes: Vec<Outcome>,
    /// Where the values of each key lie.
    runs: Vec<(u32, u32)>,
    values: Vec<(Sym, Option<Outcome>)>,
}

impl Cache {
    /// A cache with keys of a length.
    pub(super) fn new(len: usize) -> Self {
        Self { keys: Table::new(len), ..Self::default() }
    }
    /// The value at a place that [`Instantiator::open_values`] gave.
    pub(super) fn value(&self, i: usize) -> Sym {
        self.values[i].0
    }
}

/// The least and greatest value that an aggregate may take.
#[derive(Clone, Copy, Debug)]
enum Extent {
    Numbers(i128, i128),
    Terms(Sym, Sym),
}

/// Compares an integer that may be out of range with a term.
fn compare_number(n: i128, t: Sym, symbols: &Symbols) -> Ordering {
    match symbols.as_num(t) {
        Some(m) => n.cmp(&i128::from(m)),
        None if t == Sym::INF => Ordering::Greater,
        None => Ordering::Less,
    }
}

impl Extent {
    /// Whether `value relation t` holds for all values of the extent, for none, or depends.
    fn decide(self, relation: Relation, t: Sym, symbols: &Symbols) -> Option<bool> {
        let (low, high) = match self {
            Extent::Numbers(a, b) => (compare_number(a, t, symbols), compare_number(b, t, symbols)),
            Extent::Terms(a, b) => (symbols.cmp(a, t), symbols.cmp(b, t)),
        };
        match relation {
            Relation::Equal if low.is_gt() || high.is_lt() => Some(false),
            Relation::Equal if low.is_eq() && high.is_eq() => Some(true),
            Relation::NotEqual if low.is_gt() || high.is_lt() => Some(true),
            Relation::NotEqual if low.is_eq() && high.is_eq() => Some(false),
            Relation::Equal | Relation::NotEqual => None,
            _ => {
                let (a, b) = (relation.holds(low), relation.holds(high));
                (a == b).then_some(a)
            }
        }
    }
}

/// A literal for runs that only derive: the body is not certain, nobody will look at the literal.
pub(super) fn uncertain() -> Literal {
    Literal::neg(AtomId(i32::MAX as u32))
}

impl Instantiator<'_> {
    /// Instantiates the elements of an aggregate for the current binding.
    fn gather(&mut self, rule: &CompiledRule, number: usize) -> Flow {
        let aggregate = &rule.aggregates[number];
        self.gathered.clear();
        let height = self.literals.len();
        for (tuple, steps) in &aggregate.elements {
            let needs_weight = aggregate.function != AggregateFunction::Count;
            self.run(rule, steps, &mut |this| {
                let start = this.gathered.terms.len() as u32;
                for t in tuple {
                    match this.eval(t) {
                        Some(v) => this.gathered.terms.push(v),
                        None => {
                            this.gathered.terms.truncate(start as usize);
                            return if this.failed { Err(Halt::Failed) } else { Ok(()) };
                        }
                    }
                }
                if needs_weight && !this.has_weight(aggregate, start as usize) {
                    this.gathered.terms.truncate(start as usize);
                    return Ok(());
                }
                let condition = &this.literals[height..];
                this.gathered.add(start, condition);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Whether a tuple counts for its function; reports it once if it cannot.
    fn has_weight(&mut self, aggregate: &CompiledAggregate, start: usize) -> bool {
        let first = self.gathered.terms.get(start).copied();
        let ok = match aggregate.function {
            AggregateFunction::Count => return true,
            AggregateFunction::Min | AggregateFunction::Max => first.is_some(),
            AggregateFunction::Sum => first.is_some_and(|s| self.symbols.as_num(s).is_some()),
            AggregateFunction::SumPlus => match first.and_then(|s| self.symbols.as_num(s)) {
                Some(n) if n >= 0 => return n > 0,
                _ => false,
            },
        };
        if !ok {
            self.tuple_ignored(aggregate.span, aggregate.function == AggregateFunction::SumPlus);
        }
        ok
    }

    #[cold]
    fn tuple_ignored(&mut self, span: Span, positive: bool) {
        if self.reported.insert(span) {
            self.diagnostics.push(
                Diagnostic::info(WarningKind::OperationUndefined, span, "tuple ignored").caption(
                    if positive {
                        "the first term of a tuple of this aggregate is no positive integer"
                    } else {
                        "the first term of a tuple of this aggregate is no integer"
                    },
                ),
            );
        }
    }

    /// The extent of the gathered aggregate.
    fn extent(&self, function: AggregateFunction) -> Extent {
        let g = &self.gathered;
        let weight = |t: &[Sym]| t.first().and_then(|&s| self.symbols.as_num(s)).map_or(0, i128::from);
        match function {
            AggregateFunction::Count => {
                let certain = g.tuples().filter(|t| t.1).count() as i128;
                Extent::Numbers(certain, g.tuples().count() as i128)
            }
            AggregateFunction::Sum | AggregateFunction::SumPlus => {
                let (mut low, mut high) = (0, 0);
                for (t, certain) in g.tuples() {
                    let w = weight(t);
                    if certain || w < 0 {
                        low += w;
                    }
                    if certain || w > 0 {
                        high += w;
                    }
                }
                Extent::Numbers(low, high)
            }
            AggregateFunction::Min | AggregateFunction::Max => {
                let max = function == AggregateFunction::Max;
                let better = |a: Sym, b: Sym| {
                    let o = self.symbols.cmp(a, b);
                    if o.is_gt() == max { a } else { b }
                };
                let empty = if max { Sym::INF } else { Sym::SUP };
                let (mut certain, mut all) = (empty, empty);
                for (t, is_certain) in g.tuples() {
                    let Some(&v) = t.first() else { continue };
                    all = better(v, all);
                    if is_certain {
                        certain = better(v, certain);
                    }
                }
                if max { Extent::Terms(certain, all) } else { Extent::Terms(all, certain) }
            }
        }
    }

    /// Whether what holds of a growing aggregate now holds for good.
    fn is_monotone(function: AggregateFunction, relation: Relation) -> bool {
        use AggregateFunction::*;
        match relation {
            Relation::Greater | Relation::GreaterEqual => matches!(function, Count | SumPlus | Max),
            Relation::Less | Relation::LessEqual => matches!(function, Min),
            _ => false,
        }
    }

    /// Runs the check of an aggregate with bound guards.
    pub(super) fn check_aggregate(&mut self, rule: &CompiledRule, number: usize) -> Result<bool, Halt> {
        let aggregate = &rule.aggregates[number];
        let start = self.scratch.len();
        for &v in &aggregate.globals {
            self.scratch.push(self.regs[v.0 as usize]);
        }
        let guards_at = self.scratch.len();
        for (_, t) in &aggregate.guards {
            match self.eval(t) {
                Some(v) => self.scratch.push(v),
                None => {
                    self.scratch.truncate(start);
                    return Ok(false);
                }
            }
        }
        // The result for these values may be known, unless the domains are still growing.
        let cached = (!self.deriving).then(|| self.cache[number].keys.insert(&self.scratch[start..]));
        let outcome = match cached {
            Some((row, false)) => self.cache[number].outcomes[row as usize],
            _ => {
                let bounds: Vec<(Relation, Sym)> = aggregate
                    .guards
                    .iter()
                    .zip(&self.scratch[guards_at..])
                    .map(|((r, _), &v)| (*r, v))
                    .collect();
                self.scratch.truncate(start);
                self.gather(rule, number)?;
                let outcome = self.settle(aggregate, &bounds)?;
                if cached.is_some() {
                    self.cache[number].outcomes.push(outcome);
                }
                outcome
            }
        };
        self.scratch.truncate(start);
        Ok(self.add_outcome(aggregate.sign, outcome))
    }

    /// Adds what an aggregate became to the ground body; whether the body may still hold.
    fn add_outcome(&mut self, sign: Sign, outcome: Outcome) -> bool {
        match (outcome, sign) {
            (Outcome::True, Sign::Not) | (Outcome::False, Sign::None | Sign::NotNot) => false,
            (Outcome::True, _) | (Outcome::False, Sign::Not) => true,
            (Outcome::Atom(_), _) if self.deriving => {
                self.literals.push(uncertain());
                true
            }
            (Outcome::Atom(a), sign) => {
                let literal = match sign {
                    Sign::None => Literal::pos(a),
                    Sign::Not => Literal::neg(a),
                    Sign::NotNot => Literal::neg(self.negation(a)),
                };
                self.literals.push(literal);
                true
            }
        }
    }

    /// Decides the gathered aggregate under bounds, or makes an atom for it.
    fn settle(&mut self, aggregate: &CompiledAggregate, bounds: &[(Relation, Sym)]) -> Result<Outcome, Halt> {
        let extent = self.extent(aggregate.function);
        if let Extent::Numbers(low, high) = extent {
            if i64::try_from(low).is_err() || i64::try_from(high).is_err() {
                return Err(self.overflow(aggregate.span));
            }
        }
        let mut open: Vec<(Relation, Sym)> = Vec::new();
        for &(relation, t) in bounds {
            match extent.decide(relation, t, self.symbols) {
                Some(false) if self.deriving && aggregate.recursive && aggregate.sign != Sign::None => {
                    open.push((relation, t));
                }
                Some(false) => return Ok(Outcome::False),
                Some(true) => {
                    let growing = self.deriving && aggregate.recursive;
                    if growing && !Self::is_monotone(aggregate.function, relation) {
                        open.push((relation, t));
                    }
                }
                None => open.push((relation, t)),
            }
        }
        if open.is_empty() {
            return Ok(Outcome::True);
        }
        if self.deriving {
            return Ok(Outcome::Atom(AtomId(0)));
        }
        let guards = open.iter().map(|&(r, term)| Guard { relation: r, term }).collect();
        let g = &self.gathered;
        let program = &mut *self.program;
        let mut elements = Vec::with_capacity(g.elements.len());
        for (i, e) in g.elements.iter().enumerate() {
            // A certain tuple needs its unconditional element only.
            let (a, b) = (e.condition.0 as usize, e.condition.1 as usize);
            let certain = g.certain[e.first as usize];
            if certain && i != e.first as usize {
                continue;
            }
            let condition = if certain { &[][..] } else { &g.literals[a..b] };
            elements.push(AggregateElement {
                tuple: program.push_terms(g.tuple(e)),
                condition: program.push_literals(condition),
            });
        }
        let atom = program.atoms.add_aux();
        let definition = Definition::Aggregate {
            function: aggregate.function,
            set: aggregate.set,
            guards,
            elements,
            recursive: aggregate.recursive,
        };
        program.definitions.push(Defined { atom, definition, source: self.source });
        Ok(Outcome::Atom(atom))
    }

    /// The values that an aggregate may take for the current binding, as places in its cache.
    pub(super) fn open_values(
        &mut self,
        rule: &CompiledRule,
        number: usize,
        guard: usize,
    ) -> Result<(i64, i64), Halt> {
        let aggregate = &rule.aggregates[number];
        let start = self.scratch.len();
        for &v in &aggregate.globals {
            self.scratch.push(self.regs[v.0 as usize]);
        }
        for (i, (_, t)) in aggregate.guards.iter().enumerate() {
            let value = if i == guard { Some(Sym::INF) } else { self.eval(t) };
            match value {
                Some(v) => self.scratch.push(v),
                None => {
                    self.scratch.truncate(start);
                    return Ok((0, 0));
                }
            }
        }
        let (row, new) = self.cache[number].keys.insert(&self.scratch[start..]);
        self.scratch.truncate(start);
        if new {
            self.gather(rule, number)?;
            let values = self.possible_values(aggregate)?;
            let at = self.cache[number].values.len() as u32;
            // A single value is settled at once, while its elements are at hand.
            let single =
                if let [one] = values[..] { Some(self.settle_value(aggregate, guard, one)?) } else { None };
            let cache = &mut self.cache[number];
            cache.values.extend(values.into_iter().map(|v| (v, single)));
            cache.runs.push((at, cache.values.len() as u32));
        }
        let (a, b) = self.cache[number].runs[row as usize];
        Ok((a.into(), b.into()))
    }

    /// The values that the gathered aggregate may take.
    fn possible_values(&mut self, aggregate: &CompiledAggregate) -> Result<Vec<Sym>, Halt> {
        let mut out: Vec<Sym> = Vec::new();
        match (aggregate.function, self.extent(aggregate.function)) {
            (AggregateFunction::Count, Extent::Numbers(low, high)) => {
                out.extend((low..=high).map(|n| self.symbols.num(n as i64)));
            }
            (AggregateFunction::Sum | AggregateFunction::SumPlus, _) => {
                let mut sums: Vec<i128> = vec![0];
                let tuples: Vec<(i128, bool)> = self
                    .gathered
                    .tuples()
                    .map(|(t, c)| (t.first().and_then(|&s| self.symbols.as_num(s)).map_or(0, i128::from), c))
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
                        self.instances += sums.len() as u64;
                        self.poll()?;
                    }
                }
                for s in sums {
                    match i64::try_from(s) {
                        Ok(n) => out.push(self.symbols.num(n)),
                        Err(_) => return Err(self.overflow(aggregate.span)),
                    }
                }
            }
            (_, Extent::Terms(low, high)) => {
                out.extend(self.gathered.tuples().filter_map(|(t, _)| t.first().copied()));
                out.extend([low, high]);
                let symbols = &*self.symbols;
                out.retain(|&v| symbols.cmp(low, v).is_le() && symbols.cmp(v, high).is_le());
                out.sort_by(|&a, &b| symbols.cmp(a, b));
                out.dedup();
            }
            _ => {}
        }
        Ok(out)
    }

    /// Settles the gathered aggregate with one guard's term given.
    fn settle_value(
        &mut self,
        aggregate: &CompiledAggregate,
        guard: usize,
        value: Sym,
    ) -> Result<Outcome, Halt> {
        let mut bounds = Vec::with_capacity(aggregate.guards.len());
        for (i, (relation, t)) in aggregate.guards.iter().enumerate() {
            let v = if i == guard { Some(value) } else { self.eval(t) };
            let Some(v) = v else { return Ok(Outcome::False) };
            bounds.push((*relation, v));
        }
        self.settle(aggregate, &bounds)
    }

    /// Adds the literal that says that an aggregate has the value at a place (guard `guard`) and meets its other guards.
    pub(super) fn aggregate_has_value(
        &mut self,
        rule: &CompiledRule,
        number: usize,
        guard: usize,
        place: usize,
    ) -> Result<bool, Halt> {
        let aggregate = &rule.aggregates[number];
        let (value, known) = self.cache[number].values[place];
        let outcome = match known {
            Some(outcome) => outcome,
            None => {
                self.gather(rule, number)?;
                let outcome = self.settle_value(aggregate, guard, value)?;
                self.cache[number].values[place].1 = Some(outcome);
                outcome
            }
        };
        Ok(self.add_outcome(aggregate.sign, outcome))
    }
}
