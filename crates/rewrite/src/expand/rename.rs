//! Renaming of an element's variables.

use asp_base::map::Map;
use asp_base::symbol::StrId;
use asp_syntax::ast::*;

/// Other names for variables.
pub(super) type Renaming = Map<StrId, StrId>;

/// Renames the variables of a term.
pub(super) fn term(t: &mut Term, to: &Renaming) {
    if let TermKind::Variable(name) = &mut t.kind {
        *name = to.get(name).copied().unwrap_or(*name);
    }
    t.each_part_mut(&mut |part| term(part, to));
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
