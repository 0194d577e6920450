//! Rules that never apply since a variable would have to be of two kinds: `node(1..3). edge(a,b).` and a rule with `node(X), edge(X,Y)`.
//!
//! Invariant: of each column it is known which kinds of terms it may hold, the least fixpoint over all facts and rules; what is not
//! known may be of every kind, so that a rule that may apply is never reported.

use std::iter;

use super::columns::MAX_FACTS;
use super::habits::{ALWAYS_HOLDS, NEVER_HOLDS};
use crate::constants::Constants;
use crate::lint;
use crate::predicate::{PredId, Predicates};
use crate::rule::{Atom, Head, Literal, Rule, Term, Var, VarInfo};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::{Sym, SymView, Symbols};
use asp_syntax::ast::{AggregateFunction, Relation, Sign, UnaryOp};

/// A set of kinds of terms.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Kinds(u8);

impl Kinds {
    const NUMBER: Self = Self(1);
    const CONSTANT: Self = Self(2);
    const STRING: Self = Self(4);
    const FUNCTION: Self = Self(8);
    const TUPLE: Self = Self(16);
    const ALL: Self = Self(63);

    fn of(symbol: Sym, symbols: &Symbols) -> Self {
        match symbols.view(symbol) {
            SymView::Num(_) => Self::NUMBER,
            SymView::Str(_) => Self::STRING,
            SymView::Fun { args: [], .. } => Self::CONSTANT,
            SymView::Fun { .. } => Self::FUNCTION,
            SymView::Tuple(_) => Self::TUPLE,
            SymView::Inf | SymView::Sup => Self::ALL,
        }
    }

    /// The place of one kind in the order of terms. Functions and tuples are compared by their arguments first.
    fn order(self) -> u8 {
        self.0.min(Self::FUNCTION.0)
    }

    /// In words, if it is one kind.
    fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NUMBER => "a number",
            Self::CONSTANT => "a name",
            Self::STRING => "a string",
            Self::FUNCTION => "a function",
            Self::TUPLE => "a tuple",
            _ => return None,
        })
    }
}

/// A column of a predicate.
type Column = (PredId, u32);

/// How many columns are looked at: `#defined p/4294967295.` has more.
const MAX_COLUMNS: usize = 1 << 20;

/// The number of an atom and that of its argument.
type Place = (usize, usize);

/// How often all rules are looked at: kinds only become more, and what is not settled by then is not known.
const ROUNDS: usize = 64;

/// What may be otherwise than it is here.
#[derive(Clone, Copy)]
pub struct Elsewhere<'a> {
    /// Whether atoms of a predicate may come from elsewhere.
    pub is_open: &'a dyn Fn(PredId) -> bool,
    /// Constants, which may have other values in another run.
    pub constants: &'a Constants,
}

