//! Variables of an element under other names.

use crate::base::map::Map;
use crate::base::symbol::StrId;
use crate::syntax::ast::*;

/// Other names for variables.
pub(super) type Renaming = Map<StrId, StrId>;

/// Renames the variables of a term.
pub(super) fn term(t: &mut Term, to: &Renaming) {
    match &mut t.kind {
        TermKind::Symbol(_) | TermKind::Anonymous => {}
        TermKind::Variable(name) => *name = to.get(name).copied().unwrap_or(*name),
        TermKind::Unary(_, a) => term(a, to),
        TermKind::Binary(_, a, b) | TermKind::Interval(a, b) => {
            term(a, to);
            term(b, to);
        }
        TermKind::Absolute(ts) | TermKind::Tuple(ts) | TermKind::Pool(ts) => {
            ts.iter_mut().for_each(|t| term(t, to));
        }
        TermKind::Function { args, .. } | TermKind::Value { args, .. } => {
            args.iter_mut().flatten().for_each(|t| term(t, to));
        }
    }
}

/// Renames the variables of a literal.
pub(super) fn literal(l: &mut Literal, to: &Renaming) {
    match &mut l.kind {
        LiteralKind::Boolean(_) => {}
        LiteralKind::Atom(a) => a.args.iter_mut().flatten().for_each(|t| term(t, to)),
        LiteralKind::Comparison(first, rest) => {
            term(first, to);
            rest.iter_mut().for_each(|(_, t)| term(t, to));
        }
    }
}
