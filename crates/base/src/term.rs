//! Ground terms as a user of the library reads them: a symbol together with the table that it lives in.
//!
//! Invariant: terms of different tables compare by their structure; nothing here recurses, however deep a term is.

use std::cmp::Ordering;
use std::fmt;

use super::signature::Signature;
use super::symbol::{StrId, Sym, SymView, Symbols};

/// A ground term, borrowed from the `Control` that made it.
///
/// It prints as clingo prints it and compares in clingo's order of terms.
#[derive(Clone, Copy)]
pub struct Term<'a> {
    symbols: &'a Symbols,
    parts: Parts<'a>,
}

/// Atoms need not be in the table as terms.
#[derive(Clone, Copy)]
enum Parts<'a> {
    Symbol(Sym),
    Atom { name: StrId, arguments: &'a [Sym], negative: bool },
}

/// The structure of a [`Term`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum TermKind<'a> {
    /// `#inf`, less than every other term.
    Infimum,
    /// An integer, of 64 bits.
    Number(i64),
    /// A string, without its quotes.
    String(&'a str),
    /// A constant (without arguments) or a function term.
    Function {
        /// Empty for a negated tuple.
        name: &'a str,
        /// None for a constant.
        arguments: Arguments<'a>,
        /// Whether it is classically negated.
        negative: bool,
    },
    /// A tuple, of any arity.
    Tuple(Arguments<'a>),
    /// `#sup`, greater than every other term.
    Supremum,
}

impl<'a> Term<'a> {
    /// The term that a handle stands for.
    pub fn new(symbols: &'a Symbols, symbol: Sym) -> Self {
        Self { symbols, parts: Parts::Symbol(symbol) }
    }
    /// An atom as a term.
    pub fn atom(symbols: &'a Symbols, signature: Signature, arguments: &'a [Sym]) -> Self {
        let Signature { name, negative, .. } = signature;
        Self { symbols, parts: Parts::Atom { name, arguments, negative } }
    }
    /// The handle, which is equal for equal terms of one `Control`; `None` for an atom that is not in
    /// its table as a term.
    pub fn symbol(self) -> Option<Sym> {
        match self.parts {
            Parts::Symbol(symbol) => Some(symbol),
            Parts::Atom { name, arguments, negative } => self.symbols.find_fun(name, arguments, negative),
        }
    }
    fn view(self) -> SymView<'a> {
        match self.parts {
            Parts::Symbol(symbol) => self.symbols.view(symbol),
            Parts::Atom { name, arguments, negative } => SymView::Fun { name, args: arguments, negative },
        }
    }
    fn text(self) -> String {
        let mut out = String::new();
        match self.parts {
            Parts::Symbol(symbol) => self.symbols.write(symbol, &mut out),
            Parts::Atom { name, arguments, negative } => {
                self.symbols.write_atom(name, arguments, negative, &mut out);
            }
        }
        out
    }
    /// Its structure.
    pub fn kind(self) -> TermKind<'a> {
        let arguments = |symbols| Arguments { table: self.symbols, symbols };
        match self.view() {
            SymView::Inf => TermKind::Infimum,
            SymView::Num(n) => TermKind::Number(n),
            SymView::Str(text) => TermKind::String(self.symbols.str(text)),
            SymView::Fun { name, args, negative } => {
                TermKind::Function { name: self.symbols.str(name), arguments: arguments(args), negative }
            }
            SymView::Tuple(args) => TermKind::Tuple(arguments(args)),
            SymView::Sup => TermKind::Supremum,
        }
    }
    /// The integer, if it is one.
    pub fn number(self) -> Option<i64> {
        match self.view() {
            SymView::Num(n) => Some(n),
            _ => None,
        }
    }
    /// The contents, if it is a string.
    pub fn string(self) -> Option<&'a str> {
        match self.kind() {
            TermKind::String(text) => Some(text),
            _ => None,
        }
    }
    /// The name, if it is a constant or a function term.
    pub fn name(self) -> Option<&'a str> {
        match self.kind() {
            TermKind::Function { name, .. } => Some(name),
            _ => None,
        }
    }
    /// Whether it is classically negated.
    pub fn is_negative(self) -> bool {
        matches!(self.kind(), TermKind::Function { negative: true, .. })
    }
    /// The arguments of a function term or tuple; none of any other term.
    pub fn arguments(self) -> Arguments<'a> {
        match self.kind() {
            TermKind::Function { arguments, .. } | TermKind::Tuple(arguments) => arguments,
            _ => Arguments { table: self.symbols, symbols: &[] },
        }
    }
    /// Whether it is `name(...)` with `arity` arguments, not classically negated.
    pub fn is(self, name: &str, arity: usize) -> bool {
        match self.kind() {
            TermKind::Function { name: own, arguments, negative } => {
                !negative && own == name && arguments.len() == arity
            }
            _ => false,
        }
    }
}

