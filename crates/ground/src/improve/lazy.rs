//! Keeps a constraint for the search, instead of instantiating it.
//!
//! Each atom of the body is matched alone against its domain; the matching rows, with the values of the atom's variables, are
//! its table in [`asp_program::lazy`]. Comparisons are evaluated in the search, if their variables are integers bounded by
//! columns of these tables. For a count with one kind of elements, the elements' condition becomes part of the body, and the
//! search counts.
//!
//! Invariant: the kept constraint excludes what its instances would; any other body, and one that reads incomplete predicates,
//! is instantiated.

use super::threshold::Why;
use crate::instantiate::Instantiator;
use crate::sink::Sink;
use crate::state::{Halt, State};
use asp_base::map::Map;
use asp_base::symbol::{Sym, Symbols};
use asp_program::lazy::condition::{Condition, Op, Side, Sum};
use asp_program::lazy::table::Table;
use asp_program::lazy::{Batch, BodyAtom, Constraint, Count};
use asp_rewrite::improve::outlook;
use asp_rewrite::linear::difference;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Atom, Head, Literal, Rule, Term, Var, literal_vars};
use asp_syntax::ast::{AggregateFunction, BinaryOp, Relation, Sign, UnaryOp};

/// Intervals of more values are not written as tables.
const MAX_INTERVAL: i64 = 1 << 20;
/// Calculations stay below this.
const MAX_VALUE: i128 = 1 << 62;
/// Factors and summands of arguments.
const MAX_FACTOR: i64 = 1 << 31;
/// More different values are not put in order.
const MAX_RANKS: usize = 1 << 20;

/// The constraints that a call keeps, and what their tables were made of.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) batch: Batch,
    /// By table: the predicate and the arguments, with variables numbered in the order of their first occurrence.
    made_of: Vec<(Option<PredId>, Vec<Term>)>,
}

/// A body with a limit on the number of its tuples.
pub(super) struct Counted {
    /// How many may.
    most: u32,
    /// Variables that the rest of the rule binds.
    key: Vec<Var>,
    tuple: Vec<Term>,
    /// How many literals belong to the rest of the rule; they come first.
    outer: usize,
}

/// A constraint on a count of one element's tuples as a rule without it; any other as it is.
pub(super) fn flatten(rule: &Rule) -> (Rule, Option<Counted>) {
    let mut aggregates = rule.body.iter().filter_map(|l| match l {
        Literal::Aggregate(a) => Some(a),
        _ => None,
    });
    let (Some(a), None) = (aggregates.next(), aggregates.next()) else { return (rule.clone(), None) };
    let most = match (&a.guards[..], a.sign) {
        ([(relation, Term::Sym(bound))], sign) => {
            let relation = if sign == Sign::Not { relation.negate() } else { *relation };
            bound.as_small().and_then(|n| match relation {
                Relation::Greater => u32::try_from(n).ok(),
                Relation::GreaterEqual => u32::try_from(n - 1).ok(),
                _ => None,
            })
        }
        _ => None,
    };
    match (most, &a.elements[..]) {
        (Some(most), [element]) if a.function == AggregateFunction::Count && !a.set => {
            let rest = rule.body.iter().filter(|l| !matches!(l, Literal::Aggregate(_)));
            let mut body: Vec<Literal> = rest.cloned().collect();
            let outer = body.len();
            body.extend(element.condition.iter().cloned());
            let counted = Counted { most, key: a.globals.clone(), tuple: element.tuple.clone(), outer };
            (Rule { body, ..rule.clone() }, Some(counted))
        }
        _ => (rule.clone(), None),
    }
}

/// The expected number of instances of a constraint that may be kept, including those of elements.
pub(crate) fn expected(rule: &Rule, state: &mut State<'_>) -> Option<f64> {
    let (flat, counted) = flatten(rule);
    let may = matches!(rule.head, Head::Constraint) && flat.body.iter().all(|l| may_keep(l, state));
    (may && (counted.is_some() || flat.body.len() == rule.body.len()))
        .then(|| outlook::instances(&flat, state))
}

/// Whether instances are nothing but rules.
pub(crate) fn is_plain(rule: &Rule) -> bool {
    rule.body.iter().all(|l| {
        matches!(l, Literal::Atom(Sign::None | Sign::Not, _) | Literal::Compare(..) | Literal::Range(..))
    })
}

