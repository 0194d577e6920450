//! The theory of integers: what clingcon's theory atoms mean without a `#theory` definition.
//!
//! `&sum`, `&nsum` and `&diff` are told apart by where they stand, as `&__sum_h` and `&__sum_b`: one in a head must hold if it is
//! derived, one in a body holds if and only if its constraint does. Elements are a multiset: `&sum { X : p(X,Y); 1 }` becomes
//! `&__sum_h { X,0,Y : p(X,Y); 1,1 }`. These are the names and tuples of clingcon, so ground programs can be exchanged.
//!
//! Invariant: the theory is there only if a program uses one of its atoms and defines none of them.

use super::rule::{Term, TheoryElement, TheoryTerm, Var, literal_vars};
use super::scope::Scope;
use super::theory::Theories;
use crate::base::map::Set;
use crate::base::span::{Sources, Span};
use crate::base::symbol::{StrId, Symbols};
use crate::syntax::ast::{self, StatementKind};
use crate::syntax::{Input, NoFiles, parse};

/// The definition.
const THEORY: &str = r"#theory integers {
    variable { };
    sum {
        - : 3, unary; ** : 2, binary, right; * : 1, binary, left; / : 1, binary, left; \ : 1, binary, left;
        + : 0, binary, left; - : 0, binary, left
    };
    domain {
        - : 4, unary; ** : 3, binary, right; * : 2, binary, left; / : 2, binary, left; \ : 2, binary, left;
        + : 1, binary, left; - : 1, binary, left; .. : 0, binary, left
    };
    interval {
        - : 4, unary; ** : 3, binary, right; * : 2, binary, left; / : 2, binary, left; \ : 2, binary, left;
        + : 1, binary, left; - : 1, binary, left; @ : 0, binary, left
    };
    &__diff_h/0 : sum, { <= }, sum, any;
    &__diff_b/0 : sum, { <= }, sum, any;
    &__sum_h/0 : sum, { <=, =, !=, <, >, >= }, sum, any;
    &__sum_b/0 : sum, { <=, =, !=, <, >, >= }, sum, any;
    &__nsum_h/0 : sum, { <=, =, !=, <, >, >= }, sum, any;
    &__nsum_b/0 : sum, { <=, =, !=, <, >, >= }, sum, any;
    &minimize/0 : interval, directive;
    &maximize/0 : interval, directive;
    &show/0 : sum, directive;
    &distinct/0 : sum, head;
    &disjoint/0 : interval, head;
    &dom/0 : domain, { = }, variable, head
}.";

/// Atoms that are told apart by where they stand.
const SIDED: [&str; 3] = ["sum", "nsum", "diff"];
/// Other atoms whose elements are a multiset.
const MULTISETS: [&str; 4] = ["distinct", "disjoint", "minimize", "maximize"];
/// The rest.
const OTHERS: [&str; 2] = ["dom", "show"];

/// Whether a program may write this atom without a definition.
fn is_known(name: &str) -> bool {
    SIDED.contains(&name) || MULTISETS.contains(&name) || OTHERS.contains(&name)
}

impl Theories {
    /// Adds the theory of integers if one of its atoms occurs, and none of that name is defined.
    pub(crate) fn add_integers<'a>(
        &mut self,
        used: impl Iterator<Item = &'a ast::TheoryAtom>,
        symbols: &mut Symbols,
    ) {
        let known = |name: StrId, arity: usize| arity == 0 && is_known(symbols.str(name));
        let mut used = used;
        if self.integers
            || !used.any(|a| known(a.name, a.args.first().map_or(0, Vec::len)))
            || self.atoms.keys().any(|&(name, arity)| {
                let name = symbols.str(name);
                is_known(name) || arity == 0 && name.starts_with("__")
            })
        {
            return;
        }
        let mut sources = Sources::new();
        let text = vec![Input::new("<integers>", THEORY)];
        let parsed = parse(text, symbols, &mut sources, &mut NoFiles);
        for s in parsed.program.statements {
            if let StatementKind::Theory(mut theory) = s.kind {
                // Its places are in no text of the user's.
                theory.terms.iter_mut().for_each(|t| t.span = Span::NONE);
                theory.terms.iter_mut().flat_map(|t| &mut t.operators).for_each(|o| o.span = Span::NONE);
                theory.atoms.iter_mut().for_each(|a| a.span = Span::NONE);
                self.add(&theory, Span::NONE, symbols, &mut Vec::new());
                self.integers = true;
            }
        }
    }

    /// The name under which a theory atom is defined.
    pub(super) fn name_at(&self, a: &ast::TheoryAtom, in_body: bool, symbols: &mut Symbols) -> StrId {
        let name = symbols.str(a.name);
        if !self.integers || !SIDED.contains(&name) || a.args.first().is_some_and(|list| !list.is_empty()) {
            return a.name;
        }
        let side = if in_body { 'b' } else { 'h' };
        let name = format!("__{name}_{side}");
        symbols.intern(&name)
    }

    /// Whether the elements of an atom are a multiset.
    pub(super) fn is_multiset(&self, name: StrId, symbols: &Symbols) -> bool {
        let name = symbols.str(name);
        self.integers && (SIDED.contains(&name) || MULTISETS.contains(&name))
    }

    /// Whether the theory of integers has this atom.
    pub(super) fn has_integer_atom(&self, name: StrId, arity: usize, symbols: &Symbols) -> bool {
        self.integers && arity == 0 && is_known(symbols.str(name))
    }
}

/// Lets the tuples of elements differ: by their number if there are several, and by the named variables of
/// their conditions.
pub(super) fn tell_apart(elements: &mut [TheoryElement], scope: &Scope, symbols: &mut Symbols) {
    let several = elements.len() > 1;
    for (number, element) in elements.iter_mut().enumerate() {
        let mut own: Set<Var> = Set::default();
        element.terms.iter().for_each(|t| t.for_each_var(&mut |v| _ = own.insert(v)));
        let mut more: Vec<Var> = Vec::new();
        for l in &element.condition {
            literal_vars(l, &mut |v| {
                let named = scope.vars[v.0 as usize].name.is_some();
                if named && !own.contains(&v) && !more.contains(&v) {
                    more.push(v);
                }
            });
        }
        more.sort_by_key(|v| scope.vars[v.0 as usize].name.map(|name| symbols.str(name).to_string()));
        if several {
            element.terms.push(TheoryTerm::Plain(Term::Sym(symbols.num(number as i64))));
        }
        element.terms.extend(more.into_iter().map(|v| TheoryTerm::Plain(Term::Var(v))));
    }
}