/// Warns about rules whose variables would have to be of two kinds.
pub fn check(
    rules: &[Rule],
    facts: &[(PredId, Sym)],
    elsewhere: Elsewhere<'_>,
    predicates: &Predicates,
    symbols: &Symbols,
    reported: &mut Set<(&'static str, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if facts.len() > MAX_FACTS {
        return;
    }
    let mut first = Vec::with_capacity(predicates.len());
    let mut columns = 0;
    for (_, p) in predicates.iter() {
        first.push(columns);
        columns += p.signature.arity as usize;
        if columns > MAX_COLUMNS {
            return;
        }
    }
    let mut known = Columns { first, kinds: vec![Kinds::default(); columns], elsewhere, symbols };
    for &(pred, fact) in facts {
        if let SymView::Fun { args, .. } = symbols.view(fact) {
            for (i, &arg) in args.iter().enumerate() {
                known.add((pred, i as u32), Kinds::of(arg, symbols));
            }
        }
    }
    let mut rounds = 0;
    loop {
        let mut changed = false;
        rules.iter().for_each(|rule| changed |= known.derive(rule));
        rounds += 1;
        match changed {
            false => break,
            true if rounds == ROUNDS => return,
            true => {}
        }
    }
    for rule in rules {
        let body: Vec<&Atom> = positive(&rule.body).collect();
        // Of a chain such as `reach(X,Y), edge(Y,Z)` there may be no second step in these facts.
        if rule.head.derives(|a| body.iter().any(|b| b.pred == a.pred)) {
            continue;
        }
        for (number, condition) in rule.conditions().into_iter().enumerate() {
            // The first is that of the body alone.
            let own = if number == 0 { &rule.body[..] } else { condition };
            let around = || rule.body.iter().chain(condition);
            for literal in own {
                if let Some(told) = known.beyond_values(literal, &rule.vars, around) {
                    let place = told.labels.first().map_or(Span::NONE, |l| l.span);
                    // Of the term it may have been said what is meant.
                    let is_within = |s: &Span| place.lo <= s.lo && s.hi <= place.hi;
                    let is_told =
                        |(name, s): &(&str, Span)| *name == lint::TERM_COMPARED.name() && is_within(s);
                    if !reported.iter().any(is_told)
                        && reported.insert((told.kind.map_or("", WarningKind::name), place))
                    {
                        diagnostics.push(told);
                    }
                }
                let Literal::Atom(Sign::Not, atom) = literal else { continue };
                let Some((at, other)) = known.turned(atom, around) else { continue };
                let mut meant = atom.args.clone();
                meant.swap(at, other);
                let is_there = around()
                    .any(|l| matches!(l, Literal::Atom(_, a) if a.pred == atom.pred && a.args == meant));
                if is_there || !reported.insert((lint::NEVER_MEETS.name(), atom.span)) {
                    continue;
                }
                let word = |t: &Term| match t {
                    Term::Var(v) => rule.vars[v.0 as usize].name.map_or("_", |n| symbols.str(n)).to_string(),
                    Term::Sym(s) => symbols.display(*s),
                    _ => "...".to_string(),
                };
                let mut args: Vec<String> = atom.args.iter().map(word).collect();
                let (name, as_written) = (args[at].clone(), args.join(","));
                args.swap(at, other);
                let (turned, s) = (args.join(","), predicates[atom.pred].signature);
                let own = symbols.str(s.name);
                let kind = known.term(&atom.args[at], around()).name().unwrap_or("of another kind");
                let column = known.get((atom.pred, at as u32)).name();
                let column = column.map_or("never is".to_string(), |kind| format!("is {kind}"));
                let text = format!(
                    "`not {own}({as_written})` always holds: `{name}` is {kind}, and argument {} of `{own}/{}` {column}",
                    at + 1,
                    s.arity,
                );
                let help = format!("did you mean `not {own}({turned})`?");
                diagnostics.push(Diagnostic::warning(lint::NEVER_MEETS, atom.span, text).help(help));
            }
            let atoms: Vec<&Atom> = body.iter().copied().chain(positive(condition)).collect();
            let Some((var, first, second)) = known.apart(&atoms) else { continue };
            let place = atoms[second.0];
            if atoms[first.0].pred == place.pred || !reported.insert((lint::NEVER_MEETS.name(), place.span)) {
                continue;
            }
            let word = |(atom, column): Place| {
                let pred = atoms[atom].pred;
                let s = predicates[pred].signature;
                let kind = known.get((pred, column as u32)).name().unwrap_or("of another kind");
                format!("{kind} in argument {} of `{}/{}`", column + 1, symbols.str(s.name), s.arity)
            };
            let name = rule.vars[var.0 as usize]
                .name
                .map_or("a variable".to_string(), |n| format!("`{}`", symbols.str(n)));
            let text = format!("this never holds: {name} is {}, and {}", word(first), word(second));
            let mut told = Diagnostic::warning(lint::NEVER_MEETS, place.span, text);
            if atoms[first.0].span != place.span {
                told = told.label(atoms[first.0].span, "");
            }
            diagnostics.push(told.help("`1`, `a` and `\"a\"` are never equal, whatever they stand for"));
        }
    }
}

/// The atoms that must hold.
fn positive(literals: &[Literal]) -> impl Iterator<Item = &Atom> {
    literals.iter().filter_map(|l| match l {
        Literal::Atom(Sign::None, atom) => Some(atom),
        _ => None,
    })
}

struct Columns<'a> {
    /// By predicate, where its columns begin in `kinds`.
    first: Vec<usize>,
    kinds: Vec<Kinds>,
    elsewhere: Elsewhere<'a>,
    symbols: &'a Symbols,
}