/// Keeps a constraint; `false`: it is to be instantiated.
pub(crate) fn keep(run: &mut Instantiator<'_>, rule: &Rule, expected: f64, why: Why) -> Result<bool, Halt> {
    let tables = run.kept.batch.tables.len();
    let is_kept = try_keep(run, rule, expected)?;
    if !is_kept {
        run.kept.batch.tables.truncate(tables);
        run.kept.made_of.truncate(tables);
    } else if run.machine.state.options.explain {
        let why = why.text();
        let became =
            format!("{expected:.0} instances expected, made by the search when it needs them: {why}");
        let entry = run.machine.state.rewritten("kept", rule, vec![became]);
        run.recorder.journal.rewritten.push(entry);
    }
    Ok(is_kept)
}

fn try_keep(run: &mut Instantiator<'_>, rule: &Rule, expected: f64) -> Result<bool, Halt> {
    let (rule, counted) = &flatten(rule);
    let mut atoms = Vec::new();
    for (at, literal) in rule.body.iter().enumerate() {
        let (atom, negative) = match literal {
            Literal::Atom(sign, _) => (literal, *sign == Sign::Not),
            Literal::Range(..) => (literal, false),
            _ => continue,
        };
        let (table, vars) = table(run, rule, atom)?;
        let is_open = run.kept.batch.tables[table as usize].is_open();
        if is_open && counted.as_ref().is_some_and(|c| negative || at < c.outer) {
            return Ok(false);
        }
        atoms.push(BodyAtom { table, vars: vars.iter().map(|v| v.0).collect(), negative });
    }
    let (state, kept) = (&run.machine.state, &mut run.kept);
    let Some(conditions) = Conditions::of(rule, &atoms, &kept.batch.tables, state.symbols) else {
        return Ok(false);
    };
    let count = match counted {
        Some(Counted { most, key, tuple, .. }) => {
            let plain = |t: &Term| conditions.side(t).filter(|side| !matches!(side, Side::Code(_)));
            let Some(tuple) = tuple.iter().map(plain).collect() else { return Ok(false) };
            Some(Count { most: *most, key: key.iter().map(|v| v.0).collect(), tuple }).filter(|_| *most > 0)
        }
        None => None,
    };
    let Conditions { conditions, ranks, .. } = conditions;
    let vars = rule.vars.len() as u32;
    let (source, expected) = (rule.source, expected as u64);
    Ok(kept.batch.add(Constraint {
        vars,
        atoms,
        conditions,
        count,
        ranks,
        plans: Vec::new(),
        source,
        expected,
    }))
}

/// Whether a literal can be kept at all.
fn may_keep(literal: &Literal, state: &State<'_>) -> bool {
    match literal {
        Literal::Atom(_, a) => state.complete[a.pred] && a.args.iter().all(Term::is_pattern),
        Literal::Compare(..) => true,
        Literal::Range(t, Term::Sym(lo), Term::Sym(hi), _) => {
            let ends = lo.as_small().zip(hi.as_small());
            matches!(t, Term::Var(_)) && ends.is_some_and(|(lo, hi)| hi - lo < MAX_INTERVAL)
        }
        _ => false,
    }
}

/// The table of an atom or interval, and the variables of its columns.
fn table(run: &mut Instantiator<'_>, rule: &Rule, literal: &Literal) -> Result<(u32, Vec<Var>), Halt> {
    let mut vars: Vec<Var> = Vec::new();
    literal_vars(literal, &mut |v| {
        if !vars.contains(&v) {
            vars.push(v);
        }
    });
    let mut number = |v: Var| vars.iter().position(|&w| w == v).map_or(v, |at| Var(at as u32));
    let (made_of, positive) = match literal {
        Literal::Atom(_, a) => {
            let args = a.args.iter().map(|t| t.map_vars(&mut number)).collect();
            ((Some(a.pred), args), Literal::Atom(Sign::None, a.clone()))
        }
        Literal::Range(_, lo, hi, _) => ((None, vec![lo.clone(), hi.clone()]), literal.clone()),
        other => ((None, Vec::new()), other.clone()),
    };
    if let Some(known) = run.kept.made_of.iter().position(|m| *m == made_of) {
        return Ok((known as u32, vars));
    }
    let (steps, _) = run.plan(&[positive], &vec![false; rule.vars.len()]);
    let m = &mut run.machine;
    m.start(rule.vars.len());
    let (instances, matches) = (m.state.progress.instances, m.matches);
    let mut table = Table::new(vars.len());
    let result = m.run(&mut Sink::derive(rule.source, false), &steps, &mut |m, _| {
        table.push(vars.iter().map(|v| m.regs[v.0 as usize]), m.literals.first().copied());
        Ok(())
    });
    (m.state.progress.instances, m.matches) = (instances, matches);
    result?;
    run.kept.batch.tables.push(table);
    run.kept.made_of.push(made_of);
    Ok((run.kept.batch.tables.len() as u32 - 1, vars))
}

