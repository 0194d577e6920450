//! The theory of integers: clingcon's theory atoms without a `#theory` definition.
//!
//! `&sum`, `&nsum` and `&diff` get names by where they stand: `&__sum_h` in a head must hold if it is derived,
//! `&__sum_b` in a body holds if and only if its constraint does. Elements are a multiset: `&sum { X : p(X,Y); 1 }`
//! becomes `&__sum_h { X,0,Y : p(X,Y); 1,1 }`. These are the names and tuples of clingcon, so ground programs can be
//! exchanged.
//!
//! Atoms that clingcon does not have are renamed in the same way, so that a program may define atoms of these names.
//!
//! Invariant: the theory is there only if a program uses one of its atoms and defines none of them.

use super::rule::{Term, TheoryElement, TheoryTerm, Var, literal_vars};
use super::theory::Theories;
use super::translate::scope::Scope;
use asp_base::map::Set;
use asp_base::nearest::nearest;
use asp_base::span::{Sources, Span};
use asp_base::symbol::{StrId, Symbols};
use asp_syntax::ast::{self, BinaryOp, StatementKind, UnaryOp};
use asp_syntax::{Input, NoFiles, parse};

/// The definition that clingcon's users would write before their program.
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
    &__cumulative_h/0 : interval, { <= }, sum, head;
    &__count_h/1 : sum, { <=, =, !=, <, >, >= }, sum, any;
    &__count_b/1 : sum, { <=, =, !=, <, >, >= }, sum, any;
    &__element_h/1 : sum, { <=, =, !=, <, >, >= }, sum, any;
    &__element_b/1 : sum, { <=, =, !=, <, >, >= }, sum, any;
    &__table_h/1 : sum, any;
    &__table_b/1 : sum, any;
    &minimize/0 : interval, directive;
    &maximize/0 : interval, directive;
    &show/0 : sum, directive;
    &distinct/0 : sum, head;
    &disjoint/0 : interval, head;
    &dom/0 : domain, { = }, variable, head
}.";

/// Atoms that get a name by where they stand.
const SIDED: [&str; 3] = ["sum", "nsum", "diff"];
/// Other atoms whose elements are a multiset.
const MULTISETS: [&str; 4] = ["distinct", "disjoint", "minimize", "maximize"];
/// Atoms that are neither sums nor multisets.
const OTHERS: [&str; 2] = ["dom", "show"];

/// Atoms that clingcon does not have, with their arguments; a table has any number of them. They are renamed, too.
const EXTENSIONS: [(&str, usize); 4] = [("cumulative", 0), ("count", 1), ("element", 1), ("table", 1)];

/// How atoms are written, by name.
const WRITTEN: [(&str, &str); 13] = [
    ("sum", "&sum { x; 2*y } <= 3"),
    ("nsum", "&nsum { x*y; z } = 6"),
    ("diff", "&diff { x-y } <= 3"),
    ("distinct", "&distinct { x; y }"),
    ("disjoint", "&disjoint { x@3; y@2 }"),
    ("minimize", "&minimize { x; y@2 }"),
    ("maximize", "&maximize { x; y@2 }"),
    ("dom", "&dom { 1..3; 7 } = x"),
    ("show", "&show { x; f/1 }"),
    ("cumulative", "&cumulative { x@3,1; y@2,1 } <= 2"),
    ("count", "&count(v) { x; y } <= 2"),
    ("element", "&element(i) { 1,x; 2,y } = z"),
    ("table", "&table(x,y) { 1,2; 2,3 }"),
];

/// The message about an atom with another syntax.
pub(super) fn written(name: &str) -> Option<String> {
    let (_, text) = WRITTEN.iter().find(|w| w.0 == name)?;
    Some(format!("it is written `{text}`"))
}

/// Whether a program may write this atom of clingcon's without a definition.
fn is_known(name: &str) -> bool {
    SIDED.contains(&name) || MULTISETS.contains(&name) || OTHERS.contains(&name)
}

/// The arguments with which an extension is defined, if this is one.
fn extension(name: &str, arity: usize) -> Option<usize> {
    let known = |&&(n, a): &&(&str, usize)| n == name && (a == arity || n == "table" && arity > 0);
    EXTENSIONS.iter().find(known).map(|e| e.1)
}