impl Columns<'_> {
    /// Adds kinds to a column; whether it had not all of them.
    fn add(&mut self, column: Column, kinds: Kinds) -> bool {
        let known = &mut self.kinds[self.first[column.0.0 as usize] + column.1 as usize];
        let before = *known;
        known.0 |= kinds.0;
        *known != before
    }

    fn get(&self, column: Column) -> Kinds {
        self.kinds[self.first[column.0.0 as usize] + column.1 as usize]
    }

    /// The kinds that a column may hold when all rules are known: nothing is said of what nothing derives.
    fn settled(&self, column: Column) -> Kinds {
        match self.get(column) {
            Kinds(0) => Kinds::ALL,
            _ if (self.elsewhere.is_open)(column.0) => Kinds::ALL,
            kinds => kinds,
        }
    }

    /// Adds what a rule derives; whether anything is new.
    fn derive(&mut self, rule: &Rule) -> bool {
        match &rule.head {
            Head::Atom(atom) | Head::External(atom, _) => self.derive_atom(atom, rule.body.iter()),
            other => {
                let mut changed = false;
                for element in other.elements() {
                    if let Some(atom) = element.atom() {
                        changed |= self.derive_atom(atom, rule.body.iter().chain(element.literals()));
                    }
                }
                changed
            }
        }
    }

    /// Adds what an atom may be where some literals hold; whether anything is new.
    fn derive_atom<'l>(&mut self, atom: &Atom, literals: impl Iterator<Item = &'l Literal> + Clone) -> bool {
        let mut changed = false;
        for (i, t) in atom.args.iter().enumerate() {
            let kinds = self.term(t, literals.clone());
            changed |= self.add((atom.pred, i as u32), kinds);
        }
        changed
    }

    /// The kinds of a term, by what literals say of its variables.
    fn term<'l>(&self, t: &Term, literals: impl Iterator<Item = &'l Literal>) -> Kinds {
        match t {
            Term::Sym(s) => Kinds::of(*s, self.symbols),
            Term::Var(v) => self.variable(*v, literals),
            Term::Fun(..) => Kinds::FUNCTION,
            Term::Tuple(_) => Kinds::TUPLE,
            // Of a function, its classical negation.
            Term::Unary(UnaryOp::Minus, ..) | Term::Negated(..) | Term::External(..) => Kinds::ALL,
            Term::Unary(..) | Term::Absolute(..) | Term::Binary(..) | Term::Linear { .. } => Kinds::NUMBER,
        }
    }

    fn variable<'l>(&self, v: Var, literals: impl Iterator<Item = &'l Literal>) -> Kinds {
        let mut kinds = Kinds::ALL;
        for l in literals {
            match l {
                Literal::Atom(Sign::None, atom) if !(self.elsewhere.is_open)(atom.pred) => {
                    for (i, _) in atom.args.iter().enumerate().filter(|(_, t)| **t == Term::Var(v)) {
                        kinds.0 &= self.get((atom.pred, i as u32)).0;
                    }
                }
                Literal::Range(Term::Var(w), ..) if *w == v => kinds.0 &= Kinds::NUMBER.0,
                Literal::Compare(Relation::Equal, Term::Var(w), t, _)
                | Literal::Compare(Relation::Equal, t, Term::Var(w), _)
                    if *w == v && !matches!(t, Term::Var(_)) =>
                {
                    kinds.0 &= self.term(t, iter::empty()).0;
                }
                Literal::Aggregate(a)
                    if a.sign == Sign::None
                        && !matches!(a.function, AggregateFunction::Min | AggregateFunction::Max)
                        && a.guards.contains(&(Relation::Equal, Term::Var(v))) =>
                {
                    kinds.0 &= Kinds::NUMBER.0;
                }
                _ => {}
            }
        }
        kinds
    }

    /// Tells that a comparison always or never holds, as a variable is of another kind than what it is compared with.
    fn beyond_values<'l, L>(
        &self,
        literal: &Literal,
        vars: &[VarInfo],
        around: impl Fn() -> L,
    ) -> Option<Diagnostic>
    where
        L: Iterator<Item = &'l Literal>,
    {
        let Literal::Compare(relation, s, t, span) = literal else { return None };
        let is_written = |t: &Term| matches!(t, Term::Sym(_) | Term::Fun(..) | Term::Tuple(_));
        let (Term::Var(v), other, relation) = (match (s, t) {
            (_, t) if is_written(t) => (s, t, *relation),
            (s, _) if is_written(s) => (t, s, relation.flip()),
            _ => return None,
        }) else {
            return None;
        };
        // A constant may have another value in another run.
        if matches!(other, Term::Sym(s) if self.elsewhere.constants.values().any(|value| value == s)) {
            return None;
        }
        let elsewhere = around().filter(|l| !std::ptr::eq(*l, literal));
        let (own, others) = (self.variable(*v, elsewhere), self.term(other, iter::empty()));
        let (own_name, other_name) = (own.name()?, others.name()?);
        let is_less = own.order() < others.order();
        let holds = match relation {
            _ if own.order() == others.order() => return None,
            Relation::Less | Relation::LessEqual => is_less,
            Relation::Greater | Relation::GreaterEqual => !is_less,
            // A name or text may be that of a case which these values do not have.
            Relation::Equal | Relation::NotEqual if self.digits(other).is_none() => return None,
            Relation::Equal => false,
            Relation::NotEqual => true,
        };
        let (holds, lint) = if holds { ("always", ALWAYS_HOLDS) } else { ("never", NEVER_HOLDS) };
        let name = self.symbols.str(vars[v.0 as usize].name?);
        let written = match other {
            Term::Sym(s) => format!("`{}`", self.symbols.display(*s)),
            _ => "the other side".to_string(),
        };
        let text =
            format!("this {holds} holds: `{name}` can only be {own_name}, and {written} is {other_name}");
        let help = match self.digits(other).filter(|_| own == Kinds::NUMBER) {
            Some(number) => format!("did you mean `{number}`? a number has no quotes"),
            None if own == Kinds::NUMBER || others == Kinds::NUMBER => {
                "numbers are less than names, texts, functions and tuples, whatever these say".into()
            }
            None => "names are less than texts, and these than functions and tuples".into(),
        };
        Some(Diagnostic::warning(lint, *span, text).help(help))
    }

    /// The number that a string's text is.
    fn digits(&self, t: &Term) -> Option<i64> {
        let Term::Sym(s) = t else { return None };
        match self.symbols.view(*s) {
            SymView::Str(text) => self.symbols.str(text).parse().ok(),
            _ => None,
        }
    }

    /// A column of a negated atom whose variable is of another kind, and one with which it is to be exchanged so that all fit.
    fn turned<'l, L>(&self, atom: &Atom, around: impl Fn() -> L) -> Option<(usize, usize)>
    where
        L: Iterator<Item = &'l Literal>,
    {
        let kinds: Vec<Kinds> = atom.args.iter().map(|t| self.term(t, around())).collect();
        let columns: Vec<Kinds> = (0..).zip(&kinds).map(|(i, _)| self.settled((atom.pred, i))).collect();
        let is_variable = |i: usize| matches!(atom.args[i], Term::Var(_));
        let meet = |i: usize, j: usize| kinds[i].0 & columns[j].0 != 0;
        let is_wrong = |&i: &usize| is_variable(i) && !meet(i, i) && kinds[i] != Kinds::default();
        let at = (0..kinds.len()).find(is_wrong)?;
        let fits = |&other: &usize| {
            let place = |i| {
                if i == at {
                    other
                } else if i == other {
                    at
                } else {
                    i
                }
            };
            other != at && is_variable(other) && (0..kinds.len()).all(|i| meet(i, place(i)))
        };
        Some((at, (0..kinds.len()).find(fits)?))
    }

    /// A variable of two atoms that have no kind in common.
    fn apart(&self, atoms: &[&Atom]) -> Option<(Var, Place, Place)> {
        let mut seen: Vec<(Var, Kinds, Place)> = Vec::new();
        for (number, atom) in atoms.iter().enumerate() {
            for (i, t) in atom.args.iter().enumerate() {
                let Term::Var(v) = t else { continue };
                let kinds = self.settled((atom.pred, i as u32));
                if let Some((_, _, first)) = seen.iter().find(|(w, k, _)| w == v && k.0 & kinds.0 == 0) {
                    return Some((*v, *first, (number, i)));
                }
                seen.push((*v, kinds, (number, i)));
            }
        }
        None
    }
}