/// The kind of a variable's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Nothing yet.
    Unknown,
    /// Its values are integers from one to another.
    Integer(i128, i128),
    /// It has other values, too.
    Mixed,
}

struct Conditions<'a> {
    kinds: Vec<Kind>,
    atoms: &'a [BodyAtom],
    tables: &'a [Table],
    symbols: &'a Symbols,
    conditions: Vec<Condition>,
    /// Variables that an order compares and that may have values other than integers, and terms that it compares.
    ranked: (Vec<u32>, Vec<Sym>),
    ranks: Map<Sym, u32>,
}

impl<'a> Conditions<'a> {
    /// The comparisons of a rule; `None` if one cannot be kept.
    fn of(rule: &Rule, atoms: &'a [BodyAtom], tables: &'a [Table], symbols: &'a Symbols) -> Option<Self> {
        let mut this = Conditions {
            kinds: vec![Kind::Unknown; rule.vars.len()],
            atoms,
            tables,
            symbols,
            conditions: Vec::new(),
            ranked: (Vec::new(), Vec::new()),
            ranks: Map::default(),
        };
        this.read_columns();
        this.read_equations(rule)?;
        for literal in &rule.body {
            match literal {
                Literal::Compare(relation, s, t, _) => this.compare(*relation, s, t)?,
                Literal::Atom(Sign::Not | Sign::NotNot, a) => this.check_arguments(a)?,
                _ => {}
            }
        }
        this.rank()?;
        Some(this)
    }

    /// Reads the kinds of the variables of positive atoms from their columns.
    fn read_columns(&mut self) {
        for atom in self.atoms.iter().filter(|a| !a.negative) {
            let table = &self.tables[atom.table as usize];
            for (column, &var) in atom.vars.iter().enumerate() {
                let kind = range(table.column(column as u32));
                let known = &mut self.kinds[var as usize];
                *known = match (*known, kind) {
                    (Kind::Integer(a, b), Kind::Integer(c, d)) => Kind::Integer(a.max(c), b.min(d)),
                    (Kind::Integer(a, b), _) => Kind::Integer(a, b),
                    (_, other) => other,
                };
            }
        }
    }