impl Theories {
    /// Adds the theory of integers if one of its atoms occurs, and none of that name is defined.
    pub fn add_integers<'a>(
        &mut self,
        used: impl Iterator<Item = &'a ast::TheoryAtom>,
        symbols: &mut Symbols,
    ) {
        let defined = |name, arity: usize| self.atoms.contains_key(&(name, arity as u32));
        let known = |name: StrId, arity: usize| {
            let text = symbols.str(name);
            arity == 0 && is_known(text) || extension(text, arity).is_some() && !defined(name, arity)
        };
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

    /// The name and arity under which a theory atom is defined.
    pub(super) fn key(&self, a: &ast::TheoryAtom, in_body: bool, symbols: &mut Symbols) -> (StrId, u32) {
        let arity = a.args.first().map_or(0, Vec::len);
        let Some(arity) = self.sided(a.name, arity, symbols) else { return (a.name, arity as u32) };
        // Those of tasks are for heads.
        let name = symbols.str(a.name);
        let side = if in_body && name != "cumulative" { 'b' } else { 'h' };
        let name = format!("__{name}_{side}");
        (symbols.intern(&name), arity as u32)
    }

    /// The arity under which an atom is defined that gets a name by where it stands.
    fn sided(&self, name: StrId, arity: usize, symbols: &Symbols) -> Option<usize> {
        let text = symbols.str(name);
        if !self.integers || self.atoms.contains_key(&(name, arity as u32)) {
            return None;
        }
        if arity == 0 && SIDED.contains(&text) { Some(0) } else { extension(text, arity) }
    }

    /// Whether the elements of an atom are a multiset.
    pub(super) fn is_multiset(&self, name: StrId, arity: usize, symbols: &Symbols) -> bool {
        let text = symbols.str(name);
        let is_sided = self.sided(name, arity, symbols).is_some() && !["element", "table"].contains(&text);
        is_sided || self.integers && arity == 0 && MULTISETS.contains(&text)
    }

    /// Whether this is an atom with multisets that ground programs have under its own name.
    pub(super) fn is_written_multiset(&self, name: StrId, symbols: &Symbols) -> bool {
        self.integers && MULTISETS.contains(&symbols.str(name))
    }

    /// Whether the theory of integers has this atom.
    pub(super) fn has_integer_atom(&self, name: StrId, arity: usize, symbols: &Symbols) -> bool {
        let text = symbols.str(name);
        self.sided(name, arity, symbols).is_some() || self.integers && arity == 0 && is_known(text)
    }

    /// The syntax of an atom of the theory of integers, unless a program defines its own, or that of the nearest name.
    pub(super) fn how_written(&self, name: &str, symbols: &Symbols) -> Option<String> {
        if !self.integers && self.atoms.keys().any(|key| is_known(symbols.str(key.0))) {
            return None;
        }
        if let Some(text) = written(name) {
            return Some(text);
        }
        let near = nearest(name, WRITTEN.iter().map(|w| w.0))?;
        Some(format!("did you mean `&{near}`? {}", written(near)?))
    }

    /// The replacement of an atom of the theory of integers where it cannot stand.
    pub(super) fn elsewhere(&self, name: StrId, arity: usize, symbols: &Symbols) -> Option<&'static str> {
        if !self.has_integer_atom(name, arity, symbols) {
            return None;
        }
        Some(match symbols.str(name) {
            "dom" => "in a body, compare the variable: `&sum { x } >= 1, &sum { x } <= 3`",
            "distinct" => "in a body, compare two at a time: `&sum { x } != y`",
            "disjoint" => "in a body, compare two at a time: `&sum { x+3 } <= y`, or `&sum { y+2 } <= x`",
            "cumulative" => {
                "it stands in a head, and must hold where the body does: `&cumulative { x@3,1; y@2,1 } <= 2 :- a.`"
            }
            "show" => "it stands alone, with conditions that are facts: `&show { x; f(X) : p(X) }.`",
            _ => {
                "objectives stand alone; a cost under a condition is a variable: `&sum { c } = x :- a.  &sum { c } = 0 :- not a.  &minimize { c }.`"
            }
        })
    }

    /// How many terms an element of an atom of the theory of integers has.
    pub(super) fn terms_of(&self, name: StrId, arity: usize, symbols: &Symbols) -> usize {
        match symbols.str(name) {
            "cumulative" | "element" => 2,
            "table" => arity,
            _ => 1,
        }
    }
}