impl fmt::Display for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl fmt::Debug for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl PartialEq for Term<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Term<'_> {}

impl PartialOrd for Term<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Term<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.symbols.cmp_across(self.view(), other.symbols, other.view())
    }
}

/// The arguments of a term, in their order.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    table: &'a Symbols,
    symbols: &'a [Sym],
}

impl<'a> Arguments<'a> {
    /// The argument with an index, from 0.
    pub fn get(&self, index: usize) -> Option<Term<'a>> {
        self.symbols.get(index).map(|&symbol| Term::new(self.table, symbol))
    }
    /// Handles of the arguments, in order.
    pub fn symbols(&self) -> &'a [Sym] {
        self.symbols
    }
}

impl<'a> Iterator for Arguments<'a> {
    type Item = Term<'a>;
    fn next(&mut self) -> Option<Term<'a>> {
        let (&first, rest) = self.symbols.split_first()?;
        self.symbols = rest;
        Some(Term::new(self.table, first))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.symbols.len(), Some(self.symbols.len()))
    }
}

impl DoubleEndedIterator for Arguments<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (&last, rest) = self.symbols.split_last()?;
        self.symbols = rest;
        Some(Term::new(self.table, last))
    }
}

impl ExactSizeIterator for Arguments<'_> {}

impl fmt::Debug for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_two_tables_compare_by_structure() {
        let build = |swap: bool| {
            let mut symbols = Symbols::new();
            let names = if swap { ["b", "a"] } else { ["a", "b"] }.map(|n| symbols.intern(n));
            let [a, b] = if swap { [names[1], names[0]] } else { names };
            let (ca, cb, one) = (symbols.constant(a), symbols.constant(b), symbols.num(1));
            let pair = symbols.tuple(&[ca, one]);
            let terms = [one, ca, cb, pair, symbols.fun(b, &[ca], false), symbols.fun(b, &[cb], false)];
            (symbols, terms)
        };
        let ((left, xs), (right, ys)) = (build(false), build(true));
        for (i, &x) in xs.iter().enumerate() {
            for (j, &y) in ys.iter().enumerate() {
                assert_eq!(
                    Term::new(&left, x).cmp(&Term::new(&right, y)),
                    Term::new(&left, xs[i]).cmp(&Term::new(&left, xs[j]))
                );
                assert_eq!(Term::new(&left, x) == Term::new(&right, y), i == j);
            }
        }
    }

    #[test]
    fn parts_of_terms() {
        let mut symbols = Symbols::new();
        let (f, text, one) = (symbols.intern("f"), symbols.string("x"), symbols.num(1));
        let symbol = symbols.fun(f, &[text, one], true);
        let term = Term::new(&symbols, symbol);
        assert_eq!((term.name(), term.is_negative(), term.arguments().len()), (Some("f"), true, 2));
        assert_eq!(term.arguments().map(|t| t.to_string()).collect::<Vec<_>>(), ["\"x\"", "1"]);
        assert_eq!((term.arguments().get(0).and_then(Term::string), term.number()), (Some("x"), None));
        assert_eq!(format!("{term:?} {term:>12}"), "-f(\"x\",1)    -f(\"x\",1)");
        assert!(!term.is("f", 2));
    }
}
