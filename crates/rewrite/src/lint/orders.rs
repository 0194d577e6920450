//! Comparisons that no values satisfy together: `X < Y, Y < Z, Z < X`, or `X = 1, X > 3`.
//!
//! Invariant: what is told is so for all terms, which have one order; only a number has a next term, if it is less than others.

use std::cmp::Ordering;

use super::habits::NEVER_HOLDS;
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Map;
use asp_base::symbol::{Sym, SymView, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;

/// How many sides are compared; of a body with more, the first ones.
const MAX_SIDES: usize = 60;

/// What is compared.
#[derive(PartialEq)]
enum Side {
    Number(i64),
    Ground(Sym),
    /// Any other term, by its text, and whether it has variables.
    Term(String, bool),
}

/// Which side is at most which other; closed under composition.
struct Orders<'a> {
    symbols: &'a Symbols,
    sides: Vec<Side>,
    /// Whether it is less, too.
    below: Map<(usize, usize), bool>,
    different: Vec<(usize, usize)>,
}

/// Values that the terms of a body's comparisons cannot have at once.
pub(super) fn contradiction(literals: &[&Literal], symbols: &Symbols) -> Option<Diagnostic> {
    let mut orders = Orders { symbols, sides: Vec::new(), below: Map::default(), different: Vec::new() };
    for literal in literals {
        let (LiteralKind::Comparison(first, rest), Sign::None) = (&literal.kind, literal.sign) else {
            continue;
        };
        let mut left = first;
        for (relation, right) in rest {
            orders.compare(left, *relation, right);
            left = right;
        }
        let names = orders.names()?;
        let text = match &names[..] {
            [] => continue,
            [name] => format!("`{name}` has no value that meets all that is said of it"),
            [before @ .., last] => {
                format!("no values of `{}` and `{last}` satisfy all these comparisons", before.join("`, `"))
            }
        };
        let mut help = "`,` and `;` mean \"and\" in a body; for \"or\", write a rule for each".to_string();
        if let [name] = &names[..]
            && let Some(values) = values(literals, name, symbols)
        {
            help.push_str(&format!(", or a pool: `{name} = ({})`", values.join(";")));
        }
        let text = format!("this body never holds: {text}");
        return Some(Diagnostic::warning(NEVER_HOLDS, literal.span, text).help(help));
    }
    None
}

/// The values that a variable is said to have, where there are several and nothing else is compared with it.
fn values(literals: &[&Literal], name: &str, symbols: &Symbols) -> Option<Vec<String>> {
    let is_own = |term: &Term| matches!(term.kind, TermKind::Variable(own) if symbols.str(own) == name);
    let mut values: Vec<String> = Vec::new();
    for literal in literals {
        let (LiteralKind::Comparison(first, rest), Sign::None) = (&literal.kind, literal.sign) else {
            continue;
        };
        let terms = || std::iter::once(first).chain(rest.iter().map(|(_, term)| term));
        if !terms().flat_map(Term::walk).any(is_own) {
            continue;
        }
        let [(Relation::Equal, second)] = &rest[..] else { return None };
        let value = if is_own(first) { second } else { first };
        let is_value = match &value.kind {
            TermKind::Symbol(_) => true,
            TermKind::Function { args, external: false, .. } => args.iter().all(|args| args.is_empty()),
            _ => false,
        };
        if !is_value {
            return None;
        }
        let text = print::plain_term(value, symbols);
        if !values.contains(&text) {
            values.push(text);
        }
    }
    (values.len() > 1).then_some(values)
}