    /// Reads the kinds of variables without a column from equations.
    fn read_equations(&mut self, rule: &Rule) -> Option<()> {
        loop {
            let mut changed = false;
            for literal in &rule.body {
                let Literal::Compare(Relation::Equal, s, t, _) = literal else { continue };
                for (s, t) in [(s, t), (t, s)] {
                    let Term::Var(v) = s else { continue };
                    let kind = match (self.kinds[v.0 as usize], t) {
                        (Kind::Unknown, Term::Var(w)) => self.kinds[w.0 as usize],
                        (Kind::Unknown, Term::Sym(n)) => range(std::iter::once(*n)),
                        (Kind::Unknown, _) if self.is_known(t) => {
                            let (_, (low, high)) = self.code(t)?;
                            Kind::Integer(low, high)
                        }
                        _ => continue,
                    };
                    changed |= kind != Kind::Unknown;
                    self.kinds[v.0 as usize] = kind;
                }
                if let Some(sum) = difference(s, t, self.symbols) {
                    let mut unknown =
                        sum.terms.iter().filter(|t| self.kinds[t.1.0 as usize] == Kind::Unknown);
                    let (Some(&(c, v)), None) = (unknown.next(), unknown.next()) else { continue };
                    let mut most = i128::from(sum.constant).abs();
                    for &(d, w) in sum.terms.iter().filter(|t| t.1 != v) {
                        let Kind::Integer(low, high) = self.kinds[w.0 as usize] else { return None };
                        most += i128::from(d).abs() * low.abs().max(high.abs());
                    }
                    let most = most / i128::from(c).abs();
                    self.kinds[v.0 as usize] = Kind::Integer(-most, most);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // A calculated value must be one that rows can have.
        let is_small = |kind: &Kind| match *kind {
            Kind::Integer(low, high) => [low, high]
                .iter()
                .all(|&n| n.abs() < MAX_VALUE && Sym::small(n as i64).is_some() || low > high),
            _ => true,
        };
        self.kinds.iter().all(is_small).then_some(())
    }

    fn is_known(&self, t: &Term) -> bool {
        let mut known = true;
        t.for_each_var(&mut |v| known &= self.kinds[v.0 as usize] != Kind::Unknown);
        known
    }

    /// Negated atoms with a calculated argument have no instance if it has no value.
    fn check_arguments(&self, a: &Atom) -> Option<()> {
        let mut open: Vec<&Term> = a.args.iter().collect();
        while let Some(t) = open.pop() {
            match t {
                Term::Linear { coefficient, var, offset, .. } => {
                    let is_integer = matches!(self.kinds[var.0 as usize], Kind::Integer(..));
                    if !is_integer || coefficient.abs() > MAX_FACTOR || offset.abs() > MAX_FACTOR {
                        return None;
                    }
                }
                Term::Negated(..) => return None,
                Term::Fun(_, _, args) | Term::Tuple(args) => open.extend(args),
                _ => {}
            }
        }
        Some(())
    }

    fn compare(&mut self, relation: Relation, s: &Term, t: &Term) -> Option<()> {
        let pairs: Vec<(&Term, &Term)> = match (s, t) {
            (Term::Tuple(s), Term::Tuple(t)) if s.len() == t.len() && !s.is_empty() => {
                s.iter().zip(t).collect()
            }
            _ => vec![(s, t)],
        };
        let is_order = !matches!(relation, Relation::Equal | Relation::NotEqual);
        let mut sides = Vec::new();
        for (s, t) in pairs {
            let (left, right) = (self.side(s)?, self.side(t)?);
            // A calculated value may equal a large integer, too.
            let is_code = |side: &Side| matches!(side, Side::Code(_));
            if (is_code(&left) || is_code(&right)) && !(self.is_integer(&left) && self.is_integer(&right)) {
                return None;
            }
            if is_order {
                self.order(&left, &right);
            }
            sides.push((left, right));
        }
        let sum = match relation {
            Relation::Equal if sides.len() == 1 => self.sum(s, t),
            _ => None,
        };
        self.conditions.push(Condition { relation, sides, sum });
        Some(())
    }

    fn is_integer(&self, side: &Side) -> bool {
        match side {
            Side::Sym(s) => s.as_small().is_some(),
            Side::Var(v) => matches!(self.kinds[*v as usize], Kind::Integer(..)),
            Side::Code(_) => true,
        }
    }

    /// Sees to it that two sides can be compared by an order.
    fn order(&mut self, left: &Side, right: &Side) {
        if self.is_integer(left) && self.is_integer(right) {
            return;
        }
        for side in [left, right] {
            match side {
                Side::Sym(s) => self.ranked.1.push(*s),
                Side::Var(v) => self.ranked.0.push(*v),
                Side::Code(_) => {}
            }
        }
    }

    /// Numbers what orders compare in the order of terms.
    fn rank(&mut self) -> Option<()> {
        let mut all = std::mem::take(&mut self.ranked.1);
        for &var in &self.ranked.0 {
            let mut has_column = false;
            for atom in self.atoms.iter().filter(|a| !a.negative) {
                if let Some(column) = atom.vars.iter().position(|&v| v == var) {
                    has_column = true;
                    all.extend(self.tables[atom.table as usize].column(column as u32));
                }
            }
            if !has_column {
                return None;
            }
        }
        all.sort_unstable();
        all.dedup();
        if all.len() > MAX_RANKS {
            return None;
        }
        all.sort_by(|&a, &b| self.symbols.cmp(a, b));
        self.ranks = all.into_iter().zip(0..).collect();
        Some(())
    }

    fn side(&self, t: &Term) -> Option<Side> {
        match t {
            Term::Sym(s) if s.as_small().is_some() || self.symbols.as_num(*s).is_none() => {
                Some(Side::Sym(*s))
            }
            Term::Var(v) => match self.kinds[v.0 as usize] {
                Kind::Unknown => None,
                _ => Some(Side::Var(v.0)),
            },
            _ => self.code(t).map(|(code, _)| Side::Code(code)),
        }
    }

    /// The equation of integers that a comparison is.
    fn sum(&self, s: &Term, t: &Term) -> Option<Sum> {
        let sum = difference(s, t, self.symbols)?;
        let terms: Vec<(i64, u32)> = sum.terms.iter().map(|&(c, v)| (c, v.0)).collect();
        Some(Sum { terms, constant: sum.constant })
    }

    /// A calculation, with the least and the greatest value that it may have.
    fn code(&self, t: &Term) -> Option<(Vec<Op>, (i128, i128))> {
        let mut code = Vec::new();
        let range = self.write(t, &mut code)?;
        Some((code, range))
    }

    /// Appends the calculation of a term.
    fn write(&self, t: &Term, code: &mut Vec<Op>) -> Option<(i128, i128)> {
        let integer = |v: Var| match self.kinds[v.0 as usize] {
            Kind::Integer(low, high) if low <= high => Some((low, high)),
            // No row has such a value.
            Kind::Integer(..) => Some((0, 0)),
            _ => None,
        };
        let range = match t {
            Term::Sym(s) => {
                let n = s.as_small()?;
                code.push(Op::Number(n));
                (n.into(), n.into())
            }
            Term::Var(v) => {
                code.push(Op::Var(v.0));
                integer(*v)?
            }
            Term::Negated(v, _) => {
                code.extend([Op::Number(0), Op::Var(v.0), Op::Sub]);
                let (low, high) = integer(*v)?;
                (-high, -low)
            }
            Term::Linear { coefficient, var, offset, .. } => {
                code.extend([
                    Op::Number(*coefficient),
                    Op::Var(var.0),
                    Op::Mul,
                    Op::Number(*offset),
                    Op::Add,
                ]);
                let (low, high) = integer(*var)?;
                let (c, o) = (i128::from(*coefficient), i128::from(*offset));
                let ends = [c * low + o, c * high + o];
                (ends[0].min(ends[1]), ends[0].max(ends[1]))
            }
            Term::Unary(UnaryOp::Minus, a, _) => {
                code.push(Op::Number(0));
                let (low, high) = self.write(a, code)?;
                code.push(Op::Sub);
                (-high, -low)
            }
            Term::Absolute(a, _) => {
                let (low, high) = self.write(a, code)?;
                code.push(Op::Abs);
                let most = low.abs().max(high.abs());
                (if low <= 0 && 0 <= high { 0 } else { low.abs().min(high.abs()) }, most)
            }
            Term::Binary(op, a, b, _) => {
                let (low, high) = self.write(a, code)?;
                let (from, to) = self.write(b, code)?;
                let most = low.abs().max(high.abs());
                match op {
                    BinaryOp::Add => {
                        code.push(Op::Add);
                        (low + from, high + to)
                    }
                    BinaryOp::Sub => {
                        code.push(Op::Sub);
                        (low - to, high - from)
                    }
                    BinaryOp::Mul => {
                        code.push(Op::Mul);
                        let ends = [low * from, low * to, high * from, high * to];
                        (ends.iter().copied().min()?, ends.iter().copied().max()?)
                    }
                    // A divisor that may be 0 would leave some instances without a value.
                    BinaryOp::Div if from > 0 || to < 0 => {
                        code.push(Op::Div);
                        (-most, most)
                    }
                    BinaryOp::Mod if from > 0 || to < 0 => {
                        code.push(Op::Mod);
                        (-most, most)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        (range.0.abs() < MAX_VALUE && range.1.abs() < MAX_VALUE).then_some(range)
    }
}

/// The kind of a column's values.
fn range(values: impl Iterator<Item = Sym>) -> Kind {
    let mut range = (i128::MAX >> 1, i128::MIN >> 1);
    for value in values {
        let Some(n) = value.as_small() else { return Kind::Mixed };
        range = (range.0.min(n.into()), range.1.max(n.into()));
    }
    if range.0 > range.1 { Kind::Integer(1, 0) } else { Kind::Integer(range.0, range.1) }
}
