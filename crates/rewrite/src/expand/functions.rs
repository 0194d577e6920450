//! Functions that may stay integers, and the choices of their values.
//!
//! Invariant: a choice of values has one head, `{ p(X,L..U) } = 1`, whose arguments are single terms.

use crate::constants::{self, Constants};
use asp_base::map::Map;
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_syntax::ast::*;

/// The name and the number of arguments of a function's atoms.
pub(super) type Function = (StrId, usize);

/// The context of the readers of values.
pub(super) struct Functions<'a> {
    /// Functions that may stay integers, with the name of their variables.
    pub names: Map<Function, StrId>,
    pub(super) constants: &'a Constants,
    /// The tuples of objectives, by statement: the known terms after the weight.
    pub(super) tuples: Vec<(usize, Vec<Option<Sym>>)>,
}

/// `{ p(X,L..U) } = 1 :- body.`
pub(super) struct Choice<'a> {
    pub(super) function: Function,
    pub(super) args: &'a [Term],
    pub(super) ends: [&'a Term; 2],
    pub(super) body: &'a [BodyElement],
}

impl Functions<'_> {
    /// The variable of a function that may stay integers.
    pub(super) fn variable(&self, name: StrId, args: usize) -> Option<StrId> {
        self.names.get(&(name, args + 1)).copied()
    }

    /// Whether a term reads one of them.
    pub(super) fn reads(&self, t: &Term) -> bool {
        t.walk().any(|t| match &t.kind {
            TermKind::Value { name, args } => {
                args.iter().any(|list| self.variable(*name, list.len()).is_some())
            }
            _ => false,
        })
    }

    /// The symbol that a term without variables stands for, if it is plain.
    pub(super) fn ground(&self, t: &Term, symbols: &mut Symbols) -> Option<Sym> {
        let known = t.walk().all(|t| match &t.kind {
            TermKind::Symbol(_) | TermKind::Unary(..) | TermKind::Binary(..) => true,
            TermKind::Function { args, external, .. } => !external && args.len() == 1,
            _ => false,
        });
        constants::value(t, self.constants, symbols).ok().filter(|_| known)
    }

    pub(super) fn number(&self, t: &Term, symbols: &mut Symbols) -> Option<i64> {
        let value = self.ground(t, symbols)?;
        symbols.as_num(value)
    }
}

/// The choice that a statement makes of the values of a function, if it is one.
pub(super) fn choice(s: &Statement) -> Option<Choice<'_>> {
    let StatementKind::Rule { head, body } = &s.kind else { return None };
    let HeadKind::Choice { guards, elements } = &head.kind else { return None };
    let is_one = |t: &Term| matches!(t.kind, TermKind::Symbol(s) if s.as_small() == Some(1));
    let one = match (&guards.left, &guards.right) {
        (None, Some((Relation::Equal, t))) | (Some((t, Relation::Equal)), None) => is_one(t),
        (Some((low, Relation::LessEqual)), Some((Relation::LessEqual, high))) => is_one(low) && is_one(high),
        _ => false,
    };
    let [ConditionalLiteral { literal, condition, .. }] = &elements[..] else { return None };
    let LiteralKind::Atom(atom) = &literal.kind else { return None };
    let [args] = &atom.args[..] else { return None };
    let (values, args) = args.split_last()?;
    let TermKind::Interval(low, high) = &values.kind else { return None };
    let is_plain = |t: &Term| {
        t.walk().all(|t| match &t.kind {
            TermKind::Anonymous | TermKind::Interval(..) | TermKind::Pool(_) | TermKind::Value { .. } => {
                false
            }
            TermKind::Absolute(ts) => ts.len() == 1,
            TermKind::Function { args, external, .. } => !external && args.len() == 1,
            _ => true,
        })
    };
    let fits = one && condition.is_empty() && literal.sign == Sign::None && !atom.negative;
    let terms_fit = args.iter().chain([&**low, &**high]).all(is_plain);
    let function = (atom.name, args.len() + 1);
    (fits && terms_fit).then_some(Choice { function, args, ends: [low, high], body })
}

/// Whether two tuples of terms, as far as they are known, may be the same.
pub(super) fn may_be_same(a: &[Option<Sym>], b: &[Option<Sym>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}