impl Orders<'_> {
    fn compare(&mut self, left: &Term, relation: Relation, right: &Term) {
        if let (Relation::Equal, TermKind::Interval(low, high)) = (relation, &right.kind) {
            if let (Some(Side::Number(l)), Some(Side::Number(h))) = (self.side(low), self.side(high))
                && l <= h
            {
                self.compare(low, Relation::LessEqual, left);
                self.compare(left, Relation::LessEqual, high);
            }
            return;
        }
        let (left, right) = match relation {
            Relation::Greater | Relation::GreaterEqual => return self.compare(right, relation.flip(), left),
            _ => (left, right),
        };
        let (Some(mut a), Some(mut b)) = (self.side(left), self.side(right)) else { return };
        // Of a term and itself, or one computed from it, something else is said.
        let within = |t: &Term, u: &Term| matches!(t.kind, TermKind::Variable(name) if u.variables().any(|v| v.0 == name));
        if a == b || within(left, right) || within(right, left) {
            return;
        }
        let mut is_less = relation == Relation::Less;
        if is_less {
            let next = match (&a, &b) {
                (_, Side::Number(b)) => b.checked_sub(1).map(|n| (false, n)),
                (Side::Number(a), _) => a.checked_add(1).map(|n| (true, n)),
                _ => None,
            };
            if let Some((is_left, n)) = next {
                *(if is_left { &mut a } else { &mut b }) = Side::Number(n);
                is_less = false;
            }
        }
        let (Some(a), Some(b)) = (self.number_of(a, left), self.number_of(b, right)) else { return };
        match relation {
            Relation::NotEqual => self.different.push((a, b)),
            Relation::Equal => {
                self.link(a, b, false);
                self.link(b, a, false);
            }
            _ => self.link(a, b, is_less),
        }
    }

    /// A side, unless it may have several values or is not looked into.
    fn side(&self, t: &Term) -> Option<Side> {
        let is_one = |t: &Term| match &t.kind {
            TermKind::Symbol(_) | TermKind::Variable(_) | TermKind::Unary(..) | TermKind::Binary(..) => true,
            TermKind::Function { args, external, .. } => !external && args.len() == 1,
            _ => false,
        };
        Some(match &t.kind {
            TermKind::Symbol(s) => self.symbols.as_num(*s).map_or(Side::Ground(*s), Side::Number),
            _ if !t.walk().all(is_one) => return None,
            _ => Side::Term(print::plain_term(t, self.symbols), t.variables().next().is_some()),
        })
    }

    fn number_of(&mut self, side: Side, t: &Term) -> Option<usize> {
        if let Some(known) = self.sides.iter().position(|s| *s == side) {
            return Some(known);
        }
        let new = self.sides.len();
        if new >= MAX_SIDES {
            return None;
        }
        self.sides.push(side);
        for other in 0..new {
            match self.order(&self.sides[other], &self.sides[new]) {
                Some(Ordering::Less) => self.link(other, new, true),
                Some(Ordering::Greater) => self.link(new, other, true),
                _ => {}
            }
        }
        // `X+1` is greater than `X`.
        if let TermKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), inner, by) = &t.kind
            && let (Some(own @ Side::Term(..)), Some(Side::Number(n))) = (self.side(inner), self.side(by))
            && n != 0
            && let Some(inner) = self.number_of(own, inner)
        {
            match (n > 0) == (*op == BinaryOp::Add) {
                true => self.link(inner, new, true),
                false => self.link(new, inner, true),
            }
        }
        Some(new)
    }

    fn order(&self, a: &Side, b: &Side) -> Option<Ordering> {
        let is_inf = |s: &Sym| matches!(self.symbols.view(*s), SymView::Inf);
        match (a, b) {
            (Side::Number(a), Side::Number(b)) => Some(a.cmp(b)),
            (Side::Ground(a), Side::Ground(b)) => Some(self.symbols.cmp(*a, *b)),
            (Side::Number(_), Side::Ground(s)) => {
                Some(if is_inf(s) { Ordering::Greater } else { Ordering::Less })
            }
            (Side::Ground(_), Side::Number(_)) => self.order(b, a).map(Ordering::reverse),
            _ => None,
        }
    }

    /// Whether one is known to be at most the other, and less.
    fn path(&self, a: usize, b: usize) -> Option<bool> {
        let known = self.below.get(&(a, b)).copied();
        if a == b { known.or(Some(false)) } else { known }
    }

    fn link(&mut self, a: usize, b: usize, is_less: bool) {
        for from in 0..self.sides.len() {
            let Some(before) = self.path(from, a) else { continue };
            for to in 0..self.sides.len() {
                let Some(after) = self.path(b, to) else { continue };
                *self.below.entry((from, to)).or_insert(false) |= before | is_less | after;
            }
        }
    }

    /// The terms that contradict each other, if some do; `None` if they have no variables.
    fn names(&self) -> Option<Vec<String>> {
        let both = |a: usize, b: usize| self.path(a, b).is_some() && self.path(b, a).is_some();
        let cycle = (0..self.sides.len()).find(|&a| self.path(a, a) == Some(true));
        let broken = cycle.or(self.different.iter().find(|(a, b)| both(*a, *b)).map(|pair| pair.0));
        let Some(broken) = broken else { return Some(Vec::new()) };
        let mut names: Vec<String> = (0..self.sides.len())
            .filter(|&side| both(broken, side))
            .filter_map(|side| match &self.sides[side] {
                Side::Term(text, true) => Some(text.clone()),
                _ => None,
            })
            .collect();
        names.sort_unstable();
        (!names.is_empty()).then_some(names)
    }
}