/// An argument as a theory term, so that it may be a sum of variables: `X+1` is the sum of the value of `X` and 1. An error is the
/// place of an operation that sums do not have.
pub(super) fn argument(term: Term, symbols: &mut Symbols) -> Result<TheoryTerm, Span> {
    fn apply(operator: &str, args: Vec<TheoryTerm>, symbols: &mut Symbols) -> TheoryTerm {
        TheoryTerm::Function(symbols.intern(operator), args)
    }
    let mut all =
        |terms: Vec<Term>| terms.into_iter().map(|t| argument(t, symbols)).collect::<Result<Vec<_>, _>>();
    Ok(match term {
        Term::Sym(_) | Term::Var(_) => TheoryTerm::Plain(term),
        Term::Negated(var, _) => apply("-", vec![TheoryTerm::Plain(Term::Var(var))], symbols),
        Term::Linear { coefficient, var, offset, .. } => {
            let [factor, summand] = [coefficient, offset].map(|n| Term::Sym(symbols.num(n)));
            let product = vec![TheoryTerm::Plain(factor), TheoryTerm::Plain(Term::Var(var))];
            let sum = vec![apply("*", product, symbols), TheoryTerm::Plain(summand)];
            apply("+", sum, symbols)
        }
        Term::Unary(UnaryOp::Minus, inner, _) => apply("-", all(vec![*inner])?, symbols),
        Term::Binary(op, a, b, _) if !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) => {
            apply(op.as_str(), all(vec![*a, *b])?, symbols)
        }
        Term::Fun(name, negative, args) => {
            let args = all(args)?;
            // A negative tuple is a function without a name.
            let term = match symbols.str(name) {
                "" => TheoryTerm::Tuple(args),
                _ => TheoryTerm::Function(name, args),
            };
            if negative { apply("-", vec![term], symbols) } else { term }
        }
        Term::Tuple(args) => TheoryTerm::Tuple(all(args)?),
        Term::Unary(_, _, span)
        | Term::Binary(_, _, _, span)
        | Term::Absolute(_, span)
        | Term::External(_, _, span) => return Err(span),
    })
}

/// Whether an element has been told apart from others: a number follows its term.
pub(super) fn is_told_apart(element: &TheoryElement, symbols: &Symbols) -> bool {
    matches!(element.terms.get(1), Some(TheoryTerm::Plain(Term::Sym(s))) if symbols.as_num(*s).is_some())
}

/// Makes the tuples of elements differ: by their number if there are several, and by the named variables of their conditions.
///
/// Where tuples are written under the same name, their second term is a number, by which they are recognised when read again.
pub(super) fn tell_apart(
    elements: &mut [TheoryElement],
    is_written: bool,
    scope: &Scope,
    symbols: &mut Symbols,
) {
    if is_written && elements.iter().all(|element| is_told_apart(element, symbols)) {
        return;
    }
    let several = elements.len() > 1;
    for (number, element) in elements.iter_mut().enumerate() {
        let mut own: Set<Var> = Set::default();
        element.terms.iter().for_each(|t| t.for_each_var(&mut |v| _ = own.insert(v)));
        let mut more: Vec<Var> = Vec::new();
        for l in &element.condition {
            literal_vars(l, &mut |v| {
                // Variables that distinguish nothing have names that users cannot write.
                let name = scope.vars[v.0 as usize].name;
                let named = name.is_some_and(|name| !symbols.str(name).starts_with('#'));
                if named && !own.contains(&v) && !more.contains(&v) {
                    more.push(v);
                }
            });
        }
        more.sort_by_key(|v| scope.vars[v.0 as usize].name.map(|name| symbols.str(name).to_string()));
        if several || is_written && !more.is_empty() {
            element.terms.push(TheoryTerm::Plain(Term::Sym(symbols.num(number as i64))));
        }
        element.terms.extend(more.into_iter().map(|v| TheoryTerm::Plain(Term::Var(v))));
    }
}
